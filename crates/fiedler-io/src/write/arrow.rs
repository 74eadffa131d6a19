//! Parquet and Arrow IPC.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use super::{Content, Selection};
use crate::matrix::Numbers;
use crate::options::{Format, Orientation};

/// One column a feature, with sample names before them and labels where they were.
pub(super) struct Batch {
    batch: Result<RecordBatch, ArrowError>,
    format: Format,
}

impl Batch {
    pub(super) fn new(selection: &Selection<'_>, format: Format, notes: &mut Vec<String>) -> Self {
        if selection.layout.features == Orientation::Rows {
            notes.push("features are columns in the file that was written".to_owned());
        }
        Batch { batch: batch(selection), format }
    }
}

impl Content for Batch {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let batch = self.batch.as_ref().map_err(|e| io::Error::other(e.to_string()))?;
        if self.format == Format::Arrow { write_ipc(batch, out) } else { write_parquet(batch, out) }
    }
}

#[cfg(feature = "arrow")]
fn write_ipc(batch: &RecordBatch, out: &mut dyn Write) -> io::Result<()> {
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new(out, &batch.schema()).map_err(io::Error::other)?;
    writer.write(batch).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}

#[cfg(not(feature = "arrow"))]
fn write_ipc(_: &RecordBatch, _: &mut dyn Write) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(feature = "parquet")]
fn write_parquet(batch: &RecordBatch, out: &mut dyn Write) -> io::Result<()> {
    use parquet::basic::Compression::SNAPPY;
    let properties = parquet::file::properties::WriterProperties::builder().set_compression(SNAPPY).build();
    // The writer wants to be sent between threads, which a file is and a buffer of bytes too.
    let mut bytes = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties))
        .map_err(io::Error::other)?;
    writer.write(batch).map_err(io::Error::other)?;
    writer.close().map_err(io::Error::other)?;
    out.write_all(&bytes)
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(_: &RecordBatch, _: &mut dyn Write) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn batch(s: &Selection<'_>) -> Result<RecordBatch, ArrowError> {
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    if let Some(names) = s.sample_names {
        let corner =
            s.layout.corner.as_deref().filter(|c| !c.is_empty() && s.layout.features == Orientation::Columns);
        columns.push((corner.unwrap_or("sample").to_owned(), Arc::new(StringArray::from_iter_values(names))));
    }
    let label = match s.target_column() {
        Some((column, numbers)) => Some((column, (column.name.clone(), number_array(numbers)))),
        None => s.label_column().map(|(column, texts)| (column, (column.name.clone(), label_array(texts)))),
    };
    if let Some((_, labels)) = label.as_ref().filter(|(column, _)| column.first) {
        columns.push(labels.clone());
    }
    for (name, numbers) in s.names.iter().zip(&s.columns) {
        columns.push((name.clone().into_owned(), number_array(numbers)));
    }
    if let Some((_, labels)) = label.filter(|(column, _)| !column.first) {
        columns.push(labels);
    }
    let field = |(name, array): &(String, ArrayRef)| {
        Field::new(
            name,
            array.data_type().clone(),
            array.data_type() != &DataType::Float64 && array.data_type() != &DataType::Float32,
        )
    };
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns.into_iter().map(|(_, array)| array).collect())
}

fn number_array(numbers: &Numbers) -> ArrayRef {
    match numbers {
        Numbers::F32(v) => Arc::new(Float32Array::from(v.clone())),
        Numbers::F64(v) => Arc::new(Float64Array::from(v.clone())),
    }
}

/// Classes that are whole numbers are written as such, others as text.
fn label_array(texts: &[Option<&str>]) -> ArrayRef {
    let numbers: Option<Vec<Option<i64>>> =
        texts.iter().map(|t| t.map_or(Some(None), |t| t.parse().ok().map(Some))).collect();
    match numbers {
        Some(numbers) => Arc::new(Int64Array::from(numbers)),
        None => Arc::new(StringArray::from(texts.to_vec())),
    }
}
