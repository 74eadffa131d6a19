//! Approximate nearest neighbors: "a neighbor of a neighbor is likely to be a neighbor".
//!
//! 1. A [forest](super::forest) of random cuts gives every sample some hundred others, of which it
//!    keeps the nearest.
//! 2. Round after round every sample looks at the neighbors of its neighbors and of those who
//!    have it as a neighbor (NN-descent). A pair is looked at only where one of its two links is
//!    new; it ends when hardly anyone finds anyone nearer.
//! 3. The lists are measured exactly, in double precision.
//! 4. Samples spread evenly over the data are searched for [exactly](super), and the share of
//!    their true neighbors that was found is the *recall*. It travels with the graph.
//!
//! A round reads the lists of the last one and writes its own, so that the number of threads
//! changes nothing. Distances are in single precision until step 3.
//!
//! Cost: about n^1.1 distances in place of n²/2; memory for the data in single precision.
//!
//! When it fails: in many dimensions without structure (noise), where everyone is about as far from
//! everyone. The recall tells.
//!
//! Reference: Dong, Moses, Li: Efficient K-Nearest Neighbor Graph Construction for Generic
//! Similarity Measures, WWW 2011.

use rayon::prelude::*;

use super::forest::{self, Forest};
use super::geometry::{Geometry, read_tiles};
use super::{Found, Neighbor, Query, Search, everyone, nearest, nearest_by_class};
use crate::Result;
use crate::dataset::{BLOCK, Dataset};
use crate::graph::Metric;
use crate::monitor::{Monitor, Stage};
use crate::simd::vectorized;

/// Below so many samples the exact search is as fast.
const EXACT_BELOW: usize = 4096;
/// Trees of the forest.
const TREES: usize = 6;
/// Most rounds of the descent; most data need three or four.
const ROUNDS: usize = 10;
/// The descent ends when fewer than this share of the neighbors is new.
const SETTLED: f64 = 0.002;
/// Samples that one task takes at least: what it writes on is as long as the data.
const TOGETHER: usize = 1024;
/// Samples on which the recall is measured.
const CHECKED: usize = 500;

/// Neighbors, and how many of the true ones are among them.
pub(crate) struct Approximation {
    pub(crate) lists: Vec<Vec<Neighbor>>,
    /// The share of true neighbors found, measured on some samples; `None` where the search was
    /// exact.
    pub(crate) recall: Option<f64>,
}

/// For every sample about the `k` nearest others, nearest first. Few samples, and sparse data, are
/// searched exactly.
///
/// # Errors
/// As [`nearest`].
pub(crate) fn approximate(
    data: &Dataset,
    metric: Metric,
    k: usize,
    monitor: &dyn Monitor,
) -> Result<Approximation> {
    if data.n_samples() < EXACT_BELOW || data.is_sparse() {
        return Ok(Approximation { lists: nearest(data, metric, k, monitor)?, recall: None });
    }
    let lists = descend(data, metric, k, monitor)?;
    let recall = Some(recall(data, metric, &lists, monitor)?);
    Ok(Approximation { lists, recall })
}

fn descend(data: &Dataset, metric: Metric, k: usize, monitor: &dyn Monitor) -> Result<Vec<Vec<Neighbor>>> {
    let (codes, everyone) = (vec![0; data.n_samples()], everyone(data.n_samples()));
    let query = Query { k, codes: &codes, n_classes: 1, searching: &everyone };
    let mut search = Search::new(data, metric, &query, monitor)?;
    // Renumbered so that near samples lie near in memory: most of the time goes into fetching rows.
    let rows = Rows::read(data, &search.geometry)?;
    let order = forest::order(&rows);
    let rows = rows.reordered(&order);
    let lists = Descent::new(&rows, k, monitor)?.run(monitor)?;
    drop(rows);
    let found = |(at, list): (usize, Vec<Link>)| Found {
        sample: order[at],
        others: Some(list.iter().map(|link| order[link.index as usize]).collect()),
    };
    search.settle(lists.into_iter().enumerate().map(found).collect())?;
    let lists = search.into_lists();
    Ok((0..data.n_samples()).map(|i| lists.of(i, 0).to_vec()).collect())
}

/// The share of the true neighbors of some samples that `lists` has. Whoever is as near as the
/// last true one counts as true.
fn recall(data: &Dataset, metric: Metric, lists: &[Vec<Neighbor>], monitor: &dyn Monitor) -> Result<f64> {
    let (n, k) = (lists.len(), lists[0].len());
    let checked = n.min(CHECKED);
    let searching: Vec<u32> = (0..checked).map(|s| (s * n / checked) as u32).collect();
    let query = Query { k, codes: &vec![0; n], n_classes: 1, searching: &searching };
    let exact = nearest_by_class(data, metric, &query, monitor)?;
    let hits = |&i: &u32| {
        let last = exact.of(i as usize, 0).last().map_or(0.0, |nb| nb.distance);
        lists[i as usize].iter().filter(|nb| nb.distance <= last).count()
    };
    let found: usize = searching.iter().map(hits).sum();
    Ok(found as f64 / (checked * k) as f64)
}

