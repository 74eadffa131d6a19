//! [`Findings`]: what an [`Analysis`](crate::Analysis) found, as plain data.
//!
//! Everything a reader needs is in it and nothing else is: tables, CSV, JSON, reports and data frames are
//! renderings of it, and none of them has to ask the data or the method again.

use std::borrow::Cow;
use std::sync::Arc;

use crate::advice;
use crate::dataset::{Carried, Dataset, FeatureNames, Labels, Scaling, Target, Transform};
use crate::detail::Detail;
use crate::eval::Evaluation;
use crate::fusion::Hits;
use crate::graph::{Diagnostics, Graph};
use crate::parameters::{ParameterValue, Parameters};
use crate::portrait::Portrait;
use crate::ranking::{Goal, OrderedBy, Ranking};
use crate::selector::MethodInfo;
use crate::spectrum::Spectrum;
use crate::stability::Report;

/// The answer to an [`Analysis`](crate::Analysis).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Findings {
    /// The version of this format; it changes when a reader of the last one would misread this one.
    pub format: u32,
    /// What was asked, of which data, by which program.
    pub card: RunCard,
    /// The names of all features.
    pub features: FeatureNames,
    /// What each method saw of the data, in the order asked.
    pub seen: Vec<Seen>,
    /// One ranking a method, in the order asked.
    pub rankings: Vec<RankingFound>,
    /// The graph by itself, where it was asked for.
    pub graph: Option<GraphFound>,
    /// How good the selections are, where that was asked.
    pub evaluation: Option<Evaluation>,
    /// How sure the selection is, one report a kind of change, where that was asked.
    pub stability: Vec<Report>,
    /// What each source of a fusion contributed, or each list of an aggregation, in the order given.
    pub sources: Vec<SourceFound>,
    /// The name of the labels that the weights of the sources were learned from, where they were.
    pub weighed_by: Option<String>,
    /// How many features that are known to matter are among the best, where a list of them was given.
    pub known: Option<KnownFound>,
    /// What a report draws, where that was asked.
    pub portrait: Option<Portrait>,
    /// What was decided without being asked.
    pub notes: Vec<String>,
    /// What to know before trusting it, each sentence once.
    pub warnings: Vec<String>,
    /// Seconds, where the caller has a clock.
    pub seconds: Option<f64>,
}

/// The format of [`Findings`] that this version writes.
pub const FORMAT: u32 = 1;

/// What was asked, of which data, by which program.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunCard {
    /// The version of the library.
    pub version: &'static str,
    /// The data.
    pub data: DataCard,
    /// What was asked, as given: `method`, `k`, ….
    pub asked: Vec<(String, ParameterValue)>,
    /// The seed, where one was given.
    pub seed: Option<u64>,
}

/// The data that were looked at.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DataCard {
    /// What the user calls them.
    pub name: String,
    /// Number of samples; 0 where rankings alone were looked at.
    pub n_samples: usize,
    /// Number of features.
    pub n_features: usize,
    /// Number of features that are constant.
    pub n_constant: usize,
    /// How many features are carried by few samples.
    pub carried: Carried,
    /// Whether the user said what is done to every value.
    pub transform_is_asked: bool,
    /// Whether they are stored by their non-zeros.
    pub is_sparse: bool,
    /// Their labels, used or not.
    pub labels: Option<LabelCard>,
    /// The number to be predicted, used or not.
    pub target: Option<TargetCard>,
    /// [`Dataset::fingerprint`]; none where rankings alone were looked at.
    pub fingerprint: Option<u64>,
}

/// The labels of the data.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelCard {
    /// What they are called.
    pub name: String,
    /// The classes with the number of samples of each.
    pub classes: Vec<(String, usize)>,
    /// Samples without a label.
    pub unlabeled: usize,
    /// Whether the user named them.
    pub named: bool,
}

/// The number to be predicted.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetCard {
    /// What it is called.
    pub name: String,
    /// The smallest and the largest number.
    pub range: (f64, f64),
}

/// What a method saw of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// The method, with the values of its parameters where those vary.
    pub method: String,
    /// How the features were scaled.
    pub scaling: Scaling,
    /// What was done to every value.
    pub transform: Transform,
    /// The name of the labels, where it saw any.
    pub labels: Option<String>,
    /// The name of the number to be predicted, where it saw one.
    pub target: Option<String>,
}

impl Seen {
    /// What a method saw, from its view of the data.
    pub(crate) fn of(method: String, view: &Dataset) -> Self {
        Seen {
            method,
            scaling: view.scaling(),
            transform: view.transform(),
            labels: view.labels().map(|labels| labels.name().to_owned()),
            target: view.target().map(|target| target.name().to_owned()),
        }
    }
}

