//! The command line, read: options from flags, environment and configuration file, and what
//! follows from where each comes from.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, FromArgMatches};

use crate::args::{self, Cli, DataArgs, VARIABLES};
use crate::config;
use crate::failure::{Failure, Outcome};
use crate::lists::did_you_mean;
use crate::output::{self, YELLOW};
use crate::overwriting;
use crate::unknown;

/// The command line. Where the user asks for help, or the parser finds a flag wrong, the process
/// ends here with what the parser says.
///
/// # Errors
/// A value of the environment or of the configuration file is wrong, or the output would take the
/// place of an input.
pub(crate) fn parse(arguments: &[OsString]) -> Outcome<Cli> {
    let file = config::named(arguments);
    let command = config::command(file.as_deref())?;
    let wrong = |error: clap::Error| match source(&command, &error, arguments, file.as_deref()) {
        Some(source) => Failure::Usage(format!("{source}: {}", sentence(&error))),
        None => unknown::told(&error, &command, arguments).unwrap_or_else(|| printed(&error, arguments)),
    };
    let matches = command.clone().try_get_matches_from(arguments).map_err(wrong)?;
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let Some((name, matches)) = matches.subcommand()
        && let Some(subcommand) = command.find_subcommand(name)
    {
        let mut outputs = overwriting::named(matches);
        outputs.extend(cli.command.report_mut().and_then(|report| report.outputs().pop()));
        overwriting::refuse(subcommand, matches, &outputs)?;
        if let Some(data) = cli.command.data_mut() {
            drop_weaker_labels(data, matches);
        }
        cli.command.connect();
        if let Some(report) = cli.command.report_mut() {
            report.command = as_given(arguments);
            report.check()?;
        }
        if !matches.try_get_one("quiet").is_ok_and(|quiet| quiet == Some(&true)) {
            unknown_variables(&command).iter().for_each(|w| output::report("warning", YELLOW, w));
        }
    }
    Ok(cli)
}

/// The command line as a shell takes it, with the variables that it was given.
fn as_given(arguments: &[OsString]) -> String {
    let mut variables: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| name.starts_with(VARIABLES))
        .collect();
    variables.sort_unstable();
    let variables = variables.into_iter().map(|(name, value)| format!("{name}={}", quoted(&value)));
    let words = arguments.iter().skip(1).map(|a| quoted(&a.to_string_lossy()));
    variables.chain(["fiedler".to_owned()]).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word that a shell leaves as it is.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:,=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Prints what the parser has to say and ends the process. Help that cannot be written is a failure.
fn printed(error: &clap::Error, arguments: &[OsString]) -> Failure {
    // The parser repeats arguments as they are; those that a terminal would obey are told without colors.
    let obeyed = |argument: &OsString| argument.to_string_lossy().contains(output::is_obeyed);
    if error.use_stderr() && arguments.iter().any(obeyed) {
        eprint!("{}", output::harmless(&error.render().to_string()));
        std::process::exit(error.exit_code());
    }
    if error.use_stderr() {
        error.exit();
    }
    match output::write(error.render().ansi().to_string().as_bytes(), output::Styling::Ours, None) {
        Ok(()) => std::process::exit(0),
        Err(failure) => failure,
    }
}

/// `--label`, `--labels` and `--target` say in three ways what is known of the samples: those from the strongest source count.
/// Where both come from one source, the command refuses them.
fn drop_weaker_labels(data: &mut DataArgs, matches: &ArgMatches) {
    let strength = |given: bool, id: &str| match matches.value_source(id) {
        _ if !given => 0,
        Some(ValueSource::CommandLine) => 3,
        Some(ValueSource::EnvVariable) => 2,
        _ => 1,
    };
    let label = strength(data.label.is_some(), "label");
    let labels = strength(data.labels.is_some(), "labels");
    let target = strength(data.target.is_some(), "target");
    let most = label.max(labels).max(target);
    data.label = data.label.take().filter(|_| label == most);
    data.labels = data.labels.take().filter(|_| labels == most);
    data.target = data.target.take().filter(|_| target == most);
}

/// Where a wrong value was written, unless on the command line.
fn source(
    command: &Command,
    error: &clap::Error,
    arguments: &[OsString],
    file: Option<&Path>,
) -> Option<String> {
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else { return None };
    let long = shown.strip_prefix("--")?.split([' ', '=']).next()?;
    let subcommand = command.find_subcommand(arguments.get(1)?)?;
    let arg = subcommand.get_arguments().find(|a| a.get_long() == Some(long))?;
    let is_flag = |text: &str| {
        let long = args::names(arg).iter().any(|n| text.split('=').next() == Some(&format!("--{n}")));
        let short = |letter| !text.starts_with("--") && text.starts_with('-') && text.contains(letter);
        long || arg.get_short().is_some_and(short)
    };
    if arguments.iter().any(|a| is_flag(&a.to_string_lossy())) {
        return None;
    }
    let variable = arg.get_env()?.to_string_lossy();
    match std::env::var_os(&*variable) {
        Some(_) => Some(format!("{variable} in the environment")),
        None => file.map(|file| file.display().to_string()),
    }
}

/// What the parser says, without its heading and the hint at `--help`.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    first.trim_start_matches("error: ").trim_end().to_owned()
}

/// A misspelled variable must not be ignored in silence.
fn unknown_variables(command: &Command) -> Vec<String> {
    let options = command.get_subcommands().flat_map(|s| s.get_arguments().flat_map(args::names));
    let known: Vec<String> = options.map(|name| args::variable(&name)).collect();
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unknown: Vec<String> =
        set.filter(|name| name.starts_with(VARIABLES) && !known.contains(name)).collect();
    unknown.sort_unstable();
    let told = |name: String| {
        let hint = did_you_mean(&name, known.iter().map(String::as_str));
        format!("{name} in the environment matches no option{hint}")
    };
    unknown.into_iter().map(told).collect()
}
