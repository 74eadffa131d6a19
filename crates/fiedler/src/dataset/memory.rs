//! Columns that lie in memory, our own or somebody else's.
//!
//! [`Dense::new`] and [`Sparse::new`] take over vectors. [`Dense::shared`] and [`Sparse::shared`] read numbers where they
//! lie, for as long as the data set lives: the owner, say an array of another language, is kept alive by the
//! [`Shared`] that stands for it, and nothing is copied.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::ops::Range;
use std::sync::Arc;

use super::Lent;
use super::columns::{Block, Columns, DenseBlock, SparseBlock, Values, ascending_below};
use crate::limits::Held;
use crate::{Error, Result};

/// Numbers and whoever owns them. What `as_ref` gives must stay the same as long as the owner lives.
pub type Shared<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

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
        Values::F64(Lent::Borrowed(slice))
    }
}

impl Scalar for f32 {
    fn values(slice: &[Self]) -> Values<'_> {
        Values::F32(Lent::Borrowed(slice))
    }
}

/// A dense matrix in memory, in either order, never copied into the other.
#[derive(Clone)]
pub struct Dense<T> {
    values: Shared<T>,
    n_samples: usize,
    n_features: usize,
    row_stride: usize,
    column_stride: usize,
    /// Bytes that are ours.
    held: u64,
}

impl<T: Scalar> Dense<T> {
    /// Takes over `values`.
    ///
    /// # Errors
    /// [`Error::Length`] when there are not `n_samples × n_features` values.
    pub fn new(values: Vec<T>, n_samples: usize, n_features: usize, order: Order) -> Result<Self> {
        let held = size_of_val(values.as_slice()) as u64;
        Ok(Dense { held, ..Self::shared(Arc::new(values), n_samples, n_features, order)? })
    }

    /// Reads values that somebody else owns.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use fiedler::dataset::{Dataset, Dense, Order};
    ///
    /// let mine: Arc<[f64]> = Arc::from([1.0, 5.0, 2.0, 6.0, 4.0, 7.0]);
    /// let data = Dataset::new(Dense::shared(Arc::new(mine.clone()), 3, 2, Order::RowMajor)?)?;
    /// assert_eq!(data.stats()[1].max, 7.0);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn shared(values: Shared<T>, n_samples: usize, n_features: usize, order: Order) -> Result<Self> {
        let (expected, got) = (n_samples.checked_mul(n_features), (*values).as_ref().len());
        if expected != Some(got) {
            let expected = expected.unwrap_or(usize::MAX);
            return Err(Error::Length { what: "values of a dense matrix", expected, got });
        }
        let strides = match order {
            Order::ColumnMajor => (1, n_samples),
            Order::RowMajor => (n_features, 1),
        };
        Self::strided(values, (n_samples, n_features), strides)
    }

    /// Reads part of an array that somebody else owns: value (i, j) of a matrix of (samples, features) is number
    /// i·row + j·column for the `strides` (row, column), counted in numbers.
    ///
    /// # Errors
    /// [`Error::Length`] when the last value would lie beyond the array.
    pub fn strided(
        values: Shared<T>,
        (n_samples, n_features): (usize, usize),
        (row_stride, column_stride): (usize, usize),
    ) -> Result<Self> {
        let matrix = Dense { values, n_samples, n_features, row_stride, column_stride, held: 0 };
        let (expected, got) = (matrix.end(n_features), (*matrix.values).as_ref().len());
        match expected {
            Some(end) if end <= got => Ok(matrix),
            _ => {
                let expected = expected.unwrap_or(usize::MAX);
                Err(Error::Length { what: "values of a dense matrix", expected, got })
            }
        }
    }

    /// One more than the place of the last value of the first so many columns; `None` beyond all memory.
    fn end(&self, columns: usize) -> Option<usize> {
        if self.n_samples == 0 || columns == 0 {
            return Some(0);
        }
        let last_row = (self.n_samples - 1).checked_mul(self.row_stride)?;
        last_row.checked_add((columns - 1).checked_mul(self.column_stride)?)?.checked_add(1)
    }
}

impl<T: Scalar> Columns for Dense<T> {
    fn held(&self) -> Held {
        Held { now: self.held, whole: self.held }
    }

    fn n_samples(&self) -> usize {
        self.n_samples
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let end = self.end(range.end).unwrap_or(usize::MAX);
        let start = (range.start * self.column_stride).min(end);
        let values = (*self.values).as_ref().get(start..end).ok_or_else(shrunk)?;
        let (row_stride, column_stride) = (self.row_stride, self.column_stride);
        Ok(Block::Dense(DenseBlock { values: T::values(values), row_stride, column_stride }))
    }
}

impl<T> Debug for Dense<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dense")
            .field("n_samples", &self.n_samples)
            .field("n_features", &self.n_features)
            .finish_non_exhaustive()
    }
}

/// A sparse matrix in memory, compressed by column.
#[derive(Clone)]
pub struct Sparse<T> {
    offsets: Vec<usize>,
    rows: Vec<u32>,
    values: Shared<T>,
    n_samples: usize,
    /// Bytes that are ours.
    held: u64,
}

