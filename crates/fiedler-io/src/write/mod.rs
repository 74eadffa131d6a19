//! Data sets to files: the chosen columns in the user's units, with labels and sample names.

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod arrow;
mod binary;
#[cfg(feature = "hdf5")]
mod h5ad;
#[cfg(feature = "arrow")]
mod ipc;
mod mtx;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
mod stored;
mod streamed;
mod text;

pub(crate) use binary::header_in_order;
pub(crate) use stored::is_single;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use fiedler::dataset::{Block, Columns, Values};
use fiedler::{Monitor, Silent};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::matrix::Numbers;
use crate::names::shown;
use crate::options::{Format, Orientation};
use crate::table::{LabelColumn, Layout, Table};
use crate::whole::write_whole;
use crate::{Error, Result};

/// Writes the columns `columns` of a table, in that order, and returns what the format could not
/// hold, one sentence each.
///
/// The format is that of the extension (with `.gz` behind it, compressed), or else that of the
/// table. Numbers are written with as few digits as give the same number back.
///
/// # Errors
/// [`Error::Io`]; [`Error::Unsupported`] as [`check_output`]; [`Error::Data`] when `columns` names
/// one that is not there. Then nothing is written.
pub fn write(path: &Path, table: &Table, columns: &[usize]) -> Result<Vec<String>> {
    write_scored(path, table, columns, None)
}

/// What a method says of the columns that are written, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The name of the method.
    pub method: String,
    /// The score of every column; NaN where there is none.
    pub scores: Vec<f64>,
    /// Its rank; 1 is the best.
    pub ranks: Vec<usize>,
}

