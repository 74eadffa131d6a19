//! One λ: against golden values, scikit-learn, each other and the path; what they refuse.

use fiedler::methods::{Mrsf, Targets};
use fiedler::solve::{Options, Problem, Solver, fista, path, solve};
use fiedler::{Error, GraphRecipe, Selector, Silent};
use serde_json::Value;

use crate::common::{Golden, golden, numbers};
use crate::textbook::{Textbook, dataset, problem, random};

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
    let cases: Value = serde_json::from_str(include_str!("../golden/multitask_lasso.json")).expect("JSON");
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
fn nesterovs_steps_do_not_shrink_away_at_the_end() {
    // A gap that rounding does not allow: the last steps are rounding, and must not be taken for steepness.
    for seed in 0..4 {
        let (x, y) = random(8, 5, 2, 500 + seed);
        let data = dataset(&x);
        let problem = problem(&data, &y);
        let lambda = 0.3 * problem.lambda_max(&Silent).expect("in memory");
        let options = Options { gap: 1e-300, max_iterations: 3000 };
        match fista(&problem, lambda, &options, &Silent) {
            Ok(solution) => assert_eq!(solution.gap, 0.0),
            Err(Error::NotConverged { residual, .. }) => assert!(residual <= 1e-13, "{seed}: {residual:e}"),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn targets_that_cannot_be_squared_are_refused() {
    let (x, y) = random(10, 5, 2, 102);
    let data = dataset(&x);
    for scale in [1e160, 1e-170] {
        let values: Vec<f64> = y.concat().iter().map(|v| v * scale).collect();
        let error = Problem::new(&data, values, 2).expect_err("out of range");
        assert!(error.to_string().starts_with("`targets` must be between"), "{error}");
    }
    let sign = |i: usize| if (i / 2).is_multiple_of(2) { f64::MAX } else { -f64::MAX };
    assert!(Problem::new(&data, (0..20).map(sign).collect(), 2).is_err());
}

#[test]
fn a_gap_that_cannot_be_reached_is_told_with_the_place() {
    let (x, y) = random(20, 30, 3, 103);
    let data = dataset(&x);
    let strict = Options { gap: 1e-300, ..Options::default() };
    let error = path(&problem(&data, &y), 10, &strict, &Silent).expect_err("rounding is larger");
    assert!(matches!(error, Error::PathStuck { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("λ = ") && text.contains("features are active") && !text.contains("NaN"), "{text}");
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
    assert!(matches!(path(&problem, 2, &Options::default(), &stop), Err(Error::Canceled)));
}
