//! When does fusion help? Chapter 5 of the dissertation on data whose truth is known.
//!
//! ```text
//! cargo run --release -p fiedler --example fusion_study
//! ```
//! Prints, over twenty generated worlds, the hit ratio of the features that matter and that no source names
//! (by chance: 2 %): by the target alone, by every source alone, by equal fusion and by fusion with weights learned from a few labels, with and
//! without the misleading source.

mod world;

use fiedler::Silent;
use fiedler::fusion::{Coefficients, combine};
use world::{Settings, world};

const WORLDS: u64 = 20;

fn main() -> fiedler::Result<()> {
    for signal in [0.0, 0.6, 0.8, 1.0, 1.3] {
        study(Settings { signal, ..Settings::default() })?;
    }
    Ok(())
}

/// Hit ratios, weights and alignments, world after world.
#[derive(Default)]
struct Tally {
    names: Vec<String>,
    alone: Vec<Vec<f64>>,
    weights: Vec<Vec<f64>>,
    alignments: Vec<Vec<f64>>,
    fused: Vec<Vec<f64>>,
}

fn study(settings: Settings) -> fiedler::Result<()> {
    let mut tally = Tally::default();
    for seed in 0..WORLDS {
        let world = world(settings, seed)?;
        let honest = &world.sources[..world.sources.len() - 1];
        let equal = combine(&world.sources, &Coefficients::Equal, Some(&world.labels), &Silent)?;
        let aligned = combine(&world.sources, &Coefficients::Aligned, Some(&world.labels), &Silent)?;
        let (equal_hits, each) = world.hits(&equal)?;
        let honest_hits = world.hits(&combine(honest, &Coefficients::Equal, None, &Silent)?)?.0;
        tally.names = world.sources.iter().map(|s| s.name.clone()).collect();
        tally.alone.push(each);
        tally.weights.push(aligned.shares.iter().map(|s| s.weight).collect());
        tally.alignments.push(aligned.shares.iter().filter_map(|s| s.with_labels).collect());
        tally.fused.push(vec![equal_hits, world.hits(&aligned)?.0, honest_hits]);
    }
    print(settings, &tally);
    Ok(())
}

fn print(settings: Settings, tally: &Tally) {
    println!(
        "{} samples ({} labelled), {} features of which {} matter and {} follow the day, signal {}: mean of {WORLDS} worlds",
        settings.samples,
        settings.labelled,
        settings.truth + settings.batch + settings.noise,
        settings.truth,
        settings.batch,
        settings.signal
    );
    println!("  {:<28} {:>9}  {:>9}  {:>14}", "", "hit ratio", "alignment", "learned weight");
    for (s, name) in tally.names.iter().enumerate() {
        let (hits, error) = mean(&tally.alone, s);
        let (alignment, weight) = (mean(&tally.alignments, s).0, mean(&tally.weights, s).0);
        println!("  {name:<28} {hits:>9.3}  {alignment:>9.3}  {weight:>14.3}   ± {error:.3}");
    }
    for (f, name) in ["equal fusion", "aligned fusion", "equal, without the misleading"].iter().enumerate() {
        let (hits, error) = mean(&tally.fused, f);
        println!("  {name:<28} {hits:>9.3}  {:>9}  {:>14}   ± {error:.3}", "", "");
    }
    println!();
}

/// Mean and standard error of a column.
fn mean(rows: &[Vec<f64>], column: usize) -> (f64, f64) {
    let n = rows.len() as f64;
    let mean = rows.iter().map(|r| r[column]).sum::<f64>() / n;
    let variance = rows.iter().map(|r| (r[column] - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}
