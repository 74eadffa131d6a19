//! A column of `obs` that holds records is refused as such, and not as a damaged file.
#![cfg(feature = "hdf5")]

use fiedler::Silent;
use fiedler_io::{Error, Format, ReadOptions, read_from};
use hdf5_pure::{AttrValue, FileBuilder};

/// Three samples of two features; the column `pair` of `obs` has two numbers in every row.
fn written() -> Vec<u8> {
    let text = |value: &str| AttrValue::VarLenString(value.to_owned());
    let mut file = FileBuilder::new();
    file.set_attr("encoding-type", text("anndata"));
    file.create_dataset("X").with_f64_data(&[1.0, 2.0, 3.0, 5.0, 4.0, 1.0]).with_shape(&[3, 2]);
    for (name, index) in [("obs", &["p", "q", "r"][..]), ("var", &["f", "g"])] {
        let mut group = file.create_group(name);
        group.set_attr("encoding-type", text("dataframe"));
        group.set_attr("_index", text("_index"));
        group.create_dataset("_index").with_vlen_strings(index);
        if name == "obs" {
            let pairs = [(1_i32, 2.0_f64), (2, 3.0), (1, 4.0)];
            group.create_dataset("pair").with_compound_values(&pairs).expect("records");
        }
        file.add_group(group.finish());
    }
    let mut bytes = Vec::new();
    file.finish_to(&mut bytes).expect("a file");
    bytes
}

#[test]
fn a_column_of_records_is_called_so() {
    let bytes = written();
    let options = |label: Option<&str>| ReadOptions {
        format: Some(Format::H5ad),
        label: label.map(Into::into),
        ..ReadOptions::default()
    };
    let whole = read_from(&bytes[..], "f.h5ad", &options(None), &Silent).expect("a whole file");
    assert_eq!((whole.data.n_samples(), whole.data.n_features()), (3, 2));
    let found = read_from(&bytes[..], "f.h5ad", &options(Some("obs:pair")), &Silent).expect_err("records");
    assert!(matches!(found, Error::Unsupported { .. }), "{found}");
    let told = "f.h5ad: column `pair` of `obs` holds records of several values; ";
    assert!(found.to_string().starts_with(told), "{found}");
}
