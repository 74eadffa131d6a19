//! [`Selector`], what every method is, and [`MethodInfo`], the one description of a method.
//!
//! The command line's options and help, the Python classes, the pages of the documentation and
//! the captions of the report are all made from `MethodInfo`; nothing about a method is typed
//! twice.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::dataset::{Dataset, Scaling};
use crate::graph::{Graph, GraphRecipe};
use crate::monitor::{Monitor, Silent};
use crate::ranking::{Goal, Ranking};
use crate::{Error, Result};

/// A method: ranks the features of a data set.
pub trait Selector: Send + Sync {
    /// The description of the method.
    fn info(&self) -> &'static MethodInfo;

    /// Ranks the features.
    ///
    /// # Errors
    /// A parameter, the data or the labels are not what the method needs.
    fn rank(&self, data: &Dataset) -> Result<Ranking> {
        self.rank_with(data, &Silent)
    }

    /// Ranks the features, telling `monitor` how far it is.
    ///
    /// # Errors
    /// As [`rank`](Self::rank); [`Error::Canceled`] when the monitor says so.
    fn rank_with(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking>;
}

/// A [`Selector`] that can be made from parameters by name: what the registry lists.
pub trait Method: Selector + Sized + 'static {
    /// The description of the method.
    const INFO: MethodInfo;

    /// Makes the method. `parameters` holds a checked value for every parameter of
    /// [`INFO`](Self::INFO); `graph` is for the methods that take one.
    ///
    /// # Errors
    /// A parameter breaks a rule that its [`Kind`] cannot express.
    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self>;
}

/// Which labels a method needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supervision {
    /// None: it never sees them.
    Unsupervised,
    /// Those of some samples.
    SemiSupervised,
    /// Those of all samples.
    Supervised,
    /// Depends on its parameters.
    Optional,
}

/// Which graph a method takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphUse {
    /// None, or one of its own that the user does not choose.
    None,
    /// Any; kNN unless told otherwise.
    Knn,
    /// One whose weights are Gaussian in euclidean distance: full RBF unless told otherwise, or kNN
    /// with heat or rbf weights.
    Rbf,
    /// Any; the label graph unless told otherwise.
    Labels,
}

/// Everything there is to say about a method.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in prose.
    pub title: &'static str,
    /// What it measures, in a sentence or two for someone who does not know it.
    pub measures: &'static str,
    /// The formula, in Unicode.
    pub formula: &'static str,
    /// Which way is better (the default, where a parameter decides).
    pub goal: Goal,
    /// Which labels it needs.
    pub supervision: Supervision,
    /// Which graph it takes.
    pub graph: GraphUse,
    /// The scaling that suits it: what a command takes where its user says nothing. `None`: it sees the
    /// data as they are, whatever the scaling.
    pub scaling: Scaling,
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
    /// What it costs.
    pub cost: &'static str,
    /// When it fails or misleads.
    pub fails: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
}

/// A parameter of a method.
#[derive(Debug, Clone, Copy)]
pub struct ParameterInfo {
    /// Name, as in `--set name=value`.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value where none is given.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// The values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number in a range, both ends included.
    Integer {
        /// Smallest value.
        min: usize,
        /// Largest value.
        max: usize,
    },
    /// As `Integer`, or one of some words.
    IntegerOr {
        /// Smallest value.
        min: usize,
        /// Largest value.
        max: usize,
        /// The words.
        words: &'static [&'static str],
    },
    /// A number in a range, both ends included.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// As `Real`, or one of some words.
    RealOr {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// The words.
        words: &'static [&'static str],
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A text with a grammar of its own, which `build` checks.
    Text {
        /// What the text looks like, for people.
        syntax: &'static str,
    },
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |w: &[&str]| w.iter().map(|w| format!(", or {w}")).collect::<String>();
        match *self {
            Kind::Integer { min, max } => write_whole(f, min, max),
            Kind::IntegerOr { min, max, words: w } => write_whole(f, min, max).and(f.write_str(&words(w))),
            Kind::Real { min, max } => write_real(f, min, max),
            Kind::RealOr { min, max, words: w } => write_real(f, min, max).and(f.write_str(&words(w))),
            Kind::Choice(w) => write!(f, "one of {}", w.join(", ")),
            Kind::Text { syntax } => f.write_str(syntax),
        }
    }
}

fn write_whole(f: &mut fmt::Formatter<'_>, min: usize, max: usize) -> fmt::Result {
    match max {
        usize::MAX => write!(f, "a whole number from {min}"),
        _ => write!(f, "a whole number from {min} to {max}"),
    }
}

fn write_real(f: &mut fmt::Formatter<'_>, min: f64, max: f64) -> fmt::Result {
    match (min.is_finite(), max.is_finite()) {
        (true, true) => write!(f, "a number from {min} to {max}"),
        (true, false) if min == f64::MIN_POSITIVE => write!(f, "a number above 0"),
        (true, false) => write!(f, "a number from {min}"),
        _ => write!(f, "a number"),
    }
}

/// A parameter's value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Integer(usize),
    /// A number.
    Real(f64),
    /// A word.
    Text(String),
    /// Yes or no.
    Bool(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(v) => write!(f, "{v}"),
            Value::Real(v) => write!(f, "{v}"),
            Value::Text(v) => write!(f, "{v}"),
            Value::Bool(v) => write!(f, "{v}"),
        }
    }
}

