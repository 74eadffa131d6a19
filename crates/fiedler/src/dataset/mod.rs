//! Samples × features, their names, and labels for all, some or none of the samples.
//!
//! A [`Dataset`] never copies or changes the numbers it was given. It looks at every column
//! once, when it is made: values that are not finite are refused there, with row and column,
//! and the mean, variance and range kept from that look are all that scaling needs.

pub mod columns;
pub mod demo;
mod labels;
mod names;
mod noise;
mod samples;
mod scaling;
mod sparsify;
mod stats;
mod subset;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

pub use columns::{Block, Columns, Dense, DenseBlock, Order, Scalar, Sparse, SparseBlock, Values};
pub use labels::Labels;
pub use names::FeatureNames;
pub use scaling::Scaling;
pub use stats::ColumnStats;

use crate::monitor::{Monitor, Silent, Stage};
use crate::simd::vectorized;
use crate::{Error, Result};

/// Features that are read at a time. Small enough that threads share the work evenly and a
/// block of 10⁵ samples stays below 50 MB, large enough that a matrix product is efficient.
pub(crate) const BLOCK: usize = 64;

/// Samples × features with names and labels. Cheap to clone: the numbers are shared.
#[derive(Clone)]
pub struct Dataset {
    columns: Arc<dyn Columns>,
    stats: Arc<[ColumnStats]>,
    scaling: Scaling,
    feature_names: FeatureNames,
    sample_names: Option<Arc<[String]>>,
    labels: Option<Arc<Labels>>,
    /// Whether the user named the labels, or they merely came with the data.
    labels_named: bool,
}

impl Dataset {
    /// A data set over any source of columns, scaled `standard`.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NotFinite`] with row and column, or what the source reports.
    pub fn new(columns: impl Columns + 'static) -> Result<Self> {
        Self::named(columns, None, &Silent)
    }

    /// As [`new`](Self::new), with the names of the features, which error messages then use.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::Length`] when the number of names is not that of the
    /// features; [`Error::Canceled`].
    pub fn named(
        columns: impl Columns + 'static,
        feature_names: Option<Vec<String>>,
        monitor: &dyn Monitor,
    ) -> Result<Self> {
        let (n_samples, n_features) = (columns.n_samples(), columns.n_features());
        if n_samples == 0 || n_features == 0 {
            return Err(Error::Empty { n_samples, n_features });
        }
        if let Some(names) = feature_names.as_ref().filter(|names| names.len() != n_features) {
            return Err(Error::Length { what: "feature names", expected: n_features, got: names.len() });
        }
        let mut data = Dataset {
            columns: Arc::new(columns),
            stats: Arc::new([]),
            scaling: Scaling::default(),
            feature_names: FeatureNames::new(feature_names.map(Arc::from)),
            sample_names: None,
            labels: None,
            labels_named: false,
        };
        data.stats = data.look(monitor)?.into();
        Ok(data)
    }

