//! AnnData, 10x Genomics, NumPy archives, Matrix Market and MATLAB 7.3: the same table in all of them (see
//! `fixtures/make.py`), there and back.

use std::io::Read;
use std::path::{Path, PathBuf};

use fiedler::{Scaling, Silent};
use fiedler_io::{
    Format, MatVariables, Orientation, ReadOptions, Table, read, read_from, read_stored_graph, write,
};
use flate2::read::GzDecoder;

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

/// The message of an error, without the folder of the file.
fn refusal(name: &str, options: &ReadOptions) -> String {
    let found = read(&fixture(name), options, &Silent).expect_err(name).to_string();
    found.replace(&format!("{}/", fixture("").display().to_string().trim_end_matches('/')), "")
}

fn labeled(name: &str) -> ReadOptions {
    ReadOptions { label: Some(name.into()), ..ReadOptions::default() }
}

fn layer(name: &str) -> ReadOptions {
    ReadOptions { layer: Some(name.to_owned()), ..ReadOptions::default() }
}

fn variable(name: &str) -> ReadOptions {
    let variables = MatVariables { x: name.to_owned(), ..MatVariables::default() };
    ReadOptions { variables, ..ReadOptions::default() }
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

/// The bytes of an AnnData fixture.
fn inflated(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(fixture(name)).expect("a fixture");
    GzDecoder::new(file).read_to_end(&mut bytes).expect("gzip");
    bytes
}

#[test]
fn anndata_of_every_form() {
    for (name, sparse) in [("dense.h5ad.gz", false), ("csr.h5ad.gz", true), ("csc.h5ad.gz", true)] {
        let t = table(name);
        assert_eq!(values(&t), X, "{name}");
        assert_eq!(t.data.is_sparse(), sparse, "{name}");
        assert_eq!(names(&t), ["alpha", "beta", "gamma"]);
        assert_eq!(t.data.sample_names().expect("names"), ["s0", "s1", "s2", "s3", "s4"]);
        assert!(t.data.labels().is_none() && t.notes.is_empty());
        assert_eq!(t.layout.format, Format::H5ad);
        assert_eq!(values(&table_with(name, &layer("doubled"))), X.map(|r| r.map(|v| 2.0 * v)), "{name}");
    }
}

#[test]
fn a_file_on_the_disk_and_one_in_memory_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("csr.h5ad");
    std::fs::write(&path, inflated("csr.h5ad.gz")).expect("written");
    let t = read(&path, &labeled("class"), &Silent).expect("a table");
    assert_eq!(
        (values(&t), classes(&t)),
        (X.map(|r| r.to_vec()).to_vec(), WORDS.map(str::to_owned).to_vec())
    );
    let piped =
        read_from(std::fs::File::open(&path).expect("opened"), "standard input", &labeled("class"), &Silent);
    assert_eq!(values(&piped.expect("a table")), X);
}

#[test]
fn labels_are_columns_of_obs() {
    let name = "csr.h5ad.gz";
    assert_eq!(classes(&table_with(name, &labeled("class"))), WORDS);
    assert_eq!(classes(&table_with(name, &labeled("obs:class"))), WORDS);
    assert_eq!(classes(&table_with(name, &labeled("number"))), NUMBERS);
    assert_eq!(classes(&table_with(name, &labeled("share"))), ["0.25", "0.5", "0.25", "0.5", "0.5"]);
    assert_eq!(classes(&table_with(name, &labeled("some"))), ["1", "2", "", "2", "2"]);
    assert_eq!(classes(&table_with(name, &labeled("even"))), ["False", "True", "False", "True", "True"]);
    assert_eq!(
        refusal(name, &labeled("obs:kind")),
        "csr.h5ad.gz: no column of `obs` is called `kind`; `obs` has `class`, `even`, `number`, `share`, `some`"
    );
}