impl From<usize> for Value {
    fn from(v: usize) -> Self {
        Value::Integer(v)
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Value::Real(v)
    }
}

impl From<&str> for Value {
    fn from(v: &str) -> Self {
        Value::Text(v.to_owned())
    }
}

impl From<String> for Value {
    fn from(v: String) -> Self {
        Value::Text(v)
    }
}

impl From<bool> for Value {
    fn from(v: bool) -> Self {
        Value::Bool(v)
    }
}

/// Parameters by name, in alphabetical order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(BTreeMap<&'static str, Value>);

impl Parameters {
    /// Checks `name=value` texts against a method's description and fills in its defaults.
    ///
    /// # Errors
    /// [`Error::UnknownParameter`] or [`Error::Parameter`].
    pub fn parse<'a>(info: &MethodInfo, given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut parameters = Parameters::default();
        for p in info.parameters {
            parameters.0.insert(p.name, p.read(p.default)?);
        }
        for (name, text) in given {
            let known = || match info.parameters {
                [] => "none".to_owned(),
                all => all.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
            };
            let p = info.parameters.iter().find(|p| p.name == name).ok_or_else(|| {
                Error::UnknownParameter { method: info.name, name: name.to_owned(), known: known() }
            })?;
            parameters.0.insert(p.name, p.read(text)?);
        }
        Ok(parameters)
    }

    /// Sets a value; used by methods to tell what they chose.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.0.insert(name, value.into());
    }

    /// The value of a parameter, if there is one of that name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// All parameters, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(&name, value)| (name, value))
    }

    /// A whole number; `None` where the value is a word.
    pub fn integer(&self, name: &str) -> Option<usize> {
        match self.0.get(name)? {
            Value::Integer(v) => Some(*v),
            _ => None,
        }
    }

    /// A number; `None` where the value is a word.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.0.get(name)? {
            Value::Real(v) => Some(*v),
            Value::Integer(v) => Some(*v as f64),
            _ => None,
        }
    }

    /// A word; the empty text where the value is a number.
    pub fn text(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Text(v)) => v,
            _ => "",
        }
    }
}

impl ParameterInfo {
    fn read(&self, text: &str) -> Result<Value> {
        let wrong = || Error::parameter(self.name, self.kind.to_string(), format!("`{text}`"));
        let whole = |min: usize, max: usize| {
            text.parse().ok().filter(|v| (min..=max).contains(v)).map(Value::Integer).ok_or_else(wrong)
        };
        let number = |min: f64, max: f64| {
            let inside = |v: &f64| v.is_finite() && (min..=max).contains(v);
            text.parse().ok().filter(inside).map(Value::Real).ok_or_else(wrong)
        };
        match self.kind {
            Kind::IntegerOr { words, .. } | Kind::RealOr { words, .. } | Kind::Choice(words)
                if words.contains(&text) =>
            {
                Ok(text.into())
            }
            Kind::Integer { min, max } | Kind::IntegerOr { min, max, .. } => whole(min, max),
            Kind::Real { min, max } | Kind::RealOr { min, max, .. } => number(min, max),
            Kind::Choice(_) => Err(wrong()),
            Kind::Text { .. } => Ok(text.into()),
        }
    }
}

/// A line of the registry: a description and how to make the method.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The description.
    pub info: &'static MethodInfo,
    build: fn(&Parameters, GraphRecipe) -> Result<Box<dyn Selector>>,
}

impl Entry {
    /// The registry line of `M`.
    pub const fn of<M: Method>() -> Self {
        Entry { info: &M::INFO, build: |parameters, graph| Ok(Box::new(M::build(parameters, graph)?)) }
    }

    /// Makes the method from `name=value` texts; without a `graph`, the method's own default.
    ///
    /// # Errors
    /// A parameter is unknown or breaks its rule.
    pub fn build<'a>(
        &self,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
        graph: Option<GraphRecipe>,
    ) -> Result<Box<dyn Selector>> {
        let parameters = Parameters::parse(self.info, given)?;
        (self.build)(&parameters, graph.unwrap_or_else(|| self.info.graph.default_recipe()))
    }
}

impl GraphUse {
    /// The graph of a method whose user chose none.
    pub fn default_recipe(self) -> GraphRecipe {
        match self {
            GraphUse::None | GraphUse::Knn => GraphRecipe::Knn(Default::default()),
            GraphUse::Rbf => GraphRecipe::Rbf(Default::default()),
            GraphUse::Labels => GraphRecipe::Labels,
        }
    }
}

/// The ranking of a method that works on `graph`: scores, parameters and the graph's warnings.
pub(crate) fn ranking_on(
    info: &'static MethodInfo,
    graph: &Arc<Graph>,
    goal: Goal,
    scores: Vec<f64>,
    parameters: Parameters,
) -> Ranking {
    let mut ranking = Ranking::new(info.name, goal, scores);
    ranking.parameters = parameters;
    ranking.warnings.extend(graph.warnings().iter().cloned());
    ranking.graph = Some(Arc::clone(graph));
    ranking
}
