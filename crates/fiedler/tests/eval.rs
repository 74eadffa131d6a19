//! Evaluation against textbook code: metrics by their definitions, fairness, reproducibility, bad input.

mod common;
#[path = "naive/judge.rs"]
mod judge;

use std::ops::ControlFlow;

use fiedler::dataset::demo::{self, Planted};
use fiedler::dataset::{Dense, Order};
use fiedler::eval::{
    Candidate, Curve, CurveKind, Evaluation, KMeans, Measure, Partition, Protocol, Selection, Split,
    Standing, SvmMeasure, assign, clustering_accuracy, normalized_mutual_information, paired_t_test,
};
use fiedler::methods::{Fisher, Laplacian, Variance};
use fiedler::{Dataset, Error, Labels, Scaling, Silent};
use judge::{Numbers, Table};

/// A table of counts, mostly zeros, and one of plain numbers with offsets, with three classes.
fn tables() -> Vec<Table> {
    let mut numbers = Numbers(11);
    let mut table = |n: usize, m: usize, sparse: bool| {
        let classes: Vec<usize> = (0..n).map(|i| i % 3).collect();
        let value = |i: usize, j: usize, numbers: &mut Numbers| {
            if !sparse {
                50.0 * (j as f64) + numbers.unit() + 0.7 * f64::from(j % 4 == i % 3)
            } else if numbers.unit() < 0.8 {
                0.0
            } else {
                (1.0 + 3.0 * numbers.unit() + f64::from(j % 3 == i % 3)).floor()
            }
        };
        let rows = (0..n).map(|i| (0..m).map(|j| value(i, j, &mut numbers)).collect()).collect();
        Table { rows, classes }
    };
    vec![table(61, 40, false), table(70, 300, true), table(40, 9, false)]
}

fn labeled(data: Dataset, table: &Table) -> Dataset {
    data.labeled(Labels::from_codes(&table.classes)).expect("a label per sample")
}

/// The data stored densely and by non-zeros, each with the zero its scaling leaves.
fn forms(table: &Table) -> Vec<(Dataset, bool)> {
    let dense = labeled(Dataset::from_rows(&table.rows).expect("finite"), table);
    let sparse = labeled(common::sparse(&table.rows).scaled(Scaling::Standard), table);
    vec![(dense, true), (sparse, false)]
}

/// Two fixed partitions that are not stratified, and a ranking in no order.
fn fixed(table: &Table) -> (Vec<Split>, Vec<usize>, Vec<usize>) {
    let (n, m) = (table.rows.len(), table.rows[0].len());
    let split = |rule: fn(usize) -> bool| {
        let (training, test) = (0..n).partition(|&i| rule(i));
        Split { training, test }
    };
    let order: Vec<usize> = (0..m).map(|r| (r * 7 + 3) % m).collect();
    let counts = [1, 2, 5, 6, m / 2, m].into_iter().filter(|&c| c <= m).collect::<Vec<_>>();
    let mut counts = counts;
    counts.sort_unstable();
    counts.dedup();
    (vec![split(|i| i % 2 == 0), split(|i| i % 5 < 3)], order, counts)
}

fn judged(data: &Dataset, metric: Measure, fixed: &(Vec<Split>, Vec<usize>, Vec<usize>)) -> Evaluation {
    let (splits, order, counts) = fixed;
    let protocol = Protocol {
        partition: Partition::Given(splits.clone()),
        counts: counts.clone(),
        random: 1,
        ..Protocol::new(metric)
    };
    let candidates = [Candidate::order("given", order.clone())];
    protocol.evaluate(data, &candidates, &Silent).expect("it can be evaluated")
}

fn values(curve: &Curve) -> Vec<Vec<f64>> {
    curve.points.iter().map(|p| p.summary.values.clone()).collect()
}

#[test]
fn metrics_are_known_by_their_names() {
    for name in Measure::NAMES {
        assert_eq!(Measure::named(name).expect(name).name(), name);
    }
    assert!(Measure::named("auc").expect_err("none").to_string().contains("one of 1nn, knn"));
    assert_eq!(Measure::Redundancy.usual_counts(64), [2, 5, 10, 20, 50]);
    assert_eq!(
        (Measure::Redundancy.usual_counts(2), Measure::Nearest.usual_counts(4)),
        (vec![2], vec![1, 2, 3])
    );
}

