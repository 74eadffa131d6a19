//! Class labels: any text, for all samples or for some.

use std::collections::BTreeMap;

use crate::{Error, Result};

/// Class labels of the samples; a sample may have none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Labels {
    classes: Vec<String>,
    codes: Vec<Option<u32>>,
    name: String,
}

/// Fewer different numbers are classes.
const MANY: usize = 20;
/// Samples per number below which whole numbers are no classes, and below which fractions are none.
const WHOLE: f64 = 2.5;
const FRACTIONS: f64 = 10.0;

/// What labels without a name of their own are called.
const UNNAMED: &str = "labels";

impl Labels {
    /// Labels from text; `None` and the empty text mean unlabeled. Classes are kept in
    /// numerical order when all of them are numbers and in alphabetical order otherwise,
    /// so that the order of the samples never matters.
    pub fn new<S: AsRef<str>>(labels: impl IntoIterator<Item = Option<S>>) -> Self {
        let texts: Vec<Option<String>> = labels
            .into_iter()
            .map(|l| l.map(|t| t.as_ref().trim().to_owned()).filter(|t| !t.is_empty()))
            .collect();
        let mut code_of: BTreeMap<&str, u32> = texts.iter().flatten().map(|t| (t.as_str(), 0)).collect();
        let mut classes: Vec<String> = code_of.keys().map(|&t| t.to_owned()).collect();
        let number = |t: &String| t.parse::<f64>().ok().filter(|v| v.is_finite());
        if classes.iter().all(|t| number(t).is_some()) {
            classes.sort_by(|a, b| number(a).partial_cmp(&number(b)).unwrap_or(std::cmp::Ordering::Equal));
        }
        for (code, class) in classes.iter().enumerate() {
            code_of.insert(class.as_str(), code as u32);
        }
        let codes = texts.iter().map(|t| t.as_ref().map(|t| code_of[t.as_str()])).collect();
        Labels { classes, codes, name: UNNAMED.to_owned() }
    }

    /// Labels from class numbers, all samples labeled.
    pub fn from_codes(codes: &[usize]) -> Self {
        Labels::new(codes.iter().map(|c| Some(c.to_string())))
    }

    /// The same labels under a name: that of the column they come from.
    #[must_use]
    pub fn called(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// What the labels are called; `labels` where nobody said.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of samples, labeled or not.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The class of every sample, as an index into [`classes`](Self::classes).
    pub fn codes(&self) -> &[Option<u32>] {
        &self.codes
    }

    /// Whether these look like numbers to be predicted and not like classes: all are numbers, many are different, and
    /// hardly any stands for several samples (whole numbers), or for a good many (fractions).
    pub fn look_continuous(&self) -> bool {
        let numbers: Option<Vec<f64>> = self.classes.iter().map(|t| t.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|all| all.len() >= MANY) else { return false };
        let size = self.codes.iter().flatten().count() as f64 / numbers.len() as f64;
        size < if numbers.iter().any(|v| v.fract() != 0.0) { FRACTIONS } else { WHOLE }
    }

    /// The class of every sample, for methods that need them all.
    ///
    /// # Errors
    /// [`Error::LabelsPartial`] when a sample has no label, [`Error::OneClass`] when there are
    /// not two classes.
    pub fn complete(&self, what: &'static str) -> Result<Vec<u32>> {
        let count = self.codes.iter().filter(|c| c.is_none()).count();
        if count == self.codes.len() {
            return Err(Error::LabelsMissing { what });
        }
        if let Some(first) = self.codes.iter().position(Option::is_none) {
            return Err(Error::LabelsPartial { what, count, first });
        }
        if self.classes.len() < 2 {
            return Err(Error::OneClass { what, class: self.classes[0].clone() });
        }
        Ok(self.codes.iter().flatten().copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_sort_as_numbers_and_text_as_text() {
        let labels = Labels::new(["10", "9", "", "10"].map(Some));
        assert_eq!(labels.classes(), ["9", "10"]);
        assert_eq!(labels.codes(), [Some(1), Some(0), None, Some(1)]);
        assert_eq!(Labels::new(["b", "a", "10"].map(Some)).classes(), ["10", "a", "b"]);
    }

    #[test]
    fn numbers_to_be_predicted_are_no_classes() {
        let of = |n: usize, f: fn(usize) -> String| Labels::new((0..n).map(|i| Some(f(i)))).look_continuous();
        assert!(of(442, |i| (25 + (i * 7919) % 321).to_string()), "whole numbers, hardly any twice");
        assert!(of(200, |i| format!("{:.1}", (i % 60) as f64 / 10.0)), "fractions");
        assert!(!of(400, |i| (i % 40).to_string()), "forty classes of ten");
        assert!(!of(10, |i| i.to_string()), "few samples");
        assert!(!of(400, |i| format!("c{i}")), "text");
    }

    #[test]
    fn complete_labels_are_demanded_with_reasons() {
        let none: [Option<&str>; 2] = [None, Some(" ")];
        assert!(matches!(Labels::new(none).complete("x"), Err(Error::LabelsMissing { .. })));
        let partial = Labels::new([Some("a"), None, Some("b")]);
        assert!(matches!(partial.complete("x"), Err(Error::LabelsPartial { count: 1, first: 1, .. })));
        assert!(matches!(Labels::new([Some("a")]).complete("x"), Err(Error::OneClass { .. })));
    }
}
