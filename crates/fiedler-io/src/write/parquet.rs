//! Parquet, column after column.
//!
//! A writer of whole batches has an encoder for every column, of some 85 kB each, until all are closed. One column at a time
//! needs one encoder, and no more of the data than is being written.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_schema::DataType;
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::Compression::SNAPPY;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::arrow::{Beside, Named, turned};
use super::streamed::{TOGETHER, write_columns};
use super::{Selection, is_single};
use crate::matrix::Numbers;
use crate::names::shown;
use crate::options::Format;
use crate::table::Table;
use crate::{Error, Result};

/// Writes the columns of a table.
pub(super) fn write(path: &Path, table: &Table, columns: &[usize]) -> Result<Vec<String>> {
    let (file, source) = (shown(path), table.data.columns());
    let mut selection = Selection::outline(table, columns).map_err(Error::data(&file))?;
    let placed = selection.place_label(Format::Parquet);
    let single = is_single(source).map_err(Error::data(&file))?;
    let beside = Beside::new(&selection);
    let kind = if single { DataType::Float32 } else { DataType::Float64 };
    let schema = beside.schema(&selection.names, &kind);
    write_columns(path, source, |out, read| {
        let converted = ArrowSchemaConverter::new().convert(&schema).map_err(io::Error::other)?;
        let mut properties = WriterProperties::builder().set_compression(SNAPPY).build();
        add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
        let pages = Pages::default();
        let mut writer =
            SerializedFileWriter::new(pages.clone(), converted.root_schema_ptr(), Arc::new(properties))
                .map_err(io::Error::other)?;
        let mut group = writer.next_row_group().map_err(io::Error::other)?;
        for column in &beside.before {
            write_named(&mut group, column)?;
        }
        for some in columns.chunks(TOGETHER) {
            for numbers in read(some)? {
                write_numbers(&mut group, &numbers)?;
                pages.move_to(out)?;
            }
        }
        for column in &beside.after {
            write_named(&mut group, column)?;
        }
        group.close().map_err(io::Error::other)?;
        writer.close().map_err(io::Error::other)?;
        pages.move_to(out)
    })?;
    Ok(placed.into_iter().chain(turned(&selection)).collect())
}

/// What is written and not yet in the file: the writer of Parquet wants to be sent between threads, which not every file can.
#[derive(Clone, Default)]
struct Pages(Arc<Mutex<Vec<u8>>>);

impl Pages {
    fn move_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }
}

impl Write for Pages {
    fn write(&mut self, some: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_numbers(group: &mut SerializedRowGroupWriter<'_, Pages>, numbers: &Numbers) -> io::Result<()> {
    write_column(group, |column| match (column, numbers) {
        (ColumnWriter::FloatColumnWriter(column), Numbers::F32(v)) => column.write_batch(v, None, None),
        (ColumnWriter::DoubleColumnWriter(column), Numbers::F64(v)) => column.write_batch(v, None, None),
        (ColumnWriter::DoubleColumnWriter(column), Numbers::F32(v)) => {
            let wide: Vec<f64> = v.iter().map(|&v| v.into()).collect();
            column.write_batch(&wide, None, None)
        }
        _ => Ok(0),
    })
}

/// Names, classes or a number to be predicted.
fn write_named(group: &mut SerializedRowGroupWriter<'_, Pages>, (_, array): &Named) -> io::Result<()> {
    let there: Vec<i16> = (0..array.len()).map(|i| i16::from(array.is_valid(i))).collect();
    write_column(group, |column| match column {
        ColumnWriter::ByteArrayColumnWriter(column) => {
            let texts: Vec<ByteArray> = array.as_string::<i32>().iter().flatten().map(Into::into).collect();
            column.write_batch(&texts, Some(&there), None)
        }
        ColumnWriter::Int64ColumnWriter(column) => {
            let numbers: Vec<i64> = array.as_primitive::<Int64Type>().iter().flatten().collect();
            column.write_batch(&numbers, Some(&there), None)
        }
        ColumnWriter::DoubleColumnWriter(column) => {
            column.write_batch(array.as_primitive::<Float64Type>().values(), None, None)
        }
        _ => Ok(0),
    })
}

/// The next column of a group. All columns of a group must have as many rows, so none is left empty in silence.
fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Pages>,
    write: impl FnOnce(&mut ColumnWriter<'_>) -> parquet::errors::Result<usize>,
) -> io::Result<()> {
    let column = group.next_column().map_err(io::Error::other)?;
    let mut column = column.ok_or_else(|| io::Error::other("more columns than the file is to have"))?;
    write(column.untyped()).map_err(io::Error::other)?;
    column.close().map_err(io::Error::other)
}
