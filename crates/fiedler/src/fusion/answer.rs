//! Fusions as [`Findings`]: the same answer that any other question gets, with what each source contributed.
//! Aggregations are described as methods are.

use std::sync::Arc;

use super::{Aggregation, Fusion, Share};
use crate::analysis::{Analysis, Wanted};
use crate::dataset::{Dataset, Scaling};
use crate::findings::{Findings, GraphSummary, SourceFound, SourceGraph};
use crate::graph::{Graph, GraphOptions};
use crate::methods;
use crate::monitor::Monitor;
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, MethodInfo, Supervision};
use crate::{Error, Result};

impl Fusion {
    /// Answers a question about `data` on the combined graph, and tells how each source alone would rank the
    /// features.
    ///
    /// ```
    /// use fiedler::fusion::{Coefficients, Source, combine, label_graph};
    /// use fiedler::{Analysis, GraphRecipe, Silent, dataset::demo};
    ///
    /// let iris = demo::iris()?;
    /// let neighbors = GraphRecipe::default().build(&iris, &Silent)?;
    /// let source = Source { name: "neighbors".to_owned(), graph: neighbors };
    /// let fusion = combine(&[source], &Coefficients::Equal, None, &Silent)?;
    /// let found = fusion.answer(&Analysis::default(), &iris, "iris", &Silent)?;
    /// let best = found.rankings[0].places[0].index;
    /// assert_eq!(found.sources[0].ranks[best], Some(1));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// A method takes no graph, or what [`Analysis::run`] reports.
    pub fn answer(
        &self,
        asked: &Analysis,
        data: &Dataset,
        name: &str,
        monitor: &dyn Monitor,
    ) -> Result<Findings> {
        let begun = monitor.now();
        let mut found = self.ranked_as(asked, data, name, monitor)?;
        found.weighed_by.clone_from(&self.learned_from);
        for share in &self.shares {
            found.sources.push(share.alone(asked, data, monitor)?);
        }
        found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun);
        Ok(found)
    }
}

impl Fusion {
    /// Checks that every method ranks on any graph, and so on that of several sources.
    ///
    /// # Errors
    /// [`Error::Parameter`] where one does not.
    pub fn check(asked: &Analysis) -> Result<()> {
        for name in &asked.methods {
            if !takes_any_graph(methods::find(name)?.info) {
                let takes = methods::all().iter().filter(|m| takes_any_graph(m.info)).map(|m| m.info.name);
                let takes = takes.collect::<Vec<_>>().join(", ");
                let rule = format!("one that ranks on the graph of all sources ({takes})");
                return Err(Error::parameter("method", rule, format!("`{name}`")));
            }
        }
        Ok(())
    }

    /// The ranking on the combined graph, and nothing of the sources alone.
    pub(super) fn ranked(&self, asked: &Analysis, data: &Dataset, monitor: &dyn Monitor) -> Result<Findings> {
        self.ranked_as(asked, data, "the target", monitor)
    }

    fn ranked_as(
        &self,
        asked: &Analysis,
        data: &Dataset,
        name: &str,
        monitor: &dyn Monitor,
    ) -> Result<Findings> {
        Fusion::check(asked)?;
        let mut found = on(&self.graph, asked).run(data, name, monitor)?;
        found.warnings.splice(0..0, self.notes.iter().cloned());
        Ok(found)
    }
}

/// The same question on a given graph.
pub(super) fn on(graph: &Arc<Graph>, asked: &Analysis) -> Analysis {
    let graph = GraphOptions { given: Some(Arc::clone(graph)), ..GraphOptions::default() };
    Analysis { graph, ..asked.clone() }
}

/// Whether a method ranks on whatever graph it is given.
pub(super) fn takes_any_graph(info: &MethodInfo) -> bool {
    matches!(info.graph, GraphUse::Knn | GraphUse::Labels)
}

