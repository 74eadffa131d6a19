//! OBO: ontologies as stanzas of `tag: value` lines.
//!
//! Of a `[Term]` are used `id`, `alt_id`, `is_a` and `relationship: part_of`; what is obsolete and stanzas of other kinds are left out. What
//! follows ` ! ` is a comment, and so are trailing modifiers in braces.

use std::path::Path;

use fiedler::Monitor;
use fiedler::fusion::{Ontology, Term};

use super::Text;
use crate::{Error, Result};

/// Bytes that a byte of such a file takes.
const TAKES: usize = 4;

/// A stanza on its way.
struct Stanza {
    line: usize,
    is_term: bool,
    obsolete: bool,
    term: Term,
}

/// Reads an ontology.
///
/// # Errors
/// The file cannot be read, a line is no `tag: value`, a term has no id, there are no terms, or a term lies above itself.
pub fn read_ontology(path: &Path, monitor: &dyn Monitor) -> Result<Ontology> {
    let text = Text::read_taking(path, TAKES, monitor)?;
    let mut terms: Vec<Term> = Vec::new();
    let mut stanza: Option<Stanza> = None;
    for (line, row) in text.lines_but('!') {
        if row.starts_with('[') {
            terms.extend(finish(&text, stanza.take())?);
            let is_term = row.trim() == "[Term]";
            stanza = Some(Stanza { line, is_term, obsolete: false, term: Term::default() });
            continue;
        }
        let Some((tag, value)) = row.split_once(':') else {
            return Err(text.wrong(line, "OBO", "expected `tag: value` or a stanza such as [Term]"));
        };
        // Before the first stanza are remarks on the whole.
        if let Some(stanza) = stanza.as_mut().filter(|s| s.is_term) {
            stanza.take(tag, value);
        }
    }
    terms.extend(finish(&text, stanza)?);
    let terms = text.filled(terms, "[Term] stanzas")?;
    Ontology::new(&terms).map_err(Error::data(&text.file))
}

impl Stanza {
    fn take(&mut self, tag: &str, value: &str) {
        let value = value.split(" ! ").next().unwrap_or_default();
        let value = value.split('{').next().unwrap_or_default().trim();
        let mut words = value.split_whitespace();
        match tag {
            "id" => self.term.id = value.to_owned(),
            "alt_id" => self.term.other_ids.push(value.to_owned()),
            "is_a" => self.term.parents.extend(words.next().map(str::to_owned)),
            "relationship" if words.next() == Some("part_of") => {
                self.term.parents.extend(words.next().map(str::to_owned));
            }
            "is_obsolete" => self.obsolete = value == "true",
            _ => {}
        }
    }
}

fn finish(text: &Text, stanza: Option<Stanza>) -> Result<Option<Term>> {
    let Some(stanza) = stanza.filter(|s| s.is_term && !s.obsolete) else { return Ok(None) };
    if stanza.term.id.is_empty() {
        return Err(text.wrong(stanza.line, "OBO", "a [Term] without an id"));
    }
    Ok(Some(stanza.term))
}
