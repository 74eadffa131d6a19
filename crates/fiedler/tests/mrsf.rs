//! MRSF and the L2,1 solvers: against the optimality conditions written out, golden values,
//! scikit-learn, and the theorems of DIS chapter 4.

mod common;

use std::sync::Arc;

use common::{Golden, golden, numbers};
use fiedler::dataset::demo::Planted;
use fiedler::dataset::{Dense, Order, Sparse};
use fiedler::methods::{Mrsf, TargetMatrix, Targets};
use fiedler::solve::{End, Options, Path, Problem, Solution, Solver, fista, path, solve};
use fiedler::{Dataset, Details, Error, GraphRecipe, Labels, Ranking, Scaling, Selector, Silent};
use serde_json::Value;

/// Plain matrices and textbook formulas that share nothing with the crate.
struct Textbook {
    /// Unit columns.
    columns: Vec<Vec<f64>>,
    /// Centred targets, one list a target.
    targets: Vec<Vec<f64>>,
}

impl Textbook {
    fn new(x: &[Vec<f64>], y: &[Vec<f64>]) -> Self {
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
    fn residual(&self, solution: &Solution) -> Vec<Vec<f64>> {
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
    fn product(&self, j: usize, residual: &[Vec<f64>]) -> Vec<f64> {
        residual.iter().map(|r| r.iter().zip(&self.columns[j]).map(|(r, x)| r * x).sum()).collect()
    }

    /// Fails unless wⁱ ≠ 0 ⇒ f_iᵀR = λwⁱ/‖wⁱ‖ and wⁱ = 0 ⇒ ‖f_iᵀR‖ ≤ λ, to `tolerance`·λ.
    fn assert_optimal(&self, what: &str, solution: &Solution, tolerance: f64) {
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

    fn objective(&self, solution: &Solution) -> f64 {
        let q = self.targets.len();
        let fit: f64 = self.residual(solution).iter().flatten().map(|r| r * r).sum();
        0.5 * fit + solution.lambda * solution.weights.chunks(q).map(norm).sum::<f64>()
    }
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Numbers that look random and are the same everywhere.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        // The sum of twelve uniform numbers is near enough to normal.
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            sum += (self.0 >> 11) as f64 / (1u64 << 53) as f64;
        }
        sum
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Vec<Vec<f64>> {
        (0..rows).map(|_| (0..columns).map(|_| self.next()).collect()).collect()
    }
}

/// Random features, and targets that some of them explain in part.
fn random(n: usize, m: usize, q: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut noise = Noise(seed);
    let x = noise.matrix(n, m);
    let mix = noise.matrix(m.min(5), q);
    let target = |row: &Vec<f64>, noise: &mut Noise| {
        (0..q).map(|l| (0..mix.len()).map(|j| row[j] * mix[j][l]).sum::<f64>() + 0.5 * noise.next()).collect()
    };
    let y = x.iter().map(|row| target(row, &mut noise)).collect();
    (x, y)
}

fn dataset(x: &[Vec<f64>]) -> Dataset {
    Dataset::from_rows(x).expect("finite")
}

fn problem<'a>(data: &'a Dataset, y: &[Vec<f64>]) -> Problem<'a> {
    Problem::new(data, y.concat(), y[0].len()).expect("targets fit")
}

fn walk(x: &[Vec<f64>], y: &[Vec<f64>], count: usize) -> Path {
    let data = dataset(x);
    path(&problem(&data, y), count, &Options::default(), &Silent).expect("the path converges")
}

/// The path with every point checked by the textbook.
fn checked_path(what: &str, x: &[Vec<f64>], y: &[Vec<f64>], count: usize) -> Path {
    let book = Textbook::new(x, y);
    let found = walk(x, y, count);
    for point in &found.points {
        book.assert_optimal(what, point, 2e-7);
        assert!(point.gap <= 1e-6, "{what}: gap {}", point.gap);
        let objective = book.objective(point);
        assert!((point.objective - objective).abs() <= 1e-9 * objective, "{what}: objective");
    }
    let lambdas: Vec<f64> = found.points.iter().map(|p| p.lambda).collect();
    assert!(lambdas.windows(2).all(|w| w[0] > w[1]), "{what}: λ falls along the path: {lambdas:?}");
    found
}

