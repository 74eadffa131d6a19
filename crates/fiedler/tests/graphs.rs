//! Every graph recipe against textbook code that shares nothing with the library.

mod common;
#[path = "naive/neighbors.rs"]
mod neighbors;

use std::sync::Arc;

use common::clumps::{Matrix, Sample, square_distances};
use common::{golden, written_out};
use fiedler::dataset::demo::{self, Planted};
use fiedler::graph::{Bandwidth, Diffusion, Geodesic, Knn, Metric, MetricChoice, Rbf, Relief, Weight};
use fiedler::{Error, Graph, GraphRecipe, Silent};

fn samples() -> Vec<Sample> {
    vec![
        Sample::new(40, 5, 3, 1),
        Sample::new(31, 3, 2, 2).with_duplicates(),
        Sample::new(36, 4, 3, 3).split(),
        Sample::new(12, 2, 4, 4),
    ]
}

fn assert_graph(what: &str, graph: &Graph, expected: &Matrix) {
    let written = written_out(graph);
    for (i, (got, expected)) in written.iter().zip(expected).enumerate() {
        for (j, (g, e)) in got.iter().zip(expected).enumerate() {
            assert!((g - e).abs() <= 1e-9, "{what} ({i}, {j}): got {g}, expected {e}");
            assert_eq!(g.to_bits(), written[j][i].to_bits(), "{what}: not symmetric to the bit");
        }
    }
    let degrees: Vec<f64> = expected.iter().map(|row| row.iter().sum()).collect();
    for (got, expected) in graph.degrees().iter().zip(&degrees) {
        assert!((got - expected).abs() <= 1e-9, "{what}: degree {got}, expected {expected}");
    }
    let diagonal = graph.diagonal();
    (0..written.len())
        .for_each(|i| assert!((diagonal[i] - expected[i][i]).abs() <= 1e-9, "{what}: diagonal"));
}

// ------------------------------------------------------------------ the textbook

/// Which pairs are joined, by the union rule.
fn naive_edges(squares: &Matrix, k: usize) -> Vec<Vec<bool>> {
    neighbors::union(squares, k).iter().map(|row| row.iter().map(|count| *count > 0.0).collect()).collect()
}

fn naive_heat(rows: &Matrix, k: usize) -> Matrix {
    let (squares, n) = (square_distances(rows), rows.len());
    let counts = neighbors::union(&squares, k);
    let (mut total, mut weights) = (0.0, 0.0);
    for (count, square) in counts.iter().flatten().zip(squares.iter().flatten()) {
        total += count * square;
        weights += count;
    }
    let weight = |i: usize, j: usize| counts[i][j] * (-squares[i][j] * weights / total).exp();
    (0..n).map(|i| (0..n).map(|j| weight(i, j)).collect()).collect()
}

