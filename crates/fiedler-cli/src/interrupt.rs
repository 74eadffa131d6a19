//! Ctrl-C and polite requests to end: the work is asked to stop, and ended if it does not listen at once.

#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(unix)]
use crate::failure::Failure;
use crate::failure::Outcome;

/// How long a block of work may take to notice. Results exist only in memory until they are
/// complete, so ending the process after that loses nothing and leaves nothing half written.
const PATIENCE: Duration = Duration::from_millis(300);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Begins to listen for Ctrl-C, for a request to terminate and for the end of the terminal.
///
/// # Errors
/// The system starts no thread: none of the work would begin either.
#[cfg(unix)]
pub(crate) fn listen() -> Outcome {
    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    // A file that may not grow further (`ulimit -f`) is an error of writing where somebody listens, and the end of the
    // process, its temporary files left behind, where nobody does.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    // Where the system gives no more memory the standard library says so and aborts. Where addresses are bounded that is no defect.
    if fiedler::limits::free_addresses().is_some() {
        let always = Arc::new(AtomicBool::new(true));
        let _ = signal_hook::flag::register_conditional_shutdown(SIGABRT, 1, always);
    }
    let mut wanted = vec![SIGINT, SIGTERM];
    // `nohup` asks for work that outlives its terminal.
    if !is_ignored(SIGHUP) {
        wanted.push(SIGHUP);
    }
    // Where no handler can be installed, signals end the process as they always do.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return Ok(()) };
    let wait = move || {
        if signals.forever().next().is_some() {
            stop();
        }
    };
    std::thread::Builder::new().spawn(wait).map(|_| ()).map_err(|e| {
        let sentence = format!("the system lets the command start no thread ({e})");
        Failure::Data(format!("{sentence}; allow it more memory (ulimit -v) or more processes (ulimit -u)"))
    })
}

/// Begins to listen for Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn listen() -> Outcome {
    let _ = ctrlc::set_handler(stop);
    Ok(())
}

fn stop() {
    REQUESTED.store(true, Ordering::Relaxed);
    std::thread::sleep(PATIENCE);
    fiedler_io::remove_unfinished();
    crate::progress::clear_line();
    std::process::exit(130);
}

/// Whether a signal was ignored when the process began; no where the system does not tell.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}

/// Whether a signal asked the work to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
