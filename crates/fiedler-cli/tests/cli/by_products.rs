//! What methods offer besides rankings, and variants of the papers.

use crate::command::{Folder, run};

/// Variants of the Laplacian score: the plain variance, and edges inside classes that weigh by distance.
#[test]
fn the_laplacian_score_has_the_variants_of_its_paper() {
    let score = |options: &[&str]| {
        let done = run(&[&["rank", "demo:iris", "--format", "json"], options].concat());
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let answer: serde_json::Value = serde_json::from_str(&done.stdout).expect("JSON");
        answer["ranking"][0]["score"].as_f64().expect("a score")
    };
    let usual = score(&[]);
    let plain = score(&["--set", "normalization=none"]);
    assert!(usual != plain && plain > 0.0, "{usual} {plain}");
    assert_eq!(usual, score(&["--set", "normalization=degree"]));
    let heat = score(&["--graph", "class-heat", "--label", "class"]);
    let wide = score(&["--graph", "class-heat", "--label", "class", "--bandwidth", "1e9"]);
    let equal = score(&["--graph", "labels", "--label", "class"]);
    // Wide kernels weigh all pairs of a class alike; the label graph only leaves each sample's own share in.
    assert!(heat != equal && (wide - equal * 50.0 / 49.0).abs() < 1e-6, "{heat} {wide} {equal}");
    let refused = run(&["rank", "demo:iris", "--set", "normalization=love"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("one of degree, none"), "{}", refused.stderr);
    let refused = run(&["rank", "demo:iris", "--graph", "class-heat", "--bandwidth", "0"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("bandwidth"), "{}", refused.stderr);
}

/// The model of the selected features can be applied to the file that was read.
#[test]
fn coefficients_are_a_file_of_intercepts_and_weights() {
    let folder = Folder::new();
    let model = folder.text("w.csv");
    let asked = ["--label", "class", "--top", "2", "--set", "targets=svm", "--coefficients", &model];
    let done = run(&[&["select", "demo:iris", "-o", &folder.text("small.csv")], &asked[..]].concat());
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let text = std::fs::read_to_string(&model).expect("written");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0], ["feature", "index", "setosa", "versicolor", "virginica"]);
    assert_eq!((lines[1][0], lines[1][1], lines.len()), ("(intercept)", "", 4));
    // The first flower is a setosa, and the largest of its three values says so.
    let small = std::fs::read_to_string(folder.path("small.csv")).expect("written");
    let rows: Vec<Vec<&str>> = small.lines().map(|line| line.split(',').collect()).collect();
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let value = |class: usize| {
        let terms = lines[2..].iter().map(|line| {
            let at = rows[0].iter().position(|name| *name == line[0]).expect("a column");
            number(rows[1][at]) * number(line[class])
        });
        number(lines[1][class]) + terms.sum::<f64>()
    };
    assert!(value(2) > value(3) && value(2) > value(4), "{text}");
    // They are shrunk, which whoever predicts with them should know; without the file nobody asks.
    let shrunk = "note: the weights of the model are those at the last λ, shrunk by the penalty";
    assert!(done.stderr.contains(shrunk), "{}", done.stderr);
    let without =
        run(&["select", "demo:iris", "-o", &folder.text("again.csv"), "--label", "class", "--top", "2"]);
    assert!(without.code == Some(0) && !without.stderr.contains("shrunk"), "{}", without.stderr);
    let refused = run(&["rank", "demo:iris", "--coefficients", &model]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("makes a linear model, as `mrsf` does"), "{}", refused.stderr);
    let ranks = run(&["rank", "demo:digits", "-m", "mrsf", "--coefficients", &folder.text("no.csv")]);
    assert_eq!(ranks.code, Some(1), "{}", ranks.stderr);
    assert!(ranks.stderr.contains("none for coefficients"), "{}", ranks.stderr);
    assert!(!folder.path("no.csv").exists());
}

