//! The one error type of the crate.
//!
//! Every message names the file, the place in it as an editor or a spreadsheet counts (lines,
//! rows and columns from 1), what was found there, and what to do. How that is said to a program (an option,
//! a key, an argument) is for the program to add: [`Error::remedies`] tells what would help.

use std::borrow::Cow;
use std::fmt;
use std::io;

use fiedler::limits::Bytes;

use crate::survey::MOST_CATEGORIES;

/// What can go wrong between a file and a data set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refuses.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// A file of a kind that is not read, or a feature of a format that is not.
    #[error("{file}: {what}; {advice}")]
    Unsupported {
        /// The file.
        file: String,
        /// What the file is or has.
        what: String,
        /// What to do.
        advice: String,
    },
    /// The file leaves a choice open, or the choice that was made does not fit it.
    #[error("{file}: {what}; {advice}")]
    Choice {
        /// The file.
        file: String,
        /// What the file is or has.
        what: String,
        /// What to choose.
        advice: String,
        /// Where it is chosen.
        remedy: Remedy,
    },
    /// The file breaks the rules of its format.
    #[error("{file}: not a whole {format} file: {found}")]
    Malformed {
        /// The file.
        file: String,
        /// The format it should have.
        format: &'static str,
        /// What breaks the rules, and where.
        found: String,
    },
    /// No data.
    #[error("{file}: {what}; at least one sample and one numeric column are needed")]
    Empty {
        /// The file.
        file: String,
        /// What there is instead of data.
        what: String,
    },
    /// A cell has no value.
    #[error(
        "{file}, {place}, {column}: the value is missing (found {found}); fill it in, drop the {}, \
         or leave the feature out",
        .place.noun()
    )]
    Missing {
        /// The file.
        file: String,
        /// Line or row.
        place: Place,
        /// The column.
        column: ColumnName,
        /// The text that stands for a missing value.
        found: CellText,
    },
    /// A cell that should be a number is not.
    #[error(
        "{file}, {place}, {column}: {found} is not a number; correct it, or, if the column holds the classes, \
         name it as the label, or leave the feature out"
    )]
    NotANumber {
        /// The file.
        file: String,
        /// Line or row.
        place: Place,
        /// The column.
        column: ColumnName,
        /// What was found.
        found: CellText,
    },
    /// A cell that should be a number is not, and holds what may separate fields.
    #[error(
        "{file}, {place}, {column}: {found} is not a number; fields were taken to be separated by {delimiter}, \
         since most lines agree with that"
    )]
    OtherSeparator {
        /// The file.
        file: String,
        /// Line or row.
        place: Place,
        /// The column.
        column: ColumnName,
        /// What was found.
        found: CellText,
        /// The separator, in words.
        delimiter: &'static str,
    },
    /// A cell is infinite or too large for double precision.
    #[error("{file}, {place}, {column}: {found} is not finite; correct it or leave the feature out")]
    NotFinite {
        /// The file.
        file: String,
        /// Line or row.
        place: Place,
        /// The column.
        column: ColumnName,
        /// What was found.
        found: CellText,
    },
    /// Columns that cannot be read as numbers, all of them.
    #[error("{file}: {}", bad_columns(.columns, *.rows))]
    Columns {
        /// The file.
        file: String,
        /// How many samples there are.
        rows: usize,
        /// The columns.
        columns: Vec<BadColumn>,
    },
    /// Two samples have the same name.
    #[error(
        "{file}, {column}: `{name}` is in {first} and in {second}, and the names of samples must differ; \
         correct one of them, or, if the column holds the classes, name it as the label, or leave it out"
    )]
    RepeatedName {
        /// The file.
        file: String,
        /// The column of the names.
        column: ColumnName,
        /// The name.
        name: String,
        /// Where it stands first.
        first: Place,
        /// Where it stands again.
        second: Place,
    },
    /// A line has more or fewer fields than the others.
    #[error(
        "{file}, line {line}: {found} fields where {expected} are expected (fields are separated by {delimiter})"
    )]
    Ragged {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// Fields of the other lines.
        expected: usize,
        /// Fields of this one.
        found: usize,
        /// The separator, in words.
        delimiter: &'static str,
    },
    /// The header does not have one name for every field of the lines below it.
    #[error(
        "{file}, line {line}: the header has {} and the lines below it have {} (fields are separated by \
         {delimiter}); give every column one name",
        counted(.names, "name"),
        counted(.fields, "field")
    )]
    Header {
        /// The file.
        file: String,
        /// The line of the header, counted from 1.
        line: usize,
        /// Names in it.
        names: usize,
        /// Fields of the lines below.
        fields: usize,
        /// The separator, in words.
        delimiter: &'static str,
    },
    /// A line that cannot be understood.
    #[error("{file}, line {line}: {what}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// A quotation mark is never closed.
    #[error("{file}, line {line}: a quotation mark is opened here and never closed")]
    OpenQuote {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// A column or variable that the file does not have.
    #[error("{file}: no {what} is called `{name}`; {known}")]
    Unknown {
        /// The file.
        file: String,
        /// Column or variable.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// What there is, as a sentence.
        known: String,
    },
    /// Labels do not fit the samples.
    #[error("{file}: {what}; {advice}")]
    Labels {
        /// The file with the labels.
        file: String,
        /// What does not fit.
        what: String,
        /// What to do.
        advice: String,
    },
    /// A column that was named as the number to be predicted does not hold one for every sample.
    #[error("{file}: {what}; {advice}")]
    Target {
        /// The file.
        file: String,
        /// What is wrong, with the row.
        what: String,
        /// What to do.
        advice: String,
        /// What would help.
        remedy: Option<Remedy>,
    },
    /// A column of labels was named where every column is a sample.
    #[error(
        "{file}: a label column was named, and with features in rows every column is a sample; give the labels \
         in a file of their own"
    )]
    LabelInRows {
        /// The file.
        file: String,
    },
    /// A variable of labels that has not one for every sample.
    #[error("{file}: {what}; name the variable with one class per sample")]
    LabelVariable {
        /// The file.
        file: String,
        /// What the variable is.
        what: String,
    },
    /// A variable of labels that has one for every feature.
    #[error("{file}: {what}; the data seem to lie the other way round")]
    LabelsTurned {
        /// The file.
        file: String,
        /// What the variable is.
        what: String,
    },
    /// The numbers were read and cannot be a data set.
    #[error("{file}: {source}")]
    Data {
        /// The file.
        file: String,
        /// What the library found.
        source: Box<fiedler::Error>,
    },
    /// A file that is read a part at a time cannot be read any more, or is another one now.
    #[error("{file}: {what}")]
    Lost {
        /// The file.
        file: String,
        /// What happened, and what to do.
        what: String,
    },
    /// Reading takes more memory than it may.
    #[error(
        "{file}: reading it takes more than {limit} of memory, and no more may be taken; read a smaller file, \
         or allow more where the machine has it"
    )]
    Memory {
        /// The file.
        file: String,
        /// The bytes needed, as far as they are known.
        needed: Bytes,
        /// The bytes that may be taken.
        limit: Bytes,
    },
    /// Reading text takes more memory than it may.
    #[error(
        "{file}: reading it takes more than {limit} of memory, for text is held while it is read; make a NumPy array of it, \
         which stays on the disk, or allow more where the machine has it"
    )]
    TextMemory {
        /// The file.
        file: String,
        /// The bytes that may be taken.
        limit: Bytes,
    },
    /// A compressed file that unpacks to far more than it holds.
    #[error(
        "{file}: it unpacks to more than {ratio} times its size, as a damaged or a hostile file does; if you \
         trust it, unpack it first (gunzip, unzip) and read what comes out"
    )]
    Expansion {
        /// The file.
        file: String,
        /// The ratio that is accepted.
        ratio: u64,
    },
    /// A reader failed where it should have answered.
    #[error(
        "{file}: fiedler failed while it read this file, which is a defect of fiedler; please report it, with the \
         file if you can ({what}); where the file may be damaged, write it again"
    )]
    Defect {
        /// The file.
        file: String,
        /// What the reader said.
        what: String,
    },
    /// The caller's monitor asked to stop.
    #[error("stopped on request")]
    Canceled,
}

