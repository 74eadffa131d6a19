//! Work that outlives its process: finished parts are kept elsewhere, and a later run of the same question on the same data
//! goes on from there.
//!
//! The library has no files. A caller that wants its work kept hands over a [`Monitor`] that knows a [`Checkpoint`]
//! ([`Checkpointed`]); long passes over the features then offer what they have. Numbers come back to the bit, and so does the
//! answer. Whether kept work belongs to a question is for the caller to see to, by [`Analysis::fingerprint`].

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use crate::Result;
use crate::analysis::Analysis;
use crate::dataset::{ColumnStats, Dataset};
use crate::limits::Limits;
use crate::monitor::Monitor;

/// Columns whose every value is looked at: statistics do not see the order of the samples.
const LOOKED_AT: usize = 16;

/// Where the numbers of unfinished work are kept.
pub trait Checkpoint: Sync {
    /// A name for the next piece of work of this kind. Pieces come in the same order in every run of a question.
    fn name(&self, work: &'static str) -> String;

    /// What an earlier run kept under a name.
    fn load(&self, name: &str) -> Option<Vec<f64>>;

    /// Keeps numbers under a name, in place of those that were there.
    ///
    /// # Errors
    /// They cannot be written.
    fn store(&self, name: &str, numbers: &[f64]) -> Result<()>;

    /// Whether so much was done since the last time that it is worth keeping.
    fn is_due(&self) -> bool;
}

/// Another monitor, with a checkpoint.
#[derive(Clone, Copy)]
pub struct Checkpointed<'a> {
    /// Who is told.
    pub monitor: &'a dyn Monitor,
    /// Where work is kept.
    pub checkpoint: &'a dyn Checkpoint,
}

impl Monitor for Checkpointed<'_> {
    fn update(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        self.monitor.update(stage, done, total)
    }

    fn limits(&self) -> Limits {
        self.monitor.limits()
    }

    fn now(&self) -> Option<f64> {
        self.monitor.now()
    }

    fn note(&self, text: &str) {
        self.monitor.note(text);
    }

    fn checkpoint(&self) -> Option<&dyn Checkpoint> {
        Some(self.checkpoint)
    }
}

impl std::fmt::Debug for Checkpointed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpointed").finish_non_exhaustive()
    }
}

impl Analysis {
    /// A number that tells questions on data apart: other methods, options, labels or values, or samples in another order,
    /// give another one. Threads and memory do not, for the answer does not depend on them. A few columns are read.
    ///
    /// # Errors
    /// The columns cannot be read.
    pub fn fingerprint(&self, data: &Dataset) -> Result<u64> {
        let mut hash = DefaultHasher::new();
        env!("CARGO_PKG_VERSION").hash(&mut hash);
        let words = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            (&self.methods, &self.settings, &self.vary),
            (&self.graph.kind, &self.graph.set),
            (self.scaling, self.transform),
            (self.count, &self.include, self.seed),
            (self.rank, self.spectrum, self.portrait, self.coefficients, &self.targets),
            (&self.evaluate, &self.stability),
            (data.n_samples(), data.n_features(), data.is_sparse(), data.scaling(), data.transform()),
            (data.labels().map(|labels| labels.codes()), data.labels_are_named()),
        );
        words.hash(&mut hash);
        let mut numbers = |values: &mut dyn Iterator<Item = f64>| {
            values.for_each(|value| value.to_bits().hash(&mut hash));
        };
        numbers(&mut data.target().into_iter().flat_map(|target| target.values().iter().copied()));
        numbers(&mut data.stats().iter().flat_map(ColumnStats::numbers));
        if let Some(graph) = &self.graph.given {
            graph.each_number(|number| numbers(&mut std::iter::once(number)));
        }
        let m = data.n_features();
        for j in (0..m).step_by(m.div_ceil(LOOKED_AT).max(1)) {
            data.column(j)?.iter().for_each(|value| value.to_bits().hash(&mut hash));
        }
        Ok(hash.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::demo;
    use crate::parameters::ParameterValue;

    #[test]
    fn other_questions_and_other_data_have_other_fingerprints() {
        let iris = demo::iris().expect("embedded");
        let usual = Analysis::default();
        let of = |asked: &Analysis, data: &Dataset| asked.fingerprint(data).expect("columns");
        let same = of(&usual, &iris);
        assert_eq!(same, of(&Analysis::default(), &demo::iris().expect("embedded")));
        let seeded = Analysis { seed: Some(3), ..Analysis::default() };
        let other = Analysis { methods: vec!["spec".into()], ..Analysis::default() };
        let vary = vec![("lambda".to_owned(), vec![ParameterValue::Real(0.1)])];
        let varied = Analysis { vary, ..Analysis::default() };
        assert!([&seeded, &other, &varied].iter().all(|asked| of(asked, &iris) != same));
        assert!(of(&usual, &iris.subset(&[0, 1, 2]).expect("three features")) != same);
        assert!(of(&usual, &iris.clone().unlabeled()) != same);
        let backwards: Vec<Vec<f64>> =
            (0..150).rev().map(|i| (0..4).map(|j| iris.column(j).expect("a column")[i]).collect()).collect();
        let forwards: Vec<Vec<f64>> = backwards.iter().rev().cloned().collect();
        let of_rows = |rows: &[Vec<f64>]| of(&usual, &Dataset::from_rows(rows).expect("finite"));
        assert_ne!(of_rows(&backwards), of_rows(&forwards));
    }
}
