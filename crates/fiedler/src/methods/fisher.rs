//! The Fisher score.
//!
//! # What it measures
//! How far the classes lie apart on a feature, compared to how wide they are.
//!
//! # Formula
//! ```text
//! score = Σ_l n_l (μ_l - μ)² / Σ_l n_l σ_l²        (population variances)
//! ```
//! Larger is better. On the label graph it is gᵀSg / gᵀLg, and the Laplacian score there is
//! 1/(1 + Fisher) (LS §3.2, DIS 3.13).
//!
//! # Symbols → code
//! Σ n_l σ_l² = fᵀLf [`Form::Laplacian`]; Σ n_l (μ_l - μ)² = gᵀSg [`Form::CenteredSimilarity`], both
//! on the label graph, which is never n × n.
//!
//! # Cost
//! Samples × features.
//!
//! # When it fails
//! Classes that differ in spread or shape but not in mean look alike. Features are judged one
//! by one: copies all rank high.
//!
//! # Differences from the paper
//! A feature that is constant inside every class would score infinity; it scores at most
//! 1/ε ≈ 4.5·10¹⁵, still first, and can be written to a file.
//!
//! # References
//! Duda, Hart, Stork: Pattern Classification, 2001; DIS table 3.1.

use crate::Result;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Scaling};
use crate::graph::GraphRecipe;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision};

/// The Fisher score.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Fisher};
///
/// let ranking = Fisher.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order(), [2, 3, 0, 1]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Fisher;

/// gᵀSg / gᵀLg on the label graph.
const CRITERION: Criterion =
    Criterion { numerator: Form::CenteredSimilarity, denominator: Form::Laplacian, goal: Goal::Maximize };

impl Method for Fisher {
    const INFO: MethodInfo = MethodInfo {
        name: "fisher",
        title: "Fisher score",
        measures: "How far the classes lie apart on a feature, compared to how wide they are.",
        formula: "Σ n_l (μ_l - μ)² / Σ n_l σ_l²",
        goal: Goal::Maximize,
        supervision: Supervision::Supervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[],
        cost: "samples x features",
        fails: "Sees only class means: classes that differ in spread or shape look alike. \
                Judges features one by one: copies of a good feature all rank high.",
        reference: "Duda, Hart, Stork: Pattern Classification, 2001",
    };

    fn build(_: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(Fisher)
    }
}

impl Selector for Fisher {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        data.classes(Self::INFO.name)?;
        let graph = GraphRecipe::Labels.build(data, monitor)?;
        Ok(CRITERION.scorer(&graph, Parameters::default()))
    }
}
