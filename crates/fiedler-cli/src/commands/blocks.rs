//! `fiedler blocks`: the data as a directory of blocks.

use super::begin;
use crate::args::BlocksArgs;
use crate::data::Loaded;
use crate::failure::{Failure, Outcome};
use crate::output::layout::plural;
use crate::output::{self, BOLD, Styling};

/// Runs the command.
///
/// # Errors
/// The data cannot be read, the directory cannot be made or holds something, or Ctrl-C; then nothing is written.
pub(crate) fn run(args: &BlocksArgs) -> Outcome {
    for (given, option) in
        [(args.data.scale.is_some(), "--scale"), (args.data.transform.0.is_some(), "--transform")]
    {
        if given {
            return Err(Failure::usage(format!(
                "{option}: blocks hold the numbers as they are; give it to the command that reads them"
            )));
        }
    }
    let progress = begin(&args.common)?;
    let loaded = Loaded::read(&args.data, &progress)?;
    let table = loaded.table();
    let count = fiedler_io::write_blocks(&args.directory, &table, &progress)?;
    progress.finish();
    if !args.common.quiet {
        loaded.notes.iter().for_each(|note| output::report("note", BOLD, note));
    }
    let text = format!(
        "{} × {} in {} in {}\n",
        plural(table.data.n_samples(), "sample"),
        plural(table.data.n_features(), "feature"),
        plural(count, "block"),
        output::harmless(&args.directory.to_string_lossy())
    );
    output::write(text.as_bytes(), Styling::None, None)
}
