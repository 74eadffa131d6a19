//! Files of other programs that are larger than the memory they may take: Parquet and Arrow are read where they are, HDF5 and
//! tables with features in rows through a scratch file. All give the same bits as when they are read whole.
#![cfg(all(feature = "arrow", feature = "hdf5", feature = "parquet"))]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, UInt8Builder};
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float32Array, Int16Array, RecordBatch, StringArray,
    StringViewArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use fiedler::limits::Bytes;
use fiedler::{Limited, Limits, Silent, methods};
use fiedler_io::{Missing, Orientation, ReadOptions, Sampling, Table, read, write};
use hdf5_pure::{AttrValue, FileBuilder};
use parquet::arrow::ArrowWriter;
use rayon::prelude::*;

const SAMPLES: usize = 60;
const FEATURES: usize = 500;

/// A number from a place, the same every time; 0 for one half.
fn number(i: usize, j: usize) -> f64 {
    let hash = (i * 7919 + j * 104_729 + i * j * 31) % 1009;
    if hash.is_multiple_of(2) { (hash % 97) as f64 + f64::from(u8::from(i % 3 == j % 3)) } else { 0.0 }
}

/// The table in a format that holds non-zeros, as text.
fn sparse_text() -> String {
    let entries: Vec<(usize, usize)> = (0..SAMPLES)
        .flat_map(|i| (0..FEATURES).map(move |j| (i, j)))
        .filter(|&(i, j)| number(i, j) != 0.0)
        .collect();
    let mut text =
        format!("%%MatrixMarket matrix coordinate real general\n{SAMPLES} {FEATURES} {}\n", entries.len());
    for (i, j) in entries {
        writeln!(text, "{} {} {}", i + 1, j + 1, number(i, j)).expect("text");
    }
    text
}

fn whole(path: &Path) -> Table {
    read(path, &ReadOptions::default(), &Silent).expect("read")
}

fn tight(path: &Path, options: &ReadOptions) -> Result<Table, String> {
    let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(150_000)) };
    read(path, options, &monitor).map_err(|e| e.to_string())
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn same(found: &Table, expected: &Table) {
    assert_eq!(found.data.is_sparse(), expected.data.is_sparse());
    assert_eq!(found.data.stats(), expected.data.stats());
    assert_eq!(found.data.sample_names(), expected.data.sample_names());
    let codes = |table: &Table| table.data.labels().map(|l| l.codes().to_vec());
    assert_eq!(codes(found), codes(expected));
    for j in 0..expected.data.n_features() {
        assert_eq!(found.data.feature_name(j), expected.data.feature_name(j));
        let column = |table: &Table| bits(&table.data.column(j).expect("there"));
        assert_eq!(column(found), column(expected), "{j}");
    }
    let list: Vec<usize> = (0..40).map(|j| (j * 37 + 5) % expected.data.n_features()).collect();
    let part = |table: &Table| table.data.subset(&list).expect("in range").stats().to_vec();
    assert_eq!(part(found), part(expected));
}

/// Everything that is asked of a table, and three methods, from disk and from memory.
fn compare(path: &Path, from: &str) {
    compare_as(path, from, &ReadOptions::default());
}

fn compare_as(path: &Path, from: &str, options: &ReadOptions) {
    let found = tight(path, options).expect("read");
    let note = found.notes.iter().find(|note| note.contains("larger than half of the memory")).expect("told");
    assert!(note.contains(from), "{note}");
    let expected = read(path, options, &Silent).expect("read");
    assert_eq!(expected.data.n_features(), FEATURES);
    same(&found, &expected);
    for name in ["variance", "laplacian", "mrsf"] {
        let method =
            methods::find(name).expect("known").build(Vec::<(&str, &str)>::new(), None).expect("usual");
        let rank = |table: &Table| method.rank(&table.data).expect(name);
        assert_eq!(bits(rank(&found).scores()), bits(rank(&expected).scores()), "{name}");
    }
    let names: Vec<String> = [7, 8, 200, 499].map(|j| expected.data.feature_name(j).into_owned()).into();
    let exclude = names.iter().chain(&options.exclude).cloned().collect();
    for options in [
        ReadOptions { exclude, ..options.clone() },
        ReadOptions { include: Some(names), exclude: Vec::new(), ..options.clone() },
        ReadOptions { sample: Some(Sampling { count: 20, seed: 1 }), ..options.clone() },
        ReadOptions { min_samples: 29, ..options.clone() },
    ] {
        same(&tight(path, &options).expect("read"), &read(path, &options, &Silent).expect("read"));
    }
}

fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("table.mtx"), sparse_text()).expect("written");
    folder
}

fn all(table: &Table) -> Vec<usize> {
    (0..table.data.n_features()).collect()
}

#[test]
fn sparse_anndata_by_rows_is_sorted_into_columns_in_a_scratch_file() {
    let folder = scene();
    let (table, path) = (whole(&folder.path().join("table.mtx")), folder.path().join("rows.h5ad"));
    write(&path, &table, &all(&table)).expect("written");
    compare(&path, "scratch file");
}

/// Offsets, indices and values by column (or, turned, by row), with the rows of a column out of order and one entry in two parts.
fn entries(turned: bool) -> (Vec<i64>, Vec<i32>, Vec<f32>) {
    let (outer, inner) = if turned { (SAMPLES, FEATURES) } else { (FEATURES, SAMPLES) };
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for a in 0..outer {
        for b in (0..inner).rev() {
            let v = if turned { number(a, b) } else { number(b, a) };
            if v != 0.0 {
                indices.push(b as i32);
                values.push(v as f32);
            }
        }
        if let Some(last) = values.last_mut().filter(|v| **v > 2.0) {
            *last -= 1.0;
            indices.push(*indices.last().expect("one"));
            values.push(1.0);
        }
        offsets.push(indices.len() as i64);
    }
    (offsets, indices, values)
}

fn text(value: &str) -> AttrValue {
    AttrValue::VarLenString(value.to_owned())
}

/// A file as 10x Genomics writes it.
fn write_10x(path: &Path, offsets: &[i64], indices: &[i32], values: &[f32]) {
    let mut file = FileBuilder::new();
    let mut matrix = file.create_group("matrix");
    matrix.create_dataset("indptr").with_i64_data(offsets);
    matrix.create_dataset("indices").with_i32_data(indices);
    matrix.create_dataset("data").with_f32_data(values);
    matrix.create_dataset("shape").with_i64_data(&[FEATURES as i64, SAMPLES as i64]);
    for (name, count) in [("barcodes", SAMPLES), ("genes", FEATURES)] {
        let names: Vec<String> = (0..count).map(|i| format!("{name}{i}")).collect();
        matrix.create_dataset(name).with_vlen_strings(&names.iter().map(String::as_str).collect::<Vec<_>>());
    }
    file.add_group(matrix.finish());
    file.write(path).expect("written");
}

#[test]
fn sparse_anndata_by_columns_and_10x_files_too() {
    let folder = scene();
    let path = folder.path().join("columns.h5ad");
    let mut file = FileBuilder::new();
    let mut x = file.create_group("X");
    x.set_attr("encoding-type", text("csc_matrix"));
    x.set_attr("shape", AttrValue::I64Array(vec![SAMPLES as i64, FEATURES as i64]));
    let (offsets, indices, values) = entries(false);
    x.create_dataset("indptr").with_i64_data(&offsets);
    x.create_dataset("indices").with_i32_data(&indices);
    x.create_dataset("data").with_f32_data(&values);
    file.add_group(x.finish());
    for (frame, count) in [("obs", SAMPLES), ("var", FEATURES)] {
        let names: Vec<String> = (0..count).map(|i| format!("{frame}{i}")).collect();
        let mut group = file.create_group(frame);
        group.set_attr("_index", text("_index"));
        group
            .create_dataset("_index")
            .with_vlen_strings(&names.iter().map(String::as_str).collect::<Vec<_>>());
        file.add_group(group.finish());
    }
    file.write(&path).expect("written");
    compare(&path, "scratch file");

    let path = folder.path().join("cells.h5");
    let (offsets, indices, values) = entries(true);
    write_10x(&path, &offsets, &indices, &values);
    compare(&path, "scratch file");
}

/// The same numbers with every value stored.
fn dense(folder: &Path) -> Table {
    let path = folder.join("dense.csv");
    let line = |i: usize| (0..FEATURES).map(|j| number(i, j).to_string()).collect::<Vec<_>>().join(",");
    let head = (0..FEATURES).map(|j| format!("f{j}")).collect::<Vec<_>>().join(",");
    let lines: Vec<String> = std::iter::once(head).chain((0..SAMPLES).map(line)).collect();
    fs::write(&path, lines.join("\n")).expect("written");
    whole(&path)
}

