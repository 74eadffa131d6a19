//! ReliefF (DIS 3.15), and RReliefF where a number is to be predicted.
//!
//! # What it measures
//! Whether a feature differs between a sample and its nearest neighbors of other classes
//! (misses) more than between it and its nearest neighbors of its own class (hits). Neighbors
//! are found with all features, so a feature can count that tells classes apart only together
//! with others.
//!
//! # Formula
//! ```text
//! score = 1/M Σ_i [ Σ_{C ≠ y_i} P(C)/(1 - P(y_i)) · mean_{j ∈ misses of i in C} |f_i - f_j|
//!                   - mean_{j ∈ hits of i} |f_i - f_j| ] / (max f - min f)
//! ```
//! over M samples i; P(C) is the share of class C among all samples. Larger is better; it lies
//! in -1..1.
//!
//! A number y in place of classes (RReliefF): the k nearest samples of all, and a feature should differ where y differs.
//! With Δf = |f_i - f_j|/(max f - min f), Δy alike, and means over the samples i and their neighbors j,
//! ```text
//! score = mean(Δy Δf)/mean(Δy) - mean((1 - Δy) Δf)/(1 - mean(Δy))
//! ```
//!
//! # Symbols → code
//! Hits and misses `ClassNeighbors`; the neighbors of RReliefF are those of a single class of all samples, found by Manhattan distance on the data scaled to 0..1,
//! whatever the scaling of the data set; the factor of every pair `ReliefF::pairs`.
//!
//! # Cost
//! The neighbors by class, O(n²m). All samples' sums are then one signed sum over pairs,
//! Σ_{i<j} c_ij |f_i - f_j|, made in one pass over the features: pairs × features. Where at most
//! a tenth of the values are not 0, both steps touch only those, also of data stored densely.
//!
//! # When it fails
//! Many noise features blur who is near. It judges features one by one: copies of a good
//! feature all rank high.
//!
//! # Differences from the paper
//! None. The mean is over the neighbors that exist: a class with fewer than k members gives
//! fewer, and a sample that is alone in its class has no hits (a warning tells). Where several tie for the last
//! place among the neighbors, they share it, so that the order of the rows does not matter. Relief is the
//! special case of one neighbor and two classes, where P(C)/(1 - P(y_i)) = 1. In RReliefF all k neighbors count alike, the
//! first of the two weightings of the paper.
//!
//! # References
//! Robnik-Šikonja, Kononenko: Theoretical and Empirical Analysis of ReliefF and RReliefF,
//! Machine Learning 53, 2003.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::dataset::{Center, Dataset, ScaledBlock, Scaling};
use crate::graph::neighbors::{Query, nearest_by_class};
use crate::graph::relief::{self, ClassNeighbors, Fitted};
use crate::graph::sparse::Sparse;
use crate::graph::{GraphRecipe, LANES, Metric, Neighbors};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision};
use crate::{Error, Result, random};

/// ReliefF.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::ReliefF};
///
/// let ranking = ReliefF::default().rank(&demo::iris()?)?;
/// assert_eq!(ranking.order()[..2], [3, 2]); // petal width, petal length
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReliefF {
    /// Hits per sample, and misses per sample and other class; 1 to n - 1. Automatic: 10, or fewer where
    /// there are fewer others.
    pub neighbors: Neighbors,
    /// How many samples look at their neighbors; `None`: all of them.
    pub samples: Option<usize>,
    /// Which they are, where not all: the same seed takes the same ones.
    pub seed: u64,
}

