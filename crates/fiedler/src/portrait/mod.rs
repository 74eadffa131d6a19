//! [`Portrait`]: what a report draws, as plain data of a bounded size.
//!
//! A ranking of a million features is not an answer. A portrait is what a person looks at to trust one or not: the curve of
//! scores, the samples in the leading eigenvectors of their graph, which of these eigenvectors a feature follows, which
//! features say the same, how their values are distributed. It is computed where it is asked for
//! ([`Analysis::portrait`](crate::Analysis::portrait)) and is as large for 10⁶ features as for 10⁴: best features and
//! evenly spaced samples alone are in it.
//!
//! ```text
//! α²_j(f) = (f̂ᵀξ_j)² / ‖f̂ - (f̂ᵀξ₁)ξ₁‖²,  f̂ = D^½f      the share of f that follows eigenvector j ≥ 2 (SPEC §3)
//! ```

mod compare;
mod curve;
mod features;
mod map;
mod redundancy;
mod spread;

use std::sync::Arc;

pub use compare::Comparison;
pub use curve::{KeptBy, ScoreCurve};
pub use features::{Alike, COMPARED, FeaturePortrait};
pub use map::{Axis, GraphPortrait, Map, Parts};
pub use redundancy::Redundancy;
pub use spread::{Distribution, Group, Values};

use crate::Result;
use crate::dataset::{Dataset, Labels};
use crate::graph::{Graph, GraphRecipe};
use crate::monitor::Monitor;
use crate::ranking::Ranking;
use crate::spectrum::Spectrum;

/// Samples that are drawn at most.
pub const SAMPLES: usize = 2_000;
/// Features that are listed at most.
pub const FEATURES: usize = 10_000;

/// Samples of a graph that is made for the sake of a picture at most: of more it would cost more than the ranking.
const SAMPLES_FOR_A_GRAPH: usize = 600;
/// Features of such a graph at most, but for non-zeros, which are few.
const FEATURES_FOR_A_GRAPH: usize = 500;
/// Samples beyond which the graph of the kept features alone is not made.
const SAMPLES_FOR_A_SECOND_GRAPH: usize = 6_000;

/// What a report draws.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Portrait {
    /// The samples that are drawn.
    pub samples: Drawn,
    /// The graph that the picture of the samples is of.
    pub graph: Option<GraphPortrait>,
    /// The samples in the leading eigenvectors of that graph.
    pub map: Option<Map>,
    /// The same in a graph of the kept features alone.
    pub map_of_kept: Option<Map>,
    /// The scores against the ranks, one curve a ranking.
    pub curves: Vec<ScoreCurve>,
    /// The features of the first ranking, best first.
    pub features: Vec<FeaturePortrait>,
    /// All features of that ranking with their scores, best first, where more than [`FEATURES`] are ranked: for the
    /// table beside a report, and not part of what is kept of one.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub whole: Vec<(usize, Option<f64>)>,
    /// How the kept features of the first ranking correlate.
    pub redundancy: Option<Redundancy>,
    /// How the values of its best features are distributed.
    pub distributions: Vec<Distribution>,
    /// The values of its best features at the samples that are drawn.
    pub values: Vec<Values>,
    /// Several rankings side by side.
    pub comparison: Option<Comparison>,
}

/// The samples that are drawn: all of them, or [`SAMPLES`] in even steps; fewer where a graph is made of them for the
/// picture alone.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drawn {
    /// Their indices, ascending.
    pub indices: Vec<usize>,
    /// Their names, where samples have any.
    pub names: Option<Vec<String>>,
    /// What the labels are called, where there are any, used by the method or not.
    pub labels: Option<String>,
    /// The classes.
    pub classes: Vec<String>,
    /// The class of every sample that is drawn; none where it has no label.
    pub codes: Vec<Option<u32>>,
}

