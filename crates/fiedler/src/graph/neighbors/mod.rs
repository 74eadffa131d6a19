//! Exact nearest neighbours.

use faer::Mat;
use rayon::prelude::*;

use super::Metric;
use crate::dataset::{Center, Dataset};
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// A neighbour and its distance, as the metric measures it (squared for euclidean).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) index: u32,
    pub(crate) distance: f64,
}

/// The neighbours of every sample, class by class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NeighborLists {
    n_classes: usize,
    /// List (i, c) is `neighbors[offsets[i·n_classes + c]..offsets[i·n_classes + c + 1]]`.
    offsets: Vec<usize>,
    neighbors: Vec<Neighbor>,
}

impl NeighborLists {
    /// The neighbours of `sample` in `class`, nearest first, ties to the lower index.
    pub(crate) fn of(&self, sample: usize, class: usize) -> &[Neighbor] {
        let list = sample * self.n_classes + class;
        &self.neighbors[self.offsets[list]..self.offsets[list + 1]]
    }
}

/// For every sample its `k` nearest others, nearest first, ties to the lower index.
///
/// # Errors
/// `k` is not from 1 to n - 1, the columns cannot be read, or the monitor says stop.
pub(crate) fn nearest(
    data: &Dataset,
    metric: Metric,
    k: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<Neighbor>>> {
    let lists = nearest_by_class(data, metric, k, &vec![0; data.n_samples()], 1, monitor)?;
    Ok((0..data.n_samples()).map(|i| lists.of(i, 0).to_vec()).collect())
}

/// For every sample and every class, the `k` nearest members of that class other than the
/// sample itself; fewer where the class has fewer.
///
/// `codes` holds the class of every sample, each below `n_classes`.
///
/// # Errors
/// As [`nearest`].
pub(crate) fn nearest_by_class(
    data: &Dataset,
    metric: Metric,
    k: usize,
    codes: &[u32],
    n_classes: usize,
    monitor: &dyn Monitor,
) -> Result<NeighborLists> {
    let (n, m) = (data.n_samples(), data.n_features());
    debug_assert!(codes.len() == n && codes.iter().all(|&c| (c as usize) < n_classes));
    if k == 0 || k >= n {
        return Err(Error::parameter(
            "k",
            format!("from 1 to the number of samples less one ({})", n - 1),
            k,
        ));
    }
    let mut rows = vec![0.0; n * m];
    data.read(0..m)?.pack(0..m, m, Center::AsScaled, &mut rows);
    let stage = Stage::new(monitor, "neighbours", n)?;
    let row = |i: usize| &rows[i * m..(i + 1) * m];
    let found: Vec<Vec<Vec<Neighbor>>> = (0..n)
        .into_par_iter()
        .map(|i| {
            let mut lists = vec![Vec::new(); n_classes];
            for j in (0..n).filter(|&j| j != i) {
                let distance = metric.distance(row(i), row(j));
                lists[codes[j] as usize].push(Neighbor { index: j as u32, distance });
            }
            for list in &mut lists {
                list.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.index.cmp(&b.index)));
                list.truncate(k);
            }
            stage.advance(1)?;
            Ok(lists)
        })
        .collect::<Result<_>>()?;
    let mut offsets = vec![0];
    let mut neighbors = Vec::new();
    for list in found.iter().flatten() {
        neighbors.extend_from_slice(list);
        offsets.push(neighbors.len());
    }
    Ok(NeighborLists { n_classes, offsets, neighbors })
}

/// ‖xᵢ - xⱼ‖² of all pairs: symmetric to the bit, 0 on the diagonal and between duplicates.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(crate) fn squared_distances(data: &Dataset, monitor: &dyn Monitor) -> Result<Mat<f64>> {
    let (n, m) = (data.n_samples(), data.n_features());
    let stage = Stage::new(monitor, "distances", n)?;
    let mut rows = vec![0.0; n * m];
    data.read(0..m)?.pack(0..m, m, Center::AsScaled, &mut rows);
    let row = |i: usize| &rows[i * m..(i + 1) * m];
    let squares = Mat::from_fn(n, n, |i, j| Metric::Euclidean.distance(row(i), row(j)));
    stage.advance(n)?;
    Ok(squares)
}