impl Default for ReliefF {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for ReliefF {
    const INFO: MethodInfo = MethodInfo {
        name: "relieff",
        title: "ReliefF",
        measures: "Whether a feature differs more between a sample and near samples of other classes than \
                   between it and near samples of its own class; with a number to be predicted, whether it differs where \
                   that differs.",
        formula: "mean over samples of Σ_C P(C)/(1-P(class)) |f - f(misses in C)| - |f - f(hits)|, over the range of f;  \
                  number: mean(Δy Δf)/mean(Δy) - mean((1-Δy) Δf)/(1-mean(Δy)) over near pairs",
        goal: Goal::Maximize,
        supervision: Supervision::Supervised,
        takes_number: true,
        judges: Judges::OneByOne,
        graph: GraphUse::None,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "neighbors",
                kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
                default: ParameterValue::word("auto"),
                role: Role::Neighbors,
                only_with: None,
                help: "nearest samples of each class that count, or of all where a number is to be predicted (1 and two \
                       classes: Relief); auto: 10, or fewer where there are fewer others",
            },
            ParameterInfo {
                name: "samples",
                kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["all"] },
                default: ParameterValue::word("all"),
                role: Role::Own,
                only_with: None,
                help: "how many samples, drawn at random, look at their neighbors",
            },
            ParameterInfo {
                name: "seed",
                kind: Kind::Integer { min: 0, max: usize::MAX },
                default: ParameterValue::Integer(0),
                role: Role::Seed,
                only_with: None,
                help: "which samples those are",
            },
        ],
        cost: "neighbors by class: samples that look x all samples x features, then pairs x features",
        fails: "Where many noise features blur who is near. Judges features one by one: copies of a good \
                feature all rank high.",
        reference: "Robnik-Šikonja, Kononenko: Theoretical and Empirical Analysis of ReliefF and RReliefF, \
                    Machine Learning 53, 2003",
    };

    fn build(parameters: &Parameters, _: GraphRecipe) -> Result<Self> {
        Ok(ReliefF {
            neighbors: parameters.whole_or_word("neighbors").into(),
            samples: parameters.whole_or_word("samples"),
            seed: parameters.whole("seed") as u64,
        })
    }
}

impl Selector for ReliefF {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let Fitted { k, note } = relief::fit_neighbors(self.neighbors, data)?;
        let queries = self.queries(data.n_samples())?;
        let data = data.clone().scaled(Scaling::Range);
        let thin = data.sparsified(monitor)?;
        let (data, is_thin) = (thin.as_ref().unwrap_or(&data).clone(), thin.is_some());
        let (pairs, warnings) = if data.target().is_some() {
            number_pairs(&data, k, &queries, monitor)?
        } else {
            let found = ClassNeighbors::find(&data, Metric::Manhattan, k, &queries, monitor)?;
            (self.pairs(&found, &queries), found.warnings)
        };
        let mut parameters = Parameters::default();
        parameters.set("neighbors", k);
        parameters.set("samples", queries.len());
        parameters.set("seed", self.seed as usize);
        let mut scorer = Scorer::free(Goal::Maximize, parameters, move |columns, monitor| {
            let columns = columns.clone().scaled(Scaling::Range);
            // As all features were, or the sums of a few would be taken in another order.
            let columns = columns.sparsified_like(is_thin, monitor)?;
            scores(&columns, &pairs, monitor)
        });
        scorer.notes.extend(note);
        scorer.warnings = warnings;
        Ok(scorer)
    }
}

impl ReliefF {
    /// The samples that look at their neighbors, ascending.
    fn queries(&self, n: usize) -> Result<Vec<u32>> {
        let mut all: Vec<u32> = (0..n as u32).collect();
        let Some(count) = self.samples.filter(|&count| count != n) else { return Ok(all) };
        if count == 0 || count > n {
            let rule = format!("`all` or from 1 to the number of samples ({n})");
            return Err(Error::parameter("samples", rule, count));
        }
        random::draw(&mut all, count, &mut ChaCha8Rng::seed_from_u64(self.seed));
        all.truncate(count);
        all.sort_unstable();
        Ok(all)
    }

    /// The factor c_ij of every |f_i - f_j|, both directions added up.
    fn pairs(&self, found: &ClassNeighbors, queries: &[u32]) -> Sparse {
        let n = found.codes.len();
        let share = |class: usize| found.sizes[class] as f64 / n as f64;
        let mut entries = Vec::new();
        for &i in queries {
            let own = found.codes[i as usize] as usize;
            for class in 0..found.n_classes {
                let sign = if class == own { -1.0 } else { share(class) / (1.0 - share(own)) };
                let count = found.lists.of(i as usize, class).len().min(found.lists.k()).max(1);
                let factor = sign / (queries.len() * count) as f64;
                let neighbors = found.lists.shares_of(i as usize, class);
                entries.extend(neighbors.map(|(nb, share)| (i, nb.index, factor * share)));
            }
        }
        Sparse::from_directed(n, entries)
    }
}

