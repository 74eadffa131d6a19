//! What labels and parameters do: a measure by the number of labels a class, and by every parameter that varies.

use super::accuracy::three;
use super::along::{Along, numbers};
use super::{Panel, figure};
use crate::story::Trended;
use crate::svg::Chart;
use crate::text::{escape, harmless, number};
use crate::view::View;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let all = &view.found.trends;
    let first = all.first()?;
    let figures = all.iter().enumerate().map(|(at, trend)| {
        let id = if at == 0 { "chart-trend".to_owned() } else { format!("chart-trend-{}", at + 1) };
        figure(&draw(trend), &id, &numbers(&trend.measure, trend.along(), &trend.lines))
    });
    let said: Vec<String> =
        all.iter().filter(|trend| trend.measure == first.measure).filter_map(says).collect();
    Some(Panel {
        id: "trend",
        title: "What do labels and parameters change?".to_owned(),
        says: format!("Means over all numbers of features. {}", said.join(" ")),
        body: figures.collect(),
        wide: false,
    })
}

/// The chart by the number of labels, or by the first parameter that varies.
pub(crate) fn chart(view: &View<'_>, by_parameter: bool) -> Option<Chart> {
    view.found.trends.iter().find(|trend| trend.parameter.is_some() == by_parameter).map(draw)
}

/// The line that gets best, and where.
fn says(trend: &Trended) -> Option<String> {
    let mut best: Option<(&str, (f64, f64))> = None;
    for line in &trend.lines {
        let Some(found) = trend.best(line) else { continue };
        let better = |known: f64| match trend.goal {
            fiedler::Goal::Maximize => found.1 > known,
            fiedler::Goal::Minimize => found.1 < known,
        };
        if best.is_none_or(|(_, (_, known))| better(known)) {
            best = Some((&line.name, found));
        }
    }
    let (name, (at, mean)) = best?;
    let (along, measure) = (escape(trend.along()), escape(&trend.measure));
    Some(format!("By {along} the {measure} is best at {} ({}): {}.", number(at), escape(name), three(mean)))
}

fn draw(trend: &Trended) -> Chart {
    let places = || trend.lines.iter().flat_map(|line| &line.points).map(|point| point[0]);
    let ends = (places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max));
    let along = harmless(trend.along());
    Along {
        measure: &trend.measure,
        title: format!("{} by {along}", trend.measure),
        below: format!("{along}; means over all numbers of features"),
        of: trend.along(),
        ends,
        lines: trend.lines.iter().collect(),
        random: trend.random,
        band: false,
    }
    .draw()
}
