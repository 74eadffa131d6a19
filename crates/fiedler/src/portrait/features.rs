//! The best features: which eigenvectors each follows, and which kept feature it is most like.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Drawn, FEATURES, Subject, map::AXES};
use crate::Result;
use crate::dataset::Dataset;
use crate::dataset::products::{dot, multiply, norm};
use crate::findings::why;
use crate::graph::Graph;
use crate::spectrum::Spectrum;

/// Values that are read for the sake of alignments and correlations at most, but for the first features.
const VALUES: usize = 4_000_000;
/// Features whose alignments are always told.
const ALWAYS: usize = 200;
/// Kept features that others are compared with at most.
pub const COMPARED: usize = 40;
/// Features that are read at once.
const CHUNK: usize = 64;
/// A difference that is so small a share of what it is a difference of is rounding.
const ROUNDING: f64 = 1e-12;

/// A feature of a ranking, and why it is where it is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeaturePortrait {
    /// The feature, by its column.
    pub index: usize,
    /// Its rank, from 1.
    pub rank: usize,
    /// Its score, if it has one.
    pub score: Option<f64>,
    /// Why it has none, or ranks where its score alone would not put it.
    pub reason: Option<Cow<'static, str>>,
    /// Whether it is one of those kept.
    pub kept: bool,
    /// α²: the shares of it that follow the eigenvectors of the map, in their order. Empty for a constant feature, where there is
    /// no map, and far down a long list.
    pub alignment: Vec<f64>,
    /// The kept feature (another one) that it is most like.
    pub alike: Option<Alike>,
}

/// A feature that another one is like.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Alike {
    /// The feature, by its column.
    pub index: usize,
    /// Their correlation.
    pub correlation: f64,
}

/// The best features of a ranking.
pub(super) fn portraits(
    subject: &Subject,
    kept: &[usize],
    seen: Option<(&Arc<Graph>, &Spectrum)>,
    (data, samples): (&Dataset, &Drawn),
) -> Result<Vec<FeaturePortrait>> {
    let ranking = &subject.ranking;
    let listed = &subject.order[..subject.order.len().min(FEATURES)];
    let told = (VALUES / subject.view.n_samples()).max(ALWAYS).min(listed.len());
    let compared = &kept[..kept.len().min(COMPARED)];
    let mut looked = Looking::new(&subject.view, seen.map(|s| (s, samples)), compared)?
        .at_all(&listed[..told])?
        .into_iter();
    let portrait = |(at, &index): (usize, &usize)| {
        let (alignment, alike) = looked.next().unwrap_or_default();
        FeaturePortrait {
            index,
            rank: at + 1,
            score: ranking.score(index),
            reason: why(ranking, data, index),
            kept: at < kept.len(),
            alignment,
            alike,
        }
    };
    Ok(listed.iter().enumerate().map(portrait).collect())
}

/// What is seen of a feature: its alignments, and the kept feature that it is most like.
type Seen = (Vec<f64>, Option<Alike>);

/// What features are compared with.
struct Looking<'a> {
    view: &'a Dataset,
    /// None negative; empty without a graph.
    degrees: Vec<f64>,
    /// Their sum.
    volume: f64,
    /// D^½ξ_j of the axes, the degrees, then the kept features as unit vectors; samples × width by rows.
    right: Vec<f64>,
    width: usize,
    compared: &'a [usize],
}

impl<'a> Looking<'a> {
    fn new(
        view: &'a Dataset,
        seen: Option<((&Arc<Graph>, &Spectrum), &Drawn)>,
        compared: &'a [usize],
    ) -> Result<Self> {
        let n = view.n_samples();
        let axes = seen.map_or(0, |((_, spectrum), _)| (spectrum.len() - 1).min(AXES));
        let first = axes + usize::from(seen.is_some());
        let width = first + compared.len();
        let mut right = vec![0.0; n * width];
        let mut degrees = Vec::new();
        if let Some(((graph, spectrum), samples)) = seen {
            // Samples that the graph does not have count nothing.
            degrees.resize(n, 0.0);
            let is_whole = graph.n_samples() == n;
            for (at, d) in graph.degrees().iter().map(|d| d.max(0.0)).enumerate() {
                let i = if is_whole { at } else { samples.indices[at] };
                degrees[i] = d;
                for a in 0..axes {
                    right[i * width + a] = d.sqrt() * spectrum.vectors()[(at, a + 1)];
                }
                right[i * width + axes] = d;
            }
        }
        for (c, column) in unit_columns(view, compared)?.chunks_exact(n).enumerate() {
            column.iter().enumerate().for_each(|(i, v)| right[i * width + first + c] = *v);
        }
        Ok(Looking { view, volume: degrees.iter().sum(), degrees, right, width, compared })
    }

