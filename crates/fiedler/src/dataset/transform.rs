//! What is done to every value before anything else sees it, and when that is worth doing.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use rayon::prelude::*;

use super::columns::{Block, Columns, DenseBlock, Piece, Reach, SparseBlock, Values};
use super::ranks::Ranked;
use super::{ColumnStats, Dataset, Dense, Order, Scaling, Sparse};
use crate::afar::Afar;
use crate::monitor::{Monitor, Stage};
use crate::{Error, Result, limits};

/// One sample in so many must carry a feature, or the feature is carried by few.
const ONE_IN: f64 = 20.0;

/// The share of features that are carried by few, from which on data are better taken as ranks.
const GATE: f64 = 0.2;

/// What is done to every value, before any scaling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Transform {
    /// Nothing.
    #[default]
    None,
    /// Its rank among the values of its feature: √12·midrank/n, counted from the mean; in sparse data from the rank of 0, so
    /// that zeros stay zeros. No value lies far out, and a feature that varies in few samples stays small.
    Ranks,
    /// log(1 + value), for counts.
    Log,
}

impl Transform {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Transform::None => "none",
            Transform::Ranks => "ranks",
            Transform::Log => "log",
        }
    }
}

impl FromStr for Transform {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "none" => Ok(Transform::None),
            "ranks" => Ok(Transform::Ranks),
            "log" => Ok(Transform::Log),
            _ => Err(Error::parameter("transform", "none, ranks or log", format!("`{text}`"))),
        }
    }
}

/// Whether it is settled what is done to every value of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Settled {
    /// Not yet: see [`Dataset::suited`].
    #[default]
    Open,
    /// By looking at the data.
    ByLooking,
    /// By the user.
    ByUser,
}

/// How many features are carried by few samples: n_eff = (Σ(x-μ)²)²/Σ(x-μ)⁴ is below n/20. See
/// [`ColumnStats::effective_samples`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Carried {
    /// So many features are.
    pub features: usize,
    /// Of so many that vary.
    pub of: usize,
    /// n/20, in samples.
    pub threshold_samples: f64,
}

impl Carried {
    /// Whether they are so many, a fifth or more, that data are better taken as ranks.
    pub fn ranks_are_better(&self) -> bool {
        self.of > 0 && self.features as f64 >= GATE * self.of as f64
    }

    /// The same in words: `41 % of the features vary in fewer than 90 samples`.
    pub fn in_words(&self) -> String {
        let share = (100.0 * self.features as f64 / self.of.max(1) as f64).round();
        let few = crate::limits::grouped(self.threshold_samples.ceil() as usize);
        format!("{share} % of the features vary in fewer than {few} samples")
    }
}

/// What a transformed data set was before.
#[derive(Clone)]
pub(super) struct Original {
    transform: Transform,
    columns: Arc<dyn Columns>,
    stats: Arc<[ColumnStats]>,
}

impl Original {
    pub(super) fn columns(&self) -> &dyn Columns {
        &*self.columns
    }
}

impl Dataset {
    /// The same data with every value transformed; what was done before is undone first. Numbers are kept in memory where the
    /// limits of the monitor allow it, and transformed again whenever they are read where not.
    ///
    /// ```
    /// use fiedler::{Silent, dataset::{Transform, demo}};
    ///
    /// let iris = demo::iris()?;
    /// let ranks = iris.transformed(Transform::Ranks, &Silent)?;
    /// assert!(ranks.stats().iter().all(|s| s.max < 3f64.sqrt() && s.mean.abs() < 1e-12));
    /// assert_eq!(ranks.transform(), Transform::Ranks);
    /// # Ok::<(), fiedler::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for the logarithm of negative values, [`Error::Canceled`], or what the source reports.
    pub fn transformed(&self, transform: Transform, monitor: &dyn Monitor) -> Result<Self> {
        let given = self.untransformed();
        let source: Arc<dyn Columns> = match transform {
            Transform::None => return Ok(Dataset { settled: Settled::ByUser, ..given }),
            Transform::Ranks => Arc::new(Ranked { given: Arc::clone(&given.columns), among: None }),
            Transform::Log => {
                given.check_counts()?;
                Arc::new(Logarithm(Arc::clone(&given.columns)))
            }
        };
        let original = Original { transform, columns: given.columns.clone(), stats: given.stats.clone() };
        let mut data =
            Dataset { columns: source, original: Some(original), settled: Settled::ByUser, ..given };
        if let Some(kept) = data.kept(monitor)? {
            data.columns = kept;
        }
        data.stats = data.look(monitor)?.into();
        Ok(data)
    }

