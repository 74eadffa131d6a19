//! Tables that are larger than memory.
//!
//! Files of columns are read where they are, some columns at a time. With features in rows a column of the file is a sample, and of every
//! one a few numbers would be wanted, again and again: they are copied once, column after column, into a
//! [scratch file](crate::disk::scratch) whose rows they become.

use std::ops::Range;
use std::path::Path;
use std::thread;

use fiedler::limits::Bytes;
use fiedler::{Limits, Monitor};

use super::convert::Store;
use crate::disk::positions::Positions;
use crate::disk::scratch::{Rows, piece};
use crate::disk::{Disk, Lost, Stored, Stretch};
use crate::matrix::Numbers;
use crate::options::Orientation;
use crate::progress::Progress;
use crate::{Error, Result};

/// How often the monitor hears of a file that is read whole.
#[cfg(feature = "arrow")]
const STEPS: usize = 64;

/// A file that keeps columns apart from one another.
pub(super) trait Apart: Send + Sync {
    /// Rows of the table.
    fn rows(&self) -> usize;

    /// Some columns of numbers, one after the other. Not by the pool of threads.
    fn group<S: Store>(&self, columns: &[usize], out: &mut [S]) -> Result<()>;
}

/// Columns of numbers that stay in their file.
pub(super) struct Stays<A> {
    /// The name of the file, for messages.
    file: String,
    apart: A,
    columns: Vec<usize>,
    single: bool,
    /// The file as it was.
    seen: Positions,
}

impl<A: Apart + 'static> Stays<A> {
    /// The columns at these positions of the file at `path`; whether single precision holds them.
    pub(super) fn new(path: &Path, apart: A, columns: Vec<usize>, single: bool) -> Result<Self> {
        Ok(Stays { file: crate::names::shown(path), apart, columns, single, seen: Positions::open(path)? })
    }

    /// Samples × features, whichever way they lie.
    pub(super) fn into_disk(self, features: Orientation, monitor: &dyn Monitor) -> Result<Disk> {
        let file = self.file.clone();
        match features {
            Orientation::Columns => Disk::new(&file, self, monitor.limits()),
            Orientation::Rows => Disk::new(&file, self.copied(monitor)?, monitor.limits()),
        }
    }

    /// The columns as the rows of a scratch file.
    fn copied(self, monitor: &dyn Monitor) -> Result<impl Stored + use<A>> {
        let (rows, columns) = self.shape();
        let step = self.at_a_time(monitor.limits())?;
        let progress = Progress::new(monitor, "reading file", columns);
        let mut scratch = Rows::new(&self.file, rows, self.single)?;
        for first in (0..columns).step_by(step) {
            let range = first..columns.min(first + step);
            if let Stretch::Dense { values, .. } = self.read(range.clone())? {
                scratch.add(&values)?;
            }
            progress.advance(range.len())?;
        }
        scratch.done()
    }

    /// Columns that are copied at a time. One must fit, beside what it is unpacked from.
    fn at_a_time(&self, limits: Limits) -> Result<usize> {
        let column = self.bytes(1).max(1);
        let needed = column.saturating_mul(2);
        if needed > limits.memory.0 {
            return Err(Error::Memory {
                file: self.file.clone(),
                needed: Bytes(needed),
                limit: limits.memory,
            });
        }
        Ok(usize::try_from(piece(limits) / column).unwrap_or(usize::MAX).max(1))
    }

    fn values<S: Store>(&self, columns: &[usize]) -> Result<Vec<S>> {
        let mut values = vec![S::default(); self.apart.rows() * columns.len()];
        self.fill(columns, &mut values)?;
        Ok(values)
    }

    /// Reads columns by threads of their own: whoever waits in the pool may be handed a task that asks for this very chunk.
    fn fill<S: Store>(&self, columns: &[usize], out: &mut [S]) -> Result<()> {
        let group = columns.len().div_ceil(rayon::current_num_threads()).max(1);
        thread::scope(|scope| {
            let tasks = out.chunks_mut((self.apart.rows() * group).max(1)).zip(columns.chunks(group));
            let read = |(out, columns)| scope.spawn(move || self.apart.group(columns, out));
            let threads: Vec<_> = tasks.map(read).collect();
            let gone = || self.lost("a thread that reads it ended early").into();
            threads.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| Err(gone())))
        })
    }

    fn lost(&self, what: &str) -> Lost {
        Lost { file: self.file.clone(), what: what.to_owned() }
    }
}

/// Parquet has a way of its own.
#[cfg(feature = "arrow")]
impl<A: Apart + 'static> Stays<A> {
    /// All of it in memory.
    pub(super) fn into_matrix(
        self,
        budget: &crate::memory::Budget,
        monitor: &dyn Monitor,
    ) -> Result<crate::matrix::Matrix> {
        let (rows, columns) = self.shape();
        let values = if self.single {
            Numbers::F32(self.all(budget, monitor)?)
        } else {
            Numbers::F64(self.all(budget, monitor)?)
        };
        let order = fiedler::dataset::Order::ColumnMajor;
        Ok(crate::matrix::Matrix::dense(values, rows, columns, order))
    }

    fn all<S: Store>(&self, budget: &crate::memory::Budget, monitor: &dyn Monitor) -> Result<Vec<S>> {
        let rows = self.apart.rows();
        let mut values = budget.zeros(rows, self.columns.len())?;
        let progress = Progress::new(monitor, "reading file", self.columns.len());
        let step = (self.columns.len() / STEPS).max(1);
        for (columns, out) in self.columns.chunks(step).zip(values.chunks_mut((rows * step).max(1))) {
            self.fill(columns, out)?;
            progress.advance(columns.len())?;
        }
        Ok(values)
    }
}

impl<A: Apart + 'static> Stored for Stays<A> {
    fn shape(&self) -> (usize, usize) {
        (self.apart.rows(), self.columns.len())
    }

    fn is_single(&self) -> bool {
        self.single
    }

    fn read(&self, range: Range<usize>) -> std::result::Result<Stretch, Lost> {
        self.seen.check()?;
        let columns = &self.columns[range];
        let values = if self.single {
            self.values(columns).map(Numbers::F32)
        } else {
            self.values(columns).map(Numbers::F64)
        };
        let values = values.map_err(|e| self.lost(&format!("it cannot be read any more ({e})")))?;
        Ok(Stretch::Dense { values, row_stride: 1, column_stride: self.apart.rows() })
    }
}
