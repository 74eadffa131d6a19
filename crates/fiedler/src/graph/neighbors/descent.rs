//! Approximate nearest neighbors: "a neighbor of a neighbor is likely to be a neighbor".
//!
//! 1. [Trees](super::forest) of random cuts part the samples into leaves, in which [all pairs](super::leaves) are compared and every
//!    sample keeps the nearest. Tree after tree, until so many of the neighbors are found that one round may do for the others,
//!    or a tree hardly adds any.
//! 2. Round after round every sample looks at the neighbors of its neighbors (NN-descent). A pair is looked at only where one of
//!    its two links is new; it ends when hardly anyone finds anyone nearer.
//!    Samples of which the true neighbors are known tell how many were found: it ends too when these
//!    are as many as [asked for](super::approximate). Where it ends before that, the lists are made
//!    twice as long, so that there are more ways to a neighbor, and it goes on.
//! 3. The lists are measured exactly, in double precision.
//!
//! A tree and a round read the lists of the last one and write their own, so that the number of threads
//! changes nothing. Distances are in single precision until step 3.
//!
//! Cost: n·log n projections and 128 to 256 distances a sample for every tree, of which ten dimensions
//! take about seven, and up to k² for a round; memory for one copy of the data in single precision and 16 bytes for every neighbor.
//!
//! When it fails: in many dimensions without structure (noise), where everyone is about as far from
//! everyone. The recall tells.
//!
//! Reference: Dong, Moses, Li: Efficient K-Nearest Neighbor Graph Construction for Generic
//! Similarity Measures, WWW 2011.

use rayon::prelude::*;

use super::approximate::Truth;
use super::forest::Tree;
use super::leaves::Leaf;
use super::rows::Rows;
use super::{NeighborLists, Query, Search, Shortlist, everyone};
use crate::Result;
use crate::dataset::Dataset;
use crate::graph::Metric;
use crate::monitor::{Monitor, Stage};

/// Trees, at most.
const TREES: u32 = 48;
/// Most samples in a leaf.
const LEAF: usize = 256;
/// No more trees are grown where so many times the neighbors are missing that may be: a round finds two thirds of them.
const LEFT: f64 = 3.0;
/// Or where a tree adds less than this share.
const WORTH: f64 = 0.005;
/// Most samples in a leaf of the tree that gives the order in memory.
const NEIGHBORHOOD: usize = 48;
/// Links that a list has beyond k, at least, before it is made longer.
const SPARE: usize = 2;
/// Most rounds of the descent; most data need three or four.
const ROUNDS: usize = 10;
/// The descent ends when fewer than this share of the neighbors is new.
const SETTLED: f64 = 0.002;
/// Samples that one task takes at least: what it writes on is as long as the data.
const TOGETHER: usize = 1024;
/// More samples than a link can name.
pub(super) const TOO_MANY: usize = 1 << 31;
/// What rounding makes of a distance, at most.
const SINGLE: f32 = 1e-4;
/// Samples whose neighbors are measured at a time.
const MEASURED: usize = 1 << 16;
/// Bytes of lists beyond which they are not made longer.
const MOST_BYTES: usize = 640 << 20;
/// How often lists are made twice as long, at most.
const WIDER: usize = 2;

/// What the search is to reach.
pub(super) struct Goal<'a> {
    /// The true neighbors of some samples.
    pub(super) truth: &'a Truth,
    /// The share of them to be found.
    pub(super) recall: f64,
}

/// For every sample about the `k` nearest others, nearest first.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(super) fn descend(
    data: &Dataset,
    metric: Metric,
    k: usize,
    goal: &Goal<'_>,
    monitor: &dyn Monitor,
) -> Result<NeighborLists> {
    check_memory(data, k, monitor)?;
    let (codes, everyone) = (vec![0; data.n_samples()], everyone(data.n_samples()));
    let query = Query { k, codes: &codes, n_classes: 1, searching: &everyone };
    let mut search = Search::new(data, metric, &query, monitor)?;
    // Renumbered so that near samples lie near in memory: most of the time goes into fetching rows.
    let mut rows = Rows::read(data, &search.geometry)?;
    let order = Tree::grow(&rows, NEIGHBORHOOD, u32::MAX).order;
    rows.reorder(&order);
    let sight = Sight::new(goal, &rows, &order);
    let (lists, length) = Descent::new(&rows, k).run(&sight, monitor)?;
    drop(rows);
    // Near samples are measured together, so that few rows are read at a time.
    for (some, samples) in lists.chunks(MEASURED * length).zip(order.chunks(MEASURED)) {
        let found = |(list, &sample): (&[Link], &u32)| Shortlist {
            sample,
            others: Some(near(list, k).map(|link| order[link.index() as usize]).collect()),
        };
        search.settle(some.chunks_exact(length).zip(samples).map(found).collect())?;
    }
    Ok(search.into_lists())
}

