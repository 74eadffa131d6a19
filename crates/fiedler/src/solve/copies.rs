//! Columns that repeat another one, up to scale, sign and offset.
//!
//! Unit columns that differ by d have ‖fᵀR‖ that differ by d‖R‖ at most, so a copy is to be looked for only where these
//! norms are equal to rounding, which few are.

use super::problem::{Problem, norm};
use crate::Result;

/// Comparisons a feature, on average, before the search among inactive features ends: data of which
/// a large part has the same ‖fᵀR‖ and is no copy could otherwise take a quadratic time.
const COMPARISONS: usize = 64;

/// How far the product of two unit columns of `n` samples may be from ±1 for one to be a copy of the other.
pub(super) fn rounding(n: usize) -> f64 {
    1e-14 + 4.0 * f64::EPSILON * (n as f64).sqrt()
}

/// How far ‖fᵀR‖ of copies may be apart.
pub(super) fn spread(residual: &[f64], n: usize) -> f64 {
    2.0 * rounding(n).sqrt() * norm(residual)
}

/// Those of `list` that are copies of a column: the product of the two is that of their lengths.
pub(super) fn copies_of(problem: &Problem<'_>, column: &[f64], list: &[usize]) -> Result<Vec<usize>> {
    let products = problem.data().products_of(list, column, 1)?;
    let close = (1.0 - rounding(column.len())) * norm(column);
    let is_copy = |(&j, p): (&usize, f64)| (p.abs() >= close * problem.data().length(j)).then_some(j);
    Ok(list.iter().zip(products).filter_map(is_copy).collect())
}

/// The copies among `features`, each with the first of its kind; `norms` are the ‖f_jᵀR‖ of all features.
pub(super) fn copies_among(
    problem: &Problem<'_>,
    mut features: Vec<usize>,
    norms: &[f64],
    residual: &[f64],
) -> Result<Vec<(usize, usize)>> {
    features.sort_by(|&a, &b| norms[a].total_cmp(&norms[b]).then(a.cmp(&b)));
    let spread = spread(residual, problem.data().n_samples());
    let mut known = vec![false; norms.len()];
    let mut found = Vec::new();
    let mut left = COMPARISONS * features.len();
    for (place, &j) in features.iter().enumerate() {
        let rest = features[place + 1..].iter().copied().take_while(|&k| norms[k] - norms[j] <= spread);
        let alike: Vec<usize> = rest.filter(|&k| !known[k]).take(left).collect();
        if known[j] || alike.is_empty() {
            continue;
        }
        left -= alike.len();
        let mut kind = copies_of(problem, &problem.data().unit_columns(&[j])?, &alike)?;
        kind.iter().for_each(|&k| known[k] = true);
        kind.push(j);
        kind.sort_unstable();
        found.extend(kind[1..].iter().map(|&copy| (copy, kind[0])));
    }
    found.sort_unstable();
    Ok(found)
}
