//! The lasso of every target by itself: single weights become zero, not whole rows.
//!
//! ```text
//! min_W ½‖Y - XW‖²_F + λ Σᵢ Σₖ |w_ik|
//! ```
//! The problem falls apart into one for every target, each the L2,1 problem of a single target, so the walk along
//! λ is that of [`path`]. What joins them is λ, the same for all, at which `count` features have a weight in *some* target. With
//! principal components as targets this is sparse PCA (DIS 4.12, 4.13; Zou, Hastie, Tibshirani 2004).

use std::collections::BTreeMap;

use super::path::{End, Path, path};
use super::problem::{Problem, square};
use super::solver::{Options, Solution, solve};
use crate::monitor::Monitor;
use crate::{Error, Result};

/// The solutions of all targets from the largest λ_max to `count` features with a weight in some target. Of the points the
/// first is W = 0, the last one carries weights; [`Path::norms`] are maxₖ |f_jᵀr_k|, on the scale of λ.
///
/// ```
/// use fiedler::{Silent, dataset::demo, solve::{Options, Problem, entrywise}};
///
/// let data = demo::iris()?;
/// let targets = data.column(0)?.into_iter().zip(data.column(2)?).flat_map(|(a, b)| [a, b]).collect();
/// let problem = Problem::new(&data, targets, 2)?;
/// let last = entrywise(&problem, 2, &Options::default(), &Silent)?.points.pop().expect("an end");
/// assert_eq!(last.weights.len(), 2 * last.active.len());
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// As [`path`].
pub fn entrywise(
    problem: &Problem<'_>,
    count: usize,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Path> {
    if count == 0 {
        return Err(Error::parameter("count", "at least 1", 0));
    }
    let singles = singles(problem)?;
    let paths = paths(&singles, count, options, monitor)?;
    let lambda = common_lambda(&paths, count);
    let solutions: Vec<Solution> =
        singles.iter().map(|single| solve(single, lambda, options, monitor)).collect::<Result<_>>()?;
    joined(&singles, &paths, &solutions, (count, lambda), monitor)
}

/// A problem for every target.
fn singles<'a>(problem: &Problem<'a>) -> Result<Vec<Problem<'a>>> {
    let q = problem.n_targets();
    let target = |k: usize| problem.targets().iter().skip(k).step_by(q).copied().collect();
    (0..q).map(|k| Problem::new(problem.data(), target(k), 1)).collect()
}

