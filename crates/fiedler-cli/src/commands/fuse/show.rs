//! What a fusion found, for people and for programs.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use fiedler::{Findings, Place, SourceFound};
use serde_json::{Map, Value, json};

use super::rankings::{Aggregated, List};
use super::{Fused, places};
use crate::args::Format;
use crate::output::layout::{Align, Cell, Numbers, aligned, bar, name, number, plural};
use crate::output::{BOLD, CYAN, DIM, csv, json, table};

/// Cells of the longest bar.
const BAR: usize = 20;

/// A fusion of sources.
pub(super) fn fused(fused: &Fused<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => fused_table(fused, top.unwrap_or(table::SHOWN)),
        Format::Csv => csv::rankings(&fused.found, top.unwrap_or(usize::MAX)),
        Format::Json => json::document(&fused_json(fused, top)),
    }
}

/// An aggregation of rankings.
pub(super) fn aggregated(found: &Aggregated<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => aggregated_table(found, top.unwrap_or(table::SHOWN)),
        Format::Csv => csv::rankings(&found.found, top.unwrap_or(usize::MAX)),
        Format::Json => json::document(&aggregated_json(found, top)),
    }
}

/// The best features, best first.
fn best(found: &Findings, top: Option<usize>) -> &[Place] {
    let all = places(found);
    &all[..all.len().min(top.unwrap_or(all.len()))]
}

fn fused_table(fused: &Fused<'_>, top: usize) -> String {
    let mut out = String::new();
    let (target, ranking) = (&fused.joined.target, &fused.found.rankings[0]);
    let _ = writeln!(
        out,
        "{BOLD}{} on {} combined{BOLD:#}, {}",
        ranking.method.title,
        plural(fused.sources.len(), "source"),
        ranking.goal.in_words()
    );
    let dropped = fused.joined.target_samples - target.n_samples();
    let left = if dropped > 0 { format!(" ({dropped} without a match dropped)") } else { String::new() };
    let _ = writeln!(
        out,
        "{DIM}target{DIM:#}  {}: {}{left}, {}",
        crate::output::harmless(&fused.joined.file.to_string_lossy()),
        plural(target.n_samples(), "sample"),
        plural(target.n_features(), "feature"),
    );
    let as_came = if fused.normalize { "" } else { ", graphs as they came" };
    let _ = writeln!(out, "{DIM}weights{DIM:#} {}{as_came}\n", fused.weights.name());
    share_rows(&mut out, fused);
    out.push('\n');
    feature_rows(&mut out, &fused.found, top);
    hits(&mut out, &fused.found);
    out
}

fn share_rows(out: &mut String, fused: &Fused<'_>) {
    let head = ["source", "kind", "content", "with labels", "share", ""];
    let mut rows = vec![head.map(|h| Cell::styled(h, DIM)).to_vec()];
    let shares = fused.found.sources.iter().zip(&fused.sources).zip(&fused.joined.records);
    for ((share, source), record) in shares {
        rows.push(vec![
            Cell::new(name(&source.name)),
            Cell::new(&source.kind),
            Cell::new(&record.content),
            with_labels(share).map_or(Cell::styled("-", DIM), |a| Cell::new(format!("{a:.3}"))),
            Cell::new(format!("{:.1} %", 100.0 * share.weight)),
            Cell::styled(bar(share.weight, BAR), CYAN),
        ]);
    }
    aligned(out, &[Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Left], &rows);
}

/// How well a source agrees with the labels, where there are any.
fn with_labels(source: &SourceFound) -> Option<f64> {
    source.graph.as_ref().and_then(|graph| graph.with_labels)
}

/// The features with their scores and the rank that each source gives them.
fn feature_rows(out: &mut String, found: &Findings, top: usize) {
    let best = best(found, Some(top));
    let numbers = Numbers::for_values(best.iter().filter_map(|place| place.score));
    let head = ["rank", "feature", "score"].into_iter().chain(found.sources.iter().map(|s| s.name.as_str()));
    let mut rows = vec![head.map(|h| Cell::styled(name(h), DIM)).collect::<Vec<_>>()];
    for place in best {
        let score = place.score.map_or("none".to_owned(), |s| numbers.show(s));
        let mut row = vec![
            Cell::new(place.rank.to_string()),
            Cell::new(name(&found.features.of(place.index))),
            Cell::new(score),
        ];
        let rank = |s: &SourceFound| s.ranks[place.index].map_or("-".to_owned(), |r| r.to_string());
        row.extend(found.sources.iter().map(|s| Cell::styled(rank(s), DIM)));
        rows.push(row);
    }
    let mut columns = vec![Align::Right, Align::Left];
    columns.extend(std::iter::repeat_n(Align::Right, found.sources.len() + 1));
    aligned(out, &columns, &rows);
    let all = places(found).len();
    if best.len() < all {
        let _ = writeln!(out, "{DIM}… of {all}; --top N lists more, --format csv or json all{DIM:#}");
    }
}

