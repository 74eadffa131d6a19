//! [`Analysis`]: a question about data, whole, in one place.
//!
//! The command, Python and TOML files all ask with an `Analysis` and render the
//! [`Findings`] that it answers with. What a method sees (its graph, its scaling, labels, the number of
//! features, the seed) is decided here and in [`Selector::view`], and nowhere else.
//!
//! ```text
//!  Analysis ──check()──► every name, value and option is right, before any data are read
//!           ──run()────► one graph for all methods that take the same ──► Findings
//! ```
//!
//! ```
//! use fiedler::{Analysis, Silent, dataset::demo};
//!
//! let analysis = Analysis { methods: vec!["laplacian".into(), "mrsf".into()], ..Analysis::default() };
//! let found = analysis.run(&demo::iris()?, "iris", &Silent)?;
//! let best = &found.rankings[0].places[0];
//! assert_eq!(found.features.of(best.index), "petal length");
//! assert_eq!(found.rankings[1].labels, None); // the labels came with the data, and nobody named them
//! # Ok::<(), fiedler::Error>(())
//! ```

use std::sync::Arc;

use crate::advice;
use crate::dataset::{Dataset, Scaling, Transform};
use crate::eval::{Candidate, Protocol, Selection};
use crate::findings::{DataCard, Findings, GraphFound, GraphSummary, RankingFound, RunCard, Seen};
use crate::graph::{Graph, GraphOptions, GraphRecipe};
use crate::methods;
use crate::monitor::{Monitor, Silent};
use crate::parameters::{Role, Value};
use crate::portrait::{KeptBy, Portrait, Subject};
use crate::ranking::{Goal, Ranking};
use crate::selector::{GraphUse, LabelUse, Registered, Selector};
use crate::spectrum::Spectrum;
use crate::stability::Stability;
use crate::{Error, Result};

/// What is asked. The default ranks by the Laplacian score and lists every feature.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// The methods, by name.
    pub methods: Vec<String>,
    /// Whether nobody named the method: then a note tells what suits the data better than the usual one, where that is known.
    pub method_is_usual: bool,
    /// Parameters by name, for every method that has one of that name.
    pub settings: Vec<(String, Value)>,
    /// The graph, for the methods that take one.
    pub graph: GraphOptions,
    /// What is done to every feature first; [`Scaling::Auto`]: what suits each method.
    pub scaling: Scaling,
    /// What is done to every value before that; `None`: what suits the data ([`Dataset::suited`]).
    pub transform: Option<Transform>,
    /// How many features are wanted.
    pub count: Wanted,
    /// Features that come first whatever their score, by index.
    pub include: Vec<usize>,
    /// The seed of everything that draws random numbers.
    pub seed: Option<u64>,
    /// Whether the features are ranked.
    pub rank: bool,
    /// Whether the graph is told by itself, and with how many eigenpairs.
    pub spectrum: Option<usize>,
    /// How the selections are judged, where that is asked.
    pub evaluate: Option<Protocol>,
    /// How sure the selection of the first method is, where that is asked.
    pub stability: Vec<Stability>,
    /// Whether what a report draws is computed too.
    pub portrait: bool,
}

/// How many features are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// All are listed; methods that choose features together choose as many as their own default says.
    #[default]
    All,
    /// This many (all of them, where there are fewer).
    Count(usize),
    /// As many as come before the turning point of the sorted scores.
    Auto,
}

impl Default for Analysis {
    fn default() -> Self {
        Analysis {
            methods: vec![methods::DEFAULT_RANKING.to_owned()],
            method_is_usual: false,
            settings: Vec::new(),
            graph: GraphOptions::default(),
            scaling: Scaling::Auto,
            transform: None,
            count: Wanted::All,
            include: Vec::new(),
            seed: None,
            rank: true,
            spectrum: None,
            evaluate: None,
            stability: Vec::new(),
            portrait: false,
        }
    }
}