/// As [`write()`], with the scores beside the names of the features where the format has room for them: in `var` of AnnData,
/// as `laplacian_score` and `laplacian_score_rank`.
///
/// # Errors
/// As [`write()`].
pub fn write_scored(
    path: &Path,
    table: &Table,
    columns: &[usize],
    scores: Option<&Scores>,
) -> Result<Vec<String>> {
    let file = shown(path);
    let format = check_output(path)?.unwrap_or(table.layout.format);
    match format {
        Format::H5ad | Format::Npz | Format::Mtx => {
            return write_stored(path, format, table, (columns, scores));
        }
        Format::Blocks => return write_chosen_blocks(path, table, columns, &Silent).map(|_| Vec::new()),
        Format::Npy if streamed::is_large(path, table, columns) => {
            return streamed::write(path, table, columns);
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => return parquet::write(path, table, columns),
        _ => {}
    }
    let mut selection = Selection::new(table, columns).map_err(Error::data(&file))?;
    let mut notes: Vec<String> = selection.place_label(format).into_iter().collect();
    let content = selection.content(format, &mut notes).ok_or_else(|| only_read(&file, format))?;
    write_content(path, &*content)?;
    Ok(notes)
}

/// Writes all columns of a table as a directory of blocks, a block at a time, and answers how many blocks they are.
///
/// # Errors
/// [`Error::Io`]; [`Error::Unsupported`] where there is something already; [`Error::Canceled`]. Then nothing is written.
pub fn write_blocks(folder: &Path, table: &Table, monitor: &dyn Monitor) -> Result<usize> {
    write_chosen_blocks(folder, table, &(0..table.data.n_features()).collect::<Vec<_>>(), monitor)
}

fn write_chosen_blocks(
    folder: &Path,
    table: &Table,
    columns: &[usize],
    monitor: &dyn Monitor,
) -> Result<usize> {
    Selection::outline(table, columns).map_err(Error::data(&shown(folder)))?;
    crate::blocks::write(folder, table, columns, monitor)
}

/// Writes to a file, compressed where its name says so.
fn write_content(path: &Path, content: &dyn Content) -> Result<()> {
    write_zipped(path, |out| content.write(out))
}

fn write_zipped(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    write_whole(path, |out| {
        if !is_zipped(path) {
            return write(out);
        }
        let mut gz = GzEncoder::new(out, Compression::default());
        write(&mut gz)?;
        gz.finish().map(drop)
    })
}

fn is_zipped(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"))
}

/// Writes a format that keeps sparse data sparse.
fn write_stored(
    path: &Path,
    format: Format,
    table: &Table,
    (columns, scores): (&[usize], Option<&Scores>),
) -> Result<Vec<String>> {
    let file = shown(path);
    let mut selection = Selection::outline(table, columns).map_err(Error::data(&file))?;
    selection.scores = scores.filter(|s| s.scores.len() == columns.len() && s.ranks.len() == columns.len());
    let matrix = stored::matrix(&table.data, columns).map_err(Error::data(&file))?;
    let mut notes = Vec::new();
    match format {
        #[cfg(feature = "hdf5")]
        Format::H5ad => write_content(path, &h5ad::H5ad::new(&selection, matrix, &mut notes))?,
        Format::Npz => write_content(path, &npz::Npz::new(&selection, matrix))?,
        Format::Mtx => {
            let mtx = mtx::Mtx::new(&selection, matrix, &mut notes);
            let path = mtx_path(path)?;
            for (beside, lines) in mtx.beside(&path, is_zipped(&path)) {
                write_content(&beside, &lines)?;
            }
            write_content(&path, &mtx)?;
        }
        _ => return Err(only_read(&file, format)),
    }
    Ok(notes)
}

/// The file of the matrix: a name without extension is a folder of the three files.
fn mtx_path(path: &Path) -> Result<PathBuf> {
    if Format::of_path(path).is_some() {
        return Ok(path.to_owned());
    }
    std::fs::create_dir_all(path).map_err(Error::io(path.display().to_string()))?;
    Ok(path.join("matrix.mtx.gz"))
}

/// Writes the columns as CSV to anything that can be written, such as standard output, and returns what it could not hold, one
/// sentence each.
///
/// # Errors
/// As [`write()`]; `name` stands for the file in messages.
pub fn write_csv_to(
    out: &mut dyn Write,
    name: &str,
    table: &Table,
    columns: &[usize],
) -> Result<Vec<String>> {
    let mut selection = Selection::new(table, columns).map_err(Error::data(name))?;
    let notes = selection.place_label(Format::Csv).into_iter().collect();
    text::Text::new(&selection, Format::Csv).write(out).map_err(Error::io(name))?;
    Ok(notes)
}

/// The format that a file of this name would be written in; `None` where the name has no extension
/// and that of the table is kept.
///
/// # Errors
/// [`Error::Unsupported`] for an extension of no known format, or for one that is only read.
pub fn check_output(path: &Path) -> Result<Option<Format>> {
    let file = shown(path);
    let whole = path.file_name().map_or(String::new(), |n| n.to_string_lossy().to_lowercase());
    let name = whole.strip_suffix(".gz").unwrap_or(&whole);
    match (Format::of_path(path), name.rsplit_once('.')) {
        (Some(format @ (Format::Mat | Format::Bed | Format::Zarr)), _) => Err(only_read(&file, format)),
        #[cfg(not(feature = "parquet"))]
        (Some(Format::Parquet), _) => Err(crate::not_built(&file, Format::Parquet)),
        #[cfg(not(feature = "arrow"))]
        (Some(Format::Arrow), _) => Err(crate::not_built(&file, Format::Arrow)),
        #[cfg(not(feature = "hdf5"))]
        (Some(Format::H5ad), _) => Err(crate::not_built(&file, Format::H5ad)),
        (Some(Format::H5), _) => {
            Err(Error::unsupported(&file, "`.h5` files are only read", "write .h5ad, which scanpy reads too"))
        }
        (Some(format), _) => Ok(Some(format)),
        // `.hidden` is a name, and `name.` has no extension.
        (None, None | Some(("", _) | (_, ""))) => Ok(None),
        (None, Some((_, extension))) => {
            let what = format!("the extension `.{extension}` is not one that fiedler writes");
            Err(Error::unsupported(&file, what, WRITTEN))
        }
    }
}

/// What to do where a format cannot be written.
const WRITTEN: &str = "write .csv, .tsv, .parquet, .arrow, .npy, .npz, .h5ad, .mtx, .libsvm or .blocks";

/// A format that there is no writer for: that of the name, or of the data where the name tells none.
fn only_read(file: &str, format: Format) -> Error {
    let kind = match format {
        Format::Mat => "MAT",
        Format::Bed => "PLINK",
        Format::Zarr => "Zarr",
        _ => "HDF5",
    };
    let what = match Format::of_path(Path::new(file)) {
        Some(_) => format!("{kind} files are only read"),
        None => format!("the name has no extension, and {kind} files, as the data are in, are only read"),
    };
    Error::unsupported(file, what, WRITTEN)
}

/// What goes into a file.
trait Content {
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

impl Content for String {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.as_bytes())
    }
}

/// The chosen columns and what belongs to them.
struct Selection<'a> {
    columns: Vec<Numbers>,
    names: Vec<Cow<'a, str>>,
    sample_names: Option<&'a [String]>,
    /// The class of every sample, `None` for unlabeled ones.
    labels: Option<Vec<Option<&'a str>>>,
    /// The number of every sample, where one is to be predicted.
    target: Option<Numbers>,
    layout: &'a Layout,
    /// The column of the labels or of the target, where the file has one.
    label: Option<LabelColumn>,
    n_samples: usize,
    /// What a method says of the columns, for formats that have room for it.
    scores: Option<&'a Scores>,
}

impl<'a> Selection<'a> {
    fn new(table: &'a Table, columns: &[usize]) -> fiedler::Result<Self> {
        let outline = Selection::outline(table, columns)?;
        Ok(Selection { columns: columns_of(table.data.columns(), columns)?, ..outline })
    }

