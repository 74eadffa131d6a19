//! The univariate scores as the papers print them: dense matrices, one feature at a time.
#![allow(dead_code, unreachable_pub)]

#[path = "neighbors.rs"]
pub mod neighbors;

use super::eigen::{jacobi, normalized_laplacian};

pub type Matrix = Vec<Vec<f64>>;

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub fn column(rows: &Matrix, j: usize) -> Vec<f64> {
    rows.iter().map(|row| row[j]).collect()
}

/// Squared euclidean distances.
pub fn squares(rows: &Matrix) -> Matrix {
    let square = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
    rows.iter().map(|a| rows.iter().map(|b| square(a, b)).collect()).collect()
}

/// The kNN graph with heat weights, t the mean squared length of the edges.
pub fn heat_graph(rows: &Matrix, k: usize) -> Matrix {
    let (d, n) = (squares(rows), rows.len());
    let counts = neighbors::union(&d, k);
    let total: f64 = (0..n).map(|i| dot(&counts[i], &d[i])).sum();
    let t = total / counts.iter().flatten().sum::<f64>();
    let weight = |i: usize, j: usize| {
        let heat = if d[i][j] == 0.0 { 1.0 } else { (-d[i][j] / t).exp() };
        counts[i][j] * heat
    };
    (0..n).map(|i| (0..n).map(|j| weight(i, j)).collect()).collect()
}

pub fn degrees(s: &Matrix) -> Vec<f64> {
    s.iter().map(|row| row.iter().sum()).collect()
}

/// L = D - S, written out.
pub fn laplacian(s: &Matrix) -> Matrix {
    let d = degrees(s);
    let n = s.len();
    (0..n).map(|i| (0..n).map(|j| if i == j { d[i] - s[i][j] } else { -s[i][j] }).collect()).collect()
}

/// fᵀAf.
pub fn form(a: &Matrix, f: &[f64]) -> f64 {
    f.iter().zip(a).map(|(fi, row)| fi * dot(row, f)).sum()
}

/// gᵀLg / gᵀDg.
pub fn laplacian_score(f: &[f64], s: &Matrix) -> f64 {
    let d = degrees(s);
    let mean = dot(f, &d) / d.iter().sum::<f64>();
    let g: Vec<f64> = f.iter().map(|v| v - mean).collect();
    let below: f64 = g.iter().zip(&d).map(|(g, d)| d * g * g).sum();
    form(&laplacian(s), &g) / below
}

/// φ1, φ2 or φ3 by all eigenpairs. The trivial vector is moved away first, as the definition
/// wants it among the others of eigenvalue 0.
pub fn spec(f: &[f64], s: &Matrix, phi: usize, gamma: impl Fn(f64) -> f64, k: usize) -> f64 {
    let d = degrees(s);
    let n = f.len();
    let norm = d.iter().sum::<f64>().sqrt();
    let trivial: Vec<f64> = d.iter().map(|d| d.sqrt() / norm).collect();
    let mut moved = normalized_laplacian(s);
    for i in 0..n {
        for j in 0..n {
            moved[i][j] += 3.0 * trivial[i] * trivial[j];
        }
    }
    let (values, vectors) = jacobi(moved); // the trivial vector is now the last, at 3
    let w: Vec<f64> = f.iter().zip(&d).map(|(f, d)| d.sqrt() * f).collect();
    let whole = dot(&w, &w);
    let mass: Vec<f64> = vectors[..n - 1].iter().map(|v| dot(v, &w).powi(2) / whole).collect();
    let value = |j: usize| gamma(values[j].max(0.0));
    match phi {
        1 => (0..n - 1).map(|j| mass[j] * value(j)).sum(),
        2 => (0..n - 1).map(|j| mass[j] * value(j)).sum::<f64>() / mass.iter().sum::<f64>(),
        _ => {
            let mut end = k - 1; // without the trivial one
            while end < n - 1 && values[end] - values[end - 1] <= 1e-9 {
                end += 1;
            }
            (0..end).map(|j| (gamma(2.0) - value(j)) * mass[j]).sum()
        }
    }
}

/// Σ n_l (μ_l - μ)² / Σ n_l σ_l².
pub fn fisher(f: &[f64], codes: &[usize]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mut between, mut within) = (0.0, 0.0);
    for class in 0..=codes.iter().copied().max().unwrap_or(0) {
        let members: Vec<f64> = f.iter().zip(codes).filter(|(_, c)| **c == class).map(|(v, _)| *v).collect();
        if members.is_empty() {
            continue;
        }
        between += members.len() as f64 * (mean(&members) - mean(f)).powi(2);
        within += members.iter().map(|v| (v - mean(&members)).powi(2)).sum::<f64>();
    }
    between / within
}

/// 1/n_l inside class l.
pub fn label_graph(codes: &[usize]) -> Matrix {
    let size = |c: usize| codes.iter().filter(|d| **d == c).count() as f64;
    codes.iter().map(|&a| codes.iter().map(|&b| if a == b { 1.0 / size(a) } else { 0.0 }).collect()).collect()
}

/// The best set of `count` features under Σb/Σw, by trying every set.
pub fn best_trace_ratio(scatters: &[(f64, f64)], count: usize) -> f64 {
    let m = scatters.len();
    let sets = (0u32..1 << m).filter(|set| set.count_ones() as usize == count);
    sets.map(|set| {
        let chosen = (0..m).filter(|j| set & (1 << j) != 0);
        let (b, w) = chosen.fold((0.0, 0.0), |sum, j| (sum.0 + scatters[j].0, sum.1 + scatters[j].1));
        b / w
    })
    .fold(f64::NEG_INFINITY, f64::max)
}
