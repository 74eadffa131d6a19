//! Files made to break the command: one sentence, exit code 1, little memory.

use std::process::Command;

use crate::command::{Folder, Run, fiedler, finish, run, run_with_input};

/// Runs the command with at most two gigabytes of addresses.
fn limited(arguments: &[&str]) -> Run {
    let program = fiedler(&[]).get_program().to_owned();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""]).arg(program).args(arguments);
    finish(&mut command)
}

/// The one sentence of a run that fails as it should.
fn sentence(run: &Run) -> String {
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    run.stderr.trim_start_matches("error: ").trim_end().to_owned()
}

#[test]
fn headers_and_lines_of_different_widths() {
    let told = "standard input, line 1: the header has 3 names and the lines below it have 2 fields";
    let found = sentence(&run_with_input(&["rank", "-", "--label", "cls"], "a,b,cls\n1,2\n3,4\n5,6\n"));
    assert!(found.starts_with(told), "{found}");
    let found = sentence(&run_with_input(&["rank", "-"], "a,b,c\n1,2\n2,3\n3,5\n4,4\n"));
    assert!(found.starts_with(told), "{found}");
    let run = run_with_input(&["rank", "-"], "a,b\n1,2,3\n4,5,6\n7,8,10\n9,9,9\n");
    assert!(
        run.stderr.starts_with("note: the header has 2 names and the lines have 3 fields"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_edge_that_names_a_sample_out_of_reach() {
    let folder = Folder::new();
    let edges = folder.file("far.csv", "0,1,1\n2,4294967296,1\n");
    for kind in ["file", "distances"] {
        let found = sentence(&limited(&["rank", "demo:iris", "--graph", &format!("{kind}:{edges}")]));
        assert!(found.contains("row 2: sample 4294967296, and the data have 150 samples"), "{found}");
    }
    let edges = folder.file("near.csv", "0,1,1\n2,151,1\n");
    let found = sentence(&run(&["rank", "demo:iris", "--graph", &format!("file:{edges}")]));
    assert!(found.contains("row 2: sample 151, and the data have 150 samples"), "{found}");
}

#[test]
fn a_first_edge_that_counts_up_is_an_edge() {
    let folder = Folder::new();
    let ring: String = (0..150).map(|i| format!("{i},{},{}\n", (i + 1) % 150, 2)).collect();
    assert!(ring.starts_with("0,1,2\n"));
    let edges = folder.file("ring.csv", ring);
    let run = folder.run(&["graph", "demo:iris", "--graph", &format!("file:{edges}"), "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    assert_eq!(answer["graph"]["edges"].as_u64().or(answer["edges"].as_u64()), Some(150), "{}", run.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_without_end() {
    assert!(sentence(&limited(&["rank", "/dev/zero"])).contains("/dev/zero: not text"));
    let mut command = Command::new("sh");
    let program = fiedler(&[]).get_program().to_owned();
    command.args(["-c", "ulimit -v 1000000; yes 1,2,3 | \"$0\" rank -"]).arg(program);
    let found = sentence(&finish(&mut command));
    assert!(found.starts_with("standard input: reading it takes more than"), "{found}");
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_options_and_names_end_somewhere() {
    for (arguments, code) in [
        (&["rank", "demo:iris", "--exclude", "/dev/zero"][..], 1),
        (&["rank", "demo:iris", "--include", "/dev/zero"], 1),
        (&["rank", "demo:iris", "--config", "/dev/zero"], 2),
        (&["fuse", "/dev/zero"], 1),
        (&["reproduce", "/dev/zero"], 2),
    ] {
        let found = run(arguments);
        assert_eq!(found.code, Some(code), "{arguments:?}: {}", found.stderr);
        assert!(found.stderr.contains("/dev/zero: it is longer than 64 MB"), "{}", found.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let table = "a,b,c\n1,2,3\n2,3,5\n4,5,1\n7,1,2\n9,2,3\n";
    for (bytes, shown) in [(&b"na\xffme.csv"[..], "na\u{fffd}me.csv"), (b"two\nlines.csv", "two\\nlines.csv")]
    {
        let name = std::ffi::OsStr::from_bytes(bytes);
        std::fs::write(folder.path("x").with_file_name(name), table).expect("written");
        let mut command = fiedler(&["rank", "--k", "2"]);
        let run = finish(command.arg(name).current_dir(folder.path("")));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.lines().any(|l| l.contains(shown)), "{}", run.stdout);
        let mut command = fiedler(&["rank", "--label", "z"]);
        let found = sentence(&finish(command.arg(name).current_dir(folder.path(""))));
        assert!(found.starts_with(&format!("{shown}: no column is called `z`")), "{found}");
        // Not even such a file is overwritten.
        let mut command = fiedler(&["select", "--top", "2", "-o"]);
        let run = finish(command.arg(name).arg(name).current_dir(folder.path("")));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for arguments in [&["--help"][..], &["rank", "--help"], &["--version"], &["methods"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let run = finish(fiedler(arguments).stdout(full));
        assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: standard output: "), "{}", run.stderr);
        assert_eq!(crate::command::run(arguments).code, Some(0));
    }
}

#[test]
fn answers_are_written_in_formats_there_are() {
    let folder = Folder::new();
    for command in [&["rank", "demo:iris"][..], &["stability", "demo:iris"], &["graph", "demo:iris"]] {
        for name in ["out.xlsx", "out.parquet", "out.csv.gz"] {
            let run = folder.run(&[command, &["-o", name]].concat());
            assert_eq!(run.code, Some(2), "{command:?} {name}");
            assert!(run.stderr.contains(" or .txt (a table), or say which format"), "{}", run.stderr);
            assert!(folder.list().is_empty(), "{:?}", folder.list());
        }
    }
    let run = folder.run(&["rank", "demo:iris", "--quiet", "--format", "csv", "-o", "out.data"]);
    assert_eq!((run.code, folder.list()), (Some(0), vec!["out.data".to_owned()]));
}

#[test]
fn dates_as_labels_are_classes() {
    let dated = concat!(env!("CARGO_MANIFEST_DIR"), "/../fiedler-io/tests/fixtures/dated.parquet");
    for label in [&["--label=-1"][..], &["--label", "-1"], &["--label", "when"]] {
        let run = run(&[&["rank", dated][..], label].concat());
        assert_eq!(run.code, Some(0), "{label:?}: {}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_were_kept_end_somewhere() {
    let folder = Folder::new();
    for arguments in [&["report", "/dev/zero", "-o"][..], &["plot", "scores", "/dev/zero", "-o"]] {
        let output = folder.text(if arguments[0] == "plot" { "p.svg" } else { "p.html" });
        let found = sentence(&limited(&[arguments, &[&output]].concat()));
        assert!(found.starts_with("/dev/zero: it is longer than "), "{found}");
        assert!(folder.list().is_empty());
    }
}

#[test]
fn a_name_of_the_data_never_looks_like_a_message() {
    let table = "\"a\nerror: hacked\",b,\"a\nerror: hacked\"\n1,2,3\n2,3,5\n4,5,1\n7,1,2\n9,2,3\n";
    for arguments in [&["rank", "-", "--label", "nope"][..], &["rank", "-", "--k", "2"]] {
        let run = run_with_input(arguments, table);
        assert!(run.stderr.contains("a\\nerror: hacked"), "{}", run.stderr);
        let begins = |line: &str| line.starts_with("error: ") || line.starts_with("note: ");
        assert!(run.stderr.lines().all(begins), "{}", run.stderr);
        assert!(run.stderr.lines().all(|l| !l.starts_with("error: hacked")), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    let mut command = Command::new("sh");
    let line = "ulimit -f 100; exec \"$0\" select 'demo:planted?samples=2000&noise=200' -m variance --top 100 -o out.csv";
    command.args(["-c", line]).arg(fiedler(&[]).get_program()).current_dir(folder.path(""));
    let found = sentence(&finish(&mut command));
    assert!(found.starts_with("out.csv: "), "{found}");
    assert!(folder.list().is_empty(), "{:?}", folder.list());
}

#[cfg(target_os = "linux")]
#[test]
fn names_as_long_as_the_system_allows() {
    let folder = Folder::new();
    let name = format!("{}.csv", "x".repeat(251));
    let run = folder.run(&["rank", "demo:iris", "--quiet", "-o", &name]);
    assert_eq!((run.code, folder.list()), (Some(0), vec![name]), "{}", run.stderr);
}

#[test]
fn a_header_wider_than_its_lines_in_a_file_that_is_fused() {
    let folder = Folder::new();
    folder.file("x.csv", "a,b,name\n1,2\n3,4\n5,6\n");
    folder.file(
        "f.toml",
        "[target]\nfile = \"x.csv\"\nnames = \"name\"\n\n[[source]]\nname = \"own\"\nkind = \"target\"\n",
    );
    let found = sentence(&folder.run(&["fuse", "f.toml"]));
    assert!(
        found.contains("x.csv, line 1: the header has 3 names and the lines below it have 2 fields"),
        "{found}"
    );
}

#[test]
fn a_mistake_in_a_recipe_is_one_line() {
    let folder = Folder::new();
    folder.file("open.toml", "x = [\n");
    folder.file("long.toml", format!("{} = 1\n", "x".repeat(100_000)));
    for (arguments, place) in [
        (["fuse", "open.toml"], "open.toml, line "),
        (["fuse", "long.toml"], "long.toml, line 1: "),
        (["reproduce", "open.toml"], "open.toml, line "),
    ] {
        let run = folder.run(&arguments);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(place) && run.stderr.len() < 600, "{}", run.stderr);
    }
}
