//! The lasso of every target: optimality written out, coordinate descent, and sparse PCA as a method.

use fiedler::dataset::demo;
use fiedler::methods::{Mrsf, Penalty, Targets};
use fiedler::solve::{Options, Problem, entrywise, path};
use fiedler::{Cells, Dataset, Selector, Silent};

use crate::textbook::Textbook;

/// Rows without structure, reproducible.
fn waves(n: usize, m: usize, salt: usize) -> Vec<Vec<f64>> {
    let value =
        |i: usize, j: usize| ((i * 37 + j * 101 + i * j * 13 + salt) as f64 * 0.618_034).fract() - 0.5;
    (0..n).map(|i| (0..m).map(|j| value(i, j)).collect()).collect()
}

fn flat(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.iter().flatten().copied().collect()
}

/// Coordinate descent on one target: the slowest and plainest lasso.
fn lasso(book: &Textbook, target: usize, lambda: f64) -> Vec<f64> {
    let mut weights = vec![0.0; book.columns.len()];
    let mut residual = book.targets[target].clone();
    for _ in 0..20_000 {
        let mut largest = 0.0f64;
        for (j, column) in book.columns.iter().enumerate() {
            let along: f64 = column.iter().zip(&residual).map(|(x, r)| x * r).sum::<f64>() + weights[j];
            let next = along.signum() * (along.abs() - lambda).max(0.0);
            let step = next - weights[j];
            residual.iter_mut().zip(column).for_each(|(r, x)| *r -= step * x);
            weights[j] = next;
            largest = largest.max(step.abs());
        }
        if largest < 1e-14 {
            break;
        }
    }
    weights
}

#[test]
fn every_target_is_a_lasso_at_the_same_lambda() {
    for (n, m, q, count) in [(30, 12, 3, 5), (20, 40, 2, 9), (25, 10, 4, 1), (40, 8, 3, 6)] {
        let (x, y) = (waves(n, m, 3), waves(n, q, 77));
        let data = Dataset::from_rows(&x).expect("finite");
        let problem = Problem::new(&data, flat(&y), q).expect("targets");
        let found = entrywise(&problem, count, &Options { gap: 1e-9, ..Options::default() }, &Silent)
            .expect("a path");
        let last = found.points.last().expect("an end");
        assert_eq!(last.active.len(), count, "{n}x{m}");
        let book = Textbook::new(&x, &y);
        let residual = book.residual(last);
        for k in 0..q {
            let expected = lasso(&book, k, last.lambda);
            for j in 0..m {
                let row = last.active.iter().position(|&a| a == j);
                let weight = row.map_or(0.0, |row| last.weights[row * q + k]);
                assert!(
                    (weight - expected[j]).abs() < 1e-5,
                    "target {k}, feature {j}: {weight}, {}",
                    expected[j]
                );
                // The optimality conditions, entry by entry.
                let product = book.product(j, &residual)[k];
                assert!(product.abs() <= last.lambda * (1.0 + 1e-5));
                if weight.abs() > 1e-9 {
                    assert!((product - last.lambda * weight.signum()).abs() <= 1e-5 * last.lambda);
                }
            }
        }
        for j in 0..m {
            let largest = book.product(j, &residual).iter().fold(0.0f64, |a, v| a.max(v.abs()));
            assert!((found.norms[j] - largest).abs() < 1e-8, "what is left of feature {j}");
        }
    }
}

#[test]
fn one_target_is_the_path_of_rows() {
    let (x, y) = (waves(30, 15, 5), waves(30, 1, 9));
    let data = Dataset::from_rows(&x).expect("finite");
    let problem = Problem::new(&data, flat(&y), 1).expect("targets");
    let rows = path(&problem, 6, &Options::default(), &Silent).expect("a path");
    let entries = entrywise(&problem, 6, &Options::default(), &Silent).expect("a path");
    let names = |list: &[(usize, f64)]| list.iter().map(|e| e.0).collect::<Vec<_>>();
    assert_eq!(names(&entries.entries), names(&rows.entries));
}

#[test]
fn sparse_components_use_features_of_their_own() {
    let data = demo::Planted { n_samples: 60, noise: 30, ..demo::Planted::default() }
        .generate()
        .expect("planted")
        .data;
    let rank = |penalty| {
        let method = Mrsf { count: 8, targets: Targets::Pca, pairs: 3, penalty, ..Mrsf::default() };
        method.rank(&data).expect("a ranking")
    };
    let zeros = |penalty| {
        let ranking = rank(penalty);
        let model = ranking.details.iter().find(|d| d.key == "coefficients").expect("the model");
        let Some(Cells::NumberLists(rows)) = model.values("weights") else { panic!("lists of weights") };
        assert_eq!(rows.len(), 8);
        assert!(rows.iter().all(|row| row.len() == 3 && row.iter().any(|w| *w != 0.0)));
        rows.iter().flatten().filter(|w| **w == 0.0).count()
    };
    assert_eq!(zeros(Penalty::Rows), 0, "a feature serves all components");
    assert!(zeros(Penalty::Entries) > 0, "every component has zeros of its own");
    let ranking = rank(Penalty::Entries);
    assert_eq!(ranking.parameters.text("penalty"), "entries");
    // Scores fall along the ranking, entries before the rest.
    let scores: Vec<f64> =
        ranking.order().iter().map(|&j| ranking.scores()[j]).filter(|s| !s.is_nan()).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]));
}
