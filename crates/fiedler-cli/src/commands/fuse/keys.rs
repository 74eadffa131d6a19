//! What a table of the configuration may say: the keys of every kind of source, with their defaults.

use std::path::{Path, PathBuf};

use fiedler::graph::Bandwidth;
use fiedler::{GraphRecipe, Scaling};
use fiedler_io::ReadOptions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use toml::{Table, Value};

use super::config::{WEIGHT, plain};
use super::feature_keys::FeatureKeys;
use super::lines::{Lines, SourceLines};
use crate::failure::{Failure, Outcome};
use crate::graph_keys::GraphKeys;
use crate::text_file;

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
    /// All of that, with defaults filled in.
    pub(super) settings: Map<String, serde_json::Value>,
    /// Where all of that is.
    pub(super) lines: SourceLines,
}

/// What a source is made of.
#[derive(Debug)]
pub(super) enum What {
    /// The target's own numbers.
    Target(GraphRecipe),
    /// Other measurements of the same samples.
    Data(Box<TableKeys>, GraphRecipe),
    /// The classes of the samples: the target's, or of a file.
    Labels(LabelKeys),
    /// Paths `a/b/c` of the samples.
    Hierarchy(HierarchyKeys),
    /// A similarity of the samples.
    Similarity(FileKey),
    /// Knowledge of features.
    Features(FeatureKeys),
}

/// A table of numbers: the target, or other data on its samples.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TableKeys {
    /// The file.
    pub(super) file: PathBuf,
    /// `columns` or `rows`.
    #[serde(default = "columns")]
    pub(super) features: String,
    /// The column of the sample names.
    pub(super) names: Option<String>,
    /// The column of the labels.
    pub(super) label: Option<String>,
    /// A file of labels.
    pub(super) labels: Option<PathBuf>,
    /// These features only.
    pub(super) include: Option<Vec<String>>,
    /// Columns that are left out.
    #[serde(default)]
    pub(super) exclude: Vec<String>,
    /// `auto`, `standard`, `range` or `none`.
    #[serde(default = "usual_scale")]
    pub(super) scale: String,
    /// How samples are matched, where not by name.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub(super) match_by: Option<MatchBy>,
}

/// `match = "names"` or `"position"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MatchBy {
    /// By the names of the samples, in any order.
    Names,
    /// The first sample is the first of the target, and so on.
    Position,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileKey {
    pub(super) file: PathBuf,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LabelKeys {
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct HierarchyKeys {
    pub(super) file: PathBuf,
    pub(super) level_weights: Option<Vec<f64>>,
}

fn columns() -> String {
    "columns".to_owned()
}

fn usual_scale() -> String {
    Scaling::default().name().to_owned()
}

/// The kinds of sources, as a message lists them.
const KINDS: &str = "target, data, labels, hierarchy, similarity, sets, network, annotations or sequences";

/// The fields of a source that is the target itself.
const TARGET: &str = "expected one of `name`, `kind`, `weight`, `drop`, `graph`";

impl SourceConfig {
    /// The source of a table, the `index`-th of the file.
    ///
    /// # Errors
    /// A key is missing, or not one of its kind.
    pub(super) fn new(all: &Lines, index: usize, mut table: Table) -> Outcome<Self> {
        let lines = all.source(index);
        let text = |table: &mut Table, key: &str| match table.remove(key) {
            Some(Value::String(text)) => Ok(text),
            other => {
                let (place, number) = (lines.of(key), index + 1);
                let what =
                    other.map_or("is not there".to_owned(), |o| format!("must be a text, got {}", plain(&o)));
                Err(Failure::usage(format!("{place}: `{key}` of source {number} {what}")))
            }
        };
        let kind = text(&mut table, "kind")?;
        let name = text(&mut table, "name")?;
        let place = Place { all, lines: &lines, index, name: &name };
        let weight: Option<f64> = place.take(&mut table, "weight")?;
        if let Some(wrong) = weight.filter(|w| !(w.is_finite() && *w >= 0.0)) {
            return Err(place.wrong("weight", format!("`weight` {WEIGHT}, got {wrong}")));
        }
        let drop = place.take(&mut table, "drop")?.unwrap_or(false);
        let (what, mut settings) = What::new(&place, &kind, table)?;
        settings.insert("drop".to_owned(), drop.into());
        Ok(SourceConfig { name, kind, weight, drop, what, settings, lines })
    }

    /// A failure with the place before it: the line of the key that it is about, or the source.
    pub(super) fn located(&self, failure: Failure) -> Failure {
        let line = failure.sentence().and_then(|sentence| self.lines.of_sentence(&sentence));
        match (line, failure) {
            (Some(line), Failure::Usage(sentence)) => {
                Failure::Usage(format!("{line}: {}: {sentence}", self.called()))
            }
            (Some(line), failure) => failure.at(&format!("{line}: {}", self.called())),
            (None, failure) => failure.at(&self.called()),
        }
    }

    /// What it is called in messages.
    pub(super) fn called(&self) -> String {
        format!("source `{}`", self.name)
    }

    /// The file of the source, if it has one.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.what {
            What::Target(_) => None,
            What::Labels(keys) => keys.file.as_deref(),
            What::Data(keys, _) => Some(&keys.file),
            What::Hierarchy(keys) => Some(&keys.file),
            What::Similarity(keys) => Some(&keys.file),
            What::Features(keys) => Some(keys.file()),
        }
    }
}

