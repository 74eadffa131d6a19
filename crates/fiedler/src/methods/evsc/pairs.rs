//! Derivatives under a similarity of differences, as matrix products over pairs of samples.
//!
//! Where ∂S_ij = -w_ij (x_i - x_j)², as for the Gaussian (w = 2S/scale) and, up to sign, for
//! squared distances (w = 2), the derivative of a simple eigenvalue is
//!
//! ```text
//! ∂λ = -Σ_{i<j} c_ij (x_i - x_j)²,   c_ij = w_ij [(q_i - q_j)² - λ (q_i² + q_j²)]
//!                                         = w_ij [(1-λ)(q_i² + q_j²) - 2 q_i q_j]
//! ```
//!
//! The coefficients c know no feature and the squared differences no eigenvalue: for a block of
//! features the whole table of derivatives is one product, (features × pairs)·(pairs ×
//! eigenvalues), made in chunks of pairs so that neither factor is ever written out. Dense and
//! sparse graphs differ only in how many pairs they have. Only differences enter, so that no
//! offset of a feature can spoil the sums.
//!
//! **Signs known beforehand.** A score is Σ_r |∂λ_r|. Where the quadratic form xᵀC_r x =
//! Σ c_ij (x_i - x_j)² is positive definite (up to constants), ∂λ_r has the same sign for *every*
//! feature, and the forms of all such r can be added up before any feature is seen. A
//! Cholesky decomposition of C_r with one sample held at 0 decides it: n³/3 operations an
//! eigenvalue, done where the features are many enough to pay it back. On high-dimensional data,
//! where most λ lie near 1, four of five eigenvalues turn out so.
//!
//! **Rounding.** Where the c of an eigenvalue cancel (pairs of samples that are joined to nobody else
//! have λ = 2 under any weights), what is left is rounding, which must not rank features. With
//! u_i = Σ_r (1 + |1-λ_r|) q_ri² every Σ_r |c_ij| is at most w_ij (u_i + u_j); a score below n·ε times
//! the sum of those bounds is 0.
//!
//! **Equal eigenvalues** have the derivatives of the eigenvalues of QᵀC Q, Q a basis of their
//! space; which basis does not matter, and their sum of sizes is the nuclear norm.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par, Side};
use rayon::prelude::*;

use super::modes::Modes;
use crate::dataset::{BLOCK, Center, ScaledBlock};
use crate::simd::vectorized;
use crate::{Error, Result};

/// Pairs in one matrix product: both of its factors stay in the second-level cache.
const CHUNK: usize = 256;
/// Coefficients that are kept rather than made again for every block of features: 32 MiB.
const KEPT: usize = 1 << 22;

/// A pair i < j and its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub(super) i: u32,
    pub(super) j: u32,
    pub(super) weight: f64,
}

/// The derivatives of all eigenvalues, up to sign.
pub(super) struct PairForms {
    edges: Vec<Edge>,
    factor: f64,
    n_samples: usize,
    simple: Simple,
    groups: Vec<Group>,
}

/// Eigenvalues that equal no other.
struct Simple {
    /// How many can move either way.
    count: usize,
    /// Their q, sample after sample.
    vectors: Vec<f64>,
    /// (1-λ)q².
    squares: Vec<f64>,
    /// c_ij of every edge, summed over the eigenvalues that can move one way only; empty
    /// where there are none.
    one_way: Vec<f64>,
    /// u of every sample.
    bounds: Vec<f64>,
    /// All coefficients, edge after edge, where they are few enough.
    table: Option<Vec<f64>>,
}

/// Eigenvalues that are equal.
struct Group {
    value: f64,
    size: usize,
    /// Q, sample after sample.
    basis: Vec<f64>,
}

