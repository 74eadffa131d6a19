//! The sums of some tiles over all features, one block of features after another.
//!
//! In working precision every addition may be off by a rounding, and every rounding makes for more candidates that have to be
//! measured exactly. So blocks are added up in stretches of [`STRETCH`], and the stretches then: a million features are 1,954
//! blocks, but 32 + 62 additions one after another.

use rayon::prelude::*;

use super::panels::Panels;
use super::real::Real;
use crate::Result;

/// Blocks that are added up before they are added to others.
const STRETCH: usize = 32;

/// Tiles that are being summed up side by side.
pub(super) struct Sums<T> {
    n_blocks: usize,
    /// Over the stretches that are done; over all blocks so far, where one stretch is all.
    outs: Vec<Vec<T>>,
    /// Over the blocks of the stretch under way; without numbers where one stretch is all.
    stretch: Vec<Vec<T>>,
}

impl<T: Real> Sums<T> {
    /// Sums over `n_blocks` blocks, from `outs` on: zeros, or where an earlier run was [at rest](Self::is_at_rest).
    pub(super) fn new(outs: Vec<Vec<T>>, n_blocks: usize) -> Self {
        let room = |out: &Vec<T>| if n_blocks > STRETCH { vec![T::ZERO; out.len()] } else { Vec::new() };
        Sums { n_blocks, stretch: outs.iter().map(room).collect(), outs }
    }

    /// Adds block number `block`, which is in `panels`; `done` is called once for every tile.
    pub(super) fn add(
        &mut self,
        panels: &Panels<'_, T>,
        tiles: &[(usize, usize)],
        block: usize,
        done: impl Fn() -> Result<()> + Sync,
    ) -> Result<()> {
        let is_end = self.ends_at(block);
        let sums = self.outs.iter_mut().zip(&mut self.stretch).zip(tiles);
        let parts: Vec<Part<'_, T>> =
            sums.flat_map(|((out, stretch), &tile)| parts(panels, tile, out, stretch)).collect();
        // One by one, or somebody would be left with the last few while the others wait.
        parts.into_par_iter().with_max_len(1).try_for_each(|Part { tile, first, out, stretch }| {
            if stretch.is_empty() {
                panels.multiply_some(tile, first, block > 0, out);
            } else {
                panels.multiply_some(tile, first, !block.is_multiple_of(STRETCH), stretch);
                if is_end {
                    out.iter_mut().zip(&*stretch).for_each(|(sum, &part)| *sum += part);
                }
            }
            if first == 0 { done() } else { Ok(()) }
        })
    }

    /// Whether all is in the tiles after block number `block`, so that another run can go on from them.
    pub(super) fn is_at_rest(&self, block: usize) -> bool {
        self.n_blocks <= STRETCH || self.ends_at(block)
    }

    /// Whether block number `block` is the last of a stretch.
    fn ends_at(&self, block: usize) -> bool {
        (block + 1).is_multiple_of(STRETCH) || block + 1 == self.n_blocks
    }

    pub(super) fn tiles(&self) -> &[Vec<T>] {
        &self.outs
    }

    pub(super) fn into_tiles(self) -> Vec<Vec<T>> {
        self.outs
    }
}

/// Some columns of a tile, from `first` on.
struct Part<'a, T> {
    tile: (usize, usize),
    first: usize,
    out: &'a mut [T],
    stretch: &'a mut [T],
}

/// A tile in halves: while the last are computed somebody has nothing to do, so they had better be small.
fn parts<'a, T: Real>(
    panels: &Panels<'_, T>,
    tile: (usize, usize),
    out: &'a mut [T],
    stretch: &'a mut [T],
) -> impl Iterator<Item = Part<'a, T>> + use<'a, T> {
    let (half, area) = (panels.plan().half(tile), panels.plan().area(tile));
    let mut stretches = stretch.chunks_mut(area / 2);
    let outs = out[..area].chunks_mut(area / 2).zip((0..).step_by(half));
    outs.map(move |(out, first)| Part { tile, first, out, stretch: stretches.next().unwrap_or_default() })
}

/// Tiles that are held for each one that is summed up.
pub(super) fn tiles_held(n_blocks: usize) -> usize {
    if n_blocks > STRETCH { 2 } else { 1 }
}

/// How many numbers are added one after another, at most: those of a block, of a stretch, and the stretches.
pub(super) fn depth(width: usize, n_blocks: usize) -> usize {
    if n_blocks > STRETCH { width + STRETCH + n_blocks.div_ceil(STRETCH) } else { width + n_blocks }
}
