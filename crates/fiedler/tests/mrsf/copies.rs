//! Features that tie, copies, near-copies and collinear columns.

use fiedler::methods::{Mrsf, Targets};
use fiedler::solve::{End, Path};
use fiedler::{Labels, Silent};

use crate::textbook::{Noise, Textbook, checked_path, dataset, random, walk};

/// Two equally relevant, uncorrelated directions; feature 1 is nearly a copy of feature 0 (exactly one for
/// `tilt` 0), feature 2 is not.
fn redundant(tilt: f64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let (a, b, c) = ([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0]);
    let x = (0..8).map(|i| vec![a[i], a[i] + tilt * c[i % 2], b[i % 4], 0.3 * a[i] + c[i % 2]]).collect();
    let y = (0..8).map(|i| vec![1.1 * a[i] + b[i % 4], a[i] - b[i % 4]]).collect();
    (x, y)
}

#[test]
fn theorem_16_a_copy_loses_to_an_uncorrelated_feature() {
    for tilt in [0.0, 1e-9, 1e-7, 3e-7, 1e-6, 1e-5, 1e-4, 0.05] {
        let (x, y) = redundant(tilt);
        let found = checked_path("redundant", &x, &y, 2);
        assert_eq!(found.end, End::Complete, "{tilt}");
        let mut active: Vec<usize> = found.entries.iter().map(|e| e.0).collect();
        active.sort_unstable();
        assert_eq!(active, [0, 2], "{tilt}");
        assert!(iterations(&walk(&x, &y, 3)) < 2000, "{tilt}: {}", iterations(&walk(&x, &y, 3)));
    }
}

/// f_d enters first; f_p and f_q say the same of Y, f_pᵀY = f_qᵀY, but f_p is correlated with f_d and f_q is not.
#[test]
fn theorem_16_under_the_conditions_of_the_paper() {
    let (a, b, c) = ([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0], [1.0, 1.0, -1.0, -1.0], [1.0, -1.0]);
    for cosine in [0.5_f64, 0.8, 0.95, 0.999] {
        let sine = (1.0 - cosine * cosine).sqrt();
        let x: Vec<Vec<f64>> =
            (0..8).map(|i| vec![cosine * a[i] + sine * c[i % 2], a[i], b[i % 4]]).collect();
        let target =
            |i: usize, d: f64, rest: f64| d * a[i] + rest * c[i % 2] + (cosine * d + sine * rest) * b[i % 4];
        let y: Vec<Vec<f64>> = (0..8).map(|i| vec![target(i, 2.0, 0.1), target(i, 1.0, -0.2)]).collect();
        let book = Textbook::new(&x, &y);
        let (p, q) = (book.product(0, &book.targets), book.product(2, &book.targets));
        assert!(p.iter().zip(&q).all(|(p, q)| (p - q).abs() <= 1e-12), "the conditions hold");
        let found = checked_path("theorem 16", &x, &y, 2);
        let order: Vec<usize> = found.entries.iter().map(|e| e.0).collect();
        assert_eq!(order, [1, 2], "{cosine}");
    }
}

/// Newton steps and sweeps of a path.
fn iterations(path: &Path) -> usize {
    path.points.last().map_or(0, |p| p.iterations)
}

#[test]
fn near_copies_do_not_stall_the_path() {
    for (seed, tilt) in
        [(1, 2e-7), (2, 3e-7), (3, 5e-7), (4, 5e-7), (5, 1e-6), (6, 3e-6), (7, 1e-5), (8, 1e-4)]
    {
        let (mut x, y) = random(80, 40, 3, seed);
        let mut noise = Noise(seed + 100);
        x.iter_mut().for_each(|r| {
            for j in 0..3 {
                r.push(r[j] + tilt * noise.next());
            }
        });
        let found = walk(&x, &y, 40);
        assert_eq!(found.end, End::Complete, "{tilt}");
        let last = found.points.last().expect("a point");
        Textbook::new(&x, &y).assert_optimal("near-copies", last, 2e-7);
        assert!(last.iterations < 2000, "{tilt}: {}", last.iterations);
    }
}

