//! What shares of columns are asked.

use super::worker::Remade;
use crate::dataset::{Dataset, Labels, Scaling, Target, Transform};
use crate::graph::{Graph, Metric};

/// What every share of the columns is asked. It travels as text (see the feature `serde`).
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Question {
    pub(crate) seen: Seen,
    pub(crate) what: What,
}

/// How the answers of the shares become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// Side by side, in the order of the columns.
    Append,
    /// Added up number by number, in an order that the shares alone decide: two neighbors, then two such sums, and so on.
    Add,
    /// Added up number by number in any order: what comes of the sums does not depend on their rounding.
    AddInAnyOrder,
    /// An answer is rows of so many numbers. All rows are added up, beginning with zeros, one after another in the order of
    /// the columns.
    AddRows(usize),
}

/// How the columns are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Seen {
    pub(crate) transform: Transform,
    pub(crate) scaling: Scaling,
    /// Whether dense columns are taken by their non-zeros.
    pub(crate) thin: bool,
}

/// What is asked of the columns as they are seen.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum What {
    /// [`ColumnStats`](crate::dataset::ColumnStats) of every column, before any scaling.
    Stats,
    /// How many values of every column are not 0, before any scaling.
    Counts,
    /// Products of all pairs in working precision.
    Tiles(TileJob),
    /// Exact sums of some pairs.
    Pairs(PairJob),
    /// XXᵀ about the means, all values multiplied by `scale`.
    Gram { scale: f64 },
    /// The scores of a method that judges features one by one.
    Scores(Box<ScoreJob>),
    /// ‖f_jᵀR‖ of every column for R = samples × `width`.
    ProductNorms { right: Vec<f64>, width: usize },
}

/// Products of all pairs of samples, in tiles whose order the samples decide.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct TileJob {
    pub(crate) metric: Metric,
    /// Whether in double precision; single otherwise.
    pub(crate) double: bool,
    /// Whether they may be of whole numbers; who has no product of these answers in single precision, with nothing lost.
    pub(crate) whole: bool,
    /// What all values are multiplied by.
    pub(crate) scale: f64,
    /// Σ x² of every sample over all columns; for the cosine metric alone.
    pub(crate) squares: Vec<f64>,
    /// The class of every sample.
    pub(crate) codes: Vec<u32>,
    /// The samples that search.
    pub(crate) searching: Vec<u32>,
}

/// Sums over the features of some pairs of samples.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PairJob {
    pub(crate) metric: Metric,
    /// What all values are multiplied by.
    pub(crate) scale: f64,
    /// Samples, each with the others of its pairs.
    pub(crate) pairs: Vec<(u32, Vec<u32>)>,
}

/// A method, prepared, and what it needs to be prepared again.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ScoreJob {
    pub(crate) remade: Remade,
    pub(crate) graph: Option<Graph>,
    pub(crate) labels: Option<Labels>,
    pub(crate) target: Option<Target>,
}

impl Question {
    /// How the answers of the shares become one.
    pub fn join(&self) -> Join {
        match &self.what {
            What::Stats | What::Counts | What::Scores(_) | What::ProductNorms { .. } => Join::Append,
            What::Tiles(_) => Join::AddInAnyOrder,
            What::Gram { .. } => Join::Add,
            What::Pairs(job) => Join::AddRows(job.pairs.iter().map(|pair| pair.1.len()).sum()),
        }
    }
}

impl Seen {
    /// How `data` are seen.
    pub(crate) fn of(data: &Dataset) -> Self {
        Seen { transform: data.transform(), scaling: data.scaling(), thin: data.is_thin() }
    }
}
