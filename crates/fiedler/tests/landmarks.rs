//! The landmark graph against its own n × n twin, written out by textbook code, and against the kNN graph that it stands for.

#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;
#[path = "naive/eigen.rs"]
mod eigen;
#[path = "naive/scores.rs"]
mod scores;

use std::sync::Arc;

use common::{assert_close, sparse, written_out};
use fiedler::dataset::demo;
use fiedler::graph::{Bandwidth, Landmarks, Metric};
use fiedler::methods::{Hsic, Laplacian, Spec};
use fiedler::spectrum::Spectrum;
use fiedler::{Dataset, Graph, GraphRecipe, Limits, ParameterValue, Scaling, Selector, Silent};
use scores::{Matrix, dot, neighbors};

/// Clumps, with many zeros where `zeros`.
fn rows(n: usize, m: usize, zeros: bool) -> Matrix {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut value = |i: usize, j: usize| {
        let (center, noise) = (if j.is_multiple_of(2) { (i % 3) as f64 } else { 0.0 }, uniform());
        if zeros && uniform() < 0.6 { 0.0 } else { center + noise }
    };
    (0..n).map(|i| (0..m).map(|j| value(i, j)).collect()).collect()
}

fn data(rows: &Matrix) -> Dataset {
    Dataset::from_rows(rows).unwrap().scaled(Scaling::None)
}

fn build(data: &Dataset, landmarks: usize, k: usize) -> Arc<Graph> {
    let recipe = Landmarks { landmarks: Some(landmarks), k: k.into(), ..Landmarks::default() };
    GraphRecipe::Landmarks(recipe).build(data, &Silent).expect("a graph")
}

/// Z as the graph hands it out.
fn links(graph: &Graph) -> Matrix {
    let links = graph.links().expect("links");
    let row = |i: usize| {
        let mut row = vec![0.0; graph.n_landmarks().expect("landmarks")];
        (links.offsets[i]..links.offsets[i + 1])
            .for_each(|at| row[links.columns[at] as usize] = links.values[at]);
        row
    };
    (0..graph.n_samples()).map(row).collect()
}

/// ZΛ⁻¹Zᵀ, written out.
fn twin(z: &Matrix) -> Matrix {
    let volumes: Vec<f64> = (0..z[0].len()).map(|c| z.iter().map(|row| row[c]).sum()).collect();
    let entry = |a: &Vec<f64>, b: &Vec<f64>| (0..volumes.len()).map(|c| a[c] * b[c] / volumes[c]).sum();
    z.iter().map(|a| z.iter().map(|b| entry(a, b)).collect()).collect()
}

fn assert_matrices(what: &str, got: &Matrix, expected: &Matrix) {
    for (a, b) in got.iter().zip(expected) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{what}: {a:?} is not {b:?}");
    }
}

#[test]
fn where_every_sample_is_a_landmark_the_links_are_those_of_the_definition() {
    let rows = rows(60, 4, false);
    let d = scores::squares(&rows);
    for (k, bandwidth) in
        [(1, Bandwidth::Auto), (4, Bandwidth::Auto), (6, Bandwidth::Given(0.3)), (60, Bandwidth::Auto)]
    {
        let recipe = Landmarks { landmarks: Some(60), k: k.into(), bandwidth, ..Landmarks::default() };
        let graph = recipe.build(&data(&rows), &Silent).unwrap();
        let nearest: Vec<Vec<(usize, f64)>> = d.iter().map(|d| neighbors::counted(d, 0..60, k)).collect();
        let of_all = |f: &dyn Fn(usize, &(usize, f64)) -> f64| -> f64 {
            nearest
                .iter()
                .enumerate()
                .flat_map(|(i, list)| list.iter().map(move |e| (i, e)))
                .map(|(i, e)| f(i, e))
                .sum()
        };
        let t = match bandwidth {
            Bandwidth::Given(t) => t,
            Bandwidth::Auto => of_all(&|i, (j, share)| share * d[i][*j]) / of_all(&|_, (_, share)| *share),
        };
        let row = |i: usize| {
            let mut row = vec![0.0; 60];
            let heat = |square: f64| if square == 0.0 { 1.0 } else { (-square / t).exp() };
            nearest[i].iter().for_each(|&(j, share)| row[j] = share * heat(d[i][j]));
            let sum: f64 = row.iter().sum();
            row.iter().map(|w| w / sum).collect()
        };
        assert_matrices("links", &links(&graph), &(0..60).map(row).collect());
    }
}

