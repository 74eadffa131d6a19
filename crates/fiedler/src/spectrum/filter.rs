//! The spectral function γ: how strongly a criterion punishes roughness (SPEC §3, DIS 2.2).
//!
//! A feature's roughness is Σ_j α_j² γ(λ_j), its mass at every frequency λ_j of the graph weighed
//! by a rising γ. γ(r) = r gives the Laplacian score; a higher power or an exponential lets high
//! frequencies, which are mostly noise, weigh more.
//!
//! | text | γ(r) | quadratic form gᵀγ(N)g |
//! |---|---|---|
//! | `r`, `none` | r | edge differences, exact |
//! | `r^p`, p whole | r^p | products with N: ‖N^q g‖² for p = 2q, (N^q g)ᵀN(N^q g) for p = 2q+1, exact |
//! | `r^p`, p broken | r^p | Chebyshev series, or all eigenpairs |
//! | `exp(βr)-1` | e^(βr) - 1 | Chebyshev series |
//!
//! γ(N) itself, n × n and dense, is never formed. A [`FilterPlan`] decides once per graph how the
//! forms are computed, and then answers for tiles of features.
//!
//! **Cost** per feature: p/2 products with the graph for whole p; half the degree of the series
//! otherwise (10 for `exp(r)-1`, 60 for `r^2.5`), since moments come in pairs:
//! gᵀT_{2k}g = 2‖T_k g‖² - ‖g‖² and gᵀT_{2k+1}g = 2(T_{k+1}g)ᵀT_k g - gᵀT_1 g.
//!
//! **On signed graphs** eigenvalues may be negative. γ must rise there too: an even power falls, and would reverse what is
//! smooth and what is not, and a broken one is not defined. Both are refused; odd powers and exponentials serve.
//!
//! **When it fails**: powers below about 1.7 bend so sharply at 0 that no series of reasonable
//! degree reaches the tolerance. Up to 4,096 samples all eigenpairs are computed instead; above,
//! the series is cut and [`FilterPlan::error_bound`] says what that may cost.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::chebyshev::Series;
use super::{NormalizedLaplacian, Spectrum, has_negative_weights};
use crate::graph::{Graph, LANES};
use crate::monitor::Monitor;
use crate::simd::vectorized;
use crate::{Error, Result};

/// Series are made to be within this share of γ(2).
const TOLERANCE: f64 = 1e-10;
/// The longest series: 256 products with the graph per feature.
const MAX_DEGREE: usize = 512;
/// Up to this many samples all eigenpairs are computed where no series serves.
const MAX_COMPLETE: usize = 4096;
/// The largest power, and the largest β: γ(2) stays far from overflow.
const MAX_POWER: f64 = 100.0;

/// A rising function γ of the eigenvalues with γ(0) = 0.
///
/// ```
/// use fiedler::spectrum::Filter;
///
/// let cube: Filter = "r^3".parse()?;
/// assert_eq!(cube.apply(2.0), 8.0);
/// assert_eq!("exp(0.5r)-1".parse::<Filter>()?.to_string(), "exp(0.5r)-1");
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Filter {
    /// γ(r) = r.
    #[default]
    Identity,
    /// γ(r) = r^p, p > 0.
    Power(f64),
    /// γ(r) = e^(βr) - 1, β > 0.
    Exponential(f64),
}

impl Filter {
    /// γ(λ). Below 0, where only signed graphs have eigenvalues, a broken power is not defined
    /// and taken as 0: what is there is rounding, or else the graph was refused.
    pub fn apply(&self, value: f64) -> f64 {
        match *self {
            Filter::Identity => value,
            Filter::Power(p) if p.fract() == 0.0 => value.powi(p as i32),
            Filter::Power(p) => value.max(0.0).powf(p),
            Filter::Exponential(beta) => (beta * value).exp_m1(),
        }
    }

    /// Whether γ(r) = r, however it was written.
    pub(crate) fn is_identity(&self) -> bool {
        matches!(self, Filter::Identity | Filter::Power(1.0))
    }

