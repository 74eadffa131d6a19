//! XᵀR: the products of features with a few vectors over the samples.
//!
//! The features are taken as unit vectors, about their means and divided by their norms, whatever the scaling. The vectors R
//! come sample after sample and are centered (see [`center`]): the mean of a feature then drops out, (f - c1)ᵀR = fᵀR,
//! and sparse features are multiplied by their non-zeros.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::{BLOCK, Dataset, Reach, ScaledBlock};
use crate::Result;
use crate::afar::What;
use crate::monitor::Monitor;

impl Dataset {
    /// ‖f_jᵀR‖ of every feature for R = samples × `width`, 0 for constant features. One pass over the data.
    pub(crate) fn product_norms(
        &self,
        right: &[f64],
        width: usize,
        monitor: &dyn Monitor,
    ) -> Result<Vec<f64>> {
        if let Some(far) = self.far() {
            let what = What::ProductNorms { right: right.to_vec(), width };
            return far.ask(what, "correlations", monitor);
        }
        self.map_blocks("correlations", monitor, |block, range| {
            debug_assert_eq!(block.width(), range.len());
            let products = block_products(block, right, width);
            Ok(products.chunks_exact(width).map(norm).collect())
        })
    }

    /// f_jᵀR of the features `list`, one row of `width` numbers each.
    pub(crate) fn products_of(&self, list: &[usize], right: &[f64], width: usize) -> Result<Vec<f64>> {
        // Blocks whose columns lie together are done with before others are asked for, or a file would be read again and again.
        let Reach { together, at_once } = self.columns.reach();
        let at_hand = together.saturating_mul(at_once).max(1);
        let blocks: Vec<&[usize]> = list.chunks(BLOCK).collect();
        let mut all = Vec::with_capacity(list.len() * width);
        for some in blocks.chunk_by(|a, b| a[0] / at_hand == b[0] / at_hand) {
            let parts: Result<Vec<Vec<f64>>> =
                some.par_iter().map(|part| self.chunk_products(part, right, width)).collect();
            parts?.into_iter().for_each(|part| all.extend(part));
        }
        Ok(all)
    }

    /// The unit columns `list` one after the other.
    pub(crate) fn unit_columns(&self, list: &[usize]) -> Result<Vec<f64>> {
        let n = self.n_samples();
        let mut columns = vec![0.0; n * list.len()];
        self.each_piece(list, |place, blocks| ScaledBlock::unit_columns(blocks, &mut columns[place * n..]))?;
        Ok(columns)
    }

    fn chunk_products(&self, list: &[usize], right: &[f64], width: usize) -> Result<Vec<f64>> {
        if !self.is_sparse() {
            return Ok(multiply(&self.unit_columns(list)?, right, self.n_samples(), width));
        }
        let mut out = vec![0.0; list.len() * width];
        self.each_column(list, |place, block, at| {
            sparse_product(block, at, right, &mut out[place * width..(place + 1) * width]);
        })?;
        Ok(out)
    }
}

/// Subtracts the mean of every vector. One that is constant becomes 0, not the rounding of its mean.
pub(crate) fn center(rows: &mut [f64], width: usize) {
    let n = (rows.len() / width) as f64;
    for l in 0..width {
        let first = rows[l];
        if rows.iter().skip(l).step_by(width).all(|&v| v == first) {
            rows.iter_mut().skip(l).step_by(width).for_each(|v| *v = 0.0);
            continue;
        }
        let mean = rows.iter().skip(l).step_by(width).sum::<f64>() / n;
        rows.iter_mut().skip(l).step_by(width).for_each(|v| *v -= mean);
    }
}

/// XᵀR for X = n × w by columns and R = n × q by rows; the answer is w × q by rows.
pub(crate) fn multiply(columns: &[f64], right: &[f64], n: usize, q: usize) -> Vec<f64> {
    let width = columns.len() / n;
    let mut out = vec![0.0; width * q];
    matmul(
        MatMut::from_row_major_slice_mut(&mut out, width, q),
        Accum::Replace,
        MatRef::from_column_major_slice(columns, n, width).transpose(),
        MatRef::from_row_major_slice(right, n, q),
        1.0,
        Par::Seq,
    );
    out
}

/// Σ ab in eight interleaved sums: a fixed order that vector instructions can follow.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_lanes.zip(b_lanes) {
        for l in 0..LANES {
            sums[l] += a[l] * b[l];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The Euclidean norm.
pub(crate) fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}

/// The products of the columns of a block with R, one row each.
fn block_products(block: &ScaledBlock<'_>, right: &[f64], q: usize) -> Vec<f64> {
    if block.is_sparse() {
        let mut out = vec![0.0; block.width() * q];
        out.chunks_exact_mut(q).enumerate().for_each(|(j, row)| sparse_product(block, j, right, row));
        return out;
    }
    let n = right.len() / q;
    let mut unit = vec![0.0; n * block.width()];
    ScaledBlock::unit_columns(std::slice::from_ref(block), &mut unit);
    multiply(&unit, right, n, q)
}

/// fᵀR of a sparse column by its non-zeros.
fn sparse_product(block: &ScaledBlock<'_>, j: usize, right: &[f64], out: &mut [f64]) {
    let q = out.len();
    let factor = block.length(j) / block.centered_norm(j);
    if !factor.is_finite() {
        return;
    }
    for (i, value) in block.entries(j).into_iter().flatten() {
        out.iter_mut().zip(&right[i * q..(i + 1) * q]).for_each(|(o, r)| *o += value * r);
    }
    out.iter_mut().for_each(|o| *o *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn correlations_with_two_vectors_by_hand() {
        let data = Dataset::from_rows(&[[1.0, 4.0, 7.0], [2.0, 4.0, 5.0], [3.0, 4.0, 9.0]]).expect("finite");
        let mut right = vec![0.0, 10.0, 1.0, 10.0, 5.0, 10.0];
        center(&mut right, 2);
        assert_eq!(right, [-2.0, 0.0, -1.0, 0.0, 3.0, 0.0]);
        // About their means the columns are (-1, 0, 1), (0, 0, 0) and (0, -2, 2).
        let expected = [5.0 / 2f64.sqrt(), 0.0, 8.0 / 8f64.sqrt()];
        let norms = data.product_norms(&right, 2, &Silent).expect("in memory");
        let some = data.products_of(&[2, 0], &right, 2).expect("in memory");
        for (got, expected) in
            norms.iter().zip(expected).chain([(&some[0], expected[2]), (&some[2], expected[0])])
        {
            assert!((got - expected).abs() < 1e-14, "{got} {expected}");
        }
        assert_eq!((some[1], some[3]), (0.0, 0.0));
    }
}
