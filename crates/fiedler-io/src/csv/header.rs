//! Whether a file begins with names, and what its columns are.

use super::cells::{Content, cell, cells, text};
use super::dialect::{Dialect, sample};
use super::records::Records;
use crate::Result;
use crate::dates::Orders;
use crate::error::ColumnName;
use crate::names::{is_corner, is_id, make_unique};
use crate::options::{ColumnRef, Orientation, ReadOptions};
use crate::table::{label_in_rows, names_in_rows, unknown_column, unnamed, wanted};

/// The shape of a file, from its first records.
pub(super) struct Header {
    /// Whether the first record holds names.
    pub(super) present: bool,
    /// The names of all columns; empty text for the corner over row names.
    pub(super) names: Option<Vec<String>>,
    /// Names that several columns have in the file.
    pub(super) repeated: Vec<String>,
    /// Number of fields of a record.
    pub(super) width: usize,
    /// Whether the first column holds text.
    pub(super) first_is_text: bool,
    /// See [`Header::numbers_name_rows`].
    numbers_name_rows: bool,
    /// Whether records end with a separator, after which there is nothing.
    trailing: bool,
}

/// What is done with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Read as numbers into this place of a row.
    Number(usize),
    /// `yes` and `no` as 1 and 0 into this place of a row.
    Truth(usize),
    /// Dates as days since 1970-01-01 into this place of a row.
    Days(usize, Orders),
    /// 1 into one of the places from this one on, one for each value.
    OneHot(usize),
    /// Read as text: the classes.
    Label,
    /// Read as text: names of the rows.
    Names,
    /// Not read.
    Skip,
    /// Nothing, after the separator that ends every record.
    Nothing,
}

/// A header that has more or fewer names than the lines below it have fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) names: usize,
    pub(super) fields: usize,
}

impl Header {
    /// Looks at the first records of `bytes`.
    ///
    /// # Errors
    /// [`Mismatch`] when the header does not have one name for every field of the lines.
    pub(super) fn detect(
        bytes: &[u8],
        dialect: &Dialect,
        options: &ReadOptions,
        notes: &mut Vec<String>,
    ) -> Result<Header, Mismatch> {
        let records: Vec<Vec<Content>> = sample(bytes, dialect.delimiter)
            .map(|r| cells(r, dialect.delimiter).map(|c| dialect.notation.read(&c)).collect())
            .collect();
        let first: &[Content] = records.first().map_or(&[], Vec::as_slice);
        let below = records.get(1..).unwrap_or(&[]);
        let counted = match Counted::new(bytes, dialect.delimiter, first) {
            _ if below.is_empty() || options.text.numbers_are_data => Counted::No,
            counted => counted,
        };
        let short = below.first().is_some_and(|r| r.len() == first.len() + 1);
        let short = short && (first.contains(&Content::Text) || first_is_text(below));
        let present = options
            .text
            .header
            .unwrap_or(short || counted == Counted::Columns || names_columns(first, below));
        notes.extend(counted.note().filter(|_| options.text.header.is_none()));
        let data = if present { below } else { &records };
        let first_is_text = first_is_text(data);
        let mut header = Header {
            present,
            names: None,
            repeated: Vec::new(),
            width: usual_width(data).unwrap_or(first.len()),
            first_is_text,
            numbers_name_rows: false,
            trailing: false,
        };
        let ends = |skip: usize| {
            sample(bytes, dialect.delimiter).skip(skip).all(|r| r.ends_with(&[dialect.delimiter]))
        };
        let width = header.width;
        // R leaves out the title over names: where those are text, the last field is a value.
        header.trailing =
            width > 1 && (ends(0) || present && !first_is_text && first.len() + 1 == width && ends(1));
        if header.trailing {
            let every = if ends(0) { "every line" } else { "every line but the header" };
            notes.push(format!("{every} ends with a separator: the column of nothing after it is left out"));
        }
        if present {
            let record = sample(bytes, dialect.delimiter).next().unwrap_or(b"");
            let names = cells(record, dialect.delimiter).map(|c| text(&c)).collect();
            header.take_names(names, notes)?;
        }
        Ok(header)
    }

