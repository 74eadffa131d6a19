//! MC4 (Dwork, Kumar, Naor, Sivakumar 2001): a walk over features that moves to winners.
//!
//! At feature i draw any feature j; move there if more lists prefer j to i than i to j, stay
//! otherwise. Where the walk spends its time is the score, so a feature that beats good features
//! is better than one that beats bad ones. With probability `jump` the walk goes anywhere, which
//! makes the answer unique; without, it would be caught by the first set that nobody beats.
//!
//! A list prefers what it names to what it leaves out; equal ranks are no preference.

use rayon::prelude::*;

use super::Lists;
use crate::{Error, Result};

/// Features that [`Aggregation::Mc4`](super::Aggregation::Mc4) compares at most: all pairs of them
/// take a bit each.
pub const MC4_LIMIT: usize = 20_000;

const TOLERANCE: f64 = 1e-12;

/// The stationary distribution over the features that some list names, 0 for the others.
pub(super) fn stationary(lists: &Lists, jump: f64) -> Result<Vec<f64>> {
    let named: Vec<usize> = (0..lists.n_features()).filter(|&j| lists.names(j)).collect();
    if named.len() > MC4_LIMIT {
        let rule =
            format!("lists of at most {MC4_LIMIT} features together for mc4, which compares all pairs");
        return Err(Error::parameter("lists", rule, named.len()));
    }
    let walk = walk(&Duels::new(lists, &named), jump)?;
    let mut scores = vec![0.0; lists.n_features()];
    named.iter().zip(walk).for_each(|(&j, share)| scores[j] = share);
    Ok(scores)
}

/// Who is beaten by whom, one bit a pair.
struct Duels {
    /// Row j: bit i is set where j beats i.
    beaten: Vec<Vec<u64>>,
    /// How many beat each.
    winners: Vec<usize>,
}

impl Duels {
    fn new(lists: &Lists, named: &[usize]) -> Self {
        let rank = |list: &Vec<f64>, j: usize| if list[j].is_nan() { f64::INFINITY } else { list[j] };
        let ranks: Vec<Vec<f64>> =
            lists.ranks().iter().map(|list| named.iter().map(|&j| rank(list, j)).collect()).collect();
        // For each opponent: lists that prefer j less lists that prefer the opponent.
        let margins = |j: usize| {
            let mut margins = vec![0i32; named.len()];
            for list in &ranks {
                let own = list[j];
                for (margin, &other) in margins.iter_mut().zip(list) {
                    *margin += i32::from(own < other) - i32::from(own > other);
                }
            }
            margins
        };
        let rows: Vec<(Vec<u64>, usize)> = (0..named.len())
            .into_par_iter()
            .map(|j| {
                let margins = margins(j);
                let word = |part: &[i32]| {
                    part.iter().enumerate().fold(0, |bits, (b, &m)| bits | u64::from(m > 0) << b)
                };
                (margins.chunks(64).map(word).collect(), margins.iter().filter(|&&m| m < 0).count())
            })
            .collect();
        let (beaten, winners) = rows.into_iter().unzip();
        Duels { beaten, winners }
    }

    /// One step: πP of the walk without jumps.
    fn step(&self, share: &[f64]) -> Vec<f64> {
        let n = share.len() as f64;
        let arrive = |j: usize| {
            let mut sum = 0.0;
            for (&word, part) in self.beaten[j].iter().zip(share.chunks(64)) {
                let mut bits = word;
                while bits != 0 {
                    sum += part[bits.trailing_zeros() as usize];
                    bits &= bits - 1;
                }
            }
            sum / n + share[j] * (1.0 - self.winners[j] as f64 / n)
        };
        (0..share.len()).into_par_iter().map(arrive).collect()
    }
}

/// Power iteration; every step shrinks the error to 1 - `jump` of it.
fn walk(duels: &Duels, jump: f64) -> Result<Vec<f64>> {
    let n = duels.winners.len();
    let even = 1.0 / n as f64;
    let mut share = vec![even; n];
    // From an error of at most 2 the tolerance is reached in this many steps, in exact arithmetic.
    let enough = ((TOLERANCE / 4.0).ln() / (1.0 - jump).ln()).ceil() as usize + 10;
    let mut change = f64::INFINITY;
    for _ in 0..enough {
        let next: Vec<f64> = duels.step(&share).iter().map(|s| (1.0 - jump) * s + jump * even).collect();
        change = share.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        share = next;
        if change <= TOLERANCE {
            return Ok(share);
        }
    }
    Err(Error::NotConverged {
        what: "the walk of mc4",
        iterations: enough,
        residual: change,
        tolerance: TOLERANCE,
        advice: "use a larger `jump`",
    })
}
