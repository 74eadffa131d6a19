//! `CONFIG.toml` as data. Unknown keys are errors, also those of another kind of source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiedler::graph::{Bandwidth, Knn, Metric, Rbf, Weight};
use fiedler::{GraphRecipe, Scaling};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::failure::{Failure, Outcome};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    /// The data whose features are ranked.
    pub(super) target: Option<Target>,
    /// Sources of knowledge.
    #[serde(default)]
    source: Vec<Table>,
    /// `equal`, `given` or `aligned`.
    weights: Option<Weights>,
    /// The method that ranks on the combined graph.
    pub(super) method: Option<String>,
    /// Its parameters.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Value>,
    /// Rankings to aggregate.
    #[serde(default)]
    pub(super) ranking: Vec<RankingFile>,
    /// How: borda, median, rrf, rra or mc4.
    pub(super) aggregate: Option<String>,
    /// The number of features that were ranked, where lists name only some of them.
    pub(super) features: Option<usize>,
    /// A file with features that are known to matter, one a line.
    pub(super) known: Option<PathBuf>,
    /// Depths at which hits are counted.
    pub(super) depths: Option<Vec<usize>>,
}

/// The data whose features are ranked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Target {
    /// The file.
    pub(super) file: PathBuf,
    /// `columns` or `rows`.
    pub(super) features: Option<String>,
    /// The column of the labels.
    pub(super) label: Option<String>,
    /// A file of labels.
    pub(super) labels: Option<PathBuf>,
    /// `standard`, `range` or `none`.
    pub(super) scale: Option<String>,
}

/// One ranking of `[[ranking]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RankingFile {
    /// What it is called; the file's name unless given.
    pub(super) name: Option<String>,
    /// The file.
    pub(super) file: PathBuf,
    /// Its weight, for borda and rrf.
    pub(super) weight: Option<f64>,
}

/// Where the weights of the sources come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Weights {
    /// All the same.
    Equal,
    /// `weight = …` of every source.
    Given,
    /// Learned from the labels of the target.
    Aligned,
}

impl Weights {
    /// The word in the file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Weights::Equal => "equal",
            Weights::Given => "given",
            Weights::Aligned => "aligned",
        }
    }
}

/// One source of `[[source]]`.
#[derive(Debug)]
pub(super) struct SourceConfig {
    /// What it is called.
    pub(super) name: String,
    /// The kind as written.
    pub(super) kind: String,
    /// Its weight, where weights are given.
    pub(super) weight: Option<f64>,
    /// Whether names that do not match are dropped.
    pub(super) drop: bool,
    /// What the kind takes besides.
    pub(super) what: What,
}

