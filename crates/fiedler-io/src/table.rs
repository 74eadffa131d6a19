//! What a reader hands out, and how a format's raw content becomes it.

use std::collections::HashMap;

use fiedler::{Dataset, Labels, Monitor};

use crate::body::Body;
use crate::disk::Disk;
use crate::matrix::Matrix;
use crate::names::make_unique;
use crate::options::{Format, Orientation, ReadOptions};
use crate::{Error, Result, labels};

/// A data set and what else its file said.
#[derive(Debug, Clone)]
pub struct Table {
    /// The data, scaled `standard` as every new data set.
    pub data: Dataset,
    /// What the reader decided on its own and the user should know, one sentence each.
    pub notes: Vec<String>,
    /// Names that several features have in the file; here all but the first have a number added.
    pub repeated: Vec<String>,
    /// How the file was laid out; [`write`](crate::write()) lays out the same way.
    pub layout: Layout,
}

/// The layout of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The format.
    pub format: Format,
    /// Whether features are columns or rows.
    pub features: Orientation,
    /// The column of the labels (or of the target). Those of a file of their own come after the features.
    pub label: Option<LabelColumn>,
    /// The title over the sample names (with features in rows: the feature names).
    pub corner: Option<String>,
    /// Whether features have names.
    pub header: bool,
    /// What separates fields, in text.
    pub delimiter: u8,
    /// The decimal mark, in text.
    pub decimal: u8,
}

impl Layout {
    /// The layout of data that come from no file: names and labels as the data have them.
    pub fn of(data: &Dataset) -> Self {
        Layout {
            format: Format::Csv,
            features: Orientation::Columns,
            label: match (data.labels(), data.target()) {
                (Some(_), _) => Some(LabelColumn { name: USUAL_LABEL.to_owned(), first: false }),
                (None, Some(target)) => Some(LabelColumn { name: target.name().to_owned(), first: false }),
                (None, None) => None,
            },
            corner: data.sample_names().map(|_| String::new()),
            header: true,
            delimiter: b',',
            decimal: b'.',
        }
    }
}

/// What labels are called that have no name of their own.
const USUAL_LABEL: &str = "label";

/// What the labels of a libsvm file are called.
pub(crate) const LIBSVM_LABEL: &str = USUAL_LABEL;

/// Where a file has its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelColumn {
    /// The title of the column.
    pub name: String,
    /// Whether it stands before the features or after them.
    pub first: bool,
}

/// The content of a file before it is turned the right way round and labeled.
pub(crate) struct Raw {
    pub(crate) body: Body,
    pub(crate) column_names: Option<Vec<String>>,
    pub(crate) row_names: Option<Vec<String>>,
    pub(crate) corner: Option<String>,
    pub(crate) label: Option<RawLabel>,
    pub(crate) notes: Vec<String>,
    /// Column names that were repeated.
    pub(crate) repeated: Vec<String>,
    /// Delimiter and decimal mark.
    pub(crate) marks: (u8, u8),
    /// Which of `include` and `exclude` have been obeyed already.
    pub(crate) filtered: Filtered,
}

/// What a reader has done about `include` and `exclude` on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filtered {
    /// Nothing.
    No,
    /// What is excluded was never read.
    Excluded,
    /// Both have been obeyed.
    Yes,
}

/// A column of labels, as text.
pub(crate) struct RawLabel {
    pub(crate) column: LabelColumn,
    pub(crate) texts: Vec<Option<String>>,
}

impl Raw {
    /// A matrix without names.
    pub(crate) fn bare(matrix: Matrix) -> Self {
        Raw {
            body: Body::Memory(matrix),
            column_names: None,
            row_names: None,
            corner: None,
            label: None,
            notes: Vec::new(),
            repeated: Vec::new(),
            marks: (b',', b'.'),
            filtered: Filtered::No,
        }
    }

    /// Numbers that stay in their file.
    pub(crate) fn on_disk(disk: Disk) -> Self {
        let notes = vec![disk.note()];
        Raw { body: Body::Disk(Box::new(disk)), notes, ..Raw::bare(Matrix::default()) }
    }

    /// Names of features and of samples that repeat themselves get numbers.
    #[cfg(feature = "hdf5")]
    pub(crate) fn tell_names_apart(&mut self) {
        if let Some(names) = &mut self.column_names {
            self.repeated = make_unique(names, "feature", &mut self.notes);
        }
        if let Some(names) = &mut self.row_names {
            make_unique(names, "sample", &mut self.notes);
        }
    }

