//! CPU seconds of the k-nearest-neighbor graph: `cargo bench -p fiedler --bench neighbors`.
//!
//! `-- N M K METRIC KIND` times one size (`-- 10000 784 10 euclidean dense`); without arguments a
//! table of several. KIND is `dense`, `approximate` (dense data, with the recall) or the density of
//! sparse data. Data are single precision: dense ones twenty clusters in ten dimensions, turned into
//! M features with some noise; sparse ones uniform. The best of three runs counts;
//! `RAYON_NUM_THREADS=1` for one thread. `bench/neighbors.py` runs it beside faiss.

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order, Sparse};
use fiedler::graph::{Knn, Metric, Weight};
use fiedler::{Dataset, Scaling, Silent};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!(
        "{:>7} {:>7} {:>4} {:>10} {:>12} {:>7} {:>9}",
        "n", "m", "k", "metric", "kind", "recall", "seconds"
    );
    if let [n, m, k, metric, kind] = arguments.as_slice() {
        return time(n.parse()?, m.parse()?, k.parse()?, metric.parse()?, kind);
    }
    for (n, m) in [(1_000, 10_000), (10_000, 50), (10_000, 784), (20_000, 50)] {
        time(n, m, 10, Metric::Euclidean, "dense")?;
    }
    time(20_000, 50, 10, Metric::Euclidean, "approximate")?;
    time(10_000, 50, 10, Metric::Cosine, "dense")?;
    for kind in ["dense", "0.02"] {
        time(2_000, 5_000, 10, Metric::Manhattan, kind)?;
        time(2_000, 5_000, 10, Metric::Euclidean, kind)?;
    }
    Ok(())
}

fn time(n: usize, m: usize, k: usize, metric: Metric, kind: &str) -> Outcome {
    let data = match kind {
        "dense" | "approximate" => clusters(n, m)?,
        density => sparse(n, m, density.parse()?)?,
    };
    let data = data.scaled(Scaling::None);
    let approximate = (kind == "approximate").into();
    let knn =
        Knn { k: k.into(), metric: metric.into(), weight: Weight::Binary, approximate, ..Knn::default() };
    let (mut best, mut recall) = (f64::INFINITY, "1".to_owned());
    for _ in 0..3 {
        let start = ProcessTime::now();
        let graph = knn.build(&data, &Silent)?;
        best = best.min(start.elapsed().as_secs_f64());
        if let Some((_, found)) = graph.description().parameters.iter().find(|p| p.0 == "recall") {
            recall = format!("{found:.4}");
        }
    }
    println!("{n:>7} {m:>7} {k:>4} {:>10} {kind:>12} {recall:>7} {best:>9.3}", metric.name());
    Ok(())
}

/// Numbers from 0 to 1 by a linear congruential generator.
fn noise() -> impl FnMut() -> f32 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1u32 << 24) as f32
    }
}

fn clusters(n: usize, m: usize) -> fiedler::Result<Dataset> {
    const LATENT: usize = 10;
    let mut next = noise();
    let mut matrix =
        |rows: usize, width: usize| -> Vec<f32> { (0..rows * width).map(|_| next() - 0.5).collect() };
    let (centers, turn) = (matrix(20, LATENT), matrix(LATENT, m));
    let (inner, mut values) = (matrix(n, LATENT), matrix(n, m));
    for i in 0..n {
        let center = &centers[i % 20 * LATENT..][..LATENT];
        let row = &mut values[i * m..][..m];
        row.iter_mut().for_each(|v| *v *= 0.1);
        for l in 0..LATENT {
            let at = 2.0 * center[l] + inner[i * LATENT + l];
            row.iter_mut().zip(&turn[l * m..]).for_each(|(v, t)| *v += at * t);
        }
    }
    Dataset::new(Dense::new(values, n, m, Order::RowMajor)?)
}

fn sparse(n: usize, m: usize, density: f64) -> fiedler::Result<Dataset> {
    let mut next = noise();
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
