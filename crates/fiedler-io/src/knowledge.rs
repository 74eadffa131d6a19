//! Knowledge about samples and features by name: gene sets, networks, annotations, similarities,
//! categories, and rankings.
//!
//! | reader | file |
//! |---|---|
//! | [`read_sets`] | GMT: name, description, members, separated by tabs |
//! | [`read_edges`] | SIF (`a type b c …`), or a table `a, b` or `a, b, weight` |
//! | [`read_annotations`] | long: `feature, term`; wide: a 0/1 table with terms as titles |
//! | [`read_similarity`] | a square table with names on both sides, or edges |
//! | [`read_categories`] | `sample, category` |
//! | [`read_ranking`] | what `fiedler rank --format csv` writes, or one name a line |
//!
//! Tables are separated by tabs where there are any, else by commas; lines that begin with `#` are
//! comments. A first line whose last field should be a number and is not, or that holds only words
//! such as `source` and `target`, is a title.

use std::path::Path;

use fiedler::{Dataset, Scaling, Silent};

use crate::csv::read_texts;
use crate::input::Input;
use crate::options::{ReadOptions, TextOptions};
use crate::{Error, Place, Result};

/// A named set of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSet {
    /// Its name.
    pub name: String,
    /// The names of its members.
    pub members: Vec<String>,
}

/// Two names and a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedEdge {
    /// One end.
    pub a: String,
    /// The other.
    pub b: String,
    /// 1 where the file gives none.
    pub weight: f64,
}

/// A similarity of named things.
#[derive(Debug, Clone, PartialEq)]
pub enum NamedSimilarity {
    /// All pairs, row after row, in the order of the names.
    Matrix {
        /// The names of rows and columns.
        names: Vec<String>,
        /// The values.
        values: Vec<f64>,
    },
    /// Some pairs.
    Edges(Vec<NamedEdge>),
}

/// A place in a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The feature.
    pub feature: String,
    /// Its score, where the file gives scores and it has one.
    pub score: Option<f64>,
}

/// The number of a line, from 1, and its fields.
type Row = (usize, Vec<String>);

/// Words that are titles of columns, not names.
const TITLES: [&str; 14] = [
    "source",
    "target",
    "from",
    "to",
    "a",
    "b",
    "feature",
    "term",
    "gene",
    "annotation",
    "sample",
    "category",
    "path",
    "class",
];

/// Reads a GMT file.
///
/// # Errors
/// The file cannot be read, or a line has no members.
pub fn read_sets(path: &Path) -> Result<Vec<NamedSet>> {
    let (file, lines) = lines(path)?;
    let set = |(line, text): &(usize, String)| {
        let mut fields = text.split('\t').map(str::trim);
        let name = fields.next().unwrap_or_default().to_owned();
        let members: Vec<String> = fields.skip(1).filter(|m| !m.is_empty()).map(str::to_owned).collect();
        match members.is_empty() {
            true => Err(wrong(
                &file,
                *line,
                "GMT",
                "a set needs a name, a description and members, separated by tabs",
            )),
            false => Ok(NamedSet { name, members }),
        }
    };
    filled(&file, lines.iter().map(set).collect::<Result<Vec<_>>>()?, "sets")
}

/// Reads edges: SIF by its extension `.sif`, else a table.
///
/// # Errors
/// The file cannot be read, a line has not two or three fields, or a weight is no number.
pub fn read_edges(path: &Path) -> Result<Vec<NamedEdge>> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sif")) {
        return read_sif(path);
    }
    let (file, rows) = rows(path)?;
    let titled = rows.first().is_some_and(|(_, row)| match &row[..] {
        [_, _, weight] => weight.parse::<f64>().is_err(),
        row => is_title(row),
    });
    let edge = |(line, row): &Row| match &row[..] {
        [a, b] => Ok(NamedEdge { a: a.clone(), b: b.clone(), weight: 1.0 }),
        [a, b, weight] => match weight.parse() {
            Ok(weight) => Ok(NamedEdge { a: a.clone(), b: b.clone(), weight }),
            Err(_) => Err(wrong(&file, *line, "edge list", format!("the weight `{weight}` is not a number"))),
        },
        _ => Err(wrong(
            &file,
            *line,
            "edge list",
            format!("{} fields where two or three are expected", row.len()),
        )),
    };
    let edges = rows[usize::from(titled)..].iter().map(edge).collect::<Result<Vec<_>>>()?;
    filled(&file, edges, "edges")
}

