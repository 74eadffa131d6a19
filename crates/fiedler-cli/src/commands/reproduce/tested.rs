//! Two lists of values on the same partitions: which is better, and whether that is shown.
//!
//! A paper's t-test takes its partitions to be independent. They share samples, so it finds too much; the corrected one
//! allows for that, and decides. Values that share nothing (means of data sets, studies) have both tests the same.

use fiedler::Goal;
use fiedler::eval::{Agreement, Judge, Side, Standing};

use crate::failure::Outcome;

/// What counts as significant, in the papers and here.
pub(super) const SIGNIFICANT: f64 = 0.05;

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tested {
    /// By how much the first is better; negative where it is worse.
    pub(super) gain: f64,
    /// The same beyond the margin that was asked for.
    beyond: f64,
    /// The p-value of the paper's test.
    pub(super) plain: f64,
    /// That of the corrected test.
    pub(super) corrected: f64,
}

/// What is compared: values that pair, and how far their partitions overlap (test samples by training samples; 0 for values
/// that are independent).
pub(super) struct Pair<'a> {
    pub(super) ours: &'a [f64],
    pub(super) theirs: &'a [f64],
    pub(super) overlap: f64,
}

impl Pair<'_> {
    /// Whether ours are better than theirs by more than `by`; `None` where they cannot be tested.
    ///
    /// # Errors
    /// The lists are not of one length.
    pub(super) fn test(&self, goal: Goal, by: f64) -> Outcome<Option<Tested>> {
        // Partitions of the same samples that agree may do so by chance.
        let agreement = if self.overlap > 0.0 { Agreement::Nothing } else { Agreement::Sure };
        let judge = Judge::new(goal, SIGNIFICANT).parted(self.ours.len(), self.overlap, agreement);
        let side = |values| Side { values, rankings: &[] };
        Tested::of(&judge, &side(self.ours), &side(self.theirs), by)
    }
}

/// The p-values corrected for their number (Holm 1979): the smallest times how many there are, the next times one less, and so
/// on, none below that of a smaller one. Whatever depends on whatever, the chance of one false finding among all stays what it
/// is for one test.
pub(super) fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut before = 0.0f64;
    for (place, at) in order.into_iter().enumerate() {
        before = before.max((p_values.len() - place) as f64 * p_values[at]).min(1.0);
        corrected[at] = before;
    }
    corrected
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl Tested {
    /// Whether ours are better than theirs by more than `by`, as the judge says; `None` where nothing can be tested.
    ///
    /// # Errors
    /// They do not have as many values.
    pub(super) fn of(judge: &Judge, ours: &Side<'_>, theirs: &Side<'_>, by: f64) -> Outcome<Option<Self>> {
        let sign = if judge.goal() == Goal::Maximize { 1.0 } else { -1.0 };
        let found = judge.compare(ours, theirs, sign * by)?;
        let Some(corrected) = found.p_value else { return Ok(None) };
        let plain = judge.uncorrected().compare(ours, theirs, sign * by)?.p_value.unwrap_or(corrected);
        let beyond = sign * found.mean;
        Ok(Some(Tested { gain: beyond + by, beyond, plain, corrected }))
    }

    /// The same with the p-value that it has among others.
    pub(super) fn among_others(self, p_value: f64) -> Self {
        Tested { corrected: p_value, ..self }
    }

    /// What follows from the corrected test.
    pub(super) fn standing(&self) -> Standing {
        self.by(self.corrected)
    }

    /// What follows from the paper's test.
    pub(super) fn plain_standing(&self) -> Standing {
        self.by(self.plain)
    }

    fn by(&self, p_value: f64) -> Standing {
        match p_value < SIGNIFICANT {
            false => Standing::Level,
            true if self.beyond > 0.0 => Standing::Better,
            true => Standing::Worse,
        }
    }

    /// `better (<0.001, 0.013)`.
    pub(super) fn in_words(&self) -> String {
        format!("{} ({}, {})", self.standing().name(), digits(self.plain), digits(self.corrected))
    }

    /// `-0.012, p = 0.310`.
    pub(super) fn figures(&self) -> String {
        // Rounding may leave a difference of nothing below 0.
        let gain = if self.gain.abs() < 0.0005 { 0.0 } else { self.gain };
        let sign = if self.corrected < 0.001 { "" } else { "= " };
        format!("{gain:+.3}, p {sign}{}", digits(self.corrected).replace('<', "< "))
    }
}

