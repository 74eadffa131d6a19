//! One method against each other one, by test.
//!
//! A paper's t-test takes its partitions to be independent. They share samples, so it finds too much; the corrected one
//! allows for that, and decides. Means over data sets have differences that share nothing, and there both are the same.

use fiedler::Goal;
use fiedler::eval::{Standing, paired_t_test};
use serde_json::Value;

use super::evaluate::goal_of;
use super::found::{Cell, Ours, Verdict};
use super::recipe::{Claim, Evaluate, Recipe};
use crate::failure::Outcome;

/// What counts as significant, in the papers and here.
const SIGNIFICANT: f64 = 0.05;

/// The values behind a table, and whom they are compared with.
pub(super) struct Against {
    /// The method, by the paper's name.
    pub(super) method: String,
    goal: Goal,
    samples: Vec<Sample>,
}

/// The values of a cell in one setting: one a partition, or one a data set.
struct Sample {
    row: String,
    method: String,
    setting: usize,
    values: Vec<f64>,
    /// Test samples by training samples; 0 for values that are independent.
    overlap: f64,
}

impl Recipe {
    /// What is asked of tests and cannot be had.
    pub(super) fn check_tests(&self) -> Result<(), String> {
        let question = self.evaluate.as_ref();
        let tested = question.and_then(|e| e.against.as_ref());
        let untested = |c: &&Claim| c.average && (c.better.is_none() || c.better.as_ref() != tested);
        if let Some(claim) = self.claim.iter().find(untested) {
            let text = &claim.text;
            return Err(format!(
                "claim `{text}`: `average` needs `better`, the method that `against` of [evaluate] names"
            ));
        }
        let elsewhere =
            |e: &Evaluate| e.at.is_some() || e.printed.is_some() || self.data.iter().any(|d| d.at.is_some());
        if tested.is_some() && question.is_some_and(elsewhere) {
            return Err("[evaluate]: `against` tests means over all counts of the first features, and goes with neither `at` \
                        nor `printed`"
                .to_owned());
        }
        Ok(())
    }
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tested {
    gain: f64,
    /// The p-value of the paper's test.
    pub(super) plain: f64,
    /// That of the corrected test.
    pub(super) corrected: f64,
}

impl Against {
    /// Nothing to compare yet.
    pub(super) fn new(method: &str) -> Self {
        Against { method: method.to_owned(), goal: Goal::Maximize, samples: Vec::new() }
    }

    /// Keeps the values of a cell, as every setting's answer has them.
    pub(super) fn keep(&mut self, row: &str, method: &str, answers: &[Value]) {
        for (setting, answer) in answers.iter().enumerate() {
            let curves = answer["curves"].as_array().into_iter().flatten();
            let mut curves = curves.filter(|c| c["kind"] != "worst" && c["name"] == method);
            let values = curves.next().and_then(|c| c["values"].as_array());
            let values: Vec<f64> = values.into_iter().flatten().filter_map(Value::as_f64).collect();
            self.goal = goal_of(answer);
            let overlap = answer["overlap"].as_f64().unwrap_or(0.0);
            let (row, method) = (row.to_owned(), method.to_owned());
            self.samples.push(Sample { row, method, setting, values, overlap });
        }
    }

    fn sample(&self, row: &str, method: &str, setting: usize) -> Option<&Sample> {
        self.samples.iter().find(|s| s.row == row && s.method == method && s.setting == setting)
    }

    /// Whether the method is better than `other` by more than `by`; `None` where it is the same, or there are too few
    /// values to tell.
    ///
    /// # Errors
    /// The lists are not of one length.
    pub(super) fn test(&self, row: &str, other: &str, setting: usize, by: f64) -> Outcome<Option<Tested>> {
        let pair = self.sample(row, &self.method, setting).zip(self.sample(row, other, setting));
        let Some((ours, theirs)) = pair.filter(|_| other != self.method) else { return Ok(None) };
        let sign = if self.goal == Goal::Maximize { 1.0 } else { -1.0 };
        let bar: Vec<f64> = theirs.values.iter().map(|v| v + sign * by).collect();
        let plain = paired_t_test(&ours.values, &bar, 0.0)?;
        let corrected = paired_t_test(&ours.values, &bar, ours.overlap)?;
        let gain = sign * (mean(&ours.values) - mean(&bar));
        Ok(plain.zip(corrected).map(|(plain, corrected)| Tested { gain, plain, corrected }))
    }

