//! Delimited text: CSV, TSV and their relatives.
//!
//! Two passes. The first finds where records begin and end (at the speed of `memchr`); the
//! second reads the records in parallel, each straight into its row of the matrix. A number is
//! parsed from where its cell begins and the parser tells where it ends, so that most cells are
//! looked at once and nothing is allocated for them.

mod cells;
mod dialect;
mod header;
mod records;
mod survey;
mod tidy;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use fiedler::Monitor;
use fiedler::dataset::Order;
use rayon::prelude::*;

pub(crate) use cells::{Content, Notation};
pub(crate) use dialect::Dialect;

use crate::error::{CellText, ColumnName, Location};
use crate::input::check_text;
use crate::matrix::{Matrix, Numbers};
use crate::memory::Budget;
use crate::messy::Missing;
use crate::names::{check_different, is_id, nearly_different};
use crate::options::{Format, Orientation, ReadOptions, TextOptions};
use crate::progress::Progress;
use crate::table::{Filtered, LabelColumn, Raw, RawLabel, unknown_feature};
use crate::{Error, Result};
use cells::{cell, cells, text};
use header::{Header, Mismatch, Role};
use records::{OpenQuote, Records, line_of};

/// Bytes that one task reads.
const TASK_BYTES: usize = 1 << 18;

/// Bytes that a line takes while it is read, besides its numbers: its place, its name and its label.
const PER_LINE: usize = size_of::<Range<usize>>() + size_of::<Texts>();

/// Bytes that a column takes: its name, in several places, and what it is.
const PER_COLUMN: usize = 200;

/// Reads a table; `file` is its name and the memory it may take.
pub(crate) fn read(
    bytes: &[u8],
    (file, budget): (&str, &Budget),
    format: Format,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let mut notes = Vec::new();
    budget.take_items(line_ends(bytes), PER_LINE)?;
    let (tidied, marks) = tidy::tidy(plain_text(bytes, file)?, format, &options.text, &mut notes);
    let bytes = &*tidied;
    let dialect = Dialect::detect(bytes, format, &marks);
    let columns = memchr::memchr_iter(dialect.delimiter, first_line(bytes)).count();
    budget.take_items(columns, PER_COLUMN)?;
    let mut records = split(bytes, file, dialect.delimiter)?;
    let first_line = records.first().map_or(1, |r| line_of(bytes, r.start));
    let wrong_header = |found: Mismatch| Error::Header {
        file: file.to_owned(),
        line: first_line,
        names: found.names,
        fields: found.fields,
        delimiter: dialect.delimiter_name(),
    };
    let mut header = Header::detect(bytes, &dialect, options, &mut notes).map_err(wrong_header)?;
    if header.present {
        records.remove(0);
    }
    if records.is_empty() {
        let what = if header.present { "a line of column names and no data" } else { "the file is empty" };
        return Err(Error::Empty { file: file.to_owned(), what: what.to_owned() });
    }
    let lines = Lines { bytes, file, records: &records, delimiter: dialect.delimiter };
    let ids = lines.first_column(&mut header, options, &mut notes, &wrong_header)?;
    let roles = header.roles(file, options, ids)?;
    notes.extend(header.first_column(&roles, options));
    let mut reader = Reader { bytes, file, budget, options, dialect, header, roles, values: BTreeMap::new() };
    let kept = reader.drop_excluded(&mut records)?;
    let (values, texts) = match reader.read(&records, monitor) {
        Err(first) if is_in_a_cell(&first) && !options.features_in_rows() => {
            let treatments = reader.survey(&records)?;
            reader.apply(treatments, &mut notes);
            reader.read(&records, monitor)?
        }
        read => read?,
    };
    let mut raw = reader.assemble(values, texts, &records)?;
    raw.row_names = raw.row_names.or(kept);
    raw.notes = notes;
    raw.repeated = std::mem::take(&mut reader.header.repeated);
    Ok(raw)
}

