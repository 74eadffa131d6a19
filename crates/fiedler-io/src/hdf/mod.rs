//! HDF5 files: AnnData (`.h5ad`), 10x Genomics (`.h5`), MATLAB 7.3, or any file whose data set is named.
//!
//! What a file is its groups tell, not its extension. A file on the disk is read where it is needed; one that comes
//! compressed or through a pipe is read into memory first.

mod array;
mod disk;
mod groups;
mod matlab;
mod tenx;

use std::path::Path;
use std::rc::Rc;

use fiedler::{Graph, Monitor};
use hdf5_pure::{File, Group, Source as _};

use crate::archive::anndata;
use crate::error::DATA_SET;
use crate::input::Input;
use crate::memory::Budget;
use crate::names::shown;
use crate::options::{Format, MatVariables, ReadOptions};
use crate::table::Raw;
use crate::{Error, Remedy, Result};
use array::{Reader, shape};
use disk::Disk;
use groups::{HdfArray, HdfGroup};

/// Reads a file, and tells which of the formats it is.
pub(crate) fn read(input: Input<'_>, options: &ReadOptions, monitor: &dyn Monitor) -> Result<(Raw, Format)> {
    let (name, budget) = (input.name.clone(), Rc::clone(&input.budget));
    let reader = Reader { file: &name, budget: &budget, monitor };
    let file = open(input, &reader)?;
    let root = file.root();
    let group = HdfGroup::root(file.root(), &reader);
    if anndata::is(&group) {
        return Ok((anndata::read(&group, &reader.archive(), options)?, Format::H5ad));
    }
    if let Some(layer) = &options.layer {
        let what = format!("layer `{layer}` was named, and layers are in AnnData files");
        return Err(Error::unsupported(&name, what, "leave the layer out"));
    }
    if let Some(group) = tenx::find(&root) {
        return Ok((tenx::read(&group, &reader)?, Format::H5));
    }
    if matlab::is(&root) {
        return Ok((matlab::read(&file, &reader, options)?, Format::Mat));
    }
    Ok((plain(&root, &reader, options)?, Format::H5))
}

fn open(mut input: Input<'_>, reader: &Reader<'_>) -> Result<File> {
    let end = end_of_file(input.beginning()).unwrap_or(0);
    let check = |size: u64| {
        let found = format!("it has {size} bytes of {end}; copy it again");
        if size < end { Err(reader.archive().bad(found)) } else { Ok(()) }
    };
    let file = match input.take_path() {
        Some(path) => {
            let source = Disk::open(&path).map_err(Error::io(reader.file))?;
            check(source.len())?;
            File::from_source(source)
        }
        None => {
            let bytes = input.read_all(reader.monitor)?;
            check(bytes.len() as u64)?;
            File::from_bytes(bytes)
        }
    };
    file.map_err(|e| reader.failed(e))
}

/// Where a file says that it ends: a shorter one was cut off. `None` where something stands before it, as in files of MATLAB.
fn end_of_file(beginning: &[u8]) -> Option<u64> {
    const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";
    let superblock = beginning.strip_prefix(SIGNATURE)?;
    // After the signature: the version, where the size of an address stands and where the end does.
    let (size, at) = match superblock.first()? {
        0 => (5, 32),
        1 => (5, 36),
        2 | 3 => (1, 20),
        _ => return None,
    };
    let address = superblock.get(at..at + 8).filter(|_| superblock.get(size) == Some(&8))?;
    Some(u64::from_le_bytes(address.try_into().ok()?)).filter(|&end| end != u64::MAX)
}

