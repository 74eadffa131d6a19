//! Options and commands that do not exist: what was meant, or where to look. Every sentence works when followed.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::args;
use crate::command_line::quoted;
use crate::failure::Failure;
use crate::lists::did_you_mean;
use crate::meaning;

/// What to say of an option or a command that does not exist; `None` where the parser has to say something else.
pub(crate) fn told(error: &clap::Error, command: &Command, arguments: &[OsString]) -> Option<Failure> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let typed = text(ContextKind::InvalidArg)?;
            let own = command.find_subcommand(arguments.get(1)?)?;
            let is_option = typed.starts_with('-');
            is_option.then(|| Failure::Usage(of_option(typed, command, own, arguments)))
        }
        ErrorKind::InvalidSubcommand => of_command(text(ContextKind::InvalidSubcommand)?).map(Failure::Usage),
        _ => None,
    }
}

fn of_option(typed: &str, command: &Command, own: &Command, arguments: &[OsString]) -> String {
    if let Some((option, given)) = waiting(typed, own, arguments) {
        let value = quoted(given);
        return format!(
            "--{option} needs a value, and `{given}` looks like an option; a value that begins with a dash is given as \
             --{option}={value}"
        );
    }
    let (name, here) = (typed.trim_start_matches('-').split('=').next().unwrap_or_default(), own.get_name());
    if let Some(meant) = called_here(name, own) {
        return format!("there is no option {typed}; here it is {meant}");
    }
    if DATA.contains(&name) && own.get_arguments().any(|arg| arg.get_id() == "data") {
        return format!("there is no option {typed}; data are named without one: fiedler {here} DATA");
    }
    let others: Vec<&str> =
        command.get_subcommands().filter(|c| has(c, name)).map(Command::get_name).collect();
    if !others.is_empty() {
        let verb = if others.len() == 1 { "has" } else { "have" };
        return format!("fiedler {here} has no option --{name}; {} {verb} one", and(&others));
    }
    let longs: Vec<String> =
        own.get_arguments().filter_map(Arg::get_long).map(|long| format!("--{long}")).collect();
    match did_you_mean(typed, longs.iter().map(String::as_str)) {
        // Two typing errors make anything of a word of three letters.
        near if !near.is_empty() && name.len() > 3 => format!("there is no option {typed}{near}"),
        _ => format!("there is no option {typed}; fiedler {here} --help lists those that there are"),
    }
}

/// Whether a command has an option of that name.
fn has(command: &Command, long: &str) -> bool {
    command.get_arguments().any(|arg| args::names(arg).iter().any(|name| name == long))
}

/// What this command calls an option of another name: one of the same meaning, `--k` for `-k`, `--method` for `--methods`.
fn called_here(name: &str, own: &Command) -> Option<String> {
    let known = |meant: &&str| has(own, meant.trim_start_matches("--").split(' ').next().unwrap_or_default());
    if let Some(meant) = meaning::option(name).filter(known) {
        return Some(meant.to_owned());
    }
    let (one, several) = (name.strip_suffix('s').unwrap_or(name), format!("{name}s"));
    let near = [name, one, &several].into_iter().find(|near| has(own, near));
    near.map(|near| format!("--{near}"))
}

/// What options for data are called elsewhere.
const DATA: [&str; 6] = ["data", "input", "file", "infile", "input-file", "i"];

/// The option before it that waits for a value: what was taken for an option was meant as that.
fn waiting<'c>(typed: &str, own: &'c Command, arguments: &'c [OsString]) -> Option<(&'c str, &'c str)> {
    let is_typed = |argument: &OsString| argument.to_str().is_some_and(|text| text.starts_with(typed));
    let at = arguments.iter().position(is_typed)?;
    let before = arguments.get(at.checked_sub(1)?)?.to_str()?;
    let is_before = |arg: &&Arg| {
        let short = arg.get_short().is_some_and(|letter| before == format!("-{letter}"));
        let long = before.strip_prefix("--").is_some_and(|name| arg.get_long() == Some(name));
        (short || long) && arg.get_action().takes_values()
    };
    own.get_arguments().find(is_before)?.get_long().zip(arguments[at].to_str())
}

/// `a`, `a and b`, `a, b and c`.
fn and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn of_command(typed: &str) -> Option<String> {
    if let Some(here) = meaning::command(typed) {
        return Some(format!("there is no command `{typed}`; nearest is `fiedler {here}`"));
    }
    let is_data = typed.starts_with("demo:") || std::path::Path::new(typed).is_file();
    let typed = quoted(typed);
    is_data.then(|| format!("say what to do with {typed}, such as `fiedler rank {typed}`"))
}
