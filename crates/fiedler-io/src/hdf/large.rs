//! Matrices of an HDF5 file that are larger than memory.
//!
//! Chunks of a file that was written sample after sample, compressed perhaps, cannot be read by features: of every
//! chunk a few numbers would be wanted, again and again. They are read once, from first to last, into a
//! [scratch file](crate::disk::scratch) that can.
//!
//! A sparse matrix by rows becomes one by columns in passes: the first counts the entries of every column, and each further
//! one collects those of as many neighboring columns as memory holds.

use std::ops::Range;

use fiedler::Limits;
use hdf5_pure::Dataset;

use super::array::{Reader, is_single, shape};
use crate::disk::scratch::{Entries, Rows};
use crate::disk::{Disk, Stored};
use crate::matrix::Numbers;
use crate::memory::PER_LINE;
use crate::progress::Progress;
use crate::sparse::{Compressed, Major};
use crate::table::Raw;
use crate::{Error, Result};

/// What is read at a time is one of so many parts of what may be taken.
const PARTS: u64 = 16;
/// But no less than this, in bytes.
const LEAST: u64 = 1 << 12;
/// Nor more than this.
const MOST: u64 = 64 << 20;

/// Bytes that are read at a time.
fn piece(limits: Limits) -> u64 {
    (limits.memory.0 / PARTS).clamp(LEAST, MOST)
}

/// A dense matrix, rows × columns in the order of rows.
pub(super) fn dense(reader: &Reader<'_>, dataset: &Dataset, name: &str) -> Result<Raw> {
    let &[rows, columns] = shape(dataset).as_slice() else {
        return Err(Error::malformed(reader.file, super::array::FORMAT, format!("`{name}` is no matrix")));
    };
    reader.check_size(dataset, name)?;
    let single = is_single(dataset);
    let row = (columns as u64).saturating_mul(if single { 4 } else { 8 });
    let step = usize::try_from(piece(reader.monitor.limits()) / row.max(1)).unwrap_or(usize::MAX).max(1);
    let progress = Progress::new(reader.monitor, "reading file", rows);
    let mut scratch = Rows::new(reader.file, columns, single)?;
    for first in (0..rows).step_by(step) {
        let some = first..rows.min(first + step);
        scratch.add(&reader.numbers_at(dataset, name, some.clone())?)?;
        progress.advance(some.len())?;
    }
    on_disk(reader, scratch.done()?)
}

fn on_disk(reader: &Reader<'_>, stored: impl Stored + 'static) -> Result<Raw> {
    Ok(Raw::on_disk(Disk::new(reader.file, stored, reader.monitor.limits())?))
}

/// A sparse matrix in three data sets, of which the offsets are in memory.
struct Parts<'a> {
    reader: Reader<'a>,
    name: &'a str,
    rows: usize,
    columns: usize,
    offsets: Vec<usize>,
    indices: &'a Dataset,
    values: &'a Dataset,
    /// Entries that are read at a time.
    step: usize,
}

/// A sparse matrix in three data sets: offsets, indices, values.
pub(super) fn sparse(
    reader: &Reader<'_>,
    major: Major,
    (rows, columns): (usize, usize),
    [offsets, indices, values]: [&Dataset; 3],
    name: &str,
) -> Result<Raw> {
    reader.budget.take_items(rows.saturating_add(columns), PER_LINE)?;
    let (entries, single) = (reader.check_size(values, name)?, is_single(values));
    let bad =
        |found: String| Error::malformed(reader.file, super::array::FORMAT, format!("`{name}`: {found}"));
    let count = reader.check_size(indices, name)?;
    if count != entries {
        return Err(bad(format!("{count} indices for {entries} values")));
    }
    let offsets = reader.offsets(offsets, name)?;
    let lines = if major == Major::Rows { rows } else { columns };
    let runs = offsets.first() == Some(&0) && offsets.last() == Some(&entries) && offsets.is_sorted();
    if offsets.len() != lines + 1 || !runs {
        return Err(bad(format!("its offsets do not run from 0 to the {entries} entries")));
    }
    let entry = if single { 8 } else { 12 };
    let bytes = piece(reader.monitor.limits());
    let step = usize::try_from(bytes / entry).unwrap_or(usize::MAX).max(1);
    let parts = Parts { reader: *reader, name, rows, columns, offsets, indices, values, step };
    let counts = match major {
        Major::Rows => parts.count()?,
        Major::Columns => parts.offsets.windows(2).map(|w| w[1] - w[0]).collect(),
    };
    // Beside the entries as they were read there are the same by columns.
    let ranges = ranges(&counts, step);
    let progress = Progress::new(reader.monitor, "sorting into columns", ranges.len());
    let mut scratch = Entries::new(reader.file, rows, single)?;
    for range in ranges {
        let some = match major {
            Major::Rows => parts.collected(range)?,
            Major::Columns => parts.cut(range)?,
        };
        scratch.add(&some.into_matrix().map_err(bad)?)?;
        progress.advance(1)?;
    }
    on_disk(reader, scratch.done()?)
}

