//! What some methods tell beyond scores, for people: the path of mrsf, the choice of sselect's λ and
//! of evsc's σ.

use std::fmt::Write;

use fiedler::solve::Path;
use fiedler::{CutValue, Dataset, Details, Ranking, WidthGap};

use super::layout::{Align, Cell, Numbers, aligned, bar, name};
use super::{BOLD, CYAN, DIM};

/// Cells of the longest bar.
const BAR: usize = 16;
/// Features of a line that are named.
const NAMED: usize = 4;

/// What `ranking` has to tell beyond its scores; nothing for most methods. The path is long and
/// told only where `verbose`.
pub(crate) fn write(out: &mut String, ranking: &Ranking, data: &Dataset, verbose: bool) {
    match &ranking.details {
        Details::Path(path) if verbose => write_path(out, path, data),
        Details::CutValues(values) => write_cut_values(out, values, data),
        Details::Widths(widths) => write_widths(out, widths),
        _ => {}
    }
}

/// One line per feature that enters or leaves, λ falling.
fn write_path(out: &mut String, path: &Path, data: &Dataset) {
    let _ = writeln!(out, "\n{BOLD}Path{BOLD:#}, who enters as λ falls");
    let events = path.events();
    let numbers = Numbers::for_values(events.iter().map(|e| e.lambda));
    let largest = path.points.first().map_or(1.0, |p| p.lambda);
    let mut rows = vec![["λ", "", "active", "feature"].map(|h| Cell::styled(h, DIM)).to_vec()];
    let mut active = 0usize;
    for event in events {
        active = if event.entered { active + 1 } else { active.saturating_sub(1) };
        let change = if event.entered { "+" } else { "-" };
        rows.push(vec![
            Cell::new(numbers.show(event.lambda)),
            Cell::styled(bar(event.lambda / largest, BAR), CYAN),
            Cell::new(active.to_string()),
            Cell::new(format!("{change} {}", name(&data.feature_name(event.feature)))),
        ]);
    }
    aligned(out, &[Align::Right, Align::Left, Align::Right, Align::Left], &rows);
    let gap = path.points.iter().map(|p| p.gap).fold(0.0, f64::max);
    let _ =
        writeln!(out, "{DIM}every point is optimal to a relative duality gap of {gap:.0e} or less{DIM:#}");
}

/// One line per λ of the grid.
fn write_cut_values(out: &mut String, values: &[CutValue], data: &Dataset) {
    let _ = writeln!(
        out,
        "\n{BOLD}Choice of λ{BOLD:#}, smaller cuts are better; of graphs that fall apart those count whose parts \
         may be the classes"
    );
    let numbers = Numbers::for_values(values.iter().map(|v| v.cut));
    let mut rows = vec![["λ", "cut", "components", "features", ""].map(|h| Cell::styled(h, DIM)).to_vec()];
    for value in values {
        let named: Vec<String> =
            value.features.iter().take(NAMED).map(|&j| name(&data.feature_name(j))).collect();
        let more = if value.features.len() > NAMED { ", …" } else { "" };
        rows.push(vec![
            Cell::new(value.lambda.to_string()),
            if value.counts { Cell::new(numbers.show(value.cut)) } else { Cell::styled("none", DIM) },
            Cell::new(value.components.to_string()),
            Cell::new(format!("{}{more}", named.join(", "))),
            Cell::styled(if value.chosen { "◄ chosen" } else { "" }, CYAN),
        ]);
    }
    aligned(out, &[Align::Right, Align::Right, Align::Right, Align::Left, Align::Left], &rows);
}

/// One line per σ of the grid.
fn write_widths(out: &mut String, widths: &[WidthGap]) {
    let _ = writeln!(out, "\n{BOLD}Choice of σ{BOLD:#}, a wider eigengap is better");
    let sigmas = Numbers::for_values(widths.iter().map(|w| w.sigma));
    let gaps = Numbers::for_values(widths.iter().map(|w| w.gap));
    let mut rows = vec![["σ", "gap", ""].map(|h| Cell::styled(h, DIM)).to_vec()];
    for width in widths {
        rows.push(vec![
            Cell::new(sigmas.show(width.sigma)),
            Cell::new(gaps.show(width.gap)),
            Cell::styled(if width.chosen { "◄ chosen" } else { "" }, CYAN),
        ]);
    }
    aligned(out, &[Align::Right, Align::Right, Align::Left], &rows);
}
