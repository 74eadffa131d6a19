//! Names that must be told apart.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::error::{ColumnName, Location};
use crate::{Error, Result};

/// A path as a message names it: one line, whatever the name holds. What is no Unicode is replaced, and a
/// line end or another control character is written as in a program (`\\n`).
pub fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for c in path.to_string_lossy().chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Notes on single names before the rest is only counted.
const TOLD: usize = 5;

/// Makes names different from one another: the second `a` becomes `a_2`. An empty name becomes
/// its position, except in the first place, where it is the corner above the row names. Answers the names
/// that were repeated.
pub(crate) fn make_unique(names: &mut [String], what: &str, notes: &mut Vec<String>) -> Vec<String> {
    let different: HashSet<&str> = names.iter().map(String::as_str).collect();
    if different.len() == names.len() && names.iter().skip(1).all(|n| !n.is_empty()) {
        return Vec::new();
    }
    let given: HashSet<String> = names.iter().cloned().collect();
    let mut seen: HashSet<String> = HashSet::with_capacity(names.len());
    let mut copies: HashMap<String, usize> = HashMap::new();
    let mut changed = 0;
    let mut repeated = Vec::new();
    for (position, name) in names.iter_mut().enumerate() {
        let old = name.clone();
        if old.is_empty() && position > 0 {
            *name = format!("{what}_{}", position + 1);
        }
        let stem = name.clone();
        while seen.contains(name.as_str()) || (*name != old && given.contains(name.as_str())) {
            let copy = copies.entry(stem.clone()).or_insert(1);
            *copy += 1;
            *name = format!("{stem}_{copy}");
        }
        seen.insert(name.clone());
        if *name != old {
            changed += 1;
            if !old.is_empty() && !repeated.contains(&old) {
                repeated.push(old.clone());
            }
            if changed <= TOLD {
                let called =
                    if old.is_empty() { "has no name".to_owned() } else { format!("is a second `{old}`") };
                notes.push(format!("{what} {} {called}: it is called `{name}` here", position + 1));
            }
        }
    }
    if changed > TOLD {
        notes.push(format!("{} more {what} names were repeated or empty and were changed", changed - TOLD));
    }
    repeated
}

/// Whether a title says that a column names the samples: `sample`, `id`, `sample_id`, in any case of
/// letters.
pub(crate) fn is_id(title: &str) -> bool {
    let plain: String = title.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    matches!(plain.as_str(), "sample" | "id" | "sampleid")
}

/// Whether a title stands over names, of samples or of features, rather than over values: nothing,
/// `gene`, `feature_id`, `ID_REF` and their like.
pub(crate) fn is_corner(title: &str) -> bool {
    const WORDS: [&str; 14] = [
        "unnamed0", "index", "name", "names", "feature", "features", "gene", "genes", "symbol", "probe",
        "probeset", "idref", "variable", "marker",
    ];
    let plain: String = title.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let stem = ["name", "symbol", "id"].iter().find_map(|end| plain.strip_suffix(end)).unwrap_or(&plain);
    is_id(title) || plain.is_empty() || WORDS.contains(&plain.as_str()) || WORDS.contains(&stem)
}

/// An error when two samples have the same name.
pub(crate) fn check_different(
    file: &str,
    column: &ColumnName,
    names: &[String],
    place: &dyn Fn(usize) -> Location,
) -> Result<()> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for (row, name) in names.iter().enumerate() {
        if let Some(before) = seen.insert(name, row) {
            let (file, column, name) = (file.to_owned(), column.clone(), name.clone());
            return Err(Error::RepeatedName { file, column, name, first: place(before), second: place(row) });
        }
    }
    Ok(())
}

/// Whether nearly all names differ, so that one that does not is a slip and no class.
pub(crate) fn nearly_different(names: &[String]) -> bool {
    4 * names.iter().collect::<HashSet<_>>().len() >= 3 * names.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_get_numbers_that_are_free() {
        let mut names = ["", "a", "a", "a_2", "", "a"].map(str::to_owned);
        let mut notes = Vec::new();
        assert_eq!(make_unique(&mut names, "column", &mut notes), ["a"]);
        assert_eq!(names, ["", "a", "a_3", "a_2", "column_5", "a_4"]);
        assert_eq!(notes.len(), 3);
        assert_eq!(notes[0], "column 3 is a second `a`: it is called `a_3` here");
        assert_eq!(notes[1], "column 5 has no name: it is called `column_5` here");
    }

    #[test]
    fn titles_over_names_are_known() {
        for title in
            ["", "Unnamed: 0", "Gene", "gene_id", "Gene Symbol", "ID_REF", "probe_id", "sample", "ID"]
        {
            assert!(is_corner(title), "{title}");
        }
        for title in ["s0", "a", "species", "valid", "sample_1"] {
            assert!(!is_corner(title), "{title}");
        }
    }

    #[test]
    fn many_repetitions_are_counted() {
        let mut names = vec!["g".to_owned(); 300];
        let mut notes = Vec::new();
        make_unique(&mut names, "column", &mut notes);
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 300);
        assert_eq!(notes.len(), 6);
        assert!(notes[5].starts_with("294 more"));
    }
}
