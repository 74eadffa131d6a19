//! The values behind the cells of a table: one a partition, or one a data set.

use fiedler::Goal;
use fiedler::eval::Chance;
use serde_json::Value;

use super::evaluate::goal_of;
use super::found::{Cell, Ours, Verdict};
use super::tested::{Pair, Tested, mean};
use crate::failure::Outcome;

/// A row of the table and a method, by the paper's name.
pub(super) type Place<'a> = (&'a str, &'a str);

/// The values of all cells.
pub(super) struct Samples {
    goal: Goal,
    list: Vec<Sample>,
}

/// The values of a cell in one setting.
struct Sample {
    row: String,
    method: String,
    setting: usize,
    values: Vec<f64>,
    /// Test samples by training samples; 0 for values that are independent.
    overlap: f64,
    /// What chance is, where this is chance that was not drawn.
    chance: Option<Known>,
}

/// Chance that was not drawn: what one random ranking may come to.
#[derive(Clone)]
struct Known {
    chance: Chance,
    /// The standard deviation of a single value.
    sd: f64,
    /// The numbers of features that it is of.
    counts: Vec<usize>,
}

impl Known {
    /// As a curve has it, at a count or over all of them; `None` where it was drawn.
    fn of(curve: &Value, at: Option<usize>) -> Option<Self> {
        let number = |key: &str| curve["chance"][key].as_u64().and_then(|n| usize::try_from(n).ok());
        let chance = Chance::of(number("known")?, number("features")?);
        let points = curve["curve"].as_array().into_iter().flatten();
        let all = points.filter_map(|p| p[0].as_u64().and_then(|n| usize::try_from(n).ok()));
        Some(Known { chance, sd: spread(curve, at)?, counts: at.map_or(all.collect(), |count| vec![count]) })
    }
}

impl Samples {
    /// None yet.
    pub(super) fn new() -> Self {
        Samples { goal: Goal::Maximize, list: Vec::new() }
    }

    /// Keeps the values of a cell at a count (the means over all of them where there is none), as every setting's answer has
    /// them.
    pub(super) fn keep(&mut self, (row, method): Place<'_>, at: Option<usize>, answers: &[Value]) {
        for (setting, answer) in answers.iter().enumerate() {
            let curves = answer["curves"].as_array().into_iter().flatten();
            let mut curves = curves.filter(|c| c["kind"] != "worst" && c["name"] == method);
            let curve = curves.next();
            let values = curve.map(|curve| values(curve, at)).unwrap_or_default();
            self.goal = goal_of(answer);
            let overlap = answer["overlap"].as_f64().unwrap_or(0.0);
            let chance = curve.and_then(|curve| Known::of(curve, at));
            let (row, method) = (row.to_owned(), method.to_owned());
            self.list.push(Sample { row, method, setting, values, overlap, chance });
        }
    }

    fn sample(&self, (row, method): Place<'_>, setting: usize) -> Option<&Sample> {
        self.list.iter().find(|s| s.row == row && s.method == method && s.setting == setting)
    }

    /// Whether one cell is better than another by more than `by`; `None` where it is the same, or there are too few
    /// values to tell.
    ///
    /// # Errors
    /// The lists are not of one length.
    pub(super) fn test(
        &self,
        ours: Place<'_>,
        theirs: Place<'_>,
        setting: usize,
        by: f64,
    ) -> Outcome<Option<Tested>> {
        let pair = self.sample(ours, setting).zip(self.sample(theirs, setting));
        let Some((first, second)) = pair.filter(|_| ours != theirs) else { return Ok(None) };
        let pair = Pair { ours: &first.values, theirs: &second.values, overlap: first.overlap };
        let tested = match (&first.values[..], &second.values[..], self.of_two(first, second)) {
            (&[ours], &[theirs], Some(known)) if known.sd > 0.0 => {
                let p_value = |beyond| known.chance.p_value_of_two(&known.counts, beyond);
                Some(Tested::of_one(ours, theirs, (self.goal, by), p_value))
            }
            _ => pair.test(self.goal, by)?,
        };
        let Some(known) = second.chance.as_ref().filter(|known| known.sd > 0.0) else { return Ok(tested) };
        // Rankings of parts of the same samples are no surer than one.
        let (ours, theirs) = (mean(&first.values), mean(&second.values));
        let one = Tested::beside_chance(ours, theirs, known.sd, (self.goal, by));
        let sign = if self.goal == Goal::Maximize { 1.0 } else { -1.0 };
        let one = one.no_surer_than(known.chance.p_value(&known.counts, ours - sign * by));
        Ok(Some(tested.map_or(one, |tested| tested.no_surer_than(one.corrected))))
    }

    /// What chance is for two rankings of the same row, where that is known.
    fn of_two(&self, first: &Sample, second: &Sample) -> Option<&Known> {
        let same = |s: &&Sample| s.row == first.row && s.setting == first.setting;
        let random = self.list.iter().filter(same).find_map(|s| s.chance.as_ref())?;
        let are_rankings = first.chance.is_none() && second.chance.is_none();
        (first.row == second.row && are_rankings).then_some(random)
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
            self.list.push(Sample { row, method, setting, values, overlap: 0.0, chance: None });
        }
        let paper = printed.map(|p| format!("{:.3}", mean(&p)));
        // The printed means are those of other data sets too, so nothing is to be said of them.
        Cell { row: row.to_owned(), method, paper, ours, verdict: Verdict::None }
    }
}

