//! Trace ratio: the best *set* of features under a ratio of two sums.
//!
//! # What it measures
//! With b and w the between- and within-neighborhood (or class) scatter of a feature, the set
//! F of `count` features with the largest Σ_F b / Σ_F w. Judging features by b/w one by one does
//! not find it; the iteration below does, exactly.
//!
//! # Formula
//! ```text
//! λ ← Σ_F b / Σ_F w,   F ← the `count` largest b - λw,   until λ stays
//! score = b - λw
//! ```
//! Larger is better. `type=fisher`: w = fᵀL_w f of the label graph, b = fᵀ(S_label - 11ᵀ/n)f.
//! `type=laplacian`: w = fᵀLf of the graph, b = fᵀ(D - D11ᵀD/1ᵀD1)f. `type=graphs`: any two graphs (DIS 3.19, S_w and S_b): w = fᵀL_w f of
//! the graph, which joins samples that should stay close, b = fᵀL_b f of the graph `between`, which joins those that
//! should be apart.
//!
//! # Symbols → code
//! w [`Moments::laplacian`]; b [`Moments::centered_similarity`] (fisher) or
//! [`Moments::centered_degree`] (laplacian).
//!
//! # Cost
//! The graph, then edges × features once; an iteration costs a selection among the features and
//! λ grows to its limit in a few.
//!
//! # When it fails
//! The answer depends on `count`, and on the units of the features (b - λw is not a ratio):
//! scale them. Copies of a good feature are all taken.
//!
//! # Differences from the paper
//! Constant features take no part. The iteration starts from the `count` largest b/w of all
//! features and may then choose any of them.
//!
//! # References
//! Nie, Xiang, Jia, Zhang, Yan: Trace Ratio Criterion for Feature Selection, AAAI 2008;
//! DIS 3.19-3.21.

use crate::dataset::{Dataset, Scaling};
use crate::graph::GraphRecipe;
use crate::moments::{Moments, moments};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Selector, Supervision, ranking_on};
use crate::{Error, Result};

/// Which scatters are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scatter {
    /// Of the classes where the user named labels, else of the neighborhoods.
    #[default]
    Auto,
    /// Of the neighborhoods of a graph: unsupervised.
    Laplacian,
    /// Of the classes.
    Fisher,
    /// Of two graphs.
    Graphs,
}

words!(Scatter, "type", Auto = "auto", Laplacian = "laplacian", Fisher = "fisher", Graphs = "graphs");

/// The trace-ratio criterion.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::{Scatter, TraceRatio}};
///
/// let method = TraceRatio { scatter: Scatter::Fisher, count: 2, ..TraceRatio::default() };
/// assert_eq!(method.rank(&demo::iris()?)?.top(2), [2, 3]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TraceRatio {
    /// Which scatters are compared.
    pub scatter: Scatter,
    /// Size of the set; at most the number of features that vary.
    pub count: usize,
    /// The second graph, for [`Scatter::Graphs`]: it joins samples that should be apart.
    pub between: GraphRecipe,
    /// The graph of the Laplacian scatter, the first of two.
    pub graph: GraphRecipe,
}

impl Default for TraceRatio {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for TraceRatio {
    const INFO: MethodInfo = MethodInfo {
        name: "trace-ratio",
        title: "Trace ratio",
        measures: "Finds the set of `count` features with the largest ratio of scatter between classes \
                   (or neighborhoods) to scatter inside them; the set is judged as a whole.",
        formula: "b - λw,  λ = Σ_F b / Σ_F w at its fixed point, F the `count` largest",
        goal: Goal::Maximize,
        supervision: Supervision::Optional,
        takes_number: false,
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
                help: "size of the set; clipped to the number of features that vary",
            },
            ParameterInfo {
                name: "type",
                kind: Kind::Choice(Scatter::NAMES),
                default: ParameterValue::word("auto"),
                role: Role::Own,
                only_with: None,
                help: "scatter of the graph's neighborhoods (laplacian), of the classes (fisher) or of two graphs (graphs); \
                       auto: of the classes where labels are named",
            },
            ParameterInfo {
                name: "between",
                kind: Kind::Text { syntax: "the name of a kind of graph" },
                default: ParameterValue::word("rbf"),
                role: Role::Own,
                only_with: Some(("type", "graphs")),
                help: "type=graphs: the second graph, with the usual options of its kind; it joins samples that should be \
                       apart, the first one those that should be close",
            },
        ],
        cost: "the graph, then edges x features; the iteration is cheap",
        fails: "The answer depends on `count` and on the units of the features. Copies of a good feature are all taken.",
        reference: "Nie, Xiang, Jia, Zhang, Yan: Trace Ratio Criterion for Feature Selection, AAAI 2008",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        let between = GraphRecipe::named(parameters.text("between"), [] as [(&str, ParameterValue); 0])
            .map_err(renamed)?;
        let scatter = parameters.text("type").parse()?;
        Ok(TraceRatio { scatter, count: parameters.whole("count"), between, graph })
    }
}

