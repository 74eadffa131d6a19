//! Features that share annotation terms: which terms tell something, and how alike two features are by them.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

/// Terms of so many features, or of a quarter of them, are used unless told otherwise …
const BROAD: usize = 200;
/// … as long as they do not join more pairs than this.
const MOST_PAIRS: usize = 20_000_000;

/// How features that share annotation terms are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// Shared terms over all terms of both.
    #[default]
    Jaccard,
    /// Shared terms over the geometric mean of their numbers of terms.
    Cosine,
}

/// The number of features up to which terms are used: [`BROAD`] or a quarter of all features, as long as
/// the terms (of these `sizes`) join no more than [`MOST_PAIRS`].
pub(super) fn broadest(n_features: usize, mut sizes: Vec<usize>) -> usize {
    let most = BROAD.max(n_features / 4);
    sizes.sort_unstable();
    let mut pairs = 0;
    for size in sizes.into_iter().filter(|&s| s <= most) {
        pairs += size * (size - 1) / 2;
        if size > BROAD && pairs > MOST_PAIRS {
            return size - 1;
        }
    }
    most
}

/// Pairs of features that share terms, with their overlap.
pub(super) fn shared_terms(
    n_features: usize,
    members: &BTreeMap<usize, BTreeSet<u32>>,
    overlap: Overlap,
) -> Vec<(u32, u32, f64)> {
    let mut terms_of: Vec<Vec<&BTreeSet<u32>>> = vec![Vec::new(); n_features];
    for features in members.values() {
        features.iter().for_each(|&f| terms_of[f as usize].push(features));
    }
    let edges_of = |a: usize| {
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        for features in &terms_of[a] {
            features.range(a as u32 + 1..).for_each(|&b| *shared.entry(b).or_default() += 1);
        }
        let weight = |b: u32, both: usize| {
            let (of_a, of_b) = (terms_of[a].len() as f64, terms_of[b as usize].len() as f64);
            match overlap {
                Overlap::Jaccard => both as f64 / (of_a + of_b - both as f64),
                Overlap::Cosine => both as f64 / (of_a * of_b).sqrt(),
            }
        };
        shared.into_iter().map(|(b, both)| (a as u32, b, weight(b, both))).collect::<Vec<_>>()
    };
    (0..n_features).into_par_iter().flat_map_iter(edges_of).collect()
}
