//! Variance, the simplest ranking of all.
//!
//! # What it measures
//! The population variance of a feature in the user's units, whatever the scaling: after
//! scaling to unit variance all would be equal.
//!
//! # Formula
//! ```text
//! score = Σ_i (f_i - mean)² / n
//! ```
//! Larger is better.
//!
//! # Cost
//! Nothing: the data set keeps it from its first look at the columns.
//!
//! # When it fails
//! Units decide: a length in millimeters beats the same length in meters.
//!
//! # Differences from the paper
//! None.
//!
//! # References
//! The baseline of He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005.

use crate::Result;
use crate::afar::Remade;
use crate::dataset::{ColumnStats, Dataset, Scaling};
use crate::graph::GraphRecipe;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision};

/// Population variance, in the user's units.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Variance};
///
/// let ranking = Variance.rank(&demo::iris()?)?;
/// assert_eq!(ranking.order(), [2, 0, 3, 1]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Variance;

impl Method for Variance {
    const INFO: MethodInfo = MethodInfo {
        name: "variance",
        title: "Variance",
        measures: "How much a feature varies, in the units of the data (scaling does not apply).",
        formula: "Σ (f - mean)² / n",
        goal: Goal::Maximize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::None,
        parameters: &[],
        cost: "one look at the data",
        fails: "The units decide: a length in millimeters beats the same length in meters.",
        reference: "The baseline of He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005",
    };

    fn build(_: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(Variance)
    }
}

impl Selector for Variance {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, _: &Dataset, _: &dyn Monitor) -> Result<Scorer> {
        let score = |s: &ColumnStats| if s.is_constant() { f64::NAN } else { s.variance };
        let scores =
            move |columns: &Dataset, _: &dyn Monitor| Ok(columns.stats().iter().map(score).collect());
        let scorer = Scorer::free(Goal::Maximize, Parameters::default(), scores);
        Ok(scorer.remade_as(Remade::method(Self::INFO.name, Vec::new())))
    }
}