/// A ranking with the data as its method saw them.
pub(crate) struct Subject {
    pub(crate) ranking: Ranking,
    /// The features, best first after those that must be included.
    pub(crate) order: Vec<usize>,
    pub(crate) view: Dataset,
    /// How its graph is made; `None` where it takes none.
    pub(crate) recipe: Option<GraphRecipe>,
    /// How many features are kept and who said so, where somebody did.
    pub(crate) asked: Option<(usize, KeptBy)>,
}

impl Portrait {
    /// The portrait of the first of `subjects`, with the others beside it. `data` are in the user's units, with their
    /// labels.
    pub(crate) fn of_rankings(subjects: &[Subject], data: &Dataset, monitor: &dyn Monitor) -> Result<Self> {
        let curves: Vec<ScoreCurve> =
            subjects.iter().map(|s| ScoreCurve::of(&s.ranking, data, s.asked)).collect();
        let Some((first, curve)) = subjects.first().zip(curves.first()) else {
            return Ok(Portrait { samples: Drawn::of(data), curves, ..Portrait::default() });
        };
        let kept = first.order[..curve.kept].to_vec();
        let samples = first.drawn(data);
        let (graph, looked_at) = first.graph(&samples, monitor)?;
        let spectrum =
            graph.as_ref().and_then(|graph| map::leading(graph, monitor).transpose()).transpose()?;
        let seen = graph.as_ref().zip(spectrum.as_ref());
        let features = features::portraits(first, &kept, seen, (data, &samples))?;
        Ok(Portrait {
            map: seen.map(|(graph, spectrum)| Map::of(graph, spectrum, data, &samples)),
            graph: graph.as_deref().map(|g| GraphPortrait { features: looked_at, ..samples.graph(g, data) }),
            map_of_kept: first.map_of(&kept, data, &samples, monitor)?,
            redundancy: Redundancy::of(&first.view, &kept)?,
            distributions: spread::distributions(data, &first.order)?,
            values: spread::values(data, &first.order, &samples)?,
            comparison: Comparison::of(subjects, curve.kept),
            whole: first.whole(),
            samples,
            curves,
            features,
        })
    }

    /// The portrait of a ranking without data: its scores and its first `named` features.
    pub(crate) fn of_scores(ranking: &Ranking, named: usize) -> Self {
        let curve = ScoreCurve::of_scores(ranking, 0, None);
        let listed = ranking.top(named.min(FEATURES)).iter().enumerate();
        let feature = |(at, &index): (usize, &usize)| FeaturePortrait {
            index,
            rank: at + 1,
            score: ranking.score(index),
            reason: None,
            kept: at < curve.kept,
            alignment: Vec::new(),
            alike: None,
        };
        Portrait { features: listed.map(feature).collect(), curves: vec![curve], ..Portrait::default() }
    }

    /// The portrait of a graph alone.
    pub(crate) fn of_graph(graph: &Graph, spectrum: Option<&Spectrum>, data: &Dataset) -> Self {
        let samples = Drawn::of(data);
        let map = spectrum.filter(|s| s.len() > 1).map(|s| Map::of(graph, s, data, &samples));
        Portrait { map, graph: Some(samples.graph(graph, data)), samples, ..Portrait::default() }
    }
}

impl Subject {
    /// All features with their scores, where they are not all listed.
    fn whole(&self) -> Vec<(usize, Option<f64>)> {
        let all = self.order.iter().filter(|_| self.order.len() > FEATURES);
        all.map(|&j| (j, self.ranking.score(j))).collect()
    }

    /// The graph of the ranking, unless it is one of labels, which would show the labels.
    fn own_graph(&self) -> Option<&Arc<Graph>> {
        self.ranking.graph.as_ref().filter(|graph| !shows_labels(graph))
    }

    /// The samples to draw: fewer where a graph has to be made for it.
    fn drawn(&self, data: &Dataset) -> Drawn {
        Drawn::at_most(if self.own_graph().is_some() { SAMPLES } else { SAMPLES_FOR_A_GRAPH }, data)
    }

