//! A file, opened: decompressed where it is compressed, and recognized by its first bytes.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fiedler::{Limits, Monitor};
use flate2::read::MultiGzDecoder;

use crate::memory::Budget;
use crate::names::shown;
use crate::options::Format;
use crate::progress::Progress;
use crate::{Error, Result};

/// Bytes that are read between two looks at the monitor.
const STEP: usize = 8 << 20;

/// Enough of the beginning to recognize every format (MATLAB's header is the longest).
const PREFIX: usize = 512;

/// How many times its size a compressed file may unpack to, beyond the first [`FREE`] bytes. Numbers of
/// which most are zero come to a few hundred; a file made to exhaust memory to a thousand.
const RATIO: u64 = 500;
const FREE: u64 = 64 << 20;

/// Refuses what unpacks to far more than it holds.
pub(crate) fn check_expansion(file: &str, packed: u64, unpacked: u64) -> Result<()> {
    if unpacked > FREE && unpacked / RATIO > packed {
        return Err(Error::Expansion { file: file.to_owned(), ratio: RATIO });
    }
    Ok(())
}

/// What is read from, with the name that messages use.
pub(crate) struct Input<'a> {
    /// The file as the user named it.
    pub(crate) name: String,
    reader: Box<dyn Read + 'a>,
    prefix: Vec<u8>,
    /// Size in bytes, where it is known before reading.
    size: Option<u64>,
    /// Where what is read was compressed: the compressed bytes that were read so far.
    zipped: Option<Rc<Cell<u64>>>,
    /// Bytes that were read so far.
    done: u64,
    /// The memory that reading may take.
    pub(crate) budget: Rc<Budget>,
    /// Where the file can be opened again, when nothing stands between it and the format.
    path: Option<PathBuf>,
}

impl<'a> Input<'a> {
    /// Opens a file.
    pub(crate) fn open(path: &Path, limits: Limits) -> Result<Input<'static>> {
        let name = shown(path);
        let file = File::open(path).map_err(Error::io(&name))?;
        let metadata = file.metadata().map_err(Error::io(&name))?;
        if metadata.is_dir() {
            return Err(Error::unsupported(&name, "a directory", "name a file in it"));
        }
        let size = metadata.is_file().then_some(metadata.len());
        let mut input = Input::over(Box::new(file), name, size, limits)?;
        // A compressed file has lost its size by now, a pipe never had one.
        input.path = input.size.map(|_| path.to_owned());
        Ok(input)
    }

    /// Wraps anything that can be read, such as standard input.
    pub(crate) fn from_reader(reader: impl Read + 'a, name: &str, limits: Limits) -> Result<Self> {
        Input::over(Box::new(reader), name.to_owned(), None, limits)
    }

    /// Wraps what is in memory already, such as a member of an archive.
    pub(crate) fn from_bytes(bytes: Vec<u8>, name: &str, limits: Limits) -> Result<Input<'static>> {
        let size = bytes.len() as u64;
        Input::over(Box::new(Cursor::new(bytes)), name.to_owned(), Some(size), limits)
    }

    fn over(reader: Box<dyn Read + 'a>, name: String, size: Option<u64>, limits: Limits) -> Result<Self> {
        let (prefix, reader) = peek(reader).map_err(Error::io(&name))?;
        let budget = Rc::new(Budget::new(&name, limits));
        let mut input = Input { name, reader, prefix, size, zipped: None, done: 0, budget, path: None };
        if !input.prefix.starts_with(&[0x1f, 0x8b]) {
            return Ok(input);
        }
        let read = Rc::new(Cell::new(0));
        let counted = Counted { inner: input.reader, read: Rc::clone(&read) };
        let decoder = Box::new(MultiGzDecoder::new(counted));
        (input.prefix, input.reader) = peek(decoder).map_err(|e| bad_gzip(&input.name, &e))?;
        (input.size, input.zipped) = (None, Some(read));
        Ok(input)
    }

    /// Refuses what is no text before all of it is read: it may be endless, as `/dev/zero`.
    pub(crate) fn check_text(&self) -> Result<()> {
        check_text(&self.prefix, &self.name)
    }

    /// The format: by content for those that announce themselves, then as the caller or the
    /// extension says, then by the look of the text.
    pub(crate) fn format(&self, given: Option<Format>) -> Result<Format> {
        if let Some(format) = given {
            return Ok(format);
        }
        let p = &self.prefix;
        let refuse = |what: &str, advice: &str| Err(Error::unsupported(&self.name, what, advice));
        match () {
            () if p.starts_with(b"PAR1") => Ok(Format::Parquet),
            () if p.starts_with(b"ARROW1") || p.starts_with(&[0xff, 0xff, 0xff, 0xff]) => Ok(Format::Arrow),
            () if p.starts_with(b"\x93NUMPY") => Ok(Format::Npy),
            () if p.starts_with(&[0x6c, 0x1b, 1]) || p.starts_with(&[0x6c, 0x1b, 0]) => Ok(Format::Bed),
            () if p.starts_with(b"MATLAB 5.0") => Ok(Format::Mat),
            () if self.is_hdf5() => match Format::of_path(Path::new(&self.name)) {
                Some(format @ (Format::H5ad | Format::Mat)) => Ok(format),
                _ if p.starts_with(b"MATLAB") => Ok(Format::Mat),
                _ => Ok(Format::H5),
            },
            () if p.starts_with(b"PK\x03\x04") || p.starts_with(b"PK\x05\x06") => Ok(Format::Npz),
            () if p.starts_with(b"%%MatrixMarket") => Ok(Format::Mtx),
            () if p.starts_with(b"FEA1") => {
                refuse("a Feather file of version 1", "write it again as version 2")
            }
            () => Ok(Format::of_path(Path::new(&self.name)).unwrap_or_else(|| look_of(p))),
        }
    }

    /// Whether this is HDF5, as files of MATLAB 7.3 are behind a header of their own.
    pub(crate) fn is_hdf5(&self) -> bool {
        self.prefix.starts_with(b"\x89HDF") || self.prefix.starts_with(b"MATLAB 7.3")
    }

    /// The first bytes.
    #[cfg(feature = "hdf5")]
    pub(crate) fn beginning(&self) -> &[u8] {
        &self.prefix
    }

    /// Whether it is compressed as a whole.
    pub(crate) fn is_compressed(&self) -> bool {
        self.zipped.is_some()
    }

    /// The file, for formats that read from the end; `None` when it is compressed or a pipe.
    pub(crate) fn take_path(&mut self) -> Option<PathBuf> {
        self.path.take()
    }

    /// The file, for formats that cannot do without; `why` they cannot.
    pub(crate) fn into_path(mut self, why: &str) -> Result<PathBuf> {
        let name = std::mem::take(&mut self.name);
        self.path.take().ok_or_else(|| {
            let what = format!("{why}, and this is compressed or a pipe");
            Error::unsupported(&name, what, "unpack it, and name the file")
        })
    }

    /// Whether this is Arrow IPC without the index of the file format.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_arrow_stream(&self) -> bool {
        !self.prefix.starts_with(b"ARROW1")
    }

    /// Size of the file in bytes, unless it is compressed or a pipe.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// How many bytes were read so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// The whole rest of the input.
    pub(crate) fn read_all(mut self, monitor: &dyn Monitor) -> Result<Vec<u8>> {
        let size = self.size.and_then(|s| usize::try_from(s).ok()).unwrap_or(0);
        let progress = Progress::new(monitor, "reading file", size);
        let mut bytes = Vec::new();
        self.budget.check(size as u64)?;
        self.budget.reserve(&mut bytes, size.saturating_add(1))?;
        loop {
            // Room is made before it is read into: a buffer that cannot grow ends the process otherwise.
            self.budget.reserve(&mut bytes, PREFIX)?;
            let room = (bytes.capacity() - bytes.len()).min(STEP);
            let step = (&mut self.reader).take(room as u64).read_to_end(&mut bytes);
            let step = step.map_err(|e| self.failed(e))?;
            self.budget.take(step as u64)?;
            self.advance(step, &progress)?;
            if step == 0 {
                return Ok(bytes);
            }
        }
    }

    /// Counts what was read, and refuses what unpacks to far more than it holds.
    fn advance(&mut self, step: usize, progress: &Progress<'_>) -> Result<()> {
        self.done += step as u64;
        if let Some(read) = &self.zipped {
            check_expansion(&self.name, read.get(), self.done)?;
        }
        progress.advance(step)
    }

    /// What went wrong while reading.
    fn failed(&self, error: io::Error) -> Error {
        match self.zipped {
            Some(_) => bad_gzip(&self.name, &error),
            None => Error::io(&self.name)(error),
        }
    }

    /// Fills `buffer`, or reports how many bytes were there.
    pub(crate) fn fill(&mut self, buffer: &mut [u8], progress: &Progress<'_>) -> Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            let end = buffer.len().min(done + STEP);
            match self.reader.read(&mut buffer[done..end]) {
                Ok(0) => break,
                Ok(step) => {
                    done += step;
                    self.advance(step, progress)?;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.failed(e)),
            }
        }
        Ok(done)
    }
}

