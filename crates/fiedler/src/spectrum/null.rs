//! The eigenspace of λ = 0, which needs no solver.
//!
//! Without negative weights N's null space is spanned by one vector per connected component C,
//! u_C = D^½1_C/√vol C, or the unit vector of a sample without neighbors. ξ₁ = Σ_C √(vol C/vol) u_C
//! is the first; the others are its Helmert contrasts, orthonormal and orthogonal to ξ₁:
//! component j against all before it,
//!
//! w_j ∝ Σ_{i<j} √(vol_i vol_j) u_i - (Σ_{i<j} vol_i) u_j.
//!
//! So the multiplicity of 0 is exact and its basis the same whichever solver finds the rest.

use rayon::prelude::*;

use super::NormalizedLaplacian;
use super::krylov::Tile;
use crate::{Error, Result};

/// What rounding leaves of N·ξ₁, at most.
const TRIVIAL_ROUNDING: f64 = 1e-10;

/// The null space of N on a graph without negative weights.
#[derive(Debug)]
pub(super) struct NullSpace {
    /// The samples of every component with edges, ascending.
    members: Vec<Vec<u32>>,
    /// vol C of those components.
    volumes: Vec<f64>,
    /// Samples of degree 0.
    isolated: Vec<u32>,
    /// u_C at every sample; 0 where isolated.
    unit: Vec<f64>,
}

impl NullSpace {
    pub(super) fn new(operator: &NormalizedLaplacian<'_>) -> Self {
        let root = operator.root_degrees();
        let components = operator.graph().components();
        let count = components.iter().max().map_or(0, |c| c + 1);
        let mut members = vec![Vec::new(); count];
        let mut isolated = Vec::new();
        for (i, &c) in components.iter().enumerate() {
            if root[i] > 0.0 { members[c].push(i as u32) } else { isolated.push(i as u32) }
        }
        Self::of_components(root, members, isolated)
    }

    /// ξ₁ alone: with negative weights nothing more is known of the null space.
    ///
    /// # Errors
    /// Not even ξ₁ is an eigenvector, because a sample with edges has no positive degree.
    pub(super) fn trivial_only(operator: &NormalizedLaplacian<'_>) -> Result<Self> {
        let root = operator.root_degrees();
        let members = vec![(0..root.len()).filter(|&i| root[i] > 0.0).map(|i| i as u32).collect()];
        let space = Self::of_components(root, members, Vec::new());
        let (mut scratch, mut product) = (vec![0.0; root.len()], vec![0.0; root.len()]);
        operator.apply(&operator.trivial(), 1, &mut scratch, &mut product);
        if product.iter().all(|p| p.abs() <= TRIVIAL_ROUNDING) {
            return Ok(space);
        }
        let rule = "one whose negative weights leave every degree positive, where eigenvectors are asked for";
        let lowest = operator.graph().degrees().iter().copied().fold(f64::INFINITY, f64::min);
        Err(Error::parameter("graph", rule, format!("a degree of {lowest}")))
    }

    fn of_components(root: &[f64], mut members: Vec<Vec<u32>>, isolated: Vec<u32>) -> Self {
        members.retain(|m| !m.is_empty());
        let volume = |m: &Vec<u32>| m.iter().map(|&i| root[i as usize] * root[i as usize]).sum::<f64>();
        let volumes: Vec<f64> = members.iter().map(volume).collect();
        let mut unit = vec![0.0; root.len()];
        for (samples, volume) in members.iter().zip(&volumes) {
            samples.iter().for_each(|&i| unit[i as usize] = root[i as usize] / volume.sqrt());
        }
        NullSpace { members, volumes, isolated, unit }
    }

    /// How often 0 is an eigenvalue.
    pub(super) fn dimension(&self) -> usize {
        self.members.len() + self.isolated.len()
    }

    /// The `index`-th basis vector; the first is ξ₁.
    pub(super) fn vector(&self, index: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.unit.len()];
        let mut add = |component: usize, factor: f64| {
            self.members[component].iter().for_each(|&i| out[i as usize] = factor * self.unit[i as usize]);
        };
        if index >= self.members.len() {
            out[self.isolated[index - self.members.len()] as usize] = 1.0;
        } else if index == 0 {
            let all: f64 = self.volumes.iter().sum();
            (0..self.members.len()).for_each(|c| add(c, (self.volumes[c] / all).sqrt()));
        } else {
            let before: f64 = self.volumes[..index].iter().sum();
            let own = self.volumes[index];
            let norm = (before * (before + own)).sqrt();
            (0..index).for_each(|c| add(c, (self.volumes[c] * own).sqrt() / norm));
            add(index, -before / norm);
        }
        out
    }

    /// Calls `entry(i, j, p)` for every entry p of the projector onto the null space that is not 0.
    pub(super) fn for_each_projector_entry(&self, mut entry: impl FnMut(usize, usize, f64)) {
        for samples in &self.members {
            for &j in samples {
                for &i in samples {
                    let (i, j) = (i as usize, j as usize);
                    entry(i, j, self.unit[i] * self.unit[j]);
                }
            }
        }
        self.isolated.iter().for_each(|&i| entry(i as usize, i as usize, 1.0));
    }

    /// Takes the null space out of every lane of a tile.
    pub(super) fn project_out<const L: usize>(&self, tile: &mut Tile<L>) {
        let rows = tile.rows();
        let shares: Vec<[f64; L]> =
            self.members.par_iter().map(|samples| self.share(samples, rows)).collect();
        let rows = tile.rows_mut();
        for (samples, share) in self.members.iter().zip(shares) {
            for &i in samples {
                let unit = self.unit[i as usize];
                rows[i as usize].iter_mut().zip(share).for_each(|(v, s)| *v -= s * unit);
            }
        }
        self.isolated.iter().for_each(|&i| rows[i as usize] = [0.0; L]);
    }

    fn share<const L: usize>(&self, samples: &[u32], rows: &[[f64; L]]) -> [f64; L] {
        let mut share = [0.0; L];
        for &i in samples {
            let unit = self.unit[i as usize];
            share.iter_mut().zip(rows[i as usize]).for_each(|(s, v)| *s += unit * v);
        }
        share
    }
}