/// A method of an analysis, checked: what it is built from, but for the data.
struct Task {
    method: Registered,
    settings: Vec<(&'static str, Value)>,
    /// `None` where the user said nothing of the graph, or the method takes none.
    recipe: Option<GraphRecipe>,
}

impl Analysis {
    /// Checks everything that can be checked without data.
    ///
    /// # Errors
    /// An unknown method or parameter, a value that breaks its rule, an option that no method takes.
    pub fn check(&self) -> Result<()> {
        if self.evaluate.is_some() {
            self.refuse_twins()?;
        }
        if self.spectrum.is_some() {
            self.graph.recipe(GraphUse::Knn)?;
        }
        self.tasks(usize::MAX).map(drop)
    }

    /// Answers the question for `data`, which the user calls `name`.
    ///
    /// # Errors
    /// As [`check`](Self::check); the data do not suit; [`Error::Canceled`] when the monitor says so.
    pub fn run(&self, data: &Dataset, name: &str, monitor: &dyn Monitor) -> Result<Findings> {
        let begun = monitor.now();
        let data = &self.prepared(data, monitor)?;
        let tasks = self.tasks(data.n_features())?;
        self.refuse_numbers(&tasks, data)?;
        let mut found = Findings::new(self.card(data, name), data.feature_names().clone());
        // What is done to every value is settled once, whatever the number of methods. Evaluation looks at the training
        // part alone, and settles it there.
        let settled = &data.suited(monitor)?;
        for task in &tasks {
            let view = task.build(task.recipe.clone())?.view(settled, monitor)?;
            let labels = view.labels().map(|labels| labels.name().to_owned());
            let target = view.target().map(|target| target.name().to_owned());
            let (scaling, transform) = (view.scaling(), view.transform());
            found.seen.push(Seen { method: task.method.info.name, scaling, transform, labels, target });
        }
        if let Some(pairs) = self.spectrum {
            found.graph = Some(self.graph_alone(settled, pairs, &mut found, monitor)?);
        }
        let mut drawn = Vec::new();
        if self.rank {
            let better = Some(settled).filter(|_| self.method_is_usual).and_then(advice::better_than_default);
            better.into_iter().for_each(|note| found.note(note));
            found.rankings = self.rankings(&tasks, settled, &mut drawn, monitor)?;
            let notes: Vec<String> = found.rankings.iter().flat_map(|r| r.notes.clone()).collect();
            notes.into_iter().for_each(|note| found.note(note));
            let warnings: Vec<String> = found.rankings.iter().flat_map(|r| r.warnings.clone()).collect();
            warnings.into_iter().for_each(|warning| found.warn(warning));
        }
        if let Some(protocol) = &self.evaluate {
            let evaluation = self.judge(protocol, &tasks, data, monitor)?;
            evaluation.warnings.iter().for_each(|warning| found.warn(warning.clone()));
            found.evaluation = Some(evaluation);
        }
        if let Some(task) = tasks.first().filter(|_| !self.stability.is_empty()) {
            let selector = task.build(task.recipe.clone())?;
            for stability in &self.stability {
                let report = stability.run_with(&*selector, &selector.view(settled, monitor)?, monitor)?;
                report.ranking.notes.iter().for_each(|note| found.note(note.clone()));
                report.warnings.iter().for_each(|warning| found.warn(warning.clone()));
                found.stability.push(report);
            }
        }
        if self.portrait {
            self.draw(drawn, settled, &mut found, monitor)?;
        }
        self.tell_what_had_no_effect(&tasks, &mut found);
        found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun);
        Ok(found)
    }

    /// Labels that are numbers to be predicted make a class of every sample or two, which nobody means.
    fn refuse_numbers(&self, tasks: &[Task], data: &Dataset) -> Result<()> {
        let Some(labels) = data.labels().filter(|labels| labels.look_continuous()) else { return Ok(()) };
        let mut judged = self.evaluate.iter().filter(|p| p.metric.needs_labels()).map(|p| p.metric.who());
        let needs = |task: &Task| {
            let labels = task.build(task.recipe.clone()).ok()?.labels();
            labels.sees(data).then_some(task.method.info.name)
        };
        let Some(what) = tasks.iter().find_map(needs).or_else(|| judged.next()) else { return Ok(()) };
        let (name, values) = (labels.name().to_owned(), labels.classes().len());
        let samples = labels.codes().iter().flatten().count();
        Err(Error::LabelsContinuous { what, name, values, samples })
    }

