//! Sums over features for all pairs of samples, grown feature by feature along a ranking.
//!
//! A curve asks for the distances of the samples in the first 10, 20, … features of a ranking. From 10 to 20 only
//! ten features are new, and a squared distance is a sum over features: so it is grown, never begun again. Rows of
//! the table of sums go by in small groups that stay in the cache along the whole curve.
//!
//! Distances are sums of (x - y)², not of x² + y² - 2xy: nothing cancels, so equal samples have distance 0 and ties are
//! ties. Where most values of a feature are 0, only the pairs with something else are touched.

use std::ops::Range;

use rayon::prelude::*;

use crate::Result;
use crate::dataset::Dataset;
use crate::simd::vectorized;

/// Rows that are grown together: 8 rows × 1000 samples are 64 KB.
const TILE: usize = 8;
/// Features that are held at a time.
const HELD: usize = 256;
/// Rows of a task.
const CHUNK: usize = 512;
/// A column is treated by its entries where at most one value in so many is not 0.
const ONE_IN: usize = 4;

/// What is added for a feature with values x and y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// (x - y)².
    SquaredDifference,
    /// xy.
    Product,
}

/// All pairs of the samples `left` and `right` along the ranking `order`.
pub(super) struct Pairs<'a> {
    pub(super) data: &'a Dataset,
    pub(super) left: &'a [usize],
    pub(super) right: &'a [usize],
    pub(super) order: &'a [usize],
    /// Ascending, each at most the length of `order`.
    pub(super) counts: &'a [usize],
    pub(super) term: Term,
}

impl Pairs<'_> {
    /// Calls `look` with every left sample (its place in `left`) and its sums over the right samples, at
    /// every count, and returns what it said: one list a count.
    pub(super) fn walk<T: Send>(&self, look: impl Fn(usize, &[f64]) -> T + Sync) -> Result<Vec<Vec<T>>> {
        let chunks: Vec<Range<usize>> =
            (0..self.left.len()).step_by(CHUNK).map(|s| s..self.left.len().min(s + CHUNK)).collect();
        let parts: Vec<Result<Vec<Vec<T>>>> =
            chunks.into_par_iter().map(|rows| self.chunk(rows, &look)).collect();
        let mut all: Vec<Vec<T>> = self.counts.iter().map(|_| Vec::new()).collect();
        for part in parts {
            all.iter_mut().zip(part?).for_each(|(all, part)| all.extend(part));
        }
        Ok(all)
    }

    fn chunk<T>(&self, rows: Range<usize>, look: &impl Fn(usize, &[f64]) -> T) -> Result<Vec<Vec<T>>> {
        let width = self.right.len();
        let mut sums = vec![0.0; rows.len() * width];
        let mut said: Vec<Vec<T>> = self.counts.iter().map(|_| Vec::with_capacity(rows.len())).collect();
        let last = self.counts.last().copied().unwrap_or(0);
        let mut next = 0;
        for start in (0..last).step_by(HELD) {
            let range = start..last.min(start + HELD);
            let held = self.hold(range.clone(), rows.clone())?;
            let stops: Vec<usize> =
                self.counts[next..].iter().copied().take_while(|&c| c <= range.end).collect();
            for (t, tile) in sums.chunks_mut(TILE * width).enumerate() {
                let first = t * TILE;
                let mut from = range.start;
                for (s, &stop) in stops.iter().enumerate() {
                    held.grow(tile, first, from - start..stop - start);
                    from = stop;
                    for (r, row) in tile.chunks_exact(width).enumerate() {
                        said[next + s].push(look(rows.start + first + r, row));
                    }
                }
                held.grow(tile, first, from - start..range.len());
            }
            next += stops.len();
        }
        Ok(said)
    }

    /// The features `range` of the ranking, for the left samples `rows` and all right ones.
    fn hold(&self, range: Range<usize>, rows: Range<usize>) -> Result<Held> {
        let (width, features) = (self.right.len(), range.len());
        let mut held = Held {
            term: self.term,
            features,
            left: vec![0.0; rows.len() * features],
            right: Vec::with_capacity(features * width),
            zeros: Vec::with_capacity(features),
            entries: Vec::with_capacity(features),
        };
        for (f, &j) in self.order[range].iter().enumerate() {
            let block = self.data.read(j..j + 1)?;
            let (column, zero) = (block.column(0), block.zero(0));
            for (r, &i) in self.left[rows.clone()].iter().enumerate() {
                held.left[r * features + f] = column[i];
            }
            held.right.extend(self.right.iter().map(|&i| column[i]));
            held.zeros.push(zero);
            held.entries.push(self.entries(&held.right[f * width..], zero));
        }
        Ok(held)
    }

    /// The right samples that are not 0, with what a left sample that is 0 adds for them (or, for
    /// products, their values); `None` where they are many.
    fn entries(&self, column: &[f64], zero: f64) -> Option<Vec<(u32, f64)>> {
        if self.term == Term::Product && zero != 0.0 {
            return None;
        }
        let few = column.iter().filter(|&&v| v != zero).count() <= column.len() / ONE_IN;
        let value = |v: f64| match self.term {
            Term::SquaredDifference => (zero - v) * (zero - v),
            Term::Product => v,
        };
        few.then(|| (0u32..).zip(column).filter(|e| *e.1 != zero).map(|(i, &v)| (i, value(v))).collect())
    }
}

