//! A data set with Gaussian noise on every value.

use std::ops::Range;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};

use super::columns::{Block, Columns, DenseBlock, Piece, Reach, Values};
use super::{Dataset, Transform};
use crate::monitor::Monitor;
use crate::{Error, Result};

impl Dataset {
    /// The same data with noise of `level` standard deviations of its feature on every value: 0.1
    /// moves a value by a tenth of what its feature varies by. Constant features stay constant.
    /// The noise is drawn as a block of columns is read and never stored; a column's noise
    /// depends on `seed` and on the column alone. What was sparse becomes dense, for a zero is a
    /// value as any other.
    ///
    /// ```
    /// use fiedler::{Silent, dataset::demo};
    ///
    /// let iris = demo::iris()?;
    /// let noisy = iris.with_noise(0.1, 7, &Silent)?;
    /// assert_ne!(noisy.column(0)?, iris.column(0)?);
    /// assert_eq!(noisy.column(0)?, iris.with_noise(0.1, 7, &Silent)?.column(0)?);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when `level` is negative or not finite, [`Error::OutOfRange`] when it
    /// lifts values out of range, [`Error::Canceled`].
    pub fn with_noise(&self, level: f64, seed: u64, monitor: &dyn Monitor) -> Result<Self> {
        if self.transform() != Transform::None {
            // Noise is on what was measured, not on what was made of it.
            let noisy = self.untransformed().with_noise(level, seed, monitor)?;
            return noisy.transformed(self.transform(), monitor);
        }
        if !(level.is_finite() && level >= 0.0) {
            return Err(Error::parameter("noise", "a finite number from 0", level));
        }
        let deviations = self
            .stats
            .iter()
            .map(|s| if s.is_constant() { 0.0 } else { level * s.variance.sqrt() })
            .collect();
        let columns = Noisy { exact: Arc::clone(&self.columns), deviations, seed };
        let mut data = Dataset { columns: Arc::new(columns), ..self.clone() };
        data.stats = data.look(monitor)?.into();
        Ok(data)
    }
}

/// Another source with noise on it.
struct Noisy {
    exact: Arc<dyn Columns>,
    /// Of the noise, by column, in the user's units.
    deviations: Vec<f64>,
    seed: u64,
}

impl Columns for Noisy {
    fn n_samples(&self) -> usize {
        self.exact.n_samples()
    }

    fn n_features(&self) -> usize {
        self.exact.n_features()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        self.noisy(&self.exact.block(range.clone())?, range)
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        let mut features = list.iter().copied();
        let pieces = self.exact.gather(list)?.into_iter();
        pieces
            .map(|p| {
                let block = self.noisy(&p.block, features.by_ref().take(p.width))?;
                Ok(Piece { width: p.width, block })
            })
            .collect()
    }

    fn preferred_block(&self) -> usize {
        self.exact.preferred_block()
    }

    fn reach(&self) -> Reach {
        self.exact.reach()
    }
}

impl Noisy {
    /// A block of the exact values of these features, with their noise.
    fn noisy(&self, block: &Block<'_>, features: impl Iterator<Item = usize>) -> Result<Block<'static>> {
        let n = self.n_samples();
        let features: Vec<usize> = features.collect();
        block.check(n, features.len())?;
        let mut values = vec![0.0; n * features.len()];
        for ((at, &j), column) in features.iter().enumerate().zip(values.chunks_exact_mut(n)) {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(j as u64);
            let noise = StandardNormal.sample_iter(rng).map(|v: f64| self.deviations[j] * v);
            column.iter_mut().zip(noise).for_each(|(c, v)| *c = v);
            add_column(block, at, column);
        }
        let values = Values::F64(values.into());
        Ok(Block::Dense(DenseBlock { values, row_stride: 1, column_stride: n }))
    }
}

/// Adds column `j` of a block to `out`.
fn add_column(block: &Block<'_>, j: usize, out: &mut [f64]) {
    match block {
        Block::Dense(b) => {
            let start = j * b.column_stride;
            out.iter_mut().enumerate().for_each(|(i, o)| *o += b.values.at(start + i * b.row_stride));
        }
        Block::Sparse(b) => b.column(j).for_each(|e| out[b.rows[e] as usize] += b.values.at(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::dataset::{Scaling, Sparse};

    fn columns(data: &Dataset) -> Vec<Vec<f64>> {
        (0..data.n_features()).map(|j| data.column(j).expect("in memory")).collect()
    }

    #[test]
    fn the_noise_has_the_size_that_was_asked_for() {
        let rows: Vec<[f64; 2]> = (0..4000).map(|i| [f64::from(i % 2) * 20.0, 3.0]).collect();
        let data = Dataset::from_rows(&rows).expect("finite").scaled(Scaling::None);
        let noisy = data.with_noise(0.5, 1, &Silent).expect("in range");
        let difference: Vec<f64> =
            columns(&noisy)[0].iter().zip(&columns(&data)[0]).map(|(a, b)| a - b).collect();
        let (mean, square) =
            difference.iter().fold((0.0, 0.0), |(m, s), d| (m + d / 4000.0, s + d * d / 4000.0));
        // The feature deviates by 10, so the noise by 5.
        assert!(mean.abs() < 0.4 && (square.sqrt() - 5.0).abs() < 0.3, "{mean} {square}");
        assert!(noisy.constant(1));
    }

    #[test]
    fn sparse_and_dense_and_any_block_give_the_same_bits() {
        let dense = Dataset::from_rows(&[[1.0, 0.0, 5.0], [0.0, 3.0, 6.0], [2.0, 0.0, 8.0]]).expect("finite");
        let sparse =
            Sparse::new(vec![0, 2, 3, 6], vec![0, 2, 1, 0, 1, 2], vec![1.0, 2.0, 3.0, 5.0, 6.0, 8.0], 3);
        let sparse = Dataset::new(sparse.expect("well formed")).expect("finite");
        let noisy = |data: &Dataset| data.clone().scaled(Scaling::None).with_noise(0.3, 9, &Silent);
        let (a, b) = (noisy(&dense).expect("in range"), noisy(&sparse).expect("in range"));
        assert_eq!(columns(&a), columns(&b));
        let Block::Dense(block) = a.columns().block(1..3).expect("in memory") else { panic!("dense") };
        assert_eq!(block.values.at(3), columns(&a)[2][0]);
        assert_ne!(
            columns(&a)[0],
            columns(&noisy(&dense.subset(&[1]).expect("there")).expect("in range"))[0]
        );
    }

    #[test]
    fn a_level_that_is_no_size_is_refused() {
        let data = Dataset::from_rows(&[[1.0], [2.0]]).expect("finite");
        for level in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(data.with_noise(level, 0, &Silent).is_err(), "{level}");
        }
    }
}
