//! The samples in the leading eigenvectors, by label or by the chosen feature; all features against the kept ones.

use std::collections::BTreeMap;

use fiedler::portrait::{Map, Parts};

use super::{Panel, folded, table};
use crate::look;
use crate::scale::Scale;
use crate::svg::{Chart, Frame};
use crate::text::{count, escape, number, percent, plural, short};
use crate::view::View;

/// Classes whose names stand on the picture.
const NAMED: usize = look::CLASSES;

/// Dots on one spot from which on they are drawn side by side, or a twentieth of all where that is more.
const CROWD: usize = 8;
/// Where the name of a class may stand, seen from the middle of its samples: the first that is free.
const ABOUT: [(f64, f64); 9] = [
    (0.0, -11.0),
    (0.0, 13.0),
    (0.0, 0.0),
    (26.0, -11.0),
    (-26.0, -11.0),
    (26.0, 13.0),
    (-26.0, 13.0),
    (0.0, -26.0),
    (0.0, 28.0),
];
/// How far from their spot at most.
const WIDEST: f64 = 40.0;

/// How the axes are drawn.
const ROOTS: &str = "<p class=\"note\">Axes show signed square roots of the values, so that samples near 0 can be told apart.</p>";

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let map = view.portrait().map.as_ref().filter(|m| m.axes.len() > 1)?;
    let first = chart(view, map, "all features")?;
    let kept = view.portrait().map_of_kept.as_ref().filter(|m| m.axes.len() > 1);
    let second = kept.and_then(|m| chart(view, m, "kept features alone"));
    let pictures = match &second {
        Some(second) => format!(
            "<div class=\"pair\"><figure><figcaption class=\"soft\">In a graph of {}</figcaption>{}</figure>\
             <figure><figcaption class=\"soft\">In a graph of the {} alone</figcaption>{}</figure></div>",
            looked_at(view),
            first.inline("chart-samples"),
            plural(view.kept().count(), "kept feature"),
            second.inline("chart-samples-kept")
        ),
        None => format!("<figure>{}</figure>", first.inline("chart-samples")),
    };
    Some(Panel {
        id: "samples",
        title: "Samples".to_owned(),
        says: says(view, map) + &pieces(view),
        body: controls(view, map) + &pictures + &legend(view) + ROOTS + &numbers(view, map),
        wide: true,
    })
}

/// The features that the graph of the first picture was made of.
fn looked_at(view: &View<'_>) -> String {
    match view.portrait().graph.as_ref().and_then(|g| g.features) {
        Some(few) => {
            format!("{} of the {}, in even steps", count(few), plural(view.found.data.n_features, "feature"))
        }
        None => "all features".to_owned(),
    }
}

/// Why the samples are few dots in the second picture, where they are.
fn pieces(view: &View<'_>) -> String {
    match view.portrait().map_of_kept.as_ref().filter(|m| m.axes.len() > 1).map(|m| m.components) {
        Some(pieces) if pieces > 1 => format!(
            " The graph of the {} alone falls into {} pieces, and all samples of a piece lie on one spot there: they are drawn side by side.",
            plural(view.kept().count(), "kept feature"),
            count(pieces)
        ),
        _ => String::new(),
    }
}

fn says(view: &View<'_>, map: &Map) -> String {
    let drawn = view.portrait().samples.indices.len();
    let all = view.found.data.n_samples;
    let some = if drawn < all {
        format!("{} of {} samples, in even steps", count(drawn), count(all))
    } else {
        plural(all, "sample")
    };
    let explained = |axis: &fiedler::portrait::Axis| match axis.parts {
        Parts::Classes { explained, .. }
        | Parts::ManyClasses { explained, .. }
        | Parts::Ordered { explained, .. } => Some(explained),
        _ => None,
    };
    let best = map.axes.iter().filter_map(|a| Some((a, explained(a)?))).fold(
        None,
        |best: Option<(&_, f64)>, (a, e)| {
            if best.is_none_or(|b| e > b.1) { Some((a, e)) } else { best }
        },
    );
    let labels = view.portrait().samples.labels.as_deref();
    match (best, labels) {
        (Some((axis, explained)), Some(labels)) => format!(
            "{some}. Of the leading eigenvectors, {} agrees best with <bdi>{}</bdi>, which explains {} of it; it {}.",
            axis.pair,
            escape(labels),
            percent(explained),
            escape(&view.parts(axis))
        ),
        (None, Some(labels)) => {
            format!("{some}. No leading eigenvector follows <bdi>{}</bdi>.", escape(labels))
        }
        _ => format!("{some}. Eigenvector {} {}.", map.axes[0].pair, escape(&view.parts(&map.axes[0]))),
    }
}

