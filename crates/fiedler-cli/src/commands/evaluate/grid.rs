//! Several numbers of labels: which table is of which, and all of them side by side.

use std::fmt::Write;

use fiedler::eval::{CurveKind, Evaluation, Table};

use super::table::NO_RANKING;
use crate::output::layout::{Align, Cell, Group, in_blocks, plural};
use crate::output::width::width;
use crate::output::{BOLD, DIM};

/// ` with 2 labels a class`, where there are tables for several numbers of labels.
pub(super) fn labels(found: &Evaluation, table: &Table) -> String {
    let several = found.protocol.labeled.len() > 1;
    let words = |each: usize| format!(" with {} a class", plural(each, "label"));
    table.labeled.filter(|_| several).map_or(String::new(), words)
}

/// `With 2 labels a class: `, before what is said of a table.
pub(super) fn said_of(found: &Evaluation, table: &Table) -> String {
    let words = labels(found, table);
    words.strip_prefix(" with").map_or(String::new(), |rest| format!("With{rest}. "))
}

/// ` · selection knows 2, 6 or 10 labels a class`.
pub(super) fn known(labeled: &[usize]) -> String {
    let numbers: Vec<String> = labeled.iter().map(usize::to_string).collect();
    match (labeled, &numbers[..]) {
        ([], _) => String::new(),
        ([one], _) => format!(" · selection knows {} a class", plural(*one, "label")),
        (_, [first @ .., last]) => {
            format!(" · selection knows {} or {last} labels a class, a table each", first.join(", "))
        }
        _ => String::new(),
    }
}

/// For people: a line a candidate, a column a number of labels, the best of each column marked.
pub(super) fn show(out: &mut String, found: &Evaluation) {
    let mut shown: Vec<&str> = Vec::new();
    for table in found.tables.iter().filter(|_| found.protocol.labeled.len() > 1) {
        if !shown.contains(&table.measure) {
            shown.push(table.measure);
            overview(out, found, table.measure);
        }
    }
}

fn overview(out: &mut String, found: &Evaluation, measure: &str) {
    let tables: Vec<&Table> = found.tables.iter().filter(|table| table.measure == measure).collect();
    let over = match found.protocol.counts[..] {
        [count] => format!("at {}", plural(count, "feature")),
        _ => "mean of all counts".to_owned(),
    };
    let _ = writeln!(out, "\n{BOLD}{measure} by labels a class{BOLD:#}, {over}");
    let mut names = vec![vec![Cell::styled("labels a class", DIM)]];
    let curves = tables.first().map_or(&[][..], |table| &table.curves);
    let kept = curves.iter().filter(|curve| curve.kind != CurveKind::All);
    names.extend(kept.map(|curve| vec![Cell::new(&curve.name)]));
    let groups = tables.iter().map(|table| column(table)).collect();
    in_blocks(out, &Group { columns: vec![Align::Left], rows: names }, groups, width());
    let _ = writeln!(out, "{DIM}* the best of its column{DIM:#}");
}

fn column(table: &Table) -> Group {
    let title = table.labeled.map_or(String::new(), |each| each.to_string());
    let mut rows = vec![vec![Cell::styled(title, DIM)]];
    for curve in table.curves.iter().filter(|curve| curve.kind != CurveKind::All) {
        let point = &curve.aggregated;
        if !point.is_judged() {
            rows.push(vec![Cell::styled(NO_RANKING, DIM)]);
            continue;
        }
        let text = format!("{:.3}{}", point.summary.mean, if point.best { " *" } else { "" });
        rows.push(vec![if point.best { Cell::styled(text, BOLD) } else { Cell::new(text) }]);
    }
    Group { columns: vec![Align::Left], rows }
}
