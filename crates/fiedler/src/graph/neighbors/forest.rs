//! Trees that cut the samples into small leaves of near ones: where the approximate search begins.
//!
//! A cut takes two samples at random and divides at the middle of all projections on the line
//! through them, so that leaves are equally large whatever the data, duplicates included.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use super::rows::Rows;
use crate::Result;
use crate::monitor::Stage;
use crate::random::below;

/// Most samples in a leaf.
const LEAF: usize = 48;

/// Trees over the same samples.
pub(super) struct Forest {
    trees: Vec<Tree>,
}

/// The samples in an order in which leaves lie one after the other.
struct Tree {
    order: Vec<u32>,
    /// Where every leaf begins, and the end.
    starts: Vec<u32>,
    /// The leaf of every sample.
    leaf: Vec<u32>,
}

/// An order of the samples in which near ones are mostly near.
pub(super) fn order(rows: &Rows) -> Vec<u32> {
    Tree::grow(rows, u64::MAX).order
}

impl Forest {
    /// As many trees as asked for; tree t depends on t alone, so threads do not change it.
    pub(super) fn grow(rows: &Rows, trees: usize, stage: &Stage<'_>) -> Result<Self> {
        let grow = |seed: usize| {
            let tree = Tree::grow(rows, seed as u64);
            stage.advance(1).map(|()| tree)
        };
        Ok(Forest { trees: (0..trees).into_par_iter().map(grow).collect::<Result<_>>()? })
    }

    /// Everyone who shares a leaf with `sample`, the sample itself included, some more than once.
    pub(super) fn mates(&self, sample: usize) -> impl Iterator<Item = u32> + '_ {
        self.trees.iter().flat_map(move |tree| {
            let leaf = tree.leaf[sample] as usize;
            tree.order[tree.starts[leaf] as usize..tree.starts[leaf + 1] as usize].iter().copied()
        })
    }
}

impl Tree {
    fn grow(rows: &Rows, seed: u64) -> Self {
        let n = rows.len();
        let mut tree = Tree { order: (0..n as u32).collect(), starts: vec![0], leaf: vec![0; n] };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut open = vec![(0, n)];
        while let Some((start, end)) = open.pop() {
            let range = start..end;
            if range.len() <= LEAF {
                let leaf = tree.starts.len() as u32 - 1;
                tree.order[range.clone()].iter().for_each(|&i| tree.leaf[i as usize] = leaf);
                tree.starts.push(range.end as u32);
                continue;
            }
            let middle = range.start + range.len() / 2;
            cut(rows, &mut tree.order[range.clone()], &mut rng);
            open.push((middle, end));
            open.push((start, middle));
        }
        tree
    }
}

/// Puts the half of `samples` that lies nearer to one of two random samples first.
fn cut(rows: &Rows, samples: &mut [u32], rng: &mut ChaCha8Rng) {
    let first = below(rng, samples.len());
    let second = (first + 1 + below(rng, samples.len() - 1)) % samples.len();
    let line = rows.difference(samples[first], samples[second]);
    let mut placed: Vec<(f32, u32)> = samples.iter().map(|&i| (rows.projection(i, &line), i)).collect();
    let middle = samples.len() / 2;
    // Ties go by index, so that the halves are the same in every run.
    placed.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // Within a half the order is that of the index, whatever the selection left.
    placed[..middle].sort_unstable_by_key(|p| p.1);
    placed[middle..].sort_unstable_by_key(|p| p.1);
    samples.iter_mut().zip(placed).for_each(|(out, (_, i))| *out = i);
}
