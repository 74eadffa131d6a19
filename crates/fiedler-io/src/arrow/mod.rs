//! Parquet and Arrow IPC (Feather): typed tables, column after column.
//!
//! Every integer, floating-point and logical type is read. Where single precision holds all columns
//! exactly the data stay in it. A null is a missing value and refused with row and column; in
//! the label column it means "unlabeled".

mod convert;
mod plan;
mod source;

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use bytes::Bytes;
use fiedler::Monitor;
use fiedler::dataset::Order;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use rayon::prelude::*;

use crate::error::{Found, Place};
use crate::input::Input;
use crate::matrix::{Matrix, Numbers};
use crate::options::{Orientation, ReadOptions};
use crate::progress::Progress;
use crate::table::{Filtered, Raw, RawLabel};
use crate::{Error, Result};
use convert::{Store, copy, texts};
use plan::Plan;
use source::Source;

/// Numbers of a batch: the copy out of it should find it in the cache.
const BATCH: usize = 1 << 17;

/// Reads a Parquet file, groups of columns in parallel.
pub(crate) fn read_parquet(
    mut input: Input<'_>,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let file = input.name.clone();
    let source = match input.take_path() {
        Some(path) => Source::Path(path),
        None => Source::Bytes(Bytes::from(input.read_all(monitor)?)),
    };
    Parquet::open(&file, source, options)?.read(options, monitor)
}

/// Reads an Arrow IPC file or stream.
pub(crate) fn read_ipc(mut input: Input<'_>, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
    let file = input.name.clone();
    if input.is_arrow_stream() {
        let reader = StreamReader::try_new(Cursor::new(input.read_all(monitor)?), None);
        let reader = reader.map_err(|e| bad_ipc(&file, e))?;
        let plan = Plan::new(&reader.schema(), &file, options)?;
        return assemble(&file, plan, reader, options, monitor);
    }
    match input.take_path() {
        Some(path) => {
            let reader = BufReader::new(File::open(&path).map_err(Error::io(&file))?);
            read_ipc_file(&file, reader, options, monitor)
        }
        None => read_ipc_file(&file, Cursor::new(input.read_all(monitor)?), options, monitor),
    }
}

fn read_ipc_file(
    file: &str,
    reader: impl Read + Seek,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let reader = FileReader::try_new(reader, None).map_err(|e| bad_ipc(file, e))?;
    let plan = Plan::new(&reader.schema(), file, options)?;
    assemble(file, plan, reader, options, monitor)
}

/// Collects the batches of an IPC file; their columns lie next to one another in memory only
/// after all of them are known.
fn assemble(
    file: &str,
    plan: Plan,
    reader: impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>>,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let progress = Progress::new(monitor, "reading file", 0);
    let mut batches = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|e| bad_ipc(file, e))?;
        progress.advance(batch.num_rows())?;
        batches.push(batch);
    }
    let rows = batches.iter().map(RecordBatch::num_rows).sum();
    let values = if plan.single {
        Numbers::F32(stack(file, &plan, &batches, rows)?)
    } else {
        Numbers::F64(stack(file, &plan, &batches, rows)?)
    };
    let text = |c: usize| {
        let mut found = Vec::with_capacity(rows);
        batches.iter().for_each(|b| texts(b.column(c), &mut found));
        found
    };
    let texts = plan.texts().map(text).collect();
    Parts { plan, values, rows, texts }.into_raw(file, options)
}

fn stack<T: Store>(file: &str, plan: &Plan, batches: &[RecordBatch], rows: usize) -> Result<Vec<T>> {
    let mut values = vec![T::default(); rows * plan.numbers.len()];
    let columns = values.par_chunks_mut(rows.max(1)).zip(&plan.numbers);
    let error = columns.find_map_first(|(mut out, &c)| {
        let mut before = 0;
        for batch in batches {
            let (part, rest) = std::mem::take(&mut out).split_at_mut(batch.num_rows());
            if let Err(row) = copy(batch.column(c), part) {
                return Some(missing(file, plan, c, before + row));
            }
            before += part.len();
            out = rest;
        }
        None
    });
    error.map_or(Ok(values), Err)
}

struct Parquet<'a> {
    file: &'a str,
    source: Source,
    metadata: ArrowReaderMetadata,
    plan: Plan,
    rows: usize,
}

