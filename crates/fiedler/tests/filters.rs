//! The spectral functions: gᵀγ(N)g against all eigenpairs by Jacobi rotations.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;

use std::sync::Arc;

use common::written_out;
use fiedler::dataset::demo;
use fiedler::graph::{Knn, Rbf};
use fiedler::spectrum::{Filter, FilterPlan};
use fiedler::{Dataset, Error, Graph, GraphRecipe, Labels, Silent};

const LANES: usize = 8;

fn graphs() -> Vec<(&'static str, Arc<Graph>)> {
    let data = demo::iris().expect("iris");
    let build = |recipe: GraphRecipe| recipe.build(&data, &Silent).expect("a graph");
    vec![
        // Two components at least: iris setosa stands apart.
        ("knn", build(GraphRecipe::default())),
        ("mutual", build(GraphRecipe::Knn(Knn { k: 2.into(), mutual: true, ..Knn::default() }))),
        ("rbf", build(GraphRecipe::Rbf(Rbf::default()))),
        ("labels", build(GraphRecipe::Labels)),
    ]
}

/// Lanes of different smoothness, the last ones 0.
fn tile(n: usize) -> Vec<f64> {
    let entry = |i: usize, l: usize| match l {
        0 => 1.0,
        1 => i as f64 / n as f64,
        2..6 => ((i * (l + 3)) as f64 * 0.7).sin(),
        _ => 0.0,
    };
    (0..n).flat_map(|i| (0..LANES).map(move |l| entry(i, l))).collect()
}

fn expected(graph: &Graph, filter: Filter, tile: &[f64]) -> Vec<f64> {
    let (values, vectors) = eigen::jacobi(eigen::normalized_laplacian(&written_out(graph)));
    let gamma = |r: f64| match filter {
        Filter::Identity => r,
        Filter::Power(p) => r.max(0.0).powf(p),
        Filter::Exponential(beta) => (beta * r).exp() - 1.0,
    };
    let share = |v: &Vec<f64>, l: usize| -> f64 {
        let alpha: f64 = v.iter().zip(tile.chunks_exact(LANES)).map(|(v, row)| v * row[l]).sum();
        alpha * alpha
    };
    (0..LANES).map(|l| values.iter().zip(&vectors).map(|(&r, v)| gamma(r) * share(v, l)).sum()).collect()
}

fn norms(tile: &[f64]) -> Vec<f64> {
    (0..LANES).map(|l| tile.chunks_exact(LANES).map(|row| row[l] * row[l]).sum()).collect()
}

#[test]
fn forms_are_those_of_the_eigenpairs() {
    let powers = [1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 1.5, 2.5, 6.25].map(Filter::Power);
    let exponentials = [0.5, 1.0, 4.0].map(Filter::Exponential);
    for (name, graph) in graphs() {
        let tile = tile(graph.n_samples());
        let norms = norms(&tile);
        for filter in [Filter::Identity].into_iter().chain(powers).chain(exponentials) {
            let plan = FilterPlan::new(&graph, filter, &Silent).expect("a plan");
            let mut found = [f64::NAN; LANES];
            plan.forms(&tile, LANES, &mut found);
            let scale = filter.apply(2.0);
            assert!(plan.error_bound() <= 1e-10 * scale, "{name} {filter}");
            assert_eq!(plan.warning(), None);
            for (l, (found, expected)) in found.iter().zip(expected(&graph, filter, &tile)).enumerate() {
                // √r and the like amplify the rounding of eigenvalues that should be 0.
                let rounding = if matches!(filter, Filter::Power(p) if p < 1.0) { 1e-7 } else { 1e-12 };
                let allowed = (plan.error_bound() + rounding * scale) * norms[l];
                assert!((found - expected).abs() <= allowed, "{name} {filter} lane {l}: {found} {expected}");
            }
        }
    }
}

#[test]
fn wide_tiles_hold_the_same_lanes() {
    let (_, graph) = graphs().swap_remove(0);
    let n = graph.n_samples();
    let narrow = tile(n);
    let wide: Vec<f64> = narrow.chunks_exact(LANES).flat_map(|row| [row, row].concat()).collect();
    for filter in [Filter::Power(3.0), Filter::Exponential(1.0), Filter::Power(0.5)] {
        let plan = FilterPlan::new(&graph, filter, &Silent).expect("a plan");
        let (mut one, mut two) = ([0.0; LANES], [0.0; 2 * LANES]);
        plan.forms(&narrow, LANES, &mut one);
        plan.forms(&wide, 2 * LANES, &mut two);
        for l in 0..2 * LANES {
            assert!((one[l % LANES] - two[l]).abs() <= 1e-12 * one[l % LANES].abs(), "{filter} {l}");
        }
    }
}

/// On the label graph N has the eigenvalues 0 and 1 only: gᵀγ(N)g = γ(1)·Σ (g - class mean)².
#[test]
fn a_bound_that_cannot_be_small_is_told_and_holds() {
    let n = 5000;
    let rows: Vec<Vec<f64>> = (0..n).map(|i| vec![i as f64]).collect();
    let codes: Vec<usize> = (0..n).map(|i| i % 3).collect();
    let data =
        Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&codes)).expect("labels");
    let graph = GraphRecipe::Labels.build(&data, &Silent).expect("a graph");
    let tile = tile(n);
    let mut within = [0.0; LANES];
    FilterPlan::new(&graph, Filter::Identity, &Silent).expect("a plan").forms(&tile, LANES, &mut within);
    let plan = FilterPlan::new(&graph, Filter::Power(0.5), &Silent).expect("a plan");
    let warning = plan.warning().expect("a warning");
    assert!(warning.contains("r^0.5") && warning.contains("up to"), "{warning}");
    let mut found = [0.0; LANES];
    plan.forms(&tile, LANES, &mut found);
    for ((found, expected), norm) in found.iter().zip(within).zip(norms(&tile)) {
        assert!((found - expected).abs() <= plan.error_bound() * norm * (1.0 + 1e-9));
    }
}

#[test]
fn texts() {
    let cases = [
        ("r", Filter::Identity, "r"),
        ("none", Filter::Identity, "r"),
        ("r^3", Filter::Power(3.0), "r^3"),
        (" r ^ 0.5 ", Filter::Power(0.5), "r^0.5"),
        ("exp(0.5r)-1", Filter::Exponential(0.5), "exp(0.5r)-1"),
        ("exp(2 * r) - 1", Filter::Exponential(2.0), "exp(2r)-1"),
        ("exp(r)-1", Filter::Exponential(1.0), "exp(r)-1"),
    ];
    for (text, filter, shown) in cases {
        let parsed: Filter = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(parsed, filter, "{text}");
        assert_eq!(parsed.to_string(), shown);
        assert_eq!(parsed.to_string().parse::<Filter>().expect("its own text"), filter);
    }
    for text in
        ["", "x", "r^", "r^x", "r^0", "r^-1", "r^nan", "r^inf", "r^1e9", "exp(r)", "exp(-1r)-1", "exp(*r)-1"]
    {
        let error = text.parse::<Filter>().expect_err(text);
        assert!(matches!(error, Error::Parameter { .. }) && error.to_string().contains("gamma"), "{error}");
    }
}
