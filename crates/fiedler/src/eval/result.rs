//! The answer as plain data: tables of curves of points, each with its values, spread and p-value.

use super::candidate::{MadeBy, Variant};
use super::chance::Chance;
use super::difference::Difference;
use super::judge::Judge;
use super::protocol::Protocol;
use super::split::Split;
use super::student::mean_and_sd;
use super::sweep::Sweep;
use super::untold::Untold;
use crate::dataset::{Dataset, Scaling, Transform};
use crate::ranking::Goal;

/// What an evaluation found.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The question.
    pub protocol: Protocol,
    /// Number of samples.
    pub n_samples: usize,
    /// Number of features.
    pub n_features: usize,
    /// Number of partitions: values of every point.
    pub n_partitions: usize,
    /// Test samples by training samples, which the t-tests account for; 0 where nothing is parted.
    pub overlap: f64,
    /// How the features are scaled for those who judge.
    pub scaling: Scaling,
    /// What is done to every value for them.
    pub transform: Transform,
    /// One table a measure; for every number of labels, where those are few.
    pub tables: Vec<Table>,
    /// Which candidates are one fusion with different coefficients, where the caller made some.
    pub sweep: Option<Sweep>,
    /// What the user should know before trusting it.
    pub warnings: Vec<String>,
}

/// One measure of all candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What is measured.
    pub measure: &'static str,
    /// How many labels of every class selection knows; `None`: all of them.
    pub labeled: Option<usize>,
    /// Which way is better.
    pub goal: Goal,
    /// The candidates in the order asked, then random selection, then all features.
    pub curves: Vec<Curve>,
    /// The rules by which its curves are compared.
    pub judge: Judge,
    /// The smallest difference that these partitions tell apart in half of the comparisons (with random selection and with the best,
    /// at every count, by t-test). `None` where they tell nothing of the spread, or less than any difference could be.
    pub tells_apart: Option<f64>,
}

/// A measure against the number of features.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The candidate.
    pub name: String,
    /// What it is.
    pub kind: CurveKind,
    /// Who made its rankings.
    pub made_by: MadeBy,
    /// What sets it apart where a method is judged with several values of its parameters.
    pub variant: Option<Variant>,
    /// Whether labels or the target of the samples that select took part in its rankings.
    pub sees_labels: bool,
    /// Whether it is one ranking, the same in every partition.
    pub is_one_ranking: bool,
    /// What random selection comes to where it was not drawn but is known, and so is what one random ranking may come to.
    pub chance: Option<Chance>,
    /// One point a count.
    pub points: Vec<Point>,
    /// Where its rankings do not tell features apart: then nothing is judged, and its points have no values.
    pub untold: Option<Untold>,
    /// The mean over all counts ("aggregated accuracy" of the dissertation), of every partition.
    pub aggregated: Point,
    /// The features selected in every partition, best first, as many as the largest count (random
    /// selection and all features: none).
    pub selected: Vec<Vec<usize>>,
}

/// What a curve is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveKind {
    /// A method, or a ranking made elsewhere.
    Candidate,
    /// The last features of the candidate before it.
    Worst,
    /// Random rankings.
    Random,
    /// All features: a single point.
    All,
}

impl CurveKind {
    /// The name in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            CurveKind::Candidate => "method",
            CurveKind::Worst => "worst",
            CurveKind::Random => "random",
            CurveKind::All => "all",
        }
    }

    /// Whether it can be the best: the last features and all features are there to compare with. Where less
    /// is better, so is chance: features of noise have nothing in common, which is no merit.
    pub(super) fn competes(self, goal: Goal) -> bool {
        self == CurveKind::Candidate || (self == CurveKind::Random && goal == Goal::Maximize)
    }
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Number of features; for the mean over all counts, the largest.
    pub count: usize,
    /// Its values.
    pub summary: Summary,
    /// This less the best at this count; `None` for the best itself, and for all features, which are at no count.
    pub than_best: Option<Difference>,
    /// This less random selection of as many; `None` for random selection itself, and for all features.
    pub than_random: Option<Difference>,
    /// Whether it is the best at this count.
    pub best: bool,
    /// Whether it is the best or not significantly worse. Never so for all features, which are at no count.
    pub level: bool,
}

impl Point {
    /// The paired t-test against the best at this count; `None` for the best itself, and where there is one partition only.
    pub fn p_value(&self) -> Option<f64> {
        self.than_best.and_then(|d| d.p_value)
    }
}

