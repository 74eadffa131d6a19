//! Inner products of centered similarities, none of which is written out.
//!
//! ```text
//! ⟨K̄, Q̄⟩ = ⟨K, Q⟩ - d̄ē - (2/n) Σ_i (d_i - d̄)(e_i - ē),   d = K1, e = Q1
//! ```
//! ⟨K, Q⟩ is summed over what the sparser of the two stores: over the entries of a sparse graph, inside
//! the classes of a label graph, over the table of how often two classes meet for two of them, and over
//! all pairs only where both are dense, or through landmarks: their rows are written out one at a time.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::Result;
use crate::graph::classes::Classes;
use crate::graph::dense::Dense;
use crate::graph::low_rank::LowRank;
use crate::graph::sparse::Sparse;
use crate::graph::{Graph, Similarity};
use crate::monitor::{Monitor, Stage};
use crate::solve::dot;

/// Samples whose rows one task multiplies.
const ROWS: usize = 32;
/// A similarity of which centering leaves no more than this is constant but for rounding.
const CONSTANT: f64 = 1e-12;

/// The inner products of centered similarities.
#[derive(Clone)]
pub(super) struct Products {
    count: usize,
    values: Vec<f64>,
}

impl Products {
    /// All pairs of `graphs`, each times its scale, over the samples `chosen`.
    pub(super) fn new(
        graphs: &[&Graph],
        scales: &[f64],
        chosen: &[usize],
        monitor: &dyn Monitor,
    ) -> Result<Self> {
        let count = graphs.len();
        let n = graphs.first().map_or(0, |g| g.n_samples());
        let mut among = vec![false; n];
        chosen.iter().for_each(|&i| among[i] = true);
        let parts: Vec<Parts<'_>> =
            graphs.iter().zip(scales).map(|(graph, &scale)| Parts::new(graph, scale, chosen)).collect();
        let rows = Rows { parts: &parts, among: &among };
        let stage = Stage::new(monitor, "agreement of sources", chosen.len())?;
        let tasks: Vec<(Vec<f64>, Vec<f64>)> = chosen
            .par_chunks(ROWS)
            .map(|task| {
                stage.advance(task.len())?;
                Ok(rows.products(task))
            })
            .collect::<Result<_>>()?;
        let mut products = vec![0.0; count * count];
        let mut degrees = vec![Vec::with_capacity(chosen.len()); count];
        for (part, sums) in tasks {
            products.iter_mut().zip(part).for_each(|(p, v)| *p += v);
            sums.into_iter().enumerate().for_each(|(at, sum)| degrees[at % count].push(sum));
        }
        for k in 0..count {
            for l in 0..=k {
                products[k * count + l] += parts[k].classes_product(&parts[l], chosen);
                products[l * count + k] = products[k * count + l];
            }
        }
        Ok(Products { count, values: centered(products, &degrees) })
    }

    /// Number of similarities.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// ‖K̄_k‖, 0 where K_k is constant.
    pub(super) fn norm(&self, k: usize) -> f64 {
        self.values[k * self.count + k].sqrt()
    }