    /// Makes the names fit the fields, one for each.
    fn take_names(&mut self, mut names: Vec<String>, notes: &mut Vec<String>) -> Result<(), Mismatch> {
        let mismatch = Mismatch { names: names.len(), fields: self.width };
        if names.len() > self.width && names[self.width..].iter().all(String::is_empty) {
            notes.push(
                "the header ends with a separator: the title of nothing after it is left out".to_owned(),
            );
            names.truncate(self.width);
        }
        if names.len() + 1 == self.width && self.trailing {
            names.push(String::new());
        } else if names.len() + 1 == self.width {
            names.insert(0, String::new());
            self.numbers_name_rows = !self.first_is_text;
        }
        if names.len() != self.width {
            return Err(mismatch);
        }
        let end = names.len() - usize::from(self.trailing);
        self.repeated = make_unique(&mut names[..end], "column", notes);
        self.names = Some(names);
        Ok(())
    }

    /// Whether the header has no title for the first column, and that holds numbers: they name the
    /// rows where they are whole and differ, as the row numbers that R writes.
    pub(super) fn numbers_name_rows(&self) -> bool {
        self.numbers_name_rows
    }

    /// The header as it stands in the file, with one title less.
    pub(super) fn mismatch(&self) -> Mismatch {
        Mismatch { names: self.width - 1, fields: self.width }
    }

    /// Whether the first column holds numbers that name the samples, should they differ: its title
    /// says so, and the user does not speak of it as a feature or as the classes.
    pub(super) fn may_be_ids(&self, file: &str, options: &ReadOptions) -> Result<bool> {
        let Some(title) = self.name(0) else { return Ok(false) };
        let features = options.include.iter().flatten().chain(&options.exclude);
        Ok(is_id(title)
            && !self.first_is_text
            && options.features == Orientation::Columns
            && options.names.is_none()
            && self.label(file, options)? != Some(0)
            && features.into_iter().all(|f| f != title))
    }

    /// The role of every column; `ids` tells that the first one names the samples.
    pub(super) fn roles(&self, file: &str, options: &ReadOptions, ids: bool) -> Result<Vec<Role>> {
        let label = self.label(file, options)?;
        let titled = self.names.as_ref().map(|n| n[0].as_str());
        let first_names = ids
            || self.first_is_text
            || match options.features {
                Orientation::Columns => matches!(titled, Some("" | "Unnamed: 0")),
                Orientation::Rows => titled.is_some_and(is_corner),
            };
        let named = match &options.names {
            Some(_) if options.features == Orientation::Rows => return Err(names_in_rows(file)),
            Some(column) => Some(self.find(file, column)?),
            None => first_names.then_some(0).filter(|c| Some(*c) != label && !self.is_excluded(*c, options)),
        };
        let mut roles = vec![Role::Skip; self.width];
        if let Some(l) = label {
            roles[l] = Role::Label;
        }
        if let Some(c) = named {
            roles[c] = Role::Names;
        }
        let end = self.width - usize::from(self.trailing);
        roles[end..].fill(Role::Nothing);
        let numeric: Vec<usize> = (0..end).filter(|&c| Some(c) != label && Some(c) != named).collect();
        for (place, at) in self.kept(file, &numeric, options)?.into_iter().enumerate() {
            roles[numeric[at]] = Role::Number(place);
        }
        Ok(roles)
    }

    /// Whether the user leaves a column out.
    fn is_excluded(&self, column: usize, options: &ReadOptions) -> bool {
        let name = self.name(column).filter(|_| options.features == Orientation::Columns);
        name.is_some_and(|name| options.exclude.iter().any(|excluded| excluded == name))
    }

    /// What the user should know of the first column: that it is no feature although nobody said so,
    /// or that it is a sample.
    pub(super) fn first_column(&self, roles: &[Role], options: &ReadOptions) -> Option<String> {
        let title = self.name(0);
        if options.names.is_some() || title.is_some_and(is_corner) {
            return None;
        }
        let column = ColumnName { position: 0, name: title.map(str::to_owned) };
        match (options.features, roles.first()?) {
            (Orientation::Columns, Role::Names) => Some(format!("{column} holds text and names the samples")),
            (Orientation::Rows, Role::Number(_)) if title.is_some() => Some(format!(
                "{column} holds numbers and is a sample; if it names the features, call it `feature`"
            )),
            _ => None,
        }
    }

