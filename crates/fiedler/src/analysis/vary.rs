//! Parameters of methods and of their graphs that take several values in one question: every combination is judged as a
//! method of its own.

use super::Analysis;
use super::task::Task;
use crate::eval::{Evaluation, Variant};
use crate::graph::{GraphInfo, GraphOptions};
use crate::parameters::{ParameterInfo, ParameterValue};
use crate::selector::{GraphUse, Registered};
use crate::{Error, Result};

/// The most combinations of a method.
const MOST: usize = 100;

impl Analysis {
    /// Checks what varies, whatever the methods are.
    pub(super) fn check_vary(&self) -> Result<()> {
        for (at, (name, values)) in self.vary.iter().enumerate() {
            let wrong =
                |rule: &str, got: &str| Err(Error::parameter("vary", rule, format!("`{name}` {got}")));
            if self.evaluate.is_none() {
                return wrong("left out where nothing is judged", "with several values");
            }
            if values.is_empty() {
                return wrong("a parameter with its values", "without any");
            }
            if self.vary[..at].iter().any(|(other, _)| other == name) {
                return wrong("every parameter once, with all its values", "twice");
            }
            if self.settings.iter().chain(&self.graph.set).any(|(other, _)| other == name) {
                return wrong("a parameter that is not set to one value as well", "both ways");
            }
        }
        Ok(())
    }

    /// A parameter that varies must be one of a method, or of the graph that a method takes.
    pub(super) fn varied_reach(&self, found: &[Registered]) -> Result<()> {
        for (name, _) in &self.vary {
            if found.is_empty() {
                let rule = "given with a method, whose parameter it is";
                return Err(Error::parameter("vary", rule, format!("`{name}` and no method")));
            }
            if found.iter().all(|method| self.varied(method, name).is_none()) {
                let known = |method: &Registered| {
                    let all: Vec<&str> = self.parameters_of(method).map(|parameter| parameter.name).collect();
                    let listed = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
                    format!("{}: {listed}", method.info.name)
                };
                let known = found.iter().map(known).collect::<Vec<_>>().join("; ");
                let rule = format!("a parameter of a method or of the graph that it takes ({known})");
                return Err(Error::parameter("vary", rule, format!("`{name}`")));
            }
        }
        Ok(())
    }

    /// The parameters of a method, then those of its graph: a name that both have is the method's.
    fn parameters_of(&self, method: &Registered) -> impl Iterator<Item = &'static ParameterInfo> {
        let takes = method.info.graph != GraphUse::None && self.graph.given.is_none();
        let kind = takes.then(|| GraphInfo::find(self.graph.kind(method.info.graph))).flatten();
        let own = method.info.parameters.iter();
        own.chain(kind.map_or(&[][..], |kind| kind.parameters))
    }

    fn varied(&self, method: &Registered, name: &str) -> Option<&'static ParameterInfo> {
        self.parameters_of(method).find(|parameter| parameter.name == name)
    }

    /// The graph as a variant of a method takes it: one for every value of a parameter of graphs.
    pub(super) fn graph_of(&self, method: &Registered, variant: Option<&Variant>) -> GraphOptions {
        let mut graph = self.graph.clone();
        let values = variant.into_iter().flat_map(|variant| &variant.values);
        graph.set.extend(values.filter(|(name, _)| method.info.parameter(name).is_none()).cloned());
        graph
    }

    /// The variants of a method: every combination of the values of those parameters that it or its graph has; one
    /// without any where there are none of them.
    pub(super) fn variants(&self, method: &Registered) -> Result<Vec<Option<Variant>>> {
        let mut combinations: Vec<Vec<(String, ParameterValue)>> = vec![Vec::new()];
        for (name, values) in &self.vary {
            let Some(info) = self.varied(method, name) else { continue };
            let values = values.iter().map(|value| info.check(value)).collect::<Result<Vec<_>>>()?;
            let twin = |(at, value): &(usize, &ParameterValue)| values[..*at].contains(value);
            if let Some((_, twice)) = values.iter().enumerate().find(twin) {
                let got = format!("`{name}` {twice} twice");
                return Err(Error::parameter("vary", "values without repetitions", got));
            }
            let with = |known: &Vec<(String, ParameterValue)>, value: &ParameterValue| {
                known.iter().cloned().chain([(name.clone(), value.clone())]).collect()
            };
            let count = combinations.len().saturating_mul(values.len());
            if count > MOST {
                let rule = format!("at most {MOST} combinations of values a method");
                return Err(Error::parameter("vary", rule, count));
            }
            combinations =
                combinations.iter().flat_map(|known| values.iter().map(|value| with(known, value))).collect();
        }
        let of = method.info.name.to_owned();
        let variant = |values: Vec<_>| (!values.is_empty()).then(|| Variant { of: of.clone(), values });
        Ok(combinations.into_iter().map(variant).collect())
    }
}

/// Of every method one variant: that which needs the fewest features to be good enough, or else the best over all numbers of features,
/// in the first table, which is that of the fewest labels; where nothing was judged, the first.
pub(super) fn best_of_each<'t>(
    tasks: impl Iterator<Item = &'t Task>,
    judged: Option<&Evaluation>,
) -> Vec<String> {
    let table = judged.and_then(|evaluation| evaluation.tables.first());
    let enough = judged.and_then(Evaluation::fewest).map(|enough| enough.name);
    let mean = |name: &str| {
        let curve = table?.curves.iter().find(|curve| curve.name == name)?;
        curve.aggregated.is_judged().then_some(curve.aggregated.summary.mean)
    };
    let better = |a: &str, b: &str| match (table, mean(a), mean(b)) {
        (Some(table), Some(a), Some(b)) => table.better(a, b),
        (_, a, b) => a.is_some() && b.is_none(),
    };
    let mut best: Vec<(&str, String)> = Vec::new();
    for task in tasks {
        let (method, name) = (task.method.info.name, task.name());
        match best.iter_mut().find(|(known, _)| *known == method) {
            Some((_, known)) if enough.as_ref() == Some(known) => {}
            Some((_, known)) if enough.as_ref() == Some(&name) || better(&name, known) => *known = name,
            Some(_) => {}
            None => best.push((method, name)),
        }
    }
    best.into_iter().map(|(_, name)| name).collect()
}