    /// The cosine of two similarities, 0 where one of them is constant.
    pub(super) fn alignment(&self, k: usize, l: usize) -> f64 {
        let norms = self.norm(k) * self.norm(l);
        let product = self.values[k * self.count + l];
        if norms > 0.0 { (product / norms).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// Centers raw products; what is constant but for rounding becomes 0.
fn centered(mut products: Vec<f64>, degrees: &[Vec<f64>]) -> Vec<f64> {
    let count = degrees.len();
    let n = degrees.first().map_or(0, Vec::len) as f64;
    let means: Vec<f64> = degrees.iter().map(|d| d.iter().sum::<f64>() / n).collect();
    let raw: Vec<f64> = (0..count).map(|k| products[k * count + k]).collect();
    for k in 0..count {
        for l in 0..count {
            let pairs = degrees[k].iter().zip(&degrees[l]);
            let shared: f64 = pairs.map(|(d, e)| (d - means[k]) * (e - means[l])).sum();
            products[k * count + l] -= means[k] * means[l] + 2.0 * shared / n;
        }
    }
    let rounding = CONSTANT.max(n * f64::EPSILON);
    for k in (0..count).filter(|&k| products[k * count + k] <= rounding * raw[k]).collect::<Vec<_>>() {
        for l in 0..count {
            products[k * count + l] = 0.0;
            products[l * count + k] = 0.0;
        }
    }
    products
}

/// A graph taken apart, with sums of graphs taken apart too.
#[derive(Default)]
struct Parts<'a> {
    dense: Vec<(f64, &'a Dense)>,
    low_rank: Vec<(f64, &'a LowRank)>,
    sparse: Vec<(f64, &'a Sparse)>,
    classes: Vec<Grouped<'a>>,
}

/// A label graph with the chosen samples of every class.
struct Grouped<'a> {
    weight: f64,
    classes: &'a Classes,
    members: Vec<Vec<u32>>,
}

impl<'a> Parts<'a> {
    fn new(graph: &'a Graph, scale: f64, chosen: &[usize]) -> Self {
        let mut parts = Parts::default();
        parts.add(graph, scale, chosen);
        parts
    }

    fn add(&mut self, graph: &'a Graph, weight: f64, chosen: &[usize]) {
        match graph.similarity() {
            Similarity::Dense(dense) => self.dense.push((weight, dense)),
            Similarity::Sparse(sparse) => self.sparse.push((weight, sparse)),
            Similarity::LowRank(low) => self.low_rank.push((weight, low)),
            Similarity::Classes(classes) => {
                let mut members = vec![Vec::new(); classes.count()];
                chosen.iter().for_each(|&i| members[classes.codes()[i] as usize].push(i as u32));
                self.classes.push(Grouped { weight, classes, members });
            }
            Similarity::Sum(parts) => parts.iter().for_each(|(w, g)| self.add(g, weight * w, chosen)),
        }
    }

    /// Whether its rows are written out, one at a time.
    fn has_full_rows(&self) -> bool {
        !(self.dense.is_empty() && self.low_rank.is_empty())
    }

    /// The product of what is sparse or made of classes in row `i` with a dense row.
    fn dot(&self, i: usize, row: &[f64]) -> f64 {
        let sparse = self.sparse.iter().map(|(w, s)| w * s.row(i).map(|(j, v)| v * row[j]).sum::<f64>());
        let inside =
            |g: &Grouped<'_>| g.share(i) * g.members_of(i).iter().map(|&j| row[j as usize]).sum::<f64>();
        sparse.sum::<f64>() + self.classes.iter().map(inside).sum::<f64>()
    }

    /// ⟨classes of this, classes of the other⟩: Σ n_ab²/(n_a n_b) over the classes a and b that meet.
    fn classes_product(&self, other: &Parts<'_>, chosen: &[usize]) -> f64 {
        let pair = |a: &Grouped<'_>, b: &Grouped<'_>| {
            let mut met: BTreeMap<(u32, u32), (usize, f64)> = BTreeMap::new();
            for &i in chosen {
                let key = (a.classes.codes()[i], b.classes.codes()[i]);
                met.entry(key).or_insert_with(|| (0, a.share(i) * b.share(i))).0 += 1;
            }
            met.values().map(|&(count, share)| (count * count) as f64 * share).sum::<f64>()
        };
        self.classes.iter().flat_map(|a| other.classes.iter().map(move |b| pair(a, b))).sum()
    }
}

impl Grouped<'_> {
    /// The similarity of sample `i` to those of its class.
    fn share(&self, i: usize) -> f64 {
        self.weight / self.classes.size(self.classes.codes()[i]) as f64
    }

    fn members_of(&self, i: usize) -> &[u32] {
        &self.members[self.classes.codes()[i] as usize]
    }
}

/// The rows of all graphs.
struct Rows<'a> {
    parts: &'a [Parts<'a>],
    /// Whether a sample is among the chosen.
    among: &'a [bool],
}

impl Rows<'_> {
    /// Products of some rows but for those of classes with classes, and the sums of the rows.
    fn products(&self, rows: &[usize]) -> (Vec<f64>, Vec<f64>) {
        let count = self.parts.len();
        let (mut products, mut sums) = (vec![0.0; count * count], Vec::with_capacity(count * rows.len()));
        let mut dense: Vec<Vec<f64>> = self
            .parts
            .iter()
            .map(|p| vec![0.0; if p.has_full_rows() { self.among.len() } else { 0 }])
            .collect();
        for &i in rows {
            for (part, row) in self.parts.iter().zip(&mut dense) {
                self.write(part, i, row);
                sums.push(self.sum(part, i, row));
            }
            for k in 0..count {
                for l in 0..=k {
                    products[k * count + l] += self.product(i, (k, &dense[k]), (l, &dense[l]));
                }
            }
        }
        (products, sums)
    }

