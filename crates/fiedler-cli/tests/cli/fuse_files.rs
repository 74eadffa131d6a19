//! `fiedler fuse` and the files that people have: numbers for names, names twice, titles that are names,
//! scores without ranks. Each is read right or refused in one clear sentence.

use crate::command::{Folder, names, run};

fn json(arguments: &[&str]) -> serde_json::Value {
    let run = run(arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// Eight samples of two classes, `id` as their names, and three features.
fn table(id: impl Fn(usize) -> String) -> String {
    let row = |i: usize| {
        let class = i % 2;
        let (f, g, h) = (3.0 * class as f64 + 0.1 * i as f64, (i * i % 7) as f64, (i * 3 % 5) as f64);
        format!("{},{f},{g},{h},{}\n", id(i), ["p", "q"][class])
    };
    format!("sample,f,g,h,class\n{}", (0..8).map(row).collect::<String>())
}

/// Other measurements of the same samples, in this order.
fn other(order: [usize; 8], id: impl Fn(usize) -> String) -> String {
    let row =
        |i: usize| format!("{},{},{}\n", id(i), 2.0 * (i % 2) as f64 + 0.05 * i as f64, (i * 5 % 3) as f64);
    format!("sample,u,v\n{}", order.map(row).concat())
}

const ORDER: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
const SHUFFLED: [usize; 8] = [5, 2, 7, 0, 3, 6, 1, 4];

fn config(target: &str, source: &str) -> String {
    format!("[target]\nfile = \"x.csv\"\nlabel = \"class\"\n{target}[[source]]\nname = \"s\"\n{source}")
}

fn text(i: usize) -> String {
    format!("s{i}")
}

fn number(i: usize) -> String {
    (1001 + i).to_string()
}

/// The code and what stands on standard error.
fn refused(folder: &Folder, source: &str) -> String {
    let found = run(&["fuse", &folder.file("refused.toml", config("", source))]);
    assert_eq!(found.code, Some(1), "{source}\n{}", found.stderr);
    found.stderr
}

fn scores(answer: &serde_json::Value) -> Vec<(String, u64)> {
    let row = |r: &serde_json::Value| {
        (r["feature"].as_str().expect("a name").to_owned(), r["score"].as_f64().expect("a score").to_bits())
    };
    answer["ranking"].as_array().expect("a ranking").iter().map(row).collect()
}

#[test]
fn numbers_that_name_samples_are_names() {
    let folder = Folder::new();
    folder.file("x.csv", table(number));
    let source = "kind = \"data\"\nfile = \"aux.csv\"\n";
    let ranked = |order: [usize; 8]| {
        folder.file("aux.csv", other(order, number));
        json(&["fuse", &folder.file("c.toml", config("", source)), "--format", "json"])
    };
    let (before, after) = (ranked(ORDER), ranked(SHUFFLED));
    assert_eq!(before["target"]["n_features"], 3, "the names are no feature");
    assert_eq!(scores(&before), scores(&after), "lines have no order");
    folder.file("tree.tsv", ORDER.map(|i| format!("{}\tpart {}\n", number(i), i % 3)).concat());
    let tree = config("", "kind = \"hierarchy\"\nfile = \"tree.tsv\"\n");
    assert_eq!(run(&["fuse", &folder.file("tree.toml", tree)]).code, Some(0));
}

#[test]
fn data_without_names_are_matched_by_position_only_where_the_file_says_so() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    folder.file("aux.csv", "u,v\n0,1\n2,2\n0,3\n2,1\n0,2\n2,3\n0,2\n2,1\n");
    let source = "kind = \"data\"\nfile = \"aux.csv\"\n";
    let told = refused(&folder, source);
    assert!(told.contains("source `s`: aux.csv: its samples have no names"), "{told}");
    assert!(told.contains("match = \"position\""), "{told}");
    let found =
        run(&["fuse", &folder.file("c.toml", config("", &format!("{source}match = \"position\"\n")))]);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    assert!(found.stderr.contains("note: s: samples are matched by position"), "{}", found.stderr);
    let short = "kind = \"data\"\nmatch = \"position\"\nfile = \"short.csv\"\n";
    folder.file("short.csv", "u,v\n0,1\n2,2\n");
    assert!(refused(&folder, short).contains("as many samples as the target has (8), got 2"));
    let named = "kind = \"data\"\nfile = \"named.csv\"\nnames = \"who\"\n";
    let turned = |i: usize| format!("{},{},{}\n", i % 2, text(i), i % 3);
    folder.file("named.csv", format!("u,who,v\n{}", SHUFFLED.map(turned).concat()));
    let answer = json(&["fuse", &folder.file("c.toml", config("", named)), "--format", "json"]);
    assert_eq!(answer["sources"][0]["settings"]["names"], "who");
    assert_eq!(answer["sources"][0]["settings"]["match"], "names");
}

#[test]
fn names_that_occur_twice_are_named() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    folder.file("aux.csv", other(ORDER, |i| text(i.max(1))));
    let told = refused(&folder, "kind = \"data\"\nfile = \"aux.csv\"\n");
    assert!(told.contains("source `s`: "), "{told}");
    assert!(told.contains("`s1` is in line 2 and in line 3, and the names of samples must differ"), "{told}");
    assert!(!told.contains("--label") && told.contains("label = \"COLUMN\""), "{told}");
    folder.file("net.csv", "f,g,1\n");
    folder.file("x.csv", table(text).replace("sample,f,g,h", "sample,f,f,g"));
    let told = refused(&folder, "kind = \"network\"\nfile = \"net.csv\"\n");
    assert!(told.contains("it names `f`, and several features of the target are called so"), "{told}");
}

