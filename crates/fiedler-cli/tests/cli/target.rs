//! `--target`: a number to be predicted, from the file to the answer and back.

use crate::command::{Folder, Run};

/// `size` makes the price, `noise` does not; `rooms` helps a little.
fn houses() -> String {
    let mut text = String::from("price,size,rooms,noise\n");
    for i in 0..40u32 {
        let (size, noise) = (f64::from((i * 7) % 40), f64::from((i * 23) % 17));
        let price = 100.5 + 3.0 * size + f64::from(i % 3);
        text.push_str(&format!("{price},{size},{},{noise}\n", i % 4 + (i * 7) % 40 / 10));
    }
    text
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("houses.csv", houses());
    folder
}

fn refused(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
    }
}

#[test]
fn every_method_that_takes_a_number_finds_what_makes_it() {
    let folder = folder();
    for method in ["correlation", "relieff", "hsic", "mrsf", "mrmr"] {
        let run = folder.run(&["rank", "houses.csv", "--target", "price", "--method", method]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("target price"), "{method}: {}", run.stdout);
        let first =
            run.stdout.lines().find(|line| line.trim_start().starts_with("1 ")).expect("a first line");
        assert!(first.contains("size"), "{method}: {first}");
        assert!(!run.stdout.contains("labels"), "{}", run.stdout);
    }
    let json =
        folder.run(&["rank", "houses.csv", "--target", "0", "--method", "correlation", "--format", "json"]);
    assert!(json.stdout.contains("\"target\": \"price\""), "{}", json.stdout);
    let unseen = folder.run(&["rank", "houses.csv", "--target", "price"]);
    refused(&unseen, 0, &["`price` has no effect", "correlation, relieff, hsic, mrsf, mrmr"]);
}

#[test]
fn methods_of_classes_say_which_methods_take_a_number() {
    let folder = folder();
    for method in ["fisher", "relief-spec", "trace-ratio", "arom-svm", "sselect"] {
        let run = folder.run(&["rank", "houses.csv", "--target", "price", "--method", method]);
        refused(&run, 1, &["needs classes", "`price` is a number", "correlation, relieff, hsic, mrsf, mrmr"]);
    }
    let run = folder.run(&["rank", "houses.csv", "--target", "price", "--graph", "labels"]);
    refused(&run, 1, &["laplacian needs classes"]);
}

#[test]
fn a_label_that_is_a_number_is_refused_with_advice_that_works() {
    let folder = folder();
    let run = folder.run(&["rank", "houses.csv", "--label", "price", "--method", "fisher"]);
    refused(&run, 1, &["`price` looks like a number to be predicted", "(--target COLUMN)"]);
    let both = folder.run(&["rank", "houses.csv", "--label", "noise", "--target", "price"]);
    refused(&both, 2, &["give one of them"]);
    let few =
        folder.run(&["evaluate", "houses.csv", "--target", "price", "-m", "laplacian", "--labeled", "2"]);
    refused(&few, 1, &["--labeled must be left out where a number is to be predicted (`price`)"]);
    let demo = folder.run(&["rank", "demo:iris", "--target", "petal length"]);
    refused(&demo, 2, &["embedded data have classes"]);
}

#[test]
fn gaps_and_text_are_told_by_row_with_advice_that_works() {
    let folder = folder();
    folder.file("gaps.csv", "y,a,b\n1.5,1,2\n,2,1\n3,3,5\nNA,4,4\n5,6,7\n");
    let run = folder.run(&["rank", "gaps.csv", "--target", "y", "--method", "correlation"]);
    refused(&run, 1, &["`y`", "row 2 has none (and 1 more)", "--missing drop-rows"]);
    let run = folder.run(&[
        "rank",
        "gaps.csv",
        "--target",
        "y",
        "--method",
        "correlation",
        "--missing",
        "drop-rows",
    ]);
    refused(&run, 0, &["2 of 5 samples without a number in `y` were left out"]);
    folder.file("text.csv", "a,kind,b\n1,red,2\n2,blue,3\n3,red,1\n4,blue,9\n");
    let run = folder.run(&["rank", "text.csv", "--target", "kind", "--method", "correlation"]);
    refused(&run, 1, &["row 1 has `red`", "--label COLUMN"]);
    let run = folder.run(&["rank", "text.csv", "--label", "kind", "--method", "correlation"]);
    refused(&run, 0, &[]);
    folder.file("same.csv", "y,a\n3,1\n3,2\n3,4\n");
    let run = folder.run(&["rank", "same.csv", "--target", "y", "--method", "correlation"]);
    refused(&run, 1, &["3 for every sample"]);
}

#[test]
fn what_is_selected_keeps_its_target_in_every_format() {
    let folder = folder();
    for name in ["best.csv", "best.parquet", "best.arrow", "best.h5ad", "best.npz", "best.libsvm"] {
        let run = folder.run(&["select", "houses.csv", "--target", "price", "--top", "2", "-o", name]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let target = match name {
            "best.npz" => "y",
            "best.libsvm" => "label",
            _ => "price",
        };
        let arguments = ["rank", name, "--target", target, "--method", "correlation", "--format", "csv"];
        let back = folder.run(&arguments);
        assert_eq!(back.code, Some(0), "{name}: {}", back.stderr);
        // Sparse data are summed in another order.
        let scores = |text: &str| -> Vec<f64> {
            let score = |line: &str| line.split(',').nth(3).and_then(|s| s.parse().ok());
            text.lines().skip(1).filter_map(score).collect()
        };
        let all = ["rank", "houses.csv", "--target", "price", "--method", "correlation", "--format", "csv"];
        let (whole, found) = (scores(&folder.run(&all).stdout), scores(&back.stdout));
        let known = |s: &f64| whole.iter().any(|w| (w - s).abs() < 1e-12);
        assert!(found.len() == 2 && found.iter().all(known), "{name}: {}", back.stdout);
    }
}

#[test]
fn evaluation_and_stability_go_by_the_number() {
    let folder = folder();
    let base =
        ["evaluate", "houses.csv", "--target", "price", "--methods", "correlation,mrsf", "--counts", "1,2"];
    let run = folder.run(&base);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "R² of the 5 nearest neighbors",
        "target",
        "correlation, mrsf selected with price",
        "random",
        "all 3 features",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let run = folder.run(&[&base[..], &["--protocol", "svm"]].concat());
    refused(&run, 2, &["about classes", "knn"]);
    let run = folder.run(&["evaluate", "houses.csv", "--protocol", "knn"]);
    refused(&run, 2, &["--target"]);
    let run = folder.run(&[&base[..], &["--neighbors", "3", "--format", "json"]].concat());
    assert!(
        run.stdout.contains("\"neighbors\":3") && run.stdout.contains("\"target\": \"price\""),
        "{}",
        run.stdout
    );
    let stable = [
        "stability",
        "houses.csv",
        "--target",
        "price",
        "--method",
        "correlation",
        "--top",
        "1",
        "--repeats",
        "5",
    ];
    let run = folder.run(&stable);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("target price"), "{}", run.stdout);
}

#[test]
fn the_command_line_wins_over_a_file_that_names_classes() {
    let folder = folder();
    folder.file("fiedler.toml", "label = \"rooms\"\n");
    let arguments =
        ["rank", "houses.csv", "--config", "fiedler.toml", "--target", "price", "--method", "correlation"];
    let run = folder.run(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("target price"), "{}", run.stdout);
}
