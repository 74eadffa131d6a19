//! The best of every count, and what separates the others from it and from chance.

use super::difference::{Difference, Standing};
use super::judge::{Judge, Side};
use super::result::{Curve, CurveKind, Point, Table};
use crate::ranking::Goal;

impl Table {
    /// The table with the best of every count, and what separates the others from it and from chance.
    pub(super) fn compared(mut self, counts: &[usize]) -> Self {
        for (c, count) in counts.iter().enumerate() {
            let judge = self.judge.at(std::slice::from_ref(count));
            compare(&mut self, &judge, &|curve| &curve.points[c], &|curve| &mut curve.points[c]);
        }
        self.tells_apart = tells_apart(&self);
        let judge = self.judge.at(counts);
        compare(&mut self, &judge, &|curve| &curve.aggregated, &|curve| &mut curve.aggregated);
        self
    }
}

/// What a point is compared by.
struct Stands {
    best: bool,
    level: bool,
    than_best: Option<Difference>,
    than_random: Option<Difference>,
}

/// Finds the best of the points that `point` picks and compares the others with it, and all with random selection. All
/// features are not at a count and are left out.
fn compare(
    table: &mut Table,
    judge: &Judge,
    point: &dyn Fn(&Curve) -> &Point,
    point_mut: &dyn Fn(&mut Curve) -> &mut Point,
) {
    let (goal, mean) = (table.goal, |curve: &Curve| point(curve).summary.mean);
    let better = |a: f64, b: f64| if goal == Goal::Maximize { a > b } else { a < b };
    let mut best: Option<&Curve> = None;
    for curve in table.curves.iter().filter(|c| c.is_compared() && c.kind.competes(goal)) {
        if best.is_none_or(|best| better(mean(curve), mean(best))) {
            best = Some(curve);
        }
    }
    let Some(best) = best else { return };
    let random = table.of_kind(CurveKind::Random).filter(|curve| curve.is_compared());
    let less =
        |curve: &Curve, than: &Curve| judge.less(&curve.side(point(curve)), &than.side(point(than)), 0.0);
    let stands = |curve: &Curve| {
        let is_best = std::ptr::eq(curve, best);
        let than_best = (!is_best).then(|| less(curve, best));
        let than_random =
            random.filter(|_| curve.kind != CurveKind::Random).map(|chance| less(curve, chance));
        // Those that do not compete may be better than the best.
        let as_good = !better(mean(best), mean(curve));
        let told = |d: Difference| d.p_value.is_some() && d.standing != Standing::Worse;
        let level = is_best || as_good || than_best.is_some_and(told);
        Stands { best: is_best, level, than_best, than_random }
    };
    let found: Vec<Option<Stands>> =
        table.curves.iter().map(|curve| curve.is_compared().then(|| stands(curve))).collect();
    for (curve, stands) in table.curves.iter_mut().zip(found) {
        let Some(Stands { best, level, than_best, than_random }) = stands else { continue };
        let point = point_mut(curve);
        (point.best, point.level) = (best, level);
        (point.than_best, point.than_random) = (than_best, than_random);
    }
}

impl Curve {
    /// A point of it as a side of a comparison.
    pub(super) fn side<'a>(&'a self, point: &'a Point) -> Side<'a> {
        let rankings =
            if self.is_one_ranking { &self.selected[..1.min(self.selected.len())] } else { &self.selected };
        Side { values: &point.summary.values, rankings }
    }
}

/// The median reach of all comparisons by t-test; those without any spread, such as of two perfect selections, tell nothing, nor does
/// one that no difference can be larger than.
fn tells_apart(table: &Table) -> Option<f64> {
    let points = table.curves.iter().flat_map(|curve| &curve.points);
    let reaches = points.flat_map(|p| [p.than_best, p.than_random]).flatten().filter_map(|d| d.reach());
    let reaches: Vec<f64> = reaches.filter(|&reach| reach > 0.0).collect();
    let median = (!reaches.is_empty()).then(|| crate::graph::median(reaches));
    median.filter(|&reach| reach < table.judge.widest())
}
