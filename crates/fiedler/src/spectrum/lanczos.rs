//! Lanczos' method with partial reorthogonalization: a few pairs for the fewest products.
//!
//! From one random vector M makes the space of all polynomials of M, in which q_0, q_1, … are an
//! orthonormal basis with a recurrence of three terms,
//!
//! β_{j+1} q_{j+1} = M q_j - α_j q_j - β_j q_{j-1},
//!
//! and M is the tridiagonal matrix T of all α and β. An eigenpair (θ, y) of T gives the Ritz pair
//! (θ, Qy) with residual β_m |y_m|. No polynomial that is chosen beforehand does better: where a
//! few hundred vectors fit into memory, this is the way.
//!
//! **Rounding.** The recurrence forgets that q_{j+1} is orthogonal to vectors long past, and as soon
//! as a pair has converged all is found once more. To orthogonalize against everyone at every step
//! would cost several times the product. How far the vectors are from orthogonal follows a recurrence
//! of its own, of numbers alone (ω of Simon): it is followed, and only when it passes √ε are two
//! vectors in a row made orthogonal to all. T then is the matrix of M to full precision.
//!
//! What the space must be orthogonal to (eigenvectors that are known) comes in again by rounding and
//! grows by at most (1 - α_j + β_j)/β_{j+1} a step; before that matters it is taken out of two vectors in
//! a row.
//!
//! References: Simon: The Lanczos Algorithm with Partial Reorthogonalization, Math. Comp. 42, 1984;
//! Parlett: The Symmetric Eigenvalue Problem, ch. 13.

use faer::{Mat, Side};
use rayon::prelude::*;

use super::krylov::{ROWS, Tile, take_out};
use super::walk::Walk;

/// Vectors are made orthogonal to all others where they may be farther from it than this.
const SEMIORTHOGONAL: f64 = 1e-8;
/// What a step adds to the overlaps by rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// A step that leaves less than this leads nowhere: the space is closed.
const CLOSED: f64 = 1e-11;
/// A vector that keeps less than this share of its length is left with rounding, which another pass takes out.
const MOST: f64 = 0.5;
/// What is known is taken out where its rounding may have grown by so much.
const GROWN: f64 = 1e4;
/// Most Ritz vectors that one pass over the basis makes.
const TOGETHER: usize = 4;

/// A space under way.
pub(super) struct Lanczos<'a, P: Fn(&mut Tile<1>)> {
    walk: &'a Walk<'a>,
    /// Takes out of a vector what the space must be orthogonal to.
    purge: P,
    keeps: bool,
    /// q_0 to q_j, or q_{j-1} and q_j alone.
    vectors: Vec<Tile<1>>,
    /// D^-½ q_j.
    scaled: Vec<f64>,
    diagonal: Vec<f64>,
    /// β_1 to β_j.
    coupling: Vec<f64>,
    /// How far q_{j-1} and q_j are from orthogonal to those before, as far as is known.
    overlaps: [Vec<f64>; 2],
    /// Whether the next vector is made orthogonal to all because this one was.
    again: bool,
    /// How much rounding toward what is known may have grown since it was taken out of two vectors.
    growth: f64,
    /// Whether it was taken out of the last one.
    purged: bool,
}

/// Ritz values, largest first, with their residuals and coordinates.
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    coordinates: Mat<f64>,
}

impl<'a, P: Fn(&mut Tile<1>)> Lanczos<'a, P> {
    /// The space of `start`. Where it is not to be kept, there are no Ritz vectors and values that have
    /// converged come in copies.
    pub(super) fn new(walk: &'a Walk<'a>, mut start: Tile<1>, keeps: bool, purge: P) -> Self {
        for _ in 0..2 {
            purge(&mut start);
            let length = start.norm();
            start.values_mut().iter_mut().for_each(|v| *v /= length);
        }
        let mut scaled = vec![0.0; start.rows().len()];
        walk.scaled(start.values(), 1.0, &mut scaled);
        Lanczos {
            walk,
            purge,
            keeps,
            vectors: vec![start],
            scaled,
            diagonal: Vec::new(),
            coupling: Vec::new(),
            overlaps: [Vec::new(), vec![1.0]],
            again: false,
            growth: 1.0,
            purged: false,
        }
    }

    /// Steps taken.
    pub(super) fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// Whether no further step is possible.
    pub(super) fn is_closed(&self) -> bool {
        self.coupling.last().is_some_and(|beta| *beta <= CLOSED)
    }

