//! L2,1-regularized regression: few features, shared by all targets. (Linear machines: [`svm`].)
//! ```text
//! min_W ½‖Y - XW‖²_F + λ Σᵢ ‖wⁱ‖₂
//! ```
//! The penalty acts on whole rows of W, so a feature is used for all targets or for none. W is
//! optimal if and only if (DIS 4.10, with its sign put right), R = Y - XW,
//! ```text
//! wⁱ ≠ 0  ⇒  f_iᵀR = λ wⁱ/‖wⁱ‖          wⁱ = 0  ⇒  ‖f_iᵀR‖ ≤ λ
//! ```
//! Columns of X are centered and have unit norm; Y is centered.
//!
//! | function | what | how |
//! |---|---|---|
//! | [`solve`], [`Solver`] | one λ, or one after the other | working sets, Newton and coordinate descent on the Gram matrix |
//! | [`path`] | from λ_max to exactly `count` active features, 10⁻⁶λ_max at the lowest | DIS Algorithm 2 with the exact walking direction |
//! | [`entrywise`] | as [`path`], with single weights in place of rows: the lasso of every target, one λ for all | paths of single targets |
//! | [`fista`] | one λ | Nesterov's method on all features, the yardstick of DIS 4.3.3 |
//!
//! Every [`Solution`] carries its duality gap, which bounds the distance to the optimum: the
//! stopping rule and the certificate are the same number.
//!
//! # Cost
//! For a active features, q targets: O(a³ + a²q) a Newton step, O(naq) a residual, and nq for each
//! feature that the screening bound cannot rule out (of m features, mq numbers at the least favorable). Memory: the
//! packed active columns, n·a numbers, a² for their Gram matrix, two numbers a feature, and up to 48 older residuals of
//! nq numbers; a path also keeps the active features and their row norms at every point, Σa numbers, and the
//! weights of its last point. The data are never copied.
//!
//! # When it fails
//! Exactly collinear active columns make W ambiguous (not its fit), and nearly equal ones nearly so; the fit and the
//! duality gap are as good as ever, which of the columns have weights says little. Exact copies of an active
//! feature are kept out.

mod copies;
mod curvature;
mod entrywise;
mod fista;
mod inner;
mod near;
mod path;
mod problem;
mod screen;
mod solver;
pub mod svm;
mod walk;
mod working;

pub use entrywise::entrywise;
pub use fista::fista;
pub use path::{End, Event, Path, path};
pub use problem::Problem;
pub(crate) use problem::dot;
pub use solver::{Options, Solution, Solver, solve};
