//! Evaluations for people.

use std::fmt::Write;

use fiedler::eval::{
    Curve, CurveKind, Difference, Evaluation, Mark, Measure, Partition, Point, Selection, Standing, Summary,
    Table, Verdict,
};

use fiedler::Findings;

use super::beside;
use super::grid;
use super::labels::{in_words, who_sees_labels};
use super::sights;
use crate::output::layout::{Align, Cell, Group, count, in_blocks, plural};
use crate::output::width::width;
use crate::output::{BOLD, DIM, YELLOW, table::describe_data};

/// One table a measure.
pub(super) fn show(answer: &Findings) -> String {
    let mut out = String::new();
    let Some(found) = &answer.evaluation else { return out };
    let (usual, otherwise) = sights(answer);
    for (t, table) in found.tables.iter().enumerate() {
        let (measure, labels) = (capital(table.measure), grid::labels(found, table));
        let _ = writeln!(out, "{BOLD}{measure}{BOLD:#}{labels}, {}", table.goal.in_words());
        if t == 0 {
            let _ = writeln!(out, "{}", describe_data(&answer.card.data, usual, &otherwise));
            let _ = writeln!(out, "{DIM}how{DIM:#}    {}{}", how(found), elsewhere(answer));
            let known = if answer.card.data.target.is_some() { "target" } else { "labels" };
            let _ = writeln!(out, "{DIM}{known}{DIM:#} {}", who_sees_labels(answer));
            if let Some(beside) = beside::in_words(answer) {
                let _ = writeln!(out, "{DIM}beside{DIM:#} {beside}");
            }
            if let Some(leak) = found.leak() {
                let _ = writeln!(out, "{YELLOW}leak{YELLOW:#}   {}", in_words(&leak));
            }
        }
        out.push('\n');
        points(&mut out, table);
        differences(&mut out, table);
        if let Some(all) = table.of_kind(CurveKind::All).and_then(|c| c.points.first()) {
            let _ = writeln!(out, "\nall {}: {}", plural(all.count, "feature"), value(&all.summary));
        }
        if t + 1 < found.tables.len() {
            out.push('\n');
        }
    }
    grid::show(&mut out, found);
    legend(&mut out, found);
    let first = found.tables.first().map_or("", |table| table.measure);
    for table in found.tables.iter().filter(|table| table.measure == first) {
        let Some(verdict) = found.verdict(table) else { continue };
        let _ = writeln!(out, "\n{}{}", grid::said_of(found, table), sentence(found, table, &verdict));
    }
    out
}

/// The curves side by side: with their deviations where there is room, in several tables where there is not.
fn points(out: &mut String, table: &Table) {
    let curves: Vec<&Curve> = table.curves.iter().filter(|c| c.kind != CurveKind::All).collect();
    let counts: Vec<usize> = curves.first().map_or(&[][..], |c| &c.points).iter().map(|p| p.count).collect();
    let mut names = vec![vec![Cell::styled("features", DIM)]];
    names.extend(counts.iter().map(|count| vec![Cell::new(count.to_string())]));
    if counts.len() > 1 {
        names.push(vec![Cell::styled("mean", DIM)]);
    }
    let first = Group { columns: vec![Align::Right], rows: names };
    let with_deviations = curves.len() * (DEVIATIONS + 2) + "features".len() <= width();
    let groups = curves.iter().map(|curve| column(curve, counts.len() > 1, with_deviations)).collect();
    in_blocks(out, &first, groups, width());
}

/// In place of a value, where a candidate has no ranking that could be judged.
pub(super) const NO_RANKING: &str = "–";

/// Columns of a cell with its deviation and its marks.
const DEVIATIONS: usize = 16;

fn column(curve: &Curve, mean: bool, deviations: bool) -> Group {
    let points = curve.points.iter().chain(Some(&curve.aggregated).filter(|_| mean));
    let mut rows = vec![vec![Cell::styled(&curve.name, BOLD)]];
    rows.extend(points.map(|point| vec![cell(point, deviations)]));
    Group { columns: vec![Align::Left], rows }
}

