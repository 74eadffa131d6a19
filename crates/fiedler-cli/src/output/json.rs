//! Answers as JSON. Scripts rely on these names.

use fiedler::graph::Graph;
use fiedler::{Dataset, Details, Value as Parameter};
use serde_json::{Map, Value, json};

use crate::rank::Listing;

/// One object for one method, a list of objects for several; notes on the data are among the warnings.
pub(crate) fn rankings(listings: &[Listing], data: &Dataset, notes: &[String]) -> String {
    match listings {
        [one] => document(&ranking(one, data, notes)),
        several => document(&several.iter().map(|l| ranking(l, data, notes)).collect()),
    }
}

fn ranking(listing: &Listing, data: &Dataset, notes: &[String]) -> Value {
    let found = &listing.ranking;
    let features = listing.listed.iter().enumerate().map(
        |(rank, &j)| json!({"rank": rank + 1, "feature": data.feature_name(j), "index": j, "score": found.score(j)}),
    );
    let warnings = [notes, &found.warnings].concat();
    let mut object = json!({
        "method": found.method,
        "parameters": parameters(found.parameters.iter()),
        "goal": found.goal().name(),
        "scale": listing.scaling.name(),
        "n_samples": data.n_samples(),
        "n_features": data.n_features(),
        "graph": found.graph.as_deref().map(graph),
        "ranking": features.collect::<Vec<_>>(),
        "warnings": warnings,
        "elapsed_seconds": listing.seconds,
    });
    if let Some(elbow) = listing.elbow {
        object["elbow"] = elbow.into();
    }
    add_details(&mut object, &found.details);
    object
}

/// What some methods tell beyond scores: mrsf the path of its solutions, sselect how it
/// chose λ, searches their curve.
fn add_details(object: &mut Value, details: &Details) {
    match details {
        Details::Path(path) => {
            let point = |s: &fiedler::solve::Solution| {
                json!({
                    "lambda": s.lambda,
                    "active": s.active,
                    "row_norms": s.row_norms,
                    "residual": s.residual,
                    "objective": s.objective,
                    "gap": s.gap,
                })
            };
            object["path"] = path.points.iter().map(point).collect();
        }
        Details::CutValues(values) => {
            let line = |v: &fiedler::CutValue| {
                json!({
                    "lambda": v.lambda,
                    "cut": v.cut,
                    "components": v.components,
                    "counts": v.counts,
                    "features": v.features,
                    "chosen": v.chosen,
                })
            };
            object["cut_values"] = values.iter().map(line).collect();
        }
        Details::Widths(widths) => {
            let line = |w: &fiedler::WidthGap| json!({"sigma": w.sigma, "gap": w.gap, "chosen": w.chosen});
            object["widths"] = widths.iter().map(line).collect();
        }
        Details::Curve { what, values } => object["curve"] = json!({"what": what, "values": values}),
        _ => {}
    }
}

/// What a graph is, and its vital signs.
pub(crate) fn graph(graph: &Graph) -> Value {
    let description = graph.description();
    let found = graph.diagnostics();
    json!({
        "kind": description.kind,
        "parameters": parameters(description.parameters.iter().map(|(name, value)| (*name, value))),
        "edges": found.edges,
        "components": found.components,
        "isolated": found.isolated,
        "degree": {"min": found.min_degree, "median": found.median_degree, "max": found.max_degree},
    })
}

/// Parameters as an object.
pub(crate) fn parameters<'a>(parameters: impl Iterator<Item = (&'static str, &'a Parameter)>) -> Value {
    let value = |p: &Parameter| match p {
        Parameter::Integer(v) => json!(v),
        Parameter::Real(v) => json!(v),
        Parameter::Bool(v) => json!(v),
        other => json!(other.to_string()),
    };
    Value::Object(parameters.map(|(name, p)| (name.to_owned(), value(p))).collect::<Map<_, _>>())
}

/// The text of a document: what holds no lists or objects inside goes on one line, so that a
/// ranking reads as one feature per line.
pub(crate) fn document(value: &Value) -> String {
    let mut out = String::new();
    layout(&mut out, value, 0);
    out.push('\n');
    out
}

fn layout(out: &mut String, value: &Value, depth: usize) {
    let nested = |v: &Value| v.is_array() || v.is_object();
    let items: Vec<(Option<&String>, &Value)> = match value {
        Value::Array(items) if items.iter().any(nested) => items.iter().map(|v| (None, v)).collect(),
        Value::Object(map) if map.values().any(nested) => map.iter().map(|(k, v)| (Some(k), v)).collect(),
        flat => return out.push_str(&flat.to_string()),
    };
    let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
    out.push(open);
    for (i, (key, item)) in items.into_iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(key) = key {
            out.push_str(&json!(key).to_string());
            out.push_str(": ");
        }
        layout(out, item, depth + 1);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}
