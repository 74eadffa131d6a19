//! The Relief graph (SPEC eq. 12): near hits attract, near misses repel.
//!
//! ```text
//! S_ij = 1/k               j among the k nearest of i in its own class (a hit)
//!        -1/((c-1)k)       j among the k nearest of i in another class (a miss), c classes
//!        0                 otherwise
//! S   ← (S + Sᵀ)/2
//! S_ii = 1 - Σ_{j≠i} S_ij
//! ```
//!
//! fᵀLf is what ReliefF sums, with squared differences: large distances to hits count against a
//! feature, large distances to misses for it. The paper puts 1 on the diagonal, and where
//! neighborhoods are mutual every degree is then 1 + 1 - 1 = 1: its theorem rests on D = I. In general
//! those degrees differ from 1 and may be negative. So D = I is taken for every criterion: the
//! diagonal, which no fᵀLf depends on, is what makes every degree 1, and in the paper's case it is 1.
//!
//! Where several samples tie for the last place among the hits, or the misses of a class, they share it.
//!
//! A sample that is alone in its class has no hits, and one of a class with fewer than k others
//! has fewer; each remaining edge keeps its weight. A warning names those classes.
//!
//! Cost: the neighbors, by class, in O(n²m); at most cnk edges.

pub(crate) use super::neighbor_count::Fitted;
use super::neighbors::{self, NeighborLists, Query};
use super::sparse::Sparse;
use super::vocabulary::{self, K};
use super::{Graph, GraphInfo, GraphKind, Metric, Neighbors, Origin, Remedies, Similarity};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::{Error, Result};

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "relief",
    title: "near hits and near misses",
    joins: "Every sample with the nearest of its own class, and with the nearest of every other class by negative \
            weights.",
    called: "the relief graph",
    parameters: &[K],
    formula: "1/k to the k nearest hits, -1/((c-1)k) to the k nearest misses of each of the c-1 other classes",
    needs_labels: true,
    unit_degrees: true,
    remedies: Remedies {
        no_edges: "no sample has a hit or a miss; use labels that repeat",
        apart: None,
        faint: "use another graph",
        indistinct: "use labels that repeat",
    },
    cost: "samples² x features for the search; at most classes x samples x k edges",
    fails: "Where many noise features blur who is near.",
    reference: "Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007, eq. 12",
    ..GraphInfo::BLANK
};

/// Near hits and near misses, by euclidean distance.
///
/// ```
/// use fiedler::{Silent, dataset::demo, graph::Relief};
///
/// let graph = Relief { k: 5.into() }.build(&demo::iris()?, &Silent)?;
/// assert_eq!(graph.degrees(), [1.0; 150]); // D = I
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Relief {
    /// Hits per sample, and misses per sample and other class; 1 to n - 1. Automatic: 10, or fewer where
    /// there are fewer others.
    pub k: Neighbors,
}

/// Hits, and misses per class, where the user does not say.
pub(crate) const USUAL: usize = 10;

impl GraphKind for Relief {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        Ok(Relief { k: vocabulary::neighbors(parameters) })
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

impl Relief {
    /// Makes the graph.
    ///
    /// # Errors
    /// `k` is not from 1 to n - 1, labels are missing or of one class, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        Relief::graph(data, self.k.in_classes("k", USUAL, data), monitor)
    }

