//! EVSC against golden values, the literal formula and finite differences of the eigenvalues.

mod common;
#[path = "naive/eigen.rs"]
mod eigen;
#[path = "naive/evsc.rs"]
mod naive;

use common::{assert_close, golden};
use fiedler::dataset::demo::{self, Planted};
use fiedler::graph::{Bandwidth, Knn, Metric, Rbf, Weight};
use fiedler::methods::{Evsc, Kernel, Sigma};
use fiedler::spectrum::Spectrum;
use fiedler::{Cells, Detail, Error, GraphRecipe, Method, Ranking, Scaling, Selector, Silent};
use naive::{Matrix, data, gaussian, generalized, literal, rank, rank_of, rbf, rows, square};

/// Σ_r |λ_r(w_t = 1+h) - λ_r(w_t = 1-h)| / 2h of any similarity.
fn finite_differences(m: usize, similarity: impl Fn(&[f64]) -> Matrix) -> Vec<f64> {
    let h = 1e-5;
    let spectrum = |t: usize, step: f64| {
        let mut w = vec![1.0; m];
        w[t] += step;
        generalized(&similarity(&w)).0
    };
    let change = |t: usize| {
        let (above, below) = (spectrum(t, h), spectrum(t, -h));
        above.iter().zip(&below).map(|(a, b)| (a - b).abs() / (2.0 * h)).sum()
    };
    (0..m).map(change).collect()
}

