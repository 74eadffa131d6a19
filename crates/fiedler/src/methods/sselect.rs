//! sSelect, semi-supervised selection from a handful of labels (SSL; DIS 2.16).
//!
//! # What it measures
//! Two things at once: whether the feature is smooth on the graph of all samples, and whether the
//! two sides into which it cuts the samples agree with the labels of those few that have one.
//!
//! # Formula
//! ```text
//! g = f - (fᵀd / 1ᵀd) 1
//! score = λ · gᵀLg / gᵀDg + (1-λ) · (1 - NMI(sign g, y))      over the labeled samples
//! NMI(a, b) = I(a; b) / max(H(a), H(b)), 0 where both entropies are 0; sign 0 = +1
//! ```
//! Smaller is better. The first term may be any φ of SPEC. φ1 and φ2 are divided by γ(2)/2, so that
//! they lie in 0..2 and λ means the same under every γ; φ3, which is maximized, enters as
//! 1 - φ3/γ(2). With `discretize=kmeans` g is cut into as many groups as there are classes, by
//! exact k-means on the line, in place of its sign.
//!
//! # Symbols → code
//! gᵀLg/gᵀDg from [`moments`](crate::moments); NMI `agreement`; k-means on the line `line`; the
//! choice of λ `tuning`.
//!
//! # Cost
//! The Laplacian score and, in the same pass, a count over the labeled samples. λ enters
//! afterwards: any number of λ costs a sort each, with `lambda=auto` also a small graph and two of
//! its eigenvalues.
//!
//! # When it fails
//! With two labels NMI is 0 or 1 for every feature, and many tie at 1: the first term then decides
//! among them. With a single labeled class, or none, the labels say nothing and λ is 1, whatever was
//! asked. The sign rule sees two sides only: of three classes it can tell apart at most two groups.
//!
//! # Differences from the paper
//! Any number of classes. Where λ is chosen (Algorithm 3), a graph in pieces has the cut value 0. It
//! wins where its pieces may be the classes: no more of them than classes, each with a labeled
//! sample. Isolated samples and splinters are no merit of the features; such a graph is
//! reported, and passed over as long as another λ has a better one.
//!
//! # References
//! Zhao, Liu: Semi-supervised Feature Selection via Spectral Analysis, SDM 2007; DIS 2.3.

mod agreement;
mod cuts;
mod lambda;
mod line;
mod tuning;

use std::sync::Arc;

use agreement::{Agreement, KnownLabels};
pub use cuts::Cut;
pub use lambda::Lambda;
use lambda::read_grid;

use crate::afar::Remade;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Scaling};
use crate::graph::{Graph, GraphRecipe};
use crate::methods::spec;
use crate::methods::{Phi, Spec};
use crate::moments::{Moments, block_moments};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, Method, MethodInfo, Scorer, Selector, Supervision, ranking_on};
use crate::spectrum::Filter;
use crate::{Error, Result};

/// Features that are kept to judge a λ, unless the user says how many.
const KEEP: usize = 10;

/// How a feature becomes groups of samples, to be compared with the labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discretize {
    /// Two groups: above and below the mean under the degrees, as in the paper.
    #[default]
    Sign,
    /// As many as there are classes, by exact k-means on the line: for every feature about a millisecond a thousand samples.
    KMeans,
}

words!(Discretize, "discretize", Sign = "sign", KMeans = "kmeans");

/// Semi-supervised selection.
///
/// ```
/// use fiedler::{Labels, Selector, dataset::demo, methods::SSelect};
///
/// // Two labeled flowers of 150.
/// let labels = (0..150).map(|i| match i { 0 => Some("setosa"), 149 => Some("virginica"), _ => None });
/// let ranking = SSelect::default().rank(&demo::iris()?.labeled(Labels::new(labels))?)?;
/// assert_eq!(ranking.order()[0], 2); // petal length
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SSelect {
    /// The weight of the first term.
    pub lambda: Lambda,
    /// The first term; φ2 with γ(r) = r is the paper's.
    pub phi: Phi,
    /// The spectral function of the first term.
    pub gamma: Filter,
    /// How a feature becomes groups of samples.
    pub discretize: Discretize,
    /// The graph of all samples.
    pub graph: GraphRecipe,
}

impl Default for SSelect {
    fn default() -> Self {
        Self::usual()
    }
}

