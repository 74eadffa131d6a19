//! The papers' theorems as tests: criteria that look different and are the same.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;
mod naive {
    pub(crate) use super::eigen;
    #[path = "../naive/scores.rs"]
    pub(crate) mod scores;
}

use std::sync::Arc;

use common::{assert_close, written_out};
use fiedler::dataset::demo;
use fiedler::graph::{Knn, Rbf, Relief, Weight};
use fiedler::methods::{Fisher, Hsic, Laplacian, Phi, ReliefSpec, Scatter, Spec, TraceRatio};
use fiedler::spectrum::{Filter, Spectrum};
use fiedler::{Dataset, GraphRecipe, Labels, Scaling, Selector, Silent};
use naive::scores;

fn graphs() -> Vec<GraphRecipe> {
    vec![
        GraphRecipe::default(),
        GraphRecipe::Knn(Knn { k: 3.into(), weight: Weight::Binary, mutual: true, ..Knn::default() }), // disconnected
        GraphRecipe::Rbf(Rbf::default()),
        GraphRecipe::Labels,
    ]
}

/// LS = SPEC φ2 with γ(r) = r, on every graph, also by the eigensystem (SPEC theorem 4, DIS theorem 9).
#[test]
fn the_laplacian_score_is_phi2() {
    let data = demo::iris().expect("embedded");
    for graph in graphs() {
        let laplacian =
            Laplacian { graph: graph.clone(), ..Laplacian::default() }.rank(&data).expect("a ranking");
        for gamma in [Filter::Identity, Filter::Power(1.0)] {
            let spec = Spec { phi: Phi::Two, gamma, graph: graph.clone(), ..Spec::default() };
            assert_close("φ2", spec.rank(&data).expect("a ranking").scores(), laplacian.scores(), 1e-10);
        }
    }
}

/// φ1 = fᵀLf/fᵀDf (SPEC §3).
#[test]
fn phi1_is_a_ratio_of_forms() {
    let data = demo::iris().expect("embedded").scaled(Scaling::None);
    for recipe in graphs() {
        let graph = recipe.build(&data, &Silent).expect("a graph");
        let s = written_out(&graph);
        let (l, d) = (scores::laplacian(&s), scores::degrees(&s));
        let expected: Vec<f64> = (0..4)
            .map(|j| {
                let f = data.column(j).expect("in memory");
                scores::form(&l, &f) / f.iter().zip(&d).map(|(f, d)| d * f * f).sum::<f64>()
            })
            .collect();
        let spec = Spec { phi: Phi::One, graph: GraphRecipe::Given(graph), ..Spec::default() };
        assert_close("φ1", spec.rank(&data).expect("a ranking").scores(), &expected, 1e-9);
    }
}

/// With k = n, φ3 is what is left of γ(2) after φ1 and the trivial part: Σ (γ(2) - γ(λ)) α².
#[test]
fn phi3_with_all_pairs_complements_phi1() {
    let data = demo::iris().expect("embedded").scaled(Scaling::None);
    let graph = GraphRecipe::default().build(&data, &Silent).expect("a graph");
    let d = graph.degrees().to_vec();
    let rank = |phi| {
        Spec { phi, clusters: Some(150), graph: GraphRecipe::Given(Arc::clone(&graph)), ..Spec::default() }
            .rank(&data)
            .expect("a ranking")
    };
    let (phi1, phi3) = (rank(Phi::One), rank(Phi::Three));
    for j in 0..4 {
        let f = data.column(j).expect("in memory");
        let whole: f64 = f.iter().zip(&d).map(|(f, d)| d * f * f).sum();
        let trivial = scores::dot(&f, &d).powi(2) / d.iter().sum::<f64>() / whole;
        assert_close("φ3", &[phi3.scores()[j]], &[2.0 * (1.0 - trivial) - phi1.scores()[j]], 1e-9);
    }
}

/// LS on the label graph = 1/(1 + Fisher) (LS §3.2, DIS 3.14, for theorem 11): the same ranking.
#[test]
fn the_laplacian_score_on_labels_is_fisher() {
    let data = demo::iris().expect("embedded");
    let laplacian =
        Laplacian { graph: GraphRecipe::Labels, ..Laplacian::default() }.rank(&data).expect("a ranking");
    let fisher = Fisher.rank(&data).expect("a ranking");
    let expected: Vec<f64> = fisher.scores().iter().map(|f| 1.0 / (1.0 + f)).collect();
    assert_close("LS on labels", laplacian.scores(), &expected, 1e-12);
    assert_eq!(laplacian.order(), fisher.order());
}

