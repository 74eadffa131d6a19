//! Conclusions about whole curves: over all numbers of features and data sets, and how steadily a curve rises.

use fiedler::Goal;
use serde_json::Value;

use super::held::Held;
use super::recipe::Claim;
use super::tested::{Pair, mean};
use crate::failure::Outcome;
use crate::output::layout::plural;

/// So many data sets must be there for anything to be said of data sets.
const FEWEST: usize = 3;

/// What every row was answered, by setting.
pub(super) type Answered = (String, Vec<Value>);

/// The curves of one setting.
pub(super) struct Along<'a> {
    pub(super) rows: &'a [Answered],
    pub(super) setting: usize,
    pub(super) goal: Goal,
}

impl Along<'_> {
    /// Judges what a claim says of curves.
    ///
    /// # Errors
    /// Values to be paired are not of one number.
    pub(super) fn check(&self, claim: &Claim, held: &mut Held) -> Outcome {
        match (&claim.better, &claim.steady) {
            (Some(better), _) if claim.overall => self.overall(better, claim, held),
            (None, Some(steady)) => self.steady(steady, claim, held),
            _ => Ok(()),
        }
    }

    /// How far one method and others go the wrong way, row by row.
    fn steady(&self, first: &str, claim: &Claim, held: &mut Held) -> Outcome {
        let wanted = |row: &String| claim.rows.is_empty() || claim.rows.contains(row);
        for (row, answers) in self.rows.iter().filter(|(row, _)| wanted(row)) {
            let answer = &answers[self.setting];
            let Some(ours) = self.falls(answer, first) else { continue };
            let overlap = answer["overlap"].as_f64().unwrap_or(0.0);
            for other in self.others(first, claim) {
                let Some(theirs) = self.falls(answer, &other) else { continue };
                let pair = Pair { ours: &ours, theirs: &theirs, overlap };
                compare(held, format!("{row}: {other}"), &pair, (Goal::Minimize, claim.by))?;
            }
        }
        Ok(())
    }

    /// One method beside others, each by its mean over all numbers of features of every data set; the data sets are the values that
    /// are tested. Rows that are called `NAME, SOMETHING` are of the data set NAME.
    fn overall(&self, first: &str, claim: &Claim, held: &mut Held) -> Outcome {
        let ours = self.of_data_sets(first);
        for other in self.others(first, claim) {
            let theirs = self.of_data_sets(&other);
            if ours.is_empty() || theirs.len() != ours.len() {
                continue;
            }
            let name = format!("{other} {:.3}, {first} {:.3}", mean(&theirs), mean(&ours));
            if ours.len() < FEWEST {
                let sets = plural(ours.len(), "data set");
                held.untold(format!("{name}: {FEWEST} data sets at least are needed to tell, here {sets}"));
                continue;
            }
            compare(held, name, &Pair { ours: &ours, theirs: &theirs, overlap: 0.0 }, (self.goal, claim.by))?;
        }
        Ok(())
    }

    /// The mean of a method over the rows of every data set that has it.
    fn of_data_sets(&self, method: &str) -> Vec<f64> {
        let mut sets: Vec<(&str, Vec<f64>)> = Vec::new();
        for (row, answers) in self.rows {
            let name = row.split_once(", ").map_or(row.as_str(), |(name, _)| name);
            let Some(curve) = curve(&answers[self.setting], method) else { continue };
            let values = numbers(&curve["values"]);
            // A method that had no ranking has no values.
            if values.is_empty() {
                continue;
            }
            match sets.iter_mut().find(|(known, _)| *known == name) {
                Some((_, means)) => means.push(mean(&values)),
                None => sets.push((name, vec![mean(&values)])),
            }
        }
        sets.iter().map(|(_, means)| mean(means)).collect()
    }

    /// Those that a claim names, or all other methods.
    fn others(&self, first: &str, claim: &Claim) -> Vec<String> {
        if !claim.than.is_empty() {
            return claim.than.clone();
        }
        let mut names: Vec<String> = Vec::new();
        for curve in self.rows.iter().flat_map(|(_, answers)| curves(&answers[self.setting])) {
            let name = curve["name"].as_str().unwrap_or_default();
            if curve["kind"] == "method" && name != first && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// How far a curve goes the wrong way from one number of features to the next, in every partition.
    fn falls(&self, answer: &Value, method: &str) -> Option<Vec<f64>> {
        let points = curve(answer, method)?["curve"].as_array()?;
        let points: Vec<Vec<f64>> = points.iter().map(|point| numbers(&point[3])).collect();
        let values = falls(&points, self.goal);
        (!values.is_empty()).then_some(values)
    }
}

/// How far every partition goes the wrong way, in sum.
fn falls(points: &[Vec<f64>], goal: Goal) -> Vec<f64> {
    let sign = if goal == Goal::Maximize { 1.0 } else { -1.0 };
    let partitions = points.first().map_or(0, Vec::len);
    let fall = |p: usize| points.windows(2).map(|pair| (sign * (pair[0][p] - pair[1][p])).max(0.0)).sum();
    (0..partitions).map(fall).collect()
}

/// By test where there are several values, else as they are.
fn compare(held: &mut Held, name: String, pair: &Pair<'_>, (goal, by): (Goal, f64)) -> Outcome {
    let gain = mean(pair.ours) - mean(pair.theirs);
    let as_claimed = if goal == Goal::Maximize { gain > by } else { -gain > by };
    held.compare(name, pair.test(goal, by)?, (pair.ours.len(), as_claimed));
    Ok(())
}

/// The curve of a method's first features.
fn curve<'a>(answer: &'a Value, method: &str) -> Option<&'a Value> {
    curves(answer).find(|c| c["kind"] != "worst" && c["name"] == method)
}

