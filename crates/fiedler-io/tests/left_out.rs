//! A build without some formats says so of every file of them, read or written.
//!
//! `cargo test --release -p fiedler-io --no-default-features --test left_out`

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet() {
    refused("f.parquet", b"PAR1 and more", "this build of fiedler leaves Parquet files out");
}

#[cfg(not(feature = "arrow"))]
#[test]
fn arrow() {
    refused("f.arrow", b"ARROW1 and more", "this build of fiedler leaves Arrow files out");
}

#[cfg(not(feature = "hdf5"))]
#[test]
fn hdf5() {
    let told = "this build of fiedler leaves HDF5 files out";
    refused("f.h5ad", b"\x89HDF\r\n\x1a\n", told);
    let graph = fiedler_io::read_stored_graph("f.h5ad".as_ref(), "connectivities", &fiedler::Silent);
    assert!(graph.expect_err("left out").to_string().contains(told));
    let found = fiedler_io::read_from(
        &b"MATLAB 7.3 MAT-file"[..],
        "f.mat",
        &fiedler_io::ReadOptions::default(),
        &fiedler::Silent,
    );
    assert!(found.expect_err("left out").to_string().contains(told));
}

#[cfg(not(feature = "zarr"))]
#[test]
fn zarr() {
    let stores = [
        ("blosc_2", "numpy.save(\"X.npy\", zarr.open(\"{}\")[:])"),
        ("zstd_3", "numpy.save(\"X.npy\", zarr.open(\"{}\")[:])"),
        ("several_3", "numpy.save(\"X.npy\", zarr.open(\"{}\")[\"NAME\"][:])"),
        ("cells_2", "anndata.read_zarr(\"{}\").write_h5ad(\"cells.h5ad\")"),
        ("cells_3", "anndata.read_zarr(\"{}\").write_h5ad(\"cells.h5ad\")"),
    ];
    for (name, line) in stores {
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}.zarr"));
        let found = fiedler_io::read(&path, &fiedler_io::ReadOptions::default(), &fiedler::Silent);
        let found = found.expect_err("left out");
        assert_eq!(*found.remedies(), [fiedler_io::Remedy::Zarr]);
        let place = path.display().to_string();
        assert_eq!(
            found.to_string(),
            format!(
                "{place}: a Zarr store, and this build of fiedler leaves Zarr out; build it with the feature `zarr`, or, \
                 in Python, {} writes a file that this build reads",
                line.replace("{}", &place)
            )
        );
        #[cfg(feature = "hdf5")]
        {
            let graph = fiedler_io::read_stored_graph(&path, "connectivities", &fiedler::Silent);
            assert_eq!(graph.expect_err("left out").to_string(), found.to_string());
        }
    }
}

#[cfg(not(all(feature = "arrow", feature = "hdf5", feature = "parquet")))]
fn refused(name: &str, bytes: &[u8], told: &str) {
    let options = fiedler_io::ReadOptions::default();
    let read = fiedler_io::read_from(bytes, name, &options, &fiedler::Silent).expect_err("left out");
    let written = fiedler_io::check_output(name.as_ref()).expect_err("left out");
    for found in [read, written] {
        let found = found.to_string();
        assert!(found.starts_with(name) && found.contains(told), "{found}");
        assert!(found.contains("build it with the feature `"), "{found}");
    }
}
