//! Knowledge of features: which are alike, interact, or share annotations (DIS 5.2).
//!
//! # Formula
//! A similarity S_F of features becomes one of samples by a Mahalanobis distance. With the kernel
//! K = (D_F - S_F)⁺ as the covariance C of the features,
//!
//! ```text
//! d²(x, y) = (x-y)ᵀ C⁺ (x-y) = (x-y)ᵀ L_F (x-y) = Σ_{edges ab} w_ab ((x_a-x_b) - (y_a-y_b))²
//! S = exp(-d²/2σ²)
//! ```
//! for C⁺ is the Laplacian L_F = D_F - S_F itself: nothing is inverted. In words: two samples
//! are alike when, along every edge of the network, the difference of the two features is alike in
//! both. A feature without edges takes no part.
//!
//! # When it fails
//! What joined features do alike cancels in their difference: a network whose neighbors all rise together
//! hides just that. It helps where neighbors answer differently, an activator and what it represses. And
//! like every graph made of some features of the target, it favors those features in a ranking, whether
//! they matter or not; judge it by what it finds beyond them.
//!
//! # The printed form
//! DIS prop. 4 has C = K(I - U11ᵀUᵀ/l)K with K = UΣUᵀ: [`Covariance::Printed`]. The embedding of a kernel is K^½, so
//! that its covariance is K^½(I - U11ᵀUᵀ/l)K^½: [`Covariance::Repaired`]. Both depend on the signs of the
//! eigenvectors (here the largest entry of each is positive), need all eigenvectors of l features, and are not
//! unique where L_F has equal eigenvalues.
//!
//! # Cost
//! XL_FXᵀ by blocks of features: edges · n + l · n², and memory for n² and 256 features. Printed and
//! repaired: l³.

use std::collections::{BTreeMap, BTreeSet};

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::overlap::{Overlap, broadest, information, shared_terms};
use super::printed;
use crate::dataset::{Center, Dataset, Dense as DenseColumns, Order, Scaling};
use crate::graph::{
    Bandwidth, Graph, Origin, Rbf, Similarity, Weighting, dense, elsewhere, gaussian, median,
};
use crate::monitor::{Monitor, Stage};
use crate::parameters::words;
use crate::{Error, Result};

/// Features whose products are added up at a time.
const WIDTH: usize = 256;
/// Columns of XL_FXᵀ that one task adds to.
const STRIPE: usize = 64;
/// Distances below this share of the norms are rounding.
const ROUNDING: f64 = 1e-13;
/// Features for which all eigenvectors may be asked.
const PRINTED_LIMIT: usize = 5000;
/// A sparse similarity of features: the edges a < b with their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureNetwork {
    n_features: usize,
    edges: Vec<(u32, u32, f64)>,
    max_features: Option<usize>,
    notes: Vec<String>,
}

/// The covariance of the features that a network stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Covariance {
    /// C = K, so that C⁺ is the Laplacian of the network.
    #[default]
    Kernel,
    /// C = K(I - U11ᵀUᵀ/l)K, as the dissertation prints it.
    Printed,
    /// C = K^½(I - U11ᵀUᵀ/l)K^½, the covariance of the embedding of K.
    Repaired,
}

words!(Covariance, "covariance", Kernel = "kernel", Printed = "printed", Repaired = "repaired");

impl FeatureNetwork {
    /// From edges (a, b, weight) between features below `n_features`, each pair once, or once in
    /// each direction with the same weight. Edges from a feature to itself say nothing and are
    /// left out.
    ///
    /// # Errors
    /// [`Error::Parameter`] when there are no edges, a feature is out of range, a weight is
    /// negative or not finite, or a pair has two weights.
    pub fn new(n_features: usize, edges: &[(usize, usize, f64)]) -> Result<Self> {
        Self::with_names(n_features, edges, &|j| j.to_string())
    }