#[test]
fn nearest_neighbors_are_those_of_direct_differences() {
    for table in tables() {
        let fixed = fixed(&table);
        for (data, shifted) in forms(&table) {
            let found = judged(&data, Measure::Nearest, &fixed);
            for (point, &count) in values(&found.tables[0].curves[0]).iter().zip(&fixed.2) {
                for (value, split) in point.iter().zip(&fixed.0) {
                    let rows = table.scaled(&split.training, &fixed.1[..count], shifted);
                    let expected = judge::nearest(&rows, &table.classes, &split.training, &split.test);
                    assert_eq!(*value, expected, "{count} features, shifted: {shifted}");
                }
            }
        }
    }
}

#[test]
fn neighborhoods_are_compared_as_written() {
    for table in tables() {
        let fixed = fixed(&table);
        let all: Vec<usize> = (0..table.rows[0].len()).collect();
        for (data, shifted) in forms(&table) {
            let found = judged(&data, Measure::Jaccard { neighbors: 4 }, &fixed);
            for (point, &count) in values(&found.tables[0].curves[0]).iter().zip(&fixed.2) {
                for (value, split) in point.iter().zip(&fixed.0) {
                    let few = table.scaled(&split.training, &fixed.1[..count], shifted);
                    let whole = table.scaled(&split.training, &all, shifted);
                    let expected = judge::jaccard(&few, &whole, &split.test, 4);
                    assert!((value - expected).abs() < 1e-12, "{count}: {value} for {expected}");
                }
            }
            let every = found.tables[0].of_kind(CurveKind::All).expect("always there");
            assert_eq!(every.points[0].summary.mean, 1.0);
        }
    }
}

#[test]
fn redundancy_is_the_mean_absolute_correlation() {
    for table in tables() {
        let mut fixed = fixed(&table);
        // A single feature has no pair.
        fixed.2.retain(|&count| count > 1);
        for (data, _) in forms(&table) {
            let found = judged(&data, Measure::Redundancy, &fixed);
            for (point, &count) in values(&found.tables[0].curves[0]).iter().zip(&fixed.2) {
                for (value, split) in point.iter().zip(&fixed.0) {
                    let expected = judge::redundancy(&table.rows, &split.test, &fixed.1[..count]);
                    assert!((value - expected).abs() < 1e-9, "{count}: {value} for {expected}");
                }
            }
        }
    }
}

#[test]
fn hits_are_shares_of_what_is_known() {
    let table = &tables()[0];
    let fixed = fixed(table);
    let known = vec![fixed.1[0], fixed.1[4], fixed.1[30]];
    let found = judged(&forms(table)[0].0, Measure::Hits { known }, &fixed);
    let expected = fixed.2.iter().map(|&c| [0, 4, 30].iter().filter(|r| **r < c).count() as f64 / c as f64);
    let points = &found.tables[0].curves[0].points;
    assert!(points.iter().map(|p| p.summary.mean).eq(expected));
    // One ranking is one value, however many partitions it is counted on: it is judged by what one random ranking may come to.
    assert!(found.tables[0].curves[0].is_one_ranking && points[0].summary.values.len() > 1);
    for (point, &count) in points.iter().zip(&fixed.2) {
        let less = point.than_random.expect("chance is there");
        let hits = [0, 4, 30].iter().filter(|r| **r < count).count();
        let exact = hits_as_rare(3, table.rows[0].len(), count, hits);
        assert!((less.p_value.expect("exact") - exact).abs() < 1e-9, "{count}: {less:?} {exact}");
        assert_eq!(less.standing == Standing::Better, exact < 0.05 && less.mean > 0.0, "{count}");
        assert_eq!(less.interval, None, "no partition took part");
    }
    let first = points[0].than_random.expect("chance is there");
    assert!(first.mean > 0.9 && first.standing == Standing::Level, "one hit of one is not rare: {first:?}");
}

/// Twice the smaller tail of the hypergeometric distribution, by counting choices: `known` of `all`, of which `count` are looked at.
fn hits_as_rare(known: usize, all: usize, count: usize, hits: usize) -> f64 {
    let choose = |n: usize, k: usize| {
        if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>() }
    };
    let of = |h: usize| choose(known, h) * choose(all - known, count - h) / choose(all, count);
    let most = known.min(count);
    let (below, above) = ((0..=hits).map(of).sum::<f64>(), (hits..=most).map(of).sum::<f64>());
    (2.0 * below.min(above)).min(1.0)
}

