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
use crate::dataset::Dataset;
use crate::limits::Limits;
use crate::monitor::Monitor;

/// What tells a question on data from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    /// Other methods, options or graphs give another number.
    pub question: u64,
    /// So do other values, labels or targets, and samples or features in another order.
    pub data: u64,
}

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
    /// Numbers that tell questions on data apart. Threads and memory do not change them, for the answer does not depend on
    /// those. Every value is read, once.
    ///
    /// # Errors
    /// The columns cannot be read, or the monitor says stop.
    pub fn fingerprint(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Fingerprint> {
        let mut question = DefaultHasher::new();
        let words = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            (&self.methods, &self.settings, &self.vary),
            (&self.graph.kind, &self.graph.set),
            (self.scaling, self.transform),
            (self.count, &self.include, self.seed),
            (self.rank, self.spectrum, self.portrait, self.coefficients, &self.targets),
            (&self.evaluate, &self.stability),
            (data.scaling(), data.transform()),
            data.labels_are_named(),
        );
        words.hash(&mut question);
        if let Some(graph) = &self.graph.given {
            graph.each_number(|number| number.to_bits().hash(&mut question));
        }
        let mut known = DefaultHasher::new();
        (data.n_samples(), data.n_features(), data.is_sparse()).hash(&mut known);
        data.labels().map(|labels| labels.codes()).hash(&mut known);
        data.target()
            .into_iter()
            .flat_map(|target| target.values())
            .for_each(|v| v.to_bits().hash(&mut known));
        data.fingerprints_of_columns(monitor)?.hash(&mut known);
        Ok(Fingerprint { question: question.finish(), data: known.finish() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Sparse, demo};
    use crate::monitor::Silent;
    use crate::parameters::ParameterValue;

    #[test]
    fn other_questions_and_other_data_have_other_fingerprints() {
        let iris = demo::iris().expect("embedded");
        let usual = Analysis::default();
        let of = |asked: &Analysis, data: &Dataset| asked.fingerprint(data, &Silent).expect("columns");
        let same = of(&usual, &iris);
        assert_eq!(same, of(&Analysis::default(), &demo::iris().expect("embedded")));
        let seeded = Analysis { seed: Some(3), ..Analysis::default() };
        let other = Analysis { methods: vec!["spec".into()], ..Analysis::default() };
        let vary = vec![("lambda".to_owned(), vec![ParameterValue::Real(0.1)])];
        let varied = Analysis { vary, ..Analysis::default() };
        let others = [&seeded, &other, &varied].map(|asked| of(asked, &iris));
        assert!(others.iter().all(|f| f.question != same.question && f.data == same.data));
        for data in [iris.subset(&[0, 1, 2]).expect("three features"), iris.clone().unlabeled()] {
            let found = of(&usual, &data);
            assert!(found.data != same.data, "{found:?}");
        }
    }

    /// Values that change places inside a column leave its mean and its range, and whatever else a look at it tells.
    #[test]
    fn every_value_has_its_place() {
        let asked = Analysis::default();
        let of = |data: &Dataset| asked.fingerprint(data, &Silent).expect("columns").data;
        let rows: Vec<[f64; 70]> = (0..300)
            .map(|i| std::array::from_fn(|j| f64::from(u8::from((i * 7 + j * 3) % 10 < 3))))
            .collect();
        let dense = |rows: &[[f64; 70]]| Dataset::from_rows(rows).expect("data");
        let sparse = |rows: &[[f64; 70]]| {
            let (mut offsets, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
            for j in 0..70 {
                for (i, row) in (0u32..).zip(rows).filter(|(_, row)| row[j] != 0.0) {
                    places.push(i);
                    values.push(row[j]);
                }
                offsets.push(values.len());
            }
            Dataset::new(Sparse::<f64>::new(offsets, places, values, rows.len()).expect("fits"))
                .expect("data")
        };
        let (first, thin) = (of(&dense(&rows)), of(&sparse(&rows)));
        assert_eq!(first, of(&dense(&rows.clone()).scaled(crate::dataset::Scaling::None)));
        for (column, one, other) in [(0, 0, 299), (69, 5, 6), (33, 255, 256)] {
            let mut changed = rows.clone();
            (changed[one][column], changed[other][column]) =
                (1.0 - rows[one][column], 1.0 - rows[other][column]);
            assert!(of(&dense(&changed)) != first && of(&sparse(&changed)) != thin, "{column}");
        }
        let mut swapped = rows.clone();
        swapped.iter_mut().for_each(|row| row.swap(3, 4));
        assert!(of(&dense(&swapped)) != first && of(&sparse(&swapped)) != thin);
    }
}
