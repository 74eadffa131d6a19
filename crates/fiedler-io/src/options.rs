//! What a reader may be told. Everything has a default that fits most files.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::messy::{Categories, Dates, Missing, Sampling};

/// How to read a file. The default looks at the file and decides.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format; by content, then by extension, unless given.
    pub format: Option<Format>,
    /// Whether features are columns or rows of the file.
    pub features: Orientation,
    /// The column (in a MAT file: the variable, in AnnData: the column of `obs`) that holds the classes.
    pub label: Option<ColumnRef>,
    /// The same, where it holds a number to be predicted in place of classes.
    pub target: Option<ColumnRef>,
    /// The column that holds the names of the samples. Unless given this is a first column of text, one
    /// without a title, or one titled `sample`, `id` or `sample_id` whose values differ.
    pub names: Option<ColumnRef>,
    /// A file with the classes: one label a line, a table of sample name and label, or a
    /// one-dimensional NPY array.
    pub labels_file: Option<PathBuf>,
    /// Read these features only; all of them unless given.
    pub include: Option<Vec<String>>,
    /// Features that are left out. Their cells need not be numbers.
    pub exclude: Vec<String>,
    /// The layer of an AnnData file to read in place of `X`; `raw` is what its `raw` holds.
    pub layer: Option<String>,
    /// What is done about cells without a value.
    pub missing: Missing,
    /// What is done about columns of text that are neither names nor classes.
    pub categories: Categories,
    /// What is done about columns of dates.
    pub dates: Dates,
    /// Whether columns that hold anything but numbers, truth values and gaps are left out.
    pub numeric_only: bool,
    /// A file with the names of the features, one a line, for formats that have none.
    pub feature_names: Option<PathBuf>,
    /// Features that differ from their most common value in fewer samples are left out.
    pub min_samples: usize,
    /// Read a part of the samples only.
    pub sample: Option<Sampling>,
    /// The variables of a MAT file; in an NPZ file, a plain HDF5 file or a Zarr store the array of the data.
    pub variables: MatVariables,
    /// How numbers and fields are written in a text file.
    pub text: TextOptions,
}

impl ReadOptions {
    /// The column of what is known of every sample: the classes, or the number to be predicted.
    /// Where the classes have a file of their own, the label is a column of that.
    pub(crate) fn outcome(&self) -> Option<&ColumnRef> {
        self.label.as_ref().filter(|_| self.labels_file.is_none()).or(self.target.as_ref())
    }

    pub(crate) fn features_in_rows(&self) -> bool {
        self.features == Orientation::Rows
    }

    /// Refuses what has no meaning for a format.
    pub(crate) fn check_for(&self, format: Format, file: &str) -> crate::Result<()> {
        let is_text = matches!(format, Format::Csv | Format::Tsv);
        let refuse = |what: &str| {
            let what = format!("{what}, and this is a {} file", format.name());
            Err(crate::Error::unsupported(file, what, "leave that option out"))
        };
        match () {
            () if self.target.is_some() && (self.label.is_some() || self.labels_file.is_some()) => {
                let what = "classes and a number to be predicted were both named";
                Err(crate::Error::unsupported(file, what, "name one of them"))
            }
            () if !format.has_variables() && self.variables != MatVariables::default() => {
                refuse("a variable is something in a MAT, NPZ, HDF5 or Zarr file")
            }
            () if !format.may_have_layers() && self.layer.is_some() => {
                refuse("a layer is a part of an AnnData file")
            }
            () if !is_text && self.text.header.is_some() => refuse("a header is a line of a text file"),
            () => Ok(()),
        }
    }
}

/// How a delimited text file is written. What is not given is found by looking at the first lines.
#[derive(Debug, Clone, Default)]
pub struct TextOptions {
    /// What separates fields: `,` `;` tab or `|` are found, any byte can be given.
    pub delimiter: Option<u8>,
    /// The decimal mark, `.` or `,`.
    pub decimal: Option<u8>,
    /// Whether the first line holds names.
    pub header: Option<bool>,
    /// Whether a first line of numbers alone is data even where it counts 0, 1, 2, … as column numbers
    /// do: for tables that hold sample numbers, such as the edges of a graph.
    pub numbers_are_data: bool,
    /// Texts that mean "no value", besides the usual ones (empty, NA, NaN, N/A, null, None, ?).
    pub missing: Vec<String>,
}

/// The variables of a MAT file that hold data and classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatVariables {
    /// Samples × features.
    pub x: String,
    /// One class per sample; may be absent.
    pub y: String,
}

impl Default for MatVariables {
    fn default() -> Self {
        MatVariables { x: "X".to_owned(), y: "Y".to_owned() }
    }
}

