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

use super::measure::go_on;
use crate::Result;
use crate::dataset::Dataset;
use crate::monitor::Monitor;
use crate::simd::vectorized;

/// Left samples that are grown together, side by side: few enough that in sparse data all of them are often 0.
pub(super) const LANES: usize = 4;
/// Features that are held at a time.
const HELD: usize = 256;
/// Left samples of a task.
const CHUNK: usize = 512;
/// Bytes of sums that are grown together at least: the features are read once for all of them.
const ROOM: usize = 64 << 20;
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
    /// Asked between blocks whether to go on.
    pub(super) monitor: &'a dyn Monitor,
}

impl Pairs<'_> {
    /// Calls `look` with the place in `left` of the first of four left samples and their sums over the right
    /// samples, at every count, and returns what it said of each left sample: one list a count.
    pub(super) fn walk<T: Send>(
        &self,
        look: impl Fn(usize, &[Lanes]) -> [T; LANES] + Sync,
    ) -> Result<Vec<Vec<T>>> {
        let mut chunks: Vec<Chunk<T>> = (0..self.left.len())
            .step_by(CHUNK)
            .map(|start| Chunk::new(start..self.left.len().min(start + CHUNK), self.counts.len()))
            .collect();
        let size = CHUNK * self.right.len() * size_of::<Lanes>() / LANES;
        let together = (ROOM / size.max(1)).max(rayon::current_num_threads());
        for some in chunks.chunks_mut(together) {
            self.grow(some, &look)?;
        }
        let mut all: Vec<Vec<T>> = self.counts.iter().map(|_| Vec::new()).collect();
        for chunk in chunks {
            all.iter_mut().zip(chunk.said).for_each(|(all, said)| all.extend(said));
        }
        Ok(all)
    }

    /// Grows some chunks along the whole ranking. The features are read once for all of them.
    fn grow<T: Send>(
        &self,
        chunks: &mut [Chunk<T>],
        look: &(impl Fn(usize, &[Lanes]) -> [T; LANES] + Sync),
    ) -> Result<()> {
        let last = self.counts.last().copied().unwrap_or(0);
        let look = |first: usize, tile: &[Lanes]| go_on(self.monitor).map(|()| look(first, tile));
        chunks.iter_mut().for_each(|c| c.begin(self.right.len()));
        let mut next = 0;
        for start in (0..last).step_by(HELD) {
            go_on(self.monitor)?;
            let range = start..last.min(start + HELD);
            let held = self.hold(range.clone(), chunks)?;
            let stops: Vec<usize> =
                self.counts[next..].iter().copied().take_while(|&c| c <= range.end).collect();
            chunks.par_iter_mut().try_for_each(|chunk| chunk.grow(&held, &range, (next, &stops), &look))?;
            next += stops.len();
        }
        chunks.iter_mut().for_each(Chunk::end);
        Ok(())
    }

    /// The features `range` of the ranking for all right samples; every chunk gets them for its left samples.
    fn hold<T>(&self, range: Range<usize>, chunks: &mut [Chunk<T>]) -> Result<Held> {
        let (width, features) = (self.right.len(), range.len());
        let mut held = Held {
            term: self.term,
            features,
            right: Vec::with_capacity(features * width),
            zeros: Vec::with_capacity(features),
            entries: Vec::with_capacity(features),
        };
        for chunk in &mut *chunks {
            chunk.left.resize(chunk.rows.len().div_ceil(LANES) * features, [0.0; LANES]);
        }
        self.data.each_column(&self.order[range], |f, block, at| {
            let (column, zero) = (block.column(at), block.zero(at));
            for chunk in &mut *chunks {
                for (t, four) in self.left[chunk.rows.clone()].chunks(LANES).enumerate() {
                    chunk.left[t * features + f] =
                        std::array::from_fn(|l| four.get(l).map_or(zero, |&i| column[i]));
                }
            }
            held.right.extend(self.right.iter().map(|&i| column[i]));
            held.zeros.push(zero);
            held.entries.push(self.entries(&held.right[f * width..], zero));
        })?;
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

/// Some left samples, and what is said of them.
struct Chunk<T> {
    /// Places in `left`.
    rows: Range<usize>,
    /// Their values: fours of left samples × features.
    left: Vec<Lanes>,
    /// Fours of left samples × right samples.
    sums: Vec<Lanes>,
    /// One list a count.
    said: Vec<Vec<T>>,
}

impl<T> Chunk<T> {
    fn new(rows: Range<usize>, counts: usize) -> Self {
        Chunk { rows, left: Vec::new(), sums: Vec::new(), said: (0..counts).map(|_| Vec::new()).collect() }
    }

    fn begin(&mut self, width: usize) {
        self.sums = vec![[0.0; LANES]; self.rows.len().div_ceil(LANES) * width];
    }

    /// Only what was said is kept.
    fn end(&mut self) {
        (self.left, self.sums) = (Vec::new(), Vec::new());
    }

    /// Adds the features `range` of the ranking, and looks at the counts `stops` on the way: the first of them is count
    /// number `next`.
    fn grow(
        &mut self,
        held: &Held,
        range: &Range<usize>,
        (next, stops): (usize, &[usize]),
        look: &impl Fn(usize, &[Lanes]) -> Result<[T; LANES]>,
    ) -> Result<()> {
        let width = held.right.len() / held.features;
        let fours = self.sums.chunks_exact_mut(width).zip(self.left.chunks_exact(held.features));
        for (t, (tile, row)) in fours.enumerate() {
            let first = self.rows.start + t * LANES;
            let mut from = 0;
            for (s, &stop) in stops.iter().enumerate() {
                held.grow(tile, row, from..stop - range.start);
                from = stop - range.start;
                // The last lanes may belong to nobody.
                self.said[next + s].extend(look(first, tile)?.into_iter().take(self.rows.end - first));
            }
            held.grow(tile, row, from..held.features);
        }
        Ok(())
    }
}

/// Some features of a ranking, ready to be added.
struct Held {
    term: Term,
    features: usize,
    /// Features × right samples.
    right: Vec<f64>,
    /// What is 0 in every feature, after scaling.
    zeros: Vec<f64>,
    entries: Vec<Option<Vec<(u32, f64)>>>,
}

impl Held {
    /// Adds the features `range` to the sums of the four left samples with the values `row`: by their entries where
    /// that will do, and then four whole columns at a time.
    fn grow(&self, sums: &mut [Lanes], row: &[Lanes], range: Range<usize>) {
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{LANES, Pairs, Term};
    use crate::Error;
    use crate::dataset::demo;

    /// How often a walk asks whether to go on, and whether it went to its end, where it may so many times.
    fn walked(may: usize) -> (usize, bool) {
        let data = demo::iris().expect("embedded");
        let samples: Vec<usize> = (0..data.n_samples()).collect();
        let asked = AtomicUsize::new(0);
        let monitor = |_: &'static str, _: usize, _: usize| {
            if asked.fetch_add(1, Ordering::Relaxed) < may {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let (left, right, order, counts) = (&samples[..], &samples[..], &[2, 3, 0, 1][..], &[1, 4][..]);
        let term = Term::Product;
        let pairs = Pairs { data: &data, left, right, order, counts, term, monitor: &monitor };
        let found = pairs.walk(|_, _| [(); LANES]);
        assert!(matches!(found, Ok(_) | Err(Error::Canceled)));
        (asked.load(Ordering::Relaxed), found.is_ok())
    }

    #[test]
    fn the_walk_asks_on_its_way_and_stops_when_told() {
        // Once for the features, and for every four samples at both counts.
        let often = 1 + 150usize.div_ceil(LANES) * 2;
        assert_eq!(walked(usize::MAX), (often, true));
        for may in [0, 1, 20, often - 1] {
            assert_eq!(walked(may), (may + 1, false));
        }
    }
}
