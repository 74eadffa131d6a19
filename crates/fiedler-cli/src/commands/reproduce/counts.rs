//! The numbers of features at which a table has its values.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::failure::{Failure, Outcome};
use crate::text_file::shown;

/// Numbers that are left out and named.
const SHOWN: usize = 5;

/// Numbers of features.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub(super) enum Counts {
    /// One by one, ascending.
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

impl TryFrom<Value> for Counts {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let number = |value: &Value| {
            value.as_integer().and_then(|whole| usize::try_from(whole).ok()).filter(|&whole| whole > 0)
        };
        let found = match &value {
            Value::Array(list) => {
                let numbers = list.iter().map(number).collect::<Option<BTreeSet<usize>>>();
                let each_once = numbers.filter(|numbers| !numbers.is_empty() && numbers.len() == list.len());
                each_once.map(|numbers| Counts::List(numbers.into_iter().collect()))
            }
            Value::Table(table) if table.len() == 3 => {
                let key = |name: &str| table.get(name).and_then(number);
                let steps = key("from").zip(key("to")).zip(key("step"));
                let forward = steps.filter(|((from, to), _)| from <= to);
                forward.map(|((from, to), step)| Counts::Steps { from, to, step })
            }
            Value::String(word) if word == "half" => Some(Counts::Word(word.clone())),
            _ => None,
        };
        found.ok_or_else(|| {
            let got = shown(&value);
            format!(
                "`counts` must be a list of numbers from 1, each once, such as [5, 10], or {{ from = 10, to = 50, step = 10 }}, or \
                 \"half\", got {got}"
            )
        })
    }
}

impl Counts {
    /// Whether there is one number alone.
    pub(super) fn is_one(&self) -> bool {
        match self {
            Counts::List(list) => list.len() < 2,
            Counts::Steps { from, to, step } => from + step > *to,
            Counts::Word(_) => true,
        }
    }

    /// Whether this is one of the numbers, for data of any size.
    pub(super) fn contains(&self, count: usize) -> bool {
        match self {
            Counts::List(list) => list.contains(&count),
            Counts::Steps { from, to, step } => (*from..=*to).step_by((*step).max(1)).any(|c| c == count),
            Counts::Word(_) => false,
        }
    }

    /// The numbers for data of so many samples, of however many features.
    fn all(&self, n_samples: usize) -> Vec<usize> {
        match self {
            Counts::List(list) => list.clone(),
            Counts::Steps { from, to, step } => (*from..=*to).step_by((*step).max(1)).collect(),
            Counts::Word(_) => vec![n_samples / 2],
        }
    }

    /// That some of the numbers are above the number of features, so that nothing is judged there.
    pub(super) fn left_out(&self, n_samples: usize, n_features: usize) -> Option<String> {
        let beyond: Vec<String> =
            self.all(n_samples).into_iter().filter(|&c| c > n_features).map(|c| c.to_string()).collect();
        let (first, rest) = beyond.split_at(beyond.len().min(SHOWN));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let listed = first.join(", ");
        (!first.is_empty()).then(|| {
            format!("`counts` above the number of features ({n_features}) are left out: {listed}{more}")
        })
    }

    /// The numbers for data of this size, none above the number of features.
    ///
    /// # Errors
    /// All of them are.
    pub(super) fn numbers(&self, n_samples: usize, n_features: usize) -> Outcome<Vec<usize>> {
        let numbers = self.all(n_samples);
        let least = numbers.iter().min().copied().unwrap_or(0);
        let within: Vec<usize> = numbers.into_iter().filter(|c| *c <= n_features).collect();
        if within.is_empty() {
            let rule = format!("`counts` must have a number of features that the data have ({n_features})");
            return Err(Failure::usage(format!("{rule}, got {least} and none below")));
        }
        Ok(within)
    }
}