    /// Dense data, row after row.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self> {
        let n_features = rows.first().map_or(0, |r| r.as_ref().len());
        let mut values = Vec::with_capacity(rows.len() * n_features);
        for row in rows.iter().map(AsRef::as_ref) {
            if row.len() != n_features {
                return Err(Error::Length { what: "values of a row", expected: n_features, got: row.len() });
            }
            values.extend_from_slice(row);
        }
        Self::new(Dense::new(values, rows.len(), n_features, Order::RowMajor)?)
    }

    /// The same data with another scaling.
    #[must_use]
    pub fn scaled(mut self, scaling: Scaling) -> Self {
        self.scaling = scaling;
        self
    }

    /// The same data with these labels, which the user named: methods that can go either way use them.
    ///
    /// # Errors
    /// [`Error::Length`] when there is not one label (or none) per sample.
    pub fn labeled(mut self, labels: Labels) -> Result<Self> {
        if labels.len() != self.n_samples() {
            return Err(Error::Length { what: "labels", expected: self.n_samples(), got: labels.len() });
        }
        self.labels = Some(Arc::new(labels));
        self.labels_named = true;
        Ok(self)
    }

    /// The same data, whose labels merely came along with them (in a MAT file, say) and were not named by the
    /// user: only methods and graphs that cannot work without labels see them.
    #[must_use]
    pub fn with_labels_unnamed(mut self) -> Self {
        self.labels_named = false;
        self
    }

    /// Whether the user named the labels.
    pub fn labels_are_named(&self) -> bool {
        self.labels.is_some() && self.labels_named
    }

    /// The same data without labels.
    #[must_use]
    pub fn unlabeled(mut self) -> Self {
        self.labels = None;
        self
    }

    /// The same data with names for the samples.
    ///
    /// # Errors
    /// [`Error::Length`] when there is not one name per sample.
    pub fn with_sample_names(mut self, names: Vec<String>) -> Result<Self> {
        if names.len() != self.n_samples() {
            return Err(Error::Length { what: "sample names", expected: self.n_samples(), got: names.len() });
        }
        self.sample_names = Some(names.into());
        Ok(self)
    }

    /// Number of samples.
    pub fn n_samples(&self) -> usize {
        self.columns.n_samples()
    }

    /// Number of features.
    pub fn n_features(&self) -> usize {
        self.columns.n_features()
    }

    /// Whether the columns are sparse.
    pub fn is_sparse(&self) -> bool {
        self.columns.is_sparse()
    }

    /// The columns as they were given, in the user's units.
    pub fn columns(&self) -> &dyn Columns {
        &*self.columns
    }

    /// Mean, variance and range of every feature, in the user's units.
    pub fn stats(&self) -> &[ColumnStats] {
        &self.stats
    }

    /// The scaling that graph and scores see.
    pub fn scaling(&self) -> Scaling {
        self.scaling
    }

    /// The labels, if there are any.
    pub fn labels(&self) -> Option<&Labels> {
        self.labels.as_deref()
    }

    /// The class of every sample and the number of classes, for methods that need them all.
    ///
    /// # Errors
    /// [`Error::LabelsMissing`], [`Error::LabelsPartial`] or [`Error::OneClass`].
    pub fn classes(&self, what: &'static str) -> Result<(Vec<u32>, usize)> {
        let labels = self.labels().ok_or(Error::LabelsMissing { what })?;
        Ok((labels.complete(what)?, labels.classes().len()))
    }

    /// The name of feature `j`; `x17` where the data have no names.
    pub fn feature_name(&self, j: usize) -> Cow<'_, str> {
        self.feature_names.of(j)
    }

    /// The names of all features, shared.
    pub fn feature_names(&self) -> &FeatureNames {
        &self.feature_names
    }

    /// The names of the samples, if they have any.
    pub fn sample_names(&self) -> Option<&[String]> {
        self.sample_names.as_deref()
    }

    /// Which features are constant and can have no score.
    pub fn constant(&self, j: usize) -> bool {
        self.stats[j].is_constant()
    }

    /// The norm of feature `j` about its mean, as scaled; 0 for a constant one.
    pub(crate) fn centered_norm(&self, j: usize) -> f64 {
        let stats = &self.stats[j];
        (stats.variance * self.n_samples() as f64).sqrt() * stats.affine(self.scaling, self.is_sparse()).1
    }

    /// Feature `j`, scaled, in double precision.
    ///
    /// # Errors
    /// What the source of the columns reports.
    pub fn column(&self, j: usize) -> Result<Vec<f64>> {
        Ok(self.read(j..j + 1)?.column(0))
    }

    /// These samples scaled by what is known of those of `part`: how a test sample is seen by whom
    /// only ever met the training samples.
    pub(crate) fn scaled_like(&self, part: &Dataset) -> Dataset {
        Dataset { stats: Arc::clone(&part.stats), scaling: part.scaling, ..self.clone() }
    }

    /// The columns `range`, ready to be read as scaled numbers.
    pub(crate) fn read(&self, range: Range<usize>) -> Result<ScaledBlock<'_>> {
        let block = self.columns.block(range.clone())?;
        block.check(self.n_samples(), range.len())?;
        let sparse = matches!(block, Block::Sparse(_));
        let affine = self.stats[range.clone()].iter().map(|s| s.affine(self.scaling, sparse)).collect();
        Ok(ScaledBlock { block, affine, stats: &self.stats[range], n_samples: self.n_samples() })
    }

    /// Calls `work` on every block of features, in parallel, and returns what it found in the
    /// order of the features. `work` answers with one value per feature of its block.
    pub(crate) fn map_blocks<T: Send>(
        &self,
        stage: &'static str,
        monitor: &dyn Monitor,
        work: impl Fn(&ScaledBlock<'_>, Range<usize>) -> Result<Vec<T>> + Sync,
    ) -> Result<Vec<T>> {
        self.map_ranges(stage, monitor, |range| work(&self.read(range.clone())?, range))
    }

    fn map_ranges<T: Send>(
        &self,
        stage: &'static str,
        monitor: &dyn Monitor,
        work: impl Fn(Range<usize>) -> Result<Vec<T>> + Sync,
    ) -> Result<Vec<T>> {
        let m = self.n_features();
        let stage = Stage::new(monitor, stage, m)?;
        let stopped = AtomicBool::new(false);
        let parts: Vec<Result<Vec<T>>> = (0..m.div_ceil(BLOCK))
            .into_par_iter()
            .map(|b| {
                if stopped.load(Ordering::Relaxed) {
                    return Err(Error::Canceled);
                }
                let range = b * BLOCK..m.min((b + 1) * BLOCK);
                let found = work(range.clone())?;
                debug_assert_eq!(found.len(), range.len());
                stage.advance(range.len()).inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
                Ok(found)
            })
            .collect();
        // The error of the first block, not the first in time: what is wrong with the data is told
        // in the same words on every run.
        let mut all = Vec::with_capacity(m);
        for part in parts {
            all.extend(part?);
        }
        Ok(all)
    }

    fn look(&self, monitor: &dyn Monitor) -> Result<Vec<ColumnStats>> {
        let n = self.n_samples();
        self.map_ranges("reading", monitor, |range| {
            let block = self.columns.block(range.clone())?;
            block.check(n, range.len())?;
            let stats = ColumnStats::of_block(&block, range.len(), n).map_err(|bad| {
                let column = range.start + bad.column;
                let feature = self.feature_name(column).into_owned();
                Error::NotFinite { value: bad.value, row: bad.row, column, feature }
            })?;
            range.clone().zip(&stats).try_for_each(|(j, s)| self.check_range(j, s))?;
            Ok(stats)
        })
    }

    /// An error where squares of the values of column `j` would overflow or vanish.
    fn check_range(&self, column: usize, stats: &ColumnStats) -> Result<()> {
        let (min, max) = (stats.min, stats.max);
        if min.abs().max(max.abs()) <= 1e140 && (stats.is_constant() || max - min >= 1e-140) {
            return Ok(());
        }
        Err(Error::OutOfRange { column, feature: self.feature_name(column).into_owned(), min, max })
    }
}

