//! Options to graph recipes. An option that a kind of graph does not have is an error, never
//! ignored in silence.

use fiedler::graph::{Diffusion, Geodesic, Knn, Rbf, Relief};
use fiedler::{GraphRecipe, GraphUse};

use crate::args::{GraphKind, GraphOptions};
use crate::failure::{Failure, Outcome};
use crate::graph_file;

impl GraphOptions {
    /// Whether the user said anything about the graph.
    pub(crate) fn any(&self) -> bool {
        self.graph.is_some() || !self.given().is_empty()
    }

    /// The kind of graph for a method of that use.
    pub(crate) fn kind(&self, graph_use: GraphUse) -> GraphKind {
        self.graph.clone().unwrap_or(match graph_use {
            GraphUse::None | GraphUse::Knn => GraphKind::Knn,
            GraphUse::Rbf => GraphKind::Rbf,
            GraphUse::Labels => GraphKind::Labels,
        })
    }

    /// The recipe of a kind of graph.
    ///
    /// # Errors
    /// An option was given that this kind does not have, or a file of a graph cannot be read.
    pub(crate) fn recipe(&self, kind: &GraphKind) -> Outcome<GraphRecipe> {
        self.refuse_others(kind)?;
        let bandwidth = self.bandwidth.unwrap_or_default();
        Ok(match kind {
            GraphKind::Knn => GraphRecipe::Knn(self.knn()),
            GraphKind::Rbf => GraphRecipe::Rbf(Rbf { bandwidth }),
            GraphKind::Labels => GraphRecipe::Labels,
            GraphKind::Relief => GraphRecipe::Relief(Relief { k: self.k.unwrap_or(Relief::default().k) }),
            GraphKind::Diffusion => GraphRecipe::Diffusion(Diffusion {
                knn: self.knn(),
                beta: self.beta.unwrap_or(Diffusion::default().beta),
            }),
            GraphKind::Geodesic => GraphRecipe::Geodesic(Geodesic { knn: self.knn(), bandwidth }),
            GraphKind::File(path) => GraphRecipe::Given(graph_file::similarities(path, None)?),
            GraphKind::Distances(path) => GraphRecipe::Given(graph_file::distances(path, bandwidth, None)?),
        })
    }

    fn knn(&self) -> Knn {
        let default = Knn::default();
        Knn {
            k: self.k.unwrap_or(default.k),
            weight: self.weight.unwrap_or(default.weight),
            bandwidth: self.bandwidth.unwrap_or(default.bandwidth),
            metric: self.metric.unwrap_or(default.metric),
            mutual: self.mutual,
            approximate: self.approximate,
        }
    }

    /// The options besides `--graph` that were given.
    fn given(&self) -> Vec<&'static str> {
        [
            ("--k", self.k.is_some()),
            ("--weight", self.weight.is_some()),
            ("--bandwidth", self.bandwidth.is_some()),
            ("--metric", self.metric.is_some()),
            ("--mutual", self.mutual),
            ("--approximate", self.approximate),
            ("--beta", self.beta.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
        .collect()
    }

    fn refuse_others(&self, kind: &GraphKind) -> Outcome {
        let takes = kind.options();
        match self.given().into_iter().find(|option| !takes.contains(option)) {
            None => Ok(()),
            Some(option) => {
                let takes = if takes.is_empty() { "no options".to_owned() } else { takes.join(", ") };
                let kind = kind.in_words();
                Err(Failure::usage(format!("{option} does not apply to {kind}, which takes {takes}")))
            }
        }
    }
}

impl GraphKind {
    /// The options this kind of graph takes.
    fn options(&self) -> &'static [&'static str] {
        match self {
            GraphKind::Knn => &["--k", "--weight", "--bandwidth", "--metric", "--mutual", "--approximate"],
            GraphKind::Diffusion => {
                &["--k", "--weight", "--bandwidth", "--metric", "--mutual", "--approximate", "--beta"]
            }
            GraphKind::Geodesic => &["--k", "--metric", "--mutual", "--approximate", "--bandwidth"],
            GraphKind::Relief => &["--k"],
            GraphKind::Rbf | GraphKind::Distances(_) => &["--bandwidth"],
            GraphKind::Labels | GraphKind::File(_) => &[],
        }
    }

    /// Whether the graph is made from the labels.
    pub(crate) fn needs_labels(&self) -> bool {
        matches!(self, GraphKind::Labels | GraphKind::Relief)
    }

    fn in_words(&self) -> &'static str {
        match self {
            GraphKind::Knn => "the knn graph",
            GraphKind::Rbf => "the rbf graph",
            GraphKind::Labels => "the label graph",
            GraphKind::Relief => "the relief graph",
            GraphKind::Diffusion => "the diffusion graph",
            GraphKind::Geodesic => "the geodesic graph",
            GraphKind::File(_) => "a graph from a file of similarities",
            GraphKind::Distances(_) => "a graph from a file of distances",
        }
    }
}