fn cell(point: &Point, deviations: bool) -> Cell {
    if !point.is_judged() {
        return Cell::styled(NO_RANKING, DIM);
    }
    let shown = if deviations { value(&point.summary) } else { format!("{:.3}", point.summary.mean) };
    let text = format!("{shown} {}", marks(point)).trim_end().to_owned();
    if point.best { Cell::styled(text, BOLD) } else { Cell::new(text) }
}

/// Against random selection, then against the best of the line.
fn marks(point: &Point) -> String {
    let chance = match point.than_random.map(|d| d.standing) {
        Some(Standing::Better) => "+",
        Some(Standing::Worse) => "-",
        _ => " ",
    };
    let best = match (point.best, point.level) {
        (true, _) => "*",
        (_, true) => "=",
        _ => " ",
    };
    format!("{chance}{best}")
}

/// What separates each method from chance and from the best, over all counts, with intervals.
fn differences(out: &mut String, table: &Table) {
    let methods: Vec<&Curve> =
        table.curves.iter().filter(|c| matches!(c.kind, CurveKind::Candidate | CurveKind::Worst)).collect();
    let Some(best) = table.curves.iter().find(|c| c.aggregated.best) else { return };
    let several = methods.iter().any(|c| c.aggregated.than_best.is_some());
    let head = if methods.iter().any(|c| c.points.len() > 1) { "mean of all counts" } else { "difference" };
    let told = |point: &Point, d: Option<Difference>| match d {
        Some(difference) => vec![Cell::new(with_interval(&difference))],
        None if !point.is_judged() => vec![Cell::styled(NO_RANKING, DIM)],
        None => vec![Cell::default()],
    };
    let column = |heading: String, of: &dyn Fn(&Curve) -> Vec<Cell>| {
        let head = vec![Cell::styled(heading, DIM)];
        let rows = std::iter::once(head).chain(methods.iter().map(|c| of(c))).collect();
        Group { columns: vec![Align::Left], rows }
    };
    let names = column(head.to_owned(), &|c| vec![Cell::new(&c.name)]);
    let mut groups =
        vec![column("minus random".to_owned(), &|c| told(&c.aggregated, c.aggregated.than_random))];
    if several {
        groups.push(column(format!("minus {} (best)", best.name), &|c| {
            told(&c.aggregated, c.aggregated.than_best)
        }));
    }
    out.push('\n');
    in_blocks(out, &names, groups, width());
}

/// `+0.113 (0.090 to 0.136)`; where no interval belongs to the test, `+0.113 (p = 0.031)`.
fn with_interval(difference: &Difference) -> String {
    let mean = format!("{:+.3}", difference.mean);
    match (difference.interval, difference.p_value) {
        (Some((low, high)), _) => format!("{mean} ({low:+.3} to {high:+.3})"),
        (None, Some(p)) => format!("{mean} ({})", p_in_words(p)),
        (None, None) => mean,
    }
}

fn value(summary: &Summary) -> String {
    match summary.values.len() {
        0 | 1 => format!("{:.3}", summary.mean),
        _ => format!("{:.3} ± {:.3}", summary.mean, summary.sd),
    }
}

/// Where the samples that judge come from, where they are others.
fn elsewhere(answer: &Findings) -> String {
    let told = answer.card.asked.iter().find(|(name, _)| name == "judge-on");
    let samples = answer.evaluation.as_ref().map_or(0, |found| found.n_samples);
    told.map_or(String::new(), |(_, name)| format!(" · judged on {name} ({})", plural(samples, "sample")))
}

