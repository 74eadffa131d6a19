//! AnnData: `X` or a layer, names of samples (`obs`) and features (`var`), classes from a column of `obs`.

use std::collections::HashMap;

use fiedler::dataset::Order;
use hdf5_pure::{AttrValue, Dataset, Group};

use super::array::{Reader, is_numeric, shape};
use crate::matrix::{Matrix, Storage};
use crate::options::{ColumnRef, ReadOptions};
use crate::sparse::Major;
use crate::table::{LabelColumn, Raw, RawLabel, number_label};
use crate::{Error, Remedy, Result};

const NAME: &str = "AnnData";

/// Whether the groups are those of AnnData.
pub(super) fn is(root: &Group) -> bool {
    let has = |name: &str| root.group(name).is_ok() || root.dataset(name).is_ok();
    has("obs") && has("var")
}

/// Reads a file.
pub(super) fn read(root: &Group, reader: &Reader<'_>, options: &ReadOptions) -> Result<Raw> {
    let (parent, name, names) = place(root, reader, options.layer.as_deref())?;
    let obs = Frame::open(root, "obs", reader)?;
    let var = Frame::open(&parent_of(root, names, reader)?, "var", reader)?;
    let (samples, features) = (obs.index()?, var.index()?);
    let path = match options.layer.as_deref() {
        Some(layer) => format!("layer `{layer}`"),
        None => "`X`".to_owned(),
    };
    let mut raw = find(&parent, &name, &path, reader)?.raw(&name, &path, reader)?;
    let counts = (raw.body.rows(), raw.body.columns());
    for (what, count, found) in [("samples", counts.0, &samples), ("features", counts.1, &features)] {
        if found.len() != count {
            let found = format!("{path} has {count} {what}, and there are {} names for them", found.len());
            return Err(Error::malformed(reader.file, NAME, found));
        }
    }
    raw.row_names = Some(match &options.names {
        Some(column) => obs.column(column)?.1.into_iter().map(Option::unwrap_or_default).collect(),
        None => samples,
    });
    raw.column_names = Some(features);
    if let Some(names) = &mut raw.column_names {
        raw.repeated = crate::names::make_unique(names, "feature", &mut raw.notes);
    }
    if let Some(names) = &mut raw.row_names {
        crate::names::make_unique(names, "sample", &mut raw.notes);
    }
    if let Some(label) = options.outcome() {
        let (name, texts) = obs.column(label)?;
        let column = LabelColumn { name, first: false };
        raw.label = Some(RawLabel { column, texts });
    }
    Ok(raw)
}

/// The group that holds the numbers, their name in it, and the group that holds the names of the features.
fn place(root: &Group, reader: &Reader<'_>, layer: Option<&str>) -> Result<(Group, String, &'static str)> {
    let has = |group: &Group, name: &str| group.group(name).is_ok() || group.dataset(name).is_ok();
    match layer {
        Some("raw") => match root.group("raw") {
            Ok(raw) if has(&raw, "X") => Ok((raw, "X".to_owned(), "raw")),
            _ => Err(Error::unsupported(reader.file, "there is no `raw`", "leave the layer out")),
        },
        Some(layer) => {
            let layers = root.group("layers").ok();
            match layers.filter(|layers| has(layers, layer)) {
                Some(layers) => Ok((layers, layer.to_owned(), "")),
                None => Err(unknown_layer(root, reader.file, layer)),
            }
        }
        None if has(root, "X") => Ok((root.clone(), "X".to_owned(), "")),
        None => {
            let layers = layer_names(root);
            let what = "an AnnData file without X";
            match layers.first() {
                Some(first) => Err(Error::Choice {
                    file: reader.file.to_owned(),
                    what: what.to_owned(),
                    advice: format!("name a layer, such as `{first}`"),
                    remedy: Remedy::Layer,
                }),
                None => Err(Error::unsupported(reader.file, what, "store the data in X")),
            }
        }
    }
}

