//! How much memory a reader may take.
//!
//! No size that a file states is believed: memory is asked for as bytes arrive, or after the size was
//! compared with the bytes that are there, and never beyond a [`Budget`]. An allocation that fails is an
//! error and does not end the process.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, Result};

/// What is taken for available where the system does not tell.
const UNKNOWN: u64 = 8 << 30;

/// Bytes that a byte of text can take as fields of their own: an empty one is a separator in the file and
/// a text in memory.
pub(crate) const TEXT_TAKES: usize = 32;

/// Bytes of memory that this process can still get: what the machine has available, or what a limit on
/// the process (`ulimit -v`) or on its control group leaves, if that is less. `None` where the system
/// does not tell.
pub fn available_memory() -> Option<u64> {
    [machine(), control_group(), address_space()].into_iter().flatten().min()
}

/// Counts what one reader takes.
#[derive(Debug)]
pub(crate) struct Budget {
    file: String,
    limit: u64,
    taken: AtomicU64,
}

impl Budget {
    /// For a file; half of what is available unless a limit is given.
    pub(crate) fn new(file: &str, limit: Option<u64>) -> Self {
        let limit = limit.unwrap_or_else(|| available_memory().unwrap_or(UNKNOWN) / 2);
        Budget { file: file.to_owned(), limit, taken: AtomicU64::new(0) }
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
        if needed <= self.limit { Ok(()) } else { Err(self.exceeded(needed)) }
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
        Error::Memory { file: self.file.clone(), needed, limit: self.limit }
    }
}

fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    kilobytes(&text, "MemAvailable:")
}

/// The limit of the control group (version 2, then 1) less what is used of it.
fn control_group() -> Option<u64> {
    let number = |path: String| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|l| l.strip_prefix("0::")).unwrap_or("/").trim_end_matches('/');
    let group = |folder: &str, limit: &str, used: &str| {
        Some(number(format!("{folder}/{limit}"))?.saturating_sub(number(format!("{folder}/{used}"))?))
    };
    let second = [format!("/sys/fs/cgroup{own}"), "/sys/fs/cgroup".to_owned()];
    let second = second.iter().filter_map(|f| group(f, "memory.max", "memory.current")).min();
    second.or_else(|| group("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"))
}

/// The limit on addresses less those in use.
fn address_space() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|l| l.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let used = kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(limit.saturating_sub(used))
}

/// The number behind `key` in a file of `Key:   123 kB`.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_once() {
        let budget = Budget::new("f.csv", Some(1000));
        budget.take(600).expect("within");
        let found = budget.take(600).expect_err("beyond").to_string();
        assert!(found.starts_with("f.csv: reading it takes more than 1000 bytes of memory"), "{found}");
        budget.take(400).expect("the refused bytes were not counted");
        assert!(budget.zeros::<f64>(usize::MAX, 2).is_err());
        assert_eq!(Budget::new("f.csv", Some(1000)).zeros::<f64>(5, 2).expect("within"), [0.0; 10]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_machine_tells_what_it_has() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(kilobytes("A: 1 kB\nB:   17 kB\n", "B:"), Some(17 << 10));
    }
}
