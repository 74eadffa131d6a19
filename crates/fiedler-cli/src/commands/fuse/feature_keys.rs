//! What a table about features may say.

use std::path::{Path, PathBuf};

use fiedler::GraphRecipe;
use fiedler::fusion::{Covariance, KmerSimilarity, Overlap};
use fiedler_io::AnnotationFilter;
use serde::{Deserialize, Serialize};
use toml::Value;

/// Knowledge of features.
#[derive(Debug)]
pub(super) enum FeatureKeys {
    /// Sets of features.
    Sets(SetKeys, GraphRecipe),
    /// Interactions or similarity of features.
    Network(NetworkKeys),
    /// Terms of features.
    Annotations(AnnotationKeys),
    /// Sequences of features.
    Sequences(SequenceKeys),
}

impl FeatureKeys {
    /// The file of the source.
    pub(super) fn file(&self) -> &Path {
        match self {
            FeatureKeys::Sets(keys, _) => &keys.file,
            FeatureKeys::Network(keys) => &keys.file,
            FeatureKeys::Annotations(keys) => &keys.file,
            FeatureKeys::Sequences(keys) => &keys.file,
        }
    }
}

/// Which annotations of a GAF file are used, and what their terms are kinds or parts of.
#[derive(Debug, Default)]
pub(super) struct TermKeys {
    /// An OBO file.
    pub(super) ontology: Option<PathBuf>,
    /// Kinds of evidence; all unless some are named.
    pub(super) evidence: Vec<String>,
    /// Aspects (P, F, C); all unless some are named.
    pub(super) aspect: Vec<String>,
}

impl TermKeys {
    /// The first key that says something.
    pub(super) fn first_key(&self) -> Option<&'static str> {
        self.ontology.as_ref().map(|_| "ontology").or_else(|| self.first_of_gaf())
    }

    /// The first key that chooses among the annotations of a GAF file.
    pub(super) fn first_of_gaf(&self) -> Option<&'static str> {
        let given = [("evidence", !self.evidence.is_empty()), ("aspect", !self.aspect.is_empty())];
        given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
    }

    /// The annotations that are wanted.
    pub(super) fn filter(&self) -> AnnotationFilter {
        AnnotationFilter { evidence: self.evidence.clone(), aspects: self.aspect.clone() }
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SetKeys {
    pub(super) file: PathBuf,
    /// Which sets of a GMT file; all unless given.
    pub(super) sets: Option<Vec<String>>,
    /// One set of all members, in place of a graph for each set.
    #[serde(default)]
    pub(super) join: bool,
    /// An OBO file, for annotations.
    pub(super) ontology: Option<PathBuf>,
    /// Kinds of evidence of a GAF file; all unless some are named.
    #[serde(default)]
    pub(super) evidence: Vec<String>,
    /// Aspects of a GAF file (P, F, C); all unless some are named.
    #[serde(default)]
    pub(super) aspect: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct NetworkKeys {
    pub(super) file: PathBuf,
    /// Types of interactions; all unless some are named.
    #[serde(default)]
    pub(super) types: Vec<String>,
    /// Pairs of less weight are left out.
    pub(super) least: Option<f64>,
    #[serde(default)]
    pub(super) covariance: CovarianceKey,
    #[serde(default = "auto")]
    pub(super) bandwidth: Value,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct AnnotationKeys {
    pub(super) file: PathBuf,
    /// `jaccard`, `cosine`, `information` or `resnik`.
    #[serde(default = "jaccard")]
    pub(super) overlap: String,
    pub(super) max_features: Option<usize>,
    /// An OBO file: terms have all above them.
    pub(super) ontology: Option<PathBuf>,
    /// Kinds of evidence of a GAF file; all unless some are named.
    #[serde(default)]
    pub(super) evidence: Vec<String>,
    /// Aspects of a GAF file (P, F, C); all unless some are named.
    #[serde(default)]
    pub(super) aspect: Vec<String>,
    #[serde(default)]
    pub(super) covariance: CovarianceKey,
    #[serde(default = "auto")]
    pub(super) bandwidth: Value,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SequenceKeys {
    pub(super) file: PathBuf,
    /// Letters of the pieces that are compared; by the kind of sequence unless given.
    pub(super) k_mer: Option<usize>,
    /// To how many most similar features each is joined.
    #[serde(default = "ten")]
    pub(super) neighbors: usize,
    #[serde(default)]
    pub(super) covariance: CovarianceKey,
    #[serde(default = "auto")]
    pub(super) bandwidth: Value,
}

impl SetKeys {
    /// Which annotations are meant, where the file has annotations.
    pub(super) fn terms(&self) -> TermKeys {
        let (evidence, aspect) = (self.evidence.clone(), self.aspect.clone());
        TermKeys { ontology: self.ontology.clone(), evidence, aspect }
    }
}

impl AnnotationKeys {
    /// Which annotations are meant.
    pub(super) fn terms(&self) -> TermKeys {
        let (evidence, aspect) = (self.evidence.clone(), self.aspect.clone());
        TermKeys { ontology: self.ontology.clone(), evidence, aspect }
    }
}

/// `covariance = "kernel"`, `"printed"` or `"repaired"`.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CovarianceKey {
    /// C = K.
    #[default]
    Kernel,
    /// As the dissertation prints it.
    Printed,
    /// As it was meant.
    Repaired,
}

impl From<CovarianceKey> for Covariance {
    fn from(key: CovarianceKey) -> Self {
        match key {
            CovarianceKey::Kernel => Covariance::Kernel,
            CovarianceKey::Printed => Covariance::Printed,
            CovarianceKey::Repaired => Covariance::Repaired,
        }
    }
}

fn jaccard() -> String {
    Overlap::default().name().to_owned()
}

fn auto() -> Value {
    Value::String("auto".to_owned())
}

fn ten() -> usize {
    KmerSimilarity::default().neighbors
}
