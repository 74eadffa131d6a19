//! A block Krylov space with full orthogonalization and thick restarts (Krylov-Schur).
//!
//! For a symmetric operator A the state is A V = V H + F B: V n × m orthonormal, H = VᵀAV, and F
//! the next L vectors, orthonormal and orthogonal to V. One expansion appends F to V and makes
//! the next block of A·F. An eigenpair (θ, y) of H gives the Ritz pair (θ, Vy) of A with residual
//! ‖By‖ at no cost. A restart replaces V by its best Ritz vectors, under which the relation keeps
//! its form.
//!
//! A block of L finds an eigenvalue up to L times and makes every pass over V and over the graph
//! serve L vectors. When the space closes (A·F brings nothing new) fresh random vectors
//! take the place of the missing ones, so any multiplicity is found in the end.
//!
//! Rows are handled in chunks of a fixed size whose sums are added in their order: the number of
//! threads changes no bit.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use rayon::prelude::*;

/// Rows in a chunk.
pub(super) const ROWS: usize = 1024;
/// A vector that shrinks below this share of its block is rounding.
const NOTHING: f64 = 1e-14;
/// A vector that keeps this share of its block's length is orthogonal to rounding.
const ENOUGH: f64 = 1e-3;
/// Passes of orthogonalization: two serve, one more for every random vector that steps in.
const MAX_PASSES: usize = 4;

/// L vectors side by side, row after row.
#[derive(Debug, Clone)]
pub(super) struct Tile<const L: usize> {
    rows: Vec<[f64; L]>,
}

impl<const L: usize> Tile<L> {
    pub(super) fn zeros(n: usize) -> Self {
        Tile { rows: vec![[0.0; L]; n] }
    }

    /// Entries uniform in -1..1.
    pub(super) fn random(n: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut tile = Tile::zeros(n);
        tile.values_mut().iter_mut().for_each(|v| *v = uniform(rng));
        tile
    }

    pub(super) fn rows(&self) -> &[[f64; L]] {
        &self.rows
    }

    pub(super) fn rows_mut(&mut self) -> &mut [[f64; L]] {
        &mut self.rows
    }

    pub(super) fn values(&self) -> &[f64] {
        self.rows.as_flattened()
    }

    pub(super) fn values_mut(&mut self) -> &mut [f64] {
        self.rows.as_flattened_mut()
    }

    /// The length of the longest vector.
    fn largest_norm(&self) -> f64 {
        let mut squares = [0.0; L];
        for row in &self.rows {
            squares.iter_mut().zip(row).for_each(|(s, v)| *s += v * v);
        }
        squares.into_iter().fold(0.0f64, f64::max).sqrt()
    }

    /// The length of all lanes together: of the vector, where there is one.
    pub(super) fn norm(&self) -> f64 {
        dot(self.values(), self.values()).sqrt()
    }

    /// `self`ᵀ·`other`, L × L.
    pub(super) fn dot(&self, other: &Tile<L>) -> [[f64; L]; L] {
        let chunks = self.rows.par_chunks(ROWS).zip(other.rows.par_chunks(ROWS));
        let parts: Vec<_> = chunks
            .map(|(x, y)| {
                let mut part = [[0.0; L]; L];
                pulp::Arch::new().dispatch(|| {
                    for (x, y) in x.iter().zip(y) {
                        for a in 0..L {
                            for b in 0..L {
                                part[a][b] += x[a] * y[b];
                            }
                        }
                    }
                });
                part
            })
            .collect();
        let mut sum = [[0.0; L]; L];
        for part in parts {
            sum.as_flattened_mut().iter_mut().zip(part.as_flattened()).for_each(|(s, p)| *s += p);
        }
        sum
    }
}

/// A number from -1 to 1.
pub(super) fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Columns of length n, in chunks of rows.
#[derive(Debug)]
pub(super) struct Basis {
    chunks: Vec<Mat<f64>>,
    columns: usize,
}

