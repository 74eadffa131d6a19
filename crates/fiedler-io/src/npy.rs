//! NumPy arrays: one header, then the numbers as they lie in memory.
//!
//! Floating-point data are read straight into the matrix; nothing is copied.

use std::path::Path;

use bytemuck::Pod;
use fiedler::dataset::Order;
use fiedler::{Monitor, Silent};
use half::f16;

use crate::disk::Disk;
use crate::disk::npy::Npy;
use crate::disk::positions::Positions;
use crate::input::Input;
use crate::matrix::{Matrix, Numbers};
use crate::options::Orientation;
use crate::progress::Progress;
use crate::table::Raw;
use crate::{Error, Result};

const FORMAT: &str = "NPY";

/// Numbers that are read at a time where nobody knows how many there are.
const PIECE: usize = 1 << 16;

/// Reads a two-dimensional array, or leaves it on disk where it takes more memory than it may.
pub(crate) fn read(mut input: Input<'_>, features: Orientation, monitor: &dyn Monitor) -> Result<Raw> {
    let header = Header::read(&mut input)?;
    let (rows, columns) = header.two_dimensions(&input.name)?;
    let limits = monitor.limits();
    if Disk::holds(header.bytes(), limits)
        && let Some(path) = input.take_path()
    {
        let npy = header.on_disk(&path, rows, columns, input.done())?;
        let npy = if features == Orientation::Rows { npy.turned() } else { npy };
        return Ok(Raw::on_disk(Disk::new(&input.name, npy, limits)?));
    }
    Ok(Raw::bare(Matrix::dense(header.values(&mut input, monitor)?, rows, columns, header.order)))
}

/// Reads a two-dimensional array that is in memory already, as a member of an archive.
pub(crate) fn read_matrix(mut input: Input<'_>, monitor: &dyn Monitor) -> Result<Matrix> {
    let header = Header::read(&mut input)?;
    let (rows, columns) = header.two_dimensions(&input.name)?;
    Ok(Matrix::dense(header.values(&mut input, monitor)?, rows, columns, header.order))
}

/// Reads a one-dimensional array, or one with a single row or column.
pub(crate) fn read_vector(input: &mut Input<'_>, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let header = Header::read(input)?;
    if header.shape.iter().filter(|&&n| n != 1).count() > 1 {
        return Err(Error::unsupported(
            &input.name,
            "an array of labels with rows and columns",
            "give one dimension",
        ));
    }
    let values = header.values(input, monitor)?;
    Ok((0..values.len()).map(|i| values.at(i)).collect())
}

/// The numbers of an array of any shape, in the order of the file.
pub(crate) fn read_flat(input: &mut Input<'_>, monitor: &dyn Monitor) -> Result<Numbers> {
    Header::read(input)?.values(input, monitor)
}

/// The shape that the header of an array tells; `None` where there is no header.
pub(crate) fn shape_of(bytes: &[u8]) -> Option<Vec<usize>> {
    let text = header_text(bytes)?.0;
    let shape = text.split_once("'shape':")?.1.trim_start().strip_prefix('(')?.split_once(')')?.0;
    shape.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect()
}

/// Bytes in which the header of every array of plain numbers ends.
pub(crate) const LONGEST_HEADER: usize = 1 << 16;

/// The order of an array of that kind and shape, lowest byte first, and where its numbers begin, in a file of so many bytes
/// that begins like this; `None` for all other arrays.
pub(crate) fn plain(start: &[u8], size: u64, kind: &str, shape: (usize, usize)) -> Option<(Order, u64)> {
    let (text, rest) = header_text(start)?;
    let (header, at) = (Header::parse(text)?, (start.len() - rest.len()) as u64);
    let fits = header.kind == kind && !header.big_endian && header.shape == [shape.0, shape.1];
    (fits && size - at == header.bytes()).then_some((header.order, at))
}

/// The texts of an array of texts of a fixed length (`<U8`, `|S8`); `None` for all other arrays.
pub(crate) fn texts_of(bytes: &[u8]) -> Option<Vec<String>> {
    let (text, data) = header_text(bytes)?;
    let descr = text.split_once("'descr':")?.1.trim_start().strip_prefix('\'')?.split_once('\'')?.0;
    let (kind, length) = descr.strip_prefix(['<', '|', '='])?.split_at_checked(1)?;
    let length = length.parse::<usize>().ok().filter(|&n| n > 0)?;
    let count = shape_of(bytes)?.iter().try_fold(1_usize, |a, &b| a.checked_mul(b))?;
    let width = length.checked_mul(if kind == "U" { 4 } else { 1 })?;
    if data.len() != count.checked_mul(width)? {
        return None;
    }
    let wide = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    let character = |b: &[u8]| char::from_u32(wide(b)).unwrap_or('\u{fffd}');
    let unicode = |b: &[u8]| b.chunks_exact(4).map(character).collect::<String>();
    let texts = data.chunks_exact(width);
    let texts: Vec<String> = match kind {
        "U" => texts.map(unicode).collect(),
        "S" => texts.map(|b| String::from_utf8_lossy(b).into_owned()).collect(),
        _ => return None,
    };
    Some(texts.into_iter().map(|t| t.trim_end_matches('\0').to_owned()).collect())
}

