//! CPU seconds of sSelect beside the Laplacian score, both on a graph that is there already.
//!
//! `cargo bench --bench sselect -- 2000x5000:10 2000x5000:2000`: samples, features and how many of
//! the samples have a label (ten classes). Threads by `RAYON_NUM_THREADS`.

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::graph::Knn;
use fiedler::methods::{Laplacian, SSelect};
use fiedler::{Dataset, GraphRecipe, Labels, Scaling, Selector, Silent};

fn main() {
    println!(
        "{:>8} {:>8} {:>8} {:>12} {:>10} {:>6}",
        "samples", "features", "labels", "laplacian, s", "sselect, s", "ratio"
    );
    for job in std::env::args().skip(1).filter(|a| a.contains('x')) {
        let (shape, labels) = job.split_once(':').expect("a job is SAMPLESxFEATURES:LABELS");
        let (n, m) = shape.split_once('x').expect("a shape is SAMPLESxFEATURES");
        let number = |text: &str| -> usize { text.parse().expect("a number") };
        let (n, m, labeled) = (number(n), number(m), number(labels));
        let graph = Knn { k: 10.into(), ..Knn::default() }.build(&uniform(n, 10), &Silent).expect("a graph");
        let graph = GraphRecipe::Given(graph.into());
        let labels = (0..n).map(|i| (i < labeled).then(|| (i % 10).to_string()));
        let data = uniform(n, m).labeled(Labels::new(labels)).expect("a label or none per sample");
        let laplacian = Laplacian { graph: graph.clone(), ..Laplacian::default() };
        let sselect = SSelect { graph, ..SSelect::default() };
        let a = best(|| laplacian.rank(&data).expect("a ranking"));
        let b = best(|| sselect.rank(&data).expect("a ranking"));
        println!("{n:>8} {m:>8} {labeled:>8} {a:>12.4} {b:>10.4} {:>6.2}", b / a);
    }
}

fn best<T>(work: impl Fn() -> T) -> f64 {
    let time = || {
        let start = ProcessTime::now();
        drop(work());
        start.elapsed().as_secs_f64()
    };
    (0..10).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// Uniform numbers by a linear congruential generator: their values do not matter here.
fn uniform(n: usize, m: usize) -> Dataset {
    let mut state = 1u64;
    let values = (0..n * m)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        })
        .collect();
    let columns = Dense::<f64>::new(values, n, m, Order::ColumnMajor).expect("shape");
    Dataset::new(columns).expect("finite").scaled(Scaling::None)
}
