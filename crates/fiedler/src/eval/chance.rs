//! Hits of random selection, without drawing.
//!
//! Of m features K are known. The known ones among the first k of a random ranking follow the hypergeometric distribution, so
//! that the share of known features h_k = H_k/k has
//! ```text
//! E h_k = K/m = p        Cov(h_k, h_l) = p(1 - p)(m - l)/((m - 1) l)   for k ≤ l
//! ```
//! The first line needs no draws, and one draw may be far from it: of 198 features with 68 known, the mean over the first 2, 5, 10,
//! 20 and 30 is 0.34 ± 0.14. The second line gives that spread: of a single share (k = l), and of their mean over counts.

use std::collections::BTreeSet;

use super::result::{Point, Summary};

/// Random selection among features of which some are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance {
    known: usize,
    features: usize,
}

impl Chance {
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
}