    /// The data with what the user asked to be done to all of them, or what suits them.
    fn prepared(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Dataset> {
        let data =
            if self.scaling == Scaling::Auto { data.clone() } else { data.clone().scaled(self.scaling) };
        match self.transform {
            Some(transform) => data.transformed(transform, monitor),
            None => Ok(data),
        }
    }

    /// The methods, made, each with the data as it sees them; for callers that go their own way from
    /// there.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn selectors(&self, data: &Dataset) -> Result<Vec<Box<dyn Selector>>> {
        let tasks = self.tasks(data.n_features())?;
        tasks.iter().map(|task| task.build(task.recipe.clone())).collect()
    }

    /// The methods with everything the user said of them.
    fn tasks(&self, n_features: usize) -> Result<Vec<Task>> {
        let found: Vec<Registered> =
            self.methods.iter().map(|m| methods::find(m.trim())).collect::<Result<_>>()?;
        self.every_setting_reaches(&found)?;
        found.into_iter().map(|method| self.task(method, n_features)).collect()
    }

    fn task(&self, method: Registered, n_features: usize) -> Result<Task> {
        let mut settings: Vec<(&'static str, Value)> = Vec::new();
        for (name, value) in &self.settings {
            settings.extend(method.info.parameter(name).map(|p| (p.name, value.clone())));
        }
        let mut unless_given = |role: Role, value: Value| {
            for parameter in method.info.with_role(role) {
                if settings.iter().all(|(name, _)| *name != parameter.name) {
                    settings.push((parameter.name, value.clone()));
                }
            }
        };
        if let Wanted::Count(count) = self.count {
            unless_given(Role::Count, count.min(n_features).into());
        }
        if let Some(seed) = self.seed {
            unless_given(Role::Seed, (seed as usize).into());
        }
        let asked = method.info.graph != GraphUse::None && !self.graph.is_empty();
        let recipe = asked.then(|| self.graph.recipe(method.info.graph)).transpose()?;
        let task = Task { method, settings, recipe };
        task.build(task.recipe.clone())?;
        Ok(task)
    }

    /// A parameter that no method has is an error: a misspelled one must not be ignored in silence.
    fn every_setting_reaches(&self, found: &[Registered]) -> Result<()> {
        for (name, _) in &self.settings {
            if found.iter().any(|m| m.info.parameter(name).is_some()) {
                continue;
            }
            return Err(match found {
                [one] => Error::UnknownParameter {
                    owner: one.info.name,
                    name: name.clone(),
                    known: one.info.parameter_names(),
                },
                several => {
                    let each =
                        several.iter().map(|m| format!("{} has {}", m.info.name, m.info.parameter_names()));
                    let known = each.collect::<Vec<_>>().join("; ");
                    Error::UnreachedParameter { name: name.clone(), known }
                }
            });
        }
        Ok(())
    }

    fn refuse_twins(&self) -> Result<()> {
        let twin = |(at, name): &(usize, &String)| self.methods[..*at].contains(name);
        match self.methods.iter().enumerate().find(twin) {
            Some((_, name)) => {
                Err(Error::parameter("methods", "a list without repetitions", format!("`{name}` twice")))
            }
            None => Ok(()),
        }
    }

    fn card(&self, data: &Dataset, name: &str) -> RunCard {
        let mut asked: Vec<(String, Value)> = vec![("method".to_owned(), self.methods.join(",").into())];
        asked.extend(self.settings.iter().cloned());
        asked.extend(self.graph.kind.iter().map(|kind| ("graph".to_owned(), kind.clone().into())));
        asked.extend(self.graph.set.iter().cloned());
        if self.scaling != Scaling::Auto {
            asked.push(("scale".to_owned(), self.scaling.name().into()));
        }
        if let Some(transform) = self.transform {
            asked.push(("transform".to_owned(), transform.name().into()));
        }
        match self.count {
            Wanted::All => {}
            Wanted::Count(count) => asked.push(("top".to_owned(), count.into())),
            Wanted::Auto => asked.push(("top".to_owned(), "auto".into())),
        }
        RunCard { version: env!("CARGO_PKG_VERSION"), data: DataCard::of(data, name), asked, seed: self.seed }
    }

    /// Runs the methods. A graph that several of them take is made once.
    /// Where a portrait is asked for, the rankings are kept in `drawn` with what their methods saw.
    fn rankings(
        &self,
        tasks: &[Task],
        data: &Dataset,
        drawn: &mut Vec<(Ranking, Dataset, Option<GraphRecipe>)>,
        monitor: &dyn Monitor,
    ) -> Result<Vec<RankingFound>> {
        let mut shared = SharedGraphs::new(tasks, data)?;
        let mut summaries: Vec<(Arc<Graph>, Arc<GraphSummary>)> = Vec::new();
        let mut rankings = Vec::with_capacity(tasks.len());
        for task in tasks {
            let begun = monitor.now();
            let (recipe, waited) = shared.recipe(task, data, monitor)?;
            let selector = task.build(recipe)?;
            let ranking = selector.rank_with(data, monitor)?;
            if self.portrait {
                drawn.push((ranking.clone(), selector.view(data, monitor)?, task.graph()));
            }
            let graph = ranking.graph.clone();
            let mut found = self.listed(task, ranking, data)?;
            found.graph = graph.clone().map(|graph| summary(&mut summaries, graph));
            found.similarity = graph;
            found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun + waited);
            rankings.push(found);
        }
        Ok(rankings)
    }