/// The same of RReliefF: with d_ij = 1/(kM) for the k neighbors j of the M samples i, and the score linear in |f_i - f_j|,
/// c_ij = d_ij [Δy_ij/Σ dΔy - (1 - Δy_ij)/(1 - Σ dΔy)].
fn number_pairs(
    data: &Dataset,
    k: usize,
    queries: &[u32],
    monitor: &dyn Monitor,
) -> Result<(Sparse, Vec<String>)> {
    let target = data.number(ReliefF::INFO.name)?;
    let (n, (low, high)) = (data.n_samples(), target.range());
    let y: Vec<f64> = target.values().iter().map(|v| (v - low) / (high - low)).collect();
    let query = Query { k, codes: &vec![0; n], n_classes: 1, searching: queries };
    let lists = nearest_by_class(data, Metric::Manhattan, &query, monitor)?;
    let mut entries: Vec<(u32, u32, f64)> = Vec::new();
    for &i in queries {
        let count = lists.of(i as usize, 0).len().min(k).max(1);
        let each = 1.0 / (queries.len() * count) as f64;
        entries.extend(lists.shares_of(i as usize, 0).map(|(nb, share)| (i, nb.index, each * share)));
    }
    let differs = |i: u32, j: u32| (y[i as usize] - y[j as usize]).abs();
    let mean: f64 = entries.iter().map(|&(i, j, d)| d * differs(i, j)).sum();
    // Where no neighbor differs, or all of them do, there is nothing on that side to average over.
    let over = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
    for (i, j, factor) in &mut entries {
        let dy = differs(*i, *j);
        *factor *= over(dy, mean) - over(1.0 - dy, 1.0 - mean);
    }
    let warnings = lists.warning().into_iter().collect();
    Ok((Sparse::from_directed(n, entries), warnings))
}

/// Σ c_ij |f_i - f_j| of every feature.
fn scores(columns: &Dataset, pairs: &Sparse, monitor: &dyn Monitor) -> Result<Vec<f64>> {
    columns.map_blocks("scores", monitor, |block, range| {
        let sums = if block.is_sparse() { by_entries(block, pairs) } else { by_tiles(block, pairs) };
        let score = |(sum, j): (f64, usize)| if columns.constant(j) { f64::NAN } else { sum };
        Ok(sums.into_iter().zip(range).map(score).collect())
    })
}

fn by_tiles(block: &ScaledBlock<'_>, pairs: &Sparse) -> Vec<f64> {
    let mut tile = vec![0.0; pairs.n_samples() * LANES];
    let mut out = Vec::with_capacity(block.width() + LANES);
    for start in (0..block.width()).step_by(LANES) {
        block.pack(start..block.width().min(start + LANES), LANES, Center::AsScaled, &mut tile);
        let mut sums = [0.0; LANES];
        pairs.add_absolute_sums(1.0, &tile, LANES, &mut sums);
        out.extend(sums);
    }
    out.truncate(block.width());
    out
}

/// Sparse columns: only pairs at a non-zero are touched. A pair of two non-zeros is met twice
/// and adds half each time.
fn by_entries(block: &ScaledBlock<'_>, pairs: &Sparse) -> Vec<f64> {
    let mut values = vec![0.0; pairs.n_samples()];
    let column = |j: usize| {
        let entries: Vec<(usize, f64)> =
            block.entries(j).into_iter().flatten().filter(|e| e.1 != 0.0).collect();
        entries.iter().for_each(|&(i, v)| values[i] = v);
        let mut sum = 0.0;
        for &(i, v) in &entries {
            for (neighbor, factor) in pairs.row(i) {
                let share = if values[neighbor] != 0.0 { 0.5 } else { 1.0 };
                sum += share * factor * (v - values[neighbor]).abs();
            }
        }
        entries.iter().for_each(|&(i, _)| values[i] = 0.0);
        sum
    };
    (0..block.width()).map(column).collect()
}
