//! Arrow IPC: one batch.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::DataType;

use super::arrow::{Beside, number_array, turned};
use super::{Content, Selection};

/// All columns of a selection.
pub(super) struct Ipc<'a>(&'a Selection<'a>);

impl<'a> Ipc<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, notes: &mut Vec<String>) -> Self {
        notes.extend(turned(selection));
        Ipc(selection)
    }
}

impl Content for Ipc<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let beside = Beside::new(self.0);
        let numbers: Vec<ArrayRef> = self.0.columns.iter().map(number_array).collect();
        let kind = numbers.first().map_or(DataType::Float64, |first| first.data_type().clone());
        let schema = Arc::new(beside.schema(&self.0.names, &kind));
        let array = |(_, array): (String, ArrayRef)| array;
        let arrays =
            beside.before.into_iter().map(array).chain(numbers).chain(beside.after.into_iter().map(array));
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays.collect()).map_err(io::Error::other)?;
        let mut writer = FileWriter::try_new(out, &schema).map_err(io::Error::other)?;
        writer.write(&batch).map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)
    }
}
