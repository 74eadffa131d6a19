//! Every message is one clear sentence, and every exit code means what it says.

use crate::command::{Folder, run};

/// The run fails with that code and prints that sentence and nothing else.
fn fails(arguments: &[&str], code: i32, sentence: &str) {
    let run = run(arguments);
    assert_eq!(
        (run.stderr.as_str(), run.code),
        (format!("error: {sentence}\n").as_str(), Some(code)),
        "{arguments:?}"
    );
    assert_eq!(run.stdout, "");
}

#[test]
fn wrong_usage_is_code_two() {
    let set = |setting| ["rank", "demo:iris", "--method", "trace-ratio", "--set", setting];
    fails(&set("counts=3"), 2, "trace-ratio has no parameter `counts`; it has: count, type, between");
    fails(&set("count=0"), 2, "`count` must be a whole number from 1, got `0`");
    fails(&set("type=x"), 2, "`type` must be one of auto, laplacian, fisher, graphs, got `x`");
    fails(
        &["rank", "demo:iris", "--set", "kk=3"],
        2,
        "laplacian has no parameter `kk`; it has: normalization",
    );
    fails(
        &["rank", "demo:iris", "--graph", "rbf", "--k", "3"],
        2,
        "--k does not apply to the rbf graph, which takes --bandwidth",
    );
    for threads in ["0", "100000"] {
        let sentence = format!("--threads must be from 1 to 1024, got {threads}");
        fails(&["rank", "demo:iris", "--threads", threads], 2, &sentence);
    }
    fails(
        &["rank", "demo:iris", "--include", "petal width", "--exclude", "petal width"],
        2,
        "--include and --exclude both name `petal width`; leave it out of one of them",
    );
    fails(
        &["rank", "demo:iris", "--include", "petal width,sepal width", "--top", "1"],
        2,
        "--top must be at least the number of features that must be included (2), got 1",
    );
    fails(
        &["rank", "demo:iris", "--label", "class", "--labels", "y.txt"],
        2,
        "--labels: embedded data bring their labels; name them with --label class",
    );
}

#[test]
fn an_unknown_method_comes_with_the_nearest() {
    let found = run(&["rank", "demo:iris", "--method", "laplasian"]);
    let start =
        "error: no method is called `laplasian` (did you mean `laplacian`?); the methods are: variance, ";
    assert!(found.stderr.starts_with(start), "{}", found.stderr);
    assert_eq!(found.code, Some(2));
    assert_eq!(run(&["methods", "laplasian"]).stderr, found.stderr);
}

#[test]
fn the_parser_is_code_two_as_well() {
    for arguments in [
        &["rank"][..],
        &["rank", "demo:iris", "--top", "0"],
        &["rank", "demo:iris", "--format", "xml"],
        &["rank", "demo:iris", "--graph", "knm"],
        &["rank", "demo:iris", "--bandwidth", "-1"],
        &["select", "demo:iris", "--top", "2"],
        &["rnak", "demo:iris"],
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    }
}

#[test]
fn the_data_or_the_question_is_code_one() {
    fails(&["rank", "demo:irs"], 1, "`demo` must be one of iris, digits, planted, got `irs`");
    fails(&["rank", "no.csv"], 1, "no.csv: No such file or directory (os error 2)");
    fails(
        &["rank", "demo:iris", "--label", "species"],
        1,
        "demo:iris: no column is called `species`; the labels of embedded data are called `class`",
    );
    let k = run(&["rank", "demo:iris", "--k", "150"]);
    assert_eq!(k.code, Some(1));
    assert!(k.stderr.starts_with("error: --k must be ") && k.stderr.contains("got 150"), "{}", k.stderr);
}

#[test]
fn numbers_that_are_none_come_with_the_rule() {
    for (option, rule) in [
        ("--k", "--k must be a whole number from 1, or auto"),
        ("--seed", "it must be a whole number from 0"),
        ("--beta", "--beta"),
    ] {
        let found = run(&["rank", "demo:iris", option, "x"]);
        assert_eq!(found.code, Some(2));
        assert!(found.stderr.contains(rule), "{}", found.stderr);
    }
}

#[test]
fn known_features_are_named_by_their_option() {
    let arguments = ["evaluate", "demo:iris", "--protocol", "hits", "--known", "nope"];
    fails(&arguments, 1, "--known (there is no file `nope`): no feature is called `nope`");
}

#[test]
fn unknown_features_are_named_with_their_line() {
    let folder = Folder::new();
    let list = folder.file("list.txt", "petal width\n# a remark\npetal lenght\n");
    let sentence =
        format!("{list}, line 3: no feature is called `petal lenght`; did you mean `petal length`?");
    fails(&["rank", "demo:iris", "--include", &list], 1, &sentence);
    fails(&["rank", "demo:iris", "--exclude", &list], 1, &sentence);
    fails(
        &["rank", "demo:iris", "--include", "petal"],
        1,
        "--include (there is no file `petal`): no feature is called `petal`",
    );
}

#[test]
fn labels_that_are_needed_and_not_there() {
    let folder = Folder::new();
    let file = folder.file("x.csv", "a,b\n1,2\n2,1\n3,3\n");
    let run = run(&["rank", &file, "--method", "fisher"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.ends_with("name the label column (--label COLUMN or --labels FILE)\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_folder_that_is_not_there_is_no_place_to_write() {
    let run = run(&["rank", "demo:iris", "-o", "no/such/folder/r.csv"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.starts_with("error: no/such/folder/r.csv: "), "{}", run.stderr);
}

#[test]
fn a_missing_folder_is_named() {
    let found = run(&["select", "demo:iris", "--top", "2", "-o", "no/such/x.csv"]);
    assert_eq!(found.code, Some(1));
    assert_eq!(found.stderr, "error: no/such/x.csv: there is no folder `no/such`; make it first\n");
}

#[test]
fn an_order_that_means_nothing_is_told() {
    let folder = Folder::new();
    let path = folder.file("constant.csv", "a,b\n1,2\n1,2\n1,2\n1,2\n");
    let found = run(&["rank", &path, "--k", "2"]);
    assert_eq!(found.code, Some(0));
    assert!(found.stderr.contains("warning: laplacian can score no feature"), "{}", found.stderr);
}
