//! Centered kernel alignment, and weights learned by it (Cortes, Mohri, Rostamizadeh 2012).
//!
//! With K̄ = HKH, H = I - 11ᵀ/n, the alignment of two similarities is the cosine
//!
//! ```text
//! ⟨K̄, Q̄⟩ / (‖K̄‖ ‖Q̄‖)
//! ```
//! of [`products`](super::products), and the weights α ≥ 0 whose Σ α_k K_k is best aligned with the label graph Y are, up to their
//! sum, the solution of the small quadratic problem (`alignf`)
//!
//! ```text
//! min vᵀMv - 2vᵀa  over v ≥ 0,   M_kl = ⟨K̄_k, K̄_l⟩,  a_k = ⟨K̄_k, Ȳ⟩
//! ```
//! solved by the active-set method of Lawson and Hanson. Sources that repeat each other make M
//! singular; a ridge of 10⁻⁹ of its diagonal then divides the weight evenly among them, so that the
//! order of sources does not matter. The problem is posed for similarities of norm 1, so that what is rounding
//! can be told: a source that is constant, or whose alignment with the labels is 0 to nine digits, takes
//! no part.
//!
//! Similarities that are not positive semidefinite have alignments too, which may then be negative.

use super::products::Products;

/// What is added to the diagonal of the problem in units of alignment.
const RIDGE: f64 = 1e-9;
/// An alignment closer to 0 is rounding.
const NOTHING: f64 = 1e-9;

/// The weights of all but the last similarity that align best with the last, summing to 1; `None`
/// where none is aligned with it at all.
pub(super) fn learn(products: &Products) -> Option<Vec<f64>> {
    best_mixture(products.count() - 1, &|k, l| products.alignment(k, l), &|k| products.norm(k))
}

/// The weights of things 0 to `count` - 1, given by their cosines and norms, whose sum is best aligned with thing
/// `count`, summing to 1; `None` where none is aligned with it at all.
pub(super) fn best_mixture(
    count: usize,
    alignment: &dyn Fn(usize, usize) -> f64,
    norm: &dyn Fn(usize) -> f64,
) -> Option<Vec<f64>> {
    let able: Vec<usize> = (0..count).filter(|&k| alignment(k, count).abs() > NOTHING).collect();
    let m = |k: usize, l: usize| if k == l { 1.0 + RIDGE } else { alignment(able[k], able[l]) };
    let a: Vec<f64> = able.iter().map(|&k| alignment(k, count)).collect();
    let v = nonnegative_minimum(&m, &a);
    let mut weights = vec![0.0; count];
    able.iter().zip(v).for_each(|(&k, v)| weights[k] = v / norm(k));
    let total: f64 = weights.iter().sum();
    (total > 0.0).then(|| weights.iter().map(|w| w / total).collect())
}

/// The minimum of vᵀMv - 2vᵀa over v ≥ 0 for a positive definite M (Lawson & Hanson).
fn nonnegative_minimum(m: &dyn Fn(usize, usize) -> f64, a: &[f64]) -> Vec<f64> {
    let count = a.len();
    let mut v = vec![0.0; count];
    let mut free = vec![false; count];
    let tolerance = 1e-12;
    // Every round enters one source and lowers the objective, so no set of free ones comes twice; the
    // bound only guards against rounding.
    for _ in 0..10 * count {
        let slope = |k: usize| a[k] - (0..count).map(|l| m(k, l) * v[l]).sum::<f64>();
        let steepest = (0..count).filter(|&k| !free[k]).map(|k| (slope(k), k));
        let Some((_, entering)) = steepest.filter(|s| s.0 > tolerance).max_by(|a, b| a.0.total_cmp(&b.0))
        else {
            break;
        };
        free[entering] = true;
        settle(m, a, &mut v, &mut free);
    }
    v
}

/// Solves for the free entries; those that would fall below 0 are held at 0.
fn settle(m: &dyn Fn(usize, usize) -> f64, a: &[f64], v: &mut [f64], free: &mut [bool]) {
    loop {
        let set: Vec<usize> = (0..v.len()).filter(|&k| free[k]).collect();
        let goal = solve(m, a, &set);
        if goal.iter().all(|&g| g > 0.0) {
            set.iter().zip(&goal).for_each(|(&k, g)| v[k] = *g);
            return;
        }
        let steps = set.iter().zip(&goal).filter(|(_, g)| **g <= 0.0);
        let step = steps.map(|(&k, g)| v[k] / (v[k] - g).max(f64::MIN_POSITIVE)).fold(1.0, f64::min);
        for (&k, g) in set.iter().zip(&goal) {
            v[k] += step * (g - v[k]);
            if *g <= 0.0 && v[k] <= f64::EPSILON {
                v[k] = 0.0;
                free[k] = false;
            }
        }
        if set.iter().all(|&k| free[k]) {
            // Rounding kept everything just above 0; the smallest must go for the loop to end.
            let smallest = set.iter().copied().min_by(|&k, &l| v[k].total_cmp(&v[l]));
            if let Some(k) = smallest {
                v[k] = 0.0;
                free[k] = false;
            }
        }
    }
}

/// M v = a on `set`, by Gaussian elimination: positive definite, so no pivoting is needed.
fn solve(m: &dyn Fn(usize, usize) -> f64, a: &[f64], set: &[usize]) -> Vec<f64> {
    let n = set.len();
    let mut matrix: Vec<Vec<f64>> = set.iter().map(|&k| set.iter().map(|&l| m(k, l)).collect()).collect();
    let mut right: Vec<f64> = set.iter().map(|&k| a[k]).collect();
    for p in 0..n {
        for i in p + 1..n {
            let factor = matrix[i][p] / matrix[p][p];
            for j in p..n {
                matrix[i][j] -= factor * matrix[p][j];
            }
            right[i] -= factor * right[p];
        }
    }
    for p in (0..n).rev() {
        let known: f64 = (p + 1..n).map(|j| matrix[p][j] * right[j]).sum();
        right[p] = (right[p] - known) / matrix[p][p];
    }
    right
}
