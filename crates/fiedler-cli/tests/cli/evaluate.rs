//! `fiedler evaluate`: tables, formats, protocols, what is refused.

use serde_json::Value;

use crate::command::{FLOWERS, Folder, json, quietly, run, snapshot};

const DIGITS: [&str; 6] = ["evaluate", "demo:digits", "--methods", "laplacian,fisher", "--counts", "5,20"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    DIGITS.iter().chain(more).copied().collect()
}

#[test]
fn tables() {
    snapshot("evaluate_digits", &quietly(&with(&["--repeats", "3"])));
    let leaking = ["--repeats", "2", "--protocol", "kmeans", "--select-on", "all", "--worst"];
    snapshot("evaluate_kmeans_leaking", &quietly(&with(&leaking)));
    let folds = [
        "evaluate",
        "demo:planted",
        "-m",
        "mrsf",
        "--protocol",
        "redundancy",
        "--folds",
        "4",
        "--counts",
        "2-6/2",
    ];
    snapshot("evaluate_redundancy", &quietly(&folds));
}

#[test]
fn chance_and_all_features_are_always_there_and_selection_is_marked() {
    for protocol in ["1nn", "svm", "kmeans", "jaccard", "redundancy"] {
        let arguments = [
            "evaluate",
            "demo:iris",
            "-m",
            "fisher",
            "--protocol",
            protocol,
            "--repeats",
            "2",
            "--format",
            "json",
            "-q",
        ];
        let answer = json(&arguments);
        let names: Vec<&str> = answer["tables"][0]["curves"]
            .as_array()
            .expect("curves")
            .iter()
            .map(|c| c["name"].as_str().expect("a name"))
            .collect();
        assert_eq!(names, ["fisher", "random", "all features"], "{protocol}");
        assert_eq!(
            (answer["protocol"].as_str(), answer["selected_on"].as_str()),
            (Some(protocol), Some("training"))
        );
        // A single feature has no pairs.
        let counts = if protocol == "redundancy" { "[2,3]" } else { "[1,2,3]" };
        assert_eq!(answer["counts"].to_string(), counts);
    }
    let leaking = json(&with(&["--repeats", "2", "--select-on", "all", "--format", "json"]));
    assert_eq!(leaking["selected_on"], "all");
    assert!(leaking["warnings"][0].as_str().expect("a sentence").contains("saw the samples that judge it"));
}

#[test]
fn json_has_every_value_and_csv_the_same_means() {
    let text = quietly(&with(&["--repeats", "3", "--format", "json"]));
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let point = &answer["tables"][0]["curves"][1]["points"][1];
    assert_eq!(point["count"], 20);
    let values: Vec<f64> =
        point["values"].as_array().expect("values").iter().filter_map(Value::as_f64).collect();
    assert_eq!(values.len(), 3);
    assert!((values.iter().sum::<f64>() / 3.0 - point["mean"].as_f64().expect("a mean")).abs() < 1e-12);
    assert!(answer["tables"][0]["verdict"]["enough"]["count"].is_u64());
    let csv = quietly(&with(&["--repeats", "3", "--format", "csv"]));
    let mut lines = csv.lines();
    let head = "measure,name,kind,count,mean,sd,low,high,p_value,not_worse,partitions,selected_on,\
                less_random,less_random_low,less_random_high,than_random,\
                less_best,less_best_low,less_best_high,than_best,labeled,varied";
    assert_eq!(lines.next(), Some(head));
    assert_eq!(csv.lines().count(), 1 + 3 + 3 + 3 + 2, "two counts and their mean, all features and theirs");
    let line = csv.lines().find_map(|l| l.strip_prefix("1NN accuracy,fisher,method,20,")).expect("a line");
    let mean = line.split(',').next().expect("a mean");
    assert!(text.contains(&format!("\"mean\": {mean},")), "{mean} {text}");
}

#[test]
fn the_answer_depends_on_the_seed_and_not_on_the_threads() {
    let run = |more: &[&str]| {
        let mut answer = json(&with(&[&["--repeats", "2", "--format", "json"], more].concat()));
        answer["elapsed_seconds"] = Value::Null;
        answer["seed"] = Value::Null;
        answer
    };
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "3"]));
    assert_ne!(run(&[]), run(&["--seed", "1"]));
}

