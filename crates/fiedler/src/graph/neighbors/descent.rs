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
//! Cost: about n^1.1 distances in place of n²/2; memory for one copy of the data in single precision and
//! 16 bytes for every neighbor.
//!
//! When it fails: in many dimensions without structure (noise), where everyone is about as far from
//! everyone. The recall tells.
//!
//! Reference: Dong, Moses, Li: Efficient K-Nearest Neighbor Graph Construction for Generic
//! Similarity Measures, WWW 2011.

use rayon::prelude::*;

use super::forest::{self, Forest};
use super::rows::Rows;
use super::{NeighborLists, Query, Search, Shortlist, everyone, nearest, nearest_by_class};
use crate::Result;
use crate::dataset::Dataset;
use crate::graph::Metric;
use crate::monitor::{Monitor, Stage};

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
/// More samples than a link can name.
const TOO_MANY: usize = 1 << 31;
/// Samples whose neighbors are measured at a time.
const MEASURED: usize = 1 << 16;
/// Samples on which the recall is measured.
const CHECKED: usize = 500;

/// Neighbors, and how many of the true ones are among them.
pub(crate) struct Approximation {
    pub(crate) lists: NeighborLists,
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
    if !(EXACT_BELOW..TOO_MANY).contains(&data.n_samples()) || data.is_sparse() {
        return Ok(Approximation { lists: nearest(data, metric, k, monitor)?, recall: None });
    }
    let lists = descend(data, metric, k, monitor)?;
    let recall = Some(recall(data, metric, &lists, monitor)?);
    Ok(Approximation { lists, recall })
}

fn descend(data: &Dataset, metric: Metric, k: usize, monitor: &dyn Monitor) -> Result<NeighborLists> {
    let (codes, everyone) = (vec![0; data.n_samples()], everyone(data.n_samples()));
    let query = Query { k, codes: &codes, n_classes: 1, searching: &everyone };
    let mut search = Search::new(data, metric, &query, monitor)?;
    // Renumbered so that near samples lie near in memory: most of the time goes into fetching rows.
    let mut rows = Rows::read(data, &search.geometry)?;
    let order = forest::order(&rows);
    rows.reorder(&order);
    let descent = Descent::new(&rows, k, monitor)?;
    let length = descent.length;
    let lists = descent.run(monitor)?;
    drop(rows);
    // Near samples are measured together, so that few rows are read at a time.
    for (some, samples) in lists.chunks(MEASURED * length).zip(order.chunks(MEASURED)) {
        let found = |(list, &sample): (&[Link], &u32)| Shortlist {
            sample,
            others: Some(links(list).map(|link| order[link.index() as usize]).collect()),
        };
        search.settle(some.chunks_exact(length).zip(samples).map(found).collect())?;
    }
    Ok(search.into_lists())
}

/// The share of the true neighbors of some samples that `lists` has. Whoever is as near as the
/// last true one counts as true.
fn recall(data: &Dataset, metric: Metric, lists: &NeighborLists, monitor: &dyn Monitor) -> Result<f64> {
    let (n, k) = (data.n_samples(), lists.k());
    let checked = n.min(CHECKED);
    let searching: Vec<u32> = (0..checked).map(|s| (s * n / checked) as u32).collect();
    let query = Query { k, codes: &vec![0; n], n_classes: 1, searching: &searching };
    let exact = nearest_by_class(data, metric, &query, monitor)?;
    let hits = |&i: &u32| {
        let last = exact.of(i as usize, 0).last().map_or(0.0, |nb| nb.distance);
        lists.of(i as usize, 0).iter().take(k).filter(|nb| nb.distance <= last).count()
    };
    let found: usize = searching.iter().map(hits).sum();
    Ok(found as f64 / (checked * k) as f64)
}

/// Someone in a list: 8 bytes, of which there are some twenty for every sample.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Link {
    distance: f32,
    /// The sample, and in the last bit whether the last round brought it.
    tagged: u32,
}

impl Link {
    /// No one: what fills up a list that is not full.
    const NONE: Link = Link { distance: f32::INFINITY, tagged: u32::MAX };

    fn new(distance: f32, index: u32) -> Self {
        Link { distance, tagged: index << 1 | 1 }
    }

    fn index(self) -> u32 {
        self.tagged >> 1
    }

    fn is_new(self) -> bool {
        self.tagged & 1 == 1
    }

    fn known(self) -> Self {
        Link { tagged: self.tagged & !1, ..self }
    }

    fn order(a: &Link, b: &Link) -> std::cmp::Ordering {
        a.distance.total_cmp(&b.distance).then(a.index().cmp(&b.index()))
    }
}

/// The links of a list that may not be full.
fn links(list: &[Link]) -> impl Iterator<Item = &Link> {
    list.iter().take_while(|link| **link != Link::NONE)
}

