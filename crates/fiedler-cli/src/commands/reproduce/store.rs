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
    /// The recipe of the user's own, which data may lie beside.
    recipe: Option<PathBuf>,
}

/// A data set and the hash of what it was read from, and how.
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
    pub(super) fn new(folder: Option<&Path>, recipe: Option<&Path>) -> Self {
        Store { folder: folder.map(Path::to_path_buf), recipe: recipe.map(Path::to_path_buf) }
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
            let data = demo::load(name).map_err(|error| match error {
                fiedler::Error::Parameter { rule, got, .. } => {
                    Failure::usage(format!("`file` must be a file, or `demo:` with {rule}, got {got}"))
                }
                other => other.into(),
            })?;
            return Ok(Ok(Stored { data, hash: file.to_owned(), file: None }));
        }
        let path = match self.path(file) {
            Ok(path) => path,
            Err(why) => return Ok(Err(why)),
        };
        let bytes = std::fs::read(&path).map_err(|e| Failure::Data(format!("{}: {e}", path.display())))?;
        // Another column of labels makes other data of the same file.
        let hash = label.map_or_else(|| hash(&bytes), |label| format!("{} {label}", hash(&bytes)));
        let label = label.map(Into::into);
        let table = fiedler_io::read(&path, &ReadOptions { label, ..ReadOptions::default() }, monitor)?;
        Ok(Ok(Stored { data: table.data, hash, file: Some(path) }))
    }

    /// Where a file is: in the directory of the data sets, or beside the recipe; or the sentence that tells why it is nowhere.
    fn path(&self, file: &str) -> Result<PathBuf, String> {
        let beside = self.recipe.as_deref().and_then(Path::parent).map(|folder| folder.join(file));
        let within = self.folder.as_deref().map(|folder| folder.join(file));
        if let Some(path) = within.into_iter().chain(beside).find(|path| path.exists()) {
            return Ok(path);
        }
        let own = self.recipe.is_some();
        match &self.folder {
            None if own => Err(format!(
                "{file} is not beside the recipe; put it there, or name the directory of the data sets, --data DIR or \
                 FIEDLER_DATA"
            )),
            None => Err(format!("{file}: name the directory of the data sets, --data DIR or FIEDLER_DATA")),
            Some(folder) if !folder.is_dir() => Err(format!("there is no folder {}", folder.display())),
            Some(folder) if own => {
                Err(format!("{file} is neither in {} nor beside the recipe", folder.display()))
            }
            Some(folder) => Err(format!("{file} is not in {}", folder.display())),
        }
    }

    /// Refuses a directory that does not exist, where one of these files is nowhere else.
    ///
    /// # Errors
    /// It does not exist.
    pub(super) fn check<'a>(&self, mut files: impl Iterator<Item = &'a str>) -> Outcome {
        let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) else { return Ok(()) };
        if files.all(|file| file.starts_with("demo:") || self.path(file).is_ok()) {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "--data: there is no folder {}; name the directory of the data sets (--data DIR or FIEDLER_DATA)",
            folder.display()
        )))
    }
}
