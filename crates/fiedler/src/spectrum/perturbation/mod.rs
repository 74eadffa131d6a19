//! What noise does to the spectrum and to scores, and how much it can do (DIS 2.4).
//!
//! N becomes Ñ = N + E, a feature f (of norm 1, as every f here) becomes f̃. With (λ_j, ξ_j) and (λ̃_j, ξ̃_j) the eigenpairs of
//! both, ascending, α_j = fᵀξ_j, α̃_j = f̃ᵀξ̃_j and θ_j the angle between ξ_j and ξ̃_j:
//!
//! ```text
//! Weyl          |λ̃_j - λ_j| ≤ ‖E‖₂
//! Davis, Kahan  ½ sin 2θ_j ≤ ε_j = ‖E‖₂/gap_j,   gap_j = min_{i≠j} |λ̃_i - λ̃_j|
//! Theorem 5     |Σ_{j≤q} α̃_j²λ̃_j - Σ_{j≤q} α_j²λ_j| ≤ Σ_{j≤q} (‖E‖ + s_j λ_j + ε̂_f λ_j)
//! Theorem 6     the same of λ^r:                     ≤ Σ_{j≤q} (‖E‖ T_j + s_j λ_j^r + ε̂_f λ_j^r)
//! with          s_j ≥ sin θ_j,   ε̂_f = 2‖f̃-f‖ + ‖f̃-f‖²
//! ```
//!
//! # Where this differs from the print
//! The theorems were checked line by line against their proofs.
//! - `s_j` is printed as sin(½ arcsin 2ε_j). ½ sin 2θ ≤ ε says θ ≤ ½ arcsin 2ε only where θ cannot be beyond 45°, which holds (by
//!   continuity along N + tE, on which λ_j stays simple) for ε_j < ½. For ε_j ≥ ½ the arcsine does not exist, nothing is known, and s_j
//!   is 1 here.
//! - Only one side is printed; the other holds as well, for |(fᵀξ̃)² - (fᵀξ)²| ≤ ‖ξ̃ξ̃ᵀ - ξξᵀ‖₂ = sin θ.
//! - Theorem 6 prints T_j = λ_j^(r-1) ((1+ρ)^r - 1)/ρ with λ̃_j - λ_j ≤ ρλ_j for all j, one ρ for all pairs. The third line of its proof
//!   has powers of λ_ε where powers of λ̃ belong; the fourth is right again. ρ does not exist where λ_j = 0 < λ̃_j.
//!   Here T_j = Σ_{i<r} λ_j^i max(λ_j, λ̃_j)^(r-1-i), which is the same sum before ρ is taken out; [`ScoreChange::printed`] is
//!   the bound with ρ.
//! - (2.15) prints "≤ ε_j" for s_j; it is ≥ (sin θ = ε/cos θ), an approximation and not a bound.
//! - "‖N‖ = 1" (2.10) is never used; a normalized Laplacian may have norm 2.
//! - For all pairs (q = n) the sum is fᵀN^r f, and |f̃ᵀÑ^r f̃ - fᵀN^r f| ≤ r·max(‖N‖, ‖Ñ‖)^(r-1) ‖E‖ + ε̂_f ‖N‖^r, without q and
//!   without any gap: [`ScoreChange::direct`]. So φ1 does not suffer from small gaps among the last eigenvalues, as DIS concludes from
//!   the theorems; it is the bound that does.

mod study;

use faer::{Mat, MatRef, Side};

pub use study::{Claim, Mixing, PhiScores, Study, StudyRow, Summary};

use super::{NormalizedLaplacian, dense};
use crate::graph::{Graph, dense::check_size_or};
use crate::{Error, Monitor, Result};

/// N, Ñ, and what became of every eigenpair.
#[derive(Debug, Clone)]
pub struct Perturbation {
    size: f64,
    pairs: Vec<PairChange>,
    vectors: Mat<f64>,
    perturbed_vectors: Mat<f64>,
}

/// What became of an eigenpair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairChange {
    /// λ_j.
    pub value: f64,
    /// λ̃_j.
    pub perturbed: f64,
    /// The distance of λ̃_j to the nearest other eigenvalue of Ñ.
    pub gap: f64,
    /// sin θ_j as it is.
    pub sine: f64,
    /// What sin θ_j can be at most: sin(½ arcsin(2‖E‖/gap)), or 1 where ‖E‖ is half of the gap or more.
    pub sine_bound: f64,
}

