//! Zarr stores, version 2 or 3: a folder that is one array, or a folder of groups and arrays, as AnnData writes it.
//!
//! The library that unpacks chunks brings many others, and comes with the feature `zarr` alone. Without it a store is known, and how
//! to go on is told.

#[cfg(feature = "zarr")]
mod array;
#[cfg(feature = "zarr")]
mod bounded;
#[cfg(not(feature = "zarr"))]
mod left_out;
#[cfg(feature = "zarr")]
mod read;
#[cfg(feature = "zarr")]
mod store;
#[cfg(feature = "zarr")]
mod values;

use std::path::Path;

#[cfg(not(feature = "zarr"))]
pub(crate) use left_out::read;
#[cfg(all(feature = "hdf5", not(feature = "zarr")))]
pub(crate) use left_out::stored_graph;
#[cfg(feature = "zarr")]
pub(crate) use read::{read, stored_graph};

/// The description of a group or of an array in version 3; that of groups and that of arrays in version 2.
const NODE: &str = "zarr.json";
const GROUP: &str = ".zgroup";
const ARRAY: &str = ".zarray";

const DESCRIPTIONS: [&str; 3] = [NODE, GROUP, ARRAY];

/// Whether a folder is a store, or a group or an array in one.
pub(crate) fn is_one(folder: &Path) -> bool {
    DESCRIPTIONS.iter().any(|name| folder.join(name).is_file())
}

/// Whether a file in an archive describes a group or an array of a store.
pub(crate) fn is_description(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| DESCRIPTIONS.contains(&name))
}
