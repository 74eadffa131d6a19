//! One source of a fusion against another, as a report tells it.

use fiedler::Goal;
use fiedler::eval::{Curve, CurveKind, Evaluation, Point, Sweep, Table};
use serde::{Deserialize, Serialize};

use crate::text::plural;

/// A measure against the coefficient of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Swept {
    /// What is measured.
    pub measure: String,
    /// Which way is better.
    pub goal: Goal,
    /// The source whose coefficient it is.
    pub of: String,
    /// The source that has the rest.
    pub against: String,
    /// The sources that take no part.
    pub left_out: Vec<String>,
    /// The mean over all numbers of features where there are several, then every number.
    pub lines: Vec<SweptLine>,
    /// Random selection, as the first line counts.
    pub random: Option<f64>,
}

/// One number of features, or the mean over all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweptLine {
    /// `10 features`, or `mean`.
    pub name: String,
    /// Coefficients, means over the partitions, standard deviations.
    pub points: Vec<[f64; 3]>,
}

pub(super) fn swept(evaluation: &Evaluation) -> Vec<Swept> {
    let Some(sweep) = &evaluation.sweep else { return Vec::new() };
    evaluation.tables.iter().map(|table| Swept::of(sweep, table)).collect()
}

impl Swept {
    fn of(sweep: &Sweep, table: &Table) -> Self {
        let curves = sweep.curves(table);
        let line = |name: String, point: &dyn Fn(&Curve) -> Option<Point>| {
            let points = curves.iter().filter_map(|(at, curve)| {
                let summary = point(curve)?.summary;
                (summary.mean.is_finite() && summary.sd.is_finite()).then_some([
                    *at,
                    summary.mean,
                    summary.sd,
                ])
            });
            SweptLine { name, points: points.collect() }
        };
        let counts: Vec<usize> =
            curves.first().map_or(Vec::new(), |(_, curve)| curve.points.iter().map(|p| p.count).collect());
        let mut lines = Vec::new();
        if counts.len() > 1 {
            lines.push(line("mean".to_owned(), &|curve| Some(curve.aggregated.clone())));
        }
        for (at, count) in counts.iter().enumerate() {
            lines.push(line(plural(*count, "feature"), &|curve| curve.points.get(at).cloned()));
        }
        let random = table.of_kind(CurveKind::Random).map(|curve| curve.aggregated.summary.mean);
        Swept {
            measure: table.measure.to_owned(),
            goal: table.goal,
            of: sweep.of.clone(),
            against: sweep.against.clone(),
            left_out: sweep.left_out.clone(),
            lines,
            random: random.filter(|mean| mean.is_finite()),
        }
    }

    /// Whether it counts features that are known.
    pub(crate) fn is_of_hits(&self) -> bool {
        self.measure == super::HITS
    }

    /// The best coefficient of a line, and what is measured there.
    pub(crate) fn best(&self, line: &SweptLine) -> Option<(f64, f64)> {
        line.best(self.goal)
    }
}

impl SweptLine {
    /// The best place, the first of equals, and what is measured there.
    pub(super) fn best(&self, goal: Goal) -> Option<(f64, f64)> {
        let sign = if goal == Goal::Maximize { 1.0 } else { -1.0 };
        let better =
            |best: [f64; 3], point: &[f64; 3]| if sign * point[1] > sign * best[1] { *point } else { best };
        let first = *self.points.first()?;
        let best = self.points.iter().fold(first, better);
        Some((best[0], best[1]))
    }

    /// What is measured where the one source is alone, and where the other is.
    pub(crate) fn ends(&self) -> Option<(f64, f64)> {
        let at = |coefficient: f64| self.points.iter().find(|p| p[0] == coefficient).map(|p| p[1]);
        at(0.0).zip(at(1.0))
    }
}
