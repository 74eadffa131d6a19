//! How a graph was made: what its numbers alone do not tell.

use std::borrow::Cow;

use super::{Graph, GraphInfo, Metric, Weight};
use crate::parameters::ParameterValue;

/// What a graph was made of and how. It travels with the graph, into files and back.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The kind of graph.
    pub info: &'static GraphInfo,
    /// The metric of which every weight is a function, if it is one: the graph then changes
    /// smoothly with the features.
    pub metric: Option<Metric>,
    /// Which function.
    pub weighting: Weighting,
    /// What else it was made with, as a person would be told.
    pub parameters: Vec<(Cow<'static, str>, ParameterValue)>,
}

/// The weight of an edge as a function of the distance d of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Weighting {
    /// exp(-d²/t).
    Heat {
        /// The width, given or chosen.
        t: f64,
    },
    /// exp(-d²/2σ²).
    Rbf {
        /// The width, given or chosen.
        sigma: f64,
    },
    /// 1.
    Binary,
    /// The cosine of the two samples.
    Cosine,
    /// exp(-d²/σᵢσⱼ).
    SelfTuning,
    /// None of these.
    #[default]
    Other,
}

impl Weighting {
    /// The Gaussian exp(-d²/`scale`), told as σ.
    pub(crate) fn rbf(scale: f64) -> Self {
        Weighting::Rbf { sigma: (scale / 2.0).sqrt() }
    }

    /// The s of exp(-d²/s): t or 2σ². `None` where the weights have no width that is one for all.
    pub fn scale(self) -> Option<f64> {
        match self {
            Weighting::Heat { t } => Some(t),
            Weighting::Rbf { sigma } => Some(2.0 * sigma * sigma),
            _ => None,
        }
    }

    /// The word on the command line; empty for weights that have none.
    pub fn name(self) -> &'static str {
        match self {
            Weighting::Heat { .. } => Weight::Heat.name(),
            Weighting::Rbf { .. } => Weight::Rbf.name(),
            Weighting::Binary => Weight::Binary.name(),
            Weighting::Cosine => Weight::Cosine.name(),
            Weighting::SelfTuning => Weight::SelfTuning.name(),
            Weighting::Other => "",
        }
    }

    /// The same function with another scale.
    pub(crate) fn with_scale(self, scale: f64) -> Self {
        match self {
            Weighting::Heat { .. } => Weighting::Heat { t: scale },
            Weighting::Rbf { .. } => Weighting::rbf(scale),
            other => other,
        }
    }

    /// The width with its name, for people.
    fn width(self) -> Option<(&'static str, f64)> {
        match self {
            Weighting::Heat { t } => Some(("t", t)),
            Weighting::Rbf { sigma } => Some(("sigma", sigma)),
            _ => None,
        }
    }
}

/// What a graph is and with which parameters it was made, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// `knn`, `rbf`, `labels`, …
    pub kind: &'static str,
    /// Parameters as given, and what was chosen automatically (`t`, `sigma`).
    pub parameters: Vec<(Cow<'static, str>, ParameterValue)>,
}

impl Origin {
    /// Of a kind whose weights are no function of a distance.
    pub(crate) fn new<const N: usize>(
        info: &'static GraphInfo,
        parameters: [(&'static str, ParameterValue); N],
    ) -> Self {
        let parameters = parameters.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Origin { info, metric: None, weighting: Weighting::Other, parameters }
    }

    /// The same with these weights.
    pub(crate) fn weighted(mut self, weighting: Weighting) -> Self {
        self.weighting = weighting;
        self
    }

    /// The same with one more parameter, if there is one.
    pub(crate) fn with(mut self, name: &'static str, value: Option<impl Into<ParameterValue>>) -> Self {
        self.parameters.extend(value.map(|v| (name.into(), v.into())));
        self
    }

    /// What a person is told.
    pub fn description(&self) -> Description {
        let width = self.weighting.width().map(|(name, value)| (name.into(), value.into()));
        let parameters = self.parameters.iter().cloned().chain(width).collect();
        Description { kind: self.info.name, parameters }
    }
}

impl Graph {
    /// How the graph was made.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What the graph is and how it was made, for people.
    pub fn description(&self) -> Description {
        self.origin.description()
    }
}