impl Method for SSelect {
    const INFO: MethodInfo = MethodInfo {
        name: "sselect",
        title: "sSelect",
        measures: "Whether a feature is smooth on the graph of all samples and also cuts the few labeled ones \
                   as their labels do: a handful of labels is enough.",
        formula: "λ·gᵀLg/gᵀDg + (1-λ)·(1 - NMI(sign g, y)),  g = f - (fᵀd/1ᵀd)1",
        goal: Goal::Minimize,
        supervision: Supervision::SemiSupervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::Knn,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "lambda",
                kind: Kind::RealOr { min: 0.0, max: 1.0, words: &["auto"] },
                default: ParameterValue::Real(0.1),
                role: Role::Own,
                only_with: None,
                help: "weight of the graph against the labels; auto: by the cut value of what it would select",
            },
            ParameterInfo {
                name: "grid",
                kind: Kind::Text { syntax: "numbers from 0 to 1, separated by commas" },
                default: ParameterValue::word("0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"),
                role: Role::Own,
                only_with: Some(("lambda", "auto")),
                help: "lambda=auto: the weights tried",
            },
            ParameterInfo {
                name: "keep",
                kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
                default: ParameterValue::word("auto"),
                role: Role::Count,
                only_with: Some(("lambda", "auto")),
                help: "lambda=auto: how many features are kept to judge a weight; auto: as many as are asked for, \
                       else 10, or half of them where there are fewer than 20",
            },
            ParameterInfo {
                name: "cut",
                kind: Kind::Choice(Cut::NAMES),
                default: ParameterValue::word("eigenvalue"),
                role: Role::Own,
                only_with: Some(("lambda", "auto")),
                help: "lambda=auto: which cut value is smallest: the second eigenvalue, or the best normalized, ratio or \
                       min-max cut along its eigenvector",
            },
            ParameterInfo {
                name: "discretize",
                kind: Kind::Choice(Discretize::NAMES),
                default: ParameterValue::word("sign"),
                role: Role::Own,
                only_with: None,
                help: "groups of a feature: its two sides (sign), or as many as there are classes (kmeans), which \
                       tells more of three classes and takes hundreds of times as long",
            },
            ParameterInfo {
                name: "phi",
                kind: Kind::Choice(Phi::NAMES),
                default: ParameterValue::word("2"),
                role: Role::Own,
                only_with: None,
                help: "which score of SPEC is the first term; 2 is the Laplacian score",
            },
            ParameterInfo {
                name: "gamma",
                kind: Kind::Text { syntax: "r, r^p or exp(βr)-1" },
                default: ParameterValue::word("r"),
                role: Role::Own,
                only_with: None,
                help: "the spectral function of the first term, which is divided by gamma(2)/2",
            },
        ],
        cost: "the Laplacian score plus a count over the labeled samples; any number of λ in one pass",
        fails: "Few labels tie many features, and the graph decides among them. Without two labeled classes \
                the labels say nothing. discretize=sign sees two sides only, whatever the number of classes.",
        reference: "Zhao, Liu: Semi-supervised Feature Selection via Spectral Analysis, SDM 2007",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        let grid = read_grid(parameters.text("grid"))?;
        let lambda = match parameters.real_or_word("lambda") {
            Some(lambda) => Lambda::Given(lambda),
            None => {
                let cut = parameters.text("cut").parse()?;
                Lambda::Auto { grid, keep: parameters.whole_or_word("keep"), cut }
            }
        };
        Ok(SSelect {
            lambda,
            phi: parameters.text("phi").parse()?,
            gamma: parameters.text("gamma").parse()?,
            discretize: parameters.text("discretize").parse()?,
            graph,
        })
    }
}

impl Selector for SSelect {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn judges(&self) -> Judges {
        match self.lambda {
            Lambda::Given(_) => Judges::OneByOne,
            Lambda::Auto { .. } => Judges::Together,
        }
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let Lambda::Given(lambda) = self.lambda else {
            return Err(Error::JudgesTogether { method: Self::INFO.name });
        };
        let prepared = self.prepare(data, monitor)?;
        let lambda = if prepared.labels.tell() { lambda } else { 1.0 };
        let (graph, mut parameters) = (Arc::clone(&prepared.graph), prepared.parameters());
        parameters.set("lambda", lambda);
        let warnings = prepared.warnings();
        let mut scorer = Scorer::on(&graph, Goal::Minimize, parameters, move |columns, monitor| {
            Ok(prepared.terms(columns, monitor)?.scores(lambda))
        });
        scorer.warnings.extend(warnings);
        let settings = vec![
            ("lambda", lambda.into()),
            ("phi", self.phi.name().into()),
            ("gamma", self.gamma.to_string().into()),
            ("discretize", self.discretize.name().into()),
        ];
        Ok(scorer.remade_as(Remade::method(Self::INFO.name, settings)))
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        let Lambda::Auto { grid, keep, cut } = &self.lambda else {
            return self.scorer(data, monitor)?.rank(self.info(), data, monitor);
        };
        let prepared = self.prepare(data, monitor)?;
        let terms = prepared.terms(data, monitor)?;
        let (mut parameters, mut warnings) = (prepared.parameters(), prepared.warnings());
        let (mut lambda, mut details) = (1.0, Vec::new());
        if prepared.labels.tell() {
            let keep = keep.unwrap_or_else(|| KEEP.min(data.n_features().div_ceil(2)));
            parameters.set("keep", keep);
            parameters.set("cut", cut.name());
            let judge =
                tuning::Judge { data, recipe: &self.graph, labels: &prepared.labels, keep, cut: *cut };
            let (chosen, table) = judge.choose(&terms, grid, monitor)?;
            warnings.extend(tuning::warning(&table, chosen));
            details.push(tuning::choice_of_lambda(table));
            lambda = chosen;
        }
        parameters.set("lambda", lambda);
        let scores = terms.scores(lambda);
        let mut ranking = ranking_on(self.info(), &prepared.graph, Goal::Minimize, scores, parameters);
        ranking.warnings.extend(warnings);
        ranking.details = details;
        Ok(ranking)
    }
}

