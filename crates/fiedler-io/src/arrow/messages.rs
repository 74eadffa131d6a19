//! The lengths in an Arrow IPC file or stream, compared with the bytes that are there.
//!
//! A message is a length, a description of that length, and a body whose length the description tells. In a
//! compressed body every buffer begins with the length it unpacks to. The library that reads the format
//! takes memory by these numbers.

use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::{Block, MessageHeader, RecordBatch, root_as_footer_with_opts, root_as_message};
use flatbuffers::VerifierOptions;

use crate::Error;
use crate::memory::Budget;

/// What is wrong with a file.
pub(super) enum Wrong {
    /// With its bytes.
    Found(String),
    /// With the memory it needs.
    Memory(Error),
}

impl Wrong {
    /// As an error; `bad` words what is found.
    pub(super) fn told(self, bad: impl FnOnce(String) -> Error) -> Error {
        match self {
            Wrong::Found(found) => bad(found),
            Wrong::Memory(error) => error,
        }
    }
}

impl From<&str> for Wrong {
    fn from(found: &str) -> Self {
        Wrong::Found(found.to_owned())
    }
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Wrong::Found(error.to_string())
    }
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Wrong::Memory(error)
    }
}

type Checked<T = ()> = Result<T, Wrong>;

/// Tables of a footer, one or two for every column, that are looked at: by default it is too few for a million columns.
pub(super) const MOST_TABLES: usize = 100_000_000;

/// Where a message is, how long it is, and how long the body behind it.
pub(super) struct At {
    pub(super) start: u64,
    pub(super) head: u64,
    pub(super) body: u64,
}

impl At {
    pub(super) fn body_start(&self) -> u64 {
        self.start + self.head
    }
}

/// What a file says that it holds.
#[derive(Default)]
pub(super) struct Told {
    pub(super) dictionaries: Vec<At>,
    pub(super) tables: Vec<At>,
    pub(super) rows: u64,
    /// Bytes of all dictionaries, unpacked.
    pub(super) dictionary_bytes: u64,
    /// Bytes of all tables, unpacked.
    pub(super) table_bytes: u64,
}

/// Checks a file: its footer names the messages.
pub(super) fn check_file(reader: &mut (impl Read + Seek)) -> Checked<Told> {
    let mut source = Source::new(reader)?;
    let tail = source.size.checked_sub(10).ok_or("it is cut off")?;
    let length = source.bytes(tail, 4)?;
    let length = u64::from(u32::from_le_bytes([length[0], length[1], length[2], length[3]]));
    let start = tail.checked_sub(length).ok_or("the footer is longer than the file")?;
    let footer = source.bytes(start, length)?;
    let mut told = Told::default();
    let options = VerifierOptions { max_tables: MOST_TABLES, ..VerifierOptions::default() };
    // What is wrong with the footer itself is told by the reader.
    let Ok(footer) = root_as_footer_with_opts(&options, &footer) else { return Ok(told) };
    for block in footer.dictionaries().into_iter().flatten() {
        let (at, content) = source.check_block(block)?;
        told.dictionary_bytes = told.dictionary_bytes.saturating_add(content.unpacked);
        told.dictionaries.push(at);
    }
    for block in footer.recordBatches().into_iter().flatten() {
        let (at, content) = source.check_block(block)?;
        told.table_bytes = told.table_bytes.saturating_add(content.unpacked);
        told.rows = told.rows.saturating_add(content.rows);
        told.tables.push(at);
    }
    Ok(told)
}

