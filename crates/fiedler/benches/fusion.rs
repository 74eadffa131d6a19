//! Many sources at the size of a genome: 200 samples × 20,000 features, five sources, a feature
//! network of 200,000 edges.
//!
//! ```text
//! cargo bench -p fiedler --bench fusion
//! ```
//! Prints CPU seconds of every step, all threads together, and the largest memory of the process.

use std::sync::Arc;

use cpu_time::ProcessTime;
use fiedler::dataset::demo::Planted;
use fiedler::fusion::{
    Coefficients, Covariance, FeatureNetwork, FeatureSet, Source, combine, feature_set_graph, hierarchy_graph,
};
use fiedler::graph::{Bandwidth, Graph, Rbf};
use fiedler::{Analysis, Dataset, GraphRecipe, Result, Silent};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

const SAMPLES: usize = 200;
const FEATURES: usize = 20_000;
const EDGES: usize = 200_000;

fn main() -> Result<()> {
    let target = planted(FEATURES, 1)?;
    let auxiliary = planted(500, 2)?;
    let edges = random_edges();
    let rbf = GraphRecipe::Rbf(Rbf::default());
    let paths: Vec<String> = (0..SAMPLES).map(|i| format!("part {}/room {}", i % 4, i % 12)).collect();
    let set = FeatureSet { name: "set".to_owned(), features: (0..200).map(|i| i * 97).collect() };
    let begun = ProcessTime::now();
    let sources = [
        step("target, rbf", || rbf.build(&target, &Silent))?,
        step("auxiliary data, rbf", || rbf.build(&auxiliary, &Silent))?,
        step("set of 200 features, rbf", || feature_set_graph(&target, &[set], &rbf, &Silent))?,
        step("network of 200,000 edges", || {
            let network = FeatureNetwork::new(FEATURES, &edges)?;
            Ok(Arc::new(network.graph(&target, Covariance::Kernel, Bandwidth::Auto, &Silent)?))
        })?,
        step("hierarchy", || Ok(Arc::new(hierarchy_graph(&paths, None)?)))?,
    ];
    let labels = target.labels();
    let fusion =
        timed("weights by alignment", || combine(&sources, &Coefficients::Aligned, labels, &Silent))?;
    let asked = Analysis::default();
    timed("rankings, all and each", || fusion.answer(&asked, &target, "target", &Silent))?;
    println!(
        "{:<28} {:>8.2} s CPU, largest memory {}",
        "everything",
        begun.elapsed().as_secs_f64(),
        memory()
    );
    Ok(())
}

fn planted(features: usize, seed: u64) -> Result<Dataset> {
    let planted = Planted { n_samples: SAMPLES, noise: features - 12, seed, ..Planted::default() };
    Ok(planted.generate()?.data)
}

fn random_edges() -> Vec<(usize, usize, f64)> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut draw = || (rng.next_u64() % FEATURES as u64) as usize;
    (0..EDGES).map(|_| (draw(), draw(), 1.0)).collect()
}

fn step(name: &str, make: impl FnOnce() -> Result<Arc<Graph>>) -> Result<Source> {
    Ok(Source { name: name.to_owned(), graph: timed(name, make)? })
}

fn timed<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let begun = ProcessTime::now();
    let done = work()?;
    println!("{name:<28} {:>8.2} s CPU", begun.elapsed().as_secs_f64());
    Ok(done)
}

/// What Linux says; other systems do not tell.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM"));
    line.map_or("unknown".to_owned(), |l| l.trim_start_matches("VmHWM:").trim().to_owned())
}
