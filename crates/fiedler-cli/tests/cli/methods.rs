//! `fiedler methods`, `completions`, help and version.

use crate::command::{Folder, json, quietly, run};

#[test]
fn every_method_is_listed_and_described() {
    let overview = quietly(&["methods"]);
    let all = json(&["methods", "--format", "json"]);
    for entry in fiedler::methods::all() {
        let info = entry.info;
        assert!(overview.contains(&format!("\n{} ", info.name)), "{}", info.name);
        let text = quietly(&["methods", info.name]);
        assert!(text.contains(info.formula.split_whitespace().next().unwrap_or_default()), "{text}");
        for parameter in info.parameters {
            assert!(text.contains(parameter.name) && text.contains(&parameter.default.to_string()), "{text}");
        }
        let found = all.as_array().into_iter().flatten().find(|m| m["name"] == info.name).expect("listed");
        assert_eq!(found["parameters"].as_array().map(Vec::len), Some(info.parameters.len()));
    }
}

#[test]
fn every_method_runs_on_embedded_data_without_options() {
    for entry in fiedler::methods::all() {
        let answer = json(&["rank", "demo:iris", "--method", entry.info.name, "--quiet", "--format", "json"]);
        assert_eq!(answer["ranking"].as_array().map(Vec::len), Some(4), "{}", entry.info.name);
    }
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(quietly(&["completions", shell]).contains("fiedler"), "{shell}");
    }
    let folder = Folder::new();
    assert_eq!(folder.run(&["man", "."]).code, Some(0));
    assert!(folder.list().contains(&"fiedler-rank.1".to_owned()), "{:?}", folder.list());
    // A folder that is not there is made, and the overview names both commands.
    assert_eq!(folder.run(&["man", "new/pages"]).code, Some(0));
    assert!(folder.path("new/pages/fiedler-rank.1").exists());
    assert_eq!(folder.run(&["completions", "fish", "new/shell"]).code, Some(0));
    assert!(folder.path("new/shell/fiedler.fish").exists());
    let help = quietly(&["--help"]);
    assert!(help.contains("\n  man ") && help.contains("\n  completions "), "{help}");
}

#[test]
fn help_and_version() {
    assert_eq!(quietly(&["--version"]), format!("fiedler {}\n", env!("CARGO_PKG_VERSION")));
    let help = quietly(&["rank", "--help"]);
    for heading in ["Data:", "Method:", "Graph:", "Output:", "Common:", "Examples:"] {
        assert!(help.contains(heading), "{heading}");
    }
    assert_eq!(quietly(&["help", "rank"]), help);
    let nothing = run(&[]);
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.stderr.contains("Usage: fiedler <COMMAND>"), "{}", nothing.stderr);
}

#[test]
fn the_overview_fits_and_shells_know_the_methods() {
    let overview = quietly(&["methods"]);
    assert!(overview.lines().all(|line| line.chars().count() <= 80), "{overview}");
    let bash = quietly(&["completions", "bash"]);
    assert!(bash.contains("relief-spec") && bash.contains("path-spca"));
    assert!(!quietly(&["rank", "--help"]).contains("path-spca"));
}
