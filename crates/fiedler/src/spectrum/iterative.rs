//! Leading eigenpairs of a large graph, matrix-free.
//!
//! The smallest eigenvalues λ of N are the largest of M = I - N, 1 - λ. Those at λ = 0 are known
//! ([`NullSpace`]) and taken out of every vector; the rest comes from a block Krylov space
//! ([`Krylov`]) of a Chebyshev polynomial of M ([`Lift`]).
//!
//! **Why a polynomial.** The wanted eigenvalues crowd below 1, and a Krylov space of M would need
//! hundreds of vectors, each orthogonalized against all others: ten times the work of the products.
//! A polynomial that stays within ±1 on the unwanted -1..c and rises steeply above c spreads the
//! wanted ones out at the price of products alone. c comes from the space itself: the Ritz values
//! of any space lie below the eigenvalues of the same rank, so the last of those kept is a c that
//! never cuts off a wanted pair. The search begins with c = 0 and moves it when a full space shows
//! that another serves better.
//!
//! **Why to believe it.** Residuals ‖Mξ - μξ‖ are computed at the end from the vectors themselves.
//! They tell that every pair is right, not that none is missing. A probe therefore looks in the
//! orthogonal complement of what was found, with c set to the last eigenvalue found: there the
//! polynomial's norm is at most 1 exactly if nothing was missed. What the probe finds is solved
//! for, inserted, and probed again. This is what finds the copies of an eigenvalue beyond the
//! block's size, as many equal components have them. The probe is a few steps from one random
//! vector and sees that norm from below: strong evidence, not proof. A pair missed by a hair above
//! the last one found could escape it.
//!
//! **Cost**: a polynomial (degree 5 to 64) and four passes over the basis per block of four vectors;
//! a basis of about 2.25·count, at least count + 56, vectors in memory.
//!
//! **When it fails**: long chains and rings of many thousand samples have eigenvalues closer than
//! any polynomial of reasonable degree separates. All loops are capped and end in
//! [`Error::NotConverged`].

use faer::{Mat, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::krylov::{Basis, Krylov, Ritz, Tile};
use super::null::NullSpace;
use super::walk::{Lift, Walk};
use super::{EQUAL, NormalizedLaplacian, Spectrum};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Largest residual of a pair that is returned.
const TOLERANCE: f64 = 1e-10;
/// Vectors in a block. More make better use of a pass over the graph, fewer of a product.
const BLOCK: usize = 4;
/// Ritz vectors kept at a restart beyond those wanted, at least.
const MIN_SPARE: usize = 8;
/// Room of the space beyond what a restart keeps, at least.
const MIN_GROWTH: usize = 48;
/// A residual this large is far from the end of the search.
const FAR: f64 = 1e-2;
/// Steps of the probe for missed pairs.
const PROBE_STEPS: usize = 4;
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
    solve_within(operator, null, count, MAX_BLOCKS, monitor)
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
struct Pair {
    value: f64,
    vector: Vec<f64>,
    residual: f64,
}

struct Solver<'a> {
    walk: Walk<'a>,
    null: &'a NullSpace,
    n: usize,
    stage: Stage<'a>,
    /// Pairs the monitor knows of.
    told: usize,
    /// The largest residual at the last look.
    worst: f64,
    blocks: usize,
    max_blocks: usize,
    rng: ChaCha8Rng,
}

