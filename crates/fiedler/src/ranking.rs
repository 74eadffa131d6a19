//! [`Ranking`]: scores, which way is better, and the order. The only place that sorts.

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use crate::dataset::{Scaling, Transform};
use crate::detail::Detail;
use crate::graph::Graph;
use crate::parameters::Parameters;
use crate::{Error, Result};

/// Scores closer than this part of the larger one tie.
const ROUNDING: f64 = 1e-12;

/// Which way is better. A score never travels without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Goal {
    /// Smaller scores are better.
    Minimize,
    /// Larger scores are better.
    Maximize,
}

impl Goal {
    /// `minimize` or `maximize`, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Minimize => "minimize",
            Goal::Maximize => "maximize",
        }
    }

    /// `smaller is better` or `larger is better`.
    pub fn in_words(self) -> &'static str {
        match self {
            Goal::Minimize => "smaller is better",
            Goal::Maximize => "larger is better",
        }
    }
}

/// What a ranking is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderedBy {
    /// The scores.
    #[default]
    Score,
    /// The order in which the method chose features, one after the other. A score is what was measured when the feature
    /// was chosen (for features that were not, what it would be if they came next), and may rise and fall along the order.
    Choice {
        /// What was measured.
        measured: &'static str,
    },
}

impl OrderedBy {
    /// `score` or `choice`, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            OrderedBy::Score => "score",
            OrderedBy::Choice { .. } => "choice",
        }
    }

    /// `smaller is better`, or that the order is one of choice and what its scores are.
    pub fn in_words(self, goal: Goal) -> String {
        match self {
            OrderedBy::Score => goal.in_words().to_owned(),
            OrderedBy::Choice { measured } => format!("order of choice; score: {measured}"),
        }
    }
}

/// What a method found: a score for every feature, best first.
///
/// Ties go to the lower index. A feature that is constant, or that the method cannot score,
/// has no score and ranks last, in the order of the columns.
///
/// ```
/// use fiedler::{Goal, Ranking};
/// let ranking = Ranking::new("demo", Goal::Minimize, vec![0.5, f64::NAN, 0.1, 0.5]);
/// assert_eq!(ranking.order(), [2, 0, 3, 1]);
/// assert_eq!(ranking.score(1), None);
/// assert_eq!(ranking.top(2), [2, 0]);
/// ```
#[derive(Debug, Clone)]
pub struct Ranking {
    /// The method's registered name.
    pub method: &'static str,
    /// What it was asked with, and what it chose by itself.
    pub parameters: Parameters,
    /// What was decided for the user, one sentence each.
    pub notes: Vec<String>,
    /// What the user should know before trusting it.
    pub warnings: Vec<String>,
    /// The graph it was computed on, where the method uses one.
    pub graph: Option<Arc<Graph>>,
    /// What the method tells beyond scores: a path, how a width was chosen.
    pub details: Vec<Detail>,
    /// How the data that the method saw were scaled.
    pub scaling: Scaling,
    /// What was done to every value that the method saw.
    pub transform: Transform,
    /// The name of the labels that the method saw, where it saw any.
    pub labels: Option<String>,
    /// The name of the number to be predicted that the method saw, where it saw one.
    pub target: Option<String>,
    goal: Goal,
    scores: Vec<f64>,
    order: Vec<usize>,
    ordered_by: OrderedBy,
    /// Features that come after all others that have a score, ascending.
    aside: Vec<usize>,
    /// The score of a feature that counts nothing.
    floor: Option<f64>,
}

impl Ranking {
    /// Sorts `scores`; a score that is not a number means "none".
    pub fn new(method: &'static str, goal: Goal, scores: Vec<f64>) -> Self {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        // A stable sort leaves ties, and features without a score, in the order of the columns.
        order.par_sort_by(|&a, &b| {
            let (a, b) = (scores[a], scores[b]);
            match goal {
                _ if a.is_nan() || b.is_nan() => a.is_nan().cmp(&b.is_nan()),
                // Not `total_cmp`, for which 0 and -0 do not tie.
                Goal::Minimize => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
                Goal::Maximize => b.partial_cmp(&a).unwrap_or(Ordering::Equal),
            }
        });
        Ranking {
            method,
            parameters: Parameters::default(),
            notes: Vec::new(),
            warnings: Vec::new(),
            graph: None,
            details: Vec::new(),
            scaling: Scaling::default(),
            transform: Transform::default(),
            aside: Vec::new(),
            floor: None,
            labels: None,
            target: None,
            goal,
            scores,
            order,
            ordered_by: OrderedBy::Score,
        }
    }

