//! Which features need to be looked at: the check on all features without touching most of them.
//!
//! All ‖f_jᵀR‖ cost a pass over the data. But columns have unit norm, so once a feature's norm is known
//! for one residual R₀, then for any other residual R and any number a ≥ 0
//! ```text
//! ‖f_jᵀR‖ ≤ a ‖f_jᵀR₀‖ + ‖R - aR₀‖₂
//! ```
//! and with a = ⟨R, R₀⟩/‖R₀‖², which makes the distance small, most features are safely below λ for many steps of a
//! path (the sphere test of gap-safe rules, centered on an older residual). The distance is the largest singular value, which
//! of many targets is several times smaller than the root of the sum of squares. Only the others are multiplied
//! out, and these then have R for their reference: a feature is visited the more often the nearer it is to
//! the bound.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par, Side};
use rayon::prelude::*;

use super::problem::{Problem, dot, largest, norm, square};
use crate::Result;
use crate::monitor::Monitor;

/// References that are kept at most. Each is as large as the targets, and every look takes its distance from all of them; where
/// features are few, fewer are kept, so that they stay a small part of the data.
const MAX_REFERENCES: usize = 48;

/// Of more targets the largest singular value takes longer than it spares.
const MOST_TARGETS: usize = 64;

/// Norms of all features, each at a residual of its own.
#[derive(Debug)]
pub(super) struct Screen {
    references: Vec<Vec<f64>>,
    /// ‖f_jᵀR₀‖, and which reference R₀ is.
    norms: Vec<f64>,
    stamps: Vec<u32>,
    /// Constant features are never looked at.
    usable: Vec<bool>,
}

/// Features that may reach a level, with f_jᵀR multiplied out.
#[derive(Debug, Default)]
pub(super) struct Screened {
    pub(super) features: Vec<usize>,
    /// f_jᵀR, one row of targets a feature.
    pub(super) products: Vec<f64>,
    /// ‖f_jᵀR‖.
    pub(super) norms: Vec<f64>,
}

impl Screen {
    /// Looks at all features once, at `residual`.
    pub(super) fn new(problem: &Problem<'_>, residual: &[f64], monitor: &dyn Monitor) -> Result<Self> {
        let norms = problem.all_norms(residual, monitor)?;
        let usable = (0..norms.len()).map(|j| problem.usable(j)).collect();
        Ok(Screen { references: vec![residual.to_vec()], stamps: vec![0; norms.len()], norms, usable })
    }

    /// The largest norm that was seen last.
    pub(super) fn highest(&self) -> f64 {
        largest(self.norms.iter().copied())
    }

    /// Every feature with ‖f_jᵀR‖ ≥ `level`.
    pub(super) fn reaching(
        &mut self,
        problem: &Problem<'_>,
        residual: &[f64],
        level: f64,
    ) -> Result<Screened> {
        // Rounding in the bound must not lose a feature that sits exactly on the level.
        let level = level * (1.0 - 1e-12);
        let crowded = self.make_room(problem);
        let (q, below) = (problem.n_targets(), level * (1.0 - 1e-9));
        let bounds: Vec<f64> = self.references.par_iter().map(|r| bound(r, residual, q, below)).collect();
        let visited: Vec<usize> = (0..self.norms.len())
            .filter(|&j| {
                let stamp = self.stamps[j] as usize;
                self.usable[j] && (self.norms[j] >= bounds[stamp] || Some(stamp) == crowded)
            })
            .collect();
        let products = problem.products(&visited, residual)?;
        let stamp = self.store(residual, crowded);
        let mut found = Screened::default();
        for (&j, row) in visited.iter().zip(products.chunks_exact(q)) {
            self.norms[j] = norm(row);
            self.stamps[j] = stamp;
            if self.norms[j] >= level {
                found.features.push(j);
                found.products.extend_from_slice(row);
                found.norms.push(self.norms[j]);
            }
        }
        Ok(found)
    }

