//! The words in which graphs are asked for: one parameter, one name, in every kind of graph that has it, and so
//! in the options of the command, the keys of TOML files and Python's keywords.

use super::knn::USUAL_RECALL;
use super::{Approximate, Bandwidth, Knn, Metric, Neighbors, Weight};
use crate::Result;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};

/// The k of nearest neighbors.
pub(super) const K: ParameterInfo = ParameterInfo {
    name: "k",
    kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
    default: ParameterValue::word("auto"),
    role: Role::Neighbors,
    only_with: None,
    help: "neighbors, or landmarks, of a sample; auto: 5 (relief: 10), or fewer where there are fewer others",
};

/// How many landmarks.
pub(super) const LANDMARKS: ParameterInfo = ParameterInfo {
    name: "landmarks",
    kind: Kind::IntegerOr { min: 2, max: usize::MAX, words: &["auto"] },
    default: ParameterValue::word("auto"),
    role: Role::Own,
    only_with: None,
    help: "samples that are landmarks, to the k nearest of which every sample is linked; auto: a tenth of the samples, 50 at least \
           and 1,000 at most",
};

/// The width of a Gaussian.
pub(super) const BANDWIDTH: ParameterInfo = ParameterInfo {
    name: "bandwidth",
    kind: Kind::RealOr { min: f64::MIN_POSITIVE, max: f64::MAX, words: &["auto"] },
    default: ParameterValue::word("auto"),
    role: Role::Own,
    only_with: None,
    help: "the width of the kernel: t for heat, σ for the others; auto: from the data",
};

/// The weight of an edge.
pub(super) const WEIGHT: ParameterInfo = ParameterInfo {
    name: "weight",
    kind: Kind::Choice(Weight::NAMES),
    default: ParameterValue::word("heat"),
    role: Role::Own,
    only_with: None,
    help: "the weight of an edge",
};

/// The distance of samples.
pub(super) const METRIC: ParameterInfo = ParameterInfo {
    name: "metric",
    kind: Kind::Choice(Metric::CHOICES),
    default: ParameterValue::word("auto"),
    role: Role::Own,
    only_with: None,
    help: "the distance of samples; auto: cosine for ranks of data that are mostly zeros and not negative, else euclidean",
};

/// Union or intersection of neighborhoods.
pub(super) const MUTUAL: ParameterInfo = ParameterInfo {
    name: "mutual",
    kind: Kind::Bool,
    default: ParameterValue::Bool(false),
    role: Role::Own,
    only_with: None,
    help: "keep an edge only where each is a neighbor of the other",
};

/// Most of the neighbors in place of all.
pub(super) const APPROXIMATE: ParameterInfo = ParameterInfo {
    name: "approximate",
    kind: Kind::Choice(Approximate::NAMES),
    default: ParameterValue::word("auto"),
    role: Role::Own,
    only_with: None,
    help: "find most of the neighbors, not all, and tell how many were found; auto: from 50,000 samples on, where the data have \
           so few dimensions of their own that it pays",
};

/// How many of the neighbors.
pub(super) const RECALL: ParameterInfo = ParameterInfo {
    name: "recall",
    kind: Kind::Real { min: 0.01, max: 1.0 },
    default: ParameterValue::Real(USUAL_RECALL),
    role: Role::Own,
    only_with: None,
    help: "the share of the true neighbors that an approximate search is to find, measured on some samples",
};

/// The time of diffusion.
pub(super) const BETA: ParameterInfo = ParameterInfo {
    name: "beta",
    kind: Kind::Real { min: f64::MIN_POSITIVE, max: f64::MAX },
    default: ParameterValue::Real(0.5),
    role: Role::Own,
    only_with: None,
    help: "how long heat flows",
};

/// The kNN graph that all its parameters describe; those that are not there are as usual.
pub(super) fn knn(parameters: &Parameters) -> Result<Knn> {
    let usual = Knn::default();
    let word = |name: &str| Some(parameters.text(name)).filter(|word| !word.is_empty());
    Ok(Knn {
        k: neighbors(parameters),
        weight: word("weight").map_or(Ok(usual.weight), str::parse)?,
        bandwidth: bandwidth(parameters),
        metric: word("metric").map_or(Ok(usual.metric), str::parse)?,
        mutual: parameters.flag("mutual"),
        approximate: parameters.text("approximate").parse()?,
        recall: parameters.real("recall"),
    })
}

/// `k`.
pub(super) fn neighbors(parameters: &Parameters) -> Neighbors {
    parameters.whole_or_word("k").into()
}

/// `bandwidth`.
pub(super) fn bandwidth(parameters: &Parameters) -> Bandwidth {
    parameters.real_or_word("bandwidth").map_or(Bandwidth::Auto, Bandwidth::Given)
}
