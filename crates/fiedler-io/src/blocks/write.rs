//! Data as a directory of blocks, a block at a time.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use fiedler::Monitor;

use super::{BlockFile, FORMAT, MANIFEST, Manifest, Part, VERSION, checksum};
use crate::matrix::Numbers;
use crate::names::shown;
use crate::progress::Progress;
use crate::table::Table;
use crate::whole::write_folder;
use crate::write::{columns_of, header_in_order, is_single};
use crate::{Error, Result};

/// Bytes of a block: long enough for a disk, short enough for any memory.
const BYTES: usize = 16 << 20;

/// Features of a block are a multiple of this, the number of columns that the library computes with together.
const MULTIPLE: usize = 64;

/// Writes the columns `columns` of a table, in that order, and answers how many blocks they are.
pub(crate) fn write(folder: &Path, table: &Table, columns: &[usize], monitor: &dyn Monitor) -> Result<usize> {
    let mut count = 0;
    write_folder(folder, |temporary| {
        count = fill(temporary, table, columns, monitor)?;
        Ok(())
    })?;
    Ok(count)
}

fn fill(folder: &Path, table: &Table, columns: &[usize], monitor: &dyn Monitor) -> Result<usize> {
    let (data, name) = (&table.data, shown(folder));
    let (n, source) = (data.n_samples(), data.columns());
    let single = is_single(source).map_err(Error::data(&name))?;
    let dtype = if single { "<f4" } else { "<f8" };
    let width = (BYTES / (n * if single { 4 } else { 8 } * MULTIPLE)).max(1) * MULTIPLE;
    let progress = Progress::new(monitor, "writing blocks", columns.len());
    let mut blocks = Vec::new();
    for some in columns.chunks(width) {
        let mut bytes = header_in_order(dtype, (n, some.len()), true);
        for few in some.chunks(MULTIPLE) {
            let found = columns_of(source, few).map_err(Error::data(&name))?;
            found.iter().for_each(|column| append(column, single, &mut bytes));
            progress.advance(few.len())?;
        }
        let part = put(folder, &format!("{:05}.npy", blocks.len()), &bytes)?;
        blocks.push(BlockFile { features: some.len(), part });
    }
    let count = blocks.len();
    let texts = |file: &str, texts: &[Option<&str>]| put(folder, file, &json(&texts, &name)?);
    let features: Vec<_> = columns.iter().map(|&j| data.feature_name(j)).collect();
    let features: Vec<_> = features.iter().map(|name| Some(&**name)).collect();
    let samples =
        data.sample_names().map(|names| names.iter().map(|name| Some(name.as_str())).collect::<Vec<_>>());
    let known = known(table);
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        samples: n,
        features: columns.len(),
        dtype: dtype.to_owned(),
        blocks,
        feature_names: Some(texts("features.json", &features)?),
        sample_names: samples.map(|names| texts("samples.json", &names)).transpose()?,
        label: known.as_ref().map(|(title, _)| title.clone()),
        labels: known
            .map(|(_, known)| texts("labels.json", &known.iter().map(Option::as_deref).collect::<Vec<_>>()))
            .transpose()?,
    };
    put(folder, MANIFEST, &json(&manifest, &name)?)?;
    Ok(count)
}

/// The classes or the numbers of the samples, and what they are called.
fn known(table: &Table) -> Option<(String, Vec<Option<String>>)> {
    let (data, title) = (&table.data, table.layout.label.as_ref().map(|l| l.name.clone()));
    if let Some(target) = data.target() {
        let texts = target.values().iter().map(|v| Some(v.to_string())).collect();
        return Some((target.name().to_owned(), texts));
    }
    let labels = data.labels()?;
    let text = |c: &Option<u32>| c.map(|c| labels.classes()[c as usize].clone());
    Some((title.unwrap_or_else(|| "label".to_owned()), labels.codes().iter().map(text).collect()))
}

fn append(column: &Numbers, single: bool, bytes: &mut Vec<u8>) {
    match column {
        Numbers::F32(v) if single => v.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
        other => (0..other.len()).for_each(|i| bytes.extend_from_slice(&other.at(i).to_le_bytes())),
    }
}

fn json(value: &impl serde::Serialize, file: &str) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| Error::io(file)(error.into()))
}

/// Writes a file to the disk and answers what the manifest says of it.
fn put(folder: &Path, file: &str, bytes: &[u8]) -> Result<Part> {
    let path = folder.join(file);
    let written = File::create_new(&path).and_then(|mut out| {
        out.write_all(bytes)?;
        out.sync_all()
    });
    written.map_err(Error::io(shown(&path)))?;
    let size = fs::metadata(&path).map_err(Error::io(shown(&path)))?.len();
    Ok(Part { file: file.to_owned(), bytes: size, crc32: checksum(bytes) })
}
