//! The full RBF graph (SPEC eq. 1, EVSC): S_ij = exp(-‖xᵢ-xⱼ‖²/2σ²) for all pairs, diagonal 1.
//!
//! Automatic bandwidth: 2σ² = median of the squared distances, i < j.
//!
//! Cost: O(n²m) time in matrix products, n² memory, twice while the bandwidth is chosen; refused where that is more than the limits allow.

use super::dense::{self, Dense};
use super::knn::{Bandwidth, gaussian};
use super::vocabulary::{self, BANDWIDTH};
use super::{Graph, GraphInfo, GraphKind, Metric, Origin, Remedies, Similarity, Weighting, neighbors};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::{Error, Result};

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "rbf",
    title: "all pairs",
    joins: "Every sample with every other, the more strongly the nearer they are.",
    called: "the rbf graph",
    parameters: &[BANDWIDTH],
    formula: "exp(-‖xᵢ-xⱼ‖²/2σ²)",
    remedies: Remedies::WIDTH,
    cost: "samples² x features, and memory for samples² numbers",
    fails: "Where the bandwidth does not suit: all similarities are then near 0 or near 1. Too large for many \
            samples.",
    reference: "Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007, eq. 1",
    ..GraphInfo::BLANK
};

/// The full RBF graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rbf {
    /// σ.
    pub bandwidth: Bandwidth,
}

impl GraphKind for Rbf {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        Ok(Rbf { bandwidth: vocabulary::bandwidth(parameters) })
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

impl Rbf {
    /// Makes the graph.
    ///
    /// # Errors
    /// The bandwidth is not positive, n × n weights would not fit, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.bandwidth.check()?;
        let n = data.n_samples();
        if n < 2 {
            return Err(Error::TooFewSamples { what: "an RBF graph", needed: 2, got: n });
        }
        dense::check_size("the full RBF graph", n, 2, monitor)?;
        let mut weights = neighbors::squared_distances(data, monitor)?;
        let above = || (0..n).flat_map(|j| weights.col_as_slice(j)[..j].iter().copied());
        let scale = self.bandwidth.scale(|| median(above().collect()));
        neighbors::each_column(weights.as_mut(), &|square| gaussian(square, scale));
        let origin = Origin { metric: Some(Metric::Euclidean), ..Origin::new(&INFO, []) };
        Ok(Graph::new(Similarity::Dense(Dense::new(weights)), origin.weighted(Weighting::rbf(scale))))
    }
}

/// The median; the mean of the two middle values where their number is even, 0 of no values.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp) {
        Some(lower) if even => (lower + upper) / 2.0,
        _ => upper,
    }
}
