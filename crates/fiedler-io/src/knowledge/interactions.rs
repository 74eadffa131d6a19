//! Interactions in tables with titles, as BioGRID and STRING write them.
//!
//! A title line names the two ends: `Official Symbol Interactor A` and `B` (BioGRID tab 2 and 3), `OFFICIAL_SYMBOL_A` and `_B` (tab 1),
//! `protein1` and `protein2` (STRING), and the like. Where a file has several pairs of such columns, those are taken that the caller
//! knows more names of. A pair that is listed many times counts once, with its largest score; a column of scores is used where every pair
//! has a number, and every pair weighs 1 where some have a dash or all have words.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use fiedler::Monitor;

use super::{
    IsName, NamedEdge, NamedSimilarity, Text, WithNotes, best_names, kind_of, read_pathway, read_similarity,
};
use crate::{Error, Result};

/// Bytes that a byte of such a file takes.
const TAKES: usize = 8;

/// Titles of the two ends, in small letters and with spaces, the likeliest first.
const ENDS: [[&str; 2]; 9] = [
    ["official symbol interactor a", "official symbol interactor b"],
    ["official symbol a", "official symbol b"],
    ["systematic name interactor a", "systematic name interactor b"],
    ["entrez gene interactor a", "entrez gene interactor b"],
    ["interactor a", "interactor b"],
    ["protein1", "protein2"],
    ["gene1", "gene2"],
    ["gene a", "gene b"],
    ["symbol a", "symbol b"],
];
const SCORES: [&str; 4] = ["combined score", "score", "confidence", "weight"];
/// The most types that a message names.
const MOST_TOLD: usize = 10;
const TYPES: [&str; 4] = ["experimental system", "experimental system type", "interaction type", "type"];

/// Reads the interactions of a file of any kind: a SIF file, a KGML pathway, a table with titles, or what
/// [`read_similarity`] reads. Of a file that tells them, only those of the types given, all unless some are.
///
/// # Errors
/// The file cannot be read or is none of these, tells no types and some are asked for, or has none of these types.
pub fn read_interactions(
    path: &Path,
    types: &[String],
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<NamedSimilarity>> {
    let told = match kind_of(path).as_str() {
        "kgml" | "xml" => {
            let told = read_pathway(path, types, known, monitor)?;
            WithNotes { found: told.found.edges, notes: told.notes }
        }
        "sif" => WithNotes { found: super::similarity::read_sif(path, types, monitor)?, notes: Vec::new() },
        _ => {
            let text = Text::read_taking(path, TAKES, monitor)?;
            match Table::new(&text) {
                Some(table) => table.edges(types, known)?,
                None => {
                    untitled(&text, types)?;
                    drop(text);
                    let told = read_similarity(path, known, monitor)?;
                    refuse_negative(path, &told.found, monitor)?;
                    return Ok(told);
                }
            }
        }
    };
    if told.found.is_empty() {
        return Err(none_of(path, types, monitor));
    }
    Ok(WithNotes { found: NamedSimilarity::Edges(told.found), notes: told.notes })
}

/// What is wrong with a file without titles of both ends, where it should have them: it has one of two, or types are asked for.
fn untitled(text: &Text, types: &[String]) -> Result<()> {
    if text.text.trim().is_empty() && !types.is_empty() {
        return Err(text.wrong(1, "interaction table", "the file is empty: there are no titles"));
    }
    for (at, row) in text.text.lines().take(100).enumerate() {
        let titles: Vec<String> =
            split(row.trim_start_matches('#'), false).iter().map(|t| plain(t)).collect();
        let has = |title: &str| titles.iter().any(|t| t == title);
        // A list of edges may have a feature of that name.
        let half = ENDS.iter().find(|[a, b]| titles.len() > 3 && has(a) != has(b));
        if let Some([a, b]) = half {
            let (there, missing) = if has(a) { (a, b) } else { (b, a) };
            let what = format!(
                "the titles have `{there}` and no `{missing}`: both ends of interactions must be there"
            );
            return Err(text.wrong(at + 1, "interaction table", what));
        }
    }
    if types.is_empty() {
        return Ok(());
    }
    let [a, b] = ENDS[0];
    let what = format!(
        "types, which the file does not tell: it has no line of titles that name both ends of interactions (such as `{a}` and \
         `{b}`)"
    );
    let advice = "leave `types` out, or name a SIF file, a KGML file or a table with titles";
    Err(Error::unsupported(&text.file, what, advice))
}

/// Interactions weigh 0 or more; where one does not, the file is read again for its line.
fn refuse_negative(path: &Path, found: &NamedSimilarity, monitor: &dyn Monitor) -> Result<()> {
    let NamedSimilarity::Edges(edges) = found else { return Ok(()) };
    let Some(wrong) = edges.iter().find(|e| !(e.weight.is_finite() && e.weight >= 0.0)) else {
        return Ok(());
    };
    let text = Text::read(path, monitor)?;
    let is_it = |row: &[String]| match row {
        [a, b, weight] => {
            *a == wrong.a
                && *b == wrong.b
                && weight.parse::<f64>().is_ok_and(|w| !(w.is_finite() && w >= 0.0))
        }
        _ => false,
    };
    let line = text.rows().find(|(_, row)| is_it(row)).map_or(1, |(line, _)| line);
    let NamedEdge { a, b, weight } = wrong;
    let what = format!("interactions must weigh 0 or more, got {weight} for `{a}` and `{b}`");
    Err(text.wrong(line, "edge list", what))
}

/// Nothing is left; where types were asked for, the file is read again for those that it has.
fn none_of(path: &Path, types: &[String], monitor: &dyn Monitor) -> Error {
    let file = crate::names::shown(path);
    if types.is_empty() {
        return Error::unsupported(&file, "no interactions", "name a file that has some");
    }
    let there = match types_in(path, monitor) {
        Ok(there) if !there.is_empty() => there.into_iter().take(MOST_TOLD).collect::<Vec<_>>().join(", "),
        Ok(_) => "none".to_owned(),
        Err(error) => return error,
    };
    let what = format!("no interactions of the types {}", types.join(", "));
    Error::unsupported(&file, what, format!("ask for types that it has: {there}"))
}

/// The types of a file.
fn types_in(path: &Path, monitor: &dyn Monitor) -> Result<BTreeSet<String>> {
    let kind = kind_of(path);
    if matches!(kind.as_str(), "kgml" | "xml") {
        return super::kgml::types(path, monitor);
    }
    let text = Text::read_taking(path, TAKES, monitor)?;
    Ok(match Table::new(&text).filter(|_| kind != "sif") {
        Some(table) => table.types(),
        None => {
            text.lines().filter_map(|(_, row)| super::similarity::sif_type(row)).map(str::to_owned).collect()
        }
    })
}

/// A table with titles that name the ends of interactions.
struct Table<'a> {
    text: &'a Text,
    /// The line of the titles, from 1.
    line: usize,
    titles: Vec<String>,
    by_space: bool,
}