/// The standard deviation of a curve's values.
fn spread(curve: &Value, at: Option<usize>) -> Option<f64> {
    at.map_or(&curve["sd"], |count| &point(curve, count)[2]).as_f64()
}

/// What a curve has at a number of features.
fn point(curve: &Value, count: usize) -> &Value {
    let point = curve["curve"].as_array().into_iter().flatten().find(|p| p[0] == count);
    point.unwrap_or(&Value::Null)
}

/// The values of a curve, one a partition.
fn values(curve: &Value, at: Option<usize>) -> Vec<f64> {
    let at = at.filter(|_| curve["kind"] != "all");
    let list = at.map_or(&curve["values"], |count| &point(curve, count)[3]);
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Three halves, at one feature and at two, and all features.
    fn samples(at: Option<usize>) -> Samples {
        let curve = |name: &str, one: [f64; 3], two: [f64; 3]| json!({"name": name, "kind": "method", "values": [0.5, 0.5, 0.5], "curve": [[1, 0.5, 0.1, one], [2, 0.5, 0.1, two]]});
        let all = json!({"name": "all features", "kind": "all", "values": [0.1, 0.2, 0.1], "curve": [[9, 0.1, 0.1, [0.1, 0.2, 0.1]]]});
        let a = curve("A", [0.9, 0.8, 0.9], [0.5, 0.6, 0.5]);
        let b = curve("B", [0.1, 0.2, 0.2], [0.5, 0.6, 0.5]);
        let answer = json!({"goal": "maximize", "overlap": 0.0, "curves": [a, b, all]});
        let mut samples = Samples::new();
        for method in ["A", "B", "all features"] {
            samples.keep(("set", method), at, std::slice::from_ref(&answer));
        }
        samples
    }

    #[test]
    fn cells_are_compared_at_their_count() {
        let gain = |at, other| {
            let tested = samples(at).test(("set", "A"), ("set", other), 0, 0.0).expect("one length");
            tested.expect("three values").gain
        };
        assert!((gain(Some(1), "B") - 0.7).abs() < 1e-12);
        assert_eq!((gain(Some(2), "B"), gain(None, "B")), (0.0, 0.0));
        assert!(gain(Some(1), "all features") > gain(None, "all features"), "all have one count alone");
    }

    /// One ranking beside random selection, whose hits are known without draws.
    #[test]
    fn one_value_is_tested_where_chance_is_exact() {
        let curve = |name: &str, value: f64| json!({"name": name, "kind": "method", "values": [value], "sd": 0.0, "curve": [[20, value, 0.0, [value]]]});
        let random = json!({"name": "random", "kind": "random", "values": [0.5], "sd": 0.1, "chance": {"known": 50, "features": 100}, "curve": [[20, 0.5, 0.2, [0.5]]]});
        let answer = json!({"goal": "maximize", "curves": [curve("A", 0.9), curve("B", 0.3), random]});
        let test = |at, other| {
            let mut samples = Samples::new();
            let answers = std::slice::from_ref(&answer);
            ["A", "B", "random"].iter().for_each(|m| samples.keep(("set", m), at, answers));
            samples.test(("set", "A"), ("set", other), 0, 0.0).expect("one length")
        };
        // Two rankings: 0.9 beside 0.3, which is 18 hits beside 6 among the first 20, where half of all are known.
        let (all, one) = (test(None, "B").expect("exact"), test(Some(20), "B").expect("exact"));
        assert!((all.gain - 0.6).abs() < 1e-12 && all.corrected < 0.001, "{all:?}");
        assert!(one.corrected < 0.001, "{one:?}");
        let (all, one) = (test(None, "random").expect("exact"), test(Some(20), "random").expect("exact"));
        assert!(all.corrected < 0.001 && (one.corrected - 0.0455).abs() < 1e-4, "{all:?} {one:?}");
    }

    #[test]
    fn a_cell_is_not_compared_with_itself_or_by_nothing() {
        let samples = samples(None);
        for (row, other, setting) in [("set", "A", 0), ("set", "C", 0), ("other", "B", 0), ("set", "B", 1)] {
            assert_eq!(samples.test(("set", "A"), (row, other), setting, 0.0).expect("no lists"), None);
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
        let mut samples = Samples::new();
        let averages = samples.averages(&cells, 1);
        let names: Vec<(&str, &str)> = averages.iter().map(|c| (c.row.as_str(), c.method.as_str())).collect();
        assert_eq!(names, [("AVE of 2, k = 1", "A"), ("AVE of 2, k = 1", "B")], "one row is no mean");
        assert!((averages[0].ours[0].as_ref().and_then(Ours::mean).expect("a mean") - 0.7).abs() < 1e-12);
        let tested = samples.test((names[0].0, "A"), (names[0].0, "B"), 0, 0.0).expect("one length");
        let tested = tested.expect("two values");
        assert_eq!(tested.plain, tested.corrected);
        // d = 0.10, 0.11: t = 21 with one degree of freedom, p = 1 - (2/π)·atan(21).
        let p = 1.0 - 21f64.atan() * std::f64::consts::FRAC_2_PI;
        assert!((tested.corrected - p).abs() < 1e-9, "{tested:?} {p}");
    }
}
