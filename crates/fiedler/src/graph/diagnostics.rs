//! The vital signs of a graph, and what a user should be warned of.
//!
//! Scores on a broken graph look like any others: a kernel width of 1 on raw data makes every
//! similarity 0 and all scores equal, and nobody notices. So every graph is looked at once,
//! when it is made, and each warning says what to do.

use super::knn::USUAL_RECALL;
use super::{Graph, Origin, Remedies, Similarity, Weighting, median};
use crate::parameters::ParameterValue;

/// Similarities closer than this (to 0, to each other) do not tell samples apart.
const INDISTINCT: f64 = 1e-6;

/// A sample whose degree is below this share of the median is isolated in all but name.
const FAINT: f64 = 1e-12;

/// The parameter that says how many pairs of neighbors have a similarity of 0.
pub(super) const VANISHED: &str = "vanished";

/// How a sentence on weights that say nothing begins.
const DEGENERATE: &str = "the graph is degenerate: ";

/// The vital signs of a graph.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diagnostics {
    /// Number of samples.
    pub n_samples: usize,
    /// Pairs i < j with a weight that is not 0. For a sum of graphs an upper bound: pairs that
    /// two of them join are counted twice; and for a graph through landmarks, where pairs that share
    /// several landmarks are counted for each of them.
    pub edges: usize,
    /// Connected components, isolated samples included.
    pub components: usize,
    /// Samples without any neighbor.
    pub isolated: usize,
    /// Smallest degree.
    pub min_degree: f64,
    /// Median degree; the upper one of the two middle degrees where their number is even.
    pub median_degree: f64,
    /// Largest degree.
    pub max_degree: f64,
}