fn naive_relief(sample: &Sample, k: usize) -> Matrix {
    let (squares, n) = (square_distances(&sample.rows), sample.rows.len());
    let classes = sample.codes.iter().max().expect("samples") + 1;
    let mut s = vec![vec![0.0; n]; n];
    for i in 0..n {
        for class in 0..classes {
            let members = (0..n).filter(|&j| j != i && sample.codes[j] == class);
            for (j, share) in neighbors::counted(&squares[i], members, k) {
                let hit = class == sample.codes[i];
                s[i][j] += share * if hit { 1.0 / k as f64 } else { -1.0 / ((classes - 1) * k) as f64 };
            }
        }
    }
    let mut s: Matrix = (0..n).map(|i| (0..n).map(|j| (s[i][j] + s[j][i]) / 2.0).collect()).collect();
    (0..n).for_each(|i| s[i][i] = 1.0 - s[i].iter().sum::<f64>());
    s
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let entry = |i: usize, j: usize| (0..n).map(|l| a[i][l] * b[l][j]).sum();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// exp(-βL) by its Taylor series at 2⁻¹⁰ of the time, squared ten times.
fn naive_diffusion(weights: &Matrix, beta: f64) -> Matrix {
    let n = weights.len();
    let identity = |i: usize, j: usize| f64::from(u8::from(i == j));
    let degree: Vec<f64> = weights.iter().map(|row| row.iter().sum()).collect();
    let step: Matrix = (0..n)
        .map(|i| (0..n).map(|j| beta / 1024.0 * (weights[i][j] - identity(i, j) * degree[i])).collect())
        .collect();
    let mut sum: Matrix = (0..n).map(|i| (0..n).map(|j| identity(i, j)).collect()).collect();
    let mut term = sum.clone();
    for order in 1..20 {
        term = product(&term, &step);
        term.iter_mut().flatten().for_each(|v| *v /= f64::from(order));
        sum.iter_mut().flatten().zip(term.iter().flatten()).for_each(|(s, t)| *s += t);
    }
    (0..10).fold(sum, |power, _| product(&power, &power))
}

/// Shortest paths by Floyd and Warshall.
fn naive_geodesic(rows: &Matrix, k: usize, sigma: Option<f64>) -> Matrix {
    let (squares, n) = (square_distances(rows), rows.len());
    let joined = naive_edges(&squares, k);
    let start = |i: usize, j: usize| match (i == j, joined[i][j]) {
        (true, _) => 0.0,
        (_, true) => squares[i][j].sqrt(),
        _ => f64::INFINITY,
    };
    let mut paths: Matrix = (0..n).map(|i| (0..n).map(|j| start(i, j)).collect()).collect();
    for via in 0..n {
        for i in 0..n {
            for j in 0..n {
                paths[i][j] = paths[i][j].min(paths[i][via] + paths[via][j]);
            }
        }
    }
    let scale = sigma.map_or_else(
        || {
            let above = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            naive_median(above.map(|(i, j)| paths[i][j].powi(2)).filter(|g| g.is_finite()).collect())
        },
        |sigma| 2.0 * sigma * sigma,
    );
    paths.iter().map(|row| row.iter().map(|g| (-g * g / scale).exp()).collect()).collect()
}

fn naive_median(mut values: Vec<f64>) -> f64 {
    values.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

// ------------------------------------------------------------------ recipes

#[test]
fn relief_is_the_textbook() {
    for sample in samples() {
        for k in [1, 3, sample.rows.len() - 1] {
            let graph = Relief { k: k.into() }.build(&sample.data(), &Silent).expect("a graph");
            assert_graph("relief", &graph, &naive_relief(&sample, k));
        }
    }
}

#[test]
fn relief_names_the_classes_that_are_too_small() {
    let mut sample = Sample::new(21, 2, 2, 5);
    sample.codes[20] = 2;
    let graph = Relief { k: 3.into() }.build(&sample.data(), &Silent).expect("a graph");
    assert_graph("relief", &graph, &naive_relief(&sample, 3));
    assert_eq!(graph.warnings().len(), 1);
    let warning = &graph.warnings()[0];
    assert!(warning.contains("`2` (1)") && !warning.contains("`1`"), "{warning}");
    let error = Relief { k: 21.into() }.build(&sample.data(), &Silent).expect_err("k is too large");
    assert!(error.to_string().contains("20"), "{error}");
    assert!(matches!(
        Relief::default().build(&sample.data().unlabeled(), &Silent),
        Err(Error::LabelsMissing { .. })
    ));
}

#[test]
fn diffusion_is_the_textbook() {
    for sample in samples() {
        for (k, beta) in [(3, 0.5), (5, 4.0), (sample.rows.len() - 1, 0.1)] {
            let diffusion = Diffusion { knn: Knn { k: k.into(), ..Knn::default() }, beta };
            let graph = diffusion.build(&sample.data(), &Silent).expect("a graph");
            assert_graph("diffusion", &graph, &naive_diffusion(&naive_heat(&sample.rows, k), beta));
        }
    }
}

#[test]
fn diffusion_stays_inside_components() {
    let sample = Sample::new(36, 4, 3, 3).split();
    let graph = Diffusion::default().build(&sample.data(), &Silent).expect("a graph");
    assert_eq!(graph.diagnostics().components, 2);
    assert_eq!(written_out(&graph)[0][35], 0.0);
    for beta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Diffusion { beta, ..Diffusion::default() }.build(&sample.data(), &Silent);
        assert!(matches!(error, Err(Error::Parameter { .. })));
    }
}

#[test]
fn geodesic_is_the_textbook() {
    for sample in samples() {
        for (k, sigma) in [(2, None), (4, Some(0.7)), (sample.rows.len() - 1, None)] {
            let geodesic = Geodesic {
                knn: Knn { k: k.into(), ..Knn::default() },
                bandwidth: sigma.map_or(Bandwidth::Auto, Bandwidth::Given),
            };
            let graph = geodesic.build(&sample.data(), &Silent).expect("a graph");
            assert_graph("geodesic", &graph, &naive_geodesic(&sample.rows, k, sigma));
        }
    }
}

#[test]
fn geodesic_follows_other_metrics() {
    let sample = Sample::new(20, 3, 2, 8);
    let knn = Knn { k: 19.into(), metric: Metric::Manhattan.into(), ..Knn::default() };
    let graph =
        Geodesic { knn, bandwidth: Bandwidth::Given(1.5) }.build(&sample.data(), &Silent).expect("a graph");
    // On the complete graph the triangle inequality makes the edge itself the shortest path.
    let manhattan = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum::<f64>();
    let weight = |a: &[f64], b: &[f64]| (-manhattan(a, b).powi(2) / 4.5).exp();
    let expected = sample.rows.iter().map(|a| sample.rows.iter().map(|b| weight(a, b)).collect()).collect();
    assert_graph("geodesic", &graph, &expected);
}

#[test]
fn golden_degrees() {
    for golden in golden() {
        let build = |recipe: GraphRecipe| recipe.build(&golden.data, &Silent).expect("a graph");
        let sigma = Bandwidth::Given(golden.number("graph.geodesic", "sigma"));
        let geodesic = build(GraphRecipe::Geodesic(Geodesic { bandwidth: sigma, ..Geodesic::default() }));
        golden.assert_close("graph.geodesic", "degrees", geodesic.degrees());
        let diffusion = build(GraphRecipe::Diffusion(Diffusion::default()));
        golden.assert_close("graph.diffusion", "degrees", diffusion.degrees());
        golden.assert_close("graph.diffusion", "diagonal", &diffusion.diagonal());
        let heat = build(GraphRecipe::default());
        golden.assert_close("graph.knn_heat_auto", "degrees", heat.degrees());
        assert_eq!(heat.diagnostics().edges as f64, golden.number("graph.knn_heat_auto", "edges"));
        let full = build(GraphRecipe::Rbf(Rbf::default()));
        golden.assert_close("graph.rbf_full_auto", "degrees", full.degrees());
        let binary =
            |mutual| build(GraphRecipe::Knn(Knn { weight: Weight::Binary, mutual, ..Knn::default() }));
        golden.assert_close("graph.knn_binary", "degrees", binary(false).degrees());
        golden.assert_close("graph.knn_mutual_binary", "degrees", binary(true).degrees());
    }
}

// ------------------------------------------------------------------ given graphs and sums

#[test]
fn a_given_matrix_is_taken_as_it_is() {
    let sample = Sample::new(15, 15, 1, 11);
    let s: Matrix =
        (0..15).map(|i| (0..15).map(|j| sample.rows[i.min(j)][i.max(j)] - 1.0).collect()).collect();
    let graph = Graph::from_dense(&s.concat(), 15).expect("symmetric");
    assert_graph("dense", &graph, &s);
    let edges: Vec<(usize, usize, f64)> =
        (0..15).flat_map(|i| (i..15).map(move |j| (j, i))).map(|(i, j)| (i, j, s[i][j])).collect();
    assert_graph("edges", &Graph::from_edges(&edges, 15).expect("symmetric"), &s);
    // Once in each direction, and to rounding.
    let mut both = edges.clone();
    both.extend(edges.iter().filter(|e| e.0 != e.1).map(|&(i, j, w)| (j, i, w + 1e-12)));
    assert_graph("edges", &Graph::from_edges(&both, 15).expect("symmetric to rounding"), &s);
}

#[test]
fn given_distances_become_gaussian_weights() {
    let sample = Sample::new(20, 3, 2, 12);
    let squares = square_distances(&sample.rows);
    let distances: Vec<f64> = squares.concat().iter().map(|d| d.sqrt()).collect();
    let full = Graph::from_distances(&distances, 20, Bandwidth::Auto).expect("distances");
    let rbf = Rbf::default().build(&sample.data(), &Silent).expect("a graph");
    assert_graph("distances", &full, &written_out(&rbf));
    let joined = naive_edges(&squares, 4);
    let edges: Vec<(usize, usize, f64)> = (0..20)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .filter(|&(i, j)| joined[i][j])
        .map(|(i, j)| (i, j, squares[i][j].sqrt()))
        .collect();
    let sparse = Graph::from_distance_edges(&edges, 20, Bandwidth::Auto).expect("distances");
    assert_graph("distance edges", &sparse, &naive_heat(&sample.rows, 4));
    let given = Graph::from_distance_edges(&edges, 20, Bandwidth::Given(0.5)).expect("distances");
    assert!((written_out(&given)[edges[0].0][edges[0].1] - (-2.0 * edges[0].2.powi(2)).exp()).abs() < 1e-12);
}

#[test]
fn a_wrong_given_graph_is_a_named_error() {
    let dense = |values: &[f64]| Graph::from_dense(values, 2).expect_err("wrong");
    assert!(matches!(dense(&[1.0, 0.5, 0.25, 1.0]), Error::Asymmetric { i: 0, j: 1, a: 0.5, b: 0.25 }));
    assert!(matches!(dense(&[1.0, f64::NAN, 0.5, 1.0]), Error::SimilarityNotFinite { i: 0, j: 1, .. }));
    assert!(matches!(dense(&[1.0; 3]), Error::Length { expected: 4, got: 3, .. }));
    assert!(matches!(Graph::from_dense(&[1.0], 1), Err(Error::TooFewSamples { .. })));
    assert!(matches!(Graph::from_dense(&[], 0), Err(Error::TooFewSamples { .. })));
    // Refused for what is missing, whatever the memory of the machine.
    assert!(matches!(Graph::from_dense(&[], 40_000), Err(Error::Length { .. })));

    let edges = |edges: &[(usize, usize, f64)]| Graph::from_edges(edges, 3).expect_err("wrong");
    assert!(edges(&[(0, 3, 1.0)]).to_string().contains("(0, 3)"));
    assert!(matches!(edges(&[(0, 1, f64::INFINITY)]), Error::SimilarityNotFinite { .. }));
    assert!(matches!(edges(&[(0, 1, 1.0), (1, 0, 2.0)]), Error::Asymmetric { i: 0, j: 1, a: 1.0, b: 2.0 }));
    assert!(edges(&[(0, 1, 1.0), (0, 1, 1.0)]).to_string().contains("(0, 1)"));
    assert!(edges(&[(1, 1, 1.0), (1, 1, 1.0)]).to_string().contains("(1, 1)"));
    assert!(edges(&[(0, 1, 1.0), (1, 0, 1.0), (0, 1, 1.0)]).to_string().contains("(0, 1)"));

    let distances =
        |values: &[f64]| Graph::from_distances(values, 2, Bandwidth::Auto).expect_err("wrong").to_string();
    assert!(distances(&[0.0, -1.0, -1.0, 0.0]).contains("-1"));
    assert!(distances(&[0.5, 1.0, 1.0, 0.0]).contains("0.5"));
    assert!(Graph::from_distance_edges(&[(0, 1, -2.0)], 2, Bandwidth::Auto).is_err());
    assert!(Graph::from_distances(&[0.0; 4], 2, Bandwidth::Given(-1.0)).is_err());

    let small = Arc::new(Graph::from_dense(&[1.0, 0.5, 0.5, 1.0], 2).expect("symmetric"));
    let iris = demo::iris().expect("embedded");
    assert!(matches!(
        GraphRecipe::Given(small).build(&iris, &Silent),
        Err(Error::Length { expected: 150, got: 2, .. })
    ));
}

#[test]
fn a_sum_is_the_sum_of_its_matrices() {
    let sample = Sample::new(30, 3, 3, 14);
    let build = |recipe: GraphRecipe| recipe.build(&sample.data(), &Silent).expect("a graph");
    let knn = build(GraphRecipe::default());
    let rbf = build(GraphRecipe::Rbf(Rbf::default()));
    let labels = build(GraphRecipe::Labels);
    let inner = Arc::new(Graph::sum(vec![(2.0, rbf.clone()), (1.0, labels.clone())]).expect("a sum"));
    let sum = Graph::sum(vec![(0.5, knn.clone()), (-0.25, inner)]).expect("a sum");
    let (a, b, c) = (written_out(&knn), written_out(&rbf), written_out(&labels));
    let entry = |i: usize, j: usize| 0.5 * a[i][j] - 0.25 * (2.0 * b[i][j] + c[i][j]);
    assert_graph("sum", &sum, &(0..30).map(|i| (0..30).map(|j| entry(i, j)).collect()).collect());
    assert_eq!(sum.diagnostics().components, 1);

    assert!(matches!(Graph::sum(vec![]), Err(Error::Parameter { .. })));
    assert!(matches!(Graph::sum(vec![(f64::NAN, knn.clone())]), Err(Error::Parameter { .. })));
    let small = Arc::new(Graph::from_dense(&[1.0; 4], 2).expect("symmetric"));
    assert!(matches!(Graph::sum(vec![(1.0, knn), (1.0, small)]), Err(Error::Length { .. })));
}

#[test]
fn descriptions_tell_what_was_chosen() {
    let sample = Sample::new(25, 3, 2, 61);
    let names = |recipe: GraphRecipe| {
        let graph = recipe.build(&sample.data(), &Silent).expect("a graph");
        (
            graph.description().kind,
            graph.description().parameters.iter().map(|p| p.0.to_string()).collect::<Vec<_>>(),
        )
    };
    let (kind, parameters) = names(GraphRecipe::Geodesic(Geodesic::default()));
    assert!(
        kind == "geodesic" && parameters.iter().any(|p| p == "sigma") && parameters.iter().any(|p| p == "k")
    );
    let (kind, parameters) = names(GraphRecipe::Diffusion(Diffusion::default()));
    assert!(
        kind == "diffusion" && parameters.iter().any(|p| p == "beta") && parameters.iter().any(|p| p == "t")
    );
    let (kind, parameters) = names(GraphRecipe::Relief(Relief { k: 4.into() }));
    assert!(kind == "relief" && parameters.iter().any(|p| p == "k"));
}

/// Every weight and metric of the kNN graph, union and mutual, bandwidth automatic and given.
#[test]
fn knn_weights_are_the_textbook() {
    for sample in samples() {
        for metric in [Metric::Euclidean, Metric::Cosine, Metric::Manhattan] {
            for weight in [Weight::Binary, Weight::Heat, Weight::Rbf, Weight::Cosine, Weight::SelfTuning] {
                for (mutual, bandwidth) in [(false, Bandwidth::Auto), (true, Bandwidth::Given(0.7))] {
                    let knn = Knn {
                        k: 4.into(),
                        weight,
                        metric: metric.into(),
                        mutual,
                        bandwidth,
                        ..Knn::default()
                    };
                    let graph = knn.build(&sample.data(), &Silent).expect("a graph");
                    assert_graph(&format!("{knn:?}"), &graph, &naive_knn(&sample.rows, &knn, 4));
                }
            }
        }
    }
}

fn naive_knn(rows: &Matrix, knn: &Knn, k: usize) -> Matrix {
    let n = rows.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let cosine = |a: &[f64], b: &[f64]| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    let MetricChoice::Given(metric) = knn.metric else { panic!("a metric is given here") };
    let length = |a: &Vec<f64>, b: &Vec<f64>| match metric {
        Metric::Euclidean => a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt(),
        Metric::Manhattan => a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum(),
        // Duplicates at distance 0 exactly, as direct differences give.
        Metric::Cosine if a == b => 0.0,
        Metric::Cosine => 1.0 - cosine(a, b),
        Metric::Mahalanobis => panic!("it looks at all samples: tests/mahalanobis.rs"),
    };
    let d: Matrix = rows.iter().map(|a| rows.iter().map(|b| length(a, b)).collect()).collect();
    let lists: Vec<Vec<(usize, f64)>> =
        (0..n).map(|i| neighbors::counted(&d[i], (0..n).filter(|&j| j != i), k)).collect();
    let directed = |i: usize, j: usize| lists[i].iter().find(|e| e.0 == j).map_or(0.0, |e| e.1);
    let count = |i: usize, j: usize| {
        let (there, back) = (directed(i, j), directed(j, i));
        if knn.mutual { f64::min(there, back) } else { f64::max(there, back) }
    };
    let edges: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| count(i, j) > 0.0).collect();
    let counts: f64 = edges.iter().map(|&(i, j)| count(i, j)).sum();
    let mean = edges.iter().map(|&(i, j)| count(i, j) * d[i][j].powi(2)).sum::<f64>() / counts;
    let scale = match (knn.bandwidth, knn.weight) {
        (Bandwidth::Auto, _) => mean,
        (Bandwidth::Given(sigma), Weight::Rbf) => 2.0 * sigma * sigma,
        (Bandwidth::Given(t), _) => t,
    };
    let reach = |i: usize| {
        let mut lengths = lists[i].iter().map(|&(j, _)| d[i][j]);
        let last = d[i][lists[i][k - 1].0];
        if last > 0.0 { last } else { lengths.find(|l| *l > 0.0).unwrap_or(0.0) }
    };
    let kernel = |square: f64, scale: f64| if square == 0.0 { 1.0 } else { (-square / scale).exp() };
    let mut s = vec![vec![0.0; n]; n];
    for (i, j) in edges {
        s[i][j] = count(i, j)
            * match knn.weight {
                Weight::Binary => 1.0,
                Weight::Heat | Weight::Rbf => kernel(d[i][j].powi(2), scale),
                Weight::SelfTuning => kernel(d[i][j].powi(2), reach(i) * reach(j)),
                Weight::Cosine => cosine(&rows[i], &rows[j]),
            };
        s[j][i] = s[i][j];
    }
    s
}

