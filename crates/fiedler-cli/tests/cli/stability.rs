//! `fiedler stability`.

use crate::command::{FLOWERS, Folder, json, quietly, run, snapshot};

const FEW: [&str; 4] = ["stability", "demo:planted?noise=30&samples=60", "--repeats", "20"];

#[test]
fn the_table_tells_how_sure_one_can_be() {
    let arguments = [&FEW[..], &["--method", "laplacian", "--top", "14"]].concat();
    snapshot("stability_planted", &quietly(&arguments));
    let halves = quietly(&[&arguments[..], &["--fraction", "0.5", "--noise", "0"]].concat());
    assert!(halves.contains("20 subsamples of 30 samples") && !halves.contains("noise of"), "{halves}");
    assert!(halves.contains("of them should not be there, on average"), "{halves}");
}

#[test]
fn the_formats_tell_the_same() {
    let answer = json(&[&FEW[..], &["--count", "12", "--format", "json"]].concat());
    assert_eq!((&answer["method"], &answer["count"]), (&"mrsf".into(), &12.into()));
    assert_eq!(answer["parameters"]["count"], 12, "mrsf is asked for as many as are selected");
    let features = answer["features"].as_array().expect("a list");
    assert_eq!(features.len(), 42);
    let csv = quietly(&[&FEW[..], &["--count", "12", "--format", "csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "feature,index,rank,subsamples,noise,safe");
    for (line, f) in lines[1..].iter().zip(features) {
        let expected = format!(
            "{},{},{},{:?},{:?},{}",
            f["feature"].as_str().expect("a name"),
            f["index"],
            f["rank"],
            f["subsamples"].as_f64().expect("a share"),
            f["noise"].as_f64().expect("a share"),
            f["safe"]
        );
        assert_eq!(*line, expected);
    }
    let shares: f64 = features.iter().map(|f| f["subsamples"].as_f64().expect("a share")).sum();
    assert!((shares - 12.0).abs() < 1e-9, "every version selects twelve");
    let safe = features.iter().filter(|f| f["safe"] == true).count();
    assert_eq!(answer["safe"].as_array().map(Vec::len), Some(safe));
}

#[test]
fn threads_do_not_matter_and_seeds_do() {
    let arguments = [&FEW[..], &["--format", "csv", "--method", "laplacian"]].concat();
    let with = |more: &[&str]| quietly(&[&arguments[..], more].concat());
    assert_eq!(with(&["--threads", "1"]), with(&["--threads", "3"]));
    assert_ne!(with(&["--seed", "1"]), with(&["--seed", "2"]));
}

#[test]
fn classes_are_drawn_alike_where_the_method_sees_them() {
    let shown = quietly(&["stability", "demo:iris", "--method", "fisher", "--repeats", "20", "--noise", "0"]);
    assert!(shown.contains("20 subsamples of 120 samples, every class its share"), "{shown}");
    assert!(shown.contains("2 of the 2 are safe to report"), "{shown}");
    let unsupervised = quietly(&["stability", "demo:iris", "--method", "laplacian", "--repeats", "20"]);
    assert!(!unsupervised.contains("every class its share"), "{unsupervised}");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = Folder::new();
    let flowers = folder.file("flowers.csv", FLOWERS);
    let graph = folder.file("graph.csv", "0,1,1\n");
    let file = format!("file:{graph}");
    let cases: [(i32, &[&str], &str); 11] = [
        (2, &["--fraction", "0"], "--fraction must be above 0 and at most 1, got 0"),
        (2, &["--fraction", "1", "--noise", "0"], "nothing to measure"),
        (2, &["--noise", "-1"], "--noise must be from 0 to 1000000, got -1"),
        (2, &["--repeats", "1"], "--repeats must be from 2"),
        (2, &["--threshold", "1"], "--threshold must be from 0 and below 1"),
        (2, &["--method", "fischer"], "did you mean `fisher`"),
        (2, &["--graph", &file], "cannot be resampled"),
        (1, &["--method", "fisher", "--exclude", "species"], "--label COLUMN"),
        (2, &["--top", "4"], "--top must be from 1 to 2, fewer than there are features (3), got 4"),
        (1, &["--label", "species", "--method", "fisher", "--fraction", "0.1"], "does not vanish, got 0.1"),
        (1, &["--method", "laplacian", "--fraction", "0.1"], "from 3 to 11 of the 12 samples are kept"),
    ];
    for (code, more, sentence) in cases {
        let named = more.iter().any(|m| ["--label", "--exclude"].contains(m));
        let label: &[&str] = if named { &[] } else { &["--label", "species"] };
        let found = run(&[&["stability", &flowers][..], label, more].concat());
        assert_eq!(found.code, Some(code), "{more:?}\n{}", found.stderr);
        assert!(found.stderr.contains(sentence), "{more:?}\n{}", found.stderr);
    }
}

#[test]
fn a_file_is_written_whole() {
    let folder = Folder::new();
    let out = folder.text("stability.json");
    let arguments = [&FEW[..], &["--method", "variance", "--format", "json", "-o", &out]].concat();
    assert_eq!(run(&arguments).code, Some(0));
    let text = std::fs::read_to_string(&out).expect("written");
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(answer["subsamples"]["kuncheva"].is_f64() && answer["noise"]["level"] == 0.1);
}

/// What a format has no room for is not left out without a word.
#[test]
fn bounds_are_not_written_as_csv() {
    let asked =
        ["stability", "demo:iris", "-m", "laplacian", "--top", "2", "--repeats", "3", "--bounds", "--format"];
    let refused = run(&[&asked[..], &["csv"]].concat());
    assert!(
        refused.code == Some(2) && refused.stderr.contains("--format json and the table tell them"),
        "{}",
        refused.stderr
    );
    let json = run(&[&asked[..], &["json"]].concat());
    assert!(json.code == Some(0) && json.stdout.contains("\"bounds\""), "{}", json.stderr);
}
