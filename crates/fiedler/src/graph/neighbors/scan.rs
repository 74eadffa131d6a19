//! A tile of distances, looked through for candidates: sixteen distances at a time are compared with what the samples have
//! found so far, and hardly ever is one of them of interest.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::candidates::{Bounds, Candidates};
use super::panels::{LANES, lanes};
use super::plan::{Cut, Plan};
use super::real::Real;
use super::{Problem, Shortlist};
use crate::simd::vectorized;

/// What the samples of a block have found so far.
pub(super) struct State<T> {
    height: usize,
    /// By class, then by sample: nobody farther is of interest.
    thresholds: Vec<T>,
    candidates: Vec<Candidates<T>>,
}

impl<T: Real> State<T> {
    /// Samples at positions from `active` on do not search: nobody is of interest to them. With more than `most` candidates in a
    /// class a sample is given up.
    pub(super) fn new(block: &Cut, problem: &Problem<'_>, active: usize, most: usize) -> Self {
        let height = block.positions.len();
        let threshold = |at: usize| {
            if block.positions.start + at % height < active { T::INFINITY } else { T::NEG_INFINITY }
        };
        let lists = height * problem.n_classes;
        State {
            height,
            thresholds: (0..lists).map(threshold).collect(),
            candidates: (0..lists).map(|_| Candidates::new(problem.k, most)).collect(),
        }
    }

    /// What every sample has found, class by class.
    pub(super) fn into_candidates(self) -> impl Iterator<Item = Candidates<T>> {
        self.candidates.into_iter()
    }

    /// The state as numbers, behind others.
    pub(super) fn write_down(&self, numbers: &mut Vec<f64>) {
        for (threshold, candidates) in self.thresholds.iter().zip(&self.candidates) {
            numbers.push(threshold.wide());
            candidates.write_down(numbers);
        }
    }

    /// A state of the same samples, from numbers; `None` where there are too few of them.
    pub(super) fn read_back(&self, next: &mut dyn FnMut() -> Option<f64>) -> Option<Self> {
        let (mut thresholds, mut candidates) = (Vec::new(), Vec::new());
        for own in &self.candidates {
            thresholds.push(T::narrow(next()?));
            candidates.push(own.read_back(next)?);
        }
        Some(State { height: self.height, thresholds, candidates })
    }

    #[inline]
    fn take(&mut self, list: usize, lower: T, upper: T, position: usize, k: usize) {
        if let Some(threshold) = self.candidates[list].push(lower, upper, position, k) {
            self.thresholds[list] = threshold;
        }
    }
}

/// Looks through a tile for candidates of its rows and, off the diagonal, of its columns.
pub(super) fn scan<T: Real>(
    plan: &Plan,
    bounds: &Bounds<T>,
    states: &[Mutex<State<T>>],
    tile: (usize, usize),
    products: &mut [T],
    k: usize,
) {
    let (left, right) = (&plan.blocks[tile.0], &plan.blocks[tile.1]);
    if tile.0 == tile.1 {
        mirror(products, left.height());
    }
    let products = &*products;
    // Locks are taken in the order of the blocks, so no two threads can wait for each other.
    let mut rows = lock(&states[tile.0]);
    let mut columns = (tile.0 != tile.1).then(|| lock(&states[tile.1]));
    for (column_class, column_run) in &right.runs {
        for (row_class, row_run) in &left.runs {
            let view = View {
                bounds,
                products,
                stride: left.height(),
                left: (left.positions.start, *row_class, row_run.clone()),
                right: (right.positions.start, *column_class, column_run.clone()),
                k,
            };
            vectorized!(view.scan(&mut rows, columns.as_deref_mut()));
        }
    }
}

/// Copies what is above the diagonal of a tile, column-major, to below it, where nothing was computed.
fn mirror<T: Copy>(products: &mut [T], height: usize) {
    for column in 1..height {
        for row in 0..column {
            products[row * height + column] = products[column * height + row];
        }
    }
}

/// The part of a tile between two runs of one class each.
pub(super) struct View<'a, T> {
    pub(super) bounds: &'a Bounds<T>,
    pub(super) products: &'a [T],
    pub(super) stride: usize,
    /// First position of the block, class, and the run.
    pub(super) left: (usize, u32, Range<usize>),
    pub(super) right: (usize, u32, Range<usize>),
    pub(super) k: usize,
}

