//! A graph from a file of the user's: a square table, or edges as three columns.

use std::path::Path;
use std::sync::Arc;

use fiedler::graph::{Bandwidth, Graph};
use fiedler::{Dataset, Scaling, Silent};
use fiedler_io::ReadOptions;

use crate::failure::{Failure, Outcome};

/// What a file of a graph holds.
enum Content {
    /// All pairs, row after row.
    Square(Vec<f64>, usize),
    /// (i, j, value), samples counted from 0.
    Edges(Vec<(usize, usize, f64)>, usize),
}

/// The graph of a file of similarities. Edges may leave out samples at the end: a graph of
/// `n_samples`, where that is known, has them without neighbors.
///
/// # Errors
/// The file cannot be read or is no graph.
pub(crate) fn similarities(path: &Path, n_samples: Option<usize>) -> Outcome<Arc<Graph>> {
    let graph = match read(path, n_samples)? {
        Content::Square(values, n) => Graph::from_dense(&values, n),
        Content::Edges(edges, n) => Graph::from_edges(&edges, n),
    };
    graph.map(Arc::new).map_err(|e| Failure::Data(format!("{}: {e}", path.display())))
}

/// The graph of a file of distances.
///
/// # Errors
/// As [`similarities`].
pub(crate) fn distances(path: &Path, bandwidth: Bandwidth, n_samples: Option<usize>) -> Outcome<Arc<Graph>> {
    let graph = match read(path, n_samples)? {
        Content::Square(values, n) => Graph::from_distances(&values, n, bandwidth),
        Content::Edges(edges, n) => Graph::from_distance_edges(&edges, n, bandwidth),
    };
    graph.map(Arc::new).map_err(|e| Failure::Data(format!("{}: {e}", path.display())))
}

fn read(path: &Path, n_samples: Option<usize>) -> Outcome<Content> {
    let table = fiedler_io::read(path, &ReadOptions::default(), &Silent)?.data.scaled(Scaling::None);
    let (rows, columns) = (table.n_samples(), table.n_features());
    let by_column = (0..columns).map(|j| table.column(j)).collect::<Result<Vec<_>, _>>()?;
    match (rows, columns) {
        // Three edges are a square as well: one of three samples, and symmetric only by chance.
        (3, 3) if n_samples.is_some_and(|n| n != 3) || !symmetric(&by_column) => {
            edges(path, &table, &by_column, n_samples.unwrap_or(0))
        }
        _ if rows == columns => {
            let values = (0..rows).flat_map(|i| by_column.iter().map(move |c| c[i])).collect();
            Ok(Content::Square(values, rows))
        }
        (_, 3) => edges(path, &table, &by_column, n_samples.unwrap_or(0)),
        _ => Err(Failure::Data(format!(
            "{}: a graph is as many rows as columns, or three columns (sample, sample, value); \
             this is {rows} × {columns}",
            path.display()
        ))),
    }
}

fn symmetric(by_column: &[Vec<f64>]) -> bool {
    (0..by_column.len()).all(|j| (0..j).all(|i| by_column[j][i] == by_column[i][j]))
}

fn edges(path: &Path, table: &Dataset, by_column: &[Vec<f64>], at_least: usize) -> Outcome<Content> {
    let mut edges = Vec::with_capacity(table.n_samples());
    let sample = |value: f64, row: usize| {
        let whole = value >= 0.0 && value.fract() == 0.0 && value < 2_f64.powi(53);
        let wrong =
            || format!("{}, row {}: a sample is a whole number from 0, got {value}", path.display(), row + 1);
        whole.then_some(value as usize).ok_or_else(|| Failure::Data(wrong()))
    };
    for row in 0..table.n_samples() {
        edges.push((sample(by_column[0][row], row)?, sample(by_column[1][row], row)?, by_column[2][row]));
    }
    let n_samples = edges.iter().map(|e| e.0.max(e.1) + 1).max().unwrap_or(0).max(at_least);
    Ok(Content::Edges(edges, n_samples))
}
