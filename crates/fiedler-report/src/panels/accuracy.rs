//! Is it any good: a measure against the number of features, with random selection and all features beside.

use fiedler::eval::CurveKind;

use super::{Panel, figure, table};
use crate::scale::Scale;
use crate::story::{Answer, Line, Measured, Spot};
use crate::svg::{Chart, Frame, data};
use crate::text::{count, escape, number, plural};
use crate::view::View;

/// So many curves have bands at most, which would cover each other else; the numbers tell the spread of all.
const BANDS: usize = 9;

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    of("accuracy", "Is it any good?", &view.accuracy())
}

/// A further measure of the protocol.
pub(crate) fn information(view: &View<'_>) -> Option<Panel> {
    of("information", "And by mutual information?", &view.information())
}

/// Features that are known to matter, beside what else is measured.
pub(crate) fn hits(view: &View<'_>) -> Option<Panel> {
    of("hits", "Does it find what is known?", &view.hits())
}

/// A figure for every number of labels; what is said is of the first of them.
fn of(id: &'static str, title: &str, all: &[&Measured]) -> Option<Panel> {
    let first = all.first()?;
    let name = |at: usize| if at == 0 { format!("chart-{id}") } else { format!("chart-{id}-{}", at + 1) };
    let body = all.iter().enumerate().map(|(at, measured)| shown(measured, &name(at))).collect();
    Some(Panel { id, title: title.to_owned(), says: says(first), body, wide: false })
}

fn shown(measured: &Measured, id: &str) -> String {
    let chart = draw(measured);
    let counts: Vec<String> = measured.counts.iter().map(|c| format!("#{}", count(*c))).collect();
    let mut columns = vec!["selection"];
    columns.extend(counts.iter().map(String::as_str));
    let rows = measured.curves.iter().filter(|c| c.kind != CurveKind::All.name()).map(|curve| {
        let mut row = vec![escape(&words(curve))];
        row.extend(measured.counts.iter().map(|count| {
            let Some(p) = curve.points.iter().find(|p| p.count == *count) else { return "–".to_owned() };
            let mark = if p.best { "<b>" } else { "" };
            format!("{mark}{}{}", spot(measured, p), if p.best { "</b>" } else { "" })
        }));
        row
    });
    let all = measured.of_kind(CurveKind::All).and_then(|c| c.points.first()).map(|p| {
        let of = plural(measured.n_features, "feature");
        format!("<p class=\"note\">All {of}: {}.{}</p>", spot(measured, p), legend(measured))
    });
    let numbers = table(&measured.title(), &columns, rows);
    figure(&chart, id, &numbers) + &all.unwrap_or_default()
}

/// What ± is, where a spread is told.
fn legend(measured: &Measured) -> String {
    let told = measured.curves.iter().flat_map(|curve| &curve.points).any(|point| point.sd > 0.0);
    if has_spread(measured) && told {
        format!(" ± is the standard deviation over {}.", plural(measured.n_partitions, "partition"))
    } else {
        String::new()
    }
}

/// Whether there is more than one partition: one alone says nothing of the spread, and that of random rankings in it is another.
fn has_spread(measured: &Measured) -> bool {
    measured.n_partitions > 1
}

/// The value of a point, with its spread where there is one.
fn spot(measured: &Measured, point: &Spot) -> String {
    with_spread(point.mean, if has_spread(measured) { point.sd } else { 0.0 })
}

/// `0.950 ± 0.012`; one value has no spread.
pub(super) fn with_spread(mean: f64, sd: f64) -> String {
    if sd > 0.0 { format!("{} ± {}", three(mean), three(sd)) } else { three(mean) }
}

fn says(measured: &Measured) -> String {
    let Some(verdict) = &measured.verdict else {
        return format!("{}, {}.", escape(&measured.title()), measured.goal.in_words());
    };
    let all = verdict
        .all
        .as_ref()
        .map_or(String::new(), |all| format!("; all {}: {}", count(all.count), three(all.mean)));
    format!(
        "{}, {}: with {} by {} it is {}, {}. As many at random: {}{all}.",
        escape(&measured.title()),
        measured.goal.in_words(),
        plural(verdict.enough.count, "feature"),
        escape(&verdict.enough.name),
        spot(measured, &verdict.enough),
        best(measured, verdict),
        three(verdict.random.mean)
    )
}

/// Where the point that is enough stands beside the best.
fn best(measured: &Measured, verdict: &Answer) -> String {
    let (enough, best) = (&verdict.enough, &verdict.best);
    if enough.name != best.name || enough.count != best.count {
        return format!(
            "within one standard error of the best point ({} at {})",
            three(best.mean),
            count(best.count)
        );
    }
    let is_last = measured.counts.last() == Some(&enough.count) && enough.count < measured.n_features;
    let more = if is_last { ", and the largest number tried: more may be better" } else { "" };
    format!("the best point{more}")
}

pub(super) fn three(v: f64) -> String {
    if v.is_finite() && v.abs() < 10.0 { format!("{v:.3}").replacen('-', "−", 1) } else { number(v) }
}

fn words(curve: &Line) -> String {
    match curve.kind.as_str() {
        "worst" => format!("{} (last features)", curve.name),
        _ => curve.name.clone(),
    }
}