    /// Checks the parameter of the function.
    ///
    /// # Errors
    /// p or β is not above 0 and at most 100.
    pub fn check(&self) -> Result<()> {
        let (name, value) = match *self {
            Filter::Identity => return Ok(()),
            Filter::Power(p) => ("p", p),
            Filter::Exponential(beta) => ("beta", beta),
        };
        if value > 0.0 && value <= MAX_POWER {
            return Ok(());
        }
        let rule = format!("r^p or exp(βr)-1 with `{name}` above 0 and at most {MAX_POWER}");
        Err(Error::parameter("gamma", rule, value))
    }

    /// Checks that γ rises on a spectrum whose smallest eigenvalue this is.
    ///
    /// # Errors
    /// There are negative eigenvalues, and γ is an even or a broken power.
    pub(crate) fn check_rises(&self, lowest: f64) -> Result<()> {
        if self.rises_below_0() || lowest >= -super::EQUAL {
            return Ok(());
        }
        let rule = format!(
            "an odd power (`r`, `r^3`) or exp(βr)-1 on a graph whose negative weights give negative eigenvalues (down to \
             {lowest:.3}), for other powers do not rise there"
        );
        Err(Error::parameter("gamma", rule, self))
    }

    fn rises_below_0(&self) -> bool {
        !matches!(*self, Filter::Power(p) if p % 2.0 != 1.0)
    }

    /// p, where γ(r) = r^p with a whole p.
    fn whole_power(&self) -> Option<u32> {
        match *self {
            Filter::Identity => Some(1),
            Filter::Power(p) if p.fract() == 0.0 => Some(p as u32),
            _ => None,
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Filter::Identity => f.write_str("r"),
            Filter::Power(p) => write!(f, "r^{p}"),
            Filter::Exponential(1.0) => f.write_str("exp(r)-1"),
            Filter::Exponential(beta) => write!(f, "exp({beta}r)-1"),
        }
    }
}

impl FromStr for Filter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let rule =
            "`r`, or with numbers of yours a power such as `r^3` or an exponential such as `exp(0.5r)-1`";
        let wrong = || Error::parameter("gamma", rule, format!("`{text}`"));
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let filter = if compact == "r" || compact == "none" {
            Filter::Identity
        } else if let Some(power) = compact.strip_prefix("r^") {
            Filter::Power(power.parse().map_err(|_| wrong())?)
        } else {
            let inner =
                compact.strip_prefix("exp(").and_then(|t| t.strip_suffix("r)-1")).ok_or_else(wrong)?;
            let factor = inner.strip_suffix('*').unwrap_or(inner);
            Filter::Exponential(if inner.is_empty() { 1.0 } else { factor.parse().map_err(|_| wrong())? })
        };
        filter.check()?;
        Ok(filter)
    }
}

/// How gᵀγ(N)g is computed on one graph.
///
/// ```
/// use fiedler::spectrum::{Filter, FilterPlan};
/// use fiedler::{GraphRecipe, Silent, dataset::demo};
///
/// let graph = GraphRecipe::default().build(&demo::iris()?, &Silent)?;
/// let plan = FilterPlan::new(&graph, Filter::Power(2.0), &Silent)?;
/// let tile = vec![1.0; graph.n_samples() * 8]; // eight vectors side by side
/// let mut forms = [0.0; 8];
/// plan.forms(&tile, 8, &mut forms);
/// assert_eq!(plan.error_bound(), 0.0);
/// # Ok::<(), fiedler::Error>(())
/// ```
#[derive(Debug)]
pub struct FilterPlan<'a> {
    operator: NormalizedLaplacian<'a>,
    filter: Filter,
    way: Arc<Way>,
}

/// How the forms of a filter are computed on a graph.
#[derive(Debug)]
#[expect(private_interfaces, reason = "only ever handed back to a plan")]
pub(crate) enum Way {
    /// γ(r) = r^p, by products.
    Products(u32),
    /// By a series on 0..2.
    Series(Series),
    /// By all eigenvectors and γ of their eigenvalues.
    Eigenpairs { vectors: Mat<f64>, weights: Vec<f64> },
}

