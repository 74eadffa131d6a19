//! Is this selection any good, and how many features are enough?

use super::result::{Curve, CurveKind, Evaluation, Point, Table};
use super::student::paired_t_test;
use crate::ranking::Goal;

/// The short answer to an evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The candidate with the best point of the table, or random selection (not where less is better).
    pub best: Place,
    /// The smallest count at which it is not significantly worse than at its best.
    pub enough: Place,
    /// Random selection of as many features as are enough.
    pub random: Place,
    /// All features.
    pub all: Place,
}

/// A point and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The curve.
    pub name: String,
    /// Number of features.
    pub count: usize,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// For `enough`, the test against the best; for the others, against `enough`. `None` where
    /// it is the same point, or there is one partition only.
    pub p_value: Option<f64>,
}

impl Evaluation {
    /// The short answer of a table: the first where several points are equal.
    pub fn verdict(&self, table: &Table) -> Option<Verdict> {
        let better = |a: &Point, b: &Point| table.better(a.summary.mean, b.summary.mean);
        let mut best: Option<(&Curve, &Point)> = None;
        for curve in table.curves.iter().filter(|c| c.kind.competes(table.goal)) {
            for point in &curve.points {
                if best.is_none_or(|(_, known)| better(point, known)) {
                    best = Some((curve, point));
                }
            }
        }
        let (curve, top) = best?;
        let same = |point: &Point| {
            std::ptr::eq(point, top) || p_value(point, top).is_some_and(|p| p >= self.protocol.significance)
        };
        // Few features are no merit by themselves where fewer are always better.
        let enough = match table.goal {
            Goal::Maximize => curve.points.iter().find(|point| same(point)).unwrap_or(top),
            Goal::Minimize => top,
        };
        let random = table.of_kind(CurveKind::Random)?;
        let chance = random.points.iter().find(|p| p.count == enough.count)?;
        let all = table.of_kind(CurveKind::All)?;
        let every = all.points.first()?;
        let place = |curve: &Curve, point: &Point, than: &Point| Place {
            name: curve.name.clone(),
            count: point.count,
            mean: point.summary.mean,
            sd: point.summary.sd,
            p_value: if std::ptr::eq(point, than) { None } else { p_value(point, than) },
        };
        Some(Verdict {
            best: place(curve, top, enough),
            enough: place(curve, enough, top),
            random: place(random, chance, enough),
            all: place(all, every, enough),
        })
    }
}

fn p_value(a: &Point, b: &Point) -> Option<f64> {
    // The lists are of one length: there is a value for every partition.
    paired_t_test(&a.summary.values, &b.summary.values).ok().flatten()
}
