//! All neighbors or most of them: the one place that decides, and that tells how many were found.
//!
//! The exact search takes n² distances. The [approximate](super::descent) one takes some hundred a sample
//! where the data have few dimensions of their own, whatever the number of features, and more
//! with every dimension. The dimension is estimated from the distances
//! T_1 ≤ … ≤ T_k to the neighbors of some samples, which are searched for exactly (Levina and Bickel, with
//! the mean taken as MacKay and Ghahramani do):
//!
//! 1/d = mean of ln(T_k/T_j) over j < k and these samples.
//!
//! Runs of both on one core with 50 features and up to 100,000 samples (docs/scale.md) cost the same in about twenty dimensions as they are
//! estimated. Left to itself the search is approximate from n = 13,000·e^(0.1 d) samples on, a rule of thumb that is on the safe side of
//! these runs: 35,000 samples in 10 dimensions, 96,000 in 20. Never in more than thirty, where the recall cannot be had, and
//! never below 50,000 samples, where all neighbors take a few seconds.
//!
//! The same samples then tell the *recall*, the share of their true neighbors that was found. The
//! search goes on until it is what was asked for. Where it cannot be had, all neighbors are searched for
//! if that is a matter of minutes; else the graph is made of those found and a warning says so.
//!
//! None of this depends on the machine: neither on its memory nor on its threads.
//!
//! Reference: Levina, Bickel: Maximum Likelihood Estimation of Intrinsic Dimension, NIPS 2004.

use std::ops::Range;

use super::descent::{Goal, TOO_MANY, descend};
use super::{NeighborLists, Query, nearest, nearest_by_class};
use crate::dataset::Dataset;
use crate::graph::Metric;
use crate::graph::knn::USUAL_RECALL;
use crate::graph::metric::Adds;
use crate::limits::grouped;
use crate::monitor::Monitor;
use crate::parameters::words;
use crate::random::{below, generator};
use crate::{Error, Result};

/// Below so many samples the exact search is as fast, whatever is asked for.
const EXACT_BELOW: usize = 4096;
/// The search is left to itself from so many samples on.
const AUTOMATIC_FROM: usize = 50_000;
/// Where both cost the same: so many samples, times e to the power of the next for every dimension.
const CROSSING: f64 = 13_000.0;
const PER_DIMENSION: f64 = 0.1;
/// In more dimensions most neighbors are not found, whatever it costs.
const MOST_DIMENSIONS: f64 = 30.0;
/// Numbers that the search copies by its own choice, at most: 1 GB of them.
const MOST_COPIED: usize = 250_000_000;
/// n²m of an exact search that is a matter of minutes.
const AFFORDABLE: f64 = 1e13;
/// Samples on which dimension and recall are measured.
const CHECKED: usize = 500;
/// Of the draw of these samples.
const SEED: u64 = 500;
/// What the last places of a distance may add to a recall that was just reached.
const MARGIN: f64 = 0.002;

/// Whether to search for most of the neighbors in place of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Approximate {
    /// Where it pays: from 50,000 samples on, if the data have few dimensions of their own.
    #[default]
    Auto,
    /// From 4,096 dense samples on.
    Always,
    /// All neighbors, whatever it costs.
    Never,
}

words!(Approximate, "approximate", Auto = "auto", Always = "true", Never = "false");

impl From<bool> for Approximate {
    fn from(approximate: bool) -> Self {
        if approximate { Approximate::Always } else { Approximate::Never }
    }
}

/// How neighbors are searched for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) approximate: Approximate,
    /// The share of true neighbors that is to be found.
    pub(crate) recall: f64,
}

impl Effort {
    /// # Errors
    /// The recall is no share.
    pub(crate) fn check(self) -> Result<()> {
        if self.recall > 0.0 && self.recall <= 1.0 {
            return Ok(());
        }
        Err(Error::parameter("recall", "a share above 0 and at most 1", self.recall))
    }
}

/// Neighbors, and how many of the true ones are among them.
pub(crate) struct Found {
    pub(crate) lists: NeighborLists,
    /// The share of true neighbors found, measured on some samples; `None` where the search was
    /// exact.
    pub(crate) recall: Option<f64>,
    /// What was decided, where that was not said.
    pub(crate) note: Option<String>,
    /// That fewer were found than asked for.
    pub(crate) warning: Option<String>,
}

/// For every sample the `k` nearest others, nearest first, or most of them.
///
/// # Errors
/// As [`nearest`].
pub(crate) fn search(
    data: &Dataset,
    metric: Metric,
    k: usize,
    effort: Effort,
    monitor: &dyn Monitor,
) -> Result<Found> {
    effort.check()?;
    let exactly = || {
        let lists = nearest(data, metric, k, monitor)?;
        Ok(Found { lists, recall: None, note: why_exact(data, effort), warning: None })
    };
    if !is_possible(data, effort) {
        return exactly();
    }
    let truth = Truth::of(data, metric, k, monitor)?;
    let dimension = truth.dimension(metric);
    let by_itself = effort.approximate == Approximate::Auto;
    if by_itself && !pays(data.n_samples(), dimension) {
        return exactly();
    }
    let goal = Goal { truth: &truth, recall: (effort.recall + MARGIN).min(1.0) };
    let lists = descend(data, metric, k, &goal, monitor)?;
    let recall = truth.recall(&lists);
    if by_itself && recall < effort.recall && is_affordable(data) {
        return Ok(Found { note: Some(given_up(recall, effort.recall)), ..exactly()? });
    }
    let note = by_itself.then(|| chosen(data.n_samples(), dimension, recall));
    Ok(Found { lists, recall: Some(recall), note, warning: poor(recall, effort.recall) })
}