#[test]
fn columns_that_are_no_numbers_can_be_named_or_left_out() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    let source = "kind = \"data\"\nfile = \"x.csv\"\n";
    let told = refused(&folder, source);
    assert!(told.contains("source `s`: ") && told.contains("exclude = [\"NAME\"]"), "{told}");
    for key in ["exclude = [\"class\"]\n", "label = \"class\"\n", "include = [\"f\", \"g\", \"h\"]\n"] {
        let found = run(&["fuse", &folder.file("c.toml", config("", &format!("{source}{key}")))]);
        assert_eq!(found.code, Some(0), "{key}{}", found.stderr);
    }
    let told =
        refused(&folder, &format!("{source}label = \"class\"\ngraph = {{ kind = \"knn\", k = 50 }}\n"));
    assert!(told.contains("source `s`: `k` must be"), "{told}");
    let unlabeled = "weights = \"aligned\"\n[target]\nfile = \"x.csv\"\nexclude = [\"class\"]\n\
                      [[source]]\nname = \"s\"\nkind = \"target\"\n";
    let found = run(&["fuse", &folder.file("c.toml", unlabeled)]);
    assert!(found.stderr.contains("(label = \"COLUMN\" or labels = \"FILE\")"), "{}", found.stderr);
}

#[test]
fn similarities_of_features_are_checked() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    let source = "kind = \"network\"\nfile = \"s.csv\"\n";
    let told = |similarity: &str| {
        folder.file("s.csv", similarity);
        refused(&folder, source)
    };
    let asymmetric = told(",f,g,h\nf,1,0.9,0\ng,0.1,1,0.5\nh,0,0.5,1\n");
    assert!(asymmetric.contains("that of `g` to `f` is 0.1 and that of `f` to `g` is 0.9"), "{asymmetric}");
    let unknown = told(",f,g,h\nf,1,1,1\ng,1,1,1\nd,1,1,1\n");
    assert!(
        unknown.contains("the same names in its first line and its first column: `d` has no column"),
        "{unknown}"
    );
    assert!(told("f,g,1\ng,f,2\n").contains("1 and 2 for `f` and `g`"));
    assert!(told("f,zz,1\nf,g,1\nf,h,1\n").contains("1 of 4 feature names are not in the target (`zz`)"));
    folder.file("s.csv", ",s1,s0,s2\ns1,1,0.5,0\ns0,0.4,1,0\ns2,0,0,1\n");
    let told = refused(&folder, "kind = \"similarity\"\nfile = \"s.csv\"\ndrop = true\n");
    assert!(told.contains("that of `s0` to `s1` is 0.4 and that of `s1` to `s0` is 0.5"), "{told}");
    // To rounding is symmetric, and the order of names does not matter.
    let ranked = |similarity: &str| {
        folder.file("s.csv", similarity);
        scores(&json(&["fuse", &folder.file("c.toml", config("", source)), "--format", "json"]))
    };
    let first = ranked(",f,g,h\nf,1,0.9,0\ng,0.9000000001,1,0.5\nh,0,0.5,1\n");
    assert_eq!(first, ranked(",h,g,f\nh,1,0.5,0\nf,0,0.9,1\ng,0.5,1,0.9000000001\n"));
}

