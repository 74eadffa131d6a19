//! A number to be predicted: every method that takes one against textbook code, what the others say, and R².

mod common;

use common::{assert_close, sparse};
use fiedler::eval::{Candidate, Measure, Partition, Protocol, Split};
use fiedler::methods::{self, Correlation, Hsic, HsicSearch, Mrmr, MrmrCriterion, Mrsf, ReliefF, Targets};
use fiedler::{Analysis, Dataset, Error, LabelUse, Labels, Scaling, Selector, Silent, Supervision, Target};

type Matrix = Vec<Vec<f64>>;

/// Columns 0 and 1 make the target, 2 is nearly a copy of 0, 3 is constant, the others are noise; some are mostly zeros.
fn table() -> (Matrix, Vec<f64>) {
    let mut state = 2024u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let mut rows = Vec::new();
    let mut y = Vec::new();
    for _ in 0..60 {
        let mut row: Vec<f64> = (0..8).map(|_| uniform()).collect();
        row[2] = row[0] + 0.2 * row[2];
        row[3] = 2.5;
        row[5] = if row[5] < 0.7 { 0.0 } else { 100.0 * row[5] };
        y.push(50.0 + 10.0 * row[0] - 6.0 * row[1] + 0.5 * uniform());
        rows.push(row);
    }
    (rows, y)
}

fn column(rows: &Matrix, j: usize) -> Vec<f64> {
    rows.iter().map(|r| r[j]).collect()
}

fn targeted(data: Dataset, y: &[f64]) -> Dataset {
    data.targeted(Target::new(y.to_vec()).expect("finite").called("price")).expect("a number per sample")
}

fn dataset((rows, y): &(Matrix, Vec<f64>)) -> Dataset {
    targeted(Dataset::from_rows(rows).expect("finite"), y)
}

fn sparse_dataset((rows, y): &(Matrix, Vec<f64>)) -> Dataset {
    targeted(sparse(rows).scaled(Scaling::default()), y)
}

fn mean(f: &[f64]) -> f64 {
    f.iter().sum::<f64>() / f.len() as f64
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(usize) -> f64| (0..a.len()).map(f).sum::<f64>();
    let (aa, bb) = (sum(&|i| (a[i] - ma).powi(2)), sum(&|i| (b[i] - mb).powi(2)));
    sum(&|i| (a[i] - ma) * (b[i] - mb)) / (aa * bb).sqrt()
}

fn range(f: &[f64]) -> f64 {
    f.iter().copied().fold(f64::NEG_INFINITY, f64::max) - f.iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn correlation_is_that_of_the_textbook_dense_and_sparse() {
    let table = table();
    let expected: Vec<f64> = (0..8).map(|j| pearson(&column(&table.0, j), &table.1).abs()).collect();
    for data in [dataset(&table), sparse_dataset(&table)] {
        assert_close("correlation", Correlation.rank(&data).expect("a ranking").scores(), &expected, 1e-12);
    }
}

/// Algorithm RReliefF of Robnik-Šikonja and Kononenko, figure 3, line by line; all neighbors count alike.
fn rrelieff(rows: &Matrix, y: &[f64], k: usize) -> Vec<f64> {
    let (n, m) = (rows.len(), rows[0].len());
    let ranges: Vec<f64> = (0..m).map(|j| range(&column(rows, j))).collect();
    let diff = |j: usize, a: usize, b: usize| {
        if ranges[j] > 0.0 { (rows[a][j] - rows[b][j]).abs() / ranges[j] } else { 0.0 }
    };
    let distance = |a: usize, b: usize| (0..m).map(|j| diff(j, a, b)).sum::<f64>();
    let (mut n_dc, mut n_da, mut n_dcda) = (0.0, vec![0.0; m], vec![0.0; m]);
    for i in 0..n {
        let mut others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| distance(i, a).total_cmp(&distance(i, b)));
        for &near in &others[..k] {
            let influence = 1.0 / k as f64;
            let dy = (y[i] - y[near]).abs() / range(y);
            n_dc += dy * influence;
            for j in 0..m {
                n_da[j] += diff(j, i, near) * influence;
                n_dcda[j] += dy * diff(j, i, near) * influence;
            }
        }
    }
    let weight = |j: usize| n_dcda[j] / n_dc - (n_da[j] - n_dcda[j]) / (n as f64 - n_dc);
    (0..m).map(|j| if ranges[j] > 0.0 { weight(j) } else { f64::NAN }).collect()
}