    /// The same with what `name` calls a feature in messages.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_names(
        n_features: usize,
        edges: &[(usize, usize, f64)],
        name: &dyn Fn(usize) -> String,
    ) -> Result<Self> {
        let pair = |a: usize, b: usize| format!("`{}` and `{}`", name(a), name(b));
        let mut pairs: Vec<(u32, u32, f64)> = Vec::with_capacity(edges.len());
        for &(a, b, weight) in edges {
            if a >= n_features || b >= n_features {
                let rule = format!("a list of pairs of features below {n_features}");
                return Err(Error::parameter("edges", rule, format!("({a}, {b})")));
            }
            if !(weight.is_finite() && weight >= 0.0) {
                let rule = "a list with finite weights that are not negative";
                return Err(Error::parameter("edges", rule, format!("{weight} for {}", pair(a, b))));
            }
            if a != b {
                pairs.push((a.min(b) as u32, a.max(b) as u32, weight));
            }
        }
        let mut notes = Vec::new();
        if pairs.len() < edges.len() {
            let loops = edges.len() - pairs.len();
            let what = if loops == 1 {
                "edge joins a feature to itself and is"
            } else {
                "edges join a feature to itself and are"
            };
            notes.push(format!("{loops} {what} left out"));
        }
        pairs.sort_by_key(|&(a, b, _)| (a, b));
        let twice = |p: &[(u32, u32, f64)]| (p[0].0, p[0].1) == (p[1].0, p[1].1) && p[0].2 != p[1].2;
        if let Some([(a, b, one), (_, _, other)]) = pairs.windows(2).find(|p| twice(p)) {
            let got = format!("{one} and {other} for {}", pair(*a as usize, *b as usize));
            return Err(Error::parameter("edges", "a list with one weight per pair", got));
        }
        pairs.dedup_by_key(|p| (p.0, p.1));
        pairs.retain(|p| p.2 > 0.0);
        Self::assemble(n_features, pairs, notes)
    }

    /// From annotations (feature, term): features are joined where they share terms. A term that
    /// more than `max_features` features have is too general to tell anything, costs the square of
    /// their number, and is left out, with a note. Unless given this is 200 or a quarter of the features,
    /// whichever is more, and less where that would join more than 20 million pairs.
    ///
    /// # Errors
    /// [`Error::Parameter`] when a feature is out of range or no two features share a term.
    pub fn from_annotations(
        n_features: usize,
        annotations: &[(usize, usize)],
        overlap: Overlap,
        max_features: Option<usize>,
    ) -> Result<Self> {
        let information = information(annotations);
        Self::from_informed(n_features, annotations, (overlap, &information), max_features)
    }

    /// The same with the information content of every term, which may be known from more features than these.
    ///
    /// # Errors
    /// As [`from_annotations`](Self::from_annotations); [`Error::Length`] when a term has no information content.
    pub fn from_informed(
        n_features: usize,
        annotations: &[(usize, usize)],
        (overlap, information): (Overlap, &[f64]),
        max_features: Option<usize>,
    ) -> Result<Self> {
        let n_terms = annotations.iter().map(|a| a.1 + 1).max().unwrap_or(0);
        if information.len() < n_terms {
            let got = information.len();
            return Err(Error::Length { what: "information of terms", expected: n_terms, got });
        }
        let mut members: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for &(feature, term) in annotations {
            if feature >= n_features {
                let rule = format!("a list of features below {n_features}");
                return Err(Error::parameter("annotations", rule, feature));
            }
            members.entry(term).or_default().insert(feature as u32);
        }
        let all = members.len();
        let sizes = members.values().map(BTreeSet::len);
        let most = max_features.unwrap_or_else(|| broadest(n_features, sizes.collect()));
        members.retain(|_, features| features.len() <= most);
        let mut notes = Vec::new();
        if members.len() < all {
            notes.push(format!(
                "{} of {all} terms belong to more than {most} features and are left out",
                all - members.len()
            ));
        }
        let edges = shared_terms(n_features, &members, overlap, &|term| information[term]);
        let network = Self::assemble(n_features, edges, notes)?;
        Ok(FeatureNetwork { max_features: Some(most), ..network })
    }

    fn assemble(n_features: usize, edges: Vec<(u32, u32, f64)>, mut notes: Vec<String>) -> Result<Self> {
        if edges.is_empty() {
            let rule = "at least one pair of different features that are alike";
            return Err(Error::parameter("feature network", rule, "none"));
        }
        let (parts, apart) = components(n_features, &edges);
        if apart > 0 {
            notes.push(format!("{apart} of {n_features} features are in no edge and take no part"));
        }
        if parts > 1 {
            notes.push(format!(
                "the feature network is disconnected: {parts} parts; features are compared inside parts only"
            ));
        }
        Ok(FeatureNetwork { n_features, edges, max_features: None, notes })
    }

    /// Number of features, joined or not.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// The edges (a, b, weight), a < b, sorted.
    pub fn edges(&self) -> &[(u32, u32, f64)] {
        &self.edges
    }

    /// Of how many features a term may be that joins them, where the network is made of annotations.
    pub fn max_features(&self) -> Option<usize> {
        self.max_features
    }

    /// What the user should know: features that take no part, a network in parts.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The graph of the samples of `data`, whose features are those of the network.
    ///
    /// # Errors
    /// [`Error::Length`] when the numbers of features differ, [`Error::Parameter`] when the
    /// bandwidth is not positive or a form by eigenvectors is asked of too many features,
    /// [`Error::TooLarge`], [`Error::Canceled`].
    pub fn graph(
        &self,
        data: &Dataset,
        covariance: Covariance,
        bandwidth: Bandwidth,
        monitor: &dyn Monitor,
    ) -> Result<Graph> {
        bandwidth.check()?;
        let (expected, got) = (data.n_features(), self.n_features);
        if got != expected {
            return Err(Error::Length { what: "features of a network", expected, got });
        }
        if data.n_samples() < 2 {
            let got = data.n_samples();
            return Err(Error::TooFewSamples { what: "the graph of a feature network", needed: 2, got });
        }
        dense::check_size("the graph of a feature network", data.n_samples(), 2, monitor)?;
        match covariance {
            Covariance::Kernel => self.by_laplacian(data, bandwidth, monitor),
            Covariance::Printed => self.by_eigenvectors(data, (covariance, 1.0), bandwidth, monitor),
            Covariance::Repaired => self.by_eigenvectors(data, (covariance, 0.5), bandwidth, monitor),
        }
    }

    fn by_laplacian(&self, data: &Dataset, bandwidth: Bandwidth, monitor: &dyn Monitor) -> Result<Graph> {
        let n = data.n_samples();
        let gram = self.gram(data, monitor)?;
        let at = |i: usize, j: usize| 0.5 * (gram[i * n + j] + gram[j * n + i]);
        let distance = |i: usize, j: usize| {
            let norms = at(i, i) + at(j, j);
            let square = norms - 2.0 * at(i, j);
            if i == j || square < ROUNDING * norms { 0.0 } else { square }
        };
        let above = || (0..n).flat_map(|j| (0..j).map(move |i| distance(i, j)));
        let scale = bandwidth.scale(|| median(above().collect()));
        let weights = Mat::from_fn(n, n, |i, j| gaussian(distance(i.min(j), i.max(j)), scale));
        Ok(Graph::new(
            Similarity::Dense(dense::Dense::new(weights)),
            self.origin("kernel", Weighting::rbf(scale)),
        ))
    }

    fn origin(&self, covariance: &'static str, weighting: Weighting) -> Origin {
        let parameters = [("covariance", covariance.into()), ("feature_edges", self.edges.len().into())];
        Origin::new(&elsewhere::FEATURE_NETWORK, parameters).weighted(weighting)
    }

    /// X L_F Xᵀ of the centered data, n × n.
    fn gram(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Vec<f64>> {
        let n = data.n_samples();
        let rows = self.rows();
        let stage = Stage::new(monitor, "feature network", rows.len())?;
        let mut gram = vec![0.0; n * n];
        for block in rows.chunks(WIDTH) {
            let flows: Vec<Flow> =
                block.par_iter().map(|(a, others)| Flow::at(data, *a, others)).collect::<Result<_>>()?;
            let x: Vec<f64> = flows.iter().flat_map(|f| f.value.iter().copied()).collect();
            let y: Vec<f64> = flows.iter().flat_map(|f| f.outflow.iter().copied()).collect();
            let x = MatRef::from_column_major_slice(&x, n, block.len());
            let y = MatRef::from_column_major_slice(&y, n, block.len());
            gram.par_chunks_mut(n * STRIPE).enumerate().for_each(|(s, stripe)| {
                let columns = stripe.len() / n;
                let out = MatMut::from_column_major_slice_mut(stripe, n, columns);
                let y = y.subrows(s * STRIPE, columns);
                matmul(out, Accum::Add, x, y.transpose(), 1.0, Par::Seq);
            });
            stage.advance(block.len())?;
        }
        Ok(gram)
    }

    /// Every feature that has edges, with its neighbors and their weights.
    fn rows(&self) -> Vec<(usize, Vec<(usize, f64)>)> {
        let mut rows = vec![Vec::new(); self.n_features];
        for &(a, b, w) in &self.edges {
            rows[a as usize].push((b as usize, w));
            rows[b as usize].push((a as usize, w));
        }
        rows.into_iter().enumerate().filter(|(_, others)| !others.is_empty()).collect()
    }

    /// The form of proposition 4 with K to a power.
    fn by_eigenvectors(
        &self,
        data: &Dataset,
        (form, power): (Covariance, f64),
        bandwidth: Bandwidth,
        monitor: &dyn Monitor,
    ) -> Result<Graph> {
        let used: Vec<usize> = self.rows().into_iter().map(|row| row.0).collect();
        let l = used.len();
        if l > PRINTED_LIMIT {
            let rule = format!("`kernel` for a network of more than {PRINTED_LIMIT} features");
            return Err(Error::parameter("covariance", rule, format!("`{}` for {l}", form.name())));
        }
        let mut place = vec![0; self.n_features];
        used.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let mut laplacian = Mat::<f64>::zeros(l, l);
        for &(a, b, w) in &self.edges {
            let (a, b) = (place[a as usize], place[b as usize]);
            laplacian[(a, a)] += w;
            laplacian[(b, b)] += w;
            laplacian[(a, b)] -= w;
            laplacian[(b, a)] -= w;
        }
        let factor = printed::inverse_root(&printed::covariance(&laplacian, power)?)?;
        let mut x = Mat::<f64>::zeros(data.n_samples(), l);
        for (at, &j) in used.iter().enumerate() {
            x.col_as_slice_mut(at).copy_from_slice(&centered(data, j)?);
        }
        let z = x * factor;
        let values: Vec<f64> =
            (0..z.ncols()).flat_map(|j| z.col(j).iter().copied().collect::<Vec<_>>()).collect();
        let columns = DenseColumns::new(values, z.nrows(), z.ncols(), Order::ColumnMajor)?;
        let rbf = Rbf { bandwidth }.build(&Dataset::new(columns)?.scaled(Scaling::None), monitor)?;
        let origin = self.origin(form.name(), rbf.origin().weighting);
        let warning = format!(
            "the {} covariance depends on the signs of eigenvectors and is not unique where eigenvalues are equal",
            form.name()
        );
        Ok(Graph::new(rbf.similarity().clone(), origin).warned([warning]))
    }
}

