//! `fiedler evaluate` with several numbers of labels and several values of a parameter: every cell is what its own command finds.

use serde_json::{Value, json};

use crate::command::{Folder, json, run};

const ASKED: [&str; 11] = [
    "evaluate",
    "demo:digits",
    "--label",
    "class",
    "-m",
    "sselect,fisher,laplacian",
    "--counts",
    "5,10",
    "--repeats",
    "3",
    "--quiet",
];

fn answer(more: &[&str]) -> Value {
    json(&[&ASKED[..], more, &["--format", "json"]].concat())
}

fn curve<'a>(table: &'a Value, name: &str) -> &'a Value {
    let curves = table["curves"].as_array().expect("curves");
    curves.iter().find(|curve| curve["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// What was measured, without what follows from who stands beside it.
fn values(curve: &Value) -> Vec<Value> {
    let points = curve["points"].as_array().expect("points").iter().chain([&curve["aggregated"]]);
    points.map(|p| json!([p["count"], p["mean"], p["sd"], p["values"], p["than_random"]])).collect()
}

#[test]
fn every_cell_is_what_its_own_command_finds() {
    let grid = answer(&["--labeled", "6,2", "--vary", "lambda=0.1,0.9"]);
    assert_eq!(grid["labeled"], json!([2, 6]));
    let tables = grid["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), 2);
    for (table, labeled) in tables.iter().zip(["2", "6"]) {
        assert_eq!(table["labeled"].to_string(), labeled);
        for lambda in ["0.1", "0.9"] {
            let alone = answer(&["--labeled", labeled, "--set", &format!("lambda={lambda}")]);
            let single = &alone["tables"][0];
            let varied = curve(table, &format!("sselect lambda={lambda}"));
            assert_eq!(values(varied), values(curve(single, "sselect")), "{labeled} {lambda}");
            let value: f64 = lambda.parse().expect("a number");
            assert_eq!(varied["variant"], json!({"of": "sselect", "values": {"lambda": value}}));
            for other in ["fisher", "laplacian", "random", "all features"] {
                assert_eq!(values(curve(table, other)), values(curve(single, other)), "{other}");
            }
        }
    }
    assert_ne!(values(curve(&tables[0], "fisher")), values(curve(&tables[1], "fisher")));
    assert_eq!(curve(&tables[0], "fisher")["variant"], Value::Null);
}

#[test]
fn combinations_are_judged_and_told() {
    let two = answer(&["--labeled", "2", "--vary", "lambda=0.1,0.9", "--vary", "phi=1,2"]);
    let names: Vec<&str> = two["tables"][0]["curves"]
        .as_array()
        .expect("curves")
        .iter()
        .filter_map(|c| c["name"].as_str().filter(|name| name.starts_with("sselect")))
        .collect();
    let expected =
        ["0.1 phi=1", "0.1 phi=2", "0.9 phi=1", "0.9 phi=2"].map(|v| format!("sselect lambda={v}"));
    assert_eq!(names, expected);
    let csv =
        run(&[&ASKED[..], &["--labeled", "2,6", "--vary", "lambda=0.1,0.9", "--format", "csv"]].concat())
            .stdout;
    assert!(csv.lines().next().is_some_and(|line| line.ends_with(",labeled,varied")), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.ends_with(",6,lambda=0.9")).count(), 3, "{csv}");
    let shown = run(&[&ASKED[..], &["--labeled", "2,6", "--vary", "lambda=0.1,0.9"]].concat()).stdout;
    for words in [
        "1NN accuracy with 2 labels a class, larger is better",
        "selection knows 2 or 6 labels a class, a table each",
        "1NN accuracy by labels a class, mean of all counts",
        "With 6 labels a class. Best: ",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn a_grid_is_drawn() {
    let folder = Folder::new();
    let more =
        ["--labeled", "2,6", "--vary", "lambda=0.1,0.9", "--report", "grid.html", "--findings", "grid.json"];
    let found = folder.run(&[&ASKED[..], &more].concat());
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    let page = std::fs::read_to_string(folder.path("grid.html")).expect("written");
    for words in
        ["id=\"trend\"", "1NN accuracy by labels a class", "1NN accuracy by lambda", "with 6 labels a class"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("And by mutual information?"), "one measure, two numbers of labels");
    for kind in ["labels", "parameter", "accuracy"] {
        let drawn = folder.run(&["plot", kind, "grid.json", "-o", &format!("{kind}.svg")]);
        assert_eq!(drawn.code, Some(0), "{kind}: {}", drawn.stderr);
    }
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    for (more, sentence) in [
        (&["--vary", "lambda"][..], "it must be written name=value,value,…"),
        (&["--vary", "lambda=0.1,,0.2"], "it must be written name=value,value,…"),
        (&["--vary", "lambda=0.1,phi=2"], "say --vary again for another one"),
        (&["--vary", "lambda=0.1,2"], "`lambda` must be a number from 0 to 1, or auto, got `2`"),
        (&["--vary", "lamda=0.1"], "lamda"),
        (&["--vary", "lambda=0.1,0.10"], "--vary must be values without repetitions, got `lambda` 0.1 twice"),
        (&["--vary", "lambda=0.1", "--vary", "lambda=0.2"], "got `lambda` twice"),
        (&["--vary", "lambda=0.1", "--set", "lambda=0.2"], "got `lambda` both ways"),
        (&["--labeled", "2,0"], "it must be a whole number from 1"),
        (&["--labeled", "2,1000"], "--labeled must be from 1 to "),
    ] {
        let refused = run(&[&ASKED[..], more].concat());
        assert!(
            refused.code != Some(0) && refused.stderr.contains(sentence),
            "{sentence}: {}",
            refused.stderr
        );
        assert_eq!(refused.stderr.matches("error").count(), 1, "{}", refused.stderr);
    }
}
