//! Random choices from a seeded generator: the same seed, the same choice on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A generator for the part `path` of a piece of work: parts that run side by side each have
/// their own, so that what is drawn does not depend on who comes first.
pub(crate) fn generator(seed: u64, path: &[u64]) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for &part in path {
        rng = ChaCha8Rng::seed_from_u64(rng.next_u64() ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
    rng
}

/// A seed for the part `path` of a piece of work that draws for itself.
pub(crate) fn derived(seed: u64, path: &[u64]) -> u64 {
    generator(seed, path).next_u64()
}

/// A whole number below `bound`; 64 bits leave no bias that could be seen.
pub(crate) fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// A number from 0 to 1, 1 excluded.
pub(crate) fn unit(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Puts a list into random order (Fisher and Yates).
pub(crate) fn shuffle<T>(list: &mut [T], rng: &mut ChaCha8Rng) {
    for i in (1..list.len()).rev() {
        list.swap(i, below(rng, i + 1));
    }
}

/// Brings `count` elements, drawn at random, to the front of a list.
pub(crate) fn draw<T>(list: &mut [T], count: usize, rng: &mut ChaCha8Rng) {
    for i in 0..count {
        list.swap(i, i + below(rng, list.len() - i));
    }
}
