//! Stability of selections, against counts and correlations written out.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use fiedler::dataset::demo::{self, Planted};
use fiedler::dataset::{Dense, Order};
use fiedler::methods::{Fisher, Laplacian, Mrsf, Variance};
use fiedler::stability::{Change, Report, Stability, kuncheva, mean_ranks, spearman};
use fiedler::{Dataset, Error, Goal, Labels, MethodInfo, Monitor, Ranking, Result, Selector, Silent};

/// Scores that hang on the first value of the data alone: nothing, or noise.
struct Oracle {
    random: bool,
    calls: AtomicUsize,
}

impl Selector for Oracle {
    fn info(&self) -> &'static MethodInfo {
        fiedler::methods::all()[0].info
    }

    fn rank_with(&self, data: &Dataset, _: &dyn Monitor) -> Result<Ranking> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let bits = if self.random { data.column(0)?.iter().map(|v| v.to_bits()).fold(0, mix) } else { 0 };
        let score = |j: usize| mix(bits, j as u64) as f64;
        Ok(Ranking::new("oracle", Goal::Maximize, (0..data.n_features()).map(score).collect()))
    }
}

/// SplitMix64.
fn mix(state: u64, value: u64) -> u64 {
    let mut z = (state ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn oracle(random: bool) -> Oracle {
    Oracle { random, calls: AtomicUsize::new(0) }
}

fn planted() -> Dataset {
    Planted { n_samples: 80, noise: 40, ..Planted::default() }.generate().expect("counts").data
}

const CHANGES: [Change; 2] = [Change::Subsample { fraction: 0.7 }, Change::Noise { level: 0.2 }];

#[test]
fn a_selector_that_never_changes_its_mind_is_perfectly_stable() {
    let data = planted();
    for change in CHANGES {
        let selector = oracle(false);
        let report = Stability { change, ..Stability::default() }.run(&selector, &data).expect("runs");
        assert_eq!(selector.calls.load(Ordering::Relaxed), 51);
        assert_eq!((report.kuncheva, report.safe.len()), (1.0, 10));
        assert!((report.spearman - 1.0).abs() < 1e-12);
        assert_eq!(report.safe, report.ranking.top(10));
        assert!(
            (0..data.n_features()).all(|j| report.times[j] == if report.safe.contains(&j) { 50 } else { 0 })
        );
    }
}

#[test]
fn a_selector_that_guesses_agrees_with_itself_as_chance_does() {
    let data = planted();
    for change in CHANGES {
        let stability = Stability { change, repeats: 200, ..Stability::default() };
        let report = stability.run(&oracle(true), &data).expect("runs");
        // 19,900 pairs: the deviations of both means are below 0.01.
        assert!(report.kuncheva.abs() < 0.03 && report.spearman.abs() < 0.03, "{report:?}");
        assert!(report.safe.is_empty());
        let mean = report.times.iter().sum::<usize>() as f64 / report.times.len() as f64;
        assert!((mean - 200.0 * 10.0 / 52.0).abs() < 1e-9);
    }
}

/// The versions again by the public functions of the data set, compared pair by pair.
fn by_pairs(rankings: &[Ranking], count: usize) -> (f64, f64) {
    let m = rankings[0].n_features() as f64;
    let (mut shared, mut correlated, mut pairs) = (0.0, 0.0, 0.0);
    for (a, first) in rankings.iter().enumerate() {
        for second in &rankings[..a] {
            let both = first.top(count).iter().filter(|j| second.top(count).contains(j)).count() as f64;
            let expected = (count * count) as f64 / m;
            shared += (both - expected) / (count as f64 - expected);
            correlated += pearson(&literal_ranks(first), &literal_ranks(second));
            pairs += 1.0;
        }
    }
    (shared / pairs, correlated / pairs)
}

/// 1 + how many are better + half of how many are as good.
fn literal_ranks(ranking: &Ranking) -> Vec<f64> {
    let scores = ranking.scores();
    let value = |s: f64| match ranking.goal() {
        _ if s.is_nan() => f64::NEG_INFINITY,
        Goal::Maximize => s,
        Goal::Minimize => -s,
    };
    let rank = |j: usize| {
        let better = scores.iter().filter(|s| value(**s) > value(scores[j])).count();
        let equal = scores.iter().filter(|s| value(**s) == value(scores[j])).count();
        1.0 + better as f64 + (equal as f64 - 1.0) / 2.0
    };
    (0..scores.len()).map(rank).collect()
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let covariance: f64 = a.iter().zip(b).map(|(x, y)| (x - ma) * (y - mb)).sum();
    let norm = |v: &[f64], m: f64| v.iter().map(|x| (x - m).powi(2)).sum::<f64>().sqrt();
    covariance / (norm(a, ma) * norm(b, mb))
}

/// A selector that keeps every ranking it gives.
struct Witness<S> {
    inner: S,
    seen: std::sync::Mutex<Vec<Ranking>>,
}

impl<S: Selector> Selector for Witness<S> {
    fn info(&self) -> &'static MethodInfo {
        self.inner.info()
    }

    fn rank_with(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Ranking> {
        let ranking = self.inner.rank_with(data, monitor)?;
        self.seen.lock().expect("not poisoned").push(ranking.clone());
        Ok(ranking)
    }
}

#[test]
fn the_indices_are_means_over_all_pairs() {
    // Duplicate and constant columns, so that there are ties and missing scores.
    let rows: Vec<Vec<f64>> = (0..30)
        .map(|i| {
            let v = |k: u64| (mix(k, i) % 1000) as f64;
            vec![v(1), v(2), v(2), 5.0, v(3) / 2.0, v(4), 7.0, v(5), v(5), v(6)]
        })
        .collect();
    let data = Dataset::from_rows(&rows).expect("finite");
    for change in CHANGES {
        let witness = Witness { inner: Laplacian::default(), seen: Default::default() };
        let stability = Stability { change, repeats: 12, count: 5, ..Stability::default() };
        let report = stability.run(&witness, &data).expect("runs");
        let seen = witness.seen.into_inner().expect("not poisoned");
        let versions = &seen[1..];
        assert_eq!(versions.len(), 12);
        let (kuncheva, correlated) = by_pairs(versions, 5);
        assert!((report.kuncheva - kuncheva).abs() < 1e-12, "{} {kuncheva}", report.kuncheva);
        assert!((report.spearman - correlated).abs() < 1e-12, "{} {correlated}", report.spearman);
        assert!(report.kuncheva < 1.0, "the data leave something to disagree about");
        for j in 0..10 {
            let times = versions.iter().filter(|r| r.top(5).contains(&j)).count();
            assert_eq!(report.times[j], times);
        }
        let ranks = mean_ranks(&versions[0]);
        assert_eq!(ranks, literal_ranks(&versions[0]));
        let pair = spearman(&versions[0], &versions[1]);
        assert!((pair - pearson(&ranks, &mean_ranks(&versions[1]))).abs() < 1e-12);
    }
}

fn bits(report: &Report) -> (Vec<usize>, u64, u64, Vec<usize>) {
    (report.times.clone(), report.kuncheva.to_bits(), report.spearman.to_bits(), report.safe.clone())
}

#[test]
fn the_same_bits_whatever_the_threads() {
    let data = planted();
    for change in CHANGES {
        let on = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let stability = Stability { change, repeats: 9, seed, ..Stability::default() };
            let selector = Mrsf { count: 10, ..Mrsf::default() };
            bits(&pool.install(|| stability.run(&selector, &data)).expect("runs"))
        };
        assert_eq!(on(1, 0), on(5, 0));
        assert_ne!(on(2, 0).2, on(2, 1).2, "another seed, other versions");
    }
}

#[test]
fn planted_features_are_safe_and_noise_is_not() {
    let data = planted();
    for change in CHANGES {
        let stability = Stability { change, count: 12, ..Stability::default() };
        let report = stability.run(&Laplacian::default(), &data).expect("runs");
        assert!(report.safe.len() >= 6 && report.safe.iter().all(|&j| j < 12), "{:?}", report.safe);
        assert_eq!(report.needed, Some(45));
        assert!(report.safe.iter().all(|&j| report.times[j] >= 45 && report.lower_bound(j) > 0.8));
        assert!(report.order().windows(2).all(|w| report.times[w[0]] >= report.times[w[1]]));
    }
}

#[test]
fn classes_keep_their_shares_and_supervised_methods_work() {
    let iris = demo::iris().expect("embedded");
    let stability = Stability { count: 2, repeats: 20, ..Stability::default() };
    let report = stability.run(&Fisher, &iris).expect("runs");
    assert_eq!((report.n_samples, report.safe.clone()), (120, vec![2, 3]));
}

#[test]
fn half_the_samples_bound_the_false_reports() {
    let halves = Stability { change: Change::Subsample { fraction: 0.5 }, ..Stability::default() };
    let report = halves.run(&oracle(false), &planted()).expect("runs");
    // π = 45/50, k²/((2π - 1)m)
    let expected = 100.0 / (0.8 * 52.0);
    assert!((report.expected_false.expect("halves") - expected).abs() < 1e-12);
    assert_eq!(Stability::default().run(&oracle(false), &planted()).expect("runs").expected_false, None);
}

#[test]
fn too_few_repeats_are_told() {
    let few = Stability { repeats: 5, ..Stability::default() };
    let report = few.run(&oracle(false), &planted()).expect("runs");
    assert!(report.safe.is_empty() && report.needed.is_none());
    assert!(report.warnings.iter().any(|w| w.contains("5 repeats are too few")), "{:?}", report.warnings);
}

#[test]
fn what_cannot_be_measured_is_refused_by_name() {
    let data = planted();
    let refused = |stability: Stability, name: &str| match stability.run(&Variance, &data) {
        Err(Error::Parameter { name: got, .. }) => assert_eq!(got, name, "{stability:?}"),
        other => panic!("{stability:?}: {other:?}"),
    };
    let default = Stability::default;
    refused(Stability { count: 0, ..default() }, "top");
    refused(Stability { count: 52, ..default() }, "top");
    refused(Stability { count: 53, ..default() }, "top");
    refused(Stability { repeats: 1, ..default() }, "repeats");
    refused(Stability { threshold: 1.0, ..default() }, "threshold");
    for fraction in [0.0, 1.0, -0.5, 0.01, f64::NAN] {
        refused(Stability { change: Change::Subsample { fraction }, ..default() }, "fraction");
    }
    for level in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        refused(Stability { change: Change::Noise { level }, ..default() }, "noise");
    }
    let rare: Vec<usize> = (0..80).map(|i| usize::from(i == 0)).collect();
    let rare = data.labeled(Labels::from_codes(&rare)).expect("a label each");
    let stability = Stability { change: Change::Subsample { fraction: 0.4 }, ..default() };
    let message = stability.run(&Fisher, &rare).expect_err("a class vanishes").to_string();
    assert!(message.contains("class `1` (1 samples) does not vanish"), "{message}");
}

