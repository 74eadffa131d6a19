//! Is this selection any good, and how many features are enough?

use super::result::{Curve, CurveKind, Evaluation, Point, Table};
use crate::ranking::Goal;

/// The short answer to an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The candidate with the best point of the table, or random selection (not where less is better).
    pub best: Mark,
    /// The smallest count at which it comes within one standard error of its best: the rule by which trees are pruned (Breiman
    /// et al. 1984). A test would not do, for it finds no difference where there is little to go by.
    pub enough: Mark,
    /// Random selection of as many features as are enough.
    pub random: Mark,
    /// All features; `None` where less is better, for a measure that grows with the count compares nothing then.
    pub all: Option<Mark>,
}

/// A point and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The curve.
    pub name: String,
    /// Number of features.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// For `enough`, the test against the best; for the others, against `enough`. `None` where
    /// it is the same point, or nothing can be tested: there is one partition only, or hits at two counts.
    pub p_value: Option<f64>,
}

impl Evaluation {
    /// The fewest features that are enough by the first table, where more of its measure is better.
    pub(crate) fn fewest(&self) -> Option<Mark> {
        let table = self.tables.first().filter(|table| table.goal == Goal::Maximize)?;
        self.verdict(table).map(|verdict| verdict.enough)
    }

    /// The short answer of a table: the first where several points are equal.
    pub fn verdict(&self, table: &Table) -> Option<Verdict> {
        let better = |a: &Point, b: &Point| table.better(a.summary.mean, b.summary.mean);
        let mut best: Option<(&Curve, &Point)> = None;
        let judged = |curve: &&Curve| curve.kind.competes(table.goal) && curve.untold.is_none();
        for curve in table.curves.iter().filter(judged) {
            // Where less is better, fewer features nearly always are: what counts is the longest list.
            let first = if table.goal == Goal::Minimize { curve.points.len().saturating_sub(1) } else { 0 };
            for point in &curve.points[first..] {
                if best.is_none_or(|(_, known)| better(point, known)) {
                    best = Some((curve, point));
                }
            }
        }
        let (curve, top) = best?;
        let error = top.summary.sd / (self.n_partitions as f64).sqrt();
        let enough = match table.goal {
            Goal::Maximize => {
                curve.points.iter().find(|p| p.summary.mean >= top.summary.mean - error).unwrap_or(top)
            }
            Goal::Minimize => top,
        };
        let random = table.of_kind(CurveKind::Random)?;
        let chance = random.points.iter().find(|p| p.count == enough.count)?;
        let all = table.of_kind(CurveKind::All)?;
        let every = all.points.first()?;
        let judge = table.judge.at(&[enough.count]);
        // A longer piece of the same rankings has other hits because it is longer: nothing tests that.
        let counts_hits = judge.known().is_some();
        let tested = |(of, point): (&Curve, &Point), than: &Point| {
            let untested = std::ptr::eq(point, than) || (counts_hits && of.kind != CurveKind::All);
            let p_value = || judge.less(&of.side(point), &curve.side(than), 0.0).p_value;
            if untested { None } else { p_value() }
        };
        let place = |curve: &Curve, point: &Point, p_value: Option<f64>| Mark {
            name: curve.name.clone(),
            count: point.count,
            mean: point.summary.mean,
            sd: point.summary.sd,
            p_value,
        };
        Some(Verdict {
            best: place(curve, top, tested((curve, top), enough)),
            enough: place(curve, enough, tested((curve, enough), top)),
            random: place(random, chance, enough.than_random.and_then(|d| d.p_value)),
            all: (table.goal == Goal::Maximize).then(|| place(all, every, tested((all, every), enough))),
        })
    }
}
