//! Ties at the k-th neighbor: whoever is as near as the last shares its place.
//!
//! Where the k-th nearest and others beyond it are equally far, taking the first in the file would make scores
//! depend on the order of the rows: by 1 to 20 % on tables of whole numbers. So all of them are neighbors, and the places that are
//! left are shared out among them evenly: with r places for t samples that tie, each counts r/t. A sample without
//! ties has k neighbors that count 1.
//!
//! Distances tie where they differ by rounding alone: the rounding of scaled values depends on the means, and
//! those on the order of the rows.
//!
//! Where more than [`MOST_TIED`] would share (duplicates by the hundred), the first in the file are taken after all, and
//! a warning says for how many samples.

use super::Neighbor;

/// Distances that differ by no more than this share of themselves tie.
pub(super) const TIE: f64 = 1e-11;

/// Most samples that share the last places.
pub(super) const MOST_TIED: usize = 64;

/// How many of the samples `sorted` by distance are neighbors, where k are wanted; `None` where too many tie for
/// the last places.
pub(super) fn reach(sorted: &[Neighbor], k: usize) -> Option<usize> {
    let Some(last) = k.checked_sub(1).and_then(|at| sorted.get(at)) else { return Some(sorted.len()) };
    let end = sorted.partition_point(|nb| nb.distance <= last.distance * (1.0 + TIE));
    (end == k || end - nearer(sorted, k) <= MOST_TIED).then_some(end)
}

/// How many are nearer than the k-th.
fn nearer(sorted: &[Neighbor], k: usize) -> usize {
    sorted.partition_point(|nb| nb.distance < sorted[k - 1].distance * (1.0 - TIE))
}

/// A list of neighbors, nearest first, with what each counts.
pub(crate) fn shares(list: &[Neighbor], k: usize) -> impl Iterator<Item = (&Neighbor, f64)> {
    let (nearer, share) = if list.len() > k {
        let nearer = nearer(list, k);
        (nearer, (k - nearer) as f64 / (list.len() - nearer) as f64)
    } else {
        (list.len(), 1.0)
    };
    list.iter().enumerate().map(move |(at, nb)| (nb, if at < nearer { 1.0 } else { share }))
}

/// A warning where samples could not share.
pub(crate) fn crowded(samples: usize, k: usize) -> Option<String> {
    (samples > 0).then(|| {
        format!(
            "for {samples} samples more than {MOST_TIED} others are as near as the last of {k} neighbors, and \
             those first in the data were taken: the order of the rows matters; are rows repeated, or the features \
             too few?"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(distances: &[f64]) -> Vec<Neighbor> {
        distances.iter().zip(0..).map(|(&distance, index)| Neighbor { index, distance }).collect()
    }

    fn counts(distances: &[f64], k: usize) -> Vec<f64> {
        let list = list(distances);
        let end = reach(&list, k).unwrap_or(k).min(list.len());
        shares(&list[..end], k).map(|(_, share)| share).collect()
    }

    #[test]
    fn places_that_are_left_are_shared() {
        assert_eq!(counts(&[1.0, 2.0, 3.0, 4.0], 2), [1.0, 1.0]);
        assert_eq!(counts(&[1.0, 2.0, 2.0, 4.0], 2), [1.0, 0.5, 0.5]);
        assert_eq!(counts(&[1.0, 1.0, 1.0, 4.0], 2), [2.0 / 3.0; 3]);
        assert_eq!(counts(&[0.0, 0.0, 0.0, 0.0], 3), [0.75; 4]);
        // A tie inside is none, nor is one with too few others.
        assert_eq!(counts(&[1.0, 1.0, 2.0, 3.0], 3), [1.0; 3]);
        assert_eq!(counts(&[1.0, 1.0], 5), [1.0; 2]);
        // Rounding does not separate, anything more does.
        assert_eq!(counts(&[1.0, 2.0, 2.0 + 4e-16, 3.0], 2), [1.0, 0.5, 0.5]);
        assert_eq!(counts(&[1.0, 2.0, 2.0 + 1e-9, 3.0], 2), [1.0, 1.0]);
    }

    #[test]
    fn too_many_do_not_share() {
        assert_eq!(counts(&[0.0; MOST_TIED + 1], 3), [1.0; 3]);
        assert_eq!(counts(&[0.0; MOST_TIED], 3), [3.0 / MOST_TIED as f64; MOST_TIED]);
        assert_eq!(reach(&list(&[0.0; 100]), 100), Some(100));
    }
}
