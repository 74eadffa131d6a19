//! 10x Genomics: a matrix of features × barcodes by column, which is samples × features by row.

use hdf5_pure::Group;

use super::array::{Reader, shape};
use super::groups::HdfArray;
use crate::archive::Sparse;
use crate::sparse::{LARGEST, Major};
use crate::table::Raw;
use crate::{Error, Result};

const NAME: &str = "10x";

/// The group of the matrix: `matrix` today, one named after the genome in files of old.
pub(super) fn find(root: &Group) -> Option<Group> {
    let mut names = root.groups().ok()?;
    names.sort_unstable_by_key(|n| n != "matrix");
    let has = |group: &Group| {
        ["barcodes", "data", "indices", "indptr", "shape"].iter().all(|n| group.dataset(n).is_ok())
    };
    names.iter().filter_map(|name| root.group(name).ok()).find(has)
}

/// Reads a file.
pub(super) fn read(group: &Group, reader: &Reader<'_>) -> Result<Raw> {
    let open = |name: &str| group.dataset(name).map_err(|e| reader.failed(e));
    let bad = |found: String| Error::malformed(reader.file, NAME, found);
    let size = reader.integers(&open("shape")?, "shape")?;
    let &[features, samples] = size.as_slice() else {
        return Err(bad("its shape is not two numbers".to_owned()));
    };
    let (offsets, indices, values) = (open("indptr")?, open("indices")?, open("data")?);
    let count = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    let (samples, features) = (count(samples), count(features));
    if shape(&offsets).first().copied() != samples.checked_add(1) || features > LARGEST {
        return Err(bad(format!("its shape {features} × {samples} does not fit its offsets")));
    }
    let array = |dataset, name| HdfArray::new(dataset, name, reader).boxed();
    let sparse = Sparse {
        major: Major::Rows,
        shape: (samples, features),
        offsets: array(offsets, "matrix/indptr"),
        indices: array(indices, "matrix/indices"),
        values: array(values, "matrix/data"),
    };
    let mut raw = sparse.raw(&reader.archive(), bad)?;
    let barcodes = reader.texts(&open("barcodes")?, "barcodes")?;
    let names = names(group, reader)?;
    for (what, found, count) in [("barcodes", &barcodes, samples), ("features", &names, features)] {
        if found.len() != count {
            return Err(bad(format!("it has {count} {what} and {} names for them", found.len())));
        }
    }
    raw.column_names = Some(names);
    raw.row_names = Some(barcodes);
    raw.tell_names_apart();
    Ok(raw)
}

/// The symbols of the features, which people know.
fn names(group: &Group, reader: &Reader<'_>) -> Result<Vec<String>> {
    for path in ["features/name", "features/id", "gene_names", "genes"] {
        if let Ok(dataset) = group.dataset(path) {
            return reader.texts(&dataset, path);
        }
    }
    Err(Error::malformed(reader.file, NAME, "the names of the features are missing"))
}
