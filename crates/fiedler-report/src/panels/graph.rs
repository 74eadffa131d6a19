//! Can I trust the graph: its spectrum with the widest gap, components and degrees.

use fiedler::ParameterValue;
use fiedler::portrait::GraphPortrait;

use super::{Panel, figure, table};
use crate::scale::Scale;
use crate::svg::{Chart, Frame, data};
use crate::text::{count, escape, number, percent, plural};
use crate::view::View;

/// A sample that is linked so many times as strongly as the median one is a hub.
const HUB: f64 = 8.0;

pub(crate) fn spectrum_panel(view: &View<'_>) -> Option<Panel> {
    let map = view.portrait().map.as_ref()?;
    let chart = spectrum(view)?;
    let shown = crate::text::Column::of(map.eigenvalues.iter().copied().filter(|v| *v > 1e-9));
    let rows = map.eigenvalues.iter().enumerate().map(|(j, v)| {
        let gap = map.eigenvalues.get(j + 1).map_or(String::new(), |next| shown.show(next - v));
        vec![(j + 1).to_string(), shown.show(*v), gap]
    });
    let numbers = table("Eigenvalues", &["#pair", "#eigenvalue", "#gap to the next"], rows);
    Some(Panel {
        id: "spectrum",
        title: "Spectrum".to_owned(),
        says: spectrum_says(view, &map.eigenvalues, map.eigengap),
        body: figure(&chart, "chart-spectrum", &numbers),
        wide: false,
    })
}

fn spectrum_says(view: &View<'_>, values: &[f64], gap: Option<usize>) -> String {
    let among = format!("among the first {}", values.len());
    let Some(k) = gap else { return format!("No gap {among} eigenvalues stands out from the others.") };
    let width = values.get(k).zip(values.get(k - 1)).map_or(0.0, |(b, a)| b - a);
    let classes = view.portrait().samples.classes.len();
    let told = match classes {
        0 | 1 => String::new(),
        c if c == k => format!(" That is as many as there are classes ({}).", count(c)),
        c => format!(" There are {} classes.", count(c)),
    };
    match k {
        1 => format!(
            "The widest gap ({}, {among}) follows the first eigenvalue: the spectrum suggests no number of groups.{told}{}",
            number(width),
            separated(view)
        ),
        k => format!(
            "The widest gap ({}, {among}) follows eigenvalue {k}: the samples fall into about {k} groups.{told}",
            number(width)
        ),
    }
}

/// That classes lie apart although no gap says so, where they do.
fn separated(view: &View<'_>) -> String {
    let axes = view.portrait().map.iter().flat_map(|m| &m.axes);
    let mut telling = axes.filter(|a| View::follows_classes(a));
    telling.next().map_or(String::new(), |axis| {
        format!(" Classes lie apart all the same: eigenvector {} {}.", axis.pair, escape(&view.parts(axis)))
    })
}

pub(crate) fn spectrum(view: &View<'_>) -> Option<Chart> {
    let map = view.portrait().map.as_ref().filter(|m| m.eigenvalues.len() > 1)?;
    let values = &map.eigenvalues;
    let frame = Frame { left: 58.0, top: 34.0, right: 468.0, bottom: 226.0 };
    let (low, high) = super::scores::ends(values);
    let y =
        Scale::linear((low.min(0.0), if high > 0.0 { high * 1.08 } else { 1.0 }), (frame.bottom, frame.top));
    let step = (frame.right - frame.left) / values.len() as f64;
    let x = |j: usize| frame.left + (j as f64 + 0.5) * step;
    let gap =
        map.eigengap.map_or("no gap stands out".to_owned(), |k| format!("the widest gap follows number {k}"));
    let mut chart = Chart::new(480.0, 270.0, "Eigenvalues of the graph").saying(format!(
        "{} eigenvalues from {} to {}; {gap}.",
        values.len(),
        number(values[0]),
        number(values[values.len() - 1])
    ));
    chart.axis_left(frame, y, "eigenvalue of the normalized Laplacian");
    if let Some(k) = map.eigengap.filter(|k| *k < values.len()) {
        chart.rect(
            "kept",
            (x(k - 1), y.at(values[k])),
            (x(k) - x(k - 1), y.at(values[k - 1]) - y.at(values[k])),
            "",
        );
        let (class, at) = if x(k - 1) + 80.0 > frame.right {
            ("strong acc halo end", x(k) + 6.0)
        } else {
            ("strong acc halo", x(k - 1) + 6.0)
        };
        chart.text(class, (at, y.at(values[k]) - 6.0), "widest gap");
    }
    for (j, v) in values.iter().enumerate() {
        chart.line("grid", (x(j), frame.bottom), (x(j), y.at(*v)));
        chart.dot(
            "dotmark",
            (x(j), y.at(*v)),
            4.0,
            &data("tip", &format!("λ{}: {}", super::why::subscript(j + 1), number(*v))),
        );
        chart.text("t mid", (x(j), frame.bottom + 17.0), &(j + 1).to_string());
    }
    chart.line("axis", (frame.left, frame.bottom), (frame.right, frame.bottom));
    chart.text("t mid", ((frame.left + frame.right) / 2.0, frame.bottom + 35.0), "number");
    Some(chart)
}

