//! EVSC, the eigenvalue-sensitive criterion (EVSC, ESFS).
//!
//! # What it measures
//! How much the spectrum of the similarity graph depends on a feature. Every feature gets a
//! weight w_t inside the similarity, all weights are 1, and a feature matters where a change of
//! its weight moves the eigenvalues of the graph's Laplacian.
//!
//! # Formula
//! ```text
//! S_ij(w) = exp(-Σ_t w_t² (x_ti - x_tj)² / 2σ²)        L q_r = λ_r D q_r,  q_rᵀDq_r = 1
//! ∂λ_r/∂w_t = -1/σ² Σ_{i<j} S_ij (x_ti - x_tj)² [(q_ri - q_rj)² - λ_r (q_ri² + q_rj²)]
//! score(t) = Σ_r |∂λ_r/∂w_t|   at w = 1
//! ```
//! Larger is better. Where eigenvalues are equal (duplicate samples give λ = 1 many times) their
//! derivatives are the eigenvalues of the group's projected matrix, so the group contributes its
//! nuclear norm. `similarity` takes two other kernels of the paper's list: `dot`,
//! S_ij = Σ w_t² x_ti x_tj with ∂S_ij/∂w_t = 2 x_ti x_tj, and `euclidean`,
//! S_ij = Σ w_t² (x_ti - x_tj)² with ∂S_ij/∂w_t = 2 (x_ti - x_tj)².
//!
//! # Symbols → code
//! q, λ `modes::Modes`; the sums over pairs `pairs::PairForms`; the dot product
//! `dot::DotForms`; ∂S/∂w_t `slope::Slope`; the choice of σ `bandwidth`; sum and signs of all
//! derivatives `trace::TraceForms`.
//!
//! # Cost
//! The paper: O(n³) for the eigenpairs, O(n²K) for the scores of K features. All eigenvalues (`rank=all`) take a dense solver once, O(n³) whatever K and the graph. Then, with
//! the Gaussian on all pairs, about 10n² operations a feature and 2n² more for each eigenvalue that may move the other way than the bulk
//! does, of which there are few (see `trace`): the paper's O(n²K) where these are bounded, O(n³K) at worst. Otherwise 2 · edges · R operations a
//! feature in matrix products, where R counts the eigenvalues *whose derivative can have either sign*: the others are
//! summed before any feature is seen (see `pairs`). Memory: edges plus n × R numbers.
//!
//! `rest=together` with a `rank` of some hundreds counts those eigenvalues one by one and all others by the sum of their derivatives,
//! which is known without them. That is exact where all of those have one sign, and otherwise too small by at most what the
//! ranking tells, a bound and no estimate. It saves memory first: with 5,000 samples and 200 features, rank 400 took a quarter of the memory of
//! all eigenvalues and as many CPU seconds, and its bound was 23 %.
//!
//! # When it fails
//! The scaling decides. A feature counts by how much it adds to the distances, so on raw data units
//! win. Scaled to *equal variance* every feature adds the same, and what is left is the shape of
//! its values: features with few extreme values, near-constant ones and noise first, structure
//! last. The range 0..1 suits it: clusters that part a feature leave it more variance than noise
//! or an outlier does (the paper scales nothing, on data of one unit). On data scaled to equal
//! variance the ranking carries a warning; `rank` near the number of clusters then helps a little.
//!
//! The score is a first-order guess at dropping the feature, and copies of a feature all score alike
//! although dropping one of them would change little. On a graph with more components than `rank`
//! the eigenvalues looked at stay 0 and so do the scores.
//!
//! # Differences from the paper
//! The paper calls the scores O(n²) a feature; summed as it writes them they are O(n³), and `trace` is what brings them down. It chooses σ by
//! cross-validation; here σ is the graph's own (2σ² = median squared distance), given, or taken
//! from a grid by the widest eigengap. Equal eigenvalues are not treated there. kNN graphs with
//! Gaussian weights are allowed: the neighbors are then held fixed.
//!
//! # References
//! Jiang, Ren: Eigenvalue Sensitive Feature Selection, ICML 2011.

mod bandwidth;
mod dot;
mod forms;
mod modes;
mod pairs;
mod slope;
mod trace;

