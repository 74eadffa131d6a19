//! The golden values: every method against literal Python, relative error at most 1e-9.

mod common;

use common::{Golden, golden};
use fiedler::graph::{Bandwidth, Diffusion, Geodesic, Knn, Rbf, Weight};
use fiedler::methods::{self, Scatter, TraceRatio};
use fiedler::spectrum::Spectrum;
use fiedler::{Graph, GraphRecipe, Selector, Silent};

fn build(golden: &Golden, recipe: &GraphRecipe) -> std::sync::Arc<Graph> {
    recipe.build(&golden.data, &Silent).expect("a graph")
}

fn knn(weight: Weight, mutual: bool) -> GraphRecipe {
    GraphRecipe::Knn(Knn { weight, mutual, ..Knn::default() })
}

fn rbf() -> GraphRecipe {
    GraphRecipe::Rbf(Rbf::default())
}

fn check(golden: &Golden, key: &str, method: &str, set: &[(&str, &str)], graph: Option<GraphRecipe>) {
    let method =
        methods::find(method).expect("registered").build(set.iter().copied(), graph).expect("parameters");
    let ranking = method.rank(&golden.data).expect("a ranking");
    golden.assert_close(key, "scores", ranking.scores());
}

#[test]
fn graphs() {
    for g in golden() {
        let heat = build(&g, &knn(Weight::Heat, false));
        g.assert_close("graph.knn_heat_auto", "degrees", heat.degrees());
        assert_eq!(heat.diagnostics().edges as f64, g.number("graph.knn_heat_auto", "edges"));
        g.assert_close("graph.knn_binary", "degrees", build(&g, &knn(Weight::Binary, false)).degrees());
        g.assert_close("graph.knn_mutual_binary", "degrees", build(&g, &knn(Weight::Binary, true)).degrees());
        g.assert_close("graph.rbf_full_auto", "degrees", build(&g, &rbf()).degrees());
    }
}

#[test]
fn spectra() {
    for g in golden() {
        for (key, recipe) in [("knn_heat_auto", GraphRecipe::default()), ("rbf_full_auto", rbf())] {
            let spectrum = Spectrum::leading(&build(&g, &recipe), 20, &Silent).expect("a spectrum");
            g.assert_close(&format!("spectrum.{key}"), "eigenvalues", spectrum.values());
        }
    }
}

#[test]
fn univariate() {
    for g in golden() {
        check(&g, "variance", "variance", &[], None);
        check(&g, "laplacian_score.knn_heat_auto", "laplacian", &[], None);
        check(&g, "laplacian_score.rbf_full_auto", "laplacian", &[], Some(rbf()));
        check(&g, "fisher", "fisher", &[], None);
    }
}

#[test]
fn trace_ratio() {
    for g in golden() {
        for (key, scatter) in [("fisher", Scatter::Fisher), ("knn_heat_auto", Scatter::Laplacian)] {
            let key = format!("trace_ratio.{key}");
            let count = g.number(&key, "count") as usize;
            let ranking =
                TraceRatio { scatter, count, ..TraceRatio::default() }.rank(&g.data).expect("a ranking");
            g.assert_close(&key, "scores", ranking.scores());
            let mut selected: Vec<f64> = ranking.top(count).iter().map(|&j| j as f64).collect();
            selected.sort_by(f64::total_cmp);
            g.assert_close(&key, "selected", &selected);
            let lambda = ranking.parameters.real_or_word("lambda").expect("λ is told");
            assert!((lambda / g.number(&key, "lambda") - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn spec() {
    for g in golden() {
        let sigma = g.number("graph.geodesic", "sigma");
        let recipes = [
            ("knn_heat_auto", GraphRecipe::default()),
            ("rbf_full_auto", rbf()),
            ("diffusion", GraphRecipe::Diffusion(Diffusion { beta: 0.5, ..Diffusion::default() })),
            (
                "geodesic",
                GraphRecipe::Geodesic(Geodesic { bandwidth: Bandwidth::Given(sigma), ..Geodesic::default() }),
            ),
        ];
        for (graph, recipe) in recipes {
            for phi in ["1", "2", "3"] {
                for (infix, gamma) in [("", "r"), (".r3", "r^3")] {
                    let key = format!("spec.phi{phi}{infix}.{graph}");
                    let clusters = g.output(&key, "k").as_u64().map_or("auto".to_owned(), |k| k.to_string());
                    let set = [("phi", phi), ("gamma", gamma), ("clusters", clusters.as_str())];
                    check(&g, &key, "spec", &set, Some(recipe.clone()));
                }
            }
        }
    }
}
