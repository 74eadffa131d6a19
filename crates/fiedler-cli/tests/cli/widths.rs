//! Answers fit a page of 80 columns, and a narrow one of 50 as far as words allow.

use crate::command::{Folder, fiedler, finish};

const LONG: &str = "a_measurement_with_a_rather_long_name_as_they_come_from_devices";

const EACH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fuse/each.toml");
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fuse/sources.toml");

/// Commands whose answers people read.
const COMMANDS: [&[&str]; 15] = [
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
    &["graph", "--list"],
    &["stability", "demo:iris", "--repeats", "4", "--top", "2", "--bounds"],
    &["reproduce", "--list"],
    &["reproduce", "ls-iris", "--cache", "cache"],
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

/// Columns of a fusion that do not fit stand below, every line with its name; texts are wrapped once.
#[test]
fn tables_of_fusions_and_texts_of_parameters_are_not_broken() {
    let at_80 = |arguments: &[&str]| {
        let run = finish(fiedler(arguments).env("COLUMNS", "80"));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    for config in [EACH, SOURCES] {
        let shown = at_80(&["fuse", config]);
        let ranks = shown.lines().filter(|l| l.contains("GENE02")).collect::<Vec<_>>();
        assert!(ranks.len() == 2 && ranks.iter().all(|l| l.starts_with("   ")), "{shown}");
        // A broken row goes on with numbers alone, far from the margin.
        let broken = |l: &&str| {
            l.starts_with("       ") && l.split_whitespace().all(|w| w.parse::<f64>().is_ok() || w == "-")
        };
        let tables = shown.lines().take_while(|l| !l.starts_with("hits"));
        assert_eq!(tables.filter(|l| !l.is_empty()).find(broken), None, "{shown}");
    }
    let helped = at_80(&["methods", "mrsf"]);
    let short = helped.lines().zip(helped.lines().skip(1)).find(|(a, b)| {
        // A line that ends early though the next word would fit was wrapped twice.
        let next = b.split_whitespace().next().unwrap_or_default();
        a.starts_with("targets:") && !b.is_empty() && a.chars().count() + 1 + next.chars().count() < 78
    });
    assert_eq!(short, None, "{helped}");
    assert!(!helped.lines().any(
        |line| line == "three codings), the number to be predicted (number) or the principal components"
    ));
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

/// Columns that do not fit beside each other stand below each other, every method with its value in one line.
#[test]
fn a_table_of_a_paper_is_not_broken() {
    let folder = Folder::new();
    let mut command = fiedler(&["reproduce", "ls-iris", "--cache", "cache"]);
    let run = finish(command.current_dir(folder.path("")).env("COLUMNS", "80"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> =
        run.stdout.lines().filter(|line| line.starts_with("Laplacian score, k = 30  ")).collect();
    let order = "Laplacian score, k = 30  petal length > petal width > sepal length > sepal width";
    assert_eq!(lines, [order, order, order, order, "Laplacian score, k = 30  as printed"], "{}", run.stdout);
    // The names of several rows stand above their methods and make no column wider.
    let long = "the flowers of a garden with a name that leaves no room for numbers beside it";
    let rows: String =
        (1..3).map(|i| format!("[[data]]\nname = \"{long} {i}\"\nfile = \"demo:iris\"\n")).collect();
    folder.file(
        "two.toml",
        format!(
            "source = \"x\"\ntitle = \"y\"\n[evaluate]\nmetric = \"1nn\"\ncounts = [1]\nrepeats = 3\n\
             [[method]]\nname = \"V\"\nmethod = \"variance\"\n{rows}"
        ),
    );
    let mut command = fiedler(&["reproduce", "two.toml", "--cache", "cache"]);
    let run = finish(command.current_dir(folder.path("")).env("COLUMNS", "80"));
    let value = |line: &&str| line.starts_with("  V  ") && line.contains(" ± ");
    assert_eq!(run.stdout.lines().filter(value).count(), 2, "{}", run.stdout);
    assert!(run.stdout.lines().any(|line| line == format!("{long} 1")), "{}", run.stdout);
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
