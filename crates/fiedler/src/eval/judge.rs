//! How two selections compare: the one place that says. `Protocol::evaluate` asks it for every table, and so does whoever compares
//! values of partitions elsewhere.
//!
//! | | judged by |
//! |---|---|
//! | what is measured on samples | the paired t-test over partitions, corrected for samples that they share |
//! | hits of rankings beside those of chance | what one random ranking may come to (`chance`) |
//! | hits of two selections | an exchange of the features that they do not share (`exchange`) |
//!
//! Known features are known before samples are parted: however many partitions find them, rankings that were fitted on parts of the
//! same samples are no surer than one, nor than their own spread says.

use std::sync::{Arc, OnceLock};

use super::chance::{Chance, Shares};
use super::difference::{Difference, Standing};
use super::exchange;
use super::student::{self, Paired};
use crate::ranking::Goal;
use crate::{Error, Result};

/// What a difference that is the same in all partitions tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Agreement {
    /// That it is so: the values are independent.
    Sure,
    /// That it is known as well as single values, which come in steps of this size: a share of few samples takes few values, and
    /// partitions of the same samples may have the same by chance.
    Steps(f64),
    /// Nothing: nobody knows how near to each other values may be.
    Nothing,
}

/// The rules by which two selections are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Judge {
    goal: Goal,
    significance: f64,
    overlap: f64,
    agreement: Agreement,
    /// So many partitions, and Student's t beyond which their differences are significant.
    bound: (usize, f64),
    /// No difference can be larger.
    widest: f64,
    hits: Option<Arc<Hits>>,
}

/// Known features, and at which counts they are looked for.
#[derive(Debug, Clone, PartialEq)]
struct Hits {
    known: Vec<usize>,
    features: usize,
    counts: Vec<usize>,
    /// What a random ranking comes to at these counts, once somebody asks.
    shares: OnceLock<Shares>,
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// One value a partition.
    pub values: &'a [f64],
    /// Where hits are counted, its rankings, best feature first: one a partition, or the only one. Random selection and all
    /// features have none, for their hits are those of chance.
    pub rankings: &'a [Vec<usize>],
}

impl Judge {
    /// For values that are independent, such as means of data sets.
    pub fn new(goal: Goal, significance: f64) -> Self {
        let (bound, widest) = ((0, f64::NAN), f64::INFINITY);
        Judge { goal, significance, overlap: 0.0, agreement: Agreement::Sure, bound, widest, hits: None }
    }

    /// For values of so many partitions, whose test samples are `overlap` times the training samples.
    #[must_use]
    pub fn parted(self, partitions: usize, overlap: f64, agreement: Agreement) -> Self {
        let bound = (partitions, critical(self.significance, partitions));
        Judge { bound, overlap, agreement, ..self }
    }

    /// Where no difference can be larger than this.
    #[must_use]
    pub fn within(self, widest: f64) -> Self {
        Judge { widest, ..self }
    }

    /// For shares of `known` features, of so many in all.
    #[must_use]
    pub fn of_hits(self, known: &[usize], features: usize) -> Self {
        let mut known: Vec<usize> = known.iter().copied().filter(|&j| j < features).collect();
        known.sort_unstable();
        known.dedup();
        let hits = Hits { known, features, counts: Vec::new(), shares: OnceLock::new() };
        Judge { hits: Some(Arc::new(hits)), ..self }
    }

    /// At some numbers of features: of hits it matters which.
    #[must_use]
    pub fn at(&self, counts: &[usize]) -> Self {
        let at = |hits: &Arc<Hits>| {
            let (counts, shares) = (counts.to_vec(), OnceLock::new());
            Arc::new(Hits { known: hits.known.clone(), features: hits.features, counts, shares })
        };
        Judge { hits: self.hits.as_ref().map(at), ..self.clone() }
    }

    /// As if the partitions shared no samples, which the tests of the papers assume.
    #[must_use]
    pub fn uncorrected(&self) -> Self {
        Judge { overlap: 0.0, ..self.clone() }
    }

    /// The rules for the same values whatever they are shares of.
    #[must_use]
    pub fn of_values(&self) -> Self {
        Judge { hits: None, ..self.clone() }
    }

    /// Whether both look for the same features among as many.
    pub fn looks_for_the_same(&self, other: &Judge) -> bool {
        let asked = |hits: &Arc<Hits>| (hits.known.clone(), hits.features, hits.counts.clone());
        self.hits.as_ref().map(asked) == other.hits.as_ref().map(asked)
    }

    /// Which way is better.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// What agreeing partitions tell.
    pub fn agreement(&self) -> Agreement {
        self.agreement
    }

    /// The known features, where hits are counted, and how many features there are.
    pub fn known(&self) -> Option<(&[usize], usize)> {
        self.hits.as_ref().map(|hits| (&hits.known[..], hits.features))
    }

    /// The largest difference that there may be.
    pub(super) fn widest(&self) -> f64 {
        self.widest
    }

