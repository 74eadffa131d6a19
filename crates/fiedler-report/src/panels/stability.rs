//! How sure: how often each feature is chosen again when the data change a little.

use super::{Panel, figure, table};
use crate::scale::Scale;
use crate::story::Sure;
use crate::svg::{Chart, data};
use crate::text::{count, escape, name, number, percent, plural};
use crate::view::View;

/// Features that are drawn.
const DRAWN: usize = 25;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let report = view.stability()?;
    let chart = chart(view)?;
    let rows = report.order.iter().take(100).map(|&j| {
        let mut row = vec![name(&view.feature(j))];
        for r in &view.found.stability {
            let at = r.order.iter().position(|&k| k == j);
            row.extend(at.map_or([String::new(), String::new()], |at| {
                [percent(r.frequency(at)), percent(r.lower[at])]
            }));
        }
        row.push(if safe(view, j) { "yes" } else { "" }.to_owned());
        row
    });
    let mut columns = vec!["feature"];
    let headings: Vec<[String; 2]> = view
        .found
        .stability
        .iter()
        .map(|r| [format!("#chosen again, {}", r.change), "#at least (95 %)".to_owned()])
        .collect();
    columns.extend(headings.iter().flatten().map(String::as_str));
    columns.push("safe");
    let numbers = table("How often features are chosen again", &columns, rows);
    Some(Panel {
        id: "stability",
        title: "How sure?".to_owned(),
        says: says(view, report),
        body: figure(&chart, "chart-stability", &numbers) + &legend(view),
        wide: false,
    })
}

fn legend(view: &View<'_>) -> String {
    if view.found.stability.len() < 2 {
        return String::new();
    }
    let item = |(c, sure): (usize, &Sure)| {
        format!(
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle class=\"swatch c{c}\" cx=\"5\" cy=\"5\" r=\"5\"/></svg>{}</li>",
            escape(&sure.change)
        )
    };
    let items: String = view.found.stability.iter().enumerate().map(item).collect();
    format!("<ul class=\"legend\">{items}</ul>")
}

/// Whether a feature is safe to report under every change.
pub(crate) fn safe(view: &View<'_>, j: usize) -> bool {
    view.found.stability.iter().all(|r| r.safe.contains(&j))
}

fn says(view: &View<'_>, report: &Sure) -> String {
    let safe = report.safe.iter().filter(|j| safe(view, **j)).count();
    let changes: Vec<String> = view.found.stability.iter().map(|s| s.change.clone()).collect();
    format!(
        "{} of the {} chosen are safe to report: in {} versions of the data ({}) they were chosen again so often that more than \
         {} of all such versions would. Two versions agree by {} beyond chance (1: always the same, 0: as by chance).",
        count(safe),
        count(report.count),
        count(report.repeats * view.found.stability.len()),
        changes.join(", "),
        percent(report.threshold),
        number((report.kuncheva * 100.0).round() / 100.0)
    )
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let report = view.stability()?;
    let order: Vec<usize> = report.order.iter().copied().take(DRAWN.min(report.count + 8)).collect();
    let (left, row, top) = (160.0, 17.0, 26.0);
    let bottom = top + row * order.len() as f64;
    let x = Scale::linear((0.0, 1.0), (left, 460.0));
    let mut chart = Chart::new(480.0, bottom + 44.0, "How often features are chosen again").saying(format!(
        "{} features, {} versions.",
        order.len(),
        plural(report.repeats, "version")
    ));
    for tick in x.ticks(5) {
        chart.line("grid", (x.at(tick), top - 4.0), (x.at(tick), bottom));
        chart.text("t mid", (x.at(tick), bottom + 16.0), &percent(tick));
    }
    chart.line("mark", (x.at(report.threshold), top - 6.0), (x.at(report.threshold), bottom));
    chart.text("t mid tiny", (x.at(report.threshold), top - 10.0), "safe above");
    for (r, &j) in order.iter().enumerate() {
        let y = top + (r as f64 + 0.5) * row;
        let is_safe = safe(view, j);
        chart.text(if is_safe { "end strong" } else { "t end" }, (left - 9.0, y + 4.0), &view.short(j, 22));
        for (c, report) in view.found.stability.iter().enumerate() {
            let Some(at) = report.order.iter().position(|&k| k == j) else { continue };
            let tip = format!(
                "{}: chosen in {} of {} ({})",
                view.short(j, 50),
                report.times[at],
                report.repeats,
                report.change
            );
            let y = if view.found.stability.len() > 1 { y + (c as f64 - 0.5) * 5.0 } else { y };
            let (low, share) = (x.at(report.lower[at]), x.at(report.frequency(at)));
            chart.line("whisker", (low, y), (share, y));
            chart.dot(&format!("p c{c}"), (share, y), 4.0, &data("tip", &tip));
        }
    }
    chart.text(
        "t mid",
        ((left + 460.0) / 2.0, bottom + 34.0),
        "chosen again; the line reaches down to the 95 % bound",
    );
    Some(chart)
}
