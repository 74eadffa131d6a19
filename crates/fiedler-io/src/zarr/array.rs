//! Arrays of a store as [arrays](crate::archive::Array): numbers, indices and texts, some whole chunks at a time.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use half::f16;
use zarrs::array::{
    ArrayBytes, ArrayError, ArrayMetadata, ArrayShardedExt, ArraySubset, CodecOptions, ElementOwned,
    data_type as types,
};
use zarrs::filesystem::FilesystemStore;

use super::store::{AGAIN, Store};
use super::values::{Value, Wanted};
use crate::archive::{Array, ByColumns, Kind};
use crate::matrix::Numbers;
use crate::memory::TEXT_TAKES;
use crate::progress::Progress;
use crate::{Error, Result};

/// Values that are read at a time, or as many more as make whole chunks.
const WINDOW: usize = 1 << 22;

/// An array may take so many times the bytes of its chunks, beyond the first [`FREE`] bytes: chunks that are not stored hold one value
/// throughout, and a few bytes can claim more than any disk holds.
const RATIO: u64 = 500;
const FREE: u64 = 64 << 20;

/// An array.
pub(super) struct ZarrArray<'a> {
    array: zarrs::array::Array<FilesystemStore>,
    name: String,
    store: Rc<Store<'a>>,
}

impl<'a> ZarrArray<'a> {
    pub(super) fn new(
        array: zarrs::array::Array<FilesystemStore>,
        name: String,
        store: &Rc<Store<'a>>,
    ) -> Self {
        ZarrArray { array, name, store: Rc::clone(store) }
    }