impl PairForms {
    /// Whether it pays to decide which eigenvalues move one way only: n³/3 operations for each of them to decide, 2 · edges a
    /// feature to save.
    pub(super) fn decides(n_samples: usize, edges: usize, n_features: usize) -> bool {
        let n = n_samples as f64;
        n * n * n < 6.0 * edges as f64 * n_features as f64
    }

    /// Prepares the forms of `modes` for `n_features` features.
    pub(super) fn new(edges: Vec<Edge>, factor: f64, modes: &Modes, n_features: usize) -> Self {
        let (single, multiple): (Vec<_>, Vec<_>) = modes.groups().iter().cloned().partition(|g| g.len() == 1);
        let rows: Vec<usize> = single.iter().map(|g| g.start).collect();
        let group = |g: std::ops::Range<usize>| Group {
            value: modes.value(g.start),
            size: g.len(),
            basis: modes.by_sample(g),
        };
        PairForms {
            simple: Simple::new(&edges, modes, rows, n_features),
            groups: multiple.into_iter().map(group).collect(),
            n_samples: modes.n_samples(),
            factor,
            edges,
        }
    }

    /// The score of every feature of a block.
    pub(super) fn scores(&self, block: &ScaledBlock<'_>) -> Result<Vec<f64>> {
        let n = self.n_samples;
        let mut tile = vec![0.0; n * BLOCK];
        block.pack(0..block.width(), BLOCK, Center::Mean, &mut tile);
        let (mut scores, sizes) = self.simple.sums(&self.edges, &tile);
        scores.truncate(block.width());
        let mut column = vec![0.0; n];
        for (lane, score) in scores.iter_mut().enumerate() {
            column.iter_mut().zip(tile.iter().skip(lane).step_by(BLOCK)).for_each(|(c, v)| *c = *v);
            for group in &self.groups {
                *score += nuclear_norm(&group.projected(&self.edges, &column))?;
            }
            let rounding = n as f64 * f64::EPSILON * sizes[lane];
            *score = if *score > rounding { self.factor * *score } else { 0.0 };
        }
        Ok(scores)
    }
}

/// u of every sample.
fn bounds(modes: &Modes) -> Vec<f64> {
    let mut bounds = vec![0.0; modes.n_samples()];
    for r in 0..modes.len() {
        let share = 1.0 + (1.0 - modes.value(r)).abs();
        bounds.iter_mut().zip(modes.vector(r)).for_each(|(u, q)| *u += share * q * q);
    }
    bounds
}

impl Simple {
    fn new(edges: &[Edge], modes: &Modes, rows: Vec<usize>, n_features: usize) -> Self {
        let pays = PairForms::decides(modes.n_samples(), edges.len(), n_features);
        let (one_way, two_way): (Vec<usize>, Vec<usize>) = if pays {
            let one_way: Vec<bool> =
                rows.par_iter().map(|&r| is_definite(edges, modes.vector(r), modes.value(r))).collect();
            let (yes, no): (Vec<_>, Vec<_>) = rows.into_iter().zip(one_way).partition(|&(_, known)| known);
            (yes.into_iter().map(|p| p.0).collect(), no.into_iter().map(|p| p.0).collect())
        } else {
            (Vec::new(), rows)
        };
        let by_sample = |entry: &dyn Fn(usize, usize) -> f64| {
            (0..modes.n_samples()).flat_map(|i| two_way.iter().map(move |&r| entry(r, i))).collect()
        };
        let summed =
            |e: &Edge| one_way.iter().map(|&r| coefficient(e, modes.vector(r), modes.value(r))).sum();
        let mut simple = Simple {
            table: None,
            count: two_way.len(),
            vectors: by_sample(&|r, i| modes.vector(r)[i]),
            squares: by_sample(&|r, i| (1.0 - modes.value(r)) * modes.vector(r)[i] * modes.vector(r)[i]),
            bounds: bounds(modes),
            one_way: if one_way.is_empty() { Vec::new() } else { edges.par_iter().map(summed).collect() },
        };
        let rows = simple.rows();
        if rows * edges.len() <= KEPT {
            let mut table = vec![0.0; rows * edges.len()];
            simple.fill_coefficients(edges, 0, &mut table);
            simple.table = Some(table);
        }
        simple
    }

