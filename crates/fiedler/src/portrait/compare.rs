//! Several rankings side by side.

use super::{FEATURES, Subject};
use crate::ranking::Ranking;
use crate::stability::spearman;

/// Features that are listed at most.
const LISTED: usize = 40;

/// Several rankings of the same features.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Comparison {
    /// The methods.
    pub methods: Vec<String>,
    /// How many of the best features of two methods are compared.
    pub count: usize,
    /// The features that one of the methods has among its best, those with the smallest sum of ranks first.
    pub features: Vec<usize>,
    /// The rank of each of these features by each method; none without a score.
    pub ranks: Vec<Vec<Option<usize>>>,
    /// How many of the best features two methods share, method by method.
    pub shared: Vec<Vec<usize>>,
    /// Spearman's correlation of all ranks, method by method.
    pub spearman: Vec<Vec<f64>>,
    /// The features of each method that have a score, best first, as many as are listed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub orders: Vec<Vec<usize>>,
}

impl Comparison {
    /// `None` where there are no two.
    pub(super) fn of(subjects: &[Subject], count: usize) -> Option<Self> {
        if subjects.len() < 2 || count == 0 {
            return None;
        }
        let rankings: Vec<&Ranking> = subjects.iter().map(|s| &s.ranking).collect();
        let ranks: Vec<Vec<Option<usize>>> = rankings.iter().map(|r| ranks(r)).collect();
        let mut features: Vec<usize> = rankings.iter().flat_map(|r| r.top(count)).copied().collect();
        features.sort_unstable();
        features.dedup();
        let last = rankings[0].n_features();
        features.sort_by_key(|&j| (ranks.iter().map(|r| r[j].unwrap_or(last)).sum::<usize>(), j));
        features.truncate(LISTED);
        let shared = |a: &Ranking, b: &Ranking| {
            let mut of_b = b.top(count).to_vec();
            of_b.sort_unstable();
            a.top(count).iter().filter(|j| of_b.binary_search(j).is_ok()).count()
        };
        let scored = |r: &&Ranking| r.order()[..r.n_scored().min(FEATURES)].to_vec();
        Some(Comparison {
            orders: rankings.iter().map(scored).collect(),
            methods: rankings.iter().map(|r| r.method.to_owned()).collect(),
            count,
            ranks: features.iter().map(|&j| ranks.iter().map(|r| r[j]).collect()).collect(),
            features,
            shared: rankings.iter().map(|a| rankings.iter().map(|b| shared(a, b)).collect()).collect(),
            spearman: rankings.iter().map(|a| rankings.iter().map(|b| agreement(a, b)).collect()).collect(),
        })
    }
}

/// The rank of every feature that has a score.
fn ranks(ranking: &Ranking) -> Vec<Option<usize>> {
    let mut ranks = vec![None; ranking.n_features()];
    ranking.order()[..ranking.n_scored()].iter().enumerate().for_each(|(at, &j)| ranks[j] = Some(at + 1));
    ranks
}

fn agreement(a: &Ranking, b: &Ranking) -> f64 {
    if std::ptr::eq(a, b) { 1.0 } else { spearman(a, b) }
}
