//! Hits of random selection, without drawing.
//!
//! Of m features K are known. The known ones among the first k of a random ranking follow the hypergeometric distribution, so
//! that the share of known features h_k = H_k/k has
//! ```text
//! E h_k = K/m = p        Cov(h_k, h_l) = p(1 - p)(m - l)/((m - 1) l)   for k ≤ l
//! ```
//! The first line needs no draws, and one draw may be far from it: of 198 features with 68 known, the mean over the first 2, 5, 10,
//! 20 and 30 is 0.34 ± 0.14. The second line gives that spread: of a single share (k = l), and of their mean over counts. How far out
//! one ranking is, is told by [`Shares`]; how two compare is no question of chance, see `exchange`.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use super::result::{Point, Summary};
use super::student::ln_choose;
use crate::random::{below, generator};

/// Shares that are equal but for rounding.
pub(super) const NEAR: f64 = 1e-9;

/// Random selection among features of which some are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    known: usize,
    features: usize,
}

/// Random rankings that a share over several counts is compared with.
pub(super) const RANKINGS: usize = 20_000;
/// They are the same ones always.
pub(super) const SEED: u64 = 20_000;

/// What a random ranking comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shares {
    /// Shares, and how likely each is.
    likely: Vec<(f64, f64)>,
    /// What the ranking that is looked at counts for among those that were drawn.
    own: f64,
}

impl Shares {
    /// How likely a random ranking is as far out as this share or farther, on either side: twice the smaller tail.
    pub(super) fn p_value(&self, share: f64) -> f64 {
        let (mut below, mut above) = (self.own, self.own);
        for (other, likely) in &self.likely {
            below += if *other <= share + NEAR { *likely } else { 0.0 };
            above += if *other >= share - NEAR { *likely } else { 0.0 };
        }
        (2.0 * below.min(above)).min(1.0)
    }
}

impl Chance {
    /// Of so many features so many are known, no more than all.
    pub fn of(known: usize, features: usize) -> Self {
        Chance { known: known.min(features), features }
    }

    /// How many features are known, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.known, self.features)
    }

    /// The mean share among the first of some `counts` of a random ranking: what it may be, and how likely each is.
    ///
    /// Of one count it is the hypergeometric distribution, of several that of 20,000 random rankings. A normal one would be far off
    /// where few features are known: one hit among five, of 4 known among 200, is 2.9 standard deviations from what is expected, and
    /// yet every tenth random ranking has one.
    pub(super) fn shares(&self, counts: &[usize]) -> Shares {
        let mut counts: Vec<usize> = counts.iter().map(|&count| count.min(self.features)).collect();
        counts.sort_unstable();
        match counts[..] {
            [count] => Shares { likely: self.exact(count), own: 0.0 },
            _ => self.drawn(&counts),
        }
    }

    fn exact(&self, count: usize) -> Vec<(f64, f64)> {
        let possible = count.saturating_sub(self.features - self.known)..=count.min(self.known);
        let likely = |h: usize| {
            let ways = ln_choose(self.known, h) + ln_choose(self.features - self.known, count - h);
            (h as f64 / count as f64, (ways - ln_choose(self.features, count)).exp())
        };
        possible.map(likely).collect()
    }

    fn drawn(&self, counts: &[usize]) -> Shares {
        let mut rng = generator(SEED, &[self.known as u64, self.features as u64]);
        let own = 1.0 / (RANKINGS + 1) as f64;
        Shares { likely: (0..RANKINGS).map(|_| (self.draw(counts, &mut rng), own)).collect(), own }
    }

    /// The mean share over `counts`, ascending and none beyond the features, of a random ranking.
    fn draw(&self, counts: &[usize], rng: &mut ChaCha8Rng) -> f64 {
        let (mut hits, mut rank, mut sum) = (0, 0, 0.0);
        for &count in counts {
            while rank < count {
                hits += usize::from(below(rng, self.features - rank) < self.known - hits);
                rank += 1;
            }
            sum += hits as f64 / count as f64;
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

    fn p_value(chance: Chance, counts: &[usize], share: f64) -> f64 {
        chance.shares(counts).p_value(share)
    }

    /// Of six features with two known: all orders of them, by hand.
    #[test]
    fn tails_are_those_of_all_orders() {
        let chance = Chance::of(2, 6);
        // Among three: none in 4 of 20 choices, one in 12, two in 4.
        for (hits, p) in [(0.0, 0.4), (1.0, 1.0), (2.0, 0.4)] {
            assert!((p_value(chance, &[3], hits / 3.0) - p).abs() < 1e-12, "{hits}");
        }
        // The first and the second both known: in 1 of 15 orders. The first alone, mean (1 + 1/2)/2: 4 of 15 on top of that.
        for (share, p) in [(1.0, 2.0 / 15.0), (0.75, 2.0 * 5.0 / 15.0), (0.0, 2.0 * 6.0 / 15.0)] {
            let found = p_value(chance, &[1, 2], share);
            assert!((found - p).abs() < 0.015, "{share}: {found}");
        }
        // One hit of five where 4 of 200 are known: P(H ≥ 1) = 1 - C(196, 5)/C(200, 5) = 0.0970.
        assert!((p_value(Chance::of(4, 200), &[5], 0.2) - 0.194_030_605).abs() < 1e-8);
        assert_eq!(p_value(Chance::of(4, 200), &[5], 0.0), 1.0);
        assert_eq!(Chance::of(9, 3).counts(), (3, 3));
    }

    /// A count beyond the features is all of them, alone and among others.
    #[test]
    fn counts_beyond_the_features_are_all_of_them() {
        let chance = Chance::of(2, 6);
        assert_eq!(chance.shares(&[9]), chance.shares(&[6]));
        assert_eq!(chance.shares(&[2, 9]), chance.shares(&[2, 6]));
        // Both of the first two known, and a third of all: 1 in 15.
        assert!((p_value(chance, &[2, 9], 0.5 * (1.0 + 1.0 / 3.0)) - 2.0 / 15.0).abs() < 0.015);
    }
}