    /// The features of a ranking that are listed.
    fn listed(&self, task: &Task, mut ranking: Ranking, data: &Dataset) -> Result<RankingFound> {
        let (m, name) = (ranking.n_features(), task.method.info.name);
        if ranking.n_scored() == 0 {
            ranking.warnings.push(format!(
                "{name} can score no feature, so the order means nothing: all are constant, or the graph tells nothing \
                 about them"
            ));
        }
        let wanted = match self.count {
            Wanted::All => m,
            Wanted::Count(count) => count.min(m),
            Wanted::Auto => match ranking.elbow() {
                Some(elbow) => elbow.max(self.include.len()),
                None => {
                    let why = advice::no_elbow(&ranking);
                    let instead = "all are listed, and an evaluation tells how many are enough";
                    ranking.warnings.push(format!("{why}; {instead}"));
                    m
                }
            },
        };
        if wanted < self.include.len() {
            let rule =
                format!("at least the number of features that must be included ({})", self.include.len());
            return Err(Error::parameter("top", rule, wanted));
        }
        let seen = if ranking.transform == Transform::Ranks { data } else { &data.untransformed() };
        let cut = (wanted < m).then_some(wanted).filter(|_| self.include.is_empty());
        ranking.notes.extend(advice::looks_like_an_answer(&ranking, data));
        ranking.warnings.extend(advice::on_the_best(&ranking, seen, cut)?);
        let listed = ranking.select(wanted, &self.include, &[])?;
        Ok(RankingFound::new(task.method.info, ranking, data, &listed, &self.include))
    }

    /// The graph by itself.
    fn graph_alone(
        &self,
        data: &Dataset,
        pairs: usize,
        found: &mut Findings,
        monitor: &dyn Monitor,
    ) -> Result<GraphFound> {
        let recipe = self.graph.recipe(GraphUse::Knn)?;
        let seen = if recipe.labels().sees(data) { data.clone() } else { data.clone().unlabeled() };
        let scaling = seen.scaling().seen(Scaling::Standard, seen.transform());
        let seen = seen.scaled(scaling);
        let graph = recipe.build(&seen, monitor)?;
        graph.notes().iter().for_each(|note| found.note(note.clone()));
        graph.warnings().iter().for_each(|warning| found.warn(warning.clone()));
        let pairs = pairs.min(graph.n_samples());
        let leading = if pairs > 0 { Spectrum::leading(&graph, pairs, monitor).map(Some) } else { Ok(None) };
        let spectrum = match leading {
            Err(Error::Canceled) => return Err(Error::Canceled),
            // The rest of the answer stands without it.
            Err(error) => {
                found.warn(format!("no spectrum: {error}"));
                None
            }
            Ok(spectrum) => spectrum,
        };
        Ok(GraphFound {
            summary: Arc::new(GraphSummary::of(&graph)),
            similarity: Arc::clone(&graph),
            component_sizes: component_sizes(&graph),
            degrees: graph.degrees().to_vec(),
            spectrum,
            scaling,
            transform: seen.transform(),
        })
    }