impl Graph {
    /// Components, isolated samples, degrees, edges.
    ///
    /// ```
    /// use fiedler::Graph;
    ///
    /// let graph = Graph::from_edges(&[(0, 1, 1.0), (2, 3, 2.0)], 5)?;
    /// let found = graph.diagnostics();
    /// assert_eq!((found.edges, found.components, found.isolated), (2, 3, 1));
    /// assert_eq!((found.min_degree, found.max_degree), (0.0, 2.0));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    pub fn diagnostics(&self) -> Diagnostics {
        let components = self.components();
        let count = components.iter().max().map_or(0, |c| c + 1);
        let mut sizes = vec![0usize; count];
        components.iter().for_each(|&c| sizes[c] += 1);
        let mut sorted = self.degrees.clone();
        sorted.sort_by(f64::total_cmp);
        Diagnostics {
            n_samples: self.n_samples(),
            edges: self.similarity.edges(),
            components: count,
            isolated: sizes.iter().filter(|&&s| s == 1).count(),
            // A degree of -0 is one of 0.
            min_degree: sorted[0] + 0.0,
            median_degree: median(sorted.clone()),
            max_degree: sorted[sorted.len() - 1],
        }
    }

    /// The component of every sample, numbered from 0 in the order of first samples.
    pub fn components(&self) -> Vec<usize> {
        let mut sets = Components::new(self.n_samples());
        self.similarity.connect(&mut sets);
        sets.numbered()
    }

    /// What a user should know before trusting scores on this graph.
    pub(super) fn examine(&self) -> Vec<String> {
        let found = self.diagnostics();
        if found.edges == 0 {
            return vec![self.no_edges()];
        }
        let mut warnings = Vec::new();
        if found.components > 1 && !self.may_be_apart() {
            warnings.push(self.disconnected(&found));
        }
        warnings.extend(self.degenerate());
        warnings.extend(self.faint(&found));
        warnings.extend(self.negative(&found));
        warnings
    }

    /// Whether pieces are no fault: by design, or in sums of nothing else.
    fn may_be_apart(&self) -> bool {
        match &self.similarity {
            Similarity::Sum(parts) if self.origin.info.remedies.apart.is_some() => {
                parts.iter().all(|(_, part)| part.may_be_apart())
            }
            _ => self.origin.info.remedies.apart.is_none(),
        }
    }

    fn no_edges(&self) -> String {
        let why = self.origin.info.remedies.no_edges;
        format!("the graph has no edges, so scores on it mean nothing: {why}")
    }

    fn disconnected(&self, found: &Diagnostics) -> String {
        let isolated = match found.isolated {
            0 => String::new(),
            i => format!(", {i} of them single samples"),
        };
        let joins = match (self.origin.info.remedies.apart, self.origin.poor_recall()) {
            (Some(joins), None) => self.vanished(found.components).unwrap_or_else(|| format!("; {joins}")),
            (Some(joins), Some(recall)) => format!(
                "; the approximate search found {:.1} % of the true neighbors, and who lacks neighbors may be apart for that \
                 alone: search exactly first, or for a higher recall where a low one was asked for; if it still falls apart, \
                 {joins}",
                100.0 * recall
            ),
            (None, _) => String::new(),
        };
        format!(
            "the graph is disconnected: {} components{isolated}; scores compare samples inside \
             components only{joins}",
            found.components
        )
    }

    /// Neighbors that are no edges, for they are so far apart that their similarity is 0: more neighbors are no help where these would
    /// join the pieces.
    fn vanished(&self, components: usize) -> Option<String> {
        let parameter = self.origin.parameters.iter().find(|(name, _)| name == VANISHED);
        let ParameterValue::Integer(lost) = parameter?.1 else { return None };
        if lost + 1 < components {
            return None;
        }
        let (edges, weigh, their) =
            if lost == 1 { ("edge", "weighs", "its") } else { ("edges", "weigh", "their") };
        let joins = self.origin.info.remedies.faint;
        Some(format!("; {lost} {edges} {weigh} 0, for {their} samples are so far apart: {joins}"))
    }

    /// A warning when the weights say nothing: all near 0, or all near equal where they should not be.
    fn degenerate(&self) -> Option<String> {
        let what = match &self.similarity {
            Similarity::Dense(s) => {
                let (low, high) = s.extremes();
                let largest = low.abs().max(high.abs());
                let scale = s.diagonal().iter().fold(largest, |scale, d| scale.max(d.abs()));
                if largest < INDISTINCT * scale {
                    "all similarities between samples are near 0".to_owned()
                } else if self.n_samples() > 2 && high - low < INDISTINCT * scale {
                    format!("all similarities are near {high:.3}")
                } else {
                    return None;
                }
            }
            Similarity::Sparse(s) => {
                let width = self.origin.weighting.scale()?;
                let (low, high) = s.extremes();
                if high < INDISTINCT {
                    "all similarities between neighbors are near 0".to_owned()
                } else if low > 1.0 - INDISTINCT && width > 0.0 {
                    // A width of 0 is that of duplicates: their similarity is 1 as it should be.
                    "all similarities are near 1, as if distances did not count".to_owned()
                } else {
                    return None;
                }
            }
            Similarity::Sum(parts) => {
                let parts = parts.iter().filter(|(weight, _)| *weight != 0.0);
                return parts.map(|(_, graph)| graph.degenerate()).find(Option::is_some).flatten();
            }
            Similarity::Classes(_) | Similarity::LowRank(_) => return None,
        };
        Some(self.degenerate_because(&what))
    }

    fn degenerate_because(&self, what: &str) -> String {
        let advice = match self.origin.weighting.scale() {
            Some(_) => Remedies::WIDTH.indistinct,
            None => self.origin.info.remedies.indistinct,
        };
        format!("{DEGENERATE}{what}; scores mean little; {advice}")
    }

    /// The same graph, said to be degenerate for this reason and no other.
    pub(super) fn degenerate_as(mut self, what: &str) -> Self {
        self.warnings.retain(|warning| !warning.starts_with(DEGENERATE));
        let warning = self.degenerate_because(what);
        self.warned([warning])
    }

    /// A warning where samples have edges of next to no weight. What a sample weighs for itself joins it to nobody;
    /// degrees below 0 are another matter.
    fn faint(&self, found: &Diagnostics) -> Option<String> {
        if self.origin.info.unit_degrees {
            return None;
        }
        let joined: Vec<f64> = self.degrees.iter().zip(self.diagonal()).map(|(d, own)| d - own).collect();
        let least = FAINT * median(joined.clone());
        let faint =
            joined.iter().filter(|d| (0.0..least).contains(*d)).count().saturating_sub(found.isolated);
        let joins = self.origin.info.remedies.faint;
        (faint > 0).then(|| {
            let one = faint == 1;
            let (are, their, them) = if one { ("sample is", "its", "it") } else { ("samples are", "their", "them") };
            let joins = if one { joins.replace("them", "it").replace("their similarities", "its similarities") } else { joins.to_owned() };
            format!(
                "{faint} {are} isolated in all but name: {their} degree is below 1e-12 of the median, so that scores do not \
                 see {them}; {joins}"
            )
        })
    }

    /// A warning where negative weights are not by design and spoil the degrees.
    fn negative(&self, found: &Diagnostics) -> Option<String> {
        let not_positive = self.degrees.iter().filter(|&&d| d <= 0.0).count();
        match &self.similarity {
            Similarity::Sparse(s) if self.origin.weighting == Weighting::Cosine && s.extremes().0 < 0.0 => {
                Some(format!(
                    "{} of {} cosines in the graph are negative and {not_positive} samples have a degree of 0 \
                     or less; scores divide by degrees; use the weight `heat`, or leave features as they are \
                     (`scale` none) where their values are not negative",
                    s.count_negative(),
                    found.edges
                ))
            }
            _ if found.min_degree < 0.0 => Some(format!(
                "{not_positive} samples have a degree of 0 or less because of negative similarities; \
                 scores divide by degrees; raise the similarities, or use a method that does not divide by \
                 degrees (hsic)"
            )),
            _ => None,
        }
    }
}

