//! Columns that were asked for one by one, kept for the next time.
//!
//! Methods that weigh features together (MRSF, MCFS) come back to the same few hundred columns, and each of them is as many reads of a
//! file by rows as there are rows. So what was picked stays, as long as there is room: nothing is thrown out for
//! others, for a method that needs more than fits would otherwise find nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Numbers;

/// One of so many parts of what may be taken.
const PARTS: u64 = 10;

/// Columns by their place in the file.
pub(super) struct Picked {
    columns: Mutex<HashMap<usize, Arc<Numbers>>>,
    /// How many there may be, and the bytes of one.
    most: usize,
    column: u64,
}

impl Picked {
    /// For columns of so many bytes each.
    pub(super) fn new(column: u64, memory: u64) -> Self {
        Picked { columns: Mutex::default(), most: (memory / PARTS / column.max(1)) as usize, column }
    }

    /// Bytes that are held at most.
    pub(super) fn held(&self) -> u64 {
        self.column.saturating_mul(self.most as u64)
    }

    fn columns(&self) -> MutexGuard<'_, HashMap<usize, Arc<Numbers>>> {
        self.columns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The columns at these places, where they are kept.
    pub(super) fn find(&self, places: &[usize]) -> Vec<Option<Arc<Numbers>>> {
        let columns = self.columns();
        places.iter().map(|place| columns.get(place).cloned()).collect()
    }

    /// Keeps columns of equal length that lie one after another, as many as there is room for.
    pub(super) fn keep(&self, places: &[usize], values: &Numbers) {
        let length = values.len() / places.len().max(1);
        let mut columns = self.columns();
        for (at, &place) in places.iter().enumerate() {
            if columns.len() >= self.most {
                return;
            }
            columns.entry(place).or_insert_with(|| Arc::new(values.part(at * length..(at + 1) * length)));
        }
    }

    /// Nothing that was kept is true any more.
    pub(super) fn clear(&mut self) {
        self.columns.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_picked_is_found_while_there_is_room() {
        // Room for three columns of two numbers.
        let mut picked = Picked::new(8, 10 * 8 * 3);
        picked.keep(&[5, 9], &Numbers::F32(vec![1.0, 2.0, 3.0, 4.0]));
        picked.keep(&[9, 7, 8], &Numbers::F32(vec![0.0; 6]));
        let found = |places: &[usize]| -> Vec<Option<f64>> {
            picked.find(places).iter().map(|c| c.as_ref().map(|c| c.at(1))).collect()
        };
        assert_eq!(found(&[9, 5, 7, 8, 1]), [Some(4.0), Some(2.0), Some(0.0), None, None]);
        picked.clear();
        assert!(picked.find(&[5])[0].is_none());
    }
}
