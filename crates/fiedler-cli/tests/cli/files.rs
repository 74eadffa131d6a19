//! Files as newcomers have them: a right answer, or one clear sentence.

use crate::command::{FLOWERS, Folder, json, names};

/// The ranking of `flowers`, however the file is written.
fn ranked(folder: &Folder, name: &str, content: &str) -> serde_json::Value {
    let file = folder.file(name, content);
    let answer = json(&["rank", &file, "--label", "species", "--k", "3", "--quiet", "--format", "json"]);
    answer["ranking"].clone()
}

#[test]
fn line_ends_separators_decimal_commas_and_quotes_change_nothing() {
    let folder = Folder::new();
    let plain = ranked(&folder, "plain.csv", FLOWERS);
    assert_eq!(plain, ranked(&folder, "windows.csv", &FLOWERS.replace('\n', "\r\n")));
    assert_eq!(plain, ranked(&folder, "mark.csv", &format!("\u{feff}{FLOWERS}")));
    assert_eq!(plain, ranked(&folder, "tabs.tsv", &FLOWERS.replace(',', "\t")));
    assert_eq!(plain, ranked(&folder, "comma.csv", &FLOWERS.replace(',', ";").replace('.', ",")));
    assert_eq!(plain, ranked(&folder, "quotes.csv", &FLOWERS.replace("setosa", "\"setosa\"")));
}

#[test]
fn features_in_rows() {
    let folder = Folder::new();
    let lines: Vec<Vec<&str>> = FLOWERS.lines().map(|l| l.split(',').take(3).collect()).collect();
    let mut turned = String::from("gene");
    for sample in 1..lines.len() {
        turned.push_str(&format!(",s{sample}"));
    }
    for feature in 0..3 {
        let row: Vec<&str> = lines.iter().map(|l| l[feature]).collect();
        turned.push_str(&format!("\n{}", row.join(",")));
    }
    let file = folder.file("genes.csv", turned);
    let answer = json(&["rank", &file, "--features", "rows", "--k", "3", "--format", "json"]);
    assert_eq!((answer["n_samples"].as_u64(), answer["n_features"].as_u64()), (Some(12), Some(3)));
    assert_eq!(answer["ranking"], ranked(&folder, "plain.csv", FLOWERS));
}

#[test]
fn text_missing_cells_and_ragged_lines_are_named_with_their_place() {
    let folder = Folder::new();
    let sentence = |content: &str| {
        folder.file("f.csv", content);
        let run = folder.run(&["rank", "f.csv", "--label", "species"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        run.stderr
    };
    let missing = sentence(&FLOWERS.replace("4.1,1.4", "4.1,"));
    assert!(
        missing.starts_with("error: f.csv, line 8, column 2 (`width`): the value is missing"),
        "{missing}"
    );
    let text = sentence(&FLOWERS.replace("4.1,1.4", "4.1,wide"));
    assert!(text.starts_with("error: f.csv, line 8, column 2 (`width`): `wide` is not a number"), "{text}");
    let ragged = sentence(&FLOWERS.replace("4.8,versicolor", "4.8,versicolor,7"));
    assert!(ragged.starts_with("error: f.csv, line 8: 5 fields where 4 are expected"), "{ragged}");
    let unlabeled = folder.run(&["rank", "f.csv"]);
    assert!(
        unlabeled.stderr.contains("--numeric-only or --label COLUMN or --exclude NAME"),
        "{}",
        unlabeled.stderr
    );
}

#[test]
fn a_repeated_name_is_told_apart() {
    let folder = Folder::new();
    let file = folder.file("twice.csv", FLOWERS.replacen("width", "length", 1));
    let answer = json(&["rank", &file, "--label", "species", "--k", "3", "--quiet", "--format", "json"]);
    let mut found = names(&answer);
    found.sort_unstable();
    assert_eq!(found, ["length", "length_2", "noise"]);
    let run = folder.run(&["rank", "twice.csv", "--label", "species", "--k", "3"]);
    assert!(run.stderr.starts_with("note: "), "{}", run.stderr);
}

#[test]
fn a_hundred_thousand_columns() {
    let folder = Folder::new();
    let width = 100_000;
    let mut content = (0..width).map(|j| format!("g{j}")).collect::<Vec<_>>().join(",");
    for i in 0..6_usize {
        content.push('\n');
        let row = (0..width).map(|j| ((i * (j + 3)) % 7).to_string()).collect::<Vec<_>>();
        content.push_str(&row.join(","));
    }
    let file = folder.file("wide.csv", content);
    let answer = json(&["rank", &file, "--k", "2", "--quiet", "--format", "json"]);
    assert_eq!(answer["ranking"].as_array().map(Vec::len), Some(width));
}

#[test]
fn wide_names_and_strange_ones_stay_aligned() {
    let folder = Folder::new();
    let file = folder.file("names.csv", "長さ,größe,\"a\nb\",x\n1,2,3,4\n2,1,5,3\n4,3,1,1\n3,5,2,2\n");
    let run = folder.run(&["rank", "names.csv", "--k", "2", "--quiet"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    crate::command::snapshot("rank_wide_names", &run.stdout);
    let csv = folder.run(&["rank", &file, "--k", "2", "--quiet", "--format", "csv"]).stdout;
    assert!(csv.contains("\"a\nb\""), "{csv}");
}