    /// How many sums a feature needs: the derivatives, and what their rounding is relative to.
    fn rows(&self) -> usize {
        self.count + usize::from(!self.one_way.is_empty()) + 1
    }

    /// Σ_r |Σ_{i<j} c_ij (x_i - x_j)²| of every column of a tile, and Σ w_ij (u_i + u_j) (x_i - x_j)².
    fn sums(&self, edges: &[Edge], tile: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let rows = self.rows();
        let mut derivatives = Mat::<f64>::zeros(BLOCK, rows);
        let mut differences = vec![0.0; BLOCK * CHUNK];
        let mut made = vec![0.0; if self.table.is_some() { 0 } else { rows * CHUNK }];
        for (c, chunk) in edges.chunks(CHUNK).enumerate() {
            let differences = &mut differences[..BLOCK * chunk.len()];
            squared_differences(chunk, tile, differences);
            let coefficients = match &self.table {
                Some(table) => &table[rows * c * CHUNK..][..rows * chunk.len()],
                None => {
                    let made = &mut made[..rows * chunk.len()];
                    self.fill_coefficients(chunk, c * CHUNK, made);
                    &*made
                }
            };
            matmul(
                derivatives.as_mut(),
                Accum::Add,
                MatRef::from_column_major_slice(differences, BLOCK, chunk.len()),
                MatRef::from_column_major_slice(coefficients, rows, chunk.len()).transpose(),
                1.0,
                Par::Seq,
            );
        }
        let mut sums = vec![0.0; BLOCK];
        for r in 0..rows - 1 {
            sums.iter_mut().zip(derivatives.col(r).iter()).for_each(|(s, d)| *s += d.abs());
        }
        (sums, derivatives.col(rows - 1).iter().copied().collect())
    }

    /// c_ij of the edges of a chunk, edge after edge; then the sum of the known ones, then w_ij (u_i + u_j).
    fn fill_coefficients(&self, chunk: &[Edge], first: usize, out: &mut [f64]) {
        let (count, rows) = (self.count, self.rows());
        let row = |i: u32| i as usize * count..(i as usize + 1) * count;
        vectorized!({
            for (e, out) in chunk.iter().zip(out.chunks_exact_mut(rows)) {
                let (qi, qj) = (&self.vectors[row(e.i)], &self.vectors[row(e.j)]);
                let (si, sj) = (&self.squares[row(e.i)], &self.squares[row(e.j)]);
                for r in 0..count {
                    out[r] = e.weight * (si[r] + sj[r] - 2.0 * qi[r] * qj[r]);
                }
                out[rows - 1] = e.weight.abs() * (self.bounds[e.i as usize] + self.bounds[e.j as usize]);
            }
        });
        if !self.one_way.is_empty() {
            let known = out.iter_mut().skip(count).step_by(rows);
            known.zip(&self.one_way[first..]).for_each(|(out, sum)| *out = *sum);
        }
    }
}

