//! The papers' baselines against textbook code and recorded answers of other programs.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;
mod naive {
    pub(crate) use super::eigen;
    #[path = "../naive/baselines.rs"]
    pub(crate) mod baselines;
    #[path = "../naive/scores.rs"]
    pub(crate) mod scores;
}

use common::{assert_close, golden, numbers};
use fiedler::graph::Knn;
use fiedler::methods::{AromSvm, Entropy, Mcfs, Mrmr, MrmrCriterion, PathSpca};
use fiedler::{Dataset, GraphRecipe, Labels, Ranking, Scaling, Selector};
use naive::baselines;
use proptest::prelude::*;
use serde_json::Value;

const CRITERIA: [MrmrCriterion; 4] =
    [MrmrCriterion::Mid, MrmrCriterion::Miq, MrmrCriterion::Fcd, MrmrCriterion::Fcq];

fn labeled(rows: &[Vec<f64>], y: &[usize]) -> Dataset {
    let data = Dataset::from_rows(rows).expect("finite").scaled(Scaling::None);
    data.labeled(Labels::from_codes(y)).expect("a label per sample")
}

fn curve(ranking: &Ranking) -> Vec<f64> {
    ranking.details.iter().find(|d| d.key == "curve").expect("a curve").series("value")
}

/// What was measured when each feature was chosen.
fn at_entry(ranking: &Ranking) -> Vec<f64> {
    ranking.order().iter().filter_map(|&j| ranking.score(j)).collect()
}

