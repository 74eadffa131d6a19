//! Names of a recipe that nothing bears, keys that nothing reads and numbers that break a rule: told with their lines before any
//! work is done.

use fiedler::methods::Targets;

use super::recipe::{BASELINES, Claim, Data, Evaluate, FusionKeys, Method, Race, Recipe, StudyKeys};
use super::values::{Wrong, line};
use crate::lists::did_you_mean;

/// Checks a recipe, but for the values that the library knows the rules of.
///
/// # Errors
/// Something is wrong.
pub(super) fn check(recipe: &Recipe, text: &str) -> Result<(), Wrong> {
    let check = Check { recipe, text };
    check.methods()?;
    check.rows()?;
    recipe.data.iter().enumerate().try_for_each(|(at, data)| check.data(at, data))?;
    recipe.claim.iter().enumerate().try_for_each(|(at, claim)| check.claim(at, claim))?;
    for (at, setting) in recipe.setting.iter().enumerate() {
        check.selection("setting", at, setting.selection.as_ref())?;
        if setting.neighbors == Some(0) {
            let sentence = format!("setting `{}`: `neighbors` must be 1 at least, got 0", setting.name);
            return Err(check.wrong("setting", at, &["neighbors"], sentence));
        }
    }
    recipe.evaluate.iter().try_for_each(|question| check.evaluate(question))?;
    recipe.labels.iter().try_for_each(|question| check.labels(question))?;
    recipe.study.iter().try_for_each(|keys| check.study(keys))?;
    recipe.race.iter().try_for_each(|race| check.race(race))?;
    recipe.fusion.iter().try_for_each(|keys| check.fusion(keys))?;
    let unordered = recipe.ranking.iter().position(|order| order.paper.is_empty());
    if let Some(at) = unordered {
        let name = &recipe.ranking[at].name;
        let sentence = format!("ranking `{name}`: `paper` must be names of features, one at least");
        return Err(check.wrong("ranking", at, &["paper"], sentence));
    }
    if !recipe.ranking.is_empty() && recipe.data.is_empty() {
        return Err(check.wrong("ranking", 0, &[], "[[ranking]] needs one [[data]]".to_owned()));
    }
    Ok(())
}

struct Check<'a> {
    recipe: &'a Recipe,
    text: &'a str,
}