impl Solver<'_> {
    /// The `want` largest pairs of M outside the null space of N, largest first.
    fn all(&mut self, want: usize) -> Result<Vec<Pair>> {
        let mut pairs: Vec<Pair> = Vec::new();
        let mut missing = want;
        for _ in 0..MAX_PROBES {
            let locked = self.lock(&pairs);
            pairs.extend(self.search(missing, &locked)?);
            // Stable: among equal eigenvalues the first found stays first.
            pairs.sort_by(|a, b| b.value.total_cmp(&a.value));
            pairs.truncate(want);
            missing = self.probe(&pairs)?;
            if missing == 0 {
                return Ok(pairs);
            }
        }
        Err(self.failed())
    }

    /// How many pairs above the last of `pairs` a short look into the complement finds.
    fn probe(&mut self, pairs: &[Pair]) -> Result<usize> {
        let (Some(first), Some(last)) = (pairs.first(), pairs.last()) else { return Ok(0) };
        let lift = Lift::between(last.value, first.value);
        let locked = self.lock(pairs);
        let mut space = self.space::<1>(PROBE_STEPS, None, &locked);
        while !space.is_full() {
            self.expand(&mut space, lift, &locked)?;
        }
        let bar = lift.value(last.value + EQUAL);
        Ok(self.ritz(&space)?.values.iter().filter(|&&value| value > bar).count())
    }

    /// The `want` largest pairs orthogonal to those locked.
    fn search(&mut self, want: usize, locked: &Basis) -> Result<Vec<Pair>> {
        let keep = want + MIN_SPARE.max(want / 4);
        let capacity = (keep + MIN_GROWTH.max(want)).next_multiple_of(BLOCK);
        let (mut lift, mut accepted) = (Lift::first(), 10.0 * TOLERANCE);
        let mut space = self.space::<BLOCK>(capacity, None, locked);
        loop {
            self.expand(&mut space, lift, locked)?;
            if space.basis().columns() < keep {
                continue;
            }
            let ritz = self.ritz(&space)?;
            if self.progress(&ritz, lift, want)? <= accepted {
                let pairs = self.refine(&space, &ritz, want)?;
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
        Krylov::new(capacity, start, rng, |tile| self.purge(tile, locked))
    }

    fn expand<const L: usize>(&mut self, space: &mut Krylov<L>, lift: Lift, locked: &Basis) -> Result<()> {
        if self.blocks == self.max_blocks {
            return Err(self.failed());
        }
        self.blocks += 1;
        self.stage.advance(0)?;
        space.expand(|tile| self.walk.apply(lift, tile), |tile| self.purge(tile, locked));
        Ok(())
    }

    /// Takes the null space and the locked vectors out of a tile.
    fn purge<const L: usize>(&self, tile: &mut Tile<L>, locked: &Basis) {
        self.null.project_out(tile);
        if locked.columns() > 0 {
            let shares = locked.dot(tile);
            locked.subtract(&shares, tile);
        }
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
        let good = (0..want).take_while(|&i| estimate(i) <= TOLERANCE).count();
        self.worst = (0..want).map(estimate).fold(0.0, f64::max);
        self.stage.advance(good.saturating_sub(self.told))?;
        self.told = self.told.max(good);
        Ok(self.worst)
    }

    /// The first `want` Ritz vectors as eigenpairs of M itself: a Rayleigh-Ritz step in their span,
    /// with residuals computed from the vectors.
    fn refine(&self, space: &Krylov<BLOCK>, ritz: &Ritz, want: usize) -> Result<Vec<Pair>> {
        let (mut vectors, mut products) = (Basis::new(self.n, want), Basis::new(self.n, want));
        let mut projected = Mat::zeros(want, want);
        for start in (0..want).step_by(BLOCK) {
            let width = BLOCK.min(want - start);
            let mut tile: Tile<BLOCK> = space.basis().combine(ritz.vectors.as_ref().subcols(start, width));
            vectors.append(&tile, width);
            self.walk.apply(Lift::None, &mut tile);
            products.append(&tile, width);
        }
        for start in (0..want).step_by(BLOCK) {
            let width = BLOCK.min(want - start);
            let shares = vectors.dot::<BLOCK>(&products.tile(start, width));
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

    fn failed(&self) -> Error {
        Error::NotConverged {
            what: "the iterative eigensolver",
            iterations: self.blocks,
            residual: self.worst,
            tolerance: TOLERANCE,
            advice: "ask for fewer pairs, or join the graph better with a larger k",
        }
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
