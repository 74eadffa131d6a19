//! Who is judged: a method that ranks inside every training part, or rankings made elsewhere.

use std::sync::Arc;

use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::selector::Selector;
use crate::{Error, Result};

/// A ranking to be judged, and where it comes from.
#[derive(Clone)]
pub struct Candidate {
    /// The name in tables.
    pub name: String,
    /// Where its rankings come from.
    pub source: CandidateSource,
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
}

impl Candidate {
    /// A method under its own name. It sees labels as it would anywhere else.
    pub fn method(method: impl Selector + 'static) -> Self {
        Self::shared(Arc::new(method))
    }

    /// As [`method`](Self::method), for a method that is shared already.
    pub fn shared(method: Arc<dyn Selector>) -> Self {
        Candidate { name: method.info().name.to_owned(), source: CandidateSource::Method(method) }
    }

    /// A ranking made elsewhere. What it saw when it was made is not known here.
    pub fn order(name: impl Into<String>, order: Vec<usize>) -> Self {
        Candidate { name: name.into(), source: CandidateSource::Order(order) }
    }

    /// One ranking a partition, made elsewhere.
    pub fn orders(name: impl Into<String>, orders: Vec<Vec<usize>>) -> Self {
        Candidate { name: name.into(), source: CandidateSource::Orders(orders) }
    }

    /// Checks the rankings that are given.
    pub(super) fn check(&self, m: usize, most: usize, partitions: usize) -> Result<()> {
        let orders = match &self.source {
            CandidateSource::Method(_) => return Ok(()),
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

    /// The ranking for a partition; `data` are the samples it may see.
    pub(super) fn ranked(&self, data: &Dataset, partition: usize, monitor: &dyn Monitor) -> Result<Ranked> {
        match &self.source {
            CandidateSource::Order(order) => Ok(Ranked::plain(order.clone())),
            CandidateSource::Orders(orders) => Ok(Ranked::plain(orders[partition].clone())),
            CandidateSource::Method(method) => {
                let ranking = method.rank_with(data, monitor)?;
                let scored = ranking.n_scored();
                let warnings = [ranking.notes.clone(), ranking.warnings.clone()].concat();
                Ok(Ranked { order: ranking.order().to_vec(), scored, warnings })
            }
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
            format!("as long as the largest count ({most}) at least"),
            format!("{} features", order.len()),
        ))
    } else {
        Ok(())
    }
}

/// A ranking as the evaluation uses it.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub(super) order: Vec<usize>,
    /// How many of them have a score.
    scored: usize,
    pub(super) warnings: Vec<String>,
}

impl Ranked {
    fn plain(order: Vec<usize>) -> Self {
        Ranked { scored: order.len(), order, warnings: Vec::new() }
    }

    /// The features from the other end: the worst first, those without a score after all others, because
    /// they were not judged bad.
    pub(super) fn reversed(&self) -> Vec<usize> {
        let (judged, rest) = self.order.split_at(self.scored);
        judged.iter().rev().chain(rest).copied().collect()
    }
}
