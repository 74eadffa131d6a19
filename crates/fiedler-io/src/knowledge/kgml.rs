//! KGML: pathways of KEGG as XML.
//!
//! An `entry` of type `gene` names genes (`name="hsa:7157 hsa:1956"`), one of type `group` its components; a `relation` joins two
//! entries, and so every gene of one to every gene of the other. Genes are known by the names in `name`, with or without the organism, or
//! by the first symbol of the entry's `graphics`, which KEGG writes for the first gene of an entry alone: whichever the caller knows
//! more of.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use fiedler::Monitor;

use super::xml::{Tag, tags};
use super::{IsName, NamedEdge, NamedSet, Text, WithNotes, best_names};
use crate::Result;
use crate::progress::Progress;

/// Bytes that a byte of such a file takes.
const TAKES: usize = 16;
/// Pairs of genes that a file may join; a relation of large groups makes many.
const MOST_PAIRS: usize = 10_000_000;
/// Entries that are looked at for all relations together.
const MOST_LOOKS: usize = 50_000_000;

/// A pathway: its genes, and the pairs that relations join.
#[derive(Debug, Clone, PartialEq)]
pub struct Pathway {
    /// Its title, or its name, and its genes.
    pub genes: NamedSet,
    /// Pairs of different genes, once each.
    pub edges: Vec<NamedEdge>,
}

#[derive(Debug, Default)]
struct Entry {
    is_gene: bool,
    genes: Vec<String>,
    symbol: Option<String>,
    parts: Vec<String>,
}

struct Relation {
    line: usize,
    ends: [String; 2],
    types: Vec<String>,
}

#[derive(Default)]
struct File<'a> {
    /// The line of `<pathway>`.
    begun: Option<usize>,
    /// The tags from there on that are not closed, with their lines.
    open: Vec<(&'a str, usize)>,
    /// Whether it was closed.
    ended: bool,
    /// The entry that is being read.
    at: String,
    title: Option<String>,
    entries: BTreeMap<String, Entry>,
    relations: Vec<Relation>,
}

/// How genes may be called.
const NAMINGS: [fn(&Entry, usize) -> Option<String>; 3] = [
    |entry, at| if at == 0 { entry.symbol.clone() } else { None },
    |entry, at| Some(entry.genes[at].clone()),
    |entry, at| entry.genes[at].split_once(':').map(|(_, id)| id.to_owned()),
];

/// Reads a pathway; of its relations those of the types given (`PPrel`, or a subtype such as `activation`), all unless some are.
///
/// # Errors
/// The file cannot be read or is no KGML, an entry is referred to that is not there, or there are no genes.
pub fn read_pathway(
    path: &Path,
    types: &[String],
    known: IsName<'_>,
    monitor: &dyn Monitor,
) -> Result<WithNotes<Pathway>> {
    let text = Text::read_taking(path, TAKES, monitor)?;
    let file = parse(&text)?;
    let genes = || file.entries.values().filter(|e| e.is_gene);
    let called = |naming: &fn(&Entry, usize) -> Option<String>| {
        genes().flat_map(|e| (0..e.genes.len()).filter_map(|at| naming(e, at))).collect::<HashSet<String>>()
    };
    let best = best_names(&NAMINGS.iter().map(called).collect::<Vec<_>>(), known);
    let members: BTreeSet<String> =
        genes().flat_map(|e| (0..e.genes.len()).filter_map(|at| NAMINGS[best](e, at))).collect();
    let members = text.filled(members.into_iter().collect(), "entries of type gene")?;
    let mut notes = Vec::new();
    let all = genes().flat_map(|e| &e.genes).collect::<BTreeSet<_>>().len();
    if best == 0 && members.len() < all {
        notes.push(format!(
            "{} of {all} genes have no symbol in the file, which writes one an entry; name features by KEGG's identifiers to use all",
            all - members.len()
        ));
    }
    let edges = edges(&text, &file, types, NAMINGS[best], monitor)?;
    let name = file.title.clone().unwrap_or_else(|| text.file.clone());
    Ok(WithNotes { found: Pathway { genes: NamedSet { name, members }, edges }, notes })
}

/// The types of the relations of a pathway.
pub(super) fn types(path: &Path, monitor: &dyn Monitor) -> Result<BTreeSet<String>> {
    let text = Text::read_taking(path, TAKES, monitor)?;
    Ok(parse(&text)?.relations.iter().flat_map(|relation| relation.types.iter().cloned()).collect())
}

fn parse(text: &Text) -> Result<File<'_>> {
    let mut file = File::default();
    for tag in tags(&text.text) {
        let tag = tag.map_err(|(line, what)| text.wrong(line, "KGML", what))?;
        file.take(&tag).and_then(|()| file.nest(&tag)).map_err(|what| text.wrong(tag.line, "KGML", what))?;
    }
    let last = text.text.lines().count();
    match (file.begun, file.ended) {
        (Some(_), true) => Ok(file),
        (Some(begun), false) => {
            let what = format!(
                "the file ends here, and the <pathway> of line {begun} is not closed: it was cut off; get it again"
            );
            Err(text.wrong(last, "KGML", what))
        }
        (None, _) => Err(text.wrong(1, "KGML", "there is no <pathway>")),
    }
}

