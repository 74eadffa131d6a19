//! `fiedler fuse`.

use crate::command::{Folder, names, run};

/// The commented example of the repository.
fn example(name: &str) -> String {
    format!("{}/../../examples/fuse/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// Six samples of two classes and four features; the sources lie in other orders.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file(
        "x.csv",
        "sample,a,b,c,d,class\ns1,0,1,5,2,p\ns2,1,2,3,9,p\ns3,0.5,1.5,8,1,p\ns4,9,8,4,7,q\ns5,8,9,7,3,q\ns6,8.5,8.2,2,6,\n",
    );
    folder.file("aux.csv", "sample,u,v\ns6,5,1\ns1,0,2\ns2,0.1,7\ns5,5.2,3\ns3,0.3,4\ns4,4.9,2.5\n");
    folder.file("tree.tsv", "sample\tpath\ns2\tx/1\ns1\tx/1\ns3\tx/2\ns4\ty/1\ns6\ty/1\ns5\ty/2\n");
    folder.file("sets.gmt", "one\t-\ta\tb\ntwo\t-\tc\tzz\n");
    folder.file("net.csv", "a,b,1\nb,c,0.5\nc,d,1\n");
    folder.file("terms.csv", ",t1,t2\na,1,0\nb,1,1\nd,0,1\n");
    folder.file("sim.csv", ",s2,s1,s3,s4,s5,s6\ns1,.5,1,.5,0,0,0\ns2,1,.5,.5,0,0,0\ns3,.5,.5,1,0,0,0\ns4,0,0,0,1,.5,.5\ns5,0,0,0,.5,1,.5\ns6,0,0,0,.5,.5,1\n");
    folder
}

const TARGET: &str = "[target]\nfile = \"x.csv\"\nlabel = \"class\"\n";

const ALL: &str = "\
[[source]]\nname = \"own\"\nkind = \"target\"\n\
[[source]]\nname = \"aux\"\nkind = \"data\"\nfile = \"aux.csv\"\ngraph = { kind = \"knn\", k = 2 }\n\
[[source]]\nname = \"tree\"\nkind = \"hierarchy\"\nfile = \"tree.tsv\"\n\
[[source]]\nname = \"sets\"\nkind = \"sets\"\nfile = \"sets.gmt\"\ndrop = true\n\
[[source]]\nname = \"net\"\nkind = \"network\"\nfile = \"net.csv\"\n\
[[source]]\nname = \"terms\"\nkind = \"annotations\"\nfile = \"terms.csv\"\n\
[[source]]\nname = \"sim\"\nkind = \"similarity\"\nfile = \"sim.csv\"\n";

#[test]
fn the_examples_run_at_once() {
    let shown = run(&["fuse", &example("sources.toml")]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    for text in ["miRNA", "interactions", "weights aligned", "share", "hits among 8 known features"] {
        assert!(shown.stdout.contains(text), "{text} is not in\n{}", shown.stdout);
    }
    let shown = run(&["fuse", &example("rankings.toml")]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(
        shown.stdout.contains("3 rankings into one: p-value of ranks this good by chance"),
        "{}",
        shown.stdout
    );
}

/// Equation 5.2 as printed: what a source adds to the sum follows from its own size too.
#[test]
fn graphs_can_be_left_as_they_came() {
    let folder = folder();
    let weights = "normalize = false\n";
    let two = ALL.split("[[source]]").take(3).collect::<Vec<_>>().join("[[source]]");
    let given = two.replace("kind = \"target\"\n", "kind = \"target\"\nweight = 1\n");
    let given = given.replace("kind = \"data\"\n", "kind = \"data\"\nweight = 1\n");
    let config = folder.file("c.toml", format!("{weights}{TARGET}{given}"));
    let answer = json(&["fuse", &config, "--format", "json"]);
    assert_eq!(answer["normalize"], false);
    let shares: Vec<f64> =
        (0..2).map(|i| answer["sources"][i]["weight"].as_f64().expect("a share")).collect();
    assert!(
        shares[0] > 0.6 && (shares[0] + shares[1] - 1.0).abs() < 1e-12,
        "all pairs outweigh 2: {shares:?}"
    );
    assert_eq!(answer["sources"][0]["scale"], 1.0);
    let shown = run(&["fuse", &config]);
    assert!(shown.stdout.contains("given, graphs as they came"), "{}", shown.stdout);
    let config = folder.file("c.toml", format!("weights = \"aligned\"\n{weights}{TARGET}{two}"));
    let refused = run(&["fuse", &config]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("`normalize` must be true where weights are learned"),
        "{}",
        refused.stderr
    );
}

/// The two forms of proposition 4 have names of their own.
#[test]
fn covariances_are_named() {
    let folder = folder();
    let mut first = Vec::new();
    for form in ["kernel", "printed", "repaired"] {
        let source = format!(
            "[[source]]\nname = \"net\"\nkind = \"network\"\nfile = \"net.csv\"\ncovariance = \"{form}\"\n"
        );
        let answer = json(&["fuse", &folder.file("c.toml", format!("{TARGET}{source}")), "--format", "json"]);
        assert_eq!(answer["sources"][0]["settings"]["covariance"], form);
        first.push(answer["ranking"][0]["score"].as_f64().expect("a score"));
    }
    assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2], "{first:?}");
    let source = "[[source]]\nname = \"net\"\nkind = \"network\"\nfile = \"net.csv\"\ncovariance = \"odd\"\n";
    let refused = run(&["fuse", &folder.file("c.toml", format!("{TARGET}{source}"))]);
    assert!(refused.code == Some(2) && refused.stderr.contains("repaired"), "{}", refused.stderr);
}

