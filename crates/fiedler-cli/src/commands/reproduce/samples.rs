//! The values behind the cells of a table: one a partition, or one a data set.

use fiedler::Goal;
use fiedler::eval::{Agreement, Judge, Side};
use serde_json::Value;

use super::along::Answered;
use super::evaluate::goal_of;
use super::found::{Cell, Ours, Verdict};
use super::tested::{SIGNIFICANT, Tested, mean};
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
    /// Its rankings, where hits are counted.
    rankings: Vec<Vec<usize>>,
    /// By which rules it is compared with others of its row.
    judge: Judge,
}

impl Sample {
    fn side(&self) -> Side<'_> {
        Side { values: &self.values, rankings: &self.rankings }
    }
}

/// The rules that an answer was found by, for the values at a count or the means over all.
fn judge(answer: &Value, partitions: usize, counts: &[usize]) -> Judge {
    let agreement = answer["step"].as_f64().map_or(Agreement::Nothing, Agreement::Steps);
    let overlap = answer["overlap"].as_f64().unwrap_or(0.0);
    let judge = Judge::new(goal_of(answer), SIGNIFICANT).parted(partitions, overlap, agreement);
    let Some(features) = answer["features"].as_u64() else { return judge };
    judge.of_hits(&numbers(&answer["known"]), features as usize).at(counts)
}

fn numbers(list: &Value) -> Vec<usize> {
    list.as_array().into_iter().flatten().filter_map(|n| Some(n.as_u64()? as usize)).collect()
}

impl Samples {
    /// None yet.
    pub(super) fn new() -> Self {
        Samples { goal: Goal::Maximize, list: Vec::new() }
    }

    /// The values of all methods in all rows at a count.
    pub(super) fn at(rows: &[Answered], count: usize) -> Self {
        let mut samples = Samples::new();
        for (row, answers) in rows {
            let curves = answers.first().and_then(|answer| answer["curves"].as_array());
            for curve in curves.into_iter().flatten().filter(|curve| curve["kind"] != "worst") {
                samples.keep((row, curve["name"].as_str().unwrap_or_default()), Some(count), answers);
            }
        }
        samples
    }

    /// Keeps the values of a cell at a count (the means over all of them where there is none), as every setting's answer has
    /// them.
    pub(super) fn keep(&mut self, (row, method): Place<'_>, at: Option<usize>, answers: &[Value]) {
        for (setting, answer) in answers.iter().enumerate() {
            let curves = answer["curves"].as_array().into_iter().flatten();
            let mut curves = curves.filter(|c| c["kind"] != "worst" && c["name"] == method);
            let Some(curve) = curves.next() else { continue };
            self.goal = goal_of(answer);
            let values = values(curve, at);
            let rankings = curve["selected"].as_array().into_iter().flatten().map(numbers).collect();
            // One judge for a row: what it finds out about chance is found once.
            let known = self.list.iter().find(|s| s.row == row && s.setting == setting);
            let judge =
                known.map_or_else(|| judge(answer, values.len(), &counts(answer, at)), |s| s.judge.clone());
            let (row, method) = (row.to_owned(), method.to_owned());
            self.list.push(Sample { row, method, setting, values, rankings, judge });
        }
    }

    fn sample(&self, (row, method): Place<'_>, setting: usize) -> Option<&Sample> {
        self.list.iter().find(|s| s.row == row && s.method == method && s.setting == setting)
    }

    /// The mean of a cell and how many values it is of; `None` where it has none.
    pub(super) fn mean(&self, place: Place<'_>, setting: usize) -> Option<(f64, usize)> {
        let sample = self.sample(place, setting).filter(|sample| !sample.values.is_empty())?;
        Some((mean(&sample.values), sample.values.len()))
    }

    /// Whether one cell is better than another by more than `by`; `None` where it is the same, or nothing can be tested.
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
        if first.judge.looks_for_the_same(&second.judge) {
            return Tested::of(&first.judge, &first.side(), &second.side(), by);
        }
        // Two rows with lists of known features of their own: their shares are values like any others.
        let [ours, theirs] = [first, second].map(|sample| Side { values: &sample.values, rankings: &[] });
        Tested::of(&first.judge.of_values(), &ours, &theirs, by)
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
            let (judge, rankings) = (Judge::new(self.goal, SIGNIFICANT), Vec::new());
            self.list.push(Sample { row, method, setting, values, rankings, judge });
        }
        let paper = printed.map(|p| format!("{:.3}", mean(&p)));
        // The printed means are those of other data sets too, so nothing is to be said of them.
        Cell { row: row.to_owned(), method, paper, ours, verdict: Verdict::None }
    }
}

/// The numbers of features that a value is of.
fn counts(answer: &Value, at: Option<usize>) -> Vec<usize> {
    let all = || {
        let curves = answer["curves"].as_array().into_iter().flatten().filter(|curve| curve["kind"] != "all");
        let points = curves.filter_map(|curve| curve["curve"].as_array());
        points.map(|points| points.iter().filter_map(|p| Some(p[0].as_u64()? as usize)).collect()).next()
    };
    at.map_or_else(|| all().unwrap_or_default(), |count| vec![count])
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

    /// Hits of one ranking each of 100 features, of which the first 50 are known: A has the first 18 of them and two others, B six
    /// of the others among its 20.
    #[test]
    fn hits_of_one_ranking_are_tested_by_features_and_by_chance() {
        let ranking = |known: std::ops::Range<usize>, others: std::ops::Range<usize>| -> Vec<usize> {
            known.chain(others).collect()
        };
        let curve = |name: &str, value: f64, ranking: Vec<usize>| json!({"name": name, "kind": "method", "values": [value], "selected": [ranking], "curve": [[20, value, 0.0, [value]]]});
        let a = curve("A", 0.9, ranking(0..18, 50..52));
        let b = curve("B", 0.3, ranking(18..24, 52..66));
        let same = curve("same", 0.9, ranking(0..18, 52..54));
        let baseline = |name: &str, kind: &str| json!({"name": name, "kind": kind, "values": [0.5], "curve": [[if kind == "all" { 100 } else { 20 }, 0.5, 0.2, [0.5]]]});
        let known: Vec<usize> = (0..50).collect();
        let curves = [a, b, same, baseline("random", "random"), baseline("all features", "all")];
        let answer = json!({"goal": "maximize", "known": known, "features": 100, "curves": curves});
        let rows = [("set".to_owned(), vec![answer])];
        let test = |samples: &Samples, other| {
            samples.test(("set", "A"), ("set", other), 0, 0.0).expect("one length").expect("exact")
        };
        let mut over_all = Samples::new();
        let names = ["A", "B", "same", "random", "all features"];
        names.iter().for_each(|name| over_all.keep(("set", name), None, &rows[0].1));
        for samples in [over_all, Samples::at(&rows, 20)] {
            // Fisher's test of 18 of 20 beside 6 of 20.
            let tested = test(&samples, "B");
            assert!(
                (tested.gain - 0.6).abs() < 1e-12 && (tested.corrected - 0.000_244_361_8).abs() < 1e-9,
                "{tested:?}"
            );
            assert_eq!(test(&samples, "same").corrected, 1.0, "two features, known neither");
            // 18 or more of 20 where half of 100 are known, twice.
            let (random, all) = (test(&samples, "random"), test(&samples, "all features"));
            assert!(random.corrected < 1e-4 && random == all, "{random:?} {all:?}");
            assert_eq!(random.plain, random.corrected);
        }
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
