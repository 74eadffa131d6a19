//! What MRSF makes of a path: targets, order, warnings.

use std::sync::Arc;

use fiedler::dataset::demo::Planted;
use fiedler::methods::{Mrsf, TargetMatrix, Targets};
use fiedler::solve::{End, Path};
use fiedler::{GraphRecipe, Labels, Ranking, Selector, Silent};

use crate::common::written_out;
use crate::textbook::{Textbook, dataset, norm, random, walk};

#[test]
fn the_ranking_puts_active_features_first_by_entry() {
    let (ranking, found) = ranked(&Mrsf { count: 10, ..Mrsf::default() });
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

fn ranked(method: &Mrsf) -> (Ranking, Path) {
    let planted = Planted { n_samples: 90, noise: 30, ..Planted::default() };
    method.rank_with_path(&planted.generate().expect("planted").data, &Silent).expect("ranks")
}

#[test]
fn every_kind_of_targets_ranks() {
    for targets in [Targets::Spectral, Targets::Labels, Targets::Lda, Targets::Svm, Targets::Pca] {
        let (_, found) = ranked(&Mrsf { count: 5, targets: targets.clone(), ..Mrsf::default() });
        assert_eq!((found.end, found.entries.len()), (End::Complete, 5), "{}", targets.name());
    }
}

#[test]
fn copies_rank_behind_all_others() {
    // Six samples: five directions, so the path ends early; every feature has a copy.
    for seed in 0..6 {
        let (mut x, y) = random(6, 8, 1, 600 + seed);
        x.iter_mut().for_each(|r| r.extend(r.clone().iter().map(|v| 2.0 * v + 1.0)));
        for count in [3, 8] {
            let targets = Targets::Given(Arc::new(TargetMatrix {
                values: y.concat(),
                n_targets: 1,
                ..TargetMatrix::default()
            }));
            let ranking = Mrsf { count, targets, ..Mrsf::default() }.rank(&dataset(&x)).expect("ranks");
            let mut kinds: Vec<usize> = ranking.top(8).iter().map(|j| j % 8).collect();
            kinds.sort_unstable();
            assert_eq!(kinds, (0..8).collect::<Vec<_>>(), "{seed}, {count}: one of each before any copy");
            assert!(ranking.order()[8..].iter().all(|&j| ranking.score(j) == Some(0.0)));
        }
    }
}

#[test]
fn a_group_of_equal_eigenvalues_is_explained_whole() {
    // Orthogonal columns of equal length; the rows are equally far from each other.
    let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    let x: Vec<Vec<f64>> = (0..8).map(|i| (1..8).map(|j| sign(i, j)).collect()).collect();
    let cases = [
        (Targets::Pca, GraphRecipe::default(), 7),
        (Targets::Spectral, GraphRecipe::Rbf(Default::default()), 8),
    ];
    for (targets, graph, used) in cases {
        let method = Mrsf { count: 7, targets, pairs: 2, graph, ..Mrsf::default() };
        let ranking = method.rank(&dataset(&x)).expect("ranks");
        assert_eq!(ranking.parameters.whole_or_word("pairs"), Some(used));
        let told = format!("{used} pairs are explained where 2 were asked for");
        assert!(ranking.warnings.iter().any(|w| w.contains(&told)), "{:?}", ranking.warnings);
    }
}

#[test]
fn large_numbers_are_no_obstacle() {
    let method = Mrsf { count: usize::MAX, pairs: usize::MAX, ..Mrsf::default() };
    let (ranking, _) = ranked(&method);
    assert!(ranking.warnings.iter().any(|w| w.contains("can be selected")), "{:?}", ranking.warnings);
}

#[test]
fn what_the_path_could_not_do_is_told_in_words() {
    // Two features of which one says everything.
    let x: Vec<Vec<f64>> = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(Vec::from).to_vec();
    let values: Vec<f64> = x.iter().map(|r| r[0]).collect();
    let ranked = |count: usize, values: Vec<f64>| {
        let targets =
            Targets::Given(Arc::new(TargetMatrix { values, n_targets: 1, ..TargetMatrix::default() }));
        Mrsf { count, targets, ..Mrsf::default() }.rank(&dataset(&x))
    };
    let warnings = |count: usize, values: Vec<f64>| ranked(count, values).expect("ranks").warnings;
    let told = warnings(2, values.clone());
    assert!(
        told[0].starts_with(
            "1 feature explains all of the targets that features can (down to 1e-6 of the first λ)"
        ),
        "{told:?}"
    );
    let told = warnings(3, values);
    assert_eq!(told[0], "3 features were asked for and 2 can be selected");
    // Their product is orthogonal to both.
    let told = warnings(2, x.iter().map(|r| r[0] * r[1]).collect());
    assert!(told[0].starts_with("no feature explains"), "{told:?}");
    let refused = ranked(2, vec![0.1; 4]).expect_err("nothing to explain").to_string();
    assert!(refused.contains("`targets` must be numbers that differ between samples"), "{refused}");
}

#[test]
fn theorem_15_bounds_the_similarity_by_the_residual() {
    let (x, _) = random(20, 40, 1, 5);
    let data = dataset(&x);
    let recipe = GraphRecipe::Rbf(Default::default());
    let (targets, graph) = Targets::Spectral.build(&data, &recipe, 20, &Silent).expect("targets");
    let q = targets.n_targets;
    let y: Vec<Vec<f64>> = targets.values.chunks(q).map(<[f64]>::to_vec).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let similarity = written_out(graph.as_deref().expect("a graph"));
    for i in 0..20 {
        for k in 0..20 {
            assert!((dot(&y[i], &y[k]) - similarity[i][k]).abs() <= 1e-9, "YYᵀ = S at {i}, {k}");
        }
    }
    // Targets are centered, and so is the similarity they stand for.
    let mean = |k: usize| similarity.iter().map(|r| r[k]).sum::<f64>() / 20.0;
    let total = (0..20).map(mean).sum::<f64>() / 20.0;
    let centered = |i: usize, k: usize| similarity[i][k] - mean(i) - mean(k) + total;
    let size = (0..20).map(|i| centered(i, i)).sum::<f64>().sqrt();
    let book = Textbook::new(&x, &y);
    for count in 1..=12 {
        let found = walk(&x, &y, count);
        let point = found.points.last().expect("a point");
        let mut image = vec![vec![0.0; q]; 20];
        for (row, &j) in point.active.iter().enumerate() {
            for (i, out) in image.iter_mut().enumerate() {
                for l in 0..q {
                    out[l] += book.columns[j][i] * point.weights[row * q + l];
                }
            }
        }
        let mut distance = 0.0;
        for i in 0..20 {
            for k in 0..20 {
                distance += (dot(&image[i], &image[k]) - centered(i, k)).powi(2);
            }
        }
        let bound = (2.0 * size + point.residual) * point.residual;
        assert!(distance.sqrt() <= bound * (1.0 + 1e-9), "{count}: {} > {bound}", distance.sqrt());
        // A residual that is told too large would always do.
        let left = norm(&book.residual(point).concat());
        assert!((point.residual - left).abs() <= 1e-9 * size, "{count}: {} {left}", point.residual);
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
        let method = Mrsf { count: 1, targets: targets.clone(), ..Mrsf::default() };
        let (_, found) = method.rank_with_path(&data, &Silent).expect("ranks");
        let expected = walk(&x, &y, 1);
        let (got, expected) = (found.points[0].lambda, expected.points[0].lambda);
        assert!((got / expected - 1.0).abs() <= 1e-12, "{}", targets.name());
    }
}

#[test]
fn principal_components_reproduce_the_inner_products() {
    // With all components YYᵀ = XXᵀ, so ‖fᵀY‖ = ‖Xᵀf‖ of the scaled columns: λ_max is the largest.
    let (x, _) = random(9, 6, 1, 99);
    let data = dataset(&x);
    let method = Mrsf { count: 1, targets: Targets::Pca, pairs: 6, ..Mrsf::default() };
    let (_, found) = method.rank_with_path(&data, &Silent).expect("ranks");
    let columns = Textbook::new(&x, &x).columns;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let reach = |f: &Vec<f64>| 3.0 * norm(&columns.iter().map(|c| dot(c, f)).collect::<Vec<_>>());
    let expected = columns.iter().map(reach).fold(0.0, f64::max);
    assert!((found.points[0].lambda / expected - 1.0).abs() <= 1e-9);
}
