//! Against the textbook: all pairs, sorted by (distance, index).

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::panels::Sizes;
use super::*;
use crate::dataset::{Block, ColumnStats, Columns, Dense, Order, Scaling, Sparse};
use crate::limits::Bytes;
use crate::monitor::Limited;
use crate::{Limits, Silent};

const METRICS: &[Metric] = Metric::ALL;

/// Numbers from 0 to 1 that look random, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn rows(&mut self, n: usize, m: usize, mut f: impl FnMut(f64) -> f64) -> Vec<Vec<f64>> {
        (0..n).map(|_| (0..m).map(|_| f(self.next())).collect()).collect()
    }
}

fn dense(rows: &[Vec<f64>]) -> Dataset {
    Dataset::from_rows(rows).unwrap().scaled(Scaling::None)
}

fn sparse(rows: &[Vec<f64>]) -> Dataset {
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..rows[0].len() {
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[j] != 0.0) {
            indices.push(i as u32);
            values.push(row[j]);
        }
        offsets.push(indices.len());
    }
    Dataset::new(Sparse::new(offsets, indices, values, rows.len()).unwrap()).unwrap().scaled(Scaling::None)
}

fn naive_distance(metric: Metric, x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    match metric {
        // In the coordinates that searches get, Mahalanobis distances are euclidean.
        Metric::Euclidean | Metric::Mahalanobis => {
            (0..x.len()).for_each(|l| sum += (x[l] - y[l]) * (x[l] - y[l]))
        }
        Metric::Manhattan => (0..x.len()).for_each(|l| sum += (x[l] - y[l]).abs()),
        Metric::Cosine => {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let norms = (dot(x, x) * dot(y, y)).sqrt();
            sum = if norms > 0.0 { (1.0 - dot(x, y) / norms).max(0.0) } else { 1.0 };
        }
    }
    sum
}

fn naive(rows: &[Vec<f64>], metric: Metric, k: usize, codes: &[u32], class: u32) -> Vec<Vec<(u32, f64)>> {
    (0..rows.len())
        .map(|i| {
            let mut all: Vec<(u32, f64)> = (0..rows.len())
                .filter(|&j| j != i && codes[j] == class)
                .map(|j| (j as u32, naive_distance(metric, &rows[i], &rows[j])))
                .collect();
            all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            // Whoever ties with the last is a neighbor too, unless they are very many.
            let last = all.get(k - 1).map_or(f64::INFINITY, |e| e.1);
            let tied = all.iter().filter(|e| (e.1 - last).abs() <= 1e-11 * last).count();
            let beyond = all.iter().skip(k).take_while(|e| e.1 <= last * (1.0 + 1e-11)).count();
            all.truncate(if tied <= 64 { k + beyond } else { k });
            all
        })
        .collect()
}

/// Everyone searches.
fn by_class(data: &Dataset, metric: Metric, k: usize, codes: &[u32], n_classes: usize) -> NeighborLists {
    let query = Query { k, codes, n_classes, searching: &everyone(codes.len()) };
    nearest_by_class(data, metric, &query, &Silent).unwrap()
}

/// Same neighbors, and distances equal to rounding.
fn check_classes(data: &Dataset, rows: &[Vec<f64>], metric: Metric, k: usize, codes: &[u32], tolerance: f64) {
    let n_classes = codes.iter().max().unwrap() + 1;
    let found = by_class(data, metric, k, codes, n_classes as usize);
    for class in 0..n_classes {
        let expected = naive(rows, metric, k, codes, class);
        for (i, expected) in expected.iter().enumerate() {
            let found = found.of(i, class as usize);
            let indices: Vec<u32> = found.iter().map(|nb| nb.index).collect();
            let wanted: Vec<u32> = expected.iter().map(|e| e.0).collect();
            assert_eq!(indices, wanted, "{metric:?}, sample {i}, class {class}: {found:?} {expected:?}");
            for (nb, e) in found.iter().zip(expected) {
                let close = (nb.distance - e.1).abs() <= tolerance * e.1 + 1e-15;
                assert!(close, "{metric:?}, sample {i}: {} is not {}", nb.distance, e.1);
            }
        }
    }
}

