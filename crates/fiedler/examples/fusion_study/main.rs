//! When does fusion help? Chapter 5 of the dissertation on data whose truth is known.
//!
//! ```text
//! cargo run --release -p fiedler --example fusion_study
//! ```
//! Over twenty generated worlds, two measures of a ranking: the hit ratio of the features that matter and that no
//! source names (by chance: 2 %), and the accuracy of the nearest neighbor on the best features (DIS's first; by
//! chance: 33 %), for samples whose class the ranking did not see. By the target alone, by every source alone; by
//! fusion with equal weights, with weights as somebody who knows the sources would give them, with weights
//! learned from a few labels, and without the misleading source; and by aggregating the sources' own rankings.

mod world;

use fiedler::fusion::{Aggregation, Coefficients, Lists, combine};
use fiedler::{Ranking, Result, Silent};
use world::{Judged, Settings, world};

const WORLDS: u64 = 20;
/// Target, auxiliary data, gene set, annotations, day.
const GIVEN: [f64; 5] = [0.3, 0.4, 0.15, 0.15, 0.0];
const FUSED: [&str; 6] = [
    "equal fusion",
    "given weights",
    "aligned fusion",
    "equal, without the misleading",
    "borda of the rankings",
    "rra of the rankings",
];

fn main() -> Result<()> {
    for signal in [0.0, 0.6, 0.8, 1.0, 1.3] {
        study(Settings { signal, ..Settings::default() })?;
    }
    Ok(())
}

/// What was found, world after world.
#[derive(Default)]
struct Tally {
    names: Vec<String>,
    alone: Vec<Vec<Judged>>,
    weights: Vec<Vec<f64>>,
    alignments: Vec<Vec<f64>>,
    fused: Vec<Vec<Judged>>,
}

fn study(settings: Settings) -> Result<()> {
    let mut tally = Tally::default();
    for seed in 0..WORLDS {
        let world = world(settings, seed)?;
        let (sources, labels) = (&world.sources[..], Some(&world.labels));
        let honest = &sources[..sources.len() - 1];
        let aligned = combine(sources, &Coefficients::Aligned, labels, &Silent)?;
        let fusions = [
            combine(sources, &Coefficients::Equal, None, &Silent)?,
            combine(sources, &Coefficients::Given(GIVEN.to_vec()), None, &Silent)?,
            aligned.clone(),
            combine(honest, &Coefficients::Equal, None, &Silent)?,
        ];
        let alone = world.rank_each(&aligned)?;
        let lists = Lists::from_rankings(&alone.iter().collect::<Vec<_>>())?;
        let mut fused = fusions.iter().map(|f| world.rank(f)).collect::<Result<Vec<_>>>()?;
        fused.push(Aggregation::Borda.aggregate(&lists)?);
        fused.push(Aggregation::Robust.aggregate(&lists)?);
        let judge =
            |rankings: &[Ranking]| rankings.iter().map(|r| world.judge(r)).collect::<Result<Vec<_>>>();
        tally.names = sources.iter().map(|s| s.name.clone()).collect();
        tally.alone.push(judge(&alone)?);
        tally.fused.push(judge(&fused)?);
        tally.weights.push(aligned.shares.iter().map(|s| s.weight).collect());
        tally.alignments.push(aligned.shares.iter().filter_map(|s| s.with_labels).collect());
    }
    print(settings, &tally);
    Ok(())
}

fn print(settings: Settings, tally: &Tally) {
    println!(
        "{} samples ({} labeled), {} features of which {} matter and {} follow the day, signal {}: mean of {WORLDS} worlds",
        settings.samples,
        settings.labeled,
        settings.truth + settings.batch + settings.noise,
        settings.truth,
        settings.batch,
        settings.signal
    );
    println!(
        "  {:<29} {:>15}  {:>15}  {:>9}  {:>14}",
        "", "hit ratio", "1NN accuracy", "alignment", "learned weight"
    );
    for (s, name) in tally.names.iter().enumerate() {
        let (alignment, weight) = (mean(&tally.alignments, s, |v| *v).0, mean(&tally.weights, s, |v| *v).0);
        println!("{}  {alignment:>9.3}  {weight:>14.3}", line(name, &tally.alone, s));
    }
    FUSED.iter().enumerate().for_each(|(f, name)| println!("{}", line(name, &tally.fused, f)));
    println!();
}

fn line(name: &str, judged: &[Vec<Judged>], column: usize) -> String {
    let (hits, hits_error) = mean(judged, column, |j| j.hits);
    let (accuracy, error) = mean(judged, column, |j| j.accuracy);
    format!("  {name:<29} {hits:>7.3} ± {hits_error:.3}  {accuracy:>7.3} ± {error:.3}")
}

/// Mean and standard error of a column.
fn mean<T>(rows: &[Vec<T>], column: usize, value: impl Fn(&T) -> f64) -> (f64, f64) {
    let n = rows.len() as f64;
    let mean = rows.iter().map(|r| value(&r[column])).sum::<f64>() / n;
    let variance = rows.iter().map(|r| (value(&r[column]) - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}
