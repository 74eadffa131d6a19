//! One source against another: what is measured by the coefficient (DIS, figure 5.5c).

use super::accuracy::three;
use super::along::Along;
use super::{Panel, figure};
use crate::story::{Swept, SweptLine};
use crate::svg::Chart;
use crate::text::{escape, harmless, name, number, short};
use crate::view::View;

/// Numbers of features that have a line of their own.
const DRAWN: usize = 4;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let all = &view.found.sweep;
    let first = all.first()?;
    let figures = all.iter().enumerate().map(|(at, swept)| {
        let id = if at == 0 { "chart-sweep".to_owned() } else { format!("chart-sweep-{}", at + 1) };
        figure(&draw(swept), &id, &numbers(swept))
    });
    Some(Panel {
        id: "sweep",
        title: "One source against another".to_owned(),
        says: says(first),
        body: figures.collect(),
        wide: false,
    })
}

/// The chart of the first measure, or of hits.
pub(crate) fn chart(view: &View<'_>, hits: bool) -> Option<Chart> {
    let all = &view.found.sweep;
    let swept = if hits { all.iter().find(|swept| swept.is_of_hits()) } else { all.first() };
    swept.map(draw)
}

fn says(swept: &Swept) -> String {
    let (of, against) = (name(&swept.of), name(&swept.against));
    let mut text = format!("{} by the coefficient of {of}; {against} has the rest. ", escape(&swept.measure));
    let line = swept.lines.first();
    if let Some((best, (zero, one))) = line.and_then(|line| Some((swept.best(line)?, line.ends()?))) {
        let mean = if swept.lines.len() > 1 { ", the mean over all numbers of features" } else { "" };
        text += &format!(
            "Best at {}: {}{mean}; {against} alone {}, {of} alone {}.",
            number(best.0),
            three(best.1),
            three(zero),
            three(one)
        );
    }
    if let Some(random) = swept.random {
        text += &format!(" At random: {}.", three(random));
    }
    if !swept.left_out.is_empty() {
        let others: Vec<String> = swept.left_out.iter().map(|other| name(other)).collect();
        text += &format!(" Other sources take no part: {}.", others.join(", "));
    }
    text
}

fn numbers(swept: &Swept) -> String {
    super::along::numbers(&swept.measure, "coefficient", &swept.lines)
}

/// The lines that are drawn: the mean over all numbers of features, and a few of those, evenly picked.
fn drawn(swept: &Swept) -> Vec<&SweptLine> {
    let Some((mean, counts)) = swept.lines.split_first() else { return Vec::new() };
    let few = counts.len().min(DRAWN);
    let pick = |i: usize| &counts[if few < 2 { 0 } else { i * (counts.len() - 1) / (few - 1) }];
    std::iter::once(mean).chain((0..few).map(pick)).collect()
}

fn draw(swept: &Swept) -> Chart {
    let [of, against] = [&swept.of, &swept.against].map(|source| short(&harmless(source), 16));
    Along {
        measure: &swept.measure,
        title: format!("{} by the coefficient of {}", swept.measure, harmless(&swept.of)),
        below: format!("coefficient of {of}; the rest: {against}"),
        of: &swept.of,
        ends: (0.0, 1.0),
        lines: drawn(swept),
        random: swept.random,
        // The band is that of the first line; the others would cover it.
        band: true,
    }
    .draw()
}
