//! λ as it is asked for.

use super::Cut;
use crate::{Error, Result};

/// The weight of the first term against the labels.
#[derive(Debug, Clone, PartialEq)]
pub enum Lambda {
    /// Given, from 0 to 1.
    Given(f64),
    /// The one of a grid whose `keep` best features separate the samples best.
    Auto {
        /// The weights tried, each from 0 to 1.
        grid: Vec<f64>,
        /// How many features are kept to judge a weight; `None`: 10, or half of them where there are
        /// fewer than 20.
        keep: Option<usize>,
        /// How well they separate.
        cut: Cut,
    },
}

impl Lambda {
    pub(super) fn check(&self) -> Result<()> {
        let in_range = |v: &f64| (0.0..=1.0).contains(v);
        match self {
            Lambda::Given(v) if !in_range(v) => {
                Err(Error::parameter("lambda", "`auto` or a number from 0 to 1", v))
            }
            Lambda::Auto { keep: Some(0), .. } => Err(Error::parameter("keep", "a whole number from 1", 0)),
            Lambda::Auto { grid, .. } if grid.is_empty() || !grid.iter().all(in_range) => {
                Err(Error::parameter("grid", "numbers from 0 to 1", format!("{grid:?}")))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn read_grid(text: &str) -> Result<Vec<f64>> {
    let wrong = || Error::parameter("grid", "numbers from 0 to 1, separated by commas", format!("`{text}`"));
    let number = |word: &str| word.trim().parse().ok().filter(|v| (0.0..=1.0).contains(v)).ok_or_else(wrong);
    text.split(',').map(number).collect()
}
