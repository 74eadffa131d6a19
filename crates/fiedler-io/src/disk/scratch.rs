//! A scratch file: what cannot be read a few columns at a time where it is, once more in a form that can.
//!
//! The file has no name, so that it is gone with the process, however that ends. It lies where the system keeps such files
//! (`TMPDIR` names another folder).

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use fiedler::dataset::Order;

use super::npy::Npy;
use super::positions::Positions;
use super::{Lost, Stored, Stretch};
use crate::matrix::{Matrix, Numbers, Storage};
use crate::names::shown;
use crate::{Error, Result};

/// A file without a name that grows.
struct Scratch {
    /// What it is a copy of, for messages.
    of: String,
    file: io::BufWriter<File>,
}

impl Scratch {
    fn new(of: &str) -> Result<Self> {
        let file = tempfile::tempfile().map_err(|e| no_room(of, &e))?;
        Ok(Scratch { of: of.to_owned(), file: io::BufWriter::with_capacity(1 << 20, file) })
    }

    fn add<T: Pod>(&mut self, values: &[T]) -> Result<()> {
        self.file.write_all(bytemuck::cast_slice(values)).map_err(|e| no_room(&self.of, &e))
    }

    fn add_numbers(&mut self, values: &Numbers) -> Result<()> {
        match values {
            Numbers::F32(v) => self.add(v),
            Numbers::F64(v) => self.add(v),
        }
    }

    fn done(self) -> Result<Positions> {
        let file = self.file.into_inner().map_err(|e| no_room(&self.of, e.error()))?;
        Positions::of(file, "a scratch file")
    }
}

/// The folder that scratch files lie in.
fn folder() -> String {
    shown(&env::temp_dir())
}

fn no_room(file: &str, error: &io::Error) -> Error {
    let what =
        format!("it is larger than memory, and a scratch file in {} cannot be written ({error})", folder());
    Error::unsupported(file, what, "set TMPDIR to a folder with room, or allow more memory")
}

/// Rows of numbers that arrive from first to last.
pub(crate) struct Rows {
    scratch: Scratch,
    single: bool,
    columns: usize,
    rows: usize,
}

impl Rows {
    /// For a file of that name.
    pub(crate) fn new(file: &str, columns: usize, single: bool) -> Result<Self> {
        Ok(Rows { scratch: Scratch::new(file)?, single, columns, rows: 0 })
    }

    /// Adds whole rows.
    pub(crate) fn add(&mut self, values: &Numbers) -> Result<()> {
        self.rows += values.len() / self.columns.max(1);
        self.scratch.add_numbers(values)
    }

    /// The rows, to be read by columns.
    pub(crate) fn done(self) -> Result<impl Stored + use<>> {
        let kind = if self.single { "f4" } else { "f8" }.to_owned();
        let (rows, columns) = (self.rows, self.columns);
        let file = self.scratch.done()?;
        Ok(Copied(Npy { file, start: 0, kind, swap: false, order: Order::RowMajor, rows, columns }))
    }
}

/// A dense matrix in a scratch file.
struct Copied(Npy);

impl Stored for Copied {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn is_single(&self) -> bool {
        self.0.is_single()
    }

    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
        self.0.read(range)
    }

    fn kept_in(&self) -> Option<String> {
        Some(folder())
    }
}

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

impl Columns {
    fn part<T: Pod + Zeroable>(file: &Positions, range: Range<usize>) -> Result<Vec<T>, Lost> {
        let mut part = vec![T::zeroed(); range.len()];
        file.fill(bytemuck::cast_slice_mut(&mut part), (range.start * size_of::<T>()) as u64)?;
        Ok(part)
    }
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
        let rows = Self::part(&self.rows, entries.clone())?;
        let offsets = self.offsets[range.start..=range.end].iter().map(|o| o - entries.start).collect();
        let values = if self.single {
            Numbers::F32(Self::part(&self.values, entries)?)
        } else {
            Numbers::F64(Self::part(&self.values, entries)?)
        };
        Ok(Stretch::Sparse { offsets, rows, values })
    }

    fn kept_in(&self) -> Option<String> {
        Some(folder())
    }
}
