//! Polynomials of M = D^-½ S D^-½ = I - N, a few vectors at a time.
//!
//! M is similar to the random walk P = D^-1 S: p(M) = D^½ p(P) D^-½. Inside a polynomial the
//! products are with P, which needs no scaling of its argument, and one sweep over the edges does
//! a whole step of the Chebyshev recurrence.

use pulp::Arch;
use rayon::prelude::*;

use super::NormalizedLaplacian;
use super::krylov::Tile;
use crate::graph::Similarity;

/// Rows that one task takes.
const ROWS_PER_TASK: usize = 2048;

/// A polynomial of M that lifts the eigenvalues above a cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Lift {
    /// M itself.
    None,
    /// T_degree((M - c)/h): within ±1 on the unwanted -1..cut, steep above it.
    Chebyshev {
        /// T's degree.
        degree: usize,
        /// Upper end of the unwanted eigenvalues of M.
        cut: f64,
    },
}

/// The polynomial may be e^`RANGE`/2 at the largest eigenvalue: more would drown the pairs near
/// the cut in the rounding of those at the top.
const RANGE: f64 = 9.0;
/// It may be e^`NULL_RANGE`/2 at 1, the eigenvalue of the null space of N: rounding puts a share
/// of 1e-16 of that space into every vector, and it must stay small until it is taken out again.
const NULL_RANGE: f64 = 20.0;
/// Largest degree of the polynomial.
const MAX_DEGREE: usize = 64;
/// Lowest cut. trace M ≥ 0, so fewer than n/3 pairs can all lie above a lower one.
const MIN_CUT: f64 = -0.5;
/// The cut that a search begins with.
const FIRST_CUT: f64 = 0.0;
/// A wanted eigenvalue whose lifted value is smaller than this lies at the cut or below.
const BELOW_CUT: f64 = 1.01;

impl Lift {
    /// The polynomial that a search begins with.
    pub(super) fn first() -> Lift {
        Lift::between(FIRST_CUT, 1.0)
    }

    /// The polynomial for wanted eigenvalues from `cut` to `top`.
    pub(super) fn between(cut: f64, top: f64) -> Lift {
        let cut = cut.max(MIN_CUT);
        let rate = |value: f64| (1.0 + 2.0 * (value - cut).max(0.0) / (cut + 1.0)).acosh();
        // Where all wanted are equal the rate is 0, the quotient infinite and the cast saturates.
        let degree = (RANGE / rate(top)).min(NULL_RANGE / rate(1.0)) as usize;
        Lift::Chebyshev { degree: degree.clamp(2, MAX_DEGREE), cut }
    }

    /// A polynomial with a better cut, where the largest, the last wanted and the last kept
    /// eigenvalue of the lifted operator call for one. The first cut, a guess, is lowered when
    /// wanted ones lie below it; any is raised to somewhat below the last kept one when that
    /// halves the wanted range.
    pub(super) fn moved(self, [top, wanted, kept]: [f64; 3]) -> Option<Lift> {
        let Lift::Chebyshev { cut, .. } = self else { return None };
        let (top, kept) = (self.lower(top), self.lower(kept));
        if wanted < BELOW_CUT {
            return (cut == FIRST_CUT).then(|| Lift::between(MIN_CUT, top));
        }
        let range = (top - kept).max(0.1 * (top - cut));
        (range < 0.5 * (top - cut)).then(|| Lift::between(top - 1.1 * range, top))
    }

    /// What to multiply the residual of a pair of the lifted operator by for its residual under M,
    /// at most. An error e toward an unwanted vector counts e·|p(μ) - p(ν)| ≥ e(p(μ) - 1) there
    /// and e·|μ - ν| ≤ 2e here.
    pub(super) fn contraction(self, lifted: f64) -> f64 {
        match self {
            Lift::None => 1.0,
            Lift::Chebyshev { .. } if lifted > 1.0 => 2.0 / (lifted - 1.0),
            Lift::Chebyshev { .. } => f64::INFINITY,
        }
    }

    /// The eigenvalue of M for an eigenvalue of the lifted operator; the cut for all below it.
    pub(super) fn lower(self, lifted: f64) -> f64 {
        match self {
            Lift::None => lifted,
            Lift::Chebyshev { degree, cut } => {
                let x = (lifted.max(1.0).acosh() / degree as f64).cosh();
                (cut - 1.0) / 2.0 + x * (cut + 1.0) / 2.0
            }
        }
    }
}

