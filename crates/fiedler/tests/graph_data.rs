//! A graph is data: edges, compressed rows and files give the same graph again.

#![allow(clippy::expect_used)]

use std::sync::Arc;

use fiedler::dataset::demo;
use fiedler::graph::{Csr, Diffusion, Geodesic, Knn, Rbf, Relief, Weight, Weighting};
use fiedler::methods::{Evsc, Laplacian};
use fiedler::{Dataset, Graph, GraphRecipe, Scaling, Selector, Silent};

fn iris() -> Dataset {
    demo::iris().expect("iris").scaled(Scaling::Standard)
}

/// One of every kind and shape.
fn graphs() -> Vec<Arc<Graph>> {
    let recipes = [
        GraphRecipe::default(),
        GraphRecipe::Knn(Knn { weight: Weight::SelfTuning, mutual: true, ..Knn::default() }),
        GraphRecipe::Knn(Knn { weight: Weight::Cosine, ..Knn::default() }),
        GraphRecipe::Rbf(Rbf::default()),
        GraphRecipe::Labels,
        GraphRecipe::Relief(Relief::default()),
        GraphRecipe::Diffusion(Diffusion::default()),
        GraphRecipe::Geodesic(Geodesic::default()),
    ];
    let mut graphs: Vec<Arc<Graph>> =
        recipes.iter().map(|r| r.build(&iris(), &Silent).expect("a graph")).collect();
    let parts = vec![(0.5, Arc::clone(&graphs[0])), (-0.25, Arc::clone(&graphs[4]))];
    graphs.push(Arc::new(Graph::sum(parts).expect("a sum")));
    graphs
}

/// S as the products with unit vectors give it.
fn matrix(graph: &Graph) -> Vec<Vec<f64>> {
    let n = graph.n_samples();
    let column = |j: usize| {
        let (mut unit, mut out) = (vec![0.0; n], vec![0.0; n]);
        unit[j] = 1.0;
        graph.apply(&unit, 1, &mut out);
        out
    };
    (0..n).map(column).collect()
}

#[test]
fn edges_are_all_of_the_graph() {
    for graph in graphs() {
        let (n, expected) = (graph.n_samples(), matrix(&graph));
        let mut found = vec![vec![0.0; n]; n];
        let mut last = None;
        for (i, j, weight) in graph.edges() {
            assert!(i <= j && weight != 0.0 && last < Some((i, j)), "{i} {j} {weight}");
            last = Some((i, j));
            found[i][j] = weight;
            found[j][i] = weight;
        }
        assert_eq!(found, expected, "{:?}", graph.description());
    }
}

#[test]
fn edges_and_rows_give_the_same_graph_again() {
    for graph in graphs() {
        let edges: Vec<(usize, usize, f64)> = graph.edges().collect();
        let by_edges = Graph::from_edges(&edges, graph.n_samples()).expect("edges");
        let by_rows = Graph::from_csr(&graph.csr()).expect("rows");
        for again in [by_edges, by_rows] {
            let again = again.with_origin(graph.origin().clone());
            assert_eq!(matrix(&again), matrix(&graph));
            assert_eq!(again.origin(), graph.origin());
            for (a, b) in again.degrees().iter().zip(graph.degrees()) {
                assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
            }
        }
    }
}

