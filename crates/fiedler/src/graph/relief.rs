//! The Relief graph (SPEC eq. 12): near hits attract, near misses repel.
//!
//! ```text
//! S_ij = 1                 i = j
//!        1/k               j among the k nearest of i in its own class (a hit)
//!        -1/((c-1)k)       j among the k nearest of i in another class (a miss), c classes
//!        0                 otherwise
//! S   ← (S + Sᵀ)/2
//! ```
//!
//! Where neighborhoods are mutual every degree is 1 + 1 - 1 = 1, D = I, and fᵀLf is what
//! ReliefF sums, with squared differences: large distances to hits count against a feature,
//! large distances to misses for it. In general degrees differ from 1 and may be negative, so
//! a method that divides by degrees does not belong on this graph;
//! [`relief-spec`](crate::methods::ReliefSpec) divides by fᵀf.
//!
//! A sample that is alone in its class has no hits, and one of a class with fewer than k others
//! has fewer; each remaining edge keeps its weight. A warning names those classes.
//!
//! Cost: the neighbors, by class, in O(n²m); at most cnk edges.

use super::neighbors::{self, NeighborLists, Query};
use super::sparse::Sparse;
use super::{Description, Graph, Metric, Similarity};
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Near hits and near misses, by euclidean distance.
///
/// ```
/// use fiedler::{Silent, dataset::demo, graph::Relief};
///
/// let graph = Relief { k: 5 }.build(&demo::iris()?, &Silent)?;
/// assert!(graph.diagonal().iter().all(|&w| w == 1.0));
/// assert!((graph.volume() - 150.0).abs() < 1e-9); // the mean degree is always 1
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relief {
    /// Hits per sample, and misses per sample and other class; 1 to n - 1.
    pub k: usize,
}

impl Default for Relief {
    fn default() -> Self {
        Relief { k: 10 }
    }
}

impl Relief {
    /// Makes the graph.
    ///
    /// # Errors
    /// `k` is not from 1 to n - 1, labels are missing or of one class, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        let everyone = neighbors::everyone(data.n_samples());
        let found = ClassNeighbors::find(data, Metric::Euclidean, self.k, &everyone, monitor)?;
        let (n, k, others) = (data.n_samples(), self.k as f64, (found.n_classes - 1) as f64);
        let mut entries: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, i, 1.0)).collect();
        for i in 0..n {
            for class in 0..found.n_classes {
                let is_hit = class == found.codes[i] as usize;
                let weight = if is_hit { 1.0 / k } else { -1.0 / (others * k) };
                let neighbors = found.lists.of(i, class).iter();
                entries.extend(neighbors.map(|nb| (i as u32, nb.index, 0.5 * weight)));
            }
        }
        let similarity = Similarity::Sparse(Sparse::from_directed(n, entries));
        let parameters = vec![("k", self.k.into()), ("classes", found.n_classes.into())];
        Ok(Graph::new(similarity, Description { kind: "relief", parameters }).warned(found.warnings))
    }
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
        let warnings = too_small(k, &sizes, names);
        Ok(ClassNeighbors { lists, codes, n_classes, sizes, warnings })
    }
}

/// The rule for `k`, in the words of the methods whose parameter it is.
pub(crate) fn check_neighbors(neighbors: usize, n_samples: usize) -> Result<()> {
    if (1..n_samples).contains(&neighbors) {
        return Ok(());
    }
    let rule = format!("from 1 to the number of samples less one ({})", n_samples - 1);
    Err(Error::parameter("neighbors", rule, neighbors))
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
