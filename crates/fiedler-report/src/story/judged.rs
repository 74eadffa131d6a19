//! How good and how sure a selection is, as a report tells it.

use fiedler::Goal;
use fiedler::eval::{CurveKind, Evaluation, Mark, Table};
use fiedler::portrait::Portrait;
use fiedler::stability::{Change, Report, order_over_all};
use serde::{Deserialize, Serialize};

use crate::text::{number, percent, plural};

/// Features of a stability that are told at least.
const SURE: usize = 100;

/// A measure of all candidates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What is measured.
    pub measure: String,
    /// How many labels of every class selection knows; none: all of them.
    #[serde(default)]
    pub labeled: Option<usize>,
    /// Which way is better.
    pub goal: Goal,
    /// Number of features of the data.
    pub n_features: usize,
    /// Number of partitions.
    pub n_partitions: usize,
    /// How many features are kept at each point.
    pub counts: Vec<usize>,
    /// The curves.
    pub curves: Vec<Line>,
    /// The short answer.
    pub verdict: Option<Answer>,
}

/// The short answer of a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The smallest count that comes within one standard error of the best.
    pub enough: Spot,
    /// The best.
    pub best: Spot,
    /// As many features at random.
    pub random: Spot,
    /// All features, where that compares.
    pub all: Option<Spot>,
}

/// A measure against the number of features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The candidate.
    pub name: String,
    /// What sets it apart from others of one method, where their parameters vary.
    #[serde(default)]
    pub values: Option<String>,
    /// `method`, `worst`, `random` or `all`.
    pub kind: String,
    /// The points.
    pub points: Vec<Spot>,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// The candidate.
    pub name: String,
    /// Number of features.
    pub count: usize,
    /// Mean over the partitions.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Whether it is the best at its count.
    pub best: bool,
    /// The test against the point that is enough, in the short answer.
    #[serde(default)]
    pub p_value: Option<f64>,
}

/// Features that are known to matter, and how early they rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// How many of them are ranked.
    pub ranked: usize,
    /// How many features are looked at, and how many of them are known.
    pub hits: Vec<(usize, usize)>,
}

/// How sure a selection is under one kind of change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sure {
    /// The change, in words.
    pub change: String,
    /// How many versions were ranked.
    pub repeats: usize,
    /// How many features every version selected.
    pub count: usize,
    /// Mean Kuncheva index.
    pub kuncheva: f64,
    /// What the frequency of a feature must exceed for it to be safe.
    pub threshold: f64,
    /// The features that are told, those most often chosen over all changes first.
    pub order: Vec<usize>,
    /// In how many versions each of these was chosen.
    pub times: Vec<usize>,
    /// The lower bound of the share of all versions that choose it, with 95 % confidence.
    pub lower: Vec<f64>,
    /// The upper bound of that share.
    pub upper: Vec<f64>,
}

pub(super) fn measured(evaluation: &Evaluation) -> Vec<Measured> {
    evaluation.tables.iter().map(|table| Measured::of(evaluation, table)).collect()
}

impl Measured {
    fn of(evaluation: &Evaluation, table: &Table) -> Self {
        let line = |curve: &fiedler::eval::Curve| Line {
            name: curve.name.clone(),
            values: curve.variant.as_ref().map(|v| curve.name.replacen(&format!("{} ", v.of), "", 1)),
            kind: curve.kind.name().to_owned(),
            points: curve
                .points
                .iter()
                .filter(|p| p.summary.mean.is_finite() && p.summary.sd.is_finite())
                .map(|p| Spot {
                    name: curve.name.clone(),
                    count: p.count,
                    mean: p.summary.mean,
                    sd: p.summary.sd,
                    best: p.best,
                    p_value: None,
                })
                .collect(),
        };
        let spot = |p: &Mark| Spot {
            name: p.name.clone(),
            count: p.count,
            mean: p.mean,
            sd: p.sd,
            best: false,
            p_value: p.p_value,
        };
        Measured {
            measure: table.measure.to_string(),
            labeled: table.labeled,
            goal: table.goal,
            n_features: evaluation.n_features,
            n_partitions: evaluation.n_partitions,
            counts: evaluation.protocol.counts.clone(),
            curves: table.curves.iter().map(line).collect(),
            verdict: evaluation.verdict(table).map(|v| {
                let all = v.all.as_ref().map(spot);
                Answer { enough: spot(&v.enough), best: spot(&v.best), random: spot(&v.random), all }
            }),
        }
    }

    /// What is measured, and with how many labels: `1NN accuracy with 2 labels a class`.
    pub(crate) fn title(&self) -> String {
        let labels =
            self.labeled.map_or(String::new(), |each| format!(" with {} a class", plural(each, "label")));
        format!("{}{labels}", self.measure)
    }

    /// The curve of that kind, if there is one.
    pub(crate) fn of_kind(&self, kind: CurveKind) -> Option<&Line> {
        self.curves.iter().find(|c| c.kind == kind.name())
    }
}

impl Sure {
    /// The features that are told: those chosen most often over all changes, and those that are listed.
    pub(super) fn told(reports: &[Report], portrait: &Portrait) -> Vec<usize> {
        let mut order: Vec<usize> = order_over_all(reports).into_iter().take(SURE).collect();
        let mut known = order.clone();
        known.sort_unstable();
        let listed = portrait.features.iter().map(|f| f.index);
        order.extend(listed.filter(|j| known.binary_search(j).is_err()));
        order
    }

    pub(super) fn of(report: &Report, told: &[usize]) -> Self {
        Sure {
            change: match report.change {
                Change::Subsample { fraction } => format!("{} of the samples", percent(fraction)),
                Change::Noise { level } => format!("noise of {}σ", number(level)),
            },
            repeats: report.repeats,
            count: report.count,
            kuncheva: if report.kuncheva.is_finite() { report.kuncheva } else { 0.0 },
            threshold: report.threshold,
            times: told.iter().map(|&j| report.times[j]).collect(),
            lower: told.iter().map(|&j| report.lower_bound(j)).collect(),
            upper: told.iter().map(|&j| report.upper_bound(j)).collect(),
            order: told.to_vec(),
        }
    }

    /// The share of the versions that chose the feature at place `at` of the order.
    pub(crate) fn frequency(&self, at: usize) -> f64 {
        self.times[at] as f64 / self.repeats.max(1) as f64
    }
}
