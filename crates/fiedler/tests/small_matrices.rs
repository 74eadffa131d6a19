//! Odd small matrices through every method, the same ones on every run: constants, ties, huge and tiny values, one sample,
//! one feature, copies, labels for some. An answer with finite scores or reasons, in their order and the same on
//! one thread and two, or a sentence.

mod small;

/// Matrices a method, unless `MATRICES` says otherwise.
const COUNT: usize = 1000;

/// Bytes a matrix is drawn from: as many as the largest takes.
const BYTES: usize = 400;

/// Bytes that look random: SplitMix64.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()
    };
    (0..BYTES / 8).flat_map(|_| next()).collect()
}

#[test]
fn every_method_answers_about_every_small_matrix() {
    let count = std::env::var("MATRICES").ok().and_then(|n| n.parse().ok()).unwrap_or(COUNT);
    let only = std::env::var("METHOD_ONLY").ok();
    for entry in fiedler::methods::all() {
        if only.as_deref().is_some_and(|name| name != entry.info.name) {
            continue;
        }
        let answered = (0..count).filter(|&i| small::check(&bytes(i as u64), entry)).count();
        println!("{}: {answered} of {count} answered", entry.info.name);
        // A method that refused everything would pass without having been tried.
        assert!(answered * 20 >= count, "{}: only {answered} of {count} answered", entry.info.name);
    }
}
