//! What every option has besides its flag: an environment variable, and errors that tell the rule.

use std::any::TypeId;

use clap::builder::BoolishValueParser;
use clap::{Arg, CommandFactory};

use super::{Cli, values};

/// The command line with an environment variable behind every option.
pub(crate) fn command() -> clap::Command {
    Cli::command().mut_subcommands(|subcommand| {
        subcommand.mut_args(|arg| {
            let arg = in_our_words(arg);
            let names = names(&arg);
            let set = names.iter().map(|name| variable(name)).find(|v| std::env::var_os(v).is_some());
            match set.or_else(|| names.first().map(|name| variable(name))) {
                Some(variable) => arg.env(variable).hide_env(true),
                None => arg,
            }
        })
    })
}

/// The names of an option in environment and configuration file: the long one, then its aliases.
pub(crate) fn names(arg: &Arg) -> Vec<String> {
    let aliases = arg.get_all_aliases().unwrap_or_default();
    arg.get_long().into_iter().chain(aliases).map(str::to_owned).collect()
}

/// The environment variable of an option: `FIEDLER_SELECT_ON` for `select-on`.
pub(crate) fn variable(name: &str) -> String {
    format!("{VARIABLES}{}", name.to_uppercase().replace('-', "_"))
}

/// What the names of our environment variables begin with.
pub(crate) const VARIABLES: &str = "FIEDLER_";

/// Numbers whose errors tell the rule, and flags that environment and file can set.
fn in_our_words(arg: Arg) -> Arg {
    let holds = arg.get_value_parser().type_id();
    match arg.get_action() {
        clap::ArgAction::SetTrue => arg.value_parser(BoolishValueParser::new()),
        _ if holds == TypeId::of::<usize>() => {
            let least = least(arg.get_id().as_str());
            arg.value_parser(move |text: &str| values::whole_from::<usize>(text, least))
        }
        _ if holds == TypeId::of::<u64>() => {
            arg.value_parser(|text: &str| values::whole_from::<u64>(text, 0))
        }
        _ if holds == TypeId::of::<f64>() => arg.value_parser(values::number),
        _ => arg,
    }
}

/// The smallest number that an option takes; those that are checked against more than this tell the
/// rest of their rule themselves.
fn least(option: &str) -> usize {
    match option {
        "min_samples" | "eigenvalues" => 0,
        // Their own checks tell both ends of the range.
        "threads" | "repeats" | "folds" | "draws" | "clusters" | "neighbors" => 0,
        _ => 1,
    }
}
