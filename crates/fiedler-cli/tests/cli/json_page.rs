//! `docs/json.md` names every key that a program can meet.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::command::{fiedler, finish};

/// Objects whose keys are names of the user's or of methods, not of the format.
const OF_NAMES: [&str; 8] = [
    "means",
    "parameters",
    "settings",
    "agreement",
    "scale_of_methods",
    "transform_of_methods",
    "labels_of_methods",
    "target_of_methods",
];

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            for (key, inner) in entries {
                found.insert(key.clone());
                if !OF_NAMES.contains(&key.as_str()) {
                    keys(inner, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_on_the_page() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/json.md")).expect("the page");
    let [sources, each, rankings] =
        ["sources", "each", "rankings"].map(|name| format!("{root}/examples/fuse/{name}.toml"));
    let data = format!("{root}/examples/fuse/expression.csv");
    let swept = ["--fuse", &sources, "--sweep", "miRNA,site", "--steps", "2"];
    let swept =
        [&["evaluate", &data, "--protocol", "jaccard", "--repeats", "2", "--label", "class"], &swept[..]]
            .concat();
    let grid = ["-m", "sselect,fisher", "--labeled", "3,5", "--vary", "lambda=0.1,0.9"];
    let grid = [&["evaluate", "demo:iris", "--label", "class", "--repeats", "2"], &grid[..]].concat();
    let asked: [&[&str]; 11] = [
        &["rank", "demo:iris"],
        &["rank", "demo:digits", "--method", "laplacian,mrsf", "--top", "3"],
        &["graph", "demo:iris"],
        &["evaluate", "demo:iris", "--label", "class", "--repeats", "3"],
        &["evaluate", "demo:iris", "--label", "class", "--folds", "3", "--protocol", "kmeans"],
        &["stability", "demo:iris", "--repeats", "3"],
        &["fuse", &sources],
        &["fuse", &each],
        &["fuse", &rankings],
        &swept,
        &grid,
    ];
    let mut found = BTreeSet::new();
    for words in asked {
        let done = finish(fiedler(words).args(["--format", "json"]));
        let answer: Value = serde_json::from_str(&done.stdout).expect("JSON");
        if words[0] != "fuse" && answer.get("rankings").is_none() {
            assert!(answer["data"].is_string(), "{words:?} tells its data");
        }
        keys(&answer, &mut found);
    }
    let missing: Vec<&String> = found.iter().filter(|key| !page.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/json.md does not name {missing:?}");
}
