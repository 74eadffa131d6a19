//! SPEC: a feature is good when it is smooth on the graph.
//!
//! # What it measures
//! Taken apart along the eigenvectors of the normalized Laplacian N, a feature has a mass α_j² at
//! every frequency λ_j of the graph. Good features keep their mass at low frequencies: similar
//! samples have similar values.
//!
//! # Formula
//! ```text
//! f̂ = D^½f / ‖D^½f‖,   α_j = f̂ᵀξ_j
//! φ1 = Σ_j α_j² γ(λ_j) = f̂ᵀγ(N)f̂                    smaller is better
//! φ2 = Σ_{j≥2} α_j² γ(λ_j) / (1 - α_1²)              smaller is better
//! φ3 = Σ_{j=2..k} (γ(2) - γ(λ_j)) α_j²               larger is better
//! ```
//! φ2 leaves out what a feature has along the trivial ξ₁; φ3 looks only at the k leading pairs,
//! the ones that tell clusters apart. φ2 with γ(r) = r is the Laplacian score.
//!
//! # Symbols → code
//! γ [`Filter`]; f̂ᵀγ(N)f̂ [`FilterPlan`], no eigensystem for whole powers; (λ_j, ξ_j) [`Spectrum`],
//! for φ3 alone. With g = D^½(f - μ1), μ the mean under the degrees, Σ_{j≥2} α_j²γ(λ_j) is
//! gᵀγ(N)g/fᵀDf and 1 - α_1² is gᵀg/fᵀDf.
//!
//! # Cost
//! γ(r) = r: the graph, then edges × features. `r^p`: p/2 times that. φ3: k eigenpairs, then
//! samples × k × features.
//!
//! # When it fails
//! Features are judged one by one: copies of a good feature all rank high. φ1 and φ3 depend on
//! where the zero of a feature lies; scale first. φ3 depends on k. On graphs with negative eigenvalues, such as Relief's, γ must be
//! an odd power or an exponential: others do not rise there, and are refused.
//!
//! # Differences from the paper
//! SPEC eq. 7 prints φ2's denominator without the square on α_1 (DIS 2.4 has it); without it the
//! score depends on the sign of an eigenvector. Where k would cut through equal eigenvalues, as on
//! disconnected graphs, the whole group is taken, so that no basis of it is preferred.
//!
//! # References
//! Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007;
//! DIS chapter 2.

use std::ops::Range;
use std::sync::Arc;

use faer::MatRef;

use crate::afar::Remade;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Center, Dataset, ScaledBlock, Scaling};
use crate::graph::{Graph, GraphRecipe};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Scorer, Selector, Supervision};
use crate::spectrum::{EQUAL, Filter, FilterPlan, Spectrum, Way, lowest, products, weighted_squares};
use crate::{Error, Result};

/// Which of the three scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phi {
    /// f̂ᵀγ(N)f̂, everything included.
    One,
    /// Without the trivial eigenvector.
    #[default]
    Two,
    /// The k leading pairs alone.
    Three,
}

words!(Phi, "phi", One = "1", Two = "2", Three = "3");

impl Phi {
    /// Which way is better.
    pub fn goal(self) -> Goal {
        if self == Phi::Three { Goal::Maximize } else { Goal::Minimize }
    }
}

/// SPEC.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::{Phi, Spec}};
///
/// let data = demo::iris()?;
/// let smooth = Spec { phi: Phi::Two, ..Spec::default() }.rank(&data)?;
/// let leading = Spec { phi: Phi::Three, clusters: Some(3), ..Spec::default() }.rank(&data)?;
/// assert_eq!(smooth.order()[0], leading.order()[0]); // one is minimized, the other maximized
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// Which of the three scores.
    pub phi: Phi,
    /// The spectral function γ.
    pub gamma: Filter,
    /// k of φ3, at least 2; `None`: by the eigengap.
    pub clusters: Option<usize>,
    /// The graph.
    pub graph: GraphRecipe,
}

impl Method for Spec {
    const INFO: MethodInfo = MethodInfo {
        name: "spec",
        title: "SPEC",
        measures: "How smooth a feature is on the graph: good features keep their mass at the low frequencies \
                   of the normalized Laplacian, so that similar samples have similar values.",
        formula: "φ1 = Σ_j α_j²γ(λ_j) · φ2 = Σ_{j≥2} α_j²γ(λ_j)/(1-α_1²) · φ3 = Σ_{j=2..k} (γ(2)-γ(λ_j))α_j²",
        goal: Goal::Minimize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::Knn,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "phi",
                kind: Kind::Choice(Phi::NAMES),
                default: ParameterValue::word("2"),
                role: Role::Own,
                only_with: None,
                help: "which score: 1 and 2 are minimized, 3 is maximized",
            },
            ParameterInfo {
                name: "gamma",
                kind: Kind::Text { syntax: "r, r^p or exp(βr)-1" },
                default: ParameterValue::word("r"),
                role: Role::Own,
                only_with: None,
                help: "how strongly high frequencies count",
            },
            ParameterInfo {
                name: "clusters",
                kind: Kind::IntegerOr { min: 2, max: usize::MAX, words: &["auto"] },
                default: ParameterValue::word("auto"),
                role: Role::Own,
                only_with: None,
                help: "φ3: how many leading eigenpairs count; auto: up to the largest eigengap",
            },
        ],
        cost: "edges x features for γ = r, p/2 times that for r^p; φ3: the leading eigenpairs, then samples x clusters x features",
        fails: "Judges features one by one: copies of a good feature all rank high. φ1 and φ3 depend on where \
                the zero of a feature lies, φ3 on `clusters`.",
        reference: "Zhao, Liu: Spectral Feature Selection for Supervised and Unsupervised Learning, ICML 2007",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        let phi = parameters.text("phi").parse()?;
        let (gamma, clusters) = (parameters.text("gamma").parse()?, parameters.whole_or_word("clusters"));
        Ok(Spec { phi, gamma, clusters, graph })
    }
}

