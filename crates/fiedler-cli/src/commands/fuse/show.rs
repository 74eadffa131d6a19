//! What a fusion found, for people and for programs.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use fiedler::{Findings, Place, RankingFound, SourceFound};
use serde_json::{Map, Value, json};

use super::keys::{SourceConfig, TableKeys};
use super::sources::{Joined, Record};
use super::{Fused, places};
use crate::args::Format;
use crate::output::layout::{Align, Cell, Numbers, name, paged, plural, with_bars};
use crate::output::{BOLD, DIM, csv, json, table};

/// A fusion of sources.
pub(super) fn fused(fused: &Fused<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => fused_table(fused, top.unwrap_or(table::SHOWN)),
        Format::Csv => csv::rankings(&fused.found, top.unwrap_or(usize::MAX)),
        Format::Json => json::document(&fused_json(fused, top)),
    }
}

/// The best features, best first.
fn best(found: &Findings, top: Option<usize>) -> &[Place] {
    let all = places(found);
    &all[..all.len().min(top.unwrap_or(all.len()))]
}

fn fused_table(fused: &Fused<'_>, top: usize) -> String {
    let mut out = String::new();
    let ranking = &fused.found.rankings[0];
    let _ = writeln!(
        out,
        "{BOLD}{} on {} combined{BOLD:#}, {}",
        ranking.method.title,
        plural(fused.sources.len(), "source"),
        ranking.goal.in_words()
    );
    target_line(&mut out, &fused.joined);
    let as_came = if fused.normalize { "" } else { ", graphs as they came" };
    let _ = writeln!(out, "{DIM}weights{DIM:#} {}{as_came}\n", fused.weights.name());
    share_rows(&mut out, fused);
    out.push('\n');
    feature_rows(&mut out, &fused.found, top);
    hits(&mut out, &fused.found);
    out
}

/// The target: its file and its size.
pub(super) fn target_line(out: &mut String, joined: &Joined) {
    let target = &joined.target;
    let dropped = joined.target_samples - target.n_samples();
    let left = if dropped > 0 { format!(" ({dropped} without a match dropped)") } else { String::new() };
    let _ = writeln!(
        out,
        "{DIM}target{DIM:#}  {}: {}{left}, {}",
        crate::output::harmless(&joined.file.to_string_lossy()),
        plural(target.n_samples(), "sample"),
        plural(target.n_features(), "feature"),
    );
}

fn share_rows(out: &mut String, fused: &Fused<'_>) {
    let head = ["source", "kind", "content", "with labels", "share"];
    let mut rows = vec![head.map(|h| Cell::styled(h, DIM)).to_vec()];
    let shares = fused.found.sources.iter().zip(&fused.sources).zip(&fused.joined.records);
    for ((share, source), record) in shares {
        rows.push(vec![
            Cell::new(name(&source.name)),
            Cell::new(&source.kind),
            Cell::new(&record.content),
            with_labels(share).map_or(Cell::styled("-", DIM), |a| Cell::new(format!("{a:.3}"))),
            Cell::new(format!("{:.1} %", 100.0 * share.weight)),
        ]);
    }
    with_bars(&mut rows, fused.found.sources.iter().map(|share| share.weight));
    paged(out, &[Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Left], &rows, 1);
}

/// How well a source agrees with the labels, where there are any.
fn with_labels(source: &SourceFound) -> Option<f64> {
    source.graph.as_ref().and_then(|graph| graph.with_labels)
}

/// The features with their scores and the rank that each source gives them.
pub(super) fn feature_rows(out: &mut String, found: &Findings, top: usize) {
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
    paged(out, &columns, &rows, 3);
    let all = places(found).len();
    if best.len() < all {
        let _ = writeln!(out, "{DIM}… of {all}; --top N lists more, --format csv or json all{DIM:#}");
    }
}

pub(super) fn hits(out: &mut String, found: &Findings) {
    if let Some(known) = &found.known {
        let at = |h: &fiedler::fusion::Hits| format!("{} of the first {}", h.hits, h.depth);
        let shown: Vec<String> = known.hits.iter().map(at).collect();
        let _ = writeln!(
            out,
            "\n{BOLD}hits{BOLD:#} among {}: {}",
            plural(known.ranked, "known feature"),
            shown.join(", ")
        );
        if !known.left_out.is_empty() {
            let at = |h: &fiedler::LeftOut| format!("{} of the first {}", h.hits, h.depth);
            let shown: Vec<String> = known.left_out.iter().map(at).collect();
            let _ = writeln!(out, "by weights learned without them: {}", shown.join(", "));
        }
    }
}

