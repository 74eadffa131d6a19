//! MATLAB 7.3: every variable is a data set (or, sparse, a group) with the class of the array in an attribute.
//!
//! MATLAB counts the first dimension first, HDF5 the last: an array of n × m is a data set of m × n.

use std::collections::HashMap;

use fiedler::dataset::Order;
use hdf5_pure::{AttrValue, Dataset, File, Group, Object};

use super::array::{Reader, shape};
use super::groups::HdfArray;
use crate::archive::Sparse;
use crate::error::VARIABLE;
use crate::matrix::Matrix;
use crate::options::{MatVariables, Orientation, ReadOptions};
use crate::sparse::{LARGEST, Major};
use crate::table::{LabelColumn, Raw, RawLabel, number_label};
use crate::{Error, Result};

const NAME: &str = "MAT";
const CLASS: &str = "MATLAB_class";

/// Whether any variable says of which class of MATLAB it is.
pub(super) fn is(root: &Group) -> bool {
    variables(root).iter().any(|v| v.attributes.contains_key(CLASS))
}

/// Reads the data variable and, if it is there, the variable of the classes.
pub(super) fn read(file: &File, reader: &Reader<'_>, options: &ReadOptions) -> Result<Raw> {
    let all = variables(&file.root());
    let find = |name: &str| all.iter().find(|v| v.name == name);
    let MatVariables { x, y } = &options.variables;
    let y = options.outcome().map_or(y.as_str(), |l| l.as_str());
    let (mut data, mut classes) = (find(x), find(y));
    let mut notes = Vec::new();
    if data.is_none() && options.variables == MatVariables::default() && find("fea").is_some() {
        notes.push("there is no variable `X`; `fea` was taken, and `gnd` for the classes".to_owned());
        (data, classes) = (find("fea"), classes.or_else(|| find("gnd")));
    }
    let advice = "; say which holds the data";
    let data = data.ok_or_else(|| unknown(reader.file, (VARIABLE, x), &all, advice))?;
    let mut raw = Raw::bare(data.matrix(reader)?);
    raw.notes = notes;
    let samples = if options.features == Orientation::Rows { raw.body.columns() } else { raw.body.rows() };
    match (classes, options.outcome()) {
        (None, Some(label)) => {
            let what = if options.target.is_some() { "variable of the target" } else { "variable of labels" };
            return Err(unknown(reader.file, (what, label.as_str()), &all, ""));
        }
        (None, None) => {}
        (Some(classes), named) => match classes.labels(reader)? {
            texts if texts.len() == samples => {
                let column = LabelColumn { name: classes.name.clone(), first: false };
                raw.label = Some(RawLabel { column, texts });
            }
            texts => {
                let what =
                    format!("variable `{}` has {} labels for {samples} samples", classes.name, texts.len());
                if named.is_some() {
                    return Err(Error::LabelVariable { file: reader.file.to_owned(), what });
                }
                raw.notes.push(format!("{what}: the data are read without labels"));
            }
        },
    }
    Ok(raw)
}

/// A named array.
struct Variable {
    name: String,
    attributes: HashMap<String, AttrValue>,
    body: Object,
}

fn variables(root: &Group) -> Vec<Variable> {
    let mut all = Vec::new();
    for name in root.datasets().unwrap_or_default() {
        if let Ok(dataset) = root.dataset(&name) {
            let attributes = dataset.attrs().unwrap_or_default();
            all.push(Variable { name, attributes, body: Object::Dataset(Box::new(dataset)) });
        }
    }
    // `#refs#` holds the content of cell arrays.
    for name in root.groups().unwrap_or_default().into_iter().filter(|n| !n.starts_with('#')) {
        if let Ok(group) = root.group(&name) {
            let attributes = group.attrs().unwrap_or_default();
            all.push(Variable { name, attributes, body: Object::Group(group) });
        }
    }
    all.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    all
}

impl Variable {
    fn class(&self) -> &str {
        self.attributes.get(CLASS).and_then(AttrValue::as_str).unwrap_or("")
    }

