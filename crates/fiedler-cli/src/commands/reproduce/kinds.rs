//! The parts of a recipe that are not about a protocol: orders, the synthetic study, generated studies, the race.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::graph_keys::GraphKeys;

/// An order of features.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// What the paper says it is the order of.
    pub(super) name: String,
    /// Our method.
    pub(super) method: String,
    /// Its parameters.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Value>,
    /// Its graph.
    pub(super) graph: Option<GraphKeys>,
    /// The features, best first.
    pub(super) paper: Vec<String>,
}

/// The synthetic study.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StudyKeys {
    /// How many draws; the paper shows one.
    pub(super) draws: usize,
    /// Samples of each Gaussian.
    pub(super) samples: usize,
    /// σ, automatic where there is none.
    pub(super) bandwidth: Option<f64>,
    /// Between what the irrelevant features are uniform, one column each.
    pub(super) uniform: Vec<[f64; 2]>,
    /// Seed of the first draw.
    #[serde(default)]
    pub(super) seed: u64,
    /// Where the paper's draw mixes up features: `phi1 r` = 0.13.
    #[serde(default)]
    pub(super) mixing: BTreeMap<String, f64>,
}

/// Generated studies of many sources.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FusionKeys {
    /// How many studies, with seeds from 0.
    pub(super) studies: usize,
    /// Genes of each.
    pub(super) genes: usize,
    /// Halves of each set of samples.
    pub(super) repeats: usize,
    /// The numbers of genes.
    pub(super) counts: Vec<usize>,
    /// Coefficients of the sweep.
    pub(super) steps: usize,
    /// What is printed, by table and line.
    #[serde(default, skip_serializing)]
    pub(super) printed: BTreeMap<String, BTreeMap<String, Value>>,
}

/// The race.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Race {
    /// Features to select.
    pub(super) count: usize,
    /// Relative duality gap at which Nesterov's method may stop.
    pub(super) gap: f64,
    /// CPU seconds after which Nesterov's method is stopped.
    pub(super) patience: f64,
    /// What the features are to explain, as in mrsf.
    pub(super) targets: String,
    /// Printed mean seconds of the path.
    pub(super) path_seconds: f64,
    /// Printed mean seconds of Nesterov's method.
    pub(super) nesterov_seconds: f64,
}
