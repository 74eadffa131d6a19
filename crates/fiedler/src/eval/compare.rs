//! The best of every count, and what separates the others from it and from chance.

use super::chance::Chance;
use super::difference::{Difference, Standing, Test};
use super::result::{Curve, CurveKind, Point, Summary, Table};
use crate::ranking::Goal;

impl Table {
    /// The table with the best of every count, and what separates the others from it and from chance.
    pub(super) fn compared(mut self, counts: &[usize], test: Test) -> Self {
        for (c, count) in counts.iter().enumerate() {
            compare(&mut self, (test, std::slice::from_ref(count)), |curve| &mut curve.points[c]);
        }
        self.tells_apart = tells_apart(&self);
        compare(&mut self, (test, counts), |curve| &mut curve.aggregated);
        self
    }
}

/// Finds the best of the points that `point` picks and compares the others with it, and all with random selection. All
/// features are not at a count and are left out.
fn compare(table: &mut Table, (test, counts): (Test, &[usize]), point: impl Fn(&mut Curve) -> &mut Point) {
    let goal = table.goal;
    let mut best: Option<(usize, Side)> = None;
    let mut chance: Option<Side> = None;
    for (c, curve) in table.curves.iter_mut().enumerate().filter(|(_, curve)| curve.is_compared()) {
        let (kind, known) = (curve.kind, Known::of(curve));
        let side = Side::of(known, &point(curve).summary);
        let better = |than: f64| match goal {
            Goal::Maximize => side.mean > than,
            Goal::Minimize => side.mean < than,
        };
        if kind.competes(goal) && best.as_ref().is_none_or(|(_, best)| better(best.mean)) {
            best = Some((c, side.clone()));
        }
        if kind == CurveKind::Random {
            chance = Some(side);
        }
    }
    let Some((at, best)) = best else { return };
    // Chance is not drawn but known where hits are counted: see `Chance`.
    let is_known = chance.as_ref().is_some_and(|side| side.known.chance.is_some());
    let less = |side: &Side, than: &Side| side.less(than, is_known, (test, counts));
    for (c, curve) in table.curves.iter_mut().enumerate().filter(|(_, curve)| curve.is_compared()) {
        let (kind, known) = (curve.kind, Known::of(curve));
        let point = point(curve);
        point.best = c == at;
        let side = Side::of(known, &point.summary);
        let than_best = (c != at).then(|| less(&side, &best));
        let than_random = chance.as_ref().filter(|_| kind != CurveKind::Random);
        let than_random = than_random.map(|chance| less(&side, chance));
        // Those that do not compete may be better than the best.
        let as_good = match goal {
            Goal::Maximize => side.mean >= best.mean,
            Goal::Minimize => side.mean <= best.mean,
        };
        let told = |d: Difference| d.p_value.is_some() && d.standing != Standing::Worse;
        point.level = c == at || as_good || than_best.is_some_and(told);
        (point.than_best, point.than_random) = (than_best, than_random);
    }
}

/// What is known of a curve apart from its values.
#[derive(Clone, Copy)]
struct Known {
    /// It is one ranking, the same in every partition.
    one: bool,
    /// What chance is, where this is chance that was not drawn.
    chance: Option<Chance>,
}

impl Known {
    fn of(curve: &Curve) -> Self {
        Known { one: curve.is_one_ranking, chance: curve.chance }
    }
}

/// A side of a comparison.
#[derive(Clone)]
struct Side {
    mean: f64,
    sd: f64,
    values: Vec<f64>,
    known: Known,
}

impl Side {
    fn of(known: Known, summary: &Summary) -> Self {
        Side { mean: summary.mean, sd: summary.sd, values: summary.values.clone(), known }
    }

    /// What chance that was not drawn is, and its spread; of all features there is none.
    fn chance(&self) -> Option<(Chance, f64)> {
        self.known.chance.filter(|_| self.sd > 0.0).map(|chance| (chance, self.sd))
    }

    /// This less another one at some counts; `is_known` says that hits are counted. Known features are known before samples are
    /// parted: one ranking has one value, however often it is counted, and beside chance it is judged by what one random ranking may
    /// come to. So are rankings of parts of the same samples, and by their own spread too.
    fn less(&self, than: &Side, is_known: bool, (test, counts): (Test, &[usize])) -> Difference {
        let beside = |(chance, sd): (Chance, f64), share: f64, one: bool| {
            let exact = chance.p_value(counts, share);
            let found = test.beside_chance(self.mean - than.mean, (sd, exact));
            if one { found } else { found.or_less(test.difference(&self.values, &than.values)) }
        };
        match (self.chance(), than.chance()) {
            (None, Some(known)) => beside(known, self.mean, self.known.one),
            (Some(known), None) => beside(known, than.mean, than.known.one),
            _ if is_known && self.known.one && than.known.one => test.difference(
                &self.values[..1.min(self.values.len())],
                &than.values[..1.min(than.values.len())],
            ),
            _ => test.difference(&self.values, &than.values),
        }
    }
}

/// The median reach of all comparisons; those without any spread, such as of two perfect selections, tell nothing. Nor does one
/// ranking beside chance whose spread is known: no partition took part in that.
fn tells_apart(table: &Table) -> Option<f64> {
    let random = table.of_kind(CurveKind::Random);
    let is_known = random.is_some_and(|c| c.chance.is_some());
    let any_one = table.curves.iter().any(|c| c.is_one_ranking && c.is_compared());
    let exact = |c: &&Curve| is_known && (c.is_one_ranking || (c.kind == CurveKind::Random && any_one));
    let points = table.curves.iter().filter(|c| !exact(c)).flat_map(|c| &c.points);
    let reaches = points.flat_map(|p| [p.than_best, p.than_random]).flatten().filter_map(|d| d.reach());
    let reaches: Vec<f64> = reaches.filter(|&reach| reach > 0.0).collect();
    (!reaches.is_empty()).then(|| crate::graph::median(reaches))
}
