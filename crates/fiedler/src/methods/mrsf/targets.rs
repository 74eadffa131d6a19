//! What MRSF explains: the targets Y.

use std::str::FromStr;
use std::sync::Arc;

use faer::{Mat, MatRef, Side};

use crate::dataset::Dataset;
use crate::gram::sample_gram;
use crate::graph::{Graph, GraphRecipe, Similarity, WIDE_LANES, dense};
use crate::monitor::Monitor;
use crate::spectrum::{EQUAL, Spectrum};
use crate::{Error, Result};

/// What the selected features are to explain together.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Targets {
    /// The classes or the number where the user named labels or a target, else the structure of the graph.
    #[default]
    Auto,
    /// The structure of the graph. Sparse graph: y_j = √(2-λ_j) ξ_j of the leading eigenpairs of N, the
    /// trivial one left out (DIS 3.6). Dense similarity: Y = UΣ^½ of its leading pairs (DIS 4.2). Label
    /// graph: as `Labels`.
    Spectral,
    /// The classes: 1/√n_l in the samples of class l, so that YYᵀ is the label graph.
    Labels,
    /// Least-squares LDA (DIS 4.15): √(n/n_l) - √(n_l/n) in class l, -√(n_l/n) elsewhere.
    Lda,
    /// Least-squares SVM (DIS 4.16): 1 in class l, -1 elsewhere.
    Svm,
    /// The number to be predicted, about its mean and divided by its norm: the first λ is the largest correlation.
    Number,
    /// The principal components U_kΣ_k of the scaled data.
    Pca,
    /// The user's own: multi-output regression.
    Given(Arc<TargetMatrix>),
}

/// A matrix of targets, one row a sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TargetMatrix {
    /// Sample after sample.
    pub values: Vec<f64>,
    /// Number of targets (columns).
    pub n_targets: usize,
    /// What the targets are called; none: by their numbers.
    pub names: Vec<String>,
}

impl TargetMatrix {
    fn new(values: Vec<f64>, n_targets: usize) -> Self {
        TargetMatrix { values, n_targets, names: Vec::new() }
    }

    /// Targets that are the same for all samples have nothing that features could explain.
    fn check_varies(&self) -> Result<()> {
        let mut rows = self.values.chunks_exact(self.n_targets.max(1));
        let first = rows.next().unwrap_or_default();
        if rows.any(|row| row != first) {
            return Ok(());
        }
        Err(Error::parameter("targets", "numbers that differ between samples", "the same for all samples"))
    }
}