/// A path for every target, each as far as λ falls before `count` features have entered some of them.
fn paths(
    singles: &[Problem<'_>],
    count: usize,
    options: &Options,
    monitor: &dyn Monitor,
) -> Result<Vec<Path>> {
    let first = (count.div_ceil(singles.len()) + 1).min(count);
    let mut asked = vec![first; singles.len()];
    let walk = |k: usize, asked: usize| path(&singles[k], asked, options, monitor);
    let mut paths: Vec<Path> = (0..singles.len()).map(|k| walk(k, first)).collect::<Result<_>>()?;
    loop {
        let nth = entered(&paths).get(count - 1).map_or(0.0, |e| e.1);
        let short =
            |k: &usize| paths[*k].end != End::Exhausted && asked[*k] < count && last_lambda(&paths[*k]) > nth;
        let again: Vec<usize> = (0..singles.len()).filter(short).collect();
        if again.is_empty() {
            return Ok(paths);
        }
        for k in again {
            // A little further each time: beyond what is needed λ can fall for long.
            asked[k] = (asked[k] + (asked[k] / 4).max(1)).min(count);
            paths[k] = walk(k, asked[k])?;
        }
    }
}

fn last_lambda(path: &Path) -> f64 {
    path.points.last().map_or(0.0, |p| p.lambda)
}

/// Every feature that entered some path, with the largest λ at which it did, λ falling.
fn entered(paths: &[Path]) -> Vec<(usize, f64)> {
    let mut first: BTreeMap<usize, f64> = BTreeMap::new();
    for &(j, lambda) in paths.iter().flat_map(|p| &p.history) {
        let largest = first.entry(j).or_insert(lambda);
        *largest = largest.max(lambda);
    }
    let mut first: Vec<(usize, f64)> = first.into_iter().collect();
    first.sort_by(|a, b| b.1.total_cmp(&a.1));
    first
}

/// Between the entry of the last feature that is wanted and the next one.
fn common_lambda(paths: &[Path], count: usize) -> f64 {
    let entered = entered(paths);
    let known = paths.iter().map(last_lambda).fold(0.0, f64::max);
    let Some(&(_, upper)) = entered.get(count - 1) else { return known.max(f64::MIN_POSITIVE) };
    let lower = entered.get(count).map_or(0.0, |e| e.1).max(known);
    if lower < upper { (upper + lower) / 2.0 } else { upper * (1.0 - 1e-7) }
}

/// One path of all targets.
fn joined(
    singles: &[Problem<'_>],
    paths: &[Path],
    solutions: &[Solution],
    (count, lambda): (usize, f64),
    monitor: &dyn Monitor,
) -> Result<Path> {
    let q = solutions.len();
    let mut rows: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (k, solution) in solutions.iter().enumerate() {
        for (&j, &w) in solution.active.iter().zip(&solution.weights) {
            rows.entry(j).or_insert_with(|| vec![0.0; q])[k] = w;
        }
    }
    // Those that entered first come first.
    let order: Vec<(usize, f64)> = entered(paths).into_iter().filter(|e| rows.contains_key(&e.0)).collect();
    let active: Vec<usize> = order.iter().map(|e| e.0).collect();
    let last = Solution {
        lambda,
        weights: active.iter().flat_map(|j| rows[j].iter().copied()).collect(),
        row_norms: active.iter().map(|j| square(&rows[j]).sqrt()).collect(),
        objective: solutions.iter().map(|s| s.objective).sum(),
        residual: solutions.iter().map(|s| s.residual * s.residual).sum::<f64>().sqrt(),
        gap: solutions.iter().map(|s| s.gap).fold(0.0, f64::max),
        iterations: solutions.iter().map(|s| s.iterations).sum(),
        active,
    };
    let copies = paths.first().map_or(&[][..], |p| &p.copies);
    Ok(Path {
        copies: copies.iter().copied().filter(|c| !rows.contains_key(&c.0)).collect(),
        norms: norms(singles, solutions, monitor)?,
        end: match last.active.len() {
            found if found == count => End::Complete,
            found if found > count => End::Together,
            _ => End::Exhausted,
        },
        points: vec![nothing(singles, paths), last],
        history: entered(paths),
        entries: order,
    })
}

/// W = 0, at the largest λ_max.
fn nothing(singles: &[Problem<'_>], paths: &[Path]) -> Solution {
    let first = paths.iter().flat_map(|p| p.points.first()).map(|p| p.lambda).fold(0.0, f64::max);
    let size: f64 = singles.iter().map(|s| square(s.targets())).sum();
    Solution {
        lambda: first,
        active: Vec::new(),
        weights: Vec::new(),
        row_norms: Vec::new(),
        objective: size / 2.0,
        residual: size.sqrt(),
        gap: 0.0,
        iterations: 0,
    }
}

/// The largest |f_jᵀr| of every feature over the targets.
fn norms(singles: &[Problem<'_>], solutions: &[Solution], monitor: &dyn Monitor) -> Result<Vec<f64>> {
    let mut largest = vec![0.0f64; singles.first().map_or(0, |s| s.data().n_features())];
    for (single, solution) in singles.iter().zip(solutions) {
        let mut residual = single.targets().to_vec();
        for (&j, &w) in solution.active.iter().zip(&solution.weights) {
            let column = single.data().column(j)?;
            let mean = column.iter().sum::<f64>() / column.len() as f64;
            let norm = column.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>().sqrt();
            residual.iter_mut().zip(&column).for_each(|(r, x)| *r -= w * (x - mean) / norm);
        }
        let norms = single.all_norms(&residual, monitor)?;
        largest.iter_mut().zip(norms).for_each(|(l, n)| *l = l.max(n));
    }
    Ok(largest)
}
