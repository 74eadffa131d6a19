//! Messages of the readers, and of the library beside them, are for every program that uses them: none names an option of
//! the command.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path() {
            path if path.is_dir() => sources(&path, found),
            path => found.push(path),
        }
    }
}

/// Whether two dashes stand before a letter, as an option begins.
fn names_an_option(line: &str) -> bool {
    let mut rest = line;
    while let Some(at) = rest.find("--") {
        rest = &rest[at + 2..];
        if rest.starts_with(|c: char| c.is_ascii_lowercase()) {
            return true;
        }
    }
    false
}

#[test]
fn no_message_names_an_option() {
    assert!(names_an_option("leave --layer out") && !names_an_option("a -- b ---c---"));
    let mut files = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&here.join("src"), &mut files);
    let library = here.join("../fiedler/src");
    if library.is_dir() {
        sources(&library, &mut files);
    }
    assert!(files.len() > 40, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        // Comments may say how a program calls something; messages may not.
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("//")) {
            assert!(!names_an_option(line), "{}:{}: {line}", file.display(), number + 1);
        }
    }
}