#[test]
fn many_near_copies_do_not_stall_the_path() {
    for tilt in [3e-7, 1e-6, 1e-5] {
        let (mut x, y) = random(60, 12, 2, 5);
        let mut noise = Noise(55);
        x.iter_mut().for_each(|r| {
            for j in 0..48 {
                r.push(r[j % 12] + tilt * noise.next());
            }
        });
        let found = walk(&x, &y, 12);
        Textbook::new(&x, &y).assert_optimal("near-copies", found.points.last().expect("a point"), 2e-7);
        assert!(iterations(&found) < 5000, "{tilt}: {}", iterations(&found));
    }
}

#[test]
fn a_copy_of_an_active_feature_never_becomes_active() {
    let (mut x, y) = random(30, 12, 3, 21);
    // Copies, mirror images and rescaled copies of the first three.
    x.iter_mut().for_each(|r| r.extend([r[0], -r[1], 7.0 * r[2] + 3.0]));
    let found = checked_path("copies", &x, &y, 12);
    assert_eq!(found.end, End::Complete);
    let mut originals: Vec<usize> = found.entries.iter().map(|e| e.0 % 12).collect();
    originals.sort_unstable();
    assert_eq!(originals, (0..12).collect::<Vec<_>>(), "one of each pair, and nothing twice");
    let last = found.points.last().expect("a point").lambda;
    for copy in 12..15 {
        assert!((found.norms[copy] / last - 1.0).abs() < 1e-7, "a copy sits on the bound");
    }
}

#[test]
fn data_in_which_everything_is_there_twice_give_every_count() {
    for seed in 0..12 {
        let (mut x, y) = random(30, 6, 1 + (seed % 2) as usize, 200 + seed);
        x.iter_mut().for_each(|r| r.extend_from_within(..));
        for count in 1..=6 {
            let found = walk(&x, &y, count);
            assert_eq!(found.end, End::Complete, "{seed}, {count}");
            let mut kinds: Vec<usize> = found.entries.iter().map(|e| e.0 % 6).collect();
            kinds.sort_unstable();
            kinds.dedup();
            assert_eq!(kinds.len(), count, "{seed}: one of each pair");
        }
        checked_path("twice", &x, &y, 6);
    }
}

#[test]
fn a_duplicate_of_the_last_feature_changes_nothing() {
    for seed in 0..12 {
        let (x, y) = random(30, 8, 2, 300 + seed);
        let order: Vec<usize> = walk(&x, &y, 8).entries.iter().map(|e| e.0).collect();
        for count in [1, 2, 3, 5] {
            let expected = walk(&x, &y, count);
            let doubled: Vec<Vec<f64>> =
                x.iter().map(|r| r.iter().copied().chain([r[order[count - 1]]]).collect()).collect();
            let found = walk(&doubled, &y, count);
            assert_eq!(found.end, End::Complete, "{seed}, {count}");
            for (a, b) in found.entries.iter().zip(&expected.entries) {
                assert_eq!(a.0, b.0, "{seed}, {count}");
                assert!((a.1 / b.1 - 1.0).abs() <= 1e-7);
            }
        }
    }
}

#[test]
fn thousands_of_copies_are_set_aside_at_once() {
    let (base, y) = random(40, 5, 2, 400);
    let x: Vec<Vec<f64>> = base.iter().map(|r| r.iter().flat_map(|&v| [v; 500]).collect()).collect();
    for count in [1, 3, 5] {
        let found = walk(&x, &y, count);
        assert_eq!(found.end, End::Complete, "{count}");
        assert_eq!(found.entries.len(), count);
        // All but one of each kind are copies, of active features or of each other.
        assert_eq!(found.copies.len(), 2500 - 5, "{count}");
        assert!(found.copies.iter().all(|(copy, twin)| copy / 500 == twin / 500 && copy != twin));
    }
}

