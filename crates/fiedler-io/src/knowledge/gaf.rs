//! GAF: gene association files of the Gene Ontology, 15 to 17 columns separated by tabs.
//!
//! Of a line are used: the identifier (column 2), the symbol (3), the qualifier (4), the term (5), the kind of evidence (7) and the
//! aspect (9: P, F or C). A qualifier `NOT` says that the gene does *not* have the term; such lines are left out. Whether symbols or
//! identifiers are the names of features is found out: whichever the caller knows more of.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use fiedler::Monitor;

use super::{IsName, Text, WithNotes, best_names};
use crate::{Error, Result};

/// Bytes that a byte of such a file takes: two of its columns are kept.
const TAKES: usize = 4;

/// Which annotations are wanted; empty: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnnotationFilter {
    /// Kinds of evidence, as `EXP` or `IDA`.
    pub evidence: Vec<String>,
    /// Aspects: `P` (process), `F` (function), `C` (component).
    pub aspects: Vec<String>,
}

impl AnnotationFilter {
    /// Whether everything is wanted.
    pub fn is_empty(&self) -> bool {
        self.evidence.is_empty() && self.aspects.is_empty()
    }
}

/// Reads (feature, term) of a GAF file.
///
/// # Errors
/// The file cannot be read, a line has other than 15 to 17 columns or no name or term, or nothing is left.
pub fn read_gaf(
    path: &Path,
    filter: &AnnotationFilter,
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<Vec<(String, String)>>> {
    let text = Text::read_taking(path, TAKES, monitor)?;
    let mut lines: Vec<Line<'_>> = Vec::new();
    let (mut negated, mut filtered) = (0, 0);
    let mut there = [BTreeSet::new(), BTreeSet::new()];
    for (line, row) in text.lines_but('!') {
        let found = Line::new(&text, line, row)?;
        there[0].insert(found.evidence);
        there[1].insert(found.aspect);
        let passes = |wanted: &[String], got: &str| wanted.is_empty() || wanted.iter().any(|w| w == got);
        if found.negated {
            negated += 1;
        } else if passes(&filter.evidence, found.evidence) && passes(&filter.aspects, found.aspect) {
            lines.push(found);
        } else {
            filtered += 1;
        }
    }
    if lines.is_empty() {
        let what = format!("no annotations ({negated} say NOT, {filtered} are of other evidence or aspect)");
        return Err(Error::unsupported(
            &text.file,
            what,
            format!(
                "name a file that has some, or ask for what it has: evidence {}, aspects {}",
                listed(&there[0]),
                listed(&there[1])
            ),
        ));
    }
    let names = |of: fn(&Line<'_>) -> String| lines.iter().map(of).collect::<HashSet<String>>();
    let by_id = best_names(&[names(|l| l.symbol.to_owned()), names(|l| l.id.to_owned())], known) == 1;
    let mut notes = Vec::new();
    let all = lines.len() + negated + filtered;
    if negated > 0 {
        notes.push(format!(
            "{negated} of {all} annotations say NOT (the gene does not have the term) and are left out"
        ));
    }
    if filtered > 0 {
        notes.push(format!(
            "{filtered} of {all} annotations are of other evidence or aspect and are left out"
        ));
    }
    if by_id {
        notes.push(
            "features are matched by the identifiers of column 2, not by the symbols of column 3".to_owned(),
        );
    }
    let pair = |l: &Line<'_>| (if by_id { l.id } else { l.symbol }.to_owned(), l.term.to_owned());
    Ok(WithNotes { found: lines.iter().map(pair).collect(), notes })
}

fn listed(words: &BTreeSet<&str>) -> String {
    words.iter().copied().collect::<Vec<_>>().join(", ")
}

struct Line<'a> {
    id: &'a str,
    symbol: &'a str,
    negated: bool,
    term: &'a str,
    evidence: &'a str,
    aspect: &'a str,
}

impl<'a> Line<'a> {
    fn new(text: &Text, line: usize, row: &'a str) -> Result<Self> {
        let columns: Vec<&str> = row.split('\t').map(str::trim).collect();
        if !(15..=17).contains(&columns.len()) {
            let rule = "an annotation has 15 to 17 columns, separated by tabs";
            return Err(text.wrong(line, "GAF", format!("{rule}; found {}", columns.len())));
        }
        let (id, symbol, term) = (columns[1], columns[2], columns[4]);
        for (what, value) in
            [("identifier (column 2)", id), ("symbol (column 3)", symbol), ("term (column 5)", term)]
        {
            if value.is_empty() {
                return Err(text.wrong(line, "GAF", format!("no {what}")));
            }
        }
        let negated = columns[3].split('|').any(|q| q == "NOT");
        Ok(Line { id, symbol, negated, term, evidence: columns[6], aspect: columns[8] })
    }
}
