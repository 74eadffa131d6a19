//! Dense columns that are mostly zeros, kept by their non-zeros.

use std::sync::Arc;

use super::columns::Block;
use super::{Center, Dataset, Scaling, Sparse, Transform};
use crate::monitor::Monitor;
use crate::{Result, limits};

/// At most one value in so many may be other than 0.
const ONE_IN: usize = 10;
/// Numbers that an entry takes while it is collected.
const ENTRY: usize = 4;
/// Columns that are looked at first.
const LOOKED_AT: usize = 32;

impl Dataset {
    /// Ranks counted from that of zero, where these data are ranks of values that are not negative and mostly zeros: at most
    /// one in ten is another. However the data are stored, angles between samples are then those of what stands out from
    /// nothing.
    pub(crate) fn ranks_from_zero(&self, monitor: &dyn Monitor) -> Result<Option<Self>> {
        if self.transform() != Transform::Ranks {
            return Ok(None);
        }
        let given = self.untransformed();
        if given.stats().iter().any(|s| s.min < 0.0) {
            return Ok(None);
        }
        if self.is_sparse() {
            return Ok((given.entries(monitor)? <= self.n_samples() * self.n_features() / ONE_IN)
                .then(|| self.clone()));
        }
        let thin = given.sparsified(monitor)?;
        thin.map(|thin| thin.transformed(Transform::Ranks, monitor)).transpose()
    }

    /// How many values of sparse data are not 0.
    fn entries(&self, monitor: &dyn Monitor) -> Result<usize> {
        let counts = self.map_ranges("reading", monitor, |range| {
            Ok(match self.columns.block(range.clone())? {
                Block::Sparse(b) => {
                    let entries = |j: usize| b.column(j).filter(|&e| b.values.at(e) != 0.0).count();
                    (0..range.len()).map(entries).collect()
                }
                Block::Dense(_) => vec![self.n_samples(); range.len()],
            })
        })?;
        Ok(counts.iter().sum())
    }

    /// The same data by their non-zeros, where dense data have few of them: `None` where they
    /// have many, or are sparse already. For methods that see differences between samples only,
    /// because sparse data are divided by their scale but not shifted.
    pub(crate) fn sparsified(&self, monitor: &dyn Monitor) -> Result<Option<Self>> {
        if self.is_sparse() {
            return Ok(None);
        }
        let step = self.n_features().div_ceil(LOOKED_AT).max(1);
        let probed: Vec<usize> = (0..self.n_features()).step_by(step).collect();
        // A few columns tell most data that are not thin apart, before all are looked at.
        let (given, mut seen) = (self.clone().scaled(Scaling::None), 0);
        given.each_column(&probed, |_, block, at| {
            seen += block.column(at).iter().filter(|v| is_entry(v)).count();
        })?;
        if self.looks_full(seen, probed.len()) {
            return Ok(None);
        }
        if let Some(far) = given.far() {
            return Ok(self.has_few(&far.counts(monitor)?).then(|| self.taken_by_non_zeros()));
        }
        let counts = self.entry_counts(monitor)?;
        if self.has_few(&counts) { self.fitting(&counts, monitor).map(Some) } else { Ok(None) }
    }

    /// The same data as those that were [sparsified](Self::sparsified) or not, of which these are some columns: few non-zeros of all
    /// may be many of some.
    pub(crate) fn sparsified_like(self, thin: bool, monitor: &dyn Monitor) -> Result<Self> {
        if !thin || self.is_sparse() {
            return Ok(self);
        }
        if self.far().is_some() {
            return Ok(self.taken_by_non_zeros());
        }
        let counts = self.entry_counts(monitor)?;
        self.fitting(&counts, monitor)
    }

    /// The same data by so many non-zeros.
    fn fitting(&self, counts: &[usize], monitor: &dyn Monitor) -> Result<Self> {
        // Entries are collected with their places before they are joined. Where that is too much they are met as columns are read:
        // whether they are shifted must not depend on the memory.
        let entries = counts.iter().sum();
        let fits = limits::matrices(ENTRY, entries, 1) <= monitor.limits().left() / 2;
        if fits { self.by_non_zeros(counts, monitor) } else { Ok(self.taken_by_non_zeros()) }
    }

    /// The same data by their non-zeros, however many they are.
    pub(crate) fn thinned(&self, monitor: &dyn Monitor) -> Result<Self> {
        self.by_non_zeros(&self.entry_counts(monitor)?, monitor)
    }

