//! The samples in the leading eigenvectors of their graph, and what each of these parts.

use super::Drawn;
use crate::dataset::{Dataset, Labels};
use crate::findings::GraphSummary;
use crate::graph::Graph;
use crate::monitor::Monitor;
use crate::spectrum::Spectrum;
use crate::{Error, Result};

/// Eigenpairs that are computed: enough to see a gap.
const PAIRS: usize = 12;
/// Eigenvectors that are drawn and that features are compared with, the trivial one not counted.
pub(super) const AXES: usize = 6;
/// Bins of the histogram of degrees.
const DEGREE_BINS: usize = 24;
/// Components whose sizes are told.
const COMPONENTS: usize = 12;
/// An eigenvector follows the classes where they explain so much of its variance.
const FOLLOWS_CLASSES: f64 = 0.4;
/// A cut parts classes where no more samples are on the wrong side than this share of the smaller one.
const MISPLACED: f64 = 0.2;
/// Pairs of a graph through landmarks that are looked at one by one, at most.
const MOST_EDGES: usize = 50_000_000;
/// Classes that are named on the smaller side of a parting at most.
const NAMED: usize = 3;
/// An eigenvector parts the samples where its widest gap is so much of its range.
const PARTS: f64 = 0.15;

/// The samples in the leading eigenvectors of a graph.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Map {
    /// The smallest eigenvalues of the normalized Laplacian, the trivial 0 first.
    pub eigenvalues: Vec<f64>,
    /// How many clusters they suggest: the widest gap follows that eigenvalue.
    pub eigengap: Option<usize>,
    /// The eigenvectors after the trivial one.
    pub axes: Vec<Axis>,
    /// Into how many pieces the graph falls: an eigenvector is the same number on all of a piece, or nearly.
    pub components: usize,
}

/// An eigenvector.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Axis {
    /// Which one, from 1, which is the trivial one.
    pub pair: usize,
    /// Its eigenvalue.
    pub eigenvalue: f64,
    /// D^-½ξ at the samples that are drawn, the largest of all samples 1 in size.
    pub coordinates: Vec<f64>,
    /// What it parts.
    pub parts: Parts,
}

/// What an eigenvector parts, by a plain rule.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Parts {
    /// Some classes from the others: the classes explain at least 40 % of its variance, its widest gap between class
    /// means has these, the fewer, on one side, and a cut has hardly a sample on the wrong side: at most a fifth of the smaller
    /// side.
    Classes {
        /// The classes.
        classes: Vec<String>,
        /// How much of its variance the classes explain.
        explained: f64,
    },
    /// None in particular, yet the classes follow one another along it: they explain at least 40 % of its variance, and no cut
    /// has some of them on one side and all others on the other.
    Ordered {
        /// The class at the low end.
        low: String,
        /// The class at the high end.
        high: String,
        /// How much of its variance the classes explain.
        explained: f64,
    },
    /// Many classes from many others.
    ManyClasses {
        /// How many on the side that has fewer.
        fewer: usize,
        /// How many there are.
        classes: usize,
        /// How much of its variance the classes explain.
        explained: f64,
    },
    /// So many samples from the others: its widest gap is at least 15 % of its range.
    Samples {
        /// How many, the fewer.
        samples: usize,
    },
    /// None: it runs from one sample to another without a gap.
    Gradient {
        /// The sample at the low end.
        low: usize,
        /// The sample at the high end.
        high: usize,
    },
}

/// What the graph of a picture is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphPortrait {
    /// Its kind, its parameters, its vital signs.
    pub summary: GraphSummary,
    /// Samples per component, most first, the largest dozen.
    pub component_sizes: Vec<usize>,
    /// How many samples have a degree in each of equal parts of the range.
    pub degree_counts: Vec<usize>,
    /// How many features it was made of, in even steps, where it was made for the picture alone and not of all.
    pub features: Option<usize>,
    /// The share of its edges between labeled samples that join two of one class, and what it would be by chance, where there are
    /// two classes or more.
    #[cfg_attr(feature = "serde", serde(default))]
    pub same_class: Option<(f64, f64)>,
}

/// The pairs of a picture; `None` where the graph is too small or the solver does not get there, for a report stands
/// without.
pub(super) fn leading(graph: &Graph, monitor: &dyn Monitor) -> Result<Option<Spectrum>> {
    let pairs = PAIRS.min(graph.n_samples());
    match Spectrum::leading(graph, pairs, monitor) {
        Err(Error::Canceled) => Err(Error::Canceled),
        found => Ok(found.ok().filter(|s| s.len() > 1)),
    }
}

