//! Whether a file begins with names, and what its columns are.

use super::cells::{Content, cells, text};
use super::dialect::{Dialect, sample};
use crate::Result;
use crate::error::ColumnName;
use crate::names::{is_corner, is_id, make_unique};
use crate::options::{ColumnRef, Orientation, ReadOptions};
use crate::table::{label_in_rows, names_in_rows, unknown_column, wanted};

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
    first_is_text: bool,
    /// Whether records end with a separator, after which there is nothing.
    trailing: bool,
}

/// What is done with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Read as numbers into this place of a row.
    Number(usize),
    /// Read as text: the classes.
    Label,
    /// Read as text: names of the rows.
    Names,
    /// Not read.
    Skip,
    /// Nothing, after the separator that ends every record.
    Nothing,
}

impl Header {
    /// Looks at the first records of `bytes`.
    pub(super) fn detect(
        bytes: &[u8],
        dialect: &Dialect,
        options: &ReadOptions,
        notes: &mut Vec<String>,
    ) -> Header {
        let records: Vec<Vec<Content>> = sample(bytes, dialect.delimiter)
            .map(|r| cells(r, dialect.delimiter).map(|c| dialect.notation.read(&c)).collect())
            .collect();
        let first: &[Content] = records.first().map_or(&[], Vec::as_slice);
        let below = records.get(1..).unwrap_or(&[]);
        let counts_up = counts_up(first) && !below.is_empty();
        let short = below.first().is_some_and(|r| r.len() == first.len() + 1);
        let present = options.text.header.unwrap_or(short || counts_up || names_columns(first, below));
        if present && counts_up && options.text.header.is_none() {
            notes.push("the first line counts the columns and was taken for their names".to_owned());
        }
        let data = if present { below } else { &records };
        let width = data.first().map_or(first.len(), Vec::len);
        let trailing =
            width > 1 && sample(bytes, dialect.delimiter).all(|r| r.ends_with(&[dialect.delimiter]));
        if trailing {
            notes.push(
                "every line ends with a separator: the column of nothing after it is left out".to_owned(),
            );
        }
        let mut repeated = Vec::new();
        let names = present.then(|| {
            let record = sample(bytes, dialect.delimiter).next().unwrap_or(b"");
            let mut names: Vec<String> = cells(record, dialect.delimiter).map(|c| text(&c)).collect();
            if names.len() + 1 == width {
                names.insert(0, String::new());
            }
            let end = names.len() - usize::from(trailing);
            repeated = make_unique(&mut names[..end], "column", notes);
            names
        });
        let mut first_cells =
            data.iter().filter_map(|r| r.first()).filter(|c| **c != Content::Missing).peekable();
        let first_is_text = first_cells.peek().is_some() && first_cells.all(|c| *c == Content::Text);
        Header { present, names, repeated, width, first_is_text, trailing }
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
            None => first_names.then_some(0).filter(|c| Some(*c) != label),
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
        let Some(label) = &options.label else { return Ok(None) };
        if options.features == Orientation::Rows {
            return Err(label_in_rows(file));
        }
        self.find(file, label).map(Some)
    }

    fn find(&self, file: &str, column: &ColumnRef) -> Result<usize> {
        let names = self.names.as_deref();
        let named = |name: &str| names.and_then(|n| n.iter().position(|n| n == name));
        let found = column.resolve(self.width, named);
        found.ok_or_else(|| unknown_column(file, column.as_str(), names, self.width))
    }

    /// Which of the `numeric` columns are wanted, as places in that list.
    fn kept(&self, file: &str, numeric: &[usize], options: &ReadOptions) -> Result<Vec<usize>> {
        let all = options.include.is_none() && options.exclude.is_empty();
        if all || options.features == Orientation::Rows {
            return Ok((0..numeric.len()).collect());
        }
        let name = |(place, &c): (usize, &usize)| self.name(c).map_or(format!("x{place}"), str::to_owned);
        let names: Vec<String> = numeric.iter().enumerate().map(name).collect();
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

/// Whether the numbers of a record are 0, 1, 2, …: column numbers, as data frames without names
/// are written.
fn counts_up(first: &[Content]) -> bool {
    let numbers: Vec<f64> =
        first.iter().filter_map(|c| if let Content::Number(v) = c { Some(*v) } else { None }).collect();
    numbers.len() >= 3 && numbers.iter().enumerate().all(|(i, &v)| v == i as f64)
}
