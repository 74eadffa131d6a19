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

mod card;
mod judging;
mod shared;
mod task;
mod vary;

use std::sync::Arc;

use shared::SharedGraphs;
use task::{
    Ready, Task, every_setting_reaches, fits_what_is_kept, in_units_of_data, keeps_the_best, makes_model,
    own_targets_reach,
};

use crate::advice::{self, Step, Wording};
use crate::dataset::{Dataset, Scaling, Transform};
use crate::eval::{Candidate, Protocol};
use crate::findings::{Findings, GraphFound, GraphSummary, RankingFound, RunCard, Seen};
use crate::graph::{Graph, GraphOptions, GraphRecipe};
use crate::methods::{self, TargetMatrix};
use crate::monitor::{Beside, Monitor};
use crate::parameters::ParameterValue;
use crate::portrait::{KeptBy, Portrait, Subject};
use crate::ranking::Ranking;
use crate::selector::{GraphUse, Registered, Selector};
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
    pub settings: Vec<(String, ParameterValue)>,
    /// Parameters of methods or of their graphs that take several values where selections are judged: every combination of them
    /// is judged, for the methods that have them.
    pub vary: Vec<(String, Vec<ParameterValue>)>,
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
    /// What is judged beside the methods: rankings made elsewhere, fusions.
    pub beside: Vec<Candidate>,
    /// Other data that judge what is selected on these, and what the user calls them.
    pub judge_on: Option<(String, Dataset)>,
    /// How sure the selection of the first method is, where that is asked.
    pub stability: Vec<Stability>,
    /// Whether what a report draws is computed too.
    pub portrait: bool,
    /// What users of the front end type to follow the advice in notes and warnings.
    pub wording: Wording,
    /// The user's own targets, a row a sample, for the methods that explain some; for rankings alone.
    pub targets: Option<Arc<TargetMatrix>>,
    /// Whether the linear model of the method is wanted: one method that makes one, of values as they are.
    pub coefficients: bool,
}

/// How many features are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Wanted {
    /// All are listed; methods that choose features together choose as many as will be judged, or as their own default says.
    #[default]
    All,
    /// This many (all of them, where there are fewer).
    Count(usize),
    /// All are listed; methods that choose features together choose this many.
    AllChoosing(usize),
    /// As many as come before the turning point of the sorted scores.
    Auto,
}

impl Default for Analysis {
    fn default() -> Self {
        Analysis {
            methods: vec![methods::DEFAULT_RANKING.to_owned()],
            method_is_usual: false,
            settings: Vec::new(),
            vary: Vec::new(),
            graph: GraphOptions::default(),
            scaling: Scaling::Auto,
            transform: None,
            count: Wanted::All,
            include: Vec::new(),
            seed: None,
            rank: true,
            spectrum: None,
            evaluate: None,
            beside: Vec::new(),
            judge_on: None,
            stability: Vec::new(),
            portrait: false,
            wording: |_| None,
            targets: None,
            coefficients: false,
        }
    }
}

impl Analysis {
    /// Checks everything that can be checked without data.
    ///
    /// # Errors
    /// An unknown method or parameter, a value that breaks its rule, an option that no method takes.
    pub fn check(&self) -> Result<()> {
        if let Some(protocol) = &self.evaluate {
            self.refuse_twins()?;
            protocol.check()?;
        }
        self.stability.iter().try_for_each(Stability::check)?;
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
        let monitor = &Beside { monitor, held: data.columns().held() };
        let data = &self.prepared(data, monitor)?;
        let card = self.card(data, name);
        match &self.evaluate {
            Some(protocol) => {
                let protocol = protocol.clone().fitted_to(data, &self.beside);
                let fitted = Analysis { evaluate: Some(protocol), ..self.clone() };
                fitted.answer(card, data, monitor)
            }
            None => self.answer(card, data, monitor),
        }
    }