impl Map {
    pub(super) fn of(graph: &Graph, spectrum: &Spectrum, data: &Dataset, samples: &Drawn) -> Self {
        let axes = 1..spectrum.len().min(AXES + 1);
        // A graph of the drawn samples alone has numbers of its own for them.
        let is_whole = graph.n_samples() == data.n_samples();
        let labels = if is_whole { data.labels().cloned() } else { samples.own_labels() };
        let places =
            if is_whole { samples.indices.clone() } else { (0..samples.indices.len()).collect::<Vec<_>>() };
        let axis = |j| {
            let axis = Axis::of(graph, spectrum, j, labels.as_ref(), &places);
            if is_whole { axis } else { Axis { parts: axis.parts.renumbered(&samples.indices), ..axis } }
        };
        Map {
            eigenvalues: spectrum.values().to_vec(),
            eigengap: spectrum.eigengap(),
            axes: axes.map(axis).collect(),
            components: graph.components().iter().max().map_or(0, |c| c + 1),
        }
    }
}

impl Axis {
    fn of(graph: &Graph, spectrum: &Spectrum, j: usize, labels: Option<&Labels>, drawn: &[usize]) -> Self {
        let vector: Vec<f64> = spectrum.vectors().col(j).iter().copied().collect();
        let walk = |(v, d): (&f64, &f64)| if *d > 0.0 { v / d.sqrt() } else { 0.0 };
        let mut all: Vec<f64> = vector.iter().zip(graph.degrees()).map(walk).collect();
        let largest = all.iter().fold(0.0f64, |a, v| a.max(v.abs()));
        if largest > 0.0 {
            all.iter_mut().for_each(|v| *v /= largest);
        }
        Axis {
            pair: j + 1,
            eigenvalue: spectrum.values()[j],
            coordinates: drawn.iter().map(|&i| all[i]).collect(),
            parts: Parts::of(&all, labels),
        }
    }
}

impl Parts {
    /// What a vector over all samples parts.
    pub(super) fn of(vector: &[f64], labels: Option<&Labels>) -> Self {
        labels.and_then(|labels| Self::by_class(vector, labels)).unwrap_or_else(|| Self::by_sample(vector))
    }

    /// The same with the samples' numbers among all.
    fn renumbered(self, numbers: &[usize]) -> Self {
        match self {
            Parts::Gradient { low, high } => Parts::Gradient { low: numbers[low], high: numbers[high] },
            other => other,
        }
    }

    fn by_class(vector: &[f64], labels: &Labels) -> Option<Self> {
        let explained = explained(vector, labels)?;
        if explained < FOLLOWS_CLASSES {
            return None;
        }
        let mut means: Vec<(f64, usize)> =
            class_means(vector, labels).into_iter().enumerate().filter_map(|(c, m)| Some((m?, c))).collect();
        means.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let at = widest_gap(&means.iter().map(|m| m.0).collect::<Vec<_>>())?.0;
        let (low, high) = means.split_at(at);
        if misplaced(vector, labels, low) > MISPLACED {
            let name = |m: Option<&(f64, usize)>| m.map_or(String::new(), |m| labels.classes()[m.1].clone());
            return Some(Parts::Ordered { low: name(means.first()), high: name(means.last()), explained });
        }
        let fewer = if low.len() <= high.len() { low } else { high };
        if fewer.len() > NAMED {
            return Some(Parts::ManyClasses { fewer: fewer.len(), classes: means.len(), explained });
        }
        let mut codes: Vec<usize> = fewer.iter().map(|m| m.1).collect();
        codes.sort_unstable();
        let classes = codes.into_iter().map(|c| labels.classes()[c].clone()).collect();
        Some(Parts::Classes { classes, explained })
    }

    fn by_sample(vector: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..vector.len()).collect();
        order.sort_by(|&a, &b| vector[a].total_cmp(&vector[b]));
        let sorted: Vec<f64> = order.iter().map(|&i| vector[i]).collect();
        let (low, high) = (order[0], order[order.len() - 1]);
        let range = vector[high] - vector[low];
        match widest_gap(&sorted) {
            Some((at, gap)) if gap >= PARTS * range && gap > 0.0 => {
                Parts::Samples { samples: at.min(sorted.len() - at) }
            }
            _ => Parts::Gradient { low, high },
        }
    }
}

