//! The nearest of a few samples, the landmarks, for everyone: n·a distances in place of n².
//!
//! The same three steps as those of the [search among all](super): products in single precision give every distance up to a
//! proven error, whoever can be among the k nearest is a candidate, and candidates are measured exactly. Samples come in
//! chunks, and what is kept of a chunk are its lists: beside the answer, memory is for one chunk and the landmarks.
//!
//! A landmark is its own nearest landmark, at distance 0.
//!
//! Cost: n·a·m multiplications and additions. Features beyond 512 are summed up for all tiles of a chunk side by side, so that
//! every feature is read once for every chunk.

use rayon::prelude::*;

use super::candidates::{Bounds, Candidates, limit};
use super::exact;
use super::geometry::Geometry;
use super::panels::{Panels, Sizes, product_of_ours};
use super::plan::{HEIGHT, Plan};
use super::real::Real;
use super::scan::{State, View};
use super::sparse::LandmarkRows;
use super::sums::{Sums, depth, tiles_held};
use super::tiles::{batch_bytes, spare_bytes, width_of};
use super::{NeighborLists, PAIRS_AT_A_TIME, Problem, Search};
use crate::Result;
use crate::dataset::Dataset;
use crate::graph::Metric;
use crate::monitor::{Monitor, Stage};
use crate::simd::vectorized;

/// Samples of a chunk, at most.
const CHUNK: usize = 1 << 16;

/// For each of `samples` the `k` nearest of `landmarks`, nearest first, and whoever ties with the last. List number i is that of
/// `samples[i]`; the index of a neighbor is its number among the landmarks. `k` is from 1 to their number.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(crate) fn nearest_landmarks(
    data: &Dataset,
    metric: Metric,
    (samples, landmarks): (&[u32], &[u32]),
    k: usize,
    monitor: &dyn Monitor,
) -> Result<NeighborLists> {
    let codes = vec![0; data.n_samples()];
    let problem = Problem { data, k, codes: &codes, n_classes: 1, sizes: vec![landmarks.len()] };
    let geometry = Geometry::new(data, metric, monitor)?;
    let search = Search { problem, geometry, found: Vec::new(), answers: Vec::new(), crowded: 0, monitor };
    let among =
        Among { rows: search.geometry.rows.as_ref().map(|rows| rows.of(landmarks)), search, landmarks };
    let mut number = vec![0; data.n_samples()];
    landmarks.iter().zip(0..).for_each(|(&i, c)| number[i as usize] = c);
    let mut lists = NeighborLists { n_classes: 1, k, crowded: 0, offsets: vec![0], neighbors: Vec::new() };
    let stage = Stage::new(monitor, "nearest landmarks", samples.len())?;
    for chunk in samples.chunks(among.chunk()) {
        let pairs = among.candidates(chunk)?;
        let sums = exact::pair_sums(data, &among.search.geometry, &pairs, monitor)?;
        for ((i, others), sums) in pairs.iter().zip(sums) {
            let (list, is_crowded) = among.search.best(*i, others, &sums);
            lists.crowded += usize::from(is_crowded);
            lists
                .neighbors
                .extend(list.iter().map(|nb| super::Neighbor { index: number[nb.index as usize], ..*nb }));
            lists.offsets.push(lists.neighbors.len());
        }
        stage.advance(chunk.len())?;
    }
    Ok(lists)
}

/// A search under way.
struct Among<'a> {
    search: Search<'a>,
    /// The landmarks of sparse data, by feature.
    rows: Option<LandmarkRows>,
    landmarks: &'a [u32],
}

/// The candidates of a sample, or `None` where they cannot be told apart.
type Shortlist = Option<Vec<u32>>;

