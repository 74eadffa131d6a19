//! Where answers go: standard output, or a file that is written whole or not at all.

pub(crate) mod csv;
pub(crate) mod details;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod table;

use std::io::{ErrorKind, Write};
use std::path::Path;

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

/// Writes to a file, or to standard output where none is given or it is called `-`. Colors survive
/// on a terminal only.
///
/// # Errors
/// The file cannot be written; [`Failure::ClosedPipe`] when nobody reads any more.
pub(crate) fn write(bytes: &[u8], file: Option<&Path>) -> Outcome {
    match file.filter(|path| !is_stdout(path)) {
        Some(path) => {
            let plain = anstream::adapter::strip_bytes(bytes).into_vec();
            Ok(fiedler_io::write_whole(path, |out| out.write_all(&plain))?)
        }
        None => {
            let mut stdout = anstream::stdout().lock();
            stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|e| match e.kind() {
                ErrorKind::BrokenPipe => Failure::ClosedPipe,
                _ => Failure::Data(format!("standard output: {e}")),
            })
        }
    }
}

/// Whether `--output` means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// `warning: …` or `error: …` on standard error.
pub(crate) fn report(kind: &str, style: Style, sentence: &str) {
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#}: {sentence}");
}