/// The two terms of every feature; λ enters afterwards.
struct Terms {
    smoothness: Vec<f64>,
    disagreement: Vec<f64>,
}

impl Terms {
    /// λ·smoothness + (1-λ)·disagreement; none (NaN) for a feature that cannot be smooth or rough.
    fn scores(&self, lambda: f64) -> Vec<f64> {
        let pairs = self.smoothness.iter().zip(&self.disagreement);
        pairs.map(|(s, d)| lambda * s + (1.0 - lambda) * d).collect()
    }
}

/// The method on a graph, ready for any features.
struct Prepared {
    method: SSelect,
    graph: Arc<Graph>,
    labels: KnownLabels,
    /// The first term by SPEC, where the one pass does not give it.
    spec: Option<spec::Prepared>,
}

impl SSelect {
    fn prepare(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Prepared> {
        self.lambda.check()?;
        self.gamma.check()?;
        let labels = KnownLabels::of(data);
        let graph = self.graph.build(data, monitor)?;
        let spec = match (self.phi, self.gamma) {
            (Phi::One | Phi::Two, Filter::Identity) => None,
            (phi, gamma) => {
                let clusters = Some(labels.classes()).filter(|&c| c >= 2);
                let spec = Spec { phi, gamma, clusters, graph: self.graph.clone() };
                Some(spec.prepare(&graph, monitor)?)
            }
        };
        Ok(Prepared { method: self.clone(), graph, labels, spec })
    }
}

impl Prepared {
    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        parameters.set("phi", self.method.phi.name());
        parameters.set("gamma", self.method.gamma.to_string());
        parameters.set("discretize", self.method.discretize.name());
        parameters.set("labeled", self.labels.len());
        parameters
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<String> = self.spec.iter().flat_map(|spec| spec.warnings.clone()).collect();
        warnings.extend(self.labels.warnings());
        if self.labels.classes() > 2 && self.method.discretize == Discretize::Sign {
            warnings.push(format!(
                "the two sides of a feature cannot tell {} classes apart: `discretize=kmeans` makes as many groups",
                self.labels.classes()
            ));
        }
        warnings
    }

    /// Both terms, in one pass over the features; SPEC with another γ than r, and φ3, take one more.
    fn terms(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Terms> {
        let volume = self.graph.volume();
        let agreement = Agreement::new(&self.labels, self.method.discretize);
        let found: Vec<(Moments, f64)> = data.map_blocks("scores", monitor, |block, _| {
            let mut agreements = Vec::with_capacity(block.width());
            let moments =
                block_moments(block, &self.graph, volume, |tile| agreements.extend(agreement.of_tile(&tile)));
            if agreements.is_empty() {
                agreements = agreement.of_entries(block, &moments);
            }
            Ok(moments.into_iter().zip(agreements).collect())
        })?;
        let disagreement = found.iter().map(|(_, nmi)| 1.0 - nmi).collect();
        let smoothness = match &self.spec {
            Some(spec) => self.turned(spec.scores(data, monitor)?),
            None => {
                let criterion = self.criterion();
                let varies = |j: usize| !data.constant(j) && found[j].0.centered_degree() > 0.0;
                let score = |j: usize| {
                    if varies(j) { data.by_spread(j, criterion.score(&found[j].0)) } else { f64::NAN }
                };
                (0..data.n_features()).map(score).collect()
            }
        };
        Ok(Terms { smoothness, disagreement })
    }

    fn criterion(&self) -> Criterion {
        let denominator = if self.method.phi == Phi::One { Form::Degree } else { Form::CenteredDegree };
        Criterion { numerator: Form::Laplacian, denominator, goal: Goal::Minimize }
    }

    /// The scores of SPEC, turned so that smaller is better.
    fn turned(&self, mut scores: Vec<f64>) -> Vec<f64> {
        let largest = self.method.gamma.apply(2.0);
        let leading = self.method.phi == Phi::Three;
        let turned = |s: f64| if leading { 1.0 - s / largest } else { 2.0 * s / largest };
        scores.iter_mut().for_each(|s| *s = turned(*s));
        scores
    }
}
