//! Exact nearest neighbors, and the distances of all pairs.
//!
//! "Exact" means: the k nearest by distances summed feature by feature in double precision, and whoever
//! [ties](ties) with the last of them, whatever the number of threads and whether the data are stored dense or
//! sparse. Most of the work is nevertheless done by matrix products of [whole numbers](whole) of 16 bits or in single precision:
//!
//! 1. [Tiles](tiles) of all pairs give every distance up to a proven error (or, for sparse data,
//!    [row products](sparse) do).
//! 2. Whoever can be among the k nearest within that error is a [candidate](candidates): a few
//!    more than k.
//! 3. The candidates are [measured exactly](exact), and the k best of them are the answer.
//!
//! So rounding in a product never changes a neighbor. Where whole numbers cannot tell samples apart, those samples alone are
//! searched again in single precision, where that cannot (tight clusters that lie far from each other) in double precision, and
//! where that fails too (many duplicates) they are measured against everyone.
//!
//! | metric | working precision | |
//! |---|---|---|
//! | euclidean | ‖x‖² + ‖y‖² - 2x·y | about the means, or an offset would own the error |
//! | cosine | 1 - x·y | on rows of norm 1 |
//! | manhattan | Σ \|x - y\| | in register blocks |
//!
//! Cost: n²m multiplications and additions (half of n² pairs), n·k·m for the exact distances;
//! memory is one block of 512 features, or two small ones, each once or in two orders, and 128 MB of tiles, whatever the number of
//! features. Sparse data: Σ (non-zeros of a feature)², and memory for twice the non-zeros.
//!
//! When it fails: it does not, but data of which most rows are duplicates cost a direct comparison
//! of those rows with all others.
//!
//! For more samples than n² allows there is an [approximate](descent) search, which [pays](approximate) for data of
//! few dimensions, and whose recall is measured against this one.

mod among;
mod approximate;
mod candidates;
mod descent;
mod exact;
mod forest;
mod geometry;
mod leaves;
mod mutual;
mod pairwise;
mod panels;
mod plan;
mod real;
#[cfg(target_arch = "x86_64")]
mod registers;
mod resume;
mod rows;
mod scan;
mod sparse;
mod strips;
mod sums;
mod ties;
mod tiles;
mod whole;

pub(crate) use among::nearest_landmarks;
pub use approximate::Approximate;
pub(crate) use approximate::{Effort, Found, search};
pub(crate) use exact::pair_runs;
pub(crate) use pairwise::{each_column, share_gram, squared_distances};
pub(crate) use ties::{crowded, shares};
pub(crate) use tiles::tile_sums;

use std::ops::Range;

use rayon::prelude::*;

use super::Metric;
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::{Error, Result};
use geometry::Geometry;
use mutual::Once;

/// A neighbor and its distance, as the metric measures it (squared for euclidean).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) index: u32,
    pub(crate) distance: f64,
}

/// The neighbors of every sample, class by class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NeighborLists {
    n_classes: usize,
    /// Neighbors that were asked for in every class.
    k: usize,
    /// Samples whose ties at the k-th neighbor are too many to be shared.
    crowded: usize,
    /// List (i, c) is `neighbors[offsets[i·n_classes + c]..offsets[i·n_classes + c + 1]]`.
    offsets: Vec<usize>,
    neighbors: Vec<Neighbor>,
}

impl NeighborLists {
    /// The neighbors of `sample` in `class`, nearest first: k, or more where several tie with the last.
    pub(crate) fn of(&self, sample: usize, class: usize) -> &[Neighbor] {
        let list = sample * self.n_classes + class;
        &self.neighbors[self.offsets[list]..self.offsets[list + 1]]
    }

    /// The same with what each counts: 1, or the share of those that tie for the last places.
    pub(crate) fn shares_of(&self, sample: usize, class: usize) -> impl Iterator<Item = (&Neighbor, f64)> {
        shares(self.of(sample, class), self.k)
    }

    /// How many neighbors all samples have together.
    pub(crate) fn len(&self) -> usize {
        self.neighbors.len()
    }

    /// Neighbors that were asked for in every class.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// A warning where ties were too many to be shared.
    pub(crate) fn warning(&self) -> Option<String> {
        crowded(self.crowded, self.k)
    }
}

/// For every sample its `k` nearest others, nearest first, and whoever ties with the last; one class.
///
/// # Errors
/// `k` is not from 1 to n - 1, the columns cannot be read, or the monitor says stop.
pub(crate) fn nearest(
    data: &Dataset,
    metric: Metric,
    k: usize,
    monitor: &dyn Monitor,
) -> Result<NeighborLists> {
    let (codes, everyone) = (vec![0; data.n_samples()], everyone(data.n_samples()));
    nearest_by_class(data, metric, &Query { k, codes: &codes, n_classes: 1, searching: &everyone }, monitor)
}