/// The text of a header and what follows it.
fn header_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (size, start) = match rest.first()? {
        1 => (usize::from(u16::from_le_bytes(rest.get(2..4)?.try_into().ok()?)), 4),
        _ => (u32::from_le_bytes(rest.get(2..6)?.try_into().ok()?) as usize, 6),
    };
    let (text, data) = rest.get(start..)?.split_at_checked(size)?;
    Some((std::str::from_utf8(text).ok()?, data))
}

struct Header {
    /// Kind and size, as in `f8`.
    kind: String,
    big_endian: bool,
    order: Order,
    shape: Vec<usize>,
}

impl Header {
    fn read(input: &mut Input<'_>) -> Result<Self> {
        let bad = |input: &Input<'_>, found: &str| Error::malformed(&input.name, FORMAT, found);
        let silent = Progress::new(&Silent, "reading file", 0);
        let mut start = [0_u8; 8];
        if input.fill(&mut start, &silent)? < 8 || !start.starts_with(b"\x93NUMPY") {
            return Err(bad(input, "the magic word is missing"));
        }
        let mut size = [0_u8; 4];
        let digits = if start[6] == 1 { 2 } else { 4 };
        input.fill(&mut size[..digits], &silent)?;
        let size = u32::from_le_bytes(size) as usize;
        if size > 1 << 20 {
            return Err(bad(input, "the header is longer than any header"));
        }
        let mut text = vec![0_u8; size];
        if input.fill(&mut text, &silent)? < size {
            return Err(bad(input, "the header is cut off"));
        }
        let text = String::from_utf8_lossy(&text);
        Header::parse(&text).ok_or_else(|| {
            Error::unsupported(
                &input.name,
                format!("an array described as {}", text.trim()),
                "save it as a plain array of numbers: np.save(file, X.astype(float))",
            )
        })
    }

    /// Reads the Python dictionary `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`.
    fn parse(text: &str) -> Option<Self> {
        let after = |key: &str| text.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
        let descr = after("descr")?.strip_prefix('\'')?.split_once('\'')?.0;
        let (endian, kind) = descr.split_at_checked(1)?;
        let order = match after("fortran_order")?.split([',', '}']).next()?.trim() {
            "True" => Order::ColumnMajor,
            "False" => Order::RowMajor,
            _ => return None,
        };
        let shape = after("shape")?.strip_prefix('(')?.split_once(')')?.0;
        let numbers = shape.split(',').map(str::trim).filter(|n| !n.is_empty());
        let shape = numbers.map(|n| n.parse().ok()).collect::<Option<Vec<usize>>>()?;
        let known = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"];
        known.contains(&kind).then(|| Header {
            kind: kind.to_owned(),
            big_endian: endian == ">",
            order,
            shape,
        })
    }

    fn two_dimensions(&self, file: &str) -> Result<(usize, usize)> {
        let &[rows, columns] = self.shape.as_slice() else {
            return Err(Error::unsupported(
                file,
                format!("an array of {} dimensions", self.shape.len()),
                "samples × features, two dimensions, are needed",
            ));
        };
        Ok((rows, columns))
    }

    /// What the numbers take in memory.
    fn bytes(&self) -> u64 {
        let size = if matches!(self.kind.as_str(), "f8" | "i4" | "u4" | "i8" | "u8") { 8 } else { 4 };
        self.shape.iter().fold(size, |bytes, &n| bytes.saturating_mul(n as u64))
    }

    /// The array where it lies, `start` bytes from the beginning of its file.
    fn on_disk(&self, path: &Path, rows: usize, columns: usize, start: u64) -> Result<Npy> {
        let file = Positions::open(path)?;
        let size = self.kind[1..].parse().unwrap_or(8_u64);
        let bytes = (rows as u64).checked_mul(columns as u64).and_then(|count| count.checked_mul(size));
        if bytes.and_then(|bytes| bytes.checked_add(start)).is_none_or(|end| end > file.size()) {
            let found = format!("it ends before its {rows} × {columns} numbers do");
            return Err(Error::malformed(&crate::shown(path), FORMAT, found));
        }
        let swap = self.big_endian != cfg!(target_endian = "big");
        Ok(Npy { file, start, kind: self.kind.clone(), swap, order: self.order, rows, columns })
    }

