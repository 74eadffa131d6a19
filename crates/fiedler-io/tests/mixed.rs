//! Names that repeat, dates, words for yes and no, and positions of columns: one rule for text and for typed files.
#![cfg(feature = "parquet")]

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, Date32Array, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
    TimestampMillisecondArray, types::Int32Type,
};
use fiedler::{Scaling, Silent};
use fiedler_io::{Categories, Dates, Error, Missing, ReadOptions, Table, read, read_from};
use parquet::arrow::ArrowWriter;

fn text(text: &str, options: &ReadOptions) -> Result<Table, Error> {
    read_from(text.as_bytes(), "t.csv", options, &Silent)
}

fn typed(columns: Vec<(&str, ArrayRef)>, options: &ReadOptions) -> Result<Table, Error> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
        .expect("a table");
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    read_from(writer.into_inner().expect("a file").as_slice(), "t.parquet", options, &Silent)
}

fn words(words: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(words.to_vec()))
}

fn numbers(numbers: &[f64]) -> ArrayRef {
    Arc::new(Float64Array::from(numbers.to_vec()))
}

fn names(table: &Table) -> Vec<String> {
    (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect()
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let j = names(table).iter().position(|n| n == name).unwrap_or_else(|| panic!("no {name}"));
    table.data.clone().scaled(Scaling::None).column(j).expect("a column")
}

const CARS: &str = "name,a,b\nx,1,2\ny,2,5\nx,4,4\nz,5,1\n";

fn cars(options: &ReadOptions) -> [Result<Table, Error>; 2] {
    let columns = vec![
        ("name", words(&["x", "y", "x", "z"])),
        ("a", numbers(&[1.0, 2.0, 4.0, 5.0])),
        ("b", numbers(&[2.0, 5.0, 4.0, 1.0])),
    ];
    [text(CARS, options), typed(columns, options)]
}

/// Three of four differ: nearly names, and text all the same.
#[test]
fn a_first_column_with_repetitions_is_text_like_any_other() {
    for found in cars(&ReadOptions::default()) {
        let told = found.expect_err("text").to_string();
        assert!(told.contains("column 1 (`name`): 4 cells of text, 3 different, such as `x` in "), "{told}");
    }
    for found in cars(&ReadOptions { numeric_only: true, ..ReadOptions::default() }) {
        let table = found.expect("a table");
        assert_eq!((names(&table), table.data.sample_names()), (vec!["a".to_owned(), "b".to_owned()], None));
        assert_eq!(table.notes, ["1 column that holds no numbers left out: name"]);
    }
    for found in cars(&ReadOptions { categories: Categories::OneHot, ..ReadOptions::default() }) {
        let table = found.expect("a table");
        assert_eq!(names(&table), ["name=x", "name=y", "name=z", "a", "b"]);
        assert_eq!(column(&table, "name=x"), [1.0, 0.0, 1.0, 0.0]);
    }
    for found in cars(&ReadOptions { exclude: vec!["name".to_owned()], ..ReadOptions::default() }) {
        assert_eq!(names(&found.expect("a table")), ["a", "b"]);
    }
    let unnamed =
        text("x,1,2\ny,2,5\nx,4,4\nz,5,1\n", &ReadOptions::default()).expect_err("text").to_string();
    assert!(unnamed.contains("column 1 (`x0`): 4 cells of text, 3 different"), "{unnamed}");
}

/// Words for yes and no are no fault; the gap behind them is.
#[test]
fn the_one_bad_cell_is_the_bad_one() {
    let told = text("a,b,c\n1,yes,2\n2,no,\n3,yes,4\n5,no,1\n", &ReadOptions::default()).expect_err("a gap");
    assert!(matches!(&told, Error::Missing { column, .. } if column.position == 2), "{told}");
    assert!(told.to_string().starts_with("t.csv, line 3, column 3 (`c`)"), "{told}");
}

/// Everything at once in a typed file, as in a text file.
#[test]
fn all_bad_columns_of_a_typed_file_are_told_at_once() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), None, None, None]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("a", Arc::new(Float64Array::from(vec![Some(1.0), None, Some(3.0), None]))),
        ("flag", words(&["yes", "no", "yes", "no"])),
        ("maker", words(&["audi", "bmw", "audi", "fiat"])),
        ("when", Arc::new(Date32Array::from(vec![18_292, 18_293, 18_294, 18_295]))),
        ("many", Arc::new(list)),
        ("b", Arc::new(Int64Array::from(vec![1, 2, 3, 4]))),
    ];
    let told = typed(columns.clone(), &ReadOptions::default()).expect_err("bad columns").to_string();
    assert_eq!(
        told,
        "t.parquet: 4 columns of 4 cells cannot be read as numbers: column 1 (`a`): 2 cells missing, the first in row 2 \
         (`null`); column 3 (`maker`): 4 cells of text, 3 different, such as `audi` in row 1; column 4 (`when`): 4 dates, \
         such as `2020-01-31` in row 1; column 5 (`many`): values of type List(Int32)"
    );
    let options = ReadOptions {
        missing: Missing::Mean,
        categories: Categories::OneHot,
        dates: Dates::Ordinal,
        exclude: vec!["many".to_owned()],
        ..ReadOptions::default()
    };
    let table = typed(columns.clone(), &options).expect("a table");
    assert_eq!(names(&table), ["a", "flag", "maker=audi", "maker=bmw", "maker=fiat", "when", "b"]);
    assert_eq!(column(&table, "flag"), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(column(&table, "when"), [18_292.0, 18_293.0, 18_294.0, 18_295.0]);
    let numeric = ReadOptions { missing: Missing::Mean, numeric_only: true, ..ReadOptions::default() };
    assert_eq!(names(&typed(columns, &numeric).expect("a table")), ["a", "flag", "b"]);
}

