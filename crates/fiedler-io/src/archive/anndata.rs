//! AnnData: `X` or a layer, names of samples (`obs`) and features (`var`), classes from a column of `obs`.

use fiedler::Graph;
use fiedler::dataset::Order;
use fiedler::graph::Bandwidth;

use super::frame::Frame;
use super::{Archive, Array, Group, Sparse, has};
use crate::matrix::{Matrix, Storage};
use crate::options::{MatVariables, Orientation, ReadOptions};
use crate::sparse::Major;
use crate::table::{LabelColumn, Raw, RawLabel};
use crate::{Error, Remedy, Result};

pub(super) const NAME: &str = "AnnData";

/// Whether the groups are those of AnnData.
pub(crate) fn is(root: &dyn Group<'_>) -> bool {
    has(root, "obs") && has(root, "var")
}

/// Refuses what has no meaning for AnnData.
fn check(of: &Archive<'_>, options: &ReadOptions) -> Result<()> {
    if options.variables != MatVariables::default() {
        return Err(Error::Choice {
            file: of.file.to_owned(),
            what: "a variable was named, and this is an AnnData file".to_owned(),
            advice: "name a layer instead, or leave the variable out".to_owned(),
            remedy: Remedy::Layer,
        });
    }
    if options.features == Orientation::Rows {
        let what = "features in rows were asked for, and the features of AnnData are `var`";
        return Err(Error::unsupported(of.file, what, "leave that choice out"));
    }
    Ok(())
}

/// Reads a file.
pub(crate) fn read<'a>(root: &dyn Group<'a>, of: &Archive<'a>, options: &ReadOptions) -> Result<Raw> {
    check(of, options)?;
    let layer = options.layer.as_deref();
    let path = layer.map_or_else(|| "`X`".to_owned(), |layer| format!("layer `{layer}`"));
    let (found, var) = match layer {
        Some("raw") => {
            let raw = root.group("raw").filter(|raw| has(&**raw, "X"));
            let none = || Error::unsupported(of.file, "there is no `raw`", "leave the layer out");
            let raw = raw.ok_or_else(none)?;
            (find(&*raw, "X", &path, of)?, Frame::open(&*raw, "var", of)?)
        }
        Some(layer) => {
            let layers = root.group("layers").filter(|layers| has(&**layers, layer));
            let layers = layers.ok_or_else(|| unknown_layer(root, of.file, layer))?;
            (find(&*layers, layer, &path, of)?, Frame::open(root, "var", of)?)
        }
        None if has(root, "X") => (find(root, "X", &path, of)?, Frame::open(root, "var", of)?),
        None => return Err(without_x(root, of.file)),
    };
    let obs = Frame::open(root, "obs", of)?;
    let (samples, features) = (obs.index()?, var.index()?);
    let mut raw = found.raw(&path, of)?;
    let counts = (raw.body.rows(), raw.body.columns());
    for (what, count, found) in [("samples", counts.0, &samples), ("features", counts.1, &features)] {
        if found.len() != count {
            let found = format!("{path} has {count} {what}, and there are {} names for them", found.len());
            return Err(Error::malformed(of.file, NAME, found));
        }
    }
    raw.row_names = Some(match &options.names {
        Some(column) => obs.column(column)?.1.into_iter().map(Option::unwrap_or_default).collect(),
        None => samples,
    });
    raw.column_names = Some(features);
    raw.tell_names_apart();
    if let Some(label) = options.outcome() {
        let (name, texts) = obs.column(label)?;
        let column = LabelColumn { name, first: false };
        raw.label = Some(RawLabel { column, texts });
    }
    Ok(raw)
}

fn without_x(root: &dyn Group<'_>, file: &str) -> Error {
    let what = "an AnnData file without X";
    match layer_names(root).first() {
        Some(first) => Error::Choice {
            file: file.to_owned(),
            what: what.to_owned(),
            advice: format!("name a layer, such as `{first}`"),
            remedy: Remedy::Layer,
        },
        None => Error::unsupported(file, what, "store the data in X"),
    }
}

fn layer_names(root: &dyn Group<'_>) -> Vec<String> {
    root.group("layers").map(|layers| layers.names()).unwrap_or_default()
}

fn unknown_layer(root: &dyn Group<'_>, file: &str, layer: &str) -> Error {
    let names: Vec<String> = layer_names(root).iter().map(|n| format!("`{n}`")).collect();
    let known = if names.is_empty() {
        "the file has no layers: leave the layer out".to_owned()
    } else {
        format!("the layers are {}", names.join(", "))
    };
    Error::Unknown { file: file.to_owned(), what: "layer", name: layer.to_owned(), known }
}

