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
            row.extend(g.quartiles.iter().map(|q| number(*q)));
            row
        })
    });
    let headings =
        ["feature", "class", "#samples", "#smallest", "#quartile", "#median", "#quartile", "#largest"];
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
    let mut groups: Vec<&Group> = first.groups.iter().collect();
    groups.sort_by(|a, b| a.quartiles[2].total_cmp(&b.quartiles[2]));
    let (low, high) = (groups[0], groups[groups.len() - 1]);
    let class =
        |g: &Group| g.class.map_or(String::new(), |c| name(&view.portrait().samples.classes[c as usize]));
    let apart = low.quartiles[3] < high.quartiles[1];
    format!(
        "On {feature} the median runs from {} ({}) to {} ({}); the middle halves of these two {}.",
        number(low.quartiles[2]),
        class(low),
        number(high.quartiles[2]),
        class(high),
        if apart { "do not touch" } else { "overlap" }
    )
}

fn small(view: &View<'_>, i: usize, found: &Distribution) -> String {
    let mut chart = Chart::new(220.0, 0.0, format!("Values of {}", view.short(found.index, 60)));
    let groups = found.groups.len() as f64;
    let row = if groups > 6.0 {
        15.0
    } else if groups > 1.0 {
        22.0
    } else {
        64.0
    };
    chart.height = groups * row + 20.0;
    chart.says =
        format!("From {} to {}, {} groups.", number(found.low), number(found.high), found.groups.len());
    let wide = 208.0 / found.groups[0].counts.len() as f64;
    for (g, group) in found.groups.iter().enumerate() {
        let base = (g as f64 + 1.0) * row;
        let most = group.counts.iter().copied().max().unwrap_or(1).max(1) as f64;
        let color = if group.class.is_some() { look::class(group.class) } else { "c0".to_owned() };
        let tip = group.class.map_or(String::new(), |c| {
            format!("{}, ", short(&view.portrait().samples.classes[c as usize], 30))
        });
        for (b, n) in group.counts.iter().enumerate().filter(|(_, n)| **n > 0) {
            let high = *n as f64 / most * (row - 3.0);
            let more = data("tip", &format!("{tip}{} of {}", n, group.counts.iter().sum::<usize>()));
            chart.rect(&color, (6.0 + b as f64 * wide, base - high), (wide - 0.6, high), &more);
        }
        chart.line("tick", (6.0, base), (214.0, base));
    }
    chart.text("t tiny", (6.0, chart.height - 5.0), &number(found.low));
    chart.text("t tiny end", (214.0, chart.height - 5.0), &number(found.high));
    format!(
        "<figure><figcaption>{}</figcaption>{}</figure>",
        name(&short(&view.feature(found.index), 60)),
        chart.inline(&format!("chart-values-{i}"))
    )
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