#[test]
fn the_example_gives_the_misleading_source_less_than_its_equal_share() {
    let answer = json(&["fuse", &example("sources.toml"), "--format", "json"]);
    let sources = answer["sources"].as_array().expect("sources");
    let day = sources.iter().find(|s| s["name"] == "day of measurement").expect("there");
    assert!(day["weight"].as_f64().expect("a number") < 1.0 / sources.len() as f64);
    assert_eq!(answer["hits"]["at"][1]["depth"], 8);
}

#[test]
fn every_kind_of_source_becomes_a_graph_with_its_provenance() {
    let folder = folder();
    let config = folder.file("all.toml", format!("weights = \"equal\"\n{TARGET}{ALL}"));
    let answer = json(&["fuse", &config, "--format", "json"]);
    let sources = answer["sources"].as_array().expect("sources");
    let kinds: Vec<&str> = sources.iter().map(|s| s["graph"]["kind"].as_str().expect("a kind")).collect();
    assert_eq!(
        kinds,
        ["rbf", "knn", "hierarchy", "feature-sets", "feature-network", "feature-network", "given"]
    );
    assert_eq!((&answer["mode"], &answer["weights"]), (&"sources".into(), &"equal".into()));
    assert_eq!(sources[3]["features_dropped"], serde_json::json!(["zz"]));
    assert_eq!(sources[1]["samples_not_in_target"], serde_json::json!([]));
    assert!((sources[0]["weight"].as_f64().expect("a number") - 1.0 / 7.0).abs() < 1e-12);
    assert_eq!(sources[2]["agreement"]["tree"].as_f64(), Some(1.0));
    assert!(sources[0]["alignment_with_labels"].as_f64().expect("labels") > 0.5);
    assert_eq!(sources[6]["ranking_alone"].as_array().expect("names").len(), 4);
    assert!(names(&answer)[..2].contains(&"a"), "{answer}");
}

#[test]
fn the_order_of_files_and_of_sources_does_not_matter() {
    let folder = folder();
    let scores = |config: &str| -> Vec<(String, f64)> {
        let answer = json(&["fuse", config, "--format", "json"]);
        let row = |f: &serde_json::Value| {
            (f["feature"].as_str().expect("a name").to_owned(), f["score"].as_f64().expect("a score"))
        };
        let mut rows: Vec<_> = answer["ranking"].as_array().expect("a ranking").iter().map(row).collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows
    };
    let before = scores(&folder.file("one.toml", format!("{TARGET}{ALL}")));
    let files = ["x.csv", "aux.csv", "tree.tsv", "sim.csv", "terms.csv", "net.csv", "sets.gmt"];
    for (name, titles) in files.into_iter().zip([1, 1, 1, 1, 1, 0, 0]) {
        let text = std::fs::read_to_string(folder.path(name)).expect("there");
        let mut lines: Vec<&str> = text.lines().collect();
        lines[titles..].reverse();
        folder.file(name, lines.join("\n"));
    }
    let blocks: Vec<String> =
        ALL.rsplit("[[source]]\n").filter(|b| !b.is_empty()).map(|b| format!("[[source]]\n{b}")).collect();
    let after = scores(&folder.file("two.toml", format!("{TARGET}{}", blocks.concat())));
    for (a, b) in before.iter().zip(&after) {
        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-12, "{a:?} {b:?}");
    }
}

#[test]
fn samples_without_a_match_are_dropped_where_asked() {
    let folder = folder();
    folder.file("aux.csv", "sample,u,v\ns6,5,1\ns1,0,2\ns9,0.1,7\ns5,5.2,3\ns3,0.3,4\ns4,4.9,2.5\n");
    let source = "[[source]]\nname = \"aux\"\nkind = \"data\"\nfile = \"aux.csv\"\n";
    let strict = folder.file("strict.toml", format!("{TARGET}{source}"));
    let refused = run(&["fuse", &strict]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("source `aux`: 1 of 6 sample names are not in the target (`s9`)"),
        "{}",
        refused.stderr
    );
    let loose = folder.file("loose.toml", format!("{TARGET}{source}drop = true\n"));
    let answer = json(&["fuse", &loose, "--format", "json"]);
    assert_eq!(
        (&answer["target"]["n_samples"], &answer["target"]["dropped_samples"]),
        (&5.into(), &1.into())
    );
    let aux = &answer["sources"][0];
    assert_eq!(aux["samples_not_in_target"], serde_json::json!(["s9"]));
    assert_eq!(aux["target_samples_missing"], serde_json::json!(["s2"]));
}

