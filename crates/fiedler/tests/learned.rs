//! Weights of rankings learned from known features, against textbook code and by hand.

use fiedler::fusion::{
    Aggregation, Consensus, KnownFeatures, ListWeights, Lists, NamedList, Source, Subject, rank_by_each,
};
use fiedler::{Analysis, FeatureNames, GraphRecipe, Silent, dataset::demo};

const FEATURES: usize = 60;
const RRF: Aggregation = Aggregation::ReciprocalRank { k: 60.0 };

/// Numbers that look random and are always the same.
fn noise(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 11) as f64) / (1u64 << 53) as f64 - 0.5
    }
}

/// Five orders of sixty features, of which the first twelve matter: two lists that know some of it, one that repeats the
/// second but for a few places, one of noise, and one that is partial.
fn orders() -> Vec<Vec<usize>> {
    let mut next = noise(7);
    let mut order = |strength: f64| {
        let score: Vec<f64> = (0..FEATURES).map(|j| next() - if j < 12 { strength } else { 0.0 }).collect();
        let mut order: Vec<usize> = (0..FEATURES).collect();
        order.sort_by(|&a, &b| score[a].total_cmp(&score[b]));
        order
    };
    let (first, second, third) = (order(0.3), order(0.25), order(0.0));
    let mut twin = second.clone();
    twin.swap(3, 9);
    twin.swap(20, 40);
    let partial = order(0.4)[..20].to_vec();
    vec![first, second, twin, third, partial]
}

fn lists() -> Lists {
    Lists::from_orders(FEATURES, &orders()).expect("valid lists")
}

fn known() -> Vec<usize> {
    (0..12).collect()
}

/// The rank that an order gives a feature; the middle of the rest for what it leaves out.
fn rank(order: &[usize], j: usize) -> f64 {
    let middle = (order.len() + 1 + FEATURES) as f64 / 2.0;
    order.iter().position(|&f| f == j).map_or(middle, |at| (at + 1) as f64)
}

/// What a list adds to the score of a feature, larger for better ones, by the definition.
fn term(aggregation: Aggregation, order: &[usize], j: usize) -> f64 {
    match aggregation {
        Aggregation::ReciprocalRank { k } if order.contains(&j) => 1.0 / (k + rank(order, j)),
        Aggregation::ReciprocalRank { .. } => 0.0,
        _ => -rank(order, j),
    }
}

/// Pearson's correlation of the weighted sum with being known, over some features.
fn correlation(aggregation: Aggregation, weights: &[f64], known: &[usize], over: &[usize]) -> f64 {
    let orders = orders();
    let sum = |j: &usize| orders.iter().zip(weights).map(|(o, w)| w * term(aggregation, o, *j)).sum::<f64>();
    let x: Vec<f64> = over.iter().map(sum).collect();
    let y: Vec<f64> = over.iter().map(|j| f64::from(u8::from(known.contains(j)))).collect();
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mx, my) = (mean(&x), mean(&y));
    let cov: f64 = x.iter().zip(&y).map(|(a, b)| (a - mx) * (b - my)).sum();
    let square = |v: &[f64], m: f64| v.iter().map(|a| (a - m) * (a - m)).sum::<f64>();
    cov / (square(&x, mx) * square(&y, my)).sqrt()
}