#[test]
fn every_point_of_a_path_is_optimal() {
    for (what, n, m, q, count) in [
        ("n < m", 20, 60, 4, 12),
        ("n > m", 80, 15, 3, 15),
        ("one target", 25, 40, 1, 10),
        ("more targets than samples", 10, 25, 30, 8),
        ("more active features than samples", 12, 60, 6, 20),
    ] {
        let (x, y) = random(n, m, q, 7);
        let found = checked_path(what, &x, &y, count);
        assert_eq!(found.end, End::Complete, "{what}");
        let last = found.points.last().expect("a point");
        assert_eq!(last.active.len(), count, "{what}");
        assert_eq!(found.entries.len(), count, "{what}");
        assert!(found.entries.iter().all(|&(_, lambda)| lambda > last.lambda), "{what}");
    }
}

#[test]
fn an_entry_is_the_largest_lambda_with_the_feature() {
    let (x, y) = random(30, 40, 3, 3);
    let data = dataset(&x);
    let problem = problem(&data, &y);
    let found = path(&problem, 8, &Options::default(), &Silent).expect("converges");
    let tight = Options { gap: 1e-12, ..Options::default() };
    for &(feature, lambda) in &found.entries {
        let at = |l: f64| solve(&problem, l, &tight, &Silent).expect("converges").active;
        assert!(at(lambda * (1.0 - 1e-5)).contains(&feature), "{feature} is in just below {lambda}");
        assert!(!at(lambda * (1.0 + 1e-5)).contains(&feature), "{feature} is not in just above {lambda}");
    }
}

#[test]
fn solvers_agree_with_each_other_and_with_the_path() {
    let (x, y) = random(25, 50, 3, 11);
    let data = dataset(&x);
    let problem = problem(&data, &y);
    let book = Textbook::new(&x, &y);
    let found = path(&problem, 10, &Options::default(), &Silent).expect("converges");
    let tight = Options { gap: 1e-10, ..Options::default() };
    let mut solver = Solver::new(&problem, tight, &Silent).expect("good options");
    for point in &found.points {
        for solution in [
            solver.at(point.lambda, &Silent).expect("converges"),
            solve(&problem, point.lambda, &tight, &Silent).expect("converges"),
            fista(&problem, point.lambda, &tight, &Silent).expect("converges"),
        ] {
            assert!(solution.gap <= 1e-10);
            assert!((solution.objective - point.objective).abs() <= 1e-9 * point.objective);
            assert!((book.objective(&solution) - solution.objective).abs() <= 1e-10 * point.objective);
        }
    }
}

#[test]
fn fixed_lambda_equals_the_golden_values() {
    for file in golden() {
        for (name, pairs, recipe) in
            [("labels", 99, GraphRecipe::Labels), ("rbf_full_auto", 5, GraphRecipe::Rbf(Default::default()))]
        {
            let (targets, _) = Targets::Spectral.build(&file.data, &recipe, pairs, &Silent).expect("targets");
            let problem = Problem::new(&file.data, targets.values, targets.n_targets).expect("they fit");
            for share in ["0.7", "0.3", "0.1"] {
                assert_golden(&file, &format!("l21.{name}.{share}"), &problem);
            }
        }
    }
}

fn assert_golden(file: &Golden, key: &str, problem: &Problem<'_>) {
    let (lambda, top) = (file.number(key, "lambda"), file.number(key, "lambda_max"));
    assert!(
        (problem.lambda_max(&Silent).expect("in memory") / top - 1.0).abs() <= 1e-9,
        "{} {key}",
        file.name
    );
    let options = Options { gap: 1e-12, ..Options::default() };
    for solution in [
        solve(problem, lambda, &options, &Silent).expect("converges"),
        fista(problem, lambda, &options, &Silent).expect("converges"),
    ] {
        let mut norms = vec![0.0; file.data.n_features()];
        solution.active.iter().zip(&solution.row_norms).for_each(|(&j, &w)| norms[j] = w);
        let expected = file.numbers(key, "row_norms");
        let off = norms.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off <= 1e-5 * top, "{} {key}: {norms:?} {expected:?}", file.name);
        let objective = file.number(key, "objective");
        assert!((solution.objective / objective - 1.0).abs() <= 1e-10, "{} {key}", file.name);
    }
}

