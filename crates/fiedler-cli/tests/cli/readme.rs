//! The README and the tour show what the command prints today: their examples are run, the table is made.
//!
//! `cargo xtask readme` (which sets `UPDATE`) writes what is printed now into them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use fiedler::{MethodInfo, Supervision, methods};

use crate::command::Folder;

#[test]
fn the_readme_is_current() {
    is_current("README.md", 2);
}

#[test]
fn the_tour_is_current() {
    is_current("docs/tour.md", 5);
}

/// The examples of a page are run, `at_least` so many.
fn is_current(page: &str, at_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let written = std::fs::read_to_string(&path).expect(page);
    let current = with_table(&with_examples(&written));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &current).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).expect(page);
    assert_eq!(written, current, "{page}: run `cargo xtask readme`");
    assert!(current.matches("\n$ fiedler ").count() >= at_least, "{page}: the examples are found");
}

/// The text with every `console` block run again, in one folder from top to bottom.
fn with_examples(text: &str) -> String {
    let folder = Folder::new();
    copy_examples(&folder.path("examples/fuse"));
    let mut out = String::new();
    let mut in_block = false;
    for line in text.lines() {
        match line {
            "```console" => in_block = true,
            "```" => in_block = false,
            _ if !in_block => {}
            command => match command.strip_prefix("$ ") {
                Some(script) => {
                    let _ = writeln!(out, "{line}");
                    out.push_str(&shell(script, &folder.path("")));
                    continue;
                }
                // What was printed last time.
                None => continue,
            },
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

/// The examples of the repository, where the README's commands look for them.
fn copy_examples(to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fuse");
    for file in std::fs::read_dir(from).expect("the examples") {
        let file = file.expect("an entry");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("copied");
    }
}

fn shell(script: &str, folder: &Path) -> String {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_fiedler"));
    let mut places = vec![binary.parent().expect("a folder").to_owned()];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {script}\n}} 2>&1")])
        .env("PATH", std::env::join_paths(places).expect("a path"))
        .current_dir(folder)
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text with the table of methods made anew between its marks, where it has them.
fn with_table(text: &str) -> String {
    const BEGIN: &str = "<!-- methods: written by `cargo xtask readme` -->\n";
    const END: &str = "<!-- end of methods -->";
    let Some((before, rest)) = text.split_once(BEGIN) else { return text.to_owned() };
    let (_, after) = rest.split_once(END).expect("the mark after the table");
    let mut table =
        String::from("| method | labels | better | what it measures | source |\n|---|---|---|---|---|\n");
    for entry in methods::all() {
        let MethodInfo { name, measures, reference, .. } = entry.info;
        let labels = match entry.info.supervision {
            Supervision::Unsupervised => "none",
            Supervision::SemiSupervised => "some",
            Supervision::Supervised => "all",
            Supervision::Optional => "optional",
        };
        let number = if entry.info.takes_number { ", or a number" } else { "" };
        let better = entry.info.goal.in_words().trim_end_matches(" is better");
        let _ = writeln!(table, "| `{name}` | {labels}{number} | {better} | {measures} | {reference} |");
    }
    format!("{before}{BEGIN}{}{END}{after}", table.replace("||", "\\|\\|"))
}
