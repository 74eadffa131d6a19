//! A disk that is full, and memory that the system bounds: a sentence, and nothing half written.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::command::{Folder, Run, finish};
use crate::scale::array;

/// Runs the command in a name space of its own, where `small` is a disk of so many bytes, and prints what is left on that disk after a
/// line. `None` where the system lets nobody but its owner have such a disk.
fn on_small_disk(folder: &Folder, bytes: usize, arguments: &[&str]) -> Option<Run> {
    std::fs::create_dir_all(folder.path("small")).expect("a folder");
    let script = format!(
        "mount -t tmpfs -o size={bytes} none small || exit 99\n\"$@\"\ncode=$?\necho; echo left: $(ls -A small)\nexit $code"
    );
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"]);
    command.arg(env!("CARGO_BIN_EXE_fiedler")).args(arguments).current_dir(folder.path(""));
    let found = command.output().ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let run = Run { stdout: text(found.stdout), stderr: text(found.stderr), code: found.status.code() };
    if run.code == Some(99) || run.stderr.starts_with("unshare:") {
        eprintln!("no small disk can be had here, so this was not tried: {}", run.stderr.trim());
        return None;
    }
    Some(run)
}

#[test]
fn a_full_disk_is_told_and_nothing_half_written_stays() {
    let folder = Folder::new();
    array(&folder, "wide.npy");
    let select = &["select", "wide.npy", "-m", "variance", "--top", "399", "-o"];
    let planted = "demo:planted?samples=100&noise=20000";
    for (arguments, file) in [
        (&["blocks", "wide.npy", "small/wide.blocks"][..], "small/wide.blocks"),
        (&[&select[..], &["small/out.npy"]].concat(), "small/out.npy"),
        (&[&select[..], &["small/out.csv"]].concat(), "small/out.csv"),
        (&[&select[..], &["small/out.parquet"]].concat(), "small/out.parquet"),
        (&["rank", planted, "-o", "small/scores.csv"], "small/scores.csv"),
    ] {
        let Some(run) = on_small_disk(&folder, 40_960, arguments) else { return };
        assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(file) && run.stderr.contains("No space left"), "{}", run.stderr);
        assert!(run.stderr.starts_with("error: ") || run.stderr.contains("\nerror: "), "{}", run.stderr);
        assert!(run.stdout.ends_with("\nleft:\n"), "{arguments:?}: {}", run.stdout);
    }
}

/// What was kept before the disk was full stays, whole, for a run that has more room.
#[test]
fn a_full_disk_under_unfinished_work_is_told() {
    let folder = Folder::new();
    let question = ["rank", "demo:planted?samples=100&noise=40000", "-q", "--checkpoint", "small/work"];
    let Some(run) = on_small_disk(&folder, 90_000, &question) else { return };
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("small/work") && run.stderr.contains("No space left"), "{}", run.stderr);
    assert!(!run.stdout.contains(".tmp"), "{}", run.stdout);
}

#[test]
fn a_full_disk_under_the_scratch_file_is_told_with_what_helps() {
    let folder = Folder::new();
    array(&folder, "wide.npy");
    let made = folder.run(&["select", "wide.npy", "-m", "variance", "--top", "400", "-o", "wide.h5ad"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    std::fs::create_dir_all(folder.path("small")).expect("a folder");
    let script = "TMPDIR=$PWD/small exec \"$0\" rank wide.h5ad --memory 120kB";
    let Some(run) = on_small_disk(&folder, 40_960, &["--version"]) else { return };
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut command = Command::new("unshare");
    let all = format!("mount -t tmpfs -o size=40960 none small && {script}");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &all, env!("CARGO_BIN_EXE_fiedler")]);
    let run = finish(command.current_dir(folder.path("")));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for part in [
        "wide.h5ad: it is larger than the memory it may take",
        "No space left",
        "set TMPDIR to a folder with room",
    ] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

/// The address space of a process, bounded from outside: a little is enough for the answer, and less than that for a sentence.
#[test]
fn memory_that_the_system_bounds_is_kept_to() {
    let folder = Folder::new();
    let made = folder.run(&["blocks", "demo:planted?samples=400&noise=20000", "wide.blocks"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let within = |addresses: Option<u32>, more: &[&str]| {
        let bound = addresses.map_or(String::new(), |kilobytes| format!("ulimit -v {kilobytes}; "));
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{bound}exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_fiedler")]);
        let threads = if more.contains(&"--threads") { &[][..] } else { &["--threads", "2"] };
        command.args(["rank", "wide.blocks", "--format", "csv"]).args(threads).args(more);
        finish(command.current_dir(folder.path("")))
    };
    let ample = within(None, &["--memory", "1GB"]);
    for addresses in [200_000, 240_000, 320_000, 1_000_000] {
        for more in [&["--memory", "20MB"][..], &["--memory", "1GB"], &[]] {
            let run = within(Some(addresses), more);
            assert_eq!(run.code, Some(0), "{addresses} kB, {more:?}: {}", run.stderr);
            assert_eq!(run.stdout, ample.stdout, "{addresses} kB, {more:?}");
            let told =
                "note: --memory 1 GB is more than the system lets the command have (ulimit -v); it takes ";
            assert_eq!(run.stderr.contains(told), more.contains(&"1GB"), "{}", run.stderr);
        }
    }
    // More threads than there are addresses for are not begun.
    for (addresses, threads) in [(200_000, "32"), (300_000, "128"), (400_000, "128")] {
        let run = within(Some(addresses), &["--memory", "20MB", "--threads", threads]);
        assert_eq!((run.code, run.stdout == ample.stdout), (Some(0), true), "{addresses} kB: {}", run.stderr);
        let told =
            format!("note: --threads {threads} is more than there are addresses for (ulimit -v); it takes ");
        assert!(run.stderr.contains(&told), "{}", run.stderr);
    }
    for addresses in [36_000, 48_000, 60_000, 72_000, 84_000] {
        let run = within(Some(addresses), &["--memory", "20MB"]);
        // Threads that cannot be had are wrong usage, and the linker, before the command, has a code of its own.
        assert!(matches!(run.code, Some(0 | 1 | 2 | 127)), "{addresses} kB: {:?} {}", run.code, run.stderr);
        assert!(run.code == Some(0) || !run.stderr.is_empty(), "{addresses} kB");
    }
}
