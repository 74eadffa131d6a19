//! How the values of the best features are distributed, by class where there are classes.

use fiedler::portrait::{Distribution, Group};

use super::{Panel, folded, table};
use crate::look;
use crate::svg::{Chart, data};
use crate::text::{count, escape, name, number, short};
use crate::view::View;

/// Features that are drawn.
const DRAWN: usize = 12;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let all = &view.portrait().distributions;
    if all.is_empty() {
        return None;
    }
    let drawn: String = all.iter().take(DRAWN).enumerate().map(|(i, d)| small(view, i, d)).collect();
    let class = |group: &Group| {
        group.class.map_or("all".to_owned(), |c| view.portrait().samples.classes[c as usize].clone())
    };
    let rows = all.iter().flat_map(|d| {
        d.groups.iter().map(move |g| {
            let mut row = vec![name(&view.feature(d.index)), name(&class(g)), count(g.counts.iter().sum())];
            row.extend(g.quartiles.iter().chain([&g.mean]).map(|q| number(*q)));
            row
        })
    });
    let headings = [
        "feature",
        "class",
        "#samples",
        "#smallest",
        "#quartile",
        "#median",
        "#quartile",
        "#largest",
        "#mean",
    ];
    let numbers = folded("Distributions", &table("Quartiles of the best features", &headings, rows));
    Some(Panel {
        id: "distributions",
        title: "Their values".to_owned(),
        says: says(view, all),
        body: format!("<div class=\"multiples\">{drawn}</div>{}{numbers}", legend(view)),
        wide: true,
    })
}

/// Which class lies furthest from the others on the first feature, in its own interquartile ranges.
fn says(view: &View<'_>, all: &[Distribution]) -> String {
    let first = &all[0];
    let feature = name(&view.feature(first.index));
    if first.groups.len() < 2 {
        let q = first.groups.first().map_or([0.0; 5], |g| g.quartiles);
        return format!(
            "Half of the values of {feature} lie between {} and {}, the median is {}.",
            number(q[1]),
            number(q[3]),
            number(q[2])
        );
    }
    let by = |of: fn(&Group) -> f64| -> (&Group, &Group) {
        let mut groups: Vec<&Group> = first.groups.iter().collect();
        groups.sort_by(|a, b| of(a).total_cmp(&of(b)));
        (groups[0], groups[groups.len() - 1])
    };
    let class =
        |g: &Group| g.class.map_or(String::new(), |c| bdi(&view.portrait().samples.classes[c as usize]));
    let (low, high) = by(|g| g.quartiles[2]);
    if low.quartiles[2] == high.quartiles[2] {
        // Medians that are all the same, as those of counts that are mostly 0, tell no class from another.
        let (low, high) = by(|g| g.mean);
        return format!(
            "On {feature} the mean runs from {} ({}) to {} ({}); the median is {} in every class.",
            number(low.mean),
            class(low),
            number(high.mean),
            class(high),
            number(low.quartiles[2])
        );
    }
    let apart = low.quartiles[3] < high.quartiles[1];
    format!(
        "On {feature} the median runs from {} ({}) to {} ({}); their middle halves (first to third quartile) {}.",
        number(low.quartiles[2]),
        class(low),
        number(high.quartiles[2]),
        class(high),
        if apart { "do not overlap" } else { "overlap" }
    )
}

fn bdi(class: &str) -> String {
    format!("<bdi class=\"name\">{}</bdi>", escape(&crate::text::class(class)))
}

fn small(view: &View<'_>, i: usize, found: &Distribution) -> String {
    let mut chart = Chart::new(220.0, height(found), format!("Values of {}", view.short(found.index, 60)));
    chart.says =
        format!("From {} to {}, {} groups.", number(found.low), number(found.high), found.groups.len());
    histograms(&mut chart, view, found, (0.0, 0.0));
    format!(
        "<figure{}><figcaption>{}</figcaption>{}</figure>",
        view.mark(found.index),
        name(&short(&view.feature(found.index), 60)),
        chart.inline(&format!("chart-values-{i}"))
    )
}

