//! Products of blocks of samples by whole numbers of 16 bits.
//!
//! An instruction multiplies twice as many of these as of numbers in single precision, and their sums in 32 bits have no
//! rounding. So every run of [`BLOCK`] features of a block of samples is rounded to multiples of a unit u:
//!
//! ```text
//! x̂ = q·u,   |q| < 2¹⁵,   Σ q² < 2³¹ for every sample over the run,   so that |Σ q q'| < 2³¹ (Cauchy, Schwarz)
//! ```
//!
//! What that takes from a sample, e = x - x̂, is measured as it happens. The products of the others are then known to
//!
//! ```text
//! 2 |x·y - x̂·ŷ| ≤ 2‖x‖‖e_y‖ + 2‖e_x‖‖y‖ + 2‖e_x‖‖e_y‖ ≤ s_x + s_y,    s_x = r‖x‖² + ‖e_x‖²/r + ‖e_x‖²    for any r > 0
//! ```
//!
//! of which r² = Σ‖e‖²/Σ‖x‖² makes the least when samples are alike ([`slack`]). Normal numbers are known to 1.3e-4 of ‖x‖² + ‖y‖²,
//! where single precision has some 4e-5: a few more [candidates](super::candidates) are measured.

use super::panels::Sizes;
use super::strips::{Columns, Product, Strips};
use crate::dataset::{BLOCK, Dataset};
use crate::graph::Metric;
use crate::graph::metric::Adds;
use crate::simd::vectorized;

/// Pairs of features that are added up as whole numbers.
pub(super) const PAIRS: usize = BLOCK / 2;

/// Of fewer features the product is a small part of the work, and to measure more candidates is not.
const LEAST_FEATURES: usize = 256;

/// The largest whole number.
const LARGEST: f64 = 32_767.0;
/// The root of the largest sum, less what rounding may add to the length of a run: √BLOCK/2.
const LONGEST: f64 = 46_336.0;
/// No unit is smaller than 1 by this, so that its square is a number in single precision.
const FINEST: f64 = (1u64 << 50) as f64;

/// Added to a number this leaves the nearest whole number in the lowest bits.
const ROUNDS: f32 = 12_582_912.0;
/// How much farther than it is found a number may be from its whole number, in units: it was multiplied in single precision
/// (2⁻²⁴ of at most 2¹⁵), and so was the unit rounded (as much again).
const OFF: f64 = 1.0 / 1024.0;

/// What rounding made of a block of samples.
#[derive(Default)]
pub(super) struct Rounded {
    /// The unit of every run of features.
    units: Vec<f32>,
    /// Σ (x - x̂)² of every sample.
    pub(super) lost: Vec<f64>,
    /// The run that is being rounded.
    words: Vec<u32>,
    /// Σ (x - x̂)² of the samples over that run, in squares of its unit.
    off: Vec<f32>,
}

/// Whether to begin with whole numbers pays: where this machine has a product of them, and features are many.
pub(super) fn pays(data: &Dataset, metric: Metric) -> bool {
    metric.info().adds == Adds::Squares && data.n_features() >= LEAST_FEATURES && product().is_some()
}

/// The product of this machine, where it has one.
pub(super) fn product() -> Option<Product<f32>> {
    of_this_machine().into_iter().next()
}