/// The samples in single precision, row after row, filled up with zeros to whole lanes. The
/// distance is a sum over squares or magnitudes of differences (see [`Geometry::row_factor`] for
/// the cosine).
pub(super) struct Rows {
    values: Vec<f32>,
    width: usize,
    manhattan: bool,
}

/// Numbers that vector instructions treat together.
const LANES: usize = 16;

impl Rows {
    fn read(data: &Dataset, geometry: &Geometry) -> Result<Self> {
        let (n, m) = (data.n_samples(), data.n_features());
        let width = m.next_multiple_of(LANES);
        let mut values = vec![0.0; n * width];
        for start in (0..m).step_by(BLOCK) {
            let range = start..m.min(start + BLOCK);
            let tiles = read_tiles(data, range.clone(), geometry.center())?;
            values.par_chunks_mut(width).enumerate().for_each(|(i, row)| {
                let (factor, tile) = (geometry.row_factor(i), &tiles[0][i * BLOCK..]);
                row[range.clone()].iter_mut().zip(tile).for_each(|(out, v)| *out = (v * factor) as f32);
            });
        }
        Ok(Rows { values, width, manhattan: geometry.metric == Metric::Manhattan })
    }

    /// The rows in another order.
    fn reordered(&self, order: &[u32]) -> Self {
        let values = order.iter().flat_map(|&i| self.row(i).as_flattened()).copied().collect();
        Rows { values, ..*self }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    #[inline(always)]
    fn row(&self, i: u32) -> &[[f32; LANES]] {
        self.values[i as usize * self.width..][..self.width].as_chunks::<LANES>().0
    }

    /// Row `a` less row `b`.
    pub(super) fn difference(&self, a: u32, b: u32) -> Vec<f32> {
        let pairs = self.row(a).as_flattened().iter().zip(self.row(b).as_flattened());
        pairs.map(|(a, b)| a - b).collect()
    }

    /// The inner product of row `i` with `line`.
    pub(super) fn projection(&self, i: u32, line: &[f32]) -> f32 {
        vectorized!(sum(self.row(i), line.as_chunks::<LANES>().0, |x, y| x * y))
    }

    /// The distances of row `i` to some others.
    fn distances(&self, i: u32, others: &[u32], out: &mut Vec<f32>) {
        out.clear();
        let x = self.row(i);
        if self.manhattan {
            vectorized!(out.extend(others.iter().map(|&j| sum(x, self.row(j), |x, y| (x - y).abs()))));
        } else {
            vectorized!(out.extend(others.iter().map(|&j| sum(x, self.row(j), |x, y| (x - y) * (x - y)))));
        }
    }
}

#[inline(always)]
fn sum(x: &[[f32; LANES]], y: &[[f32; LANES]], term: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    for (x, y) in x.iter().zip(y) {
        for l in 0..LANES {
            lanes[l] += term(x[l], y[l]);
        }
    }
    lanes.iter().sum()
}

/// Someone in a list.
#[derive(Debug, Clone, Copy)]
struct Link {
    distance: f32,
    index: u32,
    /// Whether the last round brought it.
    new: bool,
}

impl Link {
    fn order(a: &Link, b: &Link) -> std::cmp::Ordering {
        a.distance.total_cmp(&b.distance).then(a.index.cmp(&b.index))
    }
}

/// The lists of all samples after a round, nearest first.
struct Descent<'a> {
    rows: &'a Rows,
    lists: Vec<Vec<Link>>,
    k: usize,
    /// Length of a list: more than k, because the way to a neighbor may lead over a farther one.
    length: usize,
}

/// What a thread needs to collect whom a sample looks at.
#[derive(Default)]
struct Scratch {
    /// For every sample, who met it last.
    met: Vec<u32>,
    others: Vec<u32>,
    distances: Vec<f32>,
}

impl Scratch {
    fn begin(&mut self, i: u32, n: usize) {
        self.met.resize(n, u32::MAX);
        self.others.clear();
        self.met[i as usize] = i;
    }

    /// Remembers `other` for sample `i`, once.
    fn meet(&mut self, i: u32, other: u32) {
        if std::mem::replace(&mut self.met[other as usize], i) != i {
            self.others.push(other);
        }
    }
}

impl<'a> Descent<'a> {
    /// Lists from the leaves of a forest.
    fn new(rows: &'a Rows, k: usize, monitor: &dyn Monitor) -> Result<Self> {
        let n = rows.len();
        let forest = Forest::grow(rows, TREES, &Stage::new(monitor, "random cuts", TREES)?)?;
        let length = (k + k / 2).max(k + 8).min(n - 1);
        let stage = Stage::new(monitor, "neighbors", n)?;
        let start = |scratch: &mut Scratch, i: u32| {
            scratch.begin(i, n);
            forest.mates(i as usize).for_each(|j| scratch.meet(i, j));
            let list = nearer(rows, i, &[], scratch, length);
            stage.advance(1).map(|()| list)
        };
        let lists = everyone(n)
            .into_par_iter()
            .with_min_len(TOGETHER)
            .map_init(Scratch::default, start)
            .collect::<Result<_>>()?;
        Ok(Descent { rows, lists, k, length })
    }

