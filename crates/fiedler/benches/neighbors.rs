//! How long the exact k-nearest-neighbour graph takes: `cargo bench -p fiedler --bench neighbors`.
//!
//! `-- N M K METRIC DENSITY` times one size (`-- 10000 784 10 euclidean 1`); without arguments a table
//! of several. Data are uniform, single precision; below density 1 they are stored sparse.
//! `RAYON_NUM_THREADS=1` for one thread. The best of three runs counts.

use std::time::Instant;

use fiedler::dataset::{Dense, Order, Sparse};
use fiedler::graph::{Knn, Metric, Weight};
use fiedler::{Dataset, Scaling, Silent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!("{:>7} {:>7} {:>4} {:>10} {:>8} {:>9}", "n", "m", "k", "metric", "density", "seconds");
    if let [n, m, k, metric, density] = arguments.as_slice() {
        return time(n.parse()?, m.parse()?, k.parse()?, metric.parse()?, density.parse()?);
    }
    for (n, m) in [(1_000, 10_000), (10_000, 50), (10_000, 784), (20_000, 50)] {
        time(n, m, 10, Metric::Euclidean, 1.0)?;
    }
    time(10_000, 50, 10, Metric::Cosine, 1.0)?;
    for density in [1.0, 0.02] {
        time(2_000, 5_000, 10, Metric::Manhattan, density)?;
        time(2_000, 5_000, 10, Metric::Euclidean, density)?;
    }
    Ok(())
}

fn time(
    n: usize,
    m: usize,
    k: usize,
    metric: Metric,
    density: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let data = uniform(n, m, density)?.scaled(Scaling::None);
    let knn = Knn { k, metric, weight: Weight::Binary, ..Knn::default() };
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        knn.build(&data, &Silent)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{n:>7} {m:>7} {k:>4} {:>10} {density:>8} {best:>9.3}", metric.name());
    Ok(())
}

fn uniform(n: usize, m: usize, density: f64) -> fiedler::Result<Dataset> {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1u32 << 24) as f32
    };
    if density >= 1.0 {
        let values = (0..n * m).map(|_| next()).collect();
        return Dataset::new(Dense::new(values, n, m, Order::RowMajor)?);
    }
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for _ in 0..m {
        for i in 0..n as u32 {
            if f64::from(next()) < density {
                rows.push(i);
                values.push(next());
            }
        }
        offsets.push(rows.len());
    }
    Dataset::new(Sparse::new(offsets, rows, values, n)?)
}
