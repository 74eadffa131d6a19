//! Knowledge of features to sample graphs: sets, networks, annotations, sequences.

use std::collections::HashSet;
use std::path::Path;

use fiedler::fusion::{
    FeatureNetwork, FeatureSet, KmerSimilarity, Knowledge, Names, examples, match_features,
};
use fiedler_io::{NamedEdge, NamedSet, NamedSimilarity};

use super::feature_keys::{CovarianceKey, FeatureKeys, NetworkKeys, SequenceKeys, SetKeys};
use super::keys::bandwidth;
use super::sources::{Build, Record, TARGET, asymmetric};
use crate::failure::{Failure, Outcome};
use crate::lists::did_you_mean;
use crate::output::layout::plural;

/// How far the two values of a pair may be apart, relative to the largest of all.
const ROUNDING: f64 = 1e-8;

/// Knowledge about features.
///
/// # Errors
/// A file cannot be read, names do not match, or it makes no graph.
pub(super) fn knowledge(build: &Build<'_>, keys: &FeatureKeys, record: &mut Record) -> Outcome<Knowledge> {
    match keys {
        FeatureKeys::Sets(keys, recipe) => Ok(Knowledge::Sets(build.sets(keys, record)?, recipe.clone())),
        FeatureKeys::Network(keys) => {
            let network = build.network(keys, record)?;
            build.joined(network, keys.covariance, &keys.bandwidth, record)
        }
        FeatureKeys::Annotations(keys) => {
            let network = build.annotations(keys, record)?;
            build.joined(network, keys.covariance, &keys.bandwidth, record)
        }
        FeatureKeys::Sequences(keys) => {
            let network = build.sequences(keys, record)?;
            build.joined(network, keys.covariance, &keys.bandwidth, record)
        }
    }
}

