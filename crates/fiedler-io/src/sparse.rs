//! Sparse matrices as other programs store them, checked and turned into columns.
//!
//! A file may be compressed by row (CSR), by column (CSC), or be a list of entries (COO); its rows
//! may be out of order, and entries that name one place twice mean their sum. The library wants
//! columns with ascending rows. Nothing here is ever dense.

use std::ops::AddAssign;

use rayon::prelude::*;

use crate::matrix::{Matrix, Numbers, Storage};

/// The largest number of rows or columns that is believed without as many names or offsets in the file:
/// each takes memory, whether it has entries or not.
pub(crate) const LARGEST: usize = 50_000_000;

/// Entries that one task looks at.
const PIECE: usize = 1 << 16;

/// What is wrong with the numbers, as the end of a sentence.
pub(crate) type Checked<T> = Result<T, String>;

/// What the offsets of a compressed matrix count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Major {
    /// CSR: the entries of row 0, of row 1, …
    Rows,
    /// CSC: the entries of column 0, of column 1, …
    Columns,
}

/// A matrix compressed by row or by column, as read.
pub(crate) struct Compressed {
    pub(crate) major: Major,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Row (or column) `i` has the entries `offsets[i]..offsets[i + 1]`.
    pub(crate) offsets: Vec<usize>,
    /// The column (or row) of every entry.
    pub(crate) indices: Vec<u32>,
    pub(crate) values: Numbers,
}

impl Compressed {
    /// The matrix by columns.
    ///
    /// # Errors
    /// Offsets, indices and shape do not fit together.
    pub(crate) fn into_matrix(mut self) -> Checked<Matrix> {
        self.check()?;
        self.tidy();
        let Compressed { major, rows, columns, offsets, indices, values } = self;
        let storage = match (major, values) {
            (Major::Columns, values) => Storage::Sparse { offsets, rows: indices, values },
            (Major::Rows, Numbers::F32(v)) => {
                let (offsets, rows, v) = turned(&offsets, &indices, &v, columns);
                Storage::Sparse { offsets, rows, values: Numbers::F32(v) }
            }
            (Major::Rows, Numbers::F64(v)) => {
                let (offsets, rows, v) = turned(&offsets, &indices, &v, columns);
                Storage::Sparse { offsets, rows, values: Numbers::F64(v) }
            }
        };
        Ok(Matrix { rows, columns, storage })
    }

    /// Numbers of offsets (less one) and of indices that are possible.
    fn extents(&self) -> (usize, usize) {
        match self.major {
            Major::Rows => (self.rows, self.columns),
            Major::Columns => (self.columns, self.rows),
        }
    }

    fn check(&self) -> Checked<()> {
        let (major, minor) = self.extents();
        let (entries, count) = (self.indices.len(), self.values.len());
        if self.offsets.len() != major + 1 {
            return Err(format!("{} offsets where {} are expected", self.offsets.len(), major + 1));
        }
        if entries != count {
            return Err(format!("{entries} indices for {count} values"));
        }
        if self.offsets[0] != 0 || self.offsets[major] != entries {
            return Err(format!("its offsets do not run from 0 to the {entries} entries"));
        }
        if self.offsets.windows(2).any(|w| w[0] > w[1]) {
            return Err("its offsets do not ascend".to_owned());
        }
        let largest = |piece: &[u32]| piece.iter().copied().fold(0, u32::max);
        match self.indices.par_chunks(PIECE).map(largest).max() {
            Some(bad) if bad as usize >= minor => Err(format!("index {bad} where there are {minor}")),
            _ => Ok(()),
        }
    }

    /// Sorts the indices within rows (or columns) and adds up what stands in one place, where needed.
    fn tidy(&mut self) {
        let ascends = |w: &[usize]| self.indices[w[0]..w[1]].is_sorted_by(|a, b| a < b);
        if self.offsets.par_windows(2).with_min_len(1 << 10).all(ascends) {
            return;
        }
        let (offsets, indices) = (&mut self.offsets, &mut self.indices);
        match &mut self.values {
            Numbers::F32(v) => merge(offsets, indices, v),
            Numbers::F64(v) => merge(offsets, indices, v),
        }
    }
}

