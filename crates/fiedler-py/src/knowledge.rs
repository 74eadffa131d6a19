//! Files of knowledge about features, as public collections write them.

use std::collections::HashSet;
use std::path::PathBuf;

use fiedler::Monitor;
use fiedler::fusion::{Annotations, KmerSimilarity, examples};
use fiedler_io::{AnnotationFilter, NamedSet, NamedSimilarity};
use pyo3::prelude::*;

use crate::answer::in_words;
use crate::data::Data;
use crate::errors::{raise, raise_class};
use crate::fusion::{Kernel, of_network, scaled};
use crate::graph::Graph;
use crate::work::{self, Terms};

/// Names of features that are known: what else a file calls a feature is looked up by them.
type Known = HashSet<String>;

/// What was read, and what the reader decided.
type WithNotes<T> = (Vec<T>, Vec<String>);

/// A pair of features and its weight.
type Edge = (String, String, f64);

/// The sequences of features, the length of a piece, and to how many others each is joined.
type Pieces = (Vec<(usize, Vec<u8>)>, Option<usize>, usize);

/// Reads a file away from the interpreter.
fn read<T: Send + 'static>(
    py: Python<'_>,
    terms: &Terms,
    reader: impl FnOnce(&dyn Monitor) -> fiedler_io::Result<T> + Send + 'static,
) -> PyResult<T> {
    let found = work::run(py, terms, move |monitor| match reader(monitor) {
        Err(fiedler_io::Error::Canceled) => Err(fiedler::Error::Canceled),
        found => Ok(found),
    })?;
    found.map_err(|error| raise_class(py, "FileError", &error.to_string()))
}

/// Interactions of a SIF, KGML, BioGRID-like or plain table: pairs with weights, and what the reader decided.
#[pyfunction]
pub(crate) fn read_network(
    py: Python<'_>,
    path: PathBuf,
    known: Known,
    types: Vec<String>,
    terms: Terms,
) -> PyResult<WithNotes<Edge>> {
    let told = read(py, &terms, move |monitor| {
        fiedler_io::read_interactions(&path, &types, &|name| known.contains(name), monitor)
    })?;
    let edges = match told.found {
        NamedSimilarity::Edges(edges) => edges.into_iter().map(|e| (e.a, e.b, e.weight)).collect(),
        NamedSimilarity::Matrix { names, values } => pairs(py, &names, &values)?,
    };
    Ok((edges, in_words(&told.notes)))
}

/// The pairs of a square table, once each.
fn pairs(py: Python<'_>, names: &[String], values: &[f64]) -> PyResult<Vec<Edge>> {
    let n = names.len();
    let allowed = 1e-8 * values.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
    let mut edges = Vec::new();
    for i in 0..n {
        for j in 0..i {
            let (a, b) = (values[i * n + j], values[j * n + i]);
            if (a - b).abs() > allowed {
                let text = format!(
                    "the table is not symmetric: {a} from `{}` to `{}`, {b} back",
                    names[i], names[j]
                );
                return Err(raise_class(py, "FileError", &text));
            }
            if a != 0.0 || b != 0.0 {
                edges.push((names[i].clone(), names[j].clone(), 0.5 * a + 0.5 * b));
            }
        }
    }
    Ok(edges)
}

/// The sets of a GMT, KGML, GAF or SIF file, or one set called `name` of a file with a name a line.
#[pyfunction]
pub(crate) fn read_sets(
    py: Python<'_>,
    path: PathBuf,
    known: Known,
    about: (String, Wanted),
    terms: Terms,
) -> PyResult<WithNotes<(String, Vec<String>)>> {
    let (name, wanted) = about;
    if fiedler_io::kind_of(&path) == "gaf" {
        let (told, notes) = annotated(py, path, known, wanted, &terms)?;
        return Ok((told.sets(), in_words(&notes)));
    }
    if wanted.0.is_some() || !wanted.1.is_empty() || !wanted.2.is_empty() {
        let rule = "`ontology`, `evidence` and `aspect` belong to a GAF file, which has annotations";
        return Err(raise_class(py, "FileError", &format!("{}: {rule}", path.display())));
    }
    let (sets, notes) = read(py, &terms, move |monitor| {
        let known = |name: &str| known.contains(name);
        let one = |members: Vec<String>| vec![NamedSet { name, members }];
        Ok(match fiedler_io::kind_of(&path).as_str() {
            "gmt" => (fiedler_io::read_sets(&path, monitor)?, Vec::new()),
            "kgml" | "xml" => {
                let told = fiedler_io::read_pathway(&path, &[], &known, monitor)?;
                (vec![told.found.genes], told.notes)
            }
            "sif" => {
                let told = fiedler_io::read_interactions(&path, &[], &known, monitor)?;
                (one(ends(told.found)), told.notes)
            }
            _ => (one(fiedler_io::read_names(&path, monitor)?), Vec::new()),
        })
    })?;
    Ok((sets.into_iter().map(|s| (s.name, s.members)).collect(), in_words(&notes)))
}

