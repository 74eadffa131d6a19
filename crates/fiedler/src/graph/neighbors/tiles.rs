//! The dense search: all pairs in working precision, tile by tile.
//!
//! Samples are sorted by class and cut into blocks of at most [`HEIGHT`]; a *tile* is the product
//! of two blocks. Distances are symmetric, so a tile serves the rows of both its blocks and only
//! half of all tiles are computed. A tile fits the cache that the processor does not share, and is
//! [scanned](super::scan) while it is still there.
//!
//! Features come in blocks of at most [`WIDTH`]. Where there are several, as many tiles as fit
//! [`BATCH_BYTES`] are summed up side by side, so that memory stays bounded however many features
//! and samples there are: for up to some ten thousand samples every feature is read once, beyond
//! that once for every batch.

use std::sync::Mutex;

use rayon::prelude::*;

use super::candidates::{limit, lower_limit};
use super::geometry::Geometry;
use super::panels::{COPIES, Panels, Sizes, product_of_ours};
use super::plan::{HEIGHT, Plan};
use super::real::Real;
use super::resume::{Keeper, Reached};
use super::scan::{State, collect, scan};
use super::strips::Product;
use super::sums::{Sums, depth, tiles_held};
use super::{Problem, Shortlist, whole};
use crate::afar::{TileJob, What};
use crate::dataset::{BLOCK, Dataset, hashed};
use crate::monitor::{Monitor, Silent, Stage};
use crate::{Error, Result};

/// Features in a block: many enough for an efficient product, few enough for a tight error bound.
const WIDTH: usize = 512;
/// Memory for tiles that are being summed up, where the limits allow it.
const BATCH_BYTES: usize = 128 << 20;
/// Most that a block of features takes which is read while another is multiplied: of more samples the products are long, and nobody
/// waits much.
const AHEAD_BYTES: usize = 16 << 20;

/// For every sample of `active` its candidates in all classes, by products of `whole` numbers or of numbers in the precision `T`.
pub(super) fn search<T: Real>(
    problem: &Problem<'_>,
    geometry: &Geometry,
    active: &[u32],
    whole: bool,
    monitor: &dyn Monitor,
) -> Result<Vec<Shortlist>> {
    let plan = Plan::new(problem, active);
    let most = if whole { lower_limit(problem.k, problem.codes.len()) } else { limit(problem.k) };
    let states: Vec<Mutex<State<T>>> =
        plan.blocks.iter().map(|b| Mutex::new(State::new(b, problem, active.len(), most))).collect();
    let m = problem.data.n_features();
    let pass = Pass::new(problem, geometry, (&plan, &states, active.len()), whole, spare_bytes(monitor));
    let width = pass.width;
    if geometry.afar {
        pass.asked_of_others(active, monitor)?
    } else if width >= m {
        pass.at_once(monitor)?
    } else {
        pass.in_batches(monitor)?
    }
    Ok(collect(&plan, problem, states, active.len()))
}

/// One pass over all pairs.
struct Pass<'a, T> {
    problem: &'a Problem<'a>,
    geometry: &'a Geometry,
    plan: &'a Plan,
    states: &'a [Mutex<State<T>>],
    /// Samples that search: the first of the plan.
    active: usize,
    /// Features in a block.
    width: usize,
    /// A product of ours, where there is one.
    product: Option<Product<T>>,
    /// Whether other machines may take whole numbers.
    whole: bool,
    /// Whether a block of features is read while the one before it is multiplied. It takes room for two.
    fills_ahead: bool,
}

impl<'a, T: Real> Pass<'a, T> {
    /// A block may take so many bytes to `spare` more than it must.
    fn new(
        problem: &'a Problem<'a>,
        geometry: &'a Geometry,
        (plan, states, active): (&'a Plan, &'a [Mutex<State<T>>], usize),
        whole: bool,
        spare: usize,
    ) -> Self {
        let width = width_of(problem.data);
        let numbers = plan.order.len() * width;
        let product = product_of_ours(geometry, numbers, whole, spare);
        let fills_ahead = fills_ahead::<T>(numbers, spare);
        Pass { problem, geometry, plan, states, active, width, product, whole, fills_ahead }
    }