/// The matrix of a list of entries.
///
/// # Errors
/// An entry lies outside, or the shape is larger than is believed.
pub(crate) fn from_entries(
    rows: usize,
    columns: usize,
    places: &[(u32, u32)],
    values: Numbers,
) -> Checked<Matrix> {
    if rows.max(columns) > LARGEST {
        return Err(format!("its shape {rows} × {columns} is too large"));
    }
    if let Some((i, j)) = places.iter().find(|(i, j)| *i as usize >= rows || *j as usize >= columns) {
        return Err(format!("entry ({i}, {j}) lies outside of {rows} × {columns}"));
    }
    let mut offsets = vec![0_usize; rows + 1];
    places.iter().for_each(|&(i, _)| offsets[i as usize + 1] += 1);
    (0..rows).for_each(|i| offsets[i + 1] += offsets[i]);
    let mut next = offsets.clone();
    let mut order = vec![0_usize; places.len()];
    for (e, &(i, _)) in places.iter().enumerate() {
        order[next[i as usize]] = e;
        next[i as usize] += 1;
    }
    let indices = order.iter().map(|&e| places[e].1).collect();
    let values = match values {
        Numbers::F32(v) => Numbers::F32(order.iter().map(|&e| v[e]).collect()),
        Numbers::F64(v) => Numbers::F64(order.iter().map(|&e| v[e]).collect()),
    };
    Compressed { major: Major::Rows, rows, columns, offsets, indices, values }.into_matrix()
}

/// Sorts every run of indices with its values and adds up repetitions.
fn merge<T: Copy + AddAssign>(offsets: &mut [usize], indices: &mut Vec<u32>, values: &mut Vec<T>) {
    let mut kept = 0;
    let mut start = 0;
    let mut run: Vec<(u32, T)> = Vec::new();
    for i in 1..offsets.len() {
        let end = offsets[i];
        run.clear();
        run.extend(indices[start..end].iter().copied().zip(values[start..end].iter().copied()));
        // Stable, so that sums do not depend on anything but the order of the file.
        run.sort_by_key(|r| r.0);
        let first = kept;
        for &(index, value) in &run {
            if kept > first && indices[kept - 1] == index {
                values[kept - 1] += value;
            } else {
                indices[kept] = index;
                values[kept] = value;
                kept += 1;
            }
        }
        start = end;
        offsets[i] = kept;
    }
    indices.truncate(kept);
    values.truncate(kept);
}

