//! Chores of the repository: `cargo xtask test`.

use std::process::Command;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        other => bail!("usage: cargo xtask test (got {other:?})"),
    }
}

/// Everything that must hold before a change lands.
fn test() -> Result<()> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    cargo(&["test", "--release", "--workspace"])
}

fn cargo(arguments: &[&str]) -> Result<()> {
    println!("$ cargo {}", arguments.join(" "));
    let status = Command::new(env!("CARGO")).args(arguments).status()?;
    if !status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(())
}
