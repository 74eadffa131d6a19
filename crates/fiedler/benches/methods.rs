//! CPU seconds of one method on a file of numbers, graph and scores apart, and the peak memory.
//!
//! `cargo bench --bench methods -- X.f64 SAMPLES FEATURES LABELS.u32|- METHOD [name=value …]`, with
//! X in column-major order. `bench/methods.py` runs it beside scikit-feature.

use std::fs::File;
use std::io::{BufReader, Read};

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::{Dataset, GraphRecipe, GraphUse, Labels, Silent, methods};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [x, n, m, y, method, set @ ..] = arguments.as_slice() else {
        println!("usage: X.f64 SAMPLES FEATURES LABELS.u32|- METHOD [name=value …]");
        return;
    };
    let (n, m): (usize, usize) = (n.parse().expect("samples"), m.parse().expect("features"));
    let values = numbers(x, f64::from_le_bytes);
    let mut data =
        Dataset::new(Dense::new(values, n, m, Order::ColumnMajor).expect("shape")).expect("finite");
    if y != "-" {
        let codes: Vec<usize> = numbers(y, u32::from_le_bytes).into_iter().map(|c| c as usize).collect();
        data = data.labeled(Labels::from_codes(&codes)).expect("a label per sample");
    }
    let before = peak();
    let entry = methods::find(method).expect("a method");
    let start = ProcessTime::now();
    let graph = match entry.info.graph {
        GraphUse::Knn if !set.iter().any(|s| s == "type=fisher") => {
            GraphRecipe::default().build(&data, &Silent).expect("a graph")
        }
        _ => GraphRecipe::Labels.build(&data, &Silent).expect("a graph"),
    };
    let graph_seconds = start.elapsed().as_secs_f64();
    let set = set.iter().filter_map(|s| s.split_once('='));
    let method = entry.build(set, Some(GraphRecipe::Given(graph))).expect("parameters");
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = ProcessTime::now();
        let ranking = method.rank(&data).expect("a ranking");
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(ranking.n_features(), m);
        if best > 5.0 {
            break;
        }
    }
    println!("graph {graph_seconds:.4} scores {best:.5} data_mib {before} peak_mib {}", peak());
}

/// Numbers of a file, read piece by piece so that the file is never in memory twice.
fn numbers<T, const N: usize>(path: &str, number: fn([u8; N]) -> T) -> Vec<T> {
    let mut file = BufReader::new(File::open(path).expect("a file"));
    let size = file.get_ref().metadata().expect("a file").len() as usize;
    let (mut values, mut bytes) = (Vec::with_capacity(size / N), [0; N]);
    while file.read_exact(&mut bytes).is_ok() {
        values.push(number(bytes));
    }
    values
}

/// Largest resident memory so far, in MiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap_or(0) / 1024
}
