//! The numbers of features at which a table has its values.

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Outcome};

/// Numbers of features.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Counts {
    /// One by one.
    List(Vec<usize>),
    /// From, to, in steps.
    Steps {
        /// The first.
        from: usize,
        /// The last.
        to: usize,
        /// The step.
        step: usize,
    },
    /// `half`: as many as a training half has samples.
    Word(String),
}

impl Counts {
    /// Whether this is one of the numbers, for data of any size.
    pub(super) fn contains(&self, count: usize) -> bool {
        match self {
            Counts::List(list) => list.contains(&count),
            Counts::Steps { from, to, step } => (*from..=*to).step_by((*step).max(1)).any(|c| c == count),
            Counts::Word(_) => false,
        }
    }

    /// The numbers for data of this size, ascending, none above the number of features.
    ///
    /// # Errors
    /// The word is not known.
    pub(super) fn numbers(&self, n_samples: usize, n_features: usize) -> Outcome<Vec<usize>> {
        let numbers: Vec<usize> = match self {
            Counts::List(list) => list.clone(),
            Counts::Steps { from, to, step } => (*from..=*to).step_by((*step).max(1)).collect(),
            Counts::Word(word) if word == "half" => vec![n_samples / 2],
            Counts::Word(word) => {
                return Err(Failure::usage(format!(
                    "counts: a list, from/to/step or \"half\", got `{word}`"
                )));
            }
        };
        Ok(numbers.into_iter().filter(|c| *c <= n_features).collect())
    }
}
