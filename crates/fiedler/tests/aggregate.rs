//! Rank aggregation against values worked out by hand, by counting, and by textbook code.

mod common;

use common::assert_close;
use fiedler::fusion::{Aggregation, Lists, hit_ratio};
use fiedler::{Error, Goal, Ranking};

/// Four features, three lists, the last of them partial.
fn lists() -> Lists {
    Lists::from_orders(4, &[vec![0, 1, 2, 3], vec![1, 0, 3, 2], vec![1, 2]]).expect("valid lists")
}

#[test]
fn borda_is_the_mean_rank_with_the_middle_of_the_rest_for_what_is_left_out() {
    let ranking = Aggregation::Borda.aggregate(&lists()).expect("aggregates");
    // The third list leaves out two features: ranks 3 and 4, in the mean 3.5.
    let expected =
        [(1.0 + 2.0 + 3.5) / 3.0, (2.0 + 1.0 + 1.0) / 3.0, (3.0 + 4.0 + 2.0) / 3.0, (4.0 + 3.0 + 3.5) / 3.0];
    assert_close("borda", ranking.scores(), &expected, 1e-15);
    assert_eq!((ranking.goal(), ranking.order()), (Goal::Minimize, &[1, 0, 2, 3][..]));
}

#[test]
fn weights_count_in_borda_and_reciprocal_ranks() {
    let weighted = lists().weighted(vec![2.0, 0.0, 1.0]).expect("valid weights");
    let borda = Aggregation::Borda.aggregate(&weighted).expect("aggregates");
    assert_close("weighted", borda.scores(), &[5.5 / 3.0, 5.0 / 3.0, 8.0 / 3.0, 11.5 / 3.0], 1e-15);
    let rrf = Aggregation::ReciprocalRank { k: 60.0 }.aggregate(&weighted).expect("aggregates");
    let expected = [2.0 / 61.0, 2.0 / 62.0 + 1.0 / 61.0, 2.0 / 63.0 + 1.0 / 62.0, 2.0 / 64.0];
    assert_close("rrf", rrf.scores(), &expected, 1e-15);
    assert_eq!(rrf.goal(), Goal::Maximize);
    for other in [Aggregation::Median, Aggregation::Robust, Aggregation::Mc4 { jump: 0.1 }] {
        assert!(matches!(other.aggregate(&weighted), Err(Error::Parameter { .. })));
    }
}

#[test]
fn median_of_an_even_number_of_lists_is_the_mean_of_the_middle() {
    let ranking = Aggregation::Median.aggregate(&lists()).expect("aggregates");
    assert_close("three lists", ranking.scores(), &[2.0, 1.0, 3.0, 3.5], 1e-15);
    let two = Lists::from_orders(3, &[vec![0, 1, 2], vec![2, 1, 0]]).expect("valid lists");
    assert_close("two", Aggregation::Median.aggregate(&two).expect("aggregates").scores(), &[2.0; 3], 1e-15);
}

#[test]
fn equal_scores_share_a_rank_and_missing_scores_are_left_out() {
    let one = Ranking::new("a", Goal::Maximize, vec![5.0, 5.0, 9.0, f64::NAN]);
    let lists = Lists::from_rankings(&[&one]).expect("valid rankings");
    let together = Aggregation::Borda.aggregate(&lists).expect("aggregates");
    assert_close("shared", together.scores(), &[2.5, 2.5, 1.0, f64::NAN], 1e-15);
    assert_eq!(together.warnings, ["1 features are in no list and come last"]);
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// P(at least k of n uniform numbers are ≤ r), term by term.
fn at_least(n: usize, k: usize, r: f64) -> f64 {
    (k..=n).map(|j| choose(n, j) * r.powi(j as i32) * (1.0 - r).powi((n - j) as i32)).sum()
}

/// The smallest of those probabilities for the ranks of a feature.
fn naive_rho(ranks: &[f64]) -> f64 {
    let mut sorted = ranks.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.iter().enumerate().map(|(i, &r)| at_least(ranks.len(), i + 1, r)).fold(1.0, f64::min)
}

/// P(chance is as good as ρ) = 1 - n! ∫ … ∫ du_1 … du_n over u_1 < … < u_n, all u_k > b_k, where u_k ≤ b_k
/// has probability ρ: polynomials, integrated one variable after the other.
fn by_integration(n: usize, rho: f64) -> f64 {
    let mut polynomial = vec![1.0];
    for k in 1..=n {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if at_least(n, k, middle) > rho { high = middle } else { low = middle }
        }
        let mut integral = vec![0.0; k + 1];
        polynomial.iter().enumerate().for_each(|(p, c)| integral[p + 1] = c / (p + 1) as f64);
        integral[0] = -integral.iter().rev().fold(0.0, |sum, c| sum * low + c);
        polynomial = integral;
    }
    1.0 - (1..=n).map(|i| i as f64).product::<f64>() * polynomial.iter().sum::<f64>()
}