/// A feature and its row of L_F X.
struct Flow {
    /// x_a about its mean.
    value: Vec<f64>,
    /// Σ_b w_ab (x_a - x_b), both about their means.
    outflow: Vec<f64>,
}

impl Flow {
    fn at(data: &Dataset, a: usize, others: &[(usize, f64)]) -> Result<Self> {
        let value = centered(data, a)?;
        let mut outflow = vec![0.0; value.len()];
        for &(b, w) in others {
            let other = centered(data, b)?;
            for ((sum, x), o) in outflow.iter_mut().zip(&value).zip(&other) {
                *sum += w * (x - o);
            }
        }
        Ok(Flow { value, outflow })
    }
}

fn centered(data: &Dataset, j: usize) -> Result<Vec<f64>> {
    let mut column = vec![0.0; data.n_samples()];
    data.each_column(&[j], |_, block, at| block.pack(at..at + 1, 1, Center::Mean, &mut column))?;
    Ok(column)
}

/// How many parts the joined features form, and how many features are in no edge.
fn components(n_features: usize, edges: &[(u32, u32, f64)]) -> (usize, usize) {
    let mut parent: Vec<u32> = (0..n_features as u32).collect();
    fn root(parent: &mut [u32], mut i: u32) -> u32 {
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    let mut joined = vec![false; n_features];
    for &(a, b, _) in edges {
        let (a_root, b_root) = (root(&mut parent, a), root(&mut parent, b));
        parent[a_root.max(b_root) as usize] = a_root.min(b_root);
        joined[a as usize] = true;
        joined[b as usize] = true;
    }
    let apart = joined.iter().filter(|j| !**j).count();
    let roots = (0..n_features).filter(|&i| parent[i] == i as u32).count();
    (roots - apart, apart)
}
