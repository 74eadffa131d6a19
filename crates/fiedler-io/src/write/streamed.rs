//! NPY files that are too large to be held: column after column, as the data are read.

use std::path::Path;

use super::{Selection, binary, columns_of, header_in_order, is_single, is_zipped};
use crate::matrix::Numbers;
use crate::names::shown;
use crate::table::Table;
use crate::whole::write_whole;
use crate::{Error, Result};

/// Arrays of more numbers than this are written in Fortran order.
const LARGE: usize = 8 << 20;

/// Columns that are read at a time.
const TOGETHER: usize = 64;

/// Whether the chosen columns are too many to be held.
pub(super) fn is_large(path: &Path, table: &Table, columns: &[usize]) -> bool {
    !is_zipped(path) && columns.len().saturating_mul(table.data.n_samples()) > LARGE
}

/// Writes the columns of a table.
pub(super) fn write(path: &Path, table: &Table, columns: &[usize]) -> Result<Vec<String>> {
    let (file, source) = (shown(path), table.data.columns());
    let selection = Selection::outline(table, columns).map_err(Error::data(&file))?;
    let notes = binary::lost(&selection).into_iter().collect();
    let single = is_single(source).map_err(Error::data(&file))?;
    let mut failed = None;
    let written = write_whole(path, |out| {
        let kind = if single { "<f4" } else { "<f8" };
        out.write_all(&header_in_order(kind, (table.data.n_samples(), columns.len()), true))?;
        for some in columns.chunks(TOGETHER) {
            let found = columns_of(source, some).map_err(|error| {
                failed = Some(error);
                std::io::Error::other("the data could not be read")
            })?;
            for column in &found {
                match column {
                    Numbers::F32(v) if single => {
                        v.iter().try_for_each(|v| out.write_all(&v.to_le_bytes()))?
                    }
                    Numbers::F32(v) => {
                        v.iter().try_for_each(|&v| out.write_all(&f64::from(v).to_le_bytes()))?
                    }
                    Numbers::F64(v) => v.iter().try_for_each(|v| out.write_all(&v.to_le_bytes()))?,
                }
            }
        }
        Ok(())
    });
    match failed {
        Some(error) => Err(Error::data(&file)(error)),
        None => written.map(|()| notes),
    }
}
