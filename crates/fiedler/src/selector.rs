//! [`Selector`], what every method is, and [`MethodInfo`], the one description of a method.
//!
//! The command line's options and help, the Python classes, the pages of the documentation and
//! the captions of the report are all made from `MethodInfo`; nothing about a method is typed
//! twice.
//!
//! **What a method sees** is decided here and nowhere else ([`Selector::view`]): the scaling that
//! suits it unless the user asked for another, and labels only where it may look at them.

use std::sync::Arc;

use crate::dataset::{Dataset, Scaling};
use crate::graph::{Graph, GraphRecipe};
use crate::methods::TargetMatrix;
use crate::monitor::{Monitor, Silent};
use crate::parameters::{ParameterInfo, ParameterValue, Parameters, Role};
use crate::ranking::{Goal, Ranking};
pub use crate::scorer::Scorer;
use crate::{Error, Result};

/// A method: ranks the features of a data set.
pub trait Selector: Send + Sync {
    /// The description of the method.
    fn info(&self) -> &'static MethodInfo;

    /// What the method, with its parameters as they are, does with labels.
    fn labels(&self) -> LabelUse {
        match self.info().supervision {
            Supervision::Unsupervised => LabelUse::Never,
            Supervision::Optional => LabelUse::IfNamed,
            Supervision::SemiSupervised | Supervision::Supervised => LabelUse::Needed,
        }
    }

    /// Whether the method, with its parameters as they are, can use a number to be predicted in place of classes.
    fn takes_number(&self) -> bool {
        self.info().takes_number
    }

    /// Whether it makes a linear model of its targets, whose coefficients its details tell.
    fn makes_model(&self) -> bool {
        false
    }

    /// Why the method, with its parameters as they are, makes no use of a graph for such a [`view`](Self::view), though it can of
    /// others; `None` where it does, or never could.
    fn without_graph(&self, _view: &Dataset) -> Option<String> {
        None
    }

    /// The same method with the user's own targets to explain; `None` where it has none.
    fn explaining(&self, _targets: Arc<TargetMatrix>) -> Option<Box<dyn Selector>> {
        None
    }

    /// Whether the method, with its parameters as they are, judges features one by one.
    fn judges(&self) -> Judges {
        self.info().judges
    }

    /// Everything that is needed to score any feature of these samples: the graph, the spectrum, the
    /// constants. For methods that judge features one by one; `data` must be a [`view`](Self::view).
    ///
    /// # Errors
    /// [`Error::JudgesTogether`] for the other methods; else as [`rank`](Self::rank).
    fn scorer(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Scorer> {
        let _ = (data, monitor);
        Err(Error::JudgesTogether { method: self.info().name })
    }

    /// Ranks the features of a [`view`](Self::view): data as the method sees them. The one thing that a
    /// method that judges features together has to write; the others write [`scorer`](Self::scorer).
    ///
    /// # Errors
    /// As [`rank`](Self::rank).
    fn rank_view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        self.scorer(data, monitor)?.rank(self.info(), data, monitor)
    }

    /// The parameter, and its value, with which it takes a number to be predicted, where it could and does not.
    fn taking_numbers(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Whether values are taken as suits the data where the user does not say: not by methods that need the user's own units,
    /// nor by those that need labels.
    fn takes_what_suits(&self) -> bool {
        self.info().scaling != Scaling::None && self.labels() != LabelUse::Needed
    }

    /// The data as the method sees them. Values: as the user asked, else as suits the data ([`Dataset::suited`]) for
    /// methods that can do without labels. Scaling: as the user asked, else as suits the method; a method that needs the
    /// user's own units gets them whatever was asked. Labels: see [`LabelUse`].
    /// A target is always named by the user, so it is seen wherever named labels would be.
    ///
    /// # Errors
    /// As [`Dataset::transformed`]; [`Error::ClassesNeeded`] where the method would use labels and cannot use the target.
    fn view(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Dataset> {
        if let Some(target) = data.target()
            && self.labels() != LabelUse::Never
            && !self.takes_number()
        {
            let mut error = Error::classes_needed(self.info().name, target.name());
            if let Error::ClassesNeeded { setting, .. } = &mut error {
                *setting = self.taking_numbers();
            }
            return Err(error);
        }
        let data = match (data.transform_is_asked(), self.takes_what_suits()) {
            // A method of the data's own units takes them as they are.
            _ if self.info().scaling == Scaling::None => data.untransformed(),
            (true, _) => data.clone(),
            (false, true) => data.suited(monitor)?,
            (false, false) => data.untransformed(),
        };
        let scaling = data.scaling().seen(self.info().scaling, data.transform());
        let sees_labels = self.labels().sees(&data);
        let data = data.scaled(scaling);
        Ok(if sees_labels { data } else { data.unlabeled() })
    }

    /// Whether a ranking of this method is of how smooth each feature is on a graph of the samples. Such a score does not
    /// depend on the size of a feature, and what a few samples carry is smooth on almost any graph.
    fn is_a_measure_of_smoothness(&self, ranking: &Ranking) -> bool {
        let alone = self.judges() == Judges::OneByOne && self.labels() == LabelUse::Never;
        alone && ranking.graph.is_some() && ranking.goal() == Goal::Minimize
    }

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
    fn rank_with(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        self.rank_seen(&self.view(data, monitor)?, monitor)
    }

    /// Ranks data that were already made a [`view`](Self::view), and tells what was seen. A caller that gives the method a graph
    /// made for several keeps the view of the method as it was asked: a graph that is there no longer needs the labels it was
    /// made of.
    ///
    /// # Errors
    /// As [`rank`](Self::rank).
    fn rank_seen(&self, view: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        if self.judges() == Judges::Together && view.far().is_some() {
            let name = self.info().name;
            monitor.note(&format!(
                "{name} weighs features together: columns come to this machine a block at a time"
            ));
        }
        let mut ranking = self.rank_view(view, monitor)?;
        if self.is_a_measure_of_smoothness(&ranking) {
            ranking = ranking.with_aside(view.hardly_carried());
        }
        ranking.transform = view.transform();
        ranking.scaling = view.scaling();
        ranking.labels = view.labels().map(|labels| labels.name().to_owned());
        ranking.target = view.target().map(|target| target.name().to_owned());
        Ok(ranking)
    }
}

/// A [`Selector`] that can be made from parameters by name: what the registry lists.
pub trait Method: Selector + Sized + 'static {
    /// The description of the method.
    const INFO: MethodInfo;

    /// Makes the method. `parameters` holds a checked value for every parameter of
    /// [`INFO`](Self::INFO); `graph` is for the methods that take one.
    ///
    /// # Errors
    /// A parameter breaks a rule that its [`Kind`](crate::Kind) cannot express.
    fn build(parameters: &Parameters, graph: GraphRecipe) -> Result<Self>;

    /// The method as its description has it: what `Default` of every method is, so that a default stands
    /// in one place.
    fn usual() -> Self {
        let parameters = Parameters::defaults(Self::INFO.parameters);
        match Self::build(&parameters, Self::INFO.graph.default_recipe()) {
            Ok(method) => method,
            Err(error) => unreachable!("the defaults of {} are right: {error}", Self::INFO.name),
        }
    }
}

/// What a method is asked with labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelUse {
    /// It must not see them.
    Never,
    /// It uses them exactly where the user named them: labels that merely came with a file do not
    /// change an unsupervised answer.
    IfNamed,
    /// It cannot work without.
    Needed,
}