#[test]
fn relieff_is_rrelieff_of_the_paper_dense_and_sparse() {
    let table = table();
    for k in [1, 7, 59] {
        let expected = rrelieff(&table.0, &table.1, k);
        for data in [dataset(&table), sparse_dataset(&table)] {
            let found = ReliefF { neighbors: k.into(), ..ReliefF::default() }.rank(&data).expect("a ranking");
            assert_close("relieff", found.scores(), &expected, 1e-9);
        }
    }
}

/// The unbiased HSIC of two matrices, written out.
fn hsic(a: &Matrix, k: &Matrix) -> f64 {
    let n = a.len();
    let size = n as f64;
    let pairs = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j);
    let trace: f64 = pairs().map(|(i, j)| a[i][j] * k[j][i]).sum();
    let all = |m: &Matrix| pairs().map(|(i, j)| m[i][j]).sum::<f64>();
    let row = |m: &Matrix, i: usize| (0..n).filter(|&j| j != i).map(|j| m[i][j]).sum::<f64>();
    let between: f64 = (0..n).map(|i| row(a, i) * row(k, i)).sum();
    let whole = all(a) * all(k) / ((size - 1.0) * (size - 2.0));
    (trace + whole - 2.0 / (size - 2.0) * between) / (size * (size - 3.0))
}

fn of_pairs(n: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| value(i, j)).collect()).collect()
}

/// exp(-d²/2σ²) with 2σ² the median of the squares; the mean where that is 0.
fn gaussian(y: &[f64]) -> Matrix {
    let mut squares: Vec<f64> =
        (0..y.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| (y[i] - y[j]).powi(2)).collect();
    squares.sort_by(f64::total_cmp);
    let half = squares.len() / 2;
    let middle = if squares.len().is_multiple_of(2) {
        (squares[half - 1] + squares[half]) / 2.0
    } else {
        squares[half]
    };
    let scale = if middle > 0.0 { middle } else { mean(&squares) };
    of_pairs(y.len(), |i, j| (-(y[i] - y[j]).powi(2) / scale).exp())
}

#[test]
fn hsic_has_a_gaussian_kernel_of_the_number() {
    let (rows, y) = table();
    let mostly_equal: Vec<f64> = (0..60).map(|i| if i % 5 == 0 { f64::from(i) } else { 1.0 }).collect();
    for y in [y, mostly_equal] {
        let kernel = gaussian(&y);
        let expected: Vec<f64> = (0..8)
            .map(|j| {
                let f = column(&rows, j);
                let (mu, n) = (mean(&f), f.len() as f64);
                let sd = (f.iter().map(|v| (v - mu).powi(2)).sum::<f64>() / n).sqrt();
                let z: Vec<f64> = f.iter().map(|v| (v - mu) / sd).collect();
                if sd > 0.0 { hsic(&of_pairs(60, |a, b| z[a] * z[b]), &kernel) } else { f64::NAN }
            })
            .collect();
        let ranking = Hsic::default().rank(&dataset(&(rows.clone(), y))).expect("a ranking");
        assert_close("hsic", ranking.scores(), &expected, 1e-9);
    }
}

#[test]
fn the_searches_of_hsic_take_a_number_too() {
    let ranking = Hsic { search: HsicSearch::Forward { count: 2 }, ..Hsic::default() };
    let order = ranking.rank(&dataset(&table())).expect("a ranking").order()[..2].to_vec();
    assert!(order.iter().all(|&j| j < 3), "{order:?}");
}

/// The lasso by coordinate descent, which is what MRSF solves for a single target.
fn lasso(columns: &Matrix, y: &[f64], lambda: f64) -> Vec<f64> {
    let mut weights = vec![0.0; columns.len()];
    let mut residual = y.to_vec();
    for _ in 0..20_000 {
        for (j, x) in columns.iter().enumerate() {
            let product: f64 = x.iter().zip(&residual).map(|(a, b)| a * b).sum::<f64>() + weights[j];
            let next = product.signum() * (product.abs() - lambda).max(0.0);
            residual.iter_mut().zip(x).for_each(|(r, v)| *r -= (next - weights[j]) * v);
            weights[j] = next;
        }
    }
    weights
}

