//! Evaluations for programs. Scripts rely on these names.

use std::fmt::Write;

use fiedler::Findings;
use fiedler::eval::{Curve, Difference, Evaluation, Mark, Measure, Partition, Point, Table, Variant};
use serde_json::{Map, Value, json};

use super::labels::in_words;
use super::sweep;
use crate::output::csv::field;
use crate::output::json::document;

/// One line a point, and one with `mean` in place of a count for the mean over all counts.
pub(super) fn csv(answer: &Findings) -> String {
    let Some(found) = &answer.evaluation else { return String::new() };
    let selection = found.protocol.selection.name();
    let mut out =
        String::from("measure,name,kind,count,mean,sd,low,high,p_value,not_worse,partitions,selected_on");
    for than in ["random", "best"] {
        let _ = write!(out, ",less_{than},less_{than}_low,less_{than}_high,than_{than}");
    }
    out.push_str(",labeled,varied\n");
    for table in &found.tables {
        let labeled = table.labeled.map_or(String::new(), |each| each.to_string());
        for curve in &table.curves {
            let varied = varied(curve);
            let varied = field(&varied);
            let named = curve.points.iter().map(|p| (p.count.to_string(), p));
            for (count, point) in named.chain([("mean".to_owned(), &curve.aggregated)]) {
                let s = &point.summary;
                let p = point.p_value().map_or(String::new(), |p| format!("{p:?}"));
                let less = [point.than_random, point.than_best].map(fields).concat();
                let _ = writeln!(
                    out,
                    "{},{},{},{count},{},{},{},{},{p},{},{},{selection}{less},{labeled},{varied}",
                    table.measure,
                    field(&curve.name),
                    curve.kind.name(),
                    number(s.mean),
                    number(s.sd),
                    number(s.low),
                    number(s.high),
                    if point.is_judged() { point.level.to_string() } else { String::new() },
                    s.values.len(),
                );
            }
        }
    }
    out
}

/// A value; nothing where there was no ranking to judge.
fn number(value: f64) -> String {
    if value.is_nan() { String::new() } else { format!("{value:?}") }
}

