//! A fusion as a question that can be asked anew: of all samples, or of those of a training part.

use super::{Coefficients, Consensus, Knowledge, NamedList, Source, Subject, combine, rank_by_each};
use crate::analysis::Analysis;
use crate::dataset::Dataset;
use crate::eval::{Made, Ranker};
use crate::findings::Findings;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// A target, what is known of it, and how that becomes one ranking: a candidate that can be judged
/// ([`Candidate::ranker`](crate::eval::Candidate::ranker)).
///
/// ```
/// use std::sync::Arc;
/// use fiedler::eval::{Candidate, Measure, Protocol};
/// use fiedler::fusion::{Coefficients, Joining, Joint, Knowledge};
/// use fiedler::{Analysis, GraphRecipe, Silent, dataset::demo};
///
/// let iris = demo::iris()?;
/// let own = ("own".to_owned(), Knowledge::Target(GraphRecipe::default()));
/// let joining = Joining::Sum(Coefficients::Equal);
/// let joint = Joint { target: iris.clone(), sources: vec![own], joining, asked: Analysis::default() };
/// let protocol = Protocol { counts: vec![1], ..Protocol::new(Measure::Nearest) };
/// let found = protocol.evaluate(&iris, &[Candidate::ranker("fused", Arc::new(joint))], &Silent)?;
/// assert!(found.tables[0].curves[0].points[0].summary.mean > 0.8);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Joint {
    /// The data whose features are ranked.
    pub target: Dataset,
    /// The sources by name.
    pub sources: Vec<(String, Knowledge)>,
    /// How they become one.
    pub joining: Joining,
    /// The methods and their parameters.
    pub asked: Analysis,
}

/// How sources become one ranking.
#[derive(Debug, Clone)]
pub enum Joining {
    /// One graph of all (MSFS).
    Sum(Coefficients),
    /// A ranking on each, rankings made elsewhere beside them, and one of all (KOGS).
    Each(Consensus, Vec<NamedList>),
}

impl Joint {
    /// The graphs of some samples of the target.
    ///
    /// # Errors
    /// What [`Knowledge::graph`] reports, with the source.
    pub fn graphs(&self, part: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> Result<Vec<Source>> {
        let source = |(name, knowledge): &(String, Knowledge)| {
            let graph = knowledge.graph(part, samples, monitor).map_err(|error| match error {
                Error::Canceled => Error::Canceled,
                other => Error::Source { source_name: name.clone(), what: other.to_string() },
            })?;
            Ok(Source { name: name.clone(), graph })
        };
        self.sources.iter().map(source).collect()
    }

    /// Whether labels take part: as a source, by the method, or in the weights.
    pub fn uses_labels(&self) -> bool {
        let learned = matches!(self.joining, Joining::Sum(Coefficients::Aligned));
        let as_source = self.sources.iter().any(|(_, known)| matches!(known, Knowledge::OwnLabels));
        let methods = || self.asked.selectors(&self.target).unwrap_or_default();
        learned || as_source || methods().iter().any(|method| method.labels().sees(&self.target))
    }

    /// The answer on some samples.
    fn found(&self, part: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> Result<Findings> {
        let sources = self.graphs(part, samples, monitor)?;
        match &self.joining {
            Joining::Sum(coefficients) => {
                let fusion = combine(&sources, coefficients, part.labels(), monitor)?;
                fusion.ranked(&self.asked, part, monitor)
            }
            Joining::Each(consensus, others) => {
                let ranked = rank_by_each(&sources, &self.asked, part, monitor)?;
                let mut lists: Vec<NamedList> = ranked.into_iter().map(|ranked| ranked.list).collect();
                lists.extend(others.iter().cloned());
                consensus.answer(&lists, Subject::Data(part), "the target")
            }
        }
    }
}

impl Ranker for Joint {
    fn rank(&self, seen: &Dataset, samples: &[usize], monitor: &dyn Monitor) -> Result<Made> {
        let mut part = self.target.samples(samples, monitor)?;
        // Labels that selection must not know are not known here either.
        if let (Some(_), Some(labels)) = (part.labels(), seen.labels()) {
            let labels = labels.clone();
            let named = part.labels_are_named();
            part = part.labeled(labels)?;
            part = if named { part } else { part.with_labels_unnamed() };
        }
        let found = self.found(&part, samples, monitor)?;
        let ranking = found.rankings.first();
        let places = ranking.map_or(&[][..], |ranking| &ranking.places);
        Ok(Made {
            tells_apart: ranking.is_some_and(|ranking| ranking.tells_apart),
            order: places.iter().map(|place| place.index).collect(),
            scored: places.iter().filter(|place| place.score.is_some()).count(),
            warnings: found.warnings,
        })
    }

    fn sees_labels(&self) -> bool {
        self.target.labels().is_some() && self.uses_labels()
    }

    fn learned_from(&self) -> &[usize] {
        match &self.joining {
            Joining::Each(consensus, _) => consensus.learned_from(),
            Joining::Sum(_) => &[],
        }
    }
}
