//! Where answers go: standard output, or a file that is written whole or not at all.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod table;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anstyle::{AnsiColor, Style};

use crate::failure::{Failure, Outcome};

/// Titles and headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// What matters less.
pub(crate) const DIM: Style = Style::new().dimmed();
/// Bars.
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default();
/// Warnings.
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
/// Errors.
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();

/// The temporary file that is being written, if there is one.
static PARTIAL: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Writes to a file, or to standard output where none is given. Colors survive on a terminal
/// only.
///
/// # Errors
/// The file cannot be written; [`Failure::ClosedPipe`] when nobody reads any more.
pub(crate) fn write(bytes: &[u8], file: Option<&Path>) -> Outcome {
    match file {
        Some(path) => write_file(bytes, path).map_err(|e| Failure::Data(format!("{}: {e}", path.display()))),
        None => {
            let mut stdout = anstream::stdout().lock();
            stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|e| match e.kind() {
                ErrorKind::BrokenPipe => Failure::ClosedPipe,
                _ => Failure::Data(format!("standard output: {e}")),
            })
        }
    }
}

/// `warning: …` or `error: …` on standard error.
pub(crate) fn report(kind: &str, style: Style, sentence: &str) {
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#}: {sentence}");
}

/// Removes a file that was not finished; for Ctrl-C.
pub(crate) fn discard_partial() {
    if let Some(path) = PARTIAL.lock().ok().and_then(|mut partial| partial.take()) {
        let _ = std::fs::remove_file(path);
    }
}

fn write_file(bytes: &[u8], path: &Path) -> std::io::Result<()> {
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fiedler-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the umask takes away what the user does not want.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    note_partial(Some(file.path().to_owned()));
    file.write_all(&anstream::adapter::strip_bytes(bytes).into_vec())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    note_partial(None);
    Ok(())
}

fn note_partial(path: Option<PathBuf>) {
    if let Ok(mut partial) = PARTIAL.lock() {
        *partial = path;
    }
}