#[test]
fn the_hungarian_method_beats_no_permutation() {
    let mut numbers = Numbers(2);
    for k in 1..=6 {
        for _ in 0..30 {
            // Few different costs, so that ties occur.
            let cost: Vec<f64> = (0..k * k).map(|_| (numbers.unit() * 5.0).floor() - 2.0).collect();
            let total =
                |columns: &[usize]| columns.iter().enumerate().map(|(r, c)| cost[r * k + c]).sum::<f64>();
            let found = assign(&cost, k).expect("finite");
            let best = judge::permutations(k).iter().map(|p| total(p)).fold(f64::INFINITY, f64::min);
            assert_eq!(total(&found), best, "{cost:?}");
            let mut sorted = found.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..k).collect::<Vec<_>>());
        }
    }
}

#[test]
fn clusters_are_named_for_the_most_hits() {
    assert_eq!(clustering_accuracy(&[1, 1, 0, 0], &[0, 0, 1, 1]).ok(), Some(1.0));
    // More clusters than classes, and fewer.
    assert_eq!(clustering_accuracy(&[0, 1, 2, 2], &[0, 0, 1, 1]).ok(), Some(0.75));
    assert_eq!(clustering_accuracy(&[0, 0, 0, 0], &[0, 1, 2, 1]).ok(), Some(0.5));
    assert!(clustering_accuracy(&[0], &[0, 1]).is_err());
    let mut numbers = Numbers(9);
    for _ in 0..20 {
        let mut draw = || -> Vec<u32> { (0..25).map(|_| (numbers.unit() * 4.0) as u32).collect() };
        let (clusters, classes) = (draw(), draw());
        let hits = |p: &[usize]| {
            clusters.iter().zip(&classes).filter(|(c, y)| p[**c as usize] == **y as usize).count()
        };
        let best = judge::permutations(4).iter().map(|p| hits(p)).max().expect("some");
        assert_eq!(clustering_accuracy(&clusters, &classes).ok(), Some(best as f64 / 25.0));
    }
}

#[test]
fn mutual_information_by_hand_and_as_scikit_learn_has_it() {
    let (a, b) = ([0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0, 0, 1, 1, 1, 1, 0, 2, 2, 2]);
    let got = normalized_mutual_information(&a, &b).expect("one length");
    assert!((got - 0.618_065_646_292_154_3).abs() < 1e-12, "{got}");
    // Two clusters of two against four classes of one: I = ln 2, the larger entropy ln 4.
    let got = normalized_mutual_information(&[0, 0, 1, 1], &[0, 1, 2, 3]).expect("one length");
    assert!((got - 0.5).abs() < 1e-12);
    assert_eq!(normalized_mutual_information(&[0, 0, 1, 1], &[0, 1, 0, 1]).ok(), Some(0.0));
    assert_eq!(normalized_mutual_information(&[0, 0], &[0, 0]).ok(), Some(1.0));
}

#[test]
fn k_means_rests_where_lloyd_rests_and_finds_planted_clusters() {
    let mut numbers = Numbers(4);
    for (n, d, k) in [(60, 2, 3), (50, 30, 4), (30, 5, 1), (12, 3, 12)] {
        let rows: Vec<f64> = (0..n * d)
            .map(|p| 1e6 + 9.0 * ((p / d % k) as f64 * (1.0 + (p % d) as f64)).sin() + numbers.unit())
            .collect();
        let found = KMeans { clusters: k, seed: 3, ..KMeans::default() }.fit(&rows, d).expect("converges");
        let rested = judge::lloyd_step(&rows, d, &found.clusters, k);
        assert_eq!(rested.0, found.clusters, "nobody wants to move");
        assert!((rested.1 - found.inertia).abs() <= 1e-6 * rested.1 + 1e-6, "{} {}", rested.1, found.inertia);
        let slow = (0..200).map(|s| judge::lloyd(&rows, d, k, &mut Numbers(s))).fold(f64::INFINITY, f64::min);
        assert!(found.inertia <= slow * (1.0 + 1e-6) + 1e-6, "{} beside {slow}", found.inertia);
    }
    let same = KMeans { clusters: 3, ..KMeans::default() }.fit(&[5.0; 8], 1).expect("converges");
    assert_eq!(same.inertia, 0.0);
    for wrong in [KMeans { clusters: 0, ..KMeans::default() }, KMeans { clusters: 9, ..KMeans::default() }] {
        assert!(wrong.fit(&[1.0; 8], 1).is_err());
    }
    assert!(KMeans { starts: 0, ..KMeans::default() }.fit(&[1.0; 8], 1).is_err());
    assert!(KMeans::default().fit(&[1.0; 7], 2).is_err());
    assert!(KMeans::default().fit(&[1.0, f64::NAN], 1).is_err());
}

