//! Whether what a paper concludes holds: the one place that decides.
//!
//! A comparison that was tested has three ends: it *holds* (significantly so), it is *not shown* (the values cannot tell), or it
//! *does not hold* (it is significantly the other way round). A conclusion of several holds where all of them do, and does
//! not where one is the other way round. Of forty comparisons of equals one or two have p < 0.05 by chance, so the p-values of a
//! conclusion are corrected for their number (Holm 1979). What is counted without a test (orders, studies) holds or does not, *mostly*
//! in two of three or more, *in part* in one of three or more. Of single values that nothing tests it is told in how many
//! comparisons they are as claimed, and no more.

use std::fmt;

use fiedler::eval::Standing;

use super::found::Verdict;
use super::tested::{Tested, holm};

/// What the paper concludes, and whether it does here.
pub(super) struct ClaimFound {
    /// In words.
    pub(super) text: String,
    /// By setting: in how many of how many comparisons it holds, and where it does not.
    pub(super) holds: Vec<Held>,
}

/// The comparisons of a conclusion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    compared: Vec<Compared>,
    /// What it comes to, where that was judged elsewhere.
    verdict: Option<Verdict>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
struct Compared {
    name: String,
    tested: Option<Tested>,
    asked: Asked,
}

/// What of two values.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asked {
    /// That one is better, by test.
    Better,
    /// The same of too few values for any test, however they lie.
    Untold,
    /// The same of single values as they are, and whether it is so.
    AsTheyAre(bool),
    /// That they are the same, and whether they are.
    Same(bool),
    /// Anything without a test, and whether it is so.
    Counted(bool),
}

