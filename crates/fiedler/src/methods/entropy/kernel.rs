//! The arithmetic of a pair, free of branches so that it becomes vector instructions.
//!
//! With x = a·d the entropy of a pair is x e⁻ˣ - (1 - e⁻ˣ) ln(1 - e⁻ˣ). The library's exp and ln are calls, one number at
//! a time; these two are plain polynomials, good to a few units in the last place over the range that occurs.

use crate::simd::vectorized;

/// Pairs side by side.
pub(super) const LANES: usize = 8;

/// What is left of a squared distance below this share of it is rounding.
const CANCELLED: f64 = 1e-12;
/// 1.5·2⁵²: adding it rounds to a whole number, which then stands in the lowest bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts, the first with zeros at its end so that its multiples are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// The bits of √½.
const ROOT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
/// The bits of 1: exponent 0 with its offset.
const ONE: u64 = 0x3FF0_0000_0000_0000;

/// A sample against some others, and a feature to leave out.
pub(super) struct Part<'a> {
    /// Squared distances to the others.
    pub(super) squares: &'a [f64],
    /// The others' values of the feature.
    pub(super) values: &'a [f64],
    /// The sample's own value.
    pub(super) own: f64,
}

/// Σ of the distances without the feature.
pub(super) fn sum_of_distances(part: Part<'_>) -> f64 {
    vectorized!(sum(&part, |d| d))
}

/// Σ of the entropies at S = exp(-rate·distance).
pub(super) fn sum_of_entropies(part: Part<'_>, rate: f64) -> f64 {
    vectorized!(sum(
        &part,
        #[inline(always)]
        |d| pair_entropy(rate * d)
    ))
}

/// Σ term(distance) in eight interleaved sums.
#[inline(always)]
fn sum(part: &Part<'_>, term: impl Fn(f64) -> f64) -> f64 {
    let (squares, squares_rest) = part.squares.as_chunks::<LANES>();
    let (values, values_rest) = part.values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (squares, values) in squares.iter().zip(values) {
        for l in 0..LANES {
            sums[l] += term(distance(squares[l], values[l] - part.own));
        }
    }
    for (l, (square, value)) in squares_rest.iter().zip(values_rest).enumerate() {
        sums[l] += term(distance(*square, value - part.own));
    }
    sums.iter().sum()
}

/// The distance without a feature in which the pair differs by `difference`.
#[inline(always)]
fn distance(square: f64, difference: f64) -> f64 {
    let left = square - difference * difference;
    let left = if left > CANCELLED * square { left } else { 0.0 };
    left.sqrt()
}

/// -S ln S - (1-S) ln(1-S) for S = e⁻ˣ; 0 at x = 0.
#[inline(always)]
fn pair_entropy(x: f64) -> f64 {
    let s = exp_negative(x);
    let rest = 1.0 - s;
    x * s - rest * ln(rest)
}

/// e⁻ˣ for x ≥ 0; e⁻⁷⁰⁰ beyond 700. With x = k ln 2 - r it is 2⁻ᵏ eʳ, |r| ≤ ½ ln 2.
#[inline(always)]
fn exp_negative(x: f64) -> f64 {
    let x = if x < 700.0 { x } else { 700.0 };
    let rounded = x * std::f64::consts::LOG2_E + MAGIC;
    let k = rounded - MAGIC;
    let r = (k * LN_2_HIGH - x) + k * LN_2_LOW;
    // 1/13!, 1/12!, … by Horner's rule.
    let mut p = 1.0 / 6_227_020_800.0;
    p = p * r + 1.0 / 479_001_600.0;
    p = p * r + 1.0 / 39_916_800.0;
    p = p * r + 1.0 / 3_628_800.0;
    p = p * r + 1.0 / 362_880.0;
    p = p * r + 1.0 / 40_320.0;
    p = p * r + 1.0 / 5_040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    p * f64::from_bits(ONE.wrapping_sub(rounded.to_bits() << 52))
}

/// ln u for 0 ≤ u ≤ 1; that of 10⁻³⁰⁰ below. With u = 2ᵉ m, √½ ≤ m < √2, and s = (m-1)/(m+1) it is
/// e ln 2 + 2(s + s³/3 + s⁵/5 + …), |s| < 0.172.
#[inline(always)]
fn ln(u: f64) -> f64 {
    let u = if u > 1e-300 { u } else { 1e-300 };
    let bits = u.to_bits();
    let biased = bits.wrapping_sub(ROOT_HALF).wrapping_add(ONE) >> 52;
    let e = f64::from_bits(biased.wrapping_add(MAGIC.to_bits())) - (MAGIC + 1023.0);
    let m = f64::from_bits(bits.wrapping_add(ONE).wrapping_sub(biased << 52));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let mut p = 1.0 / 21.0;
    p = p * z + 1.0 / 19.0;
    p = p * z + 1.0 / 17.0;
    p = p * z + 1.0 / 15.0;
    p = p * z + 1.0 / 13.0;
    p = p * z + 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z + 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z + 1.0 / 3.0;
    e * std::f64::consts::LN_2 + 2.0 * (s + s * (z * p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_library_over_the_whole_range() {
        for i in 0..200_000 {
            let x = f64::from(i) * 3.7e-3;
            let (got, expected) = (exp_negative(x), (-x.min(700.0)).exp());
            assert!((got - expected).abs() <= 1e-15 * expected, "e^-{x}: {got} {expected}");
            let u = (f64::from(i) / 200_000.0).powi(7).max(1e-290);
            let (got, expected) = (ln(u), u.ln());
            assert!((got - expected).abs() <= 1e-15 * expected.abs().max(1e-3), "ln {u}: {got} {expected}");
        }
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(exp_negative(0.0), 1.0);
    }

    #[test]
    fn the_entropy_of_a_pair_is_largest_at_one_half() {
        assert_eq!(pair_entropy(0.0), 0.0);
        let half = std::f64::consts::LN_2;
        assert!((pair_entropy(half) - half).abs() < 1e-15);
        assert!(pair_entropy(0.9 * half) < half && pair_entropy(1.1 * half) < half);
        assert!(pair_entropy(1e6).abs() < 1e-280);
        assert_eq!(distance(2.0, 2f64.sqrt()), 0.0);
        assert_eq!(distance(25.0, 3.0), 4.0);
    }
}
