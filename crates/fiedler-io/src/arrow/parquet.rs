//! Parquet, groups of columns in parallel.

use std::path::Path;

use bytes::Bytes;
use fiedler::Monitor;
use fiedler::dataset::Order;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::file::metadata::ParquetStatisticsPolicy;
use rayon::prelude::*;

use super::Parts;
use super::convert::{Store, copy, texts};
use super::pages;
use super::plan::Plan;
use super::source::Source;
use super::stays::{Apart, Stays};
use crate::body::Body;
use crate::input::Input;
use crate::matrix::{Matrix, Numbers};
use crate::memory::Budget;
use crate::options::ReadOptions;
use crate::progress::Progress;
use crate::table::Raw;
use crate::{Error, Result};

/// Numbers of a batch: the copy out of it should find it in the cache.
const BATCH: usize = 1 << 17;

/// Bytes of a column of the schema, as the file has it and as Arrow does, with its name.
const FIELD: usize = 320;

/// Bytes that a column takes while it is read, beside its values.
const PER_COLUMN: usize = 1 << 14;

/// What the file says about the values of its columns is not needed, and large where there are many.
fn without_statistics() -> ArrowReaderOptions {
    ArrowReaderOptions::new()
        .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
}

/// Reads a Parquet file.
pub(crate) fn read_parquet(
    mut input: Input<'_>,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let (file, budget) = (input.name.clone(), std::rc::Rc::clone(&input.budget));
    let source = match input.take_path() {
        Some(path) => Source::Path(path),
        None => Source::Bytes(Bytes::from(input.read_all(monitor)?)),
    };
    Parquet::open(&file, source, &budget, options)?.read(options, monitor)
}

struct Parquet<'a> {
    pages: Pages,
    budget: &'a Budget,
    plan: Plan,
    /// The largest page of every column of numbers, then of texts, unpacked.
    largest: Vec<u64>,
}

impl<'a> Parquet<'a> {
    fn open(file: &str, source: Source, budget: &'a Budget, options: &ReadOptions) -> Result<Self> {
        let bad = |found: String| Error::malformed(file, "Parquet", found);
        let chunks = source.chunks().map_err(Error::io(file))?;
        let metadata = ArrowReaderMetadata::load(&chunks, without_statistics());
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
        let wanted: Vec<usize> = plan.numbers.iter().copied().chain(plan.texts()).collect();
        let largest = pages::check(&source, metadata.metadata(), &wanted).map_err(bad)?;
        let texts = plan.texts().count();
        budget.check((rows as u64).saturating_mul((texts * size_of::<Option<String>>()) as u64))?;
        let pages = Pages { file: file.to_owned(), source, metadata, rows };
        let parquet = Parquet { pages, budget, plan, largest };
        parquet.check_pages().map(|()| parquet)
    }

    fn read(self, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
        let pages = &self.largest[self.plan.numbers.len()..];
        let texts =
            self.plan.texts().zip(pages).map(|(c, &page)| self.texts(c, page)).collect::<Result<_>>()?;
        let (single, rows) = (self.plan.single, self.pages.rows);
        let is_large = self.plan.is_large(rows as u64, monitor.limits());
        let path = self.pages.source.path().filter(|_| is_large).map(Path::to_owned);
        let body = if let Some(path) = path {
            let stays = Stays::new(&path, self.pages, self.plan.numbers.clone(), single)?;
            Body::Disk(Box::new(stays.into_disk(options.features, monitor)?))
        } else {
            let values = if single {
                Numbers::F32(self.numbers(monitor)?)
            } else {
                Numbers::F64(self.numbers(monitor)?)
            };
            Body::Memory(Matrix::dense(values, rows, self.plan.numbers.len(), Order::ColumnMajor))
        };
        Parts { plan: self.plan, body, rows, texts }.into_raw(self.budget.file(), options)
    }

    /// The pages that are unpacked at one time, a dictionary and one of values for every column that is read
    /// at that time, must fit.
    fn check_pages(&self) -> Result<()> {
        let mut sizes = self.largest.clone();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let at_once = self.group_size().saturating_mul(rayon::current_num_threads());
        self.budget
            .check(sizes.iter().take(at_once).fold(0, |sum, s| s.saturating_mul(2).saturating_add(sum)))
    }

