//! HSIC, the Hilbert-Schmidt independence criterion (DIS 3.23).
//!
//! # What it measures
//! How strongly a feature (or a set of features) and a similarity of the samples depend on each
//! other: large where samples with similar values are similar. With the label graph, the
//! default, it asks for features that depend on the class, or on the number to be predicted.
//!
//! # Formula
//! ```text
//! HSIC(A, K) = [tr(AK) + 1ᵀA1 · 1ᵀK1 / ((n-1)(n-2)) - 2/(n-2) · 1ᵀAK1] / (n(n-3))
//! ```
//! the unbiased estimate, A and K with zeros on the diagonal. K is the graph; where a number y is to be predicted and the
//! graph is that of the labels, K_ij = exp(-(y_i-y_j)²/2σ_y²) with 2σ_y² the median of (y_i-y_j)², i < j (their mean where
//! the median is 0). A is
//!
//! | search | A | score |
//! |---|---|---|
//! | `linear` | ffᵀ, feature by feature | HSIC |
//! | `forward` (FOHSIC) | exp(-Σ_sel (f_i-f_j)²/2σ²), the selected set growing | HSIC with it, order of choice |
//! | `backward` (BAHSIC) | the same, the set shrinking from all features | HSIC up to it, order of choice |
//!
//! Larger is better. The HSIC of the growing or shrinking set rises and falls, so the order of a search is that of choice, and
//! the score of a feature tells what was measured: the HSIC of it and the features before it. Forward search
//! adds the feature that raises HSIC most, `count` times, and ranks the others by what each would give if it came next,
//! which is their score. Backward search drops the features that are missed least, a tenth at a time until `count`
//! are left and then one by one.
//!
//! # Symbols → code
//! K [`Graph`](crate::graph::Graph), its diagonal removed; linear [`Form::Hsic`]; the searches
//! `search::Search`. σ of a set of s features: given and fixed, or automatic,
//! 2σ² = s/m · median of the squared distances over all m features that vary (their mean where the
//! median is 0), so that it is the median rule for the full set and a smaller set has a smaller σ.
//!
//! # Cost
//! Linear: the graph, then edges × features; of a number, n² × features and n² memory. Forward: `count` × m × n² exponentials. Backward:
//! about 10 × m × n², and `count`² × n² for the last. Both keep two triangles of n²/2 numbers.
//!
//! # When it fails
//! The linear kernel sees linear dependence only and judges features one by one: copies of a
//! good feature all rank high. Without scaling, the largest unit wins. The searches are greedy.
//!
//! # Differences from the paper
//! The dissertation's 3.23 lost the minus before 2/(n-2). Song et al. fix 2σ² at twice the number of
//! features, which is the same rule for standardized independent features.
//!
//! # References
//! Song, Smola, Gretton, Bedo, Borgwardt: Feature Selection via Dependence Maximization,
//! JMLR 13, 2012.

mod search;

use std::sync::Arc;

use crate::afar::Remade;
use crate::criterion::{Criterion, Form};
use crate::dataset::{Dataset, Dense, Order, Scaling, Target};
use crate::graph::{Bandwidth, Graph, GraphRecipe, Rbf, dense};
use crate::monitor::Monitor;
use crate::parameters::{Kind, ParameterInfo, ParameterValue, Parameters, Role};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, Judges, LabelUse, Method, MethodInfo, Scorer, Selector, Supervision};
use crate::{Error, Result};

/// Feature selection by HSIC.
///
/// ```
/// use fiedler::{Selector, dataset::demo, methods::{Hsic, HsicSearch}};
///
/// let iris = demo::iris()?;
/// let ranking = Hsic::default().rank(&iris)?;
/// assert_eq!(ranking.order()[..2], [2, 3]); // the petals depend on the species
/// let ranking = Hsic { search: HsicSearch::Forward { count: 2 }, ..Hsic::default() }.rank(&iris)?;
/// assert_eq!(ranking.order()[..2], [2, 3]);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hsic {
    /// K, the similarity to depend on.
    pub graph: GraphRecipe,
    /// How features are judged.
    pub search: HsicSearch,
    /// σ of the kernel of a set of features; the linear kernel has none.
    pub sigma: Bandwidth,
}

