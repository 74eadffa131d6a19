//! Parquet and Arrow IPC (Feather): typed tables, column after column.
//!
//! Every integer, floating-point and logical type is read. Where single precision holds all columns
//! exactly the data stay in it. A null is a missing value and refused with row and column; in
//! the label column it means "unlabeled".
//!
//! The lengths that a damaged file states are compared with the bytes it has before the libraries that read
//! these formats see them, for they take memory by them.

#[cfg(feature = "arrow")]
mod columns;
mod convert;
#[cfg(feature = "parquet")]
mod delta;
#[cfg(feature = "arrow")]
mod ipc;
#[cfg(feature = "arrow")]
mod layout;
#[cfg(feature = "arrow")]
mod messages;
mod others;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod readable;
#[cfg(feature = "parquet")]
mod source;
mod stays;

use crate::body::Body;
use crate::matrix::Matrix;
use crate::options::{Orientation, ReadOptions};
use crate::table::{Filtered, Raw, RawLabel};
use crate::{Error, Result};
use others::Other;
use plan::Plan;

#[cfg(feature = "parquet")]
pub(crate) use self::parquet::read_parquet;
#[cfg(feature = "arrow")]
pub(crate) use ipc::read_ipc;

/// All that was read of a table.
struct Parts {
    plan: Plan,
    body: Body,
    rows: usize,
    /// Row names, then labels, as far as there are any.
    texts: Vec<Vec<Option<String>>>,
}

impl Parts {
    fn into_raw(self, file: &str, options: &ReadOptions) -> Result<Raw> {
        let Parts { mut plan, body, rows, texts } = self;
        if rows == 0 {
            return Err(Error::Empty { file: file.to_owned(), what: "a table without rows".to_owned() });
        }
        let mut texts = texts.into_iter();
        let names = plan.row_names.and_then(|_| texts.next());
        let label =
            plan.label_column().and_then(|column| texts.next().map(|texts| RawLabel { column, texts }));
        let mut others: Vec<Other> = plan.others.iter().copied().zip(texts).collect();
        let names = plan.settle_names(names, &mut others, (file, options))?;
        let mut raw = Raw::bare(Matrix::default());
        raw.column_names = Some(plan.numbers.iter().map(|&c| plan.names[c].clone()).collect());
        raw.filtered = if options.features == Orientation::Columns { Filtered::Yes } else { Filtered::No };
        raw.corner = plan.row_names.map(|position| plan.names[position].clone());
        (raw.row_names, raw.label) = (names, label);
        raw.notes = std::mem::take(&mut plan.notes);
        if let Body::Disk(disk) = &body {
            raw.notes.push(disk.note());
        }
        let body = others::settle(body, &mut raw, &plan, &others, (file, options))?;
        if body.columns() == 0 {
            let what = "no column of numbers is left to read".to_owned();
            return Err(Error::Empty { file: file.to_owned(), what });
        }
        raw.body = body;
        raw.repeated = plan.repeated;
        Ok(raw)
    }
}
