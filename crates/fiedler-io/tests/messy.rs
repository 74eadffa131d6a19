//! Tables with gaps, text, dates and words for yes and no.

use std::path::PathBuf;

use fiedler::{Scaling, Silent};
use fiedler_io::{
    Categories, Error, Holds, Missing, Orientation, ReadOptions, Remedy, Sampling, Table, read, read_from,
};

const CARS: &str = "\
mpg,maker,doors,turbo,built,price
18,audi,4,yes,2020-01-31,100
?,bmw,2,no,2020-02-01,200
21,audi,4,no,2020-03-05,NA
30,fiat,2,YES,2020-04-01,50
";

fn with(text: &str, options: &ReadOptions) -> Result<Table, Error> {
    read_from(text.as_bytes(), "cars.csv", options, &Silent)
}

fn cars(options: &ReadOptions) -> Table {
    with(CARS, options).expect("a table")
}

fn names(table: &Table) -> Vec<String> {
    (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect()
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let j = names(table).iter().position(|n| n == name).unwrap_or_else(|| panic!("no {name}"));
    table.data.clone().scaled(Scaling::None).column(j).expect("a column")
}

fn options(missing: Missing, categories: Categories) -> ReadOptions {
    ReadOptions { missing, categories, ..ReadOptions::default() }
}

#[test]
fn all_bad_columns_are_told_at_once() {
    let error = with(CARS, &ReadOptions::default()).expect_err("bad columns");
    assert_eq!(
        error.to_string(),
        "cars.csv: 4 columns of 4 cells cannot be read as numbers: column 1 (`mpg`): 1 cell missing, the first in \
         line 3 (`?`); column 2 (`maker`): 4 cells of text, 3 different, such as `audi` in line 2; column 5 \
         (`built`): 4 dates, such as `2020-01-31` in line 2; column 6 (`price`): 1 cell missing, the first in line \
         4 (`NA`)"
    );
    let remedies = [
        Remedy::Missing,
        Remedy::Categories,
        Remedy::Dates,
        Remedy::NumericOnly,
        Remedy::Label,
        Remedy::Exclude,
    ];
    assert_eq!(*error.remedies(), remedies);
    let Error::Columns { columns, .. } = error else { panic!("another error") };
    assert_eq!(columns[1].holds, Holds::Text { different: 3 });
}

/// A column of text that has gaps too is one column.
#[test]
fn a_column_with_two_faults_is_counted_once() {
    let told = |text: &str| with(text, &ReadOptions::default()).expect_err("bad columns").to_string();
    assert_eq!(
        told("a,kind,note\n1,x,\n2,,p\n3,y,q\n"),
        "cars.csv: 2 columns of 3 cells cannot be read as numbers: column 2 (`kind`): 2 cells of text, 2 different, such as \
         `x` in line 2 and 1 cell missing, the first in line 3 (empty); column 3 (`note`): 2 cells of text, 2 different, \
         such as `p` in line 3 and 1 cell missing, the first in line 2 (empty)"
    );
    let one = told("a,kind\n1,x\n2,\n3,y\n");
    assert!(one.starts_with("cars.csv: 1 column of 3 cells cannot be read as numbers: column 2"), "{one}");
}

#[test]
fn every_advice_works() {
    // Text is told of until it is dealt with, then the dates, then nothing.
    let left = |options: &ReadOptions| match with(CARS, options) {
        Err(Error::Columns { columns, .. }) => columns.iter().map(|c| c.column.position).collect(),
        Err(other) => panic!("{other}"),
        Ok(_) => Vec::new(),
    };
    assert_eq!(left(&options(Missing::Mean, Categories::Error)), [1, 4]);
    assert_eq!(left(&options(Missing::Mean, Categories::OneHot)), [4]);
    let none: [usize; 0] = [];
    assert_eq!(left(&options(Missing::Mean, Categories::Drop)), none);
    assert_eq!(left(&options(Missing::Error, Categories::Drop)), [0, 5]);
    assert_eq!(
        left(&ReadOptions { numeric_only: true, ..options(Missing::Median, Categories::Error) }),
        none
    );
    let excluded =
        ReadOptions { exclude: vec!["built".to_owned()], ..options(Missing::Mean, Categories::OneHot) };
    assert_eq!(left(&excluded), none);
}

#[test]
fn words_for_yes_and_no_are_one_and_zero() {
    let table = with("a,b,c\n1,True,no\n2,False,yes\n3,True,no\n", &ReadOptions::default()).expect("a table");
    assert_eq!(column(&table, "b"), [1.0, 0.0, 1.0]);
    assert_eq!(column(&table, "c"), [0.0, 1.0, 0.0]);
    assert_eq!(table.notes, ["2 columns of truth values read as 1 and 0: b, c"]);
}

#[test]
fn text_becomes_features() {
    let found =
        ReadOptions { exclude: vec!["built".to_owned()], ..options(Missing::Median, Categories::OneHot) };
    let table = cars(&found);
    assert_eq!(names(&table), ["mpg", "maker=audi", "maker=bmw", "maker=fiat", "doors", "turbo", "price"]);
    assert_eq!(column(&table, "maker=audi"), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(column(&table, "mpg"), [18.0, 21.0, 21.0, 30.0]);
    assert_eq!(
        table.notes,
        [
            "1 column of truth values read as 1 and 0: turbo",
            "1 column of text made one feature for each value: maker (3)",
            "2 missing values filled with the median of the feature: mpg (1), price (1)"
        ]
    );
}

#[test]
fn samples_and_features_with_gaps_are_left_out() {
    let rows = cars(&options(Missing::DropRows, Categories::Drop));
    assert_eq!((rows.data.n_samples(), column(&rows, "mpg")), (2, vec![18.0, 30.0]));
    let columns = cars(&options(Missing::DropColumns, Categories::Drop));
    assert_eq!(names(&columns), ["doors", "turbo"]);
    let dropped = "2 columns that hold no numbers left out: maker, built";
    assert!(columns.notes.iter().any(|n| n == dropped), "{:?}", columns.notes);
}

#[test]
fn labels_follow_their_samples() {
    let found = ReadOptions { label: Some("maker".into()), ..options(Missing::DropRows, Categories::Drop) };
    let table = cars(&found);
    let labels = table.data.labels().expect("labels");
    let classes: Vec<&str> =
        labels.codes().iter().map(|c| labels.classes()[c.expect("labeled") as usize].as_str()).collect();
    assert_eq!(classes, ["audi", "fiat"]);
}

#[test]
fn one_bad_cell_is_told_with_its_place() {
    let error = with("a,b\n1,2\n3,x\n5,6\n", &ReadOptions::default()).expect_err("a bad cell");
    assert!(
        error.to_string().starts_with("cars.csv, line 3, column 2 (`b`): `x` is not a number"),
        "{error}"
    );
    let slips = with("a,b\n1,2\n3,x\n5,6\n7,y\n8,9\n", &ReadOptions::default()).expect_err("slips");
    assert!(
        slips.to_string().contains("column 2 (`b`): 2 cells not a number, such as `x` in line 3"),
        "{slips}"
    );
    // Slips are no categories.
    assert!(with("a,b\n1,2\n3,x\n5,6\n7,y\n8,9\n", &options(Missing::Mean, Categories::OneHot)).is_err());
}

#[test]
fn a_first_column_of_text_is_no_trap() {
    let text = "maker,mpg\naudi,1\nbmw,2\naudi,3\nbmw,5\n";
    let error = with(text, &ReadOptions::default()).expect_err("text");
    assert!(error.to_string().contains("column 1 (`maker`): 4 cells of text, 2 different"), "{error}");
    let one_hot = with(text, &options(Missing::Error, Categories::OneHot)).expect("a table");
    assert_eq!(names(&one_hot), ["maker=audi", "maker=bmw", "mpg"]);
    // Also where it would name the samples.
    let names_first = "car,mpg\na,1\nb,2\nc,3\n";
    let excluded = ReadOptions { exclude: vec!["car".to_owned()], ..ReadOptions::default() };
    let table = with(names_first, &excluded).expect("a table");
    assert_eq!((names(&table), table.data.sample_names()), (vec!["mpg".to_owned()], None));
}

#[test]
fn gaps_in_rows_of_features_are_filled_too() {
    let text = "gene\ts1\ts2\ts3\ng1\t1\tNA\t3\ng2\t4\t5\t6\n";
    let found = ReadOptions { features: Orientation::Rows, ..options(Missing::Mean, Categories::Error) };
    let table = read_from(text.as_bytes(), "genes.tsv", &found, &Silent).expect("a table");
    assert_eq!(column(&table, "g1"), [1.0, 2.0, 3.0]);
}

#[test]
fn typed_tables_are_treated_likewise() {
    let path = |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let table = |name: &str, options: &ReadOptions| read(&path(name), options, &Silent).expect(name);
    let one_hot = options(Missing::Error, Categories::OneHot);
    for name in ["snappy.parquet", "lz4.feather"] {
        let found = table(name, &one_hot);
        assert_eq!(names(&found), ["alpha", "beta", "gamma", "class"], "{name}");
        assert_eq!(column(&found, "class"), [0.0, 1.0, 0.0, 1.0, 1.0], "{name}");
    }
    // `beta` is 0, 2, 0, nothing, 6.
    let mean = table("null.parquet", &options(Missing::Mean, Categories::Drop));
    assert_eq!(column(&mean, "beta"), [0.0, 2.0, 0.0, 2.0, 6.0]);
    assert_eq!(table("null.parquet", &options(Missing::DropRows, Categories::Drop)).data.n_samples(), 4);
    let numeric = ReadOptions { numeric_only: true, ..ReadOptions::default() };
    assert_eq!(names(&table("dated.parquet", &numeric)), ["alpha", "beta", "gamma"]);
    let dates =
        read(&path("dated.parquet"), &ReadOptions::default(), &Silent).expect_err("dates").to_string();
    assert!(dates.contains("(`when`): 5 dates, such as `"), "{dates}");
}

/// 1.6 MB of numbers and 1.8 MB of lines fit into 4 MB once, not twice.
#[test]
fn a_table_that_is_read_again_takes_its_memory_once() {
    let text = format!("{}1,1,1,1,1,1,1,1,1,NA\n", "1,2,3,4,5,6,7,8,9,10\n".repeat(20_000));
    let options = ReadOptions { missing: Missing::Mean, ..ReadOptions::default() };
    let limits = |megabytes: u64| fiedler::Limits::of(fiedler::limits::Bytes(megabytes * 1_000_000));
    let read = |megabytes| {
        let monitor = fiedler::Limited { monitor: &Silent, limits: limits(megabytes) };
        fiedler_io::read_from(text.as_bytes(), "f.csv", &options, &monitor)
    };
    assert_eq!(read(4).expect("it fits").data.n_samples(), 20_001);
    assert!(matches!(read(3), Err(fiedler_io::Error::TextMemory { .. })), "the numbers are counted");
}

#[test]
fn names_from_a_file_and_a_part_of_the_samples() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("names.txt");
    std::fs::write(&path, "first\nsecond\n").expect("written");
    let text = "1,2\n3,4\n5,6\n7,8\n";
    let named = ReadOptions { feature_names: Some(path.clone()), ..ReadOptions::default() };
    let sampled = ReadOptions { sample: Some(Sampling { count: 2, seed: 7 }), ..named.clone() };
    assert_eq!(names(&with(text, &named).expect("a table")), ["first", "second"]);
    let part = with(text, &sampled).expect("a table");
    let rows: Vec<usize> =
        part.data.sample_names().expect("names").iter().map(|n| n[4..].parse().expect("a row")).collect();
    assert_eq!(column(&part, "first"), rows.iter().map(|&row| (2 * row - 1) as f64).collect::<Vec<_>>());
    let drawn = part.data.sample_names().expect("names").join(", ");
    let told = format!("2 of 4 samples were drawn (seed 7): {drawn}; the same seed draws the same");
    assert!(part.notes[0].starts_with(&told), "{:?}", part.notes);
    std::fs::write(&path, "first\n").expect("written");
    let wrong = with(text, &named).expect_err("too few").to_string();
    assert!(
        wrong.ends_with("1 names for 2 features; give one name a line, in the order of the features"),
        "{wrong}"
    );
    let excluded = ReadOptions { exclude: vec!["second".to_owned()], ..ReadOptions::default() };
    assert!(with(text, &excluded).is_err());
}