    /// The reference that makes room for the next one, if there are too many: the one with the
    /// fewest features, which must then be visited.
    fn make_room(&self, problem: &Problem<'_>) -> Option<usize> {
        let few = (self.norms.len() / (16 * problem.n_targets())).clamp(2, MAX_REFERENCES);
        if self.references.len() < few {
            return None;
        }
        let mut members = vec![0usize; self.references.len()];
        self.stamps.iter().for_each(|&s| members[s as usize] += 1);
        (0..members.len()).min_by_key(|&r| members[r])
    }

    fn store(&mut self, residual: &[f64], place: Option<usize>) -> u32 {
        let place = place.unwrap_or(self.references.len());
        if place == self.references.len() {
            self.references.push(residual.to_vec());
        } else {
            self.references[place].copy_from_slice(residual);
        }
        place as u32
    }
}

/// The norm at `reference` below which a feature cannot reach `level` at `residual`, both of `q` targets.
fn bound(reference: &[f64], residual: &[f64], q: usize, level: f64) -> f64 {
    let scale = dot(residual, reference) / square(reference);
    let apart: Vec<f64> = residual.iter().zip(reference).map(|(r, r0)| r - scale * r0).collect();
    if scale > 0.0 { (level - length(&apart, q)) / scale } else { 0.0 }
}

/// The largest singular value of a matrix of `q` columns, by rows, or a number that is not smaller.
fn length(matrix: &[f64], q: usize) -> f64 {
    let all = square(matrix);
    if q == 1 || q > MOST_TARGETS {
        return all.sqrt();
    }
    let rows = MatRef::from_row_major_slice(matrix, matrix.len() / q, q);
    let mut gram = Mat::<f64>::zeros(q, q);
    matmul(gram.as_mut(), Accum::Replace, rows.transpose(), rows, 1.0, Par::Seq);
    // What rounding may do to an eigenvalue is relative to their sum, and to how many numbers were added up.
    let rounding = 4.0 * f64::EPSILON * (matrix.len() / q + q) as f64;
    let squared = gram.self_adjoint_eigenvalues(Side::Lower).ok().and_then(|values| values.last().copied());
    squared.map_or(all, |largest| (largest + rounding * all).min(all)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns that are orthogonal have their own lengths; of one direction there is nothing to gain.
    #[test]
    fn the_length_is_the_largest_singular_value() {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
        let apart = [3.0, 0.0, 0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0];
        assert!(near(length(&apart, 3), 4.0) && near(length(&apart, 1), 29f64.sqrt()));
        let one: Vec<f64> = (0..40).map(|p| (p / 4) as f64 * [1.0, -2.0, 0.5, 3.0][p % 4]).collect();
        assert!(near(length(&one, 4), square(&one).sqrt()) && length(&[0.0; 6], 2) == 0.0);
    }

    /// No feature of unit length that is below the bound at one residual reaches the level at the other.
    #[test]
    fn nobody_below_the_bound_reaches_the_level() {
        let (n, q) = (17, 5);
        let value = |seed: usize| ((seed * 7919 + seed * seed * 31) % 201) as f64 / 100.0 - 1.0;
        let reference: Vec<f64> = (0..n * q).map(value).collect();
        for (step, level) in [(0.0, 1.2), (0.01, 1.2), (0.3, 1.6)] {
            let residual: Vec<f64> =
                reference.iter().enumerate().map(|(p, r)| 0.9 * r + step * value(p + 1000)).collect();
            let product = |f: &[f64], right: &[f64]| -> f64 {
                let of_target =
                    |t: usize| f.iter().enumerate().map(|(i, v)| v * right[i * q + t]).sum::<f64>();
                (0..q).map(|t| of_target(t).powi(2)).sum::<f64>().sqrt()
            };
            let mut below = 0;
            let bound = bound(&reference, &residual, q, level);
            for seed in 0..500 {
                let f: Vec<f64> = (0..n).map(|i| value(seed * n + i)).collect();
                let f: Vec<f64> = f.iter().map(|v| v / square(&f).sqrt()).collect();
                if product(&f, &reference) < bound {
                    below += 1;
                    assert!(product(&f, &residual) <= level * (1.0 + 1e-12), "{seed}");
                }
            }
            assert!(below > 20, "{step}: {below}");
        }
    }
}