/// The best features, each with what `more` says of it.
pub(super) fn listing_json(
    found: &Findings,
    top: Option<usize>,
    more: impl Fn(usize) -> Map<String, Value>,
) -> Value {
    let row = |place: &Place| {
        let mut row = json!({
            "rank": place.rank, "feature": found.features.of(place.index), "index": place.index, "score": place.score,
        });
        more(place.index).into_iter().for_each(|(key, value)| row[key] = value);
        row
    };
    best(found, top).iter().map(row).collect()
}

pub(super) fn hits_json(found: &Findings, file: Option<&Path>) -> Value {
    let (Some(known), Some(file)) = (&found.known, file) else { return Value::Null };
    let at = |h: &fiedler::fusion::Hits| json!({"depth": h.depth, "hits": h.hits, "ratio": h.ratio, "recall": h.recall});
    let without = |h: &fiedler::LeftOut| json!({"depth": h.depth, "hits": h.hits, "recall": h.recall});
    json!({
        "file": file.display().to_string(),
        "known": known.ranked,
        "known_not_ranked": known.not_ranked,
        "at": known.hits.iter().map(at).collect::<Vec<_>>(),
        "left_out": known.left_out.iter().map(without).collect::<Vec<_>>(),
    })
}

fn fused_json(fused: &Fused<'_>, top: Option<usize>) -> Value {
    let found = &fused.found;
    let ranking = &found.rankings[0];
    json!({
        "format": found.format,
        "mode": "sources",
        "version": found.card.version,
        "config": fused.config.display().to_string(),
        "method": ranking.method.name,
        "parameters": json::parameters(ranking.parameters.iter()),
        "goal": ranking.goal.name(),
        "target": target_json(&fused.joined, fused.target, Some(ranking)),
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

/// The target; with what a method saw of it, where one ranking is made on it.
pub(super) fn target_json(joined: &Joined, keys: &TableKeys, seen: Option<&RankingFound>) -> Value {
    let target = &joined.target;
    json!({
        "file": joined.file.display().to_string(),
        "settings": serde_json::to_value(keys).unwrap_or_default(),
        "n_samples": target.n_samples(),
        "dropped_samples": joined.target_samples - target.n_samples(),
        "n_features": target.n_features(),
        "scale": seen.map(|ranking| ranking.scaling.name()),
        "transform": seen.map(|ranking| ranking.transform.name()),
        "classes": target.labels().map(|l| l.classes().len()),
        "notes": joined.notes,
    })
}

fn source_json(fused: &Fused<'_>, i: usize, top: Option<usize>) -> Value {
    let source = &fused.sources[i];
    let share = &fused.found.sources[i];
    let graph = share.graph.as_ref();
    let alignments = graph.map_or(&[][..], |graph| &graph.agreement);
    let agreement = fused.sources.iter().zip(alignments).map(|(s, a)| (s.name.clone(), json!(a)));
    let mut told = provenance_json(source, &fused.joined.records[i], fused.config);
    told["weight_given"] = json!(source.weight);
    told["weight"] = json!(share.weight);
    told["scale"] = json!(graph.map(|graph| graph.scale));
    told["alignment_with_labels"] = json!(with_labels(share));
    told["agreement"] = Value::Object(agreement.collect());
    told["graph"] = json!(graph.map(|graph| json::graph(&graph.summary)));
    told["ranking_alone"] = json!(alone(&fused.found, share, top));
    told
}

/// What a source is and what became of its names.
pub(super) fn provenance_json(source: &SourceConfig, record: &Record, config: &Path) -> Value {
    let sets = record.sets.iter().map(|(name, features)| json!({"name": name, "features": features}));
    json!({
        "name": source.name,
        "kind": source.kind,
        "file": source.file().map(|f| super::folder(config).join(f).display().to_string()),
        "settings": record.settings,
        "content": record.content,
        "samples_not_in_target": record.unmatched.as_ref().map(|u| &u.only_source),
        "target_samples_missing": record.unmatched.as_ref().map(|u| &u.only_target),
        "features_dropped": record.dropped,
        "sets": (!record.sets.is_empty()).then(|| sets.collect::<Vec<_>>()),
        "notes": record.notes,
    })
}

/// The features as a source alone ranks them, best first; those that it does not rank are last.
fn alone<'a>(found: &'a Findings, source: &SourceFound, top: Option<usize>) -> Vec<Cow<'a, str>> {
    let mut order: Vec<usize> = (0..source.ranks.len()).collect();
    order.sort_by_key(|&j| source.ranks[j].unwrap_or(usize::MAX));
    order.truncate(top.unwrap_or(usize::MAX));
    order.into_iter().map(|j| found.features.of(j)).collect()
}
