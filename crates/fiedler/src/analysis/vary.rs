//! Parameters of methods that take several values in one question: every combination is judged as a method of its own.

use super::Analysis;
use super::task::Task;
use crate::eval::{Evaluation, Variant};
use crate::parameters::ParameterValue;
use crate::selector::Registered;
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
            if self.settings.iter().any(|(other, _)| other == name) {
                return wrong("a parameter that is not set to one value as well", "both ways");
            }
        }
        Ok(())
    }

    /// The variants of a method: every combination of the values of those parameters that it has; one without any where it
    /// has none of them.
    pub(super) fn variants(&self, method: &Registered) -> Result<Vec<Option<Variant>>> {
        let mut combinations: Vec<Vec<(String, ParameterValue)>> = vec![Vec::new()];
        for (name, values) in &self.vary {
            let Some(info) = method.info.parameter(name) else { continue };
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
        Some(curve.aggregated.summary.mean)
    };
    let better = |a: &str, b: &str| {
        let values = mean(a).zip(mean(b));
        table.zip(values).is_some_and(|(table, (a, b))| table.better(a, b))
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
