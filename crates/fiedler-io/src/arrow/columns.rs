//! Some columns of an Arrow file, without the others.
//!
//! A table of the file (a record batch) is a description and a body of buffers, two or more for every column. The library that
//! reads the format takes bodies whole. Here the buffers of a few columns are read from their positions, and handed to it with a
//! description of these alone: what it makes of them is what it would make of the whole.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer as Body;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::{
    BodyCompression, BodyCompressionArgs, Buffer, FieldNode, Message, RecordBatch as Description,
    RecordBatchArgs, root_as_message,
};
use arrow_schema::{Fields, Schema};
use flatbuffers::FlatBufferBuilder;

use super::convert::{Store, copy, texts};
use super::layout::{Place, places};
use super::messages::{At, Told};
use super::stays::Apart;
use crate::disk::positions::Positions;
use crate::memory::Budget;
use crate::{Error, Result};

/// Bytes of numbers that a thread unpacks at a time.
const PIECE: usize = 4 << 20;

/// Buffers that are less than this apart are read together.
const NEAR: u64 = 1 << 14;

/// Where a buffer begins in the body that is handed on: a multiple of this, as in files.
const ALIGNED: usize = 64;

/// Bytes of a column of the schema, with its name.
const FIELD: usize = 160;

/// The tables of a file.
pub(super) struct Tables {
    file: Positions,
    name: String,
    fields: Fields,
    tables: Vec<Table>,
    dictionaries: HashMap<i64, ArrayRef>,
    rows: usize,
}

/// A table, of which the description is in memory and the body is not.
struct Table {
    message: Vec<u8>,
    /// Where the body begins.
    body: u64,
    rows: usize,
    /// Where every column is described, and the end of the last.
    places: Arc<[Place]>,
}

impl Tables {
    /// The tables of a file whose lengths have been checked.
    pub(super) fn open(file: Positions, schema: &Schema, told: &Told, budget: &Budget) -> Result<Self> {
        let name = budget.file().to_owned();
        let mut all = Tables {
            file,
            name,
            fields: schema.fields().clone(),
            tables: Vec::new(),
            dictionaries: HashMap::new(),
            rows: 0,
        };
        for at in &told.dictionaries {
            all.add_dictionary(at, schema)?;
        }
        for at in &told.tables {
            budget.take(at.head)?;
            let table = all.table(at, budget)?;
            all.rows += table.rows;
            all.tables.push(table);
        }
        Ok(all)
    }

    fn add_dictionary(&mut self, at: &At, schema: &Schema) -> Result<()> {
        let message = self.message(at)?;
        let message = self.parsed(&message)?;
        let batch = message.header_as_dictionary_batch().ok_or_else(|| self.bad("a dictionary is none"))?;
        let body = Body::from_vec(self.bytes(at.body_start(), at.body as usize)?);
        let version = message.version();
        let mut found = std::mem::take(&mut self.dictionaries);
        let read = read_dictionary(&body, batch, schema, &mut found, &version);
        self.dictionaries = found;
        read.map_err(|e| self.bad(e))
    }

    fn table(&self, at: &At, budget: &Budget) -> Result<Table> {
        let message = self.message(at)?;
        let (rows, places) = {
            let head = self.parsed(&message)?;
            let batch = self.described(head)?;
            let rows = usize::try_from(batch.length()).map_err(|_| self.bad("a length is negative"))?;
            // Tables mostly look like the one before them.
            let before = self.tables.last().map(|t| &t.places);
            let same = before.filter(|_| batch.variadicBufferCounts().is_none_or(|v| v.is_empty()));
            let places = match same {
                Some(places) => Arc::clone(places),
                None => {
                    budget.take_items(self.fields.len(), size_of::<Place>())?;
                    places(&self.fields, batch, head.version()).into()
                }
            };
            let end = Place {
                node: batch.nodes().map_or(0, |n| n.len()),
                buffer: batch.buffers().map_or(0, |b| b.len()),
                variadic: batch.variadicBufferCounts().map_or(0, |v| v.len()),
            };
            if places.last() != Some(&end) {
                return Err(self.bad("a table does not fit the columns"));
            }
            (rows, places)
        };
        Ok(Table { message, body: at.body_start(), rows, places })
    }

    /// The texts of a column.
    pub(super) fn texts(&self, column: usize, budget: &Budget) -> Result<Vec<Option<String>>> {
        let mut found = Vec::new();
        for table in &self.tables {
            let batch = self.some(table, &[column], &|bytes| budget.check(bytes))?;
            texts(batch.column(0), budget, &mut found)?;
        }
        Ok(found)
    }

    /// Some columns of a table. `allow` is asked with the bytes that they unpack to.
    fn some(
        &self,
        table: &Table,
        columns: &[usize],
        allow: &dyn Fn(u64) -> Result<()>,
    ) -> Result<RecordBatch> {
        let head = self.parsed(&table.message)?;
        let batch = self.described(head)?;
        let list = |of: fn(&Place) -> usize| {
            columns.iter().flat_map(move |&c| of(&table.places[c])..of(&table.places[c + 1]))
        };
        let (Some(nodes), Some(buffers)) = (batch.nodes(), batch.buffers()) else {
            return Err(self.bad("a table is not described"));
        };
        let nodes: Vec<FieldNode> = list(|p| p.node).map(|i| *nodes.get(i)).collect();
        let mut buffers: Vec<Buffer> = list(|p| p.buffer).map(|i| *buffers.get(i)).collect();
        let variadic: Vec<i64> = match batch.variadicBufferCounts() {
            Some(counts) => list(|p| p.variadic).map(|i| counts.get(i)).collect(),
            None => Vec::new(),
        };
        let body = self.gather(table.body, &mut buffers)?;
        allow(unpacked(&body, &buffers, batch.compression().is_some()))?;
        let description = describe(batch, &nodes, &buffers, &variadic);
        let batch = flatbuffers::root::<Description<'_>>(&description).map_err(|e| self.bad(e))?;
        let fields: Fields = columns.iter().map(|&c| Arc::clone(&self.fields[c])).collect();
        let (body, schema) = (Body::from_vec(body), Arc::new(Schema::new(fields)));
        RecordBatchDecoder::try_new(&body, batch, schema, &self.dictionaries, &head.version())
            .and_then(RecordBatchDecoder::read_record_batch)
            .map_err(|e| self.bad(e))
    }