#[test]
fn fixed_lambda_agrees_with_scikit_learn() {
    let cases: Value = serde_json::from_str(include_str!("golden/multitask_lasso.json")).expect("JSON");
    let rows =
        |value: &Value| -> Vec<Vec<f64>> { value.as_array().expect("rows").iter().map(numbers).collect() };
    for case in cases.as_array().expect("cases") {
        let name = case["name"].as_str().expect("a name");
        let data = dataset(&rows(&case["X"]));
        let problem = problem(&data, &rows(&case["Y"]));
        let top = problem.lambda_max(&Silent).expect("in memory");
        assert!((top - case["lambda_max"].as_f64().expect("a number")).abs() <= 1e-12 * top, "{name}");
        for expected in case["solutions"].as_array().expect("solutions") {
            let lambda = expected["lambda"].as_f64().expect("a number");
            let options = Options { gap: 1e-12, ..Options::default() };
            let solution = solve(&problem, lambda, &options, &Silent).expect("converges");
            let objective = expected["objective"].as_f64().expect("a number");
            assert!((solution.objective - objective).abs() <= 1e-10 * objective, "{name} {lambda}");
            let q = problem.n_targets();
            let mut weights = vec![vec![0.0; q]; data.n_features()];
            for (row, &j) in solution.active.iter().enumerate() {
                weights[j].copy_from_slice(&solution.weights[row * q..(row + 1) * q]);
            }
            for (got, expected) in weights.iter().zip(rows(&expected["weights"])) {
                let off = got.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off <= 1e-5 * top, "{name} {lambda}: {got:?} {expected:?}");
            }
        }
    }
}

#[test]
fn theorem_15_bounds_the_similarity_by_the_residual() {
    let (x, _) = random(20, 40, 1, 5);
    let mut noise = Noise(9);
    let y = noise.matrix(20, 4);
    let book = Textbook::new(&x, &y);
    for point in &walk(&x, &y, 12).points {
        let residual = book.residual(point);
        let image: Vec<Vec<f64>> = book
            .targets
            .iter()
            .zip(&residual)
            .map(|(y, r)| y.iter().zip(r).map(|(y, r)| y - r).collect())
            .collect();
        let entry =
            |columns: &[Vec<f64>], i: usize, k: usize| columns.iter().map(|c| c[i] * c[k]).sum::<f64>();
        let mut distance = 0.0;
        for i in 0..20 {
            for k in 0..20 {
                distance += (entry(&image, i, k) - entry(&book.targets, i, k)).powi(2);
            }
        }
        let frobenius = |columns: &[Vec<f64>]| norm(&columns.concat());
        let (targets, left) = (frobenius(&book.targets), frobenius(&residual));
        let bound = (2.0 * targets + left) * left;
        assert!(distance.sqrt() <= bound * (1.0 + 1e-12), "{} > {bound}", distance.sqrt());
        assert!((point.residual - left).abs() <= 1e-10 * targets);
    }
}

/// Two equally relevant, uncorrelated directions; feature 1 is nearly a copy of feature 0 (exactly one for
/// `tilt` 0), feature 2 is not.
fn redundant(tilt: f64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let (a, b, c) = ([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0]);
    let x = (0..8).map(|i| vec![a[i], a[i] + tilt * c[i % 2], b[i % 4], 0.3 * a[i] + c[i % 2]]).collect();
    let y = (0..8).map(|i| vec![1.1 * a[i] + b[i % 4], a[i] - b[i % 4]]).collect();
    (x, y)
}

#[test]
fn theorem_16_a_copy_loses_to_an_uncorrelated_feature() {
    for tilt in [0.0, 1e-9, 0.05] {
        let (x, y) = redundant(tilt);
        let found = checked_path("redundant", &x, &y, 2);
        assert_eq!(found.end, End::Complete, "{tilt}");
        let mut active: Vec<usize> = found.entries.iter().map(|e| e.0).collect();
        active.sort_unstable();
        assert_eq!(active, [0, 2], "{tilt}");
    }
}