/// Whether an approximate search is to be thought of.
fn is_possible(data: &Dataset, effort: Effort) -> bool {
    let (n, m) = (data.n_samples(), data.n_features());
    (EXACT_BELOW..TOO_MANY).contains(&n)
        && !data.is_sparse()
        && match effort.approximate {
            Approximate::Never => false,
            Approximate::Always => true,
            // What lies elsewhere is not fetched to be copied.
            Approximate::Auto => {
                n >= AUTOMATIC_FROM
                    && effort.recall < 1.0
                    && n.saturating_mul(m) <= MOST_COPIED
                    && data.far().is_none()
            }
        }
}

/// Why all neighbors were searched for, where something else was asked for: an approximate search, or a recall of one.
fn why_exact(data: &Dataset, effort: Effort) -> Option<String> {
    let asked = effort.approximate == Approximate::Always;
    let bounded = effort.recall < 1.0 && effort.recall != USUAL_RECALL;
    if !asked && !bounded {
        return None;
    }
    let n = data.n_samples();
    let why = match effort.approximate {
        Approximate::Never => "as was asked for, whatever the recall".to_owned(),
        _ if n < EXACT_BELOW => {
            format!("an approximate search pays from {} samples on, and these are {n}", grouped(EXACT_BELOW))
        }
        _ if data.is_sparse() => "sparse data are searched exactly".to_owned(),
        Approximate::Auto if n < AUTOMATIC_FROM => format!(
            "unless it is asked for, an approximate search is made from {} samples on, and these are {}",
            grouped(AUTOMATIC_FROM),
            grouped(n)
        ),
        _ => "an approximate search would not pay for these data".to_owned(),
    };
    Some(format!("all neighbors were found, by an exact search: {why}"))
}

/// Whether most neighbors of so many samples in so many dimensions are found faster than all.
fn pays(n: usize, dimension: f64) -> bool {
    dimension <= MOST_DIMENSIONS && n as f64 >= CROSSING * (PER_DIMENSION * dimension).exp()
}