fn unit(f: &[f64]) -> Vec<f64> {
    let mu = mean(f);
    let norm = f.iter().map(|v| (v - mu).powi(2)).sum::<f64>().sqrt();
    f.iter().map(|v| if norm > 0.0 { (v - mu) / norm } else { 0.0 }).collect()
}

#[test]
fn mrsf_with_a_number_is_the_lasso() {
    let table = table();
    let columns: Matrix = (0..8).map(|j| unit(&column(&table.0, j))).collect();
    for targets in [Targets::Auto, Targets::Number] {
        let method = Mrsf { count: 3, targets, ..Mrsf::default() };
        let (ranking, path) = method.rank_with_path(&dataset(&table), &Silent).expect("a path");
        let last = path.points.last().expect("a point");
        let weights = lasso(&columns, &unit(&table.1), last.lambda);
        let active: Vec<usize> = (0..8).filter(|&j| weights[j] != 0.0).collect();
        let mut found = last.active.clone();
        found.sort_unstable();
        assert_eq!(found, active);
        for (j, norm) in last.active.iter().zip(&last.row_norms) {
            assert!((norm - weights[*j].abs()).abs() < 1e-6, "{j}: {norm} {}", weights[*j]);
        }
        // The first to enter is the best correlated, with that correlation as its λ.
        let best = ranking.order()[0];
        let expected = pearson(&column(&table.0, best), &table.1).abs();
        assert!((ranking.scores()[best] - expected).abs() < 1e-9);
    }
}

/// Greedy choice by F = r²/(1-r²)(n-2) and mean |r|, all of it computed anew at every step.
fn mrmr(rows: &Matrix, y: &[f64], quotient: bool, count: usize) -> (Vec<usize>, Vec<f64>) {
    let f = |j: usize| {
        let r = pearson(&column(rows, j), y);
        r * r / (1.0 - r * r) * (rows.len() - 2) as f64
    };
    let (mut chosen, mut values): (Vec<usize>, Vec<f64>) = Default::default();
    while chosen.len() < count {
        let value = |j: usize| {
            let sum: f64 = chosen.iter().map(|&s| pearson(&column(rows, j), &column(rows, s)).abs()).sum();
            let redundancy = sum / chosen.len() as f64;
            match (chosen.is_empty(), quotient) {
                (true, _) => f(j),
                (false, true) => f(j) / (redundancy + 0.01),
                (false, false) => f(j) - redundancy,
            }
        };
        let left = (0..rows[0].len()).filter(|j| *j != 3 && !chosen.contains(j));
        let best = left.reduce(|a, b| if value(b) > value(a) { b } else { a }).expect("some are left");
        values.push(value(best));
        chosen.push(best);
    }
    (chosen, values)
}

#[test]
fn mrmr_with_a_number_goes_by_the_f_test() {
    let table = table();
    for (criterion, quotient) in
        [(MrmrCriterion::Auto, true), (MrmrCriterion::Fcq, true), (MrmrCriterion::Fcd, false)]
    {
        let ranking = Mrmr { criterion, count: 5 }.rank(&dataset(&table)).expect("a ranking");
        let (order, values) = mrmr(&table.0, &table.1, quotient, 5);
        assert_eq!(ranking.order()[..5], order, "{criterion:?}");
        let found: Vec<f64> = order.iter().map(|&j| ranking.scores()[j]).collect();
        assert_close("mrmr", &found, &values, 1e-9);
    }
    let refused =
        Mrmr { criterion: MrmrCriterion::Mid, count: 2 }.rank(&dataset(&table)).expect_err("refused");
    assert!(refused.to_string().contains("fcq"), "{refused}");
}

