//! CPU seconds of ReliefF, neighbors and scores together, on data from a file.
//!
//! `cargo bench --bench relieff -- FILE SAMPLESxFEATURES NEIGHBORS`; threads by
//! `RAYON_NUM_THREADS`. The file holds little-endian doubles: the features, column after
//! column, then the class numbers. `bench/relieff.py` writes it and runs scikit-feature beside.

use cpu_time::ProcessTime;
use fiedler::dataset::{Dense, Order, Sparse};
use fiedler::methods::ReliefF;
use fiedler::{Dataset, Labels, Selector};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [file, shape, neighbors] = arguments.as_slice() else {
        println!("nothing to do: give FILE SAMPLESxFEATURES NEIGHBORS");
        return;
    };
    let (n, m) = shape.split_once('x').expect("a shape is SAMPLESxFEATURES");
    let (n, m): (usize, usize) = (n.parse().expect("samples"), m.parse().expect("features"));
    let bytes = std::fs::read(file).expect("a readable file");
    let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    assert_eq!(numbers.len(), n * m + n, "values in the file");
    let (values, classes) = numbers.split_at(n * m);
    let codes: Vec<usize> = classes.iter().map(|&c| c as usize).collect();
    let labeled = |data: Dataset| data.labeled(Labels::from_codes(&codes)).expect("a label per sample");
    let dense = Dense::new(values.to_vec(), n, m, Order::ColumnMajor).expect("shape");
    let dense = labeled(Dataset::new(dense).expect("finite"));
    let sparse = labeled(Dataset::new(sparse(values, n, m)).expect("finite"));
    let relieff = ReliefF { neighbors: neighbors.parse().expect("neighbors"), ..ReliefF::default() };
    println!("{:>8} {:>10}", "data", "seconds");
    for (name, data) in [("dense", dense), ("sparse", sparse)] {
        let seconds = (0..3).map(|_| time(|| relieff.rank(&data).expect("a ranking")));
        println!("{name:>8} {:>10.4}", seconds.fold(f64::INFINITY, f64::min));
    }
}

fn time<T>(work: impl FnOnce() -> T) -> f64 {
    let start = ProcessTime::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    drop(result);
    seconds
}

fn sparse(values: &[f64], n: usize, m: usize) -> Sparse<f64> {
    let (mut offsets, mut rows, mut entries) = (vec![0], Vec::new(), Vec::new());
    for column in values.chunks_exact(n) {
        for (i, &value) in column.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            rows.push(i as u32);
            entries.push(value);
        }
        offsets.push(rows.len());
    }
    debug_assert_eq!(offsets.len(), m + 1);
    Sparse::new(offsets, rows, entries, n).expect("well formed")
}