fn check(rows: &[Vec<f64>], metric: Metric, k: usize, tolerance: f64) {
    let codes = vec![0; rows.len()];
    check_classes(&dense(rows), rows, metric, k, &codes, tolerance);
    check_classes(&sparse(rows), rows, metric, k, &codes, tolerance);
}

#[test]
fn random_data_in_every_metric_and_shape() {
    for (n, m, k) in [(2, 1, 1), (3, 7, 2), (40, 3, 39), (300, 65, 7), (530, 20, 10), (90, 1100, 5)] {
        let rows = Noise(7).rows(n, m, |v| v - 0.3);
        METRICS.iter().for_each(|&metric| check(&rows, metric, k, 1e-10));
    }
}

#[test]
fn whole_numbers_tie_exactly_and_all_of_them_are_neighbors() {
    let rows = Noise(3).rows(310, 6, |v| (v * 3.0).floor());
    METRICS.iter().for_each(|&metric| check(&rows, metric, 9, 0.0));
    let rows = Noise(5).rows(280, 130, |v| (v * 1.2).floor());
    METRICS.iter().for_each(|&metric| check(&rows, metric, 12, 0.0));
}

#[test]
fn classes_with_fewer_members_than_neighbors() {
    let rows = Noise(11).rows(330, 12, |v| (v * 5.0).floor() - 2.0);
    let codes: Vec<u32> = (0..330).map(|i| if i < 3 { 2 } else { (i % 7 == 0) as u32 * 3 + 1 }).collect();
    for metric in METRICS.iter().copied() {
        check_classes(&dense(&rows), &rows, metric, 6, &codes, 0.0);
        check_classes(&sparse(&rows), &rows, metric, 6, &codes, 0.0);
    }
}

#[test]
fn duplicates_are_exactly_zero_apart_and_searched_among_everyone() {
    // 700 copies of one row are more candidates than any list takes.
    let mut rows = Noise(13).rows(900, 5, |v| v);
    let copy = rows[17].clone();
    rows[200..].iter_mut().for_each(|row| row.clone_from(&copy));
    for metric in METRICS.iter().copied() {
        check(&rows, metric, 4, 1e-10);
        let found = nearest(&dense(&rows), metric, 4, &Silent).unwrap();
        assert!(found.of(800, 0).iter().all(|nb| nb.distance == 0.0));
        // The copies, and whoever has them all among its nearest.
        assert!(found.of(800, 0).len() == 4 && (701..800).contains(&found.crowded), "{}", found.crowded);
        assert!(found.warning().unwrap().contains("more than 64 others"));
    }
}

#[test]
fn tight_clusters_far_apart_and_large_offsets() {
    let mut noise = Noise(17);
    // The spread is a power of two, so that adding the offset rounds nothing away.
    let clusters: Vec<Vec<f64>> = (0..1500)
        .map(|i| {
            (0..8).map(|_| (i % 2) as f64 * 1048576.0 + (noise.next() * 512.0).floor() / 524288.0).collect()
        })
        .collect();
    check(&clusters, Metric::Euclidean, 5, 0.0);
    check(&clusters, Metric::Manhattan, 5, 0.0);
    let shifted = noise.rows(400, 9, |v| 1e8 + (v * 1024.0).floor() / 64.0);
    check(&shifted, Metric::Euclidean, 8, 0.0);
    check(&shifted, Metric::Manhattan, 8, 0.0);
}

