//! Some features of a data set as a data set of their own.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::columns::{Block, Columns, DenseBlock, Piece, Reach, SparseBlock, Values};
use super::{ColumnStats, Dataset};
use crate::{Error, Result};

impl Dataset {
    /// The features `chosen`, in that order, with their names and scaling; samples and labels
    /// stay. The numbers are shared, not copied: a block of columns is gathered as it is read.
    ///
    /// ```
    /// use fiedler::dataset::demo;
    ///
    /// let petals = demo::iris()?.subset(&[2, 3])?;
    /// assert_eq!((petals.n_features(), petals.feature_name(0).as_ref()), (2, "petal length"));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when an index is not that of a feature, [`Error::Empty`] when nothing
    /// is chosen.
    pub fn subset(&self, chosen: &[usize]) -> Result<Self> {
        let (n_samples, m) = (self.n_samples(), self.n_features());
        if let Some(j) = chosen.iter().find(|&&j| j >= m) {
            return Err(Error::parameter("features", format!("a list of feature indices below {m}"), j));
        }
        if chosen.is_empty() {
            return Err(Error::Empty { n_samples, n_features: 0 });
        }
        let stats: Vec<ColumnStats> = chosen.iter().map(|&j| self.stats[j]).collect();
        Ok(Dataset {
            columns: Arc::new(Subset { all: Arc::clone(&self.columns), chosen: chosen.to_vec() }),
            stats: stats.into(),
            original: self.original_of(|given| given.subset(chosen))?,
            feature_names: self.feature_names.subset(chosen),
            ..self.clone()
        })
    }
}

/// Some columns of another source.
struct Subset {
    all: Arc<dyn Columns>,
    chosen: Vec<usize>,
}

impl Columns for Subset {
    fn n_samples(&self) -> usize {
        self.all.n_samples()
    }

    fn n_features(&self) -> usize {
        self.chosen.len()
    }

    fn is_sparse(&self) -> bool {
        self.all.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let n = self.n_samples();
        let mut pieces = self.all.gather(&self.chosen[range])?;
        if let [_] = pieces[..]
            && let Some(only) = pieces.pop()
        {
            return Ok(only.block);
        }
        let mut joined = Joined { offsets: vec![0], ..Joined::default() };
        for piece in &pieces {
            piece.block.check(n, piece.width)?;
            (0..piece.width).for_each(|j| joined.append(&piece.block, j, n));
        }
        Ok(joined.into_block(self.is_sparse(), n))
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        self.all.gather(&list.iter().map(|&j| self.chosen[j]).collect::<Vec<_>>())
    }

    fn preferred_block(&self) -> usize {
        self.all.preferred_block()
    }

    fn reach(&self) -> Reach {
        self.all.reach()
    }
}

/// Columns one after the other, in the precision in which they come.
#[derive(Default)]
struct Joined {
    offsets: Vec<usize>,
    rows: Vec<u32>,
    double: Vec<f64>,
    single: Vec<f32>,
}

impl Joined {
    /// Adds column `j` of a block.
    fn append(&mut self, block: &Block<'_>, j: usize, n_samples: usize) {
        match block {
            Block::Dense(b) => {
                let start = j * b.column_stride;
                self.extend(&b.values, (0..n_samples).map(|i| start + i * b.row_stride));
            }
            Block::Sparse(b) => {
                self.rows.extend_from_slice(&b.rows[b.column(j)]);
                self.extend(&b.values, b.column(j));
            }
        }
        self.offsets.push(self.double.len() + self.single.len());
    }

    fn extend(&mut self, values: &Values<'_>, at: impl Iterator<Item = usize>) {
        match values {
            Values::F64(v) => self.double.extend(at.map(|i| v[i])),
            Values::F32(v) => self.single.extend(at.map(|i| v[i])),
        }
    }

    fn into_block(self, sparse: bool, n_samples: usize) -> Block<'static> {
        let values = if self.single.is_empty() {
            Values::F64(self.double.into())
        } else {
            Values::F32(self.single.into())
        };
        if sparse {
            let (offsets, rows) = (Cow::Owned(self.offsets), Cow::Owned(self.rows));
            return Block::Sparse(SparseBlock { offsets, rows, values });
        }
        Block::Dense(DenseBlock { values, row_stride: 1, column_stride: n_samples })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Center, Dense, Order, Scaling, Sparse};

    fn values(data: &Dataset) -> Vec<Vec<f64>> {
        (0..data.n_features()).map(|j| data.column(j).expect("in memory")).collect()
    }

    #[test]
    fn columns_come_as_chosen_dense_and_sparse() {
        let table = [1.0f32, 0.0, 5.0, 0.0, 3.0, 6.0, 2.0, 0.0, 8.0];
        let dense = Dataset::new(Dense::new(table.to_vec(), 3, 3, Order::RowMajor).expect("shape"));
        let sparse =
            Sparse::new(vec![0, 2, 3, 6], vec![0, 2, 1, 0, 1, 2], vec![1.0f32, 2.0, 3.0, 5.0, 6.0, 8.0], 3);
        let sparse = Dataset::new(sparse.expect("well formed"));
        for data in [dense, sparse] {
            let data = data.expect("finite").scaled(Scaling::Range);
            let part = data.subset(&[2, 0]).expect("in range");
            assert_eq!(values(&part), [data.column(2).expect("there"), data.column(0).expect("there")]);
            assert_eq!(part.subset(&[1]).expect("in range").feature_name(0), "x0");
            let mut tile = vec![0.0; 6];
            part.read(0..2).expect("in memory").pack(0..2, 2, Center::AsScaled, &mut tile);
            assert_eq!(tile[0], values(&part)[0][0]);
        }
    }

    #[test]
    fn nothing_and_too_much_are_refused() {
        let data = Dataset::from_rows(&[[1.0, 2.0], [3.0, 4.0]]).expect("finite");
        assert!(matches!(data.subset(&[]), Err(Error::Empty { .. })));
        assert!(data.subset(&[2]).expect_err("out of range").to_string().contains("below 2"));
    }
}
