//! Paper, ours, verdict: for people, as Markdown and as JSON.

use std::fmt::Write;

use fiedler::eval::Protocol;
use serde_json::{Value, json};

use super::Table;
use super::found::{Cell as Compared, Ours, TableFound};
use super::held::{ClaimFound, End, Held, Place};
use super::recipe::Recipe;
use super::tested::Tested;
use crate::output::layout::{Align, Cell, Group, in_blocks};
use crate::output::width::width;
use crate::output::{BOLD, DIM, json as documents};

/// The keys with what they are.
pub(super) fn list(recipes: &[(&str, Recipe)]) -> String {
    let mut out = String::new();
    for (key, recipe) in recipes {
        let files = files(recipe);
        let files = if files.is_empty() { "no files needed".to_owned() } else { files.join(", ") };
        let _ = writeln!(out, "{BOLD}{key}{BOLD:#}\n  {}: {}", recipe.source, recipe.title);
        let _ = writeln!(out, "  {DIM}{files}{DIM:#}");
    }
    out
}

/// The files a recipe needs, each once.
pub(super) fn files(recipe: &Recipe) -> Vec<&str> {
    let mut files: Vec<&str> = Vec::new();
    for data in recipe.data.iter().filter(|d| !d.file.starts_with("demo:")) {
        if !files.contains(&data.file.as_str()) {
            files.push(&data.file);
        }
    }
    files
}

/// For people.
pub(super) fn table(table: &Table) -> String {
    let mut out = String::new();
    let quick = if table.quick { " (quick: not the paper's protocol, so nothing is judged)" } else { "" };
    let Table { key, recipe, .. } = table;
    let _ = writeln!(out, "{BOLD}{key}{BOLD:#}: {}, {}{quick}\n", recipe.source, recipe.title);
    cells(&mut out, &table.found);
    let judged =
        |c: &Compared| c.paper.is_some() && matches!(c.ours.first(), Some(Some(Ours::Number { .. })));
    if !table.quick && table.found.cells.iter().any(judged) {
        let _ = writeln!(
            out,
            "{DIM}verdict: of the first column of ours; as printed: within two deviations of the difference, or 0.01{DIM:#}"
        );
    }
    for sentence in tests_in_words(table).into_iter().chain(chance_in_words(table)) {
        let _ = writeln!(out, "{DIM}{sentence}{DIM:#}");
    }
    if !table.found.claims.is_empty() {
        let _ = writeln!(out, "\n{BOLD}What the paper concludes{BOLD:#}");
    }
    for claim in &table.found.claims {
        let _ = writeln!(out, "  {}: {}", claim.text, claim_in_words(claim, &table.found.settings));
    }
    for note in &table.recipe.notes {
        let _ = writeln!(out, "{DIM}note: {note}{DIM:#}");
    }
    out
}

/// The cells, a row under its name. Columns that do not fit beside each other follow below.
fn cells(out: &mut String, found: &TableFound) {
    let head = head(found);
    let mut names: Vec<&str> = found.cells.iter().map(|cell| cell.row.as_str()).collect();
    names.dedup();
    let longest = found.cells.iter().map(|cell| cell.method.chars().count()).max().unwrap_or(0);
    // The name of the only row stands above its methods, where there is room for it.
    let (corner, headed, margin) = match names[..] {
        [only] if only.chars().count() <= longest => (only, false, ""),
        _ => ("", true, "  "),
    };
    let mut first = Group { columns: vec![Align::Left], rows: vec![vec![Cell::styled(corner, DIM)]] };
    let align = |c: usize| if c <= found.settings.len() { Align::Right } else { Align::Left };
    let group = |(c, title): (usize, String)| Group {
        columns: vec![align(c)],
        rows: vec![vec![Cell::styled(title, DIM)]],
    };
    let mut groups: Vec<Group> = head.into_iter().skip(2).enumerate().map(group).collect();
    let mut before = None;
    for cell in &found.cells {
        if headed && before != Some(&cell.row) {
            first.rows.push(vec![Cell::across(&cell.row, BOLD)]);
            groups.iter_mut().for_each(|group| group.rows.push(vec![Cell::default()]));
        }
        before = Some(&cell.row);
        first.rows.push(vec![Cell::new(format!("{margin}{}", cell.method))]);
        let texts = columns_of(found, cell, "").into_iter().skip(2);
        groups.iter_mut().zip(texts).for_each(|(group, text)| group.rows.push(vec![Cell::new(text)]));
    }
    in_blocks(out, &first, groups, width());
}

/// What stands above the columns.
fn head(found: &TableFound) -> Vec<String> {
    let mut head = vec![String::new(), String::new(), "paper".to_owned()];
    head.extend(found.settings.iter().cloned());
    head.push("verdict".to_owned());
    if let Some(against) = &found.against {
        let one = |name: &String| match found.settings.len() {
            1 => format!("{against} is (p, corrected p)"),
            _ => format!("{against}, {name}, is (p, corrected p)"),
        };
        head.extend(found.settings.iter().map(one));
    }
    head
}

