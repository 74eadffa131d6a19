//! What is asked: the methods with their parameters and graphs, checked before any data are
//! read, then run one after the other on shared graphs.

use std::sync::Arc;
use std::time::Instant;

use fiedler::eval::Candidate;
use fiedler::{
    Dataset, Entry, Graph, GraphRecipe, GraphUse, MethodInfo, Monitor, Ranking, Scaling, Selector,
    Supervision,
};

use crate::args::{GraphKind, GraphOptions, Setting, Settings};
use crate::data::{LabelUse, Loaded};
use crate::failure::{Failure, Outcome};
use crate::fitting::Fit;

/// The parameter of methods that look at the neighbors of every class.
const NEIGHBORS: &str = "neighbors";

/// The methods to run.
pub(crate) struct Plan {
    tasks: Vec<Task>,
    /// What the user said of the graph.
    graph: GraphOptions,
}

/// One method.
struct Task {
    entry: Entry,
    settings: Vec<Setting>,
    kind: GraphKind,
    /// `None` where the user said nothing: the method's own default.
    recipe: Option<GraphRecipe>,
}

/// What a method answered, and how long it took.
pub(crate) struct Answer {
    /// The method.
    pub(crate) entry: Entry,
    /// Its ranking.
    pub(crate) ranking: Ranking,
    /// How the data it saw were scaled.
    pub(crate) scaling: Scaling,
    /// Seconds for graph and scores; reading the data does not count.
    pub(crate) seconds: f64,
}

