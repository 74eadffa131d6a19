//! The choice of λ by cut values (SSL, Algorithm 3).
//!
//! For every λ of a grid: rank, keep the best features, build the graph on them alone, and take
//! the second smallest eigenvalue of its N, or the value of the best cut along its eigenvector ([`cuts`](super::cuts)). It is small
//! where the samples fall into two groups with little between them, as seen by the selected features.
//!
//! A graph in pieces has the value 0. Where the pieces may be the classes (no more of them than
//! classes, each with a labeled sample) nothing separates better, and it wins. Otherwise samples
//! or splinters have come loose, for no merit of the features, and the value does not count.

use super::agreement::KnownLabels;
use super::cuts::{self, Cut};
use super::{SSelect, Terms};
use crate::Result;
use crate::dataset::Dataset;
use crate::detail::{Cells, Detail};
use crate::graph::{Bandwidth, GraphRecipe, Knn};
use crate::monitor::Monitor;
use crate::ranking::{Goal, Ranking};
use crate::selector::Method;
use crate::spectrum::{Spectrum, are_equal};

/// What a λ is judged by.
pub(super) struct Judge<'a> {
    pub(super) data: &'a Dataset,
    pub(super) recipe: &'a GraphRecipe,
    pub(super) labels: &'a KnownLabels,
    /// How many features are kept.
    pub(super) keep: usize,
    /// Which value is smallest.
    pub(super) cut: Cut,
}

impl Judge<'_> {
    /// The λ with the smallest cut value that counts, the first of equals, and the table; the first
    /// λ of the grid where none counts.
    pub(super) fn choose(
        &self,
        terms: &Terms,
        grid: &[f64],
        monitor: &dyn Monitor,
    ) -> Result<(f64, Vec<CutValue>)> {
        let mut table: Vec<CutValue> = Vec::with_capacity(grid.len());
        for &lambda in grid {
            let ranking = Ranking::new(SSelect::INFO.name, Goal::Minimize, terms.scores(lambda));
            let features = ranking.top(self.keep.min(ranking.n_scored())).to_vec();
            // Neighboring λ often select the same features.
            let known = table.iter().find(|line| same_set(&line.features, &features)).cloned();
            let line = match known {
                Some(line) => line,
                None => self.cut_value(&features, monitor)?,
            };
            table.push(CutValue { lambda, features, ..line });
        }
        let mut best = 0;
        for (line, value) in table.iter().enumerate() {
            if value.counts && (!table[best].counts || value.cut < table[best].cut) {
                best = line;
            }
        }
        table[best].chosen = true;
        Ok((grid[best], table))
    }

    /// The line of a set of features, but for its λ.
    fn cut_value(&self, features: &[usize], monitor: &dyn Monitor) -> Result<CutValue> {
        let line = |cut: f64, components: usize, counts: bool| CutValue {
            lambda: 0.0,
            features: Vec::new(),
            cut,
            components,
            counts,
            chosen: false,
        };
        if features.is_empty() {
            return Ok(line(0.0, self.data.n_samples(), false));
        }
        // Distances among few features are smaller: a width given for all of them does not suit.
        let knn = match self.recipe {
            GraphRecipe::Knn(knn) => Knn { bandwidth: Bandwidth::Auto, ..knn.clone() },
            _ => Knn::default(),
        };
        let graph = knn.build(&self.data.subset(features)?, monitor)?;
        Ok(match graph.diagnostics().components {
            1 => line(cuts::value(&graph, &Spectrum::leading(&graph, 2, monitor)?, self.cut), 1, true),
            components => line(0.0, components, self.labels.may_be(&graph.components())),
        })
    }
}

/// A line of the table from which λ is chosen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CutValue {
    /// The weight of the first term.
    lambda: f64,
    /// The features it would select, best first.
    features: Vec<usize>,
    /// The value of the cut on the graph of those features alone; 0 where the graph falls apart.
    cut: f64,
    /// Components of that graph.
    components: usize,
    /// Whether the cut value counts: the graph is connected, or falls into no more components than
    /// there are classes, each with a labeled sample. Any other graph in pieces says nothing
    /// about how good the features are.
    counts: bool,
    /// Whether this λ was taken.
    chosen: bool,
}

/// The table as readers get it.
pub(super) fn choice_of_lambda(table: Vec<CutValue>) -> Detail {
    let sentence = "a smaller cut is better; where a graph falls into pieces, its cut counts only if the pieces may be \
                    the classes";
    let cut = |line: &CutValue| line.counts.then_some(line.cut);
    Detail::new("cut_values", "Choice of λ", sentence)
        .numbers("lambda", "λ", table.iter().map(|v| v.lambda))
        .column("cut", "cut", Cells::Numbers(table.iter().map(cut).collect()))
        .column("components", "components", Cells::Counts(table.iter().map(|v| v.components).collect()))
        .column(
            "features",
            "features",
            Cells::FeatureLists(table.iter().map(|v| v.features.clone()).collect()),
        )
        .column("chosen", "", Cells::Marks(table.iter().map(|v| v.chosen).collect()))
}

/// What the table leaves open.
pub(super) fn warning(table: &[CutValue], lambda: f64) -> Option<String> {
    let (apart, total) = (table.iter().filter(|line| !line.counts).count(), table.len());
    let equal = |line: &CutValue| are_equal(line.cut, table[0].cut);
    let in_pieces = table.iter().any(|line| line.components > 1);
    let same = |line: &CutValue| same_set(&line.features, &table[0].features);
    match apart {
        _ if total > 1 && table.iter().all(same) => Some(format!(
            "no λ could be preferred, and none need be: all {total} of them select the same features; {lambda}, the first of \
             the grid, is used"
        )),
        _ if apart == total => Some(format!(
            "no λ could be preferred: the graph on the selected features falls apart for every one of them, and \
             not into the classes (cut value 0); {lambda}, the first of the grid, is used; a larger k or `keep` \
             helps"
        )),
        0 if total > 1 && table.iter().all(equal) => Some(format!(
            "no λ could be preferred: the cut value is the same for all {total} of them{}; {lambda}, the first of the grid, \
             is used{}",
            if in_pieces { ", for the graph on the selected features falls into the classes" } else { "" },
            if in_pieces { "; a larger k or `keep` tells more" } else { "" }
        )),
        0 => None,
        _ => Some(format!(
            "{apart} of {total} values of λ select features whose graph falls apart, and not into the classes \
             (cut value 0); λ was chosen among the others"
        )),
    }
}

fn same_set(a: &[usize], b: &[usize]) -> bool {
    let sorted = |list: &[usize]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    sorted(a) == sorted(b)
}
