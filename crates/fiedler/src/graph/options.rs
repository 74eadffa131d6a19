//! What a user may say of a graph, by name: the one parser of graphs for the command's options, the
//! keys of TOML files and Python's keywords.

use std::sync::Arc;

use super::{Graph, GraphRecipe};
use crate::parameters::ParameterValue;
use crate::selector::GraphUse;
use crate::{Error, Result};

/// A graph as the user asks for it: a kind, or none, and options by name. What is not said is the
/// default: of the kind, and of the method where no kind is named.
#[derive(Debug, Clone, Default)]
pub struct GraphOptions {
    /// The kind: a name of [`kinds`](super::kinds).
    pub kind: Option<String>,
    /// Options of the kind: `k`, `weight`, ….
    pub set: Vec<(String, ParameterValue)>,
    /// A graph that is there already, in place of a kind.
    pub given: Option<Arc<Graph>>,
}

impl GraphOptions {
    /// Whether the user said nothing.
    pub fn is_empty(&self) -> bool {
        self.kind.is_none() && self.set.is_empty() && self.given.is_none()
    }

    /// The name of the kind for a method of that use.
    pub fn kind(&self, usual: GraphUse) -> &str {
        self.kind.as_deref().unwrap_or_else(|| usual.default_recipe().info().name)
    }

    /// The recipe for a method of that use.
    ///
    /// # Errors
    /// A kind that does not exist, an option that the kind does not have, a value that breaks its rule.
    pub fn recipe(&self, usual: GraphUse) -> Result<GraphRecipe> {
        if let Some(graph) = &self.given {
            if let Some((name, _)) = self.set.first() {
                let known = "none".to_owned();
                return Err(Error::UnknownParameter { owner: "a given graph", name: name.clone(), known });
            }
            return Ok(GraphRecipe::Given(Arc::clone(graph)));
        }
        let recipe = GraphRecipe::named(
            self.kind(usual),
            self.set.iter().map(|(name, value)| (name.as_str(), value.clone())),
        )?;
        Ok(if usual == GraphUse::Rbf { recipe.in_euclidean_distance() } else { recipe })
    }
}