/// What was done, on one line.
fn how(found: &Evaluation) -> String {
    let parts = match &found.protocol.partition {
        Partition::Halves { repeats } => format!("{} into halves", plural(*repeats, "random division")),
        Partition::Folds { folds, repeats: 1 } => format!("{folds}-fold cross-validation"),
        Partition::Folds { folds, repeats } => format!("{folds}-fold cross-validation, {repeats} times"),
        Partition::Classes { classes, repeats } => {
            format!("{} of {classes} classes", plural(*repeats, "draw"))
        }
        Partition::Given(splits) => plural(splits.len(), "given division"),
    };
    let (selection, metric) = (found.protocol.selection, &found.protocol.metric);
    let whole = selection == Selection::All && !metric.trains();
    let parts = if whole { plural(found.n_partitions, "run") } else { parts };
    let drawn = matches!(found.protocol.partition, Partition::Classes { .. });
    let judged = match (selection, metric) {
        (Selection::All, m) if m.trains() => {
            "selected on all samples, trained on one part, judged on the other"
        }
        (Selection::All, _) => "selected and judged on all samples",
        (Selection::Elsewhere, m) if m.trains() => {
            "selected on all samples of the data; of the others trained on one part, judged on the other"
        }
        (Selection::Elsewhere, _) => "selected on all samples of the data, judged on parts of the others",
        (_, Measure::Hits { .. }) if drawn => "selected on their samples",
        _ if drawn => "selected and judged on their samples",
        (_, m) if m.trains() => "selected and trained on one part, judged on the other",
        (_, Measure::Hits { .. }) => "selected on one part",
        _ => "selected on one part, judged on the other",
    };
    let labeled = grid::known(&found.protocol.labeled);
    format!("{parts} · {judged}{labeled} · seed {}", found.protocol.seed)
}

fn legend(out: &mut String, found: &Evaluation) {
    let mut lines = vec![String::new()];
    if found.tables.iter().flat_map(|table| &table.curves).any(|curve| curve.untold.is_some()) {
        lines.push(format!("{NO_RANKING} no ranking to judge: all features tie"));
    }
    lines.extend(tests_in_words(found));
    lines.extend(spread_in_words(found));
    for line in lines {
        let _ = writeln!(out, "{DIM}{line}{DIM:#}");
    }
}

/// `10 halves`: the partitions.
fn times(found: &Evaluation) -> String {
    let whole = found.protocol.selection == Selection::All && !found.protocol.metric.trains();
    let noun = match &found.protocol.partition {
        _ if whole => "run",
        Partition::Halves { .. } => "half",
        Partition::Folds { .. } => "fold",
        Partition::Classes { .. } => "draw",
        Partition::Given(_) => "division",
    };
    match (noun, found.n_partitions) {
        ("half", n) if n != 1 => format!("{} halves", count(n)),
        (noun, n) => plural(n, noun),
    }
}

/// What the marks mean, and by which tests they are made.
fn tests_in_words(found: &Evaluation) -> Vec<String> {
    let redundancy = found.protocol.metric == Measure::Redundancy;
    let best = if redundancy { "the best method of its line" } else { "the best of its line" };
    let (of_random, level) = (chance_is_exact(found), found.protocol.significance);
    if found.n_partitions == 1 && !of_random {
        return vec![format!("* {best}; {} alone says nothing of the spread", times(found))];
    }
    let mut lines = vec![
        "+ better, - worse than random selection of as many features".to_owned(),
        format!("* {best}, = no clear difference from it"),
    ];
    if found.tables.iter().flat_map(|table| &table.curves).any(has_intervals) {
        let sure = 100.0 * (1.0 - level);
        let corrected = if found.overlap > 0.0 { ", corrected for shared samples" } else { "" };
        lines.push(format!("paired t-test{corrected}, p < {level}; intervals: {sure:.0} %"));
    }
    if of_random {
        lines.push(format!(
            "hits beside random selection: by what one random ranking may come to, p < {level}"
        ));
        lines.push("hits of two selections: by an exchange of the features that only one has".to_owned());
    }
    if found.n_partitions == 1 {
        lines.push(format!("{} alone says nothing of the spread", times(found)));
    }
    lines
}