impl Group {
    /// QᵀC Q of a feature, up to sign: with P_ij = w_ij (x_i - x_j)² it is Qᵀ(PQ - (1-λ)D_P Q).
    fn projected(&self, edges: &[Edge], x: &[f64]) -> Mat<f64> {
        let (n, size) = (x.len(), self.size);
        let mut product = vec![0.0; n * size];
        let mut degrees = vec![0.0; n];
        vectorized!({
            for e in edges {
                let (i, j) = (e.i as usize, e.j as usize);
                let p = e.weight * (x[i] - x[j]) * (x[i] - x[j]);
                degrees[i] += p;
                degrees[j] += p;
                let (head, tail) = product.split_at_mut(j * size);
                let (to_i, to_j) = (&mut head[i * size..(i + 1) * size], &mut tail[..size]);
                let (qi, qj) = (&self.basis[i * size..(i + 1) * size], &self.basis[j * size..(j + 1) * size]);
                for a in 0..size {
                    to_i[a] += p * qj[a];
                    to_j[a] += p * qi[a];
                }
            }
        });
        for ((row, q), d) in product.chunks_exact_mut(size).zip(self.basis.chunks_exact(size)).zip(&degrees) {
            row.iter_mut().zip(q).for_each(|(v, q)| *v -= (1.0 - self.value) * d * q);
        }
        let mut out = Mat::zeros(size, size);
        let basis = MatRef::from_column_major_slice(&self.basis, size, n);
        let product = MatRef::from_column_major_slice(&product, size, n);
        matmul(out.as_mut(), Accum::Replace, basis, product.transpose(), 1.0, Par::Seq);
        out
    }
}

/// Σ |eigenvalue| of a symmetric matrix, of which the lower triangle counts.
pub(super) fn nuclear_norm(matrix: &Mat<f64>) -> Result<f64> {
    let values = matrix.self_adjoint_eigenvalues(Side::Lower).map_err(|_| {
        Error::eigensolver(
            "the eigenvalues of a group's projected matrix",
            "check the features for extreme values",
        )
    })?;
    Ok(values.iter().map(|v| v.abs()).sum())
}

#[inline(always)]
fn coefficient(e: &Edge, q: &[f64], value: f64) -> f64 {
    let (qi, qj) = (q[e.i as usize], q[e.j as usize]);
    e.weight * ((1.0 - value) * (qi * qi + qj * qj) - 2.0 * qi * qj)
}

/// Whether Σ c_ij (x_i - x_j)² > 0 for every x that is not constant. Constants change nothing,
/// so the last sample can be held at 0, and the rest is an ordinary definite matrix or not.
fn is_definite(edges: &[Edge], q: &[f64], value: f64) -> bool {
    let free = q.len() - 1;
    let mut form = Mat::<f64>::zeros(free, free);
    for e in edges {
        let (i, j, c) = (e.i as usize, e.j as usize, coefficient(e, q, value));
        form[(i, i)] += c;
        if j < free {
            form[(j, j)] += c;
            form[(j, i)] -= c;
        }
    }
    form.llt(Side::Lower).is_ok()
}

/// (x_i - x_j)² of every column of a tile, edge after edge.
fn squared_differences(chunk: &[Edge], tile: &[f64], out: &mut [f64]) {
    let row = |i: u32| &tile[i as usize * BLOCK..(i as usize + 1) * BLOCK];
    vectorized!({
        for (e, out) in chunk.iter().zip(out.chunks_exact_mut(BLOCK)) {
            let (xi, xj) = (row(e.i), row(e.j));
            for l in 0..BLOCK {
                out[l] = (xi[l] - xj[l]) * (xi[l] - xj[l]);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::slope::Slope;
    use super::*;
    use crate::Silent;
    use crate::dataset::demo;
    use crate::graph::Rbf;

    #[test]
    fn coefficients_made_again_are_those_that_were_kept() {
        let data = demo::iris().expect("embedded");
        let graph = Rbf::default().build(&data, &Silent).expect("a graph");
        let slope = Slope::of_gaussian(&graph).expect("a Gaussian");
        let modes = Modes::smallest(&graph, Some(12), &Silent).expect("a spectrum");
        // As if there were few features, and many.
        for n_features in [1, 1000] {
            let mut forms = PairForms::new(slope.edges(&graph), slope.factor(), &modes, n_features);
            let scores = |forms: &PairForms| forms.scores(&data.read(0..4).expect("in memory"));
            let kept = scores(&forms).expect("scores");
            assert!(forms.simple.table.take().is_some());
            assert_eq!(scores(&forms).expect("scores"), kept);
        }
    }
}
