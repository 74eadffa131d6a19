//! A handful of labels (SSL, Algorithm 2): sselect sees all samples and a few labels, the Fisher score the
//! labeled samples alone, the Laplacian score the others; the features are judged by cross-validated
//! 1NN on all samples.

use fiedler::eval::{Candidate, CurveKind, Measure, Partition, Protocol, Selection, Split};
use fiedler::{Dataset, Goal, Labels};
use serde_json::{Value, json};

use super::Context;
use super::evaluate::selector;
use super::found::{Cell, Ours, TableFound};
use super::held::{ClaimFound, Held};
use super::recipe::{Data, Evaluate, Method, Recipe, Setting};
use super::tested::{Pair, mean};
use crate::failure::{Failure, Outcome};

/// Draws where `--quick` is given.
const QUICK: usize = 2;

/// Computes the table of differences again.
///
/// # Errors
/// The recipe is at fault, or the work fails.
pub(super) fn run(recipe: &Recipe, question: &Evaluate, context: &Context<'_>) -> Outcome<TableFound> {
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings);
    let mut all = Vec::new();
    for data in &recipe.data {
        let Some(stored) = context.stored(data, &mut found)? else { continue };
        for (place, &labeled) in question.labeled.iter().enumerate() {
            let row = format!("{}, {labeled} labels", data.name);
            let mut answers = Vec::new();
            for setting in &settings {
                let job = Job { recipe, question, data, setting, labeled, context };
                context.tell(&format!("{row} · {}", setting.name));
                let asked = json!({
                    "labels": question, "labeled": labeled, "quick": context.quick, "setting": setting,
                    "methods": recipe.method, "graph": data.graph,
                });
                answers.push(context.cache.get(&stored.hash, &asked, || job.compute(&stored.data))?);
            }
            for method in &recipe.method[1..] {
                let paper = data.paper.get(&method.name).and_then(|p| p.at(place));
                let ours = answers.iter().map(|a| difference(a, &method.name)).collect();
                let name = gain_over(&method.name);
                found.cells.push(Cell::number(&row, &name, paper, ours, Goal::Maximize));
            }
            all.push((row, answers));
        }
    }
    for method in &recipe.method[1..] {
        let text = format!("{} is better than {} in every row", recipe.method[0].name, method.name);
        let held = |setting| gains(&all, &method.name, setting);
        let holds = (0..settings.len()).map(held).collect::<Outcome<Vec<Held>>>()?;
        found.claims.push(ClaimFound { text, holds });
    }
    Ok(found)
}

fn gain_over(method: &str) -> String {
    format!("gain over {method}")
}