#[test]
fn progress_is_told_and_a_stop_is_obeyed() {
    let data = planted();
    let last = AtomicUsize::new(0);
    let watch = |stage: &'static str, done: usize, total: usize| {
        if stage == "repeats" {
            assert_eq!(total, 20);
            last.fetch_max(done, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    };
    let stability = Stability { repeats: 20, ..Stability::default() };
    stability.run_with(&Laplacian::default(), &data, &watch).expect("runs");
    assert_eq!(last.load(Ordering::Relaxed), 20);
    let stop = |stage: &'static str, done: usize, _: usize| {
        if stage == "repeats" && done >= 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let stopped = stability.run_with(&Laplacian::default(), &data, &stop);
    assert!(matches!(stopped, Err(Error::Canceled)));
    assert!(stability.run_with(&Laplacian::default(), &data, &Silent).is_ok());
}

#[test]
fn kuncheva_of_every_pair_of_subsets_of_a_small_set_is_zero_on_average() {
    // All 2-subsets of 5 features, each once: on average two of them share what chance says, up to
    // the pairs of a subset with itself, which are left out: (10·10·0 - 10·1)/(10·9).
    let (mut times, mut subsets) = ([0; 5], 0);
    for a in 0..5 {
        for b in 0..a {
            times[a] += 1;
            times[b] += 1;
            subsets += 1;
        }
    }
    assert!((kuncheva(&times, subsets, 2) + 10.0 / 90.0).abs() < 1e-12);
}

#[test]
fn what_has_no_score_is_never_safe() {
    // Two of four features vary: the other two would be "selected" by their place in every version.
    let n = 24;
    let values: Vec<f64> = (0..4 * n)
        .map(|v| match v / n {
            0 | 2 => 1.0,
            _ => ((v * 7) % 13) as f64,
        })
        .collect();
    let data =
        Dataset::new(Dense::<f64>::new(values, n, 4, Order::ColumnMajor).expect("shape")).expect("finite");
    let report =
        Stability { count: 3, repeats: 20, ..Stability::default() }.run(&Variance, &data).expect("a report");
    assert_eq!((report.times[0], report.times[2]), (0, 0));
    assert!(report.safe.iter().all(|j| [1, 3].contains(j)) && report.safe.len() == 2, "{:?}", report.safe);
    let flat = Dataset::new(Dense::<f64>::new(vec![1.0; 3 * n], n, 3, Order::ColumnMajor).expect("shape"));
    let error = Stability { count: 2, ..Stability::default() }.run(&Variance, &flat.expect("finite"));
    assert!(error.expect_err("nothing to select by").to_string().contains("score"));
}

#[test]
fn the_bound_needs_halves_that_are_halves() {
    // Ten classes of five keep three each: more than half.
    let data = planted();
    let labels: Vec<String> = (0..data.n_samples()).map(|i| (i / 5).to_string()).collect();
    let data = data.labeled(Labels::new(labels.iter().map(Some))).expect("labels");
    let half = Stability {
        count: 3,
        repeats: 20,
        change: Change::Subsample { fraction: 0.5 },
        ..Stability::default()
    };
    let report = half.run(&Variance, &data).expect("a report");
    assert!(2 * report.n_samples > data.n_samples() && report.expected_false.is_none());
}
