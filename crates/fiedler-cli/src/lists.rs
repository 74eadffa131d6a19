//! Lists of feature names, and the nearest name where one is unknown.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fiedler::Dataset;

use crate::failure::{Failure, Outcome};

/// Names of features, each with the place where it was written.
pub(crate) struct Names(Vec<(String, String)>);

/// Reads what follows `--include` or `--exclude`, which may stand there several times: a file with
/// one name per line, where blank lines and what follows `#` are skipped, or, where there is no
/// such file, names separated by commas.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn read(lists: &[PathBuf], option: &str) -> Outcome<Names> {
    let names = lists.iter().map(|list| read_one(list, option)).collect::<Outcome<Vec<_>>>()?;
    Ok(Names(names.into_iter().flat_map(|names| names.0).collect()))
}

fn read_one(list: &Path, option: &str) -> Outcome<Names> {
    let shown = list.display();
    if !list.exists() {
        let place = format!("{option} (there is no file `{shown}`)");
        let names = list.to_string_lossy();
        return Ok(Names(names.split(',').map(|name| (name.trim().to_owned(), place.clone())).collect()));
    }
    let text = crate::text_file::read(list).map_err(|e| Failure::Data(format!("{shown}: {e}")))?;
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let named = lines.map(|(i, line)| (line.split('#').next().unwrap_or_default().trim(), i + 1));
    let filled = named.filter(|(name, _)| !name.is_empty());
    Ok(Names(filled.map(|(name, line)| (name.to_owned(), format!("{shown}, line {line}"))).collect()))
}

impl Names {
    /// The names.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Where a name was written.
    pub(crate) fn place(&self, wanted: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == wanted).map(|(_, place)| place.as_str())
    }

    /// The indices of the features, ascending. A name that several features share means all
    /// of them.
    ///
    /// # Errors
    /// A name is not that of a feature.
    pub(crate) fn find(&self, data: &Dataset) -> Outcome<Vec<usize>> {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for j in 0..data.n_features() {
            by_name.entry(data.feature_name(j).into_owned()).or_default().push(j);
        }
        let mut found = Vec::new();
        for (name, place) in &self.0 {
            let indices = by_name.get(name).ok_or_else(|| {
                let hint = did_you_mean(name, by_name.keys().map(String::as_str));
                Failure::Data(format!("{place}: no feature is called `{name}`{hint}"))
            })?;
            found.extend(indices);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

/// `; did you mean …?` where a name is at most two typing errors away, or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let nearest = names.map(|n| (distance(name, n), n)).filter(|(d, _)| *d <= 2).min();
    nearest.map_or(String::new(), |(_, n)| format!("; did you mean `{n}`?"))
}

/// The number of letters to change, add or drop, capitals aside (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for j in 1..=b.len() {
            let substituted = diagonal + usize::from(letter != b[j - 1]);
            diagonal = row[j];
            row[j] = substituted.min(row[j] + 1).min(row[j - 1] + 1);
        }
    }
    row[b.len()]
}