#[test]
fn labels_are_needed_where_classes_are_judged_and_only_there() {
    let folder = Folder::new();
    folder.file("flowers.csv", FLOWERS);
    folder.file("partial.csv", FLOWERS.replacen(",setosa", ",", 1));
    let told = |arguments: &[&str]| {
        let run = folder.run(&[&["evaluate"], arguments, &["-m", "variance", "--repeats", "2"]].concat());
        (run.code, run.stderr)
    };
    let (code, stderr) = told(&["flowers.csv", "--exclude", "species"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        stderr,
        "error: evaluation by 1nn needs class labels and the data have none; name the label column (--label COLUMN or --labels FILE)\n"
    );
    let (code, stderr) = told(&["partial.csv", "--label", "species"]);
    assert_eq!(code, Some(1));
    assert!(
        stderr.starts_with(
            "error: evaluation by 1nn needs a label for every sample; 1 have none, the first at row 1"
        ),
        "{stderr}"
    );
    for protocol in ["redundancy", "jaccard"] {
        let arguments = ["flowers.csv", "--exclude", "species", "--protocol", protocol];
        assert_eq!(told(&arguments), (Some(0), String::new()), "{protocol}");
    }
}

#[test]
fn hits_count_what_is_known() {
    let known = "informative_0,informative_1,informative_2,informative_3,informative_4,informative_5";
    let arguments = [
        "evaluate",
        "demo:planted",
        "-m",
        "mrsf",
        "--protocol",
        "hits",
        "--known",
        known,
        "--counts",
        "6,12",
    ];
    let answer = json(&[&arguments[..], &["--format", "json"]].concat());
    let mean =
        |curve: usize| answer["tables"][0]["curves"][curve]["points"][0]["mean"].as_f64().expect("a mean");
    assert!(mean(0) > 3.0 * mean(1), "{} {}", mean(0), mean(1));
    assert_eq!(answer["tables"][0]["curves"][2]["points"][0]["mean"], 0.03);
}

#[test]
fn wrong_usage_is_told_before_anything_is_read() {
    let fails = |more: &[&str], code: i32, word: &str| {
        let run = run(&[&["evaluate", "demo:iris"], more].concat());
        assert_eq!(run.code, Some(code), "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(word) && run.stdout.is_empty(), "{more:?}: {}", run.stderr);
    };
    fails(&["--neighbors", "3"], 2, "--neighbors applies to --protocol jaccard or knn alone");
    fails(&["--costs", "1", "--protocol", "kmeans"], 2, "--costs applies to --protocol svm alone");
    fails(&["--clusters", "3"], 2, "--clusters applies to --protocol kmeans alone");
    fails(&["--known", "x"], 1, "no feature is called `x`");
    fails(&["--protocol", "hits"], 2, "needs --known");
    fails(&["--folds", "1"], 2, "--folds must be at least 2, got 1");
    fails(&["--repeats", "0"], 2, "--repeats must be from 1 to 100000, got 0");
    fails(&["--draws", "0"], 2, "--draws must be from 1 to 10000, got 0");
    fails(&["--significance", "2"], 2, "--significance must be above 0 and below 1, got 2");
    fails(&["--protocol", "svm", "--costs", "0"], 2, "--costs must be numbers above 0, one at least, got 0");
    fails(&["--counts", "3-1"], 2, "FROM-TO/STEP");
    fails(&["--counts", "0"], 2, "whole numbers from 1");
    fails(&["--protocol", "2nn"], 2, "1nn");
    fails(&["-m", "fisher,fisher"], 2, "--methods must be a list without repetitions");
    fails(&["-m", "fischer"], 2, "did you mean `fisher`?");
    fails(&["--set", "phi=2"], 2, "no parameter is called `phi`");
    fails(&["--counts", "9"], 1, "numbers from 1 to the number of features (4)");
    fails(&["--folds", "151"], 1, "--folds must be from 2 to 150");
    fails(
        &["--protocol", "kmeans", "--clusters", "80"],
        1,
        "--clusters must be from 1 to the number of samples (75)",
    );
}

#[test]
fn a_graph_in_a_file_is_for_all_samples() {
    let folder = Folder::new();
    folder.file("flowers.csv", FLOWERS);
    let edges: String =
        (0..12).flat_map(|i| (0..i).map(move |j| format!("{i},{j},{}\n", 1.0 / f64::from(i + j)))).collect();
    folder.file("edges.csv", edges);
    let arguments = [
        "evaluate",
        "flowers.csv",
        "--label",
        "species",
        "-m",
        "laplacian",
        "--graph",
        "file:edges.csv",
        "--repeats",
        "2",
    ];
    let refused = folder.run(&arguments);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--select-on all lets it see all of them"), "{}", refused.stderr);
    let allowed = folder.run(&[&arguments[..], &["--select-on", "all"]].concat());
    assert_eq!((allowed.code, allowed.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_answer_can_go_to_a_file() {
    let folder = Folder::new();
    let output = folder.text("judged.csv");
    let more = ["--repeats", "2", "--format", "csv", "-o", output.as_str()];
    assert_eq!(quietly(&with(&more)), "");
    assert_eq!(folder.list(), ["judged.csv"]);
}

#[test]
fn methods_are_judged_on_data_scaled_as_suits_them() {
    let known: Vec<String> =
        (0..6).flat_map(|i| [format!("informative_{i}"), format!("redundant_{i}")]).collect();
    let known = known.join(",");
    let arguments =
        ["evaluate", "demo:planted", "--methods", "evsc", "--protocol", "hits", "--known", &known];
    let answer = json(&[&arguments[..], &["--counts", "12", "--repeats", "2", "--format", "json"]].concat());
    assert_eq!(answer["scale_of_methods"].to_string(), "{\"evsc\":\"range\"}");
    let curves = answer["tables"][0]["curves"].as_array().expect("curves");
    let evsc = curves.iter().find(|c| c["name"] == "evsc").expect("a curve");
    assert_eq!(evsc["points"][0]["mean"], 1.0, "{evsc}");
}

/// Some classes at a time, as He, Cai and Niyogi judge; and a handful of labels, as Zhao and Liu do.
#[test]
fn classes_and_labels_can_be_drawn() {
    let digits = ["evaluate", "demo:digits", "--counts", "5,10", "-m", "laplacian", "--quiet"];
    let options = ["--protocol", "kmeans", "--classes", "3", "--repeats", "2"];
    let drawn = run(&[&digits[..], &options[..]].concat());
    assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
    assert!(
        drawn.stdout.contains("2 draws of 3 classes · selected and judged on their samples"),
        "{}",
        drawn.stdout
    );
    let few = ["--labeled", "2", "--repeats", "2", "-m", "fisher,sselect", "--label", "class"];
    let few = run(&[&["evaluate", "demo:iris", "--counts", "2"], &few[..]].concat());
    assert_eq!(few.code, Some(0), "{}", few.stderr);
    assert!(few.stdout.contains("selection knows 2 labels a class"), "{}", few.stdout);
    for (options, sentence) in [
        (
            vec!["--classes", "3"],
            "--protocol must be kmeans, jaccard, redundancy or hits where classes are drawn",
        ),
        (
            vec!["--classes", "3", "--protocol", "kmeans", "--select-on", "all"],
            "--select-on must be training where classes are drawn",
        ),
        (vec!["--classes", "30", "--protocol", "kmeans"], "from 2 to 10, got 30"),
        (vec!["--labeled", "0"], "must be a whole number from 1"),
        (vec!["--labeled", "1000"], "--labeled must be from 1 to "),
    ] {
        let refused = run(&[&digits[..], &options[..]].concat());
        assert!(
            refused.code != Some(0) && refused.stderr.contains(sentence),
            "{sentence}: {}",
            refused.stderr
        );
    }
}

/// What is asked and cannot matter, or cannot be judged, is told.
#[test]
fn questions_that_say_nothing_are_told() {
    let folder = Folder::new();
    folder.file("p.csv", "feature,pvalue\nsepal width,0.9\npetal length,0.001\n");
    let asked = |more: &[&str]| {
        folder.run(&[&["evaluate", "demo:iris", "--label", "class", "--repeats", "3"], more].concat())
    };
    let told = asked(&["--rankings", "p.csv", "--counts", "1,2"]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(
        told.stderr.contains("note: p.csv: the order of the lines is the ranking, best first"),
        "{}",
        told.stderr
    );
    let single = asked(&["-m", "laplacian", "--protocol", "redundancy", "--counts", "1,3"]);
    assert_eq!(single.code, Some(1), "{}", single.stdout);
    let rule =
        "--counts must be numbers from 2 to the number of features (4), for a single feature has no pair";
    assert!(single.stderr.contains(rule), "{}", single.stderr);
    let labeled = "how many labels are known has no effect";
    assert!(asked(&["-m", "laplacian", "--labeled", "3"]).stderr.contains(labeled));
    assert!(asked(&["--rankings", "p.csv", "--counts", "2", "--labeled", "3"]).stderr.contains(labeled));
    assert!(!asked(&["-m", "laplacian,fisher", "--labeled", "3"]).stderr.contains(labeled));
    let same = "every draw has all classes, and so the same samples";
    let drawn = |classes: &str| {
        asked(&["-m", "laplacian", "--protocol", "kmeans", "--classes", classes, "--counts", "2"])
    };
    assert!(drawn("3").stderr.contains(same) && !drawn("2").stderr.contains(same), "{}", drawn("3").stderr);
}

/// A setting that would do is named as it is typed.
#[test]
fn parameters_in_warnings_are_what_a_user_types() {
    let told = run(&["rank", "demo:iris", "--label", "class", "-m", "sselect"]).stderr;
    assert!(told.contains("--set discretize=kmeans makes as many groups"), "{told}");
    let followed =
        run(&["rank", "demo:iris", "--label", "class", "-m", "sselect", "--set", "discretize=kmeans"]);
    assert!(followed.code == Some(0) && !followed.stderr.contains("two sides"), "{}", followed.stderr);
    let folder = Folder::new();
    folder.file("n.csv", "a,b,y\n1,2,1.5\n2,1,2.5\n3,5,2\n4,3,4.5\n5,6,4\n");
    let number = |set: &str| folder.run(&["rank", "n.csv", "--target", "y", "-m", "mrsf", "--set", set]);
    let told = number("targets=lda");
    assert!(
        told.code == Some(1) && told.stderr.contains("with --set targets=number it takes a number"),
        "{}",
        told.stderr
    );
    assert_eq!(number("targets=number").code, Some(0));
}