/// Dense and sparse storage, and the curve beside single counts, give one clustering.
#[test]
fn clustering_along_a_curve_is_clustering_at_each_count() {
    let planted = Planted { n_samples: 80, noise: 30, ..Planted::default() }.generate().expect("made");
    let order: Vec<usize> = (0..40).rev().collect();
    let run = |counts: Vec<usize>| {
        let metric = Measure::KMeans { clusters: None, starts: 10 };
        let protocol = Protocol { counts, random: 1, seed: 5, ..Protocol::new(metric) };
        let found = protocol.evaluate(&planted.data, &[Candidate::order("o", order.clone())], &Silent);
        found.expect("it can be evaluated").tables
    };
    let curve = run(vec![3, 30, 35, 40]);
    for (at, count) in [3, 30, 35, 40].into_iter().enumerate() {
        for measure in 0..2 {
            let alone = &run(vec![count])[measure].curves[0].points[0].summary;
            assert_eq!(*alone, curve[measure].curves[0].points[at].summary);
        }
    }
    assert!(curve[0].curves[0].points[3].summary.mean > 0.95, "informative features were added");
    assert!(curve[0].curves[0].points[0].summary.mean < 0.6, "noise alone");
}

/// Rows and inner products are two roads to the same machine: the accuracies of a ranking across the
/// number of training samples have no step, and are those of machines trained apart.
#[test]
fn svm_accuracies_are_those_of_machines_trained_apart() {
    let table = &tables()[0];
    let (data, _) = forms(table).swap_remove(0);
    let (splits, order, _) = fixed(table);
    let svm = SvmMeasure {
        costs: vec![0.3],
        svm: fiedler::solve::svm::Svm { gap: 1e-9, ..Default::default() },
        folds: 3,
    };
    let counts = vec![4, 20, 31, 32, 40]; // 31 training samples: beyond, inner products
    let found = judged(&data, Measure::Svm(svm.clone()), &(splits.clone(), order.clone(), counts.clone()));
    for (point, &count) in values(&found.tables[0].curves[0]).iter().zip(&counts) {
        for (value, split) in point.iter().zip(&splits) {
            let rows = table.scaled(&split.training, &order[..count], true);
            let flat = |list: &[usize]| list.iter().flat_map(|&i| rows[i].clone()).collect::<Vec<f64>>();
            let (training, test) = (flat(&split.training), flat(&split.test));
            let codes: Vec<u32> = split.training.iter().map(|&i| table.classes[i] as u32).collect();
            let machine = fiedler::solve::svm::Svm { cost: 0.3, gap: 1e-9, ..Default::default() };
            let rows = fiedler::solve::svm::Rows::dense(&training, count).expect("finite");
            let machines = machine.fit_classes(&rows, &codes, 3, &Silent).expect("converges");
            let said = test.chunks(count).map(|x| machines.predict(x));
            let hits = said.zip(&split.test).filter(|(said, i)| *said == table.classes[**i]).count();
            assert_eq!(*value, hits as f64 / split.test.len() as f64, "{count} features");
        }
    }
}