    /// What a report draws: of the first ranking, or of the one that was judged best.
    fn draw(
        &self,
        mut drawn: Vec<(Ranking, Dataset, Option<GraphRecipe>)>,
        data: &Dataset,
        found: &mut Findings,
        monitor: &dyn Monitor,
    ) -> Result<()> {
        let mut asked = match self.count {
            Wanted::Count(count) => Some((count, KeptBy::Asked)),
            Wanted::All | Wanted::Auto => None,
        };
        if let Some(evaluation) = &found.evaluation {
            asked = None;
            let judged = evaluation.tables.first().filter(|table| table.goal == Goal::Maximize);
            let enough = judged.and_then(|table| evaluation.verdict(table)).map(|verdict| verdict.enough);
            if let Some((enough, at)) =
                enough.and_then(|e| drawn.iter().position(|d| d.0.method == e.name).map(|at| (e, at)))
            {
                asked = Some((enough.count, KeptBy::Judged));
                drawn.swap(0, at);
            }
        }
        let subject = |(ranking, view, recipe): (Ranking, Dataset, Option<GraphRecipe>)| {
            let order = ranking.select(ranking.n_features(), &self.include, &[])?;
            Ok(Subject { ranking, order, view, recipe, asked })
        };
        let subjects: Vec<Subject> = drawn.into_iter().map(subject).collect::<Result<_>>()?;
        let raw = &data.untransformed().scaled(Scaling::None);
        let portrait = match &found.graph {
            Some(graph) if subjects.is_empty() => {
                Ok(Portrait::of_graph(&graph.similarity, graph.spectrum.as_ref(), raw))
            }
            _ => Portrait::of_rankings(&subjects, raw, monitor),
        };
        match portrait {
            Err(Error::Canceled) => return Err(Error::Canceled),
            // The answer stands without its picture.
            Err(error) => found.warn(format!("no pictures of the samples: {error}")),
            Ok(portrait) => found.portrait = Some(portrait),
        }
        Ok(())
    }

    /// Every method, asked anew on the training part of every partition.
    fn judge(
        &self,
        protocol: &Protocol,
        tasks: &[Task],
        data: &Dataset,
        monitor: &dyn Monitor,
    ) -> Result<crate::eval::Evaluation> {
        let given = |task: &Task| matches!(task.recipe, Some(GraphRecipe::Given(_)));
        if protocol.selection == Selection::Training && tasks.iter().any(given) {
            let rule = "made from the data: a given graph is of all samples, and selection sees the training part \
                        alone (select on all samples to use it)";
            return Err(Error::parameter("graph", rule, "a given one"));
        }
        let candidate = |task: &Task| Ok(Candidate::shared(Arc::from(task.build(task.recipe.clone())?)));
        let candidates = tasks.iter().map(candidate).collect::<Result<Vec<_>>>()?;
        protocol.evaluate(data, &candidates, monitor)
    }

    /// What the user said and nobody could hear.
    fn tell_what_had_no_effect(&self, tasks: &[Task], found: &mut Findings) {
        let unseen = !tasks.is_empty() && found.seen.iter().all(|seen| seen.target.is_none());
        if let Some(target) = found.card.data.target.as_ref().filter(|_| unseen && self.evaluate.is_none()) {
            let takes = methods::all().iter().filter(|m| m.info.takes_number).map(|m| m.info.name);
            let (name, takes) = (&target.name, takes.collect::<Vec<_>>().join(", "));
            found.warn(format!(
                "the target `{name}` has no effect: no method that was asked uses it; these do: {takes}"
            ));
        }
        let graphs = tasks.iter().any(|t| t.method.info.graph != GraphUse::None);
        if !self.graph.is_empty() && !graphs && self.spectrum.is_none() {
            found.warn("what was said of the graph has no effect: no method takes one");
        }
        if !matches!(self.scaling, Scaling::Auto | Scaling::None)
            && let [task] = tasks
            && task.method.info.scaling == Scaling::None
            && self.spectrum.is_none()
        {
            let name = task.method.info.name;
            found.warn(format!("the scaling has no effect: {name} sees the data as they are"));
        }
    }
}

