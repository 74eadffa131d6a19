//! Data sets to files: the chosen columns in the user's units, with labels and sample names.

mod arrow;
mod binary;
mod text;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use fiedler::dataset::{Block, Columns, Values};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::matrix::Numbers;
use crate::options::Format;
use crate::table::{Layout, Table};
use crate::whole::write_whole;
use crate::{Error, Result};

/// Writes the columns `columns` of a table, in that order, and returns what the format could not
/// hold, one sentence each.
///
/// The format is that of the extension (with `.gz` behind it, compressed), or else that of the
/// table. Numbers are written with as few digits as give the same number back.
///
/// # Errors
/// [`Error::Io`]; [`Error::Unsupported`] for a format that is only read; [`Error::Data`] when
/// `columns` names one that is not there. Then nothing is written.
pub fn write(path: &Path, table: &Table, columns: &[usize]) -> Result<Vec<String>> {
    let file = path.display().to_string();
    let format = Format::of_path(path).unwrap_or(table.layout.format);
    let selection = Selection::new(table, columns).map_err(Error::data(&file))?;
    let mut notes = Vec::new();
    let content: Box<dyn Content + '_> = match format {
        Format::Csv | Format::Tsv => Box::new(text::Text::new(&selection, format)),
        Format::Libsvm => Box::new(text::Libsvm::new(&selection, &mut notes)),
        Format::Npy => Box::new(binary::Npy::new(&selection, &mut notes)),
        Format::Parquet | Format::Arrow => Box::new(arrow::Batch::new(&selection, format, &mut notes)),
        Format::Mat => {
            return Err(Error::unsupported(
                &file,
                "MAT files are only read",
                "write .csv, .tsv, .parquet, .arrow, .npy or .libsvm",
            ));
        }
    };
    let zipped = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
    write_whole(path, |out| {
        if !zipped {
            return content.write(out);
        }
        let mut gz = GzEncoder::new(out, Compression::default());
        content.write(&mut gz)?;
        gz.finish().map(drop)
    })?;
    Ok(notes)
}

/// What goes into a file.
trait Content {
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// The chosen columns and what belongs to them.
struct Selection<'a> {
    columns: Vec<Numbers>,
    names: Vec<Cow<'a, str>>,
    sample_names: Option<&'a [String]>,
    /// The class of every sample, `None` for unlabelled ones.
    labels: Option<Vec<Option<&'a str>>>,
    layout: &'a Layout,
    n_samples: usize,
}

impl<'a> Selection<'a> {
    fn new(table: &'a Table, columns: &[usize]) -> fiedler::Result<Self> {
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
        let read = |&j: &usize| column(data.columns(), j);
        let labels = data
            .labels()
            .map(|l| l.codes().iter().map(|c| c.map(|c| l.classes()[c as usize].as_str())).collect());
        Ok(Selection {
            columns: columns.iter().map(read).collect::<fiedler::Result<_>>()?,
            names: columns.iter().map(|&j| data.feature_name(j)).collect(),
            sample_names: data.sample_names(),
            labels,
            layout: &table.layout,
            n_samples: data.n_samples(),
        })
    }

    /// The labels and their title, when they belong into the file: labels that came in a file
    /// of their own stay there.
    fn label_column(&self) -> Option<(&crate::LabelColumn, &[Option<&'a str>])> {
        self.layout.label.as_ref().zip(self.labels.as_deref())
    }

    /// Whether all columns are in single precision.
    fn single(&self) -> bool {
        self.columns.iter().all(|c| matches!(c, Numbers::F32(_)))
    }
}

/// Column `j` in the precision it is stored in, zeros filled in.
fn column(source: &dyn Columns, j: usize) -> fiedler::Result<Numbers> {
    let n = source.n_samples();
    Ok(match source.block(j..j + 1)? {
        Block::Dense(b) => match &b.values {
            Values::F32(v) => Numbers::F32((0..n).map(|i| v[i * b.row_stride]).collect()),
            Values::F64(v) => Numbers::F64((0..n).map(|i| v[i * b.row_stride]).collect()),
        },
        Block::Sparse(b) => match &b.values {
            Values::F32(v) => Numbers::F32(scatter(&b.rows, v, n)),
            Values::F64(v) => Numbers::F64(scatter(&b.rows, v, n)),
        },
    })
}

fn scatter<T: Copy + Default>(rows: &[u32], values: &[T], n: usize) -> Vec<T> {
    let mut column = vec![T::default(); n];
    for (&i, &v) in rows.iter().zip(values) {
        column[i as usize] = v;
    }
    column
}