    /// Turns, filters, checks and labels.
    pub(crate) fn into_table(
        mut self,
        file: &str,
        format: Format,
        options: &ReadOptions,
        monitor: &dyn Monitor,
    ) -> Result<Table> {
        self.arrange(file, format, options, monitor)?;
        self.filter(file, options)?;
        if options.target.is_some() {
            crate::target::check(&mut self, file, options)?;
        }
        crate::messy::settle(&mut self, file, options)?;
        let notation = crate::target::notation(&self, options);
        let mut layout = self.layout(format, options);
        let mut data = self.body.into_dataset(self.column_names, monitor).map_err(Error::data(file))?;
        if let Some(names) = self.row_names {
            data = data.with_sample_names(names).map_err(Error::data(file))?;
        }
        let mut notes = self.notes;
        if let Some(path) = &options.labels_file {
            let labels::Read { labels, title } = labels::read(path, &data, options, &mut notes, monitor)?;
            data = data.labeled(labels.called(path.display().to_string())).map_err(Error::data(file))?;
            let name = title.unwrap_or_else(|| USUAL_LABEL.to_owned());
            layout.label = Some(LabelColumn { name, first: false });
        } else if let Some(label) = self.label {
            let name = label.column.name.clone();
            let known = match options.target {
                Some(_) => crate::target::numbers(label, &notation).and_then(|target| data.targeted(target)),
                // Labels that came along, as in MAT and libsvm files, are for methods that cannot do without.
                None => data
                    .labeled(Labels::new(label.texts).called(name))
                    .map(|data| if options.label.is_some() { data } else { data.with_labels_unnamed() }),
            };
            data = known.map_err(Error::data(file))?;
        }
        Ok(Table { data, notes, repeated: self.repeated, layout })
    }

    /// Labels and names in their places, samples in rows and features in columns.
    fn arrange(
        &mut self,
        file: &str,
        format: Format,
        options: &ReadOptions,
        monitor: &dyn Monitor,
    ) -> Result<()> {
        let names = self.name_columns(options, monitor)?;
        match (&self.label, options.outcome()) {
            (None, Some(_)) if options.features == Orientation::Rows => return Err(label_in_rows(file)),
            (None, Some(label)) => self.take_label(file, label)?,
            (Some(_), Some(label)) if format == Format::Libsvm => check_libsvm_label(file, label.as_str())?,
            _ => {}
        }
        match (&self.row_names, &options.names) {
            (_, Some(_)) if options.features == Orientation::Rows => return Err(names_in_rows(file)),
            (None, Some(names)) => self.take_names(file, names)?,
            _ => {}
        }
        if options.features == Orientation::Rows {
            self.turn();
        }
        match names {
            Some((names_file, names)) => self.name_features(&names_file, names),
            None => Ok(()),
        }
    }

    /// How the file looks, for those who write one like it.
    fn layout(&self, format: Format, options: &ReadOptions) -> Layout {
        Layout {
            format,
            features: options.features,
            label: self.label.as_ref().map(|l| l.column.clone()),
            corner: self.corner.clone(),
            header: self.column_names.is_some(),
            delimiter: self.marks.0,
            decimal: self.marks.1,
        }
    }

    /// Names that come in a file of their own: those of all columns tell which is the label and are taken at once, those of
    /// the features alone are answered and taken once it is gone.
    fn name_columns(
        &mut self,
        options: &ReadOptions,
        monitor: &dyn Monitor,
    ) -> Result<Option<(String, Vec<String>)>> {
        let read = |path| crate::messy::feature_names(path, monitor);
        let mut names = options.feature_names.as_deref().map(read).transpose()?;
        let lies =
            self.label.is_none() && options.outcome().is_some() && options.features == Orientation::Columns;
        if let Some((_, all)) = names.take_if(|(_, names)| lies && names.len() == self.body.columns()) {
            self.take_feature_names(all);
        }
        Ok(names)
    }

    /// Takes names that must be as many as the features.
    fn name_features(&mut self, names_file: &str, names: Vec<String>) -> Result<()> {
        if names.len() != self.body.columns() {
            let what = format!("{} names for {} features", names.len(), self.body.columns());
            let advice = "give one name a line, in the order of the features";
            return Err(Error::unsupported(names_file, what, advice));
        }
        self.take_feature_names(names);
        Ok(())
    }

    fn take_feature_names(&mut self, mut names: Vec<String>) {
        self.repeated = make_unique(&mut names, "feature", &mut self.notes);
        self.column_names = Some(names);
    }

    /// Rows become columns. Nothing is copied where the matrix is dense.
    fn turn(&mut self) {
        self.body = std::mem::take(&mut self.body).transposed();
        std::mem::swap(&mut self.column_names, &mut self.row_names);
        if let Some(names) = &mut self.column_names {
            self.repeated = make_unique(names, "feature", &mut self.notes);
        }
    }

    /// Makes column `label` of the matrix the labels, for formats that have numbers only.
    fn take_label(&mut self, file: &str, label: &crate::ColumnRef) -> Result<()> {
        let (position, name, texts) = self.take_column(file, label)?;
        let column = LabelColumn { name, first: position == 0 };
        self.label = Some(RawLabel { column, texts });
        Ok(())
    }

    /// Makes column `names` of the matrix the names of the rows, likewise.
    fn take_names(&mut self, file: &str, names: &crate::ColumnRef) -> Result<()> {
        let (position, title, texts) = self.take_column(file, names)?;
        let names: Vec<String> = texts.into_iter().map(Option::unwrap_or_default).collect();
        let column = crate::ColumnName { position, name: Some(title.clone()) };
        crate::names::check_different(file, &column, &names, &|row| crate::Location::Row(row + 1))?;
        self.corner = Some(title);
        self.row_names = Some(names);
        Ok(())
    }

