//! `fiedler graph`.

use crate::command::{Folder, json, names, quietly, run, snapshot};

#[test]
fn tables() {
    snapshot("graph_iris", &quietly(&["graph", "demo:iris"]));
    snapshot(
        "graph_iris_labels",
        &quietly(&["graph", "demo:iris", "--graph", "labels", "--eigenvalues", "0"]),
    );
}

#[test]
fn json_has_vital_signs_and_spectrum() {
    let answer = json(&["graph", "demo:iris", "--eigenvalues", "6", "--format", "json"]);
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    assert_eq!(
        keys,
        [
            "format",
            "data",
            "n_samples",
            "n_features",
            "scale",
            "transform",
            "transform_reason",
            "graph",
            "component_sizes",
            "spectrum",
            "warnings"
        ]
    );
    let values = answer["spectrum"]["eigenvalues"].as_array().expect("a list");
    assert_eq!((values.len(), values[0].as_f64()), (6, Some(0.0)));
    assert_eq!(answer["component_sizes"], serde_json::json!([150]));
    let none = json(&["graph", "demo:iris", "--eigenvalues", "0", "--format", "json"]);
    assert!(none["spectrum"].is_null());
}

/// The samples in the eigenvectors: in a file, and in JSON; both the same numbers, of length 1.
#[test]
fn eigenvectors_can_be_had() {
    let folder = Folder::new();
    let file = folder.text("iris.csv");
    let options = ["--eigenvalues", "3", "--format", "json", "--vectors", "--embedding", &file];
    let answer = json(&[&["graph", "demo:iris"], &options[..]].concat());
    let vectors = answer["spectrum"]["vectors"].as_array().expect("vectors").clone();
    assert_eq!((vectors.len(), vectors[0].as_array().map(Vec::len)), (3, Some(150)));
    let text = std::fs::read_to_string(&file).expect("written");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("sample,label,xi_1,xi_2,xi_3", 151));
    for (j, vector) in vectors.iter().enumerate() {
        let written: Vec<f64> = lines[1..]
            .iter()
            .map(|line| line.split(',').nth(2 + j).and_then(|v| v.parse().ok()).expect("a number"))
            .collect();
        let told: Vec<f64> = vector.as_array().expect("numbers").iter().filter_map(|v| v.as_f64()).collect();
        assert_eq!(written, told);
        let length: f64 = told.iter().map(|v| v * v).sum();
        assert!((length - 1.0).abs() < 1e-9, "{length}");
    }
    // What was written can be read as data.
    let shown = crate::command::run(&["rank", &file, "--label", "label", "-m", "fisher"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    for (options, sentence) in [
        (vec!["--vectors"], "--vectors belongs to --format json"),
        (vec!["--embedding", &file, "--eigenvalues", "0"], "--embedding needs --eigenvalues of 1 or more"),
    ] {
        let refused = crate::command::run(&[&["graph", "demo:iris"], &options[..]].concat());
        assert!(refused.code == Some(2) && refused.stderr.contains(sentence), "{}", refused.stderr);
    }
}

#[test]
fn every_kind_of_graph_can_be_asked_for() {
    for kind in ["knn", "rbf", "landmarks", "labels", "diffusion", "geodesic", "relief"] {
        let options = ["--graph", kind, "--eigenvalues", "0", "--quiet", "--format", "json"];
        let answer = json(&[&["graph", "demo:iris"], &options[..]].concat());
        assert_eq!(answer["graph"]["kind"], kind);
    }
    // Degrees of 1 are taken, and said.
    let run =
        crate::command::run(&["rank", "demo:iris", "-m", "spec", "--set", "phi=2", "--graph", "relief"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with("note: the relief graph takes D = I"), "{}", run.stderr);
}

#[test]
fn options_reach_the_graph() {
    let options = ["--k", "9", "--weight", "binary", "--metric", "manhattan", "--mutual"];
    let answer = json(
        &[&["graph", "demo:iris", "--eigenvalues", "0", "--quiet", "--format", "json"], &options[..]]
            .concat(),
    );
    let parameters = &answer["graph"]["parameters"];
    assert_eq!(parameters["k"], 9);
    assert_eq!(
        (parameters["weight"].as_str(), parameters["metric"].as_str()),
        (Some("binary"), Some("manhattan"))
    );
    assert_eq!(parameters["mutual"], true);
}

#[test]
fn landmarks_are_asked_for_and_their_agreement_is_told() {
    let asked = ["graph", "demo:digits", "--graph", "landmarks", "--eigenvalues", "5", "--format", "json"];
    let answer = json(&[&asked[..], &["--quiet", "--landmarks", "300", "--k", "4"]].concat());
    let parameters = &answer["graph"]["parameters"];
    assert_eq!((&parameters["landmarks"], &parameters["k"]), (&300.into(), &4.into()));
    let agreement = parameters["agreement"].as_f64().expect("an agreement");
    assert!((0.9..=1.0).contains(&agreement), "{agreement}");
    let told = crate::command::run(&[&asked[..], &["--landmarks", "300"]].concat());
    assert!(told.stderr.contains("the landmark graph stands for the kNN graph"), "{}", told.stderr);
    for (options, told) in [
        (&["--landmarks", "1"][..], "--landmarks must be"),
        (
            &["--landmarks", "5000"],
            "--landmarks must be `auto` or from 2 to the number of samples (1,797), got 5000",
        ),
        (&["--landmarks", "9", "--k", "10"], "--k must be from 1 to the number of landmarks (9), got 10"),
        (&["--weight", "binary"], "--weight does not apply to the landmarks graph"),
    ] {
        let run = crate::command::run(&[&asked[..], options].concat());
        assert!(matches!(run.code, Some(1 | 2)), "{}", run.stderr);
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
    let run = crate::command::run(&["graph", "demo:iris", "--landmarks", "9"]);
    assert!(run.stderr.contains("--landmarks does not apply to the knn graph"), "{}", run.stderr);
}

#[test]
fn an_approximate_search_is_asked_for_and_told() {
    let folder = Folder::new();
    let line = |i: usize| format!("{},{},{}\n", i % 71, (i * i) % 97, (i * 7919) % 1013);
    let data = folder.file("d.csv", (0..4500).map(line).fold("a,b,c\n".to_owned(), |all, line| all + &line));
    let asked = ["graph", data.as_str(), "--eigenvalues", "0", "--quiet", "--format", "json"];
    let answer = json(&[&asked[..], &["--approximate", "--recall", "0.5"]].concat());
    let recall = answer["graph"]["parameters"]["recall"].as_f64().expect("a recall");
    assert!((0.5..=1.0).contains(&recall), "{recall}");
    // So few samples are searched exactly unless it is asked for otherwise.
    for options in [&[][..], &["--exact"], &["--recall", "0.9"]] {
        let answer = json(&[&asked[..], options].concat());
        assert!(answer["graph"]["parameters"]["recall"].is_null(), "{options:?}");
    }
    for (options, told) in [
        (&["--recall", "1.5"][..], "--recall must be a number from 0.01 to 1, got `1.5`"),
        (&["--exact", "--approximate"], "--exact"),
        (&["--graph", "rbf", "--recall", "0.9"], "--recall does not apply to the rbf graph"),
    ] {
        let run = crate::command::run(&[&asked[..], options].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
}

#[test]
fn a_graph_of_the_users_own() {
    let folder = Folder::new();
    let data = folder.file("d.csv", "a,b\n1,5\n2,1\n3,4\n4,2\n");
    // Two pairs of samples: 0 with 1 and 2 with 3.
    let square = folder.file("s.csv", "0,1,0,0\n1,0,0,0\n0,0,0,1\n0,0,1,0\n");
    let edges = folder.file("e.csv", "i,j,weight\n0,1,1\n2,3,1\n");
    let rank = |graph: String| json(&["rank", &data, "--graph", &graph, "--quiet", "--format", "json"]);
    let (a, b) = (rank(format!("file:{square}")), rank(format!("file:{edges}")));
    assert_eq!(a["ranking"], b["ranking"]);
    assert_eq!((a["graph"]["edges"].as_u64(), a["graph"]["components"].as_u64()), (Some(2), Some(2)));
    assert_eq!(names(&a), ["a", "b"]);
}

#[test]
fn edges_may_end_before_the_samples_do() {
    let folder = Folder::new();
    let file = folder.file("x.csv", "a,b\n1,2\n2,1\n3,3\n4,1\n5,2\n");
    // Three edges, which are a square of numbers as well.
    let edges = format!("file:{}", folder.file("edges.csv", "0,1,1\n1,2,0.5\n0,2,0.5\n"));
    let run = crate::command::run(&["graph", &file, "--graph", &edges, "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((answer["graph"]["edges"].as_u64(), answer["graph"]["isolated"].as_u64()), (Some(3), Some(2)));
    assert!(run.stderr.starts_with("warning: the graph is disconnected: 3 components, 2 of them single"));
    let far = folder.file("far.csv", "0,1,1\n1,7,0.5\n");
    let run = crate::command::run(&["rank", &file, "--graph", &format!("file:{far}")]);
    let sentence = "row 2: sample 7, and the data have 5 samples, counted from 0";
    assert_eq!(run.stderr, format!("error: {far}, {sentence}\n"));
    let square = folder.file("square.csv", "1,0\n0,1\n");
    let run = crate::command::run(&["rank", &file, "--graph", &format!("file:{square}")]);
    let sentence = "a graph of 2 samples, and the data have 5 samples; they must be the same";
    assert_eq!(run.stderr, format!("error: {square}: {sentence}\n"));
}

#[test]
fn a_bandwidth_that_leaves_next_to_no_edges_is_told_as_that() {
    let run = crate::command::run(&["rank", "demo:iris", "--bandwidth", "1e-9", "--verbose"]);
    assert!(run.stderr.contains("degenerate: most similarities between neighbors are 0;"), "{}", run.stderr);
    assert!(!run.stderr.contains("near 1") && run.stdout.contains("degree 0 to 1"), "{}", run.stdout);
}

#[test]
fn the_kinds_and_their_options_are_listed_without_data() {
    let run = crate::command::run(&["graph", "--list"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for word in ["knn: nearest neighbors", "--beta", "manhattan", "self-tuning", "exp(-βL)"] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    let list = json(&["graph", "--list", "--format=json"]);
    let names: Vec<&str> =
        list["graphs"].as_array().expect("a list").iter().filter_map(|kind| kind["name"].as_str()).collect();
    assert_eq!(names, ["knn", "rbf", "landmarks", "relief", "diffusion", "geodesic", "class-heat", "labels"]);
    let help = crate::command::run(&["graph", "--help"]).stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("knn, rbf, landmarks, relief, diffusion, geodesic, class-heat, labels"), "{help}");
}

#[test]
fn a_sample_that_is_isolated_in_all_but_name_is_told() {
    let folder = Folder::new();
    let rows: String = (0..30).map(|i| format!("{},{}\n", i % 6, i % 5)).collect();
    let file = folder.file("far.csv", format!("a,b\n{rows}90,90\n"));
    let run = crate::command::run(&["rank", &file, "--scale", "none", "--graph", "rbf", "--bandwidth", "8"]);
    let told = "1 sample is isolated in all but name: its degree is below 1e-12 of the median";
    assert!(run.stderr.contains(told), "its own similarity of 1 does not count: {}", run.stderr);
    let run = crate::command::run(&["rank", &file, "--scale", "none", "--bandwidth", "200"]);
    assert!(run.stderr.contains(told), "{}", run.stderr);
    for advice in [["--weight", "binary"], ["--bandwidth", "2000"]] {
        let mended = crate::command::run(&[&["rank", &file, "--scale", "none"], &advice[..]].concat());
        assert!(!mended.stderr.contains("in all but name"), "{}", mended.stderr);
    }
}

/// Eigenvalues that are all 0 tell of components, not of one cluster; the advice shows what lies beyond.
#[test]
fn components_are_no_single_cluster() {
    let told = run(&["graph", "demo:iris", "--k", "1", "--eigenvalues", "5"]).stdout;
    let asked = told.split("(--eigenvalues ").nth(1).and_then(|rest| rest.split(')').next());
    let asked = asked.unwrap_or_else(|| panic!("no advice: {told}"));
    assert!(
        told.contains("components, each with an eigenvalue of 0") && !told.contains("one cluster"),
        "{told}"
    );
    let advised = run(&["graph", "demo:iris", "--k", "1", "--eigenvalues", asked]).stdout;
    assert!(advised.contains("The eigengap suggests") || advised.contains("No gap stands out"), "{advised}");
    let found = run(&["graph", "demo:iris", "--k", "1", "--eigenvalues", "5", "--format", "json"]).stdout;
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    assert!(found["spectrum"]["eigengap"].is_null(), "{found}");
}

/// Relief's graph has negative weights: its eigenvalues are called what they are, and no clusters are read off them.
#[test]
fn negative_eigenvalues_count_no_clusters() {
    let asked = ["graph", "demo:iris", "--label", "class", "--graph", "relief", "--eigenvalues", "6"];
    let told = run(&asked).stdout;
    assert!(told.contains("the trivial eigenvalue and the smallest others"), "{told}");
    assert!(told.contains("their gaps tell no number of clusters"), "{told}");
    assert!(!told.contains("suggests") && !told.contains("the widest gap"), "{told}");
    let found = run(&[&asked[..], &["--format", "json"]].concat()).stdout;
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    assert!(
        found["spectrum"]["eigengap"].is_null() && found["spectrum"]["eigenvalues"][1].as_f64() < Some(0.0)
    );
}