/// What [`Error::Unknown`] calls the variable of the data, in a MAT, an NPZ and an HDF5 file.
pub(crate) const VARIABLE: &str = "variable";
pub(crate) const ARRAY: &str = "array";
pub(crate) const DATA_SET: &str = "data set";

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

fn data_error(file: &str, source: fiedler::Error) -> Error {
    Error::Data { file: file.to_owned(), source: Box::new(source) }
}

/// What the caller could tell the reader to do otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// [`ReadOptions::label`](crate::ReadOptions::label).
    Label,
    /// [`ReadOptions::target`](crate::ReadOptions::target).
    Target,
    /// [`ReadOptions::labels_file`](crate::ReadOptions::labels_file).
    LabelsFile,
    /// [`ReadOptions::exclude`](crate::ReadOptions::exclude).
    Exclude,
    /// [`ReadOptions::variables`](crate::ReadOptions::variables).
    Variable,
    /// [`ReadOptions::layer`](crate::ReadOptions::layer).
    Layer,
    /// A graph in a file of its own, for [`read_similarity`](crate::read_similarity()).
    GraphFile,
    /// [`ReadOptions::features`](crate::ReadOptions::features).
    Features,
    /// [`ReadOptions::missing`](crate::ReadOptions::missing).
    Missing,
    /// [`Missing::DropRows`](crate::Missing::DropRows).
    DropRows,
    /// [`ReadOptions::categories`](crate::ReadOptions::categories).
    Categories,
    /// [`Categories::Drop`](crate::Categories::Drop), where there are too many values for features.
    DropText,
    /// [`ReadOptions::dates`](crate::ReadOptions::dates).
    Dates,
    /// [`ReadOptions::numeric_only`](crate::ReadOptions::numeric_only).
    NumericOnly,
    /// [`TextOptions::header`](crate::TextOptions::header).
    Header,
    /// The limits of the monitor ([`fiedler::Limits`]).
    Memory,
    /// A table of text as an array of numbers, written a line at a time.
    Array,
}