/// Reads annotations as (feature, term).
///
/// # Errors
/// The file cannot be read or is neither form.
pub fn read_annotations(path: &Path) -> Result<Vec<(String, String)>> {
    let (file, rows) = rows(path)?;
    let pairs = match is_wide(&rows) {
        true => wide(&file, &rows)?,
        false => pairs(&file, &rows, "annotation table")?,
    };
    filled(&file, pairs, "annotations")
}

/// Reads a similarity: a square table with names on both sides, or edges.
///
/// # Errors
/// The file cannot be read, rows and columns do not have the same names, or a value is no number.
pub fn read_similarity(path: &Path) -> Result<NamedSimilarity> {
    let (_, rows) = rows(path)?;
    if rows.iter().all(|(_, row)| row.len() <= 3) && rows.len() != rows.first().map_or(0, |r| r.1.len()) {
        return read_edges(path).map(NamedSimilarity::Edges);
    }
    let file = path.display().to_string();
    let table = crate::read(path, &ReadOptions::default(), &Silent)?.data.scaled(Scaling::None);
    let columns: Vec<String> = (0..table.n_features()).map(|j| table.feature_name(j).into_owned()).collect();
    let rule = "a similarity table needs the same names in its first line and its first column";
    let names = table
        .sample_names()
        .map(<[String]>::to_vec)
        .ok_or_else(|| Error::malformed(&file, "similarity", rule))?;
    let place = |name: &String| columns.iter().position(|c| c == name);
    let order: Option<Vec<usize>> = names.iter().map(place).collect();
    let order = order
        .filter(|o| o.len() == columns.len())
        .ok_or_else(|| Error::malformed(&file, "similarity", rule))?;
    Ok(NamedSimilarity::Matrix { values: square(&file, &table, &order)?, names })
}

/// Reads what every sample belongs to, as (sample, category); a category may be a path `a/b/c`.
///
/// # Errors
/// The file cannot be read or a line has not two fields.
pub fn read_categories(path: &Path) -> Result<Vec<(String, String)>> {
    let (file, rows) = rows(path)?;
    filled(&file, pairs(&file, &rows, "category table")?, "samples")
}

/// Reads a ranking, best first.
///
/// # Errors
/// The file cannot be read, holds several rankings, or a score is no number.
pub fn read_ranking(path: &Path) -> Result<Vec<Ranked>> {
    let (file, rows) = rows(path)?;
    let column = |name: &str| rows.first().and_then(|(_, row)| row.iter().position(|c| c == name));
    let Some(feature) = column("feature") else {
        let name = |(_, row): &Row| Ranked { feature: row.join(","), score: None };
        return filled(&file, rows.iter().map(name).collect(), "features");
    };
    if column("method").is_some() {
        let advice = "write one file for each (fiedler rank --method NAME --format csv)";
        return Err(Error::unsupported(&file, "a file with the rankings of several methods", advice));
    }
    let (rank, score) = (column("rank"), column("score"));
    let read = |(line, row): &Row| {
        let number = |at: Option<usize>| match at.and_then(|at| row.get(at)).filter(|t| !t.is_empty()) {
            None => Ok(None),
            Some(text) => text
                .parse::<f64>()
                .map(Some)
                .map_err(|_| wrong(&file, *line, "ranking", format!("`{text}` is not a number"))),
        };
        let feature =
            row.get(feature).cloned().ok_or_else(|| wrong(&file, *line, "ranking", "no feature"))?;
        Ok((number(rank)?, Ranked { feature, score: number(score)? }))
    };
    let mut ranked = rows[1..].iter().map(read).collect::<Result<Vec<_>>>()?;
    // The order of lines is that of the file unless ranks say otherwise.
    ranked.sort_by(|a, b| a.0.unwrap_or(0.0).total_cmp(&b.0.unwrap_or(0.0)));
    let scored = ranked.iter().any(|r| r.1.score.is_some());
    let listed = ranked.into_iter().map(|r| r.1).filter(|r| !scored || r.score.is_some()).collect();
    filled(&file, listed, "features")
}

