//! CPU seconds of EVSC: the whole ranking, and the scores alone on a graph that is there.
//!
//! `cargo bench --bench evsc -- FILE.f64:100x10304 2000x5000:knn:50`: a file of little-endian
//! doubles, row after row, with all eigenvalues of the full RBF graph; or random numbers on a
//! kNN graph with the 50 smallest (`2000x200:rbf`: on the full RBF graph with all). Threads by `RAYON_NUM_THREADS`. `bench/evsc.py` runs it
//! beside numpy.

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::methods::Evsc;
use fiedler::{Dataset, GraphRecipe, Selector, Silent};

fn main() {
    println!(
        "{:>8} {:>8} {:>9} {:>9} {:>10} {:>10}",
        "samples", "features", "graph", "rank", "all, s", "scores, s"
    );
    for job in std::env::args().skip(1).filter(|a| a.contains('x')) {
        let (data, method) = read(&job);
        let whole = best(|| method.rank(&data).expect("a ranking"));
        let graph = method.graph.build(&data, &Silent).expect("a graph");
        let kind = graph.description().kind;
        let scores = Evsc { graph: GraphRecipe::Given(graph), ..method.clone() };
        let scores = best(|| scores.rank(&data).expect("a ranking"));
        let rank = method.rank.map_or("all".to_owned(), |r| r.to_string());
        let (n, m) = (data.n_samples(), data.n_features());
        println!("{n:>8} {m:>8} {kind:>9} {rank:>9} {whole:>10.4} {scores:>10.4}");
    }
}

fn read(job: &str) -> (Dataset, Evsc) {
    let parts: Vec<&str> = job.split(':').collect();
    let shape = |text: &str| -> (usize, usize) {
        let (n, m) = text.split_once('x').expect("a shape is SAMPLESxFEATURES");
        (n.parse().expect("samples"), m.parse().expect("features"))
    };
    match parts[..] {
        [of, "rbf"] if !of.contains('/') => {
            let (n, m) = shape(of);
            (dataset(uniform(n * m), n, m), Evsc::default())
        }
        [file, of] => {
            let (n, m) = shape(of);
            let bytes = std::fs::read(file).expect("a readable file");
            let values = bytes.as_chunks::<8>().0.iter().map(|&b| f64::from_le_bytes(b)).collect();
            (dataset(values, n, m), Evsc::default())
        }
        [of, "knn", rank] => {
            let (n, m) = shape(of);
            let rank = Some(rank.parse().expect("a rank"));
            (dataset(uniform(n * m), n, m), Evsc { rank, graph: GraphRecipe::default(), ..Evsc::default() })
        }
        _ => panic!(
            "a job is FILE:SAMPLESxFEATURES or SAMPLESxFEATURES:knn:RANK, or SAMPLESxFEATURES:rbf, got {job}"
        ),
    }
}

fn dataset(values: Vec<f64>, n: usize, m: usize) -> Dataset {
    Dataset::new(Dense::new(values, n, m, Order::RowMajor).expect("shape")).expect("finite")
}

fn best<T>(work: impl Fn() -> T) -> f64 {
    let time = || {
        let start = ProcessTime::now();
        drop(work());
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| time()).fold(f64::INFINITY, f64::min)
}

/// Uniform numbers by a linear congruential generator.
fn uniform(count: usize) -> Vec<f64> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| next()).collect()
}
