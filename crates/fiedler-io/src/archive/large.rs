//! Matrices that are larger than memory.
//!
//! Chunks of a file that was written sample after sample, compressed perhaps, cannot be read by features: of every
//! chunk a few numbers would be wanted, again and again. They are read once, from first to last, into a
//! [scratch file](crate::disk::scratch) that can.
//!
//! Chunks of a Zarr store are tiles, of which a row or a column is read at a time, whichever fits.
//!
//! A sparse matrix by rows becomes one by columns in two passes: the first counts the entries of every column, the second puts
//! every entry [where](crate::disk::scratch::Sorting) those of as many neighboring columns lie together as memory holds.

use std::ops::Range;

use super::{Archive, Array, ByColumns, Sparse, is_single};
use crate::disk::scratch::{Entered, Entries, Rows, Sorting, piece};
use crate::disk::{Disk, Stored};
use crate::matrix::Matrix;
use crate::memory::PER_LINE;
use crate::options::Orientation;
use crate::progress::Progress;
use crate::sparse::{Compressed, Major};
use crate::table::Raw;
use crate::{Error, Result};

/// A dense matrix in the order of rows, which are samples or features.
pub(super) fn dense(of: &Archive<'_>, array: &dyn Array, features: Orientation) -> Result<Raw> {
    let &[rows, columns] = array.shape().as_slice() else {
        return Err(of.bad(format!("`{}` is no matrix", array.name())));
    };
    array.count()?;
    let single = is_single(array);
    let most = piece(of.monitor.limits()) / if single { 4 } else { 8 };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let (columnwise, step) = way(array, (rows, columns), most);
    let (lines, length) = if columnwise.is_some() { (columns, rows) } else { (rows, columns) };
    let progress = Progress::new(of.monitor, "reading file", lines);
    let mut scratch = Rows::new(of.file, length, single)?;
    for first in (0..lines).step_by(step) {
        let some = first..lines.min(first + step);
        scratch.add(&match columnwise {
            Some(array) => array.columns_at(some.clone())?,
            None => array.numbers_at(some.clone())?,
        })?;
        progress.advance(some.len())?;
    }
    if (features == Orientation::Columns) == columnwise.is_none() {
        on_disk(of, scratch.done()?)
    } else {
        on_disk(of, scratch.turned()?)
    }
}

/// How a matrix is read, and how many rows, or columns, at a time: by rows where those that are unpacked together fit, else by columns
/// where these do. Where neither does, chunks are unpacked more than once.
fn way(array: &dyn Array, (rows, columns): (usize, usize), most: usize) -> (Option<&dyn ByColumns>, usize) {
    if let Some(step) = step(most, columns, array.rows_together()) {
        return (None, step);
    }
    let by_columns = array.by_columns().and_then(|some| Some((some, step(most, rows, some.together())?)));
    match by_columns {
        Some((some, step)) => (Some(some), step),
        None => (None, (most / columns.max(1)).max(1)),
    }
}

/// Lines of that length to be read at a time, in whole groups of those that are unpacked together; `None` where not one group is
/// within `most` values.
fn step(most: usize, length: usize, together: usize) -> Option<usize> {
    let lines = most / length.max(1);
    Some(lines - lines % together).filter(|&lines| lines > 0)
}

fn on_disk(of: &Archive<'_>, stored: impl Stored + 'static) -> Result<Raw> {
    Ok(Raw::on_disk(Disk::new(of.file, stored, of.monitor.limits())?))
}

/// A sparse matrix of which the offsets are in memory.
struct Parts<'a> {
    of: Archive<'a>,
    rows: usize,
    columns: usize,
    offsets: Vec<usize>,
    indices: &'a dyn Array,
    values: &'a dyn Array,
    /// Entries that are read at a time.
    step: usize,
}