impl std::fmt::Debug for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dataset")
            .field("n_samples", &self.n_samples())
            .field("n_features", &self.n_features())
            .field("sparse", &self.is_sparse())
            .field("scaling", &self.scaling)
            .finish_non_exhaustive()
    }
}

/// Where the zero of a packed column lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Center {
    /// As the scaling left it.
    AsScaled,
    /// At the mean of the column: what keeps sums of squares exact under large offsets.
    Mean,
}

/// A block of columns together with the scaling of each.
pub(crate) struct ScaledBlock<'a> {
    block: Block<'a>,
    affine: Vec<(f64, f64)>,
    stats: &'a [ColumnStats],
    n_samples: usize,
}

impl ScaledBlock<'_> {
    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.affine.len()
    }

    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self.block, Block::Sparse(_))
    }

    /// The mean of column `j`, as scaled.
    pub(crate) fn mean(&self, j: usize) -> f64 {
        let (shift, factor) = self.affine[j];
        (self.stats[j].mean - shift) * factor
    }

    /// The norm of column `j` about its mean, as scaled; 0 for a constant column.
    pub(crate) fn centered_norm(&self, j: usize) -> f64 {
        (self.stats[j].variance * self.n_samples as f64).sqrt() * self.affine[j].1
    }

    /// Writes column `j` about its mean and divided by its norm: a unit vector, whatever the
    /// scaling. A column without a norm becomes zeros.
    pub(crate) fn unit_column(&self, j: usize, out: &mut [f64]) {
        let mean = self.stats[j].mean;
        let factor = 1.0 / (self.stats[j].variance * self.n_samples as f64).sqrt();
        if !factor.is_finite() {
            return out.fill(0.0);
        }
        match &self.block {
            Block::Dense(b) => {
                let start = j * b.column_stride;
                match &b.values {
                    Values::F64(v) => unit_dense(&v[start..], b.row_stride, (mean, factor), out),
                    Values::F32(v) => unit_dense(&v[start..], b.row_stride, (mean, factor), out),
                }
            }
            Block::Sparse(b) => {
                out.fill(-mean * factor);
                b.column(j).for_each(|e| out[b.rows[e] as usize] = (b.values.at(e) - mean) * factor);
            }
        }
    }

    /// Writes the columns `range` of the block side by side: value (i, j) goes to
    /// `out[i·lanes + j]`; lanes beyond the range are filled with zeros.
    pub(crate) fn pack(&self, range: Range<usize>, lanes: usize, center: Center, out: &mut [f64]) {
        debug_assert!(range.len() <= lanes && out.len() == self.n_samples * lanes);
        let affine: Vec<(f64, f64)> = range
            .clone()
            .map(|j| match center {
                Center::AsScaled => self.affine[j],
                Center::Mean => (self.stats[j].mean, self.affine[j].1),
            })
            .collect();
        match &self.block {
            Block::Dense(b) => match &b.values {
                Values::F64(v) => {
                    pack_dense(v, b.row_stride, b.column_stride, range.start, lanes, &affine, out)
                }
                Values::F32(v) => {
                    pack_dense(v, b.row_stride, b.column_stride, range.start, lanes, &affine, out)
                }
            },
            Block::Sparse(b) => {
                out.fill(0.0);
                for (lane, j) in range.enumerate() {
                    let (shift, factor) = affine[lane];
                    let zero = -shift * factor;
                    if zero != 0.0 {
                        out.iter_mut().skip(lane).step_by(lanes).for_each(|v| *v = zero);
                    }
                    for e in b.column(j) {
                        out[b.rows[e] as usize * lanes + lane] = (b.values.at(e) - shift) * factor;
                    }
                }
            }
        }
    }

    /// Column `j`, scaled.
    pub(crate) fn column(&self, j: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.n_samples];
        self.pack(j..j + 1, 1, Center::AsScaled, &mut out);
        out
    }

    /// What a 0 of column `j` becomes when it is scaled.
    pub(crate) fn zero(&self, j: usize) -> f64 {
        let (shift, factor) = self.affine[j];
        (0.0 - shift) * factor
    }

    /// The entries of sparse column `j`, scaled; `None` for dense data.
    pub(crate) fn entries(&self, j: usize) -> Option<impl Iterator<Item = (usize, f64)> + '_> {
        let Block::Sparse(b) = &self.block else { return None };
        let (shift, factor) = self.affine[j];
        Some(b.column(j).map(move |e| (b.rows[e] as usize, (b.values.at(e) - shift) * factor)))
    }
}