/// A matrix as it is stored.
enum Found<'a> {
    Dense(Box<dyn Array + 'a>),
    Sparse(Sparse<'a>),
}

/// The matrix of that name.
fn find<'a>(parent: &dyn Group<'a>, name: &str, path: &str, of: &Archive<'a>) -> Result<Found<'a>> {
    if let Some(array) = parent.array(name) {
        if array.shape().len() != 2 {
            let what = format!("{path} is not samples × features");
            return Err(Error::unsupported(of.file, what, "store a matrix there"));
        }
        return Ok(Found::Dense(array));
    }
    let bad = |found: String| Error::malformed(of.file, NAME, format!("{path}: {found}"));
    let group = parent.group(name).ok_or_else(|| bad("it cannot be opened".to_owned()))?;
    let kind = group.text("encoding-type").or_else(|| group.text("h5sparse_format"));
    let major = match kind.as_deref() {
        Some("csr_matrix" | "csr") => Major::Rows,
        Some("csc_matrix" | "csc") => Major::Columns,
        other => {
            let what = format!("{path} is stored as `{}`", other.unwrap_or("something unknown"));
            return Err(Error::unsupported(of.file, what, "store a dense, CSR or CSC matrix there"));
        }
    };
    let shape = ["shape", "h5sparse_shape"].iter().find_map(|n| group.sizes(n)).unwrap_or_default();
    let &[rows, columns] = shape.as_slice() else { return Err(bad("its shape is missing".to_owned())) };
    let open = |part: &str| group.array(part).ok_or_else(|| bad(format!("`{part}` cannot be opened")));
    let (offsets, indices, values) = (open("indptr")?, open("indices")?, open("data")?);
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let shape = believed(major, (size(rows), size(columns)), offsets.shape())
        .ok_or_else(|| bad(format!("its shape {rows} × {columns} does not fit its offsets")))?;
    Ok(Found::Sparse(Sparse { major, shape, offsets, indices, values }))
}

impl Found<'_> {
    /// In memory.
    fn matrix(&self, path: &str, of: &Archive<'_>) -> Result<Matrix> {
        match self {
            Found::Dense(array) => {
                let (values, size) = (array.numbers()?, array.shape());
                Ok(Matrix::dense(values, size[0], size[1], Order::RowMajor))
            }
            Found::Sparse(sparse) => sparse.matrix(of, |found| self.bad(path, of, &found)),
        }
    }

    /// In memory, or in a scratch file where it is too large for that.
    fn raw(&self, path: &str, of: &Archive<'_>) -> Result<Raw> {
        match self {
            Found::Dense(array) => super::dense(of, &**array, Orientation::Columns),
            Found::Sparse(sparse) => sparse.raw(of, |found| self.bad(path, of, &found)),
        }
    }

    fn bad(&self, path: &str, of: &Archive<'_>, found: &str) -> Error {
        Error::malformed(of.file, NAME, format!("{path}: {found}"))
    }
}

/// The shape, when as many offsets are there and the other side is not beyond belief.
fn believed(major: Major, shape: (usize, usize), offsets: Vec<usize>) -> Option<(usize, usize)> {
    let (counted, claimed) = if major == Major::Rows { shape } else { (shape.1, shape.0) };
    let fits = offsets.first().copied() == counted.checked_add(1) && claimed <= crate::sparse::LARGEST;
    fits.then_some(shape)
}

/// A graph of the samples that `obsp` holds: similarities as they are, and distances (by the end of their name) through a Gaussian
/// kernel of automatic width.
pub(crate) fn graph<'a>(root: &dyn Group<'a>, of: &Archive<'a>, name: &str) -> Result<Graph> {
    let (edges, n) = edges(root, of, name)?;
    let graph = if name.to_lowercase().ends_with("distances") {
        Graph::from_distance_edges(&edges, n, Bandwidth::default())
    } else {
        Graph::from_edges(&edges, n)
    };
    graph.map_err(Error::data(of.file))
}

/// Edges (i, j, weight) of a stored graph, and its number of samples.
type StoredEdges = (Vec<(usize, usize, f64)>, usize);

/// The edges of a graph of the samples, and how many samples there are.
fn edges<'a>(root: &dyn Group<'a>, of: &Archive<'a>, name: &str) -> Result<StoredEdges> {
    let obsp = root.group("obsp");
    let names = obsp.as_ref().map(|obsp| obsp.names()).unwrap_or_default();
    let Some(obsp) = obsp.filter(|_| names.iter().any(|n| n == name)) else {
        let known = if names.is_empty() {
            "the file has no `obsp`: scanpy.pp.neighbors puts one there, or have the graph computed"
                .to_owned()
        } else {
            format!("`obsp` has {}", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "))
        };
        return Err(Error::Unknown {
            file: of.file.to_owned(),
            what: "stored graph",
            name: name.to_owned(),
            known,
        });
    };
    let path = format!("`obsp/{name}`");
    let matrix = find(&*obsp, name, &path, of)?.matrix(&path, of)?;
    if matrix.rows != matrix.columns {
        let found = format!("`obsp/{name}` is {} × {}", matrix.rows, matrix.columns);
        return Err(Error::malformed(of.file, NAME, found));
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
