//! Files to sample graphs: every source is read, joined to the target by name, and turned.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fiedler::fusion::{
    Covariance, FeatureNetwork, FeatureSet, Names, Overlap, SampleSource, Source, feature_set_graph,
    hierarchy_graph, indefinite, join_samples, label_graph, match_features,
};
use fiedler::graph::Bandwidth;
use fiedler::{Dataset, Graph, Labels, Monitor};
use fiedler_io::{NamedEdge, NamedSimilarity, ReadOptions};

use super::config::{
    AnnotationKeys, NetworkKeys, SetKeys, SourceConfig, Target, What, bandwidth, scaling, usage,
};
use crate::failure::{Failure, Outcome};

/// Terms of more features than this are left out unless the file says otherwise.
const MAX_FEATURES_OF_TERM: usize = 200;

/// What the target is called in messages.
const TARGET: &str = "the target";

/// The target and its sources, joined.
pub(super) struct Joined {
    /// The target, with the samples that all share.
    pub(super) target: Dataset,
    /// Samples of the target's file.
    pub(super) target_samples: usize,
    /// The target's file.
    pub(super) file: PathBuf,
    /// The graphs, in the order of the file.
    pub(super) sources: Vec<Source>,
    /// What was done to each.
    pub(super) records: Vec<Record>,
    /// What readers decided on their own.
    pub(super) notes: Vec<String>,
}

/// What was done to a source.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// What it is, in a few words: `30 samples × 12 features`.
    pub(super) content: String,
    /// Samples of its file that the target lacks, and the reverse; where samples were joined.
    pub(super) unmatched_samples: Option<(usize, usize)>,
    /// Feature names of its file that the target lacks, and were dropped; where features were matched.
    pub(super) dropped_features: Option<usize>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

/// What the file of a source holds about samples.
enum Samples {
    /// Nothing: the source is about features, or is the target itself.
    None,
    Data(Box<Dataset>),
    Categories(Vec<(String, String)>),
    Similarity(NamedSimilarity),
}

/// Reads and joins everything.
///
/// # Errors
/// A file cannot be read, names do not match, or a source makes no graph.
pub(super) fn join(
    folder: &Path,
    target: &Target,
    configs: &[SourceConfig],
    monitor: &dyn Monitor,
) -> Outcome<Joined> {
    let file = folder.join(&target.file);
    let table = fiedler_io::read(&file, &target_options(folder, target)?, monitor)?;
    let mut notes = table.notes;
    let all = table.data.scaled(scaling("[target]", target.scale.as_deref())?);
    let mut contents = Vec::with_capacity(configs.len());
    for config in configs {
        contents.push(read_samples(folder, config, monitor, &mut notes)?);
    }
    let names: Vec<Option<Vec<String>>> = contents.iter().map(sample_names).collect::<Outcome<_>>()?;
    let (kept, places, unmatched) = join_names(&all, configs, &names)?;
    let whole = kept.len() == all.n_samples();
    let target_samples = all.n_samples();
    let target = if whole { all } else { all.samples(&kept, monitor)? };
    let mut sources = Vec::with_capacity(configs.len());
    let mut records = Vec::with_capacity(configs.len());
    for (i, (config, content)) in configs.iter().zip(contents).enumerate() {
        let mut record = Record { unmatched_samples: unmatched[i], ..Record::default() };
        let build = Build { folder, config, target: &target, target_samples, monitor };
        let graph = build.graph(content, &places[i], &mut record)?;
        record.notes.extend(graph.warnings().iter().cloned());
        sources.push(Source { name: config.name.clone(), graph });
        records.push(record);
    }
    Ok(Joined { target, target_samples, file, sources, records, notes })
}

fn target_options(folder: &Path, target: &Target) -> Outcome<ReadOptions> {
    Ok(ReadOptions {
        features: target.features.as_deref().unwrap_or("columns").parse().map_err(usage("[target]"))?,
        label: target.label.as_deref().map(Into::into),
        labels_file: target.labels.as_ref().map(|l| folder.join(l)),
        ..ReadOptions::default()
    })
}

