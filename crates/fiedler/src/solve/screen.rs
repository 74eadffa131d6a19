//! Which features need to be looked at: the check on all features without touching most of them.
//!
//! All ‖f_jᵀR‖ cost a pass over the data. But columns have unit norm, so once a feature's norm is known
//! for one residual R₀, then for any other residual R and any number a ≥ 0
//! ```text
//! ‖f_jᵀR‖ ≤ a ‖f_jᵀR₀‖ + ‖R - aR₀‖_F
//! ```
//! and with a = ⟨R, R₀⟩/‖R₀‖², which makes the distance smallest, most features are safely below λ for many steps of a
//! path (the sphere test of gap-safe rules, centered on an older residual). Only the others are multiplied
//! out, and these then have R for their reference: a feature is visited the more often the nearer it is to
//! the bound.

use super::problem::{Problem, dot, largest, norm, square};
use crate::Result;
use crate::monitor::Monitor;

/// References that are kept at most. Each is as large as the targets; where features are few, fewer
/// are kept, so that they stay a small part of the data.
const MAX_REFERENCES: usize = 256;

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
        let bounds: Vec<f64> =
            self.references.iter().map(|r| bound(r, residual, level * (1.0 - 1e-9))).collect();
        let visited: Vec<usize> = (0..self.norms.len())
            .filter(|&j| {
                let stamp = self.stamps[j] as usize;
                self.usable[j] && (self.norms[j] >= bounds[stamp] || Some(stamp) == crowded)
            })
            .collect();
        let products = problem.products(&visited, residual)?;
        let stamp = self.store(residual, crowded);
        let q = problem.n_targets();
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

/// The norm at `reference` below which a feature cannot reach `level` at `residual`.
fn bound(reference: &[f64], residual: &[f64], level: f64) -> f64 {
    let scale = dot(residual, reference) / square(reference);
    let distance: f64 = residual.iter().zip(reference).map(|(r, r0)| (r - scale * r0).powi(2)).sum();
    if scale > 0.0 { (level - distance.sqrt()) / scale } else { 0.0 }
}
