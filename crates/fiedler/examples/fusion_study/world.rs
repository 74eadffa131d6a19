//! Data with known truth: a target with few samples and weak signal, and five sources of knowledge
//! about it, one of which misleads.
//!
//! A graph made from some features of the target favors those very features, whether they matter or
//! not. So knowledge of features names half of what matters and many features that do not, and hits
//! are counted among the features that matter and that no source names: only what carries over counts.

use std::sync::Arc;

use fiedler::dataset::{Dense, Order};
use fiedler::fusion::{
    Covariance, FeatureNetwork, FeatureSet, Fusion, Overlap, Source, feature_set_graph, hierarchy_graph,
    hit_ratio,
};
use fiedler::graph::{Bandwidth, Rbf};
use fiedler::{Dataset, Graph, GraphRecipe, Labels, Ranking, Result, Silent, methods};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_distr::{Distribution, StandardNormal};

/// How much of everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// Samples, in three classes.
    pub(crate) samples: usize,
    /// Samples whose class is known.
    pub(crate) labeled: usize,
    /// Features that follow the classes.
    pub(crate) truth: usize,
    /// Features that follow the day of the measurement, which has nothing to do with the classes.
    pub(crate) batch: usize,
    /// Features that follow nothing.
    pub(crate) noise: usize,
    /// How far apart the classes are in the target, in standard deviations.
    pub(crate) signal: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { samples: 60, labeled: 24, truth: 20, batch: 20, noise: 460, signal: 1.0 }
    }
}

/// What a study sees.
pub(crate) struct World {
    /// The data whose features are ranked.
    pub(crate) target: Dataset,
    /// The classes of some samples.
    pub(crate) labels: Labels,
    /// The classes of all.
    pub(crate) classes: Vec<usize>,
    /// The features that follow the classes and that no knowledge names.
    pub(crate) hidden: Vec<usize>,
    /// The features of the gene set, half of which follow the classes.
    pub(crate) named: Vec<usize>,
    /// Target, auxiliary data, gene sets, annotations, and the day of the measurement.
    pub(crate) sources: Vec<Source>,
}

/// Three groups, each feature with signs of its own: what one does up another does down.
fn grouped(normal: &mut impl FnMut() -> f64, groups: &[usize], signal: f64) -> Vec<f64> {
    let shifts: Vec<f64> = (0..3).map(|_| signal * normal()).collect();
    groups.iter().map(|&g| shifts[g] + normal()).collect()
}

fn columns(columns: Vec<Vec<f64>>) -> Result<Dataset> {
    let (n, m) = (columns[0].len(), columns.len());
    Dataset::new(Dense::new(columns.concat(), n, m, Order::ColumnMajor)?)
}

