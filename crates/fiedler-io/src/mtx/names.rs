//! The files beside a matrix: names of features and of samples.

use std::path::Path;

use fiedler::Monitor;

use crate::Result;
use crate::input::Input;

/// Names found beside a matrix.
#[derive(Default)]
pub(super) struct Names {
    pub(super) features: Option<Vec<String>>,
    pub(super) samples: Option<Vec<String>>,
    /// The files they stand in.
    pub(super) files: Vec<String>,
}

/// What stands before `features.tsv` in the name of a file that belongs to a matrix: what stands before
/// `matrix.mtx`, or the name of the matrix and an underscore.
pub(crate) fn prefix(matrix: &Path) -> String {
    let name = matrix.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = stem.strip_suffix(".mtx").unwrap_or(stem);
    match stem.strip_suffix("matrix") {
        Some(before) => before.to_owned(),
        None => format!("{stem}_"),
    }
}

impl Names {
    /// Reads what there is, with the prefix of the matrix or without.
    pub(super) fn beside(matrix: &Path, notes: &mut Vec<String>, monitor: &dyn Monitor) -> Result<Names> {
        let own = prefix(matrix);
        for prefix in [own.as_str(), ""] {
            let mut files = Vec::new();
            let mut find = |name: &str| -> Result<Option<Vec<String>>> {
                let found = read(matrix, &format!("{prefix}{name}.tsv"), monitor)?;
                Ok(found.map(|(file, lines)| {
                    files.push(file);
                    lines
                }))
            };
            let features = match find("features")? {
                None => find("genes")?,
                found => found,
            };
            let samples = find("barcodes")?;
            if features.is_none() && samples.is_none() {
                continue;
            }
            let names = features.map(|lines| feature_names(&lines, notes));
            let samples = samples.map(|lines| lines.iter().map(|l| field(l, 0).to_owned()).collect());
            return Ok(Names { features: names, samples, files });
        }
        Ok(Names::default())
    }
}

/// The name and the lines of a file beside the matrix; `None` where it is not there.
fn read(matrix: &Path, name: &str, monitor: &dyn Monitor) -> Result<Option<(String, Vec<String>)>> {
    for name in [format!("{name}.gz"), name.to_owned()] {
        let path = matrix.with_file_name(name);
        if path.is_file() {
            let input = Input::open(&path, monitor.limits())?;
            let file = input.name.clone();
            let bytes = input.read_all(monitor)?;
            let text = String::from_utf8_lossy(&bytes);
            return Ok(Some((file, text.lines().map(str::to_owned).collect())));
        }
    }
    Ok(None)
}

/// The symbols in the second column, which people know, or the identifiers in the first.
fn feature_names(lines: &[String], notes: &mut Vec<String>) -> Vec<String> {
    let symbols = lines.iter().all(|l| !field(l, 1).is_empty());
    let kinds: std::collections::BTreeSet<&str> = lines.iter().map(|l| field(l, 2)).collect();
    if kinds.len() > 1 {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        notes.push(format!("features of several kinds are all read: {}", kinds.join(", ")));
    }
    lines.iter().map(|l| field(l, usize::from(symbols)).to_owned()).collect()
}

fn field(line: &str, position: usize) -> &str {
    line.split('\t').nth(position).unwrap_or("").trim()
}
