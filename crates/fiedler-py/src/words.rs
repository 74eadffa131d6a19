//! The library's sentences in Python's words: names of keywords, and advice that works when followed here.

use fiedler::{ParameterInfo, Role, Step};
use pyo3::prelude::*;

/// Names in sentences, and advice that is worded for tables in files.
const WORDS: [(&str, &str); 16] = [
    ("`k`", "`n_neighbors`"),
    ("`neighbors`", "`n_neighbors`"),
    ("`count`", "`n_features_to_select`"),
    ("`protocol`", "`metric`"),
    ("`select-on`", "`select_on`"),
    ("`keep`", "`n_features_to_select`"),
    ("`top`", "`n_features_to_select`"),
    ("`seed`", "`random_state`"),
    ("`lambda`", "`lam`"),
    // Estimators have a method of that name.
    ("`transform`", "`value_transform`"),
    ("a larger k", "a larger `n_neighbors`"),
    ("a larger `rank`, k or", "a larger `rank`, `n_neighbors` or"),
    ("name the label column", "pass them as `y`"),
    ("name the target column", "pass it as `y`"),
    ("name it as the target", "pass it as floats"),
    ("allow more memory (`memory`)", "allow more memory (`fiedler.set_config(memory=\"8GB\")`)"),
];

/// A sentence of the library in Python's words.
pub(crate) fn sentence(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// What the user writes to follow advice in a note or a warning, where the sentence does not say it.
pub(crate) fn step_as_keyword(step: Step<'_>) -> Option<String> {
    match step {
        Step::Labeled(each) => Some(format!("`labeled={each}`")),
        Step::Ranks => Some("`value_transform=\"ranks\"`".to_owned()),
        Step::Label(_) | Step::Target(_) => Some("as `y`".to_owned()),
        _ => None,
    }
}

/// The keyword of a parameter.
pub(crate) fn keyword(parameter: &ParameterInfo) -> String {
    match parameter.role {
        Role::Count => "n_features_to_select".to_owned(),
        Role::Neighbors => "n_neighbors".to_owned(),
        Role::Seed => "random_state".to_owned(),
        _ => keyword_of_name(parameter.name),
    }
}

/// The keyword of a name without a role; `lambda` is a word of the language.
fn keyword_of_name(name: &str) -> String {
    if name == "lambda" { "lam".to_owned() } else { name.replace('-', "_") }
}

/// Names that are separated by commas, as keywords.
pub(crate) fn list_of_names(known: &str) -> String {
    let one = |name: &str| {
        let quoted = sentence(&format!("`{name}`"));
        quoted.trim_matches('`').to_owned()
    };
    known.split(", ").map(one).collect::<Vec<_>>().join(", ")
}

/// A sentence of the library in Python's words.
#[pyfunction]
pub(crate) fn in_python(text: &str) -> String {
    sentence(text)
}
