//! What can be measured of a selection, by name.

use super::judge::Agreement;
use crate::ranking::Goal;
use crate::solve::svm::Svm;
use crate::{Error, Result};

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
        let least = self.fewest_features();
        let mut counts = usual_counts(n_features.max(least + 1));
        counts.retain(|&count| count >= least);
        counts
    }

    /// Fewer features than this cannot be judged.
    pub(super) fn fewest_features(&self) -> usize {
        if *self == Measure::Redundancy { 2 } else { 1 }
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
            Measure::Hits { .. } => &[HITS],
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

    /// What it tells that two selections differ by the same amount in all partitions, which have `judged` samples at the least; `whole`
    /// where all of them judge by all samples.
    pub(super) fn agreement(&self, judged: usize, whole: bool) -> Agreement {
        let n = judged as f64;
        match self {
            _ if judged == 0 => Agreement::Nothing,
            Measure::Nearest | Measure::Svm(_) | Measure::KMeans { .. } => Agreement::Steps(1.0 / n),
            // One sample loses one of k neighbors: |A ∩ B|/|A ∪ B| goes from 1 to (k - 1)/(k + 1).
            Measure::Jaccard { neighbors } if !whole => Agreement::Steps(2.0 / ((*neighbors + 1) as f64 * n)),
            // Either any value may be had, or all partitions are one.
            _ => Agreement::Nothing,
        }
    }

    /// How far apart two selections can be; only R² has no lower end.
    pub(super) fn widest(&self) -> f64 {
        if matches!(self, Measure::Regression { .. }) { f64::INFINITY } else { 1.0 }
    }

    pub(super) fn check(&self) -> Result<()> {
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

/// The share of known features among those selected.
pub(super) const HITS: (&str, Goal) = ("hit ratio", Goal::Maximize);

/// More neighbors, clusters or labels than this are a slip.
pub(super) const MANY: usize = 1_000_000;

pub(super) fn between(name: &str, value: usize, most: usize) -> Result<()> {
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