/// A graph of the samples that an AnnData file holds in `obsp`: similarities as they are, and distances (by the
/// end of their name) through a Gaussian kernel of automatic width.
///
/// # Errors
/// There is none of that name, or it is no graph.
pub fn read_stored_graph(path: &Path, name: &str, monitor: &dyn Monitor) -> Result<Graph> {
    let file = shown(path);
    let budget = Budget::new(&file, monitor.limits());
    let reader = Reader { file: &file, budget: &budget, monitor };
    let not_there = || Error::Choice {
        file: file.clone(),
        what: "no AnnData file, and `obsp` is a part of one".to_owned(),
        advice: "give the graph in a file of its own".to_owned(),
        remedy: Remedy::GraphFile,
    };
    if crate::zarr::is_one(path) {
        return crate::zarr::stored_graph(path, &file, name, monitor)?.ok_or_else(not_there);
    }
    if path.is_dir() {
        return Err(not_there());
    }
    let input = Input::open(path, monitor.limits())?;
    if !input.is_hdf5() {
        return Err(not_there());
    }
    let opened = open(input, &reader)?;
    let root = HdfGroup::root(opened.root(), &reader);
    if !anndata::is(&root) {
        return Err(not_there());
    }
    anndata::graph(&root, &reader.archive(), name)
}

/// A file of no kind that is known: the data set that the user names, samples × features.
fn plain(root: &Group, reader: &Reader<'_>, options: &ReadOptions) -> Result<Raw> {
    let mut paths = Vec::new();
    list(root, "", &mut paths, 4);
    let wanted = options.variables.x.trim_matches('/');
    let only: Vec<&Listed> = paths.iter().filter(|p| p.numeric && p.shape.len() == 2).collect();
    let found = match (paths.iter().find(|p| p.path == wanted), only.as_slice()) {
        (Some(found), _) => found,
        (None, [only]) if options.variables == MatVariables::default() => only,
        _ => return Err(unknown(reader.file, wanted, &paths, options)),
    };
    if let Some(label) =
        options.outcome().filter(|l| paths.iter().any(|p| p.path == l.as_str().trim_matches('/')))
    {
        return Err(Error::Choice {
            file: reader.file.to_owned(),
            what: format!("`{label}` is a data set, and a label is a column of the data"),
            advice: "give the labels in a file of their own".to_owned(),
            remedy: Remedy::LabelsFile,
        });
    }
    let dataset = root.dataset(&found.path).map_err(|e| reader.failed(e))?;
    let array = HdfArray::new(dataset, &found.path, reader);
    crate::archive::dense(&reader.archive(), &array, options.features)
}

/// A data set of a file.
struct Listed {
    path: String,
    shape: Vec<usize>,
    numeric: bool,
}

fn unknown(file: &str, wanted: &str, paths: &[Listed], options: &ReadOptions) -> Error {
    const SHOWN: usize = 12;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(Listed::describe).collect();
    let more = if paths.len() > SHOWN { ", …" } else { "" };
    if shown.is_empty() {
        let advice = "copy or write the file again, with a data set of samples × features";
        return Error::unsupported(file, "HDF5, and it holds no data sets that can be read", advice);
    }
    let all = format!("its data sets are {}{more}", shown.join(", "));
    if options.variables == MatVariables::default() {
        let what = format!("HDF5, but neither AnnData nor 10x nor MATLAB: {all}");
        let advice = "say which holds samples × features".to_owned();
        return Error::Choice { file: file.to_owned(), what, advice, remedy: Remedy::Variable };
    }
    Error::Unknown { file: file.to_owned(), what: DATA_SET, name: wanted.to_owned(), known: all }
}

impl Listed {
    fn describe(&self) -> String {
        let shape: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        format!("`{}` ({})", self.path, shape.join(" × "))
    }
}

fn list(group: &Group, prefix: &str, paths: &mut Vec<Listed>, depth: usize) {
    const MOST: usize = 1000;
    let mut names = group.datasets().unwrap_or_default();
    names.sort_unstable();
    for name in names {
        let Ok(dataset) = group.dataset(&name) else { continue };
        let numeric = array::is_numeric(&dataset);
        paths.push(Listed { path: format!("{prefix}{name}"), shape: shape(&dataset), numeric });
    }
    let mut groups = group.groups().unwrap_or_default();
    groups.sort_unstable();
    for name in groups.into_iter().filter(|n| !n.starts_with('#')) {
        if depth == 0 || paths.len() > MOST {
            return;
        }
        if let Ok(inner) = group.group(&name) {
            list(&inner, &format!("{prefix}{name}/"), paths, depth - 1);
        }
    }
}
