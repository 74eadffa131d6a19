//! NPY.

use std::io::{self, Write};

use super::{Content, Selection};
use crate::matrix::Numbers;

/// Samples × features, row after row, in the precision the data are stored in.
pub(super) struct Npy<'a> {
    selection: &'a Selection<'a>,
}

impl<'a> Npy<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, notes: &mut Vec<String>) -> Self {
        notes.extend(lost(selection));
        Npy { selection }
    }

    fn header(&self) -> Vec<u8> {
        let s = self.selection;
        let kind = if s.single() { "<f4" } else { "<f8" };
        header(kind, &format!("{:?}", (s.n_samples, s.columns.len())))
    }
}

/// What an array cannot hold.
pub(super) fn lost(selection: &Selection<'_>) -> Option<String> {
    let layout = selection.layout;
    let lost: Vec<&str> = [
        (layout.header, "feature names"),
        (selection.sample_names.is_some(), "sample names"),
        (layout.label.is_some(), if selection.target.is_some() { "numbers of the target" } else { "labels" }),
    ]
    .into_iter()
    .filter_map(|(has, what)| has.then_some(what))
    .collect();
    (!lost.is_empty()).then(|| format!("NPY files hold numbers only: {} are not in it", lost.join(", ")))
}

/// What an array of that kind and shape begins with, row after row.
pub(super) fn header(kind: &str, shape: &str) -> Vec<u8> {
    described(format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"))
}

/// The same for a matrix, row after row or column after column.
pub(crate) fn header_in_order(kind: &str, shape: (usize, usize), by_column: bool) -> Vec<u8> {
    let order = if by_column { "True" } else { "False" };
    described(format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape:?}, }}"))
}

fn described(mut text: String) -> Vec<u8> {
    // Magic word, version, length and text together fill a multiple of 64 bytes.
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend_from_slice(&(length as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header
}

impl Content for Npy<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let s = self.selection;
        out.write_all(&self.header())?;
        let single = s.single();
        let mut row = Vec::with_capacity(s.columns.len() * 8);
        for i in 0..s.n_samples {
            row.clear();
            for column in &s.columns {
                match column {
                    Numbers::F32(v) if single => row.extend_from_slice(&v[i].to_le_bytes()),
                    column => row.extend_from_slice(&column.at(i).to_le_bytes()),
                }
            }
            out.write_all(&row)?;
        }
        Ok(())
    }
}
