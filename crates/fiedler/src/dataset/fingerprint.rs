//! Numbers by which to tell whether two tables are the same: one by what is known of the columns anyway, which costs nothing, and
//! one by every value, which costs a pass.

use super::columns::Block;
use super::{Center, ColumnStats, Dataset, ScaledBlock, Scaling};
use crate::Result;
use crate::monitor::Monitor;

/// Bits of a mean that depend on the order in which it was summed: dense and sparse tables of the same numbers agree but for these.
const LOOSE: u32 = 20;

impl Dataset {
    /// A number that is the same for the same columns in the same order, whatever the file, and another one where a value
    /// is: FNV-1a of the shape and of mean, variance and range of every column. It costs no pass over the data, and does
    /// not see the order of the samples.
    pub fn fingerprint(&self) -> u64 {
        let shape = [self.n_samples() as u64, self.n_features() as u64];
        hashed(shape.into_iter().chain(self.stats().iter().flat_map(words)))
    }

    /// For every column a number that another value, or values in another order, change, before any transform and scaling.
    ///
    /// # Errors
    /// The columns cannot be read, or the monitor says stop.
    pub(crate) fn fingerprints_of_columns(&self, monitor: &dyn Monitor) -> Result<Vec<u64>> {
        let given = self.untransformed().scaled(Scaling::None);
        given.map_blocks("fingerprint", monitor, |block, _| Ok(of_values(block, self.n_samples())))
    }
}

/// Samples that are looked at together, and a multiplier without a pattern: the golden ratio of 2⁶⁴.
const ROWS: usize = 256;
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

/// As FNV-1a with whole words: every step is a one-to-one map of what is known, so that one value that changes is never lost.
fn mixed(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(29) ^ word).wrapping_mul(MIXER)
}

fn of_values(block: &ScaledBlock<'_>, n_samples: usize) -> Vec<u64> {
    let width = block.width();
    let mut hashes = vec![MIXER; width];
    if let Block::Sparse(entries) = block.block() {
        for (j, hash) in hashes.iter_mut().enumerate() {
            for e in entries.column(j) {
                *hash = mixed(mixed(*hash, u64::from(entries.rows[e])), entries.values.at(e).to_bits());
            }
        }
        return hashes;
    }
    let (samples, mut values) = ((0..n_samples as u32).collect::<Vec<u32>>(), vec![0.0; ROWS * width]);
    for some in samples.chunks(ROWS) {
        let values = &mut values[..some.len() * width];
        block.pack_rows(0..width, some, width, Center::AsScaled, values);
        for row in values.chunks_exact(width) {
            hashes.iter_mut().zip(row).for_each(|(hash, v)| *hash = mixed(*hash, v.to_bits()));
        }
    }
    hashes
}

/// FNV-1a of some words.
pub(crate) fn hashed(words: impl Iterator<Item = u64>) -> u64 {
    words
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn words(stats: &ColumnStats) -> [u64; 4] {
    // The zeros of both signs are one number.
    [loose(stats.mean), loose(stats.variance), (stats.min + 0.0).to_bits(), (stats.max + 0.0).to_bits()]
}

/// The leading bits of a number, rounded.
fn loose(v: f64) -> u64 {
    ((v + 0.0).to_bits() + (1 << (LOOSE - 1))) >> LOOSE
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::Dataset;
    use crate::dataset::Sparse;

    #[test]
    fn it_sees_values_and_columns_but_not_where_the_samples_stand() {
        let rows = [[1.0, 2.5, 0.0], [3.0, -1.0, 0.0], [0.1, 7.0, 4.0], [2.0, 0.3, 0.0]];
        let of = |rows: &[[f64; 3]]| Dataset::from_rows(rows).expect("data").fingerprint();
        let first = of(&rows);
        assert_eq!(first, of(&rows));
        let mut other = rows;
        other[2][1] = 7.000_001;
        assert_ne!(first, of(&other));
        assert_ne!(first, of(&rows.map(|[a, b, c]| [b, a, c])));
        assert_ne!(first, of(&rows[..3]));
        assert_eq!(first, of(&[rows[2], rows[0], rows[3], rows[1]]));
        // The same by its non-zeros, column after column.
        let values = vec![1.0, 3.0, 0.1, 2.0, 2.5, -1.0, 7.0, 0.3, 4.0];
        let rows = [0, 1, 2, 3, 0, 1, 2, 3, 2];
        let sparse = Sparse::shared(&[0_i64, 4, 8, 9], &rows, Arc::new(values), 4).expect("fits");
        assert_eq!(first, Dataset::new(sparse).expect("data").fingerprint());
    }
}
