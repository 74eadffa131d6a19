//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::names::shown;
use crate::{Error, Result};

/// Writes a file through a temporary one beside it, which takes its place only when all is
/// written and on the disk. On an error the temporary file is removed and what was there before
/// is untouched. The new file has the mode of the old one; one that may not be written is not
/// replaced. A pipe or a device is written to directly.
///
/// A process that is killed leaves its temporary file behind; the next write to the same place removes
/// it. Who is at work holds a lock on its file, which ends with the process: files of the living stay.
///
/// # Errors
/// [`Error::Io`].
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    attempt(path, write).map_err(unwritten(shown(path)))
}

/// A file that cannot be written, with what helps where the disk is full.
fn unwritten(file: String) -> impl FnOnce(io::Error) -> Error {
    move |error| match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            let what = format!("it cannot be written ({error})");
            Error::unsupported(&file, what, "make room there, or name a place on another disk")
        }
        _ => Error::Io { file, source: error },
    }
}

/// Writes a folder through a temporary one beside it, which takes its place only when all is written. Whatever is there already
/// stays: only an empty folder is replaced.
///
/// # Errors
/// [`Error::Io`], [`Error::Unsupported`] where there is something, or what `write` says.
pub(crate) fn write_folder(path: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = shown(path);
    let is_empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if path.exists() && !is_empty {
        let what = "it is there already, and a folder with something in it is not replaced";
        return Err(Error::unsupported(&name, what, "name another one, or remove it first"));
    }
    // A name may end in a separator, which is no part of it.
    let path: PathBuf = path.components().collect();
    remove_stale(&path);
    let (lock, temporary) = Temporary::folder_beside(&path).map_err(unwritten(name.clone()))?;
    // Nobody knows the temporary folder but we.
    write(&temporary.path).map_err(|error| match error {
        Error::Io { source, .. } => unwritten(name.clone())(source),
        other => other,
    })?;
    temporary.folder_takes_place_of(&path, lock).map_err(unwritten(name))
}

/// Writes a folder of texts by name, whole or not at all; what is there already stays.
///
/// # Errors
/// [`Error::Io`], [`Error::Unsupported`] where there is something.
pub fn write_files(folder: &Path, files: &[(String, String)]) -> Result<()> {
    write_folder(folder, |temporary| {
        for (name, text) in files {
            let path = temporary.join(name);
            fs::write(&path, text).map_err(Error::io(shown(&path)))?;
        }
        Ok(())
    })
}

/// The file by whose lock a temporary folder is known to be in use.
const LOCK: &str = ".lock";

/// Temporary files that are being written now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of unfinished [`write_whole`]s: for a process that is about to
/// end without unwinding, as on Ctrl-C.
pub fn remove_unfinished() {
    // Locked to the end of the process: what is being written must not begin another file.
    if let Ok(unfinished) = UNFINISHED.lock() {
        unfinished.iter().for_each(|path| remove(path));
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
    remove_stale(&target);
    let (file, temporary) = Temporary::beside(&target)?;
    let mut buffered = BufWriter::with_capacity(1 << 18, file);
    write(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    if let Some(metadata) = before {
        file.set_permissions(metadata.permissions())?;
    }
    temporary.take_place_of(&target, file)
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
        let mut unfinished = UNFINISHED.lock().map_err(|_| io::Error::other("another write panicked"))?;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let mut name = hidden_name(target)?;
            name.push(format!("{}-{count}.tmp", std::process::id()));
            let path = target.with_file_name(name);
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                // Another machine that shares the folder may count alike.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened.map_err(|e| no_folder(e, &path))?,
            };
            // Who removes files of the dead may take ours for one until it is locked. Where there are no
            // locks, nothing is ever removed.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists() {
                continue;
            }
            unfinished.push(path.clone());
            return Ok((file, Temporary { path }));
        }
    }

    fn folder_beside(target: &Path) -> io::Result<(File, Temporary)> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let mut unfinished = UNFINISHED.lock().map_err(|_| io::Error::other("another write panicked"))?;
        loop {
            let mut name = hidden_name(target)?;
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            name.push(format!("{}-{count}.tmp", std::process::id()));
            let path = target.with_file_name(name);
            match fs::create_dir(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made.map_err(|e| no_folder(e, &path))?,
            }
            let lock = File::create_new(path.join(LOCK))?;
            // Where there are no locks, nothing is ever removed.
            let _ = lock.try_lock();
            unfinished.push(path.clone());
            return Ok((lock, Temporary { path }));
        }
    }

    fn folder_takes_place_of(self, target: &Path, lock: File) -> io::Result<()> {
        drop(lock);
        fs::remove_file(self.path.join(LOCK))?;
        // Not every system renames onto an empty folder.
        if target.is_dir() {
            fs::remove_dir(target)?;
        }
        fs::rename(&self.path, target)
    }

    fn take_place_of(self, target: &Path, file: File) -> io::Result<()> {
        // The lock ends with `file`: after the renaming, but where open files cannot be renamed.
        #[cfg(not(unix))]
        drop(file);
        let renamed = fs::rename(&self.path, target);
        #[cfg(unix)]
        drop(file);
        renamed
    }
}

