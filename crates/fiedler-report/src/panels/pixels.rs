//! Where the good pixels are, method by method, as figure 3 of the Laplacian score paper shows it.

use super::{Panel, figure, table};
use crate::look;
use crate::picture::Picture;
use crate::svg::{Chart, data};
use crate::text::{count, name, number, plural, short};
use crate::view::View;

/// Pixels that have a mark each; more are one picture.
const MARKS: usize = 4_096;
/// Pixels of a picture at most.
const MOST: usize = 4_000_000;
/// Methods in a row.
const ROW: usize = 3;
/// Methods that are drawn.
const METHODS: usize = 6;
/// Between two images.
const GAP: f64 = 18.0;
/// The width of the chart.
const WIDE: f64 = 480.0;

/// The pixels of an image, and the place of each in a ranking.
struct Grid {
    height: usize,
    width: usize,
    /// What is written above it, where there are several.
    title: Option<String>,
    /// None without a score, and below the features that are listed.
    places: Vec<Option<usize>>,
    /// How many places there are.
    listed: usize,
    /// How many of them are framed.
    kept: usize,
}

/// One image a method, the one that the report is about first.
fn grids(view: &View<'_>) -> Vec<Grid> {
    let Some((height, width)) = view.found.image_shape else { return Vec::new() };
    let pixels = height.checked_mul(width).filter(|p| *p > 0 && *p == view.found.data.n_features);
    let Some(pixels) = pixels else { return Vec::new() };
    let grid = |title, listed: usize, scored: &mut dyn Iterator<Item = (usize, usize)>, kept| {
        let mut places = vec![None; pixels];
        for (at, index) in scored {
            if let Some(place) = places.get_mut(index) {
                *place = Some(at);
            }
        }
        Grid { height, width, title, places, listed, kept }
    };
    let features = &view.portrait().features;
    let scored = features.iter().enumerate().filter(|(_, f)| f.score.is_some());
    let kept = view.kept().count();
    let others = view.portrait().comparison.as_ref().filter(|c| !c.orders.is_empty());
    let title = others.and_then(|c| c.methods.first()).cloned();
    let mut grids = vec![grid(title, features.len(), &mut scored.map(|(at, f)| (at, f.index)), kept)];
    for (method, order) in others.iter().flat_map(|c| c.methods.iter().zip(&c.orders)).skip(1) {
        let mut scored = order.iter().copied().enumerate();
        grids.push(grid(Some(method.clone()), order.len(), &mut scored, kept.min(order.len())));
    }
    grids.truncate(METHODS);
    grids
}

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let grids = grids(view);
    let Grid { height, width, .. } = *grids.first()?;
    let rows = view.kept().map(|f| {
        vec![
            count(f.rank),
            name(&view.feature(f.index)),
            count(f.index / width + 1),
            count(f.index % width + 1),
        ]
    });
    let numbers = table("Kept pixels", &["#rank", "pixel", "#row", "#column"], rows.take(400));
    let edge = |p: usize| {
        p / width == 0 || p / width == height - 1 || p.is_multiple_of(width) || p % width == width - 1
    };
    let at_edge = view.kept().filter(|f| edge(f.index)).count();
    let says = format!(
        "The {} of {height} × {width} pixels: {} of them at the edge of the image{}.",
        plural(view.kept().count(), "kept feature"),
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
    let grids = grids(view);
    let Grid { height, width, .. } = *grids.first()?;
    if height * width * grids.len() > MOST {
        return None;
    }
    let across = grids.len().min(ROW);
    let room = (WIDE - GAP * (across - 1) as f64) / across as f64;
    let cell = (room / width as f64).min(300.0 / height as f64).min(34.0);
    let size = (cell * width as f64, cell * height as f64);
    let head = if grids.len() > 1 { 24.0 } else { 6.0 };
    let tall = head + size.1;
    let bottom = tall * grids.len().div_ceil(across) as f64;
    let mut chart = Chart::new(WIDE, bottom + 34.0, "Pixels by rank").saying(saying(&grids));
    for (at, grid) in grids.iter().enumerate() {
        let left = (at % across) as f64 * (room + GAP) + (room - size.0) / 2.0;
        let top = (at / across) as f64 * tall + head;
        let title = grid.title.as_ref().filter(|_| grids.len() > 1);
        if let Some(title) = title {
            chart.text("strong mid", (left + size.0 / 2.0, top - 8.0), &short(title, 20));
        }
        draw(&mut chart, view, grid, ((left, top), cell));
    }
    let words = "the stronger the color, the better the rank; framed: kept";
    chart.text("t mid tiny", (WIDE / 2.0, bottom + 18.0), words);
    Some(chart)
}

