//! Files to sample graphs: every source is read, joined to the target by name, and turned.

use std::path::{Path, PathBuf};

use fiedler::fusion::{
    Knowledge, Names, SampleSource, Source, Unmatched, examples, indefinite, join_samples,
};
use fiedler::{Dataset, GraphRecipe, Labels, Monitor};
use fiedler_io::{NamedEdge, NamedSimilarity, Table};
use serde_json::{Map, Value};

use super::feature_keys::FeatureKeys;
use super::features;
use super::keys::{MatchBy, SourceConfig, TableKeys, What};
use crate::failure::{Failure, Outcome};
use crate::output::layout::plural;

/// What the target is called in messages.
pub(super) const TARGET: &str = "the target";

/// The target and its sources, joined.
pub(super) struct Joined {
    /// The target, with the samples that all share.
    pub(super) target: Dataset,
    /// Samples of the target's file.
    pub(super) target_samples: usize,
    /// The target's file.
    pub(super) file: PathBuf,
    /// What the sources know, in the order of the file.
    pub(super) knowledge: Vec<(String, Knowledge)>,
    /// Their graphs.
    pub(super) sources: Vec<Source>,
    /// What was done to each.
    pub(super) records: Vec<Record>,
    /// What the reader of the target decided on its own.
    pub(super) notes: Vec<String>,
}

/// What was done to a source.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// What it is, in a few words: `30 samples × 12 features`.
    pub(super) content: String,
    /// Its table in the configuration, with defaults filled in.
    pub(super) settings: Map<String, Value>,
    /// Sample names that did not match; where samples were joined.
    pub(super) unmatched: Option<Unmatched>,
    /// Feature names of its file that the target lacks, and were dropped; where features were matched.
    pub(super) dropped: Option<Vec<String>>,
    /// The sets that were used and how many features of the target each has.
    pub(super) sets: Vec<(String, usize)>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

type Pairs = Vec<(String, String)>;

