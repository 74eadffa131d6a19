//! Whether what a paper concludes holds: the one place that decides.
//!
//! A comparison that was tested has three ends: it *holds* (significantly so), it is *not shown* (the values cannot tell), or it
//! *does not hold* (it is significantly the other way round). A conclusion of several holds where all of them do, and does
//! not where one is the other way round. What is counted without a test (orders, studies, single values) holds or does not,
//! *mostly* in two of three or more, *in part* in one of three or more.

use std::fmt;

use fiedler::eval::Standing;

use super::found::Verdict;
use super::tested::Tested;

/// What the paper concludes, and whether it does here.
pub(super) struct ClaimFound {
    /// In words.
    pub(super) text: String,
    /// By setting: in how many of how many comparisons it holds, and where it does not.
    pub(super) holds: Vec<Held>,
}

/// In how many comparisons something holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    /// So many …
    pub(super) holds: usize,
    /// … of so many.
    pub(super) of: usize,
    /// Where it does not.
    pub(super) fails: Vec<Place>,
    /// Where that is not shown.
    pub(super) open: Vec<Place>,
    /// In so many by the paper's own test, where there was a test.
    pub(super) plain: Option<usize>,
    /// What it comes to, where that was judged elsewhere.
    verdict: Option<Verdict>,
}

/// Where something does not hold or is not shown, with the test.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    name: String,
    tested: Option<Tested>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tested {
            None => f.write_str(&self.name),
            Some(tested) => write!(f, "{} ({})", self.name, tested.figures()),
        }
    }
}

impl Held {
    /// One comparison that was judged elsewhere.
    pub(super) fn judged(verdict: Verdict) -> Self {
        Held { of: 1, verdict: Some(verdict), ..Held::none() }
    }

    /// None made yet.
    pub(super) fn none() -> Self {
        Held { holds: 0, of: 0, fails: Vec::new(), open: Vec::new(), plain: None, verdict: None }
    }

    /// Counts a comparison without a test.
    pub(super) fn count(&mut self, name: String, good: bool) {
        self.of += 1;
        if good { self.holds += 1 } else { self.fails.push(Place { name, tested: None }) }
    }

    /// Counts a comparison that was tested.
    pub(super) fn test(&mut self, name: String, tested: Tested) {
        self.of += 1;
        match tested.standing() {
            Standing::Better => self.holds += 1,
            Standing::Level => self.open.push(Place { name, tested: Some(tested) }),
            Standing::Worse => self.fails.push(Place { name, tested: Some(tested) }),
        }
        *self.plain.get_or_insert(0) += usize::from(tested.plain_standing() == Standing::Better);
    }

    /// Counts two that should be the same: they `are`, or differ significantly, or that is not shown.
    pub(super) fn same(&mut self, name: String, are: bool, tested: Option<Tested>) {
        match tested.filter(|_| !are) {
            Some(tested) if tested.standing() == Standing::Level => {
                self.of += 1;
                self.open.push(Place { name, tested: Some(tested) });
            }
            Some(tested) => {
                self.of += 1;
                self.fails.push(Place { name, tested: Some(tested) });
            }
            None => self.count(name, are),
        }
    }

    fn was_tested(&self) -> bool {
        self.plain.is_some() || self.open.iter().chain(&self.fails).any(|place| place.tested.is_some())
    }

    /// What it comes to.
    pub(super) fn verdict(&self) -> Verdict {
        if let Some(verdict) = self.verdict {
            return verdict;
        }
        match (self.holds, self.of) {
            (_, 0) => Verdict::None,
            (all, of) if all == of => Verdict::Holds,
            _ if self.was_tested() && self.fails.is_empty() => Verdict::Open,
            _ if self.was_tested() => Verdict::Fails,
            (some, of) if 3 * some >= 2 * of => Verdict::Mostly,
            (some, of) if 3 * some >= of => Verdict::Partly,
            _ => Verdict::Fails,
        }
    }

    /// `does not hold (4 of 6; the other way round: PIX: SPEC (-0.031, p = 0.004); not shown: ORL: SPEC (+0.002, p = 0.810))`.
    pub(super) fn in_words(&self) -> String {
        let word = match self.verdict() {
            Verdict::None => return "nothing to compare".to_owned(),
            verdict => verdict.in_words(),
        };
        let details = if self.of == 1 { self.single() } else { self.counted() };
        if details.is_empty() { word.to_owned() } else { format!("{word} ({details})") }
    }