impl Error {
    /// What would help, in the order in which the message speaks of it; empty where only the file can be
    /// changed.
    pub fn remedies(&self) -> Cow<'_, [Remedy]> {
        Cow::Borrowed(match self {
            Error::Missing { .. } => &[Remedy::Missing, Remedy::Exclude],
            Error::NotFinite { .. } => &[Remedy::Exclude],
            Error::NotANumber { .. } | Error::RepeatedName { .. } => &[Remedy::Label, Remedy::Exclude],
            Error::Columns { columns, .. } => return Cow::Owned(remedies_for(columns)),
            Error::LabelInRows { .. } => &[Remedy::LabelsFile],
            Error::LabelVariable { .. } => &[Remedy::Label],
            Error::LabelsTurned { .. } => &[Remedy::Features],
            Error::Unknown { what: VARIABLE | ARRAY | DATA_SET, .. } => &[Remedy::Variable],
            Error::Choice { remedy, .. } => std::slice::from_ref(remedy),
            Error::Target { remedy, .. } => remedy.as_slice(),
            Error::Header { .. } => &[Remedy::Header],
            Error::Memory { .. } => &[Remedy::Memory],
            Error::TextMemory { .. } => &[Remedy::Array, Remedy::Memory],
            _ => &[],
        })
    }

    pub(crate) fn io(file: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let file = file.into();
        move |source| Error::Io { file, source }
    }

    /// The same about text.
    pub(crate) fn of_text(self) -> Error {
        match self {
            Error::Memory { file, limit, .. } => Error::TextMemory { file, limit },
            other => other,
        }
    }

    pub(crate) fn data(file: &str) -> impl FnOnce(fiedler::Error) -> Error + '_ {
        move |source| match source {
            fiedler::Error::Canceled => Error::Canceled,
            // A file of ours that is read a part at a time has said already which file it is.
            fiedler::Error::Columns(source) => match source.downcast::<Error>() {
                Ok(ours) => *ours,
                Err(source) => data_error(file, fiedler::Error::Columns(source)),
            },
            source => data_error(file, source),
        }
    }

    pub(crate) fn malformed(file: &str, format: &'static str, found: impl Into<String>) -> Error {
        Error::Malformed { file: file.to_owned(), format, found: found.into() }
    }

    pub(crate) fn unsupported(file: &str, what: impl Into<String>, advice: impl Into<String>) -> Error {
        Error::Unsupported { file: file.to_owned(), what: what.into(), advice: advice.into() }
    }
}