/// What the columns of tests are.
fn tests_in_words(table: &Table) -> Option<String> {
    let found = &table.found;
    let method = found.against.as_ref()?;
    let averages: Vec<&Compared> = found.cells.iter().filter(|c| c.row.starts_with("AVE of ")).collect();
    let averages = if averages.is_empty() {
        String::new()
    } else {
        let spread = if averages.iter().any(|cell| has_spread(cell)) { "± and test" } else { "test" };
        format!(
            " AVE: means over data sets, {spread} between them; the paper's mean is that of the same data sets."
        )
    };
    let hits = if counts_hits(&table.recipe) { " (of hits: the test that is told below)" } else { "" };
    Some(format!(
        "{method} is better or worse than the method of the line where the corrected paired t-test over the partitions{hits} has p < 0.05, else level: the test cannot tell them apart. p is that of \
         the uncorrected test, two-sided as well.{averages}"
    ))
}

fn counts_hits(recipe: &Recipe) -> bool {
    recipe.data.iter().any(|data| data.known.is_some())
}

/// What random selection is.
fn chance_in_words(table: &Table) -> Option<String> {
    let random: Vec<&Compared> = table.found.cells.iter().filter(|cell| cell.method == "random").collect();
    if random.is_empty() {
        return None;
    }
    let exact = " Its hits are not drawn but exact: on average the share of known features among all (the mean of the hypergeometric distribution), which is what all features have too.";
    // Numbers of hits of generated studies are tested over studies.
    let tested = " Hits are known before samples are parted, so rankings beside chance are no surer than one random ranking is rare, and two rankings beside each other than an exchange of the features that only one of them has; nor is either surer than the corrected paired t-test over the partitions.";
    let hits = match (counts_hits(&table.recipe), table.recipe.fusion.is_some()) {
        (true, _) => format!("{exact}{tested}"),
        (_, true) => exact.replace(", which is what all features have too", ""),
        _ => String::new(),
    };
    let spread = if random.iter().any(|cell| has_spread(cell)) { ", ± over all of them" } else { "" };
    Some(format!("random: the mean of {} random rankings a partition{spread}.{hits}", Protocol::DRAWS))
}

/// Whether a spread stands in a line.
fn has_spread(cell: &Compared) -> bool {
    cell.ours.iter().flatten().any(|ours| matches!(ours, Ours::Number { sd, .. } if *sd > 0.0))
}

fn columns_of(found: &TableFound, cell: &Compared, row: &str) -> Vec<String> {
    let mut texts = vec![row.to_owned(), cell.method.clone(), cell.paper.clone().unwrap_or_default()];
    texts.extend(cell.ours.iter().map(|o| o.as_ref().map_or("–".to_owned(), in_words)));
    texts.push(cell.verdict.in_words().to_owned());
    if found.against.is_some() {
        let tested = |setting| tested(found, cell, setting).map_or(String::new(), |t| t.in_words());
        texts.extend((0..found.settings.len()).map(tested));
    }
    texts
}

/// The test of a cell in a setting; lists are of one length here, for the claims were tested by them before.
fn tested(found: &TableFound, cell: &Compared, setting: usize) -> Option<Tested> {
    let ours = (cell.row.as_str(), found.against.as_deref()?);
    found.samples.test(ours, (&cell.row, &cell.method), setting, 0.0).ok().flatten()
}

fn in_words(ours: &Ours) -> String {
    match ours {
        Ours::Number { mean, sd, .. } if *sd > 0.0 => format!("{mean:.3} ± {sd:.3}"),
        Ours::Number { mean, .. } => format!("{mean:.3}"),
        Ours::Text(text) => text.clone(),
    }
}

/// `holds (6 of 6); standardized: not shown (4 of 6. Not shown for: PIX10P: SPEC (+0.002, p = 0.810))`.
fn claim_in_words(claim: &ClaimFound, settings: &[String]) -> String {
    by_setting(claim, settings, Held::in_words)
}

/// `holds (6 of 6); standardized: not shown (4 of 6)`.
pub(super) fn claim_in_brief(claim: &ClaimFound, settings: &[String]) -> String {
    by_setting(claim, settings, Held::in_brief)
}

fn by_setting(claim: &ClaimFound, settings: &[String], words: impl Fn(&Held) -> String) -> String {
    let mut parts = vec![claim.holds.first().map_or(String::new(), &words)];
    for (held, setting) in claim.holds.iter().zip(settings).skip(1) {
        parts.push(format!("{setting}: {}", words(held)));
    }
    parts.join("; ")
}

/// The README of a table.
pub(super) fn page(table: &Table) -> String {
    let mut out = format!("# {}: {}\n\n{}.\n\n", table.key, table.recipe.source, table.recipe.title);
    let data = if files(&table.recipe).is_empty() { "" } else { " --data DIR" };
    let _ = writeln!(out, "```sh\nfiedler reproduce {}{data} --write\n```\n", table.asked);
    body(&mut out, table);
    out
}