#[test]
fn targets_can_be_a_file() {
    let folder = Folder::new();
    folder.file("x.csv", "sample,a,b,c\ns1,1,5,2\ns2,2,1,9\ns3,3,4,1\ns4,4,2,7\ns5,5,3,3\n");
    // The second feature twice over, in another order.
    folder.file("y.csv", "sample,u,v\ns5,3,6\ns4,2,4\ns3,4,8\ns2,1,2\ns1,5,10\n");
    folder.file("short.csv", "u\n1\n2\n");
    folder.file("other.csv", "sample,u\ns1,3\ns2,2\ns3,4\ns4,1\nzz,5\n");
    folder.file("fewer.csv", "sample,u\ns1,3\ns2,2\ns3,4\ns4,1\n");
    folder.file("gap.csv", "sample,u,v\ns1,3,1\ns2,,2\ns3,4,3\ns4,1,1\ns5,5,2\n");
    folder.file("bad.csv", "sample,u,v\ns1,3,1\ns2,x,2\ns3,4,3\ns4,1,1\ns5,5,2\n");
    let model = folder.text("w.csv");
    let done = folder.run(&[
        "rank",
        "x.csv",
        "-m",
        "mrsf",
        "--set",
        "targets=file:y.csv,count=1",
        "--coefficients",
        &model,
    ]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stdout.contains("targets given"), "{}", done.stdout);
    let text = std::fs::read_to_string(&model).expect("written");
    assert!(text.starts_with("feature,index,u,v\n"), "{text}");
    assert!(text.lines().nth(2).expect("a feature").starts_with("b,1,"), "{text}");
    for (file, method, sentence) in [
        ("short.csv", "mrsf", "short.csv: 2 lines where the data have 5 samples"),
        (
            "other.csv",
            "mrsf",
            "other.csv: 1 sample is not in the data (`zz`); targets are a line for every sample",
        ),
        ("fewer.csv", "mrsf", "the data: 1 sample is not in fewer.csv (`s5`); targets are"),
        (
            "gap.csv",
            "mrsf",
            "gap.csv, line 3, column 2 (`u`): the value is missing (found nothing); every target is",
        ),
        ("nowhere.csv", "mrsf", "nowhere.csv"),
        ("bad.csv", "mrsf", "bad.csv, line 3, column 2 (`u`): `x` is not a number; every column is a target"),
        (
            "y.csv",
            "laplacian",
            "`targets` must be left out, for no method that is asked explains targets (mrsf does)",
        ),
    ] {
        let set = format!("targets=file:{file}");
        let refused = folder.run(&["rank", "x.csv", "-m", method, "--set", &set]);
        assert!(matches!(refused.code, Some(1 | 2)), "{}", refused.stderr);
        assert!(refused.stderr.contains(sentence), "{}", refused.stderr);
        assert!(!refused.stderr.contains("drop = true"), "a key of `fuse`: {}", refused.stderr);
    }
    let refused = folder.run(&["rank", "x.csv", "-m", "mrsf", "--set", "targets=file:y.csv", "-o", "y.csv"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("which would be lost"), "{}", refused.stderr);
    let refused = folder.run(&["stability", "x.csv", "-m", "mrsf", "--set", "targets=file:y.csv"]);
    assert!(
        refused.code == Some(2) && refused.stderr.contains("rank and select take such"),
        "{}",
        refused.stderr
    );
    for how in ["--set", "--vary"] {
        let judged =
            ["evaluate", "x.csv", "-m", "mrsf", "--protocol", "redundancy", how, "targets=file:y.csv"];
        let refused = folder.run(&judged);
        assert!(
            refused.code == Some(2) && refused.stderr.contains("rank and select take such"),
            "{}",
            refused.stderr
        );
    }
    let refused = folder.run(&["rank", "x.csv", "-m", "mrsf", "--set", "targets=file:"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("names no file"), "{}", refused.stderr);
    // What is the same for all samples leaves nothing to explain.
    folder.file("flat.csv", "u,v\n3,1\n3,1\n3,1\n3,1\n3,1\n");
    let refused = folder.run(&["rank", "x.csv", "-m", "mrsf", "--set", "targets=file:flat.csv"]);
    assert!(refused.stderr.contains("numbers that differ between samples"), "{}", refused.stderr);
}

/// Whatever is kept, the model is of it.
#[test]
fn the_model_is_of_the_features_that_are_kept() {
    let folder = Folder::new();
    let select = |more: &[&str]| {
        let files = ["-o", "small.csv", "--coefficients", "model.csv"];
        folder.run(&[&["select", "demo:iris"], more, &files].concat())
    };
    let features = |file: &str| -> Vec<String> {
        let text = std::fs::read_to_string(folder.path(file)).expect("written");
        let first = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
        match file {
            "small.csv" => text.lines().next().expect("titles").split(',').map(str::to_owned).collect(),
            _ => text.lines().skip(2).map(first).collect(),
        }
    };
    for more in [&["--top", "auto"][..], &["--top", "2"], &["--top", "auto", "--set", "count=3"]] {
        let done = select(more);
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let (kept, mut model) = (features("small.csv"), features("model.csv"));
        let mut kept: Vec<String> = kept.into_iter().filter(|name| name != "class").collect();
        kept.sort();
        model.sort();
        assert_eq!(kept, model, "{more:?}");
    }
    let by_number = std::fs::read_to_string(folder.path("model.csv")).expect("written");
    let kept = features("model.csv").len().to_string();
    assert_eq!(select(&["--top", &kept]).code, Some(0));
    assert_eq!(by_number, std::fs::read_to_string(folder.path("model.csv")).expect("written"), "--top auto");
    for (more, sentence) in [
        (
            &["--top", "2", "--set", "count=4"][..],
            "the number of features that are kept (2), for coefficients, got 4",
        ),
        (
            &["--top", "2", "--set", "count=1"],
            "the number of features that are kept (2), for coefficients, got 1",
        ),
        (&["--top", "2", "--include", "sepal width"], "--include must be left out for coefficients"),
    ] {
        let refused = select(more);
        assert!(refused.code != Some(0) && refused.stderr.contains(sentence), "{}", refused.stderr);
    }
    assert_eq!(select(&["--top", "2", "--set", "count=2"]).code, Some(0));
}

/// CSV under another name would be read as something else.
#[test]
fn tables_are_not_written_under_names_of_other_formats() {
    let folder = Folder::new();
    for file in ["m.json", "m.npy", "m.html"] {
        let select = ["select", "demo:iris", "--top", "2", "-o", "s.csv", "--coefficients", file];
        for asked in [
            &select[..],
            &["rank", "demo:iris", "-m", "mrsf", "--coefficients", file],
            &["graph", "demo:iris", "--embedding", file],
        ] {
            let refused = folder.run(asked);
            assert!(
                refused.code == Some(2) && refused.stderr.contains("it is written as CSV"),
                "{}",
                refused.stderr
            );
            assert!(!folder.path(file).exists() && !folder.path("s.csv").exists());
        }
    }
    let named = folder.run(&["graph", "demo:iris", "--embedding", "e.CSV"]);
    assert_eq!(named.code, Some(0), "{}", named.stderr);
}