use std::sync::Arc;

use forms::Forms;
use modes::Modes;
use pairs::PairForms;
use slope::Slope;

use crate::dataset::{Dataset, Scaling};
use crate::detail::{Cells, Detail};
use crate::graph::{Bandwidth, Graph, GraphRecipe, Rbf};
use crate::limits::{self, announce};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role, words};
use crate::ranking::Goal;
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Scorer, Selector, Supervision};
use crate::{Error, Result};

/// What is told with a ranking of such data.
const EQUAL_VARIANCE: &str = "evsc on features scaled to equal variance ranks near-constant features and noise first: every feature costs \
     the same distance; scale to `range`";

/// How similarity depends on the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// exp(-‖xᵢ-xⱼ‖²/2σ²), on all pairs or on the edges of a kNN graph.
    #[default]
    Rbf,
    /// xᵢ·xⱼ, all pairs. Every sample needs a positive degree, which centered data do not give.
    Dot,
    /// ‖xᵢ-xⱼ‖², all pairs: unlike samples are joined, as the paper's list has it.
    Euclidean,
}

/// What the eigenvalues beyond `rank` count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rest {
    /// Nothing.
    #[default]
    None,
    /// The size of the sum of their derivatives.
    Together,
}

/// The σ of the Gaussian.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Sigma {
    /// The graph's own.
    #[default]
    Auto,
    /// Given; for `heat` weights t = 2σ².
    Given(f64),
    /// The one of nine around the graph's own (a quarter to four times, steps of √2) with the
    /// widest eigengap λ_{k+1} - λ_k, 2 ≤ k ≤ 50.
    Grid,
}

/// The eigenvalue-sensitive criterion.
///
/// The turning point of the sorted scores, [`Ranking::elbow`](crate::Ranking::elbow), suggests how many features to
/// keep.
///
/// ```
/// use fiedler::{Scaling, Selector, dataset::demo, methods::Evsc};
///
/// // The paper's example: petal length matters more to the spectrum than sepal length. Data are
/// // scaled to equal variance unless told otherwise, which does not suit this method.
/// let ranking = Evsc::default().rank(&demo::iris()?.scaled(Scaling::Range))?;
/// assert!(ranking.scores()[2] > ranking.scores()[0]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Evsc {
    /// How many of the smallest eigenvalues count; `None`: all of them.
    pub rank: Option<usize>,
    /// What the other eigenvalues count.
    pub rest: Rest,
    /// The width of the Gaussian.
    pub sigma: Sigma,
    /// How similarity depends on the features.
    pub similarity: Kernel,
    /// The graph: full RBF, or kNN with Gaussian weights.
    pub graph: GraphRecipe,
}

impl Default for Evsc {
    fn default() -> Self {
        Self::usual()
    }
}

words!(Rest, "rest", None = "none", Together = "together");
words!(Kernel, "similarity", Rbf = "rbf", Dot = "dot", Euclidean = "euclidean");

/// What a thread does in a second: products of edges and eigenvectors, and n³ of a complete eigendecomposition.
const PRODUCTS_PER_SECOND: f64 = 4e10;
const CUBES_PER_SECOND: f64 = 1.4e9;

