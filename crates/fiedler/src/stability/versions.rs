//! The slightly different versions of the data.

use super::draw::Strata;
use super::{Change, Stability};
use crate::Result;
use crate::dataset::Dataset;
use crate::monitor::Monitor;

/// The versions of the data, by number.
pub(super) struct Versions<'a> {
    pub(super) data: &'a Dataset,
    change: Change,
    seed: u64,
    strata: Option<Strata>,
}

impl<'a> Versions<'a> {
    pub(super) fn new(stability: &Stability, data: &'a Dataset) -> Result<Self> {
        let strata = match stability.change {
            Change::Subsample { fraction } => Some(Strata::new(data, fraction)?),
            Change::Noise { .. } => None,
        };
        Ok(Versions { data, change: stability.change, seed: stability.seed, strata })
    }

    pub(super) fn n_samples(&self) -> usize {
        self.strata.as_ref().map_or(self.data.n_samples(), Strata::kept)
    }

    pub(super) fn make(&self, number: usize, monitor: &dyn Monitor) -> Result<Dataset> {
        match (self.change, &self.strata) {
            (Change::Noise { level }, _) => self.data.with_noise(level, self.seed_of(number), monitor),
            (_, Some(strata)) => self.data.samples(&strata.draw(self.seed, number), monitor),
            (_, None) => Ok(self.data.clone()),
        }
    }

    /// A seed of its own for every version; the multiplier spreads neighboring numbers.
    fn seed_of(&self, number: usize) -> u64 {
        self.seed.wrapping_add((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}