/// How HSIC judges features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HsicSearch {
    /// One by one, with the linear kernel.
    #[default]
    Linear,
    /// Together, with the RBF kernel: the best next feature, `count` times.
    Forward {
        /// How many are chosen; the others follow by what each would add.
        count: usize,
    },
    /// Together, with the RBF kernel: the least useful features go first.
    Backward {
        /// How many remain when features begin to go one by one.
        count: usize,
    },
}

impl Default for Hsic {
    fn default() -> Self {
        Self::usual()
    }
}

/// The linear form, on a graph without its diagonal.
const CRITERION: Criterion =
    Criterion { numerator: Form::Hsic, denominator: Form::One, goal: Goal::Maximize };

impl Method for Hsic {
    const INFO: MethodInfo = MethodInfo {
        name: "hsic",
        title: "HSIC",
        measures: "How strongly a feature depends on a similarity of the samples, by default on the classes or the \
                   number to be predicted: large where samples with similar values are similar.",
        formula: "[tr(AK) + 1ᵀA1·1ᵀK1/((n-1)(n-2)) - 2/(n-2)·1ᵀAK1] / (n(n-3)),  A = ffᵀ, diagonals 0",
        goal: Goal::Maximize,
        supervision: Supervision::Optional,
        takes_number: true,
        judges: Judges::OneByOne,
        graph: GraphUse::Labels,
        scaling: Scaling::Standard,
        parameters: &[
            ParameterInfo {
                name: "search",
                kind: Kind::Choice(&["linear", "forward", "backward"]),
                default: ParameterValue::word("linear"),
                role: Role::Own,
                only_with: None,
                help: "one by one with the linear kernel, or together with the RBF kernel, adding or dropping",
            },
            ParameterInfo {
                name: "count",
                kind: Kind::Integer { min: 1, max: usize::MAX },
                default: ParameterValue::Integer(10),
                role: Role::Count,
                only_with: None,
                help: "how many features forward and backward search order with care",
            },
            ParameterInfo {
                name: "sigma",
                kind: Kind::RealOr { min: f64::MIN_POSITIVE, max: f64::MAX, words: &["auto"] },
                default: ParameterValue::word("auto"),
                role: Role::Own,
                only_with: None,
                help: "width of the RBF kernel of forward and backward search",
            },
        ],
        cost: "linear: the graph, then edges x features (of a number: samples² x features); forward: count x features x samples²; \
               backward: 10 x features x samples²",
        fails: "The linear kernel sees linear dependence only and judges features one by one. The searches \
                are greedy and slow.",
        reference: "Song, Smola, Gretton, Bedo, Borgwardt: Feature Selection via Dependence Maximization, \
                    JMLR 13, 2012",
    };

    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self> {
        let count = parameters.whole("count");
        let search = match parameters.text("search") {
            "linear" => HsicSearch::Linear,
            "forward" => HsicSearch::Forward { count },
            "backward" => HsicSearch::Backward { count },
            word => {
                return Err(Error::parameter("search", "linear, forward or backward", format!("`{word}`")));
            }
        };
        let sigma = parameters.real_or_word("sigma").map_or(Bandwidth::Auto, Bandwidth::Given);
        Ok(Hsic { graph, search, sigma })
    }
}