/// What became of Σ_{j≤q} α_j² λ_j^r, and how much it could have changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreChange {
    /// Of N and f.
    pub before: f64,
    /// Of Ñ and f̃.
    pub after: f64,
    /// The bound of Theorem 6 (Theorem 5 where r = 1) on |after - before|.
    pub bound: f64,
    /// The same with the one ρ that the paper prints; infinite where there is none.
    pub printed: f64,
    /// For all pairs: the bound without gaps.
    pub direct: Option<f64>,
}

impl ScoreChange {
    /// |after - before|.
    pub fn observed(&self) -> f64 {
        (self.after - self.before).abs()
    }
}

impl Perturbation {
    /// Compares the normalized Laplacians of two graphs of the same samples.
    ///
    /// # Errors
    /// The graphs differ in their samples, are too large to be written out, or the solver fails.
    pub fn of_graphs(exact: &Graph, perturbed: &Graph, monitor: &dyn Monitor) -> Result<Self> {
        check_size_or("comparing two spectra", exact.n_samples(), 8, (monitor, "use fewer samples"))?;
        let written = |graph| dense::to_dense(&NormalizedLaplacian::new(graph));
        Self::between(written(exact).as_ref(), written(perturbed).as_ref())
    }

    /// Compares two symmetric matrices of `n` rows, column after column, of which the lower halves are read.
    ///
    /// # Errors
    /// [`Error::Length`] when there are not n² values, [`Error::NotConverged`] when the solver fails
    /// (as it does on values that are not finite).
    pub fn of_matrices(n: usize, exact: &[f64], perturbed: &[f64]) -> Result<Self> {
        for values in [exact, perturbed] {
            if n.checked_mul(n) != Some(values.len()) {
                let what = "values of the matrix";
                return Err(Error::Length { what, expected: n.saturating_mul(n), got: values.len() });
            }
        }
        let matrix = |values| MatRef::from_column_major_slice(values, n, n);
        Self::between(matrix(exact), matrix(perturbed))
    }

    /// The same of matrices that are there.
    pub(crate) fn between(exact: MatRef<'_, f64>, perturbed: MatRef<'_, f64>) -> Result<Self> {
        let n = exact.nrows();
        for length in [exact.ncols(), perturbed.nrows(), perturbed.ncols()] {
            if length != n {
                return Err(Error::Length {
                    what: "samples of the perturbed matrix",
                    expected: n,
                    got: length,
                });
            }
        }
        let (values, vectors) = eigen(exact)?;
        let (after, perturbed_vectors) = eigen(perturbed)?;
        let difference = perturbed - exact;
        let size = eigen(difference.as_ref())?.0.iter().fold(0.0f64, |a, v| a.max(v.abs()));
        let pair = |j: usize| {
            let gap = gap(&after, j);
            let sine = sine(vectors.col_as_slice(j), perturbed_vectors.col_as_slice(j));
            PairChange { value: values[j], perturbed: after[j], gap, sine, sine_bound: sine_bound(size, gap) }
        };
        let pairs = (0..n).map(pair).collect();
        Ok(Perturbation { size, pairs, vectors, perturbed_vectors })
    }

    /// ‖E‖₂.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Every eigenpair, ascending.
    pub fn pairs(&self) -> &[PairChange] {
        &self.pairs
    }

    /// α_j² of a feature before and after, for every pair. The feature is divided by its norm.
    pub(super) fn masses(&self, feature: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let feature = unit(feature);
        let squares = |vectors: &Mat<f64>| {
            (0..self.pairs.len()).map(|j| dot(vectors.col_as_slice(j), &feature).powi(2)).collect()
        };
        (squares(&self.vectors), squares(&self.perturbed_vectors))
    }

