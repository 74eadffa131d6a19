//! A folder in which unfinished work is kept, so that a process that was killed can be followed by one that goes on.
//!
//! ```text
//! DIR/question            which question on which data the work belongs to
//! DIR/00-neighbors.part   numbers: a head of 32 bytes, then little-endian doubles
//! DIR/01-scores-0.part    …
//! ```
//!
//! Every file is written whole or not at all, and carries a checksum: what is damaged is computed again. One run at a time
//! holds the folder. When the work is done the files are removed, and the folder with them where nothing else is in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fiedler::checkpoint::{Checkpoint, Fingerprint};

use crate::blocks::checksum;
use crate::names::shown;
use crate::whole::write_whole;
use crate::{Error, Result};

/// The first bytes of a file of numbers.
const MAGIC: &[u8; 8] = b"fiedlerK";
const HEAD: usize = 32;
const QUESTION: &str = "question";
const LOCK: &str = "lock";

/// Work is kept no more often than this.
const EVERY: Duration = Duration::from_secs(10);
/// Keeping it takes no more than one part in so many of all time.
const SHARE: u32 = 20;

/// A folder that keeps the work on one question.
#[derive(Debug)]
pub struct CheckpointFolder {
    folder: PathBuf,
    fingerprint: Fingerprint,
    every: Duration,
    pieces: AtomicUsize,
    resumed: AtomicUsize,
    /// When something was kept last, and how long that took.
    last: Mutex<(Instant, Duration)>,
    /// Held for as long as the run lasts; the system lets go of it when a process dies.
    _lock: File,
}

/// A folder that nobody else uses, before it is known what it is for: that may take a pass over the data.
#[derive(Debug)]
pub struct TakenFolder {
    folder: PathBuf,
    lock: File,
}

impl TakenFolder {
    /// Takes a folder, or makes it.
    ///
    /// # Errors
    /// It is a file, holds something other than unfinished work, another run is using it, or the system refuses.
    pub fn take(folder: &Path) -> Result<Self> {
        let name = shown(folder);
        let refuse = |what: &str, advice: &str| Err(Error::unsupported(&name, what, advice));
        if folder.exists() && !folder.is_dir() {
            return refuse("it is a file", "name a folder, which is made where there is none");
        }
        match fs::create_dir(folder) {
            Err(e) if e.kind() == ErrorKind::NotFound => {
                return refuse("the folder that it would be made in does not exist", "make that one first");
            }
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(Error::io(&name)(e)),
            _ => {}
        }
        let entries = fs::read_dir(folder).map_err(Error::io(&name))?;
        let foreign = entries.filter_map(|e| e.ok()).any(|e| !is_ours(&e.path()));
        let question = folder.join(QUESTION);
        if foreign && !question.exists() {
            return refuse("it holds something other than unfinished work", "name a new or an empty folder");
        }
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(LOCK));
        let lock = lock.map_err(Error::io(&name))?;
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            return refuse("another run keeps its work there", "wait for it, or name another folder");
        }
        Ok(TakenFolder { folder: folder.to_owned(), lock })
    }

    /// The work on a question in it.
    ///
    /// # Errors
    /// It keeps the work on another question, or the system refuses.
    pub fn work_on(self, fingerprint: Fingerprint) -> Result<CheckpointFolder> {
        let (name, question) = (shown(&self.folder), self.folder.join(QUESTION));
        let refuse = |what: &str, advice: &str| Err(Error::unsupported(&name, what, advice));
        let said = said(fingerprint);
        match fs::read_to_string(&question) {
            Ok(there) if there == said => {}
            Ok(there) => return refuse(differs(&there, &said), "name another folder, or remove this one"),
            Err(e) if e.kind() == ErrorKind::NotFound => {
                write_whole(&question, |out| out.write_all(said.as_bytes()))?;
            }
            Err(_) => return refuse("its file `question` cannot be read", "name another folder"),
        }
        Ok(CheckpointFolder {
            folder: self.folder,
            fingerprint,
            every: EVERY,
            pieces: AtomicUsize::new(0),
            resumed: AtomicUsize::new(0),
            last: Mutex::new((Instant::now(), Duration::ZERO)),
            _lock: self.lock,
        })
    }
}