    /// The means over data sets, which can be tested from now on. Rows that are called `NAME, SOMETHING` are averaged with those
    /// that have the same `SOMETHING`.
    pub(super) fn averages(&mut self, cells: &[Cell], settings: usize) -> Vec<Cell> {
        let kind =
            |cell: &Cell| cell.row.split_once(", ").map_or(String::new(), |(_, kind)| format!(", {kind}"));
        let mut kinds: Vec<String> = cells.iter().map(kind).collect();
        kinds.dedup();
        let mut averages = Vec::new();
        for name in kinds {
            let same: Vec<&Cell> = cells.iter().filter(|c| kind(c) == name).collect();
            let mut rows: Vec<&str> = same.iter().map(|c| c.row.as_str()).collect();
            rows.dedup();
            let first = same.iter().filter(|c| c.row == rows[0]);
            for method in first.map(|c| c.method.as_str()) {
                let cells: Vec<&Cell> = same.iter().filter(|c| c.method == method).copied().collect();
                if cells.len() == rows.len() && rows.len() > 1 {
                    averages.push(self.average(&format!("AVE of {}{name}", rows.len()), &cells, settings));
                }
            }
        }
        averages
    }

    /// The mean over cells of one method.
    fn average(&mut self, row: &str, cells: &[&Cell], settings: usize) -> Cell {
        let method = cells[0].method.clone();
        let printed: Option<Vec<f64>> = cells.iter().map(|c| c.paper.as_ref()?.parse().ok()).collect();
        let mut ours = Vec::with_capacity(settings);
        for setting in 0..settings {
            let means = cells.iter().map(|c| c.ours.get(setting)?.as_ref()?.mean());
            let Some(values) = means.collect::<Option<Vec<f64>>>() else {
                ours.push(None);
                continue;
            };
            let (n, mean) = (values.len(), mean(&values));
            let square: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            ours.push(Some(Ours::Number { mean, sd: (square / (n as f64 - 1.0)).sqrt(), n }));
            let (row, method) = (row.to_owned(), method.clone());
            self.samples.push(Sample { row, method, setting, values, overlap: 0.0 });
        }
        let paper = printed.map(|p| format!("{:.3}", mean(&p)));
        // The printed means are those of other data sets too, so nothing is to be said of them.
        Cell { row: row.to_owned(), method, paper, ours, verdict: Verdict::None }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl Tested {
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
            true if self.gain > 0.0 => Standing::Better,
            true => Standing::Worse,
        }
    }