impl Task {
    fn build(&self, recipe: Option<GraphRecipe>) -> Result<Box<dyn Selector>> {
        self.method.build(self.settings.iter().map(|(name, value)| (*name, value.clone())), recipe)
    }

    /// The recipe of its graph; `None` where it takes none.
    fn graph(&self) -> Option<GraphRecipe> {
        let takes = self.method.info.graph != GraphUse::None;
        takes.then(|| self.recipe.clone().unwrap_or_else(|| self.method.info.graph.default_recipe()))
    }
}

/// What decides which graph a method takes: the recipe, and how the data are scaled.
type GraphKey = (GraphRecipe, Scaling, Transform);

/// Graphs that several methods take, made when the first of them asks.
struct SharedGraphs {
    keys: Vec<GraphKey>,
    made: Vec<(GraphKey, Arc<Graph>, f64)>,
}

impl SharedGraphs {
    fn new(tasks: &[Task], data: &Dataset) -> Result<Self> {
        let keys = tasks.iter().filter_map(|task| Self::key(task, data)).collect();
        Ok(SharedGraphs { keys, made: Vec::new() })
    }

    fn key(task: &Task, data: &Dataset) -> Option<GraphKey> {
        let view = task.build(task.recipe.clone()).and_then(|method| method.view(data, &Silent)).ok()?;
        // The similarity of a target is made by the method that takes it.
        if view.target().is_some() && task.graph()?.labels() == LabelUse::Needed {
            return None;
        }
        Some((task.graph()?, view.scaling(), view.transform()))
    }

    /// The recipe that a method is built with, and the seconds that an earlier method spent on its graph.
    fn recipe(
        &mut self,
        task: &Task,
        data: &Dataset,
        monitor: &dyn Monitor,
    ) -> Result<(Option<GraphRecipe>, f64)> {
        let Some(key) = Self::key(task, data) else { return Ok((None, 0.0)) };
        if let Some((_, graph, seconds)) = self.made.iter().find(|(known, ..)| *known == key) {
            return Ok((Some(GraphRecipe::Given(Arc::clone(graph))), *seconds));
        }
        // A method that is alone with its graph makes it itself, or does without.
        if self.keys.iter().filter(|other| **other == key).count() < 2 {
            return Ok((task.recipe.clone(), 0.0));
        }
        let begun = monitor.now();
        let selector = task.build(task.recipe.clone())?;
        let mut seen = selector.view(data, monitor)?;
        if let (LabelUse::Needed, Some(labels)) = (key.0.labels(), data.labels()) {
            seen = seen.labeled(labels.clone())?;
        }
        let graph = key.0.build(&seen, monitor)?;
        let seconds = begun.zip(monitor.now()).map_or(0.0, |(begun, now)| now - begun);
        self.made.push((key, Arc::clone(&graph), seconds));
        Ok((Some(GraphRecipe::Given(graph)), 0.0))
    }
}

/// The summary of a graph, made once however many methods share it.
fn summary(known: &mut Vec<(Arc<Graph>, Arc<GraphSummary>)>, graph: Arc<Graph>) -> Arc<GraphSummary> {
    if let Some((_, summary)) = known.iter().find(|(other, _)| Arc::ptr_eq(other, &graph)) {
        return Arc::clone(summary);
    }
    let summary = Arc::new(GraphSummary::of(&graph));
    known.push((graph, Arc::clone(&summary)));
    summary
}

/// Samples per component, most first.
fn component_sizes(graph: &Graph) -> Vec<usize> {
    let components = graph.components();
    let mut sizes = vec![0; components.iter().max().map_or(0, |c| c + 1)];
    components.iter().for_each(|&c| sizes[c] += 1);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