/// Neighboring columns with at most `most` entries together, and one column at least.
fn ranges(counts: &[usize], most: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut entries = 0;
    for (j, count) in counts.iter().enumerate() {
        entries += count;
        match ranges.last_mut() {
            Some(last) if entries <= most => last.end = j + 1,
            _ => {
                ranges.push(j..j + 1);
                entries = *count;
            }
        }
    }
    ranges
}

impl Parts<'_> {
    fn n_entries(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let (all, step) = (self.n_entries(), self.step);
        (0..all).step_by(step).map(move |first| first..all.min(first + step))
    }

    /// The entries of every column of a matrix by rows.
    fn count(&self) -> Result<Vec<usize>> {
        let mut counts = vec![0; self.columns];
        let progress = Progress::new(self.reader.monitor, "reading file", self.n_entries());
        for piece in self.pieces() {
            for j in self.reader.indices_at(self.indices, self.name, piece.clone())? {
                let Some(count) = counts.get_mut(j as usize) else {
                    let found =
                        format!("`{}`: an index lies outside of its {} columns", self.name, self.columns);
                    return Err(Error::malformed(self.reader.file, super::array::FORMAT, found));
                };
                *count += 1;
            }
            progress.advance(piece.len())?;
        }
        Ok(counts)
    }

    /// Some columns of a matrix by rows: what of every row lies in them.
    fn collected(&self, range: Range<usize>) -> Result<Compressed> {
        let mut offsets = vec![0];
        let mut indices = Vec::new();
        let mut values = Numbers::with_capacity(is_single(self.values), 0);
        for piece in self.pieces() {
            let first = piece.start;
            let at = self.reader.indices_at(self.indices, self.name, piece.clone())?;
            let mut taken = Vec::new();
            for (e, j) in at.iter().enumerate().map(|(e, &j)| (e, j as usize)) {
                while self.offsets[offsets.len()] <= first + e {
                    offsets.push(indices.len());
                }
                if range.contains(&j) {
                    indices.push((j - range.start) as u32);
                    taken.push(e);
                }
            }
            let numbers = self.reader.numbers_at(self.values, self.name, piece)?;
            values.extend(&numbers, taken.into_iter(), f64::NAN);
        }
        offsets.resize(self.rows + 1, indices.len());
        Ok(Compressed { major: Major::Rows, rows: self.rows, columns: range.len(), offsets, indices, values })
    }

    /// Some columns of a matrix by columns.
    fn cut(&self, range: Range<usize>) -> Result<Compressed> {
        let entries = self.offsets[range.start]..self.offsets[range.end];
        Ok(Compressed {
            major: Major::Columns,
            rows: self.rows,
            columns: range.len(),
            offsets: self.offsets[range.start..=range.end].iter().map(|o| o - entries.start).collect(),
            indices: self.reader.indices_at(self.indices, self.name, entries.clone())?,
            values: self.reader.numbers_at(self.values, self.name, entries)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_they_may_and_one_column_at_least() {
        assert_eq!(ranges(&[3, 1, 5, 9, 0, 0, 2], 5), [0..2, 2..3, 3..4, 4..7]);
        let all = ranges(&[0, 0], 1);
        assert_eq!((all.len(), all[0].clone()), (1, 0..2));
        assert!(ranges(&[], 1).is_empty());
    }
}
