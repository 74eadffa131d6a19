//! ReliefF, its spectral form and HSIC against golden values and textbook code.

mod common;

use common::{assert_close, golden};
use fiedler::dataset::{Sparse, demo};
use fiedler::methods::{ReliefF, ReliefSpec};
use fiedler::{Dataset, Error, Labels, Scaling, Selector};

type Matrix = Vec<Vec<f64>>;

/// Columns with zeros, ties, a constant and very different ranges; classes of 9, 20 and 11.
fn table() -> (Matrix, Vec<usize>) {
    let mut state = 12345u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let codes: Vec<usize> = (0..40)
        .map(|i| {
            if i < 9 {
                0
            } else if i < 29 {
                1
            } else {
                2
            }
        })
        .collect();
    let mut row = |c: usize| {
        let mut row: Vec<f64> = (0..7).map(|_| uniform()).collect();
        row[0] += c as f64;
        row[1] = (4.0 * row[1]).floor();
        row[2] = if row[2] < 0.6 { 0.0 } else { 1e6 * row[2] };
        row[3] = 2.5;
        row[4] -= 3.0 * c as f64;
        row
    };
    (codes.iter().map(|&c| row(c)).collect(), codes)
}

fn dataset((rows, codes): &(Matrix, Vec<usize>)) -> Dataset {
    Dataset::from_rows(rows).expect("finite").labeled(Labels::from_codes(codes)).expect("a label per sample")
}

fn sparse_dataset((rows, codes): &(Matrix, Vec<usize>)) -> Dataset {
    let (mut offsets, mut samples, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..rows[0].len() {
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[j] != 0.0) {
            samples.push(i as u32);
            values.push(row[j]);
        }
        offsets.push(samples.len());
    }
    let data = Dataset::new(Sparse::new(offsets, samples, values, rows.len()).expect("well formed"));
    data.expect("finite").labeled(Labels::from_codes(codes)).expect("a label per sample")
}

fn ranges(rows: &Matrix) -> Vec<(f64, f64)> {
    let range = |j: usize| {
        let column = || rows.iter().map(|r| r[j]);
        (column().fold(f64::INFINITY, f64::min), column().fold(f64::NEG_INFINITY, f64::max))
    };
    (0..rows[0].len()).map(range).collect()
}

/// ReliefF as it is written, sample by sample.
fn naive_relieff(rows: &Matrix, codes: &[usize], k: usize) -> Vec<f64> {
    let n = rows.len();
    let ranges = ranges(rows);
    let scaled: Matrix = rows
        .iter()
        .map(|r| {
            r.iter()
                .zip(&ranges)
                .map(|(v, (lo, hi))| if hi > lo { (v - lo) / (hi - lo) } else { 0.0 })
                .collect()
        })
        .collect();
    let share = |c: usize| codes.iter().filter(|&&x| x == c).count() as f64 / n as f64;
    let mut scores = vec![0.0; ranges.len()];
    for i in 0..n {
        let distance = |j: usize| scaled[i].iter().zip(&scaled[j]).map(|(a, b)| (a - b).abs()).sum::<f64>();
        for class in 0..=*codes.iter().max().expect("samples") {
            let mut near: Vec<usize> = (0..n).filter(|&j| j != i && codes[j] == class).collect();
            near.sort_by(|&a, &b| distance(a).partial_cmp(&distance(b)).expect("finite").then(a.cmp(&b)));
            near.truncate(k);
            for &j in &near {
                for f in 0..scores.len() {
                    let difference = (scaled[i][f] - scaled[j][f]).abs() / near.len() as f64 / n as f64;
                    scores[f] += match class == codes[i] {
                        true => -difference,
                        false => difference * share(class) / (1.0 - share(codes[i])),
                    };
                }
            }
        }
    }
    scores.iter().zip(&ranges).map(|(s, (lo, hi))| if hi > lo { *s } else { f64::NAN }).collect()
}

#[test]
fn relieff_and_relief_spec_are_golden() {
    for golden in golden() {
        let k = golden.number("relieff", "k") as usize;
        let relieff = ReliefF { neighbors: k, ..ReliefF::default() }.rank(&golden.data).expect("a ranking");
        golden.assert_close("relieff", "scores", relieff.scores());
        // The range is ReliefF's own: the scaling of the data set changes nothing.
        let standard = golden.data.clone().scaled(Scaling::Standard);
        let relieff = ReliefF { neighbors: k, ..ReliefF::default() }.rank(&standard).expect("a ranking");
        golden.assert_close("relieff", "scores", relieff.scores());
        let spec = ReliefSpec { neighbors: k }.rank(&golden.data).expect("a ranking");
        golden.assert_close("relief_spec", "scores", spec.scores());
    }
}

#[test]
fn relieff_is_the_textbook_dense_and_sparse() {
    let table = table();
    for k in [1, 5, 12, 39] {
        let expected = naive_relieff(&table.0, &table.1, k);
        let relieff = ReliefF { neighbors: k, ..ReliefF::default() };
        let dense = relieff.rank(&dataset(&table)).expect("a ranking");
        assert_close("dense", dense.scores(), &expected, 1e-11);
        assert_close(
            "sparse",
            relieff.rank(&sparse_dataset(&table)).expect("a ranking").scores(),
            &expected,
            1e-11,
        );
        assert_eq!(dense.warnings.is_empty(), k < 9, "{:?}", dense.warnings);
    }
}

#[test]
fn relieff_on_a_part_of_the_samples() {
    let data = demo::iris().expect("embedded");
    let part = |samples: usize, seed: u64| {
        let relieff = ReliefF { samples: Some(samples), seed, ..ReliefF::default() };
        relieff.rank(&data).expect("a ranking")
    };
    let all = ReliefF::default().rank(&data).expect("a ranking");
    assert_eq!(part(150, 7).scores(), all.scores());
    assert_eq!(part(40, 7).scores(), part(40, 7).scores());
    assert_ne!(part(40, 7).scores(), part(40, 8).scores());
    // The mean over all samples is the mean of the means over all subsets: many come near it.
    let rankings: Vec<_> = (0..200).map(|seed| part(30, seed)).collect();
    for (j, score) in all.scores().iter().enumerate() {
        let mean = rankings.iter().map(|r| r.scores()[j]).sum::<f64>() / 200.0;
        assert!((mean - score).abs() < 0.01, "{mean} {score}");
    }
    for samples in [0, 151] {
        let relieff = ReliefF { samples: Some(samples), ..ReliefF::default() };
        let message = relieff.rank(&data).expect_err("out of range").to_string();
        assert!(message.contains("`samples`") && message.contains("150"), "{message}");
    }
}

#[test]
fn too_many_neighbours_are_named_as_the_user_writes_them() {
    let data = demo::iris().expect("embedded");
    for neighbors in [0, 150] {
        let relieff = ReliefF { neighbors, ..ReliefF::default() }.rank(&data);
        let spec = ReliefSpec { neighbors }.rank(&data);
        for error in [relieff.expect_err("out of range"), spec.expect_err("out of range")] {
            assert!(matches!(&error, Error::Parameter { name, .. } if name == "neighbors"), "{error}");
        }
    }
}