fn hits(out: &mut String, found: &Findings) {
    if let Some(known) = &found.known {
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
        found.found.rankings[0].goal.in_words()
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
    feature_rows(&mut out, &found.found, top);
    hits(&mut out, &found.found);
    out
}

/// The best features, each with what `more` says of it.
fn listing_json(found: &Findings, top: Option<usize>, more: impl Fn(usize) -> Map<String, Value>) -> Value {
    let row = |place: &Place| {
        let mut row = json!({
            "rank": place.rank, "feature": found.features.of(place.index), "index": place.index, "score": place.score,
        });
        more(place.index).into_iter().for_each(|(key, value)| row[key] = value);
        row
    };
    best(found, top).iter().map(row).collect()
}

fn hits_json(found: &Findings, file: Option<&Path>) -> Value {
    let (Some(known), Some(file)) = (&found.known, file) else { return Value::Null };
    let at = |h: &fiedler::fusion::Hits| json!({"depth": h.depth, "hits": h.hits, "ratio": h.ratio, "recall": h.recall});
    json!({
        "file": file.display().to_string(),
        "known": known.ranked,
        "known_not_ranked": known.not_ranked,
        "at": known.hits.iter().map(at).collect::<Vec<_>>(),
    })
}

fn fused_json(fused: &Fused<'_>, top: Option<usize>) -> Value {
    let (target, found) = (&fused.joined.target, &fused.found);
    let ranking = &found.rankings[0];
    json!({
        "format": found.format,
        "mode": "sources",
        "version": found.card.version,
        "config": fused.config.display().to_string(),
        "method": ranking.method.name,
        "parameters": json::parameters(ranking.parameters.iter()),
        "goal": ranking.goal.name(),
        "target": {
            "file": fused.joined.file.display().to_string(),
            "settings": serde_json::to_value(fused.target).unwrap_or_default(),
            "n_samples": target.n_samples(),
            "dropped_samples": fused.joined.target_samples - target.n_samples(),
            "n_features": target.n_features(),
            "scale": ranking.scaling.name(),
            "transform": ranking.transform.name(),
            "classes": target.labels().map(|l| l.classes().len()),
            "notes": fused.joined.notes,
        },
        "weights": fused.weights.name(),
        "normalize": fused.normalize,
        "sources": (0..fused.sources.len()).map(|i| source_json(fused, i, top)).collect::<Vec<_>>(),
        "graph": ranking.graph.as_deref().map(json::graph),
        "ranking": listing_json(found, top, |_| Map::new()),
        "hits": hits_json(found, fused.known.as_deref()),
        "warnings": found.warnings,
        "elapsed_seconds": found.seconds,
    })
}

fn source_json(fused: &Fused<'_>, i: usize, top: Option<usize>) -> Value {
    let (source, record) = (&fused.sources[i], &fused.joined.records[i]);
    let share = &fused.found.sources[i];
    let graph = share.graph.as_ref();
    let alignments = graph.map_or(&[][..], |graph| &graph.agreement);
    let agreement = fused.sources.iter().zip(alignments).map(|(s, a)| (s.name.clone(), json!(a)));
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
        "scale": graph.map(|graph| graph.scale),
        "alignment_with_labels": with_labels(share),
        "agreement": Value::Object(agreement.collect()),
        "graph": graph.map(|graph| json::graph(&graph.summary)),
        "notes": record.notes,
        "ranking_alone": alone(&fused.found, share, top),
    })
}

/// The features as a source alone ranks them, best first; those that it does not rank are last.
fn alone<'a>(found: &'a Findings, source: &SourceFound, top: Option<usize>) -> Vec<Cow<'a, str>> {
    let mut order: Vec<usize> = (0..source.ranks.len()).collect();
    order.sort_by_key(|&j| source.ranks[j].unwrap_or(usize::MAX));
    order.truncate(top.unwrap_or(usize::MAX));
    order.into_iter().map(|j| found.features.of(j)).collect()
}

fn aggregated_json(found: &Aggregated<'_>, top: Option<usize>) -> Value {
    let (ranking, answer) = (&found.found.rankings[0], &found.found);
    let list = |l: &List| json!({"name": l.name, "file": l.file.display().to_string(), "weight": l.weight, "goal": l.goal, "features": l.features});
    let places = |j: usize| {
        let of = |source: &SourceFound| source.ranks[j].map_or(Value::Null, Value::from);
        Map::from_iter([("ranks".to_owned(), answer.sources.iter().map(of).collect())])
    };
    json!({
        "format": answer.format,
        "mode": "rankings",
        "version": answer.card.version,
        "config": found.config.display().to_string(),
        "method": ranking.method.name,
        "parameters": json::parameters(ranking.parameters.iter()),
        "goal": ranking.goal.name(),
        "n_features": answer.card.data.n_features,
        "lists": found.lists.iter().map(list).collect::<Vec<_>>(),
        "ranking": listing_json(answer, top, places),
        "hits": hits_json(answer, found.known.as_deref()),
        "warnings": answer.warnings,
        "elapsed_seconds": answer.seconds,
    })
}