impl Method for Evsc {
    const INFO: MethodInfo = MethodInfo {
        name: "evsc",
        title: "Eigenvalue-sensitive criterion (EVSC)",
        measures: "How much the eigenvalues of the similarity graph move when the weight of a feature changes: \
                   large where the structure of the data depends on the feature.",
        formula: "Σ_r |∂λ_r/∂w_t| at w = 1,  Lq = λDq,  S_ij = exp(-Σ_t w_t²(x_ti-x_tj)²/2σ²)",
        goal: Goal::Maximize,
        supervision: Supervision::Unsupervised,
        takes_number: false,
        judges: Judges::OneByOne,
        graph: GraphUse::Rbf,
        scaling: Scaling::Range,
        parameters: &[
            ParameterInfo {
                name: "rank",
                kind: Kind::IntegerOr { min: 1, max: usize::MAX, words: &["all"] },
                default: ParameterValue::word("all"),
                role: Role::Own,
                only_with: None,
                help: "how many of the smallest eigenvalues count",
            },
            ParameterInfo {
                name: "rest",
                kind: Kind::Choice(Rest::NAMES),
                default: ParameterValue::word("none"),
                role: Role::Own,
                only_with: None,
                help: "what the eigenvalues beyond `rank` count: nothing, or together the size of the sum of their \
                       derivatives, which stands for `rank` all on an rbf graph of many samples; at most how much it \
                       falls short is told",
            },
            ParameterInfo {
                name: "sigma",
                kind: Kind::RealOr { min: f64::MIN_POSITIVE, max: f64::INFINITY, words: &["auto", "grid"] },
                default: ParameterValue::word("auto"),
                role: Role::Own,
                only_with: None,
                help: "width of the Gaussian: the graph's own, a number, or, of nine from a quarter of the graph's \
                       own to four times it, the one with the widest eigengap",
            },
            ParameterInfo {
                name: "similarity",
                kind: Kind::Choice(Kernel::NAMES),
                default: ParameterValue::word("rbf"),
                role: Role::Own,
                only_with: None,
                help: "how similarity depends on the features; dot and euclidean join all pairs",
            },
        ],
        cost: "the graph, its eigenpairs (samples³ for all of them), then for every feature about 10 x samples² operations on the \
               rbf graph of all pairs, and 2 x samples² more for each eigenvalue that may move the other way than most: samples² a \
               feature, as the paper says, where these are few, samples³ at worst. On knn, edges x those eigenvalues that may move \
               either way",
        fails: "The scaling decides: scaled to equal variance every feature costs the same distance, and \
                near-constant features and noise win; on raw data units do. Copies of a feature all rank high. On a \
                graph with more components than `rank` all scores are 0.",
        reference: "Jiang, Ren: Eigenvalue Sensitive Feature Selection, ICML 2011",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        let sigma = match (parameters.real_or_word("sigma"), parameters.text("sigma")) {
            (Some(sigma), _) => Sigma::Given(sigma),
            (None, "grid") => Sigma::Grid,
            (None, "auto") => Sigma::Auto,
            (None, word) => {
                return Err(Error::parameter("sigma", "auto, grid or a number above 0", format!("`{word}`")));
            }
        };
        let similarity = parameters.text("similarity").parse()?;
        let rest = parameters.text("rest").parse()?;
        Ok(Evsc { rank: parameters.whole_or_word("rank"), rest, sigma, similarity, graph })
    }
}

impl Selector for Evsc {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        self.graph.labels()
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        // Where all pairs are joined that is known before the graph is built, which takes long by itself.
        forms::check_rest(self)?;
        let joins_all = self.similarity != Kernel::Rbf || matches!(self.graph, GraphRecipe::Rbf(_));
        let n = data.n_samples();
        if joins_all {
            self.announce(data, n * n.saturating_sub(1) / 2, monitor)?;
        }
        let (graph, slope, widths) = self.similarity(data, monitor)?;
        if !joins_all {
            self.announce(data, graph.diagnostics().edges, monitor)?;
        }
        let modes = Arc::new(Modes::smallest(&graph, self.rank, monitor)?);
        let parameters = self.parameters(&slope, &modes);
        let forms = Forms::of(self, (&graph, slope), &modes, data.n_features())?;
        let note = forms.note(&modes, data, monitor)?;
        let mut scorer = Scorer::on(&graph, Goal::Maximize, parameters, move |columns, monitor| {
            let mut scores = columns.map_blocks("scores", monitor, |block, _| forms.scores(block))?;
            let constant = (0..columns.n_features()).filter(|&j| columns.constant(j));
            constant.for_each(|j| scores[j] = f64::NAN);
            Ok(scores)
        });
        scorer.notes.extend(note);
        if data.scaling() == Scaling::Standard {
            scorer.warnings.push(EQUAL_VARIANCE.to_owned());
        }
        if !widths.is_empty() {
            scorer.details.push(choice_of_width(&widths));
        }
        Ok(scorer.noticing(move |scores| modes.warnings(scores)))
    }
}