#[test]
fn a_copy_of_an_active_feature_never_becomes_active() {
    let (mut x, y) = random(30, 12, 3, 21);
    // Copies, mirror images and rescaled copies of the first three.
    x.iter_mut().for_each(|r| r.extend([r[0], -r[1], 7.0 * r[2] + 3.0]));
    let found = checked_path("copies", &x, &y, 12);
    assert_eq!(found.end, End::Complete);
    let mut originals: Vec<usize> = found.entries.iter().map(|e| e.0 % 12).collect();
    originals.sort_unstable();
    assert_eq!(originals, (0..12).collect::<Vec<_>>(), "one of each pair, and nothing twice");
    let last = found.points.last().expect("a point").lambda;
    for copy in 12..15 {
        assert!((found.norms[copy] / last - 1.0).abs() < 1e-7, "a copy sits on the bound");
    }
}

#[test]
fn collinear_columns_are_no_obstacle() {
    for q in [1, 4] {
        let (mut x, y) = random(25, 6, q, 31);
        // Sums and differences: rank 6, eleven columns.
        x.iter_mut()
            .for_each(|r| r.extend([r[0] + r[1], r[0] - r[1], r[2] + r[3], r[1] + r[4], r[0] + r[5]]));
        let found = checked_path("collinear", &x, &y, 6);
        assert_eq!(found.end, End::Complete, "{q} targets");
    }
}

#[test]
fn asking_for_more_than_there_is_says_so() {
    // Six samples: five directions, so one target is explained by at most five features.
    let (x, y) = random(6, 30, 1, 41);
    let found = checked_path("beyond the rank", &x, &y, 20);
    assert_eq!(found.end, End::Exhausted);
    assert!(found.entries.len() <= 5, "{}", found.entries.len());
    let targets = TargetMatrix { values: y.concat(), n_targets: 1 };
    let method = Mrsf { count: 20, targets: Targets::Given(Arc::new(targets)), ..Mrsf::default() };
    let ranking = method.rank(&dataset(&x)).expect("ranks");
    assert!(ranking.warnings.iter().any(|w| w.contains("20 were asked for")), "{:?}", ranking.warnings);
    assert_eq!(ranking.n_scored(), 30);
}

#[test]
fn features_that_enter_together_are_reported() {
    // Orthogonal and equally relevant: both enter at λ_max, and no λ has exactly one of them.
    let x: Vec<Vec<f64>> = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(Vec::from).to_vec();
    let y: Vec<Vec<f64>> = x.iter().map(|r| vec![r[0] + r[1]]).collect();
    let found = checked_path("together", &x, &y, 1);
    assert_eq!((found.end, found.entries.len()), (End::Together, 2));
}

#[test]
fn constant_columns_have_no_score_and_never_enter() {
    let (mut x, y) = random(20, 10, 2, 51);
    x.iter_mut().for_each(|r| r.insert(3, 4.5));
    let targets = Targets::Given(Arc::new(TargetMatrix { values: y.concat(), n_targets: 2 }));
    let ranking = Mrsf { count: 11, targets, ..Mrsf::default() }.rank(&dataset(&x)).expect("ranks");
    assert_eq!(ranking.score(3), None);
    assert_eq!(ranking.order()[10], 3);
    assert!(ranking.warnings.is_empty(), "{:?}", ranking.warnings);
}

#[test]
fn targets_without_variance_leave_nothing_to_explain() {
    let (x, _) = random(10, 5, 1, 61);
    let data = dataset(&x);
    let problem = Problem::new(&data, vec![3.0; 10], 1).expect("finite");
    let found = path(&problem, 2, &Options::default(), &Silent).expect("nothing to do");
    assert_eq!((found.end, found.points.len(), found.entries.len()), (End::Exhausted, 0, 0));
}

