//! A panic while a file is read becomes an error.
//!
//! Readers of damaged files, ours and those of the libraries we use, should answer with an error. Where one
//! panics all the same, the caller gets a sentence, and nothing else is printed.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use crate::{Error, Result};

/// Readers at work: while there are any, panics are answers and not messages.
static READING: AtomicUsize = AtomicUsize::new(0);

/// Where the last panic of a reader was: the end of a path and a line.
static PLACE: Mutex<String> = Mutex::new(String::new());

/// Runs a reader of `file`.
pub(crate) fn guarded<T>(file: &str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    silence();
    READING.fetch_add(1, Ordering::SeqCst);
    let found = panic::catch_unwind(AssertUnwindSafe(read));
    READING.fetch_sub(1, Ordering::SeqCst);
    found.unwrap_or_else(|payload| Err(Error::Defect { file: file.to_owned(), what: message(&*payload) }))
}

/// Panics are told as ever, but for those that [`guarded`] turns into errors.
fn silence() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if READING.load(Ordering::SeqCst) == 0 {
                before(info);
            } else {
                let place = info.location().map(place).unwrap_or_default();
                *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
            }
        }));
    });
}

/// `crate/src/file.rs:line`: who compiled it, and where, is nobody's business.
fn place(location: &Location<'_>) -> String {
    let parts: Vec<&str> = location.file().rsplit(['/', '\\']).take(4).collect();
    let from = parts.iter().position(|part| *part == "src").map_or(parts.len(), |at| at + 2);
    let path: Vec<&str> = parts.into_iter().take(from).rev().collect();
    format!("{}:{}", path.join("/"), location.line())
}

/// What a panic says and where it was, on one line.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|t| (*t).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    format!("{}, {place}", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_sentence() {
        let found = guarded::<()>("f.parquet", || panic!("index {}\n out of range", 7)).expect_err("caught");
        let told = "f.parquet: fiedler failed while it read this file, which is a defect of fiedler";
        assert!(found.to_string().starts_with(told), "{found}");
        assert!(found.to_string().contains("(index 7 out of range, fiedler-io/src/guard.rs:"), "{found}");
        assert!(guarded("f", || Ok(1)).is_ok_and(|one| one == 1));
    }
}
