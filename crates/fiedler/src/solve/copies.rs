//! Columns that repeat another one, up to scale, sign and offset.
//!
//! Unit columns u and v that differ by d have ‖fᵀR‖ that differ by d‖R‖ at most, so a copy is to be looked for only where these
//! norms are equal to rounding. Of a million features many are, by chance. But n_eff = 1/Σu⁴ is known of every column, whatever
//! its scale, sign and offset, and
//! ```text
//! |Σu⁴ - Σv⁴| ≤ 4 (Σu⁶)^½ d + O(d²) ≤ 4 (Σu⁴)^½ d + O(d²),    so    |1 - n_eff(u)/n_eff(v)| ≤ 4d √n_eff + O(d²)
//! ```
//! which hardly any two columns meet that are no copies. Only these are read and multiplied out.

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

/// Whether two features may be copies by what is known of them.
pub(super) fn may_be_copies(problem: &Problem<'_>, j: usize, k: usize) -> bool {
    let n_eff = |j: usize| problem.data().stats()[j].effective_samples;
    let (a, b) = (n_eff(j), n_eff(k));
    let apart = (2.0 * rounding(problem.data().n_samples())).sqrt();
    // Twice as much for the higher orders, and what rounding and offsets may do to the fourth powers.
    let allowed = 8.0 * apart * a.max(b).sqrt() + 1e-6;
    // What is not known says nothing.
    let differ = (a - b).abs() > allowed * a.max(b);
    !differ
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
        let alike: Vec<usize> =
            rest.filter(|&k| !known[k] && may_be_copies(problem, j, k)).take(left).collect();
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
