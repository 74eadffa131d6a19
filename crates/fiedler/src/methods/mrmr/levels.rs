//! Features cut into three levels, two bits a value, and their mutual information.
//!
//! From a table of counts n_gh with sums n_g and n_h,
//!
//! ```text
//! N·I = Σ n_gh ln n_gh - Σ n_g ln n_g - Σ n_h ln n_h + N ln N
//! ```
//!
//! With the samples of the lowest and of the highest level as sets of bits, four intersections give the
//! table of two features and the sums give the rest.
//!
//! x ln x is looked up, rounded to a grid on which all these sums are exact in double precision. So
//! tables with the same counts give the same bits, whatever the order of their cells: a tie is a tie.

use rayon::prelude::*;

use crate::Result;
use crate::dataset::{Dataset, ScaledBlock};
use crate::monitor::Monitor;
use crate::simd::vectorized;

/// Features that one task compares with the chosen one.
const CHUNK: usize = 256;
/// A value nearer to a cut than this share of it lies on the cut.
const ROUNDING: f64 = 1e-12;

/// All features of a data set, cut at mean ± σ/2.
pub(super) struct Levels {
    features: Vec<Feature>,
    table: Table,
}

struct Feature {
    /// The samples of the lowest level, then those of the highest, in words of 64.
    bits: Box<[u64]>,
    /// How many samples each level has: lowest, middle, highest.
    counts: [u32; 3],
    /// Σ n_g ln n_g over the levels.
    sum: f64,
    /// N·I with the classes.
    relevance: f64,
}

impl Levels {
    pub(super) fn new(data: &Dataset, codes: &[u32], classes: usize, monitor: &dyn Monitor) -> Result<Self> {
        let table = Table::new(data.n_samples());
        let features = data.map_blocks("levels", monitor, |block, range| {
            let mut unit = vec![0.0; codes.len()];
            Ok((0..range.len()).map(|j| Feature::new(block, j, &mut unit, codes, classes, &table)).collect())
        })?;
        Ok(Levels { features, table })
    }

    /// The mutual information of every feature and the classes.
    pub(super) fn relevance(&self) -> Vec<f64> {
        self.features.iter().map(|f| f.relevance / self.table.n()).collect()
    }

    /// The mutual information of feature `j` and every feature.
    pub(super) fn redundancy(&self, j: usize) -> Vec<f64> {
        let chosen = &self.features[j];
        let mut out = vec![0.0; self.features.len()];
        out.par_chunks_mut(CHUNK).zip(self.features.par_chunks(CHUNK)).for_each(|(out, features)| {
            vectorized!({
                for (out, feature) in out.iter_mut().zip(features) {
                    *out = self.table.joint(chosen, feature, intersections(&chosen.bits, &feature.bits));
                }
            });
        });
        out
    }
}

impl Feature {
    fn new(
        block: &ScaledBlock<'_>,
        j: usize,
        unit: &mut [f64],
        codes: &[u32],
        classes: usize,
        table: &Table,
    ) -> Self {
        block.unit_column(j, unit);
        let words = unit.len().div_ceil(64);
        // In a unit column σ is 1/√n.
        let cut = (0.5 / (unit.len() as f64).sqrt()) * (1.0 + ROUNDING);
        let mut bits = vec![0u64; 2 * words].into_boxed_slice();
        let mut cells = vec![[0u32; 3]; classes];
        for (i, (&v, &code)) in unit.iter().zip(codes).enumerate() {
            let (low, high) = (v < -cut, v > cut);
            bits[i / 64] |= u64::from(low) << (i % 64);
            bits[words + i / 64] |= u64::from(high) << (i % 64);
            cells[code as usize][1 + usize::from(high) - usize::from(low)] += 1;
        }
        let counts = cells.iter().fold([0; 3], |sum, cell| std::array::from_fn(|l| sum[l] + cell[l]));
        let sum = table.sum(&counts);
        let by_class: f64 = cells.iter().map(|cell| table.sum(&[cell.iter().sum()])).sum();
        let inside: f64 = cells.iter().map(|cell| table.sum(cell)).sum();
        Feature { bits, counts, sum, relevance: table.information(inside, sum, by_class) }
    }
}

/// x ln x of 0..=N, on a grid.
struct Table {
    values: Vec<f64>,
    grid: f64,
}

impl Table {
    fn new(n: usize) -> Self {
        let value = |x: usize| if x == 0 { 0.0 } else { x as f64 * (x as f64).ln() };
        // All sums here stay below 64·N ln N, which then has at most 53 bits.
        let bits = (value(n) + 1.0).log2().ceil() as i32 + 6 - 53;
        let grid = 2f64.powi(bits);
        Table { values: (0..=n).map(|x| (value(x) / grid).round() * grid).collect(), grid }
    }

    fn n(&self) -> f64 {
        (self.values.len() - 1) as f64
    }

    #[inline(always)]
    fn sum(&self, counts: &[u32]) -> f64 {
        counts.iter().map(|&x| self.values[x as usize]).sum()
    }

    /// N·I; exactly 0 where only the rounding to the grid is left.
    #[inline(always)]
    fn information(&self, inside: f64, first: f64, second: f64) -> f64 {
        let whole = self.values[self.values.len() - 1];
        let found = inside - first - second + whole;
        if found > 16.0 * self.grid { found } else { 0.0 }
    }

    /// I of two features with these intersections of their lowest and highest levels.
    #[inline(always)]
    fn joint(&self, a: &Feature, b: &Feature, [ll, lh, hl, hh]: [u32; 4]) -> f64 {
        let ([al, am, ah], [bl, _, bh]) = (a.counts, b.counts);
        let (lm, hm) = (al - ll - lh, ah - hl - hh);
        let (ml, mh) = (bl - ll - hl, bh - lh - hh);
        let inside = self.sum(&[ll, lm, lh, ml, am - ml - mh, mh, hl, hm, hh]);
        self.information(inside, a.sum, b.sum) / self.n()
    }
}

/// How many samples two features share: lowest and lowest, lowest and highest, and so on.
#[inline(always)]
fn intersections(a: &[u64], b: &[u64]) -> [u32; 4] {
    let ((a_low, a_high), (b_low, b_high)) = (a.split_at(a.len() / 2), b.split_at(b.len() / 2));
    let mut counts = [0; 4];
    for w in 0..a_low.len().min(a_high.len()).min(b_low.len()).min(b_high.len()) {
        counts[0] += (a_low[w] & b_low[w]).count_ones();
        counts[1] += (a_low[w] & b_high[w]).count_ones();
        counts[2] += (a_high[w] & b_low[w]).count_ones();
        counts[3] += (a_high[w] & b_high[w]).count_ones();
    }
    counts
}
