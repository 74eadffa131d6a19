//! The one error type of the crate.
//!
//! Every message names what was wrong, the rule, what was got and, where there is one, what
//! to do about it. The command line prints these sentences as they stand.

use crate::limits::Bytes;

/// What can go wrong in the library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter breaks its rule.
    #[error("{} must be {rule}, got {got}", quoted(name))]
    Parameter {
        /// The parameter as the user writes it.
        name: String,
        /// The rule, as the end of a sentence that begins "`name` must be".
        rule: String,
        /// What was got.
        got: String,
    },
    /// A parameter the method does not have.
    #[error("{owner} has no parameter `{name}`; it has: {known}")]
    UnknownParameter {
        /// The method or graph asked.
        owner: &'static str,
        /// The name that is not one of its parameters.
        name: String,
        /// The names it has, separated by commas.
        known: String,
    },
    /// A parameter that none of several methods has.
    #[error("no parameter is called `{name}`; {known}")]
    UnreachedParameter {
        /// The name.
        name: String,
        /// What each method has.
        known: String,
    },
    /// A method that judges features together was asked to score them one by one.
    #[error(
        "{method} judges features together, so it cannot score some of them by themselves; rank all of them"
    )]
    JudgesTogether {
        /// The method.
        method: &'static str,
    },
    /// A method name that is not registered.
    #[error("no method is called `{name}`{hint}; the methods are: {known}")]
    UnknownMethod {
        /// The unknown name.
        name: String,
        /// ` (did you mean …?)`, what is nearest by meaning, or nothing.
        hint: String,
        /// All registered names.
        known: String,
    },
    /// A value is NaN or infinite.
    #[error(
        "value {value} at row {} (counting from 1), column `{feature}`: every value must be finite; \
         fill in or drop missing values first", .row + 1
    )]
    NotFinite {
        /// The value found.
        value: f64,
        /// The sample, counted from 0.
        row: usize,
        /// The feature, counted from 0.
        column: usize,
        /// The name of the feature.
        feature: String,
    },
    /// A column's values are too large, or too close together, for double precision to square.
    #[error(
        "column `{feature}` goes from {min:e} to {max:e}: values must lie within ±1e140 and, where they differ, \
         differ by 1e-140 at least; put the column in other units"
    )]
    OutOfRange {
        /// The feature, counted from 0.
        column: usize,
        /// The name of the feature.
        feature: String,
        /// Its smallest value.
        min: f64,
        /// Its largest value.
        max: f64,
    },
    /// The data set has no samples or no features.
    #[error("the data have {n_samples} samples and {n_features} features; at least one of each is needed")]
    Empty {
        /// Number of samples.
        n_samples: usize,
        /// Number of features.
        n_features: usize,
    },
    /// Two things that must have the same length do not.
    #[error("{what}: {got} given where {expected} are needed")]
    Length {
        /// What was counted.
        what: &'static str,
        /// How many are needed.
        expected: usize,
        /// How many were given.
        got: usize,
    },
    /// Too few samples for what was asked.
    #[error("{what} needs at least {needed} samples, got {got}")]
    TooFewSamples {
        /// Who asks.
        what: &'static str,
        /// How many it needs.
        needed: usize,
        /// How many there are.
        got: usize,
    },
    /// A supervised method met data without labels.
    #[error("{what} needs class labels and the data have none; name the label column")]
    LabelsMissing {
        /// Who asks.
        what: &'static str,
    },
    /// Labels that look like numbers to be predicted, where classes are needed.
    #[error(
        "{what} needs classes, and `{name}` looks like a number to be predicted: {values} different values for {samples} \
         samples; name it as the target (correlation, relieff, hsic, mrsf and \
         mrmr take one), or cut it into a few ranges (low, middle, high)"
    )]
    LabelsContinuous {
        /// Who asks.
        what: &'static str,
        /// What the labels are called.
        name: String,
        /// How many different ones there are.
        values: usize,
        /// How many samples have one.
        samples: usize,
    },
    /// A method that predicts a number met data without one.
    #[error("{what} needs a number to be predicted and the data have none; name the target column")]
    TargetMissing {
        /// Who asks.
        what: &'static str,
    },
    /// The number to be predicted is the same for every sample.
    #[error(
        "{what}: the target `{name}` is {value} for every sample, so there is nothing to predict; name another column"
    )]
    TargetConstant {
        /// Who asks.
        what: &'static str,
        /// The name of the target.
        name: String,
        /// The number.
        value: f64,
    },
    /// A number to be predicted was named where classes are needed.
    #[error("{what} needs classes{}, and the target `{name}` is a number to be predicted; {}",
        if setting.is_some() { " as it was asked" } else { "" }, taking_numbers(methods, *setting))]
    ClassesNeeded {
        /// Who asks.
        what: &'static str,
        /// The name of the target.
        name: String,
        /// The methods that take a number, separated by commas.
        methods: String,
        /// The parameter of the same method, and its value, with which it takes one.
        setting: Option<(&'static str, &'static str)>,
    },
    /// A supervised method met unlabeled samples.
    #[error(
        "{what} needs a label for every sample; {count} have none, the first at row {} (counting from 1); \
         leave their rows out of the file, or take sselect, which does with a few labels", .first + 1
    )]
    LabelsPartial {
        /// Who asks.
        what: &'static str,
        /// How many are unlabeled.
        count: usize,
        /// The first of them, counted from 0.
        first: usize,
    },
    /// All labels are the same.
    #[error("{what} needs at least two classes, the labels have one (`{class}`)")]
    OneClass {
        /// Who asks.
        what: &'static str,
        /// The only class.
        class: String,
    },
    /// A given similarity is not symmetric.
    #[error(
        "the given similarity must be symmetric: entry ({i}, {j}) is {a} and entry ({j}, {i}) is {b} \
         (counting from 0)"
    )]
    Asymmetric {
        /// Row.
        i: usize,
        /// Column.
        j: usize,
        /// Entry (i, j).
        a: f64,
        /// Entry (j, i).
        b: f64,
    },
    /// A given similarity has an entry that is not finite.
    #[error("the given similarity must be finite: entry ({i}, {j}) is {value} (counting from 0)")]
    SimilarityNotFinite {
        /// Row.
        i: usize,
        /// Column.
        j: usize,
        /// The entry.
        value: f64,
    },
    /// Something would need more memory than is allowed.
    #[error("{what} needs {needed} of memory, and the limit is {allowed}; {advice}")]
    TooLarge {
        /// What is large.
        what: String,
        /// What it needs.
        needed: Bytes,
        /// What is allowed.
        allowed: Bytes,
        /// What to do instead.
        advice: String,
    },
    /// An iteration did not reach its tolerance. Nothing half-converged is ever returned.
    #[error(
        "{what} did not converge in {iterations} iterations: residual {residual:.1e}, wanted {tolerance:.1e}; {advice}"
    )]
    NotConverged {
        /// What was computed.
        what: &'static str,
        /// Iterations made.
        iterations: usize,
        /// Largest residual left.
        residual: f64,
        /// The tolerance.
        tolerance: f64,
        /// What to do.
        advice: &'static str,
    },
    /// The path of an L2,1 regression cannot be followed as far as asked.
    #[error(
        "the path of the L2,1 regression stops at λ = {lambda:.4e}, where {active} features are active: {what}; \
         ask for at most {active} features, or drop columns that nearly repeat others"
    )]
    PathStuck {
        /// λ of the last point.
        lambda: f64,
        /// Features with weights there.
        active: usize,
        /// What went wrong, with figures.
        what: String,
    },
    /// Names of one source that another does not have.
    #[error(
        "{source_name}: {count} of {total} {kind} names are not in {other} ({examples}); \
         correct them, or allow what does not match to be dropped (drop = true)"
    )]
    UnknownNames {
        /// Where the names stand.
        source_name: String,
        /// `sample` or `feature`.
        kind: &'static str,
        /// Where they were looked for.
        other: String,
        /// How many are unknown.
        count: usize,
        /// Of how many.
        total: usize,
        /// The first few.
        examples: String,
    },
    /// Two sources have nothing in common.
    #[error("{source_name} and {other} share no {kind} name, for instance {examples}")]
    NothingShared {
        /// One source.
        source_name: String,
        /// The other.
        other: String,
        /// `sample` or `feature`.
        kind: &'static str,
        /// A name of each.
        examples: String,
    },
    /// A name that must be unique is not.
    #[error("{source_name}: the {kind} name `{name}` occurs twice, so it cannot be matched")]
    DuplicateName {
        /// Where.
        source_name: String,
        /// `sample` or `feature`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A source of knowledge says nothing that can be used.
    #[error("{source_name}: {what}")]
    Source {
        /// Its name.
        source_name: String,
        /// What is wrong with it, and what to do.
        what: String,
    },
    /// The caller's [`Monitor`](crate::Monitor) asked to stop.
    #[error("stopped on request")]
    Canceled,
    /// The columns come from elsewhere and could not be had.
    #[error("reading columns failed: {0}")]
    Columns(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Work could not be kept for a later run.
    #[error("{0}")]
    Checkpoint(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A direct eigensolver that gives up: extreme values are all that makes it.
    pub(crate) fn eigensolver(what: &'static str, advice: &'static str) -> Self {
        Error::NotConverged { what, iterations: 1, residual: f64::INFINITY, tolerance: f64::EPSILON, advice }
    }

    /// Classes are needed, and the user named a number.
    pub(crate) fn classes_needed(what: &'static str, target: &str) -> Self {
        let takes = crate::methods::all().iter().filter(|m| m.info.takes_number).map(|m| m.info.name);
        let methods = takes.collect::<Vec<_>>().join(", ");
        Error::ClassesNeeded { what, name: target.to_owned(), methods, setting: None }
    }

    /// A parameter error; `rule` ends the sentence "`name` must be".
    pub fn parameter(name: impl Into<String>, rule: impl Into<String>, got: impl ToString) -> Self {
        Error::Parameter { name: name.into(), rule: rule.into(), got: short(got.to_string()) }
    }
}

/// Who takes a number: the same method, asked otherwise, or others.
fn taking_numbers(methods: &str, setting: Option<(&str, &str)>) -> String {
    match setting {
        Some((name, value)) => format!("with `{name}={value}` it takes a number"),
        None => format!("methods that take a number: {methods}"),
    }
}

/// A name in backticks, unless it is in words that have some: "the ranking `x`".
fn quoted(name: &str) -> String {
    if name.contains('`') { name.to_owned() } else { format!("`{name}`") }
}

/// A number of hundreds of digits as powers of ten tell it.
fn short(text: String) -> String {
    match text.parse::<f64>() {
        Ok(number) if text.len() > 30 && number.is_finite() => format!("{number:e}"),
        _ => text,
    }
}
