//! How rankings become one, as the file says it: `aggregate`, `weights`, `known`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiedler::Findings;
use fiedler::fusion::{Aggregation, Consensus, ListWeights};
use toml::Value;

use super::Known;
use super::config::{Config, Mode, NOT_ALL_ZERO, Weights, plain};
use crate::failure::{Failure, Outcome};

/// An aggregation and where its rankings came from.
pub(super) struct Aggregated<'a> {
    /// The configuration.
    pub(super) config: &'a Path,
    /// How.
    pub(super) aggregation: Aggregation,
    /// Where the weights came from.
    pub(super) weights: Weights,
    /// The rankings, in the order of the findings' sources.
    pub(super) lists: Vec<List>,
    /// What was found.
    pub(super) found: Findings,
    /// The file that names the known features, where there is one.
    pub(super) known: Option<PathBuf>,
    /// The names of the features that the weights were learned from.
    pub(super) learned_from: Vec<String>,
}

/// One ranking that went in.
pub(super) struct List {
    /// Its name.
    pub(super) name: String,
    /// Its file, where it came from one.
    pub(super) file: Option<PathBuf>,
    /// The source on which it was made here.
    pub(super) source: Option<String>,
    /// The method by which it was made here.
    pub(super) method: Option<&'static str>,
    /// Which scores are better, where the configuration says so.
    pub(super) goal: Option<&'static str>,
    /// How many features it ranks.
    pub(super) features: usize,
    /// The weight that the file gives it.
    pub(super) given: Option<f64>,
}

/// The aggregation: `"rrf"`, or `{ kind = "rrf", k = 60 }`; where only rankings are joined, `set` has its parameters too.
///
/// # Errors
/// There is no such aggregation, or it has no such parameter.
pub(super) fn aggregation(config: &Config) -> Outcome<Aggregation> {
    let shown = config.lines.of("aggregate");
    let set = if matches!(config.mode(), Mode::Rankings) { config.set.clone() } else { BTreeMap::new() };
    let (name, mut left) = match &config.aggregate {
        None => ("borda".to_owned(), set),
        Some(Value::Table(table)) => {
            let mut left: BTreeMap<String, Value> = table.clone().into_iter().chain(set).collect();
            match left.remove("kind") {
                Some(kind) => (plain(&kind), left),
                None => {
                    let rule = "needs a `kind`, as in aggregate = { kind = \"rrf\", k = 60 }";
                    return Err(Failure::usage(format!("{shown}: `aggregate` {rule}")));
                }
            }
        }
        Some(name) => (plain(name), set),
    };
    let chosen = Aggregation::ALL.into_iter().find(|a| a.name() == name).ok_or_else(|| {
        let known = Aggregation::ALL.map(Aggregation::name).join(", ");
        Failure::usage(format!("{shown}: `aggregate` must be one of {known}, got `{name}`"))
    })?;
    let mut number = |key: &str, default: f64| match left.remove(key) {
        None => Ok(default),
        Some(value) => value.as_float().or_else(|| value.as_integer().map(|i| i as f64)).ok_or_else(|| {
            Failure::usage(format!("{shown}: `{key}` must be a number, got {}", plain(&value)))
        }),
    };
    let chosen = match chosen {
        Aggregation::ReciprocalRank { k } => Aggregation::ReciprocalRank { k: number("k", k)? },
        Aggregation::Mc4 { jump } => Aggregation::Mc4 { jump: number("jump", jump)? },
        other => other,
    };
    chosen.check_parameter().map_err(|e| Failure::usage(format!("{shown}: {e}")))?;
    match left.keys().next() {
        Some(key) => Err(Failure::usage(format!("{shown}: {name} has no parameter `{key}`"))),
        None => Ok(chosen),
    }
}

/// Where the weights of the lists come from: as said, or given where one of them is given.
///
/// # Errors
/// Weights are given and not to be used, or to be used and not given, or to be learned from what is not there.
pub(super) fn weights(config: &Config, any_given: bool) -> Outcome<Weights> {
    let how = config.weights.unwrap_or(if any_given { Weights::Given } else { Weights::Equal });
    let shown = config.lines.of("weights");
    let wrong = |what: &str| Err(Failure::usage(format!("{shown}: weights = \"{}\" {what}", how.name())));
    match how {
        Weights::Given if !any_given => wrong("and there is no `weight`; give some, or leave `weights` out"),
        Weights::Equal | Weights::Known if any_given => wrong("and there is a `weight`; leave one out"),
        Weights::Aligned => wrong(
            "are weights of graphs that are added up; rankings take \"equal\", \"given\" or \"known\" (learned from \
             the features that `known` names)",
        ),
        Weights::Known if config.known.is_none() => {
            wrong("needs `known`, a file with the features that are known to matter")
        }
        how => Ok(how),
    }
}

/// What the core refuses of the lists, with the line of the key that it is about.
pub(super) fn refused(error: fiedler::Error, config: &Config) -> Failure {
    match (&error, &config.known) {
        (fiedler::Error::Parameter { name, .. }, Some(file)) if name == "known" => Failure::Data(format!(
            "{}: {error}; name others in {}, or leave weights = \"known\" out",
            config.lines.of("known"),
            file.display()
        )),
        (fiedler::Error::Parameter { name, rule, .. }, _) if name == "weights" && rule == "not all 0" => {
            let of_source = config.lines.source(0).of("weight");
            let place =
                if config.ranking.is_empty() { of_source } else { config.lines.of_ranking(0, "weight") };
            Failure::usage(format!("{place}: `weight` {NOT_ALL_ZERO}"))
        }
        _ => error.into(),
    }
}

/// What the core is asked.
///
/// # Errors
/// The aggregation takes no weights.
pub(super) fn consensus(
    path: &Path,
    (aggregation, weights): (Aggregation, Weights),
    lists: &[List],
    known: Option<&Known>,
) -> Outcome<Consensus> {
    let given = || lists.iter().map(|list| list.given.unwrap_or(1.0)).collect();
    let weights = match weights {
        Weights::Given => ListWeights::Given(given()),
        Weights::Known => ListWeights::Known,
        Weights::Equal | Weights::Aligned => ListWeights::Equal,
    };
    let known = known.map(|known| known.features.clone());
    let asked = Consensus { aggregation, weights, known };
    asked.check().map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
    Ok(asked)
}
