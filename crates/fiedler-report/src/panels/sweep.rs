//! One source against another: what is measured by the coefficient (DIS, figure 5.5c).

use super::accuracy::{beside, limits, three};
use super::{Panel, figure, table};
use crate::scale::Scale;
use crate::story::{Swept, SweptLine};
use crate::svg::{Chart, Frame, data};
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
    let mut headings = vec!["#coefficient".to_owned()];
    headings.extend(swept.lines.iter().map(|line| format!("#{}", line.name)));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let coefficients = swept.lines.iter().max_by_key(|line| line.points.len());
    let rows = coefficients.into_iter().flat_map(|line| &line.points).map(|[at, ..]| {
        let cell = |line: &SweptLine| {
            let point = line.points.iter().find(|point| point[0] == *at);
            point.map_or(String::new(), |[_, mean, sd]| format!("{} ± {}", three(*mean), three(*sd)))
        };
        std::iter::once(number(*at)).chain(swept.lines.iter().map(cell)).collect()
    });
    table(&swept.measure, &headings, rows)
}

/// The lines that are drawn: the mean over all numbers of features, and a few of those, evenly picked.
fn drawn(swept: &Swept) -> Vec<&SweptLine> {
    let Some((mean, counts)) = swept.lines.split_first() else { return Vec::new() };
    let few = counts.len().min(DRAWN);
    let pick = |i: usize| &counts[if few < 2 { 0 } else { i * (counts.len() - 1) / (few - 1) }];
    std::iter::once(mean).chain((0..few).map(pick)).collect()
}

/// The scale of the values: those of all lines, and the band of the first. Before it where the band ends.
fn upright(swept: &Swept, lines: &[&SweptLine], frame: Frame) -> ((f64, f64), Scale) {
    let (floor, ceiling) = limits(lines.iter().flat_map(|line| &line.points).map(|[_, mean, _]| *mean));
    let reach = |line: &SweptLine, side: f64| -> Vec<f64> {
        line.points.iter().map(|[_, mean, sd]| (mean + side * sd).max(floor).min(ceiling)).collect()
    };
    // The band is that of the first line; the others would cover it.
    let first = lines.first().into_iter().flat_map(|line| [reach(line, -1.0), reach(line, 1.0)]).flatten();
    let values = || lines.iter().flat_map(|line| reach(line, 0.0)).chain(swept.random);
    let ends = first
        .chain(values())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let room = 0.04 * (ends.1 - ends.0);
    let scale = Scale::linear((ends.0 - room, ends.1 + room), (frame.bottom, frame.top));
    ((floor, ceiling), scale)
}

fn draw(swept: &Swept) -> Chart {
    let frame = Frame { left: 58.0, top: 34.0, right: 372.0, bottom: 246.0 };
    let lines = drawn(swept);
    let ((floor, ceiling), y) = upright(swept, &lines, frame);
    let x = Scale::linear((0.0, 1.0), (frame.left + 4.0, frame.right));
    let title = format!("{} by the coefficient of {}", swept.measure, harmless(&swept.of));
    let steps = lines.first().map_or(0, |line| line.points.len());
    let mut chart =
        Chart::new(480.0, 290.0, title).saying(format!("{steps} coefficients, {} lines.", lines.len()));
    chart.axis_left(frame, y, &swept.measure);
    let [of, against] = [&swept.of, &swept.against].map(|source| short(&harmless(source), 16));
    chart.axis_below(frame, x, &format!("coefficient of {of}; the rest: {against}"));
    let mut ends = Vec::new();
    for (c, line) in lines.iter().enumerate() {
        let at = |offset: f64| -> Vec<(f64, f64)> {
            let value = |mean: f64, sd: f64| (mean + offset * sd).max(floor).min(ceiling);
            line.points.iter().map(|[at, mean, sd]| (x.at(*at), y.at(value(*mean, *sd)))).collect()
        };
        if c == 0 {
            chart.band("band c0", &at(1.0), &at(-1.0));
        }
        chart.polyline(&format!("ln s{c}"), at(0.0));
        for ([coefficient, mean, sd], place) in line.points.iter().zip(at(0.0)) {
            let tip = format!(
                "{} {}, {}: {} ± {}",
                swept.of,
                number(*coefficient),
                line.name,
                three(*mean),
                three(*sd)
            );
            chart.dot(&format!("p c{c}"), place, if c == 0 { 3.4 } else { 2.4 }, &data("tip", &tip));
        }
        ends.extend(at(0.0).last().map(|place| (place.1, line.name.clone(), format!("c{c}"))));
    }
    if let Some(random) = swept.random {
        chart.polyline("ln s9 dash", [(frame.left, y.at(random)), (frame.right, y.at(random))]);
        ends.push((y.at(random), "random".to_owned(), "c9".to_owned()));
    }
    beside(&mut chart, frame.right + 8.0, ends, (frame.top, frame.bottom));
    chart
}