/// Who looks for whom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'a> {
    /// Neighbors in every class.
    pub(crate) k: usize,
    /// The class of every sample, each below `n_classes`.
    pub(crate) codes: &'a [u32],
    pub(crate) n_classes: usize,
    /// The samples that search; the lists of others are empty.
    pub(crate) searching: &'a [u32],
}

/// All samples.
pub(crate) fn everyone(n_samples: usize) -> Vec<u32> {
    (0..n_samples as u32).collect()
}

/// For every sample that searches and every class, the k nearest members of that class other than
/// the sample itself; fewer where the class has fewer.
///
/// # Errors
/// As [`nearest`].
pub(crate) fn nearest_by_class(
    data: &Dataset,
    metric: Metric,
    query: &Query<'_>,
    monitor: &dyn Monitor,
) -> Result<NeighborLists> {
    let mut search = Search::new(data, metric, query, monitor)?;
    let open = match &search.geometry.rows {
        Some(rows) => {
            let found = sparse::search(&search.problem, &search.geometry, rows, query.searching, monitor)?;
            search.settle(found)?
        }
        None => {
            let mut open = query.searching.to_vec();
            if tiles::begins_with_whole_numbers(data, &search.geometry, monitor) {
                open = search.in_tiles::<f32>(&open, true)?;
            }
            open = search.in_tiles::<f32>(&open, false)?;
            search.in_tiles::<f64>(&open, false)?
        }
    };
    search.among_all(&open)?;
    Ok(search.into_lists())
}

/// The squared euclidean distances of pairs of samples, those with the same first sample one after another.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(crate) fn pair_distances(
    data: &Dataset,
    pairs: impl Iterator<Item = (u32, u32)>,
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let geometry = Geometry::new(data, Metric::Euclidean, monitor)?;
    let sums = exact::pair_sums(data, &geometry, &by_first(pairs), monitor)?;
    Ok(sums.into_iter().flatten().map(|sum| geometry.unscaled(sum)).collect())
}

/// The cosines of pairs of samples, 0 where one of them is all zeros.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(crate) fn cosines(
    data: &Dataset,
    pairs: impl Iterator<Item = (u32, u32)>,
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let geometry = Geometry::new(data, Metric::Cosine, monitor)?;
    let lists = by_first(pairs);
    let sums = exact::pair_sums(data, &geometry, &lists, monitor)?;
    let of_list = |((i, others), sums): (&(u32, Vec<u32>), &Vec<f64>)| -> Vec<f64> {
        others.iter().zip(sums).map(|(&j, &sum)| geometry.cosine(sum, *i, j)).collect()
    };
    Ok(lists.iter().zip(&sums).flat_map(of_list).collect())
}

/// Pairs as lists of those with the same first sample, which come one after another.
fn by_first(pairs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, Vec<u32>)> {
    let mut lists: Vec<(u32, Vec<u32>)> = Vec::new();
    for (i, j) in pairs {
        match lists.last_mut() {
            Some((last, others)) if *last == i => others.push(j),
            _ => lists.push((i, vec![j])),
        }
    }
    lists
}

/// Bytes of a list of neighbors, of which there is one per sample and class.
const LIST: usize = 32;

/// What is asked.
struct Problem<'a> {
    data: &'a Dataset,
    k: usize,
    codes: &'a [u32],
    n_classes: usize,
    sizes: Vec<usize>,
}

impl<'a> Problem<'a> {
    fn new(data: &'a Dataset, query: &Query<'a>, monitor: &dyn Monitor) -> Result<Self> {
        let (n, &Query { k, codes, n_classes, .. }) = (data.n_samples(), query);
        debug_assert!(codes.len() == n && codes.iter().all(|&c| (c as usize) < n_classes));
        if k == 0 || k >= n {
            let rule = format!("from 1 to the number of samples less one ({})", n - 1);
            return Err(Error::parameter("k", rule, k));
        }
        // A list for every sample and class: with as many classes as samples, n².
        if n_classes > 1 {
            let needed = n.saturating_mul(n_classes).saturating_mul(LIST) as u64;
            let advice = "are the labels names of single samples? They have to be classes";
            monitor.limits().check("a list of neighbors for every sample and class", needed, advice)?;
        }
        let mut sizes = vec![0; n_classes];
        codes.iter().for_each(|&c| sizes[c as usize] += 1);
        Ok(Problem { data, k, codes, n_classes, sizes })
    }

    /// How many members of `class` there are besides `sample`.
    fn others_of(&self, sample: u32, class: usize) -> usize {
        self.sizes[class] - usize::from(self.codes[sample as usize] as usize == class)
    }
}

/// The candidates of one sample, or `None` where there are too many to tell apart.
struct Shortlist {
    sample: u32,
    others: Option<Vec<u32>>,
}