/// The lines below the header.
struct Lines<'a> {
    bytes: &'a [u8],
    file: &'a str,
    records: &'a [Range<usize>],
    delimiter: u8,
}

impl Lines<'_> {
    /// Settles what the first column is, where the header leaves it open; whether it names the samples.
    fn first_column(
        &self,
        header: &mut Header,
        options: &ReadOptions,
        notes: &mut Vec<String>,
        wrong_header: &dyn Fn(Mismatch) -> Error,
    ) -> Result<bool> {
        let first = |record: &Range<usize>| text(&cell(&self.bytes[record.clone()], 0, self.delimiter).0);
        let texts = || self.records.iter().map(first);
        if header.numbers_name_rows() {
            if !(texts().all(|text| is_whole(&text)) && all_differ(texts())) {
                return Err(wrong_header(header.mismatch()));
            }
            notes.push(format!(
                "the header has {} names and the lines have {} fields: the first field, a whole number, \
                 was taken for the name of the line",
                header.width - 1,
                header.width
            ));
        }
        if header.first_is_text && header.name(0) != Some("") && !options.features_in_rows() {
            // Where some are alike it is a column of text like any other, unless its title says that one is a slip.
            let slip = || nearly_different(&texts().collect::<Vec<_>>());
            header.first_is_text = all_differ(texts()) || header.name(0).is_some_and(is_id) && slip();
        }
        let ids = header.may_be_ids(self.file, options)? && all_differ(texts());
        if ids {
            let title = header.name(0).unwrap_or_default();
            notes.push(format!("the first column (`{title}`) was taken for the names of the samples"));
        }
        Ok(ids)
    }
}

fn line_ends(bytes: &[u8]) -> usize {
    memchr::memchr2_iter(b'\n', b'\r', bytes).count()
}

fn first_line(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|b| !matches!(b, b'\n' | b'\r')).unwrap_or(bytes.len());
    let rest = &bytes[start..];
    &rest[..memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())]
}

fn is_whole(text: &str) -> bool {
    text.parse::<u64>().is_ok()
}

/// Whether one cell is at fault, and others may be too.
fn is_in_a_cell(error: &Error) -> bool {
    matches!(error, Error::Missing { .. } | Error::NotANumber { .. } | Error::NotFinite { .. })
}

fn all_differ(mut texts: impl Iterator<Item = String>) -> bool {
    let mut seen = HashSet::new();
    texts.all(|t| seen.insert(t))
}

/// All cells of a small table as text: a file of labels. Where there is one column, blank lines
/// are not left out, for they mean "unlabeled".
pub(crate) fn read_texts(bytes: &[u8], file: &str, options: &TextOptions) -> Result<Vec<Vec<String>>> {
    let bytes = plain_text(bytes, file)?;
    let dialect = Dialect::detect(bytes, Format::Csv, options);
    let records = split(bytes, file, dialect.delimiter)?;
    let row = |record: &[u8]| cells(record, dialect.delimiter).map(|c| text(&c)).collect::<Vec<_>>();
    let rows: Vec<_> = records.into_iter().map(|r| row(&bytes[r])).collect();
    if rows.iter().any(|r| r.len() > 1) {
        return Ok(rows);
    }
    let lines = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let lines = lines.strip_suffix('\n').unwrap_or(&lines);
    Ok(lines.split('\n').map(|line| row(line.as_bytes())).collect())
}

/// The fields of one line.
pub(crate) fn fields(line: &str, delimiter: u8) -> Vec<String> {
    cells(line.as_bytes(), delimiter).map(|c| text(&c).trim().to_owned()).collect()
}

/// Takes off the byte order mark and refuses what is not text of one byte per letter.
fn plain_text<'a>(bytes: &'a [u8], file: &str) -> Result<&'a [u8]> {
    check_text(bytes, file)?;
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

fn split(bytes: &[u8], file: &str, delimiter: u8) -> Result<Vec<Range<usize>>> {
    Records::new(bytes, delimiter)
        .collect::<Result<_, _>>()
        .map_err(|OpenQuote(at)| Error::OpenQuote { file: file.to_owned(), line: line_of(bytes, at) })
}

