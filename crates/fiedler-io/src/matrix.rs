//! Numbers as a file had them: dense in either order, or sparse by column.

use std::ops::Range;

use fiedler::dataset::{Order, Values};
use rayon::prelude::*;

use crate::disk::layout::{Layout, take_columns};

/// Single or double precision, as the file had it. Integers of up to 16 bits go into single
/// precision, which holds them exactly in half the memory.
pub(crate) enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Numbers {
    pub(crate) fn len(&self) -> usize {
        match self {
            Numbers::F32(v) => v.len(),
            Numbers::F64(v) => v.len(),
        }
    }

    pub(crate) fn at(&self, i: usize) -> f64 {
        match self {
            Numbers::F32(v) => f64::from(v[i]),
            Numbers::F64(v) => v[i],
        }
    }

    /// The values at these places, in that order.
    fn gather(&self, places: impl Iterator<Item = usize>) -> Numbers {
        match self {
            Numbers::F32(v) => Numbers::F32(places.map(|i| v[i]).collect()),
            Numbers::F64(v) => Numbers::F64(places.map(|i| v[i]).collect()),
        }
    }
}

/// For what is read from a disk.
impl Numbers {
    pub(crate) fn with_capacity(single: bool, count: usize) -> Self {
        if single { Numbers::F32(Vec::with_capacity(count)) } else { Numbers::F64(Vec::with_capacity(count)) }
    }

    /// None yet, in the room of numbers that nobody needs any more where that is of use: memory that is new costs more than to fill it.
    pub(crate) fn in_room(room: Option<Numbers>, single: bool, count: usize) -> Self {
        match (room, single) {
            (Some(Numbers::F32(mut v)), true) => {
                v.clear();
                v.reserve_exact(count);
                Numbers::F32(v)
            }
            (Some(Numbers::F64(mut v)), false) => {
                v.clear();
                v.reserve_exact(count);
                Numbers::F64(v)
            }
            _ => Numbers::with_capacity(single, count),
        }
    }

    /// Adds the values at these places of numbers of the same precision, with `fill` for those that are missing.
    pub(crate) fn extend(&mut self, from: &Numbers, places: impl Iterator<Item = usize>, fill: f64) {
        match (self, from) {
            (Numbers::F32(out), Numbers::F32(v)) => {
                let fill = fill as f32;
                out.extend(places.map(|p| if v[p].is_nan() { fill } else { v[p] }));
            }
            (Numbers::F64(out), Numbers::F64(v)) => {
                out.extend(places.map(|p| if v[p].is_nan() { fill } else { v[p] }));
            }
            (Numbers::F32(out), from) => out.extend(places.map(|p| from.at(p) as f32)),
            (Numbers::F64(out), from) => out.extend(places.map(|p| from.at(p))),
        }
    }

    /// Adds some columns of tiles of so many rows, of the same precision, as they are.
    pub(crate) fn append_tiled(&mut self, from: &Numbers, rows: usize, columns: &[usize]) {
        fn add<T: Copy + Default>(out: &mut Vec<T>, from: &[T], rows: usize, columns: &[usize]) {
            let start = out.len();
            out.resize(start + rows * columns.len(), T::default());
            take_columns(from, rows, columns, &mut out[start..]);
        }
        match (self, from) {
            (Numbers::F32(out), Numbers::F32(v)) => add(out, v, rows, columns),
            (Numbers::F64(out), Numbers::F64(v)) => add(out, v, rows, columns),
            (out, from) => {
                let place = |&j: &usize| Layout::Tiles.place((rows, from.len() / rows), j);
                for at in columns.iter().map(place) {
                    out.extend(from, (0..rows).map(|i| at.start + i * at.row_stride), f64::NAN);
                }
            }
        }
    }

    /// Adds a run of numbers of the same precision as they are.
    pub(crate) fn append(&mut self, from: &Numbers, run: Range<usize>) {
        match (self, from) {
            (Numbers::F32(out), Numbers::F32(v)) => out.extend_from_slice(&v[run]),
            (Numbers::F64(out), Numbers::F64(v)) => out.extend_from_slice(&v[run]),
            (out, from) => out.extend(from, run, f64::NAN),
        }
    }
}