/// What a source holds, once read; what is about features is read when samples are joined.
enum Content<'a> {
    Target(&'a GraphRecipe),
    Data(Box<Dataset>, MatchBy, &'a GraphRecipe),
    OwnLabels,
    Labels(Pairs),
    Hierarchy(Pairs, Option<&'a [f64]>),
    Similarity(NamedSimilarity),
    Features(&'a FeatureKeys),
}

/// Reads and joins everything.
///
/// # Errors
/// A file cannot be read, names do not match, or a source makes no graph.
pub(super) fn join(
    folder: &Path,
    target: &TableKeys,
    configs: &[SourceConfig],
    monitor: &dyn Monitor,
) -> Outcome<Joined> {
    let file = folder.join(&target.file);
    let table = fiedler_io::read(&file, &target.options("[target]", folder)?, monitor)?;
    let Table { data, notes, repeated, .. } = table;
    let all = data.scaled(target.scaling("[target]")?);
    let mut records: Vec<Record> = Vec::with_capacity(configs.len());
    let mut contents = Vec::with_capacity(configs.len());
    for config in configs {
        let mut record = Record { settings: config.settings.clone(), ..Record::default() };
        let reader = Reader { folder, config, target: &all, monitor };
        contents.push(reader.content(&mut record).map_err(|e| config.located(e))?);
        records.push(record);
    }
    let places = join_names(&all, configs, &contents, &mut records)?;
    let target_samples = all.n_samples();
    let whole = places.kept.len() == target_samples;
    let target = if whole { all } else { all.samples(&places.kept, monitor)? };
    let everyone: Vec<usize> = (0..target.n_samples()).collect();
    let mut knowledge = Vec::with_capacity(configs.len());
    let mut sources = Vec::with_capacity(configs.len());
    for (i, (config, content)) in configs.iter().zip(contents).enumerate() {
        let build = Build { folder, config, target: &target, repeated: &repeated, monitor };
        let known = build.knowledge(content, &places.sources[i], &mut records[i]);
        let known = known.map_err(|e| config.located(e))?;
        let graph = known.graph(&target, &everyone, monitor).map_err(|e| build.by_name(e));
        let graph = graph.map_err(|e| config.located(e))?;
        if matches!(known, Knowledge::Similarity(_) | Knowledge::Edges(_)) {
            records[i].notes.extend(indefinite(&graph));
        }
        records[i].notes.extend(graph.warnings().iter().cloned());
        sources.push(Source { name: config.name.clone(), graph });
        knowledge.push((config.name.clone(), known));
    }
    Ok(Joined { target, target_samples, file, knowledge, sources, records, notes })
}

/// Reads the file of a source.
struct Reader<'a, 'b> {
    folder: &'b Path,
    config: &'a SourceConfig,
    target: &'b Dataset,
    monitor: &'b dyn Monitor,
}

impl<'a> Reader<'a, '_> {
    fn content(&self, record: &mut Record) -> Outcome<Content<'a>> {
        Ok(match &self.config.what {
            What::Target(recipe) => Content::Target(recipe),
            What::Data(keys, recipe) => self.data(keys, recipe, record)?,
            What::Labels(keys) => match &keys.file {
                Some(file) => Content::Labels(self.categories(file, record)?),
                None => Content::OwnLabels,
            },
            What::Hierarchy(keys) => {
                Content::Hierarchy(self.categories(&keys.file, record)?, keys.level_weights.as_deref())
            }
            What::Similarity(keys) => {
                let path = self.folder.join(&keys.file);
                let told = fiedler_io::read_similarity(&path, &|name| self.is_sample(name), self.monitor)?;
                record.notes.extend(told.notes);
                Content::Similarity(told.found)
            }
            What::Features(keys) => Content::Features(keys),
        })
    }

    fn data(&self, keys: &TableKeys, recipe: &'a GraphRecipe, record: &mut Record) -> Outcome<Content<'a>> {
        let place = self.config.called();
        let options = keys.options(&place, self.folder)?;
        let table = fiedler_io::read(&self.folder.join(&keys.file), &options, self.monitor)?;
        record.notes.extend(table.notes);
        let data = table.data.scaled(keys.scaling(&place)?);
        let (here, there) = (data.n_samples(), self.target.n_samples());
        let how = keys.match_by.unwrap_or(MatchBy::Names);
        match how {
            MatchBy::Names if data.sample_names().is_none() => {
                return Err(Failure::Data(format!(
                    "{}: its samples have no names; say which column has them (names = \"COLUMN\"), or, where \
                     they are in the order of {TARGET}, match = \"position\"",
                    keys.file.display()
                )));
            }
            MatchBy::Position if here != there => {
                return Err(Failure::Data(format!(
                    "match = \"position\" needs as many samples as {TARGET} has ({there}), got {here}"
                )));
            }
            MatchBy::Position => record.notes.push(format!(
                "samples are matched by position: the first of its file is the first of {TARGET}, and so on"
            )),
            MatchBy::Names => {}
        }
        record.settings.insert("match".to_owned(), serde_json::to_value(how).unwrap_or_default());
        Ok(Content::Data(Box::new(data), how, recipe))
    }

    fn categories(&self, file: &Path, record: &mut Record) -> Outcome<Pairs> {
        let told =
            fiedler_io::read_categories(&self.folder.join(file), &|name| self.is_sample(name), self.monitor)?;
        record.notes.extend(told.notes);
        Ok(told.found)
    }

    fn is_sample(&self, name: &str) -> bool {
        self.target.sample_names().is_some_and(|names| names.iter().any(|n| n == name))
    }
}

impl Content<'_> {
    /// The names by which its samples are joined; none where they are those of the target, in its order.
    fn sample_names(&self) -> Option<Vec<String>> {
        match self {
            Content::Target(_) | Content::OwnLabels | Content::Features(_) => None,
            Content::Data(_, MatchBy::Position, _) => None,
            Content::Data(data, MatchBy::Names, _) => data.sample_names().map(<[String]>::to_vec),
            Content::Labels(pairs) | Content::Hierarchy(pairs, _) => {
                Some(pairs.iter().map(|p| p.0.clone()).collect())
            }
            Content::Similarity(NamedSimilarity::Matrix { names, .. }) => Some(names.clone()),
            Content::Similarity(NamedSimilarity::Edges(edges)) => Some(ends(edges)),
        }
    }
}

/// All names in a list of edges, once each.
fn ends(edges: &[NamedEdge]) -> Vec<String> {
    let mut names: Vec<String> = edges.iter().flat_map(|e| [e.a.clone(), e.b.clone()]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The samples of the target that are kept, and where each source has them.
struct Places {
    kept: Vec<usize>,
    sources: Vec<Vec<usize>>,
}

fn join_names(
    target: &Dataset,
    configs: &[SourceConfig],
    contents: &[Content<'_>],
    records: &mut [Record],
) -> Outcome<Places> {
    let names: Vec<Option<Vec<String>>> = contents.iter().map(Content::sample_names).collect();
    let joined: Vec<usize> = (0..names.len()).filter(|&i| names[i].is_some()).collect();
    let Some(&first) = joined.first() else {
        let everyone: Vec<usize> = (0..target.n_samples()).collect();
        return Ok(Places { sources: vec![everyone.clone(); names.len()], kept: everyone });
    };
    let own = target.sample_names().ok_or_else(|| {
        Failure::Data(format!(
            "{TARGET} has no sample names, so {} cannot be matched to it; say which column has them \
             (names = \"COLUMN\" of [target])",
            configs[first].called()
        ))
    })?;
    let called: Vec<String> = configs.iter().map(SourceConfig::called).collect();
    let source = |&i: &usize| SampleSource {
        source: &called[i],
        names: names[i].as_deref().unwrap_or_default(),
        drop: configs[i].drop,
    };
    let sources: Vec<SampleSource<'_>> = joined.iter().map(source).collect();
    let found = join_samples(Names { source: TARGET, kind: "sample", names: own }, &sources)?;
    // What has no names of its own is in the order of the target.
    let mut places = vec![found.target.clone(); names.len()];
    for ((&i, place), unmatched) in joined.iter().zip(found.sources).zip(found.unmatched) {
        places[i] = place;
        let mut tell = |names: &[String], what: &str| {
            if !names.is_empty() {
                records[i].notes.push(format!("{} {what} ({})", names.len(), examples(names)));
            }
        };
        tell(&unmatched.only_source, "of its samples are not in the target and were dropped");
        tell(&unmatched.only_target, "samples of the target are not in it and were dropped");
        records[i].unmatched = Some(unmatched);
    }
    Ok(Places { kept: found.target, sources: places })
}

/// One source on its way to a graph.
pub(super) struct Build<'a> {
    /// Where files are.
    pub(super) folder: &'a Path,
    /// The source.
    pub(super) config: &'a SourceConfig,
    /// The target with the samples that all share.
    pub(super) target: &'a Dataset,
    /// Names that several features of the target's file have.
    pub(super) repeated: &'a [String],
    /// Progress.
    pub(super) monitor: &'a dyn Monitor,
}

impl Build<'_> {
    fn knowledge(&self, content: Content<'_>, place: &[usize], record: &mut Record) -> Outcome<Knowledge> {
        Ok(match content {
            Content::Target(recipe) => {
                record.content = "the target itself".to_owned();
                Knowledge::Target(recipe.clone())
            }
            Content::Data(data, _, recipe) => {
                let (n, m) = (data.n_samples(), data.n_features());
                record.content = format!("{} × {}", plural(n, "sample"), plural(m, "feature"));
                Knowledge::Data(data.samples(place, self.monitor)?, recipe.clone())
            }
            Content::OwnLabels => {
                let labels = self.target.labels().ok_or_else(|| {
                    Failure::Data(format!(
                        "it needs a `file`, or labels of {TARGET} (`label` or `labels` of [target])"
                    ))
                })?;
                record.content = format!("{} classes", labels.classes().len());
                Knowledge::OwnLabels
            }
            Content::Labels(pairs) => {
                let labels = Labels::new(place.iter().map(|&i| Some(&pairs[i].1)));
                record.content = format!("{} classes", labels.classes().len());
                Knowledge::Labels(labels)
            }
            Content::Hierarchy(pairs, weights) => {
                record.content = plural(pairs.len(), "path");
                let paths: Vec<String> = place.iter().map(|&i| pairs[i].1.clone()).collect();
                Knowledge::Hierarchy(paths, weights.map(<[f64]>::to_vec))
            }
            Content::Similarity(similarity) => Self::similarity(similarity, place, record),
            Content::Features(keys) => features::knowledge(self, keys, record)?,
        })
    }

    fn similarity(similarity: NamedSimilarity, place: &[usize], record: &mut Record) -> Knowledge {
        match similarity {
            NamedSimilarity::Matrix { names, values } => {
                record.content = format!("{0} × {0} similarities", names.len());
                let row = |&i: &usize| place.iter().map(move |&j| (i, j));
                let picked = place.iter().flat_map(row).map(|(i, j)| values[i * names.len() + j]);
                Knowledge::Similarity(picked.collect())
            }
            NamedSimilarity::Edges(edges) => {
                record.content = plural(edges.len(), "edge");
                let names = ends(&edges);
                let mut new = vec![None; names.len()];
                place.iter().enumerate().for_each(|(at, &old)| new[old] = Some(at));
                let find = |name: &String| names.binary_search(name).ok().and_then(|i| new[i]);
                let known = |e: &NamedEdge| Some((find(&e.a)?, find(&e.b)?, e.weight));
                Knowledge::Edges(edges.iter().filter_map(known).collect())
            }
        }
    }

    /// An error about two samples with their names in place of their positions.
    fn by_name(&self, error: fiedler::Error) -> Failure {
        let name = |i: usize| match self.target.sample_names() {
            Some(names) => names[i].clone(),
            None => (i + 1).to_string(),
        };
        match (error, self.config.file()) {
            (fiedler::Error::Asymmetric { i, j, a, b }, Some(file)) => {
                asymmetric(&name(i), &name(j), a, b).at(&file.display().to_string())
            }
            (other, _) => other.into(),
        }
    }
}

/// Two similarities of one pair that differ.
pub(super) fn asymmetric(first: &str, second: &str, a: f64, b: f64) -> Failure {
    Failure::Data(format!(
        "a similarity must be symmetric: that of `{first}` to `{second}` is {a} and that of `{second}` to \
         `{first}` is {b}; correct one of them"
    ))
}