#[test]
fn every_operation_is_that_of_the_matrix_written_out() {
    for zeros in [false, true] {
        let rows = rows(90, 6, zeros);
        for (landmarks, k) in [(2, 1), (12, 3), (40, 5), (90, 7)] {
            let graph = build(&data(&rows), landmarks, k);
            let expected = twin(&links(&graph));
            assert!(graph.degrees().iter().all(|&d| d == 1.0));
            assert_matrices("products", &written_out(&graph), &expected);
            assert_close(
                "diagonal",
                &graph.diagonal(),
                &(0..90).map(|i| expected[i][i]).collect::<Vec<_>>(),
                1e-12,
            );
            let mut edges = vec![vec![0.0; 90]; 90];
            for (i, j, weight) in graph.edges() {
                (edges[i][j], edges[j][i]) = (weight, weight);
            }
            assert_matrices("edges", &edges, &expected);
            let rows_of = graph.csr_within(&Limits::default()).unwrap();
            assert!(
                Graph::from_csr(&rows_of).is_ok_and(|again| written_out(&again) == edges),
                "symmetric to the bit"
            );
            let joined =
                (0..90).map(|i| (i + 1..90).filter(|&j| expected[i][j] > 0.0).count()).sum::<usize>();
            assert!(graph.diagnostics().edges >= joined);
        }
    }
}

#[test]
fn scores_of_dense_and_sparse_data_are_those_on_the_matrix() {
    let rows = rows(120, 9, true);
    let graph = build(&data(&rows), 20, 4);
    let s = twin(&links(&graph));
    let flat: Vec<f64> = s.iter().flatten().copied().collect();
    let dense = Arc::new(Graph::from_dense(&flat, 120).unwrap());
    let recipe = |graph: &Arc<Graph>| GraphRecipe::Given(Arc::clone(graph));
    for data in [data(&rows), sparse(&rows)] {
        let laplacian = |g| Laplacian { graph: recipe(g), ..Laplacian::default() }.rank(&data).unwrap();
        let found = laplacian(&graph);
        for j in 0..9 {
            let naive = scores::laplacian_score(&scores::column(&rows, j), &s);
            let score = found.score(j).expect("a score");
            assert!((score - naive).abs() < 1e-12, "feature {j}: {score} is not {naive}");
        }
        let hsic = |g| Hsic { graph: recipe(g), ..Hsic::default() }.rank(&data).unwrap();
        assert_close("hsic", hsic(&graph).scores(), hsic(&dense).scores(), 1e-10);
        let spec = |g| Spec { graph: recipe(g), ..Spec::default() }.rank(&data).unwrap();
        assert_close("spec", spec(&graph).scores(), spec(&dense).scores(), 1e-10);
        // Far from 0 nothing is lost.
        let far: Matrix = rows.iter().map(|row| row.iter().map(|v| v + 1e8).collect()).collect();
        let moved = Laplacian { graph: recipe(&graph), ..Laplacian::default() };
        let moved = moved.rank(&Dataset::from_rows(&far).unwrap().scaled(Scaling::None)).unwrap();
        assert_close("far away", moved.scores(), found.scores(), 1e-6);
    }
}

#[test]
fn a_sum_with_it_and_the_same_without_a_diagonal() {
    let rows = rows(50, 4, false);
    let (graph, near) =
        (build(&data(&rows), 10, 3), GraphRecipe::default().build(&data(&rows), &Silent).unwrap());
    let (s, other) = (twin(&links(&graph)), written_out(&near));
    let sum = Graph::sum(vec![(0.7, graph), (0.3, near)]).unwrap();
    let expected: Matrix = s
        .iter()
        .zip(&other)
        .map(|(a, b)| a.iter().zip(b).map(|(a, b)| 0.7 * a + 0.3 * b).collect())
        .collect();
    assert_matrices("sum", &written_out(&sum), &expected);
}

