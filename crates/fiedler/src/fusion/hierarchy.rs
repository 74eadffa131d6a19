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
//!
//! A category lies inside another in one direction only: `a/b` for one sample and `b/a` for another is a
//! mistake, and refused. Parts that are whole numbers (`2/1`) are counted anew inside every category and may
//! repeat.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dataset::Labels;
use crate::graph::{Graph, Origin, Similarity, classes, elsewhere};
use crate::{Error, Result};

/// The label graph: 1/n_l inside class l, for complete labels of two classes or more.
///
/// # Errors
/// [`Error::LabelsMissing`], [`Error::LabelsPartial`] or [`Error::OneClass`].
pub fn label_graph(labels: &Labels) -> Result<Graph> {
    let codes = labels.complete("the label graph")?;
    Ok(classes::graph(codes, labels.classes().len()))
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
/// [`Error::Parameter`] when a path is empty or has an empty part, a category lies inside itself
/// (`a/b/a`, or `a/b` beside `b/a`), when all samples have the same path, or when weights do not suit.
pub fn hierarchy_graph(paths: &[String], weights: Option<&[f64]>) -> Result<Graph> {
    let split: Vec<Vec<&str>> = paths.iter().map(|p| parts(p)).collect::<Result<_>>()?;
    refuse_cycles(&split)?;
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
    let parameters = [("levels", depth.into()), ("weights", shown.join(", ").into())];
    Ok(Graph::new(Similarity::Sum(levels), Origin::new(&elsewhere::HIERARCHY, parameters)))
}

fn parts(path: &str) -> Result<Vec<&str>> {
    let parts: Vec<&str> = path.split('/').map(str::trim).collect();
    if parts.iter().any(|p| p.is_empty()) {
        let rule = "made of paths like `a/b/c` without empty parts";
        Err(Error::parameter("hierarchy", rule, format!("`{path}`")))
    } else {
        Ok(parts)
    }
}

/// An error when one category lies inside another and, by other paths, the other inside it. Takes away
/// categories that nothing is inside of, again and again; what is left goes in a circle.
fn refuse_cycles(paths: &[Vec<&str>]) -> Result<()> {
    let named = |p: &&str| p.parse::<u64>().is_err();
    let mut inside: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in paths {
        let names: Vec<&str> = path.iter().copied().filter(|p| named(p)).collect();
        for pair in names.windows(2) {
            inside.entry(pair[0]).or_default().insert(pair[1]);
        }
    }
    loop {
        let outer: BTreeSet<&str> = inside.keys().copied().collect();
        inside.values_mut().for_each(|inner| inner.retain(|c| outer.contains(c)));
        let before = inside.len();
        inside.retain(|_, inner| !inner.is_empty());
        if inside.len() == before {
            break;
        }
    }
    // Everything that is left holds something that is left: going inward comes round.
    let mut circle: Vec<&str> = Vec::new();
    let mut next = inside.keys().next().copied();
    while let Some(category) = next {
        if let Some(from) = circle.iter().position(|c| *c == category) {
            let around = format!("`{}/{category}`", circle[from..].join("/"));
            let rule = "free of cycles: a category cannot lie inside itself";
            return Err(Error::parameter("hierarchy", rule, around));
        }
        circle.push(category);
        next = inside[category].iter().next().copied();
    }
    Ok(())
}

/// The label graph of the first `h` parts.
fn level(paths: &[Vec<&str>], h: usize) -> Graph {
    let prefix = |p: &Vec<&str>| p[..h.min(p.len())].join("/");
    let mut code_of: BTreeMap<String, u32> = paths.iter().map(|p| (prefix(p), 0)).collect();
    code_of.values_mut().zip(0..).for_each(|(code, next)| *code = next);
    let codes = paths.iter().map(|p| code_of[&prefix(p)]).collect();
    classes::graph(codes, code_of.len())
}
