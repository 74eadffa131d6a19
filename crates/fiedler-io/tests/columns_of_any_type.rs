//! A column of any type of Arrow as label, target or names: dates are texts, and what cannot be read is one sentence.
#![cfg(all(feature = "parquet", feature = "arrow"))]

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, Date32Array, Date64Array, DurationSecondArray, FixedSizeBinaryArray, Float64Array,
    ListArray, NullArray, RecordBatch, Time32SecondArray, Time64MicrosecondArray, TimestampMillisecondArray,
};
use fiedler::Silent;
use fiedler_io::{Error, Format, ReadOptions, Result, Table, read_from};

/// Four numbers and a column of any type, as a Parquet and as an Arrow file.
fn written(column: ArrayRef) -> [(Format, Vec<u8>); 2] {
    let numbers = Arc::new(Float64Array::from(vec![1.0, 2.0, 4.0, 3.0])) as ArrayRef;
    let batch = RecordBatch::try_from_iter_with_nullable([("x", numbers, true), ("odd", column, true)])
        .expect("a table");
    let mut parquet =
        parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a writer");
    parquet.write(&batch).expect("written");
    let mut arrow = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    arrow.write(&batch).and_then(|()| arrow.finish()).expect("written");
    let arrow = arrow.into_inner().expect("a file");
    [(Format::Parquet, parquet.into_inner().expect("a file")), (Format::Arrow, arrow)]
}

fn read(bytes: &[u8], format: Format, asked: &ReadOptions) -> Result<Table> {
    read_from(bytes, "f", &ReadOptions { format: Some(format), ..asked.clone() }, &Silent)
}

/// The column as label, as target and as names.
fn askings() -> [ReadOptions; 3] {
    let column = || Some("odd".into());
    [
        ReadOptions { label: column(), ..ReadOptions::default() },
        ReadOptions { target: column(), ..ReadOptions::default() },
        ReadOptions { names: column(), ..ReadOptions::default() },
    ]
}

#[test]
fn dates_and_times_are_texts() {
    let day = 86_400;
    for (column, first) in [
        (Arc::new(Date32Array::from(vec![0, 1, 2, 3])) as ArrayRef, "1970-01-01"),
        (Arc::new(Date64Array::from(vec![0, day * 1000, day * 2000, day * 3000])), "1970-01-01"),
        (Arc::new(TimestampMillisecondArray::from(vec![500, 1000, 2000, 3000])), "1970-01-01 00:00:00.500"),
        (Arc::new(Time32SecondArray::from(vec![3600, 1, 2, 3])), "01:00:00"),
        (Arc::new(Time64MicrosecondArray::from(vec![0, 1_000_000, 2, 3])), "00:00:00"),
    ] {
        for (format, bytes) in written(column) {
            let [label, target, names] = askings();
            let table = read(&bytes, format, &label).expect("classes");
            let labels = table.data.labels().expect("labels");
            assert!(labels.classes().iter().any(|c| c == first), "{first}: {:?}", labels.classes());
            let table = read(&bytes, format, &names).expect("names");
            assert_eq!(table.data.sample_names().map(|n| n[0].as_str()), Some(first));
            let refused = read(&bytes, format, &target).expect_err("no numbers");
            assert!(matches!(refused, Error::Target { .. }), "{refused}");
        }
    }
}

#[test]
fn what_is_neither_text_nor_number_nor_date_is_one_sentence() {
    let lists = [Some(vec![Some(1)]), None, Some(vec![]), Some(vec![Some(2)])];
    for column in [
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)) as ArrayRef,
        Arc::new(BinaryArray::from_vec(vec![b"a", b"b", b"c", b"d"])),
        Arc::new(
            FixedSizeBinaryArray::try_from_iter([b"ab", b"cd", b"ef", b"gh"].into_iter())
                .expect("equal sizes"),
        ),
        Arc::new(DurationSecondArray::from(vec![1, 2, 3, 4])),
        Arc::new(NullArray::new(4)),
    ] {
        let shown = column.data_type().to_string();
        for (format, bytes) in written(column) {
            for asked in askings() {
                let found = match read(&bytes, format, &asked) {
                    Err(found) => found,
                    Ok(_) => panic!("{shown} was read"),
                };
                assert!(!matches!(found, Error::Defect { .. }), "{shown}: {found}");
                assert!(found.to_string().contains("`odd`"), "{shown}: {found}");
                assert!(found.to_string().contains("name another"), "{shown}: {found}");
            }
        }
    }
}