#[test]
fn sparse_data_give_the_dense_answer() {
    let (mut x, y) = random(30, 40, 3, 71);
    for (i, row) in x.iter_mut().enumerate() {
        row.iter_mut().enumerate().for_each(|(j, v)| *v = if (i * 7 + j * 3) % 4 == 0 { *v } else { 0.0 });
    }
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..40 {
        for (i, row) in x.iter().enumerate().filter(|(_, r)| r[j] != 0.0) {
            rows.push(i as u32);
            values.push(row[j]);
        }
        offsets.push(rows.len());
    }
    let sparse = Dataset::new(Sparse::new(offsets, rows, values, 30).expect("well formed")).expect("finite");
    let dense = dataset(&x);
    let run = |data: &Dataset| path(&problem(data, &y), 12, &Options::default(), &Silent).expect("converges");
    let (a, b) = (run(&sparse), run(&dense));
    assert_eq!(a.points.len(), b.points.len());
    for (a, b) in a.entries.iter().zip(&b.entries) {
        assert_eq!(a.0, b.0);
        assert!((a.1 / b.1 - 1.0).abs() <= 1e-7);
    }
    let lambda = 0.3 * b.points[0].lambda;
    let options = Options { gap: 1e-9, ..Options::default() };
    let by_steps = fista(&problem(&sparse, &y), lambda, &options, &Silent).expect("converges");
    let by_sets = solve(&problem(&dense, &y), lambda, &options, &Silent).expect("converges");
    assert!((by_steps.objective / by_sets.objective - 1.0).abs() <= 1e-8);
}

#[test]
fn order_of_storage_precision_and_scaling_do_not_matter() {
    let (x, y) = random(20, 30, 2, 81);
    let columns: Vec<f64> = (0..30).flat_map(|j| x.iter().map(move |r| r[j])).collect();
    let singles: Vec<f32> = columns.iter().map(|&v| v as f32).collect();
    let reference = walk(&x, &y, 8);
    let shapes = [
        (Dataset::new(Dense::new(columns.clone(), 20, 30, Order::ColumnMajor).expect("fits")), 1e-9),
        (Dataset::new(Dense::new(singles, 20, 30, Order::ColumnMajor).expect("fits")), 1e-4),
        (Ok(dataset(&x).scaled(Scaling::None)), 1e-12),
        (Ok(dataset(&x).scaled(Scaling::Range)), 1e-12),
    ];
    for (data, tolerance) in shapes {
        let data = data.expect("finite");
        let found = path(&problem(&data, &y), 8, &Options::default(), &Silent).expect("converges");
        for (a, b) in found.entries.iter().zip(&reference.entries) {
            assert_eq!(a.0, b.0);
            assert!((a.1 / b.1 - 1.0).abs() <= tolerance, "{} {}", a.1, b.1);
        }
    }
}

#[test]
fn offsets_do_not_matter() {
    let (x, y) = random(20, 30, 2, 81);
    let shifted: Vec<Vec<f64>> = x.iter().map(|r| r.iter().map(|v| v + 1e6).collect()).collect();
    let (a, b) = (walk(&x, &y, 8), walk(&shifted, &y, 8));
    for (a, b) in a.entries.iter().zip(&b.entries) {
        assert_eq!(a.0, b.0);
        assert!((a.1 / b.1 - 1.0).abs() <= 1e-6);
    }
}

#[test]
fn threads_change_no_bit() {
    let (x, y) = random(40, 500, 5, 91);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| walk(&x, &y, 20))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn the_ranking_puts_active_features_first_by_entry() {
    let ranking = ranked(&Mrsf { count: 10, ..Mrsf::default() });
    let Details::Path(found) = &ranking.details else { panic!("mrsf tells its path") };
    let last = found.points.last().expect("a point");
    assert_eq!(last.active.len(), 10);
    let mut top = ranking.top(10).to_vec();
    let mut active = last.active.clone();
    top.sort_unstable();
    active.sort_unstable();
    assert_eq!(top, active);
    for &(j, lambda) in &found.entries {
        assert_eq!(ranking.score(j), Some(lambda));
    }
    for &j in &ranking.order()[10..] {
        assert!(ranking.score(j).is_none_or(|s| s <= last.lambda));
    }
    // The story of the path ends with the active features.
    let mut story: Vec<usize> = Vec::new();
    for event in found.events() {
        if event.entered { story.push(event.feature) } else { story.retain(|&j| j != event.feature) }
    }
    story.sort_unstable();
    assert_eq!(story, active);
}

fn ranked(method: &Mrsf) -> Ranking {
    let planted = Planted { n_samples: 90, noise: 30, ..Planted::default() };
    method.rank(&planted.generate().expect("planted").data).expect("ranks")
}

