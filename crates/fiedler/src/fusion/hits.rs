//! Hit ratio: how many features known to matter are among the best.

use std::collections::BTreeSet;

use crate::{Error, Result};

/// Known features among the first `depth` of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hits {
    /// How many features were looked at.
    pub depth: usize,
    /// How many of them are known.
    pub hits: usize,
    /// hits / depth: the hit ratio.
    pub ratio: f64,
    /// hits / all known features.
    pub recall: f64,
}

/// The hits among the first features of `order` at every depth.
///
/// ```
/// use fiedler::fusion::hit_ratio;
///
/// let hits = hit_ratio(&[7, 3, 0, 1], &[3, 1], &[2, 4])?;
/// assert_eq!((hits[0].hits, hits[0].ratio), (1, 0.5));
/// assert_eq!(hits[1].recall, 1.0);
/// # Ok::<(), fiedler::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] when no feature is known or a depth is not from 1 to the length of `order`.
pub fn hit_ratio(order: &[usize], known: &[usize], depths: &[usize]) -> Result<Vec<Hits>> {
    let known: BTreeSet<usize> = known.iter().copied().collect();
    if known.is_empty() {
        return Err(Error::parameter("known", "a list of at least one feature", "an empty list"));
    }
    let at = |&depth: &usize| {
        if depth == 0 || depth > order.len() {
            let rule = format!("from 1 to the number of ranked features ({})", order.len());
            return Err(Error::parameter("depth", rule, depth));
        }
        let hits = order[..depth].iter().filter(|j| known.contains(j)).count();
        let ratio = hits as f64 / depth as f64;
        Ok(Hits { depth, hits, ratio, recall: hits as f64 / known.len() as f64 })
    };
    depths.iter().map(at).collect()
}
