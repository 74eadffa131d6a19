//! What was found beside what was printed.

use fiedler::Goal;
use fiedler::eval::Standing;
use serde_json::Value;

use super::against::{Against, Tested};
use super::recipe::Setting;

/// A paper's table, computed again.
pub(super) struct TableFound {
    /// The settings; the first is judged.
    pub(super) settings: Vec<String>,
    /// Cells, row of the table by row.
    pub(super) cells: Vec<Cell>,
    /// The values at every number of features.
    pub(super) curves: Vec<CurveFound>,
    /// What the paper concludes.
    pub(super) claims: Vec<ClaimFound>,
    /// One method against the others, where the recipe asks for tests.
    pub(super) against: Option<Against>,
    /// What could not be computed, and why.
    pub(super) missing: Vec<String>,
    /// What the methods warned of, each once.
    pub(super) warnings: Vec<String>,
}

impl TableFound {
    /// Nothing found yet.
    pub(super) fn new(settings: &[Setting]) -> Self {
        let settings = settings.iter().map(|s| s.name.clone()).collect();
        TableFound {
            settings,
            cells: Vec::new(),
            curves: Vec::new(),
            claims: Vec::new(),
            against: None,
            missing: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Keeps the warnings of a row, each once.
    pub(super) fn warn<'a>(&mut self, row: &str, warnings: impl Iterator<Item = &'a Value>) {
        for warning in warnings.filter_map(Value::as_str).map(|w| format!("{row}: {w}")) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

impl Cell {
    /// A cell of numbers.
    pub(super) fn number(
        row: &str,
        method: &str,
        paper: Option<f64>,
        ours: Vec<Option<Ours>>,
        goal: Goal,
    ) -> Self {
        let verdict = match (paper, ours.first().and_then(Option::as_ref)) {
            (None, _) => Verdict::None,
            (Some(_), None) => Verdict::Missing,
            (Some(paper), Some(ours)) => Verdict::of(paper, ours, goal),
        };
        let paper = paper.map(|p| p.to_string());
        Cell { row: row.to_owned(), method: method.to_owned(), paper, ours, verdict }
    }
}

/// A cell of the table.
pub(super) struct Cell {
    /// The row: a data set, mostly.
    pub(super) row: String,
    /// The method, by the paper's name.
    pub(super) method: String,
    /// What is printed.
    pub(super) paper: Option<String>,
    /// What every setting gave.
    pub(super) ours: Vec<Option<Ours>>,
    /// What is to be said of the first.
    pub(super) verdict: Verdict,
}

/// The values of a method at every number of features, in the first setting.
pub(super) struct CurveFound {
    /// The row of the table.
    pub(super) row: String,
    /// The method, by the paper's name.
    pub(super) method: String,
    /// Numbers of features and the means there.
    pub(super) points: Vec<(usize, f64)>,
}

/// A value of ours.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ours {
    /// A mean, its standard deviation, and the number of values.
    Number {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        sd: f64,
        /// How many values.
        n: usize,
    },
    /// Anything else.
    Text(String),
}

impl Ours {
    /// The mean.
    pub(super) fn mean(&self) -> Option<f64> {
        match self {
            Ours::Number { mean, .. } => Some(*mean),
            Ours::Text(_) => None,
        }
    }
}

/// What the paper concludes, and whether it does here.
pub(super) struct ClaimFound {
    /// In words.
    pub(super) text: String,
    /// By setting: in how many of how many comparisons it holds, and where it does not.
    pub(super) holds: Vec<Held>,
}

/// In how many comparisons something holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    /// So many …
    pub(super) holds: usize,
    /// … of so many.
    pub(super) of: usize,
    /// Where it does not.
    pub(super) fails: Vec<String>,
    /// In so many by the paper's own test, where there was a test.
    pub(super) plain: Option<usize>,
    /// What it comes to, where that was judged elsewhere.
    verdict: Option<Verdict>,
}

impl Held {
    /// One comparison that was judged elsewhere.
    pub(super) fn judged(verdict: Verdict) -> Self {
        Held { of: 1, verdict: Some(verdict), ..Held::none() }
    }

