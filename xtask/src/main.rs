//! Chores of the repository. `cargo xtask` lists them.

mod picture;
mod python;
mod test;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo xtask CHORE
  test      format, lints, documentation, all tests, also of Python; ends with the number of tests
  python    build the Python package and write its estimators again from the registry
  python-oldest  the tests of Python with the oldest scikit-learn that is promised to do
  site      build the documentation site of the Python package
  readme    run the commands of the README and the tour again and write what they print into them
  picture   draw docs/digits.svg from what the command says about demo:digits
  assets    write manual pages and shell completions to target/assets";

fn main() -> Result<ExitCode> {
    std::env::set_current_dir(root()?)?;
    match std::env::args().nth(1).as_deref() {
        // The number of tests is the last line, also where something is wrong.
        Some("test") if !test::everything()? => return Ok(ExitCode::FAILURE),
        Some("test") => {}
        Some("python") => python::generate()?,
        Some("python-oldest") => python::oldest()?,
        Some("site") => python::site()?,
        Some("readme") => readme()?,
        Some("picture") => picture::draw(Path::new("docs/digits.svg"))?,
        Some("assets") => assets(Path::new("target/assets"))?,
        _ => bail!("{USAGE}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// The test that checks the README writes it when asked to.
fn readme() -> Result<()> {
    let mut command = cargo(&["test", "--release", "--workspace", "--test", "cli", "readme"]);
    succeed(command.env("UPDATE", "1"))
}

fn assets(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let folder_text = folder.to_str().context("a path in UTF-8")?;
    fiedler(&["man", folder_text])?;
    for (shell, file) in [("bash", "fiedler.bash"), ("zsh", "_fiedler"), ("fish", "fiedler.fish")] {
        std::fs::write(folder.join(file), fiedler(&["completions", shell])?)?;
    }
    println!("manual pages and completions are in {}", folder.display());
    Ok(())
}

/// What the command prints.
fn fiedler(arguments: &[&str]) -> Result<Vec<u8>> {
    let run = ["run", "--release", "--quiet", "--package", "fiedler-cli", "--"];
    let output = cargo(&[&run, arguments].concat()).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("fiedler {} failed", arguments.join(" "));
    }
    Ok(output.stdout)
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments);
    command
}

fn succeed(command: &mut Command) -> Result<()> {
    if command.status()?.success() { Ok(()) } else { bail!("{command:?} failed") }
}

fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_owned).context("the chores live one folder below the root")
}
