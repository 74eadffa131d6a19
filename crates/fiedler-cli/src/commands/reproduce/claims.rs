//! Whether what a paper concludes holds for what was computed.

use fiedler::Goal;

use super::found::{Cell, ClaimFound, Held};
use super::recipe::{BASELINES, Claim};

/// Two values closer than this are the same.
const SAME: f64 = 0.005;

/// Values to compare: the cells of one setting.
pub(super) struct Values<'a> {
    cells: &'a [Cell],
    setting: usize,
    goal: Goal,
}

/// Checks every claim in every setting. `worst` are the cells of the last features, where they were judged.
pub(super) fn check(
    claims: &[Claim],
    cells: &[Cell],
    worst: &[Cell],
    settings: usize,
    goal: Goal,
) -> Vec<ClaimFound> {
    let one = |claim: &Claim| {
        let held = |setting: usize| {
            let good = Values { cells, setting, goal };
            let bad = Values { cells: worst, setting, goal };
            good.held(claim, &bad)
        };
        ClaimFound { text: claim.text.clone(), holds: (0..settings).map(held).collect() }
    };
    claims.iter().map(one).collect()
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

    fn held(&self, claim: &Claim, worst: &Values<'_>) -> Held {
        let mut held = Held::none();
        let mut count = |place: String, good: bool| held.count(place, good);
        if let Some(better) = &claim.better {
            for row in
                self.rows().into_iter().filter(|r| claim.rows.is_empty() || claim.rows.iter().any(|c| c == r))
            {
                let others = if claim.than.is_empty() {
                    self.methods().into_iter().filter(|m| m != better).collect()
                } else {
                    claim.than.iter().map(String::as_str).collect::<Vec<_>>()
                };
                for other in others {
                    if let Some((a, b)) = self.value(row, better).zip(self.value(row, other)) {
                        count(
                            format!("{row}: {other}"),
                            self.gain(a, b) > claim.by.min(0.0) && self.gain(a, b) >= claim.by,
                        );
                    }
                }
            }
        }
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
        held
    }
}
