//! Similarities of named things: edges, or all pairs in a square table.

use std::collections::HashMap;
use std::path::Path;

use fiedler::{Monitor, Scaling};

use super::{IsName, Text, WithNotes, kind_of, title};
use crate::names::shown;
use crate::options::ReadOptions;
use crate::{Error, Result};

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

/// Reads a similarity: SIF by its extension `.sif`, a square table with names on both sides, or edges
/// `a, b` or `a, b, weight`. The first lines tell a square table from edges.
///
/// # Errors
/// The file cannot be read, rows and columns do not have the same names, a line has not two or three
/// fields, or a value is no number.
pub fn read_similarity(
    path: &Path,
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<NamedSimilarity>> {
    let text = Text::read(path, monitor)?;
    if kind_of(path) == "sif" {
        let found = NamedSimilarity::Edges(sif(&text, &[])?);
        return Ok(WithNotes { found, notes: Vec::new() });
    }
    if let Some(corner) = corner(&text) {
        drop(text);
        return Ok(WithNotes { found: table(path, corner, monitor)?, notes: Vec::new() });
    }
    let told = edges(&text, known)?;
    Ok(WithNotes { found: NamedSimilarity::Edges(told.found), notes: told.notes })
}

/// What stands over the first column of a square table; `None` for a list of edges.
fn corner(text: &Text) -> Option<String> {
    // One line more than the smallest tables that can be taken for edges have.
    let rows: Vec<Vec<String>> = text.rows().take(5).map(|r| r.1).collect();
    let [first, second, ..] = &rows[..] else { return None };
    let numbers = |row: &[String]| row.iter().all(|c| c.parse::<f64>().is_ok());
    let short = second.len() == first.len() + 1;
    if !(short || second.len() == first.len()) || second.len() < 2 || !numbers(&second[1..]) {
        return None;
    }
    let (corner, titles) = if short { ("", &first[..]) } else { (first[0].as_str(), &first[1..]) };
    // Only a line of two or three fields that begins with a word can be an edge.
    let mut below: Vec<&String> = rows[1..].iter().filter_map(|r| r.first()).collect();
    let mut above: Vec<&String> = titles.iter().collect();
    below.sort_unstable();
    above.sort_unstable();
    let square = corner.is_empty() || titles.len() > 2 || titles.len() == 2 && below == above;
    square.then(|| corner.to_owned())
}

fn table(path: &Path, corner: String, monitor: &dyn Monitor) -> Result<NamedSimilarity> {
    let file = shown(path);
    let options = ReadOptions { names: Some(corner.into()), ..ReadOptions::default() };
    let table = crate::read(path, &options, monitor).map_err(of_a_square)?.data.scaled(Scaling::None);
    let n = table.n_samples();
    let names: Vec<String> = table.sample_names().map(<[String]>::to_vec).unwrap_or_default();
    let column = |j: usize| (table.feature_name(j).into_owned(), j);
    let columns: HashMap<String, usize> = (0..table.n_features()).map(column).collect();
    if let Some(at) = (1..n).find(|&at| names[..at].contains(&names[at])) {
        let what = format!("`{}` names two rows, and the names of a square table must differ", names[at]);
        return Err(Error::malformed(&file, "similarity", what));
    }
    let unknown = names.iter().find(|name| !columns.contains_key(*name));
    if unknown.is_some() || columns.len() != n {
        let which = match unknown {
            Some(name) => format!("`{name}` has no column"),
            None => format!("{n} rows and {} columns", columns.len()),
        };
        let rule = "a square table needs the same names in its first line and its first column";
        return Err(Error::malformed(&file, "similarity", format!("{rule}: {which}")));
    }
    let mut values = vec![0.0; n * n];
    for (place, name) in names.iter().enumerate() {
        let column = table.column(columns[name]).map_err(Error::data(&file))?;
        column.iter().enumerate().for_each(|(i, v)| values[i * n + place] = *v);
    }
    Ok(NamedSimilarity::Matrix { names, values })
}

/// What is wrong with a cell: a square table has no labels and no column that could be left out, so that advice for data does not
/// hold.
fn of_a_square(error: Error) -> Error {
    const RULE: &str =
        "; every cell of a square table is a number, and 0 stands for things that are not alike";
    let told = |file: &str, what: String| Error::malformed(file, "similarity", format!("{what}{RULE}"));
    match &error {
        Error::Missing { file, place, column, .. } => {
            told(file, format!("{place}, {column}: nothing stands there"))
        }
        Error::NotANumber { file, place, column, found } => {
            told(file, format!("{place}, {column}: {found} is not a number"))
        }
        Error::NotFinite { file, place, column, found } => {
            told(file, format!("{place}, {column}: {found} is not finite"))
        }
        Error::Columns { file, .. } => {
            let all = error.to_string();
            told(file, all.strip_prefix(&format!("{file}: ")).unwrap_or(&all).to_owned())
        }
        Error::RepeatedName { file, name, first, second, .. } => {
            let what = format!(
                "`{name}` is in {first} and in {second}, and the names of a square table must differ"
            );
            Error::malformed(file, "similarity", what)
        }
        _ => error,
    }
}

fn edges(text: &Text, known: IsName<'_>) -> Result<WithNotes<Vec<NamedEdge>>> {
    let mut rows = text.rows().peekable();
    let mut notes = Vec::new();
    if let Some((_, row)) = rows.peek() {
        let odd = matches!(&row[..], [_, _, weight] if weight.parse::<f64>().is_err());
        let (titled, note) = title(row, known, odd);
        notes.extend(note);
        if titled {
            rows.next();
        }
    }
    let edge = |(line, row): (usize, Vec<String>)| {
        let wrong = |what: String| text.wrong(line, "edge list", what);
        let mut fields = row.into_iter();
        match (fields.next(), fields.next(), fields.next(), fields.len()) {
            (Some(a), Some(b), None, 0) => Ok(NamedEdge { a, b, weight: 1.0 }),
            (Some(a), Some(b), Some(weight), 0) => match weight.parse() {
                Ok(weight) => Ok(NamedEdge { a, b, weight }),
                Err(_) => Err(wrong(format!("the weight `{weight}` is not a number"))),
            },
            (a, b, c, more) => {
                let count = [a, b, c].iter().flatten().count() + more;
                Err(wrong(format!("{count} fields where two or three are expected")))
            }
        }
    };
    let found = rows.map(edge).collect::<Result<Vec<_>>>()?;
    Ok(WithNotes { found: text.filled(found, "edges")?, notes })
}

/// Reads the edges of a SIF file, of the types given; all unless some are.
pub(super) fn read_sif(path: &Path, types: &[String], monitor: &dyn Monitor) -> Result<Vec<NamedEdge>> {
    sif(&Text::read(path, monitor)?, types)
}

/// The type of the edges of a line of a SIF file.
pub(super) fn sif_type(row: &str) -> Option<&str> {
    sif_fields(row).get(1).copied()
}

fn sif_fields(row: &str) -> Vec<&str> {
    if row.contains('\t') {
        row.split('\t').map(str::trim).collect()
    } else {
        row.split_whitespace().collect()
    }
}

fn sif(text: &Text, types: &[String]) -> Result<Vec<NamedEdge>> {
    let mut edges = Vec::new();
    for (line, row) in text.lines() {
        match sif_fields(row)[..] {
            // A node without edges.
            [_] | [] => {}
            [_, _] => return Err(text.wrong(line, "SIF", "an edge is `a type b`")),
            [_, kind, ..] if !types.is_empty() && types.iter().all(|t| t != kind) => {}
            [a, _, ref others @ ..] => edges.extend(others.iter().map(|b| NamedEdge {
                a: a.to_owned(),
                b: (*b).to_owned(),
                weight: 1.0,
            })),
        }
    }
    // Different types may join the same pair.
    edges.sort_by(|p, q| (&p.a, &p.b).cmp(&(&q.a, &q.b)));
    edges.dedup_by(|p, q| p.a == q.a && p.b == q.b);
    if types.is_empty() { text.filled(edges, "edges") } else { Ok(edges) }
}
