//! Small files of text: options, recipes, lists of names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No file of options or names is longer: 64 MB.
const LONGEST: u64 = 64_000_000;

/// The content of a file, of which no more is read than such a file can have: a device has no end.
///
/// # Errors
/// It cannot be read, is not text, or is too long.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        let what = "it is longer than 64 MB, and no file of options or names is; name another";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(text)
}
