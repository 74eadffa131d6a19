//! Which way the scores are summed.

use std::sync::Arc;

use super::dot::DotForms;
use super::modes::Modes;
use super::pairs::PairForms;
use super::slope::Slope;
use super::trace::TraceForms;
use super::{Evsc, Kernel, Rest};
use crate::dataset::{Dataset, ScaledBlock};
use crate::graph::{Graph, GraphRecipe};
use crate::limits;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// With fewer samples, products over all pairs are faster than bounds for every feature (measured).
const MANY: usize = 160;

/// How the scores are summed.
pub(super) enum Forms {
    /// Over pairs of samples.
    Pairs(PairForms),
    /// By products with the vectors.
    Dot(DotForms),
    /// By the sum over all eigenvalues and the signs.
    Trace(TraceForms),
}

impl Forms {
    /// How the scores of a method are summed on a graph of which all or the smallest pairs are there.
    pub(super) fn of(
        method: &Evsc,
        (graph, slope): (&Arc<Graph>, Slope),
        modes: &Arc<Modes>,
        n_features: usize,
    ) -> Result<Forms> {
        let whole = matches!(slope, Slope::Gaussian { .. }) && TraceForms::fits(graph);
        let many = graph.n_samples() >= MANY;
        if method.rest == Rest::Together && !whole {
            let rule = "`none` on a graph that does not join all pairs";
            return Err(Error::parameter("rest", rule, method.rest.name()));
        }
        Ok(match slope {
            Slope::Dot => Forms::Dot(DotForms::new(Arc::clone(modes))),
            _ if whole && (method.rest == Rest::Together || method.rank.is_none() && many) => {
                Forms::Trace(TraceForms::new(graph, modes, slope.factor()))
            }
            _ => {
                let edges = slope.edges(graph);
                Forms::Pairs(PairForms::new(edges, slope.factor(), modes, n_features))
            }
        })
    }

    pub(super) fn scores(&self, block: &ScaledBlock<'_>) -> Result<Vec<f64>> {
        match self {
            Forms::Pairs(forms) => forms.scores(block),
            Forms::Dot(forms) => forms.scores(block),
            Forms::Trace(forms) => forms.scores(block),
        }
    }

    /// Where not all eigenvalues were counted one by one, how many were and at most what that costs.
    pub(super) fn note(
        &self,
        modes: &Modes,
        data: &Dataset,
        monitor: &dyn Monitor,
    ) -> Result<Option<String>> {
        let left = modes.n_samples() - modes.rank();
        let Forms::Trace(forms) = self else { return Ok(None) };
        if left == 0 {
            return Ok(None);
        }
        let shortfalls = data.map_blocks("bounds", monitor, |block, _| Ok(forms.shortfalls(block)))?;
        let varied = (0..data.n_features()).filter(|&j| !data.constant(j));
        let worst = varied.map(|j| shortfalls[j]).fold(0.0, f64::max);
        Ok(Some(format!(
            "the {} smallest eigenvalues count one by one, the other {} by the sum of their derivatives; no score is \
             more than {:.1}% too small for that",
            limits::grouped(modes.rank()),
            limits::grouped(left),
            (1000.0 * worst).ceil() / 10.0
        )))
    }
}

/// An error where the eigenvalues beyond `rank` cannot be summed, told before anything is computed.
pub(super) fn check_rest(method: &Evsc) -> Result<()> {
    if method.rest == Rest::None {
        return Ok(());
    }
    let rule = match (method.rank, method.similarity, &method.graph) {
        (None, ..) => "`none` where `rank` is all, since nothing is left; set `rank` to some hundreds",
        (_, Kernel::Rbf, GraphRecipe::Rbf(_) | GraphRecipe::Given(_)) => return Ok(()),
        _ => "`none` but on an rbf graph: the sum over all eigenvalues is known there",
    };
    Err(Error::parameter("rest", rule, method.rest.name()))
}