#[test]
fn robust_p_values_are_those_of_integration() {
    let orders = [vec![0, 1, 2, 3, 4, 5], vec![1, 0, 4, 2, 3, 5], vec![0, 5, 1, 2, 3, 4], vec![1, 2]];
    let ranking = Aggregation::Robust
        .aggregate(&Lists::from_orders(6, &orders).expect("valid lists"))
        .expect("aggregates");
    let rank = |order: &Vec<usize>, j: usize| order.iter().position(|&o| o == j).map_or(6, |p| p + 1);
    let rho = |j: usize| naive_rho(&orders.iter().map(|o| rank(o, j) as f64 / 6.0).collect::<Vec<_>>());
    let expected: Vec<f64> = (0..6).map(|j| by_integration(4, rho(j))).collect();
    assert_close("rra", ranking.scores(), &expected, 1e-10);
    assert_eq!(ranking.goal(), Goal::Minimize);
}

#[test]
fn robust_p_values_are_the_share_of_random_draws_that_are_as_good() {
    // Seven lists that name feature 0 at these places of 1,000.
    let places = [40, 100, 120, 300, 500, 800, 950];
    let order = |&place: &usize| {
        let mut order: Vec<usize> = (1..1000).collect();
        order.insert(place - 1, 0);
        order
    };
    let lists = Lists::from_orders(1000, &places.iter().map(order).collect::<Vec<_>>()).expect("valid");
    let got = Aggregation::Robust.aggregate(&lists).expect("aggregates").scores()[0];
    let rho = naive_rho(&places.map(|p| p as f64 / 1000.0));
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let draws = 40_000;
    let good = (0..draws).filter(|_| naive_rho(&[(); 7].map(|()| uniform())) <= rho).count();
    let share = good as f64 / f64::from(draws);
    let error = (share * (1.0 - share) / f64::from(draws)).sqrt();
    assert!((got - share).abs() < 4.0 * error, "{got}, {share} ± {error}");
}

#[test]
fn robust_p_values_of_a_few_known_cases() {
    // One list: the p-value is the relative rank.
    let one = Lists::from_orders(4, &[vec![2, 0, 1, 3]]).expect("valid lists");
    let ranking = Aggregation::Robust.aggregate(&one).expect("aggregates");
    assert_close("one list", ranking.scores(), &[0.5, 0.75, 0.25, 1.0], 1e-14);
    // First of 100 in two lists: ρ = 10⁻⁴, so b_1 = 1 - √(1-ρ), b_2 = √ρ, and U_(1) ≤ b_1 or U_(2) ≤ b_2
    // has probability ρ + ρ - P(both) with P(both) = b_2² - (b_2-b_1)².
    let two = Lists::from_orders(100, &[vec![7], vec![7]]).expect("valid lists");
    let ranking = Aggregation::Robust.aggregate(&two).expect("aggregates");
    let (rho, b1, b2) = (1e-4, 1.0 - (1.0f64 - 1e-4).sqrt(), 0.01f64);
    let expected = 2.0 * rho - (b2 * b2 - (b2 - b1).powi(2));
    assert_close("two lists", &[ranking.scores()[7]], &[expected], 1e-11);
    assert_eq!(ranking.n_scored(), 1);
}

