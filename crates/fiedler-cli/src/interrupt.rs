//! Ctrl-C: the work is asked to stop, and ended if it does not listen at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a block of work may take to notice. Results exist only in memory until they are
/// complete, so ending the process after that loses nothing and leaves nothing half written.
const PATIENCE: Duration = Duration::from_millis(300);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Begins to listen for Ctrl-C (and for a polite request to terminate).
pub(crate) fn listen() {
    let handler = || {
        REQUESTED.store(true, Ordering::Relaxed);
        std::thread::sleep(PATIENCE);
        fiedler_io::remove_unfinished();
        crate::progress::clear_line();
        std::process::exit(130);
    };
    // Where no handler can be installed, Ctrl-C ends the process as it always does.
    let _ = ctrlc::set_handler(handler);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
