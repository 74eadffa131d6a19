//! What can end a command early, and its exit code.

use fiedler_io::Remedy;

use crate::words::{as_option, enough, error_in_options, more_memory};

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
            Failure::Curable(sentence, remedies) => Some(advised(sentence, remedies, as_option)),
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

impl Failure {
    /// What the library finds wrong with the question, before any data are looked at.
    pub(crate) fn question(error: fiedler::Error) -> Self {
        Failure::Usage(error_in_options(&error))
    }

    /// What the library finds wrong with the data, or with the question for these data.
    pub(crate) fn answer(error: fiedler::Error) -> Self {
        match error {
            // How many are listed and which must be among them are options both.
            fiedler::Error::Parameter { ref name, .. } if name == "top" => Failure::question(error),
            fiedler::Error::Parameter { .. }
            | fiedler::Error::TooLarge { .. }
            | fiedler::Error::ClassesNeeded { .. } => Failure::Data(error_in_options(&error)),
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
            fiedler_io::Error::ColumnsMemory { needed, .. } => {
                Failure::Data(format!("{error} (--memory {})", enough(needed)))
            }
            other => Failure::Curable(other.to_string(), other.remedies().to_vec()),
        }
    }
}
