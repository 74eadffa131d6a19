//! Sources added up: alignment, weights, rankings, and what they are worth.

use fiedler::Analysis;

use super::*;

/// Centered alignment with every matrix written out.
fn naive_alignment(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let center = |m: &[Vec<f64>]| {
        let n = m.len();
        let row: Vec<f64> = m.iter().map(|r| r.iter().sum::<f64>() / n as f64).collect();
        let all = row.iter().sum::<f64>() / n as f64;
        (0..n).map(|i| (0..n).map(|j| m[i][j] - row[i] - row[j] + all).collect()).collect::<Vec<Vec<f64>>>()
    };
    let product = |a: &[Vec<f64>], b: &[Vec<f64>]| {
        a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum::<f64>()
    };
    let (a, b) = (center(a), center(b));
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

/// 40 samples of two classes; source `good` follows them, the others do not.
fn sources() -> (Vec<Source>, Labels) {
    let classes: Vec<usize> = (0..40).map(|i| i % 2).collect();
    let mut rows = rows(40, 6, 31);
    rows.iter_mut().zip(&classes).for_each(|(r, c)| r[0] += 4.0 * *c as f64);
    let good = GraphRecipe::Rbf(Rbf::default());
    let good = good.build(&data(&rows), &Silent).expect("builds");
    let knn =
        Knn { k: 4.into(), ..Knn::default() }.build(&data(&self::rows(40, 3, 77)), &Silent).expect("builds");
    let misleading: Vec<usize> = (0..40).map(|i| (i / 2) % 2).collect();
    let misleading = label_graph(&Labels::from_codes(&misleading)).expect("two classes");
    let sources = vec![
        Source { name: "good".to_owned(), graph: good },
        source("noise", knn),
        source("misleading", misleading),
    ];
    (sources, Labels::from_codes(&classes))
}

#[test]
fn agreements_are_centered_alignments() {
    let (sources, labels) = sources();
    let fusion = combine(&sources, &Coefficients::Equal, Some(&labels), &Silent).expect("combines");
    let matrices: Vec<Vec<Vec<f64>>> = sources.iter().map(|s| matrix(&s.graph)).collect();
    let classes = matrix(&label_graph(&labels).expect("two classes"));
    for (share, own) in fusion.shares.iter().zip(&matrices) {
        let expected: Vec<f64> = matrices.iter().map(|other| naive_alignment(own, other)).collect();
        for (got, expected) in share.agreement.iter().zip(&expected) {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        let with_labels = share.with_labels.expect("there are labels");
        assert!((with_labels - naive_alignment(own, &classes)).abs() < 1e-12);
    }
}

/// Every pair of shapes: dense, sparse with and without a diagonal, classes, and sums of them.
#[test]
fn products_of_all_shapes_are_those_of_matrices() {
    let n = 37;
    let dense = GraphRecipe::Rbf(Rbf::default()).build(&data(&rows(n, 3, 5)), &Silent).expect("builds");
    let sparse = Arc::new(
        Knn { k: 5.into(), ..Knn::default() }.build(&data(&rows(n, 2, 8)), &Silent).expect("builds"),
    );
    let loops: Vec<(usize, usize, f64)> =
        (0..n).map(|i| (i, i, 1.0)).chain((0..n - 1).map(|i| (i, i + 1, 0.3))).collect();
    let loops = Arc::new(Graph::from_edges(&loops, n).expect("valid"));
    let coded = |f: &dyn Fn(usize) -> usize| {
        let codes: Vec<usize> = (0..n).map(f).collect();
        Arc::new(label_graph(&Labels::from_codes(&codes)).expect("classes"))
    };
    let (three, five) = (coded(&|i| i % 3), coded(&|i| i * i % 5));
    let all = vec![(0.5, Arc::clone(&dense)), (2.0, Arc::clone(&sparse)), (0.7, Arc::clone(&five))];
    let sum = Arc::new(Graph::sum(all).expect("same samples"));
    let nested = Graph::sum(vec![(1.5, sum), (0.2, Arc::clone(&loops)), (0.1, Arc::clone(&dense))]);
    let graphs = [dense, sparse, loops, three, five, Arc::new(nested.expect("same samples"))];
    let sources: Vec<Source> =
        graphs.iter().map(|g| Source { name: "s".to_owned(), graph: Arc::clone(g) }).collect();
    let some: Vec<usize> = (0..n).filter(|i| i % 4 != 1).collect();
    let labels = Labels::new((0..n).map(|i| (i % 4 != 1).then(|| (i % 2).to_string())));
    let fusion = combine(&sources, &Coefficients::Equal, Some(&labels), &Silent).expect("combines");
    let matrices: Vec<Vec<Vec<f64>>> = graphs.iter().map(|g| matrix(g)).collect();
    let picked = |m: &Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        some.iter().map(|&i| some.iter().map(|&j| m[i][j]).collect()).collect()
    };
    let codes: Vec<usize> = some.iter().map(|i| i % 2).collect();
    let classes = matrix(&label_graph(&Labels::from_codes(&codes)).expect("two classes"));
    for (share, own) in fusion.shares.iter().zip(&matrices) {
        for (got, other) in share.agreement.iter().zip(&matrices) {
            assert!((got - naive_alignment(own, other)).abs() < 1e-12);
        }
        let expected = naive_alignment(&picked(own), &classes);
        assert!((share.with_labels.expect("labels") - expected).abs() < 1e-12);
    }
}

#[test]
fn combining_can_be_stopped() {
    let (sources, labels) = sources();
    let stop = |_: &'static str, _: usize, _: usize| std::ops::ControlFlow::Break(());
    let stopped = combine(&sources, &Coefficients::Equal, Some(&labels), &stop);
    assert!(matches!(stopped, Err(Error::Canceled)));
}

#[test]
fn partial_labels_count_where_they_are() {
    let (sources, labels) = sources();
    let text = |i: usize| (i < 30).then(|| labels.codes()[i].expect("complete").to_string());
    let partial = Labels::new((0..40).map(text));
    let fusion = combine(&sources, &Coefficients::Aligned, Some(&partial), &Silent).expect("combines");
    let some = |m: Vec<Vec<f64>>| m[..30].iter().map(|r| r[..30].to_vec()).collect::<Vec<_>>();
    let thirty: Vec<usize> = (0..30).map(|i| i % 2).collect();
    let classes = matrix(&label_graph(&Labels::from_codes(&thirty)).expect("two classes"));
    let expected = naive_alignment(&some(matrix(&sources[0].graph)), &classes);
    assert!((fusion.shares[0].with_labels.expect("labels") - expected).abs() < 1e-12);
}

#[test]
fn every_source_is_scaled_and_the_sum_is_that_of_the_parts() {
    let (sources, _) = sources();
    let fusion =
        combine(&sources, &Coefficients::Given(vec![1.0, 3.0, 0.0]), None, &Silent).expect("combines");
    assert_eq!(fusion.shares.iter().map(|s| s.weight).collect::<Vec<_>>(), [0.25, 0.75, 0.0]);
    assert_close("mean degree", &[fusion.graph.volume()], &[40.0], 1e-12);
    let (a, b) = (matrix(&sources[0].graph), matrix(&sources[1].graph));
    let scale = |m: &Vec<Vec<f64>>| 40.0 / m.iter().flatten().sum::<f64>();
    let expected: Vec<f64> =
        (0..40).map(|j| 0.25 * scale(&a) * a[5][j] + 0.75 * scale(&b) * b[5][j]).collect();
    assert_close("sum", &matrix(&fusion.graph)[5], &expected, 1e-12);
    assert!(fusion.shares.iter().all(|s| s.with_labels.is_none()));
}

/// DIS 5.2 to the letter: α and S_i as they came; the share of a source is what it adds to the sum.
#[test]
fn as_printed_nothing_is_scaled() {
    let (sources, _) = sources();
    let given = Coefficients::Given(vec![2.0, 3.0, 0.0]).as_printed(3).expect("given");
    let fusion = combine(&sources, &given, None, &Silent).expect("combines");
    let (a, b) = (matrix(&sources[0].graph), matrix(&sources[1].graph));
    let expected: Vec<f64> = (0..40).map(|j| 2.0 * a[5][j] + 3.0 * b[5][j]).collect();
    assert_close("sum", &matrix(&fusion.graph)[5], &expected, 1e-12);
    let volume = |m: &Vec<Vec<f64>>| m.iter().flatten().map(|v| v.abs()).sum::<f64>();
    let (first, second) = (2.0 * volume(&a), 3.0 * volume(&b));
    let shares: Vec<f64> = fusion.shares.iter().map(|s| s.weight).collect();
    assert_close("shares", &shares, &[first / (first + second), second / (first + second), 0.0], 1e-12);
    assert!(fusion.shares.iter().all(|s| s.scale == 1.0));
    let equal = Coefficients::Equal.as_printed(4).expect("equal");
    assert_eq!(equal, Coefficients::AsPrinted(vec![0.25; 4]));
    let refused = Coefficients::Aligned.as_printed(3).expect_err("learned on scaled graphs").to_string();
    assert!(refused.contains("`normalize` must be true where weights are learned"), "{refused}");
}

#[test]
fn alignment_finds_the_good_source_whatever_the_order() {
    let (mut sources, labels) = sources();
    sources.push(Source { name: "good again".to_owned(), ..sources[0].clone() });
    let weights = |sources: &[Source]| {
        let fusion = combine(sources, &Coefficients::Aligned, Some(&labels), &Silent).expect("combines");
        let mut weights: Vec<(String, f64)> =
            fusion.shares.into_iter().map(|s| (s.source.name, s.weight)).collect();
        weights.sort_by(|a, b| a.0.cmp(&b.0));
        weights
    };
    let first = weights(&sources);
    sources.reverse();
    let second = weights(&sources);
    for (a, b) in first.iter().zip(&second) {
        assert!((a.1 - b.1).abs() < 1e-6, "{a:?} {b:?}");
    }
    let of = |name: &str| first.iter().find(|w| w.0 == name).expect("named").1;
    assert!(of("good") > 0.3 && of("misleading") < 0.05, "{first:?}");
    assert!((of("good") - of("good again")).abs() < 1e-5, "twins share: {first:?}");
}

#[test]
fn learned_weights_are_the_best_on_the_simplex() {
    let (sources, labels) = sources();
    let classes = matrix(&label_graph(&labels).expect("two classes"));
    let alignment = |coefficients: &Coefficients| {
        let fusion = combine(&sources, coefficients, Some(&labels), &Silent).expect("combines");
        naive_alignment(&matrix(&fusion.graph), &classes)
    };
    let learned = alignment(&Coefficients::Aligned);
    for i in 0..=10 {
        for j in 0..=10 - i {
            let given = vec![f64::from(i), f64::from(j), f64::from(10 - i - j)];
            assert!(alignment(&Coefficients::Given(given)) <= learned + 1e-9);
        }
    }
}

#[test]
fn each_source_ranks_alone_and_all_together() {
    let (sources, labels) = sources();
    let classes: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
    let mut next = noise(3);
    let values: Vec<f64> = (0..40).flat_map(|i| [next(), classes[i] + 0.1 * next(), next()]).collect();
    let target = Dataset::new(Dense::new(values, 40, 3, Order::RowMajor).expect("shape")).expect("finite");
    let fusion = combine(&sources, &Coefficients::Aligned, Some(&labels), &Silent).expect("combines");
    let laplacian = methods::find("laplacian").expect("registered");
    let found = fusion.answer(&Analysis::default(), &target, "target", &Silent).expect("ranks");
    assert_eq!(found.rankings[0].places[0].index, 1);
    for (source, told) in sources.iter().zip(&found.sources) {
        let alone = laplacian.usual_on(GraphRecipe::Given(Arc::clone(&source.graph))).expect("builds");
        let alone = alone.rank(&target).expect("ranks");
        for (place, &j) in alone.order().iter().enumerate() {
            assert_eq!(told.ranks[j], alone.score(j).map(|_| place + 1), "{} alone, feature {j}", told.name);
        }
    }
    // One takes no graph, the other none but its own.
    for method in ["variance", "evsc"] {
        let asked = Analysis { methods: vec![method.to_owned()], ..Analysis::default() };
        let refused = fusion.answer(&asked, &target, "target", &Silent).expect_err("no graph of sources");
        assert!(refused.to_string().contains("ranks on the graph of all sources (laplacian, "), "{refused}");
    }
}

#[test]
fn wrong_combinations_are_refused_with_reasons() {
    let (sources, labels) = sources();
    let message = |coefficients: Coefficients, labels: Option<&Labels>| {
        combine(&sources, &coefficients, labels, &Silent).expect_err("refused").to_string()
    };
    assert!(message(Coefficients::Given(vec![0.0; 3]), None).contains("`weights` must be not all 0"));
    assert!(message(Coefficients::Given(vec![1.0]), None).contains("1 given where 3 are needed"));
    assert!(message(Coefficients::Given(vec![1.0, -1.0, 1.0]), None).contains("got -1"));
    assert!(message(Coefficients::Aligned, None).contains("needs class labels"));
    let one = Labels::from_codes(&[7; 40]);
    assert!(message(Coefficients::Aligned, Some(&one)).contains("at least two classes"));
    assert!(combine(&[], &Coefficients::Equal, None, &Silent).is_err());
    let empty = source("empty", Graph::from_edges(&[], 40).expect("valid"));
    let refused = combine(&[empty], &Coefficients::Equal, None, &Silent).expect_err("refused").to_string();
    assert!(refused.starts_with("empty: its similarities add up to 0"), "{refused}");
    // A centered kernel: positive and negative similarities that cancel but for rounding.
    let signed: Vec<f64> = (0..1600).map(|p| if p / 40 % 2 == p % 40 % 2 { 1.001 } else { -1.0 }).collect();
    let centered = source("centered", Graph::from_dense(&signed, 40).expect("valid"));
    let refused = combine(&[centered], &Coefficients::Equal, None, &Silent).expect_err("refused").to_string();
    assert!(refused.contains("centered: its positive and negative similarities cancel"), "{refused}");
    // A similarity that says nothing: its alignment is rounding, whatever its sign.
    for value in [1.0, 0.1, 1.0 / 3.0] {
        let constant = source("constant", Graph::from_dense(&[value; 1600], 40).expect("valid"));
        let refused = combine(&[constant], &Coefficients::Aligned, Some(&labels), &Silent);
        let refused = refused.expect_err("refused").to_string();
        assert!(refused.contains("no source agrees with the labels"), "{refused}");
    }
    // A similarity that is the opposite of the labels.
    let opposite: Vec<f64> = (0..1600).map(|p| f64::from(u8::from(p / 40 % 2 != p % 2))).collect();
    let opposite = source("opposite", Graph::from_dense(&opposite, 40).expect("valid"));
    let refused = combine(&[opposite], &Coefficients::Aligned, Some(&labels), &Silent)
        .expect_err("refused")
        .to_string();
    assert!(refused.contains("no source agrees with the labels"), "{refused}");
}

#[test]
fn a_source_made_of_the_labels_is_noted() {
    let (mut sources, labels) = sources();
    sources.push(source("the labels", label_graph(&labels).expect("two classes")));
    let fusion = combine(&sources, &Coefficients::Aligned, Some(&labels), &Silent).expect("combines");
    assert!(fusion.notes[0].contains("the labels says what the labels say"), "{:?}", fusion.notes);
    assert!(fusion.shares[3].weight > 0.999);
}

#[test]
fn indefinite_similarities_are_told_and_used() {
    let values = [0.0, 1.0, 1.0, 0.0];
    let graph = Graph::from_dense(&values, 2).expect("valid");
    assert!(indefinite(&graph).expect("eigenvalue -1").contains("smallest eigenvalue -1.000e0"));
    assert_eq!(indefinite(&Graph::from_dense(&[1.0, 0.5, 0.5, 1.0], 2).expect("valid")), None);
    let (mut sources, labels) = sources();
    let ring: Vec<(usize, usize, f64)> = (0..40).map(|i| (i, (i + 1) % 40, 1.0)).collect();
    sources.push(source("ring", Graph::from_edges(&ring, 40).expect("valid")));
    let fusion = combine(&sources, &Coefficients::Aligned, Some(&labels), &Silent).expect("combines");
    assert!(fusion.shares[3].with_labels.expect("labels") < 0.0);
    assert_eq!(fusion.shares[3].weight, 0.0);
}

#[test]
fn fusion_helps_and_alignment_lowers_the_misleading_source() {
    let settings = world::Settings { noise: 160, ..world::Settings::default() };
    let (mut alone, mut equal, mut aligned, mut misleading) = (0.0, 0.0, 0.0, 0.0);
    let (mut by_noise, mut by_aligned) = (0.0, 0.0);
    for seed in 0..4 {
        let world = world::world(settings, seed).expect("a world");
        let labels = Some(&world.labels);
        let with_equal = combine(&world.sources, &Coefficients::Equal, labels, &Silent).expect("combines");
        let learned = combine(&world.sources, &Coefficients::Aligned, labels, &Silent).expect("combines");
        let each = world.rank_each(&learned).expect("ranks");
        let judge = |ranking: &fiedler::Ranking| world.judge(ranking).expect("judges");
        let best = judge(&world.rank(&learned).expect("ranks"));
        alone += judge(&each[0]).hits;
        equal += judge(&world.rank(&with_equal).expect("ranks")).hits;
        aligned += best.hits;
        by_aligned += best.accuracy;
        by_noise += judge(&each[4]).accuracy;
        misleading += learned.shares[4].weight;
    }
    assert!(aligned > equal, "alignment {aligned}, equal {equal}");
    assert!(aligned > alone, "alignment {aligned}, target alone {alone}");
    assert!(by_aligned > by_noise, "nearest neighbor: {by_aligned}, by the misleading source {by_noise}");
    assert!(misleading / 4.0 < 0.05, "the misleading source has {}", misleading / 4.0);
}
