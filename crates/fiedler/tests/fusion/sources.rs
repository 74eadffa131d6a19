//! Networks, sets, hierarchies and names as graphs of the samples.

use super::*;

const EDGES: [(usize, usize, f64); 5] = [(0, 1, 1.0), (1, 2, 0.5), (3, 0, 2.0), (4, 5, 0.25), (5, 4, 0.25)];

/// (x-y)ᵀ(D - S_F)(x-y) with every matrix written out.
fn naive_mahalanobis(rows: &[Vec<f64>], edges: &[(usize, usize, f64)]) -> Vec<Vec<f64>> {
    let m = rows[0].len();
    let mut s = vec![vec![0.0; m]; m];
    for &(a, b, w) in edges {
        s[a][b] = w;
        s[b][a] = w;
    }
    let l = |a: usize, b: usize| if a == b { s[a].iter().sum::<f64>() - s[a][a] } else { -s[a][b] };
    let distance = |x: &Vec<f64>, y: &Vec<f64>| {
        let d: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
        (0..m).map(|a| (0..m).map(|b| d[a] * l(a, b) * d[b]).sum::<f64>()).sum::<f64>()
    };
    rows.iter().map(|x| rows.iter().map(|y| distance(x, y)).collect()).collect()
}

#[test]
fn a_feature_network_gives_mahalanobis_distances() {
    let rows = rows(9, 7, 3);
    let network = FeatureNetwork::new(7, &EDGES).expect("valid edges");
    let graph =
        network.graph(&data(&rows), Covariance::Kernel, Bandwidth::Given(0.8), &Silent).expect("builds");
    for (got, distances) in matrix(&graph).iter().zip(naive_mahalanobis(&rows, &EDGES)) {
        let expected: Vec<f64> = distances.iter().map(|d| (-d / (2.0 * 0.64)).exp()).collect();
        assert_close("rbf of mahalanobis", got, &expected, 1e-12);
    }
    assert_eq!(network.notes().len(), 2, "one feature apart, two parts: {:?}", network.notes());
}

#[test]
fn the_automatic_bandwidth_is_the_median_and_an_offset_changes_nothing() {
    let mut rows = rows(8, 7, 5);
    rows.push(rows[0].clone());
    let distances = naive_mahalanobis(&rows, &EDGES);
    let mut above: Vec<f64> =
        (0..9).flat_map(|j| (0..j).map(|i| distances[i][j]).collect::<Vec<_>>()).collect();
    above.sort_by(f64::total_cmp);
    let median = (above[17] + above[18]) / 2.0;
    let network = FeatureNetwork::new(7, &EDGES).expect("valid edges");
    for offset in [0.0, 1e4] {
        let moved: Vec<Vec<f64>> = rows.iter().map(|r| r.iter().map(|v| v + offset).collect()).collect();
        let graph =
            network.graph(&data(&moved), Covariance::Kernel, Bandwidth::Auto, &Silent).expect("builds");
        let got = matrix(&graph);
        let expected: Vec<f64> = distances[2].iter().map(|d| (-d / median).exp()).collect();
        assert_close("auto", &got[2], &expected, 1e-9);
        assert_eq!(got[0][8], 1.0, "duplicates are at distance 0");
    }
}

#[test]
fn many_features_cross_the_blocks() {
    let rows = rows(70, 600, 11);
    let ends = [rows[69].clone(), rows[2].clone()];
    let edges: Vec<(usize, usize, f64)> =
        (0..600).map(|a| (a, (a * 7 + 1) % 600, 1.0 + (a % 3) as f64)).collect();
    let mut unique = edges.clone();
    unique.sort_by_key(|e| (e.0.min(e.1), e.0.max(e.1)));
    unique.dedup_by_key(|e| (e.0.min(e.1), e.0.max(e.1)));
    unique.retain(|e| e.0 != e.1);
    let network = FeatureNetwork::new(600, &unique).expect("valid edges");
    let graph =
        network.graph(&data(&rows), Covariance::Kernel, Bandwidth::Given(30.0), &Silent).expect("builds");
    let distance = naive_mahalanobis(&ends, &unique)[0][1];
    assert_close("blocks", &[matrix(&graph)[69][2]], &[(-distance / 1800.0).exp()], 1e-11);
}