#[test]
fn components_are_those_of_the_matrix_and_vectors_those_of_its_laplacian() {
    // Two groups that share no landmark, and more samples than the dense solver is asked for.
    let mut rows = rows(620, 3, false);
    rows[400..].iter_mut().for_each(|row| row[0] += 1e3);
    let graph = build(&data(&rows), 40, 3);
    assert_eq!(graph.diagnostics().components, 2);
    assert_eq!(graph.components(), (0..620).map(|i| usize::from(i >= 400)).collect::<Vec<_>>());
    assert!(graph.warnings().iter().any(|w| w.contains("2 components")), "{:?}", graph.warnings());
    let found = Spectrum::leading(&graph, 9, &Silent).unwrap();
    let complete = Spectrum::complete(&graph, &Silent).unwrap();
    assert_close("eigenvalues", found.values(), &complete.values()[..9], 1e-12);
    assert!(found.residuals().iter().all(|r| *r < 1e-12), "{:?}", found.residuals());
    for a in 0..9 {
        assert!(
            complete.vector(a).iter().zip(found.vector(a)).all(|(x, y)| (x - y).abs() < 1e-8),
            "vector {a}"
        );
        for b in 0..=a {
            let product = dot(found.vector(a), found.vector(b));
            assert!((product - f64::from(a == b)).abs() < 1e-10, "{a}, {b}: {product}");
        }
    }
    // A small graph of these landmarks, by rotations.
    let few = build(&data(&rows[..60].to_vec()), 8, 3);
    let (values, _) = eigen::jacobi(eigen::normalized_laplacian(&twin(&links(&few))));
    assert_close("by rotations", Spectrum::leading(&few, 6, &Silent).unwrap().values(), &values[..6], 1e-10);
    // However many are asked for: all other eigenvalues are 1, and no solver is asked for them.
    for count in [50, 100, 600] {
        let error = Spectrum::leading(&graph, count, &Silent).unwrap_err().to_string();
        assert!(
            error.contains("at most 40 for this graph: its 40 landmarks tell no more directions apart"),
            "{error}"
        );
    }
}

#[test]
fn files_give_the_same_graph_and_nothing_in_them_is_believed() {
    let graph = build(&data(&rows(30, 3, false)), 6, 2);
    let text = serde_json::to_string(&*graph).unwrap();
    let again: Graph = serde_json::from_str(&text).unwrap();
    assert_eq!(again.links(), graph.links());
    assert_eq!((again.description(), again.notes()), (graph.description(), graph.notes()));
    let mut told: serde_json::Value = serde_json::from_str(&text).unwrap();
    let spoil = |told: &mut serde_json::Value, key: &str, at: usize, value: serde_json::Value| {
        let mut spoiled = told.clone();
        spoiled["numbers"]["low-rank"][key][at] = value;
        serde_json::from_value::<Graph>(spoiled).expect_err("refused").to_string()
    };
    for (key, at, value, says) in [
        ("columns", 0, 99.into(), "links"),
        ("values", 3, (-0.5).into(), "links"),
        ("values", 0, 0.123.into(), "add up to 1"),
        ("offsets", 1, 999.into(), "offsets"),
        ("offsets", 0, 1.into(), "offsets"),
    ] {
        let error = spoil(&mut told, key, at, value);
        assert!(error.contains(says), "{key}: {error}");
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let rows = rows(70_000, 2, false);
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let data = data(&rows);
            let graph = build(&data, 60, 3);
            let mut product = vec![0.0; 70_000];
            graph.apply(&scores::column(&rows, 0), 1, &mut product);
            let spectrum = Spectrum::leading(&graph, 4, &Silent).unwrap();
            let scores = Laplacian { graph: GraphRecipe::Given(Arc::clone(&graph)), ..Laplacian::default() };
            let scores = scores.rank(&data).unwrap().scores().to_vec();
            (
                graph.links().unwrap().values.into_owned(),
                graph.description(),
                product,
                spectrum.values().to_vec(),
                scores,
            )
        })
    };
    assert_eq!(made(1), made(2));
}