impl CheckpointFolder {
    /// Opens a folder for a question, or makes it.
    ///
    /// # Errors
    /// As [`TakenFolder::take`] and [`TakenFolder::work_on`].
    pub fn open(folder: &Path, fingerprint: Fingerprint) -> Result<Self> {
        TakenFolder::take(folder)?.work_on(fingerprint)
    }

    /// The same folder, in which work is kept as often as this.
    #[must_use]
    pub fn every(mut self, interval: Duration) -> Self {
        self.every = interval;
        self
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many pieces of work were taken from an earlier run.
    pub fn resumed(&self) -> usize {
        self.resumed.load(Ordering::Relaxed)
    }

    /// The work is done: what was kept of it goes.
    ///
    /// # Errors
    /// The system refuses.
    pub fn finish(self) -> Result<()> {
        let name = shown(&self.folder);
        let entries = fs::read_dir(&self.folder).map_err(Error::io(&name))?.filter_map(|e| e.ok());
        let mut ours: Vec<PathBuf> = entries.map(|e| e.path()).filter(|path| is_ours(path)).collect();
        // What the parts belong to goes after them.
        ours.sort_by_key(|path| path.extension().is_none());
        for path in ours {
            fs::remove_file(path).map_err(Error::io(&name))?;
        }
        // Something of the user's may be in it.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.part"))
    }

    fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let bytes = fs::read(self.path(name)).ok()?;
        let (head, body) = bytes.split_at_checked(HEAD)?;
        (head == self.head(body)).then(|| {
            let number = |b: &[u8]| f64::from_le_bytes(b.try_into().unwrap_or_default());
            body.chunks_exact(size_of::<f64>()).map(number).collect()
        })
    }

    /// What stands before the numbers: whose they are, how many, and their checksum.
    fn head(&self, body: &[u8]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(MAGIC);
        // Of this version, too: parts may stay where the file that tells it is gone.
        let mut whose = DefaultHasher::new();
        said(self.fingerprint).hash(&mut whose);
        head[8..16].copy_from_slice(&whose.finish().to_le_bytes());
        head[16..24].copy_from_slice(&(body.len() as u64).to_le_bytes());
        head[24..].copy_from_slice(checksum(body).as_bytes());
        head
    }
}

impl Checkpoint for CheckpointFolder {
    fn name(&self, work: &'static str) -> String {
        format!("{:02}-{work}", self.pieces.fetch_add(1, Ordering::Relaxed))
    }

    fn load(&self, name: &str) -> Option<Vec<f64>> {
        let numbers = self.numbers(name)?;
        self.resumed.fetch_add(1, Ordering::Relaxed);
        Some(numbers)
    }

    fn store(&self, name: &str, numbers: &[f64]) -> fiedler::Result<()> {
        let begun = Instant::now();
        let body: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let head = self.head(&body);
        let written = write_whole(&self.path(name), |out: &mut dyn Write| {
            out.write_all(&head)?;
            out.write_all(&body)
        });
        written.map_err(|error| fiedler::Error::Checkpoint(Box::new(error)))?;
        if let Ok(mut last) = self.last.lock() {
            *last = (Instant::now(), begun.elapsed());
        }
        Ok(())
    }

    fn is_due(&self) -> bool {
        self.last.lock().is_ok_and(|last| last.0.elapsed() >= self.every.max(last.1 * SHARE))
    }
}

/// What the file `question` says: the format, our version, what is asked, and of which data.
fn said(fingerprint: Fingerprint) -> String {
    let (version, Fingerprint { question, data }) = (env!("CARGO_PKG_VERSION"), fingerprint);
    format!("fiedler-checkpoint 2 {version} {question:016x} {data:016x}\n")
}

/// In what the work that is there differs from what is asked.
fn differs(there: &str, said: &str) -> &'static str {
    let first = there.split_whitespace().zip(said.split_whitespace()).position(|(one, other)| one != other);
    match first {
        Some(3) => "it keeps the work on another question (other methods or options)",
        Some(4) => "it keeps the work on other data (other values, labels, samples or features)",
        _ => "it keeps the work of another version of fiedler",
    }
}

/// A file of this module's, or one that it had not finished.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = name.starts_with('.') && name.ends_with(".tmp");
    let written = [QUESTION, LOCK].contains(&&*name) || name.ends_with(".part");
    written || (unfinished && (name.contains(".part.") || name.starts_with(".question.")))
}
