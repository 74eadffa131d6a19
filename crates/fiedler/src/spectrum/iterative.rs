//! Leading eigenpairs of a large graph, matrix-free.
//!
//! The smallest eigenvalues λ of N are the largest of M = I - N, 1 - λ. Those at λ = 0 are known
//! ([`NullSpace`]) and taken out of every vector. The rest comes from the Krylov space of one vector
//! ([`Lanczos`]) where a few hundred steps do, which is so for most graphs of neighbors; where they
//! do not, from a block Krylov space ([`Krylov`]) of a Chebyshev polynomial of M ([`Lift`]), which
//! begins with what was found.
//!
//! **Why a polynomial.** Where the wanted eigenvalues crowd below 1 (long thin data, very many
//! samples), a Krylov space of M would need thousands of vectors, more than fit into memory.
//! A polynomial that stays within ±1 on the unwanted -1..c and rises steeply above c spreads the
//! wanted ones out at the price of products alone. c comes from the space itself: the Ritz values
//! of any space lie below the eigenvalues of the same rank, so the last of those kept is a c that
//! never cuts off a wanted pair. The search begins with the one that the first space shows and moves it
//! when a full space shows that another serves better.
//!
//! **Why to believe it.** Residuals ‖Mξ - μξ‖ are computed at the end from the vectors themselves.
//! They tell that every pair is right, not that none is missing. A probe therefore looks in the
//! orthogonal complement of what was found: there the largest eigenvalue is at most the last one found
//! exactly if nothing was missed. What the probe finds is solved for, inserted, and probed again. This
//! is what finds the copies of an eigenvalue, of which one vector sees one and a block as many as it
//! has vectors, as many equal components have them. The probe is some dozen steps from one random
//! vector, as many as show a pair that lies above the last by a tenth of the range of those found. It
//! sees the largest eigenvalue from below: strong evidence, not proof. A pair missed by a hair above
//! the last one found could escape it.
//!
//! **Cost**: one product and some ten numbers a sample for every step of the first space, of at most 320
//! vectors and 512 MB. After that a polynomial (degree 5 to 64) and four passes over the basis per block of
//! four vectors; a basis of about 2.25·count, at least count + 56, vectors in memory.
//!
//! **When it fails**: long chains and rings of many thousand samples have eigenvalues closer than
//! any polynomial of reasonable degree separates. All loops are capped and end in
//! [`Error::NotConverged`].

use faer::{Mat, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::krylov::{Basis, Krylov, Ritz, Tile};
use super::lanczos::Lanczos;
use super::null::NullSpace;
use super::simple::Simple;
use super::walk::{Lift, Walk};
use super::{EQUAL, NormalizedLaplacian, Spectrum};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Largest residual of a pair that is returned.
pub(super) const TOLERANCE: f64 = 1e-10;
/// Vectors in a block. More make better use of a pass over the graph, fewer of a product.
pub(super) const BLOCK: usize = 4;
/// Ritz vectors kept at a restart beyond those wanted, at least.
const MIN_SPARE: usize = 8;
/// Room of the space beyond what a restart keeps, at least.
const MIN_GROWTH: usize = 48;
/// A residual this large is far from the end of the search.
const FAR: f64 = 1e-2;
/// Steps of the probe for missed pairs, at least and at most.
const PROBE_STEPS: (usize, usize) = (16, 256);
/// The share of the range of the pairs found, by which one that was missed lies above the last where the
/// probe is to see it.
const PROBED: f64 = 0.1;
/// Blocks in all before the search is given up.
const MAX_BLOCKS: usize = 4000;
/// Searches for missed pairs before giving up.
const MAX_PROBES: usize = 64;

/// The `count` leading eigenpairs, of a graph without negative weights whose `count` is a small
/// part of n.
pub(super) fn solve(
    operator: &NormalizedLaplacian<'_>,
    null: &NullSpace,
    count: usize,
    monitor: &dyn Monitor,
) -> Result<Spectrum> {
    // All in the pool: else every short piece of work would be handed to it and waited for.
    rayon::scope(|_| solve_within(operator, null, count, MAX_BLOCKS, monitor))
}

fn solve_within(
    operator: &NormalizedLaplacian<'_>,
    null: &NullSpace,
    count: usize,
    max_blocks: usize,
    monitor: &dyn Monitor,
) -> Result<Spectrum> {
    let known = null.dimension().min(count);
    let stage = Stage::new(monitor, "eigenvectors", count)?;
    stage.advance(known)?;
    let mut solver = Solver {
        walk: Walk::new(operator),
        null,
        n: operator.n_samples(),
        stage,
        told: 0,
        worst: f64::INFINITY,
        blocks: 0,
        max_blocks,
        rng: ChaCha8Rng::seed_from_u64(0x9e37_79b9),
    };
    let pairs = if known < count { solver.all(count - known)? } else { Vec::new() };
    Ok(assemble(operator, null, known, &pairs))
}

/// An eigenpair of M.
pub(super) struct Pair {
    value: f64,
    vector: Vec<f64>,
    pub(super) residual: f64,
}

pub(super) struct Solver<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) null: &'a NullSpace,
    pub(super) n: usize,
    stage: Stage<'a>,
    /// Pairs the monitor knows of.
    told: usize,
    /// The largest residual at the last look.
    pub(super) worst: f64,
    /// Steps so far, of one vector or of a block.
    blocks: usize,
    max_blocks: usize,
    pub(super) rng: ChaCha8Rng,
}