/// The scores on the directed kNN graph and through the landmarks, as the module says.
fn naive_agreement(rows: &Matrix, z: &Matrix, k: usize) -> (Vec<f64>, Vec<f64>) {
    let (n, d) = (rows.len(), scores::squares(rows));
    let near: Vec<Vec<(usize, f64)>> =
        (0..n).map(|i| neighbors::counted(&d[i], (0..n).filter(|&j| j != i), k)).collect();
    let edges =
        || near.iter().enumerate().flat_map(|(i, list)| list.iter().map(move |&(j, share)| (i, j, share)));
    let t = edges().map(|(i, j, share)| share * d[i][j]).sum::<f64>() / edges().map(|e| e.2).sum::<f64>();
    let weight = |i: usize, j: usize, share: f64| share * (-d[i][j] / t).exp();
    let spread = |f: &[f64], w: &[f64]| {
        let mean = dot(f, w) / w.iter().sum::<f64>();
        f.iter().zip(w).map(|(f, w)| w * (f - mean) * (f - mean)).sum::<f64>()
    };
    let mut degrees = vec![0.0; n];
    edges().for_each(|(i, j, share)| degrees[i] += weight(i, j, share));
    let exact = |f: &[f64]| {
        let apart: f64 = edges().map(|(i, j, share)| weight(i, j, share) * (f[i] - f[j]).powi(2)).sum();
        0.5 * apart / spread(f, &degrees)
    };
    let through = |f: &[f64]| scores::laplacian_score(f, &twin(z));
    let columns: Vec<Vec<f64>> = (0..rows[0].len()).map(|j| scores::column(rows, j)).collect();
    (columns.iter().map(|f| exact(f)).collect(), columns.iter().map(|f| through(f)).collect())
}

fn told(graph: &Graph, name: &str) -> Option<f64> {
    let found = graph.description().parameters.into_iter().find(|p| p.0 == name)?;
    if let ParameterValue::Real(value) = found.1 { Some(value) } else { None }
}

#[test]
fn the_agreement_is_that_of_the_two_rankings() {
    let rows = rows(150, 8, false);
    let graph = build(&data(&rows), 15, 4);
    let (exact, through) = naive_agreement(&rows, &links(&graph), 4);
    let place = |scores: &[f64], j: usize| scores.iter().filter(|s| **s < scores[j]).count() as f64;
    let squares: f64 = (0..8).map(|j| (place(&exact, j) - place(&through, j)).powi(2)).sum();
    let spearman = 1.0 - 6.0 * squares / (8.0 * 63.0);
    assert!((told(&graph, "agreement").expect("told") - spearman).abs() < 1e-12);
    let largest = exact.iter().zip(&through).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let says = format!(
        "have a rank correlation of {spearman:.3} (the scores themselves differ by {largest:.3} at most"
    );
    assert!(graph.notes()[0].contains(&says), "{:?} does not say {says}", graph.notes());
}

/// Waves along a line: the line tells who is near, and a wave is noise to whoever sees less than its length.
fn waves() -> Dataset {
    let rows: Vec<Vec<f64>> = (0..3000)
        .map(|i| {
            let at = f64::from(i) / 3000.0;
            let wave = |f: u32| 0.01 * (at * f64::from(300 + 60 * f) + f64::from(f)).sin();
            std::iter::once(100.0 * at).chain((1..=12).map(wave)).collect()
        })
        .collect();
    data(&rows)
}

#[test]
fn the_agreement_is_low_where_cells_are_wider_than_what_features_tell() {
    let (coarse, fine) = (build(&waves(), 4, 2), build(&waves(), 600, 3));
    let (low, high) = (told(&coarse, "agreement").expect("told"), told(&fine, "agreement").expect("told"));
    assert!(low < 0.9 && high > 0.95, "{low}, {high}");
    assert!(coarse.warnings().iter().any(|w| w.contains("use more landmarks")), "{:?}", coarse.warnings());
    assert!(!fine.warnings().iter().any(|w| w.contains("landmarks")), "{:?}", fine.warnings());
}

