//! Sums over features for all pairs of samples, grown feature by feature along a ranking.
//!
//! A curve asks for the distances of the samples in the first 10, 20, … features of a ranking. From 10 to 20 only
//! ten features are new, and a squared distance is a sum over features: so it is grown, never begun again. Rows of
//! the table of sums go by in fours, side by side in the lanes of a vector, and stay in the cache along the whole curve.
//!
//! Distances are sums of (x - y)², not of x² + y² - 2xy: nothing cancels, so equal samples have distance 0 and ties are
//! ties. Where most values of a feature are 0, only the pairs with something else are touched.

use std::ops::Range;

use rayon::prelude::*;

use crate::Result;
use crate::dataset::Dataset;
use crate::simd::vectorized;

/// Left samples that are grown together, side by side: few enough that in sparse data all of them are often 0.
pub(super) const LANES: usize = 4;
/// Features that are held at a time.
const HELD: usize = 256;
/// Left samples of a task.
const CHUNK: usize = 512;
/// A column is treated by its entries where at most one value in so many is not 0.
const ONE_IN: usize = 4;

/// The sums of four left samples with one right sample.
pub(super) type Lanes = [f64; LANES];

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
    /// Calls `look` with the place in `left` of the first of four left samples and their sums over the right
    /// samples, at every count, and returns what it said of each left sample: one list a count.
    pub(super) fn walk<T: Send>(
        &self,
        look: impl Fn(usize, &[Lanes]) -> [T; LANES] + Sync,
    ) -> Result<Vec<Vec<T>>> {
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

    fn chunk<T>(
        &self,
        rows: Range<usize>,
        look: &impl Fn(usize, &[Lanes]) -> [T; LANES],
    ) -> Result<Vec<Vec<T>>> {
        let width = self.right.len();
        let mut sums = vec![[0.0; LANES]; rows.len().div_ceil(LANES) * width];
        let mut said: Vec<Vec<T>> = self.counts.iter().map(|_| Vec::with_capacity(rows.len())).collect();
        let last = self.counts.last().copied().unwrap_or(0);
        let mut next = 0;
        for start in (0..last).step_by(HELD) {
            let range = start..last.min(start + HELD);
            let held = self.hold(range.clone(), rows.clone())?;
            let stops: Vec<usize> =
                self.counts[next..].iter().copied().take_while(|&c| c <= range.end).collect();
            for (t, tile) in sums.chunks_exact_mut(width).enumerate() {
                let first = rows.start + t * LANES;
                let mut from = range.start;
                for (s, &stop) in stops.iter().enumerate() {
                    held.grow(tile, t, from - start..stop - start);
                    from = stop;
                    // The last lanes may belong to nobody.
                    said[next + s].extend(look(first, tile).into_iter().take(rows.end - first));
                }
                held.grow(tile, t, from - start..range.len());
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
            left: vec![[0.0; LANES]; rows.len().div_ceil(LANES) * features],
            right: Vec::with_capacity(features * width),
            zeros: Vec::with_capacity(features),
            entries: Vec::with_capacity(features),
        };
        for (f, &j) in self.order[range].iter().enumerate() {
            let block = self.data.read(j..j + 1)?;
            let (column, zero) = (block.column(0), block.zero(0));
            for (t, four) in self.left[rows.clone()].chunks(LANES).enumerate() {
                held.left[t * features + f] =
                    std::array::from_fn(|l| four.get(l).map_or(zero, |&i| column[i]));
            }
            held.right.extend(self.right.iter().map(|&i| column[i]));
            held.zeros.push(zero);
            held.entries.push(self.entries(&held.right[f * width..], zero));
        }
        Ok(held)
    }

    /// The right samples that are not 0, with their values; `None` where they are many.
    fn entries(&self, column: &[f64], zero: f64) -> Option<Vec<(u32, f64)>> {
        if self.term == Term::Product && zero != 0.0 {
            return None;
        }
        let few = column.iter().filter(|&&v| v != zero).count() <= column.len() / ONE_IN;
        few.then(|| (0u32..).zip(column.iter().copied()).filter(|e| e.1 != zero).collect())
    }
}

/// Some features of a ranking, ready to be added.
struct Held {
    term: Term,
    features: usize,
    /// Fours of left samples × features.
    left: Vec<Lanes>,
    /// Features × right samples.
    right: Vec<f64>,
    /// What is 0 in every feature, after scaling.
    zeros: Vec<f64>,
    entries: Vec<Option<Vec<(u32, f64)>>>,
}

impl Held {
    /// Adds the features `range` to the sums of the four left samples `t`: by their entries where that will do,
    /// and then four whole columns at a time.
    fn grow(&self, sums: &mut [Lanes], t: usize, range: Range<usize>) {
        let row = &self.left[t * self.features..(t + 1) * self.features];
        vectorized!({
            let mut whole = [0; HELD];
            let mut count = 0;
            for f in range {
                let at_zero = row[f] == [self.zeros[f]; LANES];
                match (&self.entries[f], self.term) {
                    (Some(_), Term::Product) if at_zero => {}
                    (Some(entries), Term::Product) => {
                        entries.iter().for_each(|&(i, v)| multiply(&mut sums[i as usize], &row[f], v));
                    }
                    (Some(entries), Term::SquaredDifference) if at_zero => {
                        entries.iter().for_each(|&(i, v)| square(&mut sums[i as usize], &row[f], v));
                    }
                    _ => {
                        whole[count] = f;
                        count += 1;
                    }
                }
            }
            whole[..count].chunks(4).for_each(|four| self.add(sums, row, four));
        });
    }

    /// Adds whole columns, with one walk along the sums where there are four.
    #[inline(always)]
    fn add(&self, sums: &mut [Lanes], row: &[Lanes], features: &[usize]) {
        match self.term {
            Term::SquaredDifference => self.walk(sums, row, features, square),
            Term::Product => self.walk(sums, row, features, multiply),
        }
    }

    #[inline(always)]
    fn walk(
        &self,
        sums: &mut [Lanes],
        row: &[Lanes],
        features: &[usize],
        term: impl Fn(&mut Lanes, &Lanes, f64),
    ) {
        let width = sums.len();
        let column = |f: usize| &self.right[f * width..(f + 1) * width];
        if let &[a, b, c, d] = features {
            let columns = column(a).iter().zip(column(b)).zip(column(c).iter().zip(column(d)));
            for (s, ((&ya, &yb), (&yc, &yd))) in sums.iter_mut().zip(columns) {
                let mut sum = *s;
                term(&mut sum, &row[a], ya);
                term(&mut sum, &row[b], yb);
                term(&mut sum, &row[c], yc);
                term(&mut sum, &row[d], yd);
                *s = sum;
            }
            return;
        }
        for &f in features {
            sums.iter_mut().zip(column(f)).for_each(|(s, &y)| term(s, &row[f], y));
        }
    }
}

#[inline(always)]
fn square(sums: &mut Lanes, x: &Lanes, y: f64) {
    for l in 0..LANES {
        let difference = x[l] - y;
        sums[l] += difference * difference;
    }
}

#[inline(always)]
fn multiply(sums: &mut Lanes, x: &Lanes, y: f64) {
    for l in 0..LANES {
        sums[l] += x[l] * y;
    }
}

/// Sums closer than this, relative to the smallest, differ by rounding alone. Counts that were scaled tie
/// often, and which of them is nearest must not depend on how the data are stored.
const TIE: f64 = 1e-11;
/// Right samples whose smallest sums are known together.
const BLOCK: usize = 32;

/// The right sample with the smallest sum for each of the four, the first where several are equal.
pub(super) fn smallest(sums: &[Lanes]) -> [usize; LANES] {
    let mut blocks = vec![[f64::INFINITY; LANES]; sums.len().div_ceil(BLOCK)];
    let mut least = [f64::INFINITY; LANES];
    vectorized!({
        for (block, sums) in blocks.iter_mut().zip(sums.chunks(BLOCK)) {
            // Four at a time, so that no comparison waits for the one before.
            let (fours, rest) = sums.as_chunks::<4>();
            let mut four = [[f64::INFINITY; LANES]; 4];
            for next in fours {
                for k in 0..4 {
                    lessen(&mut four[k], &next[k]);
                }
            }
            four.iter().chain(rest).for_each(|s| lessen(block, s));
            lessen(&mut least, block);
        }
    });
    std::array::from_fn(|l| {
        let most = least[l] * (1.0 + TIE);
        let block = blocks.iter().position(|b| b[l] <= most).unwrap_or(0);
        let found = sums[block * BLOCK..].iter().position(|s| s[l] <= most);
        block * BLOCK + found.unwrap_or(0)
    })
}

#[inline(always)]
fn lessen(least: &mut Lanes, other: &Lanes) {
    for l in 0..LANES {
        least[l] = if other[l] < least[l] { other[l] } else { least[l] };
    }
}