impl Basis {
    pub(super) fn new(n: usize, capacity: usize) -> Self {
        let chunk = |start: usize| Mat::zeros(ROWS.min(n - start), capacity);
        Basis { chunks: (0..n).step_by(ROWS).map(chunk).collect(), columns: 0 }
    }

    /// From columns written out.
    pub(super) fn from_columns<'a>(n: usize, columns: impl ExactSizeIterator<Item = &'a [f64]>) -> Self {
        let mut basis = Basis::new(n, columns.len());
        for column in columns {
            for (chunk, part) in basis.chunks.iter_mut().zip(column.chunks(ROWS)) {
                chunk.col_as_slice_mut(basis.columns).copy_from_slice(part);
            }
            basis.columns += 1;
        }
        basis
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// `self`ᵀ·`tile`, columns × L.
    pub(super) fn dot<const L: usize>(&self, tile: &Tile<L>) -> Mat<f64> {
        let parts: Vec<Mat<f64>> = self
            .chunks
            .par_iter()
            .zip(tile.rows.par_chunks(ROWS))
            .map(|(chunk, rows)| {
                let mut part = Mat::zeros(L, self.columns);
                let chunk = chunk.as_ref().subcols(0, self.columns);
                matmul(part.as_mut(), Accum::Replace, transposed(rows), chunk, 1.0, Par::Seq);
                part
            })
            .collect();
        let mut sum = Mat::zeros(L, self.columns);
        parts.iter().for_each(|part| sum += part);
        sum.transpose().to_owned()
    }

    /// `tile` -= `self`·`coefficients`.
    pub(super) fn subtract<const L: usize>(&self, coefficients: &Mat<f64>, tile: &mut Tile<L>) {
        self.chunks.par_iter().zip(tile.rows.par_chunks_mut(ROWS)).for_each(|(chunk, rows)| {
            let chunk = chunk.as_ref().subcols(0, self.columns);
            let n = rows.len();
            let rows = MatMut::from_column_major_slice_mut(rows.as_flattened_mut(), L, n);
            matmul(rows, Accum::Add, coefficients.transpose(), chunk.transpose(), -1.0, Par::Seq);
        });
    }

    /// `self`·`coefficients` (columns × at most L).
    pub(super) fn combine<const L: usize>(&self, coefficients: MatRef<'_, f64>) -> Tile<L> {
        let mut tile = Tile::zeros(self.chunks.iter().map(Mat::nrows).sum());
        let width = coefficients.ncols();
        self.chunks.par_iter().zip(tile.rows.par_chunks_mut(ROWS)).for_each(|(chunk, rows)| {
            let n = rows.len();
            let rows = MatMut::from_column_major_slice_mut(rows.as_flattened_mut(), L, n);
            let chunk = chunk.as_ref().subcols(0, self.columns);
            let rows = rows.subrows_mut(0, width);
            matmul(rows, Accum::Replace, coefficients.transpose(), chunk.transpose(), 1.0, Par::Seq);
        });
        tile
    }

    /// Appends the first `width` lanes.
    pub(super) fn append<const L: usize>(&mut self, tile: &Tile<L>, width: usize) {
        let start = self.columns;
        self.chunks.par_iter_mut().zip(tile.rows.par_chunks(ROWS)).for_each(|(chunk, rows)| {
            for l in 0..width {
                let column = chunk.col_as_slice_mut(start + l);
                column.iter_mut().zip(rows).for_each(|(c, row)| *c = row[l]);
            }
        });
        self.columns += width;
    }

    /// `self` = `self`·`rotation`, which has no more columns than rows.
    pub(super) fn rotate(&mut self, rotation: MatRef<'_, f64>) {
        let (from, to) = (self.columns, rotation.ncols());
        self.chunks.par_iter_mut().for_each(|chunk| {
            let mut rotated = Mat::zeros(chunk.nrows(), to);
            let old = chunk.as_ref().subcols(0, from);
            matmul(rotated.as_mut(), Accum::Replace, old, rotation, 1.0, Par::Seq);
            chunk.as_mut().subcols_mut(0, to).copy_from(&rotated);
        });
        self.columns = to;
    }

    /// `width` columns from `start` as a tile, the other lanes 0.
    pub(super) fn tile<const L: usize>(&self, start: usize, width: usize) -> Tile<L> {
        let mut tile = Tile::zeros(self.chunks.iter().map(Mat::nrows).sum());
        self.chunks.par_iter().zip(tile.rows.par_chunks_mut(ROWS)).for_each(|(chunk, rows)| {
            for l in 0..width {
                rows.iter_mut().zip(chunk.col_as_slice(start + l)).for_each(|(row, v)| row[l] = *v);
            }
        });
        tile
    }

    /// Column `j`, entry by entry.
    pub(super) fn column(&self, j: usize) -> impl Iterator<Item = f64> + '_ {
        self.chunks.iter().flat_map(move |chunk| chunk.col_as_slice(j).iter().copied())
    }
}