impl<'a> FilterPlan<'a> {
    /// Chooses the way for a graph. Where that is the complete eigensystem, it is computed here.
    ///
    /// # Errors
    /// The parameter of γ breaks its rule; γ does not rise on the graph (an even or a broken power
    /// where negative weights give negative eigenvalues); a signed graph is too large for the
    /// dense solver; or the monitor says stop.
    pub fn new(graph: &'a Graph, filter: Filter, monitor: &dyn Monitor) -> Result<Self> {
        filter.check()?;
        let way = Arc::new(Self::choose(graph, filter, monitor)?);
        Ok(Self::with(graph, filter, way))
    }

    /// The plan of a way that was chosen for this graph before.
    pub(crate) fn with(graph: &'a Graph, filter: Filter, way: Arc<Way>) -> Self {
        FilterPlan { operator: NormalizedLaplacian::new(graph), filter, way }
    }

    /// The way that was chosen.
    pub(crate) fn way(&self) -> Arc<Way> {
        Arc::clone(&self.way)
    }

    fn choose(graph: &Graph, filter: Filter, monitor: &dyn Monitor) -> Result<Way> {
        let signed = has_negative_weights(graph);
        if let Some(p) = filter.whole_power() {
            if signed && !filter.rises_below_0() {
                filter.check_rises(lowest(&Spectrum::complete(graph, monitor)?))?;
            }
            return Ok(Way::Products(p));
        }
        // Negative weights put eigenvalues outside 0..2, where the series means nothing.
        if signed {
            return Self::by_eigenpairs(graph, filter, monitor);
        }
        let tolerance = TOLERANCE * filter.apply(2.0);
        let series = Series::of(&filter, tolerance, MAX_DEGREE);
        if series.bound > tolerance && graph.n_samples() <= MAX_COMPLETE {
            return Self::by_eigenpairs(graph, filter, monitor);
        }
        Ok(Way::Series(series))
    }

    /// gᵀγ(N)g for every lane g of a tile (samples × `lanes`, row after row), `lanes` a multiple
    /// of 8. For the SPEC scores g = D^½(f - μ1).
    pub fn forms(&self, tile: &[f64], lanes: usize, out: &mut [f64]) {
        debug_assert_eq!(tile.len(), self.operator.n_samples() * lanes, "a tile is samples × lanes");
        debug_assert_eq!(lanes % LANES, 0, "lanes come in eights");
        match &*self.way {
            Way::Products(p) => self.by_products(*p, tile, lanes, out),
            Way::Series(series) => self.by_series(&series.coefficients, tile, lanes, out),
            Way::Eigenpairs { vectors, weights } => {
                weighted_squares(vectors.as_ref(), weights, tile, lanes, out)
            }
        }
    }

    /// How far a form may be from gᵀγ(N)g, as a share of gᵀg; 0 where only rounding separates
    /// them.
    pub fn error_bound(&self) -> f64 {
        match &*self.way {
            Way::Series(series) => series.bound,
            Way::Products(_) | Way::Eigenpairs { .. } => 0.0,
        }
    }

    /// A sentence for the user where the bound is larger than the 1e-10·γ(2) aimed at.
    pub fn warning(&self) -> Option<String> {
        let (bound, scale) = (self.error_bound(), self.filter.apply(2.0));
        (bound > TOLERANCE * scale).then(|| {
            format!(
                "γ = {} is approximated on this many samples: scores may be off by up to {bound:.1e}; \
                 a whole power is exact",
                self.filter
            )
        })
    }

    fn by_eigenpairs(graph: &Graph, filter: Filter, monitor: &dyn Monitor) -> Result<Way> {
        let spectrum = Spectrum::complete(graph, monitor)?;
        filter.check_rises(lowest(&spectrum))?;
        let Spectrum { values, vectors, .. } = spectrum;
        let weights = values.iter().map(|&value| filter.apply(value)).collect();
        Ok(Way::Eigenpairs { vectors, weights })
    }