#[test]
fn many_features_of_any_kind() {
    let mut noise = Noise(29);
    for (n, m) in [(130, 256), (97, 301), (150, 777)] {
        let mut kinds = vec![
            noise.rows(n, m, |v| v - 0.5),
            noise.rows(n, m, |v| (v * 3.0).floor()),
            noise.rows(n, m, |v| if v < 0.98 { 0.0 } else { 1e4 * v }),
            noise.rows(n, m, |v| 1e-30 * v),
        ];
        let mut mixed = noise.rows(n, m, |v| v);
        mixed[3] = vec![1e6; m];
        mixed[5] = vec![0.0; m];
        mixed[8] = mixed[7].clone();
        mixed.iter_mut().for_each(|row| row[m - 1] *= 1e3);
        kinds.push(mixed);
        for rows in &kinds {
            METRICS
                .iter()
                .for_each(|&metric| check_classes(&dense(rows), rows, metric, 6, &vec![0; n], 1e-9));
        }
        let codes: Vec<u32> = (0..n as u32).map(|i| i % 3).collect();
        check_classes(&dense(&kinds[0]), &kinds[0], Metric::Euclidean, 4, &codes, 1e-9);
    }
}

#[test]
fn what_whole_numbers_cannot_tell_apart_single_precision_does() {
    // Two cubes of width 0.06, one apart along every axis: what tells neighbors in one of them apart is no more than whole numbers
    // may err by.
    let mut noise = Noise(31);
    let rows: Vec<Vec<f64>> = (0..1200)
        .map(|i| (0..300).map(|_| f64::from(i % 2) + 0.06 * (noise.next() - 0.5)).collect())
        .collect();
    let (data, everyone) = (dense(&rows), everyone(1200));
    let query = Query { k: 5, codes: &[0; 1200], n_classes: 1, searching: &everyone };
    let mut search = Search::new(&data, Metric::Euclidean, &query, &Silent).unwrap();
    if whole::pays(&data, Metric::Euclidean) {
        let open = search.in_tiles::<f32>(&everyone, true).unwrap();
        assert!(open.len() > 600, "{}", open.len());
        assert_eq!(search.in_tiles::<f32>(&open, false).unwrap(), [0; 0]);
    }
    check_classes(&data, &rows, Metric::Euclidean, 5, &[0; 1200], 1e-9);
}

#[test]
fn an_outlier_does_not_blur_the_others() {
    let mut rows = Noise(19).rows(600, 10, |v| v);
    rows[5] = vec![1e12; 10];
    METRICS.iter().for_each(|&metric| check(&rows, metric, 3, 1e-9));
}

#[test]
fn tiny_and_huge_values() {
    let rows = Noise(23).rows(120, 6, |v| (v * 64.0).floor());
    let codes = vec![0; 120];
    for exponent in [-460, -400, 330, 450] {
        let factor = f64::from(exponent).exp2();
        let scaled: Vec<Vec<f64>> = rows.iter().map(|r| r.iter().map(|v| v * factor).collect()).collect();
        for metric in METRICS.iter().copied() {
            let power = match metric {
                Metric::Euclidean | Metric::Mahalanobis => factor * factor,
                Metric::Manhattan => factor,
                Metric::Cosine => 1.0,
            };
            let expected = by_class(&dense(&rows), metric, 4, &codes, 1);
            for data in [dense(&scaled), sparse(&scaled)] {
                let found = by_class(&data, metric, 4, &codes, 1);
                for (a, b) in found.neighbors.iter().zip(&expected.neighbors) {
                    assert_eq!(
                        (a.index, a.distance),
                        (b.index, b.distance * power),
                        "{metric:?} 2^{exponent}"
                    );
                }
            }
        }
    }
}

#[test]
fn range_scaling_with_extremes_keeps_order() {
    let mut rows = Noise(29).rows(300, 5, |v| 0.5 + 1e-9 * v);
    rows[0] = vec![0.0; 5];
    rows[1] = vec![1.0; 5];
    let data = dense(&rows).scaled(Scaling::Range);
    check_classes(&data, &rows, Metric::Euclidean, 5, &vec![0; 300], 1e-12);
    check_classes(&data, &rows, Metric::Manhattan, 5, &vec![0; 300], 1e-12);
}

