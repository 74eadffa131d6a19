//! The names of features, shared by everything that is made from the data.

use std::borrow::Cow;
use std::sync::Arc;

/// The names of the features of a data set, shared with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeatureNames(Option<Arc<[String]>>);

impl FeatureNames {
    /// The given names; without any, features are called x0, x1, ….
    pub fn new(names: Option<Arc<[String]>>) -> Self {
        FeatureNames(names)
    }

    /// The name of feature `j`.
    pub fn of(&self, j: usize) -> Cow<'_, str> {
        match &self.0 {
            Some(names) => Cow::Borrowed(&names[j]),
            None => Cow::Owned(format!("x{j}")),
        }
    }

    /// Whether they came with the data.
    pub fn are_given(&self) -> bool {
        self.0.is_some()
    }

    /// The names of the features `chosen`.
    pub(super) fn subset(&self, chosen: &[usize]) -> Self {
        FeatureNames(self.0.as_ref().map(|all| chosen.iter().map(|&j| all[j].clone()).collect()))
    }
}