    /// The sum over the first `pairs` eigenpairs of α_j² λ_j^`power` for `feature` before and
    /// `noisy` after, both divided by their norms, and its bounds.
    ///
    /// # Errors
    /// [`Error::Length`] or [`Error::Parameter`] when a feature does not have a value per sample
    /// or is zero, or `pairs` or `power` is out of range.
    pub fn score_change(
        &self,
        feature: &[f64],
        noisy: &[f64],
        pairs: usize,
        power: u32,
    ) -> Result<ScoreChange> {
        self.check(feature, noisy, pairs, power)?;
        let (before, after) = (self.masses(feature).0, self.masses(noisy).1);
        let moved: Vec<f64> = unit(noisy).iter().zip(unit(feature)).map(|(a, b)| a - b).collect();
        let moved = dot(&moved, &moved).sqrt();
        let feature_error = 2.0 * moved + moved * moved;
        let used = &self.pairs[..pairs];
        let rho = used.iter().map(|p| ratio(p.perturbed - p.value, p.value)).fold(0.0, f64::max);
        let r = power as i32;
        let mut change = ScoreChange { before: 0.0, after: 0.0, bound: 0.0, printed: 0.0, direct: None };
        for (j, p) in used.iter().enumerate() {
            let rest = (p.sine_bound + feature_error) * p.value.abs().powi(r);
            change.before += before[j] * p.value.powi(r);
            change.after += after[j] * p.perturbed.powi(r);
            change.bound += self.size * telescoped(p.value.abs(), p.perturbed.abs(), power) + rest;
            let printed = printed_factor(rho, r) * p.value.abs().powi(r - 1);
            change.printed += self.size * if printed.is_nan() { f64::INFINITY } else { printed } + rest;
        }
        if pairs == self.pairs.len() {
            let norm = |value: fn(&PairChange) -> f64| self.pairs.iter().map(value).fold(0.0, f64::max);
            let (exact, noisy) = (norm(|p| p.value.abs()), norm(|p| p.perturbed.abs()));
            let matrix = f64::from(power) * exact.max(noisy).powi(r - 1) * self.size;
            change.direct = Some(matrix + feature_error * exact.powi(r));
        }
        Ok(change)
    }

    fn check(&self, feature: &[f64], noisy: &[f64], pairs: usize, power: u32) -> Result<()> {
        let n = self.pairs.len();
        for f in [feature, noisy] {
            if f.len() != n {
                return Err(Error::Length { what: "values of a feature", expected: n, got: f.len() });
            }
            let norm = dot(f, f);
            if !(norm > 0.0 && norm.is_finite()) {
                return Err(Error::parameter("feature", "finite and not zero everywhere", norm));
            }
        }
        if pairs == 0 || pairs > n {
            return Err(Error::parameter("pairs", format!("from 1 to the number of samples ({n})"), pairs));
        }
        if power == 0 || power > 64 {
            return Err(Error::parameter("power", "from 1 to 64", power));
        }
        Ok(())
    }
}

/// Ascending eigenvalues with their vectors.
fn eigen(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let failed =
        || Error::eigensolver("the dense eigensolver", "check the matrix for values that are not finite");
    let found = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| failed())?;
    let values: Vec<f64> = found.S().column_vector().iter().copied().collect();
    if values.iter().any(|v| !v.is_finite()) {
        return Err(failed());
    }
    Ok((values, found.U().to_owned()))
}

/// The distance of value `j` to the nearest other one; infinite where it is the only one.
fn gap(values: &[f64], j: usize) -> f64 {
    let below = if j > 0 { values[j] - values[j - 1] } else { f64::INFINITY };
    let above = values.get(j + 1).map_or(f64::INFINITY, |v| v - values[j]);
    below.min(above)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit(feature: &[f64]) -> Vec<f64> {
    let norm = dot(feature, feature).sqrt();
    feature.iter().map(|v| v / norm).collect()
}

/// The sine of the angle between two unit vectors, from what is left of one beside the other: no
/// digits cancel where the angle is small.
fn sine(a: &[f64], b: &[f64]) -> f64 {
    let along = dot(a, b);
    let left: f64 = a.iter().zip(b).map(|(a, b)| (b - along * a).powi(2)).sum();
    left.sqrt().min(1.0)
}

fn sine_bound(size: f64, gap: f64) -> f64 {
    let ratio = ratio(size, gap);
    if ratio < 0.5 { ((2.0 * ratio).asin() / 2.0).sin() } else { 1.0 }
}

/// a/b of numbers from 0, 0 where a is 0 (or below, by which nothing grows).
fn ratio(a: f64, b: f64) -> f64 {
    if a <= 0.0 { 0.0 } else { a / b.max(0.0) }
}

/// (λ̄^r - λ^r)/(λ̄ - λ) as a sum, λ̄ the larger of both.
fn telescoped(value: f64, perturbed: f64, power: u32) -> f64 {
    let largest = value.max(perturbed);
    (0..power as i32).map(|i| value.powi(i) * largest.powi(power as i32 - 1 - i)).sum()
}

/// ((1+ρ)^r - 1)/ρ, r for ρ = 0.
fn printed_factor(rho: f64, power: i32) -> f64 {
    match rho {
        0.0 => f64::from(power),
        rho if rho.is_infinite() && power == 1 => 1.0,
        rho => ((1.0 + rho).powi(power) - 1.0) / rho,
    }
}