/// The copy of the data, the lists and the trees have to fit.
fn check_memory(data: &Dataset, k: usize, monitor: &dyn Monitor) -> Result<()> {
    let (row, links) = (4 * data.n_features().next_multiple_of(16), 2 * usual_length(k));
    let bytes = data.n_samples() * (row + links * size_of::<Link>() + 4 * size_of::<u32>());
    monitor.limits().check("an approximate search for neighbors", bytes as u64, "search exactly")
}

/// Length of a list, before it is made longer.
fn usual_length(k: usize) -> usize {
    k + (k / 4).max(SPARE)
}

/// The first k links, and those that may be as near as the k-th.
fn near(list: &[Link], k: usize) -> impl Iterator<Item = &Link> {
    let reach = list.get(k - 1).map_or(f32::INFINITY, |last| last.distance * (1.0 + SINGLE));
    links(list).take_while(move |link| link.distance <= reach)
}

/// The goal in the numbering and the precision of the search.
struct Sight {
    /// Some samples, and how far the last of their true neighbors is.
    reaches: Vec<(u32, f32)>,
    recall: f64,
}

impl Sight {
    fn new(goal: &Goal<'_>, rows: &Rows, order: &[u32]) -> Self {
        let mut places = vec![0u32; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| places[old as usize] = new as u32);
        let mut distance = Vec::new();
        let reach = |&i: &u32| {
            let (own, last) = (places[i as usize], goal.truth.lists.of(i as usize, 0).last()?);
            rows.distances(own, &[places[last.index as usize]], &mut distance);
            Some((own, distance[0] * (1.0 + SINGLE)))
        };
        Sight { reaches: goal.truth.samples.iter().filter_map(reach).collect(), recall: goal.recall }
    }

    /// The share of the true neighbors that lists of this length have.
    fn share(&self, lists: &[Link], length: usize, k: usize) -> f64 {
        let hits = |&(i, reach): &(u32, f32)| {
            let list = &lists[i as usize * length..][..k.min(length)];
            links(list).filter(|link| link.distance <= reach).count()
        };
        let found: usize = self.reaches.iter().map(hits).sum();
        found as f64 / (self.reaches.len() * k) as f64
    }
}

/// Someone in a list: 8 bytes, of which there are some twenty for every sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Link {
    distance: f32,
    /// The sample, and in the last bit whether the last round brought it.
    tagged: u32,
}

impl Link {
    /// No one: what fills up a list that is not full.
    pub(super) const NONE: Link = Link { distance: f32::INFINITY, tagged: u32::MAX };

    fn new(distance: f32, index: u32) -> Self {
        Link { distance, tagged: index << 1 | 1 }
    }

    fn index(self) -> u32 {
        self.tagged >> 1
    }

    pub(super) fn distance(self) -> f32 {
        self.distance
    }