    /// `better (<0.001, 0.013)`.
    pub(super) fn in_words(&self) -> String {
        format!("{} ({}, {})", self.standing().name(), digits(self.plain), digits(self.corrected))
    }
}

/// A p-value to three digits.
fn digits(p_value: f64) -> String {
    if p_value < 0.001 { "<0.001".to_owned() } else { format!("{p_value:.3}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Eight halves of one data set: `ours` and, a little or far below it, `theirs`.
    fn against(goal: Goal, ours: [f64; 8], theirs: [f64; 8]) -> Against {
        let curve = |name: &str, values: [f64; 8]| json!({"name": name, "kind": "method", "values": values});
        let answer =
            json!({"goal": goal.name(), "overlap": 1.0, "curves": [curve("A", ours), curve("B", theirs)]});
        let mut against = Against::new("A");
        against.keep("set", "A", std::slice::from_ref(&answer));
        against.keep("set", "B", &[answer]);
        against
    }

    const OURS: [f64; 8] = [0.81, 0.84, 0.79, 0.86, 0.80, 0.83, 0.85, 0.78];
    const THEIRS: [f64; 8] = [0.80, 0.80, 0.79, 0.82, 0.80, 0.78, 0.84, 0.77];

    /// t = mean(d)/(s·√(1/8 + q)) beside the table of t with seven degrees of freedom: 2.3646 at 0.05.
    #[test]
    fn the_papers_test_finds_what_the_corrected_one_does_not() {
        let tested = against(Goal::Maximize, OURS, THEIRS).test("set", "B", 0, 0.0).expect("one length");
        let tested = tested.expect("eight values");
        let d: Vec<f64> = OURS.iter().zip(THEIRS).map(|(a, b)| a - b).collect();
        let sd = (d.iter().map(|v| (v - mean(&d)).powi(2)).sum::<f64>() / 7.0).sqrt();
        let t = |q: f64| mean(&d) / (sd * (0.125 + q).sqrt());
        assert!(t(0.0) > 2.3646 && t(1.0) < 2.3646, "{} {}", t(0.0), t(1.0));
        assert_eq!((tested.plain_standing(), tested.standing()), (Standing::Better, Standing::Level));
        assert!(tested.plain < 0.05 && tested.corrected > 0.05, "{tested:?}");
    }

    #[test]
    fn less_is_better_where_the_goal_says_so_and_a_margin_is_allowed_for() {
        let standing = |goal, by| {
            let against = against(goal, OURS.map(|v| v + 0.2), OURS.map(|v| 0.99 * v + 0.001));
            let tested = against.test("set", "B", 0, by).expect("one length");
            tested.expect("eight values").standing()
        };
        assert_eq!(standing(Goal::Maximize, 0.0), Standing::Better);
        assert_eq!(standing(Goal::Maximize, 0.3), Standing::Worse, "not by so much");
        assert_eq!(standing(Goal::Minimize, 0.0), Standing::Worse);
        assert_eq!(standing(Goal::Minimize, -0.3), Standing::Better, "worse by no more than that");
    }

    #[test]
    fn a_method_is_not_compared_with_itself_or_by_nothing() {
        let against = against(Goal::Maximize, OURS, THEIRS);
        for (row, other, setting) in [("set", "A", 0), ("set", "C", 0), ("other", "B", 0), ("set", "B", 1)] {
            assert_eq!(against.test(row, other, setting, 0.0).expect("no lists"), None);
        }
    }

    #[test]
    fn means_over_data_sets_are_of_one_kind_of_row() {
        let cell = |row: &str, method: &str, mean: f64| {
            let ours = vec![Some(Ours::Number { mean, sd: 0.1, n: 8 })];
            Cell::number(row, method, Some(0.5), ours, Goal::Maximize)
        };
        let mut cells = Vec::new();
        for (row, a, b) in [("x, k = 1", 0.6, 0.5), ("y, k = 1", 0.8, 0.69), ("x, k = 2", 0.9, 0.1)] {
            cells.extend([cell(row, "A", a), cell(row, "B", b)]);
        }
        let mut against = Against::new("A");
        let averages = against.averages(&cells, 1);
        let names: Vec<(&str, &str)> = averages.iter().map(|c| (c.row.as_str(), c.method.as_str())).collect();
        assert_eq!(names, [("AVE of 2, k = 1", "A"), ("AVE of 2, k = 1", "B")], "one row is no mean");
        assert!((averages[0].ours[0].as_ref().and_then(Ours::mean).expect("a mean") - 0.7).abs() < 1e-12);
        let tested = against.test("AVE of 2, k = 1", "B", 0, 0.0).expect("one length").expect("two values");
        assert_eq!(tested.plain, tested.corrected);
        // d = 0.10, 0.11: t = 21 with one degree of freedom, p = 1 - (2/π)·atan(21).
        let p = 1.0 - 21f64.atan() * std::f64::consts::FRAC_2_PI;
        assert!((tested.corrected - p).abs() < 1e-9, "{tested:?} {p}");
    }
}