/// The name at the end of a line, where there is little room: of the only method that varies its values alone.
fn at_its_end(curve: &Line, all: &[Line]) -> String {
    let method = |line: &Line| line.values.as_ref().map(|values| line.name.replacen(values.as_str(), "", 1));
    let mut methods: Vec<String> = all.iter().filter_map(method).collect();
    methods.dedup();
    curve.values.clone().filter(|_| methods.len() == 1).unwrap_or_else(|| words(curve))
}

/// Where spreads end: what is measured has no value above 1, and none below 0 where no mean is (an R² may be negative).
pub(super) fn limits(means: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = means.fold((0.0f64, 1.0f64), |(low, high), mean| (low.min(mean), high.max(mean)));
    (if low < 0.0 { f64::NEG_INFINITY } else { 0.0 }, if high > 1.0 { f64::INFINITY } else { 1.0 })
}

/// The scale of the values, and the smallest and the largest that are drawn.
fn upright(measured: &Measured, frame: Frame) -> ((f64, f64), Scale) {
    let points = || measured.curves.iter().flat_map(|c| &c.points);
    let low = points().map(|s| s.mean - s.sd).fold(f64::INFINITY, f64::min);
    let high = points().map(|s| s.mean + s.sd).fold(f64::NEG_INFINITY, f64::max);
    let (floor, ceiling) = limits(points().map(|s| s.mean));
    let ends = (low.max(floor), high.min(ceiling));
    (ends, Scale::linear(ends, (frame.bottom, frame.top)))
}

pub(crate) fn draw(measured: &Measured) -> Chart {
    let frame = Frame { left: 58.0, top: 34.0, right: 372.0, bottom: 246.0 };
    let ((floor, ceiling), y) = upright(measured, frame);
    let counts = &measured.counts;
    let end = |count: Option<&usize>| count.map_or(1.0, |count| *count as f64);
    let ends = (end(counts.first()), end(counts.last()));
    let wide = ends.1 / ends.0 > 12.0;
    let across = (frame.left + 4.0, frame.right);
    let x = if wide { Scale::log(ends, across) } else { Scale::linear(ends, across).whole() };
    let mut chart = Chart::new(480.0, 290.0, format!("{} against the number of features", measured.title()))
        .saying(format!("{} curves over {} counts.", measured.curves.len(), counts.len()));
    chart.axis_left(frame, y, &measured.title());
    chart.axis_below(frame, x, "features");
    let mut ends: Vec<(f64, String, String)> = Vec::new();
    let lines = measured.curves.iter().filter(|c| c.kind != CurveKind::All.name());
    for (c, curve) in lines.enumerate() {
        let color = if curve.kind == CurveKind::Random.name() { 9 } else { c % 9 };
        let finite: Vec<_> = curve.points.iter().collect();
        let line = |offset: f64| -> Vec<(f64, f64)> {
            let value = |p: &Spot| (p.mean + offset * p.sd).max(floor).min(ceiling);
            finite.iter().map(|p| (x.at(p.count as f64), y.at(value(p)))).collect()
        };
        if measured.curves.len() <= BANDS && has_spread(measured) {
            chart.band(&format!("band c{color}"), &line(1.0), &line(-1.0));
        }
        let dash = if matches!(curve.kind.as_str(), "random" | "worst") { " dash" } else { "" };
        chart.polyline(&format!("ln s{color}{dash}"), line(0.0));
        for (p, at) in finite.iter().zip(line(0.0)) {
            let value = spot(measured, p);
            let tip = format!("{}, {}: {value}", words(curve), plural(p.count, "feature"));
            chart.dot(&format!("p c{color}"), at, 3.4, &data("tip", &tip));
        }
        ends.extend(
            line(0.0).last().map(|at| (at.1, at_its_end(curve, &measured.curves), format!("c{color}"))),
        );
    }
    if let Some(all) = measured.of_kind(CurveKind::All).and_then(|c| c.points.first()) {
        let at = y.at(all.mean);
        chart.line("mark", (frame.left, at), (frame.right, at));
        ends.push((at, format!("all {}", count(all.count)), "acc".to_owned()));
    }
    beside(&mut chart, frame.right + 8.0, ends, (frame.top, frame.bottom));
    chart
}

/// Names at the ends of lines, pushed apart where they would cover each other.
pub(super) fn beside(
    chart: &mut Chart,
    x: f64,
    mut ends: Vec<(f64, String, String)>,
    (top, bottom): (f64, f64),
) {
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let step = 14.0;
    let mut next = top;
    for end in &mut ends {
        end.0 = end.0.max(next);
        next = end.0 + step;
    }
    // Only those that would end below are pushed up, and those that they meet.
    let mut last = bottom;
    for end in ends.iter_mut().rev() {
        end.0 = end.0.min(last);
        last = end.0 - step;
    }
    for (y, word, class) in ends {
        chart.text(
            &format!("{class} strong tiny"),
            (x, y + 4.0),
            &crate::text::short(&crate::text::harmless(&word), 16),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_has_no_spread() {
        assert_eq!(with_spread(0.95, 0.012), "0.950 ± 0.012");
        assert_eq!(with_spread(0.95, 0.0), "0.950");
    }

    #[test]
    fn spreads_end_where_values_do() {
        assert_eq!(limits([0.2, 0.98].into_iter()), (0.0, 1.0));
        assert_eq!(limits([-0.3, 0.4].into_iter()), (f64::NEG_INFINITY, 1.0));
        assert_eq!(limits([0.1, 1.5].into_iter()), (0.0, f64::INFINITY));
    }
}
