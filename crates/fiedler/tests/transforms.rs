//! Ranks, logarithms and the gate against textbook code.

mod common;

use fiedler::dataset::demo;
use fiedler::dataset::{Dense, Order, Transform};
use fiedler::eval::{Candidate, Measure, Partition, Protocol};
use fiedler::methods::{Laplacian, Variance};
use fiedler::solve::{Options, Problem, solve};
use fiedler::{Dataset, Labels, Limited, Limits, Scaling, Selector, Silent};

/// Counts with ties, a rare column, one without ties, one below zero, one that is constant.
fn rows(n: usize) -> Vec<Vec<f64>> {
    let value = |i: usize, j: usize| match j {
        0 => ((i * i) % 5) as f64,
        1 => f64::from(u8::from(i % 17 == 3)),
        2 => ((i * 7919) % 1009) as f64 / 7.0,
        3 => ((i * 13) % 7) as f64 - 3.0,
        4 => 5.0,
        _ => {
            if (i * j).is_multiple_of(3) {
                0.0
            } else {
                ((i * 31 + j) % 11) as f64
            }
        }
    };
    (0..n).map(|i| (0..8).map(|j| value(i, j)).collect()).collect()
}

fn column(data: &Dataset, j: usize) -> Vec<f64> {
    data.clone().scaled(Scaling::None).column(j).expect("in memory")
}

/// Midranks by counting: smaller ones, and half of the equal ones.
fn midrank(value: f64, among: &[f64]) -> f64 {
    let smaller = among.iter().filter(|v| **v < value).count() as f64;
    let equal = among.iter().filter(|v| **v == value).count() as f64;
    smaller + (equal + 1.0) / 2.0
}

/// As [`midrank`], between two neighbors by a straight line.
fn interpolated(value: f64, among: &[f64]) -> f64 {
    if among.contains(&value) {
        return midrank(value, among);
    }
    let below = among.iter().copied().filter(|v| *v < value).fold(f64::NEG_INFINITY, f64::max);
    let above = among.iter().copied().filter(|v| *v > value).fold(f64::INFINITY, f64::min);
    match (below.is_finite(), above.is_finite()) {
        (false, _) => midrank(above, among),
        (_, false) => midrank(below, among),
        _ => {
            let (from, to) = (midrank(below, among), midrank(above, among));
            from + (value - below) / (above - below) * (to - from)
        }
    }
}

#[test]
fn ranks_are_those_of_counting_dense_and_sparse() {
    let rows = rows(50);
    let n = rows.len() as f64;
    let dense = Dataset::from_rows(&rows).expect("finite").transformed(Transform::Ranks, &Silent);
    let sparse = common::sparse(&rows).transformed(Transform::Ranks, &Silent);
    let (dense, sparse) = (dense.expect("ranks"), sparse.expect("ranks"));
    assert!(sparse.is_sparse() && !dense.is_sparse());
    for j in 0..8 {
        let given: Vec<f64> = rows.iter().map(|r| r[j]).collect();
        let middle = (n + 1.0) / 2.0;
        let expected = |from: f64| -> Vec<f64> {
            given.iter().map(|&v| 12f64.sqrt() * (midrank(v, &given) - from) / n).collect()
        };
        common::assert_close("dense", &column(&dense, j), &expected(middle), 1e-14);
        let found = column(&sparse, j);
        common::assert_close("sparse", &found, &expected(interpolated(0.0, &given)), 1e-14);
        assert!(given.iter().zip(&found).all(|(g, f)| *g != 0.0 || *f == 0.0), "zeros stay zeros");
        assert!(dense.stats()[j].mean.abs() < 1e-14);
    }
    assert!(dense.constant(4) && sparse.constant(4));
    // Without ties the deviation is 1 but for 1/n²; a rare column stays small.
    assert!((dense.stats()[2].variance - (1.0 - 1.0 / (n * n))).abs() < 1e-12);
    assert!(dense.stats()[1].variance < 0.2);
}

#[test]
fn what_is_kept_and_what_is_made_again_are_the_same() {
    let rows = rows(50);
    let small = Limited { monitor: &Silent, limits: Limits::of("1kB".parse().expect("an amount")) };
    for data in [Dataset::from_rows(&rows).expect("finite"), common::sparse(&rows)] {
        let data = data.subset(&[0, 1, 2, 4, 5, 6, 7]).expect("there");
        for transform in [Transform::Ranks, Transform::Log] {
            let kept = data.transformed(transform, &Silent).expect("transformed");
            let made = data.transformed(transform, &small).expect("transformed");
            assert_eq!(kept.stats(), made.stats());
            for j in 0..data.n_features() {
                assert_eq!(column(&kept, j), column(&made, j), "{transform:?} {j}");
                assert_eq!(column(&kept.subset(&[j]).expect("there"), 0), column(&kept, j));
            }
        }
    }
}

