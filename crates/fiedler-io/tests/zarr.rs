//! Zarr stores of both versions, as zarr-python and anndata write them (see `fixtures/make.py`), whole and damaged.
//!
//! `cargo test --release -p fiedler-io --no-default-features --features zarr --test zarr --test zarr_out_of_core`
#![cfg(feature = "zarr")]

use std::fs;
use std::path::{Path, PathBuf};

use fiedler::limits::Bytes;
use fiedler::{Limited, Limits, Scaling, Silent};
use fiedler_io::{Format, MatVariables, Orientation, ReadOptions, Remedy, Table, read, read_stored_graph};

const X: [[f64; 3]; 5] =
    [[1.0, 0.0, -3.0], [0.0, 2.0, 7.0], [5.0, 0.0, 0.0], [0.0, 0.0, 120.0], [4.0, 6.0, 0.0]];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn table(path: &Path, options: &ReadOptions) -> Table {
    read(path, options, &Silent).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn values(table: &Table) -> Vec<Vec<f64>> {
    let data = table.data.clone().scaled(Scaling::None);
    let columns: Vec<Vec<f64>> = (0..data.n_features()).map(|j| data.column(j).expect("a column")).collect();
    (0..data.n_samples()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
}

fn classes(table: &Table) -> Vec<String> {
    let labels = table.data.labels().expect("labels");
    labels.codes().iter().map(|c| c.map_or(String::new(), |c| labels.classes()[c as usize].clone())).collect()
}

fn labeled(name: &str) -> ReadOptions {
    ReadOptions { label: Some(name.into()), ..ReadOptions::default() }
}

fn variable(name: &str) -> ReadOptions {
    let variables = MatVariables { x: name.to_owned(), ..MatVariables::default() };
    ReadOptions { variables, ..ReadOptions::default() }
}

/// A copy of a store to be damaged.
fn copy(name: &str, folder: &Path) -> PathBuf {
    fn all(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").flatten() {
            let to = to.join(entry.file_name());
            match entry.path() {
                path if path.is_dir() => all(&path, &to),
                path => drop(fs::copy(path, to).expect("copied")),
            }
        }
    }
    let to = folder.join(name);
    all(&fixture(name), &to);
    to
}

/// The message for a store, without the folder that it is in.
fn refusal(path: &Path, options: &ReadOptions) -> String {
    let found = read(path, options, &Silent).err().unwrap_or_else(|| panic!("{} is read", path.display()));
    found.to_string().replace(&format!("{}/", path.parent().expect("a folder").display()), "")
}

/// A store with a text in one of its files replaced.
fn edited(name: &str, folder: &Path, file: &str, from: &str, to: &str) -> PathBuf {
    let path = copy(name, folder);
    let text = fs::read_to_string(path.join(file)).expect("text");
    assert!(text.contains(from), "{text}");
    fs::write(path.join(file), text.replace(from, to)).expect("written");
    path
}

#[test]
fn arrays_of_every_way_of_keeping_chunks() {
    let names = ["blosc_2", "big_2", "fortran_2", "zstd_3", "half_3", "sharded_3"];
    for name in names {
        let path = fixture(&format!("{name}.zarr"));
        let t = table(&path, &ReadOptions::default());
        assert_eq!(values(&t), X, "{name}");
        assert_eq!((t.data.is_sparse(), t.layout.format), (false, Format::Zarr), "{name}");
        let turned = table(&path, &ReadOptions { features: Orientation::Rows, ..ReadOptions::default() });
        let expected: Vec<Vec<f64>> = (0..3).map(|j| X.iter().map(|row| row[j]).collect()).collect();
        assert_eq!(values(&turned), expected, "{name}");
    }
    let truths = table(&fixture("bool_2.zarr"), &ReadOptions::default());
    assert_eq!(values(&truths), X.map(|row| row.map(|v| f64::from(u8::from(v != 0.0)))));
}

#[test]
fn anndata_of_both_versions() {
    for (name, sparse) in [("cells_2.zarr", true), ("cells_3.zarr", false)] {
        let path = fixture(name);
        let t = table(&path, &labeled("class"));
        assert_eq!((values(&t), t.data.is_sparse()), (X.map(|r| r.to_vec()).to_vec(), sparse), "{name}");
        let names: Vec<String> = (0..3).map(|j| t.data.feature_name(j).into_owned()).collect();
        assert_eq!(names, ["alpha", "beta", "gamma"]);
        assert_eq!(t.data.sample_names().expect("names"), ["s0", "s1", "s2", "s3", "s4"]);
        assert_eq!(classes(&t), ["no", "yes", "no", "yes", "yes"]);
        assert_eq!(classes(&table(&path, &labeled("number"))), ["1", "2", "1", "2", "2"]);
        assert_eq!(classes(&table(&path, &labeled("some"))), ["1", "2", "", "2", "2"]);
        assert_eq!(classes(&table(&path, &labeled("even"))), ["False", "True", "False", "True", "True"]);
        let layer = ReadOptions { layer: Some("doubled".to_owned()), ..ReadOptions::default() };
        assert_eq!(values(&table(&path, &layer)), X.map(|r| r.map(|v| 2.0 * v)), "{name}");
        let graph = read_stored_graph(&path, "connectivities", &Silent).expect("a graph");
        assert_eq!(graph.n_samples(), 5);
        let none = read_stored_graph(&path, "distances", &Silent).expect_err("none").to_string();
        assert!(
            none.ends_with("no stored graph is called `distances`; `obsp` has `connectivities`"),
            "{none}"
        );
        let known = refusal(&path, &labeled("kind"));
        assert!(known.ends_with("`obs` has `class`, `even`, `number`, `some`"), "{known}");
    }
    let none = read_stored_graph(&fixture("zstd_3.zarr"), "connectivities", &Silent).expect_err("none");
    assert_eq!(*none.remedies(), [Remedy::GraphFile]);
}

#[test]
fn one_of_several_arrays_is_named() {
    let path = fixture("several_3.zarr");
    let error = read(&path, &ReadOptions::default(), &Silent).expect_err("two matrices");
    assert_eq!(*error.remedies(), [Remedy::Variable]);
    assert_eq!(
        refusal(&path, &ReadOptions::default()),
        "several_3.zarr: Zarr, but not AnnData: its arrays are `a` (5 × 3), `deep/b` (5 × 3), `word` (2); say which holds \
         samples × features"
    );
    assert_eq!(values(&table(&path, &variable("a"))), X);
    assert_eq!(values(&table(&path, &variable("/deep/b"))), X.map(|r| r.map(|v| 2.0 * v)));
    let unknown = refusal(&path, &variable("c"));
    assert!(
        unknown.starts_with("several_3.zarr: no data set is called `c`; its arrays are `a`"),
        "{unknown}"
    );
    let outside = refusal(&path, &variable("../zstd_3.zarr"));
    assert!(outside.contains("no data set is called"), "{outside}");
    let vector = refusal(&path, &variable("word"));
    assert!(vector.contains("`word` has 1 dimensions; samples × features, two dimensions"), "{vector}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = copy("several_3.zarr", folder.path());
    fs::remove_dir_all(path.join("deep")).expect("removed");
    assert_eq!(values(&table(&path, &ReadOptions::default())), X);
    let named = refusal(&fixture("zstd_3.zarr"), &variable("a"));
    assert!(
        named.ends_with("an array or a layer was named, and this store is one array; leave the name out")
    );
}

#[test]
fn a_chunk_that_is_not_stored_holds_the_fill_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = copy("blosc_2.zarr", folder.path());
    fs::remove_file(path.join("0.0")).expect("removed");
    let mut expected = X;
    (expected[0][0], expected[0][1], expected[1][0], expected[1][1]) = (0.0, 0.0, 0.0, 0.0);
    assert_eq!(values(&table(&path, &ReadOptions::default())), expected);
    let path =
        edited("zstd_3.zarr", folder.path(), "zarr.json", "\"fill_value\": 0.0", "\"fill_value\": 1.5");
    fs::remove_file(path.join("c/2/0")).expect("removed");
    assert_eq!(values(&table(&path, &ReadOptions::default()))[4], [1.5, 1.5, 1.5]);
}

#[test]
fn damaged_chunks_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, chunk) in [
        ("zstd_3.zarr", "c/1/0"),
        ("blosc_2.zarr", "1.0"),
        ("fortran_2.zarr", "1.0"),
        ("big_2.zarr", "1.0"),
        ("half_3.zarr", "c/1/0"),
        ("sharded_3.zarr", "c/1/0"),
        ("bool_2.zarr", "1.0"),
        ("cells_3.zarr", "X/c/0/0"),
        ("cells_2.zarr", "X/indices/0"),
        ("cells_2.zarr", "obs/_index/0"),
    ] {
        let whole = fs::read(fixture(name).join(chunk)).expect("a chunk");
        for damaged in [&whole[..whole.len() / 2], &whole[..whole.len() - 1], &[], &[255; 40]] {
            let path = copy(name, folder.path());
            fs::write(path.join(chunk), damaged).expect("written");
            let found = refusal(&path, &ReadOptions::default());
            let start = format!("{name}: not a whole Zarr file: file `{chunk}` ");
            assert!(found.starts_with(&start), "{found}");
            let why = found.contains(" cannot be unpacked (") || found.contains(" unpacks to more than the ");
            assert!(why && found.ends_with("; copy or write the store again"), "{found}");
        }
    }
}