#[test]
fn every_kind_of_targets_ranks() {
    for targets in [Targets::Spectral, Targets::Labels, Targets::Lda, Targets::Svm, Targets::Pca] {
        let ranking = ranked(&Mrsf { count: 5, targets: targets.clone(), ..Mrsf::default() });
        let Details::Path(found) = &ranking.details else { panic!("mrsf tells its path") };
        assert_eq!((found.end, found.entries.len()), (End::Complete, 5), "{}", targets.name());
    }
}

/// √(n/n_l)-scaled classes and ±1 classes, written out for three samples.
#[test]
fn class_codings_are_those_of_the_paper() {
    let x: Vec<Vec<f64>> = vec![vec![1.0, 0.0], vec![2.0, 1.0], vec![4.0, 0.5], vec![0.0, 2.0]];
    let data = dataset(&x).labeled(Labels::from_codes(&[0, 0, 0, 1])).expect("labels");
    let root = f64::sqrt;
    let codings = [
        (Targets::Labels, [[1.0 / root(3.0), 0.0], [0.0, 1.0]]),
        (Targets::Lda, [[root(4.0 / 3.0) - root(0.75), -root(0.25)], [-root(0.75), root(4.0) - root(0.25)]]),
        (Targets::Svm, [[1.0, -1.0], [-1.0, 1.0]]),
    ];
    for (targets, [first, second]) in codings {
        let y = vec![first.to_vec(), first.to_vec(), first.to_vec(), second.to_vec()];
        let ranking =
            Mrsf { count: 1, targets: targets.clone(), ..Mrsf::default() }.rank(&data).expect("ranks");
        let expected = walk(&x, &y, 1);
        let Details::Path(found) = &ranking.details else { panic!("mrsf tells its path") };
        let (got, expected) = (found.points[0].lambda, expected.points[0].lambda);
        assert!((got / expected - 1.0).abs() <= 1e-12, "{}", targets.name());
    }
}

#[test]
fn principal_components_reproduce_the_inner_products() {
    // With all components YYᵀ = XXᵀ, so ‖fᵀY‖ = ‖Xᵀf‖ of the scaled columns: λ_max is the largest.
    let (x, _) = random(9, 6, 1, 99);
    let data = dataset(&x);
    let ranking =
        Mrsf { count: 1, targets: Targets::Pca, pairs: 6, ..Mrsf::default() }.rank(&data).expect("ranks");
    let columns = Textbook::new(&x, &x).columns;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let reach = |f: &Vec<f64>| 3.0 * norm(&columns.iter().map(|c| dot(c, f)).collect::<Vec<_>>());
    let expected = columns.iter().map(reach).fold(0.0, f64::max);
    let Details::Path(found) = &ranking.details else { panic!("mrsf tells its path") };
    assert!((found.points[0].lambda / expected - 1.0).abs() <= 1e-9);
}

#[test]
fn bad_questions_are_named() {
    let (x, y) = random(10, 5, 2, 101);
    let data = dataset(&x);
    assert!(matches!(Problem::new(&data, vec![0.0; 7], 2), Err(Error::Length { .. })));
    assert!(matches!(Problem::new(&data, vec![f64::NAN; 20], 2), Err(Error::Parameter { .. })));
    let problem = problem(&data, &y);
    for lambda in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            solve(&problem, lambda, &Options::default(), &Silent),
            Err(Error::Parameter { .. })
        ));
        assert!(matches!(
            fista(&problem, lambda, &Options::default(), &Silent),
            Err(Error::Parameter { .. })
        ));
    }
    assert!(matches!(path(&problem, 0, &Options::default(), &Silent), Err(Error::Parameter { .. })));
    let hasty = Options { max_iterations: 3, ..Options::default() };
    assert!(matches!(fista(&problem, 0.01, &hasty, &Silent), Err(Error::NotConverged { .. })));
    let supervised = Mrsf { targets: Targets::Labels, ..Mrsf::default() };
    assert!(matches!(supervised.rank(&data), Err(Error::LabelsMissing { .. })));
    let stop = |_: &'static str, _: usize, _: usize| std::ops::ControlFlow::Break(());
    assert!(matches!(path(&problem, 2, &Options::default(), &stop), Err(Error::Cancelled)));
}
