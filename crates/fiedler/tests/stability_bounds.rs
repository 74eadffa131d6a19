//! What noise did beside what theorems 5 and 6 let it do, on a user's own data.

mod common;

use fiedler::dataset::demo;
use fiedler::methods::{Laplacian, Variance};
use fiedler::stability::{Change, Stability};
use fiedler::{Cells, Dataset, Graph, Selector, Silent};

fn noise(level: f64) -> Stability {
    Stability { count: 3, repeats: 2, change: Change::Noise { level }, bounds: true, ..Stability::default() }
}

/// f̂ᵀN^r f̂ written out, f̂ = D^½f/‖D^½f‖.
fn phi(graph: &Graph, view: &Dataset, j: usize, power: usize) -> f64 {
    let s = common::written_out(graph);
    let d: Vec<f64> = s.iter().map(|row| row.iter().sum()).collect();
    let f: Vec<f64> = view.column(j).expect("a column").iter().zip(&d).map(|(x, d)| x * d.sqrt()).collect();
    let norm = f.iter().map(|v| v * v).sum::<f64>().sqrt();
    let unit: Vec<f64> = f.iter().map(|v| v / norm).collect();
    let mut image = unit.clone();
    for _ in 0..power {
        let row = |i: usize| {
            image[i] - (0..d.len()).map(|k| s[i][k] * image[k] / (d[i] * d[k]).sqrt()).sum::<f64>()
        };
        image = (0..d.len()).map(row).collect();
    }
    unit.iter().zip(&image).map(|(a, b)| a * b).sum()
}

#[test]
fn changes_are_as_measured_and_below_their_bounds() {
    let data = demo::iris().expect("embedded");
    let method = Laplacian::default();
    let ranking = method.rank(&data).expect("a ranking");
    let graph = ranking.graph.as_deref().expect("a graph");
    let view = method.view(&data, &Silent).expect("a view");
    for level in [0.001, 0.05, 0.5] {
        let report = noise(level).run(&method, &data).expect("a report");
        let table = report.bounds.expect("asked for");
        let Some(Cells::Features(features)) = table.values("feature") else { panic!("features") };
        assert_eq!(features, ranking.top(3));
        for (row, &j) in features.iter().enumerate() {
            let at = |key: &str| table.series(key)[row];
            assert!((at("before") - phi(graph, &view, j, 1)).abs() < 1e-9);
            assert!((at("change") - (at("after") - at("before")).abs()).abs() < 1e-12);
            assert!(
                at("change") > 0.0 && at("change") <= at("without_gaps") && at("change") <= at("theorem_5")
            );
            assert!(at("change_cubed") <= at("without_gaps_cubed") && at("change_cubed") <= at("theorem_6"));
        }
    }
}

#[test]
fn asked_of_noise_and_of_methods_with_a_graph() {
    let data = demo::iris().expect("embedded");
    let subsample = Stability { change: Change::Subsample { fraction: 0.8 }, ..noise(0.1) };
    assert!(subsample.run(&Laplacian::default(), &data).expect("a report").bounds.is_none());
    let plain = Stability { bounds: false, ..noise(0.1) };
    assert!(plain.run(&Laplacian::default(), &data).expect("a report").bounds.is_none());
    let error = noise(0.1).run(&Variance, &data).expect_err("no graph").to_string();
    assert!(error.contains("bounds") && error.contains("graph"), "{error}");
}
