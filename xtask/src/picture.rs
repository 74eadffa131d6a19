//! `cargo xtask picture`: which pixels of the handwritten digits matter, according to three
//! methods, as an SVG made from the command's own JSON.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::fiedler;

/// The methods shown, with what is written under each.
const PANELS: [(&str, &str); 3] = [
    ("laplacian", "judges each pixel alone"),
    ("mrsf", "picks pixels that are good together"),
    ("fisher", "was told which digit is which"),
];
/// Pixels of an image side.
const SIDE: usize = 8;
/// Features that are framed as chosen.
const CHOSEN: usize = 16;
const CELL: usize = 26;
const GAP: usize = 40;
const TOP: usize = 64;

/// Draws the picture.
pub(crate) fn draw(path: &Path) -> Result<()> {
    let panel = SIDE * CELL;
    let (width, height) = (PANELS.len() * (panel + GAP) + GAP, TOP + panel + 56);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, \
         sans-serif\" font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{GAP}\" y=\"26\" fill=\"#222\">fiedler rank demo:digits: the pixels of 1,797 handwritten digits, \
         darker is better, the best {CHOSEN} framed</text>\n"
    );
    for (i, (method, caption)) in PANELS.into_iter().enumerate() {
        let left = GAP + i * (panel + GAP);
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\" fill=\"#222\" font-weight=\"600\">{method}</text>\n\
             <text x=\"{left}\" y=\"{}\" fill=\"#555\" font-size=\"11\">{caption}</text>",
            TOP - 10,
            TOP + panel + 20
        );
        draw_pixels(&mut svg, &ranks(method)?, left);
    }
    svg.push_str("</svg>\n");
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    std::fs::write(path, svg)?;
    println!("{} is drawn", path.display());
    Ok(())
}

/// The place of every pixel in the ranking, from 0; `None` where it has no score.
fn ranks(method: &str) -> Result<Vec<Option<usize>>> {
    let json = fiedler(&["rank", "demo:digits", "--method", method, "--format", "json"])?;
    let answer: Value = serde_json::from_slice(&json)?;
    let mut ranks = vec![None; SIDE * SIDE];
    for (rank, feature) in answer["ranking"].as_array().context("a ranking")?.iter().enumerate() {
        let index = feature["index"].as_u64().context("an index")? as usize;
        ranks[index] = feature["score"].is_number().then_some(rank);
    }
    Ok(ranks)
}

fn draw_pixels(svg: &mut String, ranks: &[Option<usize>], left: usize) {
    let scored = ranks.iter().flatten().count().max(2);
    for (p, rank) in ranks.iter().enumerate() {
        let (x, y) = (left + p % SIDE * CELL, TOP + p / SIDE * CELL);
        let fill = rank.map_or("#eee".to_owned(), |r| shade(1.0 - r as f64 / (scored - 1) as f64));
        let _ =
            writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>");
    }
    // Frames last, so that no neighbor covers them.
    for (p, _) in ranks.iter().enumerate().filter(|(_, rank)| rank.is_some_and(|r| r < CHOSEN)) {
        let (x, y, side) = (left + p % SIDE * CELL + 1, TOP + p / SIDE * CELL + 1, CELL - 2);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#e6550d\" \
             stroke-width=\"2\"/>"
        );
    }
}

/// From nearly white to dark blue.
fn shade(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(247.0, 8.0), mix(251.0, 48.0), mix(255.0, 107.0))
}
