//! Samples as rows, dense or sparse.

use std::ops::Range;

use crate::solve::problem::dot;
use crate::{Error, Result};

/// Samples × features, row after row.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    shape: Shape<'a>,
    n_samples: usize,
    n_features: usize,
}

#[derive(Debug, Clone, Copy)]
enum Shape<'a> {
    Dense(&'a [f64]),
    Sparse { offsets: &'a [usize], columns: &'a [u32], values: &'a [f64] },
}

impl<'a> Rows<'a> {
    /// All values, row after row.
    ///
    /// # Errors
    /// [`Error::Length`] when the values are not whole rows, [`Error::Parameter`] when one is not finite.
    pub fn dense(values: &'a [f64], n_features: usize) -> Result<Self> {
        if n_features == 0 || values.is_empty() || !values.len().is_multiple_of(n_features) {
            let expected = values.len().next_multiple_of(n_features.max(1)).max(1);
            return Err(Error::Length { what: "values of whole rows", expected, got: values.len() });
        }
        check_finite(values)?;
        let n_samples = values.len() / n_features;
        Ok(Rows { shape: Shape::Dense(values), n_samples, n_features })
    }

    /// Non-zeros by row: row `i` has the entries `offsets[i]..offsets[i + 1]`, each feature at most once.
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::Parameter`] when the parts do not fit together.
    pub fn sparse(
        offsets: &'a [usize],
        columns: &'a [u32],
        values: &'a [f64],
        n_features: usize,
    ) -> Result<Self> {
        if columns.len() != values.len() {
            return Err(Error::Length {
                what: "values of sparse rows",
                expected: columns.len(),
                got: values.len(),
            });
        }
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&values.len());
        if offsets.len() < 2 || !ends || !offsets.is_sorted() {
            let rule = format!("ascending, from 0 to the number of entries ({})", values.len());
            let got = format!("{:?} to {:?}", offsets.first(), offsets.last());
            return Err(Error::parameter("offsets", rule, got));
        }
        if let Some(c) = columns.iter().find(|&&c| c as usize >= n_features) {
            return Err(Error::parameter(
                "columns",
                format!("below the number of features ({n_features})"),
                c,
            ));
        }
        check_finite(values)?;
        let shape = Shape::Sparse { offsets, columns, values };
        Ok(Rows { shape, n_samples: offsets.len() - 1, n_features })
    }

    /// Number of samples.
    pub fn n_samples(&self) -> usize {
        self.n_samples
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// All values, row after row, where they are stored so.
    pub(super) fn as_dense(&self) -> Option<&'a [f64]> {
        match self.shape {
            Shape::Dense(values) => Some(values),
            Shape::Sparse { .. } => None,
        }
    }

    /// wᵀxᵢ.
    pub(super) fn dot(&self, i: usize, weights: &[f64]) -> f64 {
        match self.shape {
            Shape::Dense(values) => dot(&values[self.dense_row(i)], weights),
            Shape::Sparse { offsets, columns, values } => {
                let entries = offsets[i]..offsets[i + 1];
                let pairs = columns[entries.clone()].iter().zip(&values[entries]);
                pairs.map(|(&c, v)| weights[c as usize] * v).sum()
            }
        }
    }

    /// w += a·xᵢ.
    pub(super) fn add(&self, i: usize, a: f64, weights: &mut [f64]) {
        match self.shape {
            Shape::Dense(values) => {
                weights.iter_mut().zip(&values[self.dense_row(i)]).for_each(|(w, x)| *w += a * x);
            }
            Shape::Sparse { offsets, columns, values } => {
                let entries = offsets[i]..offsets[i + 1];
                for (&c, v) in columns[entries.clone()].iter().zip(&values[entries]) {
                    weights[c as usize] += a * v;
                }
            }
        }
    }

    /// ‖xᵢ‖².
    pub(super) fn square(&self, i: usize) -> f64 {
        let entries = match self.shape {
            Shape::Dense(values) => &values[self.dense_row(i)],
            Shape::Sparse { offsets, values, .. } => &values[offsets[i]..offsets[i + 1]],
        };
        dot(entries, entries)
    }

    fn dense_row(&self, i: usize) -> Range<usize> {
        i * self.n_features..(i + 1) * self.n_features
    }
}

fn check_finite(values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(at) => Err(Error::parameter("values", "finite numbers", format!("{} at {at}", values[at]))),
        None => Ok(()),
    }
}