/// All names in a similarity, once each.
fn ends(similarity: NamedSimilarity) -> Vec<String> {
    let mut names: Vec<String> = match similarity {
        NamedSimilarity::Edges(edges) => edges.into_iter().flat_map(|e| [e.a, e.b]).collect(),
        NamedSimilarity::Matrix { names, .. } => names,
    };
    names.sort_unstable();
    names.dedup();
    names
}

/// An ontology, and which annotations count: kinds of evidence and aspects.
type Wanted = (Option<PathBuf>, Vec<String>, Vec<String>);

/// The features of a file, (feature, term) by their places, and what each term tells.
type Told = (Vec<String>, Vec<(usize, usize)>, Vec<f64>);

/// The annotations of a GAF file or a table, with all terms above them where there is an ontology.
#[pyfunction]
pub(crate) fn read_annotations(
    py: Python<'_>,
    path: PathBuf,
    known: Known,
    wanted: Wanted,
    terms: Terms,
) -> PyResult<(Told, Vec<String>)> {
    let (told, notes) = annotated(py, path, known, wanted, &terms)?;
    Ok(((told.features().to_vec(), told.pairs().collect(), told.information()), in_words(&notes)))
}

fn annotated(
    py: Python<'_>,
    path: PathBuf,
    known: Known,
    (ontology, evidence, aspects): Wanted,
    terms: &Terms,
) -> PyResult<(Annotations, Vec<String>)> {
    let filter = AnnotationFilter { evidence, aspects };
    let is_gaf = fiedler_io::kind_of(&path) == "gaf";
    if !is_gaf && !filter.is_empty() {
        let rule = "`evidence` and `aspect` belong to a GAF file (its name ends in .gaf or .gaf.gz)";
        return Err(raise_class(py, "FileError", &format!("{}: {rule}", path.display())));
    }
    let (told, ontology) = read(py, terms, move |monitor| {
        let known = |name: &str| known.contains(name);
        let told = if is_gaf {
            fiedler_io::read_gaf(&path, &filter, &known, monitor)?
        } else {
            fiedler_io::read_annotations(&path, &known, monitor)?
        };
        let ontology = ontology.map(|file| fiedler_io::read_ontology(&file, monitor)).transpose()?;
        Ok((told, ontology))
    })?;
    let own = Annotations::new(&told.found);
    let Some(ontology) = ontology else { return Ok((own, told.notes)) };
    let (all, unknown) = own.with_ancestors(&ontology.found).map_err(|error| raise(py, error))?;
    if all.n_used() == 0 {
        let text = format!("the ontology has none of the terms of the annotations ({})", examples(&unknown));
        return Err(raise_class(py, "FileError", &text));
    }
    let mut notes = [told.notes, ontology.notes].concat();
    if !unknown.is_empty() {
        let (count, some) = (unknown.len(), examples(&unknown));
        notes.push(format!(
            "terms that the ontology does not have, or calls obsolete, are left out: {count} ({some})"
        ));
    }
    Ok((all, notes))
}

/// The sequences of a FASTA file by name.
#[pyfunction]
pub(crate) fn read_sequences(
    py: Python<'_>,
    path: PathBuf,
    known: Known,
    terms: Terms,
) -> PyResult<WithNotes<(String, Vec<u8>)>> {
    let told = read(py, &terms, move |monitor| {
        fiedler_io::read_sequences(&path, &|name| known.contains(name), monitor)
    })?;
    Ok((told.found.into_iter().map(|s| (s.name, s.letters)).collect(), in_words(&told.notes)))
}

/// The graph of samples by sequences of their features, which are alike that share pieces.
#[pyfunction]
pub(crate) fn sequence_graph(
    py: Python<'_>,
    data: &Bound<'_, Data>,
    sequences: Pieces,
    kernel: Kernel,
    scale: &str,
    terms: Terms,
) -> PyResult<(Graph, Vec<String>)> {
    let (sequences, length, neighbors) = sequences;
    let n_features = data.get().inner.n_features();
    let network = work::run(py, &terms, move |monitor| {
        let sequences: Vec<(usize, &[u8])> = sequences.iter().map(|(j, s)| (*j, s.as_slice())).collect();
        KmerSimilarity { length, neighbors }.network(n_features, &sequences, monitor)
    })?;
    of_network(py, network, scaled(py, data, scale)?, &kernel, &terms)
}
