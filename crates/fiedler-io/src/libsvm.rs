//! libsvm and svmlight: `label index:value index:value … # comment`, zeros left out.
//!
//! Indices count from 1 unless one of them is 0. Lines are parsed in parallel, then sorted by
//! feature; the data are never dense. Features are called `x` and the index the file gives them.
//!
//! A line may name feature 4,000,000,000 in a dozen bytes. Memory is taken for entries, not for indices:
//! where there are far more indices than entries, features that no line names are left out, with a note.

use fiedler::Monitor;
use memchr::{memchr, memchr_iter};
use rayon::prelude::*;

use crate::csv::Notation;
use crate::matrix::{Matrix, Numbers, Storage};
use crate::memory::Budget;
use crate::progress::Progress;
use crate::table::{LIBSVM_LABEL, LabelColumn, Raw, RawLabel};
use crate::{Error, Result};

/// The largest index.
const LARGEST: u32 = u32::MAX - 1;

/// Features up to this many are all kept, whether any line names them or not.
const KEPT: usize = 1_000_000;

/// Bytes that a line and an entry take while they are read and sorted.
const PER_LINE: usize = 64;
const PER_ENTRY: usize = 36;

/// Bytes that a feature takes: its name and its place.
const PER_FEATURE: usize = 100;

/// Bytes that one task parses.
const TASK: usize = 1 << 20;

/// Reads a file of that format; `file` is its name and the memory it may take.
pub(crate) fn read(bytes: &[u8], (file, budget): (&str, &Budget), monitor: &dyn Monitor) -> Result<Raw> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    budget.take_items(memchr_iter(b'\n', bytes).count(), PER_LINE)?;
    budget.take_items(memchr_iter(b':', bytes).count(), PER_ENTRY)?;
    let progress = Progress::new(monitor, "parsing", bytes.len());
    let parts: Vec<Result<Part>> = pieces(bytes)
        .into_par_iter()
        .map(|(start, piece)| {
            let part = Part::parse(piece).map_err(|p| p.error(bytes, start, file))?;
            progress.advance(piece.len())?;
            Ok(part)
        })
        .collect();
    // In the order of the file, so that the first bad line is the one reported.
    let mut all = Part::default();
    for part in parts {
        all.append(part?);
    }
    all.into_raw(file, budget)
}

/// Pieces of whole lines, with the byte each begins at.
fn pieces(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let from = bytes.len().min(start + TASK);
        let end = memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |e| from + e + 1);
        pieces.push((start, &bytes[start..end]));
        start = end;
    }
    pieces
}

/// Lines, compressed by row.
#[derive(Default)]
struct Part {
    labels: Vec<Option<String>>,
    lengths: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    has_zero: bool,
    queries: bool,
}

/// What is wrong with a line that begins at this byte of a piece.
struct Problem {
    at: usize,
    found: String,
}

impl Problem {
    fn error(self, bytes: &[u8], start: usize, file: &str) -> Error {
        let line = 1 + bytes[..start + self.at].iter().filter(|&&b| b == b'\n').count();
        Error::Line { file: file.to_owned(), line, what: self.found }
    }
}

impl Part {
    fn parse(piece: &[u8]) -> Result<Part, Problem> {
        let mut part = Part::default();
        let mut at = 0;
        for line in piece.split(|&b| b == b'\n') {
            let content = &line[..memchr(b'#', line).unwrap_or(line.len())];
            if !content.trim_ascii().is_empty() {
                part.line(content).map_err(|found| Problem { at, found })?;
            }
            at += line.len() + 1;
        }
        Ok(part)
    }

    fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).peekable();
        let label = words.next_if(|w| !w.contains(&b':'));
        self.labels.push(label.and_then(label_text));
        let start = self.indices.len();
        for word in words {
            self.pair(word)?;
        }
        let entries = &self.indices[start..];
        if entries.windows(2).any(|w| w[0] >= w[1]) {
            let mut sorted = entries.to_vec();
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|w| w[0] == w[1]) {
                return Err(format!("index {} appears twice", twice[0]));
            }
        }
        self.lengths.push(entries.len());
        Ok(())
    }

    fn pair(&mut self, word: &[u8]) -> Result<(), String> {
        let shown = || String::from_utf8_lossy(word).into_owned();
        let colon = memchr(b':', word).ok_or_else(|| format!("`{}` is not index:value", shown()))?;
        if &word[..colon] == b"qid" {
            self.queries = true;
            return Ok(());
        }
        let index =
            std::str::from_utf8(&word[..colon]).ok().filter(|t| t.bytes().all(|b| b.is_ascii_digit()));
        let index = index.filter(|t| !t.is_empty());
        let index = index.ok_or_else(|| format!("`{}` has no index before the colon", shown()))?;
        let index: u32 = index.parse().ok().filter(|&i| i <= LARGEST).ok_or_else(|| {
            format!("the index of `{}` is above {LARGEST}; number the features without gaps", shown())
        })?;
        let value: f64 = fast_float2::parse(&word[colon + 1..])
            .map_err(|_| format!("`{}` has no number behind the colon", shown()))?;
        if !value.is_finite() {
            return Err(format!("`{}` is not finite; fill in or drop missing values first", shown()));
        }
        self.has_zero |= index == 0;
        self.indices.push(index);
        self.values.push(value);
        Ok(())
    }

    fn append(&mut self, mut other: Part) {
        self.labels.append(&mut other.labels);
        self.lengths.append(&mut other.lengths);
        self.indices.append(&mut other.indices);
        self.values.append(&mut other.values);
        self.has_zero |= other.has_zero;
        self.queries |= other.queries;
    }

    /// Numbers the indices that occur without gaps, and returns what they were.
    fn renumber(&mut self) -> Vec<u32> {
        let mut named = self.indices.clone();
        named.par_sort_unstable();
        named.dedup();
        self.indices.par_iter_mut().for_each(|i| *i = named.partition_point(|n| n < i) as u32);
        named
    }

    fn into_raw(mut self, file: &str, budget: &Budget) -> Result<Raw> {
        let n = self.labels.len();
        let Some(&last) = self.indices.iter().max() else {
            let what = if n == 0 { "the file is empty" } else { "no line has an index:value" };
            return Err(Error::Empty { file: file.to_owned(), what: what.to_owned() });
        };
        let base = u32::from(!self.has_zero);
        self.indices.iter_mut().for_each(|i| *i -= base);
        let all = (last - base) as usize + 1;
        let named = (all > KEPT && all > self.indices.len()).then(|| self.renumber());
        let m = named.as_ref().map_or(all, Vec::len);
        budget.take_items(m, PER_FEATURE)?;
        let ends = self.lengths.iter().scan(0, |end, &length| {
            *end += length;
            Some(*end)
        });
        let offsets = std::iter::once(0).chain(ends).collect();
        let storage = Storage::Sparse { offsets, rows: self.indices, values: Numbers::F64(self.values) };
        let mut raw = Raw::bare(Matrix { rows: m, columns: n, storage }.transposed());
        let name = |index: u32| format!("x{}", index + base);
        match named {
            Some(named) => {
                raw.notes.push(format!(
                    "{} features that no line names are left out: they are zero throughout",
                    all - m
                ));
                raw.column_names = Some(named.into_iter().map(name).collect());
            }
            None if base == 1 => raw.column_names = Some((0..all as u32).map(name).collect()),
            None => {}
        }
        if self.queries {
            raw.notes.push("the query numbers (qid) were left out".to_owned());
        }
        if self.labels.iter().any(Option::is_some) {
            let column = LabelColumn { name: LIBSVM_LABEL.to_owned(), first: true };
            raw.label = Some(RawLabel { column, texts: self.labels });
        }
        Ok(raw)
    }
}

/// `+1` is the class `1`.
fn label_text(word: &[u8]) -> Option<String> {
    let notation = Notation { decimal: b'.', missing: Vec::new() };
    let word = word.strip_prefix(b"+").unwrap_or(word);
    (!notation.is_missing(word)).then(|| String::from_utf8_lossy(word).into_owned())
}