impl Selector for Hsic {
    fn info(&self) -> &'static MethodInfo {
        &Self::INFO
    }

    fn labels(&self) -> LabelUse {
        self.graph.labels()
    }

    fn takes_number(&self) -> bool {
        matches!(self.graph, GraphRecipe::Labels)
    }

    fn taking_numbers(&self) -> Option<(&'static str, &'static str)> {
        Some(("graph", "labels"))
    }

    fn judges(&self) -> Judges {
        if self.search == HsicSearch::Linear { Judges::OneByOne } else { Judges::Together }
    }

    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        if self.search != HsicSearch::Linear {
            return Err(Error::JudgesTogether { method: Self::INFO.name });
        }
        let graph = self.graph(data, monitor)?;
        let mut parameters = Parameters::default();
        parameters.set("search", "linear");
        let hollow = graph.without_diagonal();
        let shared = Arc::clone(&hollow);
        let scores =
            move |columns: &Dataset, monitor: &dyn Monitor| CRITERION.scores(columns, &shared, monitor);
        let scorer = Scorer::on(&graph, CRITERION.goal, parameters, scores);
        Ok(scorer.remade_on(Remade::Criterion(CRITERION), hollow))
    }

    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        match self.search {
            HsicSearch::Linear => self.scorer(data, monitor)?.rank(self.info(), data, monitor),
            HsicSearch::Forward { count } | HsicSearch::Backward { count } => {
                self.rank_search(data, &self.graph(data, monitor)?, count, monitor)
            }
        }
    }
}

impl Hsic {
    /// K, once the question is checked.
    fn graph(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Arc<Graph>> {
        let n = data.n_samples();
        if n < 4 {
            return Err(Error::TooFewSamples { what: "HSIC", needed: 4, got: n });
        }
        self.check_sigma()?;
        if data.target().is_none() {
            return self.graph.build(data, monitor);
        }
        number_graph(data.number(Self::INFO.name)?, monitor)
    }

    fn check_sigma(&self) -> Result<()> {
        match (self.sigma, self.search) {
            (Bandwidth::Given(sigma), HsicSearch::Linear) => Err(Error::parameter(
                "sigma",
                "`auto` where the search is linear, for it has no width",
                sigma,
            )),
            (Bandwidth::Given(sigma), _) if !(sigma.is_finite() && sigma > 0.0) => {
                Err(Error::parameter("sigma", "`auto` or a number above 0", sigma))
            }
            _ => Ok(()),
        }
    }

    fn rank_search(
        &self,
        data: &Dataset,
        graph: &Arc<Graph>,
        count: usize,
        monitor: &dyn Monitor,
    ) -> Result<Ranking> {
        if count == 0 {
            return Err(Error::parameter("count", "at least 1", count));
        }
        let search = search::Search::new(data, graph, self.sigma, monitor)?;
        let (search_name, chosen) = match self.search {
            HsicSearch::Backward { .. } => ("backward", search.backward(count)?),
            _ => ("forward", search.forward(count)?),
        };
        let (name, m) = (Self::INFO.name, data.n_features());
        let measured = "HSIC of it and those before it";
        let mut ranking = Ranking::of_choices(name, Goal::Maximize, m, &chosen, measured).on(graph);
        let count = count.min(chosen.len());
        ranking.parameters.set("search", search_name);
        ranking.parameters.set("count", count);
        ranking.parameters.set("sigma", search.sigma(count));
        Ok(ranking)
    }
}

/// K of a number: the Gaussian kernel of its differences, with the width of the median rule.
fn number_graph(target: &Target, monitor: &dyn Monitor) -> Result<Arc<Graph>> {
    let (unit, n) = (target.unit(), target.len());
    let advice = "use `correlation` or `relieff`, which need no table of pairs, or fewer samples";
    dense::check_size_or("the kernel of the target", n, 3, (monitor, advice))?;
    let square = |i: usize, j: usize| (unit[i] - unit[j]) * (unit[i] - unit[j]);
    let squares: Vec<f64> =
        (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| square(i, j)).collect();
    let bandwidth = Bandwidth::Given((0.5 * search::typical(&squares)).sqrt());
    let y = Dataset::new(Dense::new(unit, n, 1, Order::ColumnMajor)?)?.scaled(Scaling::None);
    let note = "hsic compares features with the Gaussian kernel of the target; the rbf graph is that kernel";
    Ok(Arc::new(Rbf { bandwidth }.build(&y, monitor)?.noted([note.to_owned()])))
}
