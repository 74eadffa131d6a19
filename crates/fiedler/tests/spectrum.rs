//! Leading eigenpairs: closed forms, the dense solver, Jacobi rotations, threads.
//!
//! Sizes above 500 take the iterative solver, `Spectrum::complete` is always the dense one.

#[path = "naive/eigen.rs"]
mod eigen;

use std::f64::consts::PI;
use std::ops::ControlFlow;

use fiedler::graph::Knn;
use fiedler::spectrum::{NormalizedLaplacian, Spectrum};
use fiedler::{Dataset, Error, Graph, GraphRecipe, Labels, Scaling, Silent};

type Edges = Vec<(usize, usize, f64)>;

fn graph(edges: &Edges, n: usize) -> Graph {
    Graph::from_edges(edges, n).expect("a graph")
}

fn path(n: usize) -> Edges {
    (1..n).map(|i| (i - 1, i, 1.0)).collect()
}

fn ring(n: usize) -> Edges {
    path(n).into_iter().chain([(0, n - 1, 1.0)]).collect()
}

/// `copies` of a graph on `n` samples, side by side.
fn repeated(edges: &Edges, n: usize, copies: usize) -> Edges {
    (0..copies).flat_map(|c| edges.iter().map(move |&(i, j, w)| (c * n + i, c * n + j, w))).collect()
}

/// Uniform numbers by a linear congruential generator.
fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The kNN graph of `clusters` far clouds in three dimensions, every tenth sample a duplicate.
fn clouds(n: usize, clusters: usize, k: usize) -> Graph {
    let mut random = uniform(n as u64);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..n {
        let fresh = (0..3).map(|_| random() + 5.0 * (i % clusters) as f64).collect();
        let row = if i % 10 == 9 { rows[i - clusters].clone() } else { fresh };
        rows.push(row);
    }
    let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
    Knn { k: k.into(), ..Knn::default() }.build(&data, &Silent).expect("a graph")
}

/// Checks everything that can be checked of a spectrum without knowing it.
fn check(graph: &Graph, spectrum: &Spectrum) {
    let (n, k) = (graph.n_samples(), spectrum.len());
    let operator = NormalizedLaplacian::new(graph);
    let vectors: Vec<Vec<f64>> = (0..k).map(|j| spectrum.vector(j).to_vec()).collect();
    let (mut scratch, mut product) = (vec![0.0; n], vec![0.0; n]);
    for j in 0..k {
        operator.apply(&vectors[j], 1, &mut scratch, &mut product);
        let square = |(p, v): (&f64, &f64)| (p - spectrum.values()[j] * v).powi(2);
        let residual = product.iter().zip(&vectors[j]).map(square).sum::<f64>().sqrt();
        assert!(residual < 1e-9, "pair {j}: residual {residual:e}");
        assert!((residual - spectrum.residuals()[j]).abs() < 1e-11, "pair {j}: another residual is told");
        let largest =
            vectors[j].iter().fold(0.0f64, |a, v| if v.abs() > 1.0000001 * a.abs() { *v } else { a });
        assert!(largest > 0.0, "pair {j}: the largest entry is negative");
        for i in 0..=j {
            let product: f64 = vectors[i].iter().zip(&vectors[j]).map(|(a, b)| a * b).sum();
            assert!((product - f64::from(i == j)).abs() < 1e-9, "vectors {i} and {j}: {product}");
        }
    }
    assert!(spectrum.values().is_sorted());
    let trivial = operator.trivial();
    assert!(vectors[0].iter().zip(&trivial).all(|(a, b)| (a - b).abs() < 1e-12), "ξ₁ is first");
}

fn assert_values(what: &str, got: &[f64], mut expected: Vec<f64>) {
    expected.sort_by(f64::total_cmp);
    for (i, (g, e)) in got.iter().zip(&expected).enumerate() {
        assert!((g - e).abs() < 1e-10, "{what}: eigenvalue {i} is {g}, not {e}");
    }
}

