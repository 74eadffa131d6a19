//! Distances of chosen pairs, feature by feature in double precision.
//!
//! Sums have one fixed order: features in runs of [`BLOCK`], eight lanes in a run (feature j goes to
//! lane j mod 8), lanes added pairwise, runs added one after another. Adding zeros changes nothing,
//! so sparse rows, which meet only their non-zeros, give the same bits.

use rayon::prelude::*;

use super::geometry::Geometry;
use crate::afar::{Far, PairJob, What};
use crate::dataset::{BLOCK, Center, Dataset, ScaledBlock};
use crate::graph::metric::Term;
use crate::in_order::in_order;
use crate::monitor::{Monitor, Stage};
use crate::simd::vectorized;
use crate::{Error, Result};

/// Lanes of a sum.
pub(super) const LANES: usize = 8;

/// Memory for the tiles that are read at a time and their sums, where the limits allow it.
const TILE_BYTES: usize = 128 << 20;
/// Less than this would make for very many passes over the data.
const LEAST_BYTES: usize = 4 << 20;
/// Pairs that other machines are asked for at a time: each is a number for every run of features.
const PAIRS_FROM_AFAR: usize = 1 << 17;
/// Samples that one task reads.
const ROWS_PER_TASK: usize = 4096;
/// Pairs that one task sums up.
const PAIRS_PER_TASK: usize = 16_384;
/// Runs of features whose sums wait to be added up in their order.
const RUNS: usize = 512;

