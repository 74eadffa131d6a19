//! Many sample graphs into one: S = Σ α_i S_i (DIS 5.2, MSFS).
//!
//! Every S_i is first scaled to a mean degree of 1, so that α_i is what its source contributes,
//! whatever its units and however many edges it has; Σ α_i = 1. `AsPrinted` leaves both out.
//!
//! | [`Coefficients`] | α |
//! |---|---|
//! | `Equal` | 1/number of sources |
//! | `Given` | as given, divided by their sum |
//! | `Aligned` | learned from labels by centered kernel alignment |
//! | `AsPrinted` | as given, on every S_i as it came (DIS 5.2 to the letter) |
//!
//! # When it fails
//! Equal weights let a source that misleads spoil the others. Learned weights follow the labels, and
//! with few of them also their accidents; a source made from the same labels takes all weight. As printed, a
//! dense source outweighs a sparse one whatever its α: look at the share of each.

use std::sync::Arc;

use super::alignment::learn;
use super::products::Products;
use super::{check_weights, label_graph};
use crate::dataset::Labels;
use crate::graph::Graph;
use crate::monitor::Monitor;
use crate::{Error, Result};

/// Agreement with the labels above which a source is taken to be made of them.
const SAME_AS_LABELS: f64 = 0.999;
/// What is left of a sum with signs, below which scaling by it means nothing.
const CANCELLED: f64 = 1e-3;

/// A source of knowledge as a graph on the samples of the target.
#[derive(Debug, Clone)]
pub struct Source {
    /// What the user calls it.
    pub name: String,
    /// Its similarity.
    pub graph: Arc<Graph>,
}

/// Where the α come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Coefficients {
    /// All the same.
    #[default]
    Equal,
    /// Given, 0 or more.
    Given(Vec<f64>),
    /// Learned from the labels.
    Aligned,
    /// Given, 0 or more, and the graphs as they came: Σ α_i S_i to the letter.
    AsPrinted(Vec<f64>),
}

impl Coefficients {
    /// The same weights for graphs that are left as they came.
    ///
    /// # Errors
    /// [`Error::Parameter`] where they are learned: that is done on scaled graphs.
    pub fn as_printed(self, sources: usize) -> Result<Self> {
        match self {
            Coefficients::Equal => Ok(Coefficients::AsPrinted(vec![1.0 / sources as f64; sources])),
            Coefficients::Given(weights) => Ok(Coefficients::AsPrinted(weights)),
            Coefficients::Aligned => {
                let rule = "true where weights are learned; give weights, or equal ones, to leave graphs as they are";
                Err(Error::parameter("normalize", rule, "false"))
            }
            printed @ Coefficients::AsPrinted(_) => Ok(printed),
        }
    }
}

/// What a source contributes and how it agrees with the rest.
#[derive(Debug, Clone)]
pub struct Share {
    /// The source, its graph as it came.
    pub source: Source,
    /// What its graph was multiplied by to have mean degree 1; 1 where it was left as it came.
    pub scale: f64,
    /// Its share of the sum: α, and of graphs that were left as they came α times the sum of the magnitudes,
    /// over that of all.
    pub weight: f64,
    /// Centered alignment with every source in order, itself (1) included; from -1 to 1.
    pub agreement: Vec<f64>,
    /// Centered alignment with the labels, over the labeled samples.
    pub with_labels: Option<f64>,
}

/// A combination of sources.
#[derive(Debug, Clone)]
pub struct Fusion {
    /// Σ α_i S_i.
    pub graph: Arc<Graph>,
    /// The sources.
    pub shares: Vec<Share>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The name of the labels that the weights were learned from, where they were.
    pub learned_from: Option<String>,
}

