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

/// Scores that differ by rounding alone tell nothing either, and nobody is told to take labels that there are not.
#[test]
fn rounding_is_no_ranking_and_advice_can_be_followed() {
    let iris =
        ["evaluate", "demo:iris", "--label", "class", "-m", "trace-ratio", "--counts", "2", "--labeled", "1"];
    let shown = run(&iris);
    assert!(shown.stderr.contains("trace-ratio: no ranking: all features tie"), "{}", shown.stderr);
    let rows: String =
        (0..8).map(|i| format!("{i},{},{}\n", (i * 5) % 7, if i < 4 { "a" } else { "b" })).collect();
    let folder = Folder::new();
    std::fs::write(folder.path("few.csv"), format!("x,y,class\n{rows}")).expect("written");
    let shown = folder.run(&[
        "evaluate",
        "few.csv",
        "--label",
        "class",
        "-m",
        "fisher",
        "--counts",
        "1",
        "--labeled",
        "1",
    ]);
    assert!(
        shown.stderr.contains("so it is not judged") && !shown.stderr.contains("or more"),
        "{}",
        shown.stderr
    );
}

/// With one labeled sample a class the Fisher score has no spread to divide by: all features tie, and the order of the columns is
/// not judged as if it were a ranking. The advice works.
#[test]
fn an_order_that_tells_nothing_is_not_judged() {
    let asked = |more: &[&str]| {
        let question = [
            "evaluate",
            "demo:digits",
            "--label",
            "class",
            "-m",
            "fisher",
            "--counts",
            "5,10",
            "--repeats",
            "3",
        ];
        run(&[&question[..], more].concat())
    };
    let shown = asked(&["--labeled", "1,2"]);
    let sentence = "fisher: no ranking: all features tie with 1 labeled sample a class, so it is not judged";
    assert!(shown.code == Some(0) && shown.stderr.contains(&format!("{sentence}\n")), "{}", shown.stderr);
    let advice = "; 2 or more may tell them apart (--labeled 2)";
    let alone = asked(&["--labeled", "1"]);
    assert!(alone.stderr.contains(&format!("{sentence}{advice}")), "{}", alone.stderr);
    assert!(shown.stdout.contains("       5  –       0."), "{}", shown.stdout);
    assert!(shown.stdout.contains("fisher          –"), "the overview: {}", shown.stdout);
    assert!(shown.stdout.contains("No method has a ranking."), "{}", shown.stdout);
    assert!(!shown.stdout.contains("NaN"), "{}", shown.stdout);
    let csv = asked(&["--labeled", "1", "--format", "csv"]);
    assert!(
        csv.stdout.contains("1NN accuracy,fisher,method,5,,,,,,,0,training,,,,,,,,,1,\n"),
        "{}",
        csv.stdout
    );
    let answer: Value =
        serde_json::from_str(&asked(&["--labeled", "1", "--format", "json"]).stdout).expect("JSON");
    let fisher = curve(&answer["tables"][0], "fisher");
    assert_eq!((&fisher["points"][0]["mean"], &fisher["points"][0]["values"]), (&Value::Null, &json!([])));
    assert_eq!(answer["tables"][0]["verdict"]["best"]["name"], "random");
    let followed = asked(&["--labeled", "2"]);
    assert!(!followed.stderr.contains("no ranking") && !followed.stdout.contains('–'), "{}", followed.stderr);
    let folder = Folder::new();
    let report = folder.text("r.html");
    let drawn = asked(&["--labeled", "1,2,3", "--report", &report]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
    let page = std::fs::read_to_string(report).expect("a report");
    assert!(page.contains("<td class=\"n\">–</td>") && !page.contains("NaN"), "a cell without a value");
}

/// k is a parameter of the graph: every value is what its own command finds.
#[test]
fn parameters_of_the_graph_vary() {
    let asked = [
        "evaluate",
        "demo:digits",
        "--label",
        "class",
        "-m",
        "laplacian,fisher",
        "--counts",
        "5",
        "--repeats",
        "2",
    ];
    let answer = |more: &[&str]| json(&[&asked[..], more, &["--quiet", "--format", "json"]].concat());
    let grid = answer(&["--vary", "k=2,9"]);
    for k in ["2", "9"] {
        let alone = answer(&["--k", k]);
        let varied = curve(&grid["tables"][0], &format!("laplacian k={k}"));
        assert_eq!(values(varied), values(curve(&alone["tables"][0], "laplacian")), "{k}");
    }
    assert_eq!(curve(&grid["tables"][0], "fisher")["variant"], Value::Null);
    for (more, part) in [
        (
            &["-m", "fisher", "--vary", "k=2,9"][..],
            "--vary must be a parameter of a method or of the graph that it takes (fisher: none), got `k`",
        ),
        (&["-m", "laplacian", "--vary", "kk=2"], "(laplacian: normalization, k, weight, "),
        (&["-m", "laplacian", "--vary", "k=2,9", "--k", "3"], "got `k` both ways"),
        (&["-m", "laplacian", "--vary", "k=2,x"], "`x`"),
    ] {
        let told = run(&[&["evaluate", "demo:iris", "--label", "class"][..], more].concat());
        assert!(told.code == Some(2) && told.stderr.contains(part), "{more:?}: {}", told.stderr);
    }
}