    fn is<T: 'static>(&self) -> bool {
        self.array.data_type().is::<T>()
    }

    /// The extent of what is unpacked together: of a chunk, or of a part of one that is stored in parts.
    fn chunk(&self) -> Vec<usize> {
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let part = self.array.effective_subchunk_shape();
        part.map_or_else(|| self.whole_chunk(), |part| part.iter().map(|n| size(n.get())).collect())
    }

    fn whole_chunk(&self) -> Vec<usize> {
        let first = vec![0; self.array.dimensionality()];
        self.array.chunk_shape_usize(&first).unwrap_or_else(|_| self.shape())
    }

    /// The bytes of a value.
    fn width(&self) -> u64 {
        self.array.data_type().fixed_size().unwrap_or(1) as u64
    }

    /// How far a chunk that ends within the array reaches in a dimension.
    fn together(&self, dimension: usize) -> usize {
        let extents = [self.chunk(), self.shape()];
        extents.iter().filter_map(|extent| extent.get(dimension).copied()).min().unwrap_or(1).max(1)
    }

    fn chunk_bytes(&self) -> u64 {
        self.bytes(&self.chunk())
    }

    fn whole_chunk_bytes(&self) -> u64 {
        self.bytes(&self.whole_chunk())
    }

    fn bytes(&self, extent: &[usize]) -> u64 {
        extent.iter().fold(self.width(), |a, &b| a.saturating_mul(b as u64))
    }

    /// Some rows, all columns.
    fn rows(&self, rows: Range<usize>) -> ArraySubset {
        let mut ranges: Vec<Range<u64>> = self.array.shape().iter().map(|&n| 0..n).collect();
        if let Some(first) = ranges.first_mut() {
            *first = rows.start as u64..rows.end as u64;
        }
        ArraySubset::new_with_ranges(&ranges)
    }

    /// A part of the array as numbers.
    fn part<U: Wanted>(&self, part: &ArraySubset) -> Result<Vec<U>> {
        match () {
            () if self.is::<types::Float32DataType>() => self.converted::<f32, U>(part),
            () if self.is::<types::Float64DataType>() => self.converted::<f64, U>(part),
            () if self.is::<types::Float16DataType>() => self.converted::<f16, U>(part),
            () if self.is::<types::BoolDataType>() => self.converted::<bool, U>(part),
            () if self.is::<types::Int8DataType>() => self.converted::<i8, U>(part),
            () if self.is::<types::Int16DataType>() => self.converted::<i16, U>(part),
            () if self.is::<types::Int32DataType>() => self.converted::<i32, U>(part),
            () if self.is::<types::Int64DataType>() => self.converted::<i64, U>(part),
            () if self.is::<types::UInt8DataType>() => self.converted::<u8, U>(part),
            () if self.is::<types::UInt16DataType>() => self.converted::<u16, U>(part),
            () if self.is::<types::UInt32DataType>() => self.converted::<u32, U>(part),
            () if self.is::<types::UInt64DataType>() => self.converted::<u64, U>(part),
            () => {
                let what = format!("array `{}` does not hold numbers", self.name);
                Err(Error::unsupported(self.store.of.file, what, "numbers, samples × features, are needed"))
            }
        }
    }

    fn converted<T: Value, U: Wanted>(&self, part: &ArraySubset) -> Result<Vec<U>> {
        Ok(self.stored::<T>(part)?.into_iter().map(U::of).collect())
    }

    /// A part as it is stored, its chunks unpacked side by side as far as memory allows.
    fn stored<T: ElementOwned>(&self, part: &ArraySubset) -> Result<Vec<T>> {
        let budget = self.store.of.budget;
        budget.check(self.chunk_bytes()).map_err(|e| {
            e.of_whole_because("a chunk is unpacked as a whole", "write the array again in smaller chunks")
        })?;
        self.check_files(part)?;
        let at_once = budget.left() / 4 / self.chunk_bytes().max(1);
        let at_once = usize::try_from(at_once).unwrap_or(usize::MAX);
        let options =
            CodecOptions::default().with_concurrent_target(at_once.clamp(1, rayon::current_num_threads()));
        self.array.retrieve_array_subset_opt(part, &options).map_err(|e| self.failed(part, &e))
    }

    /// Refuses chunks that are no files, which might never end, and files that are too large to be read: of a chunk in parts only the parts
    /// that are needed are read.
    fn check_files(&self, part: &ArraySubset) -> Result<()> {
        let in_parts = self.array.effective_subchunk_shape().is_some();
        let chunks = self.array.chunks_in_array_subset(part).ok().flatten();
        for at in chunks.iter().flat_map(|chunks| chunks.indices()) {
            let key = self.array.chunk_key(&at);
            let path = self.store.folder.join(key.as_str());
            // What is not there holds the fill value.
            if fs::symlink_metadata(&path).is_err() {
                continue;
            }
            let Some(file) = fs::metadata(&path).ok().filter(fs::Metadata::is_file) else {
                let place = key.as_str();
                return Err(self.store.of.bad(format!("`{place}` is a chunk and no file; {AGAIN}")));
            };
            if !in_parts {
                self.store.of.budget.check(file.len())?;
                self.check_claim(&path, key.as_str())?;
            }
        }
        Ok(())
    }

    /// Refuses a chunk of version 2 that Blosc would unpack to more than a chunk: there alone the library does not ask [`bounded`](super::bounded).
    fn check_claim(&self, path: &Path, place: &str) -> Result<()> {
        let ArrayMetadata::V2(array) = self.array.metadata() else { return Ok(()) };
        if array.compressor.as_ref().is_none_or(|packer| packer.id() != "blosc") {
            return Ok(());
        }
        // Filters may change the size of a value, and texts have none.
        let most = match self.array.data_type().fixed_size() {
            Some(_) => self.chunk_bytes().saturating_mul(8),
            None => self.store.of.budget.left() / 4,
        };
        if blosc_claim(path) > most {
            let found = format!("file `{place}` unpacks to more than the {most} bytes that it may have");
            return Err(self.store.of.bad(format!("{found}; {AGAIN}")));
        }
        Ok(())
    }

    /// What the library says, with the file of the chunk.
    fn failed(&self, part: &ArraySubset, error: &ArrayError) -> Error {
        // Which of them it is is found by unpacking each, and chunks that are stored in parts may be too large for that.
        let chunks = self.array.chunks_in_array_subset(part).ok().flatten();
        let chunks = chunks.filter(|_| self.store.of.budget.check(self.whole_chunk_bytes()).is_ok());
        let mut all = chunks.iter().flat_map(|chunks| chunks.indices());
        let broken = all.find(|at| self.array.retrieve_chunk::<ArrayBytes<'static>>(at).is_err());
        let place = match broken {
            Some(at) => format!("file `{}`", self.array.chunk_key(&at).as_str()),
            None => format!("array `{}`", self.name),
        };
        self.store.of.bad(format!("{place} cannot be unpacked ({error}); {AGAIN}"))
    }

    /// All rows, a window at a time.
    fn all<U>(&self, read: impl Fn(&ArraySubset) -> Result<Vec<U>>) -> Result<Vec<U>> {
        let (count, of) = (self.count()?, &self.store.of);
        if count == 0 {
            return Ok(Vec::new());
        }
        of.budget.take_items(count, size_of::<U>())?;
        let rows = self.shape().first().copied().unwrap_or(1);
        let width = count / rows.max(1);
        let wanted = (WINDOW / width.max(1)).max(1);
        let whole = wanted.checked_next_multiple_of(self.rows_together()).unwrap_or(usize::MAX).min(rows);
        let fits = (whole as u64).saturating_mul((width * size_of::<U>()) as u64) <= of.budget.left() / 2;
        let step = if fits { whole } else { wanted };
        if step >= rows {
            return read(&self.rows(0..rows));
        }
        let mut all = Vec::new();
        of.budget.reserve(&mut all, count)?;
        let progress = Progress::new(of.monitor, "reading file", rows);
        for first in (0..rows).step_by(step) {
            let some = first..rows.min(first + step);
            all.extend(read(&self.rows(some.clone()))?);
            progress.advance(some.len())?;
        }
        Ok(all)
    }

    fn is_single(&self) -> bool {
        crate::archive::is_single(self)
    }

    /// The bytes of the files of the array.
    fn stored_bytes(&self) -> u64 {
        let folder = self.array.path().as_str().trim_start_matches('/').to_owned();
        bytes_below(&self.store.folder.join(folder))
    }
}