impl LabelUse {
    /// Whether the labels of `data`, or the target, are seen. A target is always named.
    pub fn sees(self, data: &Dataset) -> bool {
        match self {
            LabelUse::Needed => true,
            LabelUse::IfNamed => data.labels_are_named() || data.target().is_some(),
            LabelUse::Never => false,
        }
    }
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
    /// Depends on its parameters and on whether the user named labels.
    Optional,
}

/// How features are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judges {
    /// Each alone: the score of a feature does not depend on which other features are scored, once the
    /// graph is there. Blocks of features can be scored anywhere.
    OneByOne,
    /// As a set: what is chosen depends on what else is chosen.
    Together,
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
    /// Whether it can use a number to be predicted (a target) in place of classes.
    pub takes_number: bool,
    /// How it judges features (the default, where a parameter decides).
    pub judges: Judges,
    /// Which graph it takes.
    pub graph: GraphUse,
    /// The scaling that suits it, where the user asks for none. [`Scaling::None`]: it sees the
    /// data as they are, whatever is asked.
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

impl MethodInfo {
    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&'static ParameterInfo> {
        self.parameters.iter().find(|p| p.name == name)
    }

    /// The parameters that have a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &'static ParameterInfo> {
        self.parameters.iter().filter(move |p| p.role == role)
    }

    /// The names of the parameters, for messages.
    pub fn parameter_names(&self) -> String {
        match self.parameters {
            [] => "none".to_owned(),
            all => all.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
        }
    }
}

/// A line of the registry: a description and how to make the method.
#[derive(Clone, Copy)]
pub struct Registered {
    /// The description.
    pub info: &'static MethodInfo,
    build: fn(&Parameters, GraphRecipe) -> Result<Box<dyn Selector>>,
}

impl Registered {
    /// The registry line of `M`.
    pub const fn of<M: Method>() -> Self {
        Registered { info: &M::INFO, build: |parameters, graph| Ok(Box::new(M::build(parameters, graph)?)) }
    }

    /// Makes the method from values by name; without a `graph`, the method's own default.
    ///
    /// # Errors
    /// A parameter is unknown or breaks its rule.
    pub fn build<'a, V: Into<ParameterValue>>(
        &self,
        given: impl IntoIterator<Item = (&'a str, V)>,
        graph: Option<GraphRecipe>,
    ) -> Result<Box<dyn Selector>> {
        let parameters = Parameters::read(self.info.name, self.info.parameters, given)?;
        (self.build)(&parameters, graph.unwrap_or_else(|| self.info.graph.default_recipe()))
    }

    /// Makes the method with its defaults.
    ///
    /// # Errors
    /// None: the defaults are right.
    pub fn usual(&self) -> Result<Box<dyn Selector>> {
        self.usual_on(self.info.graph.default_recipe())
    }

    /// Makes the method with its defaults, on a graph of the caller's.
    ///
    /// # Errors
    /// As [`usual`](Self::usual).
    pub fn usual_on(&self, graph: GraphRecipe) -> Result<Box<dyn Selector>> {
        (self.build)(&Parameters::defaults(self.info.parameters), graph)
    }
}

impl std::fmt::Debug for Registered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Registered").field(&self.info.name).finish()
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
    let mut ranking = Ranking::new(info.name, goal, scores).on(graph);
    ranking.parameters = parameters;
    ranking
}
