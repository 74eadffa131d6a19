//! A recipe (`KEY.toml`) as data: what a paper printed and how it is computed again. Unknown keys are errors.

use std::collections::BTreeMap;
use std::path::Path;

use fiedler::Scaling;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use toml::Value;

pub(super) use super::counts::Counts;
pub(super) use super::kinds::{FusionKeys, Order, Race, StudyKeys};
use super::place::Origin;
use crate::failure::{Failure, Outcome};
pub(super) use crate::graph_keys::GraphKeys;
use crate::text_file::shown;

/// What stands beside the methods under a name of its own.
pub(super) const BASELINES: [&str; 2] = ["random", "all features"];

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    /// The file, for messages.
    #[serde(skip)]
    pub(super) origin: Origin,
    /// Where it is printed: `EVSC, table 2`.
    pub(super) source: String,
    /// What is measured.
    pub(super) title: String,
    /// How to come by files that are not there, in words.
    pub(super) get: Option<String>,
    /// What the paper does not tell, what was tried, what differs.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// Rankings judged by a protocol.
    pub(super) evaluate: Option<Evaluate>,
    /// Orders of features.
    #[serde(default)]
    pub(super) ranking: Vec<Order>,
    /// The synthetic study of DIS 2.5.
    pub(super) study: Option<StudyKeys>,
    /// A handful of labels (SSL).
    pub(super) labels: Option<Evaluate>,
    /// Chapter 5 on generated studies.
    pub(super) fusion: Option<FusionKeys>,
    /// The path against Nesterov's method (DIS 4.3.3).
    pub(super) race: Option<Race>,
    /// What is done to data and graph; the first is judged, the others are shown beside it.
    #[serde(default)]
    pub(super) setting: Vec<Setting>,
    /// The methods, under the paper's names.
    #[serde(default)]
    pub(super) method: Vec<Method>,
    /// The data sets with the printed values.
    #[serde(default)]
    pub(super) data: Vec<Data>,
    /// What the paper concludes.
    #[serde(default)]
    pub(super) claim: Vec<Claim>,
}

/// The protocol.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Evaluate {
    /// `1nn`, `svm`, `kmeans`, `jaccard` or `redundancy`.
    pub(super) metric: String,
    /// The numbers of features the values are averaged over.
    pub(super) counts: Counts,
    /// How many partitions (or starts of k-means) are averaged over.
    pub(super) repeats: usize,
    /// `training` or `all`: which samples selection sees.
    pub(super) selection: Option<String>,
    /// `accuracy`, the usual, or `nmi`: which measure of kmeans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) measure: Option<String>,
    /// Folds of cross-validation; halves where there is none.
    pub(super) folds: Option<usize>,
    /// Jaccard: the size of a neighborhood.
    pub(super) neighbors: Option<usize>,
    /// SVM: the costs to choose from.
    pub(super) costs: Option<Vec<f64>>,
    /// `last` where the printed values are those of the last features.
    #[serde(default, skip_serializing)]
    pub(super) printed: Option<String>,
    /// The number of features at which the printed values are; the mean over all of them where there is none.
    #[serde(default, skip_serializing)]
    pub(super) at: Option<usize>,
    /// Whether the page shows the value at every number of features.
    #[serde(default, skip_serializing)]
    pub(super) curves: bool,
    /// The page shows the tests of this method against every other one.
    #[serde(default, skip_serializing)]
    pub(super) against: Option<String>,
    /// Numbers of labeled samples (`[labels]`).
    #[serde(default)]
    pub(super) labeled: Vec<usize>,
    /// The gain over these is said to grow with the number of labels (`[labels]`).
    #[serde(default, skip_serializing)]
    pub(super) grows: Vec<String>,
    /// Whether the last features are judged too.
    #[serde(default)]
    pub(super) worst: bool,
    /// The seed.
    #[serde(default)]
    pub(super) seed: u64,
}

