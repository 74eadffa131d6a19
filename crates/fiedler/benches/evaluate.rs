//! CPU seconds of curves of 1NN, k-means, SVM, Jaccard and redundancy along given rankings and partitions.
//!
//! `cargo bench --bench evaluate -- X.f64 SAMPLES FEATURES LABELS.u32 RANKING.u32 SPLITS.u8 METRIC COUNT,…`, with X in
//! column-major order, one ranking for all partitions, and a byte a sample and partition that is 1 for training.
//! `bench/evaluate.py` runs it beside scikit-learn. Random selection and all features, which come with every evaluation, are taken off.

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::eval::{Candidate, CurveKind, Evaluation, Measure, Partition, Protocol, Split, SvmMeasure};
use fiedler::{Dataset, Labels, Scaling, Silent};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [x, n, m, y, ranking, splits, metric, counts] = arguments.as_slice() else {
        println!("usage: X.f64 SAMPLES FEATURES LABELS.u32 RANKING.u32 SPLITS.u8 METRIC COUNT,…");
        return;
    };
    let (n, m): (usize, usize) = (n.parse().expect("samples"), m.parse().expect("features"));
    let dense = Dense::new(numbers(x, f64::from_le_bytes), n, m, Order::ColumnMajor).expect("shape");
    let codes: Vec<usize> = numbers(y, u32::from_le_bytes).into_iter().map(|c| c as usize).collect();
    let data = Dataset::new(dense).expect("finite").scaled(Scaling::None);
    let data = data.labeled(Labels::from_codes(&codes)).expect("a label per sample");
    let order: Vec<usize> = numbers(ranking, u32::from_le_bytes).into_iter().map(|j| j as usize).collect();
    let split = |flags: &[u8]| {
        let (training, test) = (0..n).partition(|&i| flags[i] == 1);
        Split { training, test }
    };
    let splits: Vec<Split> = std::fs::read(splits).expect("a file").chunks(n).map(split).collect();
    let metric = match metric.as_str() {
        "1nn" => Measure::Nearest,
        "kmeans" => Measure::KMeans { clusters: None, starts: 10 },
        "svm" => Measure::Svm(SvmMeasure { costs: vec![0.1], ..SvmMeasure::default() }),
        "jaccard" => Measure::Jaccard { neighbors: 5 },
        _ => Measure::Redundancy,
    };
    let counts: Vec<usize> = counts.split(',').map(|c| c.parse().expect("a count")).collect();
    let protocol =
        Protocol { partition: Partition::Given(splits), counts, random: 1, ..Protocol::new(metric) };
    // Two runs that differ by eight candidates: the difference is what eight candidates cost.
    let given = vec![Candidate::order("given", order); 9];
    let (one, _) = timed(&protocol, &data, &given[..1]);
    let (nine, found) = timed(&protocol, &data, &given);
    let curve = &found.tables[0].curves[0];
    assert_eq!(curve.kind, CurveKind::Candidate);
    let means: Vec<String> = curve.points.iter().map(|p| format!("{:.6}", p.summary.mean)).collect();
    println!("seconds {:.4} everything {one:.4} means {}", (nine - one) / 8.0, means.join(","));
}

/// The smallest of three.
fn timed(protocol: &Protocol, data: &Dataset, candidates: &[Candidate]) -> (f64, Evaluation) {
    let run = || {
        let start = ProcessTime::now();
        let found = protocol.evaluate(data, candidates, &Silent).expect("it can be evaluated");
        (start.elapsed().as_secs_f64(), found)
    };
    let mut best = run();
    for _ in 0..2 {
        let next = run();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

fn numbers<T, const N: usize>(path: &str, number: fn([u8; N]) -> T) -> Vec<T> {
    let bytes = std::fs::read(path).expect("a file");
    bytes.as_chunks::<N>().0.iter().map(|c| number(*c)).collect()
}
