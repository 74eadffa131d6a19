//! Many sources of knowledge, many rankings: MSFS and KOGS (DIS ch. 5).
//!
//! ```text
//!  labels, hierarchies, data, sets, networks ──► graphs ──► Σ α_i S_i ──► Ranking    (MSFS)
//!  graphs × methods ──► rankings; with rankings of any origin ──► Lists ──► Ranking  (KOGS)
//! ```
//!
//! **Sources become graphs** on the samples of the target ([`Source`]):
//!
//! | knowledge | graph |
//! |---|---|
//! | class labels | [`label_graph`] |
//! | a hierarchy `a/b/c` of every sample | [`hierarchy_graph`] |
//! | another data set on the same samples | any [`GraphRecipe`](crate::GraphRecipe) |
//! | a similarity of samples | [`Graph::from_dense`](crate::Graph::from_dense), [`from_edges`](crate::Graph::from_edges); [`indefinite`] |
//! | sets of features | [`feature_set_graph`] |
//! | interactions, similarity or annotations of features | [`FeatureNetwork`]; terms with all above them by [`Ontology`] |
//! | sequences of features | [`KmerSimilarity`] |
//!
//! **Graphs become one** by [`combine`], with weights given, equal, or learned from labels. Everything
//! is joined by name first ([`join_samples`], [`match_features`]).
//!
//! **Sources rank** the features by themselves ([`rank_by_each`]), and **rankings become one** by [`Aggregation`], with
//! weights given, equal, or learned from features that are known to matter ([`Consensus`]); [`hit_ratio`] tells how
//! many of these are among the best.
//!
//! **Fusions are judged** as methods are: what a source knows before it is a graph ([`Knowledge`]) becomes one of the samples
//! of every training part ([`Joint`]).

mod aggregate;
mod alignment;
mod answer;
mod combine;
mod consensus;
mod hierarchy;
mod hits;
mod joint;
mod knowledge;
mod kogs;
mod learned;
mod mc4;
mod names;
mod network;
mod ontology;
mod overlap;
mod printed;
mod products;
mod robust;
mod sequences;
mod sets;

pub use aggregate::{Aggregation, Lists};
pub use combine::{Coefficients, Fusion, Share, Source, combine};
pub use consensus::{Consensus, KnownFeatures, ListWeights, NamedList, Subject};
pub use hierarchy::{hierarchy_graph, label_graph};
pub use hits::{Hits, hit_ratio};
pub use joint::{Joining, Joint};
pub use knowledge::Knowledge;
pub use kogs::{RankedBy, rank_by_each};
pub use learned::FEWEST_KNOWN;
pub use mc4::MC4_LIMIT;
pub use names::{
    FeatureMatch, Names, SampleJoin, SampleSource, Unmatched, examples, join_samples, match_features,
};
pub use network::{Covariance, FeatureNetwork};
pub use ontology::{Annotations, Ontology, Term};
pub use overlap::Overlap;
pub use sequences::KmerSimilarity;
pub use sets::{FeatureSet, SET_LIMIT, feature_set_graph, indefinite};

use crate::{Error, Result};

/// Weights are finite and not negative, one is above 0, and there is one for each.
fn check_weights(weights: &[f64], expected: usize) -> Result<()> {
    if weights.len() != expected {
        return Err(Error::Length { what: "weights", expected, got: weights.len() });
    }
    if let Some(wrong) = weights.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
        return Err(Error::parameter("weights", "finite and 0 or more", wrong));
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::parameter("weights", "not all 0", "only zeros"));
    }
    Ok(())
}
