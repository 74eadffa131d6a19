//! A panic anywhere in a command becomes one sentence: it is our defect, and told as such.
//!
//! What cannot be caught: an allocation that fails, and a stack that overflows, end the process.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use crate::failure::{Failure, Outcome};

/// Where the last panic was.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Runs a command. A panic of any of its threads ends it with a sentence; files that are being written are
/// removed on the way.
pub(crate) fn guarded(work: impl FnOnce() -> Outcome) -> Outcome {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!("{}:{}", l.file(), l.line()));
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(sentence(&*payload)))
}

fn sentence(payload: &(dyn Any + Send)) -> Failure {
    let text = payload.downcast_ref::<&str>().map(|t| (*t).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    // Where the library was compiled is nobody's business: the file and what is around it say enough.
    let parts: Vec<&str> = place.rsplit(['/', '\\']).take(3).collect();
    let place: Vec<&str> = parts.into_iter().rev().collect();
    Failure::Data(format!(
        "fiedler failed, which is a defect of fiedler and not of your data; please report it, with the command and \
         this: {text} ({} {}, {})",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        place.join("/")
    ))
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn a_panic_of_any_thread_is_one_sentence_and_exit_code_1() {
        let own = guarded(|| panic!("index {}\n out of range", 7));
        let of_a_worker = guarded(|| {
            (0..100_usize).into_par_iter().for_each(|i| assert!(i < 99, "index 7 out of range"));
            Ok(())
        });
        for found in [own, of_a_worker] {
            let failure = found.expect_err("caught");
            assert_eq!(failure.exit_code(), 1);
            let told = failure.sentence().expect("a sentence");
            assert!(told.starts_with("fiedler failed, which is a defect of fiedler"), "{told}");
            assert!(told.contains("this: index 7 out of range (") && !told.contains('\n'), "{told}");
            assert!(told.contains("src/defect.rs:"), "{told}");
        }
        assert!(guarded(|| Ok(())).is_ok());
    }
}
