//! Seconds of the Laplacian score alone, by the wall clock and of the processors (the graph is made
//! before the clock starts).
//!
//! `cargo bench --bench scores -- 10000x1000 1000x100000`; threads by `RAYON_NUM_THREADS`.
//! `bench/scores.py` runs it beside scipy's sparse form.

use std::time::Instant;

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::graph::Knn;
use fiedler::methods::Laplacian;
use fiedler::{Dataset, GraphRecipe, Scaling, Selector, Silent};

fn main() {
    let shapes: Vec<String> = std::env::args().skip(1).filter(|a| a.contains('x')).collect();
    let shapes = if shapes.is_empty() { vec!["10000x1000".to_owned()] } else { shapes };
    println!("{:>8} {:>8} {:>9} {:>9} {:>9}", "samples", "features", "edges", "wall, s", "CPU, s");
    for shape in shapes {
        let (n, m) = shape.split_once('x').expect("a shape is SAMPLESxFEATURES");
        let (n, m): (usize, usize) = (n.parse().expect("samples"), m.parse().expect("features"));
        let graph = Knn { k: 10.into(), ..Knn::default() }.build(&uniform(n, 10), &Silent).expect("a graph");
        let edges = graph.diagnostics().edges;
        let method = Laplacian { graph: GraphRecipe::Given(graph.into()), ..Laplacian::default() };
        let data = uniform(n, m);
        let runs: Vec<(f64, f64)> =
            (0..10).map(|_| time(|| method.rank(&data).expect("a ranking"))).collect();
        let wall = runs.iter().map(|r| r.0).fold(f64::INFINITY, f64::min);
        let cpu = runs.iter().map(|r| r.1).fold(f64::INFINITY, f64::min);
        println!("{n:>8} {m:>8} {edges:>9} {wall:>9.4} {cpu:>9.4}");
    }
}

/// Wall and CPU seconds.
fn time<T>(work: impl FnOnce() -> T) -> (f64, f64) {
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let result = work();
    let seconds = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    drop(result);
    seconds
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