/// Some features of a ranking, ready to be added.
struct Held {
    term: Term,
    features: usize,
    /// Left samples × features.
    left: Vec<f64>,
    /// Features × right samples.
    right: Vec<f64>,
    /// What is 0 in every feature, after scaling.
    zeros: Vec<f64>,
    entries: Vec<Option<Vec<(u32, f64)>>>,
}

impl Held {
    /// Adds the features `range` to the sums of a tile whose first row is `first`: by their entries where that
    /// will do, and then four whole columns at a time.
    fn grow(&self, tile: &mut [f64], first: usize, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let width = self.right.len() / self.features;
        vectorized!({
            for (r, sums) in tile.chunks_exact_mut(width).enumerate() {
                let row = &self.left[(first + r) * self.features..][..self.features];
                self.grow_row(sums, row, range.clone());
            }
        });
    }

    #[inline(always)]
    fn grow_row(&self, sums: &mut [f64], row: &[f64], range: Range<usize>) {
        let mut whole = [0; HELD];
        let mut count = 0;
        for f in range {
            let at_zero = row[f] == self.zeros[f];
            match (&self.entries[f], self.term) {
                (Some(_), Term::Product) if at_zero => {}
                (Some(entries), Term::Product) => {
                    entries.iter().for_each(|&(i, v)| sums[i as usize] += row[f] * v);
                }
                (Some(entries), Term::SquaredDifference) if at_zero => {
                    entries.iter().for_each(|&(i, v)| sums[i as usize] += v);
                }
                _ => {
                    whole[count] = f;
                    count += 1;
                }
            }
        }
        whole[..count].chunks(4).for_each(|four| self.add(sums, row, four));
    }

    /// Adds whole columns, with one walk along the sums where there are four.
    #[inline(always)]
    fn add(&self, sums: &mut [f64], row: &[f64], features: &[usize]) {
        let width = sums.len();
        let column = |f: usize| &self.right[f * width..(f + 1) * width];
        match (features, self.term) {
            (&[a, b, c, d], Term::SquaredDifference) => {
                let columns = column(a).iter().zip(column(b)).zip(column(c).iter().zip(column(d)));
                for (s, ((ya, yb), (yc, yd))) in sums.iter_mut().zip(columns) {
                    let (da, db, dc, dd) = (row[a] - ya, row[b] - yb, row[c] - yc, row[d] - yd);
                    *s = *s + da * da + db * db + dc * dc + dd * dd;
                }
            }
            (&[a, b, c, d], Term::Product) => {
                let columns = column(a).iter().zip(column(b)).zip(column(c).iter().zip(column(d)));
                for (s, ((ya, yb), (yc, yd))) in sums.iter_mut().zip(columns) {
                    *s = *s + row[a] * ya + row[b] * yb + row[c] * yc + row[d] * yd;
                }
            }
            (few, Term::SquaredDifference) => {
                for &f in few {
                    let x = row[f];
                    sums.iter_mut().zip(column(f)).for_each(|(s, y)| *s += (x - y) * (x - y));
                }
            }
            (few, Term::Product) => {
                for &f in few {
                    let x = row[f];
                    sums.iter_mut().zip(column(f)).for_each(|(s, y)| *s += x * y);
                }
            }
        }
    }
}

/// Sums closer than this, relative to the smallest, differ by rounding alone. Counts that were scaled tie
/// often, and which of them is nearest must not depend on how the data are stored.
const TIE: f64 = 1e-11;

/// The place of the smallest sum, the first where several are equal.
pub(super) fn smallest(sums: &[f64]) -> usize {
    let (blocks, rest) = sums.as_chunks::<64>();
    vectorized!({
        let mut least = rest.iter().copied().fold(f64::INFINITY, lesser);
        for block in blocks {
            least = lesser(least, least_of(block));
        }
        let most = least * (1.0 + TIE);
        // Whole blocks are passed over as fast as they were looked at.
        let before = blocks.iter().position(|block| least_of(block) <= most).unwrap_or(blocks.len());
        let found = sums[before * 64..].iter().position(|&s| s <= most);
        before * 64 + found.unwrap_or(0)
    })
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// In sixteen lanes, so that no comparison waits for the one before.
#[inline(always)]
fn least_of(block: &[f64; 64]) -> f64 {
    let mut least = [f64::INFINITY; 16];
    for four in block.as_chunks::<16>().0 {
        for l in 0..16 {
            least[l] = lesser(least[l], four[l]);
        }
    }
    for half in [8, 4, 2, 1] {
        for l in 0..half {
            least[l] = lesser(least[l], least[l + half]);
        }
    }
    least[0]
}