#[test]
fn the_agreement_by_some_samples_is_about_that_by_all() {
    // More samples than are looked at, in an order that repeats; features that follow the groups less and less.
    let rows: Matrix = rows(6000, 24, false)
        .into_iter()
        .enumerate()
        .map(|(i, row)| {
            row.iter().enumerate().map(|(j, v)| (i % 6) as f64 * (24 - j) as f64 / 24.0 + 2.0 * v).collect()
        })
        .collect();
    let data = data(&rows);
    let graph = build(&data, 100, 5);
    let on = |graph| Laplacian { graph, ..Laplacian::default() }.rank(&data).unwrap();
    let exact = on(GraphRecipe::default());
    let expected = fiedler::stability::spearman(&exact, &on(GraphRecipe::Given(Arc::clone(&graph))));
    let found = told(&graph, "agreement").expect("told");
    assert!(found > 0.8 && (found - expected).abs() < 0.08, "{found} is not about {expected}");
    // Noise alone cannot be ranked by anybody.
    let noise: Matrix = rows.iter().map(|row| row.iter().map(|v| (v * 1e6).sin()).collect()).collect();
    let none = build(&Dataset::from_rows(&noise).unwrap().scaled(Scaling::None), 50, 3);
    assert_eq!(told(&none, "agreement"), None);
    assert!(none.notes()[0].contains("cannot be told"), "{:?}", none.notes());
}

#[test]
fn what_cannot_be_made_is_refused_in_words() {
    let iris = demo::iris().unwrap();
    let error = |given: &[(&str, &str)]| {
        let recipe = GraphRecipe::named("landmarks", given.iter().copied());
        recipe.and_then(|r| r.build(&iris, &Silent)).expect_err("refused").to_string()
    };
    assert_eq!(
        error(&[("landmarks", "151")]),
        "`landmarks` must be `auto` or from 2 to the number of samples (150), got 151"
    );
    assert_eq!(
        error(&[("landmarks", "10"), ("k", "11")]),
        "`k` must be from 1 to the number of landmarks (10), got 11"
    );
    assert!(error(&[("landmarks", "1")]).contains("from 2"), "{}", error(&[("landmarks", "1")]));
    assert!(error(&[("bandwidth", "-1")]).contains("bandwidth"));
    assert!(error(&[("mutual", "true")]).contains("it has: landmarks, k, bandwidth, metric"));
    let one = Dataset::from_rows(&[[1.0, 2.0]]).unwrap();
    let alone = Landmarks::default().build(&one, &Silent).expect_err("refused").to_string();
    assert!(alone.contains('2') && alone.contains("landmark graph"), "{alone}");
    let tiny = Landmarks::default().build(&data(&rows(3, 2, false)), &Silent).unwrap();
    assert_eq!(tiny.n_landmarks(), Some(3));
}

#[test]
fn every_metric_and_sparse_data_and_duplicates_have_a_graph() {
    let rows = rows(200, 5, true);
    for data in [data(&rows), sparse(&rows)] {
        for &metric in Metric::ALL {
            let recipe = Landmarks { landmarks: Some(20), metric: metric.into(), ..Landmarks::default() };
            let graph = recipe.build(&data, &Silent).unwrap();
            assert!(graph.degrees().iter().all(|&d| d == 1.0), "{metric:?}");
        }
    }
    let same = Landmarks::default().build(&data(&vec![vec![1.0, 2.0]; 300]), &Silent).unwrap();
    assert!(same.degrees().iter().all(|&d| d == 1.0));
    assert_eq!(told(&same, "agreement"), None);
    // Far from every landmark is still nearest to one.
    let mut far = rows;
    far[7].iter_mut().for_each(|v| *v = 1e6);
    let narrow = Landmarks { landmarks: Some(10), bandwidth: Bandwidth::Given(1e-3), ..Landmarks::default() };
    assert!(narrow.build(&data(&far), &Silent).unwrap().degrees().iter().all(|&d| d == 1.0));
}

#[test]
fn a_large_one_is_not_written_out_by_accident() {
    let graph = build(&data(&rows(3000, 2, false)), 5, 3);
    let error = graph.csr_within(&Limits::of("1MB".parse().unwrap())).expect_err("too large").to_string();
    assert!(
        error.starts_with("the landmark graph of 3,000 samples written out pair by pair needs"),
        "{error}"
    );
    assert!(graph.links().is_some_and(|links| links.values.len() == 9000));
}
