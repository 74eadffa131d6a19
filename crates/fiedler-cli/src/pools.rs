//! How many pools of memory the allocator has.
//!
//! The GNU allocator keeps a pool for every thread. What a thread gives back stays in its pool, where no other finds it, and each pool takes
//! 64 MB of addresses, most of which are never used. Where memory or addresses (`ulimit -v`, as some clusters have it) are few, one pool for all does better: on
//! two cores it costs no time. It can be asked for only before the process begins.

use std::ffi::OsString;

use fiedler::limits::{Bytes, free_addresses};

/// How many pools the allocator makes.
const POOLS: &str = "MALLOC_ARENA_MAX";

/// Less than this is little, of `--memory` and of addresses.
const LITTLE: Bytes = Bytes(1_000_000_000);
const FEW: Bytes = Bytes(8_000_000_000);

/// Begins the program again with one pool, where memory or addresses are few. Returns where they are not, where it has been done or where it
/// cannot be.
pub fn begin_with_one_pool() {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let is_needed = asked(&arguments).is_some_and(|asked| asked < LITTLE)
        || free_addresses().is_some_and(|free| free < FEW);
    if is_needed && std::env::var_os(POOLS).is_none() {
        begin(&arguments);
    }
}

/// Takes the place of this process, if that is possible.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn begin(arguments: &[OsString]) {
    use std::os::unix::process::CommandExt;
    let (Ok(program), Some((name, rest))) = (std::env::current_exe(), arguments.split_first()) else {
        return;
    };
    // Does not come back where it succeeds.
    let _ = std::process::Command::new(program).arg0(name).args(rest).env(POOLS, "1").exec();
}

/// Other allocators have no such pools.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn begin(_: &[OsString]) {}

/// What `--memory` says, as far as it can be known before the command line is read in earnest.
fn asked(arguments: &[OsString]) -> Option<Bytes> {
    let texts = || arguments.iter().map(|argument| argument.to_str().unwrap_or_default());
    let apart = texts().skip_while(|text| *text != "--memory").nth(1);
    let joined = || texts().find_map(|text| text.strip_prefix("--memory="));
    apart.or_else(joined)?.parse().ok()
}

/// Addresses that a thread may take, of few samples: its stack, and what it works on.
const OF_A_THREAD: u64 = 16_000_000;

/// So many of the threads that are wanted as there are addresses for, where these are bounded.
pub(crate) fn possible_threads(wanted: usize) -> usize {
    let most = |free: Bytes| usize::try_from(free.0 / OF_A_THREAD).unwrap_or(usize::MAX).max(1);
    free_addresses().map_or(wanted, |free| wanted.min(most(free)))
}

/// What of the memory that was asked for can be had: half of the addresses that are left, for an allocation that fails ends the process.
pub(crate) fn possible(asked: Bytes) -> Bytes {
    free_addresses().map_or(asked, |free| asked.min(Bytes(free.0 / 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_that_is_asked_for_is_found() {
        let found = |line: &str| asked(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for line in ["fiedler rank x.npy --memory 60MB", "fiedler --memory=60MB rank x.npy"] {
            assert_eq!(found(line), Some(Bytes(60_000_000)), "{line}");
        }
        for line in ["fiedler rank x.npy", "fiedler rank --memory", "fiedler rank --memory much"] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