#[test]
fn logarithms_are_of_counts_only() {
    let rows = rows(30);
    let data = Dataset::from_rows(&rows).expect("finite");
    let error = data.transformed(Transform::Log, &Silent).expect_err("negative values").to_string();
    assert!(error.contains("a value of -3 in column `x3`") && error.contains("ranks or none"), "{error}");
    let counts =
        data.subset(&[0, 1, 5]).expect("there").transformed(Transform::Log, &Silent).expect("counts");
    let expected: Vec<f64> = rows.iter().map(|r| (1.0 + r[5]).ln()).collect();
    common::assert_close("log", &column(&counts, 2), &expected, 1e-14);
    for (text, transform) in [("none", Transform::None), ("ranks", Transform::Ranks), ("log", Transform::Log)]
    {
        assert_eq!((text.parse::<Transform>().expect(text), transform.name()), (transform, text));
    }
    assert!("rank".parse::<Transform>().is_err());
}

#[test]
fn the_columns_that_few_samples_carry_are_counted() {
    // Of five columns that vary, two are 1 in 4 of 100 samples, one in 6.
    let n = 100;
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let rare = |count: usize| f64::from(u8::from(i < count));
            vec![rare(4), 1e9 - 3.0 * rare(4), rare(6), (i as f64).sin(), i as f64, 7.0]
        })
        .collect();
    let carried = Dataset::from_rows(&rows).expect("finite").carried_by_few();
    assert_eq!((carried.features, carried.of, carried.threshold_samples), (2, 5, 5.0));
    assert!(carried.ranks_are_better());
    let fewer = Dataset::from_rows(&rows).expect("finite").subset(&[0, 2, 3, 4, 3, 4]).expect("there");
    assert!(!fewer.carried_by_few().ranks_are_better(), "one of six");
    assert_eq!(common::sparse(&rows).carried_by_few(), carried);
    let ranks = common::sparse(&rows).transformed(Transform::Ranks, &Silent).expect("ranks");
    assert_eq!(ranks.carried_by_few(), carried, "of the data as they were given");
    let constant = Dataset::from_rows(&[[1.0], [1.0]]).expect("finite").carried_by_few();
    assert!(constant.of == 0 && !constant.ranks_are_better());
}

/// (Σ(x-μ)²)²/Σ(x-μ)⁴ with values that are divided by their range first.
fn naive_carriers(column: &[f64]) -> f64 {
    let (low, high) = column.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
    let unit: Vec<f64> = column.iter().map(|v| (v - low) / (high - low)).collect();
    let mean = unit.iter().sum::<f64>() / unit.len() as f64;
    let power = |p: i32| unit.iter().map(|v| (v - mean).powi(p)).sum::<f64>();
    power(2).powi(2) / power(4)
}

#[test]
fn carriers_are_counted_whatever_the_size_and_the_offset() {
    let base: Vec<f64> =
        (0..1000).map(|i| f64::from(i % 37) + 40.0 * f64::from(u8::from(i % 211 == 5))).collect();
    for (scale, offset) in [(1.0, 0.0), (1.0, 1e8), (1e-6, 1.0), (1e-100, 0.0), (1e100, 0.0), (1e130, 1e132)]
    {
        let column: Vec<f64> = base.iter().map(|v| v * scale + offset).collect();
        let expected = naive_carriers(&column);
        let dense = Dense::new(column.clone(), 1000, 1, Order::ColumnMajor).expect("shape");
        let rows: Vec<Vec<f64>> = column.iter().map(|&v| vec![v]).collect();
        for data in [Dataset::new(dense).expect("finite"), common::sparse(&rows)] {
            let found = data.stats()[0].effective_samples;
            assert!((found - expected).abs() <= 1e-6 * expected, "{scale:e} {offset:e}: {found} {expected}");
        }
    }
    // About the number of ones of a rare column.
    let rare: Vec<[f64; 1]> = (0..1000).map(|i| [f64::from(u8::from(i % 100 == 1))]).collect();
    let found = Dataset::from_rows(&rare).expect("finite").stats()[0].effective_samples;
    assert!((found - 10.0).abs() < 0.5, "{found}");
}

