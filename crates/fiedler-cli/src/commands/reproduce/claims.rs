//! Whether what a paper concludes holds for what was computed.

use fiedler::Goal;

use super::against::Against;
use super::found::{Cell, ClaimFound, Held};
use super::recipe::{BASELINES, Claim};
use crate::failure::Outcome;

/// Two values closer than this are the same.
const SAME: f64 = 0.005;

/// What there is to judge claims by.
pub(super) struct Judged<'a> {
    /// The cells of the table.
    pub(super) cells: &'a [Cell],
    /// Those of the last features, where they were judged.
    pub(super) worst: &'a [Cell],
    /// The means over data sets, where there is a test.
    pub(super) averages: &'a [Cell],
    /// The test.
    pub(super) against: Option<&'a Against>,
    /// Which way is better.
    pub(super) goal: Goal,
}

/// Values to compare: the cells of one setting.
struct Values<'a> {
    cells: &'a [Cell],
    against: Option<&'a Against>,
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
        let values = |cells| Values { cells, against: self.against, setting, goal: self.goal };
        let good = values(if claim.average { self.averages } else { self.cells });
        let mut held = Held::none();
        good.better(claim, &mut held)?;
        good.others(claim, &values(self.worst), &mut held);
        Ok(held)
    }
}

impl Values<'_> {
    fn value(&self, row: &str, method: &str) -> Option<f64> {
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

    /// All methods, where the paper prints no values.
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

    /// One method is better than others: by test where there is one, else by the mean.
    fn better(&self, claim: &Claim, held: &mut Held) -> Outcome {
        let Some(better) = &claim.better else { return Ok(()) };
        let others = if claim.than.is_empty() {
            self.methods().into_iter().filter(|m| m != better).collect()
        } else {
            claim.than.iter().map(String::as_str).collect::<Vec<_>>()
        };
        let wanted = |row: &&str| claim.rows.is_empty() || claim.rows.iter().any(|r| r == row);
        let against = self.against.filter(|a| a.method == *better);
        for row in self.rows().into_iter().filter(wanted) {
            for other in &others {
                let Some((a, b)) = self.value(row, better).zip(self.value(row, other)) else { continue };
                let (place, gain) = (format!("{row}: {other}"), self.gain(a, b));
                match against {
                    None => held.count(place, gain > claim.by.min(0.0) && gain >= claim.by),
                    Some(against) => match against.test(row, other, self.setting, claim.by)? {
                        // Within a margin, not significant is not level.
                        Some(tested) if claim.by != 0.0 => held.test(place, &tested),
                        Some(tested) => {
                            held.test(format!("{place} ({})", tested.standing().name()), &tested);
                        }
                        None => held.count(format!("{place} (one partition)"), false),
                    },
                }
            }
        }
        Ok(())
    }

    /// The other kinds of claims, by the mean.
    fn others(&self, claim: &Claim, worst: &Values<'_>, held: &mut Held) {
        let mut count = |place: String, good: bool| held.count(place, good);
        if let Some([a, b]) = &claim.equal {
            for row in self.rows() {
                if let Some((a, b)) = self.value(row, a).zip(self.value(row, b)) {
                    count(row.to_owned(), (a - b).abs() <= SAME);
                }
            }
        }
        if let Some([first, second]) = &claim.row {
            let named = if self.methods().is_empty() { self.candidates() } else { self.methods() };
            for method in named {
                if let Some((a, b)) = self.value(first, method).zip(self.value(second, method)) {
                    count(method.to_owned(), self.gain(a, b) > 0.0);
                }
            }
        }
        if let Some(method) = &claim.gap {
            let gap = |m: &str| {
                let rows = self.rows();
                let gaps: Vec<f64> = rows
                    .iter()
                    .filter_map(|r| Some(self.gain(self.value(r, m)?, worst.value(r, m)?)))
                    .collect();
                (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64)
            };
            // Where the printed values are those of the last features, the names stand with those.
            let named = if self.methods().is_empty() { worst.methods() } else { self.methods() };
            for other in named.into_iter().filter(|m| m != method) {
                if let Some((a, b)) = gap(method).zip(gap(other)) {
                    count(format!("{other} {b:.3}, {method} {a:.3}"), a > b);
                }
            }
        }
    }
}
