//! Many rankings into one (DIS 5.5, KOGS): the rankings of several methods, data sources or
//! resamples agree on what is robust.
//!
//! | [`Aggregation`] | score of a feature | better | source |
//! |---|---|---|---|
//! | [`Borda`](Aggregation::Borda) | weighted mean of its ranks | smaller | Borda 1781 |
//! | [`Median`](Aggregation::Median) | median of its ranks | smaller | Fagin, Kumar, Sivakumar 2003 |
//! | [`ReciprocalRank`](Aggregation::ReciprocalRank) | Σ weight/(k + rank) | larger | Cormack, Clarke, Büttcher 2009 |
//! | [`Robust`](Aggregation::Robust) | p-value of ranks this good by chance | smaller | Kolde et al. 2012 |
//! | [`Mc4`](Aggregation::Mc4) | time a walk to majority winners spends there | larger | Dwork et al. 2001 |
//!
//! # Partial lists
//! A list may name the best features only. What it leaves out is worse than all it names: for
//! Borda and the median such a feature has the mean of the ranks that are left; for reciprocal
//! rank fusion it adds nothing; for robust aggregation it has the worst rank; for MC4 it loses to
//! the named ones. A feature that no list names has no score and comes last.
//!
//! # Weights
//! Borda and reciprocal rank fusion take a weight for every list: given, or learned from features that are
//! known to matter ([`Lists::learned`]).
//!
//! # Cost
//! Lists × features, with a sort of the lists per feature (median, robust); MC4 compares all pairs
//! of features and is refused above [`MC4_LIMIT`](super::MC4_LIMIT) of them.
//!
//! # When it fails
//! Lists that were made alike (ten rankings by one method) outvote a better one; weights, or fewer
//! lists of a kind, help. The p-values of robust aggregation hold for lists that are independent
//! of each other, and are not corrected for the number of features.

use super::{mc4, robust};
use crate::graph::median;
use crate::ranking::{Goal, OrderedBy, Ranking};
use crate::{Error, Result};

/// Rankings of the same features; a list may leave features out.
///
/// ```
/// use fiedler::fusion::{Aggregation, Lists};
///
/// // Features 0 to 3, best first; the second list names only its best two.
/// let lists = Lists::from_orders(4, &[vec![2, 0, 1, 3], vec![2, 1]])?;
/// let together = Aggregation::Borda.aggregate(&lists)?;
/// assert_eq!(together.order()[0], 2);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lists {
    n_features: usize,
    /// Of every list, the rank of every feature from 1, NaN where it is left out.
    ranks: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

/// How many rankings become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aggregation {
    /// The weighted mean of the ranks.
    Borda,
    /// The median of the ranks.
    Median,
    /// Σ weight/(k + rank).
    ReciprocalRank {
        /// How little the first ranks count more than the next; 60 in the paper.
        k: f64,
    },
    /// Robust rank aggregation: the p-value of ranks this good by chance.
    Robust,
    /// The Markov chain that moves to whatever most lists prefer.
    Mc4 {
        /// Probability of a jump to any feature, above 0 and below 1, so that the chain cannot be caught.
        jump: f64,
    },
}

impl Lists {
    /// Lists of feature indices below `n_features`, best first.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there are no lists, a list is empty, names a feature twice, or
    /// one that does not exist.
    pub fn from_orders(n_features: usize, orders: &[Vec<usize>]) -> Result<Self> {
        let mut ranks = Vec::with_capacity(orders.len());
        for order in orders {
            let mut of_list = vec![f64::NAN; n_features];
            for (place, &j) in order.iter().enumerate() {
                let Some(rank) = of_list.get_mut(j) else {
                    let rule = format!("made of feature indices below {n_features}");
                    return Err(Error::parameter("lists", rule, j));
                };
                if !rank.is_nan() {
                    return Err(Error::parameter(
                        "lists",
                        "free of repetitions",
                        format!("feature {j} twice"),
                    ));
                }
                *rank = (place + 1) as f64;
            }
            ranks.push(of_list);
        }
        Self::from_ranks(n_features, ranks)
    }