#[test]
fn a_graph_in_obsp_is_a_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("csr.h5ad");
    std::fs::write(&path, inflated("csr.h5ad.gz")).expect("written");
    let graph = read_stored_graph(&path, "connectivities", &Silent).expect("a graph");
    assert_eq!(graph.degrees(), [1.5, 1.0, 0.25, 1.25, 1.5]);
    let wrong = read_stored_graph(&path, "leiden", &Silent).expect_err("not there").to_string();
    assert!(wrong.ends_with("no stored graph is called `leiden`; `obsp` has `connectivities`"), "{wrong}");
    let other = read_stored_graph(&fixture("genomics.h5"), "connectivities", &Silent).expect_err("10x");
    assert!(other.to_string().contains("no AnnData file"), "{other}");
}

#[test]
fn genomics_as_file_and_as_folder() {
    for name in ["genomics.h5", "genomics", "genomics/matrix.mtx.gz", "genomics_2"] {
        let t = table(name);
        assert_eq!(values(&t), X, "{name}");
        assert!(t.data.is_sparse(), "{name}");
        assert_eq!(names(&t), ["alpha", "beta", "gamma"], "{name}");
        assert_eq!(t.data.sample_names().expect("names"), ["s0", "s1", "s2", "s3", "s4"], "{name}");
        // There features are rows, which is the same.
        let rows = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
        assert_eq!(values(&table_with(name, &rows)), X, "{name}");
    }
}

#[test]
fn matrix_market_alone_is_samples_by_features() {
    let expected = X.map(|r| r.map(|v| if v == 0.0 { 0.0 } else { v + 0.5 }));
    let t = table("plain.mtx");
    assert_eq!(values(&t), expected);
    assert_eq!(names(&t), ["x0", "x1", "x2"]);
    let rows = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    assert_eq!(table_with("plain.mtx", &rows).data.n_samples(), 3);
}

fn market(text: &str) -> Result<Vec<Vec<f64>>, String> {
    let table = read_from(text.as_bytes(), "m.mtx", &ReadOptions::default(), &Silent);
    table.map(|t| values(&t)).map_err(|e| e.to_string())
}

#[test]
fn matrix_market_of_every_kind() {
    let found =
        |kind: &str, body: &str| market(&format!("%%MatrixMarket matrix {kind}\n{body}")).expect(kind);
    let square = vec![vec![1.0, 2.0], vec![2.0, 0.0]];
    assert_eq!(found("coordinate real symmetric", "2 2 2\n1 1 1\n2 1 2e0\n"), square);
    assert_eq!(found("coordinate integer skew-symmetric", "2 2 1\n2 1 2\n"), [[0.0, -2.0], [2.0, 0.0]]);
    assert_eq!(found("coordinate pattern general", "% a\n\n2 2 2\n1 2\n2 1\n"), [[0.0, 1.0], [1.0, 0.0]]);
    assert_eq!(found("array real general", "2 2\n1\n2\n2\n0\n"), square);
    // What stands twice is added up.
    assert_eq!(found("coordinate real general", "2 2 3\n2 2 1\n1 1 1\n2 2 3"), [[1.0, 0.0], [0.0, 4.0]]);
}

#[test]
fn matrix_market_that_breaks_the_rules() {
    let refused = |text: &str| market(text).expect_err(text);
    let head = "%%MatrixMarket matrix coordinate real general\n";
    assert_eq!(refused(&format!("{head}2 2 1\n3 1 1\n")), "m.mtx, line 3: `3` is not from 1 to 2");
    assert_eq!(refused(&format!("{head}2 2 1\n1 1\n")), "m.mtx, line 3: an entry is row, column and value");
    assert_eq!(refused(&format!("{head}2 2 1\n1 1 nan\n")), "m.mtx, line 3: `nan` is not finite");
    assert_eq!(
        refused(&format!("{head}2 2 9\n1 1 1\n")),
        "m.mtx: not a whole Matrix Market file: it says 9 entries and has 1"
    );
    assert!(refused(&format!("{head}99999999999 2 0\n")).ends_with("is too large"));
    assert!(refused(head).ends_with("the line of its size is missing"));
    let complex = refused("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n");
    assert!(complex.contains("a matrix of complex numbers"), "{complex}");
}

#[test]
fn names_that_belong_to_another_matrix_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["features.tsv.gz", "barcodes.tsv.gz"] {
        std::fs::copy(fixture("genomics").join(name), folder.path().join(name)).expect("copied");
    }
    let path = folder.path().join("matrix.mtx");
    std::fs::write(&path, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n").expect("written");
    let wrong = read(&path, &ReadOptions::default(), &Silent).expect_err("other names").to_string();
    assert!(wrong.contains("3 names of features and 5 barcodes stand beside a matrix of 2 × 2"), "{wrong}");
}