/// `1 name`, `2 names`.
fn counted(count: &usize, noun: &str) -> String {
    if *count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Where in a file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file; a quoted line break counts as one.
    Line(usize),
    /// A row of a table without lines; the first sample is row 1.
    Row(usize),
}

impl Place {
    fn noun(self) -> &'static str {
        match self {
            Place::Line(_) => "line",
            Place::Row(_) => "row",
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(n) => write!(f, "line {n}"),
            Place::Row(n) => write!(f, "row {n}"),
        }
    }
}

/// A column of a file: its position, and its name where it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnName {
    /// Counted from 0, all columns of the file included.
    pub position: usize,
    /// The name in the header.
    pub name: Option<String>,
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "column {} (`{name}`)", self.position + 1),
            None => write!(f, "column {} (`x{}`)", self.position + 1, self.position),
        }
    }
}

/// A column that cannot be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadColumn {
    /// The column.
    pub column: ColumnName,
    /// What it holds in place of numbers.
    pub holds: Holds,
    /// In how many cells.
    pub count: usize,
    /// One of them.
    pub example: CellText,
    /// Where that one is.
    pub place: Place,
}

/// What a column holds in place of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Text, of so many different values.
    Text {
        /// How many.
        different: usize,
    },
    /// Days.
    Dates,
    /// Values of a type that is not read; the example names it.
    Typed,
    /// Numbers, and a few cells that are none.
    Slips,
    /// No value.
    Gaps,
    /// Values beyond double precision.
    Infinite,
}

impl fmt::Display for BadColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, count, example, place, .. } = self;
        let cells = if *count == 1 { "cell" } else { "cells" };
        match self.holds {
            Holds::Text { different } if different > MOST_CATEGORIES => write!(
                f,
                "{column}: {count} {cells} of text, more than {MOST_CATEGORIES} different (too many for one feature each), \
                 such as {example} in {place}"
            ),
            Holds::Text { different } => {
                write!(
                    f,
                    "{column}: {count} {cells} of text, {different} different, such as {example} in {place}"
                )
            }
            Holds::Typed => write!(f, "{column}: values of type {}", example.0),
            Holds::Dates => write!(f, "{column}: {count} dates, such as {example} in {place}"),
            Holds::Slips => write!(f, "{column}: {count} {cells} not a number, such as {example} in {place}"),
            Holds::Gaps if example.0.is_empty() => {
                write!(f, "{column}: {count} {cells} missing, the first in {place} (empty)")
            }
            Holds::Gaps => write!(f, "{column}: {count} {cells} missing, the first in {place} ({example})"),
            Holds::Infinite => {
                write!(f, "{column}: {count} {cells} not finite, such as {example} in {place}")
            }
        }
    }
}

/// What would help with these columns.
fn remedies_for(columns: &[BadColumn]) -> Vec<Remedy> {
    use Remedy::{Categories, Dates, DropText, Exclude, Label, Missing, NumericOnly};
    let has = |wanted: fn(Holds) -> bool| columns.iter().any(|c| wanted(c.holds));
    let few = has(|h| matches!(h, Holds::Text { different } if different <= MOST_CATEGORIES));
    let many = has(|h| matches!(h, Holds::Text { different } if different > MOST_CATEGORIES));
    let helps = [
        (has(|h| h == Holds::Gaps), Missing),
        (few, Categories),
        (many && !few, DropText),
        (has(|h| h == Holds::Dates), Dates),
        (has(|h| !matches!(h, Holds::Gaps | Holds::Infinite)), NumericOnly),
        (few || many, Label),
        (true, Exclude),
    ];
    helps.into_iter().filter(|(helps, _)| *helps).map(|(_, remedy)| remedy).collect()
}

/// All of them, as far as they fit.
fn bad_columns(columns: &[BadColumn], rows: usize) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = columns.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = match columns.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let noun = if columns.len() == 1 { "column" } else { "columns" };
    format!("{} {noun} of {rows} cells cannot be read as numbers: {}{more}", columns.len(), shown.join("; "))
}

/// The text of a cell, shortened when long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellText(pub String);

impl fmt::Display for CellText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        match self.0.chars().nth(LONGEST) {
            _ if self.0.is_empty() => f.write_str("nothing"),
            None => write!(f, "`{}`", self.0),
            Some(_) => write!(f, "`{}…`", self.0.chars().take(LONGEST).collect::<String>()),
        }
    }
}
