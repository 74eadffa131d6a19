//! What a fuzzer calls. The targets are those of the tests.

#[path = "../../crates/fiedler-io/tests/targets/mod.rs"]
mod targets;

#[path = "../../crates/fiedler/tests/small/mod.rs"]
mod small;

use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// Reads bytes with the reader of that name.
pub fn read(name: &str, bytes: &[u8]) {
    let target = targets::TARGETS.iter().find(|t| t.name == name).expect("a target of that name");
    targets::check(target, bytes, FOLDER.path());
}

/// Asks a method about the small matrix that the bytes describe.
pub fn method(bytes: &[u8]) {
    small::check_any(bytes);
}

/// Runs the command that `FIEDLER` names on a file of these bytes; it must end with an answer or a sentence.
pub fn command(arguments: &[&str], bytes: &[u8]) {
    let program = std::env::var_os("FIEDLER").expect("FIEDLER=path of the command");
    let path = FOLDER.path().join("f.toml");
    std::fs::write(&path, bytes).expect("the file can be written");
    let output = Command::new(program).args(arguments).arg(&path).output().expect("the command starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0..=2)), "{:?}: {told}", output.status);
    assert!(!told.contains("panicked"), "{told}");
}