/// The leading pairs are those of the closed form.
fn check_closed(what: &str, edges: &Edges, n: usize, count: usize, expected: Vec<f64>) {
    let graph = graph(edges, n);
    let spectrum = Spectrum::leading(&graph, count, &Silent).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(spectrum.len(), count);
    check(&graph, &spectrum);
    assert_values(what, spectrum.values(), expected);
}

#[test]
fn paths_and_rings() {
    // The dense solver and the iterative one.
    for n in [40, 600] {
        let values = (0..n).map(|j| 1.0 - (PI * j as f64 / (n - 1) as f64).cos()).collect();
        check_closed("path", &path(n), n, 5, values);
        let values = (0..n).map(|j| 1.0 - (2.0 * PI * j as f64 / n as f64).cos()).collect();
        check_closed("ring", &ring(n), n, 5, values);
    }
}

/// Eigenvalues so near to 0 and to each other that the first few hundred steps do not part them; and a torus,
/// most eigenvalues of which come four and eight times.
#[test]
fn crowded_and_repeated_eigenvalues() {
    let n = 1200;
    let values = (0..n).map(|j| 1.0 - (PI * j as f64 / (n - 1) as f64).cos()).collect();
    check_closed("long path", &path(n), n, 4, values);
    let side = 24;
    let around = |x: usize| (x + 1) % side;
    let edges: Edges = (0..side * side)
        .flat_map(|at| {
            let (x, y) = (at / side, at % side);
            [(at, around(x) * side + y, 1.0), (at, x * side + around(y), 1.0)]
        })
        .collect();
    let wave = |j: usize| (2.0 * PI * j as f64 / side as f64).cos();
    let values = (0..side * side).map(|at| 1.0 - (wave(at / side) + wave(at % side)) / 2.0).collect();
    check_closed("torus", &edges, side * side, 30, values);
}

#[test]
fn complete_graphs_and_stars() {
    for n in [30, 700] {
        let edges = (0..n).flat_map(|j| (0..j).map(move |i| (i, j, 0.5))).collect();
        let mut values = vec![n as f64 / (n - 1) as f64; n];
        values[0] = 0.0;
        check_closed("complete", &edges, n, 12.min(n), values);
        let edges = (1..n).map(|i| (0, i, 2.0)).collect();
        let mut values = vec![1.0; n];
        (values[0], values[n - 1]) = (0.0, 2.0);
        check_closed("star", &edges, n, 20.min(n), values);
    }
}

/// Thirty equal components: every eigenvalue thirty times, more often than a block is wide.
#[test]
fn equal_components() {
    let (n, copies) = (25, 30);
    let one: Vec<f64> = (0..n).map(|j| 1.0 - (2.0 * PI * j as f64 / n as f64).cos()).collect();
    let all: Vec<f64> = one.iter().flat_map(|&v| vec![v; copies]).collect();
    let edges = repeated(&ring(n), n, copies);
    for count in [1, 7, 30, 31, 60, 93] {
        check_closed("equal components", &edges, n * copies, count, all.clone());
    }
    let graph = graph(&edges, n * copies);
    // Every other eigenvalue of a ring is double: 30 at 0, then 60.
    assert_eq!(Spectrum::leading_whole(&graph, 1, &Silent).expect("a spectrum").len(), 30);
    assert_eq!(Spectrum::leading_whole(&graph, 30, &Silent).expect("a spectrum").len(), 30);
    assert_eq!(Spectrum::leading_whole(&graph, 31, &Silent).expect("a spectrum").len(), 90);
}

#[test]
fn isolated_samples_have_an_eigenvalue_of_their_own() {
    for n in [60, 900] {
        // Every third sample has an edge of weight 0 only, which is none.
        let kept = n / 3 * 2;
        let name = |i: usize| i / 2 * 3 + i % 2;
        let edges: Edges = ring(kept).into_iter().map(|(i, j, w)| (name(i), name(j), w)).collect();
        let zeros = (0..n / 3).map(|i| (3 * i, 3 * i + 2, 0.0));
        let mut values: Vec<f64> =
            (0..kept).map(|j| 1.0 - (2.0 * PI * j as f64 / kept as f64).cos()).collect();
        values.extend(vec![0.0; n / 3]);
        let count = n / 3 + 4;
        check_closed("isolated", &edges.into_iter().chain(zeros).collect(), n, count, values);
    }
}

