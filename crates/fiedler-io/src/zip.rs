//! Zip archives, as far as NumPy writes them: members that are stored or deflated, also beyond 4 GB.

use std::io::{self, Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// What is wrong with the bytes, as the end of a sentence.
pub(crate) type Parsed<T> = Result<T, &'static str>;

const CUT: &str = "it is cut off, as by a download that broke";
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// A member of an archive; its content is read when asked for.
pub(crate) struct Member<'a> {
    pub(crate) name: String,
    method: u16,
    encrypted: bool,
    data: &'a [u8],
    pub(crate) size: usize,
    crc: u32,
}

/// The members of an archive, in order.
///
/// # Errors
/// The bytes are no whole archive.
pub(crate) fn members(bytes: &[u8]) -> Parsed<Vec<Member<'_>>> {
    let (count, mut at) = directory(bytes)?;
    let mut members = Vec::new();
    for _ in 0..count {
        let (member, next) = entry(bytes, at)?;
        members.push(member);
        at = next;
    }
    Ok(members)
}

impl Member<'_> {
    /// How many bytes it takes in the archive.
    pub(crate) fn packed(&self) -> usize {
        self.data.len()
    }

    /// The content, inflated and checked.
    ///
    /// # Errors
    /// It is damaged, or packed in a way that NumPy does not.
    pub(crate) fn content(&self) -> Parsed<Vec<u8>> {
        if self.encrypted {
            return Err("a member is encrypted");
        }
        let mut content = Vec::new();
        match self.method {
            STORED => content.extend_from_slice(self.data),
            DEFLATED => {
                // One byte more than announced is enough to see that the announcement is wrong.
                let limit = self.size as u64 + 1;
                let inflated = DeflateDecoder::new(self.data).take(limit).read_to_end(&mut content);
                inflated.map_err(|_| "a member is damaged")?;
            }
            _ => return Err("a member is compressed in a way that NumPy does not use"),
        }
        let mut crc = Crc::new();
        crc.update(&content);
        if content.len() != self.size || crc.sum() != self.crc {
            return Err("a member is damaged");
        }
        Ok(content)
    }
}

/// The number of members and where their directory begins.
fn directory(bytes: &[u8]) -> Parsed<(u64, usize)> {
    // The end record has 22 bytes and a comment of up to 65,535.
    let from = bytes.len().saturating_sub(22 + 65_535);
    let end = memchr::memmem::rfind(&bytes[from..], b"PK\x05\x06").map(|at| from + at).ok_or(CUT)?;
    let comment = usize::from(short(bytes, end + 20)?);
    if bytes.len() < end + 22 + comment {
        return Err(CUT);
    }
    let (count, start) = (u64::from(short(bytes, end + 10)?), u64::from(word(bytes, end + 16)?));
    if count != 0xffff && start != 0xffff_ffff {
        return Ok((count, place(start)?));
    }
    let locator = end.checked_sub(20).filter(|&at| bytes[at..].starts_with(b"PK\x06\x07")).ok_or(CUT)?;
    let record = place(long(bytes, locator + 8)?)?;
    if !bytes.get(record..).is_some_and(|b| b.starts_with(b"PK\x06\x06")) {
        return Err(CUT);
    }
    Ok((long(bytes, record + 32)?, place(long(bytes, record + 48)?)?))
}

/// The member that an entry of the directory tells of, and where the next entry begins.
fn entry(bytes: &[u8], at: usize) -> Parsed<(Member<'_>, usize)> {
    if !bytes.get(at..).is_some_and(|b| b.starts_with(b"PK\x01\x02")) {
        return Err("its directory is damaged");
    }
    let lengths = [short(bytes, at + 28)?, short(bytes, at + 30)?, short(bytes, at + 32)?].map(usize::from);
    let name = bytes.get(at + 46..at + 46 + lengths[0]).ok_or(CUT)?;
    let extra_at = at + 46 + lengths[0];
    let extra = bytes.get(extra_at..extra_at + lengths[1]).ok_or(CUT)?;
    let mut large = large_sizes(extra);
    // Fields that do not fit 32 bits follow in the extra field, in this order.
    let mut field = |offset: usize| -> Parsed<u64> {
        match word(bytes, at + offset)? {
            u32::MAX => large.next().ok_or("its directory is damaged"),
            small => Ok(u64::from(small)),
        }
    };
    let (size, packed, header) = (field(24)?, field(20)?, field(42)?);
    let (size, packed, header) = (place(size)?, place(packed)?, place(header)?);
    let skipped =
        usize::from(short(bytes, header.saturating_add(26))?) + usize::from(short(bytes, header + 28)?);
    let start = header + 30 + skipped;
    let data = start.checked_add(packed).and_then(|end| bytes.get(start..end)).ok_or(CUT)?;
    let member = Member {
        name: String::from_utf8_lossy(name).into_owned(),
        method: short(bytes, at + 10)?,
        encrypted: short(bytes, at + 8)? & 1 != 0,
        data,
        size,
        crc: word(bytes, at + 16)?,
    };
    Ok((member, extra_at + lengths[1] + lengths[2]))
}

