//! Kinds of graph that other parts of the library make: fusion, and evsc for itself.

use super::{GraphInfo, Remedies};

const DISSERTATION: &str =
    "Zhao: Spectral Feature Selection for Mining Ultrahigh Dimensional Data, dissertation, 2010, ch. 5";

/// Categories inside categories (`fusion`).
pub(crate) static HIERARCHY: GraphInfo = GraphInfo {
    name: "hierarchy",
    title: "categories inside categories",
    joins: "Samples that share the beginning of their paths, the longer the more strongly.",
    formula: "Σ_h weight_h · (label graph of level h)",
    unit_degrees: true,
    remedies: Remedies { apart: None, ..Remedies::VALUES },
    cost: "nothing: it is never written out",
    reference: DISSERTATION,
    ..GraphInfo::BLANK
};

/// The data restricted to sets of features (`fusion`).
pub(crate) static FEATURE_SETS: GraphInfo = GraphInfo {
    name: "feature-sets",
    title: "sets of features",
    joins: "Samples that are near in sets of features that act together.",
    formula: "the mean of the graphs of the sets",
    cost: "a graph for every set",
    reference: DISSERTATION,
    ..GraphInfo::BLANK
};

/// Distances that know which features interact (`fusion`).
pub(crate) static FEATURE_NETWORK: GraphInfo = GraphInfo {
    name: "feature-network",
    title: "interacting features",
    joins: "Samples that are near by a distance that knows which features belong together.",
    formula: "exp(-d²/2σ²), d the Mahalanobis distance of the network",
    remedies: Remedies::WIDTH,
    cost: "samples² x features with edges, and memory for samples² numbers",
    reference: DISSERTATION,
    ..GraphInfo::BLANK
};

/// S_ij = ‖xᵢ-xⱼ‖² (evsc).
pub(crate) static SQUARED_EUCLIDEAN: GraphInfo = GraphInfo {
    name: "squared-euclidean",
    title: "squared distances",
    joins: "Every sample with every other, the more strongly the farther they are.",
    formula: "‖xᵢ-xⱼ‖²",
    cost: "samples² x features, and memory for samples² numbers",
    ..GraphInfo::BLANK
};

/// S_ij = xᵢ·xⱼ (evsc).
pub(crate) static DOT: GraphInfo = GraphInfo {
    name: "dot",
    title: "inner products",
    joins: "Every sample with every other, by their inner product.",
    formula: "xᵢ·xⱼ",
    cost: "samples² x features, and memory for samples² numbers",
    ..GraphInfo::BLANK
};
