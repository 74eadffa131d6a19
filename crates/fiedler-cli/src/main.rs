//! The `fiedler` command: reads a data set, asks the library, shows the answer.
//!
//! ```text
//!  args ─► config ─► data ─► plan (methods, graph) ─► output (table, csv, json)
//!  flags,  env and   path,   checked before any        stdout or a whole file
//!  help    file      demo    data are read
//! ```
//! No mathematics happens here, and nothing about a method is typed here: names, parameters,
//! goals and help come from `fiedler::methods::all()`.

mod args;
mod command_line;
mod config;
mod data;
mod evaluate;
mod failure;
mod fitting;
mod fuse;
mod graph;
mod graph_file;
mod graph_options;
mod interrupt;
mod lists;
mod methods;
mod output;
mod overwriting;
mod plan;
mod progress;
mod rank;
mod reproduce;
mod select;
mod stability;

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
        Command::Rank(args) => rank::run(&args),
        Command::Select(args) => select::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Stability(args) => stability::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Fuse(args) => fuse::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::command(), "fiedler", &mut script);
            output::write(&script, None)
        }
        Command::Man { directory } => clap_mangen::generate_to(args::command(), &directory)
            .map_err(|e| Failure::Data(format!("{}: {e}", directory.display()))),
    }
}
