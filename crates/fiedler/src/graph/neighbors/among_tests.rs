//! The search among landmarks: everyone measured against each of them, and sorted.

use super::*;

/// As it is defined: a landmark is its own nearest.
fn expected(rows: &[Vec<f64>], metric: Metric, landmarks: &[u32], k: usize, i: usize) -> Vec<(u32, f64)> {
    let distance = |&j: &u32| {
        let itself = j as usize == i;
        if itself && metric != Metric::Cosine {
            0.0
        } else {
            naive_distance(metric, &rows[i], &rows[j as usize])
        }
    };
    let mut all: Vec<(u32, f64)> = landmarks.iter().zip(0..).map(|(j, c)| (c, distance(j))).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let last = all[k - 1].1;
    let tied = all.iter().filter(|e| (e.1 - last).abs() <= 1e-11 * last).count();
    let end = all.iter().take_while(|e| e.1 <= last * (1.0 + 1e-11)).count();
    all.truncate(if tied <= 64 { end } else { k });
    all
}

fn check(rows: &[Vec<f64>], metric: Metric, landmarks: &[u32], k: usize, tolerance: f64) {
    for data in [dense(rows), sparse(rows)] {
        let samples: Vec<u32> = (0..rows.len() as u32).filter(|i| i % 3 != 1).collect();
        let found = nearest_landmarks(&data, metric, (&samples, landmarks), k, &Silent).unwrap();
        for (at, &i) in samples.iter().enumerate() {
            let expected = expected(rows, metric, landmarks, k, i as usize);
            let found: Vec<(u32, f64)> = found.of(at, 0).iter().map(|nb| (nb.index, nb.distance)).collect();
            let numbers = |list: &[(u32, f64)]| list.iter().map(|e| e.0).collect::<Vec<_>>();
            assert_eq!(numbers(&found), numbers(&expected), "{metric:?}, sample {i}: {found:?} {expected:?}");
            for (a, b) in found.iter().zip(&expected) {
                assert!(
                    (a.1 - b.1).abs() <= tolerance * b.1 + 1e-14,
                    "{metric:?}, sample {i}: {a:?} is not {b:?}"
                );
            }
        }
    }
}

#[test]
fn every_metric_and_shape_with_few_and_many_landmarks() {
    let rows = Noise(5).rows(600, 7, |v| if v < 0.3 { 0.0 } else { v - 0.5 });
    let every = |step: usize| (0..600).step_by(step).collect::<Vec<u32>>();
    for &metric in METRICS {
        for (landmarks, k) in [(every(200), 3), (every(60), 1), (every(7), 5), (every(1), 4)] {
            check(&rows, metric, &landmarks, k, 1e-12);
        }
    }
}

#[test]
fn features_beyond_one_block_are_summed_up() {
    let rows = Noise(6).rows(300, 1100, |v| if v < 0.5 { 0.0 } else { v });
    check(&rows, Metric::Euclidean, &(0..300).step_by(5).collect::<Vec<u32>>(), 4, 1e-11);
}

#[test]
fn what_single_precision_cannot_tell_apart_is_looked_at_again() {
    // Clusters of width 1e-9 at distance 1: products in single precision see points, those in double precision hardly more.
    let mut noise = Noise(7);
    let rows: Vec<Vec<f64>> =
        (0..500).map(|i| (0..3).map(|_| f64::from(i % 2) + 1e-9 * (noise.next() - 0.5)).collect()).collect();
    let landmarks: Vec<u32> = (0..500).collect();
    let found =
        nearest_landmarks(&dense(&rows), Metric::Euclidean, (&landmarks, &landmarks), 2, &Silent).unwrap();
    for i in 0..500 {
        let wanted = expected(&rows, Metric::Euclidean, &landmarks, 2, i);
        let numbers: Vec<u32> = found.of(i, 0).iter().map(|nb| nb.index).collect();
        assert_eq!(numbers, wanted.iter().map(|e| e.0).collect::<Vec<_>>());
    }
    // Nothing but duplicates: too many to share.
    let same = vec![vec![1.0, 2.0]; 200];
    let landmarks: Vec<u32> = (0..200).step_by(2).collect();
    let found =
        nearest_landmarks(&dense(&same), Metric::Euclidean, (&[0, 1], &landmarks), 2, &Silent).unwrap();
    assert_eq!(found.of(1, 0).iter().map(|nb| nb.index).collect::<Vec<_>>(), [0, 1]);
    assert!(found.warning().is_some());
}