    fn by_products(&self, p: u32, tile: &[f64], lanes: usize, out: &mut [f64]) {
        let mut power = tile.to_vec();
        let (mut scratch, mut next) = (vec![0.0; tile.len()], vec![0.0; tile.len()]);
        for _ in 0..p / 2 {
            self.operator.apply(&power, lanes, &mut scratch, &mut next);
            std::mem::swap(&mut power, &mut next);
        }
        if p.is_multiple_of(2) {
            products(&power, &power, lanes, out);
        } else {
            // yᵀNy = hᵀLh with y = D^½h: a sum of squares over the edges, without cancellation.
            let inverse_root = self.operator.inverse_root_degrees();
            for (row, h) in power.chunks_exact_mut(lanes).zip(inverse_root) {
                row.iter_mut().for_each(|v| *v *= h);
            }
            self.operator.graph().laplacian_forms(&power, lanes, out);
        }
    }

    fn by_series(&self, coefficients: &[f64], tile: &[f64], lanes: usize, out: &mut [f64]) {
        let term = |k: usize| coefficients.get(k).copied().unwrap_or(0.0);
        let zeros = || vec![0.0; tile.len()];
        // T_{k-1}g, T_k g and T_{k+1}g.
        let (mut before, mut now, mut next, mut scratch) = (tile.to_vec(), zeros(), zeros(), zeros());
        let (mut norm, mut first, mut found) = (vec![0.0; lanes], vec![0.0; lanes], vec![0.0; lanes]);
        self.shifted(tile, lanes, &mut scratch, &mut now);
        products(tile, tile, lanes, &mut norm);
        products(tile, &now, lanes, &mut first);
        for l in 0..lanes {
            out[l] = term(0) * norm[l] + term(1) * first[l];
        }
        for k in 1..=coefficients.len().saturating_sub(1) / 2 {
            products(&now, &now, lanes, &mut found);
            for l in 0..lanes {
                out[l] += term(2 * k) * (2.0 * found[l] - norm[l]);
            }
            if 2 * k + 1 == coefficients.len() {
                break;
            }
            self.shifted(&now, lanes, &mut scratch, &mut next);
            next.iter_mut().zip(&before).for_each(|(n, b)| *n = 2.0 * *n - b);
            products(&next, &now, lanes, &mut found);
            for l in 0..lanes {
                out[l] += term(2 * k + 1) * (2.0 * found[l] - first[l]);
            }
            std::mem::swap(&mut before, &mut now);
            std::mem::swap(&mut now, &mut next);
        }
    }

    /// `out` = (N - I)·`x`: N moved to -1..1.
    fn shifted(&self, x: &[f64], lanes: usize, scratch: &mut [f64], out: &mut [f64]) {
        self.operator.apply(x, lanes, scratch, out);
        out.iter_mut().zip(x).for_each(|(o, x)| *o -= x);
    }
}

/// The smallest eigenvalue.
pub(crate) fn lowest(spectrum: &Spectrum) -> f64 {
    spectrum.values.iter().copied().fold(0.0, f64::min)
}

/// xᵀy of every lane.
pub(crate) fn products(x: &[f64], y: &[f64], lanes: usize, out: &mut [f64]) {
    out.fill(0.0);
    vectorized!({
        for (x, y) in x.chunks_exact(lanes).zip(y.chunks_exact(lanes)) {
            for ((o, x), y) in out.iter_mut().zip(x).zip(y) {
                *o += x * y;
            }
        }
    });
}

/// Σ_j weights_j (ξ_jᵀg)² of every lane g.
pub(crate) fn weighted_squares(
    vectors: MatRef<'_, f64>,
    weights: &[f64],
    tile: &[f64],
    lanes: usize,
    out: &mut [f64],
) {
    // A row-major tile is the transpose of a column-major matrix: lanes × samples.
    let tile = MatRef::from_column_major_slice(tile, lanes, vectors.nrows());
    let mut shares = Mat::zeros(lanes, vectors.ncols());
    matmul(shares.as_mut(), Accum::Replace, tile, vectors, 1.0, Par::Seq);
    out.fill(0.0);
    for (j, &weight) in weights.iter().enumerate() {
        out.iter_mut().zip(shares.col_as_slice(j)).for_each(|(o, s)| *o += weight * s * s);
    }
}