impl From<Numbers> for Values<'_> {
    fn from(numbers: Numbers) -> Self {
        match numbers {
            Numbers::F32(v) => Values::F32(v.into()),
            Numbers::F64(v) => Values::F64(v.into()),
        }
    }
}

/// rows × columns.
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) storage: Storage,
}

pub(crate) enum Storage {
    Dense {
        values: Numbers,
        order: Order,
    },
    /// Column `j` has the entries `offsets[j]..offsets[j + 1]`, rows ascending.
    Sparse {
        offsets: Vec<usize>,
        rows: Vec<u32>,
        values: Numbers,
    },
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix::dense(Numbers::F64(Vec::new()), 0, 0, Order::RowMajor)
    }
}

impl Matrix {
    pub(crate) fn dense(values: Numbers, rows: usize, columns: usize, order: Order) -> Self {
        debug_assert_eq!(values.len(), rows * columns);
        Matrix { rows, columns, storage: Storage::Dense { values, order } }
    }

    /// Dense matrices are only read in the other order; sparse ones are sorted again.
    pub(crate) fn transposed(self) -> Self {
        let storage = match self.storage {
            Storage::Dense { values, order: Order::RowMajor } => {
                Storage::Dense { values, order: Order::ColumnMajor }
            }
            Storage::Dense { values, order: Order::ColumnMajor } => {
                Storage::Dense { values, order: Order::RowMajor }
            }
            Storage::Sparse { offsets, rows, values } => {
                transpose_sparse(&offsets, &rows, &values, self.rows)
            }
        };
        Matrix { rows: self.columns, columns: self.rows, storage }
    }

    /// The storage of the transposed matrix.
    #[cfg(feature = "hdf5")]
    pub(crate) fn turned_storage(&self) -> Storage {
        match &self.storage {
            Storage::Dense { values, order } => {
                Storage::Dense { values: values.gather(0..values.len()), order: *order }
            }
            Storage::Sparse { offsets, rows, values } => transpose_sparse(offsets, rows, values, self.rows),
        }
    }

    /// Column `j` in double precision.
    pub(crate) fn column(&self, j: usize) -> Vec<f64> {
        match &self.storage {
            Storage::Dense { values, order } => self.places(*order, j).map(|p| values.at(p)).collect(),
            Storage::Sparse { offsets, rows, values } => {
                let mut column = vec![0.0; self.rows];
                for e in offsets[j]..offsets[j + 1] {
                    column[rows[e] as usize] = values.at(e);
                }
                column
            }
        }
    }

    /// The matrix of these columns.
    pub(crate) fn keep_columns(self, kept: &[usize]) -> Self {
        let storage = match &self.storage {
            Storage::Dense { values, order } => Storage::Dense {
                values: values.gather(kept.iter().flat_map(|&j| self.places(*order, j))),
                order: Order::ColumnMajor,
            },
            Storage::Sparse { offsets, rows, values } => {
                let entries = || kept.iter().flat_map(|&j| offsets[j]..offsets[j + 1]);
                let mut end = 0;
                let ends = kept.iter().map(|&j| {
                    end += offsets[j + 1] - offsets[j];
                    end
                });
                let offsets = std::iter::once(0).chain(ends).collect();
                Storage::Sparse {
                    offsets,
                    rows: entries().map(|e| rows[e]).collect(),
                    values: values.gather(entries()),
                }
            }
        };
        Matrix { rows: self.rows, columns: kept.len(), storage }
    }