impl Targets {
    /// The names of the targets that can be chosen by name.
    pub(super) const NAMES: &'static [&'static str] =
        &["auto", "spectral", "labels", "lda", "svm", "number", "pca"];

    /// The name on the command line; `given` for the user's own.
    pub fn name(&self) -> &'static str {
        match self {
            Targets::Auto => "auto",
            Targets::Spectral => "spectral",
            Targets::Labels => "labels",
            Targets::Lda => "lda",
            Targets::Svm => "svm",
            Targets::Number => "number",
            Targets::Pca => "pca",
            Targets::Given(_) => "given",
        }
    }

    /// What is explained of `data`, which have labels or a target only where they may be used.
    pub(super) fn resolved(&self, data: &Dataset) -> Targets {
        match self {
            Targets::Auto if data.labels().is_some() => Targets::Labels,
            Targets::Auto if data.target().is_some() => Targets::Number,
            Targets::Auto => Targets::Spectral,
            given => given.clone(),
        }
    }

    /// What is explained in place of the graph, as `targets` calls it and in words; `None` where it is the graph.
    pub(super) fn beside_graph(&self) -> Option<(&'static str, &'static str)> {
        let what = match self {
            Targets::Auto | Targets::Spectral => return None,
            Targets::Labels | Targets::Lda | Targets::Svm => "the classes",
            Targets::Number => "the number to be predicted",
            Targets::Pca => "the principal components",
            Targets::Given(_) => "the given targets",
        };
        Some((self.name(), what))
    }

    /// Whether there is a target for every leading pair, and not for every class or as the user wants.
    pub(super) fn are_pairs(&self, graph: Option<&Graph>) -> bool {
        let classes = graph.is_some_and(|g| matches!(g.similarity(), Similarity::Classes(_)));
        matches!(self, Targets::Pca) || (matches!(self, Targets::Spectral) && !classes)
    }

    /// The targets for `data` (not centered yet), and the graph they come from, if they come from one.
    ///
    /// # Errors
    /// The graph cannot be made, labels are missing, or the monitor says stop.
    pub fn build(
        &self,
        data: &Dataset,
        recipe: &GraphRecipe,
        pairs: usize,
        monitor: &dyn Monitor,
    ) -> Result<(TargetMatrix, Option<Arc<Graph>>)> {
        let n = data.n_samples();
        let classes = |inside: fn(f64, f64) -> f64, outside: fn(f64, f64) -> f64| {
            let (codes, count) = data.classes("mrsf with these targets")?;
            Ok::<_, Error>(class_targets(&codes, count, inside, outside))
        };
        let matrix = match self {
            Targets::Auto => return self.resolved(data).build(data, recipe, pairs, monitor),
            Targets::Spectral => {
                let graph = recipe.build(data, monitor)?;
                return Ok((spectral(&graph, pairs, monitor)?, Some(graph)));
            }
            Targets::Labels => classes(|_, size| 1.0 / size.sqrt(), |_, _| 0.0)?,
            Targets::Lda => {
                classes(|n, size| (n / size).sqrt() - (size / n).sqrt(), |n, size| -(size / n).sqrt())?
            }
            Targets::Svm => classes(|_, _| 1.0, |_, _| -1.0)?,
            Targets::Number => TargetMatrix::new(data.number("mrsf with this target")?.unit(), 1),
            Targets::Pca => {
                check_size("the principal components of MRSF", n, monitor)?;
                let all: Vec<(usize, f64)> = (0..data.n_features()).map(|j| (j, 1.0)).collect();
                let gram = sample_gram(data, &all, "principal components", monitor)?;
                factor(MatRef::from_column_major_slice(&gram, n, n).to_owned(), pairs)?
            }
            Targets::Given(matrix) => {
                matrix.check_varies()?;
                TargetMatrix::clone(matrix)
            }
        };
        Ok((matrix, None))
    }
}

impl FromStr for Targets {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Targets::Auto),
            "spectral" => Ok(Targets::Spectral),
            "labels" => Ok(Targets::Labels),
            "lda" => Ok(Targets::Lda),
            "svm" => Ok(Targets::Svm),
            "number" => Ok(Targets::Number),
            "pca" => Ok(Targets::Pca),
            _ => Err(Error::parameter("targets", Self::NAMES.join(", "), format!("`{text}`"))),
        }
    }
}

/// A column for every class, from the number of samples and the size of the class.
fn class_targets(
    codes: &[u32],
    classes: usize,
    inside: fn(f64, f64) -> f64,
    outside: fn(f64, f64) -> f64,
) -> TargetMatrix {
    let mut sizes = vec![0.0; classes];
    codes.iter().for_each(|&c| sizes[c as usize] += 1.0);
    let n = codes.len() as f64;
    let value = |code: u32, l: usize| {
        let rule = if code as usize == l { inside } else { outside };
        rule(n, sizes[l])
    };
    let values = codes.iter().flat_map(|&code| (0..classes).map(move |l| (code, l)));
    TargetMatrix::new(values.map(|(code, l)| value(code, l)).collect(), classes)
}

fn spectral(graph: &Graph, pairs: usize, monitor: &dyn Monitor) -> Result<TargetMatrix> {
    match graph.similarity() {
        Similarity::Classes(classes) => {
            let inside = |_: f64, size: f64| 1.0 / size.sqrt();
            Ok(class_targets(classes.codes(), classes.count(), inside, |_, _| 0.0))
        }
        similarity if is_sparse(similarity) => laplacian_pairs(graph, pairs, monitor),
        _ => {
            check_size("the eigenpairs of a dense similarity", graph.n_samples(), monitor)?;
            factor(written_out(graph), pairs)
        }
    }
}