/// Columns of a Hadamard matrix: orthogonal, of equal length.
fn hadamard() -> Vec<Vec<f64>> {
    let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
    (0..8).map(|i| (1..8).map(|j| sign(i, j)).collect()).collect()
}

#[test]
fn features_that_tie_enter_together_whatever_the_count() {
    let x = hadamard();
    for tied in 2..=6 {
        // `tied` features of one relevance, the rest of another, for one and for two targets.
        let weight = |j: usize| if j < tied { 1.0 } else { 0.3 };
        for q in [1, 2] {
            let targets = |r: &Vec<f64>| {
                (0..q)
                    .map(|l| (0..7).filter(|j| q == 1 || j % 2 == l).map(|j| weight(j) * r[j]).sum())
                    .collect()
            };
            let y: Vec<Vec<f64>> = x.iter().map(targets).collect();
            for count in 1..=7 {
                let found = checked_path("tied", &x, &y, count);
                let expected = if count <= tied { tied } else { 7 };
                assert_eq!(found.entries.len(), expected, "{tied} tied, {count} asked for, {q} targets");
                let end = if expected == count { End::Complete } else { End::Together };
                assert_eq!(found.end, end, "{tied} tied, {count} asked for");
            }
        }
    }
}

#[test]
fn indicator_columns_of_balanced_classes_tie() {
    for classes in 3..=6 {
        let codes: Vec<usize> = (0..4 * classes).map(|i| i / 4).collect();
        let mut noise = Noise(classes as u64);
        let x: Vec<Vec<f64>> = codes
            .iter()
            .map(|&c| (0..classes).map(|l| f64::from(u8::from(l == c))).chain([noise.next()]).collect())
            .collect();
        let data = dataset(&x).labeled(Labels::from_codes(&codes)).expect("labels");
        for count in 1..=classes {
            let method = Mrsf { count, targets: Targets::Labels, ..Mrsf::default() };
            let (_, found) = method.rank_with_path(&data, &Silent).expect("ranks");
            let end = if count == classes { End::Complete } else { End::Together };
            assert_eq!((found.end, found.entries.len()), (end, classes), "{classes} classes, {count}");
        }
    }
}

#[test]
fn features_that_nearly_tie_are_told_apart() {
    // Relevance 1, ½ and ½(1-ε): exactly two are active in a range of λ of width ε/2.
    let x = hadamard();
    for gap in [1e-6, 5e-6, 2e-5, 1e-4] {
        let y: Vec<Vec<f64>> = x.iter().map(|r| vec![r[0] + 0.5 * r[1] + 0.5 * (1.0 - gap) * r[2]]).collect();
        let found = checked_path("nearly tied", &x, &y, 2);
        assert_eq!((found.end, found.entries.len()), (End::Complete, 2), "{gap}");
    }
}

#[test]
fn collinear_columns_are_no_obstacle() {
    for q in [1, 4] {
        let (mut x, y) = random(25, 6, q, 31);
        // Sums and differences: rank 6, eleven columns.
        x.iter_mut()
            .for_each(|r| r.extend([r[0] + r[1], r[0] - r[1], r[2] + r[3], r[1] + r[4], r[0] + r[5]]));
        let found = checked_path("collinear", &x, &y, 6);
        assert_eq!(found.end, End::Complete, "{q} targets");
    }
}

#[test]
fn features_that_enter_together_are_reported() {
    // Orthogonal and equally relevant: both enter at λ_max, and no λ has exactly one of them.
    let x: Vec<Vec<f64>> = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(Vec::from).to_vec();
    let y: Vec<Vec<f64>> = x.iter().map(|r| vec![r[0] + r[1]]).collect();
    let found = checked_path("together", &x, &y, 1);
    assert_eq!((found.end, found.entries.len()), (End::Together, 2));
}
