//! The text of a Matrix Market file.

use fiedler::Monitor;
use fiedler::dataset::Order;
use memchr::memchr;
use rayon::prelude::*;

use super::FORMAT;
use crate::matrix::{Matrix, Numbers};
use crate::memory::{Budget, PER_LINE};
use crate::progress::Progress;
use crate::sparse::{LARGEST, from_entries};
use crate::{Error, Result};

/// Bytes that one task parses.
const TASK: usize = 1 << 20;

/// Bytes that an entry takes while it is read, mirrored and sorted.
const PER_ENTRY: usize = 64;

/// What the first line says.
#[derive(Clone, Copy)]
struct Banner {
    /// A list of entries, or all numbers column after column.
    coordinate: bool,
    /// Entries without values: all are 1.
    pattern: bool,
    whole: bool,
    symmetry: Symmetry,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// The matrix of a file.
pub(super) fn matrix(bytes: &[u8], (file, budget): (&str, &Budget), monitor: &dyn Monitor) -> Result<Matrix> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (first, rest) = split_line(bytes);
    let banner = Banner::parse(first, file)?;
    let mut rest = rest;
    let size = loop {
        if rest.is_empty() {
            return Err(Error::malformed(file, FORMAT, "the line of its size is missing"));
        }
        let (line, after) = split_line(rest);
        rest = after;
        if !line.trim_ascii().is_empty() && !line.starts_with(b"%") {
            break line;
        }
    };
    let size: Option<Vec<usize>> = words(size).map(|w| std::str::from_utf8(w).ok()?.parse().ok()).collect();
    let start = bytes.len() - rest.len();
    let body = Body { bytes, start, file, budget, monitor, banner };
    match (banner.coordinate, size.as_deref()) {
        (true, Some(&[rows, columns, count])) => body.entries(rows, columns, count),
        (false, Some(&[rows, columns])) => body.dense(rows, columns),
        _ => Err(Error::malformed(file, FORMAT, "the line of its size is not whole numbers")),
    }
}

impl Banner {
    fn parse(line: &[u8], file: &str) -> Result<Banner> {
        let text = String::from_utf8_lossy(line).to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let &["%%matrixmarket", "matrix", form, field, symmetry] = words.as_slice() else {
            return Err(Error::malformed(file, FORMAT, "it does not begin with `%%MatrixMarket matrix …`"));
        };
        let refuse =
            |what: &str| Err(Error::unsupported(file, what, "write it as `coordinate real general`"));
        Ok(Banner {
            coordinate: match form {
                "coordinate" => true,
                "array" => false,
                _ => return refuse(&format!("a matrix of the form `{form}`")),
            },
            pattern: field == "pattern",
            whole: match field {
                "integer" | "unsigned-integer" | "pattern" => true,
                "real" | "double" => false,
                _ => return refuse(&format!("a matrix of {field} numbers")),
            },
            symmetry: match symmetry {
                "general" => Symmetry::General,
                "symmetric" => Symmetry::Symmetric,
                "skew-symmetric" => Symmetry::Skew,
                _ => return refuse(&format!("a {symmetry} matrix")),
            },
        })
    }
}

/// What follows the size.
struct Body<'a> {
    bytes: &'a [u8],
    start: usize,
    file: &'a str,
    budget: &'a Budget,
    monitor: &'a dyn Monitor,
    banner: Banner,
}

/// Entries of a part of the lines.
#[derive(Default)]
struct Part {
    places: Vec<(u32, u32)>,
    values: Vec<f64>,
}

