//! The building blocks of a MAT file: tagged elements, in either byte order.

use crate::matrix::Numbers;

/// What is wrong with the bytes, as the end of a sentence.
pub(super) type Parsed<T> = Result<T, &'static str>;

/// Data types of elements.
pub(super) const MATRIX: u32 = 14;
pub(super) const COMPRESSED: u32 = 15;

/// A tagged run of bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) kind: u32,
    pub(super) data: &'a [u8],
}

/// Elements one after another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements<'a> {
    pub(super) rest: &'a [u8],
    pub(super) big_endian: bool,
}

impl<'a> Elements<'a> {
    /// The next element, which must be there.
    pub(super) fn required(&mut self) -> Parsed<Element<'a>> {
        self.next().unwrap_or(Err("an element is missing"))
    }

    /// The numbers of the next element, as integers.
    pub(super) fn integers(&mut self) -> Parsed<Vec<i64>> {
        let element = self.required()?;
        let numbers = element.numbers(self.big_endian)?;
        Ok((0..numbers.len()).map(|i| numbers.at(i) as i64).collect())
    }

    fn word(&self, at: usize) -> Option<u32> {
        let bytes = self.rest.get(at..at + 4)?.try_into().ok()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Parsed<Element<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let cut = "an element is cut off";
        let Some(tag) = self.word(0) else { return Some(Err(cut)) };
        // Up to four bytes may be packed into the tag itself.
        let (kind, size, start, end) = match tag >> 16 {
            0 => {
                let Some(size) = self.word(4) else { return Some(Err(cut)) };
                let size = size as usize;
                // All but compressed elements are padded to eight bytes.
                let padded = if tag == COMPRESSED { size } else { size.next_multiple_of(8) };
                (tag, size, 8, 8 + padded)
            }
            small => (tag & 0xffff, (small as usize).min(4), 4, 8),
        };
        let Some(data) = self.rest.get(start..start + size) else { return Some(Err(cut)) };
        self.rest = self.rest.get(end..).unwrap_or(&[]);
        Some(Ok(Element { kind, data }))
    }
}

impl Element<'_> {
    /// The numbers in the type they are stored in, which is often more compact than the type of
    /// the array: integers of up to 16 bits fit single precision exactly.
    pub(super) fn numbers(&self, big_endian: bool) -> Parsed<Numbers> {
        macro_rules! convert {
            ($from:ty, $variant:ident, $convert:expr) => {{
                let pieces = self.data.chunks_exact(size_of::<$from>());
                let value = |b: &[u8]| {
                    let mut bytes = [0; size_of::<$from>()];
                    bytes.copy_from_slice(b);
                    if big_endian { <$from>::from_be_bytes(bytes) } else { <$from>::from_le_bytes(bytes) }
                };
                Numbers::$variant(pieces.map(value).map($convert).collect())
            }};
        }
        Ok(match self.kind {
            1 => convert!(i8, F32, f32::from),
            2 => convert!(u8, F32, f32::from),
            3 => convert!(i16, F32, f32::from),
            4 => convert!(u16, F32, f32::from),
            5 => convert!(i32, F64, f64::from),
            6 => convert!(u32, F64, f64::from),
            7 => convert!(f32, F32, |v| v),
            9 => convert!(f64, F64, |v| v),
            12 => convert!(i64, F64, |v| v as f64),
            13 => convert!(u64, F64, |v| v as f64),
            _ => return Err("an array is stored in an unknown type"),
        })
    }

    /// Characters, in whichever encoding they are stored.
    pub(super) fn characters(&self, big_endian: bool) -> Parsed<Vec<char>> {
        if self.kind == 16 {
            return Ok(String::from_utf8_lossy(self.data).chars().collect());
        }
        let kind = match self.kind {
            17 => 4,
            18 => 6,
            other => other,
        };
        let codes = Element { kind, data: self.data }.numbers(big_endian)?;
        Ok((0..codes.len()).map(|i| char::from_u32(codes.at(i) as u32).unwrap_or('\u{fffd}')).collect())
    }
}
