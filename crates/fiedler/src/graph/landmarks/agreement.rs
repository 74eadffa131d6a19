//! How well a landmark graph stands for the kNN graph of the same samples, measured on some of them.
//!
//! What is compared are the Laplacian scores of features. On the landmark graph they are computed as for any graph. On the kNN graph of all
//! n samples they would take all neighbors; but a score is a ratio of two sums over samples, and q of them, drawn at random,
//! estimate both:
//!
//! ```text
//! ½ Σ_i Σ_j w_ij (f_i - f_j)²  /  Σ_i d_i (f_i - f̄)²,    d_i = Σ_j w_ij,  f̄ = Σ_i d_i f_i / Σ_i d_i
//! ```
//! over the q samples i. j are the true k nearest of i *among all samples*, and w_ij the heat weights with their automatic width. So nothing
//! is made smaller or sparser than it is: neighborhoods and landmarks are those of the whole data, and only the sums are short.
//!
//! **What is told.** Spearman's correlation of the two rankings of the features. The draw makes the one ranking uncertain, which lowers the
//! correlation and is no fault of the landmarks. How uncertain it is, its two halves tell: with h the correlation of the scores by the
//! one half of the q samples with those by the other, r that of the scores by all q with the landmarks', and ϱ how much less all q
//! vary than a half does,
//!
//! ```text
//! r / √(h / (h + (1-h)ϱ)),    ϱ = (1/q - 1/n) / (2/q - 1/n)
//! ```
//! is what n samples would show (Spearman's correction for attenuation). With q = n nothing is corrected. Where h is below [`UNCERTAIN`],
//! the features differ too little for the samples to rank them, and nothing is promised. Scores themselves are larger on a landmark graph, for
//! its neighborhoods are wider; by how much at most is told too.
//!
//! **What is left out**: the kNN graph joins i and j where one is a neighbor of the other; here every sample counts its own neighbors, so
//! that an edge of both counts twice. Of more than [`FEATURES`] features as many are compared, evenly spread.
//!
//! Cost: q·n·m for the neighbors, and a pass over the features compared.
//!
//! Reference: Spearman: The Proof and Measurement of Association between Two Things, 1904.

use crate::dataset::{Dataset, ScaledBlock};
use crate::graph::knn::gaussian;
use crate::graph::neighbors::{self, Neighbor, Query};
use crate::graph::{Graph, Metric};
use crate::limits::grouped;
use crate::moments::moments;
use crate::monitor::Monitor;
use crate::ranking::{Goal, Ranking};
use crate::stability::spearman;
use crate::{Result, random};

/// Samples whose true neighbors are searched for.
const SAMPLES: usize = 1000;
/// Features that are compared.
const FEATURES: usize = 100;
/// Where halves of the samples agree less than this, a correlation is not told.
const UNCERTAIN: f64 = 0.5;
/// A rank correlation below this is warned of.
const POOR: f64 = 0.9;
/// Of fewer features a rank correlation says nothing.
const FEWEST: usize = 5;
const SEED: u64 = 0x5a3b_1e05;

/// How well scores agree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Agreement {
    /// Of the rankings of the features; `None` where that cannot be told.
    pub(super) correlation: Option<f64>,
    /// The largest difference of two scores.
    largest: f64,
    samples: usize,
    features: usize,
}

impl Agreement {
    /// Of the scores of `data` on this graph with those on the kNN graph of `seen`, the data as the metric looks at them.
    pub(super) fn measure(
        data: &Dataset,
        (seen, metric): (&Dataset, Metric),
        graph: &Graph,
        k: usize,
        monitor: &dyn Monitor,
    ) -> Result<Self> {
        let hoods = Hoods::search(seen, metric, k, monitor)?;
        let varying: Vec<usize> = (0..data.n_features()).filter(|&j| !data.constant(j)).collect();
        let count = varying.len().min(FEATURES);
        let some: Vec<usize> = (0..count).map(|at| varying[at * varying.len() / count]).collect();
        let mut pairs: Vec<(Estimates, f64)> = Vec::new();
        if count > 0 {
            let compared = data.subset(&some)?;
            let of_block = |block: &ScaledBlock<'_>, _| {
                Ok((0..block.width()).map(|j| hoods.scores(&centered(block, j))).collect())
            };
            let exact: Vec<Option<Estimates>> = compared.map_blocks("agreement", monitor, of_block)?;
            let through = moments(&compared, graph, monitor)?;
            let score = through.iter().map(|m| m.laplacian / m.centered_degree());
            pairs = exact.into_iter().zip(score).filter_map(|(e, s)| Some((e?, s))).collect();
        }
        let difference = |pair: &(Estimates, f64)| (pair.0.all - pair.1).abs();
        Ok(Agreement {
            correlation: correlation(&pairs, hoods.samples.len(), data.n_samples()),
            largest: pairs.iter().map(difference).fold(0.0, f64::max),
            samples: hoods.samples.len(),
            features: pairs.len(),
        })
    }

    /// What a user is told.
    pub(super) fn note(&self) -> String {
        let by = format!("by the true neighbors of {} samples", grouped(self.samples));
        let features = self.features;
        match self.correlation {
            Some(r) => format!(
                "the landmark graph stands for the kNN graph: {by}, the Laplacian scores of {features} features on the two have \
                 a rank correlation of {r:.3} (the scores themselves differ by {:.3} at most: compare them on one graph only)",
                self.largest
            ),
            None => format!(
                "how well the landmark graph stands for the kNN graph cannot be told: {by}, the {features} features that vary are \
                 too few or too much alike to be ranked"
            ),
        }
    }

    /// A warning where the rankings are not alike.
    pub(super) fn warning(&self) -> Option<String> {
        let poor = self.correlation.filter(|r| *r < POOR)?;
        Some(format!(
            "scores on the landmark graph rank the features otherwise than those on the kNN graph do: by the true neighbors of {} \
             samples their rank correlation is {poor:.3}; use more landmarks (`landmarks`) or a knn graph",
            grouped(self.samples)
        ))
    }
}

