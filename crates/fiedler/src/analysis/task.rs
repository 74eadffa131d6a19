//! A method of an analysis: everything the user said of it, and what it sees of the data.

use std::sync::Arc;

use super::{Analysis, Wanted};
use crate::dataset::{Dataset, Transform};
use crate::eval::Variant;
use crate::graph::GraphRecipe;
use crate::methods::TargetMatrix;
use crate::monitor::Monitor;
use crate::parameters::{ParameterInfo, ParameterValue, Role};
use crate::selector::{GraphUse, Registered, Selector};
use crate::{Error, Result};

/// A method of an analysis, checked: what it is built from, but for the data.
pub(super) struct Task {
    pub(super) method: Registered,
    /// The method as it was asked: it says what it sees.
    pub(super) asked: Arc<dyn Selector>,
    settings: Vec<(&'static str, ParameterValue)>,
    /// What the user said of parameters, those that vary among them.
    said: Vec<(String, ParameterValue)>,
    /// The values that it has of parameters that vary.
    pub(super) variant: Option<Variant>,
    /// `None` where the user said nothing of the graph, or the method takes none.
    pub(super) recipe: Option<GraphRecipe>,
    /// The user's own targets.
    targets: Option<Arc<TargetMatrix>>,
}

/// A task with the data as its method sees them.
pub(super) struct Ready {
    pub(super) task: Task,
    pub(super) view: Dataset,
}

impl Task {
    /// What the user set and the method does not read, as sentences.
    pub(super) fn unread(&self) -> Vec<String> {
        let name = self.method.info.name;
        let value = |parameter: &str| {
            let said = self.said.iter().rev().find(|(name, _)| name == parameter);
            said.map(|(_, value)| value.to_string())
        };
        let unread = |parameter: &&ParameterInfo| value(parameter.name).is_some();
        let sentence = |parameter: &ParameterInfo| {
            let (other, needed) = parameter.only_with?;
            let read = value(other).as_deref() == Some(needed);
            let own = parameter.name;
            (!read).then(|| format!("`{own}` has no effect: {name} reads it with {other}={needed}"))
        };
        self.method.info.parameters.iter().filter(unread).filter_map(sentence).collect()
    }

    /// The name that it is judged under.
    pub(super) fn name(&self) -> String {
        self.variant.as_ref().map_or_else(|| self.method.info.name.to_owned(), Variant::to_string)
    }

    pub(super) fn new(
        analysis: &Analysis,
        method: Registered,
        variant: Option<Variant>,
        n_features: usize,
    ) -> Result<Self> {
        let graph = analysis.graph_of(&method, variant.as_ref());
        let asked = method.info.graph != GraphUse::None && !graph.is_empty();
        let recipe = asked.then(|| graph.recipe(method.info.graph)).transpose()?;
        let own = variant.iter().flat_map(|variant| variant.values.iter().cloned());
        let said: Vec<(String, ParameterValue)> = analysis.settings.iter().cloned().chain(own).collect();
        let settings = settings(analysis, &said, &method, n_features);
        let targets = analysis.targets.clone();
        let selector = explaining(method.build(settings.iter().cloned(), recipe.clone())?, targets.as_ref());
        Ok(Task { method, asked: Arc::from(selector), settings, said, variant, recipe, targets })
    }

    /// The method with another graph than it was asked with.
    pub(super) fn on(&self, recipe: Option<GraphRecipe>) -> Result<Box<dyn Selector>> {
        Ok(explaining(self.method.build(self.settings.iter().cloned(), recipe)?, self.targets.as_ref()))
    }

    /// The same method choosing so many features together.
    pub(super) fn choosing(&self, count: usize, recipe: Option<GraphRecipe>) -> Result<Box<dyn Selector>> {
        let mut settings = self.settings.clone();
        for parameter in self.method.info.with_role(Role::Count) {
            settings.retain(|(name, _)| *name != parameter.name);
            settings.push((parameter.name, count.into()));
        }
        Ok(explaining(self.method.build(settings, recipe)?, self.targets.as_ref()))
    }

    /// The recipe of its graph; `None` where it takes none.
    pub(super) fn graph(&self) -> Option<GraphRecipe> {
        let takes = self.method.info.graph != GraphUse::None;
        takes.then(|| self.recipe.clone().unwrap_or_else(|| self.method.info.graph.default_recipe()))
    }

