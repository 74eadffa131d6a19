//! What `fiedler stability` prints.

use std::fmt::Write;

use fiedler::GraphSummary;
use fiedler::stability::{Change, Report};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::Measured;
use crate::output::csv::field;
use crate::output::layout::{Align, Cell, WIDEST_NAME, aligned, bar, count, name, number, plural, short};
use crate::output::table::{Sight, describe_data, describe_graph};
use crate::output::width::width;
use crate::output::{BOLD, CYAN, DIM, details, json as documents};

/// Cells of the longest bar.
const BAR: usize = 20;
/// Those of the longest bar on a narrow page.
const NARROWEST_BAR: usize = 4;
/// Columns that a name has on a narrow page.
const NARROWEST_NAME: usize = 10;
/// Features in a table, unless more are selected.
const SHOWN: usize = 20;

/// For people.
pub(super) fn table(answer: &Measured<'_>) -> String {
    let mut out = String::new();
    let first = answer.first();
    let features = plural(answer.found.card.data.n_features, "feature");
    let title = answer.info.title;
    let _ = writeln!(out, "{BOLD}Stability of {title}{BOLD:#}, the best {} of {features}", first.count);
    let _ = writeln!(out, "{}", describe_data(&answer.found.card.data, Sight::seen(answer.seen()), &[]));
    if let Some(target) = &answer.seen().target {
        let _ = writeln!(out, "{DIM}target{DIM:#} {}", name(target));
    }
    if let Some(graph) = &first.ranking.graph {
        let _ = writeln!(out, "{DIM}graph{DIM:#}  {}", describe_graph(&GraphSummary::of(graph), false));
    }
    out.push('\n');
    agreement(&mut out, answer);
    out.push('\n');
    frequencies(&mut out, answer);
    let _ = writeln!(out, "\n{}", how_sure(answer));
    for detail in answer.reports().iter().filter_map(|r| r.bounds.as_ref()) {
        details::write(&mut out, detail, &|j| answer.found.features.of(j).into_owned(), false);
    }
    out
}

/// One line per kind of change.
fn agreement(out: &mut String, answer: &Measured<'_>) {
    let mut rows = vec![["", "Kuncheva", "Spearman"].map(|h| Cell::styled(h, DIM)).to_vec()];
    for report in answer.reports() {
        let indices = [report.kuncheva, report.spearman].map(|v| Cell::new(format!("{v:.3}")));
        rows.push([vec![Cell::new(describe(report, answer))], indices.to_vec()].concat());
    }
    aligned(out, &[Align::Left, Align::Right, Align::Right], &rows);
    let _ = writeln!(
        out,
        "{DIM}Kuncheva: of the selections, Spearman: of all ranks; 1 always the same, 0 as by chance{DIM:#}"
    );
}

fn describe(report: &Report, answer: &Measured<'_>) -> String {
    match report.change {
        Change::Subsample { .. } => {
            let by_class = if answer.seen().labels.is_some() { ", every class its share" } else { "" };
            let samples = plural(report.n_samples, "sample");
            format!("{} of {samples}{by_class}", plural(report.repeats, "subsample"))
        }
        Change::Noise { level } => {
            format!("{} with noise of {} deviations", plural(report.repeats, "version"), number(level))
        }
    }
}

fn heading(report: &Report) -> &'static str {
    match report.change {
        Change::Subsample { .. } => "subsamples",
        Change::Noise { .. } => "noise",
    }
}

/// The features that were selected at least once, most often first.
fn frequencies(out: &mut String, answer: &Measured<'_>) {
    let mut head = vec!["feature", "rank"];
    let mut columns = vec![Align::Left, Align::Right];
    for report in answer.reports() {
        head.extend([heading(report), ""]);
        columns.extend([Align::Right, Align::Left]);
    }
    head.push("");
    columns.push(Align::Left);
    let mut rows = vec![head.into_iter().map(|h| Cell::styled(h, DIM)).collect::<Vec<_>>()];
    let safe = answer.safe();
    let ranks = ranks(answer);
    let chosen = |j: &usize| answer.reports().iter().any(|r| r.times[*j] > 0);
    let order: Vec<usize> = answer.order().into_iter().filter(chosen).collect();
    let shown = order.len().min(SHOWN.max(answer.first().count));
    let names: Vec<String> =
        order[..shown].iter().map(|&j| short(&answer.found.features.of(j), WIDEST_NAME)).collect();
    let (widest, longest) = room(answer.reports().len(), names.iter().map(|n| n.width()).max().unwrap_or(0));
    for &j in &order[..shown] {
        let mut row =
            vec![Cell::new(short(&answer.found.features.of(j), widest)), Cell::new(ranks[j].to_string())];
        for report in answer.reports() {
            let frequency = report.frequency(j);
            row.push(Cell::new(format!("{:.0} %", 100.0 * frequency)));
            row.push(Cell::styled(bar(frequency, longest), CYAN));
        }
        row.push(Cell::styled(if safe.contains(&j) { "safe" } else { "" }, BOLD));
        rows.push(row);
    }
    aligned(out, &columns, &rows);
    if shown < order.len() {
        let more = count(order.len() - shown);
        let _ = writeln!(
            out,
            "{DIM}… and {more} more that were selected at times (--format csv shows them){DIM:#}"
        );
    }
}

