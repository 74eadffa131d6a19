//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Error, Result};

/// Writes a file through a temporary one beside it, which takes its place only when all is
/// written and on the disk. On an error the temporary file is removed and what was there before
/// is untouched. The new file has the mode of the old one; one that may not be written is not
/// replaced. A pipe or a device is written to directly.
///
/// # Errors
/// [`Error::Io`].
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    attempt(path, write).map_err(Error::io(path.display().to_string()))
}

/// Temporary files that are being written now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of unfinished [`write_whole`]s: for a process that is about to
/// end without unwinding, as on Ctrl-C.
pub fn remove_unfinished() {
    // Locked to the end of the process: what is being written must not begin another file.
    if let Ok(unfinished) = UNFINISHED.lock() {
        unfinished.iter().for_each(|path| drop(fs::remove_file(path)));
        std::mem::forget(unfinished);
    }
}

fn attempt(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // The file behind a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        let mut direct = BufWriter::new(OpenOptions::new().write(true).open(&target)?);
        write(&mut direct)?;
        return direct.flush();
    }
    let before = fs::metadata(&target).ok().filter(fs::Metadata::is_file);
    if let Some(metadata) = &before {
        check_writable(&target, metadata)?;
    }
    let (file, temporary) = Temporary::beside(&target)?;
    let mut buffered = BufWriter::with_capacity(1 << 18, file);
    write(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    if let Some(metadata) = before {
        file.set_permissions(metadata.permissions())?;
    }
    drop(file);
    temporary.take_place_of(&target)
}

/// Replacing a file needs no right to write to it, but who took that right away meant it.
fn check_writable(target: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    let refused =
        || io::Error::new(io::ErrorKind::PermissionDenied, "the file is there and may not be written");
    if metadata.permissions().readonly() {
        return Err(refused());
    }
    OpenOptions::new().write(true).open(target).map(drop).map_err(|e| match e.kind() {
        io::ErrorKind::PermissionDenied => refused(),
        _ => e,
    })
}

/// A file that is removed unless it takes the place of another.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<(File, Temporary)> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{count}.tmp", std::process::id()));
        let path = target.with_file_name(hidden);
        let mut unfinished = UNFINISHED.lock().map_err(|_| io::Error::other("another write panicked"))?;
        let file =
            OpenOptions::new().write(true).create_new(true).open(&path).map_err(|e| no_folder(e, &path))?;
        unfinished.push(path.clone());
        Ok((file, Temporary { path }))
    }

    fn take_place_of(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }
}

/// Tells a missing folder by its name.
fn no_folder(error: io::Error, path: &Path) -> io::Error {
    match path.parent() {
        Some(folder) if error.kind() == io::ErrorKind::NotFound && !folder.as_os_str().is_empty() => {
            let text = format!("there is no folder `{}`; make it first", folder.display());
            io::Error::new(io::ErrorKind::NotFound, text)
        }
        _ => error,
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove, and nobody to tell if there is.
        let _ = fs::remove_file(&self.path);
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.retain(|path| *path != self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.csv");
        write_whole(&path, |w| w.write_all(b"first")).expect("written");
        let failed = write_whole(&path, |w| {
            w.write_all(b"second")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.expect_err("an error").to_string(), format!("{}: no more", path.display()));
        assert_eq!(fs::read(&path).expect("still there"), b"first");
        write_whole(&path, |w| w.write_all(b"third")).expect("written");
        assert_eq!(fs::read(&path).expect("replaced"), b"third");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "no temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn what_may_not_be_written_stays_and_modes_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.csv");
        fs::write(&path, "mine").expect("written");
        let mode = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
        mode(0o444);
        let refused = write_whole(&path, |w| w.write_all(b"theirs")).expect_err("read-only");
        assert!(refused.to_string().ends_with("the file is there and may not be written"), "{refused}");
        assert_eq!(fs::read(&path).expect("still there"), b"mine");
        mode(0o640);
        write_whole(&path, |w| w.write_all(b"new")).expect("written");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let found = write_whole(Path::new("no/such/folder/out.csv"), |_| Ok(())).expect_err("no folder");
        assert!(found.to_string().starts_with("no/such/folder/out.csv: "), "{found}");
    }
}
