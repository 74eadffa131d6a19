//! Files that are written column after column, as the data are read: nothing is held but what is being written.

use std::io::{self, Write};
use std::path::Path;

use fiedler::dataset::Columns;

use super::{Selection, binary, columns_of, header_in_order, is_single, is_zipped, write_zipped};
use crate::matrix::Numbers;
use crate::names::shown;
use crate::table::Table;
use crate::{Error, Result};

/// Arrays of more numbers than this are written in Fortran order.
const LARGE: usize = 8 << 20;

/// Columns that are read at a time.
pub(super) const TOGETHER: usize = 64;

/// Whether the chosen columns are too many to be held.
pub(super) fn is_large(path: &Path, table: &Table, columns: &[usize]) -> bool {
    !is_zipped(path) && columns.len().saturating_mul(table.data.n_samples()) > LARGE
}

/// Writes the columns of a table as NPY.
pub(super) fn write(path: &Path, table: &Table, columns: &[usize]) -> Result<Vec<String>> {
    let (file, source) = (shown(path), table.data.columns());
    let selection = Selection::outline(table, columns).map_err(Error::data(&file))?;
    let single = is_single(source).map_err(Error::data(&file))?;
    write_columns(path, source, |out, read| {
        let kind = if single { "<f4" } else { "<f8" };
        out.write_all(&header_in_order(kind, (table.data.n_samples(), columns.len()), true))?;
        for some in columns.chunks(TOGETHER) {
            for column in &read(some)? {
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
    })?;
    Ok(binary::lost(&selection).into_iter().collect())
}

/// Writes a file whole, compressed where its name says so; `write` is given a way to read columns. What is wrong with reading them
/// is told as such.
pub(super) fn write_columns(
    path: &Path,
    source: &dyn Columns,
    write: impl FnOnce(&mut dyn Write, &mut Read<'_>) -> io::Result<()>,
) -> Result<()> {
    let mut failed = None;
    let mut read = |list: &[usize]| {
        columns_of(source, list).map_err(|error| {
            failed = Some(error);
            io::Error::other("the data could not be read")
        })
    };
    let written = write_zipped(path, |out| write(out, &mut read));
    match failed {
        Some(error) => Err(Error::data(&shown(path))(error)),
        None => written,
    }
}

/// Reads a list of columns.
pub(super) type Read<'a> = dyn FnMut(&[usize]) -> io::Result<Vec<Numbers>> + 'a;
