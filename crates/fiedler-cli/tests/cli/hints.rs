//! What the command says of its own accord, and whether its advice works when it is followed.

use std::fmt::Write;

use crate::command::{FLOWERS, Folder, Run, run};

/// Thirty samples of three numbers and one to be predicted, called `called`, which the first follows.
fn numbers(called: &str) -> String {
    let mut text = format!("a,b,c,{called}\n");
    for i in 0..60 {
        let (a, noise) = (f64::from(i) / 7.0, f64::from((i * 37) % 11));
        let _ = writeln!(text, "{a},{noise},{},{}", (i * 17) % 5, f64::from(i) + 0.25);
    }
    text
}

/// Genes in the lines and samples in the columns.
fn expression() -> String {
    let head: Vec<String> = (1..=12).map(|s| format!("GSM{s}")).collect();
    let mut text = format!("gene\t{}\n", head.join("\t"));
    for gene in 0..80 {
        let values: Vec<String> =
            (0..12).map(|s| ((gene * 13 + s * (1 + gene % 3)) % 29).to_string()).collect();
        let _ = writeln!(text, "GENE{gene}\t{}", values.join("\t"));
    }
    text
}

fn in_folder(name: &str, content: &str, arguments: &[&str]) -> Run {
    let folder = Folder::new();
    folder.file(name, content);
    folder.run(arguments)
}

#[test]
fn a_number_to_be_predicted_is_no_label() {
    let table = numbers("progression");
    let asked = |more: &[&str]| {
        in_folder("t.csv", &table, &[&["rank", "t.csv", "--label", "progression"], more].concat())
    };
    for method in ["fisher", "mrmr", "mrsf"] {
        let told = asked(&["-m", method]);
        assert_eq!(told.code, Some(1), "{method}");
        for part in ["`progression`", "60 different values for 60 samples", "name it as the target"] {
            assert!(told.stderr.contains(part), "{method}: {}", told.stderr);
        }
    }
    // What it advises works.
    for method in ["correlation", "mrmr", "mrsf"] {
        let told = in_folder("t.csv", &table, &["rank", "t.csv", "--target", "progression", "-m", method]);
        assert_eq!(told.code, Some(0), "{method}: {}", told.stderr);
        assert!(told.stdout.contains("target progression"), "{}", told.stdout);
    }
    // Also where the method would not look at it.
    for more in [&["-m", "laplacian"][..], &[]] {
        let told = asked(more);
        assert!(
            told.code == Some(1) && told.stderr.contains("a column of labels needs classes"),
            "{}",
            told.stderr
        );
    }
    let judged =
        in_folder("t.csv", &table, &["evaluate", "t.csv", "--label", "progression", "-m", "variance"]);
    assert!(
        judged.code == Some(1) && judged.stderr.contains("evaluation by 1nn needs classes"),
        "{}",
        judged.stderr
    );
}

#[test]
fn an_answer_that_leads_the_ranking_is_hinted_at() {
    for called in ["target", "Y", "Label"] {
        let told = in_folder("t.csv", &numbers(called), &["rank", "t.csv", "-m", "variance"]);
        assert_eq!(told.code, Some(0));
        assert!(told.stderr.contains(&format!("`{called}` leads the ranking")), "{}", told.stderr);
        assert!(told.stderr.contains(&format!("--label {called}")), "{}", told.stderr);
        assert!(told.stderr.contains(&format!("--target {called}")), "{}", told.stderr);
        for (method, advice) in [("correlation", "--target"), ("variance", "--exclude")] {
            let advised =
                in_folder("t.csv", &numbers(called), &["rank", "t.csv", "-m", method, advice, called]);
            assert_eq!((advised.code, advised.stderr.as_str()), (Some(0), ""), "{advice}");
        }
    }
    let told = in_folder("t.csv", &numbers("income"), &["rank", "t.csv", "-m", "variance"]);
    assert_eq!(told.stderr, "");
}