/// The table and what is to be said about it, without a heading.
pub(super) fn body(out: &mut String, table: &Table) {
    let settings = &table.found.settings;
    let head = head(&table.found);
    let _ = writeln!(out, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
    let mut before = "";
    for cell in &table.found.cells {
        let name = if cell.row == before { "" } else { &cell.row };
        before = &cell.row;
        let _ = writeln!(out, "| {} |", columns_of(&table.found, cell, name).join(" | "));
    }
    for sentence in tests_in_words(table).into_iter().chain(chance_in_words(table)) {
        let _ = writeln!(out, "\n{sentence}");
    }
    if !table.found.claims.is_empty() {
        out.push_str("\nWhat the paper concludes:\n\n");
    }
    for claim in &table.found.claims {
        let _ = writeln!(out, "- {}: **{}**", claim.text, claim_in_words(claim, settings));
    }
    curves(out, table);
    let notes = table.recipe.notes.iter().chain(&table.found.missing).chain(&table.found.warnings);
    let mut first = true;
    for note in notes {
        out.push_str(if first { "\nNotes:\n\n" } else { "" });
        first = false;
        let _ = writeln!(out, "- {note}");
    }
}

/// The figure as numbers: the means at every number of features, in the first setting.
fn curves(out: &mut String, table: &Table) {
    let curves = &table.found.curves;
    let wanted = table.recipe.evaluate.as_ref().is_some_and(|e| e.curves) || table.recipe.fusion.is_some();
    if !wanted {
        return;
    }
    let Some(longest) = curves.iter().max_by_key(|c| c.points.len()) else { return };
    let setting = table.found.settings.first().map_or("", String::as_str);
    let _ = writeln!(out, "\nThe curves ({setting}), by the number of features:\n");
    let counts: Vec<String> = longest.points.iter().map(|p| p.0.to_string()).collect();
    let _ = writeln!(out, "| | | {} |\n|{}", counts.join(" | "), "---|".repeat(counts.len() + 2));
    let mut before = "";
    for curve in curves {
        let row = if curve.row == before { "" } else { &curve.row };
        before = &curve.row;
        let at = |count: usize| curve.points.iter().find(|p| p.0 == count);
        let value = |p: &(usize, f64)| at(p.0).map_or(String::new(), |p| format!("{:.3}", p.1));
        let values: Vec<String> = longest.points.iter().map(value).collect();
        let _ = writeln!(out, "| {row} | {} | {} |", curve.method, values.join(" | "));
    }
}

/// For programs: one object for one table, a list for several.
pub(super) fn json(tables: &[Table]) -> String {
    match tables {
        [one] => documents::document(&object(one)),
        several => documents::document(&several.iter().map(object).collect()),
    }
}

fn object(table: &Table) -> Value {
    let settings = &table.found.settings;
    let ours = |cell: &Compared| -> Value {
        let values = settings.iter().zip(&cell.ours).enumerate().map(|(setting, (name, ours))| {
            let mut value = match ours {
                Some(Ours::Number { mean, sd, n }) => {
                    json!({"setting": name, "mean": mean, "sd": sd, "n": n})
                }
                Some(Ours::Text(text)) => json!({"setting": name, "text": text}),
                None => json!({"setting": name}),
            };
            if let Some(tested) = tested(&table.found, cell, setting) {
                let is = tested.standing().name();
                value["test"] =
                    json!({"is": is, "p_value": tested.plain, "corrected_p_value": tested.corrected});
            }
            value
        });
        values.collect()
    };
    let cell = |c: &Compared| {
        let paper = c.paper.as_ref().map(|p| p.parse::<f64>().map_or_else(|_| json!(p), |v| json!(v)));
        json!({"row": c.row, "method": c.method, "paper": paper, "ours": ours(c), "verdict": c.verdict.in_words()})
    };
    let claim = |c: &ClaimFound| {
        let held = settings.iter().zip(&c.holds).map(|(name, h)| {
            let names = |places: Vec<Place>| places.iter().map(Place::to_string).collect::<Vec<_>>();
            let not = names(h.places(End::Fails));
            let mut held = json!({"setting": name, "holds": h.holds(), "of": h.of(), "not": not});
            held["not_shown"] = names(h.places(End::Open)).into();
            held["verdict"] = h.verdict().in_words().into();
            if let Some(plain) = h.uncorrected() {
                held["holds_uncorrected"] = plain.into();
            }
            held
        });
        json!({"text": c.text, "held": held.collect::<Vec<_>>()})
    };
    let curve = |c: &super::found::CurveFound| json!({"row": c.row, "method": c.method, "points": c.points});
    json!({
        "key": table.key,
        "source": table.recipe.source,
        "title": table.recipe.title,
        "cells": table.found.cells.iter().map(cell).collect::<Vec<_>>(),
        "curves": table.found.curves.iter().map(curve).collect::<Vec<_>>(),
        "claims": table.found.claims.iter().map(claim).collect::<Vec<_>>(),
        "against": table.found.against,
        "notes": table.recipe.notes,
        "missing": table.found.missing,
        "warnings": table.found.warnings,
        "elapsed_seconds": table.seconds,
        "cpu_seconds": table.cpu_seconds,
    })
}
