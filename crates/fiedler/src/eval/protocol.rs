//! The question: what is measured, on which partitions, at which counts.

use super::candidate::{Candidate, CandidateSource};
use super::judge::{Agreement, Judge};
use super::metric::{HITS, MANY, Measure, between};
use super::split::{Partition, Split};
use crate::dataset::Dataset;
use crate::ranking::Goal;
use crate::{Error, Result};

/// How rankings are judged.
///
/// ```
/// use fiedler::eval::{Candidate, Measure, Partition, Protocol};
/// use fiedler::{Silent, dataset::demo, methods::Fisher};
///
/// let protocol = Protocol {
///     counts: vec![1, 2],
///     partition: Partition::Halves { repeats: 5 },
///     ..Protocol::new(Measure::Nearest)
/// };
/// let found = protocol.evaluate(&demo::iris()?, &[Candidate::method(Fisher)], &Silent)?;
/// let fisher = &found.tables[0].curves[0];
/// assert!(fisher.name == "fisher" && fisher.points[0].summary.mean > 0.85);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// What is measured.
    pub metric: Measure,
    /// How samples are parted.
    pub partition: Partition,
    /// Which samples selection sees.
    pub selection: Selection,
    /// Numbers of features, in any order; empty: [`Measure::usual_counts`].
    pub counts: Vec<usize>,
    /// Random rankings a partition, the baseline that is always there. Hits take none: what they come to is known.
    pub random: usize,
    /// Whether the last features of every ranking are judged too ("bad" against "good" features).
    pub worst: bool,
    /// A p-value below this is a difference.
    pub significance: f64,
    /// Features that are known to matter, for a table of hits beside that of the metric; empty: none.
    pub known: Vec<usize>,
    /// Labels that selection knows of every class, in any order, with tables for each number; empty: all of them. The judge
    /// knows all.
    pub labeled: Vec<usize>,
    /// Seed of partitions, random rankings, known labels and k-means.
    pub seed: u64,
}

/// Which samples selection sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Selection {
    /// The training part alone: what selection will meet later is what judges it.
    #[default]
    Training,
    /// All samples, those that judge among them. Supervised selection then looks better than it is. Metrics that
    /// train nothing are measured on all samples too.
    All,
    /// All samples of other data ([`Protocol::evaluate_on`]).
    Elsewhere,
}

impl Selection {
    /// `training`, `all` or `elsewhere`.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Training => "training",
            Selection::All => "all",
            Selection::Elsewhere => "elsewhere",
        }
    }
}

impl Protocol {
    /// Random rankings a partition where nobody says how many. Their mean deviates by less than half of what one does.
    pub const DRAWS: usize = 5;
    /// The most random rankings a partition.
    pub const MOST_DRAWS: usize = 10_000;

    /// The usual question for a metric: ten stratified halves (twenty for the SVM), selection on the
    /// training half, five random rankings each, p < 0.05, at the counts of [`Measure::usual_counts`].
    pub fn new(metric: Measure) -> Self {
        let repeats = if matches!(metric, Measure::Svm(_)) { 20 } else { 10 };
        Protocol {
            metric,
            partition: Partition::Halves { repeats },
            selection: Selection::default(),
            counts: Vec::new(),
            random: Self::DRAWS,
            worst: false,
            significance: 0.05,
            known: Vec::new(),
            labeled: Vec::new(),
            seed: 0,
        }
    }

    /// What is measured: what the metric does, and hits where features are known to matter.
    pub fn measures(&self) -> Vec<(&'static str, Goal)> {
        let own = self.metric.measures();
        let also = self.hits().is_some_and(|(_, at)| at == own.len());
        own.iter().copied().chain(also.then_some(HITS)).collect()
    }

    /// The features that hits are counted by, and which of the measures that is.
    pub(super) fn hits(&self) -> Option<(&[usize], usize)> {
        match &self.metric {
            Measure::Hits { known } => Some((known, 0)),
            _ if self.known.is_empty() => None,
            metric => Some((&self.known, metric.measures().len())),
        }
    }

    /// How the selections of a table are compared: by which measure, and which way is better.
    pub(super) fn judge(&self, (measure, goal): (usize, Goal), splits: &[Split], features: usize) -> Judge {
        let judged = splits.iter().map(|split| split.test.len()).min().unwrap_or(0);
        let whole = self.selection == Selection::All && !self.metric.trains();
        let known = self.hits().filter(|(_, at)| *at == measure).map(|(known, _)| known);
        let agreement = match known {
            Some(_) => Agreement::Nothing,
            None => self.metric.agreement(judged, whole),
        };
        let widest = if known.is_some() { 1.0 } else { self.metric.widest() };
        let judge = Judge::new(goal, self.significance).within(widest);
        let judge = judge.parted(splits.len(), self.overlap(splits), agreement);
        match known {
            Some(known) => judge.of_hits(known, features),
            None => judge,
        }
    }

    /// Draws of so many `classes`, as often as the Laplacian score's paper has it where `repeats` does not say.
    #[must_use]
    pub fn of_classes(mut self, classes: usize, repeats: Option<usize>) -> Self {
        self.partition = Partition::Classes { classes, repeats: repeats.unwrap_or(20) };
        self
    }