fn read_sif(path: &Path) -> Result<Vec<NamedEdge>> {
    let (file, lines) = lines(path)?;
    let mut edges = Vec::new();
    for (line, text) in &lines {
        let fields: Vec<&str> = match text.contains('\t') {
            true => text.split('\t').map(str::trim).collect(),
            false => text.split_whitespace().collect(),
        };
        match fields[..] {
            // A node without edges.
            [_] => {}
            [_, _] => return Err(wrong(&file, *line, "SIF", "an edge is `a type b`")),
            [a, _, ref others @ ..] => edges.extend(others.iter().map(|b| NamedEdge {
                a: a.to_owned(),
                b: (*b).to_owned(),
                weight: 1.0,
            })),
            [] => {}
        }
    }
    // Different types may join the same pair.
    edges.sort_by(|p, q| (&p.a, &p.b).cmp(&(&q.a, &q.b)));
    edges.dedup_by(|p, q| p.a == q.a && p.b == q.b);
    filled(&file, edges, "edges")
}

/// Every cell but titles is 0 or 1, and there is a title over every column.
fn is_wide(rows: &[Row]) -> bool {
    let mark = |c: &String| c == "0" || c == "1";
    rows.len() > 1
        && rows[0].1.len() > 1
        && !rows[0].1[1..].iter().all(mark)
        && rows[1..].iter().all(|(_, r)| r.len() > 1 && r[1..].iter().all(mark))
}

fn wide(file: &str, rows: &[Row]) -> Result<Vec<(String, String)>> {
    let width = rows[1].1.len();
    let titles = &rows[0].1;
    // The corner may be empty or missing.
    let terms = if titles.len() == width { &titles[1..] } else { &titles[..] };
    let mut found = Vec::new();
    for (line, row) in &rows[1..] {
        if row.len() != terms.len() + 1 {
            let what = format!("{} fields where {} are expected", row.len(), terms.len() + 1);
            return Err(wrong(file, *line, "annotation table", what));
        }
        let marked = row[1..].iter().zip(terms).filter(|(mark, _)| *mark == "1");
        found.extend(marked.map(|(_, term)| (row[0].clone(), term.clone())));
    }
    Ok(found)
}

fn pairs(file: &str, rows: &[Row], format: &'static str) -> Result<Vec<(String, String)>> {
    let titled = rows.first().is_some_and(|(_, row)| is_title(row));
    let pair = |(line, row): &Row| match &row[..] {
        [a, b] => Ok((a.clone(), b.clone())),
        _ => Err(wrong(file, *line, format, format!("{} fields where two are expected", row.len()))),
    };
    rows[usize::from(titled)..].iter().map(pair).collect()
}

fn square(file: &str, table: &Dataset, order: &[usize]) -> Result<Vec<f64>> {
    let columns = order.iter().map(|&j| table.column(j)).collect::<fiedler::Result<Vec<_>>>();
    let columns = columns.map_err(Error::data(file))?;
    Ok((0..order.len()).flat_map(|i| columns.iter().map(move |c| c[i])).collect())
}

fn is_title(row: &[String]) -> bool {
    !row.is_empty() && row.iter().all(|c| TITLES.contains(&c.to_lowercase().as_str()))
}

/// The lines that say something, with their numbers from 1.
fn lines(path: &Path) -> Result<(String, Vec<(usize, String)>)> {
    let input = Input::open(path)?;
    let file = input.name.clone();
    let bytes = input.read_all(&Silent)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let says = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    let lines = lines.filter(|(_, l)| says(l)).map(|(i, l)| (i + 1, l.trim_end().to_owned())).collect();
    Ok((file, lines))
}

/// The same as fields.
fn rows(path: &Path) -> Result<(String, Vec<Row>)> {
    let (file, lines) = lines(path)?;
    let tabs = lines.first().is_some_and(|(_, l)| l.contains('\t'));
    let options = TextOptions { delimiter: Some(if tabs { b'\t' } else { b',' }), ..TextOptions::default() };
    let fields = |(line, text): &(usize, String)| {
        let mut found = read_texts(text.as_bytes(), &file, &options)?;
        let row = if found.is_empty() { Vec::new() } else { found.swap_remove(0) };
        Ok((*line, row.into_iter().map(|c| c.trim().to_owned()).collect()))
    };
    let rows = lines.iter().map(fields).collect::<Result<Vec<_>>>()?;
    Ok((file, rows))
}

fn wrong(file: &str, line: usize, format: &'static str, what: impl std::fmt::Display) -> Error {
    Error::malformed(file, format, format!("{}: {what}", Place::Line(line)))
}

fn filled<T>(file: &str, items: Vec<T>, what: &str) -> Result<Vec<T>> {
    match items.is_empty() {
        true => Err(Error::unsupported(file, format!("no {what}"), "name a file that has some")),
        false => Ok(items),
    }
}