/// Values and what they come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Their mean; not a number where there are none ([`Curve::untold`]).
    pub mean: f64,
    /// Their standard deviation; for random selection over all draws, and for its hits that of a single draw, which is known
    /// without any.
    pub sd: f64,
    /// The smallest; for random selection of all draws, for its hits of all that are possible.
    pub low: f64,
    /// The largest, likewise.
    pub high: f64,
    /// One value a partition; for random selection the mean of its draws, for its hits what they come to on average.
    pub values: Vec<f64>,
}

impl Table {
    /// The curve of that kind, if there is one.
    pub fn of_kind(&self, kind: CurveKind) -> Option<&Curve> {
        self.curves.iter().find(|c| c.kind == kind)
    }

    /// How many values a point has: one a partition.
    pub fn n_values(&self) -> usize {
        self.curves
            .iter()
            .flat_map(|curve| &curve.points)
            .map(|point| point.summary.values.len())
            .max()
            .unwrap_or(0)
    }

    /// Whether `a` is better than `b`.
    pub fn better(&self, a: f64, b: f64) -> bool {
        match self.goal {
            Goal::Maximize => a > b,
            Goal::Minimize => a < b,
        }
    }
}

/// The values of a curve before anything is made of them: measure, count, partition, draw.
#[derive(Clone)]
pub(super) struct Raw {
    name: String,
    kind: CurveKind,
    pub(super) made_by: MadeBy,
    pub(super) variant: Option<Variant>,
    pub(super) sees_labels: bool,
    pub(super) is_one_ranking: bool,
    counts: Vec<usize>,
    values: Vec<Vec<Vec<Vec<f64>>>>,
    pub(super) selected: Vec<Vec<usize>>,
    pub(super) warnings: Vec<Vec<String>>,
    pub(super) untold: Option<Untold>,
    /// What is known of random selection, and of which measure.
    pub(super) chance: Option<(Chance, usize)>,
}

impl Raw {
    /// `found` are the values of every measure at every count, partition after partition and draw after draw.
    pub(super) fn new<'f>(
        name: &str,
        kind: CurveKind,
        counts: &[usize],
        partitions: usize,
        found: impl Iterator<Item = &'f Vec<Vec<f64>>>,
    ) -> Self {
        let found: Vec<&Vec<Vec<f64>>> = found.collect();
        let measures = found.first().map_or(0, |f| f.len());
        let draws = (found.len() / partitions).max(1);
        let draws_of = |measure: usize, c: usize| -> Vec<Vec<f64>> {
            found.chunks(draws).map(|same| same.iter().map(|f| f[measure][c]).collect()).collect()
        };
        let values =
            (0..measures).map(|measure| (0..counts.len()).map(|c| draws_of(measure, c)).collect()).collect();
        let name = name.to_owned();
        let (selected, warnings, counts) = (Vec::new(), Vec::new(), counts.to_vec());
        let (made_by, variant, untold, chance) = (MadeBy::Nobody, None, None, None);
        let (sees_labels, is_one_ranking) = (false, false);
        Raw {
            name,
            kind,
            made_by,
            variant,
            sees_labels,
            is_one_ranking,
            counts,
            values,
            selected,
            warnings,
            untold,
            chance,
        }
    }

    fn curve(&self, measure: usize) -> Curve {
        let at = &self.values[measure];
        let points = self.counts.iter().zip(at).map(|(&count, values)| Point::new(count, values)).collect();
        let mean = |p: usize, d: usize| at.iter().map(|v| v[p][d]).sum::<f64>() / at.len() as f64;
        let means: Vec<Vec<f64>> = at[0]
            .iter()
            .enumerate()
            .map(|(p, draws)| (0..draws.len()).map(|d| mean(p, d)).collect())
            .collect();
        let mut curve = Curve {
            name: self.name.clone(),
            kind: self.kind,
            made_by: self.made_by,
            variant: self.variant.clone(),
            sees_labels: self.sees_labels,
            is_one_ranking: self.is_one_ranking,
            chance: None,
            points,
            untold: self.untold,
            aggregated: Point::new(self.counts.last().copied().unwrap_or(0), &means),
            selected: self.selected.clone(),
        };
        if let Some((chance, _)) = self.chance.filter(|(_, at)| *at == measure) {
            let partitions = at[0].len();
            curve.chance = Some(chance);
            curve.points = self.counts.iter().map(|&count| chance.at(count, partitions)).collect();
            curve.aggregated = chance.over(&self.counts, partitions);
        }
        if self.untold.is_some() {
            curve.points = self.counts.iter().map(|&count| Point::without_values(count)).collect();
            curve.aggregated = Point::without_values(curve.aggregated.count);
        }
        curve
    }

    /// The first warning, and how many partitions had one; `labels` tells with how many of them.
    fn warning(&self, labels: &str) -> Option<String> {
        let met = self.warnings.iter().filter(|w| !w.is_empty()).count();
        let first = self.warnings.iter().flatten().next()?;
        Some(format!("{}{labels}, in {met} of {} partitions: {first}", self.name, self.warnings.len()))
    }
}

