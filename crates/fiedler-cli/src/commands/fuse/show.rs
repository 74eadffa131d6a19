//! What a fusion found, for people and for programs.

use std::fmt::Write;

use fiedler::GraphSummary;
use serde_json::{Map, Value, json};

use super::rankings::{Aggregated, List};
use super::{Answer, Fused, ranks};
use crate::args::Format;
use crate::output::layout::{Align, Cell, Numbers, aligned, bar, name, number, plural};
use crate::output::{BOLD, CYAN, DIM, csv, json};

/// Features that a table shows unless the user says how many.
const SHOWN: usize = 20;
/// Cells of the longest bar.
const BAR: usize = 20;

/// A fusion of sources.
pub(super) fn fused(fused: &Fused<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => fused_table(fused, top.unwrap_or(SHOWN)),
        Format::Csv => listing_csv(&fused.answer, top),
        Format::Json => json::document(&fused_json(fused, top)),
    }
}

/// An aggregation of rankings.
pub(super) fn aggregated(found: &Aggregated<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => aggregated_table(found, top.unwrap_or(SHOWN)),
        Format::Csv => listing_csv(&found.answer, top),
        Format::Json => json::document(&aggregated_json(found, top)),
    }
}

impl Answer {
    /// The best features, best first; features that no list names have no names and are left out.
    fn best(&self, top: Option<usize>) -> &[usize] {
        let named = self.names.len().min(self.ranking.order().len());
        &self.ranking.order()[..named.min(top.unwrap_or(named))]
    }
}

fn fused_table(fused: &Fused<'_>, top: usize) -> String {
    let mut out = String::new();
    let (target, ranking) = (&fused.joined.target, &fused.answer.ranking);
    let _ = writeln!(
        out,
        "{BOLD}{} on {} combined{BOLD:#}, {}",
        fused.entry.info.title,
        plural(fused.sources.len(), "source"),
        ranking.goal().in_words()
    );
    let dropped = fused.joined.target_samples - target.n_samples();
    let left = if dropped > 0 { format!(" ({dropped} without a match dropped)") } else { String::new() };
    let _ = writeln!(
        out,
        "{DIM}target{DIM:#}  {}: {}{left}, {}",
        fused.joined.file.display(),
        plural(target.n_samples(), "sample"),
        plural(target.n_features(), "feature"),
    );
    let _ = writeln!(out, "{DIM}weights{DIM:#} {}\n", fused.weights.name());
    share_rows(&mut out, fused);
    out.push('\n');
    let alone: Vec<(&str, Vec<Option<usize>>)> =
        fused.sources.iter().zip(&fused.alone).map(|(s, r)| (s.name.as_str(), ranks(r))).collect();
    feature_rows(&mut out, &fused.answer, &alone, top);
    hits(&mut out, &fused.answer);
    out
}

fn share_rows(out: &mut String, fused: &Fused<'_>) {
    let head = ["source", "kind", "content", "with labels", "share", ""];
    let mut rows = vec![head.map(|h| Cell::styled(h, DIM)).to_vec()];
    let shares = fused.fusion.shares.iter().zip(&fused.sources).zip(&fused.joined.records);
    for ((share, source), record) in shares {
        rows.push(vec![
            Cell::new(name(&source.name)),
            Cell::new(&source.kind),
            Cell::new(&record.content),
            share.with_labels.map_or(Cell::styled("-", DIM), |a| Cell::new(format!("{a:.3}"))),
            Cell::new(format!("{:.1} %", 100.0 * share.weight)),
            Cell::styled(bar(share.weight, BAR), CYAN),
        ]);
    }
    aligned(out, &[Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Left], &rows);
}

