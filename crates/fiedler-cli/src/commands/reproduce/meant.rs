//! Recipes that every rule of their keys allows and that cannot mean anything: told with their lines before any work is done.

use super::recipe::{Claim, Evaluate, Printed, Recipe};
use super::values::{Wrong, line};

/// Checks what keys mean together.
///
/// # Errors
/// Some mean nothing.
pub(super) fn check(recipe: &Recipe, text: &str) -> Result<(), Wrong> {
    let meant = Meant { recipe, text };
    meant.settings()?;
    meant.data()?;
    meant.claims()?;
    recipe.evaluate.iter().try_for_each(|question| meant.evaluate(question))
}

struct Meant<'a> {
    recipe: &'a Recipe,
    text: &'a str,
}

impl Meant<'_> {
    fn wrong(&self, table: (&str, usize), keys: &[&str], sentence: String) -> Result<(), Wrong> {
        Err((line(self.text, table, keys), sentence))
    }

    /// Columns are told apart by their names.
    fn settings(&self) -> Result<(), Wrong> {
        let names: Vec<&str> = self.recipe.setting.iter().map(|setting| setting.name.as_str()).collect();
        match (0..names.len()).find(|&at| names[..at].contains(&names[at])) {
            None => Ok(()),
            Some(at) => {
                let rule = "every [[setting]] needs a name of its own";
                let sentence = format!("two settings are called `{}`; {rule}", names[at]);
                self.wrong(("setting", at), &["name"], sentence)
            }
        }
    }

    fn data(&self) -> Result<(), Wrong> {
        for (at, data) in self.recipe.data.iter().enumerate() {
            if data.label.is_some() && data.file.starts_with("demo:") {
                let sentence = format!(
                    "{}: `label` names a column of a file; {} has its classes: leave it out",
                    data.name, data.file
                );
                return self.wrong(("data", at), &["label"], sentence);
            }
            for (name, printed) in &data.paper {
                if let Some(rule) = self.printed(printed) {
                    let sentence = format!("{}: the printed value of `{name}` must be {rule}", data.name);
                    return self.wrong(("data", at), &["paper", name], sentence);
                }
            }
        }
        Ok(())
    }

    /// The rule that a printed value breaks, and what was got.
    fn printed(&self, printed: &Printed) -> Option<String> {
        let labeled = self.recipe.labels.as_ref().map(|labels| labels.labeled.len());
        let (values, got) = match printed {
            Printed::One(value) => (std::slice::from_ref(value), "a single number".to_owned()),
            Printed::Several(values) => (&values[..], values.len().to_string()),
        };
        match (labeled, printed) {
            (None, Printed::Several(_)) => {
                return Some(format!("one number: a list is for [labels], got {got}"));
            }
            (Some(expected), _) if expected != values.len() => {
                return Some(format!("a list, one for each of `labeled` ({expected}), got {got}"));
            }
            _ => {}
        }
        let shares = self.recipe.evaluate.is_some() || labeled.is_some();
        let percent = values.iter().find(|value| value.abs() > 1.0).filter(|_| shares)?;
        Some(format!("a share, as the values here are, got {percent} (of a percentage {})", percent / 100.0))
    }

    fn claims(&self) -> Result<(), Wrong> {
        self.recipe.claim.iter().enumerate().try_for_each(|(at, claim)| match self.claim(claim) {
            None => Ok(()),
            Some((key, what)) => self.wrong(("claim", at), &[key], format!("claim `{}`: {what}", claim.text)),
        })
    }

    /// What is wrong with a claim, and the key that it is about.
    fn claim(&self, claim: &Claim) -> Option<(&'static str, String)> {
        const ONE_OF: &str = "`better`, `equal`, `row`, `gap` and `steady`";
        let given = [
            ("better", claim.better.is_some()),
            ("equal", claim.equal.is_some()),
            ("row", claim.row.is_some()),
            ("gap", claim.gap.is_some()),
            ("steady", claim.steady.is_some()),
        ];
        let given: Vec<&str> = given.into_iter().filter(|(_, there)| *there).map(|(key, _)| key).collect();
        let first = match given[..] {
            [] if !claim.than.is_empty() => {
                return Some(("than", "`than` needs `better`, the method that is better".to_owned()));
            }
            [] => return Some(("text", format!("it says nothing to compare; give one of {ONE_OF}"))),
            [_, second, ..] => {
                let second = ["equal", "row", "gap", "steady"].into_iter().find(|key| *key == second)?;
                return Some((second, format!("give one of {ONE_OF}, got {}", given.join(" and "))));
            }
            [one] => one,
        };
        if !claim.than.is_empty() && !matches!(first, "better" | "steady") {
            return Some(("than", "`than` needs `better`, the method that is better".to_owned()));
        }
        let named = claim.better.as_ref().or(claim.steady.as_ref());
        if let Some(name) = named.filter(|name| claim.than.contains(name)) {
            return Some(("than", format!("`than` must be other methods than `{name}` itself")));
        }
        for (key, two) in [("equal", &claim.equal), ("row", &claim.row)] {
            if let Some([one, _]) = two.as_ref().filter(|[one, other]| one == other) {
                return Some((key, format!("`{key}` must be two different names, got `{one}` twice")));
            }
        }
        let hits = self.recipe.data.iter().filter(|data| data.known.is_some()).count();
        let is_mixed = hits > 0 && hits < self.recipe.data.len();
        let means = [("average", claim.average), ("overall", claim.overall)];
        if let Some((key, _)) = means.into_iter().find(|(_, given)| *given && is_mixed) {
            let sentence = format!(
                "`{key}` is a mean over rows, of which some are judged by hits (`known`, {hits} of {}) and others by `metric`; \
                 make a recipe of each",
                self.recipe.data.len()
            );
            return Some((key, sentence));
        }
        let question = self.recipe.evaluate.as_ref()?;
        if claim.gap.is_some() && !question.worst {
            return Some(("gap", "`gap` needs the last features: worst = true in [evaluate]".to_owned()));
        }
        if claim.steady.is_some() && question.counts.is_one() {
            return Some(("steady", "`steady` is about a curve: it needs two `counts` at least".to_owned()));
        }
        None
    }

    fn evaluate(&self, question: &Evaluate) -> Result<(), Wrong> {
        if question.printed.is_some() && !question.worst {
            let sentence =
                "[evaluate]: `printed` = \"last\" needs the last features: worst = true".to_owned();
            return self.wrong(("evaluate", 0), &["printed"], sentence);
        }
        Ok(())
    }
}
