//! A graph as data: its edges and compressed rows out, the same graph back in.
//!
//! The numbers of a graph and its [`Origin`] are all there is to it. [`Graph::edges`] and
//! [`Graph::csr`] hand out the numbers; [`Graph::from_edges`], [`Graph::from_csr`] and
//! [`Graph::from_dense`] take them, and [`Graph::with_origin`] says again how they were made, so that a
//! method that must know (evsc differentiates the weights) takes the graph as it took the first.
//!
//! ```
//! use fiedler::{Graph, GraphRecipe, Silent, dataset::demo};
//!
//! let made = GraphRecipe::default().build(&demo::iris()?, &Silent)?;
//! let edges: Vec<(usize, usize, f64)> = made.edges().collect();
//! let again = Graph::from_edges(&edges, made.n_samples())?.with_origin(made.origin().clone());
//! assert_eq!(again.degrees(), made.degrees());
//! assert_eq!(again.description(), made.description());
//! # Ok::<(), fiedler::Error>(())
//! ```

use std::borrow::Cow;

use super::sparse::Sparse;
use super::{Graph, Origin, Similarity, given};
use crate::{Error, Limits, Result, limits};

/// Bytes of an entry of compressed rows, and of its copy for others.
const PER_ENTRY: u64 = 24;

/// A symmetric matrix by compressed rows, both triangles, columns ascending: what scipy calls CSR.
/// Row i holds the entries `offsets[i]..offsets[i + 1]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Csr<'a> {
    /// Where every row begins, and the end: one more than there are samples.
    pub offsets: Cow<'a, [usize]>,
    /// The sample at the other end of every entry.
    pub columns: Cow<'a, [u32]>,
    /// The similarities.
    pub values: Cow<'a, [f64]>,
}

impl Graph {
    /// All pairs (i, j, similarity) with i ≤ j whose similarity is not 0, in order of i and then of j.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.n_samples())
            .flat_map(|i| self.row(i).into_iter().filter(move |e| i <= e.0).map(move |(j, w)| (i, j, w)))
    }

    /// The graph by compressed rows. A sparse graph lends what it has; others are written out.
    pub fn csr(&self) -> Csr<'_> {
        if let Similarity::Sparse(sparse) = &self.similarity {
            let (offsets, columns, values) = sparse.compressed();
            return Csr { offsets: offsets.into(), columns: columns.into(), values: values.into() };
        }
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..self.n_samples() {
            for (j, value) in self.row(i) {
                columns.push(j as u32);
                values.push(value);
            }
            offsets.push(columns.len());
        }
        Csr { offsets: offsets.into(), columns: columns.into(), values: values.into() }
    }

    /// The same for whoever is surprised by its size: a graph through landmarks has few numbers, and all pairs of samples when
    /// it is written out.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where that is more than `limits` allow.
    pub fn csr_within(&self, limits: &Limits) -> Result<Csr<'_>> {
        if let Similarity::LowRank(_) = &self.similarity {
            let n = self.n_samples() as u64;
            let pairs = (2 * self.similarity.edges() as u64 + n).min(n.saturating_mul(n));
            let what = format!(
                "the landmark graph of {} samples written out pair by pair",
                limits::grouped(self.n_samples())
            );
            let advice = "take its links to the landmarks, which are few, or use a knn graph";
            limits.check(what, pairs.saturating_mul(PER_ENTRY), advice)?;
        }
        Ok(self.csr())
    }

    /// The links of every sample to the landmarks of a graph that is made through landmarks, Z in S = ZΛ⁻¹Zᵀ: one row a
    /// sample, one column a landmark, every row summing to 1. `None` for every other graph.
    pub fn links(&self) -> Option<Csr<'_>> {
        let Similarity::LowRank(low) = &self.similarity else { return None };
        let (offsets, columns, values) = low.compressed();
        Some(Csr { offsets: offsets.into(), columns: columns.into(), values: values.into() })
    }

    /// The number of landmarks of a graph that is made through landmarks.
    pub fn n_landmarks(&self) -> Option<usize> {
        match &self.similarity {
            Similarity::LowRank(low) => Some(low.count()),
            _ => None,
        }
    }

    /// Numbers that tell the graph from any other: its edges, or the links to its landmarks.
    pub(crate) fn each_number(&self, mut tell: impl FnMut(f64)) {
        match self.links() {
            Some(links) => {
                links.offsets.iter().for_each(|&at| tell(at as f64));
                links.columns.iter().for_each(|&c| tell(f64::from(c)));
                links.values.iter().for_each(|&w| tell(w));
            }
            None => self
                .edges()
                .for_each(|(i, j, weight)| [i as f64, j as f64, weight].into_iter().for_each(&mut tell)),
        }
    }

    /// A graph from compressed rows, both triangles.
    ///
    /// # Errors
    /// [`Error::Length`] where the three lists do not fit each other; otherwise as
    /// [`from_edges`](Self::from_edges), of which the rows are a list of both directions.
    pub fn from_csr(rows: &Csr<'_>) -> Result<Self> {
        let n = rows.offsets.len().saturating_sub(1);
        check_rows(rows)?;
        // Rows that are symmetric to the bit are taken as they are.
        if let Some(sparse) = Sparse::from_compressed(&rows.offsets, &rows.columns, &rows.values) {
            return given::of_similarities(Similarity::Sparse(sparse));
        }
        let entries = (0..n).flat_map(|i| {
            (rows.offsets[i]..rows.offsets[i + 1])
                .map(move |at| (i, rows.columns[at] as usize, rows.values[at]))
        });
        Graph::from_edges(&entries.collect::<Vec<_>>(), n)
    }

    /// The same numbers, made as `origin` says. What was noted and warned of the numbers stays.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        let Graph { notes, warnings, similarity, .. } = self;
        Graph { notes, warnings, ..Graph::assemble(similarity, origin) }
    }

    /// The entries (j, similarity) of row `i` that are not 0, ascending.
    fn row(&self, i: usize) -> Vec<(usize, f64)> {
        if let Similarity::Sparse(sparse) = &self.similarity {
            return sparse.row(i).collect();
        }
        let mut row = vec![0.0; self.n_samples()];
        self.add_row(1.0, i, &mut row);
        row.into_iter().enumerate().filter(|e| e.1 != 0.0).collect()
    }
}

/// An error where the lists do not fit each other.
fn check_rows(rows: &Csr<'_>) -> Result<()> {
    let (entries, got) = (rows.columns.len(), rows.values.len());
    if got != entries {
        return Err(Error::Length { what: "values of compressed rows", expected: entries, got });
    }
    let ascending = rows.offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    if rows.offsets.first() != Some(&0) || rows.offsets.last() != Some(&entries) || !ascending {
        let rule = "ascending from 0 to the number of columns";
        return Err(Error::parameter("offsets", rule, format!("{} offsets", rows.offsets.len())));
    }
    Ok(())
}