/// For every `(sample, others)`, the sums over the features (see [`Term`]) of the pairs, scaled.
pub(super) fn pair_sums(
    data: &Dataset,
    geometry: &Geometry,
    pairs: &[(u32, Vec<u32>)],
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<f64>>> {
    if let Some(rows) = &geometry.rows {
        return rows.pair_sums(geometry.metric, pairs, monitor);
    }
    if let Some(far) = data.far().filter(|_| geometry.afar) {
        return sums_from_afar(far, geometry, pairs, monitor);
    }
    let mut sums = Vec::with_capacity(pairs.len());
    let stage = Stage::new(monitor, "exact distances", pairs.len())?;
    let (mut met, bytes) = (Met::new(data.n_samples()), tile_bytes(monitor));
    let mut rest = pairs;
    while !rest.is_empty() {
        let (pairs, later) = rest.split_at(met.as_many_as_fit(rest, bytes));
        let places = met.places(pairs);
        let mut found = vec![0.0; count(pairs)];
        let work = |tile: &[f64], sums: &mut [f64]| add_tile(geometry.metric.term(), tile, &places, sums);
        each_run(data, geometry, (&met.rows, bytes), found.len(), work, |run| {
            found.iter_mut().zip(run).for_each(|(sum, part)| *sum += part);
            stage.advance(0)
        })?;
        let mut left = &found[..];
        for (_, others) in pairs {
            let (own, more) = left.split_at(others.len());
            sums.push(own.to_vec());
            left = more;
        }
        stage.advance(pairs.len())?;
        rest = later;
    }
    Ok(sums)
}

/// How many pairs there are in some lists.
fn count(lists: &[(u32, Vec<u32>)]) -> usize {
    lists.iter().map(|(_, others)| others.len()).sum()
}

/// The same by other machines: the sums of every run of [`BLOCK`] features come from there, and are added up in the order of
/// the features, as here.
fn sums_from_afar(
    far: Far<'_>,
    geometry: &Geometry,
    pairs: &[(u32, Vec<u32>)],
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<f64>>> {
    let mut sums = Vec::with_capacity(pairs.len());
    let mut rest = pairs;
    while !rest.is_empty() {
        let mut count = 0;
        let fits = rest.iter().take_while(|pair| {
            count += pair.1.len();
            count <= PAIRS_FROM_AFAR
        });
        let (now, later) = rest.split_at(fits.count().max(1));
        let job = PairJob { metric: geometry.metric, scale: geometry.scale, pairs: now.to_vec() };
        let found = far.ask(What::Pairs(job), "exact distances", monitor)?;
        let mut at = 0;
        for (_, others) in now {
            let some = found.get(at..at + others.len()).ok_or_else(too_few_sums)?;
            sums.push(some.to_vec());
            at += others.len();
        }
        rest = later;
    }
    Ok(sums)
}

fn too_few_sums() -> Error {
    Error::Columns("other machines answered with too few sums of pairs".into())
}

/// What a share of the columns adds to the sums of some pairs: a row of sums for every run of [`BLOCK`] features. See
/// [`afar`](crate::afar).
///
/// # Errors
/// The columns cannot be read.
pub(crate) fn pair_runs(data: &Dataset, job: &PairJob) -> Result<Vec<f64>> {
    let geometry = Geometry::of_share(data, job.metric, job.scale, Vec::new());
    let mut met = Met::new(data.n_samples());
    met.collect(&job.pairs);
    let (width, places) = (count(&job.pairs), met.places(&job.pairs));
    let mut rows = Vec::with_capacity(data.n_features().div_ceil(BLOCK) * width);
    let work = |tile: &[f64], sums: &mut [f64]| add_tile(job.metric.term(), tile, &places, sums);
    each_run(data, &geometry, (&met.rows, TILE_BYTES), width, work, |run| {
        rows.extend_from_slice(run);
        Ok(())
    })?;
    Ok(rows)
}

/// The samples that some pairs are made of.
struct Met {
    rows: Vec<u32>,
    /// The place of every sample among the rows; meaningless for one that is not there.
    place: Vec<u32>,
}

impl Met {
    fn new(n_samples: usize) -> Self {
        Met { rows: Vec::new(), place: vec![u32::MAX; n_samples] }
    }

    /// Collects the samples of the first lists until a tile of them, or the sums of their pairs, would take too much memory, and
    /// returns how many lists that are; one at least.
    fn as_many_as_fit(&mut self, lists: &[(u32, Vec<u32>)], bytes: usize) -> usize {
        let (most_rows, most_pairs) = (bytes / (BLOCK * size_of::<f64>()), bytes / size_of::<f64>());
        self.rows.drain(..).for_each(|i| self.place[i as usize] = u32::MAX);
        let mut pairs = 0;
        for (at, (_, others)) in lists.iter().enumerate() {
            let new = others.iter().filter(|&&j| self.place[j as usize] == u32::MAX).count();
            pairs += others.len();
            if at > 0 && (pairs > most_pairs || new > 0 && self.rows.len() + new >= most_rows) {
                return at;
            }
            self.collect(&lists[at..=at]);
        }
        lists.len()
    }

    /// The pairs, with places for samples. The rows are put in the order of the samples first: what lies together is read
    /// together.
    fn places(&mut self, pairs: &[(u32, Vec<u32>)]) -> Vec<(u32, Vec<u32>)> {
        self.rows.sort_unstable();
        self.rows.iter().zip(0..).for_each(|(&i, place)| self.place[i as usize] = place);
        let place = |i: &u32| self.place[*i as usize];
        pairs.iter().map(|(i, others)| (place(i), others.iter().map(place).collect())).collect()
    }

    /// Collects the samples of all pairs.
    fn collect(&mut self, pairs: &[(u32, Vec<u32>)]) {
        for &sample in pairs.iter().flat_map(|(i, others)| others.iter().chain([i])) {
            if self.place[sample as usize] == u32::MAX {
                self.place[sample as usize] = self.rows.len() as u32;
                self.rows.push(sample);
            }
        }
    }
}

/// Σ x² of every row, scaled, in the order of [`pair_sums`].
pub(super) fn row_squares(data: &Dataset, geometry: &Geometry, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    if geometry.afar {
        let with_itself: Vec<(u32, Vec<u32>)> =
            super::everyone(data.n_samples()).into_iter().map(|i| (i, vec![i])).collect();
        return Ok(pair_sums(data, geometry, &with_itself, monitor)?.concat());
    }
    let mut squares = vec![0.0; data.n_samples()];
    let everyone = super::everyone(data.n_samples());
    let bytes = tile_bytes(monitor);
    let most = bytes / (BLOCK * size_of::<f64>());
    for (squares, rows) in squares.chunks_mut(most).zip(everyone.chunks(most)) {
        let work = |tile: &[f64], sums: &mut [f64]| {
            sums.par_iter_mut()
                .zip(tile.as_chunks::<BLOCK>().0)
                .with_min_len(ROWS_PER_TASK)
                .for_each(|(square, row)| *square += run_sum(row, row, |a, b| a * b));
        };
        each_run(data, geometry, (rows, bytes), rows.len(), work, |run| {
            squares.iter_mut().zip(run).for_each(|(square, part)| *square += part);
            Ok(())
        })?;
    }
    Ok(squares)
}

/// The lanes of a run, added pairwise.
#[inline(always)]
pub(super) fn total(lanes: [f64; LANES]) -> f64 {
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

/// Memory for tiles within the limits. Every pair is summed in the same order whatever it is.
fn tile_bytes(monitor: &dyn Monitor) -> usize {
    let share = usize::try_from(monitor.limits().left() / 4).unwrap_or(usize::MAX);
    share.clamp(LEAST_BYTES, TILE_BYTES)
}

/// Calls `work` on a tile of some samples for every run of features, values scaled, to add its sums to so many zeros; and `add` with
/// these, in the order of the features. Tiles and sums take about so many bytes together, or those of one run.
///
/// What is read of a run is summed up while it is in the cache of the processor that read it, and whoever reads a run goes on with
/// those that were read with it.
fn each_run(
    data: &Dataset,
    geometry: &Geometry,
    (rows, bytes): (&[u32], usize),
    n_sums: usize,
    work: impl Fn(&[f64], &mut [f64]) + Sync,
    mut add: impl FnMut(&[f64]) -> Result<()>,
) -> Result<()> {
    let m = data.n_features();
    let starts: Vec<usize> = (0..m).step_by(BLOCK).collect();
    let (tile, sums) = (rows.len() * BLOCK * size_of::<f64>(), n_sums * size_of::<f64>());
    let most = data.desks().len().min(starts.len()).max(1);
    let n_tiles = (bytes / (tile + sums).max(1)).clamp(1, most);
    let mut tiles = vec![vec![0.0; rows.len() * BLOCK]; n_tiles];
    let fit = bytes.saturating_sub(n_tiles * tile) / sums.max(1);
    // Where few sums fit, everybody still has some.
    let together = (data.at_a_time() / BLOCK).min((fit / n_tiles).max(1));
    let fit = fit.min(RUNS.max(n_tiles * together));
    let whole = if fit > together { fit / together * together } else { fit };
    let mut found = vec![vec![0.0; n_sums]; whole.max(n_tiles).min(starts.len())];
    for starts in starts.chunks(found.len()) {
        let runs = starts.chunks(together).zip(found.chunks_mut(together));
        in_order(&mut tiles, runs, |tile, (starts, found)| {
            for (&start, sums) in starts.iter().zip(found) {
                let block = data.read(start..m.min(start + BLOCK))?;
                pick(block, geometry.scale, rows, tile);
                sums.fill(0.0);
                work(tile, sums);
            }
            Ok(())
        })?;
        for run in &found[..starts.len()] {
            add(run)?;
        }
    }
    Ok(())
}

/// The values of some samples, scaled.
fn pick(mut block: ScaledBlock<'_>, scale: f64, rows: &[u32], tile: &mut [f64]) {
    let is_scaled = block.multiply(scale);
    let tasks = tile.par_chunks_mut(ROWS_PER_TASK * BLOCK).zip(rows.par_chunks(ROWS_PER_TASK));
    tasks.for_each(|(tile, rows)| {
        block.pack_rows(0..block.width(), rows, BLOCK, Center::AsScaled, tile);
        if !is_scaled {
            tile.iter_mut().for_each(|v| *v *= scale);
        }
    });
}

/// Adds what a tile has to the sums of lists of pairs, which name the rows of the tile.
fn add_tile(term: Term, tile: &[f64], lists: &[(u32, Vec<u32>)], sums: &mut [f64]) {
    if sums.len() > PAIRS_PER_TASK && lists.len() > 1 {
        let (some, others) = lists.split_at(lists.len() / 2);
        let (left, right) = sums.split_at_mut(count(some));
        rayon::join(|| add_tile(term, tile, some, left), || add_tile(term, tile, others, right));
        return;
    }
    // The term is chosen out here so that each loop inside is one kind of arithmetic.
    vectorized!(match term {
        Term::Square => add_lists(tile, lists, sums, |a, b| Term::Square.of(a, b)),
        Term::Magnitude => add_lists(tile, lists, sums, |a, b| Term::Magnitude.of(a, b)),
        Term::Product => add_lists(tile, lists, sums, |a, b| Term::Product.of(a, b)),
    });
}

#[inline(always)]
fn add_lists(
    tile: &[f64],
    lists: &[(u32, Vec<u32>)],
    sums: &mut [f64],
    term: impl Fn(f64, f64) -> f64 + Copy,
) {
    let mut sums = sums.iter_mut();
    for (i, others) in lists {
        let x = row(tile, *i);
        for (&j, sum) in others.iter().zip(&mut sums) {
            *sum += run_sum(x, row(tile, j), term);
        }
    }
}

#[inline(always)]
fn run_sum(x: &[f64; BLOCK], y: &[f64; BLOCK], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (x, y) = (x.as_chunks::<LANES>().0, y.as_chunks::<LANES>().0);
    let mut lanes = [0.0; LANES];
    for run in 0..BLOCK / LANES {
        for l in 0..LANES {
            lanes[l] += term(x[run][l], y[run][l]);
        }
    }
    total(lanes)
}

#[inline(always)]
fn row(tile: &[f64], i: u32) -> &[f64; BLOCK] {
    &tile.as_chunks::<BLOCK>().0[i as usize]
}
