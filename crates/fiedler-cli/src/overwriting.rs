//! An output that would take the place of an input is refused before anything is read: the user's
//! data are never changed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command};
use fiedler_io::shown;

use crate::failure::{Failure, Outcome};

/// Options that name files to be written.
const OUTPUTS: [&str; 5] = ["output", "report", "findings", "embedding", "coefficients"];

/// A file that will be written, and what the user knows it by.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// The file.
    pub(crate) file: PathBuf,
    /// The subject of a sentence: the option with its value.
    pub(crate) what: String,
}

impl Output {
    /// What an option names.
    pub(crate) fn of(option: &str, file: &Path) -> Self {
        Output { file: file.to_owned(), what: format!("--{option} {}", shown(file)) }
    }
}

/// Refuses an output that is also a file that an option or argument names as input, and two outputs in one file.
///
/// # Errors
/// There is one.
pub(crate) fn refuse(command: &Command, matches: &ArgMatches, outputs: &[Output]) -> Outcome {
    for output in outputs {
        for arg in command.get_arguments().filter(|a| !OUTPUTS.contains(&a.get_id().as_str())) {
            refuse_argument(arg, matches, output)?;
        }
    }
    for (at, one) in outputs.iter().enumerate() {
        if let Some(other) = outputs[..at].iter().find(|other| one_place(&one.file, &other.file)) {
            let (a, b) = (other.what.trim_end_matches(','), one.what.trim_end_matches(','));
            return Err(Failure::Usage(format!("{a} and {b} are the same file; name another one")));
        }
    }
    Ok(())
}

/// The files that options of these names are to write.
pub(crate) fn named(matches: &ArgMatches) -> Vec<Output> {
    let each = OUTPUTS.iter().flat_map(|id| raw(matches, id).into_iter().map(move |file| (id, file)));
    each.filter(|(_, file)| file != "-").map(|(id, file)| Output::of(id, Path::new(&file))).collect()
}

fn refuse_argument(arg: &Arg, matches: &ArgMatches, output: &Output) -> Outcome {
    let called = match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => arg.get_value_names().and_then(|n| n.first()).map_or(String::new(), ToString::to_string),
    };
    for value in raw(matches, arg.get_id().as_str()) {
        check(output, Path::new(&value), &called)?;
        // A graph in a file is written `file:PATH`.
        if let Some((_, path)) = value.to_str().and_then(|v| v.split_once(':')) {
            check(output, Path::new(path), &called)?;
        }
    }
    Ok(())
}

/// Refuses one pair of files; `called` is what the user knows the input by.
///
/// # Errors
/// They are the same file.
pub(crate) fn check(output: &Output, input: &Path, called: &str) -> Outcome {
    if same(&output.file, input) {
        Err(Failure::Usage(format!(
            "{} is the same file as {called} ({}), which would be lost; name another one",
            output.what,
            shown(input)
        )))
    } else {
        Ok(())
    }
}

/// Whether two outputs go to one place, there already or not.
fn one_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    // Pipes and devices can take both.
    let is_new_or_file = |path: &Path| fs::metadata(path).map_or(true, |m| m.is_file());
    same(a, b) || (is_new_or_file(a) && is_new_or_file(b) && place(a).is_some_and(|p| Some(p) == place(b)))
}

fn raw(matches: &ArgMatches, id: &str) -> Vec<OsString> {
    let values = matches.try_get_raw(id).ok().flatten();
    values.into_iter().flatten().map(ToOwned::to_owned).collect()
}

/// Whether two paths lead to one file, through links or not. Pipes and devices can be both.
fn same(a: &Path, b: &Path) -> bool {
    let (Ok(first), Ok(second)) = (fs::metadata(a), fs::metadata(b)) else { return false };
    if !first.is_file() || !second.is_file() {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (first.dev(), first.ino()) == (second.dev(), second.ino())
    }
    #[cfg(not(unix))]
    {
        fs::canonicalize(a).ok() == fs::canonicalize(b).ok()
    }
}