impl<'a> Parquet<'a> {
    fn open(file: &'a str, source: Source, options: &ReadOptions) -> Result<Self> {
        let bad = |found: String| Error::malformed(file, "Parquet", found);
        let chunks = source.chunks().map_err(Error::io(file))?;
        let metadata = ArrowReaderMetadata::load(&chunks, ArrowReaderOptions::new());
        let metadata = metadata.map_err(|e| bad(e.to_string()))?;
        let groups = metadata.metadata().row_groups().iter();
        if let Some(codec) = groups.flat_map(|g| g.columns()).find_map(|c| not_read(c.compression())) {
            let what = format!("Parquet compressed with {codec} is not read");
            let advice = "write it with snappy, zstd, gzip, lz4 or without compression";
            return Err(Error::unsupported(file, what, advice));
        }
        let plan = Plan::new(metadata.schema(), file, options)?;
        let rows = metadata.metadata().file_metadata().num_rows();
        let rows = usize::try_from(rows).map_err(|_| bad("a negative number of rows".to_owned()))?;
        Ok(Parquet { file, source, metadata, plan, rows })
    }

    fn read(self, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
        let texts = self.plan.texts().map(|c| self.texts(c)).collect::<Result<_>>()?;
        let values = if self.plan.single {
            Numbers::F32(self.numbers(monitor)?)
        } else {
            Numbers::F64(self.numbers(monitor)?)
        };
        Parts { plan: self.plan, values, rows: self.rows, texts }.into_raw(self.file, options)
    }

    /// All columns of numbers. A task takes a group of them, because setting one up costs time
    /// in proportion to all columns of the file.
    fn numbers<S: Store>(&self, monitor: &dyn Monitor) -> Result<Vec<S>> {
        let columns = &self.plan.numbers;
        let group = (columns.len() / 64).max(1);
        let mut values = vec![S::default(); self.rows * columns.len()];
        let progress = Progress::new(monitor, "reading file", columns.len());
        let tasks = values.par_chunks_mut((self.rows * group).max(1)).zip(columns.par_chunks(group));
        let error = tasks.find_map_first(|(out, columns)| {
            self.group(columns, out).and_then(|()| progress.advance(columns.len())).err()
        });
        error.map_or(Ok(values), Err)
    }

    fn group<S: Store>(&self, columns: &[usize], out: &mut [S]) -> Result<()> {
        let mut outs: Vec<&mut [S]> = out.chunks_mut(self.rows.max(1)).collect();
        let mut before = 0;
        for batch in self.batches(columns)? {
            let batch = batch.map_err(|e| self.bad(e))?;
            for ((&c, out), array) in columns.iter().zip(&mut outs).zip(batch.columns()) {
                let end = before + batch.num_rows();
                let part = out.get_mut(before..end).ok_or_else(|| self.bad("more rows than announced"))?;
                copy(array, part).map_err(|row| missing(self.file, &self.plan, c, before + row))?;
            }
            before += batch.num_rows();
        }
        if before < self.rows && !columns.is_empty() {
            return Err(self.bad("fewer rows than announced"));
        }
        Ok(())
    }

    fn texts(&self, column: usize) -> Result<Vec<Option<String>>> {
        let mut found = Vec::with_capacity(self.rows);
        for batch in self.batches(&[column])? {
            texts(batch.map_err(|e| self.bad(e))?.column(0), &mut found);
        }
        Ok(found)
    }

    fn batches(&self, columns: &[usize]) -> Result<ParquetRecordBatchReader> {
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), columns.iter().copied());
        let chunks = self.source.chunks().map_err(Error::io(self.file))?;
        ParquetRecordBatchReaderBuilder::new_with_metadata(chunks, self.metadata.clone())
            .with_projection(mask)
            .with_batch_size((BATCH / columns.len().max(1)).clamp(1024, BATCH))
            .build()
            .map_err(|e| self.bad(e))
    }

    fn bad(&self, found: impl ToString) -> Error {
        Error::malformed(self.file, "Parquet", found.to_string())
    }
}

/// The name of a compression that this build cannot undo.
fn not_read(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZO => Some("lzo"),
        _ => None,
    }
}

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
        if let (Some(column), Some(texts)) = (plan.label_column(), texts.next()) {
            raw.label = Some(RawLabel { column, texts });
        }
        raw.notes = plan.notes;
        raw.repeated = plan.repeated;
        Ok(raw)
    }
}

fn missing(file: &str, plan: &Plan, column: usize, row: usize) -> Error {
    Error::Missing {
        file: file.to_owned(),
        place: Place::Row(row + 1),
        column: plan.column_name(column),
        found: Found("null".to_owned()),
    }
}

fn bad_ipc(file: &str, found: impl ToString) -> Error {
    Error::malformed(file, "Arrow", found.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressions_that_cannot_be_undone_are_named() {
        assert_eq!(not_read(Compression::BROTLI(Default::default())), Some("brotli"));
        assert_eq!(not_read(Compression::LZO), Some("lzo"));
        for read in [Compression::SNAPPY, Compression::LZ4_RAW, Compression::UNCOMPRESSED] {
            assert_eq!(not_read(read), None);
        }
    }
}