#[test]
fn moments_are_parts_of_days() {
    let moments = TimestampMillisecondArray::from(vec![0, 43_200_000, 86_400_000]);
    let columns: Vec<(&str, ArrayRef)> = vec![("x", numbers(&[1.0, 2.0, 4.0])), ("at", Arc::new(moments))];
    let ordinal = ReadOptions { dates: Dates::Ordinal, ..ReadOptions::default() };
    assert_eq!(column(&typed(columns, &ordinal).expect("a table"), "at"), [0.0, 0.5, 1.0]);
}

#[test]
fn dates_of_text_become_days_where_that_is_asked() {
    let dated = "x,when\n1,31.1.2020\n2,1.2.2020\n3,2.2.2020\n";
    assert!(text(dated, &ReadOptions::default()).is_err());
    let ordinal = ReadOptions { dates: Dates::Ordinal, ..ReadOptions::default() };
    let table = text(dated, &ordinal).expect("a table");
    assert_eq!(column(&table, "when"), [18_292.0, 18_293.0, 18_294.0]);
    assert_eq!(table.notes, ["1 column of dates read as days since 1970-01-01: when (day, month, year)"]);
    let gap = text("x,when\n1,2020-01-31\n2,\n3,2020-02-02\n4,2020-02-04\n", &ordinal).expect_err("a gap");
    assert!(gap.to_string().contains("column 2 (`when`)"), "{gap}");
}

#[test]
fn too_many_values_for_features_are_told_as_such() {
    let rows: String = (0..120).map(|i| format!("{i},name{}\n", i % 110)).collect();
    let many = format!("a,who\n{rows}");
    let told = text(&many, &ReadOptions { categories: Categories::OneHot, ..ReadOptions::default() })
        .expect_err("text");
    assert!(
        told.to_string()
            .contains("120 cells of text, more than 100 different (too many for one feature each)"),
        "{told}"
    );
    assert!(told.remedies().contains(&fiedler_io::Remedy::DropText), "{:?}", told.remedies());
    let dropped = text(&many, &ReadOptions { categories: Categories::Drop, ..ReadOptions::default() });
    assert_eq!(names(&dropped.expect("a table")), ["a"]);
}

/// A column goes by its position in the file from 0, whatever else is taken out.
#[test]
fn columns_without_names_keep_their_numbers() {
    let plain = "5,1,2,7\n6,2,5,3\n5,4,4,1\n6,5,1,2\n";
    let of = |label: &str| ReadOptions { label: Some(label.into()), ..ReadOptions::default() };
    for label in ["x0", "0", "-4"] {
        let table = text(plain, &of(label)).expect("a table");
        assert_eq!(names(&table), ["x1", "x2", "x3"], "{label}");
        assert_eq!(table.data.labels().expect("labels").classes(), ["5", "6"]);
    }
    let excluded = ReadOptions { exclude: vec!["x2".to_owned()], ..of("x0") };
    let table = text(plain, &excluded).expect("a table");
    assert_eq!(
        (names(&table), column(&table, "x3")),
        (vec!["x1".to_owned(), "x3".to_owned()], vec![7.0, 3.0, 1.0, 2.0])
    );
    assert_eq!(names(&text(plain, &of("x3")).expect("a table")), ["x0", "x1", "x2"]);
    let told = text(plain, &of("4")).expect_err("beyond the end").to_string();
    assert!(told.contains("the 4 columns have no names: they go by x0 to x3"), "{told}");
    // An array likewise.
    let path = fixture("little_f8.npy");
    let all = read(&path, &ReadOptions::default(), &Silent).expect("an array");
    let rest = read(&path, &of("x0"), &Silent).expect("an array");
    assert_eq!(names(&rest), names(&all)[1..]);
    assert_eq!(column(&rest, "x1"), column(&all, "x1"));
}