fn parent_of(root: &Group, name: &str, reader: &Reader<'_>) -> Result<Group> {
    if name.is_empty() { Ok(root.clone()) } else { root.group(name).map_err(|e| reader.failed(e)) }
}

fn layer_names(root: &Group) -> Vec<String> {
    let Ok(layers) = root.group("layers") else { return Vec::new() };
    let mut names = layers.groups().unwrap_or_default();
    names.extend(layers.datasets().unwrap_or_default());
    names.sort_unstable();
    names
}

fn unknown_layer(root: &Group, file: &str, layer: &str) -> Error {
    let names: Vec<String> = layer_names(root).iter().map(|n| format!("`{n}`")).collect();
    let known = if names.is_empty() {
        "the file has no layers: leave the layer out".to_owned()
    } else {
        format!("the layers are {}", names.join(", "))
    };
    Error::Unknown { file: file.to_owned(), what: "layer", name: layer.to_owned(), known }
}

/// A matrix as it is stored.
enum Found {
    Dense(Box<Dataset>),
    Sparse { major: Major, shape: (usize, usize), parts: Box<[Dataset; 3]> },
}

/// The matrix of that name.
fn find(parent: &Group, name: &str, path: &str, reader: &Reader<'_>) -> Result<Found> {
    if let Ok(dataset) = parent.dataset(name) {
        if shape(&dataset).len() != 2 {
            let what = format!("{path} is not samples × features");
            return Err(Error::unsupported(reader.file, what, "store a matrix there"));
        }
        return Ok(Found::Dense(Box::new(dataset)));
    }
    let group = parent.group(name).map_err(|e| reader.failed(e))?;
    let bad = |found: String| Error::malformed(reader.file, NAME, format!("{path}: {found}"));
    let attributes = group.attrs().map_err(|e| reader.failed(e))?;
    let kind = text(&attributes, "encoding-type").or_else(|| text(&attributes, "h5sparse_format"));
    let major = match kind.as_deref() {
        Some("csr_matrix" | "csr") => Major::Rows,
        Some("csc_matrix" | "csc") => Major::Columns,
        other => {
            let what = format!("{path} is stored as `{}`", other.unwrap_or("something unknown"));
            return Err(Error::unsupported(reader.file, what, "store a dense, CSR or CSC matrix there"));
        }
    };
    let shape = ["shape", "h5sparse_shape"].iter().find_map(|n| attributes.get(*n)?.to_u64s());
    let shape = shape.unwrap_or_default();
    let &[rows, columns] = shape.as_slice() else { return Err(bad("its shape is missing".to_owned())) };
    let open = |part: &str| group.dataset(part).map_err(|e| reader.failed(e));
    let (offsets, indices, values) = (open("indptr")?, open("indices")?, open("data")?);
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let shape = believed(major, (size(rows), size(columns)), super::array::shape(&offsets))
        .ok_or_else(|| bad(format!("its shape {rows} × {columns} does not fit its offsets")))?;
    Ok(Found::Sparse { major, shape, parts: Box::new([offsets, indices, values]) })
}

impl Found {
    /// In memory.
    fn matrix(&self, name: &str, path: &str, reader: &Reader<'_>) -> Result<Matrix> {
        match self {
            Found::Dense(dataset) => {
                let values = reader.numbers(dataset, name)?;
                let size = shape(dataset);
                Ok(Matrix::dense(values, size[0], size[1], Order::RowMajor))
            }
            Found::Sparse { major, shape, parts } => {
                let found = reader.compressed(*major, *shape, parts.each_ref(), name)?;
                let bad = |found| Error::malformed(reader.file, NAME, format!("{path}: {found}"));
                found.into_matrix().map_err(bad)
            }
        }
    }

    /// In memory, or in a scratch file where it is too large for that.
    fn raw(&self, name: &str, path: &str, reader: &Reader<'_>) -> Result<Raw> {
        match self {
            Found::Dense(dataset) if super::is_large(dataset, &[dataset], reader) => {
                super::large::dense(reader, dataset, name)
            }
            Found::Sparse { major, shape, parts }
                if super::is_large(&parts[2], &[&parts[1], &parts[2]], reader) =>
            {
                super::large::sparse(reader, *major, *shape, parts.each_ref(), name)
            }
            _ => self.matrix(name, path, reader).map(Raw::bare),
        }
    }
}