/// How many samples the best cut between two sides has on the wrong one, as a share of the smaller side.
fn misplaced(vector: &[f64], labels: &Labels, low: &[(f64, usize)]) -> f64 {
    let is_low = |code: u32| low.iter().any(|m| m.1 == code as usize);
    let known = vector.iter().zip(labels.codes()).filter_map(|(v, code)| Some((*v, is_low((*code)?))));
    let mut sorted: Vec<(f64, bool)> = known.collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lows = sorted.iter().filter(|s| s.1).count();
    let smaller = lows.min(sorted.len() - lows).max(1);
    // With the cut before the first sample all low ones are on the wrong side.
    let (mut wrong, mut least) = (lows, lows);
    for (at, (value, is_low)) in sorted.iter().enumerate() {
        wrong = if *is_low { wrong - 1 } else { wrong + 1 };
        // Equal values are on one side.
        if sorted.get(at + 1).is_none_or(|next| next.0 > *value) {
            least = least.min(wrong);
        }
    }
    least as f64 / smaller as f64
}

/// Where the widest gap between neighbors of a sorted list is (the index after it), and how wide it is.
fn widest_gap(sorted: &[f64]) -> Option<(usize, f64)> {
    let mut widest: Option<(usize, f64)> = None;
    for (i, pair) in sorted.windows(2).enumerate() {
        if widest.is_none_or(|(_, gap)| pair[1] - pair[0] > gap) {
            widest = Some((i + 1, pair[1] - pair[0]));
        }
    }
    widest
}

/// The mean of a vector in every class, where it has samples.
fn class_means(vector: &[f64], labels: &Labels) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0usize); labels.classes().len()];
    for (v, code) in vector.iter().zip(labels.codes()) {
        if let Some(code) = code {
            sums[*code as usize].0 += v;
            sums[*code as usize].1 += 1;
        }
    }
    sums.into_iter().map(|(sum, count)| (count > 0).then(|| sum / count as f64)).collect()
}

/// η²: the share of the variance of the labeled samples that lies between classes; `None` without two classes, without
/// variance, or where classes have hardly two samples each.
fn explained(vector: &[f64], labels: &Labels) -> Option<f64> {
    let means = class_means(vector, labels);
    let labeled: Vec<(f64, f64)> = vector
        .iter()
        .zip(labels.codes())
        .filter_map(|(v, code)| Some((*v, means[code.as_ref().copied()? as usize]?)))
        .collect();
    let classes = means.iter().flatten().count();
    if classes < 2 || labeled.len() < 2 * classes {
        return None;
    }
    let mean = labeled.iter().map(|l| l.0).sum::<f64>() / labeled.len() as f64;
    let total: f64 = labeled.iter().map(|l| (l.0 - mean).powi(2)).sum();
    let between: f64 = labeled.iter().map(|l| (l.1 - mean).powi(2)).sum();
    (total > 0.0).then(|| between / total)
}

impl GraphPortrait {
    pub(super) fn of(graph: &Graph, labels: Option<&Labels>) -> Self {
        let components = graph.components();
        let mut sizes = vec![0usize; components.iter().max().map_or(0, |c| c + 1)];
        components.iter().for_each(|&c| sizes[c] += 1);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.truncate(COMPONENTS);
        let summary = GraphSummary::of(graph);
        let (low, high) = (summary.health.min_degree, summary.health.max_degree);
        let mut counts = vec![0; if high > low { DEGREE_BINS } else { 0 }];
        if high > low {
            let bin = |d: &f64| ((d - low) / (high - low) * DEGREE_BINS as f64) as usize;
            graph.degrees().iter().for_each(|d| counts[bin(d).min(DEGREE_BINS - 1)] += 1);
        }
        GraphPortrait {
            summary,
            component_sizes: sizes,
            degree_counts: counts,
            features: None,
            same_class: labels.and_then(|l| same_class(graph, l)),
        }
    }
}