    /// How many values of every column are not 0, before any scaling.
    pub(crate) fn entry_counts(&self, monitor: &dyn Monitor) -> Result<Vec<usize>> {
        self.clone().scaled(Scaling::None).map_blocks("reading", monitor, |block, _| {
            let (width, mut counts) = (block.width(), vec![0; block.width()]);
            let mut values = vec![0.0; self.n_samples() * width];
            block.pack(0..width, width, Center::AsScaled, &mut values);
            for row in values.chunks_exact(width) {
                counts.iter_mut().zip(row).for_each(|(count, v)| *count += usize::from(is_entry(v)));
            }
            Ok(counts)
        })
    }

    /// Whether so many non-zeros in some columns are too many.
    fn looks_full(&self, entries: usize, columns: usize) -> bool {
        entries > 2 * columns * self.n_samples() / ONE_IN
    }

    fn has_few(&self, counts: &[usize]) -> bool {
        counts.iter().sum::<usize>() <= self.n_samples() * self.n_features() / ONE_IN
    }

    fn by_non_zeros(&self, counts: &[usize], monitor: &dyn Monitor) -> Result<Self> {
        let given = self.clone().scaled(Scaling::None);
        let columns: Vec<Vec<(u32, f64)>> = given.map_blocks("reading", monitor, |block, _| {
            let entries = |j: usize| (0..).zip(block.column(j)).filter(|e| is_entry(&e.1)).collect();
            Ok((0..block.width()).map(entries).collect())
        })?;
        let mut offsets = vec![0];
        offsets.extend(counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        let (rows, values) = columns.into_iter().flatten().unzip();
        let sparse = Sparse::<f64>::new(offsets, rows, values, self.n_samples())?;
        Ok(Dataset { columns: Arc::new(sparse), ..self.clone() })
    }
}

fn is_entry(value: &f64) -> bool {
    *value != 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Bytes, Limits};
    use crate::monitor::{Limited, Silent};

    #[test]
    fn little_memory_changes_no_bit() {
        let value = |i: usize, j: usize| {
            let hash = (i * 7919 + j * 104_729 + i * j * 31) % 997;
            if hash < 40 { hash as f64 / 7.0 + 0.1 } else { 0.0 }
        };
        let rows: Vec<Vec<f64>> = (0..200).map(|i| (0..150).map(|j| value(i, j)).collect()).collect();
        let data = Dataset::from_rows(&rows).expect("data");
        let limits = Limits::of(Bytes(10_000));
        let little = Limited { monitor: &Silent, limits };
        for scaling in [Scaling::Standard, Scaling::Range] {
            let data = data.clone().scaled(scaling);
            let thin =
                |monitor: &dyn Monitor| data.sparsified(monitor).expect("columns").expect("few non-zeros");
            let (whole, met) = (thin(&Silent), thin(&little));
            assert!(whole.is_sparse() && met.is_sparse() && met.is_thin() && !whole.is_thin());
            for j in 0..150 {
                assert_eq!(whole.column(j).expect("a column"), met.column(j).expect("a column"));
            }
        }
    }

    /// Some samples of a block, in any order, are those of all of it, however it is stored.
    #[test]
    fn rows_that_are_picked_are_rows_of_all() {
        let value = |i: usize, j: usize| if (i * 31 + j * 17) % 23 < 2 { (i + j) as f64 / 3.0 } else { 0.0 };
        let rows: Vec<Vec<f64>> = (0..90).map(|i| (0..20).map(|j| value(i, j)).collect()).collect();
        let dense = Dataset::from_rows(&rows).expect("data");
        let sparse = dense.sparsified(&Silent).expect("columns").expect("few non-zeros");
        let picked = [5, 3, 89, 0, 3, 44];
        for data in [&dense, &sparse, &dense.taken_by_non_zeros()] {
            for center in [Center::AsScaled, Center::Mean] {
                let block = data.read(0..20).expect("columns");
                let (mut all, mut some) = (vec![1.0; 90 * 24], vec![1.0; picked.len() * 24]);
                block.pack(0..20, 24, center, &mut all);
                block.pack_rows(0..20, &picked, 24, center, &mut some);
                for (at, &i) in picked.iter().enumerate() {
                    assert_eq!(some[at * 24..][..24], all[i as usize * 24..][..24], "{i}");
                }
            }
        }
    }

    /// Few non-zeros of all may be many of some, which are taken as all were.
    #[test]
    fn some_columns_are_taken_as_all_were() {
        let rows: Vec<Vec<f64>> =
            (0..60).map(|i| (0..40).map(|j| if j == 0 { f64::from(i) } else { 0.0 }).collect()).collect();
        let data = Dataset::from_rows(&rows).expect("data");
        let first = data.subset(&[0]).expect("a feature");
        assert!(data.sparsified(&Silent).expect("columns").is_some());
        assert!(first.sparsified(&Silent).expect("columns").is_none());
        assert!(first.clone().sparsified_like(true, &Silent).expect("columns").is_sparse());
        assert!(!first.sparsified_like(false, &Silent).expect("columns").is_sparse());
    }
}
