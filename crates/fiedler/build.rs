//! Tells the library the hash of its own source, by which results that others keep are known to be
//! of this very code.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=src");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files);
    files.sort();
    // FNV-1a in 64 bits.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let text = std::fs::read(&file).expect("the source is there while it is built");
        for byte in file.to_string_lossy().bytes().chain(text) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    println!("cargo:rustc-env=LIBRARY_SOURCE_HASH={hash:016x}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of source").flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
