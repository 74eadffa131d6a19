//! Evaluations for people.

use std::fmt::Write;

use fiedler::eval::{
    Curve, CurveKind, Evaluation, Metric, Partition, Place, Point, Selection, Summary, Table, Verdict,
};

use fiedler::Findings;

use super::sights;
use crate::output::layout::{Align, Cell, aligned, count, plural};
use crate::output::{BOLD, DIM, YELLOW, table::describe_data};

/// What marks the best, and what is as good.
const MARK: &str = "*";

/// With fewer partitions hardly anything is significant.
const FEW: usize = 5;

/// One table a measure.
pub(super) fn show(answer: &Findings) -> String {
    let mut out = String::new();
    let Some(found) = &answer.evaluation else { return out };
    let (usual, otherwise) = sights(answer);
    for (t, table) in found.tables.iter().enumerate() {
        let _ = writeln!(out, "{BOLD}{}{BOLD:#}, {}", capital(table.measure), table.goal.in_words());
        if t == 0 {
            let _ = writeln!(out, "{}", describe_data(&answer.card.data, usual, &otherwise));
            let _ = writeln!(out, "{DIM}how{DIM:#}    {}", how(found));
            let _ = writeln!(out, "{DIM}labels{DIM:#} {}", who_sees_labels(answer));
            if found.protocol.selection == Selection::All {
                let _ = writeln!(out, "{YELLOW}leak{YELLOW:#}   {LEAK}");
            }
        }
        out.push('\n');
        points(&mut out, table);
        if let Some(all) = table.of_kind(CurveKind::All).and_then(|c| c.points.first()) {
            let _ = writeln!(out, "\nall {}: {}", plural(all.count, "feature"), value(&all.summary));
        }
        if t + 1 < found.tables.len() {
            out.push('\n');
        }
    }
    legend(&mut out, found);
    if let Some((table, verdict)) = found.tables.first().and_then(|t| Some((t, found.verdict(t)?))) {
        let _ = writeln!(out, "\n{}", sentence(found, table, &verdict));
    }
    out
}

/// Which methods select with labels, and with which.
fn who_sees_labels(answer: &Findings) -> String {
    let using = |seen: &fiedler::Seen| seen.labels.as_ref().map(|name| (seen.method, name.clone()));
    let users: Vec<(&str, String)> = answer.seen.iter().filter_map(using).collect();
    match users.first() {
        None => "no method selects with labels".to_owned(),
        Some((_, name)) => {
            let methods: Vec<&str> = users.iter().map(|(method, _)| *method).collect();
            format!("{} selected with {name} of the training part", methods.join(", "))
        }
    }
}

/// Said wherever figures are shown that selection could have looked at.
pub(super) const LEAK: &str =
    "selection saw the samples that judge it (--select-on all): supervised methods look better than they are";

fn points(out: &mut String, table: &Table) {
    let curves: Vec<&Curve> = table.curves.iter().filter(|c| c.kind != CurveKind::All).collect();
    let mut columns = vec![Align::Right];
    let mut head = vec![Cell::styled("features", DIM)];
    for curve in &curves {
        columns.push(Align::Left);
        head.push(Cell::styled(&curve.name, BOLD));
    }
    let mut rows = vec![head];
    let counts = curves.first().map_or(0, |c| c.points.len());
    for at in 0..counts {
        let cells = curves.iter().map(|c| cell(&c.points[at]));
        let count = curves[0].points[at].count;
        rows.push([Cell::new(count.to_string())].into_iter().chain(cells).collect());
    }
    if counts > 1 {
        let cells = curves.iter().map(|c| cell(&c.aggregated));
        rows.push([Cell::styled("mean", DIM)].into_iter().chain(cells).collect());
    }
    aligned(out, &columns, &rows);
}

fn cell(point: &Point) -> Cell {
    let text = value(&point.summary);
    if point.level { Cell::styled(format!("{text} {MARK}"), BOLD) } else { Cell::new(text) }
}

fn value(summary: &Summary) -> String {
    match summary.values.len() {
        0 | 1 => format!("{:.3}", summary.mean),
        _ => format!("{:.3} ± {:.3}", summary.mean, summary.sd),
    }
}

