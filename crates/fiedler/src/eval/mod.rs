//! How good is a selection? Rankings judged as the papers judge them.
//!
//! ```text
//!  Dataset ──► Partition ──► Candidate ranks ──► Measure at every ──► Evaluation ──► Verdict
//!              training,     the training part   count, on the       tables of      which, how
//!              test                              test part           curves         many, worth it?
//! ```
//!
//! A [`Protocol`] says what is measured ([`Measure`]), how samples are parted ([`Partition`]) and at which numbers of
//! features. [`Candidate`]s are methods or fusions, asked anew on every training part, or rankings made elsewhere. The answer, an
//! [`Evaluation`], is plain data: for every measure a table of curves, with the values of every partition. Where selection knows few
//! labels, every number of them has tables of its own; where a parameter varies, every value has curves of its own ([`Variant`]), and
//! [`Evaluation::trends`] looks along either.
//!
//! # What is measured
//! | metric | value | source |
//! |---|---|---|
//! | [`Nearest`](Measure::Nearest) | accuracy of the nearest training sample on the test part | DIS 2.6 |
//! | [`Regression`](Measure::Regression) | R² of the mean of the k nearest training samples on the test part | |
//! | [`Svm`](Measure::Svm) | accuracy of a linear SVM on the test part, C chosen inside the training part | DIS 4.3 |
//! | [`KMeans`](Measure::KMeans) | accuracy under the best naming of the clusters; I(C; Y)/max(H(C), H(Y)) | EVSC 4.2 |
//! | [`Jaccard`](Measure::Jaccard) | mean of \|A ∩ B\|/\|A ∪ B\|, neighborhoods by inner product in selected and in all features | DIS 4.3 |
//! | [`Redundancy`](Measure::Redundancy) | mean \|ρ\| over pairs of selected features | DIS 4.3 |
//! | [`Hits`](Measure::Hits) | share of known features among the selected | DIS 5.3 |
//!
//! R² = 1 - Σ(y - ŷ)²/Σ(y - ȳ)² over the test part, ȳ its mean: 1 is perfect, 0 is no better than the mean, and below 0 is
//! worse than that.
//!
//! # Rules of fairness
//! - **Selection sees the training part alone**, and so does scaling: test samples are scaled by the means and deviations
//!   of the training samples. [`Selection::All`] is for those who want to see what leaking does, and for the papers that
//!   cluster the very samples they selected on.
//! - **Chance is always there**: random selection with the spread of its draws, and all features. At 50 to 300 features
//!   random selection beats published methods on several public data sets. Its hits are not drawn: they are known exactly.
//! - **An order that tells nothing is not judged**: where no feature has a score or all scores are equal, a curve has no
//!   values ([`Untold`]), for the order is that of the columns.
//! - **Pairs**: all candidates are judged on the same partitions and compared with the best and with random selection: a
//!   [`Difference`] with its interval, by a paired t-test ([`paired_t_test`]) corrected for partitions that share samples. Hits are
//!   judged beside chance by what one random ranking may come to, and beside each other by an exchange of the features that are not
//!   shared, however many partitions agree. One place says how two compare: [`Judge`].
//! - **Same seed, same bits**, whatever the number of threads.
//!
//! # Cost
//! Along a curve everything grows by the new features: a curve up to c features costs what its last point costs,
//! O(n²c) for 1NN and Jaccard and O(nc²) for redundancy; zeros are skipped. k-means costs O(nkc) a step and count, all
//! its starts together in one matrix product.
//!
//! # Differences from the papers
//! DIS prints the redundancy with 1/(m(m-1)) before a sum over i > j of signed ρ, half of a mean; here it is the mean of |ρ|.
//! EVSC takes the best of ten k-means runs by accuracy, which looks at the answer; here it is the best by inertia.

mod candidate;
mod chance;
mod compare;
mod difference;
mod elsewhere;
mod exchange;
mod few;
mod grid;
mod judge;
mod kmeans;
mod leak;
mod machine;
mod matching;
mod measure;
mod metric;
mod notice;
mod pairs;
mod protocol;
mod result;
mod run;
mod split;
mod student;
mod sweep;
mod table;
mod untold;
mod verdict;
mod within;

pub use candidate::{Candidate, CandidateSource, Made, MadeBy, Ranker, Variant};
pub use chance::Chance;
pub use difference::{Difference, Standing};
pub use grid::{Trend, TrendLine};
pub use judge::{Agreement, Judge, Side};
pub use kmeans::{Clustering, KMeans};
pub use leak::Leak;
pub use matching::{assign, clustering_accuracy, normalized_mutual_information};
pub use metric::{Measure, SvmMeasure, usual_counts};
pub use protocol::{Protocol, Selection};
pub use result::{Curve, CurveKind, Evaluation, Point, Summary, Table};
pub use split::{MOST_REPEATS, Partition, Split};
pub use student::paired_t_test;
pub use sweep::Sweep;
pub use untold::Untold;
pub use verdict::{Mark, Verdict};
