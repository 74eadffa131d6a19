//! How the distance of two samples is measured: the one list of metrics, each with its description and with
//! what the searches need to know of it.
//!
//! A metric adds up the squares or the magnitudes of differences, of the samples as they are or brought to one
//! length: 1 - cos(x, y) = ½‖x/‖x‖ - y/‖y‖‖². Searches ask for these two facts, never for a metric by
//! name, so a new metric made of them is an entry of the list below. A metric that looks at the data as a whole puts them into other
//! coordinates first ([`MetricChoice::fitted`]).

use std::str::FromStr;

use super::mahalanobis;
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::parameters::words;
use crate::{Error, Result};

/// Everything there is to say about a metric.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct MetricInfo {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// What it measures, in a sentence for someone who does not know it.
    pub measures: &'static str,
    /// The distance of samples x and y, in Unicode.
    pub formula: &'static str,
    /// When it fails or misleads.
    pub fails: &'static str,
    /// What is added up over the features.
    pub(crate) adds: Adds,
    /// Whether samples are brought to one length first, so that angles alone count.
    pub(crate) angles: bool,
}

/// What a metric adds up over the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adds {
    /// (xₜ - yₜ)², by matrix products.
    Squares,
    /// |xₜ - yₜ|.
    Magnitudes,
}

/// From the list of metrics: the names, and what each of them is.
macro_rules! metrics {
    ($($(#[$doc:meta])* $metric:ident = $name:literal { $($fact:ident: $value:expr),+ $(,)? })+) => {
        /// How the distance of two samples is measured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
        pub enum Metric {
            $($(#[$doc])* $metric,)+
        }

        words!(Metric, "metric", $($metric = $name),+);

        impl Metric {
            /// All metrics.
            pub const ALL: &'static [Metric] = &[$(Metric::$metric),+];

            /// The names, and before them that of the choice by the data: see [`MetricChoice`].
            pub const CHOICES: &'static [&'static str] = &["auto", $($name),+];

            /// The description of the metric.
            pub const fn info(self) -> MetricInfo {
                match self {
                    $(Metric::$metric => MetricInfo { name: $name, $($fact: $value),+ },)+
                }
            }
        }
    };
}

metrics! {
    /// ‖x - y‖₂.
    #[default]
    Euclidean = "euclidean" {
        measures: "The straight line between two samples.",
        formula: "‖x - y‖₂ = √Σ (xₜ - yₜ)²",
        fails: "Where one feature has a much larger unit than the others and is not scaled.",
        adds: Adds::Squares,
        angles: false,
    }
    /// 1 - cosine of the angle; a sample of zeros is at distance 1 from all others.
    Cosine = "cosine" {
        measures: "The angle between two samples, whatever their lengths: for counts of words or of molecules.",
        formula: "1 - x·y / (‖x‖ ‖y‖), and 1 where one of them is all zeros",
        fails: "Where the zero of a feature means nothing: centered data have other angles.",
        adds: Adds::Squares,
        angles: true,
    }
    /// ‖x - y‖₁.
    Manhattan = "manhattan" {
        measures: "The sum of all differences, in which a few large ones weigh less.",
        formula: "‖x - y‖₁ = Σ |xₜ - yₜ|",
        fails: "As euclidean does, and it costs more on dense data.",
        adds: Adds::Magnitudes,
        angles: false,
    }
    /// √((x - y)ᵀC⁻¹(x - y)), C the covariance of the features, shrunk as Ledoit and Wolf do.
    Mahalanobis = "mahalanobis" {
        measures: "The straight line after the covariance of the features is taken out: directions in which samples \
                   spread widely count less, and features that say the same count once.",
        formula: "√((x - y)ᵀC⁻¹(x - y)), C = (1-ρ)·covariance + ρ·its mean variance, ρ of Ledoit and Wolf",
        fails: "Where the widest directions are those that part the groups: they count as little as noise. It costs an \
                eigendecomposition, of features or of samples, whichever are fewer.",
        adds: Adds::Squares,
        angles: false,
    }
}

/// How distance is measured: by a metric of the user's, or by one that suits the data.
///
/// ```
/// use fiedler::graph::{Metric, MetricChoice};
///
/// assert_eq!("auto".parse::<MetricChoice>()?, MetricChoice::Auto);
/// assert_eq!("cosine".parse::<MetricChoice>()?, MetricChoice::from(Metric::Cosine));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MetricChoice {
    /// [`Metric::Cosine`] where the data are taken as ranks, are not negative and are mostly zeros, as counts of words and
    /// of molecules: the angles between ranks that are counted from that of zero. Else [`Metric::Euclidean`].
    #[default]
    Auto,
    /// This one.
    Given(Metric),
}

impl MetricChoice {
    /// The metric, and the data that it looks at.
    pub(crate) fn fitted(self, data: &Dataset, monitor: &dyn Monitor) -> Result<Looked> {
        Ok(match self {
            MetricChoice::Given(metric @ Metric::Mahalanobis) => {
                let (turned, shrinkage) = mahalanobis::whitened(data, monitor)?;
                Looked { metric, data: Some(turned), shrinkage: Some(shrinkage) }
            }
            MetricChoice::Given(metric) => Looked { metric, data: None, shrinkage: None },
            MetricChoice::Auto => match data.ranks_from_zero(monitor)? {
                Some(ranks) => Looked { metric: Metric::Cosine, data: Some(ranks), shrinkage: None },
                None => Looked { metric: Metric::Euclidean, data: None, shrinkage: None },
            },
        })
    }
}

/// A metric on some data.
pub(crate) struct Looked {
    /// The metric.
    pub(crate) metric: Metric,
    /// The data in the coordinates that it looks at, where those are not the data as they are.
    pub(crate) data: Option<Dataset>,
    /// How much the covariance was shrunk, where one is looked at.
    pub(crate) shrinkage: Option<f64>,
}

impl From<Metric> for MetricChoice {
    fn from(metric: Metric) -> Self {
        MetricChoice::Given(metric)
    }
}

impl FromStr for MetricChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" { Ok(MetricChoice::Auto) } else { text.parse().map(MetricChoice::Given) }
    }
}

impl Metric {
    /// Whether distances are kept as squares while neighbors are searched: the order is the same, and no root
    /// is taken in vain.
    fn keeps_squares(self) -> bool {
        let info = self.info();
        info.adds == Adds::Squares && !info.angles
    }

    /// The square of a distance as a search returns it.
    pub(crate) fn square(self, found: f64) -> f64 {
        if self.keeps_squares() { found } else { found * found }
    }

    /// A distance as a search returns it, as the formula of the metric tells it.
    pub(crate) fn length(self, found: f64) -> f64 {
        if self.keeps_squares() { found.sqrt() } else { found }
    }

    /// What one feature adds to the sum of a pair from which [`exact`](super::neighbors) distances come.
    pub(crate) fn term(self) -> Term {
        match self.info() {
            MetricInfo { angles: true, .. } => Term::Product,
            MetricInfo { adds: Adds::Squares, .. } => Term::Square,
            MetricInfo { adds: Adds::Magnitudes, .. } => Term::Magnitude,
        }
    }
}

/// What one feature adds to the sum of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Term {
    /// a·b.
    Product,
    /// (a - b)².
    Square,
    /// |a - b|.
    Magnitude,
}

impl Term {
    /// The term of these two values.
    #[inline(always)]
    pub(crate) fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Term::Product => a * b,
            Term::Square => (a - b) * (a - b),
            Term::Magnitude => (a - b).abs(),
        }
    }
}