    /// The name of a column as errors and data sets use it.
    pub(super) fn name(&self, column: usize) -> Option<&str> {
        self.names.as_ref().and_then(|n| n.get(column)).map(String::as_str)
    }

    fn label(&self, file: &str, options: &ReadOptions) -> Result<Option<usize>> {
        let Some(label) = options.outcome() else { return Ok(None) };
        if options.features == Orientation::Rows {
            return Err(label_in_rows(file));
        }
        self.find(file, label).map(Some)
    }

    fn find(&self, file: &str, column: &ColumnRef) -> Result<usize> {
        let names = self.names.as_deref();
        let named = |name: &str| match names {
            Some(names) => names.iter().position(|n| n == name),
            None => unnamed(name).filter(|&c| c < self.width),
        };
        let found = column.resolve(self.width, named);
        found.ok_or_else(|| unknown_column(file, column.as_str(), names, self.width))
    }

    /// Which of the `numeric` columns are wanted, as places in that list.
    fn kept(&self, file: &str, numeric: &[usize], options: &ReadOptions) -> Result<Vec<usize>> {
        let all = options.include.is_none() && options.exclude.is_empty();
        if all || options.features == Orientation::Rows {
            return Ok((0..numeric.len()).collect());
        }
        let name = |&c: &usize| self.name(c).map_or(format!("x{c}"), str::to_owned);
        let names: Vec<String> = numeric.iter().map(name).collect();
        wanted(file, &names, options.include.as_deref(), &options.exclude)
    }
}

/// A first record holds names when it has text over numbers, or text over nothing but text.
/// Text over text alone proves nothing: `5.1, 3.5, setosa` may be the first of many flowers.
fn names_columns(first: &[Content], below: &[Vec<Content>]) -> bool {
    let text = |c: usize| first[c] == Content::Text;
    let number_below = |c: usize| below.iter().any(|r| matches!(r.get(c), Some(Content::Number(_))));
    let numbers = (0..first.len()).filter(|&c| number_below(c)).count();
    (0..first.len()).any(|c| text(c) && (number_below(c) || numbers == 0))
}

/// Whether the first column holds nothing but text, as far as it holds anything.
fn first_is_text(records: &[Vec<Content>]) -> bool {
    let mut cells = records.iter().filter_map(|r| r.first()).filter(|c| **c != Content::Missing).peekable();
    cells.peek().is_some() && cells.all(|c| *c == Content::Text)
}

/// The number of fields that most records have; of equally many, what comes first.
fn usual_width(records: &[Vec<Content>]) -> Option<usize> {
    let count = |width: usize| records.iter().filter(|r| r.len() == width).count();
    let most = records.iter().map(|r| count(r.len())).max()?;
    records.iter().map(Vec::len).find(|&width| count(width) == most)
}

/// What a first record of 0, 1, 2, … is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    No,
    /// Column numbers, as data frames without names are written.
    Columns,
    /// A row of a table of pairs, such as distances: the first column counts as well.
    Pairs,
}

impl Counted {
    fn note(self) -> Option<String> {
        let note = match self {
            Counted::No => return None,
            Counted::Columns => "the first line counts the columns and was taken for their names",
            Counted::Pairs => "first line and first column count 0, 1, 2, … alike and are read as data",
        };
        Some(note.to_owned())
    }

    fn new(bytes: &[u8], delimiter: u8, first: &[Content]) -> Self {
        let numbers: Vec<f64> =
            first.iter().filter_map(|c| if let Content::Number(v) = c { Some(*v) } else { None }).collect();
        if numbers.len() < 3 || !numbers.iter().enumerate().all(|(i, &v)| v == i as f64) {
            return Counted::No;
        }
        let counts = |i: usize, record: &[u8]| text(&cell(record, 0, delimiter).0).parse() == Ok(i);
        let rows = Records::new(bytes, delimiter).map_while(Result::ok).take(first.len() + 1);
        let rows: Vec<bool> = rows.enumerate().map(|(i, r)| counts(i, &bytes[r])).collect();
        let pairs = first.len() == numbers.len() && rows.len() == first.len() && rows.iter().all(|&c| c);
        if pairs { Counted::Pairs } else { Counted::Columns }
    }
}