#[test]
fn the_cost_is_chosen_inside_the_training_part() {
    let data = Planted { n_samples: 60, noise: 60, ..Planted::default() }.generate().expect("made").data;
    let order: Vec<usize> = (0..40).collect();
    let run = |costs: &[f64]| {
        let metric = Measure::Svm(SvmMeasure { costs: costs.to_vec(), ..SvmMeasure::default() });
        let protocol = Protocol {
            counts: vec![6, 40],
            random: 1,
            partition: Partition::Halves { repeats: 4 },
            ..Protocol::new(metric)
        };
        let found = protocol.evaluate(&data, &[Candidate::order("o", order.clone())], &Silent).expect("runs");
        found.tables[0].curves[0].aggregated.summary.mean
    };
    let (tiny, tuned) = (run(&[1e-9]), run(&[1e-9, 1e-3, 0.1]));
    assert!(tuned > 0.9 && tuned >= tiny, "{tiny} {tuned}");
}

/// Labels of pure chance and nine costs: choosing among them by the judging part would be well above one half.
#[test]
fn a_choice_of_costs_learns_nothing_from_chance() {
    let (n, m) = (60, 5);
    let mut state = 9u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let values: Vec<f64> = (0..n * m).map(|_| next()).collect();
    let labels: Vec<&str> = (0..n).map(|i| if i % 2 == 0 { "a" } else { "b" }).collect();
    let data = Dataset::new(Dense::<f64>::new(values, n, m, Order::ColumnMajor).expect("shape"))
        .and_then(|d| d.labeled(Labels::new(labels.iter().copied().map(Some))))
        .expect("a data set");
    let costs = vec![1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0];
    let metric = Measure::Svm(SvmMeasure { costs, ..SvmMeasure::default() });
    let protocol =
        Protocol { counts: vec![5], partition: Partition::Halves { repeats: 60 }, ..Protocol::new(metric) };
    let order = Candidate::order("o", (0..m).collect());
    let found = protocol.evaluate(&data, &[order], &Silent).expect("runs");
    let mean = found.tables[0].curves[0].points[0].summary.mean;
    assert!(mean < 0.54, "{mean}");
}

#[test]
fn halves_of_one_data_set_are_not_independent() {
    // Nadeau and Bengio: s√(1/r + q) in place of s/√r; t = 0.025/(0.0129·√(1/4 + 1)) with 3 degrees of freedom.
    let (a, b) = ([0.91, 0.94, 0.90, 0.95], [0.89, 0.90, 0.89, 0.92]);
    let p = paired_t_test(&a, &b, 1.0).expect("one length").expect("pairs");
    assert!((p - 0.181_690).abs() < 1e-5, "{p}");
}

#[test]
fn what_nobody_judges_is_told_or_refused() {
    let labeled = |labels: &[&str]| {
        let n = labels.len();
        let values: Vec<f64> = (0..2 * n).map(|v| (v * 7 % 11) as f64).collect();
        Dataset::new(Dense::<f64>::new(values, n, 2, Order::ColumnMajor).expect("shape"))
            .and_then(|d| d.labeled(Labels::new(labels.iter().copied().map(Some))))
            .expect("a data set")
    };
    let ask = |labels: &[&str]| {
        let protocol = Protocol { counts: vec![1], ..Protocol::new(Measure::Nearest) };
        protocol.evaluate(&labeled(labels), &[Candidate::order("o", vec![0, 1])], &Silent)
    };
    let error = ask(&["a", "b", "c", "d"]).expect_err("nothing to judge").to_string();
    assert!(error.contains("single sample"), "{error}");
    let found = ask(&["a", "a", "a", "a", "a", "b"]).expect("five of one class");
    assert!(found.warnings.iter().any(|w| w.contains("1 of 2 classes")), "{:?}", found.warnings);
}

