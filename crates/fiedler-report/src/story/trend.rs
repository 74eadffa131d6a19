//! A measure by the number of labels or by a parameter, as a report tells it.

use fiedler::Goal;
use fiedler::eval::{Evaluation, Trend, TrendLine};
use serde::{Deserialize, Serialize};

use super::swept::SweptLine;
use crate::text::plural;

/// A measure along one side of a grid, the mean over all numbers of features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trended {
    /// What is measured.
    pub measure: String,
    /// Which way is better.
    pub goal: Goal,
    /// The parameter; none for the number of labels a class.
    pub parameter: Option<String>,
    /// A line for everything else that varies.
    pub lines: Vec<SweptLine>,
    /// Random selection, which knows neither.
    pub random: Option<f64>,
}

pub(super) fn trends(evaluation: &Evaluation) -> Vec<Trended> {
    let variants =
        evaluation.tables.iter().flat_map(|table| &table.curves).filter_map(|c| c.variant.as_ref());
    let mut methods: Vec<&str> = variants.map(|variant| variant.of.as_str()).collect();
    methods.dedup();
    // There is little room for names: those of the only method that varies are its values alone.
    let only = if let [only] = methods[..] { format!("{only} ") } else { String::new() };
    evaluation.trends().iter().map(|trend| Trended::of(trend, &only)).collect()
}

impl Trended {
    fn of(trend: &Trend, only: &str) -> Self {
        let of_one = trend.lines.iter().all(|line| line.name == trend.lines[0].name);
        Trended {
            measure: trend.measure.to_owned(),
            goal: trend.goal,
            parameter: trend.parameter.clone(),
            lines: trend.lines.iter().map(|line| told(line, of_one, only)).collect(),
            random: trend.random.filter(|mean| mean.is_finite()),
        }
    }

    /// What it goes along, in words.
    pub(crate) fn along(&self) -> &str {
        self.parameter.as_deref().unwrap_or("labels a class")
    }

    /// The best place of a line, and what is measured there.
    pub(crate) fn best(&self, line: &SweptLine) -> Option<(f64, f64)> {
        line.best(self.goal)
    }
}

/// A line of one method alone is called by its number of labels.
fn told(line: &TrendLine, of_one: bool, only: &str) -> SweptLine {
    let own = line.name.strip_prefix(only).unwrap_or(&line.name);
    let name = match line.labeled {
        Some(each) if of_one => plural(each, "label"),
        Some(each) => format!("{}, {own}", plural(each, "label")),
        None => own.to_owned(),
    };
    let points = line.points.iter().map(|(at, point)| [*at, point.summary.mean, point.summary.sd]);
    SweptLine { name, points: points.filter(|point| point.iter().all(|v| v.is_finite())).collect() }
}
