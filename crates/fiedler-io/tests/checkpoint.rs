//! Work that is stopped and goes on gives the bits of work that was never stopped.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fiedler::checkpoint::{Checkpointed, Fingerprint};
use fiedler::dataset::Dataset;
use fiedler::limits::Bytes;
use fiedler::{Analysis, Error, Findings, Limits, Monitor, Silent};
use fiedler_io::CheckpointFolder;

/// Numbers that look random, in a few clusters.
fn data(n: usize, m: usize) -> Dataset {
    let mut state = 7u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..m).map(|j| next() + if j % 10 == 0 { (i % 3) as f64 } else { 0.0 }).collect())
        .collect();
    Dataset::from_rows(&rows).expect("finite")
}

/// Stops at one of its calls.
struct Stops {
    calls: AtomicUsize,
    at: usize,
    memory: Bytes,
}

impl Stops {
    fn at(call: usize) -> Self {
        Stops { calls: AtomicUsize::new(0), at: call, memory: Bytes(1 << 30) }
    }
}

impl Monitor for Stops {
    fn update(&self, _: &'static str, _: usize, _: usize) -> ControlFlow<()> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if call == self.at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn limits(&self) -> Limits {
        Limits::of(self.memory)
    }
}

fn open(folder: &Path, asked: &Analysis, data: &Dataset) -> CheckpointFolder {
    let fingerprint = asked.fingerprint(data, &Silent).expect("columns");
    let opened = CheckpointFolder::open(folder, fingerprint).expect("a folder");
    opened.every(Duration::ZERO)
}

fn run(
    folder: &Path,
    asked: &Analysis,
    data: &Dataset,
    monitor: &dyn Monitor,
) -> (Result<Findings, Error>, usize) {
    let kept = open(folder, asked, data);
    let answer = asked.run(data, "data", &Checkpointed { monitor, checkpoint: &kept });
    let resumed = kept.resumed();
    if answer.is_ok() {
        kept.finish().expect("files of ours");
    }
    (answer, resumed)
}

fn scores(found: &Findings) -> Vec<Vec<u64>> {
    let bits = |r: &fiedler::RankingFound| {
        r.places.iter().map(|p| p.score.map_or(1, f64::to_bits) ^ p.index as u64).collect()
    };
    found.rankings.iter().map(bits).collect()
}

/// Several tiles, several blocks of features, several runs of scores, two methods on one graph.
#[test]
fn twenty_stops_cost_nothing_but_time() {
    let data = data(300, 17_000);
    let methods = ["laplacian", "spec"].map(str::to_owned).to_vec();
    let asked = Analysis { methods, ..Analysis::default() };
    let whole = asked.run(&data, "data", &Silent).expect("an answer");
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("work");
    let calls = Stops::at(usize::MAX);
    run(&place, &asked, &data, &calls).0.expect("an answer");
    let all = calls.calls.into_inner();
    let (mut stopped, mut resumed) = (0, 0);
    for stop in 0..20 {
        let (answer, took) = run(&place, &asked, &data, &Stops::at((stop * 7919 + 13) % all));
        resumed += took;
        match answer {
            Err(Error::Canceled) => stopped += 1,
            other => assert_eq!(scores(&other.expect("an answer")), scores(&whole)),
        }
    }
    let (answer, _) = run(&place, &asked, &data, &Silent);
    assert_eq!(scores(&answer.expect("an answer")), scores(&whole));
    assert!(stopped > 5 && resumed > 5, "{stopped} stops, {resumed} pieces taken from earlier runs");
    assert!(!place.exists(), "the folder goes with the work");
}