#[test]
fn golden_values() {
    for g in golden() {
        for (key, rank) in [("evsc", None), ("evsc.rank10", Some(10))] {
            let sigma = g.number(key, "sigma");
            let given = Evsc { rank, ..rbf(sigma) }.rank(&g.data).expect("a ranking");
            g.assert_close(key, "scores", given.scores());
            let automatic = Evsc { rank, ..Evsc::default() }.rank(&g.data).expect("a ranking");
            g.assert_close(key, "scores", automatic.scores());
            let told = automatic.parameters.real_or_word("sigma").expect("σ is told");
            assert!((told / sigma - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn the_literal_formula() {
    // More samples than features, and the reverse, where signs are known beforehand.
    for (n, m, sigma) in [(25, 3, 0.6), (20, 90, 4.0), (12, 70, 6.0)] {
        let rows = rows(n, m);
        for rank in [2, 7, n] {
            let ranking = rank_of(&rows, sigma, rank);
            assert_close("literal", ranking.scores(), &literal(&rows, sigma, rank), 1e-9);
        }
    }
}

#[test]
fn finite_differences_of_the_eigenvalues() {
    let rows = rows(18, 6);
    let expected = finite_differences(6, |w| gaussian(&rows, 0.8, w));
    assert_close("rbf", rank(&rbf(0.8), &rows).scores(), &expected, 1e-6);

    let euclidean = |w: &[f64]| rows.iter().map(|x| rows.iter().map(|y| square(x, y, w)).collect()).collect();
    let method = Evsc { similarity: Kernel::Euclidean, ..Evsc::default() };
    assert_close("euclidean", rank(&method, &rows).scores(), &finite_differences(6, euclidean), 1e-6);
}

#[test]
fn finite_differences_under_dot_products() {
    let mut rows = rows(10, 14);
    rows.iter_mut().flatten().for_each(|v| *v += 2.0);
    let dot = |x: &Vec<f64>, y: &Vec<f64>, w: &[f64]| (0..14).map(|t| w[t] * w[t] * x[t] * y[t]).sum();
    let similarity = |w: &[f64]| rows.iter().map(|x| rows.iter().map(|y| dot(x, y, w)).collect()).collect();
    let method = Evsc { similarity: Kernel::Dot, ..Evsc::default() };
    let ranking = rank(&method, &rows);
    assert_close("dot", ranking.scores(), &finite_differences(14, similarity), 1e-6);
    // Fewer features than samples: S is singular, λ = 1 many times, and stays so.
    let thin: Vec<Vec<f64>> = rows.iter().map(|x| x[..3].to_vec()).collect();
    let dot = |x: &Vec<f64>, y: &Vec<f64>, w: &[f64]| (0..3).map(|t| w[t] * w[t] * x[t] * y[t]).sum();
    let similarity = |w: &[f64]| thin.iter().map(|x| thin.iter().map(|y| dot(x, y, w)).collect()).collect();
    assert_close("dot, singular", rank(&method, &thin).scores(), &finite_differences(3, similarity), 1e-6);
}

#[test]
fn finite_differences_under_dot_products_of_either_sign() {
    let (n, m) = (9, 6);
    // The others sum to 0, so that the first feature alone makes the degrees, all positive.
    let mut rows = rows(n, m);
    for t in 1..m {
        let mean = rows.iter().map(|x| x[t]).sum::<f64>() / n as f64;
        rows.iter_mut().for_each(|x| x[t] -= mean);
    }
    rows.iter_mut().for_each(|x| x[0] = 0.4 + 0.05 * x[0]);
    let dot = |x: &Vec<f64>, y: &Vec<f64>, w: &[f64]| (0..m).map(|t| w[t] * w[t] * x[t] * y[t]).sum();
    let similarity =
        |w: &[f64]| -> Matrix { rows.iter().map(|x| rows.iter().map(|y| dot(x, y, w)).collect()).collect() };
    let plain = similarity(&vec![1.0; m]);
    assert!(plain.iter().flatten().any(|&s| s < 0.0) && plain.iter().all(|r| r.iter().sum::<f64>() > 0.0));
    let (values, _) = generalized(&plain);
    assert!(values[0] < -0.01, "an eigenvalue lies below 0: {values:?}");
    let method = Evsc { similarity: Kernel::Dot, ..Evsc::default() };
    assert_close("signed", rank(&method, &rows).scores(), &finite_differences(m, similarity), 1e-6);
    // The smallest are those below 0; the trivial 0 comes after them.
    let below = values.iter().filter(|&&v| v < -1e-6).count();
    let lowest = rank(&Evsc { rank: Some(below), ..method.clone() }, &rows);
    let more = rank(&Evsc { rank: Some(below + 1), ..method }, &rows);
    assert_eq!(lowest.scores(), more.scores());
}

#[test]
fn a_weak_bridge_is_no_component() {
    // Two clusters with similarities of 1e-12 between them: λ₂ is tiny, but moves.
    let rows: Vec<Vec<f64>> = (0..12)
        .map(|i| vec![(i % 2) as f64 * 7.4 + (i * 5 % 7) as f64 * 0.05, (i * 3 % 11) as f64 * 0.1])
        .collect();
    let ranking = rank_of(&rows, 1.0, 2);
    assert_eq!(ranking.graph.as_ref().map(|g| g.diagnostics().components), Some(1));
    assert_close("literal", ranking.scores(), &literal(&rows, 1.0, 2), 1e-3);
    assert!(ranking.scores()[0] > 100.0 * ranking.scores()[1] && ranking.scores()[1] > 0.0);
    assert!(ranking.warnings.iter().all(|w| !w.contains("every score is 0")), "{:?}", ranking.warnings);
}

#[test]
fn rounding_is_no_score() {
    // Pairs that are joined to nobody else: λ is 0 and 2, whatever the features weigh.
    let rows: Vec<Vec<f64>> = (0..12)
        .map(|i| {
            vec![(i / 2) as f64 * 10.0 + (i % 2) as f64 * 0.7, (i % 2) as f64 * 0.3 + (i * i % 5) as f64]
        })
        .collect();
    let graph = GraphRecipe::Knn(Knn { k: 1.into(), ..Knn::default() });
    let ranking = rank(&Evsc { graph, ..Evsc::default() }, &rows);
    assert_eq!(ranking.graph.as_ref().map(|g| g.diagnostics().components), Some(6));
    assert_eq!(ranking.scores(), [0.0, 0.0]);
    assert!(ranking.warnings.iter().any(|w| w.contains("every score is 0")), "{:?}", ranking.warnings);
}

#[test]
fn what_suits_it_finds_the_planted_features() {
    let planted = Planted::default().generate().expect("planted");
    let important = Planted::default().informative + Planted::default().redundant;
    let informative = |ranking: &Ranking| ranking.top(important).iter().filter(|&&j| j < important).count();
    let suited = Evsc::default().rank(&planted.data.clone().scaled(Evsc::INFO.scaling)).expect("a ranking");
    assert_eq!(informative(&suited), important);
    assert!(suited.warnings.is_empty(), "{:?}", suited.warnings);
    let equal = Evsc::default().rank(&planted.data.scaled(Scaling::Standard)).expect("a ranking");
    assert!(informative(&equal) < important / 2);
    assert!(equal.warnings.iter().any(|w| w.contains("equal variance")), "{:?}", equal.warnings);
}

#[test]
fn finite_differences_on_a_knn_graph() {
    let rows = rows(30, 5);
    let ones = [1.0; 5];
    let nearest = |i: usize| {
        let mut others: Vec<usize> = (0..30).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| {
            let (a, b) = (square(&rows[i], &rows[a], &ones), square(&rows[i], &rows[b], &ones));
            a.partial_cmp(&b).expect("finite")
        });
        others[..6].to_vec()
    };
    let lists: Vec<Vec<usize>> = (0..30).map(nearest).collect();
    let joined = |i: usize, j: usize| lists[i].contains(&j) || lists[j].contains(&i);
    let weight = |i: usize, j: usize, w: &[f64]| (-square(&rows[i], &rows[j], w) / 2.5).exp();
    let similarity = |w: &[f64]| -> Matrix {
        let entry = |i: usize, j: usize| if joined(i, j) { weight(i, j, w) } else { 0.0 };
        (0..30).map(|i| (0..30).map(|j| entry(i, j)).collect()).collect()
    };
    let expected = finite_differences(5, similarity);
    let knn = Knn { k: 6.into(), bandwidth: Bandwidth::Given(2.5), ..Knn::default() };
    let heat = Evsc { graph: GraphRecipe::Knn(knn.clone()), ..Evsc::default() };
    assert_close("heat", rank(&heat, &rows).scores(), &expected, 1e-6);
    let knn = Knn { weight: Weight::Rbf, bandwidth: Bandwidth::Auto, ..knn };
    let sigma = Sigma::Given(1.25f64.sqrt());
    let rbf = Evsc { graph: GraphRecipe::Knn(knn), sigma, ..Evsc::default() };
    assert_close("rbf", rank(&rbf, &rows).scores(), &expected, 1e-6);
}

#[test]
fn equal_eigenvalues_that_part() {
    // The corners of a square: λ₂ = λ₃, and a weight on one axis pulls them apart, so that a sum
    // over any one basis would depend on the basis.
    let rows: Vec<Vec<f64>> = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(Vec::from).to_vec();
    let expected = finite_differences(2, |w| gaussian(&rows, 0.7, w));
    assert_close("square", rank(&rbf(0.7), &rows).scores(), &expected, 1e-6);
    let cut = rank_of(&rows, 0.7, 2);
    assert_eq!(cut.parameters.whole_or_word("rank"), Some(3), "the group is whole");
    assert!(cut.warnings.iter().any(|w| w.contains("equal eigenvalues")), "{:?}", cut.warnings);
    assert_close("whole group", cut.scores(), rank_of(&rows, 0.7, 3).scores(), 1e-12);
}

#[test]
fn duplicate_samples() {
    let single = rows(14, 40);
    let mut doubled = single.clone();
    doubled.extend_from_slice(&single[..9]);
    let expected = finite_differences(40, |w| gaussian(&doubled, 2.0, w));
    assert_close("duplicates", rank(&rbf(2.0), &doubled).scores(), &expected, 1e-5);
    // The extra samples bring λ = 1, which moves for no feature; the rest moves with the degrees.
    let all_doubled: Vec<Vec<f64>> = single.iter().chain(&single).cloned().collect();
    assert_close("all", rank(&rbf(2.0), &all_doubled).scores(), rank(&rbf(2.0), &single).scores(), 1e-9);
}

#[test]
fn the_example_of_the_paper() {
    let iris = demo::iris().expect("embedded").scaled(Scaling::None);
    let column = |j: usize| iris.column(j).expect("in memory");
    let (f1, f3) = (column(0), column(2));
    let spectrum = |features: &[&[f64]]| {
        let rows: Vec<Vec<f64>> = (0..150).map(|i| features.iter().map(|f| f[i]).collect()).collect();
        let recipe = GraphRecipe::Rbf(Rbf { bandwidth: Bandwidth::Given(1.0) });
        let graph = recipe.build(&data(&rows), &Silent).expect("a graph");
        Spectrum::leading(&graph, 3, &Silent).expect("a spectrum").values().to_vec()
    };
    let both = spectrum(&[&f1, &f3]);
    let moved = |left: &[f64]| spectrum(&[left]).iter().zip(&both).map(|(a, b)| (a - b).abs()).sum::<f64>();
    let (without_f1, without_f3) = (moved(&f3), moved(&f1));
    assert!(without_f3 > 2.0 * without_f1, "dropping F1 moves λ by {without_f1}, F3 by {without_f3}");
    let rows: Vec<Vec<f64>> = f1.iter().zip(&f3).map(|(a, b)| vec![*a, *b]).collect();
    let ranking = rank(&rbf(1.0), &rows);
    assert_eq!(ranking.order(), [1, 0], "{:?}", ranking.scores());
}

/// A line of the table from which σ is chosen.
#[derive(Debug)]
struct Line {
    sigma: f64,
    gap: f64,
    chosen: bool,
}

fn lines(detail: &Detail) -> Vec<Line> {
    let Some(Cells::Marks(marks)) = detail.values("chosen") else { panic!("no marks: {detail:?}") };
    let numbers = detail.series("sigma").into_iter().zip(detail.series("gap"));
    numbers.zip(marks).map(|((sigma, gap), &chosen)| Line { sigma, gap, chosen }).collect()
}

#[test]
fn a_grid_of_widths() {
    let rows = rows(30, 8);
    for graph in [GraphRecipe::Rbf(Rbf::default()), GraphRecipe::default()] {
        let automatic = Evsc { graph: graph.clone(), ..Evsc::default() };
        let own = rank(&automatic, &rows).parameters.real_or_word("sigma").expect("σ is told");
        let chosen = rank(&Evsc { sigma: Sigma::Grid, ..automatic.clone() }, &rows);
        let sigma = chosen.parameters.real_or_word("sigma").expect("σ is told");
        let table = lines(&chosen.details[0]);
        assert_eq!(table.len(), 9);
        for (line, step) in table.iter().zip(-4..) {
            assert!((line.sigma / own - 2f64.powf(f64::from(step) / 2.0)).abs() < 1e-9, "{line:?} of {own}");
            let at = Evsc { sigma: Sigma::Given(line.sigma), ..automatic.clone() };
            let graph = rank(&at, &rows).graph.expect("it has a graph");
            let spectrum = Spectrum::complete(&graph, &Silent).expect("a spectrum");
            let gaps = spectrum.values().windows(2).skip(1).map(|pair| pair[1] - pair[0]);
            assert!((line.gap - gaps.fold(0.0, f64::max)).abs() < 1e-9, "{line:?}");
        }
        let widest = table.iter().map(|line| line.gap).fold(0.0, f64::max);
        let taken: Vec<_> = table.iter().filter(|line| line.chosen).collect();
        assert_eq!((taken.len(), taken[0].gap), (1, widest), "{table:?}");
        assert!((taken[0].sigma / sigma - 1.0).abs() < 1e-9, "{table:?}");
        let given = rank(&Evsc { sigma: Sigma::Given(sigma), ..automatic }, &rows);
        assert_close("the same σ", given.scores(), chosen.scores(), 1e-9);
    }
}

#[test]
fn a_grid_that_cannot_tell_changes_nothing() {
    // Two samples have one gap, which comes too early to count.
    let rows = vec![vec![0.0, 1.0], vec![2.0, 1.5]];
    let own = rank(&Evsc::default(), &rows);
    let grid = rank(&Evsc { sigma: Sigma::Grid, ..Evsc::default() }, &rows);
    assert_eq!(grid.parameters.real("sigma"), own.parameters.real("sigma"));
}

#[test]
fn an_offset_changes_nothing_on_either_graph() {
    let plain = rows(20, 7);
    let grid: Vec<Vec<f64>> =
        plain.iter().map(|r| r.iter().map(|v| (v * 1024.0).round() / 1024.0).collect()).collect();
    let moved: Vec<Vec<f64>> = grid.iter().map(|r| r.iter().map(|v| v + 1e8).collect()).collect();
    for graph in [GraphRecipe::Rbf(Rbf::default()), GraphRecipe::default()] {
        let method = Evsc { graph, ..Evsc::default() };
        assert_close("offset", rank(&method, &moved).scores(), rank(&method, &grid).scores(), 1e-6);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let rows = rows(40, 150);
    for graph in [GraphRecipe::Rbf(Rbf::default()), GraphRecipe::default()] {
        let method = Evsc { graph, ..Evsc::default() };
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let ranking = pool.install(|| rank(&method, &rows));
            ranking.scores().iter().map(|s| s.to_bits()).collect::<Vec<u64>>()
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn components_beyond_the_rank_are_told() {
    // Four far clusters of four: λ = 0 four times.
    let rows: Vec<Vec<f64>> =
        (0..16).map(|i| vec![(i / 4) as f64 * 100.0 + (i % 4) as f64, (i * 7 % 5) as f64]).collect();
    let graph = GraphRecipe::Knn(Knn { k: 2.into(), ..Knn::default() });
    let method = Evsc { rank: Some(3), graph: graph.clone(), ..Evsc::default() };
    let ranking = rank(&method, &rows);
    assert_eq!(ranking.scores(), [0.0, 0.0]);
    assert!(ranking.warnings.iter().any(|w| w.contains("all 0")), "{:?}", ranking.warnings);
    let ranking = rank(&Evsc { rank: Some(9), graph, ..Evsc::default() }, &rows);
    assert!(ranking.scores().iter().all(|&s| s > 0.0), "{:?}", ranking.scores());
}

#[test]
fn what_cannot_be_differentiated_is_a_named_error() {
    let rows = rows(12, 4);
    let names = |method: Evsc| match method.rank(&data(&rows)) {
        Err(Error::Parameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    let knn = |weight, metric: Metric| Evsc {
        graph: GraphRecipe::Knn(Knn { weight, metric: metric.into(), ..Knn::default() }),
        ..Evsc::default()
    };
    assert_eq!(names(knn(Weight::Binary, Metric::Euclidean)), "weight");
    assert_eq!(names(knn(Weight::SelfTuning, Metric::Euclidean)), "weight");
    assert_eq!(names(knn(Weight::Heat, Metric::Manhattan)), "metric");
    assert_eq!(names(Evsc { rank: Some(0), ..Evsc::default() }), "rank");
    assert_eq!(names(Evsc { rank: Some(13), ..Evsc::default() }), "rank");
    assert_eq!(names(rbf(-1.0)), "sigma");
    assert_eq!(names(rbf(f64::INFINITY)), "sigma");
    let given = GraphRecipe::Rbf(Rbf { bandwidth: Bandwidth::Given(2.0) });
    assert_eq!(names(Evsc { graph: given.clone(), ..rbf(1.0) }), "sigma", "two widths");
    let dot = |graph| Evsc { similarity: Kernel::Dot, graph, ..Evsc::default() };
    assert_eq!(names(dot(given)), "similarity", "a width that nothing takes");
    assert_eq!(names(Evsc { similarity: Kernel::Dot, ..rbf(1.0) }), "similarity");
    let centered = data(&rows).scaled(Scaling::Standard);
    let result = Evsc { similarity: Kernel::Dot, ..Evsc::default() }.rank(&centered);
    let message = result.expect_err("degrees are 0").to_string();
    assert!(message.contains("`similarity`") && message.contains("positive degree"), "{message}");
    assert!(message.ends_with("a degree of 0 at sample 1 (counting from 1)"), "{message}");
}