fn transposed<const L: usize>(rows: &[[f64; L]]) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(rows.as_flattened(), L, rows.len())
}

/// Ritz pairs of H, largest first.
#[derive(Debug)]
pub(super) struct Ritz {
    /// Eigenvalues of H.
    pub(super) values: Vec<f64>,
    /// Eigenvectors of H, as columns.
    pub(super) vectors: Mat<f64>,
    /// ‖By‖: residuals with respect to the operator of the space.
    pub(super) residuals: Vec<f64>,
}

/// The space: A V = V H + F B.
#[derive(Debug)]
pub(super) struct Krylov<const L: usize> {
    basis: Basis,
    projected: Mat<f64>,
    next: Tile<L>,
    /// B, L × m.
    coupling: Mat<f64>,
    rng: ChaCha8Rng,
}

impl<const L: usize> Krylov<L> {
    /// An empty space whose first block will be `start`. `purge` takes out of a tile what the space
    /// must be orthogonal to.
    pub(super) fn new(
        capacity: usize,
        start: Tile<L>,
        rng: ChaCha8Rng,
        purge: impl Fn(&mut Tile<L>),
    ) -> Self {
        let basis = Basis::new(start.rows.len(), capacity);
        let (projected, coupling) = (Mat::zeros(0, 0), Mat::zeros(L, 0));
        let mut space = Krylov { basis, projected, next: start, coupling, rng };
        space.orthonormalize_next(&purge);
        space
    }

    pub(super) fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Whether another block fits.
    pub(super) fn is_full(&self) -> bool {
        self.basis.columns + L > self.basis.chunks.first().map_or(0, Mat::ncols)
    }

    /// Appends the next block; `operator` multiplies a tile by A and purges it.
    pub(super) fn expand(&mut self, operator: impl FnOnce(&mut Tile<L>), purge: impl Fn(&mut Tile<L>)) {
        let old = self.basis.columns;
        self.basis.append(&self.next, L);
        operator(&mut self.next);
        let coefficients = self.basis.dot(&self.next);
        self.basis.subtract(&coefficients, &mut self.next);
        self.grow_projected(&coefficients);
        let residue = self.next.clone();
        self.orthonormalize_next(&purge);
        let share = self.next.dot(&residue);
        self.coupling = Mat::from_fn(L, old + L, |i, j| if j < old { 0.0 } else { share[i][j - old] });
    }

    /// Ritz pairs of the space; `None` when the small eigenproblem fails.
    pub(super) fn ritz(&self) -> Option<Ritz> {
        let m = self.basis.columns;
        let eigen = self.projected.self_adjoint_eigen(Side::Lower).ok()?;
        let values = (0..m).rev().map(|j| eigen.S().column_vector()[j]).collect();
        let vectors = Mat::from_fn(m, m, |i, j| eigen.U()[(i, m - 1 - j)]);
        let residual = &self.coupling * &vectors;
        let residuals = (0..m).map(|j| residual.col(j).norm_l2()).collect();
        Some(Ritz { values, vectors, residuals })
    }

    /// Keeps the first `keep` Ritz vectors.
    pub(super) fn restart(&mut self, ritz: &Ritz, keep: usize) {
        let kept = ritz.vectors.as_ref().subcols(0, keep);
        self.basis.rotate(kept);
        self.coupling = &self.coupling * kept;
        self.projected = Mat::from_fn(keep, keep, |i, j| if i == j { ritz.values[i] } else { 0.0 });
    }