/// The Relief graph has D = I when neighborhoods are mutual (DIS theorem 12 and SPEC theorem 5 assume it): on the
/// corners of a rectangle, one hit and one miss each, every row sums to 1 + 1 - 1.
#[test]
fn the_relief_graph_has_unit_degrees_when_neighborhoods_are_mutual() {
    let rows = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 2.0]];
    let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
    let data = data.labeled(Labels::from_codes(&[0, 0, 1, 1])).expect("a label per sample");
    let graph = GraphRecipe::Relief(Relief { k: 1.into() }).build(&data, &Silent).expect("a graph");
    assert_eq!(graph.degrees(), [1.0; 4]);
}

/// The Relief graph takes D = I for every criterion (METHODS 1.4): with N = L all follow from L and its
/// eigenpairs, negative ones included.
#[test]
fn every_criterion_on_the_relief_graph_takes_unit_degrees() {
    let data = demo::iris().expect("embedded").scaled(Scaling::Range);
    let recipe = GraphRecipe::Relief(Relief::default());
    let graph = recipe.build(&data, &Silent).expect("a graph");
    assert_eq!(graph.degrees(), [1.0; 150]);
    assert!(graph.notes()[0].contains("D = I"), "{:?}", graph.notes());
    let s = written_out(&graph);
    let laplacian = |f: &[f64]| -> f64 {
        let pairs = (0..150).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| s[i][j] * (f[i] - f[j]).powi(2)).sum()
    };
    let columns: Vec<Vec<f64>> = (0..4).map(|j| data.column(j).expect("in memory")).collect();
    let norm = |f: &[f64]| f.iter().map(|v| v * v).sum::<f64>();
    let centered = |f: &[f64]| {
        let mean = f.iter().sum::<f64>() / 150.0;
        f.iter().map(|v| v - mean).collect::<Vec<f64>>()
    };
    let one: Vec<f64> = columns.iter().map(|f| laplacian(f) / norm(f)).collect();
    let two: Vec<f64> = columns.iter().map(|f| laplacian(f) / norm(&centered(f))).collect();
    assert!(two[2] < 0.0, "near misses lie farther apart than near hits: {two:?}");
    let spec = |phi: Phi, gamma: &str| {
        let gamma = gamma.parse().expect("a function");
        let spec = Spec { phi, gamma, clusters: Some(3), graph: recipe.clone() };
        let ranking = spec.rank(&data).expect("a ranking");
        assert!(ranking.notes.iter().any(|n| n.contains("D = I")), "{:?}", ranking.notes);
        ranking.scores().to_vec()
    };
    assert_close("φ1", &spec(Phi::One, "r"), &one, 1e-10);
    let relief = ReliefSpec::default().rank(&data).expect("a ranking");
    assert_close("relief-spec", relief.scores(), &one, 1e-10);
    assert_close("φ2", &spec(Phi::Two, "r"), &two, 1e-10);
    let score = Laplacian { graph: recipe.clone(), ..Laplacian::default() }.rank(&data).expect("a ranking");
    assert_close("laplacian", score.scores(), &two, 1e-10);
    let spectrum = Spectrum::leading_whole(&graph, 3, &Silent).expect("a spectrum");
    assert!(spectrum.values()[1] < 0.0, "{:?}", spectrum.values());
    let share = |f: &[f64], j: usize| f.iter().zip(spectrum.vector(j)).map(|(a, b)| a * b).sum();
    let leading = |f: &Vec<f64>| {
        let alpha = |j: usize| -> f64 { share(f, j) };
        (1..spectrum.len()).map(|j| (2.0 - spectrum.values()[j]) * alpha(j).powi(2)).sum::<f64>() / norm(f)
    };
    let three: Vec<f64> = columns.iter().map(leading).collect();
    assert_close("φ3", &spec(Phi::Three, "r"), &three, 1e-9);
    // (Lf)ᵀL(Lf)/‖f‖², as an odd power is.
    let product = |f: &[f64]| -> Vec<f64> {
        let row = |i: usize| (0..150).map(|j| s[i][j] * (f[i] - f[j])).sum();
        (0..150).map(row).collect()
    };
    let cube: Vec<f64> = columns.iter().map(|f| laplacian(&product(f)) / norm(&centered(f))).collect();
    assert_close("φ2 of r^3", &spec(Phi::Two, "r^3"), &cube, 1e-9);
}

