//! Weighted sums of graphs, Σ αᵢ Sᵢ: many sources of knowledge about the same samples.
//!
//! Never written out: degrees, products and quadratic forms of a sum are the sums of those of
//! its parts, so a sparse part stays sparse and the label graph stays a list of classes.

use std::sync::Arc;

use super::sparse::Sparse;
use super::{Graph, GraphInfo, Origin, Similarity};
use crate::{Error, Result};

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "sum",
    title: "a weighted sum of graphs",
    joins: "Samples that one of several graphs joins.",
    formula: "Σ αᵢ Sᵢ",
    cost: "that of its parts",
    fails: "Where the weights of the parts cancel.",
    reference: "Zhao: Spectral Feature Selection for Mining Ultrahigh Dimensional Data, dissertation, 2010, ch. 5",
    ..GraphInfo::BLANK
};

impl Graph {
    /// Σ αᵢ Sᵢ of graphs on the same samples. Weights may be negative or 0.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use fiedler::{Graph, GraphRecipe, Silent, dataset::demo};
    ///
    /// let iris = demo::iris()?;
    /// let near = GraphRecipe::default().build(&iris, &Silent)?;
    /// let species = GraphRecipe::Labels.build(&iris, &Silent)?;
    /// let both = Graph::sum(vec![(0.7, Arc::clone(&near)), (0.3, species)])?;
    /// assert!((both.degrees()[0] - (0.7 * near.degrees()[0] + 0.3)).abs() < 1e-12);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when there are no graphs or a weight is not finite,
    /// [`Error::Length`] when their numbers of samples differ.
    pub fn sum(parts: Vec<(f64, Arc<Graph>)>) -> Result<Self> {
        let Some((_, first)) = parts.first() else {
            return Err(Error::parameter("graphs", "a list of at least one graph", "an empty list"));
        };
        let expected = first.n_samples();
        for (weight, graph) in &parts {
            if !weight.is_finite() {
                return Err(Error::parameter("weights", "finite", weight));
            }
            if graph.n_samples() != expected {
                let got = graph.n_samples();
                return Err(Error::Length { what: "samples of a summed graph", expected, got });
            }
        }
        let join = |texts: Vec<String>| texts.join(", ");
        let kinds = join(parts.iter().map(|(_, g)| g.description().kind.to_owned()).collect());
        let weights = join(parts.iter().map(|(w, _)| w.to_string()).collect());
        let origin = Origin::new(&INFO, [("graphs", kinds.into()), ("weights", weights.into())]);
        let notes: Vec<String> = parts.iter().flat_map(|(_, graph)| graph.notes().to_vec()).collect();
        Ok(Graph::new(Similarity::Sum(parts), origin).noted(notes))
    }

    /// The same graph with zeros on the diagonal. Only a sparse graph is copied; the others
    /// become a sum with the negative of their diagonal.
    pub(crate) fn without_diagonal(self: &Arc<Self>) -> Arc<Self> {
        let diagonal = self.diagonal();
        if diagonal.iter().all(|&w| w == 0.0) {
            return Arc::clone(self);
        }
        let n = self.n_samples();
        let similarity = match &self.similarity {
            Similarity::Sparse(s) => Similarity::Sparse(Sparse::from_upper(n, s.upper_entries().collect())),
            _ => {
                let negative = diagonal.iter().enumerate().map(|(i, w)| (i as u32, i as u32, -w)).collect();
                let negative = Similarity::Sparse(Sparse::from_upper(n, negative));
                let negative = Graph::assemble(negative, self.origin.clone());
                Similarity::Sum(vec![(1.0, Arc::clone(self)), (1.0, Arc::new(negative))])
            }
        };
        Arc::new(Graph::assemble(similarity, self.origin.clone()))
    }
}
