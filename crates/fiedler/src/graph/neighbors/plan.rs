//! How the samples are ordered and cut into blocks.

use std::ops::Range;

use super::Problem;

/// Most samples in a block: a tile of 240² single precision numbers stays in the cache that a
/// processor does not share.
pub(super) const HEIGHT: usize = 240;
/// Heights of blocks are multiples of this: of the lanes of a scan (16), and of the rows that
/// faer multiplies at once (24).
const STEP: usize = 48;

/// The order of the samples and how it is cut.
pub(super) struct Plan {
    /// The sample at every position: those that search first, in order of class, then the others.
    pub(super) order: Vec<u32>,
    pub(super) blocks: Vec<Cut>,
    /// Blocks that hold a sample that searches.
    pub(super) active_blocks: usize,
}

/// A block of samples.
pub(super) struct Cut {
    pub(super) positions: Range<usize>,
    /// Its runs of samples of one class, relative to the start of the block.
    pub(super) runs: Vec<(u32, Range<usize>)>,
}

impl Cut {
    /// Samples in the block, with room for whole lanes.
    pub(super) fn height(&self) -> usize {
        self.positions.len().next_multiple_of(STEP)
    }
}

impl Plan {
    pub(super) fn new(problem: &Problem<'_>, active: &[u32]) -> Self {
        let n = problem.codes.len();
        let mut searches = vec![false; n];
        active.iter().for_each(|&i| searches[i as usize] = true);
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by_key(|&i| (!searches[i as usize], problem.codes[i as usize]));
        let height = n.div_ceil(n.div_ceil(HEIGHT)).next_multiple_of(STEP);
        let blocks: Vec<Cut> = (0..n)
            .step_by(height)
            .map(|start| {
                let positions = start..n.min(start + height);
                let mut runs: Vec<(u32, Range<usize>)> = Vec::new();
                for run in order[positions.clone()]
                    .chunk_by(|&a, &b| problem.codes[a as usize] == problem.codes[b as usize])
                {
                    let first = runs.last().map_or(0, |r| r.1.end);
                    runs.push((problem.codes[run[0] as usize], first..first + run.len()));
                }
                Cut { positions, runs }
            })
            .collect();
        Plan { order, active_blocks: active.len().div_ceil(height), blocks }
    }

    /// Samples that search first, then those that they search among, in blocks of their own and of one class. A sample may be
    /// both.
    pub(super) fn between(searching: &[u32], among: &[u32]) -> Self {
        let order: Vec<u32> = searching.iter().chain(among).copied().collect();
        let cuts = |start: usize, count: usize| {
            let height = count.div_ceil(count.div_ceil(HEIGHT)).next_multiple_of(STEP);
            (start..start + count).step_by(height).map(move |first| {
                let positions = first..(start + count).min(first + height);
                let runs = vec![(0, 0..positions.len())];
                Cut { positions, runs }
            })
        };
        let mut blocks: Vec<Cut> = cuts(0, searching.len()).collect();
        let active_blocks = blocks.len();
        blocks.extend(cuts(searching.len(), among.len()));
        Plan { order, active_blocks, blocks }
    }

    /// Columns of a tile that are computed together where tiles are few: half of them, which is whole strips of any product.
    pub(super) fn half(&self, tile: (usize, usize)) -> usize {
        self.blocks[tile.1].height() / 2
    }

    /// Numbers in a tile.
    pub(super) fn area(&self, tile: (usize, usize)) -> usize {
        self.blocks[tile.0].height() * self.blocks[tile.1].height()
    }

    /// Pairs of blocks, the first not after the second and active. Diagonal after diagonal, so that
    /// tiles computed at the same time seldom share a block.
    pub(super) fn tiles(&self) -> Vec<(usize, usize)> {
        let n = self.blocks.len();
        (0..n)
            .flat_map(|gap| (0..self.active_blocks.min(n - gap)).map(move |first| (first, first + gap)))
            .collect()
    }
}