/// What is done to data and graph.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setting {
    /// What it is called.
    #[serde(skip_serializing)]
    pub(super) name: String,
    /// `standard`, `range` or `none`.
    pub(super) scale: Option<String>,
    /// The graph of the methods that take one; of `[[ranking]]`, what differs from the graph of the line.
    pub(super) graph: Option<GraphKeys>,
    /// Jaccard: the size of a neighborhood.
    pub(super) neighbors: Option<usize>,
    /// `training` or `all`.
    pub(super) selection: Option<String>,
}

impl Default for Setting {
    fn default() -> Self {
        Setting { name: "ours".to_owned(), scale: None, graph: None, neighbors: None, selection: None }
    }
}

impl Setting {
    /// The scaling; `standard` unless told otherwise.
    ///
    /// # Errors
    /// It is not known.
    pub(super) fn scaling(&self) -> Outcome<Scaling> {
        self.scale.as_deref().map_or(Ok(Scaling::Standard), |s| s.parse().map_err(Failure::usage))
    }
}

/// A method.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Method {
    /// The paper's name.
    pub(super) name: String,
    /// Ours.
    #[serde(default)]
    pub(super) method: String,
    /// In its place a configuration of `fiedler fuse`, a file beside that of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fuse: Option<String>,
    /// Its parameters; `classes` and `half` stand for the number of classes and of half of the samples.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Value>,
    /// Its graph, whatever the data and the setting say.
    pub(super) graph: Option<GraphKeys>,
}

/// A data set, or a row of the table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    /// The paper's name.
    pub(super) name: String,
    /// The file in the data directory, or `demo:NAME`.
    pub(super) file: String,
    /// The column of the classes, for formats that do not say.
    pub(super) label: Option<String>,
    /// The row is judged by hits: features of this list, a file beside that of the data, among the first.
    pub(super) known: Option<String>,
    /// The graph of this row.
    pub(super) graph: Option<GraphKeys>,
    /// Jaccard: the size of a neighborhood.
    pub(super) neighbors: Option<usize>,
    /// So many classes are drawn, and their samples select and judge.
    pub(super) classes: Option<usize>,
    /// So many samples of every class have a label that selection knows.
    pub(super) labeled: Option<usize>,
    /// The number of features at which the values of this row are printed.
    pub(super) at: Option<usize>,
    /// What is printed, by the name of the method; methods without a value are not run, but all are where there are
    /// no values at all.
    #[serde(default)]
    pub(super) paper: BTreeMap<String, Printed>,
}

/// A printed value, or one for every number of labels.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub(super) enum Printed {
    /// One.
    One(f64),
    /// One for each of `labeled`.
    Several(Vec<f64>),
}

impl TryFrom<Value> for Printed {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let number =
            |value: &Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        let several = |list: &Vec<Value>| list.iter().map(number).collect::<Option<Vec<f64>>>();
        let one = number(&value).map(Printed::One);
        one.or_else(|| value.as_array().and_then(several).map(Printed::Several)).ok_or_else(|| {
            format!("a printed value must be a number, or a list of numbers, got {}", shown(&value))
        })
    }
}

impl Printed {
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Printed::One(value) => value.is_finite(),
            Printed::Several(values) => values.iter().all(|v| v.is_finite()),
        }
    }

    /// The value at a place.
    pub(super) fn at(&self, place: usize) -> Option<f64> {
        match self {
            Printed::One(value) => Some(*value),
            Printed::Several(values) => values.get(place).copied(),
        }
    }
}

/// What the paper concludes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// In words.
    pub(super) text: String,
    /// This method is better …
    pub(super) better: Option<String>,
    /// … than each of these, row by row; all others where none are named.
    #[serde(default)]
    pub(super) than: Vec<String>,
    /// Only in these rows.
    #[serde(default)]
    pub(super) rows: Vec<String>,
    /// On average over the data sets, not row by row.
    #[serde(default)]
    pub(super) average: bool,
    /// By at least this much; negative: worse by no more.
    #[serde(default)]
    pub(super) by: f64,
    /// These two are the same, row by row.
    #[serde(default, deserialize_with = "two")]
    pub(super) equal: Option<[String; 2]>,
    /// This row is better than the other, method by method.
    #[serde(default, deserialize_with = "two")]
    pub(super) row: Option<[String; 2]>,
    /// Good minus bad features: the largest mean of all methods.
    pub(super) gap: Option<String>,
    /// `better` is meant at this number of features, not where the table has its values.
    pub(super) at: Option<usize>,
    /// `better` is meant of the means over all numbers of features and data sets.
    #[serde(default)]
    pub(super) overall: bool,
    /// The curve of this method goes the wrong way less far than those of the others, row by row.
    pub(super) steady: Option<String>,
}

