//! The eigenpairs Lq = λDq, qᵀDq = 1, in groups of equal eigenvalues.

use std::ops::Range;

use crate::graph::Graph;
use crate::monitor::Monitor;
use crate::spectrum::{EQUAL, Spectrum};
use crate::{Error, Result};

/// Eigenpairs by ascending eigenvalue, each group of equal eigenvalues whole.
pub(super) struct Modes {
    values: Vec<f64>,
    /// q, one pair after the other.
    vectors: Vec<Vec<f64>>,
    groups: Vec<Range<usize>>,
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
        let spectrum = Spectrum::leading_whole(graph, asked, monitor)?;
        // q = D^-½ξ has the same λ; a sample without neighbours takes no part.
        let half: Vec<f64> =
            graph.degrees().iter().map(|&d| if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }).collect();
        let vector = |r: usize| spectrum.vectors().col(r).iter().zip(&half).map(|(x, h)| x * h).collect();
        let values = spectrum.values().to_vec();
        let groups = groups(&values);
        Ok(Modes { vectors: (0..spectrum.len()).map(vector).collect(), groups, values, asked })
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Number of samples.
    pub(super) fn n_samples(&self) -> usize {
        self.vectors[0].len()
    }

    /// λ of pair `r`.
    pub(super) fn value(&self, r: usize) -> f64 {
        self.values[r]
    }

    /// q of pair `r`.
    pub(super) fn vector(&self, r: usize) -> &[f64] {
        &self.vectors[r]
    }

    /// Groups of equal eigenvalues; the first is that of λ = 0.
    pub(super) fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    /// The vectors `range` side by side, sample after sample.
    pub(super) fn by_sample(&self, range: Range<usize>) -> Vec<f64> {
        let vectors = &self.vectors[range];
        (0..self.n_samples()).flat_map(|i| vectors.iter().map(move |q| q[i])).collect()
    }

    /// What a user should know.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.len() > self.asked {
            warnings.push(format!(
                "`rank` {} would cut through equal eigenvalues; the whole group is taken, {} eigenvalues in all",
                self.asked,
                self.len()
            ));
        }
        if self.groups.len() == 1 && self.len() < self.n_samples() {
            warnings.push(format!(
                "the {} smallest eigenvalues are all 0 and stay 0 whatever the features weigh, so every score \
                 is 0; a larger `rank`, k or bandwidth helps",
                self.len()
            ));
        }
        warnings
    }
}

fn groups(values: &[f64]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    for end in 1..=values.len() {
        if end == values.len() || values[end] - values[end - 1] > EQUAL {
            groups.push(start..end);
            start = end;
        }
    }
    groups
}
