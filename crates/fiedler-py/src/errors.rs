//! Errors of the library as exceptions: one class each, the same sentence in Python's words.

use fiedler::Error;
use pyo3::prelude::*;

use crate::words::{list_of_names, sentence};

/// The exception of an error. The classes are Python's own (`fiedler/_errors.py`), because each is also the built-in
/// that a user would catch.
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    // What Python raised on the way comes out as it was.
    if let Error::Columns(inner) = &error
        && let Some(raised) = inner.downcast_ref::<PyErr>()
    {
        return raised.clone_ref(py);
    }
    let text = match &error {
        Error::UnknownParameter { owner, name, known } => {
            format!("{owner} has no parameter `{}`; it has: {}", list_of_names(name), list_of_names(known))
        }
        // Not a keyword: a ranking that has a name of the user's.
        Error::Parameter { name, rule, got } if name.contains(' ') => {
            format!("{name} must be {}, got {}", sentence(rule), sentence(got))
        }
        other => sentence(&other.to_string()),
    };
    raise_class(py, class(&error), &text)
}

/// The exception of that class.
pub(crate) fn raise_class(py: Python<'_>, class: &str, text: &str) -> PyErr {
    let made = py.import("fiedler._errors").and_then(|m| m.getattr(class)?.call1((text,)));
    made.map_or_else(|failed| failed, PyErr::from_value)
}

fn class(error: &Error) -> &'static str {
    match error {
        Error::Parameter { .. } => "ParameterError",
        Error::UnknownParameter { .. } | Error::UnreachedParameter { .. } => "UnknownParameterError",
        Error::JudgesTogether { .. } => "JudgesTogetherError",
        Error::UnknownMethod { .. } => "UnknownMethodError",
        Error::NotFinite { .. } => "NotFiniteError",
        Error::OutOfRange { .. } => "OutOfRangeError",
        Error::Empty { .. } => "EmptyDataError",
        Error::Length { .. } => "LengthError",
        Error::TooFewSamples { .. } => "TooFewSamplesError",
        Error::LabelsMissing { .. } | Error::TargetMissing { .. } => "LabelsMissingError",
        Error::LabelsPartial { .. } => "LabelsPartialError",
        Error::OneClass { .. } | Error::TargetConstant { .. } => "OneClassError",
        Error::ClassesNeeded { .. } | Error::LabelsContinuous { .. } => "NotClassesError",
        Error::Asymmetric { .. } => "AsymmetricError",
        Error::SimilarityNotFinite { .. } => "SimilarityNotFiniteError",
        Error::TooLarge { .. } => "TooLargeError",
        Error::NotConverged { .. } => "NotConvergedError",
        Error::PathStuck { .. } => "PathStuckError",
        Error::UnknownNames { .. } => "UnknownNamesError",
        Error::NothingShared { .. } => "NothingSharedError",
        Error::DuplicateName { .. } => "DuplicateNameError",
        Error::Source { .. } => "SourceError",
        Error::Columns(_) => "ColumnsError",
        _ => "FiedlerError",
    }
}
