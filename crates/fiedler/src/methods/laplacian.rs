//! The Laplacian score (LS).
//!
//! # What it measures
//! How well a feature respects the neighborhoods of the samples: small where samples that are
//! neighbors have similar values, compared to the variance of the feature over the graph.
//!
//! # Formula
//! ```text
//! g = f - (fᵀd / 1ᵀd) 1
//! score = gᵀLg / gᵀDg = Σ_{i<j} S_ij (f_i - f_j)² / Σ_i d_i g_i²
//! ```
//! Smaller is better. With `normalization` none the variance below the line is the plain one, D → I in equation 3 of the
//! paper: g = f - mean(f) and score = gᵀLg / gᵀg. Without negative weights it lies in 0..2, up to rounding on dense graphs, and
//! it equals SPEC φ2 with γ(r) = r.
//!
//! # Symbols → code
//! S [`Graph`](crate::graph::Graph); d `degrees`; gᵀLg = fᵀLf
//! [`Form::Laplacian`]; gᵀDg [`Form::CenteredDegree`], or gᵀg [`Form::Variance`].
//!
//! # Cost
//! The graph, then edges × features.
//!
//! # When it fails
//! Each feature is judged alone: ten copies of a good feature take ten places. Features that
//! vary only between components of a disconnected graph score 0, the best there is.
//!
//! # Differences from the paper
//! The bandwidth t adapts to the data (mean squared edge length); the paper says "a suitable
//! constant".
//!
//! # References
//! He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005.

use crate::Result;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Scaling};
use crate::graph::GraphRecipe;
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Scorer, Selector, Supervision};

/// The Laplacian score.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Laplacian};
///
/// let ranking = Laplacian::default().rank(&demo::iris()?)?;
/// assert_eq!(ranking.order()[0], 2); // petal length
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Laplacian {
    /// The graph whose neighborhoods count.
    pub graph: GraphRecipe,
    /// Which variance a feature is compared to.
    pub normalization: Normalization,
}

/// The variance that a feature is compared to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normalization {
    /// That under the degrees: samples with many neighbors count more.
    #[default]
    Degree,
    /// The plain one.
    None,
}

words!(Normalization, "normalization", Degree = "degree", None = "none");

impl Normalization {
    fn criterion(self) -> Criterion {
        let denominator = match self {
            Normalization::Degree => Form::CenteredDegree,
            Normalization::None => Form::Variance,
        };
        Criterion { numerator: Form::Laplacian, denominator, goal: Goal::Minimize }
    }
}

impl Method for Laplacian {
    const INFO: MethodInfo = MethodInfo {
        name: "laplacian",
        title: "Laplacian score",
        measures: "How well a feature respects the neighborhoods of the samples: \
                   small where neighbors have similar values, compared to the feature's variance.",
        formula: "gᵀLg / gᵀDg,  g = f - (fᵀd/1ᵀd)1",
        goal: Goal::Minimize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::Knn,
        scaling: Scaling::Standard,
        parameters: &[ParameterInfo {
            name: "normalization",
            kind: Kind::Choice(Normalization::NAMES),
            default: ParameterValue::word("degree"),
            role: Role::Own,
            only_with: None,
            help: "the variance that a feature is compared to: under the degrees (degree), or the plain one (none)",
        }],
        cost: "the graph, then edges x features",
        fails: "Judges features one by one: copies of a good feature all rank high. On a disconnected graph \
                a feature that only tells the components apart scores 0.",
        reference: "He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        Ok(Laplacian { graph, normalization: parameters.text("normalization").parse()? })
    }
}

impl Selector for Laplacian {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        self.graph.labels()
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let graph = self.graph.build(data, monitor)?;
        let mut told = Parameters::default();
        if self.normalization != Normalization::default() {
            told.set("normalization", self.normalization.name());
        }
        Ok(self.normalization.criterion().scorer(&graph, told))
    }
}