/// `lambda=0.1 phi=2`: the values that set a curve apart.
fn varied(curve: &Curve) -> String {
    let values = curve.variant.iter().flat_map(|variant| &variant.values);
    values.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// `,difference,low,high,standing`.
fn fields(difference: Option<Difference>) -> String {
    let Some(d) = difference else { return ",,,,".to_owned() };
    let (low, high) = d.interval.map_or_else(Default::default, |(a, b)| (format!("{a:?}"), format!("{b:?}")));
    format!(",{:?},{low},{high},{}", d.mean, d.standing.name())
}

/// Everything, the values of every partition included.
pub(super) fn json(answer: &Findings) -> String {
    let Some(found) = &answer.evaluation else { return String::new() };
    let protocol = &found.protocol;
    let mut warnings = [&answer.notes[..], &answer.warnings].concat();
    warnings.extend(found.leak().map(|leak| in_words(&leak)));
    let scales: Map<String, Value> =
        answer.seen.iter().map(|s| (s.method.clone(), s.scaling.name().into())).collect();
    let transforms: Map<String, Value> =
        answer.seen.iter().map(|s| (s.method.clone(), s.transform.name().into())).collect();
    let labels: Map<String, Value> =
        answer.seen.iter().map(|s| (s.method.clone(), s.labels.clone().into())).collect();
    let targets: Map<String, Value> =
        answer.seen.iter().map(|s| (s.method.clone(), s.target.clone().into())).collect();
    document(&json!({
        "format": answer.format,
        "data": answer.card.data.name,
        "target": answer.card.data.target.as_ref().map(|target| &target.name),
        "target_of_methods": targets,
        "protocol": protocol.metric.name(),
        "parameters": parameters(&protocol.metric),
        "partition": partition(&protocol.partition),
        "selected_on": protocol.selection.name(),
        "judged_on": judged_on(answer),
        "sweep": sweep::json(found),
        "counts": protocol.counts,
        "labeled": protocol.labeled,
        "random_rankings": protocol.random,
        "significance": protocol.significance,
        "overlap": found.overlap,
        "seed": protocol.seed,
        "scale_of_methods": scales,
        "transform_of_methods": transforms,
        "graph": graph(answer),
        "labels_of_methods": labels,
        "n_samples": found.n_samples,
        "n_features": found.n_features,
        "n_partitions": found.n_partitions,
        "tables": found.tables.iter().map(|t| table(found, t)).collect::<Vec<_>>(),
        "warnings": warnings,
        "elapsed_seconds": answer.seconds,
    }))
}

/// The data that judged, where they are others than those that selected.
fn judged_on(answer: &Findings) -> Value {
    let told = answer.card.asked.iter().find(|(name, _)| name == "judge-on");
    told.map_or(Value::Null, |(_, name)| name.to_string().into())
}

/// The options of the graph, as given.
fn graph(answer: &Findings) -> Value {
    let named = [
        "graph",
        "k",
        "landmarks",
        "weight",
        "bandwidth",
        "metric",
        "mutual",
        "approximate",
        "recall",
        "beta",
    ];
    let asked = answer.card.asked.iter().filter(|(name, _)| named.contains(&name.as_str()));
    Value::Object(asked.map(|(name, value)| (name.clone(), json!(value.to_string()))).collect())
}

fn parameters(metric: &Measure) -> Value {
    match metric {
        Measure::Svm(svm) => json!({"costs": svm.costs, "folds": svm.folds, "gap": svm.svm.gap}),
        Measure::KMeans { clusters, starts } => json!({"clusters": clusters, "starts": starts}),
        Measure::Regression { neighbors } | Measure::Jaccard { neighbors } => json!({"neighbors": neighbors}),
        Measure::Hits { known } => json!({"known": known}),
        _ => json!({}),
    }
}

fn partition(partition: &Partition) -> Value {
    match partition {
        Partition::Halves { repeats } => json!({"kind": "halves", "repeats": repeats}),
        Partition::Folds { folds, repeats } => json!({"kind": "folds", "folds": folds, "repeats": repeats}),
        Partition::Classes { classes, repeats } => {
            json!({"kind": "classes", "classes": classes, "repeats": repeats})
        }
        Partition::Given(splits) => json!({"kind": "given", "repeats": splits.len()}),
    }
}

fn table(found: &Evaluation, table: &Table) -> Value {
    let verdict = found.verdict(table).map(|v| {
        json!({
            "best": place(&v.best),
            "enough": place(&v.enough),
            "random": place(&v.random),
            "all": v.all.as_ref().map(place),
        })
    });
    json!({
        "measure": table.measure,
        "labeled": table.labeled,
        "goal": table.goal.name(),
        "tells_apart": table.tells_apart,
        "curves": table.curves.iter().map(curve).collect::<Vec<_>>(),
        "verdict": verdict,
    })
}

fn curve(curve: &Curve) -> Value {
    json!({
        "name": curve.name,
        "kind": curve.kind.name(),
        "made_by": curve.made_by.name(),
        "variant": curve.variant.as_ref().map(variant),
        "points": curve.points.iter().map(point).collect::<Vec<_>>(),
        "aggregated": point(&curve.aggregated),
    })
}

fn variant(variant: &Variant) -> Value {
    let values = variant.values.iter().map(|(name, value)| (name.as_str(), value));
    json!({"of": variant.of, "values": crate::output::json::parameters(values)})
}

fn point(point: &Point) -> Value {
    let s = &point.summary;
    json!({
        "count": point.count,
        "mean": s.mean,
        "sd": s.sd,
        "low": s.low,
        "high": s.high,
        "p_value": point.p_value(),
        "than_random": point.than_random.map(difference),
        "than_best": point.than_best.map(difference),
        "best": point.best,
        "not_worse": point.level,
        "values": s.values,
    })
}

fn difference(d: Difference) -> Value {
    json!({
        "difference": d.mean,
        "low": d.interval.map(|(low, _)| low),
        "high": d.interval.map(|(_, high)| high),
        "p_value": d.p_value,
        "standing": d.standing.name(),
    })
}

fn place(place: &Mark) -> Value {
    json!({
        "name": place.name,
        "count": place.count,
        "mean": place.mean,
        "sd": place.sd,
        "p_value": place.p_value,
    })
}
