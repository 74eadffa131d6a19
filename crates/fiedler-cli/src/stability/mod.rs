//! `fiedler stability`: how sure a selection is.

mod show;

use std::time::Instant;

use fiedler::stability::{Change, Report, Stability};
use fiedler::{Dataset, MethodInfo};

use crate::args::{Format, GraphKind, StabilityArgs};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::{self, YELLOW};
use crate::plan::Plan;
use crate::{rank, select};

/// Features that are selected unless the user says how many.
const COUNT: usize = 10;

/// What was measured.
pub(crate) struct Answer<'a> {
    info: &'static MethodInfo,
    /// The data as the method sees them.
    data: &'a Dataset,
    /// What the user called them.
    source: &'a str,
    /// One report per kind of change, at least one.
    reports: Vec<Report>,
    seed: u64,
    seconds: f64,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &StabilityArgs) -> Outcome {
    let changes = changes(args)?;
    let method = args.method.clone().unwrap_or_else(|| select::default_method().to_owned());
    let mut plan = Plan::new(&[method], &args.set, &args.graph, args.common.seed)?;
    let progress = rank::begin(&args.common)?;
    let mut loaded = Loaded::read(&args.data, &progress)?;
    let part = (args.fraction * loaded.data.n_samples() as f64) as usize;
    plan.fit(&mut loaded, part)?;
    rank::tell_notes(&loaded, &args.common);
    let count = args.top.unwrap_or_else(|| COUNT.min(loaded.data.n_features().div_ceil(2)));
    plan.prefer_count(count);
    let begun = Instant::now();
    let (selector, data) = plan.first(&loaded)?;
    let (repeats, threshold, seed) = (args.repeats, args.threshold, args.common.seed.unwrap_or(0));
    let measure = |change| Stability { count, repeats, change, threshold, seed };
    let reports = changes.into_iter().map(|c| measure(c).run_with(&*selector, &data, &progress));
    let reports = reports.collect::<Result<Vec<Report>, _>>()?;
    progress.finish();
    let seconds = begun.elapsed().as_secs_f64();
    let answer = Answer { info: selector.info(), data: &data, source: &loaded.name, reports, seed, seconds };
    if !args.common.quiet {
        warn(args, &plan, &answer);
    }
    let text = match Format::chosen(args.format, args.output.as_deref()) {
        Format::Table => show::table(&answer),
        Format::Csv => show::csv(&answer),
        Format::Json => show::json(&answer),
    };
    output::write(text.as_bytes(), args.output.as_deref())
}

/// What is done to the data, checked.
fn changes(args: &StabilityArgs) -> Outcome<Vec<Change>> {
    let StabilityArgs { fraction, noise, .. } = *args;
    if !(fraction > 0.0 && fraction <= 1.0) {
        return Err(Failure::usage(format!("--fraction must be above 0 and at most 1, got {fraction}")));
    }
    if !(noise >= 0.0 && noise.is_finite()) {
        return Err(Failure::usage(format!("--noise must be a finite number from 0, got {noise}")));
    }
    if args.repeats < 2 {
        let got = args.repeats;
        return Err(Failure::usage(format!(
            "--repeats must be at least 2, for selections are compared, got {got}"
        )));
    }
    if !(0.0..1.0).contains(&args.threshold) {
        return Err(Failure::usage(format!(
            "--threshold must be from 0 and below 1, got {}",
            args.threshold
        )));
    }
    let given = matches!(args.graph.graph, Some(GraphKind::File(_) | GraphKind::Distances(_)));
    if given && fraction < 1.0 {
        let sentence = "a graph from a file is one of all samples and cannot be resampled; \
                        --fraction 1 measures stability under noise alone";
        return Err(Failure::usage(sentence));
    }
    let mut changes = Vec::new();
    if fraction < 1.0 {
        changes.push(Change::Subsample { fraction });
    }
    if noise > 0.0 {
        changes.push(Change::Noise { level: noise });
    }
    match changes.is_empty() {
        true => {
            Err(Failure::usage("--fraction 1 and --noise 0 leave the data as they are: nothing to measure"))
        }
        false => Ok(changes),
    }
}

fn warn(args: &StabilityArgs, plan: &Plan, answer: &Answer<'_>) {
    if args.graph.any() && !plan.takes_graph() {
        output::report("warning", YELLOW, "the options of the graph have no effect: the method takes none");
    }
    answer.warnings().iter().for_each(|w| output::report("warning", YELLOW, w));
}

impl Answer<'_> {
    /// Every warning once.
    fn warnings(&self) -> Vec<&str> {
        let mut told: Vec<&str> = Vec::new();
        for warning in self.reports.iter().flat_map(|r| &r.warnings) {
            if !told.contains(&warning.as_str()) {
                told.push(warning);
            }
        }
        told
    }

    /// The features that are safe under every change, best first.
    fn safe(&self) -> Vec<usize> {
        let is_safe = |j: &usize| self.reports.iter().all(|r| r.safe.contains(j));
        self.first().safe.iter().copied().filter(is_safe).collect()
    }

    fn first(&self) -> &Report {
        &self.reports[0]
    }

    /// All features: those that were selected most often first, then as the whole data rank them.
    fn order(&self) -> Vec<usize> {
        let mut order = self.first().ranking.order().to_vec();
        order.sort_by_key(|&j| std::cmp::Reverse(self.reports.iter().map(|r| r.times[j]).sum::<usize>()));
        order
    }
}
