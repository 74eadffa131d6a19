//! Rankings and lists of features.
//!
//! A ranking is one name a line, best first, or a table with a column `feature` (or `gene`, or `name`) and
//! others: `rank`, where equal ranks tie and an empty one leaves the feature out; `score`, where features
//! without one are left out and neighbors with equal ones tie. Without ranks the lines must follow the
//! scores, up or down, unless the caller says which way is better. The JSON that the command writes is read too.

use std::collections::HashMap;
use std::path::Path;

use fiedler::{Goal, Monitor};
use serde_json::Value;

use super::{Row, Text, WithNotes};
use crate::{Error, Remedy, Result};

/// A place in a ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked {
    /// The feature.
    pub feature: String,
    /// How many features are better; the same for features that tie.
    pub better: usize,
}

/// A line of a table, or a place of a list in JSON.
struct Line {
    /// Its number, from 1.
    at: usize,
    feature: String,
    rank: Option<f64>,
    score: Option<f64>,
}

/// What a file is.
struct List {
    lines: Vec<Line>,
    /// What is counted: lines, or places of a list.
    counted: &'static str,
    ranks: bool,
    scores: bool,
    /// The titles of other columns of numbers, which are not looked at.
    others: Vec<String>,
}

/// Reads a ranking, best first. `goal` tells which scores are better, where the file has no ranks.
///
/// # Errors
/// The file cannot be read, has fields but no names, holds several rankings, names a feature twice, a rank or score is no
/// number, or scores without ranks go up and down.
pub fn read_ranking(
    path: &Path,
    goal: Option<Goal>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<Vec<Ranked>>> {
    let text = Text::read(path, monitor)?;
    let mut list = read(&text)?;
    refuse_twins(&text, &list)?;
    if list.scores {
        list.lines.retain(|l| l.score.is_some());
    }
    match goal {
        Some(_) if !list.scores => return Err(no_scores(&text, &list)),
        Some(goal) => {
            let sign = if goal == Goal::Minimize { 1.0 } else { -1.0 };
            list.lines.sort_by(|a, b| value(a.score, sign).total_cmp(&value(b.score, sign)));
        }
        None if list.ranks => {
            list.lines.retain(|l| l.rank.is_some());
            list.lines.sort_by(|a, b| value(a.rank, 1.0).total_cmp(&value(b.rank, 1.0)));
        }
        None if list.scores => check_sorted(&text, &list.lines)?,
        None => {}
    }
    let found = text.filled(places(&list, list.ranks && goal.is_none()), "features")?;
    Ok(WithNotes { found, notes: not_looked_at(&text, &list).into_iter().collect() })
}

/// The lines, which are in order, as places; equal ranks tie, and so do neighbors with equal scores.
fn places(list: &List, by_rank: bool) -> Vec<Ranked> {
    let ties =
        |a: &Line, b: &Line| (by_rank && a.rank == b.rank) || (a.score.is_some() && a.score == b.score);
    let mut ranked: Vec<Ranked> = Vec::with_capacity(list.lines.len());
    for (i, line) in list.lines.iter().enumerate() {
        let better = match i.checked_sub(1) {
            Some(before) if ties(&list.lines[before], line) => ranked[before].better,
            _ => i,
        };
        ranked.push(Ranked { feature: line.feature.clone(), better });
    }
    ranked
}

/// A goal is about scores.
fn no_scores(text: &Text, list: &List) -> Error {
    match list.others.first() {
        Some(other) => {
            let what = "a goal is given and no column is called `score`";
            let advice = format!("call the column of the scores so (`{other}`?), or leave `goal` out");
            Error::unsupported(&text.file, what, advice)
        }
        None => Error::unsupported(&text.file, "a goal is given and there are no scores", "leave `goal` out"),
    }
}

/// That numbers stand beside the features and the order of the lines counts all the same.
fn not_looked_at(text: &Text, list: &List) -> Option<String> {
    if list.ranks || list.scores || list.others.is_empty() {
        return None;
    }
    let titles: Vec<String> = list.others.iter().map(|title| format!("`{title}`")).collect();
    Some(format!(
        "{}: the order of the lines is the ranking, best first, and the numbers of {} are not looked at; if they are \
         what counts, call their column `score` and sort the lines by it, best first",
        text.file,
        titles.join(", ")
    ))
}

/// A feature has one place.
fn refuse_twins(text: &Text, list: &List) -> Result<()> {
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(list.lines.len());
    for line in &list.lines {
        if let Some(before) = first.insert(&line.feature, line.at) {
            let (counted, at, name) = (list.counted, line.at, &line.feature);
            let what = format!(
                "{counted} {at}: `{name}` is listed twice, first in {counted} {before}; keep one of them"
            );
            return Err(Error::malformed(&text.file, "ranking", what));
        }
    }
    Ok(())
}

/// Reads the names of a list or a ranking, in the order of the file.
///
/// # Errors
/// The file cannot be read, or has fields but no names.
pub fn read_names(path: &Path, monitor: &dyn Monitor) -> Result<Vec<String>> {
    let text = Text::read(path, monitor)?;
    let names = read(&text)?.lines.into_iter().map(|l| l.feature).collect();
    text.filled(names, "features")
}

/// -0 and 0 are one number.
fn value(number: Option<f64>, sign: f64) -> f64 {
    sign * number.unwrap_or(f64::INFINITY) + 0.0
}

fn check_sorted(text: &Text, lines: &[Line]) -> Result<()> {
    let scores: Vec<f64> = lines.iter().filter_map(|l| l.score).collect();
    if scores.is_sorted() || scores.iter().rev().is_sorted() {
        return Ok(());
    }
    Err(Error::Choice {
        file: text.file.clone(),
        what: "scores that go up and down, without ranks".to_owned(),
        advice: "add a column `rank`, or sort the lines, the best first".to_owned(),
        remedy: Remedy::Goal,
    })
}

/// The ranking of a JSON file: `{"ranking": [{"feature": …, "rank": …, "score": …}, …]}`.
fn from_json(text: &Text) -> Result<List> {
    let wrong = |what: String| Error::malformed(&text.file, "ranking", what);
    let told: Value = serde_json::from_str(&text.text).map_err(|e| wrong(e.to_string()))?;
    if told.get("rankings").is_some() {
        let advice = "write one file for each method";
        return Err(Error::unsupported(&text.file, "a file with the rankings of several methods", advice));
    }
    let rule = "JSON with a ranking has a list `ranking` of objects with a `feature`";
    let list = told.get("ranking").and_then(Value::as_array).ok_or_else(|| wrong(rule.to_owned()))?;
    let line = |(at, place): (usize, &Value)| {
        let number = |key: &str| place.get(key).and_then(Value::as_f64);
        let feature = place.get("feature").and_then(Value::as_str).filter(|name| !name.is_empty());
        let feature = feature.ok_or_else(|| wrong(format!("{rule}; place {} has none", at + 1)))?;
        Ok(Line { at: at + 1, feature: feature.to_owned(), rank: number("rank"), score: number("score") })
    };
    let lines = list.iter().enumerate().map(line).collect::<Result<Vec<_>>>()?;
    let (ranks, scores) = (lines.iter().any(|l| l.rank.is_some()), lines.iter().any(|l| l.score.is_some()));
    Ok(List { lines, counted: "place", ranks, scores, others: Vec::new() })
}

fn read(text: &Text) -> Result<List> {
    if text.text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return from_json(text);
    }
    let mut rows = text.rows().peekable();
    let first: Vec<String> = rows.peek().map_or(Vec::new(), |(_, row)| row.clone());
    let column = |name: &str| first.iter().position(|c| c.eq_ignore_ascii_case(name));
    let names: &[&str] = if first.len() == 1 { &["feature", "gene"] } else { &["feature", "gene", "name"] };
    let Some(feature) = names.iter().find_map(|n| column(n)) else {
        let lines = rows.map(|row| lone(text, row)).collect::<Result<_>>()?;
        return Ok(List { lines, counted: "line", ranks: false, scores: false, others: Vec::new() });
    };
    if column("method").is_some() {
        let advice = "write one file for each method";
        return Err(Error::unsupported(&text.file, "a file with the rankings of several methods", advice));
    }
    let (rank, score) = (column("rank"), column("score"));
    rows.next();
    let rows: Vec<Row> = rows.collect();
    let known = [Some(feature), rank, score, column("index")];
    let others = numbers(&first, &rows, &known);
    let read = |(line, row): Row| {
        let number = |at: Option<usize>| match at.and_then(|at| row.get(at)).filter(|t| !t.is_empty()) {
            None => Ok(None),
            Some(found) => match found.parse::<f64>() {
                Ok(number) if !number.is_nan() => Ok(Some(number)),
                _ => Err(text.wrong(line, "ranking", format!("`{found}` is not a number"))),
            },
        };
        let feature = row.get(feature).filter(|f| !f.is_empty()).cloned();
        let feature = feature.ok_or_else(|| text.wrong(line, "ranking", "no feature"))?;
        Ok(Line { at: line, feature, rank: number(rank)?, score: number(score)? })
    };
    let lines = rows.into_iter().map(read).collect::<Result<Vec<_>>>()?;
    // A column that is empty throughout says nothing.
    let ranks = lines.iter().any(|l| l.rank.is_some());
    let scores = lines.iter().any(|l| l.score.is_some());
    Ok(List { lines, counted: "line", ranks, scores, others })
}

/// The titles of columns that hold numbers and nothing else, but for those that are `known`.
fn numbers(titles: &[String], rows: &[Row], known: &[Option<usize>]) -> Vec<String> {
    let holds = |at: &usize| {
        let mut cells = rows.iter().filter_map(|(_, row)| row.get(*at)).filter(|t| !t.is_empty()).peekable();
        cells.peek().is_some() && cells.all(|t| t.parse::<f64>().is_ok())
    };
    let others = (0..titles.len()).filter(|at| !known.contains(&Some(*at)));
    others.filter(holds).map(|at| titles[at].clone()).collect()
}

/// A line that is a name.
fn lone(text: &Text, (line, row): Row) -> Result<Line> {
    match <[String; 1]>::try_from(row) {
        Ok([feature]) => Ok(Line { at: line, feature, rank: None, score: None }),
        Err(row) => {
            let rule = "a ranking is one name a line, or a table with a column `feature`";
            Err(text.wrong(line, "ranking", format!("{rule}; found {} fields", row.len())))
        }
    }
}
