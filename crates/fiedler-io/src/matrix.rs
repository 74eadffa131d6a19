//! Numbers as a file had them: dense in either order, or sparse by column.

use fiedler::dataset::Order;

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

    fn places(&self, order: Order, j: usize) -> impl Iterator<Item = usize> + use<> {
        let (first, step) = match order {
            Order::ColumnMajor => (j * self.rows, 1),
            Order::RowMajor => (j, self.columns),
        };
        (0..self.rows).map(move |i| first + i * step)
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