impl Among<'_> {
    /// Samples that are looked at together: what is kept of them while features are summed up is bounded.
    fn chunk(&self) -> usize {
        let (data, a) = (self.search.problem.data, self.landmarks.len());
        let most = if self.search.geometry.afar {
            PAIRS_AT_A_TIME / a
        } else if width_of(data) < data.n_features() {
            let held = tiles_held(data.n_features().div_ceil(width_of(data)));
            batch_bytes(self.search.monitor) / (a.next_multiple_of(HEIGHT) * size_of::<f64>() * held)
        } else {
            CHUNK
        };
        most.clamp(HEIGHT, CHUNK)
    }

    /// For every sample the landmarks that can be among its nearest.
    fn candidates(&self, samples: &[u32]) -> Result<Vec<(u32, Vec<u32>)>> {
        if self.search.geometry.afar {
            return Ok(samples.iter().map(|&i| (i, self.landmarks.to_vec())).collect());
        }
        let mut found = match &self.rows {
            Some(rows) => self.in_rows(rows, samples),
            None => self.in_tiles::<f32>(samples)?,
        };
        let open: Vec<usize> = (0..samples.len()).filter(|&at| found[at].is_none()).collect();
        if self.rows.is_none() && !open.is_empty() {
            let again: Vec<u32> = open.iter().map(|&at| samples[at]).collect();
            open.iter().zip(self.in_tiles::<f64>(&again)?).for_each(|(&at, list)| found[at] = list);
        }
        let all = |list: Shortlist| list.unwrap_or_else(|| self.landmarks.to_vec());
        Ok(samples.iter().zip(found).map(|(&i, list)| (i, all(list))).collect())
    }

    /// By products in the precision `T`.
    fn in_tiles<T: Real>(&self, samples: &[u32]) -> Result<Vec<Shortlist>> {
        let plan = Plan::between(samples, self.landmarks);
        let (m, width) = (self.search.problem.data.n_features(), width_of(self.search.problem.data));
        let mut sizes = Sizes::zeros(plan.order.len());
        let found: Vec<Vec<Shortlist>> = if width >= m {
            let mut panels = self.panels::<T>(&plan);
            panels.read(0..m)?;
            panels.add_sizes(&mut sizes);
            let bounds = self.search.geometry.bounds(&sizes, width + 1);
            let buffer = || vec![T::ZERO; HEIGHT * HEIGHT];
            let of_block = |out: &mut Vec<T>, block: usize| {
                self.scan(&plan, &bounds, block, |landmarks, visit| {
                    panels.multiply((block, landmarks), false, out);
                    visit(out);
                })
            };
            (0..plan.active_blocks).into_par_iter().map_init(buffer, of_block).collect()
        } else {
            let outs = self.summed::<T>(&plan, width, &mut sizes)?;
            let bounds = self.search.geometry.bounds(&sizes, depth(width, m.div_ceil(width)));
            let others = plan.blocks.len() - plan.active_blocks;
            let of_block = |block: usize| {
                self.scan(&plan, &bounds, block, |landmarks, visit| {
                    visit(&outs[block * others + landmarks - plan.active_blocks]);
                })
            };
            (0..plan.active_blocks).into_par_iter().map(of_block).collect()
        };
        Ok(found.into_iter().flatten().collect())
    }

    /// Room for a block of features of the samples and the landmarks.
    fn panels<'p, T: Real>(&'p self, plan: &'p Plan) -> Panels<'p, T> {
        let (search, spare) = (&self.search, spare_bytes(self.search.monitor));
        let data = search.problem.data;
        let size = plan.order.len() * width_of(data);
        Panels::new(data, &search.geometry, plan, product_of_ours(&search.geometry, size, false, spare))
    }

    /// The sums over all features of every block of samples with every block of landmarks.
    fn summed<T: Real>(&self, plan: &Plan, width: usize, sizes: &mut Sizes) -> Result<Vec<Vec<T>>> {
        let m = self.search.problem.data.n_features();
        let tiles: Vec<(usize, usize)> = (0..plan.active_blocks)
            .flat_map(|block| {
                (plan.active_blocks..plan.blocks.len()).map(move |landmarks| (block, landmarks))
            })
            .collect();
        let outs = tiles.iter().map(|&tile| vec![T::ZERO; plan.area(tile)]).collect();
        let mut sums = Sums::new(outs, m.div_ceil(width));
        let mut panels = self.panels::<T>(plan);
        for start in (0..m).step_by(width) {
            panels.read(start..m.min(start + width))?;
            panels.add_sizes(sizes);
            sums.add(&panels, &tiles, start / width, || Ok(()))?;
        }
        Ok(sums.into_tiles())
    }

    /// The candidates of a block of samples; `products` shows those with a block of landmarks.
    fn scan<T: Real>(
        &self,
        plan: &Plan,
        bounds: &Bounds<T>,
        block: usize,
        mut products: impl FnMut(usize, &mut dyn FnMut(&[T])),
    ) -> Vec<Shortlist> {
        let (cut, k) = (&plan.blocks[block], self.search.problem.k);
        let mut state = State::new(cut, &self.search.problem, plan.order.len(), limit(k));
        for landmarks in plan.active_blocks..plan.blocks.len() {
            let others = &plan.blocks[landmarks].positions;
            products(landmarks, &mut |products| {
                let view = View {
                    bounds,
                    products,
                    stride: cut.height(),
                    left: (cut.positions.start, 0, 0..cut.positions.len()),
                    right: (others.start, 0, 0..others.len()),
                    k,
                };
                vectorized!(view.scan(&mut state, None));
            });
        }
        let sample = |candidates: Candidates<T>| {
            let positions = candidates.positions(k, k)?;
            Some(positions.iter().map(|&p| plan.order[p as usize]).collect())
        };
        state.into_candidates().map(sample).collect()
    }

    /// By the non-zeros that samples share with landmarks.
    fn in_rows(&self, landmarks: &LandmarkRows, samples: &[u32]) -> Vec<Shortlist> {
        let Some(rows) = &self.search.geometry.rows else { return vec![None; samples.len()] };
        let geometry = &self.search.geometry;
        let bounds = geometry.sparse_bounds(&rows.norms(geometry.metric), rows.longest());
        let work = |products: &mut Vec<f64>, &sample: &u32| {
            products.fill(0.0);
            rows.products_with(landmarks, geometry.metric, sample as usize, products);
            self.scan_row(&bounds, sample, products)
        };
        samples.par_iter().map_init(|| vec![0.0; self.landmarks.len()], work).collect()
    }

    fn scan_row(&self, bounds: &Bounds<f64>, sample: u32, products: &[f64]) -> Shortlist {
        let (geometry, k) = (&self.search.geometry, self.search.problem.k);
        let factor = |i: u32| geometry.row_factor(i as usize) / geometry.scale;
        let own = factor(sample);
        let mut candidates = Candidates::new(k, limit(k));
        let mut threshold = f64::INFINITY;
        for (&j, &product) in self.landmarks.iter().zip(products) {
            let g = if geometry.metric.info().angles { product * own * factor(j) } else { product };
            let (i, j) = (sample as usize, j as usize);
            let lower = bounds.lower(i, j, g);
            if lower <= threshold
                && let Some(tighter) = candidates.push(lower, bounds.upper(i, j, g), j, k)
            {
                threshold = tighter;
            }
        }
        candidates.positions(k, k)
    }
}
