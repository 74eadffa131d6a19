//! The diffusion kernel K = exp(-βL) of a kNN graph (Kondor and Lafferty, ICML 2002).
//!
//! K_ij is the heat that has flowed from i to j after time β: samples are similar when many
//! short paths join them, not only when one edge does. Since L1 = 0, every row of K sums to 1:
//! all degrees are 1. Small β: K ≈ I - βL, the neighborhoods alone; large β: every sample of
//! a component is as similar as any other.
//!
//! L is decomposed component by component, L = UΛUᵀ and K = U exp(-βΛ) Uᵀ, so that the
//! similarity between components is exactly 0.
//!
//! Cost: O(c³) time for the largest component, of c samples, and n² memory.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, Mat, Par, Side};
use rayon::prelude::*;

use super::dense::{self, Dense};
use super::vocabulary::{self, APPROXIMATE, BANDWIDTH, BETA, K, METRIC, MUTUAL, RECALL, WEIGHT};
use super::{Graph, GraphInfo, GraphKind, Knn, Origin, Remedies, Similarity};
use crate::dataset::Dataset;
use crate::monitor::{Monitor, Stage};
use crate::parameters::Parameters;
use crate::{Error, Result};

/// The kind.
pub(super) static INFO: GraphInfo = GraphInfo {
    name: "diffusion",
    title: "heat on the neighbors",
    joins: "Samples between which heat flows along the edges of the kNN graph, by many short paths more strongly \
            than by one.",
    called: "the diffusion graph",
    parameters: &[K, WEIGHT, BANDWIDTH, METRIC, MUTUAL, APPROXIMATE, RECALL, BETA],
    formula: "exp(-βL), L of the kNN graph",
    remedies: Remedies {
        no_edges: "every similarity is 0; use a larger `beta` or bandwidth",
        apart: Some("a larger k joins them"),
        faint: "a larger `beta` or a wider bandwidth joins them",
        indistinct: "choose another `beta`",
    },
    cost: "the kNN graph, then samples³ in its largest component and memory for samples² numbers",
    fails: "Where `beta` is large: every sample of a component is then as similar as any other. Too large for many \
            samples.",
    reference: "Kondor, Lafferty: Diffusion Kernels on Graphs and Other Discrete Input Spaces, ICML 2002",
    ..GraphInfo::BLANK
};

/// The diffusion kernel of a kNN graph.
///
/// ```
/// use fiedler::{Silent, dataset::demo, graph::Diffusion};
///
/// let graph = Diffusion { beta: 2.0, ..Diffusion::default() }.build(&demo::iris()?, &Silent)?;
/// assert!(graph.degrees().iter().all(|d| (d - 1.0).abs() < 1e-9));
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Diffusion {
    /// The graph on which heat flows.
    pub knn: Knn,
    /// How long it flows; above 0.
    pub beta: f64,
}

impl Default for Diffusion {
    fn default() -> Self {
        Diffusion { knn: Knn::default(), beta: 0.5 }
    }
}

impl GraphKind for Diffusion {
    fn info() -> &'static GraphInfo {
        &INFO
    }

    fn of(parameters: &Parameters) -> Result<Self> {
        Ok(Diffusion { knn: vocabulary::knn(parameters)?, beta: parameters.real("beta") })
    }

    fn make(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        self.build(data, monitor)
    }
}

impl Diffusion {
    /// Makes the graph.
    ///
    /// # Errors
    /// `beta` is not positive, n × n weights would not fit, the kernel overflows (negative
    /// weights with a large `beta`), what the kNN graph reports, or the monitor says stop.
    pub fn build(&self, data: &Dataset, monitor: &dyn Monitor) -> Result<Graph> {
        if !(self.beta.is_finite() && self.beta > 0.0) {
            return Err(Error::parameter("beta", "a number above 0", self.beta));
        }
        dense::check_size("the diffusion graph", data.n_samples(), 4, monitor)?;
        let knn = self.knn.build(data, monitor)?;
        let kernel = self.kernel(&knn, monitor)?;
        let mut origin = Origin::new(&INFO, [("beta", self.beta.into())]);
        origin.parameters.extend(knn.description().parameters);
        let graph = Graph::new(Similarity::Dense(Dense::new(kernel)), origin);
        Ok(graph.noted(knn.notes().to_vec()).warned(knn.warnings().to_vec()))
    }

    fn kernel(&self, knn: &Graph, monitor: &dyn Monitor) -> Result<Mat<f64>> {
        let n = knn.n_samples();
        let components = knn.components();
        let mut members = vec![Vec::new(); components.iter().max().map_or(0, |c| c + 1)];
        components.iter().enumerate().for_each(|(i, &c)| members[c].push(i));
        let stage = Stage::new(monitor, "diffusion", n)?;
        let blocks: Result<Vec<Mat<f64>>> = members
            .par_iter()
            .map(|samples| {
                let block = self.component(knn, samples)?;
                stage.advance(samples.len())?;
                Ok(block)
            })
            .collect();
        let mut kernel = Mat::zeros(n, n);
        for (samples, block) in members.iter().zip(blocks?) {
            for (b, &j) in samples.iter().enumerate() {
                for (a, &i) in samples.iter().enumerate() {
                    kernel[(i, j)] = block[(a.max(b), a.min(b))];
                }
            }
        }
        Ok(kernel)
    }

    /// The lower triangle of exp(-βL) of one component.
    fn component(&self, knn: &Graph, samples: &[usize]) -> Result<Mat<f64>> {
        let size = samples.len();
        let mut row = vec![0.0; knn.n_samples()];
        let mut laplacian = Mat::zeros(size, size);
        for (a, &i) in samples.iter().enumerate() {
            row.fill(0.0);
            knn.add_row(1.0, i, &mut row);
            samples.iter().enumerate().for_each(|(b, &j)| laplacian[(b, a)] = -row[j]);
            laplacian[(a, a)] += knn.degrees()[i];
        }
        let laplacian_is_unsigned =
            (0..size).all(|j| laplacian.col_as_slice(j)[..j].iter().all(|w| *w <= 0.0));
        let eigen = laplacian.self_adjoint_eigen(Side::Lower).map_err(|_| {
            Error::eigensolver("the eigendecomposition of the diffusion graph", "use another graph")
        })?;
        // K = BBᵀ with B = U exp(-βΛ/2): only one triangle needs computing.
        let (u, values) = (eigen.U(), eigen.S().column_vector());
        let half = Mat::from_fn(size, size, |i, j| u[(i, j)] * (-0.5 * self.beta * values[j]).exp());
        let mut kernel = laplacian;
        matmul(
            kernel.as_mut(),
            BlockStructure::TriangularLower,
            Accum::Replace,
            half.as_ref(),
            BlockStructure::Rectangular,
            half.transpose(),
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
        // exp(-βL) has no negative entry unless L's graph has; what rounding makes of zeros would
        // turn this into a signed graph.
        if laplacian_is_unsigned {
            (0..size).for_each(|j| kernel.col_as_slice_mut(j).iter_mut().for_each(|w| *w = w.max(0.0)));
        }
        let finite = (0..size).all(|j| kernel.col_as_slice(j)[j..].iter().all(|w| w.is_finite()));
        let rule = "smaller, for the diffusion kernel overflows on negative weights";
        if finite { Ok(kernel) } else { Err(Error::parameter("beta", rule, self.beta)) }
    }
}
