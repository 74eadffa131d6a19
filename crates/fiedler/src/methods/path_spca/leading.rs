//! The leading eigenpair of a symmetric operator without negative eigenvalues, by Lanczos' method with
//! restarts and full reorthogonalization. The residual is computed, not estimated; an answer beyond the
//! tolerance is an error.

use faer::{Mat, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::{Error, Result};

/// Vectors of a basis; then the search begins again from the best of them.
const BASIS: usize = 24;
/// How often.
const RESTARTS: usize = 200;
/// How much of a start points elsewhere.
const ELSEWHERE: f64 = 0.01;
/// ‖Av - λv‖ at the end, as a share of λ.
const TOLERANCE: f64 = 1e-11;

/// The largest eigenvalue and its unit vector. The start is a guess: a little of everything is added to it, for a guess in a space that
/// the operator maps to itself would never see what is larger outside.
pub(super) fn leading(
    start: Vec<f64>,
    mut apply: impl FnMut(&[f64]) -> Result<Vec<f64>>,
) -> Result<(f64, Vec<f64>)> {
    let guess = unit(start).ok_or_else(|| failed(f64::INFINITY))?;
    let all = unit(generic(guess.len())).ok_or_else(|| failed(f64::INFINITY))?;
    let mixed = guess.iter().zip(&all).map(|(g, a)| g + ELSEWHERE * a).collect();
    let mut v = unit(mixed).ok_or_else(|| failed(f64::INFINITY))?;
    let mut last = f64::INFINITY;
    for _ in 0..RESTARTS {
        let krylov = Krylov::grow(v, &mut apply)?;
        v = krylov.best().ok_or_else(|| failed(last))?;
        let image = apply(&v)?;
        let value = dot(&v, &image);
        let residual: f64 = image.iter().zip(&v).map(|(a, v)| (a - value * v).powi(2)).sum::<f64>().sqrt();
        last = residual / value;
        if residual <= TOLERANCE * value {
            return Ok((value, v));
        }
    }
    Err(failed(last))
}

/// An orthonormal basis Q of v, Av, A²v, … and QᵀAQ.
struct Krylov {
    basis: Vec<Vec<f64>>,
    diagonal: Vec<f64>,
    beside: Vec<f64>,
}

impl Krylov {
    fn grow(v: Vec<f64>, apply: &mut impl FnMut(&[f64]) -> Result<Vec<f64>>) -> Result<Self> {
        let size = BASIS.min(v.len());
        let mut krylov = Krylov { basis: vec![v], diagonal: Vec::new(), beside: Vec::new() };
        loop {
            let last = &krylov.basis[krylov.basis.len() - 1];
            let mut next = apply(last)?;
            let scale = dot(&next, &next).sqrt();
            krylov.diagonal.push(dot(last, &next));
            // Twice is enough.
            for _ in 0..2 {
                for q in &krylov.basis {
                    let share = dot(q, &next);
                    next.iter_mut().zip(q).for_each(|(n, q)| *n -= share * q);
                }
            }
            let norm = dot(&next, &next).sqrt();
            if krylov.basis.len() == size || norm.is_nan() || norm <= 1e-14 * scale {
                return Ok(krylov);
            }
            next.iter_mut().for_each(|v| *v /= norm);
            krylov.beside.push(norm);
            krylov.basis.push(next);
        }
    }

    /// The vector of the basis' space that A stretches most.
    fn best(&self) -> Option<Vec<f64>> {
        let k = self.diagonal.len();
        let small = Mat::from_fn(k, k, |i, j| match i.abs_diff(j) {
            0 => self.diagonal[i],
            1 => self.beside[i.min(j)],
            _ => 0.0,
        });
        let eigen = small.self_adjoint_eigen(Side::Lower).ok()?;
        let mut v = vec![0.0; self.basis[0].len()];
        for (q, w) in self.basis.iter().zip(eigen.U().col(k - 1).iter()) {
            v.iter_mut().zip(q).for_each(|(v, q)| *v += w * q);
        }
        unit(v)
    }
}

/// A start that is orthogonal to nothing: always the same random numbers.
pub(super) fn generic(n: usize) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    (0..n).map(|_| rng.next_u64() as f64 / u64::MAX as f64 - 0.5).collect()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    crate::solve::dot(a, b)
}

fn unit(mut v: Vec<f64>) -> Option<Vec<f64>> {
    let norm = dot(&v, &v).sqrt();
    v.iter_mut().for_each(|x| *x /= norm);
    (norm > 0.0 && norm.is_finite()).then_some(v)
}

fn failed(residual: f64) -> Error {
    Error::NotConverged {
        what: "the leading component",
        iterations: RESTARTS * BASIS,
        residual,
        tolerance: TOLERANCE,
        advice: "scale the features to comparable units",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_operator_gives_its_largest_entry() {
        let entries: Vec<f64> = (0..60).map(|i| 1.0 + f64::from(i) * 0.01).collect();
        let apply = |v: &[f64]| Ok(v.iter().zip(&entries).map(|(v, e)| v * e).collect());
        let (value, vector) = leading(generic(60), apply).expect("converged");
        assert!((value - 1.59).abs() < 1e-12 && (vector[59].abs() - 1.0).abs() < 1e-9, "{value}");
        // Equal eigenvalues: any vector of their space.
        let (value, _) = leading(generic(5), |v| Ok(v.to_vec())).expect("converged");
        assert!((value - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_start_in_a_space_of_its_own_does_not_hide_the_rest() {
        // e₀ is an eigenvector: what is larger lies outside of all its images.
        let entries = [1.0, 0.5, 4.0, 0.1];
        let apply = |v: &[f64]| Ok(v.iter().zip(&entries).map(|(v, e)| v * e).collect());
        let (value, vector) = leading(vec![1.0, 0.0, 0.0, 0.0], apply).expect("converged");
        assert!((value - 4.0).abs() < 1e-12 && (vector[2].abs() - 1.0).abs() < 1e-9, "{value}");
    }

    #[test]
    fn nothing_to_start_from_is_an_error() {
        assert!(leading(vec![0.0; 3], |v| Ok(v.to_vec())).is_err());
    }
}
