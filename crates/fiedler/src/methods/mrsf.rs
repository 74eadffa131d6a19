//! MRSF: features that are relevant together and not redundant (DIS ch. 4).
//!
//! # What it measures
//! How well a few features *together* reproduce the structure of the samples: the rows of W tell how a
//! feature takes part in explaining the targets Y, and a penalty on whole rows leaves most of them
//! zero. A feature that repeats a selected one explains nothing new and stays out.
//!
//! # Formula
//! ```text
//! min_W ½‖Y - XW‖²_F + λ Σᵢ‖wⁱ‖₂,   λ from λ_max down until `count` rows are not zero
//! score = the λ at which the feature entered (the last time);  ‖fᵀR‖ at the end for the others;  0 for copies
//! ```
//! Larger is better; both parts are on one scale, for a feature enters when ‖fᵀR‖ reaches λ. A copy, up to scale, sign
//! and offset, of a feature further up would have ‖fᵀR‖ = λ as long as that is active, and come next in the ranking; it adds
//! nothing to its twin and comes after all features that are no copies.
//!
//! `penalty=entries` takes Σᵢₖ|w_ik| in place of the sum of row norms: every target is explained by features of its own, all at one λ,
//! and features count that have a weight in some target. With `targets=pca` that is sparse PCA (DIS 4.12).
//!
//! # Symbols → code
//! Y [`Targets`] (of a number to be predicted: it, about its mean and of length 1); X the unit columns of [`Problem`]; R = Y - XW; the path [`path`].
//!
//! # Cost
//! The graph and its leading eigenvectors, then for every entry a few Newton steps of O(a³ + a²q), a
//! active features and q targets, and products with the features that are near the bound.
//!
//! # When it fails
//! With targets that no linear combination of features explains, entries late on the path follow noise. Copies of
//! an active feature are never active, so on data with many copies fewer features than asked may be found. The path
//! ends at 10⁻⁶ of the first λ, however few features are active there; a warning says so.
//!
//! # Differences from the paper
//! The walking direction is the derivative of the solution, where Algorithm 2 takes the
//! least-squares one and repairs it. On sparse graphs the targets are those of SPEC's φ3. DIS 4.10 has a sign
//! flipped, and Theorem 15 as printed is up to twice as loose as its proof. A group of equal eigenvalues is explained whole.
//!
//! # References
//! Zhao: Spectral Feature Selection for Mining Ultrahigh Dimensional Data, dissertation, Arizona State University 2010, chapter 4.

mod coefficients;
mod targets;

pub use targets::{TargetMatrix, Targets};

use std::sync::Arc;

use crate::Result;
use crate::dataset::{Dataset, Scaling};
use crate::detail::{Audience, Cells, Detail};
use crate::graph::GraphRecipe;
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Selector, Supervision};
use crate::solve::{End, Event, Options, Path, Problem, Solution, entrywise, path};

/// What the penalty makes zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Penalty {
    /// Whole rows of W: few features for all targets together.
    #[default]
    Rows,
    /// Single weights: few features for every target.
    Entries,
}

words!(Penalty, "penalty", Rows = "rows", Entries = "entries");

/// Minimum-redundancy spectral feature selection.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::Mrsf};
///
/// let ranking = Mrsf { count: 2, ..Mrsf::default() }.rank(&demo::iris()?)?;
/// // Petal length and width tell nearly the same; the second choice is another one.
/// assert_eq!(ranking.order()[..2], [2, 1]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Mrsf {
    /// How many features to select.
    pub count: usize,
    /// What they are to explain.
    pub targets: Targets,
    /// Leading eigenpairs (spectral) or principal components (pca) to explain.
    pub pairs: usize,
    /// What the penalty makes zero.
    pub penalty: Penalty,
    /// The graph of the spectral targets.
    pub graph: GraphRecipe,
}

