//! Answers fit a page of 80 columns, and a narrow one of 50 as far as words allow.

use crate::command::{Folder, fiedler, finish};

const LONG: &str = "a_measurement_with_a_rather_long_name_as_they_come_from_devices";

/// Commands whose answers people read.
const COMMANDS: [&[&str]; 11] = [
    &["rank", "demo:digits", "-m", "laplacian"],
    &["rank", "long.csv", "-m", "laplacian"],
    &["rank", "demo:digits", "-m", "laplacian,mrsf,fisher,mrmr,variance", "--top", "5"],
    &["select", "demo:digits", "--top", "5", "-o", "out.csv"],
    &["graph", "demo:iris"],
    &["stability", "demo:iris", "--repeats", "4", "--top", "2"],
    &["evaluate", "demo:iris", "-m", "laplacian,mrsf,fisher", "--repeats", "3"],
    &[
        "evaluate",
        "demo:iris",
        "-m",
        "laplacian,mrsf,fisher,mrmr,variance,relieff",
        "--repeats",
        "3",
        "--worst",
    ],
    &["evaluate", "demo:iris", "-m", "variance", "--protocol", "kmeans", "--repeats", "2"],
    &["methods"],
    &["methods", "mrsf"],
];

/// The longest line, and the longest word.
fn widest(text: &str) -> (usize, usize) {
    let width = |t: &str| t.chars().count();
    let lines = text.lines().map(width).max().unwrap_or(0);
    (lines, text.split_whitespace().map(width).max().unwrap_or(0))
}

#[test]
fn answers_fit_the_page() {
    let folder = Folder::new();
    let rows: String = (0..30).map(|i| format!("{i},{},{}\n", (i * 7) % 11, (i * 3) % 5)).collect();
    folder.file("long.csv", format!("{LONG},{LONG}_2,b\n{rows}"));
    for columns in [80, 50] {
        for arguments in COMMANDS {
            let mut command = fiedler(arguments);
            command.current_dir(folder.path("")).env("COLUMNS", columns.to_string());
            let run = finish(&mut command);
            assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
            let (line, word) = widest(&run.stdout);
            assert!(line <= columns.max(word), "{arguments:?} at {columns}: {line}\n{}", run.stdout);
        }
    }
}

/// A table is not broken: every feature has one line, with its bars.
#[test]
fn a_table_of_stability_is_not_broken() {
    let folder = Folder::new();
    let row = |i: usize| format!("{i},{},{},{}\n", (i * 7) % 11, (i * 3) % 5, (i * i) % 13);
    let rows: String = (0..60).map(row).collect();
    folder.file("long.csv", format!("{LONG},{LONG}_2,short,b\n{rows}"));
    let arguments =
        ["stability", "long.csv", "-m", "laplacian", "--top", "2", "--repeats", "5", "--noise", "0.1"];
    for columns in ["80", "60", "50"] {
        let mut command = fiedler(&arguments);
        let run = finish(command.current_dir(folder.path("")).env("COLUMNS", columns));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let table: Vec<&str> = run
            .stdout
            .lines()
            .skip_while(|l| !l.starts_with("feature "))
            .skip(1)
            .take_while(|l| !l.is_empty())
            .collect();
        assert!(!table.is_empty() && table.iter().all(|l| l.contains(" %")), "at {columns}: {}", run.stdout);
    }
}

/// Where nobody says how wide the page is, lines stay whole for whoever reads them next.
#[test]
fn without_a_page_lines_stay_whole() {
    let mut narrow = fiedler(&["graph", "demo:iris"]);
    narrow.env("COLUMNS", "50");
    let whole = finish(&mut fiedler(&["graph", "demo:iris"])).stdout;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let folded = finish(&mut narrow).stdout;
    assert!(folded.lines().count() > whole.lines().count());
    assert_eq!(words(&folded), words(&whole));
}
