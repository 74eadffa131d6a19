//! Some samples of a data set as a data set of their own.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::columns::{Block, Columns, DenseBlock, Piece, Reach, SparseBlock};
use super::{Dataset, Labels, Transform};
use crate::monitor::Monitor;
use crate::{Error, Result};

impl Dataset {
    /// The samples `chosen`, in that order, with their names and labels (or targets); each at most once. The
    /// scaling and the transform stay and are computed anew from these samples. The numbers are shared, not copied:
    /// a block of columns is gathered as it is read.
    ///
    /// ```
    /// use fiedler::{Silent, dataset::demo};
    ///
    /// let two = demo::iris()?.samples(&[149, 0], &Silent)?;
    /// assert_eq!((two.n_samples(), two.n_features()), (2, 4));
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] when an index is not that of a sample or comes twice, [`Error::Empty`]
    /// when nothing is chosen, [`Error::Canceled`].
    pub fn samples(&self, chosen: &[usize], monitor: &dyn Monitor) -> Result<Self> {
        let n = self.n_samples();
        let mut place = vec![None; n];
        for (at, &i) in chosen.iter().enumerate() {
            match place.get_mut(i) {
                Some(slot @ None) => *slot = Some(at as u32),
                Some(Some(_)) => return Err(Error::parameter("samples", "free of repetitions", i)),
                None => {
                    return Err(Error::parameter(
                        "samples",
                        format!("a list of sample indices below {n}"),
                        i,
                    ));
                }
            }
        }
        if chosen.is_empty() {
            return Err(Error::Empty { n_samples: 0, n_features: self.n_features() });
        }
        let pick = |names: &Arc<[String]>| chosen.iter().map(|&i| names[i].clone()).collect();
        let all = Arc::clone(&self.untransformed().columns);
        let mut data = Dataset {
            columns: Arc::new(Samples { all, chosen: chosen.to_vec(), place }),
            original: None,
            sample_names: self.sample_names.as_ref().map(pick),
            labels: self.labels.as_ref().map(|l| Arc::new(some_labels(l, chosen))),
            target: self.target.as_ref().map(|t| Arc::new(t.of_samples(chosen))),
            ..self.clone()
        };
        data.stats = data.look(monitor)?.into();
        if self.transform() == Transform::None {
            Ok(data)
        } else {
            Ok(Dataset { settled: self.settled, ..data.transformed(self.transform(), monitor)? })
        }
    }
}

fn some_labels(labels: &Labels, chosen: &[usize]) -> Labels {
    let text = |&i: &usize| labels.codes()[i].map(|c| labels.classes()[c as usize].as_str());
    Labels::new(chosen.iter().map(text)).called(labels.name())
}

/// Some rows of another source.
struct Samples {
    all: Arc<dyn Columns>,
    chosen: Vec<usize>,
    /// The new place of every sample.
    place: Vec<Option<u32>>,
}

impl Columns for Samples {
    fn n_samples(&self) -> usize {
        self.chosen.len()
    }

    fn n_features(&self) -> usize {
        self.all.n_features()
    }

    fn is_sparse(&self) -> bool {
        self.all.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let width = range.len();
        self.some_of(&self.all.block(range)?, width)
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        let pieces = self.all.gather(list)?.into_iter();
        pieces.map(|p| Ok(Piece { width: p.width, block: self.some_of(&p.block, p.width)? })).collect()
    }

    fn preferred_block(&self) -> usize {
        self.all.preferred_block()
    }

    fn reach(&self) -> Reach {
        self.all.reach()
    }
}

impl Samples {
    /// The chosen rows of a block of all.
    fn some_of(&self, block: &Block<'_>, width: usize) -> Result<Block<'static>> {
        block.check(self.all.n_samples(), width)?;
        Ok(match block {
            Block::Dense(b) => {
                let at = |j: usize| self.chosen.iter().map(move |i| i * b.row_stride + j * b.column_stride);
                let values = b.values.gather((0..width).flat_map(at));
                Block::Dense(DenseBlock { values, row_stride: 1, column_stride: self.chosen.len() })
            }
            Block::Sparse(b) => Block::Sparse(self.sparse(b, width)),
        })
    }

    fn sparse(&self, block: &SparseBlock<'_>, width: usize) -> SparseBlock<'static> {
        let mut offsets = vec![0];
        let mut entries: Vec<(u32, usize)> = Vec::new();
        for j in 0..width {
            let start = entries.len();
            let kept = |e: usize| self.place[block.rows[e] as usize].map(|row| (row, e));
            entries.extend(block.column(j).filter_map(kept));
            entries[start..].sort_unstable();
            offsets.push(entries.len());
        }
        SparseBlock {
            offsets: Cow::Owned(offsets),
            rows: entries.iter().map(|e| e.0).collect(),
            values: block.values.gather(entries.iter().map(|e| e.1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use crate::dataset::{Dense, Order, Scaling, Sparse};

    #[test]
    fn rows_come_as_chosen_dense_and_sparse() {
        let table = vec![1.0, 0.0, 5.0, 0.0, 3.0, 6.0, 2.0, 0.0, 8.0];
        let dense = Dataset::new(Dense::new(table, 3, 3, Order::RowMajor).expect("shape"));
        let sparse =
            Sparse::new(vec![0, 2, 3, 6], vec![0, 2, 1, 0, 1, 2], vec![1.0f32, 2.0, 3.0, 5.0, 6.0, 8.0], 3);
        for data in [dense, Dataset::new(sparse.expect("well formed"))] {
            let data = data.expect("finite").scaled(Scaling::None);
            let data = data.labeled(Labels::new([Some("b"), Some("a"), None])).expect("three labels");
            let part = data.samples(&[2, 0], &Silent).expect("in range");
            let columns: Vec<Vec<f64>> = (0..3).map(|j| part.column(j).expect("there")).collect();
            assert_eq!(columns, [[2.0, 1.0], [0.0, 0.0], [8.0, 5.0]]);
            assert_eq!(part.labels().map(Labels::codes), Some(&[None, Some(0)][..]));
            assert!(part.constant(1) && !data.constant(1));
        }
    }

    #[test]
    fn nothing_twice_and_too_much_are_refused() {
        let data = Dataset::from_rows(&[[1.0, 2.0], [3.0, 4.0]]).expect("finite");
        assert!(matches!(data.samples(&[], &Silent), Err(Error::Empty { .. })));
        assert!(data.samples(&[1, 1], &Silent).is_err());
        assert!(data.samples(&[2], &Silent).is_err());
    }
}