impl Default for Mrsf {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for Mrsf {
    const INFO: MethodInfo = MethodInfo {
        name: "mrsf",
        title: "MRSF",
        measures: "How well a few features together explain the structure of the samples (or the classes, or a number): \
                   relevant features that do not repeat each other.",
        formula: "min ½‖Y-XW‖² + λ Σ‖wⁱ‖ along λ; score = λ of entry, then ‖fᵀR‖",
        goal: Goal::Maximize,
        supervision: Supervision::Optional,
        takes_number: true,
        judges: Judges::Together,
        graph: GraphUse::Knn,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "count",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(50),
                role: Role::Count,
                only_with: None,
                help: "how many features to select (all that can be, where there are fewer)",
            },
            ParameterInfo {
                name: "targets",
                kind: Kind::Choice(Targets::NAMES),
                default: ParameterValue::word("auto"),
                role: Role::Own,
                only_with: None,
                help: "what they are to explain: the graph (spectral), the classes (labels, lda, svm: three codings), the \
                       number to be predicted (number) or the principal components (pca); auto: the classes or the number \
                       where they are named, else the graph; of the command also file:PATH, a table of a line a sample",
            },
            ParameterInfo {
                name: "pairs",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(20),
                role: Role::Own,
                only_with: None,
                help: "how many leading eigenpairs or principal components to explain",
            },
            ParameterInfo {
                name: "penalty",
                kind: Kind::Choice(Penalty::NAMES),
                default: ParameterValue::word("rows"),
                role: Role::Own,
                only_with: None,
                help: "what becomes zero: rows, a feature serves all targets or none; entries, every target has features of \
                       its own, which with targets=pca is sparse PCA",
            },
        ],
        cost: "the graph and its eigenvectors, then a few small factorizations a selected feature",
        fails: "Where no linear combination of features explains the targets, late entries follow noise. \
                Copies of a selected feature are never selected.",
        reference: "Zhao: Spectral Feature Selection for Mining Ultrahigh Dimensional Data, \
                    dissertation, Arizona State University 2010, chapter 4",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        Ok(Mrsf {
            count: parameters.whole("count"),
            targets: parameters.text("targets").parse()?,
            pairs: parameters.whole("pairs"),
            penalty: parameters.text("penalty").parse()?,
            graph,
        })
    }
}

impl Selector for Mrsf {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        match self.targets {
            Targets::Auto => match self.graph.labels() {
                LabelUse::Needed => LabelUse::Needed,
                _ => LabelUse::IfNamed,
            },
            Targets::Labels | Targets::Lda | Targets::Svm | Targets::Number => LabelUse::Needed,
            Targets::Spectral => self.graph.labels(),
            Targets::Pca | Targets::Given(_) => LabelUse::Never,
        }
    }

    fn takes_number(&self) -> bool {
        matches!(self.targets, Targets::Auto | Targets::Number)
    }

    fn taking_numbers(&self) -> Option<(&'static str, &'static str)> {
        Some(("targets", "number"))
    }

    fn makes_model(&self) -> bool {
        true
    }

    fn without_graph(&self, view: &Dataset) -> Option<String> {
        let (name, what) = self.targets.resolved(view).beside_graph()?;
        Some(format!(
            "mrsf explains {what} here (targets {name}); with targets=spectral it explains the graph"
        ))
    }

    fn explaining(&self, targets: Arc<TargetMatrix>) -> Option<Box<dyn Selector>> {
        Some(Box::new(Mrsf { targets: Targets::Given(targets), ..self.clone() }))
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        Ok(self.rank_along(data, monitor)?.0)
    }
}

