//! Columns whose statistics are known, or that are taken by their non-zeros: what shares of columns on other machines need.
//! See [`afar`](crate::afar).

use std::ops::Range;
use std::sync::Arc;

use super::columns::{Block, Columns, Piece, Reach, SparseBlock, Values};
use super::{BLOCK, ColumnStats, Dataset};
use crate::Result;
use crate::afar::Afar;
use crate::limits::Held;

impl ColumnStats {
    /// Numbers of which the statistics of a column are made.
    pub(crate) const NUMBERS: usize = 5;

    pub(crate) fn numbers(&self) -> [f64; Self::NUMBERS] {
        [self.mean, self.variance, self.min, self.max, self.effective_samples]
    }

    pub(crate) fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let &[mean, variance, min, max, effective_samples] = numbers else { return None };
        Some(ColumnStats { mean, variance, min, max, effective_samples })
    }

    /// The numbers of all columns; NaN for all of them where one has a value that is not finite, for whoever asks has the
    /// names of the features and says which.
    ///
    /// # Errors
    /// The columns cannot be read.
    pub(crate) fn numbers_of(columns: &dyn Columns) -> Result<Vec<f64>> {
        let (n, m) = (columns.n_samples(), columns.n_features());
        let mut numbers = Vec::with_capacity(m * Self::NUMBERS);
        for start in (0..m).step_by(BLOCK) {
            let range = start..m.min(start + BLOCK);
            let block = columns.block(range.clone())?;
            block.check(n, range.len())?;
            match Self::of_block(&block, range.len(), n) {
                Ok(stats) => numbers.extend(stats.iter().flat_map(Self::numbers)),
                Err(_) => return Ok(vec![f64::NAN; m * Self::NUMBERS]),
            }
        }
        Ok(numbers)
    }
}

/// Columns that were looked at before.
pub(crate) struct Surveyed {
    columns: Arc<dyn Columns>,
    stats: Vec<ColumnStats>,
}

impl Surveyed {
    pub(crate) fn new(columns: Arc<dyn Columns>, numbers: &[f64]) -> Self {
        let stats =
            numbers.chunks_exact(ColumnStats::NUMBERS).filter_map(ColumnStats::from_numbers).collect();
        Surveyed { columns, stats }
    }
}

impl Columns for Surveyed {
    fn n_samples(&self) -> usize {
        self.columns.n_samples()
    }

    fn n_features(&self) -> usize {
        self.columns.n_features()
    }

    fn is_sparse(&self) -> bool {
        self.columns.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        self.columns.block(range)
    }

    fn preferred_block(&self) -> usize {
        self.columns.preferred_block()
    }

    fn stats(&self) -> Option<Vec<ColumnStats>> {
        Some(self.stats.clone())
    }
}

/// Dense columns by their non-zeros, turned as they are read.
pub(super) struct Thin(pub(super) Arc<dyn Columns>);

impl Thin {
    /// A dense block by its non-zeros.
    fn thin(&self, block: &Block<'_>, width: usize) -> Result<Block<'static>> {
        let n = self.0.n_samples();
        block.check(n, width)?;
        let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut column = vec![0.0; n];
        for j in 0..width {
            block.write_column(j, &mut column);
            for (i, &value) in (0..).zip(&column).filter(|entry| *entry.1 != 0.0) {
                rows.push(i);
                values.push(value);
            }
            offsets.push(rows.len());
        }
        let values = Values::F64(values.into());
        Ok(Block::Sparse(SparseBlock { offsets: offsets.into(), rows: rows.into(), values }))
    }
}

impl Columns for Thin {
    fn n_samples(&self) -> usize {
        self.0.n_samples()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let width = range.len();
        self.thin(&self.0.block(range)?, width)
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        let thin = |p: Piece<'_>| Ok(Piece { width: p.width, block: self.thin(&p.block, p.width)? });
        self.0.gather(list)?.into_iter().map(thin).collect()
    }

    fn preferred_block(&self) -> usize {
        self.0.preferred_block()
    }

    fn reach(&self) -> Reach {
        self.0.reach()
    }

    fn held(&self) -> Held {
        self.0.held()
    }

    fn afar(&self) -> Option<&dyn Afar> {
        self.0.afar()
    }
}

impl Dataset {
    /// The columns as they are read, transformed where they are.
    pub(crate) fn source(&self) -> &dyn Columns {
        &*self.columns
    }

    /// Whether dense columns are taken by their non-zeros.
    pub(crate) fn is_thin(&self) -> bool {
        self.thin
    }

    /// The same data, whose columns are taken by their non-zeros as they are read.
    pub(super) fn taken_by_non_zeros(&self) -> Self {
        Dataset { columns: Arc::new(Thin(Arc::clone(&self.columns))), thin: true, ..self.clone() }
    }
}
