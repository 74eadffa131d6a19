//! Tells the command the hash of what computes the papers' tables, by which kept results are known to be of this
//! very code. What only shows results is left out: they stay valid.

use std::path::Path;

const COMPUTES: [&str; 6] = ["evaluate", "labels", "race", "rankings", "recipe", "study"];

fn main() {
    // Next to the packages there is a lock file in a checkout, and none in a published package.
    let lock = Path::new("../../Cargo.lock");
    let source = COMPUTES.iter().map(|name| Path::new("src/reproduce").join(name).with_extension("rs"));
    // FNV-1a in 64 bits.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for path in source.chain([lock.to_path_buf()]).filter(|p| p.exists()) {
        println!("cargo:rerun-if-changed={}", path.display());
        for byte in std::fs::read(&path).expect("the source is there while it is built") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    // Not FIEDLER_…: cargo hands it on to what it runs, and those variables are options there.
    println!("cargo:rustc-env=TABLES_SOURCE_HASH={hash:016x}");
}
