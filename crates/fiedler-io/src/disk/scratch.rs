//! A scratch file: what cannot be read a few columns at a time where it is, once more in a form that can.
//!
//! The file has no name, so that it is gone with the process, however that ends. It lies where the system keeps such files
//! (`TMPDIR` names another folder).

#[cfg(feature = "hdf5")]
mod entries;
#[cfg(feature = "hdf5")]
mod sorting;

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

use bytemuck::Pod;
use fiedler::Limits;
use fiedler::dataset::Order;

use super::npy::Npy;
use super::positions::Positions;
use super::{Lost, Stored, Stretch};
use crate::matrix::Numbers;
use crate::names::shown;
use crate::{Error, Result};

#[cfg(feature = "hdf5")]
pub(crate) use entries::Entries;
#[cfg(feature = "hdf5")]
pub(crate) use sorting::{Entered, Sorting};

/// What is copied at a time is one of so many parts of what may be taken.
const PARTS: u64 = 16;
/// But no less than this, in bytes.
const LEAST: u64 = 1 << 12;
/// Nor more than this.
const MOST: u64 = 64 << 20;

/// Bytes that are copied at a time.
pub(crate) fn piece(limits: Limits) -> u64 {
    (limits.memory.0 / PARTS).clamp(LEAST, MOST)
}

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
    let what = format!(
        "it is larger than the memory it may take, and a scratch file in {} cannot be written ({error})",
        folder()
    );
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
    #[cfg(any(feature = "arrow", feature = "hdf5", feature = "parquet"))]
    pub(crate) fn done(self) -> Result<impl Stored + use<>> {
        self.npy().map(Copied)
    }

    /// The rows, to be read as columns.
    pub(crate) fn turned(self) -> Result<impl Stored + use<>> {
        self.npy().map(|npy| Copied(npy.turned()))
    }

    fn npy(self) -> Result<Npy> {
        let kind = if self.single { "f4" } else { "f8" }.to_owned();
        let (rows, columns) = (self.rows, self.columns);
        let file = self.scratch.done()?;
        Ok(Npy { file, start: 0, kind, swap: false, order: Order::RowMajor, rows, columns })
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

    fn read_into(&self, range: Range<usize>, room: Option<Numbers>) -> Result<Stretch, Lost> {
        self.0.read_into(range, room)
    }

    fn expect(&self, range: Range<usize>) {
        self.0.expect(range);
    }

    fn is_by_rows(&self) -> bool {
        self.0.is_by_rows()
    }

    fn long(&self) -> u64 {
        self.0.long()
    }

    fn worth(&self) -> usize {
        self.0.worth()
    }

    fn kept_in(&self) -> Option<String> {
        Some(folder())
    }
}