/// Sum over positive eigenvalues of g(λ) u uᵀ.
fn of_eigenvalues(a: &[Vec<f64>], flip: bool, g: impl Fn(f64) -> f64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let n = a.len();
    let (values, mut vectors) = eigen::jacobi(a.to_vec());
    if flip {
        for v in &mut vectors {
            let largest = v.iter().fold(0.0f64, |b, &x| if x.abs() > b.abs() { x } else { b });
            v.iter_mut().for_each(|x| *x *= largest.signum());
        }
    }
    let top = values.iter().fold(0.0f64, |a, &v| a.max(v));
    let mut out = vec![vec![0.0; n]; n];
    for (value, v) in values.iter().zip(&vectors).filter(|(value, _)| **value > 1e-9 * top) {
        for i in 0..n {
            for j in 0..n {
                out[i][j] += g(*value) * v[i] * v[j];
            }
        }
    }
    (out, vectors)
}

/// Proposition 4 with K to a power: 1 as it is printed, ½ as the covariance of an embedding is.
fn proposition_four(laplacian: &[Vec<f64>], power: f64) -> Vec<Vec<f64>> {
    let (powered, vectors) = of_eigenvalues(laplacian, true, |v| v.powf(-power));
    let v: Vec<f64> = (0..5).map(|i| vectors.iter().map(|u| u[i]).sum::<f64>()).collect();
    let middle = |i: usize, j: usize| f64::from(u8::from(i == j)) - v[i] * v[j] / 5.0;
    let mut covariance = vec![vec![0.0; 5]; 5];
    for i in 0..5 {
        for j in 0..5 {
            for p in 0..5 {
                for q in 0..5 {
                    covariance[i][j] += powered[i][p] * middle(p, q) * powered[q][j];
                }
            }
        }
    }
    covariance
}

#[test]
fn the_printed_covariance_is_the_formula_of_the_dissertation_and_the_repaired_one_has_its_root() {
    // A path with different weights: connected, all eigenvalues different.
    let edges = [(0, 1, 1.0), (1, 2, 0.5), (2, 3, 2.0), (3, 4, 0.7)];
    let rows = rows(8, 5, 17);
    let mut laplacian = vec![vec![0.0; 5]; 5];
    for (a, b, w) in edges {
        laplacian[a][a] += w;
        laplacian[b][b] += w;
        laplacian[a][b] -= w;
        laplacian[b][a] -= w;
    }
    let network = FeatureNetwork::new(5, &edges).expect("valid edges");
    for (form, power) in [(Covariance::Printed, 1.0), (Covariance::Repaired, 0.5)] {
        let (inverse, _) = of_eigenvalues(&proposition_four(&laplacian, power), false, |v| 1.0 / v);
        let graph = network.graph(&data(&rows), form, Bandwidth::Given(1.0), &Silent).expect("builds");
        assert!(graph.warnings()[0].contains(form.name()), "{:?}", graph.warnings());
        let distance = |x: &Vec<f64>, y: &Vec<f64>| {
            let d: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
            (0..5).map(|a| (0..5).map(|b| d[a] * inverse[a][b] * d[b]).sum::<f64>()).sum::<f64>()
        };
        let expected: Vec<f64> = rows.iter().map(|y| (-distance(&rows[3], y) / 2.0).exp()).collect();
        assert_close(form.name(), &matrix(&graph)[3], &expected, 1e-7);
    }
}

