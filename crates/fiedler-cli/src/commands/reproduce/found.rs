//! What was found beside what was printed.

use fiedler::Goal;
use serde_json::Value;

use super::held::ClaimFound;
use super::recipe::Setting;
use super::samples::Samples;
use super::told::{Warned, gathered};

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
    /// The values behind the cells.
    pub(super) samples: Samples,
    /// The method whose tests against the others are shown.
    pub(super) against: Option<String>,
    /// What could not be computed, and why.
    pub(super) missing: Vec<String>,
    /// What the methods warned of, gathered.
    pub(super) warnings: Vec<String>,
    /// The same one by one, until it is gathered.
    warned: Vec<Warned>,
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
            samples: Samples::new(),
            against: None,
            missing: Vec::new(),
            warnings: Vec::new(),
            warned: Vec::new(),
        }
    }

    /// Keeps what the answers of a row, one a setting, warn of.
    pub(super) fn warn(&mut self, row: &str, answers: &[Value]) {
        for (setting, answer) in self.settings.iter().zip(answers) {
            let warnings = answer["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let one =
                |text: &str| Warned { row: row.to_owned(), setting: setting.clone(), text: text.to_owned() };
            self.warned.extend(warnings.map(one));
        }
    }

    /// Leaves out what is concluded: a look at a few partitions shows nothing.
    pub(super) fn unjudged(&mut self) {
        self.cells.iter_mut().for_each(|cell| cell.verdict = Verdict::None);
        self.claims.clear();
        self.against = None;
    }

    /// Makes notes of all that was warned of.
    pub(super) fn gather(&mut self) {
        self.warnings.extend(gathered(&self.warned, &self.settings));
        self.warned.clear();
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
    /// The values cannot tell whether it does.
    Open,
    /// There is one value each and nothing to tell chance apart from more.
    AsTheyAre,
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
            Verdict::Open => "not shown",
            Verdict::AsTheyAre => "compared as they are",
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
