//! Columns as ranks: what a value is among the others, whatever its unit and however far out it lies.
//!
//! ```text
//! r_ij = √12 · midrank_ij / n,   centered, not rescaled
//! ```
//!
//! Equal values share the mean of their ranks. A column without ties gets a standard deviation of 1 (nearly), a rare 0/1 column about
//! √(3·rate): a column that varies in few samples stays small. All zeros of a column share one rank; in sparse data ranks are counted
//! from there, so that zeros stay zeros.
//!
//! A sample that was not there when the ranks were made, a test sample, gets the rank of its place among those that
//! were: that of an equal value, or between two neighbors by linear interpolation; beyond the ends, that of the end.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::columns::{Block, Columns, DenseBlock, Piece, Reach, SparseBlock, Values};
use crate::afar::Afar;
use crate::{Error, Result};

/// Another source as ranks among its own samples, or among those of a third source with the same features.
pub(super) struct Ranked {
    /// The values to rank.
    pub(super) given: Arc<dyn Columns>,
    /// The values among which they are ranked, where those are others.
    pub(super) among: Option<Arc<dyn Columns>>,
}

impl Columns for Ranked {
    fn n_samples(&self) -> usize {
        self.given.n_samples()
    }

    fn n_features(&self) -> usize {
        self.given.n_features()
    }

    fn is_sparse(&self) -> bool {
        self.given.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let width = range.len();
        let given = self.given.block(range.clone())?;
        match &self.among {
            None => self.ranked(&given, &given, width),
            Some(among) => self.ranked(&given, &among.block(range)?, width),
        }
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        let mut place = 0;
        let mut pieces = Vec::new();
        for piece in self.given.gather(list)? {
            let width = piece.width;
            let some = list.get(place..place + width).ok_or_else(|| {
                Error::Columns("a list of columns was answered with another number of columns".into())
            })?;
            let block = match &self.among {
                None => self.ranked(&piece.block, &piece.block, width)?,
                Some(among) => self.ranked_among(&piece.block, some, &**among)?,
            };
            pieces.push(Piece { width, block });
            place += width;
        }
        Ok(pieces)
    }

    fn preferred_block(&self) -> usize {
        self.given.preferred_block()
    }

    fn reach(&self) -> Reach {
        self.given.reach()
    }

    fn afar(&self) -> Option<&dyn Afar> {
        if self.among.is_none() { self.given.afar() } else { None }
    }
}

impl Ranked {
    /// As [`ranked`](Self::ranked), for columns that lie apart.
    fn ranked_among(&self, given: &Block<'_>, list: &[usize], among: &dyn Columns) -> Result<Block<'static>> {
        let n = among.n_samples();
        let mut scales = Vec::with_capacity(list.len());
        for piece in among.gather(list)? {
            piece.block.check(n, piece.width)?;
            scales.extend((0..piece.width).map(|j| Scale::new(&piece.block, j, n)));
        }
        self.on_scales(given, &scales)
    }

    fn ranked(&self, given: &Block<'_>, among: &Block<'_>, width: usize) -> Result<Block<'static>> {
        let n = self.among.as_ref().map_or(self.n_samples(), |a| a.n_samples());
        among.check(n, width)?;
        let scales: Vec<Scale> = (0..width).map(|j| Scale::new(among, j, n)).collect();
        self.on_scales(given, &scales)
    }

    fn on_scales(&self, given: &Block<'_>, scales: &[Scale]) -> Result<Block<'static>> {
        let n = self.n_samples();
        given.check(n, scales.len())?;
        Ok(match given {
            Block::Dense(b) => {
                let mut values = Vec::with_capacity(n * scales.len());
                for (j, scale) in scales.iter().enumerate() {
                    let value = |i: usize| b.values.at(i * b.row_stride + j * b.column_stride);
                    values.extend((0..n).map(|i| scale.centered(value(i))));
                }
                let values = Values::F64(values.into());
                Block::Dense(DenseBlock { values, row_stride: 1, column_stride: n })
            }
            Block::Sparse(b) => {
                let mut values = Vec::with_capacity(b.rows.len());
                for (j, scale) in scales.iter().enumerate() {
                    values.extend(b.column(j).map(|e| scale.above_zero(b.values.at(e))));
                }
                Block::Sparse(SparseBlock {
                    offsets: Cow::Owned(b.offsets.to_vec()),
                    rows: Cow::Owned(b.rows.to_vec()),
                    values: Values::F64(values.into()),
                })
            }
        })
    }
}

/// The different values of a column, ascending, with their midranks.
struct Scale {
    steps: Vec<(f64, f64)>,
    n_samples: usize,
    /// The midrank of 0, or its place between two.
    zero: f64,
}

impl Scale {
    /// The scale of column `j`. The zeros of a sparse column are counted, not sorted.
    fn new(block: &Block<'_>, j: usize, n_samples: usize) -> Self {
        let mut values: Vec<f64> = match block {
            Block::Dense(b) => {
                (0..n_samples).map(|i| b.values.at(i * b.row_stride + j * b.column_stride)).collect()
            }
            Block::Sparse(b) => b.column(j).map(|e| b.values.at(e)).collect(),
        };
        let zeros = n_samples - values.len();
        values.sort_unstable_by(f64::total_cmp);
        let mut counts: Vec<(f64, usize)> = Vec::new();
        for &v in &values {
            match counts.last_mut() {
                // 0 and -0 are one value.
                Some((last, count)) if *last == v => *count += 1,
                _ => counts.push((v, 1)),
            }
        }
        if zeros > 0 {
            match counts.binary_search_by(|step| step.0.partial_cmp(&0.0).unwrap_or(std::cmp::Ordering::Less))
            {
                Ok(at) => counts[at].1 += zeros,
                Err(at) => counts.insert(at, (0.0, zeros)),
            }
        }
        let mut below = 0;
        let steps = counts.into_iter().map(|(value, count)| {
            let midrank = below as f64 + (count as f64 + 1.0) / 2.0;
            below += count;
            (value, midrank)
        });
        let mut scale = Scale { steps: steps.collect(), n_samples, zero: 0.0 };
        scale.zero = scale.place(0.0);
        scale
    }

    /// The midrank of a value, from 1 to n.
    fn place(&self, value: f64) -> f64 {
        let above = self.steps.partition_point(|step| step.0 < value);
        match (above.checked_sub(1).map(|at| self.steps[at]), self.steps.get(above)) {
            (_, Some(&(equal, rank))) if equal == value => rank,
            (Some((low, from)), Some(&(high, to))) => {
                // Halves, so that the distance of values of both signs does not overflow.
                let share = (0.5 * value - 0.5 * low) / (0.5 * high - 0.5 * low);
                from + share * (to - from)
            }
            (Some((_, last)), None) => last,
            (None, first) => first.map_or(0.0, |step| step.1),
        }
    }

    /// Counted from the middle of all ranks, which is their mean.
    fn centered(&self, value: f64) -> f64 {
        self.scaled(self.place(value) - (self.n_samples as f64 + 1.0) / 2.0)
    }

    fn above_zero(&self, value: f64) -> f64 {
        self.scaled(self.place(value) - self.zero)
    }

    fn scaled(&self, rank: f64) -> f64 {
        12f64.sqrt() * rank / self.n_samples as f64
    }
}
