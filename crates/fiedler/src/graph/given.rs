//! The user's own graph: a similarity or distances, as a full matrix or as a list of edges.
//!
//! | constructor | takes | S |
//! |---|---|---|
//! | [`Graph::from_dense`] | n × n similarities | as given |
//! | [`Graph::from_edges`] | (i, j, similarity) | as given, 0 where there is no edge |
//! | [`Graph::from_distances`] | n × n distances | exp(-d²/2σ²) |
//! | [`Graph::from_distance_edges`] | (i, j, distance) | exp(-d²/2σ²), 0 where there is no edge |
//!
//! A matrix must be symmetric to rounding: entries (i, j) and (j, i) may differ by 10⁻⁸ of the
//! largest entry, and their mean is taken. A list names each pair once, or once in each
//! direction with the same value. Similarities may be negative, distances may not.
//!
//! Automatic bandwidth: 2σ² = median of the squared distances i < j of a matrix, mean of the
//! squared distances of a list. These are the rules of the full RBF and of the kNN graph, for a
//! matrix tells of far pairs too and a list of near ones only.

use faer::Mat;

use super::dense::{self, Dense};
use super::knn::{Bandwidth, gaussian};
use super::rbf::median;
use super::sparse::Sparse;
use super::{Graph, GraphInfo, Origin, Similarity, Weighting};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result, Silent};

/// How far the two values of a pair may be apart, relative to the largest of all.
const ROUNDING: f64 = 1e-8;

const STAGE: &str = "checking graph";

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "given",
    title: "a graph of the user's",
    joins: "Whom the user's similarities or distances join.",
    formula: "as given, or exp(-d²/2σ²) of the distances given",
    cost: "that of reading it",
    fails: "Where the values are of other samples, or in another order.",
    ..GraphInfo::BLANK
};

impl Graph {
    /// A graph from all n × n similarities, row after row.
    ///
    /// ```
    /// use fiedler::Graph;
    ///
    /// let graph = Graph::from_dense(&[1.0, 0.5, 0.5, 1.0], 2)?;
    /// assert_eq!(graph.degrees(), [1.5, 1.5]);
    /// assert!(Graph::from_dense(&[1.0, 0.5, 0.4, 1.0], 2).is_err()); // not symmetric
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::SimilarityNotFinite`], [`Error::Asymmetric`],
    /// [`Error::TooFewSamples`] or [`Error::TooLarge`].
    pub fn from_dense(similarities: &[f64], n_samples: usize) -> Result<Self> {
        Self::from_dense_with(similarities, n_samples, &Silent)
    }

    /// As [`from_dense`](Self::from_dense), within the limits of a monitor.
    ///
    /// # Errors
    /// As [`from_dense`](Self::from_dense), and [`Error::Canceled`].
    pub fn from_dense_with(similarities: &[f64], n_samples: usize, monitor: &dyn Monitor) -> Result<Self> {
        let weights = symmetric(similarities, n_samples, monitor)?;
        of_similarities(Similarity::Dense(Dense::new(weights)))
    }

    /// A graph from a list of edges (i, j, similarity), samples counted from 0. An edge (i, i)
    /// is an entry of the diagonal.
    ///
    /// ```
    /// use fiedler::Graph;
    ///
    /// let graph = Graph::from_edges(&[(0, 1, 2.0), (1, 2, 1.0)], 3)?;
    /// assert_eq!(graph.degrees(), [2.0, 3.0, 1.0]);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when a sample is out of range or a pair is repeated,
    /// [`Error::SimilarityNotFinite`], [`Error::Asymmetric`] or [`Error::TooFewSamples`].
    pub fn from_edges(edges: &[(usize, usize, f64)], n_samples: usize) -> Result<Self> {
        let pairs = unique_pairs(edges, n_samples)?;
        of_similarities(Similarity::Sparse(Sparse::from_upper(n_samples, pairs)))
    }

    /// A graph from all n × n distances, row after row; the diagonal must be 0 and becomes a
    /// similarity of 1.
    ///
    /// # Errors
    /// As [`from_dense`](Self::from_dense); [`Error::Parameter`] when a distance is negative,
    /// one of a sample to itself is not 0, or the bandwidth is not positive.
    pub fn from_distances(distances: &[f64], n_samples: usize, bandwidth: Bandwidth) -> Result<Self> {
        Self::from_distances_with(distances, n_samples, bandwidth, &Silent)
    }

    /// As [`from_distances`](Self::from_distances), within the limits of a monitor.
    ///
    /// # Errors
    /// As [`from_distances`](Self::from_distances), and [`Error::Canceled`].
    pub fn from_distances_with(
        distances: &[f64],
        n_samples: usize,
        bandwidth: Bandwidth,
        monitor: &dyn Monitor,
    ) -> Result<Self> {
        bandwidth.check()?;
        let mut weights = symmetric(distances, n_samples, monitor)?;
        for j in 0..n_samples {
            for (i, d) in weights.col_as_slice_mut(j).iter_mut().enumerate() {
                check_distance(i, j, *d)?;
                *d *= *d;
            }
        }
        let above = || (0..n_samples).flat_map(|j| weights.col_as_slice(j)[..j].iter().copied());
        let scale = bandwidth.scale(|| median(above().collect()));
        for j in 0..n_samples {
            weights.col_as_slice_mut(j).iter_mut().for_each(|d| *d = gaussian(*d, scale));
        }
        Ok(Graph::new(Similarity::Dense(Dense::new(weights)), from_distances(scale)))
    }