#[test]
fn annotations_join_features_that_share_terms() {
    // Terms: 0 of {0,1}, 1 of {0,1,2}, 2 of {3}, 9 of everyone (too general).
    let mut annotations = vec![(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (3, 2)];
    annotations.extend((0..5).map(|f| (f, 9)));
    let network =
        FeatureNetwork::from_annotations(5, &annotations, Overlap::Jaccard, Some(4)).expect("valid");
    assert_eq!(network.edges(), [(0, 1, 1.0), (0, 2, 0.5), (1, 2, 0.5)]);
    assert!(network.notes()[0].contains("1 of 4 terms belong to more than 4 features"));
    let network = FeatureNetwork::from_annotations(5, &annotations, Overlap::Cosine, Some(4)).expect("valid");
    assert_close("cosine", &[network.edges()[1].2], &[1.0 / 2f64.sqrt()], 1e-15);
}

#[test]
fn a_hierarchy_is_the_weighted_sum_of_its_levels() {
    let paths = owned(&["a/x", "a/x", "a/y", "b/x", "b"]);
    let graph = hierarchy_graph(&paths, Some(&[1.0, 3.0])).expect("valid paths");
    let level = |classes: [usize; 5], i: usize, j: usize| {
        let size = classes.iter().filter(|c| **c == classes[i]).count() as f64;
        if classes[i] == classes[j] { 1.0 / size } else { 0.0 }
    };
    for (i, row) in matrix(&graph).iter().enumerate() {
        let of_pair = |j| 0.25 * level([0, 0, 0, 1, 1], i, j) + 0.75 * level([0, 0, 1, 2, 3], i, j);
        assert_close("hierarchy", row, &(0..5).map(of_pair).collect::<Vec<_>>(), 1e-14);
    }
    assert!(graph.warnings().is_empty(), "classes are apart by design: {:?}", graph.warnings());
    let labels = label_graph(&Labels::from_codes(&[0, 0, 0, 1, 1])).expect("two classes");
    let both = [source("tree", graph), source("labels", labels)];
    let fusion = combine(&both, &Coefficients::Equal, None, &Silent).expect("combines");
    assert!(fusion.graph.warnings().is_empty(), "and so are sums of them: {:?}", fusion.graph.warnings());
}

#[test]
fn broad_terms_are_used_in_a_large_vocabulary_and_as_far_as_pairs_allow() {
    // 1,200 features: a quarter is 300.
    let term = |t: usize, size: usize| (0..size).map(move |f| (f, t));
    let annotations: Vec<(usize, usize)> = term(0, 250).chain(term(1, 301)).collect();
    let network =
        FeatureNetwork::from_annotations(1200, &annotations, Overlap::Jaccard, None).expect("valid");
    assert_eq!(network.edges().len(), 250 * 249 / 2);
    assert!(network.notes()[0].contains("1 of 2 terms belong to more than 300 features"));
    // Two terms of 4,600 features would join more than 20 million pairs, one does not.
    let annotations: Vec<(usize, usize)> = term(0, 4600).chain(term(1, 4601)).chain(term(2, 3)).collect();
    let network = FeatureNetwork::from_annotations(20_000, &annotations, Overlap::Jaccard, None);
    assert!(network.expect("valid").notes()[0].contains("1 of 3 terms belong to more than 4600 features"));
}

#[test]
fn wrong_hierarchies_are_refused_with_reasons() {
    let message = |paths: &[&str]| hierarchy_graph(&owned(paths), None).expect_err("refused").to_string();
    assert!(message(&["a/b", ""]).contains("without empty parts, got ``"));
    assert!(message(&["a//b", "a"]).contains("without empty parts"));
    assert!(message(&["a/b/a", "b"]).contains("free of cycles"));
    assert!(message(&["top/a/b", "b/c", "c/a"]).contains("got `a/b/c/a`"), "a cycle across samples");
    assert!(message(&["a/a", "b"]).contains("got `a/a`"));
    assert!(hierarchy_graph(&owned(&["1/2", "2/1", "1/1"]), None).is_ok(), "numbers are counted anew");
    assert!(message(&["a/b", "a/b"]).contains("at least two different paths"));
    assert!(message(&[]).contains("at least two different paths"));
    assert!(hierarchy_graph(&owned(&["a", "b"]), Some(&[1.0, 1.0])).is_err());
    assert!(hierarchy_graph(&owned(&["a", "b"]), Some(&[0.0])).is_err());
}

#[test]
fn feature_sets_are_graphs_of_some_columns() {
    let all = rows(12, 6, 23);
    let some: Vec<Vec<f64>> = all.iter().map(|r| vec![r[1], r[4]]).collect();
    let recipe = GraphRecipe::Rbf(Rbf::default());
    let set =
        |name: &str, features: &[usize]| FeatureSet { name: name.to_owned(), features: features.to_vec() };
    let one = feature_set_graph(&data(&all), &[set("s", &[4, 1, 4])], &recipe, &Silent).expect("builds");
    let expected = recipe.build(&data(&some), &Silent).expect("builds");
    assert_eq!(matrix(&one), matrix(&expected));
    let two = [set("s", &[1, 4]), set("t", &[0, 2, 3])];
    let both = feature_set_graph(&data(&all), &two, &recipe, &Silent).expect("builds");
    assert_close("mean degree", &[both.volume()], &[12.0], 1e-12);
    let parts: Vec<_> = two
        .iter()
        .map(|s| {
            matrix(
                &feature_set_graph(&data(&all), std::slice::from_ref(s), &recipe, &Silent).expect("builds"),
            )
        })
        .collect();
    let scale = |m: &Vec<Vec<f64>>| 6.0 / m.iter().flatten().sum::<f64>();
    for (i, row) in matrix(&both).iter().enumerate() {
        let expected: Vec<f64> =
            (0..12).map(|j| scale(&parts[0]) * parts[0][i][j] + scale(&parts[1]) * parts[1][i][j]).collect();
        assert_close("mean of the sets", row, &expected, 1e-13);
    }
    let told = &both.description().parameters;
    assert_eq!((told[0].1.to_string(), both.description().kind), ("s, t".to_owned(), "feature-sets"));
    let sigma = told.iter().find(|p| p.0 == "sigma").expect("one for each").1.to_string();
    assert_eq!(sigma.split(", ").count(), 2, "{sigma}");
    assert!(feature_set_graph(&data(&all), &[set("none", &[])], &recipe, &Silent).is_err());
    assert!(feature_set_graph(&data(&all), &[], &recipe, &Silent).is_err());
}

#[test]
fn samples_are_joined_by_name_in_any_order() {
    let here = owned(&["a", "b", "c"]);
    let target = Names { source: "target", kind: "sample", names: &here };
    let (same, fewer) = (owned(&["c", "a", "b"]), owned(&["z", "b", "a"]));
    let strict = SampleSource { source: "aux", names: &same, drop: false };
    assert_eq!(join_samples(target, &[strict]).expect("joins").sources, [[1, 2, 0]]);
    let loose = SampleSource { source: "fewer", names: &fewer, drop: true };
    let joined = join_samples(target, &[strict, loose]).expect("joins");
    assert_eq!((joined.target, joined.sources), (vec![0, 1], vec![vec![1, 2], vec![2, 1]]));
    assert_eq!(joined.unmatched[0], Unmatched::default());
    assert_eq!(joined.unmatched[1].only_source, ["z"]);
    assert_eq!(joined.unmatched[1].only_target, ["c"]);
}

#[test]
fn names_that_do_not_match_are_named() {
    let here = owned(&["a", "b", "c"]);
    let target = Names { source: "target", kind: "sample", names: &here };
    let refused = |names: &[&str], drop: bool| {
        let names = owned(names);
        join_samples(target, &[SampleSource { source: "aux", names: &names, drop }])
            .expect_err("refused")
            .to_string()
    };
    assert!(
        refused(&["a", "b", "c", "y"], false).starts_with("aux: 1 of 4 sample names are not in target (`y`)")
    );
    assert!(refused(&["a"], false).starts_with("target: 2 of 3 sample names are not in aux (`b`, `c`)"));
    assert!(refused(&["a", "a"], true).contains("`a` occurs twice"));
    assert!(
        refused(&["x", "y"], true).contains("aux and target share no sample name, for instance `x` and `a`")
    );
    let features = Names { kind: "feature", ..target };
    let asked = owned(&["a", "q", "a", "q"]);
    let asked = Names { source: "network", kind: "feature", names: &asked };
    assert!(matches!(match_features(features, asked, false), Err(Error::UnknownNames { count: 1, .. })));
    let found = match_features(features, asked, true).expect("drops");
    assert_eq!((found.found, found.dropped), (vec![Some(0), None, Some(0), None], owned(&["q"])));
    let refused = match_features(features, asked, false).expect_err("unknown").to_string();
    assert!(refused.starts_with("network: 1 of 2 feature names"), "repeated names count once: {refused}");
}

#[test]
fn wrong_networks_are_refused_with_reasons() {
    let message =
        |edges: &[(usize, usize, f64)]| FeatureNetwork::new(3, edges).expect_err("refused").to_string();
    assert!(message(&[]).contains("at least one pair"));
    assert!(message(&[(0, 0, 1.0)]).contains("at least one pair"));
    assert!(message(&[(0, 3, 1.0)]).contains("features below 3"));
    assert!(message(&[(0, 1, -1.0)]).contains("not negative"));
    assert!(message(&[(0, 1, 1.0), (1, 0, 2.0)]).contains("one weight per pair"));
    let name = |j: usize| ["x", "y", "z"][j].to_owned();
    let named = FeatureNetwork::with_names(3, &[(0, 2, 1.0), (2, 0, 2.0)], &name).expect_err("refused");
    assert!(named.to_string().contains("got 1 and 2 for `x` and `z`"), "{named}");
    assert!(FeatureNetwork::from_annotations(3, &[(0, 0), (1, 1)], Overlap::Jaccard, Some(10)).is_err());
    let network = FeatureNetwork::new(3, &[(0, 1, 1.0)]).expect("valid");
    let two = data(&rows(4, 2, 1));
    assert!(network.graph(&two, Covariance::Kernel, Bandwidth::Auto, &Silent).is_err());
}
