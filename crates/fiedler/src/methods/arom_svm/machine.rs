//! A machine to all digits.
//!
//! Weights are multiplied iteration after iteration, and the order of small ones would follow the order in which coordinate
//! descent went by and where it stopped. With squared hinge loss the samples inside the margin, once they are known,
//! determine the machine by linear equations (Chapelle 2007):
//!
//! ```text
//! (K_SS + b²11ᵀ + I/2C) β_S = y_S,   S = {i: y_i d_i < 1},   d = (K + b²11ᵀ)β
//! ```
//!
//! Descent gives S or nearly so; the equations and S are then made anew in turn until S stays, which is the optimum.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::monitor::Monitor;
use crate::solve::svm::Svm;
use crate::{Error, Result};

/// Sets that are tried.
const STEPS: usize = 100;
/// How far a decision may lie on the wrong side of the margin, or an α below 0: rounding.
const ROUNDING: f64 = 1e-9;

/// α of the machine on the samples with the inner products `gram`, n × n.
pub(super) fn train(
    svm: &Svm,
    gram: &[f64],
    labels: &[f64],
    start: Option<&[f64]>,
    monitor: &dyn Monitor,
) -> Result<Vec<f64>> {
    let n = labels.len();
    let near = svm.fit_gram(gram, labels, start, monitor)?;
    let mut support: Vec<usize> = (0..n).filter(|&i| near.alphas[i] > 0.0).collect();
    let mut worst = f64::INFINITY;
    for _ in 0..STEPS {
        let signed = solve(svm, gram, labels, &support)?;
        let constant = svm.bias * svm.bias * signed.iter().sum::<f64>();
        let margins: Vec<f64> = (0..n)
            .map(|i| {
                let row = &gram[i * n..(i + 1) * n];
                let product: f64 = support.iter().zip(&signed).map(|(&s, b)| row[s] * b).sum();
                labels[i] * (product + constant)
            })
            .collect();
        let mut alphas = vec![0.0; n];
        support.iter().zip(&signed).for_each(|(&s, b)| alphas[s] = b * labels[s]);
        worst = violation(&margins, &alphas, &support);
        if worst <= ROUNDING {
            alphas.iter_mut().for_each(|a| *a = a.max(0.0));
            return Ok(alphas);
        }
        support = (0..n).filter(|&i| margins[i] < 1.0).collect();
    }
    Err(Error::NotConverged {
        what: "the support of a machine of arom-svm",
        iterations: STEPS,
        residual: worst,
        tolerance: ROUNDING,
        advice: "lower the cost, or scale the features",
    })
}

/// β_S.
fn solve(svm: &Svm, gram: &[f64], labels: &[f64], support: &[usize]) -> Result<Vec<f64>> {
    let (n, constant) = (labels.len(), svm.bias * svm.bias);
    let matrix = Mat::from_fn(support.len(), support.len(), |a, b| {
        let ridge = if a == b { 0.5 / svm.cost } else { 0.0 };
        gram[support[a] * n + support[b]] + constant + ridge
    });
    let factor = matrix.llt(Side::Lower).map_err(|_| {
        Error::parameter("cost", "small enough for the equations of the machine to be solved", svm.cost)
    })?;
    let mut right = Mat::from_fn(support.len(), 1, |a, _| labels[support[a]]);
    factor.solve_in_place(right.as_mut());
    Ok(right.col(0).iter().copied().collect())
}

/// How far the optimality conditions are from being met: every sample inside the margin has α ≥ 0 (its
/// share follows from the equations), every other one has α = 0 and lies outside.
fn violation(margins: &[f64], alphas: &[f64], support: &[usize]) -> f64 {
    let largest = alphas.iter().fold(f64::MIN_POSITIVE, |a, v| a.max(v.abs()));
    let mut inside = vec![false; margins.len()];
    support.iter().for_each(|&s| inside[s] = true);
    let one = |i: usize| if inside[i] { -alphas[i] / largest } else { 1.0 - margins[i] };
    (0..margins.len()).map(one).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    /// The optimality conditions of the dual, written out: α ≥ 0, slope y_i d_i - 1 + α_i/2C ≥ 0, one of them 0.
    #[test]
    fn the_conditions_hold_to_all_digits() {
        let n = 40;
        let x: Vec<[f64; 3]> = (0..n)
            .map(|i| std::array::from_fn(|j| ((i * (7 * j + 3) + j * j) % 17) as f64 / 8.0 - 1.0))
            .collect();
        let labels: Vec<f64> =
            (0..n).map(|i| if x[i][0] + 0.3 * x[i][1] > 0.1 { 1.0 } else { -1.0 }).collect();
        let product = |i: usize, j: usize| -> f64 { x[i].iter().zip(&x[j]).map(|(a, b)| a * b).sum() };
        let gram: Vec<f64> = (0..n * n).map(|p| product(p / n, p % n)).collect();
        for cost in [0.1, 1.0, 100.0] {
            let svm = Svm { cost, ..Svm::default() };
            let alphas = train(&svm, &gram, &labels, None, &Silent).expect("a machine");
            for i in 0..n {
                let says: f64 = (0..n).map(|j| alphas[j] * labels[j] * (product(i, j) + 1.0)).sum();
                let slope = labels[i] * says - 1.0 + alphas[i] / (2.0 * cost);
                assert!(alphas[i] >= 0.0 && slope >= -1e-9, "C {cost}: {} {slope}", alphas[i]);
                assert!(
                    alphas[i] * slope.abs() <= 1e-8 * (1.0 + alphas[i]),
                    "C {cost}: {} {slope}",
                    alphas[i]
                );
            }
            assert!(alphas.iter().any(|&a| a > 0.0));
        }
    }
}
