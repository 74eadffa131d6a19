//! The papers' baselines as the papers print them: everything computed anew at every step.
#![allow(dead_code, unreachable_pub)]

use super::eigen::jacobi;
use super::scores::{Matrix, column, dot};

fn mean(f: &[f64]) -> f64 {
    f.iter().sum::<f64>() / f.len() as f64
}

fn centered(f: &[f64]) -> Vec<f64> {
    let mean = mean(f);
    f.iter().map(|v| v - mean).collect()
}

/// Below, within and above mean ± σ/2.
pub fn three_levels(f: &[f64]) -> Vec<usize> {
    let g = centered(f);
    let sigma = (dot(&g, &g) / g.len() as f64).sqrt();
    g.iter().map(|&v| if v < -sigma / 2.0 { 0 } else { 1 + usize::from(v > sigma / 2.0) }).collect()
}

/// Σ p_gh ln(p_gh / (p_g p_h)).
pub fn mutual_information(a: &[usize], b: &[usize]) -> f64 {
    let n = a.len() as f64;
    let share = |hit: &dyn Fn(usize) -> bool| (0..a.len()).filter(|&i| hit(i)).count() as f64 / n;
    let mut sum = 0.0;
    for g in 0..=*a.iter().max().expect("some") {
        for h in 0..=*b.iter().max().expect("some") {
            let both = share(&|i| a[i] == g && b[i] == h);
            if both > 0.0 {
                sum += both * (both / (share(&|i| a[i] == g) * share(&|i| b[i] == h))).ln();
            }
        }
    }
    sum
}

/// [Σ n_l (μ_l-μ)²/(c-1)] / [Σ n_l σ_l²/(n-c)].
pub fn f_statistic(f: &[f64], y: &[usize]) -> f64 {
    let classes = y.iter().max().expect("some") + 1;
    let (mut between, mut within) = (0.0, 0.0);
    for l in 0..classes {
        let inside: Vec<f64> = (0..f.len()).filter(|&i| y[i] == l).map(|i| f[i]).collect();
        between += inside.len() as f64 * (mean(&inside) - mean(f)).powi(2);
        within += inside.iter().map(|v| (v - mean(&inside)).powi(2)).sum::<f64>();
    }
    (between / (classes as f64 - 1.0)) / (within / (f.len() as f64 - classes as f64))
}

pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (centered(a), centered(b));
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
}

/// The order of all features, and the values at which the first `count` were chosen.
pub fn mrmr(rows: &Matrix, y: &[usize], criterion: &str, count: usize) -> (Vec<usize>, Vec<f64>) {
    let m = rows[0].len();
    let information = criterion.starts_with("mi");
    let relevance = |j: usize| {
        if information {
            mutual_information(&three_levels(&column(rows, j)), y)
        } else {
            f_statistic(&column(rows, j), y)
        }
    };
    let redundancy = |j: usize, s: usize| {
        if information {
            mutual_information(&three_levels(&column(rows, j)), &three_levels(&column(rows, s)))
        } else {
            correlation(&column(rows, j), &column(rows, s)).abs()
        }
    };
    let value = |j: usize, chosen: &[usize]| {
        if chosen.is_empty() {
            return relevance(j);
        }
        let w = chosen.iter().map(|&s| redundancy(j, s)).sum::<f64>() / chosen.len() as f64;
        if criterion.ends_with('d') { relevance(j) - w } else { relevance(j) / (w + 0.01) }
    };
    let (mut chosen, mut values) = (Vec::new(), Vec::new());
    while chosen.len() < count {
        let best = best(&chosen, m, |j| value(j, &chosen));
        values.push(value(best, &chosen));
        chosen.push(best);
    }
    let set = chosen.clone();
    while chosen.len() < m {
        chosen.push(best(&chosen, m, |j| value(j, &set)));
    }
    (chosen, values)
}

/// The first feature outside of `taken` with the largest value.
fn best(taken: &[usize], m: usize, value: impl Fn(usize) -> f64) -> usize {
    let left: Vec<usize> = (0..m).filter(|j| !taken.contains(j)).collect();
    let mut best = left[0];
    for &j in &left {
        if value(j) > value(best) * (1.0 + 1e-9 * value(best).signum()) {
            best = j;
        }
    }
    best
}

/// The entropy of the similarities over all features but `without`.
pub fn entropy(rows: &Matrix, without: usize) -> f64 {
    let n = rows.len();
    let mut distances = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            let parts = (0..rows[0].len()).filter(|&t| t != without);
            distances.push(parts.map(|t| (rows[i][t] - rows[j][t]).powi(2)).sum::<f64>().sqrt());
        }
    }
    let a = 2f64.ln() / mean(&distances);
    let pair = |d: &f64| {
        let s = (-a * d).exp();
        let part = |p: f64| if p > 0.0 { p * p.ln() } else { 0.0 };
        part(s) + part(1.0 - s)
    };
    -distances.iter().map(pair).sum::<f64>()
}

