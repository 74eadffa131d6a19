//! Robust rank aggregation (Kolde, Laur, Adler, Vilo 2012), with exact p-values.
//!
//! Divide every rank of a feature by the number of features: under chance the r_1 ≤ … ≤ r_n of n
//! lists are the order statistics U_(1) ≤ … ≤ U_(n) of uniform numbers, and
//!
//! ```text
//! β_k = P(U_(k) ≤ r_k) = P(Binomial(n, r_k) ≥ k),   ρ = min_k β_k
//! ```
//! The minimum asks for the best subset of lists that agree, so that a few lists of noise do no
//! harm. A feature that a list leaves out has r = 1 there.
//!
//! # The p-value
//! p = P(ρ of chance ≤ ρ). The paper bounds it by nρ, which is 1 for everything but the best, and ties what it
//! should tell apart. Exactly: with b_k the number for which P(U_(k) ≤ b_k) = ρ, chance is as good when for
//! some k at least k of the n numbers lie below b_k. Walk over k = 1 … n with the count j of numbers
//! below b_k; as long as j < k nothing has happened, and what arrives at j ≥ k has. As the counts of
//! a Poisson process of rate n are independent from step to step, and those of n uniform numbers are
//! its counts given that there are n in all,
//!
//! ```text
//! p = Σ_k Σ_{j ≥ k} (what leaves at step k with count j) · P(n-j more after b_k) / P(n in all)
//! ```
//! a sum of positive terms, which loses no digits however small p is. Cost: n³/3 for every different ρ.

use rayon::prelude::*;

use super::Lists;

/// The p-value of every feature.
pub(super) fn p_values(lists: &Lists) -> Vec<f64> {
    let chance = Chance::new(lists.len());
    let total = lists.n_features() as f64;
    let rho = |j: usize| {
        let relative = |list: &Vec<f64>| if list[j].is_nan() { 1.0 } else { list[j] / total };
        let mut ranks: Vec<f64> = lists.ranks().iter().map(relative).collect();
        ranks.sort_by(f64::total_cmp);
        let betas = ranks.iter().enumerate().map(|(i, &r)| chance.tail(r, i + 1));
        betas.fold(1.0, f64::min)
    };
    let rhos: Vec<f64> = (0..lists.n_features()).into_par_iter().map(rho).collect();
    let mut different = rhos.clone();
    different.sort_by(f64::total_cmp);
    different.dedup();
    let mut values: Vec<f64> = different.par_iter().map(|&rho| chance.p_value(rho)).collect();
    // Rounding must not turn the order of two that are almost equal.
    for i in 1..values.len() {
        values[i] = values[i].max(values[i - 1]);
    }
    rhos.iter().map(|rho| values[different.partition_point(|d| d < rho)]).collect()
}

/// What chance does with so many lists.
struct Chance {
    lists: usize,
    /// ln 0!, ln 1!, … ln n!.
    log_factorials: Vec<f64>,
}

impl Chance {
    fn new(lists: usize) -> Self {
        let logs = (1..=lists).scan(0.0, |sum, i| {
            *sum += (i as f64).ln();
            Some(*sum)
        });
        Chance { lists, log_factorials: std::iter::once(0.0).chain(logs).collect() }
    }

    /// P(Binomial(n, r) ≥ k): the largest term by logarithms, the others from it by their ratios.
    fn tail(&self, r: f64, k: usize) -> f64 {
        let n = self.lists;
        if r >= 1.0 {
            return 1.0;
        }
        if r <= 0.0 {
            return 0.0;
        }
        let largest = (((n + 1) as f64 * r) as usize).clamp(k, n);
        let logs = &self.log_factorials;
        let ways = logs[n] - logs[largest] - logs[n - largest];
        let peak = (ways + largest as f64 * r.ln() + (n - largest) as f64 * (-r).ln_1p()).exp();
        let odds = r / (1.0 - r);
        let up = (largest..n).scan(peak, |term, j| {
            *term *= odds * (n - j) as f64 / (j + 1) as f64;
            Some(*term)
        });
        let down = (k..largest).rev().scan(peak, |term, j| {
            *term *= (j + 1) as f64 / ((n - j) as f64 * odds);
            Some(*term)
        });
        (peak + up.sum::<f64>() + down.sum::<f64>()).min(1.0)
    }

    /// b with P(U_(k) ≤ b) = `rho`, above `low`: halving in ln b, by Newton's step where that stays inside.
    fn bound(&self, rho: f64, k: usize, low: f64) -> f64 {
        let n = self.lists;
        let logs = &self.log_factorials;
        let density = logs[n] - logs[k - 1] - logs[n - k];
        let (mut low, mut high) = (low.max(f64::MIN_POSITIVE).ln(), 0.0f64);
        let mut x = 0.5 * (low + high);
        for _ in 0..200 {
            let r = x.exp();
            let tail = self.tail(r, k);
            if tail > rho {
                high = x
            } else {
                low = x
            }
            // d ln P/d ln r = r · density / P.
            let slope = (density + k as f64 * x + (n - k) as f64 * (-r).ln_1p()).exp() / tail;
            let newton = x - (tail.ln() - rho.ln()) / slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - x).abs() <= 1e-16 * x.abs() || high - low <= 1e-16 * high.abs() {
                return next.exp();
            }
            x = next;
        }
        x.exp()
    }

    /// P(min_k P(U_(k) ≤ ·) ≤ `rho`).
    fn p_value(&self, rho: f64) -> f64 {
        let n = self.lists;
        if rho >= 1.0 || rho <= 0.0 {
            return rho.clamp(0.0, 1.0);
        }
        let rate = n as f64;
        // The weight of every count that is still below its step.
        let mut weight = vec![0.0; n + 1];
        weight[0] = 1.0;
        let (mut before, mut left) = (0.0, 0.0);
        for k in 1..=n {
            let bound = self.bound(rho, k, before);
            let more = self.poisson(rate * (bound - before));
            let after = self.poisson(rate * (1.0 - bound));
            for j in k..=n {
                let arrives: f64 = (0..k).map(|from| weight[from] * more[j - from]).sum();
                left += arrives * after[n - j];
            }
            for j in (0..k).rev() {
                weight[j] = (0..=j).map(|from| weight[from] * more[j - from]).sum();
            }
            before = bound;
        }
        let all = (rate * rate.ln() - rate - self.log_factorials[n]).exp();
        (left / all).min(1.0)
    }

    /// P(a Poisson count is 0), … P(it is n), of that mean.
    fn poisson(&self, mean: f64) -> Vec<f64> {
        if mean <= 0.0 {
            return (0..=self.lists).map(|j| f64::from(u8::from(j == 0))).collect();
        }
        let term = |(j, log): (usize, &f64)| (j as f64 * mean.ln() - mean - log).exp();
        self.log_factorials.iter().enumerate().map(term).collect()
    }
}
