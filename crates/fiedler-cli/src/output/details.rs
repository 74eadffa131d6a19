//! What some methods tell beyond scores, for people: any [`Detail`], from its own description.

use std::fmt::Write;

use fiedler::{Audience, Cells, Detail, DetailColumn};

use super::layout::{Align, Cell, Numbers, bar, name, paged};
use super::{BOLD, CYAN, DIM};

/// Cells of the longest bar.
const BAR: usize = 16;
/// Features of a line that are named.
const NAMED: usize = 4;

/// A detail as a table; nothing where it is not for this reader. `feature` gives the name of a column of the
/// data.
pub(crate) fn write(out: &mut String, detail: &Detail, feature: &dyn Fn(usize) -> String, verbose: bool) {
    let shown = match detail.audience {
        Audience::People => true,
        Audience::Verbose => verbose,
        Audience::Programs => false,
    };
    if !shown || detail.n_rows() == 0 {
        return;
    }
    let _ = writeln!(out, "\n{BOLD}{}{BOLD:#}, {}", detail.title, detail.sentence);
    let mut rows = vec![Vec::new(); detail.n_rows() + 1];
    let mut columns = Vec::new();
    for column in &detail.columns {
        columns.extend(add(&mut rows, column, feature));
    }
    paged(out, &columns, &rows, 1);
}

/// Adds a column to all rows, the heading to the first; tells how it is aligned.
fn add(rows: &mut [Vec<Cell>], column: &DetailColumn, feature: &dyn Fn(usize) -> String) -> Vec<Align> {
    let mut put = |cells: Vec<Cell>| {
        rows[0].push(Cell::styled(column.heading.as_str(), DIM));
        rows[1..].iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    };
    match &column.values {
        Cells::Numbers(values) => {
            let numbers = Numbers::for_values(values.iter().flatten().copied());
            let cell = |v: &Option<f64>| v.map_or(Cell::styled("none", DIM), |v| Cell::new(numbers.show(v)));
            put(values.iter().map(cell).collect());
            vec![Align::Right]
        }
        Cells::Bars(values) => {
            let numbers = Numbers::for_values(values.iter().copied());
            let largest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            put(values.iter().map(|v| Cell::new(numbers.show(*v))).collect());
            rows[0].push(Cell::default());
            let bars = values.iter().map(|v| Cell::styled(bar(v / largest, BAR), CYAN));
            rows[1..].iter_mut().zip(bars).for_each(|(row, cell)| row.push(cell));
            vec![Align::Right, Align::Left]
        }
        Cells::Counts(values) => {
            put(values.iter().map(|v| Cell::new(v.to_string())).collect());
            vec![Align::Right]
        }
        Cells::Words(values) => {
            put(values.iter().map(|v| Cell::new(v.as_str())).collect());
            vec![Align::Left]
        }
        Cells::Marks(values) => {
            let mark = |chosen: &bool| Cell::styled(if *chosen { "◄ chosen" } else { "" }, CYAN);
            put(values.iter().map(mark).collect());
            vec![Align::Left]
        }
        Cells::Features(values) => {
            put(values.iter().map(|&j| Cell::new(name(&feature(j)))).collect());
            vec![Align::Left]
        }
        Cells::FeatureLists(values) => {
            let list = |features: &Vec<usize>| {
                let named: Vec<String> = features.iter().take(NAMED).map(|&j| name(&feature(j))).collect();
                Cell::new(named.join(", ") + if features.len() > NAMED { ", …" } else { "" })
            };
            put(values.iter().map(list).collect());
            vec![Align::Left]
        }
        _ => Vec::new(),
    }
}
