//! The order of the rows changes no score, however many distances tie.

#![allow(clippy::expect_used)]

mod common;

use common::assert_close;
use fiedler::graph::{Diffusion, Geodesic, Knn, Metric, MetricChoice, Relief, Weight};
use fiedler::methods::{Laplacian, Mcfs, ReliefF, ReliefSpec, Scatter, Spec, TraceRatio};
use fiedler::{Dataset, GraphRecipe, Labels, Scaling, Selector, Silent};

/// Whole numbers from 0 to `levels` - 1 that look random, in three classes; `order` says where each row goes.
fn table(n: usize, levels: u64, scaling: Scaling, order: &dyn Fn(usize) -> usize) -> Dataset {
    let mut state = 99_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut rows: Vec<(Vec<f64>, usize)> = (0..n)
        .map(|_| {
            let class = (next() % 3) as usize;
            let row = (0..8).map(|j| (next() % levels) as f64 + if j < 2 { class as f64 } else { 0.0 });
            (row.collect(), class)
        })
        .collect();
    let original = rows.clone();
    (0..n).for_each(|i| rows[order(i)] = original[i].clone());
    let values: Vec<Vec<f64>> = rows.iter().map(|r| r.0.clone()).collect();
    let codes: Vec<usize> = rows.iter().map(|r| r.1).collect();
    let data = Dataset::from_rows(&values).expect("finite").scaled(scaling);
    data.labeled(Labels::from_codes(&codes)).expect("a label per sample")
}

#[test]
fn scores_do_not_depend_on_the_order_of_the_rows() {
    let knn = |weight, mutual, metric| {
        GraphRecipe::Knn(Knn { weight, mutual, metric: MetricChoice::Given(metric), ..Knn::default() })
    };
    let graphs = [
        GraphRecipe::default(),
        knn(Weight::Binary, true, Metric::Manhattan),
        knn(Weight::SelfTuning, false, Metric::Euclidean),
        knn(Weight::Rbf, false, Metric::Cosine),
        GraphRecipe::Geodesic(Geodesic::default()),
        GraphRecipe::Diffusion(Diffusion::default()),
        GraphRecipe::Relief(Relief::default()),
    ];
    let mut methods: Vec<(String, Box<dyn Selector>)> = vec![
        ("relieff".into(), Box::new(ReliefF::default())),
        ("relief-spec".into(), Box::new(ReliefSpec::default())),
        (
            "trace-ratio".into(),
            Box::new(TraceRatio { scatter: Scatter::Laplacian, count: 3, ..TraceRatio::default() }),
        ),
        ("mcfs".into(), Box::new(Mcfs::default())),
        ("spec".into(), Box::new(Spec::default())),
    ];
    for graph in graphs {
        methods.push((format!("laplacian {graph:?}"), Box::new(Laplacian { graph, ..Laplacian::default() })));
    }
    for (n, levels) in [(90, 3), (150, 5)] {
        for scaling in [Scaling::None, Scaling::Standard, Scaling::Range] {
            let data = table(n, levels, scaling, &|i| i);
            let moved = table(n, levels, scaling, &|i| (i * 37 + 11) % n);
            for (name, method) in &methods {
                let (a, b) =
                    (method.rank(&data).expect("a ranking"), method.rank(&moved).expect("a ranking"));
                assert_close(&format!("{name}, {n} × {levels}, {scaling:?}"), a.scores(), b.scores(), 1e-7);
            }
        }
    }
}

#[test]
fn rows_that_are_repeated_a_hundred_times_are_told() {
    let rows: Vec<Vec<f64>> = (0..300).map(|i| vec![f64::from(i % 3), f64::from(i % 2)]).collect();
    let data = Dataset::from_rows(&rows).expect("finite");
    let graph = Knn::default().build(&data, &Silent).expect("a graph");
    assert!(
        graph.warnings().iter().all(|w| !w.contains("are as near")),
        "50 of each: {:?}",
        graph.warnings()
    );
    let rows: Vec<Vec<f64>> = (0..300).map(|i| vec![f64::from(i % 3)]).collect();
    let graph = Knn::default().build(&Dataset::from_rows(&rows).expect("finite"), &Silent).expect("a graph");
    let told = "for 300 samples more than 64 others are as near as the last of 5 neighbors";
    assert!(graph.warnings().iter().any(|w| w.starts_with(told)), "{:?}", graph.warnings());
}