    /// Random mixtures of the first `count` Ritz vectors: a start for another space.
    pub(super) fn mixture(&mut self, ritz: &Ritz, count: usize) -> Tile<L> {
        let weights = Mat::from_fn(count, L, |_, _| uniform(&mut self.rng));
        let mixed = ritz.vectors.as_ref().subcols(0, count) * weights;
        self.basis.combine(mixed.as_ref())
    }

    fn grow_projected(&mut self, coefficients: &Mat<f64>) {
        let (old, m) = (self.projected.nrows(), coefficients.nrows());
        let previous = &self.projected;
        self.projected = Mat::from_fn(m, m, |i, j| match (i < old, j < old) {
            (true, true) => previous[(i, j)],
            (true, false) => coefficients[(i, j - old)],
            (false, true) => coefficients[(j, i - old)],
            (false, false) => 0.5 * (coefficients[(i, j - old)] + coefficients[(j, i - old)]),
        });
    }

    /// Makes the next block orthonormal and orthogonal to V and to what is purged. A vector that
    /// loses most of its length on the way is left with rounding, which another pass takes out.
    fn orthonormalize_next(&mut self, purge: &impl Fn(&mut Tile<L>)) {
        for _ in 0..MAX_PASSES {
            let before = self.next.largest_norm();
            purge(&mut self.next);
            if self.basis.columns > 0 {
                let coefficients = self.basis.dot(&self.next);
                self.basis.subtract(&coefficients, &mut self.next);
            }
            if self.gram_schmidt(NOTHING * before) >= ENOUGH * before {
                break;
            }
        }
    }

    /// Modified Gram-Schmidt inside the block; random vectors step in for those shorter than
    /// `nothing`. Returns the smallest length that was left, 0 where a random vector stepped in.
    fn gram_schmidt(&mut self, nothing: f64) -> f64 {
        let mut columns: [Vec<f64>; L] =
            std::array::from_fn(|l| self.next.rows.iter().map(|row| row[l]).collect());
        let mut smallest = f64::INFINITY;
        for l in 0..L {
            let (done, rest) = columns.split_at_mut(l);
            let own = &mut rest[0];
            take_out(done, own);
            let mut norm = dot(own, own).sqrt();
            smallest = smallest.min(norm);
            if norm <= nothing {
                smallest = 0.0;
                own.iter_mut().for_each(|v| *v = uniform(&mut self.rng));
                take_out(done, own);
                norm = dot(own, own).sqrt();
            }
            own.par_chunks_mut(ROWS).for_each(|c| c.iter_mut().for_each(|v| *v /= norm));
        }
        for (i, row) in self.next.rows.iter_mut().enumerate() {
            (0..L).for_each(|l| row[l] = columns[l][i]);
        }
        smallest
    }
}

/// Takes the directions of orthonormal vectors out of `own`, one after the other.
pub(super) fn take_out(done: &[Vec<f64>], own: &mut [f64]) {
    for other in done {
        let share = dot(other, own);
        own.par_chunks_mut(ROWS).zip(other.par_chunks(ROWS)).for_each(|(own, other)| {
            own.iter_mut().zip(other).for_each(|(v, o)| *v -= share * o);
        });
    }
}

/// xᵀy, chunk by chunk, eight sums in each.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let chunks = x.par_chunks(ROWS).zip(y.par_chunks(ROWS));
    let parts: Vec<f64> = chunks.map(|(x, y)| dot_of_chunk(x, y)).collect();
    parts.iter().sum()
}

/// xᵀy in eight sums.
#[inline(always)]
pub(super) fn dot_of_chunk(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (xs, ys) = (x.chunks_exact(8), y.chunks_exact(8));
    let tail: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(a, b)| a * b).sum();
    for (x, y) in xs.zip(ys) {
        (0..8).for_each(|l| sums[l] += x[l] * y[l]);
    }
    sums.iter().sum::<f64>() + tail
}
