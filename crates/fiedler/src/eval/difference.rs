//! How far two selections are apart, and how sure that is.

use super::student::{Paired, critical_normal, normal_tails};
use crate::ranking::Goal;

/// A difference of two means over the same partitions: this selection less another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The mean of the differences.
    pub mean: f64,
    /// Where the true difference lies, with a confidence of 1 - significance; `None` where one partition tells nothing of
    /// the spread.
    pub interval: Option<(f64, f64)>,
    /// The paired t-test, or where the other one is chance of which the exact spread is known, how far from it one ranking is;
    /// `None` as above.
    pub p_value: Option<f64>,
    /// What follows from it.
    pub standing: Standing,
}

/// How a selection compares with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Significantly better.
    Better,
    /// Significantly worse.
    Worse,
    /// The partitions cannot tell them apart.
    Level,
}

impl Standing {
    /// The name in CSV and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Better => "better",
            Standing::Worse => "worse",
            Standing::Level => "level",
        }
    }
}

impl Difference {
    /// The less sure of two judgments of one difference; one that tells nothing is none.
    pub(super) fn or_less(self, other: Difference) -> Difference {
        match (self.p_value, other.p_value) {
            (Some(own), Some(others)) if others > own => other,
            _ => self,
        }
    }

    /// Half of the interval's width: the smallest difference that these partitions would call significant.
    pub fn reach(&self) -> Option<f64> {
        self.interval.map(|(low, high)| 0.5 * (high - low))
    }
}

/// When a difference counts.
#[derive(Clone, Copy)]
pub(super) struct Test {
    goal: Goal,
    significance: f64,
    overlap: f64,
    /// Student's t beyond which a difference is significant, for as many partitions as there are.
    bound: f64,
    /// What a single value is not known better than, as a standard deviation: a share of so many samples is rounded to one of them.
    rounding: f64,
}

impl Test {
    /// For so many partitions, with so many samples to judge by at the least.
    pub(super) fn new(
        goal: Goal,
        significance: f64,
        overlap: f64,
        (partitions, judged): (usize, usize),
    ) -> Self {
        let bound = if partitions > 1 {
            super::student::critical(significance, (partitions - 1) as f64)
        } else {
            f64::NAN
        };
        // Of values that are spread evenly between two steps.
        let rounding = if judged > 0 { 1.0 / (judged as f64 * 12f64.sqrt()) } else { 0.0 };
        Test { goal, significance, overlap, bound, rounding }
    }

    /// `values` less `than`, partition by partition; the lists are of one length.
    pub(super) fn difference(&self, values: &[f64], than: &[f64]) -> Difference {
        let paired = Paired::new(values, than, self.overlap).no_surer_than(self.rounding, self.overlap);
        let tested = (values.len() > 1).then(|| (paired.p_value(), self.bound * paired.error));
        self.told(paired.mean, tested)
    }

    /// Rankings less chance, or chance less them. One random ranking deviates from chance by `sd`, and is as far from it as these with
    /// the probability `p_value`. Rankings of parts of the same samples are as good as one, however often they agree.
    pub(super) fn beside_chance(&self, mean: f64, (sd, p_value): (f64, f64)) -> Difference {
        let p_value = p_value.max(normal_tails(mean / sd));
        let reach = critical_normal(self.significance) * sd;
        // Few hits are no normal numbers: what is not significant leaves 0 in its interval.
        let reach = if p_value < self.significance { reach } else { reach.max(mean.abs()) };
        self.told(mean, Some((p_value, reach)))
    }

    /// A difference with its p-value and half of its interval, where it could be tested.
    fn told(&self, mean: f64, tested: Option<(f64, f64)>) -> Difference {
        let significant = tested.is_some_and(|(p, _)| p < self.significance);
        let is_better = (mean > 0.0) == (self.goal == Goal::Maximize);
        let standing = match (significant, is_better) {
            (false, _) => Standing::Level,
            (_, true) => Standing::Better,
            _ => Standing::Worse,
        };
        let interval = tested.map(|(_, reach)| (mean - reach, mean + reach));
        Difference { mean, interval, p_value: tested.map(|(p, _)| p), standing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_leaves_out_0_exactly_where_the_test_is_significant() {
        for shift in 0..40 {
            let a: Vec<f64> =
                (0..8).map(|i| 0.01 * f64::from(shift) + 0.1 * f64::from((i * 5) % 8)).collect();
            let b: Vec<f64> = (0..8).map(|i| 0.1 * f64::from((i * 3) % 8)).collect();
            for significance in [0.01, 0.05, 0.2] {
                let test = Test::new(Goal::Maximize, significance, 1.0, (8, 50));
                let found = test.difference(&a, &b);
                let (low, high) = found.interval.expect("eight partitions");
                assert_eq!(found.standing == Standing::Level, low <= 0.0 && high >= 0.0, "{shift} {found:?}");
                assert!((found.mean - 0.5 * (low + high)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn one_ranking_is_judged_by_the_spread_of_chance() {
        let test = Test::new(Goal::Maximize, 0.05, 1.0, (10, 50));
        let standing = |mean: f64| test.beside_chance(mean, (0.1, 0.0)).standing;
        assert_eq!([0.19, 0.2, -0.2].map(standing), [Standing::Level, Standing::Better, Standing::Worse]);
        let (low, high) = test.beside_chance(0.2, (0.1, 0.01)).interval.expect("a spread");
        assert!((low - 0.004).abs() < 1e-4 && (high - 0.396).abs() < 1e-4, "{low} {high}");
        // What every fifth random ranking has is nothing, however many deviations it is away.
        let rare = test.beside_chance(0.4, (0.1, 0.2));
        assert_eq!(
            (rare.standing, rare.p_value, rare.interval),
            (Standing::Level, Some(0.2), Some((0.0, 0.8)))
        );
    }

    /// Two halves of 75 samples with the same difference of two samples: chance, not certainty. Ten halves that differ by a third are.
    #[test]
    fn partitions_that_agree_are_not_certain() {
        let standing = |partitions: usize, difference: f64| {
            let (a, b) = (vec![0.9 + difference; partitions], vec![0.9; partitions]);
            Test::new(Goal::Maximize, 0.05, 1.0, (partitions, 75)).difference(&a, &b).standing
        };
        assert_eq!((standing(2, 2.0 / 75.0), standing(10, 0.333)), (Standing::Level, Standing::Better));
    }

    #[test]
    fn less_is_better_where_the_goal_says_so() {
        let (a, b) = ([0.1, 0.12, 0.11], [0.5, 0.49, 0.51]);
        let standing = |goal| Test::new(goal, 0.05, 0.0, (3, 50)).difference(&a, &b).standing;
        assert_eq!((standing(Goal::Maximize), standing(Goal::Minimize)), (Standing::Worse, Standing::Better));
        let one = Test::new(Goal::Maximize, 0.05, 1.0, (1, 50)).difference(&[0.9], &[0.1]);
        assert_eq!((one.standing, one.interval, one.p_value), (Standing::Level, None, None));
        let same = Test::new(Goal::Maximize, 0.05, 1.0, (3, 50)).difference(&a, &a);
        assert_eq!((same.standing, same.interval), (Standing::Level, Some((0.0, 0.0))));
    }
}
