//! The headers of the pages of a Parquet file, read before its pages are.
//!
//! A column is stored in pages. The header of a page tells how large it is once unpacked, how many values it
//! has and how many entries its dictionary has, and memory is taken by these numbers: they are compared with
//! what the file says of the whole column, and what that takes with the budget.
//!
//! Headers are in the compact protocol of Thrift: a structure is a list of fields, each a byte of type and
//! difference to the number of the field before, and its content; a byte 0 ends it.

use std::io::Read;

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};

use super::delta;
use super::source::{Chunks, Source};

pub(super) type Checked<T = ()> = Result<T, String>;

/// Structures within structures.
const DEPTH: usize = 8;

/// Bytes of a header that are looked at first, and at most.
const FIRST: usize = 256;
const LONGEST: usize = 1 << 20;

/// Checks the pages of the columns at these positions, and tells the largest of each, unpacked.
pub(super) fn check(source: &Source, metadata: &ParquetMetaData, wanted: &[usize]) -> Checked<Vec<u64>> {
    let chunks = source.chunks().map_err(|e| e.to_string())?;
    let descriptor = metadata.file_metadata().schema_descr();
    let mut largest = vec![0; descriptor.root_schema().get_fields().len()];
    let mut roots = vec![false; largest.len()];
    wanted.iter().for_each(|&c| roots[c] = true);
    for group in metadata.row_groups() {
        let rows = usize::try_from(group.num_rows()).map_err(|_| wrong())?;
        for (leaf, column) in group.columns().iter().enumerate() {
            let root = descriptor.get_column_root_idx(leaf);
            if !roots[root] {
                continue;
            }
            let pages = check_column(&chunks, column, rows)?;
            largest[root] = pages.uncompressed.max(largest[root]);
            if pages.tells_lengths {
                delta::check(source.chunks().map_err(|e| e.to_string())?, column, rows)?;
            }
        }
    }
    Ok(wanted.iter().map(|&c| largest[c]).collect())
}

fn wrong() -> String {
    "a length in it is wrong".to_owned()
}

/// Checks the headers of a column with so many rows; what is largest in them.
fn check_column(chunks: &Chunks, column: &ColumnChunkMetaData, rows: usize) -> Checked<Page> {
    let number = |n: i64| u64::try_from(n).map_err(|_| wrong());
    let unpacked = number(column.uncompressed_size())?;
    let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    let mut at = number(start)?;
    let end = at.checked_add(number(column.compressed_size())?).filter(|&end| end <= chunks.len());
    let end = end.ok_or_else(wrong)?;
    // A column of lists has more values than rows, and is not read.
    let most = if column.column_descr().max_rep_level() == 0 { rows as u64 } else { u64::MAX };
    let mut all = Page::default();
    while at < end {
        let (page, length) = header_at(chunks, at, end - at)?;
        // The sum of a column counts headers and pages alike.
        if page.uncompressed > unpacked || page.dictionary > page.uncompressed.saturating_mul(8) {
            return Err(wrong());
        }
        if page.values > most {
            return Err("a page has more values than the table has rows".to_owned());
        }
        at = at.saturating_add(length as u64).saturating_add(page.compressed);
        all.uncompressed = all.uncompressed.max(page.uncompressed);
        all.tells_lengths |= page.tells_lengths;
    }
    Ok(all)
}

/// The header of the page that begins at a byte, and its length.
fn header_at(chunks: &Chunks, at: u64, left: u64) -> Checked<(Page, usize)> {
    let mut size = FIRST;
    loop {
        let mut bytes = Vec::new();
        let whole = size as u64 >= left;
        let reader = chunks.get_read(at).map_err(|e| e.to_string())?;
        reader.take(left.min(size as u64)).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        let mut walk = Walk { bytes: &bytes, at: 0 };
        let mut page = Page::default();
        match walk.structure(&mut Vec::new(), &mut page) {
            Some(()) => return Ok((page, walk.at)),
            None if whole || size >= LONGEST => return Err("the header of a page is damaged".to_owned()),
            None => size *= 16,
        }
    }
}

/// What is read of a header.
#[derive(Debug, Default, PartialEq, Eq)]
struct Page {
    uncompressed: u64,
    compressed: u64,
    /// Entries of a dictionary.
    dictionary: u64,
    /// Values of a page that is none.
    values: u64,
    /// Whether texts are told by lists of their lengths.
    tells_lengths: bool,
}

impl Page {
    /// Takes a number at this path of field numbers; a negative one is as bad as one too large.
    fn take(&mut self, path: &[i64], value: i64) {
        let value = u64::try_from(value).unwrap_or(u64::MAX);
        match path {
            [2] => self.uncompressed = value,
            [3] => self.compressed = value,
            [7, 1] => self.dictionary = value,
            [5 | 8, 1] => self.values = value,
            // The encodings DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY.
            [5, 2] | [8, 4] => self.tells_lengths = matches!(value, 6 | 7),
            _ => {}
        }
    }
}

/// Reads the compact protocol; `None` where the bytes end too early or make no sense.
pub(super) struct Walk<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Walk<'_> {
    fn structure(&mut self, path: &mut Vec<i64>, page: &mut Page) -> Option<()> {
        if path.len() > DEPTH {
            return None;
        }
        let mut field = 0;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Some(());
            }
            let step = i64::from(byte >> 4);
            field = if step == 0 { self.signed()? } else { field + step };
            path.push(field);
            self.value(byte & 15, path, page)?;
            path.pop();
        }
    }

    fn value(&mut self, kind: u8, path: &mut Vec<i64>, page: &mut Page) -> Option<()> {
        match kind {
            // The type itself tells true from false.
            1 | 2 => Some(()),
            3 => self.skip(1),
            4..=6 => {
                let value = self.signed()?;
                page.take(path, value);
                Some(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.unsigned()?;
                self.skip(usize::try_from(length).ok()?)
            }
            9 | 10 => self.list(path, page),
            12 => self.structure(path, page),
            _ => None,
        }
    }

    fn list(&mut self, path: &mut Vec<i64>, page: &mut Page) -> Option<()> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
        path.push(0);
        for _ in 0..count {
            // In a list a truth value is a byte of its own.
            let kind = if matches!(byte & 15, 1 | 2) { 3 } else { byte & 15 };
            self.value(kind, path, page)?;
        }
        path.pop();
        Some(())
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count).filter(|&at| at <= self.bytes.len())?;
        Some(())
    }

    /// Seven bits a byte, the lowest first.
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// 0, -1, 1, -2, … as 0, 1, 2, 3, ….
    pub(super) fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_walked_to_its_end() {
        // type 2, uncompressed 300, compressed 150, a dictionary of 7 entries with encoding 0.
        let bytes = [0x15, 4, 0x15, 0xd8, 4, 0x15, 0xac, 2, 0x4c, 0x15, 14, 0x15, 0, 0, 0, 99];
        let (mut walk, mut page) = (Walk { bytes: &bytes, at: 0 }, Page::default());
        walk.structure(&mut Vec::new(), &mut page).expect("whole");
        assert_eq!(
            (page, walk.at),
            (Page { uncompressed: 300, compressed: 150, dictionary: 7, ..Page::default() }, 15)
        );
        for end in 0..15 {
            let mut walk = Walk { bytes: &bytes[..end], at: 0 };
            assert!(walk.structure(&mut Vec::new(), &mut Page::default()).is_none(), "cut at {end}");
        }
    }
}
