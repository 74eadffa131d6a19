//! The Python package: an environment of its own under `target`, the wheel, and everything that is checked of it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::succeed;
use crate::test::{Counts, number_before};

/// What the tests need, from the package index: the newest packages, and the oldest that are promised to do.
const NEWEST: &str = "python/requirements-test.txt";
const OLDEST: &str = "python/requirements-oldest.txt";

/// Where the environment and the wheel are made.
const HOME: &str = "target/python";

/// Builds the package as users get it, tests it and looks at its source. Answers the number of tests and what was not right.
pub(crate) fn everything() -> Result<(Counts, Vec<&'static str>)> {
    let python = installed("venv", NEWEST)?;
    let mut faults = Vec::new();
    // The site runs every example of the gallery.
    let checks: [(&str, &[&str]); 4] = [
        ("lints of Python", &["ruff", "check", "python", "docs/site"]),
        ("types of Python", &["mypy"]),
        ("types of Python as editors see them", &["basedpyright", "--pythonpath", &python.to_string_lossy()]),
        ("documentation site", &["sphinx", "-W", "--keep-going", "-q", "docs/site", "target/python/site"]),
    ];
    for (name, words) in checks {
        if shown(module(&python, words[0]).args(&words[1..])).is_err() {
            faults.push(name);
        }
    }
    let counts = tests(&python)?;
    if counts.failed > 0 || !counts.complete {
        faults.push("tests of Python");
    }
    if smoke().is_err() {
        faults.push("the oldest packages that are promised to do");
    }
    Ok((counts, faults))
}

/// The wheel that was just made, with the oldest packages: that it can be imported, and what estimators promise by
/// hand. All tests run by `cargo xtask python-oldest`.
fn smoke() -> Result<()> {
    let python = environment("oldest", OLDEST)?;
    install(&python, &made_wheel()?)?;
    shown(module(&python, "pytest").args(["python/tests/test_estimators.py", "-k", "not check"]))
}

/// `cargo xtask python`: the package installed in the environment, and the estimators written again from the registry.
pub(crate) fn generate() -> Result<()> {
    let python = installed("venv", NEWEST)?;
    shown(Command::new(python).arg("python/generate.py"))
}

/// `cargo xtask python-oldest`: the tests with the oldest scikit-learn that is promised to do.
pub(crate) fn oldest() -> Result<()> {
    let counts = tests(&installed("oldest", OLDEST)?)?;
    ensure!(counts.failed == 0 && counts.complete, "{} tests of Python failed", counts.failed);
    Ok(())
}

/// `cargo xtask site`: the documentation site.
pub(crate) fn site() -> Result<()> {
    let python = installed("venv", NEWEST)?;
    shown(module(&python, "sphinx").args(["-W", "--keep-going", "-q", "docs/site", "target/python/site"]))?;
    println!("open target/python/site/index.html");
    Ok(())
}

/// The interpreter of an environment with the package in it.
fn installed(name: &str, requirements: &str) -> Result<PathBuf> {
    let python = environment(name, requirements)?;
    let wheels = Path::new(HOME).join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    shown(
        module(&python, "maturin")
            .args(["build", "--release", "--out"])
            .arg(&wheels)
            .arg("--interpreter")
            .arg(&python),
    )?;
    install(&python, &made_wheel()?)?;
    Ok(python)
}

/// The wheel that was made last.
fn made_wheel() -> Result<PathBuf> {
    let wheels = Path::new(HOME).join("wheels");
    Ok(std::fs::read_dir(wheels)?.next().context("maturin made no wheel")??.path())
}

fn install(python: &Path, wheel: &Path) -> Result<()> {
    shown(module(python, "pip").args(["install", "--quiet", "--force-reinstall", "--no-deps"]).arg(wheel))
}

/// The interpreter of an environment with all that the tests need; made where it is missing or of another time.
fn environment(name: &str, requirements: &str) -> Result<PathBuf> {
    let system = system_python()?;
    let home = std::env::current_dir()?.join(HOME).join(name);
    let wanted = format!("# {system}\n{}", std::fs::read_to_string(requirements)?);
    let python = home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let made = home.join("made-from.txt");
    if std::fs::read_to_string(&made).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    shown(Command::new(&system).args(["-m", "venv", "--clear"]).arg(&home))?;
    shown(module(&python, "pip").args(["install", "--quiet", "--requirement", requirements]))?;
    std::fs::write(made, wanted)?;
    Ok(python)
}

/// The interpreter of the system: `PYTHON`, or `python3`, from 3.11 on.
fn system_python() -> Result<String> {
    let name = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let advice =
        "the Python package needs Python 3.11 or newer; install it, or name one by the variable PYTHON";
    let asked =
        Command::new(&name).args(["-c", "import sys, venv; print(sys.version_info >= (3, 11))"]).output();
    let answer = asked.with_context(|| format!("`{name}` cannot be run: {advice}"))?;
    let is_new = String::from_utf8_lossy(&answer.stdout).trim() == "True";
    ensure!(answer.status.success() && is_new, "`{name}` is too old, or has no module `venv`: {advice}");
    Ok(name)
}

fn tests(python: &Path) -> Result<Counts> {
    let mut command = module(python, "pytest");
    println!("$ python -m pytest");
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut counts = Counts::default();
    for line in BufReader::new(child.stdout.take().context("a pipe")?).lines() {
        let line = line?;
        println!("{line}");
        // The closing line: `2 failed, 12 passed, 1 skipped in 3.21s`.
        if line.contains(" passed") && line.contains(" in ") {
            counts.passed = number_before(&line, " passed");
            counts.failed = number_before(&line, " failed") + number_before(&line, " error");
        }
    }
    counts.complete = child.wait()?.success();
    Ok(counts)
}

fn module(python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", name]);
    command
}

/// Shows a command and runs it.
fn shown(command: &mut Command) -> Result<()> {
    let words = command.get_args().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    println!("$ python {words}");
    match succeed(command) {
        Ok(()) => Ok(()),
        Err(_) => bail!("python {words} failed"),
    }
}