    /// One step: one product.
    pub(super) fn step(&mut self) {
        let (now, before) = (self.vectors.len() - 1, self.vectors.len().checked_sub(2));
        let mut next = Tile::zeros(self.scaled.len());
        let past = before.zip(self.coupling.last()).map(|(b, beta)| (self.vectors[b].values(), *beta));
        let alpha = self.walk.product(&self.scaled, past, self.vectors[now].values(), &mut next);
        let mut beta = subtract(alpha, &self.vectors[now], &mut next);
        self.diagonal.push(alpha);
        let past = self.coupling.last().copied().unwrap_or(0.0);
        self.growth *= (1.0 - alpha + past) / beta.max(CLOSED);
        if self.growth > GROWN {
            (self.purge)(&mut next);
            beta = next.norm();
            // The one after this is purged too: two vectors carry all that is to come.
            self.growth = if self.purged { 1.0 } else { f64::INFINITY };
            self.purged = !self.purged;
        }
        if self.keeps && beta > CLOSED {
            beta = self.keep_orthogonal(&mut next, beta);
        }
        self.coupling.push(beta);
        if beta > CLOSED {
            self.walk.scaled(next.values(), 1.0 / beta, &mut self.scaled);
            let factor = 1.0 / beta;
            next.rows_mut().par_chunks_mut(ROWS).for_each(|c| c.iter_mut().for_each(|v| v[0] *= factor));
        }
        if !self.keeps && self.vectors.len() == 2 {
            self.vectors.remove(0);
        }
        self.vectors.push(next);
    }

    /// Makes `next` orthogonal to all vectors where it may not be so; returns its length.
    fn keep_orthogonal(&mut self, next: &mut Tile<1>, mut beta: f64) -> f64 {
        let mut overlaps = self.expected_overlaps(beta);
        let worst = overlaps.iter().fold(0.0f64, |worst, o| worst.max(o.abs()));
        if worst > SEMIORTHOGONAL || self.again {
            self.again = !self.again;
            loop {
                let before = beta;
                (self.purge)(next);
                take_all_out(&self.vectors, next);
                beta = next.norm();
                if beta >= MOST * before || beta <= CLOSED {
                    break;
                }
            }
            overlaps.fill(ROUNDING);
        }
        overlaps.push(1.0);
        self.overlaps.swap(0, 1);
        self.overlaps[1] = overlaps;
        beta
    }

    /// ω: how far the next vector, of length `beta` before it is scaled, is from orthogonal to q_0 … q_j.
    fn expected_overlaps(&self, beta: f64) -> Vec<f64> {
        let [older, old] = &self.overlaps;
        let j = self.len() - 1;
        let mut overlaps: Vec<f64> = (0..j)
            .map(|k| {
                let up = self.coupling[k] * old[k + 1];
                let level = (self.diagonal[k] - self.diagonal[j]) * old[k];
                let down = if k > 0 { self.coupling[k - 1] * old[k - 1] } else { 0.0 };
                let past = if j > 0 { self.coupling[j - 1] * older[k] } else { 0.0 };
                let sum = (up + level + down - past) / beta;
                sum + ROUNDING.copysign(sum)
            })
            .collect();
        overlaps.push(ROUNDING);
        overlaps
    }

    /// Ritz pairs; `None` when the small eigenproblem fails.
    pub(super) fn ritz(&self) -> Option<Found> {
        let m = self.len();
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => self.diagonal[i],
            1 => self.coupling[i.min(j)],
            _ => 0.0,
        };
        let eigen = Mat::from_fn(m, m, entry).self_adjoint_eigen(Side::Lower).ok()?;
        let beta = self.coupling.last().copied().unwrap_or(0.0);
        let values = (0..m).rev().map(|j| eigen.S().column_vector()[j]).collect();
        let coordinates = Mat::from_fn(m, m, |i, j| eigen.U()[(i, m - 1 - j)]);
        let residuals = (0..m).map(|j| beta * coordinates[(m - 1, j)].abs()).collect();
        Some(Found { values, residuals, coordinates })
    }

    /// The first `count` Ritz vectors, orthonormal to rounding.
    pub(super) fn vectors(&self, found: &Found, count: usize) -> Vec<Vec<f64>> {
        let mut all: Vec<Vec<f64>> = Vec::with_capacity(count);
        for start in (0..count).step_by(TOGETHER) {
            let weight =
                |i: usize, l: usize| if start + l < count { found.coordinates[(i, start + l)] } else { 0.0 };
            let tile: Tile<TOGETHER> = self.combined(weight);
            for l in 0..TOGETHER.min(count - start) {
                let mut own: Vec<f64> = tile.rows().iter().map(|row| row[l]).collect();
                take_out(&all, &mut own);
                let length = own.iter().map(|v| v * v).sum::<f64>().sqrt();
                own.iter_mut().for_each(|v| *v /= length);
                all.push(own);
            }
        }
        all
    }

    /// Mixtures of the Ritz vectors of the largest values by `weights` (Ritz vector × lane).
    pub(super) fn mixture<const L: usize>(&self, found: &Found, weights: &Mat<f64>) -> Tile<L> {
        let mixed = found.coordinates.as_ref().subcols(0, weights.nrows()) * weights;
        self.combined(|i, l| mixed[(i, l)])
    }

    /// Σ_i weight(i, l)·q_i in every lane l.
    fn combined<const L: usize>(&self, weight: impl Fn(usize, usize) -> f64) -> Tile<L> {
        let weights: Vec<[f64; L]> = (0..self.len()).map(|i| std::array::from_fn(|l| weight(i, l))).collect();
        let vectors = &self.vectors;
        let mut tile: Tile<L> = Tile::zeros(self.scaled.len());
        tile.rows_mut().par_chunks_mut(ROWS / 2).enumerate().for_each(|(c, rows)| {
            let first = c * (ROWS / 2);
            pulp::Arch::new().dispatch(|| {
                for (vector, weights) in vectors.iter().zip(&weights) {
                    for (row, v) in rows.iter_mut().zip(&vector.values()[first..]) {
                        (0..L).for_each(|l| row[l] += weights[l] * v);
                    }
                }
            });
        });
        tile
    }
}