#[test]
fn the_first_edge_is_an_edge() {
    let folder = Folder::new();
    folder.file("x.csv", table(text).replace("f,g,h", "a,b,gene"));
    let edges = |list: &str| {
        folder.file("e.csv", list);
        let source = "kind = \"network\"\nfile = \"e.csv\"\n";
        let answer = json(&["fuse", &folder.file("c.toml", config("", source)), "--format", "json"]);
        answer["sources"][0]["content"].as_str().expect("a text").to_owned()
    };
    assert_eq!(edges("a,b\nb,gene\n"), "2 edges");
    assert_eq!(edges("gene,a\nb,gene\n"), "2 edges");
    assert_eq!(edges("gene1,gene2,score\na,b,1\n"), "1 edge");
}

#[test]
fn sets_and_networks_are_known_when_compressed() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    let gzip = |name: &str, content: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut out, content).expect("memory");
        folder.file(name, out.finish().expect("memory"));
    };
    gzip("p.gmt.gz", b"one\t-\tf\tg\n");
    gzip("n.sif.gz", b"f pp g\n");
    for source in ["kind = \"sets\"\nfile = \"p.gmt.gz\"\n", "kind = \"network\"\nfile = \"n.sif.gz\"\n"] {
        let found = run(&["fuse", &folder.file("c.toml", config("", source))]);
        assert_eq!(found.code, Some(0), "{}", found.stderr);
    }
}

#[test]
fn what_does_not_match_is_listed() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    folder.file("p.gmt", "one\t-\tf\tzz\tg\ntwo\t-\tyy\n");
    folder.file("known.txt", "g\nnowhere\nf\n");
    folder.file("aux.csv", other(ORDER, |i| text(if i == 3 { 33 } else { i })));
    let text = format!(
        "known = \"known.txt\"\n{}[[source]]\nname = \"aux\"\nkind = \"data\"\nfile = \"aux.csv\"\ndrop = true\n",
        config("", "kind = \"sets\"\nfile = \"p.gmt\"\ndrop = true\n")
    );
    let file = folder.file("c.toml", text);
    let answer = json(&["fuse", &file, "--format", "json"]);
    let listed = |value: &serde_json::Value| value.to_string();
    assert_eq!(listed(&answer["sources"][0]["features_dropped"]), "[\"yy\",\"zz\"]");
    assert_eq!(listed(&answer["sources"][1]["samples_not_in_target"]), "[\"s33\"]");
    assert_eq!(listed(&answer["sources"][1]["target_samples_missing"]), "[\"s3\"]");
    assert_eq!(listed(&answer["hits"]["known_not_ranked"]), "[\"nowhere\"]");
    assert_eq!(listed(&answer["hits"]["at"][0]["depth"]), "2", "few features: as many as are known");
    let shown = run(&["fuse", &file]);
    for part in
        ["(`yy`, `zz`)", "(`s33`)", "(`s3`)", "(`nowhere`)", "1 set without a feature of the target (`two`)"]
    {
        assert!(shown.stderr.contains(part), "{part} is not in\n{}", shown.stderr);
    }
    assert!(!shown.stdout.contains("note") && !shown.stdout.contains("warning"), "{}", shown.stdout);
    assert!(shown.stdout.contains("hits among 2 known features: "), "{}", shown.stdout);
    assert_eq!(run(&["fuse", &file, "--quiet"]).stderr, "");
}

