//! MATLAB files of version 5 (what `save -v6` and `save -v7` write).
//!
//! A file is a list of named arrays, each of which may be compressed. `X` holds the data (dense,
//! or sparse and then never made dense), `Y` the classes as numbers, characters or a cell array
//! of texts; a vector of either orientation will do. An array of doubles is stored in the smallest
//! type that holds it, and kept in single precision where that is exact.

mod element;

use std::borrow::Cow;
use std::io::Read;

use fiedler::dataset::Order;
use flate2::read::ZlibDecoder;

use crate::error::VARIABLE;
use crate::input::check_expansion;
use crate::matrix::{Matrix, Numbers, Storage};
use crate::memory::Budget;
use crate::options::{MatVariables, Orientation, ReadOptions};
use crate::table::{LabelColumn, Raw, RawLabel, number_label};
use crate::{Error, Result};
use element::{COMPRESSED, Element, Elements, MATRIX, Parsed};

const FORMAT: &str = "MAT";

/// Classes of arrays.
const CELL: u32 = 1;
const CHARACTERS: u32 = 4;
const SPARSE: u32 = 5;
const NUMERIC: std::ops::RangeInclusive<u32> = 6..=15;
const COMPLEX: u32 = 0x0800;

/// Bytes that hold flags, dimensions and name of any variable.
const HEAD: u64 = 1024;

/// Bytes that an entry of a row takes which holds nothing: every sample of a sparse matrix has a place in
/// vectors of this many bytes.
const PER_ROW: usize = 16;

/// Bytes that are inflated at a time.
const STEP: u64 = 1 << 20;

