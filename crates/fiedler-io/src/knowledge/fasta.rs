//! FASTA: sequences of features, `>name …` and letters.
//!
//! A header may call a sequence by several names: its first word, the parts of it between bars (`sp|P04637|P53_HUMAN`), and `GN=TP53`
//! of UniProt. Those are taken that the caller knows more of. Of several sequences with one name (isoforms) the longest is kept.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use fiedler::Monitor;

use super::{IsName, Text, WithNotes, best_names};
use crate::{Error, Result};

/// Bytes that a byte of such a file takes.
const TAKES: usize = 2;

/// A feature and its sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// The feature.
    pub name: String,
    /// Its letters.
    pub letters: Vec<u8>,
}

/// How a header may call a sequence.
const NAMINGS: [fn(&str) -> Option<String>; 4] = [
    |header| header.split_whitespace().next().map(str::to_owned),
    |header| header.split_whitespace().find_map(|word| word.strip_prefix("GN=")).map(str::to_owned),
    |header| header.split_whitespace().next()?.split('|').nth(1).map(str::to_owned),
    |header| header.split_whitespace().next()?.split('|').nth(2).map(str::to_owned),
];

/// Reads sequences.
///
/// # Errors
/// The file cannot be read, letters come before the first header, a line holds other than letters, or there are no sequences.
pub fn read_sequences(
    path: &Path,
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<Vec<Sequence>>> {
    let text = Text::read_taking(path, TAKES, monitor)?;
    let records = records(&text)?;
    let names = |naming: &fn(&str) -> Option<String>| {
        records.iter().filter_map(|(_, header, _)| naming(header)).collect::<HashSet<String>>()
    };
    let best = best_names(&NAMINGS.iter().map(names).collect::<Vec<_>>(), known);
    let mut longest: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let all = records.len();
    let (mut nameless, mut repeated) = (0, 0);
    for (line, header, letters) in records {
        let Some(name) = NAMINGS[best](header) else {
            nameless += 1;
            continue;
        };
        if letters.is_empty() {
            return Err(text.wrong(line, "FASTA", format!("`{name}` has no letters")));
        }
        let kept = longest.entry(name).or_default();
        repeated += usize::from(!kept.is_empty());
        if letters.len() > kept.len() {
            *kept = letters;
        }
    }
    let mut notes = Vec::new();
    if repeated > 0 {
        notes.push(format!(
            "{repeated} of {all} sequences have the name of another; the longest of each name is used"
        ));
    }
    if nameless > 0 {
        notes.push(format!(
            "{nameless} sequences have no name of the kind that most features have, and are left out"
        ));
    }
    let found = longest.into_iter().map(|(name, letters)| Sequence { name, letters }).collect();
    Ok(WithNotes { found: text.filled(found, "sequences")?, notes })
}

type Record<'a> = (usize, &'a str, Vec<u8>);

fn records(text: &Text) -> Result<Vec<Record<'_>>> {
    let mut records: Vec<Record<'_>> = Vec::new();
    for (line, row) in text.lines_but(';') {
        if let Some(header) = row.strip_prefix('>') {
            if header.trim().is_empty() {
                return Err(text.wrong(line, "FASTA", "a header without a name"));
            }
            records.push((line, header, Vec::new()));
            continue;
        }
        let Some((_, _, letters)) = records.last_mut() else {
            return Err(text.wrong(line, "FASTA", "a sequence begins with a line `>name`"));
        };
        let row = row.trim();
        if let Some(odd) = row.chars().find(|c| !(c.is_ascii_alphabetic() || "*-.".contains(*c))) {
            return Err(text.wrong(
                line,
                "FASTA",
                format!("`{}` is no letter of a sequence", odd.escape_default()),
            ));
        }
        letters.extend(row.bytes().filter(u8::is_ascii_alphabetic));
    }
    if records.is_empty() {
        return Err(Error::unsupported(&text.file, "no sequences", "name a file that has some"));
    }
    Ok(records)
}