impl Build<'_> {
    /// The names of the target's features.
    pub(super) fn own_names(&self) -> Vec<String> {
        (0..self.target.n_features()).map(|j| self.target.feature_name(j).into_owned()).collect()
    }

    /// Finds feature names of the source in the target.
    pub(super) fn features(&self, names: &[String], record: &mut Record) -> Outcome<Vec<Option<usize>>> {
        if let Some(name) = names.iter().find(|n| self.repeated.contains(n)) {
            return Err(Failure::Data(format!(
                "it names `{name}`, and several features of {TARGET} are called so; give them different names"
            )));
        }
        let own = self.own_names();
        let target = Names { source: TARGET, kind: "feature", names: &own };
        let called = self.config.called();
        let asked = Names { source: &called, kind: "feature", names };
        let found = match_features(target, asked, self.config.drop)?;
        if !found.dropped.is_empty() {
            let (count, some) = (found.dropped.len(), examples(&found.dropped));
            let what = if count == 1 { "name is" } else { "names are" };
            let were = if count == 1 { "was" } else { "were" };
            record.notes.push(format!("{count} feature {what} not in {TARGET} and {were} dropped ({some})"));
        }
        record.dropped = Some(found.dropped);
        Ok(found.found)
    }

    fn sets(&self, keys: &SetKeys, record: &mut Record) -> Outcome<Vec<FeatureSet>> {
        let path = self.folder.join(&keys.file);
        let mut sets = self.named_sets(&path, keys, record)?;
        if let Some(wanted) = &keys.sets {
            if let Some(unknown) = wanted.iter().find(|w| sets.iter().all(|s| s.name != **w)) {
                let names: Vec<&str> = sets.iter().map(|s| s.name.as_str()).collect();
                let hint = did_you_mean(unknown, names.iter().copied());
                let (shown, there) = (path.display(), examples(&names));
                return Err(Failure::Data(format!(
                    "{shown}: there is no set `{unknown}`; it has {there}{hint}"
                )));
            }
            sets.retain(|s| wanted.contains(&s.name));
        }
        record.content = plural(sets.len(), "set");
        let names: Vec<String> = sets.iter().flat_map(|s| s.members.iter().cloned()).collect();
        let mut found = self.features(&names, record)?.into_iter();
        let mut matched: Vec<FeatureSet> = sets
            .iter()
            .map(|s| FeatureSet {
                name: s.name.clone(),
                features: found.by_ref().take(s.members.len()).flatten().collect(),
            })
            .collect();
        let empty: Vec<String> =
            matched.iter().filter(|s| s.features.is_empty()).map(|s| s.name.clone()).collect();
        if !empty.is_empty() {
            record.notes.push(format!(
                "{} without a feature of {TARGET} ({})",
                plural(empty.len(), "set"),
                examples(&empty)
            ));
        }
        matched.retain(|s| !s.features.is_empty());
        record.sets = matched.iter().map(|s| (s.name.clone(), s.features.len())).collect();
        if keys.join {
            let features = matched.iter().flat_map(|s| s.features.iter().copied()).collect();
            matched = vec![FeatureSet { name: self.config.name.clone(), features }];
        }
        Ok(matched)
    }

    /// The sets of a file: of a GMT file, the terms of annotations, the genes of a pathway, the ends of interactions, or one
    /// feature a line.
    fn named_sets(&self, path: &Path, keys: &SetKeys, record: &mut Record) -> Outcome<Vec<NamedSet>> {
        let kind = fiedler_io::kind_of(path);
        let own: HashSet<String> = self.own_names().into_iter().collect();
        let known = |name: &str| own.contains(name);
        let terms = keys.terms();
        if let Some(key) = terms.first_key().filter(|_| kind != "gaf") {
            return Err(Failure::usage(format!(
                "`{key}` belongs to a GAF file, which has annotations (its name ends in .gaf or .gaf.gz), and {} is none; \
                 leave `{key}` out",
                path.display()
            )));
        }
        let one = |members: Vec<String>| vec![NamedSet { name: self.config.name.clone(), members }];
        Ok(match kind.as_str() {
            "gmt" => fiedler_io::read_sets(path, self.monitor)?,
            "gaf" => {
                let told = self.terms(path, &terms, record)?;
                told.sets().into_iter().map(|(name, members)| NamedSet { name, members }).collect()
            }
            "kgml" | "xml" => {
                let told = fiedler_io::read_pathway(path, &[], &known, self.monitor)?;
                record.notes.extend(told.notes);
                vec![told.found.genes]
            }
            "sif" => {
                let told = fiedler_io::read_interactions(path, &[], &known, self.monitor)?;
                one(ends(told.found))
            }
            _ => one(fiedler_io::read_names(path, self.monitor)?),
        })
    }

    fn network(&self, keys: &NetworkKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        if let Some(wrong) = keys.least.filter(|least| !(least.is_finite() && *least >= 0.0)) {
            return Err(Failure::usage(format!("`least` must be a number from 0, got {wrong}")));
        }
        let own = self.own_names();
        let path = self.folder.join(&keys.file);
        let is_own: HashSet<&str> = own.iter().map(String::as_str).collect();
        let known = |name: &str| is_own.contains(name);
        let told = fiedler_io::read_interactions(&path, &keys.types, &known, self.monitor)?;
        // Why all weigh 1, where the reader says so.
        let unweighted = told.notes.iter().find(|note| note.ends_with("every pair weighs 1")).cloned();
        record.notes.extend(told.notes);
        let mut all_weigh_0 = false;
        let edges = match told.found {
            NamedSimilarity::Edges(mut edges) => {
                record.notes.extend(keep_strong(&mut edges, keys.least, unweighted.as_deref())?);
                record.content = plural(edges.len(), "edge");
                let names: Vec<String> = edges.iter().flat_map(|e| [e.a.clone(), e.b.clone()]).collect();
                let found = self.features(&names, record)?;
                let known = |(ends, e): (&[Option<usize>], &NamedEdge)| Some((ends[0]?, ends[1]?, e.weight));
                found.chunks(2).zip(&edges).filter_map(known).collect()
            }
            NamedSimilarity::Matrix { names, values } => {
                record.content = format!("{0} × {0} similarities", names.len());
                let found = self.features(&names, record)?;
                let mut edges =
                    matrix_edges(&names, &values, &found).map_err(|e| e.at(&fiedler_io::shown(&path)))?;
                // Pairs that weigh 0 are no edges of a square table.
                all_weigh_0 = edges.is_empty() && found.iter().flatten().count() > 1;
                let heaviest = edges.iter().map(|e| e.2).fold(f64::NEG_INFINITY, f64::max);
                refuse_all_light(edges.len(), heaviest, keys.least, None)?;
                edges.retain(|e| keys.least.is_none_or(|least| e.2 >= least));
                edges
            }
        };
        if all_weigh_0 || (!edges.is_empty() && edges.iter().all(|e| e.2 == 0.0)) {
            return Err(Failure::Data(format!(
                "{}: its pairs all weigh 0, so that nothing is joined; name a file whose weights are larger",
                keys.file.display()
            )));
        }
        let network = FeatureNetwork::with_names(own.len(), &edges, &|j| own[j].clone());
        let joins = "it joins no two different features of the target; name a file that does";
        network.map_err(|e| without_pairs(e, &keys.file, joins))
    }

    fn sequences(&self, keys: &SequenceKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        let own: HashSet<String> = self.own_names().into_iter().collect();
        let path = self.folder.join(&keys.file);
        let told = fiedler_io::read_sequences(&path, &|name| own.contains(name), self.monitor)?;
        record.notes.extend(told.notes);
        let names: Vec<String> = told.found.iter().map(|s| s.name.clone()).collect();
        let found = self.features(&names, record)?;
        let known = found.iter().zip(&told.found);
        let sequences: Vec<(usize, &[u8])> =
            known.filter_map(|(at, s)| Some(((*at)?, s.letters.as_slice()))).collect();
        record.content = plural(told.found.len(), "sequence");
        if sequences.len() < 2 {
            let (file, got) = (keys.file.display(), plural(sequences.len(), "feature"));
            return Err(Failure::Data(format!(
                "{file}: it has sequences of {got} of {TARGET}, and two are needed at least; name a file that has more"
            )));
        }
        let asked = KmerSimilarity { length: keys.k_mer, neighbors: keys.neighbors };
        let letters = asked.pieces_of(&sequences);
        record.settings.insert("k-mer".to_owned(), letters.into());
        let network = asked.network(self.target.n_features(), &sequences, self.monitor);
        let share =
            format!("no two of its sequences share a piece of {letters} letters; give a smaller `k-mer`");
        network.map_err(|e| without_pairs(e, &keys.file, &share))
    }

    fn joined(
        &self,
        network: FeatureNetwork,
        covariance: CovarianceKey,
        width: &toml::Value,
        record: &mut Record,
    ) -> Outcome<Knowledge> {
        let width = bandwidth(width)?;
        record.notes.extend(network.notes().iter().cloned());
        if let Some(most) = network.max_features() {
            record.settings.insert("max-features".to_owned(), most.into());
        }
        Ok(Knowledge::Network(network, covariance.into(), width))
    }
}

