//! A file that stays open and is read at positions, by any number of threads.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::Lost;
use crate::names::shown;
use crate::{Error, Result};

/// Linux reads no more ahead at once than its disk is set to, and forgets the rest: this is the usual setting.
#[cfg(target_os = "linux")]
const TOLD: u64 = 128 << 10;

/// An open file, and how it was when it was opened.
pub(crate) struct Positions {
    file: File,
    name: String,
    size: u64,
    changed: Option<SystemTime>,
}

impl Positions {
    /// Opens a file that is a file: no pipe has positions.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = shown(path);
        // To open a pipe would be to wait for whoever writes to it.
        if !path.metadata().map_err(Error::io(&name))?.is_file() {
            return Err(Error::unsupported(&name, "not a file", "name a file"));
        }
        Self::of(File::open(path).map_err(Error::io(&name))?, &name)
    }

    /// A file that is open, under a name for messages.
    pub(crate) fn of(file: File, name: &str) -> Result<Self> {
        let metadata = file.metadata().map_err(Error::io(name))?;
        Ok(Positions { file, name: name.to_owned(), size: metadata.len(), changed: metadata.modified().ok() })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// When it was changed last, as far as the system knows.
    pub(crate) fn changed(&self) -> Option<SystemTime> {
        self.changed
    }

    /// Fills `buffer` from `start` on.
    pub(crate) fn fill(&self, buffer: &mut [u8], start: u64) -> Result<(), Lost> {
        read_exact_at(&self.file, buffer, start).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.lost("it became shorter while it was read; start again with the whole file")
            }
            _ => self.lost(&format!("it cannot be read any more ({error})")),
        })
    }

    /// Tells the system that so many bytes from `start` on will be read soon. Where it does not listen, they are read when they are.
    pub(crate) fn expect(&self, start: u64, count: u64) {
        #[cfg(target_os = "linux")]
        for at in (start..start.saturating_add(count)).step_by(TOLD as usize) {
            use rustix::fs::{Advice, fadvise};
            let some = std::num::NonZero::new(TOLD.min(start + count - at));
            let _ = fadvise(&self.file, at, some, Advice::WillNeed);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (start, count);
    }

    /// An error where the file is not as it was: an answer must not be half of one file and half of another. A file that was
    /// replaced or removed stays as it was for those who have it open.
    pub(crate) fn check(&self) -> Result<(), Lost> {
        match self.file.metadata() {
            Ok(now) if now.len() < self.size => {
                Err(self.lost("it became shorter while it was read; start again with the whole file"))
            }
            Ok(now) if now.len() == self.size && now.modified().ok() == self.changed => Ok(()),
            Ok(_) => Err(self.lost("it was changed while it was read; start again when nobody writes to it")),
            Err(error) => Err(self.lost(&format!("it cannot be read any more ({error})"))),
        }
    }

    fn lost(&self, what: &str) -> Lost {
        Lost { file: self.name.clone(), what: what.to_owned() }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, start)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut start: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            step => {
                buffer = &mut buffer[step..];
                start += step as u64;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_that_changes_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f");
        fs::write(&path, [1, 2, 3, 4, 5, 6]).expect("written");
        let file = Positions::open(&path).expect("there");
        let mut buffer = [0; 2];
        file.fill(&mut buffer, 4).expect("there");
        assert_eq!((buffer, file.size()), ([5, 6], 6));
        file.check().expect("as it was");
        fs::OpenOptions::new().append(true).open(&path).expect("open").write_all(&[7]).expect("written");
        assert!(file.check().expect_err("longer").what.starts_with("it was changed"));
        fs::OpenOptions::new().write(true).open(&path).expect("open").set_len(5).expect("cut");
        for lost in [file.check(), file.fill(&mut buffer, 4)] {
            assert!(lost.expect_err("shorter").what.starts_with("it became shorter"));
        }
    }

    #[test]
    fn a_file_that_is_removed_or_replaced_stays_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("f");
        fs::write(&path, [1, 2, 3]).expect("written");
        let file = Positions::open(&path).expect("there");
        let other = folder.path().join("g");
        fs::write(&other, [9, 9, 9]).expect("written");
        if fs::rename(&other, &path).is_err() {
            return; // Some systems do not replace what is open.
        }
        let mut buffer = [0; 3];
        file.fill(&mut buffer, 0).expect("still there");
        assert_eq!(buffer, [1, 2, 3]);
        file.check().expect("as it was");
        assert!(Positions::open(folder.path()).is_err());
    }
}
