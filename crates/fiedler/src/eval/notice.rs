//! What to know of a question before its answer: samples that nobody judges, draws that are all alike, hits that were learned.

use super::candidate::Candidate;
use super::protocol::Protocol;
use super::split::{Partition, Split};
use crate::dataset::Dataset;
use crate::{Error, Result};

impl Protocol {
    /// What the user should know before trusting the answer, a sentence each.
    ///
    /// # Errors
    /// A partition has no sample that judges.
    pub(super) fn notice(
        &self,
        data: &Dataset,
        classes: &[u32],
        splits: &[Split],
        candidates: &[Candidate],
    ) -> Result<Vec<String>> {
        if splits.iter().any(|s| s.test.is_empty()) {
            let got = "partitions without a sample that judges: every class has a single sample".to_owned();
            return Err(Error::parameter("labels", "classes of two samples at least", got));
        }
        let mut warnings = Vec::new();
        warnings.extend(self.single_samples(classes));
        if (0..data.n_features()).all(|j| data.constant(j)) {
            warnings.push("every feature is constant: there is nothing to select by".to_owned());
        }
        warnings.extend(self.same_draws(data, splits));
        warnings.extend(self.labels_nobody_sees(data, candidates));
        warnings.extend(candidates.iter().filter_map(|candidate| self.learned_hits(candidate)));
        Ok(warnings)
    }

    fn single_samples(&self, classes: &[u32]) -> Option<String> {
        if !self.metric.needs_labels() || !matches!(self.partition, Partition::Halves { .. }) {
            return None;
        }
        let mut sizes = vec![0usize; classes.iter().max().map_or(0, |&c| c as usize + 1)];
        classes.iter().for_each(|&c| sizes[c as usize] += 1);
        let single = sizes.iter().filter(|&&s| s == 1).count();
        (single > 0).then(|| {
            let all = sizes.len();
            format!("{single} of {all} classes have a single sample, which is learned from and never judged")
        })
    }

    /// Draws of all classes are the same samples again and again.
    fn same_draws(&self, data: &Dataset, splits: &[Split]) -> Option<String> {
        let drawn = matches!(self.partition, Partition::Classes { .. }) && splits.len() > 1;
        let whole = |split: &Split| split.test.len() == data.n_samples();
        (drawn && splits.iter().all(whole)).then(|| {
            "every draw has all classes, and so the same samples: deviations and p-values over draws say nothing; draw fewer \
             classes"
                .to_owned()
        })
    }

    /// Few labels are drawn for nobody.
    fn labels_nobody_sees(&self, data: &Dataset, candidates: &[Candidate]) -> Option<String> {
        let unseen = !self.labeled.is_empty() && !candidates.iter().any(|c| c.sees_labels(data));
        unseen.then(|| {
            "how many labels are known has no effect: nothing that is judged here selects with labels"
                .to_owned()
        })
    }

    /// Hits counted by the very features that the ranking was made to put in front.
    fn learned_hits(&self, candidate: &Candidate) -> Option<String> {
        let (known, _) = self.hits()?;
        let learned = known.iter().filter(|j| candidate.learned_from.contains(j)).count();
        (learned > 0).then(|| {
            let (name, all) = (&candidate.name, known.len());
            format!(
                "{name} learned its weights from {learned} of the {all} known features that judge it: its hits look better \
                 than they are; count hits by features that it did not learn from"
            )
        })
    }
}