    /// The task with what its method sees of `data`.
    pub(super) fn seeing(self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ready> {
        let view = self.asked.view(data, monitor)?;
        Ok(Ready { task: self, view })
    }
}

/// The parameters of a method: what was said of them, then what follows from the rest of the question.
fn settings(
    analysis: &Analysis,
    said: &[(String, ParameterValue)],
    method: &Registered,
    n_features: usize,
) -> Vec<(&'static str, ParameterValue)> {
    let mut settings: Vec<(&'static str, ParameterValue)> = Vec::new();
    for (name, value) in said {
        settings.extend(method.info.parameter(name).map(|p| (p.name, value.clone())));
    }
    let mut unless_given = |role: Role, value: ParameterValue| {
        for parameter in method.info.with_role(role) {
            if settings.iter().all(|(name, _)| *name != parameter.name) {
                settings.push((parameter.name, value.clone()));
            }
        }
    };
    if let Some(count) = chosen_together(analysis) {
        unless_given(Role::Count, count.min(n_features).into());
    }
    if let Some(seed) = analysis.seed {
        unless_given(Role::Seed, (seed as usize).into());
    }
    settings
}

/// How many features are chosen by methods that choose them together: as many as are wanted, or as many as will be judged.
fn chosen_together(analysis: &Analysis) -> Option<usize> {
    let judged = analysis.evaluate.as_ref().and_then(|protocol| protocol.counts.last().copied());
    let repeated = analysis.stability.first().map(|stability| stability.count);
    match analysis.count {
        Wanted::Count(count) | Wanted::AllChoosing(count) => Some(count),
        Wanted::All | Wanted::Auto => judged.max(repeated),
    }
}

/// A parameter that no method has is an error: a misspelled one must not be ignored in silence.
pub(super) fn every_setting_reaches<'a>(
    settings: impl Iterator<Item = &'a String>,
    found: &[Registered],
) -> Result<()> {
    for name in settings {
        if found.iter().any(|m| m.info.parameter(name).is_some()) {
            continue;
        }
        return Err(match found {
            [one] => Error::UnknownParameter {
                owner: one.info.name,
                name: name.clone(),
                known: one.info.parameter_names(),
            },
            [] => Error::UnreachedParameter {
                name: name.clone(),
                known: "parameters are those of methods, and there is none".to_owned(),
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

/// The method with the user's own targets, where it explains some.
fn explaining(selector: Box<dyn Selector>, targets: Option<&Arc<TargetMatrix>>) -> Box<dyn Selector> {
    targets.and_then(|targets| selector.explaining(Arc::clone(targets))).unwrap_or(selector)
}

/// Targets that no method explains are an error; so are they where samples come and go.
pub(super) fn own_targets_reach(analysis: &Analysis, tasks: &[Task]) -> Result<()> {
    let wrong = |rule: &str, got: &str| Err(Error::parameter("targets", rule, got));
    if analysis.evaluate.is_some() || !analysis.stability.is_empty() {
        return wrong(
            "the method's where selections are judged on parts of the samples",
            "targets of a file",
        );
    }
    if tasks.iter().any(|task| task.asked.makes_model()) {
        return Ok(());
    }
    wrong("left out, for no method that is asked explains targets (mrsf does)", "some")
}

/// Coefficients are those of one method, and one that makes a linear model.
pub(super) fn makes_model(tasks: &[Task]) -> Result<()> {
    let makes = |task: &Task| task.asked.makes_model();
    match tasks {
        [one] if makes(one) => Ok(()),
        _ => {
            let names: Vec<&str> = tasks.iter().map(|task| task.method.info.name).collect();
            let rule = "one method that makes a linear model, as `mrsf` does, for coefficients";
            Err(Error::parameter("method", rule, names.join(", ")))
        }
    }
}

/// The features that are kept are those of the model.
pub(super) fn fits_what_is_kept(analysis: &Analysis, tasks: &[Task]) -> Result<()> {
    let Wanted::Count(kept) = analysis.count else { return Ok(()) };
    for parameter in tasks.iter().flat_map(|task| task.method.info.with_role(Role::Count)) {
        let said = analysis.settings.iter().rev().find(|(name, _)| name == parameter.name);
        if let Some((name, value)) = said.filter(|(_, value)| value.to_string() != kept.to_string()) {
            let rule =
                format!("left out, or the number of features that are kept ({kept}), for coefficients");
            return Err(Error::parameter(name, rule, value));
        }
    }
    Ok(())
}

/// Features that are kept because the user wants them are in no model.
pub(super) fn keeps_the_best(analysis: &Analysis) -> Result<()> {
    if analysis.include.is_empty() || !matches!(analysis.count, Wanted::Count(_) | Wanted::Auto) {
        return Ok(());
    }
    let rule = "left out for coefficients: the model is of the features that the method selects";
    Err(Error::parameter("include", rule, analysis.include.len()))
}

/// Coefficients of values that were changed could not be applied to data.
pub(super) fn in_units_of_data(view: &Dataset) -> Result<()> {
    match view.transform() {
        Transform::None => Ok(()),
        changed => {
            let rule = "none for coefficients, which are in the units of the data";
            Err(Error::parameter("transform", rule, changed.name()))
        }
    }
}