/// The shape, when as many offsets are there and the other side is not beyond belief.
fn believed(major: Major, shape: (usize, usize), offsets: Vec<usize>) -> Option<(usize, usize)> {
    let (counted, claimed) = if major == Major::Rows { shape } else { (shape.1, shape.0) };
    let fits = offsets.first().copied() == counted.checked_add(1) && claimed <= crate::sparse::LARGEST;
    fits.then_some(shape)
}

/// Edges (i, j, weight) of a stored graph, and its number of samples.
type StoredEdges = (Vec<(usize, usize, f64)>, usize);

/// The edges of a graph of the samples, and how many samples there are.
pub(super) fn edges(root: &Group, reader: &Reader<'_>, name: &str) -> Result<StoredEdges> {
    let obsp = root.group("obsp").ok();
    let known = |group: &Group| {
        let mut names = group.groups().unwrap_or_default();
        names.extend(group.datasets().unwrap_or_default());
        names.sort_unstable();
        names
    };
    let names = obsp.as_ref().map(known).unwrap_or_default();
    let Some(obsp) = obsp.filter(|_| names.iter().any(|n| n == name)) else {
        let known = if names.is_empty() {
            "the file has no `obsp`: scanpy.pp.neighbors puts one there, or have the graph computed"
                .to_owned()
        } else {
            format!("`obsp` has {}", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "))
        };
        return Err(Error::Unknown {
            file: reader.file.to_owned(),
            what: "stored graph",
            name: name.to_owned(),
            known,
        });
    };
    let path = format!("`obsp/{name}`");
    let matrix = find(&obsp, name, &path, reader)?.matrix(name, &path, reader)?;
    if matrix.rows != matrix.columns {
        let found = format!("`obsp/{name}` is {} × {}", matrix.rows, matrix.columns);
        return Err(Error::malformed(reader.file, NAME, found));
    }
    let mut edges = Vec::new();
    match &matrix.storage {
        Storage::Sparse { offsets, rows, values } => {
            for (j, w) in offsets.windows(2).enumerate() {
                edges.extend((w[0]..w[1]).map(|e| (rows[e] as usize, j, values.at(e))));
            }
        }
        Storage::Dense { .. } => {
            for j in 0..matrix.columns {
                let column = matrix.column(j).into_iter().enumerate();
                edges.extend(column.filter(|(_, v)| *v != 0.0).map(|(i, v)| (i, j, v)));
            }
        }
    }
    Ok((edges, matrix.rows))
}

fn text(attributes: &HashMap<String, AttrValue>, name: &str) -> Option<String> {
    attributes.get(name)?.as_str().map(str::to_owned)
}

/// `obs` or `var`.
struct Frame<'a> {
    name: &'static str,
    group: Group,
    reader: &'a Reader<'a>,
}

impl<'a> Frame<'a> {
    fn open(parent: &Group, name: &'static str, reader: &'a Reader<'a>) -> Result<Self> {
        if parent.dataset(name).is_ok() {
            let what = format!("an AnnData file of old, with `{name}` as one array");
            return Err(Error::unsupported(
                reader.file,
                what,
                "read and write it once with anndata 0.8 or later",
            ));
        }
        let group = parent.group(name).map_err(|e| reader.failed(e))?;
        Ok(Frame { name, group, reader })
    }