/// Relief's graph has negative eigenvalues, where an even power falls: what is roughest would come first.
#[test]
fn a_function_that_does_not_rise_on_the_spectrum_is_refused() {
    let data = demo::iris().expect("embedded").scaled(Scaling::Range);
    let relief = GraphRecipe::Relief(Relief::default());
    let spec = |phi: Phi, gamma: &str, graph: &GraphRecipe| {
        let gamma = gamma.parse().expect("a function");
        Spec { phi, gamma, clusters: Some(3), graph: graph.clone() }.rank(&data)
    };
    for phi in [Phi::One, Phi::Two, Phi::Three] {
        for gamma in ["r^2", "r^4", "r^2.5"] {
            let refused = spec(phi, gamma, &relief).expect_err(gamma).to_string();
            assert!(refused.contains("`gamma` must be an odd power") && refused.contains(gamma), "{refused}");
            spec(phi, gamma, &GraphRecipe::default()).expect("no weight is negative");
        }
        // The advice, followed.
        let best = |gamma: &str| spec(phi, gamma, &relief).expect("a ranking").order()[0];
        assert_eq!((best("r^3"), best("exp(0.1r)-1")), (best("r"), best("r")), "{phi:?}");
    }
    // Signs alone do no harm: a weak negative weight leaves all eigenvalues where they were.
    let ring = |i: usize| (i, (i + 1) % 150, 1.0);
    let mut edges: Vec<(usize, usize, f64)> = (0..150).map(ring).collect();
    edges.push((0, 3, -1e-3));
    let graph = fiedler::Graph::from_edges(&edges, 150).expect("symmetric");
    spec(Phi::Two, "r^2", &GraphRecipe::Given(Arc::new(graph))).expect("no eigenvalue is negative");
}

/// HSIC with the linear kernel is fᵀŜf with one matrix for all features (DIS 3.23):
/// Ŝ = [K₀ + (1ᵀK₀1/((n-1)(n-2)))·(11ᵀ - I) - (1/(n-2))(…)]/(n(n-3)) with K₀ the kernel without its diagonal.
#[test]
fn hsic_is_one_quadratic_form() {
    let data = demo::iris().expect("embedded").scaled(Scaling::None);
    let graph = GraphRecipe::Rbf(Rbf::default()).build(&data, &Silent).expect("a graph");
    let n = 150;
    let mut k = written_out(&graph);
    (0..n).for_each(|i| k[i][i] = 0.0);
    let (sums, nf) = (scores::degrees(&k), n as f64);
    let all: f64 = sums.iter().sum();
    // tr(AK) = Σ_{i≠j} f_i f_j K_ij; 1ᵀA1 = Σ_{i≠j} f_i f_j; 1ᵀAK1 = Σ_{i≠j} f_i f_j (Σ_l K_jl).
    let entry = |i: usize, j: usize| {
        if i == j {
            return 0.0;
        }
        let cross = (sums[i] + sums[j]) / 2.0;
        (k[i][j] + all / ((nf - 1.0) * (nf - 2.0)) - 2.0 / (nf - 2.0) * cross) / (nf * (nf - 3.0))
    };
    let form: scores::Matrix = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let expected: Vec<f64> =
        (0..4).map(|j| scores::form(&form, &data.column(j).expect("in memory"))).collect();
    let hsic = Hsic { graph: GraphRecipe::Given(graph), ..Hsic::default() };
    assert_close("HSIC", hsic.rank(&data).expect("a ranking").scores(), &expected, 1e-9);
}

/// Trace ratio with the Fisher graphs and one feature asked for is the Fisher score's first.
#[test]
fn trace_ratio_of_one_feature_is_fisher() {
    let data = demo::digits().expect("embedded");
    let fisher = Fisher.rank(&data).expect("a ranking");
    let ratio = TraceRatio { scatter: Scatter::Fisher, count: 1, ..TraceRatio::default() }
        .rank(&data)
        .expect("a ranking");
    assert_eq!(ratio.top(1), fisher.top(1));
    let lambda = ratio.parameters.real_or_word("lambda").expect("λ is told");
    assert_close("λ", &[lambda], &[fisher.scores()[fisher.order()[0]]], 1e-9);
}

/// The label graph's spectrum: 0 for every class, 1 for the rest (DIS 3.13).
#[test]
fn the_label_graph_has_two_eigenvalues() {
    let graph = GraphRecipe::Labels.build(&demo::iris().expect("embedded"), &Silent).expect("a graph");
    let spectrum = Spectrum::complete(&graph, &Silent).expect("a spectrum");
    let expected: Vec<f64> = (0..150).map(|j| if j < 3 { 0.0 } else { 1.0 }).collect();
    spectrum.values().iter().zip(expected).for_each(|(got, want)| assert!((got - want).abs() < 1e-12));
}