    /// Another number for a pass by other products, or of samples in another order: sums and candidates are of use to none but the same.
    fn fingerprint(&self) -> f64 {
        let numbers = [usize::from(T::DOUBLE), self.rounded_together(), self.problem.k, self.active];
        let samples = self.plan.order.iter().flat_map(|&i| [i, self.problem.codes[i as usize]]);
        let words = numbers.into_iter().map(|number| number as u64).chain(samples.map(u64::from));
        // As many bits as a number in double precision has.
        (hashed(words) >> 12) as f64
    }

    /// Features whose products are added up before there is a rounding.
    fn rounded_together(&self) -> usize {
        self.product.map_or(1, |product| product.exact)
    }

    /// How many numbers are added one after another, with a rounding each: those of a block where features are in `n_blocks`.
    fn depth(&self, n_blocks: usize) -> usize {
        depth(self.width.div_ceil(self.rounded_together()), n_blocks)
    }

    /// All features in one block: a tile is finished as soon as it is computed.
    fn at_once(&self, monitor: &dyn Monitor) -> Result<()> {
        let tiles = self.plan.tiles();
        let stage = Stage::new(monitor, "neighbors", tiles.len())?;
        let mut sizes = Sizes::zeros(self.plan.order.len());
        let mut panels = self.panels();
        panels.read(0..self.problem.data.n_features())?;
        panels.add_sizes(&mut sizes);
        let bounds = self.geometry.bounds(&sizes, self.depth(1));
        tiles.par_iter().try_for_each_init(
            || vec![T::ZERO; HEIGHT * HEIGHT],
            |out, &tile| {
                panels.multiply(tile, false, out);
                scan(self.plan, &bounds, self.states, tile, out, self.problem.k);
                stage.advance(1)
            },
        )
    }

    /// Block of features by block of features, for as many tiles as memory allows.
    fn in_batches(&self, monitor: &dyn Monitor) -> Result<()> {
        let (tiles, m) = (self.plan.tiles(), self.problem.data.n_features());
        let n_blocks = m.div_ceil(self.width);
        let stage = Stage::new(monitor, "neighbors", tiles.len() * n_blocks)?;
        let mut sizes = Sizes::zeros(self.plan.order.len());
        let keeper = Keeper::of(monitor, batch_bytes(monitor), self.fingerprint());
        let size = per_batch::<T>(batch_bytes(monitor), n_blocks);
        let batch_of = |b: usize| tiles.chunks(size).nth(b).map_or(0, <[_]>::len);
        let reached = keeper.as_ref().and_then(|keeper| keeper.resume(&mut sizes, self.states, &batch_of));
        let mut reached = reached.unwrap_or(Reached { batch: 0, start: 0, outs: Vec::new() });
        let first = reached.batch;
        stage.advance(first * size * n_blocks)?;
        for (b, batch) in tiles.chunks(size).enumerate().skip(first) {
            let reached =
                std::mem::replace(&mut reached, Reached { batch: b + 1, start: 0, outs: Vec::new() });
            let mut outs = self.summed(batch, (&mut sizes, reached), keeper.as_ref(), &stage)?;
            let bounds = self.geometry.bounds(&sizes, self.depth(n_blocks));
            outs.par_iter_mut().zip(batch).for_each(|(out, &tile)| {
                scan(self.plan, &bounds, self.states, tile, out, self.problem.k);
            });
        }
        Ok(())
    }

    /// The sums of some tiles over all features, from where they are; those of the first batch see to the sizes.
    fn summed(
        &self,
        batch: &[(usize, usize)],
        (sizes, Reached { batch: at, start: first, mut outs }): (&mut Sizes, Reached<T>),
        keeper: Option<&Keeper<'_>>,
        stage: &Stage<'_>,
    ) -> Result<Vec<Vec<T>>> {
        let m = self.problem.data.n_features();
        if outs.len() != batch.len() {
            outs = vec![vec![T::ZERO; HEIGHT * HEIGHT]; batch.len()];
        }
        stage.advance(first / self.width * batch.len())?;
        let mut sums = Sums::new(outs, m.div_ceil(self.width));
        let range = |start: usize| start..m.min(start + self.width);
        let mut starts = (first..m).step_by(self.width).peekable();
        let (mut panels, mut next) = (self.panels(), self.panels());
        if let Some(&start) = starts.peek() {
            panels.read(range(start))?;
        }
        while let Some(start) = starts.next() {
            let block = start / self.width;
            if at == 0 {
                panels.add_sizes(sizes);
            }
            let mut add = || sums.add(&panels, batch, block, || stage.advance(1));
            let read = match starts.peek() {
                Some(&later) if self.fills_ahead => {
                    let (added, read) = rayon::join(add, || next.read(range(later)));
                    added?;
                    std::mem::swap(&mut panels, &mut next);
                    read
                }
                later => {
                    add()?;
                    later.map_or(Ok(()), |&later| panels.read(range(later)))
                }
            };
            if let Some(keeper) = keeper.filter(|_| sums.is_at_rest(block)) {
                let end = range(start).end;
                keeper.keep(end == m, (at, end), sizes, self.states, sums.tiles())?;
            }
            read?;
        }
        Ok(sums.into_tiles())
    }

