//! The vital signs of a graph, and what a user should be warned of.
//!
//! Scores on a broken graph look like any others: a kernel width of 1 on raw data makes every
//! similarity 0 and all scores equal, and nobody notices. So every graph is looked at once,
//! when it is made, and each warning says what to do.

use super::{Graph, Similarity};

/// Similarities closer than this (to 0, to each other) do not tell samples apart.
const INDISTINCT: f64 = 1e-6;

/// The vital signs of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostics {
    /// Number of samples.
    pub n_samples: usize,
    /// Pairs i < j with a weight that is not 0. For a sum of graphs an upper bound: pairs that
    /// two of them join are counted twice.
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
            median_degree: sorted[sorted.len() / 2],
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
        warnings.extend(self.negative(&found));
        warnings
    }

    /// Classes are apart by design, and Relief counts hits and misses whatever they connect; so are
    /// sums of nothing else.
    fn may_be_apart(&self) -> bool {
        match (&self.similarity, self.description.kind) {
            (_, "labels" | "relief" | "hierarchy") => true,
            (Similarity::Sum(parts), _) => parts.iter().all(|(_, part)| part.may_be_apart()),
            _ => false,
        }
    }

    fn no_edges(&self) -> String {
        let why = match self.description.kind {
            "labels" => "every class has a single sample; use labels that repeat",
            "relief" => "no sample has a hit or a miss; use labels that repeat",
            "given" | "sum" => "every similarity between samples is 0; check the values given",
            "diffusion" => "every similarity is 0; use a larger `beta` or bandwidth",
            _ => "every similarity is 0; use a wider bandwidth or `auto`",
        };
        format!("the graph has no edges, so scores on it mean nothing: {why}")
    }

    fn disconnected(&self, found: &Diagnostics) -> String {
        let isolated = match found.isolated {
            0 => String::new(),
            i => format!(", {i} of them single samples"),
        };
        let joins = match self.description.kind {
            "knn" | "diffusion" | "geodesic" => "a larger k or a wider bandwidth joins them",
            "rbf" => "a wider bandwidth joins them",
            _ => "adding edges, or another graph to it, joins them",
        };
        format!(
            "the graph is disconnected: {} components{isolated}; scores compare samples inside \
             components only; {joins}",
            found.components
        )
    }

    /// A warning when the weights say nothing: all near 0, or all near equal where they should not be.
    fn degenerate(&self) -> Option<String> {
        let advice = match self.description.kind {
            "diffusion" => "choose another `beta`",
            "given" if self.parameter("values") == "similarities" => "check the values given",
            _ => "choose another bandwidth or `auto`",
        };
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
            Similarity::Sparse(s) if self.is_gaussian() => {
                let (low, high) = s.extremes();
                if high < INDISTINCT {
                    "all similarities between neighbors are near 0".to_owned()
                } else if self.most_vanished(s.edges()) {
                    "most similarities between neighbors are 0".to_owned()
                } else if low > 1.0 - INDISTINCT && self.has_length() {
                    "all similarities are near 1, as if distances did not count".to_owned()
                } else {
                    return None;
                }
            }
            Similarity::Sum(parts) => {
                let parts = parts.iter().filter(|(weight, _)| *weight != 0.0);
                return parts.map(|(_, graph)| graph.degenerate()).find(Option::is_some).flatten();
            }
            _ => return None,
        };
        Some(format!("the graph is degenerate: {what}; scores mean little; {advice}"))
    }

    /// A warning where negative weights are not by design and spoil the degrees.
    fn negative(&self, found: &Diagnostics) -> Option<String> {
        let not_positive = self.degrees.iter().filter(|&&d| d <= 0.0).count();
        match (&self.similarity, self.description.kind) {
            (Similarity::Sparse(s), "knn") if s.extremes().0 < 0.0 => Some(format!(
                "{} of {} cosines in the graph are negative and {not_positive} samples have a degree of 0 \
                 or less; scores divide by degrees; use the weight `heat`, or `--scale none` where values \
                 are not negative",
                s.count_negative(),
                found.edges
            )),
            (_, "given" | "sum" | "diffusion") if found.min_degree < 0.0 => Some(format!(
                "{not_positive} samples have a degree of 0 or less because of negative similarities; \
                 scores divide by degrees; raise the similarities, or use a method that does not divide by \
                 degrees (hsic)"
            )),
            _ => None,
        }
    }

    /// Whether the weights are exp(-d²/…) with one bandwidth for all.
    fn is_gaussian(&self) -> bool {
        match self.description.kind {
            "knn" => matches!(self.parameter("weight").as_str(), "heat" | "rbf"),
            "given" => self.parameter("values") == "distances",
            _ => false,
        }
    }

    /// Whether far fewer edges are left than a kNN graph has: nk/2, were every neighborhood mutual. What
    /// underflows is no edge, so that the few that are left may look as good as any.
    fn most_vanished(&self, edges: usize) -> bool {
        let all: Option<usize> = self.parameter("k").parse().ok().map(|k: usize| self.n_samples() * k / 2);
        self.parameter("mutual") == "false" && all.is_some_and(|all| edges < all / 2)
    }

    /// Whether the bandwidth is that of distances above 0: not all samples are duplicates.
    fn has_length(&self) -> bool {
        let is_zero = |name: &str| self.parameter(name) == "0";
        !is_zero("t") && !is_zero("sigma")
    }

    /// A parameter of the description as text; empty where there is none of that name.
    fn parameter(&self, name: &str) -> String {
        let found = self.description.parameters.iter().find(|(known, _)| *known == name);
        found.map_or(String::new(), |(_, value)| value.to_string())
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