    /// The ranking of a method that chooses one feature after the other: `chosen` are the features in that order, each with
    /// what was `measured` when it was chosen. Features that are not among them have no score and rank last.
    ///
    /// ```
    /// use fiedler::{Goal, Ranking};
    /// let ranking = Ranking::of_choices("demo", Goal::Maximize, 4, &[(2, 0.5), (0, 0.7), (3, 0.1)], "gain");
    /// assert_eq!(ranking.order(), [2, 0, 3, 1]);
    /// assert_eq!((ranking.score(0), ranking.score(1)), (Some(0.7), None));
    /// ```
    pub fn of_choices(
        method: &'static str,
        goal: Goal,
        n_features: usize,
        chosen: &[(usize, f64)],
        measured: &'static str,
    ) -> Self {
        let mut scores = vec![f64::NAN; n_features];
        let mut turns = vec![usize::MAX; n_features];
        for (turn, &(j, value)) in chosen.iter().enumerate() {
            (scores[j], turns[j]) = (value, turn);
        }
        let mut ranking = Ranking::new(method, goal, scores);
        // A stable sort leaves the others in the order of the columns.
        ranking.order.sort_by_key(|&j| (ranking.scores[j].is_nan(), turns[j]));
        ranking.ordered_by = OrderedBy::Choice { measured };
        ranking
    }

    /// The same ranking, computed on `graph`, whose notes and warnings it takes over.
    #[must_use]
    pub(crate) fn on(mut self, graph: &Arc<Graph>) -> Self {
        self.notes.extend(graph.notes().iter().cloned());
        self.warnings.extend(graph.warnings().iter().cloned());
        self.graph = Some(Arc::clone(graph));
        self
    }

    /// The same ranking with some features after all others that have a score, whatever their own: those that
    /// cannot be judged.
    #[must_use]
    pub fn with_aside(mut self, mut features: Vec<usize>) -> Self {
        features.sort_unstable();
        self.aside = features;
        let place = |&j: &usize| (self.scores[j].is_nan(), self.aside.binary_search(&j).is_ok());
        let mut order = std::mem::take(&mut self.order);
        order.sort_by_key(place);
        self.order = order;
        self
    }

    /// The same ranking of a method that uses some features and not the others: scores of those that it does not use are at
    /// `floor` or beyond it, where they tell who comes next and not how much a feature counts.
    #[must_use]
    pub fn with_floor(mut self, floor: f64) -> Self {
        self.floor = Some(floor);
        self
    }

