//! Where the numbers live: [`Columns`] and its in-memory forms.
//!
//! A method never asks for "the matrix"; it asks for a *block of columns* and is done with it
//! before it asks for the next. Memory, a memory map, a Parquet file or a worker's share of a
//! cluster are therefore the same to it.

use std::borrow::Cow;
use std::ops::Range;

use crate::{Error, Result};

/// A source of feature columns: samples × features, handed out in blocks of columns.
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
}

/// Numbers as they are stored. All arithmetic is in `f64`.
#[derive(Debug, Clone)]
pub enum Values<'a> {
    /// Double precision.
    F64(Cow<'a, [f64]>),
    /// Single precision.
    F32(Cow<'a, [f32]>),
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

    fn len(&self) -> usize {
        match self {
            Values::F64(v) => v.len(),
            Values::F32(v) => v.len(),
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

/// How a dense matrix lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Feature after feature (Fortran order).
    ColumnMajor,
    /// Sample after sample (C order).
    RowMajor,
}

/// `f32` or `f64`, the two ways to store a number.
pub trait Scalar: Copy + Send + Sync + 'static + private::Sealed {
    #[doc(hidden)]
    fn values(slice: &[Self]) -> Values<'_>;
}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Scalar for f64 {
    fn values(slice: &[Self]) -> Values<'_> {
        Values::F64(Cow::Borrowed(slice))
    }
}

impl Scalar for f32 {
    fn values(slice: &[Self]) -> Values<'_> {
        Values::F32(Cow::Borrowed(slice))
    }
}

/// A dense matrix in memory, in either order, never copied into the other.
#[derive(Debug, Clone)]
pub struct Dense<T> {
    values: Vec<T>,
    n_samples: usize,
    n_features: usize,
    order: Order,
}

impl<T: Scalar> Dense<T> {
    /// Takes over `values`.
    ///
    /// # Errors
    /// [`Error::Length`] when there are not `n_samples × n_features` values.
    pub fn new(values: Vec<T>, n_samples: usize, n_features: usize, order: Order) -> Result<Self> {
        let expected = n_samples.checked_mul(n_features);
        if expected != Some(values.len()) {
            let expected = expected.unwrap_or(usize::MAX);
            return Err(Error::Length { what: "values of a dense matrix", expected, got: values.len() });
        }
        Ok(Dense { values, n_samples, n_features, order })
    }
}

impl<T: Scalar> Columns for Dense<T> {
    fn n_samples(&self) -> usize {
        self.n_samples
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let (n, m) = (self.n_samples, self.n_features);
        Ok(Block::Dense(match self.order {
            Order::ColumnMajor => DenseBlock {
                values: T::values(&self.values[range.start * n..range.end * n]),
                row_stride: 1,
                column_stride: n,
            },
            Order::RowMajor => {
                DenseBlock { values: T::values(&self.values[range.start..]), row_stride: m, column_stride: 1 }
            }
        }))
    }
}

/// A sparse matrix in memory, compressed by column.
#[derive(Debug, Clone)]
pub struct Sparse<T> {
    offsets: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<T>,
    n_samples: usize,
}

impl<T: Scalar> Sparse<T> {
    /// Takes over a matrix compressed by column: column `j` has the entries
    /// `offsets[j]..offsets[j + 1]` of `rows` and `values`, rows strictly ascending.
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::Parameter`] when the parts do not fit together.
    pub fn new(offsets: Vec<usize>, rows: Vec<u32>, values: Vec<T>, n_samples: usize) -> Result<Self> {
        if values.len() != rows.len() {
            return Err(Error::Length {
                what: "values of a sparse matrix",
                expected: rows.len(),
                got: values.len(),
            });
        }
        if offsets.first() != Some(&0) || offsets.last() != Some(&rows.len()) {
            return Err(Error::parameter(
                "offsets",
                format!("a list from 0 to the number of entries ({})", rows.len()),
                format!("{:?} to {:?}", offsets.first(), offsets.last()),
            ));
        }
        for (j, pair) in offsets.windows(2).enumerate() {
            let ascending = pair[0] <= pair[1] && pair[1] <= rows.len();
            if !ascending || !ascending_below(&rows[pair[0]..pair[1]], n_samples) {
                return Err(Error::parameter(
                    "rows",
                    format!("strictly ascending and below {n_samples} in every column"),
                    format!("column {j} that is not"),
                ));
            }
        }
        Ok(Sparse { offsets, rows, values, n_samples })
    }
}

impl<T: Scalar> Columns for Sparse<T> {
    fn n_samples(&self) -> usize {
        self.n_samples
    }

    fn n_features(&self) -> usize {
        self.offsets.len() - 1
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let entries = self.offsets[range.start]..self.offsets[range.end];
        Ok(Block::Sparse(SparseBlock {
            offsets: Cow::Borrowed(&self.offsets[range.start..=range.end]),
            rows: Cow::Borrowed(&self.rows[entries.clone()]),
            values: T::values(&self.values[entries]),
        }))
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
}

/// Whether the rows of a sparse column are strictly ascending and all there.
fn ascending_below(rows: &[u32], n_samples: usize) -> bool {
    rows.last().is_none_or(|&last| (last as usize) < n_samples) && rows.is_sorted_by(|a, b| a < b)
}
