//! How well a feature agrees with the labels that are known: normalized mutual information.
//!
//! From the table of counts n_gc (group g of the feature, class c), with x ln x looked up,
//!
//! ```text
//! N·I = Σ n_gc ln n_gc - Σ n_g ln n_g - Σ n_c ln n_c + N ln N
//! N·H = N ln N - Σ n ln n
//! ```
//!
//! The sign rule counts eight features at a time, in the tile in which the one pass has just seen
//! them; of sparse columns it looks at the entries alone.

use super::{Discretize, line};
use crate::dataset::{Dataset, ScaledBlock};
use crate::graph::LANES;
use crate::moments::{Moments, Tile};
use crate::simd::vectorized;

/// The samples that have a label.
pub(super) struct KnownLabels {
    /// The class of every sample.
    codes: Vec<Option<usize>>,
    /// Labeled samples and their classes.
    known: Vec<(usize, usize)>,
    /// How many of each class; every class has one at least.
    sizes: Vec<usize>,
    /// A class whose name says that there is none.
    doubtful: Option<String>,
}

/// What people write where a label is missing.
const NO_LABEL: [&str; 3] = ["unlabeled", "unlabelled", "unknown"];

impl KnownLabels {
    pub(super) fn of(data: &Dataset) -> Self {
        let codes: Vec<Option<usize>> = match data.labels() {
            Some(labels) => labels.codes().iter().map(|code| code.map(|c| c as usize)).collect(),
            None => vec![None; data.n_samples()],
        };
        let known: Vec<_> = codes.iter().enumerate().filter_map(|(i, code)| code.map(|c| (i, c))).collect();
        let mut sizes = vec![0; data.labels().map_or(0, |labels| labels.classes().len())];
        known.iter().for_each(|&(_, c)| sizes[c] += 1);
        let classes = data.labels().map_or(&[][..], |labels| labels.classes());
        // Beside a single other class, -1 is the other of two.
        let doubtful = |class: &&String| {
            NO_LABEL.contains(&class.to_lowercase().as_str()) || (classes.len() > 2 && *class == "-1")
        };
        KnownLabels { doubtful: classes.iter().find(doubtful).cloned(), codes, known, sizes }
    }

    /// How many samples have a label.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Number of classes among them.
    pub(super) fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// Whether they say something: two classes at least.
    pub(super) fn tell(&self) -> bool {
        self.classes() >= 2
    }

    /// Whether parts of the samples, given as the part of each, may be the classes: no more of them
    /// than classes, and a labeled sample in each.
    pub(super) fn may_be(&self, parts: &[usize]) -> bool {
        let count = parts.iter().max().map_or(0, |last| last + 1);
        let mut labeled = vec![false; count];
        self.known.iter().for_each(|&(i, _)| labeled[parts[i]] = true);
        count <= self.classes() && labeled.iter().all(|&known| known)
    }

    /// What a user should know about them.
    pub(super) fn warnings(&self) -> Vec<String> {
        let doubtful = self.doubtful.as_ref().map(|class| {
            format!(
                "`{class}` is taken as a class like any other; a sample without a label has an empty cell in the \
                 label column"
            )
        });
        let says_nothing = match self.classes() {
            0 => Some("no sample has a label"),
            1 => Some("all labeled samples are of one class, so the labels say nothing"),
            _ => None,
        };
        let alone = says_nothing.map(|why| {
            format!("{why}: the ranking is that of the graph alone, `lambda` 1 whatever was asked")
        });
        doubtful.into_iter().chain(alone).collect()
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
        Agreement { labels, discretize, x_ln_x: (0..=labels.len()).map(value).collect() }
    }

    /// NMI of every feature of a tile.
    pub(super) fn of_tile(&self, tile: &Tile<'_>) -> Vec<f64> {
        let features = tile.moments.len();
        match self.discretize {
            _ if !self.labels.tell() => vec![0.0; features],
            Discretize::Sign => self.signs_of_tile(tile),
            Discretize::KMeans => {
                let column = |lane| tile.values.iter().skip(lane).step_by(tile.lanes).copied().collect();
                (0..features).map(|lane| self.by_kmeans(column(lane))).collect()
            }
        }
    }

