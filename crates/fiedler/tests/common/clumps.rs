//! Samples in clumps, for tests of graphs.

use fiedler::{Dataset, Labels, Scaling};

pub type Matrix = Vec<Vec<f64>>;

/// Samples in clumps, with labels; a small generator of our own keeps the test free of crates.
pub struct Sample {
    pub rows: Matrix,
    pub codes: Vec<usize>,
}

impl Sample {
    pub fn new(n: usize, m: usize, classes: usize, seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut uniform = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let codes: Vec<usize> = (0..n).map(|i| i % classes).collect();
        let rows = codes.iter().map(|&c| (0..m).map(|_| c as f64 + 2.0 * uniform()).collect()).collect();
        Sample { rows, codes }
    }

    /// Samples 0 to 3 four times over.
    pub fn with_duplicates(mut self) -> Self {
        for i in 4..12 {
            self.rows[i] = self.rows[i % 4].clone();
        }
        self
    }

    /// The second half far away from the first.
    pub fn split(mut self) -> Self {
        let half = self.rows.len() / 2;
        self.rows[half..].iter_mut().for_each(|row| row[0] += 1e3);
        self
    }

    pub fn data(&self) -> Dataset {
        let data = Dataset::from_rows(&self.rows).expect("finite").scaled(Scaling::None);
        data.labeled(Labels::from_codes(&self.codes)).expect("a label per sample")
    }
}

pub fn square_distances(rows: &Matrix) -> Matrix {
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum();
    rows.iter().map(|a| rows.iter().map(|b| distance(a, b)).collect()).collect()
}