/// Rows, and classes that the first columns follow.
fn table(
    n: std::ops::Range<usize>,
    m: std::ops::Range<usize>,
) -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<usize>)> {
    (n, m).prop_flat_map(|(n, m)| {
        (prop::collection::vec(prop::collection::vec(-1.0..1.0f64, m), n), 2..4usize).prop_map(
            move |(mut rows, classes)| {
                let y: Vec<usize> = (0..n).map(|i| i % classes).collect();
                for (row, &c) in rows.iter_mut().zip(&y) {
                    row.iter_mut().take(m / 2).enumerate().for_each(|(j, v)| {
                        *v = *v * (j + 1) as f64 + if (c + j) % classes == 0 { 1.2 } else { 0.0 };
                    });
                }
                (rows, y)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Rounding may choose between candidates that are equally good, so values are compared, and the order where
    /// no two values are close.
    #[test]
    fn mrmr_is_its_definition((rows, y) in table(70..90, 4..9)) {
        for criterion in CRITERIA {
            let count = rows[0].len() - 1;
            let ranking = Mrmr { criterion, count }.rank(&labeled(&rows, &y)).expect("a ranking");
            let (order, values) = baselines::mrmr(&rows, &y, criterion.name(), count);
            prop_assert_eq!(ranking.order(), &order[..], "{:?}", criterion);
            // A difference of two numbers that are nearly equal has few digits of its own.
            for (got, expected) in at_entry(&ranking).iter().zip(values) {
                prop_assert!((got - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{} {}", got, expected);
            }
        }
    }

    #[test]
    fn entropy_is_its_definition((rows, _) in table(9..80, 2..7)) {
        let ranking = Entropy.rank(&Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None)).expect("a ranking");
        let expected: Vec<f64> = (0..rows[0].len()).map(|t| baselines::entropy(&rows, t)).collect();
        assert_close("entropy", ranking.scores(), &expected, 1e-10);
    }

    #[test]
    fn path_spca_is_its_definition((rows, _) in table(6..20, 3..9), count in 1..6usize) {
        let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
        let count = count.min(rows[0].len());
        let ranking = PathSpca { count }.rank(&data).expect("a ranking");
        let (order, values) = baselines::path_spca(&rows, count);
        prop_assert_eq!(ranking.order(), &order[..]);
        assert_close("λ_max", &curve(&ranking), &values, 1e-9);
    }

    #[test]
    fn arom_svm_is_its_definition((rows, y) in table(24..40, 3..7), trainings in 1..4usize) {
        let method = AromSvm { count: 1, cost: 10.0, iterations: trainings };
        let ranking = method.rank(&labeled(&rows, &y)).expect("a ranking");
        let made = ranking.parameters.whole_or_word("trained").expect("told");
        let expected = baselines::arom(&rows, &y, 10.0, made);
        for (j, (got, expected)) in ranking.scores().iter().zip(expected).enumerate() {
            // What vanished enters no machine any more.
            prop_assert!((got - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{}: {} {}", j, got, expected);
        }
    }
}

/// A table with repeated values and whole numbers: ties in the tables of counts, samples that agree but for one feature.
#[test]
fn whole_numbers_with_many_ties() {
    let rows: Vec<Vec<f64>> = (0..50usize)
        .map(|i| vec![(i % 2) as f64, (i % 3) as f64, (i * i % 5) as f64, (i / 25) as f64])
        .collect();
    let y: Vec<usize> = (0..50).map(|i| usize::from(i % 2 == 0 && i % 3 != 0)).collect();
    for criterion in CRITERIA {
        let ranking = Mrmr { criterion, count: 3 }.rank(&labeled(&rows, &y)).expect("a ranking");
        let (order, values) = baselines::mrmr(&rows, &y, criterion.name(), 3);
        assert_eq!(ranking.order(), order, "{criterion:?}");
        assert_close(criterion.name(), &at_entry(&ranking)[..values.len()], &values, 1e-9);
    }
    let ranking = Entropy.rank(&labeled(&rows, &y)).expect("a ranking");
    let expected: Vec<f64> = (0..4).map(|t| baselines::entropy(&rows, t)).collect();
    assert_close("entropy", ranking.scores(), &expected, 1e-10);
}

/// More samples and features than a task takes at a time.
#[test]
fn beyond_one_block() {
    let value = |i: usize, j: usize| (((i * 37 + j * 101) * (i + 3 * j + 1)) % 97) as f64 / 50.0;
    let rows: Vec<Vec<f64>> = (0..150)
        .map(|i| (0..70).map(|j| value(i, j) + f64::from(u8::from(i % 3 == j % 4))).collect())
        .collect();
    let y: Vec<usize> = (0..150).map(|i| i % 3).collect();
    let data = labeled(&rows, &y);
    let ranking = Mrmr { count: 5, ..Mrmr::default() }.rank(&data).expect("a ranking");
    assert_eq!(ranking.order(), baselines::mrmr(&rows, &y, "mid", 5).0);
    let ranking = Entropy.rank(&data).expect("a ranking");
    for t in [0, 13, 63, 64, 69] {
        assert_close("entropy", &[ranking.scores()[t]], &[baselines::entropy(&rows, t)], 1e-10);
    }
}

#[test]
fn the_golden_sets() {
    for set in golden() {
        let codes: Vec<usize> =
            set.data.classes("test").expect("labels").0.into_iter().map(|c| c as usize).collect();
        let varying: Vec<usize> = (0..set.data.n_features()).filter(|&j| !set.data.constant(j)).collect();
        let columns: Vec<Vec<f64>> =
            varying.iter().map(|&j| set.data.column(j).expect("in memory")).collect();
        let rows: Vec<Vec<f64>> = (0..codes.len()).map(|i| columns.iter().map(|c| c[i]).collect()).collect();
        let ranking = Mrmr { count: 2, ..Mrmr::default() }.rank(&set.data).expect("a ranking");
        let expected: Vec<usize> =
            baselines::mrmr(&rows, &codes, "mid", 2).0.iter().map(|&j| varying[j]).collect();
        assert_eq!(ranking.order()[..varying.len()], expected, "{}", set.name);
        let entropies = Entropy.rank(&set.data).expect("a ranking");
        for (t, &j) in varying.iter().enumerate() {
            assert_close(set.name, &[entropies.scores()[j]], &[baselines::entropy(&rows, t)], 1e-10);
        }
        assert_eq!(entropies.n_scored(), varying.len());
    }
}

/// scikit-learn's `lars_path`, recorded by `golden/mcfs.py`. The library stops a few millionths of λ before the knot.
#[test]
fn mcfs_is_that_of_scikit_learn() {
    let cases: Value = serde_json::from_str(include_str!("golden/mcfs.json")).expect("JSON");
    for case in cases.as_array().expect("cases") {
        let name = case["name"].as_str().expect("a name");
        let whole = |key: &str| case[key].as_u64().expect(key) as usize;
        let rows: Vec<Vec<f64>> = case["X"].as_array().expect("X").iter().map(numbers).collect();
        let coefficients: Vec<Vec<f64>> =
            case["coefficients"].as_array().expect("coefficients").iter().map(numbers).collect();
        let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
        let graph = GraphRecipe::Knn(Knn { k: whole("k").into(), ..Knn::default() });
        let method = Mcfs { clusters: whole("clusters"), count: whole("count"), graph };
        let ranking = method.rank(&data).expect("a ranking");
        for j in 0..rows[0].len() {
            let expected = coefficients.iter().map(|a| a[j].abs()).fold(0.0, f64::max);
            let got = ranking.scores()[j];
            match expected {
                0.0 => assert!((-1.0..=0.0).contains(&got), "{name}[{j}]: got {got}, no coefficient"),
                _ => assert!((got - expected).abs() < 2e-4, "{name}[{j}]: got {got}, expected {expected}"),
            }
        }
    }
}

#[test]
fn standardized_data_begin_with_the_component_of_all() {
    // Whatever the order of the columns, the same features come first.
    let rows: Vec<Vec<f64>> = (0..20)
        .map(|i| {
            let t = (i as f64 * 0.7).sin();
            let noise = |s: usize| ((i * s * 31 + s) % 19) as f64 / 19.0 - 0.5;
            vec![noise(2), t + 0.2 * noise(3), noise(5), 2.0 * t + 0.5 * noise(7), -t + 0.1 * noise(11)]
        })
        .collect();
    let turned: Vec<Vec<f64>> = rows.iter().map(|r| r.iter().rev().copied().collect()).collect();
    let first = |rows: &[Vec<f64>]| {
        PathSpca { count: 3 }
            .rank(&Dataset::from_rows(rows).expect("finite"))
            .expect("a ranking")
            .order()
            .to_vec()
    };
    let (a, b) = (first(&rows), first(&turned));
    assert_eq!(a, b.iter().map(|j| 4 - j).collect::<Vec<_>>());
    let mut best = a[..3].to_vec();
    best.sort_unstable();
    assert_eq!(best, [1, 3, 4]);
}