    /// The best score and that of a feature that counts nothing: the floor, or else the worst. `None` where no feature has
    /// a score that is finite.
    ///
    /// ```
    /// use fiedler::{Goal, Ranking};
    /// let ranking = Ranking::new("demo", Goal::Maximize, vec![0.4, -1.0, f64::NAN, 0.1]);
    /// assert_eq!(ranking.range(), Some((0.4, -1.0)));
    /// assert_eq!(ranking.with_floor(0.0).range(), Some((0.4, 0.0)));
    /// ```
    pub fn range(&self) -> Option<(f64, f64)> {
        let finite = || self.scores.iter().copied().filter(|s| s.is_finite());
        let (low, high) =
            (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        let ends = match self.goal {
            Goal::Minimize => (low, self.floor.map_or(high, |floor| high.min(floor.max(low)))),
            Goal::Maximize => (high, self.floor.map_or(low, |floor| low.max(floor.min(high)))),
        };
        (low <= high).then_some(ends)
    }

    /// Whether feature `j` comes after others because it cannot be judged.
    pub fn is_aside(&self, j: usize) -> bool {
        self.aside.binary_search(&j).is_ok()
    }

    /// What it is ordered by.
    pub fn ordered_by(&self) -> OrderedBy {
        self.ordered_by
    }

    /// Which way is better.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Number of features ranked.
    pub fn n_features(&self) -> usize {
        self.scores.len()
    }

    /// The score of feature `j`, if it has one.
    pub fn score(&self, j: usize) -> Option<f64> {
        Some(self.scores[j]).filter(|s| !s.is_nan())
    }

    /// All scores in the order of the columns, NaN where there is none.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Indices of the features, best first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Number of features that have a score.
    pub fn n_scored(&self) -> usize {
        self.scores.iter().filter(|s| !s.is_nan()).count()
    }

    /// Whether two features that have scores tie: as far as rounding can tell, and neither is put aside.
    pub(crate) fn ties(&self, i: usize, j: usize) -> bool {
        let (a, b) = (self.scores[i], self.scores[j]);
        let equal = a == b || (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
        equal && self.is_aside(i) == self.is_aside(j)
    }

    /// Whether it tells features apart. Where none has a score, or several have and all of them tie, the order is that of
    /// the columns and means nothing; an order of choice means something as soon as one feature is chosen.
    ///
    /// ```
    /// use fiedler::{Goal, Ranking};
    /// let tells = |scores: &[f64]| Ranking::new("demo", Goal::Minimize, scores.to_vec()).tells_apart();
    /// assert!(tells(&[0.5, 0.1]) && tells(&[0.5, f64::NAN]));
    /// assert!(!tells(&[0.5, 0.5, f64::NAN]) && !tells(&[f64::NAN, f64::NAN]) && !tells(&[3.0, 3.0000000000000004]));
    /// ```
    pub fn tells_apart(&self) -> bool {
        match self.order[..self.n_scored()].split_first() {
            None => false,
            Some((&first, rest)) => {
                let all_tie = !rest.is_empty() && rest.iter().all(|&j| self.ties(first, j));
                self.ordered_by != OrderedBy::Score || !all_tie
            }
        }
    }

    /// The best `count` features, exactly that many (all of them where there are fewer).
    pub fn top(&self, count: usize) -> &[usize] {
        &self.order[..count.min(self.order.len())]
    }

    /// The best `count` features, those of `include` among them whatever their score and none
    /// of `exclude`. Included features come first; both groups are best first.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a feature is in both lists, an index is out of range, more are
    /// included than asked for, or too few are left.
    pub fn select(&self, count: usize, include: &[usize], exclude: &[usize]) -> Result<Vec<usize>> {
        let m = self.n_features();
        let mut state = vec![Choice::Free; m];
        for (list, name, choice) in [(exclude, "exclude", Choice::Out), (include, "include", Choice::In)] {
            for &j in list {
                let slot = state.get_mut(j).ok_or_else(|| {
                    Error::parameter(name, format!("a list of feature indices below {m}"), j)
                })?;
                if *slot == Choice::Out && choice == Choice::In {
                    return Err(Error::parameter(name, "free of excluded features", format!("feature {j}")));
                }
                *slot = choice;
            }
        }
        let pick =
            |wanted: Choice| self.order.iter().copied().filter(|&j| state[j] == wanted).collect::<Vec<_>>();
        let (mut chosen, free) = (pick(Choice::In), pick(Choice::Free));
        if chosen.len() > count || chosen.len() + free.len() < count {
            return Err(Error::parameter(
                "count",
                format!(
                    "between {} (included) and {} (not excluded)",
                    chosen.len(),
                    chosen.len() + free.len()
                ),
                count,
            ));
        }
        chosen.extend(&free[..count - chosen.len()]);
        Ok(chosen)
    }

    /// How many features to keep: the turning point of the sorted scores, by Kneedle (Satopää
    /// et al. 2011): on the curve of scores against rank, both put to 0..1, the point furthest
    /// from the straight line between the ends. Where the curve hangs below the line, that point
    /// is the first of the poor features and those before it are kept; where it stands above, it
    /// is the last of the good ones and kept too. Where scores jump by a fifth of their range before that point, the turn is
    /// at the widest such jump. `None` when fewer than three features have
    /// scores, all scores are equal or all lie on the line, for then there is no turn; when the turn leaves out less than
    /// half of the features and is no cliff, for then it tells the few poor ones and not the good ones; and for an order of
    /// choice.
    pub fn elbow(&self) -> Option<usize> {
        let (kept, cliff) = self.turn()?;
        (cliff || 2 * kept <= self.sorted().len()).then_some(kept)
    }

    /// A turn that is no elbow, because it comes too late to tell the good features.
    pub(crate) fn late_turn(&self) -> Option<usize> {
        self.turn().map(|(kept, _)| kept).filter(|_| self.elbow().is_none())
    }

    /// The scores of all features that can be judged, best first.
    fn sorted(&self) -> Vec<f64> {
        let judged = self.order.iter().filter(|j| !self.is_aside(**j)).map(|&j| self.scores[j]);
        judged.take_while(|s| !s.is_nan()).collect()
    }

    /// How many features come before the turn of the curve, and whether it falls by half of its height there.
    fn turn(&self) -> Option<(usize, bool)> {
        // What is measured while a set grows is no curve of sorted scores.
        if self.ordered_by != OrderedBy::Score {
            return None;
        }
        let scored = self.sorted();
        let (first, last) = (*scored.first()?, *scored.last()?);
        let span = first - last;
        if scored.len() < 3 || span == 0.0 || !span.is_finite() {
            return None;
        }
        let steps = (scored.len() - 1) as f64;
        let mut best = (0.0, 0);
        for (rank, s) in scored.iter().enumerate() {
            // Height 1 at the best feature, 0 at the worst; the line between the ends is 1 - x.
            let above = (s - last) / span - (1.0 - rank as f64 / steps);
            if above.abs() > best.0 {
                best = (above.abs(), if above > 0.0 { rank + 1 } else { rank });
            }
        }
        let (distance, kept) = best;
        // What rounding lifts off a straight line is no turn.
        if distance <= 1e-12 {
            return None;
        }
        let drop = |rank: usize| scored.get(rank).map_or(0.0, |s| (scored[rank - 1] - s) / span);
        // Before a jump that everybody sees, not a few features behind it.
        let mut kept = kept;
        for rank in (1..kept).rev() {
            if drop(rank) >= JUMP && drop(rank) > drop(kept) {
                kept = rank;
            }
        }
        Some((kept, drop(kept) >= CLIFF))
    }
}

/// Neighbors in rank that differ by so much of the range of the scores are told apart by everybody.
const JUMP: f64 = 0.2;
/// And by so much even where few features come after.
const CLIFF: f64 = 0.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Free,
    In,
    Out,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(scores: &[f64]) -> Ranking {
        Ranking::new("test", Goal::Maximize, scores.to_vec())
    }

    #[test]
    fn the_elbow_keeps_the_good_features_whichever_way_the_curve_bends() {
        assert_eq!(ranking(&[10.0, 9.0, 0.5, 0.4, 0.3, 0.2, 0.1]).elbow(), Some(2));
        assert_eq!(ranking(&[10.0, 10.0, 10.0, 10.0, 10.0, 1.0, 0.5]).elbow(), Some(5));
        assert_eq!(ranking(&[0.9, 0.89, 0.88, 0.1]).elbow(), Some(3));
        assert_eq!(ranking(&[1.0, 1.0, 0.0]).elbow(), Some(2));
        let slope =
            [0.3, 0.32, 0.31, 0.33, 0.8, 0.82, 0.84, 0.86, 0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97];
        assert_eq!(Ranking::new("test", Goal::Minimize, slope.to_vec()).elbow(), Some(4), "before the jump");
        let small_is_better = Ranking::new("test", Goal::Minimize, vec![0.9, 0.1, f64::NAN, 0.11, 0.95, 1.0]);
        assert_eq!(small_is_better.elbow(), Some(2));
    }

    #[test]
    fn a_turn_that_leaves_out_a_few_poor_features_is_no_elbow() {
        let falling: Vec<f64> = (0..64)
            .map(|i| if i < 57 { 100.0 - 0.2 * f64::from(i) } else { 70.0 - 9.0 * f64::from(i - 57) })
            .collect();
        let slow = ranking(&falling);
        assert_eq!((slow.elbow(), slow.late_turn()), (None, Some(57)));
        assert_eq!(ranking(&[10.0, 9.0, 0.5, 0.4, 0.3, 0.2, 0.1]).late_turn(), None);
        let chosen =
            Ranking::of_choices("test", Goal::Maximize, 4, &[(0, 9.0), (1, 0.1), (2, 0.1), (3, 0.0)], "gain");
        assert_eq!((chosen.elbow(), chosen.late_turn()), (None, None));
    }

    #[test]
    fn there_is_no_elbow_without_a_turn() {
        for scores in [&[1.0, 0.5][..], &[1.0; 5], &[4.0, 3.0, 2.0, 1.0], &[f64::NAN; 4]] {
            assert_eq!(ranking(scores).elbow(), None, "{scores:?}");
        }
    }

    #[test]
    fn include_and_exclude_are_kept_and_counted() {
        let r = ranking(&[0.1, 0.9, 0.5, 0.7, f64::NAN]);
        assert_eq!(r.select(3, &[4], &[1]).ok(), Some(vec![4, 3, 2]));
        assert_eq!(r.select(2, &[0, 2], &[]).ok(), Some(vec![2, 0]));
        for (count, include, exclude) in
            [(1, &[0, 2][..], &[][..]), (5, &[], &[0]), (2, &[1], &[1]), (2, &[7], &[]), (2, &[], &[7])]
        {
            assert!(r.select(count, include, exclude).is_err(), "{count} {include:?} {exclude:?}");
        }
    }

    #[test]
    fn zeros_of_either_sign_tie() {
        assert_eq!(ranking(&[-0.0, 0.0, 1.0]).order(), [2, 0, 1]);
        assert_eq!(Ranking::new("test", Goal::Minimize, vec![0.0, -0.0]).order(), [0, 1]);
    }
}
