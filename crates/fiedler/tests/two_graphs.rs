//! Trace ratio with two graphs: the best of all subsets, tried one by one.

mod common;

use fiedler::dataset::demo;
use fiedler::graph::{Knn, Rbf};
use fiedler::methods::{self, Scatter, TraceRatio};
use fiedler::{Dataset, GraphRecipe, Selector, Silent};

/// fᵀLf over all pairs.
fn scatter(data: &Dataset, recipe: &GraphRecipe) -> Vec<f64> {
    let s = common::written_out(&recipe.build(data, &Silent).expect("a graph"));
    let of = |j: usize| {
        let f = data.column(j).expect("a column");
        let pairs = (0..f.len()).flat_map(|a| (0..f.len()).map(move |b| (a, b)));
        pairs.map(|(a, b)| s[a][b] * (f[a] - f[b]).powi(2) / 2.0).sum()
    };
    (0..data.n_features()).map(of).collect()
}

#[test]
fn the_set_is_the_best_of_all() {
    let wine = demo::Planted { n_samples: 40, noise: 6, ..demo::Planted::default() }
        .generate()
        .expect("planted")
        .data;
    let kept: Vec<usize> = (0..wine.n_features().min(10)).collect();
    let data = wine.subset(&kept).expect("in range");
    let knn = GraphRecipe::Knn(Knn::default());
    let rbf = GraphRecipe::Rbf(Rbf::default());
    for (graph, between) in [(knn.clone(), rbf.clone()), (rbf, knn)] {
        let method =
            TraceRatio { scatter: Scatter::Graphs, count: 3, between: between.clone(), graph: graph.clone() };
        let view = method.view(&data, &Silent).expect("a view");
        let (b, w) = (scatter(&view, &between), scatter(&view, &graph));
        let ranking = method.rank(&data).expect("a ranking");
        let ratio =
            |set: &[usize]| set.iter().map(|&j| b[j]).sum::<f64>() / set.iter().map(|&j| w[j]).sum::<f64>();
        let m = data.n_features();
        let mut best = f64::NEG_INFINITY;
        for i in 0..m {
            for j in i + 1..m {
                for k in j + 1..m {
                    best = best.max(ratio(&[i, j, k]));
                }
            }
        }
        assert!((ratio(ranking.top(3)) / best - 1.0).abs() < 1e-9);
        assert!((ranking.parameters.real_or_word("lambda").expect("λ is told") / best - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_second_graph_by_name() {
    let data = demo::iris().expect("embedded");
    let rank = |between: &str| {
        let found = methods::find("trace-ratio").expect("there");
        let parameters = [("type", "graphs"), ("between", between), ("count", "2")];
        found.build(parameters, None)?.rank(&data)
    };
    assert_eq!(rank("rbf").expect("a ranking").parameters.text("between"), "rbf");
    for wrong in ["nothing", "given"] {
        let error = rank(wrong).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("between"), "{wrong}: {error}");
    }
}
