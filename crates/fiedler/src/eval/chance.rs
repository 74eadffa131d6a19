//! Hits of random selection, without drawing.
//!
//! Of m features K are known. The known ones among the first k of a random ranking follow the hypergeometric distribution, so
//! that the share of known features h_k = H_k/k has
//! ```text
//! E h_k = K/m = p        Cov(h_k, h_l) = p(1 - p)(m - l)/((m - 1) l)   for k ≤ l
//! ```
//! The first line needs no draws, and one draw may be far from it: of 198 features with 68 known, the mean over the first 2, 5, 10,
//! 20 and 30 is 0.34 ± 0.14. The second line gives that spread: of a single share (k = l), and of their mean over counts. How far out
//! one ranking is, and two are from each other, is told by [`Chance::p_value`] and [`Chance::p_value_of_two`].

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use super::result::{Point, Summary};
use super::student::ln_choose;
use crate::random::{below, generator};

/// Shares that are equal but for rounding.
const NEAR: f64 = 1e-9;

/// Random selection among features of which some are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    known: usize,
    features: usize,
}

/// Random rankings that a share over several counts is compared with.
const RANKINGS: usize = 20_000;
/// They are the same ones always.
const SEED: u64 = 20_000;

impl Chance {
    /// Of so many features so many are known, no more than all.
    pub fn of(known: usize, features: usize) -> Self {
        Chance { known: known.min(features), features }
    }

