//! `fiedler rank`: formats, methods side by side, lists, labels.

use crate::command::{FLOWERS, Folder, json, names, quietly, run, run_with_input, snapshot};

#[test]
fn tables() {
    snapshot("rank_iris", &quietly(&["rank", "demo:iris"]));
    snapshot("rank_digits_first_twenty", &quietly(&["rank", "demo:digits", "--method", "variance"]));
    snapshot("rank_side_by_side", &quietly(&["rank", "demo:iris", "--method", "variance,laplacian,fisher"]));
    snapshot("rank_top_auto", &quietly(&["rank", "demo:planted", "-m", "laplacian", "--top", "auto"]));
}

#[test]
fn csv_has_every_feature_and_numbers_that_read_back() {
    let csv = quietly(&["rank", "demo:iris", "--format", "csv"]);
    let text = quietly(&["rank", "demo:iris", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "rank,feature,index,score");
    assert_eq!(lines.len(), 5);
    for (line, feature) in lines[1..].iter().zip(answer["ranking"].as_array().expect("a list")) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0], feature["rank"].to_string());
        assert_eq!(fields[1], feature["feature"].as_str().expect("a name"));
        assert_eq!(fields[2], feature["index"].to_string());
        assert!(text.contains(&format!("\"score\":{}}}", fields[3])), "{line}");
    }
}

#[test]
fn json_keeps_its_names_and_types() {
    let answer =
        json(&["rank", "demo:iris", "--method", "spec", "--set", "phi=1", "--k", "7", "--format", "json"]);
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    let expected = [
        "format",
        "method",
        "parameters",
        "goal",
        "ordered_by",
        "data",
        "labels",
        "target",
        "scale",
        "transform",
        "transform_reason",
        "n_samples",
        "n_features",
        "graph",
        "ranking",
        "elbow",
        "warnings",
        "elapsed_seconds",
    ];
    assert_eq!(keys, expected);
    assert_eq!(answer["method"], "spec");
    assert_eq!(answer["parameters"]["phi"].to_string().trim_matches('"'), "1");
    assert_eq!(answer["goal"], "minimize");
    assert_eq!(answer["scale"], "standard");
    assert_eq!((answer["n_samples"].as_u64(), answer["n_features"].as_u64()), (Some(150), Some(4)));
    let graph = &answer["graph"];
    assert_eq!((graph["kind"].as_str(), graph["parameters"]["k"].as_u64()), (Some("knn"), Some(7)));
    assert!(["edges", "components", "isolated"].iter().all(|key| graph[key].is_u64()), "{graph}");
    assert!(["min", "median", "max"].iter().all(|key| graph["degree"][key].is_f64()), "{graph}");
    assert!(answer["warnings"].is_array() && answer["elapsed_seconds"].is_f64());
    for (i, feature) in answer["ranking"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(feature["rank"].as_u64(), Some(i as u64 + 1));
        assert!(feature["feature"].is_string() && feature["index"].is_u64() && feature["score"].is_f64());
    }
}

#[test]
fn several_methods_give_a_list_of_answers_and_share_the_graph() {
    let answers =
        json(&["rank", "demo:iris", "--method", "laplacian", "--method", "spec", "--format", "json"]);
    let answers = answers["rankings"].as_array().expect("a list");
    assert_eq!(
        (answers[0]["method"].as_str(), answers[1]["method"].as_str()),
        (Some("laplacian"), Some("spec"))
    );
    assert_eq!(answers[0]["graph"], answers[1]["graph"]);
    // The Laplacian score is SPEC's φ2 with γ(r) = r, which is SPEC's default.
    let alone = json(&["rank", "demo:iris", "--method", "spec", "--format", "json"]);
    assert_eq!(answers[1]["ranking"], alone["ranking"]);
    let csv = quietly(&["rank", "demo:iris", "--method", "laplacian,spec", "--format", "csv"]);
    assert!(csv.starts_with("method,rank,feature,index,score\nlaplacian,1,petal length,2,"), "{csv}");
}

#[test]
fn a_constant_feature_has_no_score_anywhere() {
    let folder = Folder::new();
    let file = folder.file("c.csv", "a,same,b\n1,7,2\n2,7,1\n3,7,5\n4,7,3\n5,7,9\n6,7,4\n");
    let answer = json(&["rank", &file, "--k", "2", "--format", "json"]);
    assert_eq!(answer["ranking"][2]["feature"], "same");
    assert!(answer["ranking"][2]["score"].is_null());
    let csv = quietly(&["rank", &file, "--k", "2", "--format", "csv"]);
    assert!(csv.ends_with("\n3,same,1,\n"), "{csv}");
    assert!(quietly(&["rank", &file, "--k", "2"]).ends_with("   3  same        none  constant\n"));
}

