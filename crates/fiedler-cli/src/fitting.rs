//! Defaults that few samples would break are fitted to the data, with a note. What the user says is
//! never changed: the library tells what is wrong with it.

use fiedler::{Dataset, Graph, GraphRecipe};

use crate::args::{GraphKind, GraphOptions};
use crate::failure::{Failure, Outcome};
use crate::graph_file;
use crate::output::layout::plural;

/// The data that defaults must suit.
pub(crate) struct Fit {
    /// Samples of the data.
    all: usize,
    /// Samples that a method sees.
    n_samples: usize,
    smallest_class: Option<usize>,
    /// What was fitted, one sentence each.
    pub(crate) notes: Vec<String>,
}

impl Fit {
    /// To a method that sees `n_samples` of the data: all of them, or a part.
    pub(crate) fn new(data: &Dataset, n_samples: usize) -> Self {
        let sizes = data.labels().map(|labels| {
            let mut sizes = vec![0_usize; labels.classes().len()];
            labels.codes().iter().flatten().for_each(|&c| sizes[c as usize] += 1);
            sizes
        });
        let part = |size: usize| size * n_samples / data.n_samples().max(1);
        let smallest_class = sizes.and_then(|s| s.into_iter().min()).map(part);
        Fit { all: data.n_samples(), n_samples, smallest_class, notes: Vec::new() }
    }

    /// A number of neighbors that few samples allow, or `None` where `usual` suits.
    pub(crate) fn neighbors(&mut self, name: &str, usual: usize) -> Option<usize> {
        let seen = if self.n_samples < self.all { "selection sees" } else { "there are" };
        let why = format!("{seen} {}", plural(self.n_samples, "sample"));
        self.fewer(name, usual, self.n_samples, why)
    }

    /// Likewise for neighbors of the same class and of others.
    pub(crate) fn class_neighbors(&mut self, name: &str, usual: usize) -> Option<usize> {
        match self.smallest_class {
            Some(size) if usual >= self.n_samples => {
                self.fewer(name, usual, size, format!("the smallest class has {}", plural(size, "sample")))
            }
            _ => self.neighbors(name, usual),
        }
    }

    fn fewer(&mut self, name: &str, usual: usize, among: usize, why: String) -> Option<usize> {
        // Among fewer than two there is nothing to fit: the library says what is missing.
        let fitted = among.saturating_sub(1).max(1);
        if usual < among || self.n_samples < 2 {
            return None;
        }
        let note = format!("`{name}` is {fitted} in place of {usual}: {why}");
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        Some(fitted)
    }
}

impl GraphOptions {
    /// A recipe that suits the data; `None` where it is right as it is.
    ///
    /// # Errors
    /// A graph in a file has other samples than the data.
    pub(crate) fn fitted(
        &self,
        kind: &GraphKind,
        recipe: &GraphRecipe,
        fit: &mut Fit,
    ) -> Outcome<Option<GraphRecipe>> {
        if let GraphRecipe::Given(graph) = recipe {
            return self.same_samples(kind, graph, fit.all);
        }
        if self.k.is_some() {
            return Ok(None);
        }
        let mut recipe = recipe.clone();
        let changed = match &mut recipe {
            GraphRecipe::Knn(knn) => change(&mut knn.k, |k| fit.neighbors("k", k)),
            GraphRecipe::Diffusion(diffusion) => change(&mut diffusion.knn.k, |k| fit.neighbors("k", k)),
            GraphRecipe::Geodesic(geodesic) => change(&mut geodesic.knn.k, |k| fit.neighbors("k", k)),
            GraphRecipe::Relief(relief) => change(&mut relief.k, |k| fit.class_neighbors("k", k)),
            _ => false,
        };
        Ok(changed.then_some(recipe))
    }

    /// A list of edges may end before the samples do: the others have no neighbors.
    fn same_samples(&self, kind: &GraphKind, graph: &Graph, n: usize) -> Outcome<Option<GraphRecipe>> {
        let (path, padded) = match kind {
            GraphKind::File(path) if graph.n_samples() < n => {
                (path, graph_file::similarities(path, Some(n))?)
            }
            GraphKind::Distances(path) if graph.n_samples() < n => {
                let bandwidth = self.bandwidth.unwrap_or_default();
                (path, graph_file::distances(path, bandwidth, Some(n))?)
            }
            GraphKind::File(path) | GraphKind::Distances(path) if graph.n_samples() > n => {
                return Err(other_samples(path, graph.n_samples(), n));
            }
            _ => return Ok(None),
        };
        match padded.n_samples() == n {
            true => Ok(Some(GraphRecipe::Given(padded))),
            false => Err(other_samples(path, padded.n_samples(), n)),
        }
    }
}

fn other_samples(path: &std::path::Path, found: usize, n: usize) -> Failure {
    let (found, n) = (plural(found, "sample"), plural(n, "sample"));
    Failure::Data(format!(
        "{}: a graph of {found}, and the data have {n}; they must be the same",
        path.display()
    ))
}

fn change(k: &mut usize, fit: impl FnOnce(usize) -> Option<usize>) -> bool {
    let fitted = fit(*k);
    *k = fitted.unwrap_or(*k);
    fitted.is_some()
}
