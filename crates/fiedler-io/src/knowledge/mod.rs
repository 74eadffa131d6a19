//! Knowledge about samples and features by name: gene sets, networks, annotations, similarities,
//! categories, and rankings.
//!
//! | reader | file |
//! |---|---|
//! | [`read_sets`] | GMT: name, description, members, separated by tabs |
//! | [`read_similarity`] | SIF (`a type b c …`), a table `a, b` or `a, b, weight`, or a square table with names on both sides |
//! | [`read_interactions`] | the same, KGML pathways, and tables with titles as BioGRID and STRING write them |
//! | [`read_annotations`] | long: `feature, term`; wide: a 0/1 table with terms as titles |
//! | [`read_gaf`] | GAF: annotations of the Gene Ontology |
//! | [`read_ontology`] | OBO: terms that are kinds or parts of others |
//! | [`read_pathway`] | KGML: the genes and relations of a pathway |
//! | [`read_sequences`] | FASTA: sequences of features |
//! | [`read_categories`] | `sample, category` |
//! | [`read_ranking`] | what `fiedler rank --format csv` writes, or one name a line |
//! | [`read_names`] | the names of such a file, in any order |
//!
//! Tables are separated by tabs where the first line has any, else by commas; lines that begin with `#`
//! are comments; gzip is looked through.
//!
//! # Titles
//! A first line is a title when it holds only words such as `source` and `target`, or a text where a
//! weight should be, and none of its words is a name that the caller knows ([`IsName`]).

mod fasta;
mod gaf;
mod interactions;
mod kgml;
mod obo;
mod pairs;
mod rankings;
mod similarity;
mod xml;

use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

use fiedler::Monitor;

pub use fasta::{Sequence, read_sequences};
pub use gaf::{AnnotationFilter, read_gaf};
pub use interactions::read_interactions;
pub use kgml::{Pathway, read_pathway};
pub use obo::read_ontology;
pub use pairs::{read_annotations, read_categories};
pub use rankings::{Ranked, read_names, read_ranking};
pub use similarity::{NamedEdge, NamedSimilarity, read_similarity};

use crate::csv::fields;
use crate::input::Input;
use crate::memory::TEXT_TAKES;
use crate::{Error, Location, Result};

/// Whether a word is a name, and so no title.
pub type IsName<'a> = &'a dyn Fn(&str) -> bool;

/// What was read, and what a careful reader would want to know of how.
#[derive(Debug, Clone, PartialEq)]
pub struct WithNotes<T> {
    /// What was read.
    pub found: T,
    /// What was decided, one sentence each.
    pub notes: Vec<String>,
}

/// A named set of features.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSet {
    /// Its name.
    pub name: String,
    /// The names of its members.
    pub members: Vec<String>,
}

/// Reads a GMT file.
///
/// # Errors
/// The file cannot be read, or a line has no members.
pub fn read_sets(path: &Path, monitor: &dyn Monitor) -> Result<Vec<NamedSet>> {
    let text = Text::read(path, monitor)?;
    let set = |(line, text_of): (usize, &str)| {
        let mut fields = text_of.split('\t').map(str::trim);
        let name = fields.next().unwrap_or_default().to_owned();
        let members: Vec<String> = fields.skip(1).filter(|m| !m.is_empty()).map(str::to_owned).collect();
        let rule = "a set needs a name, a description and members, separated by tabs";
        if members.is_empty() { Err(text.wrong(line, "GMT", rule)) } else { Ok(NamedSet { name, members }) }
    };
    let sets = text.lines().map(set).collect::<Result<Vec<_>>>()?;
    text.filled(sets, "sets")
}

/// The extension in lower case, without `.gz`.
pub fn kind_of(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_owned())
}

/// A text file, whole.
struct Text {
    file: String,
    text: String,
    delimiter: u8,
}

/// The number of a line, from 1, and its fields.
type Row = (usize, Vec<String>);

impl Text {
    fn read(path: &Path, monitor: &dyn Monitor) -> Result<Self> {
        Self::read_taking(path, TEXT_TAKES, monitor)
    }

    /// Reads a file of which what is kept takes `takes` bytes a byte.
    fn read_taking(path: &Path, takes: usize, monitor: &dyn Monitor) -> Result<Self> {
        let input = Input::open(path, monitor.limits())?;
        let file = input.name.clone();
        input.check_text()?;
        let budget = Rc::clone(&input.budget);
        let bytes = input.read_all(monitor)?;
        budget.take_items(bytes.len(), takes)?;
        let text = String::from_utf8(bytes);
        let text = text.unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
        let mut text = Text { file, text, delimiter: b',' };
        if text.lines().next().is_some_and(|(_, line)| line.contains('\t')) {
            text.delimiter = b'\t';
        }
        Ok(text)
    }

    /// The lines that say something, with their numbers from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines_but('#')
    }

    /// The lines that say something and do not begin with a sign of comments.
    fn lines_but(&self, comment: char) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.trim_start_matches('\u{feff}').lines().enumerate();
        let says = move |line: &str| !line.trim().is_empty() && !line.starts_with(comment);
        lines.filter(move |(_, l)| says(l)).map(|(i, l)| (i + 1, l.trim_end_matches(['\r', ' '])))
    }

    /// The same as fields.
    fn rows(&self) -> impl Iterator<Item = Row> {
        self.lines().map(|(line, text)| (line, fields(text, self.delimiter)))
    }

    fn wrong(&self, line: usize, format: &'static str, what: impl std::fmt::Display) -> Error {
        Error::malformed(&self.file, format, format!("{}: {what}", Location::Line(line)))
    }

    fn filled<T>(&self, items: Vec<T>, what: &str) -> Result<Vec<T>> {
        if items.is_empty() {
            Err(Error::unsupported(&self.file, format!("no {what}"), "name a file that has some"))
        } else {
            Ok(items)
        }
    }
}

/// Which of several kinds of names the caller knows most of; the first of those that are level.
fn best_names(kinds: &[HashSet<String>], known: IsName<'_>) -> usize {
    let count = |names: &HashSet<String>| names.iter().filter(|name| known(name)).count();
    let counts: Vec<usize> = kinds.iter().map(count).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    counts.iter().position(|&c| c == most).unwrap_or(0)
}

/// Words that are titles of columns, not names.
const TITLES: [&str; 18] = [
    "source",
    "target",
    "from",
    "to",
    "feature",
    "term",
    "gene",
    "annotation",
    "sample",
    "category",
    "path",
    "class",
    "label",
    "id",
    "weight",
    "score",
    "value",
    "similarity",
];

/// Whether a first row is a title, given that `odd` tells that it cannot be anything else if its words are
/// no names; and a note where the words alone do not say so.
fn title(row: &[String], known: IsName<'_>, odd: bool) -> (bool, Option<String>) {
    let usual = !row.is_empty() && row.iter().all(|c| TITLES.contains(&c.to_lowercase().as_str()));
    if row.iter().any(|c| known(c)) || !(usual || odd) {
        return (false, None);
    }
    (true, (!usual).then(|| format!("the first line (`{}`) was taken for titles", row.join(", "))))
}