/// All that this machine can do, the fastest first.
fn of_this_machine() -> Vec<Product<f32>> {
    #[cfg(target_arch = "x86_64")]
    return super::registers::of_whole_numbers();
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

/// What the unit of a product is, for every run; empty where words are numbers in single precision.
pub(super) fn units((left, right): (&Strips, &Strips)) -> Vec<f32> {
    left.rounded.units.iter().zip(&right.rounded.units).map(|(a, b)| a * b).collect()
}

/// Rounds a run of features, and lays it out.
pub(super) fn put<const TALL: usize, const FLAT: usize>(strips: &mut Strips, columns: Columns<'_, f32>) {
    strips.rounded.round(&columns);
    let words = std::mem::take(&mut strips.rounded.words);
    strips.lay_out::<TALL, FLAT>(columns.first / 2, &words, columns.height);
    strips.rounded.words = words;
}

/// How far distances of every sample are known, in the sum of two of these.
pub(super) fn slack(sizes: &Sizes) -> Vec<f64> {
    let (norms, lost): (f64, f64) = (sizes.norms.iter().sum(), sizes.lost.iter().sum());
    if lost == 0.0 {
        return vec![0.0; sizes.norms.len()];
    }
    // Where next to nothing is there, all of it may be lost.
    let ratio = (lost / norms).sqrt().min(1.0);
    let of_one = |(norm, lost): (&f64, &f64)| ratio * norm + lost / ratio + lost;
    sizes.norms.iter().zip(&sizes.lost).map(of_one).collect()
}

impl Rounded {
    pub(super) fn clear(&mut self) {
        self.units.clear();
        self.lost.clear();
    }

    fn round(&mut self, columns: &Columns<'_, f32>) {
        let Columns { values, height, squares, .. } = *columns;
        let largest = f64::from(vectorized!(largest_of(values)));
        let longest = squares.iter().fold(0.0, |a: f64, &b| a.max(b)).sqrt();
        let scale = (LARGEST / largest).min(LONGEST / longest).min(FINEST) as f32;
        let unit = 1.0 / scale;
        self.units.push(unit);
        self.words.resize(values.len() / 2, 0);
        self.off.clear();
        self.off.resize(height, 0.0);
        let (words, off) = (&mut self.words, &mut self.off);
        vectorized!(round_pairs(values, scale, words, off));
        self.lost.resize(squares.len(), 0.0);
        let (unit, blur) = (f64::from(unit), OFF * (BLOCK as f64).sqrt());
        for (lost, &off) in self.lost.iter_mut().zip(&self.off) {
            *lost += (unit * (f64::from(off).sqrt() * (1.0 + 1e-5) + blur)).powi(2);
        }
    }
}

#[inline(always)]
fn largest_of(values: &[f32]) -> f32 {
    let mut largest = [0.0; 64];
    // A whole number of rows times a multiple of 48 is not always one of 64.
    let (chunks, rest) = values.as_chunks::<64>();
    for chunk in chunks {
        for l in 0..64 {
            let magnitude = chunk[l].abs();
            largest[l] = if magnitude > largest[l] { magnitude } else { largest[l] };
        }
    }
    largest.into_iter().chain(rest.iter().map(|v| v.abs())).fold(0.0, f32::max)
}

/// The whole numbers of two features at a time, and the squares of what is off.
#[inline(always)]
fn round_pairs(values: &[f32], scale: f32, words: &mut [u32], off: &mut [f32]) {
    let height = off.len();
    let pairs = values.chunks_exact(2 * height).zip(words.chunks_exact_mut(height));
    for (pair, words) in pairs {
        let (low, high) = pair.split_at(height);
        for (((word, off), low), high) in words.iter_mut().zip(&mut *off).zip(low).zip(high) {
            let (low, high) = (low * scale, high * scale);
            let (whole_low, whole_high) = (low + ROUNDS, high + ROUNDS);
            *word = (whole_low.to_bits() & 0xffff) | (whole_high.to_bits() << 16);
            let (low, high) = (low - (whole_low - ROUNDS), high - (whole_high - ROUNDS));
            *off += low * low + high * high;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::strips::Task;
    use super::*;
    use crate::random::generator;
    use rand_distr::{Distribution, StandardNormal};

    /// Samples × features of some kind, column-major.
    fn values(height: usize, width: usize, kind: usize) -> Vec<f32> {
        let mut rng = generator(kind as u64, &[height as u64]);
        let mut normal = || -> f32 { StandardNormal.sample(&mut rng) };
        let value = |p: usize| match kind {
            0 => normal(),
            // Few and large, and a feature that outweighs all others.
            1 => {
                if p.is_multiple_of(97) {
                    1e3 * normal()
                } else {
                    1e-3 * normal()
                }
            }
            2 => {
                if p / height == 7 {
                    1e6 * normal()
                } else {
                    normal()
                }
            }
            // All the same: sums as large as they can be.
            3 => 0.3,
            // Nothing, and next to nothing.
            4 => 0.0,
            5 => 1e-20 * normal(),
            _ => 1e-38 * normal(),
        };
        (0..height * width).map(value).collect()
    }

    /// In strips, and the sizes of its samples.
    fn rounded(product: &Product<f32>, values: &[f32], height: usize) -> (Strips, Sizes) {
        let mut strips = Strips::default();
        product.make_room(&mut strips, height, values.len() / height);
        let mut sizes = Sizes::zeros(height);
        for (first, values) in (0..).step_by(BLOCK).zip(values.chunks(BLOCK * height)) {
            let mut squares = vec![0.0; height];
            for (p, &v) in values.iter().enumerate() {
                squares[p % height] += f64::from(v).powi(2);
            }
            sizes.norms.iter_mut().zip(&squares).for_each(|(norm, square)| *norm += square);
            product.put(&mut strips, Columns { first, values, height, squares: &squares });
        }
        sizes.lost.copy_from_slice(&strips.rounded.lost);
        (strips, sizes)
    }

    #[test]
    fn products_are_as_far_off_as_is_told() {
        for product in of_this_machine() {
            for kind in 0..7 {
                for (rows, columns, width) in [(48, 96, 64), (240, 48, 512), (96, 144, 300), (48, 48, 2)] {
                    let (a, b) = (values(rows, width, kind), values(columns, width, kind));
                    let ((left, ours), (right, theirs)) =
                        (rounded(&product, &a, rows), rounded(&product, &b, columns));
                    let all = Sizes {
                        norms: [ours.norms, theirs.norms].concat(),
                        lost: [ours.lost, theirs.lost].concat(),
                    };
                    let slack = slack(&all);
                    let mut out = vec![f32::NAN; rows * columns];
                    let task = Task { rows, first: 0, is_triangle: false, add: false };
                    product.multiply(&left, &right, task, &mut out);
                    for (p, &found) in out.iter().enumerate() {
                        let (i, j) = (p % rows, p / rows);
                        let pairs = a[i..].iter().step_by(rows).zip(b[j..].iter().step_by(columns));
                        let exact: f64 = pairs.map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
                        let norms = all.norms[i] + all.norms[rows + j];
                        let off = 2.0 * (f64::from(found) - exact).abs();
                        let told = slack[i] + slack[rows + j] + 40.0 * f64::from(f32::EPSILON) / 2.0 * norms;
                        assert!(
                            off <= told,
                            "{kind}, {rows} x {columns} x {width}, {i} {j}: {off:e} > {told:e}"
                        );
                    }
                    if kind == 0 && width > 2 {
                        let known = slack.iter().sum::<f64>() / all.norms.iter().sum::<f64>();
                        assert!(known < 2e-4, "{known:e}");
                    }
                }
            }
        }
    }

    /// Sums of whole numbers have no rounding, so all machines find the same.
    #[test]
    fn every_product_finds_the_same() {
        let (height, width) = (144, 512);
        let values = values(height, width, 0);
        let found: Vec<Vec<f32>> = of_this_machine()
            .iter()
            .map(|product| {
                let (strips, _) = rounded(product, &values, height);
                let mut out = vec![1.0; height * height];
                let task = Task { rows: height, first: 0, is_triangle: false, add: true };
                product.multiply(&strips, &strips, task, &mut out);
                out
            })
            .collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