impl Origin {
    /// The share of the true neighbors that was found, where that is less than a search finds by default.
    fn poor_recall(&self) -> Option<f64> {
        let measured = self.parameters.iter().find(|(name, _)| name == "recall");
        match measured.map(|(_, value)| value) {
            Some(ParameterValue::Real(recall)) if *recall < USUAL_RECALL => Some(*recall),
            _ => None,
        }
    }
}

/// Connected components by union-find.
pub(crate) struct Components {
    parent: Vec<usize>,
}

impl Components {
    fn new(n: usize) -> Self {
        Components { parent: (0..n).collect() }
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    pub(crate) fn join(&mut self, i: usize, j: usize) {
        let (a, b) = (self.root(i), self.root(j));
        self.parent[a.max(b)] = a.min(b);
    }

    fn numbered(mut self) -> Vec<usize> {
        let n = self.parent.len();
        let mut number = vec![usize::MAX; n];
        let mut next = 0;
        (0..n)
            .map(|i| {
                let root = self.root(i);
                if number[root] == usize::MAX {
                    number[root] = next;
                    next += 1;
                }
                number[root]
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sparse::Sparse;
    use super::super::{GraphKind, Knn};
    use super::*;

    fn warnings(recall: Option<f64>) -> Vec<String> {
        let pairs = Sparse::from_upper(4, vec![(0, 1, 1.0), (2, 3, 1.0)]);
        let origin = Origin::new(Knn::info(), [("k", 1usize.into())]).with("recall", recall);
        Graph::new(Similarity::Sparse(pairs), origin).examine()
    }

    /// Neighbors that were not found make components too: more of them are no help before those are.
    #[test]
    fn pieces_of_a_poor_search_are_searched_for_exactly_first() {
        for recall in [None, Some(0.97)] {
            let told = warnings(recall).remove(0);
            assert!(told.ends_with("inside components only; a larger k joins them"), "{told}");
        }
        let told = warnings(Some(0.42)).remove(0);
        assert!(
            told.contains("found 42.0 % of the true neighbors") && told.contains("search exactly first"),
            "{told}"
        );
        assert!(told.ends_with("if it still falls apart, a larger k joins them"), "{told}");
    }
}