/// The picture in words.
fn saying(grids: &[Grid]) -> String {
    let size = grids.first().map_or(String::new(), |g| format!("{} × {} pixels", g.height, g.width));
    let titles: Vec<String> = grids.iter().filter_map(|g| g.title.clone()).collect();
    match titles.len() {
        0 | 1 => format!("{size}; the kept ones have a frame."),
        _ => format!("{size} by {}; the kept ones have a frame.", crate::text::list(&titles)),
    }
}

/// An image: its pixels by rank, then the frames, so that no neighbor covers them.
fn draw(chart: &mut Chart, view: &View<'_>, grid: &Grid, ((left, top), cell): ((f64, f64), f64)) {
    if grid.places.len() <= MARKS {
        marks(chart, view, grid, ((left, top), cell));
    } else {
        let size = (cell * grid.width as f64, cell * grid.height as f64);
        let more = data("across", &grid.width.to_string()) + &data("down", &grid.height.to_string());
        chart.rect("empty", (left, top), size, "");
        chart.picture((left, top), size, Picture::of(grid.width, &shares(grid)), &more);
    }
    let framed = |place: &Option<usize>| place.is_some_and(|at| at < grid.kept);
    for (p, _) in grid.places.iter().enumerate().filter(|(_, place)| framed(place)) {
        let at = (left + (p % grid.width) as f64 * cell, top + (p / grid.width) as f64 * cell);
        let inset = (cell * 0.06).min(1.5);
        let class = if cell < 6.0 { "box thin" } else { "box" };
        chart.rect(class, (at.0 + inset, at.1 + inset), (cell - 2.0 * inset, cell - 2.0 * inset), "");
    }
}

/// How early every pixel ranks among those listed: 1 first, 0 last or not listed.
fn shares(grid: &Grid) -> Vec<f64> {
    let listed = grid.listed.max(1) as f64;
    grid.places.iter().map(|place| place.map_or(0.0, |at| 1.0 - at as f64 / listed)).collect()
}

/// One mark a pixel.
fn marks(chart: &mut Chart, view: &View<'_>, grid: &Grid, ((left, top), cell): ((f64, f64), f64)) {
    let border = if cell < 6.0 { "" } else { "cell " };
    let is_first = grid.title.is_none() || grid.title.as_deref() == view.ranking().map(|r| r.name.as_str());
    for (p, share) in shares(grid).into_iter().enumerate() {
        let at = (left + (p % grid.width) as f64 * cell, top + (p / grid.width) as f64 * cell);
        let place = grid.places[p];
        let score = |r: usize| match view.portrait().features[r].score.filter(|_| is_first) {
            Some(score) => format!(", score {}", number(score)),
            None => String::new(),
        };
        let shown = place.map_or("no score".to_owned(), |r| format!("rank {}{}", count(r + 1), score(r)));
        let more = data("tip", &format!("{}: {shown}", view.short(p, 40))) + &view.mark(p);
        let step = if place.is_some() { look::step(share) } else { "q0".to_owned() };
        chart.rect(&format!("{border}{step}"), at, (cell, cell), &more);
    }
}