/// What a comparison comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Holds,
    Open,
    Fails,
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
        let mut held = Held::none();
        held.count(String::new(), verdict == Verdict::Holds);
        Held { verdict: Some(verdict), ..held }
    }

    /// None made yet.
    pub(super) fn none() -> Self {
        Held { compared: Vec::new(), verdict: None }
    }

    /// Counts a comparison without a test.
    pub(super) fn count(&mut self, name: String, good: bool) {
        self.compared.push(Compared { name, tested: None, asked: Asked::Counted(good) });
    }

    /// Counts a comparison that was tested.
    pub(super) fn test(&mut self, name: String, tested: Tested) {
        self.compared.push(Compared { name, tested: Some(tested), asked: Asked::Better });
    }

    /// Counts a comparison of single values, which no test can judge.
    pub(super) fn as_they_are(&mut self, name: String, good: bool) {
        self.compared.push(Compared { name, tested: None, asked: Asked::AsTheyAre(good) });
    }

    /// Counts a comparison that nothing can show, for the reason in its name.
    pub(super) fn untold(&mut self, name: String) {
        self.compared.push(Compared { name, tested: None, asked: Asked::Untold });
    }

    /// Counts whether one is better than another: by its test, or, of so many values each that could not be tested, as they are.
    pub(super) fn compare(
        &mut self,
        name: String,
        tested: Option<Tested>,
        (values, as_claimed): (usize, bool),
    ) {
        match tested {
            Some(tested) => self.test(name, tested),
            None if values > 1 => {
                self.untold(format!("{name}: the same difference in every partition, which may be chance"));
            }
            None => self.as_they_are(name, as_claimed),
        }
    }

    /// Counts two that should be the same: they `are`, or differ significantly, or that is not shown.
    pub(super) fn same(&mut self, name: String, are: bool, tested: Option<Tested>) {
        let asked = if tested.is_some() { Asked::Same(are) } else { Asked::Counted(are) };
        self.compared.push(Compared { name, tested, asked });
    }

    /// What every comparison comes to, with its p-value among all of them.
    fn ends(&self) -> Vec<(End, Place)> {
        let p_values: Vec<f64> = self.compared.iter().filter_map(|c| Some(c.tested?.corrected)).collect();
        let mut among = holm(&p_values).into_iter();
        let end = |c: &Compared| {
            let p_value = c.tested.and_then(|_| among.next());
            let tested = c.tested.zip(p_value).map(|(t, p)| t.among_others(p));
            let standing = tested.map_or(Standing::Level, |t| t.standing());
            let end = match (c.asked, standing) {
                (Asked::Counted(true) | Asked::AsTheyAre(true) | Asked::Same(true), _)
                | (Asked::Better, Standing::Better) => End::Holds,
                (Asked::Untold, _) | (Asked::Same(false) | Asked::Better, Standing::Level) => End::Open,
                _ => End::Fails,
            };
            (end, Place { name: c.name.clone(), tested })
        };
        self.compared.iter().map(end).collect()
    }

    /// How many were compared.
    pub(super) fn of(&self) -> usize {
        self.compared.len()
    }

    /// In how many it holds.
    pub(super) fn holds(&self) -> usize {
        self.ends().iter().filter(|(end, _)| *end == End::Holds).count()
    }

    /// Those that come to this end.
    pub(super) fn places(&self, wanted: End) -> Vec<Place> {
        self.ends().into_iter().filter(|(end, _)| *end == wanted).map(|(_, place)| place).collect()
    }

    /// In how many it holds by the paper's own test, which corrects for nothing, where there was a test.
    pub(super) fn uncorrected(&self) -> Option<usize> {
        let tested = self.compared.iter().filter(|c| c.asked == Asked::Better).filter_map(|c| c.tested);
        let standings: Vec<Standing> = tested.map(|t| t.plain_standing()).collect();
        (!standings.is_empty()).then(|| standings.iter().filter(|s| **s == Standing::Better).count())
    }

    /// Whether something was to be shown by test.
    fn was_tested(&self) -> bool {
        self.compared.iter().any(|c| c.tested.is_some() || c.asked == Asked::Untold)
    }

    fn has_single_values(&self) -> bool {
        self.compared.iter().any(|c| matches!(c.asked, Asked::AsTheyAre(_)))
    }

    /// What it comes to.
    pub(super) fn verdict(&self) -> Verdict {
        if let Some(verdict) = self.verdict {
            return verdict;
        }
        let fails = !self.places(End::Fails).is_empty();
        match (self.holds(), self.of()) {
            (_, 0) => Verdict::None,
            _ if self.has_single_values() => Verdict::AsTheyAre,
            (all, of) if all == of => Verdict::Holds,
            _ if self.was_tested() => {
                if fails {
                    Verdict::Fails
                } else {
                    Verdict::Open
                }
            }
            (some, of) if 3 * some >= 2 * of => Verdict::Mostly,
            (some, of) if 3 * some >= of => Verdict::Partly,
            _ => Verdict::Fails,
        }
    }

    /// `does not hold (4 of 6. The other way round: PIX: SPEC (-0.031, p = 0.004). Not shown for: ORL: SPEC (+0.002, p = 0.810))`.
    pub(super) fn in_words(&self) -> String {
        let word = match self.verdict() {
            Verdict::None => return "nothing to compare".to_owned(),
            verdict => verdict.in_words(),
        };
        let details = if self.of() == 1 { self.single() } else { self.counted() };
        if details.is_empty() { word.to_owned() } else { format!("{word} ({details})") }
    }

    /// `does not hold (4 of 6)`.
    pub(super) fn in_brief(&self) -> String {
        match (self.verdict(), self.of()) {
            (Verdict::None, _) => self.in_words(),
            (verdict, 1) => verdict.in_words().to_owned(),
            (verdict, of) => format!("{} ({} of {of})", verdict.in_words(), self.holds()),
        }
    }

    /// The figures of the one comparison, where it was tested and does not hold; of single values, whether it is so; else why
    /// it cannot be told.
    fn single(&self) -> String {
        let told = |c: &Compared, (end, place): (End, Place)| match (c.asked, place.tested) {
            (Asked::AsTheyAre(true), _) => "so".to_owned(),
            (Asked::AsTheyAre(false), _) => "not so".to_owned(),
            (Asked::Untold, _) => c.name.clone(),
            (_, Some(tested)) if end != End::Holds => tested.figures(),
            _ => String::new(),
        };
        self.compared.first().zip(self.ends().into_iter().next()).map_or(String::new(), |(c, e)| told(c, e))
    }

    fn counted(&self) -> String {
        let mut parts = vec![format!("{} of {}", self.holds(), self.of())];
        let fails = if self.was_tested() { "The other way round" } else { "Not for" };
        for (end, words) in [(End::Fails, fails), (End::Open, "Not shown for")] {
            let places = self.places(end);
            if !places.is_empty() {
                parts.push(format!("{words}: {}", some(&places)));
            }
        }
        if let Some(plain) = self.uncorrected().filter(|&plain| plain != self.holds()) {
            parts.push(format!("Uncorrected: {plain} of {}", self.of()));
        }
        parts.join(". ")
    }
}