#[test]
fn rows_that_are_no_graph_are_refused() {
    let csr = |offsets: &[usize], columns: &[u32], values: &[f64]| {
        Graph::from_csr(&Csr {
            offsets: offsets.to_vec().into(),
            columns: columns.to_vec().into(),
            values: values.to_vec().into(),
        })
    };
    assert!(csr(&[0, 1, 2], &[1, 0], &[2.0, 2.0]).is_ok());
    // Not in order, and 0 where there is no edge: as good as any.
    let zeros = csr(&[0, 3, 4, 5], &[2, 0, 1, 0, 0], &[3.0, 0.0, 2.0, 2.0, 3.0]).expect("a graph");
    assert_eq!(zeros.edges().collect::<Vec<_>>(), [(0, 1, 2.0), (0, 2, 3.0)]);
    for (offsets, columns, values) in [
        (&[0, 1, 2][..], &[1, 0][..], &[2.0, 3.0][..]), // not symmetric
        (&[0, 1, 1], &[1], &[]),                        // a value is missing
        (&[0, 2, 1], &[1, 0], &[2.0, 2.0]),             // offsets go back
        (&[0, 1], &[1], &[2.0]),                        // one sample, and out of range
        (&[0, 1, 2], &[1, 7], &[2.0, 2.0]),             // out of range
        (&[0, 1, 2], &[1, 0], &[f64::NAN, f64::NAN]),   // not finite
        (&[], &[], &[]),
        (&[1, 1, 2], &[1, 0], &[2.0, 2.0]), // does not begin at 0
    ] {
        assert!(csr(offsets, columns, values).is_err(), "{offsets:?} {columns:?} {values:?}");
    }
}

#[test]
fn evsc_takes_a_graph_that_was_rebuilt() {
    let (data, k) = (iris(), Knn::default());
    let made = GraphRecipe::Knn(k).build(&data, &Silent).expect("a graph");
    let Weighting::Heat { t } = made.origin().weighting else { panic!("{:?}", made.origin()) };
    assert!(t > 0.0);
    let given = Graph::from_csr(&made.csr()).expect("rows");
    let ask = |graph: Graph| Evsc { graph: GraphRecipe::Given(Arc::new(graph)), ..Evsc::default() };
    let error = ask(given.clone()).rank(&data).expect_err("a graph of unknown origin").to_string();
    assert!(error.contains("rbf or knn"), "{error}");
    let again = ask(given.with_origin(made.origin().clone())).rank(&data).expect("a ranking");
    let first = Evsc { graph: GraphRecipe::Given(made), ..Evsc::default() }.rank(&data).expect("a ranking");
    assert_eq!(again.scores(), first.scores());
}

#[cfg(feature = "serde")]
#[test]
fn files_give_the_same_graph_again() {
    for graph in graphs() {
        let text = serde_json::to_string(&*graph).expect("text");
        let again: Graph = serde_json::from_str(&text).expect("a graph");
        assert_eq!(again.origin(), graph.origin());
        assert_eq!((again.notes(), again.warnings()), (graph.notes(), graph.warnings()));
        assert_eq!((again.degrees(), matrix(&again)), (graph.degrees(), matrix(&graph)));
        let rank = |graph: Arc<Graph>| {
            Laplacian { graph: GraphRecipe::Given(graph), ..Laplacian::default() }.rank(&iris())
        };
        let (a, b) = (rank(Arc::new(again)).expect("scores"), rank(graph).expect("scores"));
        assert_eq!(a.scores(), b.scores());
    }
}

#[cfg(feature = "serde")]
#[test]
fn files_are_not_believed() {
    let graph = Graph::from_edges(&[(0, 1, 0.5), (1, 2, 0.25)], 3).expect("a graph");
    let text = serde_json::to_string(&graph).expect("text");
    assert!(serde_json::from_str::<Graph>(&text).is_ok());
    for (from, to, says) in [
        ("\"version\":1", "\"version\":2", "version"),
        ("\"kind\":\"given\"", "\"kind\":\"gvien\"", "kind"),
        ("0.25", "0.75", "symmetric"),
        ("[0,1,3,4]", "[0,1,3,9]", "offsets"),
        ("[1,0,2,1]", "[1,0,9,1]", "edges"),
    ] {
        assert!(text.contains(from), "{text}");
        let error =
            serde_json::from_str::<Graph>(&text.replacen(from, to, 1)).expect_err("refused").to_string();
        assert!(error.contains(says), "{error}");
    }
}
