//! The `fiedler` command: reads a data set, asks the library, shows the answer.
//!
//! ```text
//!  args ─► config ─► Analysis.check() ─► data ─► Analysis.run() ─► Findings ─► output (table, csv, json)
//!  flags,  env and   before any data     path,                                stdout or a whole file
//!  help    file      are read            demo
//! ```
//! No mathematics happens here, nothing about a method is typed here, and nothing that a method sees is
//! decided here: that is [`fiedler::Analysis`].

mod args;
mod command_line;
mod commands;
mod config;
mod data;
mod defect;
mod failure;
mod graph_file;
mod graph_keys;
mod graph_options;
mod interrupt;
mod lists;
mod meaning;
mod orientation;
mod output;
mod overwriting;
mod pools;
mod progress;
mod report;
mod text_file;
mod unknown;
mod words;

use std::ffi::OsString;
use std::path::Path;

use args::Command;
use failure::{Failure, Outcome};
pub use pools::begin_with_one_pool;

/// Runs the command line, of which the first argument is the name of the program, and answers with its exit code. Help
/// and wrong usage end the process.
pub fn main(arguments: &[OsString]) -> u8 {
    match interrupt::listen().and_then(|()| defect::guarded(|| run(arguments))) {
        Ok(()) => 0,
        Err(failure) => {
            // Where Ctrl-C and an error meet, Ctrl-C is what the user did.
            let failure = if interrupt::requested() { Failure::Interrupted } else { failure };
            if let Some(sentence) = failure.sentence() {
                output::report("error", output::RED, &sentence);
            }
            failure.exit_code()
        }
    }
}

fn run(arguments: &[OsString]) -> Outcome {
    match command_line::parse(arguments)?.command {
        Command::Rank(args) => commands::rank::run(&args),
        Command::Select(args) => commands::select::run(&args),
        Command::Blocks(args) => commands::blocks::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
        Command::Graph(args) => commands::graph::run(&args),
        Command::Stability(args) => commands::stability::run(&args),
        Command::Evaluate(args) => commands::evaluate::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Fuse(args) => commands::fuse::run(&args),
        Command::Report(args) => commands::report::report(&args),
        Command::Plot(args) => commands::report::plot(&args),
        Command::Methods(args) => commands::methods::run(&args),
        Command::Completions { shell, directory } => completions(shell, directory.as_deref()),
        Command::Man { directory } => {
            let wrong = |e: std::io::Error| Failure::Data(format!("{}: {e}", directory.display()));
            std::fs::create_dir_all(&directory).map_err(wrong)?;
            clap_mangen::generate_to(args::command(), &directory).map_err(wrong)
        }
    }
}

/// A completion script on standard output, or in a directory under the name that the shell looks for.
fn completions(shell: clap_complete::Shell, directory: Option<&Path>) -> Outcome {
    let Some(directory) = directory else {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut args::command(), "fiedler", &mut script);
        return output::write(&script, output::Styling::None, None);
    };
    let wrong = |e: std::io::Error| Failure::Data(format!("{}: {e}", directory.display()));
    std::fs::create_dir_all(directory).map_err(wrong)?;
    clap_complete::generate_to(shell, &mut args::command(), "fiedler", directory).map(drop).map_err(wrong)
}
