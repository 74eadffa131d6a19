//! A NumPy array that stays on disk, in either order.
//!
//! Row-major files, which is what `np.save` writes, are read in wide columns: of every row as many numbers as a chunk has columns, so that
//! a read is long however far the rows are apart. They are put in [tiles](super::layout) as they come.

use std::ops::Range;

use bytemuck::Pod;
use fiedler::dataset::Order;
use half::f16;

use super::layout::put_rows;
use super::positions::Positions;
use super::{Layout, Lost, Stored, Stretch};
use crate::matrix::Numbers;

/// Numbers that are read at a time, unless they are read to where they stay; whole tiles.
const PIECE: usize = 1 << 16;
/// Rows that are read before they are put in tiles together.
const TOGETHER: usize = 8;
/// Bytes of a row that are read at a time: shorter pieces take longer to read, and longer ones of every row are more than a cache holds.
const LONG: u64 = 16 << 10;

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

    /// The columns `range`, as [`layout`](Self::layout) has them, converted on the way; in the room of `values`.
    fn read_as<T: Pod, U: Pod>(
        &self,
        range: Range<usize>,
        mut values: Vec<U>,
        convert: impl Fn(T) -> U,
    ) -> Result<Vec<U>, Lost> {
        let width = range.len();
        values.resize(self.rows * width, U::zeroed());
        let room = match self.order {
            Order::ColumnMajor => PIECE.min(values.len()),
            Order::RowMajor => TOGETHER.min(self.rows) * PIECE.min(width),
        };
        let mut piece = vec![T::zeroed(); room];
        let read = |piece: &mut [T], first: usize| {
            self.file.fill(bytemuck::cast_slice_mut(piece), self.place(first, size_of::<T>()))
        };
        match self.order {
            Order::ColumnMajor => {
                for (at, to) in values.chunks_mut(PIECE).enumerate() {
                    let piece = &mut piece[..to.len()];
                    read(piece, range.start * self.rows + at * PIECE)?;
                    to.iter_mut().zip(&*piece).for_each(|(to, &v)| *to = convert(v));
                }
            }
            Order::RowMajor => {
                for top in (0..self.rows).step_by(TOGETHER) {
                    let rows = top..self.rows.min(top + TOGETHER);
                    for first in (0..width).step_by(PIECE) {
                        let some = PIECE.min(width - first);
                        for (row, piece) in rows.clone().zip(piece.chunks_exact_mut(some)) {
                            read(piece, row * self.columns + range.start + first)?;
                        }
                        let pieces = piece.chunks_exact(some).take(rows.len());
                        put_rows(&mut values, (self.rows, width), (top, first), pieces, &convert);
                    }
                }
            }
        }
        Ok(values)
    }

    /// Where number `at` of so many bytes is in the file.
    fn place(&self, at: usize, size: usize) -> u64 {
        self.start + (at * size) as u64
    }

    fn layout(&self) -> Layout {
        match self.order {
            Order::ColumnMajor => Layout::Columns,
            Order::RowMajor => Layout::Tiles,
        }
    }
}

impl Npy {
    /// The columns `range` of numbers of any kind.
    fn read_converted(&self, range: Range<usize>) -> Result<Numbers, Lost> {
        let swap = self.swap;
        macro_rules! read {
            ($number:ty, $bits:ty, $to:expr) => {
                self.read_as(range, Vec::new(), |v: $bits| {
                    let v = if swap { v.swap_bytes() } else { v };
                    $to(<$number>::from_bits(v))
                })?
            };
        }
        macro_rules! whole {
            ($number:ty, $to:expr) => {
                self.read_as(range, Vec::new(), |v: $number| $to(if swap { v.swap_bytes() } else { v }))?
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

    /// The columns `range` of numbers that need no change: of a file by columns they are read to where they stay.
    fn read_plain<T: Pod>(&self, range: Range<usize>, mut values: Vec<T>) -> Result<Vec<T>, Lost> {
        if self.order == Order::RowMajor {
            return self.read_as(range, values, |v: T| v);
        }
        values.resize(self.rows * range.len(), T::zeroed());
        let start = self.place(range.start * self.rows, size_of::<T>());
        self.file.fill(bytemuck::cast_slice_mut(&mut values), start)?;
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

    fn expect(&self, range: Range<usize>) {
        let size = self.kind[1..].parse().unwrap_or(1);
        let expect =
            |first: usize, count: usize| self.file.expect(self.place(first, size), (count * size) as u64);
        match self.order {
            Order::ColumnMajor => expect(range.start * self.rows, range.len() * self.rows),
            Order::RowMajor => {
                (0..self.rows).for_each(|i| expect(i * self.columns + range.start, range.len()))
            }
        }
    }

    fn is_by_rows(&self) -> bool {
        matches!(self.order, Order::RowMajor)
    }

    fn long(&self) -> u64 {
        if self.is_by_rows() { LONG.saturating_mul(self.rows as u64) } else { 0 }
    }

    fn worth(&self) -> usize {
        if self.is_by_rows() { 1024 } else { 8 }
    }

    fn read(&self, range: Range<usize>) -> Result<Stretch, Lost> {
        self.read_into(range, None)
    }

    fn read_into(&self, range: Range<usize>, room: Option<Numbers>) -> Result<Stretch, Lost> {
        let values = match (self.kind.as_str(), room) {
            ("f8", Some(Numbers::F64(room))) if !self.swap => Numbers::F64(self.read_plain(range, room)?),
            ("f8", _) if !self.swap => Numbers::F64(self.read_plain(range, Vec::new())?),
            ("f4", Some(Numbers::F32(room))) if !self.swap => Numbers::F32(self.read_plain(range, room)?),
            ("f4", _) if !self.swap => Numbers::F32(self.read_plain(range, Vec::new())?),
            _ => self.read_converted(range)?,
        };
        self.file.check()?;
        Ok(Stretch::Dense { values, layout: self.layout() })
    }
}