/// A search under way.
struct Search<'a> {
    problem: Problem<'a>,
    geometry: Geometry,
    /// The answers of the samples that are settled, one after another, each sorted by class, distance and index.
    found: Vec<Neighbor>,
    /// Where the answer of every sample is; nowhere, where it is not settled.
    answers: Vec<Range<usize>>,
    /// Samples whose ties are too many to be shared.
    crowded: usize,
    monitor: &'a dyn Monitor,
}

/// Pairs that are measured at a time when samples are compared with everyone.
const PAIRS_AT_A_TIME: usize = 2 << 20;

impl<'a> Search<'a> {
    fn new(data: &'a Dataset, metric: Metric, query: &Query<'a>, monitor: &'a dyn Monitor) -> Result<Self> {
        let problem = Problem::new(data, query, monitor)?;
        let geometry = Geometry::new(data, metric, monitor)?;
        let answers = vec![0..0; query.codes.len()];
        Ok(Search { problem, geometry, found: Vec::new(), answers, crowded: 0, monitor })
    }

    /// Searches for `active` by `whole` numbers or in the precision `T`, and returns the samples that it leaves open.
    fn in_tiles<T: real::Real>(&mut self, active: &[u32], whole: bool) -> Result<Vec<u32>> {
        if active.is_empty() {
            return Ok(Vec::new());
        }
        let found = tiles::search::<T>(&self.problem, &self.geometry, active, whole, self.monitor)?;
        self.settle(found)
    }

    /// Measures `samples` against everyone.
    fn among_all(&mut self, samples: &[u32]) -> Result<()> {
        let n = self.problem.codes.len() as u32;
        for some in samples.chunks((PAIRS_AT_A_TIME / n as usize).max(1)) {
            let all = |&i: &u32| Shortlist { sample: i, others: Some((0..n).filter(|&j| j != i).collect()) };
            self.settle(some.iter().map(all).collect())?;
        }
        Ok(())
    }

    /// Measures the candidates and keeps the k best of every class; returns the samples that
    /// have too many.
    fn settle(&mut self, found: Vec<Shortlist>) -> Result<Vec<u32>> {
        let mut open = Vec::new();
        let mut pairs = Vec::with_capacity(found.len());
        for Shortlist { sample, others } in found {
            match others {
                Some(mut others) => {
                    others.sort_unstable();
                    pairs.push((sample, others));
                }
                None => open.push(sample),
            }
        }
        let once = Once::new(&pairs, self.problem.codes.len());
        let sums = exact::pair_sums(self.problem.data, &self.geometry, &once.left, self.monitor)?;
        let sums = once.spread(&sums);
        let best = |((i, others), sums): (&(u32, Vec<u32>), &Vec<f64>)| self.best(*i, others, sums);
        let lists: Vec<(Vec<Neighbor>, bool)> = pairs.par_iter().zip(&sums).map(best).collect();
        for ((i, _), (list, is_crowded)) in pairs.iter().zip(lists) {
            self.answers[*i as usize] = self.found.len()..self.found.len() + list.len();
            self.found.extend(list);
            self.crowded += usize::from(is_crowded);
        }
        open.sort_unstable();
        Ok(open)
    }

    /// The k best of every class, with whoever ties with the last of them; and whether too many do.
    fn best(&self, i: u32, others: &[u32], sums: &[f64]) -> (Vec<Neighbor>, bool) {
        let class = |nb: &Neighbor| self.problem.codes[nb.index as usize];
        let measured = |(&j, &sum)| Neighbor { index: j, distance: self.geometry.distance(sum, i, j) };
        let mut all: Vec<Neighbor> = others.iter().zip(sums).map(measured).collect();
        all.sort_unstable_by(|a, b| {
            class(a).cmp(&class(b)).then(a.distance.total_cmp(&b.distance)).then(a.index.cmp(&b.index))
        });
        let (mut best, mut is_crowded) = (Vec::with_capacity(all.len()), false);
        for run in all.chunk_by(|a, b| class(a) == class(b)) {
            let reach = ties::reach(run, self.problem.k);
            is_crowded |= reach.is_none();
            let chosen = run.iter().take(reach.unwrap_or(self.problem.k));
            let unscaled = |nb: &Neighbor| Neighbor { distance: self.geometry.unscaled(nb.distance), ..*nb };
            best.extend(chosen.map(unscaled));
        }
        (best, is_crowded)
    }

    fn into_lists(self) -> NeighborLists {
        let n_classes = self.problem.n_classes;
        let mut offsets = vec![0; self.answers.len() * n_classes + 1];
        let mut neighbors = Vec::with_capacity(self.found.len());
        for (i, answer) in self.answers.into_iter().enumerate() {
            for nb in &self.found[answer.clone()] {
                offsets[i * n_classes + self.problem.codes[nb.index as usize] as usize + 1] += 1;
            }
            neighbors.extend_from_slice(&self.found[answer]);
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        NeighborLists { n_classes, k: self.problem.k, crowded: self.crowded, offsets, neighbors }
    }
}

#[cfg(test)]
mod tests;
