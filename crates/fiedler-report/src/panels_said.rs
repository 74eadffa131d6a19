//! Clauses of the verdict that repeat what a panel says at more length.

use crate::text::{count, number, plural};
use crate::view::View;

/// Pairs of kept features that say the same, in a sentence that begins with a blank.
pub(crate) fn redundancy(view: &View<'_>) -> Option<String> {
    let found = view.portrait().redundancy.as_ref()?;
    let k = found.features.len();
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    let same = pairs.filter(|(a, b)| found.at(*a, *b).abs() >= 0.9).count();
    (same > 0).then(|| {
        let (correlate, say) = if same == 1 { ("correlates", "says") } else { ("correlate", "say") };
        let of = if k < view.kept().count() { format!("the first {k}") } else { "them".to_owned() };
        format!(" {} of {of} {correlate} by 0.9 or more and {say} much the same.", plural(same, "pair"))
    })
}

/// What a graph by itself says.
pub(crate) fn graph(view: &View<'_>) -> Option<String> {
    let graph = view.portrait().graph.as_ref()?;
    let health = &graph.summary.health;
    let pieces = match health.components {
        1 => "hangs together".to_owned(),
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