/// Bytes of a name that a temporary one begins with: most systems allow 255, and a process and a number follow.
const NAME: usize = 200;

/// `.NAME.`, with which the names of all temporary files for `target` begin. Of a long name the start alone: files for
/// others that begin alike are told from ours by their locks.
fn hidden_name(target: &Path) -> io::Result<OsString> {
    let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut hidden = OsString::from(".");
    if name.len() <= NAME {
        hidden.push(name);
    } else {
        let name = name.to_string_lossy();
        let end = name.char_indices().map(|(at, _)| at).take_while(|at| *at <= NAME).last();
        hidden.push(&name[..end.unwrap_or(0)]);
    }
    hidden.push(".");
    Ok(hidden)
}

/// Removes temporary files for `target` that no living process writes. What cannot be removed stays:
/// it is in nobody's way.
fn remove_stale(target: &Path) {
    let Ok(start) = hidden_name(target) else { return };
    let folder = target.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes());
        let ours = rest.and_then(|r| r.strip_suffix(b".tmp")).is_some_and(is_process_and_count);
        let path = entry.path();
        let locked = if path.is_dir() { path.join(LOCK) } else { path.clone() };
        if ours
            && entry.file_type().is_ok_and(|t| t.is_file() || t.is_dir())
            && OpenOptions::new().write(true).open(locked).is_ok_and(|f| f.try_lock().is_ok())
        {
            remove(&path);
        }
    }
}

/// Removes a temporary file or folder, where it is still there.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// `123-4`.
fn is_process_and_count(text: &[u8]) -> bool {
    let parts: Vec<&[u8]> = text.split(|&b| b == b'-').collect();
    parts.len() == 2 && parts.iter().all(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit))
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
        remove(&self.path);
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

    #[test]
    fn files_of_the_dead_are_removed_and_those_of_the_living_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in [".out.csv.4000000000-0.tmp", ".out.csv.mine.tmp", ".other.csv.1-0.tmp", ".out.csv.1-2"] {
            fs::write(at(name), "half").expect("written");
        }
        let path = at("out.csv");
        write_whole(&path, |w| {
            w.write_all(b"first")?;
            // Another write to the same place while this one goes on.
            write_whole(&path, |w| w.write_all(b"second")).map_err(io::Error::other)
        })
        .expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"first");
        let mut left: Vec<_> = fs::read_dir(folder.path()).expect("listed").flatten().collect();
        left.sort_by_key(fs::DirEntry::file_name);
        let left: Vec<String> = left.iter().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(left, [".other.csv.1-0.tmp", ".out.csv.1-2", ".out.csv.mine.tmp", "out.csv"]);
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
    fn names_as_long_as_the_system_allows() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["x".repeat(255), "é".repeat(127)] {
            let path = folder.path().join(&name);
            let stale = folder.path().join(format!(".{}.4000000000-0.tmp", &name[..200]));
            fs::write(&stale, "half").expect("written");
            write_whole(&path, |w| w.write_all(b"all")).expect("written");
            assert_eq!(fs::read(&path).expect("there"), b"all");
            assert!(!stale.exists());
        }
    }

    #[test]
    fn a_missing_folder_is_named() {
        let found = write_whole(Path::new("no/such/folder/out.csv"), |_| Ok(())).expect_err("no folder");
        assert!(found.to_string().starts_with("no/such/folder/out.csv: "), "{found}");
    }
}
