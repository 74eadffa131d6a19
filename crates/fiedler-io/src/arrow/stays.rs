//! Tables that are larger than memory.
//!
//! Files of columns are read where they are, some columns at a time. With features in rows a column of the file is a sample, and of every
//! one a few numbers would be wanted, again and again: they are copied once, column after column, into a
//! [scratch file](crate::disk::scratch) whose rows they become. So is a file of very many columns, whose description alone is
//! large: it is needed for the copy, and then no more.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fiedler::limits::Bytes;
use fiedler::{Limits, Monitor};

use super::convert::Store;
use crate::disk::positions::Positions;
use crate::disk::scratch::{Rows, piece};
use crate::disk::{Disk, Layout, Lost, Stored, Stretch};
use crate::matrix::Numbers;
use crate::options::Orientation;
use crate::progress::Progress;
use crate::{Error, Result};

/// How often the monitor hears of a file that is read whole.
#[cfg(feature = "arrow")]
const STEPS: usize = 64;

/// A file stays as it is where its description takes at most one of so many parts of what may be taken.
const DESCRIBED: u64 = 4;

/// And always where it takes no more than this.
const LONG: u64 = 8 << 20;

/// Columns that the library computes with together.
const FEW: usize = 64;

/// Bytes that had better be read together: to begin takes as long as the description of all columns is.
const TOGETHER: u64 = 16 << 20;

/// A file that keeps columns apart from one another.
pub(super) trait Apart: Send + Sync {
    /// Rows of the table.
    fn rows(&self) -> usize;

    /// Some columns of numbers, one after the other. Not by the pool of threads. Beside them there are about so many bytes at a time.
    fn group<S: Store>(&self, columns: &[usize], out: &mut [S], beside: usize) -> Result<()>;

    /// Bytes that the description of the file takes.
    fn described(&self) -> u64;
}

/// Columns of numbers that stay in their file.
pub(super) struct Stays<A> {
    /// The name of the file, for messages.
    file: String,
    apart: A,
    columns: Vec<usize>,
    single: bool,
    /// Bytes that a thread may take while it reads.
    beside: usize,
    /// Threads that may help whoever reads.
    helpers: AtomicUsize,
    /// The file as it was.
    seen: Positions,
}

impl<A: Apart + 'static> Stays<A> {
    /// The columns at these positions of the file at `path`; whether single precision holds them.
    pub(super) fn new(path: &Path, apart: A, columns: Vec<usize>, single: bool) -> Result<Self> {
        let (file, seen) = (crate::names::shown(path), Positions::open(path)?);
        let helpers = AtomicUsize::new(rayon::current_num_threads() - 1);
        Ok(Stays { file, apart, columns, single, beside: usize::MAX, helpers, seen })
    }

    /// Samples × features, whichever way they lie.
    pub(super) fn into_disk(mut self, features: Orientation, monitor: &dyn Monitor) -> Result<Disk> {
        let (file, limits) = (self.file.clone(), monitor.limits());
        let left = self.left_beside_description(limits);
        // All may read at a time, and have helpers too.
        let threads = 2 * rayon::current_num_threads() as u64;
        self.beside = usize::try_from(piece(left) / threads).unwrap_or(usize::MAX);
        match features {
            Orientation::Columns if self.is_described_at_length(limits) => {
                Disk::new(&file, self.copied(monitor)?.turned()?, left)
            }
            Orientation::Columns => Disk::new(&file, self, left),
            Orientation::Rows => Disk::new(&file, self.copied(monitor)?.done()?, limits),
        }
    }

    /// Whether the description of very many columns is larger than what is read of them at a time.
    fn is_described_at_length(&self, limits: Limits) -> bool {
        self.apart.described() > LONG.max(limits.memory.0 / DESCRIBED)
    }

    /// What the description leaves of the memory; the allocator keeps what it took, even after it is gone. A few columns have to fit
    /// whatever that is.
    fn left_beside_description(&self, limits: Limits) -> Limits {
        let all = limits.memory.0;
        let least = self.bytes(FEW).saturating_mul(4).max(all / DESCRIBED).min(all);
        Limits::of(Bytes(all.saturating_sub(self.apart.described()).max(least)))
    }

    /// The columns as the rows of a scratch file.
    fn copied(self, monitor: &dyn Monitor) -> Result<Rows> {
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
        Ok(scratch)
    }

    /// Columns that are copied at a time. One must fit, beside what it is unpacked from.
    fn at_a_time(&self, limits: Limits) -> Result<usize> {
        let column = self.bytes(1).max(1);
        let needed = column.saturating_mul(2);
        if needed > limits.memory.0 {
            return Err(Error::columns_memory(&self.file, needed, limits.memory));
        }
        Ok(usize::try_from(piece(limits) / column).unwrap_or(usize::MAX).max(1))
    }

    /// Some columns, in this room.
    fn values<S: Store>(&self, columns: &[usize], mut room: Vec<S>) -> Result<Vec<S>> {
        room.resize(self.apart.rows() * columns.len(), S::default());
        self.fill(columns, &mut room)?;
        Ok(room)
    }

    /// Reads columns, with the help of threads of their own that help nobody else now: whoever waits in the pool may be handed a task
    /// that asks for this very chunk.
    fn fill<S: Store>(&self, columns: &[usize], out: &mut [S]) -> Result<()> {
        let all = |free: usize| (free > 0).then_some(0);
        let helpers = self.helpers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, all).unwrap_or(0);
        let group = columns.len().div_ceil(1 + helpers).max(1);
        let done = thread::scope(|scope| {
            let mut tasks = out.chunks_mut((self.apart.rows() * group).max(1)).zip(columns.chunks(group));
            let own = tasks.next();
            let read = |(out, columns): (&mut [S], &[usize])| self.apart.group(columns, out, self.beside);
            let threads: Vec<_> = tasks.map(|task| scope.spawn(move || read(task))).collect();
            let done = own.map_or(Ok(()), read);
            let gone = || self.lost("a thread that reads it ended early").into();
            threads.into_iter().fold(done, |done, t| done.and(t.join().unwrap_or_else(|_| Err(gone()))))
        });
        self.helpers.fetch_add(helpers, Ordering::Relaxed);
        done
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

    fn long(&self) -> u64 {
        TOGETHER
    }

    fn read(&self, range: Range<usize>) -> std::result::Result<Stretch, Lost> {
        self.read_into(range, None)
    }

    fn read_into(&self, range: Range<usize>, room: Option<Numbers>) -> std::result::Result<Stretch, Lost> {
        self.seen.check()?;
        let columns = &self.columns[range];
        let values = match Numbers::in_room(room, self.single, columns.len() * self.apart.rows()) {
            Numbers::F32(room) => self.values(columns, room).map(Numbers::F32),
            Numbers::F64(room) => self.values(columns, room).map(Numbers::F64),
        };
        let values = values.map_err(|e| self.lost(&format!("it cannot be read any more ({e})")))?;
        Ok(Stretch::Dense { values, layout: Layout::Columns })
    }
}