/// A p-value to three digits.
fn digits(p_value: f64) -> String {
    if p_value < 0.001 { "<0.001".to_owned() } else { format!("{p_value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: [f64; 8] = [0.81, 0.84, 0.79, 0.86, 0.80, 0.83, 0.85, 0.78];
    const THEIRS: [f64; 8] = [0.80, 0.80, 0.79, 0.82, 0.80, 0.78, 0.84, 0.77];

    fn tested(goal: Goal, ours: [f64; 8], theirs: [f64; 8], by: f64) -> Tested {
        let pair = Pair { ours: &ours, theirs: &theirs, overlap: 1.0 };
        pair.test(goal, by).expect("one length").expect("eight values")
    }

    /// t = mean(d)/(s·√(1/8 + q)) beside the table of t with seven degrees of freedom: 2.3646 at 0.05.
    #[test]
    fn the_papers_test_finds_what_the_corrected_one_does_not() {
        let tested = tested(Goal::Maximize, OURS, THEIRS, 0.0);
        let d: Vec<f64> = OURS.iter().zip(THEIRS).map(|(a, b)| a - b).collect();
        let sd = (d.iter().map(|v| (v - mean(&d)).powi(2)).sum::<f64>() / 7.0).sqrt();
        let t = |q: f64| mean(&d) / (sd * (0.125 + q).sqrt());
        assert!(t(0.0) > 2.3646 && t(1.0) < 2.3646, "{} {}", t(0.0), t(1.0));
        assert_eq!((tested.plain_standing(), tested.standing()), (Standing::Better, Standing::Level));
        assert!(tested.plain < 0.05 && tested.corrected > 0.05, "{tested:?}");
        assert!((tested.gain - mean(&d)).abs() < 1e-12);
    }

    #[test]
    fn less_is_better_where_the_goal_says_so_and_a_margin_is_allowed_for() {
        let of = |goal, by| tested(goal, OURS.map(|v| v + 0.2), OURS.map(|v| 0.99 * v + 0.001), by);
        assert_eq!(of(Goal::Maximize, 0.0).standing(), Standing::Better);
        assert_eq!(of(Goal::Maximize, 0.3).standing(), Standing::Worse, "not by so much");
        assert_eq!(of(Goal::Minimize, 0.0).standing(), Standing::Worse);
        assert_eq!(of(Goal::Minimize, -0.3).standing(), Standing::Better, "worse by no more than that");
        let (near, far) = (of(Goal::Maximize, 0.0), of(Goal::Maximize, 0.3));
        assert!((near.gain - far.gain).abs() < 1e-12 && near.gain > 0.0, "the margin is no part of the gain");
    }

    /// Holm's own order of steps.
    #[test]
    fn p_values_are_stepped_down() {
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&holm(&[0.01, 0.04, 0.03, 0.005]), &[0.03, 0.06, 0.06, 0.02]));
        assert!(near(&holm(&[0.9, 0.4]), &[0.9, 0.8]) && holm(&[]).is_empty());
        assert!(near(&holm(&[0.02; 3]), &[0.06; 3]));
    }

    #[test]
    fn one_value_tells_nothing_and_lists_must_pair() {
        let pair = |ours, theirs| Pair { ours, theirs, overlap: 0.0 }.test(Goal::Maximize, 0.0);
        assert_eq!(pair(&[0.9], &[0.1]).expect("one length"), None);
        let agree = |overlap| {
            let pair = Pair { ours: &[0.9, 0.9], theirs: &[0.1, 0.1], overlap };
            pair.test(Goal::Maximize, 0.0).expect("one length")
        };
        assert_eq!(agree(1.0), None, "halves of the same samples may agree by chance");
        assert_eq!(agree(0.0).map(|tested| tested.corrected), Some(0.0));
        assert!(pair(&[0.9, 0.8], &[0.1]).is_err());
    }
}
