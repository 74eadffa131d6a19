//! What can end a command early, and its exit code.

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage: a name, a value or a combination of options that no data could make right.
    Usage(String),
    /// The data, or the question asked of them, are at fault.
    Data(String),
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

    /// The sentence for the user; none where the user knows.
    pub(crate) fn sentence(&self) -> Option<&str> {
        match self {
            Failure::Usage(sentence) | Failure::Data(sentence) => Some(sentence),
            Failure::Interrupted | Failure::ClosedPipe => None,
        }
    }

    /// 0 done, 1 the data are at fault, 2 wrong usage, 130 stopped by Ctrl-C as shells count it.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::Data(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Interrupted => 130,
        }
    }
}

impl From<fiedler::Error> for Failure {
    fn from(error: fiedler::Error) -> Self {
        match error {
            fiedler::Error::Canceled => Failure::Interrupted,
            fiedler::Error::LabelsMissing { .. } => {
                Failure::Data(format!("{error} (--label COLUMN or --labels FILE)"))
            }
            other => Failure::Data(other.to_string()),
        }
    }
}

impl From<fiedler_io::Error> for Failure {
    fn from(error: fiedler_io::Error) -> Self {
        match error {
            fiedler_io::Error::Canceled => Failure::Interrupted,
            other => Failure::Data(other.to_string()),
        }
    }
}
