//! Text made plain before it is read: comments at the top taken out, runs of blanks made one.
//!
//! Lines stay where they are, so that messages count them as an editor does.

use std::borrow::Cow;

use super::cells::cells;
use super::dialect::{DELIMITERS, Dialect, separates};
use crate::options::{Format, TextOptions};

/// The text without comments at its top, and the options it is read with. Where nothing but blanks
/// separates fields, every run of them is one space, and that is the delimiter: of tables alone, for a
/// list of labels or names may well have two words in every line.
pub(super) fn tidy<'a>(
    bytes: &'a [u8],
    format: Format,
    options: &TextOptions,
    notes: &mut Vec<String>,
) -> (Cow<'a, [u8]>, TextOptions) {
    let text = without_comments(bytes, format, options, notes);
    let given = options.delimiter.is_some() || format == Format::Tsv;
    if given || separates(&text, DELIMITERS) {
        return (text, options.clone());
    }
    let single = single_spaced(&text);
    if separates(&single, [b' ']) {
        (Cow::Owned(single), TextOptions { delimiter: Some(b' '), ..options.clone() })
    } else {
        (text, options.clone())
    }
}

/// Lines that begin with `#` before all others are left blank. The last of them may be the header:
/// then it has as many fields as the line below.
fn without_comments<'a>(
    bytes: &'a [u8],
    format: Format,
    options: &TextOptions,
    notes: &mut Vec<String>,
) -> Cow<'a, [u8]> {
    if !bytes.starts_with(b"#") {
        return Cow::Borrowed(bytes);
    }
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let comments = lines.iter().take_while(|line| line.starts_with(b"#")).count();
    let rest: usize = lines[..comments].iter().map(|line| line.len()).sum();
    let below = single_spaced(&bytes[rest..]);
    let delimiter = if separates(&below, DELIMITERS) {
        Dialect::detect(&bytes[rest..], format, options).delimiter
    } else {
        b' '
    };
    let fields = |line: &[u8]| cells(line.trim_ascii(), delimiter).count();
    let title = lines[comments - 1].strip_prefix(b"#").unwrap_or_default();
    let titled = single_spaced(title);
    let first = below.split(|&b| b == b'\n').next().unwrap_or_default();
    let is_header = fields(first) > 1 && fields(&titled) == fields(first);
    let skipped = comments - usize::from(is_header);
    if skipped > 0 {
        let lines = if skipped == 1 { "the first line begins" } else { "the first lines begin" };
        notes.push(format!("{lines} with # and {} skipped", if skipped == 1 { "is" } else { "are" }));
    }
    let mut text = vec![b'\n'; skipped];
    if is_header {
        // `# a b c` is how NumPy writes a header; `#CHROM` is a name.
        let name = if title.starts_with(b" ") { &title[1..] } else { lines[comments - 1] };
        text.extend_from_slice(name);
    }
    text.extend_from_slice(&bytes[rest..]);
    Cow::Owned(text)
}

/// Every run of spaces and tabs outside quotation marks as one space, none at the ends of lines.
fn single_spaced(text: &[u8]) -> Vec<u8> {
    let mut single: Vec<u8> = Vec::with_capacity(text.len());
    let (mut quoted, mut blank) = (false, false);
    for &b in text {
        quoted ^= b == b'"';
        if !quoted && (b == b' ' || b == b'\t') {
            blank = true;
            continue;
        }
        let inside = single.last().is_some_and(|&last| !matches!(last, b'\n' | b'\r'));
        if blank && inside && !matches!(b, b'\n' | b'\r') {
            single.push(b' ');
        }
        blank = false;
        single.push(b);
    }
    single
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidied(text: &str) -> (String, Vec<String>) {
        let mut notes = Vec::new();
        let found = tidy(text.as_bytes(), Format::Csv, &TextOptions::default(), &mut notes).0.into_owned();
        (String::from_utf8(found).expect("UTF-8"), notes)
    }

    #[test]
    fn runs_of_blanks_separate_where_nothing_else_does() {
        assert_eq!(tidied("  1.0   2.0\n 3.0  4.0 \n").0, "1.0 2.0\n3.0 4.0\n");
        assert_eq!(tidied("\"a b\"  c\n1  2\n").0, "\"a b\" c\n1 2\n");
        for untouched in ["a b,c\n1, 2\n", "sepal  length\n1\n2\n", "1 2 3\n4 5\n", "1\n2\n"] {
            assert_eq!(tidied(untouched).0, untouched);
        }
    }

    #[test]
    fn comments_leave_blank_lines() {
        assert_eq!(tidied("# made today\n# by me\na,b\n1,2\n").0, "\n\na,b\n1,2\n");
        assert_eq!(tidied("# made today\na,b\n1,2\n").1, ["the first line begins with # and is skipped"]);
        assert_eq!(tidied("# a b\n1 2\n3 4\n"), ("a b\n1 2\n3 4\n".to_owned(), vec![]));
        assert_eq!(tidied("# note\n#CHROM,pos\n1,2\n").0, "\n#CHROM,pos\n1,2\n");
    }
}
