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
//! Smaller is better; good features are negative. The Relief graph has D = I, so this is SPEC φ1 on it.
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

use std::sync::Arc;

use crate::Result;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Scaling};
use crate::graph::{GraphRecipe, Neighbors, Relief, relief};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
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
    /// Hits per sample, and misses per sample and other class. Automatic: 10, or fewer where there are
    /// fewer others.
    pub neighbors: Neighbors,
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
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[ParameterInfo {
            name: "neighbors",
            kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
            default: ParameterValue::word("auto"),
            role: Role::Neighbors,
            only_with: None,
            help: "nearest samples of each class that count; auto: 10, or fewer where there are fewer others",
        }],
        cost: "neighbors by class, samples² x features, then edges x features",
        fails: "Where noise features blur who is near. Without scaling, a feature with a large mean \
                scores near 0 whatever it tells.",
        reference: "Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007",
    };

    fn build(parameters: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(ReliefSpec { neighbors: parameters.whole_or_word("neighbors").into() })
    }
}

impl Selector for ReliefSpec {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let fitted = relief::fit_neighbors(self.neighbors, data)?;
        let mut parameters = Parameters::default();
        parameters.set("neighbors", fitted.k);
        let graph = Arc::new(Relief::graph(data, fitted, monitor)?);
        Ok(CRITERION.scorer(&graph, parameters))
    }
}