/// Whether the first method is better than another in every row: by test over the folds of all draws.
fn gains(all: &[(String, Vec<Value>)], other: &str, setting: usize) -> Outcome<Held> {
    let mut held = Held::none();
    for (row, answers) in all {
        let answer = &answers[setting];
        let values = |name: &str| -> Vec<f64> {
            answer["folds"][name].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        let (ours, theirs) = (values(answer["first"].as_str().unwrap_or_default()), values(other));
        let overlap = answer["overlap"].as_f64().unwrap_or(0.0);
        match (Pair { ours: &ours, theirs: &theirs, overlap }).test(Goal::Maximize, 0.0)? {
            Some(tested) => held.test(row.clone(), tested),
            None => held.count(row.clone(), mean(&ours) > mean(&theirs)),
        }
    }
    Ok(held)
}

/// The mean gain of the first method over another, over the draws of labels.
fn difference(answer: &Value, other: &str) -> Option<Ours> {
    let values = |name: &str| answer["accuracies"][name].as_array();
    let (first, other) = (values(answer["first"].as_str()?)?, values(other)?);
    let gains: Vec<f64> =
        first.iter().zip(other).filter_map(|(a, b)| Some(a.as_f64()? - b.as_f64()?)).collect();
    let n = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / n;
    let sd = (gains.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
    Some(Ours::Number { mean, sd, n: gains.len() })
}

/// One data set, one number of labels, one setting.
struct Job<'a> {
    recipe: &'a Recipe,
    question: &'a Evaluate,
    data: &'a Data,
    setting: &'a Setting,
    labeled: usize,
    context: &'a Context<'a>,
}

impl Job<'_> {
    /// The accuracy of every method for every draw of labels, mean over folds and counts.
    fn compute(&self, data: &Dataset) -> Outcome<Value> {
        let data = data.clone().scaled(self.setting.scaling()?);
        let (classes, n_classes) = data.classes("a draw of labels")?;
        let draws = if self.context.quick { QUICK } else { self.question.repeats };
        let folds = self.question.folds.unwrap_or(5);
        let partition = Partition::Folds { folds, repeats: draws };
        let splits = partition.splits(data.n_samples(), Some(&classes), self.question.seed)?;
        let mut orders = vec![Vec::new(); self.recipe.method.len()];
        for draw in 0..draws {
            let known = self.draw(&classes, n_classes, draw)?;
            for (method, orders) in self.recipe.method.iter().zip(&mut orders) {
                let order = self.rank(method, &data, &known)?;
                orders.extend((0..folds).map(|_| order.clone()));
            }
        }
        let candidates: Vec<Candidate> = self
            .recipe
            .method
            .iter()
            .zip(orders)
            .map(|(m, orders)| Candidate::orders(m.name.clone(), orders))
            .collect();
        let found = self.protocol(&data, splits)?.evaluate(&data, &candidates, self.context.monitor)?;
        let (mut accuracies, mut of_folds) = (json!({}), json!({}));
        for curve in found.tables[0].curves.iter().filter(|c| c.kind == CurveKind::Candidate) {
            let values = curve.aggregated.summary.values.chunks(folds);
            of_folds[&curve.name] = curve.aggregated.summary.values.clone().into();
            accuracies[&curve.name] = values.map(|fold| fold.iter().sum::<f64>() / folds as f64).collect();
        }
        let first = &self.recipe.method[0].name;
        Ok(json!({"first": first, "accuracies": accuracies, "folds": of_folds, "overlap": found.overlap}))
    }

    fn protocol(&self, data: &Dataset, splits: Vec<Split>) -> Outcome<Protocol> {
        let counts = self.question.counts.numbers(data.n_samples(), data.n_features())?;
        let partition = Partition::Given(splits);
        let (selection, seed) = (Selection::Training, self.question.seed);
        // Gains over other methods are what is printed: chance is not shown, and one draw of it is the least there is.
        let random = 1;
        Ok(Protocol { partition, selection, counts, random, seed, ..Protocol::new(Measure::Nearest) })
    }

    /// As many samples of every class as make up the number of labels, all equally likely: the first parts of a
    /// class that is parted into single samples.
    fn draw(&self, classes: &[u32], n_classes: usize, draw: usize) -> Outcome<Vec<usize>> {
        let each = self.labeled / n_classes;
        let seed = self.question.seed.wrapping_add(1000 + draw as u64);
        let mut known = Vec::new();
        for class in 0..n_classes as u32 {
            let members: Vec<usize> = (0..classes.len()).filter(|&i| classes[i] == class).collect();
            if each == 0 || each >= members.len() {
                let sentence = format!("labeled: {} does not give every class its share", self.labeled);
                return Err(Failure::usage(sentence));
            }
            let partition = Partition::Folds { folds: members.len(), repeats: 1 };
            let splits = partition.splits(
                members.len(),
                None,
                seed.wrapping_mul(31).wrapping_add(u64::from(class)),
            )?;
            known.extend(splits[..each].iter().flat_map(|s| &s.test).map(|&i| members[i]));
        }
        known.sort_unstable();
        Ok(known)
    }

    /// What a method may see: the labeled samples (supervised), the others (unsupervised), or all.
    fn rank(&self, method: &Method, data: &Dataset, known: &[usize]) -> Outcome<Vec<usize>> {
        use fiedler::Supervision::{SemiSupervised, Unsupervised};
        let graph = self.data.graph.as_ref().or(self.setting.graph.as_ref());
        let selector = selector(method, graph, data)?;
        let monitor = self.context.monitor;
        let rest =
            || (0..data.n_samples()).filter(|i| known.binary_search(i).is_err()).collect::<Vec<usize>>();
        let seen = match selector.info().supervision {
            Unsupervised => data.samples(&rest(), monitor)?.unlabeled(),
            SemiSupervised => partly_labeled(data, known)?,
            _ => data.samples(known, monitor)?,
        };
        Ok(selector.rank_with(&seen, monitor)?.order().to_vec())
    }
}

/// The data with the labels of some samples alone.
fn partly_labeled(data: &Dataset, known: &[usize]) -> Outcome<Dataset> {
    let labels = data.labels().ok_or_else(|| Failure::Data("the data have no labels".to_owned()))?;
    let text = |i: usize| {
        let code = labels.codes()[i].filter(|_| known.binary_search(&i).is_ok())?;
        Some(labels.classes()[code as usize].as_str())
    };
    Ok(data.clone().labeled(Labels::new((0..data.n_samples()).map(text)))?)
}