#[test]
fn robust_aggregation_tells_bad_features_apart_and_holds_for_many_lists() {
    // With n·ρ clipped at 1 most of these would tie and go by their index.
    let orders: Vec<Vec<usize>> = (0..5).map(|s| (0..60).rev().map(|j| (j + s * s) % 60).collect()).collect();
    let ranking = Aggregation::Robust
        .aggregate(&Lists::from_orders(60, &orders).expect("valid lists"))
        .expect("aggregates");
    let rank = |order: &Vec<usize>, j: usize| order.iter().position(|&o| o == j).expect("all") + 1;
    let rho = |j: usize| naive_rho(&orders.iter().map(|o| rank(o, j) as f64 / 60.0).collect::<Vec<_>>());
    for pair in ranking.order().windows(2) {
        assert!(rho(pair[0]) <= rho(pair[1]) * (1.0 + 1e-12), "ρ decides: {pair:?}");
    }
    let different: std::collections::BTreeSet<u64> = ranking.scores().iter().map(|p| p.to_bits()).collect();
    assert!(different.len() > 50, "{}", different.len());
    // Many lists that agree: p is far below what doubles add to 1, or below all doubles.
    for (lists, least) in [(200, 1e-270), (300, 0.0)] {
        let many = Lists::from_orders(20, &vec![(0..20).collect::<Vec<_>>(); lists]).expect("valid lists");
        let p = Aggregation::Robust.aggregate(&many).expect("aggregates").scores().to_vec();
        assert!(p[0] >= least && p[0] < 1e-250 && p.windows(2).all(|w| w[0] <= w[1]), "{p:?}");
    }
}

