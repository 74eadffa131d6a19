//! What the library says, in words of the command: parameters and remedies as the options that a user types.

use fiedler::Step;
use fiedler::limits::Bytes;
use fiedler_io::Remedy;

use crate::command_line::quoted;

/// What the user types to follow advice in a note or a warning.
pub(crate) fn step_as_option(step: Step<'_>) -> Option<String> {
    let (option, value) = match step {
        Step::Eigenvalues => return Some("--eigenvalues".to_owned()),
        Step::Method(name) => ("--method", name.to_owned()),
        Step::Label(name) => ("--label", name.to_owned()),
        Step::Target(name) => ("--target", name.to_owned()),
        Step::Exclude(names) => ("--exclude", names.join(",")),
        Step::Ranks => ("--transform", "ranks".to_owned()),
        Step::Labeled(each) => ("--labeled", each.to_string()),
        _ => return None,
    };
    Some(format!("{option} {}", quoted(&value)))
}

/// A remedy as an option of the command line.
pub(crate) fn as_option(remedy: Remedy) -> Option<&'static str> {
    Some(match remedy {
        Remedy::Label => "--label COLUMN",
        Remedy::Target => "--target COLUMN",
        Remedy::LabelsFile => "--labels FILE",
        Remedy::Exclude => "--exclude NAME",
        Remedy::Variable => "--variable NAME",
        Remedy::Layer => "--layer NAME",
        Remedy::GraphFile => "--graph file:PATH",
        Remedy::Missing => "for missing values --missing mean|median|drop-rows|drop-columns",
        Remedy::DropRows => "--missing drop-rows",
        Remedy::Categories => "for text --categories onehot|drop",
        Remedy::DropText => "for text --categories drop",
        Remedy::Dates => "for dates --dates ordinal",
        Remedy::NumericOnly => "--numeric-only",
        Remedy::Features => "--features rows or columns",
        Remedy::Memory => "--memory SIZE",
        Remedy::Array => "`fiedler blocks --help` has the lines that do it",
        Remedy::Zarr => "`cargo install --path crates/fiedler-cli --features zarr` builds it",
        Remedy::Header => "--header no where the first line holds data",
        _ => return None,
    })
}

/// Options of graphs, which may be given to a method that has none.
const OF_GRAPHS: [&str; 10] =
    ["k", "landmarks", "weight", "bandwidth", "metric", "mutual", "approximate", "recall", "beta", "graph"];

/// Other parameters of the library that the command has as options of their own. Those of methods are given with `--set`.
const OPTIONS: [&str; 18] = [
    "bounds",
    "include",
    "methods",
    "vary",
    "labeled",
    "draws",
    "transform",
    "top",
    "counts",
    "folds",
    "repeats",
    "significance",
    "costs",
    "fraction",
    "noise",
    "threshold",
    "scale",
    "memory",
];

/// The option that sets a parameter of the library.
fn option(name: &str) -> Option<String> {
    ours().any(|option| option == name).then(|| format!("--{name}"))
}

fn ours() -> impl Iterator<Item = &'static str> {
    OF_GRAPHS.into_iter().chain(OPTIONS)
}

/// An error of the library as the command says it: a parameter that is an option is called by its option.
pub(crate) fn error_in_options(error: &fiedler::Error) -> String {
    match error {
        fiedler::Error::Parameter { name, rule, got } => match option(name) {
            Some(option) => format!("{option} must be {rule}, got {got}"),
            None => error.to_string(),
        },
        fiedler::Error::UnknownParameter { owner, name, known } if OF_GRAPHS.contains(&name.as_str()) => {
            let takes = known.split(", ").map(given_by).collect::<Vec<_>>();
            format!("--{name} does not apply to {owner}, which takes {}", takes.join(", "))
        }
        fiedler::Error::ClassesNeeded { setting: Some((name, value)), .. } => {
            let typed = typed(name, value).unwrap_or_default();
            error.to_string().replace(&format!("`{name}={value}`"), &typed)
        }
        fiedler::Error::TooLarge { .. } => {
            let sentence = more_memory(error);
            ours().fold(sentence, |text, name| text.replace(&format!("`{name}`"), &format!("--{name}")))
        }
        _ => error.to_string(),
    }
}

/// A note or a warning of the library as the command says it: `name=value` of a parameter in backticks as what a user types.
pub(crate) fn told_in_options(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for (at, part) in sentence.split('`').enumerate() {
        let typed = part.split_once('=').and_then(|(name, value)| typed(name, value));
        match (at % 2 == 1, typed) {
            (true, Some(typed)) => out.push_str(&typed),
            (true, None) => out.push_str(&format!("`{part}`")),
            (false, _) => out.push_str(part),
        }
    }
    // A backtick without another is none of ours.
    if sentence.matches('`').count().is_multiple_of(2) { out } else { sentence.to_owned() }
}

/// What sets a parameter of a graph or of a method to a value; `None` where there is no such parameter.
fn typed(name: &str, value: &str) -> Option<String> {
    let of_method = || fiedler::methods::all().iter().any(|m| m.info.parameter(name).is_some());
    if OF_GRAPHS.contains(&name) {
        return Some(format!("--{name} {}", quoted(value)));
    }
    of_method().then(|| format!("--set {name}={}", quoted(value)))
}

/// How a parameter of a method or a graph is given; the list of none is called so.
fn given_by(name: &str) -> String {
    match name {
        "none" => "no options".to_owned(),
        _ => option(name).unwrap_or_else(|| format!("--set {name}=…")),
    }
}

/// A refusal that names the option with which what is asked for fits.
pub(crate) fn more_memory(error: &fiedler::Error) -> String {
    let fiedler::Error::TooLarge { needed, .. } = error else { return error.to_string() };
    error.to_string().replace("`memory`", &format!("--memory {}", enough(*needed)))
}

/// An amount that is enough, as it is typed: printed with two digits it would be rounded down.
pub(crate) fn enough(needed: Bytes) -> String {
    Bytes(needed.0 + needed.0 / 20).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_as_they_are_typed_and_nothing_else_is() {
        let told = told_in_options;
        assert_eq!(told("take `discretize=kmeans`, or not"), "take --set discretize=kmeans, or not");
        assert_eq!(told("`weight=binary` joins"), "--weight binary joins");
        for other in ["`color=red` leads the ranking", "`weight` has no effect", "a ` and b=c", "`k=3"] {
            assert_eq!(told(other), other);
        }
    }
}
