//! What is written is read back the same, in every format.

use std::path::Path;

use fiedler::dataset::{Dense, Order, Sparse};
use fiedler::{Dataset, Labels, Scaling, Silent};
use fiedler_io::{Format, Layout, Orientation, ReadOptions, Table, read, read_from, write};

/// Numbers that are hard to write: many digits, tiny, huge, negative zero, whole.
const HARD: [f64; 6] = [0.1 + 0.2, 5e-324, 8.988_465_674_311_579e139, -0.0, 1e15, -123_456.789];

fn hard_table() -> Table {
    let values: Vec<f64> = (0..24).map(|p| HARD[p % 6] / (1.0 + (p / 6) as f64)).collect();
    let names = ["plain", "with, comma", "with \"quotes\"", "c\u{e9}dille"].map(str::to_owned).to_vec();
    let columns = Dense::new(values, 6, 4, Order::RowMajor).expect("a matrix");
    let labels = Labels::new(["a", "b", "a", "two words", "", "b"].map(Some));
    let data = Dataset::named(columns, Some(names), &Silent).and_then(|d| d.labeled(labels));
    let names = (0..6).map(|i| format!("sample {i}")).collect();
    let data = data.and_then(|d| d.with_sample_names(names)).expect("data");
    Table { layout: Layout::of(&data), data, notes: Vec::new(), repeated: Vec::new() }
}

fn column(table: &Table, j: usize) -> Vec<f64> {
    table.data.clone().scaled(Scaling::None).column(j).expect("a column")
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn back(path: &Path, label: Option<&str>) -> Table {
    let options = ReadOptions { label: label.map(Into::into), ..ReadOptions::default() };
    read(path, &options, &Silent).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn tables_with_names_and_labels() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = hard_table();
    for name in ["t.csv", "t.tsv", "t.csv.gz", "t.parquet", "t.arrow"] {
        let path = folder.path().join(name);
        let notes = write(&path, &table, &[2, 0, 3]).unwrap_or_else(|e| panic!("{e}"));
        assert!(notes.is_empty(), "{name}: {notes:?}");
        let found = back(&path, Some("label"));
        assert_eq!(found.data.n_features(), 3, "{name}");
        for (at, j) in [2, 0, 3].into_iter().enumerate() {
            assert_eq!(found.data.feature_name(at), table.data.feature_name(j), "{name}");
            assert_eq!(bits(&column(&found, at)), bits(&column(&table, j)), "{name}");
        }
        let named = table.data.labels().cloned().map(|labels| labels.called("label"));
        assert_eq!(found.data.labels(), named.as_ref(), "{name}");
        assert_eq!(found.data.sample_names(), table.data.sample_names(), "{name}");
    }
}

#[test]
fn arrays_keep_numbers_and_precision_and_say_what_they_lose() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = hard_table();
    let path = folder.path().join("t.npy");
    let notes = write(&path, &table, &[1, 3]).expect("written");
    assert_eq!(notes, ["NPY files hold numbers only: feature names, sample names, labels are not in it"]);
    let found = back(&path, None);
    for (at, j) in [1, 3].into_iter().enumerate() {
        assert_eq!(bits(&column(&found, at)), bits(&column(&table, j)));
    }
    let columns = Dense::new(vec![0.1_f32, 2.0, 1e-30, 4.5], 2, 2, Order::ColumnMajor).expect("a matrix");
    let data = Dataset::new(columns).expect("data");
    let single = Table { layout: Layout::of(&data), data, notes: Vec::new(), repeated: Vec::new() };
    for name in ["single.npy", "single.parquet"] {
        let path = folder.path().join(name);
        write(&path, &single, &[0, 1]).expect("written");
        let found = back(&path, None);
        assert_eq!(column(&found, 1), column(&single, 1), "{name}");
        use fiedler::dataset::{Block, Values};
        let Block::Dense(block) = found.data.columns().block(0..1).expect("a block") else {
            panic!("sparse")
        };
        assert!(matches!(block.values, Values::F32(_)), "{name}");
    }
    let path = folder.path().join("single.csv");
    write(&path, &single, &[0, 1]).expect("written");
    // Text is read in double precision: the digits must give the same number there.
    for j in 0..2 {
        assert_eq!(bits(&column(&back(&path, None), j)), bits(&column(&single, j)));
    }
    let text = std::fs::read_to_string(&path).expect("read");
    assert_eq!(text, "x0,x1\n0.10000000149011612,1.0000000031710769e-30\n2,4.5\n");
}

