//! The data sets of the papers: files in the directory that the user names, or embedded data.

use std::path::{Path, PathBuf};

use fiedler::dataset::demo;
use fiedler::{Dataset, Monitor};
use fiedler_io::ReadOptions;

use super::cache::hash;
use crate::failure::{Failure, Outcome};

/// Where data sets are.
pub(super) struct Store {
    folder: Option<PathBuf>,
}

/// A data set and the hash of what it was read from.
pub(super) struct Stored {
    pub(super) data: Dataset,
    pub(super) hash: String,
    /// The file, where it is one.
    pub(super) file: Option<PathBuf>,
}

impl Stored {
    /// A file that lies beside the data.
    ///
    /// # Errors
    /// The data are not in a file.
    pub(super) fn beside(&self, name: &str) -> Outcome<PathBuf> {
        let folder = self.file.as_deref().and_then(Path::parent);
        folder.map(|folder| folder.join(name)).ok_or_else(|| {
            Failure::usage(format!("`{name}` is to lie beside the data, and embedded data are in no file"))
        })
    }
}

impl Store {
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Store { folder: folder.map(Path::to_path_buf) }
    }

    /// The data set, or `Err` inside with the sentence that tells why it is not there.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub(super) fn find(
        &self,
        file: &str,
        label: Option<&str>,
        monitor: &dyn Monitor,
    ) -> Outcome<Result<Stored, String>> {
        if let Some(name) = file.strip_prefix("demo:") {
            return Ok(Ok(Stored { data: demo::load(name)?, hash: file.to_owned(), file: None }));
        }
        let Some(folder) = &self.folder else {
            return Ok(Err(format!(
                "{file}: name the directory of the data sets, --data DIR or FIEDLER_DATA"
            )));
        };
        if !folder.is_dir() {
            return Ok(Err(format!("there is no folder {}", folder.display())));
        }
        let path = folder.join(file);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Err(format!("{file} is not in {}", folder.display())));
            }
            Err(e) => return Err(Failure::Data(format!("{}: {e}", path.display()))),
        };
        let label = label.map(Into::into);
        let table = fiedler_io::read(&path, &ReadOptions { label, ..ReadOptions::default() }, monitor)?;
        Ok(Ok(Stored { data: table.data, hash: hash(&bytes), file: Some(path) }))
    }
}