    fn matrix(&self, reader: &Reader<'_>) -> Result<Matrix> {
        let refuse = |what: &str| {
            let what = format!("variable `{}` is {what}", self.name);
            Err(Error::unsupported(
                reader.file,
                what,
                "a matrix of real numbers, samples × features, is needed",
            ))
        };
        let dataset = match &self.body {
            Object::Group(group) if self.attributes.contains_key("MATLAB_sparse") => {
                return self.sparse(group, reader);
            }
            Object::Dataset(dataset) => dataset,
            _ => return refuse("a structure"),
        };
        if matches!(self.class(), "char" | "cell" | "struct" | "function_handle") {
            return refuse("not numeric");
        }
        if matches!(dataset.dtype(), Ok(hdf5_pure::DType::Compound(_))) {
            return refuse("complex");
        }
        let &[columns, rows] = shape(dataset).as_slice() else {
            return refuse("of more than two dimensions");
        };
        let values = reader.numbers(dataset, &self.name)?;
        Ok(Matrix::dense(values, rows, columns, Order::ColumnMajor))
    }

    fn sparse(&self, group: &Group, reader: &Reader<'_>) -> Result<Matrix> {
        let bad =
            |found: String| Error::malformed(reader.file, NAME, format!("variable `{}`: {found}", self.name));
        let rows = self.attributes.get("MATLAB_sparse").and_then(AttrValue::as_u64).unwrap_or(u64::MAX);
        let rows = usize::try_from(rows).ok().filter(|&r| r <= LARGEST);
        let rows = rows.ok_or_else(|| bad("its number of rows is too large".to_owned()))?;
        let open = |part: &str| group.dataset(part).map_err(|e| reader.failed(e));
        let offsets = open("jc")?;
        let columns = shape(&offsets).first().copied().unwrap_or(0).saturating_sub(1);
        // A matrix without entries has no rows and values either.
        let (Ok(indices), Ok(values)) = (open("ir"), open("data")) else {
            return Err(bad("it has no entries".to_owned()));
        };
        let array =
            |dataset, part: &str| HdfArray::new(dataset, &format!("{}/{part}", self.name), reader).boxed();
        let sparse = Sparse {
            major: Major::Columns,
            shape: (rows, columns),
            offsets: array(offsets, "jc"),
            indices: array(indices, "ir"),
            values: array(values, "data"),
        };
        sparse.matrix(&reader.archive(), bad)
    }

    /// One label per sample, from a vector of numbers, rows of characters or a cell array of texts.
    fn labels(&self, reader: &Reader<'_>) -> Result<Vec<Option<String>>> {
        let Object::Dataset(dataset) = &self.body else { return Ok(Vec::new()) };
        let shape = shape(dataset);
        match self.class() {
            "char" => characters(dataset, &shape, reader, &self.name),
            "cell" => {
                let cells = dataset.dereference().map_err(|e| reader.failed(e))?;
                let text = |cell: &Object| match cell {
                    Object::Dataset(cell) => {
                        let text = characters(cell, &super::array::shape(cell), reader, &self.name)?;
                        Ok(text.into_iter().next().flatten())
                    }
                    _ => Ok(None),
                };
                cells.iter().map(text).collect()
            }
            _ if shape.iter().filter(|n| **n != 1).count() > 1 => Ok(Vec::new()),
            _ => {
                let values = reader.numbers(dataset, &self.name)?;
                Ok((0..values.len()).map(|i| number_label(values.at(i))).collect())
            }
        }
    }
}

/// The rows of a matrix of characters, one text each.
fn characters(
    dataset: &Dataset,
    shape: &[usize],
    reader: &Reader<'_>,
    name: &str,
) -> Result<Vec<Option<String>>> {
    let &[_, rows] = shape else { return Ok(Vec::new()) };
    let units: Vec<u16> = reader.integers(dataset, name)?.into_iter().map(|c| c as u16).collect();
    let row = |i: usize| {
        let row: Vec<u16> = units.iter().skip(i).step_by(rows).copied().collect();
        let text = String::from_utf16_lossy(&row);
        Some(text.trim_end_matches('\0').to_owned())
    };
    Ok((0..rows).map(row).collect())
}

fn unknown(file: &str, (what, name): (&'static str, &str), variables: &[Variable], advice: &str) -> Error {
    let describe = |v: &Variable| {
        let shape: Vec<String> = match &v.body {
            Object::Dataset(dataset) => shape(dataset).iter().rev().map(usize::to_string).collect(),
            Object::Group(_) if v.attributes.contains_key("MATLAB_sparse") => vec!["sparse".to_owned()],
            _ => vec!["structure".to_owned()],
        };
        format!("`{}` ({})", v.name, shape.join(" × "))
    };
    let all = variables.iter().map(describe).collect::<Vec<_>>().join(", ");
    let known = format!("the variables are {all}{advice}");
    Error::Unknown { file: file.to_owned(), what, name: name.to_owned(), known }
}
