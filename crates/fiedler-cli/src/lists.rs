//! Lists of feature names, and the nearest name where one is unknown.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fiedler::Dataset;
use fiedler::fusion::{KnownFeatures, examples};

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

    /// The features that are known to matter; those that the data do not have are left out of them, as a fusion does.
    ///
    /// # Errors
    /// The data have none of them.
    pub(crate) fn known(&self, data: &Dataset) -> Outcome<KnownFeatures> {
        let known = KnownFeatures::new(self.texts(), data.feature_names(), data.n_features());
        match (&known.features[..], &self.0[..]) {
            ([], [_, _, ..]) => Err(Failure::Data(format!(
                "the data have none of the {} features that are known to matter ({}); name features as the data do",
                known.not_ranked.len(),
                examples(&known.not_ranked)
            ))),
            ([], _) => self.find(data).map(|_| known),
            _ => Ok(known),
        }
    }

    /// The indices of the features, ascending. A name that several features share means all
    /// of them.
    ///
    /// # Errors
    /// A name is not that of a feature.
    pub(crate) fn find(&self, data: &Dataset) -> Outcome<Vec<usize>> {
        let mut places: HashMap<&str, Vec<usize>> =
            self.0.iter().map(|(name, _)| (&**name, Vec::new())).collect();
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let names = || (0..data.n_features()).map(|j| data.feature_name(j));
        for (j, name) in names().enumerate() {
            if let Some(places) = places.get_mut(&*name) {
                places.push(j);
            }
        }
        let mut found = Vec::new();
        for (name, place) in &self.0 {
            let indices = &places[&**name];
            if indices.is_empty() {
                let all: Vec<_> = names().collect();
                let hint = did_you_mean(name, all.iter().map(|n| &**n));
                return Err(Failure::Data(format!("{place}: no feature is called `{name}`{hint}")));
            }
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

/// The number of letters to change, add, drop or exchange with the next, capitals aside (Damerau & Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase().chars().collect::<Vec<_>>(), b.to_lowercase().chars().collect::<Vec<_>>());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_changed_places_are_one_error() {
        assert_eq!(["TOP", "DPI", "TPO", "TP", ""].map(|other| distance("tpo", other)), [1, 2, 0, 1, 3]);
        assert_eq!(did_you_mean("TPO", ["DPI", "TOP"].into_iter()), "; did you mean `TOP`?");
    }
}
