//! A graph in a file, whatever the format: numbers, origin, notes and warnings.
//!
//! Nothing in a file is believed: lengths, ranges, symmetry and finiteness are checked as those of a graph
//! of the user's are. Text must write numbers so that they read back to the bit, or the graph is another.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::classes::Classes;
use super::dense::Dense;
use super::low_rank::LowRank;
use super::{Csr, Graph, GraphInfo, Metric, Origin, Similarity, Weighting, given};
use crate::parameters::ParameterValue;
use crate::{Error, Result};

/// The version of the shape below; files of another are refused.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredGraph<'a> {
    version: u32,
    kind: Cow<'a, str>,
    metric: Option<Metric>,
    weighting: Weighting,
    parameters: Vec<(Cow<'a, str>, StoredValue<'a>)>,
    numbers: Numbers<'a>,
    notes: Cow<'a, [String]>,
    warnings: Cow<'a, [String]>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredValue<'a> {
    Bool(bool),
    Integer(usize),
    Real(f64),
    Text(Cow<'a, str>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Numbers<'a> {
    /// Compressed rows, both triangles.
    Sparse { offsets: Cow<'a, [usize]>, columns: Cow<'a, [u32]>, values: Cow<'a, [f64]> },
    /// All pairs, row after row.
    Dense { n_samples: usize, values: Vec<f64> },
    /// The class of every sample.
    Classes { classes: usize, codes: Cow<'a, [u32]> },
    /// Links to landmarks by compressed rows.
    LowRank { landmarks: usize, offsets: Cow<'a, [usize]>, columns: Cow<'a, [u32]>, values: Cow<'a, [f64]> },
    /// Weighted parts.
    Sum { weights: Vec<f64>, parts: Vec<Cow<'a, Graph>> },
}

impl Serialize for Graph {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Origin { info, metric, weighting, parameters } = &self.origin;
        let told =
            |(name, value): &'_ (Cow<'static, str>, ParameterValue)| (name.clone(), StoredValue::of(value));
        let stored = StoredGraph {
            version: VERSION,
            kind: info.name.into(),
            metric: *metric,
            weighting: *weighting,
            parameters: parameters.iter().map(told).collect(),
            numbers: Numbers::of(self),
            notes: self.notes.as_slice().into(),
            warnings: self.warnings.as_slice().into(),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Graph {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        StoredGraph::deserialize(deserializer)?.graph().map_err(D::Error::custom)
    }
}

impl StoredGraph<'_> {
    fn graph(self) -> Result<Graph> {
        if self.version != VERSION {
            let rule = format!("{VERSION}, the one that this program reads");
            return Err(Error::parameter("version", rule, self.version));
        }
        let info = GraphInfo::find(&self.kind).ok_or_else(|| {
            Error::parameter("kind", "a kind of graph that this program knows", format!("`{}`", self.kind))
        })?;
        let parameters =
            self.parameters.into_iter().map(|(name, v)| (Cow::Owned(name.into_owned()), v.value())).collect();
        let origin = Origin { info, metric: self.metric, weighting: self.weighting, parameters };
        let (notes, warnings) = (self.notes.into_owned(), self.warnings.into_owned());
        Ok(Graph { notes, warnings, ..Graph::assemble(self.numbers.similarity()?, origin) })
    }
}

impl<'a> StoredValue<'a> {
    fn of(value: &ParameterValue) -> Self {
        match value {
            ParameterValue::Integer(v) => StoredValue::Integer(*v),
            ParameterValue::Real(v) => StoredValue::Real(*v),
            ParameterValue::Bool(v) => StoredValue::Bool(*v),
            other => StoredValue::Text(other.to_string().into()),
        }
    }

    fn value(self) -> ParameterValue {
        match self {
            StoredValue::Integer(v) => v.into(),
            StoredValue::Real(v) => v.into(),
            StoredValue::Bool(v) => v.into(),
            StoredValue::Text(v) => v.into_owned().into(),
        }
    }
}

impl<'a> Numbers<'a> {
    fn of(graph: &'a Graph) -> Self {
        match &graph.similarity {
            Similarity::Sparse(sparse) => {
                let (offsets, columns, values) = sparse.compressed();
                Numbers::Sparse { offsets: offsets.into(), columns: columns.into(), values: values.into() }
            }
            Similarity::Dense(dense) => {
                let n_samples = dense.n_samples();
                let values = (0..n_samples).flat_map(|j| dense.column(j)).copied().collect();
                Numbers::Dense { n_samples, values }
            }
            Similarity::Classes(classes) => {
                Numbers::Classes { classes: classes.count(), codes: classes.codes().into() }
            }
            Similarity::LowRank(low) => {
                let (offsets, columns, values) = low.compressed();
                let (offsets, columns, values) = (offsets.into(), columns.into(), values.into());
                Numbers::LowRank { landmarks: low.count(), offsets, columns, values }
            }
            Similarity::Sum(parts) => Numbers::Sum {
                weights: parts.iter().map(|part| part.0).collect(),
                parts: parts.iter().map(|part| Cow::Borrowed(&*part.1)).collect(),
            },
        }
    }

    fn similarity(self) -> Result<Similarity> {
        Ok(match self {
            Numbers::Sparse { offsets, columns, values } => {
                Graph::from_csr(&Csr { offsets, columns, values })?.similarity
            }
            Numbers::Dense { n_samples, values } => {
                Similarity::Dense(Dense::new(given::symmetric(&values, n_samples, &crate::Silent)?))
            }
            Numbers::Classes { classes, codes } => {
                if let Some(code) = codes.iter().find(|c| **c as usize >= classes) {
                    let rule = format!("numbers of classes below {classes}");
                    return Err(Error::parameter("codes", rule, code));
                }
                Similarity::Classes(Classes::new(codes.into_owned(), classes))
            }
            Numbers::LowRank { landmarks, offsets, columns, values } => {
                let (offsets, columns) = (offsets.into_owned(), columns.into_owned());
                Similarity::LowRank(LowRank::checked(landmarks, offsets, columns, values.into_owned())?)
            }
            Numbers::Sum { weights, parts } => {
                if weights.len() != parts.len() {
                    let (expected, got) = (parts.len(), weights.len());
                    return Err(Error::Length { what: "weights of a summed graph", expected, got });
                }
                let shared = parts.into_iter().map(|part| Arc::new(part.into_owned()));
                Graph::sum(weights.into_iter().zip(shared).collect())?.similarity
            }
        })
    }
}