/// The first of them, and how many more there are.
fn some(places: &[Place]) -> String {
    let shown = if places.len() <= 4 { places.len() } else { 3 };
    let names: Vec<String> = places[..shown].iter().map(Place::to_string).collect();
    match places.len() - shown {
        0 => names.join("; "),
        more => format!("{}; {more} more", names.join("; ")),
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
            words.starts_with("does not hold (1 of 3. The other way round: set 2 (-0.200, p "),
            "{words}"
        );
        assert!(words.ends_with(". Not shown for: set 1 (+0.000, p = 1.000))"), "{words}");
        assert_eq!(held(&[0.0]).in_words(), "not shown (+0.000, p = 1.000)");
        assert_eq!(held(&[0.2]).in_words(), "holds");
        assert_eq!(held(&[0.0; 6]).in_words().matches("set ").count(), 3, "the rest is a number");
    }

    /// One of many that is the other way round by chance decides nothing; alone it does.
    #[test]
    fn p_values_are_corrected_for_their_number() {
        let slight = tested(-0.02);
        assert!(slight.corrected < 0.05 && slight.corrected > 0.05 / 40.0, "{slight:?}");
        assert_eq!(held(&[-0.02]).verdict(), Verdict::Fails);
        let mut many = held(&[0.0; 39]);
        many.test("one of many".to_owned(), slight);
        assert_eq!((many.verdict(), many.places(End::Fails).len()), (Verdict::Open, 0));
        // The other way about: what held alone is not shown among many, and the papers' test says so.
        let mut many = held(&[0.0; 39]);
        many.test("one of many".to_owned(), tested(0.02));
        assert_eq!((many.holds(), many.uncorrected()), (0, Some(1)));
        assert!(many.in_words().ends_with(". Uncorrected: 1 of 40)"), "{}", many.in_words());
        let mut equal = Held::none();
        (0..40).for_each(|at| equal.same(format!("set {at}"), at > 0, Some(slight)));
        assert_eq!(equal.verdict(), Verdict::Open, "one differs, at a p that one of forty has by chance");
    }

    #[test]
    fn what_was_counted_holds_more_or_less() {
        let counted = |good: usize, of: usize| {
            let mut held = Held::none();
            (0..of).for_each(|at| held.count(format!("set {at}"), at < good));
            held
        };
        assert_eq!(counted(6, 6).in_words(), "holds (6 of 6)");
        assert_eq!(counted(5, 6).in_words(), "holds mostly (5 of 6. Not for: set 5)");
        assert_eq!(counted(2, 6).verdict(), Verdict::Partly);
        assert_eq!(counted(1, 6).verdict(), Verdict::Fails);
        assert_eq!(counted(0, 1).in_words(), "does not hold");
    }

    /// Single values are never said to show anything, and neither are too few data sets.
    #[test]
    fn what_cannot_be_tested_does_not_hold() {
        let single = |good: usize, of: usize| {
            let mut held = Held::none();
            (0..of).for_each(|at| held.as_they_are(format!("set {at}"), at < good));
            held
        };
        assert_eq!(single(2, 3).in_words(), "compared as they are (2 of 3. Not for: set 2)");
        assert_eq!(single(3, 3).in_brief(), "compared as they are (3 of 3)");
        assert_eq!(
            (single(1, 1).in_words(), single(0, 1).in_words()),
            ("compared as they are (so)".into(), "compared as they are (not so)".into())
        );
        let mut untold = Held::none();
        untold.untold("one data set".to_owned());
        assert_eq!((untold.in_words(), untold.holds()), ("not shown (one data set)".to_owned(), 0));
        untold.untold("two data sets".to_owned());
        assert_eq!(untold.in_words(), "not shown (0 of 2. Not shown for: one data set; two data sets)");
        let mut both = held(&[0.2]);
        both.untold("two data sets".to_owned());
        assert_eq!((both.verdict(), both.holds()), (Verdict::Open, 1));
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