/// M as an operator on tiles.
#[derive(Debug, Clone)]
pub(super) struct Walk<'a> {
    operator: &'a NormalizedLaplacian<'a>,
    /// 1/d, 0 for isolated samples.
    inverse_degrees: Vec<f64>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(operator: &'a NormalizedLaplacian<'a>) -> Self {
        let inverse_degrees = operator.inverse_root_degrees().iter().map(|h| h * h).collect();
        Walk { operator, inverse_degrees }
    }

    /// `tile` = lift(M)·`tile`.
    pub(super) fn apply<const L: usize>(&self, lift: Lift, tile: &mut Tile<L>) {
        scale(tile, self.operator.inverse_root_degrees());
        let (degree, center, half) = match lift {
            Lift::None => (1, 0.0, 1.0),
            Lift::Chebyshev { degree, cut } => (degree, (cut - 1.0) / 2.0, (cut + 1.0) / 2.0),
        };
        let mut before = Tile::zeros(tile.rows().len());
        std::mem::swap(tile, &mut before);
        self.step([1.0 / half, -center / half, 0.0], &before, tile);
        for _ in 1..degree {
            self.step([2.0 / half, -2.0 * center / half, -1.0], tile, &mut before);
            std::mem::swap(tile, &mut before);
        }
        scale(tile, self.operator.root_degrees());
    }

    /// `out` = `factor`·D^-½·`x`.
    pub(super) fn scaled(&self, x: &[f64], factor: f64, out: &mut [f64]) {
        let roots = self.operator.inverse_root_degrees();
        let chunks = out.par_chunks_mut(ROWS_PER_TASK).zip(x.par_chunks(ROWS_PER_TASK));
        chunks.zip(roots.par_chunks(ROWS_PER_TASK)).for_each(|((out, x), roots)| {
            out.iter_mut().zip(x).zip(roots).for_each(|((o, x), h)| *o = factor * h * x);
        });
    }

    /// `out` = D^-½ S·`scaled` - β·`past`, which is M·x - β·past for `scaled` = D^-½x; returns `now`ᵀ·`out`.
    pub(super) fn product(
        &self,
        scaled: &[f64],
        past: Option<(&[f64], f64)>,
        now: &[f64],
        out: &mut Tile<1>,
    ) -> f64 {
        let edges = match self.operator.graph().similarity() {
            Similarity::Sparse(edges) => Some(edges),
            _ => {
                self.operator.graph().apply(scaled, 1, out.values_mut());
                None
            }
        };
        let roots = self.operator.inverse_root_degrees();
        let rows = out.values_mut().par_chunks_mut(ROWS_PER_TASK).enumerate();
        let parts: Vec<f64> = rows
            .map(|(task, rows)| {
                let first = task * ROWS_PER_TASK;
                let mut share = 0.0;
                for (r, out) in rows.iter_mut().enumerate() {
                    let i = first + r;
                    let sum = edges.map_or(*out, |edges| edges.row_product(i, scaled));
                    *out = roots[i] * sum - past.map_or(0.0, |(past, beta)| beta * past[i]);
                    share += now[i] * *out;
                }
                share
            })
            .collect();
        parts.iter().sum()
    }

    /// `out` = a·P·`now` + b·`now` + c·`out`.
    fn step<const L: usize>(&self, factors: [f64; 3], now: &Tile<L>, out: &mut Tile<L>) {
        let Similarity::Sparse(edges) = self.operator.graph().similarity() else {
            return self.step_by_product(factors, now, out);
        };
        let now = now.rows();
        out.rows_mut().par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(|(task, rows)| {
            Arch::new().dispatch(|| {
                for (r, out) in rows.iter_mut().enumerate() {
                    let i = task * ROWS_PER_TASK + r;
                    let mut product = [0.0; L];
                    for (j, w) in edges.row(i) {
                        let row = &now[j];
                        for l in 0..L {
                            product[l] += w * row[l];
                        }
                    }
                    combine(factors, self.inverse_degrees[i], &product, &now[i], out);
                }
            });
        });
    }

    /// The same for graphs that are not sparse.
    fn step_by_product<const L: usize>(&self, factors: [f64; 3], now: &Tile<L>, out: &mut Tile<L>) {
        let mut product = Tile::zeros(now.rows().len());
        self.operator.graph().apply(now.values(), L, product.values_mut());
        let rows = out.rows_mut().iter_mut().zip(product.rows()).zip(now.rows()).zip(&self.inverse_degrees);
        rows.for_each(|(((out, product), now), &d)| combine(factors, d, product, now, out));
    }
}

#[inline(always)]
fn combine<const L: usize>(
    [a, b, c]: [f64; 3],
    inverse_degree: f64,
    product: &[f64; L],
    now: &[f64; L],
    out: &mut [f64; L],
) {
    let factor = a * inverse_degree;
    for l in 0..L {
        out[l] = factor * product[l] + b * now[l] + c * out[l];
    }
}

fn scale<const L: usize>(tile: &mut Tile<L>, factors: &[f64]) {
    for (row, factor) in tile.rows_mut().iter_mut().zip(factors) {
        row.iter_mut().for_each(|v| *v *= factor);
    }
}
