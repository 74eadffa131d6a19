//! A NumPy array that stays on disk, in either order.
//!
//! Row-major files, which is what `np.save` writes, are read in wide columns: of every row as many numbers as a chunk has columns, so that
//! a read is long however far the rows are apart.

use std::ops::Range;

use bytemuck::Pod;
use fiedler::dataset::Order;
use half::f16;

use super::positions::Positions;
use super::{Lost, Stored, Stretch};
use crate::matrix::Numbers;

/// Numbers that are read at a time.
const PIECE: usize = 1 << 16;

/// An array of rows × columns behind a header.
pub(crate) struct Npy {
    pub(crate) file: Positions,
    /// Where the numbers begin.
    pub(crate) start: u64,
    /// Kind and size, as in `f8`.
    pub(crate) kind: String,
    /// Whether the file's byte order is not this machine's.
    pub(crate) swap: bool,
    pub(crate) order: Order,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Npy {
    /// The same numbers, with rows for columns.
    pub(crate) fn turned(self) -> Self {
        let order = match self.order {
            Order::RowMajor => Order::ColumnMajor,
            Order::ColumnMajor => Order::RowMajor,
        };
        Npy { order, rows: self.columns, columns: self.rows, ..self }
    }

    /// The columns `range`, in the order of the file.
    fn read_as<T: Pod, U>(&self, range: Range<usize>, convert: impl Fn(T) -> U) -> Result<Vec<U>, Lost> {
        let width = range.len();
        let mut values = Vec::with_capacity(self.rows * width);
        let mut piece = vec![T::zeroed(); PIECE.min(self.rows * width)];
        let mut run = |first: usize, count: usize| -> Result<(), Lost> {
            for start in (0..count).step_by(PIECE) {
                let some = &mut piece[..PIECE.min(count - start)];
                let place = self.start + ((first + start) * size_of::<T>()) as u64;
                self.file.fill(bytemuck::cast_slice_mut(some), place)?;
                values.extend(some.iter().map(|&v| convert(v)));
            }
            Ok(())
        };
        match self.order {
            Order::ColumnMajor => run(range.start * self.rows, width * self.rows)?,
            Order::RowMajor => (0..self.rows).try_for_each(|i| run(i * self.columns + range.start, width))?,
        }
        Ok(values)
    }
}

impl Npy {
    /// The columns `range` of numbers of any kind.
    fn read_converted(&self, range: Range<usize>) -> Result<Numbers, Lost> {
        let swap = self.swap;
        macro_rules! read {
            ($number:ty, $bits:ty, $to:expr) => {
                self.read_as(range, |v: $bits| {
                    let v = if swap { v.swap_bytes() } else { v };
                    $to(<$number>::from_bits(v))
                })?
            };
        }
        macro_rules! whole {
            ($number:ty, $to:expr) => {
                self.read_as(range, |v: $number| $to(if swap { v.swap_bytes() } else { v }))?
            };
        }
        Ok(match self.kind.as_str() {
            "f8" => Numbers::F64(read!(f64, u64, |v| v)),
            "f4" => Numbers::F32(read!(f32, u32, |v| v)),
            "f2" => Numbers::F32(read!(f16, u16, f16::to_f32)),
            "i1" => Numbers::F32(whole!(i8, f32::from)),
            "u1" | "b1" => Numbers::F32(whole!(u8, f32::from)),
            "i2" => Numbers::F32(whole!(i16, f32::from)),
            "u2" => Numbers::F32(whole!(u16, f32::from)),
            "i4" => Numbers::F64(whole!(i32, f64::from)),
            "u4" => Numbers::F64(whole!(u32, f64::from)),
            "i8" => Numbers::F64(whole!(i64, |v| v as f64)),
            _ => Numbers::F64(whole!(u64, |v| v as f64)),
        })
    }

    /// The columns `range` of numbers that need no change, read to where they stay.
    fn read_plain<T: Pod>(&self, range: Range<usize>, mut values: Vec<T>) -> Result<Vec<T>, Lost> {
        let width = range.len();
        values.resize(self.rows * width, T::zeroed());
        let fill = |some: &mut [T], first: usize| {
            self.file.fill(bytemuck::cast_slice_mut(some), self.start + (first * size_of::<T>()) as u64)
        };
        match self.order {
            Order::ColumnMajor => fill(&mut values, range.start * self.rows)?,
            Order::RowMajor => {
                let mut rows = values.chunks_exact_mut(width.max(1)).enumerate();
                rows.try_for_each(|(i, row)| fill(row, i * self.columns + range.start))?;
            }
        }
        Ok(values)
    }
}

impl Stored for Npy {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    fn is_single(&self) -> bool {
        matches!(self.kind.as_str(), "f4" | "f2" | "i1" | "u1" | "b1" | "i2" | "u2")
    }

    fn is_by_rows(&self) -> bool {
        matches!(self.order, Order::RowMajor)
    }

    fn worth(&self) -> usize {
        if self.is_by_rows() { 1024 } else { 8 }
    }

    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
        self.read_into(range, None)
    }

    fn read_into(&self, range: Range<usize>, room: Option<Numbers>) -> Result<Stretch, Lost> {
        let (row_stride, column_stride) = match self.order {
            Order::ColumnMajor => (1, self.rows),
            Order::RowMajor => (range.len(), 1),
        };
        let values = match (self.kind.as_str(), room) {
            ("f8", Some(Numbers::F64(room))) if !self.swap => Numbers::F64(self.read_plain(range, room)?),
            ("f8", _) if !self.swap => Numbers::F64(self.read_plain(range, Vec::new())?),
            ("f4", Some(Numbers::F32(room))) if !self.swap => Numbers::F32(self.read_plain(range, room)?),
            ("f4", _) if !self.swap => Numbers::F32(self.read_plain(range, Vec::new())?),
            _ => self.read_converted(range)?,
        };
        self.file.check()?;
        Ok(Stretch::Dense { values, row_stride, column_stride })
    }
}