#[test]
fn an_automatic_number_of_neighbors_suits_the_data_and_is_told() {
    for n in 2..9 {
        let data = Sample::new(n, 3, 2, 7).data();
        let auto = Knn::default().build(&data, &Silent).expect("a graph");
        let k = 5.min(n - 1);
        let given = Knn { k: k.into(), ..Knn::default() }.build(&data, &Silent).expect("a graph");
        assert_eq!(auto.edges().collect::<Vec<_>>(), given.edges().collect::<Vec<_>>());
        let note = format!("`k` is {k} in place of 5: there are {n} samples");
        let expected = if n <= 5 { vec![note] } else { Vec::new() };
        assert_eq!(auto.notes(), expected);
        for recipe in
            [GraphRecipe::Geodesic(Geodesic::default()), GraphRecipe::Diffusion(Diffusion::default())]
        {
            assert_eq!(recipe.build(&data, &Silent).expect("a graph").notes(), expected);
        }
        let too_many = Knn { k: n.into(), ..Knn::default() }.build(&data, &Silent);
        assert!(too_many.expect_err("never changed").to_string().contains("`k` must be from 1 to"));
    }
    // Four samples of either class.
    let mut sample = Sample::new(8, 3, 2, 7);
    sample.codes = (0..8).map(|i| i % 2).collect();
    let relief = Relief::default().build(&sample.data(), &Silent).expect("a graph");
    assert_eq!(relief.notes()[0], "`k` is 3 in place of 10: the smallest class has 4 samples");
}