/// What several partitions can tell, and what stands behind ±.
fn spread_in_words(found: &Evaluation) -> Vec<String> {
    if found.n_partitions == 1 {
        return Vec::new();
    }
    let (mut lines, times) = (Vec::new(), times(found));
    for (table, reach) in found.tables.iter().filter_map(|table| Some((table, table.tells_apart?))) {
        let labels = grid::labels(found, table);
        let several = found.tables.iter().any(|other| other.measure != table.measure);
        let of = if several { format!(" of {}{labels}", table.measure) } else { labels };
        let reach = two_digits(reach);
        lines
            .push(format!("{times} can tell apart differences{of} above {reach} in half of the comparisons"));
    }
    if found.n_partitions < FEW {
        lines.push(format!("{times} are few: the spread itself is hardly known"));
    }
    let rankings = plural(found.protocol.random, "ranking");
    let exact = if counts_hits(found) { " (its hits are exact)" } else { "" };
    lines.push(format!("mean ± standard deviation over {times}; random: {rankings} in each{exact}"));
    lines
}

/// Whether a t-test over partitions decides somewhere.
fn has_intervals(curve: &Curve) -> bool {
    let points = curve.points.iter().chain([&curve.aggregated]);
    points.flat_map(|p| [p.than_best, p.than_random]).flatten().any(|d| d.interval.is_some())
}

fn counts_hits(found: &Evaluation) -> bool {
    !found.protocol.known.is_empty() || matches!(found.protocol.metric, Measure::Hits { .. })
}

/// Whether hits were set beside chance.
fn chance_is_exact(found: &Evaluation) -> bool {
    let mut curves = found.tables.iter().flat_map(|table| &table.curves);
    counts_hits(found) && curves.any(|curve| curve.kind == CurveKind::Candidate && curve.untold.is_none())
}

/// With fewer partitions hardly anything is sure.
const FEW: usize = 5;

/// A number to two significant digits, and not more than four decimals.
fn two_digits(value: f64) -> String {
    let decimals = if value >= 0.095 {
        2
    } else if value >= 0.0095 {
        3
    } else {
        4
    };
    format!("{value:.decimals$}")
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
        let judged = |curve: &Curve| curve.kind == CurveKind::Candidate && curve.untold.is_none();
        let any = table.curves.iter().any(judged);
        let why =
            if any { "No method does better than random selection." } else { "No method has a ranking." };
        return format!("{text} {why}");
    }
    let chance = judge(table, random, enough, significance);
    let _ = write!(text, " Random selection of {}: {}, {chance}.", count(random.count), number(random));
    if let Some(all) = all.as_ref().filter(|_| !matches!(found.protocol.metric, Measure::Jaccard { .. })) {
        let every = judge(table, all, enough, significance);
        let _ = write!(text, " All {}: {}, {every}.", plural(all.count, "feature"), number(all));
    }
    text
}

fn are(n: usize) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

fn number(place: &Mark) -> String {
    format!("{:.3}", place.mean)
}

fn p_in_words(p: f64) -> String {
    match p {
        p if p < 0.001 => "p < 0.001".to_owned(),
        p if p < 0.1 => format!("p = {p:.3}"),
        p => format!("p = {p:.2}"),
    }
}

/// Whether a place is better or worse than another, or neither.
fn judge(table: &Table, a: &Mark, than: &Mark, significance: f64) -> String {
    let way = if table.better(a.mean, than.mean) { "better" } else { "worse" };
    match a.p_value {
        None if a.mean == than.mean => "the same".to_owned(),
        None if table.n_values() < 2 => format!("{way} (one value, no test)"),
        None => format!("{way} (by as much in every partition, no test)"),
        Some(p) if p >= significance => format!("no significant difference ({})", p_in_words(p)),
        Some(p) => format!("{way} ({})", p_in_words(p)),
    }
}

fn capital(text: &str) -> String {
    // `k-means` keeps its small letter.
    if text.starts_with("k-means") || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.to_owned()
    } else {
        text[..1].to_uppercase() + &text[1..]
    }
}