impl What {
    /// What a table says, and the same with defaults filled in.
    fn new(
        place: &Place<'_>,
        kind: &str,
        mut table: Table,
    ) -> Outcome<(Self, Map<String, serde_json::Value>)> {
        let (recipe, mut settings) = match kind {
            "target" | "data" | "sets" => place.recipe(&mut table)?,
            _ => (GraphRecipe::default(), Map::new()),
        };
        let more = &mut settings;
        let what = match kind {
            "target" => match table.keys().next() {
                Some(key) => return Err(place.wrong(key, format!("unknown field `{key}`, {TARGET}"))),
                None => What::Target(recipe),
            },
            "data" => What::Data(Box::new(place.data_keys(table, more)?), recipe),
            "sets" => What::Features(FeatureKeys::Sets(place.rest(table, more)?, recipe)),
            "labels" => What::Labels(place.rest(table, more)?),
            "hierarchy" => What::Hierarchy(place.rest(table, more)?),
            "similarity" => What::Similarity(place.rest(table, more)?),
            "network" => What::Features(FeatureKeys::Network(place.rest(table, more)?)),
            "annotations" => What::Features(FeatureKeys::Annotations(place.rest(table, more)?)),
            "sequences" => What::Features(FeatureKeys::Sequences(place.rest(table, more)?)),
            _ => return Err(place.wrong("kind", format!("`kind` must be {KINDS}, got `{kind}`"))),
        };
        Ok((what, settings))
    }
}

impl TableKeys {
    /// How to read it.
    ///
    /// # Errors
    /// `features` is neither `columns` nor `rows`.
    pub(super) fn options(&self, place: &str, folder: &Path) -> Outcome<ReadOptions> {
        Ok(ReadOptions {
            features: self.features.parse().map_err(usage(place))?,
            names: self.names.as_deref().map(Into::into),
            label: self.label.as_deref().map(Into::into),
            labels_file: self.labels.as_ref().map(|l| folder.join(l)),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            ..ReadOptions::default()
        })
    }

    /// `scale = "auto"`, the default, `"standard"`, `"range"` or `"none"`.
    ///
    /// # Errors
    /// It is none of these.
    pub(super) fn scaling(&self, place: &str) -> Outcome<Scaling> {
        self.scale.parse().map_err(usage(place))
    }
}

/// A source, and where its keys are.
struct Place<'a> {
    all: &'a Lines,
    lines: &'a SourceLines,
    index: usize,
    name: &'a str,
}

impl Place<'_> {
    /// What is wrong with a key.
    fn wrong(&self, key: &str, what: impl std::fmt::Display) -> Failure {
        self.wrong_at(&self.lines.of(key), what)
    }

    fn wrong_at(&self, line: &str, what: impl std::fmt::Display) -> Failure {
        Failure::usage(format!("{line}: source {} (`{}`): {what}", self.index + 1, self.name))
    }

    /// A key of its own.
    fn take<T: DeserializeOwned>(&self, table: &mut Table, key: &str) -> Outcome<Option<T>> {
        let wrong = |e: toml::de::Error| {
            self.wrong(key, format!("`{key}`: {}", text_file::in_plain_words(e.message())))
        };
        table.remove(key).map(|value| value.try_into().map_err(wrong)).transpose()
    }

    /// The graph of numbers, rbf unless given, and what was decided.
    fn recipe(&self, table: &mut Table) -> Outcome<(GraphRecipe, Map<String, serde_json::Value>)> {
        let keys = self.take(table, "graph")?.unwrap_or_else(|| GraphKeys::Kind("rbf".to_owned()));
        let told = keys.filled().map_err(|e| self.wrong("graph", e))?;
        let recipe = keys.recipe().map_err(|e| self.wrong("graph", e))?;
        Ok((recipe, Map::from_iter([("graph".to_owned(), told)])))
    }

    fn data_keys(&self, table: Table, settings: &mut Map<String, serde_json::Value>) -> Outcome<TableKeys> {
        let keys: TableKeys = self.rest(table, settings)?;
        match keys.labels {
            Some(_) => Err(self.wrong("labels", "`labels` belongs to [target]")),
            None => Ok(keys),
        }
    }

    /// The keys that are left, and into `settings` what they are with defaults filled in.
    fn rest<T: DeserializeOwned + Serialize>(
        &self,
        table: Table,
        settings: &mut Map<String, serde_json::Value>,
    ) -> Outcome<T> {
        let left: Vec<String> = table.keys().cloned().collect();
        let keys: T = Value::Table(table).try_into().map_err(|e: toml::de::Error| {
            let here = || (self.lines.of(""), text_file::in_plain_words(e.message()));
            let (line, what) = self.all.of_wrong::<T>(self.index, &left).unwrap_or_else(here);
            self.wrong_at(&line, what)
        })?;
        if let Ok(serde_json::Value::Object(told)) = serde_json::to_value(&keys) {
            settings.extend(told);
        }
        Ok(keys)
    }
}

/// `bandwidth = "auto"` or a number.
///
/// # Errors
/// It is neither.
pub(super) fn bandwidth(value: &Value) -> Outcome<Bandwidth> {
    plain(value).parse().map_err(Failure::usage)
}

/// A wrong value at a place in the file.
fn usage<E: ToString>(place: &str) -> impl Fn(E) -> Failure + '_ {
    move |error| Failure::usage(format!("{place}: {}", error.to_string()))
}