/// A sparse matrix; `bad` words what is wrong with it.
pub(super) fn sparse(of: &Archive<'_>, matrix: &Sparse<'_>, bad: &dyn Fn(String) -> Error) -> Result<Raw> {
    let (major, (rows, columns)) = (matrix.major, matrix.shape);
    let (indices, values) = (&*matrix.indices, &*matrix.values);
    of.budget.take_items(rows.saturating_add(columns), PER_LINE)?;
    let (entries, single) = (values.count()?, is_single(values));
    let count = indices.count()?;
    if count != entries {
        return Err(bad(format!("{count} indices for {entries} values")));
    }
    let offsets = super::offsets(&*matrix.offsets)?;
    let lines = if major == Major::Rows { rows } else { columns };
    let runs = offsets.first() == Some(&0) && offsets.last() == Some(&entries) && offsets.is_sorted();
    if offsets.len() != lines + 1 || !runs {
        return Err(bad(format!("its offsets do not run from 0 to the {entries} entries")));
    }
    let entry = if single { 8 } else { 12 };
    let most = usize::try_from(piece(of.monitor.limits()) / entry).unwrap_or(usize::MAX).max(1);
    let step = step(most, 1, values.rows_together()).unwrap_or(most);
    let parts = Parts { of: *of, rows, columns, offsets, indices, values, step };
    let counts = match major {
        Major::Rows => parts.count(bad)?,
        Major::Columns => parts.offsets.windows(2).map(|w| w[1] - w[0]).collect(),
    };
    // Beside the entries as they were read there are the same by columns.
    let ranges = ranges(&counts, step);
    let mut scratch = Entries::new(of.file, rows, single)?;
    if major == Major::Rows {
        parts.sorted(&ranges, &counts, bad, |matrix| scratch.add(&matrix))?;
    } else {
        let progress = Progress::new(of.monitor, "sorting into columns", ranges.len());
        for range in ranges {
            scratch.add(&parts.cut(range)?.into_matrix().map_err(bad)?)?;
            progress.advance(1)?;
        }
    }
    on_disk(of, scratch.done()?)
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
    fn count(&self, bad: &dyn Fn(String) -> Error) -> Result<Vec<usize>> {
        let mut counts = vec![0; self.columns];
        let progress = Progress::new(self.of.monitor, "reading file", self.n_entries());
        for piece in self.pieces() {
            for j in self.indices.indices_at(piece.clone())? {
                let outside = || bad(format!("an index lies outside of its {} columns", self.columns));
                *counts.get_mut(j as usize).ok_or_else(outside)? += 1;
            }
            progress.advance(piece.len())?;
        }
        Ok(counts)
    }

    /// A matrix by rows, handed on as some neighboring columns after the other.
    fn sorted(
        &self,
        ranges: &[Range<usize>],
        counts: &[usize],
        bad: &dyn Fn(String) -> Error,
        mut each: impl FnMut(Matrix) -> Result<()>,
    ) -> Result<()> {
        let changed = || bad("its indices changed while they were read".to_owned());
        let mut ranges_of = vec![0; self.columns];
        ranges.iter().enumerate().for_each(|(r, range)| ranges_of[range.clone()].fill(r));
        let sizes = || ranges.iter().map(|range| counts[range.clone()].iter().sum::<usize>());
        let single = is_single(self.values);
        let progress = Progress::new(self.of.monitor, "sorting into columns", 2 * self.n_entries());
        let mut sorting = Sorting::new(self.of.file, sizes(), single)?;
        let mut row = 0;
        for piece in self.pieces() {
            let columns = self.indices.indices_at(piece.clone())?;
            if columns.iter().any(|&j| j as usize >= self.columns) {
                return Err(changed());
            }
            let rows = piece.clone().map(|e| {
                while self.offsets[row + 1] <= e {
                    row += 1;
                }
                row as u32
            });
            let entries =
                Entered { rows: rows.collect(), columns, values: self.values.numbers_at(piece.clone())? };
            if !sorting.add(&entries, |j| ranges_of[j as usize])? {
                return Err(changed());
            }
            progress.advance(piece.len())?;
        }
        let sorted = sorting.done()?;
        for ((r, range), size) in ranges.iter().enumerate().zip(sizes()) {
            let Entered { rows, columns, values } = sorted.of(r)?;
            let mut offsets = vec![0; self.rows + 1];
            rows.iter().for_each(|&i| offsets[i as usize + 1] += 1);
            (0..self.rows).for_each(|i| offsets[i + 1] += offsets[i]);
            let indices = columns.into_iter().map(|j| j - range.start as u32).collect();
            let (major, rows, columns) = (Major::Rows, self.rows, range.len());
            let some = Compressed { major, rows, columns, offsets, indices, values };
            each(some.into_matrix().map_err(bad)?)?;
            progress.advance(size)?;
        }
        Ok(())
    }

    /// Some columns of a matrix by columns.
    fn cut(&self, range: Range<usize>) -> Result<Compressed> {
        let entries = self.offsets[range.start]..self.offsets[range.end];
        Ok(Compressed {
            major: Major::Columns,
            rows: self.rows,
            columns: range.len(),
            offsets: self.offsets[range.start..=range.end].iter().map(|o| o - entries.start).collect(),
            indices: self.indices.indices_at(entries.clone())?,
            values: self.values.numbers_at(entries)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_in_whole_groups() {
        assert_eq!(step(1000, 10, 1), Some(100));
        assert_eq!(step(1000, 10, 30), Some(90));
        assert_eq!(step(1000, 10, 101), None);
        assert_eq!(step(9, 10, 1), None);
        assert_eq!(step(9, 0, 2), Some(8));
    }

    #[test]
    fn ranges_hold_what_they_may_and_one_column_at_least() {
        assert_eq!(ranges(&[3, 1, 5, 9, 0, 0, 2], 5), [0..2, 2..3, 3..4, 4..7]);
        let all = ranges(&[0, 0], 1);
        assert_eq!((all.len(), all[0].clone()), (1, 0..2));
        assert!(ranges(&[], 1).is_empty());
    }
}
