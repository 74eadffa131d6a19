//! Robust rank aggregation (Kolde, Laur, Adler, Vilo 2012).
//!
//! Divide every rank of a feature by the number of features: under chance the r_1 ≤ … ≤ r_n of n
//! lists are the order statistics of uniform numbers, and
//!
//! ```text
//! β_k = P(k-th smallest of n uniforms ≤ r_k) = P(Binomial(n, r_k) ≥ k)
//! ρ = min_k β_k,   p = min(1, n·ρ)
//! ```
//! The minimum asks for the best subset of lists that agree, so that a few lists of noise do no
//! harm; the factor n is Bonferroni's correction for having tried n subsets. A feature that a list
//! leaves out has r = 1 there.

use super::Lists;

/// The p-value of every feature.
pub(super) fn p_values(lists: &Lists) -> Vec<f64> {
    let n = lists.len();
    let log_factorials: Vec<f64> = std::iter::once(0.0)
        .chain((1..=n).scan(0.0, |sum, i| {
            *sum += (i as f64).ln();
            Some(*sum)
        }))
        .collect();
    let total = lists.n_features() as f64;
    let p_value = |j: usize| {
        let relative = |list: &Vec<f64>| if list[j].is_nan() { 1.0 } else { list[j] / total };
        let mut ranks: Vec<f64> = lists.ranks().iter().map(relative).collect();
        ranks.sort_by(f64::total_cmp);
        let betas = ranks.iter().enumerate().map(|(i, &r)| binomial_tail(&log_factorials, r, i + 1));
        (n as f64 * betas.fold(1.0, f64::min)).min(1.0)
    };
    (0..lists.n_features()).map(p_value).collect()
}

/// P(Binomial(n, r) ≥ k), smallest terms first: a sum of positive numbers, which loses no digits.
fn binomial_tail(log_factorials: &[f64], r: f64, k: usize) -> f64 {
    let n = log_factorials.len() - 1;
    if r >= 1.0 {
        return 1.0;
    }
    let (hit, miss) = (r.ln(), (-r).ln_1p());
    let term = |j: usize| {
        let ways = log_factorials[n] - log_factorials[j] - log_factorials[n - j];
        (ways + j as f64 * hit + (n - j) as f64 * miss).exp()
    };
    (k..=n).rev().map(term).sum::<f64>().min(1.0)
}
