//! Files that are larger than memory: their numbers stay where they are and are read a few columns at a time.
//!
//! A [`Stored`] knows how to read a range of columns of one format. [`Disk`] makes a source of columns of it: what was read is kept in
//! [chunks] of bounded size, and the system is told of the next ones while the arithmetic is at work on these. Columns and samples that are
//! left out, and what missing values are filled with, are applied as a block is handed out, so that the file is never changed.
//!
//! Files are read at positions (`pread`) and not mapped into memory. Pages of a map count as memory of the process, and a file that
//! becomes shorter while it is mapped ends the process by a signal; here it is an error with a sentence.

mod chunks;
pub(crate) mod layout;
pub(crate) mod npy;
pub(crate) mod positions;
mod recent;
pub(crate) mod scratch;
mod sparse;
mod turned;

use std::ops::Range;
use std::sync::Arc;

use fiedler::Limits;
use fiedler::dataset::{Block, Columns, DenseBlock, Order, Piece, Reach};
use fiedler::limits::Held;
use rayon::prelude::*;

use crate::matrix::{Matrix, Numbers, Storage};
use crate::table::Raw;
use crate::{Error, Result};
use chunks::Chunks;
pub(crate) use layout::Layout;
use recent::Recent;
use turned::Turned;

/// Columns that the library computes with together.
const BLOCK: usize = 64;
/// A list of columns is read from one end to the other where it has more than so many.
const FEW: usize = 8;

/// Numbers that stay in their file.
pub(crate) trait Stored: Send + Sync {
    /// Samples × features.
    fn shape(&self) -> (usize, usize);

    /// Whether they are handed out in single precision.
    fn is_single(&self) -> bool;

    /// The columns `range` of all samples. Not by the pool of threads: the answer may be waited for by its members.
    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost>;

    /// The same in the room of numbers that nobody needs any more, where the format can: memory that is new costs more than to fill it.
    fn read_into(&self, range: Range<usize>, _room: Option<Numbers>) -> Result<Stretch, Lost> {
        self.read(range)
    }

    /// Tells the system that these columns will be read soon, where that is of use.
    fn expect(&self, _range: Range<usize>) {}

    /// Whether they are handed out by their non-zeros.
    fn is_sparse(&self) -> bool {
        false
    }

    /// The bytes of any `width` neighboring columns at most.
    fn bytes(&self, width: usize) -> u64 {
        let size = if self.is_single() { 4 } else { 8 };
        (self.shape().0 as u64).saturating_mul(size).saturating_mul(width as u64)
    }

    /// Columns that are best read together: a chunk is a multiple of it.
    fn together(&self) -> usize {
        BLOCK
    }

    /// A list of columns is read with all between them where it has at least one of so many: reading one by itself costs as much as so
    /// many together.
    fn worth(&self) -> usize {
        8
    }

    /// Bytes that had better be read together where they may be, for to begin takes as long as to read many.
    fn long(&self) -> u64 {
        0
    }

    /// Whether a column is as many reads as there are rows.
    fn is_by_rows(&self) -> bool {
        false
    }

    /// Where they are kept, unless that is the file of the user.
    fn kept_in(&self) -> Option<String> {
        None
    }
}

/// The numbers of a file, column after column: in memory where they may be.
///
/// # Errors
/// The file cannot be read, or not even a few of its columns fit.
pub(crate) fn body(name: &str, stored: impl Stored + 'static, limits: Limits) -> Result<Raw> {
    let (rows, columns) = stored.shape();
    if Disk::holds(stored.bytes(columns), limits) {
        return Ok(Raw::on_disk(Disk::new(name, stored, limits)?));
    }
    Ok(Raw::bare(match stored.read(0..columns)? {
        Stretch::Dense { values, .. } => Matrix::dense(values, rows, columns, Order::ColumnMajor),
        Stretch::Sparse { offsets, rows: at, values } => {
            Matrix { rows, columns, storage: Storage::Sparse { offsets, rows: at, values } }
        }
    }))
}

