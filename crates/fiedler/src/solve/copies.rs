//! Columns that repeat another one, up to scale, sign and offset.
//!
//! Unit columns u and v that differ by d have ‖fᵀR‖ that differ by d‖R‖ at most, so a copy is to be looked for only where these
//! norms are equal to rounding. Of a million features many are, by chance. But n_eff = 1/Σu⁴ is known of every column, whatever
//! its scale, sign and offset, and
//! ```text
//! |Σu⁴ - Σv⁴| ≤ 4 (Σu⁶)^½ d + O(d²) ≤ 4 (Σu⁴)^½ d + O(d²),    so    |1 - n_eff(u)/n_eff(v)| ≤ 4d √n_eff + O(d²)
//! ```
//! which few columns meet that are no copies. Fewer still have their largest and smallest values within d of each other's too, as
//! copies must (of a mirror image the one is the other's). Only these are read and multiplied out.

use super::problem::{Problem, norm};
use crate::Result;
use crate::dataset::ColumnStats;

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
    let stats = problem.data().stats();
    let (a, b) = (stats[j].effective_samples, stats[k].effective_samples);
    let apart = (2.0 * rounding(problem.data().n_samples())).sqrt();
    // Twice as much for the higher orders, and what rounding and offsets may do to the fourth powers.
    let allowed = 8.0 * apart * a.max(b).sqrt() + 1e-6;
    // What is not known says nothing.
    let differ = (a - b).abs() > allowed * a.max(b);
    !differ && have_like_ends(&stats[j], &stats[k], (problem.data().n_samples(), apart))
}

/// Whether the largest and the smallest values of two unit columns of `n` samples may be those of columns that are so far `apart`.
fn have_like_ends(one: &ColumnStats, other: &ColumnStats, (n, apart): (usize, f64)) -> bool {
    let norm = |s: &ColumnStats| (s.variance * n as f64).sqrt();
    let ends = |s: &ColumnStats| ((s.max - s.mean) / norm(s), (s.mean - s.min) / norm(s));
    let (high, low) = ends(one);
    // Twice as much again, and what rounding may do to a mean, relative to what varies about it.
    let rounded = |s: &ColumnStats| 4.0 * f64::EPSILON * s.mean.abs() / norm(s);
    let allowed = 2.0 * apart + 1e-6 * high.max(low) + rounded(one) + rounded(other);
    let differ = |a: f64, b: f64| (a - b).abs() > allowed;
    let differ_from = |(a, b): (f64, f64)| differ(high, a) || differ(low, b);
    let (a, b) = ends(other);
    !(differ_from((a, b)) && differ_from((b, a)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    /// Scaled, mirrored and moved copies of a column may be copies by their ends, and columns that differ in one value are not.
    #[test]
    fn ends_tell_copies_from_others() {
        let own = |i: usize| ((i * 37) % 101) as f64 / 7.0 + if i == 5 { 9.0 } else { 0.0 };
        let columns: [fn(f64) -> f64; 5] =
            [|v| v, |v| -3.0 * v, |v| 1e-9 * v + 4.0, |v| 7.0 - 1e12 * v, |v| v + 1e7];
        let rows: Vec<Vec<f64>> = (0..90)
            .map(|i| {
                let other = if i == 5 { 30.0 } else { own(i) };
                columns.iter().map(|f| f(own(i))).chain([other, -other, own(i) * own(i)]).collect()
            })
            .collect();
        let data = Dataset::from_rows(&rows).expect("finite");
        let apart = (2.0 * rounding(90)).sqrt();
        let alike = |j: usize, k: usize| have_like_ends(&data.stats()[j], &data.stats()[k], (90, apart));
        let kinds = [0, 0, 0, 0, 0, 1, 1, 2];
        for (j, k) in (0..8).flat_map(|j| (0..8).map(move |k| (j, k))) {
            assert_eq!(alike(j, k), kinds[j] == kinds[k], "{j} {k}");
        }
    }
}