    /// The answer, for data that are prepared and a question that is fitted to them.
    fn answer(&self, card: RunCard, data: &Dataset, monitor: &dyn Monitor) -> Result<Findings> {
        let begun = monitor.now();
        let tasks = self.tasks(data.n_features())?;
        self.refuse_numbers(&tasks, data)?;
        let mut found = Findings::new(card, data.feature_names().clone());
        // What is done to every value is settled once, whatever the number of methods. Evaluation looks at the training
        // part alone, and settles it there.
        let looks = self.spectrum.is_some() || tasks.iter().any(|task| task.asked.takes_what_suits());
        let settled = &if looks { data.suited(monitor)? } else { data.clone() };
        let ready: Vec<Ready> =
            tasks.into_iter().map(|task| task.seeing(settled, monitor)).collect::<Result<_>>()?;
        if self.coefficients {
            ready.iter().try_for_each(|ready| in_units_of_data(&ready.view))?;
        }
        found.seen = ready.iter().map(|Ready { task, view }| Seen::of(task.name(), view)).collect();
        if let Some(pairs) = self.spectrum {
            found.graph = Some(self.graph_alone(settled, pairs, &mut found, monitor)?);
        }
        self.judged(&ready, data, &mut found, monitor)?;
        let mut drawn = Vec::new();
        if self.rank {
            // On a graph of the classes the usual method does look at labels.
            if self.method_is_usual && ready.iter().all(|ready| ready.view.labels().is_none()) {
                advice::better_than_default(settled, self.wording)
                    .into_iter()
                    .for_each(|note| found.note(note));
            }
            let tasks = ready.iter().map(|ready| &ready.task);
            let shown = vary::best_of_each(tasks, found.evaluation.as_ref());
            let shown: Vec<&Ready> =
                ready.iter().filter(|ready| shown.contains(&ready.task.name())).collect();
            found.rankings = self.rankings(&shown, settled, &mut drawn, monitor)?;
            let notes: Vec<String> = found.rankings.iter().flat_map(|r| r.notes.clone()).collect();
            notes.into_iter().for_each(|note| found.note(note));
            let warnings: Vec<String> = found.rankings.iter().flat_map(|r| r.warnings.clone()).collect();
            warnings.into_iter().for_each(|warning| found.warn(warning));
        }
        self.measured(&ready, &mut found, monitor)?;
        if self.portrait {
            self.draw(drawn, settled, &mut found, monitor)?;
        }
        self.tell_what_had_no_effect(&ready, &mut found);
        let looks = found.seen.iter().any(|seen| seen.scaling == Scaling::Standard && seen.labels.is_none());
        if looks || found.graph.is_some() {
            let warning = advice::standardized_as_asked(data, self.wording);
            warning.into_iter().for_each(|warning| found.warn(warning));
        }
        found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun);
        Ok(found)
    }

    /// Labels that are numbers to be predicted make a class of every sample or two, which nobody means.
    fn refuse_numbers(&self, tasks: &[Task], data: &Dataset) -> Result<()> {
        let Some(labels) = data.labels().filter(|labels| labels.look_continuous()) else { return Ok(()) };
        let mut judged = self.evaluate.iter().filter(|p| p.metric.needs_labels()).map(|p| p.metric.who());
        let needs = |task: &Task| task.asked.labels().sees(data).then_some(task.method.info.name);
        let named = data.labels_are_named().then_some("a column of labels");
        let Some(what) = tasks.iter().find_map(needs).or_else(|| judged.next()).or(named) else {
            return Ok(());
        };
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
        tasks.iter().map(|task| task.on(task.recipe.clone())).collect()
    }

    /// The methods with everything the user said of them.
    fn tasks(&self, n_features: usize) -> Result<Vec<Task>> {
        let found: Vec<Registered> =
            self.methods.iter().map(|m| methods::find(m.trim())).collect::<Result<_>>()?;
        self.check_vary()?;
        every_setting_reaches(self.settings.iter().map(|(name, _)| name), &found)?;
        self.varied_reach(&found)?;
        let mut tasks = Vec::with_capacity(found.len());
        for method in found {
            for variant in self.variants(&method)? {
                tasks.push(Task::new(self, method, variant, n_features)?);
            }
        }
        if self.coefficients {
            makes_model(&tasks)?;
            fits_what_is_kept(self, &tasks)?;
            keeps_the_best(self)?;
        }
        if self.targets.is_some() {
            own_targets_reach(self, &tasks)?;
        }
        Ok(tasks)
    }

    fn refuse_twins(&self) -> Result<()> {
        let beside = self.beside.iter().map(|candidate| &candidate.name);
        let names: Vec<&String> = self.methods.iter().chain(beside).collect();
        let twin = |(at, name): &(usize, &&String)| names[..*at].contains(name);
        match names.iter().enumerate().find(twin) {
            Some((_, name)) => {
                Err(Error::parameter("methods", "a list without repetitions", format!("`{name}` twice")))
            }
            None => Ok(()),
        }
    }

    /// Runs the methods. A graph that several of them take is made once.
    /// Where a portrait is asked for, the rankings are kept in `drawn` with what their methods saw.
    fn rankings(
        &self,
        tasks: &[&Ready],
        data: &Dataset,
        drawn: &mut Vec<(Ranking, Dataset, Option<GraphRecipe>)>,
        monitor: &dyn Monitor,
    ) -> Result<Vec<RankingFound>> {
        let mut shared = SharedGraphs::new(tasks);
        let mut rankings = Vec::with_capacity(tasks.len());
        for &ready in tasks {
            let begun = monitor.now();
            let (recipe, waited) = shared.recipe(ready, data, monitor)?;
            let mut ranking = ready.task.on(recipe.clone())?.rank_seen(&ready.view, monitor)?;
            let turn = ranking.elbow().filter(|_| self.coefficients && self.count == Wanted::Auto);
            if let Some(turn) = turn {
                // The model is of the features that are kept, as it is where their number is said.
                ranking = ready.task.choosing(turn, recipe)?.rank_seen(&ready.view, monitor)?;
            }
            if self.portrait {
                drawn.push((ranking.clone(), ready.view.clone(), ready.task.graph()));
            }
            if self.coefficients {
                ranking.notes.push(advice::SHRUNK.to_owned());
            }
            let graph = ranking.graph.clone();
            let mut found = self.listed(&ready.task, ranking, turn, data)?;
            found.graph = graph.clone().map(|graph| shared.summary(graph));
            found.similarity = graph;
            found.seconds = begun.zip(monitor.now()).map(|(begun, now)| now - begun + waited);
            rankings.push(found);
        }
        Ok(rankings)
    }

    /// The features of a ranking that are listed; `turn` is their number where that is known before.
    fn listed(
        &self,
        task: &Task,
        mut ranking: Ranking,
        turn: Option<usize>,
        data: &Dataset,
    ) -> Result<RankingFound> {
        let (m, name) = (ranking.n_features(), task.method.info.name);
        if ranking.n_scored() == 0 {
            let why = match &ranking.graph {
                _ if (0..m).all(|j| data.constant(j)) => ": all are constant",
                Some(_) => ": the graph tells nothing about them",
                None => "",
            };
            ranking.warnings.push(format!("{name} can score no feature, so the order means nothing{why}"));
        }
        let wanted = match self.count {
            Wanted::All | Wanted::AllChoosing(_) => m,
            Wanted::Count(count) => count.min(m),
            Wanted::Auto => match turn.or(ranking.elbow()) {
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
        ranking.notes.extend(advice::looks_like_an_answer(&ranking, data, self.wording));
        ranking.warnings.extend(advice::on_the_best(&ranking, seen, cut, self.wording)?);
        let listed = ranking.select(wanted, &self.include, &[])?;
        let mut found = RankingFound::new(task.method.info, ranking, data, &listed, &self.include);
        if turn.is_some() {
            (found.elbow, found.no_elbow) = (turn, None);
        }
        Ok(found)
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
            Err(Error::Parameter { rule, got, .. }) => {
                let typed = advice::typed(Step::Eigenvalues, self.wording);
                found
                    .warn(format!("no spectrum: the number of eigenvalues{typed} must be {rule}, got {got}"));
                None
            }
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
            Wanted::Count(count) | Wanted::AllChoosing(count) => Some((count, KeptBy::Asked)),
            Wanted::All | Wanted::Auto => {
                self.stability.first().map(|measured| (measured.count, KeptBy::Usual))
            }
        };
        if let Some(evaluation) = &found.evaluation {
            asked = None;
            if let Some((enough, at)) = evaluation.fewest().and_then(|e| {
                drawn.iter().position(|d| evaluation.is_by(&e.name, d.0.method)).map(|at| (e, at))
            }) {
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

    /// What the user said and nobody could hear.
    fn tell_what_had_no_effect(&self, tasks: &[Ready], found: &mut Findings) {
        let unseen = !tasks.is_empty() && found.seen.iter().all(|seen| seen.target.is_none());
        if let Some(target) = found.card.data.target.as_ref().filter(|_| unseen && self.evaluate.is_none()) {
            let takes = methods::all().iter().filter(|m| m.info.takes_number).map(|m| m.info.name);
            let (name, takes) = (&target.name, takes.collect::<Vec<_>>().join(", "));
            found.warn(format!(
                "the target `{name}` has no effect: no method that was asked uses it; these do: {takes}"
            ));
        }
        let takes = |ready: &&Ready| ready.task.method.info.graph != GraphUse::None;
        let why_not = |ready: &Ready| ready.task.asked.without_graph(&ready.view);
        let unused: Option<Vec<String>> = tasks.iter().filter(takes).map(why_not).collect();
        if let Some(why) = unused.filter(|_| !self.graph.is_empty() && self.spectrum.is_none()) {
            let why = why.into_iter().next().unwrap_or_else(|| "no method takes one".to_owned());
            found.warn(format!("what was said of the graph has no effect: {why}"));
        }
        let unread = |ready: &Ready| ready.task.unread();
        let of = |name: &'static str| tasks.iter().filter(move |ready| ready.task.method.info.name == name);
        for ready in tasks {
            let everywhere = |sentence: &String| {
                of(ready.task.method.info.name).all(|variant| unread(variant).contains(sentence))
            };
            unread(ready).into_iter().filter(everywhere).for_each(|sentence| found.warn(sentence));
        }
        if !matches!(self.scaling, Scaling::Auto | Scaling::None)
            && let [Ready { task, .. }] = tasks
            && task.method.info.scaling == Scaling::None
            && self.spectrum.is_none()
        {
            let name = task.method.info.name;
            found.warn(format!("the scaling has no effect: {name} sees the data as they are"));
        }
    }
}

/// Samples per component, most first.
fn component_sizes(graph: &Graph) -> Vec<usize> {
    let components = graph.components();
    let mut sizes = vec![0; components.iter().max().map_or(0, |c| c + 1)];
    components.iter().for_each(|&c| sizes[c] += 1);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
