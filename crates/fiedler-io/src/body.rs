//! The numbers of a table: in memory, or in the file that they came in.

use rayon::prelude::*;

use fiedler::dataset::{Dense, Sparse};
use fiedler::{Dataset, Monitor};

use crate::Result;
use crate::disk::Disk;
use crate::matrix::{Matrix, Numbers, Storage};

/// rows × columns, wherever they are.
pub(crate) enum Body {
    Memory(Matrix),
    Disk(Box<Disk>),
}

impl Default for Body {
    fn default() -> Self {
        Body::Memory(Matrix::default())
    }
}

impl Body {
    pub(crate) fn rows(&self) -> usize {
        match self {
            Body::Memory(matrix) => matrix.rows,
            Body::Disk(disk) => disk.n_rows(),
        }
    }

    pub(crate) fn columns(&self) -> usize {
        match self {
            Body::Memory(matrix) => matrix.columns,
            Body::Disk(disk) => disk.n_columns(),
        }
    }

    /// Rows become columns. A file on disk is opened the way its features lie, and is turned already.
    pub(crate) fn transposed(self) -> Self {
        match self {
            Body::Memory(matrix) => Body::Memory(matrix.transposed()),
            disk @ Body::Disk(_) => disk,
        }
    }

    /// The matrix of these columns.
    pub(crate) fn keep_columns(self, kept: &[usize]) -> Self {
        match self {
            Body::Memory(matrix) => Body::Memory(matrix.keep_columns(kept)),
            Body::Disk(disk) => Body::Disk(Box::new(disk.keep_columns(kept))),
        }
    }

    /// The matrix of these rows, which ascend.
    pub(crate) fn keep_rows(self, kept: &[usize]) -> Self {
        match self {
            Body::Memory(matrix) => Body::Memory(matrix.keep_rows(kept)),
            Body::Disk(disk) => Body::Disk(Box::new(disk.keep_rows(kept))),
        }
    }

    /// Column `j` in double precision.
    pub(crate) fn column(&self, j: usize) -> Result<Vec<f64>> {
        match self {
            Body::Memory(matrix) => Ok(matrix.column(j)),
            Body::Disk(disk) => disk.column(j),
        }
    }

    /// Calls `work` on every column, in parallel, and returns what it found in the order of the columns.
    pub(crate) fn map_columns<T: Send>(&self, work: impl Fn(Vec<f64>) -> T + Sync) -> Result<Vec<T>> {
        match self {
            Body::Memory(matrix) => {
                Ok((0..matrix.columns).into_par_iter().map(|j| work(matrix.column(j))).collect())
            }
            Body::Disk(disk) => disk.map_columns(work),
        }
    }

    /// Whether a value may be missing, by a quick look.
    pub(crate) fn may_have_gaps(&self) -> bool {
        match self {
            Body::Memory(matrix) => matrix.has_gaps(),
            Body::Disk(_) => true,
        }
    }

    /// Puts `value` wherever column `j` has none.
    pub(crate) fn fill(&mut self, j: usize, value: f64) {
        match self {
            Body::Memory(matrix) => matrix.fill(j, value),
            Body::Disk(disk) => disk.fill(j, value),
        }
    }

    /// The data set, with these names of features.
    pub(crate) fn into_dataset(
        self,
        names: Option<Vec<String>>,
        monitor: &dyn Monitor,
    ) -> fiedler::Result<Dataset> {
        let matrix = match self {
            Body::Memory(matrix) => matrix,
            Body::Disk(disk) => return Dataset::named(*disk, names, monitor),
        };
        let (n, m) = (matrix.rows, matrix.columns);
        match matrix.storage {
            Storage::Dense { values, order } => match values {
                Numbers::F32(v) => Dataset::named(Dense::new(v, n, m, order)?, names, monitor),
                Numbers::F64(v) => Dataset::named(Dense::new(v, n, m, order)?, names, monitor),
            },
            Storage::Sparse { offsets, rows, values } => match values {
                Numbers::F32(v) => Dataset::named(Sparse::new(offsets, rows, v, n)?, names, monitor),
                Numbers::F64(v) => Dataset::named(Sparse::new(offsets, rows, v, n)?, names, monitor),
            },
        }
    }
}
