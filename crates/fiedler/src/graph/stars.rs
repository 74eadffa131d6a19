//! The edges of a sparse graph in the order in which the one pass over them is fastest.
//!
//! Every edge is met once, with its lower sample as the center of a star. Two things make the
//! pass fast, both of which the compressed rows of the matrix lack: an edge takes 12 bytes that
//! lie one behind the other (the matrix holds every edge twice, so that half of what the cache
//! fetches would be skipped), and stars with equally many leaves stand together, so that the
//! processor guesses the end of each one right.

use super::LANES;
use crate::simd::vectorized;

/// The undirected edges, without the diagonal, star by star.
#[derive(Debug, Clone)]
pub(crate) struct Stars {
    /// Number of leaves and number of stars that have so many, ascending.
    sizes: Vec<(usize, usize)>,
    centers: Vec<u32>,
    leaves: Vec<u32>,
    weights: Vec<f64>,
}

impl Stars {
    /// The stars of samples 0, 1, …, n-1: their leaves and the weights of the edges.
    pub(crate) fn new<'a>(n: usize, star: impl Fn(usize) -> (&'a [u32], &'a [f64])) -> Stars {
        let mut centers: Vec<u32> = (0..n as u32).filter(|&i| !star(i as usize).0.is_empty()).collect();
        centers.sort_by_key(|&i| star(i as usize).0.len());
        let sizes = centers
            .chunk_by(|&a, &b| star(a as usize).0.len() == star(b as usize).0.len())
            .map(|equal| (star(equal[0] as usize).0.len(), equal.len()))
            .collect();
        let leaves = centers.iter().flat_map(|&i| star(i as usize).0).copied().collect();
        let weights = centers.iter().flat_map(|&i| star(i as usize).1).copied().collect();
        Stars { sizes, centers, leaves, weights }
    }

    /// Adds `weight`·Σ_{i<j} w_ij `measure`(f_i - f_j) of every lane of a tile.
    pub(crate) fn add_sums(
        &self,
        weight: f64,
        tile: &[f64],
        lanes: usize,
        out: &mut [f64],
        measure: impl Fn(f64) -> f64 + Copy,
    ) {
        let (rows, groups) = (tile.as_chunks::<LANES>().0, lanes / LANES);
        for group in 0..groups {
            let sums = match groups {
                // With the constants in their places the common case saves a product an edge.
                1 => vectorized!(self.sweep(rows, 1, 0, measure)),
                _ => vectorized!(self.sweep(rows, groups, group, measure)),
            };
            out[group * LANES..][..LANES].iter_mut().zip(sums).for_each(|(o, s)| *o += weight * s);
        }
    }

    /// Σ_{i<j} w_ij `measure`(f_i - f_j) for eight features at once. Row i of the tile is
    /// `rows[i·groups + group]`. Two running sums, for even and odd edges of a star, keep the
    /// processor from waiting for the last addition.
    #[inline(always)]
    fn sweep(
        &self,
        rows: &[[f64; LANES]],
        groups: usize,
        group: usize,
        measure: impl Fn(f64) -> f64 + Copy,
    ) -> [f64; LANES] {
        let (mut even, mut odd) = ([0.0; LANES], [0.0; LANES]);
        let (mut centers, mut leaves, mut weights) = (&self.centers[..], &self.leaves[..], &self.weights[..]);
        for &(size, stars) in &self.sizes {
            let (these_centers, other_centers) = centers.split_at(stars);
            let (these_leaves, other_leaves) = leaves.split_at(stars * size);
            let (these_weights, other_weights) = weights.split_at(stars * size);
            let stars = these_leaves.chunks_exact(size).zip(these_weights.chunks_exact(size));
            for (&i, (leaves, weights)) in these_centers.iter().zip(stars) {
                let fi = rows[i as usize * groups + group];
                let (leaf_pairs, last_leaf) = leaves.as_chunks::<2>();
                let (weight_pairs, last_weight) = weights.as_chunks::<2>();
                for (j, w) in leaf_pairs.iter().zip(weight_pairs) {
                    add_measured(&mut even, w[0], &fi, &rows[j[0] as usize * groups + group], measure);
                    add_measured(&mut odd, w[1], &fi, &rows[j[1] as usize * groups + group], measure);
                }
                if let ([j], [w]) = (last_leaf, last_weight) {
                    add_measured(&mut even, *w, &fi, &rows[*j as usize * groups + group], measure);
                }
            }
            (centers, leaves, weights) = (other_centers, other_leaves, other_weights);
        }
        for l in 0..LANES {
            even[l] += odd[l];
        }
        even
    }
}

#[inline(always)]
fn add_measured(
    sum: &mut [f64; LANES],
    weight: f64,
    a: &[f64; LANES],
    b: &[f64; LANES],
    measure: impl Fn(f64) -> f64,
) {
    for l in 0..LANES {
        sum[l] += weight * measure(a[l] - b[l]);
    }
}
