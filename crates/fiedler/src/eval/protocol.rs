//! The question: what is measured, on which partitions, at which counts.

use super::split::Partition;
use crate::dataset::Dataset;
use crate::ranking::Goal;
use crate::solve::svm::Svm;
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
    /// Numbers of features, ascending; empty: [`Measure::usual_counts`].
    pub counts: Vec<usize>,
    /// Random rankings a partition, the baseline that is always there.
    pub random: usize,
    /// Whether the last features of every ranking are judged too ("bad" against "good" features).
    pub worst: bool,
    /// A p-value below this is a difference.
    pub significance: f64,
    /// Labels that selection knows of every class; `None`: all of them. The judge knows all.
    pub labeled: Option<usize>,
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
}

impl Selection {
    /// `training` or `all`.
    pub fn name(self) -> &'static str {
        match self {
            Selection::Training => "training",
            Selection::All => "all",
        }
    }
}

/// What is measured of some features.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// The accuracy of the nearest training sample (1NN, Euclidean) on the test part.
    Nearest,
    /// R² of the mean of the `neighbors` nearest training samples (Euclidean) on the test part, for a number to be predicted.
    Regression {
        /// How many training samples are averaged, or all of them where there are fewer.
        neighbors: usize,
    },
    /// The accuracy of a linear SVM on the test part.
    Svm(SvmMeasure),
    /// How well k-means on the judging samples finds the classes: accuracy under the best naming of the
    /// clusters, and normalized mutual information.
    KMeans {
        /// Number of clusters; `None`: that of the classes.
        clusters: Option<usize>,
        /// Starts, of which the one with the smallest inertia counts.
        starts: usize,
    },
    /// How much of the neighborhoods of the judging samples in all features is kept: the mean Jaccard index of the
    /// `neighbors` most similar samples by inner product.
    Jaccard {
        /// Size of a neighborhood.
        neighbors: usize,
    },
    /// The mean absolute correlation of pairs of features on the judging samples.
    Redundancy,
    /// The share of known features among those selected.
    Hits {
        /// The known features.
        known: Vec<usize>,
    },
}

/// A linear SVM whose cost is chosen inside the training part.
#[derive(Debug, Clone, PartialEq)]
pub struct SvmMeasure {
    /// Everything but the cost.
    pub svm: Svm,
    /// The costs to choose from; a single one is taken as it is.
    pub costs: Vec<f64>,
    /// Folds of the cross-validation that chooses.
    pub folds: usize,
}

impl Default for SvmMeasure {
    fn default() -> Self {
        let svm = Svm { gap: 1e-2, max_passes: 2000, ..Svm::default() };
        SvmMeasure { svm, costs: vec![0.001, 0.01, 0.1, 1.0, 10.0], folds: 3 }
    }
}

impl SvmMeasure {
    pub(super) fn machine(&self, cost: f64) -> Svm {
        Svm { cost, ..self.svm }
    }
}

impl Measure {
    /// The names on the command line.
    pub const NAMES: [&str; 7] = ["1nn", "knn", "svm", "kmeans", "jaccard", "redundancy", "hits"];

    /// How many neighbors count where the user does not say.
    pub const NEIGHBORS: usize = 5;

    /// How often k-means starts where the user does not say.
    pub const STARTS: usize = 10;

