//! Samples × features, their names, and labels for all, some or none of the samples, or a number to be predicted.
//!
//! A [`Dataset`] never copies or changes the numbers it was given. It looks at every column
//! once, when it is made: values that are not finite are refused there, with row and column,
//! and the mean, variance and range kept from that look are all that scaling needs.

pub mod columns;
pub mod demo;
mod fingerprint;
mod labels;
mod lent;
pub mod memory;
mod names;
mod noise;
mod packing;
mod passes;
pub(crate) mod products;
mod ranks;
mod samples;
mod scaled;
mod scaling;
mod shares;
mod sparsify;
mod stats;
mod subset;
mod target;
mod transform;
mod turned;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub use columns::{Block, Columns, DenseBlock, Piece, Reach, SparseBlock, Values};
pub(crate) use fingerprint::hashed;
pub use labels::Labels;
pub use lent::Lent;
pub use memory::{Dense, Order, Scalar, Shared, Sparse};
pub use names::FeatureNames;
pub(crate) use scaled::{Center, ScaledBlock};
pub use scaling::Scaling;
pub(crate) use shares::Surveyed;
pub use stats::ColumnStats;
pub use target::Target;
pub use transform::{Carried, Transform};
use transform::{Original, Settled};
pub(crate) use turned::{Narrow, Picked};

use crate::monitor::{Monitor, Silent};
use crate::{Error, Result};

/// Features that are computed with at a time. Small enough that threads share the work evenly and a
/// block of 10⁵ samples stays about 50 MB, large enough that a matrix product is efficient.
pub(crate) const BLOCK: usize = 64;

/// Samples × features with names and labels. Cheap to clone: the numbers are shared.
#[derive(Clone)]
pub struct Dataset {
    columns: Arc<dyn Columns>,
    stats: Arc<[ColumnStats]>,
    scaling: Scaling,
    /// What the columns were before they were transformed.
    original: Option<Original>,
    /// Whether it is settled what is done to every value.
    settled: Settled,
    /// Whether dense columns are taken by their non-zeros.
    thin: bool,
    feature_names: FeatureNames,
    sample_names: Option<Arc<[String]>>,
    labels: Option<Arc<Labels>>,
    /// Whether the user named the labels, or they merely came with the data.
    labels_named: bool,
    /// The number to be predicted. There are never labels beside it.
    target: Option<Arc<Target>>,
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
            original: None,
            settled: Settled::default(),
            thin: false,
            feature_names: FeatureNames::new(feature_names.map(Arc::from)),
            sample_names: None,
            labels: None,
            labels_named: false,
            target: None,
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
        self.target = None;
        Ok(self)
    }

    /// The same data with a number to be predicted, in place of labels: methods that can use a number use it.
    ///
    /// # Errors
    /// [`Error::Length`] when there is not one number per sample.
    pub fn targeted(mut self, target: Target) -> Result<Self> {
        if target.len() != self.n_samples() {
            return Err(Error::Length {
                what: "numbers of the target",
                expected: self.n_samples(),
                got: target.len(),
            });
        }
        self.labels = None;
        self.target = Some(Arc::new(target));
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

    /// The same data without labels and without a target.
    #[must_use]
    pub fn unlabeled(mut self) -> Self {
        self.labels = None;
        self.target = None;
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

    /// The columns as they were given, in the user's units, whatever the [`transform`](Self::transform) and the scaling.
    pub fn columns(&self) -> &dyn Columns {
        self.original.as_ref().map_or(&*self.columns, Original::columns)
    }

    /// Mean, variance and range of every feature, transformed but not scaled: in the user's units, unless there is a
    /// [`transform`](Self::transform).
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

    /// The number to be predicted, if there is one.
    pub fn target(&self) -> Option<&Target> {
        self.target.as_deref()
    }

    /// The class of every sample and the number of classes, for methods that need them all.
    ///
    /// # Errors
    /// [`Error::LabelsMissing`], [`Error::LabelsPartial`] or [`Error::OneClass`]; [`Error::ClassesNeeded`] where there is
    /// a number to be predicted.
    pub fn classes(&self, what: &'static str) -> Result<(Vec<u32>, usize)> {
        if let Some(target) = self.target() {
            return Err(Error::classes_needed(what, target.name()));
        }
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
        let mut column = Vec::new();
        self.each_column(&[j], |_, block, at| column = block.column(at))?;
        Ok(column)
    }

    /// These samples transformed and scaled by what is known of those of `part`: how test samples look to a method that
    /// has seen the training samples only.
    pub(crate) fn scaled_like(&self, part: &Dataset) -> Dataset {
        Dataset {
            columns: self.transformed_like(part),
            stats: Arc::clone(&part.stats),
            scaling: part.scaling,
            original: None,
            ..self.clone()
        }
    }

    /// One look at every column, unless the source knows already what it would tell.
    fn look(&self, monitor: &dyn Monitor) -> Result<Vec<ColumnStats>> {
        let m = self.n_features();
        if let Some(stats) = self.columns.stats() {
            if stats.len() != m {
                return Err(Error::Length { what: "statistics of columns", expected: m, got: stats.len() });
            }
            stats.iter().enumerate().try_for_each(|(j, s)| self.check_range(j, s))?;
            return Ok(stats);
        }
        if let Some(far) = self.far() {
            let stats = far.stats(monitor)?;
            // A share with a value that is not finite says so, and is read to say which.
            let broken = |start: &usize| stats.get(*start).is_none_or(|s| s.mean.is_nan());
            for start in (0..m).step_by(BLOCK).filter(broken) {
                self.look_at(start..m.min(start + BLOCK))?;
            }
            stats.iter().enumerate().try_for_each(|(j, s)| self.check_range(j, s))?;
            return Ok(stats);
        }
        self.map_ranges("reading", monitor, |range| self.look_at(range))
    }

    /// One look at some columns.
    fn look_at(&self, range: Range<usize>) -> Result<Vec<ColumnStats>> {
        let n = self.n_samples();
        let block = self.columns.block(range.clone())?;
        block.check(n, range.len())?;
        let stats = ColumnStats::of_block(&block, range.len(), n).map_err(|bad| {
            let column = range.start + bad.column;
            let feature = self.feature_name(column).into_owned();
            Error::NotFinite { value: bad.value, row: bad.row, column, feature }
        })?;
        range.clone().zip(&stats).try_for_each(|(j, s)| self.check_range(j, s))?;
        Ok(stats)
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
            .field("transform", &self.transform())
            .finish_non_exhaustive()
    }
}