impl Mrsf {
    /// Ranks the features, and tells the path of solutions along which they were chosen.
    ///
    /// # Errors
    /// As [`rank`](Selector::rank).
    pub fn rank_with_path(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<(Ranking, Path)> {
        self.rank_along(&self.view(data, monitor)?, monitor)
    }

    fn rank_along(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<(Ranking, Path)> {
        let chosen = self.targets.resolved(data);
        let (targets, graph) = chosen.build(data, &self.graph, self.pairs, monitor)?;
        let n_targets = targets.n_targets;
        let pairs = chosen.are_pairs(graph.as_deref()).then_some(n_targets);
        let means = means(&targets);
        let problem = Problem::new(data, targets.values, n_targets)?;
        let selectable = (0..data.n_features()).filter(|&j| problem.usable(j)).count();
        let count = self.count.min(selectable.max(1));
        let walk = match self.penalty {
            Penalty::Rows => path,
            Penalty::Entries => entrywise,
        };
        let found = walk(&problem, count, &Options::default(), monitor)?;
        let scores = scores(&problem, &found);
        let mut ranking = Ranking::new(Self::INFO.name, Goal::Maximize, scores);
        ranking.notes.extend(graph.iter().flat_map(|g| g.notes().iter().cloned()));
        ranking.warnings.extend(graph.iter().flat_map(|g| g.warnings().iter().cloned()));
        ranking.warnings.extend(pairs.and_then(|pairs| more_pairs(pairs, self.pairs)));
        ranking.warnings.extend(too_many(self.count, selectable, data.n_features()));
        ranking.warnings.extend(shortfall(&found, count));
        ranking.graph = graph;
        ranking.parameters.set("count", self.count.min(data.n_features()));
        ranking.parameters.set("targets", chosen.name());
        if let Some(pairs) = pairs {
            ranking.parameters.set("pairs", pairs);
        }
        ranking.parameters.set("penalty", self.penalty.name());
        ranking.parameters.set("lambda", found.points.last().map_or(0.0, |p| p.lambda));
        ranking.details = vec![points(&found), entries(&found)];
        ranking.details.extend(coefficients::details(data, &found, &chosen, &means));
        Ok((ranking, found))
    }
}

/// The mean of every target.
fn means(targets: &TargetMatrix) -> Vec<f64> {
    let n = (targets.values.len() / targets.n_targets.max(1)).max(1) as f64;
    let mut means = vec![0.0; targets.n_targets];
    for row in targets.values.chunks_exact(targets.n_targets.max(1)) {
        means.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / n);
    }
    means
}

/// Every point of the path, for programs.
fn points(path: &Path) -> Detail {
    let points = &path.points;
    let of = |value: fn(&Solution) -> f64| points.iter().map(value).collect::<Vec<f64>>();
    let active = Cells::FeatureLists(points.iter().map(|p| p.active.clone()).collect());
    let norms = Cells::NumberLists(points.iter().map(|p| p.row_norms.clone()).collect());
    let sentence =
        "the optimum at every λ: who is active, with which weight, and the duality gap that certifies it";
    Detail::new("path", "Path of solutions", sentence)
        .for_audience(Audience::Programs)
        .numbers("lambda", "λ", of(|p| p.lambda))
        .column("active", "active", active)
        .column("row_norms", "norms", norms)
        .numbers("residual", "residual", of(|p| p.residual))
        .numbers("objective", "objective", of(|p| p.objective))
        .numbers("gap", "gap", of(|p| p.gap))
}

/// One line per feature that enters or leaves, λ falling.
fn entries(path: &Path) -> Detail {
    let events = path.events();
    let mut active = 0usize;
    let counts = events.iter().map(|event| {
        active = if event.entered { active + 1 } else { active.saturating_sub(1) };
        active
    });
    let counts = Cells::Counts(counts.collect());
    let gap = path.points.iter().map(|p| p.gap).fold(0.0, f64::max);
    let sentence = format!(
        "who enters (+) and leaves (-) as λ falls; every point is optimal to a relative duality gap of {gap:.0e} or less"
    );
    let change = |e: &Event| (if e.entered { "+" } else { "-" }).to_owned();
    Detail::new("entries", "Path", &sentence)
        .for_audience(Audience::Verbose)
        .column("lambda", "λ", Cells::Bars(events.iter().map(|e| e.lambda).collect()))
        .column("active", "active", counts)
        .column("change", "", Cells::Words(events.iter().map(change).collect()))
        .column("feature", "feature", Cells::Features(events.iter().map(|e| e.feature).collect()))
}

/// λ of entry for the active features, ‖f_jᵀR‖ for the others, never above the last λ but for rounding; 0 for copies.
fn scores(problem: &Problem<'_>, path: &Path) -> Vec<f64> {
    let last = path.points.last().map_or(0.0, |p| p.lambda);
    // Even a feature with nothing to explain comes before a copy.
    let least = if path.copies.is_empty() { 0.0 } else { f64::MIN_POSITIVE };
    let score =
        |(j, norm): (usize, &f64)| if problem.usable(j) { norm.min(last).max(least) } else { f64::NAN };
    let mut scores: Vec<f64> = path.norms.iter().enumerate().map(score).collect();
    path.copies.iter().for_each(|&(copy, _)| scores[copy] = 0.0);
    path.entries.iter().for_each(|&(j, lambda)| scores[j] = lambda);
    scores
}

fn more_pairs(used: usize, asked: usize) -> Option<String> {
    (used > asked).then(|| {
        format!(
            "{used} pairs are explained where {asked} were asked for: the eigenvalues {asked} to {used} are equal, and \
             inside such a group the vectors are arbitrary"
        )
    })
}

/// The default is meant for any data, so only another count is told to be too large.
fn too_many(count: usize, selectable: usize, n_features: usize) -> Option<String> {
    let constant = match n_features - selectable {
        0 => String::new(),
        constant => format!(" ({n_features} features, {constant} constant)"),
    };
    (count > selectable && count != Mrsf::usual().count)
        .then(|| format!("{count} features were asked for and {selectable} can be selected{constant}"))
}

fn shortfall(path: &Path, count: usize) -> Option<String> {
    let active = path.entries.len();
    match path.end {
        End::Complete => None,
        End::Together => Some(format!(
            "several features enter at the same λ: {active} are active, asked for: {count}; the first of the ranking \
             are the earliest, ties by column"
        )),
        End::Exhausted => {
            let who = match active {
                0 => "no feature explains the targets".to_owned(),
                1 => "1 feature explains all of the targets that features can".to_owned(),
                _ => format!("{active} features explain all of the targets that features can"),
            };
            Some(format!(
                "{who} (down to {:e} of the first λ), where {count} were asked for; \
                 the other places go by what is left to explain",
                Path::FLOOR
            ))
        }
    }
}
