//! Zarr stores that are larger than the memory they may take go through a scratch file, whatever their chunks, and give the same bits as
//! the same numbers in memory.
#![cfg(feature = "zarr")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fiedler::limits::Bytes;
use fiedler::{Limited, Limits, Silent, methods};
use fiedler_io::{Orientation, ReadOptions, Table, read};
use zarrs::array::codec::{GzipCodec, ZstdCodec};
use zarrs::array::{ArrayBuilder, DataType, Element, FillValue, data_type};
use zarrs::filesystem::FilesystemStore;

const SAMPLES: usize = 60;
const FEATURES: usize = 500;
const ALLOWED: u64 = 150_000;

/// A number from a place, the same every time; 0 for one half.
fn number(i: usize, j: usize) -> f32 {
    let hash = (i * 7919 + j * 104_729 + i * j * 31) % 1009;
    if hash.is_multiple_of(2) { (hash % 97) as f32 + f32::from(u8::from(i % 3 == j % 3)) } else { 0.0 }
}

/// All numbers, with the features in columns or in rows.
fn numbers(features: Orientation) -> Vec<f32> {
    match features {
        Orientation::Columns => (0..SAMPLES * FEATURES).map(|e| number(e / FEATURES, e % FEATURES)).collect(),
        Orientation::Rows => (0..SAMPLES * FEATURES).map(|e| number(e % SAMPLES, e / SAMPLES)).collect(),
    }
}

/// An array of a store, in chunks that are compressed; in parts of them where `parts` are given.
fn put<T: Element>(
    folder: &Path,
    path: &str,
    (kind, fill): (DataType, FillValue),
    (shape, chunks, parts): (&[u64], &[u64], Option<&[u64]>),
    values: &[T],
) {
    let store = Arc::new(FilesystemStore::new(folder).expect("a folder"));
    let mut builder = ArrayBuilder::new(shape.to_vec(), chunks.to_vec(), kind, fill);
    match parts {
        Some(parts) => builder
            .subchunk_shape(parts.to_vec())
            .bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(3).expect("a level"))]),
        None => builder.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(3, true))]),
    };
    let array = builder.build(store, path).expect("an array");
    array.store_metadata().expect("written");
    if !values.is_empty() {
        array.store_array_subset(&array.subset_all(), values).expect("written");
    }
}

fn singles() -> (DataType, FillValue) {
    (data_type::float32(), FillValue::from(0.0_f32))
}

/// The same numbers as NumPy keeps them.
fn npy(folder: &Path) -> std::path::PathBuf {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({SAMPLES}, {FEATURES}), }}");
    let header = format!("{header:<117}\n");
    let mut bytes =
        [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    bytes.extend(numbers(Orientation::Columns).iter().flat_map(|v| v.to_le_bytes()));
    let path = folder.join("numbers.npy");
    fs::write(&path, bytes).expect("written");
    path
}

fn tight(path: &Path, options: &ReadOptions) -> Result<Table, String> {
    let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(ALLOWED)) };
    read(path, options, &monitor).map_err(|e| e.to_string())
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn same(found: &Table, expected: &Table, told: &str) {
    assert_eq!(found.data.is_sparse(), expected.data.is_sparse(), "{told}");
    assert_eq!(found.data.n_features(), expected.data.n_features(), "{told}");
    assert_eq!(found.data.stats(), expected.data.stats(), "{told}");
    for j in 0..expected.data.n_features() {
        let column = |table: &Table| bits(&table.data.column(j).expect("there"));
        assert_eq!(column(found), column(expected), "{told}: {j}");
    }
    for name in ["variance", "laplacian"] {
        let method =
            methods::find(name).expect("known").build(Vec::<(&str, &str)>::new(), None).expect("usual");
        let rank = |table: &Table| bits(method.rank(&table.data).expect(name).scores());
        assert_eq!(rank(found), rank(expected), "{told}: {name}");
    }
}

fn is_on_disk(table: &Table) -> bool {
    table
        .notes
        .iter()
        .any(|note| note.contains("larger than half of the memory") && note.contains("scratch file"))
}