/// Combines sources; `labels`, where there are any, tell how well each agrees with them.
///
/// ```
/// use fiedler::fusion::{Coefficients, Source, combine};
/// use fiedler::{GraphRecipe, Silent, dataset::demo};
///
/// let iris = demo::iris()?;
/// let near = GraphRecipe::default().build(&iris, &Silent)?;
/// let rbf = GraphRecipe::Rbf(Default::default()).build(&iris, &Silent)?;
/// let sources = [("near", near), ("rbf", rbf)].map(|(name, graph)| Source { name: name.into(), graph });
/// let fusion = combine(&sources, &Coefficients::Aligned, iris.labels(), &Silent)?;
/// assert!((fusion.shares.iter().map(|s| s.weight).sum::<f64>() - 1.0).abs() < 1e-12);
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] when there are no sources or weights do not suit, [`Error::Length`] when the
/// samples do not match, [`Error::Source`] for a graph whose volume is 0 or cancels, or when no source
/// agrees with the labels, [`Error::LabelsMissing`] or [`Error::OneClass`] when weights are to be learned
/// without, [`Error::Canceled`].
pub fn combine(
    sources: &[Source],
    coefficients: &Coefficients,
    labels: Option<&Labels>,
    monitor: &dyn Monitor,
) -> Result<Fusion> {
    let scale = |s: &Source| match coefficients {
        Coefficients::AsPrinted(_) => Ok(1.0),
        _ => unit_mean_degree(&s.name, &s.graph),
    };
    let scales = sources.iter().map(scale).collect::<Result<Vec<f64>>>()?;
    let graphs: Vec<&Graph> = sources.iter().map(|s| &*s.graph).collect();
    let n = check_samples(sources, labels)?;
    let with_labels = labels.filter(|l| l.codes().iter().any(Option::is_some));
    let labeled = with_labels.map(|l| against_labels(&graphs, &scales, l, monitor)).transpose()?.flatten();
    let among = match &labeled {
        // Over all samples already, with the labels as one more.
        Some(products) if with_labels.is_some_and(|l| l.codes().iter().all(Option::is_some)) => {
            products.clone()
        }
        _ => Products::new(&graphs, &scales, &(0..n).collect::<Vec<_>>(), monitor)?,
    };
    let mut notes = Vec::new();
    let weights = match coefficients {
        Coefficients::Equal => vec![1.0; sources.len()],
        Coefficients::Given(weights) | Coefficients::AsPrinted(weights) => weights.clone(),
        Coefficients::Aligned => {
            let what = "learning the weights of sources";
            let labels = with_labels.ok_or(Error::LabelsMissing { what })?;
            let products = labeled.as_ref().ok_or_else(|| one_class(what, labels))?;
            notes.extend(taken_from_labels(sources, products));
            learn(products).ok_or_else(|| nothing_agrees(sources, products))?
        }
    };
    check_weights(&weights, sources.len())?;
    let (factors, parts) = shares_of(&weights, &scales, &graphs, coefficients);
    let share = |i: usize| Share {
        source: sources[i].clone(),
        scale: scales[i],
        weight: parts[i],
        agreement: (0..sources.len()).map(|j| among.alignment(i, j)).collect(),
        with_labels: labeled.as_ref().map(|p| p.alignment(i, sources.len())),
    };
    let shares: Vec<Share> = (0..sources.len()).map(share).collect();
    let used = sources.iter().zip(&factors).filter(|(_, factor)| **factor > 0.0);
    let parts = used.map(|(source, factor)| (*factor, Arc::clone(&source.graph))).collect();
    let learned = matches!(coefficients, Coefficients::Aligned).then_some(labels).flatten();
    let learned_from = learned.map(|labels| labels.name().to_owned());
    Ok(Fusion { graph: Arc::new(Graph::sum(parts)?), shares, notes, learned_from })
}

