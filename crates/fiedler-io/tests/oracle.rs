//! Our reader of delimited text against the `csv` crate, on random tables.

use fiedler::{Scaling, Silent};
use fiedler_io::{ReadOptions, TextOptions, read_from};
use proptest::prelude::*;

/// What the `csv` crate reads, parsed by the standard library.
fn oracle(text: &str, delimiter: u8) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let row = |r: csv::StringRecord| r.iter().map(|c| c.trim().parse().expect("a number")).collect();
    (header, reader.records().map(|r| row(r.expect("a record"))).collect())
}

/// A number, written in one of the ways people and programs do.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>()
            .prop_filter("in range", |v| (1e-120..1e130).contains(&v.abs()))
            .prop_map(|v| v.to_string()),
        any::<f64>()
            .prop_filter("in range", |v| (1e-120..1e130).contains(&v.abs()))
            .prop_map(|v| format!("{v:e}")),
        any::<i32>().prop_map(|v| v.to_string()),
        (-1000_i32..1000).prop_map(|v| format!("{}.", v)),
        (0_u32..1000).prop_map(|v| format!(".{v}")),
        any::<f32>().prop_filter("finite", |v| v.is_finite()).prop_map(|v| format!(" {v} ")),
    ]
}

fn field(text: &str, quoted: bool) -> String {
    if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn tables_are_read_as_the_csv_crate_reads_them(
        rows in (1_usize..6).prop_flat_map(|m| prop::collection::vec(prop::collection::vec((number(), any::<bool>()), m), 1..20)),
        titles in prop::collection::vec("[a-z][a-z ,;|\"\n\r\t]{0,5}[a-z]", 6),
        delimiter in prop::sample::select(vec![b',', b';', b'\t', b'|']),
        line_end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let m = rows[0].len();
        let separator = char::from(delimiter).to_string();
        let header: Vec<String> = (0..m).map(|j| field(&format!("{j}{}", titles[j]), true)).collect();
        let mut text = header.join(&separator) + line_end;
        for row in &rows {
            let cells: Vec<String> = row.iter().map(|(cell, quoted)| field(cell, *quoted)).collect();
            text += &(cells.join(&separator) + line_end);
        }
        let (names, expected) = oracle(&text, delimiter);
        let options = ReadOptions {
            text: TextOptions { delimiter: Some(delimiter), header: Some(true), ..TextOptions::default() },
            ..ReadOptions::default()
        };
        let table = read_from(text.as_bytes(), "t.csv", &options, &Silent).expect("a table");
        let data = table.data.scaled(Scaling::None);
        prop_assert_eq!((data.n_samples(), data.n_features()), (expected.len(), m));
        for j in 0..m {
            prop_assert_eq!(data.feature_name(j), names[j].trim());
            let column = data.column(j).expect("a column");
            for (i, value) in column.iter().enumerate() {
                prop_assert_eq!(value.to_bits(), expected[i][j].to_bits(), "row {}, column {}", i, j);
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), name in prop::sample::select(vec!["t.csv", "t.tsv", "t.npy", "t.mat", "t.libsvm", "t.parquet", "t.arrow"])) {
        let _ = read_from(&bytes[..], name, &ReadOptions::default(), &Silent);
        let mut magic: Vec<u8> = match name {
            "t.npy" => b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }".to_vec(),
            "t.mat" => {
                let mut header = b"MATLAB 5.0 MAT-file".to_vec();
                header.resize(124, b' ');
                header.extend_from_slice(b"\x00\x01IM");
                header
            }
            "t.parquet" => b"PAR1".to_vec(),
            "t.arrow" => b"ARROW1\0\0".to_vec(),
            _ => b"1 2:3\n".to_vec(),
        };
        magic.extend_from_slice(&bytes);
        let _ = read_from(&magic[..], name, &ReadOptions::default(), &Silent);
    }
}