/// The 64-bit fields of an extra field.
fn large_sizes(mut extra: &[u8]) -> std::vec::IntoIter<u64> {
    let mut fields = Vec::new();
    while let (Ok(kind), Ok(length)) = (short(extra, 0), short(extra, 2)) {
        let body = extra.get(4..4 + usize::from(length)).unwrap_or(&[]);
        if kind == 1 {
            fields = body.chunks_exact(8).filter_map(|b| long(b, 0).ok()).collect();
        }
        extra = extra.get(4 + usize::from(length)..).unwrap_or(&[]);
    }
    fields.into_iter()
}

fn short(bytes: &[u8], at: usize) -> Parsed<u16> {
    bytes_at(bytes, at).map(u16::from_le_bytes)
}

fn word(bytes: &[u8], at: usize) -> Parsed<u32> {
    bytes_at(bytes, at).map(u32::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Parsed<u64> {
    bytes_at(bytes, at).map(u64::from_le_bytes)
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Parsed<[u8; N]> {
    let end = at.checked_add(N).ok_or(CUT)?;
    bytes.get(at..end).and_then(|b| b.try_into().ok()).ok_or(CUT)
}

/// An address or size of the file, if it can be one here.
fn place(value: u64) -> Parsed<usize> {
    usize::try_from(value).ok().filter(|&v| v < usize::MAX / 4).ok_or(CUT)
}

/// Writes an archive of deflated members. The time of every member is that of the format's beginning,
/// so that the same content gives the same bytes.
///
/// # Errors
/// What the writer reports.
pub(crate) fn write(out: &mut dyn Write, members: &[(&str, Vec<u8>)]) -> io::Result<()> {
    let mut directory = Vec::new();
    let mut at = 0_u64;
    for (name, content) in members {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content)?;
        let packed = encoder.finish()?;
        let mut crc = Crc::new();
        crc.update(content);
        let sizes = (content.len() as u64, packed.len() as u64);
        let local = header(name, crc.sum(), sizes, None);
        out.write_all(&local)?;
        out.write_all(&packed)?;
        directory.extend_from_slice(&header(name, crc.sum(), sizes, Some(at)));
        at += (local.len() + packed.len()) as u64;
    }
    out.write_all(&directory)?;
    out.write_all(&end(members.len() as u64, directory.len() as u64, at))
}

/// The header of a member, or its entry in the directory where its place is given. Sizes stand in 64 bits.
fn header(name: &str, crc: u32, (size, packed): (u64, u64), at: Option<u64>) -> Vec<u8> {
    const VERSION: u16 = 45;
    const MIDNIGHT_1980: [u16; 2] = [0, 0x21];
    let mut bytes = Vec::new();
    let shorts = |bytes: &mut Vec<u8>, values: &[u16]| {
        values.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
    };
    bytes.extend_from_slice(if at.is_some() { b"PK\x01\x02" } else { b"PK\x03\x04" });
    if at.is_some() {
        shorts(&mut bytes, &[VERSION]);
    }
    shorts(&mut bytes, &[VERSION, 0, DEFLATED, MIDNIGHT_1980[0], MIDNIGHT_1980[1]]);
    for value in [crc, u32::MAX, u32::MAX] {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    let fields: Vec<u64> = [size, packed].into_iter().chain(at).collect();
    shorts(&mut bytes, &[name.len() as u16, 4 + 8 * fields.len() as u16]);
    if at.is_some() {
        shorts(&mut bytes, &[0; 5]);
        bytes.extend_from_slice(&u32::MAX.to_le_bytes());
    }
    bytes.extend_from_slice(name.as_bytes());
    shorts(&mut bytes, &[1, 8 * fields.len() as u16]);
    fields.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
    bytes
}

/// The end of an archive: the 64-bit record, its locator, and the record of old.
fn end(count: u64, size: u64, at: u64) -> Vec<u8> {
    let mut bytes = b"PK\x06\x06".to_vec();
    bytes.extend_from_slice(&44_u64.to_le_bytes());
    bytes.extend_from_slice(&[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    [count, count, size, at].iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()));
    bytes.extend_from_slice(b"PK\x06\x07\0\0\0\0");
    bytes.extend_from_slice(&(at + size).to_le_bytes());
    bytes.extend_from_slice(&1_u32.to_le_bytes());
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&[0xff; 12]);
    bytes.extend_from_slice(&[0, 0]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, &[("a.npy", vec![7; 1000]), ("b.npy", b"other".to_vec())]).expect("memory");
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = archive();
        assert!(bytes.len() < 1000, "it is compressed");
        let found = members(&bytes).expect("an archive");
        assert_eq!(found.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["a.npy", "b.npy"]);
        assert_eq!(found[0].content().expect("whole"), [7; 1000]);
        assert_eq!(found[1].content().expect("whole"), b"other");
    }

    #[test]
    fn no_byte_that_is_wrong_ends_in_a_panic() {
        let bytes = archive();
        let read = |bytes: &[u8]| {
            members(bytes).map(|m| m.iter().map(|m| m.content().map(drop)).collect::<Vec<_>>())
        };
        for cut in 0..bytes.len() {
            assert!(read(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            for value in [0, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let _ = read(&changed);
            }
        }
        let mut damaged = bytes.clone();
        damaged[70] ^= 0x55;
        assert!(read(&damaged).expect("a directory").contains(&Err("a member is damaged")));
    }
}