/// A list of two names.
fn two<'de, D: Deserializer<'de>>(list: D) -> Result<Option<[String; 2]>, D::Error> {
    let names = Vec::<String>::deserialize(list)?;
    let got = names.len();
    let wrong = |_| D::Error::custom(format!("it must be a list of two names, got {got}"));
    names.try_into().map(Some).map_err(wrong)
}

/// Reads a recipe.
///
/// # Errors
/// It is not TOML, has unknown keys, or does not say what to do.
pub(super) fn parse(text: &str, name: &str) -> Outcome<Recipe> {
    let mut recipe: Recipe =
        toml::from_str(text).map_err(|e| Failure::Usage(crate::text_file::wrong(name, text, &e)))?;
    recipe.origin = Origin { file: name.to_owned(), text: text.to_owned() };
    let sections = [
        recipe.evaluate.is_some(),
        !recipe.ranking.is_empty(),
        recipe.study.is_some(),
        recipe.labels.is_some(),
        recipe.race.is_some(),
        recipe.fusion.is_some(),
    ];
    match sections.iter().filter(|given| **given).count() {
        1 => {
            let checked = super::check::check(&recipe, text)
                .and_then(|()| super::values::check(&recipe, text))
                .and_then(|()| super::meant::check(&recipe, text));
            checked.map_err(|(line, sentence)| {
                Failure::Usage(format!("{}: {sentence}", recipe.origin.at(line)))
            })?;
        }
        n => {
            return Err(Failure::Usage(format!(
                "{name}: one of [evaluate], [[ranking]], [study], [labels], [race] and [fusion] must be given, {n} are"
            )));
        }
    }
    Ok(recipe)
}

/// Reads a recipe of the user's.
///
/// # Errors
/// As [`parse`], and when the file cannot be read.
pub(super) fn read(path: &Path) -> Outcome<Recipe> {
    let text =
        crate::text_file::read(path).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?;
    parse(&text, &path.display().to_string())
}

impl Recipe {
    /// The settings; one that says nothing where the file has none.
    pub(super) fn settings(&self) -> Vec<Setting> {
        if self.setting.is_empty() { vec![Setting::default()] } else { self.setting.clone() }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;

    /// The keys that a table may have, as the parser lists them where it meets another one.
    fn keys<T: DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
        let error = toml::from_str::<T>("nonsense = 1").expect_err("there is no such key").to_string();
        let (_, known) = error.split_once("expected one of").expect("a list of keys");
        let mut keys: Vec<String> = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        keys.sort_unstable();
        keys
    }

    /// The keys of the table under a heading of the page.
    fn told(page: &str, heading: &str) -> Vec<String> {
        let mut sections = page.split("\n## ");
        let section = sections.find(|section| section.lines().next() == Some(heading)).expect("a heading");
        let first = |line: &str| line.strip_prefix("| `")?.split_once('`').map(|(key, _)| key.to_owned());
        let mut keys: Vec<String> = section.lines().filter_map(first).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn the_page_has_every_key_and_no_other() {
        let page = include_str!("../../../../../papers/RECIPES.md");
        let tables = [
            ("The file", keys::<Recipe>()),
            ("evaluate", keys::<Evaluate>()),
            ("setting", keys::<Setting>()),
            ("method", keys::<Method>()),
            ("data", keys::<Data>()),
            ("claim", keys::<Claim>()),
            ("ranking", keys::<Order>()),
            ("study", keys::<StudyKeys>()),
            ("fusion", keys::<FusionKeys>()),
            ("race", keys::<Race>()),
        ];
        for (heading, known) in tables {
            assert_eq!(told(page, heading), known, "{heading}");
        }
    }
}
