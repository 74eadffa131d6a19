//! The one error type of the crate.
//!
//! Every message names the file, the place in it as an editor or a spreadsheet counts (lines,
//! rows and columns from 1), what was found there, and what to do. How that is said to a program (an option,
//! a key, an argument) is for the program to add: [`Error::remedies`] tells what would help.

mod location;
mod remedy;

use std::io;

use fiedler::limits::Bytes;
pub use location::{BadColumn, CellText, ColumnName, Holds, Location};
use location::{bad_columns, counted};

use crate::options::Format;
pub use remedy::Remedy;

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
        place: Location,
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
        place: Location,
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
        place: Location,
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
        place: Location,
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
        first: Location,
        /// Where it stands again.
        second: Location,
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
        "{file}: reading it takes more than {limit} of memory, which is the limit; allow more where the machine has it, \
         or read a smaller file"
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
    /// Reading a file that cannot stay on the disk takes more memory than it may.
    #[error(
        "{file}: reading it takes more than {limit} of memory, for {why}; {advice}, or allow more where the machine has it"
    )]
    WholeMemory {
        /// The file.
        file: String,
        /// The bytes that may be taken.
        limit: Bytes,
        /// Why all of it is held.
        why: &'static str,
        /// What stays on the disk instead.
        advice: &'static str,
    },
    /// Of a file that stays on the disk not even a few columns fit.
    #[error(
        "{file}: reading it takes more than {limit} of memory, for it is read some columns at a time, and these take {needed}; \
         allow that much where the machine has it"
    )]
    ColumnsMemory {
        /// The file.
        file: String,
        /// The bytes with which they fit.
        needed: Bytes,
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

impl Error {
    pub(crate) fn io(file: impl Into<String>) -> impl FnOnce(io::Error) -> Error {
        let file = file.into();
        move |source| Error::Io { file, source }
    }

    /// Not even the few columns of a file that are held at a time fit, which take so many bytes. Amounts are printed with two digits:
    /// rounded down they would not do.
    pub(crate) fn columns_memory(file: &str, needed: u64, limit: Bytes) -> Error {
        let needed = Bytes(needed.saturating_add(needed / 20));
        Error::ColumnsMemory { file: file.to_owned(), needed, limit }
    }

    /// The same about a file that is held as a whole, compressed or of that format.
    pub(crate) fn of_whole(self, is_compressed: bool, format: Format) -> Error {
        let (why, advice) = match format {
            Format::Npz | Format::Mat | Format::Libsvm | Format::Mtx => (
                "files of this kind are held as a whole",
                "write it as .npy or, if it is sparse, as .h5ad, which stay on the disk",
            ),
            _ if is_compressed => {
                ("what is compressed as a whole is unpacked into it", "unpack it first (gunzip)")
            }
            _ => return self,
        };
        self.of_whole_because(why, advice)
    }

    pub(crate) fn of_whole_because(self, why: &'static str, advice: &'static str) -> Error {
        match self {
            Error::Memory { file, limit, .. } => Error::WholeMemory { file, limit, why, advice },
            other => other,
        }
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
