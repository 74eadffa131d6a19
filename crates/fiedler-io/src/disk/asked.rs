//! Columns that were asked for here and there, kept for the next time.
//!
//! Methods that weigh features together (MRSF, MCFS) visit a feature again and again, the more often the better it is. A column of a
//! file by rows is as many reads as there are rows, so those that were asked for last are kept in memory. What is kept changes no
//! result.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use fiedler::Limits;

use super::Stored;
use crate::matrix::Numbers;

/// Columns that are kept take at most one of so many parts of what may be taken.
const PARTS: u64 = 16;

/// The columns that were asked for last.
pub(super) struct Asked {
    /// How many are kept at most; none of a file by columns, of which one is a single read.
    most: usize,
    bytes_each: u64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    columns: HashMap<usize, (u64, Arc<Numbers>)>,
    /// How often anything was asked for.
    now: u64,
}

impl Asked {
    pub(super) fn new(stored: &dyn Stored, limits: Limits) -> Self {
        let bytes_each = stored.bytes(1).max(1);
        let fit = usize::try_from(limits.memory.0 / PARTS / bytes_each).unwrap_or(usize::MAX);
        let most = if stored.is_by_rows() { fit.min(stored.shape().1) } else { 0 };
        Asked { most, bytes_each, kept: Mutex::default() }
    }

    /// Whether anything is kept.
    pub(super) fn keeps(&self) -> bool {
        self.most > 0
    }

    /// Bytes that are kept at most.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes_each.saturating_mul(self.most as u64)
    }

    /// Those of the columns that are kept.
    pub(super) fn get(&self, places: &[usize]) -> Vec<Option<Arc<Numbers>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.now += 1;
        let now = kept.now;
        let column = |place| {
            let (asked, column) = kept.columns.get_mut(place)?;
            *asked = now;
            Some(Arc::clone(column))
        };
        places.iter().map(column).collect()
    }

    /// Keeps a column. Where there are too many, the half that nobody asked for the longest goes first.
    pub(super) fn keep(&self, place: usize, column: Numbers) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.columns.len() >= self.most {
            let mut times: Vec<u64> = kept.columns.values().map(|(asked, _)| *asked).collect();
            let middle = times.len() / 2;
            let (_, &mut middle, _) = times.select_nth_unstable(middle);
            kept.columns.retain(|_, (asked, _)| *asked > middle);
        }
        let now = kept.now;
        kept.columns.insert(place, (now, Arc::new(column)));
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use fiedler::limits::Bytes;

    use super::super::{Lost, Stretch};
    use super::*;

    struct Rows {
        by_rows: bool,
    }

    impl Stored for Rows {
        fn shape(&self) -> (usize, usize) {
            (4, 1000)
        }

        fn is_single(&self) -> bool {
            true
        }

        fn is_by_rows(&self) -> bool {
            self.by_rows
        }

        fn read(&self, _: Range<usize>) -> Result<Stretch, Lost> {
            unreachable!("nothing is read here")
        }
    }

    #[test]
    fn the_last_ones_are_kept_within_the_limits() {
        let asked = Asked::new(&Rows { by_rows: true }, Limits::of(Bytes(16 * 16 * 10)));
        assert!(asked.keeps() && asked.bytes() == 160, "ten columns of four singles");
        for place in 0..100 {
            assert!(asked.get(&[7]).len() == 1);
            asked.keep(place, Numbers::F32(vec![place as f32; 4]));
            assert!(asked.kept.lock().expect("one thread").columns.len() <= 10);
        }
        let found = asked.get(&[99, 7, 98, 3]);
        let first = |at: usize| found[at].as_ref().map(|column| column.at(0));
        // Column 7 was asked for all the time.
        assert_eq!((first(0), first(1), first(3)), (Some(99.0), Some(7.0), None));
    }

    #[test]
    fn of_a_file_by_columns_nothing_is_kept() {
        let asked = Asked::new(&Rows { by_rows: false }, Limits::of(Bytes(1 << 20)));
        assert!(!asked.keeps() && asked.bytes() == 0);
    }
}