    /// The data as they suit methods that look for structure, where the user asked for nothing: as ranks where a fifth of the
    /// features or more are carried by few samples, else as they are. Scaled to one variance, such features would make
    /// outliers of the samples that carry them, and then score best on those samples.
    ///
    /// # Errors
    /// As [`transformed`](Self::transformed).
    pub fn suited(&self, monitor: &dyn Monitor) -> Result<Self> {
        if self.settled != Settled::Open || self.scaling != Scaling::Auto {
            return Ok(self.clone());
        }
        let transform =
            if self.carried_by_few().ranks_are_better() { Transform::Ranks } else { Transform::None };
        Ok(Dataset { settled: Settled::ByLooking, ..self.transformed(transform, monitor)? })
    }

    /// Whether the user said what is done to every value.
    pub(crate) fn transform_is_asked(&self) -> bool {
        self.settled == Settled::ByUser
    }

    /// About how many samples carry feature `j`, as the data were given.
    pub fn effective_samples(&self, j: usize) -> f64 {
        self.original.as_ref().map_or(&self.stats, |o| &o.stats)[j].effective_samples
    }

    /// The features that few samples carry, where the data were looked at and are not ranks: no graph can judge them.
    pub(crate) fn hardly_carried(&self) -> Vec<usize> {
        if self.settled != Settled::ByLooking || self.transform() == Transform::Ranks {
            return Vec::new();
        }
        let few = self.carried_by_few().threshold_samples;
        let is_few = |&j: &usize| !self.constant(j) && self.stats[j].effective_samples < few;
        (0..self.n_features()).filter(is_few).collect()
    }

    /// What was done to every value.
    pub fn transform(&self) -> Transform {
        self.original.as_ref().map_or(Transform::None, |o| o.transform)
    }

    /// The length of feature `j` where columns are compared: 1, or the spread of its ranks.
    pub(crate) fn length(&self, j: usize) -> f64 {
        self.spread(j).unwrap_or(1.0)
    }

    /// Where the data are ranks, the spread of those of feature `j`: near 1 for a feature that varies everywhere,
    /// √(3·rate) for one that varies at a small rate of the samples.
    pub(crate) fn spread(&self, j: usize) -> Option<f64> {
        (self.transform() == Transform::Ranks).then(|| self.stats[j].variance.sqrt())
    }

    /// The score of feature `j` on a graph, smaller is better and 1 is that of noise. Where the data are ranks, what lies
    /// below 1 counts by the spread of the feature: 1 - s(1 - score). A feature that few samples carry is smooth on almost any
    /// graph, and would otherwise come first.
    pub(crate) fn by_spread(&self, j: usize, score: f64) -> f64 {
        match self.spread(j) {
            Some(spread) if score < 1.0 => 1.0 - spread * (1.0 - score),
            _ => score,
        }
    }

    /// How many features are carried by few samples, as the data were given.
    pub fn carried_by_few(&self) -> Carried {
        let stats = self.original.as_ref().map_or(&self.stats, |o| &o.stats);
        let threshold_samples = self.n_samples() as f64 / ONE_IN;
        let varying = || stats.iter().filter(|s| !s.is_constant());
        let features = varying().filter(|s| s.effective_samples < threshold_samples).count();
        Carried { features, of: varying().count(), threshold_samples }
    }

    /// The same data as they were given.
    pub(crate) fn untransformed(&self) -> Self {
        match &self.original {
            None => self.clone(),
            Some(original) => Dataset {
                columns: Arc::clone(&original.columns),
                stats: Arc::clone(&original.stats),
                original: None,
                ..self.clone()
            },
        }
    }

    /// What is left of the original when features are chosen.
    pub(super) fn original_of(
        &self,
        choose: impl Fn(&Dataset) -> Result<Dataset>,
    ) -> Result<Option<Original>> {
        let Some(original) = &self.original else { return Ok(None) };
        let Dataset { columns, stats, .. } = choose(&self.untransformed())?;
        Ok(Some(Original { transform: original.transform, columns, stats }))
    }

    /// These samples transformed as those of `part` are: the ranks of test samples are those of their places among
    /// the training samples.
    pub(super) fn transformed_like(&self, part: &Dataset) -> Arc<dyn Columns> {
        let given = self.untransformed().columns;
        match &part.original {
            Some(Original { transform: Transform::Ranks, columns, .. }) => {
                Arc::new(Ranked { given, among: Some(Arc::clone(columns)) })
            }
            Some(Original { transform: Transform::Log, .. }) => Arc::new(Logarithm(given)),
            _ => given,
        }
    }

    fn check_counts(&self) -> Result<()> {
        let Some(j) = self.stats.iter().position(|s| s.min < 0.0) else { return Ok(()) };
        let rule = "ranks or none where values are negative, for log(1 + value) is meant for counts";
        let got = format!("log with a value of {} in column `{}`", self.stats[j].min, self.feature_name(j));
        Err(Error::parameter("transform", rule, got))
    }