/// The columns of iris, each plus its number of `shifts`, unscaled.
fn shifted(shifts: &[f64]) -> Dataset {
    let iris = demo::iris().expect("embedded").scaled(Scaling::None);
    let columns: Vec<Vec<f64>> = (0..4).map(|j| iris.column(j).expect("in memory")).collect();
    let rows: Vec<Vec<f64>> =
        (0..150).map(|i| columns.iter().zip(shifts).map(|(c, shift)| c[i] + shift).collect()).collect();
    Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None)
}

/// SSL theorem 3.1: φ(f) = f - (fᵀd/vol)1 is orthogonal to d (i), leaves fᵀLf as it is (ii) and what is orthogonal to d
/// already (iii), so that the smallest cut over all features is that over all indicators: λ₂ (iv).
#[test]
fn the_best_feature_there_can_be_has_the_smallest_cut() {
    let data = shifted(&[0.0; 4]);
    let graph = GraphRecipe::Rbf(Rbf::default()).build(&data, &Silent).expect("a graph");
    let (s, d) = (written_out(&graph), graph.degrees().to_vec());
    let (l, volume) = (scores::laplacian(&s), d.iter().sum::<f64>());
    let indicator = |f: &[f64]| -> Vec<f64> {
        let mean = scores::dot(f, &d) / volume;
        f.iter().map(|v| v - mean).collect()
    };
    for j in 0..4 {
        let f = data.column(j).expect("in memory");
        let g = indicator(&f);
        assert!(scores::dot(&g, &d).abs() < 1e-9 * volume, "(i)");
        assert_close("(ii)", &[scores::form(&l, &g)], &[scores::form(&l, &f)], 1e-9);
        let again = indicator(&g);
        assert!(again.iter().zip(&g).all(|(a, b)| (a - b).abs() < 1e-12), "(iii)");
    }
    let spectrum = Spectrum::complete(&graph, &Silent).expect("a spectrum");
    let best: Vec<[f64; 1]> = spectrum.vector(1).iter().zip(&d).map(|(x, d)| [7.0 + x / d.sqrt()]).collect();
    let best = Dataset::from_rows(&best).expect("finite").scaled(Scaling::None);
    let cut = |data: &Dataset| {
        let score = Laplacian { graph: GraphRecipe::Given(Arc::clone(&graph)), ..Laplacian::default() };
        score.rank(data).expect("a ranking").scores().to_vec()
    };
    let smallest = spectrum.values()[1];
    assert_close("(iv): the eigenvector", &cut(&best), &[smallest], 1e-8);
    assert!(cut(&data).iter().all(|score| *score > smallest), "(iv): no feature is below");
}

/// SSL theorem 3.2: of all f + μ1 the indicator φ(f) has the largest value of the cut; φ1 is that value for f as it is.
#[test]
fn the_indicator_bounds_the_cut_of_every_shift() {
    let graph = GraphRecipe::Rbf(Rbf::default()).build(&shifted(&[0.0; 4]), &Silent).expect("a graph");
    let d = graph.degrees().to_vec();
    let given = GraphRecipe::Given(Arc::clone(&graph));
    let bound = Laplacian { graph: given.clone(), ..Laplacian::default() }
        .rank(&shifted(&[0.0; 4]))
        .expect("a ranking");
    let cut = |shifts: &[f64]| {
        let spec = Spec { phi: Phi::One, graph: given.clone(), ..Spec::default() };
        spec.rank(&shifted(shifts)).expect("a ranking").scores().to_vec()
    };
    for mu in [-20.0, -5.0, -1.0, 0.0, 0.5, 3.0, 1e3] {
        let below =
            cut(&[mu; 4]).iter().zip(bound.scores()).all(|(cut, bound)| *cut <= bound * (1.0 + 1e-12));
        assert!(below, "μ = {mu}");
    }
    let data = shifted(&[0.0; 4]);
    let mean = |j: usize| scores::dot(&data.column(j).expect("in memory"), &d) / d.iter().sum::<f64>();
    let own: Vec<f64> = (0..4).map(|j| -mean(j)).collect();
    assert_close("μ = -fᵀd/vol", &cut(&own), bound.scores(), 1e-9);
}