fn check_size(what: &'static str, n_samples: usize, monitor: &dyn Monitor) -> Result<()> {
    let advice =
        "use `targets` spectral with a knn graph (`graph` knn), which stays sparse, or fewer samples";
    dense::check_size_or(what, n_samples, 4, (monitor, advice))
}

/// Whether it has few numbers, so that a product with it is cheap and all pairs are not.
fn is_sparse(similarity: &Similarity) -> bool {
    match similarity {
        Similarity::Sparse(_) | Similarity::LowRank(_) => true,
        Similarity::Sum(parts) => parts.iter().all(|(_, graph)| is_sparse(graph.similarity())),
        _ => false,
    }
}

/// √(2-λ_j) ξ_j of the `pairs` leading pairs after the trivial one. A group of equal eigenvalues is
/// taken whole, for inside it the basis is arbitrary.
fn laplacian_pairs(graph: &Graph, pairs: usize, monitor: &dyn Monitor) -> Result<TargetMatrix> {
    let n = graph.n_samples();
    if n < 2 {
        return Err(Error::TooFewSamples { what: "mrsf", needed: 2, got: n });
    }
    let spectrum = Spectrum::leading_whole(graph, pairs.saturating_add(1).min(n), monitor)?;
    let taken = spectrum.len();
    let scale: Vec<f64> = spectrum.values().iter().map(|v| (2.0 - v).max(0.0).sqrt()).collect();
    let vectors = spectrum.vectors();
    let values = (0..n).flat_map(|i| (1..taken).map(move |j| (i, j)));
    Ok(TargetMatrix::new(values.map(|(i, j)| scale[j] * vectors[(i, j)]).collect(), taken - 1))
}

/// Y = UΣ^½ of the leading positive eigenpairs, so that YYᵀ is the best approximation of the matrix. A group of
/// equal eigenvalues is taken whole.
fn factor(matrix: Mat<f64>, pairs: usize) -> Result<TargetMatrix> {
    let n = matrix.nrows();
    let eigen = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| {
        Error::eigensolver("the dense eigensolver", "check the similarity for extreme values")
    })?;
    let value = |j: usize| eigen.S().column_vector()[j];
    let largest = value(n - 1);
    let asked = n.saturating_sub(pairs)..n;
    // Places of the eigenvalues, which ascend.
    let first = (0..asked.start).rev().take_while(|&j| value(j + 1) - value(j) <= EQUAL * largest).last();
    let kept: Vec<usize> = (first.unwrap_or(asked.start)..n)
        .rev()
        .take_while(|&j| value(j) > 1e-10 * largest && value(j) > 0.0)
        .collect();
    if kept.is_empty() {
        return Err(Error::parameter("graph", "a similarity with a positive eigenvalue", "one without"));
    }
    let (vectors, kept) = (eigen.U(), &kept);
    let values = (0..n).flat_map(|i| kept.iter().map(move |&j| (i, j)));
    Ok(TargetMatrix::new(values.map(|(i, j)| value(j).sqrt() * vectors[(i, j)]).collect(), kept.len()))
}

/// S, a few columns at a time.
fn written_out(graph: &Graph) -> Mat<f64> {
    let n = graph.n_samples();
    if let Similarity::Dense(matrix) = graph.similarity() {
        return matrix.matrix().to_owned();
    }
    let mut out = Mat::zeros(n, n);
    let (mut unit, mut product) = (vec![0.0; n * WIDE_LANES], vec![0.0; n * WIDE_LANES]);
    for start in (0..n).step_by(WIDE_LANES) {
        let width = WIDE_LANES.min(n - start);
        unit.fill(0.0);
        (0..width).for_each(|l| unit[(start + l) * WIDE_LANES + l] = 1.0);
        graph.apply(&unit, WIDE_LANES, &mut product);
        for l in 0..width {
            let column = out.col_as_slice_mut(start + l);
            column.iter_mut().zip(product.iter().skip(l).step_by(WIDE_LANES)).for_each(|(c, p)| *c = *p);
        }
    }
    out
}