    fn values(&self, input: &mut Input<'_>, monitor: &dyn Monitor) -> Result<Numbers> {
        let count =
            self.shape.iter().try_fold(1_usize, |a, &b| a.checked_mul(b)).filter(|&c| c < usize::MAX / 8);
        let count = count.ok_or_else(|| Error::malformed(&input.name, FORMAT, "its shape is too large"))?;
        let mut source =
            Source { input, monitor, count, swap: self.big_endian != cfg!(target_endian = "big") };
        Ok(match self.kind.as_str() {
            "f8" => Numbers::F64(source.plain(|v: f64| f64::from_bits(v.to_bits().swap_bytes()))?),
            "f4" => Numbers::F32(source.plain(|v: f32| f32::from_bits(v.to_bits().swap_bytes()))?),
            "f2" => Numbers::F32(source.converted(|v: u16| v.swap_bytes(), |v| f16::from_bits(v).to_f32())?),
            "i1" => Numbers::F32(source.converted(|v: i8| v, f32::from)?),
            "u1" | "b1" => Numbers::F32(source.converted(|v: u8| v, f32::from)?),
            "i2" => Numbers::F32(source.converted(i16::swap_bytes, f32::from)?),
            "u2" => Numbers::F32(source.converted(u16::swap_bytes, f32::from)?),
            "i4" => Numbers::F64(source.converted(i32::swap_bytes, f64::from)?),
            "u4" => Numbers::F64(source.converted(u32::swap_bytes, f64::from)?),
            "i8" => Numbers::F64(source.converted(i64::swap_bytes, |v| v as f64)?),
            _ => Numbers::F64(source.converted(u64::swap_bytes, |v| v as f64)?),
        })
    }
}

/// The numbers behind a header.
struct Source<'a, 'b> {
    input: &'a mut Input<'b>,
    monitor: &'a dyn Monitor,
    count: usize,
    /// Whether the file's byte order is not this machine's.
    swap: bool,
}

impl Source<'_, '_> {
    /// Numbers that stay as they are.
    fn plain<T: Pod + Default>(&mut self, swapped: impl Fn(T) -> T) -> Result<Vec<T>> {
        let progress = Progress::new(self.monitor, "reading file", self.bytes::<T>());
        let mut values: Vec<T> =
            if self.is_there::<T>()? { self.input.budget.zeros(self.count, 1)? } else { Vec::new() };
        self.fill(&mut values, &progress)?;
        // What is not known to be there is read as it comes.
        while values.len() < self.count {
            let (start, wanted) = (values.len(), PIECE.min(self.count - values.len()));
            self.input.budget.take_items(wanted, size_of::<T>())?;
            self.input.budget.reserve(&mut values, wanted)?;
            values.resize(start + wanted, T::default());
            self.fill(&mut values[start..], &progress)?;
        }
        if self.swap {
            values.iter_mut().for_each(|v| *v = swapped(*v));
        }
        Ok(values)
    }

    /// Numbers of a type that the library does not store, converted a piece at a time.
    fn converted<T: Pod, U>(&mut self, swapped: impl Fn(T) -> T, convert: impl Fn(T) -> U) -> Result<Vec<U>> {
        self.is_there::<T>()?;
        let progress = Progress::new(self.monitor, "reading file", self.bytes::<T>());
        let mut values = Vec::new();
        let mut piece = vec![T::zeroed(); PIECE.min(self.count)];
        while values.len() < self.count {
            let wanted = PIECE.min(self.count - values.len());
            self.fill(&mut piece[..wanted], &progress)?;
            self.input.budget.take_items(wanted, size_of::<U>())?;
            self.input.budget.reserve(&mut values, wanted)?;
            values.extend(piece[..wanted].iter().map(|&v| convert(if self.swap { swapped(v) } else { v })));
        }
        Ok(values)
    }

    fn fill<T: Pod>(&mut self, values: &mut [T], progress: &Progress<'_>) -> Result<()> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(values);
        let wanted = bytes.len();
        if self.input.fill(bytes, progress)? < wanted {
            return Err(self.short());
        }
        Ok(())
    }

    fn bytes<T>(&self) -> usize {
        self.count.saturating_mul(size_of::<T>())
    }

    /// Whether the numbers are known to be there; an error where they are known not to be.
    fn is_there<T>(&self) -> Result<bool> {
        match self.input.size() {
            Some(size) if size < self.bytes::<T>() as u64 => Err(self.short()),
            size => Ok(size.is_some()),
        }
    }

    fn short(&self) -> Error {
        Error::malformed(&self.input.name, FORMAT, format!("it ends before its {} numbers do", self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_yes_or_no() {
        let of = |order: &str| {
            Header::parse(&format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': (3, 2), }}"))
        };
        assert!(of("True").is_some_and(|h| h.order == Order::ColumnMajor));
        assert!(of("False").is_some_and(|h| h.order == Order::RowMajor));
        assert!(["Maybe", "Truely", "", "1"].into_iter().all(|order| of(order).is_none()));
    }
}
