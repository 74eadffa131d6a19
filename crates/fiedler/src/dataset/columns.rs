//! Where the numbers come from: [`Columns`], and the blocks that it hands out.
//!
//! A method never asks for "the matrix"; it asks for a *block of columns* and is done with it
//! before it asks for the next. Memory, a memory map, a Parquet file or a worker's share of a
//! cluster are therefore the same to it. The forms in memory are in [`memory`](super::memory).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{BLOCK, ColumnStats, Lent};
use crate::afar::Afar;
use crate::limits::Held;
use crate::{Error, Result};

/// A source of feature columns: samples × features, handed out in blocks of columns.
///
/// Only the first four questions must be answered. The others have answers that suit numbers in memory; a source
/// that is slow to read answers them itself.
pub trait Columns: Send + Sync {
    /// Number of samples (rows).
    fn n_samples(&self) -> usize;

    /// Number of features (columns).
    fn n_features(&self) -> usize;

    /// Whether blocks are [`Block::Sparse`].
    fn is_sparse(&self) -> bool {
        false
    }

    /// The columns `range` of the data.
    ///
    /// # Errors
    /// [`Error::Columns`] when the source cannot be read.
    fn block(&self, range: Range<usize>) -> Result<Block<'_>>;

    /// The columns `list`, in that order, in as many pieces as the source likes.
    ///
    /// Unless the source says otherwise, neighbors are read together by [`block`](Self::block), which copies nothing
    /// where the numbers lie in memory.
    ///
    /// # Errors
    /// As [`block`](Self::block).
    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        list.chunk_by(|a, b| *b == a + 1)
            .map(|run| Ok(Piece { width: run.len(), block: self.block(run[0]..run[0] + run.len())? }))
            .collect()
    }

    /// How many columns the source likes to be asked for at a time. A pass over the data asks for the next multiple
    /// of 64, the number of columns that are computed with together: results never depend on this wish.
    fn preferred_block(&self) -> usize {
        BLOCK
    }

    /// How columns are at hand where the source is read in order, as a file is: a pass goes from the first to the last. Any order
    /// suits numbers in memory.
    fn reach(&self) -> Reach {
        Reach::EVERYWHERE
    }

    /// Bytes of memory that the source holds at most, which count against the [limits](crate::Limits) of the work: not those of
    /// numbers that belong to somebody else.
    fn held(&self) -> Held {
        Held::default()
    }

    /// What is known of every column, where the source knows it. The data are then not looked at when a
    /// [`Dataset`](super::Dataset) is made of them, and the source vouches that every value is finite.
    fn stats(&self) -> Option<Vec<ColumnStats>> {
        None
    }

    /// Who works on the columns where they lie, where they lie on machines that can: see [`afar`](crate::afar).
    fn afar(&self) -> Option<&dyn Afar> {
        None
    }
}

/// How much of a source is at hand at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Columns that are read together: whoever works on the first of them has the others at hand, and had better go on with them.
    pub together: usize,
    /// How many may work in different places at a time.
    pub at_once: usize,
}

impl Reach {
    /// All columns are at hand, for everybody.
    pub const EVERYWHERE: Reach = Reach { together: BLOCK, at_once: usize::MAX };
}

impl<C: Columns + ?Sized> Columns for Arc<C> {
    fn n_samples(&self) -> usize {
        (**self).n_samples()
    }

    fn n_features(&self) -> usize {
        (**self).n_features()
    }

    fn is_sparse(&self) -> bool {
        (**self).is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        (**self).block(range)
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        (**self).gather(list)
    }

    fn preferred_block(&self) -> usize {
        (**self).preferred_block()
    }

    fn reach(&self) -> Reach {
        (**self).reach()
    }

    fn held(&self) -> Held {
        (**self).held()
    }

    fn stats(&self) -> Option<Vec<ColumnStats>> {
        (**self).stats()
    }

    fn afar(&self) -> Option<&dyn Afar> {
        (**self).afar()
    }
}

/// Some columns of a list, side by side.
#[derive(Debug, Clone)]
pub struct Piece<'a> {
    /// How many columns.
    pub width: usize,
    /// Their values.
    pub block: Block<'a>,
}