    /// The columns in memory, where they take no more than half of the budget: beside them there is more to keep. Those of
    /// other machines stay there.
    fn kept(&self, monitor: &dyn Monitor) -> Result<Option<Arc<dyn Columns>>> {
        if self.far().is_some() {
            return Ok(None);
        }
        let (n, m, most) = (self.n_samples(), self.n_features(), monitor.limits().left() / 2);
        if !self.is_sparse() {
            let fits = limits::matrices(1, n, m) <= most;
            return if fits { self.kept_dense(monitor).map(Some) } else { Ok(None) };
        }
        let counts = self.map_ranges("transforming", monitor, |range| {
            let original = self.original.as_ref().map_or(&self.columns, |o| &o.columns);
            match original.block(range.clone())? {
                Block::Sparse(b) => Ok(b.offsets.windows(2).map(|pair| pair[1] - pair[0]).collect()),
                Block::Dense(_) => Ok(vec![n; range.len()]),
            }
        })?;
        let fits = limits::matrices(1, counts.iter().sum(), 2) <= most;
        if fits { self.kept_sparse(monitor).map(Some) } else { Ok(None) }
    }

    fn kept_dense(&self, monitor: &dyn Monitor) -> Result<Arc<dyn Columns>> {
        let (n, m) = (self.n_samples(), self.n_features());
        let stage = Stage::new(monitor, "transforming", m)?;
        let mut values = vec![0.0; n * m];
        let units = self.units();
        let widest = units.first().map_or(1, Range::len);
        let write = |(unit, out): (Range<usize>, &mut [f64])| -> Result<()> {
            let block = self.columns.block(unit.clone())?;
            block.check(n, unit.len())?;
            out.chunks_exact_mut(n).enumerate().for_each(|(j, column)| block.write_column(j, column));
            stage.advance(unit.len())
        };
        let done: Vec<Result<()>> =
            units.into_par_iter().zip(values.par_chunks_mut(widest * n)).map(write).collect();
        done.into_iter().collect::<Result<()>>()?;
        Ok(Arc::new(Dense::new(values, n, m, Order::ColumnMajor)?))
    }

    fn kept_sparse(&self, monitor: &dyn Monitor) -> Result<Arc<dyn Columns>> {
        let n = self.n_samples();
        let columns: Vec<Vec<(u32, f64)>> = self.map_ranges("transforming", monitor, |range| {
            let block = self.columns.block(range.clone())?;
            block.check(n, range.len())?;
            let Block::Sparse(b) = block else {
                return Err(Error::Columns(
                    "a source of sparse columns gave a block that is not sparse".into(),
                ));
            };
            let entries = |j: usize| b.column(j).map(|e| (b.rows[e], b.values.at(e))).collect();
            Ok((0..range.len()).map(entries).collect())
        })?;
        let mut offsets = vec![0];
        for column in &columns {
            offsets.push(offsets[offsets.len() - 1] + column.len());
        }
        let (rows, values): (Vec<u32>, Vec<f64>) = columns.into_iter().flatten().unzip();
        Ok(Arc::new(Sparse::new(offsets, rows, values, n)?))
    }
}

/// log(1 + value) of another source. Zeros stay zeros.
struct Logarithm(Arc<dyn Columns>);

impl Columns for Logarithm {
    fn n_samples(&self) -> usize {
        self.0.n_samples()
    }

    fn n_features(&self) -> usize {
        self.0.n_features()
    }

    fn is_sparse(&self) -> bool {
        self.0.is_sparse()
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>> {
        let width = range.len();
        logarithms(&self.0.block(range)?, width, self.n_samples())
    }

    fn gather(&self, list: &[usize]) -> Result<Vec<Piece<'_>>> {
        let (pieces, n) = (self.0.gather(list)?.into_iter(), self.n_samples());
        pieces.map(|p| Ok(Piece { width: p.width, block: logarithms(&p.block, p.width, n)? })).collect()
    }

    fn preferred_block(&self) -> usize {
        self.0.preferred_block()
    }

    fn reach(&self) -> Reach {
        self.0.reach()
    }

    fn afar(&self) -> Option<&dyn Afar> {
        self.0.afar()
    }
}

fn logarithms(block: &Block<'_>, width: usize, n: usize) -> Result<Block<'static>> {
    block.check(n, width)?;
    let of = |values: &Values<'_>, at: &mut dyn Iterator<Item = usize>| {
        Values::F64(at.map(|i| values.at(i).ln_1p()).collect())
    };
    Ok(match block {
        Block::Dense(b) => {
            let column = |j: usize| (0..n).map(move |i| i * b.row_stride + j * b.column_stride);
            let values = of(&b.values, &mut (0..width).flat_map(column));
            Block::Dense(DenseBlock { values, row_stride: 1, column_stride: n })
        }
        Block::Sparse(b) => Block::Sparse(SparseBlock {
            offsets: Cow::Owned(b.offsets.to_vec()),
            rows: Cow::Owned(b.rows.to_vec()),
            values: of(&b.values, &mut (0..b.rows.len())),
        }),
    })
}
