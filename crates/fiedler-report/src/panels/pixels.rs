//! Where the good pixels are, as figure 3 of the Laplacian score paper shows it.

use super::{Panel, figure, table};
use crate::look;
use crate::picture::Picture;
use crate::svg::{Chart, data};
use crate::text::{count, name, number, plural};
use crate::view::View;

/// Pixels that have a mark each; more are one picture.
const MARKS: usize = 4_096;
/// Pixels of a picture at most.
const MOST: usize = 4_000_000;

/// The pixels of an image, and the place of each in the ranking.
struct Grid {
    height: usize,
    width: usize,
    /// None without a score, and below the features that are listed.
    places: Vec<Option<usize>>,
}

fn grid(view: &View<'_>) -> Option<Grid> {
    let (height, width) = view.found.image_shape?;
    let pixels = height.checked_mul(width).filter(|p| *p > 0 && *p == view.found.data.n_features)?;
    let mut places = vec![None; pixels];
    for (at, feature) in view.portrait().features.iter().enumerate() {
        if let Some(place) = places.get_mut(feature.index).filter(|_| feature.score.is_some()) {
            *place = Some(at);
        }
    }
    Some(Grid { height, width, places })
}

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let Grid { height, width, .. } = grid(view)?;
    let rows = view.kept().map(|f| {
        vec![
            count(f.rank),
            name(&view.feature(f.index)),
            count(f.index / width + 1),
            count(f.index % width + 1),
        ]
    });
    let numbers = table("Kept pixels", &["#rank", "pixel", "#row", "#column"], rows.take(400));
    let kept: Vec<usize> = view.kept().map(|f| f.index).collect();
    let edge = |&p: &usize| {
        p / width == 0 || p / width == height - 1 || p.is_multiple_of(width) || p % width == width - 1
    };
    let at_edge = kept.iter().filter(|p| edge(p)).count();
    let says = format!(
        "The {} of {height} × {width} pixels: {} of them at the edge of the image{}.",
        plural(kept.len(), "kept feature"),
        count(at_edge),
        left_out(view)
    );
    let body = match chart(view) {
        Some(chart) => figure(&chart, "chart-pixels", &numbers),
        None => format!(
            "<p class=\"note\">So many pixels are more than a page can show; the kept ones are in the table.</p>{}",
            super::folded("Kept pixels", &numbers)
        ),
    };
    Some(Panel { id: "pixels", title: "Where the good pixels are".to_owned(), says, body, wide: false })
}

/// Which pixels are blank, and why.
fn left_out(view: &View<'_>) -> String {
    let listed = &view.portrait().features;
    let unscored = listed.iter().filter(|f| f.score.is_none()).count();
    let below = view.found.data.n_features.saturating_sub(listed.len());
    let mut words = String::new();
    if unscored > 0 {
        let have = if unscored == 1 { "has" } else { "have" };
        words += &format!("; {} {have} no score", plural(unscored, "pixel"));
    }
    if below > 0 {
        let rank = if below == 1 { "ranks" } else { "rank" };
        words += &format!(
            "; {} {rank} below the {} that are listed and drawn",
            plural(below, "pixel"),
            count(listed.len())
        );
    }
    words
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let grid = grid(view).filter(|g| g.places.len() <= MOST)?;
    let (height, width) = (grid.height as f64, grid.width as f64);
    let cell = (300.0 / height.max(width)).min(34.0);
    let (left, top) = ((480.0 - cell * width) / 2.0, 6.0);
    let mut chart = Chart::new(480.0, top + cell * height + 34.0, "Pixels by rank")
        .saying(format!("{} × {} pixels; the kept ones have a frame.", grid.height, grid.width));
    if grid.places.len() <= MARKS {
        marks(&mut chart, view, &grid, ((left, top), cell));
    } else {
        let size = (cell * width, cell * height);
        let more = data("across", &grid.width.to_string()) + &data("down", &grid.height.to_string());
        chart.rect("empty", (left, top), size, "");
        chart.picture((left, top), size, Picture::of(grid.width, &shares(view, &grid)), &more);
    }
    let kept = view.kept().count();
    for (p, _) in grid.places.iter().enumerate().filter(|(_, place)| place.is_some_and(|at| at < kept)) {
        let at = (left + (p % grid.width) as f64 * cell, top + (p / grid.width) as f64 * cell);
        let inset = (cell * 0.06).min(1.5);
        let class = if cell < 6.0 { "box thin" } else { "box" };
        chart.rect(class, (at.0 + inset, at.1 + inset), (cell - 2.0 * inset, cell - 2.0 * inset), "");
    }
    chart.text(
        "t mid tiny",
        (240.0, top + cell * height + 18.0),
        "the stronger the color, the better the rank; framed: kept",
    );
    Some(chart)
}

/// How early every pixel ranks among those listed: 1 first, 0 last or not listed.
fn shares(view: &View<'_>, grid: &Grid) -> Vec<f64> {
    let listed = view.portrait().features.len().max(1) as f64;
    grid.places.iter().map(|place| place.map_or(0.0, |at| 1.0 - at as f64 / listed)).collect()
}

/// One mark a pixel.
fn marks(chart: &mut Chart, view: &View<'_>, grid: &Grid, ((left, top), cell): ((f64, f64), f64)) {
    let border = if cell < 6.0 { "" } else { "cell " };
    for (p, share) in shares(view, grid).into_iter().enumerate() {
        let at = (left + (p % grid.width) as f64 * cell, top + (p / grid.width) as f64 * cell);
        let place = grid.places[p];
        let shown = place.map_or("no score".to_owned(), |r| {
            format!(
                "rank {}, score {}",
                count(r + 1),
                view.portrait().features[r].score.map_or("none".to_owned(), number)
            )
        });
        let more = data("tip", &format!("{}: {shown}", view.short(p, 40))) + &view.mark(p);
        let step = if place.is_some() { look::step(share) } else { "q0".to_owned() };
        chart.rect(&format!("{border}{step}"), at, (cell, cell), &more);
    }
}
