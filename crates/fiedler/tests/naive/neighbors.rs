//! Neighbors as they are defined: sorted, and whoever ties with the last shares its place.
#![allow(dead_code, unreachable_pub)]

/// The k nearest of `among`, nearest first, with what each counts: those that are as near as the k-th share the places
/// that nearer ones leave.
pub fn counted(distances: &[f64], among: impl Iterator<Item = usize>, k: usize) -> Vec<(usize, f64)> {
    let mut order: Vec<usize> = among.collect();
    order.sort_by(|&a, &b| distances[a].partial_cmp(&distances[b]).expect("finite").then(a.cmp(&b)));
    let Some(&last) = order.get(k - 1) else { return order.into_iter().map(|j| (j, 1.0)).collect() };
    let gap = 1e-11 * distances[last];
    let nearer: Vec<usize> =
        order.iter().copied().filter(|&j| distances[j] < distances[last] - gap).collect();
    let tied: Vec<usize> =
        order.iter().copied().filter(|&j| (distances[j] - distances[last]).abs() <= gap).collect();
    let share = (k - nearer.len()) as f64 / tied.len() as f64;
    nearer.into_iter().map(|j| (j, 1.0)).chain(tied.into_iter().map(|j| (j, share))).collect()
}

/// What every pair counts: the larger of its two directions.
pub fn union(distances: &[Vec<f64>], k: usize) -> Vec<Vec<f64>> {
    let n = distances.len();
    let mut counts = vec![vec![0.0_f64; n]; n];
    for i in 0..n {
        for (j, share) in counted(&distances[i], (0..n).filter(|&j| j != i), k) {
            counts[i][j] = counts[i][j].max(share);
            counts[j][i] = counts[j][i].max(share);
        }
    }
    counts
}
