//! A handful of labels (Zhao and Liu 2007, Algorithm 2): of the samples that selection may see, only some of every
//! class have a label.
//!
//! | a method that | sees |
//! |---|---|
//! | needs the label of every sample | the labeled samples |
//! | makes use of some labels | all samples, some with a label |
//! | looks at no labels | all samples |
//!
//! The judge knows all labels, as in the paper: what is asked is how good the features are, not how well so few
//! labels can be learned from.

use crate::dataset::{Dataset, Labels};
use crate::monitor::Monitor;
use crate::random::{generator, shuffle};
use crate::selector::{Selector, Supervision};
use crate::{Error, Result};

/// What methods see when few labels are known.
pub(super) struct Few {
    /// All samples, some of them with a label.
    partly: Dataset,
    /// The samples that have one.
    labeled: Dataset,
}

impl Few {
    /// Keeps the labels of `each` samples of every class, drawn at random.
    pub(super) fn new(seen: &Dataset, each: usize, seed: &[u64], monitor: &dyn Monitor) -> Result<Self> {
        let (classes, n_classes) = seen.classes("a draw of labels")?;
        let known = draw(&classes, n_classes, each, seed)?;
        let labels = seen.labels().ok_or(Error::LabelsMissing { what: "a draw of labels" })?;
        let text = |i: usize| {
            let code = labels.codes()[i].filter(|_| known.binary_search(&i).is_ok())?;
            Some(labels.classes()[code as usize].as_str())
        };
        let some = seen.clone().labeled(Labels::new((0..seen.n_samples()).map(text)))?;
        // Labels that merely came with the data stay unseen by the methods that can go either way.
        let partly = if seen.labels_are_named() { some } else { some.with_labels_unnamed() };
        Ok(Few { partly, labeled: seen.samples(&known, monitor)? })
    }

    /// All samples, some of them with a label.
    pub(super) fn partly(&self) -> &Dataset {
        &self.partly
    }

    /// What this method may see.
    pub(super) fn seen_by(&self, method: &dyn Selector) -> &Dataset {
        let some_suffice = method.info().supervision == Supervision::SemiSupervised;
        if !some_suffice && method.labels().sees(&self.labeled) { &self.labeled } else { &self.partly }
    }
}

/// `each` samples of every class, ascending. A class must keep one without a label.
fn draw(classes: &[u32], n_classes: usize, each: usize, seed: &[u64]) -> Result<Vec<usize>> {
    let mut known = Vec::new();
    let (first, rest) = (seed.first().copied().unwrap_or(0), seed.get(1..).unwrap_or(&[]));
    let mut rng = generator(first, rest);
    for class in 0..n_classes as u32 {
        let mut members: Vec<usize> = (0..classes.len()).filter(|&i| classes[i] == class).collect();
        if each == 0 || (each >= members.len() && !members.is_empty()) {
            let most = members.len().saturating_sub(1);
            let rule =
                format!("from 1 to {most}: a class has {} samples where selection looks", members.len());
            return Err(Error::parameter("labeled", rule, each));
        }
        shuffle(&mut members, &mut rng);
        members.truncate(each);
        known.extend(members);
    }
    known.sort_unstable();
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_keeps_as_many() {
        let classes: Vec<u32> = (0..30).map(|i| i % 3).collect();
        let known = draw(&classes, 3, 4, &[7, 1]).expect("ten of each");
        assert_eq!(known.len(), 12);
        assert!((0..3).all(|c| known.iter().filter(|&&i| classes[i] == c).count() == 4));
        assert_ne!(known, draw(&classes, 3, 4, &[7, 2]).expect("ten of each"));
        let refused = draw(&classes, 3, 10, &[7]).expect_err("none would be left").to_string();
        assert!(refused.contains("`labeled` must be from 1 to 9"), "{refused}");
    }
}