    /// The bytes of some buffers of a body, which say from then on where they are among these.
    fn gather(&self, start: u64, buffers: &mut [Buffer]) -> Result<Vec<u8>> {
        let room = self.file.size().saturating_sub(start);
        let fits = |b: &Buffer| {
            let end = u64::try_from(b.offset()).ok()?.checked_add(u64::try_from(b.length()).ok()?)?;
            (end <= room).then_some(())
        };
        if buffers.iter().any(|b| fits(b).is_none()) {
            return Err(self.bad("a column lies beyond its end"));
        }
        let mut body: Vec<u8> = Vec::new();
        let mut first = 0;
        while first < buffers.len() {
            let end = |b: &Buffer| b.offset() as u64 + b.length() as u64;
            let mut last = first;
            while let Some(next) = buffers.get(last + 1) {
                let (done, from) = (end(&buffers[last]), next.offset() as u64);
                if !(done..done + NEAR).contains(&from) {
                    break;
                }
                last += 1;
            }
            let (from, to) = (buffers[first].offset() as u64, end(&buffers[last]));
            let at = body.len().next_multiple_of(ALIGNED);
            body.resize(at + (to - from) as usize, 0);
            self.file.fill(&mut body[at..], start + from)?;
            for buffer in &mut buffers[first..=last] {
                *buffer = Buffer::new(buffer.offset() - from as i64 + at as i64, buffer.length());
            }
            first = last + 1;
        }
        Ok(body)
    }

    fn message(&self, at: &At) -> Result<Vec<u8>> {
        let bytes = self.bytes(at.start, at.head as usize)?;
        let skip = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
        // A copy begins where numbers of eight bytes may lie.
        Ok(bytes.get(skip..).unwrap_or_default().to_vec())
    }

    fn bytes(&self, start: u64, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.fill(&mut bytes, start)?;
        Ok(bytes)
    }

    fn parsed<'a>(&self, message: &'a [u8]) -> Result<Message<'a>> {
        root_as_message(message).map_err(|e| self.bad(e))
    }

    fn described<'a>(&self, message: Message<'a>) -> Result<Description<'a>> {
        message.header_as_record_batch().ok_or_else(|| self.bad("a table is none"))
    }

    fn bad(&self, found: impl ToString) -> Error {
        Error::malformed(&self.name, "Arrow", found.to_string())
    }
}

impl Apart for Tables {
    fn rows(&self) -> usize {
        self.rows
    }

    fn described(&self) -> u64 {
        let of_table = |t: &Table| t.message.len() + size_of_val(&*t.places);
        let tables: usize = self.tables.iter().map(of_table).sum();
        (tables + self.fields.len() * FIELD) as u64
    }

    fn group<S: Store>(&self, columns: &[usize], out: &mut [S], beside: usize) -> Result<()> {
        let mut before = 0;
        for table in self.tables.iter().filter(|t| t.rows > 0) {
            // Once as they are in the file, and once unpacked.
            let step = (PIECE.min(beside / 2) / size_of::<S>() / table.rows).max(1);
            for (at, some) in columns.chunks(step).enumerate() {
                // The widest type has 16 bytes, and a bit says whether there is a value.
                let most = (table.rows as u64 * 17 + 2 * ALIGNED as u64) * some.len() as u64;
                let allow =
                    |bytes| if bytes <= most { Ok(()) } else { Err(self.bad("a length in it is wrong")) };
                let batch = self.some(table, some, &allow)?;
                for (c, array) in batch.columns().iter().enumerate() {
                    let start = (at * step + c) * self.rows + before;
                    copy(array, &mut out[start..start + table.rows]);
                }
            }
            before += table.rows;
        }
        Ok(())
    }
}

/// What buffers say they unpack to.
fn unpacked(body: &[u8], buffers: &[Buffer], compressed: bool) -> u64 {
    let size = |b: &Buffer| {
        let bytes = &body[b.offset() as usize..(b.offset() + b.length()) as usize];
        match bytes.first_chunk() {
            Some(told) if compressed && *told != [0xff; 8] => u64::from_le_bytes(*told),
            _ => bytes.len() as u64,
        }
    };
    buffers.iter().map(size).fold(0, u64::saturating_add)
}

/// The description of a table that has these columns alone.
fn describe(of: Description<'_>, nodes: &[FieldNode], buffers: &[Buffer], variadic: &[i64]) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let (nodes, buffers) = (builder.create_vector(nodes), builder.create_vector(buffers));
    let counts = (!variadic.is_empty()).then(|| builder.create_vector(variadic));
    let compression = of.compression().map(|c| {
        BodyCompression::create(&mut builder, &BodyCompressionArgs { codec: c.codec(), method: c.method() })
    });
    let args = RecordBatchArgs {
        length: of.length(),
        nodes: Some(nodes),
        buffers: Some(buffers),
        compression,
        variadicBufferCounts: counts,
    };
    let root = Description::create(&mut builder, &args);
    builder.finish_minimal(root);
    builder.finished_data().to_vec()
}
