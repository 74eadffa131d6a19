//! An output that would take the place of an input is refused before anything is read: the user's
//! data are never changed.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::{ArgMatches, Command};
use fiedler_io::shown;

use crate::failure::{Failure, Outcome};

/// Options that name files to be written.
const OUTPUTS: [&str; 4] = ["output", "report", "findings", "embedding"];

/// Refuses an `--output` or `--report` that is also a file that any other option or argument names.
///
/// # Errors
/// It is one.
pub(crate) fn refuse(command: &Command, matches: &ArgMatches) -> Outcome {
    OUTPUTS.iter().try_for_each(|id| refuse_one(command, matches, id))
}

fn refuse_one(command: &Command, matches: &ArgMatches, id: &str) -> Outcome {
    let Some(output) = raw(matches, id).into_iter().find(|o| o != "-") else { return Ok(()) };
    for arg in command.get_arguments().filter(|a| a.get_id() != id) {
        let called = match arg.get_long() {
            Some(long) => format!("--{long}"),
            None => arg.get_value_names().and_then(|n| n.first()).map_or(String::new(), ToString::to_string),
        };
        for value in raw(matches, arg.get_id().as_str()) {
            check_as(id, Path::new(&output), Path::new(&value), &called)?;
            // A graph in a file is written `file:PATH`.
            if let Some((_, path)) = value.to_str().and_then(|v| v.split_once(':')) {
                check_as(id, Path::new(&output), Path::new(path), &called)?;
            }
        }
    }
    Ok(())
}

/// Refuses one pair of files; `called` is what the user knows the input by.
///
/// # Errors
/// They are the same file.
pub(crate) fn check(output: &Path, input: &Path, called: &str) -> Outcome {
    check_as("output", output, input, called)
}

fn check_as(option: &str, output: &Path, input: &Path, called: &str) -> Outcome {
    if same(output, input) {
        Err(Failure::Usage(format!(
            "--{option} {} is the same file as {called} ({}), which would be lost; name another one",
            shown(output),
            shown(input)
        )))
    } else {
        Ok(())
    }
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
