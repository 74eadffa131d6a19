//! Sources as graphs, and their combination, against textbook code that shares nothing with the
//! library.

#[path = "../naive/eigen.rs"]
#[allow(dead_code)] // every test file uses a part of it
mod eigen;

mod combination;
#[path = "../common/mod.rs"]
mod common;
mod judged;
mod sources;
#[path = "../../examples/fusion_study/world.rs"]
mod world;

use std::sync::Arc;

use common::assert_close;
use fiedler::dataset::{Dense, Order};
use fiedler::fusion::{
    Coefficients, Covariance, FeatureNetwork, FeatureSet, Names, Overlap, SampleSource, Source, Unmatched,
    combine, feature_set_graph, hierarchy_graph, indefinite, join_samples, label_graph, match_features,
};
use fiedler::graph::{Bandwidth, Knn, Rbf};
use fiedler::{Dataset, Error, Graph, GraphRecipe, Labels, Scaling, Silent, methods};

/// Numbers between -1 and 1 that look random and are always the same.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn rows(n: usize, m: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut next = noise(seed);
    (0..n).map(|_| (0..m).map(|_| next()).collect()).collect()
}

fn data(rows: &[Vec<f64>]) -> Dataset {
    Dataset::from_rows(rows).expect("finite").scaled(Scaling::None)
}

/// S written out.
fn matrix(graph: &Graph) -> Vec<Vec<f64>> {
    let n = graph.n_samples();
    (0..n)
        .map(|i| {
            let unit: Vec<f64> = (0..n).map(|j| f64::from(u8::from(i == j))).collect();
            let mut out = vec![0.0; n];
            graph.apply(&unit, 1, &mut out);
            out
        })
        .collect()
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

fn source(name: &str, graph: Graph) -> Source {
    Source { name: name.to_owned(), graph: Arc::new(graph) }
}