    /// Names and labels without the numbers.
    fn outline(table: &'a Table, columns: &[usize]) -> fiedler::Result<Self> {
        let data = &table.data;
        let m = data.n_features();
        if let Some(j) = columns.iter().find(|&&j| j >= m) {
            return Err(fiedler::Error::parameter(
                "columns",
                format!("below the number of features ({m})"),
                j,
            ));
        }
        if columns.is_empty() {
            return Err(fiedler::Error::parameter("columns", "at least one feature", "none"));
        }
        let labels = data
            .labels()
            .map(|l| l.codes().iter().map(|c| c.map(|c| l.classes()[c as usize].as_str())).collect());
        Ok(Selection {
            columns: Vec::new(),
            names: columns.iter().map(|&j| data.feature_name(j)).collect(),
            sample_names: data.sample_names(),
            labels,
            target: data.target().map(|target| Numbers::F64(target.values().to_vec())),
            layout: &table.layout,
            label: table.layout.label.clone().filter(|_| data.labels().is_some() || data.target().is_some()),
            n_samples: data.n_samples(),
            scores: None,
        })
    }

    /// Finds a place for the labels in a table: a title that no feature has, and none where lines are features. A sentence where
    /// that is not what the user would expect.
    fn place_label(&mut self, format: Format) -> Option<String> {
        let label = self.label.as_mut()?;
        let what = if self.target.is_some() { "the target is" } else { "the labels are" };
        let is_text = matches!(format, Format::Csv | Format::Tsv);
        if is_text && self.layout.features == Orientation::Rows {
            self.label = None;
            return Some(format!("{what} not in the file that was written, whose lines are features"));
        }
        let is_taken = |name: &str| self.names.iter().any(|feature| feature == name);
        let beside = is_text || matches!(format, Format::Parquet | Format::Arrow);
        if !beside || !is_taken(&label.name) {
            return None;
        }
        let free = (2..).map(|number| format!("{}_{number}", label.name)).find(|name| !is_taken(name))?;
        let taken = std::mem::replace(&mut label.name, free);
        Some(format!("{what} in column `{}`, for a feature is called `{taken}`", label.name))
    }

    /// The selection in a format; `None` for one that is only read.
    fn content(&self, format: Format, notes: &mut Vec<String>) -> Option<Box<dyn Content + '_>> {
        Some(match format {
            Format::Csv | Format::Tsv => Box::new(text::Text::new(self, format)),
            Format::Libsvm => Box::new(text::Libsvm::new(self, notes)),
            Format::Npy => Box::new(binary::Npy::new(self, notes)),
            #[cfg(feature = "arrow")]
            Format::Arrow => Box::new(ipc::Ipc::new(self, notes)),
            _ => return None,
        })
    }

    /// The labels and their title, where the file has a place for them.
    fn label_column(&self) -> Option<(&LabelColumn, &[Option<&'a str>])> {
        self.label.as_ref().zip(self.labels.as_deref())
    }

    /// The number to be predicted and its title, likewise.
    fn target_column(&self) -> Option<(&LabelColumn, &Numbers)> {
        self.label.as_ref().zip(self.target.as_ref())
    }

    /// Whether all columns are in single precision.
    fn single(&self) -> bool {
        self.columns.iter().all(|c| matches!(c, Numbers::F32(_)))
    }
}

/// The columns `list` in the precision they are stored in, zeros filled in.
pub(crate) fn columns_of(source: &dyn Columns, list: &[usize]) -> fiedler::Result<Vec<Numbers>> {
    let n = source.n_samples();
    let pieces = source.gather(list)?;
    let columns = pieces.iter().flat_map(|p| (0..p.width).map(|j| column(&p.block, j, n)));
    Ok(columns.collect())
}

fn column(block: &Block<'_>, j: usize, n: usize) -> Numbers {
    match block {
        Block::Dense(b) => {
            let place = |i: usize| i * b.row_stride + j * b.column_stride;
            match &b.values {
                Values::F32(v) => Numbers::F32((0..n).map(|i| v[place(i)]).collect()),
                Values::F64(v) => Numbers::F64((0..n).map(|i| v[place(i)]).collect()),
            }
        }
        Block::Sparse(b) => match &b.values {
            Values::F32(v) => Numbers::F32(scatter(&b.rows[b.column(j)], &v[b.column(j)], n)),
            Values::F64(v) => Numbers::F64(scatter(&b.rows[b.column(j)], &v[b.column(j)], n)),
        },
    }
}

fn scatter<T: Copy + Default>(rows: &[u32], values: &[T], n: usize) -> Vec<T> {
    let mut column = vec![T::default(); n];
    for (&i, &v) in rows.iter().zip(values) {
        column[i as usize] = v;
    }
    column
}