/// Checks a stream: message after message.
pub(super) fn check_stream(reader: &mut (impl Read + Seek), budget: &Budget) -> Checked {
    let mut source = Source::new(reader)?;
    let mut at = 0;
    while at + 4 <= source.size {
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let mut length = word(&source.bytes(at, 4)?);
        at += 4;
        if length == u32::MAX {
            length = word(&source.bytes(at, 4)?);
            at += 4;
        }
        if length == 0 {
            return Ok(());
        }
        let message = source.bytes(at, u64::from(length))?;
        at += u64::from(length);
        let Ok(head) = root_as_message(&message) else { return Ok(()) };
        let body = u64::try_from(head.bodyLength()).map_err(|_| "a length is negative")?;
        budget.take(source.check_body(&message, (at, body))?.unpacked)?;
        at += body;
    }
    Ok(())
}

struct Source<'a, R> {
    reader: &'a mut R,
    size: u64,
}

impl<'a, R: Read + Seek> Source<'a, R> {
    fn new(reader: &'a mut R) -> io::Result<Self> {
        let size = reader.seek(SeekFrom::End(0))?;
        Ok(Source { reader, size })
    }

    /// These bytes, which must be there.
    fn bytes(&mut self, start: u64, length: u64) -> Checked<Vec<u8>> {
        if start.checked_add(length).is_none_or(|end| end > self.size) {
            return Err("it is cut off, or a length in it is wrong".into());
        }
        self.reader.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; length as usize];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Checks a message and its body, which a footer names.
    fn check_block(&mut self, block: &Block) -> Checked<(At, Content)> {
        let number = |n: i64| u64::try_from(n).map_err(|_| Wrong::from("a length is negative"));
        let (start, head) = (number(block.offset())?, number(i64::from(block.metaDataLength()))?);
        let (head_end, body) = (start.saturating_add(head), number(block.bodyLength())?);
        if head < 8 || head_end.saturating_add(body) > self.size {
            return Err("a table lies beyond its end".into());
        }
        let message = self.bytes(start, head)?;
        let skip = if message.starts_with(&[0xff; 4]) { 8 } else { 4 };
        let content = self.check_body(&message[skip..], (head_end, body))?;
        Ok((At { start, head, body }, content))
    }

    /// Checks the buffers of a message whose body begins at `start` and has `length` bytes.
    fn check_body(&mut self, message: &[u8], (start, length): (u64, u64)) -> Checked<Content> {
        if start.checked_add(length).is_none_or(|end| end > self.size) {
            return Err("it is cut off, or a length in it is wrong".into());
        }
        // The reader looks for the description beyond its stated length too, where nothing was checked. A copy begins where
        // numbers of eight bytes may lie.
        let copy = message.to_vec();
        let message =
            root_as_message(&copy).map_err(|_| "a table is not described within its stated length")?;
        let batch = match message.header_type() {
            MessageHeader::RecordBatch => message.header_as_record_batch(),
            MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|d| d.data()),
            _ => None,
        };
        match batch {
            Some(batch) => self.check_batch(batch, (start, length)),
            None => Ok(Content::default()),
        }
    }

    fn check_batch(&mut self, batch: RecordBatch<'_>, (start, length): (u64, u64)) -> Checked<Content> {
        let number = |n: i64| u64::try_from(n).map_err(|_| Wrong::from("a length is negative"));
        let mut unpacked = 0_u64;
        for buffer in batch.buffers().into_iter().flatten() {
            let (offset, size) = (number(buffer.offset())?, number(buffer.length())?);
            if offset.saturating_add(size) > length {
                return Err("a column lies beyond its table".into());
            }
            if batch.compression().is_some() && size >= 8 {
                let bytes = self.bytes(start + offset, 8)?;
                let told = bytes.iter().rev().fold(0_u64, |n, &b| n << 8 | u64::from(b));
                // -1 means that the buffer is not compressed.
                unpacked = unpacked.saturating_add(if told == u64::MAX { size } else { told });
            } else {
                unpacked = unpacked.saturating_add(size);
            }
        }
        Ok(Content { unpacked, rows: number(batch.length())? })
    }
}

/// What the body of a message holds.
#[derive(Default)]
struct Content {
    /// Bytes, unpacked.
    unpacked: u64,
    rows: u64,
}