/// The features with their scores and the rank that each of `lists` gives them.
fn feature_rows(out: &mut String, answer: &Answer, lists: &[(&str, Vec<Option<usize>>)], top: usize) {
    let best = answer.best(Some(top));
    let numbers = Numbers::for_values(best.iter().filter_map(|&j| answer.ranking.score(j)));
    let head = ["rank", "feature", "score"].into_iter().chain(lists.iter().map(|(name, _)| *name));
    let mut rows = vec![head.map(|h| Cell::styled(name(h), DIM)).collect::<Vec<_>>()];
    for (rank, &j) in best.iter().enumerate() {
        let score = answer.ranking.score(j).map_or("none".to_owned(), |s| numbers.show(s));
        let mut row =
            vec![Cell::new((rank + 1).to_string()), Cell::new(name(&answer.names[j])), Cell::new(score)];
        let place = |ranks: &Vec<Option<usize>>| ranks[j].map_or("-".to_owned(), |r| r.to_string());
        row.extend(lists.iter().map(|(_, ranks)| Cell::styled(place(ranks), DIM)));
        rows.push(row);
    }
    let mut columns = vec![Align::Right, Align::Left];
    columns.extend(std::iter::repeat_n(Align::Right, lists.len() + 1));
    aligned(out, &columns, &rows);
    let all = answer.best(None).len();
    if best.len() < all {
        let _ = writeln!(out, "{DIM}… of {all}; --top N lists more, --format csv or json all{DIM:#}");
    }
}

fn hits(out: &mut String, answer: &Answer) {
    if let Some(known) = &answer.known {
        let at = |h: &fiedler::fusion::Hits| format!("{} of the first {}", h.hits, h.depth);
        let shown: Vec<String> = known.hits.iter().map(at).collect();
        let _ = writeln!(
            out,
            "\n{BOLD}hits{BOLD:#} among {}: {}",
            plural(known.ranked, "known feature"),
            shown.join(", ")
        );
    }
}

fn aggregated_table(found: &Aggregated<'_>, top: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{BOLD}{} into one{BOLD:#}: {}, {}",
        plural(found.lists.len(), "ranking"),
        found.aggregation.measures(),
        found.answer.ranking.goal().in_words()
    );
    let row = |list: &List| {
        let weight =
            if list.weight == 1.0 { String::new() } else { format!("weight {}", number(list.weight)) };
        let file = list.file.display().to_string();
        let cells = [Cell::styled(name(&list.name), DIM), Cell::new(file)];
        cells.into_iter().chain([plural(list.features, "feature"), weight].map(Cell::new)).collect()
    };
    let rows: Vec<Vec<Cell>> = found.lists.iter().map(row).collect();
    aligned(&mut out, &[Align::Left, Align::Left, Align::Right, Align::Left], &rows);
    out.push('\n');
    let lists: Vec<(&str, Vec<Option<usize>>)> =
        found.lists.iter().map(|l| (l.name.as_str(), l.ranks.clone())).collect();
    feature_rows(&mut out, &found.answer, &lists, top);
    hits(&mut out, &found.answer);
    out
}

/// `rank,feature,index,score`, as `fiedler rank` writes it.
fn listing_csv(answer: &Answer, top: Option<usize>) -> String {
    let mut out = String::from("rank,feature,index,score\n");
    for (rank, &j) in answer.best(top).iter().enumerate() {
        let score = answer.ranking.score(j).map_or(String::new(), |s| format!("{s:?}"));
        let _ = writeln!(out, "{},{},{j},{score}", rank + 1, csv::field(&answer.names[j]));
    }
    out
}

/// The best features, each with what `more` says of it.
fn listing_json(answer: &Answer, top: Option<usize>, more: impl Fn(usize) -> Map<String, Value>) -> Value {
    let row = |(rank, &j): (usize, &usize)| {
        let mut row = json!({"rank": rank + 1, "feature": answer.names[j], "index": j, "score": answer.ranking.score(j)});
        more(j).into_iter().for_each(|(key, value)| row[key] = value);
        row
    };
    answer.best(top).iter().enumerate().map(row).collect()
}

fn hits_json(answer: &Answer) -> Value {
    let Some(known) = &answer.known else { return Value::Null };
    let at = |h: &fiedler::fusion::Hits| json!({"depth": h.depth, "hits": h.hits, "ratio": h.ratio, "recall": h.recall});
    json!({
        "file": known.file.display().to_string(),
        "known": known.ranked,
        "known_not_ranked": known.not_ranked,
        "at": known.hits.iter().map(at).collect::<Vec<_>>(),
    })
}

