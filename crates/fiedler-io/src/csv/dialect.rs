//! How a file separates fields and writes decimals, found by trying.

use super::cells::{Content, Notation, cells};
use super::records::Records;
use crate::options::{Format, TextOptions};

/// Delimiter and notation of one file.
#[derive(Debug, Clone)]
pub(crate) struct Dialect {
    pub(crate) delimiter: u8,
    pub(crate) notation: Notation,
}

/// In the order of preference when a file tells nothing.
pub(super) const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Records that are looked at, and the bytes after which one stops looking.
const SAMPLE_RECORDS: usize = 20;
const SAMPLE_BYTES: usize = 1 << 18;

impl Dialect {
    /// What `options` say, and for the rest what the first records tell.
    pub(crate) fn detect(bytes: &[u8], format: Format, options: &TextOptions) -> Dialect {
        let fixed = options.delimiter.or((format == Format::Tsv).then_some(b'\t'));
        let delimiter = fixed.unwrap_or_else(|| detect_delimiter(bytes));
        let decimal = options.decimal.unwrap_or_else(|| detect_decimal(bytes, delimiter));
        Dialect { delimiter, notation: Notation { decimal, missing: options.missing.clone() } }
    }

    /// Whether a cell holds what may be the delimiter in truth.
    pub(super) fn holds_another(&self, cell: &str) -> bool {
        cell.bytes().any(|b| DELIMITERS.contains(&b) && b != self.delimiter)
    }

    /// The delimiter in words.
    pub(crate) fn delimiter_name(&self) -> &'static str {
        match self.delimiter {
            b',' => "commas",
            b'\t' => "tabs",
            b';' => "semicolons",
            b'|' => "vertical bars",
            b' ' => "spaces",
            _ => "the given delimiter",
        }
    }
}

/// The first records under a delimiter; ends early at a quotation mark that is never closed.
pub(super) fn sample(bytes: &[u8], delimiter: u8) -> impl Iterator<Item = &[u8]> {
    let mut seen = 0;
    Records::new(bytes, delimiter)
        .map_while(Result::ok)
        .map(|r| &bytes[r])
        .enumerate()
        .take_while(move |(i, record)| {
            seen += record.len();
            *i < 2 || (*i < SAMPLE_RECORDS && seen < SAMPLE_BYTES)
        })
        .map(|(_, record)| record)
}

/// The delimiter that cuts the records into equally many fields, of which most are numbers.
fn detect_delimiter(bytes: &[u8]) -> u8 {
    let mut best = (b',', (false, 0, 0));
    for delimiter in DELIMITERS {
        let merit = merit(bytes, delimiter);
        if merit.2 > 1 && merit > best.1 {
            best = (delimiter, merit);
        }
    }
    best.0
}

/// Whether one of `delimiters` cuts the text into fields; for blanks, into equally many.
pub(super) fn separates<const N: usize>(bytes: &[u8], delimiters: [u8; N]) -> bool {
    delimiters.into_iter().any(|delimiter| {
        let (even, numbers, fields) = merit(bytes, delimiter);
        fields > 1 && (delimiter != b' ' || (even && numbers > 0))
    })
}

/// Whether all records have equally many fields, the share of numbers in percent, and the fields.
fn merit(bytes: &[u8], delimiter: u8) -> (bool, usize, usize) {
    let point = Notation { decimal: b'.', missing: Vec::new() };
    let comma = Notation { decimal: b',', missing: Vec::new() };
    let (mut all, mut numbers) = (0_usize, 0_usize);
    let mut counts = Vec::new();
    for record in sample(bytes, delimiter) {
        let before = all;
        for cell in cells(record, delimiter) {
            all += 1;
            let number = |n: &Notation| matches!(n.read(&cell), Content::Number(_));
            numbers += usize::from(number(&point) || (delimiter != b',' && number(&comma)));
        }
        counts.push(all - before);
    }
    let fields = counts.iter().copied().max().unwrap_or(0);
    // The header may be one field short: R leaves out the title of the row names.
    let even = counts.iter().skip(1).all(|&c| c == fields)
        && counts.first().is_none_or(|&c| c == fields || c + 1 == fields);
    (even, 100 * numbers / all.max(1), fields)
}

/// A comma, where fields are separated by something else, numbers have one, and none has a point.
fn detect_decimal(bytes: &[u8], delimiter: u8) -> u8 {
    if delimiter == b',' || memchr::memchr(b',', bytes).is_none() {
        return b'.';
    }
    let comma = Notation { decimal: b',', missing: Vec::new() };
    let point = Notation { decimal: b'.', missing: Vec::new() };
    // All records, up to the first that tells: a file may begin with whole numbers.
    for record in Records::new(bytes, delimiter).map_while(Result::ok) {
        for cell in cells(&bytes[record], delimiter) {
            let has = |mark: u8, notation: &Notation| {
                cell.contains(&mark) && matches!(notation.read(&cell), Content::Number(_))
            };
            if has(b',', &comma) {
                return b',';
            }
            if has(b'.', &point) {
                return b'.';
            }
        }
    }
    b'.'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(text: &str) -> (char, char) {
        let d = Dialect::detect(text.as_bytes(), Format::Csv, &TextOptions::default());
        (char::from(d.delimiter), char::from(d.notation.decimal))
    }

    #[test]
    fn delimiter_and_decimal_mark_are_found() {
        assert_eq!(detect("a,b\n1.5,2\n3,4\n"), (',', '.'));
        assert_eq!(detect("a;b\n1,5;2,5\n3,1;4\n"), (';', ','));
        assert_eq!(detect("a;b\n1.5;2.5\n"), (';', '.'));
        assert_eq!(detect("a\tb\n1,5\t2\n"), ('\t', ','));
        assert_eq!(detect("a|b|c\n1|2|3\n"), ('|', '.'));
        assert_eq!(detect("name;x\n\"Doe, J\";1\n\"Roe, R, S\";2\n"), (';', '.'));
        assert_eq!(detect("x\n1\n2\n"), (',', '.'));
    }

    #[test]
    fn whole_numbers_at_the_top_do_not_hide_a_decimal_comma() {
        let text = "a;b\n".to_owned() + &"0;1\n".repeat(200) + "0,5;1\n";
        assert_eq!(detect(&text), (';', ','));
    }
}