/// The first of them as one chart, two side by side.
pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let all: Vec<&Distribution> = view.portrait().distributions.iter().take(DRAWN / 2).collect();
    let tallest = all.iter().map(|d| height(d)).fold(0.0f64, f64::max);
    let row = tallest + 30.0;
    let classes = &view.portrait().samples.classes;
    let several = all.first()?.groups.len() > 1;
    let rows = all.len().div_ceil(2) as f64;
    let top = if several { 20.0 * classes.len().div_ceil(4) as f64 + 6.0 } else { 0.0 };
    let mut chart = Chart::new(480.0, top + rows * row, "Values of the best features")
        .saying(format!("Histograms of {} features.", all.len()));
    if several {
        for (c, class) in classes.iter().enumerate() {
            let at = (6.0 + (c % 4) as f64 * 118.0, 6.0 + (c / 4) as f64 * 20.0);
            chart.rect(&look::class(Some(c as u32)), at, (10.0, 10.0), "");
            let word = crate::text::fit(&crate::text::harmless(class), 98.0);
            chart.text("t", (at.0 + 15.0, at.1 + 9.5), &word);
        }
    }
    for (i, found) in all.iter().enumerate() {
        let at = ((i % 2) as f64 * 248.0, top + (i / 2) as f64 * row + 18.0);
        chart.text("strong", (at.0 + 6.0, at.1 - 4.0), &view.label(found.index, 208.0));
        histograms(&mut chart, view, found, at);
    }
    Some(chart)
}

/// Pixels of a group.
fn row(found: &Distribution) -> f64 {
    match found.groups.len() {
        0 | 1 => 64.0,
        2..=6 => 22.0,
        _ => 15.0,
    }
}

fn height(found: &Distribution) -> f64 {
    found.groups.len() as f64 * row(found) + 20.0
}

/// The histograms of a feature, one a group, below one another.
fn histograms(chart: &mut Chart, view: &View<'_>, found: &Distribution, (left, top): (f64, f64)) {
    let row = row(found);
    for (g, group) in found.groups.iter().enumerate() {
        let wide = 208.0 / group.counts.len() as f64;
        let base = top + (g as f64 + 1.0) * row;
        let most = group.counts.iter().copied().max().unwrap_or(1).max(1) as f64;
        let color = if group.class.is_some() { look::class(group.class) } else { "c0".to_owned() };
        let tip = group.class.map_or(String::new(), |c| {
            format!("{}, ", short(&view.portrait().samples.classes[c as usize], 30))
        });
        for (b, n) in group.counts.iter().enumerate().filter(|(_, n)| **n > 0) {
            let high = *n as f64 / most * (row - 3.0);
            let more = data("tip", &format!("{tip}{} of {}", n, group.counts.iter().sum::<usize>()));
            chart.rect(&color, (left + 6.0 + b as f64 * wide, base - high), (wide - 0.6, high), &more);
        }
        chart.line("tick", (left + 6.0, base), (left + 214.0, base));
    }
    let below = top + height(found) - 5.0;
    chart.text("t tiny", (left + 6.0, below), &number(found.low));
    chart.text("t tiny end", (left + 214.0, below), &number(found.high));
}

fn legend(view: &View<'_>) -> String {
    let classes = &view.portrait().samples.classes;
    if view.portrait().distributions.iter().all(|d| d.groups.len() < 2) {
        return String::new();
    }
    let item = |(c, class): (usize, &String)| {
        format!(
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"swatch {}\" width=\"10\" height=\"10\"/></svg><bdi>{}</bdi></li>",
            look::class(Some(c as u32)),
            escape(&short(class, 30))
        )
    };
    let items: String = classes.iter().enumerate().map(item).collect();
    format!("<ul class=\"legend\" aria-label=\"Classes, from top to bottom\">{items}</ul>")
}