#[test]
fn recipes_are_equal_where_their_parts_are() {
    let knn = |k: usize| GraphRecipe::Knn(Knn { k: k.into(), ..Knn::default() });
    assert_eq!(knn(3), knn(3));
    assert_ne!(knn(3), knn(4));
    assert_ne!(knn(5), GraphRecipe::default());
    let graph = knn(3).build(&Sample::new(20, 3, 2, 7).data(), &Silent).expect("a graph");
    let given = |graph: &std::sync::Arc<Graph>| GraphRecipe::Given(std::sync::Arc::clone(graph));
    assert_eq!(given(&graph), given(&graph));
    assert_ne!(given(&graph), given(&std::sync::Arc::new((*graph).clone())));
}

#[test]
fn an_approximate_search_tells_what_it_found() {
    let planted = Planted { n_samples: 5000, noise: 5, ..Planted::default() };
    let data = planted.generate().expect("data").data;
    let recall = |graph: &Graph| {
        let parameters = &graph.description().parameters;
        parameters.iter().find(|p| p.0 == "recall").map(|p| p.1.to_string().parse::<f64>().expect("a number"))
    };
    let exact = Knn::default().build(&data, &Silent).expect("a graph");
    let rough = Knn { approximate: true.into(), ..Knn::default() }.build(&data, &Silent).expect("a graph");
    assert_eq!(recall(&exact), None);
    let told = recall(&rough).expect("a recall");
    assert!((0.9..=1.0).contains(&told), "{told}");
    // The two graphs rank alike: the share of edges that differ is small.
    let (a, b) = (exact.diagnostics().edges as f64, rough.diagnostics().edges as f64);
    assert!((a - b).abs() < 0.05 * a, "{a} and {b} edges");
    // Few samples are searched exactly.
    let few = Knn { approximate: true.into(), ..Knn::default() }
        .build(&demo::iris().expect("iris"), &Silent)
        .expect("a graph");
    assert_eq!(recall(&few), None);
}