#[test]
fn dense_anndata_and_tables() {
    let folder = scene();
    let table = dense(folder.path());
    for (name, from) in
        [("dense.h5ad", "scratch file"), ("dense.parquet", "the disk"), ("dense.arrow", "the disk")]
    {
        let path = folder.path().join(name);
        write(&path, &table, &all(&table)).expect("written");
        compare(&path, from);
    }
}

/// Members of the pool wait for a chunk that one of them reads; none of them may be needed to read it.
#[test]
fn many_who_ask_at_once_are_all_answered() {
    let folder = scene();
    let table = dense(folder.path());
    for name in ["dense.parquet", "dense.arrow"] {
        let path = folder.path().join(name);
        write(&path, &table, &all(&table)).expect("written");
        for _ in 0..20 {
            let found = tight(&path, &ReadOptions::default()).expect("read");
            (0..64_usize).into_par_iter().for_each(|i| {
                let first = i % 8 * 62;
                let block = found.data.columns().block(first..first + 40);
                assert!(block.is_ok(), "{first}");
            });
        }
    }
}

/// Columns of every kind before, between and behind the numbers: names, classes, texts of two kinds, lists, truth values, whole numbers.
fn mixed_batch() -> RecordBatch {
    let names = StringArray::from_iter_values((0..SAMPLES).map(|i| format!("sample {i}")));
    let classes: DictionaryArray<Int8Type> = (0..SAMPLES).map(|i| Some(["a", "bb", "c"][i % 3])).collect();
    let long = |i: usize| format!("a text that is too long to stand in its place {i}");
    let views = StringViewArray::from_iter_values((0..SAMPLES).map(long));
    let mut lists = ListBuilder::new(UInt8Builder::new());
    (0..SAMPLES).for_each(|i| lists.append_value((0..i % 4).map(|v| Some(v as u8))));
    let mut columns: Vec<(String, ArrayRef)> = vec![
        ("name".into(), Arc::new(names)),
        ("views".into(), Arc::new(views)),
        ("class".into(), Arc::new(classes)),
        ("lists".into(), Arc::new(lists.finish())),
    ];
    for j in 0..FEATURES {
        let values = (0..SAMPLES).map(|i| number(i, j));
        let array: ArrayRef = match j % 100 {
            0 => Arc::new(BooleanArray::from_iter(values.map(|v| Some(v > 0.0)))),
            1 => Arc::new(Int16Array::from_iter_values(values.map(|v| v as i16))),
            _ => Arc::new(Float32Array::from_iter_values(values.map(|v| v as f32))),
        };
        columns.push((format!("f{j}"), array));
    }
    let again = StringViewArray::from_iter_values((0..SAMPLES).map(|i| long(i * i)));
    columns.insert(300, ("more views".into(), Arc::new(again)));
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

/// Writes a table in pieces of these numbers of rows.
fn write_ipc(path: &Path, batch: &RecordBatch, pieces: &[usize], compression: Option<CompressionType>) {
    let options = IpcWriteOptions::default().try_with_compression(compression).expect("known");
    let file = fs::File::create(path).expect("a file");
    let mut writer = FileWriter::try_new_with_options(file, &batch.schema(), options).expect("begun");
    let mut first = 0;
    for rows in pieces {
        writer.write(&batch.slice(first, *rows)).expect("written");
        first += rows;
    }
    writer.finish().expect("written");
}

fn mixed_options() -> ReadOptions {
    let exclude = ["views", "lists", "more views"].map(str::to_owned).into();
    ReadOptions { label: Some("class".into()), exclude, ..ReadOptions::default() }
}

#[test]
fn arrow_in_pieces_compressed_and_with_columns_of_every_kind() {
    let folder = scene();
    let path = folder.path().join("mixed.feather");
    let batch = mixed_batch();
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        // The description of every piece is held.
        for pieces in [&[SAMPLES][..], &[0, 31, 29]] {
            write_ipc(&path, &batch, pieces, compression);
            compare_as(&path, "the disk", &mixed_options());
        }
    }
    let found = tight(&path, &mixed_options()).expect("read");
    assert_eq!(found.data.sample_names().expect("named")[59], "sample 59");
    assert_eq!(found.data.labels().expect("labeled").codes()[..4], [0, 1, 2, 0].map(Some));
}

