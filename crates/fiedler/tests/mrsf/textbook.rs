//! Plain matrices and textbook formulas, random problems, and paths that are checked.

use fiedler::solve::{Options, Path, Problem, Solution, Solver, path};
use fiedler::{Dataset, Silent};

/// Plain matrices and textbook formulas that share nothing with the crate.
pub(crate) struct Textbook {
    /// Unit columns.
    pub(crate) columns: Vec<Vec<f64>>,
    /// Centered targets, one list a target.
    pub(crate) targets: Vec<Vec<f64>>,
}

impl Textbook {
    pub(crate) fn new(x: &[Vec<f64>], y: &[Vec<f64>]) -> Self {
        let transposed = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
            (0..rows[0].len()).map(|j| rows.iter().map(|r| r[j]).collect()).collect()
        };
        let centered = |mut column: Vec<f64>| {
            let mean = column.iter().sum::<f64>() / column.len() as f64;
            column.iter_mut().for_each(|v| *v -= mean);
            column
        };
        let unit = |column: Vec<f64>| {
            let norm = column.iter().map(|v| v * v).sum::<f64>().sqrt();
            column.iter().map(|v| if norm > 1e-12 { v / norm } else { 0.0 }).collect()
        };
        Textbook {
            columns: transposed(x).into_iter().map(|c| unit(centered(c))).collect(),
            targets: transposed(y).into_iter().map(centered).collect(),
        }
    }

    /// Y - XW, one list a target.
    pub(crate) fn residual(&self, solution: &Solution) -> Vec<Vec<f64>> {
        let q = self.targets.len();
        let mut residual = self.targets.clone();
        for (row, &j) in solution.active.iter().enumerate() {
            for l in 0..q {
                let w = solution.weights[row * q + l];
                residual[l].iter_mut().zip(&self.columns[j]).for_each(|(r, x)| *r -= w * x);
            }
        }
        residual
    }

    /// f_jᵀR.
    pub(crate) fn product(&self, j: usize, residual: &[Vec<f64>]) -> Vec<f64> {
        residual.iter().map(|r| r.iter().zip(&self.columns[j]).map(|(r, x)| r * x).sum()).collect()
    }

    /// Fails unless wⁱ ≠ 0 ⇒ f_iᵀR = λwⁱ/‖wⁱ‖ and wⁱ = 0 ⇒ ‖f_iᵀR‖ ≤ λ, to `tolerance`·λ.
    pub(crate) fn assert_optimal(&self, what: &str, solution: &Solution, tolerance: f64) {
        let (q, lambda) = (self.targets.len(), solution.lambda);
        let residual = self.residual(solution);
        for j in 0..self.columns.len() {
            let product = self.product(j, &residual);
            match solution.active.iter().position(|&a| a == j) {
                Some(row) => {
                    let weights = &solution.weights[row * q..(row + 1) * q];
                    let length = norm(weights);
                    assert!(length > 0.0, "{what}: feature {j} is listed as active with weights 0");
                    for l in 0..q {
                        let off = (product[l] - lambda * weights[l] / length).abs();
                        assert!(
                            off <= tolerance * lambda,
                            "{what}: feature {j} is off by {off:e} at λ {lambda}"
                        );
                    }
                }
                None => {
                    let reached = norm(&product);
                    assert!(
                        reached <= lambda * (1.0 + tolerance),
                        "{what}: feature {j} reaches {reached} > {lambda}"
                    );
                }
            }
        }
    }

    pub(crate) fn objective(&self, solution: &Solution) -> f64 {
        let q = self.targets.len();
        let fit: f64 = self.residual(solution).iter().flatten().map(|r| r * r).sum();
        0.5 * fit + solution.lambda * solution.weights.chunks(q).map(norm).sum::<f64>()
    }
}

pub(crate) fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Numbers that look random and are the same everywhere.
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    pub(crate) fn next(&mut self) -> f64 {
        // The sum of twelve uniform numbers is near enough to normal.
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            sum += (self.0 >> 11) as f64 / (1u64 << 53) as f64;
        }
        sum
    }

    pub(crate) fn matrix(&mut self, rows: usize, columns: usize) -> Vec<Vec<f64>> {
        (0..rows).map(|_| (0..columns).map(|_| self.next()).collect()).collect()
    }
}

/// Random features, and targets that some of them explain in part.
pub(crate) fn random(n: usize, m: usize, q: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut noise = Noise(seed);
    let x = noise.matrix(n, m);
    let mix = noise.matrix(m.min(5), q);
    let target = |row: &Vec<f64>, noise: &mut Noise| {
        (0..q).map(|l| (0..mix.len()).map(|j| row[j] * mix[j][l]).sum::<f64>() + 0.5 * noise.next()).collect()
    };
    let y = x.iter().map(|row| target(row, &mut noise)).collect();
    (x, y)
}

pub(crate) fn dataset(x: &[Vec<f64>]) -> Dataset {
    Dataset::from_rows(x).expect("finite")
}

pub(crate) fn problem<'a>(data: &'a Dataset, y: &[Vec<f64>]) -> Problem<'a> {
    Problem::new(data, y.concat(), y[0].len()).expect("targets fit")
}

pub(crate) fn walk(x: &[Vec<f64>], y: &[Vec<f64>], count: usize) -> Path {
    let data = dataset(x);
    path(&problem(&data, y), count, &Options::default(), &Silent).expect("the path converges")
}

/// The path, checked: the last point for every number of features up to `count` by the textbook, and the points on the
/// way, which carry no weights, by a solver.
pub(crate) fn checked_path(what: &str, x: &[Vec<f64>], y: &[Vec<f64>], count: usize) -> Path {
    let book = Textbook::new(x, y);
    for k in 1..=count {
        let found = walk(x, y, k);
        let last = found.points.last().expect("a point");
        book.assert_optimal(&format!("{what}, {k} features"), last, 2e-7);
        let objective = book.objective(last);
        assert!((last.objective - objective).abs() <= 1e-9 * objective, "{what}: objective");
    }
    let found = walk(x, y, count);
    let data = dataset(x);
    let problem = problem(&data, y);
    let tight = Options { gap: 1e-8, ..Options::default() };
    let mut solver = Solver::new(&problem, tight, &Silent).expect("good options");
    for point in &found.points {
        assert!(point.gap <= 1e-6, "{what}: gap {}", point.gap);
        let exact = solver.at(point.lambda, &Silent).expect("converges");
        assert!((point.objective / exact.objective - 1.0).abs() <= 2e-7, "{what}: objective");
        // The fit is strongly convex: ½‖ΔR‖² is at most the gap.
        let apart = (4e-8 * exact.objective).sqrt();
        assert!((point.residual - exact.residual).abs() <= apart, "{what}: residual");
        assert_eq!(point.row_norms.len(), point.active.len(), "{what}");
    }
    let lambdas: Vec<f64> = found.points.iter().map(|p| p.lambda).collect();
    assert!(lambdas.windows(2).all(|w| w[0] > w[1]), "{what}: λ falls along the path: {lambdas:?}");
    found
}