/// The columns that names and bars may take beside what does not shrink: rank, percentages and `safe`. Bars shrink on a
/// narrow page, then names.
fn room(reports: usize, names: usize) -> (usize, usize) {
    const PER_REPORT: usize = 14;
    let left = width().saturating_sub(12 + PER_REPORT * reports);
    let longest = BAR.min(left.saturating_sub(names.min(left / 2)) / reports.max(1)).max(NARROWEST_BAR);
    let widest = left.saturating_sub(longest * reports).clamp(NARROWEST_NAME, WIDEST_NAME);
    (widest, longest)
}

/// The rank of every feature in the data as they are.
fn ranks(answer: &Measured<'_>) -> Vec<usize> {
    let order = answer.first().ranking.order();
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, &j)| ranks[j] = rank + 1);
    ranks
}

/// The one line that a user takes home.
fn how_sure(answer: &Measured<'_>) -> String {
    let first = answer.first();
    let Some(needed) = first.needed else {
        return format!("{BOLD}No feature can be called safe{BOLD:#}: too few repeats for any confidence.");
    };
    let (safe, all) = (answer.safe().len(), first.count);
    let each = if answer.reports().len() > 1 { " of each kind" } else { "" };
    let rule = format!(
        "selected in at least {needed} of {} versions{each}, so in more than {} % of all such versions (95 % confidence)",
        first.repeats,
        number(100.0 * first.threshold)
    );
    let mut text = match safe {
        0 => format!("{BOLD}None of the {all} is safe to report{BOLD:#}: none was {rule}."),
        _ => format!(
            "{BOLD}{safe} of the {all} {} safe to report{BOLD:#}: {rule}.",
            if safe == 1 { "is" } else { "are" }
        ),
    };
    if safe > 0 {
        text.push_str(&false_ones(answer.reports().iter().find_map(|r| r.expected_false), safe));
    }
    text
}

/// How many of the `safe` features should not be there, where that is bounded.
fn false_ones(expected: Option<f64>, safe: usize) -> String {
    match expected {
        Some(most) if most < safe as f64 => format!(
            " At most {} of them should not be there, on average (Meinshausen and Bühlmann 2010).",
            number(most)
        ),
        Some(_) => " How many of them should not be there, no bound tells that is below their number (Meinshausen and \
                    Bühlmann 2010)."
            .to_owned(),
        None => " Safe means that this method selects them again, not that they matter; --fraction 0.5 bounds false ones."
            .to_owned(),
    }
}

/// For programs: every feature, a line each.
pub(super) fn csv(answer: &Measured<'_>) -> String {
    let mut out = String::from("feature,index,rank");
    answer.reports().iter().for_each(|r| out.push_str(&format!(",{}", heading(r))));
    out.push_str(",safe\n");
    let (safe, ranks) = (answer.safe(), ranks(answer));
    for j in answer.order() {
        let _ = write!(out, "{},{j},{}", field(&answer.found.features.of(j)), ranks[j]);
        answer.reports().iter().for_each(|r| out.push_str(&format!(",{:?}", r.frequency(j))));
        let _ = writeln!(out, ",{}", safe.contains(&j));
    }
    out
}

/// For programs: everything.
pub(super) fn json(answer: &Measured<'_>) -> String {
    let first = answer.first();
    let (safe, ranks) = (answer.safe(), ranks(answer));
    let mut object = json!({
        "format": answer.found.format,
        "data": answer.found.card.data.name,
        "method": answer.info.name,
        "parameters": documents::parameters(first.ranking.parameters.iter()),
        "labels": answer.seen().labels,
        "target": answer.seen().target,
        "scale": answer.seen().scaling.name(),
        "transform": answer.seen().transform.name(),
        "transform_reason": documents::reason(answer.seen().transform, answer.found),
        "n_samples": answer.found.card.data.n_samples,
        "n_features": answer.found.card.data.n_features,
        "graph": first.ranking.graph.as_deref().map(|g| documents::graph(&GraphSummary::of(g))),
        "count": first.count,
        "repeats": first.repeats,
        "threshold": first.threshold,
        "needed": first.needed,
        "seed": answer.found.card.seed.unwrap_or(0),
    });
    for report in answer.reports() {
        object[heading(report)] = indices(report);
    }
    let feature = |j: usize| {
        let mut line = json!({"feature": answer.found.features.of(j), "index": j, "rank": ranks[j]});
        answer.reports().iter().for_each(|r| line[heading(r)] = r.frequency(j).into());
        line["safe"] = safe.contains(&j).into();
        line
    };
    object["safe"] = safe.iter().map(|&j| answer.found.features.of(j)).collect();
    object["features"] = answer.order().into_iter().map(feature).collect();
    object["warnings"] = [&answer.found.notes[..], &answer.found.warnings].concat().into();
    object["elapsed_seconds"] = answer.found.seconds.into();
    documents::document(&object)
}

fn indices(report: &Report) -> Value {
    let mut object = match report.change {
        Change::Subsample { fraction } => json!({"fraction": fraction, "n_samples": report.n_samples}),
        Change::Noise { level } => json!({"level": level}),
    };
    if let Some(bounds) = &report.bounds {
        object["bounds"] = documents::lines(bounds);
    }
    object["kuncheva"] = report.kuncheva.into();
    object["spearman"] = report.spearman.into();
    if let Some(expected) = report.expected_false {
        object["expected_false"] = expected.into();
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_says_nothing_is_not_told() {
        assert!(false_ones(Some(1.368), 3).contains("At most 1.368 of them"));
        assert!(!false_ones(Some(1.368), 1).contains("1.368"));
        assert!(false_ones(None, 1).contains("--fraction 0.5"));
    }
}
