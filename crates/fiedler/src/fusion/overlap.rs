//! Features that share annotation terms: which terms tell something, and how alike two features are by them.
//!
//! With T_a the terms of feature a and IC(t) the information content of a term ([`Annotations`](super::Annotations)):
//!
//! | [`Overlap`] | similarity of a and b | source |
//! |---|---|---|
//! | `Jaccard` | terms in T_a ∩ T_b over terms in T_a ∪ T_b | |
//! | `Cosine` | terms in T_a ∩ T_b over √(terms in T_a · terms in T_b) | |
//! | `Information` | Σ IC over T_a ∩ T_b over Σ IC over T_a ∪ T_b (simGIC) | Pesquita et al. 2008 |
//! | `Resnik` | max IC over T_a ∩ T_b, over the largest IC of all | Resnik 1995, the best pair of terms |
//!
//! Where every T has its ancestors, the largest IC that two features share is that of the most informative term above any
//! two of their terms.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::parameters::words;

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
    /// Information content of shared terms over that of all terms of both.
    Information,
    /// Information content of the most informative shared term, over the largest of all.
    Resnik,
}

words!(
    Overlap,
    "overlap",
    Jaccard = "jaccard",
    Cosine = "cosine",
    Information = "information",
    Resnik = "resnik"
);

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

/// The information content of every term, from (feature, term) alone: -ln of the share of these features that have it.
pub(super) fn information(annotations: &[(usize, usize)]) -> Vec<f64> {
    let all: BTreeSet<(usize, usize)> = annotations.iter().copied().collect();
    let annotated = all.iter().map(|a| a.0).collect::<BTreeSet<usize>>().len() as f64;
    let mut counts = vec![0usize; all.iter().map(|a| a.1 + 1).max().unwrap_or(0)];
    all.iter().for_each(|a| counts[a.1] += 1);
    counts.into_iter().map(|count| (annotated / count.max(1) as f64).ln()).collect()
}

/// What a feature has of a term: the features of the term, and what the term counts.
type Weighed<'a> = (&'a BTreeSet<u32>, f64);

/// Pairs of features that share terms, with their overlap; `information` of every term.
pub(super) fn shared_terms(
    n_features: usize,
    members: &BTreeMap<usize, BTreeSet<u32>>,
    overlap: Overlap,
    information: &dyn Fn(usize) -> f64,
) -> Vec<(u32, u32, f64)> {
    let counts = |term: usize| match overlap {
        Overlap::Jaccard | Overlap::Cosine => 1.0,
        Overlap::Information | Overlap::Resnik => information(term),
    };
    let mut terms_of: Vec<Vec<Weighed<'_>>> = vec![Vec::new(); n_features];
    let mut largest = 0.0f64;
    for (&term, features) in members {
        let count = counts(term);
        largest = largest.max(count);
        features.iter().for_each(|&f| terms_of[f as usize].push((features, count)));
    }
    let totals: Vec<f64> = terms_of.iter().map(|terms| terms.iter().map(|t| t.1).sum()).collect();
    let edges_of = |a: usize| {
        let mut shared: BTreeMap<u32, f64> = BTreeMap::new();
        for (features, count) in &terms_of[a] {
            for &b in features.range(a as u32 + 1..) {
                let both = shared.entry(b).or_default();
                *both = if overlap == Overlap::Resnik { both.max(*count) } else { *both + count };
            }
        }
        let weight = |b: u32, both: f64| {
            let (of_a, of_b) = (totals[a], totals[b as usize]);
            match overlap {
                Overlap::Jaccard | Overlap::Information => both / (of_a + of_b - both),
                Overlap::Cosine => both / (of_a * of_b).sqrt(),
                Overlap::Resnik => both / largest,
            }
        };
        let pairs = shared.into_iter().filter(|(_, both)| *both > 0.0);
        pairs.map(|(b, both)| (a as u32, b, weight(b, both))).collect::<Vec<_>>()
    };
    (0..n_features).into_par_iter().flat_map_iter(edges_of).collect()
}
