//! The vital signs of graphs, and what users are warned of.

mod common;

use common::clumps::{Sample, square_distances};
use fiedler::graph::{Bandwidth, Diffusion, Geodesic, Knn, Rbf, Relief, Weight};
use fiedler::{Dataset, Graph, GraphRecipe, Scaling, Silent};

fn warnings(recipe: GraphRecipe, data: &Dataset) -> Vec<String> {
    recipe.build(data, &Silent).expect("a graph").warnings().to_vec()
}

#[test]
fn diagnostics_count_what_is_there() {
    let edges = [(0, 1, 1.0), (1, 2, -3.0), (3, 4, 2.0), (5, 5, 9.0)];
    let graph = Graph::from_edges(&edges, 7).expect("edges");
    let found = graph.diagnostics();
    assert_eq!((found.n_samples, found.edges, found.components, found.isolated), (7, 3, 4, 2));
    assert_eq!((found.min_degree, found.median_degree, found.max_degree), (-3.0, 1.0, 9.0));
    assert_eq!(graph.components(), [0, 0, 0, 1, 1, 2, 3]);
}

#[test]
fn healthy_graphs_have_no_warnings() {
    let data = Sample::new(60, 3, 2, 21).data();
    let knn = Knn { k: 12.into(), ..Knn::default() };
    for recipe in [
        GraphRecipe::Knn(knn.clone()),
        GraphRecipe::Knn(Knn { weight: Weight::Binary, ..knn.clone() }),
        GraphRecipe::Knn(Knn { weight: Weight::SelfTuning, ..knn.clone() }),
        GraphRecipe::Knn(Knn { weight: Weight::Cosine, ..knn.clone() }),
        GraphRecipe::Rbf(Rbf::default()),
        GraphRecipe::Labels,
        GraphRecipe::Relief(Relief::default()),
        GraphRecipe::Diffusion(Diffusion { knn: knn.clone(), beta: 0.5 }),
        GraphRecipe::Geodesic(Geodesic { knn, ..Geodesic::default() }),
    ] {
        assert_eq!(warnings(recipe.clone(), &data), Vec::<String>::new(), "{recipe:?}");
    }
}

#[test]
fn a_disconnected_graph_is_told_but_not_one_of_labels() {
    let data = Sample::new(36, 4, 3, 3).split().data();
    let told = warnings(GraphRecipe::default(), &data);
    assert!(told.len() == 1 && told[0].contains("2 components") && told[0].contains("larger k"), "{told:?}");
    assert_eq!(warnings(GraphRecipe::Labels, &data), Vec::<String>::new());
}

/// More neighbors do not join a sample so far away that its similarity to any is 0.
#[test]
fn a_sample_too_far_away_for_any_weight_is_told_as_such() {
    let mut sample = Sample::new(2400, 5, 2, 8);
    sample.rows[7].iter_mut().for_each(|v| *v = 1e3);
    let data = sample.data().scaled(fiedler::dataset::Scaling::None);
    for k in [6, 12] {
        let told = warnings(GraphRecipe::Knn(Knn { k: k.into(), ..Knn::default() }), &data);
        let words = [
            "1 of them single samples",
            "weigh 0, for their samples are so far apart",
            "`weight=binary` or a wider",
        ];
        let told =
            told.iter().find(|told| told.contains("disconnected")).unwrap_or_else(|| panic!("{told:?}"));
        assert!(words.iter().all(|word| told.contains(word)) && !told.contains("larger k"), "{told}");
        let binary = Knn { k: k.into(), weight: Weight::Binary, ..Knn::default() };
        assert_eq!(warnings(GraphRecipe::Knn(binary), &data), Vec::<String>::new());
    }
}

#[test]
fn a_bandwidth_that_says_nothing_is_told_once() {
    // Thirty dimensions: all distances are alike, so one bandwidth can be too narrow for all.
    let sample = Sample::new(40, 30, 2, 31);
    let off_diagonal = square_distances(&sample.rows).concat().into_iter().filter(|d| *d > 0.0);
    let narrow = off_diagonal.fold(f64::INFINITY, f64::min) / 20.0;
    let data = sample.data();
    let heat =
        |t: f64| GraphRecipe::Knn(Knn { k: 39.into(), bandwidth: Bandwidth::Given(t), ..Knn::default() });
    let rbf = |sigma: f64| GraphRecipe::Rbf(Rbf { bandwidth: Bandwidth::Given(sigma) });
    let geodesic = |sigma| {
        GraphRecipe::Geodesic(Geodesic {
            bandwidth: Bandwidth::Given(sigma),
            knn: Knn { k: 39.into(), ..Knn::default() },
        })
    };
    for (recipe, words) in [
        (heat(1e-9), "no edges"),
        (heat(narrow), "near 0"),
        (heat(1e9), "near 1"),
        (rbf(1e-9), "no edges"),
        (rbf((narrow / 2.0).sqrt()), "near 0"),
        (rbf(1e9), "near 1"),
        (geodesic(1e9), "near 1"),
    ] {
        let told = warnings(recipe.clone(), &data);
        assert!(told.len() == 1 && told[0].contains(words), "{recipe:?}: {told:?}");
        assert!(told[0].contains("bandwidth"), "{told:?} says not what to do");
    }
    let diffusion =
        |beta| GraphRecipe::Diffusion(Diffusion { beta, knn: Knn { k: 39.into(), ..Knn::default() } });
    for beta in [1e-9, 1e6] {
        let told = warnings(diffusion(beta), &data);
        assert!(told.len() == 1 && told[0].contains("degenerate") && told[0].contains("`beta`"), "{told:?}");
    }
}

#[test]
fn negative_cosines_are_told() {
    let data = Sample::new(40, 3, 2, 41).data().scaled(Scaling::Standard);
    let told =
        warnings(GraphRecipe::Knn(Knn { k: 39.into(), weight: Weight::Cosine, ..Knn::default() }), &data);
    assert!(told.len() == 1 && told[0].contains("negative") && told[0].contains("heat"), "{told:?}");
    let given = Graph::from_edges(&[(0, 1, -1.0), (1, 2, 3.0)], 3).expect("edges");
    assert!(given.warnings().iter().any(|w| w.contains("negative")), "{:?}", given.warnings());
}

#[test]
fn labels_without_repeats_are_told_in_their_own_words() {
    let mut sample = Sample::new(12, 2, 2, 51);
    sample.codes = (0..12).collect();
    let told = warnings(GraphRecipe::Labels, &sample.data());
    assert!(
        told.len() == 1 && told[0].contains("single sample") && !told[0].contains("bandwidth"),
        "{told:?}"
    );
}