/// `next` -= `alpha`·`now`; returns the length that is left.
fn subtract(alpha: f64, now: &Tile<1>, next: &mut Tile<1>) -> f64 {
    let chunks = next.rows_mut().par_chunks_mut(ROWS).zip(now.rows().par_chunks(ROWS));
    let parts: Vec<f64> = chunks
        .map(|(next, now)| {
            next.iter_mut().zip(now).for_each(|(x, q)| x[0] -= alpha * q[0]);
            squares(next.as_flattened())
        })
        .collect();
    parts.iter().sum::<f64>().sqrt()
}

/// Takes the directions of orthonormal vectors out of `own`, all at once.
fn take_all_out(vectors: &[Tile<1>], own: &mut Tile<1>) {
    let share = |c: usize, own: &[[f64; 1]]| -> Vec<f64> {
        let rows = c * ROWS..c * ROWS + own.len();
        let own = own.as_flattened();
        vectors.iter().map(|v| products(&v.values()[rows.clone()], own)).collect()
    };
    let parts: Vec<Vec<f64>> =
        own.rows().par_chunks(ROWS).enumerate().map(|(c, own)| share(c, own)).collect();
    let mut shares = vec![0.0; vectors.len()];
    parts.iter().for_each(|part| shares.iter_mut().zip(part).for_each(|(s, p)| *s += p));
    own.rows_mut().par_chunks_mut(ROWS).enumerate().for_each(|(c, own)| {
        pulp::Arch::new().dispatch(|| {
            for (vector, share) in vectors.iter().zip(&shares) {
                own.iter_mut().zip(&vector.values()[c * ROWS..]).for_each(|(o, v)| o[0] -= share * v);
            }
        });
    });
}

fn squares(x: &[f64]) -> f64 {
    products(x, x)
}

/// xᵀy in eight sums.
fn products(x: &[f64], y: &[f64]) -> f64 {
    pulp::Arch::new().dispatch(|| super::krylov::dot_of_chunk(x, y))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::Graph;
    use crate::spectrum::NormalizedLaplacian;

    /// A grid of 60 × 25 with weights of different sizes: several pairs converge long before the end.
    fn grid() -> Graph {
        let at = |x: usize, y: usize| 25 * x + y;
        let across =
            (1..60).flat_map(|x| (0..25).map(move |y| (at(x - 1, y), at(x, y), 1.0 + (x % 7) as f64)));
        let along =
            (0..60).flat_map(|x| (1..25).map(move |y| (at(x, y - 1), at(x, y), 1.0 + (y % 3) as f64)));
        Graph::from_edges(&across.chain(along).collect::<Vec<_>>(), 1500).unwrap()
    }

    #[test]
    fn vectors_stay_orthogonal_and_the_recurrence_holds() {
        let graph = grid();
        let operator = NormalizedLaplacian::new(&graph);
        let walk = Walk::new(&operator);
        let start = Tile::random(1500, &mut ChaCha8Rng::seed_from_u64(1));
        let mut space = Lanczos::new(&walk, start, true, |_| ());
        (0..300).for_each(|_| space.step());
        let mut worst = 0.0f64;
        for (i, a) in space.vectors.iter().enumerate() {
            for b in &space.vectors[..i] {
                worst = worst.max(a.values().iter().zip(b.values()).map(|(a, b)| a * b).sum::<f64>().abs());
            }
        }
        // Without reorthogonalization it is of the size of 1; all the way it would be of 1e-16.
        assert!(worst < 1e-6 && worst > 1e-14, "{worst:e}");
        // The largest eigenvalue is 1, found once.
        let found = space.ritz().unwrap();
        assert!(
            (found.values[0] - 1.0).abs() < 1e-13 && found.values[1] < 1.0 - 1e-5,
            "{:?}",
            &found.values[..3]
        );
        let vectors = space.vectors(&found, 5);
        for (a, theta) in vectors.iter().zip(&found.values) {
            let (mut scratch, mut product) = (vec![0.0; 1500], vec![0.0; 1500]);
            operator.apply(a, 1, &mut scratch, &mut product);
            let residual: f64 = product.iter().zip(a).map(|(n, a)| (n - (1.0 - theta) * a).powi(2)).sum();
            let told = found.residuals[vectors.iter().position(|v| v == a).unwrap()];
            assert!((residual.sqrt() - told).abs() < 1e-7, "{:e} against {told:e}", residual.sqrt());
        }
    }
}