#[test]
fn p_values_are_those_of_scipy() {
    let twenty = |base: f64, steps: [i32; 20]| steps.map(|s| base + 0.01 * f64::from(s)).to_vec();
    let high = twenty(0.8, [0, 2, -1, 1, 3, 0, -2, 2, 1, 0, -1, 4, 2, 0, 1, -1, 3, 0, 2, 1]);
    let low = twenty(0.6, [1, 0, 3, -1, 0, 2, 4, 1, 0, -1, 3, 2, 1, 0, 2, 1, 0, 3, -1, 2]);
    let ten: Vec<f64> = (1..=10).map(f64::from).collect();
    for (a, b, expected) in [
        (vec![0.91, 0.94, 0.90, 0.95], vec![0.89, 0.90, 0.89, 0.92], 0.030_466_291_662_170_793),
        (vec![0.1, 0.5, 0.3], vec![0.2, 0.1, 0.9], 0.762_084_524_284_556_9),
        (ten, vec![1.1, 2.3, 2.9, 4.2, 5.5, 6.1, 7.4, 8.3, 9.2, 10.6], 0.003_203_760_383_358_367_6),
        (vec![0.5, 0.7], vec![0.4, 0.9], 0.795_167_235_300_866_5),
        (high, low, 1.954_314_582_166_265_8e-18),
    ] {
        let p = paired_t_test(&a, &b, 0.0).expect("one length").expect("two pairs");
        assert!((p - expected).abs() <= 1e-10 * expected, "{p} for {expected}");
        assert_eq!(paired_t_test(&b, &a, 0.0).ok(), Some(Some(p)), "two-sided");
    }
    assert_eq!(paired_t_test(&[0.5], &[0.4], 0.0).ok(), Some(None));
    assert_eq!(paired_t_test(&[0.5, 0.6], &[0.5, 0.6], 0.0).ok(), Some(Some(1.0)));
    assert_eq!(paired_t_test(&[1.5, 2.5], &[1.0, 2.0], 0.0).ok(), Some(Some(0.0)));
    assert!(paired_t_test(&[0.5], &[], 0.0).is_err());
}

#[test]
fn parts_are_disjoint_complete_and_stratified() {
    let classes: Vec<u32> = (0..101).map(|i| if i < 50 { 0 } else { 1 + u32::from(i == 100) }).collect();
    for split in (Partition::Halves { repeats: 7 }).splits(101, Some(&classes), 3).expect("possible") {
        let of = |part: &[usize], class: u32| part.iter().filter(|&&i| classes[i] == class).count();
        let mut all = [&split.training[..], &split.test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..101).collect::<Vec<_>>());
        assert_eq!((of(&split.training, 0), of(&split.test, 0), of(&split.training, 2)), (25, 25, 1));
    }
    let folds = Partition::Folds { folds: 5, repeats: 2 }.splits(101, Some(&classes), 3).expect("possible");
    assert_eq!(folds.len(), 10);
    for repeat in folds.chunks(5) {
        let mut tested: Vec<usize> = repeat.iter().flat_map(|s| s.test.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..101).collect::<Vec<_>>());
        assert!(repeat.iter().all(|s| s.test.iter().filter(|&&i| i < 50).count() == 10));
    }
    assert_ne!(folds[0], folds[5], "repeats are drawn anew");
    for wrong in [
        Partition::Halves { repeats: 0 },
        Partition::Folds { folds: 1, repeats: 1 },
        Partition::Folds { folds: 102, repeats: 1 },
        Partition::Given(vec![]),
        Partition::Given(vec![Split { training: vec![0, 1], test: vec![1] }]),
        Partition::Given(vec![Split { training: vec![0], test: vec![101] }]),
        Partition::Given(vec![Split { training: vec![0], test: vec![] }]),
    ] {
        assert!(wrong.splits(101, Some(&classes), 0).is_err(), "{wrong:?}");
    }
}

/// Labels drawn by lot and a thousand features of noise: whoever selects on the training part alone is at
/// chance, whoever sees the test part is not.
#[test]
fn selection_that_sees_the_test_part_looks_better_than_it_is() {
    let mut numbers = Numbers(77);
    let rows: Vec<Vec<f64>> = (0..60).map(|_| (0..1500).map(|_| numbers.unit()).collect()).collect();
    let classes: Vec<usize> = (0..60).map(|_| usize::from(numbers.unit() > 0.5)).collect();
    let data = Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&classes)).expect("60");
    let run = |selection: Selection| {
        let protocol = Protocol { counts: vec![10, 30], selection, ..Protocol::new(Measure::Nearest) };
        let found = protocol.evaluate(&data, &[Candidate::method(Fisher)], &Silent).expect("runs");
        found.tables[0].curves[0].aggregated.summary.mean
    };
    let (fair, leaking) = (run(Selection::Training), run(Selection::All));
    assert!((fair - 0.5).abs() < 0.1, "chance: {fair}");
    assert!(leaking > 0.7, "leaking: {leaking}");
}

