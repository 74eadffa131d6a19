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
mod line;
mod tuning;

use std::sync::Arc;

use agreement::{Agreement, KnownLabels};

use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Scaling};
use crate::graph::{Graph, GraphRecipe};
use crate::methods::{Phi, Spec};
use crate::moments::{Moments, block_moments};
use crate::monitor::Monitor;
use crate::ranking::{Details, Goal, Ranking};
use crate::selector::{
    GraphUse, Kind, Method, MethodInfo, ParameterInfo, Parameters, Selector, Supervision, ranking_on,
};
use crate::spectrum::Filter;
use crate::{Error, Result};

/// Features that are kept to judge a λ, unless the user says how many.
const KEEP: usize = 10;

/// The weight of the first term against the labels.
#[derive(Debug, Clone, PartialEq)]
pub enum Lambda {
    /// Given, from 0 to 1.
    Given(f64),
    /// The one of a grid whose `keep` best features separate the samples best.
    Auto {
        /// The weights tried, each from 0 to 1.
        grid: Vec<f64>,
        /// How many features are kept to judge a weight; `None`: 10, or half of them where there are
        /// fewer than 20.
        keep: Option<usize>,
    },
}

/// How a feature becomes groups of samples, to be compared with the labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discretize {
    /// Two groups: above and below the mean under the degrees, as in the paper.
    #[default]
    Sign,
    /// As many as there are classes, by exact k-means on the line: for every feature about a millisecond a thousand samples.
    KMeans,
}

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
        SSelect {
            lambda: Lambda::Given(0.1),
            phi: Phi::default(),
            gamma: Filter::default(),
            discretize: Discretize::default(),
            graph: GraphRecipe::default(),
        }
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
        graph: GraphUse::Knn,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "lambda",
                kind: Kind::RealOr { min: 0.0, max: 1.0, words: &["auto"] },
                default: "0.1",
                help: "weight of the graph against the labels; auto: by the cut value of what it would select",
            },
            ParameterInfo {
                name: "grid",
                kind: Kind::Text { syntax: "numbers from 0 to 1, separated by commas" },
                default: "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9",
                help: "lambda=auto: the weights tried",
            },
            ParameterInfo {
                name: "keep",
                kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["auto"] },
                default: "auto",
                help: "lambda=auto: how many features are kept to judge a weight; auto: as many as are asked for \
                       (--top), else 10, or half of them where there are fewer than 20",
            },
            ParameterInfo {
                name: "discretize",
                kind: Kind::Choice(&["sign", "kmeans"]),
                default: "sign",
                help: "groups of a feature: its two sides (sign), or as many as there are classes (kmeans), which \
                       tells more of three classes and takes hundreds of times as long",
            },
            ParameterInfo {
                name: "phi",
                kind: Kind::Choice(&["1", "2", "3"]),
                default: "2",
                help: "which score of SPEC is the first term; 2 is the Laplacian score",
            },
            ParameterInfo {
                name: "gamma",
                kind: Kind::Text { syntax: "r, r^p or exp(βr)-1" },
                default: "r",
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
        let lambda = match parameters.real("lambda") {
            Some(lambda) => Lambda::Given(lambda),
            None => Lambda::Auto { grid, keep: parameters.integer("keep") },
        };
        let phi = parameters.text("phi").parse()?;
        let discretize = match parameters.text("discretize") {
            "kmeans" => Discretize::KMeans,
            _ => Discretize::Sign,
        };
        Ok(SSelect { lambda, phi, gamma: parameters.text("gamma").parse()?, discretize, graph })
    }
}

