//! Columns that were read one by one, kept for a while.
//!
//! Of a file by rows a single column is as many reads as there are rows. A method that goes from step to step, as MRSF along its path,
//! asks for much the same columns every time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fiedler::Limits;

use super::Stored;
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
    /// As many columns as suits the limits; none of a file by columns, where one is a single read.
    pub(super) fn new(stored: &dyn Stored, limits: Limits) -> Self {
        let most = if stored.is_by_rows() { limits.memory.0 / PART } else { 0 };
        Recent::of(stored.bytes(1).max(1), most)
    }

    fn of(column: u64, bytes: u64) -> Self {
        let most = usize::try_from(bytes / column).unwrap_or(usize::MAX);
        Recent { kept: Mutex::default(), most, column }
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

    /// Keeps nothing that was read before.
    pub(super) fn forget(&self) {
        self.lock().clear();
    }

    /// Keeps a column. Where there is no room for it, all that were kept before go: whoever asks for so many seldom asks for the same.
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
    use super::*;

    #[test]
    fn no_more_is_kept_than_fits() {
        let recent = Recent::of(100, 399);
        assert_eq!(recent.held(), 300);
        let keep = |place: usize| recent.keep(place, Arc::new(Numbers::F32(vec![place as f32])));
        let found =
            |places: &[usize]| -> Vec<bool> { recent.find(places).iter().map(Option::is_some).collect() };
        (0..3).for_each(keep);
        assert_eq!(found(&[2, 0, 1, 3]), [true, true, true, false]);
        keep(9);
        assert_eq!(found(&[0, 9, 1]), [false, true, false]);
        assert_eq!(recent.find(&[9])[0].as_ref().map(|column| column.at(0)), Some(9.0));
        recent.forget();
        assert!(recent.find(&[9])[0].is_none());
        let none = Recent::of(100, 99);
        none.keep(1, Arc::new(Numbers::F32(Vec::new())));
        assert!(none.find(&[1])[0].is_none() && none.held() == 0);
    }
}