#[test]
fn no_edges_at_all() {
    let graph = graph(&Vec::new(), 700);
    let spectrum = Spectrum::leading(&graph, 10, &Silent).expect("a spectrum");
    assert!(spectrum.values().iter().all(|&v| v == 0.0));
}

#[test]
fn label_graphs() {
    let n = 1200;
    let rows: Vec<Vec<f64>> = (0..n).map(|i| vec![i as f64]).collect();
    let codes: Vec<usize> = (0..n).map(|i| i % 7).collect();
    let data =
        Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&codes)).expect("labels");
    let graph = GraphRecipe::Labels.build(&data, &Silent).expect("a graph");
    let spectrum = Spectrum::leading(&graph, 12, &Silent).expect("a spectrum");
    check(&graph, &spectrum);
    assert_values("labels", spectrum.values(), [vec![0.0; 7], vec![1.0; 5]].concat());
    let error = Spectrum::leading_whole(&graph, 8, &Silent).map(|s| s.len());
    assert!(matches!(error, Ok(1200) | Err(Error::Parameter { .. })), "{error:?}");
}

/// The largest sine of an angle between the spans of the vectors up to `end`.
fn distance(a: &Spectrum, b: &Spectrum, end: usize) -> f64 {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let mut squares = 0.0;
    for i in 0..end {
        let mut rest = a.vector(i).to_vec();
        for j in 0..end {
            let share = dot(a.vector(i), b.vector(j));
            rest.iter_mut().zip(b.vector(j)).for_each(|(r, y)| *r -= share * y);
        }
        squares += dot(&rest, &rest);
    }
    squares.sqrt()
}

#[test]
fn random_graphs_agree_with_the_dense_solver() {
    for (clusters, k) in [(1, 4), (3, 5), (9, 3)] {
        let graph = clouds(900, clusters, k);
        let complete = Spectrum::complete(&graph, &Silent).expect("a spectrum");
        for count in [1, 2, 10, 40] {
            let leading = Spectrum::leading(&graph, count, &Silent).expect("a spectrum");
            check(&graph, &leading);
            assert_values("clouds", leading.values(), complete.values()[..count].to_vec());
            if complete.whole_group(count) == Some(count) {
                let sine = distance(&leading, &complete, count);
                assert!(sine < 1e-5, "{clusters} clusters, {count} pairs: spans differ by {sine:e}");
            }
        }
    }
}

#[test]
fn small_graphs_agree_with_jacobi() {
    let graph = clouds(60, 2, 4);
    let mut similarity = vec![vec![0.0; 60]; 60];
    for i in 0..60 {
        let (mut unit, mut column) = (vec![0.0; 60], vec![0.0; 60]);
        unit[i] = 1.0;
        graph.apply(&unit, 1, &mut column);
        (0..60).for_each(|j| similarity[j][i] = column[j]);
    }
    let (values, _) = eigen::jacobi(eigen::normalized_laplacian(&similarity));
    let spectrum = Spectrum::complete(&graph, &Silent).expect("a spectrum");
    check(&graph, &spectrum);
    assert_values("jacobi", spectrum.values(), values);
}

#[test]
fn dense_graphs_take_the_same_road() {
    let mut random = uniform(7);
    let points: Vec<f64> = (0..600).map(|_| random()).collect();
    let similarity: Vec<f64> =
        (0..600 * 600).map(|e| (-(points[e / 600] - points[e % 600]).powi(2) * 300.0).exp()).collect();
    let graph = Graph::from_dense(&similarity, 600).expect("a graph");
    let leading = Spectrum::leading(&graph, 6, &Silent).expect("a spectrum");
    check(&graph, &leading);
    let complete = Spectrum::complete(&graph, &Silent).expect("a spectrum");
    assert_values("rbf", leading.values(), complete.values()[..6].to_vec());
}