#[test]
fn scaling_knows_the_training_part_only() {
    // One test sample is far away: scaled with it, the first feature would hardly count.
    let rows = [[0.0, 0.0], [1.0, 0.3], [0.05, 0.25], [1e6, 0.0]];
    let data =
        Dataset::from_rows(&rows).expect("finite").labeled(Labels::from_codes(&[0, 1, 0, 1])).expect("4");
    let fixed = (vec![Split { training: vec![0, 1], test: vec![2, 3] }], vec![0, 1], vec![2]);
    let found = judged(&data, Measure::Nearest, &fixed);
    let rows: Vec<Vec<f64>> = rows.iter().map(|r| r.to_vec()).collect();
    let table = Table { rows, classes: vec![0, 1, 0, 1] };
    let scaled = table.scaled(&[0, 1], &[0, 1], true);
    let expected = judge::nearest(&scaled, &table.classes, &[0, 1], &[2, 3]);
    assert_eq!(found.tables[0].curves[0].points[0].summary.mean, expected);
}

#[test]
fn threads_do_not_change_a_bit() {
    let data = Planted { n_samples: 90, noise: 60, ..Planted::default() }.generate().expect("made").data;
    let candidates = [Candidate::method(Laplacian::default()), Candidate::method(Fisher)];
    for metric in [
        Measure::Nearest,
        Measure::Svm(SvmMeasure { costs: vec![0.01, 1.0], ..SvmMeasure::default() }),
        Measure::KMeans { clusters: None, starts: 3 },
        Measure::Jaccard { neighbors: 5 },
        Measure::Redundancy,
    ] {
        let run = |threads: usize| {
            let protocol = Protocol {
                counts: vec![2, 7, 50],
                partition: Partition::Folds { folds: 3, repeats: 1 },
                worst: true,
                seed: 8,
                ..Protocol::new(metric.clone())
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| protocol.evaluate(&data, &candidates, &Silent)).expect("runs")
        };
        assert_eq!(run(1), run(4), "{metric:?}");
    }
}

#[test]
fn a_table_has_chance_everything_and_the_last_features_beside_the_methods() {
    let data = Planted { n_samples: 120, ..Planted::default() }.generate().expect("made").data;
    let protocol =
        Protocol { counts: vec![6, 12, 50], worst: true, random: 4, ..Protocol::new(Measure::Nearest) };
    let candidates = [Candidate::method(Fisher), Candidate::method(Variance)];
    let found = protocol.evaluate(&data, &candidates, &Silent).expect("runs");
    let table = &found.tables[0];
    let names: Vec<(&str, CurveKind)> = table.curves.iter().map(|c| (c.name.as_str(), c.kind)).collect();
    use CurveKind::{All, Candidate as Method, Random, Worst};
    assert_eq!(
        names,
        [
            ("fisher", Method),
            ("fisher (last features)", Worst),
            ("variance", Method),
            ("variance (last features)", Worst),
            ("random", Random),
            ("all features", All)
        ]
    );
    let (fisher, worst, random) = (&table.curves[0], &table.curves[1], &table.curves[4]);
    for at in 0..3 {
        let [good, bad, chance] = [fisher, worst, random].map(|c| &c.points[at].summary);
        assert!(
            good.mean > chance.mean && chance.mean > bad.mean,
            "{} {} {}",
            good.mean,
            chance.mean,
            bad.mean
        );
        assert!(chance.low < chance.mean && chance.mean < chance.high && chance.sd > good.sd);
        assert_eq!(good.values.len(), 10);
    }
    // The best is marked, has no p-value, and everything level with it is at or above the significance.
    for at in 0..3 {
        let points: Vec<_> = table.curves[..5].iter().map(|c| &c.points[at]).collect();
        assert_eq!(points.iter().filter(|p| p.best).count(), 1);
        for point in points {
            assert_eq!(point.level, point.best || point.p_value().is_some_and(|p| p >= 0.05));
            assert_eq!(point.best, point.p_value().is_none());
        }
    }
    let mean: f64 = fisher.points.iter().map(|p| p.summary.mean).sum::<f64>() / 3.0;
    assert!((fisher.aggregated.summary.mean - mean).abs() < 1e-12);
    assert!(fisher.selected.iter().all(|s| s.len() == 50));
    let verdict = found.verdict(table).expect("there are points");
    assert_eq!(verdict.random.count, verdict.enough.count);
    assert!(verdict.enough.count <= verdict.best.count && verdict.all.map(|a| a.count) == Some(200));
    assert!(verdict.random.p_value.expect("ten partitions") < 0.05);
}