    /// The matrix of these rows, which ascend.
    pub(crate) fn keep_rows(self, kept: &[usize]) -> Self {
        let storage = match &self.storage {
            Storage::Dense { values, order } => {
                let columns = (0..self.columns).flat_map(|j| {
                    let (first, step) = self.first_and_step(*order, j);
                    kept.iter().map(move |&i| first + i * step)
                });
                Storage::Dense { values: values.gather(columns), order: Order::ColumnMajor }
            }
            Storage::Sparse { offsets, rows, values } => {
                let mut new = vec![u32::MAX; self.rows];
                kept.iter().enumerate().for_each(|(at, &i)| new[i] = at as u32);
                let (mut ends, mut places) = (vec![0], Vec::new());
                for w in offsets.windows(2) {
                    places.extend((w[0]..w[1]).filter(|&e| new[rows[e] as usize] != u32::MAX));
                    ends.push(places.len());
                }
                let rows = places.iter().map(|&e| new[rows[e] as usize]).collect();
                Storage::Sparse { offsets: ends, rows, values: values.gather(places.into_iter()) }
            }
        };
        Matrix { rows: kept.len(), columns: self.columns, storage }
    }

    /// Adds a column behind those of a matrix that lies column after column.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(crate) fn push_column(&mut self, column: impl Iterator<Item = f64>) {
        if let Storage::Dense { values, .. } = &mut self.storage {
            match values {
                Numbers::F32(v) => v.extend(column.map(|x| x as f32)),
                Numbers::F64(v) => v.extend(column),
            }
            self.columns += 1;
        }
    }

    /// Whether any value is missing.
    pub(crate) fn has_gaps(&self) -> bool {
        let (Storage::Dense { values, .. } | Storage::Sparse { values, .. }) = &self.storage;
        match values {
            Numbers::F32(v) => v.par_iter().any(|x| x.is_nan()),
            Numbers::F64(v) => v.par_iter().any(|x| x.is_nan()),
        }
    }

    /// Puts `value` wherever column `j` has none.
    pub(crate) fn fill(&mut self, j: usize, value: f64) {
        let places: Vec<usize> = match &self.storage {
            Storage::Dense { order, .. } => self.places(*order, j).collect(),
            Storage::Sparse { offsets, .. } => (offsets[j]..offsets[j + 1]).collect(),
        };
        let (Storage::Dense { values, .. } | Storage::Sparse { values, .. }) = &mut self.storage;
        match values {
            Numbers::F32(v) => places.into_iter().for_each(|p| filled(&mut v[p], f32::is_nan, value as f32)),
            Numbers::F64(v) => places.into_iter().for_each(|p| filled(&mut v[p], f64::is_nan, value)),
        }
    }

    fn places(&self, order: Order, j: usize) -> impl Iterator<Item = usize> + use<> {
        let (first, step) = self.first_and_step(order, j);
        (0..self.rows).map(move |i| first + i * step)
    }

    /// Where column `j` begins, and how far its values are apart.
    fn first_and_step(&self, order: Order, j: usize) -> (usize, usize) {
        match order {
            Order::ColumnMajor => (j * self.rows, 1),
            Order::RowMajor => (j, self.columns),
        }
    }
}

fn filled<T: Copy>(place: &mut T, is_missing: impl Fn(T) -> bool, value: T) {
    if is_missing(*place) {
        *place = value;
    }
}

/// Counting sort by row: entries come out by row with their columns ascending.
fn transpose_sparse(offsets: &[usize], rows: &[u32], values: &Numbers, n_rows: usize) -> Storage {
    let mut turned = vec![0_usize; n_rows + 1];
    for &r in rows {
        turned[r as usize + 1] += 1;
    }
    for i in 0..n_rows {
        turned[i + 1] += turned[i];
    }
    let mut next = turned.clone();
    let mut columns = vec![0_u32; rows.len()];
    let mut from = vec![0_usize; rows.len()];
    for (j, pair) in offsets.windows(2).enumerate() {
        for e in pair[0]..pair[1] {
            let place = &mut next[rows[e] as usize];
            columns[*place] = j as u32;
            from[*place] = e;
            *place += 1;
        }
    }
    Storage::Sparse { offsets: turned, rows: columns, values: values.gather(from.into_iter()) }
}
