//! A sparse matrix by rows on its way to one by columns.
//!
//! Entries arrive row after row and are wanted a range of neighboring columns at a time. How many every range has is known, so
//! that each has its place in scratch files from the beginning; an entry is written once and read once, however many ranges there are.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use bytemuck::{Pod, Zeroable};

use super::no_room;
use crate::Result;
use crate::disk::Lost;
use crate::disk::positions::Positions;
use crate::matrix::Numbers;

/// Entries, by ranges of columns.
pub(crate) struct Sorting {
    of: String,
    rows: File,
    columns: File,
    values: File,
    /// Where the entries of every range begin, and where the last ones end.
    starts: Vec<usize>,
    /// Where the next entry of every range goes.
    next: Vec<usize>,
    single: bool,
}

/// The entries of a range, in the order in which they came.
pub(crate) struct Entered {
    pub(crate) rows: Vec<u32>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Numbers,
}

impl Sorting {
    /// For so many entries of every range of a file of that name.
    pub(crate) fn new(of: &str, counts: impl Iterator<Item = usize>, single: bool) -> Result<Self> {
        let file = || tempfile::tempfile().map_err(|e| no_room(of, &e));
        let mut starts = vec![0];
        starts.extend(counts.scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        let next = starts[..starts.len() - 1].to_vec();
        let (rows, columns, values) = (file()?, file()?, file()?);
        Ok(Sorting { of: of.to_owned(), rows, columns, values, starts, next, single })
    }

    /// Adds entries, whose ranges `range` tells by the column; `false` where a range gets more of them than it has room for.
    pub(crate) fn add(&mut self, entries: &Entered, range: impl Fn(u32) -> usize) -> Result<bool> {
        let ranges: Vec<u32> = entries.columns.iter().map(|&j| range(j) as u32).collect();
        let mut ends = vec![0; self.next.len() + 1];
        ranges.iter().for_each(|&r| ends[r as usize + 1] += 1);
        (1..ends.len()).for_each(|r| ends[r] += ends[r - 1]);
        let starts = ends.clone();
        let mut order = vec![0u32; ranges.len()];
        for (e, &r) in (0..).zip(&ranges) {
            order[ends[r as usize]] = e;
            ends[r as usize] += 1;
        }
        for (r, run) in starts.windows(2).enumerate().filter(|(_, run)| run[0] < run[1]) {
            let (some, at) = (&order[run[0]..run[1]], self.next[r]);
            self.next[r] += some.len();
            if self.next[r] > self.starts[r + 1] {
                return Ok(false);
            }
            let of = |list: &[u32]| some.iter().map(|&e| list[e as usize]).collect::<Vec<u32>>();
            put(&self.of, &mut self.rows, at, &of(&entries.rows))?;
            put(&self.of, &mut self.columns, at, &of(&entries.columns))?;
            let mut values = Numbers::with_capacity(self.single, some.len());
            values.extend(&entries.values, some.iter().map(|&e| e as usize), f64::NAN);
            match values {
                Numbers::F32(v) => put(&self.of, &mut self.values, at, &v)?,
                Numbers::F64(v) => put(&self.of, &mut self.values, at, &v)?,
            }
        }
        Ok(true)
    }

    /// The entries, to be read.
    pub(crate) fn done(self) -> Result<Sorted> {
        let open = |file: File| Positions::of(file, "a scratch file");
        Ok(Sorted {
            rows: open(self.rows)?,
            columns: open(self.columns)?,
            values: open(self.values)?,
            starts: self.starts,
            single: self.single,
        })
    }
}

/// Entries that all have arrived.
pub(crate) struct Sorted {
    rows: Positions,
    columns: Positions,
    values: Positions,
    starts: Vec<usize>,
    single: bool,
}

impl Sorted {
    /// Those of a range.
    pub(crate) fn of(&self, range: usize) -> Result<Entered, Lost> {
        let (start, count) = (self.starts[range], self.starts[range + 1] - self.starts[range]);
        let values = if self.single {
            Numbers::F32(part(&self.values, start, count)?)
        } else {
            Numbers::F64(part(&self.values, start, count)?)
        };
        Ok(Entered {
            rows: part(&self.rows, start, count)?,
            columns: part(&self.columns, start, count)?,
            values,
        })
    }
}

/// So many numbers from a place on.
pub(super) fn part<T: Pod + Zeroable>(file: &Positions, start: usize, count: usize) -> Result<Vec<T>, Lost> {
    let mut part = vec![T::zeroed(); count];
    file.fill(bytemuck::cast_slice_mut(&mut part), (start * size_of::<T>()) as u64)?;
    Ok(part)
}

/// Writes numbers to their place.
fn put<T: Pod>(of: &str, file: &mut File, at: usize, values: &[T]) -> Result<()> {
    let place = SeekFrom::Start((at * size_of::<T>()) as u64);
    let written = file.seek(place).and_then(|_| file.write_all(bytemuck::cast_slice(values)));
    written.map_err(|e| no_room(of, &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_by_ranges_in_the_order_in_which_they_came() {
        for single in [true, false] {
            let counts = [3, 0, 2];
            let mut sorting = Sorting::new("f", counts.into_iter(), single).expect("a file");
            let range = |column: u32| if column < 5 { 0 } else { 2 };
            let entries = |rows: &[u32], columns: &[u32]| {
                let mut values = Numbers::with_capacity(single, 0);
                let given: Vec<f64> = rows.iter().zip(columns).map(|(i, j)| f64::from(10 * i + j)).collect();
                values.extend(&Numbers::F64(given), 0..rows.len(), f64::NAN);
                Entered { rows: rows.to_vec(), columns: columns.to_vec(), values }
            };
            assert!(sorting.add(&entries(&[0, 0, 1], &[7, 1, 4]), range).expect("room"));
            assert!(sorting.add(&entries(&[2, 3], &[9, 0]), range).expect("room"));
            assert!(!sorting.add(&entries(&[4], &[0]), range).expect("room"), "one too many");
            let mut again = Sorting::new("f", counts.into_iter(), single).expect("a file");
            again.add(&entries(&[0, 0, 1], &[7, 1, 4]), range).expect("room");
            again.add(&entries(&[2, 3], &[9, 0]), range).expect("room");
            let sorted = again.done().expect("files");
            let of = |r: usize| {
                let Entered { rows, columns, values } = sorted.of(r).expect("a range");
                (rows, columns, (0..values.len()).map(|i| values.at(i)).collect::<Vec<f64>>())
            };
            assert_eq!(of(0), (vec![0, 1, 3], vec![1, 4, 0], vec![1.0, 14.0, 30.0]));
            assert_eq!(of(1), (vec![], vec![], vec![]));
            assert_eq!(of(2), (vec![0, 2], vec![7, 9], vec![7.0, 29.0]));
        }
    }
}