/// How often edges join samples of one class, and how often pairs of samples are of one class.
fn same_class(graph: &Graph, labels: &Labels) -> Option<(f64, f64)> {
    if graph.n_landmarks().is_some() && graph.diagnostics().edges > MOST_EDGES {
        return None;
    }
    let codes = labels.codes();
    let mut sizes = vec![0.0; labels.classes().len()];
    codes.iter().flatten().for_each(|&c| sizes[c as usize] += 1.0);
    let all: f64 = sizes.iter().sum();
    let (mut same, mut edges) = (0usize, 0usize);
    for (i, j, _) in graph.edges() {
        if let (Some(a), Some(b)) = (codes[i], codes[j]) {
            edges += 1;
            same += usize::from(a == b);
        }
    }
    let by_chance = sizes.iter().map(|s| s * (s - 1.0)).sum::<f64>() / (all * (all - 1.0));
    let classes = sizes.iter().filter(|s| **s > 0.0).count();
    (classes > 1 && edges > 0).then(|| (same as f64 / edges as f64, by_chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(codes: &[usize]) -> Labels {
        Labels::from_codes(codes)
    }

    #[test]
    fn a_vector_that_follows_one_class_parts_that_class() {
        let vector = [-1.0, -0.9, -1.0, 0.5, 0.4, 0.5, 0.6, 0.5, 0.6];
        let parts = Parts::of(&vector, Some(&labels(&[0, 0, 0, 1, 1, 1, 2, 2, 2])));
        let Parts::Classes { classes, explained } = parts else { panic!("{parts:?}") };
        assert_eq!(classes, ["0"]);
        assert!(explained > 0.98);
    }

    #[test]
    fn a_vector_that_does_not_follow_the_classes_is_told_by_its_samples() {
        let vector = [0.0, 0.1, 1.0, 0.05, 0.0, 0.1];
        let mixed = labels(&[0, 1, 0, 1, 0, 1]);
        assert_eq!(Parts::of(&vector, Some(&mixed)), Parts::Samples { samples: 1 });
        let even: Vec<f64> = (0..20).map(|i| f64::from(i) / 19.0).collect();
        assert_eq!(Parts::of(&even, None), Parts::Gradient { low: 0, high: 19 });
        assert_eq!(Parts::of(&[0.5; 4], None), Parts::Gradient { low: 0, high: 3 });
    }

    /// The class means lie apart, but half of the class lies among the others.
    #[test]
    fn a_class_that_no_cut_tells_from_the_others_is_not_said_to_be_parted() {
        let vector = [-1.0, -1.0, 0.55, -1.0, 0.6, 0.4, 0.5, 0.6, 0.5, 0.6, 0.9, 0.8, 0.9, 0.9];
        let found = Parts::of(&vector, Some(&labels(&[0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2])));
        let Parts::Ordered { low, high, explained } = found else { panic!("{found:?}") };
        assert_eq!((low.as_str(), high.as_str()), ("0", "2"));
        assert!(explained > 0.4, "{explained}");
    }

    #[test]
    fn edges_inside_classes_are_counted() {
        let graph =
            Graph::from_edges(&[(0, 1, 1.0), (1, 2, 0.5), (2, 3, 2.0), (3, 4, 1.0)], 5).expect("a graph");
        let some = Labels::new([Some("a"), Some("a"), Some("b"), Some("b"), None]);
        let (same, chance) = same_class(&graph, &some).expect("two classes");
        assert!((same - 2.0 / 3.0).abs() < 1e-12 && (chance - 4.0 / 12.0).abs() < 1e-12);
        assert_eq!(same_class(&graph, &labels(&[0; 5])), None);
    }

    #[test]
    fn half_of_many_classes_is_not_a_list_of_names() {
        let codes: Vec<usize> = (0..40).map(|i| i / 4).collect();
        let vector: Vec<f64> = codes.iter().map(|&c| if c < 5 { -1.0 } else { 1.0 }).collect();
        let many = |fewer| Parts::ManyClasses { fewer, classes: 10, explained: 1.0 };
        assert_eq!(Parts::of(&vector, Some(&labels(&codes))), many(5));
        let uneven: Vec<f64> = codes.iter().map(|&c| if c < 6 { -1.0 } else { 1.0 }).collect();
        assert_eq!(Parts::of(&uneven, Some(&labels(&codes))), many(4));
    }

    #[test]
    fn without_a_label_for_anybody_samples_count() {
        let none = Labels::new::<&str>([None, None, None, None]);
        assert_eq!(Parts::of(&[0.0, 0.0, 0.1, 1.0], Some(&none)), Parts::Samples { samples: 1 });
    }
}
