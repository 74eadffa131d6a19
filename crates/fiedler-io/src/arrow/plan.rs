//! Which columns of a typed table are numbers, which names, which classes.

use arrow_schema::{DataType, Schema};

use crate::error::ColumnName;
use crate::names::make_unique;
use crate::options::{Orientation, ReadOptions};
use crate::table::{LabelColumn, label_in_rows, unknown_column, wanted};
use crate::{Error, Result};

/// The parts of a table, as positions in its schema.
pub(super) struct Plan {
    pub(super) numbers: Vec<usize>,
    pub(super) row_names: Option<usize>,
    pub(super) label: Option<usize>,
    /// Whether single precision holds all numbers exactly.
    pub(super) single: bool,
    /// The names of all columns, made different from one another.
    pub(super) names: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// What a type holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number { single: bool },
    Text,
    Other,
}

fn kind(data_type: &DataType) -> Kind {
    use DataType as T;
    match data_type {
        T::Int8 | T::Int16 | T::UInt8 | T::UInt16 | T::Boolean | T::Float16 | T::Float32 => {
            Kind::Number { single: true }
        }
        T::Int32 | T::Int64 | T::UInt32 | T::UInt64 | T::Float64 | T::Decimal128(..) => {
            Kind::Number { single: false }
        }
        T::Utf8 | T::LargeUtf8 | T::Utf8View => Kind::Text,
        T::Dictionary(_, values) if kind(values) == Kind::Text => Kind::Text,
        _ => Kind::Other,
    }
}

impl Plan {
    pub(super) fn new(schema: &Schema, file: &str, options: &ReadOptions) -> Result<Plan> {
        let mut notes = Vec::new();
        let mut names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
        make_unique(&mut names, "column", &mut notes);
        let kinds: Vec<Kind> = schema.fields().iter().map(|f| kind(f.data_type())).collect();
        let label = label(&names, file, options)?;
        let row_names = row_names(&names, &kinds, options.features).filter(|&c| Some(c) != label);
        let rest: Vec<usize> =
            (0..names.len()).filter(|&c| Some(c) != label && Some(c) != row_names).collect();
        let numbers: Vec<usize> = if options.features == Orientation::Columns {
            let candidates: Vec<String> = rest.iter().map(|&c| names[c].clone()).collect();
            let kept = wanted(file, &candidates, options.include.as_deref(), &options.exclude)?;
            kept.into_iter().map(|at| rest[at]).collect()
        } else {
            rest
        };
        if numbers.is_empty() {
            let what = "no column of numbers is left to read".to_owned();
            return Err(Error::Empty { file: file.to_owned(), what });
        }
        if let Some(&c) = numbers.iter().find(|&&c| !matches!(kinds[c], Kind::Number { .. })) {
            return Err(not_numeric(file, &names, c, schema.field(c).data_type()));
        }
        let single = numbers.iter().all(|&c| kinds[c] == Kind::Number { single: true });
        Ok(Plan { numbers, row_names, label, single, names, notes })
    }

    /// The columns that are read as text.
    pub(super) fn texts(&self) -> impl Iterator<Item = usize> {
        self.row_names.into_iter().chain(self.label)
    }

    /// Name and place of the label column.
    pub(super) fn label_column(&self) -> Option<LabelColumn> {
        let position = self.label?;
        let first = self.numbers.iter().any(|&c| c > position);
        Some(LabelColumn { name: self.names[position].clone(), first })
    }

    /// A column as messages name it.
    pub(super) fn column_name(&self, position: usize) -> ColumnName {
        ColumnName { position, name: Some(self.names[position].clone()) }
    }

    /// Whether the row names are an index that somebody wrote as such: it may repeat itself.
    pub(super) fn names_may_repeat(&self) -> bool {
        let index = |position: usize| {
            matches!(self.names[position].as_str(), "" | "Unnamed: 0" | "__index_level_0__")
        };
        self.row_names.is_some_and(index)
    }

    /// A column of text that cannot be the row names after all.
    pub(super) fn not_names(&self, file: &str) -> Error {
        not_numeric(file, &self.names, self.row_names.unwrap_or(0), &DataType::Utf8)
    }
}

fn label(names: &[String], file: &str, options: &ReadOptions) -> Result<Option<usize>> {
    let Some(label) = &options.label else { return Ok(None) };
    if options.features == Orientation::Rows {
        return Err(label_in_rows(file));
    }
    let found = label.resolve(names.len(), |name| names.iter().position(|n| n == name));
    found.map(Some).ok_or_else(|| unknown_column(file, label.as_str(), Some(names), names.len()))
}

/// The index that pandas writes, or a first column of text; with features in rows the first
/// column whatever it holds.
fn row_names(names: &[String], kinds: &[Kind], features: Orientation) -> Option<usize> {
    let index = names.iter().position(|n| n == "__index_level_0__");
    let first = match (features, kinds.first()?) {
        (Orientation::Rows, _) | (_, Kind::Text) => true,
        _ => matches!(names[0].as_str(), "" | "Unnamed: 0"),
    };
    index.or(first.then_some(0))
}

fn not_numeric(file: &str, names: &[String], position: usize, data_type: &DataType) -> Error {
    let holds = match kind(data_type) {
        Kind::Text => "text".to_owned(),
        _ => format!("values of type {data_type}"),
    };
    let column = ColumnName { position, name: Some(names[position].clone()) };
    Error::NotNumeric { file: file.to_owned(), column, holds }
}
