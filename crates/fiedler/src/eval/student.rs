//! Student's t-test for pairs.
//!
//! Two selections are judged on the same partitions, so their differences d₁ … d_r are what to look at:
//! t = mean(d)/(s_d/√r) follows Student's distribution with r - 1 degrees of freedom when the selections are
//! equally good. Its tail is an incomplete beta function:
//! ```text
//! p = I_x(ν/2, ½),   x = ν/(ν + t²),   ν = r - 1
//! ```
//! Partitions of one data set share samples, so their differences are not independent, and s_d/√r shrinks with every
//! further partition although nothing new is learned: with fifty halves of pure noise, half of all comparisons come out
//! "significant". The corrected test (Nadeau & Bengio 2003) puts s_d·√(1/r + q) in its place, q the ratio of test to training
//! samples: 1 for halves, 1/(k-1) for k folds, 0 for values that are independent.

use crate::{Error, Result};

/// The two-sided p-value of the paired t-test; `None` where fewer than two pairs leave nothing to judge by.
/// Differences that are all 0 have p = 1. Differences that are all the same and not 0 have p = 0 where they are independent;
/// partitions of one data set may agree by chance, and then that tells nothing: `None`.
/// `overlap` is q above: 0 for independent pairs, test samples/training samples for partitions of one data set.
///
/// ```
/// use fiedler::eval::paired_t_test;
///
/// let (a, b) = ([0.91, 0.94, 0.90, 0.95], [0.89, 0.90, 0.89, 0.92]);
/// let p = paired_t_test(&a, &b, 0.0)?;
/// assert!((p.unwrap_or(1.0) - 0.0305).abs() < 1e-4);
/// assert!(paired_t_test(&a, &b, 1.0)? > p, "halves of one data set tell less");
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::Length`] when the lists are not of the same length.
pub fn paired_t_test(a: &[f64], b: &[f64], overlap: f64) -> Result<Option<f64>> {
    if a.len() != b.len() {
        return Err(Error::Length { what: "values of a paired test", expected: a.len(), got: b.len() });
    }
    if a.len() < 2 {
        return Ok(None);
    }
    let paired = Paired::new(a, b, overlap);
    let tells_nothing = paired.error == 0.0 && paired.mean != 0.0 && overlap > 0.0;
    Ok((!tells_nothing).then(|| paired.p_value()))
}

/// The differences of two lists of one length.
pub(super) struct Paired {
    /// Their mean.
    pub(super) mean: f64,
    /// What the mean is uncertain by: s_d·√(1/r + q); 0 for differences that are equal but for rounding.
    pub(super) error: f64,
    freedom: f64,
}

impl Paired {
    pub(super) fn new(a: &[f64], b: &[f64], overlap: f64) -> Self {
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let (mean, sd) = mean_and_sd(&differences);
        let even = sd <= 1e-14 * mean.abs() || differences.iter().all(|&d| d == differences[0]);
        let n = differences.len() as f64;
        let error = if even { 0.0 } else { sd * (1.0 / n + overlap).sqrt() };
        Paired { mean, error, freedom: n - 1.0 }
    }

    /// The two-sided p-value; there must be two pairs at least.
    pub(super) fn p_value(&self) -> f64 {
        match self.error {
            0.0 if self.mean == 0.0 => 1.0,
            0.0 => 0.0,
            error => two_sided(self.mean / error, self.freedom),
        }
    }
}

/// The probability of a t beyond ±`t` with ν degrees of freedom.
fn two_sided(t: f64, nu: f64) -> f64 {
    incomplete_beta(0.5 * nu, 0.5, nu / (nu + t * t))
}

/// The t beyond which the two-sided p-value is below `significance`.
pub(super) fn critical(significance: f64, nu: f64) -> f64 {
    let p_value = |t| two_sided(t, nu);
    // By halving, for p falls.
    let mut high = 1.0;
    while p_value(high) > significance && high < 1e150 {
        high *= 2.0;
    }
    let mut low = 0.0;
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if p_value(middle) > significance {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The mean, and the standard deviation with r - 1 below; 0 for a single value.
pub(super) fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    if values.is_empty() {
        return (f64::NAN, 0.0);
    }
    let mean = values[0] + values.iter().map(|v| v - values[0]).sum::<f64>() / n;
    if values.len() < 2 {
        return (mean, 0.0);
    }
    let square: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (mean, (square / (n - 1.0)).sqrt())
}

/// I_x(a, b), by its continued fraction (DLMF 8.17.22) on the side where it converges fast.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * fraction(a, b, x) / a
    } else {
        1.0 - front.exp() * fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction, by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = value;
        for coefficient in [even, odd] {
            d = 1.0 / away(1.0 + coefficient * d);
            c = away(1.0 + coefficient / c);
            value *= c * d;
        }
        if (value - before).abs() <= 1e-15 * value.abs() {
            break;
        }
    }
    value
}

/// ln of how many choices of `some` there are among `all`.
pub(super) fn ln_choose(all: usize, some: usize) -> f64 {
    let factorial = |n: usize| ln_gamma(n as f64 + 1.0);
    factorial(all) - factorial(some) - factorial(all - some)
}

/// ln Γ(x) for x > 0 (Lanczos, g = 7, nine terms: fifteen digits).
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Reflection keeps the series where it is accurate.
        return (std::f64::consts::PI / (std::f64::consts::PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let series = TERMS.iter().enumerate().map(|(i, t)| t / (x + i as f64 + 1.0)).sum::<f64>();
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + (0.999_999_999_999_809_9 + series).ln()
}

#[cfg(test)]
mod tests {
    use super::critical;

    /// Values of printed tables.
    #[test]
    fn critical_values_are_those_of_the_tables() {
        for (significance, nu, expected) in [
            (0.05, 1.0, 12.7062),
            (0.05, 9.0, 2.26216),
            (0.01, 9.0, 3.24984),
            (0.1, 4.0, 2.13185),
            (0.05, 99.0, 1.98422),
        ] {
            let got = critical(significance, nu);
            assert!((got - expected).abs() < 1e-5 * expected, "{significance} {nu}: {got}");
        }
    }
}