/// A network that joins nothing, told with its file and in the words of its kind; any other error as it is.
pub(super) fn without_pairs(error: fiedler::Error, file: &Path, what: &str) -> Failure {
    match error {
        fiedler::Error::Parameter { name, .. } if name == "feature network" => {
            Failure::Data(format!("{}: {what}", file.display()))
        }
        other => other.into(),
    }
}

/// Leaves out pairs of less weight than `least`, and tells of it.
fn keep_strong(
    edges: &mut Vec<NamedEdge>,
    least: Option<f64>,
    unweighted: Option<&str>,
) -> Outcome<Option<String>> {
    let heaviest = edges.iter().map(|e| e.weight).fold(f64::NEG_INFINITY, f64::max);
    refuse_all_light(edges.len(), heaviest, least, unweighted)?;
    let (Some(least), before) = (least, edges.len()) else { return Ok(None) };
    edges.retain(|e| e.weight >= least);
    let left = before - edges.len();
    Ok((left > 0).then(|| format!("{left} of {before} edges weigh less than {least} and are left out")))
}

/// A bound that nothing reaches; files without weights have edges of 1, and others may for a reason.
fn refuse_all_light(edges: usize, heaviest: f64, least: Option<f64>, unweighted: Option<&str>) -> Outcome {
    match least {
        Some(least) if edges > 0 && heaviest < least => {
            let rule = format!("at most the largest weight of its {} ({heaviest})", plural(edges, "edge"));
            let why = match unweighted {
                Some(why) => format!("; {why}"),
                None if heaviest == 1.0 => "; a file without weights has 1 for all".to_owned(),
                None => String::new(),
            };
            Err(Failure::Data(format!("`least` must be {rule}, got {least}{why}")))
        }
        _ => Ok(()),
    }
}

/// All names in a similarity, once each.
fn ends(similarity: NamedSimilarity) -> Vec<String> {
    let mut names = match similarity {
        NamedSimilarity::Edges(edges) => edges.into_iter().flat_map(|e| [e.a, e.b]).collect(),
        NamedSimilarity::Matrix { names, .. } => names,
    };
    names.sort_unstable();
    names.dedup();
    names
}

/// The pairs of a table that are alike, once each, as features of the target.
fn matrix_edges(
    names: &[String],
    values: &[f64],
    found: &[Option<usize>],
) -> Outcome<Vec<(usize, usize, f64)>> {
    let n = names.len();
    let allowed = ROUNDING * values.iter().fold(0.0f64, |largest, v| largest.max(v.abs()));
    let mut edges = Vec::new();
    for i in 0..n {
        for j in 0..i {
            let (a, b) = (values[i * n + j], values[j * n + i]);
            if (a - b).abs() > allowed {
                return Err(asymmetric(&names[i], &names[j], a, b));
            }
            // Halving first cannot overflow, and a + b is b + a to the bit.
            if let (Some(x), Some(y), true) = (found[i], found[j], a != 0.0 || b != 0.0) {
                edges.push((x, y, 0.5 * a + 0.5 * b));
            }
        }
    }
    Ok(edges)
}
