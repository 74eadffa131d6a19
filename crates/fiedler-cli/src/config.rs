//! The configuration file: options by their names, below the environment in precedence.
//!
//! A value of the file becomes the *default* of its option, so that clap itself checks it and
//! puts flags and environment before it, and an option that must be given is. A file is read only where the user names one
//! (`--config` or `FIEDLER_CONFIG`): what a command computes must not depend on the directory
//! it happens to run in.
//!
//! ```toml
//! top = 10                # for every subcommand that has --top
//! method = ["laplacian", "spec"]
//! set = { phi = 2 }
//! [graph]                 # for `fiedler graph` alone
//! k = 10
//! ```

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Command;
use toml::{Table, Value};

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::lists::did_you_mean;

/// The command line, with the values of the configuration file at `path` as defaults.
pub(crate) fn command(path: Option<&Path>) -> Outcome<Command> {
    let command = args::command();
    match path {
        Some(path) => read(path).and_then(|table| with_defaults(command, &table, path)),
        None => Ok(command),
    }
}

/// The file that `--config` or `FIEDLER_CONFIG` names. The whole command line can only be
/// parsed once the file is known, so this looks for the one option by hand.
pub(crate) fn named(arguments: &[OsString]) -> Option<PathBuf> {
    let mut arguments = arguments.iter().take_while(|a| *a != "--");
    while let Some(argument) = arguments.next() {
        if argument == "--config" {
            return arguments.next().map(PathBuf::from);
        }
        if let Some(path) = argument.to_str().and_then(|a| a.strip_prefix("--config=")) {
            return Some(path.into());
        }
    }
    std::env::var_os(args::variable("config")).map(PathBuf::from)
}

fn read(path: &Path) -> Outcome<Table> {
    let text =
        crate::text_file::read(path).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
    let wrong =
        |e: toml::de::Error| Failure::Usage(crate::text_file::wrong(&path.display().to_string(), &text, &e));
    text.parse().map_err(wrong)
}

fn with_defaults(command: Command, table: &Table, path: &Path) -> Outcome<Command> {
    let names: Vec<String> = command.get_subcommands().map(|s| s.get_name().to_owned()).collect();
    let sections = |key: &String, value: &Value| value.is_table() && names.contains(key);
    let general: Table =
        table.iter().filter(|(k, v)| !sections(k, v)).map(|(k, v)| (k.clone(), v.clone())).collect();
    check_names(&command, &general, None, path)?;
    let mut command = command;
    for name in names {
        let own = table.get(&name).and_then(Value::as_table);
        if let Some(own) = own {
            check_names(&command, own, Some(&name), path)?;
        }
        let mut values = general.clone();
        values.extend(own.into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
        let values: HashMap<String, Vec<String>> =
            values.into_iter().map(|(k, v)| (k.replace('_', "-"), texts(&v))).collect();
        command = command.mut_subcommand(name, |subcommand| {
            subcommand.mut_args(|arg| match args::names(&arg).iter().find_map(|name| values.get(name)) {
                Some(texts) => arg.default_values(texts.clone()).hide_default_value(true).required(false),
                None => arg,
            })
        });
    }
    Ok(command)
}

/// A key that is no option is an error: a misspelled option must not be ignored in silence.
fn check_names(command: &Command, values: &Table, section: Option<&str>, path: &Path) -> Outcome {
    let known: Vec<String> = command
        .get_subcommands()
        .filter(|s| section.is_none_or(|name| s.get_name() == name))
        .flat_map(|s| s.get_arguments().flat_map(args::names))
        .collect();
    for key in values.keys() {
        let shown = path.display();
        if key == "config" {
            return Err(Failure::Usage(format!("{shown}: a configuration file cannot name another one")));
        }
        // One command has --data, but for all others DATA is an argument, and nobody would miss it.
        if key == "data" && section.is_none() {
            return Err(Failure::Usage(format!(
                "{shown}: DATA is no option; name it on the command line (for `fiedler reproduce`, write \
                 `data` below [reproduce])"
            )));
        }
        if !known.contains(&key.replace('_', "-")) {
            let hint = did_you_mean(key, known.iter().map(String::as_str));
            let of = section.map_or("fiedler".to_owned(), |s| format!("fiedler {s}"));
            return Err(Failure::Usage(format!("{shown}: {of} has no option `{key}`{hint}")));
        }
    }
    Ok(())
}

/// A value as it would be written on the command line; lists and tables give several.
pub(crate) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Table(table) => {
            table.iter().flat_map(|(k, v)| texts(v).into_iter().map(move |v| format!("{k}={v}"))).collect()
        }
        Value::Integer(v) => vec![v.to_string()],
        Value::Float(v) => vec![v.to_string()],
        Value::Boolean(v) => vec![v.to_string()],
        Value::Datetime(v) => vec![v.to_string()],
    }
}
