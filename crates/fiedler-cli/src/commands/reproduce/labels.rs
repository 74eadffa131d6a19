//! A handful of labels (SSL, Algorithm 2): sselect sees all samples and a few labels, the Fisher score the
//! labeled samples alone, the Laplacian score the others; the features are judged by cross-validated
//! 1NN on all samples.

use fiedler::eval::{Candidate, CurveKind, Measure, Partition, Protocol, Selection, Split};
use fiedler::{Dataset, Goal, Labels, Ranking};
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

/// The name of chance among the others.
const RANDOM: &str = "random";

/// Computes the table of differences again.
///
/// # Errors
/// The recipe is at fault, or the work fails.
pub(super) fn run(recipe: &Recipe, question: &Evaluate, context: &Context<'_>) -> Outcome<TableFound> {
    let settings = recipe.settings();
    let mut found = TableFound::new(&settings);
    let mut all = Vec::new();
    let others: Vec<&str> =
        recipe.method[1..].iter().map(|m| m.name.as_str()).chain(std::iter::once(RANDOM)).collect();
    for data in &recipe.data {
        let Some(stored) = context.stored(recipe, data, &mut found)? else { continue };
        found.warnings.extend(recipe.counts_left_out("labels", question, data, &stored.data));
        for (place, &labeled) in question.labeled.iter().enumerate() {
            let row = format!("{}, {labeled} labels", data.name);
            let mut answers = Vec::new();
            for (at, setting) in settings.iter().enumerate() {
                let job = Job { recipe, question, data, setting, labeled, context };
                context.tell(&format!("{row} · {}", setting.name));
                let asked = json!({
                    "labels": question, "labeled": labeled, "quick": context.quick, "setting": setting,
                    "methods": recipe.method, "graph": data.graph,
                });
                let answer = context.cache.get(&stored.hash, &asked, || job.compute(&stored.data));
                answers.push(answer.map_err(|failure| recipe.placed(failure, data, at))?);
            }
            for &other in &others {
                let paper = data.paper.get(other).and_then(|p| p.at(place));
                let ours = answers.iter().map(|a| difference(a, other)).collect();
                let name = format!("gain over {other}");
                found.cells.push(Cell::number(&row, &name, paper, ours, Goal::Maximize));
            }
            found.warn(&row, &answers);
            all.push((row, answers));
        }
    }
    for other in others {
        let holds = (0..settings.len()).map(|s| gains(&all, other, s)).collect::<Outcome<Vec<Held>>>()?;
        found.claims.push(ClaimFound { text: conclusion(&recipe.method[0].name, other), holds });
    }
    for other in &question.grows {
        let steps: Vec<&[(String, Vec<Value>)]> = all.chunks(question.labeled.len()).collect();
        let holds = (0..settings.len()).map(|s| grows(&steps, other, s)).collect::<Outcome<Vec<Held>>>()?;
        let text = format!("the gain over {other} grows with the number of labels");
        found.claims.push(ClaimFound { text, holds });
    }
    found.gather();
    Ok(found)
}

/// Whether the gain over another is larger with more labels, from every number of them to the next, of every data set: by test
/// over the draws, of which those with the same number share folds and labels.
fn grows(sets: &[&[(String, Vec<Value>)]], other: &str, setting: usize) -> Outcome<Held> {
    let mut held = Held::none();
    for pair in sets.iter().flat_map(|rows| rows.windows(2)) {
        let [fewer, more] = [&pair[0], &pair[1]].map(|(_, answers)| draws(&answers[setting], other));
        let overlap = pair[1].1[setting]["overlap"].as_f64().unwrap_or(0.0);
        let name = format!("{} to {}", pair[0].0, pair[1].0);
        let tested = Pair { ours: &more, theirs: &fewer, overlap }.test(Goal::Maximize, 0.0)?;
        held.compare(name, tested, (more.len(), mean(&more) > mean(&fewer)));
    }
    Ok(held)
}

