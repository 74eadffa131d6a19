//! Flags before environment variables before the configuration file before defaults.

use crate::command::{FLOWERS, Folder, fiedler, finish};

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
        (answers["rankings"][0]["method"].as_str(), answers["rankings"][1]["method"].as_str()),
        (Some("laplacian"), Some("spec"))
    );
    assert_eq!(answers["rankings"][1]["parameters"]["phi"].to_string().trim_matches('"'), "1");
    assert_eq!(answers["rankings"][0]["graph"]["parameters"]["k"], 9);
    assert_eq!(answers["rankings"][0]["graph"]["parameters"]["mutual"], true);
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
    let many = "error: c.toml: invalid value 'many' for '--top <N|auto>': it must be a whole number from 1";
    assert!(error("top = 'many'\n").starts_with(many));
    assert_eq!(error("config = 'd.toml'\n"), "error: c.toml: a configuration file cannot name another one\n");
    assert!(error("data = 'x.csv'\n").starts_with("error: c.toml: DATA is no option; name it on the "));
}

#[test]
fn what_must_be_given_may_come_from_the_file() {
    let folder = Folder::new();
    folder.file("flowers.csv", FLOWERS);
    folder.file("c.toml", "top = 2\noutput = 'small.csv'\nlabel = 'species'\n");
    let run = folder.run(&["select", "flowers.csv", "--config", "c.toml", "--quiet"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(folder.list(), ["c.toml", "flowers.csv", "small.csv"]);
}

#[test]
fn labels_named_by_a_flag_win_over_those_of_the_environment() {
    let folder = Folder::new();
    folder.file("x.csv", FLOWERS);
    folder.file("y.txt", "a\nb\na\nb\na\nb\na\nb\na\nb\na\nb\n");
    let base = ["rank", "x.csv", "--exclude", "species", "--method", "fisher", "--format", "json"];
    let run = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = fiedler(&[&base[..], arguments].concat());
        finish(command.current_dir(folder.path("")).envs(environment.iter().copied()))
    };
    let file = run(&["--labels", "y.txt"], &[]);
    assert_eq!(file.code, Some(0), "{}", file.stderr);
    let ranking =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON")["ranking"].clone();
    let both = run(&["--labels", "y.txt"], &[("FIEDLER_LABEL", "species")]);
    assert_eq!((both.code, ranking(&both.stdout)), (Some(0), ranking(&file.stdout)), "{}", both.stderr);
    folder.file("c.toml", "labels = 'nowhere.txt'\n");
    let weaker = run(&["--config", "c.toml"], &[("FIEDLER_LABELS", "y.txt")]);
    assert_eq!((weaker.code, ranking(&weaker.stdout)), (Some(0), ranking(&file.stdout)));
    let clash = run(&[], &[("FIEDLER_LABELS", "y.txt"), ("FIEDLER_LABEL", "species")]);
    // Both together name a column of the file of labels.
    assert!(
        clash.code == Some(1) && clash.stderr.contains("no column is called `species`"),
        "{}",
        clash.stderr
    );
}

#[test]
fn an_alias_counts_in_environment_and_file() {
    let folder = Folder::new();
    folder.file("c.toml", "method = 'variance'\n");
    let arguments =
        ["evaluate", "demo:iris", "--counts", "1", "--repeats", "2", "--format", "csv", "--quiet"];
    let from_file = folder.run(&[&arguments[..], &["--config", "c.toml"]].concat()).stdout;
    let from_environment = finish(fiedler(&arguments).env("FIEDLER_METHOD", "variance")).stdout;
    assert!(from_file.contains(",variance,") && !from_file.contains("mrsf"), "{from_file}");
    assert_eq!(from_environment, from_file);
}

#[test]
fn a_wrong_value_and_an_unknown_variable_are_named_with_their_source() {
    let run =
        |arguments: &[&str], variable: &str, value: &str| finish(fiedler(arguments).env(variable, value));
    let format = run(&["methods"], "FIEDLER_FORMAT", "csv");
    assert_eq!(format.code, Some(2));
    let start = "error: FIEDLER_FORMAT in the environment: invalid value 'csv' for '--format <FORMAT>'";
    assert!(format.stderr.starts_with(start), "{}", format.stderr);
    assert_eq!(run(&["methods", "--format", "json"], "FIEDLER_FORMAT", "csv").code, Some(0));
    let flag = run(&["rank", "demo:iris", "--top", "x"], "FIEDLER_TOP", "3");
    assert!(flag.stderr.starts_with("error: invalid value 'x' for '--top"), "{}", flag.stderr);
    let unknown = run(&["rank", "demo:iris"], "FIEDLER_TPO", "3");
    let warning = "warning: FIEDLER_TPO in the environment matches no option; did you mean `FIEDLER_TOP`?\n";
    assert_eq!((unknown.code, unknown.stderr.as_str()), (Some(0), warning));
    assert_eq!(run(&["rank", "demo:iris", "--quiet"], "FIEDLER_TPO", "3").stderr, "");
}