#[test]
fn rankings_become_one_and_can_be_files_of_rank() {
    let folder = Folder::new();
    let csv = run(&["rank", "demo:iris", "--format", "csv", "-o", &folder.text("iris.csv")]);
    assert_eq!(csv.code, Some(0), "{}", csv.stderr);
    folder.file("list.txt", "petal width\npetal length\n");
    let config =
        folder.file("r.toml", "aggregate = \"borda\"\n[[ranking]]\nfile = \"iris.csv\"\nweight = 2\n[[ranking]]\nfile = \"list.txt\"\n");
    let answer = json(&["fuse", &config, "--format", "json"]);
    assert_eq!(names(&answer)[..2], ["petal length", "petal width"]);
    assert_eq!(answer["lists"][0]["weight"], 2.0);
    assert_eq!(answer["ranking"][0]["score"].as_f64(), Some(4.0 / 3.0));
    let out = folder.text("out.csv");
    assert_eq!(run(&["fuse", &config, "--format", "csv", "-o", &out]).code, Some(0));
    let text = std::fs::read_to_string(out).expect("written");
    assert!(text.starts_with("rank,feature,index,score\n1,petal length,"), "{text}");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = folder();
    let source = |text: &str| format!("{TARGET}[[source]]\nname = \"s\"\n{text}\n");
    let cases = [
        (2, source("kind = \"target\"\nfile = \"x\""), "unknown field `file`"),
        (2, source("kind = \"gossip\""), "`kind` must be target, data, labels"),
        (2, format!("methods = 1\n{TARGET}"), "unknown field `methods`"),
        (2, TARGET.to_owned(), "there is no [[source]]"),
        (2, format!("weights = \"aligned\"\n{}", source("kind = \"target\"\nweight = 1")), "leave one out"),
        (2, format!("features = 9\n{}", source("kind = \"target\"")), "`features` has no meaning"),
        (2, format!("{TARGET}[[ranking]]\nfile = \"a\"\n"), "become one ranking by `aggregate`"),
        (2, source("kind = \"target\"\nweight = 0"), "line 7: `weight` must be above 0 for one at least"),
        (1, source("kind = \"network\"\nfile = \"sim.csv\""), "share no feature name"),
        (1, source("kind = \"sets\"\nfile = \"sets.gmt\""), "(`zz`)"),
        (1, source("kind = \"data\"\nfile = \"nowhere.csv\""), "nowhere.csv"),
        (
            2,
            format!("method = \"variance\"\n{}", source("kind = \"target\"")),
            "line 1: `method` must be one that ranks on the graph of all sources",
        ),
        (2, format!("method = \"lapacian\"\n{}", source("kind = \"target\"")), "did you mean `laplacian`"),
        (
            2,
            "aggregate = \"vote\"\n[[ranking]]\nfile = \"sets.gmt\"\n".to_owned(),
            "one of borda, median, rrf, rra, mc4",
        ),
    ];
    for (code, text, sentence) in cases {
        let config = folder.file("wrong.toml", &text);
        let found = run(&["fuse", &config]);
        assert_eq!(found.code, Some(code), "{text}\n{}", found.stderr);
        assert!(found.stderr.contains(sentence), "{text}\n{}", found.stderr);
    }
}

#[test]
fn mistakes_of_a_newcomer_are_named() {
    let folder = Folder::new();
    let sentence = |content: &str, arguments: &[&str]| {
        folder.file("c.toml", content);
        let run = folder.run(&[&["fuse", "c.toml"], arguments].concat());
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        run.stderr
    };
    let nothing = "error: c.toml: there is nothing to fuse; give [target] with [[source]], or [[ranking]]\n";
    assert_eq!(sentence("", &[]), nothing);
    let none = "error: invalid value '0' for '--top <N>': it must be a whole number from 1\n";
    assert!(sentence("", &["--top", "0"]).starts_with(none));
    folder.file("x.csv", "sample,a,b\np,1,2\nq,2,1\nr,3,3\n");
    let target = "[target]\nfile = 'x.csv'\n[[source]]\nname = 'x'\nkind = 'target'\nmetrik = 'cosine'\n";
    let found = sentence(target, &[]);
    assert!(
        found.contains("(`x`): unknown field `metrik`, expected one of `name`, `kind`, `weight`"),
        "{found}"
    );
}