#[test]
fn parts_are_ranked_among_themselves_and_noise_is_on_what_was_measured() {
    let data = Dataset::from_rows(&rows(60)).expect("finite");
    let chosen: Vec<usize> = (0..60).filter(|i| i % 3 != 0).collect();
    let ranks = data.transformed(Transform::Ranks, &Silent).expect("ranks");
    let part = ranks.samples(&chosen, &Silent).expect("samples");
    let expected = data.samples(&chosen, &Silent).and_then(|d| d.transformed(Transform::Ranks, &Silent));
    let expected = expected.expect("ranks of the part");
    assert_eq!((part.transform(), part.stats()), (Transform::Ranks, expected.stats()));
    (0..8).for_each(|j| assert_eq!(column(&part, j), column(&expected, j)));
    let noisy = ranks.with_noise(0.1, 5, &Silent).expect("noise");
    let expected = data.with_noise(0.1, 5, &Silent).and_then(|d| d.transformed(Transform::Ranks, &Silent));
    assert_eq!(noisy.stats(), expected.expect("ranks of noisy data").stats());
    let back = ranks.transformed(Transform::None, &Silent).expect("as given");
    assert_eq!((back.stats(), back.transform()), (data.stats(), Transform::None));
    assert_eq!(
        column(&Dataset::new(Given(ranks.clone())).expect("finite"), 3),
        column(&data, 3),
        "columns() are as given"
    );
}

/// What `columns()` hands out.
struct Given(Dataset);

impl fiedler::dataset::Columns for Given {
    fn n_samples(&self) -> usize {
        self.0.n_samples()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn block(&self, range: std::ops::Range<usize>) -> fiedler::Result<fiedler::dataset::Block<'_>> {
        self.0.columns().block(range)
    }
}

/// 1NN of test samples that are ranked among the training samples, by hand.
#[test]
fn test_samples_are_ranked_among_the_training_samples() {
    let rows = rows(60);
    let classes: Vec<usize> = (0..60).map(|i| (i * i) % 3 % 2).collect();
    for sparse in [false, true] {
        let data = if sparse { common::sparse(&rows) } else { Dataset::from_rows(&rows).expect("finite") };
        let data = data.scaled(Scaling::None).labeled(Labels::from_codes(&classes)).expect("labels");
        let (training, test): (Vec<usize>, Vec<usize>) = (0..60).partition(|i| i % 3 != 1);
        let split = fiedler::eval::Split { training: training.clone(), test: test.clone() };
        let protocol = Protocol {
            counts: vec![8],
            partition: Partition::Given(vec![split]),
            ..Protocol::new(Measure::Nearest)
        };
        let ranks = data.transformed(Transform::Ranks, &Silent).expect("ranks");
        let order = Candidate::order("all", (0..8).collect());
        let found = protocol.evaluate(&ranks, &[order], &Silent).expect("judged");
        let place = |i: usize, j: usize| {
            let among: Vec<f64> = training.iter().map(|&t| rows[t][j]).collect();
            12f64.sqrt() * interpolated(rows[i][j], &among) / training.len() as f64
        };
        let seen: Vec<Vec<f64>> = (0..60).map(|i| (0..8).map(|j| place(i, j)).collect()).collect();
        let distance =
            |a: usize, b: usize| -> f64 { seen[a].iter().zip(&seen[b]).map(|(x, y)| (x - y).powi(2)).sum() };
        let right = test.iter().filter(|&&i| {
            let nearest = training
                .iter()
                .copied()
                .reduce(|a, b| if distance(i, b) < distance(i, a) * (1.0 - 1e-11) { b } else { a });
            classes[nearest.expect("training samples")] == classes[i]
        });
        let expected = right.count() as f64 / test.len() as f64;
        let value = found.tables[0].curves[0].points[0].summary.mean;
        assert!((value - expected).abs() < 1e-12, "{value} {expected}");
    }
}

/// On ranks, a score below 1 counts by the spread of the feature; variance sees the user's units.
#[test]
fn smoothness_counts_by_the_spread_of_the_ranks() {
    let iris = demo::iris().expect("embedded");
    let ranks = iris.transformed(Transform::Ranks, &Silent).expect("ranks");
    let written: Vec<Vec<f64>> = (0..150).map(|i| (0..4).map(|j| column(&ranks, j)[i]).collect()).collect();
    let plain = Dataset::from_rows(&written).expect("finite").scaled(Scaling::None);
    let found = Laplacian::default().rank(&ranks).expect("ranked");
    let scores = Laplacian::default().rank(&plain).expect("ranked");
    for j in 0..4 {
        let spread = (column(&ranks, j).iter().map(|v| v * v).sum::<f64>() / 150.0).sqrt();
        let expected = 1.0 - spread * (1.0 - scores.scores()[j]);
        assert!((found.scores()[j] - expected).abs() < 1e-12, "{j}: {} {expected}", found.scores()[j]);
    }
    let variance = |data: &Dataset| Variance.rank(data).expect("ranked").scores().to_vec();
    assert_eq!(variance(&ranks), variance(&iris));
}

