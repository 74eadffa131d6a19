//! Exact nearest neighbours.

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

/// For every sample its `k` nearest others, nearest first, ties to the lower index.
pub(crate) fn nearest(
    data: &Dataset,
    metric: Metric,
    k: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<Vec<Neighbor>>> {
    let (n, m) = (data.n_samples(), data.n_features());
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
    (0..n)
        .into_par_iter()
        .map(|i| {
            let mut all: Vec<Neighbor> = (0..n)
                .filter(|&j| j != i)
                .map(|j| Neighbor { index: j as u32, distance: metric.distance(row(i), row(j)) })
                .collect();
            all.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.index.cmp(&b.index)));
            all.truncate(k);
            stage.advance(1)?;
            Ok(all)
        })
        .collect()
}
