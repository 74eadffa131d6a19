//! `fiedler graph --list`: the kinds of graph and the metrics, all of it from their descriptions.

use std::fmt::Write;

use fiedler::ParameterInfo;
use fiedler::graph::{GraphInfo, Metric, kinds, parameters};
use serde_json::{Value, json};

use super::methods::{entry, wrapped};
use crate::output::{BOLD, DIM};

/// Where the text of a fact begins.
const INDENT: usize = 9;

/// The list as text.
pub(super) fn for_people() -> String {
    let mut out = String::new();
    for info in kinds() {
        let _ = writeln!(out, "{BOLD}{}{BOLD:#}: {}", info.name, info.title);
        let labels = if info.needs_labels { "needed" } else { "not used" };
        let facts = [
            ("joins", info.joins),
            ("formula", info.formula),
            ("options", &names(info)),
            ("labels", labels),
            ("cost", info.cost),
            ("fails", info.fails),
            ("source", info.reference),
        ];
        write_facts(&mut out, &facts);
    }
    let _ = writeln!(out, "{BOLD}Options{BOLD:#}\n");
    for option in parameters() {
        let _ = writeln!(out, "{}", entry(&format!("--{}", option.name), option.help, INDENT));
        write_facts(
            &mut out,
            &[("values", &option.kind.to_string()), ("default", &option.default.to_string())],
        );
    }
    let _ = writeln!(out, "{BOLD}Metrics{BOLD:#}\n");
    for info in Metric::ALL.iter().map(|metric| metric.info()) {
        let _ = writeln!(out, "{}", entry(info.name, info.measures, INDENT));
        write_facts(&mut out, &[("formula", info.formula), ("fails", info.fails)]);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The list for programs.
pub(super) fn for_programs() -> Value {
    let kind = |info: &GraphInfo| {
        json!({
            "name": info.name, "title": info.title, "joins": info.joins, "formula": info.formula,
            "parameters": info.parameters.iter().map(parameter).collect::<Vec<_>>(),
            "needs_labels": info.needs_labels, "cost": info.cost, "fails": info.fails, "reference": info.reference,
        })
    };
    let metric = |metric: &Metric| {
        let info = metric.info();
        json!({"name": info.name, "measures": info.measures, "formula": info.formula, "fails": info.fails})
    };
    json!({
        "graphs": kinds().into_iter().map(kind).collect::<Vec<_>>(),
        "metrics": Metric::ALL.iter().map(metric).collect::<Vec<_>>(),
    })
}

fn parameter(p: &ParameterInfo) -> Value {
    json!({"name": p.name, "default": p.default.to_string(), "values": p.kind.to_string(), "help": p.help})
}

fn names(info: &GraphInfo) -> String {
    match info.parameters {
        [] => "none".to_owned(),
        all => all.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
    }
}

fn write_facts(out: &mut String, facts: &[(&str, &str)]) {
    for (name, text) in facts {
        let _ = writeln!(out, "{DIM}{name:<INDENT$}{DIM:#}{}", wrapped(text, INDENT));
    }
    out.push('\n');
}
