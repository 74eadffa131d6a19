//! `fiedler evaluate`.

mod beside;
mod files;
mod grid;
mod labels;
mod sweep;
mod table;

use clap::ValueEnum;
use fiedler::Findings;
use fiedler::eval::{Measure, Protocol, Selection, SvmMeasure};

use self::beside::Beside;
use super::{answered, asked, begin, own_targets, read_names, tell};
use crate::args::{DataArgs, EvaluateArgs, Format, MetricName, ProtocolArgs, SelectOn, Varied};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::output::table::{Sight, usual_sight};

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &EvaluateArgs) -> Outcome {
    let mut analysis = asked(&methods(args), &args.set, &args.graph, &args.data, &args.common)?;
    let varied = |one: &Varied| (one.name.clone(), one.values.iter().map(|v| v.as_str().into()).collect());
    analysis.vary = args.vary.iter().map(varied).collect();
    analysis.portrait = args.report.file.is_wanted();
    // The report tells which features there are, and why, beside how good they are.
    analysis.rank = analysis.portrait;
    check(args)?;
    let protocol = protocol(args)?;
    protocol.check().map_err(|error| Failure::usage(as_options(&error)))?;
    let mut sweep = beside::sweep(&args.beside)?;
    check_elsewhere(args)?;
    analysis.evaluate = Some(protocol);
    own_targets::refused(&analysis)?;
    analysis.check().map_err(|error| without_methods(error, &analysis))?;
    let on_parts = args.protocol.select_on == SelectOn::Training && args.beside.judge_on.is_none();
    if args.graph.is_in_a_file() && on_parts {
        return Err(Failure::usage(
            "--graph: a graph in a file is of all samples, and selection sees the training part alone; \
             --select-on all lets it see all of them",
        ));
    }
    let format = Format::chosen(args.format, args.output.as_deref())?;
    beside::refuse_twins(&args.beside)?;
    beside::keep_inputs(args)?;
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    let shape = args.report.shape(&loaded)?;
    analysis.graph.given = args.graph.given(&loaded.data, &progress)?;
    let not_counted = count_hits(args, analysis.evaluate.as_mut(), &loaded)?;
    let beside = Beside::read(args, sweep.as_mut(), &loaded, &progress)?;
    analysis.beside = beside.candidates;
    if let Some(other) = &args.beside.judge_on {
        let judging = Loaded::read(&DataArgs { data: other.clone(), ..args.data.clone() }, &progress)?;
        analysis.judge_on = Some((judging.name, judging.data));
    }
    let mut found = answered(&analysis, &loaded, &progress, |error| in_words_of_evaluation(error, args))?;
    found.notes.extend(not_counted.into_iter().chain(beside.notes));
    found.evaluation.iter_mut().for_each(|evaluation| evaluation.sweep = sweep.take());
    args.report.file.write(&found, shape)?;
    tell(&found, &args.common);
    let text = match format {
        Format::Table => {
            let mut text = table::show(&found);
            found.evaluation.iter().for_each(|evaluation| sweep::show(&mut text, evaluation));
            text
        }
        Format::Csv => files::csv(&found),
        Format::Json => files::json(&found),
    };
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}

/// Tells the protocol which features are known to matter; answers that some of them are not there.
fn count_hits(
    args: &EvaluateArgs,
    protocol: Option<&mut Protocol>,
    loaded: &Loaded,
) -> Outcome<Option<String>> {
    let asked = args.protocol.known.as_slice();
    let Some(protocol) = protocol.filter(|_| !asked.is_empty()) else { return Ok(None) };
    let known = read_names(asked, "--known", loaded)?.known(&loaded.data)?;
    let told = known.not_counted();
    match &mut protocol.metric {
        Measure::Hits { known: features } => *features = known.features,
        _ => protocol.known = known.features,
    }
    Ok(told)
}

