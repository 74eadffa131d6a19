//! Files of text that are read whole: options, recipes, lists of names, and answers that were kept.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fiedler::Limits;
use fiedler::limits::Bytes;

/// No file of options or names is longer: 64 MB.
const LONGEST: u64 = 64_000_000;

/// No answer is longer: 1 GB, which is one of millions of features.
const LONGEST_ANSWER: u64 = 1_000_000_000;

/// The content of a file, of which no more is read than such a file can have: a device has no end.
///
/// # Errors
/// It cannot be read, is not text, or is too long.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let what = "it is longer than 64 MB, and no file of options or names is; name another";
    read_up_to(path, LONGEST, what)
}

/// The content of an answer that was kept. It takes an eighth of the memory that may be taken, for what is read from it is
/// larger.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_answer(path: &Path) -> io::Result<String> {
    let most = LONGEST_ANSWER.min(Limits::default().memory.0 / 8);
    let what = format!(
        "it is longer than {}, which is more than an answer takes or this machine has room for; name what \
         --findings or --format json wrote",
        Bytes(most)
    );
    read_up_to(path, most, &what)
}

fn read_up_to(path: &Path, most: u64, what: &str) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(text)
}

/// The line, from 1, of a place in a text.
pub(crate) fn line_at(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|&&b| b == b'\n').count() + 1
}

/// A value of such a file, as it could stand there.
pub(crate) fn shown(value: &toml::Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What is wrong with a file of options or a recipe, and in which line: one sentence, however long the line is.
pub(crate) fn wrong(file: &str, text: &str, error: &toml::de::Error) -> String {
    const LONGEST: usize = 300;
    let line = line_at(text, error.span().map_or(0, |span| span.start));
    let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    let more = if what.chars().count() > LONGEST { "…" } else { "" };
    format!("{file}, line {line}: {}{more}", what.chars().take(LONGEST).collect::<String>())
}