impl Solver<'_> {
    /// The `want` largest pairs of M outside the null space of N, largest first.
    fn all(&mut self, want: usize) -> Result<Vec<Pair>> {
        let nothing = Basis::new(self.n, 0);
        let mut pairs = match self.simply(want)? {
            Simple::Pairs(pairs) => pairs,
            Simple::Start(start) => self.search(want, start, &nothing)?,
        };
        for _ in 0..MAX_PROBES {
            let missing = self.probe(&pairs)?;
            if missing == 0 {
                return Ok(pairs);
            }
            let locked = self.lock(&pairs);
            // Where one was missed there may be more, and a block finds several as fast as one.
            pairs.extend(self.search(missing.max(BLOCK.min(want)), None, &locked)?);
            // Stable: among equal eigenvalues the first found stays first.
            pairs.sort_by(|a, b| b.value.total_cmp(&a.value));
            pairs.truncate(want);
        }
        Err(self.failed())
    }

    /// How many pairs above the last of `pairs` a short look into the complement finds.
    fn probe(&mut self, pairs: &[Pair]) -> Result<usize> {
        let (Some(first), Some(last)) = (pairs.first(), pairs.last()) else { return Ok(0) };
        // T_s(μ)² has to make up for the random vector's share 1/n of the missed one.
        let seen = PROBED * (first.value - last.value).max(EQUAL);
        let rate = (1.0 + 2.0 * seen / (last.value + 1.0).max(EQUAL)).acosh();
        let steps = 0.5 * (4.0 * self.n as f64).ln() / rate;
        let locked = self.lock(pairs);
        let start = Tile::random(self.n, &mut self.rng);
        let (walk, null) = (&self.walk, self.null);
        let mut space = Lanczos::new(walk, start, false, |tile| purge(null, &locked, tile));
        for _ in 0..(steps as usize).clamp(PROBE_STEPS.0, PROBE_STEPS.1) {
            self.stage.advance(0)?;
            space.step();
            if space.is_closed() {
                break;
            }
        }
        let found = space.ritz().ok_or_else(|| self.failed())?;
        Ok(found.values.iter().filter(|&&value| value > last.value + EQUAL).count())
    }

    /// The `want` largest pairs orthogonal to those locked.
    fn search(
        &mut self,
        want: usize,
        start: Option<(Tile<BLOCK>, Lift)>,
        locked: &Basis,
    ) -> Result<Vec<Pair>> {
        let keep = kept(want);
        let capacity = (keep + MIN_GROWTH.max(want)).next_multiple_of(BLOCK);
        let (start, mut lift) = start.map_or((None, Lift::first()), |(start, lift)| (Some(start), lift));
        let mut accepted = 10.0 * TOLERANCE;
        let mut space = self.space::<BLOCK>(capacity, start, locked);
        loop {
            self.expand(&mut space, lift, locked)?;
            if space.basis().columns() < keep {
                continue;
            }
            let ritz = self.ritz(&space)?;
            if self.progress(&ritz, lift, want)? <= accepted {
                let pairs = self.refine(self.vectors(&space, &ritz, want))?;
                if pairs.iter().all(|pair| pair.residual <= TOLERANCE) {
                    return Ok(pairs);
                }
                accepted *= 0.1;
            }
            if space.is_full() {
                // Another polynomial begins another space, which near the end costs more than it gains.
                let seen = [ritz.values[0], ritz.values[want - 1], ritz.values[keep - 1]];
                match lift.moved(seen).filter(|_| self.worst > FAR) {
                    Some(better) => {
                        let start = space.mixture(&ritz, keep);
                        space = self.space(capacity, Some(start), locked);
                        lift = better;
                    }
                    None => space.restart(&ritz, keep),
                }
            }
        }
    }

    /// An empty space, from `start` or from random vectors.
    fn space<const L: usize>(
        &mut self,
        capacity: usize,
        start: Option<Tile<L>>,
        locked: &Basis,
    ) -> Krylov<L> {
        let start = start.unwrap_or_else(|| Tile::random(self.n, &mut self.rng));
        let rng = ChaCha8Rng::from_rng(&mut self.rng);
        Krylov::new(capacity, start, rng, |tile| purge(self.null, locked, tile))
    }

    fn expand<const L: usize>(&mut self, space: &mut Krylov<L>, lift: Lift, locked: &Basis) -> Result<()> {
        self.count()?;
        space.expand(|tile| self.walk.apply(lift, tile), |tile| purge(self.null, locked, tile));
        Ok(())
    }

    /// One more step, where there may be one.
    pub(super) fn count(&mut self) -> Result<()> {
        if self.blocks == self.max_blocks {
            return Err(self.failed());
        }
        self.blocks += 1;
        self.stage.advance(0)
    }

    fn lock(&self, pairs: &[Pair]) -> Basis {
        Basis::from_columns(self.n, pairs.iter().map(|pair| pair.vector.as_slice()))
    }

    fn ritz<const L: usize>(&self, space: &Krylov<L>) -> Result<Ritz> {
        space.ritz().ok_or_else(|| self.failed())
    }

    /// The largest residual with respect to M, estimated, of the first `want` pairs; tells the
    /// monitor how many are good.
    fn progress(&mut self, ritz: &Ritz, lift: Lift, want: usize) -> Result<f64> {
        let estimate = |i: usize| ritz.residuals[i] * lift.contraction(ritz.values[i]);
        self.tell((0..want).map(estimate))
    }

    /// The largest of the residuals; tells the monitor how many pairs are good.
    pub(super) fn tell(&mut self, residuals: impl Iterator<Item = f64> + Clone) -> Result<f64> {
        let good = residuals.clone().take_while(|r| *r <= TOLERANCE).count();
        self.worst = residuals.fold(0.0, f64::max);
        self.stage.advance(good.saturating_sub(self.told))?;
        self.told = self.told.max(good);
        Ok(self.worst)
    }

    /// The first `want` Ritz vectors.
    fn vectors(&self, space: &Krylov<BLOCK>, ritz: &Ritz, want: usize) -> Basis {
        let mut vectors = Basis::new(self.n, want);
        for start in (0..want).step_by(BLOCK) {
            let width = BLOCK.min(want - start);
            let tile: Tile<BLOCK> = space.basis().combine(ritz.vectors.as_ref().subcols(start, width));
            vectors.append(&tile, width);
        }
        vectors
    }

    /// The eigenpairs of M itself in the span of orthonormal vectors: a Rayleigh-Ritz step, with residuals
    /// computed from the vectors.
    pub(super) fn refine(&self, mut vectors: Basis) -> Result<Vec<Pair>> {
        let want = vectors.columns();
        let mut products = Basis::new(self.n, want);
        let mut projected = Mat::zeros(want, want);
        for start in (0..want).step_by(BLOCK) {
            let width = BLOCK.min(want - start);
            let mut tile: Tile<BLOCK> = vectors.tile(start, width);
            self.walk.apply(Lift::None, &mut tile);
            products.append(&tile, width);
            let shares = vectors.dot::<BLOCK>(&tile);
            projected.as_mut().subcols_mut(start, width).copy_from(shares.subcols(0, width));
        }
        let eigen = projected.self_adjoint_eigen(Side::Lower).map_err(|_| self.failed())?;
        vectors.rotate(eigen.U());
        products.rotate(eigen.U());
        let pair = |j: usize| {
            let (value, vector) = (eigen.S().column_vector()[j], vectors.column(j).collect::<Vec<f64>>());
            let square = products.column(j).zip(&vector).map(|(p, v)| (p - value * v).powi(2)).sum::<f64>();
            Pair { value, vector, residual: square.sqrt() }
        };
        Ok((0..want).rev().map(pair).collect())
    }

    pub(super) fn failed(&self) -> Error {
        Error::NotConverged {
            what: "the iterative eigensolver",
            iterations: self.blocks,
            residual: self.worst,
            tolerance: TOLERANCE,
            advice: "ask for fewer pairs, or join the graph better with a larger k",
        }
    }
}