impl Check<'_> {
    fn wrong(&self, table: &str, at: usize, keys: &[&str], sentence: String) -> Wrong {
        (line(self.text, (table, at), keys), sentence)
    }

    /// A key of a table must be so.
    fn must(&self, table: &str, key: &str, good: bool, rule: &str) -> Result<(), Wrong> {
        if good {
            Ok(())
        } else {
            Err(self.wrong(table, 0, &[key], format!("[{table}]: `{key}` must be {rule}")))
        }
    }

    fn methods(&self) -> Result<(), Wrong> {
        let methods = &self.recipe.method;
        for (at, method) in methods.iter().enumerate() {
            if methods[..at].iter().any(|other| other.name == method.name) {
                let sentence = format!("two methods are called `{}`", method.name);
                return Err(self.wrong("method", at, &["name"], sentence));
            }
            let fused = method.fuse.is_some();
            if method.method.is_empty() != fused || (fused && !method.set.is_empty()) {
                let name = &method.name;
                let sentence =
                    format!("method `{name}`: give `method` (with `set` and `graph`) or `fuse`, one of them");
                return Err(self.wrong("method", at, &[], sentence));
            }
        }
        Ok(())
    }

    /// Rows are told apart by their names.
    fn rows(&self) -> Result<(), Wrong> {
        let rows = &self.recipe.data;
        let twice = (0..rows.len()).find(|&at| rows[..at].iter().any(|other| other.name == rows[at].name));
        twice.map_or(Ok(()), |at| {
            let sentence =
                format!("two rows are called `{}`; every [[data]] needs a name of its own", rows[at].name);
            Err(self.wrong("data", at, &["name"], sentence))
        })
    }

    /// That a method bears this name.
    fn known(&self, name: &str, table: &str, at: usize, keys: &[&str]) -> Result<(), Wrong> {
        self.among(&[], name, table, at, keys)
    }

    /// That a method bears this name, or it is one of those that stand `beside` them.
    fn among(&self, beside: &[&str], name: &str, table: &str, at: usize, keys: &[&str]) -> Result<(), Wrong> {
        let methods = self.recipe.method.iter().map(|m: &Method| m.name.as_str());
        let names: Vec<&str> = methods.chain(beside.iter().copied()).collect();
        if names.contains(&name) {
            return Ok(());
        }
        let (hint, all) = (did_you_mean(name, names.iter().copied()), names.join(", "));
        let sentence = format!("no method is called `{name}`; there are {all}{hint}");
        Err(self.wrong(table, at, keys, sentence))
    }

    fn data(&self, at: usize, data: &Data) -> Result<(), Wrong> {
        for (name, printed) in &data.paper {
            self.known(name, "data", at, &["paper", name])?;
            if !printed.is_finite() {
                let sentence = format!("{}: printed values must be finite", data.name);
                return Err(self.wrong("data", at, &["paper", name], sentence));
            }
        }
        let least =
            [("labeled", data.labeled, 1), ("classes", data.classes, 2), ("neighbors", data.neighbors, 1)];
        for (key, got, least) in least.into_iter().filter_map(|(key, got, least)| Some((key, got?, least))) {
            if got < least {
                let sentence = format!("{}: `{key}` must be {least} at least, got {got}", data.name);
                return Err(self.wrong("data", at, &[key], sentence));
            }
        }
        match (&self.recipe.evaluate, data.at) {
            (Some(question), Some(count)) if !question.counts.contains(count) => {
                let sentence = format!("{}: `at` must be one of `counts`, got {count}", data.name);
                Err(self.wrong("data", at, &["at"], sentence))
            }
            _ => Ok(()),
        }
    }

    fn claim(&self, at: usize, claim: &Claim) -> Result<(), Wrong> {
        let known = |name: &String, key: &str| self.known(name, "claim", at, &[key]);
        claim.better.iter().try_for_each(|name| known(name, "better"))?;
        claim.gap.iter().try_for_each(|name| known(name, "gap"))?;
        claim.equal.iter().flatten().try_for_each(|name| known(name, "equal"))?;
        let beside = |name: &String| self.among(&BASELINES, name, "claim", at, &["than"]);
        claim.than.iter().try_for_each(beside)?;
        let wrong = |key: &str, what: &str| {
            Err(self.wrong("claim", at, &[key], format!("claim `{}`: {what}", claim.text)))
        };
        claim.steady.iter().try_for_each(|name| known(name, "steady"))?;
        let needs_better =
            [("average", claim.average), ("overall", claim.overall), ("at", claim.at.is_some())];
        if let Some((key, _)) = needs_better.iter().find(|(_, given)| *given && claim.better.is_none()) {
            return wrong(key, &format!("`{key}` needs `better`, the method that is better"));
        }
        if claim.average && self.recipe.data.len() < 2 {
            let rows = self.recipe.data.len();
            return wrong("average", &format!("`average` needs two rows ([[data]]) at least, got {rows}"));
        }
        let counts = self.recipe.evaluate.as_ref().map(|question| &question.counts);
        if let Some(count) = claim.at.filter(|&at| counts.is_none_or(|counts| !counts.contains(at))) {
            return wrong("at", &format!("`at` must be one of `counts`, got {count}"));
        }
        let file = |row: &String| self.recipe.data.iter().find(|d| d.name == *row).map(|d| &d.file);
        let rows = claim
            .rows
            .iter()
            .map(|row| ("rows", row))
            .chain(claim.row.iter().flatten().map(|row| ("row", row)));
        if let Some((key, unknown)) = rows.into_iter().find(|(_, row)| file(row).is_none()) {
            let names: Vec<&str> = self.recipe.data.iter().map(|d| d.name.as_str()).collect();
            let there =
                if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) };
            return wrong(key, &format!("no [[data]] is called `{unknown}`{there}"));
        }
        let Some(rows) = &claim.row else { return Ok(()) };
        if file(&rows[0]) != file(&rows[1]) {
            return wrong("row", "`row` compares two rows of one file");
        }
        Ok(())
    }

    fn selection(&self, table: &str, at: usize, selection: Option<&String>) -> Result<(), Wrong> {
        match selection.map(String::as_str) {
            None | Some("training" | "all") => Ok(()),
            Some(other) => {
                let sentence = format!("`selection` must be training or all, got `{other}`");
                Err(self.wrong(table, at, &["selection"], sentence))
            }
        }
    }

    fn evaluate(&self, question: &Evaluate) -> Result<(), Wrong> {
        self.selection("evaluate", 0, question.selection.as_ref())?;
        question.against.iter().try_for_each(|name| self.known(name, "evaluate", 0, &["against"]))?;
        let must = |key: &str, good: bool, rule: &str| self.must("evaluate", key, good, rule);
        let measure = question.measure.as_deref();
        must("measure", matches!(measure, None | Some("accuracy" | "nmi")), "accuracy or nmi")?;
        let unread = [
            ("measure", measure.is_some(), "kmeans"),
            ("neighbors", question.neighbors.is_some(), "jaccard"),
            ("costs", question.costs.is_some(), "svm"),
        ];
        for (key, given, metric) in unread {
            let rule = format!("left out: only metric = \"{metric}\" reads it");
            must(key, !given || question.metric == metric, &rule)?;
        }
        must("printed", matches!(question.printed.as_deref(), None | Some("last")), "last, or left out")?;
        let strange = question.at.filter(|&at| !question.counts.contains(at));
        let got = strange.unwrap_or_default();
        must("at", strange.is_none(), &format!("one of `counts`, got {got}"))?;
        self.protocol("evaluate", question)?;
        must(
            "labeled",
            question.labeled.is_empty(),
            "left out: [labels] reads it, and a row ([[data]]) has a `labeled` of its own",
        )?;
        must("grows", question.grows.is_empty(), "left out: [labels] reads it")?;
        let both = question.against.is_some() && question.printed.is_some();
        must("against", !both, "left out beside `printed`: it tests the first features")
    }

    /// What both protocols read.
    fn protocol(&self, table: &str, question: &Evaluate) -> Result<(), Wrong> {
        let rows = [("data", self.recipe.data.is_empty()), ("method", self.recipe.method.is_empty())];
        if let Some((missing, _)) = rows.iter().find(|(_, empty)| *empty) {
            let sentence = format!("[{table}] needs one [[{missing}]] at least");
            return Err(self.wrong(table, 0, &[], sentence));
        }
        let must = |key: &str, good: bool, rule: &str| self.must(table, key, good, rule);
        must("repeats", question.repeats > 0, "1 at least")?;
        let few = question.folds.filter(|&folds| folds < 2);
        must("folds", few.is_none(), &format!("2 at least, got {}", few.unwrap_or_default()))?;
        must("neighbors", question.neighbors != Some(0), "1 at least")?;
        let are_drawn = self.recipe.data.iter().any(|data| data.classes.is_some());
        let trains = ["1nn", "svm"].contains(&question.metric.as_str());
        let rule = "kmeans, jaccard or redundancy where classes are drawn: their samples select and judge";
        must("metric", !(are_drawn && trains), rule)?;
        let costs = question.costs.as_ref();
        let positive = costs.is_none_or(|costs| !costs.is_empty() && costs.iter().all(|&c| is_positive(c)));
        must("costs", positive, "numbers above 0, one at least")
    }

    fn labels(&self, labels: &Evaluate) -> Result<(), Wrong> {
        let wrong = |key: &str, sentence: &str| Err(self.wrong("labels", 0, &[key], sentence.to_owned()));
        if self.recipe.method.len() < 2 {
            return wrong("", "[labels] needs two methods, the first of which is compared with the others");
        }
        let unread = [
            ("metric", labels.metric != "1nn"),
            ("against", labels.against.is_some()),
            ("measure", labels.measure.is_some()),
            ("curves", labels.curves),
            ("at", labels.at.is_some()),
            ("selection", labels.selection.is_some()),
            ("neighbors", labels.neighbors.is_some()),
            ("costs", labels.costs.is_some()),
            ("worst", labels.worst),
            ("printed", labels.printed.is_some()),
        ];
        let reads =
            "[labels] judges by metric = \"1nn\"; it reads counts, repeats, folds, labeled, grows and seed";
        if let Some((key, _)) = unread.iter().find(|(_, given)| *given) {
            return wrong(key, reads);
        }
        self.protocol("labels", labels)?;
        let some = !labels.labeled.is_empty() && labels.labeled.iter().all(|&number| number > 0);
        self.must("labels", "labeled", some, "numbers of labels from 1, one at least, such as [2, 6, 10]")?;
        labels.grows.iter().try_for_each(|name| self.known(name, "labels", 0, &["grows"]))?;
        let fused = self.recipe.method.iter().any(|m| m.fuse.is_some());
        if fused || self.recipe.data.iter().any(|d| d.known.is_some()) {
            return wrong("", reads);
        }
        Ok(())
    }

    fn study(&self, keys: &StudyKeys) -> Result<(), Wrong> {
        let must = |key: &str, good: bool, rule: &str| self.must("study", key, good, rule);
        must("draws", keys.draws > 0, "1 at least")?;
        must("samples", keys.samples > 1, "2 at least")?;
        must("bandwidth", keys.bandwidth.is_none_or(is_positive), "a number above 0")?;
        let ranges = keys.uniform.iter().all(|[low, high]| low.is_finite() && high.is_finite() && low < high);
        must(
            "uniform",
            ranges && !keys.uniform.is_empty(),
            "ranges [LOW, HIGH] with LOW below HIGH, one at least",
        )?;
        let printed = keys.mixing.values().all(|value| value.is_finite());
        must("mixing", printed, "printed values, which are finite")
    }

    fn race(&self, race: &Race) -> Result<(), Wrong> {
        let must = |key: &str, good: bool, rule: &str| self.must("race", key, good, rule);
        must("count", race.count > 0, "1 at least")?;
        must("gap", is_positive(race.gap), "a number above 0")?;
        must("patience", is_positive(race.patience), "a number of seconds above 0")?;
        must("path_seconds", is_positive(race.path_seconds), "a number of seconds above 0")?;
        must("nesterov_seconds", is_positive(race.nesterov_seconds), "a number of seconds above 0")?;
        let targets = race.targets.parse::<Targets>();
        targets.map(drop).map_err(|error| self.wrong("race", 0, &["targets"], format!("[race]: {error}")))
    }

    fn fusion(&self, keys: &FusionKeys) -> Result<(), Wrong> {
        let must = |key: &str, good: bool, rule: &str| self.must("fusion", key, good, rule);
        must("studies", keys.studies > 0, "1 at least")?;
        must("repeats", keys.repeats > 0, "1 at least")?;
        must("steps", keys.steps > 2, "3 at least")?;
        let ascending = keys.counts.windows(2).all(|pair| pair[0] < pair[1]);
        let within =
            keys.counts.first().is_some_and(|&first| first > 0) && keys.counts.last() <= Some(&keys.genes);
        must("counts", ascending && within, "ascending numbers from 1 to the number of `genes`, one at least")
    }
}

fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}