impl Plan {
    /// Checks names, parameters and options.
    ///
    /// # Errors
    /// Wrong usage: an unknown method or parameter, a value that breaks its rule, an option
    /// that does not apply.
    pub(crate) fn new(
        methods: &[String],
        settings: &[Settings],
        graph: &GraphOptions,
        seed: Option<u64>,
    ) -> Outcome<Self> {
        let settings: Vec<&Setting> = settings.iter().flat_map(|several| &several.0).collect();
        let entries = methods
            .iter()
            .map(|name| fiedler::methods::find(name.trim()).map_err(Failure::usage))
            .collect::<Outcome<Vec<Entry>>>()?;
        check_settings(&entries, &settings)?;
        let mut tasks: Vec<Task> = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut own: Vec<Setting> =
                settings.iter().filter(|s| has(&entry, &s.name)).map(|&s| s.clone()).collect();
            if let Some(seed) = seed.filter(|_| has(&entry, "seed")) {
                own.push(Setting { name: "seed".to_owned(), value: seed.to_string() });
            }
            let kind = graph.kind(entry.info.graph);
            let made = tasks.iter().find(|t| t.kind == kind).and_then(|t| t.recipe.clone());
            let recipe = match made {
                _ if !graph.any() || entry.info.graph == GraphUse::None => None,
                Some(recipe) => Some(recipe),
                None => Some(graph.recipe(&kind)?),
            };
            let task = Task { entry, settings: own, kind, recipe };
            task.build(task.recipe.clone()).map_err(Failure::usage)?;
            tasks.push(task);
        }
        Ok(Plan { tasks, graph: graph.clone() })
    }

    /// Sets how many features are wanted, for the methods to which it matters, unless the user did:
    /// those that choose features together, and those that judge by the features they would select.
    pub(crate) fn prefer_count(&mut self, count: usize) {
        for task in &mut self.tasks {
            for name in ["count", "keep"] {
                if has(&task.entry, name) && task.settings.iter().all(|s| s.name != name) {
                    task.settings.push(Setting { name: name.to_owned(), value: count.to_string() });
                }
            }
        }
    }

    /// Fits what the user did not say to data of which the methods see `n_samples`, and tells it in
    /// the notes on the data.
    ///
    /// # Errors
    /// A graph in a file has other samples than the data.
    pub(crate) fn fit(&mut self, loaded: &mut Loaded, n_samples: usize) -> Outcome {
        let mut fit = Fit::new(&loaded.data, n_samples);
        for task in &mut self.tasks {
            if task.entry.info.graph != GraphUse::None {
                let recipe = task.recipe.clone().unwrap_or_else(|| task.entry.info.graph.default_recipe());
                let fitted = self.graph.fitted(&task.kind, &recipe, &mut fit)?;
                task.recipe = fitted.or(task.recipe.take());
            }
            let usual = task.entry.info.parameters.iter().find(|p| p.name == NEIGHBORS);
            let usual = usual.filter(|_| task.settings.iter().all(|s| s.name != NEIGHBORS));
            let usual = usual.and_then(|p| p.default.parse().ok());
            if let Some(fitted) = usual.and_then(|usual| fit.class_neighbors(NEIGHBORS, usual)) {
                task.settings.push(Setting { name: NEIGHBORS.to_owned(), value: fitted.to_string() });
            }
        }
        loaded.notes.append(&mut fit.notes);
        Ok(())
    }

    /// Whether any of the methods takes a graph.
    pub(crate) fn takes_graph(&self) -> bool {
        self.tasks.iter().any(Task::takes_graph)
    }

    /// The methods as candidates of an evaluation, which asks them anew on other samples.
    ///
    /// # Errors
    /// A method is named twice, or its graph belongs to samples that are not all there.
    pub(crate) fn candidates(&self, loaded: &Loaded, whole: bool) -> Outcome<Vec<Candidate>> {
        let mut candidates: Vec<Candidate> = Vec::with_capacity(self.tasks.len());
        for task in &self.tasks {
            let name = task.entry.info.name;
            if candidates.iter().any(|c| c.name == name) {
                return Err(Failure::usage(format!("--methods: {name} is named twice")));
            }
            if !whole
                && matches!(task.kind, GraphKind::File(_) | GraphKind::Distances(_))
                && task.recipe.is_some()
            {
                return Err(Failure::usage(
                    "--graph: a graph in a file is of all samples, and selection sees the training part alone; \
                     --select-on all lets it see all of them",
                ));
            }
            let method = task.build(task.recipe.clone()).map_err(Failure::usage)?;
            let labels = loaded.shows(task.labels());
            let method = Suited { method, scaling: loaded.scaling_for(task.entry.info) };
            candidates.push(Candidate { labels, ..Candidate::shared(Arc::new(method)) });
        }
        Ok(candidates)
    }

    /// Runs the methods. A graph that several of them take is made once.
    ///
    /// # Errors
    /// The data do not suit, or Ctrl-C.
    pub(crate) fn run(&self, loaded: &Loaded, monitor: &dyn Monitor) -> Outcome<Vec<Answer>> {
        let mut graphs: Vec<((GraphKind, Scaling), Arc<Graph>, f64)> = Vec::new();
        let mut answers = Vec::with_capacity(self.tasks.len());
        for task in &self.tasks {
            let (key, data) = (task.key(loaded), task.data(loaded));
            let takers = self.tasks.iter().filter(|t| t.takes_graph() && t.key(loaded) == key).count();
            if task.takes_graph() && takers > 1 && graphs.iter().all(|(known, ..)| *known != key) {
                let begun = Instant::now();
                let recipe = task.recipe.clone().unwrap_or_else(|| task.entry.info.graph.default_recipe());
                let graph = recipe.build(&data, monitor)?;
                graphs.push((key.clone(), graph, begun.elapsed().as_secs_f64()));
            }
            let shared = graphs.iter().find(|(known, ..)| *known == key).filter(|_| task.takes_graph());
            let begun = Instant::now();
            let recipe = match shared {
                Some((_, graph, _)) => Some(GraphRecipe::Given(Arc::clone(graph))),
                None => task.recipe.clone(),
            };
            let mut ranking = task.build(recipe)?.rank_with(&data, monitor)?;
            ranking.warnings.extend(task.unscaled(loaded).filter(|_| self.tasks.len() == 1));
            let seconds = begun.elapsed().as_secs_f64() + shared.map_or(0.0, |(.., seconds)| *seconds);
            answers.push(Answer { entry: task.entry, ranking, scaling: data.scaling(), seconds });
        }
        Ok(answers)
    }

    /// The first method, made, and the data as it sees them.
    ///
    /// # Errors
    /// A parameter that was set after the plan was checked breaks its rule.
    pub(crate) fn first(&self, loaded: &Loaded) -> Outcome<(Box<dyn Selector>, Dataset)> {
        let task = self.tasks.first().ok_or_else(|| Failure::usage("no method is named"))?;
        Ok((task.build(task.recipe.clone())?, task.data(loaded)))
    }

    /// The methods that see the data scaled otherwise than `loaded` has them, and how.
    pub(crate) fn scaled_otherwise(&self, loaded: &Loaded) -> Vec<(&'static str, Scaling)> {
        let scaling = |task: &Task| (task.entry.info.name, loaded.scaling_for(task.entry.info));
        self.tasks.iter().map(scaling).filter(|(_, s)| *s != loaded.data.scaling()).collect()
    }
}

