//! [`GraphInfo`]: the one description of a kind of graph, as `MethodInfo` is of a method.

use crate::parameters::ParameterInfo;

/// Everything there is to say about a kind of graph.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct GraphInfo {
    /// Name on the command line and in files.
    pub name: &'static str,
    /// Name in a sentence: `the knn graph`.
    pub called: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Which samples it joins and how strongly, in a sentence for someone who does not know it.
    pub joins: &'static str,
    /// S_ij, in Unicode.
    pub formula: &'static str,
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
    /// Whether it is made from the labels.
    pub needs_labels: bool,
    /// Whether every degree is 1 by design.
    pub unit_degrees: bool,
    /// What to do about one that is broken.
    pub remedies: Remedies,
    /// What it costs.
    pub cost: &'static str,
    /// When it fails or misleads.
    pub fails: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
}

/// What to do about a broken graph, each the end of a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Remedies {
    /// It has no edges: why, and what to do.
    pub no_edges: &'static str,
    /// It falls apart: what joins the pieces. `None`: it may fall apart by design.
    pub apart: Option<&'static str>,
    /// Some samples have next to no weight: what joins them.
    pub faint: &'static str,
    /// Its weights do not tell samples apart, and it has no width that could be changed.
    pub indistinct: &'static str,
}

impl Remedies {
    /// Of a graph whose weights are a Gaussian of distances.
    pub(crate) const WIDTH: Remedies = Remedies {
        no_edges: "every similarity is 0; use a wider bandwidth or `auto`",
        apart: Some("a wider bandwidth joins them"),
        faint: "a wider bandwidth joins them",
        indistinct: "choose another bandwidth or `auto`",
    };
    /// Of a graph whose numbers come from elsewhere.
    pub(crate) const VALUES: Remedies = Remedies {
        no_edges: "every similarity between samples is 0; check the values given",
        apart: Some("adding edges, or another graph to it, joins them"),
        faint: "raise their similarities, or leave them out",
        indistinct: "check the values given",
    };
}

impl GraphInfo {
    /// One that says nothing yet: kinds fill in what applies to them.
    pub(crate) const BLANK: GraphInfo = GraphInfo {
        name: "",
        called: "this graph",
        title: "",
        joins: "",
        formula: "",
        parameters: &[],
        needs_labels: false,
        unit_degrees: false,
        remedies: Remedies::VALUES,
        cost: "",
        fails: "",
        reference: "",
    };

    /// The description of a kind of graph by its name, of whatever part of the library.
    pub fn find(name: &str) -> Option<&'static GraphInfo> {
        super::kinds().into_iter().chain(super::UNNAMED).find(|info| info.name == name)
    }
}

/// Kinds of graph are the same where their names are.
impl PartialEq for GraphInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
