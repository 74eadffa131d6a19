//! The choice of λ by cut values (SSL, Algorithm 3).
//!
//! For every λ of a grid: rank, keep the best features, build the graph on them alone, and take
//! the second smallest eigenvalue of its N. It is small where the samples fall into two groups
//! with little between them, as seen by the selected features. A graph in pieces has the value 0
//! for no merit of its own, so it competes only with other graphs in pieces, and then nothing is
//! concluded.

use super::{SSelect, Terms};
use crate::Result;
use crate::dataset::Dataset;
use crate::graph::{GraphRecipe, Knn};
use crate::monitor::Monitor;
use crate::ranking::{CutValue, Goal, Ranking};
use crate::selector::Method;
use crate::spectrum::Spectrum;

/// The λ with the smallest cut value among those with a connected graph, the first of equals, and
/// the table; the first λ of the grid where no graph is connected.
pub(super) fn choose(
    terms: &Terms,
    grid: &[f64],
    keep: usize,
    (data, recipe): (&Dataset, &GraphRecipe),
    monitor: &dyn Monitor,
) -> Result<(f64, Vec<CutValue>)> {
    let knn = match recipe {
        GraphRecipe::Knn(knn) => knn.clone(),
        _ => Knn::default(),
    };
    let mut table: Vec<CutValue> = Vec::with_capacity(grid.len());
    for &lambda in grid {
        let ranking = Ranking::new(SSelect::INFO.name, Goal::Minimize, terms.scores(lambda));
        let features = ranking.top(keep.min(ranking.n_scored())).to_vec();
        // Neighbouring λ often select the same features.
        let known = table.iter().find(|line| same_set(&line.features, &features));
        let (cut, components) = match known {
            Some(line) => (line.cut, line.components),
            None if features.is_empty() => (0.0, data.n_samples()),
            None => cut_value(&data.subset(&features)?, &knn, monitor)?,
        };
        table.push(CutValue { lambda, features, cut, components, chosen: false });
    }
    let mut best = 0;
    for (line, value) in table.iter().enumerate() {
        let connected = value.components == 1;
        let better = table[best].components > 1 || value.cut < table[best].cut;
        if connected && better {
            best = line;
        }
    }
    table[best].chosen = true;
    Ok((grid[best], table))
}

/// What the table leaves open.
pub(super) fn warning(table: &[CutValue], lambda: f64) -> Option<String> {
    let apart = table.iter().filter(|line| line.components > 1).count();
    let total = table.len();
    match apart {
        0 => None,
        _ if apart == total => Some(format!(
            "no λ could be preferred: the graph on the selected features is disconnected for every one of them \
             (cut value 0); {lambda}, the first of the grid, is used; a larger k or `keep` helps"
        )),
        _ => Some(format!(
            "{apart} of {total} values of λ select features whose graph is disconnected (cut value 0); λ was \
             chosen among the others"
        )),
    }
}

fn same_set(a: &[usize], b: &[usize]) -> bool {
    let sorted = |list: &[usize]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    sorted(a) == sorted(b)
}

/// The second smallest eigenvalue of N, and the number of components.
fn cut_value(data: &Dataset, knn: &Knn, monitor: &dyn Monitor) -> Result<(f64, usize)> {
    let graph = knn.build(data, monitor)?;
    match graph.diagnostics().components {
        1 => Ok((Spectrum::leading(&graph, 2, monitor)?.values()[1], 1)),
        components => Ok((0.0, components)),
    }
}