#[test]
fn top_lists_exactly_that_many() {
    for format in ["csv", "table"] {
        let text =
            quietly(&["rank", "demo:digits", "--method", "variance", "--top", "7", "--format", format]);
        assert_eq!(text.matches("pixel_").count(), 7, "{text}");
    }
    let all = quietly(&["rank", "demo:digits", "--method", "variance", "--top", "1000"]);
    assert_eq!(all.matches("pixel_").count(), 64);
    let elbow = json(&["rank", "demo:planted", "-m", "laplacian", "--top", "auto", "--format", "json"]);
    assert_eq!(elbow["elbow"].as_u64(), elbow["ranking"].as_array().map(|r| r.len() as u64));
}

#[test]
fn included_features_come_first_and_excluded_ones_never() {
    let folder = Folder::new();
    let include = folder.file("in.txt", "# of interest\n\nsepal width  # wide ones\n");
    let answer = json(&["rank", "demo:iris", "--include", &include, "--top", "2", "--format", "json"]);
    assert_eq!(names(&answer), ["sepal width", "petal length"]);
    let exclude = folder.file("out.txt", "petal length\r\npetal width\r\n");
    let answer = json(&["rank", "demo:iris", "--exclude", &exclude, "--quiet", "--format", "json"]);
    assert_eq!(answer["n_features"], 2);
    assert!(names(&answer).iter().all(|name| name.starts_with("sepal")));
    // Names may be given without a file.
    let named =
        json(&["rank", "demo:iris", "--exclude", "petal length,petal width", "--quiet", "--format", "json"]);
    assert_eq!(named["ranking"], answer["ranking"]);
}

#[test]
fn excluded_columns_of_a_file_need_not_be_numbers() {
    let folder = Folder::new();
    let file = folder.file("flowers.csv", FLOWERS);
    let asked = ["rank", &file, "-m", "laplacian", "--k", "3", "--format", "json"];
    let without = json(&[&asked[..], &["--exclude", "species"]].concat());
    let labeled = json(&[&asked[..], &["--label", "species"]].concat());
    assert_eq!(without["ranking"], labeled["ranking"], "an unsupervised method never sees labels");
}

#[test]
fn labels_by_name_by_position_or_in_a_file() {
    let folder = Folder::new();
    let file = folder.file("flowers.csv", FLOWERS);
    let by_name = json(&["rank", &file, "--label", "species", "--method", "fisher", "--format", "json"]);
    let by_position = json(&["rank", &file, "--label", "3", "--method", "fisher", "--format", "json"]);
    assert_eq!(by_name["ranking"], by_position["ranking"]);
    let numbers =
        FLOWERS.lines().map(|l| l.rsplit_once(',').expect("fields").0).collect::<Vec<_>>().join("\n");
    let labels = FLOWERS.lines().skip(1).map(|l| l.rsplit_once(',').expect("fields").1).collect::<Vec<_>>();
    let (file, labels) = (folder.file("x.csv", numbers), folder.file("y.txt", labels.join("\n")));
    let in_a_file = json(&["rank", &file, "--labels", &labels, "--method", "fisher", "--format", "json"]);
    assert_eq!(by_name["ranking"], in_a_file["ranking"]);
    assert_eq!(names(&by_name)[2], "noise");
}

#[test]
fn labels_of_embedded_data_serve_only_those_that_need_them() {
    assert_eq!(json(&["rank", "demo:iris", "--method", "fisher", "--format", "json"])["n_features"], 4);
    // Saying so is naming them.
    for set in ["type=fisher", "type=auto"] {
        let set = format!("{set},count=2");
        let found =
            json(&["rank", "demo:iris", "--method", "trace-ratio", "--set", &set, "--format", "json"]);
        assert_eq!(found["labels"].is_string(), set.starts_with("type=fisher"), "{set}");
    }
    let mrsf = ["rank", "demo:iris", "--method", "mrsf", "--set"];
    assert!(quietly(&[&mrsf[..], &["targets=labels"]].concat()).contains("targets labels (class)"));
    assert!(quietly(&[&mrsf[..], &["pairs=3"]].concat()).contains("targets spectral"));
    let named = [&mrsf[..4], &["--label", "class"]].concat();
    assert!(quietly(&named).contains("targets labels (class)"));
    let no = quietly(&[&named[..], &["--set", "targets=spectral"]].concat());
    assert!(no.contains("targets spectral") && !no.contains("labels class"), "{no}");
    quietly(&[
        "rank",
        "demo:iris",
        "--method",
        "trace-ratio",
        "--set",
        "type=fisher",
        "--label",
        "class",
        "--quiet",
    ]);
}