impl Selector for TraceRatio {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        match self.scatter {
            Scatter::Auto => match self.graph.labels() {
                LabelUse::Needed => LabelUse::Needed,
                _ => LabelUse::IfNamed,
            },
            Scatter::Laplacian => self.graph.labels(),
            Scatter::Graphs => match (self.graph.labels(), self.between.labels()) {
                (LabelUse::Needed, _) | (_, LabelUse::Needed) => LabelUse::Needed,
                (first, _) => first,
            },
            Scatter::Fisher => LabelUse::Needed,
        }
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        if self.count == 0 {
            return Err(Error::parameter("count", "at least 1", 0));
        }
        let scatter = match self.scatter {
            Scatter::Auto if data.labels().is_some() => Scatter::Fisher,
            Scatter::Auto => Scatter::Laplacian,
            given => given,
        };
        let (graph, between): (_, fn(&Moments) -> f64) = match scatter {
            Scatter::Fisher => {
                data.classes("trace-ratio of type fisher")?;
                (GraphRecipe::Labels.build(data, monitor)?, Moments::centered_similarity)
            }
            _ => (self.graph.build(data, monitor)?, Moments::centered_degree),
        };
        let mut scatters: Vec<(f64, f64)> =
            moments(data, &graph, monitor)?.iter().map(|m| (between(m), m.laplacian)).collect();
        check("graph", scatters.iter().map(|s| s.1))?;
        if scatter == Scatter::Graphs {
            let second = self.between.build(data, monitor)?;
            let apart = moments(data, &second, monitor)?;
            scatters.iter_mut().zip(&apart).for_each(|(s, m)| s.0 = m.laplacian);
            check("between", scatters.iter().map(|s| s.0))?;
        }
        let scored: Vec<usize> = (0..data.n_features()).filter(|&j| !data.constant(j)).collect();
        let count = self.count.min(scored.len());
        let mut parameters = Parameters::default();
        parameters.set("count", count);
        parameters.set("type", scatter.name());
        if scatter == Scatter::Graphs {
            parameters.set("between", self.between.info().name);
        }
        let mut scores = vec![f64::NAN; data.n_features()];
        if count > 0 {
            let lambda = fixed_point(&scatters, &scored, count)?;
            parameters.set("lambda", lambda);
            scored.iter().for_each(|&j| scores[j] = scatters[j].0 - lambda * scatters[j].1);
        }
        let mut ranking = ranking_on(self.info(), &graph, Goal::Maximize, scores, parameters);
        if count < self.count {
            ranking
                .warnings
                .push(format!("`count` is {}, but only {count} features vary: all are taken", self.count));
        }
        Ok(ranking)
    }
}

/// Every scatter must be 0 or more, which negative weights do not give.
fn check(name: &'static str, scatters: impl Iterator<Item = f64>) -> Result<()> {
    match scatters.into_iter().find(|s| *s < 0.0) {
        None => Ok(()),
        Some(s) => {
            let rule = "one without negative weights for trace-ratio: every scatter must be 0 or more";
            Err(Error::parameter(name, rule, format!("a scatter of {s:.3}")))
        }
    }
}

/// What is wrong with the second graph is told of it.
fn renamed(error: Error) -> Error {
    match error {
        Error::Parameter { rule, got, .. } => Error::Parameter { name: "between".to_owned(), rule, got },
        other => other,
    }
}

/// λ = Σ_F b / Σ_F w at its fixed point. λ never decreases and takes finitely many values, so
/// the iteration ends; a hundred steps are far more than it has ever needed.
fn fixed_point(scatters: &[(f64, f64)], scored: &[usize], count: usize) -> Result<f64> {
    const STEPS: usize = 100;
    const TOLERANCE: f64 = 1e-13;
    let capped = |b: f64, w: f64| b / w.max(f64::EPSILON * b.abs()).max(f64::MIN_POSITIVE);
    let ratio_of_best = |key: &dyn Fn(f64, f64) -> f64| {
        let keys: Vec<f64> = scored.iter().map(|&j| key(scatters[j].0, scatters[j].1)).collect();
        let best = Ranking::new(TraceRatio::INFO.name, Goal::Maximize, keys);
        let sum = best.top(count).iter().fold((0.0, 0.0), |sum, &s| {
            let (b, w) = scatters[scored[s]];
            (sum.0 + b, sum.1 + w)
        });
        capped(sum.0, sum.1)
    };
    let mut lambda = ratio_of_best(&capped);
    let mut change = f64::INFINITY;
    for _ in 0..STEPS {
        let next = ratio_of_best(&|b, w| b - lambda * w);
        change = (next - lambda).abs();
        lambda = next;
        if change <= TOLERANCE * next.abs() {
            return Ok(lambda);
        }
    }
    let advice = "scale the features to comparable units";
    Err(Error::NotConverged {
        what: "trace ratio",
        iterations: STEPS,
        residual: change,
        tolerance: TOLERANCE,
        advice,
    })
}
