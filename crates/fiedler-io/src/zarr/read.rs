//! Reading a store.

use std::path::Path;
use std::rc::Rc;

use fiedler::{Graph, Monitor};

use super::array::ZarrArray;
use super::store::{Store, ZarrGroup};
use crate::archive::{Archive, Array, Group, Kind, anndata};
use crate::error::DATA_SET;
use crate::guard::guarded;
use crate::memory::Budget;
use crate::options::{MatVariables, Orientation, ReadOptions};
use crate::table::Raw;
use crate::{Error, Remedy, Result};

const FORMAT: &str = "Zarr";

/// Reads a store, and tells which way its features lie.
pub(crate) fn read(
    path: &Path,
    file: &str,
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<(Raw, Orientation)> {
    let budget = Budget::new(file, monitor.limits());
    let of = Archive { file, format: FORMAT, budget: &budget, monitor };
    let store = Store::open(path, &of)?;
    content(&store, options).map_err(|e| store.explained(e))
}

fn content(store: &Rc<Store<'_>>, options: &ReadOptions) -> Result<(Raw, Orientation)> {
    let of = &store.of;
    if let Some(array) = store.array("") {
        if options.variables != MatVariables::default() || options.layer.is_some() {
            let what = "an array or a layer was named, and this store is one array";
            return Err(Error::unsupported(of.file, what, "leave the name out"));
        }
        return Ok((crate::archive::dense(of, &array, options.features)?, options.features));
    }
    let root = store.group("").ok_or_else(|| of.bad("it is no array and no group"))?;
    if anndata::is(&root) {
        return Ok((anndata::read(&root, of, options)?, Orientation::Columns));
    }
    Ok((plain(&root, options)?, options.features))
}

/// A graph of the samples that an AnnData store holds in `obsp`; `None` where it is no AnnData.
pub(crate) fn stored_graph(
    path: &Path,
    file: &str,
    name: &str,
    monitor: &dyn Monitor,
) -> Result<Option<Graph>> {
    guarded(file, || {
        let budget = Budget::new(file, monitor.limits());
        let of = Archive { file, format: FORMAT, budget: &budget, monitor };
        let store = Store::open(path, &of)?;
        let root = store.group("").filter(|root| anndata::is(root));
        let graph = root.map(|root| anndata::graph(&root, &of, name)).transpose();
        graph.map_err(|e| store.explained(e))
    })
}

/// A store that is not AnnData's: the array that the user names, or the only matrix of numbers.
fn plain(root: &ZarrGroup<'_>, options: &ReadOptions) -> Result<Raw> {
    let of = &root.store.of;
    if let Some(layer) = &options.layer {
        let what = format!("layer `{layer}` was named, and layers are in AnnData stores");
        return Err(Error::unsupported(of.file, what, "leave the layer out"));
    }
    let wanted = options.variables.x.trim_matches('/');
    let is_named = options.variables != MatVariables::default();
    if let Some(found) = root.store.array(wanted) {
        return crate::archive::dense(of, &found, options.features);
    }
    let mut arrays = Vec::new();
    list(root, &mut arrays, 4);
    let is_matrix = |a: &&ZarrArray<'_>| a.shape().len() == 2 && matches!(a.kind(), Kind::Number { .. });
    let matrices: Vec<&ZarrArray<'_>> = arrays.iter().filter(is_matrix).collect();
    match matrices.as_slice() {
        [only] if !is_named => crate::archive::dense(of, *only, options.features),
        _ => Err(unknown(of.file, wanted, &arrays, is_named)),
    }
}

/// The arrays of a group and of those in it that can be opened.
fn list<'a>(group: &ZarrGroup<'a>, arrays: &mut Vec<ZarrArray<'a>>, depth: usize) {
    const MOST: usize = 1000;
    for name in group.names() {
        if arrays.len() > MOST {
            return;
        }
        let path = group.inner(&name);
        match group.store.try_array(&path) {
            Some(array) => arrays.extend(array.ok()),
            None if depth > 0 => {
                if let Some(inner) = group.store.group(&path) {
                    list(&inner, arrays, depth - 1);
                }
            }
            None => {}
        }
    }
}

fn unknown(file: &str, wanted: &str, arrays: &[ZarrArray<'_>], is_named: bool) -> Error {
    const SHOWN: usize = 12;
    let described = |array: &ZarrArray<'_>| {
        let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
        format!("`{}` ({})", array.name(), shape.join(" × "))
    };
    let shown: Vec<String> = arrays.iter().take(SHOWN).map(described).collect();
    let more = if arrays.len() > SHOWN { ", …" } else { "" };
    if arrays.is_empty() {
        let advice = "copy or write the store again, with an array of samples × features";
        return Error::unsupported(file, "Zarr, and it holds no arrays that can be read", advice);
    }
    let all = format!("its arrays are {}{more}", shown.join(", "));
    if is_named {
        return Error::Unknown { file: file.to_owned(), what: DATA_SET, name: wanted.to_owned(), known: all };
    }
    Error::Choice {
        file: file.to_owned(),
        what: format!("Zarr, but not AnnData: {all}"),
        advice: "say which holds samples × features".to_owned(),
        remedy: Remedy::Variable,
    }
}
