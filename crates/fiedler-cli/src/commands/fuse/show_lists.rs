//! What an aggregation found, for people and for programs.

use std::fmt::Write;

use fiedler::{Findings, GraphSummary, SourceFound};
use serde_json::{Map, Value, json};

use super::aggregate::{Aggregated, List};
use super::config::Weights;
use super::each::Each;
use super::show::{feature_rows, hits, hits_json, listing_json, provenance_json, target_json, target_line};
use crate::args::Format;
use crate::output::layout::{Align, Cell, aligned, name, number, paged, plural, with_bars};
use crate::output::{BOLD, DIM, csv, json, table};

/// An aggregation of rankings.
pub(super) fn aggregated(found: &Aggregated<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => table_of(found, None, top.unwrap_or(table::SHOWN)),
        Format::Csv => csv::rankings(&found.found, top.unwrap_or(usize::MAX)),
        Format::Json => json::document(&aggregated_json(found, "rankings", top)),
    }
}

/// An aggregation of rankings that were made here.
pub(super) fn each(each: &Each<'_>, format: Format, top: Option<usize>) -> String {
    match format {
        Format::Table => table_of(&each.joined, Some(each), top.unwrap_or(table::SHOWN)),
        Format::Csv => csv::rankings(&each.joined.found, top.unwrap_or(usize::MAX)),
        Format::Json => json::document(&each_json(each, top)),
    }
}

fn table_of(found: &Aggregated<'_>, each: Option<&Each<'_>>, top: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{BOLD}{} into one{BOLD:#}: {}, {}",
        plural(found.lists.len(), "ranking"),
        found.aggregation.measures(),
        found.found.rankings[0].goal.in_words()
    );
    if let Some(each) = each {
        target_line(&mut out, &each.data);
    }
    if each.is_some() || found.weights == Weights::Known {
        let from = if found.weights == Weights::Known { ": learned from known features" } else { "" };
        let _ = writeln!(out, "{DIM}weights{DIM:#} {}{from}\n", found.weights.name());
        weighed_rows(&mut out, found);
    } else {
        list_rows(&mut out, found);
    }
    out.push('\n');
    feature_rows(&mut out, &found.found, top);
    hits(&mut out, &found.found);
    out
}

/// The files, and weights where they are not 1.
fn list_rows(out: &mut String, found: &Aggregated<'_>) {
    let row = |(list, source): (&List, &SourceFound)| {
        let weight =
            if source.weight == 1.0 { String::new() } else { format!("weight {}", number(source.weight)) };
        let file = list.file.as_ref().map_or(String::new(), |file| file.display().to_string());
        let cells = [Cell::styled(name(&list.name), DIM), Cell::new(file)];
        cells.into_iter().chain([plural(list.features, "feature"), weight].map(Cell::new)).collect()
    };
    let rows: Vec<Vec<Cell>> = found.lists.iter().zip(&found.found.sources).map(row).collect();
    aligned(out, &[Align::Left, Align::Left, Align::Right, Align::Left], &rows);
}

/// Where each ranking comes from, how it agrees with known features, and its share of all weights.
fn weighed_rows(out: &mut String, found: &Aggregated<'_>) {
    let head = ["ranking", "from", "features", "with known", "weight"];
    let mut rows = vec![head.map(|h| Cell::styled(h, DIM)).to_vec()];
    let total: f64 = found.found.sources.iter().map(|s| s.weight).sum();
    for (list, source) in found.lists.iter().zip(&found.found.sources) {
        rows.push(vec![
            Cell::new(name(&list.name)),
            Cell::new(origin(list)),
            Cell::new(list.features.to_string()),
            source.with_known.map_or(Cell::styled("-", DIM), |a| Cell::new(format!("{a:.3}"))),
            Cell::new(format!("{:.1} %", 100.0 * source.weight / total)),
        ]);
    }
    with_bars(&mut rows, found.found.sources.iter().map(|source| source.weight / total));
    let columns = [Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
    paged(out, &columns, &rows, 1);
}

fn origin(list: &List) -> String {
    match (&list.file, list.method) {
        (Some(file), _) => crate::output::harmless(&file.to_string_lossy()).into_owned(),
        (None, Some(method)) => method.to_owned(),
        (None, None) => String::new(),
    }
}

fn aggregated_json(found: &Aggregated<'_>, mode: &str, top: Option<usize>) -> Value {
    let (ranking, answer) = (&found.found.rankings[0], &found.found);
    let places = |j: usize| {
        let of = |source: &SourceFound| source.ranks[j].map_or(Value::Null, Value::from);
        Map::from_iter([("ranks".to_owned(), answer.sources.iter().map(of).collect())])
    };
    json!({
        "format": answer.format,
        "mode": mode,
        "version": answer.card.version,
        "config": found.config.display().to_string(),
        "method": ranking.method.name,
        "parameters": json::parameters(ranking.parameters.iter()),
        "goal": ranking.goal.name(),
        "n_features": answer.card.data.n_features,
        "weights": found.weights.name(),
        "lists": lists_json(&found.lists, answer),
        "ranking": listing_json(answer, top, places),
        "hits": hits_json(answer, found.known.as_deref()),
        "warnings": answer.warnings,
        "elapsed_seconds": answer.seconds,
    })
}

fn lists_json(lists: &[List], answer: &Findings) -> Value {
    let one = |(list, source): (&List, &SourceFound)| {
        json!({
            "name": list.name,
            "file": list.file.as_ref().map(|file| file.display().to_string()),
            "source": list.source,
            "method": list.method,
            "weight": source.weight,
            "with_known": source.with_known,
            "goal": list.goal,
            "features": list.features,
        })
    };
    lists.iter().zip(&answer.sources).map(one).collect()
}

fn each_json(each: &Each<'_>, top: Option<usize>) -> Value {
    let mut told = aggregated_json(&each.joined, "each", top);
    told["target"] = target_json(&each.data, each.target, None);
    let graphs = each.data.sources.iter().map(|s| json::graph(&GraphSummary::of(&s.graph)));
    let sources = each.sources.iter().zip(&each.data.records).zip(graphs).map(|((source, record), graph)| {
        let mut told = provenance_json(source, record, each.joined.config);
        told["weight_given"] = json!(source.weight);
        told["graph"] = graph;
        told
    });
    told["sources"] = sources.collect();
    told
}
