//! Non-zeros of a matrix on disk: what was decided about columns, samples and missing values, applied to entries.

use std::borrow::Cow;

use fiedler::dataset::{Block, SparseBlock};

use super::{Disk, Stretch};
use crate::Result;
use crate::matrix::Numbers;

/// A row that is left out.
const GONE: u32 = u32::MAX;

impl Disk {
    /// Columns of the file by their non-zeros, through the chunks they lie in.
    pub(super) fn entries(&self, places: &[usize]) -> Result<Block<'static>> {
        let kept = self.kept_rows();
        let (mut offsets, mut at) = (vec![0], Vec::new());
        let mut numbers = Numbers::with_capacity(self.chunks.is_single(), 0);
        let width = self.chunks.width();
        for some in places.chunk_by(|a, b| a / width == b / width) {
            let chunk = self.chunks.get(some[0] / width, some.len());
            let Stretch::Sparse { offsets: from, rows, values } = chunk.stretch()? else { continue };
            for &place in some {
                let column = from[place % width]..from[place % width + 1];
                let stays = |e: &usize| kept.as_ref().is_none_or(|kept| kept[rows[*e] as usize] != GONE);
                let new = |e: usize| kept.as_ref().map_or(rows[e], |kept| kept[rows[e] as usize]);
                at.extend(column.clone().filter(stays).map(new));
                numbers.extend(values, column.filter(stays), self.fill_of(place));
                offsets.push(at.len());
            }
        }
        Ok(Block::Sparse(SparseBlock {
            offsets: Cow::Owned(offsets),
            rows: Cow::Owned(at),
            values: numbers.into(),
        }))
    }

    /// A column of the samples that are left, zeros and all.
    pub(super) fn scattered(&self, rows: &[u32], values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut all = vec![0.0; self.chunks.shape().0];
        rows.iter().zip(values).for_each(|(&i, v)| all[i as usize] = v);
        match &self.rows {
            Some(kept) => kept.iter().map(|&i| all[i]).collect(),
            None => all,
        }
    }

    /// The new number of every row of the file, where some are left out.
    fn kept_rows(&self) -> Option<Vec<u32>> {
        let kept = self.rows.as_ref()?;
        let mut numbers = vec![GONE; self.chunks.shape().0];
        kept.iter().enumerate().for_each(|(new, &old)| numbers[old] = new as u32);
        Some(numbers)
    }
}