#[test]
fn standard_input_is_csv() {
    let asked = ["rank", "-", "--label", "species", "-m", "laplacian", "--k", "3", "--format", "csv"];
    let answer = run_with_input(&asked, FLOWERS);
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(answer.stdout.contains(",length,0,"), "{}", answer.stdout);
}

#[test]
fn a_file_is_written_whole_and_without_colors() {
    let folder = Folder::new();
    let path = folder.text("out.txt");
    assert_eq!(quietly(&["rank", "demo:iris", "-o", &path]), "");
    let written = std::fs::read_to_string(&path).expect("written");
    assert_eq!(written, quietly(&["rank", "demo:iris"]));
    assert!(!written.contains('\u{1b}'));
    assert_eq!(folder.list(), ["out.txt"]);
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let with = |threads| {
        quietly(&["rank", "demo:digits", "-m", "laplacian", "--format", "csv", "--threads", threads])
    };
    assert_eq!(with("1"), with("3"));
}

#[test]
fn parameters_of_the_planted_data() {
    let answer = json(&["rank", "demo:planted?samples=60&noise=10&seed=3", "--quiet", "--format", "json"]);
    assert_eq!((answer["n_samples"].as_u64(), answer["n_features"].as_u64()), (Some(60), Some(22)));
}

#[test]
fn warnings_go_to_standard_error_and_into_json() {
    let far = "a,b\n0,0\n0,1\n1,0\n100,100\n100,101\n101,100\n";
    let answer = run_with_input(&["rank", "-", "--k", "1", "--format", "json"], far);
    assert_eq!(answer.code, Some(0));
    assert!(
        answer.stderr.starts_with("warning: the graph is disconnected: 2 components;"),
        "{}",
        answer.stderr
    );
    let value: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    assert_eq!(value["graph"]["components"], 2);
    assert_eq!(value["warnings"].as_array().map(Vec::len), Some(1));
    let quiet = run_with_input(&["rank", "-", "--k", "1", "--quiet"], far);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn mrsf_tells_its_path() {
    let answer =
        json(&["rank", "demo:iris", "--method", "mrsf", "--set", "count=2", "--quiet", "--format", "json"]);
    let path = answer["path"].as_array().expect("a path");
    let last = path.last().expect("a point");
    let active: Vec<u64> =
        last["active"].as_array().into_iter().flatten().filter_map(|j| j.as_u64()).collect();
    let best: Vec<u64> = (0..2).filter_map(|r| answer["ranking"][r]["index"].as_u64()).collect();
    assert_eq!(active.len(), 2);
    assert!(best.iter().all(|j| active.contains(j)), "{last}");
    assert_eq!(last["row_norms"].as_array().map(Vec::len), Some(2));
    // The residual is that of the objective: ½‖R‖² + λ Σ‖wⁱ‖.
    let norms: f64 = last["row_norms"].as_array().into_iter().flatten().filter_map(|v| v.as_f64()).sum();
    let number = |key: &str| last[key].as_f64().expect(key);
    let objective = 0.5 * number("residual").powi(2) + number("lambda") * norms;
    assert!((objective / number("objective") - 1.0).abs() < 1e-9);
    assert!(["lambda", "objective", "gap"].iter().all(|key| last[key].is_f64()), "{last}");
}

#[test]
fn the_path_of_mrsf_is_told_in_full_to_programs_and_drawn_where_asked() {
    let arguments = ["rank", "demo:iris", "--method", "mrsf", "--set", "count=2"];
    let answer = json(&[&arguments[..], &["--format", "json"]].concat());
    let path = answer["path"].as_array().expect("a path");
    assert_eq!(path.last().expect("points")["active"].as_array().map(Vec::len), Some(2));
    assert!(path.iter().all(|p| p["gap"].as_f64().is_some_and(|gap| gap < 1e-6)), "{path:?}");
    let drawn = run(&[&arguments[..], &["--verbose"]].concat()).stdout;
    assert!(
        drawn.contains("Path, who enters (+) and leaves (-) as λ falls") && drawn.contains("+  petal length"),
        "{drawn}"
    );
    assert!(!quietly(&arguments).contains("Path"));
}

#[test]
fn the_choice_of_lambda_is_told() {
    let arguments = ["rank", "demo:iris", "--method", "sselect", "--set", "lambda=auto", "--set", "keep=2"];
    // Grids of few features fall apart now and then, which is told as a warning.
    let table = run(&arguments).stdout;
    assert!(table.contains("Choice of λ") && table.contains("◄ chosen"), "{table}");
    let text = run(&[&arguments[..], &["--format", "json"]].concat()).stdout;
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let chosen = |v: &&serde_json::Value| v["chosen"] == true;
    let values = answer["cut_values"].as_array().expect("a table");
    assert_eq!(values.iter().filter(chosen).count(), 1);
    assert_eq!(values.iter().find(chosen).map(|v| &v["lambda"]), Some(&answer["parameters"]["lambda"]));
}

#[test]
fn every_method_sees_the_data_scaled_as_suits_it() {
    let planted = json(&["rank", "demo:planted", "--method", "evsc", "--top", "12", "--format", "json"]);
    assert_eq!(planted["scale"], "range");
    assert!(names(&planted).iter().all(|name| !name.starts_with("noise")), "{:?}", names(&planted));
    // The example of the paper.
    let iris = json(&["rank", "demo:iris", "--method", "evsc", "--format", "json"]);
    let place = |name: &str| names(&iris).iter().position(|n| *n == name);
    assert!(place("petal length") < place("sepal length"), "{:?}", names(&iris));
    let several = ["rank", "demo:iris", "--method", "laplacian,evsc,fisher,variance"];
    let scales: Vec<_> = json(&[&several[..], &["--format", "json"]].concat())["rankings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|answer| answer["scale"].as_str().expect("a word").to_owned())
        .collect();
    assert_eq!(scales, ["standard", "range", "standard", "none"]);
    let table = quietly(&several);
    let told = "mean 0, deviation 1 (evsc: each feature scaled to 0..1; variance: not scaled)";
    assert!(table.contains(told), "{table}");
}

#[test]
fn a_given_scaling_holds_and_is_judged() {
    let arguments = ["rank", "demo:iris", "--format", "json", "--scale", "standard", "--method"];
    let evsc = run(&[&arguments[..], &["evsc"]].concat());
    assert!(evsc.stdout.contains("\"scale\": \"standard\"") && evsc.stderr.contains("equal variance"));
    let variance = run(&[&arguments[..], &["variance"]].concat());
    assert!(variance.stdout.contains("\"scale\": \"none\"") && variance.stderr.contains("no effect"));
    // The same graph serves methods that see the same data.
    let knn = ["rank", "demo:iris", "--method", "laplacian,evsc", "--graph", "knn", "--quiet"];
    let both = quietly(&[&knn[..], &["--scale", "range"]].concat());
    assert!(both.contains("graph  laplacian, evsc: knn"), "{both}");
    let apart = quietly(&knn);
    assert!(apart.contains("graph  laplacian: knn") && apart.contains("graph  evsc: knn"), "{apart}");
}

#[test]
fn settings_by_commas_and_values_with_commas() {
    let grid = |set: &[&str]| {
        let arguments =
            [&["rank", "demo:iris", "--method", "sselect", "--format", "json", "--quiet"], set].concat();
        let run = run(&arguments);
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let values = answer["cut_values"].as_array().expect("a table").iter();
        (answer["parameters"]["keep"].as_u64(), values.map(|v| v["lambda"].to_string()).collect::<Vec<_>>())
    };
    let expected = (Some(2), vec!["0.1".to_owned(), "0.5".to_owned()]);
    assert_eq!(grid(&["--set", "lambda=auto", "--set", "grid=0.1,0.5", "--set", "keep=2"]), expected);
    assert_eq!(grid(&["--set", "lambda=auto,grid=0.1,0.5,keep=2"]), expected);
    // As many features as are asked for judge a weight.
    assert_eq!(grid(&["--set", "lambda=auto,grid=0.1", "--top", "3"]).0, Some(3));
}

#[test]
fn the_choice_of_a_width_is_told() {
    let arguments = ["rank", "demo:iris", "--method", "evsc", "--set", "sigma=grid"];
    let table = quietly(&arguments);
    assert!(table.contains("Choice of σ") && table.contains("◄ chosen"), "{table}");
    let answer = json(&[&arguments[..], &["--format", "json"]].concat());
    let widths = answer["widths"].as_array().expect("a table");
    let chosen = widths.iter().find(|w| w["chosen"] == true).map(|w| &w["sigma"]);
    assert_eq!((widths.len(), chosen), (9, Some(&answer["parameters"]["sigma"])));
}

#[test]
fn a_width_that_nothing_takes_is_refused() {
    for (set, name) in
        [("similarity=dot", "similarity"), ("similarity=euclidean", "similarity"), ("sigma=2", "sigma")]
    {
        let run = run(&["rank", "demo:iris", "--method", "evsc", "--set", set, "--bandwidth", "1"]);
        assert_eq!(run.code, Some(1), "{set}");
        assert!(run.stderr.contains(&format!("`{name}` must be")), "{}", run.stderr);
    }
}

#[test]
fn notes_are_among_the_warnings_of_json() {
    let folder = Folder::new();
    let file = folder.file("twice.csv", FLOWERS.replacen("width", "length", 1));
    let answer = run(&["rank", &file, "--label", "species", "--k", "3", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
    let warnings: Vec<&str> =
        value["warnings"].as_array().into_iter().flatten().filter_map(|w| w.as_str()).collect();
    assert!(
        warnings.contains(&"column 2 is a second `length`: it is called `length_2` here"),
        "{warnings:?}"
    );
}

#[test]
fn included_features_are_marked() {
    let table = quietly(&["rank", "demo:iris", "--include", "sepal width", "--include", "sepal length"]);
    let lines: Vec<&str> = table.lines().filter(|l| l.contains("(included)")).collect();
    assert!(lines.len() == 2 && lines.iter().all(|l| l.contains("sepal")), "{table}");
    let both = quietly(&["rank", "demo:iris", "--method", "laplacian,spec", "--include", "sepal width"]);
    assert_eq!(both.matches("sepal width (included)").count(), 2, "{both}");
}

#[test]
fn rounding_is_not_drawn() {
    let folder = Folder::new();
    // The variances of a column and of ten times its tenth differ by rounding alone.
    let values = [0.1, 0.7, 0.3, 0.9, 0.2, 1.3];
    let rows: Vec<String> = values.iter().map(|v| format!("{v},{}", v / 3.0 * 3.0)).collect();
    let file = folder.file("equal.csv", format!("a,b\n{}\n", rows.join("\n")));
    let table = quietly(&["rank", &file, "--method", "variance", "--scale", "none"]);
    assert_eq!(table.matches(&"█".repeat(24)).count(), 2, "{table}");
}

#[test]
fn excluded_features_may_be_named_several_times() {
    let arguments = [
        "rank",
        "--method",
        "variance",
        "demo:iris",
        "--exclude",
        "sepal width",
        "--exclude",
        "sepal length",
        "--format",
        "json",
    ];
    assert_eq!(names(&json(&arguments)).len(), 2);
}

#[test]
fn a_label_column_without_labels_is_told() {
    let folder = Folder::new();
    folder.file("x.csv", "a,b,y\n1,2,\n2,1,\n3,3,NA\n4,1,\n");
    let run = folder.run(&["rank", "x.csv", "--label", "y", "--method", "fisher"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.starts_with("error: x.csv: column `y` holds no labels, all its cells are empty;"),
        "{}",
        run.stderr
    );
}

#[test]
fn an_evaluation_asks_for_all_labels() {
    let folder = Folder::new();
    folder.file("x.csv", FLOWERS.replacen("setosa", "", 1));
    let run = folder.run(&["evaluate", "x.csv", "--label", "species", "--methods", "sselect"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("leave their rows out of the file, or judge without labels (--protocol jaccard"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_variable_of_a_mat_file_can_be_chosen() {
    let fixture =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fiedler-io/tests/fixtures/one_hot.mat");
    let file = fixture.to_str().expect("UTF-8");
    let arguments =
        ["rank", file, "--variable", "A", "--label", "kind", "--method", "fisher", "--format", "json"];
    assert_eq!(json(&arguments)["n_features"], 3);
    let refused = run(&["rank", "demo:iris", "--variable", "A"]);
    assert_eq!(refused.stderr, "error: --variable works on files only, not on embedded data\n");
}

#[test]
fn a_parameter_that_is_not_read_is_told() {
    let graphs = ["rank", "demo:iris", "-m", "trace-ratio", "--set", "between=rbf"];
    let labels = ["rank", "demo:iris", "-m", "sselect", "--set", "cut=ratio"];
    for (arguments, sentence, other) in [
        (&graphs[..], "`between` has no effect: trace-ratio reads it with type=graphs", "type=graphs"),
        (&labels[..], "`cut` has no effect: sselect reads it with lambda=auto", "lambda=auto"),
    ] {
        let told = run(arguments);
        assert!(told.code == Some(0) && told.stderr.contains(sentence), "{}", told.stderr);
        let read = run(&[arguments, &["--set", other]].concat());
        assert!(read.code == Some(0) && !read.stderr.contains("no effect"), "{}", read.stderr);
    }
}

/// Features that a method does not use have a score below its floor, and no bar; the bars of the others are scaled without them.
#[test]
fn features_that_are_not_used_have_no_bar() {
    for (more, used) in [(&["-m", "mcfs"][..], 0.43), (&["-m", "arom-svm", "--label", "class"], 0.0)] {
        let shown = run(&[&["rank", "demo:planted", "--set", "count=5", "--top", "60"][..], more].concat());
        let bars = |line: &str| line.chars().filter(|c| ('▏'..='█').contains(c) || *c == '█').count();
        let lines: Vec<&str> =
            shown.stdout.lines().skip_while(|line| !line.starts_with("rank")).skip(1).collect();
        let score = |line: &str| line.split_whitespace().nth(2).and_then(|s| s.parse::<f64>().ok());
        let best = lines.iter().find_map(|line| score(line)).expect("a score");
        assert!((best - used).abs() < 0.01, "{best}");
        let unused = if used > 0.0 { 0.0 } else { -6.0 };
        let below: Vec<&&str> = lines.iter().filter(|line| score(line).is_some_and(|s| s < unused)).collect();
        assert!(!below.is_empty() && below.iter().all(|line| bars(line) == 0), "{}", shown.stdout);
        // A fifth of the way from nothing to the best is a fifth of the longest bar.
        assert!(bars(lines[0]) > 20, "{}", shown.stdout);
        let small = lines
            .iter()
            .find(|line| score(line).is_some_and(|s| s > unused && s < unused + 0.2 * (best - unused)));
        assert!(small.is_none_or(|line| bars(line) <= 6), "{}", shown.stdout);
    }
}

/// A graph that nothing is made of is told, with what would make something of it.
#[test]
fn a_graph_that_mrsf_does_not_look_at_is_told() {
    let told = |more: &[&str]| {
        let done = run(&[&["rank", "demo:iris", "-m", "mrsf"], more].concat());
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        done.stderr
    };
    for more in [
        &["--graph", "relief"][..],
        &["--graph", "class-heat"],
        &["--graph", "rbf", "--set", "targets=pca"],
        &["--label", "class", "--k", "7"],
    ] {
        let warned = told(more);
        assert!(warned.contains("what was said of the graph has no effect: mrsf explains the"), "{warned}");
    }
    for more in [
        &["--graph", "relief", "--set", "targets=spectral"][..],
        &["--graph", "rbf"],
        &["--label", "class", "--k", "7", "--set", "targets=spectral"],
        &["--label", "class"],
    ] {
        assert!(!told(more).contains("no effect"), "{more:?}");
    }
    let beside = run(&["rank", "demo:iris", "--label", "class", "-m", "mrsf,laplacian", "--k", "7"]);
    assert!(!beside.stderr.contains("no effect"), "{}", beside.stderr);
}

/// The advice of a refusal, followed.
#[test]
fn an_even_power_is_refused_where_eigenvalues_are_negative() {
    let rank = |gamma: &str| {
        let set = format!("gamma={gamma}");
        run(&["rank", "demo:iris", "-m", "spec", "--graph", "relief", "--set", &set, "--format", "csv"])
    };
    let refused = rank("r^4");
    assert!(
        refused.code == Some(1) && refused.stderr.contains("`gamma` must be an odd power"),
        "{}",
        refused.stderr
    );
    let first = |gamma: &str| rank(gamma).stdout.lines().nth(1).map(str::to_owned).unwrap_or_default();
    assert!(first("r^3").contains("petal length") && first("r").contains("petal length"), "{}", first("r^3"));
}
