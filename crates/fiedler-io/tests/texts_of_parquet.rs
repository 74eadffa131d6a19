//! Text columns of Parquet files made to take more memory than they hold.
#![cfg(feature = "parquet")]

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use fiedler::limits::Bytes;
use fiedler::{Limited, Limits, Silent};
use fiedler_io::{Error, ReadOptions, Table, read_from};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterVersion};

/// A table with a column of texts, so written.
fn written(texts: &[String], encoding: Option<Encoding>, version: WriterVersion) -> Vec<u8> {
    let numbers: Vec<f64> = (0..texts.len()).map(|i| (i % 7) as f64).collect();
    let columns: [(&str, ArrayRef); 2] = [
        ("x", Arc::new(Float64Array::from(numbers))),
        ("class", Arc::new(StringArray::from_iter_values(texts))),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("a table");
    let properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(encoding.is_none())
        .set_writer_version(version);
    let properties = encoding.into_iter().fold(properties, |p, e| p.set_column_encoding("class".into(), e));
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).expect("a writer");
    writer.write(&batch).expect("written");
    writer.into_inner().expect("a file")
}

fn read(bytes: &[u8]) -> fiedler_io::Result<Table> {
    let monitor = Limited { monitor: &Silent, limits: Limits::of(Bytes(20_000_000)) };
    let options = ReadOptions { label: Some("class".into()), ..ReadOptions::default() };
    read_from(bytes, "f.parquet", &options, &monitor)
}

const LENGTHS: [Encoding; 2] = [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY];
const VERSIONS: [WriterVersion; 2] = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];

/// Where a list of `count` lengths begins: blocks of 128, in four parts.
fn list(bytes: &[u8], count: u8) -> usize {
    bytes.windows(4).position(|w| w == [0x80, 1, 4, count]).expect("a list of lengths")
}

#[test]
fn a_count_inside_a_page_is_not_believed() {
    let texts: Vec<String> = (0..100).map(|i| format!("class{}", i % 3)).collect();
    for encoding in LENGTHS {
        for version in VERSIONS {
            let whole = written(&texts, Some(encoding), version);
            let classes = read(&whole).expect("whole").data.labels().map(|l| l.classes().len());
            assert_eq!(classes, Some(3), "{encoding}");
            // Five bytes say 30 billion: the first number of the list and its first block make room for them.
            let mut lying = whole.clone();
            let at = list(&whole, 100) + 3;
            lying[at..at + 5].copy_from_slice(&[0xf0, 0xf0, 0xf0, 0xf0, 0x70]);
            let found = read(&lying).expect_err("a lie");
            assert!(matches!(found, Error::Malformed { .. }), "{found}");
            let told = "a page has more texts than it has values, or is cut off";
            assert!(found.to_string().contains(told), "{found}");
        }
    }
}

/// One long text in every row: little in the file, and more than may be taken in memory.
#[test]
fn a_text_that_is_repeated_is_counted_as_often() {
    let texts = vec!["a".repeat(100_000); 2_000];
    for encoding in [None, Some(Encoding::DELTA_BYTE_ARRAY)] {
        let bytes = written(&texts, encoding, WriterVersion::PARQUET_2_0);
        assert!(bytes.len() < 2_000_000, "{} bytes", bytes.len());
        let found = read(&bytes).expect_err("200 MB");
        assert!(matches!(found, Error::Memory { .. }), "{encoding:?}: {found}");
    }
}