/// The conditions of the optimum, by textbook code, with columns whose length is the spread of their ranks.
#[test]
fn mrsf_on_ranks_keeps_the_spread_of_its_columns() {
    let rows = rows(90);
    let data =
        Dataset::from_rows(&rows).expect("finite").transformed(Transform::Ranks, &Silent).expect("ranks");
    let targets: Vec<f64> = (0..90).map(|i| rows[i][0] + 3.0 * rows[i][1] + 0.01 * rows[i][2]).collect();
    let problem = Problem::new(&data, targets.clone(), 1).expect("a problem");
    let largest = problem.lambda_max(&Silent).expect("λ");
    let found = solve(&problem, 0.2 * largest, &Options { gap: 1e-10, ..Options::default() }, &Silent)
        .expect("solved");
    let n = 90.0_f64;
    let columns: Vec<Vec<f64>> =
        (0..8).map(|j| column(&data, j).iter().map(|v| v / n.sqrt()).collect()).collect();
    let mean = targets.iter().sum::<f64>() / n;
    let mut residual: Vec<f64> = targets.iter().map(|y| y - mean).collect();
    for (&j, w) in found.active.iter().zip(&found.weights) {
        residual.iter_mut().zip(&columns[j]).for_each(|(r, x)| *r -= w * x);
    }
    assert!(!found.active.is_empty() && found.active.len() < 7, "{found:?}");
    for (j, x) in columns.iter().enumerate() {
        let product: f64 = x.iter().zip(&residual).map(|(x, r)| x * r).sum();
        match found.active.iter().position(|&a| a == j) {
            Some(at) => {
                assert!((product - found.lambda * found.weights[at].signum()).abs() < 1e-4 * found.lambda)
            }
            None => assert!(product.abs() <= found.lambda * (1.0 + 1e-6), "{j}: {product} {}", found.lambda),
        }
    }
}

/// The gate opens on digits, and the pixels that are blank in almost all images no longer lead.
#[test]
fn digits_are_taken_as_ranks_without_being_told() {
    let digits = demo::digits().expect("embedded");
    let found = Laplacian::default().rank(&digits).expect("ranked");
    assert_eq!((found.transform, found.scaling), (Transform::Ranks, Scaling::None));
    for &j in found.top(10) {
        assert!(digits.effective_samples(j) > 1797.0 / 20.0, "{}", digits.feature_name(j));
    }
    let asked = Laplacian::default().rank(&digits.clone().scaled(Scaling::Standard)).expect("ranked");
    assert_eq!((asked.transform, asked.scaling), (Transform::None, Scaling::Standard));
    let iris = Laplacian::default().rank(&demo::iris().expect("embedded")).expect("ranked");
    assert_eq!((iris.transform, iris.scaling), (Transform::None, Scaling::Standard));
}

/// One rare column among many others is too few to open the gate: it comes after all that can be judged.
#[test]
fn what_few_samples_carry_comes_after_what_can_be_judged() {
    let rows: Vec<Vec<f64>> = (0..120)
        .map(|i| {
            let noise = |j: usize| ((i * 7919 + j * 104_729) % 1009) as f64;
            let cluster = if i < 60 { 0.0 } else { 900.0 };
            let rare = f64::from(u8::from(i < 2));
            (0..9)
                .map(|j| {
                    if j == 4 {
                        rare
                    } else if j < 3 {
                        cluster + noise(j) / 4.0
                    } else {
                        noise(j)
                    }
                })
                .collect()
        })
        .collect();
    let data = Dataset::from_rows(&rows).expect("finite");
    let ranking = Laplacian::default().rank(&data).expect("ranked");
    assert_eq!((ranking.order()[8], ranking.is_aside(4)), (4, true));
    let asked = Laplacian::default().rank(&data.scaled(Scaling::Standard)).expect("ranked");
    assert!(!asked.is_aside(4), "who asks for a scaling gets the score as it is");
}