/// With 16 MB the sums over 21 pairs of blocks of samples do not fit at once: the columns are read twice.
#[test]
fn a_stop_in_any_of_several_batches_costs_nothing_but_time() {
    let data = data(1440, 2048);
    let asked = Analysis::default();
    let whole = asked.run(&data, "data", &Silent).expect("an answer");
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("work");
    let tight = |call: usize| Stops { memory: Bytes(16 << 20), ..Stops::at(call) };
    let calls = tight(usize::MAX);
    assert_eq!(scores(&run(&place, &asked, &data, &calls).0.expect("an answer")), scores(&whole));
    let all = calls.calls.into_inner();
    let mut resumed = 0;
    for stop in 1..8 {
        let (answer, took) = run(&place, &asked, &data, &tight(stop * all / 8));
        resumed += took;
        if let Ok(answer) = answer {
            assert_eq!(scores(&answer), scores(&whole));
        }
    }
    let (answer, _) = run(&place, &asked, &data, &tight(usize::MAX));
    assert_eq!(scores(&answer.expect("an answer")), scores(&whole));
    assert!(resumed > 2, "{resumed} pieces taken from earlier runs");
}

#[test]
fn damaged_work_is_done_again() {
    let data = data(260, 9_000);
    let asked = Analysis::default();
    let whole = asked.run(&data, "data", &Silent).expect("an answer");
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("work");
    let kept = open(&place, &asked, &data);
    asked.run(&data, "data", &Checkpointed { monitor: &Silent, checkpoint: &kept }).expect("an answer");
    drop(kept);
    for entry in std::fs::read_dir(&place).expect("files").map(|e| e.expect("a file").path()) {
        if entry.extension().is_some_and(|e| e == "part") {
            let mut bytes = std::fs::read(&entry).expect("bytes");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            bytes.truncate(bytes.len() - bytes.len() % 7);
            std::fs::write(&entry, bytes).expect("written");
        }
    }
    let (answer, resumed) = run(&place, &asked, &data, &Silent);
    assert_eq!(scores(&answer.expect("an answer")), scores(&whole));
    assert_eq!(resumed, 0);
}

#[test]
fn a_folder_keeps_one_question_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("work");
    let asked = Fingerprint { question: 1, data: 1 };
    let first = CheckpointFolder::open(&place, asked).expect("a folder");
    let error = CheckpointFolder::open(&place, asked).expect_err("in use").to_string();
    assert!(error.contains("another run keeps its work there"), "{error}");
    drop(first);
    for (question, data, words) in [(2, 1, "on another question"), (1, 2, "on other data")] {
        let other = Fingerprint { question, data };
        let error = CheckpointFolder::open(&place, other).expect_err("other work").to_string();
        assert!(error.contains(words) && error.contains("name another folder"), "{error}");
    }
    let said = std::fs::read_to_string(place.join("question")).expect("text");
    std::fs::write(place.join("question"), said.replacen(" 2 ", " 1 ", 1)).expect("written");
    let error = CheckpointFolder::open(&place, asked).expect_err("an old folder").to_string();
    assert!(error.contains("of another version of fiedler"), "{error}");
    std::fs::write(place.join("question"), said).expect("written");
    std::fs::write(folder.path().join("mine.txt"), "text").expect("written");
    let error = CheckpointFolder::open(folder.path(), asked).expect_err("something else").to_string();
    assert!(error.contains("something other than unfinished work"), "{error}");
    let error =
        CheckpointFolder::open(&folder.path().join("mine.txt"), asked).expect_err("a file").to_string();
    assert!(error.contains("mine.txt: it is a file; name a folder"), "{error}");
    let error = CheckpointFolder::open(&folder.path().join("a/b"), asked).expect_err("no parent").to_string();
    assert!(error.contains("make that one first"), "{error}");
    std::fs::write(place.join("mine.txt"), "text").expect("written");
    CheckpointFolder::open(&place, asked).expect("the same question").finish().expect("files of ours");
    let left: Vec<_> =
        std::fs::read_dir(&place).expect("the folder").map(|e| e.expect("a file").file_name()).collect();
    assert_eq!(left, ["mine.txt"]);
}