impl Selector for Spec {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        self.graph.labels()
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        self.gamma.check()?;
        let graph = self.graph.build(data, monitor)?;
        if let Some(degree) = graph.degrees().iter().find(|d| **d < 0.0) {
            let rule = "one without negative degrees for SPEC, which takes their roots";
            return Err(Error::parameter("graph", rule, format!("a degree of {degree:.3}")));
        }
        let prepared = self.prepare(&graph, monitor)?;
        let mut parameters = Parameters::default();
        parameters.set("phi", self.phi.name());
        parameters.set("gamma", self.gamma.to_string());
        if let Some(clusters) = prepared.clusters {
            parameters.set("clusters", clusters);
        }
        let warnings = prepared.warnings.clone();
        let mut scorer = Scorer::on(&graph, self.phi.goal(), parameters, move |columns, monitor| {
            prepared.scores(columns, monitor)
        });
        scorer.warnings.extend(warnings);
        let mut settings = vec![("phi", self.phi.name().into()), ("gamma", self.gamma.to_string().into())];
        settings.extend(self.clusters.map(|clusters| ("clusters", clusters.into())));
        Ok(scorer.remade_as(Remade::method(Self::INFO.name, settings)))
    }
}

/// SPEC on a graph, ready for any features.
pub(crate) struct Prepared {
    phi: Phi,
    gamma: Filter,
    graph: Arc<Graph>,
    how: How,
    /// φ3: the k that is used.
    clusters: Option<usize>,
    pub(crate) warnings: Vec<String>,
}

enum How {
    /// Arithmetic on the moments.
    Moments(Criterion),
    /// γ(N) by products, a series or all eigenvectors.
    Filtered(Arc<Way>),
    /// The leading eigenpairs with the weight of each, the trivial one left out.
    Leading(Spectrum, Vec<f64>),
}

impl Spec {
    /// Everything on a graph that does not depend on the features.
    pub(crate) fn prepare(&self, graph: &Arc<Graph>, monitor: &dyn Monitor) -> Result<Prepared> {
        let mut prepared = Prepared {
            phi: self.phi,
            gamma: self.gamma,
            graph: Arc::clone(graph),
            how: How::Moments(criterion(Form::CenteredDegree)),
            clusters: None,
            warnings: Vec::new(),
        };
        match (self.phi, self.gamma) {
            (Phi::Three, _) => {
                let (spectrum, weights) = self.leading(graph, &mut prepared.warnings, monitor)?;
                prepared.clusters = Some(spectrum.len());
                prepared.how = How::Leading(spectrum, weights);
            }
            (Phi::Two, gamma) if gamma.is_identity() => {}
            (Phi::One, gamma) if gamma.is_identity() => {
                prepared.how = How::Moments(criterion(Form::Degree));
            }
            _ => {
                let plan = FilterPlan::new(graph, self.gamma, monitor)?;
                prepared.warnings.extend(plan.warning());
                prepared.how = How::Filtered(plan.way());
            }
        }
        Ok(prepared)
    }

    /// φ3: the leading eigenpairs, weighed by γ(2) - γ(λ).
    fn leading(
        &self,
        graph: &Graph,
        warnings: &mut Vec<String>,
        monitor: &dyn Monitor,
    ) -> Result<(Spectrum, Vec<f64>)> {
        let n = graph.n_samples();
        let (wanted, cut) = match self.clusters {
            Some(k) if k < 2 || k > n => {
                let rule = format!("from 2 to the number of samples ({n})");
                return Err(Error::parameter("clusters", rule, k));
            }
            Some(k) => (k, None),
            None => {
                let leading = Spectrum::leading(graph, n.min(51), monitor)?;
                let k = eigengap(&leading, warnings).min(n);
                if lowest(&leading) < -EQUAL {
                    warnings.push(format!(
                        "φ3 takes {k} eigenpairs by the largest gap, but the graph has negative weights, and gaps of its \
                         eigenvalues tell no number of clusters; set `clusters` to the number of classes"
                    ));
                }
                (k, leading.cut_whole(k))
            }
        };
        let spectrum = match cut {
            Some(spectrum) => spectrum,
            None => Spectrum::leading_whole(graph, wanted, monitor)?,
        };
        self.gamma.check_rises(lowest(&spectrum))?;
        let k = spectrum.len();
        if k > wanted {
            warnings.push(format!(
                "φ3 takes {k} eigenpairs, not {wanted}: the eigenvalues from there on are equal, and a part of \
                 them would depend on an arbitrary choice of vectors"
            ));
        }
        let top = self.gamma.apply(2.0);
        let weight = |&v: &f64| top - self.gamma.apply(v);
        let weights = spectrum.values()[1..].iter().map(weight).collect();
        Ok((spectrum, weights))
    }
}