#[test]
fn no_other_weights_agree_better_with_the_known_features() {
    let all: Vec<usize> = (0..FEATURES).collect();
    for aggregation in [Aggregation::Borda, RRF] {
        let learned = lists().learned(aggregation, &known()).expect("agrees");
        assert!((learned.weights().iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let best = correlation(aggregation, learned.weights(), &known(), &all);
        // Every mixture in steps of a sixth, and small moves from the learned one.
        let mut tried = 0;
        for code in 1..7usize.pow(5) {
            let weights: Vec<f64> = (0..5).map(|l| (code / 7usize.pow(l) % 7) as f64).collect();
            if weights.iter().sum::<f64>() == 6.0 {
                tried += 1;
                assert!(correlation(aggregation, &weights, &known(), &all) <= best + 1e-9, "{weights:?}");
            }
        }
        assert_eq!(tried, 210);
        let mut next = noise(3);
        for _ in 0..200 {
            let near: Vec<f64> = learned.weights().iter().map(|w| (w + 0.02 * next()).max(0.0)).collect();
            assert!(correlation(aggregation, &near, &known(), &all) <= best + 1e-9, "{near:?}");
        }
    }
}

#[test]
fn agreement_is_the_share_of_pairs_in_the_right_order() {
    let told = lists().agreement(&known()).expect("known");
    for (order, told) in orders().iter().zip(told) {
        let mut right = 0.0;
        for k in 0..12 {
            for j in 12..FEATURES {
                let (of_known, other) = (rank(order, k), rank(order, j));
                right += if of_known < other {
                    1.0
                } else if of_known == other {
                    0.5
                } else {
                    0.0
                };
            }
        }
        assert!((told - right / (12.0 * 48.0)).abs() < 1e-12);
    }
}

/// Every known feature is looked up by weights that maximize the correlation over all other features.
#[test]
fn known_features_are_judged_by_weights_that_were_learned_without_them() {
    // Ten parts of eleven: the first has two features, the others one.
    let known: Vec<usize> = (0..11).collect();
    for aggregation in [Aggregation::Borda, RRF] {
        let places = lists().left_out(aggregation, &known).expect("known");
        for part in 0..10 {
            let held: Vec<usize> = known.iter().copied().filter(|k| k % 10 == part).collect();
            let rest: Vec<usize> = known.iter().copied().filter(|k| !held.contains(k)).collect();
            let over: Vec<usize> = (0..FEATURES).filter(|j| !held.contains(j)).collect();
            let weights = climbed(aggregation, &rest, &over);
            let score = |j: usize| {
                let terms = orders();
                terms.iter().zip(&weights).map(|(o, w)| w * term(aggregation, o, j)).sum::<f64>()
            };
            for &k in &held {
                let better = (0..FEATURES).filter(|&j| score(j) > score(k) + 1e-6 * score(k).abs()).count();
                let level = (0..FEATURES).filter(|&j| (score(j) - score(k)).abs() <= 1e-6 * score(k).abs());
                let level = level.count();
                assert!(
                    places[k] > better && places[k] <= better + level,
                    "feature {k} is at {}, better are {better}, level {level}",
                    places[k]
                );
            }
        }
    }
}

/// The best weights by plain hill climbing.
fn climbed(aggregation: Aggregation, known: &[usize], over: &[usize]) -> Vec<f64> {
    let mut weights = vec![0.2; 5];
    let mut best = correlation(aggregation, &weights, known, over);
    let mut step = 0.2;
    while step > 1e-9 {
        let mut moved = false;
        for l in 0..5 {
            for sign in [-1.0, 1.0] {
                let mut tried = weights.clone();
                tried[l] = (tried[l] + sign * step).max(0.0);
                let found = correlation(aggregation, &tried, known, over);
                if found > best {
                    (weights, best, moved) = (tried, found, true);
                }
            }
        }
        if !moved {
            step /= 2.0;
        }
    }
    weights
}

#[test]
fn the_order_of_lists_changes_no_bit_and_twins_share() {
    let learned = lists().learned(Aggregation::Borda, &known()).expect("agrees");
    let mut turned = orders();
    turned.reverse();
    let other = Lists::from_orders(FEATURES, &turned).expect("valid").learned(Aggregation::Borda, &known());
    let back: Vec<f64> = other.expect("agrees").weights().iter().rev().copied().collect();
    assert_eq!(learned.weights(), back);
    let one = orders()[0].clone();
    let twins = Lists::from_orders(FEATURES, &[one.clone(), one]).expect("valid");
    let shared = twins.learned(Aggregation::Borda, &known()).expect("agrees");
    assert!(shared.weights().iter().all(|w| (w - 0.5).abs() < 1e-6), "{:?}", shared.weights());
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let refused = |lists: Lists, how: Aggregation, known: &[usize]| {
        lists.learned(how, known).expect_err("refused").to_string()
    };
    assert!(refused(lists(), Aggregation::Median, &known()).contains("borda and rrf take weights"));
    assert!(refused(lists(), Aggregation::Borda, &[1, 2]).contains("at least 3"));
    assert!(refused(lists(), Aggregation::Borda, &[1, 2, 99]).contains("below 60"));
    let upside_down: Vec<usize> = (0..FEATURES).rev().collect();
    let wrong = Lists::from_orders(FEATURES, &[upside_down]).expect("valid");
    assert!(
        refused(wrong, Aggregation::Borda, &known()).contains("no list puts known features before others")
    );
    let asked = Consensus { weights: ListWeights::Known, ..Consensus::default() };
    assert!(asked.check().expect_err("nothing is known").to_string().contains("`known`"));
}

/// KOGS: what each source and method says alone, and all together.
#[test]
fn every_source_ranks_by_every_method() {
    let iris = demo::iris().expect("built in");
    let graph = |recipe: GraphRecipe| recipe.build(&iris, &Silent).expect("builds");
    let sources = [
        Source { name: "near".into(), graph: graph(GraphRecipe::default()) },
        Source { name: "rbf".into(), graph: graph(GraphRecipe::Rbf(Default::default())) },
    ];
    let methods = ["laplacian", "spec", "variance"].map(String::from).to_vec();
    let asked = Analysis { methods, settings: vec![("phi".into(), 1.into())], ..Analysis::default() };
    let ranked = rank_by_each(&sources, &asked, &iris, &Silent).expect("ranks");
    let names: Vec<&str> = ranked.iter().map(|r| r.list.name.as_str()).collect();
    assert_eq!(names, ["near by laplacian", "near by spec", "rbf by laplacian", "rbf by spec", "variance"]);
    for one in &ranked {
        let graph = one.source.map(|at| std::sync::Arc::clone(&sources[at].graph));
        let settings = if one.method == "spec" { asked.settings.clone() } else { Vec::new() };
        let alone = Analysis {
            methods: vec![one.method.to_owned()],
            settings,
            graph: fiedler::GraphOptions { given: graph, ..Default::default() },
            ..Analysis::default()
        };
        let alone = alone.run(&iris, "iris", &Silent).expect("ranks");
        for place in &alone.rankings[0].places {
            assert_eq!(one.list.ranks[place.index], place.rank as f64, "{}", one.list.name);
        }
    }
    let lists: Vec<NamedList> = ranked.into_iter().map(|r| r.list).collect();
    let found = Consensus::default().answer(&lists, Subject::Data(&iris), "iris").expect("aggregates");
    for place in &found.rankings[0].places {
        let mean = lists.iter().map(|l| l.ranks[place.index]).sum::<f64>() / 5.0;
        assert!((place.score.expect("ranked") - mean).abs() < 1e-12);
    }
    // Without sources every method ranks on its own graph.
    let own = rank_by_each(&[], &asked, &iris, &Silent).expect("ranks");
    assert_eq!(
        own.iter().map(|r| r.list.name.as_str()).collect::<Vec<_>>(),
        ["laplacian", "spec", "variance"]
    );
}

#[test]
fn known_features_are_found_by_name() {
    let names = FeatureNames::new(Some(["a", "b", "c", "d"].map(String::from).to_vec().into()));
    let known = KnownFeatures::new(["c", "zz", "a", "c"].map(String::from).to_vec(), &names, 4);
    assert_eq!(
        (known.features.as_slice(), known.not_ranked.as_slice()),
        (&[0, 2][..], &["zz".to_owned()][..])
    );
    let found = known.found(&[2, 1, 0, 3]).expect("ranked");
    assert_eq!((found.ranked, found.hits[0].depth, found.hits[0].hits), (2, 2, 1));
}
