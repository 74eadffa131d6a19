//! Answers as JSON. Scripts rely on these names. Lists that are as long as there are features are written a line at a time: as
//! values all at once they would take many times what they do as text.

use fiedler::dataset::Transform;
use fiedler::{Cells, Detail, Findings, GraphSummary, ParameterValue, RankingFound};
use serde_json::{Map, Value, json};

/// A value, or one that is made as it is written.
enum Node<'a> {
    Value(Value),
    Object(Vec<(String, Node<'a>)>),
    /// A list of so many values, which hold something each.
    Lines(usize, Box<dyn Fn(usize) -> Value + 'a>),
    List(Vec<Node<'a>>),
}

/// One object for one method; for several the same objects under `rankings`. Notes on the data are among the
/// warnings.
pub(crate) fn rankings(found: &Findings) -> String {
    let told = [&found.notes[..], &found.warnings].concat();
    let node = match &found.rankings[..] {
        [one] => ranking(one, found, &told),
        several => {
            let each = |r| ranking(r, found, &[&found.notes[..], &r.warnings].concat());
            let mut object = entries(json!({"format": found.format}));
            object.push(("rankings".to_owned(), Node::List(several.iter().map(each).collect())));
            object.extend(entries(json!({"warnings": told, "elapsed_seconds": found.seconds})));
            Node::Object(object)
        }
    };
    let mut out = String::new();
    write_node(&mut out, &node, 0);
    out.push('\n');
    out
}

fn ranking<'a>(ranking: &'a RankingFound, found: &'a Findings, warnings: &[String]) -> Node<'a> {
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
    let mut object = entries(json!({
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
    }));
    let places = Node::Lines(ranking.places.len(), Box::new(move |at| place(&ranking.places[at])));
    object.push(("ranking".to_owned(), places));
    object.extend(entries(json!({
        "elbow": ranking.elbow,
        "warnings": warnings,
        "elapsed_seconds": ranking.seconds,
    })));
    for detail in &ranking.details {
        let lines = Node::Lines(detail.n_rows(), Box::new(|row| line(detail, row)));
        object.push((detail.key.to_string(), lines));
    }
    Node::Object(object)
}

/// The entries of an object, in its order.
fn entries(object: Value) -> Vec<(String, Node<'static>)> {
    let Value::Object(map) = object else { return Vec::new() };
    map.into_iter().map(|(key, value)| (key, Node::Value(value))).collect()
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
    (0..detail.n_rows()).map(|row| line(detail, row)).collect()
}

/// A line of a detail.
fn line(detail: &Detail, row: usize) -> Value {
    let cell = |values: &Cells| match values {
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
    Value::Object(detail.columns.iter().map(|c| (c.key.clone(), cell(&c.values))).collect::<Map<_, _>>())
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
    match value {
        Value::Array(items) if items.iter().any(nested) => {
            bracket(out, "[]", depth, items.iter().map(|item| (None, item)), |out, item| {
                layout(out, item, depth + 1);
            });
        }
        Value::Object(map) if map.values().any(nested) => {
            let items = map.iter().map(|(key, item)| (Some(key.as_str()), item));
            bracket(out, "{}", depth, items, |out, item| layout(out, item, depth + 1));
        }
        flat => out.push_str(&flat.to_string()),
    }
}

fn write_node(out: &mut String, node: &Node<'_>, depth: usize) {
    match node {
        Node::Value(value) => layout(out, value, depth),
        Node::Lines(0, _) => out.push_str("[]"),
        Node::Lines(count, at) => {
            bracket(out, "[]", depth, (0..*count).map(|i| (None, i)), |out, i| {
                layout(out, &at(i), depth + 1)
            });
        }
        Node::List(items) => bracket(out, "[]", depth, items.iter().map(|item| (None, item)), |out, item| {
            write_node(out, item, depth + 1);
        }),
        Node::Object(items) => {
            let items = items.iter().map(|(key, item)| (Some(key.as_str()), item));
            bracket(out, "{}", depth, items, |out, item| write_node(out, item, depth + 1));
        }
    }
}

/// Items between brackets, each on a line of its own.
fn bracket<'k, T>(
    out: &mut String,
    brackets: &str,
    depth: usize,
    items: impl Iterator<Item = (Option<&'k str>, T)>,
    mut write: impl FnMut(&mut String, T),
) {
    let (open, close) = brackets.split_at(1);
    out.push_str(open);
    for (i, (key, item)) in items.enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(key) = key {
            out.push_str(&json!(key).to_string());
            out.push_str(": ");
        }
        write(out, item);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push_str(close);
}
