//! `CONFIG.toml` as data. Unknown keys are errors, also those of another kind of source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiedler::Goal;
use serde::Deserialize;
use toml::{Table, Value};

use super::keys::{SourceConfig, TableKeys};
use crate::failure::{Failure, Outcome};
use crate::text_file;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    /// The data whose features are ranked.
    pub(super) target: Option<TableKeys>,
    /// Sources of knowledge.
    #[serde(default)]
    source: Vec<Table>,
    /// `equal`, `given` or `aligned`.
    weights: Option<Weights>,
    /// Whether every graph is scaled to a mean degree of 1 first.
    pub(super) normalize: Option<bool>,
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
    /// Which scores are better, where the file has scores and no ranks.
    pub(super) goal: Option<GoalKey>,
}

/// `goal = "minimize"` or `"maximize"`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GoalKey {
    /// Smaller is better.
    Minimize,
    /// Larger is better.
    Maximize,
}

impl From<GoalKey> for Goal {
    fn from(key: GoalKey) -> Self {
        match key {
            GoalKey::Minimize => Goal::Minimize,
            GoalKey::Maximize => Goal::Maximize,
        }
    }
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

impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// The file cannot be read, or has a key that does not exist there.
    pub(super) fn read(path: &Path) -> Outcome<Self> {
        let shown = path.display();
        let text = text_file::read(path).map_err(|e| Failure::Data(format!("{shown}: {e}")))?;
        let config: Config = toml::from_str(&text)
            .map_err(|e| Failure::Usage(text_file::wrong(&shown.to_string(), &text, &e)))?;
        match (&config.target, config.ranking.is_empty()) {
            (Some(target), true) if target.match_by.is_some() => {
                Err(Failure::usage(format!("{shown}: `match` belongs to a source, not to [target]")))
            }
            (Some(_), true) | (None, false) => Ok(config),
            (Some(_), false) => Err(Failure::usage(format!(
                "{shown}: give either [target] with [[source]], or [[ranking]], not both"
            ))),
            (None, true) => Err(Failure::usage(format!(
                "{shown}: there is nothing to fuse; give [target] with [[source]], or [[ranking]]"
            ))),
        }
    }

    /// Every file that is read, as written.
    pub(super) fn files(&self) -> Vec<&Path> {
        let target = self.target.iter().flat_map(|t| [Some(&t.file), t.labels.as_ref()]).flatten();
        let sources = self.source.iter().filter_map(|s| s.get("file")?.as_str()).map(Path::new);
        let rankings = self.ranking.iter().map(|r| r.file.as_path());
        let known = self.known.as_deref();
        target.map(PathBuf::as_path).chain(sources).chain(rankings).chain(known).collect()
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
                vec![("aggregate", self.aggregate.is_some()), ("features", self.features.is_some())],
            ),
            None => (
                "[[ranking]]",
                vec![
                    ("weights", self.weights.is_some()),
                    ("normalize", self.normalize.is_some()),
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