fn read_samples(
    folder: &Path,
    config: &SourceConfig,
    monitor: &dyn Monitor,
    notes: &mut Vec<String>,
) -> Outcome<Samples> {
    Ok(match &config.what {
        What::Data(keys, _) => {
            let place = format!("source `{}`", config.name);
            let features = keys.features.as_deref().unwrap_or("columns").parse().map_err(usage(&place))?;
            let options = ReadOptions { features, ..ReadOptions::default() };
            let table = fiedler_io::read(&folder.join(&keys.file), &options, monitor)?;
            notes.extend(table.notes);
            Samples::Data(Box::new(table.data.scaled(scaling(&place, keys.scale.as_deref())?)))
        }
        What::Labels(keys) => match &keys.file {
            Some(file) => Samples::Categories(fiedler_io::read_categories(&folder.join(file))?),
            None => Samples::None,
        },
        What::Hierarchy(keys) => Samples::Categories(fiedler_io::read_categories(&folder.join(&keys.file))?),
        What::Similarity(keys) => Samples::Similarity(fiedler_io::read_similarity(&folder.join(&keys.file))?),
        What::Target(_) | What::Sets(..) | What::Network(_) | What::Annotations(_) => Samples::None,
    })
}

fn sample_names(content: &Samples) -> Outcome<Option<Vec<String>>> {
    Ok(match content {
        Samples::None => None,
        Samples::Data(data) => data.sample_names().map(<[String]>::to_vec),
        Samples::Categories(pairs) => Some(pairs.iter().map(|p| p.0.clone()).collect()),
        Samples::Similarity(NamedSimilarity::Matrix { names, .. }) => Some(names.clone()),
        Samples::Similarity(NamedSimilarity::Edges(edges)) => Some(ends(edges)),
    })
}

/// All names in a list of edges, once each.
fn ends(edges: &[NamedEdge]) -> Vec<String> {
    let mut names: Vec<String> = edges.iter().flat_map(|e| [e.a.clone(), e.b.clone()]).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The samples of the target that are kept, where each source has them, and what did not match.
type Places = (Vec<usize>, Vec<Vec<usize>>, Vec<Option<(usize, usize)>>);

fn join_names(target: &Dataset, configs: &[SourceConfig], names: &[Option<Vec<String>>]) -> Outcome<Places> {
    let named: Vec<usize> = (0..names.len()).filter(|&i| names[i].is_some()).collect();
    let everyone: Vec<usize> = (0..target.n_samples()).collect();
    let mut places = vec![everyone.clone(); names.len()];
    let mut unmatched = vec![None; names.len()];
    if named.is_empty() {
        return Ok((everyone, places, unmatched));
    }
    let own = target.sample_names().ok_or_else(|| {
        Failure::Data(format!(
            "{TARGET} has no sample names, so `{}` cannot be matched to it; add a column of names",
            configs[named[0]].name
        ))
    })?;
    let source = |&i: &usize| SampleSource {
        source: &configs[i].name,
        names: names[i].as_deref().unwrap_or_default(),
        drop: configs[i].drop,
    };
    let sources: Vec<SampleSource<'_>> = named.iter().map(source).collect();
    let joined = join_samples(Names { source: TARGET, kind: "sample", names: own }, &sources)?;
    for ((&i, place), counts) in named.iter().zip(joined.sources).zip(joined.unmatched) {
        places[i] = place;
        unmatched[i] = Some(counts);
    }
    // What has no names of its own is in the order of the target.
    for (place, _) in places.iter_mut().zip(names).filter(|(_, names)| names.is_none()) {
        place.clone_from(&joined.target);
    }
    Ok((joined.target, places, unmatched))
}

/// One source on its way to a graph.
struct Build<'a> {
    folder: &'a Path,
    config: &'a SourceConfig,
    target: &'a Dataset,
    /// Samples of the target before any were dropped.
    target_samples: usize,
    monitor: &'a dyn Monitor,
}

