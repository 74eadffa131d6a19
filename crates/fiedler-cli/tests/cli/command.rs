//! Runs the command and compares what it prints.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

/// The command, free of the settings of whoever runs the tests.
pub(crate) fn fiedler(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fiedler"));
    command.args(arguments).stdin(Stdio::null()).env_remove("COLUMNS");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FIEDLER_") {
            command.env_remove(name);
        }
    }
    command
}

pub(crate) fn run(arguments: &[&str]) -> Run {
    finish(&mut fiedler(arguments))
}

pub(crate) fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the command starts");
    Run {
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code(),
    }
}

/// Runs with a text on standard input.
pub(crate) fn run_with_input(arguments: &[&str], input: &str) -> Run {
    let mut command = fiedler(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command that fails early closes its end; its own message tells why.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    Run {
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code(),
    }
}

/// Standard output of a run that must succeed without a word on standard error.
pub(crate) fn quietly(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    run.stdout
}

pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&quietly(arguments)).expect("JSON")
}

/// The names of the features, in the order of a JSON ranking.
pub(crate) fn names(answer: &serde_json::Value) -> Vec<&str> {
    let ranking = answer["ranking"].as_array().expect("a ranking");
    ranking.iter().map(|f| f["feature"].as_str().expect("a name")).collect()
}

/// Compares with `snapshots/NAME.txt`, or writes it when `UPDATE` is set.
pub(crate) fn snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/snapshots/{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{} differs; UPDATE=1 accepts what is printed now", path.display());
}

/// A folder of its own for a test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path as an argument.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).expect("the file can be written");
        self.text(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    /// The names of the files in it.
    pub(crate) fn list(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("listed");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the command in it, so that messages hold names without folders.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        finish(fiedler(arguments).current_dir(self.0.path()))
    }
}

/// Twelve flowers with a text label.
pub(crate) const FLOWERS: &str = "\
length,width,noise,species
1.0,0.2,5.1,setosa
1.1,0.3,4.9,setosa
1.2,0.2,5.3,setosa
1.1,0.1,4.7,setosa
4.0,1.2,5.0,versicolor
4.2,1.3,5.2,versicolor
4.1,1.4,4.8,versicolor
4.3,1.3,5.1,versicolor
6.0,2.2,5.0,virginica
6.1,2.4,4.9,virginica
5.9,2.3,5.2,virginica
6.2,2.1,4.8,virginica
";
