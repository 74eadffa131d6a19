//! EVSC by the sum and the signs of all derivatives, against pair by pair and the literal formula.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;
#[path = "naive/evsc.rs"]
mod naive;

use common::assert_close;
use fiedler::methods::{Evsc, Kernel, Rest};
use fiedler::{Error, GraphRecipe, Ranking, Selector};
use naive::{Matrix, data, literal, rank, rank_of, rbf, rows};

/// Sets of samples with few and many derivatives of either sign: wide, thin, thin with a narrow Gaussian, and with copies
/// (equal eigenvalues).
fn varied() -> Vec<(&'static str, Matrix, f64)> {
    let mut copied = rows(40, 5);
    copied.truncate(36);
    for i in 0..4 {
        copied.push(copied[i].clone());
    }
    vec![
        ("wide", rows(24, 120), 5.0),
        ("thin", rows(60, 3), 0.5),
        ("narrow", rows(60, 2), 0.1),
        ("wide Gaussian", rows(50, 4), 3.0),
        ("copies", copied, 0.7),
    ]
}

/// All eigenvalues by sum and signs, however few samples there are.
fn by_trace(rows: &[Vec<f64>], sigma: f64) -> Ranking {
    rank(&Evsc { rank: Some(rows.len()), rest: Rest::Together, ..rbf(sigma) }, rows)
}

#[test]
fn all_eigenvalues_by_their_sum_and_signs() {
    for (name, rows, sigma) in varied() {
        let n = rows.len();
        // Pair by pair, the other way to sum.
        let expected = rank_of(&rows, sigma, n);
        let found = by_trace(&rows, sigma);
        assert_close(name, found.scores(), expected.scores(), 1e-9);
        if name != "copies" {
            assert_close(name, found.scores(), &literal(&rows, sigma, n), 1e-8);
        }
    }
}

#[test]
fn many_samples_are_summed_so_unless_told_otherwise() {
    let rows = rows(180, 5);
    let usual = rank(&rbf(0.7), &rows);
    assert_eq!(usual.scores(), by_trace(&rows, 0.7).scores());
    assert_close("pairs", usual.scores(), rank_of(&rows, 0.7, 180).scores(), 1e-9);
}

/// The percentage that a note tells.
fn told_shortfall(ranking: &Ranking) -> f64 {
    let note = ranking.notes.iter().find(|n| n.contains("too small")).expect("the bound is told");
    let before = note.split('%').next().expect("a percentage");
    before.rsplit(' ').next().expect("a number").parse::<f64>().expect("a number") / 100.0
}

#[test]
fn the_rest_together_is_too_small_by_no_more_than_is_told() {
    for (name, rows, sigma) in varied() {
        let all = rank(&rbf(sigma), &rows);
        let mut last = f64::INFINITY;
        for count in [1, 8, 20] {
            let method = Evsc { rank: Some(count), rest: Rest::Together, ..rbf(sigma) };
            let ranking = rank(&method, &rows);
            let bound = told_shortfall(&ranking);
            assert!(bound <= last + 1e-12, "{name}: more eigenvalues, a smaller bound");
            last = bound;
            for (lower, exact) in ranking.scores().iter().zip(all.scores()) {
                assert!(*lower <= exact * (1.0 + 1e-9), "{name}, {count}: {lower} above {exact}");
                assert!(
                    exact - lower <= exact * bound + 1e-12,
                    "{name}, {count}: {lower} of {exact}, told {bound}"
                );
            }
        }
        // One by one to the last, nothing is left and nothing told.
        let method = Evsc { rank: Some(rows.len()), rest: Rest::Together, ..rbf(sigma) };
        let whole = rank(&method, &rows);
        assert_close(name, whole.scores(), all.scores(), 1e-9);
        assert!(whole.notes.iter().all(|n| !n.contains("too small")));
    }
}

#[test]
fn no_offset_and_no_distant_clusters_spoil_the_sums() {
    // Two clusters whose similarity is 1e-11: what a feature that parts them adds is as small, and its squares are not.
    let mut rows = rows(30, 3);
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = 0.02 * row[0] + if i % 2 == 0 { 0.0 } else { 7.1 };
        row[1] += 1e6;
    }
    let plain: Matrix = rows.iter().map(|r| vec![r[0], r[1] - 1e6, r[2]]).collect();
    let expected = literal(&plain, 1.0, 30);
    assert_close("distant", by_trace(&rows, 1.0).scores(), &expected, 1e-6);
    assert_close("distant", rank(&rbf(1.0), &rows).scores(), &expected, 1e-6);
}

#[test]
fn the_rest_is_refused_where_its_sum_is_not_known() {
    let rows = rows(20, 4);
    let refused = |method: Evsc| {
        let error = method.rank(&data(&rows)).expect_err("a wrong parameter");
        assert!(matches!(&error, Error::Parameter { name, .. } if *name == "rest"), "{error}");
    };
    let together = Evsc { rank: Some(5), rest: Rest::Together, ..Evsc::default() };
    refused(Evsc { rank: None, ..together.clone() });
    refused(Evsc { graph: GraphRecipe::default(), ..together.clone() });
    refused(Evsc { similarity: Kernel::Euclidean, ..together });
}
