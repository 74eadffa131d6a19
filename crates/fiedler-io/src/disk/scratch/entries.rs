//! A sparse matrix in scratch files.

use std::ops::Range;

use super::sorting::part;
use super::{Scratch, folder};
use crate::Result;
use crate::disk::positions::Positions;
use crate::disk::{Lost, Stored, Stretch};
use crate::matrix::{Matrix, Numbers, Storage};

/// Sparse columns that arrive from first to last.
pub(crate) struct Entries {
    rows: Scratch,
    values: Scratch,
    offsets: Vec<usize>,
    samples: usize,
    single: bool,
}

impl Entries {
    /// For a file of that name.
    pub(crate) fn new(file: &str, samples: usize, single: bool) -> Result<Self> {
        let (rows, values) = (Scratch::new(file)?, Scratch::new(file)?);
        Ok(Entries { rows, values, offsets: vec![0], samples, single })
    }

    /// Adds the next columns.
    pub(crate) fn add(&mut self, matrix: &Matrix) -> Result<()> {
        let Storage::Sparse { offsets, rows, values } = &matrix.storage else { return Ok(()) };
        let before = self.offsets.last().copied().unwrap_or(0);
        self.offsets.extend(offsets.iter().skip(1).map(|o| before + o));
        self.rows.add(rows)?;
        self.values.add_numbers(values)
    }

    /// The columns, to be read.
    pub(crate) fn done(self) -> Result<impl Stored + use<>> {
        Ok(Columns {
            rows: self.rows.done()?,
            values: self.values.done()?,
            offsets: self.offsets,
            samples: self.samples,
            single: self.single,
        })
    }
}

/// A sparse matrix in two scratch files.
struct Columns {
    rows: Positions,
    values: Positions,
    offsets: Vec<usize>,
    samples: usize,
    single: bool,
}

impl Stored for Columns {
    fn shape(&self) -> (usize, usize) {
        (self.samples, self.offsets.len() - 1)
    }

    fn is_single(&self) -> bool {
        self.single
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn bytes(&self, width: usize) -> u64 {
        let entry = if self.single { 8 } else { 12 };
        let last = self.offsets.len() - 1;
        let windows =
            (0..last).step_by(width.max(1)).map(|j| self.offsets[last.min(j + width)] - self.offsets[j]);
        windows.max().unwrap_or(0) as u64 * entry + 8 * width as u64
    }

    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
        let entries = self.offsets[range.start]..self.offsets[range.end];
        let (first, count) = (entries.start, entries.len());
        let rows = part(&self.rows, first, count)?;
        let offsets = self.offsets[range.start..=range.end].iter().map(|o| o - entries.start).collect();
        let values = if self.single {
            Numbers::F32(part(&self.values, first, count)?)
        } else {
            Numbers::F64(part(&self.values, first, count)?)
        };
        Ok(Stretch::Sparse { offsets, rows, values })
    }

    fn kept_in(&self) -> Option<String> {
        Some(folder())
    }
}