/// What holds for every method, by what its description says.
#[test]
fn a_number_is_used_where_it_can_be_and_refused_or_unseen_where_not() {
    let table = table();
    let data = dataset(&table);
    let bare = data.clone().unlabeled();
    let takers: Vec<&str> =
        methods::all().iter().filter(|m| m.info.takes_number).map(|m| m.info.name).collect();
    assert_eq!(takers, ["correlation", "relieff", "hsic", "mrsf", "mrmr"]);
    for entry in methods::all() {
        let (name, method) = (entry.info.name, entry.usual().expect("defaults"));
        let unseen =
            entry.info.supervision == Supervision::Unsupervised || method.labels() == LabelUse::Never;
        match method.rank(&data) {
            Ok(ranking) if entry.info.takes_number => {
                assert_eq!((ranking.target.as_deref(), ranking.labels), (Some("price"), None), "{name}");
            }
            Ok(ranking) => {
                assert!(unseen && ranking.target.is_none(), "{name}");
                assert_eq!(ranking.order(), method.rank(&bare).expect(name).order(), "{name}");
            }
            Err(error) => {
                assert!(!unseen && !entry.info.takes_number, "{name}: {error}");
                let told = error.to_string();
                assert!(matches!(error, Error::ClassesNeeded { .. }), "{name}: {told}");
                assert!(told.contains("`price`") && told.contains("correlation, relieff"), "{told}");
            }
        }
    }
}

#[test]
fn offset_unit_and_order_of_the_samples_do_not_matter_and_the_sum_leads() {
    let table = table();
    let (mut rows, mut y) = table.clone();
    rows.reverse();
    y.reverse();
    let moved: Vec<f64> = table.1.iter().map(|v| 1e6 - 1000.0 * v).collect();
    for entry in methods::all().iter().filter(|m| m.info.takes_number) {
        let (name, method) = (entry.info.name, entry.usual().expect("defaults"));
        let scores = |data: &Dataset| method.rank(data).expect(name).scores().to_vec();
        let expected = scores(&dataset(&table));
        assert_close(name, &scores(&dataset(&(rows.clone(), y.clone()))), &expected, 1e-8);
        assert_close(name, &scores(&dataset(&(table.0.clone(), moved.clone()))), &expected, 1e-8);
        let best = method.rank(&dataset(&table)).expect(name).order()[..3].to_vec();
        assert!(best.iter().all(|&j| j < 3), "{name}: {best:?}");
    }
}

#[test]
fn a_number_that_does_not_vary_is_refused_and_too_few_samples_are_no_panic() {
    let (rows, _) = table();
    let same = dataset(&(rows.clone(), vec![7.0; 60]));
    for entry in methods::all().iter().filter(|m| m.info.takes_number) {
        let (name, method) = (entry.info.name, entry.usual().expect("defaults"));
        let error = method.rank(&same).expect_err(name);
        assert!(matches!(error, Error::TargetConstant { .. }), "{name}: {error}");
        for n in 1..5 {
            let small = dataset(&(rows[..n].to_vec(), (0..n).map(|i| i as f64).collect()));
            match method.rank(&small) {
                Ok(ranking) => assert!(ranking.scores().iter().all(|s| !s.is_infinite()), "{name} {n}"),
                Err(error) => assert!(!error.to_string().is_empty(), "{name} {n}"),
            }
        }
    }
}

#[test]
fn labels_and_a_target_exclude_each_other_and_subsets_keep_it() {
    let table = table();
    let labels = Labels::from_codes(&(0..60).map(|i| i % 2).collect::<Vec<_>>());
    let data = dataset(&table).labeled(labels).expect("a label per sample");
    assert!(data.target().is_none() && data.labels().is_some());
    let data = targeted(data, &table.1);
    assert!(data.target().is_some() && data.labels().is_none());
    let part = data.samples(&[3, 1], &Silent).expect("two").subset(&[0]).expect("one");
    assert_eq!(part.target().expect("kept").values(), [table.1[3], table.1[1]]);
    let short = Target::new(vec![1.0]).expect("finite");
    assert!(matches!(data.targeted(short), Err(Error::Length { expected: 60, got: 1, .. })));
    let codes = Mrsf { targets: Targets::Lda, ..Mrsf::default() };
    assert!(matches!(codes.rank(&dataset(&table)), Err(Error::ClassesNeeded { .. })));
    let number = Mrsf { targets: Targets::Number, ..Mrsf::default() };
    assert!(matches!(number.rank(&dataset(&table).unlabeled()), Err(Error::TargetMissing { .. })));
}