impl<'a> Table<'a> {
    /// The table, if one of the first lines is such a title.
    fn new(text: &'a Text) -> Option<Self> {
        // BioGRID's first form has forty lines of remarks before its titles.
        for (at, row) in text.text.trim_start_matches('\u{feff}').lines().take(100).enumerate() {
            for by_space in [false, true] {
                let titles: Vec<String> =
                    split(row.trim_start_matches('#'), by_space).iter().map(|t| plain(t)).collect();
                let table = Table { text, line: at + 1, titles, by_space };
                if !table.ends().is_empty() {
                    return Some(table);
                }
            }
        }
        None
    }

    /// The columns that tell types.
    fn typed(&self) -> Vec<usize> {
        (0..self.titles.len()).filter(|&c| TYPES.contains(&self.titles[c].as_str())).collect()
    }

    /// The types that there are.
    fn types(&self) -> BTreeSet<String> {
        let lines = self.text.lines().filter(|(line, _)| *line > self.line);
        let rows = lines.map(|(_, row)| split(row, self.by_space));
        let typed = self.typed();
        let of_row = |row: Vec<&str>| {
            typed.iter().filter_map(|&c| row.get(c).map(|t| (*t).to_owned())).collect::<Vec<_>>()
        };
        rows.flat_map(of_row).collect()
    }

    /// The pairs of columns that are ends.
    fn ends(&self) -> Vec<[usize; 2]> {
        let column = |title: &str| self.titles.iter().position(|t| t == title);
        ENDS.iter().filter_map(|[a, b]| Some([column(a)?, column(b)?])).collect()
    }

