//! ReliefF as a spectral criterion (SPEC theorem 5, DIS 3.17).
//!
//! # What it measures
//! How close a feature keeps samples to their nearest hits (of the same class) and how far from
//! their nearest misses (of the other classes), compared to its length.
//!
//! # Formula
//! ```text
//! score = fᵀLf / fᵀf = Σ_{i<j} S_ij (f_i - f_j)² / Σ_i f_i²,  S the Relief graph
//! ```
//! Smaller is better; good features are negative. With mutual neighborhoods D = I and this is
//! SPEC φ1.
//!
//! # Symbols → code
//! S [`Relief`](crate::graph::Relief); fᵀLf [`Form::Laplacian`]; fᵀf [`Form::Norm`].
//!
//! # Cost
//! The neighbors by class, O(n²m), then edges × features.
//!
//! # When it fails
//! Noise features blur who is near, and then every feature suffers. fᵀf is not the variance:
//! without scaling, a feature with a large mean has a score near 0 whatever it tells. The
//! default scaling puts all means to 0.
//!
//! # Differences from the paper
//! The dissertation prints the graph with the opposite sign and then asks for large scores.
//! Neighbors are symmetrized; the paper needs them mutual.
//!
//! # References
//! Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007.

use crate::Result;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Scaling};
use crate::graph::{GraphRecipe, Relief, relief};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, Parameters, Role, Value};
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision};

/// ReliefF as a spectral criterion.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::ReliefSpec};
///
/// let ranking = ReliefSpec::default().rank(&demo::iris()?)?;
/// assert_eq!(ranking.order()[..2], [2, 3]); // the petals tell the species apart
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReliefSpec {
    /// Hits per sample, and misses per sample and other class.
    pub neighbors: usize,
}

impl Default for ReliefSpec {
    fn default() -> Self {
        Self::usual()
    }
}

/// fᵀLf / fᵀf.
const CRITERION: Criterion =
    Criterion { numerator: Form::Laplacian, denominator: Form::Norm, goal: Goal::Minimize };

impl Method for ReliefSpec {
    const INFO: MethodInfo = MethodInfo {
        name: "relief-spec",
        title: "ReliefF as SPEC",
        measures: "How close a feature keeps samples to near samples of their own class, and how far \
                   from near samples of the other classes, compared to its length.",
        formula: "fᵀLf / fᵀf,  L of the Relief graph",
        goal: Goal::Minimize,
        supervision: Supervision::Supervised,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[ParameterInfo {
            name: "neighbors",
            kind: Kind::Integer { min: 1, max: usize::MAX },
            default: Value::Integer(10),
            role: Role::Neighbors,
            help: "nearest samples of each class that count",
        }],
        cost: "neighbors by class, samples² x features, then edges x features",
        fails: "Where noise features blur who is near. Without scaling, a feature with a large mean \
                scores near 0 whatever it tells.",
        reference: "Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007",
    };

    fn build(parameters: &Parameters, _: GraphRecipe) -> Result<Self> {
        let neighbors = parameters.whole("neighbors");
        Ok(ReliefSpec { neighbors })
    }
}

impl Selector for ReliefSpec {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        relief::check_neighbors(self.neighbors, data.n_samples())?;
        let graph = GraphRecipe::Relief(Relief { k: self.neighbors }).build(data, monitor)?;
        let mut parameters = Parameters::default();
        parameters.set("neighbors", self.neighbors);
        Ok(CRITERION.scorer(&graph, parameters))
    }
}