/// What was done, on one line.
fn how(found: &Evaluation) -> String {
    let parts = match &found.protocol.partition {
        Partition::Halves { repeats } => format!("{} into halves", plural(*repeats, "random division")),
        Partition::Folds { folds, repeats: 1 } => format!("{folds}-fold cross-validation"),
        Partition::Folds { folds, repeats } => format!("{folds}-fold cross-validation, {repeats} times"),
        Partition::Given(splits) => plural(splits.len(), "given division"),
    };
    let (selection, metric) = (found.protocol.selection, &found.protocol.metric);
    let whole = selection == Selection::All && !metric.trains();
    let parts = if whole { plural(found.n_partitions, "run") } else { parts };
    let judged = match (selection, metric) {
        (Selection::All, m) if m.trains() => {
            "selected on all samples, trained on one part, judged on the other"
        }
        (Selection::All, _) => "selected and judged on all samples",
        (_, m) if m.trains() => "selected and trained on one part, judged on the other",
        (_, Metric::Hits { .. }) => "selected on one part",
        _ => "selected on one part, judged on the other",
    };
    format!("{parts} · {judged} · seed {}", found.protocol.seed)
}

fn legend(out: &mut String, found: &Evaluation) {
    let whole = found.protocol.selection == Selection::All && !found.protocol.metric.trains();
    let times = plural(found.n_partitions, if whole { "run" } else { "division" });
    let redundancy = found.protocol.metric == Metric::Redundancy;
    let best = if redundancy { "the best method of its line, or better" } else { "the best of its line" };
    out.push('\n');
    if found.n_partitions == 1 {
        let _ = writeln!(out, "{DIM}{MARK} {best}; {times} alone says nothing of the spread{DIM:#}");
        return;
    }
    let level = found.protocol.significance;
    let test =
        if found.overlap > 0.0 { "paired t-test, corrected for shared samples" } else { "paired t-test" };
    let _ =
        writeln!(out, "{DIM}{MARK} {best}, or not significantly worse ({test}; {times}, p ≥ {level}){DIM:#}");
    if found.n_partitions < FEW {
        let _ = writeln!(out, "{DIM}{times} are few: hardly a difference can be significant{DIM:#}");
    }
    let rankings = plural(found.protocol.random, "ranking");
    let _ = writeln!(out, "{DIM}mean ± standard deviation over {times}; random: {rankings} in each{DIM:#}");
}

/// Is this selection any good, and how many features are enough?
fn sentence(found: &Evaluation, table: &Table, verdict: &Verdict) -> String {
    let significance = found.protocol.significance;
    let Verdict { best, enough, random, all } = verdict;
    let mut text = format!("Best: {} with {}, {}", best.name, plural(best.count, "feature"), number(best));
    if enough.count < best.count {
        let _ = write!(
            text,
            "; {} {} enough ({}, within one standard error)",
            count(enough.count),
            are(enough.count),
            number(enough),
        );
    }
    text.push('.');
    if best.name == random.name {
        return text + " No method does better than random selection.";
    }
    let chance = judge(table, random, enough, significance);
    let _ = write!(text, " Random selection of {}: {}, {chance}.", count(random.count), number(random));
    if let Some(all) = all.as_ref().filter(|_| !matches!(found.protocol.metric, Metric::Jaccard { .. })) {
        let every = judge(table, all, enough, significance);
        let _ = write!(text, " All {}: {}, {every}.", plural(all.count, "feature"), number(all));
    }
    text
}

fn are(n: usize) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

fn number(place: &Place) -> String {
    format!("{:.3}", place.mean)
}

fn p(place: &Place) -> String {
    match place.p_value {
        Some(p) if p < 0.001 => ", p < 0.001".to_owned(),
        Some(p) if p < 0.1 => format!(", p = {p:.3}"),
        Some(p) => format!(", p = {p:.2}"),
        None => String::new(),
    }
}

/// Whether a place is better or worse than another, or neither.
fn judge(table: &Table, a: &Place, than: &Place, significance: f64) -> String {
    let word = match a.p_value {
        None if a.mean == than.mean => "the same",
        None if table.better(a.mean, than.mean) => "better in this one division",
        None => "worse in this one division",
        Some(p) if p >= significance => "no significant difference",
        _ if table.better(a.mean, than.mean) => "better",
        _ => "worse",
    };
    format!("{word}{}", p(a).replacen(", ", " (", 1)) + if a.p_value.is_some() { ")" } else { "" }
}

fn capital(text: &str) -> String {
    // `k-means` keeps its small letter.
    if text.starts_with("k-means") || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.to_owned()
    } else {
        text[..1].to_uppercase() + &text[1..]
    }
}