#[test]
fn features_in_rows_are_copied_into_a_scratch_file() {
    let folder = scene();
    let genes = StringArray::from_iter_values((0..FEATURES).map(|j| format!("gene {j}")));
    let mut columns: Vec<(String, ArrayRef)> = vec![("gene".into(), Arc::new(genes))];
    for i in 0..SAMPLES {
        let values = (0..FEATURES).map(|j| number(i, j) as f32);
        columns.push((format!("sample {i}"), Arc::new(Float32Array::from_iter_values(values))));
    }
    let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
    let options = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    let path = folder.path().join("turned.arrow");
    for compression in [None, Some(CompressionType::LZ4_FRAME)] {
        write_ipc(&path, &batch, &[200, 1, 299], compression);
        compare_as(&path, "scratch file", &options);
    }
    let path = folder.path().join("turned.parquet");
    let mut writer = ArrowWriter::try_new(fs::File::create(&path).expect("a file"), batch.schema(), None);
    let writer = writer.as_mut().expect("begun");
    for (first, rows) in [(0, 200), (200, 1), (201, 299)] {
        writer.write(&batch.slice(first, rows)).expect("written");
        writer.flush().expect("written");
    }
    writer.finish().expect("written");
    compare_as(&path, "scratch file", &options);

    let path = folder.path().join("turned.h5");
    let mut file = FileBuilder::new();
    let values: Vec<f32> =
        (0..FEATURES).flat_map(|j| (0..SAMPLES).map(move |i| number(i, j) as f32)).collect();
    file.create_dataset("counts").with_f32_data(&values).with_shape(&[FEATURES as u64, SAMPLES as u64]);
    file.write(&path).expect("written");
    compare_as(&path, "scratch file", &options);
}

/// Bytes of a compressed file, changed one after the other: an answer or a sentence, and never more memory than it may take.
#[test]
fn a_damaged_arrow_file_is_told_when_it_is_read() {
    let folder = scene();
    let path = folder.path().join("mixed.arrow");
    write_ipc(&path, &mixed_batch(), &[30, 30], Some(CompressionType::LZ4_FRAME));
    let whole = fs::read(&path).expect("there");
    let mut told = 0;
    for at in (8..whole.len()).step_by(whole.len() / 400) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        fs::write(&path, &bytes).expect("written");
        let columns =
            |table: Table| (0..table.data.n_features()).try_for_each(|j| table.data.column(j).map(drop));
        match tight(&path, &mixed_options()).map(columns) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => told += usize::from(error.to_string().contains("mixed.arrow")),
            Err(error) => told += usize::from(error.contains("mixed.arrow")),
        }
    }
    assert!(told > 100, "{told}");
}

#[test]
fn a_table_that_changes_or_lacks_values_is_told() {
    let folder = scene();
    let table = dense(folder.path());
    for name in ["dense.parquet", "dense.arrow"] {
        let path = folder.path().join(name);
        write(&path, &table, &all(&table)).expect("written");
        let found = tight(&path, &ReadOptions::default()).expect("read");
        let bytes = fs::read(&path).expect("there");
        fs::write(&path, &bytes[..bytes.len() - 100]).expect("cut");
        let error = found.data.column(3).expect_err("shorter").to_string();
        assert!(error.contains(&format!("{name}: it became shorter while it was read")), "{error}");
    }

    let csv = folder.path().join("gaps.csv");
    let text = fs::read_to_string(folder.path().join("dense.csv")).expect("there");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[5] = lines[5]
        .split(',')
        .enumerate()
        .map(|(j, v)| if j == 9 { "" } else { v })
        .collect::<Vec<_>>()
        .join(",");
    fs::write(&csv, lines.join("\n")).expect("written");
    let gaps = ReadOptions { missing: Missing::Mean, ..ReadOptions::default() };
    let error = tight(&csv, &gaps).map(drop).expect_err("text stays whole");
    assert!(error.contains("memory"), "{error}");
}

#[test]
fn damaged_offsets_of_a_large_file_are_a_sentence() {
    let folder = scene();
    let path = folder.path().join("bad.h5");
    for broken in 0..3 {
        let (mut offsets, mut indices, values) = entries(true);
        match broken {
            0 => offsets[3] = offsets[4] + 5,
            1 => indices[17] = FEATURES as i32,
            _ => indices.truncate(values.len() - 1),
        }
        write_10x(&path, &offsets, &indices, &values);
        let error = tight(&path, &ReadOptions::default()).map(drop).expect_err("damaged");
        let told =
            ["its offsets do not run", "an index lies outside of its 500 columns", "indices for"][broken];
        assert!(error.contains(told), "{error}");
    }
}
