//! How much memory a reader may take.
//!
//! No size that a file states is believed: memory is asked for as bytes arrive, or after the size was
//! compared with the bytes that are there, and never beyond a [`Budget`], which
//! is what the monitor's limits allow. An allocation that fails is an
//! error and does not end the process.

use std::sync::atomic::{AtomicU64, Ordering};

use fiedler::Limits;
use fiedler::limits::Bytes;

use crate::{Error, Result};

/// Bytes that a byte of text can take as fields of their own: an empty one is a separator in the file and
/// a text in memory.
pub(crate) const TEXT_TAKES: usize = 32;

/// Bytes that a row or a column of a sparse matrix takes before it has any entry.
pub(crate) const PER_LINE: usize = 16;

/// Counts what one reader takes.
#[derive(Debug)]
pub(crate) struct Budget {
    file: String,
    limit: Bytes,
    taken: AtomicU64,
}

impl Budget {
    /// For a file.
    pub(crate) fn new(file: &str, limits: Limits) -> Self {
        Budget { file: file.to_owned(), limit: limits.memory, taken: AtomicU64::new(0) }
    }

    /// The file, for messages.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Takes `bytes` more, or tells that they are too many.
    pub(crate) fn take(&self, bytes: u64) -> Result<()> {
        self.check(bytes)?;
        self.taken.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Takes memory for `count` items of `size` bytes.
    pub(crate) fn take_items(&self, count: usize, size: usize) -> Result<()> {
        self.take((count as u64).saturating_mul(size as u64))
    }

    /// Whether `bytes` more could be taken.
    pub(crate) fn check(&self, bytes: u64) -> Result<()> {
        let needed = self.taken.load(Ordering::Relaxed).saturating_add(bytes);
        if needed <= self.limit.0 { Ok(()) } else { Err(self.exceeded(needed)) }
    }

    /// Gives back what was taken for items that are there no more.
    pub(crate) fn give_back_items(&self, count: usize, size: usize) {
        let bytes = (count as u64).saturating_mul(size as u64);
        // It was taken before, so that this cannot fall below nothing.
        let _ = self
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| Some(taken.saturating_sub(bytes)));
    }

    /// What may still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.limit.0.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Makes room for `additional` items behind those that are there. They are counted when they
    /// arrive, by the caller.
    pub(crate) fn reserve<T>(&self, items: &mut Vec<T>, additional: usize) -> Result<()> {
        let bytes = (additional as u64).saturating_mul(size_of::<T>() as u64);
        items.try_reserve(additional).map_err(|_| self.exceeded(bytes))
    }

    /// rows × columns zeros, counted. The system hands out pages of zeros as they are written to, so
    /// that numbers which never arrive take no memory.
    pub(crate) fn zeros<T: Copy + Default>(&self, rows: usize, columns: usize) -> Result<Vec<T>> {
        let count = rows.saturating_mul(columns);
        self.take_items(count, size_of::<T>())?;
        // `vec!` ends the process where memory lacks: it is tried out first.
        self.reserve(&mut Vec::<T>::new(), count)?;
        Ok(vec![T::default(); count])
    }

    fn exceeded(&self, needed: u64) -> Error {
        Error::Memory { file: self.file.clone(), needed: Bytes(needed), limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_once() {
        let budget = Budget::new("f.csv", Limits::of(Bytes(1000)));
        budget.take(600).expect("within");
        let found = budget.take(600).expect_err("beyond").to_string();
        assert!(found.starts_with("f.csv: reading it takes more than 1 kB of memory"), "{found}");
        budget.take(400).expect("the refused bytes were not counted");
        assert!(budget.zeros::<f64>(usize::MAX, 2).is_err());
        assert_eq!(
            Budget::new("f.csv", Limits::of(Bytes(1000))).zeros::<f64>(5, 2).expect("within"),
            [0.0; 10]
        );
    }
}
