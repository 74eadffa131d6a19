//! Graphs that several methods of an analysis take: made once, when the first of them asks.

use std::sync::Arc;

use super::task::Ready;
use crate::Result;
use crate::dataset::{Dataset, Scaling, Transform};
use crate::findings::GraphSummary;
use crate::graph::{Graph, GraphRecipe};
use crate::monitor::Monitor;
use crate::selector::LabelUse;

/// What decides which graph a method takes: the recipe, and how the data are scaled.
type GraphKey = (GraphRecipe, Scaling, Transform);

/// The graphs that are there, with the seconds each took.
pub(super) struct SharedGraphs {
    keys: Vec<GraphKey>,
    made: Vec<(GraphKey, Arc<Graph>, f64)>,
    summaries: Vec<(Arc<Graph>, Arc<GraphSummary>)>,
}

impl SharedGraphs {
    pub(super) fn new(tasks: &[&Ready]) -> Self {
        SharedGraphs {
            keys: tasks.iter().filter_map(|ready| key(ready)).collect(),
            made: Vec::new(),
            summaries: Vec::new(),
        }
    }

    /// The recipe that a method is built with, and the seconds that an earlier method spent on its graph.
    pub(super) fn recipe(
        &mut self,
        ready: &Ready,
        data: &Dataset,
        monitor: &dyn Monitor,
    ) -> Result<(Option<GraphRecipe>, f64)> {
        let Some(key) = key(ready) else { return Ok((None, 0.0)) };
        if let Some((_, graph, seconds)) = self.made.iter().find(|(known, ..)| *known == key) {
            return Ok((Some(GraphRecipe::Given(Arc::clone(graph))), *seconds));
        }
        // A method that is alone with its graph makes it itself, or does without.
        if self.keys.iter().filter(|other| **other == key).count() < 2 {
            return Ok((ready.task.recipe.clone(), 0.0));
        }
        let begun = monitor.now();
        let mut seen = ready.view.clone();
        if let (LabelUse::Needed, Some(labels)) = (key.0.labels(), data.labels()) {
            seen = seen.labeled(labels.clone())?;
        }
        let graph = key.0.build(&seen, monitor)?;
        let seconds = begun.zip(monitor.now()).map_or(0.0, |(begun, now)| now - begun);
        self.made.push((key, Arc::clone(&graph), seconds));
        Ok((Some(GraphRecipe::Given(graph)), 0.0))
    }

    /// The summary of a graph, made once however many methods share it.
    pub(super) fn summary(&mut self, graph: Arc<Graph>) -> Arc<GraphSummary> {
        if let Some((_, summary)) = self.summaries.iter().find(|(other, _)| Arc::ptr_eq(other, &graph)) {
            return Arc::clone(summary);
        }
        let summary = Arc::new(GraphSummary::of(&graph));
        self.summaries.push((graph, Arc::clone(&summary)));
        summary
    }
}

/// `None` where the method takes no graph, or one that nobody else can take.
fn key(Ready { task, view }: &Ready) -> Option<GraphKey> {
    let graph = task.graph()?;
    // The similarity of a target is made by the method that takes it.
    if view.target().is_some() && graph.labels() == LabelUse::Needed {
        return None;
    }
    // Where the data are not ranks, the metric that they choose is the euclidean one: the same graph for all.
    let graph = if view.transform() == Transform::Ranks { graph } else { graph.in_euclidean_distance() };
    Some((graph, view.scaling(), view.transform()))
}
