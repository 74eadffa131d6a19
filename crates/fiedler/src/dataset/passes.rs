//! Ways to read a data set: one after the other, in parallel, summed up, or some columns of it.
//!
//! A pass reads every column once, in units that the source likes, and computes in blocks of [`BLOCK`] columns, whatever the
//! source likes: the same numbers give the same bits from memory, from a file and from a worker's share.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::{BLOCK, ColumnStats, Dataset, ScaledBlock, Scaling, Transform};
use crate::in_order::in_order;
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result};

/// Units for every thread whose answers wait to be added up, at least.
const WAITING: usize = 4;

impl Dataset {
    /// The columns `range`, ready to be read as scaled numbers.
    pub(crate) fn read(&self, range: Range<usize>) -> Result<ScaledBlock<'_>> {
        let block = self.columns.block(range.clone())?;
        block.check(self.n_samples(), range.len())?;
        Ok(ScaledBlock::new(block, Cow::Borrowed(&self.stats[range]), self.seen_as(), self.n_samples()))
    }

    /// Calls `work` with every feature of `list`, in that order: its place in the list, the block that it came in and
    /// its place there.
    pub(crate) fn each_column(
        &self,
        list: &[usize],
        mut work: impl FnMut(usize, &ScaledBlock<'_>, usize),
    ) -> Result<()> {
        self.each_piece(list, |mut place, blocks| {
            for block in blocks {
                for at in 0..block.width() {
                    work(place, block, at);
                    place += 1;
                }
            }
        })
    }

    /// Calls `work` with the features of `list`, in that order, as many together as are read together: the place of the first
    /// in the list, and the blocks that they came in.
    pub(super) fn each_piece(
        &self,
        list: &[usize],
        mut work: impl FnMut(usize, &[ScaledBlock<'_>]),
    ) -> Result<()> {
        let unit = self.unit();
        for (at, some) in list.chunks(unit).enumerate() {
            work(at * unit, &self.gather(some)?);
        }
        Ok(())
    }

    /// Calls `work` on every block of features, in parallel, and returns what it found in the
    /// order of the features. `work` answers with one value per feature of its block.
    pub(crate) fn map_blocks<T: Send>(
        &self,
        stage: &'static str,
        monitor: &dyn Monitor,
        work: impl Fn(&ScaledBlock<'_>, Range<usize>) -> Result<Vec<T>> + Sync,
    ) -> Result<Vec<T>> {
        self.map_ranges(stage, monitor, |unit| {
            let mut all = Vec::with_capacity(unit.len());
            for found in self.blocks_of(unit, &work)? {
                all.extend(found);
            }
            Ok(all)
        })
    }

    /// Calls `work` on every block of features, in parallel, and `add` with what it found, in the order of the features:
    /// for sums, which are then taken in the same order whatever the source and the number of threads.
    pub(crate) fn fold_blocks<T: Send>(
        &self,
        stage: &'static str,
        monitor: &dyn Monitor,
        work: impl Fn(&ScaledBlock<'_>, Range<usize>) -> Result<T> + Sync,
        mut add: impl FnMut(T),
    ) -> Result<()> {
        let stage = Stage::new(monitor, stage, self.n_features())?;
        let (unit, at_a_time) = (self.unit(), self.at_a_time());
        let waiting = (WAITING * unit / at_a_time).max(1);
        let mut desks = self.desks();
        for some in self.runs().chunks(waiting * desks.len()) {
            let answer = |(): &mut (), run: &Range<usize>| -> Result<Vec<Vec<T>>> {
                pieces(run.clone(), unit).map(|unit| self.blocks_of(unit, &work)).collect()
            };
            for (parts, run) in in_order(&mut desks, some.iter(), answer)?.into_iter().zip(some) {
                parts.into_iter().flatten().for_each(&mut add);
                stage.advance(run.len())?;
            }
        }
        Ok(())
    }

    /// Calls `work` on every range of columns that the source likes to read together, in parallel, and joins the answers
    /// in the order of the features.
    pub(super) fn map_ranges<T: Send>(
        &self,
        stage: &'static str,
        monitor: &dyn Monitor,
        work: impl Fn(Range<usize>) -> Result<Vec<T>> + Sync,
    ) -> Result<Vec<T>> {
        let stage = Stage::new(monitor, stage, self.n_features())?;
        let answer = |(): &mut (), run: Range<usize>| {
            let mut all = Vec::with_capacity(run.len());
            for unit in pieces(run, self.unit()) {
                let found = work(unit.clone())?;
                debug_assert_eq!(found.len(), unit.len());
                stage.advance(unit.len())?;
                all.extend(found);
            }
            Ok(all)
        };
        let parts = in_order(&mut self.desks(), self.runs().into_iter(), answer)?;
        let mut all = Vec::with_capacity(self.n_features());
        parts.into_iter().for_each(|part| all.extend(part));
        Ok(all)
    }

    /// The answers of `work` for the blocks of a unit, which is read once.
    fn blocks_of<T: Send>(
        &self,
        unit: Range<usize>,
        work: &(impl Fn(&ScaledBlock<'_>, Range<usize>) -> Result<T> + Sync),
    ) -> Result<Vec<T>> {
        let whole = self.read(unit.clone())?;
        if unit.len() <= BLOCK {
            return Ok(vec![work(&whole, unit)?]);
        }
        let blocks: Vec<Range<usize>> = pieces(unit.clone(), BLOCK).collect();
        let answer =
            |block: Range<usize>| work(&whole.part(block.start - unit.start..block.end - unit.start), block);
        let answers: Vec<Result<T>> = blocks.into_par_iter().map(answer).collect();
        answers.into_iter().collect()
    }

    /// The columns `list`, in that order, ready to be read as scaled numbers.
    fn gather(&self, list: &[usize]) -> Result<Vec<ScaledBlock<'_>>> {
        let n = self.n_samples();
        let mut place = 0;
        let mut blocks = Vec::new();
        for piece in self.columns.gather(list)? {
            let some = list.get(place..place + piece.width).ok_or_else(wrong_number)?;
            piece.block.check(n, some.len())?;
            blocks.push(ScaledBlock::new(piece.block, self.stats_of(some), self.seen_as(), n));
            place += some.len();
        }
        if place == list.len() { Ok(blocks) } else { Err(wrong_number()) }
    }

    /// How a block is to be read: its scaling, and whether its values are ranks.
    fn seen_as(&self) -> (Scaling, bool) {
        (self.scaling, self.transform() == Transform::Ranks)
    }

    fn stats_of(&self, list: &[usize]) -> Cow<'_, [ColumnStats]> {
        match list {
            &[j] => Cow::Borrowed(&self.stats[j..=j]),
            _ => list.iter().map(|&j| self.stats[j]).collect(),
        }
    }

    /// Columns that are read together: the next multiple of [`BLOCK`] to what the source likes.
    fn unit(&self) -> usize {
        self.columns.preferred_block().clamp(1, self.n_features()).next_multiple_of(BLOCK)
    }

    /// All columns, as many at a time as the source likes.
    pub(super) fn units(&self) -> Vec<Range<usize>> {
        pieces(0..self.n_features(), self.unit()).collect()
    }

    /// Columns that one who works on them takes at a time: all that are read together, in whole units.
    pub(crate) fn at_a_time(&self) -> usize {
        self.columns.reach().together.clamp(1, self.n_features()).next_multiple_of(self.unit())
    }

    /// All columns, so many at a time.
    fn runs(&self) -> Vec<Range<usize>> {
        pieces(0..self.n_features(), self.at_a_time()).collect()
    }

    /// A desk for everyone who works: for all threads, unless the source has columns at hand in fewer places.
    pub(crate) fn desks(&self) -> Vec<()> {
        vec![(); self.columns.reach().at_once.clamp(1, rayon::current_num_threads())]
    }
}

/// A range in pieces of a size, the last one perhaps smaller.
fn pieces(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    range.clone().step_by(size).map(move |start| start..range.end.min(start + size))
}

fn wrong_number() -> Error {
    Error::Columns("a list of columns was answered with another number of columns".into())
}