    /// The rankings of several methods on the same features. Features without a score are left
    /// out; features with equal scores share the mean of their ranks.
    ///
    /// # Errors
    /// [`Error::Length`] when the numbers of features differ; [`Error::Parameter`] when there are
    /// no rankings or one has no scores.
    pub fn from_rankings(rankings: &[&Ranking]) -> Result<Self> {
        let n_features = rankings.first().map_or(0, |r| r.n_features());
        for ranking in rankings {
            let got = ranking.n_features();
            if got != n_features {
                return Err(Error::Length { what: "features of a ranking", expected: n_features, got });
            }
        }
        Self::from_ranks(n_features, rankings.iter().map(|r| shared_ranks(r)).collect())
    }

    /// Lists of ranks from 1, one for every feature: the mean of their places for features that tie, NaN where a
    /// feature is left out.
    pub(super) fn from_ranks(n_features: usize, ranks: Vec<Vec<f64>>) -> Result<Self> {
        if ranks.is_empty() {
            return Err(Error::parameter("lists", "at least one", "none"));
        }
        if let Some(empty) = ranks.iter().position(|l| l.iter().all(|r| r.is_nan())) {
            return Err(Error::parameter(
                "lists",
                "not empty",
                format!("list {} without features", empty + 1),
            ));
        }
        let weights = vec![1.0; ranks.len()];
        Ok(Lists { n_features, ranks, weights })
    }