    /// Rounds until hardly anything is new.
    fn run(mut self, monitor: &dyn Monitor) -> Result<Vec<Vec<Link>>> {
        let n = self.rows.len();
        for _ in 0..ROUNDS {
            let stage = Stage::new(monitor, "neighbors of neighbors", n)?;
            let links = self.both_ways();
            let round = |scratch: &mut Scratch, i: u32| {
                scratch.begin(i, n);
                let own = &self.lists[i as usize];
                own.iter().for_each(|link| scratch.met[link.index as usize] = i);
                for link in &links[i as usize] {
                    let theirs = links[link.index as usize].iter();
                    theirs.filter(|l| l.new || link.new).for_each(|l| scratch.meet(i, l.index));
                }
                let list = nearer(self.rows, i, own, scratch, self.length);
                stage.advance(1).map(|()| list)
            };
            let lists: Vec<Vec<Link>> = everyone(n)
                .into_par_iter()
                .with_min_len(TOGETHER)
                .map_init(Scratch::default, round)
                .collect::<Result<_>>()?;
            self.lists = lists;
            let new = self.lists.par_iter().map(|list| list.iter().filter(|l| l.new).count()).sum::<usize>();
            if (new as f64) < SETTLED * (n * self.length) as f64 {
                break;
            }
        }
        Ok(self.lists)
    }

    /// The list of every sample, and the k nearest of those that have it in theirs. A round costs the
    /// square of that.
    fn both_ways(&self) -> Vec<Vec<Link>> {
        let mut back: Vec<Vec<Link>> = vec![Vec::new(); self.lists.len()];
        for (i, list) in self.lists.iter().enumerate() {
            for link in list {
                back[link.index as usize].push(Link { index: i as u32, ..*link });
            }
        }
        let join = |(mut back, own): (Vec<Link>, &Vec<Link>)| {
            if back.len() > self.k {
                back.select_nth_unstable_by(self.k, Link::order);
                back.truncate(self.k);
            }
            back.extend(own);
            back
        };
        back.into_par_iter().zip(&self.lists).map(join).collect()
    }
}

/// The nearest of those that `i` has and those it met.
fn nearer(rows: &Rows, i: u32, own: &[Link], scratch: &mut Scratch, length: usize) -> Vec<Link> {
    rows.distances(i, &scratch.others, &mut scratch.distances);
    let far = if own.len() == length { own[length - 1].distance } else { f32::INFINITY };
    let met = scratch.others.iter().zip(&scratch.distances).filter(|(_, d)| **d <= far);
    let mut list: Vec<Link> = own.iter().map(|&link| Link { new: false, ..link }).collect();
    list.extend(met.map(|(&index, &distance)| Link { distance, index, new: true }));
    list.sort_unstable_by(Link::order);
    list.truncate(length);
    list
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Silent;
    use crate::dataset::Scaling;
    use crate::dataset::demo::Planted;

    fn clusters(n: usize) -> Dataset {
        let planted = Planted { n_samples: n, ..Planted::default() };
        planted.generate().unwrap().data.scaled(Scaling::Standard)
    }

    #[test]
    fn finds_nearly_all_and_says_how_many() {
        let data = clusters(1500);
        for metric in [Metric::Euclidean, Metric::Cosine, Metric::Manhattan] {
            let lists = descend(&data, metric, 8, &Silent).unwrap();
            let exact = nearest(&data, metric, 8, &Silent).unwrap();
            let hits =
                |(a, b): (&Vec<Neighbor>, &Vec<Neighbor>)| a.iter().filter(|nb| b.contains(nb)).count();
            let share = lists.iter().zip(&exact).map(hits).sum::<usize>() as f64 / (1500.0 * 8.0);
            assert!(share > 0.8, "{metric:?}: {share}");
            let measured = recall(&data, metric, &lists, &Silent).unwrap();
            assert!((measured - share).abs() < 0.02, "{metric:?}: {measured} against {share}");
        }
    }

    #[test]
    fn a_bad_answer_has_a_bad_recall() {
        let data = clusters(600);
        let mut lists = nearest(&data, Metric::Euclidean, 4, &Silent).unwrap();
        assert_eq!(recall(&data, Metric::Euclidean, &lists, &Silent).unwrap(), 1.0);
        lists.iter_mut().for_each(|list| list[0].distance = f64::INFINITY);
        assert_eq!(recall(&data, Metric::Euclidean, &lists, &Silent).unwrap(), 0.75);
    }

    #[test]
    fn threads_change_nothing_and_duplicates_do_no_harm() {
        let rows: Vec<Vec<f64>> = (0..900).map(|i| vec![f64::from(i % 3), 1.0, f64::from(i / 700)]).collect();
        let data = Dataset::from_rows(&rows).unwrap();
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = |threads| pool(threads).install(|| descend(&data, Metric::Euclidean, 5, &Silent).unwrap());
        let one = run(1);
        assert_eq!(one, run(3));
        assert!(one.iter().all(|list| list.len() == 5 && list.iter().all(|nb| nb.distance == 0.0)));
    }
}