fn controls(view: &View<'_>, map: &Map) -> String {
    let (a, b) = View::first_axes(map);
    let axes = |id: &str, label: &str, chosen: usize| {
        let option = |(i, axis): (usize, &fiedler::portrait::Axis)| {
            let mark = if i == chosen { " selected" } else { "" };
            format!("<option value=\"{i}\"{mark}>eigenvector {}</option>", axis.pair)
        };
        let options: String = map.axes.iter().enumerate().map(option).collect();
        format!("<label>{label} <select id=\"{id}\">{options}</select></label>")
    };
    let by_label = view.portrait().samples.labels.as_deref().map_or(String::new(), |labels| {
        format!("<option value=\"label\">{}</option>", escape(&short(labels, 40)))
    });
    let none = if by_label.is_empty() { "<option value=\"none\">nothing</option>" } else { "" };
    let features: String = view
        .portrait()
        .values
        .iter()
        .filter_map(|v| view.portrait().features.iter().find(|f| f.index == v.index))
        .map(|f| format!("<option value=\"{}\">{}</option>", f.rank - 1, escape(&view.short(f.index, 48))))
        .collect();
    format!(
        "<div class=\"controls\" id=\"map-controls\" hidden>{}{}{}<label>color <select id=\"color\">{by_label}{none}{features}</select></label>\
         <span id=\"color-says\" class=\"soft\" role=\"status\"></span></div>",
        if view.portrait().map_of_kept.is_some() { "<span class=\"soft\">first picture:</span>" } else { "" },
        axes("axis-x", "across", a),
        axes("axis-y", "up", b)
    )
}

/// The colors of the classes, and what they are called.
pub(crate) fn key(view: &View<'_>) -> Vec<(String, String)> {
    let classes = &view.portrait().samples.classes;
    let item = |(c, class): (usize, &String)| (look::class(Some(c as u32)), short(class, 30));
    let mut items: Vec<_> = classes.iter().enumerate().take(NAMED).map(item).collect();
    match classes.len().saturating_sub(NAMED) {
        0 => {}
        1 => items.push(item((NAMED, &classes[NAMED]))),
        more => items.push(item((NAMED, &format!("{} other classes", count(more))))),
    }
    let unlabeled = view.portrait().samples.codes.iter().filter(|code| code.is_none()).count();
    if unlabeled > 0 {
        items.push((look::class(None), format!("no label ({})", count(unlabeled))));
    }
    items
}

fn legend(view: &View<'_>) -> String {
    let item = |(color, class): &(String, String)| {
        format!(
            "<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle class=\"swatch {color}\" cx=\"5\" cy=\"5\" r=\"5\"/></svg><bdi>{}</bdi></li>",
            escape(class)
        )
    };
    let items: String = key(view).iter().map(item).collect();
    if items.is_empty() { items } else { format!("<ul class=\"legend\" id=\"map-legend\">{items}</ul>") }
}