    /// The graph to draw the samples by: that of the ranking, or nearest neighbors of those drawn, with the number of
    /// features that it looks at where these are not all.
    fn graph(&self, samples: &Drawn, monitor: &dyn Monitor) -> Result<(Option<Arc<Graph>>, Option<usize>)> {
        if let Some(graph) = self.own_graph() {
            return Ok((Some(Arc::clone(graph)), None));
        }
        let m = self.view.n_features();
        if samples.indices.len() < 3 {
            return Ok((None, None));
        }
        let few = (m > FEATURES_FOR_A_GRAPH && !self.view.is_sparse()).then_some(FEATURES_FOR_A_GRAPH);
        let seen = match few {
            Some(few) => self.view.subset(&(0..few).map(|i| i * m / few).collect::<Vec<_>>())?,
            None => self.view.clone(),
        };
        let seen = samples.of_data(seen.unlabeled(), monitor)?;
        Ok((Some(GraphRecipe::default().build(&seen, monitor)?), few))
    }

    /// The samples in a graph of the features `kept` alone.
    fn map_of(
        &self,
        kept: &[usize],
        data: &Dataset,
        samples: &Drawn,
        monitor: &dyn Monitor,
    ) -> Result<Option<Map>> {
        let all = self.view.n_features();
        let varies = kept.iter().any(|&j| !self.view.constant(j));
        let n = if self.own_graph().is_some() { self.view.n_samples() } else { samples.indices.len() };
        if n > SAMPLES_FOR_A_SECOND_GRAPH || kept.len() == all || !varies {
            return Ok(None);
        }
        let recipe = match &self.recipe {
            Some(recipe @ (GraphRecipe::Knn(_) | GraphRecipe::Rbf(_))) => recipe.clone(),
            _ => GraphRecipe::default(),
        };
        let mut few = self.view.subset(kept)?.unlabeled();
        if self.own_graph().is_none() {
            few = samples.of_data(few, monitor)?;
        }
        // A width or a metric that suits all features may not suit a few: then there is no second picture.
        let Ok(graph) = recipe.build(&few, monitor) else { return Ok(None) };
        let spectrum = map::leading(&graph, monitor)?;
        Ok(spectrum.map(|spectrum| Map::of(&graph, &spectrum, data, samples)))
    }
}

/// Whether a graph is made from labels, so that its eigenvectors are the classes.
fn shows_labels(graph: &Graph) -> bool {
    crate::graph::GraphInfo::find(graph.description().kind).is_some_and(|info| info.needs_labels)
}

impl Drawn {
    fn of(data: &Dataset) -> Self {
        Self::at_most(SAMPLES, data)
    }

    fn at_most(most: usize, data: &Dataset) -> Self {
        let n = data.n_samples();
        let count = n.min(most);
        let indices: Vec<usize> = (0..count).map(|i| i * n / count).collect();
        let names = data.sample_names().map(|all| indices.iter().map(|&i| all[i].clone()).collect());
        let labels = data.labels();
        Drawn {
            names,
            labels: labels.map(|l| l.name().to_owned()),
            classes: labels.map(|l| l.classes().to_vec()).unwrap_or_default(),
            codes: labels.map(|l| indices.iter().map(|&i| l.codes()[i]).collect()).unwrap_or_default(),
            indices,
        }
    }

    /// These samples of some data.
    fn of_data(&self, data: Dataset, monitor: &dyn Monitor) -> Result<Dataset> {
        if self.indices.len() == data.n_samples() { Ok(data) } else { data.samples(&self.indices, monitor) }
    }

    /// What a graph of them, or of all samples, is.
    fn graph(&self, graph: &Graph, data: &Dataset) -> GraphPortrait {
        let own =
            if graph.n_samples() == data.n_samples() { data.labels().cloned() } else { self.own_labels() };
        GraphPortrait::of(graph, own.as_ref())
    }

    /// Their labels.
    fn own_labels(&self) -> Option<Labels> {
        let class = |code: &Option<u32>| code.map(|c| self.classes[c as usize].as_str());
        self.labels.as_ref().map(|name| Labels::new(self.codes.iter().map(class)).called(name))
    }
}