/// The bytes of all files in a folder and in those below it.
fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_below(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(size).fold(0, u64::saturating_add)
}

/// The bytes that a file of Blosc says it unpacks to; 0 where it says nothing.
fn blosc_claim(path: &Path) -> u64 {
    use std::io::Read;
    let mut header = [0; 8];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    // What cannot be read here is told where the chunk is read.
    read.map_or(0, |()| header[4..].iter().rev().fold(0, |a, &b| a << 8 | u64::from(b)))
}

impl Array for ZarrArray<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn shape(&self) -> Vec<usize> {
        self.array.shape().iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect()
    }

    fn kind(&self) -> Kind {
        use types::{Float16DataType, Float32DataType, Float64DataType, Int8DataType, Int16DataType};
        use types::{Int32DataType, Int64DataType, UInt8DataType, UInt16DataType, UInt32DataType};
        let small = self.is::<Int8DataType>() || self.is::<UInt8DataType>();
        let medium = self.is::<Int16DataType>() || self.is::<UInt16DataType>();
        let large = self.is::<Int32DataType>() || self.is::<UInt32DataType>() || self.is::<Int64DataType>();
        match () {
            () if self.is::<types::BoolDataType>() => Kind::Truth,
            () if self.is::<Float32DataType>() || self.is::<Float16DataType>() || small || medium => {
                Kind::Number { single: true }
            }
            () if self.is::<Float64DataType>() || large || self.is::<types::UInt64DataType>() => {
                Kind::Number { single: false }
            }
            () if self.is::<types::StringDataType>() || self.is::<types::FixedLengthUTF32DataType>() => {
                Kind::Text
            }
            () => Kind::Records,
        }
    }

    fn count(&self) -> Result<usize> {
        let of = &self.store.of;
        let count = self.array.shape().iter().try_fold(1_u64, |a, &b| a.checked_mul(b));
        let bytes = count.and_then(|count| count.checked_mul(self.width()));
        let (Some(count), Some(bytes)) = (count.and_then(|c| usize::try_from(c).ok()), bytes) else {
            return Err(of.bad(format!("the shape of array `{}` is too large", self.name)));
        };
        if bytes > FREE && bytes / RATIO > self.stored_bytes() {
            let found = format!("array `{}` says {bytes} bytes, and its files hold far less", self.name);
            return Err(of.bad(format!("{found}; if it is so empty, write it as a sparse matrix")));
        }
        Ok(count)
    }

    fn numbers(&self) -> Result<Numbers> {
        if self.is_single() {
            self.all(|part| self.part(part)).map(Numbers::F32)
        } else {
            self.all(|part| self.part(part)).map(Numbers::F64)
        }
    }

    fn numbers_at(&self, rows: Range<usize>) -> Result<Numbers> {
        let rows = self.rows(rows);
        if self.is_single() { self.part(&rows).map(Numbers::F32) } else { self.part(&rows).map(Numbers::F64) }
    }

    fn integers(&self) -> Result<Vec<i64>> {
        self.all(|part| self.part(part))
    }

    fn indices(&self) -> Result<Vec<u32>> {
        self.all(|part| self.part(part))
    }

    fn indices_at(&self, rows: Range<usize>) -> Result<Vec<u32>> {
        self.part(&self.rows(rows))
    }

    fn texts(&self) -> Result<Vec<Option<String>>> {
        self.store.of.budget.take_items(self.count()?, TEXT_TAKES)?;
        if self.is::<types::StringDataType>() {
            return self.all(|part| Ok(self.stored::<String>(part)?.into_iter().map(Some).collect()));
        }
        let text = |letters: Vec<char>| Some(letters.into_iter().collect());
        self.all(|part| Ok(self.stored::<Vec<char>>(part)?.into_iter().map(text).collect()))
    }

    fn rows_together(&self) -> usize {
        self.together(0)
    }

    fn by_columns(&self) -> Option<&dyn ByColumns> {
        Some(self)
    }
}

impl ByColumns for ZarrArray<'_> {
    fn together(&self) -> usize {
        ZarrArray::together(self, 1)
    }

    fn columns_at(&self, columns: Range<usize>) -> Result<Numbers> {
        let rows = self.array.shape().first().copied().unwrap_or(0);
        let ranges = [0..rows, columns.start as u64..columns.end as u64];
        let part = ArraySubset::new_with_ranges(&ranges);
        if self.is_single() {
            Ok(Numbers::F32(turned(&self.part(&part)?, columns.len())))
        } else {
            Ok(Numbers::F64(turned(&self.part(&part)?, columns.len())))
        }
    }
}

/// Column after column, of what was row after row.
fn turned<T: Copy>(values: &[T], columns: usize) -> Vec<T> {
    (0..columns).flat_map(|j| values.iter().skip(j).step_by(columns).copied()).collect()
}
