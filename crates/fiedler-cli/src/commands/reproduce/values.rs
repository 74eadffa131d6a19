//! Values of a recipe that break a rule, told with their lines before any work is done.

use fiedler::eval::Measure;
use fiedler::{Analysis, ParameterValue};
use toml::Value;
use toml::de::{DeTable, DeValue};

use super::recipe::{GraphKeys, Method, Recipe};
use crate::text_file::line_at;

/// A sentence, and the line it is about where that is known.
pub(super) type Wrong = (Option<usize>, String);

/// Checks graphs, methods with their parameters, scalings and the metric.
///
/// # Errors
/// One of them is wrong.
pub(super) fn check(recipe: &Recipe, text: &str) -> Result<(), Wrong> {
    for (at, setting) in recipe.setting.iter().enumerate() {
        let place = Place { text, table: "setting", at, name: &setting.name };
        place.graph(setting.graph.as_ref())?;
        setting.scaling().map_err(|e| place.wrong(&["scale"], &e.sentence().unwrap_or_default()))?;
    }
    for (at, data) in recipe.data.iter().enumerate() {
        Place { text, table: "data", at, name: &data.name }.graph(data.graph.as_ref())?;
    }
    let judged = recipe.evaluate.is_some() || recipe.labels.is_some();
    for (at, method) in recipe.method.iter().enumerate() {
        let place = Place { text, table: "method", at, name: &method.name };
        place.graph(method.graph.as_ref())?;
        if judged && method.fuse.is_none() {
            place.method(method)?;
        }
    }
    if let Some(question) = &recipe.evaluate {
        let at = |sentence| (line(text, ("evaluate", 0), &["metric"]), sentence);
        metric(&question.metric).map_err(at)?;
    }
    Ok(())
}

/// The measure of a metric's name.
///
/// # Errors
/// Recipes have no such metric.
pub(super) fn metric(name: &str) -> Result<Measure, String> {
    match Measure::named(name) {
        Err(_) | Ok(Measure::Regression { .. } | Measure::Hits { .. }) => {
            Err(format!("`metric` must be 1nn, svm, kmeans, jaccard or redundancy, got `{name}`"))
        }
        Ok(usual) => Ok(usual),
    }
}

/// The parameters of a method; `classes` and `half` are words for numbers of the data.
pub(super) fn settings(method: &Method, classes: usize, half: usize) -> Vec<(String, ParameterValue)> {
    let words = |value: &Value| match value {
        Value::String(word) if word == "classes" => classes.to_string(),
        Value::String(word) if word == "half" => half.to_string(),
        Value::String(word) => word.clone(),
        other => crate::config::texts(other).join(","),
    };
    method.set.iter().map(|(name, value)| (name.clone(), words(value).into())).collect()
}

/// A table of the recipe.
struct Place<'a> {
    text: &'a str,
    table: &'a str,
    at: usize,
    name: &'a str,
}

impl Place<'_> {
    fn wrong(&self, keys: &[&str], sentence: &str) -> Wrong {
        let line = line(self.text, (self.table, self.at), keys);
        (line, format!("{} `{}`: {sentence}", self.table, self.name))
    }

    /// A graph; one without a kind says only what differs from another.
    fn graph(&self, keys: Option<&GraphKeys>) -> Result<(), Wrong> {
        let whole = |keys: &&GraphKeys| !matches!(keys, GraphKeys::Table(t) if !t.contains_key("kind"));
        let Some(Err(sentence)) = keys.filter(whole).map(GraphKeys::recipe) else { return Ok(()) };
        Err(self.wrong(&["graph", about(&sentence, |key| self.has("graph", key))], &sentence))
    }

    fn method(&self, method: &Method) -> Result<(), Wrong> {
        let (methods, settings) = (vec![method.method.clone()], settings(method, 2, 2));
        let Err(error) = (Analysis { methods, settings, ..Analysis::default() }).check() else {
            return Ok(());
        };
        let sentence = error.to_string();
        match about(&sentence, |key| method.set.contains_key(key)) {
            "" => Err(self.wrong(&["method"], &sentence)),
            key => Err(self.wrong(&["set", key], &sentence)),
        }
    }

    fn has(&self, key: &str, inner: &str) -> bool {
        let (outer, both) = (line_and_depth(self.text, (self.table, self.at), &[key]), [key, inner]);
        let found = line_and_depth(self.text, (self.table, self.at), &both);
        outer.is_some() && found.is_some_and(|(_, depth)| depth == 2)
    }
}

/// The key that a sentence is about: the first word in backticks that is one.
fn about(sentence: &str, is_key: impl Fn(&str) -> bool) -> &str {
    sentence.split('`').skip(1).step_by(2).find(|word| is_key(word)).unwrap_or("")
}

/// The line of a key within keys of a table, or of the innermost that is there.
pub(super) fn line(text: &str, table: (&str, usize), keys: &[&str]) -> Option<usize> {
    line_and_depth(text, table, keys).map(|(line, _)| line)
}

/// The same, and how many of the keys are there.
pub(super) fn line_and_depth(
    text: &str,
    (table, at): (&str, usize),
    keys: &[&str],
) -> Option<(usize, usize)> {
    let whole = DeTable::parse(text).ok()?;
    let entry = whole.get_ref().get(table)?;
    let entry = match entry.get_ref() {
        DeValue::Array(all) => all.get(at)?,
        _ => entry,
    };
    let mut inside = entry.get_ref().as_table()?;
    let mut found = (entry.span().start, 0);
    for key in keys {
        let Some((name, value)) = inside.iter().find(|(name, _)| name.get_ref() == key) else { break };
        found = (name.span().start, found.1 + 1);
        let Some(table) = value.get_ref().as_table() else { break };
        inside = table;
    }
    Some((line_at(text, found.0), found.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[evaluate]\nmetric = \"1nn\"\n\n[[method]]\nname = \"A\"\n\n[[method]]\nname = \"B\"\nset = { x = 1,\n y = 2 }\n[method.graph]\nkind = \"knn\"\nbeta = 1\n";

    #[test]
    fn keys_have_lines_however_deep() {
        let of = |at, keys: &[&str]| line(TEXT, ("method", at), keys);
        assert_eq!(of(1, &["graph", "beta"]), Some(13));
        assert_eq!((of(1, &["graph", "none"]), of(1, &["none"])), (Some(11), Some(7)));
        assert_eq!((of(1, &["set", "x"]), of(0, &["name"]), of(2, &["name"])), (Some(9), Some(5), None));
        assert_eq!(line(TEXT, ("evaluate", 0), &["metric"]), Some(2));
        assert_eq!(line(TEXT, ("data", 0), &["file"]), None);
    }

    #[test]
    fn a_sentence_is_about_its_first_key() {
        assert_eq!(about("`knn` has no option `beta`", |key| key == "beta"), "beta");
        assert_eq!(about("nothing here", |_| true), "");
    }
}
