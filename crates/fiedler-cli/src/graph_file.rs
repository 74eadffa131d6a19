//! A graph from a file of the user's: a square table, or edges as three columns.

use std::path::Path;
use std::sync::Arc;

use fiedler::graph::{Bandwidth, Graph};
use fiedler::{Dataset, Monitor, Scaling};
use fiedler_io::{ReadOptions, TextOptions};

use crate::failure::{Failure, Outcome};
use crate::output::layout::plural;

/// What a file of a graph holds.
enum Content {
    /// All pairs, row after row.
    Square(Vec<f64>, usize),
    /// (i, j, value), samples counted from 0.
    Edges(Vec<(usize, usize, f64)>, usize),
}

/// A file of a graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GraphFile<'a> {
    /// The file.
    pub(crate) path: &'a Path,
    /// Whether its values are distances; similarities otherwise.
    pub(crate) distances: bool,
    /// The name of the graph in the `obsp` of an AnnData file; `None` where the file is nothing but a graph.
    pub(crate) stored: Option<&'a str>,
}

/// The graph of a file, for data of `n_samples`. Edges may leave out samples at the end, which then have no
/// neighbors.
///
/// # Errors
/// The file cannot be read, is no graph, or is one of other samples; the bandwidth breaks its rule.
pub(crate) fn read(
    file: GraphFile<'_>,
    bandwidth: Option<&str>,
    n_samples: usize,
    monitor: &dyn Monitor,
) -> Outcome<Arc<Graph>> {
    let shown = file.path.display();
    let width: Bandwidth = bandwidth.unwrap_or("auto").parse().map_err(Failure::usage)?;
    let graph = match file.stored {
        Some(name) => fiedler_io::read_stored_graph(file.path, name, monitor)?,
        None => of_file(file, width, n_samples, monitor)?,
    };
    if graph.n_samples() != n_samples {
        let (found, n) = (plural(graph.n_samples(), "sample"), plural(n_samples, "sample"));
        let sentence = format!("{shown}: a graph of {found}, and the data have {n}; they must be the same");
        return Err(Failure::Data(sentence));
    }
    Ok(Arc::new(graph))
}

fn of_file(file: GraphFile<'_>, width: Bandwidth, n_samples: usize, monitor: &dyn Monitor) -> Outcome<Graph> {
    let graph = match (content(file.path, n_samples, monitor)?, file.distances) {
        (Content::Square(values, n), false) => Graph::from_dense_with(&values, n, monitor),
        (Content::Edges(edges, n), false) => Graph::from_edges(&edges, n),
        (Content::Square(values, n), true) => Graph::from_distances_with(&values, n, width, monitor),
        (Content::Edges(edges, n), true) => Graph::from_distance_edges(&edges, n, width),
    };
    graph.map_err(|e| Failure::from(e).at(&file.path.display().to_string()))
}

fn content(path: &Path, n_samples: usize, monitor: &dyn Monitor) -> Outcome<Content> {
    let table = fiedler_io::read(path, &options(), monitor)?.data.scaled(Scaling::None);
    let (rows, columns) = (table.n_samples(), table.n_features());
    // The table, its columns, and their values in the order of rows or of edges are there at the same time.
    let needed = (rows as u64).saturating_mul(columns as u64).saturating_mul(3 * 8);
    let advice = "give the graph as a list of edges of near samples, or use fewer samples";
    monitor.limits().check(path.display(), needed, advice)?;
    let by_column = (0..columns).map(|j| table.column(j)).collect::<Result<Vec<_>, _>>()?;
    match (rows, columns) {
        // Three edges are a square as well: one of three samples, and symmetric only by chance.
        (3, 3) if n_samples != 3 || !symmetric(&by_column) => edges(path, &table, &by_column, n_samples),
        _ if rows == columns => {
            let values = (0..rows).flat_map(|i| by_column.iter().map(move |c| c[i])).collect();
            Ok(Content::Square(values, rows))
        }
        (_, 3) => edges(path, &table, &by_column, n_samples),
        _ => Err(Failure::Data(format!(
            "{}: a graph is as many rows as columns, or three columns (sample, sample, value); \
             this is {rows} × {columns}",
            path.display()
        ))),
    }
}

/// A row of a graph may count 0, 1, 2, … and is no header then.
fn options() -> ReadOptions {
    let text = TextOptions { numbers_are_data: true, ..TextOptions::default() };
    ReadOptions { text, ..ReadOptions::default() }
}

fn symmetric(by_column: &[Vec<f64>]) -> bool {
    (0..by_column.len()).all(|j| (0..j).all(|i| by_column[j][i] == by_column[i][j]))
}

/// Every sample is compared with the data before memory is taken for it.
fn edges(path: &Path, table: &Dataset, by_column: &[Vec<f64>], n_samples: usize) -> Outcome<Content> {
    let sample = |value: f64, row: usize| {
        let what = match value {
            _ if !(value >= 0.0 && value.fract() == 0.0) => {
                format!("a sample is a whole number from 0, got {value}")
            }
            _ if value >= n_samples as f64 => {
                format!("sample {value}, and the data have {n_samples} samples, counted from 0")
            }
            _ => return Ok(value as usize),
        };
        Err(Failure::Data(format!("{}, row {}: {what}", path.display(), row + 1)))
    };
    let mut edges = Vec::with_capacity(table.n_samples());
    for row in 0..table.n_samples() {
        edges.push((sample(by_column[0][row], row)?, sample(by_column[1][row], row)?, by_column[2][row]));
    }
    Ok(Content::Edges(edges, n_samples))
}
