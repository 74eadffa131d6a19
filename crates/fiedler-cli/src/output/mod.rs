//! Where answers go: standard output, or a file that is written whole or not at all.

pub(crate) mod csv;
pub(crate) mod details;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod table;
pub(crate) mod width;

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
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

/// What is in an answer besides its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Styling {
    /// Colors of ours, for people. Names of the data are harmless in it.
    Ours,
    /// Nothing: it is for programs, and every byte counts.
    None,
}

/// Writes to a file, or to standard output where none is given or it is called `-`. Colors survive on a terminal
/// only. What is for programs is not changed, unless a terminal would obey it.
///
/// # Errors
/// The file cannot be written; [`Failure::ClosedPipe`] when nobody reads any more.
pub(crate) fn write(bytes: &[u8], styling: Styling, file: Option<&Path>) -> Outcome {
    if let Some(path) = file.filter(|path| !is_stdout(path)) {
        let stripped = match styling {
            Styling::Ours => Some(anstream::adapter::strip_bytes(bytes).into_vec()),
            Styling::None => is_terminal(path).then(|| harmless_bytes(bytes)),
        };
        return Ok(fiedler_io::write_whole(path, |out| out.write_all(stripped.as_deref().unwrap_or(bytes)))?);
    }
    let terminal = std::io::stdout().is_terminal();
    let written = match styling {
        Styling::Ours => {
            to(&mut anstream::stdout().lock(), width::folded(&String::from_utf8_lossy(bytes)).as_bytes())
        }
        Styling::None if terminal => to(&mut std::io::stdout().lock(), &harmless_bytes(bytes)),
        Styling::None => to(&mut std::io::stdout().lock(), bytes),
    };
    written.map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Data(format!("standard output: {e}")),
    })
}

fn to(out: &mut dyn Write, bytes: &[u8]) -> std::io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

/// A text of the data as a terminal may see it: what it would obey, and what would turn the direction of writing, is
/// written out (`\u{1b}`).
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let each = |c: char| if is_obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(each).collect())
}

fn harmless_bytes(bytes: &[u8]) -> Vec<u8> {
    let lines = String::from_utf8_lossy(bytes);
    lines.split_inclusive('\n').flat_map(|line| harmless(line).into_owned().into_bytes()).collect()
}

/// Whether a terminal would do something at this character, or write what follows from right to left.
pub(crate) fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && !matches!(c, '\n' | '\t'))
}

/// Whether `--output` means standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file is a terminal: `/dev/tty`, and `/dev/stdout` where that is one.
pub(crate) fn is_terminal(path: &Path) -> bool {
    // What is no device is not opened: that of a pipe waits for a reader.
    let device = std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir() && !is_pipe(&m));
    device && std::fs::OpenOptions::new().write(true).open(path).is_ok_and(|file| file.is_terminal())
}

#[cfg(unix)]
fn is_pipe(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

/// `warning: …` or `error: …` on standard error, on one line: a name of the data that has lines must not look like another
/// message.
pub(crate) fn report(kind: &str, style: Style, sentence: &str) {
    let sentence = sentence.replace('\r', "\\r").replace('\n', "\\n");
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#}: {}", harmless(&sentence));
}