    /// Where a column of the matrix is.
    pub(crate) fn position(&self, column: &crate::ColumnRef) -> Option<usize> {
        let count = self.body.columns();
        column.resolve(count, |name| match &self.column_names {
            Some(names) => names.iter().position(|n| n == name),
            None => unnamed(name).filter(|&j| j < count),
        })
    }

    /// The columns that there are, as a sentence.
    pub(crate) fn columns_in_words(&self) -> String {
        columns_in_words(self.column_names.as_deref(), self.body.columns())
    }

    /// Takes a column out of the matrix: its position, its name and its numbers as text.
    fn take_column(
        &mut self,
        file: &str,
        column: &crate::ColumnRef,
    ) -> Result<(usize, String, Vec<Option<String>>)> {
        let count = self.body.columns();
        let names = self.column_names.as_deref();
        let unknown = || unknown_column(file, column.as_str(), names, count);
        let position = self.position(column).ok_or_else(unknown)?;
        let texts = self.body.column(position)?.into_iter().map(number_label).collect();
        let name = names.map_or_else(|| format!("x{position}"), |n| n[position].clone());
        if position + 1 < count {
            // Numbering follows the file, so that taking a column out renames no other.
            self.column_names.get_or_insert_with(|| (0..count).map(|j| format!("x{j}")).collect());
        }
        self.keep(&(0..count).filter(|&j| j != position).collect::<Vec<_>>());
        Ok((position, name, texts))
    }

    fn filter(&mut self, file: &str, options: &ReadOptions) -> Result<()> {
        let exclude = if self.filtered == Filtered::No { options.exclude.as_slice() } else { &[] };
        if self.filtered == Filtered::Yes || (options.include.is_none() && exclude.is_empty()) {
            return Ok(());
        }
        let all = self.body.columns();
        let names = self.column_names.get_or_insert_with(|| (0..all).map(|j| format!("x{j}")).collect());
        let kept = wanted(file, names, options.include.as_deref(), exclude)?;
        self.keep(&kept);
        Ok(())
    }

    fn keep(&mut self, kept: &[usize]) {
        self.body = std::mem::take(&mut self.body).keep_columns(kept);
        if let Some(names) = &mut self.column_names {
            *names = kept.iter().map(|&j| std::mem::take(&mut names[j])).collect();
        }
    }
}

/// The positions of the features that `include` and `exclude` leave, in the order of the file.
pub(crate) fn wanted(
    file: &str,
    names: &[String],
    include: Option<&[String]>,
    exclude: &[String],
) -> Result<Vec<usize>> {
    let index: HashMap<&str, usize> = names.iter().enumerate().map(|(j, n)| (n.as_str(), j)).collect();
    let find =
        |name: &String| index.get(name.as_str()).copied().ok_or_else(|| unknown_feature(file, name, names));
    let mut keep = vec![include.is_none(); names.len()];
    for name in include.into_iter().flatten() {
        keep[find(name)?] = true;
    }
    for name in exclude {
        keep[find(name)?] = false;
    }
    Ok((0..names.len()).filter(|&j| keep[j]).collect())
}

/// A number as a class: whole numbers without a point, NaN is no label.
pub(crate) fn number_label(value: f64) -> Option<String> {
    (!value.is_nan()).then(|| value.to_string())
}

pub(crate) fn unknown_column(file: &str, name: &str, names: Option<&[String]>, count: usize) -> Error {
    let known = columns_in_words(names, count);
    Error::Unknown { file: file.to_owned(), what: "column", name: name.to_owned(), known }
}

fn columns_in_words(names: Option<&[String]>, count: usize) -> String {
    match names {
        None => format!("the {count} columns have no names: they go by x0 to x{}", count.saturating_sub(1)),
        Some(names) => list("columns", names),
    }
}

pub(crate) fn unknown_feature(file: &str, name: &str, names: &[String]) -> Error {
    let known = list("features", names);
    Error::Unknown { file: file.to_owned(), what: "feature", name: name.to_owned(), known }
}

/// The first few names, as a sentence.
fn list(what: &str, names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("the {} {what} are {}{more}", names.len(), shown.join(", "))
}

/// The labels of a libsvm file have no name of their own; that of the column they are written to will do.
fn check_libsvm_label(file: &str, label: &str) -> Result<()> {
    if label == LIBSVM_LABEL {
        return Ok(());
    }
    let known = format!(
        "the labels of a libsvm file are the first number of every line: `{LIBSVM_LABEL}` names them"
    );
    Err(Error::Unknown { file: file.to_owned(), what: "column", name: label.to_owned(), known })
}

pub(crate) fn label_in_rows(file: &str) -> Error {
    Error::LabelInRows { file: file.to_owned() }
}

pub(crate) fn names_in_rows(file: &str) -> Error {
    Error::unsupported(
        file,
        "a column of sample names was named, and with features in rows every column is a sample",
        "give the names in the first line",
    )
}

/// The position behind a name that the library gives to columns without names.
pub(crate) fn unnamed(name: &str) -> Option<usize> {
    name.strip_prefix('x')?.parse().ok()
}