/// What every graph is multiplied by, and what share of the sum it then is.
fn shares_of(
    weights: &[f64],
    scales: &[f64],
    graphs: &[&Graph],
    coefficients: &Coefficients,
) -> (Vec<f64>, Vec<f64>) {
    let shares = |parts: &[f64]| {
        let total: f64 = parts.iter().sum();
        parts.iter().map(|part| if total > 0.0 { part / total } else { 0.0 }).collect::<Vec<f64>>()
    };
    if let Coefficients::AsPrinted(_) = coefficients {
        let parts: Vec<f64> = weights.iter().zip(graphs).map(|(w, g)| w * g.absolute_volume()).collect();
        return (weights.to_vec(), shares(&parts));
    }
    let shares = shares(weights);
    (shares.iter().zip(scales).map(|(share, scale)| share * scale).collect(), shares)
}

/// The factor that makes the mean degree 1.
pub(super) fn unit_mean_degree(name: &str, graph: &Graph) -> Result<f64> {
    // A sum of no numbers is -0, which nobody wants to read.
    let (volume, absolute) = (graph.volume() + 0.0, graph.absolute_volume());
    let what = if !(volume > 0.0 && volume.is_finite()) {
        format!("its similarities add up to {volume}, so it cannot be scaled; they must be positive")
    } else if volume < CANCELLED * absolute {
        format!(
            "its positive and negative similarities cancel (they add up to {volume:.1e}, without signs to \
             {absolute:.1e}); shift them or give an uncentered kernel"
        )
    } else {
        return Ok(graph.n_samples() as f64 / volume);
    };
    Err(Error::Source { source_name: name.to_owned(), what })
}

fn check_samples(sources: &[Source], labels: Option<&Labels>) -> Result<usize> {
    let Some(first) = sources.first() else {
        return Err(Error::parameter("sources", "a list of at least one source", "an empty list"));
    };
    let expected = first.graph.n_samples();
    let counts = sources.iter().map(|s| s.graph.n_samples()).chain(labels.map(Labels::len));
    match counts.into_iter().find(|&got| got != expected) {
        Some(got) => Err(Error::Length { what: "samples of a source", expected, got }),
        None => Ok(expected),
    }
}

/// The products over the labeled samples with the label graph as the last one, where there are
/// two classes.
fn against_labels(
    graphs: &[&Graph],
    scales: &[f64],
    labels: &Labels,
    monitor: &dyn Monitor,
) -> Result<Option<Products>> {
    if labels.classes().len() < 2 {
        return Ok(None);
    }
    let chosen: Vec<usize> = (0..labels.len()).filter(|&i| labels.codes()[i].is_some()).collect();
    // Those without a label form a class of their own, which is then left out.
    let text = |code: &Option<u32>| code.map_or("-".to_owned(), |c| (c + 1).to_string());
    let target = label_graph(&Labels::new(labels.codes().iter().map(|c| Some(text(c)))))?;
    let graphs: Vec<&Graph> = graphs.iter().copied().chain([&target]).collect();
    let scales: Vec<f64> = scales.iter().copied().chain([1.0]).collect();
    Products::new(&graphs, &scales, &chosen, monitor).map(Some)
}

fn one_class(what: &'static str, labels: &Labels) -> Error {
    Error::OneClass { what, class: labels.classes().first().cloned().unwrap_or_default() }
}

fn taken_from_labels(sources: &[Source], products: &Products) -> Vec<String> {
    let same = (0..sources.len()).filter(|&i| products.alignment(i, sources.len()) > SAME_AS_LABELS);
    same.map(|i| {
        format!(
            "{} says what the labels say, so weights learned from them go to it alone; leave it out or give weights",
            sources[i].name
        )
    })
    .collect()
}

fn nothing_agrees(sources: &[Source], products: &Products) -> Error {
    let best = (0..sources.len()).map(|i| products.alignment(i, sources.len())).fold(-1.0, f64::max);
    let what = format!(
        "no source agrees with the labels (largest alignment {best:.3}), so no weights can be learned; \
         give weights or use equal ones"
    );
    Error::Source { source_name: "the sources together".to_owned(), what }
}
