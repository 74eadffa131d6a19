//! Spectral feature selection: which features carry the structure of the data.
//!
//! ```text
//!  array ──► Dataset ──► Graph ──► Spectrum ──► Ranking
//!            columns,    who is    eigenpairs   scores, goal,
//!            labels,     similar   of N (when   order
//!            names       to whom   needed)
//! ```
//!
//! ```
//! use fiedler::{Selector, dataset::demo, methods::Laplacian};
//!
//! let data = demo::iris()?;
//! let ranking = Laplacian::default().rank(&data)?;
//! for &j in ranking.top(2) {
//!     println!("{} {:.3} ({})", data.feature_name(j), ranking.scores()[j], ranking.goal().in_words());
//! }
//! assert_eq!(data.feature_name(ranking.order()[0]), "petal length");
//! # Ok::<(), fiedler::Error>(())
//! ```
//!
//! # A short course
//!
//! **1. Similar samples.** A [`Graph`] joins samples that are alike: S_ij is the weight of the edge
//! between samples i and j. The recipes are in [`graph`]: nearest neighbors with a heat kernel
//! (the default), all pairs, class labels, and more. The *degree* of a sample is d_i = Σ_j S_ij, and
//! D the diagonal matrix of degrees.
//!
//! **2. Smooth features.** A feature f is a number for every sample. It is *smooth* on the graph when
//! similar samples have similar values, that is, when
//!
//! ```text
//! fᵀLf = Σ_{i<j} S_ij (f_i - f_j)²,   L = D - S
//! ```
//!
//! is small. L is the graph's *Laplacian*. A constant is perfectly smooth and says nothing, so smoothness
//! is compared to the variance of the feature: that ratio is the Laplacian score
//! ([`methods::Laplacian`]). Noise is rough; a feature that follows the clusters of the data is smooth.
//!
//! **3. Frequencies.** The eigenvectors ξ_j of the normalized Laplacian N = D^-½LD^-½ are to a graph what
//! sines are to a line, their eigenvalues λ_j in 0..2 the frequencies. [`spectrum::Spectrum`] computes the
//! lowest, whose vectors tell clusters apart (the second is named after Miroslav Fiedler). SPEC
//! ([`methods::Spec`]) takes a feature apart into these frequencies and punishes the high ones by a
//! function γ ([`spectrum::Filter`]).
//!
//! **4. One table of criteria.** Fisher's score, ReliefF, HSIC, trace ratio, the Laplacian score and SPEC are
//! all ratios of quadratic forms fᵀAf on some graph, and all follow from five sums that one pass over
//! the edges gives: [`moments`], [`criterion`].
//!
//! **5. Rankings.** Every [`Selector`] answers with a [`Ranking`]: a score for every feature, whether small or
//! large is better, and the order. Constant features have no score and come last.
//!
//! **6. Scale, size, certainty.** Features in different units are scaled first ([`Scaling`]). Data come in
//! blocks of columns ([`dataset::Columns`]), so they need not fit in memory. Results do not depend on
//! the number of threads, to the bit. Long work reports to a [`Monitor`] and stops when it says so.
//!
//! **7. Is it any good?** [`eval`] selects on one part of the samples and judges on the other, at many numbers of
//! features, with random selection and all features beside.
//!
//! Symbols are the same everywhere: n samples, m features, f a feature, S similarity, d degrees, L and N the
//! Laplacians, (λ, ξ) eigenpairs of N. LS, SPEC, SSL, EVSC and DIS stand for the papers on the Laplacian score
//! (He, Cai, Niyogi 2005), SPEC (Zhao, Liu 2007), semi-supervised selection (Zhao, Liu 2007), eigenvalue
//! sensitivity (Jiang, Ren 2011) and Zhao's dissertation (2010).

mod advice;
pub mod afar;
mod analysis;
pub mod checkpoint;
pub mod criterion;
pub mod dataset;
mod detail;
mod error;
pub mod eval;
mod findings;
pub mod fusion;
mod gram;
pub mod graph;
mod in_order;
pub mod limits;
pub mod methods;
pub mod moments;
mod monitor;
mod parameters;
pub mod portrait;
mod random;
mod ranking;
mod scorer;
mod selector;
mod sight;
mod simd;
pub mod solve;
pub mod spectrum;
pub mod stability;

pub use advice::{Step, Wording};
pub use analysis::{Analysis, Wanted};
pub use dataset::{Dataset, FeatureNames, Labels, Scaling, Target};
pub use detail::{Audience, Cells, Detail, DetailColumn};
pub use error::{Error, Result};
pub use findings::{
    DataCard, FORMAT, Findings, GraphFound, GraphSummary, KnownFound, LabelCard, LeftOut, Place,
    RankingFound, RunCard, Seen, SourceFound, SourceGraph, TargetCard,
};
pub use graph::{Graph, GraphOptions, GraphRecipe};
pub use limits::Limits;
pub use monitor::{Limited, Monitor, Silent};
pub use parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
pub use portrait::Portrait;
pub use ranking::{Goal, OrderedBy, Ranking};
pub use selector::{
    GraphUse, Judges, LabelUse, Method, MethodInfo, Registered, Scorer, Selector, Supervision,
};