/// The gain over another in every draw of labels.
fn draws(answer: &Value, other: &str) -> Vec<f64> {
    let values =
        |name: &str| answer["accuracies"][name].as_array().into_iter().flatten().filter_map(Value::as_f64);
    values(answer["first"].as_str().unwrap_or_default()).zip(values(other)).map(|(a, b)| a - b).collect()
}

/// What is concluded of the first method and another.
fn conclusion(first: &str, other: &str) -> String {
    match other {
        RANDOM => format!("not in the paper: {first} is better than random selection in every row"),
        _ => format!("{first} is better than {other} in every row"),
    }
}

/// Whether the first method is better than another in every row: by test over the draws of labels. The folds of a draw are
/// no values of their own, for one ranking serves them all; the draws are judged on the same samples, which the test
/// allows for.
fn gains(all: &[(String, Vec<Value>)], other: &str, setting: usize) -> Outcome<Held> {
    let mut held = Held::none();
    for (row, answers) in all {
        let answer = &answers[setting];
        let values = |name: &str| -> Vec<f64> {
            answer["accuracies"][name].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        let (ours, theirs) = (values(answer["first"].as_str().unwrap_or_default()), values(other));
        let overlap = answer["overlap"].as_f64().unwrap_or(0.0);
        let tested = Pair { ours: &ours, theirs: &theirs, overlap }.test(Goal::Maximize, 0.0)?;
        held.compare(row.clone(), tested, (ours.len(), mean(&ours) > mean(&theirs)));
    }
    Ok(held)
}

/// The mean gain of the first method over another, over the draws of labels.
fn difference(answer: &Value, other: &str) -> Option<Ours> {
    let gains = draws(answer, other);
    if gains.is_empty() {
        return None;
    }
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
        let (mut candidates, mut warnings) = (Vec::new(), Vec::new());
        for (method, told) in
            self.recipe.method.iter().zip(self.rankings(&data, &classes, (draws, n_classes))?)
        {
            warnings.extend(told.warning(&method.name));
            let of_folds = told.orders.iter().flat_map(|order| std::iter::repeat_n(order.clone(), folds));
            candidates.push(Candidate::orders(method.name.clone(), of_folds.collect()));
        }
        let found = self.protocol(&data, splits)?.evaluate(&data, &candidates, self.context.monitor)?;
        let mut accuracies = json!({});
        let shown = |kind| matches!(kind, CurveKind::Candidate | CurveKind::Random);
        for curve in found.tables[0].curves.iter().filter(|c| shown(c.kind)) {
            let name = if curve.kind == CurveKind::Random { RANDOM } else { &curve.name };
            accuracies[name] = curve.aggregated.summary.values.chunks(folds).map(mean).collect();
        }
        let first = &self.recipe.method[0].name;
        Ok(json!({"first": first, "accuracies": accuracies, "overlap": found.overlap, "warnings": warnings}))
    }

    /// What every method makes of every draw of labels.
    fn rankings(
        &self,
        data: &Dataset,
        classes: &[u32],
        (draws, n_classes): (usize, usize),
    ) -> Outcome<Vec<Told>> {
        let mut told = vec![Told::default(); self.recipe.method.len()];
        for draw in 0..draws {
            let known = self.draw(classes, n_classes, draw)?;
            for (method, told) in self.recipe.method.iter().zip(&mut told) {
                let ranking = self.rank(method, data, &known)?;
                told.orders.push(ranking.order().to_vec());
                told.warnings.push(ranking.notes.iter().chain(&ranking.warnings).next().cloned());
            }
        }
        Ok(told)
    }

    fn protocol(&self, data: &Dataset, splits: Vec<Split>) -> Outcome<Protocol> {
        let counts = self.question.counts.numbers(data.n_samples(), data.n_features())?;
        let partition = Partition::Given(splits);
        let (selection, seed) = (Selection::Training, self.question.seed);
        // One random ranking a fold, where a method has one ranking for all folds of a draw.
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
                let sentence = format!(
                    "`labeled` must be labels for every one of the {n_classes} classes and leave some samples of each without, \
                     got {}",
                    self.labeled
                );
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
    fn rank(&self, method: &Method, data: &Dataset, known: &[usize]) -> Outcome<Ranking> {
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
        Ok(selector.rank_with(&seen, monitor)?)
    }
}

/// What a method made of the draws of labels.
#[derive(Debug, Clone, Default)]
struct Told {
    /// The features, best first, of every draw.
    orders: Vec<Vec<usize>>,
    /// The first thing that it warned of, where it did.
    warnings: Vec<Option<String>>,
}

impl Told {
    /// The warnings in one sentence.
    fn warning(&self, method: &str) -> Option<String> {
        let met = self.warnings.iter().flatten().count();
        let first = self.warnings.iter().flatten().next()?;
        Some(format!("{method}, in {met} of {} draws: {first}", self.warnings.len()))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// t over four draws, by hand: mean(d)/(sd·√(1/4 + q)), beside the table of t with three degrees of freedom.
    #[test]
    fn a_claim_is_tested_over_draws() {
        let answer = |overlap: f64| {
            let accuracies = json!({"A": [0.80, 0.84, 0.82, 0.90], "B": [0.78, 0.80, 0.80, 0.80]});
            json!({"first": "A", "accuracies": accuracies, "overlap": overlap})
        };
        let held = |overlap| gains(&[("row".to_owned(), vec![answer(overlap)])], "B", 0).expect("four draws");
        let gains = [0.02, 0.04, 0.02, 0.10];
        let sd = (gains.iter().map(|d| (d - mean(&gains)).powi(2)).sum::<f64>() / 3.0).sqrt();
        let t = |q: f64| mean(&gains) / (sd * (0.25 + q).sqrt());
        // 2.353 is the bound at p = 0.1, 1.638 at 0.2.
        assert!(t(0.0) > 2.353 && t(0.25) < 2.353 && t(0.25) > 1.638, "{} {}", t(0.0), t(0.25));
        let p_value = |overlap| {
            let pair = Pair { ours: &[0.80, 0.84, 0.82, 0.90], theirs: &[0.78, 0.80, 0.80, 0.80], overlap };
            pair.test(Goal::Maximize, 0.0).expect("one length").expect("four values")
        };
        for overlap in [0.0, 0.25] {
            let mut expected = Held::none();
            expected.test("row".to_owned(), p_value(overlap));
            assert_eq!(held(overlap), expected);
        }
        assert!(p_value(0.0).corrected < 0.1 && p_value(0.25).corrected > 0.1);
    }

    /// From two labels to six the gain over B is larger in every draw, from six to ten it is smaller.
    #[test]
    fn gains_grow_from_row_to_row() {
        let row = |name: &str, a: [f64; 4]| {
            let accuracies = json!({"A": a, "B": [0.5, 0.5, 0.5, 0.5]});
            (name.to_owned(), vec![json!({"first": "A", "accuracies": accuracies, "overlap": 0.0})])
        };
        let rows = [
            row("2", [0.60, 0.61, 0.60, 0.62]),
            row("6", [0.80, 0.82, 0.81, 0.80]),
            row("10", [0.70, 0.70, 0.71, 0.70]),
        ];
        let held = grows(&[&rows[..2]], "B", 0).expect("four draws");
        assert_eq!((held.holds(), held.of()), (1, 1));
        let words = grows(&[&rows[..]], "B", 0).expect("four draws").in_words();
        assert!(words.starts_with("does not hold (1 of 2. The other way round: 6 to 10 (-0.105"), "{words}");
    }

    #[test]
    fn warnings_tell_in_how_many_draws() {
        let told = Told {
            orders: Vec::new(),
            warnings: vec![None, Some("no edges".to_owned()), Some("x".to_owned())],
        };
        assert_eq!(told.warning("Fisher").as_deref(), Some("Fisher, in 2 of 3 draws: no edges"));
        assert_eq!(Told::default().warning("Fisher"), None);
    }
}
