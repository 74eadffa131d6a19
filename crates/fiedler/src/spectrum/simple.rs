//! The search that is tried first: the space of one vector, for as long as that promises to end.

use faer::Mat;

use super::iterative::{BLOCK, Pair, Solver, TOLERANCE, kept};
use super::krylov::{Basis, Tile, uniform};
use super::lanczos::{Found, Lanczos};
use super::walk::Lift;
use crate::Result;

/// Most vectors of the space.
const MAX_STEPS: usize = 320;
/// Most bytes of it.
const MAX_BYTES: usize = 512 << 20;
/// The space has room for so many times the pairs wanted.
const ROOM: usize = 4;
/// Steps between two looks, at least.
const STRIDE: usize = 3;

/// How it ended.
pub(super) enum Simple {
    /// With the pairs.
    Pairs(Vec<Pair>),
    /// It would take too many steps: where another search begins, if that is known.
    Start(Option<(Tile<BLOCK>, Lift)>),
}

impl Solver<'_> {
    /// The `want` largest pairs from the space of one vector, or, where that would take too many steps, a
    /// start for a search by blocks.
    pub(super) fn simply(&mut self, want: usize) -> Result<Simple> {
        let capacity = MAX_STEPS.min(MAX_BYTES / (8 * self.n)).min(self.n / 2);
        if ROOM * want > capacity {
            return Ok(Simple::Start(None));
        }
        let start = Tile::random(self.n, &mut self.rng);
        let walk = self.walk.clone();
        let null = self.null;
        let mut space = Lanczos::new(&walk, start, true, |tile| null.project_out(tile));
        let (mut look, mut accepted) = (Forecast::new(2 * want + 16), 0.5 * TOLERANCE);
        loop {
            while space.len() < look.next.min(capacity) && !space.is_closed() {
                self.count()?;
                space.step();
            }
            if space.len() < want {
                return Ok(Simple::Start(None));
            }
            let found = space.ritz().ok_or_else(|| self.failed())?;
            if self.tell(found.residuals[..want].iter().copied())? <= accepted {
                let vectors = space.vectors(&found, want);
                let pairs = self.refine(Basis::from_columns(self.n, vectors.iter().map(Vec::as_slice)))?;
                if pairs.iter().all(|pair| pair.residual <= TOLERANCE) {
                    return Ok(Simple::Pairs(pairs));
                }
                accepted *= 0.1;
            }
            let ended = space.len() >= capacity || space.is_closed();
            if ended || !look.goes_on(space.len(), self.worst / accepted, capacity) {
                return Ok(Simple::Start(self.start(&space, &found, want)));
            }
        }
    }

    /// Mixtures of the best Ritz vectors, and a polynomial for the range of their values.
    fn start<P: Fn(&mut Tile<1>)>(
        &mut self,
        space: &Lanczos<'_, P>,
        found: &Found,
        want: usize,
    ) -> Option<(Tile<BLOCK>, Lift)> {
        let keep = kept(want);
        let (top, last) = (*found.values.first()?, *found.values.get(keep - 1)?);
        let weights = Mat::from_fn(keep, BLOCK, |_, _| uniform(&mut self.rng));
        Some((space.mixture(found, &weights), Lift::between(top - 1.1 * (top - last), top)))
    }
}

/// When to look at the residuals again: they fall about geometrically.
struct Forecast {
    next: usize,
    /// Steps and the logarithm of how far there was to go, at the last look.
    last: Option<(usize, f64)>,
}

impl Forecast {
    fn new(first: usize) -> Self {
        Forecast { next: first, last: None }
    }

    /// After `steps` the residual is `excess` times what it should be: sets the next look, and tells whether
    /// the end is in reach of `capacity` steps.
    fn goes_on(&mut self, steps: usize, excess: f64, capacity: usize) -> bool {
        let far = excess.max(1.0).ln();
        let slope = self.last.map(|(then, before)| (before - far) / (steps - then).max(1) as f64);
        self.last = Some((steps, far));
        let needed = slope.filter(|s| *s > 0.0).map_or(f64::INFINITY, |slope| far / slope);
        // Residuals fall faster toward the end, so that the forecast is late.
        let stride = (0.8 * needed).min(steps as f64 / 4.0) as usize;
        self.next = steps + stride.max(STRIDE);
        // Of the first half not much can be told.
        2 * steps < capacity || steps as f64 + 0.5 * needed <= capacity as f64
    }
}
