//! `fiedler rank`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use fiedler::{MethodInfo, Ranking, Scaling};

use crate::args::{CommonArgs, Format, RankArgs, Top};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::lists;
use crate::output::{self, YELLOW, csv, json, table};
use crate::plan::{Answer, Plan};
use crate::progress::Progress;

/// The most threads that can be asked for.
const MOST_THREADS: usize = 1024;

/// A ranking and what of it is listed.
pub(crate) struct Listing {
    /// The method.
    pub(crate) info: &'static MethodInfo,
    /// Its answer.
    pub(crate) ranking: Ranking,
    /// How the data it saw were scaled.
    pub(crate) scaling: Scaling,
    /// Seconds for graph and scores.
    pub(crate) seconds: f64,
    /// The features to list, best first (after those of `--include`).
    pub(crate) listed: Vec<usize>,
    /// The features of `--include`.
    pub(crate) included: Vec<usize>,
    /// Where the scores turn, when the user asked for `--top auto`.
    pub(crate) elbow: Option<usize>,
    /// Whether the user said how many to list.
    counted: bool,
}

/// Runs the command.
///
/// # Errors
/// Wrong usage, unsuitable data, or Ctrl-C.
pub(crate) fn run(args: &RankArgs) -> Outcome {
    let mut plan = Plan::new(&args.method, &args.settings.set, &args.graph, args.common.seed)?;
    let progress = begin(&args.common)?;
    let mut loaded = Loaded::read(&args.data, &progress)?;
    let n_samples = loaded.data.n_samples();
    plan.fit(&mut loaded, n_samples)?;
    tell_notes(&loaded, &args.common);
    let include = named(&args.settings.include, "--include", &loaded)?;
    if let Some(Top::Count(count)) = args.top {
        // Methods that choose features together choose as many as are listed.
        plan.prefer_count(count.min(loaded.data.n_features()));
    }
    let answers = plan.run(&loaded, &progress)?;
    progress.finish();
    let listings = listings(answers, args.top, &include)?;
    if !args.common.quiet {
        if args.graph.any() && !plan.takes_graph() {
            output::report("warning", YELLOW, "the options of the graph have no effect: no method takes one");
        }
        warn(&listings);
    }
    let text = match Format::chosen(args.format, args.output.as_deref()) {
        Format::Table => table::rankings(&listings, &loaded.data, &loaded.name, args.common.verbose),
        Format::Csv => csv::rankings(&listings, &loaded.data),
        Format::Json => json::rankings(&listings, &loaded.data, &loaded.notes),
    };
    output::write(text.as_bytes(), args.output.as_deref())
}

/// The features that `option` names.
///
/// # Errors
/// The file cannot be read, or a name is unknown or excluded.
pub(crate) fn named(lists: &[PathBuf], option: &str, loaded: &Loaded) -> Outcome<Vec<usize>> {
    let names = lists::read(lists, option)?;
    match names.texts().into_iter().find(|name| loaded.excluded.contains(name)) {
        Some(both) => Err(Failure::usage(format!(
            "{option} and --exclude both name `{both}`; leave it out of one of them"
        ))),
        None => names.find(&loaded.data),
    }
}

/// What is listed of every answer.
///
/// # Errors
/// More features are included than listed.
pub(crate) fn listings(answers: Vec<Answer>, top: Option<Top>, include: &[usize]) -> Outcome<Vec<Listing>> {
    answers.into_iter().map(|answer| Listing::new(answer, top, include)).collect()
}

/// Sets the number of threads and begins to show progress.
///
/// # Errors
/// The number of threads is not possible.
pub(crate) fn begin(common: &CommonArgs) -> Outcome<Progress> {
    if let Some(threads) = common.threads {
        // Beyond that threads cost more than they do, and starting very many looks like hanging.
        if !(1..=MOST_THREADS).contains(&threads) {
            let rule = format!("--threads must be from 1 to {MOST_THREADS}, got {threads}");
            return Err(Failure::usage(rule));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().map_err(|e| Failure::usage(format!("--threads {threads}: {e}")))?;
    }
    Ok(Progress::new(common))
}

/// What the reader of the file decided on its own.
pub(crate) fn tell_notes(loaded: &Loaded, common: &CommonArgs) {
    if !common.quiet {
        loaded.notes.iter().for_each(|note| output::report("note", output::BOLD, note));
    }
}

/// Tells every warning once, whatever the number of methods that share it.
pub(crate) fn warn(listings: &[Listing]) {
    let mut told = BTreeSet::new();
    for warning in listings.iter().flat_map(|l| &l.ranking.warnings) {
        if told.insert(warning) {
            output::report("warning", YELLOW, warning);
        }
    }
}

impl Listing {
    fn new(answer: Answer, top: Option<Top>, include: &[usize]) -> Outcome<Self> {
        let mut ranking = answer.ranking;
        let m = ranking.n_features();
        if ranking.n_scored() == 0 {
            let name = answer.entry.info.name;
            ranking.warnings.push(format!(
                "{name} can score no feature, so the order means nothing: all are constant, or the graph tells \
                 nothing about them"
            ));
        }
        let elbow = ranking.elbow().filter(|_| top == Some(Top::Auto));
        let wanted = match top {
            Some(Top::Count(count)) => count.min(m),
            Some(Top::Auto) => elbow.unwrap_or(m).max(include.len()),
            None => m,
        };
        if wanted < include.len() {
            return Err(Failure::usage(format!(
                "--top must be at least the number of features that --include names ({}), got {wanted}",
                include.len()
            )));
        }
        if top == Some(Top::Auto) && elbow.is_none() {
            ranking.warnings.push("--top auto: the scores have no turning point; all are listed".to_owned());
        }
        let listed = ranking.select(wanted, include, &[])?;
        Ok(Listing {
            info: answer.entry.info,
            ranking,
            scaling: answer.scaling,
            seconds: answer.seconds,
            listed,
            included: include.to_vec(),
            elbow,
            counted: top.is_some(),
        })
    }

    /// What a table shows: all that is listed where the user said how many, else the best.
    pub(crate) fn shown(&self) -> &[usize] {
        match self.counted {
            true => &self.listed,
            false => &self.listed[..self.listed.len().min(table::SHOWN)],
        }
    }
}