/// The methods that are named; the usual ones where nothing else is judged.
fn methods(args: &EvaluateArgs) -> Vec<String> {
    let beside = !args.beside.rankings.is_empty() || !args.beside.fuse.is_empty();
    if args.methods.is_empty() && !beside { USUAL.map(str::to_owned).to_vec() } else { args.methods.clone() }
}

/// Judged where nobody says what.
const USUAL: [&str; 2] = ["laplacian", "mrsf"];

/// Other data judge: selection sees all samples of its own, and labels are a column of both.
fn check_elsewhere(args: &EvaluateArgs) -> Outcome {
    let Some(other) = &args.beside.judge_on else { return Ok(()) };
    let wrong = |option: &str, why: &str| {
        Err(Failure::usage(format!("{option}: with --judge-on {other} {why}; leave it out")))
    };
    if args.protocol.select_on == SelectOn::All {
        return wrong("--select-on all", "selection sees all samples of DATA, and none of those that judge");
    }
    if !args.protocol.labeled.is_empty() {
        return wrong("--labeled", "selection knows the labels of DATA");
    }
    if args.data.labels.is_some() {
        return wrong("--labels", "labels are a column of both files (--label)");
    }
    if other.is_stdin() && args.data.data.is_stdin() {
        return wrong("DATA -", "one of the two must be a file");
    }
    Ok(())
}

/// How most methods saw the data, and those that saw them otherwise; without methods, how those saw them who judge.
fn sights(found: &Findings) -> (Sight, Vec<(&str, Sight)>) {
    let sights: Vec<(&str, Sight)> = found.seen.iter().map(|s| (s.method.as_str(), Sight::seen(s))).collect();
    match &found.evaluation {
        Some(evaluation) if sights.is_empty() => (Sight::judged(evaluation), Vec::new()),
        _ => usual_sight(&sights),
    }
}

/// Parameters need a method that has them, which is easily forgotten where rankings and fusions are judged.
fn without_methods(error: fiedler::Error, analysis: &fiedler::Analysis) -> Failure {
    let of_methods = match &error {
        fiedler::Error::Parameter { name, .. } => name == "vary",
        other => matches!(other, fiedler::Error::UnreachedParameter { .. }),
    };
    match Failure::question(error) {
        Failure::Usage(sentence) if of_methods && analysis.methods.is_empty() => {
            Failure::Usage(format!("{sentence} (--method NAME)"))
        }
        other => other,
    }
}

/// Every parameter of a protocol is an option.
fn as_options(error: &fiedler::Error) -> String {
    match error {
        fiedler::Error::Parameter { name, rule, got } if name.starts_with("the ranking") => {
            let advice = if rule.contains("largest count") {
                "give smaller --counts"
            } else {
                "give smaller --counts, or leave out --worst"
            };
            format!("{name} must be {rule}, got {got} ({advice})")
        }
        fiedler::Error::Parameter { name, rule, got } => format!("--{name} must be {rule}, got {got}"),
        other => other.to_string(),
    }
}

/// A method that needs few labels does not help where a judge needs all of them; methods have parameters of the names that
/// some options of evaluation have.
fn in_words_of_evaluation(error: fiedler::Error, args: &EvaluateArgs) -> Failure {
    let asked = &args.protocol;
    match error {
        // Methods speak of themselves; only a protocol that judges is about the data that judge.
        fiedler::Error::OneClass { what, .. }
            if what.starts_with("evaluation") && args.beside.judge_on.is_some() =>
        {
            let judging = args.beside.judge_on.as_ref().map(ToString::to_string).unwrap_or_default();
            Failure::Data(format!("{judging}: {error}; --judge-on must name data of two classes or more"))
        }
        fiedler::Error::Parameter { ref name, .. }
            if matches!(name.as_str(), "labeled" | "classes" | "protocol" | "select-on")
                || name.starts_with("the ranking")
                || (name == "neighbors" && asked.neighbors.is_some())
                || (name == "clusters" && asked.clusters.is_some()) =>
        {
            Failure::Data(as_options(&error))
        }
        fiedler::Error::LabelsPartial { what, count, first } => Failure::Data(format!(
            "{what} needs a label for every sample; {count} have none, the first at row {} (counting from 1); \
             leave their rows out of the file, or judge without labels (--protocol jaccard, redundancy or hits)",
            first + 1
        )),
        other => Failure::answer(other),
    }
}