    /// Ours less theirs, and less a `margin` that is asked for on top of theirs.
    ///
    /// # Errors
    /// [`Error::Length`] when they do not have as many values.
    pub fn compare(&self, ours: &Side<'_>, theirs: &Side<'_>, margin: f64) -> Result<Difference> {
        let (expected, got) = (ours.values.len(), theirs.values.len());
        if expected != got {
            return Err(Error::Length { what: "values of a paired test", expected, got });
        }
        Ok(self.less(ours, theirs, margin))
    }

    /// The same of lists that are known to be of one length.
    pub(super) fn less(&self, ours: &Side<'_>, theirs: &Side<'_>, margin: f64) -> Difference {
        let by_values = || self.by_values(ours.values, theirs.values, margin);
        let Some(hits) = &self.hits else { return by_values() };
        let (one, other) = (student::mean_and_sd(ours.values).0, student::mean_and_sd(theirs.values).0);
        let p_value = match (ours.rankings, theirs.rankings) {
            ([], []) => return by_values(),
            (_, []) => hits.beside_chance(one - margin),
            ([], _) => hits.beside_chance(other + margin),
            both => exchange::p_value(&hits.known, &hits.counts, both, one - other - margin),
        };
        let exact = self.told(one - other - margin, Some(p_value), None);
        let is_one = ours.rankings.len() < 2 && theirs.rankings.len() < 2;
        if is_one { exact } else { exact.or_less(by_values()) }
    }

    /// By the paired t-test.
    fn by_values(&self, ours: &[f64], theirs: &[f64], margin: f64) -> Difference {
        let bar: Vec<f64> = theirs.iter().map(|value| value + margin).collect();
        let mut paired = Paired::new(ours, &bar, self.overlap);
        let n = ours.len();
        let agrees = paired.error == 0.0 && paired.mean != 0.0;
        let tells = n > 1 && !(agrees && self.agreement == Agreement::Nothing);
        if let (Agreement::Steps(step), true) = (self.agreement, agrees) {
            // Of values that are spread evenly between two steps.
            paired.error = step / 12f64.sqrt() * (1.0 / n as f64 + self.overlap).sqrt();
        }
        let bound = if n == self.bound.0 { self.bound.1 } else { critical(self.significance, n) };
        self.told(paired.mean, tells.then(|| paired.p_value()), tells.then_some(bound * paired.error))
    }

    /// A difference with its p-value and half of its interval, where there are such.
    fn told(&self, mean: f64, p_value: Option<f64>, reach: Option<f64>) -> Difference {
        let significant = p_value.is_some_and(|p| p < self.significance);
        let is_better = (mean > 0.0) == (self.goal == Goal::Maximize);
        let standing = match (significant, is_better) {
            (false, _) => Standing::Level,
            (_, true) => Standing::Better,
            _ => Standing::Worse,
        };
        let within = |end: f64| end.clamp(-self.widest, self.widest);
        let interval = reach.map(|reach| (within(mean - reach), within(mean + reach)));
        Difference { mean, interval, p_value, standing }
    }
}

impl Hits {
    fn beside_chance(&self, share: f64) -> f64 {
        let chance = || Chance::of(self.known.len(), self.features).shares(&self.counts);
        self.shares.get_or_init(chance).p_value(share)
    }
}

