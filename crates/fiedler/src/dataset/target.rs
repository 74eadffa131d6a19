//! A number for every sample, to be predicted.

use super::Dataset;
use crate::{Error, Result};

/// A number for every sample, to be predicted: what a regression calls its target.
///
/// ```
/// use fiedler::{Dataset, Selector, Target, methods::Correlation};
///
/// let data = Dataset::from_rows(&[[1.0, 5.0], [2.0, 3.0], [3.0, 6.0], [4.0, 2.0]])?;
/// let data = data.targeted(Target::new(vec![10.0, 21.0, 29.0, 40.0])?.called("price"))?;
/// let ranking = Correlation.rank(&data)?;
/// assert_eq!((ranking.order()[0], ranking.target.as_deref()), (0, Some("price")));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Target {
    values: Vec<f64>,
    name: String,
}

/// What a target without a name of its own is called.
const UNNAMED: &str = "target";

/// The largest number whose square is computed with, as for features.
const LARGEST: f64 = 1e140;

impl Target {
    /// The numbers, one a sample.
    ///
    /// # Errors
    /// [`Error::Parameter`] where one is not finite, or larger than 10¹⁴⁰.
    pub fn new(values: Vec<f64>) -> Result<Self> {
        match values.iter().position(|v| !v.is_finite() || v.abs() > LARGEST) {
            None => Ok(Target { values, name: UNNAMED.to_owned() }),
            Some(row) => {
                let got = format!("{} at row {} (counting from 1)", values[row], row + 1);
                Err(Error::parameter("target", "a finite number within ±1e140 for every sample", got))
            }
        }
    }

    /// The same numbers under a name: that of the column they come from.
    #[must_use]
    pub fn called(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// What the target is called; `target` where nobody said.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of every sample.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The smallest and the largest number.
    pub fn range(&self) -> (f64, f64) {
        let fold = |start, pick: fn(f64, f64) -> f64| self.values.iter().copied().fold(start, pick);
        (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
    }

    /// The numbers of the samples `chosen`.
    pub(super) fn of_samples(&self, chosen: &[usize]) -> Self {
        Target { values: chosen.iter().map(|&i| self.values[i]).collect(), name: self.name.clone() }
    }

    /// The numbers about their mean, divided by their norm: what unit columns are compared with.
    pub(crate) fn unit(&self) -> Vec<f64> {
        let n = self.values.len() as f64;
        // About the first value, so that an offset costs no digits.
        let first = self.values.first().copied().unwrap_or(0.0);
        let mean = self.values.iter().map(|v| v - first).sum::<f64>() / n;
        let mut unit: Vec<f64> = self.values.iter().map(|v| (v - first) - mean).collect();
        let norm = crate::dataset::products::norm(&unit);
        unit.iter_mut().for_each(|v| *v /= norm);
        unit
    }
}

impl Dataset {
    /// The number of every sample, for methods that predict one.
    ///
    /// # Errors
    /// [`Error::TargetMissing`], or [`Error::TargetConstant`] where there is nothing to predict.
    pub fn number(&self, what: &'static str) -> Result<&Target> {
        let target = self.target().ok_or(Error::TargetMissing { what })?;
        let (low, high) = target.range();
        if low < high {
            return Ok(target);
        }
        Err(Error::TargetConstant { what, name: target.name().to_owned(), value: low })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_numbers_are_about_their_mean_whatever_the_offset() {
        let expected = [-1.0 / 2f64.sqrt(), 0.0, 1.0 / 2f64.sqrt()];
        for offset in [0.0, 1e8, -1e12] {
            let target = Target::new([1.0, 2.0, 3.0].map(|v| v + offset).to_vec()).expect("finite");
            for (got, expected) in target.unit().iter().zip(expected) {
                assert!((got - expected).abs() < 1e-15, "{offset}: {got}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_refused_with_its_row() {
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            let message = Target::new(vec![1.0, bad]).expect_err("refused").to_string();
            assert!(message.contains("row 2") && message.contains("`target`"), "{message}");
        }
    }

    #[test]
    fn a_target_that_does_not_vary_cannot_be_predicted() {
        let data = Dataset::from_rows(&[[1.0], [2.0]]).expect("finite");
        assert!(matches!(data.number("x"), Err(Error::TargetMissing { what: "x" })));
        let data = data.targeted(Target::new(vec![3.0, 3.0]).expect("finite")).expect("two");
        assert!(data.number("x").expect_err("constant").to_string().contains("3 for every sample"));
    }
}