#[test]
fn the_answer_tells_where_it_comes_from() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    folder.file("p.gmt", "one\t-\tf\tg\ntwo\t-\tg\th\n");
    folder.file("terms.csv", "f,t\ng,t\n");
    folder.file("known.txt", "f\n");
    let text = format!(
        "known = \"known.txt\"\n{}[[source]]\nname = \"t\"\nkind = \"annotations\"\nfile = \"terms.csv\"\n",
        config("", "kind = \"sets\"\nfile = \"p.gmt\"\ngraph = { kind = \"knn\", k = 3 }\n")
    );
    let answer = json(&["fuse", &folder.file("c.toml", text), "--format", "json"]);
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    let target = &answer["target"]["settings"];
    assert_eq!((&target["label"], &target["features"]), (&"class".into(), &"columns".into()));
    let sets = &answer["sources"][0]["settings"];
    let graph = &sets["graph"];
    assert_eq!((&graph["kind"], &graph["k"], &graph["weight"]), (&"knn".into(), &3.into(), &"heat".into()));
    assert_eq!((&graph["bandwidth"], &sets["join"]), (&"auto".into(), &false.into()));
    assert_eq!(answer["sources"][0]["sets"][1], serde_json::json!({"name": "two", "features": 2}));
    assert_eq!(
        answer["sources"][0]["graph"]["parameters"]["sets"], "one, two",
        "{}",
        answer["sources"][0]["graph"]
    );
    let terms = &answer["sources"][1]["settings"];
    assert_eq!((&terms["overlap"], &terms["max-features"]), (&"jaccard".into(), &200.into()));
    assert!(answer["hits"]["file"].as_str().expect("a path").ends_with("known.txt"));
    folder.file("one.txt", "b\na\n");
    folder.file("two.csv", "gene,score\na,1\nc,5\nb,5\n");
    let lists = "[[ranking]]\nfile = \"one.txt\"\n[[ranking]]\nfile = \"two.csv\"\ngoal = \"maximize\"\n";
    let answer = json(&["fuse", &folder.file("r.toml", lists), "--format", "json"]);
    assert_eq!(names(&answer), ["b", "c", "a"]);
    let ranks: Vec<String> =
        answer["ranking"].as_array().expect("a list").iter().map(|r| r["ranks"].to_string()).collect();
    assert_eq!(ranks, ["[1,1]", "[null,1]", "[2,3]"]);
    assert_eq!(answer["lists"][1]["goal"], "maximize");
}

#[test]
fn scores_that_cancel_and_sources_that_say_nothing_are_refused() {
    let folder = Folder::new();
    folder.file("x.csv", table(text));
    let square = |value: &dyn Fn(usize, usize) -> f64| {
        let row = |i: usize| {
            let cells: Vec<String> = (0..8).map(|j| value(i, j).to_string()).collect();
            format!("{},{}\n", text(i), cells.join(","))
        };
        let titles: Vec<String> = ORDER.map(text).to_vec();
        format!(",{}\n{}", titles.join(","), ORDER.map(row).concat())
    };
    folder.file("s.csv", square(&|i, j| if i % 2 == j % 2 { 1.0001 } else { -1.0 }));
    let told = refused(&folder, "kind = \"similarity\"\nfile = \"s.csv\"\n");
    assert!(told.contains("positive and negative similarities cancel"), "{told}");
    folder.file("s.csv", square(&|_, _| 0.1));
    let constant = config("", "kind = \"similarity\"\nfile = \"s.csv\"\n");
    let found = run(&["fuse", &folder.file("c.toml", format!("weights = \"aligned\"\n{constant}"))]);
    assert!(found.stderr.contains("no source agrees with the labels"), "{}", found.stderr);
}

#[test]
fn the_order_of_rankings_changes_nothing() {
    let folder = Folder::new();
    folder.file("0.txt", "gA\ngB\nx\ny\nz\n");
    folder.file("1.txt", "x\ny\ngB\nz\ngA\n");
    folder.file("2.txt", "y\ngA\nz\ngB\nx\n");
    for aggregate in ["rrf", "borda"] {
        let csv = |order: [usize; 3]| {
            let list = |i: usize| format!("[[ranking]]\nfile = \"{i}.txt\"\nweight = 0.{}\n", i + 1);
            let text = format!("aggregate = \"{aggregate}\"\n{}", order.map(list).concat());
            run(&["fuse", &folder.file("r.toml", text), "--format", "csv"]).stdout
        };
        let first = csv([0, 1, 2]);
        assert!(first.lines().count() == 6);
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(csv(order), first, "{aggregate} {order:?}");
        }
    }
}
