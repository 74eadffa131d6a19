//! Which of two selections finds more of the known features: an exchange test.
//!
//! To differ by more than two random rankings do is no sign that one is better: two good rankings, which both find most of the
//! known features, are far from random, and what they share tells nothing. So what only one of them has is looked at. A feature
//! counts
//! ```text
//! w = mean over counts k of ([it is among the first k of ours] - [it is among the first k of theirs])/k,   D = Σ w over known ones
//! ```
//! where D is the difference of the mean shares; of several rankings, fitted on parts of the same samples, w is a mean over them
//! too. Where neither selection is better, features of the same |w| might as well stand in the other one's list:
//!
//! - as many of them are ours as theirs: any of them might be the known ones, so that those among ours are hypergeometric. Of one
//!   count and a ranking each this is Fisher's exact test of what only one of them has;
//! - otherwise (one side has some of its own features at other ranks) every known one changes its list by the toss of a coin.
//!
//! The p-value is how often D is as far from 0 as it is, or farther: of all outcomes where those are few, else of 20,000 draws.

use std::collections::BTreeMap;

use super::chance::{NEAR, RANKINGS, SEED};
use super::student::ln_choose;
use crate::random::{generator, unit};

/// Features that weigh the same.
#[derive(Debug, Default, Clone, Copy)]
struct Like {
    weight: f64,
    ours: usize,
    theirs: usize,
    known: usize,
}

/// How likely the mean shares of known features differ by `difference` or more, either way, where neither selection is better.
/// `known` ascends; a selection has one ranking or several, best feature first.
pub(super) fn p_value(
    known: &[usize],
    counts: &[usize],
    (ours, theirs): (&[Vec<usize>], &[Vec<usize>]),
    difference: f64,
) -> f64 {
    let alike = alike(known, counts, (ours, theirs));
    let far = |sum: f64| sum.abs() >= difference.abs() - NEAR;
    let parts: Vec<Vec<(f64, f64)>> = alike.iter().map(Like::outcomes).collect();
    if parts
        .iter()
        .try_fold(1usize, |all, part| all.checked_mul(part.len()).filter(|&n| n <= RANKINGS))
        .is_some()
    {
        let mut all = vec![(0.0, 1.0)];
        for part in &parts {
            all = all.iter().flat_map(|(a, p)| part.iter().map(move |(b, q)| (a + b, p * q))).collect();
        }
        return all.iter().filter(|(sum, _)| far(*sum)).map(|(_, p)| p).sum::<f64>().min(1.0);
    }
    let mut rng = generator(SEED, &[counts.len() as u64, parts.len() as u64]);
    let drawn =
        (0..RANKINGS).filter(|_| far(parts.iter().map(|part| pick(part, unit(&mut rng))).sum())).count();
    (drawn + 1) as f64 / (RANKINGS + 1) as f64
}

/// The value at which the probabilities add up to `level`.
fn pick(outcomes: &[(f64, f64)], level: f64) -> f64 {
    let mut sum = 0.0;
    let mut reached = outcomes.iter().filter(|(_, p)| {
        sum += p;
        sum > level
    });
    reached.next().or(outcomes.last()).map_or(0.0, |(value, _)| *value)
}

/// The features that count for one of the two more than for the other, by how much; those without a known one tell nothing.
fn alike(known: &[usize], counts: &[usize], (ours, theirs): (&[Vec<usize>], &[Vec<usize>])) -> Vec<Like> {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    let worth = worth(counts);
    for (lists, sign) in [(ours, 1.0), (theirs, -1.0)] {
        for list in lists {
            for (&feature, worth) in list.iter().zip(&worth) {
                *weights.entry(feature).or_default() += sign * worth / lists.len() as f64;
            }
        }
    }
    let mut alike: BTreeMap<u64, Like> = BTreeMap::new();
    for (feature, weight) in weights.into_iter().filter(|(_, weight)| weight.abs() > NEAR) {
        // Weights are the same but for rounding.
        let like = alike.entry((weight.abs() / NEAR).round() as u64).or_default();
        like.weight = weight.abs();
        *(if weight > 0.0 { &mut like.ours } else { &mut like.theirs }) += 1;
        like.known += usize::from(known.binary_search(&feature).is_ok());
    }
    alike.into_values().filter(|like| like.known > 0).collect()
}

/// What a feature at every rank adds to the mean share, were it known.
fn worth(counts: &[usize]) -> Vec<f64> {
    let most = counts.iter().copied().max().unwrap_or(0);
    let at = |rank: usize| counts.iter().filter(|&&k| k > rank).map(|&k| 1.0 / k as f64).sum::<f64>();
    (0..most).map(|rank| at(rank) / counts.len() as f64).collect()
}