impl Selector for SSelect {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn rank_with(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        self.lambda.check()?;
        self.gamma.check()?;
        let labels = KnownLabels::of(data);
        let graph = self.graph.build(data, monitor)?;
        let (terms, mut warnings) = self.terms(data, &graph, &labels, monitor)?;
        let mut parameters = Parameters::default();
        parameters.set("phi", self.phi as usize + 1);
        parameters.set("gamma", self.gamma.to_string());
        let by_groups = self.discretize == Discretize::KMeans;
        parameters.set("discretize", if by_groups { "kmeans" } else { "sign" });
        parameters.set("labeled", labels.len());
        warnings.extend(labels.warnings());
        if labels.classes() > 2 && !by_groups {
            warnings.push(format!(
                "the two sides of a feature cannot tell {} classes apart: `discretize=kmeans` makes as many groups",
                labels.classes()
            ));
        }
        let mut details = Details::None;
        let lambda = match &self.lambda {
            _ if !labels.tell() => 1.0,
            Lambda::Given(lambda) => *lambda,
            Lambda::Auto { grid, keep } => {
                let keep = keep.unwrap_or_else(|| KEEP.min(data.n_features().div_ceil(2)));
                parameters.set("keep", keep);
                let judge = tuning::Judge { data, recipe: &self.graph, labels: &labels, keep };
                let (lambda, table) = judge.choose(&terms, grid, monitor)?;
                warnings.extend(tuning::warning(&table, lambda));
                details = Details::CutValues(table);
                lambda
            }
        };
        parameters.set("lambda", lambda);
        let mut ranking = ranking_on(self.info(), &graph, Goal::Minimize, terms.scores(lambda), parameters);
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

impl SSelect {
    /// Both terms, in one pass over the features; SPEC with another γ than r, and φ3, take one more.
    fn terms(
        &self,
        data: &Dataset,
        graph: &Arc<Graph>,
        labels: &KnownLabels,
        monitor: &dyn Monitor,
    ) -> Result<(Terms, Vec<String>)> {
        let volume = graph.volume();
        let agreement = Agreement::new(labels, self.discretize);
        let found: Vec<(Moments, f64)> = data.map_blocks("scores", monitor, |block, _| {
            let mut agreements = Vec::with_capacity(block.width());
            let moments =
                block_moments(block, graph, volume, |tile| agreements.extend(agreement.of_tile(&tile)));
            if agreements.is_empty() {
                agreements = agreement.of_entries(block, &moments);
            }
            Ok(moments.into_iter().zip(agreements).collect())
        })?;
        let disagreement = found.iter().map(|(_, nmi)| 1.0 - nmi).collect();
        let (smoothness, warnings) = match (self.phi, self.gamma) {
            (Phi::One | Phi::Two, Filter::Identity) => {
                let varies = |j: usize| !data.constant(j) && found[j].0.centered_degree() > 0.0;
                let score = |j: usize| if varies(j) { self.criterion().score(&found[j].0) } else { f64::NAN };
                ((0..data.n_features()).map(score).collect(), Vec::new())
            }
            _ => self.spec_term(data, graph, labels.classes(), monitor)?,
        };
        Ok((Terms { smoothness, disagreement }, warnings))
    }

    fn criterion(&self) -> Criterion {
        let denominator = if self.phi == Phi::One { Form::Degree } else { Form::CenteredDegree };
        Criterion { numerator: Form::Laplacian, denominator, goal: Goal::Minimize }
    }

    /// The first term by SPEC, turned so that smaller is better.
    fn spec_term(
        &self,
        data: &Dataset,
        graph: &Arc<Graph>,
        classes: usize,
        monitor: &dyn Monitor,
    ) -> Result<(Vec<f64>, Vec<String>)> {
        let clusters = Some(classes).filter(|&c| c >= 2);
        let spec = Spec { phi: self.phi, gamma: self.gamma, clusters, graph: self.graph.clone() };
        let mut scored = spec.scores(data, graph, monitor)?;
        let largest = self.gamma.apply(2.0);
        let turned = |s: f64| if self.phi == Phi::Three { 1.0 - s / largest } else { 2.0 * s / largest };
        scored.scores.iter_mut().for_each(|s| *s = turned(*s));
        Ok((scored.scores, scored.warnings))
    }
}

impl Lambda {
    fn check(&self) -> Result<()> {
        let in_range = |v: &f64| (0.0..=1.0).contains(v);
        match self {
            Lambda::Given(v) if !in_range(v) => {
                Err(Error::parameter("lambda", "`auto` or a number from 0 to 1", v))
            }
            Lambda::Auto { keep: Some(0), .. } => Err(Error::parameter("keep", "a whole number from 1", 0)),
            Lambda::Auto { grid, .. } if grid.is_empty() || !grid.iter().all(in_range) => {
                Err(Error::parameter("grid", "numbers from 0 to 1", format!("{grid:?}")))
            }
            _ => Ok(()),
        }
    }
}

fn read_grid(text: &str) -> Result<Vec<f64>> {
    let wrong = || Error::parameter("grid", "numbers from 0 to 1, separated by commas", format!("`{text}`"));
    let number = |word: &str| word.trim().parse().ok().filter(|v| (0.0..=1.0).contains(v)).ok_or_else(wrong);
    text.split(',').map(number).collect()
}