/// The table from which σ was chosen.
fn choice_of_width(widths: &[WidthGap]) -> Detail {
    Detail::new("widths", "Choice of σ", "a wider eigengap is better")
        .numbers("sigma", "σ", widths.iter().map(|w| w.sigma))
        .numbers("gap", "gap", widths.iter().map(|w| w.gap))
        .column("chosen", "", Cells::Marks(widths.iter().map(|w| w.chosen).collect()))
}

/// A line of the table from which σ is chosen.
#[derive(Debug, Clone, PartialEq)]
struct WidthGap {
    /// The width of the Gaussian.
    sigma: f64,
    /// The widest gap λ_{k+1} - λ_k of the graph's spectrum, 2 ≤ k ≤ 50; 0 where there is none.
    gap: f64,
    /// Whether this σ was taken.
    chosen: bool,
}

/// A graph, how it depends on the weights of the features, and what its width was chosen by.
type Similar = (Arc<Graph>, Slope, Vec<WidthGap>);

impl Evsc {
    /// An error where the derivatives take more memory than is allowed, and a word where they will take long.
    fn announce(&self, data: &Dataset, edges: usize, monitor: &dyn Monitor) -> Result<()> {
        let (n, m) = (data.n_samples(), data.n_features());
        let pairs = self.rank.unwrap_or(n).min(n);
        let advice = match (self.rank, edges > n * n / 4) {
            (None, _) => "take few eigenvalues (`rank=20`), or use fewer samples",
            (Some(_), true) => "use a knn graph (`graph` knn), which has fewer edges, or fewer samples",
            (Some(_), false) => "use fewer samples",
        };
        // The edges, the eigenvectors in three forms and, for every thread, a matrix to decide which of them move one way
        // only, where that is decided.
        let decided = if PairForms::decides(n, edges, m) { rayon::current_num_threads() } else { 0 };
        let needed = limits::matrices(2, edges, 1)
            .saturating_add(limits::matrices(3, n, pairs))
            .saturating_add(limits::matrices(decided, n, n));
        let what = format!("evsc with {} eigenvalues", limits::grouped(pairs));
        monitor.limits().check(&what, needed, advice)?;
        // Of all eigenvalues of all pairs some must be looked at one by one: hardly any of Gaussian data, a quarter of texts.
        let sums =
            if pairs == n && self.rank.is_none() && edges > n * n / 4 { 16 + pairs / 16 } else { pairs };
        let products = 2.0 * edges as f64 * sums as f64 * m as f64;
        // One thread finds all eigenvectors while the others wait.
        let alone = if pairs == n { (n as f64).powi(3) / CUBES_PER_SECOND } else { 0.0 };
        let seconds = products / PRODUCTS_PER_SECOND + alone * rayon::current_num_threads() as f64;
        announce(monitor, what, seconds, advice);
        Ok(())
    }

    /// The graph, and how it depends on the weights of the features.
    fn similarity(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Similar> {
        if self.similarity == Kernel::Rbf {
            let (graph, widths) = bandwidth::build(&self.graph, self.sigma, data, monitor)?;
            let slope = Slope::of_gaussian(&graph)?;
            return Ok((graph, slope, widths));
        }
        let untouched = matches!(self.graph, GraphRecipe::Rbf(Rbf { bandwidth: Bandwidth::Auto }));
        if !untouched || self.sigma != Sigma::Auto {
            let rule = "`rbf` where a graph, a bandwidth or `sigma` is chosen: the others join all pairs and \
                        have no width";
            return Err(Error::parameter("similarity", rule, self.similarity.name()));
        }
        Ok(match self.similarity {
            Kernel::Dot => (Arc::new(slope::dot_graph(data, monitor)?), Slope::Dot, Vec::new()),
            _ => (Arc::new(slope::euclidean_graph(data, monitor)?), Slope::Euclidean, Vec::new()),
        })
    }

    /// What was asked, and what was chosen.
    fn parameters(&self, slope: &Slope, modes: &Modes) -> Parameters {
        let mut parameters = Parameters::default();
        match self.rank {
            Some(_) => parameters.set("rank", modes.rank()),
            None => parameters.set("rank", "all"),
        }
        parameters.set("rest", self.rest.name());
        parameters.set("similarity", self.similarity.name());
        if let Slope::Gaussian { scale } = slope {
            parameters.set("sigma", (scale / 2.0).sqrt());
        }
        parameters
    }
}
