//! Eigenpairs of a graph through landmarks, by a matrix as large as there are landmarks.
//!
//! With S = BBᵀ, B = ZΛ^-½ (samples × landmarks) and all degrees 1, N = I - BBᵀ. What BᵀB = Λ^-½ZᵀZΛ^-½ does to v with the
//! eigenvalue μ, BBᵀ does to Bv/√μ: so the leading pairs of N are (1 - μ, Bv/√μ) with the largest μ, and every other
//! eigenvalue of N is 1. The pairs at μ = 1 are those of the [null space](NullSpace), one for every component C, and known: at the
//! landmarks they are Λ^½1_C/√(vol C), which is taken out first.
//!
//! Cost: a pass over Z, landmarks³ for the small matrix, and a product for every pair. Beyond [`MOST`] landmarks the iterative
//! solver, which multiplies with Z and Zᵀ, is faster.

use faer::{Mat, Side};

use super::iterative::TOLERANCE;
use super::null::NullSpace;
use super::{NormalizedLaplacian, Spectrum};
use crate::graph::low_rank::LowRank;
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Most landmarks of the small matrix.
const MOST: usize = 2500;
/// Directions that the landmarks tell apart by less than this are taken as none.
const LEAST: f64 = 1e-8;

/// The `count` leading pairs, of which the first belong to the null space; `None` where another solver is faster.
///
/// # Errors
/// There are not so many: the others all have the eigenvalue 1.
pub(super) fn solve(
    operator: &NormalizedLaplacian<'_>,
    low: &LowRank,
    count: usize,
    monitor: &dyn Monitor,
) -> Result<Option<Spectrum>> {
    if !is_small(low) {
        let at_most = low.count();
        return if count > at_most { Err(too_many(low, at_most, count)) } else { Ok(None) };
    }
    let stage = Stage::new(monitor, "eigenvectors", 1)?;
    let null = NullSpace::new(operator);
    let known = null.dimension().min(count);
    let small = small_matrix(low, &operator.graph().components());
    let eigen = small.self_adjoint_eigen(Side::Lower).map_err(|_| failed(f64::INFINITY))?;
    let mu = |j: usize| eigen.S().column_vector()[low.count() - 1 - j];
    let usable = known + (0..low.count()).take_while(|&j| mu(j) > LEAST).count();
    if count > usable {
        return Err(too_many(low, usable, count));
    }
    let mut values = vec![0.0; known];
    values.extend((0..count - known).map(|j| (1.0 - mu(j)).max(0.0)));
    let mut vectors = Mat::zeros(operator.n_samples(), count);
    for j in 0..count {
        let vector = match j.checked_sub(known) {
            None => null.vector(j),
            Some(pair) => lifted(low, eigen.U().col(low.count() - 1 - pair).iter().copied()),
        };
        vectors.col_as_slice_mut(j).copy_from_slice(&vector);
    }
    let residuals = residuals(operator, &values, &vectors);
    let worst = residuals.iter().copied().fold(0.0, f64::max);
    if worst.is_nan() || worst > TOLERANCE {
        return Err(failed(worst));
    }
    stage.advance(1)?;
    Ok(Some(Spectrum::new(values, vectors, residuals)))
}

/// Whether the pairs are those of a small matrix.
pub(super) fn is_small(low: &LowRank) -> bool {
    low.count() <= MOST
}

fn too_many(low: &LowRank, usable: usize, count: usize) -> Error {
    let rule = format!(
        "at most {usable} for this graph: its {} landmarks tell no more directions apart, and all other eigenvalues are 1",
        low.count()
    );
    Error::parameter("pairs", rule, count)
}

fn failed(residual: f64) -> Error {
    let advice = "check the features for extreme values";
    let what = "the eigensolver of the landmarks";
    Error::NotConverged { what, iterations: 1, residual, tolerance: TOLERANCE, advice }
}

/// The lower triangle of Λ^-½ZᵀZΛ^-½ without its null space: Λ^½1_C of every component C.
fn small_matrix(low: &LowRank, components: &[usize]) -> Mat<f64> {
    let (a, roots) = (low.count(), roots(low));
    let mut small = Mat::<f64>::zeros(a, a);
    let mut component = vec![usize::MAX; a];
    for (i, &own) in components.iter().enumerate() {
        for (c, w) in low.links(i) {
            component[c] = own;
            low.links(i).take_while(|(d, _)| *d <= c).for_each(|(d, v)| small[(c, d)] += w * v);
        }
    }
    let mut volumes = vec![0.0; components.iter().max().map_or(0, |c| c + 1)];
    components.iter().for_each(|&c| volumes[c] += 1.0);
    for d in 0..a {
        for c in d..a {
            let root = roots[c] * roots[d];
            small[(c, d)] = if root > 0.0 { small[(c, d)] / root } else { 0.0 };
            if root > 0.0 && component[c] == component[d] {
                small[(c, d)] -= root / volumes[component[c]];
            }
        }
    }
    small
}

/// Λ^½.
fn roots(low: &LowRank) -> Vec<f64> {
    low.volumes().iter().map(|v| v.sqrt()).collect()
}

/// ZΛ^-½v, of norm 1.
fn lifted(low: &LowRank, v: impl Iterator<Item = f64>) -> Vec<f64> {
    let share = |(v, root): (f64, f64)| if root > 0.0 { v / root } else { 0.0 };
    let at_landmarks: Vec<f64> = v.zip(roots(low)).map(share).collect();
    let value = |i: usize| low.links(i).map(|(c, w)| w * at_landmarks[c]).sum::<f64>();
    let mut out: Vec<f64> = (0..low.n_samples()).map(value).collect();
    let norm = out.iter().map(|x| x * x).sum::<f64>().sqrt();
    out.iter_mut().for_each(|x| *x /= norm);
    out
}

fn residuals(operator: &NormalizedLaplacian<'_>, values: &[f64], vectors: &Mat<f64>) -> Vec<f64> {
    let n = operator.n_samples();
    let (mut scratch, mut product) = (vec![0.0; n], vec![0.0; n]);
    let mut residual = |(j, &value): (usize, &f64)| {
        let vector = vectors.col_as_slice(j);
        operator.apply(vector, 1, &mut scratch, &mut product);
        product.iter().zip(vector).map(|(p, v)| (p - value * v).powi(2)).sum::<f64>().sqrt()
    };
    values.iter().enumerate().map(&mut residual).collect()
}
