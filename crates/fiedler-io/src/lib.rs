//! Files to data sets and back.
//!
//! ```no_run
//! use fiedler_io::{ReadOptions, read};
//!
//! let options = ReadOptions { label: Some("species".into()), ..ReadOptions::default() };
//! let table = read("flowers.csv".as_ref(), &options, &fiedler::Silent)?;
//! println!("{} samples, {} features", table.data.n_samples(), table.data.n_features());
//! # Ok::<(), fiedler_io::Error>(())
//! ```
//!
//! [`read`] knows the format by the content of a file, or by its extension where the content is
//! plain text. Reading takes no more memory than the monitor's [limits](fiedler::Limits) allow, whatever
//! sizes a file states. What it decides on its own and a careful reader would want to know is in
//! [`Table::notes`]; what it cannot decide is an [`Error`] that names file, line and column.
//!
//! Sparse files give sparse data sets and dense files dense ones, also where most of a dense file
//! is zero: `standard` scaling divides sparse data without centering them, which changes the
//! scores that depend on a shift, and how a file is stored must not change them.

#[cfg(feature = "hdf5")]
mod archive;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod arrow;
mod bed;
mod blocks;
mod body;
mod checkpoint;
mod csv;
mod dates;
mod disk;
mod error;
mod gaps;
mod guard;
#[cfg(feature = "hdf5")]
mod hdf;
mod input;
mod knowledge;
mod labels;
mod libsvm;
mod mat;
mod matrix;
mod memory;
mod messy;
mod mtx;
mod names;
mod npy;
mod npz;
mod options;
mod progress;
mod sparse;
mod survey;
mod table;
mod target;
mod whole;
mod write;
mod zarr;
mod zip;

use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use fiedler::Monitor;

pub use checkpoint::{CheckpointFolder, TakenFolder};
pub use error::{BadColumn, CellText, ColumnName, Error, Holds, Location, Remedy, Result};
#[cfg(feature = "hdf5")]
pub use hdf::read_stored_graph;
pub use knowledge::{
    AnnotationFilter, IsName, NamedEdge, NamedSet, NamedSimilarity, Pathway, Ranked, Sequence, WithNotes,
    kind_of, read_annotations, read_categories, read_gaf, read_interactions, read_names, read_ontology,
    read_pathway, read_ranking, read_sequences, read_sets, read_similarity,
};
pub use messy::{Categories, Dates, Missing, Sampling};
pub use names::shown;
pub use options::{ColumnRef, Format, MatVariables, Orientation, ReadOptions, TextOptions};
pub use table::{LabelColumn, Layout, Table};
pub use whole::{remove_unfinished, write_files, write_whole};
pub use write::{Scores, check_output, write, write_blocks, write_csv_to, write_scored};

use guard::guarded;
use input::Input;
use table::Raw;

