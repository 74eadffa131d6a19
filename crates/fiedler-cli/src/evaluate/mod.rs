//! `fiedler evaluate`.

mod files;
mod table;

use std::time::Instant;

use fiedler::eval::{Evaluation, Metric, Partition, Protocol, Selection, SvmMetric, usual_counts};
use fiedler::{Dataset, Scaling};

use crate::args::{EvaluateArgs, Format, MetricName, ProtocolArgs, SelectOn};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::{self, YELLOW};
use crate::plan::Plan;
use crate::rank;

/// An evaluation and where it comes from.
pub(crate) struct Judged<'a> {
    found: Evaluation,
    data: &'a Dataset,
    source: &'a str,
    /// The methods that see the data scaled otherwise, and how.
    otherwise: Vec<(&'static str, Scaling)>,
    seconds: f64,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &EvaluateArgs) -> Outcome {
    let mut plan = Plan::new(&args.methods, &args.set, &args.graph, args.common.seed)?;
    check(&args.protocol)?;
    let progress = rank::begin(&args.common)?;
    let mut loaded = Loaded::read(&args.data, &progress)?;
    let protocol = protocol(args, &loaded)?;
    let part = selected_on(&protocol, loaded.data.n_samples());
    plan.fit(&mut loaded, part)?;
    rank::tell_notes(&loaded, &args.common);
    plan.prefer_count(protocol.counts.last().copied().unwrap_or(1));
    let candidates = plan.candidates(&loaded, protocol.selection == Selection::All)?;
    let begun = Instant::now();
    let found = protocol.evaluate(&loaded.data, &candidates, &progress).map_err(in_words_of_evaluation)?;
    progress.finish();
    if !args.common.quiet {
        if args.graph.any() && !plan.takes_graph() {
            output::report("warning", YELLOW, "the options of the graph have no effect: no method takes one");
        }
        found.warnings.iter().for_each(|warning| output::report("warning", YELLOW, warning));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let otherwise = plan.scaled_otherwise(&loaded);
    let judged = Judged { found, data: &loaded.data, source: &loaded.name, otherwise, seconds };
    let text = match Format::chosen(args.format, args.output.as_deref()) {
        Format::Table => table::show(&judged),
        Format::Csv => files::csv(&judged),
        Format::Json => files::json(&judged),
    };
    output::write(text.as_bytes(), args.output.as_deref())
}

/// A method that needs few labels does not help where a judge needs all of them.
fn in_words_of_evaluation(error: fiedler::Error) -> Failure {
    match error {
        fiedler::Error::LabelsPartial { what, count, first } => Failure::Data(format!(
            "{what} needs a label for every sample; {count} have none, the first at row {} (counting from 1); \
             drop them, or judge without labels (--protocol jaccard, redundancy or hits)",
            first + 1
        )),
        other => other.into(),
    }
}

/// How many samples a method sees at least.
fn selected_on(protocol: &Protocol, n_samples: usize) -> usize {
    match (protocol.selection, &protocol.partition) {
        (Selection::All, _) | (_, Partition::Given(_)) => n_samples,
        (_, Partition::Halves { .. }) => n_samples / 2,
        (_, Partition::Folds { folds, .. }) => n_samples - n_samples.div_ceil(*folds),
    }
}

/// Every option must reach the metric.
fn check(args: &ProtocolArgs) -> Outcome {
    let only = |given: bool, option: &str, of: MetricName, name: &str| match given && args.protocol != of {
        true => Err(Failure::usage(format!("{option} applies to --protocol {name} alone"))),
        false => Ok(()),
    };
    only(!args.costs.is_empty(), "--costs", MetricName::Svm, "svm")?;
    only(args.clusters.is_some(), "--clusters", MetricName::Kmeans, "kmeans")?;
    only(args.neighbors.is_some(), "--neighbors", MetricName::Jaccard, "jaccard")?;
    only(args.known.is_some(), "--known", MetricName::Hits, "hits")?;
    if args.protocol == MetricName::Hits && args.known.is_none() {
        return Err(Failure::usage("--protocol hits needs --known, the features that are known to matter"));
    }
    let at_least_one = |option: &str, value: Option<usize>| match value {
        Some(0) => Err(Failure::usage(format!("{option} must be at least 1, got 0"))),
        _ => Ok(()),
    };
    at_least_one("--repeats", args.repeats)?;
    at_least_one("--draws", Some(args.draws))?;
    at_least_one("--clusters", args.clusters)?;
    at_least_one("--neighbors", args.neighbors)?;
    if args.folds.is_some_and(|folds| folds < 2) {
        return Err(Failure::usage("--folds must be at least 2"));
    }
    if !(args.significance > 0.0 && args.significance < 1.0) {
        let got = args.significance;
        return Err(Failure::usage(format!("--significance must be above 0 and below 1, got {got}")));
    }
    if let Some(cost) = args.costs.iter().find(|c| !(**c > 0.0 && c.is_finite())) {
        return Err(Failure::usage(format!("--costs must be numbers above 0, got {cost}")));
    }
    Ok(())
}

fn protocol(args: &EvaluateArgs, loaded: &Loaded) -> Outcome<Protocol> {
    let asked = &args.protocol;
    let usual = Protocol::new(metric(asked, loaded)?);
    let partition = match (asked.folds, asked.repeats) {
        (Some(folds), repeats) => Partition::Folds { folds, repeats: repeats.unwrap_or(1) },
        (None, Some(repeats)) => Partition::Halves { repeats },
        (None, None) => usual.partition.clone(),
    };
    let mut counts: Vec<usize> = asked.counts.iter().flat_map(|c| c.0.iter().copied()).collect();
    counts.sort_unstable();
    counts.dedup();
    if counts.is_empty() {
        counts = usual_counts(loaded.data.n_features());
        // A single feature has no pairs that could be redundant.
        counts.retain(|&c| c > 1 || usual.metric != Metric::Redundancy || loaded.data.n_features() < 3);
    }
    let selection = match asked.select_on {
        SelectOn::Training => Selection::Training,
        SelectOn::All => Selection::All,
    };
    Ok(Protocol {
        partition,
        selection,
        counts,
        random: asked.draws,
        worst: asked.worst,
        significance: asked.significance,
        seed: args.common.seed.unwrap_or(usual.seed),
        ..usual
    })
}

fn metric(args: &ProtocolArgs, loaded: &Loaded) -> Outcome<Metric> {
    Ok(match args.protocol {
        MetricName::Nearest => Metric::Nearest,
        MetricName::Svm if args.costs.is_empty() => Metric::Svm(SvmMetric::default()),
        MetricName::Svm => Metric::Svm(SvmMetric { costs: args.costs.clone(), ..SvmMetric::default() }),
        MetricName::Kmeans => Metric::KMeans { clusters: args.clusters, starts: 10 },
        MetricName::Jaccard => Metric::Jaccard { neighbors: args.neighbors.unwrap_or(5) },
        MetricName::Redundancy => Metric::Redundancy,
        MetricName::Hits => {
            let known = rank::named(args.known.as_slice(), "--known", loaded)?;
            Metric::Hits { known }
        }
    })
}
