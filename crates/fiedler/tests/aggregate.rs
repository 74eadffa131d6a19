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

/// The p-value by counting: how often the k-th smallest of n numbers 1/q, …, q/q is ≤ r, for all q^n
/// draws. With r on that grid this is the continuous probability, since P(U ≤ r) = r there too.
fn by_counting(ranks: &[usize], q: usize) -> f64 {
    let n = ranks.len();
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let mut best = 1.0f64;
    for (k, &r) in sorted.iter().enumerate() {
        let draws = q.pow(n as u32);
        let enough = |draw: &usize| {
            let below = (0..n).filter(|&i| draw / q.pow(i as u32) % q < r).count();
            below > k
        };
        best = best.min((0..draws).filter(enough).count() as f64 / draws as f64);
    }
    (n as f64 * best).min(1.0)
}

#[test]
fn robust_p_values_are_those_of_counting_all_draws() {
    let orders = [vec![0, 1, 2, 3, 4, 5], vec![1, 0, 4, 2, 3, 5], vec![0, 5, 1, 2, 3, 4], vec![1, 2]];
    let ranking = Aggregation::Robust
        .aggregate(&Lists::from_orders(6, &orders).expect("valid lists"))
        .expect("aggregates");
    let rank = |order: &Vec<usize>, j: usize| order.iter().position(|&o| o == j).map_or(6, |p| p + 1);
    let expected: Vec<f64> =
        (0..6).map(|j| by_counting(&orders.iter().map(|o| rank(o, j)).collect::<Vec<_>>(), 6)).collect();
    assert_close("rra", ranking.scores(), &expected, 1e-12);
    assert_eq!(ranking.goal(), Goal::Minimize);
}

#[test]
fn robust_p_values_of_a_few_known_cases() {
    // First of 100 in three lists of three: β_3 = 0.01³, times 3.
    let first = Lists::from_orders(100, &[vec![7], vec![7], vec![7]]).expect("valid lists");
    let ranking = Aggregation::Robust.aggregate(&first).expect("aggregates");
    assert_close("all agree", &[ranking.scores()[7]], &[3e-6], 1e-12);
    assert_eq!(ranking.n_scored(), 1);
    // First of 100 in one list of three, absent in the others: β_1 = 1 - 0.99³, times 3.
    let one = Lists::from_orders(100, &[vec![7], vec![8], vec![9]]).expect("valid lists");
    let ranking = Aggregation::Robust.aggregate(&one).expect("aggregates");
    assert_close("one of three", &[ranking.scores()[7]], &[3.0 * (1.0 - 0.99f64.powi(3))], 1e-12);
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
