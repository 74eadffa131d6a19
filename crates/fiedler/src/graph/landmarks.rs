//! The landmark graph: samples are similar where they are near the same landmarks (Liu, He, Chang, ICML 2010, who call
//! landmarks anchors).
//!
//! A few samples are [chosen](choose) as landmarks, and every sample is linked to its k nearest of them:
//!
//! ```text
//! z_ic = exp(-d²(x_i, u_c)/t) / Σ over the k nearest landmarks of i, else 0
//! S = Z Λ⁻¹ Zᵀ,  Λ = diag(Zᵀ1)
//! ```
//! S_ij is the chance to walk from i to j over one landmark. S is symmetric, not negative and positive semidefinite, its rows sum to 1
//! (all degrees are 1), and it is [never written out](super::low_rank). Automatic t: the mean of d² over the links, as in the
//! kNN graph. Landmarks that tie for the last place share it, as neighbors do. The Gaussian is taken relative to the nearest landmark, which
//! changes nothing but that a sample far from all of them is still linked to the nearest.
//!
//! | | time | memory |
//! |---|---|---|
//! | links | n·a·m in matrix products | n·k numbers |
//! | a product, a quadratic form | n·k | landmarks |
//! | eigenpairs | n·k² + a³ | a² numbers |
//!
//! **How it differs from a kNN graph.** A neighborhood is as wide as the cell of a landmark, of n/a samples, where it is k samples in
//! the kNN graph: what varies inside a cell looks like noise. So scores of features that follow large groups agree, and those of features
//! that vary along fine structure do not. How much that matters for the data at hand is [measured](agreement) each time, on some
//! samples whose true neighbors are searched for.
//!
//! Reference: Liu, He, Chang: Large Graph Construction for Scalable Semi-Supervised Learning, ICML 2010.

mod agreement;
mod choose;

use super::knn::{Bandwidth, gaussian};
use super::low_rank::LowRank;
use super::metric::Looked;
use super::neighbors::{self, NeighborLists};
use super::vocabulary::{self, BANDWIDTH, K, LANDMARKS, METRIC};
use super::{Graph, GraphInfo, GraphKind, Metric, MetricChoice, Neighbors, Origin, Remedies, Similarity};
use crate::dataset::Dataset;
use crate::limits::grouped;
use crate::monitor::Monitor;
use crate::parameters::Parameters;
use crate::{Error, Result};
use agreement::Agreement;

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "landmarks",
    title: "landmarks in common",
    joins: "Samples that are near the same landmarks, which are a few of the samples themselves. For very many samples: its \
            cost grows with their number, not with its square.",
    called: "the landmarks graph",
    formula: "Σ_c z_ic z_jc / Σ_l z_lc, z_ic ∝ exp(-‖xᵢ-u_c‖²/t) for the k nearest landmarks u_c of i, else 0",
    parameters: &[LANDMARKS, K, BANDWIDTH, METRIC],
    unit_degrees: true,
    remedies: Remedies {
        no_edges: "every sample has a landmark of its own; use fewer landmarks",
        apart: Some("a larger k or a wider bandwidth joins them"),
        faint: "a larger k joins them",
        indistinct: "use more landmarks",
    },
    cost: "samples x landmarks x features for the links; memory for samples x k links",
    fails: "Where features vary inside the cell of a landmark: that looks like noise. The agreement with the knn graph, measured on \
            some samples, tells.",
    reference: "Liu, He, Chang: Large Graph Construction for Scalable Semi-Supervised Learning, ICML 2010",
    ..GraphInfo::BLANK
};

/// Landmarks that a sample is linked to, where the user does not say.
const USUAL: usize = 5;
/// Landmarks of many samples, where the user does not say, and how many samples there are for each of fewer.
const MOST: usize = 1000;
const SAMPLES_EACH: usize = 10;
/// As many landmarks as this are nothing to save.
const FEW: usize = 50;

/// The landmark graph.
///
/// ```
/// use fiedler::{Silent, dataset::demo, graph::Landmarks};
///
/// let graph = Landmarks { landmarks: Some(30), ..Landmarks::default() }.build(&demo::iris()?, &Silent)?;
/// assert!(graph.degrees().iter().all(|&d| d == 1.0));
/// assert_eq!(graph.n_landmarks(), Some(30));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Landmarks {
    /// Number of landmarks, 2 to n; `None`: a tenth of the samples, 50 at least and 1,000 at most.
    pub landmarks: Option<usize>,
    /// Landmarks that a sample is linked to, from 1 to their number; automatic: 5.
    pub k: Neighbors,
    /// t.
    pub bandwidth: Bandwidth,
    /// How distance is measured; automatic: as suits the data.
    pub metric: MetricChoice,
}