#[test]
fn dense_in_chunks_of_every_shape() {
    let folder = tempfile::tempdir().expect("a folder");
    let expected = npy(folder.path());
    let turned = ReadOptions { features: Orientation::Rows, ..ReadOptions::default() };
    // Whole rows, whole columns, neither, all in one; parts of chunks; chunks that end beyond the array.
    let ways: [(&[u64], Option<&[u64]>); 7] = [
        (&[2, 100], None),
        (&[60, 7], None),
        (&[30, 250], None),
        (&[60, 500], None),
        (&[60, 500], Some(&[2, 50])),
        (&[60, 100], Some(&[60, 5])),
        (&[7, 300], None),
    ];
    let expected = read(&expected, &ReadOptions::default(), &Silent).expect("read");
    for (at, (chunks, parts)) in ways.into_iter().enumerate() {
        for options in [&ReadOptions::default(), &turned] {
            let told = format!("{chunks:?} {parts:?} {:?}", options.features);
            let path = folder.path().join(format!("{at}_{:?}.zarr", options.features));
            let lies = |extent: &[u64]| match options.features {
                Orientation::Columns => extent.to_vec(),
                Orientation::Rows => extent.iter().rev().copied().collect(),
            };
            let (chunks, parts) = (lies(chunks), parts.map(lies));
            let extents = (&*lies(&[SAMPLES as u64, FEATURES as u64]), &*chunks, parts.as_deref());
            put(&path, "/", singles(), extents, &numbers(options.features));
            let whole = read(&path, options, &Silent).expect("read");
            assert!(!is_on_disk(&whole), "{told}");
            same(&whole, &expected, &told);
            let found = tight(&path, options).unwrap_or_else(|e| panic!("{told}: {e}"));
            assert!(is_on_disk(&found), "{told}: {:?}", found.notes);
            same(&found, &expected, &told);
        }
    }
}

/// Chunks are asked for their size before they are unpacked.
#[test]
fn a_chunk_beyond_the_memory_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wide.zarr");
    put(&path, "/", singles(), (&[60, 1000], &[60, 1000], None), &numbers(Orientation::Columns).repeat(2));
    let found = tight(&path, &ReadOptions::default()).expect_err("too large");
    assert!(found.contains("wide.zarr: reading it takes more than 150 kB of memory"), "{found}");
}

fn group(folder: &Path, attributes: &str) {
    fs::create_dir_all(folder).expect("a folder");
    let text = format!(r#"{{"zarr_format": 3, "node_type": "group", "attributes": {{{attributes}}}}}"#);
    fs::write(folder.join("zarr.json"), text).expect("written");
}

/// AnnData with a sparse matrix by rows or by columns, in chunks of this many entries.
fn cells(folder: &Path, by_rows: bool, chunk: u64) {
    let (outer, inner) = if by_rows { (SAMPLES, FEATURES) } else { (FEATURES, SAMPLES) };
    let (mut offsets, mut indices, mut values) = (vec![0_i64], Vec::new(), Vec::new());
    for a in 0..outer {
        for b in 0..inner {
            let v = if by_rows { number(a, b) } else { number(b, a) };
            if v != 0.0 {
                indices.push(b as i32);
                values.push(v);
            }
        }
        offsets.push(indices.len() as i64);
    }
    let kind = if by_rows { "csr_matrix" } else { "csc_matrix" };
    let name = if by_rows { "x" } else { "y" };
    group(folder, "");
    group(&folder.join("X"), &format!(r#""encoding-type": "{kind}", "shape": [{SAMPLES}, {FEATURES}]"#));
    let (entries, lines) = ([values.len() as u64], [offsets.len() as u64]);
    put(folder, "/X/data", singles(), (&entries, &[chunk], None), &values);
    put(
        folder,
        "/X/indices",
        (data_type::int32(), FillValue::from(0_i32)),
        (&entries, &[chunk], None),
        &indices,
    );
    put(folder, "/X/indptr", (data_type::int64(), FillValue::from(0_i64)), (&lines, &[100], None), &offsets);
    for (frame, count) in [("obs", SAMPLES), ("var", FEATURES)] {
        group(&folder.join(frame), r#""_index": "_index""#);
        let names: Vec<String> = (0..count).map(|i| format!("{name}{i}")).collect();
        let path = format!("/{frame}/_index");
        put(
            folder,
            &path,
            (data_type::string(), FillValue::from("")),
            (&[count as u64], &[64], None),
            &names,
        );
    }
}

#[test]
fn sparse_anndata_by_rows_and_by_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    for (by_rows, chunk) in [(true, 300), (true, 5000), (false, 300), (false, 20_000)] {
        let told = format!("{by_rows} {chunk}");
        let path = folder.path().join(&told);
        cells(&path, by_rows, chunk);
        let whole = read(&path, &ReadOptions::default(), &Silent).expect("read");
        assert!(whole.data.is_sparse() && !is_on_disk(&whole), "{told}");
        let unscaled = whole.data.clone().scaled(fiedler::Scaling::None);
        for j in 0..FEATURES {
            let expected: Vec<f64> = (0..SAMPLES).map(|i| f64::from(number(i, j))).collect();
            assert_eq!(unscaled.column(j).expect("there"), expected, "{told}: {j}");
        }
        let found = tight(&path, &ReadOptions::default()).unwrap_or_else(|e| panic!("{told}: {e}"));
        assert!(is_on_disk(&found), "{told}: {:?}", found.notes);
        assert_eq!(found.data.sample_names(), whole.data.sample_names());
        assert_eq!(found.data.feature_name(499), whole.data.feature_name(499));
        same(&found, &whole, &told);
    }
}
