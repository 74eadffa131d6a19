//! Joining sources by name. Order never matters; what does not match is an error that names it, or
//! is dropped where the user says so.

use std::collections::{HashMap, HashSet};

use crate::{Error, Result};

/// How many names a message shows.
const SHOWN: usize = 4;

/// Names of one kind in one source.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// What the source is called in messages.
    pub source: &'a str,
    /// `sample` or `feature`.
    pub kind: &'static str,
    /// The names.
    pub names: &'a [String],
}

/// A source that is joined to the target by sample names.
#[derive(Debug, Clone, Copy)]
pub struct SampleSource<'a> {
    /// What it is called in messages.
    pub source: &'a str,
    /// The names of its samples.
    pub names: &'a [String],
    /// Whether samples that only one side has are dropped; an error otherwise.
    pub drop: bool,
}

/// Samples that the target and all its sources share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleJoin {
    /// The samples of the target that are kept, in its order.
    pub target: Vec<usize>,
    /// For every source, where it has each kept sample.
    pub sources: Vec<Vec<usize>>,
    /// For every source, what did not match.
    pub unmatched: Vec<Unmatched>,
}

/// Sample names that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unmatched {
    /// Names of the source that the target lacks.
    pub only_source: Vec<String>,
    /// Names of the target that the source lacks.
    pub only_target: Vec<String>,
}

/// Feature names found in the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureMatch {
    /// The index in the target of every name asked for, `None` where it was dropped.
    pub found: Vec<Option<usize>>,
    /// The different names that were dropped, in alphabetical order.
    pub dropped: Vec<String>,
}

impl<'a> Names<'a> {
    /// The position of every name.
    ///
    /// # Errors
    /// [`Error::DuplicateName`].
    pub fn positions(&self) -> Result<HashMap<&'a str, usize>> {
        let mut positions = HashMap::with_capacity(self.names.len());
        for (i, name) in self.names.iter().enumerate() {
            if positions.insert(name.as_str(), i).is_some() {
                let (source_name, name) = (self.source.to_owned(), name.clone());
                return Err(Error::DuplicateName { source_name, kind: self.kind, name });
            }
        }
        Ok(positions)
    }

    fn unknown(&self, other: &str, unknown: &[&str]) -> Error {
        let (source_name, other) = (self.source.to_owned(), other.to_owned());
        let examples = examples(unknown);
        let different: HashSet<&str> = self.names.iter().map(String::as_str).collect();
        let (kind, count, total) = (self.kind, unknown.len(), different.len());
        Error::UnknownNames { source_name, kind, other, count, total, examples }
    }

    fn nothing_shared(&self, other: &Names<'_>) -> Error {
        let first = |names: &[String]| names.first().map_or("nothing".to_owned(), |n| format!("`{n}`"));
        Error::NothingShared {
            source_name: self.source.to_owned(),
            other: other.source.to_owned(),
            kind: self.kind,
            examples: format!("{} and {}", first(self.names), first(other.names)),
        }
    }
}

/// Joins the samples of `sources` to those of the target.
///
/// ```
/// use fiedler::fusion::{Names, SampleSource, join_samples};
///
/// let owned = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
/// let (here, there) = (owned(&["ann", "bob", "eve"]), owned(&["eve", "zoe", "ann"]));
/// let target = Names { source: "target", kind: "sample", names: &here };
/// let joined = join_samples(target, &[SampleSource { source: "assay", names: &there, drop: true }])?;
/// assert_eq!((joined.target, joined.sources[0].clone()), (vec![0, 2], vec![2, 0]));
/// assert_eq!((&joined.unmatched[0].only_source[0], &joined.unmatched[0].only_target[0]), (&there[1], &here[1]));
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::DuplicateName`], [`Error::UnknownNames`] where a source does not drop, or
/// [`Error::NothingShared`].
pub fn join_samples(target: Names<'_>, sources: &[SampleSource<'_>]) -> Result<SampleJoin> {
    let in_target = target.positions()?;
    let mut kept = vec![true; target.names.len()];
    let mut all_positions = Vec::with_capacity(sources.len());
    let mut unmatched = Vec::with_capacity(sources.len());
    for source in sources {
        let own = Names { source: source.source, kind: target.kind, names: source.names };
        let positions = own.positions()?;
        let extra: Vec<&str> =
            source.names.iter().map(String::as_str).filter(|n| !in_target.contains_key(n)).collect();
        let missing: Vec<&str> =
            target.names.iter().map(String::as_str).filter(|n| !positions.contains_key(n)).collect();
        if missing.len() == target.names.len() {
            return Err(own.nothing_shared(&target));
        }
        if !source.drop && !extra.is_empty() {
            return Err(own.unknown(target.source, &extra));
        }
        if !source.drop && !missing.is_empty() {
            return Err(target.unknown(source.source, &missing));
        }
        for (keep, name) in kept.iter_mut().zip(target.names) {
            *keep &= positions.contains_key(name.as_str());
        }
        let all = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        unmatched.push(Unmatched { only_source: all(extra), only_target: all(missing) });
        all_positions.push(positions);
    }
    let kept: Vec<usize> = (0..kept.len()).filter(|&i| kept[i]).collect();
    if kept.is_empty() {
        let what = "no sample is in all sources; leave a source out".to_owned();
        return Err(Error::Source { source_name: target.source.to_owned(), what });
    }
    let place = |positions: &HashMap<&str, usize>| {
        kept.iter().filter_map(|&i| positions.get(target.names[i].as_str()).copied()).collect()
    };
    Ok(SampleJoin { sources: all_positions.iter().map(place).collect(), target: kept, unmatched })
}

/// Finds the features that a source names among those of the target. A name may be asked for
/// more than once (the ends of edges).
///
/// # Errors
/// [`Error::DuplicateName`] of the target, [`Error::UnknownNames`] unless `drop`, or
/// [`Error::NothingShared`].
pub fn match_features(target: Names<'_>, asked: Names<'_>, drop: bool) -> Result<FeatureMatch> {
    let positions = target.positions()?;
    let found: Vec<Option<usize>> = asked.names.iter().map(|n| positions.get(n.as_str()).copied()).collect();
    let mut unknown: Vec<&str> =
        asked.names.iter().zip(&found).filter(|(_, f)| f.is_none()).map(|(n, _)| n.as_str()).collect();
    if unknown.len() == asked.names.len() {
        return Err(asked.nothing_shared(&target));
    }
    unknown.sort_unstable();
    unknown.dedup();
    if !drop && !unknown.is_empty() {
        return Err(asked.unknown(target.source, &unknown));
    }
    Ok(FeatureMatch { found, dropped: unknown.into_iter().map(str::to_owned).collect() })
}

/// The first few names in quotes, as messages show them.
pub fn examples<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{}`", n.as_ref())).collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    shown.join(", ") + more
}