/// The means of the classes, or the ends, as a table: two thousand dots are no table to read.
fn numbers(view: &View<'_>, map: &Map) -> String {
    let drawn = &view.portrait().samples;
    let headings: Vec<String> = map.axes.iter().map(|a| format!("#eigenvector {}", a.pair)).collect();
    let mut columns = vec!["samples", "#drawn"];
    columns.extend(headings.iter().map(String::as_str));
    let groups: Vec<(String, Vec<usize>)> = if drawn.classes.is_empty() {
        vec![("all".to_owned(), (0..drawn.indices.len()).collect())]
    } else {
        let of = |c: usize| (0..drawn.codes.len()).filter(|&i| drawn.codes[i] == Some(c as u32)).collect();
        drawn.classes.iter().enumerate().map(|(c, class)| (class.clone(), of(c))).collect()
    };
    let rows = groups.into_iter().take(50).filter(|(_, of)| !of.is_empty()).map(|(class, of)| {
        let mut row = vec![crate::text::name(&class), count(of.len())];
        row.extend(
            map.axes
                .iter()
                .map(|axis| number(of.iter().map(|&i| axis.coordinates[i]).sum::<f64>() / of.len() as f64)),
        );
        row
    });
    folded(
        "Samples in the leading eigenvectors",
        &table("Mean place of the samples, class by class", &columns, rows),
    )
}

pub(crate) fn chart(view: &View<'_>, map: &Map, what: &str) -> Option<Chart> {
    let (a, b) = View::first_axes(map);
    let (first, second) = (map.axes.get(a)?, map.axes.get(b).filter(|_| a != b)?);
    let frame = Frame { left: 12.0, top: 26.0, right: 468.0, bottom: 330.0 };
    let x = scale(&first.coordinates, (frame.left + 8.0, frame.right - 8.0));
    let y = scale(&second.coordinates, (frame.bottom - 8.0, frame.top + 8.0));
    let drawn = &view.portrait().samples;
    let mut chart = Chart::new(480.0, 356.0, format!("Samples in two eigenvectors, {what}")).saying(format!(
        "{} samples; across, the first eigenvector {}.",
        count(drawn.indices.len()),
        view.parts(first)
    ));
    chart.class = "map";
    chart.rect("empty", (frame.left, frame.top), (frame.right - frame.left, frame.bottom - frame.top), "");
    let r = if drawn.indices.len() > 800 { 2.6 } else { 3.6 };
    chart.body.push_str("<g class=\"points\">");
    let places = first.coordinates.iter().zip(&second.coordinates);
    let mut places: Vec<(f64, f64)> = places.map(|(a, b)| (x.at(root(*a)), y.at(root(*b)))).collect();
    side_by_side(&mut places, frame);
    for (i, &place) in places.iter().enumerate() {
        let code = drawn.codes.get(i).copied().flatten();
        let class =
            if drawn.classes.is_empty() { "p c0".to_owned() } else { format!("p {}", look::class(code)) };
        chart.dot(&class, place, r, "");
    }
    chart.body.push_str("</g>");
    names(&mut chart, view, map, &places);
    let said = |way: &str, axis: &fiedler::portrait::Axis| {
        crate::text::fit(&format!("{way}: eigenvector {} {}", axis.pair, view.parts(axis)), 580.0)
    };
    chart.text("t lx", (frame.left, 347.0), &said("across", first));
    chart.text("t ly", (frame.left, 17.0), &said("up", second));
    Some(chart)
}

/// Draws dots that share a spot side by side, turn by turn around it, where so many do that one dot would hide how many
/// there are. The script does the same where other eigenvectors are chosen.
fn side_by_side(places: &mut [(f64, f64)], frame: Frame) {
    let mut spots: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for (i, (x, y)) in places.iter().enumerate() {
        spots.entry((x.round() as i64, y.round() as i64)).or_default().push(i);
    }
    let many = CROWD.max(places.len() / 20);
    for ((x, y), of) in spots.into_iter().filter(|(_, of)| of.len() >= many) {
        let step = (WIDEST / (of.len() as f64).sqrt()).min(3.0);
        let around = step * (of.len() as f64).sqrt() + 4.0;
        let x = (x as f64).clamp(frame.left + around, frame.right - around);
        let y = (y as f64).clamp(frame.top + around, frame.bottom - around);
        for (turn, &i) in of.iter().enumerate() {
            // The angle of sunflowers: no turn stands behind another.
            let (out, angle) = (step * (turn as f64).sqrt(), turn as f64 * 2.399_963);
            places[i] = (x + out * angle.cos(), y + out * angle.sin());
        }
    }
}

