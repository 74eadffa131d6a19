//! Whether what a paper concludes holds for what was computed.

use fiedler::Goal;

use super::along::{Along, Answered};
use super::found::Cell;
use super::held::{ClaimFound, Held};
use super::recipe::{BASELINES, Claim};
use super::samples::{Place, Samples};
use super::tested::{Pair, mean};
use crate::failure::Outcome;

/// Two values closer than this are the same.
const SAME: f64 = 0.005;

/// What there is to judge claims by.
pub(super) struct Judged<'a> {
    /// The cells of the table.
    pub(super) cells: &'a [Cell],
    /// Those of the last features, where they were judged.
    pub(super) worst: &'a [Cell],
    /// The means over data sets, where a claim is about them.
    pub(super) averages: &'a [Cell],
    /// What every row was answered.
    pub(super) rows: &'a [Answered],
    /// The values behind all of them.
    pub(super) samples: &'a Samples,
    /// Which way is better.
    pub(super) goal: Goal,
}

/// Values to compare: the cells of one setting.
struct Values<'a> {
    cells: &'a [Cell],
    samples: &'a Samples,
    setting: usize,
    goal: Goal,
}

impl Judged<'_> {
    /// Checks every claim in every setting.
    ///
    /// # Errors
    /// Values to be paired are not of one number.
    pub(super) fn check(&self, claims: &[Claim], settings: usize) -> Outcome<Vec<ClaimFound>> {
        let one = |claim: &Claim| {
            let held = (0..settings).map(|setting| self.held(claim, setting));
            Ok(ClaimFound { text: claim.text.clone(), holds: held.collect::<Outcome<Vec<Held>>>()? })
        };
        claims.iter().map(one).collect()
    }

    fn held(&self, claim: &Claim, setting: usize) -> Outcome<Held> {
        let at = claim.at.map(|count| Samples::at(self.rows, count));
        let samples = at.as_ref().unwrap_or(self.samples);
        let values = |cells| Values { cells, samples, setting, goal: self.goal };
        let good = values(if claim.average { self.averages } else { self.cells });
        let mut held = Held::none();
        if claim.overall || claim.steady.is_some() {
            Along { rows: self.rows, setting, goal: self.goal }.check(claim, &mut held)?;
            return Ok(held);
        }
        good.better(claim, &mut held)?;
        good.equal(claim, &mut held)?;
        good.row(claim, &mut held)?;
        good.gap(claim, &values(self.worst), &mut held)?;
        Ok(held)
    }
}

impl Values<'_> {
    fn value(&self, (row, method): Place<'_>) -> Option<f64> {
        let cell = self.cells.iter().find(|c| c.row == row && c.method == method)?;
        cell.ours.get(self.setting)?.as_ref()?.mean()
    }

    fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = self.cells.iter().map(|c| c.row.as_str()).collect();
        rows.dedup();
        rows
    }

    /// The methods that the paper compares, not the baselines that stand beside them.
    fn methods(&self) -> Vec<&str> {
        let mut methods: Vec<&str> = Vec::new();
        for cell in self.cells.iter().filter(|c| c.paper.is_some()) {
            if !methods.contains(&cell.method.as_str()) {
                methods.push(&cell.method);
            }
        }
        methods
    }

    /// All methods, whether or not the paper prints values of them.
    fn candidates(&self) -> Vec<&str> {
        let mut methods: Vec<&str> = Vec::new();
        for cell in self.cells.iter().filter(|c| !BASELINES.contains(&c.method.as_str())) {
            if !methods.contains(&cell.method.as_str()) {
                methods.push(&cell.method);
            }
        }
        methods
    }

    /// By how much `a` is better than `b`.
    fn gain(&self, a: f64, b: f64) -> f64 {
        if self.goal == Goal::Maximize { a - b } else { b - a }
    }

    /// One method is better than others.
    fn better(&self, claim: &Claim, held: &mut Held) -> Outcome {
        let Some(better) = &claim.better else { return Ok(()) };
        let others = if claim.than.is_empty() {
            self.candidates().into_iter().filter(|m| m != better).collect()
        } else {
            claim.than.iter().map(String::as_str).collect::<Vec<_>>()
        };
        let wanted = |row: &&str| claim.rows.is_empty() || claim.rows.iter().any(|r| r == row);
        for row in self.rows().into_iter().filter(wanted) {
            for other in &others {
                let name = format!("{row}: {other}");
                self.compare(held, name, [(row, better), (row, other)], claim.by)?;
            }
        }
        Ok(())
    }

    /// Whether the first is better than the second: by test where there are several values, else as they are.
    fn compare(&self, held: &mut Held, name: String, [ours, theirs]: [Place<'_>; 2], by: f64) -> Outcome {
        let mean = |place| self.samples.mean(place, self.setting);
        let Some(((a, values), (b, _))) = mean(ours).zip(mean(theirs)) else { return Ok(()) };
        let gain = self.gain(a, b);
        let as_claimed = gain > by.min(0.0) && gain >= by;
        held.compare(name, self.samples.test(ours, theirs, self.setting, by)?, (values, as_claimed));
        Ok(())
    }

    /// Two methods are the same, row by row.
    fn equal(&self, claim: &Claim, held: &mut Held) -> Outcome {
        let Some([first, second]) = &claim.equal else { return Ok(()) };
        for row in self.rows() {
            let (ours, theirs) = ((row, first.as_str()), (row, second.as_str()));
            if let Some((a, b)) = self.value(ours).zip(self.value(theirs)) {
                let tested = self.samples.test(ours, theirs, self.setting, 0.0)?;
                held.same(row.to_owned(), (a - b).abs() <= SAME, tested);
            }
        }
        Ok(())
    }

    /// One row is better than another, method by method.
    fn row(&self, claim: &Claim, held: &mut Held) -> Outcome {
        let Some([first, second]) = &claim.row else { return Ok(()) };
        let named = if self.methods().is_empty() { self.candidates() } else { self.methods() };
        for method in named {
            self.compare(held, method.to_owned(), [(first, method), (second, method)], claim.by)?;
        }
        Ok(())
    }

    /// The difference between good and bad features is larger than that of every other method, over the data sets.
    fn gap(&self, claim: &Claim, worst: &Values<'_>, held: &mut Held) -> Outcome {
        let Some(method) = &claim.gap else { return Ok(()) };
        let gaps = |m: &str| -> Vec<f64> {
            let gap = |row: &&str| Some(self.gain(self.value((row, m))?, worst.value((row, m))?));
            self.rows().iter().filter_map(gap).collect()
        };
        // Where the printed values are those of the last features, the names stand with those.
        let named = if self.methods().is_empty() { worst.methods() } else { self.methods() };
        for other in named.into_iter().filter(|m| m != method) {
            let (ours, theirs) = (gaps(method), gaps(other));
            if ours.is_empty() || theirs.is_empty() {
                continue;
            }
            let (a, b) = (mean(&ours), mean(&theirs));
            let name = format!("{other} {b:.3}, {method} {a:.3}");
            let pair = Pair { ours: &ours, theirs: &theirs, overlap: 0.0 };
            held.compare(name, pair.test(Goal::Maximize, 0.0)?, (ours.len(), a > b));
        }
        Ok(())
    }
}
