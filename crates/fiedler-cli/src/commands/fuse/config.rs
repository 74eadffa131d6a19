//! `CONFIG.toml` as data. Unknown keys are errors, also those of another kind of source.
//!
//! Three modes: `[target]` with `[[source]]` (one graph of all sources), the same with `aggregate` (a ranking by each, and
//! one of all), and `[[ranking]]` alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiedler::Goal;
use serde::Deserialize;
use toml::{Table, Value};

use super::keys::{SourceConfig, TableKeys};
use super::lines::Lines;
use crate::failure::{Failure, Outcome};
use crate::text_file;

/// The rule of weights.
pub(super) const WEIGHT: &str = "must be finite and 0 or more";

/// The rule of all of them.
pub(super) const NOT_ALL_ZERO: &str = "must be above 0 for one at least, got 0 for all";

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    /// The data whose features are ranked.
    pub(super) target: Option<TableKeys>,
    /// Sources of knowledge.
    #[serde(default)]
    source: Vec<Table>,
    /// `equal`, `given`, `aligned` or `known`.
    pub(super) weights: Option<Weights>,
    /// Whether every graph is scaled to a mean degree of 1 first.
    pub(super) normalize: Option<bool>,
    /// The method that ranks on the combined graph, or the methods that rank on each.
    method: Option<Value>,
    /// Its parameters.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Value>,
    /// Rankings to aggregate.
    #[serde(default)]
    pub(super) ranking: Vec<RankingFile>,
    /// How: borda, median, rrf, rra or mc4; or a table of that and its parameters.
    pub(super) aggregate: Option<Value>,
    /// The number of features that were ranked, where lists name only some of them.
    pub(super) features: Option<usize>,
    /// A file with features that are known to matter, one a line.
    pub(super) known: Option<PathBuf>,
    /// Depths at which hits are counted.
    pub(super) depths: Option<Vec<usize>>,
    /// Where all of that is.
    #[serde(skip)]
    pub(super) lines: Lines,
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
    /// Whether features that the target does not have are dropped.
    pub(super) drop: Option<bool>,
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
    /// Learned from the features that are known to matter.
    Known,
}

