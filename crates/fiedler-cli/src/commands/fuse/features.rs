//! Knowledge of features to sample graphs: sets, networks, annotations.

use std::sync::Arc;

use fiedler::Graph;
use fiedler::fusion::{FeatureNetwork, FeatureSet, Names, examples, feature_set_graph, match_features};
use fiedler_io::{NamedEdge, NamedSet, NamedSimilarity};

use super::keys::{AnnotationKeys, CovarianceKey, FeatureKeys, NetworkKeys, SetKeys, bandwidth};
use super::sources::{Build, Record, TARGET, asymmetric};
use crate::failure::{Failure, Outcome};
use crate::output::layout::plural;

/// How far the two values of a pair may be apart, relative to the largest of all.
const ROUNDING: f64 = 1e-8;

/// The graph of knowledge about features.
///
/// # Errors
/// A file cannot be read, names do not match, or it makes no graph.
pub(super) fn graph(build: &Build<'_>, keys: &FeatureKeys, record: &mut Record) -> Outcome<Arc<Graph>> {
    match keys {
        FeatureKeys::Sets(keys, recipe) => {
            let sets = build.sets(keys, record)?;
            Ok(feature_set_graph(build.target, &sets, recipe, build.monitor)?)
        }
        FeatureKeys::Network(keys) => {
            let network = build.network(keys, record)?;
            build.network_graph(&network, keys.covariance, &keys.bandwidth, record)
        }
        FeatureKeys::Annotations(keys) => {
            let network = build.annotations(keys, record)?;
            build.network_graph(&network, keys.covariance, &keys.bandwidth, record)
        }
    }
}

impl Build<'_> {
    /// The names of the target's features.
    fn own_names(&self) -> Vec<String> {
        (0..self.target.n_features()).map(|j| self.target.feature_name(j).into_owned()).collect()
    }

    /// Finds feature names of the source in the target.
    fn features(&self, names: &[String], record: &mut Record) -> Outcome<Vec<Option<usize>>> {
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
            record.notes.push(format!(
                "{} feature names are not in {TARGET} and were dropped ({})",
                found.dropped.len(),
                examples(&found.dropped)
            ));
        }
        record.dropped = Some(found.dropped);
        Ok(found.found)
    }

    fn sets(&self, keys: &SetKeys, record: &mut Record) -> Outcome<Vec<FeatureSet>> {
        let path = self.folder.join(&keys.file);
        let mut sets = match fiedler_io::kind_of(&path).as_str() {
            "gmt" => fiedler_io::read_sets(&path, self.monitor)?,
            _ => vec![NamedSet {
                name: self.config.name.clone(),
                members: fiedler_io::read_names(&path, self.monitor)?,
            }],
        };
        if let Some(wanted) = &keys.sets {
            if let Some(unknown) = wanted.iter().find(|w| sets.iter().all(|s| s.name != **w)) {
                return Err(Failure::Data(format!("{}: there is no set `{unknown}`", path.display())));
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

    fn network(&self, keys: &NetworkKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        let own = self.own_names();
        let path = self.folder.join(&keys.file);
        let told = fiedler_io::read_similarity(&path, &|name| own.iter().any(|n| n == name), self.monitor)?;
        record.notes.extend(told.notes);
        let edges = match told.found {
            NamedSimilarity::Edges(edges) => {
                record.content = plural(edges.len(), "edge");
                let names: Vec<String> = edges.iter().flat_map(|e| [e.a.clone(), e.b.clone()]).collect();
                let found = self.features(&names, record)?;
                let known = |(ends, e): (&[Option<usize>], &NamedEdge)| Some((ends[0]?, ends[1]?, e.weight));
                found.chunks(2).zip(&edges).filter_map(known).collect()
            }
            NamedSimilarity::Matrix { names, values } => {
                record.content = format!("{0} × {0} similarities", names.len());
                let found = self.features(&names, record)?;
                matrix_edges(&names, &values, &found)?
            }
        };
        Ok(FeatureNetwork::with_names(own.len(), &edges, &|j| own[j].clone())?)
    }

    fn annotations(&self, keys: &AnnotationKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        let own = self.own_names();
        let path = self.folder.join(&keys.file);
        let told = fiedler_io::read_annotations(&path, &|name| own.iter().any(|n| n == name), self.monitor)?;
        record.notes.extend(told.notes);
        let pairs = told.found;
        let mut terms: Vec<&String> = pairs.iter().map(|p| &p.1).collect();
        terms.sort_unstable();
        terms.dedup();
        record.content =
            format!("{} with {}", plural(pairs.len(), "annotation"), plural(terms.len(), "term"));
        let names: Vec<String> = pairs.iter().map(|p| p.0.clone()).collect();
        let found = self.features(&names, record)?;
        let known = |(feature, pair): (&Option<usize>, &(String, String))| {
            Some(((*feature)?, terms.binary_search(&&pair.1).ok()?))
        };
        let annotations: Vec<(usize, usize)> = found.iter().zip(&pairs).filter_map(known).collect();
        let overlap = keys.overlap.into();
        Ok(FeatureNetwork::from_annotations(own.len(), &annotations, overlap, keys.max_features)?)
    }

    fn network_graph(
        &self,
        network: &FeatureNetwork,
        covariance: CovarianceKey,
        width: &toml::Value,
        record: &mut Record,
    ) -> Outcome<Arc<Graph>> {
        let width = bandwidth(&self.config.called(), width)?;
        record.notes.extend(network.notes().iter().cloned());
        if let Some(most) = network.max_features() {
            record.settings.insert("max-features".to_owned(), most.into());
        }
        Ok(Arc::new(network.graph(self.target, covariance.into(), width, self.monitor)?))
    }
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