struct Reader<'a> {
    bytes: &'a [u8],
    file: &'a str,
    budget: &'a Budget,
    options: &'a ReadOptions,
    dialect: Dialect,
    header: Header,
    roles: Vec<Role>,
    /// The values of columns of text that become features.
    values: BTreeMap<usize, Vec<String>>,
}

/// The texts of a row.
#[derive(Default, Clone)]
struct Texts {
    name: String,
    label: Option<String>,
}

/// What is wrong with a record.
enum Problem {
    Cell { column: usize, content: Content, found: String },
    Ragged { found: usize },
}

impl Reader<'_> {
    fn width(&self) -> usize {
        let features = |(column, role): (usize, &Role)| match role {
            Role::Number(_) | Role::Truth(_) | Role::Days(..) => 1,
            Role::OneHot(_) => self.values.get(&column).map_or(0, Vec::len),
            _ => 0,
        };
        self.roles.iter().enumerate().map(features).sum()
    }

    /// With features in rows, the lines of excluded features are not read, whatever they hold. The
    /// names of the others, where something was left out: numbering follows the file.
    fn drop_excluded(&self, records: &mut Vec<Range<usize>>) -> Result<Option<Vec<String>>> {
        if self.options.features == Orientation::Columns || self.options.exclude.is_empty() {
            return Ok(None);
        }
        let named = self.roles[0] == Role::Names;
        let name = |(i, record): (usize, &Range<usize>)| {
            if named {
                text(&cell(&self.bytes[record.clone()], 0, self.dialect.delimiter).0)
            } else {
                format!("x{i}")
            }
        };
        let names: Vec<String> = records.iter().enumerate().map(name).collect();
        let known: HashSet<&str> = names.iter().map(String::as_str).collect();
        let excluded: HashSet<&str> = self.options.exclude.iter().map(String::as_str).collect();
        if let Some(name) = self.options.exclude.iter().find(|n| !known.contains(n.as_str())) {
            return Err(unknown_feature(self.file, name, &names));
        }
        let kept: Vec<bool> = names.iter().map(|n| !excluded.contains(n.as_str())).collect();
        let mut keep = kept.iter();
        records.retain(|_| keep.next().is_none_or(|&k| k));
        let kept = names.iter().zip(&kept).filter(|(_, k)| **k).map(|(n, _)| n.clone());
        Ok(Some(kept.collect()))
    }

    /// The numbers, row after row, and the texts. An error is that of the first bad record.
    fn read(&self, records: &[Range<usize>], monitor: &dyn Monitor) -> Result<(Vec<f64>, Vec<Texts>)> {
        let width = self.width();
        if width == 0 {
            return Err(self.no_numbers());
        }
        self.check_lengths(records)?;
        let mut values = self.budget.zeros(records.len(), width)?;
        let mut texts = vec![Texts::default(); records.len()];
        let per_task = (TASK_BYTES * records.len() / self.bytes.len().max(1)).max(1);
        let progress = Progress::new(monitor, "parsing", records.len());
        let tasks = values.par_chunks_mut(per_task * width).zip(texts.par_chunks_mut(per_task));
        let error = tasks.zip(records.par_chunks(per_task)).find_map_first(|((rows, texts), records)| {
            let rows = rows.chunks_exact_mut(width).zip(texts);
            for (record, (row, texts)) in records.iter().zip(rows) {
                if let Err(problem) = self.record(&self.bytes[record.clone()], row, texts) {
                    return Some(self.error(record, problem));
                }
            }
            progress.advance(records.len()).err()
        });
        let Some(error) = error else { return Ok((values, texts)) };
        // The table may be read again, otherwise.
        self.budget.give_back_items(records.len(), width * size_of::<f64>());
        Err(error)
    }

    /// Refuses a line that is too short for its fields before memory is taken for all of them.
    fn check_lengths(&self, records: &[Range<usize>]) -> Result<()> {
        match records.iter().find(|r| r.len() + 1 < self.roles.len()) {
            None => Ok(()),
            Some(record) => {
                let found = cells(&self.bytes[record.clone()], self.dialect.delimiter).count();
                Err(self.error(record, Problem::Ragged { found }))
            }
        }
    }

    /// Reads one record.
    fn record(&self, record: &[u8], row: &mut [f64], texts: &mut Texts) -> Result<(), Problem> {
        let delimiter = self.dialect.delimiter;
        let quick = self.dialect.notation.decimal == b'.';
        let mut at = 0;
        for (column, role) in self.roles.iter().enumerate() {
            if column > 0 {
                if at == record.len() {
                    return Err(Problem::Ragged { found: column });
                }
                at += 1;
            }
            if let (Role::Number(place), true) = (role, quick)
                && let Some((value, end)) = plain_number(record, at, delimiter)
            {
                row[*place] = value;
                at = end;
                continue;
            }
            let (found, end) = cell(record, at, delimiter);
            at = end;
            match role {
                Role::Skip => {}
                Role::Nothing if found.trim_ascii().is_empty() => {}
                Role::Nothing => {
                    return Err(Problem::Cell { column, content: Content::Text, found: text(&found) });
                }
                Role::Names => texts.name = text(&found),
                Role::Label => {
                    let missing = self.dialect.notation.is_missing(found.trim_ascii());
                    texts.label = (!missing).then(|| text(&found));
                }
                Role::Truth(place) => row[*place] = self.truth(&found),
                Role::Days(place, order) => {
                    row[*place] = crate::dates::number(&text(&found), *order).unwrap_or(f64::NAN);
                }
                Role::OneHot(place) => self.one_hot(column, &found, &mut row[*place..]),
                Role::Number(place) => match self.dialect.notation.read(&found) {
                    Content::Number(value) => row[*place] = value,
                    Content::Missing if self.options.missing != Missing::Error => row[*place] = f64::NAN,
                    content => return Err(Problem::Cell { column, content, found: text(&found) }),
                },
            }
        }
        if at < record.len() {
            let more = cells(&record[at + 1..], delimiter).count();
            return Err(Problem::Ragged { found: self.roles.len() + more });
        }
        Ok(())
    }

    /// 1 or 0, or nothing.
    fn truth(&self, cell: &[u8]) -> f64 {
        let known = crate::survey::truth(&text(cell)).map(|truth| f64::from(u8::from(truth)));
        known.unwrap_or(f64::NAN)
    }

    /// 1 in the place of the value. A gap has none of them; where samples with gaps are left out, it says so.
    fn one_hot(&self, column: usize, cell: &[u8], row: &mut [f64]) {
        let Some(values) = self.values.get(&column) else { return };
        match values.binary_search(&text(cell)) {
            Ok(at) => row[at] = 1.0,
            Err(_) if matches!(self.options.missing, Missing::DropRows | Missing::DropColumns) => {
                row[..values.len()].fill(f64::NAN);
            }
            Err(_) => {}
        }
    }

    fn assemble(&self, values: Vec<f64>, texts: Vec<Texts>, records: &[Range<usize>]) -> Result<Raw> {
        let width = self.width();
        let column_names = self.header.names.as_ref().map(|names| self.numeric(names));
        // Numbering follows the file, so that leaving a column out renames no other.
        let column_names = column_names.or_else(|| self.numbered());
        let mut raw = Raw::bare(Matrix::dense(Numbers::F64(values), texts.len(), width, Order::RowMajor));
        raw.column_names = column_names;
        raw.marks = (self.dialect.delimiter, self.dialect.notation.decimal);
        raw.filtered = match self.options.features {
            Orientation::Columns => Filtered::Yes,
            Orientation::Rows => Filtered::Excluded,
        };
        if let Some(position) = self.roles.iter().position(|r| *r == Role::Label) {
            let name = self.header.name(position).unwrap_or("label").to_owned();
            let first = self.roles[position..].iter().any(|r| matches!(r, Role::Number(_)));
            let texts = texts.iter().map(|t| t.label.clone()).collect();
            raw.label = Some(RawLabel { column: LabelColumn { name, first }, texts });
        }
        if let Some(column) = self.roles.iter().position(|r| *r == Role::Names) {
            let names: Vec<String> = texts.into_iter().map(|t| t.name).collect();
            let titled = self.header.name(column).is_none_or(|n| !n.is_empty());
            if self.options.features == Orientation::Columns && titled {
                let told = ColumnName { position: column, name: self.header.name(column).map(str::to_owned) };
                let line = |row: usize| Location::Line(line_of(self.bytes, records[row].start));
                check_different(self.file, &told, &names, &line)?;
            }
            raw.corner = Some(self.header.name(column).unwrap_or("").to_owned());
            raw.row_names = Some(names);
        }
        Ok(raw)
    }

    fn numeric(&self, names: &[String]) -> Vec<String> {
        let features = |(column, name): (usize, &String)| match self.roles.get(column) {
            Some(Role::Number(_) | Role::Truth(_) | Role::Days(..)) => vec![name.clone()],
            Some(Role::OneHot(_)) => {
                self.values[&column].iter().map(|value| format!("{name}={value}")).collect()
            }
            _ => Vec::new(),
        };
        names.iter().enumerate().flat_map(features).collect()
    }

    /// Names by the position in the file; `None` where that is the position among the features.
    fn numbered(&self) -> Option<Vec<String>> {
        let is_read =
            |role: &Role| matches!(role, Role::Number(_) | Role::Truth(_) | Role::Days(..) | Role::OneHot(_));
        let read: Vec<usize> = (0..self.roles.len()).filter(|&c| is_read(&self.roles[c])).collect();
        let alike = self.values.is_empty() && read.iter().enumerate().all(|(place, &c)| place == c);
        if alike || self.options.features == Orientation::Rows {
            return None;
        }
        let names: Vec<String> = (0..self.roles.len()).map(|c| format!("x{c}")).collect();
        Some(self.numeric(&names))
    }

    fn no_numbers(&self) -> Error {
        Error::Empty { file: self.file.to_owned(), what: "no column of numbers is left to read".to_owned() }
    }

    fn error(&self, record: &Range<usize>, problem: Problem) -> Error {
        let (file, line) = (self.file.to_owned(), line_of(self.bytes, record.start));
        let (column, content, found) = match problem {
            Problem::Ragged { found } => {
                let delimiter = self.dialect.delimiter_name();
                return Error::Ragged { file, line, expected: self.roles.len(), found, delimiter };
            }
            Problem::Cell { column, content, found } => (column, content, found),
        };
        let column = ColumnName { position: column, name: self.header.name(column).map(str::to_owned) };
        let (place, found) = (Location::Line(line), CellText(found));
        match content {
            Content::Missing => Error::Missing { file, place, column, found },
            Content::Infinite => Error::NotFinite { file, place, column, found },
            _ if self.dialect.holds_another(&found.0) => {
                let delimiter = self.dialect.delimiter_name();
                Error::OtherSeparator { file, place, column, found, delimiter }
            }
            _ => Error::NotANumber { file, place, column, found },
        }
    }
}

/// A finite number that fills the cell beginning at `at`, and where the cell ends. The common
/// case; anything else (quotes, trailing blanks, missing values) answers `None`.
#[inline]
fn plain_number(record: &[u8], at: usize, delimiter: u8) -> Option<(f64, usize)> {
    let mut at = at;
    while record.get(at) == Some(&b' ') && delimiter != b' ' {
        at += 1;
    }
    let (value, length) = fast_float2::parse_partial::<f64, _>(&record[at..]).ok()?;
    let end = at + length;
    let whole = end == record.len() || record[end] == delimiter;
    (whole && value.is_finite()).then_some((value, end))
}
