//! ReliefF, its spectral form and HSIC against golden values and textbook code.

mod common;
#[path = "naive/neighbors.rs"]
mod neighbors;

use common::{assert_close, golden, sparse, written_out};
use fiedler::dataset::demo;
use fiedler::graph::{Bandwidth, Knn, Rbf, Relief};
use fiedler::methods::{self, Hsic, HsicSearch, ReliefF, ReliefSpec};
use fiedler::{Dataset, Error, Graph, GraphRecipe, Labels, Ranking, Scaling, Selector, Silent};

type Matrix = Vec<Vec<f64>>;

/// Columns with zeros, ties, a constant and very different ranges; classes of 9, 20 and 11.
fn table() -> (Matrix, Vec<usize>) {
    let mut state = 12345u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let codes: Vec<usize> = (0..40)
        .map(|i| {
            if i < 9 {
                0
            } else if i < 29 {
                1
            } else {
                2
            }
        })
        .collect();
    let mut row = |c: usize| {
        let mut row: Vec<f64> = (0..7).map(|_| uniform()).collect();
        row[0] += c as f64;
        row[1] = (4.0 * row[1]).floor();
        row[2] = if row[2] < 0.6 { 0.0 } else { 1e6 * row[2] };
        row[3] = 2.5;
        row[4] -= 3.0 * c as f64;
        row
    };
    (codes.iter().map(|&c| row(c)).collect(), codes)
}

fn dataset((rows, codes): &(Matrix, Vec<usize>)) -> Dataset {
    Dataset::from_rows(rows).expect("finite").labeled(Labels::from_codes(codes)).expect("a label per sample")
}

fn sparse_dataset((rows, codes): &(Matrix, Vec<usize>)) -> Dataset {
    let data = sparse(rows).scaled(Scaling::default());
    data.labeled(Labels::from_codes(codes)).expect("a label per sample")
}

fn ranges(rows: &Matrix) -> Vec<(f64, f64)> {
    let range = |j: usize| {
        let column = || rows.iter().map(|r| r[j]);
        (column().fold(f64::INFINITY, f64::min), column().fold(f64::NEG_INFINITY, f64::max))
    };
    (0..rows[0].len()).map(range).collect()
}

/// ReliefF as it is written, sample by sample.
fn naive_relieff(rows: &Matrix, codes: &[usize], k: usize) -> Vec<f64> {
    let n = rows.len();
    let ranges = ranges(rows);
    let scaled: Matrix = rows
        .iter()
        .map(|r| {
            r.iter()
                .zip(&ranges)
                .map(|(v, (lo, hi))| if hi > lo { (v - lo) / (hi - lo) } else { 0.0 })
                .collect()
        })
        .collect();
    let share = |c: usize| codes.iter().filter(|&&x| x == c).count() as f64 / n as f64;
    let mut scores = vec![0.0; ranges.len()];
    for i in 0..n {
        let distance = |j: usize| scaled[i].iter().zip(&scaled[j]).map(|(a, b)| (a - b).abs()).sum::<f64>();
        for class in 0..=*codes.iter().max().expect("samples") {
            let distances: Vec<f64> = (0..n).map(distance).collect();
            let near = neighbors::counted(&distances, (0..n).filter(|&j| j != i && codes[j] == class), k);
            let total: f64 = near.iter().map(|e| e.1).sum();
            for &(j, count) in &near {
                for f in 0..scores.len() {
                    let difference = count * (scaled[i][f] - scaled[j][f]).abs() / total / n as f64;
                    scores[f] += if class == codes[i] {
                        -difference
                    } else {
                        difference * share(class) / (1.0 - share(codes[i]))
                    };
                }
            }
        }
    }
    scores.iter().zip(&ranges).map(|(s, (lo, hi))| if hi > lo { *s } else { f64::NAN }).collect()
}

#[test]
fn relieff_and_relief_spec_are_golden() {
    for golden in golden() {
        let k = golden.number("relieff", "k") as usize;
        let relieff =
            ReliefF { neighbors: k.into(), ..ReliefF::default() }.rank(&golden.data).expect("a ranking");
        golden.assert_close("relieff", "scores", relieff.scores());
        // The range is ReliefF's own: the scaling of the data set changes nothing.
        let standard = golden.data.clone().scaled(Scaling::Standard);
        let relieff =
            ReliefF { neighbors: k.into(), ..ReliefF::default() }.rank(&standard).expect("a ranking");
        golden.assert_close("relieff", "scores", relieff.scores());
        let spec = ReliefSpec { neighbors: k.into() }.rank(&golden.data).expect("a ranking");
        golden.assert_close("relief_spec", "scores", spec.scores());
    }
}