/// R² of the mean of the k nearest training samples, standardized by the training part, written out.
fn r_squared(rows: &Matrix, y: &[f64], split: &Split, features: &[usize], k: usize) -> f64 {
    let scaled = |i: usize, j: usize| {
        let train: Vec<f64> = split.training.iter().map(|&t| rows[t][j]).collect();
        let mu = mean(&train);
        let sd = (train.iter().map(|v| (v - mu).powi(2)).sum::<f64>() / train.len() as f64).sqrt();
        if sd > 0.0 { (rows[i][j] - mu) / sd } else { 0.0 }
    };
    let distance =
        |a: usize, b: usize| features.iter().map(|&j| (scaled(a, j) - scaled(b, j)).powi(2)).sum::<f64>();
    let said = |i: usize| {
        let mut near = split.training.clone();
        near.sort_by(|&a, &b| distance(i, a).total_cmp(&distance(i, b)));
        mean(&near[..k].iter().map(|&t| y[t]).collect::<Vec<_>>())
    };
    let truth: Vec<f64> = split.test.iter().map(|&i| y[i]).collect();
    let residual: f64 = split.test.iter().map(|&i| (y[i] - said(i)).powi(2)).sum();
    1.0 - residual / truth.iter().map(|v| (v - mean(&truth)).powi(2)).sum::<f64>()
}

#[test]
fn evaluation_is_r_squared_of_nearest_neighbors() {
    let table = table();
    let data = dataset(&table);
    let split = Split { training: (0..60).step_by(2).collect(), test: (1..60).step_by(2).collect() };
    let protocol = Protocol {
        counts: vec![1, 2, 4],
        partition: Partition::Given(vec![split.clone()]),
        ..Protocol::new(Measure::Regression { neighbors: 3 })
    };
    let found = protocol.evaluate(&data, &[Candidate::method(Correlation)], &Silent).expect("an evaluation");
    let training = data.samples(&split.training, &Silent).expect("half");
    let order = Correlation.rank(&training).expect("a ranking").order().to_vec();
    for point in &found.tables[0].curves[0].points {
        let expected = r_squared(&table.0, &table.1, &split, &order[..point.count], 3);
        assert!((point.summary.mean - expected).abs() < 1e-9, "{} {expected}", point.summary.mean);
    }
    assert_eq!(found.tables[0].curves.last().expect("curves").name, "all features");
}

#[test]
fn metrics_of_classes_refuse_a_number_and_the_other_way_round() {
    let data = dataset(&table());
    assert_eq!(
        Measure::usual(data.target().is_some()),
        Measure::Regression { neighbors: Measure::NEIGHBORS }
    );
    let judged = |metric: Measure, data: &Dataset| {
        let protocol = Protocol { counts: vec![2], ..Protocol::new(metric) };
        protocol.evaluate(data, &[Candidate::method(Correlation)], &Silent)
    };
    let told = judged(Measure::Nearest, &data).expect_err("of classes").to_string();
    assert!(told.contains("knn") && told.contains("`price`"), "{told}");
    let bare = data.clone().unlabeled();
    let metric = Measure::Regression { neighbors: 5 };
    assert!(matches!(judged(metric, &bare), Err(Error::TargetMissing { .. })));
    assert!(judged(Measure::Redundancy, &data).is_ok());
}

#[test]
fn an_analysis_tells_the_target_and_where_it_has_no_effect() {
    let data = dataset(&table());
    let ask = |method: &str| {
        let analysis = Analysis { methods: vec![method.to_owned()], ..Analysis::default() };
        analysis.run(&data, "table", &Silent).expect("an answer")
    };
    let found = ask("correlation");
    assert_eq!(found.seen[0].target.as_deref(), Some("price"));
    assert_eq!(found.rankings[0].target.as_deref(), Some("price"));
    assert_eq!(found.card.data.target.as_ref().map(|t| t.name.as_str()), Some("price"));
    assert!(found.warnings.is_empty());
    let found = ask("laplacian");
    assert!(found.seen[0].target.is_none() && found.warnings[0].contains("`price` has no effect"));
}
