//! OBO: ontologies as stanzas of `tag: value` lines.
//!
//! Of a `[Term]` are used `id`, `alt_id`, `is_a` and `relationship: part_of`; what is obsolete and stanzas of other kinds are left out. What
//! follows ` ! ` is a comment, and so are trailing modifiers in braces.

use std::collections::HashSet;
use std::path::Path;

use fiedler::Monitor;
use fiedler::fusion::{Ontology, Term};

use super::{Text, WithNotes};
use crate::{Error, Result};

/// Bytes that a byte of such a file takes.
const TAKES: usize = 4;

/// A stanza on its way.
struct Stanza {
    line: usize,
    /// Where every parent is named.
    parents: Vec<usize>,
    is_term: bool,
    obsolete: bool,
    term: Term,
}

/// Reads an ontology. Parents that are not in the file, or obsolete, are left out, and a note tells of them: parts of
/// ontologies, and those that speak of others, have such.
///
/// # Errors
/// The file cannot be read, a line is no `tag: value` or names no term, a term has no id, there are no terms, or a term lies above itself.
pub fn read_ontology(path: &Path, monitor: &dyn Monitor) -> Result<WithNotes<Ontology>> {
    let text = Text::read_taking(path, TAKES, monitor)?;
    let mut stanzas: Vec<Stanza> = Vec::new();
    let mut stanza: Option<Stanza> = None;
    for (line, row) in text.lines_but('!') {
        if row.starts_with('[') {
            stanzas.extend(finish(&text, stanza.take())?);
            let kind = row.split('!').next().unwrap_or_default().trim();
            if !kind.ends_with(']') {
                let rule = "a stanza begins with its kind in brackets, such as [Term]";
                return Err(text.wrong(line, "OBO", format!("{rule}, got `{kind}`")));
            }
            let is_term = kind == "[Term]";
            let (parents, term) = (Vec::new(), Term::default());
            stanza = Some(Stanza { line, parents, is_term, obsolete: false, term });
            continue;
        }
        let Some((tag, value)) = row.split_once(':') else {
            return Err(text.wrong(line, "OBO", "expected `tag: value` or a stanza such as [Term]"));
        };
        // Before the first stanza are remarks on the whole.
        if let Some(stanza) = stanza.as_mut().filter(|s| s.is_term) {
            stanza.take(tag, value).map_err(|what| text.wrong(line, "OBO", what))?;
            stanza.parents.resize(stanza.term.parents.len(), line);
        }
    }
    stanzas.extend(finish(&text, stanza)?);
    let stanzas = text.filled(stanzas, "[Term] stanzas")?;
    let terms: Vec<Term> = stanzas.iter().map(|s| s.term.clone()).collect();
    if let Some(at) = Ontology::circle(&terms) {
        let what = format!("`{}` lies above itself; an ontology has no circles", terms[at].id);
        return Err(text.wrong(stanzas[at].line, "OBO", what));
    }
    let notes = unknown_parents(&text, &stanzas).into_iter().collect();
    Ok(WithNotes { found: Ontology::new(&terms).map_err(Error::data(&text.file))?, notes })
}

/// The first parent that is no term of the file, and how many lines name such.
fn unknown_parents(text: &Text, stanzas: &[Stanza]) -> Option<String> {
    let ids = stanzas.iter().flat_map(|s| std::iter::once(&s.term.id).chain(&s.term.other_ids));
    let ids: HashSet<&String> = ids.collect();
    let named =
        stanzas.iter().flat_map(|s| s.term.parents.iter().zip(&s.parents).map(move |(p, line)| (s, p, line)));
    let mut unknown = named.filter(|(_, parent, _)| !ids.contains(parent));
    let (stanza, parent, line) = unknown.next()?;
    let more = match unknown.count() {
        0 => String::new(),
        more => format!(" ({more} more such {})", if more == 1 { "line" } else { "lines" }),
    };
    Some(format!(
        "{}, line {line}: `{}` is placed below `{parent}`, which is no term of the file, or obsolete, so that this is left \
         out{more}",
        text.file, stanza.term.id
    ))
}

impl Stanza {
    /// Takes what a line says, or tells what is wrong with it.
    fn take(&mut self, tag: &str, value: &str) -> std::result::Result<(), String> {
        let value = value.split(" ! ").next().unwrap_or_default();
        let value = value.split('{').next().unwrap_or_default().trim();
        let mut words = value.split_whitespace();
        let named = |word: Option<&str>, what: &str| {
            let rule = || format!("`{what}` names no term; name one, or delete the line");
            word.map(str::to_owned).ok_or_else(rule)
        };
        match tag {
            "id" => self.term.id = value.to_owned(),
            "alt_id" => self.term.other_ids.push(named(words.next(), tag)?),
            "is_a" => self.term.parents.push(named(words.next(), tag)?),
            "relationship" if words.next() == Some("part_of") => {
                self.term.parents.push(named(words.next(), "relationship: part_of")?);
            }
            "is_obsolete" => self.obsolete = value == "true",
            _ => {}
        }
        Ok(())
    }
}

fn finish(text: &Text, stanza: Option<Stanza>) -> Result<Option<Stanza>> {
    let Some(stanza) = stanza.filter(|s| s.is_term && !s.obsolete) else { return Ok(None) };
    if stanza.term.id.is_empty() {
        return Err(text.wrong(stanza.line, "OBO", "a [Term] without an id"));
    }
    Ok(Some(stanza))
}
