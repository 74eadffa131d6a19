//! Odd data that once gave a wrong answer, or could have.

use fiedler::dataset::Columns;
use fiedler::graph::{Diffusion, Knn, Weight};
use fiedler::methods::{Laplacian, Phi, Spec, TraceRatio, Variance};
use fiedler::spectrum::Filter;
use fiedler::{Dataset, Error, Graph, GraphRecipe, Scaling, Selector, Silent, dataset::demo};

/// Squares of such values overflow or vanish: scores would be NaN, or all columns equal.
#[test]
fn values_whose_squares_do_not_fit_are_refused_by_name() {
    for (low, high) in [(0.0, 1e155), (-1e300, 1e300), (0.0, 1e-162), (1.0, f64::MAX)] {
        let rows = [[0.5, low], [0.1, high], [0.2, low]];
        let error = Dataset::from_rows(&rows).expect_err("out of range");
        assert!(matches!(error, Error::OutOfRange { column: 1, .. }), "{error}");
    }
    for scale in [1e139, 1e-139] {
        let rows: Vec<[f64; 2]> = (0..8).map(|i| [scale * f64::from(i), f64::from(i * i)]).collect();
        for scaling in [Scaling::Standard, Scaling::Range, Scaling::None] {
            let data = Dataset::from_rows(&rows).expect("in range").scaled(scaling);
            let ranking = Laplacian::default().rank(&data).expect("a ranking");
            assert!(ranking.scores()[0].is_finite(), "{scale:e} {scaling:?}");
            assert!(Variance.rank(&data).expect("a ranking").scores()[0].is_finite());
        }
    }
}

#[test]
fn ragged_rows_are_refused() {
    let rows: [&[f64]; 3] = [&[1.0, 2.0], &[3.0], &[4.0, 5.0, 6.0]];
    assert!(matches!(Dataset::from_rows(&rows), Err(Error::Length { expected: 2, got: 1, .. })));
}

/// The first of several bad values is named, whichever thread met one first.
#[test]
fn the_first_value_that_is_not_finite_is_named() {
    let mut rows = vec![vec![1.0; 400]; 5];
    rows[3][70] = f64::NAN;
    rows[1][390] = f64::INFINITY;
    for _ in 0..20 {
        let error = Dataset::from_rows(&rows).expect_err("not finite");
        assert!(matches!(error, Error::NotFinite { row: 3, column: 70, .. }), "{error}");
    }
}

/// Rounding must not make a graph of heat kernels signed, or it loses the fast ways.
#[test]
fn diffusion_has_no_negative_similarities() {
    let graph =
        Diffusion { beta: 0.5, ..Diffusion::default() }.build(&demo::iris().expect("embedded"), &Silent);
    let graph = graph.expect("a graph");
    let (n, mut out) = (graph.n_samples(), vec![0.0; 150]);
    for i in 0..n {
        let unit: Vec<f64> = (0..n).map(|j| f64::from(i == j)).collect();
        graph.apply(&unit, 1, &mut out);
        assert!(out.iter().all(|w| *w >= 0.0));
    }
}

/// Weights below full precision have reciprocals that overflow; they are no edges.
#[test]
fn an_outlier_is_alone_not_nearly_so() {
    let mut rows: Vec<[f64; 1]> = (0..200).map(|i| [f64::from(i % 20) / 10.0]).collect();
    rows.push([2e3]);
    let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
    let graph = Knn { k: 3.into(), bandwidth: "5e3".parse().expect("a number"), ..Knn::default() };
    let graph = graph.build(&data, &Silent).expect("a graph");
    assert_eq!(graph.degrees()[200], 0.0);
    assert_eq!(graph.diagnostics().isolated, 1);
}

/// k duplicates of a sample are at distance 0; its other edges must not vanish for it.
#[test]
fn self_tuning_survives_duplicates() {
    let rows = [[0.0], [0.0], [0.0], [1.0], [1.1], [1.3]];
    let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
    let graph = Knn { k: 3.into(), weight: Weight::SelfTuning, ..Knn::default() }
        .build(&data, &Silent)
        .expect("a graph");
    assert_eq!(graph.diagnostics().components, 1);
}

/// `r^1` is `r`, to the bit.
#[test]
fn the_first_power_is_the_identity() {
    let data = demo::iris().expect("embedded");
    for phi in [Phi::One, Phi::Two, Phi::Three] {
        let rank =
            |gamma| Spec { phi, gamma, clusters: Some(3), ..Spec::default() }.rank(&data).expect("a ranking");
        assert_eq!(rank(Filter::Identity).scores(), rank(Filter::Power(1.0)).scores());
    }
}

/// Roots of negative degrees, and ratios of negative scatters, mean nothing.
#[test]
fn signed_graphs_are_refused_where_they_mean_nothing() {
    let data = Dataset::from_rows(&[[1.0], [2.0], [4.0]]).expect("finite").scaled(Scaling::None);
    let graph = Graph::from_edges(&[(0, 1, -1.0), (1, 2, 0.5)], 3).expect("a graph");
    let graph = GraphRecipe::Given(graph.into());
    for phi in [Phi::One, Phi::Two, Phi::Three] {
        let spec = Spec { phi, graph: graph.clone(), clusters: Some(2), ..Spec::default() };
        assert!(matches!(spec.rank(&data), Err(Error::Parameter { .. })));
    }
    let data = Dataset::from_rows(&[[1.0], [9.0], [9.5]]).expect("finite").scaled(Scaling::None);
    let ratio = TraceRatio { graph, count: 1, ..TraceRatio::default() }.rank(&data);
    assert!(matches!(ratio, Err(Error::Parameter { .. })), "{ratio:?}");
}

/// A source of columns that does not keep its promise is an error, not a panic.
#[test]
fn a_faulty_source_is_an_error() {
    use fiedler::dataset::{Block, SparseBlock, Values};
    struct Faulty(Vec<u32>);
    impl Columns for Faulty {
        fn n_samples(&self) -> usize {
            3
        }
        fn n_features(&self) -> usize {
            1
        }
        fn is_sparse(&self) -> bool {
            true
        }
        fn block(&self, _: std::ops::Range<usize>) -> fiedler::Result<Block<'_>> {
            let values = Values::F64(vec![1.0; self.0.len()].into());
            Ok(Block::Sparse(SparseBlock {
                offsets: vec![0, self.0.len()].into(),
                rows: (&self.0[..]).into(),
                values,
            }))
        }
    }
    for rows in [vec![0, 3], vec![1, 0], vec![2, 2]] {
        assert!(matches!(Dataset::new(Faulty(rows)), Err(Error::Columns(_))));
    }
}
