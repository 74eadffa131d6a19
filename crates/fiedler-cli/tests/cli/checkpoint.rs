//! `--checkpoint`: a command that is killed goes on from where it was, to the same bits.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::command::{Folder, Run, fiedler};

/// Large enough for several runs of scores, small enough for many tries.
const DATA: &str = "demo:planted?samples=400&noise=40000";

fn arguments(folder: &Folder) -> Vec<String> {
    let place = folder.path("work").display().to_string();
    ["rank", DATA, "-m", "laplacian,spec", "--format", "csv", "-q", "--checkpoint", &place]
        .map(str::to_owned)
        .to_vec()
}

fn ask(arguments: &[String]) -> Run {
    crate::command::run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Shares of a whole, from a seed.
fn shares(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// Other moments in every run: `SEED=…` gives those of an earlier one.
#[test]
fn a_command_killed_at_twenty_moments_gives_the_same_bits() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_nanos();
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(now as u64);
    eprintln!("SEED={seed}");
    let folder = Folder::new();
    let arguments = arguments(&folder);
    let begun = Instant::now();
    let whole = ask(&arguments[..arguments.len() - 2]);
    let all = begun.elapsed();
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let mut killed = 0;
    for share in shares(seed).take(20) {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut child =
            fiedler(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(all.mul_f64(1.2 * share) + Duration::from_millis(5));
        // SIGKILL, which no process hears.
        let _ = child.kill();
        killed += u32::from(child.wait().expect("it ends").code().is_none());
    }
    let last = ask(&arguments);
    assert_eq!((last.code, last.stdout == whole.stdout), (Some(0), true), "SEED={seed}: {}", last.stderr);
    assert!(killed > 3, "SEED={seed}: {killed} of 20 were killed in time");
    assert!(!folder.path("work").exists());
}

#[test]
fn work_goes_on_and_says_so() {
    let folder = Folder::new();
    let arguments = arguments(&folder);
    let words: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| *word != "-q").collect();
    let mut child = fiedler(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let is_part = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|e| e == "part");
    let kept =
        || std::fs::read_dir(folder.path("work")).is_ok_and(|mut all| all.any(|e| e.is_ok_and(is_part)));
    while !kept() && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    if child.wait().expect("it ends").code().is_some() {
        return; // It was faster than the look.
    }
    let other = folder.run(&["rank", "demo:iris", "--checkpoint", "work"]);
    assert_eq!(other.code, Some(1));
    assert!(
        other.stderr.contains("--checkpoint: work: it keeps the work on another question"),
        "{}",
        other.stderr
    );
    let more = crate::command::run(&words);
    assert!(more.stderr.contains("note: went on from the unfinished work in"), "{}", more.stderr);
}
