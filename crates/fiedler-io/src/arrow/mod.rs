//! Parquet and Arrow IPC (Feather): typed tables, column after column.
//!
//! Every integer, floating-point and logical type is read. Where single precision holds all columns
//! exactly the data stay in it. A null is a missing value and refused with row and column; in
//! the label column it means "unlabeled".
//!
//! The lengths that a damaged file states are compared with the bytes it has before the libraries that read
//! these formats see them, for they take memory by them.

mod convert;
#[cfg(feature = "parquet")]
mod delta;
#[cfg(feature = "arrow")]
mod ipc;
#[cfg(feature = "arrow")]
mod messages;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
#[cfg(feature = "parquet")]
mod source;

use std::collections::BTreeSet;

use fiedler::dataset::Order;

use crate::body::Body;
use crate::error::{CellText, Place};
use crate::matrix::{Matrix, Numbers};
use crate::messy::counted;
use crate::options::{Orientation, ReadOptions};
use crate::table::{Filtered, Raw, RawLabel};
use crate::{Error, Result};
use plan::Plan;

#[cfg(feature = "parquet")]
pub(crate) use self::parquet::read_parquet;
#[cfg(feature = "arrow")]
pub(crate) use ipc::read_ipc;

/// All that was read of a table.
struct Parts {
    plan: Plan,
    values: Numbers,
    rows: usize,
    /// Row names, then labels, as far as there are any.
    texts: Vec<Vec<Option<String>>>,
}

impl Parts {
    fn into_raw(self, file: &str, options: &ReadOptions) -> Result<Raw> {
        let Parts { plan, values, rows, texts } = self;
        if rows == 0 {
            return Err(Error::Empty { file: file.to_owned(), what: "a table without rows".to_owned() });
        }
        let mut texts = texts.into_iter();
        let mut raw = Raw::bare(Matrix::dense(values, rows, plan.numbers.len(), Order::ColumnMajor));
        raw.column_names = Some(plan.numbers.iter().map(|&c| plan.names[c].clone()).collect());
        raw.filtered = if options.features == Orientation::Columns { Filtered::Yes } else { Filtered::No };
        if let Some(position) = plan.row_names {
            let names = texts.next().unwrap_or_default();
            let names: Vec<String> = names.into_iter().map(Option::unwrap_or_default).collect();
            if options.features == Orientation::Columns && !plan.names_may_repeat() {
                plan.check_names(file, &names, options)?;
            }
            raw.corner = Some(plan.names[position].clone());
            raw.row_names = Some(names);
        }
        if let Some(column) = plan.label_column() {
            raw.label = texts.next().map(|texts| RawLabel { column, texts });
        }
        raw.notes = plan.notes;
        let categories = plan.categories.iter().map(|&c| plan.names[c].clone());
        add_categories(&mut raw, file, categories.zip(texts))?;
        raw.repeated = plan.repeated;
        Ok(raw)
    }
}

/// Adds a feature for every value of every column of text. A value that is missing is none of them.
fn add_categories(
    raw: &mut Raw,
    file: &str,
    columns: impl Iterator<Item = (String, Vec<Option<String>>)>,
) -> Result<()> {
    const MOST: usize = 100;
    for (name, texts) in columns {
        let values: BTreeSet<&str> = texts.iter().flatten().map(String::as_str).collect();
        if values.len() > MOST {
            let what =
                format!("column `{name}` has {} different values, too many for features", values.len());
            return Err(Error::unsupported(file, what, "leave it out, or name it as the label"));
        }
        raw.notes.push(format!("column {name} of text made {}", counted(values.len(), "feature")));
        for value in values {
            let column = texts.iter().map(|t| f64::from(u8::from(t.as_deref() == Some(value))));
            if let Body::Memory(matrix) = &mut raw.body {
                matrix.push_column(column);
            }
            raw.column_names.get_or_insert_default().push(format!("{name}={value}"));
        }
    }
    Ok(())
}

fn missing(file: &str, plan: &Plan, column: usize, row: usize) -> Error {
    Error::Missing {
        file: file.to_owned(),
        place: Place::Row(row + 1),
        column: plan.column_name(column),
        found: CellText("null".to_owned()),
    }
}