fn unit_dense<T: Copy + Into<f64>>(
    values: &[T],
    row_stride: usize,
    (shift, factor): (f64, f64),
    out: &mut [f64],
) {
    if row_stride == 1 {
        // A loop over two slices is what the compiler turns into vector instructions.
        out.iter_mut().zip(values).for_each(|(o, &v)| *o = (v.into() - shift) * factor);
    } else {
        let spaced = values.iter().step_by(row_stride);
        out.iter_mut().zip(spaced).for_each(|(o, &v)| *o = (v.into() - shift) * factor);
    }
}

fn pack_dense<T: Copy + Into<f64>>(
    values: &[T],
    row_stride: usize,
    column_stride: usize,
    first: usize,
    lanes: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) {
    let values = &values[first * column_stride..];
    if let (8, 8, 1) = (lanes, affine.len(), row_stride) {
        return pack_eight(values, column_stride, affine, out);
    }
    for (i, row) in out.chunks_exact_mut(lanes).enumerate() {
        let start = i * row_stride;
        for (lane, &(shift, factor)) in affine.iter().enumerate() {
            row[lane] = (values[start + lane * column_stride].into() - shift) * factor;
        }
        row[affine.len()..].fill(0.0);
    }
}

/// The common case, a full tile from contiguous columns: eight streams in, one out.
fn pack_eight<T: Copy + Into<f64>>(
    values: &[T],
    column_stride: usize,
    affine: &[(f64, f64)],
    out: &mut [f64],
) {
    let rows = out.as_chunks_mut::<8>().0;
    let columns: [&[T]; 8] = std::array::from_fn(|l| &values[l * column_stride..][..rows.len()]);
    let (blocks, last_rows) = rows.as_chunks_mut::<4>();
    let done = 4 * blocks.len();
    for half in 0..2 {
        let [a, b, c, d]: [&[[T; 4]]; 4] = std::array::from_fn(|l| columns[4 * half + l].as_chunks::<4>().0);
        let affine = affine[4 * half..].first_chunk::<4>().expect("eight columns");
        vectorized!({
            for ((((block, a), b), c), d) in blocks.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                transpose([a, b, c, d], affine, half, block);
            }
        });
    }
    for (i, row) in last_rows.iter_mut().enumerate() {
        for (l, &(shift, factor)) in affine.iter().enumerate() {
            row[l] = (columns[l][done + i].into() - shift) * factor;
        }
    }
}

/// Four samples of four columns, contiguous loads turned in registers.
#[inline(always)]
fn transpose<T: Copy + Into<f64>>(
    columns: [&[T; 4]; 4],
    affine: &[(f64, f64); 4],
    half: usize,
    rows: &mut [[f64; 8]; 4],
) {
    let mut shifted = [[0.0; 4]; 4];
    for l in 0..4 {
        for r in 0..4 {
            shifted[l][r] = (columns[l][r].into() - affine[l].0) * affine[l].1;
        }
    }
    for r in 0..4 {
        for l in 0..4 {
            rows[r][4 * half + l] = shifted[l][r];
        }
    }
}
