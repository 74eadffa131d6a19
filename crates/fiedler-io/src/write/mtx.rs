//! Matrix Market, with the names beside it as 10x Genomics writes them: features are rows then.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Content, Selection};
use crate::matrix::{Matrix, Numbers, Storage};
use crate::mtx::names::prefix;

/// A matrix in one file and the names in others.
pub(super) struct Mtx<'a> {
    selection: &'a Selection<'a>,
    matrix: Matrix,
}

impl<'a> Mtx<'a> {
    pub(super) fn new(selection: &'a Selection<'a>, matrix: Matrix, notes: &mut Vec<String>) -> Self {
        if selection.layout.label.is_some() {
            let what = if selection.target.is_some() { "a target: it is" } else { "labels: they are" };
            notes.push(format!("Matrix Market files have no place for {what} not in it"));
        }
        let mtx = Mtx { selection, matrix };
        if mtx.has_names() {
            notes.push(
                "features are rows in the file that was written, as in files of 10x Genomics".to_owned(),
            );
        }
        mtx
    }

    /// Whether there are names, which decide that features are rows.
    fn has_names(&self) -> bool {
        self.selection.layout.header || self.selection.sample_names.is_some()
    }

    /// The files of the names that belong to a matrix at `path`, with their lines.
    pub(super) fn beside(&self, path: &Path, zipped: bool) -> Vec<(PathBuf, String)> {
        let name = |what: &str| {
            let end = if zipped { ".gz" } else { "" };
            path.with_file_name(format!("{}{what}.tsv{end}", prefix(path)))
        };
        let s = self.selection;
        let mut files = Vec::new();
        if s.layout.header {
            // Identifier, symbol and kind; the kind is the one that readers of such folders keep.
            let lines = s.names.iter().map(|n| format!("{n}\t{n}\tGene Expression\n")).collect();
            files.push((name("features"), lines));
        }
        if let Some(samples) = s.sample_names {
            files.push((name("barcodes"), samples.iter().map(|n| format!("{n}\n")).collect()));
        }
        files
    }
}

impl Content for Mtx<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let m = &self.matrix;
        let turned = self.has_names();
        let (rows, columns) = if turned { (m.columns, m.rows) } else { (m.rows, m.columns) };
        let entries: Vec<(usize, usize, usize)> = entries(m);
        let values = match &m.storage {
            Storage::Dense { values, .. } | Storage::Sparse { values, .. } => values,
        };
        let whole = (0..values.len()).all(|e| values.at(e).fract() == 0.0 && values.at(e).abs() < 1e15);
        let kind = if whole { "integer" } else { "real" };
        writeln!(out, "%%MatrixMarket matrix coordinate {kind} general\n{rows} {columns} {}", entries.len())?;
        for (i, j, e) in entries {
            let (row, column) = if turned { (j, i) } else { (i, j) };
            write!(out, "{} {} ", row + 1, column + 1)?;
            match values {
                _ if whole => writeln!(out, "{}", values.at(e))?,
                Numbers::F32(v) => writeln!(out, "{:?}", v[e])?,
                Numbers::F64(v) => writeln!(out, "{:?}", v[e])?,
            }
        }
        Ok(())
    }
}

/// Sample, feature and place of everything that is not 0, sample after sample.
fn entries(matrix: &Matrix) -> Vec<(usize, usize, usize)> {
    let mut entries: Vec<(usize, usize, usize)> = match &matrix.storage {
        Storage::Dense { values, .. } => {
            let places = (0..values.len()).filter(|&p| values.at(p) != 0.0);
            places.map(|p| (p % matrix.rows, p / matrix.rows, p)).collect()
        }
        Storage::Sparse { offsets, rows, .. } => {
            let column = |j: usize| (offsets[j]..offsets[j + 1]).map(move |e| (rows[e] as usize, j, e));
            (0..matrix.columns).flat_map(column).collect()
        }
    };
    entries.sort_by_key(|e| e.0);
    entries
}