impl Point {
    /// `values` by partition and draw.
    fn new(count: usize, values: &[Vec<f64>]) -> Self {
        let means: Vec<f64> = values.iter().map(|draws| mean_and_sd(draws).0).collect();
        let all: Vec<f64> = values.iter().flatten().copied().collect();
        let summary = Summary {
            mean: mean_and_sd(&means).0,
            sd: mean_and_sd(&all).1,
            low: all.iter().copied().fold(f64::INFINITY, f64::min),
            high: all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            values: means,
        };
        Point::of(count, summary)
    }

    /// Where there is no ranking to judge.
    fn without_values(count: usize) -> Self {
        let none = f64::NAN;
        Point::of(count, Summary { mean: none, sd: none, low: none, high: none, values: Vec::new() })
    }

    /// Whether it has values.
    pub fn is_judged(&self) -> bool {
        !self.summary.mean.is_nan()
    }

    /// Before it is compared with others.
    pub(super) fn of(count: usize, summary: Summary) -> Self {
        Point { count, summary, than_best: None, than_random: None, best: false, level: false }
    }
}

impl Evaluation {
    /// `found` are the curves of every number of labels, before anything is made of them.
    pub(super) fn new(
        protocol: &Protocol,
        data: &Dataset,
        splits: &[Split],
        found: &[(Option<usize>, Vec<Raw>)],
    ) -> Self {
        let overlap = protocol.overlap(splits);
        let tables = found.iter().flat_map(|(labeled, raws)| {
            protocol.measures().into_iter().enumerate().map(move |(measure, (name, goal))| {
                let judge = protocol.judge((measure, goal), splits, data.n_features());
                let curves = raws.iter().map(|raw| raw.curve(measure)).collect();
                let table =
                    Table { measure: name, labeled: *labeled, goal, curves, judge, tells_apart: None };
                table.compared(&protocol.counts)
            })
        });
        Evaluation {
            protocol: protocol.clone(),
            n_samples: data.n_samples(),
            n_features: data.n_features(),
            n_partitions: splits.len(),
            overlap,
            scaling: data.scaling().seen(Scaling::Standard, data.transform()),
            transform: data.transform(),
            tables: tables.collect(),
            sweep: None,
            warnings: warnings(found),
        }
    }
}

impl Evaluation {
    /// Whether the curve of that name is of this method.
    pub(crate) fn is_by(&self, name: &str, method: &str) -> bool {
        let mut curves = self.tables.iter().flat_map(|table| &table.curves);
        let variant = curves.find(|curve| curve.name == name).and_then(|curve| curve.variant.as_ref());
        variant.map_or(name, |variant| &variant.of) == method
    }
}

/// What was warned of; a candidate that says the same for every number of labels says it once.
fn warnings(found: &[(Option<usize>, Vec<Raw>)]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (labeled, raws) in found {
        for raw in raws {
            // That there is no ranking is told by itself (`Evaluation::untold`), with what helps.
            let Some(warning) = raw.warning("").filter(|_| raw.untold.is_none()) else { continue };
            let says = |raws: &[Raw]| raws.iter().any(|raw| raw.warning("").as_ref() == Some(&warning));
            let everywhere = found.iter().all(|(_, raws)| says(raws));
            let labels = labeled.filter(|_| !everywhere).map(|each| format!(" with {each} labeled a class"));
            let told = labels.and_then(|labels| raw.warning(&labels)).unwrap_or(warning);
            if !all.contains(&told) {
                all.push(told);
            }
        }
    }
    all
}
