//! A column of numbers to be predicted, in every format that has labels.

use std::path::{Path, PathBuf};

use fiedler::Silent;
use fiedler_io::{Missing, ReadOptions, Table, read, read_from};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn targeted(name: &str) -> ReadOptions {
    ReadOptions { target: Some(name.into()), ..ReadOptions::default() }
}

fn of_text(text: &str, options: &ReadOptions) -> Result<Table, String> {
    read_from(text.as_bytes(), "t.csv", options, &Silent).map_err(|error| error.to_string())
}

fn numbers(table: &Table) -> (String, Vec<f64>) {
    let target = table.data.target().expect("a target");
    assert!(table.data.labels().is_none());
    (target.name().to_owned(), target.values().to_vec())
}

#[test]
fn files_of_every_kind_have_it_where_they_have_labels() {
    let y = [1.0, 2.0, 1.0, 2.0, 2.0];
    let quarter = y.map(|v| v / 4.0);
    let cases = [
        ("double.mat", "Y", y),
        ("sparse_7_3.mat", "Y", y),
        ("one.libsvm", "label", y),
        ("dense.h5ad.gz", "obs:share", quarter),
        ("csr.h5ad.gz", "number", y),
    ];
    for (file, name, expected) in cases {
        let table = read(&fixture(file), &targeted(name), &Silent).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(numbers(&table).1, expected, "{file}");
        assert_eq!(table.data.n_features(), 3, "{file}");
    }
    // A column of the array itself, by its place.
    let table = read(&fixture("little_f8.npy"), &targeted("2"), &Silent).expect("a table");
    assert_eq!(numbers(&table), ("x2".to_owned(), vec![-3.0, 7.0, 0.0, 120.0, 0.0]));
    let table = read(&fixture("small.parquet"), &targeted("alpha"), &Silent).expect("a table");
    assert_eq!(numbers(&table), ("alpha".to_owned(), vec![1.0, 0.0, 5.0, 0.0, 4.0]));
}

#[test]
fn text_is_read_in_its_own_notation() {
    let table = of_text("a;y;b\n1;2,5;3\n2;-1e2;4\n3;7;1,5\n", &targeted("y")).expect("a table");
    assert_eq!(numbers(&table), ("y".to_owned(), vec![2.5, -100.0, 7.0]));
    assert_eq!(table.data.n_features(), 2);
    let first = of_text("y,a\n5,1\n6,2\n7,4\n", &targeted("0")).expect("a table");
    assert_eq!(numbers(&first).1, [5.0, 6.0, 7.0]);
}

#[test]
fn what_is_no_number_is_told_by_row() {
    let told = of_text("a,y\n1,5\n2,high\n", &targeted("y")).expect_err("text");
    assert!(told.contains("row 2 has `high`") && told.contains("name it as the label"), "{told}");
    let told = of_text("a,y\n1,5\n2,\n3,NA\n", &targeted("y")).expect_err("gaps");
    assert!(told.contains("row 2 has none (and 1 more)"), "{told}");
    let told = of_text("a,y\n1,\n2,\n", &targeted("y")).expect_err("nothing");
    assert!(told.contains("no number in any row"), "{told}");
    let told = of_text("a,y\n1,5\n2,inf\n", &targeted("y")).expect_err("infinite");
    assert!(told.contains("row 2 has `inf`"), "{told}");
    let told = of_text("a,y\n1,5\n", &targeted("z")).expect_err("unknown");
    assert!(told.contains("no column is called `z`"), "{told}");
    let both = ReadOptions { label: Some("a".into()), ..targeted("y") };
    assert!(of_text("a,y,b\n1,5,1\n2,6,3\n", &both).expect_err("both").contains("name one of them"));
}

#[test]
fn samples_without_a_number_are_left_out_on_request() {
    let options = ReadOptions { missing: Missing::DropRows, ..targeted("y") };
    let table = of_text("a,y\n1,5\n2,\n,8\n4,9\n", &options).expect("a table");
    assert_eq!(numbers(&table).1, [5.0, 9.0]);
    assert!(
        table.notes.iter().any(|n| n.contains("1 of 4 samples without a number in `y`")),
        "{:?}",
        table.notes
    );
    // A typical number of the feature would not do for what is to be predicted.
    let options = ReadOptions { missing: Missing::Mean, ..targeted("y") };
    assert!(of_text("a,y\n1,5\n2,\n", &options).is_err());
}