/// The lists of all samples after a round, nearest first.
struct Descent<'a> {
    rows: &'a Rows,
    /// `length` links for every sample, one after another.
    lists: Vec<Link>,
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
    list: Vec<Link>,
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

    /// The nearest of those that `i` has and those it met.
    fn nearest(&mut self, rows: &Rows, i: u32, own: &[Link], out: &mut [Link]) {
        rows.distances(i, &self.others, &mut self.distances);
        let far = own.get(out.len() - 1).map_or(f32::INFINITY, |link| link.distance);
        let met = self.others.iter().zip(&self.distances).filter(|(_, d)| **d <= far);
        self.list.clear();
        self.list.extend(links(own).map(|link| link.known()));
        self.list.extend(met.map(|(&index, &distance)| Link::new(distance, index)));
        self.list.sort_unstable_by(Link::order);
        self.list.resize(out.len(), Link::NONE);
        out.copy_from_slice(&self.list);
    }
}

impl<'a> Descent<'a> {
    /// Lists from the leaves of a forest.
    fn new(rows: &'a Rows, k: usize, monitor: &dyn Monitor) -> Result<Self> {
        let n = rows.len();
        let forest = Forest::grow(rows, TREES, &Stage::new(monitor, "random cuts", TREES)?)?;
        let length = (k + k / 2).max(k + 8).min(n - 1);
        let stage = Stage::new(monitor, "neighbors", n)?;
        let mut lists = vec![Link::NONE; n * length];
        let start = |scratch: &mut Scratch, (i, list): (usize, &mut [Link])| {
            scratch.begin(i as u32, n);
            forest.mates(i).for_each(|j| scratch.meet(i as u32, j));
            scratch.nearest(rows, i as u32, &[], list);
            stage.advance(1)
        };
        let each = lists.par_chunks_mut(length).enumerate().with_min_len(TOGETHER);
        each.try_for_each_init(Scratch::default, start)?;
        Ok(Descent { rows, lists, k, length })
    }

    /// Rounds until hardly anything is new.
    fn run(mut self, monitor: &dyn Monitor) -> Result<Vec<Link>> {
        let (n, length, stride) = (self.rows.len(), self.length, self.length + self.k);
        let mut both = vec![Link::NONE; n * stride];
        for _ in 0..ROUNDS {
            let stage = Stage::new(monitor, "neighbors of neighbors", n)?;
            self.both_ways(&mut both);
            let of = |i: u32| &both[i as usize * stride..][..stride];
            let round = |scratch: &mut Scratch, (i, list): (usize, &mut [Link])| {
                let i = i as u32;
                scratch.begin(i, n);
                let (own, back) = of(i).split_at(length);
                links(own).for_each(|link| scratch.met[link.index() as usize] = i);
                for link in links(own).chain(links(back)) {
                    let (theirs, back) = of(link.index()).split_at(length);
                    let worth = |l: &&Link| l.is_new() || link.is_new();
                    links(theirs).chain(links(back)).filter(worth).for_each(|l| scratch.meet(i, l.index()));
                }
                scratch.nearest(self.rows, i, own, list);
                stage.advance(1)
            };
            let each = self.lists.par_chunks_mut(length).enumerate().with_min_len(TOGETHER);
            each.try_for_each_init(Scratch::default, round)?;
            let new = self.lists.par_iter().filter(|l| l.is_new() && **l != Link::NONE).count();
            if (new as f64) < SETTLED * (n * length) as f64 {
                break;
            }
        }
        Ok(self.lists)
    }

    /// The list of every sample, and the k nearest of those that have it in theirs. A round costs the
    /// square of that.
    fn both_ways(&self, both: &mut [Link]) {
        let stride = self.length + self.k;
        both.par_chunks_mut(stride).zip(self.lists.par_chunks(self.length)).for_each(|(both, own)| {
            let (list, back) = both.split_at_mut(self.length);
            list.copy_from_slice(own);
            back.fill(Link::NONE);
        });
        for (i, list) in self.lists.chunks_exact(self.length).enumerate() {
            for link in links(list) {
                let back = &mut both[link.index() as usize * stride..][self.length..stride];
                let own = Link { tagged: (i as u32) << 1 | u32::from(link.is_new()), ..*link };
                insert(back, own);
            }
        }
    }
}

/// Puts a link in its place of a sorted list; the last one falls out.
fn insert(list: &mut [Link], link: Link) {
    let place = list.partition_point(|other| Link::order(other, &link).is_lt());
    if place < list.len() {
        list[place..].rotate_right(1);
        list[place] = link;
    }
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
        for &metric in Metric::ALL {
            let lists = descend(&data, metric, 8, &Silent).unwrap();
            let exact = nearest(&data, metric, 8, &Silent).unwrap();
            let hits = |i: usize| lists.of(i, 0).iter().filter(|nb| exact.of(i, 0).contains(nb)).count();
            let share = (0..1500).map(hits).sum::<usize>() as f64 / (1500.0 * 8.0);
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
        lists.neighbors.iter_mut().step_by(4).for_each(|nb| nb.distance = f64::INFINITY);
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
        assert!((0..900).all(|i| one.of(i, 0).len() >= 5));
        assert!(one.neighbors.iter().all(|nb| nb.distance == 0.0));
    }
}
