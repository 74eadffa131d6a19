//! `fiedler evaluate` with rankings in files, fusions, a sweep and other data that judge; `fiedler demo study`.

use serde_json::Value;

use crate::command::{Folder, run};

/// A small study.
fn study() -> Folder {
    let folder = Folder::new();
    let made = folder.run(&["demo", "study", "s", "--genes", "400", "--seed", "3", "-q"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    folder
}

fn content(folder: &Folder, file: &str) -> String {
    std::fs::read_to_string(folder.path(file)).expect("written")
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    let all: Vec<&str> = arguments.iter().copied().chain(["--format", "json", "-q"]).collect();
    let run = folder.run(&all);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn refused(folder: &Folder, arguments: &[&str], sentence: &str) {
    let run = folder.run(arguments);
    assert_ne!(run.code, Some(0), "{arguments:?}");
    assert!(run.stderr.contains(sentence), "{sentence} is not in\n{}", run.stderr);
    assert_eq!(run.stderr.trim_end().lines().count(), 1, "{}", run.stderr);
}

const TWO: [&str; 4] = ["evaluate", "s/2c.csv", "--label", "class"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    TWO.iter().chain(more).copied().collect()
}

/// The curve of a candidate: who made it, and its means.
fn curve<'a>(answer: &'a Value, table: usize, name: &str) -> (&'a str, Vec<f64>) {
    let curves = answer["tables"][table]["curves"].as_array().expect("curves");
    let curve = curves.iter().find(|c| c["name"] == name).unwrap_or_else(|| panic!("{name} in {curves:?}"));
    let means = curve["points"].as_array().expect("points").iter().filter_map(|p| p["mean"].as_f64());
    (curve["made_by"].as_str().expect("a word"), means.collect())
}

#[test]
fn a_study_is_whole_deterministic_and_alone() {
    let folder = study();
    let again = folder.run(&["demo", "study", "t", "--genes", "400", "--seed", "3", "-q"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    for file in
        ["2c.csv", "4c.csv", "mirna.csv", "pathway.sif", "ontology.tsv", "literature.csv", "truth.txt"]
    {
        assert!(content(&folder, &format!("s/{file}")) == content(&folder, &format!("t/{file}")), "{file}");
    }
    assert_eq!(content(&folder, "s/2c.csv").lines().count(), 89);
    assert_eq!(content(&folder, "s/4c.csv").lines().count(), 34);
    refused(&folder, &["demo", "study", "s"], "it is there already");
    refused(&folder, &["demo", "study", "u", "--genes", "10"], "at least 400");
    refused(&folder, &["demo", "study", "u", "--genes", "900000"], "--genes must be at most 200000");
    assert!(!folder.path("u").exists());
    for config in ["2c-comb-2", "4c-comb-1", "2c-learned", "4c-ontology"] {
        let fused = folder.run(&["fuse", &format!("s/{config}.toml"), "--top", "3", "-q"]);
        assert_eq!(fused.code, Some(0), "{config}: {}", fused.stderr);
    }
}

#[test]
fn rankings_and_fusions_stand_beside_methods() {
    let folder = study();
    let rank = |more: &[&str]| {
        let all: Vec<&str> =
            ["rank", "s/2c.csv", "--label", "class", "-q"].iter().chain(more).copied().collect();
        assert_eq!(folder.run(&all).code, Some(0));
    };
    rank(&["-m", "fisher", "-o", "f.csv"]);
    rank(&["-m", "fisher", "-o", "f2.json"]);
    rank(&["-m", "fisher,variance", "-o", "both.json"]);
    let fused = ["--fuse", "s/2c-comb-1.toml,s/2c-learned.toml"];
    let more = [
        "--rankings",
        "f.csv,f2.json,s/literature.csv",
        "-m",
        "laplacian",
        "--counts",
        "2,10",
        "--repeats",
        "3",
    ];
    let answer = json(&folder, &with(&[&more[..], &fused, &["--known", "s/truth.txt"]].concat()));
    assert_eq!(curve(&answer, 0, "laplacian").0, "method");
    assert_eq!(curve(&answer, 0, "2c-comb-1").0, "fusion");
    assert_eq!(curve(&answer, 0, "literature").0, "ranking");
    assert_eq!(curve(&answer, 0, "f"), curve(&answer, 0, "f2"), "one ranking in two formats");
    assert_eq!(answer["tables"][1]["measure"], "hit ratio");
    let (_, random) = curve(&answer, 1, "random");
    assert!(curve(&answer, 1, "literature").1[1] > random[1] + 0.3, "publications name what matters");
    refused(&folder, &with(&["--rankings", "both.json"]), "the rankings of several methods");
    let other = ["evaluate", "s/mirna.csv", "--protocol", "redundancy"];
    let wrong: Vec<&str> = other.iter().copied().chain(["--rankings", "f.csv"]).collect();
    refused(&folder, &wrong, "400 of the 400 features that are ranked are not in the data");
    rank(&["-m", "fisher", "--top", "5", "-o", "short.csv"]);
    refused(&folder, &with(&["--rankings", "short.csv", "--counts", "20"]), "(give smaller --counts)");
    let fitting = json(&folder, &with(&["--rankings", "short.csv", "--repeats", "2"]));
    assert_eq!(fitting["counts"], serde_json::json!([1, 2, 5]));
    refused(
        &folder,
        &with(&["--fuse", "s/2c-comb-1.toml", "--exclude", "G00001"]),
        "its target has other features",
    );
    refused(
        &folder,
        &with(&["--fuse", "s/2c-mirna.toml", "-o", "s/mirna.csv"]),
        "is the same file as a file that is fused",
    );
    let twins = with(&["--rankings", "f.csv", "-m", "fisher,fisher"]);
    refused(&folder, &twins, "`fisher` twice");
}

/// A target that is another file ranks once; the note says so.
#[test]
fn a_fusion_of_other_samples_ranks_once() {
    let folder = study();
    let arguments = [
        "evaluate",
        "s/4c.csv",
        "--label",
        "class",
        "--fuse",
        "s/2c-mirna.toml",
        "--counts",
        "5",
        "--repeats",
        "2",
    ];
    let shown = folder.run(&arguments);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stderr.contains("2c-mirna: its target is not the data"), "{}", shown.stderr);
    assert!(shown.stdout.contains("2c-mirna as ranked elsewhere"), "{}", shown.stdout);
}

#[test]
fn a_coefficient_is_swept() {
    let folder = study();
    let fused = ["--fuse", "s/2c-comb-2.toml", "--counts", "5,10", "--repeats", "2"];
    let sweep = ["--sweep", "miRNA,Function", "--steps", "3"];
    let answer = json(&folder, &with(&[&fused[..], &sweep].concat()));
    let steps = answer["sweep"]["steps"].as_array().expect("steps");
    let names: Vec<&str> = steps.iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["miRNA 0", "miRNA 0.5", "miRNA 1"]);
    // The ends are the sources alone.
    let alone = ["--fuse", "s/2c-mirna.toml,s/2c-function.toml", "--counts", "5,10", "--repeats", "2"];
    let alone = json(&folder, &with(&alone));
    assert_eq!(curve(&answer, 0, "miRNA 1").1, curve(&alone, 0, "2c-mirna").1);
    assert_eq!(curve(&answer, 0, "miRNA 0").1, curve(&alone, 0, "2c-function").1);
    let shown = folder.run(&with(&[&fused[..], &sweep, &["-q"]].concat()));
    assert!(
        shown.stdout.contains("1NN accuracy by the coefficient of miRNA, the rest is Function"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.contains("; without mRNA, Pathway, Ontology"), "{}", shown.stdout);
    assert_eq!(answer["sweep"]["left_out"], serde_json::json!(["mRNA", "Pathway", "Ontology"]));
    let note = "--sweep weighs miRNA against Function alone: the other sources of s/2c-comb-2.toml (mRNA, Pathway, Ontology) take no part";
    assert!(answer["warnings"].to_string().contains(note), "{}", answer["warnings"]);
    let wrong =
        |more: &[&str], sentence: &str| refused(&folder, &with(&[&fused[..], more].concat()), sentence);
    wrong(&["--sweep", "miRNA"], "--sweep must be two sources");
    wrong(
        &["--sweep", "miRNA,nothing"],
        "no source of s/2c-comb-2.toml is called `nothing`; there are mRNA, miRNA",
    );
    wrong(&["--sweep", "miRNA,Function", "--steps", "1"], "--steps must be from 2 to 101, got 1");
}

/// The report draws what is swept and the hits beside what else is measured, and so do figures; random hits are exact.
#[test]
fn a_sweep_and_hits_are_drawn() {
    let folder = study();
    let asked =
        ["--fuse", "s/2c-comb-2.toml", "--sweep", "miRNA,Function", "--steps", "3", "--counts", "5,10"];
    let kept = ["--repeats", "2", "--known", "s/truth.txt", "--report", "r.html", "--findings", "f.json"];
    let answer = json(&folder, &with(&[&asked[..], &kept].concat()));
    let page = content(&folder, "r.html");
    for id in ["accuracy", "hits", "sweep"] {
        assert!(page.contains(&format!("id=\"chart-{id}\"")), "{id}");
    }
    assert!(page.contains("id=\"chart-sweep-2\"") && page.contains("Other sources take no part"));
    let known = content(&folder, "s/truth.txt").lines().filter(|line| !line.starts_with('#')).count();
    let chance = known as f64 / 400.0;
    assert!(curve(&answer, 1, "random").1.iter().all(|mean| (mean - chance).abs() < 1e-12), "{chance}");
    for kind in ["hits", "sweep", "sweep-hits"] {
        let drawn = folder.run(&["plot", kind, "f.json", "-o", "f.svg"]);
        assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
        assert!(content(&folder, "f.svg").starts_with("<svg"));
    }
    let alone = [
        "--protocol",
        "hits",
        "--known",
        "s/truth.txt",
        "-m",
        "fisher",
        "--counts",
        "5",
        "--findings",
        "h.json",
    ];
    json(&folder, &with(&alone));
    let drawn = folder.run(&["plot", "hits", "h.json", "-o", "h.svg"]);
    assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
    let none = folder.run(&["plot", "information", "f.json", "-o", "f.svg"]);
    assert!(none.code != Some(0) && none.stderr.contains("sweep-hits"), "{}", none.stderr);
}

#[test]
fn other_data_judge() {
    let folder = study();
    let fused = ["--fuse", "s/2c-mirna.toml", "-m", "fisher", "--counts", "5,20", "--repeats", "4"];
    let answer = json(&folder, &with(&[&fused[..], &["--judge-on", "s/4c.csv"]].concat()));
    assert_eq!((&answer["judged_on"], &answer["selected_on"]), (&"s/4c.csv".into(), &"elsewhere".into()));
    assert_eq!(answer["n_samples"], 33);
    let said = answer["warnings"].to_string();
    assert!(said.contains("33 of the 33 samples that judge are among those that selection saw"), "{said}");
    let wrong = |more: &[&str], sentence: &str| refused(&folder, &with(more), sentence);
    wrong(&["--judge-on", "s/4c.csv", "--select-on", "all"], "leave it out");
    wrong(&["--judge-on", "s/4c.csv", "--labeled", "2"], "leave it out");
    wrong(&["--judge-on", "s/none.csv"], "s/none.csv");
    // Without names the values tell.
    let unnamed: String = content(&folder, "s/4c.csv")
        .lines()
        .map(|l| l.split_once(',').expect("a name").1.to_owned() + "\n")
        .collect();
    folder.file("4n.csv", &unnamed);
    let asked =
        ["evaluate", "4n.csv", "--label", "class", "-m", "fisher", "--counts", "2,5", "--repeats", "3"];
    let told = json(&folder, &[&asked[..], &["--judge-on", "4n.csv"]].concat())["warnings"].to_string();
    assert!(told.contains("33 of the 33 samples that judge have the same values in all features"), "{told}");
    let reversed = run(&["evaluate", "demo:iris", "--label", "class", "--judge-on", "demo:digits"]);
    assert!(reversed.stderr.contains("features that selection sees are not there"), "{}", reversed.stderr);
}

/// Who judges scales the data as was asked, whoever selected.
#[test]
fn the_data_are_told_as_those_see_them_who_judge() {
    let folder = study();
    let shown = |more: &[&str]| {
        folder.run(&with(&[&["--counts", "2,5", "--repeats", "2", "-q"], more].concat())).stdout
    };
    for beside in [&["--rankings", "s/literature.csv"][..], &["--fuse", "s/2c-mirna.toml"]] {
        let of = |more: &[&str]| shown(&[beside, more].concat());
        assert!(of(&[]).contains("features · each feature scaled to mean 0, deviation 1"), "{}", of(&[]));
        assert!(of(&["--scale", "none"]).contains("features · not scaled"), "{}", of(&["--scale", "none"]));
        assert!(of(&["--scale", "range"]).contains("features · each feature scaled to 0..1"));
        assert!(of(&["--transform", "ranks"]).contains("features · taken as ranks"));
    }
}

/// A fusion that looks at labels is among those that do, and where the same samples judge it is told so.
#[test]
fn who_selects_with_the_labels_that_judge_is_told() {
    let folder = study();
    let few = ["--counts", "2,5", "--repeats", "2", "-q"];
    let shown = folder.run(&with(&[&few[..], &["--fuse", "s/2c-learned.toml"]].concat())).stdout;
    assert!(shown.contains("labels 2c-learned selected with class of the training part"), "{shown}");
    let shown = folder.run(&with(&[&few[..], &["--fuse", "s/2c-mirna.toml"]].concat())).stdout;
    assert!(shown.contains("labels no method selects with labels"), "{shown}");
    let four = ["evaluate", "s/4c.csv", "--label", "class", "--classes", "3", "--protocol"];
    let drawn = |more: &[&str]| folder.run(&[&four[..], more, &few].concat()).stdout;
    let shown = drawn(&["kmeans", "-m", "fisher,laplacian"]);
    assert!(shown.contains("labels fisher selected with class of these samples"), "{shown}");
    assert!(shown.contains("leak   fisher selected with the labels of the samples that judge"), "{shown}");
    let shown = drawn(&["kmeans", "-m", "laplacian", "--fuse", "s/4c-learned.toml"]);
    assert!(shown.contains("leak   4c-learned selected with the labels"), "{shown}");
    // Nothing leaks where labels do not select, or do not judge.
    assert!(!drawn(&["kmeans", "-m", "laplacian"]).contains("leak"));
    assert!(!drawn(&["redundancy", "-m", "fisher"]).contains("leak"));
    let all = folder.run(&with(&[&few[..], &["-m", "fisher", "--select-on", "all"]].concat())).stdout;
    assert!(all.contains("labels fisher selected with class of all samples"), "{all}");
}

/// A selection that always hits as many is as sure as one ranking: two of two are better than chance, none of one is nothing.
#[test]
fn hits_beside_chance_are_tested_whoever_ranks() {
    let folder = study();
    let known = ["--known", "s/truth.txt", "--counts", "2,5,10"];
    let asked = ["--fuse", "s/2c-comb-2.toml", "--rankings", "s/literature.csv", "-m", "laplacian"];
    let answer = json(&folder, &with(&[&known[..], &asked].concat()));
    let point = |name: &str, at: usize| {
        let curves = answer["tables"][1]["curves"].as_array().expect("curves");
        curves.iter().find(|c| c["name"] == name).expect("a curve")["points"][at].clone()
    };
    let fused = point("2c-comb-2", 0);
    let values = fused["values"].as_array().expect("values");
    assert!(values.len() == 10 && values.iter().all(|v| v == 1.0), "{fused}");
    assert_eq!(fused["than_random"]["standing"], "better");
    // The chance that the first two of all genes are known, on both sides.
    let (true_ones, all) = (content(&folder, "s/truth.txt").lines().count() as f64, 400.0);
    let expected = 2.0 * true_ones * (true_ones - 1.0) / (all * (all - 1.0));
    let p = fused["than_random"]["p_value"].as_f64().expect("tested");
    assert!((p - expected).abs() < 1e-9, "{p} {expected}");
    let none = json(&folder, &with(&["--known", "s/truth.txt", "--counts", "1", "-m", "variance"]));
    let one = &none["tables"][1]["curves"][0]["points"][0];
    assert!(one["mean"] == 0.0 && one["than_random"]["standing"] == "level", "{one}");
    let literature = point("literature", 1);
    assert_eq!(literature["than_random"]["standing"], "better", "{literature}");
    assert!(literature["than_random"]["p_value"].as_f64().is_some_and(|p| p > 0.0), "{literature}");
    let shown = folder.run(&with(&[&known[..], &asked, &["-q"]].concat())).stdout;
    assert!(shown.contains("by what one random ranking may come to"), "{shown}");
}

/// Advice can be followed where it is given.
#[test]
fn rankings_without_methods_are_told_what_helps() {
    let folder = study();
    let few = ["--counts", "2", "--repeats", "2"];
    folder.file("mixed.csv", "feature,score\nG00001,3\nG00002,9\nG00003,1\n");
    let run = folder.run(&with(&[&few[..], &["--rankings", "mixed.csv"]].concat()));
    assert!(
        run.stderr.contains("or sort the lines, the best first") && !run.stderr.contains("goal"),
        "{}",
        run.stderr
    );
    folder.file("sorted.csv", "feature,score\nG00002,9\nG00001,3\nG00003,1\n");
    assert_eq!(folder.run(&with(&[&few[..], &["--rankings", "sorted.csv"]].concat())).code, Some(0));
    folder.file(
        "m.toml",
        "aggregate = \"borda\"\n[[ranking]]\nfile = \"mixed.csv\"\n[[ranking]]\nfile = \"sorted.csv\"\n",
    );
    let fused = folder.run(&["fuse", "m.toml"]);
    assert!(fused.stderr.contains("goal = \"maximize\" or \"minimize\""), "{}", fused.stderr);
    for (more, sentence) in [
        (
            ["--vary", "k=3,5"],
            "--vary must be given with a method, whose parameter it is, got `k` and no method (--method NAME)",
        ),
        (["--set", "gamma=r"], "parameters are those of methods, and there is none (--method NAME)"),
    ] {
        for beside in [["--rankings", "sorted.csv"], ["--fuse", "s/2c-mirna.toml"]] {
            refused(&folder, &with(&[&few[..], &beside, &more].concat()), sentence);
        }
    }
}

/// A file that is given twice would be two columns of one name, and data of one class cannot judge.
#[test]
fn what_is_given_twice_or_cannot_judge_is_told() {
    let folder = Folder::new();
    folder.file("r.txt", "petal width\npetal length\n");
    let ask = |more: &[&str]| {
        folder.run(&[&["evaluate", "demo:iris", "--counts", "2", "--repeats", "2"], more].concat())
    };
    for (option, files) in [("--rankings", "r.txt,./r.txt"), ("--fuse", "f.toml,f.toml")] {
        let told = ask(&[option, files]);
        assert_eq!(told.code, Some(2), "{}", told.stderr);
        let rule = format!("{option} must be files without repetitions, got `");
        assert!(told.stderr.contains(&rule) && told.stderr.contains("twice"), "{}", told.stderr);
    }
    assert_eq!(ask(&["--rankings", "r.txt"]).code, Some(0));
    let names = "sepal length,sepal width,petal length,petal width,class";
    folder.file("one.csv", format!("{names}\n{}", "5,3,1,0.2,setosa\n6,3,2,0.3,setosa\n".repeat(4)));
    let iris = folder.run(&["select", "demo:iris", "--top", "4", "-o", "iris.csv"]);
    assert_eq!(iris.code, Some(0), "{}", iris.stderr);
    let told = folder.run(&[
        "evaluate",
        "iris.csv",
        "--label",
        "class",
        "-m",
        "fisher",
        "--counts",
        "2",
        "--judge-on",
        "one.csv",
    ]);
    assert_eq!(told.code, Some(1), "{}", told.stdout);
    let sentence = "one.csv: evaluation by 1nn needs at least two classes, the labels have one (`setosa`); --judge-on must";
    assert!(told.stderr.contains(sentence), "{}", told.stderr);
}