/// Makes everything from a seed.
pub(crate) fn world(settings: Settings, seed: u64) -> Result<World> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draws = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
    let mut below = |n: usize| (draws.next_u64() % n as u64) as usize;
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let Settings { samples: n, truth, batch, noise, .. } = settings;
    let classes: Vec<usize> = (0..n).map(|i| i % 3).collect();
    let days: Vec<usize> = (0..n).map(|_| below(3)).collect();
    let mut values: Vec<Vec<f64>> =
        (0..truth).map(|_| grouped(&mut normal, &classes, settings.signal)).collect();
    values.extend((0..batch).map(|_| grouped(&mut normal, &days, settings.signal)));
    values.extend((0..noise).map(|_| (0..n).map(|_| normal()).collect::<Vec<f64>>()));
    let target = columns(values)?;
    let mut second: Vec<Vec<f64>> =
        (0..15).map(|_| grouped(&mut normal, &classes, 1.5 * settings.signal)).collect();
    second.extend((0..15).map(|_| (0..n).map(|_| normal()).collect::<Vec<f64>>()));
    let rbf = GraphRecipe::Rbf(Rbf::default());
    let m = truth + batch + noise;
    // Half of what matters is known already, among as many features that do not.
    let known: Vec<usize> =
        (0..truth / 2).chain((0..truth / 2).map(|_| truth + batch + below(noise))).collect();
    let set = FeatureSet { name: "pathway".to_owned(), features: known.clone() };
    let hidden = truth / 2..truth;
    // What is known shares a term; everything but what is hidden has some of many others.
    let mut annotations: Vec<(usize, usize)> = known.iter().map(|&f| (f, 0)).collect();
    for _ in 0..m / 4 {
        let drawn = below(m - hidden.len());
        let feature = if drawn < hidden.start { drawn } else { drawn + hidden.len() };
        annotations.push((feature, 1 + below(40)));
    }
    let network = FeatureNetwork::from_annotations(m, &annotations, Overlap::Jaccard, Some(50))?;
    let days: Vec<String> = days.iter().map(|d| format!("week {}/day {d}", d / 2)).collect();
    let graphs = [
        ("target", rbf.build(&target, &Silent)?),
        ("auxiliary data", rbf.build(&columns(second)?, &Silent)?),
        ("gene set", feature_set_graph(&target, &[set], &rbf, &Silent)?),
        ("annotations", Arc::new(network.graph(&target, Covariance::Kernel, Bandwidth::Auto, &Silent)?)),
        ("day (misleading)", Arc::new(hierarchy_graph(&days, None)?)),
    ];
    let label = |i: usize| (i < settings.labeled).then(|| classes[i].to_string());
    let sources = graphs.map(|(name, graph)| Source { name: name.to_owned(), graph });
    Ok(World {
        target,
        labels: Labels::new((0..n).map(label)),
        classes,
        hidden: hidden.collect(),
        named: known,
        sources: sources.to_vec(),
    })
}

/// How good a ranking is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    /// The share of what is hidden among as many best features that the gene set does not hold.
    pub(crate) hits: f64,
    /// How often the nearest labeled sample is of the same class, for samples without a label, by as
    /// many best features as matter.
    pub(crate) accuracy: f64,
}

impl World {
    /// The ranking on a combined graph.
    pub(crate) fn rank(&self, fusion: &Fusion) -> Result<Ranking> {
        self.rank_on(&fusion.graph)
    }

    /// The rankings on each source alone.
    pub(crate) fn rank_each(&self, fusion: &Fusion) -> Result<Vec<Ranking>> {
        fusion.shares.iter().map(|share| self.rank_on(&share.source.graph)).collect()
    }

    fn rank_on(&self, graph: &Arc<Graph>) -> Result<Ranking> {
        let graph = GraphRecipe::Given(Arc::clone(graph));
        methods::find("laplacian")?.usual_on(graph)?.rank(&self.target)
    }

    /// How good a ranking is.
    pub(crate) fn judge(&self, ranking: &Ranking) -> Result<Judged> {
        let rest: Vec<usize> = ranking.order().iter().copied().filter(|j| !self.named.contains(j)).collect();
        let hits = hit_ratio(&rest, &self.hidden, &[self.hidden.len()])?[0].ratio;
        let best = ranking.top(2 * self.hidden.len());
        let columns = best.iter().map(|&j| self.target.column(j)).collect::<Result<Vec<_>>>()?;
        Ok(Judged { hits, accuracy: self.nearest_neighbor(&columns) })
    }

    fn nearest_neighbor(&self, columns: &[Vec<f64>]) -> f64 {
        let distance = |i: usize, j: usize| columns.iter().map(|c| (c[i] - c[j]).powi(2)).sum::<f64>();
        let labeled = |i: &usize| self.labels.codes()[*i].is_some();
        let (known, asked): (Vec<usize>, Vec<usize>) = (0..self.classes.len()).partition(labeled);
        let right = |i: &&usize| {
            let nearest = known.iter().min_by(|&&a, &&b| distance(**i, a).total_cmp(&distance(**i, b)));
            nearest.is_some_and(|&n| self.classes[n] == self.classes[**i])
        };
        asked.iter().filter(right).count() as f64 / asked.len() as f64
    }
}