/// The rank correlation of the two scores, freed from what a draw of `q` of `n` samples does to it.
fn correlation(pairs: &[(Estimates, f64)], q: usize, n: usize) -> Option<f64> {
    if pairs.len() < FEWEST {
        return None;
    }
    let ranking = |score: &dyn Fn(&(Estimates, f64)) -> f64| {
        Ranking::new("laplacian", Goal::Minimize, pairs.iter().map(score).collect())
    };
    let found = spearman(&ranking(&|p| p.0.all), &ranking(&|p| p.1));
    if q == n {
        return Some(found);
    }
    let halves = spearman(&ranking(&|p| p.0.halves[0]), &ranking(&|p| p.0.halves[1]));
    let (q, n) = (q as f64, n as f64);
    let less = (1.0 / q - 1.0 / n) / (2.0 / q - 1.0 / n);
    let reliability = halves / (halves + (1.0 - halves) * less);
    (halves >= UNCERTAIN).then(|| (found / reliability.sqrt()).clamp(-1.0, 1.0))
}

/// Column `j` about its mean, so that no offset of the data costs digits.
fn centered(block: &ScaledBlock<'_>, j: usize) -> Vec<f64> {
    let (mut column, mean) = (block.column(j), block.mean(j));
    column.iter_mut().for_each(|v| *v -= mean);
    column
}

/// A score on the kNN graph, by all samples drawn and by the two halves of them.
struct Estimates {
    all: f64,
    halves: [f64; 2],
}

/// Some samples, in the order of the draw, and their neighbors.
struct Hoods {
    samples: Vec<u32>,
    /// For every one of them its neighbors and their weights.
    neighbors: Vec<Vec<(u32, f64)>>,
}

impl Hoods {
    fn search(data: &Dataset, metric: Metric, k: usize, monitor: &dyn Monitor) -> Result<Self> {
        let n = data.n_samples();
        let mut samples = neighbors::everyone(n);
        // At random: samples in the order of a file may repeat with any period.
        random::draw(&mut samples, n.min(SAMPLES), &mut random::generator(SEED, &[]));
        samples.truncate(SAMPLES);
        let query = Query { k, codes: &vec![0; n], n_classes: 1, searching: &samples };
        let lists = neighbors::nearest_by_class(data, metric, &query, monitor)?;
        let edges = || samples.iter().flat_map(|&i| lists.shares_of(i as usize, 0));
        let (squares, shares) = edges().fold((0.0, 0.0), |(squares, shares), (nb, share)| {
            (squares + share * metric.square(nb.distance), shares + share)
        });
        let t = squares / f64::max(shares, f64::MIN_POSITIVE);
        let hood = |&i: &u32| {
            let weigh =
                |(nb, share): (&Neighbor, f64)| (nb.index, share * gaussian(metric.square(nb.distance), t));
            lists.shares_of(i as usize, 0).map(weigh).collect()
        };
        Ok(Hoods { neighbors: samples.iter().map(hood).collect(), samples })
    }

    /// The Laplacian score of a feature; `None` where it does not vary on these samples.
    fn scores(&self, feature: &[f64]) -> Option<Estimates> {
        let middle = self.samples.len().div_ceil(2);
        let (first, second) =
            (self.score(feature, 0..middle), self.score(feature, middle..self.samples.len()));
        Some(Estimates { all: self.score(feature, 0..self.samples.len())?, halves: [first?, second?] })
    }

    /// The same by the samples at these places.
    fn score(&self, feature: &[f64], places: std::ops::Range<usize>) -> Option<f64> {
        let value = |i: &u32| feature[*i as usize];
        let (mut apart, mut weight, mut sum, mut squares) = (0.0, 0.0, 0.0, 0.0);
        for (i, hood) in self.samples[places.clone()].iter().zip(&self.neighbors[places]) {
            let degree: f64 = hood.iter().map(|edge| edge.1).sum();
            apart += hood.iter().map(|(j, w)| w * (value(i) - value(j)).powi(2)).sum::<f64>();
            weight += degree;
            sum += degree * value(i);
            squares += degree * value(i) * value(i);
        }
        let below = squares - sum * sum / weight;
        (weight > 0.0 && below > 1e-12 * squares).then(|| 0.5 * apart / below)
    }
}