/// Features in the order of greedy sparse PCA, the largest variance first, and λ_max/n of every set.
pub fn path_spca(rows: &Matrix, count: usize) -> (Vec<usize>, Vec<f64>) {
    let (n, m) = (rows.len(), rows[0].len());
    let columns: Vec<Vec<f64>> = (0..m).map(|j| centered(&column(rows, j))).collect();
    let square = |v: &Vec<f64>| dot(v, v);
    let mut chosen = vec![best(&[], m, |j| square(&columns[j]))];
    let mut values = Vec::new();
    loop {
        let product =
            |i: usize, k: usize| chosen.iter().map(|&j: &usize| columns[j][i] * columns[j][k]).sum();
        let (eigenvalues, vectors) =
            jacobi((0..n).map(|i| (0..n).map(|k| product(i, k)).collect()).collect());
        let u = &vectors[n - 1];
        values.push(eigenvalues[n - 1] / n as f64);
        let gain = |j: usize| dot(u, &columns[j]).powi(2);
        let set = chosen.clone();
        if set.len() < count {
            chosen.push(best(&set, m, gain));
            continue;
        }
        while chosen.len() < m {
            chosen.push(best(&chosen, m, gain));
        }
        return (chosen, values);
    }
}

/// A x = b by elimination with pivots.
pub fn eliminate(mut a: Matrix, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).expect("some");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for c in k..n {
                a[i][c] -= factor * a[k][c];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|c| a[k][c] * b[c]).sum::<f64>()) / a[k][k];
    }
    b
}

/// w of the machine with squared hinge loss, its constant feature (1) last, by Newton's method on w.
pub fn machine(rows: &Matrix, labels: &[f64], cost: f64) -> Vec<f64> {
    let x: Matrix = rows.iter().map(|r| [&r[..], &[1.0]].concat()).collect();
    let d = x[0].len();
    let mut w = vec![0.0; d];
    for _ in 0..200 {
        let inside: Vec<usize> = (0..x.len()).filter(|&i| labels[i] * dot(&w, &x[i]) < 1.0).collect();
        let entry = |a: usize, b: usize| {
            f64::from(a == b) + 2.0 * cost * inside.iter().map(|&i| x[i][a] * x[i][b]).sum::<f64>()
        };
        let right = |a: usize| 2.0 * cost * inside.iter().map(|&i| labels[i] * x[i][a]).sum::<f64>();
        let next = eliminate(
            (0..d).map(|a| (0..d).map(|b| entry(a, b)).collect()).collect(),
            (0..d).map(right).collect(),
        );
        let change = next.iter().zip(&w).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        w = next;
        if change < 1e-13 {
            break;
        }
    }
    w
}

/// log₁₀ of z·σ against the largest after so many trainings, one machine a class against the rest (one for
/// two classes).
pub fn arom(rows: &Matrix, y: &[usize], cost: f64, trainings: usize) -> Vec<f64> {
    let (n, m) = (rows.len(), rows[0].len());
    let columns: Vec<Vec<f64>> = (0..m).map(|j| centered(&column(rows, j))).collect();
    let norm: Vec<f64> = columns.iter().map(|c| dot(c, c).sqrt()).collect();
    let classes = y.iter().max().expect("some") + 1;
    let positives: Vec<usize> = if classes == 2 { vec![1] } else { (0..classes).collect() };
    let mut z = vec![1.0; m];
    for _ in 0..trainings {
        let trace: f64 = (0..m).map(|j| (z[j] * norm[j]).powi(2)).sum();
        z.iter_mut().for_each(|z| *z *= (n as f64 / trace).sqrt());
        let scaled: Matrix = (0..n).map(|i| (0..m).map(|j| z[j] * columns[j][i]).collect()).collect();
        let mut square = vec![0.0; m];
        for &class in &positives {
            let labels: Vec<f64> = y.iter().map(|&c| if c == class { 1.0 } else { -1.0 }).collect();
            let w = machine(&scaled, &labels, cost);
            (0..m).for_each(|j| square[j] += w[j] * w[j]);
        }
        (0..m).for_each(|j| z[j] *= square[j].sqrt());
    }
    let weight: Vec<f64> = (0..m).map(|j| z[j] * norm[j]).collect();
    let largest = weight.iter().copied().fold(0.0, f64::max);
    weight.iter().map(|w| (w / largest).log10()).collect()
}
