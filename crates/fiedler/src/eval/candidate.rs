//! Who is judged: a method or a fusion that ranks inside every training part, or rankings made elsewhere.

use std::fmt;
use std::sync::Arc;

use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::ParameterValue;
use crate::ranking::Ranking;
use crate::selector::{Selector, Supervision};
use crate::{Error, Result};

/// A ranking to be judged, and where it comes from.
#[derive(Clone)]
pub struct Candidate {
    /// The name in tables.
    pub name: String,
    /// Where its rankings come from.
    pub source: CandidateSource,
    /// What sets it apart where a method is judged with several values of its parameters.
    pub variant: Option<Variant>,
    /// The features that its rankings were made to put in front, where they learned from some that are known to matter.
    pub learned_from: Vec<usize>,
}

/// A method with some values of its parameters, among others of the same method.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// The method.
    pub of: String,
    /// The parameters that vary, each with its value here.
    pub values: Vec<(String, ParameterValue)>,
}

impl fmt::Display for Variant {
    /// `sselect lambda=0.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.of)?;
        self.values.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

/// Where rankings come from.
#[derive(Clone)]
pub enum CandidateSource {
    /// A method, asked anew on the training part of every partition.
    Method(Arc<dyn Selector>),
    /// One ranking for all partitions: indices of features, best first, at least as many as the
    /// largest count.
    Order(Vec<usize>),
    /// One ranking a partition.
    Orders(Vec<Vec<usize>>),
    /// Something else that ranks, asked anew on the training part of every partition.
    Ranker(Arc<dyn Ranker>),
}

/// What ranks features on some of the samples, and is no method by itself: a fusion of sources, say.
pub trait Ranker: Send + Sync {
    /// Ranks the features. `seen` has the samples that may be looked at with the labels that are known, and `samples` says
    /// which of all they are.
    ///
    /// # Errors
    /// The samples do not suit.
    fn rank(&self, seen: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> Result<Made>;

    /// Whether the labels of these samples take part.
    fn sees_labels(&self) -> bool {
        false
    }

    /// The features known to matter that it learns from: hits counted by them say nothing.
    fn learned_from(&self) -> &[usize] {
        &[]
    }
}

/// A ranking as it is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Indices of features, best first.
    pub order: Vec<usize>,
    /// How many of them have a score.
    pub scored: usize,
    /// Whether it tells features apart ([`Ranking::tells_apart`]); an order that does not is not judged.
    pub tells_apart: bool,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate").field("name", &self.name).field("made_by", &self.made_by()).finish()
    }
}

/// Who made the rankings of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeBy {
    /// A method, asked on every training part.
    Method,
    /// A fusion, made anew on every training part.
    Fusion,
    /// Rankings made elsewhere, whatever they saw.
    Ranking,
    /// Nobody: random selection, or all features.
    Nobody,
}

impl MadeBy {
    /// The name in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            MadeBy::Method => "method",
            MadeBy::Fusion => "fusion",
            MadeBy::Ranking => "ranking",
            MadeBy::Nobody => "none",
        }
    }
}

impl Candidate {
    /// A method under its own name. It sees labels as it would anywhere else.
    pub fn method(method: impl Selector + 'static) -> Self {
        Self::shared(Arc::new(method))
    }

    /// As [`method`](Self::method), for a method that is shared already.
    pub fn shared(method: Arc<dyn Selector>) -> Self {
        Self::of(method.info().name, CandidateSource::Method(method))
    }

    fn of(name: impl Into<String>, source: CandidateSource) -> Self {
        Candidate { name: name.into(), source, variant: None, learned_from: Vec::new() }
    }

    /// The same as one of several variants, under the name of its values.
    #[must_use]
    pub fn varied(mut self, variant: Option<Variant>) -> Self {
        self.name = variant.as_ref().map_or(self.name, Variant::to_string);
        self.variant = variant;
        self
    }

    /// A ranking made elsewhere. What it saw when it was made is not known here.
    pub fn order(name: impl Into<String>, order: Vec<usize>) -> Self {
        Self::of(name, CandidateSource::Order(order))
    }

    /// One ranking a partition, made elsewhere.
    pub fn orders(name: impl Into<String>, orders: Vec<Vec<usize>>) -> Self {
        Self::of(name, CandidateSource::Orders(orders))
    }

    /// Something that ranks on the training part of every partition.
    pub fn ranker(name: impl Into<String>, ranker: Arc<dyn Ranker>) -> Self {
        let learned_from = ranker.learned_from().to_vec();
        Candidate { learned_from, ..Self::of(name, CandidateSource::Ranker(ranker)) }
    }