/// Which way a table lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// One feature a column, one sample a row.
    #[default]
    Columns,
    /// One feature a row, one sample a column, as expression matrices come.
    Rows,
}

impl FromStr for Orientation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "columns" => Ok(Orientation::Columns),
            "rows" => Ok(Orientation::Rows),
            _ => Err(format!("`features` must be columns or rows, got `{text}`")),
        }
    }
}

/// A column by its name or, when no column has that name, by its position: counted from 0, as the names `x0`, `x1`, …
/// of columns without names do, or from the end with a minus (`-1` is the last).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnRef(String);

impl ColumnRef {
    /// The text the user wrote.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The position, counted from 0, among columns of which `named` finds one by name.
    pub(crate) fn resolve(&self, count: usize, named: impl Fn(&str) -> Option<usize>) -> Option<usize> {
        named(&self.0).or_else(|| {
            let number: i64 = self.0.trim().parse().ok()?;
            let size = usize::try_from(number.unsigned_abs()).ok()?;
            if number < 0 { count.checked_sub(size) } else { Some(size).filter(|&p| p < count) }
        })
    }
}

impl<T: Into<String>> From<T> for ColumnRef {
    fn from(text: T) -> Self {
        ColumnRef(text.into())
    }
}

impl fmt::Display for ColumnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text, fields separated by commas (or what [`TextOptions`] says).
    Csv,
    /// Text, fields separated by tabs.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, also called Feather version 2.
    Arrow,
    /// A NumPy array.
    Npy,
    /// MATLAB, version 5 or 7.3 (read only).
    Mat,
    /// AnnData in HDF5.
    H5ad,
    /// 10x Genomics or other data in HDF5 (read only).
    H5,
    /// A NumPy archive: arrays, or a sparse matrix of SciPy's.
    Npz,
    /// Matrix Market, with names beside it as 10x Genomics writes them.
    Mtx,
    /// `label index:value …`, as libsvm and svmlight read it.
    Libsvm,
    /// PLINK genotypes, `.bed` with `.bim` and `.fam` beside it (read only).
    Bed,
    /// A directory of blocks, written by `fiedler blocks`.
    Blocks,
    /// A Zarr store of version 2 or 3: AnnData, or an array (read only, with the feature `zarr`).
    Zarr,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 14] = [
        Format::Csv,
        Format::Tsv,
        Format::Parquet,
        Format::Arrow,
        Format::Npy,
        Format::Npz,
        Format::Mat,
        Format::Libsvm,
        Format::H5ad,
        Format::H5,
        Format::Mtx,
        Format::Bed,
        Format::Blocks,
        Format::Zarr,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Npy => "npy",
            Format::Mat => "mat",
            Format::Libsvm => "libsvm",
            Format::H5ad => "h5ad",
            Format::H5 => "h5",
            Format::Npz => "npz",
            Format::Mtx => "mtx",
            Format::Bed => "bed",
            Format::Blocks => "blocks",
            Format::Zarr => "zarr",
        }
    }

    /// Whether a file of the format may be HDF5.
    fn is_hdf5(self) -> bool {
        matches!(self, Format::H5ad | Format::H5 | Format::Mat)
    }

    /// Whether a file of the format may be AnnData.
    fn may_have_layers(self) -> bool {
        self.is_hdf5() || self == Format::Zarr
    }

    /// Whether the arrays of a file of the format have names.
    fn has_variables(self) -> bool {
        self.may_have_layers() || self == Format::Npz
    }

    /// The format an extension stands for; `.gz` at the end is looked through.
    pub fn of_path(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "csv" => Some(Format::Csv),
            "tsv" | "tab" => Some(Format::Tsv),
            "parquet" | "pq" => Some(Format::Parquet),
            "arrow" | "arrows" | "feather" | "ipc" => Some(Format::Arrow),
            "npy" => Some(Format::Npy),
            "mat" => Some(Format::Mat),
            "libsvm" | "svmlight" | "svm" => Some(Format::Libsvm),
            "h5ad" => Some(Format::H5ad),
            "h5" | "hdf5" => Some(Format::H5),
            "npz" => Some(Format::Npz),
            "mtx" => Some(Format::Mtx),
            "bed" => Some(Format::Bed),
            "blocks" => Some(Format::Blocks),
            "zarr" => Some(Format::Zarr),
            _ => None,
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Format::ALL.into_iter().find(|f| f.name() == text).ok_or_else(|| {
            let known = Format::ALL.map(Format::name).join(", ");
            format!("the format must be one of {known}, got `{text}`")
        })
    }
}
