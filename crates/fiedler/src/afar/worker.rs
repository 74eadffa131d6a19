//! The other side: a share of the columns answers.

use std::sync::{Arc, OnceLock};

use super::question::{Question, ScoreJob, What};
use crate::criterion::Criterion;
use crate::dataset::{ColumnStats, Columns, Dataset, Surveyed};
use crate::graph::{GraphRecipe, neighbors};
use crate::monitor::Monitor;
use crate::parameters::ParameterValue;
use crate::selector::Scorer;
use crate::{Parameters, Result, methods};

/// How a prepared method is prepared again where its columns are: its graph, labels and this are all it takes.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Remade {
    /// A criterion on the graph.
    Criterion(Criterion),
    /// A method by its name, with its parameters.
    Method(String, Vec<(String, ParameterValue)>),
}

impl Remade {
    /// A method by its name, with its parameters.
    pub(crate) fn method(name: &str, settings: Vec<(&'static str, ParameterValue)>) -> Self {
        Remade::Method(
            name.to_owned(),
            settings.into_iter().map(|(n, value)| (n.to_owned(), value)).collect(),
        )
    }
}

/// Answers one question for as many shares as there are. What the shares have in common, a prepared method say, is made
/// for the first of them.
///
/// ```
/// use std::sync::Mutex;
/// use fiedler::afar::{Afar, Question, Worker};
/// use fiedler::dataset::{Block, Columns, Dense, Order};
/// use fiedler::{Dataset, Result, Selector, Silent, methods::Laplacian};
///
/// /// Columns that claim to lie elsewhere, all in one share.
/// struct Away(Dense<f64>, Mutex<usize>);
///
/// impl Columns for Away {
///     fn n_samples(&self) -> usize { self.0.n_samples() }
///     fn n_features(&self) -> usize { self.0.n_features() }
///     fn block(&self, range: std::ops::Range<usize>) -> Result<Block<'_>> { self.0.block(range) }
///     fn afar(&self) -> Option<&dyn Afar> { Some(self) }
/// }
///
/// impl Afar for Away {
///     fn ask(&self, question: &Question, tell: &dyn Fn(usize) -> Result<()>) -> Result<Vec<f64>> {
///         *self.1.lock().unwrap() += 1;
///         tell(self.n_features())?;
///         Worker::new(question.clone()).answer(self.0.clone(), None, &Silent)
///     }
/// }
///
/// let values = Dense::new(vec![0.0, 1.0, 0.1, 5.0, 9.0, 2.0, 9.1, 4.0], 4, 2, Order::RowMajor)?;
/// let (here, away) = (values.clone(), Away(values, Mutex::default()));
/// let wanted = Laplacian::default().rank(&Dataset::new(here)?)?;
/// let found = Laplacian::default().rank(&Dataset::new(away)?)?;
/// assert_eq!(found.scores(), wanted.scores());
/// # Ok::<(), fiedler::Error>(())
/// ```
pub struct Worker {
    question: Question,
    prepared: OnceLock<Scorer>,
}

impl Worker {
    /// Whoever answers `question`.
    pub fn new(question: Question) -> Self {
        Worker { question, prepared: OnceLock::new() }
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What a share answers. `known` is what it told of its columns as they were given, where it was asked before: they are
    /// then not looked at again.
    ///
    /// # Errors
    /// The columns cannot be read, or the monitor says stop.
    pub fn answer(
        &self,
        columns: impl Columns + 'static,
        known: Option<&[f64]>,
        monitor: &dyn Monitor,
    ) -> Result<Vec<f64>> {
        let columns: Arc<dyn Columns> = Arc::new(columns);
        let numbers = match known {
            Some(numbers) => numbers.to_vec(),
            None => ColumnStats::numbers_of(&*columns)?,
        };
        let Some(data) = self.seen(columns, &numbers, monitor)? else { return Ok(numbers) };
        match &self.question.what {
            What::Stats => Ok(data.stats().iter().flat_map(ColumnStats::numbers).collect()),
            What::Counts => Ok(data.entry_counts(monitor)?.into_iter().map(|c| c as f64).collect()),
            What::Tiles(job) => neighbors::tile_sums(&data, job),
            What::Pairs(job) => neighbors::pair_runs(&data, job),
            What::Gram { scale } => neighbors::share_gram(&data, *scale, monitor),
            What::Scores(job) => self.scores(job, data, monitor),
            What::ProductNorms { right, width } => data.product_norms(right, *width, monitor),
        }
    }

    /// The share as it is to be seen; `None` where all that is asked is what is known already.
    fn seen(
        &self,
        columns: Arc<dyn Columns>,
        numbers: &[f64],
        monitor: &dyn Monitor,
    ) -> Result<Option<Dataset>> {
        let seen = self.question.seen;
        if matches!(self.question.what, What::Stats) && seen.transform == Default::default() {
            return Ok(None);
        }
        let data = Dataset::new(Surveyed::new(columns, numbers))?;
        // First by their non-zeros, then transformed: ranks of thin data are counted from that of zero.
        let data = if seen.thin { data.thinned(monitor)? } else { data };
        Ok(Some(data.transformed(seen.transform, monitor)?.scaled(seen.scaling)))
    }

    fn scores(&self, job: &ScoreJob, data: Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let data = match (&job.labels, &job.target) {
            (Some(labels), _) => data.labeled(labels.clone())?,
            (_, Some(target)) => data.targeted(target.clone())?,
            _ => data,
        };
        let scorer = match self.prepared.get() {
            Some(scorer) => scorer,
            None => {
                let made = job.scorer(&data, monitor)?;
                self.prepared.get_or_init(|| made)
            }
        };
        scorer.scores(&data, monitor)
    }
}

impl ScoreJob {
    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let graph = self.graph.clone().map(Arc::new);
        match (&self.remade, graph) {
            (Remade::Criterion(criterion), Some(graph)) => {
                Ok(criterion.scorer(&graph, Parameters::default()))
            }
            (Remade::Criterion(_), None) => Err(no_graph()),
            (Remade::Method(name, settings), graph) => {
                let given = settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
                let method = methods::find(name)?.build(given, graph.map(GraphRecipe::Given))?;
                method.scorer(data, monitor)
            }
        }
    }
}

fn no_graph() -> crate::Error {
    crate::Error::Columns("a criterion came without its graph".into())
}
