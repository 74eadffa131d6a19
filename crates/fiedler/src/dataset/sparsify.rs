//! Dense columns that are mostly zeros, kept by their non-zeros.

use std::sync::Arc;

use super::columns::Block;
use super::{Dataset, Scaling, Sparse, Transform};
use crate::Result;
use crate::monitor::Monitor;

/// At most one value in so many may be other than 0.
const ONE_IN: usize = 10;
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
        if entries > values / ONE_IN {
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