impl Prepared {
    /// The scores of the features of `data`.
    pub(crate) fn scores(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        match &self.how {
            How::Moments(criterion) => criterion.scores(data, &self.graph, monitor),
            How::Filtered(way) => {
                let plan = FilterPlan::with(&self.graph, self.gamma, Arc::clone(way));
                let forms = |tile: &[f64], lanes: usize, out: &mut [f64]| plan.forms(tile, lanes, out);
                self.filtered_scores(data, monitor, forms)
            }
            How::Leading(spectrum, weights) => {
                let vectors: MatRef<'_, f64> = spectrum.vectors().subcols(1, spectrum.len() - 1);
                let forms = |tile: &[f64], lanes: usize, out: &mut [f64]| {
                    weighted_squares(vectors, weights, tile, lanes, out)
                };
                self.filtered_scores(data, monitor, forms)
            }
        }
    }

    /// Scores from `forms`, which gives a quadratic form of g = D^½(f - μ1) for a tile of features.
    fn filtered_scores(
        &self,
        data: &Dataset,
        monitor: &dyn Monitor,
        forms: impl Fn(&[f64], usize, &mut [f64]) + Sync,
    ) -> Result<Vec<f64>> {
        let graph = &self.graph;
        let (n, lanes, volume) = (graph.n_samples(), graph.lanes(), graph.volume());
        data.map_blocks("scores", monitor, |block: &ScaledBlock<'_>, columns: Range<usize>| {
            let mut tile = vec![0.0; n * lanes];
            let (mut above, mut norm) = (vec![0.0; lanes], vec![0.0; lanes]);
            let mut scores = Vec::with_capacity(block.width());
            for start in (0..block.width()).step_by(lanes) {
                let range = start..block.width().min(start + lanes);
                block.pack(range.clone(), lanes, Center::Mean, &mut tile);
                let means = weigh(&mut tile, lanes, graph.degrees(), volume);
                forms(&tile, lanes, &mut above);
                products(&tile, &tile, lanes, &mut norm);
                for (lane, j) in range.enumerate() {
                    // What the feature has along ξ₁: about its mean, and about 0.
                    let trivial = |mean: f64| mean * mean * volume;
                    let varies = norm[lane] > 1e-12 * (norm[lane] + trivial(means[lane]));
                    let below = match self.phi {
                        Phi::Two => norm[lane],
                        Phi::One | Phi::Three => norm[lane] + trivial(means[lane] + block.mean(j)),
                    };
                    let scored =
                        !data.constant(columns.start + j) && below > 0.0 && (varies || self.phi != Phi::Two);
                    let (score, at) = (above[lane] / below, columns.start + j);
                    scores.push(match self.phi {
                        _ if !scored => f64::NAN,
                        Phi::One | Phi::Two => data.by_spread(at, score),
                        Phi::Three => data.length(at) * score,
                    });
                }
            }
            Ok(scores)
        })
    }
}

fn criterion(denominator: Form) -> Criterion {
    Criterion { numerator: Form::Laplacian, denominator, goal: Goal::Minimize }
}

/// Turns the features h of a tile into g = D^½(h - μ1) and returns every lane's μ = hᵀd/1ᵀd.
fn weigh(tile: &mut [f64], lanes: usize, degrees: &[f64], volume: f64) -> Vec<f64> {
    let mut means = vec![0.0; lanes];
    for (row, d) in tile.chunks_exact(lanes).zip(degrees) {
        means.iter_mut().zip(row).for_each(|(m, h)| *m += d * h);
    }
    means.iter_mut().for_each(|m| *m /= volume);
    for (row, d) in tile.chunks_exact_mut(lanes).zip(degrees) {
        let root = d.max(0.0).sqrt();
        row.iter_mut().zip(&means).for_each(|(h, m)| *h = root * (*h - m));
    }
    means
}

/// The k of the largest gap among these eigenvalues, at least 2.
fn eigengap(spectrum: &Spectrum, warnings: &mut Vec<String>) -> usize {
    match spectrum.widest_gap() {
        Some(k) if k >= 2 => k,
        _ => {
            warnings.push(
                "the largest eigengap comes first: the graph shows no clusters; φ3 uses the first vector that \
                 is not trivial, set `clusters` to use more"
                    .to_owned(),
            );
            2
        }
    }
}
