//! Messages name what the command has, in words that can be read.

use crate::command::{Folder, run};

/// The one line that a run says, with its exit code.
fn told(arguments: &[&str]) -> (Option<i32>, String) {
    let run = run(arguments);
    assert_eq!(run.stderr.lines().count(), 1, "{arguments:?}: {}", run.stderr);
    (run.code, run.stderr)
}

#[test]
fn options_are_called_by_their_names() {
    for (arguments, part) in [
        (&["stability", "demo:iris", "--top", "9999999"][..], "--top must be from 1 to 3, fewer than"),
        (&["stability", "demo:iris", "--repeats", "1"], "--repeats must be from 2 to 100000 (selections are"),
        (
            &["evaluate", "demo:iris", "--label", "class", "-m", "variance", "--folds", "999"],
            "--folds must be ",
        ),
        (
            &["evaluate", "demo:iris", "--label", "class", "-m", "variance", "--counts", "9"],
            "--counts must be ",
        ),
        (
            &[
                "rank",
                "demo:iris",
                "--label",
                "class",
                "-m",
                "mrsf",
                "--set",
                "targets=labels",
                "--set",
                "k=0",
            ],
            "which takes --set count=…, --set targets=…",
        ),
    ] {
        let (code, line) = told(arguments);
        assert!(matches!(code, Some(1 | 2)), "{arguments:?}: {line}");
        assert!(line.contains(part), "{arguments:?}: {line}");
    }
}

#[test]
fn numbers_are_short() {
    for arguments in [
        &["stability", "demo:iris", "--fraction", "1e-320"][..],
        &["stability", "demo:iris", "--fraction", "1e308"],
        &["stability", "demo:iris", "--noise", "1e308"],
        &["rank", "demo:iris", "--label", "class", "-m", "hsic", "--set", "sigma=1e308"],
        &["rank", "demo:iris", "--bandwidth", "1e-320"],
    ] {
        let run = run(arguments);
        assert!(
            run.stderr.lines().chain(run.stdout.lines()).all(|l| l.len() < 400),
            "{arguments:?}: {}",
            run.stderr
        );
        assert!(!run.stderr.contains("00000000000000000000"), "{arguments:?}: {}", run.stderr);
        assert!(!run.stdout.contains("00000000000000000000"), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn an_empty_name_is_told_as_such() {
    let (code, line) = told(&["rank", ""]);
    assert_eq!(code, Some(2));
    assert!(line.starts_with("error: DATA is an empty name; name a file"), "{line}");
}

#[test]
fn a_format_that_is_only_read_is_called_by_its_name() {
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../fiedler-io/tests/fixtures/genomics.h5");
    let run = folder.run(&["select", data, "--top", "2", "-o", "out"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr.contains("out: the name has no extension, and HDF5 files, as the data are in"),
        "{}",
        run.stderr
    );
}

/// Every row three times, once in each class: no feature tells them apart.
#[test]
fn classes_that_say_nothing_are_not_blamed_on_graph_or_features() {
    let rows: String =
        (0..12).map(|i| format!("{},{},{}\n", i / 3, (i / 3) * (i / 3), ["a", "b", "c"][i % 3])).collect();
    let folder = Folder::new();
    folder.file("d.csv", format!("x,y,class\n{rows}"));
    let run = folder.run(&["rank", "d.csv", "--label", "class", "-m", "arom-svm"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("no feature tells any of the classes from the others"), "{}", run.stderr);
    assert!(!run.stderr.contains("graph") && !run.stderr.contains("constant"), "{}", run.stderr);
}