/// Zeros as gzip or as zlib packs them.
fn deflated(count: usize, is_gzip: bool) -> Vec<u8> {
    use flate2::{Compression, write::GzEncoder, write::ZlibEncoder};
    use std::io::Write;
    let zeros = vec![0; count];
    if is_gzip {
        let mut out = GzEncoder::new(Vec::new(), Compression::best());
        return out.write_all(&zeros).and_then(|()| out.finish()).expect("packed");
    }
    let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
    out.write_all(&zeros).and_then(|()| out.finish()).expect("packed")
}

/// A frame of Zstandard that does not say its size, of so many blocks of 128 KiB of zeros: four bytes each.
fn frame(blocks: u32) -> Vec<u8> {
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    for at in 1..=blocks {
        let header = u32::from(at == blocks) | 1 << 1 | (1 << 17) << 3;
        bytes.extend([&header.to_le_bytes()[..3], &[0]].concat());
    }
    bytes
}

/// The library would unpack whatever comes out of a chunk, and end the process where memory lacks.
#[test]
fn chunks_unpack_to_what_their_array_says_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let claim = [2, 1, 33, 4, 0, 0, 0, 127, 0, 0, 0, 0, 16, 0, 0, 0];
    let sized = [&[0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0][..], &[1, 0, 0]].concat();
    for (name, chunk, bytes, most) in [
        ("fortran_2.zarr", "0.0", deflated(100_000_000, true), Some(8)),
        ("big_2.zarr", "0.0", deflated(100_000_000, false), Some(16)),
        ("zstd_3.zarr", "c/0/0", frame(20_000), Some(32)),
        ("zstd_3.zarr", "c/0/0", sized, Some(32)),
        ("blosc_2.zarr", "0.0", claim.to_vec(), None),
        ("half_3.zarr", "c/0/0", claim.to_vec(), None),
    ] {
        let path = copy(name, folder.path());
        fs::write(path.join(chunk), bytes).expect("written");
        let found = refusal(&path, &ReadOptions::default());
        let start = format!("{name}: not a whole Zarr file: file `{chunk}` ");
        assert!(found.starts_with(&start), "{found}");
        let why = most.map(|most| format!("it unpacks to more than the {most} bytes that it may have"));
        assert!(why.is_none_or(|why| found.contains(&why)), "{found}");
    }
}