#[test]
fn rows_of_zeros_are_at_cosine_distance_one() {
    let rows = vec![vec![0.0, 0.0], vec![1.0, 1.0], vec![0.0, 0.0], vec![2.0, 2.0]];
    for data in [dense(&rows), sparse(&rows)] {
        let found = nearest(&data, Metric::Cosine, 3, &Silent).unwrap();
        let of = |i: usize| found.of(i, 0).iter().map(|nb| (nb.index, nb.distance)).collect::<Vec<_>>();
        assert_eq!(of(0), [(1, 1.0), (2, 1.0), (3, 1.0)]);
        assert_eq!(of(1), [(3, 0.0), (0, 1.0), (2, 1.0)]);
        assert_eq!(cosines(&data, [(0, 1), (1, 2), (1, 3)].into_iter(), &Silent).unwrap(), [0.0, 0.0, 1.0]);
    }
}

#[test]
fn threads_and_storage_change_no_bit() {
    let rows = Noise(31).rows(700, 70, |v| if v < 0.6 { 0.0 } else { v - 0.7 });
    let flat: Vec<f64> = (0..70).flat_map(|j| rows.iter().map(move |r| r[j])).collect();
    let columns = Dense::new(flat, 700, 70, Order::ColumnMajor).unwrap();
    let columns = Dataset::new(columns).unwrap().scaled(Scaling::None);
    let codes: Vec<u32> = (0..700).map(|i| i % 3).collect();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for metric in METRICS.iter().copied() {
        let find = |data: &Dataset| by_class(data, metric, 9, &codes, 3);
        let one = pool(1).install(|| find(&dense(&rows)));
        assert_eq!(one, pool(4).install(|| find(&dense(&rows))));
        assert_eq!(one, pool(3).install(|| find(&columns)));
        assert_eq!(one, pool(4).install(|| find(&sparse(&rows))));
    }
    let matrix = |data: &Dataset| squared_distances(data, &Silent).unwrap();
    assert_eq!(pool(1).install(|| matrix(&columns)), pool(4).install(|| matrix(&dense(&rows))));
}

/// Several blocks of features, and several runs at every desk.
#[test]
fn threads_and_memory_change_no_bit_of_many_features() {
    let rows = Noise(41).rows(60, 2_100, |v| v - 0.3);
    let (data, codes) = (dense(&rows), vec![0; 60]);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for metric in METRICS.iter().copied() {
        let find = |threads: usize, bytes: u64| {
            let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(bytes)) };
            let query = Query { k: 7, codes: &codes, n_classes: 1, searching: &everyone(60) };
            pool(threads).install(|| nearest_by_class(&data, metric, &query, &monitor).unwrap())
        };
        let one = find(1, 1);
        for (threads, bytes) in [(1, 1 << 30), (3, 1), (3, 1 << 30), (8, 1 << 22), (8, 1 << 30)] {
            assert_eq!(find(threads, bytes), one, "{metric:?}, {threads} threads, {bytes} bytes");
        }
        check_classes(&data, &rows, metric, 7, &codes, 1e-12);
    }
}

/// So many pairs that several tasks share them, in lists of very different lengths.
/// Tiles that do not fit the memory at once.
#[test]
fn whole_numbers_in_several_batches_find_the_same() {
    let rows = Noise(43).rows(2_000, 600, |v| v - 0.5);
    let (data, codes) = (dense(&rows), vec![0; 2_000]);
    for metric in [Metric::Euclidean, Metric::Cosine] {
        let find = |bytes: u64| {
            let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(bytes)) };
            let geometry = Geometry::new(&data, metric, &monitor).unwrap();
            let begins = tiles::begins_with_whole_numbers(&data, &geometry, &monitor);
            assert_eq!(begins, whole::pays(&data, metric) && bytes > 1 << 24, "{bytes}");
            let query = Query { k: 6, codes: &codes, n_classes: 1, searching: &everyone(2_000) };
            nearest_by_class(&data, metric, &query, &monitor).unwrap()
        };
        let all = find(1 << 32);
        assert!(all == find(48 << 20) && all == find(1 << 24), "{metric:?}");
    }
}

