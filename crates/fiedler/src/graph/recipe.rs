//! How to make a graph: [`GraphRecipe`], and the one list of the kinds that can be asked for by name.

use std::sync::Arc;

use super::classes::Labels;
use super::{
    ClassHeat, Diffusion, Geodesic, Graph, GraphInfo, Knn, Landmarks, Metric, MetricChoice, Rbf, Relief,
};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::{ParameterInfo, ParameterValue, Parameters};
use crate::selector::LabelUse;
use crate::{Error, Result};

/// A kind of graph that can be asked for by name. A new kind is a file that implements this and a line of
/// the list below.
pub(super) trait GraphKind: Sized + Clone + PartialEq {
    /// The description of the kind.
    fn info() -> &'static GraphInfo;

    /// The kind with these values, one for every parameter of its description, each checked.
    ///
    /// # Errors
    /// A value breaks a rule that its description cannot express.
    fn of(parameters: &Parameters) -> Result<Self>;

    /// Makes the graph.
    ///
    /// # Errors
    /// The data do not suit, or the monitor says stop.
    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph>;
}

/// From the list of kinds: the recipes, their descriptions, and how each is read and made.
macro_rules! kinds {
    ($(#[$unit_doc:meta])* $unit:ident, $($(#[$doc:meta])* $kind:ident($type:ty)),+ $(,)?) => {
        /// How to make a graph from data.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum GraphRecipe {
            $($(#[$doc])* $kind($type),)+
            $(#[$unit_doc])*
            $unit,
            /// One that is there already, shared.
            Given(Arc<Graph>),
        }

        /// The kinds of graph that can be asked for by name.
        pub fn kinds() -> Vec<&'static GraphInfo> {
            vec![$(<$type as GraphKind>::info(),)+ <$unit as GraphKind>::info()]
        }

        /// Recipes are the same where all their parts are; a graph that is there is the same as itself alone.
        impl PartialEq for GraphRecipe {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((GraphRecipe::$kind(a), GraphRecipe::$kind(b)) => a == b,)+
                    (GraphRecipe::$unit, GraphRecipe::$unit) => true,
                    (GraphRecipe::Given(a), GraphRecipe::Given(b)) => Arc::ptr_eq(a, b),
                    _ => false,
                }
            }
        }

        impl GraphRecipe {
            /// The kind of graph.
            pub fn info(&self) -> &'static GraphInfo {
                match self {
                    $(GraphRecipe::$kind(_) => <$type as GraphKind>::info(),)+
                    GraphRecipe::$unit => <$unit as GraphKind>::info(),
                    GraphRecipe::Given(graph) => graph.origin().info,
                }
            }

            /// The recipe of a kind with checked parameters.
            fn read(info: &'static GraphInfo, parameters: &Parameters) -> Result<Self> {
                $(if info == <$type as GraphKind>::info() {
                    return Ok(GraphRecipe::$kind(<$type as GraphKind>::of(parameters)?));
                })+
                <$unit as GraphKind>::of(parameters).map(|_| GraphRecipe::$unit)
            }

            /// Makes the graph.
            ///
            /// # Errors
            /// A parameter breaks its rule, the data do not suit, or the monitor says stop.
            pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Arc<Graph>> {
                match self {
                    $(GraphRecipe::$kind(kind) => GraphKind::make(kind, data, monitor).map(Arc::new),)+
                    GraphRecipe::$unit => $unit.make(data, monitor).map(Arc::new),
                    GraphRecipe::Given(graph) => same_samples(graph, data),
                }
            }
        }
    };
}

kinds! {
    /// Classes: 1/n_l inside class l.
    Labels,
    /// Nearest neighbors.
    Knn(Knn),
    /// All pairs, Gaussian weights.
    Rbf(Rbf),
    /// Landmarks in common.
    Landmarks(Landmarks),
    /// Near hits and near misses, signed.
    Relief(Relief),
    /// Heat that flows on the kNN graph.
    Diffusion(Diffusion),
    /// Shortest paths over the kNN graph.
    Geodesic(Geodesic),
    /// Pairs inside classes, heat weights.
    ClassHeat(ClassHeat),
}

/// The options of all kinds, each once: one name means one thing, whatever the kind.
pub fn parameters() -> Vec<&'static ParameterInfo> {
    let mut all: Vec<&ParameterInfo> = Vec::new();
    for parameter in kinds().into_iter().flat_map(|info| info.parameters) {
        if all.iter().all(|known| known.name != parameter.name) {
            all.push(parameter);
        }
    }
    all
}

impl Default for GraphRecipe {
    fn default() -> Self {
        GraphRecipe::Knn(Knn::default())
    }
}

impl GraphRecipe {
    /// The recipe of a kind by its name, with values by theirs.
    ///
    /// ```
    /// use fiedler::GraphRecipe;
    /// use fiedler::graph::Knn;
    ///
    /// let recipe = GraphRecipe::named("knn", [("k", "10"), ("mutual", "true")])?;
    /// assert_eq!(recipe, GraphRecipe::Knn(Knn { k: 10.into(), mutual: true, ..Knn::default() }));
    /// let error = GraphRecipe::named("rbf", [("k", "10")]).unwrap_err();
    /// assert_eq!(error.to_string(), "the rbf graph has no parameter `k`; it has: bandwidth");
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such kind, it has no such parameter, or a value breaks its rule.
    pub fn named<'a, V: Into<ParameterValue>>(
        kind: &str,
        given: impl IntoIterator<Item = (&'a str, V)>,
    ) -> Result<Self> {
        let (info, parameters) = Self::checked(kind, given)?;
        Self::read(info, &parameters)
    }

    /// A kind by its name, and values for all its parameters, checked.
    ///
    /// # Errors
    /// As [`named`](Self::named).
    pub fn checked<'a, V: Into<ParameterValue>>(
        kind: &str,
        given: impl IntoIterator<Item = (&'a str, V)>,
    ) -> Result<(&'static GraphInfo, Parameters)> {
        let Some(info) = kinds().into_iter().find(|info| info.name == kind) else {
            let names: Vec<&str> = kinds().iter().map(|info| info.name).collect();
            return Err(Error::parameter(
                "graph",
                format!("one of {}", names.join(", ")),
                format!("`{kind}`"),
            ));
        };
        Ok((info, Parameters::read(info.called, info.parameters, given)?))
    }

    /// The same for a method that cannot do with angles: what the data choose is euclidean.
    pub(crate) fn in_euclidean_distance(self) -> Self {
        match self {
            GraphRecipe::Knn(knn) if knn.metric == MetricChoice::Auto => {
                GraphRecipe::Knn(Knn { metric: Metric::Euclidean.into(), ..knn })
            }
            GraphRecipe::Landmarks(landmarks) if landmarks.metric == MetricChoice::Auto => {
                GraphRecipe::Landmarks(Landmarks { metric: Metric::Euclidean.into(), ..landmarks })
            }
            other => other,
        }
    }

    /// What making the graph does with labels.
    pub fn labels(&self) -> LabelUse {
        match self {
            GraphRecipe::Given(_) => LabelUse::Never,
            made if made.info().needs_labels => LabelUse::Needed,
            _ => LabelUse::Never,
        }
    }
}

/// A graph that is there, for data of as many samples.
fn same_samples(graph: &Arc<Graph>, data: &Dataset) -> Result<Arc<Graph>> {
    let (expected, got) = (data.n_samples(), graph.n_samples());
    if got == expected {
        return Ok(Arc::clone(graph));
    }
    Err(Error::Length { what: "samples of the given graph", expected, got })
}