    /// A graph from a list of edges (i, j, distance), samples counted from 0. It has no
    /// self-loops: a distance (i, i) must be 0 and is left out.
    ///
    /// # Errors
    /// As [`from_edges`](Self::from_edges); [`Error::Parameter`] when a distance is negative or
    /// the bandwidth is not positive.
    pub fn from_distance_edges(
        edges: &[(usize, usize, f64)],
        n_samples: usize,
        bandwidth: Bandwidth,
    ) -> Result<Self> {
        bandwidth.check()?;
        let mut pairs = unique_pairs(edges, n_samples)?;
        for &(i, j, d) in &pairs {
            check_distance(i as usize, j as usize, d)?;
        }
        pairs.retain(|p| p.0 != p.1);
        let mean = || pairs.iter().map(|p| p.2 * p.2).sum::<f64>() / pairs.len().max(1) as f64;
        let scale = bandwidth.scale(mean);
        pairs.iter_mut().for_each(|p| p.2 = gaussian(p.2 * p.2, scale));
        Ok(Graph::new(Similarity::Sparse(Sparse::from_upper(n_samples, pairs)), from_distances(scale)))
    }
}

/// The graph of similarities that were checked: symmetric and finite.
pub(super) fn of_similarities(similarity: Similarity) -> Result<Graph> {
    Ok(Graph::new(similarity, Origin::new(&INFO, [("values", "similarities".into())])))
}

fn from_distances(scale: f64) -> Origin {
    Origin::new(&INFO, [("values", "distances".into())]).weighted(Weighting::rbf(scale))
}

fn check_samples(n_samples: usize) -> Result<()> {
    match n_samples {
        0 | 1 => Err(Error::TooFewSamples { what: "a given graph", needed: 2, got: n_samples }),
        _ => Ok(()),
    }
}

fn check_distance(i: usize, j: usize, distance: f64) -> Result<()> {
    let rule = if i == j && distance != 0.0 {
        "0 between a sample and itself"
    } else if distance < 0.0 {
        "0 or more"
    } else {
        return Ok(());
    };
    Err(Error::parameter("distances", rule, format!("{distance} for the samples ({i}, {j})")))
}

/// The matrix, checked, with the mean of each pair in both places.
pub(super) fn symmetric(values: &[f64], n: usize, monitor: &dyn Monitor) -> Result<Mat<f64>> {
    check_samples(n)?;
    let expected = n.saturating_mul(n);
    if values.len() != expected {
        return Err(Error::Length { what: "entries of a given matrix", expected, got: values.len() });
    }
    let advice = "give the graph as a list of edges, which stays sparse, or use fewer samples";
    dense::check_size_or("a given matrix", n, 1, (monitor, advice))?;
    if let Some(at) = values.iter().position(|v| !v.is_finite()) {
        return Err(Error::SimilarityNotFinite { i: at / n, j: at % n, value: values[at] });
    }
    let allowed = allowed_difference(values.iter().copied());
    let stage = Stage::new(monitor, STAGE, n)?;
    for i in 0..n {
        stage.advance(1)?;
        for j in 0..i {
            agree(j, i, values[j * n + i], values[i * n + j], allowed)?;
        }
    }
    // Halving first cannot overflow, and a + b is b + a to the bit.
    Ok(Mat::from_fn(n, n, |i, j| 0.5 * values[i * n + j] + 0.5 * values[j * n + i]))
}

fn allowed_difference(values: impl Iterator<Item = f64>) -> f64 {
    ROUNDING * values.fold(0.0, |largest: f64, v| largest.max(v.abs()))
}

fn agree(i: usize, j: usize, a: f64, b: f64, allowed: f64) -> Result<()> {
    if (a - b).abs() <= allowed { Ok(()) } else { Err(Error::Asymmetric { i, j, a, b }) }
}

/// Every pair once, (i, j, value) with i ≤ j, sorted.
fn unique_pairs(edges: &[(usize, usize, f64)], n: usize) -> Result<Vec<(u32, u32, f64)>> {
    check_samples(n)?;
    if u32::try_from(n).is_err() {
        return Err(Error::parameter("n_samples", format!("at most {}", u32::MAX), n));
    }
    for &(i, j, value) in edges {
        if i >= n || j >= n {
            let rule = format!("a list of pairs of samples below {n}");
            return Err(Error::parameter("edges", rule, format!("the pair ({i}, {j})")));
        }
        if !value.is_finite() {
            return Err(Error::SimilarityNotFinite { i, j, value });
        }
    }
    let allowed = allowed_difference(edges.iter().map(|e| e.2));
    let mut sorted = edges.to_vec();
    sorted.sort_by_key(|&(i, j, _)| (i.min(j), i.max(j), i > j));
    let mut pairs = Vec::with_capacity(sorted.len());
    for run in sorted.chunk_by(|a, b| (a.0.min(a.1), a.0.max(a.1)) == (b.0.min(b.1), b.0.max(b.1))) {
        let value = match *run {
            [(_, _, value)] => value,
            [(i, j, a), (p, q, b)] if i != j && (i, j) == (q, p) => {
                agree(i, j, a, b, allowed)?;
                0.5 * a + 0.5 * b
            }
            _ => {
                let (i, j, _) = run[0];
                let rule = "a list that names a pair once, or once in each direction";
                return Err(Error::parameter("edges", rule, format!("the pair ({i}, {j}) more often")));
            }
        };
        let (i, j, _) = run[0];
        pairs.push((i.min(j) as u32, i.max(j) as u32, value));
    }
    Ok(pairs)
}
