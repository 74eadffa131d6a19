//! N as an operator that is never written out.

use crate::graph::{Graph, Similarity};

/// N = D^-½ (D - S) D^-½ as something to multiply with.
#[derive(Debug)]
pub struct NormalizedLaplacian<'a> {
    graph: &'a Graph,
    /// √d, 0 where the degree is not positive.
    root: Vec<f64>,
    /// 1/√d, 0 where the degree is not positive.
    inverse_root: Vec<f64>,
}

impl<'a> NormalizedLaplacian<'a> {
    /// The operator of a graph.
    pub fn new(graph: &'a Graph) -> Self {
        let root: Vec<f64> = graph.degrees().iter().map(|d| d.max(0.0).sqrt()).collect();
        let inverse_root = root.iter().map(|&r| if r > 0.0 { 1.0 / r } else { 0.0 }).collect();
        NormalizedLaplacian { graph, root, inverse_root }
    }

    /// Number of samples.
    pub fn n_samples(&self) -> usize {
        self.root.len()
    }

    /// The graph.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// √d.
    pub fn root_degrees(&self) -> &[f64] {
        &self.root
    }

    /// 1/√d; 0 where the degree is not positive.
    pub fn inverse_root_degrees(&self) -> &[f64] {
        &self.inverse_root
    }

    /// ξ₁ = D^½1/‖D^½1‖; zeros on a graph without positive degrees.
    pub fn trivial(&self) -> Vec<f64> {
        let norm = self.root.iter().map(|r| r * r).sum::<f64>().sqrt();
        self.root.iter().map(|r| if norm > 0.0 { r / norm } else { 0.0 }).collect()
    }

    /// `out` = N·`x`, both samples × `lanes`, row after row; `scratch` is as large.
    pub fn apply(&self, x: &[f64], lanes: usize, scratch: &mut [f64], out: &mut [f64]) {
        for ((s, x), h) in scratch.chunks_exact_mut(lanes).zip(x.chunks_exact(lanes)).zip(&self.inverse_root)
        {
            s.iter_mut().zip(x).for_each(|(s, x)| *s = h * x);
        }
        self.graph.apply(scratch, lanes, out);
        for ((o, x), h) in out.chunks_exact_mut(lanes).zip(x.chunks_exact(lanes)).zip(&self.inverse_root) {
            // D^-½ D D^-½ is the identity, but 0 for a sample without neighbors.
            let kept = if *h > 0.0 { 1.0 } else { 0.0 };
            o.iter_mut().zip(x).for_each(|(o, x)| *o = kept * x - h * *o);
        }
    }
}

/// Whether a weight may be negative, so that eigenvalues of N may lie outside 0..2.
pub(crate) fn has_negative_weights(graph: &Graph) -> bool {
    match graph.similarity() {
        Similarity::Sparse(s) => (0..s.n_samples()).any(|i| s.row(i).any(|(_, w)| w < 0.0)),
        Similarity::Dense(s) => (0..s.n_samples()).any(|j| s.matrix().col(j).iter().any(|&w| w < 0.0)),
        Similarity::Classes(_) | Similarity::LowRank(_) => false,
        Similarity::Sum(parts) => {
            parts.iter().any(|(weight, part)| *weight < 0.0 || has_negative_weights(part))
        }
    }
}