    /// The graph of a number of neighbors that suits the data.
    pub(crate) fn graph(data: &Dataset, fitted: Fitted, monitor: &dyn Monitor) -> Result<Graph> {
        let Fitted { k: count, note } = fitted;
        let everyone = neighbors::everyone(data.n_samples());
        let found = ClassNeighbors::find(data, Metric::Euclidean, count, &everyone, monitor)?;
        let (n, k, others) = (data.n_samples(), count as f64, (found.n_classes - 1) as f64);
        let mut entries: Vec<(u32, u32, f64)> = Vec::new();
        for i in 0..n {
            for class in 0..found.n_classes {
                let is_hit = class == found.codes[i] as usize;
                let weight = if is_hit { 1.0 / k } else { -1.0 / (others * k) };
                let neighbors = found.lists.shares_of(i, class);
                entries.extend(neighbors.map(|(nb, share)| (i as u32, nb.index, 0.5 * weight * share)));
            }
        }
        let similarity = Similarity::Sparse(with_unit_degrees(&Sparse::from_directed(n, entries)));
        let origin = Origin::new(&INFO, [("k", count.into()), ("classes", found.n_classes.into())]);
        let notes = note.into_iter().chain([UNIT_DEGREES.to_owned()]);
        Ok(Graph::new(similarity, origin).noted(notes).warned(found.warnings))
    }
}

/// What a user is told: scores that divide by degrees divide by 1.
const UNIT_DEGREES: &str = "the relief graph takes D = I: its diagonal makes every degree 1, as mutual \
                            neighborhoods would";

/// The edges, with the diagonal that makes every degree 1.
fn with_unit_degrees(edges: &Sparse) -> Sparse {
    let own = edges.degrees().into_iter().enumerate().map(|(i, d)| (i as u32, i as u32, 1.0 - d));
    Sparse::from_upper(edges.n_samples(), edges.upper_entries().chain(own).collect())
}

/// The nearest members of every class for the samples that search, and which classes are too small.
pub(crate) struct ClassNeighbors {
    pub(crate) lists: NeighborLists,
    /// The class of every sample.
    pub(crate) codes: Vec<u32>,
    pub(crate) n_classes: usize,
    /// Samples of each class.
    pub(crate) sizes: Vec<usize>,
    pub(crate) warnings: Vec<String>,
}

impl ClassNeighbors {
    pub(crate) fn find(
        data: &Dataset,
        metric: Metric,
        k: usize,
        searching: &[u32],
        monitor: &dyn Monitor,
    ) -> Result<Self> {
        let (codes, n_classes) = data.classes("Relief")?;
        let mut sizes = vec![0; n_classes];
        codes.iter().for_each(|&c| sizes[c as usize] += 1);
        let lists = neighbors::nearest_by_class(
            data,
            metric,
            &Query { k, codes: &codes, n_classes, searching },
            monitor,
        )?;
        let names = data.labels().map_or(&[][..], |l| l.classes());
        let mut warnings = too_small(k, &sizes, names);
        warnings.extend(lists.warning());
        Ok(ClassNeighbors { lists, codes, n_classes, sizes, warnings })
    }
}

/// The number of neighbors of a method that calls them `neighbors`.
///
/// # Errors
/// It is given, and not from 1 to n - 1.
pub(crate) fn fit_neighbors(neighbors: Neighbors, data: &Dataset) -> Result<Fitted> {
    let (fitted, n) = (neighbors.in_classes("neighbors", USUAL, data), data.n_samples());
    if (1..n).contains(&fitted.k) {
        return Ok(fitted);
    }
    let rule = format!("from 1 to the number of samples less one ({})", n.saturating_sub(1));
    Err(Error::parameter("neighbors", rule, fitted.k))
}

/// A warning that names the classes whose samples have fewer than `k` hits.
fn too_small(k: usize, sizes: &[usize], names: &[String]) -> Vec<String> {
    /// How many classes a warning lists.
    const LISTED: usize = 5;
    let small: Vec<String> = sizes
        .iter()
        .zip(names)
        .filter(|(size, _)| **size <= k)
        .map(|(size, name)| format!("`{name}` ({size})"))
        .collect();
    if small.is_empty() {
        return Vec::new();
    }
    let more =
        if small.len() > LISTED { format!(" and {} more", small.len() - LISTED) } else { String::new() };
    vec![format!(
        "classes with too few samples for {k} neighbors each use what they have, and one of a single sample \
         has no hits: {}{more}; use fewer neighbors or more samples",
        small[..small.len().min(LISTED)].join(", ")
    )]
}
