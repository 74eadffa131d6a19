//! Work in parallel on items that are taken one after another.
//!
//! Rayon cuts a list in halves, so that threads work far apart from each other. A file that is larger than memory is better read
//! from one end to the other: here whoever is free takes the next item, and nobody waits for the others before the end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::Result;

/// Calls `work` with every item at one of the desks, and returns the answers in the order of the items.
///
/// # Errors
/// The error of the first item that has one, not the first in time: what is wrong with the data is told in the same words on
/// every run. Items behind it are not begun any more.
pub(crate) fn in_order<D: Send, T: Send, U: Send>(
    desks: &mut [D],
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut D, T) -> Result<U> + Sync,
) -> Result<Vec<U>> {
    let (items, failed) = (Mutex::new(items.enumerate()), AtomicUsize::new(usize::MAX));
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let at_desk = |desk: &mut D| {
        let mut found = Vec::new();
        while let Some((at, item)) = next() {
            if at > failed.load(Ordering::Relaxed) {
                break;
            }
            let answer = work(desk, item);
            if answer.is_err() {
                failed.fetch_min(at, Ordering::Relaxed);
            }
            found.push((at, answer));
        }
        found
    };
    let mut found: Vec<(usize, Result<U>)> = desks.par_iter_mut().flat_map_iter(at_desk).collect();
    found.sort_unstable_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
    }

    #[test]
    fn answers_are_in_order_and_every_item_is_worked_on_once() {
        for threads in [1, 2, 16] {
            let mut desks = vec![0; threads];
            let answers = with_threads(threads, || {
                in_order(&mut desks, 0..1000, |done, item| {
                    *done += 1;
                    Ok(item * item)
                })
            });
            assert_eq!(answers.expect("nothing fails"), (0..1000).map(|i| i * i).collect::<Vec<_>>());
            assert_eq!(desks.iter().sum::<usize>(), 1000, "{threads} threads");
        }
    }

    #[test]
    fn nobody_is_far_ahead_when_an_item_is_begun() {
        let begun = Mutex::new(Vec::new());
        let mut desks = vec![(); 4];
        let note = |(): &mut (), item: usize| {
            begun.lock().unwrap_or_else(PoisonError::into_inner).push(item);
            Ok(())
        };
        with_threads(4, || in_order(&mut desks, 0..500, note)).expect("nothing fails");
        let begun = begun.into_inner().expect("nobody panicked");
        // An item may be taken and written down a little later by each of the other threads.
        for (at, &item) in begun.iter().enumerate() {
            let larger_before = begun[..at].iter().filter(|&&other| other > item).count();
            let smaller_after = begun[at + 1..].iter().filter(|&&other| other < item).count();
            assert!(
                smaller_after < 4,
                "{item} was begun before {smaller_after} earlier ones, {larger_before}"
            );
        }
    }

    #[test]
    fn the_first_error_is_told_and_what_comes_after_is_left() {
        for threads in [1, 2, 8] {
            let begun = AtomicUsize::new(0);
            let mut desks = vec![(); threads];
            let fails = |(): &mut (), item: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                // The later one fails at once, the earlier one takes its time, and so does whoever was begun before that.
                if item == 100 || item > 101 {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                if item == 100 || item == 101 {
                    Err(Error::Columns(format!("{item}").into()))
                } else {
                    Ok(())
                }
            };
            let error =
                with_threads(threads, || in_order(&mut desks, 0..100_000, fails)).expect_err("two fail");
            assert!(error.to_string().contains("100"), "{error}");
            assert!(begun.into_inner() < 10_000, "nobody goes on for long");
        }
    }
}