/// A frame behind the one that was expected.
#[test]
fn nothing_comes_after_a_chunk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = copy("zstd_3.zarr", folder.path());
    let chunk = path.join("c/0/0");
    let whole = fs::read(&chunk).expect("a chunk");
    fs::write(&chunk, [whole, frame(20_000)].concat()).expect("written");
    let found = refusal(&path, &ReadOptions::default());
    assert!(found.contains("it unpacks to more than the 32 bytes"), "{found}");
}

/// How long texts are no array says: they take a part of the memory that is left.
#[test]
fn texts_unpack_to_what_may_be_taken_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = copy("cells_3.zarr", folder.path());
    fs::write(path.join("obs/_index/c/0"), frame(1000)).expect("written");
    let limited = Limited { monitor: &Silent, limits: Limits::of(Bytes(1_000_000)) };
    let found = read(&path, &ReadOptions::default(), &limited).expect_err("too large").to_string();
    assert!(found.contains("file `obs/_index/c/0` cannot be unpacked (it unpacks to more than"), "{found}");
}

#[test]
#[cfg(unix)]
fn a_chunk_is_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, chunk, target) in [
        ("zstd_3.zarr", "c/0/0", "/dev/zero"),
        ("sharded_3.zarr", "c/0/0", "/dev/zero"),
        ("blosc_2.zarr", "0.0", "/nowhere"),
    ] {
        let path = copy(name, folder.path());
        fs::remove_file(path.join(chunk)).expect("removed");
        std::os::unix::fs::symlink(target, path.join(chunk)).expect("linked");
        let found = refusal(&path, &ReadOptions::default());
        assert!(found.contains(&format!("`{chunk}` is a chunk and no file")), "{found}");
    }
}