    /// How many features are known, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.known, self.features)
    }

    /// How likely the mean share among the first of some `counts` of one random ranking is as far out as this one or farther, on
    /// either side: twice the smaller tail.
    ///
    /// Of one count it is the hypergeometric tail, of several that of 20,000 random rankings. A normal one would be far off where few
    /// features are known: one hit among five, of 4 known among 200, is 2.9 standard deviations from what is expected, and yet every
    /// tenth random ranking has one.
    pub fn p_value(&self, counts: &[usize], share: f64) -> f64 {
        let (below, above) = match counts {
            &[count] => self.tails(count, share),
            _ => self.drawn_tails(counts, share),
        };
        (2.0 * below.min(above)).min(1.0)
    }

    /// How likely the mean shares among the first of some `counts` of two random rankings differ by so much or more: by 20,000 pairs
    /// of them.
    pub fn p_value_of_two(&self, counts: &[usize], difference: f64) -> f64 {
        let mut rng = generator(SEED, &[self.known as u64, self.features as u64, 2]);
        let far = (0..RANKINGS)
            .filter(|_| {
                let (one, other) = (self.drawn(counts, &mut rng), self.drawn(counts, &mut rng));
                (one - other).abs() >= difference.abs() - NEAR
            })
            .count();
        (far + 1) as f64 / (RANKINGS + 1) as f64
    }

    /// The probabilities that a share is as small or smaller, and as large or larger.
    fn tails(&self, count: usize, share: f64) -> (f64, f64) {
        let count = count.min(self.features);
        let hits = share * count as f64;
        let (mut below, mut above) = (0.0, 0.0);
        for h in count.saturating_sub(self.features - self.known)..=count.min(self.known) {
            let p = (ln_choose(self.known, h) + ln_choose(self.features - self.known, count - h)
                - ln_choose(self.features, count))
            .exp();
            below += if h as f64 <= hits + NEAR { p } else { 0.0 };
            above += if h as f64 >= hits - NEAR { p } else { 0.0 };
        }
        (below, above)
    }

    /// The same of the mean over several counts, from random rankings; this one counts among them.
    fn drawn_tails(&self, counts: &[usize], share: f64) -> (f64, f64) {
        let mut rng = generator(SEED, &[self.known as u64, self.features as u64]);
        let (mut below, mut above) = (1, 1);
        for _ in 0..RANKINGS {
            let drawn = self.drawn(counts, &mut rng);
            below += usize::from(drawn <= share + NEAR);
            above += usize::from(drawn >= share - NEAR);
        }
        let of_all = |tail: usize| tail as f64 / (RANKINGS + 1) as f64;
        (of_all(below), of_all(above))
    }

    /// The mean share over `counts` of a random ranking.
    fn drawn(&self, counts: &[usize], rng: &mut ChaCha8Rng) -> f64 {
        let most = counts.iter().copied().max().unwrap_or(0).min(self.features);
        let (mut hits, mut sum) = (0, 0.0);
        for rank in 0..most {
            hits += usize::from(below(rng, self.features - rank) < self.known - hits);
            let times = counts.iter().filter(|&&count| count == rank + 1).count();
            sum += (times * hits) as f64 / (rank + 1) as f64;
        }
        sum / counts.len() as f64
    }

    /// `known` may repeat itself.
    pub(super) fn new(known: &[usize], features: usize) -> Self {
        let known = known.iter().filter(|&&j| j < features).collect::<BTreeSet<_>>().len();
        Chance { known, features }
    }

    /// At a count: the same expected share in each of the partitions.
    pub(super) fn at(&self, count: usize, partitions: usize) -> Point {
        self.over(&[count], partitions)
    }

    /// The mean over several counts, ascending.
    pub(super) fn over(&self, counts: &[usize], partitions: usize) -> Point {
        let mean = self.known as f64 / self.features as f64;
        let n = counts.len() as f64;
        let pairs = counts.iter().flat_map(|&k| counts.iter().map(move |&l| (k, l)));
        let variance = pairs.map(|(k, l)| self.covariance(k.max(l))).sum::<f64>() / (n * n);
        let average = |share: &dyn Fn(usize) -> f64| counts.iter().map(|&k| share(k)).sum::<f64>() / n;
        let unknown = self.features - self.known;
        let low = average(&|k| k.saturating_sub(unknown) as f64 / k as f64);
        let high = average(&|k| k.min(self.known) as f64 / k as f64);
        let summary = Summary { mean, sd: variance.sqrt(), low, high, values: vec![mean; partitions] };
        Point::of(counts.last().copied().unwrap_or(0), summary)
    }

    /// Of the shares among the first `many` and among as many of these, or fewer.
    fn covariance(&self, many: usize) -> f64 {
        if self.features < 2 {
            return 0.0;
        }
        let (m, l) = (self.features as f64, many as f64);
        let p = self.known as f64 / m;
        p * (1.0 - p) * (m - l) / ((m - 1.0) * l)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of six features with two known, one by one.
    #[test]
    fn chance_is_that_of_all_orders() {
        let mut orders = vec![Vec::new()];
        for _ in 0..6 {
            let longer = |o: &Vec<usize>| {
                (0..6).filter(|j| !o.contains(j)).map(|j| [&o[..], &[j]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        assert_eq!(orders.len(), 720);
        let share = |o: &[usize], k: usize| o[..k].iter().filter(|&&j| j < 2).count() as f64 / k as f64;
        let chance = Chance::new(&[0, 1, 1], 6);
        for counts in [&[1][..], &[3], &[6], &[1, 2, 5], &[2, 3, 4, 6]] {
            let mean_of =
                |o: &Vec<usize>| counts.iter().map(|&k| share(o, k)).sum::<f64>() / counts.len() as f64;
            let values: Vec<f64> = orders.iter().map(mean_of).collect();
            let mean = values.iter().sum::<f64>() / 720.0;
            let sd = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 720.0).sqrt();
            let found = chance.over(counts, 3).summary;
            assert!(
                (found.mean - mean).abs() < 1e-12 && (found.sd - sd).abs() < 1e-12,
                "{counts:?} {found:?}"
            );
            let ends = |a: f64, b: f64| if counts.len() == 1 { (a - b).abs() < 1e-12 } else { a <= b };
            assert!(ends(found.low, values.iter().copied().fold(1.0, f64::min)), "{counts:?} {found:?}");
            assert!(ends(values.iter().copied().fold(0.0, f64::max), found.high), "{counts:?} {found:?}");
            assert_eq!(found.values, [found.mean; 3]);
        }
        assert_eq!(Chance::new(&[0], 1).at(1, 2).summary.sd, 0.0);
    }

    /// Of six features with two known: all orders of them, by hand.
    #[test]
    fn tails_are_those_of_all_orders() {
        let chance = Chance::of(2, 6);
        // Among three: none in 4 of 20 choices, one in 12, two in 4.
        for (hits, p) in [(0.0, 0.4), (1.0, 1.0), (2.0, 0.4)] {
            assert!((chance.p_value(&[3], hits / 3.0) - p).abs() < 1e-12, "{hits}");
        }
        // The first and the second both known: in 1 of 15 orders. The first alone, mean (1 + 1/2)/2: 4 of 15 on top of that.
        for (share, p) in [(1.0, 2.0 / 15.0), (0.75, 2.0 * 5.0 / 15.0), (0.0, 2.0 * 6.0 / 15.0)] {
            assert!(
                (chance.p_value(&[1, 2], share) - p).abs() < 0.015,
                "{share}: {}",
                chance.p_value(&[1, 2], share)
            );
        }
        // One hit of five where 4 of 200 are known: P(H ≥ 1) = 1 - C(196, 5)/C(200, 5) = 0.0970.
        assert!((Chance::of(4, 200).p_value(&[5], 0.2) - 0.194_030_605).abs() < 1e-8);
        assert_eq!(Chance::of(4, 200).p_value(&[5], 0.0), 1.0);
        assert_eq!(Chance::of(9, 3).counts(), (3, 3));
    }

    /// Among three of six features with two known two choices have 0, 1 or 2 hits each, with 4, 12 and 4 of 20.
    #[test]
    fn two_rankings_differ_as_two_choices_do() {
        let chance = Chance::of(2, 6);
        for (hits, p) in [(0.0, 1.0), (1.0, 1.0 - 0.04 - 0.36 - 0.04), (-2.0, 2.0 * 0.04)] {
            let found = chance.p_value_of_two(&[3], hits / 3.0);
            assert!((found - p).abs() < 0.015, "{hits}: {found}");
        }
    }
}
