//! How columns that were read lie in memory.
//!
//! A file by columns is read as it is. Of a file by rows a piece of every row is read, and as rows these pieces would lie some 16 kB
//! apart: whoever works on 64 columns would fetch every sample from another page. So they are put in tiles:
//!
//! ```text
//! columns 0 … 63, sample 0 │ sample 1 │ … │ columns 64 … 127, sample 0 │ sample 1 │ … │ the columns that are left, sample 0 │ …
//! ```

use std::ops::Range;

use super::BLOCK;

/// Rows that are taken together of all columns that are wanted of a tile: what the cache fetches is then used.
const ROWS: usize = 16;

/// How some columns lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Column after column.
    Columns,
    /// Tiles of [`BLOCK`] columns, the last one with those that are left; row after row in each.
    Tiles,
}

/// A place, and how far from each other samples and columns are from there on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) start: usize,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

impl Layout {
    /// Where column `at` of an array of this shape begins.
    pub(crate) fn place(self, (rows, columns): (usize, usize), at: usize) -> Place {
        match self {
            Layout::Columns => Place { start: at * rows, row_stride: 1, column_stride: rows },
            Layout::Tiles => {
                let first = at / BLOCK * BLOCK;
                let width = BLOCK.min(columns - first);
                Place { start: first * rows + at % BLOCK, row_stride: width, column_stride: 1 }
            }
        }
    }

    /// Whether the columns `range` are one block, with the same distances everywhere.
    pub(crate) fn is_block(self, range: &Range<usize>) -> bool {
        match self {
            Layout::Columns => true,
            Layout::Tiles => !range.is_empty() && range.start / BLOCK == (range.end - 1) / BLOCK,
        }
    }
}

/// Puts pieces of neighboring rows where they lie in tiles: from row `top` on, and from column `first` on, which is the first of a tile.
pub(crate) fn put_rows<'a, T: Copy + 'a, U>(
    values: &mut [U],
    (rows, columns): (usize, usize),
    (top, first): (usize, usize),
    pieces: impl ExactSizeIterator<Item = &'a [T]> + Clone,
    convert: impl Fn(T) -> U,
) {
    let end = first + pieces.clone().next().map_or(0, <[T]>::len);
    for start in (first..end).step_by(BLOCK) {
        let width = BLOCK.min(columns - start);
        let to = &mut values[start * rows + top * width..][..pieces.len() * width];
        for (to, piece) in to.chunks_exact_mut(width).zip(pieces.clone()) {
            let part = &piece[start - first..][..width];
            to.iter_mut().zip(part).for_each(|(to, &v)| *to = convert(v));
        }
    }
}

/// Columns of tiles of so many rows, one after the other.
pub(crate) fn take_columns<T: Copy>(values: &[T], rows: usize, columns: &[usize], mut out: &mut [T]) {
    for wanted in columns.chunk_by(|a, b| a / BLOCK == b / BLOCK) {
        let tile = &values[wanted[0] / BLOCK * BLOCK * rows..];
        let tile = &tile[..tile.len().min(BLOCK * rows)];
        let width = tile.len() / rows;
        let (to, others) = std::mem::take(&mut out).split_at_mut(wanted.len() * rows);
        for (top, tile) in (0..).step_by(ROWS).zip(tile.chunks(ROWS * width)) {
            for (column, to) in wanted.iter().zip(to.chunks_exact_mut(rows)) {
                let of_rows = tile[column % BLOCK..].iter().step_by(width);
                to[top..].iter_mut().zip(of_rows).for_each(|(to, &v)| *to = v);
            }
        }
        out = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_where_it_is_looked_for() {
        let rows = 5;
        for columns in [1, 63, 64, 65, 200] {
            let value = |i: usize, j: usize| 1000 * i + j;
            let by_columns: Vec<usize> = (0..rows * columns).map(|p| value(p % rows, p / rows)).collect();
            let mut in_tiles = vec![usize::MAX; rows * columns];
            for (top, first) in [(0, 0), (3, 0), (0, 128), (3, 128)] {
                let some = first.min(columns)..columns.min(first + 128);
                let of_row = |i| some.clone().map(|j| value(i, j)).collect::<Vec<_>>();
                let pieces: Vec<Vec<usize>> = (top..rows.min(top + 3)).map(of_row).collect();
                let pieces = pieces.iter().map(Vec::as_slice);
                put_rows(&mut in_tiles, (rows, columns), (top, first), pieces, |v| v);
            }
            for (layout, values) in [(Layout::Columns, &by_columns), (Layout::Tiles, &in_tiles)] {
                for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                    let place = layout.place((rows, columns), j);
                    assert_eq!(values[place.start + i * place.row_stride], value(i, j), "{layout:?} {i} {j}");
                    if layout.is_block(&(j..j + 2)) && j + 1 < columns {
                        let next = place.start + i * place.row_stride + place.column_stride;
                        assert_eq!(values[next], value(i, j + 1), "{layout:?} {i} {j}");
                    }
                }
            }
        }
    }

    #[test]
    fn columns_are_taken_from_any_tile() {
        for (rows, columns) in [(1, 1), (5, 64), (16, 130), (37, 200)] {
            let value = |i: usize, j: usize| 1000 * i + j;
            let mut tiles = vec![0; rows * columns];
            let pieces: Vec<Vec<usize>> =
                (0..rows).map(|i| (0..columns).map(|j| value(i, j)).collect()).collect();
            put_rows(&mut tiles, (rows, columns), (0, 0), pieces.iter().map(Vec::as_slice), |v| v);
            for step in [1, 3, 63, 64, 90] {
                let some: Vec<usize> = (0..columns).step_by(step).collect();
                let mut taken = vec![usize::MAX; rows * some.len()];
                take_columns(&tiles, rows, &some, &mut taken);
                let expected = some.iter().flat_map(|&j| (0..rows).map(move |i| value(i, j)));
                assert!(taken.iter().copied().eq(expected), "{rows} x {columns}, every {step}");
            }
        }
    }

    #[test]
    fn columns_of_two_tiles_are_no_block() {
        assert!(Layout::Tiles.is_block(&(64..128)));
        assert!(!Layout::Tiles.is_block(&(63..65)));
        assert!(!Layout::Tiles.is_block(&(0..128)));
        assert!(Layout::Columns.is_block(&(63..650)));
    }
}
