//! The subcommands, one file or folder each. Every one asks with an [`Analysis`] and renders the
//! [`Findings`] that come back; what a method sees is decided by neither.

pub(crate) mod blocks;
mod coefficients;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod fuse;
pub(crate) mod graph;
mod graph_list;
mod keeping;
pub(crate) mod methods;
mod own_targets;
pub(crate) mod rank;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod select;
pub(crate) mod stability;

use std::num::NonZero;
use std::path::PathBuf;

use fiedler::{Analysis, Findings, Monitor};

use crate::args::{CommonArgs, DataArgs, GraphArgs, Settings};
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::lists;
use crate::output::{self, YELLOW};
use crate::pools::possible_threads;
use crate::progress::Progress;
use crate::words;

/// The most threads that can be asked for.
const MOST_THREADS: usize = 1024;

/// The question as the options put it, without what depends on the data.
///
/// # Errors
/// The options of the graph contradict each other.
fn asked(
    methods: &[String],
    settings: &[Settings],
    graph: &GraphArgs,
    data: &DataArgs,
    common: &CommonArgs,
) -> Outcome<Analysis> {
    let settings = settings.iter().flat_map(|several| &several.0);
    Ok(Analysis {
        methods: methods.to_vec(),
        settings: settings.map(|s| (s.name.clone(), s.value.as_str().into())).collect(),
        graph: graph.options()?,
        scaling: data.scale.unwrap_or_default(),
        transform: data.transform.0,
        seed: common.seed,
        wording: words::step_as_option,
        ..Analysis::default()
    })
}

/// The threads that are begun where nobody says how many: as many as the pool of threads would begin by itself.
fn usual_threads() -> usize {
    let said = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    said.filter(|&threads| threads > 0).unwrap_or_else(cores)
}

/// Sets the number of threads and begins to show progress.
///
/// # Errors
/// The number of threads is not possible.
fn begin(common: &CommonArgs) -> Outcome<Progress> {
    if let Some(threads) = common.threads {
        // Beyond that threads cost more than they do, and starting very many looks like hanging.
        if !(1..=MOST_THREADS).contains(&threads) {
            let rule = format!("--threads must be from 1 to {MOST_THREADS}, got {threads}");
            return Err(Failure::usage(rule));
        }
    }
    let wanted = common.threads.unwrap_or_else(usual_threads);
    let threads = possible_threads(wanted);
    if common.threads.is_some() || threads < wanted {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().map_err(|e| {
            let rule = "the system does not let the command start so many; ask for fewer with --threads";
            Failure::usage(format!("{threads} threads: {rule} ({e})"))
        })?;
    }
    let progress = Progress::new(common);
    if common.threads.is_some() && threads < wanted {
        progress.note(&format!(
            "--threads {wanted} is more than there are addresses for (ulimit -v); it takes {threads}"
        ));
    }
    Ok(progress)
}

/// The answer, with what the reader of the data decided on its own among its notes; errors `in_words` of the command.
///
/// # Errors
/// The data do not suit the question, or Ctrl-C.
fn answered(
    analysis: &Analysis,
    loaded: &Loaded,
    progress: &Progress,
    in_words: impl Fn(fiedler::Error) -> Failure,
) -> Outcome<Findings> {
    answered_with(analysis, loaded, (progress, progress), in_words)
}

/// The same under a monitor of its own, for commands whose unfinished work is kept.
fn answered_with(
    analysis: &Analysis,
    loaded: &Loaded,
    (progress, monitor): (&Progress, &dyn Monitor),
    in_words: impl Fn(fiedler::Error) -> Failure,
) -> Outcome<Findings> {
    let mut found = analysis.run(&loaded.data, &loaded.name, monitor).map_err(in_words)?;
    progress.finish();
    in_options(&mut found);
    found.notes.splice(0..0, loaded.notes.iter().cloned());
    found.card.asked.extend(loaded.asked.iter().cloned());
    Ok(found)
}

/// What the library tells of its parameters, as the options that a user types.
fn in_options(found: &mut Findings) {
    let of_rankings = found.rankings.iter_mut().flat_map(|r| r.notes.iter_mut().chain(&mut r.warnings));
    for told in of_rankings.chain(&mut found.notes).chain(&mut found.warnings) {
        *told = words::told_in_options(told);
    }
}

/// Notes and warnings on standard error, unless the user wants none.
fn tell(found: &Findings, common: &CommonArgs) {
    if !common.quiet {
        found.notes.iter().for_each(|note| output::report("note", output::BOLD, note));
        found.warnings.iter().for_each(|warning| output::report("warning", YELLOW, warning));
    }
}

/// The features that `option` names.
///
/// # Errors
/// The file cannot be read, or a name is unknown or excluded.
fn named(lists: &[PathBuf], option: &str, loaded: &Loaded) -> Outcome<Vec<usize>> {
    read_names(lists, option, loaded)?.find(&loaded.data)
}

/// The names that follow `option`, none of which is excluded.
fn read_names(lists: &[PathBuf], option: &str, loaded: &Loaded) -> Outcome<lists::Names> {
    let names = lists::read(lists, option)?;
    match names.texts().into_iter().find(|name| loaded.excluded.contains(name)) {
        Some(both) => Err(Failure::usage(format!(
            "{option} and --exclude both name `{both}`; leave it out of one of them"
        ))),
        None => Ok(names),
    }
}