/// Whether all pairs can be compared in minutes.
fn is_affordable(data: &Dataset) -> bool {
    (data.n_samples() as f64).powi(2) * data.n_features() as f64 <= AFFORDABLE
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn chosen(n: usize, dimension: f64, recall: f64) -> String {
    format!(
        "neighbors of {} samples were searched for approximately, as the data have about {dimension:.0} dimensions of \
         their own: {} of the true ones were found",
        grouped(n),
        percent(recall)
    )
}

fn given_up(recall: f64, asked: f64) -> String {
    format!(
        "the approximate search found {} of the true neighbors where {} were asked for, so that all were \
         searched for",
        percent(recall),
        percent(asked)
    )
}

/// A warning where fewer were found than asked for.
fn poor(recall: f64, asked: f64) -> Option<String> {
    (recall < asked).then(|| {
        format!(
            "the approximate search found {} of the true neighbors where {} were asked for: the data have too many \
             dimensions for it; search exactly, ask for a smaller recall, or use fewer features for the graph",
            percent(recall),
            percent(asked)
        )
    })
}

/// The true neighbors of some samples: one at random of every stretch of the data, for samples at even steps may all be of one kind.
pub(super) struct Truth {
    pub(super) samples: Vec<u32>,
    pub(super) lists: NeighborLists,
}

impl Truth {
    pub(super) fn of(data: &Dataset, metric: Metric, k: usize, monitor: &dyn Monitor) -> Result<Self> {
        let n = data.n_samples();
        let checked = n.min(CHECKED);
        let mut rng = generator(SEED, &[]);
        let stretch = |s: usize| s * n / checked..(s + 1) * n / checked;
        let one_of = |range: Range<usize>| (range.start + below(&mut rng, range.len())) as u32;
        let samples: Vec<u32> = (0..checked).map(stretch).map(one_of).collect();
        let query = Query { k, codes: &vec![0; n], n_classes: 1, searching: &samples };
        let lists = nearest_by_class(data, metric, &query, monitor)?;
        Ok(Truth { samples, lists })
    }

    /// The share of these neighbors that `lists` has. Whoever is as near as the last true one counts as
    /// true.
    pub(super) fn recall(&self, lists: &NeighborLists) -> f64 {
        let k = self.lists.k();
        let hits = |&i: &u32| {
            let last = self.lists.of(i as usize, 0).last().map_or(0.0, |nb| nb.distance);
            lists.of(i as usize, 0).iter().take(k).filter(|nb| nb.distance <= last).count()
        };
        let found: usize = self.samples.iter().map(hits).sum();
        found as f64 / (self.samples.len() * k) as f64
    }

    /// How many dimensions the data have near these samples; 0 where their neighbors do not differ in
    /// distance.
    fn dimension(&self, metric: Metric) -> f64 {
        // Sums of squares grow by twice the logarithm.
        let power = if metric.info().adds == Adds::Squares { 0.5 } else { 1.0 };
        let (mut sum, mut count) = (0.0, 0usize);
        for &i in &self.samples {
            let Some((last, others)) = self.lists.of(i as usize, 0).split_last() else { continue };
            for nb in others.iter().filter(|nb| nb.distance > 0.0) {
                sum += power * (last.distance / nb.distance).ln();
                count += 1;
            }
        }
        if sum > 0.0 { count as f64 / sum } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Silent;
    use crate::dataset::Scaling;

    /// Uniform points of a cube of so many dimensions, turned into twelve features.
    fn cube(n: usize, dimension: usize) -> Dataset {
        let mut state = 7u64;
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let turn: Vec<f64> = (0..12 * dimension).map(|_| uniform() - 0.5).collect();
        let rows: Vec<Vec<f64>> = (0..n)
            .map(|_| {
                let inner: Vec<f64> = (0..dimension).map(|_| uniform()).collect();
                let feature = |j: usize| (0..dimension).map(|d| inner[d] * turn[d * 12 + j]).sum::<f64>();
                (0..12).map(feature).collect()
            })
            .collect();
        Dataset::from_rows(&rows).unwrap().scaled(Scaling::None)
    }

    #[test]
    fn the_dimension_is_that_of_the_data_not_of_the_features() {
        for (dimension, low, high) in [(1, 0.8, 1.3), (2, 1.7, 2.5), (5, 3.9, 6.0)] {
            let data = cube(3000, dimension);
            for &metric in &[Metric::Euclidean, Metric::Manhattan] {
                let found = Truth::of(&data, metric, 8, &Silent).unwrap().dimension(metric);
                assert!((low..high).contains(&found), "{dimension}, {metric:?}: {found}");
            }
        }
        let same = Dataset::from_rows(&vec![vec![1.0, 2.0]; 600]).unwrap().scaled(Scaling::None);
        assert_eq!(
            Truth::of(&same, Metric::Euclidean, 4, &Silent).unwrap().dimension(Metric::Euclidean),
            0.0
        );
    }

    #[test]
    fn it_pays_for_many_samples_in_few_dimensions() {
        assert!(pays(50_000, 10.0) && pays(100_000, 20.0) && pays(1_000_000, 25.0));
        assert!(!pays(50_000, 16.0) && !pays(100_000, 22.0) && !pays(1_000_000, 35.0));
    }

    #[test]
    fn the_recall_asked_for_is_found_or_told() {
        let data = cube(5000, 6);
        let ask = |approximate: Approximate, recall: f64| {
            search(&data, Metric::Euclidean, 6, Effort { approximate, recall }, &Silent).unwrap()
        };
        let (low, high) = (ask(Approximate::Always, 0.5), ask(Approximate::Always, 0.999));
        let (some, most) = (low.recall.unwrap(), high.recall.unwrap());
        assert!(some >= 0.5 && low.warning.is_none() && most >= some, "{some}, {most}");
        assert_eq!(high.warning.is_some(), most < 0.999);
        // So few samples are not worth an approximate search, unless it is asked for.
        assert!(
            ask(Approximate::Auto, 0.5).recall.is_none() && ask(Approximate::Never, 0.5).recall.is_none()
        );
        // What was asked for and not done is told, and nothing else.
        let notes =
            [(Approximate::Auto, 0.5), (Approximate::Never, 0.5)].map(|(a, r)| ask(a, r).note.unwrap());
        assert!(notes[0].contains("from 50,000 samples on, and these are 5,000"), "{}", notes[0]);
        assert!(notes[1].contains("as was asked for"), "{}", notes[1]);
        assert!(ask(Approximate::Never, USUAL_RECALL).note.is_none());
        for recall in [0.0, -1.0, 1.5, f64::NAN] {
            assert!(Effort { approximate: Approximate::Auto, recall }.check().is_err(), "{recall}");
        }
        assert!(poor(0.9, 0.95).unwrap().contains("90.0 %") && poor(0.95, 0.95).is_none());
    }

    #[test]
    fn a_bad_answer_has_a_bad_recall() {
        let data = cube(600, 3);
        let mut lists = nearest(&data, Metric::Euclidean, 4, &Silent).unwrap();
        let truth = Truth::of(&data, Metric::Euclidean, 4, &Silent).unwrap();
        assert_eq!(truth.recall(&lists), 1.0);
        lists.neighbors.iter_mut().step_by(4).for_each(|nb| nb.distance = f64::INFINITY);
        assert_eq!(truth.recall(&lists), 0.75);
    }
}