#[test]
fn a_table_on_its_side_is_hinted_at() {
    let told = in_folder("t.tsv", &expression(), &["rank", "t.tsv", "-m", "variance"]);
    assert!(told.stderr.contains("named like samples (GSM1, …)"), "{}", told.stderr);
    assert!(told.stderr.contains("--features rows"), "{}", told.stderr);
    let advised =
        in_folder("t.tsv", &expression(), &["rank", "t.tsv", "-m", "variance", "--features", "rows"]);
    assert_eq!((advised.code, advised.stderr.as_str()), (Some(0), ""));
    assert!(advised.stdout.contains("12 samples × 80 features"), "{}", advised.stdout);
    // Barcodes tell by themselves, whatever the shape of the table.
    let barcodes: Vec<String> =
        (0..40).map(|i| format!("ACGTACGTAC{}-1", ["A", "C", "G", "T"][i % 4].repeat(i / 4 + 1))).collect();
    let mut wide = format!("gene,{}\n", barcodes.join(","));
    for gene in 0..40 {
        let values: Vec<String> =
            (0..40).map(|s| ((gene * 13 + s * (1 + gene % 3)) % 29).to_string()).collect();
        let _ = writeln!(wide, "g{gene},{}", values.join(","));
    }
    let told = in_folder("t.csv", &wide, &["rank", "t.csv", "-m", "variance"]);
    assert!(told.stderr.contains("named like samples (ACGTACGTACA-1, …)"), "{}", told.stderr);
    // A table as it should be is left alone.
    assert_eq!(
        in_folder("t.csv", FLOWERS, &["rank", "t.csv", "--label", "species", "-m", "variance"]).stderr,
        ""
    );
}

#[test]
fn the_usual_method_says_what_suits_better() {
    let told = run(&["rank", "demo:digits", "--top", "3"]);
    assert!(told.stderr.contains("--method mrsf"), "{}", told.stderr);
    assert_eq!(run(&["rank", "demo:digits", "--top", "3", "-m", "laplacian"]).stderr, "");
    assert_eq!(run(&["rank", "demo:iris"]).stderr, "", "four features are no crowd");
    let told = in_folder("t.csv", FLOWERS, &["rank", "t.csv", "--label", "species"]);
    assert!(told.stderr.contains("laplacian does not use species"), "{}", told.stderr);
}

