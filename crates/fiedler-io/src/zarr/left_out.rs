//! This build was made without Zarr.

use std::path::Path;

use fiedler::Monitor;

use super::{ARRAY, NODE};
use crate::names::shown;
use crate::options::{Orientation, ReadOptions};
use crate::table::Raw;
use crate::{Error, Remedy, Result};

/// Tells how a store can be read.
pub(crate) fn read(path: &Path, _: &str, _: &ReadOptions, _: &dyn Monitor) -> Result<(Raw, Orientation)> {
    Err(error(path))
}

/// Tells how a store can be read.
#[cfg(feature = "hdf5")]
pub(crate) fn stored_graph(path: &Path, _: &str, _: &str, _: &dyn Monitor) -> Result<Option<fiedler::Graph>> {
    Err(error(path))
}

fn error(path: &Path) -> Error {
    let file = shown(path);
    let line = if super::is_one(&path.join("obs")) && super::is_one(&path.join("var")) {
        format!("anndata.read_zarr(\"{file}\").write_h5ad(\"cells.h5ad\")")
    } else if is_array(path) {
        format!("numpy.save(\"X.npy\", zarr.open(\"{file}\")[:])")
    } else {
        format!("numpy.save(\"X.npy\", zarr.open(\"{file}\")[\"NAME\"][:])")
    };
    Error::Choice {
        what: "a Zarr store, and this build of fiedler leaves Zarr out".to_owned(),
        advice: format!(
            "build it with the feature `zarr`, or, in Python, {line} writes a file that this build reads"
        ),
        remedy: Remedy::Zarr,
        file,
    }
}

/// Whether a store is one array.
fn is_array(path: &Path) -> bool {
    let node = std::fs::read(path.join(NODE)).unwrap_or_default();
    let node: serde_json::Value = serde_json::from_slice(&node).unwrap_or_default();
    path.join(ARRAY).is_file() || node["node_type"] == "array"
}