#[test]
fn the_order_of_lists_does_not_change_a_bit() {
    let orders = [vec![0, 3, 1, 2, 5, 4], vec![5, 0, 2], vec![4, 2, 0, 1, 3, 5], vec![1, 4]];
    let weights = [0.1, 0.2, 0.3, 0.7];
    let mut permutations = vec![vec![]];
    for _ in 0..4 {
        permutations = permutations
            .into_iter()
            .flat_map(|p: Vec<usize>| {
                (0..4).filter(|i| !p.contains(i)).map(|i| [&p[..], &[i]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    assert_eq!(permutations.len(), 24);
    for aggregation in Aggregation::ALL {
        let takes_weights = matches!(aggregation, Aggregation::Borda | Aggregation::ReciprocalRank { .. });
        let bits = |order: &Vec<usize>| {
            let picked: Vec<Vec<usize>> = order.iter().map(|&i| orders[i].clone()).collect();
            let mut lists = Lists::from_orders(6, &picked).expect("valid lists");
            if takes_weights {
                lists = lists.weighted(order.iter().map(|&i| weights[i]).collect()).expect("valid weights");
            }
            let ranking = aggregation.aggregate(&lists).expect("aggregates");
            ranking.scores().iter().map(|s| s.to_bits()).collect::<Vec<_>>()
        };
        let first = bits(&permutations[0]);
        assert!(permutations.iter().all(|p| bits(p) == first), "{}", aggregation.name());
    }
}

#[test]
fn robust_aggregation_survives_lists_of_noise() {
    // Feature 0 is first in five lists and last in five; feature 1 is in the middle of all ten.
    let n = 101;
    let list = |first: bool| {
        let mut order: Vec<usize> = (2..n).collect();
        order.insert(50, 1);
        order.insert(if first { 0 } else { n - 1 }, 0);
        order
    };
    let lists =
        Lists::from_orders(n, &(0..10).map(|i| list(i < 5)).collect::<Vec<_>>()).expect("valid lists");
    let robust = Aggregation::Robust.aggregate(&lists).expect("aggregates");
    assert!(robust.scores()[0] < 1e-6 && robust.scores()[1] > 0.001);
}

/// MC4 as the paper tells it: a full transition matrix and many multiplications.
fn naive_mc4(orders: &[Vec<usize>], n: usize, jump: f64) -> Vec<f64> {
    let rank = |o: &Vec<usize>, j: usize| o.iter().position(|&x| x == j).unwrap_or(usize::MAX);
    let mut p = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            let better = orders.iter().filter(|o| rank(o, j) < rank(o, i)).count();
            let worse = orders.iter().filter(|o| rank(o, j) > rank(o, i)).count();
            if i != j && better > worse {
                p[i][j] = 1.0 / n as f64;
            }
        }
        p[i][i] = 1.0 - p[i].iter().sum::<f64>();
    }
    let mut pi = vec![1.0 / n as f64; n];
    for _ in 0..2000 {
        pi = (0..n)
            .map(|j| jump / n as f64 + (1.0 - jump) * (0..n).map(|i| pi[i] * p[i][j]).sum::<f64>())
            .collect();
    }
    pi
}

#[test]
fn mc4_is_the_stationary_distribution() {
    let orders = vec![vec![0, 1, 2, 3, 4], vec![2, 1, 0, 4, 3], vec![1, 0, 3], vec![4, 2]];
    let lists = Lists::from_orders(5, &orders).expect("valid lists");
    let ranking = Aggregation::Mc4 { jump: 0.15 }.aggregate(&lists).expect("aggregates");
    assert_close("mc4", ranking.scores(), &naive_mc4(&orders, 5, 0.15), 1e-9);
    assert_close("a distribution", &[ranking.scores().iter().sum()], &[1.0], 1e-12);
}

#[test]
fn mc4_leaves_out_what_no_list_names() {
    let lists = Lists::from_orders(300, &[vec![150, 2], vec![150, 70]]).expect("valid lists");
    let ranking = Aggregation::Mc4 { jump: 0.15 }.aggregate(&lists).expect("aggregates");
    assert_eq!((ranking.n_scored(), ranking.order()[0]), (3, 150));
}

#[test]
fn a_unanimous_first_is_first_by_every_aggregation() {
    let orders: Vec<Vec<usize>> = (0..6)
        .map(|s| {
            std::iter::once(40).chain((0..80).map(|j| (j * 7 + s * 13) % 80).filter(|&j| j != 40)).collect()
        })
        .collect();
    let lists = Lists::from_orders(80, &orders).expect("valid lists");
    for aggregation in Aggregation::ALL {
        let ranking = aggregation.aggregate(&lists).expect("aggregates");
        assert_eq!(ranking.order()[0], 40, "{}", aggregation.name());
        assert_eq!(ranking.method, aggregation.name());
    }
}

#[test]
fn wrong_lists_are_refused_with_reasons() {
    let message = |result: Result<Lists, Error>| result.expect_err("must be refused").to_string();
    assert_eq!(message(Lists::from_orders(3, &[])), "`lists` must be at least one, got none");
    assert!(message(Lists::from_orders(3, &[vec![0], vec![]])).contains("list 2 without features"));
    assert!(message(Lists::from_orders(3, &[vec![0, 0]])).contains("feature 0 twice"));
    assert!(message(Lists::from_orders(3, &[vec![3]])).contains("below 3, got 3"));
    assert!(message(lists().weighted(vec![1.0])).contains("1 given where 3 are needed"));
    assert!(message(lists().weighted(vec![0.0; 3])).contains("not all 0"));
    assert!(message(lists().weighted(vec![-1.0, 1.0, 1.0])).contains("got -1"));
    assert!(Aggregation::Mc4 { jump: 1.0 }.aggregate(&lists()).is_err());
    assert!(Aggregation::ReciprocalRank { k: f64::NAN }.aggregate(&lists()).is_err());
}

#[test]
fn hits_are_counted_at_every_depth() {
    let hits = hit_ratio(&[4, 2, 0, 1, 3], &[0, 2, 9], &[1, 3, 5]).expect("counts");
    assert_eq!(hits.iter().map(|h| h.hits).collect::<Vec<_>>(), [0, 2, 2]);
    assert_close("ratio", &[hits[1].ratio, hits[1].recall], &[2.0 / 3.0, 2.0 / 3.0], 1e-15);
    assert!(hit_ratio(&[0], &[], &[1]).is_err());
    assert!(hit_ratio(&[0], &[0], &[2]).is_err());
}
