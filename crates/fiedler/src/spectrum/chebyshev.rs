//! Chebyshev series of the spectral functions on the interval 0..2, where the eigenvalues of N
//! lie when no weight is negative.
//!
//! With r = 1 + x, x from -1 to 1, γ(r) = Σ_k a_k T_k(x). |T_k| ≤ 1, so what a series cut after
//! degree K leaves out is nowhere larger than Σ_{k>K} |a_k|, and both functions have that sum in
//! closed form:
//!
//! - r^p: a_{k+1}/a_k = (p-k)/(p+k+1), and for k > p the terms (-1)^k a_k have one sign and
//!   telescope: Σ_{k≥K} |a_k| = |a_K| (K+p)/2p. The terms fall like k^(-2p-1), so a large p is
//!   easy and √r, with its vertical tangent at 0, is out of reach.
//! - e^(βr): a_k = 2e^β I_k(β) with the modified Bessel functions, I_{k+1} ≤ I_k β/(2k+2): the
//!   terms fall faster than any power.

use std::f64::consts::PI;

use super::filter::Filter;

/// A series and how far it may be from its function.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    /// a_0, a_1, …; a_0 is not to be halved.
    pub(super) coefficients: Vec<f64>,
    /// The largest |γ(r) - series(r)|, r from 0 to 2.
    pub(super) bound: f64,
}

impl Series {
    /// The shortest series of `filter` within `tolerance`, or the one of degree `max_degree` with
    /// the bound that it reaches.
    pub(super) fn of(filter: &Filter, tolerance: f64, max_degree: usize) -> Series {
        match *filter {
            Filter::Identity => power(1.0, tolerance, max_degree),
            Filter::Power(p) => power(p, tolerance, max_degree),
            Filter::Exponential(beta) => exponential(beta, tolerance, max_degree),
        }
    }
}

fn power(p: f64, tolerance: f64, max_degree: usize) -> Series {
    let mean = p.exp2() * gamma_ratio(p) / PI.sqrt();
    let mut coefficients = vec![mean];
    let mut next = 2.0 * mean * p / (p + 1.0);
    loop {
        let k = coefficients.len() as f64;
        // What this series leaves out, once the signs alternate.
        let bound = if k > p { next.abs() * (k + p) / (2.0 * p) } else { f64::INFINITY };
        if bound <= tolerance || (k > p && coefficients.len() > max_degree) {
            return Series { coefficients, bound };
        }
        coefficients.push(next);
        next *= (p - k) / (p + k + 1.0);
    }
}

fn exponential(beta: f64, tolerance: f64, max_degree: usize) -> Series {
    let scale = 2.0 * beta.exp();
    // The 1 of e^(βr) - 1 belongs to the constant term.
    let mut coefficients = vec![scale / 2.0 * bessel(0, beta) - 1.0];
    loop {
        let k = coefficients.len();
        let next = scale * bessel(k, beta);
        // Geometric from here on, with a ratio that only falls.
        let ratio = beta / (2.0 * (k as f64 + 1.0));
        let bound = if ratio < 1.0 { next / (1.0 - ratio) } else { f64::INFINITY };
        if bound <= tolerance || (ratio < 1.0 && k > max_degree) {
            return Series { coefficients, bound };
        }
        coefficients.push(next);
    }
}

/// I_k(β) by its series, whose terms are all positive.
fn bessel(k: usize, beta: f64) -> f64 {
    let half = beta / 2.0;
    let mut term = (1..=k).fold(1.0, |t, i| t * half / i as f64);
    let mut sum = term;
    let mut m = 1.0;
    while term > f64::EPSILON * sum / 4.0 {
        term *= half / m * (half / (m + k as f64));
        sum += term;
        m += 1.0;
    }
    sum
}

/// Γ(p + ½)/Γ(p + 1): the asymptotic series at a large argument, carried down to p.
fn gamma_ratio(p: f64) -> f64 {
    const LARGE: f64 = 256.0;
    let mut carried = 1.0;
    let mut at = p;
    while at < LARGE {
        carried *= (at + 1.0) / (at + 0.5);
        at += 1.0;
    }
    let y = 1.0 / at;
    let series = 1.0
        + y * (-1.0 / 8.0
            + y * (1.0 / 128.0 + y * (5.0 / 1024.0 + y * (-21.0 / 32768.0 - y * 399.0 / 262_144.0))));
    carried * y.sqrt() * series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clenshaw's sum.
    fn value(series: &Series, r: f64) -> f64 {
        let x = r - 1.0;
        let (mut b1, mut b2) = (0.0, 0.0);
        for &a in series.coefficients.iter().skip(1).rev() {
            (b1, b2) = (a + 2.0 * x * b1 - b2, b1);
        }
        series.coefficients[0] + x * b1 - b2
    }

    fn worst(filter: &Filter, series: &Series) -> f64 {
        let grid = (0..=4000).map(|i| i as f64 / 2000.0);
        grid.map(|r| (value(series, r) - filter.apply(r)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn the_bound_holds_and_is_tight() {
        let filters = [0.3, 0.5, 0.9, 1.5, 2.5, 7.25].map(Filter::Power);
        for filter in filters.into_iter().chain([0.01, 0.5, 3.0, 20.0].map(Filter::Exponential)) {
            for max_degree in [8, 40, 300] {
                let tolerance = 1e-10 * filter.apply(2.0);
                let series = Series::of(&filter, tolerance, max_degree);
                let found = worst(&filter, &series);
                let rounding = 1e-13 * filter.apply(2.0);
                assert!(found <= series.bound + rounding, "{filter}: {found:e} above {:e}", series.bound);
                assert!(found >= 0.02 * series.bound - rounding, "{filter}: {:e} is loose", series.bound);
            }
        }
    }

    #[test]
    fn the_degree_is_the_least_that_serves() {
        let series = Series::of(&Filter::Exponential(0.5), 1e-10, 1000);
        assert!(series.bound <= 1e-10 && series.coefficients.len() < 16);
        let series = Series::of(&Filter::Power(2.5), 1e-10, 1000);
        assert!(series.bound <= 1e-10 && series.coefficients.len() < 200);
    }

    #[test]
    fn integer_powers_end_by_themselves() {
        let series = Series::of(&Filter::Power(3.0), 0.0, 100);
        assert_eq!(series.coefficients.len(), 4);
        assert_eq!(series.bound, 0.0);
    }

    #[test]
    fn known_values() {
        assert!((gamma_ratio(0.5) - 1.0 / (PI.sqrt() / 2.0)).abs() < 1e-13);
        assert!((gamma_ratio(1.0) - PI.sqrt() / 2.0).abs() < 1e-13);
        assert!((bessel(0, 1.0) - 1.266_065_877_752_008_4).abs() < 1e-15);
        assert!((bessel(3, 2.0) - 0.212_739_959_239_853).abs() < 1e-15);
    }
}
