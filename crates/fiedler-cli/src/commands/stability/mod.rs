//! `fiedler stability`: how sure a selection is.

mod show;

use fiedler::stability::{Change, Report, Stability, order_over_all, safe_in_all};
use fiedler::{Findings, MethodInfo, Seen, Wanted, methods};

use super::{answered, asked, begin, own_targets, tell};
use crate::args::{Format, StabilityArgs};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output;

/// What was measured.
struct Measured<'a> {
    info: &'static MethodInfo,
    found: &'a Findings,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &StabilityArgs) -> Outcome {
    let changes = changes(args)?;
    let method = args.method.clone().unwrap_or_else(|| methods::DEFAULT_SELECTION.to_owned());
    let info = methods::find(&method).map_err(Failure::usage)?.info;
    let mut analysis = asked(&[method], &args.set, &args.graph, &args.data, &args.common)?;
    analysis.portrait = args.report.file.is_wanted();
    // The report tells which features there are, and why, beside how sure they are.
    analysis.rank = analysis.portrait;
    let (repeats, threshold, seed) = (args.repeats, args.threshold, args.common.seed.unwrap_or(0));
    let count = args.top.unwrap_or(Stability::default().count);
    let measure = |change| Stability { count, repeats, change, threshold, bounds: args.bounds, seed };
    analysis.stability = changes.into_iter().map(measure).collect();
    own_targets::refused(&analysis)?;
    analysis.check().map_err(Failure::question)?;
    let format = Format::chosen(args.format, args.output.as_deref())?;
    if args.bounds && format == Format::Csv {
        return Err(Failure::usage(
            "--bounds: CSV has a line a feature and no room for bounds; --format json and the table tell them",
        ));
    }
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    let shape = args.report.shape(&loaded)?;
    analysis.graph.given = args.graph.given(&loaded.data, &progress)?;
    let count = args.top.unwrap_or_else(|| Stability::usual_count(loaded.data.n_features()));
    if args.top.is_some() {
        analysis.count = Wanted::Count(count);
    }
    analysis.stability.iter_mut().for_each(|measure| measure.count = count);
    let found = answered(&analysis, &loaded, &progress, in_words_of_stability)?;
    args.report.file.write(&found, shape)?;
    tell(&found, &args.common);
    let measured = Measured { info, found: &found };
    let text = match format {
        Format::Table => show::table(&measured),
        Format::Csv => show::csv(&measured),
        Format::Json => show::json(&measured),
    };
    output::write(text.as_bytes(), format.styling(), args.output.as_deref())
}

/// How many features are selected is an option here, not a parameter of the method.
fn in_words_of_stability(error: fiedler::Error) -> Failure {
    match error {
        fiedler::Error::Parameter { name, rule, got } if name == "count" => {
            Failure::answer(fiedler::Error::Parameter { name: "top".to_owned(), rule, got })
        }
        other => Failure::answer(other),
    }
}

/// What is done to the data.
fn changes(args: &StabilityArgs) -> Outcome<Vec<Change>> {
    if args.graph.is_in_a_file() && args.fraction < 1.0 {
        let sentence = "a graph from a file is one of all samples and cannot be resampled; \
                        --fraction 1 measures stability under noise alone";
        return Err(Failure::usage(sentence));
    }
    if args.bounds && args.noise == 0.0 {
        return Err(Failure::usage("--bounds tells what noise can do; with --noise 0 there is none"));
    }
    Change::each(args.fraction, args.noise).map_err(Failure::question)
}

impl Measured<'_> {
    /// What the method saw of the data.
    fn seen(&self) -> &Seen {
        &self.found.seen[0]
    }

    fn reports(&self) -> &[Report] {
        &self.found.stability
    }

    /// The features that are safe under every change, best first.
    fn safe(&self) -> Vec<usize> {
        safe_in_all(self.reports())
    }

    fn first(&self) -> &Report {
        &self.found.stability[0]
    }

    /// All features: those that were selected most often first, then as the whole data rank them.
    fn order(&self) -> Vec<usize> {
        order_over_all(self.reports())
    }
}
