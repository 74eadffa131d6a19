//! What is judged beside methods: rankings in files, fusions, and the sweep of a coefficient.

use std::path::{Path, PathBuf};

use fiedler::eval::{Candidate, MadeBy, Selection, Sweep};
use fiedler::{Findings, Monitor};

use crate::args::{BesideArgs, EvaluateArgs};
use crate::commands::fuse::candidate::{self, Subject, swept_name};
use crate::commands::fuse::rankings;
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::overwriting::{self, Output};

/// The most steps of a sweep.
const MOST_STEPS: usize = 101;

/// Everything that stands beside the methods.
#[derive(Default)]
pub(super) struct Beside {
    /// The candidates, in the order given.
    pub(super) candidates: Vec<Candidate>,
    /// What the user should know of them.
    pub(super) notes: Vec<String>,
}

/// The sweep that the options ask for; which sources take no part is for those who have read the configuration.
///
/// # Errors
/// It is not two sources, several configurations are given, or the number of steps is not possible.
pub(super) fn sweep(args: &BesideArgs) -> Outcome<Option<Sweep>> {
    let (of, against) = match args.sweep.as_slice() {
        [] => return Ok(None),
        [of, against] if of != against => (of.clone(), against.clone()),
        other => {
            let got = other.join(",");
            return Err(Failure::usage(format!("--sweep must be two sources, SOURCE,SOURCE, got `{got}`")));
        }
    };
    if args.fuse.len() > 1 {
        return Err(Failure::usage(
            "--sweep: name one configuration with --fuse; the sources are those of it",
        ));
    }
    if !(2..=MOST_STEPS).contains(&args.steps) {
        let (most, got) = (MOST_STEPS, args.steps);
        return Err(Failure::usage(format!("--steps must be from 2 to {most}, got {got}")));
    }
    let coefficient = |step: usize| step as f64 / (args.steps - 1) as f64;
    let steps = (0..args.steps).map(coefficient).map(|c| (c, swept_name(&of, c))).collect();
    Ok(Some(Sweep { of, against, left_out: Vec::new(), steps }))
}

/// Refuses a file that is given twice: its two columns would have one name and say the same.
///
/// # Errors
/// There is one.
pub(super) fn refuse_twins(args: &BesideArgs) -> Outcome {
    let real = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    for (option, files) in [("--rankings", &args.rankings), ("--fuse", &args.fuse)] {
        let twin =
            (0..files.len()).find(|&at| files[..at].iter().any(|other| real(other) == real(&files[at])));
        if let Some(at) = twin {
            let file = fiedler_io::shown(&files[at]);
            return Err(Failure::usage(format!(
                "{option} must be files without repetitions, got `{file}` twice"
            )));
        }
    }
    Ok(())
}

/// Refuses to write over what a configuration reads.
///
/// # Errors
/// An output is one of these files, or a configuration cannot be read.
pub(super) fn keep_inputs(args: &EvaluateArgs) -> Outcome {
    let mut outputs = args.report.file.outputs();
    outputs.extend(args.output.iter().map(|file| Output::of("output", file)));
    for path in &args.beside.fuse {
        for input in candidate::files(path)? {
            let check = |output: &Output| overwriting::check(output, &input, "a file that is fused");
            outputs.iter().try_for_each(check)?;
        }
    }
    Ok(())
}

impl Beside {
    /// Reads and makes all candidates.
    ///
    /// # Errors
    /// A file cannot be read, or its features are not those of the data.
    pub(super) fn read(
        args: &EvaluateArgs,
        sweep: Option<&mut Sweep>,
        loaded: &Loaded,
        monitor: &dyn Monitor,
    ) -> Outcome<Self> {
        let asked = &args.beside;
        let mut beside = Beside::default();
        let names = names(args);
        for (path, name) in asked.rankings.iter().zip(&names) {
            let order = rankings::order_in(path, &loaded.data, monitor)?;
            beside.candidates.push(Candidate::order(name, order.found));
            beside.notes.extend(order.notes);
            beside.notes.push(format!(
                "{name}: a ranking of a file is judged as it is; where it was made with the samples that judge it, it looks \
                 better than it is"
            ));
        }
        let file =
            (args.data.data.demo().is_none() && !args.data.data.is_stdin()).then(|| args.data.data.path());
        let subject = Subject { data: &loaded.data, file, seed: args.common.seed };
        if let Some((sweep, path)) = sweep.zip(asked.fuse.first()) {
            let sources = (sweep.of.as_str(), sweep.against.as_str());
            let swept = candidate::swept(path, sources, sweep.steps.len(), &subject, monitor)?;
            beside.candidates.extend(swept.candidates);
            beside.notes.extend(swept.notes);
            sweep.left_out = swept.left_out;
            return Ok(beside);
        }
        for (path, name) in asked.fuse.iter().zip(&names[asked.rankings.len()..]) {
            let made = candidate::candidate(path, name, &subject, monitor)?;
            beside.candidates.push(made.candidate);
            beside.notes.extend(made.notes);
        }
        Ok(beside)
    }
}

/// What candidates are called: by the names of their files, or by their paths where a name is taken.
fn names(args: &EvaluateArgs) -> Vec<String> {
    let paths: Vec<&Path> =
        args.beside.rankings.iter().chain(&args.beside.fuse).map(PathBuf::as_path).collect();
    let stem = |path: &Path| path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let stems: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let taken = |name: &String| {
        name.is_empty()
            || args.methods.contains(name)
            || stems.iter().filter(|other| *other == name).count() > 1
    };
    let shown =
        |(name, path): (&String, &&Path)| if taken(name) { fiedler_io::shown(path) } else { name.clone() };
    stems.iter().zip(&paths).map(shown).collect()
}

/// How candidates that are no methods came to be, in words; none where all are methods.
pub(super) fn in_words(found: &Findings) -> Option<String> {
    let evaluation = found.evaluation.as_ref()?;
    let table = evaluation.tables.first()?;
    let named = |by: MadeBy| -> Vec<&str> {
        table.curves.iter().filter(|c| c.made_by == by).map(|c| c.name.as_str()).collect()
    };
    let elsewhere = found.card.asked.iter().any(|(name, _)| name == "judge-on");
    let fitted = if elsewhere {
        "fitted on all samples that select"
    } else if evaluation.protocol.selection == Selection::All {
        "fitted on all samples"
    } else {
        "fitted on every training part"
    };
    let parts = [(named(MadeBy::Fusion), fitted), (named(MadeBy::Ranking), "as ranked elsewhere")];
    let told: Vec<String> = parts
        .iter()
        .filter(|(names, _)| !names.is_empty())
        .map(|(names, how)| format!("{} {how}", short(names)))
        .collect();
    (!told.is_empty()).then(|| told.join(" · "))
}

/// The first and the last of many.
fn short(names: &[&str]) -> String {
    match names {
        [first, .., last] if names.len() > 6 => format!("{first} to {last}"),
        some => some.join(", "),
    }
}