    /// What is seen of every feature of a list.
    fn at_all(&self, list: &[usize]) -> Result<Vec<Seen>> {
        if self.width == 0 {
            return Ok(vec![Seen::default(); list.len()]);
        }
        // In the order of the columns: those that lie together in memory are read together.
        let mut places: Vec<usize> = (0..list.len()).collect();
        places.sort_unstable_by_key(|&at| list[at]);
        let look = |some: &[usize]| self.at(&some.iter().map(|&at| list[at]).collect::<Vec<_>>());
        let parts: Vec<Vec<Seen>> = places.par_chunks(CHUNK).map(look).collect::<Result<_>>()?;
        let mut looked: Vec<(usize, Seen)> = places.into_iter().zip(parts.into_iter().flatten()).collect();
        looked.sort_unstable_by_key(|(at, _)| *at);
        Ok(looked.into_iter().map(|(_, seen)| seen).collect())
    }

    fn at(&self, some: &[usize]) -> Result<Vec<Seen>> {
        let n = self.view.n_samples();
        let columns = unit_columns(self.view, some)?;
        let products = multiply(&columns, &self.right, n, self.width);
        let each = some.iter().zip(columns.chunks_exact(n)).zip(products.chunks_exact(self.width));
        let look = |((&j, column), products): ((&usize, &[f64]), &[f64])| {
            let (graph, kept) = products.split_at(self.width - self.compared.len());
            (self.alignment(column, graph), self.alike(j, kept))
        };
        Ok(each.map(look).collect())
    }

    /// α² from the products f̂ᵀξ and Σdf: what is left of f̂ without the trivial eigenvector is Σdf² - (Σdf)²/Σd. Nothing where
    /// that is rounding, as of a feature that varies on isolated samples alone.
    fn alignment(&self, column: &[f64], products: &[f64]) -> Vec<f64> {
        let [axes @ .., sum] = products else { return Vec::new() };
        let all = weighted_squares(column, &self.degrees);
        let left = all - sum * sum / self.volume;
        if left.is_nan() || left <= ROUNDING * all {
            return Vec::new();
        }
        axes.iter().map(|p| (p * p / left).min(1.0)).collect()
    }

    fn alike(&self, j: usize, correlations: &[f64]) -> Option<Alike> {
        let mut most: Option<Alike> = None;
        for (&index, &correlation) in self.compared.iter().zip(correlations).filter(|(other, _)| **other != j)
        {
            if correlation != 0.0 && most.is_none_or(|m| correlation.abs() > m.correlation.abs()) {
                most = Some(Alike { index, correlation: correlation.clamp(-1.0, 1.0) });
            }
        }
        most
    }
}

/// Σ wv² in eight interleaved sums, as [`dot`].
fn weighted_squares(values: &[f64], weights: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (v_lanes, w_lanes) = (values.chunks_exact(LANES), weights.chunks_exact(LANES));
    let rest: f64 = v_lanes.remainder().iter().zip(w_lanes.remainder()).map(|(v, w)| w * v * v).sum();
    for (v, w) in v_lanes.zip(w_lanes) {
        for l in 0..LANES {
            sums[l] += w[l] * v[l] * v[l];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// Columns about their means and of length 1, zeros where a column is constant.
pub(super) fn unit_columns(view: &Dataset, list: &[usize]) -> Result<Vec<f64>> {
    let mut columns = view.unit_columns(list)?;
    for column in columns.chunks_exact_mut(view.n_samples()) {
        let length = norm(column);
        // Most are already, but for rounding.
        if length > 0.0 && (length - 1.0).abs() > 1e-9 {
            column.iter_mut().for_each(|v| *v /= length);
        }
    }
    Ok(columns)
}

/// The correlation of two unit columns.
pub(super) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    dot(a, b).clamp(-1.0, 1.0)
}