    /// How many columns of numbers a task reads.
    fn group_size(&self) -> usize {
        (self.plan.numbers.len() / 64).max(1)
    }

    /// All columns of numbers. A task takes a group of them, because setting one up costs time
    /// in proportion to all columns of the file.
    fn numbers<S: Store>(&self, monitor: &dyn Monitor) -> Result<Vec<S>> {
        let columns = &self.plan.numbers;
        let group = self.group_size();
        let mut values = self.budget.zeros(self.pages.rows, columns.len())?;
        let progress = Progress::new(monitor, "reading file", columns.len());
        let tasks = values.par_chunks_mut((self.pages.rows * group).max(1)).zip(columns.par_chunks(group));
        let error = tasks.find_map_first(|(out, columns)| {
            self.pages.group(columns, out, usize::MAX).and_then(|()| progress.advance(columns.len())).err()
        });
        error.map_or(Ok(values), Err)
    }

    /// The texts of a column whose pages unpack to at most `page` bytes. No text is longer than its page, but
    /// every row can have the longest: a batch must fit even then.
    fn texts(&self, column: usize, page: u64) -> Result<Vec<Option<String>>> {
        let mut found = Vec::new();
        let most = self.budget.left() / 2 / page.max(1);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        for batch in self.pages.batches(&[column], most)? {
            let batch = batch.map_err(|e| self.pages.bad(e))?;
            texts(batch.column(0), self.budget, &mut found)?;
        }
        Ok(found)
    }
}

/// The pages of a file, and how to read them.
struct Pages {
    file: String,
    source: Source,
    metadata: ArrowReaderMetadata,
    rows: usize,
}

impl Apart for Pages {
    fn rows(&self) -> usize {
        self.rows
    }

    fn described(&self) -> u64 {
        let schema = self.metadata.schema().fields().len() * FIELD;
        (self.metadata.metadata().memory_size() + schema) as u64
    }

    fn group<S: Store>(&self, columns: &[usize], out: &mut [S], beside: usize) -> Result<()> {
        // A page of values, the dictionary and what they unpack to.
        let column = 3 * size_of::<S>() * self.rows.min(BATCH) + PER_COLUMN;
        let step = (beside / column).max(1);
        let parts = columns.chunks(step).zip(out.chunks_mut(self.rows.saturating_mul(step).max(1)));
        parts.into_iter().try_for_each(|(columns, out)| self.together(columns, out))
    }
}

impl Pages {
    /// Some columns, by one reader.
    fn together<S: Store>(&self, columns: &[usize], out: &mut [S]) -> Result<()> {
        let mut outs: Vec<&mut [S]> = out.chunks_mut(self.rows.max(1)).collect();
        let mut before = 0;
        for batch in self.batches(columns, usize::MAX)? {
            let batch = batch.map_err(|e| self.bad(e))?;
            for (out, array) in outs.iter_mut().zip(batch.columns()) {
                let end = before + batch.num_rows();
                let part = out.get_mut(before..end).ok_or_else(|| self.bad("more rows than announced"))?;
                copy(array, part);
            }
            before += batch.num_rows();
        }
        if before < self.rows && !columns.is_empty() {
            return Err(self.bad("fewer rows than announced"));
        }
        Ok(())
    }

    /// Reads columns, at most so many rows at a time.
    fn batches(&self, columns: &[usize], most: usize) -> Result<ParquetRecordBatchReader> {
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), columns.iter().copied());
        let chunks = self.source.chunks().map_err(Error::io(&self.file))?;
        ParquetRecordBatchReaderBuilder::new_with_metadata(chunks, self.metadata.clone())
            .with_projection(mask)
            .with_batch_size((BATCH / columns.len().max(1)).clamp(1024, BATCH).min(most.max(1)))
            .build()
            .map_err(|e| self.bad(e))
    }

    fn bad(&self, found: impl ToString) -> Error {
        Error::malformed(&self.file, "Parquet", found.to_string())
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
