//! Knowledge of samples: labels and hierarchies of labels (DIS 5.1, eq. 3.13).
//!
//! A hierarchy gives every sample a path, `tissue/blood/T cell`. At level h, samples that share
//! their first h parts form a class; the graph is
//!
//! ```text
//! S = Σ_h weight_h · (label graph of level h),   Σ_h weight_h = 1
//! ```
//! so samples are the more similar the longer the beginning they share. Levels weigh the same
//! unless told otherwise. A path that ends early is its own class at the levels below.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dataset::Labels;
use crate::graph::classes::Classes;
use crate::graph::{Description, Graph, Similarity};
use crate::{Error, Result};

/// The label graph: 1/n_l inside class l, for complete labels of two classes or more.
///
/// # Errors
/// [`Error::LabelsMissing`], [`Error::LabelsPartial`] or [`Error::OneClass`].
pub fn label_graph(labels: &Labels) -> Result<Graph> {
    let codes = labels.complete("the label graph")?;
    let classes = labels.classes().len();
    let parameters = vec![("classes", classes.into())];
    let similarity = Similarity::Classes(Classes::new(codes, classes));
    Ok(Graph::new(similarity, Description { kind: "labels", parameters }))
}

/// The graph of a hierarchy: one path like `a/b/c` per sample, and a weight per level from the
/// top, where they are not to be equal.
///
/// ```
/// use fiedler::fusion::hierarchy_graph;
///
/// let paths = ["blood/T", "blood/T", "blood/B", "skin/x"].map(String::from);
/// let graph = hierarchy_graph(&paths, None)?;
/// assert_eq!(graph.degrees(), [1.0; 4]);
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] when a path is empty, has an empty part or lies inside itself
/// (`a/b/a`), when all samples have the same path, or when weights do not suit.
pub fn hierarchy_graph(paths: &[String], weights: Option<&[f64]>) -> Result<Graph> {
    let split: Vec<Vec<&str>> = paths.iter().enumerate().map(|(i, p)| parts(i, p)).collect::<Result<_>>()?;
    let depth = split.iter().map(Vec::len).max().unwrap_or(0);
    if depth == 0 || split.iter().all(|p| *p == split[0]) {
        let rule = "at least two different paths, or it tells no samples apart";
        return Err(Error::parameter("hierarchy", rule, paths.first().map_or("none", String::as_str)));
    }
    let equal = vec![1.0; depth];
    let weights = weights.unwrap_or(&equal);
    super::check_weights(weights, depth)?;
    let total: f64 = weights.iter().sum();
    let levels = (1..=depth).map(|h| (weights[h - 1] / total, Arc::new(level(&split, h)))).collect();
    let shown: Vec<String> = weights.iter().map(|w| (w / total).to_string()).collect();
    let parameters = vec![("levels", depth.into()), ("weights", shown.join(", ").into())];
    Ok(Graph::new(Similarity::Sum(levels), Description { kind: "hierarchy", parameters }))
}

fn parts(sample: usize, path: &str) -> Result<Vec<&str>> {
    let parts: Vec<&str> = path.split('/').map(str::trim).collect();
    let wrong = |rule: &str| {
        let got = format!("`{path}` for sample {}", sample + 1);
        Err(Error::parameter("hierarchy", rule, got))
    };
    if parts.iter().any(|p| p.is_empty()) {
        return wrong("made of paths like `a/b/c` without empty parts");
    }
    if parts.iter().collect::<BTreeSet<_>>().len() < parts.len() {
        return wrong("free of cycles: a category cannot lie inside itself");
    }
    Ok(parts)
}

/// The label graph of the first `h` parts.
fn level(paths: &[Vec<&str>], h: usize) -> Graph {
    let prefix = |p: &Vec<&str>| p[..h.min(p.len())].join("/");
    let mut code_of: BTreeMap<String, u32> = paths.iter().map(|p| (prefix(p), 0)).collect();
    code_of.values_mut().zip(0..).for_each(|(code, next)| *code = next);
    let codes = paths.iter().map(|p| code_of[&prefix(p)]).collect();
    let parameters = vec![("classes", code_of.len().into())];
    let similarity = Similarity::Classes(Classes::new(codes, code_of.len()));
    Graph::new(similarity, Description { kind: "labels", parameters })
}
