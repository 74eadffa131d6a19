//! A question of Python's as an [`Analysis`].

use fiedler::stability::{Change, Stability};
use fiedler::{Analysis, GraphOptions, ParameterValue, Wanted};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::graph::Graph;
use crate::judging::Judging;
use crate::values::value;
use crate::words;

/// Names with values of any kind, as Python has them.
pub(crate) type Named<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// What is asked, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Question<'py> {
    methods: Vec<String>,
    settings: Named<'py>,
    /// Parameters with several values, for evaluation.
    vary: Vec<(String, Vec<Bound<'py, PyAny>>)>,
    graph: GraphAsked<'py>,
    scale: String,
    /// What is done to every value before that; `None`: what suits the data.
    transform: Option<String>,
    /// How many features are chosen by methods that choose them together; all are listed.
    count: Option<usize>,
    seed: Option<u64>,
    rank: bool,
    /// How many eigenpairs of the graph by itself; `None`: the graph is not asked for.
    spectrum: Option<usize>,
    evaluate: Option<Judging<'py>>,
    stability: Option<StabilityAsked>,
}

/// A graph: a kind, options, or one that is there.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GraphAsked<'py> {
    kind: Option<String>,
    set: Named<'py>,
    given: Option<Bound<'py, Graph>>,
}

/// How sure a selection is: under subsampling (`fraction` below 1) and under noise (above 0).
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct StabilityAsked {
    count: usize,
    repeats: usize,
    fraction: f64,
    noise: f64,
    threshold: f64,
    seed: u64,
}

impl Question<'_> {
    /// The question, checked.
    pub(crate) fn analysis(&self, py: Python<'_>) -> PyResult<Analysis> {
        let analysis = Analysis {
            methods: self.methods.clone(),
            method_is_usual: false,
            settings: named(&self.settings)?,
            vary: varied(&self.vary)?,
            graph: self.graph.options()?,
            scaling: self.scale.parse().map_err(|error| raise(py, error))?,
            transform: self
                .transform
                .as_deref()
                .map(str::parse)
                .transpose()
                .map_err(|error| raise(py, error))?,
            count: self.count.map_or(Wanted::All, Wanted::AllChoosing),
            include: Vec::new(),
            seed: self.seed,
            rank: self.rank,
            spectrum: self.spectrum,
            evaluate: self.evaluate.as_ref().map(|e| e.protocol(py)).transpose()?,
            beside: self.evaluate.as_ref().map_or(Vec::new(), Judging::candidates),
            judge_on: self.evaluate.as_ref().and_then(Judging::other),
            stability: self.stability.iter().map(|s| s.each(py)).collect::<PyResult<Vec<_>>>()?.concat(),
            portrait: false,
            wording: words::step_as_keyword,
            targets: None,
            coefficients: false,
        };
        analysis.check().map_err(|error| raise(py, error))?;
        Ok(analysis)
    }
}

impl GraphAsked<'_> {
    /// What is said of the graph.
    pub(crate) fn options(&self) -> PyResult<GraphOptions> {
        let given = self.given.as_ref().map(|graph| graph.get().inner.clone());
        Ok(GraphOptions { kind: self.kind.clone(), set: named(&self.set)?, given })
    }
}

impl StabilityAsked {
    fn each(&self, py: Python<'_>) -> PyResult<Vec<Stability>> {
        let StabilityAsked { count, repeats, threshold, seed, .. } = *self;
        let changes = Change::each(self.fraction, self.noise).map_err(|error| raise(py, error))?;
        Ok(changes
            .into_iter()
            .map(|change| Stability { count, repeats, change, threshold, seed, bounds: false })
            .collect())
    }
}

fn varied(given: &[(String, Vec<Bound<'_, PyAny>>)]) -> PyResult<Vec<(String, Vec<ParameterValue>)>> {
    let values = |objects: &[Bound<'_, PyAny>]| objects.iter().map(value).collect::<PyResult<Vec<_>>>();
    given.iter().map(|(name, objects)| Ok((name.clone(), values(objects)?))).collect()
}

fn named(given: &Named<'_>) -> PyResult<Vec<(String, ParameterValue)>> {
    given.iter().map(|(name, object)| Ok((name.clone(), value(object)?))).collect()
}
