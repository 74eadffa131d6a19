//! The label graph: S_ij = 1/n_l where i and j are both of class l, else 0 (LS eq. 5, DIS 3.13).
//!
//! Never written out: S·x is the class mean of x at every sample, D = I, and fᵀLf is the sum of
//! squares inside the classes.

use super::{Components, Graph, GraphInfo, GraphKind, Origin, Remedies, Similarity};
use crate::Result;
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::Parameters;

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "labels",
    title: "classes",
    joins: "Every sample with all others of its class, all equally strongly.",
    called: "the label graph",
    parameters: &[],
    formula: "1/n_l where i and j are both of class l, else 0",
    needs_labels: true,
    unit_degrees: true,
    remedies: Remedies {
        no_edges: "every class has a single sample; use labels that repeat",
        apart: None,
        faint: "use another graph",
        indistinct: "use labels that repeat",
    },
    cost: "nothing: it is never written out",
    fails: "Where labels are identifiers: every sample is then alone.",
    reference: "He, Cai, Niyogi: Laplacian Score for Feature Selection, NIPS 2005, eq. 5",
    ..GraphInfo::BLANK
};

/// The classes of the samples.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    codes: Vec<u32>,
    sizes: Vec<usize>,
}

/// The label graph, of the labels that the data have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Labels;

impl GraphKind for Labels {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(_parameters: &Parameters) -> Result<Self> {
        Ok(Labels)
    }

    fn make(&self, data: &Dataset, _monitor: &dyn Monitor) -> Result<Graph> {
        build(data)
    }
}

/// The label graph of completely labeled data.
pub(crate) fn build(data: &Dataset) -> Result<Graph> {
    let (codes, classes) = data.classes("the label graph")?;
    Ok(graph(codes, classes))
}

/// The label graph of these classes.
pub(crate) fn graph(codes: Vec<u32>, classes: usize) -> Graph {
    let similarity = Similarity::Classes(Classes::new(codes, classes));
    Graph::new(similarity, Origin::new(&INFO, [("classes", classes.into())]))
}

impl Classes {
    pub(crate) fn new(codes: Vec<u32>, classes: usize) -> Self {
        let mut sizes = vec![0; classes];
        codes.iter().for_each(|&c| sizes[c as usize] += 1);
        Classes { codes, sizes }
    }

    pub(crate) fn n_samples(&self) -> usize {
        self.codes.len()
    }

    /// The class of every sample.
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Number of samples of a class.
    pub(crate) fn size(&self, class: u32) -> usize {
        self.sizes[class as usize]
    }

    /// Number of classes.
    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        self.codes.iter().map(|&c| 1.0 / self.sizes[c as usize] as f64).collect()
    }

    /// Adds `weight`·(row `i` of S) to `out`.
    pub(crate) fn add_row(&self, weight: f64, i: usize, out: &mut [f64]) {
        let class = self.codes[i];
        let share = weight / self.sizes[class as usize] as f64;
        self.codes.iter().zip(out).filter(|(c, _)| **c == class).for_each(|(_, o)| *o += share);
    }

    pub(crate) fn edges(&self) -> usize {
        self.sizes.iter().map(|s| s * s.saturating_sub(1) / 2).sum()
    }

    pub(crate) fn connect(&self, sets: &mut Components) {
        let mut first = vec![None; self.sizes.len()];
        for (i, &c) in self.codes.iter().enumerate() {
            sets.join(*first[c as usize].get_or_insert(i), i);
        }
    }

    /// Class means of a tile, classes × `lanes`.
    pub(crate) fn means(&self, tile: &[f64], lanes: usize) -> Vec<f64> {
        let mut means = vec![0.0; self.sizes.len() * lanes];
        for (row, &c) in tile.chunks_exact(lanes).zip(&self.codes) {
            let sums = &mut means[c as usize * lanes..][..lanes];
            sums.iter_mut().zip(row).for_each(|(s, v)| *s += v);
        }
        for (sums, &size) in means.chunks_exact_mut(lanes).zip(&self.sizes) {
            sums.iter_mut().for_each(|s| *s /= size as f64);
        }
        means
    }

    /// Σ (f_i - mean of i's class)² of a column given by its non-zeros.
    pub(crate) fn within(&self, entries: &[(usize, f64)]) -> f64 {
        let mut classes = vec![(0usize, 0.0); self.sizes.len()];
        for &(i, v) in entries {
            let (count, sum) = &mut classes[self.codes[i] as usize];
            *count += 1;
            *sum += v;
        }
        let mean = |c: usize| classes[c].1 / self.sizes[c] as f64;
        let zeros = |c: usize| (self.sizes[c] - classes[c].0) as f64 * mean(c) * mean(c);
        let others: f64 = entries.iter().map(|&(i, v)| (v - mean(self.codes[i] as usize)).powi(2)).sum();
        others + (0..self.sizes.len()).map(zeros).sum::<f64>()
    }

    pub(crate) fn apply(&self, x: &[f64], lanes: usize, out: &mut [f64]) {
        let means = self.means(x, lanes);
        for (row, &c) in out.chunks_exact_mut(lanes).zip(&self.codes) {
            row.copy_from_slice(&means[c as usize * lanes..][..lanes]);
        }
    }

    /// Adds `weight`·Σ (f_i - mean of i's class)² of every lane to `out`.
    pub(crate) fn add_laplacian_forms(&self, weight: f64, tile: &[f64], lanes: usize, out: &mut [f64]) {
        let means = self.means(tile, lanes);
        for (row, &c) in tile.chunks_exact(lanes).zip(&self.codes) {
            let mean = &means[c as usize * lanes..][..lanes];
            for l in 0..lanes {
                out[l] += weight * (row[l] - mean[l]) * (row[l] - mean[l]);
            }
        }
    }
}