/// What a method found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RankingFound {
    /// The description of the method.
    pub method: &'static MethodInfo,
    /// Which way is better.
    pub goal: Goal,
    /// What the places are ordered by.
    pub ordered_by: OrderedBy,
    /// What the method was asked with, and what it chose by itself.
    pub parameters: Parameters,
    /// How the data that it saw were scaled.
    pub scaling: Scaling,
    /// What was done to every value that it saw.
    pub transform: Transform,
    /// The name of the labels that it saw, where it saw any.
    pub labels: Option<String>,
    /// The name of the number to be predicted that it saw, where it saw one.
    pub target: Option<String>,
    /// The graph, where it used one.
    pub graph: Option<Arc<GraphSummary>>,
    /// That graph itself, shared.
    pub similarity: Option<Arc<Graph>>,
    /// The features, best first (after those that must be included): all of them, or as many as were
    /// asked for.
    pub places: Vec<Place>,
    /// The best score of all features, listed or not, and the worst, or that of a feature that counts nothing
    /// ([`Ranking::range`]).
    pub range: Option<(f64, f64)>,
    /// Number of features that have a score.
    pub n_scored: usize,
    /// Whether the scores tell features apart ([`Ranking::tells_apart`]).
    pub tells_apart: bool,
    /// How many features to keep by the turning point of the scores, where they have one.
    pub elbow: Option<usize>,
    /// Why they have none.
    pub no_elbow: Option<String>,
    /// What the method tells beyond scores.
    pub details: Vec<Detail>,
    /// What was decided without being asked.
    pub notes: Vec<String>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
    /// Seconds for the graph and the scores, where the caller has a clock.
    pub seconds: Option<f64>,
}

/// A feature and its place in a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// From 1.
    pub rank: usize,
    /// The feature, by its column; [`Findings::features`] has its name.
    pub index: usize,
    /// Its score, if it has one.
    pub score: Option<f64>,
    /// Whether it is there because the user wanted it, whatever its score.
    pub included: bool,
    /// Why it has no score, or ranks where its score alone would not put it.
    pub reason: Option<Cow<'static, str>>,
}

/// What a graph is, and its vital signs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphSummary {
    /// `knn`, `rbf`, `labels`, ….
    pub kind: String,
    /// Parameters as given, and what was chosen automatically.
    pub parameters: Vec<(Cow<'static, str>, ParameterValue)>,
    /// Components, isolated samples, degrees, edges.
    pub health: Diagnostics,
}

/// A graph by itself, with its spectrum.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GraphFound {
    /// What it is, and its vital signs.
    pub summary: Arc<GraphSummary>,
    /// The graph itself, shared.
    pub similarity: Arc<Graph>,
    /// Samples per component, most first.
    pub component_sizes: Vec<usize>,
    /// The degree of every sample.
    pub degrees: Vec<f64>,
    /// The leading eigenpairs, where they were asked for.
    pub spectrum: Option<Spectrum>,
    /// How the data that it was made of were scaled.
    pub scaling: Scaling,
    /// What was done to every value.
    pub transform: Transform,
}

/// What a source of a fusion, or a list of an aggregation, contributed.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceFound {
    /// What the user calls it.
    pub name: String,
    /// Its share of the combined graph, or the weight of its list.
    pub weight: f64,
    /// The rank that it alone gives every feature, from 1, where it gives one.
    pub ranks: Vec<Option<usize>>,
    /// How well its list agrees with the features that are known to matter: the chance that it ranks one of them
    /// before one that is not known, where a list of them was given.
    pub with_known: Option<f64>,
    /// Its graph, where it has one.
    pub graph: Option<SourceGraph>,
}

/// The graph of a source of a fusion.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceGraph {
    /// What it was multiplied by to have mean degree 1.
    pub scale: f64,
    /// Centered alignment with every source in order, itself (1) included; from -1 to 1.
    pub agreement: Vec<f64>,
    /// Centered alignment with the labels, over the labeled samples, where there are labels.
    pub with_labels: Option<f64>,
    /// What it is, and its vital signs.
    pub summary: GraphSummary,
}

/// Features that are known to matter, and where a ranking puts them.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownFound {
    /// How many of them are ranked.
    pub ranked: usize,
    /// The others, by name.
    pub not_ranked: Vec<String>,
    /// How many are among the best, at several depths.
    pub hits: Vec<Hits>,
    /// The same where weights were learned from them: each is counted at the rank that it has by weights that were
    /// learned without it. Empty where nothing was learned.
    pub left_out: Vec<LeftOut>,
}

