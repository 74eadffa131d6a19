//! The eigenpairs Lq = λDq, qᵀDq = 1, in groups of equal eigenvalues.
//!
//! One vector per component of the graph, constant on it, has λ = 0 and keeps it under any weights:
//! these are known exactly and left out. What else lies near 0 moves like any other eigenvalue; a
//! weak bridge between two clusters is what a feature can make or break. (Nothing is lost by parting
//! the two: where λ = 0, the projected matrix is 0 between a constant vector and any other.)

use std::cmp::Ordering;
use std::ops::Range;

use crate::graph::Graph;
use crate::monitor::Monitor;
use crate::spectrum::{Spectrum, are_equal, has_negative_weights};
use crate::{Error, Result};

/// Eigenpairs by ascending eigenvalue, each group of equal eigenvalues whole; without those that
/// stay 0.
pub(super) struct Modes {
    values: Vec<f64>,
    /// q, one pair after the other.
    vectors: Vec<Vec<f64>>,
    groups: Vec<Range<usize>>,
    n_samples: usize,
    /// Pairs that stay 0.
    fixed: usize,
    asked: usize,
}

impl Modes {
    /// The `rank` smallest pairs of a graph, and whatever more belongs to the last one's group;
    /// `None`: all pairs.
    pub(super) fn smallest(graph: &Graph, rank: Option<usize>, monitor: &dyn Monitor) -> Result<Self> {
        let n = graph.n_samples();
        let asked = rank.unwrap_or(n);
        if asked == 0 || asked > n {
            let rule = format!("`all` or from 1 to the number of samples ({n})");
            return Err(Error::parameter("rank", rule, asked));
        }
        let signed = has_negative_weights(graph);
        // With negative weights eigenvalues lie below 0, and which are the smallest is known once all are.
        let spectrum = if signed {
            Spectrum::complete(graph, monitor)?
        } else {
            Spectrum::leading_whole(graph, asked, monitor).map_err(advise)?
        };
        let constant = if signed { 1 } else { graph.diagnostics().components };
        let order = smallest_whole(spectrum.values(), asked);
        let moving: Vec<usize> = order.iter().copied().filter(|&r| r >= constant).collect();
        // q = D^-½ξ has the same λ; a sample without neighbors takes no part.
        let half: Vec<f64> =
            graph.degrees().iter().map(|&d| if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }).collect();
        let vector = |&r: &usize| spectrum.vectors().col(r).iter().zip(&half).map(|(x, h)| x * h).collect();
        let values: Vec<f64> = moving.iter().map(|&r| spectrum.values()[r]).collect();
        Ok(Modes {
            vectors: moving.iter().map(vector).collect(),
            groups: groups(&values),
            fixed: order.len() - moving.len(),
            n_samples: n,
            values,
            asked,
        })
    }

    /// Number of pairs that can move.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Number of pairs, those that stay 0 among them.
    pub(super) fn rank(&self) -> usize {
        self.len() + self.fixed
    }

    /// Number of samples.
    pub(super) fn n_samples(&self) -> usize {
        self.n_samples
    }

    /// λ of pair `r`.
    pub(super) fn value(&self, r: usize) -> f64 {
        self.values[r]
    }

    /// q of pair `r`.
    pub(super) fn vector(&self, r: usize) -> &[f64] {
        &self.vectors[r]
    }

    /// Groups of equal eigenvalues.
    pub(super) fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    /// The vectors `range` side by side, sample after sample.
    pub(super) fn by_sample(&self, range: Range<usize>) -> Vec<f64> {
        let vectors = &self.vectors[range];
        (0..self.n_samples()).flat_map(|i| vectors.iter().map(move |q| q[i])).collect()
    }

    /// What a user should know, given the scores.
    pub(super) fn warnings(&self, scores: &[f64]) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.rank() > self.asked {
            warnings.push(format!(
                "`rank` {} would cut through equal eigenvalues; the whole group is taken, {} eigenvalues in all",
                self.asked,
                self.rank()
            ));
        }
        let scored = || scores.iter().filter(|s| !s.is_nan());
        if scored().next().is_none() || scored().any(|&s| s != 0.0) {
            return warnings;
        }
        warnings.push(match (self.len(), self.rank() < self.n_samples()) {
            (0, true) => format!(
                "the {} smallest eigenvalues are all 0 and stay 0 whatever the features weigh, so every score \
                 is 0; a larger `rank`, k or bandwidth helps",
                self.rank()
            ),
            _ => "no eigenvalue moves whatever the features weigh, so every score is 0; a larger k or bandwidth \
                  joins more samples"
                .to_owned(),
        });
        warnings
    }
}

/// The `count` smallest values and whatever equals the last of them, by index, ascending.
fn smallest_whole(values: &[f64], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // Stable, so that the pairs of the components stay in front of what else is 0.
    order.sort_by(|&a, &b| values[a].partial_cmp(&values[b]).unwrap_or(Ordering::Equal));
    let mut end = count.min(order.len());
    while end < order.len() && are_equal(values[order[end]], values[order[end - 1]]) {
        end += 1;
    }
    order.truncate(end);
    order
}

/// All pairs are what does not fit, whatever the graph.
fn advise(error: Error) -> Error {
    match error {
        Error::TooLarge { what, needed, allowed, .. } => {
            let advice = "take few eigenvalues (`rank=20`)".to_owned();
            Error::TooLarge { what, needed, allowed, advice }
        }
        other => other,
    }
}

fn groups(values: &[f64]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    for end in 1..=values.len() {
        if end == values.len() || !are_equal(values[end], values[end - 1]) {
            groups.push(start..end);
            start = end;
        }
    }
    groups
}
