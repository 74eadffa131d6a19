//! EVSC as the paper writes it, loop by loop, and data to try it on.

#![allow(dead_code, unreachable_pub)] // every test file uses a part of it

use fiedler::methods::{Evsc, Sigma};
use fiedler::{Dataset, Ranking, Scaling, Selector};

use crate::eigen;

pub type Matrix = Vec<Vec<f64>>;

pub fn rank(method: &Evsc, rows: &[Vec<f64>]) -> Ranking {
    method.rank(&data(rows)).expect("a ranking")
}

pub fn data(rows: &[Vec<f64>]) -> Dataset {
    Dataset::from_rows(rows).expect("finite").scaled(Scaling::None)
}

/// Three loose clusters; reproducible without a generator.
pub fn rows(n: usize, m: usize) -> Vec<Vec<f64>> {
    let value = |i: usize, t: usize| {
        let wave = ((i * 37 + t * 101 + i * t * 13 + 7) as f64 * 0.618_034).fract() - 0.5;
        wave * (1.0 + 0.2 * t as f64).min(3.0)
            + if t < 2 { (i % 3) as f64 * (1.0 - 0.6 * t as f64) } else { 0.0 }
    };
    (0..n).map(|i| (0..m).map(|t| value(i, t)).collect()).collect()
}

pub fn rbf(sigma: f64) -> Evsc {
    Evsc { sigma: Sigma::Given(sigma), ..Evsc::default() }
}

/// λ and q of Lq = λDq, qᵀDq = 1, ascending.
pub fn generalized(s: &Matrix) -> (Vec<f64>, Matrix) {
    let degrees: Vec<f64> = s.iter().map(|row| row.iter().sum()).collect();
    let (values, vectors) = eigen::jacobi(eigen::normalized_laplacian(s));
    let q = vectors.iter().map(|v| v.iter().zip(&degrees).map(|(x, d)| x / d.sqrt()).collect()).collect();
    (values, q)
}

pub fn square(x: &[f64], y: &[f64], w: &[f64]) -> f64 {
    (0..x.len()).map(|t| (w[t] * (x[t] - y[t])).powi(2)).sum()
}

pub fn gaussian(rows: &[Vec<f64>], sigma: f64, w: &[f64]) -> Matrix {
    let row = |x: &Vec<f64>| rows.iter().map(|y| (-square(x, y, w) / (2.0 * sigma * sigma)).exp()).collect();
    rows.iter().map(row).collect()
}

/// The paper's formula, loop by loop; for spectra without equal eigenvalues.
pub fn literal(rows: &[Vec<f64>], sigma: f64, rank: usize) -> Vec<f64> {
    let (n, m) = (rows.len(), rows[0].len());
    let s = gaussian(rows, sigma, &vec![1.0; m]);
    let (values, q) = generalized(&s);
    let mut scores = vec![0.0; m];
    for t in 0..m {
        for r in 0..rank {
            let mut change = 0.0;
            for i in 0..n {
                for j in i + 1..n {
                    let g = -(rows[i][t] - rows[j][t]).powi(2) / (sigma * sigma) * s[i][j];
                    change += g * (q[r][i] - q[r][j]).powi(2);
                    change -= g * values[r] * (q[r][i].powi(2) + q[r][j].powi(2));
                }
            }
            scores[t] += change.abs();
        }
    }
    scores
}

pub fn rank_of(rows: &[Vec<f64>], sigma: f64, count: usize) -> Ranking {
    rank(&Evsc { rank: Some(count), ..rbf(sigma) }, rows)
}