    /// The figures of the one comparison, where it was tested and does not hold.
    fn single(&self) -> String {
        let place = self.fails.iter().chain(&self.open).next();
        place.and_then(|place| place.tested).map_or(String::new(), |tested| tested.figures())
    }

    fn counted(&self) -> String {
        let mut text = format!("{} of {}", self.holds, self.of);
        let tested = self.was_tested();
        if !self.fails.is_empty() {
            text.push_str(if tested { "; the other way round: " } else { ", not " });
            text.push_str(&some(&self.fails));
        }
        if !self.open.is_empty() {
            text.push_str(if self.fails.is_empty() { ", not " } else { "; not shown: " });
            text.push_str(&some(&self.open));
        }
        if let Some(plain) = self.plain.filter(|&plain| plain != self.holds) {
            text.push_str(&format!("; {plain} by the uncorrected test"));
        }
        text
    }
}

/// The first of them, and how many more there are.
fn some(places: &[Place]) -> String {
    let shown = if places.len() <= 4 { places.len() } else { 3 };
    let names: Vec<String> = places[..shown].iter().map(Place::to_string).collect();
    match places.len() - shown {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use fiedler::Goal;

    use super::super::tested::Pair;
    use super::*;

    /// Four values each: clearly above, clearly below, or neither.
    fn tested(by: f64) -> Tested {
        let theirs = [0.50, 0.52, 0.49, 0.51];
        let ours = [0.51 + by, 0.51 + by, 0.50 + by, 0.50 + by];
        let pair = Pair { ours: &ours, theirs: &theirs, overlap: 0.0 };
        pair.test(Goal::Maximize, 0.0).expect("one length").expect("four values")
    }

    fn held(gains: &[f64]) -> Held {
        let mut held = Held::none();
        gains.iter().enumerate().for_each(|(at, by)| held.test(format!("set {at}"), tested(*by)));
        held
    }

    #[test]
    fn what_was_tested_has_three_ends() {
        assert_eq!(held(&[0.2, 0.3]).verdict(), Verdict::Holds);
        assert_eq!(held(&[0.2, 0.0]).verdict(), Verdict::Open);
        assert_eq!(held(&[0.2, 0.0, -0.2]).verdict(), Verdict::Fails, "one is the other way round");
        assert_eq!(held(&[]).verdict(), Verdict::None);
        let words = held(&[0.2, 0.0, -0.2]).in_words();
        assert!(
            words.starts_with("does not hold (1 of 3; the other way round: set 2 (-0.200, p "),
            "{words}"
        );
        assert!(words.contains("; not shown: set 1 (+0.000, p = 1.000)"), "{words}");
        assert_eq!(held(&[0.0]).in_words(), "not shown (+0.000, p = 1.000)");
        assert_eq!(held(&[0.2]).in_words(), "holds");
        assert_eq!(held(&[0.0; 6]).in_words().matches("set ").count(), 3, "the rest is a number");
    }

    #[test]
    fn what_was_counted_holds_more_or_less() {
        let counted = |good: usize, of: usize| {
            let mut held = Held::none();
            (0..of).for_each(|at| held.count(format!("set {at}"), at < good));
            held
        };
        assert_eq!(counted(6, 6).in_words(), "holds (6 of 6)");
        assert_eq!(counted(5, 6).in_words(), "holds mostly (5 of 6, not set 5)");
        assert_eq!(counted(2, 6).verdict(), Verdict::Partly);
        assert_eq!(counted(1, 6).verdict(), Verdict::Fails);
        assert_eq!(counted(0, 1).in_words(), "does not hold");
    }

    #[test]
    fn what_should_be_the_same_may_be_or_differ_or_stay_open() {
        let same = |are, by| {
            let mut held = Held::none();
            held.same("set".to_owned(), are, Some(tested(by)));
            held.verdict()
        };
        assert_eq!(same(true, 0.3), Verdict::Holds);
        assert_eq!(same(false, 0.0), Verdict::Open);
        assert_eq!((same(false, 0.3), same(false, -0.3)), (Verdict::Fails, Verdict::Fails));
    }
}