impl<'a> File<'a> {
    /// Keeps what is open, or tells that a closing tag is not that of the last one.
    fn nest(&mut self, tag: &Tag<'a>) -> std::result::Result<(), String> {
        let Some(name) = tag.name.strip_prefix('/') else {
            if self.begun.is_some() && !tag.closed {
                self.open.push((tag.name, tag.line));
            }
            return Ok(());
        };
        match self.open.pop() {
            _ if self.begun.is_none() => Ok(()),
            Some((last, _)) if last == name => Ok(()),
            Some((last, line)) => {
                Err(format!("found </{name}> while the <{last}> of line {line} is open; close that first"))
            }
            None => Err(format!("found </{name}>, and no <{name}> is open")),
        }
    }

    /// Takes what a tag says, or tells what is wrong with it.
    fn take(&mut self, tag: &Tag<'_>) -> std::result::Result<(), String> {
        let need = |name: &str| {
            let value = tag.get(name).filter(|v| !v.is_empty());
            value.ok_or_else(|| format!("<{}> has no `{name}`", tag.name))
        };
        match tag.name {
            "pathway" => {
                self.begun = self.begun.or(Some(tag.line));
                self.ended |= tag.closed;
                self.title = self.title.take().or_else(|| tag.get("title").or_else(|| tag.get("name")));
            }
            "/pathway" => self.ended = true,
            "entry" => {
                let id = need("id")?;
                if self.entries.insert(id.clone(), entry(tag, need("name")?)).is_some() {
                    return Err(format!("two entries have the id `{id}`"));
                }
                self.at = id;
            }
            "graphics" => self.symbol(tag),
            "component" => {
                let part = need("id")?;
                if let Some(entry) = self.entries.get_mut(&self.at) {
                    entry.parts.push(part);
                }
            }
            "relation" => {
                let types = tag.get("type").into_iter().collect();
                self.relations.push(Relation {
                    line: tag.line,
                    ends: [need("entry1")?, need("entry2")?],
                    types,
                });
            }
            "subtype" => {
                if let (Some(relation), Some(name)) = (self.relations.last_mut(), tag.get("name")) {
                    relation.types.push(name);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The first symbol that an entry is drawn with.
    fn symbol(&mut self, tag: &Tag<'_>) {
        if let Some(entry) = self.entries.get_mut(&self.at) {
            let first = tag.get("name").and_then(|n| n.split([',', ' ']).next().map(str::to_owned));
            let first = first.map(|s| s.trim_end_matches('.').to_owned()).filter(|s| !s.is_empty());
            entry.symbol = entry.symbol.take().or(first);
        }
    }
}

fn entry(tag: &Tag<'_>, names: String) -> Entry {
    let is_gene = tag.get("type").as_deref() == Some("gene");
    let genes = names.split_whitespace().filter(|_| is_gene).map(str::to_owned).collect();
    Entry { is_gene, genes, symbol: None, parts: Vec::new() }
}

fn edges(
    text: &Text,
    file: &File<'_>,
    types: &[String],
    naming: fn(&Entry, usize) -> Option<String>,
    monitor: &dyn Monitor,
) -> Result<Vec<NamedEdge>> {
    let mut pairs: BTreeSet<(String, String)> = BTreeSet::new();
    let progress = Progress::new(monitor, "reading a pathway", file.relations.len());
    let mut looks = 0;
    for relation in
        file.relations.iter().filter(|r| types.is_empty() || r.types.iter().any(|t| types.contains(t)))
    {
        progress.advance(1)?;
        let [one, other] = [&relation.ends[0], &relation.ends[1]].map(|id| {
            genes_of(file, id, naming, &mut looks).map_err(|what| text.wrong(relation.line, "KGML", what))
        });
        let (one, other) = (one?, other?);
        if pairs.len().saturating_add(one.len().saturating_mul(other.len())) > MOST_PAIRS {
            let what = format!("relations join more than {MOST_PAIRS} pairs of genes");
            return Err(text.wrong(relation.line, "KGML", what));
        }
        for a in &one {
            let others = other.iter().filter(|b| *b != a);
            pairs.extend(others.map(|b| if a < b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }));
        }
    }
    Ok(pairs.into_iter().map(|(a, b)| NamedEdge { a, b, weight: 1.0 }).collect())
}

/// The genes of an entry; of a group, those of its parts.
fn genes_of(
    file: &File<'_>,
    id: &String,
    naming: fn(&Entry, usize) -> Option<String>,
    looks: &mut usize,
) -> std::result::Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    let mut seen: HashSet<&String> = HashSet::new();
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        let entry = file.entries.get(id).ok_or_else(|| format!("there is no entry `{id}`"))?;
        *looks += 1 + entry.genes.len() + entry.parts.len();
        if *looks > MOST_LOOKS {
            return Err("its relations and groups refer to too many entries".to_owned());
        }
        found.extend((0..entry.genes.len()).filter_map(|at| naming(entry, at)));
        left.extend(&entry.parts);
    }
    Ok(found)
}