fn fused_json(fused: &Fused<'_>, top: Option<usize>) -> Value {
    let (target, ranking) = (&fused.joined.target, &fused.answer.ranking);
    json!({
        "mode": "sources",
        "version": env!("CARGO_PKG_VERSION"),
        "config": fused.config.display().to_string(),
        "method": ranking.method,
        "parameters": json::parameters(ranking.parameters.iter()),
        "goal": ranking.goal().name(),
        "target": {
            "file": fused.joined.file.display().to_string(),
            "settings": serde_json::to_value(fused.target).unwrap_or_default(),
            "n_samples": target.n_samples(),
            "dropped_samples": fused.joined.target_samples - target.n_samples(),
            "n_features": target.n_features(),
            "scale": target.scaling().name(),
            "classes": target.labels().map(|l| l.classes().len()),
            "notes": fused.joined.notes,
        },
        "weights": fused.weights.name(),
        "sources": (0..fused.sources.len()).map(|i| source_json(fused, i, top)).collect::<Vec<_>>(),
        "graph": json::graph(&GraphSummary::of(&fused.fusion.graph)),
        "ranking": listing_json(&fused.answer, top, |_| Map::new()),
        "hits": hits_json(&fused.answer),
        "warnings": fused.warnings(),
        "elapsed_seconds": fused.answer.seconds,
    })
}

fn source_json(fused: &Fused<'_>, i: usize, top: Option<usize>) -> Value {
    let (source, record) = (&fused.sources[i], &fused.joined.records[i]);
    let (share, alone) = (&fused.fusion.shares[i], &fused.alone[i]);
    let agreement = fused.sources.iter().zip(&share.agreement).map(|(s, a)| (s.name.clone(), json!(a)));
    let count = top.unwrap_or(alone.n_features()).min(alone.n_features());
    let sets = record.sets.iter().map(|(name, features)| json!({"name": name, "features": features}));
    json!({
        "name": source.name,
        "kind": source.kind,
        "file": source.file().map(|f| super::folder(fused.config).join(f).display().to_string()),
        "settings": record.settings,
        "content": record.content,
        "samples_not_in_target": record.unmatched.as_ref().map(|u| &u.only_source),
        "target_samples_missing": record.unmatched.as_ref().map(|u| &u.only_target),
        "features_dropped": record.dropped,
        "sets": (!record.sets.is_empty()).then(|| sets.collect::<Vec<_>>()),
        "weight_given": source.weight,
        "weight": share.weight,
        "scale": share.scale,
        "alignment_with_labels": share.with_labels,
        "agreement": Value::Object(agreement.collect()),
        "graph": json::graph(&GraphSummary::of(&share.source.graph)),
        "notes": record.notes,
        "ranking_alone": alone.top(count).iter().map(|&j| &fused.answer.names[j]).collect::<Vec<_>>(),
    })
}

fn aggregated_json(found: &Aggregated<'_>, top: Option<usize>) -> Value {
    let ranking = &found.answer.ranking;
    let list = |l: &List| json!({"name": l.name, "file": l.file.display().to_string(), "weight": l.weight, "goal": l.goal, "features": l.features});
    let places = |j: usize| {
        let of = |l: &List| l.ranks[j].map_or(Value::Null, Value::from);
        Map::from_iter([("ranks".to_owned(), found.lists.iter().map(of).collect())])
    };
    json!({
        "mode": "rankings",
        "version": env!("CARGO_PKG_VERSION"),
        "config": found.config.display().to_string(),
        "method": ranking.method,
        "parameters": json::parameters(ranking.parameters.iter()),
        "goal": ranking.goal().name(),
        "n_features": ranking.n_features(),
        "rankings": found.lists.iter().map(list).collect::<Vec<_>>(),
        "ranking": listing_json(&found.answer, top, places),
        "hits": hits_json(&found.answer),
        "warnings": ranking.warnings,
        "elapsed_seconds": found.answer.seconds,
    })
}