fn curves(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["curves"].as_array().into_iter().flatten()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::found::Verdict;
    use super::*;

    /// Three partitions at 1, 2 and 3 features: A rises, B goes up and down and ends below.
    fn rows() -> Vec<Answered> {
        let a = json!({"name": "A", "kind": "method", "values": [0.6, 0.61, 0.6],
                       "curve": [[1, 0.5, 0.0, [0.5, 0.5, 0.5]], [2, 0.6, 0.0, [0.6, 0.61, 0.6]], [3, 0.7, 0.0, [0.7, 0.72, 0.7]]]});
        let b = json!({"name": "B", "kind": "method", "values": [0.5, 0.52, 0.5],
                       "curve": [[1, 0.6, 0.0, [0.6, 0.61, 0.6]], [2, 0.3, 0.0, [0.3, 0.32, 0.29]], [3, 0.6, 0.0, [0.6, 0.6, 0.61]]]});
        let answer = json!({"goal": "maximize", "overlap": 0.0, "curves": [a, b]});
        ["x, one", "x, two", "y"].map(|row| (row.to_owned(), vec![answer.clone()])).to_vec()
    }

    fn verdict(claim: &str) -> (Verdict, String) {
        let claim: Claim = toml::from_str(claim).expect("a claim");
        let (rows, mut held) = (rows(), Held::none());
        Along { rows: &rows, setting: 0, goal: Goal::Maximize }.check(&claim, &mut held).expect("one length");
        (held.verdict(), held.in_words())
    }

    #[test]
    fn curves_are_judged_by_how_they_fall() {
        assert_eq!(verdict("text = \"t\"\nsteady = \"A\"").0, Verdict::Holds);
        assert_eq!(verdict("text = \"t\"\nsteady = \"B\"").0, Verdict::Fails);
    }

    #[test]
    fn falls_are_sums_of_steps_the_wrong_way() {
        let points = [vec![0.5, 0.1], vec![0.3, 0.2], vec![0.4, 0.15]];
        let close = |a: Vec<f64>, b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(falls(&points, Goal::Maximize), [0.2, 0.05]));
        assert!(close(falls(&points, Goal::Minimize), [0.1, 0.1]));
    }

    /// Two data sets, of which one has two rows: their means are the values, equal here, so the test has no spread to go by.
    #[test]
    fn data_sets_are_the_values_of_what_is_said_overall() {
        let rows = rows();
        let along = Along { rows: &rows, setting: 0, goal: Goal::Maximize };
        assert_eq!(along.of_data_sets("A").len(), 2);
        assert!((along.of_data_sets("B")[0] - 0.506_666_666).abs() < 1e-6);
    }

    /// What is said of all data sets cannot be told by one or two, however far apart the means are.
    #[test]
    fn two_data_sets_show_nothing_overall() {
        let (two, words) = verdict("text = \"t\"\nbetter = \"A\"\noverall = true");
        assert_eq!(two, Verdict::Open);
        assert_eq!(
            words,
            "not shown (B 0.507, A 0.603: 3 data sets at least are needed to tell, here 2 data sets)"
        );
        let claim: Claim = toml::from_str("text = \"t\"\nbetter = \"A\"\noverall = true").expect("a claim");
        let mut rows = rows();
        rows.push(("z".to_owned(), rows[2].1.clone()));
        let mut held = Held::none();
        Along { rows: &rows, setting: 0, goal: Goal::Maximize }.check(&claim, &mut held).expect("one length");
        assert_eq!(held.verdict(), Verdict::Holds, "{}", held.in_words());
    }
}
