//! What the script reads: names, numbers and values as JSON that no markup can end.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fiedler::portrait::FeaturePortrait;
use serde_json::{Value, json};

use crate::text::{self, harmless};
use crate::view::View;

/// Rows of the table of features that are there without the script.
pub(crate) const ROWS: usize = 25;

/// The data of the script.
pub(crate) fn json(view: &View<'_>) -> String {
    let portrait = view.portrait();
    let value = json!({
        "features": features(view),
        "axes": portrait.map.as_ref().map(axes),
        "which": portrait.map.as_ref().map(|m| m.axes.iter().map(|a| view.which(a)).collect::<Vec<_>>()),
        "parts": portrait.map.as_ref().map(|m| m.axes.iter().map(|a| view.parts(a)).collect::<Vec<_>>()),
        "samples": samples(view),
        "values": values(view),
        "pairs": portrait.map.as_ref().map(|m| m.axes.iter().map(|a| a.pair).collect::<Vec<_>>()),
        "together": view.ranking().is_some_and(|r| r.looks_together),
        "rows": ROWS,
    });
    // The only way out of a script element is `</`, and `<!--` confuses parsers: no `<` is left.
    value.to_string().replace('<', "\\u003c")
}

/// Lists side by side, one entry a feature. Numbers have the digits that a picture or a sort can show: they are most of the
/// file where there are many features.
fn features(view: &View<'_>) -> Value {
    let list = &view.portrait().features;
    let scores = view.scores();
    let alike = |f: &FeaturePortrait| {
        f.alike.and_then(|a| Some(json!([view.place(a.index)?, round(a.correlation, 2)])))
    };
    let alpha =
        |f: &FeaturePortrait| -> Value { f.alignment.iter().map(|a| (a * 1000.0).round() as u32).collect() };
    let frequency = |j: usize| view.frequency(j).map(|f| round(f, 4));
    json!({
        "name": list.iter().map(|f| harmless(&view.feature(f.index)).into_owned()).collect::<Vec<_>>(),
        "index": list.iter().map(|f| f.index).collect::<Vec<_>>(),
        "score": list.iter().map(|f| f.score.map(seven_digits)).collect::<Vec<_>>(),
        "shown": list.iter().map(|f| f.score.map(|s| scores.show(s))).collect::<Vec<_>>(),
        "kept": list.iter().filter(|f| f.kept).count(),
        "reason": list.iter().filter(|f| f.reason.is_some()).map(|f| (f.rank - 1, &f.reason)).collect::<Vec<_>>(),
        "alpha": list.iter().map(alpha).collect::<Vec<_>>(),
        "alike": list.iter().map(alike).collect::<Vec<_>>(),
        "frequency": view.is_sure_known().then(|| list.iter().map(|f| frequency(f.index)).collect::<Vec<_>>()),
    })
}

fn seven_digits(v: f64) -> f64 {
    format!("{v:.6e}").parse().unwrap_or(v)
}

fn axes(map: &fiedler::portrait::Map) -> Value {
    map.axes.iter().map(|a| a.coordinates.iter().map(|c| round(*c, 4)).collect::<Value>()).collect()
}

fn samples(view: &View<'_>) -> Value {
    let drawn = &view.portrait().samples;
    let name = |&i: &usize| harmless(&view.sample(i)).into_owned();
    let named = drawn.names.is_some();
    json!({
        "name": named.then(|| drawn.indices.iter().map(name).collect::<Vec<_>>()),
        "index": drawn.indices,
        "labels": drawn.labels.as_deref().map(harmless),
        "classes": drawn.classes.iter().map(|c| harmless(c).into_owned()).collect::<Vec<_>>(),
        "codes": drawn.codes,
    })
}

/// The values of the best features in 255 steps between the smallest and the largest.
fn values(view: &View<'_>) -> Value {
    let each = view.portrait().values.iter().map(|v| {
        let low = v.values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = v.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let step = |x: &f64| if high > low { ((x - low) / (high - low) * 255.0).round() as u8 } else { 0 };
        let bytes: Vec<u8> = v.values.iter().map(step).collect();
        json!({"index": v.index, "low": text::number(low), "high": text::number(high), "steps": STANDARD.encode(bytes)})
    });
    each.collect()
}

fn round(v: f64, digits: i32) -> f64 {
    let factor = 10f64.powi(digits);
    (v * factor).round() / factor
}