    /// The same, where its ranking learned from these features.
    #[must_use]
    pub fn learned_from(self, features: &[usize]) -> Self {
        Candidate { learned_from: features.to_vec(), ..self }
    }

    /// Where its rankings come from.
    pub fn made_by(&self) -> MadeBy {
        match self.source {
            CandidateSource::Method(_) => MadeBy::Method,
            CandidateSource::Ranker(_) => MadeBy::Fusion,
            CandidateSource::Order(_) | CandidateSource::Orders(_) => MadeBy::Ranking,
        }
    }

    /// Whether its rankings may depend on which labels are known.
    pub(super) fn looks_at_labels(&self, data: &Dataset) -> bool {
        match &self.source {
            CandidateSource::Method(method) => {
                method.info().supervision == Supervision::SemiSupervised || method.labels().sees(data)
            }
            CandidateSource::Ranker(_) => true,
            CandidateSource::Order(_) | CandidateSource::Orders(_) => false,
        }
    }

    /// Whether labels or the target of the samples that it ranks by take part in its rankings.
    pub(super) fn sees_labels(&self, data: &Dataset) -> bool {
        match &self.source {
            CandidateSource::Ranker(ranker) => ranker.sees_labels(),
            _ => self.looks_at_labels(data),
        }
    }

    /// How many features the shortest of its rankings has, where they are given.
    pub(crate) fn shortest(&self) -> Option<usize> {
        match &self.source {
            CandidateSource::Method(_) | CandidateSource::Ranker(_) => None,
            CandidateSource::Order(order) => Some(order.len()),
            CandidateSource::Orders(orders) => orders.iter().map(Vec::len).min(),
        }
    }

    /// Checks the rankings that are given.
    pub(super) fn check(&self, m: usize, most: usize, partitions: usize) -> Result<()> {
        let orders = match &self.source {
            CandidateSource::Method(_) | CandidateSource::Ranker(_) => return Ok(()),
            CandidateSource::Order(order) => std::slice::from_ref(order),
            CandidateSource::Orders(orders) if orders.len() == partitions => orders,
            CandidateSource::Orders(orders) => {
                return Err(Error::Length {
                    what: "rankings, one a partition",
                    expected: partitions,
                    got: orders.len(),
                });
            }
        };
        orders.iter().try_for_each(|order| check_order(&self.name, order, m, most))
    }

    /// The ranking for a partition; `data` are the samples it may see, and `samples` says which of all they are.
    pub(super) fn ranked(
        &self,
        (data, samples): (&Dataset, &[usize]),
        partition: usize,
        monitor: &dyn Monitor,
    ) -> Result<Made> {
        match &self.source {
            CandidateSource::Ranker(ranker) => ranker.rank(data, samples, monitor),
            CandidateSource::Order(order) => Ok(Made::plain(order.clone())),
            CandidateSource::Orders(orders) => Ok(Made::plain(orders[partition].clone())),
            CandidateSource::Method(method) => Ok(Made::from(&method.rank_with(data, monitor)?)),
        }
    }
}

fn check_order(name: &str, order: &[usize], m: usize, most: usize) -> Result<()> {
    let parameter = || format!("the ranking `{name}`");
    let mut seen = vec![false; m];
    for &j in order {
        match seen.get_mut(j) {
            Some(met) if !*met => *met = true,
            _ => {
                return Err(Error::parameter(
                    parameter(),
                    format!("a list of features below {m}, each once"),
                    j,
                ));
            }
        }
    }
    if order.len() < most {
        Err(Error::parameter(
            parameter(),
            if most == m {
                format!("of all {m} features, for all are judged")
            } else {
                format!("as long as the largest count ({most}) at least")
            },
            format!("{} feature{}", order.len(), if order.len() == 1 { "" } else { "s" }),
        ))
    } else {
        Ok(())
    }
}

impl From<&Ranking> for Made {
    fn from(ranking: &Ranking) -> Self {
        let warnings = [ranking.notes.clone(), ranking.warnings.clone()].concat();
        let (order, scored) = (ranking.order().to_vec(), ranking.n_scored());
        Made { order, scored, tells_apart: ranking.tells_apart(), warnings }
    }
}

impl Made {
    fn plain(order: Vec<usize>) -> Self {
        Made { scored: order.len(), order, tells_apart: true, warnings: Vec::new() }
    }

    /// The features from the other end: the worst first, those without a score after all others, because
    /// they were not judged bad.
    pub(super) fn reversed(&self) -> Vec<usize> {
        let (judged, rest) = self.order.split_at(self.scored);
        judged.iter().rev().chain(rest).copied().collect()
    }
}