impl Like {
    /// What these features may add to the difference, and how likely that is.
    fn outcomes(&self) -> Vec<(f64, f64)> {
        let (all, known) = (self.ours + self.theirs, self.known);
        let value = |among_ours: usize| self.weight * (2.0 * among_ours as f64 - known as f64);
        if self.ours == self.theirs {
            let ways = |h: usize| {
                ln_choose(self.ours, h) + ln_choose(self.theirs, known - h) - ln_choose(all, known)
            };
            let possible = known.saturating_sub(self.theirs)..=known.min(self.ours);
            return possible.map(|h| (value(h), ways(h).exp())).collect();
        }
        let toss = |h: usize| (ln_choose(known, h) - known as f64 * std::f64::consts::LN_2).exp();
        (0..=known).map(|h| (value(h), toss(h))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_one(known: &[usize], counts: &[usize], ours: &[usize], theirs: &[usize]) -> f64 {
        let share = |list: &[usize], k: usize| {
            list[..k].iter().filter(|j| known.contains(j)).count() as f64 / k as f64
        };
        let mean = |list: &[usize]| counts.iter().map(|&k| share(list, k)).sum::<f64>() / counts.len() as f64;
        let lists = (&[ours.to_vec()][..], &[theirs.to_vec()][..]);
        p_value(known, counts, lists, mean(ours) - mean(theirs))
    }

    /// The tables of Fisher's test, which two random rankings would call significant: 6 known of 10 beside 4 of 10 others has
    /// p = 0.656.
    #[test]
    fn of_one_count_it_is_fishers_test_of_what_is_not_shared() {
        let (ours, theirs): (Vec<usize>, Vec<usize>) = ((0..10).collect(), (10..20).collect());
        let known: Vec<usize> = (0..6).chain(10..14).collect();
        let p = of_one(&known, &[10], &ours, &theirs);
        assert!((p - 0.656_281_798_7).abs() < 1e-9, "{p}");
        // 4 of 5 beside 2 of 5 where one known and one other are shared: 3 of 3 beside 1 of 3 … (3, 0) and (1, 2) of 6 with 4 known.
        let p = of_one(&[0, 1, 2, 5, 9], &[5], &[0, 1, 2, 5, 8], &[5, 8, 9, 10, 11]);
        // Of 3 and 3 with 4 known: 3 or 1 among ours, each C(3,3)·C(3,1)/C(6,4) = 1/5.
        assert!((p - 0.4).abs() < 1e-9, "{p}");
        // All that one has and nothing that the other has: 2/C(10, 5).
        let p = of_one(&[0, 1, 2, 3, 4], &[5], &[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]);
        assert!((p - 2.0 / 252.0).abs() < 1e-9, "{p}");
        assert_eq!(of_one(&[0, 1], &[3], &[0, 1, 2], &[2, 1, 0]), 1.0, "the same features");
    }

    /// Every exchange one by one: of two counts, ranks that weigh the same on either side.
    #[test]
    fn of_several_counts_ranks_are_exchanged_with_their_like() {
        let (ours, theirs, known) = ([0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 4, 6]);
        let p = of_one(&known, &[2, 4], &ours, &theirs);
        // First ranks weigh (1/2 + 1/4)/2, the others 1/8; of the four first ones three are known, of the four others two.
        let observed: f64 = 0.375 * (2.0 - 1.0);
        let (mut far, mut all) = (0, 0);
        for first in (0u32..16).filter(|set| set.count_ones() == 3) {
            for last in (0u32..16).filter(|set| set.count_ones() == 2) {
                let less = |set: u32| f64::from((set & 3).count_ones()) - f64::from((set >> 2).count_ones());
                let sum = 0.375 * less(first) + 0.125 * less(last);
                all += 1;
                far += i32::from(sum.abs() >= observed.abs() - 1e-12);
            }
        }
        assert!((p - f64::from(far) / f64::from(all)).abs() < 1e-12, "{p} {far} of {all}");
    }

    /// Where ranks have no like, each known feature changes lists by itself.
    #[test]
    fn what_has_no_like_is_tossed() {
        // Ours: 0 first, 1 second; theirs: 1 first, 2 second. Weights: 3/4, 1/4 - 3/4 and -1/4, all different.
        let p = of_one(&[0, 1], &[1, 2], &[0, 1], &[1, 2]);
        // ±3/4 ± 1/2: observed 3/4 - 1/2, and every outcome is as far or farther.
        assert_eq!(p, 1.0);
        let p = of_one(&[0], &[1, 2], &[0, 1], &[1, 2]);
        assert_eq!(p, 1.0, "one known feature is on either side");
        let p = of_one(&[0, 9], &[1, 2], &[0, 9], &[1, 2]);
        // 0 weighs 3/4 and 1 of theirs as much, 9 and 2 1/4: of each pair one is known; both are ours in one of four, theirs in another.
        assert!((p - 0.5).abs() < 1e-12, "{p}");
    }

    /// Rankings of parts that agree are as sure as one; draws find what all outcomes do.
    #[test]
    fn several_rankings_that_agree_are_one() {
        let (ours, theirs): (Vec<usize>, Vec<usize>) = ((0..10).collect(), (8..18).collect());
        let known = [0, 1, 2, 3, 4, 5, 9, 12];
        let (difference, counts) = (0.5, [10]);
        let one = (std::slice::from_ref(&ours), std::slice::from_ref(&theirs));
        let one = p_value(&known, &counts, one, difference);
        let several =
            p_value(&known, &counts, (&vec![ours.clone(); 7], &vec![theirs.clone(); 3]), difference);
        assert!((one - several).abs() < 1e-9, "{one} {several}");
        // Seventeen counts have too many outcomes to go through.
        let counts: Vec<usize> = (1..=17).collect();
        let (ours, theirs): (Vec<usize>, Vec<usize>) = ((0..17).collect(), (17..34).collect());
        let known: Vec<usize> = (0..17).collect();
        let p = of_one(&known, &counts, &ours, &theirs);
        assert!(p < 0.001, "all known on one side, each tossed: {p}");
    }
}