fn scale(values: &[f64], places: (f64, f64)) -> Scale {
    let (low, high) = super::scores::ends(values);
    Scale::linear((root(low), root(high)), places)
}

/// Square roots with their signs: eigenvectors crowd most samples near 0.
fn root(v: f64) -> f64 {
    v.signum() * v.abs().sqrt()
}

/// The dot that is nearest to the middle of some: the middle itself may have none about it.
fn amid(dots: &[(f64, f64)]) -> Option<(f64, f64)> {
    let middle = |along: fn(&(f64, f64)) -> f64| {
        let mut along: Vec<f64> = dots.iter().map(along).collect();
        along.sort_by(f64::total_cmp);
        along.get(along.len() / 2).copied()
    };
    let (x, y) = (middle(|dot| dot.0)?, middle(|dot| dot.1)?);
    let far = |dot: &(f64, f64)| (dot.0 - x).powi(2) + (dot.1 - y).powi(2);
    dots.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// The names of the classes at the middle of their samples, those that would cover another left out.
fn names(chart: &mut Chart, view: &View<'_>, map: &Map, places: &[(f64, f64)]) {
    let drawn = &view.portrait().samples;
    let (first, second) = View::first_axes(map);
    let follows = |axis: usize| View::follows_classes(&map.axes[axis]);
    // Where the classes are mixed, the middle of one is no place of its own.
    if drawn.classes.len() > NAMED + 3 || !(follows(first) || follows(second)) {
        return;
    }
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    chart.body.push_str("<g class=\"names\" aria-hidden=\"true\">");
    for (c, class) in drawn.classes.iter().enumerate() {
        let of = places.iter().zip(&drawn.codes).filter(|(_, code)| **code == Some(c as u32));
        let Some((x, y)) = amid(&of.map(|(place, _)| *place).collect::<Vec<_>>()) else { continue };
        let word = short(&crate::text::harmless(class), 18);
        let half = 3.6 * word.chars().count() as f64 + 3.0;
        let free = |(dx, dy): &(f64, f64)| {
            let at = ((x + dx).clamp(14.0 + half, 466.0 - half), (y + 4.0).clamp(40.0, 326.0) + dy);
            let is_free =
                |t: &(f64, f64, f64)| (t.0 - at.0).abs() >= t.2 + half || (t.1 - at.1).abs() >= 14.0;
            ((38.0..=328.0).contains(&at.1) && taken.iter().all(is_free)).then_some(at)
        };
        // Where every place about the middle is taken, the legend alone has the name.
        let Some(at) = ABOUT.iter().find_map(free) else { continue };
        taken.push((at.0, at.1, half));
        chart.text("strong mid halo", at, &word);
    }
    chart.body.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_on_a_dot_of_its_class() {
        let arch = [(0.0, 0.0), (1.0, 8.0), (5.0, 10.0), (9.0, 8.0), (10.0, 0.0)];
        assert_eq!(amid(&arch), Some((5.0, 10.0)));
        assert_eq!(amid(&[]), None);
    }

    #[test]
    fn many_dots_on_a_spot_stand_side_by_side_inside_the_frame() {
        let frame = Frame { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };
        let mut places = vec![(0.0, 0.0); 50];
        places.extend([(120.0, 40.0), (120.0, 40.0)]);
        side_by_side(&mut places, frame);
        for (i, a) in places[..50].iter().enumerate() {
            assert!(a.0 > 0.0 && a.1 > 0.0 && a.0 < 60.0 && a.1 < 60.0, "{a:?}");
            assert!(places[..i].iter().all(|b| (a.0 - b.0).hypot(a.1 - b.1) > 2.0), "{i}");
        }
        assert_eq!(places[50..], [(120.0, 40.0); 2], "two are seen where they are");
    }
}
