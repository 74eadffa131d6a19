//! What a report draws, against textbook code.
#![allow(clippy::unwrap_used)]

#[path = "naive/eigen.rs"]
mod eigen;

use fiedler::portrait::{KeptBy, Portrait};
use fiedler::{Analysis, Findings, Graph, Silent, Wanted, dataset::demo};

fn drawn(methods: &[&str], count: Wanted, data: &fiedler::Dataset) -> (Findings, Portrait) {
    let methods = methods.iter().map(|m| (*m).to_owned()).collect();
    let analysis = Analysis { methods, count, portrait: true, ..Analysis::default() };
    let mut found = analysis.run(data, "data", &Silent).unwrap();
    let portrait = found.portrait.take().unwrap();
    (found, portrait)
}

fn dense(graph: &Graph) -> Vec<Vec<f64>> {
    let n = graph.n_samples();
    let mut all = vec![vec![0.0; n]; n];
    for (i, j, w) in graph.edges() {
        (all[i][j], all[j][i]) = (w, w);
    }
    all
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let product: f64 = a.iter().zip(b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    let square = |v: &[f64], m: f64| v.iter().map(|x| (x - m).powi(2)).sum::<f64>();
    product / (square(a, ma) * square(b, mb)).sqrt()
}

#[test]
fn alignments_are_the_squared_cosines_with_the_eigenvectors() {
    let data = demo::iris().unwrap();
    let (found, portrait) = drawn(&["laplacian"], Wanted::All, &data);
    let similarity = dense(found.rankings[0].similarity.as_ref().unwrap());
    let degrees: Vec<f64> = similarity.iter().map(|row| row.iter().sum()).collect();
    let (values, vectors) = eigen::jacobi(eigen::normalized_laplacian(&similarity));
    let map = portrait.map.as_ref().unwrap();
    for (known, value) in map.eigenvalues.iter().zip(&values) {
        assert!((known - value).abs() < 1e-9, "{known} {value}");
    }
    for feature in &portrait.features {
        let column = data.column(feature.index).unwrap();
        let scaled: Vec<f64> = column.iter().zip(&degrees).map(|(f, d)| f * d.sqrt()).collect();
        let trivial: Vec<f64> = degrees.iter().map(|d| d.sqrt()).collect();
        let length = trivial.iter().map(|v| v * v).sum::<f64>();
        let along = scaled.iter().zip(&trivial).map(|(a, b)| a * b).sum::<f64>() / length;
        let rest: Vec<f64> = scaled.iter().zip(&trivial).map(|(a, b)| a - along * b).collect();
        let square = rest.iter().map(|v| v * v).sum::<f64>();
        for (axis, alignment) in map.axes.iter().zip(&feature.alignment) {
            // Vectors of simple eigenvalues are known but for their sign.
            let vector = &vectors[axis.pair - 1];
            let cosine = rest.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>() / square.sqrt();
            assert!((cosine * cosine - alignment).abs() < 1e-7, "{} {}", feature.index, axis.pair);
        }
        assert!(feature.alignment.iter().sum::<f64>() <= 1.0 + 1e-9);
    }
}

#[test]
fn a_dropped_feature_is_told_with_the_kept_one_it_is_most_like() {
    let data =
        demo::Planted { n_samples: 80, noise: 30, ..demo::Planted::default() }.generate().unwrap().data;
    let (_, portrait) = drawn(&["laplacian"], Wanted::Count(6), &data);
    let kept: Vec<usize> = portrait.features.iter().filter(|f| f.kept).map(|f| f.index).collect();
    assert_eq!(kept.len(), 6);
    let column = |j: usize| data.column(j).unwrap();
    for feature in &portrait.features {
        let mut best = (0, 0.0f64);
        for &j in kept.iter().filter(|&&j| j != feature.index) {
            let r = correlation(&column(feature.index), &column(j));
            if r.abs() > best.1.abs() {
                best = (j, r);
            }
        }
        let alike = feature.alike.unwrap();
        assert_eq!(alike.index, best.0);
        assert!((alike.correlation - best.1).abs() < 1e-9);
    }
    let redundancy = portrait.redundancy.unwrap();
    let mut sorted = redundancy.features.clone();
    sorted.sort_unstable();
    let mut same = kept.clone();
    same.sort_unstable();
    assert_eq!(sorted, same);
    for a in 0..6 {
        for b in 0..6 {
            let known = correlation(&column(redundancy.features[a]), &column(redundancy.features[b]));
            assert!((redundancy.at(a, b) - known).abs() < 1e-9);
        }
    }
}

#[test]
fn values_and_distributions_are_in_the_units_of_the_user() {
    let data = demo::iris().unwrap();
    let (_, portrait) = drawn(&["laplacian"], Wanted::All, &data);
    let raw = data.clone().scaled(fiedler::Scaling::None);
    for values in &portrait.values {
        assert_eq!(values.values, raw.column(values.index).unwrap());
    }
    for distribution in &portrait.distributions {
        let column = raw.column(distribution.index).unwrap();
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(distribution.low, low);
        let counted: usize = distribution.groups.iter().flat_map(|g| &g.counts).sum();
        assert_eq!((counted, distribution.groups.len()), (150, 3));
    }
}

#[test]
fn the_count_is_the_users_or_that_of_the_turning_point() {
    let (found, portrait) = drawn(&["laplacian"], Wanted::All, &demo::load("planted").unwrap());
    let curve = &portrait.curves[0];
    assert_eq!((Some(curve.kept), curve.kept_by), (found.rankings[0].elbow, KeptBy::Elbow));
    let data = demo::digits().unwrap();
    let (found, portrait) = drawn(&["laplacian"], Wanted::All, &data);
    let curve = &portrait.curves[0];
    assert_eq!(found.rankings[0].elbow, None, "the turn comes too late to tell the good ones");
    assert_eq!((curve.kept, curve.kept_by), (10, KeptBy::Usual));
    assert_eq!(curve.n_judged + curve.n_aside + curve.n_unscored, 64);
    let (_, portrait) = drawn(&["laplacian"], Wanted::Count(5), &data);
    assert_eq!((portrait.curves[0].kept, portrait.curves[0].kept_by), (5, KeptBy::Asked));
    assert_eq!(portrait.features.len(), 64, "all are listed, kept or not");
}

#[test]
fn several_methods_are_compared_by_what_they_share() {
    let data = demo::iris().unwrap();
    let (found, portrait) = drawn(&["laplacian", "fisher", "variance"], Wanted::Count(2), &data);
    let compared = portrait.comparison.unwrap();
    let top = |m: usize| found.rankings[m].places.iter().map(|p| p.index).collect::<Vec<_>>();
    for a in 0..3 {
        for b in 0..3 {
            let shared = top(a).iter().filter(|j| top(b).contains(j)).count();
            assert_eq!(compared.shared[a][b], shared);
        }
    }
}

#[test]
fn a_portrait_of_many_samples_is_of_even_steps() {
    let planted = demo::Planted { n_samples: 4100, noise: 4, ..demo::Planted::default() };
    let data = planted.generate().unwrap().data;
    for (method, count, steps) in [("laplacian", 2000, 2..=3), ("variance", 600, 6..=7)] {
        let (_, portrait) = drawn(&[method], Wanted::All, &data);
        let indices = &portrait.samples.indices;
        assert_eq!((indices.len(), indices[0]), (count, 0), "{method}");
        assert!(indices.windows(2).all(|w| steps.contains(&(w[1] - w[0]))), "{method}");
        assert_eq!(portrait.values[0].values.len(), count, "{method}");
    }
}

/// A method without a graph: what is drawn of some of the samples is what would be drawn of these samples alone.
#[test]
fn a_graph_for_the_picture_is_of_the_samples_drawn() {
    let planted = demo::Planted { n_samples: 1400, noise: 4, ..demo::Planted::default() };
    let data = planted.generate().unwrap().data;
    let some = data.samples(&(0..600).map(|i| i * 1400 / 600).collect::<Vec<_>>(), &Silent).unwrap();
    // Some samples have other deviations than all, and the view of the method is that of all.
    let raw = Analysis {
        methods: vec!["variance".to_owned()],
        count: Wanted::Count(5),
        scaling: fiedler::Scaling::None,
        portrait: true,
        ..Analysis::default()
    };
    let drawn_of = |data| raw.run(data, "data", &Silent).unwrap().portrait.unwrap();
    let (whole, alone) = (drawn_of(&data), drawn_of(&some));
    let (map, other) = (whole.map.clone().unwrap(), alone.map.clone().unwrap());
    assert_eq!(map.eigenvalues, other.eigenvalues);
    for (axis, same) in map.axes.iter().zip(&other.axes) {
        assert_eq!(axis.coordinates, same.coordinates);
    }
    let alignment = |portrait: &Portrait, j: usize| {
        portrait.features.iter().find(|f| f.index == j).unwrap().alignment.clone()
    };
    for j in 0..data.n_features() {
        let pairs = alignment(&whole, j).into_iter().zip(alignment(&alone, j)).collect::<Vec<_>>();
        assert!(!pairs.is_empty() && pairs.iter().all(|(a, b)| (a - b).abs() < 1e-9), "{j}: {pairs:?}");
    }
}

#[test]
fn portraits_do_not_depend_on_the_number_of_threads() {
    let data = demo::digits().unwrap();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let ask = || drawn(&["laplacian"], Wanted::All, &data).1;
    assert_eq!(one.install(ask), three.install(ask));
}

#[test]
fn data_with_one_feature_or_two_samples_have_a_portrait() {
    let one = fiedler::Dataset::from_rows(&[[1.0], [2.0], [4.0], [8.0], [9.0], [9.5]]).unwrap();
    let (_, portrait) = drawn(&["variance"], Wanted::All, &one);
    assert_eq!((portrait.features.len(), portrait.redundancy), (1, None));
    let two = fiedler::Dataset::from_rows(&[[1.0, 2.0], [3.0, 4.0]]).unwrap();
    let (_, portrait) = drawn(&["variance"], Wanted::All, &two);
    assert_eq!((portrait.map, portrait.samples.indices.len()), (None, 2));
}
