//! Clauses of the verdict that repeat what a panel says at more length.

use crate::text::{count, escape, number, plural};
use crate::view::View;

/// A feature follows an eigenvector where so much of it does.
pub(crate) const FOLLOWS: f64 = 0.1;

/// From this correlation on two features say the same.
pub(crate) const SAME: f64 = 0.9;

/// That labels are there which nothing found has to do with, where the method did not look at them. HTML.
pub(crate) fn unrelated_labels(view: &View<'_>) -> Option<String> {
    let labels = view.portrait().samples.labels.as_deref()?;
    let map = view.portrait().map.as_ref().filter(|map| map.axes.len() > 1)?;
    let unused = view.ranking().is_some_and(|method| method.is_unsupervised);
    (unused && !map.axes.iter().any(View::follows_classes)).then(|| {
        format!("<bdi>{}</bdi> was not used, and no leading eigenvector follows it: these features need not tell its classes apart", escape(labels))
    })
}

/// That features were ranked with all labels while the curves are of selections that knew few, in a sentence that begins with a
/// blank.
pub(crate) fn ranked_with_all_labels(view: &View<'_>) -> Option<String> {
    let mut few: Vec<usize> = view.found.evaluation.iter().filter_map(|measured| measured.labeled).collect();
    few.sort_unstable();
    few.dedup();
    let last = few.pop().filter(|_| view.found.rankings.iter().any(|ranking| !ranking.is_unsupervised))?;
    let others: String = few.iter().map(|each| format!("{}, ", count(*each))).collect();
    let numbers = match others.strip_suffix(", ") {
        Some(others) => format!("{others} or {} labels", count(last)),
        None => plural(last, "label"),
    };
    Some(format!(
        " The features here are ranked with all labels; what was judged knew {numbers} of every class."
    ))
}

/// Pairs of kept features that say the same, in a sentence that begins with a blank.
pub(crate) fn redundancy(view: &View<'_>) -> Option<String> {
    let found = view.portrait().redundancy.as_ref()?;
    let k = found.features.len();
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    let same = pairs.filter(|(a, b)| found.at(*a, *b).abs() >= SAME).count();
    (same > 0).then(|| {
        let (correlate, say) = if same == 1 { ("correlates", "says") } else { ("correlate", "say") };
        let of = if k < view.kept().count() { format!("the first {k}") } else { "them".to_owned() };
        format!(" {} of {of} {correlate} at {SAME} or more and {say} much the same.", plural(same, "pair"))
    })
}

/// That all kept features follow one and the same eigenvector, in a sentence that begins with a blank.
pub(crate) fn one_thing(view: &View<'_>) -> Option<String> {
    let kept: Vec<_> = view.kept().collect();
    let followed = kept.iter().map(|f| Some(view.follows(f).filter(|(_, share)| *share >= FOLLOWS)?.0));
    let pairs: Option<Vec<_>> = followed.collect();
    let pairs = pairs.filter(|pairs| pairs.len() > 2 && pairs.iter().all(|a| a.pair == pairs[0].pair))?;
    let which = escape(&view.which(pairs[0]));
    Some(format!(
        " All {} follow eigenvector {}{which}: they tell one thing.",
        count(kept.len()),
        pairs[0].pair
    ))
}

/// What a graph by itself says.
pub(crate) fn graph(view: &View<'_>) -> Option<String> {
    let graph = view.portrait().graph.as_ref()?;
    let health = &graph.summary.health;
    let pieces = match health.components {
        1 => "is connected".to_owned(),
        c => format!("falls into {} pieces", count(c)),
    };
    let groups = match view.portrait().map.as_ref().and_then(|m| m.eigengap) {
        Some(1) => " No division of the samples stands out.".to_owned(),
        Some(k) => format!(" Its eigenvalues suggest about {k} groups of samples."),
        None => String::new(),
    };
    Some(format!(
        "The graph of {} {pieces}; a sample has a median degree of {}.{groups}",
        plural(health.n_samples, "sample"),
        number(health.median_degree)
    ))
}
