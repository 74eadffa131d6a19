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
mod failure;
mod graph_file;
mod graph_keys;
mod graph_options;
mod interrupt;
mod lists;
mod output;
mod overwriting;
mod progress;

use std::process::ExitCode;

use args::Command;
use failure::{Failure, Outcome};

fn main() -> ExitCode {
    interrupt::listen();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Where Ctrl-C and an error meet, Ctrl-C is what the user did.
            let failure = if interrupt::requested() { Failure::Interrupted } else { failure };
            if let Some(sentence) = failure.sentence() {
                output::report("error", output::RED, &sentence);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run() -> Outcome {
    let arguments: Vec<_> = std::env::args_os().collect();
    match command_line::parse(&arguments)?.command {
        Command::Rank(args) => commands::rank::run(&args),
        Command::Select(args) => commands::select::run(&args),
        Command::Graph(args) => commands::graph::run(&args),
        Command::Stability(args) => commands::stability::run(&args),
        Command::Evaluate(args) => commands::evaluate::run(&args),
        Command::Reproduce(args) => commands::reproduce::run(&args),
        Command::Fuse(args) => commands::fuse::run(&args),
        Command::Methods(args) => commands::methods::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(), "fiedler", &mut script);
            output::write(&script, output::Styling::None, None)
        }
        Command::Man { directory } => clap_mangen::generate_to(args::command(), &directory)
            .map_err(|e| Failure::Data(format!("{}: {e}", directory.display()))),
    }
}
