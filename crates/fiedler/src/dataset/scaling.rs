//! Scaling of features, lazily: two numbers per column, applied as a block is read.

use std::str::FromStr;

use super::columns::Block;
use crate::{Error, Result};

/// What is done to every feature before graph and scores see it.
///
/// Features come in different units, and the largest unit must not own the graph, hence the
/// default. Sparse data are divided only: subtracting would fill in the zeros, and distances
/// do not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// Mean 0, standard deviation 1.
    #[default]
    Standard,
    /// Smallest value 0, largest 1.
    Range,
    /// As the user gave them.
    None,
}

impl Scaling {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scaling::Standard => "standard",
            Scaling::Range => "range",
            Scaling::None => "none",
        }
    }
}

impl FromStr for Scaling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "standard" => Ok(Scaling::Standard),
            "range" => Ok(Scaling::Range),
            "none" => Ok(Scaling::None),
            _ => Err(Error::parameter("scale", "standard, range or none", format!("`{text}`"))),
        }
    }
}

/// What one pass over a column tells, in the user's units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnStats {
    /// Mean.
    pub mean: f64,
    /// Population variance, by the corrected two-pass formula.
    pub variance: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl ColumnStats {
    /// Whether all values are the same: no method can score such a feature.
    pub fn is_constant(&self) -> bool {
        self.min == self.max
    }

    /// Statistics of column `j` of `block`, or the row of the first value that is not finite.
    pub(crate) fn of(block: &Block<'_>, j: usize, n_samples: usize) -> Result<Self, (usize, f64)> {
        let n = n_samples as f64;
        let mut column = Vec::with_capacity(n_samples);
        let zeros = match block {
            Block::Dense(b) => {
                column.extend((0..n_samples).map(|i| b.values.at(i * b.row_stride + j * b.column_stride)));
                0
            }
            Block::Sparse(b) => {
                column.extend(b.column(j).map(|e| b.values.at(e)));
                n_samples - column.len()
            }
        };
        if let Some(at) = column.iter().position(|v| !v.is_finite()) {
            let row = match block {
                Block::Dense(_) => at,
                Block::Sparse(b) => b.rows[b.column(j).start + at] as usize,
            };
            return Err((row, column[at]));
        }
        let (mut min, mut max) = if zeros > 0 { (0.0, 0.0) } else { (f64::INFINITY, f64::NEG_INFINITY) };
        for &v in &column {
            min = v.min(min);
            max = v.max(max);
        }
        // Shifting by a value of the column first keeps the sum small where the offset is large.
        let origin = column.first().copied().unwrap_or(0.0);
        let zero_part = zeros as f64 * -origin;
        let mean = origin + (column.iter().map(|v| v - origin).sum::<f64>() + zero_part) / n;
        let (mut first, mut second) = (-mean * zeros as f64, mean * mean * zeros as f64);
        for &v in &column {
            first += v - mean;
            second += (v - mean) * (v - mean);
        }
        let variance = if min == max { 0.0 } else { ((second - first * first / n) / n).max(0.0) };
        Ok(ColumnStats { mean, variance, min, max })
    }

    /// `(shift, factor)` with scaled value = (value - shift)·factor.
    pub(crate) fn affine(&self, scaling: Scaling, sparse: bool) -> (f64, f64) {
        let (shift, spread) = match scaling {
            Scaling::Standard => (self.mean, self.variance.sqrt()),
            Scaling::Range => (self.min, self.max - self.min),
            Scaling::None => (0.0, 1.0),
        };
        // A constant feature has no spread: it is left as it is and contributes nothing.
        let factor = 1.0 / spread;
        let factor = if self.is_constant() || !factor.is_finite() { 1.0 } else { factor };
        (if sparse { 0.0 } else { shift }, factor)
    }
}
