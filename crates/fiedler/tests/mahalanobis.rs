//! Distances by the covariance, against the inverse written out.

use fiedler::dataset::demo;
use fiedler::graph::{Bandwidth, Geodesic, Knn, Metric, Weight};
use fiedler::{Dataset, Graph, Scaling, Silent};

fn waves(n: usize, m: usize) -> Vec<Vec<f64>> {
    let wave = |i: usize, j: usize| ((i * 37 + j * 101 + i * j * 13 + 5) as f64 * 0.618_034).fract() - 0.5;
    let value = |i: usize, j: usize| wave(i, j) * (1.0 + j as f64) + 2.0 * wave(i, j / 2);
    (0..n).map(|i| (0..m).map(|j| value(i, j)).collect()).collect()
}

/// The inverse by elimination with pivots.
fn inverse(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut b: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for c in 0..n {
        let pivot = (c..n).max_by(|&x, &y| a[x][c].abs().total_cmp(&a[y][c].abs())).expect("a row");
        a.swap(c, pivot);
        b.swap(c, pivot);
        let factor = a[c][c];
        a[c].iter_mut().chain(b[c].iter_mut()).for_each(|v| *v /= factor);
        for r in (0..n).filter(|&r| r != c) {
            let factor = a[r][c];
            for k in 0..n {
                a[r][k] -= factor * a[c][k];
                b[r][k] -= factor * b[c][k];
            }
        }
    }
    b
}

/// ρ and the squared distances, term by term as Ledoit and Wolf define them.
fn naive(rows: &[Vec<f64>]) -> (f64, Vec<Vec<f64>>) {
    let (n, m) = (rows.len(), rows[0].len());
    let means: Vec<f64> = (0..m).map(|j| rows.iter().map(|r| r[j]).sum::<f64>() / n as f64).collect();
    let x: Vec<Vec<f64>> = rows.iter().map(|r| (0..m).map(|j| r[j] - means[j]).collect()).collect();
    let s: Vec<Vec<f64>> = (0..m)
        .map(|a| (0..m).map(|b| x.iter().map(|r| r[a] * r[b]).sum::<f64>() / n as f64).collect())
        .collect();
    let mean = (0..m).map(|j| s[j][j]).sum::<f64>() / m as f64;
    let cells = || (0..m).flat_map(|a| (0..m).map(move |b| (a, b)));
    let goal = |a: usize, b: usize| if a == b { mean } else { 0.0 };
    let distance: f64 = cells().map(|(a, b)| (s[a][b] - goal(a, b)).powi(2)).sum();
    let error: f64 =
        x.iter().map(|r| cells().map(|(a, b)| (r[a] * r[b] - s[a][b]).powi(2)).sum::<f64>()).sum::<f64>();
    let rho = (error / (n * n) as f64 / distance).clamp(0.0, 1.0);
    let c = (0..m).map(|a| (0..m).map(|b| (1.0 - rho) * s[a][b] + rho * goal(a, b)).collect()).collect();
    let c = inverse(c);
    let square =
        |p: &Vec<f64>, q: &Vec<f64>| cells().map(|(a, b)| (p[a] - q[a]) * c[a][b] * (p[b] - q[b])).sum();
    (rho, x.iter().map(|p| x.iter().map(|q| square(p, q)).collect()).collect())
}

fn knn(k: usize) -> Knn {
    Knn {
        k: k.into(),
        metric: Metric::Mahalanobis.into(),
        weight: Weight::Heat,
        bandwidth: Bandwidth::Given(50.0),
        ..Knn::default()
    }
}

fn told(graph: &Graph) -> f64 {
    let parameters = graph.description().parameters;
    let value =
        parameters.iter().find(|(name, _)| name == "shrinkage").expect("how much is told").1.to_string();
    value.parse().expect("a number")
}

#[test]
fn neighbors_and_weights_by_the_inverse_covariance() {
    // More samples than features, as many, and fewer: where the covariance has no inverse.
    for (n, m) in [(60, 5), (20, 20), (18, 30)] {
        let rows = waves(n, m);
        let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
        let (rho, squares) = naive(&rows);
        // Everybody is a neighbor of everybody, so that every distance shows.
        let graph = knn(n - 1).build(&data, &Silent).expect("a graph");
        assert!((told(&graph) - rho).abs() < 1e-6, "{n}x{m}: {} told, {rho}", told(&graph));
        assert!(rho > 0.0 && rho < 1.0, "{rho}");
        let mut edges = 0;
        for (i, j, weight) in graph.edges() {
            let expected = (-squares[i][j] / 50.0).exp();
            assert!((weight - expected).abs() < 1e-9, "{n}x{m}, {i} {j}: {weight}, expected {expected}");
            edges += 1;
        }
        assert_eq!(edges, n * (n - 1) / 2);
    }
}

#[test]
fn units_and_copies_do_not_matter_where_samples_are_many() {
    let data = demo::iris().expect("embedded");
    let neighbors = |data: &Dataset| knn(5).build(data, &Silent).expect("a graph");
    let plain = neighbors(&data.clone().scaled(Scaling::None));
    let scaled = neighbors(&data.scaled(Scaling::Standard));
    assert!(told(&plain) < 0.05 && told(&scaled) < 0.05);
    let joined =
        |graph: &Graph| graph.edges().map(|(i, j, _)| (i, j)).collect::<std::collections::BTreeSet<_>>();
    let (a, b) = (joined(&plain), joined(&scaled));
    assert!(a.intersection(&b).count() * 10 > 9 * a.len(), "nearly the same neighbors in any unit");
}

#[test]
fn geodesics_take_it_too_and_constant_data_do_not_break_it() {
    let rows = waves(15, 4);
    let data = Dataset::from_rows(&rows).expect("finite");
    let graph = Geodesic { knn: knn(4), ..Geodesic::default() }.build(&data, &Silent).expect("a graph");
    assert!(told(&graph) >= 0.0);
    let flat = Dataset::from_rows(&vec![vec![1.0, 2.0]; 6]).expect("finite");
    assert!(knn(2).build(&flat, &Silent).is_ok());
}