impl Body<'_> {
    fn entries(&self, rows: usize, columns: usize, count: usize) -> Result<Matrix> {
        if rows.max(columns) > LARGEST {
            let found = format!("its shape {rows} × {columns} is too large");
            return Err(Error::malformed(self.file, FORMAT, found));
        }
        self.budget.take_items(rows.saturating_add(columns), PER_LINE)?;
        self.budget.take_items(memchr::memchr_iter(b'\n', self.bytes).count(), PER_ENTRY)?;
        let parts = self.parsed(|line, part: &mut Part| {
            let mut words = words(line);
            let mut index = |below: usize| {
                let text = words.next().ok_or("an entry is row, column and value")?;
                let number = std::str::from_utf8(text).ok().and_then(|t| t.parse::<usize>().ok());
                let number = number.filter(|&n| n >= 1 && n <= below);
                number.ok_or_else(|| format!("`{}` is not from 1 to {below}", String::from_utf8_lossy(text)))
            };
            let (i, j) = (index(rows)?, index(columns)?);
            let value = if self.banner.pattern { 1.0 } else { number(words.next())? };
            part.places.push(((i - 1) as u32, (j - 1) as u32));
            part.values.push(value);
            Ok(())
        })?;
        let mut all = Part::default();
        for mut part in parts {
            all.places.append(&mut part.places);
            all.values.append(&mut part.values);
        }
        if all.places.len() != count {
            let found = format!("it says {count} entries and has {}", all.places.len());
            return Err(Error::malformed(self.file, FORMAT, found));
        }
        self.mirror(&mut all);
        let values = numbers(all.values, self.banner.whole);
        from_entries(rows, columns, &all.places, values).map_err(|e| Error::malformed(self.file, FORMAT, e))
    }

    /// Entries below the diagonal stand for those above it.
    fn mirror(&self, all: &mut Part) {
        if self.banner.symmetry == Symmetry::General {
            return;
        }
        let sign = if self.banner.symmetry == Symmetry::Skew { -1.0 } else { 1.0 };
        for e in 0..all.places.len() {
            let (i, j) = all.places[e];
            if i != j {
                all.places.push((j, i));
                all.values.push(sign * all.values[e]);
            }
        }
    }

    fn dense(&self, rows: usize, columns: usize) -> Result<Matrix> {
        if self.banner.symmetry != Symmetry::General {
            let advice = "write it as `array real general`";
            return Err(Error::unsupported(self.file, "half of a symmetric array", advice));
        }
        self.budget.take_items(self.bytes.len(), 8)?;
        let parts = self.parsed(|line, part: &mut Vec<f64>| {
            for word in words(line) {
                part.push(number(Some(word))?);
            }
            Ok(())
        })?;
        let values = parts.concat();
        if rows.checked_mul(columns) != Some(values.len()) {
            let found = format!("it says {rows} × {columns} and has {} numbers", values.len());
            return Err(Error::malformed(self.file, FORMAT, found));
        }
        Ok(Matrix::dense(numbers(values, self.banner.whole), rows, columns, Order::ColumnMajor))
    }

    /// Parses lines in parallel; the first bad line is the one reported.
    fn parsed<P: Default + Send>(
        &self,
        parse: impl Fn(&[u8], &mut P) -> Result<(), String> + Sync,
    ) -> Result<Vec<P>> {
        let progress = Progress::new(self.monitor, "parsing", self.bytes.len());
        let parts: Vec<Result<P>> = pieces(self.bytes, self.start)
            .into_par_iter()
            .map(|(start, end)| {
                let mut part = P::default();
                let mut at = start;
                while at < end {
                    let (line, _) = split_line(&self.bytes[at..end]);
                    if !line.trim_ascii().is_empty() && !line.starts_with(b"%") {
                        parse(line, &mut part).map_err(|what| self.wrong(at, what))?;
                    }
                    at += line.len() + 1;
                }
                progress.advance(end - start)?;
                Ok(part)
            })
            .collect();
        parts.into_iter().collect()
    }

    fn wrong(&self, at: usize, what: String) -> Error {
        let line = 1 + self.bytes[..at].iter().filter(|&&b| b == b'\n').count();
        Error::Line { file: self.file.to_owned(), line, what }
    }
}

/// Pieces of whole lines.
fn pieces(bytes: &[u8], mut start: usize) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    while start < bytes.len() {
        let from = bytes.len().min(start + TASK);
        let end = memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |e| from + e + 1);
        pieces.push((start, end));
        start = end;
    }
    pieces
}

fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match memchr(b'\n', bytes) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty())
}

fn number(word: Option<&[u8]>) -> Result<f64, String> {
    let word = word.ok_or("an entry is row, column and value")?;
    let shown = || String::from_utf8_lossy(word).into_owned();
    let value: f64 = fast_float2::parse(word).map_err(|_| format!("`{}` is not a number", shown()))?;
    if value.is_finite() { Ok(value) } else { Err(format!("`{}` is not finite", shown())) }
}

/// Whole numbers in single precision, where that holds them all exactly.
fn numbers(values: Vec<f64>, whole: bool) -> Numbers {
    const EXACT: f64 = (1 << 24) as f64;
    if whole && values.par_iter().all(|v| v.abs() <= EXACT) {
        return Numbers::F32(values.into_iter().map(|v| v as f32).collect());
    }
    Numbers::F64(values)
}