/// Some columns as they were read.
pub(crate) enum Stretch {
    /// All numbers, as the layout has them.
    Dense { values: Numbers, layout: Layout },
    /// Column `j` has the entries `offsets[j]..offsets[j + 1]`, rows ascending.
    #[cfg_attr(not(feature = "hdf5"), expect(dead_code, reason = "files by non-zeros are HDF5"))]
    Sparse { offsets: Vec<usize>, rows: Vec<u32>, values: Numbers },
}

/// A matrix on disk, and what was decided about it.
pub(crate) struct Disk {
    name: String,
    chunks: Chunks,
    /// The same by columns, once it pays.
    turned: Turned,
    /// Columns that were read one by one.
    recent: Recent,
    /// The columns that are left, unless all are.
    columns: Option<Vec<usize>>,
    /// The samples that are left, likewise.
    rows: Option<Vec<usize>>,
    /// What stands for missing values, by the columns of the file: NaN where nothing does.
    fills: Vec<f64>,
}

impl Disk {
    /// Whether numbers of so many bytes stay on disk: where they would take more than half of what may be taken, for beside them
    /// there is more to keep.
    pub(crate) fn holds(bytes: u64, limits: Limits) -> bool {
        bytes > limits.memory.0 / 2
    }

    /// For a file of that name, with chunks that suit the limits.
    ///
    /// # Errors
    /// [`Error::ColumnsMemory`] where not even a few columns fit.
    pub(crate) fn new(name: &str, stored: impl Stored + 'static, limits: Limits) -> Result<Self> {
        let chunks = Chunks::new(Box::new(stored), limits)
            .map_err(|needed| Error::columns_memory(name, needed, limits.memory))?;
        let recent = Recent::new(chunks.stored(), limits);
        Ok(Disk {
            name: name.to_owned(),
            chunks,
            turned: Turned::new(limits),
            recent,
            columns: None,
            rows: None,
            fills: Vec::new(),
        })
    }

    /// What the user is told.
    pub(crate) fn note(&self) -> String {
        let from = self.chunks.stored().kept_in();
        let from = from.map_or("the disk".to_owned(), |folder| format!("a scratch file in {folder}"));
        format!(
            "{} is larger than half of the memory that may be taken, and is read from {from} as it is needed",
            self.name
        )
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.rows.as_ref().map_or_else(|| self.chunks.shape().0, Vec::len)
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.columns.as_ref().map_or_else(|| self.chunks.shape().1, Vec::len)
    }

    /// Leaves these columns.
    pub(crate) fn keep_columns(mut self, kept: &[usize]) -> Self {
        self.columns = Some(kept.iter().map(|&j| self.place(j)).collect());
        self
    }

    /// Leaves these samples.
    pub(crate) fn keep_rows(mut self, kept: &[usize]) -> Self {
        self.recent.forget();
        self.rows = Some(match self.rows {
            Some(rows) => kept.iter().map(|&i| rows[i]).collect(),
            None => kept.to_vec(),
        });
        self
    }

    /// From now on `value` stands where column `j` has none.
    pub(crate) fn fill(&mut self, j: usize, value: f64) {
        self.recent.forget();
        let place = self.place(j);
        if self.fills.is_empty() {
            self.fills = vec![f64::NAN; self.chunks.shape().1];
        }
        self.fills[place] = value;
    }

    /// Column `j` in double precision.
    pub(crate) fn column(&self, j: usize) -> Result<Vec<f64>> {
        let place = self.place(j);
        let mut column = Numbers::with_capacity(false, self.n_rows());
        self.append(&self.chunks.stored().read(place..place + 1)?, 0, place, &mut column);
        Ok((0..column.len()).map(|i| column.at(i)).collect())
    }

    /// Calls `work` on every column, and returns what it found in the order of the columns.
    pub(crate) fn map_columns<T: Send>(&self, work: impl Fn(Vec<f64>) -> T + Sync) -> Result<Vec<T>> {
        let n = self.n_rows();
        let mut all = Vec::with_capacity(self.n_columns());
        for start in (0..self.n_columns()).step_by(BLOCK) {
            let some = self.copied(&self.places(start..self.n_columns().min(start + BLOCK)))?;
            let found: Vec<T> = (0..some.len() / n)
                .into_par_iter()
                .map(|j| work((j * n..(j + 1) * n).map(|p| some.at(p)).collect()))
                .collect();
            all.extend(found);
        }
        Ok(all)
    }

