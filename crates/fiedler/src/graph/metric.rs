//! How the distance of two samples is measured.

use crate::parameters::words;

/// How the distance of two samples is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Metric {
    /// ‖x - y‖₂.
    #[default]
    Euclidean,
    /// 1 - cosine of the angle; a sample of zeros is at distance 1 from all others.
    Cosine,
    /// ‖x - y‖₁.
    Manhattan,
}

words!(Metric, "metric", Euclidean = "euclidean", Cosine = "cosine", Manhattan = "manhattan");

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
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 3] = [Metric::Euclidean, Metric::Cosine, Metric::Manhattan];

    /// The description of the metric.
    pub fn info(self) -> MetricInfo {
        let name = self.name();
        match self {
            Metric::Euclidean => MetricInfo {
                name,
                measures: "The straight line between two samples.",
                formula: "‖x - y‖₂ = √Σ (xₜ - yₜ)²",
                fails: "Where one feature has a much larger unit than the others and is not scaled.",
            },
            Metric::Cosine => MetricInfo {
                name,
                measures: "The angle between two samples, whatever their lengths: for counts of words or of molecules.",
                formula: "1 - x·y / (‖x‖ ‖y‖), and 1 where one of them is all zeros",
                fails: "Where the zero of a feature means nothing: centered data have other angles.",
            },
            Metric::Manhattan => MetricInfo {
                name,
                measures: "The sum of all differences, in which a few large ones weigh less.",
                formula: "‖x - y‖₁ = Σ |xₜ - yₜ|",
                fails: "As euclidean does, and it costs more on dense data.",
            },
        }
    }
}