    /// All tiles, summed over the features by other machines.
    fn asked_of_others(&self, active: &[u32], monitor: &dyn Monitor) -> Result<()> {
        let (data, n) = (self.problem.data, self.plan.order.len());
        let Some(far) = data.far() else { return self.in_batches(monitor) };
        let job = TileJob {
            metric: self.geometry.metric,
            double: T::DOUBLE,
            whole: self.whole,
            scale: self.geometry.scale,
            squares: self.geometry.squares().to_vec(),
            codes: self.problem.codes.to_vec(),
            searching: active.to_vec(),
        };
        let sums = far.ask(What::Tiles(job), "neighbors", monitor)?;
        let tiles = self.plan.tiles();
        let mut ends = vec![2 * n];
        ends.extend(tiles.iter().scan(2 * n, |end, &tile| {
            *end += self.plan.area(tile);
            Some(*end)
        }));
        let expected = ends[tiles.len()];
        if sums.len() != expected {
            return Err(Error::Length { what: "sums over all pairs", expected, got: sums.len() });
        }
        let sizes = Sizes { norms: sums[..n].to_vec(), lost: sums[n..2 * n].to_vec() };
        let bounds = self.geometry.bounds(&sizes, depth_from_afar::<T>(data.n_features()));
        tiles.par_iter().enumerate().for_each(|(at, &tile)| {
            let mut out: Vec<T> = sums[ends[at]..ends[at + 1]].iter().map(|&v| T::narrow(v)).collect();
            scan(self.plan, &bounds, self.states, tile, &mut out, self.problem.k);
        });
        Ok(())
    }

    /// Room for a block of features.
    fn panels(&self) -> Panels<'_, T> {
        Panels::new(self.problem.data, self.geometry, self.plan, self.product)
    }
}

/// How many numbers are added one after another where shares of the features are summed elsewhere: those of a block, the blocks
/// of a share, and in double precision the shares, of which there are at most as many as there are runs of features.
fn depth_from_afar<T: Real>(n_features: usize) -> usize {
    let shares = if T::DOUBLE { n_features.div_ceil(BLOCK) } else { 1 };
    depth(WIDTH, n_features.div_ceil(WIDTH)) + shares + 2
}

/// Memory for tiles within the limits; less would make for very many passes over the data. A power of two, or what is kept of a
/// pass would be of no use to a run that has a little more or less.
pub(super) fn batch_bytes(monitor: &dyn Monitor) -> usize {
    let share = usize::try_from(monitor.limits().left() / 4).unwrap_or(usize::MAX);
    1 << share.clamp(BATCH_BYTES / 32, BATCH_BYTES).ilog2()
}

/// Whether the search begins with whole numbers: where they pay, and there is room to lay them out.
pub(super) fn begins_with_whole_numbers(data: &Dataset, geometry: &Geometry, monitor: &dyn Monitor) -> bool {
    let numbers = data.n_samples() * width_of(data);
    whole::pays(data, geometry.metric)
        && (geometry.afar || product_of_ours::<f32>(geometry, numbers, true, spare_bytes(monitor)).is_some())
}

/// Bytes that blocks of features may take more than they must.
pub(super) fn spare_bytes(monitor: &dyn Monitor) -> usize {
    usize::try_from(monitor.limits().left() / 8).unwrap_or(usize::MAX)
}

/// Whether a block of so many numbers is read ahead: where somebody else multiplies meanwhile, and there are bytes to `spare`.
fn fills_ahead<T: Real>(numbers: usize, spare: usize) -> bool {
    rayon::current_num_threads() > 1 && COPIES * numbers * size_of::<T>() <= AHEAD_BYTES.min(spare)
}

