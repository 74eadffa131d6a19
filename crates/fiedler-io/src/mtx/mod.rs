//! Matrix Market, alone or with the names of features and samples beside it, as 10x Genomics writes it.
//!
//! A folder of 10x holds `matrix.mtx`, `features.tsv` (`genes.tsv` in old ones) and `barcodes.tsv`, each perhaps
//! with `.gz`; a repository may have put one prefix before all three. There features are rows and barcodes, the
//! samples, are columns; which is which is decided by how many names there are. A matrix without names is
//! samples × features, as every other table.

pub(crate) mod names;
mod parse;

use std::path::{Path, PathBuf};

use fiedler::Monitor;

use crate::input::Input;
use crate::matrix::Matrix;
use crate::options::{Orientation, ReadOptions};
use crate::table::Raw;
use crate::{Error, Result};
use names::Names;

const FORMAT: &str = "Matrix Market";

/// The content of a file of the format, and which way it lies: a table that names tell about is samples ×
/// features already, whatever the options say.
pub(crate) fn read(
    input: Input<'_>,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<(Raw, Orientation)> {
    let file = input.name.clone();
    let budget = std::rc::Rc::clone(&input.budget);
    let bytes = input.read_all(monitor)?;
    let matrix = parse::matrix(&bytes, (&file, &budget), monitor)?;
    drop(bytes);
    let mut notes = Vec::new();
    let path = Path::new(&file);
    // What comes through a pipe has nothing beside it.
    let names = if path.is_file() { Names::beside(path, &mut notes, monitor)? } else { Names::default() };
    let (mut raw, features) = named(&file, matrix, names, options, &mut notes)?;
    raw.notes.splice(0..0, notes);
    Ok((raw, features))
}

/// The matrix file of a folder, if it has one.
pub(crate) fn in_folder(folder: &Path) -> Option<PathBuf> {
    let known = ["matrix.mtx.gz", "matrix.mtx"].map(|name| folder.join(name));
    if let Some(path) = known.into_iter().find(|path| path.is_file()) {
        return Some(path);
    }
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| crate::Format::of_path(path) == Some(crate::Format::Mtx))
        .collect();
    found.sort_unstable();
    // Of several matrices the user has to choose one.
    if found.len() == 1 { found.pop() } else { None }
}

fn named(
    file: &str,
    matrix: Matrix,
    names: Names,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<(Raw, Orientation)> {
    let Names { features, samples, files } = names;
    let fits = |names: &Option<Vec<String>>, count: usize| names.as_ref().is_none_or(|n| n.len() == count);
    let (rows, columns) = (matrix.rows, matrix.columns);
    let any = features.is_some() || samples.is_some();
    let as_10x = any && fits(&features, rows) && fits(&samples, columns);
    let as_table = any && fits(&samples, rows) && fits(&features, columns);
    if !any {
        // So the matrix of a folder of 10x is called, whose rows are features.
        let name = Path::new(file).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if matches!(name.as_str(), "matrix.mtx" | "matrix.mtx.gz") && options.features == Orientation::Columns
        {
            notes.push(format!(
                "no features.tsv and no barcodes.tsv stand beside the matrix: its {rows} rows are read as samples; in the \
                 files of 10x they are features"
            ));
        }
        return Ok((Raw::bare(matrix), options.features));
    }
    if !as_10x && !as_table {
        let count = |names: Option<Vec<String>>| names.map_or("no".to_owned(), |n| n.len().to_string());
        let found = format!(
            "{} names of features and {} barcodes stand beside a matrix of {rows} × {columns} ({})",
            count(features),
            count(samples),
            files.join(", ")
        );
        let advice = "put the matrix into a folder with its own names, or alone".to_owned();
        return Err(Error::unsupported(file, found, advice));
    }
    let matrix = if as_10x { matrix.transposed() } else { matrix };
    let mut raw = Raw::bare(matrix);
    raw.column_names = features;
    raw.row_names = samples;
    if let Some(names) = &mut raw.column_names {
        raw.repeated = crate::names::make_unique(names, "feature", notes);
    }
    if let Some(names) = &mut raw.row_names {
        crate::names::make_unique(names, "sample", notes);
    }
    Ok((raw, Orientation::Columns))
}
