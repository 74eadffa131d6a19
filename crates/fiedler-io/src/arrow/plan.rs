//! Which columns of a typed table are numbers, which names, which classes.

use arrow_schema::{DataType, Schema};
use fiedler::Limits;

use super::others::Other;
use super::readable::is_readable;
use crate::disk::Disk;
use crate::error::{ColumnName, Location};
use crate::messy::Dates;
use crate::names::{check_different, is_corner, is_id, make_unique, nearly_different};
use crate::options::{ColumnRef, Orientation, ReadOptions};
use crate::table::{LabelColumn, label_in_rows, names_in_rows, unknown_column, wanted};
use crate::{Error, Result};

/// The parts of a table, as positions in its schema.
pub(super) struct Plan {
    pub(super) numbers: Vec<usize>,
    pub(super) row_names: Option<usize>,
    guess: Guess,
    pub(super) label: Option<usize>,
    /// Wanted columns of text and of dates: what becomes of them is seen once they are read.
    pub(super) others: Vec<usize>,
    /// Wanted columns of other types, and which.
    pub(super) typed: Vec<(usize, String)>,
    /// Columns that are left out without being read.
    pub(super) dropped: Vec<usize>,
    /// Whether single precision holds all numbers exactly.
    pub(super) single: bool,
    /// The names of all columns, made different from one another.
    pub(super) names: Vec<String>,
    pub(super) notes: Vec<String>,
    /// Names that several columns have in the file.
    pub(super) repeated: Vec<String>,
}

/// Whether the column of the row names was not named by the user, and holds text; and whether a note says so.
struct Guess {
    text: bool,
    told: bool,
}

/// What a type holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number { single: bool },
    Text,
    Date,
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
        T::Date32 | T::Date64 | T::Timestamp(..) => Kind::Date,
        T::Dictionary(_, values) if kind(values) == Kind::Text => Kind::Text,
        _ => Kind::Other,
    }
}

impl Plan {
    pub(super) fn new(schema: &Schema, file: &str, options: &ReadOptions) -> Result<Plan> {
        let mut notes = Vec::new();
        let mut names: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
        let repeated = make_unique(&mut names, "column", &mut notes);
        let kinds: Vec<Kind> = schema.fields().iter().map(|f| kind(f.data_type())).collect();
        let label = label(&names, file, options)?;
        label.map_or(Ok(()), |c| check_readable(schema, &names, file, c))?;
        let index = pandas_index(schema).and_then(|index| names.iter().position(|n| *n == index));
        let mut row_names = match &options.names {
            Some(_) if options.features == Orientation::Rows => return Err(names_in_rows(file)),
            Some(column) => {
                let found = find(&names, file, column)?;
                check_readable(schema, &names, file, found)?;
                Some(found)
            }
            None => {
                let found = index.or_else(|| row_names(&names, &kinds, options.features));
                let columns = options.features == Orientation::Columns;
                let excluded = |c: usize| columns && options.exclude.contains(&names[c]);
                let readable = |c: usize| is_readable(schema.field(c).data_type());
                found.filter(|&c| Some(c) != label && !excluded(c) && readable(c))
            }
        };
        if row_names.is_none() && label != Some(0) && may_be_ids(schema, &names, options) {
            notes.push(format!("the first column (`{}`) was taken for the names of the samples", names[0]));
            row_names = Some(0);
        }
        let rest: Vec<usize> =
            (0..names.len()).filter(|&c| Some(c) != label && Some(c) != row_names).collect();
        let numbers: Vec<usize> = if options.features == Orientation::Columns {
            let candidates: Vec<String> = rest.iter().map(|&c| names[c].clone()).collect();
            let kept = wanted(file, &candidates, options.include.as_deref(), &options.exclude)?;
            kept.into_iter().map(|at| rest[at]).collect()
        } else {
            rest
        };
        let (numbers, rest): (Vec<usize>, Vec<usize>) =
            numbers.into_iter().partition(|&c| matches!(kinds[c], Kind::Number { .. }));
        let (others, rest): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&c| kinds[c] != Kind::Other);
        let (dropped, typed): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(|_| options.numeric_only);
        let typed = typed.into_iter().map(|c| (c, schema.field(c).data_type().to_string())).collect();
        // Days need more digits than single precision has.
        let single = numbers.iter().all(|&c| kinds[c] == Kind::Number { single: true })
            && options.dates == Dates::Error;
        let guessed = row_names.is_some_and(|c| kinds[c] == Kind::Text) && options.names.is_none();
        let guess = Guess { text: guessed, told: guessed && index.is_none() };
        Ok(Plan { numbers, row_names, guess, label, others, typed, dropped, single, names, notes, repeated })
    }

    /// Whether the numbers of so many rows are too many for memory.
    pub(super) fn is_large(&self, rows: u64, limits: Limits) -> bool {
        let count = rows.saturating_mul(self.numbers.len() as u64);
        Disk::holds(count.saturating_mul(if self.single { 4 } else { 8 }), limits)
    }

    /// The columns that are read as text.
    pub(super) fn texts(&self) -> impl Iterator<Item = usize> {
        self.row_names.into_iter().chain(self.label).chain(self.others.iter().copied())
    }

    /// Name and place of the label column.
    pub(super) fn label_column(&self) -> Option<LabelColumn> {
        let position = self.label?;
        let first = self.numbers.iter().chain(&self.others).any(|&c| c > position);
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

    /// The names of the rows, unless some are alike: then the column is text like any other, one of `others`, except
    /// where somebody says that it names the samples.
    pub(super) fn settle_names(
        &mut self,
        texts: Option<Vec<Option<String>>>,
        others: &mut Vec<Other>,
        (file, options): (&str, &ReadOptions),
    ) -> Result<Option<Vec<String>>> {
        let (Some(position), Some(texts)) = (self.row_names, texts) else { return Ok(None) };
        let names: Vec<String> = texts.iter().map(|t| t.clone().unwrap_or_default()).collect();
        if options.features == Orientation::Columns && !self.names_may_repeat() {
            let column = self.column_name(position);
            let repeated = check_different(file, &column, &names, &|row| Location::Row(row + 1));
            let slip = || is_id(&self.names[position]) && nearly_different(&names);
            if repeated.is_err() && self.guess.text && !slip() {
                self.row_names = None;
                others.insert(0, (position, texts));
                return Ok(None);
            }
            repeated?;
            if self.guess.told && !is_corner(&self.names[position]) {
                self.notes.push(format!("{column} holds text and names the samples"));
            }
        }
        Ok(Some(names))
    }
}

