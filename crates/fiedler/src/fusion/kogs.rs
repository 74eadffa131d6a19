//! KOGS: every source ranks the features by every method (DIS 5.5).
//!
//! ```text
//! R_i = R(KNOW_i, C_i, G)          eq. 5.7: a source's graph KNOW_i, a method C_i, the features G
//! R   = A(R_1, …, R_K, C)          eq. 5.8: one ranking of all, see `Consensus`
//! ```
//! MSFS adds graphs up and ranks once; KOGS ranks on each and adds the rankings up. So a method without a graph can take
//! part (it ranks the data as they are, once), and so can a ranking that was made elsewhere.

use super::aggregate::shared;
use super::answer::{on, takes_any_graph};
use super::{NamedList, Source};
use crate::analysis::{Analysis, Wanted};
use crate::dataset::Dataset;
use crate::findings::{Findings, RankingFound};
use crate::methods;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// A ranking by one method on one source.
#[derive(Debug, Clone)]
pub struct RankedBy {
    /// The source, by its position; `None` for a method that took no graph, or its own.
    pub source: Option<usize>,
    /// The method.
    pub method: &'static str,
    /// Its ranking, under a name that tells it from the others.
    pub list: NamedList,
    /// What was decided without being asked.
    pub notes: Vec<String>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
}

/// Ranks the features of `data` by every method of `asked` on every source; by a method that takes no graph once, and
/// where there are no sources by every method on its own graph.
///
/// ```
/// use fiedler::fusion::{Consensus, Source, Subject, rank_by_each};
/// use fiedler::{Analysis, GraphRecipe, Silent, dataset::demo};
///
/// let iris = demo::iris()?;
/// let neighbors = Source { name: "neighbors".into(), graph: GraphRecipe::default().build(&iris, &Silent)? };
/// let asked = Analysis { methods: vec!["laplacian".into(), "variance".into()], ..Analysis::default() };
/// let ranked = rank_by_each(&[neighbors], &asked, &iris, &Silent)?;
/// let lists: Vec<_> = ranked.into_iter().map(|r| r.list).collect();
/// assert_eq!(lists[0].name, "neighbors by laplacian");
/// let found = Consensus::default().answer(&lists, Subject::Data(&iris), "iris")?;
/// assert_eq!(found.rankings[0].places.len(), 4);
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// A method or parameter that does not exist, what [`Analysis::run`] reports, with the source that it was found on.
pub fn rank_by_each(
    sources: &[Source],
    asked: &Analysis,
    data: &Dataset,
    monitor: &dyn Monitor,
) -> Result<Vec<RankedBy>> {
    asked.check()?;
    let mut on_graphs = Vec::new();
    let mut once = Vec::new();
    for name in &asked.methods {
        let takes_graph = takes_any_graph(methods::find(name)?.info);
        if takes_graph && !sources.is_empty() {
            on_graphs.push(name.clone())
        } else {
            once.push(name.clone())
        }
    }
    let several = on_graphs.len() > 1 || !once.is_empty();
    let mut ranked = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let asked = on(&source.graph, &question(asked, &on_graphs));
        let called = |method: &str| {
            if several { format!("{} by {method}", source.name) } else { source.name.clone() }
        };
        if !on_graphs.is_empty() {
            let found = asked.run(data, &source.name, monitor).map_err(|e| placed(e, &source.name))?;
            ranked.extend(lists(found, Some(at), &called));
        }
    }
    if !once.is_empty() {
        let found = question(asked, &once).run(data, "the target", monitor)?;
        ranked.extend(lists(found, None, &str::to_owned));
    }
    Ok(ranked)
}

/// The same question for some of the methods, and all features.
fn question(asked: &Analysis, methods: &[String]) -> Analysis {
    let has = |name: &str| {
        methods.iter().filter_map(|m| methods::find(m).ok()).any(|m| m.info.parameter(name).is_some())
    };
    let settings = asked.settings.iter().filter(|(name, _)| has(name)).cloned().collect();
    let methods = methods.to_vec();
    let count = match asked.count {
        Wanted::Count(count) => Wanted::AllChoosing(count),
        other => other,
    };
    Analysis { methods, settings, count, include: Vec::new(), portrait: false, ..asked.clone() }
}

fn lists(found: Findings, source: Option<usize>, called: &dyn Fn(&str) -> String) -> Vec<RankedBy> {
    let n_features = found.card.data.n_features;
    let one = |ranking: RankingFound| RankedBy {
        source,
        method: ranking.method.name,
        list: NamedList { name: called(ranking.method.name), ranks: ranks(&ranking, n_features) },
        notes: ranking.notes,
        warnings: ranking.warnings,
    };
    found.rankings.into_iter().map(one).collect()
}

/// Ranks from 1, shared by features with equal scores, NaN for those without.
fn ranks(ranking: &RankingFound, n_features: usize) -> Vec<f64> {
    let scored = ranking.places.iter().filter_map(|p| Some((p.index, p.score?)));
    shared(&scored.collect::<Vec<_>>(), ranking.ordered_by, n_features)
}

fn placed(error: Error, source: &str) -> Error {
    match error {
        Error::Canceled => Error::Canceled,
        other => Error::Source { source_name: source.to_owned(), what: format!("ranking on it: {other}") },
    }
}