pub(crate) fn health_panel(view: &View<'_>) -> Option<Panel> {
    let graph = view.portrait().graph.as_ref()?;
    let health = &graph.summary.health;
    let pairs = health.n_samples as f64 * (health.n_samples as f64 - 1.0) / 2.0;
    let mut facts = vec![
        ("kind", escape(&describe(graph))),
        (
            "edges",
            format!(
                "{} ({} of all pairs)",
                count(health.edges),
                percent(health.edges as f64 / pairs.max(1.0))
            ),
        ),
        ("components", components(graph)),
        ("isolated samples", count(health.isolated)),
        (
            "degree",
            format!(
                "{} to {}, median {}",
                number(health.min_degree),
                number(health.max_degree),
                number(health.median_degree)
            ),
        ),
    ];
    let extra = graph.summary.parameters.iter().find(|(name, _)| name.contains("recall"));
    facts.extend(extra.map(|(_, value)| ("neighbors found", escape(&value.to_string()))));
    let rows = facts.into_iter().map(|(what, value)| vec![what.to_owned(), value]);
    let facts = table("The graph", &["", ""], rows);
    let chart = degrees(view)
        .map_or(String::new(), |chart| format!("<figure>{}</figure>", chart.inline("chart-degrees")));
    Some(Panel {
        id: "graph",
        title: "Can the graph be trusted?".to_owned(),
        says: made_for_the_picture(view, graph) + &health_says(graph),
        body: format!("{chart}<div class=\"scroll\">{facts}</div>"),
        wide: false,
    })
}

fn describe(graph: &GraphPortrait) -> String {
    let shown = |value: &ParameterValue| match value {
        ParameterValue::Real(v) => number(*v),
        other => crate::text::shorter_numbers(&other.to_string()),
    };
    let told = graph.summary.parameters.iter().filter(|(_, v)| *v != ParameterValue::Bool(false));
    let parameters: Vec<String> = told.map(|(n, v)| format!("{n} {}", shown(v))).collect();
    let info = fiedler::graph::GraphInfo::find(&graph.summary.kind);
    let title = info.map_or(graph.summary.kind.as_str(), |i| i.title);
    if parameters.is_empty() { title.to_owned() } else { format!("{title} ({})", parameters.join(", ")) }
}

fn components(graph: &GraphPortrait) -> String {
    let all = graph.summary.health.components;
    if all <= 1 {
        return "1: every sample can be reached from every other".to_owned();
    }
    let sizes: Vec<String> = graph.component_sizes.iter().take(8).map(|s| count(*s)).collect();
    format!("{} (of {}{} samples)", count(all), sizes.join(", "), if all > 8 { ", …" } else { "" })
}