    /// Puts someone who is nearer than the last one in a full list, where the last one falls out; no, where that one is there.
    #[inline(always)]
    pub(super) fn insert(list: &mut [Link], distance: f32, index: u32) -> bool {
        if list.iter().any(|link| link.index() == index) {
            return false;
        }
        let mut at = list.len() - 1;
        while at > 0 && list[at - 1].distance > distance {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = Link::new(distance, index);
        true
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

/// The lists of all samples after a tree or a round, nearest first.
struct Descent<'a> {
    rows: &'a Rows,
    /// `length` links for every sample, one after another.
    lists: Vec<Link>,
    /// As long: what the next tree or round writes.
    next: Vec<Link>,
    k: usize,
    /// Length of a list: more than k, because the way to a neighbor may lead over a farther one.
    length: usize,
    /// How many links of a list are followed.
    followed: usize,
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
    fn new(rows: &'a Rows, k: usize) -> Self {
        let length = usual_length(k).min(rows.len() - 1);
        let lists = vec![Link::NONE; rows.len() * length];
        Descent { rows, next: lists.clone(), lists, k, length, followed: k }
    }

    /// Trees, then rounds until the goal is reached, with longer lists where it is not; the lists and their length.
    fn run(mut self, sight: &Sight, monitor: &dyn Monitor) -> Result<(Vec<Link>, usize)> {
        let mut is_reached = self.trees(sight, monitor)? || self.rounds(sight, monitor)?;
        for _ in 0..WIDER {
            if is_reached || !self.widen() {
                break;
            }
            is_reached = self.rounds(sight, monitor)?;
        }
        Ok((self.lists, self.length))
    }

    /// The share of the true neighbors that is found.
    fn share(&self, sight: &Sight) -> f64 {
        sight.share(&self.lists, self.length, self.k)
    }

    /// Trees until most neighbors are found or more trees hardly add any; whether the goal is reached.
    fn trees(&mut self, sight: &Sight, monitor: &dyn Monitor) -> Result<bool> {
        let mut share = 0.0;
        for seed in 0..TREES {
            let stage = Stage::new(monitor, "neighbors by random cuts", self.rows.len())?;
            // The rows lie in the order of a tree, which is the first one.
            let grown = (seed > 0).then(|| Tree::grow(self.rows, LEAF, seed));
            self.look_in(&grown.unwrap_or_else(|| Tree::in_order(self.rows.len(), LEAF)), &stage)?;
            let before = std::mem::replace(&mut share, self.share(sight));
            if 1.0 - share <= LEFT * (1.0 - sight.recall) || share < before + WORTH {
                break;
            }
        }
        Ok(share >= sight.recall)
    }

    /// Compares all pairs of every leaf of a tree.
    fn look_in(&mut self, tree: &Tree, stage: &Stage<'_>) -> Result<()> {
        let length = self.length;
        let mut rest = &mut self.next[..];
        let cut = |leaf| {
            let (lists, later) = std::mem::take(&mut rest).split_at_mut(<[u32]>::len(leaf) * length);
            rest = later;
            (leaf, lists)
        };
        // In the order of the tree, in which every leaf has its own stretch of the lists.
        let leaves: Vec<(&[u32], &mut [Link])> = tree.leaves().map(cut).collect();
        leaves.into_par_iter().try_for_each_init(Leaf::default, |leaf, (samples, lists)| {
            for (list, &i) in lists.chunks_exact_mut(length).zip(samples) {
                list.copy_from_slice(&self.lists[i as usize * length..][..length]);
            }
            leaf.join(self.rows, samples, length, lists);
            stage.advance(samples.len())
        })?;
        let mut places = vec![0; self.rows.len()];
        tree.order.iter().enumerate().for_each(|(place, &i)| places[i as usize] = place);
        let found = |(list, &place): (&mut [Link], &usize)| {
            list.copy_from_slice(&self.next[place * length..][..length]);
        };
        self.lists.par_chunks_mut(length).zip(&places).for_each(found);
        Ok(())
    }

    /// Rounds until the goal is reached or hardly anything is new; whether it is reached.
    fn rounds(&mut self, sight: &Sight, monitor: &dyn Monitor) -> Result<bool> {
        for _ in 0..ROUNDS {
            let stage = Stage::new(monitor, "neighbors of neighbors", self.rows.len())?;
            self.round(&stage)?;
            if self.share(sight) >= sight.recall {
                return Ok(true);
            }
            let new = self.lists.par_iter().filter(|l| l.is_new() && **l != Link::NONE).count();
            if (new as f64) < SETTLED * self.lists.len() as f64 {
                break;
            }
        }
        Ok(false)
    }

    /// Everyone looks at the neighbors of its neighbors.
    fn round(&mut self, stage: &Stage<'_>) -> Result<()> {
        let (n, length) = (self.rows.len(), self.length);
        let of = |i: u32| &self.lists[i as usize * length..][..length];
        let look = |scratch: &mut Scratch, (i, list): (usize, &mut [Link])| {
            let i = i as u32;
            scratch.begin(i, n);
            let own = of(i);
            links(own).for_each(|link| scratch.met[link.index() as usize] = i);
            for link in links(own).take(self.followed) {
                let worth = |l: &&Link| l.is_new() || link.is_new();
                let theirs = links(of(link.index())).take(self.followed).filter(worth);
                theirs.for_each(|l| scratch.meet(i, l.index()));
            }
            scratch.nearest(self.rows, i, own, list);
            stage.advance(1)
        };
        let each = self.next.par_chunks_mut(length).enumerate().with_min_len(TOGETHER);
        each.try_for_each_init(Scratch::default, look)?;
        std::mem::swap(&mut self.lists, &mut self.next);
        Ok(())
    }

    /// Makes the lists twice as long, all links of which are to be looked at again; no, where that would take
    /// too much memory.
    fn widen(&mut self) -> bool {
        let (n, length) = (self.rows.len(), 2 * self.length);
        if length >= n || n * 2 * length * size_of::<Link>() > MOST_BYTES {
            return false;
        }
        let mut lists = vec![Link::NONE; n * length];
        for (wide, list) in lists.chunks_exact_mut(length).zip(self.lists.chunks_exact(self.length)) {
            wide.iter_mut().zip(links(list)).for_each(|(w, l)| *w = Link { tagged: l.tagged | 1, ..*l });
        }
        self.next = vec![Link::NONE; n * length];
        (self.lists, self.length, self.followed) = (lists, length, 2 * self.followed);
        true
    }
}

#[cfg(test)]
#[path = "descent_tests.rs"]
mod tests;
