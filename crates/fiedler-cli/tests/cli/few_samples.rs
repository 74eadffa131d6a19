//! Few samples: defaults give way, what the user says does not.

use crate::command::{Folder, Run, run};

/// The first `n` of eight samples in two classes.
fn few(folder: &Folder, n: usize) -> String {
    let rows = ["1,5,2,a", "2,1,2,b", "1,4,3,a", "3,1,1,b", "1,6,2,a", "4,2,2,b", "2,5,4,a", "3,1,3,b"];
    folder.file("few.csv", format!("x,y,z,class\n{}\n", rows[..n].join("\n")))
}

fn noted(run: &Run, note: &str) {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("note: {note}\n")), "{}", run.stderr);
}

#[test]
fn a_default_number_of_neighbors_is_fitted() {
    let folder = Folder::new();
    for n in 2..6 {
        let file = few(&folder, n);
        let note = format!("`k` is {} in place of 5: there are {n} samples", n - 1);
        noted(&run(&["rank", &file, "--label", "class", "-m", "laplacian"]), &note);
        noted(&run(&["graph", &file, "--label", "class", "--graph", "geodesic"]), &note);
    }
    let file = few(&folder, 4);
    let output = folder.text("r.csv");
    let select = ["select", &file, "--exclude", "class", "--top", "1", "-o", &output];
    noted(&run(&select), "`k` is 3 in place of 5: there are 4 samples");
    let alone = run(&["rank", &few(&folder, 1), "--label", "class"]);
    assert_eq!(alone.stderr, "error: a kNN graph needs at least 2 samples, got 1\n");
}

#[test]
fn what_the_user_says_is_not() {
    let folder = Folder::new();
    let file = few(&folder, 5);
    let given = run(&["rank", &file, "--label", "class", "--k", "5"]);
    assert_eq!(given.stderr, "error: --k must be from 1 to the number of samples less one (4), got 5\n");
    let arguments = ["rank", &file, "--label", "class", "--method", "relieff", "--set", "neighbors=10"];
    let rule = "error: `neighbors` must be from 1 to the number of samples less one (4), got 10\n";
    assert_eq!(run(&arguments).stderr, rule);
}

#[test]
fn classes_limit_the_neighbors_of_relief() {
    let folder = Folder::new();
    let file = few(&folder, 8);
    let note = "`neighbors` is 3 in place of 10: the smallest class has 4 samples";
    for method in ["relieff", "relief-spec"] {
        noted(&run(&["rank", &file, "--label", "class", "--method", method]), note);
    }
    let graph = ["graph", &file, "--label", "class", "--graph", "relief"];
    noted(&run(&graph), "`k` is 3 in place of 10: the smallest class has 4 samples");
}

#[test]
fn a_part_of_the_samples_counts_where_selection_sees_a_part() {
    let folder = Folder::new();
    let file = few(&folder, 8);
    let evaluate = ["evaluate", &file, "--label", "class", "--methods", "laplacian", "--repeats", "2"];
    let found = run(&evaluate);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(found.stderr.contains("`k` is 3 in place of 5: there are 4 samples"), "{}", found.stderr);
    let stability = ["stability", &file, "--label", "class", "--fraction", "0.5", "--repeats", "3"];
    let found = run(&stability);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
}

#[test]
fn few_lines_of_many_columns_may_lie_the_other_way() {
    let folder = Folder::new();
    let header: Vec<String> = (0..30).map(|j| format!("s{j}")).collect();
    let row = |i: usize| (0..30).map(|j| ((i + 3) * (j + 7) % 11).to_string()).collect::<Vec<_>>().join(",");
    let file = folder.file("wide.csv", format!("{}\n{}\n{}\n{}\n", header.join(","), row(0), row(1), row(2)));
    noted(
        &run(&["rank", &file, "--k", "1"]),
        "3 samples and 30 features: if every line is a feature, say --features rows",
    );
}
