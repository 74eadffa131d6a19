//! [`Scorer`]: a method that judges features one by one, prepared.

use std::sync::Arc;

use crate::afar::{Far, Remade, ScoreJob, What};
use crate::checkpoint::Checkpoint;
use crate::dataset::{BLOCK, Dataset};
use crate::detail::Detail;
use crate::graph::Graph;
use crate::monitor::{Monitor, Stage};
use crate::parameters::Parameters;
use crate::ranking::{Goal, Ranking};
use crate::selector::MethodInfo;
use crate::{Error, Result};

/// Features whose scores are kept together where work is kept.
const RUN: usize = 128 * BLOCK;

/// Scores all features of some columns.
type ScoreColumns = Box<dyn Fn(&Dataset, &dyn Monitor) -> Result<Vec<f64>> + Send + Sync>;

/// What there is to say once all scores are there.
type NoticeScores = Box<dyn Fn(&[f64]) -> Vec<String> + Send + Sync>;

/// A method that judges features one by one, prepared: it scores any features of the samples it was
/// prepared for, whether they are in memory, in a file or on another machine.
///
/// ```
/// use fiedler::{Selector, Silent, dataset::demo, methods::Laplacian};
///
/// let data = demo::iris()?;
/// let method = Laplacian::default();
/// let view = method.view(&data, &Silent)?;
/// let scorer = method.scorer(&view, &Silent)?;
/// let petals = scorer.scores(&view.subset(&[2, 3])?, &Silent)?;
/// assert_eq!(petals, method.rank(&data)?.scores()[2..]);
/// # Ok::<(), fiedler::Error>(())
/// ```
pub struct Scorer {
    /// Which way is better.
    pub goal: Goal,
    /// The graph, where the method uses one.
    pub graph: Option<Arc<Graph>>,
    /// What the method was asked with, and what it chose.
    pub parameters: Parameters,
    /// What was decided for the user, one sentence each.
    pub notes: Vec<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What the method tells beyond scores.
    pub details: Vec<Detail>,
    scores: ScoreColumns,
    notice: Option<NoticeScores>,
    /// How it is prepared again on other machines, and on which graph.
    remade: Option<(Remade, Option<Arc<Graph>>)>,
}

impl Scorer {
    /// A scorer on `graph`, whose notes and warnings it takes over.
    pub fn on(
        graph: &Arc<Graph>,
        goal: Goal,
        parameters: Parameters,
        scores: impl Fn(&Dataset, &dyn Monitor) -> Result<Vec<f64>> + Send + Sync + 'static,
    ) -> Self {
        let mut scorer = Self::free(goal, parameters, scores);
        scorer.notes.extend(graph.notes().iter().cloned());
        scorer.warnings.extend(graph.warnings().iter().cloned());
        scorer.graph = Some(Arc::clone(graph));
        scorer
    }

    /// A scorer that needs no graph.
    pub fn free(
        goal: Goal,
        parameters: Parameters,
        scores: impl Fn(&Dataset, &dyn Monitor) -> Result<Vec<f64>> + Send + Sync + 'static,
    ) -> Self {
        let scores = Box::new(scores);
        Scorer {
            goal,
            graph: None,
            parameters,
            notes: Vec::new(),
            warnings: Vec::new(),
            details: Vec::new(),
            scores,
            notice: None,
            remade: None,
        }
    }

    /// The same scorer, with a look at all scores for what the user should be warned of.
    #[must_use]
    pub fn noticing(mut self, notice: impl Fn(&[f64]) -> Vec<String> + Send + Sync + 'static) -> Self {
        self.notice = Some(Box::new(notice));
        self
    }

    /// The same scorer, which can be prepared again where columns lie, from its graph.
    #[must_use]
    pub(crate) fn remade_as(mut self, remade: Remade) -> Self {
        self.remade = Some((remade, self.graph.clone()));
        self
    }

    /// The same, from another graph.
    #[must_use]
    pub(crate) fn remade_on(mut self, remade: Remade, graph: Arc<Graph>) -> Self {
        self.remade = Some((remade, Some(graph)));
        self
    }

    /// The scores of the features of `columns`, NaN where there is none. They must be of the samples that
    /// the scorer was prepared for, in the same order, and scaled alike.
    ///
    /// # Errors
    /// The samples are not as many, the columns cannot be read, or the monitor says stop.
    pub fn scores(&self, columns: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        match &self.graph {
            Some(graph) if graph.n_samples() != columns.n_samples() => Err(Error::Length {
                what: "samples of the columns to score",
                expected: graph.n_samples(),
                got: columns.n_samples(),
            }),
            _ => match (columns.far(), &self.remade) {
                (Some(far), Some(remade)) => scores_from_afar(far, remade, columns, monitor),
                (Some(_), None) => {
                    monitor.note(
                        "this method scores on this machine, to which the columns come a block at a time",
                    );
                    (self.scores)(columns, monitor)
                }
                _ => match monitor.checkpoint() {
                    Some(checkpoint) => self.scores_in_runs(columns, checkpoint, monitor),
                    None => (self.scores)(columns, monitor),
                },
            },
        }
    }

    /// The same, a run of features at a time, each of which is kept when it is done.
    fn scores_in_runs(
        &self,
        columns: &Dataset,
        checkpoint: &dyn Checkpoint,
        monitor: &dyn Monitor,
    ) -> Result<Vec<f64>> {
        let (m, name) = (columns.n_features(), checkpoint.name("scores"));
        let stage = Stage::new(monitor, "scores", m)?;
        let mut scores = Vec::with_capacity(m);
        for start in (0..m).step_by(RUN) {
            let run: Vec<usize> = (start..m.min(start + RUN)).collect();
            let name = format!("{name}-{start}");
            match checkpoint.load(&name).filter(|kept| kept.len() == run.len()) {
                Some(kept) => scores.extend(kept),
                None => {
                    let found = (self.scores)(&columns.subset(&run)?, &stage.within())?;
                    checkpoint.store(&name, &found)?;
                    scores.extend(found);
                }
            }
            stage.advance(run.len())?;
        }
        Ok(scores)
    }

    /// The ranking of the features of `data`.
    ///
    /// # Errors
    /// As [`scores`](Self::scores).
    pub fn rank(self, info: &'static MethodInfo, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        let scores = self.scores(data, monitor)?;
        Ok(self.ranking(info, scores))
    }

    /// The ranking of features whose scores are there.
    pub fn ranking(self, info: &'static MethodInfo, scores: Vec<f64>) -> Ranking {
        let mut ranking = Ranking::new(info.name, self.goal, scores);
        ranking.parameters = self.parameters;
        ranking.notes = self.notes;
        ranking.warnings = self.warnings;
        let noticed = self.notice.map(|notice| notice(ranking.scores()));
        ranking.warnings.extend(noticed.into_iter().flatten());
        ranking.details = self.details;
        ranking.graph = self.graph;
        ranking
    }
}

/// The scores of columns that other machines hold, by those machines.
fn scores_from_afar(
    far: Far<'_>,
    (remade, graph): &(Remade, Option<Arc<Graph>>),
    columns: &Dataset,
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let job = ScoreJob {
        remade: remade.clone(),
        graph: graph.as_deref().cloned(),
        labels: columns.labels().cloned(),
        target: columns.target().cloned(),
    };
    let scores = far.ask(What::Scores(Box::new(job)), "scores", monitor)?;
    let (expected, got) = (columns.n_features(), scores.len());
    if got == expected {
        Ok(scores)
    } else {
        Err(Error::Length { what: "scores of other machines", expected, got })
    }
}
