//! Centred kernel alignment, and weights learned by it (Cortes, Mohri, Rostamizadeh 2012).
//!
//! With K̄ = HKH, H = I - 11ᵀ/n, the alignment of two similarities is the cosine
//!
//! ```text
//! ⟨K̄, Q̄⟩ / (‖K̄‖ ‖Q̄‖),   ⟨K̄, Q̄⟩ = ⟨K, Q⟩ - (2/n) dᵀe + (1ᵀd)(1ᵀe)/n²,   d = K1, e = Q1
//! ```
//! and the weights α ≥ 0 whose Σ α_k K_k is best aligned with the label graph Y are, up to their
//! sum, the solution of the small quadratic problem (`alignf`)
//!
//! ```text
//! min vᵀMv - 2vᵀa  over v ≥ 0,   M_kl = ⟨K̄_k, K̄_l⟩,  a_k = ⟨K̄_k, Ȳ⟩
//! ```
//! solved by the active-set method of Lawson and Hanson. Sources that repeat each other make M
//! singular; a ridge of 10⁻⁹ of its diagonal then divides the weight evenly among them, so that the
//! order of sources does not matter.
//!
//! Cost: n² · sources², row by row: no n × n matrix is formed. Similarities that are not positive
//! semidefinite have alignments too, which may then be negative.

use rayon::prelude::*;

use crate::graph::Graph;

/// Samples whose rows one task multiplies.
const ROWS: usize = 32;
const RIDGE: f64 = 1e-9;

/// The inner products of centred similarities.
pub(super) struct Products {
    count: usize,
    values: Vec<f64>,
}

impl Products {
    /// All pairs of `graphs`, each times its scale, over the samples `chosen`.
    pub(super) fn new(graphs: &[&Graph], scales: &[f64], chosen: &[usize]) -> Self {
        let count = graphs.len();
        let parts: Vec<(Vec<f64>, Vec<f64>)> =
            chosen.par_chunks(ROWS).map(|rows| raw_products(graphs, scales, chosen, rows)).collect();
        let mut products = vec![0.0; count * count];
        let mut degrees = vec![Vec::with_capacity(chosen.len()); count];
        for (part, sums) in parts {
            products.iter_mut().zip(part).for_each(|(p, v)| *p += v);
            for (k, sum) in sums.into_iter().enumerate() {
                degrees[k % count].push(sum);
            }
        }
        let n = chosen.len() as f64;
        let volume: Vec<f64> = degrees.iter().map(|d| d.iter().sum()).collect();
        for k in 0..count {
            for l in 0..count {
                let shared: f64 = degrees[k].iter().zip(&degrees[l]).map(|(d, e)| d * e).sum();
                products[k * count + l] += volume[k] * volume[l] / (n * n) - 2.0 * shared / n;
            }
        }
        Products { count, values: products }
    }

    /// ⟨K̄_k, K̄_l⟩.
    fn at(&self, k: usize, l: usize) -> f64 {
        self.values[k * self.count + l]
    }

    /// The cosine of two similarities, 0 where one of them is constant.
    pub(super) fn alignment(&self, k: usize, l: usize) -> f64 {
        let norms = (self.at(k, k) * self.at(l, l)).sqrt();
        if norms > 0.0 { (self.at(k, l) / norms).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// Products and row sums of some rows, before centring.
fn raw_products(graphs: &[&Graph], scales: &[f64], chosen: &[usize], rows: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let count = graphs.len();
    let n = graphs.first().map_or(0, |g| g.n_samples());
    let (mut products, mut sums) = (vec![0.0; count * count], Vec::with_capacity(count * rows.len()));
    let mut row = vec![0.0; n];
    let mut picked = vec![vec![0.0; chosen.len()]; count];
    for &i in rows {
        for ((graph, scale), picked) in graphs.iter().zip(scales).zip(&mut picked) {
            row.fill(0.0);
            graph.add_row(*scale, i, &mut row);
            picked.iter_mut().zip(chosen).for_each(|(p, &j)| *p = row[j]);
            sums.push(picked.iter().sum());
        }
        for k in 0..count {
            for l in 0..=k {
                let product: f64 = picked[k].iter().zip(&picked[l]).map(|(a, b)| a * b).sum();
                products[k * count + l] += product;
                if l < k {
                    products[l * count + k] += product;
                }
            }
        }
    }
    (products, sums)
}

/// The weights of all but the last similarity that align best with the last, summing to 1; `None`
/// where none is aligned with it at all.
pub(super) fn learn(products: &Products) -> Option<Vec<f64>> {
    let count = products.count - 1;
    let mean = (0..count).map(|k| products.at(k, k)).sum::<f64>() / count as f64;
    let m = |k: usize, l: usize| products.at(k, l) + if k == l { RIDGE * mean } else { 0.0 };
    let a: Vec<f64> = (0..count).map(|k| products.at(k, count)).collect();
    let v = nonnegative_minimum(&m, &a);
    let total: f64 = v.iter().sum();
    (total > 0.0).then(|| v.iter().map(|w| w / total).collect())
}

/// The minimum of vᵀMv - 2vᵀa over v ≥ 0 for a positive definite M (Lawson & Hanson).
fn nonnegative_minimum(m: &dyn Fn(usize, usize) -> f64, a: &[f64]) -> Vec<f64> {
    let count = a.len();
    let mut v = vec![0.0; count];
    let mut free = vec![false; count];
    let tolerance = 1e-12 * a.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
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
