//! What can end a command early, and its exit code.

use fiedler::limits::Bytes;
use fiedler_io::Remedy;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage: a name, a value or a combination of options that no data could make right.
    Usage(String),
    /// The data, or the question asked of them, are at fault.
    Data(String),
    /// The same, where something that the user can say to the command would help.
    Curable(String, Vec<Remedy>),
    /// Ctrl-C.
    Interrupted,
    /// The reader of our output has gone (`| head`), which is no fault at all.
    ClosedPipe,
}

/// The result of a step of a command.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A name, a value or a combination of options is wrong before any data are looked at.
    pub(crate) fn usage(error: impl ToString) -> Self {
        Failure::Usage(error.to_string())
    }

    /// The sentence for the user, with the options that would help; none where the user knows.
    pub(crate) fn sentence(&self) -> Option<String> {
        match self {
            Failure::Usage(sentence) | Failure::Data(sentence) => Some(sentence.clone()),
            Failure::Curable(sentence, remedies) => Some(advised(sentence, remedies, in_options)),
            Failure::Interrupted | Failure::ClosedPipe => None,
        }
    }

    /// The same failure where remedies have other words than options, such as the keys of a file.
    pub(crate) fn worded(self, word: fn(Remedy) -> Option<&'static str>) -> Self {
        match self {
            Failure::Curable(sentence, remedies) => Failure::Data(advised(&sentence, &remedies, word)),
            other => other,
        }
    }

    /// The same failure with a place before its sentence, unless it begins with that.
    pub(crate) fn at(self, place: &str) -> Self {
        let placed = |sentence: String| {
            if sentence.starts_with(place) { sentence } else { format!("{place}: {sentence}") }
        };
        match self {
            Failure::Data(sentence) => Failure::Data(placed(sentence)),
            Failure::Curable(sentence, remedies) => Failure::Curable(placed(sentence), remedies),
            other => other,
        }
    }

    /// 0 done, 1 the data are at fault, 2 wrong usage, 130 stopped by Ctrl-C as shells count it.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::Data(_) | Failure::Curable(..) => 1,
            Failure::Usage(_) => 2,
            Failure::Interrupted => 130,
        }
    }
}

/// A sentence with what would help behind it.
fn advised(sentence: &str, remedies: &[Remedy], word: fn(Remedy) -> Option<&'static str>) -> String {
    let words: Vec<&str> = remedies.iter().filter_map(|&r| word(r)).collect();
    if words.is_empty() { sentence.to_owned() } else { format!("{sentence} ({})", words.join(" or ")) }
}

/// A remedy as an option of the command line.
fn in_options(remedy: Remedy) -> Option<&'static str> {
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
        Remedy::Header => "--header no where the first line holds data",
        _ => return None,
    })
}

/// Options of graphs, which may be given to a method that has none.
const OF_GRAPHS: [&str; 8] = ["k", "weight", "bandwidth", "metric", "mutual", "approximate", "beta", "graph"];

/// Other parameters of the library that the command has as options of their own. Those of methods are given with `--set`.
const OPTIONS: [&str; 12] = [
    "methods",
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

/// Parameters that the command calls otherwise.
const RENAMED: [(&str, &str); 1] = [("random", "--draws")];

/// The option that sets a parameter of the library.
fn option(name: &str) -> Option<String> {
    let renamed = RENAMED.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| (*ours).to_owned());
    renamed.or_else(|| ours().any(|option| option == name).then(|| format!("--{name}")))
}

fn ours() -> impl Iterator<Item = &'static str> {
    OF_GRAPHS.into_iter().chain(OPTIONS)
}

/// An error of the library as the command says it: a parameter that is an option is called by its option.
fn in_our_words(error: &fiedler::Error) -> String {
    match error {
        fiedler::Error::Parameter { name, rule, got } => match option(name) {
            Some(option) => format!("{option} must be {rule}, got {got}"),
            None => error.to_string(),
        },
        fiedler::Error::UnknownParameter { owner, name, known } if OF_GRAPHS.contains(&name.as_str()) => {
            let takes = known.split(", ").map(as_option).collect::<Vec<_>>();
            format!("--{name} does not apply to {owner}, which takes {}", takes.join(", "))
        }
        fiedler::Error::TooLarge { .. } => {
            let sentence = more_memory(error);
            ours().fold(sentence, |text, name| text.replace(&format!("`{name}`"), &format!("--{name}")))
        }
        _ => error.to_string(),
    }
}

/// How a parameter of a method or a graph is given; the list of none is called so.
fn as_option(name: &str) -> String {
    match name {
        "none" => "no options".to_owned(),
        _ => option(name).unwrap_or_else(|| format!("--set {name}=…")),
    }
}

/// A refusal that names the option with which what is asked for fits.
fn more_memory(error: &fiedler::Error) -> String {
    let fiedler::Error::TooLarge { needed, .. } = error else { return error.to_string() };
    // Amounts are printed with two digits: rounded down they would not do.
    let enough = Bytes(needed.0 + needed.0 / 20).to_string().replace(' ', "");
    error.to_string().replace("`memory`", &format!("--memory {enough}"))
}

impl Failure {
    /// What the library finds wrong with the question, before any data are looked at.
    pub(crate) fn question(error: fiedler::Error) -> Self {
        Failure::Usage(in_our_words(&error))
    }

    /// What the library finds wrong with the data, or with the question for these data.
    pub(crate) fn answer(error: fiedler::Error) -> Self {
        match error {
            // How many are listed and which must be among them are options both.
            fiedler::Error::Parameter { ref name, .. } if name == "top" => Failure::question(error),
            fiedler::Error::Parameter { .. } | fiedler::Error::TooLarge { .. } => {
                Failure::Data(in_our_words(&error))
            }
            other => other.into(),
        }
    }
}

impl From<fiedler::Error> for Failure {
    fn from(error: fiedler::Error) -> Self {
        match error {
            fiedler::Error::Canceled => Failure::Interrupted,
            fiedler::Error::LabelsMissing { .. } => {
                Failure::Curable(error.to_string(), vec![Remedy::Label, Remedy::LabelsFile])
            }
            fiedler::Error::LabelsContinuous { .. } | fiedler::Error::TargetMissing { .. } => {
                Failure::Curable(error.to_string(), vec![Remedy::Target])
            }
            other => Failure::Data(more_memory(&other)),
        }
    }
}

impl From<fiedler_io::Error> for Failure {
    fn from(error: fiedler_io::Error) -> Self {
        match error {
            fiedler_io::Error::Canceled => Failure::Interrupted,
            other => Failure::Curable(other.to_string(), other.remedies().to_vec()),
        }
    }
}
