//! CPU seconds of the leading eigenpairs of a kNN graph.
//!
//! `cargo bench --bench spectrum -- 20000:10 100000:50` makes graphs of a Gaussian mixture;
//! `FILE:PAIRS` reads edges from a file instead (little-endian: u64 samples, u64 edges, then all
//! i as u32, all j as u32, all weights as f64), so that another solver can be timed on the same
//! graph: `bench/spectrum.py` does. Threads by `RAYON_NUM_THREADS`.

use std::error::Error;

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order};
use fiedler::graph::Knn;
use fiedler::spectrum::Spectrum;
use fiedler::{Dataset, Graph, Scaling, Silent};

fn main() -> Result<(), Box<dyn Error>> {
    let cases: Vec<String> = std::env::args().skip(1).filter(|a| a.contains(':')).collect();
    let cases = if cases.is_empty() { vec!["5000:10".to_owned(), "20000:10".to_owned()] } else { cases };
    println!(
        "{:>9} {:>6} {:>9} {:>9} {:>11} {:>14}",
        "samples", "pairs", "edges", "seconds", "residual", "last"
    );
    for case in cases {
        let (source, pairs) = case.rsplit_once(':').ok_or("a case is SAMPLES:PAIRS or FILE:PAIRS")?;
        let graph = match source.parse() {
            Ok(n) => Knn { k: 10.into(), ..Knn::default() }.build(&mixture(n, 10)?, &Silent)?,
            Err(_) => read(source)?,
        };
        let pairs: usize = pairs.parse()?;
        let start = ProcessTime::now();
        let spectrum = Spectrum::leading(&graph, pairs, &Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let residual = spectrum.residuals().iter().copied().fold(0.0, f64::max);
        let (n, edges, last) = (graph.n_samples(), graph.diagnostics().edges, spectrum.values()[pairs - 1]);
        println!("{n:>9} {pairs:>6} {edges:>9} {seconds:>9.3} {residual:>11.1e} {last:>14.10}");
    }
    Ok(())
}

fn read(path: &str) -> Result<Graph, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize;
    let (n, edges) = (long(0), long(8));
    let short = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes")) as usize;
    let edge = |e: usize| {
        let weight = f64::from_bits(long(16 + 8 * edges + 8 * e) as u64);
        (short(16 + 4 * e), short(16 + 4 * edges + 4 * e), weight)
    };
    Ok(Graph::from_edges(&(0..edges).map(edge).collect::<Vec<_>>(), n)?)
}

/// Twenty clusters that overlap, by sums of uniform numbers.
fn mixture(n: usize, m: usize) -> fiedler::Result<Dataset> {
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let mut normal = || (0..12).map(|_| uniform()).sum::<f64>();
    let centers: Vec<f64> = (0..20 * m).map(|_| normal()).collect();
    let values = (0..n * m).map(|e| centers[(e / m % 20) * m + e % m] + normal()).collect();
    Ok(Dataset::new(Dense::<f64>::new(values, n, m, Order::RowMajor)?)?.scaled(Scaling::None))
}