/// Numbers as they are stored. All arithmetic is in `f64`.
#[derive(Debug, Clone)]
pub enum Values<'a> {
    /// Double precision.
    F64(Lent<'a, f64>),
    /// Single precision.
    F32(Lent<'a, f32>),
}

impl Values<'_> {
    /// Value `i` in double precision.
    #[inline(always)]
    pub fn at(&self, i: usize) -> f64 {
        match self {
            Values::F64(v) => v[i],
            Values::F32(v) => f64::from(v[i]),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Values::F64(v) => v.len(),
            Values::F32(v) => v.len(),
        }
    }

    fn part(&self, range: Range<usize>) -> Values<'_> {
        match self {
            Values::F64(v) => Values::F64(Lent::Borrowed(&v[range])),
            Values::F32(v) => Values::F32(Lent::Borrowed(&v[range])),
        }
    }

    /// The values at these places, copied.
    pub(super) fn gather(&self, at: impl Iterator<Item = usize>) -> Values<'static> {
        match self {
            Values::F64(v) => Values::F64(at.map(|i| v[i]).collect()),
            Values::F32(v) => Values::F32(at.map(|i| v[i]).collect()),
        }
    }
}

/// A block of columns.
#[derive(Debug, Clone)]
pub enum Block<'a> {
    /// All values, in any order of strides.
    Dense(DenseBlock<'a>),
    /// Non-zeros by column.
    Sparse(SparseBlock<'a>),
}

/// Dense columns; value (i, j) is `values[i·row_stride + j·column_stride]`.
#[derive(Debug, Clone)]
pub struct DenseBlock<'a> {
    /// The numbers.
    pub values: Values<'a>,
    /// Distance between samples of a column.
    pub row_stride: usize,
    /// Distance between columns of a sample.
    pub column_stride: usize,
}

/// Sparse columns (compressed by column, rows ascending, no duplicates).
#[derive(Debug, Clone)]
pub struct SparseBlock<'a> {
    /// Column `j` has entries `offsets[j]..offsets[j + 1]`, less `offsets[0]`.
    pub offsets: Cow<'a, [usize]>,
    /// The samples of the entries.
    pub rows: Cow<'a, [u32]>,
    /// Their values.
    pub values: Values<'a>,
}

impl SparseBlock<'_> {
    /// Entries of column `j` of the block, as a range into `rows` and `values`.
    pub fn column(&self, j: usize) -> Range<usize> {
        let base = self.offsets[0];
        self.offsets[j] - base..self.offsets[j + 1] - base
    }
}

impl Block<'_> {
    /// Checks that the block has the shape its source promised, so that indexing cannot fail later.
    pub(crate) fn check(&self, n_samples: usize, width: usize) -> Result<()> {
        let fits = match self {
            Block::Dense(b) => {
                width == 0 || (n_samples - 1) * b.row_stride + (width - 1) * b.column_stride < b.values.len()
            }
            Block::Sparse(b) => {
                b.offsets.len() == width + 1
                    && b.rows.len() == b.values.len()
                    && b.offsets.is_sorted()
                    && b.offsets[width] - b.offsets[0] == b.rows.len()
                    && (0..width).all(|j| ascending_below(&b.rows[b.column(j)], n_samples))
            }
        };
        if fits {
            return Ok(());
        }
        Err(Error::Columns(
            format!("a block of {width} columns does not have {n_samples} samples each").into(),
        ))
    }

    /// The columns `range` of the block.
    pub(super) fn part(&self, range: Range<usize>) -> Block<'_> {
        match self {
            Block::Dense(b) => Block::Dense(DenseBlock {
                values: b.values.part((range.start * b.column_stride).min(b.values.len())..b.values.len()),
                ..*b
            }),
            Block::Sparse(b) => {
                let entries = b.offsets[range.start] - b.offsets[0]..b.offsets[range.end] - b.offsets[0];
                Block::Sparse(SparseBlock {
                    offsets: Cow::Borrowed(&b.offsets[range.start..=range.end]),
                    rows: Cow::Borrowed(&b.rows[entries.clone()]),
                    values: b.values.part(entries),
                })
            }
        }
    }
}

impl Block<'_> {
    /// Writes column `j` to `out`, zeros filled in.
    pub(super) fn write_column(&self, j: usize, out: &mut [f64]) {
        match self {
            Block::Dense(b) => {
                let start = j * b.column_stride;
                out.iter_mut().enumerate().for_each(|(i, o)| *o = b.values.at(start + i * b.row_stride));
            }
            Block::Sparse(b) => {
                out.fill(0.0);
                b.column(j).for_each(|e| out[b.rows[e] as usize] = b.values.at(e));
            }
        }
    }
}

/// Whether the rows of a sparse column are strictly ascending and all there.
pub(super) fn ascending_below(rows: &[u32], n_samples: usize) -> bool {
    rows.last().is_none_or(|&last| (last as usize) < n_samples) && rows.is_sorted_by(|a, b| a < b)
}
