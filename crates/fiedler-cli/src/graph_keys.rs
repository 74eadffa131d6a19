//! A graph as a TOML file names it: `graph = "knn"`, or `graph = { kind = "knn", k = 10, weight = "heat" }`.

use fiedler::{GraphOptions, GraphRecipe, ParameterValue};
use serde::{Deserialize, Serialize};
use toml::Table;

/// What a file says of a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "toml::Value")]
pub(crate) enum GraphKeys {
    /// The kind alone.
    Kind(String),
    /// The kind and its options.
    Table(Table),
}

/// What a graph must be.
const RULE: &str = "`graph` must be a kind, or a table with a `kind`, such as { kind = \"knn\", k = 10 }";

impl TryFrom<toml::Value> for GraphKeys {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        match value {
            toml::Value::String(kind) => Ok(GraphKeys::Kind(kind)),
            toml::Value::Table(table) => Ok(GraphKeys::Table(table)),
            other => Err(format!("{RULE}, got {}", crate::text_file::shown(&other))),
        }
    }
}

impl GraphKeys {
    /// The recipe.
    ///
    /// # Errors
    /// There is no such kind, it has no such option, or a value breaks its rule.
    pub(crate) fn recipe(&self) -> Result<GraphRecipe, String> {
        let (kind, set) = self.said()?;
        GraphRecipe::named(&kind, set.iter().map(|(name, value)| (name.as_str(), value.clone())))
            .map_err(|error| error.to_string())
    }

    /// The same with what `other` says in place of what is said here.
    pub(crate) fn with(&self, other: &GraphKeys) -> GraphKeys {
        match (self, other) {
            (GraphKeys::Table(table), GraphKeys::Table(other)) => {
                let mut joined = table.clone();
                joined.extend(other.clone());
                GraphKeys::Table(joined)
            }
            _ => other.clone(),
        }
    }

    /// What it says, as the options of the command say it.
    ///
    /// # Errors
    /// It does not say a kind, or a value is not one value.
    pub(crate) fn options(&self) -> Result<GraphOptions, String> {
        let (kind, set) = self.said()?;
        Ok(GraphOptions { kind: Some(kind), set, given: None })
    }

    /// The kind and all its options, defaults filled in.
    ///
    /// # Errors
    /// As [`recipe`](Self::recipe).
    pub(crate) fn filled(&self) -> Result<serde_json::Value, String> {
        let (kind, set) = self.said()?;
        let given = set.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let (info, parameters) = GraphRecipe::checked(&kind, given).map_err(|error| error.to_string())?;
        let mut told = serde_json::Map::from_iter([("kind".to_owned(), info.name.into())]);
        for (name, value) in parameters.iter() {
            let value = match value {
                ParameterValue::Integer(v) => (*v).into(),
                ParameterValue::Real(v) => (*v).into(),
                ParameterValue::Bool(v) => (*v).into(),
                other => other.to_string().into(),
            };
            told.insert(name.to_owned(), value);
        }
        Ok(told.into())
    }

    fn said(&self) -> Result<(String, Vec<(String, ParameterValue)>), String> {
        let table = match self {
            GraphKeys::Kind(kind) => return Ok((kind.clone(), Vec::new())),
            GraphKeys::Table(table) => table,
        };
        let mut rest = table.clone();
        let Some(toml::Value::String(kind)) = rest.remove("kind") else {
            return Err(RULE.to_owned());
        };
        let set = rest.iter().map(|(name, value)| Ok((name.clone(), parameter(name, value)?)));
        Ok((kind, set.collect::<Result<_, String>>()?))
    }
}

fn parameter(name: &str, value: &toml::Value) -> Result<ParameterValue, String> {
    Ok(match value {
        toml::Value::String(text) => ParameterValue::from(text.clone()),
        toml::Value::Boolean(yes) => ParameterValue::Bool(*yes),
        toml::Value::Float(number) => ParameterValue::Real(*number),
        toml::Value::Integer(number) => match usize::try_from(*number) {
            Ok(whole) => ParameterValue::Integer(whole),
            Err(_) => ParameterValue::Real(*number as f64),
        },
        other => {
            let got = other.type_str();
            return Err(format!("`{name}` of a graph must be one value, got a {got}"));
        }
    })
}
