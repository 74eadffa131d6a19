//! What stands in a cell: a number, text, or nothing.

use std::borrow::Cow;

use memchr::memchr;

use super::records::closing_quote;

/// How numbers and missing values are written.
#[derive(Debug, Clone)]
pub(crate) struct Notation {
    pub(crate) decimal: u8,
    /// Besides the usual words.
    pub(crate) missing: Vec<String>,
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Content {
    Number(f64),
    Missing,
    Infinite,
    Text,
}

impl Notation {
    /// Reads a cell. The words for "missing" are known in any case of letters.
    pub(crate) fn read(&self, cell: &[u8]) -> Content {
        let cell = cell.trim_ascii();
        if self.is_missing(cell) {
            return Content::Missing;
        }
        let parsed = if self.decimal == b'.' {
            fast_float2::parse::<f64, _>(cell)
        } else {
            // A point in such a file groups thousands as often as not: it is not guessed at.
            if cell.contains(&b'.') {
                return Content::Text;
            }
            let pointed: Vec<u8> = cell.iter().map(|&b| if b == self.decimal { b'.' } else { b }).collect();
            fast_float2::parse(pointed)
        };
        match parsed {
            Ok(v) if v.is_finite() => Content::Number(v),
            Ok(v) if v.is_nan() => Content::Missing,
            Ok(_) => Content::Infinite,
            Err(_) => Content::Text,
        }
    }

    /// Whether a trimmed cell says that there is no value.
    pub(crate) fn is_missing(&self, cell: &[u8]) -> bool {
        const WORDS: [&[u8]; 8] = [b"na", b"nan", b"n/a", b"null", b"none", b"?", b"#n/a", b"<na>"];
        cell.is_empty()
            || cell.len() <= 4 && WORDS.iter().any(|w| cell.eq_ignore_ascii_case(w))
            || self.missing.iter().any(|w| cell == w.as_bytes())
    }
}

/// The cell that begins at `at`, without quotation marks, and where it ends: at a delimiter or
/// at the end of the record.
pub(super) fn cell(record: &[u8], at: usize, delimiter: u8) -> (Cow<'_, [u8]>, usize) {
    let end_from = |from: usize| memchr(delimiter, &record[from..]).map_or(record.len(), |f| from + f);
    if record.get(at) != Some(&b'"') {
        let end = end_from(at);
        return (Cow::Borrowed(&record[at..end]), end);
    }
    let close = closing_quote(record, at).unwrap_or(record.len());
    let end = end_from((close + 1).min(record.len()));
    let (inside, after) = (&record[at + 1..close], record.get(close + 1..end).unwrap_or(b""));
    if after.is_empty() && memchr(b'"', inside).is_none() {
        return (Cow::Borrowed(inside), end);
    }
    let mut text = Vec::with_capacity(inside.len());
    let mut skip = false;
    for &b in inside {
        skip = b == b'"' && !skip;
        if !skip {
            text.push(b);
        }
    }
    text.extend_from_slice(after);
    (Cow::Owned(text), end)
}

/// All cells of a record.
pub(super) fn cells(record: &[u8], delimiter: u8) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let (cell, end) = cell(record, next?, delimiter);
        next = (end < record.len()).then_some(end + 1);
        Some(cell)
    })
}

/// The text of a cell, trimmed. Bytes that are not UTF-8 are taken for Latin-1, which older
/// spreadsheet programs write.
pub(super) fn text(cell: &[u8]) -> String {
    let cell = cell.trim_ascii();
    match std::str::from_utf8(cell) {
        Ok(text) => text.to_owned(),
        Err(_) => cell.iter().map(|&b| char::from(b)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(record: &str) -> Vec<String> {
        cells(record.as_bytes(), b',').map(|c| text(&c)).collect()
    }

    #[test]
    fn fields_are_cut_and_unquoted() {
        assert_eq!(split("a,,b"), ["a", "", "b"]);
        assert_eq!(split(",a,"), ["", "a", ""]);
        assert_eq!(split("\"a,\"\"b\"\"\",c"), ["a,\"b\"", "c"]);
        assert_eq!(split("\"a\"b, c "), ["ab", "c"]);
        assert_eq!(split("\"\"\"\",\"\""), ["\"", ""]);
    }

    #[test]
    fn contents_are_told_apart() {
        let point = Notation { decimal: b'.', missing: vec!["-9".to_owned()] };
        assert_eq!(point.read(b" -1.5e3 "), Content::Number(-1500.0));
        assert_eq!(point.read(b"+.5"), Content::Number(0.5));
        for missing in ["", "NA", "nan", "N/A", "NULL", "?", " ", "-9", "None", "-nan"] {
            assert_eq!(point.read(missing.as_bytes()), Content::Missing, "{missing}");
        }
        assert_eq!(point.read(b"inf"), Content::Infinite);
        assert_eq!(point.read(b"1e999"), Content::Infinite);
        for text in ["1,5", "1.2.3", "0x10", "1e", "setosa", "1 2", "--"] {
            assert_eq!(point.read(text.as_bytes()), Content::Text, "{text}");
        }
        let comma = Notation { decimal: b',', missing: Vec::new() };
        assert_eq!(comma.read(b"-1,25"), Content::Number(-1.25));
        assert_eq!(comma.read(b"7"), Content::Number(7.0));
        assert_eq!(comma.read(b"1.234,5"), Content::Text);
        assert_eq!(comma.read(b"1.234"), Content::Text);
    }
}