    /// The metric of that name with its usual parameters; known features are for the caller to fill in.
    ///
    /// ```
    /// use fiedler::eval::Measure;
    /// assert_eq!(Measure::named("jaccard")?, Measure::Jaccard { neighbors: 5 });
    /// assert!(Measure::named("auc").is_err());
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] where there is none.
    pub fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "1nn" => Measure::Nearest,
            "knn" => Measure::Regression { neighbors: Self::NEIGHBORS },
            "svm" => Measure::Svm(SvmMeasure::default()),
            "kmeans" => Measure::KMeans { clusters: None, starts: Self::STARTS },
            "jaccard" => Measure::Jaccard { neighbors: Self::NEIGHBORS },
            "redundancy" => Measure::Redundancy,
            "hits" => Measure::Hits { known: Vec::new() },
            other => {
                let rule = format!("one of {}", Self::NAMES.join(", "));
                return Err(Error::parameter("protocol", rule, format!("`{other}`")));
            }
        })
    }

    /// The numbers of features at which selections are judged where the user does not say: [`usual_counts`], but a
    /// single feature has no pairs that could be redundant.
    pub fn usual_counts(&self, n_features: usize) -> Vec<usize> {
        let mut counts = usual_counts(n_features);
        counts.retain(|&count| count > 1 || *self != Measure::Redundancy || n_features < 3);
        counts
    }

    /// What judges selections where the user does not say: by classes, or, where data have a target, by that number.
    pub fn usual(has_target: bool) -> Self {
        if has_target { Measure::Regression { neighbors: Self::NEIGHBORS } } else { Measure::Nearest }
    }

    /// The name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Measure::Nearest => "1nn",
            Measure::Regression { .. } => "knn",
            Measure::Svm(_) => "svm",
            Measure::KMeans { .. } => "kmeans",
            Measure::Jaccard { .. } => "jaccard",
            Measure::Redundancy => "redundancy",
            Measure::Hits { .. } => "hits",
        }
    }

    /// What is measured, in words: the names of the measures and which way is better.
    pub fn measures(&self) -> &'static [(&'static str, Goal)] {
        match self {
            Measure::Nearest => &[("1NN accuracy", Goal::Maximize)],
            Measure::Regression { neighbors: Self::NEIGHBORS } => {
                &[("R² of the 5 nearest neighbors", Goal::Maximize)]
            }
            Measure::Regression { .. } => &[("R² of nearest neighbors", Goal::Maximize)],
            Measure::Svm(_) => &[("linear SVM accuracy", Goal::Maximize)],
            Measure::KMeans { .. } => &[
                ("k-means accuracy", Goal::Maximize),
                ("k-means normalized mutual information", Goal::Maximize),
            ],
            Measure::Jaccard { .. } => &[("Jaccard index of neighborhoods", Goal::Maximize)],
            Measure::Redundancy => &[("mean absolute correlation of pairs", Goal::Minimize)],
            Measure::Hits { .. } => &[("hit ratio", Goal::Maximize)],
        }
    }

    /// Whether every sample must have a label.
    pub fn needs_labels(&self) -> bool {
        matches!(self, Measure::Nearest | Measure::Svm(_) | Measure::KMeans { .. })
    }

    /// Whether something is trained on the training part.
    pub fn trains(&self) -> bool {
        matches!(self, Measure::Nearest | Measure::Regression { .. } | Measure::Svm(_))
    }

    fn check(&self) -> Result<()> {
        match self {
            Measure::Svm(SvmMeasure { costs, .. })
                if costs.is_empty() || costs.iter().any(|c| !(*c > 0.0 && c.is_finite())) =>
            {
                let got: Vec<String> = costs.iter().map(f64::to_string).collect();
                Err(Error::parameter("costs", "numbers above 0, one at least", got.join(", ")))
            }
            Measure::Regression { neighbors } | Measure::Jaccard { neighbors } => {
                between("neighbors", *neighbors, MANY)
            }
            Measure::KMeans { clusters: Some(clusters), .. } => between("clusters", *clusters, MANY),
            _ => Ok(()),
        }
    }

    /// Who asks for labels, in errors.
    pub(crate) fn who(&self) -> &'static str {
        match self {
            Measure::Nearest => "evaluation by 1nn",
            Measure::Svm(_) => "evaluation by svm",
            _ => "evaluation by kmeans",
        }
    }
}

impl Protocol {
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
            random: 5,
            worst: false,
            significance: 0.05,
            labeled: None,
            seed: 0,
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
        self.labeled.map_or(Ok(()), |labeled| between("labeled", labeled, MANY))?;
        self.metric.check()?;
        self.partition.check()?;
        match self.partition {
            Partition::Classes { .. } => self.check_classes(),
            _ => Ok(()),
        }
    }

    /// The same question with the usual counts where none are given.
    #[must_use]
    pub(crate) fn fitted(mut self, data: &Dataset) -> Self {
        if self.counts.is_empty() {
            self.counts = self.metric.usual_counts(data.n_features());
        }
        self
    }

    /// Checks the question against the data; answers the class of every sample and the number of
    /// classes where the metric needs them.
    pub(super) fn check_on(&self, data: &Dataset) -> Result<(Vec<u32>, usize)> {
        self.check()?;
        let m = data.n_features();
        let ascending = self.counts.windows(2).all(|pair| pair[0] < pair[1]);
        if self.counts.is_empty() || !ascending || self.counts[0] == 0 || self.counts.last() > Some(&m) {
            let rule = format!("ascending numbers from 1 to the number of features ({m})");
            return Err(Error::parameter("counts", rule, list(&self.counts)));
        }
        if let Measure::Regression { .. } = self.metric {
            data.number("evaluation by knn")?;
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

    /// How many classes there are in a partition, of `all`.
    pub(super) fn classes_of_a_part(&self, all: usize) -> usize {
        match self.partition {
            Partition::Classes { classes, .. } => classes.min(all),
            _ => all,
        }
    }
}

/// More neighbors, clusters or labels than this are a slip.
const MANY: usize = 1_000_000;

fn between(name: &str, value: usize, most: usize) -> Result<()> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::parameter(name, format!("from 1 to {most}"), value))
}

/// Counts for a curve over `n_features` features: 1, 2, 5, 10, … up to 200 or all but one.
///
/// ```
/// assert_eq!(fiedler::eval::usual_counts(64), [1, 2, 5, 10, 20, 50]);
/// assert_eq!(fiedler::eval::usual_counts(4), [1, 2, 3]);
/// ```
pub fn usual_counts(n_features: usize) -> Vec<usize> {
    if n_features <= 8 {
        return (1..n_features.max(2)).collect();
    }
    [1, 2, 5, 10, 20, 50, 100, 200].into_iter().filter(|&c| c < n_features).collect()
}

fn list(counts: &[usize]) -> String {
    match counts {
        [] => "none".to_owned(),
        some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}