/// Reads a file; gzip is looked through. A folder is a directory of blocks or a Zarr store, or is read as the Matrix Market file in it.
/// NPY, blocks, PLINK, Parquet and Arrow files that would take more than half of what the monitor's limits allow stay on the disk; HDF5, Zarr, and
/// tables with features in rows, are copied into a scratch file.
///
/// # Errors
/// Every [`Error`] but [`Error::Canceled`] is about the file; that one is the monitor's wish.
pub fn read(path: &Path, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Table> {
    if blocks::is_one(path) {
        return read_blocks(path, options, monitor);
    }
    if zarr::is_one(path) {
        return read_zarr(path, options, monitor);
    }
    let folder = if path.is_dir() { mtx::in_folder(path) } else { None };
    read_input(Input::open(folder.as_deref().unwrap_or(path), monitor.limits())?, options, monitor)
}

/// Reads from anything that can be read, such as standard input. `name` stands for the file in
/// messages; its extension, if it has one, tells the format of plain text.
///
/// # Errors
/// As [`read`].
pub fn read_from(
    reader: impl Read,
    name: &str,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Table> {
    read_input(Input::from_reader(reader, name, monitor.limits())?, options, monitor)
}

fn read_input(input: Input<'_>, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Table> {
    let file = input.name.clone();
    guarded(&file, || {
        let (format, is_compressed) = (input.format(options.format)?, input.is_compressed());
        // Files of MATLAB 7.3 are HDF5, which stays on the disk unless it is compressed as a whole.
        let kind = if input.is_hdf5() { Format::H5 } else { format };
        read_format(input, format, options, monitor).map_err(|e| e.of_whole(is_compressed, kind))
    })
}

fn read_blocks(path: &Path, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Table> {
    let file = shown(path);
    guarded(&file, || {
        options.check_for(Format::Blocks, &file)?;
        let raw = blocks::read(path, options, monitor)?;
        finish(raw, &file, (Format::Blocks, Orientation::Columns), options, monitor)
    })
}

fn read_zarr(path: &Path, options: &ReadOptions, monitor: &dyn Monitor) -> Result<Table> {
    let file = shown(path);
    guarded(&file, || {
        options.check_for(Format::Zarr, &file)?;
        let (raw, features) = zarr::read(path, &file, options, monitor)?;
        finish(raw, &file, (Format::Zarr, features), options, monitor)
    })
}

fn read_format(
    input: Input<'_>,
    format: Format,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Table> {
    let (file, budget) = (input.name.clone(), Rc::clone(&input.budget));
    let place = (file.as_str(), &*budget);
    options.check_for(format, &file)?;
    if matches!(format, Format::Csv | Format::Tsv | Format::Libsvm | Format::Mtx) {
        input.check_text()?;
    }
    // Some formats say themselves where their features are.
    let mut features = options.features;
    let mut kind = format;
    let raw = match format {
        Format::Npz => npz::read(&input.read_all(monitor)?, place, options, monitor)?,
        Format::Mtx => {
            let (raw, lies) = mtx::read(input, options, monitor)?;
            features = lies;
            raw
        }
        Format::H5ad | Format::H5 => hdf5(input, options, monitor, &mut kind, &mut features)?,
        Format::Mat if input.is_hdf5() => hdf5(input, options, monitor, &mut kind, &mut features)?,
        Format::Csv | Format::Tsv => input
            .read_all(monitor)
            .and_then(|bytes| csv::read(&bytes, place, format, options, monitor))
            .map_err(Error::of_text)?,
        Format::Bed => {
            features = Orientation::Columns;
            bed::read(
                &input.into_path("a .bed file is read with its .bim and .fam beside it")?,
                options,
                monitor,
            )?
        }
        Format::Blocks => {
            return Err(Error::unsupported(
                &file,
                "a file, and blocks are a directory",
                "name the directory",
            ));
        }
        Format::Zarr => {
            let advice = "name the folder, or unpack the archive that it is in";
            return Err(Error::unsupported(&file, "a file, and a Zarr store is a folder", advice));
        }
        Format::Npy => npy::read(input, options.features, monitor)?,
        Format::Mat => mat::read(&input.read_all(monitor)?, place, options)?,
        #[cfg(feature = "parquet")]
        Format::Parquet => arrow::read_parquet(input, options, monitor)?,
        #[cfg(feature = "arrow")]
        Format::Arrow => arrow::read_ipc(input, options, monitor)?,
        Format::Libsvm => libsvm::read(&input.read_all(monitor)?, place, monitor)?,
        #[cfg(not(all(feature = "arrow", feature = "parquet")))]
        absent => return Err(not_built(&file, absent)),
    };
    finish(raw, &file, (kind, features), options, monitor)
}

/// A table of what was read, in which features lie that way.
fn finish(
    raw: Raw,
    file: &str,
    (format, features): (Format, Orientation),
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Table> {
    if raw.body.rows() == 0 || raw.body.columns() == 0 {
        let what = format!("a table of {} × {}", raw.body.rows(), raw.body.columns());
        return Err(Error::Empty { file: file.to_owned(), what });
    }
    if features == options.features {
        return raw.into_table(file, format, options, monitor);
    }
    raw.into_table(file, format, &ReadOptions { features, ..options.clone() }, monitor)
}

/// Reads an HDF5 file and says which format it is and which way it lies.
#[cfg(feature = "hdf5")]
fn hdf5(
    input: Input<'_>,
    options: &ReadOptions,
    monitor: &dyn Monitor,
    kind: &mut Format,
    features: &mut Orientation,
) -> Result<Raw> {
    let (raw, found) = hdf::read(input, options, monitor)?;
    *kind = found;
    if raw.column_names.is_some() {
        *features = Orientation::Columns;
    }
    Ok(raw)
}

/// This build was made without HDF5.
#[cfg(not(feature = "hdf5"))]
fn hdf5(
    input: Input<'_>,
    _: &ReadOptions,
    _: &dyn Monitor,
    _: &mut Format,
    _: &mut Orientation,
) -> Result<Raw> {
    Err(not_built(&input.name, Format::H5))
}

/// This build was made without HDF5.
///
/// # Errors
/// Always.
#[cfg(not(feature = "hdf5"))]
pub fn read_stored_graph(path: &Path, _: &str, _: &dyn Monitor) -> Result<fiedler::Graph> {
    Err(not_built(&shown(path), Format::H5ad))
}

/// An error for a format that this build leaves out.
#[cfg(not(all(feature = "arrow", feature = "hdf5", feature = "parquet")))]
fn not_built(file: &str, format: Format) -> Error {
    let (name, feature) = match format {
        Format::Parquet => ("Parquet", "parquet"),
        Format::Arrow => ("Arrow", "arrow"),
        _ => ("HDF5", "hdf5"),
    };
    let what = format!("this build of fiedler leaves {name} files out");
    let advice = format!("build it with the feature `{feature}`, or use CSV, NPY or NPZ");
    Error::unsupported(file, what, advice)
}