/// Reads the data variable and, if it is there, the variable of the classes; `file` is the name of the file
/// and the memory it may take.
pub(crate) fn read(bytes: &[u8], (file, budget): (&str, &Budget), options: &ReadOptions) -> Result<Raw> {
    let bad = |found: &'static str| Error::malformed(file, FORMAT, found);
    // Version 5 begins with a text, version 4 with small numbers.
    if bytes.get(..4).is_some_and(|start| start.contains(&0)) {
        let advice = "save it again with `-v7` (scipy: format='5')";
        return Err(Error::unsupported(file, "a MAT file of version 4", advice));
    }
    let header = bytes.get(..128).ok_or_else(|| bad("the header is cut off"))?;
    let elements = Elements { rest: &bytes[128..], big_endian: &header[126..128] == b"MI" };
    let variables = list(elements).map_err(bad)?;
    let mut notes = Vec::new();
    let wanted = Wanted::new(&variables, options, &mut notes);
    let x = wanted.x.ok_or_else(|| {
        unknown(file, (VARIABLE, &options.variables.x), &variables, "; say which holds the data")
    })?;
    let place = Place { file, budget };
    let matrix = x.matrix(place)?;
    let mut raw = Raw::bare(matrix);
    raw.notes = notes;
    if let (Some(label), None) = (options.outcome(), wanted.y) {
        let what = if options.target.is_some() { "variable of the target" } else { "variable of labels" };
        return Err(unknown(file, (what, label.as_str()), &variables, ""));
    }
    if let Some(y) = wanted.y {
        let column = LabelColumn { name: y.name.clone(), first: false };
        match y.labels(place, (raw.body.rows(), raw.body.columns()), options.features) {
            Ok(texts) => raw.label = Some(RawLabel { column, texts }),
            // Nobody asked for them: who needs no labels is not stopped by these.
            Err(Error::LabelVariable { what, .. } | Error::Unsupported { what, .. })
                if options.outcome().is_none() =>
            {
                raw.notes.push(format!("{what}: the data are read without labels"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(raw)
}

/// The file and the memory it may take.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a str,
    budget: &'a Budget,
}

impl Place<'_> {
    fn bad(self, found: &'static str) -> Error {
        Error::malformed(self.file, FORMAT, found)
    }
}

/// The variables that are asked for.
struct Wanted<'a, 'b> {
    x: Option<&'a Variable<'b>>,
    y: Option<&'a Variable<'b>>,
}

impl<'a, 'b> Wanted<'a, 'b> {
    /// By name; where the default names are not there, by the other pair that data sets of this
    /// field are published with.
    fn new(variables: &'a [Variable<'b>], options: &ReadOptions, notes: &mut Vec<String>) -> Self {
        let find = |name: &str| variables.iter().find(|v| v.name == name);
        let MatVariables { x, y } = &options.variables;
        let y = options.outcome().map_or(y.as_str(), |l| l.as_str());
        let found = Wanted { x: find(x), y: find(y) };
        match (found.x, find("fea")) {
            (None, Some(fea)) if options.variables == MatVariables::default() => {
                notes.push("there is no variable `X`; `fea` was taken, and `gnd` for the classes".to_owned());
                Wanted { x: Some(fea), y: found.y.or_else(|| find("gnd")) }
            }
            _ => found,
        }
    }
}

/// A named array; its content is read when asked for.
struct Variable<'a> {
    name: String,
    dimensions: Vec<usize>,
    class: u32,
    flags: u32,
    body: Body<'a>,
    big_endian: bool,
}

#[derive(Clone, Copy)]
enum Body<'a> {
    Plain(&'a [u8]),
    Deflated(&'a [u8]),
}

fn list(elements: Elements<'_>) -> Parsed<Vec<Variable<'_>>> {
    let big_endian = elements.big_endian;
    let mut variables = Vec::new();
    for element in elements {
        let Element { kind, data } = element?;
        let (head, body) = match kind {
            MATRIX => (Cow::Borrowed(data), Body::Plain(data)),
            COMPRESSED => (Cow::Owned(head(data)?), Body::Deflated(data)),
            _ => continue,
        };
        // What was inflated is an element with a tag of its own.
        let skip = if kind == COMPRESSED { 8 } else { 0 };
        let rest = head.get(skip..).ok_or("a variable is cut off")?;
        let (name, dimensions, flags) = preamble(&mut Elements { rest, big_endian })?;
        variables.push(Variable { name, dimensions, class: flags & 0xff, flags, body, big_endian });
    }
    Ok(variables)
}

/// Name, dimensions and flags: what every array begins with.
fn preamble(parts: &mut Elements<'_>) -> Parsed<(String, Vec<usize>, u32)> {
    let flags = *parts.integers()?.first().ok_or("an array has no flags")? as u32;
    let dimensions = parts.integers()?.into_iter().map(|d| d.max(0) as usize).collect();
    let name = parts.required()?.data;
    Ok((String::from_utf8_lossy(name).into_owned(), dimensions, flags))
}

/// The first bytes of what is compressed; the rest may be cut off or unwanted.
fn head(data: &[u8]) -> Parsed<Vec<u8>> {
    let mut bytes = Vec::new();
    match ZlibDecoder::new(data).take(HEAD).read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(DAMAGED),
    }
}

const DAMAGED: &str = "a compressed variable is damaged";

impl Variable<'_> {
    /// The array as a matrix of numbers.
    fn matrix(&self, place: Place<'_>) -> Result<Matrix> {
        let Place { file, budget } = place;
        let refuse = |what: &str| {
            let what = format!("variable `{}` is {what}", self.name);
            Err(Error::unsupported(file, what, "a matrix of real numbers, samples × features, is needed"))
        };
        if self.class != SPARSE && !NUMERIC.contains(&self.class) {
            return refuse("not numeric");
        }
        if self.flags & COMPLEX != 0 {
            return refuse("complex");
        }
        let &[rows, columns] = self.dimensions.as_slice() else {
            return refuse("of more than two dimensions");
        };
        let body = self.body(place)?;
        if self.class == SPARSE {
            budget.take_items(body.len(), 4)?;
            budget.take_items(rows, PER_ROW)?;
        } else {
            budget.take_items(rows.saturating_mul(columns).min(body.len()), 8)?;
        }
        let mut parts = Elements { rest: &body, big_endian: self.big_endian };
        self.content(&mut parts, rows, columns).map_err(|e| place.bad(e))
    }

    fn content(&self, parts: &mut Elements<'_>, rows: usize, columns: usize) -> Parsed<Matrix> {
        preamble(parts)?;
        if self.class == SPARSE {
            return sparse(parts, rows, columns);
        }
        let values = parts.required()?.numbers(self.big_endian)?;
        if Some(values.len()) != rows.checked_mul(columns) {
            return Err("an array is shorter or longer than its dimensions say");
        }
        Ok(Matrix::dense(values, rows, columns, Order::ColumnMajor))
    }

    /// What stands behind the tag of the variable, inflated as far as memory may be taken.
    fn body(&self, place: Place<'_>) -> Result<Cow<'_, [u8]>> {
        let data = match self.body {
            Body::Plain(data) => return Ok(Cow::Borrowed(data)),
            Body::Deflated(data) => data,
        };
        let mut decoder = ZlibDecoder::new(data);
        let mut bytes = Vec::new();
        loop {
            place.budget.reserve(&mut bytes, STEP as usize)?;
            let step = (&mut decoder).take(STEP).read_to_end(&mut bytes).map_err(|_| place.bad(DAMAGED))?;
            place.budget.take(step as u64)?;
            check_expansion(place.file, data.len() as u64, bytes.len() as u64)?;
            if step == 0 {
                bytes.drain(..8.min(bytes.len()));
                return Ok(Cow::Owned(bytes));
            }
        }
    }

    /// One label per sample.
    fn labels(
        &self,
        place: Place<'_>,
        (rows, columns): (usize, usize),
        features: Orientation,
    ) -> Result<Vec<Option<String>>> {
        let file = place.file;
        let (samples, others) = match features {
            Orientation::Columns => (rows, columns),
            Orientation::Rows => (columns, rows),
        };
        let is_vector = self.class == CHARACTERS || self.dimensions.iter().filter(|d| **d != 1).count() <= 1;
        let labels = match self.class {
            _ if !is_vector => Vec::new(),
            // Rows that nothing stands in take no bytes of the file: they are not believed.
            CHARACTERS if ![samples, others].contains(&self.dimensions.first().copied().unwrap_or(0)) => {
                Vec::new()
            }
            CELL | CHARACTERS => self.texts(place)?,
            _ => {
                let y = self.matrix(place)?;
                (0..y.columns).flat_map(|j| y.column(j)).map(number_label).collect()
            }
        };
        if labels.len() == samples {
            return Ok(labels);
        }
        let name = &self.name;
        if labels.len() == others {
            let what = format!("variable `{name}` has {} labels for {samples} samples", labels.len());
            return Err(Error::LabelsTurned { file: file.to_owned(), what });
        }
        let shape: Vec<String> = self.dimensions.iter().map(usize::to_string).collect();
        let what = format!(
            "variable `{name}` is {}, not one label for each of {samples} samples",
            shape.join(" × ")
        );
        Err(Error::LabelVariable { file: file.to_owned(), what })
    }

    fn texts(&self, place: Place<'_>) -> Result<Vec<Option<String>>> {
        let body = self.body(place)?;
        place.budget.take_items(body.len(), 8)?;
        let mut parts = Elements { rest: &body, big_endian: self.big_endian };
        self.texts_of(&mut parts).map_err(|e| place.bad(e))
    }

    fn texts_of(&self, parts: &mut Elements<'_>) -> Parsed<Vec<Option<String>>> {
        preamble(parts)?;
        if self.class == CHARACTERS {
            let characters = parts.required()?.characters(self.big_endian)?;
            let rows = self.dimensions.first().copied().unwrap_or(0);
            return Ok((0..rows).map(|i| Some(text_row(&characters, i, rows))).collect());
        }
        let mut texts = Vec::new();
        for cell in *parts {
            let mut inner = Elements { rest: cell?.data, big_endian: self.big_endian };
            let (_, dimensions, flags) = preamble(&mut inner)?;
            if flags & 0xff != CHARACTERS {
                return Err("a cell array of classes holds something else than text");
            }
            let rows = dimensions.first().copied().unwrap_or(0);
            texts.push(match inner.next() {
                Some(element) if rows > 0 => Some(text_row(&element?.characters(self.big_endian)?, 0, rows)),
                _ => None,
            });
        }
        Ok(texts)
    }
}

/// Row `i` of a character matrix of `rows` rows, which lies column after column.
fn text_row(characters: &[char], i: usize, rows: usize) -> String {
    characters.iter().skip(i).step_by(rows).collect()
}

fn sparse(parts: &mut Elements<'_>, rows: usize, columns: usize) -> Parsed<Matrix> {
    let broken = "a sparse array does not fit its dimensions";
    let entry_rows = parts.integers()?;
    let offsets = parts.integers()?;
    let values = parts.required()?.numbers(parts.big_endian)?;
    let offsets: Vec<usize> = offsets.into_iter().map(|o| usize::try_from(o).unwrap_or(usize::MAX)).collect();
    let count = *offsets.last().ok_or(broken)?;
    // The arrays may be longer than the entries: room that was reserved.
    if Some(offsets.len()) != columns.checked_add(1) || count > entry_rows.len() || count > values.len() {
        return Err(broken);
    }
    let entry_rows: Vec<u32> =
        entry_rows[..count].iter().map(|&r| u32::try_from(r).unwrap_or(u32::MAX)).collect();
    let values = match values {
        Numbers::F32(mut v) => {
            v.truncate(count);
            Numbers::F32(v)
        }
        Numbers::F64(mut v) => {
            v.truncate(count);
            Numbers::F64(v)
        }
    };
    let ascending = offsets[0] == 0 && offsets.windows(2).all(|w| w[0] <= w[1]);
    if !ascending || entry_rows.iter().any(|&r| r as usize >= rows) {
        return Err(broken);
    }
    Ok(Matrix { rows, columns, storage: Storage::Sparse { offsets, rows: entry_rows, values } })
}

fn unknown(
    file: &str,
    (what, name): (&'static str, &str),
    variables: &[Variable<'_>],
    advice: &str,
) -> Error {
    let describe = |v: &Variable<'_>| {
        let shape: Vec<String> = v.dimensions.iter().map(usize::to_string).collect();
        format!("`{}` ({})", v.name, shape.join(" × "))
    };
    let all = variables.iter().map(describe).collect::<Vec<_>>().join(", ");
    let known = format!("the variables are {all}{advice}");
    Error::Unknown { file: file.to_owned(), what, name: name.to_owned(), known }
}
