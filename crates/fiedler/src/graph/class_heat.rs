//! Samples of one class, the more strongly the nearer they are: step 1 of the Laplacian score where labels are known
//! (LS section 2: an edge between two samples that share a label, with the weight of its step 2).
//!
//! ```text
//! S_ij = exp(-‖xᵢ-xⱼ‖²/t) where i and j are of the same class, else 0
//! ```
//! Automatic t: the mean of the squared distances of such pairs. [`Labels`](super::classes) has the same edges, all alike.
//!
//! Cost: the pairs inside classes × features, and memory for these pairs.

use super::knn::{Bandwidth, gaussian};
use super::sparse::Sparse;
use super::vocabulary::{self, BANDWIDTH};
use super::{Graph, GraphInfo, GraphKind, Metric, Origin, Remedies, Similarity, Weighting, neighbors};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::{Error, Result};

/// Bytes that a pair takes while the graph is made.
const PER_PAIR: u64 = 64;

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "class-heat",
    title: "classes, by distance",
    joins: "Every sample with all others of its class, the more strongly the nearer they are.",
    called: "the class-heat graph",
    parameters: &[BANDWIDTH],
    formula: "exp(-‖xᵢ-xⱼ‖²/t) where i and j are both of class l, else 0",
    needs_labels: true,
    remedies: Remedies { apart: None, ..Remedies::WIDTH },
    cost: "pairs inside classes x features, and memory for these pairs",
    fails: "Where labels are identifiers: every sample is then alone. Too large for large classes.",
    reference: "He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005, section 2",
    ..GraphInfo::BLANK
};

/// Samples of one class, with heat weights.
///
/// ```
/// use fiedler::{Silent, dataset::demo, graph::ClassHeat};
///
/// let graph = ClassHeat::default().build(&demo::iris()?, &Silent)?;
/// assert_eq!(graph.diagnostics().edges, 3 * 50 * 49 / 2);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClassHeat {
    /// t.
    pub bandwidth: Bandwidth,
}

impl GraphKind for ClassHeat {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        Ok(ClassHeat { bandwidth: vocabulary::bandwidth(parameters) })
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

impl ClassHeat {
    /// Makes the graph.
    ///
    /// # Errors
    /// Labels are missing or partial, the bandwidth is not positive, the pairs would not fit, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.bandwidth.check()?;
        let (codes, classes) = data.classes(INFO.called)?;
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); classes];
        codes.iter().zip(0..).for_each(|(&code, i)| members[code as usize].push(i));
        let count: u64 =
            members.iter().map(|m| m.len() as u64 * (m.len() as u64).saturating_sub(1) / 2).sum();
        if count == 0 {
            return Err(Error::parameter(
                "labels",
                "such that a class has two samples",
                "classes of one sample",
            ));
        }
        let advice = "use the label graph (`graph` labels), which is never written out, or a knn graph";
        monitor.limits().check(INFO.called, count.saturating_mul(PER_PAIR), advice)?;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for of_class in &members {
            for (at, &i) in of_class.iter().enumerate() {
                pairs.extend(of_class[at + 1..].iter().map(|&j| (i, j)));
            }
        }
        let squares = neighbors::pair_distances(data, pairs.iter().copied(), monitor)?;
        let t = match self.bandwidth {
            Bandwidth::Given(t) => t,
            Bandwidth::Auto => squares.iter().sum::<f64>() / squares.len() as f64,
        };
        let weighed = pairs.iter().zip(&squares).map(|(&(i, j), &square)| (i, j, gaussian(square, t)));
        let sparse = Sparse::from_upper(data.n_samples(), weighed.collect());
        let origin = Origin::new(&INFO, [("classes", classes.into())]);
        let origin = Origin { metric: Some(Metric::Euclidean), ..origin };
        Ok(Graph::new(Similarity::Sparse(sparse), origin.weighted(Weighting::Heat { t })))
    }
}