/// The metric that is asked for, or that suits what was named: classes or a number to be predicted.
fn chosen(args: &EvaluateArgs) -> Outcome<MetricName> {
    let of_classes = [MetricName::Nearest, MetricName::Svm, MetricName::Kmeans];
    match (args.protocol.protocol, &args.data.target) {
        (None, target) => {
            let usual = Measure::usual(target.is_some());
            MetricName::from_str(usual.name(), false).map_err(Failure::usage)
        }
        (Some(MetricName::Knn), None) => Err(Failure::usage(
            "--protocol knn predicts a number; name its column with --target (1nn is for classes)",
        )),
        (Some(metric), Some(target)) if of_classes.contains(&metric) => Err(Failure::usage(format!(
            "--protocol: 1nn, svm and kmeans are about classes, and --target {target} is a number to be predicted; \
             take knn, jaccard, redundancy or hits"
        ))),
        (Some(metric), _) => Ok(metric),
    }
}

/// Every option must reach the metric.
fn check(asked: &EvaluateArgs) -> Outcome {
    let (args, metric) = (&asked.protocol, chosen(asked)?);
    let only = |given: bool, option: &str, of: &[MetricName], names: &str| {
        if given && !of.contains(&metric) {
            return Err(Failure::usage(format!("{option} applies to --protocol {names} alone")));
        }
        Ok(())
    };
    only(!args.costs.is_empty(), "--costs", &[MetricName::Svm], "svm")?;
    only(args.clusters.is_some(), "--clusters", &[MetricName::Kmeans], "kmeans")?;
    only(args.neighbors.is_some(), "--neighbors", &[MetricName::Jaccard, MetricName::Knn], "jaccard or knn")?;
    if metric == MetricName::Hits && args.known.is_none() {
        return Err(Failure::usage("--protocol hits needs --known, the features that are known to matter"));
    }
    Ok(())
}

/// The protocol; the features that are known to matter are for those who have read the data.
fn protocol(args: &EvaluateArgs) -> Outcome<Protocol> {
    let asked = &args.protocol;
    let mut usual = Protocol::new(metric(chosen(args)?, asked)).parted(asked.folds, asked.repeats);
    if let Some(classes) = asked.classes {
        usual = usual.of_classes(classes, asked.repeats);
    }
    let counts = asked.counts.iter().flat_map(|c| c.0.iter().copied()).collect();
    let selection = match asked.select_on {
        SelectOn::Training => Selection::Training,
        SelectOn::All => Selection::All,
    };
    Ok(Protocol {
        selection,
        counts,
        random: asked.draws,
        worst: asked.worst,
        significance: asked.significance,
        labeled: asked.labeled.clone(),
        seed: args.common.seed.unwrap_or(usual.seed),
        ..usual
    })
}

fn metric(name: MetricName, args: &ProtocolArgs) -> Measure {
    let neighbors = args.neighbors.unwrap_or(Measure::NEIGHBORS);
    match name {
        MetricName::Nearest => Measure::Nearest,
        MetricName::Knn => Measure::Regression { neighbors },
        MetricName::Svm if args.costs.is_empty() => Measure::Svm(SvmMeasure::default()),
        MetricName::Svm => Measure::Svm(SvmMeasure { costs: args.costs.clone(), ..SvmMeasure::default() }),
        MetricName::Kmeans => Measure::KMeans { clusters: args.clusters, starts: Measure::STARTS },
        MetricName::Jaccard => Measure::Jaccard { neighbors },
        MetricName::Redundancy => Measure::Redundancy,
        MetricName::Hits => Measure::Hits { known: Vec::new() },
    }
}