    /// What stands for missing values of a column of the file.
    fn fill_of(&self, place: usize) -> f64 {
        self.fills.get(place).copied().unwrap_or(f64::NAN)
    }

    /// The place of column `j` in the file.
    fn place(&self, j: usize) -> usize {
        self.columns.as_ref().map_or(j, |columns| columns[j])
    }

    fn places(&self, range: Range<usize>) -> Vec<usize> {
        range.map(|j| self.place(j)).collect()
    }

    /// Columns of the file one after the other, through the chunks they lie in.
    fn copied(&self, places: &[usize]) -> Result<Numbers> {
        let mut out = Numbers::with_capacity(self.chunks.is_single(), places.len() * self.n_rows());
        let width = self.chunks.width();
        for some in places.chunk_by(|a, b| a / width == b / width) {
            let chunk = self.chunks.get(some[0] / width, some.len());
            self.append_some(chunk.stretch()?, some[0] / width * width, some, &mut out);
        }
        Ok(out)
    }

    /// Columns of the file one after the other: with all between them where that is faster than one by one.
    fn apart(&self, places: &[usize]) -> Result<Numbers> {
        let stored = self.chunks.stored();
        // Whether all between the ends may be read, and how many columns that are.
        let in_order = places.len() > FEW && places.is_sorted_by(|a, b| a < b);
        let ends = places.first().zip(places.last()).filter(|_| in_order);
        let span = ends.map_or(stored.shape().1, |(first, last)| last - first + 1);
        let with_all_between = in_order && span / stored.worth() <= places.len();
        if stored.is_by_rows() && !with_all_between {
            return self.one_by_one(places, span);
        }
        // A pass over all columns in their order is no reason for a copy.
        if span > places.len()
            && let Some(copy) = self.turned.instead_of(stored, places.len(), span)
        {
            return self.runs_of(copy, places);
        }
        if with_all_between { self.copied(places) } else { self.runs_of(stored, places) }
    }

    /// Columns of a file by rows, all of them among `span` that lie together: those that are not kept are read.
    fn one_by_one(&self, places: &[usize], span: usize) -> Result<Numbers> {
        let n = self.n_rows();
        let kept = self.recent.find(places);
        let missing: Vec<usize> = places.iter().zip(&kept).filter(|p| p.1.is_none()).map(|p| *p.0).collect();
        let stored = self.chunks.stored();
        let copy = self.turned.instead_of(stored, missing.len(), span);
        let read = self.runs_of(copy.unwrap_or(stored), &missing)?;
        let mut out = Numbers::with_capacity(self.chunks.is_single(), places.len() * n);
        let mut next = 0;
        for (&place, kept) in places.iter().zip(&kept) {
            if let Some(column) = kept {
                out.append(column, 0..n);
                continue;
            }
            out.append(&read, next * n..(next + 1) * n);
            let mut column = Numbers::with_capacity(self.chunks.is_single(), n);
            column.append(&read, next * n..(next + 1) * n);
            self.recent.keep(place, Arc::new(column));
            next += 1;
        }
        Ok(out)
    }

    /// Columns one after the other, run by run, past the chunks.
    fn runs_of(&self, stored: &dyn Stored, places: &[usize]) -> Result<Numbers> {
        let mut out = Numbers::with_capacity(self.chunks.is_single(), places.len() * self.n_rows());
        for run in places.chunk_by(|a, b| *b == a + 1) {
            let stretch = stored.read(run[0]..run[0] + run.len())?;
            self.append_some(&stretch, run[0], run, &mut out);
        }
        Ok(out)
    }