#[test]
fn what_is_not_read_is_told_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let f = folder.path();
    let default = ReadOptions::default();
    for (path, array) in [
        (edited("zstd_3.zarr", f, "zarr.json", "\"zstd\"", "\"lzma\""), "zstd_3.zarr"),
        (edited("blosc_2.zarr", f, ".zarray", "\"blosc\"", "\"lzma\""), "blosc_2.zarr"),
        (edited("cells_3.zarr", f, "X/zarr.json", "\"zstd\"", "\"lzma\""), "X"),
    ] {
        let found = refusal(&path, &default);
        assert!(
            found.contains(&format!(": array `{array}` is packed in a way that is not read (")),
            "{found}"
        );
        assert!(
            found.contains("lzma")
                && found.ends_with("; write it again with Blosc, gzip or zstd and no filters"),
            "{found}"
        );
    }
    let complex = edited("blosc_2.zarr", f, ".zarray", "<f4", "<c8");
    let text = fs::read_to_string(complex.join(".zarray")).expect("text");
    fs::write(complex.join(".zarray"), text.replace("\"fill_value\": 0.0", "\"fill_value\": [0.0, 0.0]"))
        .expect("written");
    assert_eq!(
        refusal(&complex, &default),
        "blosc_2.zarr: array `blosc_2.zarr` does not hold numbers; numbers, samples × features, are needed"
    );
    let unknown = edited("zstd_3.zarr", f, "zarr.json", "float64", "float99");
    let found = refusal(&unknown, &default);
    assert!(found.starts_with("zstd_3.zarr: array `zstd_3.zarr` holds what is not read ("), "{found}");
    let cube = edited("bool_2.zarr", f, ".zarray", "    5,", "    5,\n    1,");
    fs::write(
        cube.join(".zarray"),
        fs::read_to_string(cube.join(".zarray")).expect("text").replace("    2,\n", "    2,\n    1,\n"),
    )
    .expect("written");
    let found = refusal(&cube, &default);
    assert_eq!(
        found,
        "bool_2.zarr: `bool_2.zarr` has 3 dimensions; samples × features, two dimensions, are needed"
    );
    let broken = edited("zstd_3.zarr", f, "zarr.json", "\"shape\"", "shape");
    let found = refusal(&broken, &default);
    assert!(
        found.starts_with("zstd_3.zarr: not a whole Zarr file: `zarr.json` is no JSON object ("),
        "{found}"
    );
    let file = f.join("packed.zarr");
    fs::write(&file, "1,2\n3,4\n").expect("written");
    assert!(refusal(&file, &default).starts_with("packed.zarr: a file, and a Zarr store is a folder; "));
    let written = fiedler_io::check_output("out.zarr".as_ref()).expect_err("only read").to_string();
    assert!(written.starts_with("out.zarr: Zarr files are only read; write .csv"), "{written}");
}

#[test]
fn sizes_are_not_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let shape = |rows: &str| {
        let path = edited("zstd_3.zarr", folder.path(), "zarr.json", "    5,", &format!("    {rows},"));
        refusal(&path, &ReadOptions::default())
    };
    let empty = "array `zstd_3.zarr` says 24000000000000 bytes, and its files hold far less; if it is so empty, write it as a \
                 sparse matrix";
    assert!(shape("1000000000000").ends_with(empty), "{}", shape("1000000000000"));
    assert!(shape("18446744073709551615").ends_with("the shape of array `zstd_3.zarr` is too large"));
    assert!(shape("0").contains("a table of 0 × 3"), "{}", shape("0"));
    let chunk = edited("zstd_3.zarr", folder.path(), "zarr.json", "        2,", "        4000000000000000,");
    let found = refusal(&chunk, &ReadOptions::default());
    assert!(found.starts_with("zstd_3.zarr: reading it takes more than"), "{found}");
    assert!(
        found.contains("for a chunk is unpacked as a whole; write the array again in smaller chunks"),
        "{found}"
    );
}
