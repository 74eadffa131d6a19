//! Many sources of knowledge, many rankings: MSFS and KOGS (DIS ch. 5).
//!
//! ```text
//!  rankings ──► Lists ──► one Ranking      (aggregate)
//! ```
//! Many rankings become one by [`Aggregation`]; [`hit_ratio`] tells how many features of a known
//! list are among the best.

mod aggregate;
mod hits;
mod mc4;
mod robust;

pub use aggregate::{Aggregation, Lists};
pub use hits::{Hits, hit_ratio};
pub use mc4::MC4_LIMIT;

use crate::{Error, Result};

/// Weights are finite and not negative, one is above 0, and there is one for each.
fn check_weights(weights: &[f64], expected: usize) -> Result<()> {
    if weights.len() != expected {
        return Err(Error::Length { what: "weights", expected, got: weights.len() });
    }
    if let Some(wrong) = weights.iter().find(|w| !(w.is_finite() && **w >= 0.0)) {
        return Err(Error::parameter("weights", "finite and 0 or more", wrong));
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::parameter("weights", "not all 0", "only zeros"));
    }
    Ok(())
}
