//! A pass over all pairs as numbers, so that a process which is stopped in the middle can go on later.
//!
//! ```text
//!  the layout of these numbers, how large a batch of tiles may be, which products of which samples,
//!  which batch it is, which feature is next,
//!  the norms of the samples, what rounding to whole numbers took of them,
//!  of every list of candidates its threshold, its room, its length and (lower, upper, position) of each,
//!  the tiles of the batch, as far as they are summed up
//! ```

use std::sync::Mutex;

use super::panels::Sizes;
use super::plan::HEIGHT;
use super::real::Real;
use super::scan::{State, lock};
use crate::Result;
use crate::checkpoint::Checkpoint;
use crate::monitor::Monitor;

/// Another number for another way to sum: what was kept by an earlier one is begun anew. 2: in stretches of blocks. 3: by whole numbers
/// too.
const LAYOUT: usize = 3;

/// Where a pass is kept.
pub(super) struct Keeper<'a> {
    checkpoint: &'a dyn Checkpoint,
    name: String,
    /// Bytes of a batch of tiles: with another size the pass begins anew.
    batch_bytes: usize,
    /// A number that another one stands for where products, samples or classes are others.
    pass: f64,
}

/// How far a pass has come.
pub(super) struct Reached<T> {
    /// The batch of tiles it is at.
    pub(super) batch: usize,
    /// The feature that is next.
    pub(super) start: usize,
    /// The tiles of the batch so far; empty where it has not begun.
    pub(super) outs: Vec<Vec<T>>,
}

impl<'a> Keeper<'a> {
    /// Where the caller keeps work, if anywhere.
    pub(super) fn of(monitor: &'a dyn Monitor, batch_bytes: usize, pass: f64) -> Option<Self> {
        let checkpoint = monitor.checkpoint()?;
        Some(Keeper { checkpoint, name: checkpoint.name("neighbors"), batch_bytes, pass })
    }

    /// What an earlier run has reached; its norms and candidates are put back. Numbers that do not fit are as good as none.
    /// `tiles_of` a batch is how many tiles it has.
    pub(super) fn resume<T: Real>(
        &self,
        sizes: &mut Sizes,
        states: &[Mutex<State<T>>],
        tiles_of: &dyn Fn(usize) -> usize,
    ) -> Option<Reached<T>> {
        let numbers = self.checkpoint.load(&self.name)?;
        let mut numbers = Numbers(&numbers);
        if (numbers.whole()?, numbers.whole()?, numbers.next()?) != (LAYOUT, self.batch_bytes, self.pass) {
            return None;
        }
        let (batch, start) = (numbers.whole()?, numbers.whole()?);
        let n = sizes.norms.len();
        let kept = Sizes { norms: numbers.some(n)?.to_vec(), lost: numbers.some(n)?.to_vec() };
        let restored: Vec<State<T>> = states
            .iter()
            .map(|state| lock(state).read_back(&mut || numbers.next()))
            .collect::<Option<_>>()?;
        if numbers.0.len() != tiles_of(batch) * HEIGHT * HEIGHT {
            return None;
        }
        let tiles = numbers.0.chunks_exact(HEIGHT * HEIGHT);
        let outs = tiles.map(|tile| tile.iter().map(|&v| T::narrow(v)).collect()).collect();
        *sizes = kept;
        states.iter().zip(restored).for_each(|(state, kept)| *lock(state) = kept);
        Some(Reached { batch, start, outs })
    }

    /// Keeps what is reached, where enough was done since the last time or `now` is the moment.
    pub(super) fn keep<T: Real>(
        &self,
        now: bool,
        reached: (usize, usize),
        sizes: &Sizes,
        states: &[Mutex<State<T>>],
        outs: &[Vec<T>],
    ) -> Result<()> {
        if !now && !self.checkpoint.is_due() {
            return Ok(());
        }
        let head = [LAYOUT as f64, self.batch_bytes as f64, self.pass, reached.0 as f64, reached.1 as f64];
        let mut numbers = head.to_vec();
        numbers.extend_from_slice(&sizes.norms);
        numbers.extend_from_slice(&sizes.lost);
        states.iter().for_each(|state| lock(state).write_down(&mut numbers));
        numbers.extend(outs.iter().flatten().map(|value| value.wide()));
        self.checkpoint.store(&self.name, &numbers)
    }
}

/// Numbers that are read one after the other.
struct Numbers<'a>(&'a [f64]);

impl<'a> Numbers<'a> {
    fn some(&mut self, count: usize) -> Option<&'a [f64]> {
        let (some, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(some)
    }

    fn next(&mut self) -> Option<f64> {
        self.some(1).map(|one| one[0])
    }

    fn whole(&mut self) -> Option<usize> {
        self.next().filter(|v| *v >= 0.0 && v.fract() == 0.0 && *v < 2f64.powi(53)).map(|v| v as usize)
    }
}
