//! How well a feature agrees with the labels that are known: normalised mutual information.
//!
//! From the table of counts n_gc (group g of the feature, class c), with x ln x looked up,
//!
//! ```text
//! N·I = Σ n_gc ln n_gc - Σ n_g ln n_g - Σ n_c ln n_c + N ln N
//! N·H = N ln N - Σ n ln n
//! ```
//!
//! The sign rule counts eight and more features at a time, lanes side by side.

use super::{Discretize, line};
use crate::dataset::{BLOCK, Center, Dataset, ScaledBlock};
use crate::moments::Moments;
use crate::simd::vectorized;

/// The samples that have a label.
pub(super) struct KnownLabels {
    rows: Vec<usize>,
    codes: Vec<usize>,
    /// How many of each class; every class has one at least.
    sizes: Vec<usize>,
}

impl KnownLabels {
    pub(super) fn of(data: &Dataset) -> Self {
        let all = data.labels().map_or(&[][..], |labels| labels.codes());
        let known = all.iter().enumerate().filter_map(|(i, code)| code.map(|c| (i, c as usize)));
        let (rows, codes): (Vec<usize>, Vec<usize>) = known.unzip();
        let mut sizes = vec![0; data.labels().map_or(0, |labels| labels.classes().len())];
        codes.iter().for_each(|&c| sizes[c] += 1);
        KnownLabels { rows, codes, sizes }
    }

    /// The labelled samples.
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Number of classes among them.
    pub(super) fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// What a user should know about them.
    pub(super) fn warning(&self) -> Option<String> {
        let says_nothing = match self.classes() {
            0 => "no sample has a label",
            1 => "all labelled samples are of one class, so the labels say nothing",
            _ => return None,
        };
        Some(format!("{says_nothing}: the ranking is that of the graph alone (the first term)"))
    }
}

/// Compares features with the labels.
pub(super) struct Agreement<'a> {
    labels: &'a KnownLabels,
    discretize: Discretize,
    /// x ln x for 0..=N.
    x_ln_x: Vec<f64>,
}

impl<'a> Agreement<'a> {
    pub(super) fn new(labels: &'a KnownLabels, discretize: Discretize) -> Self {
        let value = |x: usize| if x == 0 { 0.0 } else { x as f64 * (x as f64).ln() };
        Agreement { labels, discretize, x_ln_x: (0..=labels.rows.len()).map(value).collect() }
    }

    /// NMI of every feature of a block.
    pub(super) fn of_block(&self, block: &ScaledBlock<'_>, moments: &[Moments]) -> Vec<f64> {
        match self.discretize {
            _ if self.labels.classes() < 2 => vec![0.0; block.width()],
            Discretize::Sign => self.by_sign(block, moments),
            Discretize::KMeans => self.by_kmeans(block, moments[0].n_samples),
        }
    }

    fn by_sign(&self, block: &ScaledBlock<'_>, moments: &[Moments]) -> Vec<f64> {
        let (labels, classes) = (self.labels, self.labels.classes());
        let mut tile = vec![0.0; labels.rows.len() * BLOCK];
        block.pack_rows(&labels.rows, BLOCK, &mut tile);
        let mut zeros = [0.0; BLOCK];
        zeros.iter_mut().zip(moments).for_each(|(zero, m)| *zero = zero_of(m));
        let mut above = vec![0.0; classes * BLOCK];
        vectorized!({
            for (row, &code) in tile.chunks_exact(BLOCK).zip(&labels.codes) {
                let counts = &mut above[code * BLOCK..(code + 1) * BLOCK];
                for l in 0..BLOCK {
                    counts[l] += if row[l] >= zeros[l] { 1.0 } else { 0.0 };
                }
            }
        });
        let mut table = vec![0; 2 * classes];
        (0..block.width())
            .map(|lane| {
                for c in 0..classes {
                    table[c] = above[c * BLOCK + lane] as usize;
                    table[classes + c] = labels.sizes[c] - table[c];
                }
                self.nmi(&table)
            })
            .collect()
    }

    fn by_kmeans(&self, block: &ScaledBlock<'_>, n_samples: usize) -> Vec<f64> {
        let (labels, classes) = (self.labels, self.labels.classes());
        let mut tile = vec![0.0; n_samples * BLOCK];
        block.pack(0..block.width(), BLOCK, Center::Mean, &mut tile);
        let column = |lane: usize| tile.iter().skip(lane).step_by(BLOCK).copied().collect::<Vec<f64>>();
        (0..block.width())
            .map(|lane| {
                let starts = line::group_starts(column(lane), classes);
                let mut table = vec![0; starts.len() * classes];
                for (&i, &code) in labels.rows.iter().zip(&labels.codes) {
                    let value = tile[i * BLOCK + lane];
                    let group = starts.partition_point(|&start| start <= value).saturating_sub(1);
                    table[group * classes + code] += 1;
                }
                self.nmi(&table)
            })
            .collect()
    }

    /// NMI of a table of counts, groups × classes.
    fn nmi(&self, table: &[usize]) -> f64 {
        let classes = self.labels.classes();
        let total = self.x_ln_x[self.labels.rows.len()];
        let sum = |counts: &mut dyn Iterator<Item = usize>| counts.map(|n| self.x_ln_x[n]).sum::<f64>();
        let joint = sum(&mut table.iter().copied());
        let by_class = sum(&mut self.labels.sizes.iter().copied());
        let by_group = sum(&mut table.chunks_exact(classes).map(|group| group.iter().sum()));
        // Two classes are there, so the larger entropy is positive.
        let information = joint - by_group - by_class + total;
        let entropy = total - by_group.min(by_class);
        (information / entropy).clamp(0.0, 1.0)
    }
}

/// Where g = h - hᵀd/1ᵀd is 0. What lies below by no more than rounding counts as 0, and so as +1:
/// otherwise the order of the samples could decide the side of one that lies at the mean.
fn zero_of(m: &Moments) -> f64 {
    let spread = (m.centered_degree() / m.volume).sqrt();
    m.linear / m.volume - 1e-12 * spread
}
