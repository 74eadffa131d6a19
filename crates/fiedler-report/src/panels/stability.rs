//! How sure: how often each feature is chosen again when the data change a little.

use super::{Panel, figure, table};
use crate::panels_said::SAME;
use crate::scale::Scale;
use crate::story::Sure;
use crate::svg::{Chart, data};
use crate::text::{count, escape, name, number, percent, plural};
use crate::view::View;

/// Features that are drawn.
const DRAWN: usize = 25;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let report = view.found.stability.first()?;
    let chart = chart(view)?;
    let rows = report.order.iter().take(100).map(|&j| {
        let mut row = vec![name(&view.feature(j))];
        for r in &view.found.stability {
            let at = r.order.iter().position(|&k| k == j);
            row.extend(at.map_or([String::new(), String::new()], |at| {
                [percent(r.frequency(at)), format!("{} to {}", percent(r.lower[at]), percent(r.upper[at]))]
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
        .map(|r| [format!("#chosen again, {}", r.change), "#90 % interval".to_owned()])
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

/// The colors of the changes, and what these are, where there are several.
pub(crate) fn key(view: &View<'_>) -> Vec<(String, String)> {
    let several = view.found.stability.iter().filter(|_| view.found.stability.len() > 1);
    several.enumerate().map(|(c, sure)| (format!("c{c}"), sure.change.clone())).collect()
}

fn legend(view: &View<'_>) -> String {
    let item = |(color, change): &(String, String)| {
        format!(
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle class=\"swatch {color}\" cx=\"5\" cy=\"5\" r=\"5\"/></svg>{}</li>",
            escape(change)
        )
    };
    let items: String = key(view).iter().map(item).collect();
    if items.is_empty() { items } else { format!("<ul class=\"legend\">{items}</ul>") }
}

/// Whether a feature is safe to report under every change.
fn safe(view: &View<'_>, j: usize) -> bool {
    view.found.safe.contains(&j)
}

/// That some of the chosen have copies, where they do: a copy may be chosen in place of the other in every version.
fn copied(view: &View<'_>) -> String {
    let like = view.portrait().features.iter().filter(|f| !f.kept).filter_map(|f| f.alike);
    let mut copied: Vec<usize> = like.filter(|a| a.correlation.abs() >= SAME).map(|a| a.index).collect();
    copied.sort_unstable();
    copied.dedup();
    match copied.len() {
        0 => String::new(),
        1 => format!(
            " One of them has a copy among the others (correlation {SAME} or more), and copies take each other's place."
        ),
        n => format!(
            " {} of them have copies among the others (correlation {SAME} or more), and copies take each other's place.",
            count(n)
        ),
    }
}

fn says(view: &View<'_>, report: &Sure) -> String {
    let changes: Vec<String> = view.found.stability.iter().map(|s| s.change.clone()).collect();
    let versions =
        format!("{} versions ({})", count(report.repeats * view.found.stability.len()), changes.join(", "));
    let threshold = percent(report.threshold);
    let whatever = if view.found.stability.len() > 1 { ", whatever the change" } else { "" };
    let safe = match view.found.safe.len() {
        0 => format!(
            "None of the {} chosen is safe to report: of none are we 95 % sure that more than {threshold} of such \
             versions of the data would choose it again{whatever}. {versions} were tried",
            count(report.count)
        ),
        n => format!(
            "{} of the {} chosen {} safe to report: we are 95 % sure that more than {threshold} of such versions of the \
             data would choose {} again{whatever}. {versions} were tried",
            count(n),
            count(report.count),
            if n == 1 { "is" } else { "are" },
            if n == 1 { "it" } else { "each of them" }
        ),
    };
    let agree: Vec<String> = view
        .found
        .stability
        .iter()
        .map(|s| format!("{} with {}", number((s.kuncheva * 100.0).round() / 100.0), s.change))
        .collect();
    let copied = copied(view);
    format!(
        "{safe}. Safe means that this method chooses a feature again, not that it matters.{copied} Two versions agree beyond chance by {} (1: always the same, 0: as by chance).",
        crate::text::list(&agree)
    )
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let report = view.found.stability.first()?;
    let order: Vec<usize> = report.order.iter().copied().take(DRAWN.min(report.count + 8)).collect();
    let (left, row, top) = (160.0, 17.0, 26.0);
    let bottom = top + row * order.len() as f64;
    let x = Scale::linear((0.0, 1.0), (left, 460.0));
    let mut chart = Chart::new(480.0, bottom + 44.0, "How often features are chosen again").saying(format!(
        "{}, {}.",
        plural(order.len(), "feature"),
        plural(report.repeats, "version")
    ));
    for tick in x.ticks(5) {
        chart.line("grid", (x.at(tick), top - 4.0), (x.at(tick), bottom));
        chart.text("t mid", (x.at(tick), bottom + 16.0), &percent(tick));
    }
    chart.line("mark", (x.at(report.threshold), top - 6.0), (x.at(report.threshold), bottom));
    chart.text("t mid tiny", (x.at(report.threshold), top - 10.0), "safe: all of the line above");
    for (r, &j) in order.iter().enumerate() {
        let y = top + (r as f64 + 0.5) * row;
        let is_safe = safe(view, j);
        let class = if is_safe { "end strong" } else { "t end" };
        chart.label(class, (left - 9.0, y + 4.0), &view.label(j, left - 12.0), &view.mark(j));
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
            chart.line("whisker", (x.at(report.lower[at]), y), (x.at(report.upper[at]), y));
            let more = data("tip", &tip) + &view.mark(j);
            chart.dot(&format!("p c{c}"), (x.at(report.frequency(at)), y), 4.0, &more);
        }
    }
    chart.text("t mid", (240.0, bottom + 34.0), "share of versions that chose it, and its 90 % interval");
    Some(chart)
}