    /// None made yet.
    pub(super) fn none() -> Self {
        Held { holds: 0, of: 0, fails: Vec::new(), plain: None, verdict: None }
    }

    /// Counts a comparison.
    pub(super) fn count(&mut self, place: String, good: bool) {
        self.of += 1;
        if good { self.holds += 1 } else { self.fails.push(place) }
    }

    /// Counts a comparison that was tested: it is good where it is significant.
    pub(super) fn test(&mut self, place: String, tested: &Tested) {
        self.count(place, tested.standing() == Standing::Better);
        *self.plain.get_or_insert(0) += usize::from(tested.plain_standing() == Standing::Better);
    }

    /// What it comes to.
    pub(super) fn verdict(&self) -> Verdict {
        match (self.holds, self.of) {
            _ if self.verdict.is_some() => self.verdict.unwrap_or(Verdict::None),
            (_, 0) => Verdict::None,
            (all, of) if all == of => Verdict::Holds,
            (some, of) if 3 * some >= 2 * of => Verdict::Mostly,
            (some, of) if 3 * some >= of => Verdict::Partly,
            _ => Verdict::Fails,
        }
    }
}

/// What is to be said of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing is printed to compare with.
    None,
    /// As printed, up to rounding and the spread of the partitions.
    AsPrinted,
    /// Near what is printed, but so would much else be: the spread is larger than the value.
    Uncertain,
    /// Better than printed.
    Better,
    /// Worse than printed.
    Worse,
    /// Not as printed, and neither better nor worse.
    Differs,
    /// What the paper says holds.
    Holds,
    /// It holds in two of three comparisons or more.
    Mostly,
    /// It holds in one of three comparisons or more.
    Partly,
    /// It does not hold.
    Fails,
    /// It could not be computed.
    Missing,
}

impl Verdict {
    /// In words.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Verdict::None => "",
            Verdict::AsPrinted => "as printed",
            Verdict::Uncertain => "too uncertain",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Differs => "differs",
            Verdict::Holds => "holds",
            Verdict::Mostly => "holds mostly",
            Verdict::Partly => "holds in part",
            Verdict::Fails => "does not hold",
            Verdict::Missing => "not computed",
        }
    }

    /// A printed mean beside ours. The papers print no spread, so theirs is taken to be ours: both means deviate
    /// by sd/√n, and two deviations of their difference, or a hundredth, are no difference. Where the spread is larger than
    /// the value, that is no agreement either.
    pub(super) fn of(paper: f64, ours: &Ours, goal: Goal) -> Self {
        let Ours::Number { mean, sd, n } = ours else { return Verdict::Differs };
        let tolerance = (2.0 * sd * (2.0 / *n as f64).sqrt()).max(0.01);
        let gain = match goal {
            Goal::Maximize => mean - paper,
            Goal::Minimize => paper - mean,
        };
        match gain {
            _ if gain.abs() <= tolerance && *sd > mean.abs() => Verdict::Uncertain,
            _ if gain.abs() <= tolerance => Verdict::AsPrinted,
            _ if gain > 0.0 => Verdict::Better,
            _ => Verdict::Worse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_allows_for_rounding_and_spread() {
        let ours = |mean: f64, sd: f64| Ours::Number { mean, sd, n: 8 };
        assert_eq!(Verdict::of(0.80, &ours(0.808, 0.0), Goal::Maximize), Verdict::AsPrinted);
        assert_eq!(Verdict::of(0.80, &ours(0.85, 0.06), Goal::Maximize), Verdict::AsPrinted);
        assert_eq!(Verdict::of(0.80, &ours(0.85, 0.04), Goal::Maximize), Verdict::Better);
        assert_eq!(Verdict::of(0.80, &ours(0.85, 0.0), Goal::Minimize), Verdict::Worse);
        assert_eq!(Verdict::of(0.07, &ours(0.21, 0.29), Goal::Maximize), Verdict::Uncertain);
        assert_eq!(Verdict::of(0.07, &ours(0.21, 0.20), Goal::Maximize), Verdict::AsPrinted);
        assert_eq!(Verdict::of(0.9, &ours(0.21, 0.29), Goal::Maximize), Verdict::Worse);
    }
}
