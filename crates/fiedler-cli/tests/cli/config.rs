//! Flags before environment variables before the configuration file before defaults.

use crate::command::{Folder, fiedler, finish};

/// How many features `rank demo:digits` lists.
fn listed(folder: &Folder, arguments: &[&str], environment: &[(&str, &str)]) -> usize {
    let base = ["rank", "demo:digits", "--method", "variance", "--format", "csv"];
    let mut command = fiedler(&[&base[..], arguments].concat());
    let run = finish(command.current_dir(folder.path("")).envs(environment.iter().copied()));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.stdout.lines().count() - 1
}

#[test]
fn precedence() {
    let folder = Folder::new();
    folder.file("c.toml", "top = 3\n");
    let (file, environment) = (["--config", "c.toml"], [("FIEDLER_TOP", "2")]);
    assert_eq!(listed(&folder, &[], &[]), 64);
    assert_eq!(listed(&folder, &file, &[]), 3);
    assert_eq!(listed(&folder, &["--config=c.toml"], &[]), 3);
    assert_eq!(listed(&folder, &[], &[("FIEDLER_CONFIG", "c.toml")]), 3);
    assert_eq!(listed(&folder, &file, &environment), 2);
    assert_eq!(listed(&folder, &["--config", "c.toml", "--top", "1"], &environment), 1);
}

#[test]
fn a_file_that_nobody_names_is_not_read() {
    let folder = Folder::new();
    folder.file("fiedler.toml", "top = 3\n");
    assert_eq!(listed(&folder, &[], &[]), 64);
}

#[test]
fn lists_tables_flags_and_sections() {
    let folder = Folder::new();
    let text =
        "method = ['laplacian', 'spec']\nmutual = true\nset = { phi = 1 }\n[rank]\nk = 9\n[graph]\nk = 4\n";
    folder.file("c.toml", text);
    let run = folder.run(&["rank", "demo:iris", "--config", "c.toml", "--format", "json", "--quiet"]);
    let answers: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        (answers[0]["method"].as_str(), answers[1]["method"].as_str()),
        (Some("laplacian"), Some("spec"))
    );
    assert_eq!(answers[1]["parameters"]["phi"].to_string().trim_matches('"'), "1");
    assert_eq!(answers[0]["graph"]["parameters"]["k"], 9);
    assert_eq!(answers[0]["graph"]["parameters"]["mutual"], true);
    let run = folder.run(&["graph", "demo:iris", "--config", "c.toml", "--format", "json", "--quiet"]);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(answer["graph"]["parameters"]["k"], 4);
}

#[test]
fn mistakes_in_the_file_are_named() {
    let folder = Folder::new();
    let error = |text: &str| {
        folder.file("c.toml", text);
        let run = folder.run(&["rank", "demo:iris", "--config", "c.toml"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        run.stderr
    };
    assert_eq!(error("tob = 3\n"), "error: c.toml: fiedler has no option `tob`; did you mean `top`?\n");
    assert_eq!(error("[graph]\ntop = 3\n"), "error: c.toml: fiedler graph has no option `top`\n");
    assert!(error("a = 1\ntop = \n").starts_with("error: c.toml, line 2: "));
    assert!(error("top = 'many'\n").contains("invalid value 'many' for '--top <N|auto>'"));
}
