//! Where the bytes of a Parquet file are.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// A file, or its content.
pub(super) enum Source {
    Path(PathBuf),
    Bytes(Bytes),
}

impl Source {
    /// The path of a file on the disk.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Source::Path(path) => Some(path),
            Source::Bytes(_) => None,
        }
    }

    /// A reader for one task. Every task opens the file for itself, because the position in a
    /// file is shared by all that share the file.
    pub(super) fn chunks(&self) -> io::Result<Chunks> {
        match self {
            Source::Path(path) => File::open(path).map(Chunks::File),
            Source::Bytes(bytes) => Ok(Chunks::Bytes(bytes.clone())),
        }
    }
}

/// One type for both, so that the reader of Parquet is compiled once.
pub(super) enum Chunks {
    File(File),
    Bytes(Bytes),
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        match self {
            Chunks::File(file) => Length::len(file),
            Chunks::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Chunks {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        if start > self.len() {
            return Err(ParquetError::EOF("a column lies beyond the end of the file".to_owned()));
        }
        Ok(match self {
            Chunks::File(file) => Box::new(file.get_read(start)?),
            Chunks::Bytes(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A length that a damaged file states takes no memory.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len()) {
            return Err(ParquetError::EOF("a column lies beyond the end of the file".to_owned()));
        }
        match self {
            Chunks::File(file) => file.get_bytes(start, length),
            Chunks::Bytes(bytes) => bytes.get_bytes(start, length),
        }
    }
}