impl Share {
    /// How the source alone would rank the features.
    fn alone(&self, asked: &Analysis, data: &Dataset, monitor: &dyn Monitor) -> Result<SourceFound> {
        let all = Analysis { count: Wanted::All, include: Vec::new(), portrait: false, ..asked.clone() };
        let found = on(&self.source.graph, &all).run(data, &self.source.name, monitor);
        let found = found.map_err(|error| match error {
            Error::Canceled => Error::Canceled,
            other => Error::Source {
                source_name: self.source.name.clone(),
                what: format!("ranking on it alone: {other}"),
            },
        })?;
        let mut ranks = vec![None; data.n_features()];
        let places = found.rankings.first().map_or(&[][..], |ranking| &ranking.places);
        places.iter().filter(|p| p.score.is_some()).for_each(|p| ranks[p.index] = Some(p.rank));
        let graph = SourceGraph {
            scale: self.scale,
            agreement: self.agreement.clone(),
            with_labels: self.with_labels,
            summary: GraphSummary::of(&self.source.graph),
        };
        Ok(SourceFound {
            name: self.source.name.clone(),
            weight: self.weight,
            ranks,
            with_known: None,
            graph: Some(graph),
        })
    }
}

impl Aggregation {
    /// The description of the aggregation, as of any method.
    pub fn info(self) -> &'static MethodInfo {
        match self {
            Aggregation::Borda => &BORDA,
            Aggregation::Median => &MEDIAN,
            Aggregation::ReciprocalRank { .. } => &RECIPROCAL,
            Aggregation::Robust => &ROBUST,
            Aggregation::Mc4 { .. } => &MC4,
        }
    }
}

/// What all aggregations have in common.
const AGGREGATION: MethodInfo = MethodInfo {
    name: "",
    title: "",
    measures: "",
    formula: "",
    goal: Goal::Minimize,
    supervision: Supervision::Unsupervised,
    takes_number: false,
    judges: Judges::Together,
    graph: GraphUse::None,
    scaling: Scaling::None,
    parameters: &[],
    cost: "lists × features",
    fails: "Lists that were made alike outvote a better one; weights, or fewer lists of a kind, help.",
    reference: "",
};

static BORDA: MethodInfo = MethodInfo {
    name: "borda",
    title: "Borda count",
    measures: "The mean of the ranks that the lists give a feature.",
    formula: "Σ w_l rank_l / Σ w_l",
    reference: "Borda: Mémoire sur les élections au scrutin, 1781",
    ..AGGREGATION
};

static MEDIAN: MethodInfo = MethodInfo {
    name: "median",
    title: "Median rank",
    measures: "The median of the ranks that the lists give a feature.",
    formula: "median_l rank_l",
    reference: "Fagin, Kumar, Sivakumar: Efficient Similarity Search and Classification via Rank Aggregation, 2003",
    ..AGGREGATION
};

static RECIPROCAL: MethodInfo = MethodInfo {
    name: "rrf",
    title: "Reciprocal rank fusion",
    measures: "The sum of the reciprocal ranks that the lists give a feature: first places count most.",
    formula: "Σ w_l / (k + rank_l)",
    goal: Goal::Maximize,
    reference: "Cormack, Clarke, Büttcher: Reciprocal Rank Fusion, 2009",
    ..AGGREGATION
};

static ROBUST: MethodInfo = MethodInfo {
    name: "rra",
    title: "Robust rank aggregation",
    measures: "The p-value of ranks this good by chance.",
    formula: "min over l of the probability that the l-th smallest of as many uniform ranks is as small",
    reference: "Kolde, Laur, Adler, Vilo: Robust rank aggregation for gene list integration, 2012",
    ..AGGREGATION
};

static MC4: MethodInfo = MethodInfo {
    name: "mc4",
    title: "Markov chain MC4",
    measures: "The share of time that a walk to whatever most lists prefer spends at a feature.",
    formula: "the stationary distribution of that walk",
    goal: Goal::Maximize,
    cost: "lists × features²",
    reference: "Dwork, Kumar, Naor, Sivakumar: Rank Aggregation Methods for the Web, 2001",
    ..AGGREGATION
};
