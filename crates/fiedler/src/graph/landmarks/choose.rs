//! Which samples become landmarks: spread over the data, the rare groups not forgotten.
//!
//! Drawn in a few rounds, each sample with a chance in proportion to its squared distance to the nearest landmark so far
//! (Arthur and Vassilvitskii's k-means++ in the rounds of Bahmani et al., of which there are few because each is one product of
//! matrices). The draw is from some of the samples, twenty for every landmark, so that it does not grow with the data. The seed is fixed:
//! the same data have the same landmarks.
//!
//! On clusters of equal size an even draw does as well, and moving the landmarks by a few steps of Lloyd's adds nothing that could be
//! told from the noise of the draw. What the rounds buy are the groups that an even draw misses.
//!
//! References: Arthur, Vassilvitskii: k-means++, SODA 2007. Bahmani et al.: Scalable K-Means++, VLDB 2012.

use rand_chacha::ChaCha8Rng;

use crate::Result;
use crate::dataset::Dataset;
use crate::graph::{Metric, neighbors};
use crate::monitor::Monitor;
use crate::random;

/// Samples for every landmark, among which it is drawn.
const POOL: usize = 20;
/// Rounds of the draw.
const ROUNDS: usize = 4;
const SEED: u64 = 0x1a4d_3a4c;

/// `count` samples, ascending.
///
/// # Errors
/// The columns cannot be read, or the monitor says stop.
pub(super) fn choose(
    data: &Dataset,
    metric: Metric,
    count: usize,
    monitor: &dyn Monitor,
) -> Result<Vec<u32>> {
    let mut rng = random::generator(SEED, &[]);
    let mut pool = neighbors::everyone(data.n_samples());
    if count == pool.len() {
        return Ok(pool);
    }
    let drawn = pool.len().min(POOL * count);
    random::draw(&mut pool, drawn, &mut rng);
    pool.truncate(drawn);
    pool.sort_unstable();
    // How far the nearest landmark is, squared; nobody is nearer than anybody before the first round.
    let mut squares = vec![1.0; pool.len()];
    let mut chosen: Vec<u32> = Vec::with_capacity(count);
    for round in 1..=ROUNDS {
        let new = drawn_by(&squares, (count * round / ROUNDS).max(1) - chosen.len(), &mut rng);
        let mut landmarks: Vec<u32> = new.iter().map(|&at| pool[at]).collect();
        landmarks.sort_unstable();
        chosen.extend(&landmarks);
        if chosen.len() == count {
            break;
        }
        if !landmarks.is_empty() {
            let found = neighbors::nearest_landmarks(data, metric, (&pool, &landmarks), 1, monitor)?;
            for (at, square) in squares.iter_mut().enumerate() {
                let nearest = found.of(at, 0).first().map_or(f64::INFINITY, |nb| metric.square(nb.distance));
                *square = if round == 1 { nearest } else { square.min(nearest) };
            }
        }
        // Whoever is a landmark is not drawn again.
        pool.iter().zip(&mut squares).filter(|(i, _)| chosen.contains(i)).for_each(|(_, s)| *s = TAKEN);
    }
    chosen.sort_unstable();
    Ok(chosen)
}

/// The weight of who cannot be drawn.
const TAKEN: f64 = -1.0;

/// So many different places, each drawn with a chance in proportion to its weight, and those of weight 0 after all others
/// (Efraimidis and Spirakis: the largest of ln(u)/w).
fn drawn_by(weights: &[f64], count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let key = |(at, &weight): (usize, &f64)| {
        let chance = random::unit(rng).ln();
        (weight != TAKEN).then(|| (if weight > 0.0 { chance / weight } else { f64::NEG_INFINITY }, at))
    };
    let mut keys: Vec<(f64, usize)> = weights.iter().enumerate().filter_map(key).collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    keys.into_iter().take(count).map(|key| key.1).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Silent;
    use crate::dataset::Scaling;

    fn line(values: &[f64]) -> Dataset {
        let rows: Vec<[f64; 1]> = values.iter().map(|&v| [v]).collect();
        Dataset::from_rows(&rows).unwrap().scaled(Scaling::None)
    }

    #[test]
    fn landmarks_are_different_samples_the_same_every_time() {
        let values: Vec<f64> = (0..997).map(|i| f64::from(i * i % 101)).collect();
        let data = line(&values);
        for count in [2, 3, 5, 40, 500, 996, 997] {
            let chosen = choose(&data, Metric::Euclidean, count, &Silent).unwrap();
            assert_eq!(chosen.len(), count);
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen[count - 1] < 997);
            assert_eq!(chosen, choose(&data, Metric::Euclidean, count, &Silent).unwrap());
        }
    }

    #[test]
    fn a_small_group_far_away_has_a_landmark_and_duplicates_do_not_crowd_it_out() {
        // Ten of two thousand samples are elsewhere: forty landmarks drawn evenly would miss them more often than not.
        let mut values = vec![0.0; 1990];
        values.extend(vec![50.0; 10]);
        let chosen = choose(&line(&values), Metric::Euclidean, 40, &Silent).unwrap();
        assert!(chosen.iter().any(|&i| i >= 1990));
        assert_eq!(chosen.len(), 40);
    }

    #[test]
    fn chances_follow_the_weights() {
        let mut rng = random::generator(3, &[]);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            drawn_by(&[1.0, 3.0, 0.0, TAKEN], 1, &mut rng).iter().for_each(|&at| counts[at] += 1);
        }
        assert!((800..1200).contains(&counts[0]) && counts[0] + counts[1] == 4000, "{counts:?}");
        assert_eq!(drawn_by(&[0.0, 2.0, TAKEN], 3, &mut rng), [1, 0]);
    }
}
