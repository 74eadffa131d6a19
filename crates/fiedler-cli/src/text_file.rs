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
    let what = about_key(text, line, error.message());
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
    let more = if what.chars().count() > LONGEST { "…" } else { "" };
    format!("{file}, line {line}: {}{more}", what.chars().take(LONGEST).collect::<String>())
}

/// What the parser says of the value in a line, in plain words and with the key of that line where it is the value that is wrong.
pub(crate) fn about_key(text: &str, line: usize, message: &str) -> String {
    let plain = in_plain_words(message);
    let row = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let key = row.split_once('=').map(|(key, _)| key.trim()).filter(|key| !key.is_empty());
    match key {
        Some(key) if plain != message => format!("`{key}`: {plain}"),
        _ => plain,
    }
}

/// What a value must be, in place of the names of types.
const TYPES: [(&str, &str); 8] = [
    (", expected a sequence", ": it must be a list, such as [5, 10] or [\"a\", \"b\"]"),
    (", expected usize", ": it must be a whole number, not negative"),
    (", expected u64", ": it must be a whole number, not negative"),
    (", expected f64", ": it must be a number"),
    (", expected a string", ": it must be text in quotes"),
    (", expected path string", ": it must be text in quotes"),
    (", expected a boolean", ": it must be true or false"),
    (", expected a map", ": it must be a table, such as { name = 1 }"),
];

/// A sentence of the parser in words for people.
pub(crate) fn in_plain_words(sentence: &str) -> String {
    let plain = sentence.replace("invalid type: ", "").replace("invalid value: ", "");
    let plain = TYPES.iter().fold(plain, |text, (theirs, ours)| text.replace(theirs, ours));
    // A table that is no table is named by its type in the program.
    if let Some((got, _)) = plain.split_once(", expected struct ") {
        return format!("{got}: it must be a table");
    }
    let variant = plain.strip_prefix("unknown variant `").and_then(|rest| rest.split_once("`, expected "));
    variant.map_or_else(|| plain.clone(), |(got, known)| format!("it must be {known}, got `{got}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_parser_are_not_shown() {
        for (theirs, ours) in [
            ("invalid type: string \"x\", expected f64", "string \"x\": it must be a number"),
            ("invalid type: integer `3`, expected path string", "integer `3`: it must be text in quotes"),
            ("unknown variant `x`, expected `a` or `b`", "it must be `a` or `b`, got `x`"),
            ("unknown variant `x`, expected one of `a`, `b`", "it must be one of `a`, `b`, got `x`"),
            ("invalid type: string \"x\", expected struct TableKeys", "string \"x\": it must be a table"),
            ("unknown field `kmer`, expected `file`", "unknown field `kmer`, expected `file`"),
        ] {
            assert_eq!(in_plain_words(theirs), ours);
        }
        let text = "a = 1\n  least = \"x\"\n";
        let told = about_key(text, 2, "invalid type: string \"x\", expected f64");
        assert_eq!(told, "`least`: string \"x\": it must be a number");
        assert_eq!(about_key(text, 2, "unknown field `least`"), "unknown field `least`");
    }
}