    /// Adds the columns `places` of the file, which are in a stretch that begins with column `first`.
    fn append_some(&self, stretch: &Stretch, first: usize, places: &[usize], out: &mut Numbers) {
        if let Stretch::Dense { values, layout: Layout::Tiles } = stretch
            && self.rows.is_none()
            && self.fills.is_empty()
        {
            let columns: Vec<usize> = places.iter().map(|place| place - first).collect();
            return out.append_tiled(values, self.chunks.shape().0, &columns);
        }
        places.iter().for_each(|&place| self.append(stretch, place - first, place, out));
    }

    /// Adds column `at` of a stretch, which is column `place` of the file.
    fn append(&self, stretch: &Stretch, at: usize, place: usize, out: &mut Numbers) {
        let fill = self.fill_of(place);
        let n = self.chunks.shape().0;
        let (values, first, step) = match stretch {
            Stretch::Dense { values, layout } => {
                let place = layout.place((n, values.len() / n), at);
                (values, place.start, place.row_stride)
            }
            Stretch::Sparse { offsets, rows, values } => {
                let entries = offsets[at]..offsets[at + 1];
                let column = self.scattered(&rows[entries.clone()], entries.map(|e| values.at(e)));
                return out.extend(&Numbers::F64(column), 0..self.n_rows(), fill);
            }
        };
        match &self.rows {
            None if step == 1 && self.fills.is_empty() => out.append(values, first..first + n),
            Some(rows) => out.extend(values, rows.iter().map(|i| first + i * step), fill),
            None => out.extend(values, (0..n).map(|i| first + i * step), fill),
        }
    }

    /// Columns that lie side by side, as they were read: the way of most.
    fn plain(&self, range: Range<usize>) -> Result<Option<Block<'static>>> {
        let index = range.start / self.chunks.width();
        let inside = !range.is_empty() && (range.end - 1) / self.chunks.width() == index;
        if self.rows.is_some() || self.columns.is_some() || !self.fills.is_empty() || !inside {
            return Ok(None);
        }
        let first = index * self.chunks.width();
        let chunk = self.chunks.get(index, range.len());
        chunk.shared(self.chunks.shape().0, range.start - first..range.end - first)
    }

    fn block_of(&self, values: Numbers) -> Block<'static> {
        let dense = DenseBlock { values: values.into(), row_stride: 1, column_stride: self.n_rows() };
        Block::Dense(dense)
    }
}

impl Columns for Disk {
    fn n_samples(&self) -> usize {
        self.n_rows()
    }

    fn n_features(&self) -> usize {
        self.n_columns()
    }

    fn is_sparse(&self) -> bool {
        self.chunks.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> fiedler::Result<Block<'_>> {
        if self.chunks.is_sparse() {
            return self.entries(&self.places(range)).map_err(columns);
        }
        if let Some(block) = self.plain(range.clone()).map_err(columns)? {
            return Ok(block);
        }
        Ok(self.block_of(self.copied(&self.places(range)).map_err(columns)?))
    }

    fn gather(&self, list: &[usize]) -> fiedler::Result<Vec<Piece<'_>>> {
        let places: Vec<usize> = list.iter().map(|&j| self.place(j)).collect();
        if self.chunks.is_sparse() {
            let block = self.entries(&places).map_err(columns)?;
            return Ok(vec![Piece { width: list.len(), block }]);
        }
        let values = self.apart(&places).map_err(columns)?;
        Ok(vec![Piece { width: list.len(), block: self.block_of(values) }])
    }

    fn reach(&self) -> Reach {
        self.chunks.reach()
    }

    fn held(&self) -> Held {
        let Held { now, whole } = self.chunks.held();
        Held { now: (now + self.recent.held()).min(whole), whole }
    }
}

/// An error of ours as the library tells it.
fn columns(error: Error) -> fiedler::Error {
    fiedler::Error::Columns(Box::new(error))
}

/// A file that is read again and again and cannot be read any more, or is another one now. Everybody who asks is told.
#[derive(Debug, Clone)]
pub(crate) struct Lost {
    pub(crate) file: String,
    pub(crate) what: String,
}

impl From<Lost> for Error {
    fn from(Lost { file, what }: Lost) -> Self {
        Error::Lost { file, what }
    }
}
