//! The path: every point optimal, entries where they are, features that leave, and what must not matter.

use std::sync::Arc;

use fiedler::dataset::{Dense, Order, Sparse};
use fiedler::methods::{Mrsf, TargetMatrix, Targets};
use fiedler::solve::{End, Options, Path, Problem, fista, path, solve};
use fiedler::{Dataset, Scaling, Selector, Silent};

use crate::textbook::{checked_path, dataset, problem, random, walk};

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
fn a_feature_that_left_comes_back_with_its_last_entry() {
    // Feature 2 stands for 0 and 1 at first, and against them in the end: its weight changes sign before 3 enters.
    let (a, b, c) = ([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0]);
    let row = |i: usize| vec![a[i], b[i % 4], a[i] + b[i % 4] + 0.5 * c[i % 2], a[i] * b[i % 4]];
    let x: Vec<Vec<f64>> = (0..8).map(row).collect();
    let target = |r: &Vec<f64>, i: usize| vec![r[0] + 0.9 * r[1] - 0.1 * c[i % 2] + 0.005 * r[3]];
    let y: Vec<Vec<f64>> = x.iter().enumerate().map(|(i, r)| target(r, i)).collect();
    let found = checked_path("leaving", &x, &y, 4);
    assert_eq!(found.end, End::Complete);
    let story: Vec<(usize, bool)> = found.events().iter().map(|e| (e.feature, e.entered)).collect();
    assert_eq!(story, [(2, true), (0, true), (1, true), (2, false), (2, true), (3, true)]);
    let of_2: Vec<f64> = found.history.iter().filter(|e| e.0 == 2).map(|e| e.1).collect();
    assert_eq!(of_2.len(), 2);
    let entry = |j: usize| found.entries.iter().find(|e| e.0 == j).expect("active").1;
    assert_eq!(entry(2), of_2[1]);
    // The story and the entries tell the same λ.
    let told: Vec<f64> = found.events().iter().map(|e| e.lambda).collect();
    assert_eq!(
        [told[0], told[1], told[2], told[4], told[5]],
        [of_2[0], entry(0), entry(1), of_2[1], entry(3)]
    );
}

#[test]
fn a_feature_without_correlation_at_first_is_not_forgotten() {
    // Y = f0 - ½f1, and f1ᵀY is exactly 0: f1 matters only beside f0.
    let x: Vec<Vec<f64>> = [[1.5, 1.0], [0.5, -1.0], [-0.5, 1.0], [-1.5, -1.0]].map(Vec::from).to_vec();
    let y: Vec<Vec<f64>> = [[1.0], [1.0], [-1.0], [-1.0]].map(Vec::from).to_vec();
    let found = checked_path("orthogonal at first", &x, &y, 2);
    assert_eq!((found.end, found.entries.len()), (End::Complete, 2));
    let data = dataset(&x);
    let problem = problem(&data, &y);
    let options = Options { gap: 1e-10, ..Options::default() };
    for share in [0.5, 0.1, 0.01] {
        let lambda = share * problem.lambda_max(&Silent).expect("in memory");
        let by_sets = solve(&problem, lambda, &options, &Silent).expect("converges");
        let by_steps = fista(&problem, lambda, &options, &Silent).expect("converges");
        assert!((by_sets.objective / by_steps.objective - 1.0).abs() <= 1e-9, "{share}");
    }
}

#[test]
fn the_scale_of_the_targets_is_the_scale_of_lambda() {
    let (x, y) = random(20, 30, 2, 17);
    let reference = walk(&x, &y, 8);
    for scale in [1e-100, 1e-9, 1e9, 1e100] {
        let scaled: Vec<Vec<f64>> = y.iter().map(|r| r.iter().map(|v| v * scale).collect()).collect();
        let found = walk(&x, &scaled, 8);
        assert_eq!(found.end, reference.end);
        for (a, b) in found.entries.iter().zip(&reference.entries) {
            assert_eq!(a.0, b.0, "{scale}");
            assert!((a.1 / (b.1 * scale) - 1.0).abs() <= 1e-7, "{scale}: {} {}", a.1, b.1);
        }
    }
}

#[test]
fn only_the_last_point_carries_weights() {
    let (x, y) = random(20, 30, 2, 19);
    let found = walk(&x, &y, 6);
    let (last, others) = found.points.split_last().expect("points");
    assert_eq!(last.weights.len(), 2 * 6);
    assert!(others.iter().all(|p| p.weights.is_empty()));
}

#[test]
fn asking_for_more_than_there_is_says_so() {
    // Six samples: five directions, so one target is explained by at most five features.
    let (x, y) = random(6, 30, 1, 41);
    let found = checked_path("beyond the rank", &x, &y, 20);
    assert_eq!(found.end, End::Exhausted);
    assert!(found.entries.len() <= 5, "{}", found.entries.len());
    let targets = TargetMatrix { values: y.concat(), n_targets: 1, ..TargetMatrix::default() };
    let method = Mrsf { count: 20, targets: Targets::Given(Arc::new(targets)), ..Mrsf::default() };
    let ranking = method.rank(&dataset(&x)).expect("ranks");
    assert!(ranking.warnings.iter().any(|w| w.contains("20 were asked for")), "{:?}", ranking.warnings);
    assert_eq!(ranking.n_scored(), 30);
}

#[test]
fn a_path_beyond_the_rank_ends_at_the_floor() {
    for q in [1, 3] {
        let (x, y) = random(6, 30, q, 43);
        let found = checked_path("beyond the rank", &x, &y, 30);
        let (first, last) = (&found.points[0], found.points.last().expect("points"));
        if found.end == End::Exhausted {
            assert!((last.lambda / (Path::FLOOR * first.lambda) - 1.0).abs() <= 1e-9, "{q}");
        }
        assert_eq!(found.entries.len(), last.active.len());
    }
}

#[test]
fn constant_columns_have_no_score_and_never_enter() {
    let (mut x, y) = random(20, 10, 2, 51);
    x.iter_mut().for_each(|r| r.insert(3, 4.5));
    let targets = Targets::Given(Arc::new(TargetMatrix {
        values: y.concat(),
        n_targets: 2,
        ..TargetMatrix::default()
    }));
    let ranking = Mrsf { count: 11, targets, ..Mrsf::default() }.rank(&dataset(&x)).expect("ranks");
    assert_eq!(ranking.score(3), None);
    assert_eq!(ranking.order()[10], 3);
    assert_eq!(
        ranking.warnings,
        ["11 features were asked for and 10 can be selected (11 features, 1 constant)"]
    );
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
