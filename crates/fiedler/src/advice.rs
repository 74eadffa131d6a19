//! What an analysis says of its own accord: where another method suits the data better, where the best features tie,
//! come from a handful of samples, or are what is to be predicted.
//!
//! Each is one sentence with its numbers and something to do. What the user would type for it ([`Step`]) is worded by the
//! front end that asks ([`Wording`]) and follows in parentheses.

use crate::dataset::{Dataset, Scaling, Transform};
use crate::ranking::{OrderedBy, Ranking};
use crate::selector::Judges;
use crate::{Result, methods};

/// Something a user can do next. Every front end has its own words for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// Take this method.
    Method(&'a str),
    /// Name this column as the labels.
    Label(&'a str),
    /// Name this column as the number to be predicted.
    Target(&'a str),
    /// Leave these features out.
    Exclude(&'a [String]),
    /// Take every feature as ranks.
    Ranks,
    /// Ask for another number of eigenvalues.
    Eigenvalues,
    /// Let selection know so many labels of every class.
    Labeled(usize),
}

/// What the user of a front end types to take a step; `None`: the sentence says enough.
pub type Wording = fn(Step<'_>) -> Option<String>;

/// The words of a step behind a sentence that says it plainly.
pub(crate) fn typed(step: Step<'_>, words: Wording) -> String {
    words(step).map_or_else(String::new, |typed| format!(" ({typed})"))
}

/// What to know of a linear model before it predicts anything.
pub(crate) const SHRUNK: &str = "the weights of the model are those at the last λ, shrunk by the penalty: they tell which features \
     count, and may predict much worse than a model that is fitted anew to the selected features; fit one for predictions";

/// Features that are looked at: the best of a ranking.
const BEST: usize = 10;

/// Fewer features than this are no crowd in which copies could hide one another.
const CROWD: usize = 50;

/// So many features that tie at the top are worth a word; two may be a feature and its copy.
const TIED: usize = 3;

/// One sample in so many, or fewer, is a tiny group.
const ONE_IN: f64 = 20.0;

/// With fewer samples every group is tiny.
const SAMPLES: usize = 10;

/// More features than this are words, genes or pixels, and no table that somebody typed.
const VOCABULARY: usize = 1000;

/// What columns are called that hold an answer.
const ANSWERS: [&str; 10] =
    ["target", "label", "labels", "class", "classes", "y", "outcome", "response", "diagnosis", "species"];

/// Those of them that hardly mean anything else.
const PLAIN_ANSWERS: [&str; 3] = ["target", "label", "class"];

/// What suits the data better than the method that ranks where nobody names one, and why.
pub(crate) fn better_than_default(data: &Dataset, words: Wording) -> Option<String> {
    let (default, typed) = (methods::DEFAULT_RANKING, typed(Step::Method("mrsf"), words));
    if let Some(labels) = data.labels().filter(|_| data.labels_are_named()) {
        let name = labels.name();
        return Some(format!(
            "{default} does not use {name}; for features that tell its classes apart use mrsf, mrmr or fisher\
             {typed}"
        ));
    }
    (data.n_features() >= CROWD).then(|| {
        format!(
            "{default} judges features one by one, so that copies of one another rank side by side; for a small set that \
             stands for all use mrsf{typed}"
        )
    })
}

/// Why the scores have no turning point.
pub(crate) fn no_elbow(ranking: &Ranking) -> String {
    let (name, scored) = (ranking.method, ranking.n_scored());
    match (ranking.ordered_by(), ranking.late_turn()) {
        (OrderedBy::Choice { .. }, _) => {
            format!(
                "{name} chooses one feature after the other, and what it measures on the way has no turning point"
            )
        }
        (_, Some(turn)) => format!(
            "the scores of {name} have no turning point among the best: their curve bends only after {turn} of {scored} features"
        ),
        _ => format!("the scores of {name} have no turning point"),
    }
}

/// What to know of the best features before trusting them; `listed` is how many the user sees, where that was asked.
///
/// # Errors
/// The columns cannot be read.
pub(crate) fn on_the_best(
    ranking: &Ranking,
    data: &Dataset,
    listed: Option<usize>,
    words: Wording,
) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    warnings.extend(ties(ranking, data, listed, words));
    warnings.extend(tiny_group(ranking, data, listed, words)?);
    Ok(warnings)
}

/// The best features that share one score, or those around the cut.
fn ties(ranking: &Ranking, data: &Dataset, listed: Option<usize>, words: Wording) -> Option<String> {
    if ranking.ordered_by() != OrderedBy::Score {
        return None;
    }
    let scored = &ranking.order()[..ranking.n_scored()];
    let group = |at: usize| {
        let tie = |&j: &usize| ranking.ties(scored[at], j);
        let before = scored[..at].iter().rev().take_while(|j| tie(j)).count();
        let after = scored[at..].iter().take_while(|j| tie(j)).count();
        at - before..at + after
    };
    if scored.len() < 2 {
        return None;
    }
    let top = group(0);
    if top.len() >= TIED {
        let (count, names) = (top.len(), named(&scored[top], data));
        // Who weighs features together already is not helped by another such method.
        let together = methods::find(ranking.method).is_ok_and(|m| m.info.judges == Judges::Together);
        let instead = if together {
            String::new()
        } else {
            let typed = typed(Step::Method("mrsf"), words);
            format!(", or take a method that weighs features together, such as mrsf{typed}")
        };
        return Some(format!(
            "the best {count} features tie ({names}): their order is that of the columns and tells nothing; keep all of \
             them{instead}"
        ));
    }
    let cut = listed.filter(|&count| count > 0 && count < scored.len())?;
    let around = group(cut);
    (around.start < cut).then(|| {
        let (first, last) = (around.start + 1, around.end);
        format!(
            "ranks {first} to {last} tie, and the cut after {cut} falls among them: which are kept follows the order of the \
             columns; keep {} or {last}",
            around.start
        )
    })
}

/// The best features where a handful of samples carries them: Σ over features of the share that each sample has in
/// Σ(x-μ)², and the number of samples that this is worth.
fn tiny_group(
    ranking: &Ranking,
    data: &Dataset,
    listed: Option<usize>,
    words: Wording,
) -> Result<Option<String>> {
    let n = data.n_samples();
    let best = BEST.min(listed.unwrap_or(BEST)).min(ranking.n_scored());
    if n < SAMPLES || best == 0 {
        return Ok(None);
    }
    let mut shares = vec![0.0; n];
    // Together: columns that lie on another machine are fetched at once.
    data.each_column(&ranking.order()[..best], |_, block, at| {
        let column = block.column(at);
        let mean = column.iter().sum::<f64>() / n as f64;
        let spread: f64 = column.iter().map(|v| (v - mean) * (v - mean)).sum();
        if spread > 0.0 {
            shares.iter_mut().zip(&column).for_each(|(s, v)| *s += (v - mean) * (v - mean) / spread);
        }
    })?;
    let (sum, squares) = (shares.iter().sum::<f64>(), shares.iter().map(|s| s * s).sum::<f64>());
    let worth = if squares > 0.0 { sum * sum / squares } else { return Ok(None) };
    if worth >= (n as f64 / ONE_IN).max(2.0) {
        return Ok(None);
    }
    let mut loudest: Vec<usize> = (0..n).collect();
    loudest.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    loudest.truncate((worth.round() as usize).clamp(1, 3));
    let rows: Vec<String> = loudest.into_iter().map(|i| sample(data, i)).collect();
    let features =
        if best == 1 { "best feature varies".to_owned() } else { format!("{best} best features vary") };
    let (few, rows) = (plural(worth.round() as usize, "sample"), rows.join(", "));
    // A method that sees the data as they are sees no ranks either.
    let instead = if data.transform() == Transform::Ranks || ranking.scaling == Scaling::None {
        let loudest = &ranking.order()[..best.min(3)];
        let names: Vec<String> = loudest.iter().map(|&j| data.feature_name(j).into_owned()).collect();
        format!(
            "if they are, or do not matter, leave these features out{}",
            typed(Step::Exclude(&names), words)
        )
    } else {
        format!("taken as ranks, features that so few samples carry come late{}", typed(Step::Ranks, words))
    };
    Ok(Some(format!(
        "the {features} in about {few} of {n} alone ({rows}): look whether these are mistakes; {instead}"
    )))
}

/// That ranks would suit data better which are standardized because the user said so. Looking at the data never overrules
/// what was asked.
pub(crate) fn standardized_as_asked(data: &Dataset, words: Wording) -> Option<String> {
    let carried = data.carried_by_few();
    let shut =
        data.scaling() == Scaling::Standard && !data.transform_is_asked() && carried.ranks_are_better();
    shut.then(|| {
        format!(
            "{}, and standardized, as was asked, such features come first for the sake of those samples; ranks suit these \
             data better{}, and are taken where no scaling is asked for",
            carried.in_words(),
            typed(Step::Ranks, words)
        )
    })
}

/// A column that nobody named and that is called like an answer: wherever it stands where the name leaves no doubt, else
/// where it leads the ranking. Where an answer is known there is no other, and in a vocabulary `class` is a word.
pub(crate) fn looks_like_an_answer(ranking: &Ranking, data: &Dataset, words: Wording) -> Option<String> {
    if data.labels_are_named() || data.target().is_some() || data.n_features() > VOCABULARY {
        return None;
    }
    let called =
        |j: usize, names: &[&str]| names.contains(&data.feature_name(j).trim().to_lowercase().as_str());
    let first = *ranking.order().first().filter(|_| ranking.n_scored() > 1)?;
    let leads = Some(first).filter(|&j| called(j, &ANSWERS));
    let among = || (0..data.n_features()).find(|&j| called(j, &PLAIN_ANSWERS));
    let name = data.feature_name(leads.or_else(among)?);
    let place = if leads.is_some() { "leads the ranking" } else { "is among the features" };
    Some(format!(
        "`{name}` {place} and is called like what is to be predicted; if it is, {}",
        name_as_answer(&name, words)
    ))
}

/// How the user says that a column is no feature.
fn name_as_answer(name: &str, words: Wording) -> String {
    let (left_out, typed) = ([name.to_owned()], |step| typed(step, words));
    format!(
        "name it as the label{}, as a number to be predicted{}, or leave it out{}",
        typed(Step::Label(name)),
        typed(Step::Target(name)),
        typed(Step::Exclude(&left_out))
    )
}

/// The first names of a list, and how many follow.
fn named(features: &[usize], data: &Dataset) -> String {
    let names: Vec<String> = features.iter().take(3).map(|&j| data.feature_name(j).into_owned()).collect();
    let more = features.len() - names.len();
    names.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// A sample by its name, or its row.
fn sample(data: &Dataset, i: usize) -> String {
    data.sample_names().map_or_else(|| format!("row {}", i + 1), |names| names[i].clone())
}

fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dense, Order};
    use crate::{Goal, Labels, Silent};

    fn data(columns: usize, f: impl Fn(usize, usize) -> f64) -> Dataset {
        let rows: Vec<Vec<f64>> = (0..60).map(|i| (0..columns).map(|j| f(i, j)).collect()).collect();
        Dataset::from_rows(&rows).expect("finite")
    }

    fn words(step: Step<'_>) -> Option<String> {
        Some(match step {
            Step::Ranks => return None,
            Step::Exclude(names) => format!("without {}", names.join("+")),
            other => format!("{other:?}"),
        })
    }

    fn ranking(scores: &[f64]) -> Ranking {
        Ranking::new("test", Goal::Maximize, scores.to_vec())
    }

    #[test]
    fn ties_at_the_top_and_at_the_cut_are_told() {
        let data = data(6, |i, j| ((i * (j + 3)) % 7) as f64);
        let told = |scores: &[f64], listed| ties(&ranking(scores), &data, listed, words);
        assert!(
            told(&[5.0, 5.0, 5.0, 1.0, 0.5, 0.1], None)
                .is_some_and(|t| t.contains("best 3 features tie (x0, x1, x2)"))
        );
        assert_eq!(told(&[5.0, 5.0, 4.0, 1.0, 0.5, 0.1], None), None);
        let by = |method| {
            let ranking = Ranking::new(method, Goal::Maximize, vec![5.0, 5.0, 5.0, 1.0]);
            ties(&ranking, &data, None, words).expect("a tie")
        };
        assert!(
            by("fisher").ends_with("such as mrsf (Method(\"mrsf\"))")
                && by("mrsf").ends_with("keep all of them")
        );
        let cut = told(&[5.0, 4.0, 1.0, 1.0, 1.0, 0.1], Some(3)).expect("a tie");
        assert!(cut.contains("ranks 3 to 5") && cut.contains("keep 2 or 5"), "{cut}");
        assert_eq!(told(&[5.0, 4.0, 1.0, 1.0, 1.0, 0.1], Some(2)), None);
        assert_eq!(told(&[5.0, 4.0, 1.0, 1.0, 1.0, 0.1], Some(5)), None);
    }

    #[test]
    fn features_of_a_handful_of_samples_are_told_with_the_samples() {
        let few = data(4, |i, j| if i == 7 || i == 11 { (j + i) as f64 } else { 0.0 });
        let told = tiny_group(&ranking(&[4.0, 3.0, 2.0, 1.0]), &few, None, words)
            .expect("columns")
            .expect("a warning");
        assert!(
            told.contains("about 2 samples of 60") && told.contains("row 12") && told.contains("row 8"),
            "{told}"
        );
        assert!(told.contains("4 best features vary") && told.ends_with("come late"), "{told}");
        let ranks = few.transformed(Transform::Ranks, &Silent).expect("ranks");
        let told = tiny_group(&ranking(&[4.0, 3.0, 2.0, 1.0]), &ranks, Some(1), words)
            .expect("columns")
            .expect("a warning");
        assert!(
            told.contains("the best feature varies")
                && told.contains("leave these features out (without x0)"),
            "{told}"
        );
        let many = data(4, |i, j| ((i * (j + 3)) % 7) as f64);
        assert_eq!(tiny_group(&ranking(&[4.0, 3.0, 2.0, 1.0]), &many, None, words).expect("columns"), None);
    }

    #[test]
    fn standardizing_what_few_samples_carry_is_told() {
        let few = data(4, |i, j| if i == 7 || i == 11 { (j + i) as f64 } else { 0.0 });
        let told = standardized_as_asked(&few.clone().scaled(Scaling::Standard), words).expect("a warning");
        assert!(told.starts_with("100 % of the features vary in fewer than 3 samples"), "{told}");
        assert_eq!(standardized_as_asked(&few, words), None);
        assert_eq!(standardized_as_asked(&few.clone().scaled(Scaling::None), words), None);
        let asked = few.transformed(Transform::None, &Silent).expect("as they are").scaled(Scaling::Standard);
        assert_eq!(standardized_as_asked(&asked, words), None);
    }

    #[test]
    fn an_answer_among_the_features_is_told_where_it_leads() {
        let names = vec!["a".to_owned(), "Target".to_owned()];
        let columns =
            Dense::new(vec![0.0, 1.0, 2.0, 0.0, 5.0, 3.0], 3, 2, Order::ColumnMajor).expect("a shape");
        let data = Dataset::named(columns, Some(names), &Silent).expect("finite");
        let told = |scores: &[f64]| looks_like_an_answer(&ranking(scores), &data, words);
        assert!(told(&[0.1, 0.9]).is_some_and(|t| t.contains("as the label (Label(\"Target\"))")));
        assert!(told(&[0.9, 0.1]).is_some_and(|t| t.contains("is among the features")));
        let labels = Labels::new(["p", "q", "q"].map(Some));
        let labeled = data.clone().labeled(labels).expect("labels");
        assert_eq!(looks_like_an_answer(&ranking(&[0.1, 0.9]), &labeled, words), None);
    }
}