/// What whole numbers have lost makes bounds wider, for every metric that takes products.
#[test]
fn bounds_allow_for_what_was_lost() {
    let data = dense(&Noise(47).rows(3, 300, |v| v));
    for metric in [Metric::Euclidean, Metric::Cosine] {
        let geometry = Geometry::new(&data, metric, &Silent).unwrap();
        let norms = vec![0.5, 0.5, 0.25];
        let (nothing, some) = (vec![0.0; 3], vec![1e-6, 0.0, 2e-6]);
        let sizes = |lost: Vec<f64>| Sizes { norms: norms.clone(), lost };
        let (sharp, wide) =
            (geometry.bounds::<f64>(&sizes(nothing), 9), geometry.bounds::<f64>(&sizes(some.clone()), 9));
        for (i, slack) in whole::slack(&sizes(some)).into_iter().enumerate() {
            let (below, above) = (sharp.lower[i] - wide.lower[i], wide.upper[i] - sharp.upper[i]);
            assert!(
                slack > 1e-4 && (below - slack).abs() < 1e-12 && (above - slack).abs() < 1e-12,
                "{metric:?} {i}"
            );
        }
    }
}

#[test]
fn lists_of_any_length_have_the_sums_of_their_pairs() {
    let rows = Noise(43).rows(300, 70, |v| v);
    let data = dense(&rows);
    let geometry = Geometry::new(&data, Metric::Manhattan, &Silent).unwrap();
    let others = |i: u32| (0..300).filter(|j| j % (i % 7 + 1) == 0 && i % 11 != 3).collect();
    let lists: Vec<(u32, Vec<u32>)> = (0..300).map(|i| (i, others(i))).collect();
    assert!(lists.iter().map(|(_, others)| others.len()).sum::<usize>() > 30_000);
    let sums = exact::pair_sums(&data, &geometry, &lists, &Silent).unwrap();
    for ((i, others), sums) in lists.iter().zip(&sums) {
        assert_eq!(others.len(), sums.len());
        for (&j, sum) in others.iter().zip(sums) {
            let wanted = naive_distance(Metric::Manhattan, &rows[*i as usize], &rows[j as usize]);
            let found = geometry.unscaled(*sum);
            assert!((found - wanted).abs() <= 1e-12 * wanted, "{i} {j}: {found} is not {wanted}");
        }
    }
}

/// Columns of which some cannot be read: the later ones at once, the earlier ones after a while.
struct Broken(Dense<f64>);

impl Columns for Broken {
    fn n_samples(&self) -> usize {
        self.0.n_samples()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn stats(&self) -> Option<Vec<ColumnStats>> {
        let column =
            |_| ColumnStats { mean: 0.5, variance: 0.1, min: 0.0, max: 1.0, effective_samples: 20.0 };
        Some((0..self.n_features()).map(column).collect())
    }

    fn block(&self, range: std::ops::Range<usize>) -> Result<Block<'_>> {
        if range.contains(&300) {
            std::thread::sleep(std::time::Duration::from_millis(20));
            return Err(Error::Columns("column 300".into()));
        }
        if range.start >= 400 {
            return Err(Error::Columns("a later one".into()));
        }
        self.0.block(range)
    }
}

#[test]
fn any_number_of_threads_will_do() {
    let rows = Noise(47).rows(40, 130, |v| v);
    let alone = nearest(&dense(&rows), Metric::Euclidean, 5, &Silent).unwrap();
    for threads in [3, 130, 200] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| nearest(&dense(&rows), Metric::Euclidean, 5, &Silent).unwrap());
        assert_eq!(found, alone, "{threads} threads");
    }
}

