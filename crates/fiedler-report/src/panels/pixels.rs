//! Where the good pixels are, as figure 3 of the Laplacian score paper shows it.

use super::{Panel, figure, table};
use crate::look;
use crate::svg::{Chart, data};
use crate::text::{count, name, number, plural};
use crate::view::View;

/// Pixels that are drawn at most: beyond that, one mark each is more than a page bears.
const MOST: usize = 16_384;

/// Height, width, and the place of every pixel in the ranking.
fn grid(view: &View<'_>) -> Option<(usize, usize, Vec<Option<usize>>)> {
    let (height, width) = view.found.image_shape?;
    let pixels = height.checked_mul(width).filter(|p| *p <= MOST && *p > 0)?;
    if pixels != view.found.data.n_features {
        return None;
    }
    let mut places = vec![None; pixels];
    for feature in &view.portrait().features {
        if let Some(place) = places.get_mut(feature.index).filter(|_| feature.score.is_some()) {
            *place = Some(feature.rank - 1);
        }
    }
    Some((height, width, places))
}

pub(crate) fn panel(view: &View<'_>) -> Option<Panel> {
    let (height, width, places) = grid(view)?;
    let chart = chart(view)?;
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
    let blank = places.iter().filter(|p| p.is_none()).count();
    let says = format!(
        "The {} of {} × {} pixels: {} of them at the edge of the image{}.",
        plural(kept.len(), "kept feature"),
        height,
        width,
        count(at_edge),
        if blank > 0 { format!("; {} pixels have no score", count(blank)) } else { String::new() }
    );
    Some(Panel {
        id: "pixels",
        title: "Where the good pixels are".to_owned(),
        says,
        body: figure(&chart, "chart-pixels", &numbers),
        wide: false,
    })
}

pub(crate) fn chart(view: &View<'_>) -> Option<Chart> {
    let (height, width, places) = grid(view)?;
    let cell = (300.0 / height.max(width) as f64).min(34.0);
    let (left, top) = ((480.0 - cell * width as f64) / 2.0, 6.0);
    let mut chart = Chart::new(480.0, top + cell * height as f64 + 34.0, "Pixels by rank")
        .saying(format!("{height} × {width} pixels; the kept ones have a frame."));
    let listed = view.portrait().features.len().max(1) as f64;
    let kept = view.kept().count();
    let mut frames = Vec::new();
    for (p, place) in places.iter().enumerate() {
        let at = (left + (p % width) as f64 * cell, top + (p / width) as f64 * cell);
        let share = place.map_or(0.0, |place| 1.0 - place as f64 / listed);
        let shown = place.map_or("no score".to_owned(), |r| {
            format!(
                "rank {}, score {}",
                count(r + 1),
                view.portrait().features[r].score.map_or("none".to_owned(), number)
            )
        });
        let mut more = data("tip", &format!("{}: {shown}", view.short(p, 40)));
        if let Some(place) = place {
            more += &data("f", &place.to_string());
        }
        let class =
            if place.is_some() { format!("cell {}", look::step(share)) } else { "cell q0".to_owned() };
        chart.rect(&class, at, (cell, cell), &more);
        if place.is_some_and(|place| place < kept) {
            frames.push(at);
        }
    }
    for at in frames {
        let inset = (cell * 0.06).min(1.5);
        chart.rect("box", (at.0 + inset, at.1 + inset), (cell - 2.0 * inset, cell - 2.0 * inset), "");
    }
    chart.text(
        "t mid tiny",
        (240.0, top + cell * height as f64 + 18.0),
        "dark: ranks first; light: ranks last; framed: kept",
    );
    Some(chart)
}