/// Student's t beyond which the differences of so many partitions are significant.
fn critical(significance: f64, partitions: usize) -> f64 {
    if partitions > 1 { student::critical(significance, (partitions - 1) as f64) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves(partitions: usize, judged: usize) -> Judge {
        let agreement = Agreement::Steps(1.0 / judged as f64);
        Judge::new(Goal::Maximize, 0.05).parted(partitions, 1.0, agreement).within(1.0)
    }

    fn of_values(judge: &Judge, a: &[f64], b: &[f64]) -> Difference {
        judge.less(&Side { values: a, rankings: &[] }, &Side { values: b, rankings: &[] }, 0.0)
    }

    #[test]
    fn the_interval_leaves_out_0_exactly_where_the_test_is_significant() {
        for shift in 0..40 {
            let a: Vec<f64> =
                (0..8).map(|i| 0.01 * f64::from(shift) + 0.1 * f64::from((i * 5) % 8)).collect();
            let b: Vec<f64> = (0..8).map(|i| 0.1 * f64::from((i * 3) % 8)).collect();
            for significance in [0.01, 0.05, 0.2] {
                let judge = Judge::new(Goal::Maximize, significance).parted(8, 1.0, Agreement::Nothing);
                let found = of_values(&judge, &a, &b);
                let (low, high) = found.interval.expect("eight partitions");
                assert_eq!(low > 0.0 || high < 0.0, found.standing != Standing::Level, "{found:?}");
            }
        }
    }

    /// Three known features of 40, found by every half: as rare as one random ranking that finds them, 1/C(40, 3), and no interval.
    #[test]
    fn rankings_that_agree_are_as_sure_as_one() {
        let judge = halves(10, 20).of_hits(&[0, 1, 2], 40).at(&[3]);
        let (all, expected) = ([1.0; 10], [3.0 / 40.0; 10]);
        let p = 2.0 / 9880.0;
        for rankings in [1, 10] {
            let rankings = vec![vec![2, 0, 1]; rankings];
            let (ours, chance) =
                (Side { values: &all, rankings: &rankings }, Side { values: &expected, rankings: &[] });
            let found = judge.less(&ours, &chance, 0.0);
            assert!((found.p_value.expect("exact") - p).abs() < 1e-9, "{found:?}");
            assert_eq!((found.standing, found.interval), (Standing::Better, None));
            let other = judge.less(&chance, &ours, 0.0);
            assert_eq!((other.p_value, other.standing), (found.p_value, Standing::Worse));
        }
    }

    /// One more hit in all halves is one feature, whatever the halves: no half makes that surer.
    #[test]
    fn one_hit_more_is_no_difference() {
        let judge = halves(10, 20).of_hits(&(0..12).collect::<Vec<_>>(), 40).at(&[5]);
        let (ours, theirs) = (vec![vec![30, 0, 1, 2, 3]; 10], vec![vec![0, 1, 2, 3, 4]; 10]);
        let (ours, theirs) =
            (Side { values: &[0.8; 10], rankings: &ours }, Side { values: &[1.0; 10], rankings: &theirs });
        let found = judge.less(&ours, &theirs, 0.0);
        assert!(found.standing == Standing::Level && found.p_value > Some(0.999), "{found:?}");
        // And halves that do not agree are no surer than their own spread.
        let wide = [0.2, 1.0, 0.2, 1.0, 0.2, 1.0, 0.2, 1.0, 0.2, 1.0];
        let many = vec![vec![0, 1, 2, 3, 4]; 10];
        let (ours, chance) =
            (Side { values: &wide, rankings: &many }, Side { values: &[0.3; 10], rankings: &[] });
        let found = judge.less(&ours, &chance, 0.0);
        assert!(found.p_value > Some(0.05) && found.interval.is_some(), "{found:?}");
    }

    /// Two halves of 75 samples with the same difference of two samples: chance, not certainty. Ten halves that differ by a third are.
    #[test]
    fn partitions_that_agree_are_not_certain() {
        let standing = |partitions: usize, difference: f64| {
            let (a, b) = (vec![0.6 + difference; partitions], vec![0.6; partitions]);
            of_values(&halves(partitions, 75), &a, &b).standing
        };
        assert_eq!((standing(2, 2.0 / 75.0), standing(10, 0.333)), (Standing::Level, Standing::Better));
        // Where steps are not known they tell nothing, and of values that are independent everything.
        let with = |agreement| {
            let judge = Judge::new(Goal::Maximize, 0.05).parted(3, 0.0, agreement);
            of_values(&judge, &[0.9; 3], &[0.8; 3])
        };
        let (nothing, sure) = (with(Agreement::Nothing), with(Agreement::Sure));
        assert_eq!((nothing.standing, nothing.p_value, nothing.interval), (Standing::Level, None, None));
        assert_eq!((sure.standing, sure.p_value), (Standing::Better, Some(0.0)));
    }

    #[test]
    fn less_is_better_where_the_goal_says_so() {
        let (a, b) = ([0.1, 0.12, 0.11], [0.5, 0.49, 0.51]);
        let judge = |goal| Judge::new(goal, 0.05).parted(3, 0.0, Agreement::Nothing);
        let standing = |goal| of_values(&judge(goal), &a, &b).standing;
        assert_eq!((standing(Goal::Maximize), standing(Goal::Minimize)), (Standing::Worse, Standing::Better));
        let one = of_values(&halves(1, 50), &[0.9], &[0.1]);
        assert_eq!((one.standing, one.interval, one.p_value), (Standing::Level, None, None));
        let same = of_values(&halves(3, 50), &a, &a);
        assert_eq!((same.standing, same.interval), (Standing::Level, Some((0.0, 0.0))));
    }

    #[test]
    fn a_margin_is_asked_for_on_top_and_intervals_stay_where_differences_can_be() {
        let (a, b) = ([0.90, 0.92, 0.91, 0.93], [0.80, 0.81, 0.80, 0.80]);
        let judge = Judge::new(Goal::Maximize, 0.05);
        let by = |margin| {
            let (a, b) = (Side { values: &a, rankings: &[] }, Side { values: &b, rankings: &[] });
            judge.compare(&a, &b, margin).expect("one length").standing
        };
        assert_eq!([0.0, 0.11, 0.3].map(by), [Standing::Better, Standing::Level, Standing::Worse]);
        let wide = of_values(&halves(2, 50), &[0.9, 0.3], &[0.2, 0.3]);
        assert_eq!(wide.interval, Some((-1.0, 1.0)));
        let few = Side { values: &a[..2], rankings: &[] };
        assert!(judge.compare(&few, &Side { values: &b, rankings: &[] }, 0.0).is_err());
    }
}
