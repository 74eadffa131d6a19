//! The counts inside the pages of a Parquet file that tell texts by their lengths.
//!
//! Two encodings of texts begin with lists of lengths: DELTA_LENGTH_BYTE_ARRAY with one, DELTA_BYTE_ARRAY with
//! two. A list begins with how many numbers it has, and the library takes memory by that: it is compared with
//! the number of values of the page, which is compared with the rows of the file.
//!
//! A list is the size of a block, the parts of a block, the count and the first number, then blocks. A block is
//! its least difference, the width of every part in bits, and the parts.

use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::pages::{Checked, Walk};
use super::source::Chunks;

/// Unpacks the pages of a column and checks their counts.
pub(super) fn check(chunks: Chunks, column: &ColumnChunkMetaData, rows: usize) -> Checked {
    let descriptor = column.column_descr();
    let levels = [descriptor.max_rep_level(), descriptor.max_def_level()];
    let reader = SerializedPageReader::new(Arc::new(chunks), column, rows, None);
    let mut reader = reader.map_err(|e| e.to_string())?;
    while let Some(page) = reader.get_next_page().map_err(|e| e.to_string())? {
        check_page(&page, levels).ok_or("a page has more texts than it has values, or is cut off")?;
    }
    Ok(())
}

fn check_page(page: &Page, levels: [i16; 2]) -> Option<()> {
    let lists = match page.encoding() {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return Some(()),
    };
    let mut walk = Walk { bytes: page.buffer(), at: 0 };
    skip_levels(&mut walk, page, levels)?;
    let most = u64::from(page.num_values());
    for left in (0..lists).rev() {
        list(&mut walk, most, left > 0)?;
    }
    Some(())
}

/// Levels, which tell what is missing, stand before the values.
fn skip_levels(walk: &mut Walk<'_>, page: &Page, levels: [i16; 2]) -> Option<()> {
    let (values, encodings) = match page {
        Page::DataPage { num_values, rep_level_encoding, def_level_encoding, .. } => {
            (u64::from(*num_values), [rep_level_encoding, def_level_encoding])
        }
        Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
            return walk.skip((*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize)?);
        }
        Page::DictionaryPage { .. } => return Some(()),
    };
    for (level, encoding) in levels.into_iter().zip(encodings).filter(|(level, _)| *level > 0) {
        let length = if *encoding == Encoding::RLE {
            let mut length = [0; 4];
            length.iter_mut().try_for_each(|b| walk.byte().map(|byte| *b = byte))?;
            u64::from(u32::from_le_bytes(length))
        } else {
            (values * u64::from(level.unsigned_abs().ilog2() + 1)).div_ceil(8)
        };
        walk.skip(usize::try_from(length).ok()?)?;
    }
    Some(())
}

/// Checks that a list has at most so many numbers, and walks to its end where something follows it.
fn list(walk: &mut Walk<'_>, most: u64, to_its_end: bool) -> Option<()> {
    let (block, parts) = (walk.unsigned()?, walk.unsigned()?);
    let per_part = block.checked_div(parts)?;
    let count = walk.unsigned().filter(|&count| count <= most)?;
    walk.signed()?;
    let mut left = if to_its_end { count.saturating_sub(1) } else { 0 };
    while left > 0 {
        walk.signed()?;
        // Widths that are not there end the walk, however many are announced.
        let widths = (0..parts).map(|_| walk.byte()).collect::<Option<Vec<u8>>>()?;
        for width in widths {
            if left > 0 {
                let bits = u64::from(width).checked_mul(per_part)?;
                walk.skip(usize::try_from(bits / 8).ok()?)?;
            }
            left = left.saturating_sub(per_part);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(encoding: Encoding, buf: Vec<u8>, num_values: u32) -> Page {
        Page::DataPageV2 {
            buf: buf.into(),
            num_values,
            encoding,
            num_nulls: 0,
            num_rows: num_values,
            def_levels_byte_len: 0,
            rep_levels_byte_len: 0,
            is_compressed: false,
            statistics: None,
        }
    }

    /// Blocks of 128 in four parts, five lengths from 3 on, all differences 0; and what follows.
    const LIST: [u8; 10] = [0x80, 1, 4, 5, 6, 0, 0, 0, 0, 0];

    #[test]
    fn a_list_is_as_long_as_its_page() {
        let lengths = Encoding::DELTA_LENGTH_BYTE_ARRAY;
        assert_eq!(check_page(&page(lengths, LIST.to_vec(), 5), [0, 0]), Some(()));
        assert_eq!(check_page(&page(lengths, LIST.to_vec(), 4), [0, 0]), None);
        let prefixes = Encoding::DELTA_BYTE_ARRAY;
        let two = [LIST, LIST].concat();
        assert_eq!(check_page(&page(prefixes, two.clone(), 5), [0, 0]), Some(()));
        let mut lying = two.clone();
        lying[13] = 0x7f;
        assert_eq!(check_page(&page(prefixes, lying, 5), [0, 0]), None, "the second list is read too");
        for end in 0..14 {
            assert_eq!(check_page(&page(prefixes, two[..end].to_vec(), 5), [0, 0]), None, "cut at {end}");
        }
        assert_eq!(check_page(&page(Encoding::PLAIN, vec![0xff; 4], 1), [0, 0]), Some(()));
    }

    #[test]
    fn levels_are_skipped() {
        let buf = [&[2, 0, 0, 0, 10, 1][..], &LIST].concat();
        let page = |num_values| Page::DataPage {
            buf: buf.clone().into(),
            num_values,
            encoding: Encoding::DELTA_LENGTH_BYTE_ARRAY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        assert_eq!(check_page(&page(5), [0, 1]), Some(()));
        assert_eq!(check_page(&page(4), [0, 1]), None);
    }
}
