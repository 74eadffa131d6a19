//! Dense columns that are mostly zeros, kept by their non-zeros.

use std::sync::Arc;

use super::{Dataset, Scaling, Sparse};
use crate::monitor::Monitor;
use crate::{Result, limits};

/// At most one value in so many may be other than 0.
const ONE_IN: usize = 10;
/// Numbers that an entry takes while it is collected.
const ENTRY: usize = 4;
/// Columns that are looked at first.
const LOOKED_AT: usize = 32;

impl Dataset {
    /// The same data by their non-zeros, where dense data have few of them: `None` where they
    /// have many, or are sparse already. For methods that see differences between samples only,
    /// because sparse data are divided by their scale but not shifted.
    pub(crate) fn sparsified(&self, monitor: &dyn Monitor) -> Result<Option<Self>> {
        if self.is_sparse() {
            return Ok(None);
        }
        let given = self.clone().scaled(Scaling::None);
        let is_entry = |v: &f64| *v != 0.0;
        // A few columns tell most data that are not thin apart, before all are looked at.
        let (mut seen, step) = (0, self.n_features().div_ceil(LOOKED_AT).max(1));
        let probed: Vec<usize> = (0..self.n_features()).step_by(step).collect();
        given.each_column(&probed, |_, block, at| {
            seen += block.column(at).iter().filter(|v| is_entry(v)).count();
        })?;
        if seen > 2 * probed.len() * self.n_samples() / ONE_IN {
            return Ok(None);
        }
        let counts = given.map_blocks("reading", monitor, |block, _| {
            Ok((0..block.width()).map(|j| block.column(j).iter().filter(|v| is_entry(v)).count()).collect())
        })?;
        let (entries, values) = (counts.iter().sum::<usize>(), self.n_samples() * self.n_features());
        // Entries are collected with their places before they are joined; data that do not lie in memory may have too many of them.
        let fits = limits::matrices(ENTRY, entries, 1) <= monitor.limits().memory.0 / 2;
        if entries > values / ONE_IN || !fits {
            return Ok(None);
        }
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
        Ok(Some(Dataset { columns: Arc::new(sparse), ..self.clone() }))
    }
}