    /// Cross-validation with so many `folds`, or halves drawn `repeats` times; what is not said is as usual.
    #[must_use]
    pub fn parted(mut self, folds: Option<usize>, repeats: Option<usize>) -> Self {
        match (folds, repeats) {
            (Some(folds), repeats) => {
                self.partition = Partition::Folds { folds, repeats: repeats.unwrap_or(1) };
            }
            (None, Some(repeats)) => self.partition = Partition::Halves { repeats },
            (None, None) => {}
        }
        self
    }

    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`] where a number breaks its rule, or the metric does not suit the partition.
    pub fn check(&self) -> Result<()> {
        between("draws", self.random, Self::MOST_DRAWS)?;
        if !(self.significance > 0.0 && self.significance < 1.0) {
            return Err(Error::parameter("significance", "above 0 and below 1", self.significance));
        }
        self.labeled.iter().try_for_each(|&each| between("labeled", each, MANY))?;
        self.metric.check()?;
        self.partition.check()?;
        match self.partition {
            Partition::Classes { .. } => self.check_classes(),
            _ => Ok(()),
        }
    }

    /// The same question with the usual counts where none are given, and numbers that ascend, each once.
    #[must_use]
    pub(crate) fn fitted(mut self, data: &Dataset) -> Self {
        for numbers in [&mut self.counts, &mut self.labeled] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        if self.counts.is_empty() {
            self.counts = self.metric.usual_counts(data.n_features());
        }
        self
    }

    /// The same, with usual counts that no ranking made elsewhere is too short for.
    #[must_use]
    pub(crate) fn fitted_to(self, data: &Dataset, beside: &[Candidate]) -> Self {
        let usual = self.counts.is_empty();
        let mut fitted = self.fitted(data);
        if let Some(shortest) = beside.iter().filter_map(Candidate::shortest).min().filter(|_| usual) {
            let least = fitted.counts.first().copied().unwrap_or(1);
            fitted.counts.retain(|&count| count <= shortest.max(least));
        }
        fitted
    }

    /// Checks the question against the data; answers the class of every sample and the number of
    /// classes where the metric needs them.
    pub(super) fn check_on(&self, data: &Dataset) -> Result<(Vec<u32>, usize)> {
        self.check()?;
        let m = data.n_features();
        let least = self.metric.fewest_features();
        if self.counts.is_empty() || self.counts[0] < least || self.counts.last() > Some(&m) {
            let why =
                if least > 1 { ", for a single feature has no pair that could be redundant" } else { "" };
            let rule = format!("numbers from {least} to the number of features ({m}){why}");
            return Err(Error::parameter("counts", rule, list(&self.counts)));
        }
        if let Measure::Regression { .. } = self.metric {
            data.number("evaluation by knn")?;
        }
        if let Some(target) = data.target().filter(|_| !self.labeled.is_empty()) {
            let rule = format!(
                "left out where a number is to be predicted (`{}`), for it counts labels of classes",
                target.name()
            );
            return Err(Error::parameter("labeled", rule, list(&self.labeled)));
        }
        if let Partition::Classes { .. } = self.partition {
            data.classes("a draw of classes")?;
        }
        if let Some(target) = data.target().filter(|_| self.metric.needs_labels()) {
            let rule = format!(
                "knn, jaccard, redundancy or hits where a number is to be predicted (`{}`)",
                target.name()
            );
            return Err(Error::parameter("protocol", rule, self.metric.name()));
        }
        if self.metric.needs_labels() { data.classes(self.metric.who()) } else { Ok((Vec::new(), 0)) }
    }
}

impl Protocol {
    /// Drawn classes judge what they select: nothing may be trained.
    fn check_classes(&self) -> Result<()> {
        if self.metric.trains() {
            let rule =
                "kmeans, jaccard, redundancy or hits where classes are drawn: their samples select and judge";
            return Err(Error::parameter("protocol", rule, self.metric.name()));
        }
        if self.selection == Selection::All {
            let rule = "training where classes are drawn: selection sees the samples of those that are";
            return Err(Error::parameter("select-on", rule, self.selection.name()));
        }
        Ok(())
    }

    /// Whether a candidate has one ranking for all partitions; `draws` says that the labels that it knows are drawn for each.
    pub(super) fn ranks_once(&self, candidate: &Candidate, draws: bool) -> bool {
        match &candidate.source {
            CandidateSource::Order(_) => true,
            CandidateSource::Orders(_) => false,
            CandidateSource::Method(_) | CandidateSource::Ranker(_) => {
                self.selection != Selection::Training && !draws
            }
        }
    }

    /// How many classes there are in a partition, of `all`.
    pub(super) fn classes_of_a_part(&self, all: usize) -> usize {
        match self.partition {
            Partition::Classes { classes, .. } => classes.min(all),
            _ => all,
        }
    }
}

pub(super) fn list(counts: &[usize]) -> String {
    match counts {
        [] => "none".to_owned(),
        some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}