    /// NMI of every feature of a block of sparse columns.
    pub(super) fn of_entries(&self, block: &ScaledBlock<'_>, moments: &[Moments]) -> Vec<f64> {
        if !self.labels.tell() {
            return vec![0.0; moments.len()];
        }
        let one = |(j, m): (usize, &Moments)| {
            let entries = block.entries(j).into_iter().flatten().map(|(i, v)| (i, v - m.center));
            match self.discretize {
                Discretize::Sign => self.signs_of_entries(entries, m),
                Discretize::KMeans => {
                    let mut column = vec![-m.center; m.n_samples];
                    entries.for_each(|(i, h)| column[i] = h);
                    self.by_kmeans(column)
                }
            }
        };
        moments.iter().enumerate().map(one).collect()
    }

    fn signs_of_tile(&self, tile: &Tile<'_>) -> Vec<f64> {
        let (classes, groups) = (self.labels.classes(), tile.lanes / LANES);
        let rows = tile.values.as_chunks::<LANES>().0;
        let mut found = Vec::with_capacity(tile.moments.len());
        let mut above = vec![[0.0; LANES]; classes];
        for (group, moments) in tile.moments.chunks(LANES).enumerate() {
            let mut zeros = [0.0; LANES];
            zeros.iter_mut().zip(moments).for_each(|(zero, m)| *zero = zero_of(m));
            above.fill([0.0; LANES]);
            vectorized!({
                for &(i, code) in &self.labels.known {
                    let (row, counts) = (&rows[i * groups + group], &mut above[code]);
                    for l in 0..LANES {
                        counts[l] += if row[l] >= zeros[l] { 1.0 } else { 0.0 };
                    }
                }
            });
            let count = |lane: usize| above.iter().map(move |counts| counts[lane] as usize);
            found.extend((0..moments.len()).map(|lane| self.nmi_of_sides(count(lane))));
        }
        found
    }

    /// All zeros of a sparse column lie on one side; only its entries have to be looked at.
    fn signs_of_entries(&self, entries: impl Iterator<Item = (usize, f64)>, m: &Moments) -> f64 {
        let zero = zero_of(m);
        let (mut stored, mut above) = (vec![0; self.labels.classes()], vec![0; self.labels.classes()]);
        for (i, h) in entries {
            if let Some(code) = self.labels.codes[i] {
                stored[code] += 1;
                above[code] += usize::from(h >= zero);
            }
        }
        let zeros_above = usize::from(-m.center >= zero);
        let rest = self.labels.sizes.iter().zip(&stored).map(|(size, stored)| (size - stored) * zeros_above);
        self.nmi_of_sides(above.iter().zip(rest).map(|(above, rest)| above + rest))
    }

    fn by_kmeans(&self, column: Vec<f64>) -> f64 {
        let classes = self.labels.classes();
        let values: Vec<f64> = self.labels.known.iter().map(|&(i, _)| column[i]).collect();
        let starts = line::group_starts(column, classes);
        let mut table = vec![0; starts.len() * classes];
        for (value, &(_, code)) in values.iter().zip(&self.labels.known) {
            let group = starts.partition_point(|start| start <= value).saturating_sub(1);
            table[group * classes + code] += 1;
        }
        self.nmi(&table)
    }

    /// NMI of two sides; `above` counts the members of each class on the upper one.
    fn nmi_of_sides(&self, above: impl Iterator<Item = usize>) -> f64 {
        let mut table: Vec<usize> = above.collect();
        let below: Vec<usize> = self.labels.sizes.iter().zip(&table).map(|(size, n)| size - n).collect();
        table.extend(below);
        self.nmi(&table)
    }

    /// NMI of a table of counts, groups × classes.
    fn nmi(&self, table: &[usize]) -> f64 {
        let classes = self.labels.classes();
        let total = self.x_ln_x[self.labels.len()];
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