#[test]
fn clusters_are_judged_on_all_samples_where_selection_sees_them_all() {
    let data = demo::iris().expect("embedded");
    let metric = Measure::KMeans { clusters: None, starts: 10 };
    let partition = Partition::Halves { repeats: 3 };
    let protocol =
        Protocol { counts: vec![2], partition, selection: Selection::All, ..Protocol::new(metric) };
    let candidates = [Candidate::order("petals", vec![2, 3])];
    let found = protocol.evaluate(&data, &candidates, &Silent).expect("runs");
    // The textbook: 144 of 150 irises by their petals, scaled.
    let accuracy = &found.tables[0].curves[0].points[0].summary;
    assert!(accuracy.values.iter().all(|v| (v - 144.0 / 150.0).abs() < 1e-9), "{accuracy:?}");
}

#[test]
fn bad_questions_are_named() {
    let data = demo::iris().expect("embedded");
    let fisher = || vec![Candidate::method(Fisher)];
    let told = |protocol: Protocol, data: &Dataset, candidates: Vec<Candidate>| {
        protocol.evaluate(data, &candidates, &Silent).expect_err("a bad question").to_string()
    };
    let usual = || Protocol { counts: vec![1, 2], ..Protocol::new(Measure::Nearest) };
    for counts in [vec![0], vec![2, 0], vec![1, 5], vec![5, 1]] {
        assert!(told(Protocol { counts, ..usual() }, &data, fisher()).contains("features (4)"));
    }
    let usual_counts = Protocol { counts: vec![], ..usual() }.evaluate(&data, &fisher(), &Silent);
    assert_eq!(usual_counts.expect("the usual counts").protocol.counts, [1, 2, 3]);
    assert!(told(Protocol { random: 0, ..usual() }, &data, fisher()).contains("`draws` must be from 1"));
    assert!(told(Protocol { significance: 1.0, ..usual() }, &data, fisher()).contains("significance"));
    assert!(
        told(Protocol { partition: Partition::Halves { repeats: 0 }, ..usual() }, &data, fisher())
            .contains("repeats")
    );
    let costs = SvmMeasure { costs: vec![0.0], ..SvmMeasure::default() };
    assert!(told(Protocol { metric: Measure::Svm(costs), ..usual() }, &data, fisher()).contains("costs"));
    let jaccard = Protocol { metric: Measure::Jaccard { neighbors: 75 }, ..usual() };
    assert!(told(jaccard, &data, fisher()).contains("neighbors"));
    let clusters = Measure::KMeans { clusters: Some(76), starts: 1 };
    assert!(told(Protocol { metric: clusters, ..usual() }, &data, fisher()).contains("clusters"));
    assert!(told(usual(), &data.clone().unlabeled(), fisher()).contains("needs class labels"));
    let partial = Labels::new((0..150).map(|i| (i > 0).then_some(if i % 2 == 0 { "a" } else { "b" })));
    let partial = data.clone().labeled(partial).expect("150");
    assert!(
        told(usual(), &partial, fisher())
            .contains("evaluation by 1nn needs a label for every sample; 1 have none")
    );
    for (order, word) in [(vec![0], "largest count"), (vec![0, 0], "each once"), (vec![0, 4], "below 4")] {
        assert!(told(usual(), &data, vec![Candidate::order("mine", order)]).contains(word));
    }
    assert!(
        told(usual(), &data, vec![Candidate::orders("mine", vec![vec![0, 1]])]).contains("one a partition")
    );
    let stop = |_: &'static str, done: usize, _: usize| {
        if done > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert!(matches!(usual().evaluate(&data, &fisher(), &stop), Err(Error::Canceled)));
}

#[test]
fn labels_are_not_asked_for_where_none_are_needed() {
    let data = demo::iris().expect("embedded").unlabeled();
    for metric in [Measure::Redundancy, Measure::Jaccard { neighbors: 5 }] {
        let protocol = Protocol { counts: vec![2, 3, 4], ..Protocol::new(metric) };
        let found =
            protocol.evaluate(&data, &[Candidate::method(Laplacian::default())], &Silent).expect("runs");
        assert_eq!(found.tables[0].curves[0].points.len(), 3);
    }
}