#[test]
fn scores_without_a_turn_are_told_with_what_is_done() {
    let told = run(&["rank", "demo:digits", "--top", "auto", "-m", "laplacian"]);
    assert!(
        told.stderr.contains("no turning point") && told.stderr.contains("all are listed"),
        "{}",
        told.stderr
    );
    assert!(told.stdout.contains("… and 44 more"), "{}", told.stdout);
    let refused = run(&["select", "demo:digits", "-m", "mrmr", "--top", "auto", "-o", "-"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("mrmr chooses one feature after the other"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--top 20"), "{}", refused.stderr);
}

#[test]
fn ties_and_features_of_a_few_samples_are_told() {
    let mut tied = String::from("a,b,c,d\n");
    let mut few = String::from("a,b,c,d\n");
    for i in 0..40 {
        let _ = writeln!(tied, "{0},{0},{0},{1}", i % 7, (i * 3) % 11);
        let carried = f64::from(u8::from(i == 6)) * 50.0;
        let _ = writeln!(few, "{carried},{0},{1},{1}", 2.0 * carried, f64::from(i % 2) * 0.01);
    }
    let told = in_folder("t.csv", &tied, &["rank", "t.csv", "-m", "laplacian"]);
    assert!(told.stderr.contains("the best 3 features tie (a, b, c)"), "{}", told.stderr);
    let told = in_folder("t.csv", &few, &["rank", "t.csv", "-m", "variance", "--top", "2"]);
    assert!(told.stderr.contains("vary in about 1 sample of 40 alone (row 7)"), "{}", told.stderr);
    // What it advises works.
    assert!(told.stderr.contains("(--exclude b,a)"), "{}", told.stderr);
    let advised =
        in_folder("t.csv", &few, &["rank", "t.csv", "-m", "variance", "--top", "2", "--exclude", "b,a"]);
    assert!(advised.code == Some(0) && !advised.stderr.contains("alone (row 7)"), "{}", advised.stderr);
}

#[test]
fn methods_options_and_commands_are_known_by_meaning() {
    for (name, nearest) in [
        ("mRMR", "did you mean `mrmr`?"),
        ("laplace", "did you mean `laplacian`?"),
        ("relief", "did you mean `relieff`?"),
        ("variance-threshold", "did you mean `variance`?"),
        ("lasso", "nearest is `mrsf`"),
        ("chi2", "nearest is `fisher`"),
        ("anova", "nearest is `fisher`"),
        ("pearson", "nearest is `correlation`"),
        ("pca", "nearest is `path-spca`"),
        ("fischer", "did you mean `fisher`?"),
    ] {
        let told = run(&["rank", "demo:iris", "-m", name]);
        assert!(told.code == Some(2) && told.stderr.contains(nearest), "{name}: {}", told.stderr);
    }
    for (option, here) in [
        ("--transpose", "here it is --features rows"),
        ("--n-jobs", "here it is --threads N"),
        ("--outcome", "here it is --label COLUMN"),
        ("--min-count", "here it is --min-samples N"),
    ] {
        let told = run(&["rank", "demo:iris", option, "4"]);
        assert!(told.code == Some(2) && told.stderr.contains(here), "{option}: {}", told.stderr);
    }
    let told = run(&["compare", "demo:iris"]);
    assert!(told.code == Some(2) && told.stderr.contains("nearest is `fiedler evaluate`"), "{}", told.stderr);
}

/// What is said of an option that does not exist works when it is followed.
#[test]
fn options_that_do_not_exist_are_told_with_what_works() {
    for (typed, part) in [
        (&["rank", "demo:iris", "--labell", "class"][..], "did you mean `--label`?"),
        (&["rank", "demo:iris", "--foo"], "fiedler rank --help lists those that there are"),
        (&["rank", "demo:iris", "-k", "3"], "there is no option -k; here it is --k"),
        (&["rank", "demo:iris", "--methods", "spec"], "here it is --method\n"),
        (&["rank", "demo:iris", "--top", "-3"], "is given as --top=-3"),
        (&["rank", "demo:iris", "--exclude", "-x"], "is given as --exclude=-x"),
        (&["rank", "demo:iris", "--memory", "-5MB"], "is given as --memory=-5MB"),
        (&["rank", "--data", "demo:iris"], "data are named without one: fiedler rank DATA"),
        (&["graph", "demo:iris", "--counts", "3"], "fiedler graph has no option --counts; evaluate has one"),
        (&["methods", "--n-features", "3"], "fiedler methods --help lists those that there are"),
        (&["demo:iris"], "such as `fiedler rank demo:iris`"),
    ] {
        let told = run(typed);
        assert!(told.code == Some(2) && told.stderr.contains(part), "{typed:?}: {}", told.stderr);
        assert!(!told.stderr.contains("as a value, use"), "{typed:?}: {}", told.stderr);
    }
    let followed = run(&["rank", "demo:iris", "--top=-3"]);
    assert!(followed.stderr.contains("it must be a whole number from 1"), "{}", followed.stderr);
    let followed = run(&["rank", "demo:iris", "--exclude=-x"]);
    assert!(followed.stderr.contains("no feature is called `-x`"), "{}", followed.stderr);
}

/// What is asked of a search and cannot be is told, in every kind of graph that has one.
#[test]
fn a_search_that_is_exact_all_the_same_is_told() {
    for more in [&["--approximate"][..], &["--recall", "0.9"], &["--graph", "geodesic", "--approximate"]] {
        let told = run(&[&["rank", "demo:iris", "--top", "1"][..], more].concat());
        let part = "note: all neighbors were found, by an exact search: an approximate search pays from 4,096 samples";
        assert!(told.code == Some(0) && told.stderr.contains(part), "{more:?}: {}", told.stderr);
    }
    for more in [&["--exact"][..], &[], &["--recall", "1"]] {
        let silent = run(&[&["rank", "demo:iris", "--top", "1"][..], more].concat());
        assert_eq!((silent.code, silent.stderr.as_str()), (Some(0), ""), "{more:?}");
    }
}

/// A graph of few landmarks has few eigenvalues: the option is named, and what it may be at most works.
#[test]
fn too_many_eigenvalues_are_told_by_their_option() {
    let ask = |eigenvalues: &str| {
        let graph = ["graph", "demo:digits", "--graph", "landmarks", "--landmarks", "50"];
        run(&[&graph[..], &["--eigenvalues", eigenvalues]].concat())
    };
    let followed = ask("50");
    let part = "no spectrum: the number of eigenvalues (--eigenvalues) must be at most 50 for this graph: its 50 landmarks";
    for told in [ask("60"), ask("300")] {
        assert!(told.code == Some(0) && told.stderr.contains(part), "{}", told.stderr);
        assert!(!told.stderr.contains("pairs"), "{}", told.stderr);
    }
    assert!(
        !followed.stderr.contains("no spectrum") && followed.stdout.contains("Spectrum"),
        "{}",
        followed.stderr
    );
}

/// What is standardized because somebody said so is told where ranks would suit better.
#[test]
fn a_scaling_that_keeps_ranks_away_is_told() {
    let told = run(&["rank", "demo:digits", "-m", "laplacian", "--scale", "standard", "--top", "3"]);
    assert!(told.stderr.contains("ranks suit these data better (--transform ranks)"), "{}", told.stderr);
    let advised = run(&["rank", "demo:digits", "-m", "laplacian", "--top", "3", "--transform", "ranks"]);
    assert_eq!((advised.code, advised.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run(&["rank", "demo:digits", "-m", "laplacian", "--scale", "none", "--top", "3"]).code,
        Some(0)
    );
}

/// A label beside a file of labels names a column of that file.
#[test]
fn one_column_of_a_file_of_labels_is_taken() {
    let folder = Folder::new();
    folder.file("t.csv", "sample,a,b\ns1,1,2\ns2,2,5\ns3,4,4\ns4,5,1\n");
    folder.file("obs.csv", "cell,batch,kind\ns1,1,p\ns2,2,q\ns3,1,p\ns4,2,q\n");
    let told = folder.run(&["rank", "t.csv", "--labels", "obs.csv", "-m", "fisher"]);
    assert!(told.stderr.contains("the second column (`batch`)"), "{}", told.stderr);
    let told = folder.run(&["rank", "t.csv", "--labels", "obs.csv", "--label", "kind", "-m", "fisher"]);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
}

/// Programs are told why data are taken as ranks, too.
#[test]
fn the_reason_for_ranks_is_in_json() {
    let of = |more: &[&str]| {
        let asked = ["rank", "demo:digits", "-m", "laplacian", "--top", "2", "--format", "json"];
        serde_json::from_str::<serde_json::Value>(&run(&[&asked, more].concat()).stdout).expect("JSON")
    };
    let told = of(&[]);
    assert_eq!(told["transform"], "ranks");
    let reason = told["transform_reason"].as_str().expect("a reason");
    assert!(reason.contains("% of the features vary in fewer than 90 samples"), "{reason}");
    assert_eq!(of(&["--transform", "ranks"])["transform_reason"], "asked for");
    assert!(of(&["--transform", "none"])["transform_reason"].is_null());
}

/// Ranks that were asked for need no reason, and the card of a run tells what was asked of reading and judging.
#[test]
fn what_was_asked_is_told_as_it_was_asked() {
    let ranks = run(&["rank", "demo:iris", "--transform", "ranks"]).stdout;
    assert!(ranks.contains("taken as ranks") && !ranks.contains("--transform none"), "{ranks}");
    let folder = Folder::new();
    folder.file("t.csv", "a,b,c,kind\n1,2,0,p\n2,,1,q\n4,4,0,p\n5,1,3,q\n6,2,1,p\n7,5,0,q\n");
    let read = ["t.csv", "--label", "kind", "--missing", "median", "--exclude", "c", "--min-samples", "2"];
    let judged = ["--protocol", "svm", "--costs", "0.5,2", "--worst", "--repeats", "2", "--counts", "1"];
    let told = folder.run(&[&["evaluate"], &read[..], &judged, &["--findings", "f.json", "-q"]].concat());
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    let found: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("f.json")).expect("a file")).expect("JSON");
    let asked = found["asked"].to_string();
    for said in
        [r#"["missing","median"]"#, r#"["exclude","c"]"#, r#"["min-samples","2"]"#, r#"["costs","0.5,2"]"#]
    {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    assert!(asked.contains(r#"["worst","#) && !asked.contains("draws"), "{asked}");
}