/// What a source is made of.
#[derive(Debug)]
pub(super) enum What {
    /// The target's own numbers.
    Target(GraphRecipe),
    /// Other measurements of the same samples.
    Data(DataKeys, GraphRecipe),
    /// The classes of the samples: the target's, or of a file.
    Labels(LabelKeys),
    /// Paths `a/b/c` of the samples.
    Hierarchy(HierarchyKeys),
    /// A similarity of the samples.
    Similarity(FileKey),
    /// Sets of features.
    Sets(SetKeys, GraphRecipe),
    /// Interactions or similarity of features.
    Network(NetworkKeys),
    /// Terms of features.
    Annotations(AnnotationKeys),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileKey {
    pub(super) file: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LabelKeys {
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct DataKeys {
    pub(super) file: PathBuf,
    pub(super) features: Option<String>,
    pub(super) scale: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct HierarchyKeys {
    pub(super) file: PathBuf,
    pub(super) level_weights: Option<Vec<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SetKeys {
    pub(super) file: PathBuf,
    /// Which sets of a GMT file; all unless given.
    pub(super) sets: Option<Vec<String>>,
    /// One set of all members, in place of a graph for each set.
    #[serde(default)]
    pub(super) join: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct NetworkKeys {
    pub(super) file: PathBuf,
    pub(super) covariance: Option<String>,
    pub(super) bandwidth: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AnnotationKeys {
    pub(super) file: PathBuf,
    pub(super) overlap: Option<String>,
    pub(super) max_features: Option<usize>,
    pub(super) covariance: Option<String>,
    pub(super) bandwidth: Option<Value>,
}

/// The kinds of sources, as a message lists them.
const KINDS: &str = "target, data, labels, hierarchy, similarity, sets, network or annotations";

impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// The file cannot be read, or has a key that does not exist there.
    pub(super) fn read(path: &Path) -> Outcome<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| Failure::Data(format!("{shown}: {e}")))?;
        let config: Config = toml::from_str(&text).map_err(|e| wrong(path, &e))?;
        match (config.target.is_some(), config.ranking.is_empty()) {
            (true, true) | (false, false) => Ok(config),
            _ => Err(Failure::usage(format!(
                "{shown}: give either [target] with [[source]], or [[ranking]], not both"
            ))),
        }
    }

    /// The sources.
    ///
    /// # Errors
    /// A kind does not exist, a key is not one of its kind, or a name is used twice.
    pub(super) fn sources(&self, path: &Path) -> Outcome<Vec<SourceConfig>> {
        let mut sources: Vec<SourceConfig> = Vec::with_capacity(self.source.len());
        for (i, table) in self.source.iter().enumerate() {
            let source = SourceConfig::new(path, i, table.clone())?;
            if sources.iter().any(|s| s.name == source.name) {
                let name = &source.name;
                return Err(Failure::usage(format!("{}: two sources are called `{name}`", path.display())));
            }
            sources.push(source);
        }
        if sources.is_empty() {
            return Err(Failure::usage(format!("{}: there is no [[source]]", path.display())));
        }
        Ok(sources)
    }

    /// Where the weights come from: as said, or given where a source has a weight.
    ///
    /// # Errors
    /// Weights are given and not to be used, or to be used and not given.
    pub(super) fn weights(&self, path: &Path, sources: &[SourceConfig]) -> Outcome<Weights> {
        let given = sources.iter().filter(|s| s.weight.is_some()).count();
        let how = self.weights.unwrap_or(if given > 0 { Weights::Given } else { Weights::Equal });
        let shown = path.display();
        match how {
            Weights::Given if given < sources.len() => {
                let missing = sources.iter().find(|s| s.weight.is_none()).map_or("", |s| &s.name);
                Err(Failure::usage(format!("{shown}: source `{missing}` has no `weight`; give all or none")))
            }
            Weights::Equal | Weights::Aligned if given > 0 => Err(Failure::usage(format!(
                "{shown}: weights = \"{}\" and a source has a `weight`; leave one out",
                how.name()
            ))),
            how => Ok(how),
        }
    }

    /// Refuses keys that belong to the other mode.
    ///
    /// # Errors
    /// There is one.
    pub(super) fn refuse_other_mode(&self, path: &Path) -> Outcome {
        let (mode, foreign) = match self.target {
            Some(_) => (
                "[target]",
                [("aggregate", self.aggregate.is_some()), ("features", self.features.is_some()), ("", false)],
            ),
            None => (
                "[[ranking]]",
                [
                    ("weights", self.weights.is_some()),
                    ("method", self.method.is_some()),
                    ("source", !self.source.is_empty()),
                ],
            ),
        };
        match foreign.iter().find(|(_, there)| *there) {
            Some((key, _)) => {
                Err(Failure::usage(format!("{}: `{key}` has no meaning with {mode}", path.display())))
            }
            None => Ok(()),
        }
    }
}

impl SourceConfig {
    fn new(path: &Path, index: usize, mut table: Table) -> Outcome<Self> {
        let place = |name: &str| format!("{}: source {} (`{name}`)", path.display(), index + 1);
        let text = |table: &mut Table, key: &str| match table.remove(key) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => {
                let (place, got) = (place(""), plain(&other));
                Err(Failure::usage(format!("{place}: `{key}` must be a text, got {got}")))
            }
            None => Err(Failure::usage(format!("{}: source {} has no `{key}`", path.display(), index + 1))),
        };
        let kind = text(&mut table, "kind")?;
        let name = text(&mut table, "name")?;
        let place = place(&name);
        let weight = take(&mut table, &place, "weight")?;
        let drop = take(&mut table, &place, "drop")?.unwrap_or(false);
        let what = What::new(&place, &kind, table)?;
        Ok(SourceConfig { name, kind, weight, drop, what })
    }
}

impl What {
    fn new(place: &str, kind: &str, mut table: Table) -> Outcome<Self> {
        let mut recipe = || recipe(place, &mut table);
        Ok(match kind {
            "target" => {
                let recipe = recipe()?;
                rest::<Nothing>(place, table)?;
                What::Target(recipe)
            }
            "data" => {
                let recipe = recipe()?;
                What::Data(rest(place, table)?, recipe)
            }
            "sets" => {
                let recipe = recipe()?;
                What::Sets(rest(place, table)?, recipe)
            }
            "labels" => What::Labels(rest(place, table)?),
            "hierarchy" => What::Hierarchy(rest(place, table)?),
            "similarity" => What::Similarity(rest(place, table)?),
            "network" => What::Network(rest(place, table)?),
            "annotations" => What::Annotations(rest(place, table)?),
            _ => return Err(Failure::usage(format!("{place}: `kind` must be {KINDS}, got `{kind}`"))),
        })
    }

    /// The file of the source, if it has one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            What::Target(_) => None,
            What::Labels(keys) => keys.file.as_deref(),
            What::Data(keys, _) => Some(&keys.file),
            What::Hierarchy(keys) => Some(&keys.file),
            What::Similarity(keys) => Some(&keys.file),
            What::Sets(keys, _) => Some(&keys.file),
            What::Network(keys) => Some(&keys.file),
            What::Annotations(keys) => Some(&keys.file),
        }
    }
}

/// For kinds that take nothing more.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// The graph of numbers: `graph = "rbf"` (the default) or `"knn"` with their options.
fn recipe(place: &str, table: &mut Table) -> Outcome<GraphRecipe> {
    let kind: String = take(table, place, "graph")?.unwrap_or_else(|| "rbf".to_owned());
    let bandwidth = bandwidth(place, table.remove("bandwidth").as_ref())?;
    match kind.as_str() {
        "rbf" => Ok(GraphRecipe::Rbf(Rbf { bandwidth })),
        "knn" => {
            let default = Knn::default();
            let metric: Option<String> = take(table, place, "metric")?;
            let weight: Option<String> = take(table, place, "edge-weight")?;
            Ok(GraphRecipe::Knn(Knn {
                k: take(table, place, "k")?.unwrap_or(default.k),
                weight: weight.map_or(Ok(default.weight), |t| t.parse::<Weight>()).map_err(usage(place))?,
                metric: metric.map_or(Ok(default.metric), |t| t.parse::<Metric>()).map_err(usage(place))?,
                mutual: take(table, place, "mutual")?.unwrap_or(false),
                bandwidth,
                ..default
            }))
        }
        _ => Err(Failure::usage(format!("{place}: `graph` must be rbf or knn, got `{kind}`"))),
    }
}

/// `bandwidth = "auto"` or a number.
///
/// # Errors
/// It is neither.
pub(super) fn bandwidth(place: &str, value: Option<&Value>) -> Outcome<Bandwidth> {
    match value {
        None => Ok(Bandwidth::Auto),
        Some(value) => plain(value).parse().map_err(usage(place)),
    }
}

/// `scale = "standard"`, the default, `"range"` or `"none"`.
///
/// # Errors
/// It is none of these.
pub(super) fn scaling(place: &str, text: Option<&str>) -> Outcome<Scaling> {
    text.map_or(Ok(Scaling::default()), str::parse).map_err(usage(place))
}

/// A value as the user would write it on the command line.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        other => format!("<{}>", other.type_str()),
    }
}

/// A wrong value at a place in the file.
pub(super) fn usage<E: ToString>(place: &str) -> impl Fn(E) -> Failure + '_ {
    move |error| Failure::usage(format!("{place}: {}", error.to_string()))
}

fn take<T: DeserializeOwned>(table: &mut Table, place: &str, key: &str) -> Outcome<Option<T>> {
    let read = |value: Value| value.try_into().map_err(|e: toml::de::Error| wrong_key(place, key, &e));
    table.remove(key).map(read).transpose()
}

fn wrong_key(place: &str, key: &str, error: &toml::de::Error) -> Failure {
    Failure::usage(format!("{place}: `{key}`: {}", error.message()))
}

fn rest<T: DeserializeOwned>(place: &str, table: Table) -> Outcome<T> {
    Value::Table(table)
        .try_into()
        .map_err(|e: toml::de::Error| Failure::usage(format!("{place}: {}", e.message())))
}

fn wrong(path: &Path, error: &toml::de::Error) -> Failure {
    Failure::usage(format!("{}: {}", path.display(), error.to_string().trim_end()))
}