/// Who made a graph that no method asked for.
fn made_for_the_picture(view: &View<'_>, graph: &GraphPortrait) -> String {
    let Some(method) = view.ranking() else { return String::new() };
    let own = method.graph.as_ref().map(|(kind, _)| kind);
    if own == Some(&graph.summary.kind) {
        return String::new();
    }
    let (n, all) = (graph.summary.health.n_samples, view.found.data.n_samples);
    let samples = (n < all).then(|| format!("{} of the {}", count(n), plural(all, "sample")));
    let m = view.found.data.n_features;
    let features = graph.features.map(|few| format!("{} of the {}", count(few), plural(m, "feature")));
    let of: Vec<String> = samples.into_iter().chain(features).collect();
    let of = if of.is_empty() { String::new() } else { format!(", of {}, in even steps", of.join(" and ")) };
    let uses = if own.is_some() { "takes its graph from the labels" } else { "uses none" };
    format!(
        "No ranking depends on it: it was made for these pictures alone{of}, and {} {uses}. ",
        escape(&method.name)
    )
}

fn health_says(graph: &GraphPortrait) -> String {
    let health = &graph.summary.health;
    let largest = graph.component_sizes.first().copied().unwrap_or(0);
    let share = largest as f64 / health.n_samples.max(1) as f64;
    let by_design =
        fiedler::graph::GraphInfo::find(&graph.summary.kind).is_some_and(|i| i.remedies.apart.is_none());
    if health.edges == 0 {
        return "The graph has no edges: nothing on it means anything.".to_owned();
    }
    let classes = graph.same_class.map_or(String::new(), |(same, chance)| {
        format!(
            " {} of its links join two samples of one class ({} would by chance).",
            percent(same),
            percent(chance)
        )
    });
    let hubs = health.median_degree > 0.0 && health.max_degree > HUB * health.median_degree;
    let hubs = hubs.then(|| {
        format!(
            "a few samples are linked far more than others, the most {} times as strongly as the median one",
            number((health.max_degree / health.median_degree).round())
        )
    });
    let one_each = graph.same_class.is_some_and(|(same, _)| same == 1.0);
    let verdict = match (health.components, health.isolated) {
        (1, _) => match hubs {
            None => format!(
                "Nothing speaks against it: all {} are connected, directly or through others, and none is linked far more \
                 than the rest.",
                plural(health.n_samples, "sample")
            ),
            Some(hubs) => {
                format!("With care: all {} are connected, but {hubs}.", plural(health.n_samples, "sample"))
            }
        },
        (c, _) if by_design => format!("It falls into {} pieces, as a graph of this kind should.", count(c)),
        (c, 0) if one_each => format!(
            "Nothing speaks against it: it falls into {} pieces, and each holds samples of one class alone.",
            count(c)
        ),
        (c, isolated) => format!(
            "With care: it falls into {} pieces, the largest with {} of the samples{}. Scores compare samples inside a piece only; \
             more neighbors (<code>--k</code>) join pieces.",
            count(c),
            percent(share),
            if isolated > 0 {
                format!(", {} of them single samples", count(isolated))
            } else {
                String::new()
            }
        ),
    };
    verdict + &classes
}

pub(crate) fn degrees(view: &View<'_>) -> Option<Chart> {
    let graph = view.portrait().graph.as_ref().filter(|g| !g.degree_counts.is_empty())?;
    let health = &graph.summary.health;
    let most = graph.degree_counts.iter().copied().max()? as f64;
    let frame = Frame { left: 58.0, top: 30.0, right: 468.0, bottom: 130.0 };
    let y = Scale::linear((0.0, most), (frame.bottom, frame.top)).whole();
    let x = Scale::linear((health.min_degree, health.max_degree), (frame.left, frame.right));
    let mut chart = Chart::new(480.0, 174.0, "Degrees of the samples").saying(format!(
        "Degrees from {} to {}, median {}.",
        number(health.min_degree),
        number(health.max_degree),
        number(health.median_degree)
    ));
    chart.axis_left(frame, y, "samples");
    let wide = (frame.right - frame.left) / graph.degree_counts.len() as f64;
    for (b, n) in graph.degree_counts.iter().enumerate() {
        let top = y.at(*n as f64);
        let more = data("tip", &plural(*n, "sample"));
        chart.rect("bar", (frame.left + b as f64 * wide + 0.5, top), (wide - 1.0, frame.bottom - top), &more);
    }
    chart.axis_below(frame, x, "degree: how strongly a sample is linked");
    Some(chart)
}