/// Known features that are among the first `depth` by weights that were learned without them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// How many features were looked at.
    pub depth: usize,
    /// How many known features are there, each by weights of its own.
    pub hits: usize,
    /// hits / all known features.
    pub recall: f64,
}

impl Findings {
    /// Nothing found yet.
    pub(crate) fn new(card: RunCard, features: FeatureNames) -> Self {
        Findings {
            format: FORMAT,
            card,
            features,
            seen: Vec::new(),
            rankings: Vec::new(),
            graph: None,
            evaluation: None,
            stability: Vec::new(),
            sources: Vec::new(),
            weighed_by: None,
            known: None,
            portrait: None,
            notes: Vec::new(),
            warnings: Vec::new(),
            seconds: None,
        }
    }

    /// Adds a note that is not there yet.
    pub fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Adds a warning that is not there yet.
    pub fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

impl DataCard {
    /// The card of `data`, which the user calls `name`.
    pub fn of(data: &Dataset, name: &str) -> Self {
        DataCard {
            name: name.to_owned(),
            n_samples: data.n_samples(),
            n_features: data.n_features(),
            n_constant: (0..data.n_features()).filter(|&j| data.constant(j)).count(),
            carried: data.carried_by_few(),
            transform_is_asked: data.transform_is_asked(),
            is_sparse: data.is_sparse(),
            labels: data.labels().map(|labels| LabelCard::of(labels, data.labels_are_named())),
            target: data.target().map(TargetCard::of),
            fingerprint: Some(data.fingerprint()),
        }
    }
}

impl LabelCard {
    fn of(labels: &Labels, named: bool) -> Self {
        let mut sizes = vec![0; labels.classes().len()];
        labels.codes().iter().flatten().for_each(|&code| sizes[code as usize] += 1);
        LabelCard {
            name: labels.name().to_owned(),
            classes: labels.classes().iter().cloned().zip(sizes).collect(),
            unlabeled: labels.codes().iter().filter(|code| code.is_none()).count(),
            named,
        }
    }
}

impl TargetCard {
    fn of(target: &Target) -> Self {
        TargetCard { name: target.name().to_owned(), range: target.range() }
    }
}

impl GraphSummary {
    /// The summary of a graph.
    pub fn of(graph: &Graph) -> Self {
        let description = graph.description();
        GraphSummary {
            kind: description.kind.to_owned(),
            parameters: description.parameters,
            health: graph.diagnostics(),
        }
    }
}

impl RankingFound {
    /// What `method` found, with the features `listed`, of which the first are `included`.
    pub(crate) fn new(
        method: &'static MethodInfo,
        ranking: Ranking,
        data: &Dataset,
        listed: &[usize],
        included: &[usize],
    ) -> Self {
        let place = |(at, &j): (usize, &usize)| Place {
            rank: at + 1,
            index: j,
            score: ranking.score(j),
            included: included.contains(&j),
            reason: why(&ranking, data, j),
        };
        let places = listed.iter().enumerate().map(place).collect();
        Self::with_places(method, ranking, places)
    }

    /// What `method` found, with the features at these places.
    pub(crate) fn with_places(method: &'static MethodInfo, ranking: Ranking, places: Vec<Place>) -> Self {
        RankingFound {
            method,
            goal: ranking.goal(),
            ordered_by: ranking.ordered_by(),
            places,
            range: ranking.range(),
            n_scored: ranking.n_scored(),
            tells_apart: ranking.tells_apart(),
            elbow: ranking.elbow(),
            no_elbow: ranking.elbow().is_none().then(|| advice::no_elbow(&ranking)),
            scaling: ranking.scaling,
            transform: ranking.transform,
            graph: None,
            similarity: None,
            parameters: ranking.parameters,
            labels: ranking.labels,
            target: ranking.target,
            details: ranking.details,
            notes: ranking.notes,
            warnings: ranking.warnings,
            seconds: None,
        }
    }
}

/// Why a feature has no score, or ranks where its score alone would not put it.
pub(crate) fn why(ranking: &Ranking, data: &Dataset, j: usize) -> Option<Cow<'static, str>> {
    if ranking.score(j).is_none() {
        let reason = match &ranking.graph {
            _ if data.constant(j) => "constant",
            Some(_) => "varies only where the graph has no weight",
            None => "the method finds nothing in it",
        };
        return Some(Cow::Borrowed(reason));
    }
    let samples = data.effective_samples(j).round();
    ranking.is_aside(j).then(|| format!("only about {samples} samples carry it: too few to judge").into())
}
