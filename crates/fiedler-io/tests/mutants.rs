//! Thousands of damaged files through every reader, the same ones on every run.
//!
//! Seeds are the fixtures and `tests/broken`, which keeps files that once broke a reader. Memory is counted:
//! a request for more than [`LARGEST`] bytes fails, and a reader that did not expect that ends the run. The
//! bytes of the mutant at work are in `mutant.TARGET` in a folder that the run names where it hangs: one in memory where
//! there is such, for writing every mutant to a disk takes most of the time.
//!
//! A panic of a library that reads a format is told in a sentence. On damaged files these are counted and printed; on a
//! file that is whole there must be none.

mod targets;

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use targets::{TARGETS, Target, check};

/// Mutants of a target, unless `MUTANTS` says otherwise.
const COUNT: usize = 3000;

/// Bytes that may be asked for at once, and that all together may be in use.
const LARGEST: usize = 512 << 20;

/// A file that is still being read after this time is taken to hang. It says nothing about speed.
const PATIENCE: Duration = Duration::from_secs(600);

/// The allocator of the system, with a limit.
struct Limited;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// An allocator cannot be written otherwise; this one hands everything to that of the system.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size() > LARGEST {
            IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
            return std::ptr::null_mut();
        }
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// Small numbers that look random: SplitMix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Numbers at which lengths and counts go wrong.
const ODD: [u64; 10] = [
    0,
    1,
    0x7f,
    0xff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0xffff_ffff_ffff_ffff,
];

/// Texts at which readers of text go wrong.
const WORDS: [&str; 12] = [
    "\"",
    "\n",
    "\r",
    ",",
    "\t",
    "\0",
    "nan",
    "1e999",
    "-",
    "4294967296:1",
    "99999999999999999999",
    "\u{feff}",
];

/// A damaged copy of one of the seeds.
fn mutant(seeds: &[Vec<u8>], draw: &mut Draw) -> Vec<u8> {
    let mut bytes = seeds[draw.below(seeds.len())].clone();
    for _ in 0..1 + draw.below(4) {
        let at = draw.below(bytes.len());
        match draw.below(9) {
            0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << draw.below(8),
            2 if !bytes.is_empty() => bytes[at] = draw.next() as u8,
            3 => bytes.truncate(at),
            4 => {
                let end = (at + draw.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
            5 => {
                let size = [1, 2, 4, 8][draw.below(4)];
                let value = ODD[draw.below(ODD.len())].to_le_bytes();
                let end = (at + size).min(bytes.len());
                let size = end - at;
                bytes[at..end].copy_from_slice(&value[..size]);
            }
            6 => {
                let word = WORDS[draw.below(WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            7 => {
                let end = (at + draw.below(200)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let place = draw.below(bytes.len());
                bytes.splice(place..place, piece);
            }
            _ => {
                let other = &seeds[draw.below(seeds.len())];
                let from = draw.below(other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }
    bytes
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The files of a folder that a target reads, in the order of their names.
fn files(folder: &Path, target: &Target) -> Vec<Vec<u8>> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listed.map(|e| e.path()).collect();
    paths.sort();
    let name = |p: &PathBuf| p.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.retain(|p| target.endings.iter().any(|end| name(p).ends_with(end)));
    paths.iter().map(|p| content(p)).collect()
}

/// A file; damage to what is compressed would only ever be found by its checksum.
fn content(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a seed");
    if path.extension().is_none_or(|e| e != "gz") {
        return bytes;
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).expect("a gzip file");
    unpacked
}

/// Reads all seeds of a target and its mutants; how many mutants, and how many of them made a library panic.
fn run(target: &Target, folder: &Path) -> (usize, usize) {
    let whole = [files(&tests().join("fixtures"), target), files(&tests().join("seeds"), target)].concat();
    let seeds = [whole.clone(), files(&tests().join("broken"), target)].concat();
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    let count = std::env::var("MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(COUNT);
    let name_as_number = target.name.bytes().fold(1_u64, |n, b| n.wrapping_mul(257).wrapping_add(b.into()));
    let mut draw = Draw(name_as_number);
    let at_work = folder.join(format!("mutant.{}", target.name));
    let own = folder.join(target.name);
    std::fs::create_dir_all(&own).expect("a folder");
    let mut panics = 0;
    for i in 0..count + seeds.len() {
        let bytes = if i < seeds.len() { seeds[i].clone() } else { mutant(&seeds, &mut draw) };
        std::fs::write(&at_work, &bytes).expect("written");
        READ.fetch_add(1, Ordering::Relaxed);
        if let Some(what) = check(target, &bytes, &own) {
            assert!(i >= whole.len(), "{}: a file that is whole, number {i}: {what}", target.name);
            panics += 1;
        }
    }
    let _ = std::fs::remove_file(at_work);
    (count, panics)
}

/// Files begun so far.
static READ: AtomicUsize = AtomicUsize::new(0);

/// Turns a hang into a message: ends the run where one file takes all the patience there is.
fn watch(folder: PathBuf) {
    std::thread::spawn(move || {
        loop {
            let before = READ.load(Ordering::Relaxed);
            std::thread::sleep(PATIENCE);
            if READ.load(Ordering::Relaxed) == before {
                eprintln!("a reader hangs; its file is the `mutant.*` in {}", folder.display());
                std::process::exit(1);
            }
        }
    });
}

/// A folder in memory where there is one, or else that of the tests.
fn folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let own = memory.join(format!("fiedler-mutants-{}", std::process::id()));
    if cfg!(target_os = "linux") && std::fs::create_dir(&own).is_ok() {
        return own;
    }
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// One test, so that the memory counted is that of one reader.
#[test]
fn every_reader_answers_about_every_mutant() {
    let folder = folder();
    watch(folder.clone());
    let only = std::env::var("TARGET_ONLY").ok();
    for target in TARGETS.iter().filter(|t| only.as_deref().is_none_or(|name| name == t.name)) {
        let (count, panics) = run(target, &folder);
        println!("{}: {count} mutants, {panics} of them panics of a library, told", target.name);
    }
    if folder.starts_with("/dev/shm") {
        let _ = std::fs::remove_dir_all(folder);
    }
}