/// Ritz vectors that a restart keeps, where so many pairs are wanted.
pub(super) fn kept(want: usize) -> usize {
    want + MIN_SPARE.max(want / 4)
}

/// Takes the null space and the locked vectors out of a tile.
pub(super) fn purge<const L: usize>(null: &NullSpace, locked: &Basis, tile: &mut Tile<L>) {
    null.project_out(tile);
    if locked.columns() > 0 {
        let shares = locked.dot(tile);
        locked.subtract(&shares, tile);
    }
}

/// Null vectors first, then the pairs found, each with its residual ‖Nξ - λξ‖.
fn assemble(operator: &NormalizedLaplacian<'_>, null: &NullSpace, known: usize, pairs: &[Pair]) -> Spectrum {
    let n = operator.n_samples();
    let mut vectors = Mat::zeros(n, known + pairs.len());
    let (mut values, mut residuals) = (vec![0.0; known], vec![0.0; known]);
    let (mut scratch, mut product) = (vec![0.0; n], vec![0.0; n]);
    for j in 0..known {
        let vector = null.vector(j);
        operator.apply(&vector, 1, &mut scratch, &mut product);
        residuals[j] = product.iter().map(|p| p * p).sum::<f64>().sqrt();
        vectors.col_as_slice_mut(j).copy_from_slice(&vector);
    }
    for (j, pair) in pairs.iter().enumerate() {
        values.push((1.0 - pair.value).max(0.0));
        residuals.push(pair.residual);
        vectors.col_as_slice_mut(known + j).copy_from_slice(&pair.vector);
    }
    Spectrum::new(values, vectors, residuals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::Silent;
    use crate::{Error, Graph};

    #[test]
    fn a_search_that_is_cut_short_is_an_error() {
        let edges: Vec<(usize, usize, f64)> = (1..2000).map(|i| (i - 1, i, 1.0)).collect();
        let graph = Graph::from_edges(&edges, 2000).expect("a path");
        let operator = NormalizedLaplacian::new(&graph);
        let null = NullSpace::new(&operator);
        let found = solve_within(&operator, &null, 5, 20, &Silent);
        assert!(
            matches!(found, Err(Error::NotConverged { iterations: 20, residual, .. }) if residual > 1e-10)
        );
    }

    /// A block of four, started blind, cannot see forty equal eigenvalues; the probe does.
    #[test]
    fn the_probe_sees_what_is_missing() {
        let edges: Vec<(usize, usize, f64)> = (0..40)
            .flat_map(|c| (0..15).flat_map(move |j| (0..j).map(move |i| (15 * c + i, 15 * c + j, 1.0))))
            .chain((1..40).map(|c| (15 * c - 1, 15 * c, 1e-3)))
            .collect();
        let graph = Graph::from_edges(&edges, 600).expect("cliques on a string");
        let operator = NormalizedLaplacian::new(&graph);
        let null = NullSpace::new(&operator);
        let full = solve_within(&operator, &null, 45, MAX_BLOCKS, &Silent).expect("a spectrum");
        // The cliques are the forty smooth vectors: a clear gap follows.
        assert!(full.values()[39] < 1e-3 && full.values()[40] > 0.5, "{:?}", full.values());
    }
}
