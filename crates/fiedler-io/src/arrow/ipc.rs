//! Arrow IPC, as a file or as a stream.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, FileReaderBuilder, StreamReader};
use fiedler::Monitor;
use fiedler::dataset::Order;
use rayon::prelude::*;

use super::Parts;
use super::columns::Tables;
use super::convert::{Store, copy, texts};
use super::messages::{self, Told};
use super::plan::Plan;
use super::stays::{Apart, Stays};
use crate::body::Body;
use crate::disk::positions::Positions;
use crate::input::Input;
use crate::matrix::{Matrix, Numbers};
use crate::memory::Budget;
use crate::options::ReadOptions;
use crate::progress::Progress;
use crate::table::Raw;
use crate::{Error, Result};

/// The file and the memory it may take.
#[derive(Clone, Copy)]
struct Of<'a> {
    file: &'a str,
    budget: &'a Budget,
}

impl Of<'_> {
    fn bad(self, found: impl ToString) -> Error {
        Error::malformed(self.file, "Arrow", found.to_string())
    }

    /// What a file says that it holds, checked. Its dictionaries are read at once, whatever is wanted.
    fn told(self, check: &mut (impl Read + Seek)) -> Result<Told> {
        let told = messages::check_file(check).map_err(|e| e.told(|e| self.bad(e)))?;
        self.budget.take(told.dictionary_bytes)?;
        Ok(told)
    }

    fn reader<R: Read + Seek>(self, content: R) -> Result<FileReader<R>> {
        let builder = FileReaderBuilder::new().with_max_footer_fb_tables(messages::MOST_TABLES);
        builder.build(content).map_err(|e| self.bad(e))
    }
}

/// Reads an Arrow IPC file or stream.
pub(crate) fn read_ipc(mut input: Input<'_>, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
    let (file, budget) = (input.name.clone(), std::rc::Rc::clone(&input.budget));
    let of = Of { file: &file, budget: &budget };
    if input.is_arrow_stream() {
        let mut bytes = Cursor::new(input.read_all(monitor)?);
        messages::check_stream(&mut bytes, of.budget).map_err(|e| e.told(|e| of.bad(e)))?;
        bytes.set_position(0);
        let reader = StreamReader::try_new(bytes, None).map_err(|e| of.bad(e))?;
        let plan = Plan::new(&reader.schema(), &file, options)?;
        return assemble(of, plan, reader, options, monitor);
    }
    match input.take_path() {
        Some(path) => read_file(of, &path, options, monitor),
        None => read_bytes(of, &input.read_all(monitor)?, options, monitor),
    }
}

/// Reads a file whose bytes are at hand through two readers: one to check its lengths, one for its content.
fn read_bytes(of: Of<'_>, bytes: &[u8], options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
    let told = of.told(&mut Cursor::new(bytes))?;
    of.budget.take(told.table_bytes)?;
    let reader = of.reader(Cursor::new(bytes))?;
    let plan = Plan::new(&reader.schema(), of.file, options)?;
    assemble(of, plan, reader, options, monitor)
}

/// Reads those columns of a file that are wanted: into memory, unless they are too large for that.
fn read_file(of: Of<'_>, path: &Path, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Raw> {
    let open = || File::open(path).map_err(Error::io(of.file));
    let told = of.told(&mut open()?)?;
    let schema = of.reader(BufReader::new(open()?))?.schema();
    let plan = Plan::new(&schema, of.file, options)?;
    let tables = Tables::open(Positions::open(path)?, &schema, &told, of.budget)?;
    let texts = plan.texts().map(|c| tables.texts(c, of.budget)).collect::<Result<_>>()?;
    let rows = tables.rows();
    let stays = Stays::new(path, tables, plan.numbers.clone(), plan.single)?;
    let body = if plan.is_large(told.rows, monitor.limits()) {
        Body::Disk(Box::new(stays.into_disk(options.features, monitor)?))
    } else {
        Body::Memory(stays.into_matrix(of.budget, monitor)?)
    };
    Parts { plan, body, rows, texts }.into_raw(of.file, options)
}

/// Collects the batches of an IPC file; their columns lie next to one another in memory only
/// after all of them are known.
fn assemble(
    of: Of<'_>,
    plan: Plan,
    reader: impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>>,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let progress = Progress::new(monitor, "reading file", 0);
    let mut batches = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|e| of.bad(e))?;
        progress.advance(batch.num_rows())?;
        batches.push(batch);
    }
    let rows = batches.iter().map(RecordBatch::num_rows).sum();
    let values = if plan.single {
        Numbers::F32(stack(of, &plan, &batches, rows)?)
    } else {
        Numbers::F64(stack(of, &plan, &batches, rows)?)
    };
    let text = |c: usize| {
        let mut found = Vec::new();
        batches.iter().try_for_each(|b| texts(b.column(c), of.budget, &mut found))?;
        Ok(found)
    };
    let texts = plan.texts().map(text).collect::<Result<_>>()?;
    let body = Body::Memory(Matrix::dense(values, rows, plan.numbers.len(), Order::ColumnMajor));
    Parts { plan, body, rows, texts }.into_raw(of.file, options)
}

fn stack<T: Store>(of: Of<'_>, plan: &Plan, batches: &[RecordBatch], rows: usize) -> Result<Vec<T>> {
    let mut values = of.budget.zeros(rows, plan.numbers.len())?;
    values.par_chunks_mut(rows.max(1)).zip(&plan.numbers).for_each(|(mut out, &c)| {
        for batch in batches {
            let (part, rest) = std::mem::take(&mut out).split_at_mut(batch.num_rows());
            copy(batch.column(c), part);
            out = rest;
        }
    });
    Ok(values)
}