#[test]
fn numpy_archives() {
    for name in ["csr.npz", "csc.npz", "coo.npz"] {
        let t = table(name);
        assert_eq!(values(&t), X, "{name}");
        assert!(t.data.is_sparse(), "{name}");
    }
    assert_eq!(values(&table("one.npz")), X);
    let t = table("named.npz");
    assert_eq!(
        (values(&t), names(&t)),
        (X.map(|r| r.to_vec()).to_vec(), ["alpha", "beta", "gamma"].map(str::to_owned).to_vec())
    );
    assert_eq!(classes(&t), WORDS);
    let both = ReadOptions { label: Some("classes".into()), ..variable("b") };
    let t = table_with("several.npz", &both);
    assert_eq!(
        (values(&t), classes(&t)),
        (X.map(|r| r.to_vec()).to_vec(), NUMBERS.map(str::to_owned).to_vec())
    );
    assert_eq!(
        refusal("several.npz", &ReadOptions::default()),
        "several.npz: no array is called `X`; the arrays are `a` (5 × 3), `b` (5 × 3), `classes` (5); \
         say which holds the data"
    );
    assert_eq!(
        refusal("bsr.npz", &ReadOptions::default()),
        "bsr.npz: a sparse matrix in the form `bsr`; save X.tocsr() with scipy.sparse.save_npz"
    );
}

#[test]
fn matlab_7_3() {
    let t = table("dense_7_3.mat");
    assert_eq!(
        (values(&t), classes(&t)),
        (X.map(|r| r.to_vec()).to_vec(), WORDS.map(str::to_owned).to_vec())
    );
    let t = table("sparse_7_3.mat");
    assert!(t.data.is_sparse());
    assert_eq!(
        (values(&t), classes(&t)),
        (X.map(|r| r.to_vec()).to_vec(), NUMBERS.map(str::to_owned).to_vec())
    );
    assert_eq!(
        refusal("sparse_7_3.mat", &variable("A")),
        "sparse_7_3.mat: no variable is called `A`; the variables are `X` (sparse), `Y` (5 × 1); \
         say which holds the data"
    );
}

#[test]
fn other_hdf5_tells_what_it_holds() {
    assert_eq!(
        refusal("other.h5", &ReadOptions::default()),
        "other.h5: HDF5, but neither AnnData nor 10x nor MATLAB: its data sets are `z` (5), `a/x` (5 × 3), \
         `a/y` (5 × 3); say which holds samples × features"
    );
    assert_eq!(values(&table_with("other.h5", &variable("a/x"))), X);
    assert_eq!(values(&table_with("other.h5", &variable("/a/y"))), X);
}

#[test]
fn options_that_cannot_apply_are_refused() {
    let rows = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    assert!(refusal("csr.h5ad.gz", &rows).ends_with("leave that choice out"));
    assert!(refusal("csr.h5ad.gz", &layer("scaled")).ends_with("the layers are `doubled`"));
    assert!(refusal("csr.h5ad.gz", &variable("A")).contains("name a layer instead"));
    assert!(refusal("csr.npz", &layer("scaled")).contains("a layer is a part of an AnnData file"));
    assert!(refusal("genomics.h5", &layer("scaled")).contains("leave the layer out"));
}

#[test]
fn there_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["csr.h5ad.gz", "dense.h5ad.gz"] {
        let t = table_with(name, &labeled("class"));
        for output in ["out.h5ad", "out.npz", "out.mtx", "matrix.mtx.gz"] {
            let path = folder.path().join(output);
            write(&path, &t, &[2, 0]).unwrap_or_else(|e| panic!("{output}: {e}"));
            let label = if output == "out.h5ad" { labeled("class") } else { ReadOptions::default() };
            let back = read(&path, &label, &Silent).unwrap_or_else(|e| panic!("{output}: {e}"));
            assert_eq!(values(&back), X.map(|r| vec![r[2], r[0]]), "{name} {output}");
            assert_eq!(names(&back), ["gamma", "alpha"], "{name} {output}");
            assert_eq!(back.data.sample_names(), t.data.sample_names(), "{name} {output}");
            if !output.contains("mtx") {
                assert_eq!(classes(&back), WORDS, "{name} {output}");
                assert_eq!(back.data.is_sparse(), t.data.is_sparse(), "{name} {output}");
            }
        }
    }
}

