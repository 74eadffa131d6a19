//! Columns that were read one by one, kept for a while.
//!
//! Of a file by rows a single column is as many reads as there are rows. A method that goes from step to step, as MRSF along its path,
//! asks for much the same columns every time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fiedler::Limits;

use crate::matrix::Numbers;

/// They take this part of the memory at most.
const PART: u64 = 32;

/// The columns, by their places in the file.
pub(super) struct Recent {
    kept: Mutex<HashMap<usize, Arc<Numbers>>>,
    most: usize,
    /// Bytes of a column.
    column: u64,
}

impl Recent {
    /// As many columns of so many bytes as suits the limits.
    pub(super) fn new(column: u64, limits: Limits) -> Self {
        let most = limits.memory.0 / PART / column.max(1);
        Recent { kept: Mutex::default(), most: usize::try_from(most).unwrap_or(usize::MAX), column }
    }

    /// Bytes that are kept at most.
    pub(super) fn held(&self) -> u64 {
        self.column.saturating_mul(self.most as u64)
    }

    /// Columns at these places, as far as they are kept.
    pub(super) fn find(&self, places: &[usize]) -> Vec<Option<Arc<Numbers>>> {
        let kept = self.lock();
        places.iter().map(|place| kept.get(place).map(Arc::clone)).collect()
    }

    /// Keeps a column. Where there is no room for it, those that were kept before go.
    pub(super) fn keep(&self, place: usize, column: Arc<Numbers>) {
        let mut kept = self.lock();
        if kept.len() >= self.most {
            kept.clear();
        }
        if self.most > 0 {
            kept.insert(place, column);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Arc<Numbers>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use fiedler::limits::Bytes;

    use super::*;

    #[test]
    fn no_more_is_kept_than_fits() {
        let recent = Recent::new(100, Limits::of(Bytes(100 * PART * 3)));
        assert_eq!(recent.held(), 300);
        let keep = |place: usize| recent.keep(place, Arc::new(Numbers::F32(vec![place as f32])));
        let found =
            |places: &[usize]| -> Vec<bool> { recent.find(places).iter().map(Option::is_some).collect() };
        (0..3).for_each(keep);
        assert_eq!(found(&[2, 0, 1, 3]), [true, true, true, false]);
        keep(9);
        assert_eq!(found(&[0, 9, 1]), [false, true, false]);
        assert_eq!(recent.find(&[9])[0].as_ref().map(|column| column.at(0)), Some(9.0));
        let none = Recent::new(100, Limits::of(Bytes(100)));
        none.keep(1, Arc::new(Numbers::F32(Vec::new())));
        assert!(none.find(&[1])[0].is_none() && none.held() == 0);
    }
}