/// What a file asks for.
#[derive(Clone, Copy)]
pub(super) enum Mode<'a> {
    /// One graph of all sources, and a ranking on it.
    Sources(&'a TableKeys),
    /// A ranking on each source, and one of all.
    Each(&'a TableKeys),
    /// One ranking of rankings in files.
    Rankings,
}

impl Weights {
    /// The word in the file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Weights::Equal => "equal",
            Weights::Given => "given",
            Weights::Aligned => "aligned",
            Weights::Known => "known",
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
        let mut config: Config = toml::from_str(&text)
            .map_err(|e| Failure::Usage(text_file::wrong(&shown.to_string(), &text, &e)))?;
        config.lines = Lines::new(path, &text);
        let wrong = |weight: Option<f64>| weight.filter(|w| !(w.is_finite() && *w >= 0.0));
        let weights = config.ranking.iter().enumerate();
        if let Some((at, weight)) = weights.filter_map(|(at, r)| Some((at, wrong(r.weight)?))).next() {
            let place = config.lines.of_ranking(at, "weight");
            return Err(Failure::usage(format!("{place}: `weight` {WEIGHT}, got {weight}")));
        }
        let shown = config.lines.of("target");
        match (&config.target, config.ranking.is_empty()) {
            (Some(target), _) if target.match_by.is_some() => {
                Err(Failure::usage(format!("{shown}: `match` belongs to a source, not to [target]")))
            }
            (Some(_), false) if config.aggregate.is_none() => Err(Failure::usage(format!(
                "{shown}: [target] and [[ranking]] become one ranking by `aggregate` (such as aggregate = \"borda\"); \
                 give it, or leave one of the two out"
            ))),
            (None, true) => Err(Failure::usage(format!(
                "{shown}: there is nothing to fuse; give [target] with [[source]], or [[ranking]]"
            ))),
            _ => Ok(config),
        }
    }

    /// What is asked for.
    pub(super) fn mode(&self) -> Mode<'_> {
        match (&self.target, &self.aggregate) {
            (Some(target), None) => Mode::Sources(target),
            (Some(target), Some(_)) => Mode::Each(target),
            (None, _) => Mode::Rankings,
        }
    }

    /// The methods by name, the usual one unless some are named.
    ///
    /// # Errors
    /// It is no name and no list of names, or a name comes twice.
    pub(super) fn methods(&self) -> Outcome<Vec<String>> {
        let wrong = |got: &str| {
            let rule = "the name of a method or a list of names";
            Failure::usage(format!("{}: `method` must be {rule}, got {got}", self.lines.of("method")))
        };
        let name = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| wrong(&plain(value)));
        let methods: Vec<String> = match &self.method {
            None => vec![fiedler::methods::DEFAULT_RANKING.to_owned()],
            Some(Value::Array(names)) => names.iter().map(name).collect::<Outcome<_>>()?,
            Some(one) => vec![name(one)?],
        };
        let twice = methods.iter().enumerate().find(|(at, m)| methods[..*at].contains(m));
        match (twice, methods.is_empty()) {
            (Some((_, method)), _) => Err(wrong(&format!("`{method}` twice"))),
            (None, true) => Err(wrong("none")),
            (None, false) => Ok(methods),
        }
    }

    /// Every file that is read, as written.
    pub(super) fn files(&self) -> Vec<&Path> {
        let target = self.target.iter().flat_map(|t| [Some(&t.file), t.labels.as_ref()]).flatten();
        let sources = self.source.iter().flat_map(|s| ["file", "ontology"].map(|key| s.get(key)));
        let sources = sources.filter_map(|value| value?.as_str()).map(Path::new);
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
            let source = SourceConfig::new(&self.lines, i, table.clone())?;
            if sources.iter().any(|s| s.name == source.name) {
                let (name, place) = (&source.name, source.lines.of("name"));
                return Err(Failure::usage(format!("{place}: two sources are called `{name}`")));
            }
            sources.push(source);
        }
        if sources.is_empty() && self.aggregate.is_none() {
            return Err(Failure::usage(format!("{}: there is no [[source]]", path.display())));
        }
        Ok(sources)
    }

    /// Where the weights come from: as said, or given where a source has a weight.
    ///
    /// # Errors
    /// Weights are given and not to be used, or to be used and not given.
    pub(super) fn weights(&self, sources: &[SourceConfig]) -> Outcome<Weights> {
        let given = sources.iter().filter(|s| s.weight.is_some()).count();
        let how = self.weights.unwrap_or(if given > 0 { Weights::Given } else { Weights::Equal });
        let shown = self.lines.of("weights");
        match how {
            Weights::Given if sources.iter().all(|s| s.weight == Some(0.0)) => {
                let place = sources.first().map_or(shown, |s| s.lines.of("weight"));
                Err(Failure::usage(format!("{place}: `weight` {NOT_ALL_ZERO}")))
            }
            Weights::Given if given < sources.len() => {
                let missing = sources.iter().find(|s| s.weight.is_none());
                let (place, name) =
                    missing.map_or_else(Default::default, |s| (s.lines.of("weight"), &s.name[..]));
                Err(Failure::usage(format!("{place}: source `{name}` has no `weight`; give all or none")))
            }
            Weights::Equal | Weights::Aligned if given > 0 => Err(Failure::usage(format!(
                "{shown}: weights = \"{}\" and a source has a `weight`; leave one out",
                how.name()
            ))),
            Weights::Known => Err(Failure::usage(format!(
                "{shown}: weights = \"known\" are weights of rankings; give `aggregate` too (such as aggregate = \"borda\"), \
                 or weights = \"aligned\""
            ))),
            how => Ok(how),
        }
    }

    /// Refuses keys that belong to the other mode.
    ///
    /// # Errors
    /// There is one.
    pub(super) fn refuse_other_mode(&self) -> Outcome {
        let normalize = ("normalize", self.normalize.is_some());
        let drops = ("drop", self.ranking.iter().any(|r| r.drop.is_some()));
        let features = ("features", self.features.is_some());
        let (mode, foreign) = match self.mode() {
            Mode::Sources(_) => ("[target]", vec![features]),
            Mode::Each(_) => ("[target] and `aggregate`", vec![features, normalize]),
            Mode::Rankings => {
                let method = ("method", self.method.is_some());
                ("[[ranking]]", vec![normalize, drops, method, ("source", !self.source.is_empty())])
            }
        };
        match foreign.iter().find(|(_, there)| *there) {
            Some((key, _)) => {
                Err(Failure::usage(format!("{}: `{key}` has no meaning with {mode}", self.lines.of(key))))
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