#[test]
fn the_error_of_the_first_features_is_told() {
    let values: Vec<f64> = Noise(47).rows(40, 2_000, |v| v).concat();
    let data = Dataset::new(Broken(Dense::new(values, 40, 2_000, Order::RowMajor).unwrap())).unwrap();
    let geometry = Geometry::of_share(&data, Metric::Euclidean, 1.0, Vec::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for _ in 0..5 {
        let told = pool.install(|| exact::pair_sums(&data, &geometry, &[(0, vec![1, 2])], &Silent));
        assert!(told.unwrap_err().to_string().contains("column 300"));
    }
}

#[test]
fn all_pairs_are_symmetric_and_precise() {
    let mut rows = Noise(37).rows(600, 30, |v| v);
    rows[300..].iter_mut().flatten().for_each(|v| *v = 1e4 + *v * 1e-3);
    rows[44] = rows[501].clone();
    for data in [dense(&rows), sparse(&rows)] {
        let found = squared_distances(&data, &Silent).unwrap();
        assert_eq!(found[(44, 501)], 0.0);
        for i in 0..600 {
            assert_eq!(found[(i, i)], 0.0);
            for j in 0..600 {
                let expected = naive_distance(Metric::Euclidean, &rows[i], &rows[j]);
                assert_eq!(found[(i, j)].to_bits(), found[(j, i)].to_bits());
                assert!((found[(i, j)] - expected).abs() <= 1e-12 * expected, "{i} {j}");
            }
        }
    }
}

#[test]
fn a_monitor_stops_the_search() {
    let rows = Noise(41).rows(50, 4, |v| v);
    let stop = |_: &'static str, _: usize, _: usize| std::ops::ControlFlow::Break(());
    for data in [dense(&rows), sparse(&rows)] {
        assert!(matches!(nearest(&data, Metric::Euclidean, 3, &stop), Err(Error::Canceled)));
        assert!(matches!(squared_distances(&data, &stop), Err(Error::Canceled)));
    }
}

#[test]
fn k_out_of_range_is_named() {
    let data = dense(&Noise(43).rows(4, 2, |v| v));
    for k in [0, 4] {
        let message = nearest(&data, Metric::Euclidean, k, &Silent).unwrap_err().to_string();
        assert_eq!(message, format!("`k` must be from 1 to the number of samples less one (3), got {k}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn fast_is_textbook(
        seed in any::<u64>(),
        (n, k) in (2usize..70).prop_flat_map(|n| (Just(n), 1..n)),
        m in 1usize..90,
        levels in 2u32..9,
        classes in 1u32..5,
    ) {
        let mut noise = Noise(seed);
        let rows = noise.rows(n, m, |v| (v * f64::from(levels)).floor() - 1.0);
        let mut codes: Vec<u32> = (0..n).map(|_| (noise.next() * f64::from(classes)) as u32).collect();
        codes[0] = 0;
        for metric in METRICS.iter().copied() {
            check_classes(&dense(&rows), &rows, metric, k, &codes, 0.0);
            check_classes(&sparse(&rows), &rows, metric, k, &codes, 0.0);
        }
    }
}

#[test]
fn those_who_search_find_what_they_find_when_all_do() {
    let rows = Noise(17).rows(300, 20, |v| if v < 0.5 { 0.0 } else { v });
    let codes: Vec<u32> = (0..300).map(|i| i % 4).collect();
    let searching: Vec<u32> = (0..300).filter(|i| i % 7 == 3).collect();
    for metric in METRICS.iter().copied() {
        for data in [dense(&rows), sparse(&rows)] {
            let all = by_class(&data, metric, 6, &codes, 4);
            let query = Query { k: 6, codes: &codes, n_classes: 4, searching: &searching };
            let some = nearest_by_class(&data, metric, &query, &Silent).unwrap();
            for i in 0..300 {
                for class in 0..4 {
                    let expected = if i % 7 == 3 { all.of(i, class) } else { &[] };
                    assert_eq!(some.of(i, class), expected, "sample {i}, class {class}, {metric:?}");
                }
            }
        }
    }
}

#[path = "among_tests.rs"]
mod among;
