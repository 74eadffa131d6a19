//! Arrays of an HDF5 file as numbers, indices and texts.

use std::ops::Range;

use fiedler::Monitor;
use hdf5_pure::{DType, Dataset, FormatError, H5Element, Layout, VlenStringReadOptions};
use rayon::prelude::*;

use crate::archive::Archive;
use crate::matrix::Numbers;
use crate::memory::{Budget, TEXT_TAKES};
use crate::progress::Progress;
use crate::{Error, Result};

pub(super) const FORMAT: &str = "HDF5";

/// Bytes that are read at a time, or as many more as make whole chunks: few enough to stay in the cache.
const WINDOW: u64 = 1 << 18;

/// Bytes of all texts of an array together; longer ones are no names.
const LONGEST: usize = 2 << 30;

/// No compression of HDF5 gives more bytes from one than deflate.
const MOST_INFLATED: u64 = 1032;

/// What arrays are read with.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    /// The file, for messages.
    pub(super) file: &'a str,
    /// The memory that may be taken.
    pub(super) budget: &'a Budget,
    pub(super) monitor: &'a dyn Monitor,
}

/// The shape of a data set; empty for a single value.
pub(super) fn shape(dataset: &Dataset) -> Vec<usize> {
    let shape = dataset.shape().unwrap_or_default();
    shape.into_iter().map(|n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
}

/// Whether single precision holds the numbers of a data set exactly.
pub(super) fn is_single(dataset: &Dataset) -> bool {
    use DType::{Enum, F32, I8, I16, U8, U16};
    matches!(dataset.dtype(), Ok(F32 | I8 | I16 | U8 | U16 | Enum(_)))
}

/// Whether a data set holds numbers or truth values.
pub(super) fn is_numeric(dataset: &Dataset) -> bool {
    use DType::{Enum, F32, F64, I8, I16, I32, I64, Other, U8, U16, U32, U64};
    let Ok(kind) = dataset.dtype() else { return false };
    matches!(kind, F32 | F64 | I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 | Enum(_) | Other(_))
}

impl<'a> Reader<'a> {
    /// The same, for what is not HDF5's alone.
    pub(super) fn archive(&self) -> Archive<'a> {
        Archive { file: self.file, format: FORMAT, budget: self.budget, monitor: self.monitor }
    }

    /// The numbers of a data set of any shape, in the order of the file.
    pub(super) fn numbers(&self, dataset: &Dataset, name: &str) -> Result<Numbers> {
        self.check_numeric(dataset, name)?;
        if is_single(dataset) {
            Ok(Numbers::F32(self.typed(dataset, name, Dataset::read_f32_rows)?))
        } else {
            Ok(Numbers::F64(self.typed(dataset, name, Dataset::read_f64_rows)?))
        }
    }

    /// The numbers of some rows of a data set whose size was checked. They are not counted.
    pub(super) fn numbers_at(&self, dataset: &Dataset, name: &str, rows: Range<usize>) -> Result<Numbers> {
        self.check_numeric(dataset, name)?;
        if is_single(dataset) {
            Ok(Numbers::F32(self.some(dataset, name, rows, Dataset::read_f32_rows)?))
        } else {
            Ok(Numbers::F64(self.some(dataset, name, rows, Dataset::read_f64_rows)?))
        }
    }

    fn check_numeric(&self, dataset: &Dataset, name: &str) -> Result<()> {
        if is_numeric(dataset) {
            return Ok(());
        }
        let what = format!("data set `{name}` does not hold numbers");
        Err(Error::unsupported(self.file, what, "numbers, samples × features, are needed"))
    }

    /// As [`indices`](Self::indices), some of them. They are not counted.
    pub(super) fn indices_at(&self, dataset: &Dataset, name: &str, rows: Range<usize>) -> Result<Vec<u32>> {
        use DType::{U8, U16, U32};
        if let Ok(U8 | U16 | U32) = dataset.dtype() {
            return self.some(dataset, name, rows, Dataset::read_u32_rows);
        }
        let found = self.some(dataset, name, rows, Dataset::read_i64_rows)?;
        Ok(found.into_iter().map(|i| u32::try_from(i).unwrap_or(u32::MAX)).collect())
    }

    /// Whole numbers, such as codes, shapes and truth values.
    pub(super) fn integers(&self, dataset: &Dataset, name: &str) -> Result<Vec<i64>> {
        self.typed(dataset, name, Dataset::read_i64_rows)
    }

    /// Indices of a sparse matrix. What is negative or too large for one becomes an index that nothing has.
    pub(super) fn indices(&self, dataset: &Dataset, name: &str) -> Result<Vec<u32>> {
        use DType::{I8, I16, I32, U8, U16, U32};
        match dataset.dtype().map_err(|e| self.failed(e))? {
            U8 | U16 | U32 => self.typed(dataset, name, Dataset::read_u32_rows),
            I8 | I16 | I32 => {
                let found = self.typed(dataset, name, Dataset::read_i32_rows)?;
                // In place: the compiler turns this into a pass without a copy.
                Ok(found.into_iter().map(|i| u32::try_from(i).unwrap_or(u32::MAX)).collect())
            }
            _ => {
                let found = self.integers(dataset, name)?;
                Ok(found.into_iter().map(|i| u32::try_from(i).unwrap_or(u32::MAX)).collect())
            }
        }
    }

    /// Texts of fixed or of any length.
    pub(super) fn texts(&self, dataset: &Dataset, name: &str) -> Result<Vec<String>> {
        let count = self.check_size(dataset, name)?;
        self.budget.take_items(count, TEXT_TAKES)?;
        let found = match dataset.dtype().map_err(|e| self.failed(e))? {
            DType::VariableLengthString => {
                dataset.read_vlen_strings(VlenStringReadOptions::default().with_max_payload_bytes(LONGEST))
            }
            _ => dataset.read_string(),
        };
        found.map_err(|e| self.failed(e))
    }

    /// All of a data set, counted.
    fn typed<T: H5Element + Copy + Default + Send + Sync>(
        &self,
        dataset: &Dataset,
        name: &str,
        read: impl Fn(&Dataset, u64, u64) -> std::result::Result<Vec<T>, hdf5_pure::Error> + Sync,
    ) -> Result<Vec<T>> {
        let count = self.check_size(dataset, name)?;
        let shape = shape(dataset);
        let rows = shape.first().copied().unwrap_or(1);
        if count == 0 || rows == 0 {
            return Ok(Vec::new());
        }
        if shape.is_empty() {
            return read(dataset, 0, 1).map_err(|e| self.failed(e));
        }
        let mut values = self.budget.zeros(count, 1)?;
        let progress = Progress::new(self.monitor, "reading file", count);
        self.fill(dataset, (name, 0), &mut values, read, &|units| progress.advance(units))?;
        Ok(values)
    }

    /// Some rows of a data set.
    fn some<T: H5Element + Copy + Default + Send + Sync>(
        &self,
        dataset: &Dataset,
        name: &str,
        rows: Range<usize>,
        read: impl Fn(&Dataset, u64, u64) -> std::result::Result<Vec<T>, hdf5_pure::Error> + Sync,
    ) -> Result<Vec<T>> {
        let width: usize = shape(dataset).iter().skip(1).product();
        let mut values = vec![T::default(); rows.len() * width];
        self.fill(dataset, (name, rows.start), &mut values, read, &|_| Ok(()))?;
        Ok(values)
    }

    /// The rows of a data set from `first` on, in windows which are read in parallel into their places.
    fn fill<T: H5Element + Copy + Default + Send + Sync>(
        &self,
        dataset: &Dataset,
        (name, first): (&str, usize),
        values: &mut [T],
        read: impl Fn(&Dataset, u64, u64) -> std::result::Result<Vec<T>, hdf5_pure::Error> + Sync,
        tell: &(dyn Fn(usize) -> Result<()> + Sync),
    ) -> Result<()> {
        let width = shape(dataset).iter().skip(1).product::<usize>().max(1);
        let per_window = self.rows_at_a_time(dataset, width * size_of::<T>());
        let parts: Vec<Result<()>> = values
            .par_chunks_mut(per_window.saturating_mul(width))
            .enumerate()
            .map(|(window, part)| {
                let found = read(dataset, (first + window * per_window) as u64, (part.len() / width) as u64);
                let found = found.map_err(|e| self.failed(e))?;
                if found.len() != part.len() {
                    return Err(Error::malformed(self.file, FORMAT, format!("data set `{name}` is cut off")));
                }
                part.copy_from_slice(&found);
                tell(part.len())
            })
            .collect();
        parts.into_iter().collect()
    }

    /// Rows of a window: whole chunks, so that none is inflated twice.
    fn rows_at_a_time(&self, dataset: &Dataset, row_bytes: usize) -> usize {
        let chunk = dataset.chunk_shape().ok().flatten().and_then(|c| c.first().copied()).unwrap_or(1).max(1);
        let wanted = (WINDOW / row_bytes.max(1) as u64).max(1);
        usize::try_from(wanted.div_ceil(chunk).saturating_mul(chunk)).unwrap_or(usize::MAX)
    }

    /// The number of values, when the file is large enough to hold them: what it says of itself is not believed.
    pub(super) fn check_size(&self, dataset: &Dataset, name: &str) -> Result<usize> {
        let bad = |found: String| Error::malformed(self.file, FORMAT, found);
        let shape = dataset.shape().map_err(|e| self.failed(e))?;
        let count = shape.iter().try_fold(1_u64, |a, &b| a.checked_mul(b));
        let width = dataset.element_size().map_err(|e| self.failed(e))?;
        let bytes = count.and_then(|c| c.checked_mul(width));
        let (Some(count), Some(bytes)) = (count, bytes) else {
            return Err(bad(format!("the shape of data set `{name}` is too large")));
        };
        let stored = match dataset.layout().map_err(|e| self.failed(e))? {
            Layout::Compact { size } | Layout::Contiguous { size, .. } => size,
            Layout::Chunked { .. } => match dataset.chunks() {
                Ok(chunks) => {
                    let sizes = chunks.iter().map(|c| c.storage_size);
                    sizes.fold(0_u64, u64::saturating_add).saturating_mul(MOST_INFLATED)
                }
                // This index is not listed; the library checks what it reads.
                Err(_) => u64::MAX,
            },
            _ => {
                let what = format!("data set `{name}` lies in other files");
                return Err(Error::unsupported(self.file, what, "write all of it into one file"));
            }
        };
        if bytes > stored {
            return Err(bad(format!(
                "data set `{name}` says {bytes} bytes, but the file does not have that many"
            )));
        }
        usize::try_from(count).map_err(|_| bad(format!("the shape of data set `{name}` is too large")))
    }

    /// What the library of the format says, in our words where there are better ones.
    pub(super) fn failed(&self, error: hdf5_pure::Error) -> Error {
        match error {
            hdf5_pure::Error::Io(source) => Error::Io { file: self.file.to_owned(), source },
            hdf5_pure::Error::Format(FormatError::UnsupportedFilter(id)) => Error::unsupported(
                self.file,
                format!("an HDF5 file that is compressed by filter {id}"),
                "write it again with gzip: adata.write(file, compression=\"gzip\")",
            ),
            other => Error::malformed(self.file, FORMAT, other.to_string()),
        }
    }
}