    /// The names of the rows.
    fn index(&self) -> Result<Vec<String>> {
        let attributes = self.group.attrs().map_err(|e| self.reader.failed(e))?;
        let index = text(&attributes, "_index").unwrap_or_else(|| "_index".to_owned());
        let texts = self.texts(&index)?;
        Ok(texts.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// A column by name, `obs:` before it or not.
    fn column(&self, column: &ColumnRef) -> Result<(String, Vec<Option<String>>)> {
        let name = column.as_str().strip_prefix("obs:").unwrap_or(column.as_str());
        let mut known = self.group.datasets().unwrap_or_default();
        known.extend(self.group.groups().unwrap_or_default());
        known.retain(|n| !n.starts_with("__") && n != "_index");
        known.sort_unstable();
        if known.iter().any(|n| n == name) {
            return Ok((name.to_owned(), self.texts(name)?));
        }
        let known = if known.is_empty() {
            format!("`{}` has no columns; give the labels in a file of their own", self.name)
        } else {
            let names: Vec<String> = known.iter().map(|n| format!("`{n}`")).collect();
            format!("`{}` has {}", self.name, names.join(", "))
        };
        Err(Error::Unknown {
            file: self.reader.file.to_owned(),
            what: "column of `obs`",
            name: name.to_owned(),
            known,
        })
    }

    /// A column as texts: plain, categorical, or with a mask of what is missing.
    fn texts(&self, name: &str) -> Result<Vec<Option<String>>> {
        if let Ok(group) = self.group.group(name) {
            return self.encoded(&group, name);
        }
        let found = self.plain(&self.group, name)?;
        // Before anndata 0.8 the categories of all columns stood in a group of their own.
        match self.group.group("__categories").ok().filter(|c| c.dataset(name).is_ok()) {
            Some(categories) => self.decode(&found, &self.plain(&categories, name)?, name),
            None => Ok(found),
        }
    }

    fn encoded(&self, group: &Group, name: &str) -> Result<Vec<Option<String>>> {
        if group.dataset("codes").is_ok() {
            let categories = match group.group("categories") {
                Ok(inner) => self.encoded(&inner, "categories")?,
                Err(_) => self.plain(group, "categories")?,
            };
            return self.decode(&self.plain(group, "codes")?, &categories, name);
        }
        let mut values = self.plain(group, "values")?;
        if let Ok(mask) = group.dataset("mask") {
            let mask = self.reader.integers(&mask, &format!("{name}/mask"))?;
            values.iter_mut().zip(mask).filter(|(_, missing)| *missing != 0).for_each(|(v, _)| *v = None);
        }
        Ok(values)
    }

    /// The category of every code; a code of -1 is a missing value.
    fn decode(
        &self,
        codes: &[Option<String>],
        categories: &[Option<String>],
        name: &str,
    ) -> Result<Vec<Option<String>>> {
        let category = |code: &Option<String>| match code.as_deref().map_or(Ok(-1), str::parse::<i64>) {
            Ok(-1) => Ok(None),
            Ok(code) => usize::try_from(code).ok().and_then(|c| categories.get(c)).cloned().ok_or(()),
            Err(_) => Err(()),
        };
        codes.iter().map(category).collect::<std::result::Result<_, ()>>().map_err(|()| {
            let found = format!("column `{name}` has a code beyond its {} categories", categories.len());
            Error::malformed(self.reader.file, NAME, found)
        })
    }

    fn plain(&self, group: &Group, name: &str) -> Result<Vec<Option<String>>> {
        let dataset = group.dataset(name).map_err(|e| self.reader.failed(e))?;
        if let Ok(hdf5_pure::DType::Enum(_)) = dataset.dtype() {
            let truth = |v: i64| Some(if v != 0 { "True" } else { "False" }.to_owned());
            return Ok(self.reader.integers(&dataset, name)?.into_iter().map(truth).collect());
        }
        if is_numeric(&dataset) {
            let values = self.reader.numbers(&dataset, name)?;
            return Ok((0..values.len()).map(|i| number_label(values.at(i))).collect());
        }
        if let Ok(hdf5_pure::DType::Compound(_)) = dataset.dtype() {
            let what = format!("column `{name}` of `{}` holds records of several values", self.name);
            let advice = "classes and names are read from text and numbers; name another column";
            return Err(Error::unsupported(self.reader.file, what, advice));
        }
        Ok(self.reader.texts(&dataset, name)?.into_iter().map(Some).collect())
    }
}