#[test]
fn relieff_is_the_textbook_dense_and_sparse() {
    let table = table();
    for k in [1, 5, 12, 39] {
        let expected = naive_relieff(&table.0, &table.1, k);
        let relieff = ReliefF { neighbors: k.into(), ..ReliefF::default() };
        let dense = relieff.rank(&dataset(&table)).expect("a ranking");
        assert_close("dense", dense.scores(), &expected, 1e-11);
        assert_close(
            "sparse",
            relieff.rank(&sparse_dataset(&table)).expect("a ranking").scores(),
            &expected,
            1e-11,
        );
        assert_eq!(dense.warnings.is_empty(), k < 9, "{:?}", dense.warnings);
    }
}

#[test]
fn relieff_is_the_textbook_on_dense_data_that_are_mostly_zeros() {
    let (mut rows, codes) = table();
    for (i, row) in rows.iter_mut().enumerate() {
        row.iter_mut().enumerate().filter(|(j, _)| (i * 7 + j * 3) % 13 > 0).for_each(|(_, v)| *v = 0.0);
        row[1] = -row[1];
    }
    let zeros = rows.iter().flatten().filter(|v| **v == 0.0).count();
    assert!(zeros * 10 > 280 * 9, "{zeros} zeros are too few to make a difference");
    let table = (rows, codes);
    for k in [1, 4] {
        let expected = naive_relieff(&table.0, &table.1, k);
        let relieff = ReliefF { neighbors: k.into(), ..ReliefF::default() };
        assert_close("dense", relieff.rank(&dataset(&table)).expect("a ranking").scores(), &expected, 1e-11);
        assert_close(
            "sparse",
            relieff.rank(&sparse_dataset(&table)).expect("a ranking").scores(),
            &expected,
            1e-11,
        );
    }
}

#[test]
fn relieff_on_a_part_of_the_samples() {
    let data = demo::iris().expect("embedded");
    let part = |samples: usize, seed: u64| {
        let relieff = ReliefF { samples: Some(samples), seed, ..ReliefF::default() };
        relieff.rank(&data).expect("a ranking")
    };
    let all = ReliefF::default().rank(&data).expect("a ranking");
    assert_eq!(part(150, 7).scores(), all.scores());
    assert_eq!(part(40, 7).scores(), part(40, 7).scores());
    assert_ne!(part(40, 7).scores(), part(40, 8).scores());
    // The mean over all samples is the mean of the means over all subsets: many come near it.
    let rankings: Vec<_> = (0..200).map(|seed| part(30, seed)).collect();
    for (j, score) in all.scores().iter().enumerate() {
        let mean = rankings.iter().map(|r| r.scores()[j]).sum::<f64>() / 200.0;
        assert!((mean - score).abs() < 0.01, "{mean} {score}");
    }
    for samples in [0, 151] {
        let relieff = ReliefF { samples: Some(samples), ..ReliefF::default() };
        let message = relieff.rank(&data).expect_err("out of range").to_string();
        assert!(message.contains("`samples`") && message.contains("150"), "{message}");
    }
}

#[test]
fn too_many_neighbors_are_named_as_the_user_writes_them() {
    let data = demo::iris().expect("embedded");
    for neighbors in [0, 150] {
        let relieff = ReliefF { neighbors: neighbors.into(), ..ReliefF::default() }.rank(&data);
        let spec = ReliefSpec { neighbors: neighbors.into() }.rank(&data);
        for error in [relieff.expect_err("out of range"), spec.expect_err("out of range")] {
            assert!(matches!(&error, Error::Parameter { name, .. } if name == "neighbors"), "{error}");
        }
    }
}

// ------------------------------------------------------------------ HSIC

/// The unbiased estimate, as it is written, of two matrices whose diagonals count as 0.
fn naive_hsic(a: &Matrix, k: &Matrix) -> f64 {
    let size = a.len();
    let n = size as f64;
    let off = |m: &Matrix, i: usize, j: usize| if i == j { 0.0 } else { m[i][j] };
    let (mut trace, mut sum_a, mut sum_k, mut joint) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..size {
        for j in 0..size {
            trace += off(a, i, j) * off(k, j, i);
            sum_a += off(a, i, j);
            sum_k += off(k, i, j);
            joint += (0..size).map(|l| off(a, i, l) * off(k, l, j)).sum::<f64>();
        }
    }
    (trace + sum_a * sum_k / ((n - 1.0) * (n - 2.0)) - 2.0 / (n - 2.0) * joint) / (n * (n - 3.0))
}

