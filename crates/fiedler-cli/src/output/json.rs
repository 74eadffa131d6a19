//! Answers as JSON. Scripts rely on these names.

use fiedler::dataset::Transform;
use fiedler::{Cells, Detail, Findings, GraphSummary, ParameterValue, RankingFound};
use serde_json::{Map, Value, json};

/// One object for one method; for several the same objects under `rankings`. Notes on the data are among the
/// warnings.
pub(crate) fn rankings(found: &Findings) -> String {
    let told = [&found.notes[..], &found.warnings].concat();
    document(&match &found.rankings[..] {
        [one] => ranking(one, found, &told),
        several => {
            let each = |r: &RankingFound| ranking(r, found, &[&found.notes[..], &r.warnings].concat());
            json!({
                "format": found.format,
                "rankings": several.iter().map(each).collect::<Vec<_>>(),
                "warnings": told,
                "elapsed_seconds": found.seconds,
            })
        }
    })
}

fn ranking(ranking: &RankingFound, found: &Findings, warnings: &[String]) -> Value {
    let place = |p: &fiedler::Place| {
        let mut line = json!({"rank": p.rank, "feature": found.features.of(p.index), "index": p.index, "score": p.score});
        if p.included {
            line["included"] = json!(true);
        }
        if let Some(reason) = &p.reason {
            line["reason"] = json!(reason);
        }
        line
    };
    let data = &found.card.data;
    let mut object = json!({
        "format": found.format,
        "method": ranking.method.name,
        "parameters": parameters(ranking.parameters.iter()),
        "goal": ranking.goal.name(),
        "ordered_by": ranking.ordered_by.name(),
        "data": data.name,
        "labels": ranking.labels,
        "target": ranking.target,
        "scale": ranking.scaling.name(),
        "transform": ranking.transform.name(),
        "transform_reason": reason(ranking.transform, found),
        "n_samples": data.n_samples,
        "n_features": data.n_features,
        "graph": ranking.graph.as_deref().map(graph),
        "ranking": ranking.places.iter().map(place).collect::<Vec<_>>(),
        "elbow": ranking.elbow,
        "warnings": warnings,
        "elapsed_seconds": ranking.seconds,
    });
    for detail in &ranking.details {
        object[&detail.key] = lines(detail);
    }
    object
}

/// Why every value was transformed: because of what the data are, or because that was asked for.
pub(crate) fn reason(transform: Transform, found: &Findings) -> Option<String> {
    match transform {
        Transform::None => None,
        _ if found.card.data.transform_is_asked => Some("asked for".to_owned()),
        _ => Some(found.card.data.carried.in_words()),
    }
}

/// A detail as a list of objects, one a line.
pub(crate) fn lines(detail: &Detail) -> Value {
    let cell = |values: &Cells, row: usize| match values {
        Cells::Numbers(v) => json!(v[row]),
        Cells::Bars(v) => json!(v[row]),
        Cells::Counts(v) => json!(v[row]),
        Cells::Words(v) => json!(v[row]),
        Cells::Marks(v) => json!(v[row]),
        Cells::Features(v) => json!(v[row]),
        Cells::FeatureLists(v) => json!(v[row]),
        Cells::NumberLists(v) => json!(v[row]),
        _ => Value::Null,
    };
    let line = |row: usize| {
        let cells = detail.columns.iter().map(|c| (c.key.clone(), cell(&c.values, row)));
        Value::Object(cells.collect::<Map<_, _>>())
    };
    (0..detail.n_rows()).map(line).collect()
}

/// What a graph is, and its vital signs.
pub(crate) fn graph(graph: &GraphSummary) -> Value {
    let health = &graph.health;
    json!({
        "kind": graph.kind,
        "parameters": parameters(graph.parameters.iter().map(|(name, value)| (&**name, value))),
        "edges": health.edges,
        "components": health.components,
        "isolated": health.isolated,
        "degree": {"min": health.min_degree, "median": health.median_degree, "max": health.max_degree},
    })
}

/// Parameters as an object.
pub(crate) fn parameters<'n, 'v>(parameters: impl Iterator<Item = (&'n str, &'v ParameterValue)>) -> Value {
    let value = |p: &ParameterValue| match p {
        ParameterValue::Integer(v) => json!(v),
        ParameterValue::Real(v) => json!(v),
        ParameterValue::Bool(v) => json!(v),
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