/// Tiles that are summed up together.
fn per_batch<T: Real>(bytes: usize, n_blocks: usize) -> usize {
    (bytes / (HEIGHT * HEIGHT * size_of::<T>() * tiles_held(n_blocks))).max(1)
}

/// What a share of the features adds to all tiles: the norms of the samples, what rounding took of them, then tile after tile. See
/// [`afar`](crate::afar).
///
/// # Errors
/// The columns cannot be read.
pub(crate) fn tile_sums(data: &Dataset, job: &TileJob) -> Result<Vec<f64>> {
    if job.double { sums_of::<f64>(data, job) } else { sums_of::<f32>(data, job) }
}

fn sums_of<T: Real>(data: &Dataset, job: &TileJob) -> Result<Vec<f64>> {
    let problem = Problem { data, k: 1, codes: &job.codes, n_classes: 1, sizes: Vec::new() };
    let geometry = Geometry::of_share(data, job.metric, job.scale, job.squares.clone());
    let plan = Plan::new(&problem, &job.searching);
    let pass = Pass::<T>::new(&problem, &geometry, (&plan, &[], job.searching.len()), job.whole, usize::MAX);
    let stage = Stage::new(&Silent, "neighbors", 0)?;
    let mut sizes = Sizes::zeros(data.n_samples());
    let tiles = plan.tiles();
    let area: usize = tiles.iter().map(|&tile| plan.area(tile)).sum();
    // The sizes come first, and are known last.
    let n = data.n_samples();
    let mut sums = Vec::with_capacity(2 * n + area);
    sums.resize(2 * n, 0.0);
    let size = per_batch::<T>(BATCH_BYTES, data.n_features().div_ceil(pass.width));
    for (b, batch) in tiles.chunks(size).enumerate() {
        let begin = Reached { batch: b, start: 0, outs: Vec::new() };
        let outs = pass.summed(batch, (&mut sizes, begin), None, &stage)?;
        for (out, &tile) in outs.iter().zip(batch) {
            sums.extend(out[..plan.area(tile)].iter().map(|v| v.wide()));
        }
    }
    sums[..n].copy_from_slice(&sizes.norms);
    sums[n..2 * n].copy_from_slice(&sizes.lost);
    Ok(sums)
}

/// Features in a block.
pub(super) fn width_of(data: &Dataset) -> usize {
    let m = data.n_features();
    m.div_ceil(m.div_ceil(WIDTH)).next_multiple_of(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Metric;

    /// Sums of one pass are of no use to another: of other products, or of samples in another order.
    #[test]
    fn passes_that_differ_have_other_fingerprints() {
        let rows: Vec<Vec<f64>> = (0..9).map(|i| (0..300).map(|j| (i * j % 7) as f64).collect()).collect();
        let data = Dataset::from_rows(&rows).expect("finite");
        let geometry = Geometry::new(&data, Metric::Euclidean, &Silent).expect("in memory");
        let (same, two) = (vec![0; 9], vec![0, 0, 0, 0, 1, 1, 1, 1, 1]);
        fn of<T: Real>(
            data: &Dataset,
            geometry: &Geometry,
            codes: &[u32],
            active: &[u32],
            k: usize,
            whole: bool,
        ) -> f64 {
            let problem = Problem { data, k, codes, n_classes: 2, sizes: vec![4, 5] };
            let plan = Plan::new(&problem, active);
            Pass::<T>::new(&problem, geometry, (&plan, &[], active.len()), whole, usize::MAX).fingerprint()
        }
        let all: Vec<u32> = (0..9).collect();
        let first = of::<f32>(&data, &geometry, &same, &all, 3, false);
        assert_eq!(first, of::<f32>(&data, &geometry, &same, &all, 3, false));
        let mut others = vec![
            of::<f64>(&data, &geometry, &same, &all, 3, false),
            of::<f32>(&data, &geometry, &two, &all, 3, false),
            of::<f32>(&data, &geometry, &same, &all, 4, false),
            of::<f32>(&data, &geometry, &same, &all[..5], 3, false),
            of::<f32>(&data, &geometry, &same, &all[4..], 3, false),
        ];
        if whole::pays(&data, Metric::Euclidean) {
            others.push(of::<f32>(&data, &geometry, &same, &all, 3, true));
        }
        assert!(others.iter().all(|&other| other != first && other.fract() == 0.0), "{first} {others:?}");
    }
}