impl Build<'_> {
    fn graph(&self, content: Samples, place: &[usize], record: &mut Record) -> Outcome<Arc<Graph>> {
        match (&self.config.what, content) {
            (What::Target(recipe), _) => {
                record.content = "the target itself".to_owned();
                Ok(recipe.build(self.target, self.monitor)?)
            }
            (What::Data(_, recipe), Samples::Data(data)) => {
                record.content = format!("{} samples × {} features", data.n_samples(), data.n_features());
                self.same_count(&data)?;
                Ok(recipe.build(&data.samples(place, self.monitor)?, self.monitor)?)
            }
            (What::Labels(_), content) => self.labels(content, place, record),
            (What::Hierarchy(keys), Samples::Categories(pairs)) => {
                record.content = format!("{} paths", pairs.len());
                let paths: Vec<String> = place.iter().map(|&i| pairs[i].1.clone()).collect();
                let graph = hierarchy_graph(&paths, keys.level_weights.as_deref());
                Ok(Arc::new(graph.map_err(self.named())?))
            }
            (What::Similarity(_), Samples::Similarity(similarity)) => {
                self.similarity(similarity, place, record)
            }
            (What::Sets(keys, recipe), _) => {
                let sets = self.sets(keys, record)?;
                Ok(feature_set_graph(self.target, &sets, recipe, self.monitor).map_err(self.named())?)
            }
            (What::Network(keys), _) => {
                let network = self.network(keys, record)?;
                self.network_graph(&network, keys.covariance.as_deref(), keys.bandwidth.as_ref(), record)
            }
            (What::Annotations(keys), _) => {
                let network = self.annotations(keys, record)?;
                self.network_graph(&network, keys.covariance.as_deref(), keys.bandwidth.as_ref(), record)
            }
            _ => Err(Failure::Data(format!("source `{}` holds nothing", self.config.name))),
        }
    }

    /// An error of the library with the name of the source.
    fn named(&self) -> impl Fn(fiedler::Error) -> Failure + '_ {
        move |error| match Failure::from(error) {
            Failure::Data(sentence) => Failure::Data(format!("source `{}`: {sentence}", self.config.name)),
            other => other,
        }
    }

    /// Data without sample names are in the order of the target, so they must be as many.
    fn same_count(&self, data: &Dataset) -> Outcome {
        if data.sample_names().is_some() || data.n_samples() == self.target_samples {
            return Ok(());
        }
        Err(Failure::Data(format!(
            "source `{}` has no sample names and {} samples where {TARGET} has {}; add a column of names",
            self.config.name,
            data.n_samples(),
            self.target_samples
        )))
    }

    fn labels(&self, content: Samples, place: &[usize], record: &mut Record) -> Outcome<Arc<Graph>> {
        let labels = match &content {
            Samples::Categories(pairs) => Labels::new(place.iter().map(|&i| Some(&pairs[i].1))),
            _ => self.target.labels().cloned().ok_or_else(|| {
                Failure::Data(format!(
                    "source `{}` needs a `file`, or labels of {TARGET} (`label` or `labels` of [target])",
                    self.config.name
                ))
            })?,
        };
        record.content = format!("{} classes", labels.classes().len());
        Ok(Arc::new(label_graph(&labels).map_err(self.named())?))
    }

    fn similarity(
        &self,
        similarity: NamedSimilarity,
        place: &[usize],
        record: &mut Record,
    ) -> Outcome<Arc<Graph>> {
        let graph = match similarity {
            NamedSimilarity::Matrix { names, values } => {
                record.content = format!("{0} × {0} similarities", names.len());
                let row = |&i: &usize| place.iter().map(move |&j| (i, j));
                let picked: Vec<f64> =
                    place.iter().flat_map(row).map(|(i, j)| values[i * names.len() + j]).collect();
                Graph::from_dense(&picked, place.len())
            }
            NamedSimilarity::Edges(edges) => {
                record.content = format!("{} edges", edges.len());
                let names = ends(&edges);
                let mut new = vec![None; names.len()];
                place.iter().enumerate().for_each(|(at, &old)| new[old] = Some(at));
                let find = |name: &String| names.binary_search(name).ok().and_then(|i| new[i]);
                let known = |e: &NamedEdge| Some((find(&e.a)?, find(&e.b)?, e.weight));
                let edges: Vec<(usize, usize, f64)> = edges.iter().filter_map(known).collect();
                Graph::from_edges(&edges, place.len())
            }
        };
        let graph = graph.map_err(self.named())?;
        record.notes.extend(indefinite(&graph));
        Ok(Arc::new(graph))
    }

    /// Finds feature names of the source in the target.
    fn features(&self, names: &[String], record: &mut Record) -> Outcome<Vec<Option<usize>>> {
        let own: Vec<String> =
            (0..self.target.n_features()).map(|j| self.target.feature_name(j).into_owned()).collect();
        let target = Names { source: TARGET, kind: "feature", names: &own };
        let asked = Names { source: &self.config.name, kind: "feature", names };
        let found = match_features(target, asked, self.config.drop)?;
        record.dropped_features = Some(found.dropped);
        if found.dropped > 0 {
            record
                .notes
                .push(format!("{} feature names are not in {TARGET} and were dropped", found.dropped));
        }
        Ok(found.found)
    }

    fn sets(&self, keys: &SetKeys, record: &mut Record) -> Outcome<Vec<FeatureSet>> {
        let path = self.folder.join(&keys.file);
        let gmt = keys.file.extension().is_some_and(|e| e.eq_ignore_ascii_case("gmt"));
        let mut sets = match gmt {
            true => fiedler_io::read_sets(&path)?,
            false => {
                let members = fiedler_io::read_ranking(&path)?.into_iter().map(|r| r.feature).collect();
                vec![fiedler_io::NamedSet { name: self.config.name.clone(), members }]
            }
        };
        if let Some(wanted) = &keys.sets {
            if let Some(unknown) = wanted.iter().find(|w| sets.iter().all(|s| s.name != **w)) {
                return Err(Failure::Data(format!("{}: there is no set `{unknown}`", path.display())));
            }
            sets.retain(|s| wanted.contains(&s.name));
        }
        record.content = format!("{} sets", sets.len());
        let names: Vec<String> = sets.iter().flat_map(|s| s.members.iter().cloned()).collect();
        let mut found = self.features(&names, record)?.into_iter();
        let mut matched: Vec<FeatureSet> = sets
            .iter()
            .map(|s| FeatureSet {
                name: s.name.clone(),
                features: found.by_ref().take(s.members.len()).flatten().collect(),
            })
            .collect();
        if keys.join {
            let features = matched.iter().flat_map(|s| s.features.iter().copied()).collect();
            matched = vec![FeatureSet { name: self.config.name.clone(), features }];
        }
        let before = matched.len();
        matched.retain(|s| !s.features.is_empty());
        if matched.len() < before {
            record.notes.push(format!("{} sets have no feature of {TARGET}", before - matched.len()));
        }
        Ok(matched)
    }

    fn network(&self, keys: &NetworkKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        let edges = match fiedler_io::read_edges(&self.folder.join(&keys.file)) {
            Ok(edges) => edges,
            Err(first) => match fiedler_io::read_similarity(&self.folder.join(&keys.file)) {
                Ok(NamedSimilarity::Matrix { names, values }) => matrix_edges(&names, &values),
                _ => return Err(first.into()),
            },
        };
        record.content = format!("{} edges", edges.len());
        let names: Vec<String> = edges.iter().flat_map(|e| [e.a.clone(), e.b.clone()]).collect();
        let found = self.features(&names, record)?;
        let known = |(ends, e): (&[Option<usize>], &NamedEdge)| Some((ends[0]?, ends[1]?, e.weight));
        let edges: Vec<(usize, usize, f64)> = found.chunks(2).zip(&edges).filter_map(known).collect();
        FeatureNetwork::new(self.target.n_features(), &edges).map_err(self.named())
    }

    fn annotations(&self, keys: &AnnotationKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        let place = format!("source `{}`", self.config.name);
        let overlap = match keys.overlap.as_deref() {
            None | Some("jaccard") => Overlap::Jaccard,
            Some("cosine") => Overlap::Cosine,
            Some(other) => {
                return Err(Failure::usage(format!(
                    "{place}: `overlap` must be jaccard or cosine, got `{other}`"
                )));
            }
        };
        let pairs = fiedler_io::read_annotations(&self.folder.join(&keys.file))?;
        let mut terms: Vec<&String> = pairs.iter().map(|p| &p.1).collect();
        terms.sort_unstable();
        terms.dedup();
        record.content = format!("{} annotations with {} terms", pairs.len(), terms.len());
        let names: Vec<String> = pairs.iter().map(|p| p.0.clone()).collect();
        let found = self.features(&names, record)?;
        let known = |(feature, pair): (&Option<usize>, &(String, String))| {
            Some(((*feature)?, terms.binary_search(&&pair.1).ok()?))
        };
        let annotations: Vec<(usize, usize)> = found.iter().zip(&pairs).filter_map(known).collect();
        let most = keys.max_features.unwrap_or(MAX_FEATURES_OF_TERM);
        FeatureNetwork::from_annotations(self.target.n_features(), &annotations, overlap, most)
            .map_err(self.named())
    }

    fn network_graph(
        &self,
        network: &FeatureNetwork,
        covariance: Option<&str>,
        width: Option<&toml::Value>,
        record: &mut Record,
    ) -> Outcome<Arc<Graph>> {
        let place = format!("source `{}`", self.config.name);
        let width: Bandwidth = bandwidth(&place, width)?;
        let covariance = match covariance {
            None | Some("kernel") => Covariance::Kernel,
            Some("printed") => Covariance::Printed,
            Some(other) => {
                let rule = "`covariance` must be kernel or printed";
                return Err(Failure::usage(format!("{place}: {rule}, got `{other}`")));
            }
        };
        record.notes.extend(network.notes().iter().cloned());
        let graph = network.graph(self.target, covariance, width, self.monitor).map_err(self.named())?;
        Ok(Arc::new(graph))
    }
}

/// The pairs of a table that are alike, once each.
fn matrix_edges(names: &[String], values: &[f64]) -> Vec<NamedEdge> {
    let n = names.len();
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| values[i * n + j] != 0.0);
    pairs
        .map(|(i, j)| NamedEdge { a: names[i].clone(), b: names[j].clone(), weight: values[i * n + j] })
        .collect()
}
