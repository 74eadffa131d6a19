//! The same table as NumPy, SciPy, pandas, pyarrow and scikit-learn write it (see `fixtures/make.py`).

use std::path::{Path, PathBuf};

use fiedler::{Scaling, Silent};
use fiedler_io::{MatVariables, Orientation, ReadOptions, Table, read};

const X: [[f64; 3]; 5] =
    [[1.0, 0.0, -3.0], [0.0, 2.0, 7.0], [5.0, 0.0, 0.0], [0.0, 0.0, 120.0], [4.0, 6.0, 0.0]];
const NUMBERS: [&str; 5] = ["1", "2", "1", "2", "2"];
const WORDS: [&str; 5] = ["no", "yes", "no", "yes", "yes"];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn table(name: &str) -> Table {
    table_with(name, &ReadOptions::default())
}

fn table_with(name: &str, options: &ReadOptions) -> Table {
    read(&fixture(name), options, &Silent).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The message of an error, with the file name alone in place of its path.
fn refusal(name: &str, options: &ReadOptions) -> String {
    let path = fixture(name);
    let found = read(&path, options, &Silent).expect_err(name).to_string();
    found.replace(&path.display().to_string(), name)
}

fn labeled(name: &str) -> ReadOptions {
    ReadOptions { label: Some(name.into()), ..ReadOptions::default() }
}

fn values(table: &Table) -> Vec<Vec<f64>> {
    let data = table.data.clone().scaled(Scaling::None);
    let columns: Vec<Vec<f64>> = (0..data.n_features()).map(|j| data.column(j).expect("a column")).collect();
    (0..data.n_samples()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
}

fn names(table: &Table) -> Vec<String> {
    (0..table.data.n_features()).map(|j| table.data.feature_name(j).into_owned()).collect()
}

fn classes(table: &Table) -> Vec<String> {
    let labels = table.data.labels().expect("labels");
    labels.codes().iter().map(|c| c.map_or(String::new(), |c| labels.classes()[c as usize].clone())).collect()
}

fn sample_names(table: &Table) -> Vec<String> {
    table.data.sample_names().expect("sample names").to_vec()
}

fn is_single(table: &Table) -> bool {
    use fiedler::dataset::{Block, Values};
    match table.data.columns().block(0..1).expect("a block") {
        Block::Dense(b) => matches!(b.values, Values::F32(_)),
        Block::Sparse(b) => matches!(b.values, Values::F32(_)),
    }
}

#[test]
fn npy_of_every_type_order_and_byte_order() {
    for kind in ["little_f8", "big_f8", "little_i4", "big_i4", "little_i8", "big_i8", "fortran"] {
        let t = table(&format!("{kind}.npy"));
        assert_eq!(values(&t), X, "{kind}");
        assert!(!is_single(&t), "{kind}");
    }
    for kind in ["little_f4", "big_f4", "little_f2", "i1", "little_i2", "big_i2"] {
        let t = table(&format!("{kind}.npy"));
        assert_eq!(values(&t), X, "{kind}");
        assert!(is_single(&t), "{kind}");
    }
    for kind in ["u1", "little_u2", "little_u4", "little_u8", "big_u8"] {
        assert_eq!(values(&table(&format!("{kind}.npy"))), X.map(|r| r.map(f64::abs)), "{kind}");
    }
    let positive = X.map(|r| r.map(|v| f64::from(u8::from(v > 0.0))));
    assert_eq!(values(&table("bool.npy")), positive);
}

#[test]
fn npy_turned_and_with_labels_beside_it() {
    let options = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let t = table_with("little_f8.npy", &options);
    assert_eq!((t.data.n_samples(), t.data.n_features()), (3, 5));
    assert_eq!(values(&t)[2], [-3.0, 7.0, 0.0, 120.0, 0.0]);
    let options = ReadOptions { labels_file: Some(fixture("vector.npy")), ..ReadOptions::default() };
    assert_eq!(classes(&table_with("little_f4.npy", &options)), NUMBERS);
    let t = table_with("little_f8.npy", &labeled("-1"));
    assert_eq!(classes(&t), ["-3", "7", "0", "120", "0"]);
    assert_eq!(t.data.n_features(), 2);
}

#[test]
fn npy_refusals() {
    let default = ReadOptions::default();
    assert_eq!(
        refusal("vector.npy", &default),
        "vector.npy: an array of 1 dimensions; samples × features, two dimensions, are needed"
    );
    assert!(refusal("text.npy", &default).contains("save it as a plain array of numbers"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short.npy");
    let bytes = std::fs::read(fixture("little_f8.npy")).expect("read");
    std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
    let found = read(&path, &default, &Silent).expect_err("cut off").to_string();
    assert!(found.ends_with("not a whole NPY file: it ends before its 15 numbers do"), "{found}");
}

#[test]
fn mat_dense_in_every_storage() {
    let half = X.map(|r| r.map(|v| v + 0.5));
    let t = table("double.mat");
    assert_eq!(
        (values(&t), classes(&t)),
        (half.map(Vec::from).to_vec(), NUMBERS.map(str::to_owned).to_vec())
    );
    let t = table("single.mat");
    assert_eq!(
        (values(&t), classes(&t)),
        (half.map(Vec::from).to_vec(), NUMBERS.map(str::to_owned).to_vec())
    );
    assert!(is_single(&t));
    let t = table("int64.mat");
    assert_eq!(values(&t), X);
    assert_eq!(classes(&t), NUMBERS);
    let t = table("uint8.mat");
    assert_eq!(values(&t), X.map(|r| r.map(f64::abs)));
    assert!(t.data.labels().is_none() && is_single(&t));
    let t = table("compressed.mat");
    assert_eq!(values(&t), X);
    assert_eq!(classes(&t), NUMBERS);
}

#[test]
fn mat_sparse_stays_sparse() {
    let t = table("sparse.mat");
    assert!(t.data.is_sparse());
    assert_eq!(values(&t), X);
    assert_eq!(classes(&t), NUMBERS);
    let t = table("logical.mat");
    assert!(t.data.is_sparse());
    assert_eq!(values(&t), X.map(|r| r.map(|v| f64::from(u8::from(v != 0.0)))));
    let options = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let found = refusal("sparse.mat", &options);
    assert!(found.contains("5 labels for 3 samples; the data seem to lie the other way round"), "{found}");
}

#[test]
fn mat_classes_as_text_and_other_variables() {
    assert_eq!(classes(&table("cell.mat")), WORDS);
    assert_eq!(classes(&table("characters.mat")), WORDS);
    let t = table("fea_gnd.mat");
    assert_eq!((values(&t), classes(&t)), (X.map(Vec::from).to_vec(), NUMBERS.map(str::to_owned).to_vec()));
    assert_eq!(t.notes, ["there is no variable `X`; `fea` was taken, and `gnd` for the classes"]);
    let variables = MatVariables { x: "fea".to_owned(), y: "gnd".to_owned() };
    let t = table_with("fea_gnd.mat", &ReadOptions { variables, ..ReadOptions::default() });
    assert!(t.notes.is_empty());
    assert_eq!(classes(&t), NUMBERS);
    assert_eq!(classes(&table_with("compressed.mat", &labeled("Y"))), NUMBERS);
    let options = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    assert_eq!(values(&table_with("turned.mat", &options)), X);
}

#[test]
fn mat_classes_that_are_none_stop_only_who_asks_for_them() {
    let named = |x: &str, label: Option<&str>| ReadOptions {
        variables: MatVariables { x: x.to_owned(), ..MatVariables::default() },
        label: label.map(Into::into),
        ..ReadOptions::default()
    };
    let t = table_with("one_hot.mat", &named("A", None));
    assert_eq!((values(&t), t.data.labels().is_none()), (X.map(Vec::from).to_vec(), true));
    let what = "variable `Y` is 5 × 3, not one label for each of 5 samples";
    assert_eq!(t.notes, [format!("{what}: the data are read without labels")]);
    let found = refusal("one_hot.mat", &named("A", Some("Y")));
    assert!(found.ends_with(&format!("{what}; name the variable with one class per sample")));
    assert_eq!(classes(&table_with("one_hot.mat", &named("A", Some("kind")))), NUMBERS);
    let found = refusal("one_hot.mat", &ReadOptions::default());
    assert!(found.ends_with("`kind` (1 × 5); say which holds the data"), "{found}");
    let found = refusal("one.libsvm", &named("A", None));
    assert!(found.ends_with("one.libsvm: a variable is something in a MAT, NPZ, HDF5 or Zarr file, and this is a libsvm file; leave that option out"), "{found}");
}

#[test]
fn mat_of_version_4_is_told() {
    let found = refusal("version_4.mat", &ReadOptions::default());
    assert!(found.contains("a MAT file of version 4; save it again with `-v7`"), "{found}");
}

#[test]
fn libsvm_labels_have_one_name() {
    assert_eq!(classes(&table_with("one.libsvm", &labeled("label"))), NUMBERS);
    let found = refusal("one.libsvm", &labeled("species"));
    assert!(
        found.contains("no column is called `species`; the labels of a libsvm file are the first"),
        "{found}"
    );
}

#[test]
fn labels_that_come_along_are_named_only_by_who_asks_for_them() {
    for (file, label) in [("compressed.mat", "Y"), ("one.libsvm", "label")] {
        let (along, asked) = (table(file), table_with(file, &labeled(label)));
        assert_eq!(classes(&along), classes(&asked), "{file}");
        assert_eq!((along.data.labels_are_named(), asked.data.labels_are_named()), (false, true), "{file}");
        assert_eq!(asked.data.labels().map(|labels| labels.name()), Some(label), "{file}");
    }
}

#[test]
fn parquet_with_an_index_that_has_a_name() {
    let t = table_with("named_index.parquet", &labeled("class"));
    assert_eq!(sample_names(&t), ["s0", "s1", "s2", "s3", "s4"]);
    assert_eq!((values(&t), t.notes.len()), (X.map(Vec::from).to_vec(), 0));
    let found = refusal("brotli.parquet", &ReadOptions::default());
    assert!(found.ends_with("Parquet compressed with brotli is not read; write it with snappy, zstd, gzip, lz4 or without compression"), "{found}");
}

#[test]
fn mat_of_the_other_byte_order() {
    fn element(kind: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = [kind.to_be_bytes(), (data.len() as u32).to_be_bytes()].concat();
        bytes.extend_from_slice(data);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }
    let words = |words: [u32; 2]| words.map(u32::to_be_bytes).concat();
    let values = [1.5_f64, -2.0, 3.0, 1e10].map(f64::to_be_bytes).concat();
    let parts =
        [element(6, &words([6, 0])), element(5, &words([2, 2])), element(1, b"X"), element(9, &values)];
    let mut file = b"MATLAB 5.0 MAT-file".to_vec();
    file.resize(124, b' ');
    file.extend_from_slice(b"\x01\x00MI");
    file.extend_from_slice(&element(14, &parts.concat()));
    let t = fiedler_io::read_from(&file[..], "big.mat", &ReadOptions::default(), &Silent).expect("a table");
    assert_eq!(self::values(&t), [[1.5, 3.0], [-2.0, 1e10]]);
}

#[test]
fn mat_refusals() {
    let default = ReadOptions::default();
    let variables = MatVariables { x: "Z".to_owned(), y: "Y".to_owned() };
    assert_eq!(
        refusal("compressed.mat", &ReadOptions { variables, ..ReadOptions::default() }),
        "compressed.mat: no variable is called `Z`; the variables are `Other` (3 × 3), `X` (5 × 3), `Y` (1 × 5); \
         say which holds the data"
    );
    assert!(refusal("double.mat", &labeled("y")).contains("no variable of labels is called `y`"));
    assert!(refusal("complex.mat", &default).contains("variable `X` is complex"));
    assert!(refusal("turned.mat", &default).contains("the data seem to lie the other way round"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short.mat");
    for name in ["double.mat", "compressed.mat", "sparse.mat", "cell.mat"] {
        let bytes = std::fs::read(fixture(name)).expect("read");
        for end in (0..bytes.len()).step_by(7) {
            std::fs::write(&path, &bytes[..end]).expect("written");
            // A file that is cut off after `X` lacks its labels; anything else is an error, never a panic.
            if let Ok(t) = read(
                &path,
                &ReadOptions { format: Some(fiedler_io::Format::Mat), ..default.clone() },
                &Silent,
            ) {
                assert!(t.data.labels().is_none(), "{name} cut at {end}");
            }
        }
    }
}

#[test]
fn parquet_of_every_codec() {
    for codec in ["snappy", "zstd", "lz4", "gzip", "none"] {
        let t = table_with(&format!("{codec}.parquet"), &labeled("class"));
        assert_eq!(values(&t), X, "{codec}");
        assert_eq!(names(&t), ["alpha", "beta", "gamma"]);
        assert_eq!(classes(&t), WORDS);
        assert!(!is_single(&t));
    }
}

#[test]
fn parquet_types_index_and_categories() {
    let t = table_with("index.parquet", &labeled("-2"));
    assert_eq!(classes(&t), WORDS, "-2 is `class`: pandas writes the index last");
    assert_eq!(sample_names(&t), ["s0", "s1", "s2", "s3", "s4"]);
    let t = table("small.parquet");
    assert!(is_single(&t));
    assert_eq!(values(&t), X);
    let t = table("mixed.parquet");
    assert_eq!(values(&t), X.map(|[a, b, c]| [a, f64::from(u8::from(b != 0.0)), c]));
    let t = table("decimal.parquet");
    assert_eq!(values(&t), X);
    assert_eq!(sample_names(&t), ["s0", "s1", "s2", "s3", "s4"]);
}

#[test]
fn parquet_refusals() {
    let default = ReadOptions::default();
    assert_eq!(
        refusal("null.parquet", &labeled("class")),
        "null.parquet, row 4, column 2 (`beta`): the value is missing (found `null`); fill it in, drop the row, \
         or leave the feature out"
    );
    // `class` is yes and no, as in a text file.
    let t = table("snappy.parquet");
    assert_eq!(names(&t), ["alpha", "beta", "gamma", "class"]);
    assert_eq!(t.notes, ["1 column of truth values read as 1 and 0: class"]);
    let dated = refusal("dated.parquet", &default);
    assert!(dated.contains("`when`") && dated.to_lowercase().contains("date"), "{dated}");
    let exclude = |name: &str| ReadOptions { exclude: vec![name.to_owned()], ..ReadOptions::default() };
    assert_eq!(values(&table_with("dated.parquet", &exclude("when"))), X);
    let only = ReadOptions { include: Some(vec!["gamma".to_owned()]), ..ReadOptions::default() };
    assert_eq!(names(&table_with("null.parquet", &only)), ["gamma"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short.parquet");
    let bytes = std::fs::read(fixture("snappy.parquet")).expect("read");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("written");
    let found = read(&path, &default, &Silent).expect_err("cut off").to_string();
    assert!(found.contains("not a whole Parquet file"), "{found}");
}

#[test]
fn arrow_files_and_streams() {
    for name in ["lz4.feather", "plain.feather", "stream.arrows"] {
        let t = table_with(name, &labeled("class"));
        assert_eq!(values(&t), X, "{name}");
        assert_eq!(classes(&t), WORDS, "{name}");
    }
    let t = table("views.arrow");
    assert_eq!(sample_names(&t), ["s0", "s1", "s2", "s3", "s4"]);
    assert_eq!(values(&t), X.map(|r| [r[0]]));
    assert!(is_single(&t));
    assert_eq!(names(&table("plain.feather")), ["alpha", "beta", "gamma", "class"]);
}

#[test]
fn libsvm_counts_from_one_or_from_zero() {
    for (name, first) in [("one.libsvm", "x1"), ("zero.libsvm", "x0")] {
        let t = table(name);
        assert!(t.data.is_sparse(), "{name}");
        assert_eq!(values(&t), X, "{name}");
        assert_eq!(classes(&t), NUMBERS, "{name}");
        assert_eq!(names(&t)[0], first, "{name}");
    }
}

#[test]
fn libsvm_refusals_and_oddities() {
    let read_text =
        |text: &str| fiedler_io::read_from(text.as_bytes(), "t.libsvm", &ReadOptions::default(), &Silent);
    let refused = |text: &str| read_text(text).expect_err(text).to_string();
    let start = "t.libsvm, line 2: ";
    assert_eq!(refused("1 1:2\n1 2:x\n"), format!("{start}`2:x` has no number behind the colon"));
    assert_eq!(refused("1 1:2\n1 b:2\n"), format!("{start}`b:2` has no index before the colon"));
    assert_eq!(refused("1 1:2\n1 2\n"), format!("{start}`2` is not index:value"));
    assert_eq!(refused("1 1:2\n1 3:1 2:1 3:4\n"), format!("{start}index 3 appears twice"));
    assert!(refused("1 1:2\n1 3:nan\n").starts_with(&format!("{start}`3:nan` is not finite")));
    assert!(refused("").starts_with("t.libsvm: the file is empty"));
    let far = "the index of `5000000000:3` is above 4294967294; number the features without gaps";
    assert_eq!(refused("1 1:2\n1 5000000000:3\n"), format!("{start}{far}"));
    let t = read_text("+1 qid:3 2:4 1:1 # odd\r\n\n-1 2:5\n3:1\n").expect("a table");
    assert_eq!(values(&t), [[1.0, 4.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(classes(&t), ["1", "-1", ""]);
    assert_eq!(t.notes, ["the query numbers (qid) were left out"]);
}

#[test]
fn text_as_pandas_writes_it() {
    for name in ["pandas.csv", "german.csv", "zipped.tsv.gz"] {
        let t = table_with(name, &labeled("class"));
        assert_eq!(values(&t), X, "{name}");
        assert_eq!(classes(&t), WORDS, "{name}");
        assert_eq!(sample_names(&t), ["s0", "s1", "s2", "s3", "s4"], "{name}");
    }
    let options = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let t = table_with("expression.tsv", &options);
    assert_eq!(values(&t), X);
    assert_eq!(names(&t), ["alpha", "beta", "gamma"]);
    assert_eq!(sample_names(&t), ["s0", "s1", "s2", "s3", "s4"]);
}

/// Shapes and sums of the public data sets, as `scipy.io.loadmat` has them.
#[test]
fn public_mat_files() {
    let Some(folder) = std::env::var_os("FIEDLER_DATA").map(PathBuf::from) else {
        println!("skipped: set FIEDLER_DATA to the folder of the .mat files");
        return;
    };
    let expected: [(&str, usize, usize, f64, usize); 10] = [
        ("BASEHOCK", 1993, 4862, 204_566.0, 2),
        ("PCMAC", 1943, 3289, 143_917.0, 2),
        ("RELATHE", 1427, 4322, 190_146.0, 2),
        ("TOX-171", 171, 5748, 930_092_235.74, 4),
        ("colon", 62, 2000, -30_656.0, 2),
        ("lung_small", 73, 325, -522.0, 7),
        ("orlraws10P", 100, 10304, 117_727_813.0, 10),
        ("pixraw10P", 100, 10000, 31_432_077.0, 10),
        ("warpAR10P", 130, 2400, 48_805_183.0, 10),
        ("warpPIE10P", 210, 2420, 32_137_409.0, 10),
    ];
    for (name, n, m, sum, classes) in expected {
        let path = folder.join(format!("{name}.mat"));
        let data = read(&path, &ReadOptions::default(), &Silent).unwrap_or_else(|e| panic!("{e}")).data;
        assert_eq!((data.n_samples(), data.n_features()), (n, m), "{name}");
        let found: f64 = data.scaled(Scaling::None).stats().iter().map(|s| s.mean * n as f64).sum();
        assert!((found - sum).abs() <= 1e-9 * sum.abs(), "{name}: {found}");
        let labels = read(&path, &ReadOptions::default(), &Silent).expect(name).data;
        assert_eq!(labels.labels().map(|l| l.classes().len()), Some(classes), "{name}");
    }
}
