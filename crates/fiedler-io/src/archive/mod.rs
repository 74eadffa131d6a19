//! Named arrays in groups: those of an HDF5 file, and those of a Zarr store.
//!
//! What an AnnData file means, and how a matrix that is larger than memory is brought into columns, is written once, of
//! [`Group`] and [`Array`]. Where these come from is the matter of a format.

pub(crate) mod anndata;
mod frame;
pub(crate) mod large;

use std::ops::Range;

use fiedler::Monitor;
use fiedler::dataset::Order;

use crate::disk::Disk;
use crate::matrix::{Matrix, Numbers};
use crate::memory::{Budget, PER_LINE};
use crate::options::Orientation;
use crate::sparse::{Compressed, Major};
use crate::table::Raw;
use crate::{Error, Result};

/// What is read, and with what.
#[derive(Clone, Copy)]
pub(crate) struct Archive<'a> {
    /// The file, for messages.
    pub(crate) file: &'a str,
    /// What it is called: `HDF5`, `Zarr`.
    pub(crate) format: &'static str,
    /// The memory that may be taken.
    pub(crate) budget: &'a Budget,
    pub(crate) monitor: &'a dyn Monitor,
}

impl Archive<'_> {
    pub(crate) fn bad(&self, found: impl Into<String>) -> Error {
        Error::malformed(self.file, self.format, found.into())
    }
}

/// A folder of arrays and of further groups.
pub(crate) trait Group<'a> {
    /// The group of that name in it.
    fn group(&self, name: &str) -> Option<Box<dyn Group<'a> + 'a>>;

    /// The array of that name in it.
    fn array(&self, name: &str) -> Option<Box<dyn Array + 'a>>;

    /// The names of all groups and arrays in it, in order.
    fn names(&self) -> Vec<String>;

    /// An attribute that is a text.
    fn text(&self, attribute: &str) -> Option<String>;

    /// An attribute that is a list of whole numbers.
    fn sizes(&self, attribute: &str) -> Option<Vec<u64>>;
}

/// Whether there is a group or an array of that name.
pub(crate) fn has(group: &dyn Group<'_>, name: &str) -> bool {
    group.group(name).is_some() || group.array(name).is_some()
}

/// What an array holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Numbers, and whether single precision holds them exactly.
    Number { single: bool },
    /// True and false.
    Truth,
    /// Texts.
    Text,
    /// Several values in one.
    Records,
}

/// Values of one type in some dimensions. The first of them counts rows.
pub(crate) trait Array {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// Its extent in every dimension; empty for a single value.
    fn shape(&self) -> Vec<usize>;

    fn kind(&self) -> Kind;

    /// The number of values, when the file is large enough to hold them: what it says of itself is not believed.
    fn count(&self) -> Result<usize>;

    /// All numbers, in the order of rows, counted.
    fn numbers(&self) -> Result<Numbers>;

    /// The numbers of some rows of an array whose [`count`](Self::count) was asked for. They are not counted.
    fn numbers_at(&self, rows: Range<usize>) -> Result<Numbers>;

    /// Whole numbers, such as codes, shapes and truth values.
    fn integers(&self) -> Result<Vec<i64>>;

    /// Indices of a sparse matrix. What is negative or too large for one becomes an index that nothing has.
    fn indices(&self) -> Result<Vec<u32>>;

    /// As [`indices`](Self::indices), some of them. They are not counted.
    fn indices_at(&self, rows: Range<usize>) -> Result<Vec<u32>>;

    /// Texts of fixed or of any length; `None` for one that is missing.
    fn texts(&self) -> Result<Vec<Option<String>>>;

    /// Rows that are unpacked together: who asks for fewer has the others unpacked for nothing.
    fn rows_together(&self) -> usize {
        1
    }

    /// A matrix of which some columns can be read without the others.
    fn by_columns(&self) -> Option<&dyn ByColumns> {
        None
    }
}

/// A matrix of which some columns can be read without the others.
pub(crate) trait ByColumns {
    /// Columns that are unpacked together.
    fn together(&self) -> usize;

    /// The numbers of some columns, column after column. They are not counted.
    fn columns_at(&self, columns: Range<usize>) -> Result<Numbers>;
}

/// Whether single precision holds the numbers of an array exactly.
pub(crate) fn is_single(array: &dyn Array) -> bool {
    matches!(array.kind(), Kind::Number { single: true } | Kind::Truth)
}

/// Offsets of a sparse matrix. What is negative becomes an offset that nothing has.
fn offsets(array: &dyn Array) -> Result<Vec<usize>> {
    Ok(array.integers()?.into_iter().map(|o| usize::try_from(o).unwrap_or(usize::MAX)).collect())
}

/// A dense matrix, in memory or in a scratch file where it is too large for that.
pub(crate) fn dense(of: &Archive<'_>, array: &dyn Array, features: Orientation) -> Result<Raw> {
    let &[rows, columns] = array.shape().as_slice() else {
        let what = format!("`{}` has {} dimensions", array.name(), array.shape().len());
        return Err(Error::unsupported(of.file, what, "samples × features, two dimensions, are needed"));
    };
    if is_large(of, array, &[array]) {
        return large::dense(of, array, features);
    }
    Ok(Raw::bare(Matrix::dense(array.numbers()?, rows, columns, Order::RowMajor)))
}

/// Whether some arrays, one of them of the numbers, are read into a scratch file: memory is too small for them.
fn is_large(of: &Archive<'_>, numbers: &dyn Array, all: &[&dyn Array]) -> bool {
    let count = |a: &dyn Array| a.shape().iter().fold(1_u64, |a, &b| a.saturating_mul(b as u64));
    let size = if is_single(numbers) { 4 } else { 8 };
    let bytes = all.iter().map(|a| count(*a)).fold(0_u64, u64::saturating_add).saturating_mul(size);
    Disk::holds(bytes, of.monitor.limits())
}

/// A sparse matrix in three arrays.
pub(crate) struct Sparse<'a> {
    pub(crate) major: Major,
    /// Rows × columns.
    pub(crate) shape: (usize, usize),
    pub(crate) offsets: Box<dyn Array + 'a>,
    pub(crate) indices: Box<dyn Array + 'a>,
    pub(crate) values: Box<dyn Array + 'a>,
}

impl Sparse<'_> {
    /// In memory; `bad` words what is wrong with it.
    pub(crate) fn matrix(&self, of: &Archive<'_>, bad: impl FnOnce(String) -> Error) -> Result<Matrix> {
        let (rows, columns) = self.shape;
        of.budget.take_items(rows.saturating_add(columns), PER_LINE)?;
        let offsets = offsets(&*self.offsets)?;
        let (indices, values) = (self.indices.indices()?, self.values.numbers()?);
        Compressed { major: self.major, rows, columns, offsets, indices, values }.into_matrix().map_err(bad)
    }

    /// In memory, or in a scratch file where it is too large for that.
    pub(crate) fn raw(&self, of: &Archive<'_>, bad: impl Fn(String) -> Error) -> Result<Raw> {
        if is_large(of, &*self.values, &[&*self.indices, &*self.values]) {
            return large::sparse(of, self, &bad);
        }
        self.matrix(of, bad).map(Raw::bare)
    }
}
