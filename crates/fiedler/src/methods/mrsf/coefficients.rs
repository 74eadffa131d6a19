//! W itself: the linear model that the selected features make of the targets.
//!
//! At the end of the path Y ≈ 1b + XW with X in the units of the data: what is solved for unit columns is divided by their norms, and
//! the intercepts b put the means back. So the model can be applied to other samples: sparse PCA with `targets` pca, discriminant
//! analysis with lda, least-squares support vector machines with svm, a lasso with a number (DIS 4.4).
//!
//! Weights are shrunk by the penalty; whoever wants predictions fits the selected features again.

use super::Targets;
use crate::dataset::Dataset;
use crate::detail::{Audience, Cells, Detail};
use crate::solve::Path;

/// The weights of the active features and the intercepts, for programs; `means` of the targets before they were centered.
pub(super) fn details(data: &Dataset, path: &Path, targets: &Targets, means: &[f64]) -> Vec<Detail> {
    let Some(last) = path.points.last() else { return Vec::new() };
    let count = means.len();
    let root = (data.n_samples() as f64).sqrt();
    let mut intercepts = means.to_vec();
    let mut weights: Vec<Vec<f64>> = Vec::with_capacity(last.active.len());
    for (&j, row) in last.active.iter().zip(last.weights.chunks_exact(count)) {
        let stats = &data.stats()[j];
        let factor = data.length(j) / (stats.variance.sqrt() * root);
        let row: Vec<f64> = row.iter().map(|w| w * factor).collect();
        intercepts.iter_mut().zip(&row).for_each(|(b, w)| *b -= w * stats.mean);
        weights.push(row);
    }
    let sentence = "what a feature adds to every target, in the units of the data (of their ranks where these are taken), \
                    shrunk by the penalty at the last λ";
    let model = Detail::new("coefficients", "Coefficients", sentence)
        .for_audience(Audience::Programs)
        .column("feature", "feature", Cells::Features(last.active.clone()))
        .column("weights", "weights", Cells::NumberLists(weights));
    let aims = Detail::new("targets", "Targets", "what is explained, and its value where all features are 0")
        .for_audience(Audience::Programs)
        .column("target", "target", Cells::Words(names(data, targets, count)))
        .numbers("intercept", "intercept", intercepts);
    vec![model, aims]
}

/// What the targets are called.
fn names(data: &Dataset, targets: &Targets, count: usize) -> Vec<String> {
    let numbered = |what: &str| (1..=count).map(|t| format!("{what} {t}")).collect();
    match (targets, data.labels(), data.target()) {
        (Targets::Labels | Targets::Lda | Targets::Svm, Some(labels), _)
            if labels.classes().len() == count =>
        {
            labels.classes().to_vec()
        }
        (Targets::Number, _, Some(number)) => vec![number.name().to_owned()],
        (Targets::Pca, ..) => numbered("component"),
        (Targets::Given(given), ..) if given.names.len() == count => given.names.clone(),
        (Targets::Given(_), ..) => numbered("target"),
        _ => numbered("pair"),
    }
}