#[test]
fn sparse_data_and_classes_as_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let columns = Sparse::new(vec![0, 2, 2, 3], vec![0, 2, 1], vec![1.5, -2.0, 1e130], 3).expect("a matrix");
    let data = Dataset::new(columns).expect("data").labeled(Labels::new(["yes", "no", ""].map(Some)));
    let data = data.expect("labels");
    let table = Table { layout: Layout::of(&data), data, notes: Vec::new(), repeated: Vec::new() };
    let path = folder.path().join("t.libsvm");
    let notes = write(&path, &table, &[0, 1, 2]).expect("written");
    let text = std::fs::read_to_string(&path).expect("read");
    assert_eq!(text, "2 1:1.5\n1 3:1e130\nnan 1:-2\n");
    assert!(notes.contains(&"libsvm labels are numbers: 1 = no, 2 = yes".to_owned()), "{notes:?}");
    assert!(notes.contains(&"unlabeled samples are written with the label nan".to_owned()), "{notes:?}");
    let found = back(&path, None);
    assert!(found.data.is_sparse());
    for j in 0..3 {
        assert_eq!(column(&found, j), column(&table, j));
    }
    assert_eq!(found.data.labels().map(|l| l.codes().to_vec()), Some(vec![Some(1), Some(0), None]));
}

#[test]
fn a_text_file_keeps_its_layout() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = |text: &str, name: &str, options: &ReadOptions, columns: &[usize]| {
        let table = read_from(text.as_bytes(), name, options, &Silent).expect(text);
        let path = folder.path().join(name);
        write(&path, &table, columns).expect("written");
        std::fs::read_to_string(&path).expect("read")
    };
    let label = |name: &str| ReadOptions { label: Some(name.into()), ..ReadOptions::default() };
    let german = "Probe;Art;a;b\ns1;x;1,5;2\ns2;y;0,25;3\n";
    assert_eq!(copy(german, "g.csv", &label("Art"), &[0]), "Probe;Art;a\ns1;x;1,5\ns2;y;0,25\n");
    assert_eq!(
        copy("5.1,3.5,setosa\n4.9,3,virginica\n", "n.csv", &label("2"), &[1]),
        "3.5,setosa\n3,virginica\n"
    );
    let rows = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let expression = "gene\ts1\ts2\nG1\t1\t2\nG2\t4\t5.5\n";
    assert_eq!(copy(expression, "e.tsv", &rows, &[1]), "gene\ts1\ts2\nG2\t4\t5.5\n");
}

#[test]
fn the_format_is_that_of_the_extension_or_of_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = hard_table();
    table.layout.format = Format::Npy;
    let path = folder.path().join("no_extension");
    write(&path, &table, &[0]).expect("written");
    assert!(std::fs::read(&path).expect("read").starts_with(b"\x93NUMPY"));
    let found = write(&folder.path().join("t.mat"), &table, &[0]).expect_err("read only").to_string();
    assert!(
        found.ends_with(
            "MAT files are only read; write .csv, .tsv, .parquet, .arrow, .npy, .npz, .h5ad, .mtx, .libsvm or .blocks"
        ),
        "{found}"
    );
    let found = write(&folder.path().join("t.csv"), &table, &[9]).expect_err("no such column").to_string();
    assert!(found.ends_with("`columns` must be below the number of features (4), got 9"), "{found}");
    let found = write(&folder.path().join("t.csv"), &table, &[]).expect_err("nothing").to_string();
    assert!(found.ends_with("`columns` must be at least one feature, got none"), "{found}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1, "nothing half is left");
}