impl GraphKind for Landmarks {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        Ok(Landmarks {
            landmarks: parameters.whole_or_word("landmarks"),
            k: vocabulary::neighbors(parameters),
            bandwidth: vocabulary::bandwidth(parameters),
            metric: parameters.text("metric").parse()?,
        })
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

impl Landmarks {
    /// Makes the graph, and measures how well it stands for the kNN graph.
    ///
    /// # Errors
    /// There are more landmarks than samples or fewer than `k`, the bandwidth is not positive, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.bandwidth.check()?;
        let n = data.n_samples();
        if n < 2 {
            return Err(Error::TooFewSamples { what: "a landmark graph", needed: 2, got: n });
        }
        let (count, k) = self.sizes(n)?;
        let Looked { metric, data: turned, shrinkage } = self.metric.fitted(data, monitor)?;
        let seen = turned.as_ref().unwrap_or(data);
        let thin = if metric.info().angles { None } else { seen.sparsified(monitor)? };
        let seen = thin.as_ref().unwrap_or(seen);
        let landmarks = choose::choose(seen, metric, count, monitor)?;
        let everyone = neighbors::everyone(n);
        let lists = neighbors::nearest_landmarks(seen, metric, (&everyone, &landmarks), k, monitor)?;
        let (low, t) = self.links(&lists, metric, n, count);
        let crowded = lists.warning();
        drop(lists);
        let parameters = [("landmarks", count.into()), ("k", k.into()), ("metric", metric.name().into())];
        let origin = Origin::new(&INFO, parameters).with("shrinkage", shrinkage).with("t", Some(t));
        let mut graph = Graph::new(Similarity::LowRank(low), origin);
        let agreement = Agreement::measure(data, (seen, metric), &graph, k.min(n - 1), monitor)?;
        graph.origin = graph.origin.with("agreement", agreement.correlation);
        Ok(graph.noted([agreement.note()]).warned(agreement.warning()).warned(crowded))
    }

    /// The number of landmarks and that of the links of a sample.
    fn sizes(&self, n: usize) -> Result<(usize, usize)> {
        let count = self.landmarks.unwrap_or_else(|| (n / SAMPLES_EACH).clamp(FEW, MOST).min(n));
        if count < 2 || count > n {
            let rule = format!("`auto` or from 2 to the number of samples ({})", grouped(n));
            return Err(Error::parameter("landmarks", rule, count));
        }
        match self.k {
            Neighbors::Auto => Ok((count, USUAL.min(count))),
            Neighbors::Given(k) if (1..=count).contains(&k) => Ok((count, k)),
            Neighbors::Given(k) => {
                let rule = format!("from 1 to the number of landmarks ({})", grouped(count));
                Err(Error::parameter("k", rule, k))
            }
        }
    }

    /// Z, and t.
    fn links(&self, lists: &NeighborLists, metric: Metric, n: usize, count: usize) -> (LowRank, f64) {
        let t = match self.bandwidth {
            Bandwidth::Given(t) => t,
            Bandwidth::Auto => mean_square(lists, metric, n),
        };
        let (mut offsets, mut landmarks, mut weights) = (vec![0], Vec::new(), Vec::new());
        for i in 0..n {
            let nearest = lists.of(i, 0).first().map_or(0.0, |nb| metric.square(nb.distance));
            let weigh = |(nb, share): (&neighbors::Neighbor, f64)| {
                (nb.index, share * gaussian((metric.square(nb.distance) - nearest).max(0.0), t))
            };
            let mut row: Vec<(u32, f64)> = lists.shares_of(i, 0).map(weigh).collect();
            row.sort_unstable_by_key(|link| link.0);
            let total: f64 = row.iter().map(|link| link.1).sum();
            for (landmark, weight) in row.into_iter().map(|(c, w)| (c, w / total)).filter(|l| l.1.is_normal())
            {
                landmarks.push(landmark);
                weights.push(weight);
            }
            offsets.push(landmarks.len());
        }
        (LowRank::new(count, offsets, landmarks, weights), t)
    }
}

/// The mean of d² over the links.
fn mean_square(lists: &NeighborLists, metric: Metric, n: usize) -> f64 {
    let (mut squares, mut shares) = (0.0, 0.0);
    for (nb, share) in (0..n).flat_map(|i| lists.shares_of(i, 0)) {
        squares += share * metric.square(nb.distance);
        shares += share;
    }
    squares / f64::max(shares, f64::MIN_POSITIVE)
}