    fn edges(&self, types: &[String], known: IsName<'_>) -> Result<WithNotes<Vec<NamedEdge>>> {
        let (mut rows, mut lines): (Vec<Vec<&str>>, Vec<usize>) = (Vec::new(), Vec::new());
        let typed = self.typed();
        if typed.is_empty() && !types.is_empty() {
            let what = "types, which the table does not tell";
            return Err(Error::unsupported(&self.text.file, what, "leave `types` out"));
        }
        for (line, row) in self.text.lines().filter(|(line, _)| *line > self.line) {
            let fields = split(row, self.by_space);
            if fields.len() != self.titles.len() {
                let what = format!("{} fields where {} are expected", fields.len(), self.titles.len());
                return Err(self.text.wrong(line, "interaction table", what));
            }
            rows.push(fields);
            lines.push(line);
        }
        // Whether scores are weights is told by the whole table, not by the types that are asked for.
        let (mut weights, mut notes) = self.weights(&rows, &lines)?;
        let is_wanted =
            |row: &Vec<&str>| types.is_empty() || typed.iter().any(|&c| types.iter().any(|t| t == row[c]));
        let wanted: Vec<bool> = rows.iter().map(is_wanted).collect();
        let mut kept = wanted.iter();
        weights.retain(|_| kept.next() == Some(&true));
        rows.retain(is_wanted);
        let ends = self.ends();
        let names = |ends: &[usize; 2]| {
            rows.iter().flat_map(|r| ends.map(|c| r[c].to_owned())).collect::<HashSet<String>>()
        };
        let best = best_names(&ends.iter().map(names).collect::<Vec<_>>(), known);
        if ends.len() > 1 {
            notes.push(format!(
                "the ends of interactions are the columns `{}` and `{}`",
                self.titles[ends[best][0]], self.titles[ends[best][1]]
            ));
        }
        Ok(WithNotes { found: joined(&rows, ends[best], &weights), notes })
    }

    /// The scores, where a column of them has one for every pair. A dash stands for none, and a column may be words throughout: then
    /// every pair weighs 1. Anything else is a mistake.
    fn weights(&self, rows: &[Vec<&str>], lines: &[usize]) -> Result<(Vec<f64>, Vec<String>)> {
        let Some(c) = SCORES.iter().find_map(|s| self.titles.iter().position(|t| t == s)) else {
            return Ok((vec![1.0; rows.len()], Vec::new()));
        };
        let title = &self.titles[c];
        let equal = |why: &str| {
            Ok((vec![1.0; rows.len()], vec![format!("the column `{title}` {why}, so every pair weighs 1")]))
        };
        let number = |row: &Vec<&str>| row[c].parse().ok().filter(|w: &f64| w.is_finite());
        let numbers: Vec<Option<f64>> = rows.iter().map(number).collect();
        if numbers.iter().all(Option::is_none) {
            return equal("has no numbers");
        }
        let wrong = |at: usize, what: String| Err(self.text.wrong(lines[at], "interaction table", what));
        let is_left_open = |at: &usize| matches!(rows[*at][c], "" | "-");
        let mut others = (0..rows.len()).filter(|&at| numbers[at].is_none());
        if let Some(at) = others.clone().find(|at| !is_left_open(at)) {
            let what =
                format!("the {title} `{}` is not a number; write one, or - where there is none", rows[at][c]);
            return wrong(at, what);
        }
        if let Some(first) = others.next() {
            let more = others.count();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            return equal(&format!("has no number in line {}{more}", lines[first]));
        }
        let weights: Vec<f64> = numbers.into_iter().flatten().collect();
        if let Some(at) = weights.iter().position(|w| *w < 0.0) {
            let rule = "write a number from 0, or - where there is none";
            let got = weights[at];
            return wrong(at, format!("interactions must weigh 0 or more, got the {title} {got}; {rule}"));
        }
        Ok((weights, vec![format!("weights are those of the column `{title}`")]))
    }
}

/// Every pair once, with its largest weight.
fn joined(rows: &[Vec<&str>], [a, b]: [usize; 2], weights: &[f64]) -> Vec<NamedEdge> {
    let mut pairs: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for (row, &weight) in rows.iter().zip(weights) {
        let (one, other) = (row[a], row[b]);
        // A dash stands for nothing.
        if [one, other].iter().all(|name| !name.is_empty() && *name != "-") {
            let largest = pairs.entry((one.min(other), one.max(other))).or_insert(weight);
            *largest = largest.max(weight);
        }
    }
    let edge = |((a, b), weight): ((&str, &str), f64)| NamedEdge { a: a.to_owned(), b: b.to_owned(), weight };
    pairs.into_iter().map(edge).collect()
}

fn split(row: &str, by_space: bool) -> Vec<&str> {
    if by_space { row.split_whitespace().collect() } else { row.split('\t').map(str::trim).collect() }
}

/// A title in small letters, with spaces for underscores.
fn plain(title: &str) -> String {
    title.trim().to_lowercase().replace('_', " ")
}
