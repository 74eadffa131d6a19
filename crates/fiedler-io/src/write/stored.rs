//! The chosen columns as the data hold them: sparse ones stay sparse.

use fiedler::Dataset;
use fiedler::dataset::{Block, Columns, Order, Values};

use crate::matrix::{Matrix, Numbers, Storage};

/// Samples × the chosen features.
pub(super) fn matrix(data: &Dataset, columns: &[usize]) -> fiedler::Result<Matrix> {
    let source = data.columns();
    let n = source.n_samples();
    let single = is_single(source)?;
    let (mut offsets, mut rows) = (vec![0], Vec::new());
    let (mut narrow, mut wide) = (Vec::<f32>::new(), Vec::<f64>::new());
    for &j in columns {
        let block = source.block(j..j + 1)?;
        let values = match &block {
            Block::Sparse(b) => {
                rows.extend_from_slice(&b.rows);
                offsets.push(rows.len());
                match &b.values {
                    Values::F32(v) => Numbers::F32(v.to_vec()),
                    Values::F64(v) => Numbers::F64(v.to_vec()),
                }
            }
            Block::Dense(b) => match &b.values {
                Values::F32(v) => Numbers::F32((0..n).map(|i| v[i * b.row_stride]).collect()),
                Values::F64(v) => Numbers::F64((0..n).map(|i| v[i * b.row_stride]).collect()),
            },
        };
        match values {
            Numbers::F32(v) if single => narrow.extend_from_slice(&v),
            other => wide.extend((0..other.len()).map(|e| other.at(e))),
        }
    }
    let values = if single { Numbers::F32(narrow) } else { Numbers::F64(wide) };
    let storage = if source.is_sparse() {
        Storage::Sparse { offsets, rows, values }
    } else {
        Storage::Dense { values, order: Order::ColumnMajor }
    };
    Ok(Matrix { rows: n, columns: columns.len(), storage })
}

/// All columns of a data set are stored in the same precision.
pub(crate) fn is_single(source: &dyn Columns) -> fiedler::Result<bool> {
    Ok(match source.block(0..1)? {
        Block::Sparse(b) => matches!(b.values, Values::F32(_)),
        Block::Dense(b) => matches!(b.values, Values::F32(_)),
    })
}

/// The values of a dense matrix, row after row.
pub(super) fn by_row(matrix: &Matrix) -> Numbers {
    let Storage::Dense { values, .. } = &matrix.storage else { return Numbers::F64(Vec::new()) };
    let places = (0..matrix.rows).flat_map(|i| (0..matrix.columns).map(move |j| j * matrix.rows + i));
    match values {
        Numbers::F32(v) => Numbers::F32(places.map(|p| v[p]).collect()),
        Numbers::F64(v) => Numbers::F64(places.map(|p| v[p]).collect()),
    }
}
