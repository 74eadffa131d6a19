//! The path of MRSF: which features enter as the penalty falls.

use fiedler::{Cells, Detail};

use super::{Panel, figure, table};
use crate::scale::Scale;
use crate::svg::{Chart, Frame, data};
use crate::text::{count, name, number};
use crate::view::View;

/// Features whose lines are drawn.
const DRAWN: usize = 9;

/// Penalties that differ by so much are drawn by factors.
const WIDE: f64 = 10.0;

/// The path, feature by feature: λ of every point, and the norm of the row of every feature.
struct Path<'a> {
    lambdas: Vec<f64>,
    active: &'a [Vec<usize>],
    norms: &'a [Vec<f64>],
}

fn path<'v>(view: &'v View<'_>) -> Option<Path<'v>> {
    let mut details = view.found.rankings.iter().flat_map(|r| &r.details);
    let detail: &Detail = details.find(|d| d.key == "path")?;
    let (Some(Cells::FeatureLists(active)), Some(Cells::NumberLists(norms))) =
        (detail.values("active"), detail.values("row_norms"))
    else {
        return None;
    };
    let lambdas = detail.series("lambda");
    (lambdas.len() > 1 && lambdas.iter().all(|l| *l > 0.0)).then_some(Path { lambdas, active, norms })
}

impl Path<'_> {
    /// The features in the order they enter, with the point at which they do: there they still have no weight.
    fn entries(&self) -> Vec<(usize, usize)> {
        let mut entries: Vec<(usize, usize)> = Vec::new();
        for (at, active) in self.active.iter().enumerate() {
            for &j in active {
                if entries.iter().all(|e| e.0 != j) {
                    entries.push((j, at.saturating_sub(1)));
                }
            }
        }
        entries
    }

    /// The point at which a feature enters.
    fn entry(&self, j: usize) -> usize {
        self.active.iter().position(|active| active.contains(&j)).unwrap_or(0)
    }

    /// How many features enter and are out again at the end.
    fn left_again(&self) -> usize {
        let last = self.active.last().map_or(&[][..], Vec::as_slice);
        self.entries().iter().filter(|(j, _)| !last.contains(j)).count()
    }

    fn norm(&self, point: usize, j: usize) -> f64 {
        let at = self.active[point].iter().position(|&k| k == j);
        at.and_then(|at| self.norms[point].get(at).copied()).unwrap_or(0.0)
    }
}

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let path = path(view)?;
    let chart = chart(view)?;
    let entries = path.entries();
    let rows = entries
        .iter()
        .enumerate()
        .map(|(n, (j, at))| vec![count(n + 1), name(&view.feature(*j)), number(path.lambdas[*at])]);
    let numbers = table("Features in the order they enter", &["#", "feature", "#λ"], rows.take(200));
    let (first, at) = *entries.first()?;
    let of = view.found.rankings.iter().find(|r| r.details.iter().any(|d| d.key == "path"))?;
    let by = match view.ranking() {
        Some(first) if first.name != of.name => format!("By {}: ", crate::text::escape(&of.name)),
        _ => String::new(),
    };
    let says = format!(
        "{by}{} enters first, at λ = {}; at the end of the path (λ = {}) {} features explain {} together{}.{}",
        name(&view.feature(first)),
        number(path.lambdas[at]),
        number(*path.lambdas.last()?),
        count(path.active.last()?.len()),
        match view.ranking().and_then(|r| r.about.as_ref().filter(|_| !r.is_unsupervised)) {
            Some(about) => format!("<bdi>{}</bdi>", crate::text::escape(about)),
            None => "the structure".to_owned(),
        },
        match path.left_again() {
            0 => String::new(),
            1 => "; 1 entered and left again, for others say what it said".to_owned(),
            n => format!("; {} entered and left again, for others say what they said", count(n)),
        },
        if entries.len() > DRAWN { format!(" The first {DRAWN} are drawn.") } else { String::new() }
    );
    Some(Panel {
        id: "path",
        title: "How the set grows".to_owned(),
        says,
        body: figure(&chart, "chart-path", &numbers),
        wide: false,
    })
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let path = path(view)?;
    let drawn: Vec<usize> = path.entries().iter().take(DRAWN).map(|e| e.0).collect();
    let frame = Frame { left: 58.0, top: 34.0, right: 352.0, bottom: 246.0 };
    let high = drawn
        .iter()
        .flat_map(|&j| (0..path.lambdas.len()).map(move |p| (p, j)))
        .map(|(p, j)| path.norm(p, j))
        .fold(0.0f64, f64::max);
    let y = Scale::linear((0.0, if high > 0.0 { high * 1.05 } else { 1.0 }), (frame.bottom, frame.top));
    let (low, most) = super::scores::ends(&path.lambdas);
    let x = if most < WIDE * low { Scale::linear } else { Scale::log };
    let x = x((low, most), (frame.right, frame.left));
    let mut chart = Chart::new(480.0, 290.0, "Weights of features as the penalty falls").saying(format!(
        "{} points of the path, {} features drawn.",
        path.lambdas.len(),
        drawn.len()
    ));
    chart.axis_left(frame, y, "weight of a feature, ‖row of W‖");
    chart.axis_below(frame, x, "penalty λ, falling");
    let mut ends = Vec::new();
    for (c, &j) in drawn.iter().enumerate() {
        let from = path.entry(j).saturating_sub(1);
        let line: Vec<(f64, f64)> =
            (from..path.lambdas.len()).map(|p| (x.at(path.lambdas[p]), y.at(path.norm(p, j)))).collect();
        ends.extend(line.last().map(|at| (at.1, view.short(j, 16), format!("c{c}"))));
        chart.marked_line(&format!("ln s{c}"), line.iter().copied(), &view.mark(j));
        if let Some(at) = line.last() {
            chart.dot(&format!("p c{c}"), *at, 3.2, &(data("tip", &view.short(j, 60)) + &view.mark(j)));
        }
    }
    super::accuracy::beside(&mut chart, frame.right + 8.0, ends, (frame.top, frame.bottom));
    Some(chart)
}