/// Refuses bytes that are no text, by the first of them.
pub(crate) fn check_text(bytes: &[u8], name: &str) -> Result<()> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Error::unsupported(name, "text in UTF-16", "save it as UTF-8"));
    }
    if bytes.iter().take(1024).any(|&b| b == 0) {
        let what = "not text, nor any other format that is read";
        return Err(Error::unsupported(name, what, "save it as CSV"));
    }
    Ok(())
}

/// Counts the bytes that are read through it.
struct Counted<R> {
    inner: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let step = self.inner.read(buffer)?;
        self.read.set(self.read.get() + step as u64);
        Ok(step)
    }
}

fn bad_gzip(name: &str, error: &io::Error) -> Error {
    let found = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it is cut off, as by a download that broke".to_owned(),
        _ => error.to_string(),
    };
    Error::malformed(name, "gzip", found)
}

fn peek<'a>(mut reader: Box<dyn Read + 'a>) -> io::Result<(Vec<u8>, Box<dyn Read + 'a>)> {
    let mut prefix = Vec::with_capacity(PREFIX);
    (&mut reader).take(PREFIX as u64).read_to_end(&mut prefix)?;
    Ok((prefix.clone(), Box::new(Cursor::new(prefix).chain(reader))))
}

/// Text whose first line is `label index:value …` is libsvm; all other text is a table.
fn look_of(prefix: &[u8]) -> Format {
    let text = String::from_utf8_lossy(prefix);
    let line = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with('#')).unwrap_or("");
    let pair = |t: &str| {
        t.split_once(':').is_some_and(|(i, v)| i.parse::<u64>().is_ok() && v.parse::<f64>().is_ok())
    };
    let mut words = line.split_ascii_whitespace();
    let label = words.next().is_some_and(|w| w.parse::<f64>().is_ok());
    if label && words.next().is_some_and(pair) { Format::Libsvm } else { Format::Csv }
}