    /// The same lists with a weight each, as Borda and reciprocal rank fusion take them.
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::Parameter`] unless there is a finite weight ≥ 0 for every
    /// list, one of them above 0.
    pub fn weighted(mut self, weights: Vec<f64>) -> Result<Self> {
        super::check_weights(&weights, self.ranks.len())?;
        self.weights = weights;
        Ok(self)
    }

    /// Number of features, named or not.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether there are no lists; there always are.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The weight of every list.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(super) fn ranks(&self) -> &[Vec<f64>] {
        &self.ranks
    }

    /// Of every list, the rank of every feature; what it leaves out has the mean of the ranks that are left.
    pub(super) fn filled(&self) -> Vec<Vec<f64>> {
        let fill = |list: &Vec<f64>| {
            let named = list.iter().filter(|r| !r.is_nan()).count();
            let left_out = (named + 1 + self.n_features) as f64 / 2.0;
            list.iter().map(|r| if r.is_nan() { left_out } else { *r }).collect()
        };
        self.ranks.iter().map(fill).collect()
    }

    fn is_weighted(&self) -> bool {
        self.weights.windows(2).any(|w| w[0] != w[1])
    }

    /// Whether some list names feature `j`.
    pub(super) fn names(&self, j: usize) -> bool {
        self.ranks.iter().any(|list| !list[j].is_nan())
    }
}

/// Ranks from 1, the mean rank of their group for equal scores, NaN for features without.
pub(super) fn shared_ranks(ranking: &Ranking) -> Vec<f64> {
    let scores = ranking.scores();
    let scored = ranking.order()[..ranking.n_scored()].iter().map(|&j| (j, scores[j]));
    shared(&scored.collect::<Vec<_>>(), ranking.ordered_by(), scores.len())
}

/// The same for features and their scores, best first.
pub(super) fn shared(scored: &[(usize, f64)], by: OrderedBy, n_features: usize) -> Vec<f64> {
    let mut ranks = vec![f64::NAN; n_features];
    let mut before = 0;
    // Features that were chosen one after the other do not tie, whatever was measured.
    for group in scored.chunk_by(|a, b| by == OrderedBy::Score && a.1 == b.1) {
        let shared = before as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|(j, _)| ranks[*j] = shared);
        before += group.len();
    }
    ranks
}

impl Aggregation {
    /// Every aggregation with its usual parameters, in the order in which they are shown.
    pub const ALL: [Aggregation; 5] = [
        Aggregation::Borda,
        Aggregation::Median,
        Aggregation::ReciprocalRank { k: 60.0 },
        Aggregation::Robust,
        Aggregation::Mc4 { jump: 0.15 },
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Aggregation::Borda => "borda",
            Aggregation::Median => "median",
            Aggregation::ReciprocalRank { .. } => "rrf",
            Aggregation::Robust => "rra",
            Aggregation::Mc4 { .. } => "mc4",
        }
    }

    /// Whether lists may have weights.
    pub fn takes_weights(self) -> bool {
        matches!(self, Aggregation::Borda | Aggregation::ReciprocalRank { .. })
    }

    /// What its scores are.
    pub fn measures(self) -> &'static str {
        match self {
            Aggregation::Borda => "mean rank",
            Aggregation::Median => "median rank",
            Aggregation::ReciprocalRank { .. } => "sum of reciprocal ranks",
            Aggregation::Robust => "p-value of ranks this good by chance",
            Aggregation::Mc4 { .. } => "share of a walk to majority winners",
        }
    }

    /// One ranking of all features.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a parameter breaks its rule, or lists have weights and the
    /// aggregation takes none; what MC4 reports.
    pub fn aggregate(self, lists: &Lists) -> Result<Ranking> {
        self.check(lists)?;
        let (goal, mut scores) = match self {
            Aggregation::Borda => (Goal::Minimize, per_feature(lists, |ranks| mean(ranks, &lists.weights))),
            Aggregation::Median => (Goal::Minimize, per_feature(lists, |ranks| median(ranks.to_vec()))),
            Aggregation::ReciprocalRank { k } => (Goal::Maximize, reciprocal(lists, k)),
            Aggregation::Robust => (Goal::Minimize, robust::p_values(lists)),
            Aggregation::Mc4 { jump } => (Goal::Maximize, mc4::stationary(lists, jump)?),
        };
        for (j, score) in scores.iter_mut().enumerate() {
            if !lists.names(j) {
                *score = f64::NAN;
            }
        }
        Ok(self.describe(lists, Ranking::new(self.name(), goal, scores)))
    }

    fn check(self, lists: &Lists) -> Result<()> {
        self.check_parameter()?;
        if lists.is_weighted() { self.check_takes_weights(&format!("{:?}", lists.weights)) } else { Ok(()) }
    }

    /// Checks its own parameter, which takes no lists.
    ///
    /// # Errors
    /// [`Error::Parameter`] when `k` or `jump` breaks its rule.
    pub fn check_parameter(self) -> Result<()> {
        match self {
            Aggregation::ReciprocalRank { k } if !(k.is_finite() && k >= 0.0) => {
                Err(Error::parameter("k", "a number from 0", k))
            }
            Aggregation::Mc4 { jump } if !(jump > 0.0 && jump < 1.0) => {
                Err(Error::parameter("jump", "above 0 and below 1", jump))
            }
            _ => Ok(()),
        }
    }

    /// An error where `weights` are wanted and it takes none.
    pub(super) fn check_takes_weights(self, weights: &str) -> Result<()> {
        if self.takes_weights() {
            return Ok(());
        }
        let rule = format!("equal for `{}`; borda and rrf take weights", self.name());
        Err(Error::parameter("weights", rule, weights))
    }

    fn describe(self, lists: &Lists, mut ranking: Ranking) -> Ranking {
        ranking.parameters.set("lists", lists.len());
        match self {
            Aggregation::ReciprocalRank { k } => ranking.parameters.set("k", k),
            Aggregation::Mc4 { jump } => ranking.parameters.set("jump", jump),
            _ => {}
        }
        if lists.is_weighted() {
            let weights: Vec<String> = lists.weights.iter().map(f64::to_string).collect();
            ranking.parameters.set("weights", weights.join(", "));
        }
        let unnamed = ranking.n_features() - ranking.n_scored();
        if unnamed > 0 {
            ranking.warnings.push(format!("{unnamed} features are in no list and come last"));
        }
        ranking
    }
}

/// `score` of the ranks of every feature, one a list; what a list leaves out has the mean of the
/// ranks that are left.
fn per_feature(lists: &Lists, score: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let filled = lists.filled();
    let mut ranks = vec![0.0; lists.len()];
    let of_feature = |j: usize| {
        ranks.iter_mut().zip(&filled).for_each(|(rank, list)| *rank = list[j]);
        score(&ranks)
    };
    (0..lists.n_features).map(of_feature).collect()
}

fn mean(ranks: &[f64], weights: &[f64]) -> f64 {
    sum(ranks.iter().zip(weights).map(|(r, w)| r * w)) / sum(weights.iter().copied())
}

fn reciprocal(lists: &Lists, k: f64) -> Vec<f64> {
    let of_feature = |j: usize| {
        let terms = lists.ranks.iter().zip(&lists.weights).filter(|(list, _)| !list[j].is_nan());
        sum(terms.map(|(list, weight)| weight / (k + list[j])))
    };
    (0..lists.n_features).map(of_feature).collect()
}

/// The sum, smallest first, so that the order of the lists does not change a bit of it.
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut terms: Vec<f64> = terms.collect();
    terms.sort_by(f64::total_cmp);
    terms.iter().sum()
}
