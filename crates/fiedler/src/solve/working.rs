//! The features that may have weights, and everything the small problem on them needs.
//!
//! With G = X_AᵀX_A and C = X_AᵀY at hand, an iteration on the working set A costs |A|²q
//! instead of n|A|q, and never touches the data.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};

use super::copies::rounding;
use super::problem::{Problem, add_combination, dot, multiply};
use crate::Result;

/// A working set A with its packed columns, Gram matrix and weights.
#[derive(Debug, Clone)]
pub(super) struct WorkingSet {
    n_samples: usize,
    n_targets: usize,
    /// The features, in the order in which they came.
    pub(super) features: Vec<usize>,
    /// Their unit columns, one after the other: the only part of the data that is copied.
    columns: Vec<f64>,
    /// G = X_AᵀX_A.
    pub(super) gram: Mat<f64>,
    /// C = X_AᵀY, one row of targets a feature.
    pub(super) target_products: Vec<f64>,
    /// W_A, one row of targets a feature.
    pub(super) weights: Vec<f64>,
}

impl WorkingSet {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        WorkingSet {
            n_samples: problem.data().n_samples(),
            n_targets: problem.n_targets(),
            features: Vec::new(),
            columns: Vec::new(),
            gram: Mat::new(),
            target_products: Vec::new(),
            weights: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.features.len()
    }

    /// The unit column of the feature that came last.
    pub(super) fn newest_column(&self) -> &[f64] {
        &self.columns[self.columns.len().saturating_sub(self.n_samples)..]
    }

    /// The weights of the feature at `place`.
    pub(super) fn row(&self, place: usize) -> &[f64] {
        &self.weights[place * self.n_targets..(place + 1) * self.n_targets]
    }

    pub(super) fn row_mut(&mut self, place: usize) -> &mut [f64] {
        &mut self.weights[place * self.n_targets..(place + 1) * self.n_targets]
    }

    /// Places of the features whose weights are not all zero.
    pub(super) fn support(&self) -> Vec<usize> {
        (0..self.len()).filter(|&i| self.row(i).iter().any(|&w| w != 0.0)).collect()
    }

    /// The features with weights, and these weights.
    pub(super) fn active(&self) -> (Vec<usize>, Vec<f64>) {
        let support = self.support();
        let weights = support.iter().flat_map(|&i| self.row(i).iter().copied()).collect();
        (support.iter().map(|&i| self.features[i]).collect(), weights)
    }

    /// Adds a feature with zero weights, unless its column is a copy (or the mirror image) of
    /// one that is there: a copy could only share its twin's weights. Answers the twin.
    pub(super) fn add(&mut self, problem: &Problem<'_>, feature: usize) -> Result<Option<usize>> {
        let (n, a) = (self.n_samples, self.len());
        let column = problem.data().unit_columns(&[feature])?;
        let products: Vec<f64> = self.columns.chunks_exact(n).map(|other| dot(other, &column)).collect();
        let own = dot(&column, &column);
        // Two columns are one but for their sign where their product is that of their lengths.
        let close = |i: usize| (1.0 - rounding(n)) * (own * self.gram[(i, i)]).sqrt();
        if let Some(twin) = (0..a).find(|&i| products[i].abs() >= close(i)) {
            return Ok(Some(self.features[twin]));
        }
        if a.is_power_of_two() {
            // Twice as much, so that a path does not copy the matrix at every entry.
            self.gram.reserve(2 * a, 2 * a);
        }
        self.gram.resize_with(a + 1, a + 1, |i, j| match (i < a, j < a) {
            (true, _) => products[i],
            (false, true) => products[j],
            (false, false) => own,
        });
        self.target_products.extend(multiply(&column, problem.targets(), n, self.n_targets));
        self.weights.resize((a + 1) * self.n_targets, 0.0);
        self.columns.extend(column);
        self.features.push(feature);
        Ok(None)
    }

    /// Drops the features without weights, and answers which.
    pub(super) fn prune(&mut self) -> Vec<usize> {
        let kept = self.support();
        if kept.len() == self.len() {
            return Vec::new();
        }
        let dropped =
            (0..self.len()).filter(|i| kept.binary_search(i).is_err()).map(|i| self.features[i]).collect();
        let (n, q) = (self.n_samples, self.n_targets);
        let gather = |values: &[f64], width: usize| -> Vec<f64> {
            kept.iter().flat_map(|&i| values[i * width..(i + 1) * width].iter().copied()).collect()
        };
        self.columns = gather(&self.columns, n);
        self.target_products = gather(&self.target_products, q);
        self.weights = gather(&self.weights, q);
        // In place: nothing is read that was written before, for kept[i] ≥ i.
        for (j, &from) in kept.iter().enumerate() {
            kept.iter().enumerate().for_each(|(i, &row)| self.gram[(i, j)] = self.gram[(row, from)]);
        }
        self.gram.truncate(kept.len(), kept.len());
        self.features = kept.iter().map(|&i| self.features[i]).collect();
        dropped
    }

    /// X_AᵀR = C - GW: what is left to explain, seen by the features of the set.
    pub(super) fn products(&self) -> Vec<f64> {
        let (a, q) = (self.len(), self.n_targets);
        let mut out = self.target_products.clone();
        matmul(
            MatMut::from_row_major_slice_mut(&mut out, a, q),
            Accum::Add,
            self.gram.as_ref(),
            MatRef::from_row_major_slice(&self.weights, a, q),
            -1.0,
            Par::Seq,
        );
        out
    }

    /// R = Y - XW, from the columns themselves.
    pub(super) fn residual(&self, problem: &Problem<'_>) -> Vec<f64> {
        let mut out = problem.targets().to_vec();
        if self.len() > 0 {
            add_combination(&self.columns, &self.weights, self.n_targets, -1.0, &mut out);
        }
        out
    }

    /// X_A·V for one row of targets a feature.
    pub(super) fn combine(&self, rows: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.n_samples * self.n_targets];
        add_combination(&self.columns, rows, self.n_targets, 1.0, &mut out);
        out
    }
}