/// exp(-Σ (f_i - f_j)²/scale) over some columns.
fn naive_kernel(rows: &Matrix, columns: &[usize], scale: f64) -> Matrix {
    let distance = |a: &[f64], b: &[f64]| columns.iter().map(|&f| (a[f] - b[f]).powi(2)).sum::<f64>();
    rows.iter().map(|a| rows.iter().map(|b| (-distance(a, b) / scale).exp()).collect()).collect()
}

/// A small table without constants, and the columns that vary.
fn small() -> (Matrix, Vec<usize>) {
    let (rows, codes) = table();
    let rows = rows.iter().step_by(2).map(|r| vec![r[0], r[1], 1e-6 * r[2], r[5], r[4], r[6]]).collect();
    (rows, codes.into_iter().step_by(2).collect())
}

#[test]
fn linear_hsic_is_golden() {
    for golden in golden() {
        let labels = Hsic::default().rank(&golden.data).expect("a ranking");
        golden.assert_close("hsic.labels", "", labels.scores());
        let rbf = Hsic { graph: GraphRecipe::Rbf(Rbf::default()), ..Hsic::default() };
        golden.assert_close("hsic.rbf_full_auto", "", rbf.rank(&golden.data).expect("a ranking").scores());
    }
}

#[test]
fn linear_hsic_is_the_matrix_form_on_every_shape_of_graph() {
    let table = table();
    for data in [dataset(&table), sparse_dataset(&table)] {
        let data = data.scaled(Scaling::Range);
        let build = |recipe: GraphRecipe| recipe.build(&data, &Silent).expect("a graph");
        let (knn, relief) =
            (build(GraphRecipe::default()), build(GraphRecipe::Relief(Relief { k: 3.into() })));
        let (rbf, labels) = (build(GraphRecipe::Rbf(Rbf::default())), build(GraphRecipe::Labels));
        let parts = vec![(0.5, relief.clone()), (2.0, labels.clone()), (-1.0, rbf.clone())];
        let sum = Graph::sum(parts).expect("a sum").into();
        for graph in [knn, relief, rbf, labels, sum] {
            let k = written_out(&graph);
            let expected: Vec<f64> = (0..7)
                .map(|f| {
                    let column = data.column(f).expect("in memory");
                    let a = column.iter().map(|x| column.iter().map(|y| x * y).collect()).collect();
                    if f == 3 { f64::NAN } else { naive_hsic(&a, &k) }
                })
                .collect();
            let kind = graph.description().kind;
            let got =
                Hsic { graph: GraphRecipe::Given(graph), ..Hsic::default() }.rank(&data).expect("a ranking");
            assert_close(kind, got.scores(), &expected, 1e-9);
        }
    }
}

#[test]
fn forward_search_takes_the_best_next_feature() {
    let table = small();
    let data = dataset(&table).scaled(Scaling::None);
    let graph = GraphRecipe::Labels.build(&data, &Silent).expect("a graph");
    let (k, sigma) = (written_out(&graph), 0.8);
    let value = |set: &[usize]| naive_hsic(&naive_kernel(&table.0, set, 2.0 * sigma * sigma), &k);
    let mut left: Vec<usize> = (0..6).collect();
    let (mut expected, mut values) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let with = |j: usize| value(&[expected.as_slice(), &[j]].concat());
        let best = left.iter().copied().max_by(|&a, &b| with(a).total_cmp(&with(b))).expect("some are left");
        values.push(with(best));
        left.retain(|&j| j != best);
        expected.push(best);
    }
    let with = |j: usize| value(&[expected.as_slice(), &[j]].concat());
    left.sort_by(|&a, &b| with(b).total_cmp(&with(a)));
    let chosen = expected.clone();
    expected.extend(left);
    let hsic =
        Hsic { search: HsicSearch::Forward { count: 3 }, sigma: Bandwidth::Given(sigma), ..Hsic::default() };
    let ranking = hsic.rank(&data).expect("a ranking");
    assert_eq!(ranking.order(), expected);
    assert_eq!(ranking.top(3), chosen);
    // The others have what each would give if it came next.
    values.extend(expected[3..].iter().map(|&j| value(&[chosen.as_slice(), &[j]].concat())));
    assert_close("HSIC at entry", &at_entry(&ranking), &values, 1e-10);
}