/// Counting sort of tidy rows into columns: offsets, rows and values.
///
/// Every task fills the columns of one range, which are one piece of the result; in sorted rows
/// its entries are found by bisection.
fn turned<T: Copy + Default + Send + Sync>(
    offsets: &[usize],
    indices: &[u32],
    values: &[T],
    columns: usize,
) -> (Vec<usize>, Vec<u32>, Vec<T>) {
    let mut ends = vec![0_usize; columns + 1];
    indices.iter().for_each(|&j| ends[j as usize + 1] += 1);
    (0..columns).for_each(|j| ends[j + 1] += ends[j]);
    let mut rows = vec![0_u32; indices.len()];
    let mut turned = vec![T::default(); indices.len()];
    let mut pieces = Vec::new();
    let (mut rows_left, mut values_left) = (rows.as_mut_slice(), turned.as_mut_slice());
    let tasks = rayon::current_num_threads().min(columns.max(1));
    let mut first = 0;
    for task in 1..=tasks {
        // Ranges with about as many entries each; what a column holds does not depend on them.
        let share = indices.len() * task / tasks;
        let last = if task == tasks { columns } else { ends.partition_point(|&e| e < share).max(first) };
        let size = ends[last] - ends[first];
        let (piece_rows, rest_rows) = rows_left.split_at_mut(size);
        let (piece_values, rest_values) = values_left.split_at_mut(size);
        (rows_left, values_left) = (rest_rows, rest_values);
        pieces.push((first..last, piece_rows, piece_values));
        first = last;
    }
    pieces.into_par_iter().for_each(|(range, piece_rows, piece_values)| {
        let base = ends[range.start];
        let mut next: Vec<usize> = range.clone().map(|j| ends[j] - base).collect();
        for (i, w) in offsets.windows(2).enumerate() {
            let row = &indices[w[0]..w[1]];
            let from = row.partition_point(|&j| (j as usize) < range.start);
            let to = row.partition_point(|&j| (j as usize) < range.end);
            for (&j, &value) in row[from..to].iter().zip(&values[w[0] + from..w[0] + to]) {
                let place = &mut next[j as usize - range.start];
                piece_rows[*place] = i as u32;
                piece_values[*place] = value;
                *place += 1;
            }
        }
    });
    (ends, rows, turned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every entry added to its place of a dense matrix, row after row.
    fn naive(rows: usize, columns: usize, entries: &[(u32, u32, f64)]) -> Vec<Vec<f64>> {
        let mut dense = vec![vec![0.0; columns]; rows];
        entries.iter().for_each(|&(i, j, v)| dense[i as usize][j as usize] += v);
        dense
    }

    fn dense(matrix: &Matrix) -> Vec<Vec<f64>> {
        let by_column: Vec<Vec<f64>> = (0..matrix.columns).map(|j| matrix.column(j)).collect();
        (0..matrix.rows).map(|i| by_column.iter().map(|c| c[i]).collect()).collect()
    }

    fn compressed(major: Major, rows: usize, columns: usize, entries: &[(u32, u32, f64)]) -> Compressed {
        let count = if major == Major::Rows { rows } else { columns };
        let mut offsets = vec![0];
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for major_index in 0..count as u32 {
            for &(i, j, v) in entries {
                let (outer, inner) = if major == Major::Rows { (i, j) } else { (j, i) };
                if outer == major_index {
                    indices.push(inner);
                    values.push(v);
                }
            }
            offsets.push(indices.len());
        }
        Compressed { major, rows, columns, offsets, indices, values: Numbers::F64(values) }
    }

    proptest! {
        #[test]
        fn every_form_gives_the_same_matrix(
            entries in prop::collection::vec((0_u32..7, 0_u32..5, -3_i32..4), 0..60)
        ) {
            let entries: Vec<(u32, u32, f64)> = entries.iter().map(|e| (e.0, e.1, f64::from(e.2))).collect();
            let expected = naive(7, 5, &entries);
            for major in [Major::Rows, Major::Columns] {
                let matrix = compressed(major, 7, 5, &entries).into_matrix().expect("fits");
                prop_assert_eq!(&dense(&matrix), &expected);
                let Storage::Sparse { offsets, rows, .. } = &matrix.storage else { panic!("dense") };
                prop_assert!(offsets.windows(2).all(|w| rows[w[0]..w[1]].is_sorted_by(|a, b| a < b)));
            }
            let places: Vec<(u32, u32)> = entries.iter().map(|e| (e.0, e.1)).collect();
            let values = Numbers::F64(entries.iter().map(|e| e.2).collect());
            prop_assert_eq!(&dense(&from_entries(7, 5, &places, values).expect("fits")), &expected);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let good = || compressed(Major::Rows, 2, 3, &[(0, 1, 1.0), (1, 2, 2.0)]);
        assert!(good().into_matrix().is_ok());
        let refused = |change: &dyn Fn(&mut Compressed)| {
            let mut bad = good();
            change(&mut bad);
            bad.into_matrix().map(|_| ()).expect_err("refused")
        };
        assert_eq!(refused(&|c| c.rows = 3), "3 offsets where 4 are expected");
        assert_eq!(refused(&|c| c.indices[0] = 3), "index 3 where there are 3");
        assert_eq!(refused(&|c| c.values = Numbers::F64(vec![1.0])), "2 indices for 1 values");
        assert_eq!(refused(&|c| c.offsets[2] = 1), "its offsets do not run from 0 to the 2 entries");
        assert_eq!(refused(&|c| c.offsets[1] = 9), "its offsets do not ascend");
        let far = from_entries(2, 2, &[(2, 0)], Numbers::F64(vec![1.0])).map(|_| ()).expect_err("refused");
        assert_eq!(far, "entry (2, 0) lies outside of 2 × 2");
        let huge = from_entries(usize::MAX, 2, &[], Numbers::F64(vec![])).map(|_| ()).expect_err("refused");
        assert!(huge.ends_with("is too large"), "{huge}");
    }
}
