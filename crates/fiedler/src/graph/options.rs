//! What a user may say of a graph, by name: the one parser of graphs for the command's options, the
//! keys of TOML files and Python's keywords.

use std::sync::Arc;

use super::{Bandwidth, Diffusion, Geodesic, Graph, GraphRecipe, Knn, Rbf, Relief};
use crate::parameters::{Kind, ParameterInfo, Parameters, Role, Value};
use crate::selector::GraphUse;
use crate::{Error, Result};

/// A graph as the user asks for it: a kind, or none, and options by name. What is not said is the
/// default: of the kind, and of the method where no kind is named.
#[derive(Debug, Clone, Default)]
pub struct GraphOptions {
    /// The kind: `knn`, `rbf`, `labels`, `relief`, `diffusion`, `geodesic`.
    pub kind: Option<String>,
    /// Options of the kind: `k`, `weight`, ….
    pub set: Vec<(String, Value)>,
    /// A graph that is there already, in place of a kind.
    pub given: Option<Arc<Graph>>,
}

impl GraphOptions {
    /// The kinds that can be asked for by name.
    pub const KINDS: [&str; 6] = ["knn", "rbf", "labels", "relief", "diffusion", "geodesic"];

    /// Every option, of whatever kind.
    pub const PARAMETERS: &[ParameterInfo] = DIFFUSION;

    /// Whether the user said nothing.
    pub fn is_empty(&self) -> bool {
        self.kind.is_none() && self.set.is_empty() && self.given.is_none()
    }

    /// The recipe for a method of that use.
    ///
    /// # Errors
    /// A kind that does not exist, an option that the kind does not have, a value that breaks its rule.
    pub fn recipe(&self, usual: GraphUse) -> Result<GraphRecipe> {
        if let Some(graph) = &self.given {
            if let Some((name, _)) = self.set.first() {
                let known = "none".to_owned();
                return Err(Error::UnknownParameter { owner: "a given graph", name: name.clone(), known });
            }
            return Ok(GraphRecipe::Given(Arc::clone(graph)));
        }
        let kind = self.kind.as_deref().unwrap_or(match usual {
            GraphUse::None | GraphUse::Knn => "knn",
            GraphUse::Rbf => "rbf",
            GraphUse::Labels => "labels",
        });
        let set = || self.set.iter().map(|(name, value)| (name.as_str(), value.clone()));
        Ok(match kind {
            "knn" => GraphRecipe::Knn(knn(&Parameters::read("the knn graph", KNN, set())?)?),
            "rbf" => {
                let parameters = Parameters::read("the rbf graph", RBF, set())?;
                GraphRecipe::Rbf(Rbf { bandwidth: bandwidth(&parameters) })
            }
            "labels" => Parameters::read("the label graph", &[], set()).map(|_| GraphRecipe::Labels)?,
            "relief" => {
                let parameters = Parameters::read("the relief graph", RELIEF, set())?;
                GraphRecipe::Relief(Relief { k: parameters.whole_or_word("k").into() })
            }
            "diffusion" => {
                let parameters = Parameters::read("the diffusion graph", DIFFUSION, set())?;
                let beta = parameters.real("beta");
                GraphRecipe::Diffusion(Diffusion { knn: knn(&parameters)?, beta })
            }
            "geodesic" => {
                let parameters = Parameters::read("the geodesic graph", KNN, set())?;
                let bandwidth = bandwidth(&parameters);
                GraphRecipe::Geodesic(Geodesic { knn: knn(&parameters)?, bandwidth })
            }
            other => {
                let rule = format!("one of {}", Self::KINDS.join(", "));
                return Err(Error::parameter("graph", rule, format!("`{other}`")));
            }
        })
    }
}

fn knn(parameters: &Parameters) -> Result<Knn> {
    Ok(Knn {
        k: parameters.whole_or_word("k").into(),
        weight: parameters.text("weight").parse()?,
        bandwidth: bandwidth(parameters),
        metric: parameters.text("metric").parse()?,
        mutual: parameters.flag("mutual"),
        approximate: parameters.flag("approximate"),
    })
}

fn bandwidth(parameters: &Parameters) -> Bandwidth {
    parameters.real_or_word("bandwidth").map_or(Bandwidth::Auto, Bandwidth::Given)
}

const K: ParameterInfo = ParameterInfo {
    name: "k",
    kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
    default: Value::word("auto"),
    role: Role::Neighbors,
    help: "neighbors of a sample; auto: 5, or fewer where there are fewer others",
};

const WIDTH: ParameterInfo = ParameterInfo {
    name: "bandwidth",
    kind: Kind::RealOr { min: f64::MIN_POSITIVE, max: f64::MAX, words: &["auto"] },
    default: Value::word("auto"),
    role: Role::Own,
    help: "the width of the kernel: t for heat, σ for the others",
};

const WEIGHT: ParameterInfo = ParameterInfo {
    name: "weight",
    kind: Kind::Choice(&["heat", "rbf", "binary", "cosine", "self-tuning"]),
    default: Value::word("heat"),
    role: Role::Own,
    help: "the weight of an edge",
};

const METRIC: ParameterInfo = ParameterInfo {
    name: "metric",
    kind: Kind::Choice(&["euclidean", "cosine", "manhattan"]),
    default: Value::word("euclidean"),
    role: Role::Own,
    help: "the distance of samples",
};

const MUTUAL: ParameterInfo = ParameterInfo {
    name: "mutual",
    kind: Kind::Bool,
    default: Value::Bool(false),
    role: Role::Own,
    help: "keep an edge only where each is a neighbor of the other",
};

const APPROXIMATE: ParameterInfo = ParameterInfo {
    name: "approximate",
    kind: Kind::Bool,
    default: Value::Bool(false),
    role: Role::Own,
    help: "for very many samples: find most of the neighbors, not all, and tell how many were found",
};

const BETA: ParameterInfo = ParameterInfo {
    name: "beta",
    kind: Kind::Real { min: f64::MIN_POSITIVE, max: f64::MAX },
    default: Value::Real(0.5),
    role: Role::Own,
    help: "how long heat flows",
};

const KNN: &[ParameterInfo] = &[K, WEIGHT, WIDTH, METRIC, MUTUAL, APPROXIMATE];
const RBF: &[ParameterInfo] = &[WIDTH];
const RELIEF: &[ParameterInfo] = &[ParameterInfo {
    name: "k",
    kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
    default: Value::word("auto"),
    role: Role::Neighbors,
    help: "hits of a sample, and misses of every other class; auto: 10, or fewer where there are fewer others",
}];
const DIFFUSION: &[ParameterInfo] = &[K, WEIGHT, WIDTH, METRIC, MUTUAL, APPROXIMATE, BETA];