    /// The part of row `i` that is written out, 0 where a sample is not chosen.
    fn write(&self, part: &Parts<'_>, i: usize, row: &mut [f64]) {
        row.fill(0.0);
        for (weight, dense) in &part.dense {
            row.iter_mut().zip(dense.column(i)).for_each(|(r, v)| *r += weight * v);
        }
        part.low_rank.iter().for_each(|(weight, low)| low.add_row(*weight, i, row));
        row.iter_mut().zip(self.among).filter(|(_, among)| !**among).for_each(|(r, _)| *r = 0.0);
    }

    fn sum(&self, part: &Parts<'_>, i: usize, row: &[f64]) -> f64 {
        let chosen = |(j, v): (usize, f64)| if self.among[j] { v } else { 0.0 };
        let sparse = part.sparse.iter().map(|(w, s)| w * s.row(i).map(chosen).sum::<f64>());
        let classes = part.classes.iter().map(|g| g.share(i) * g.members_of(i).len() as f64);
        row.iter().sum::<f64>() + sparse.sum::<f64>() + classes.sum::<f64>()
    }

    fn product(&self, i: usize, (k, x): (usize, &[f64]), (l, y): (usize, &[f64])) -> f64 {
        let (a, b) = (&self.parts[k], &self.parts[l]);
        let mut sum = 0.0;
        if !x.is_empty() {
            sum += dot(x, y) + b.dot(i, x);
        }
        if !y.is_empty() {
            sum += a.dot(i, y);
        }
        for (weight, sparse) in &a.sparse {
            sum += weight * b.sparse.iter().map(|(w, other)| w * self.shared(sparse, other, i)).sum::<f64>();
            sum += weight * b.classes.iter().map(|g| self.inside(sparse, g, i)).sum::<f64>();
        }
        for (weight, sparse) in &b.sparse {
            sum += weight * a.classes.iter().map(|g| self.inside(sparse, g, i)).sum::<f64>();
        }
        sum
    }

    /// Σ over the columns that both rows `i` store.
    fn shared(&self, a: &Sparse, b: &Sparse, i: usize) -> f64 {
        let mut others = b.row(i).peekable();
        let mut sum = 0.0;
        for (j, v) in a.row(i).filter(|e| self.among[e.0]) {
            while others.next_if(|other| other.0 < j).is_some() {}
            if let Some((_, w)) = others.next_if(|other| other.0 == j) {
                sum += v * w;
            }
        }
        sum
    }

    /// Σ over the stored columns of row `i` that are of the class of `i`.
    fn inside(&self, sparse: &Sparse, group: &Grouped<'_>, i: usize) -> f64 {
        let codes = group.classes.codes();
        let same = |&(j, _): &(usize, f64)| self.among[j] && codes[j] == codes[i];
        group.share(i) * sparse.row(i).filter(same).map(|e| e.1).sum::<f64>()
    }
}
