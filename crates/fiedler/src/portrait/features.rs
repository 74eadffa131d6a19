//! The best features: which eigenvectors each follows, and which kept feature it is most like.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::{FEATURES, Subject, map::AXES};
use crate::Result;
use crate::dataset::Dataset;
use crate::dataset::products::{dot, multiply, norm};
use crate::findings::why;
use crate::graph::Graph;
use crate::spectrum::Spectrum;

/// Values that are read for the sake of alignments and correlations at most, but for the first features.
const VALUES: usize = 8_000_000;
/// Features whose alignments are always told.
const ALWAYS: usize = 200;
/// Kept features that others are compared with at most.
pub const COMPARED: usize = 40;
/// Features that are read at once.
const CHUNK: usize = 64;

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
    data: &Dataset,
) -> Result<Vec<FeaturePortrait>> {
    let ranking = &subject.ranking;
    let listed = &subject.order[..subject.order.len().min(FEATURES)];
    let told = (VALUES / subject.view.n_samples()).max(ALWAYS).min(listed.len());
    let compared = &kept[..kept.len().min(COMPARED)];
    let looking = Looking::new(&subject.view, seen, compared)?;
    let parts: Vec<Vec<(Vec<f64>, Option<Alike>)>> =
        listed[..told].par_chunks(CHUNK).map(|some| looking.at(some)).collect::<Result<_>>()?;
    let mut looked = parts.into_iter().flatten();
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

/// What features are compared with.
struct Looking<'a> {
    view: &'a Dataset,
    degrees: Option<&'a [f64]>,
    /// D^½ξ_j of the axes, then the kept features as unit vectors; samples × width by rows.
    right: Vec<f64>,
    axes: usize,
    compared: &'a [usize],
}

impl<'a> Looking<'a> {
    fn new(
        view: &'a Dataset,
        seen: Option<(&'a Arc<Graph>, &Spectrum)>,
        compared: &'a [usize],
    ) -> Result<Self> {
        let n = view.n_samples();
        let axes = seen.map_or(0, |(_, spectrum)| (spectrum.len() - 1).min(AXES));
        let width = axes + compared.len();
        let mut right = vec![0.0; n * width];
        let degrees = seen.map(|(graph, _)| graph.degrees());
        if let Some((graph, spectrum)) = seen {
            for (i, d) in graph.degrees().iter().enumerate() {
                for a in 0..axes {
                    right[i * width + a] = d.max(0.0).sqrt() * spectrum.vectors()[(i, a + 1)];
                }
            }
        }
        for (c, column) in unit_columns(view, compared)?.chunks_exact(n).enumerate() {
            column.iter().enumerate().for_each(|(i, v)| right[i * width + axes + c] = *v);
        }
        Ok(Looking { view, degrees, right, axes, compared })
    }

    /// Alignments and the most similar kept feature of some features.
    fn at(&self, some: &[usize]) -> Result<Vec<(Vec<f64>, Option<Alike>)>> {
        let n = self.view.n_samples();
        let width = self.axes + self.compared.len();
        if width == 0 {
            return Ok(vec![Default::default(); some.len()]);
        }
        let columns = unit_columns(self.view, some)?;
        let products = multiply(&columns, &self.right, n, width);
        let each = some.iter().zip(columns.chunks_exact(n)).zip(products.chunks_exact(width));
        let look = |((&j, column), products): ((&usize, &[f64]), &[f64])| {
            (self.alignment(column, &products[..self.axes]), self.alike(j, &products[self.axes..]))
        };
        Ok(each.map(look).collect())
    }

    /// α² from the products f̂ᵀξ: what is left of f̂ without the trivial eigenvector is Σd(f - f̄)², f̄ = Σdf/Σd.
    fn alignment(&self, column: &[f64], products: &[f64]) -> Vec<f64> {
        let Some(degrees) = self.degrees.filter(|_| column.iter().any(|v| *v != 0.0)) else {
            return Vec::new();
        };
        let total: f64 = degrees.iter().map(|d| d.max(0.0)).sum();
        let mean = column.iter().zip(degrees).map(|(v, d)| d.max(0.0) * v).sum::<f64>() / total;
        let left: f64 = column.iter().zip(degrees).map(|(v, d)| d.max(0.0) * (v - mean).powi(2)).sum();
        if left <= 0.0 || !left.is_finite() {
            return Vec::new();
        }
        products.iter().map(|p| (p * p / left).min(1.0)).collect()
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

/// Columns about their means and of length 1, zeros where a column is constant.
pub(super) fn unit_columns(view: &Dataset, list: &[usize]) -> Result<Vec<f64>> {
    let mut columns = view.unit_columns(list)?;
    for column in columns.chunks_exact_mut(view.n_samples()) {
        let length = norm(column);
        if length > 0.0 {
            column.iter_mut().for_each(|v| *v /= length);
        }
    }
    Ok(columns)
}

/// The correlation of two unit columns.
pub(super) fn correlation(a: &[f64], b: &[f64]) -> f64 {
    dot(a, b).clamp(-1.0, 1.0)
}
