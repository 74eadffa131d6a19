//! `cargo xtask test`: everything that must hold before a change lands.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::{cargo, python, succeed};

/// The feature that is off by default, with nothing beside it: what it brings gives other features to half of the dependencies, so that
/// they are compiled once more.
const ZARR: [&str; 10] = [
    "--release",
    "-p",
    "fiedler-io",
    "--no-default-features",
    "--features",
    "zarr",
    "--test",
    "zarr",
    "--test",
    "zarr_out_of_core",
];

/// Runs every check, whatever the others say, and ends with the number of tests. Answers whether
/// all is right.
pub(crate) fn everything() -> Result<bool> {
    let readers = |formats| {
        let only = ["--no-default-features", "--features", formats];
        [&["clippy", "--release", "-p", "fiedler-io"][..], &only, &["--", "-D", "warnings"]].concat()
    };
    let plain = ["clippy", "--release", "-p", "fiedler-cli", "--no-default-features", "--", "-D", "warnings"];
    let checks: [(&str, &[&str]); 9] = [
        ("format", &["fmt", "--all", "--check"]),
        ("lints", &["clippy", "--release", "--workspace", "--all-targets", "--", "-D", "warnings"]),
        ("the readers without optional formats", &readers("")),
        ("the readers with Arrow alone", &readers("arrow")),
        ("the readers with HDF5 alone", &readers("hdf5")),
        ("the readers with Parquet alone", &readers("parquet")),
        ("the readers with Zarr", &[&["clippy"][..], &ZARR, &["--", "-D", "warnings"]].concat()),
        ("the command without figures", &plain),
        ("documentation", &["doc", "--release", "--workspace", "--no-deps", "--quiet"]),
    ];
    let mut faults = Vec::new();
    for (name, arguments) in checks {
        println!("$ cargo {}", arguments.join(" "));
        if succeed(cargo(arguments).env("RUSTDOCFLAGS", "-D warnings")).is_err() {
            faults.push(name);
        }
    }
    browser();
    let mut counts = tests(&["test", "--release", "--workspace", "--no-fail-fast"])?;
    if counts.failed > 0 || !counts.complete {
        faults.push("tests");
    }
    let zarr = tests(&[&["test", "--no-fail-fast"][..], &ZARR].concat())?;
    counts.passed += zarr.passed;
    counts.failed += zarr.failed;
    if zarr.failed > 0 || !zarr.complete {
        faults.push("tests of Zarr");
    }
    match python::everything() {
        Ok((more, wrong)) => {
            counts.passed += more.passed;
            counts.failed += more.failed;
            faults.extend(wrong);
        }
        Err(error) => {
            println!("{error:#}");
            faults.push("the Python package");
        }
    }
    if !faults.is_empty() {
        println!("not right: {}", faults.join(", "));
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(faults.is_empty())
}

/// Chromium, for the tests of reports: installed where that is possible, and where not, what is missing is said.
fn browser() {
    let there = || ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| answers(name));
    if there() {
        return;
    }
    println!("$ apt-get install -y chromium");
    let install = |arguments: &[&str]| {
        Command::new("apt-get")
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    let done = install(&["install", "-y", "--no-install-recommends", "chromium"])
        || (install(&["update"]) && install(&["install", "-y", "--no-install-recommends", "chromium"]));
    if !done || !there() {
        println!(
            "no Chromium: reports are not looked at in a browser. Install the package `chromium` (Debian: apt-get install \
             chromium, as root) and run the tests again"
        );
    }
}

fn answers(command: &str) -> bool {
    let version = Command::new(command).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// How many tests there were.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Whether everything could be built and run.
    pub(crate) complete: bool,
}

fn tests(arguments: &[&str]) -> Result<Counts> {
    println!("$ cargo {}", arguments.join(" "));
    let mut child = cargo(arguments).stdout(Stdio::piped()).spawn()?;
    let mut counts = Counts::default();
    for line in BufReader::new(child.stdout.take().context("a pipe")?).lines() {
        let line = line?;
        println!("{line}");
        if let Some(result) = line.strip_prefix("test result: ") {
            counts.passed += number_before(result, " passed");
            counts.failed += number_before(result, " failed");
        }
    }
    counts.complete = child.wait()?.success();
    Ok(counts)
}

/// The number that stands before `word` in `ok. 12 passed; 0 failed; …`.
pub(crate) fn number_before(text: &str, word: &str) -> usize {
    let before = text.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::number_before;

    #[test]
    fn results_are_counted() {
        let result = "FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out";
        assert_eq!((number_before(result, " passed"), number_before(result, " failed")), (12, 3));
    }
}
