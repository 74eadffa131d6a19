//! Who may be among the k nearest, when every distance is known to lie between two bounds.
//!
//! A sample whose lower bound exceeds the k-th smallest upper bound cannot be one of the k
//! nearest; everyone else is a candidate, to be measured exactly later. The bounds are
//!
//! ```text
//! lower(i, j) = a_i + a_j + c·G_ij        upper(i, j) = b_i + b_j + e·G_ij
//! ```
//!
//! where G is what a matrix product (or a sum of magnitudes) gave in working precision, and
//! a, b, c, e hold the norms and the error of that product.

use super::real::Real;

/// Coefficients of the lower and the upper bounds.
pub(super) struct Bounds<T> {
    pub(super) lower: Vec<T>,
    pub(super) upper: Vec<T>,
    pub(super) lower_factor: T,
    pub(super) upper_factor: T,
}

impl<T: Real> Bounds<T> {
    /// Distances n_i + n_j - 2 G_ij, known to `error`·(n_i + n_j) + `slack_i` + `slack_j`.
    pub(super) fn of_products(norms: &[f64], error: f64, slack: impl Fn(usize) -> f64) -> Self {
        let bound = |sign: f64| {
            let of_one = |(i, &n)| T::narrow(n * (1.0 + sign * error) + sign * slack(i));
            norms.iter().enumerate().map(of_one).collect()
        };
        Bounds {
            lower: bound(-1.0),
            upper: bound(1.0),
            lower_factor: T::narrow(-2.0),
            upper_factor: T::narrow(-2.0),
        }
    }

    /// Distances G_ij, known to `error`·G_ij + `slack_i` + `slack_j`.
    pub(super) fn of_sums(n_samples: usize, error: f64, slack: impl Fn(usize) -> f64) -> Self {
        let bound = |sign: f64| (0..n_samples).map(|i| T::narrow(sign * slack(i))).collect();
        Bounds {
            lower: bound(-1.0),
            upper: bound(1.0),
            lower_factor: T::narrow(1.0 - error),
            upper_factor: T::narrow(1.0 + error),
        }
    }

    #[inline(always)]
    pub(super) fn lower(&self, i: usize, j: usize, g: T) -> T {
        self.lower[i] + self.lower[j] + self.lower_factor * g
    }

    #[inline(always)]
    pub(super) fn upper(&self, i: usize, j: usize, g: T) -> T {
        self.upper[i] + self.upper[j] + self.upper_factor * g
    }
}

/// Someone who may be among the k nearest.
#[derive(Debug, Clone, Copy)]
struct Candidate<T> {
    lower: T,
    upper: T,
    position: u32,
}

/// The candidates of one sample in one class, met so far.
pub(super) struct Candidates<T> {
    list: Vec<Candidate<T>>,
    /// The length at which the list is pruned next.
    full: usize,
    /// The most that `full` may be.
    most: usize,
}

impl<T: Real> Candidates<T> {
    pub(super) fn new(k: usize, most: usize) -> Self {
        Candidates { list: Vec::new(), full: 2 * k + 16, most }
    }

    /// Takes one more and returns the bound above which nobody is of interest any more, where it
    /// has changed. Where there are too many nobody is: the sample is given up
    /// (see [`positions`](Self::positions)), because its bounds are too wide to tell anyone apart.
    #[inline]
    pub(super) fn push(&mut self, lower: T, upper: T, position: usize, k: usize) -> Option<T> {
        self.list.push(Candidate { lower, upper, position: position as u32 });
        (self.list.len() >= self.full).then(|| self.make_room(k))
    }

    /// The candidates, or `None` where the sample was given up or met fewer than `expected`.
    pub(super) fn positions(mut self, k: usize, expected: usize) -> Option<Vec<u32>> {
        if self.full > self.most {
            return None;
        }
        self.prune(k);
        (self.list.len() >= expected.min(k)).then(|| self.list.iter().map(|c| c.position).collect())
    }

    /// The list as numbers, behind others.
    pub(super) fn write_down(&self, numbers: &mut Vec<f64>) {
        numbers.extend([self.full as f64, self.list.len() as f64]);
        let each = |c: &Candidate<T>| [c.lower.wide(), c.upper.wide(), f64::from(c.position)];
        numbers.extend(self.list.iter().flat_map(each));
    }

    /// A list from numbers; `None` where there are too few of them.
    pub(super) fn read_back(&self, next: &mut dyn FnMut() -> Option<f64>) -> Option<Self> {
        let (full, length) = (next()? as usize, next()? as usize);
        let mut list = Vec::new();
        for _ in 0..length {
            let (lower, upper) = (T::narrow(next()?), T::narrow(next()?));
            list.push(Candidate { lower, upper, position: next()? as u32 });
        }
        Some(Candidates { list, full, most: self.most })
    }

    #[cold]
    fn make_room(&mut self, k: usize) -> T {
        let bound = self.prune(k);
        if self.list.len() > self.full / 4 * 3 {
            self.full *= 2;
        }
        if self.full <= self.most {
            return bound;
        }
        self.list = Vec::new();
        T::NEG_INFINITY
    }

    /// Drops everyone above the k-th smallest upper bound, which it returns. Whoever ties with the k-th
    /// nearest stays.
    fn prune(&mut self, k: usize) -> T {
        if self.list.len() <= k {
            return T::INFINITY;
        }
        let by_upper = |a: &Candidate<T>, b: &Candidate<T>| {
            a.upper.partial_cmp(&b.upper).unwrap_or(std::cmp::Ordering::Equal)
        };
        let bound = self.list.select_nth_unstable_by(k - 1, by_upper).1.upper.widened();
        self.list.retain(|c| c.lower <= bound);
        bound
    }
}

/// Candidates that one sample may have in one class before it is given up.
pub(super) fn limit(k: usize) -> usize {
    16 * k + 512
}

/// The same of bounds that are not the best: to measure somebody takes as long as some twenty products in single precision, so
/// that with more than a sixteenth of all `n` samples, by a rule of thumb, products are the cheaper way.
pub(super) fn lower_limit(k: usize, n: usize) -> usize {
    limit(k).min(2 * k + 32 + n / 16)
}