/// What was measured when each feature was chosen.
fn at_entry(ranking: &Ranking) -> Vec<f64> {
    ranking.order().iter().filter_map(|&j| ranking.score(j)).collect()
}

#[test]
fn backward_search_drops_what_is_missed_least() {
    let table = small();
    let data = dataset(&table).scaled(Scaling::None);
    let knn = GraphRecipe::Knn(Knn { k: 4.into(), ..Knn::default() });
    let k = written_out(&knn.build(&data, &Silent).expect("a graph"));
    // The automatic width, from the textbook: the median over all features, shared among them.
    let mut squares: Vec<f64> = (0..20)
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| table.0[i].iter().zip(&table.0[j]).map(|(a, b)| (a - b).powi(2)).sum())
        .collect();
    squares.sort_by(f64::total_cmp);
    let median = (squares[94] + squares[95]) / 2.0;
    let value = |set: &[usize]| naive_hsic(&naive_kernel(&table.0, set, median * set.len() as f64 / 6.0), &k);
    let mut left: Vec<usize> = (0..6).collect();
    let mut dropped = Vec::new();
    while left.len() > 1 {
        let without = |j: usize| value(&left.iter().copied().filter(|&l| l != j).collect::<Vec<_>>());
        let least =
            left.iter().copied().max_by(|&a, &b| without(a).total_cmp(&without(b))).expect("some are left");
        left.retain(|&j| j != least);
        dropped.push(least);
    }
    dropped.extend(left);
    dropped.reverse();
    let hsic = Hsic { graph: knn, search: HsicSearch::Backward { count: 6 }, ..Hsic::default() };
    let ranking = hsic.rank(&data).expect("a ranking");
    assert_eq!(ranking.order(), dropped);
    let expected: Vec<f64> = (1..=6).map(|s| value(&dropped[..s])).collect();
    assert_close("HSIC at entry", &at_entry(&ranking), &expected, 1e-10);
    let sigma = ranking.parameters.real_or_word("sigma").expect("told");
    assert!((sigma - (median / 2.0).sqrt()).abs() < 1e-12);
}

#[test]
fn searches_find_planted_features_and_leave_out_copies_and_constants() {
    let planted = demo::Planted {
        n_samples: 60,
        clusters: 4,
        informative: 3,
        redundant: 3,
        noise: 30,
        ..demo::Planted::default()
    };
    let data = planted.generate().expect("planted").data;
    for search in ["forward", "backward"] {
        let method = methods::find("hsic").expect("registered");
        let method = method.build([("search", search), ("count", "4")], None).expect("parameters");
        let ranking = method.rank(&data).expect("a ranking");
        assert!(ranking.top(3).iter().all(|&j| j < 6), "{search}: {:?}", ranking.top(6));
        assert_eq!(ranking.n_scored(), 36);
        assert_eq!(ranking.parameters.whole_or_word("count"), Some(4));
    }
    let data = dataset(&table());
    for search in [HsicSearch::Forward { count: 50 }, HsicSearch::Backward { count: 50 }] {
        let ranking = Hsic { search, ..Hsic::default() }.rank(&data).expect("a ranking");
        assert_eq!((ranking.n_scored(), ranking.order()[6], ranking.score(3)), (6, 3, None));
    }
}

#[test]
fn hsic_says_what_it_needs() {
    let rows = [[1.0], [2.0], [4.0]];
    let three =
        Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&[0, 1, 1])).expect("labels");
    assert!(matches!(Hsic::default().rank(&three), Err(Error::TooFewSamples { needed: 4, got: 3, .. })));
    let iris = demo::iris().expect("embedded");
    assert!(matches!(Hsic::default().rank(&iris.clone().unlabeled()), Err(Error::LabelsMissing { .. })));
    let wrong = |search, sigma| {
        let error = Hsic { search, sigma, ..Hsic::default() }.rank(&iris).expect_err("wrong");
        error.to_string()
    };
    assert!(wrong(HsicSearch::Linear, Bandwidth::Given(1.0)).contains("`sigma`"));
    assert!(wrong(HsicSearch::Forward { count: 2 }, Bandwidth::Given(-1.0)).contains("`sigma`"));
    assert!(wrong(HsicSearch::Backward { count: 0 }, Bandwidth::Auto).contains("`count`"));
}