#[test]
fn threads_change_no_bit() {
    let graph = clouds(5000, 2, 5);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| Spectrum::leading(&graph, 12, &Silent).expect("a spectrum"))
    };
    let (one, three) = (solve(1), solve(3));
    assert_eq!(one.values(), three.values());
    assert_eq!(one.residuals(), three.residuals());
    assert!((0..one.len()).all(|j| one.vector(j) == three.vector(j)));
}

#[test]
fn signed_graphs() {
    let mut edges = ring(50);
    edges.push((0, 25, -0.5));
    let spectrum = Spectrum::leading(&graph(&edges, 50), 50, &Silent).expect("degrees stay positive");
    assert_eq!(spectrum.values()[0], 0.0);
    // Some eigenvalue is negative, and gaps count no clusters.
    assert!(spectrum.values()[1] < 0.0 && spectrum.has_negative(), "{:?}", spectrum.values());
    assert!(spectrum.eigengap().is_none() && spectrum.widest_gap().is_some());
    edges[50].2 = -1e-3;
    assert!(!Spectrum::leading(&graph(&edges, 50), 5, &Silent).expect("a spectrum").has_negative());
    edges[50].2 = -3.0;
    let error = Spectrum::leading(&graph(&edges, 50), 5, &Silent).expect_err("a degree is negative");
    assert!(
        matches!(error, Error::Parameter { .. }) && error.to_string().contains("degree of -1"),
        "{error}"
    );
}

#[test]
fn a_monitor_can_stop_it() {
    let graph = graph(&path(30_000), 30_000);
    let stop = |_: &'static str, done: usize, _: usize| {
        if done == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    assert!(matches!(Spectrum::leading(&graph, 5, &stop), Err(Error::Canceled)));
}

#[test]
fn counts_out_of_range_are_named() {
    let graph = graph(&ring(10), 10);
    for count in [0, 11] {
        let error = Spectrum::leading(&graph, count, &Silent).expect_err("out of range");
        assert!(error.to_string().contains("from 1 to the number of samples (10)"), "{error}");
    }
    assert!(Spectrum::leading_whole(&graph, 11, &Silent).is_err());
}

#[test]
fn eigengaps() {
    let spectrum = Spectrum::leading(&clouds(900, 3, 5), 10, &Silent).expect("a spectrum");
    assert_eq!(spectrum.eigengap(), Some(3));
    let one = Spectrum::leading(&clouds(900, 3, 5), 1, &Silent).expect("a spectrum");
    assert_eq!(one.eigengap(), None);
}

/// A path has no groups, and what its widest gap is depends on how many pairs are looked at.
#[test]
fn a_gap_that_does_not_stand_out_is_none() {
    let path: Vec<(usize, usize, f64)> = (0..59).map(|i| (i, i + 1, 1.0)).collect();
    for pairs in [6, 12, 20] {
        let spectrum = Spectrum::leading(&graph(&path, 60), pairs, &Silent).expect("a spectrum");
        assert_eq!((spectrum.eigengap(), spectrum.widest_gap()), (None, Some(pairs - 1)));
    }
}

#[test]
fn there_are_no_fewer_clusters_than_components() {
    let triangles: Vec<(usize, usize, f64)> = (0..7)
        .flat_map(|t| [(3 * t, 3 * t + 1, 1.0), (3 * t + 1, 3 * t + 2, 1.0), (3 * t, 3 * t + 2, 1.0)])
        .collect();
    let of = |pairs| Spectrum::leading(&graph(&triangles, 21), pairs, &Silent).expect("a spectrum");
    assert_eq!((of(5).n_zero(), of(5).eigengap(), of(5).widest_gap()), (5, None, None));
    assert_eq!((of(10).n_zero(), of(10).eigengap()), (7, Some(7)));
}
