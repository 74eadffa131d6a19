//! Where records begin and end.
//!
//! A record ends at a line end (`\n`, `\r\n`, or the `\r` of old Macintosh files) outside quotation
//! marks. A quotation mark opens a quoted field only where a field begins, so that an inch sign
//! inside a text (`3" pipe`) is harmless.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

/// A quoted field that begins at this byte never ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenQuote(pub(super) usize);

/// The records of a text, without their line ends; blank lines are left out.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    delimiter: u8,
    at: usize,
    quotes: bool,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8], delimiter: u8) -> Self {
        Records { bytes, delimiter, at: 0, quotes: memchr(b'"', bytes).is_some() }
    }

    /// The end of the record that begins at `start`.
    fn end(&self, start: usize) -> Result<usize, OpenQuote> {
        let rest = |at: usize| &self.bytes[at..];
        let mut at = start;
        loop {
            let found = if self.quotes {
                memchr3(b'\n', b'\r', b'"', rest(at))
            } else {
                memchr2(b'\n', b'\r', rest(at))
            };
            let Some(place) = found.map(|f| at + f) else { return Ok(self.bytes.len()) };
            if self.bytes[place] != b'"' {
                return Ok(place);
            }
            let opens = place == start || self.bytes[place - 1] == self.delimiter;
            at =
                if opens { closing_quote(self.bytes, place).ok_or(OpenQuote(place))? + 1 } else { place + 1 };
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Range<usize>, OpenQuote>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let end = match self.end(start) {
                Ok(end) => end,
                Err(open) => {
                    self.at = self.bytes.len();
                    return Some(Err(open));
                }
            };
            self.at = end + if self.bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
            if end > start {
                return Some(Ok(start..end));
            }
        }
        None
    }
}

/// The mark that closes the quoted field opened at `open`; doubled marks stand for themselves.
pub(super) fn closing_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        let place = at + memchr(b'"', bytes.get(at..)?)?;
        if bytes.get(place + 1) != Some(&b'"') {
            return Some(place);
        }
        at = place + 2;
    }
}

/// The line, counted from 1, in which byte `offset` lies.
pub(super) fn line_of(bytes: &[u8], offset: usize) -> usize {
    let before = &bytes[..offset];
    let ends = before.iter().enumerate().filter(|&(i, &b)| match b {
        b'\n' => true,
        b'\r' => bytes.get(i + 1) != Some(&b'\n'),
        _ => false,
    });
    1 + ends.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        Records::new(text.as_bytes(), b',').map(|r| &text[r.expect("closed quotes")]).collect()
    }

    #[test]
    fn all_line_ends_are_known_and_blank_lines_skipped() {
        assert_eq!(split("a,b\n1,2\n"), ["a,b", "1,2"]);
        assert_eq!(split("a,b\r\n\r\n1,2"), ["a,b", "1,2"]);
        assert_eq!(split("a,b\r1,2\r"), ["a,b", "1,2"]);
    }

    #[test]
    fn quotes_hide_line_ends_only_where_a_field_begins() {
        assert_eq!(split("\"a\nb\",1\n2,3"), ["\"a\nb\",1", "2,3"]);
        assert_eq!(split("x,\"a\"\"\n\"\n2,3"), ["x,\"a\"\"\n\"", "2,3"]);
        assert_eq!(split("3\" pipe,1\n4\" pipe,2"), ["3\" pipe,1", "4\" pipe,2"]);
        assert_eq!(Records::new(b"a\nb,\"c\n", b',').nth(1), Some(Err(OpenQuote(4))));
    }

    #[test]
    fn lines_are_counted_as_editors_do() {
        assert_eq!(line_of(b"a\r\nb\rc\nd", 7), 4);
        assert_eq!(line_of(b"a", 0), 1);
    }
}