/// A method that scales the data it is given as suits it: an evaluation gives all methods the same.
struct Suited {
    method: Box<dyn Selector>,
    scaling: Scaling,
}

impl Selector for Suited {
    fn info(&self) -> &'static MethodInfo {
        self.method.info()
    }

    fn rank_with(&self, data: &Dataset, monitor: &dyn Monitor) -> fiedler::Result<Ranking> {
        self.method.rank_with(&data.clone().scaled(self.scaling), monitor)
    }
}

impl Task {
    fn build(&self, recipe: Option<GraphRecipe>) -> fiedler::Result<Box<dyn Selector>> {
        let given = self.settings.iter().map(|s| (s.name.as_str(), s.value.as_str()));
        self.entry.build(given, recipe)
    }

    fn takes_graph(&self) -> bool {
        self.entry.info.graph != GraphUse::None
    }

    /// The data as the method sees them.
    fn data(&self, loaded: &Loaded) -> Dataset {
        loaded.seen_by(self.labels()).scaled(loaded.scaling_for(self.entry.info))
    }

    /// What to say where the user asked for a scaling that the method does not see.
    fn unscaled(&self, loaded: &Loaded) -> Option<String> {
        let MethodInfo { name, scaling, .. } = self.entry.info;
        let asked = loaded.scale.filter(|s| *scaling == Scaling::None && *s != Scaling::None);
        asked.map(|_| format!("--scale has no effect: {name} sees the data as they are"))
    }

    /// What decides which graph it takes.
    fn key(&self, loaded: &Loaded) -> (GraphKind, Scaling) {
        (self.kind.clone(), loaded.scaling_for(self.entry.info))
    }

    fn labels(&self) -> LabelUse {
        let label_graph = self.kind.needs_labels() && self.takes_graph();
        match self.entry.info.supervision {
            _ if label_graph => LabelUse::Needed,
            Supervision::Supervised | Supervision::SemiSupervised => LabelUse::Needed,
            Supervision::Optional => LabelUse::IfNamed,
            Supervision::Unsupervised => LabelUse::Never,
        }
    }
}

fn has(entry: &Entry, parameter: &str) -> bool {
    entry.info.parameters.iter().any(|p| p.name == parameter)
}

/// Every `--set` must reach a method.
fn check_settings(entries: &[Entry], settings: &[&Setting]) -> Outcome {
    for Setting { name, .. } in settings {
        if entries.iter().any(|e| has(e, name)) {
            continue;
        }
        let known = |e: &Entry| {
            let names: Vec<&str> = e.info.parameters.iter().map(|p| p.name).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("{} has {names}", e.info.name)
        };
        let known: Vec<String> = entries.iter().map(known).collect();
        return Err(Failure::usage(format!("--set: no parameter is called `{name}`; {}", known.join("; "))));
    }
    Ok(())
}
