//! Text of the data: harmless where a terminal sees it, untouched where a program reads it.

use crate::command::{Folder, run};

/// Three features whose names a terminal would obey, or write backwards, and rows in which they differ.
const AWKWARD: &str = "\u{1b}[31mred,\u{1b}]0;title\u{7}x,red,back\u{202e}wards,del\u{7f}\n\
                       1,2,1,4,9\n2,1,5,1,3\n3,5,2,2,7\n4,3,3,8,1\n5,9,1,3,4\n6,4,4,6,2\n";

#[test]
fn names_are_unchanged_for_programs() {
    let folder = Folder::new();
    let file = folder.file("awkward.csv", AWKWARD);
    let names: Vec<&str> = AWKWARD.lines().next().expect("a header").split(',').collect();
    let csv = run(&["rank", &file, "--k", "2", "--format", "csv", "--quiet"]).stdout;
    let output = folder.text("ranking.csv");
    assert_eq!(run(&["rank", &file, "--k", "2", "-o", &output, "--quiet"]).code, Some(0));
    let written = std::fs::read_to_string(&output).expect("a file");
    for name in &names {
        assert!(csv.contains(&format!(",{name},")), "{name:?} on standard output: {csv:?}");
        assert!(written.contains(&format!(",{name},")), "{name:?} in a file: {written:?}");
    }
    let json = run(&["rank", &file, "--k", "2", "--format", "json", "--quiet"]).stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let told: Vec<&str> =
        answer["ranking"].as_array().into_iter().flatten().filter_map(|p| p["feature"].as_str()).collect();
    assert!(names.iter().all(|name| told.contains(name)), "{told:?}");
    let reduced = folder.text("reduced.csv");
    let select = ["select", &file, "--top", "5", "--set", "count=5", "-o", &reduced, "--quiet"];
    assert_eq!(run(&select).code, Some(0));
    let header = std::fs::read_to_string(&reduced).expect("a file");
    assert!(header.starts_with(AWKWARD.lines().next().expect("a header")), "{header:?}");
}

#[test]
fn names_are_harmless_for_people() {
    let folder = Folder::new();
    let file = folder.file("awkward.csv", AWKWARD);
    let table = run(&["rank", &file, "--k", "2"]);
    let error = run(&["rank", &file, "--label", "\u{1b}[31mnone"]);
    for text in [&table.stdout, &table.stderr, &error.stderr] {
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{7f}']), "{text:?}");
    }
    assert!(error.stderr.contains("\\u{1b}]0;title\\u{7}x"), "{}", error.stderr);
}

#[test]
fn numbers_beyond_their_range_are_refused_before_any_work() {
    let huge = "18446744073709551615";
    for arguments in [
        &["evaluate", "demo:iris", "--counts", "1-18446744073709551615"][..],
        &["evaluate", "demo:iris", "--draws", huge],
        &["evaluate", "demo:iris", "--repeats", huge],
        &["stability", "demo:iris", "--repeats", huge],
        &["rank", "demo:planted?samples=1000000000000"],
        &["rank", "demo:planted?samples=10000000000&noise=10000000000"],
        &["rank", "demo:iris", "--k", "0"],
    ] {
        let found = run(arguments);
        assert_eq!((found.code, found.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", found.stderr);
        assert!(found.stderr.starts_with("error: "), "{arguments:?}: {}", found.stderr);
    }
}
