//! Terms of features: annotations in tables or GAF files, completed by an ontology.

use std::collections::HashSet;
use std::path::Path;

use fiedler::fusion::{Annotations, FeatureNetwork, Overlap, examples};

use super::feature_keys::{AnnotationKeys, TermKeys};
use super::features::without_pairs;
use super::sources::{Build, Record};
use crate::failure::{Failure, Outcome};
use crate::output::layout::plural;

/// That no term joins two features, and what may help.
fn nothing_shared(keys: &AnnotationKeys) -> String {
    let help = match (keys.max_features, &keys.ontology) {
        (Some(most), _) => format!(" and no more than {most} have; give a larger `max-features`"),
        (None, None) => " and not all have; an `ontology` adds the terms above theirs".to_owned(),
        (None, Some(_)) => {
            " and not all have; name annotations that have more than the terms at the top".to_owned()
        }
    };
    format!("no two features of the target share a term that tells something: one that two have{help}")
}

impl Build<'_> {
    /// The network of features that share terms.
    ///
    /// # Errors
    /// A file cannot be read, names do not match, or no two features share a term.
    pub(super) fn annotations(&self, keys: &AnnotationKeys, record: &mut Record) -> Outcome<FeatureNetwork> {
        let overlap: Overlap = keys.overlap.parse().map_err(Failure::usage)?;
        if let Some(few) = keys.max_features.filter(|&most| most < 2) {
            let rule = "2 or more, for a term that one feature has joins nothing";
            return Err(Failure::usage(format!("`max-features` must be {rule}, got {few}")));
        }
        let told = self.terms(&self.folder.join(&keys.file), &keys.terms(), record)?;
        let found = self.features(told.features(), record)?;
        let own: Vec<(usize, usize)> = told.pairs().filter_map(|(f, t)| Some((found[f]?, t))).collect();
        // What a term tells is known from all features of the file, not only those of the target.
        let informed = (overlap, &told.information()[..]);
        let n_features = self.target.n_features();
        let network = FeatureNetwork::from_informed(n_features, &own, informed, keys.max_features);
        network.map_err(|e| without_pairs(e, &keys.file, &nothing_shared(keys)))
    }

    /// The annotations of a file, with all terms above them where there is an ontology.
    ///
    /// # Errors
    /// A file cannot be read, keys of a GAF file are given for another, or the ontology knows none of the terms.
    pub(super) fn terms(&self, path: &Path, keys: &TermKeys, record: &mut Record) -> Outcome<Annotations> {
        let own: HashSet<String> = self.own_names().into_iter().collect();
        let known = |name: &str| own.contains(name);
        let told = if fiedler_io::kind_of(path) == "gaf" {
            fiedler_io::read_gaf(path, &keys.filter(), &known, self.monitor)?
        } else if let Some(key) = keys.first_of_gaf() {
            return Err(Failure::usage(format!(
                "`{key}` belongs to a GAF file (its name ends in .gaf or .gaf.gz), and {} is none; leave `{key}` out",
                path.display()
            )));
        } else {
            fiedler_io::read_annotations(path, &known, self.monitor)?
        };
        record.notes.extend(told.notes);
        let pairs = told.found.len();
        let mut told = Annotations::new(&told.found);
        drop(own);
        if let Some(ontology) = &keys.ontology {
            let file = self.folder.join(ontology);
            let told_of_terms = fiedler_io::read_ontology(&file, self.monitor)?;
            record.notes.extend(told_of_terms.notes);
            let ontology = told_of_terms.found;
            let (all, unknown) = told.with_ancestors(&ontology)?;
            if all.n_used() == 0 {
                let (shown, some) = (file.display(), examples(&unknown));
                return Err(Failure::Data(format!(
                    "{shown}: it has none of the terms of the annotations ({some})"
                )));
            }
            if !unknown.is_empty() {
                let (terms, some) = (plural(unknown.len(), "term"), examples(&unknown));
                record.notes.push(format!(
                    "{terms} that the ontology does not have, or calls obsolete, are left out ({some})"
                ));
            }
            told = all;
        }
        record.content = format!("{} with {}", plural(pairs, "annotation"), plural(told.n_used(), "term"));
        Ok(told)
    }
}
