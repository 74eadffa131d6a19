//! `fiedler fuse` with knowledge as public collections write it.

use serde_json::Value;

use crate::command::{Folder, run};

fn example(name: &str) -> String {
    format!("{}/../../examples/fuse/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json(config: &str) -> Value {
    let run = run(&["fuse", config, "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn the_example_reads_every_format() {
    let said = json(&example("knowledge.toml"));
    let contents: Vec<&str> =
        said["sources"].as_array().expect("sources").iter().filter_map(|s| s["content"].as_str()).collect();
    assert_eq!(contents[0], "40 annotations with 9 terms");
    assert_eq!(contents[1], "1 set");
    assert!(contents[2].ends_with("edges") && contents[3].ends_with("edges"), "{contents:?}");
    assert_eq!(contents[4], "40 sequences");
    assert_eq!(said["sources"][1]["sets"][0], serde_json::json!({"name": "EX:0002", "features": 8}));
    assert_eq!(said["sources"][4]["settings"]["k-mer"], 8);
    assert_eq!(said["hits"]["at"][2]["hits"], 8, "{}", said["hits"]);
}

/// Four features of two kinds; the files name one feature more than the target has.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("x.csv", "sample,a,b,c,d\ns1,0,1,5,2\ns2,1,2,3,9\ns3,0.5,1.5,8,1\ns4,9,8,4,7\ns5,8,9,7,3\n");
    folder.file("t.csv", "a,T1\nb,T1\nc,T2\nd,T3\nelsewhere,T1\n");
    folder.file(
        "t.obo",
        "[Term]\nid: T1\n\n[Term]\nid: T2\nis_a: T0\n\n[Term]\nid: T3\nis_a: T0\n\n[Term]\nid: T0\n",
    );
    folder.file("bad.obo", "[Term]\nname: nobody\n");
    folder.file("other.obo", "[Term]\nid: Q1\n");
    folder.file("bad.gaf", "a\tb\n");
    folder.file("f.fasta", ">a\nACGTACGTAC\n>b\nACGTACGTAA\n>c\nGGGGTTTTCC\n>d\nGGGGTTTTCA\n");
    folder.file("w.csv", "a,b,5\nc,d,1\n");
    folder.file("g.gmt", "P\tof two\ta\tb\n");
    folder
}

fn config(folder: &Folder, source: &str) -> String {
    folder.file("c.toml", format!("[target]\nfile = \"x.csv\"\n[[source]]\nname = \"s\"\n{source}\n"))
}

#[test]
fn terms_above_join_features_that_share_no_term() {
    let folder = folder();
    let annotations = "kind = \"annotations\"\nfile = \"t.csv\"\ndrop = true\nmax-features = 4\n";
    let apart = json(&config(&folder, annotations));
    assert!(apart["sources"][0]["notes"].to_string().contains("2 of 4 features are in no edge"), "{apart}");
    let joined = json(&config(&folder, &format!("{annotations}ontology = \"t.obo\"\noverlap = \"resnik\"")));
    assert!(!joined["sources"][0]["notes"].to_string().contains("in no edge"), "{joined}");
    assert_eq!(joined["sources"][0]["content"], "5 annotations with 4 terms");
    assert_eq!(joined["sources"][0]["features_dropped"], serde_json::json!(["elsewhere"]));
    let strong = json(&config(&folder, "kind = \"network\"\nfile = \"w.csv\"\nleast = 2"));
    assert!(strong["sources"][0]["notes"].to_string().contains("1 of 2 edges weigh less than 2"), "{strong}");
    let sequences =
        json(&config(&folder, "kind = \"sequences\"\nfile = \"f.fasta\"\nk-mer = 4\nneighbors = 1"));
    assert!(sequences["sources"][0]["notes"].to_string().contains("2 parts"), "{sequences}");
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let folder = folder();
    let annotations = "kind = \"annotations\"\nfile = \"t.csv\"\ndrop = true\n";
    let cases = [
        (
            2,
            format!("{annotations}overlap = \"love\""),
            "`overlap` must be one of jaccard, cosine, information, resnik",
        ),
        (
            2,
            format!("{annotations}evidence = [\"IDA\"]"),
            "line 8: source `s`: `evidence` belongs to a GAF file",
        ),
        (
            1,
            format!("{annotations}ontology = \"bad.obo\""),
            "bad.obo: not a whole OBO file: line 1: a [Term] without an id",
        ),
        (1, format!("{annotations}ontology = \"other.obo\""), "it has none of the terms of the annotations"),
        (1, format!("{annotations}ontology = \"nowhere.obo\""), "nowhere.obo"),
        (
            1,
            "kind = \"annotations\"\nfile = \"bad.gaf\"".to_owned(),
            "line 1: an annotation has 15 to 17 columns",
        ),
        (
            2,
            "kind = \"sets\"\nfile = \"g.gmt\"\nontology = \"t.obo\"".to_owned(),
            "line 7: source `s`: `ontology` belongs to a GAF file",
        ),
        (
            1,
            "kind = \"network\"\nfile = \"w.csv\"\ntypes = [\"x\"]".to_owned(),
            "types, which the file does not tell",
        ),
        (1, "kind = \"network\"\nfile = \"w.csv\"\nleast = 9".to_owned(), "`least` must be at most"),
        (1, "kind = \"sequences\"\nfile = \"f.fasta\"\nk-mer = 13".to_owned(), "from 1 to 12"),
        (2, "kind = \"sequences\"\nfile = \"f.fasta\"\nkmer = 3".to_owned(), "unknown field `kmer`"),
        (1, "kind = \"sequences\"\nfile = \"x.csv\"".to_owned(), "a sequence begins with a line `>name`"),
    ];
    for (code, source, sentence) in cases {
        let found = run(&["fuse", &config(&folder, &source)]);
        assert_eq!(found.code, Some(code), "{source}\n{}", found.stderr);
        assert!(found.stderr.contains(sentence), "{source}\n{}", found.stderr);
    }
}

/// Every wrong key or value is told with the file and the line it is in.
#[test]
fn keys_of_a_source_are_told_with_their_line() {
    let folder = folder();
    folder.file("g.gmt", "P\tof two\ta\tb\n");
    let (terms, sequences, network) = (
        "kind = \"annotations\"\nfile = \"t.csv\"\ndrop = true",
        "kind = \"sequences\"\nfile = \"f.fasta\"",
        "kind = \"network\"\nfile = \"w.csv\"",
    );
    for (source, line, sentence) in [
        (format!("{terms}\noverlap = \"wang\""), 8, "source `s`: `overlap` must be one of jaccard, cosine"),
        (
            format!("{sequences}\nk-mer = 50"),
            7,
            "source `s`: `k-mer` must be a whole number from 1 to 12, got 50",
        ),
        (
            format!("{sequences}\nk-mer = \"five\""),
            7,
            "source 1 (`s`): `k-mer`: string \"five\": it must be a whole number, not negative",
        ),
        (format!("{sequences}\nkmer = 5"), 7, "source 1 (`s`): unknown field `kmer`"),
        (format!("{network}\nbandwidth = \"wide\""), 7, "source `s`: `bandwidth` must be"),
        (
            format!("{network}\nleast = 9"),
            7,
            "source `s`: `least` must be at most the largest weight of its 2 edges (5), got 9",
        ),
        (
            format!("{network}\nweight = \"much\""),
            7,
            "source 1 (`s`): `weight`: string \"much\": it must be a number",
        ),
        (
            format!("{network}\nleast = \"much\""),
            7,
            "source 1 (`s`): `least`: string \"much\": it must be a number",
        ),
        (format!("{network}\ntypes = \"x\""), 7, "`types`: string \"x\": it must be a list, such as"),
        (
            format!("{network}\ncovariance = \"x\""),
            7,
            "`covariance`: it must be one of `kernel`, `printed`, `repaired`, got `x`",
        ),
        (format!("{network}\nleast = -2"), 7, "source `s`: `least` must be a number from 0, got -2"),
        (format!("{terms}\nmax-features = 1"), 8, "source `s`: `max-features` must be 2 or more"),
        (
            format!("{sequences}\nk-mer = 12"),
            7,
            "f.fasta: no two of its sequences share a piece of 12 letters; give a smaller `k-mer`",
        ),
        (format!("{network}\nweight = -2"), 7, "`weight` must be finite and 0 or more, got -2"),
        (format!("{network}\ntypes = [\"x\"]"), 7, "types, which the file does not tell"),
        ("kind = \"sets\"\nfile = \"g.gmt\"\nsets = [\"Q\"]".to_owned(), 7, "there is no set `Q`"),
        ("kind = \"network\"".to_owned(), 3, "missing field `file`"),
        ("kind = \"web\"".to_owned(), 5, "`kind` must be target, data"),
        ("file = \"w.csv\"".to_owned(), 3, "`kind` of source 1 is not there"),
        ("kind = 3".to_owned(), 5, "`kind` of source 1 must be a text, got 3"),
        ("kind = \"target\"\ngraph = \"knn\"\nk = 3".to_owned(), 7, "unknown field `k`"),
        ("kind = \"target\"\ngraph = \"kn\"".to_owned(), 6, "kn"),
    ] {
        let run = run(&["fuse", &config(&folder, &source)]);
        assert_ne!(run.code, Some(0), "{source}");
        assert!(run.stderr.contains(&format!("c.toml, line {line}: ")), "{source}: {}", run.stderr);
        assert!(run.stderr.contains(sentence), "{source}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
    let unweighted = folder.file("u.sif", "a pp b\nc pp d\n");
    let run =
        run(&["fuse", &config(&folder, &format!("kind = \"network\"\nfile = \"{unweighted}\"\nleast = 2"))]);
    assert!(run.stderr.contains("(1), got 2; a file without weights has 1 for all"), "{}", run.stderr);
}

/// So are keys of the whole file, a circle of terms, and a feature that a ranking has twice; parents that do not exist are told.
#[test]
fn other_files_are_told_with_their_line() {
    let folder = folder();
    let target = "[target]\nfile = \"x.csv\"\n[[source]]\nname = \"s\"\nkind = \"target\"\n";
    for (first, sentence) in [
        (
            "weights = \"knwon\"",
            "c.toml, line 1: `weights`: it must be one of `equal`, `given`, `aligned`, `known`, got `knwon`",
        ),
        ("depths = 3", "c.toml, line 1: `depths`: integer `3`: it must be a list, such as [5, 10]"),
        (
            "weights = \"aligned\"\naggregate = \"borda\"",
            "c.toml, line 1: weights = \"aligned\" are weights of graphs",
        ),
        ("\naggregate = \"bord\"", "c.toml, line 2: `aggregate` must be one of"),
        ("method = [\"spec\", 3]", "c.toml, line 1: `method` must be the name"),
        ("\nfeatures = 3", "c.toml, line 2: `features` has no meaning with [target]"),
        ("\naggregate = { kind = \"rrf\", k = -3 }", "c.toml, line 2: `k` must be a number from 0, got -3"),
        ("\naggregate = { kind = \"mc4\", jump = 2 }", "c.toml, line 2: `jump` must be above 0 and below 1"),
        ("\nnormalize = false\nweights = \"aligned\"", "c.toml, line 2: `normalize` must be true"),
        ("\ndepths = [2]", "c.toml, line 2: `depths` needs `known`"),
        ("\nset = { phi = 9 }\nmethod = \"spec\"", "c.toml, line 2: `phi` must be"),
    ] {
        let run = run(&["fuse", &folder.file("c.toml", format!("{first}\n{target}"))]);
        assert!(run.code != Some(0) && run.stderr.contains(sentence), "{sentence}: {}", run.stderr);
    }
    let annotated = "kind = \"annotations\"\nfile = \"t.csv\"\ndrop = true\nmax-features = 4\nontology = ";
    folder.file("circle.obo", "[Term]\nid: T0\n\n[Term]\nid: T1\nis_a: T2\n\n[Term]\nid: T2\nis_a: T1\n");
    let run_of = |file: &str| run(&["fuse", &config(&folder, &format!("{annotated}\"{file}\""))]);
    let circle = run_of("circle.obo").stderr;
    assert!(circle.contains("circle.obo") && circle.contains("line 8: `T2` lies above itself"), "{circle}");
    folder.file("part.obo", "[Term]\nid: T1\n\n[Term]\nid: T2\nis_a: T9\n\n[Term]\nid: T3\nis_a: T2\n");
    let part = run_of("part.obo").stderr;
    assert!(part.contains("part.obo, line 6: `T2` is placed below `T9`"), "{part}");
    let (a, b) = (folder.file("a.txt", "a\nb\nc\n"), folder.file("b.txt", "b\na\n\nb\n"));
    let known = format!("known = \"{a}\"\ndepths = [1600]\n[[ranking]]\nfile = \"{a}\"\n");
    let deep = run(&["fuse", &folder.file("r.toml", known)]).stderr;
    assert!(
        deep.contains("r.toml, line 2: `depths` must be from 1 to the number of ranked features (3)"),
        "{deep}"
    );
    let weighted = format!("[[ranking]]\nfile = \"{a}\"\n\n[[ranking]]\nfile = \"{a}\"\nweight = -2\n");
    let minus = run(&["fuse", &folder.file("r.toml", weighted)]).stderr;
    assert!(minus.contains("r.toml, line 6: `weight` must be finite and 0 or more, got -2"), "{minus}");
    let rankings = format!("[[ranking]]\nfile = \"{a}\"\n[[ranking]]\nfile = \"{b}\"\n");
    let twice = run(&["fuse", &folder.file("r.toml", rankings)]).stderr;
    assert!(
        twice.contains("b.txt") && twice.contains("line 4: `b` is listed twice, first in line 1"),
        "{twice}"
    );
}

/// What joins nothing is told with its file, and says what would help.
#[test]
fn sources_that_say_nothing_are_told_with_their_file() {
    let folder = folder();
    folder.file("loops.sif", "a pp a\nb pp b\n");
    folder.file("light.csv", "a,b,0\nc,d,0\n");
    folder.file("nothing.csv", ",a,b,c\na,0,0,0\nb,0,0,0\nc,0,0,0\n");
    folder.file("apart.csv", "a,T1\nb,T2\nc,T3\nd,T4\n");
    folder.file("one.fasta", ">a\nACGTACGTAC\n>a\nACGTACGTAA\n");
    folder.file(
        "zero.csv",
        ",s1,s2,s3,s4,s5\ns1,0,0,0,0,0\ns2,0,0,0,0,0\ns3,0,0,0,0,0\ns4,0,0,0,0,0\ns5,0,0,0,0,0\n",
    );
    folder.file(
        "odd.csv",
        ",s1,s2,s3,s4,s5\ns1,1,2,0,0,0\ns2,3,1,0,0,0\ns3,0,0,1,0,0\ns4,0,0,0,1,0\ns5,0,0,0,0,1\n",
    );
    folder.file("word.csv", ",a,b,c\na,1,0.5,0\nb,0.5,1,much\nc,0,0,1\n");
    folder.file("dash.txt", "protein1 protein2 score\na b 900\nc d -\n");
    let cell = "word.csv: not a whole similarity file: line 3, column 4 (`c`): `much` is not a number; every cell of a square \
                table is a number";
    for (source, sentence) in [
        (
            "kind = \"network\"\nfile = \"loops.sif\"",
            "source `s`: loops.sif: it joins no two different features of the target; name a file that does",
        ),
        (
            "kind = \"network\"\nfile = \"light.csv\"",
            "source `s`: light.csv: its pairs all weigh 0, so that nothing is joined; name a file whose weights are larger",
        ),
        (
            "kind = \"network\"\nfile = \"nothing.csv\"",
            "source `s`: nothing.csv: its pairs all weigh 0, so that nothing is joined; name a file whose weights are larger",
        ),
        (
            "kind = \"annotations\"\nfile = \"apart.csv\"",
            "source `s`: apart.csv: no two features of the target share a term",
        ),
        (
            "kind = \"annotations\"\nfile = \"apart.csv\"\nmax-features = 2",
            "c.toml, line 7: source `s`: apart.csv: no two",
        ),
        (
            "kind = \"sequences\"\nfile = \"one.fasta\"",
            "source `s`: one.fasta: it has sequences of 1 feature of the target, and two are needed at least",
        ),
        (
            "kind = \"similarity\"\nfile = \"zero.csv\"",
            "c.toml, line 6: source `s`: zero.csv: its similarities add up to 0",
        ),
        ("kind = \"similarity\"\nfile = \"odd.csv\"", "source `s`: odd.csv: a similarity must be symmetric"),
        ("kind = \"network\"\nfile = \"word.csv\"", cell),
        (
            "kind = \"network\"\nfile = \"dash.txt\"\nleast = 50",
            "(1), got 50; the column `score` has no number in line 3, so every pair weighs 1",
        ),
    ] {
        let found = run(&["fuse", &config(&folder, source)]);
        assert_eq!(found.code, Some(1), "{source}: {}", found.stderr);
        assert!(found.stderr.contains(sentence), "{source}: {}", found.stderr);
        assert!(!found.stderr.contains("exclude ="), "{source}: {}", found.stderr);
    }
}

/// So are weights that are all 0 and known features that are too few to learn from.
#[test]
fn weights_that_weigh_nothing_are_told_with_their_line() {
    let folder = folder();
    let zero = "kind = \"target\"\nweight = 0";
    let (a, b) = (folder.file("a.txt", "a\nb\nc\nd\n"), folder.file("b.txt", "d\nc\nb\na\n"));
    let known = folder.file("k.txt", "a\nb\n");
    let lists =
        |more: &str| format!("[[ranking]]\nfile = \"{a}\"\n{more}[[ranking]]\nfile = \"{b}\"\n{more}");
    for (path, sentence) in [
        (config(&folder, zero), "c.toml, line 6: `weight` must be above 0 for one at least, got 0 for all"),
        (
            folder.file("r.toml", lists("weight = 0\n")),
            "r.toml, line 3: `weight` must be above 0 for one at least",
        ),
        (
            folder.file("l.toml", format!("weights = \"known\"\nknown = \"{known}\"\n{}", lists(""))),
            "l.toml, line 2: `known` must be at least 3 of the ranked features",
        ),
    ] {
        let found = run(&["fuse", &path]);
        assert_ne!(found.code, Some(0), "{path}: {}", found.stdout);
        assert!(found.stderr.contains(sentence), "{path}: {}", found.stderr);
    }
    folder.file("k.txt", "a\nb\nc\n");
    assert_eq!(run(&["fuse", &folder.text("l.toml")]).code, Some(0), "three are enough");
}