fn label(names: &[String], file: &str, options: &ReadOptions) -> Result<Option<usize>> {
    let Some(label) = options.outcome() else { return Ok(None) };
    if options.features == Orientation::Rows {
        return Err(label_in_rows(file));
    }
    find(names, file, label).map(Some)
}

fn find(names: &[String], file: &str, column: &ColumnRef) -> Result<usize> {
    let found = column.resolve(names.len(), |name| names.iter().position(|n| n == name));
    found.ok_or_else(|| unknown_column(file, column.as_str(), Some(names), names.len()))
}

/// Classes and names are texts, numbers or dates; lists and bytes, say, are none of them.
fn check_readable(schema: &Schema, names: &[String], file: &str, position: usize) -> Result<()> {
    let data_type = schema.field(position).data_type();
    if is_readable(data_type) {
        return Ok(());
    }
    let column = ColumnName { position, name: Some(names[position].clone()) };
    let what = format!("{column} holds values of type {data_type}");
    let advice =
        "classes, names and the number to be predicted are read from text, numbers or dates; name another";
    Err(Error::unsupported(file, what, advice))
}

/// Whole numbers under a title that says they name the samples, unless the user calls them a feature.
fn may_be_ids(schema: &Schema, names: &[String], options: &ReadOptions) -> bool {
    let mut features = options.include.iter().flatten().chain(&options.exclude);
    schema.fields().first().is_some_and(|f| f.data_type().is_integer())
        && is_id(&names[0])
        && features.all(|f| *f != names[0])
}

/// The column that pandas calls the index, in the note it leaves in a file: `"index_columns": ["sample"]`.
/// `None` where there are several, or where it is the row number, which is not stored.
fn pandas_index(schema: &Schema) -> Option<&str> {
    let note = schema.metadata().get("pandas")?;
    let (_, rest) = note.split_once("\"index_columns\"")?;
    let (list, _) = rest.split_once('[')?.1.split_once(']')?;
    let name = list.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!name.contains('"')).then_some(name)
}

/// The index that pandas writes, or a first column of text; with features in rows also one of numbers
/// whose title says that they are names.
fn row_names(names: &[String], kinds: &[Kind], features: Orientation) -> Option<usize> {
    let index = names.iter().position(|n| n == "__index_level_0__");
    let first = match (features, kinds.first()?) {
        (_, Kind::Text) => true,
        (Orientation::Rows, _) => is_corner(&names[0]),
        (Orientation::Columns, _) => matches!(names[0].as_str(), "" | "Unnamed: 0"),
    };
    index.or(first.then_some(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(list: &str) -> Option<String> {
        let note = format!("{{\"index_columns\": {list}, \"columns\": []}}");
        let schema = Schema::empty().with_metadata([("pandas".to_owned(), note)]);
        pandas_index(&schema).map(str::to_owned)
    }

    #[test]
    fn the_index_of_pandas_is_found() {
        assert_eq!(index("[\"sample\"]").as_deref(), Some("sample"));
        assert_eq!(index("[\"a\", \"b\"]"), None);
        assert_eq!(index("[{\"kind\": \"range\", \"name\": null}]"), None);
        assert_eq!(pandas_index(&Schema::empty()), None);
    }
}