impl<T: Scalar> Sparse<T> {
    /// Takes over a matrix compressed by column: column `j` has the entries
    /// `offsets[j]..offsets[j + 1]` of `rows` and `values`, rows strictly ascending.
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::Parameter`] when the parts do not fit together.
    pub fn new(offsets: Vec<usize>, rows: Vec<u32>, values: Vec<T>, n_samples: usize) -> Result<Self> {
        let held = size_of_val(values.as_slice()) as u64;
        let matrix = Self::checked(offsets, rows, Arc::new(values), n_samples)?;
        Ok(Sparse { held: held + matrix.held, ..matrix })
    }

    /// Reads values that somebody else owns. The places, in whole numbers of any kind, are converted; the values are
    /// read where they lie.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::Parameter`] too when a place is negative or too large.
    pub fn shared<I: Copy + Display + TryInto<usize> + TryInto<u32>>(
        offsets: &[I],
        rows: &[I],
        values: Shared<T>,
        n_samples: usize,
    ) -> Result<Self> {
        let offsets = converted(offsets, "offsets", "a list of numbers from 0")?;
        let rows = converted(rows, "rows", "a list of numbers from 0 to 4294967295")?;
        Self::checked(offsets, rows, values, n_samples)
    }

    fn checked(offsets: Vec<usize>, rows: Vec<u32>, values: Shared<T>, n_samples: usize) -> Result<Self> {
        let got = (*values).as_ref().len();
        if got != rows.len() {
            return Err(Error::Length { what: "values of a sparse matrix", expected: rows.len(), got });
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
        let held = (size_of_val(&offsets[..]) + size_of_val(&rows[..])) as u64;
        Ok(Sparse { offsets, rows, values, n_samples, held })
    }
}

impl<T: Scalar> Columns for Sparse<T> {
    fn held(&self) -> Held {
        Held { now: self.held, whole: self.held }
    }

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
        let values = (*self.values).as_ref().get(entries.clone()).ok_or_else(shrunk)?;
        Ok(Block::Sparse(SparseBlock {
            offsets: Cow::Borrowed(&self.offsets[range.start..=range.end]),
            rows: Cow::Borrowed(&self.rows[entries]),
            values: T::values(values),
        }))
    }
}

impl<T> Debug for Sparse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sparse")
            .field("n_samples", &self.n_samples)
            .field("n_features", &(self.offsets.len() - 1))
            .field("entries", &self.rows.len())
            .finish_non_exhaustive()
    }
}

fn converted<I: Copy + Display + TryInto<T>, T>(
    places: &[I],
    name: &'static str,
    rule: &'static str,
) -> Result<Vec<T>> {
    places.iter().map(|&place| place.try_into().map_err(|_| Error::parameter(name, rule, place))).collect()
}

fn shrunk() -> Error {
    Error::Columns("an array became shorter after it was handed over".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scaling;
    use crate::dataset::Dataset;

    fn columns(source: impl Columns + 'static) -> Vec<Vec<f64>> {
        let data = Dataset::new(source).expect("finite").scaled(Scaling::None);
        (0..data.n_features()).map(|j| data.column(j).expect("in memory")).collect()
    }

    #[test]
    fn a_view_with_any_strides_is_read_where_it_lies() {
        // Every second row and every third column of a table of 5 × 8.
        let table: Arc<[f32]> = (0..40).map(|v| v as f32).collect();
        let view = Dense::strided(Arc::new(table.clone()), (3, 2), (16, 3)).expect("inside");
        assert_eq!(Arc::strong_count(&table), 2);
        let Block::Dense(block) = view.block(1..2).expect("inside") else { panic!("dense") };
        let Values::F32(Lent::Borrowed(values)) = block.values else { panic!("not copied") };
        assert_eq!(values.as_ptr(), table[3..].as_ptr());
        assert_eq!(columns(view), [[0.0, 16.0, 32.0], [3.0, 19.0, 35.0]]);
        assert_eq!(Arc::strong_count(&table), 1);
    }

    #[test]
    fn both_orders_of_a_shared_matrix() {
        let values = || Arc::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) as Shared<f64>;
        let rows = Dense::shared(values(), 3, 2, Order::RowMajor).expect("shape");
        assert_eq!(columns(rows), [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
        let by_column = Dense::shared(values(), 3, 2, Order::ColumnMajor).expect("shape");
        assert_eq!(columns(by_column), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    }

    #[test]
    fn places_of_any_kind_and_values_where_they_lie() {
        let values: Arc<[f64]> = Arc::from([1.0, 2.0, 3.0]);
        let long = Sparse::shared(&[0_i64, 2, 3], &[0, 2, 1], Arc::new(values.clone()), 3).expect("fits");
        let Block::Sparse(block) = long.block(1..2).expect("inside") else { panic!("sparse") };
        let Values::F64(Lent::Borrowed(found)) = block.values else { panic!("not copied") };
        assert_eq!(found.as_ptr(), values[2..].as_ptr());
        assert_eq!(columns(long), [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]);
        let short = Sparse::shared(&[0_i32, 2, 3], &[0, 2, 1], Arc::new(values), 3).expect("fits");
        assert_eq!(columns(short), [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let values = || Arc::new(vec![1.0; 6]) as Shared<f64>;
        assert!(Dense::shared(values(), 3, 3, Order::RowMajor).is_err());
        assert!(Dense::strided(values(), (3, 2), (2, 2)).is_err(), "one value too far");
        assert!(Dense::strided(values(), (3, 2), (2, 1)).is_ok());
        assert!(Dense::strided(values(), (2, 2), (usize::MAX, 1)).is_err());
        let negative = Sparse::shared(&[0_i32, 1], &[-1], Arc::new(vec![1.0]), 3).expect_err("negative");
        assert!(negative.to_string().contains("`rows` must be"), "{negative}");
        let far = Sparse::shared(&[0_i64, 1], &[1 << 33], Arc::new(vec![1.0]), 3).expect_err("too large");
        assert!(far.to_string().contains("8589934592"), "{far}");
        let below = Sparse::shared(&[0_i32, 1], &[3], Arc::new(vec![1.0]), 3).expect_err("no such sample");
        assert!(below.to_string().contains("below 3"), "{below}");
    }
}
