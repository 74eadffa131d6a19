//! The samples in single precision, for the approximate search: its one copy of the data.

use rayon::prelude::*;

use super::everyone;
use super::geometry::Geometry;
use crate::Result;
use crate::dataset::{BLOCK, Dataset};
use crate::graph::metric::Adds;
use crate::simd::vectorized;

/// Samples that one task reads.
const ROWS_PER_TASK: usize = 4096;

/// The samples in single precision, row after row, filled up with zeros to whole lanes. The
/// distance is a sum over squares or magnitudes of differences (see [`Geometry::row_factor`] for
/// the cosine).
pub(super) struct Rows {
    values: Vec<f32>,
    features: usize,
    /// Features, filled up.
    width: usize,
    adds: Adds,
}

/// Numbers that vector instructions treat together.
const LANES: usize = 16;

impl Rows {
    pub(super) fn read(data: &Dataset, geometry: &Geometry) -> Result<Self> {
        let (n, m) = (data.n_samples(), data.n_features());
        let width = m.next_multiple_of(LANES);
        let mut values = vec![0.0; n * width];
        let everyone = everyone(n);
        for start in (0..m).step_by(BLOCK) {
            let block = data.read(start..m.min(start + BLOCK))?;
            let chunks = values.par_chunks_mut(ROWS_PER_TASK * width).zip(everyone.par_chunks(ROWS_PER_TASK));
            chunks.for_each(|(values, samples)| {
                let mut tile = vec![0.0; samples.len() * BLOCK];
                block.pack_rows(0..block.width(), samples, BLOCK, geometry.center(), &mut tile);
                let rows = values.chunks_exact_mut(width).zip(tile.chunks_exact(BLOCK));
                for ((row, tile), &i) in rows.zip(samples) {
                    let (out, factor) =
                        (&mut row[start..start + block.width()], geometry.row_factor(i as usize));
                    out.iter_mut().zip(tile).for_each(|(out, v)| *out = (v * factor) as f32);
                }
            });
        }
        Ok(Rows { values, features: m, width, adds: geometry.metric.info().adds })
    }

    /// Puts the rows in another order, in place: row i becomes what row `order[i]` was. Every cycle of the
    /// order is followed once around.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        let (width, mut moved) = (self.width, vec![false; order.len()]);
        let mut kept = vec![0.0; width];
        for first in 0..order.len() {
            if std::mem::replace(&mut moved[first], true) {
                continue;
            }
            kept.copy_from_slice(&self.values[first * width..][..width]);
            let mut at = first;
            while order[at] as usize != first {
                let from = order[at] as usize;
                self.values.copy_within(from * width..(from + 1) * width, at * width);
                moved[from] = true;
                at = from;
            }
            self.values[at * width..][..width].copy_from_slice(&kept);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    #[inline(always)]
    fn row(&self, i: u32) -> &[[f32; LANES]] {
        self.values[i as usize * self.width..][..self.width].as_chunks::<LANES>().0
    }

    /// Row `a` less row `b`.
    pub(super) fn difference(&self, a: u32, b: u32) -> Vec<f32> {
        let pairs = self.row(a).as_flattened().iter().zip(self.row(b).as_flattened());
        pairs.map(|(a, b)| a - b).collect()
    }

    /// The inner products of some rows with `line`.
    pub(super) fn projections(&self, samples: &[u32], line: &[f32]) -> Vec<f32> {
        let line = line.as_chunks::<LANES>().0;
        let mut out = vec![0.0; samples.len()];
        // A loop, for what `collect` calls is not compiled for this machine.
        vectorized!({
            for (out, &i) in out.iter_mut().zip(samples) {
                *out = sum(self.row(i), line, |x, y| x * y);
            }
        });
        out
    }

    /// What distances are made of.
    pub(super) fn adds(&self) -> Adds {
        self.adds
    }

    /// Some rows as columns: value j of sample a goes to `out[j·stride + a]`, NaN beyond the last sample.
    pub(super) fn turn(&self, samples: &[u32], stride: usize, out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.features * stride, f32::NAN);
        for (a, &i) in samples.iter().enumerate() {
            let row = &self.values[i as usize * self.width..][..self.features];
            row.iter().zip(out[a..].iter_mut().step_by(stride)).for_each(|(v, o)| *o = *v);
        }
    }

    /// The distances of row `i` to some others.
    pub(super) fn distances(&self, i: u32, others: &[u32], out: &mut Vec<f32>) {
        out.resize(others.len(), 0.0);
        let x = self.row(i);
        vectorized!(match self.adds {
            Adds::Squares => self.sums(x, others, out, |x, y| (x - y) * (x - y)),
            Adds::Magnitudes => self.sums(x, others, out, |x, y| (x - y).abs()),
        });
    }

    #[inline(always)]
    fn sums(
        &self,
        x: &[[f32; LANES]],
        others: &[u32],
        out: &mut [f32],
        term: impl Fn(f32, f32) -> f32 + Copy,
    ) {
        for (out, &j) in out.iter_mut().zip(others) {
            *out = sum(x, self.row(j), term);
        }
    }
}

#[inline(always)]
fn sum(x: &[[f32; LANES]], y: &[[f32; LANES]], term: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    for (x, y) in x.iter().zip(y) {
        for l in 0..LANES {
            lanes[l] += term(x[l], y[l]);
        }
    }
    // Two by two: one after another, each addition would wait for the last.
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            lanes[l] += lanes[l + width];
        }
        width /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::dataset::Scaling;
    use crate::graph::Metric;

    #[test]
    fn rows_are_those_of_the_data_in_any_order() {
        let rows: Vec<Vec<f64>> = (0..9).map(|i| (0..70).map(|j| f64::from(i * 100 + j)).collect()).collect();
        let data = Dataset::from_rows(&rows).unwrap().scaled(Scaling::None);
        let geometry = Geometry::new(&data, Metric::Manhattan, &crate::Silent).unwrap();
        let order = [3, 0, 2, 1, 8, 4, 5, 6, 7];
        let (plain, mut moved) =
            (Rows::read(&data, &geometry).unwrap(), Rows::read(&data, &geometry).unwrap());
        moved.reorder(&order);
        for (at, &from) in order.iter().enumerate() {
            assert_eq!(moved.row(at as u32), plain.row(from));
        }
        let mut distances = Vec::new();
        plain.distances(2, &[2, 5], &mut distances);
        assert_eq!(distances, [0.0, (70.0 * 300.0 * geometry.scale) as f32]);
    }
}