impl<T: Real> View<'_, T> {
    #[inline(always)]
    pub(super) fn scan(&self, rows: &mut State<T>, mut columns: Option<&mut State<T>>) {
        let (first, end) = (self.left.2.start, self.left.2.end);
        let lower = &self.bounds.lower[self.left.0..];
        let thresholds = self.right.1 as usize * rows.height;
        for c in self.right.2.clone() {
            let products = &self.products[c * self.stride..(c + 1) * self.stride];
            let own = self.bounds.lower[self.right.0 + c];
            let list = columns.as_deref().map(|s| self.left.1 as usize * s.height + c);
            let mut start = first;
            while start + LANES <= end {
                let limit = match (columns.as_deref(), list) {
                    (Some(columns), Some(list)) => columns.thresholds[list],
                    _ => T::NEG_INFINITY,
                };
                let close = any_close(
                    lanes(products, start),
                    lanes(lower, start),
                    lanes(&rows.thresholds, thresholds + start),
                    (own, self.bounds.lower_factor, limit),
                );
                if close {
                    self.offer(start..start + LANES, c, rows, columns.as_deref_mut());
                }
                start += LANES;
            }
            if start < end {
                self.offer(start..end, c, rows, columns.as_deref_mut());
            }
        }
    }

    /// Offers the rows of a chunk to column `c` and column `c` to them.
    #[inline(never)]
    fn offer(&self, chunk: Range<usize>, c: usize, rows: &mut State<T>, mut columns: Option<&mut State<T>>) {
        let j = self.right.0 + c;
        for r in chunk {
            let (i, g) = (self.left.0 + r, self.products[c * self.stride + r]);
            let lower = self.bounds.lower(i, j, g);
            let list = self.right.1 as usize * rows.height + r;
            if lower <= rows.thresholds[list] && i != j {
                rows.take(list, lower, self.bounds.upper(i, j, g), j, self.k);
            }
            let Some(columns) = columns.as_deref_mut() else { continue };
            let list = self.left.1 as usize * columns.height + c;
            if lower <= columns.thresholds[list] {
                columns.take(list, lower, self.bounds.upper(i, j, g), i, self.k);
            }
        }
    }
}

/// Whether any of the lower bounds `lower` + own + factor·`products` is within its threshold or
/// the limit.
#[inline(always)]
fn any_close<T: Real>(
    products: [T; LANES],
    lower: [T; LANES],
    thresholds: [T; LANES],
    (own, factor, limit): (T, T, T),
) -> bool {
    let mut close = [false; LANES];
    for l in 0..LANES {
        let threshold = if thresholds[l] > limit { thresholds[l] } else { limit };
        close[l] = lower[l] + own + factor * products[l] <= threshold;
    }
    close.iter().fold(false, |any, &c| any | c)
}

pub(super) fn lock<T>(state: &Mutex<State<T>>) -> MutexGuard<'_, State<T>> {
    // A panic elsewhere ends the whole search, so a poisoned state is never read for a result.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The candidates of the samples that searched.
pub(super) fn collect<T: Real>(
    plan: &Plan,
    problem: &Problem<'_>,
    states: Vec<Mutex<State<T>>>,
    active: usize,
) -> Vec<Shortlist> {
    let mut found: Vec<Shortlist> =
        plan.order[..active].iter().map(|&i| Shortlist { sample: i, others: Some(Vec::new()) }).collect();
    for (state, block) in states.into_iter().zip(&plan.blocks).take(plan.active_blocks) {
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (list, candidates) in state.candidates.into_iter().enumerate() {
            let (class, row) = (list / state.height, list % state.height);
            let Some(found) = found.get_mut(block.positions.start + row) else { continue };
            let positions = candidates.positions(problem.k, problem.others_of(found.sample, class));
            found.others = match (found.others.take(), positions) {
                (Some(mut others), Some(positions)) => {
                    others.extend(positions.iter().map(|&p| plan.order[p as usize]));
                    Some(others)
                }
                _ => None,
            };
        }
    }
    found
}
