//! Scores against ranks, and how many features are kept.

use crate::dataset::Dataset;
use crate::ranking::{Goal, Ranking};

/// Points of a curve at most.
const POINTS: usize = 600;
/// Ranks that are all on the curve, however long it is.
const FIRST: usize = 200;
/// Features that are kept where nobody says how many and the scores do not turn.
const USUAL: usize = 10;

/// The scores of a ranking against the ranks.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScoreCurve {
    /// The method.
    pub method: String,
    /// Which way is better.
    pub goal: Goal,
    /// Ranks from 1, ascending: all, or the first and then wider and wider steps.
    pub ranks: Vec<usize>,
    /// The scores at these ranks.
    pub scores: Vec<f64>,
    /// Features on the whole curve: those that have a score and can be judged.
    pub n_judged: usize,
    /// Features that come after them, for few samples carry them.
    pub n_aside: usize,
    /// Features without a score.
    pub n_unscored: usize,
    /// Features that are constant, which have none.
    pub n_constant: usize,
    /// Features that share their score with another one.
    pub n_tied: usize,
    /// The turning point of the scores, where they have one.
    pub elbow: Option<usize>,
    /// A turn that comes too late for that: it tells the poorest features from all others, and not how few are enough.
    #[cfg_attr(feature = "serde", serde(default))]
    pub late_turn: Option<usize>,
    /// How many features are kept.
    pub kept: usize,
    /// Who decided that.
    pub kept_by: KeptBy,
}

/// Who decided how many features are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum KeptBy {
    /// The user.
    Asked,
    /// An evaluation: so few are as good as any number, within a standard error.
    Judged,
    /// The turning point of the scores.
    Elbow,
    /// Nobody: ten, or half of the features where there are fewer than twenty.
    Usual,
}

impl ScoreCurve {
    pub(super) fn of(ranking: &Ranking, data: &Dataset, asked: Option<(usize, KeptBy)>) -> Self {
        let n_constant = (0..data.n_features()).filter(|&j| data.constant(j)).count();
        Self::of_scores(ranking, n_constant, asked)
    }

    pub(super) fn of_scores(ranking: &Ranking, n_constant: usize, asked: Option<(usize, KeptBy)>) -> Self {
        let (m, n_scored) = (ranking.n_features(), ranking.n_scored());
        let aside = |j: &&usize| ranking.is_aside(**j);
        let n_aside = ranking.order()[..n_scored].iter().filter(aside).count();
        let n_judged = n_scored - n_aside;
        let judged: Vec<f64> = ranking.order()[..n_judged].iter().map(|&j| ranking.scores()[j]).collect();
        let elbow = ranking.elbow().filter(|&count| count > 0);
        let (kept, kept_by) = match (asked, elbow) {
            (Some((count, by)), _) => (count.min(m), by),
            (None, Some(elbow)) => (elbow, KeptBy::Elbow),
            (None, None) => (USUAL.min(m.div_ceil(2)), KeptBy::Usual),
        };
        let ranks = drawn_ranks(n_judged);
        ScoreCurve {
            method: ranking.method.to_owned(),
            goal: ranking.goal(),
            scores: ranks.iter().map(|&rank| judged[rank - 1]).collect(),
            ranks,
            n_judged,
            n_aside,
            n_unscored: m - n_scored,
            n_constant,
            n_tied: tied(&judged),
            elbow,
            late_turn: ranking.late_turn(),
            kept,
            kept_by,
        }
    }
}

/// All ranks, or the first and then so that each step is longer than the last by the same factor.
fn drawn_ranks(n: usize) -> Vec<usize> {
    if n <= POINTS {
        return (1..=n).collect();
    }
    let steps = POINTS - FIRST;
    let growth = (n as f64 / FIRST as f64).ln() / steps as f64;
    let later = (1..=steps).map(|s| (FIRST as f64 * (growth * s as f64).exp()).round() as usize);
    let mut ranks: Vec<usize> = (1..=FIRST).chain(later.map(|r| r.min(n))).collect();
    ranks.dedup();
    ranks
}

/// How many of the sorted scores equal another one.
fn tied(sorted: &[f64]) -> usize {
    let same = |a: usize, b: usize| sorted.get(a).is_some_and(|x| sorted.get(b) == Some(x));
    (0..sorted.len()).filter(|&i| (i > 0 && same(i - 1, i)) || same(i, i + 1)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_keeps_its_ends_and_stays_short() {
        assert_eq!(drawn_ranks(3), [1, 2, 3]);
        for n in [601, 1_000, 1_000_000] {
            let ranks = drawn_ranks(n);
            assert!(ranks.len() <= POINTS && ranks.windows(2).all(|w| w[0] < w[1]), "{n}");
            assert_eq!((ranks[0], ranks.last()), (1, Some(&n)));
        }
    }

    #[test]
    fn ties_are_counted_on_both_sides() {
        assert_eq!(tied(&[0.1, 0.1, 0.2, 0.3, 0.3, 0.3]), 5);
        assert_eq!(tied(&[1.0]), 0);
        assert_eq!(tied(&[]), 0);
    }
}
