//! Which of two rankings finds more of the known features, against Fisher's exact test by counting.

use fiedler::dataset::{Dense, Order};
use fiedler::eval::{Candidate, Measure, Partition, Protocol, Selection, Standing};
use fiedler::methods::Fisher;
use fiedler::{Dataset, Labels, Silent};

/// Fisher's exact test, two-sided, by counting choices: of `each` features that only one selection has, and as many that only the
/// other has, `known` are known, `ours` of them on one side.
fn exchanged(each: usize, known: usize, ours: usize) -> f64 {
    let choose = |n: usize, k: usize| {
        if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>() }
    };
    let less = |h: usize| (2.0 * h as f64 - known as f64).abs();
    let far = (0..=known).filter(|&h| less(h) >= less(ours));
    far.map(|h| choose(each, h) * choose(each, known - h)).sum::<f64>() / choose(2 * each, known)
}

/// Two rankings are judged by the features that they do not share, whatever chance finds: 6 known ones of 10 beside 4 of 10 others
/// are no difference, though two random rankings among 1,000 features would hardly differ by so much.
#[test]
fn two_rankings_are_compared_by_what_they_do_not_share() {
    let m = 1000;
    let values: Vec<f64> = (0..20 * m).map(|v| (v * 7919 % 101) as f64).collect();
    let codes: Vec<usize> = (0..20).map(|i| i % 2).collect();
    let data = Dataset::new(Dense::<f64>::new(values, 20, m, Order::ColumnMajor).expect("shape"))
        .and_then(|d| d.labeled(Labels::from_codes(&codes)))
        .expect("a data set");
    let order = |first: &[usize]| {
        first.iter().copied().chain((0..m).filter(|j| !first.contains(j))).collect::<Vec<usize>>()
    };
    // Both have 0 to 3, known, and 20 to 23, not known.
    let shared = [0, 1, 2, 3, 20, 21, 22, 23];
    let cases = [
        ((500..506).chain(600..604), (506..510).chain(604..610)),
        ((500..510).chain(0..0), (610..620).chain(0..0)),
    ];
    for (at, (ours, theirs)) in cases.into_iter().enumerate() {
        let known: Vec<usize> = (0..4).chain(500..510).collect();
        let lists =
            [ours.collect::<Vec<_>>(), theirs.collect()].map(|own| order(&[&shared[..], &own].concat()));
        let hits = |list: &[usize]| list[8..18].iter().filter(|j| known.contains(j)).count();
        let (one, other) = (hits(&lists[0]), hits(&lists[1]));
        let expected = exchanged(10, one + other, one);
        let protocol = Protocol { counts: vec![18], ..Protocol::new(Measure::Hits { known }) };
        let candidates =
            [Candidate::order("ours", lists[0].clone()), Candidate::order("theirs", lists[1].clone())];
        let found = protocol.evaluate(&data, &candidates, &Silent).expect("judged");
        let less = found.tables[0].curves[1].points[0].than_best.expect("ours are best");
        assert!((less.p_value.expect("exact") - expected).abs() < 1e-9, "{less:?} {expected}");
        assert_eq!(less.standing, if at == 0 { Standing::Level } else { Standing::Worse });
        assert_eq!((less.interval, found.tables[0].tells_apart), (None, None), "no partition took part");
        // All features have the hits of chance, and are as far from these.
        let verdict = found.verdict(&found.tables[0]).expect("a verdict");
        assert_eq!(verdict.all.expect("more is better").p_value, verdict.random.p_value);
    }
}

/// A method that finds the same share on every part is as sure as one ranking: the parts are of the same samples.
#[test]
fn a_method_that_always_finds_the_same_is_as_sure_as_one_ranking() {
    let rows: Vec<Vec<f64>> = (0..40)
        .map(|i| {
            (0..60)
                .map(|j| {
                    ((i * (j + 3) * 7919) % 101) as f64 + if j == 4 { (i % 2 * 900) as f64 } else { 0.0 }
                })
                .collect()
        })
        .collect();
    let codes: Vec<usize> = (0..40).map(|i| i % 2).collect();
    let data =
        Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&codes)).expect("labels");
    let judged = |selection| {
        let known = vec![4];
        let protocol = Protocol { counts: vec![1], selection, ..Protocol::new(Measure::Hits { known }) };
        protocol.evaluate(&data, &[Candidate::method(Fisher)], &Silent).expect("judged")
    };
    let fitted = judged(Selection::Training);
    let curve = &fitted.tables[0].curves[0];
    assert!(!curve.is_one_ranking && curve.points[0].summary.values == [1.0; 10], "{curve:?}");
    let less = curve.points[0].than_random.expect("chance is there");
    // The first of 60 is the known one: 1/60 on one side.
    let p = less.p_value.expect("tested");
    assert!((p - 2.0 / 60.0).abs() < 1e-9 && less.standing == Standing::Better, "{less:?}");
    assert_eq!(fitted.verdict(&fitted.tables[0]).expect("a verdict").random.p_value, Some(p));
    // One ranking of all samples is one value, as rare.
    let all = judged(Selection::All);
    let p = all.tables[0].curves[0].points[0].than_random.and_then(|d| d.p_value).expect("a spread");
    assert!(all.tables[0].curves[0].is_one_ranking && (p - 2.0 / 60.0).abs() < 1e-9, "{p}");
    assert_eq!(all.verdict(&all.tables[0]).expect("a verdict").random.p_value, Some(p));
    // What is drawn has no such spread: one partition tells nothing.
    let partition = Partition::Halves { repeats: 1 };
    let once = Protocol { counts: vec![1], partition, ..Protocol::new(Measure::Nearest) };
    let once = once.evaluate(&data, &[Candidate::method(Fisher)], &Silent).expect("judged");
    let less = once.tables[0].curves[0].points[0].than_random.expect("chance is there");
    assert_eq!((less.p_value, less.interval), (None, None));
}
