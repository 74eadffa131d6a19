//! Derivatives under S_ij = Σ w_t² x_ti x_tj.
//!
//! ∂S = 2xxᵀ is of rank one and ∂D = 2s·diag(x) with s = Σx, so for eigenvectors a and b of λ
//!
//! ```text
//! aᵀ(∂L - λ∂D)b = 2 [(1-λ) s Σ_i x_i a_i b_i - (aᵀx)(bᵀx)]
//! ```
//!
//! and a feature costs n operations an eigenvalue.

use std::sync::Arc;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::modes::Modes;
use super::pairs::nuclear_norm;
use crate::Result;
use crate::dataset::{BLOCK, Center, ScaledBlock};

/// The derivatives of all eigenvalues of a dot-product similarity.
pub(super) struct DotForms {
    modes: Arc<Modes>,
    /// q, samples × pairs.
    vectors: Mat<f64>,
}

impl DotForms {
    pub(super) fn new(modes: Arc<Modes>) -> Self {
        let vectors = Mat::from_fn(modes.n_samples(), modes.len(), |i, r| modes.vector(r)[i]);
        DotForms { modes, vectors }
    }

    /// The score of every feature of a block.
    pub(super) fn scores(&self, block: &ScaledBlock<'_>) -> Result<Vec<f64>> {
        let n = self.modes.n_samples();
        let mut tile = vec![0.0; n * BLOCK];
        block.pack(0..block.width(), BLOCK, Center::AsScaled, &mut tile);
        let mut projections = Mat::zeros(BLOCK, self.modes.len());
        let columns = MatRef::from_column_major_slice(&tile, BLOCK, n);
        matmul(projections.as_mut(), Accum::Replace, columns, &self.vectors, 1.0, Par::Seq);
        let mut column = vec![0.0; n];
        (0..block.width())
            .map(|lane| {
                column.iter_mut().zip(tile.iter().skip(lane).step_by(BLOCK)).for_each(|(c, v)| *c = *v);
                self.score(&column, |r| projections[(lane, r)])
            })
            .collect()
    }

    /// Where the two terms cancel but for rounding, the score is 0.
    fn score(&self, x: &[f64], projection: impl Fn(usize) -> f64) -> Result<f64> {
        let sum: f64 = x.iter().sum();
        let absolute: f64 = x.iter().map(|v| v.abs()).sum();
        let (mut score, mut size) = (0.0, 0.0);
        for group in self.modes.groups() {
            let share = (1.0 - self.modes.value(group.start)) * sum;
            let entry = |a: usize, b: usize| {
                let (qa, qb) = (self.modes.vector(a), self.modes.vector(b));
                let weighted: f64 = x.iter().zip(qa).zip(qb).map(|((x, a), b)| x * a * b).sum();
                share * weighted - projection(a) * projection(b)
            };
            for r in group.clone() {
                let weighted: f64 = x.iter().zip(self.modes.vector(r)).map(|(x, q)| x.abs() * q * q).sum();
                size += (1.0 - self.modes.value(r)).abs() * absolute * weighted + projection(r).powi(2);
            }
            score += match group.len() {
                1 => entry(group.start, group.start).abs(),
                size => nuclear_norm(&Mat::from_fn(size, size, |a, b| {
                    entry(group.start + a.max(b), group.start + a.min(b))
                }))?,
            };
        }
        let rounding = x.len() as f64 * f64::EPSILON * size;
        Ok(if score > rounding { 2.0 * score } else { 0.0 })
    }
}