#[test]
fn a_folder_is_written_as_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("reduced");
    write(&path, &table("genomics"), &[1]).expect("written");
    let mut files: Vec<_> =
        std::fs::read_dir(&path).expect("a folder").map(|f| f.expect("a file").file_name()).collect();
    files.sort();
    assert_eq!(files, ["barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz"]);
    let back = read(&path, &ReadOptions::default(), &Silent).expect("a table");
    assert_eq!((values(&back), names(&back)), (X.map(|r| vec![r[1]]).to_vec(), vec!["beta".to_owned()]));
}

#[test]
fn what_is_only_read_is_not_written() {
    for name in ["out.h5", "out.mat"] {
        let wrong = write(Path::new(name), &table("genomics.h5"), &[0]).expect_err(name).to_string();
        assert!(wrong.contains("only read"), "{wrong}");
    }
}

/// No file ends in a panic or a flood of memory, however it is damaged.
#[test]
fn damaged_files_are_refused_or_read() {
    let mut files: Vec<(String, Vec<u8>)> =
        ["dense.h5ad.gz", "csr.h5ad.gz"].map(|n| (n.to_owned(), inflated(n))).into();
    for name in ["genomics.h5", "dense_7_3.mat", "sparse_7_3.mat", "csr.npz", "named.npz", "plain.mtx"] {
        files.push((name.to_owned(), std::fs::read(fixture(name)).expect("a fixture")));
    }
    for (name, bytes) in files {
        let attempt = |bytes: &[u8]| read_from(bytes, &name, &labeled("class"), &Silent).map(drop);
        for part in 0..40 {
            let _ = attempt(&bytes[..bytes.len() * part / 40]);
        }
        // Steps that share no factor with the sizes of the format.
        let step = (bytes.len() / 397).max(1);
        for (turn, at) in (0..bytes.len()).step_by(step).enumerate() {
            let mut changed = bytes.clone();
            changed[at] = [0, 0xff, 0x7f, changed[at] ^ 0x10][turn % 4];
            let _ = attempt(&changed);
        }
    }
}

/// Half of a file has no data sets, and to name one would not help.
#[test]
fn a_file_that_was_cut_off_is_told_as_such() {
    let mut whole = Vec::new();
    let packed = std::fs::File::open(fixture("csr.h5ad.gz")).expect("a fixture");
    GzDecoder::new(packed).read_to_end(&mut whole).expect("unpacked");
    let folder = tempfile::tempdir().expect("a folder");
    for kept in [whole.len() / 3, whole.len() - 1] {
        let path = folder.path().join("cut.h5ad");
        std::fs::write(&path, &whole[..kept]).expect("written");
        let from_disk = read(&path, &ReadOptions::default(), &Silent).expect_err("cut").to_string();
        let from_pipe = read_from(&whole[..kept], "cut.h5ad", &ReadOptions::default(), &Silent);
        let told =
            format!("cut.h5ad: not a whole HDF5 file: it has {kept} bytes of {}; copy it again", whole.len());
        assert!(from_disk.ends_with(&told), "{from_disk}");
        assert!(from_pipe.expect_err("cut").to_string().ends_with(&told));
    }
}

#[test]
fn a_store_in_an_archive_is_to_be_unpacked() {
    // A name of the same length.
    let text = std::fs::read(fixture("one.npz")).expect("a fixture");
    let text: String = text.iter().map(|&b| char::from(b)).collect();
    let bytes: Vec<u8> = text.replace("arr_0.npy", "zarr.json").chars().map(|c| c as u8).collect();
    let found = read_from(&*bytes, "cells.zarr.zip", &ReadOptions::default(), &Silent).expect_err("a store");
    assert_eq!(
        found.to_string(),
        "cells.zarr.zip: a Zarr store in a zip archive; unpack it into a folder (unzip -d), and name that"
    );
}