/// Names for all columns tell which of them is the label.
#[test]
fn names_from_a_file_name_the_label_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("names.txt");
    let named = ReadOptions {
        feature_names: Some(path.clone()),
        label: Some("class".into()),
        ..ReadOptions::default()
    };
    let npy = fixture("little_f8.npy");
    let all = read(&npy, &ReadOptions::default(), &Silent).expect("an array");
    let mut lines = vec!["class".to_owned()];
    lines.extend((1..all.data.n_features()).map(|j| format!("f{j}")));
    std::fs::write(&path, lines.join("\n")).expect("written");
    let table = read(&npy, &named, &Silent).expect("an array");
    assert_eq!(names(&table), lines[1..]);
    assert!(table.data.labels().is_some());
}

#[test]
fn a_column_of_a_file_of_labels_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("obs.csv");
    std::fs::write(&path, "cell,batch,kind\ns1,1,p\ns2,2,q\ns3,1,p\n").expect("written");
    let table = |label: Option<&str>| {
        let options = ReadOptions {
            labels_file: Some(path.clone()),
            label: label.map(Into::into),
            ..ReadOptions::default()
        };
        text("sample,a,b\ns1,1,2\ns2,2,5\ns3,4,4\n", &options)
    };
    let classes = |t: &Table| t.data.labels().expect("labels").classes().to_vec();
    let second = table(None).expect("a table");
    assert_eq!(classes(&second), ["1", "2"]);
    assert!(
        second.notes.iter().any(|n| n.contains("the second column (`batch`)") && n.contains("which has 3")),
        "{:?}",
        second.notes
    );
    let named = table(Some("kind")).expect("a table");
    assert_eq!((classes(&named), named.notes.len()), (vec!["p".to_owned(), "q".to_owned()], 0));
    let told = table(Some("louvain")).expect_err("not there").to_string();
    assert!(
        told.ends_with("no column is called `louvain`; the 3 columns are `cell`, `batch`, `kind`"),
        "{told}"
    );
}

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// What a method says of the genes stands beside their names.
#[cfg(feature = "hdf5")]
#[test]
fn scores_are_written_into_var() {
    let table = read(&fixture("csr.h5ad.gz"), &ReadOptions::default(), &Silent).expect("AnnData");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.h5ad");
    let scores =
        fiedler_io::Scores { method: "path-spca".to_owned(), scores: vec![0.5, f64::NAN], ranks: vec![1, 2] };
    fiedler_io::write_scored(&path, &table, &[2, 0], Some(&scores)).expect("written");
    let file = hdf5_pure::File::open(&path).expect("HDF5");
    let var = file.root().group("var").expect("var");
    let numbers = var.dataset("path_spca_score").and_then(|d| d.read_f64()).expect("scores");
    assert!(numbers[0] == 0.5 && numbers[1].is_nan());
    assert_eq!(var.dataset("path_spca_score_rank").and_then(|d| d.read_i64()).expect("ranks"), [1, 2]);
    assert_eq!(names(&read(&path, &ReadOptions::default(), &Silent).expect("AnnData")), ["gamma", "alpha"]);
}

/// A matrix among files that are not its own, one that is alone, and one whose variable is called otherwise.
#[test]
fn files_that_do_not_tell_enough_are_told_with_what_helps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("matrix.mtx");
    std::fs::copy(fixture("plain.mtx"), &path).expect("copied");
    let alone = read(&path, &ReadOptions::default(), &Silent).expect("a matrix");
    assert!(alone.notes.iter().any(|n| n.contains("rows are read as samples")), "{:?}", alone.notes);
    std::fs::write(folder.path().join("genes.tsv"), "g1\ng2\ng3\ng4\ng5\ng6\ng7\ng8\n").expect("written");
    let told = read(&path, &ReadOptions::default(), &Silent).expect_err("other names").to_string();
    assert!(told.contains("8 names of features") && told.contains("genes.tsv"), "{told}");
    let variables = fiedler_io::MatVariables { x: "Z".to_owned(), ..fiedler_io::MatVariables::default() };
    let named = ReadOptions { variables, ..ReadOptions::default() };
    let told = read(&fixture("double.mat"), &named, &Silent).expect_err("no Z").to_string();
    assert!(told.ends_with("; say which holds the data"), "{told}");
    #[cfg(feature = "hdf5")]
    {
        let variables =
            fiedler_io::MatVariables { x: "a/x".to_owned(), ..fiedler_io::MatVariables::default() };
        let labeled = ReadOptions { variables, label: Some("z".into()), ..ReadOptions::default() };
        let told = read(&fixture("other.h5"), &labeled, &Silent).expect_err("a data set");
        assert_eq!(*told.remedies(), [fiedler_io::Remedy::LabelsFile]);
    }
}
