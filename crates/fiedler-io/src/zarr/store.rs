//! The folders of a store as [groups](crate::archive::Group).
//!
//! What a folder is, and its attributes, is told by small JSON files, which are read here. Arrays are opened by the library of the format.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};
use zarrs::array::ArrayCreateError;
use zarrs::array::codec::api::CodecSpecificOptions;
use zarrs::filesystem::FilesystemStore;

use super::array::ZarrArray;
use super::bounded::{self, TextBytes};
use super::{ARRAY, GROUP, NODE, is_one};
use crate::archive::{Archive, Array, Group};
use crate::{Error, Result};

/// The attributes of a group of version 2.
const ATTRIBUTES: &str = ".zattrs";

/// A store, and what is read with it.
pub(super) struct Store<'a> {
    pub(super) of: Archive<'a>,
    pub(super) folder: PathBuf,
    files: Arc<FilesystemStore>,
    /// Why something that is there could not be opened.
    trouble: RefCell<Option<Error>>,
}

impl<'a> Store<'a> {
    pub(super) fn open(folder: &Path, of: &Archive<'a>) -> Result<Rc<Self>> {
        bounded::register();
        let files = FilesystemStore::new(folder).map_err(|e| of.bad(e.to_string()))?;
        let (folder, trouble) = (folder.to_owned(), RefCell::new(None));
        Ok(Rc::new(Store { of: *of, folder, files: Arc::new(files), trouble }))
    }

    /// What explains that something was not found: what is there and could not be opened.
    pub(super) fn explained(&self, error: Error) -> Error {
        match error {
            Error::Memory { .. } | Error::WholeMemory { .. } | Error::Canceled => error,
            _ => self.trouble.take().unwrap_or(error),
        }
    }

    /// The array at a path, which is empty for the store itself; `None` where there is none.
    pub(super) fn array(self: &Rc<Self>, path: &str) -> Option<ZarrArray<'a>> {
        self.try_array(path)?.map_err(|e| self.keep(e)).ok()
    }

    /// The same; where it is there and cannot be opened, why.
    pub(super) fn try_array(self: &Rc<Self>, path: &str) -> Option<Result<ZarrArray<'a>>> {
        let folder = self.inside(path)?;
        let is_array = match self.json(&folder.join(NODE)) {
            Some(node) => node.ok()?.get("node_type").is_some_and(|t| t == "array"),
            None => folder.join(ARRAY).is_file(),
        };
        let opened = || zarrs::array::Array::open(Arc::clone(&self.files), &format!("/{path}"));
        let texts = CodecSpecificOptions::default().with_option(TextBytes(self.of.budget.left() / 4));
        let name = if path.is_empty() { self.name() } else { path.to_owned() };
        is_array.then(|| match opened() {
            Ok(array) => Ok(ZarrArray::new(array.with_codec_specific_options(&texts), name, self)),
            Err(error) => Err(self.unopened(&name, error)),
        })
    }

    /// The group at a path, which is empty for the store itself; `None` where there is none.
    pub(super) fn group(self: &Rc<Self>, path: &str) -> Option<ZarrGroup<'a>> {
        let folder = self.inside(path)?;
        let attributes = match self.json(&folder.join(NODE)) {
            Some(node) => {
                let node = node.map_err(|e| self.keep(e)).ok()?;
                if node.get("node_type").is_none_or(|t| t != "group") {
                    return None;
                }
                node.get("attributes").and_then(Value::as_object).cloned()
            }
            None if folder.join(GROUP).is_file() => match self.json(&folder.join(ATTRIBUTES)) {
                Some(attributes) => Some(attributes.map_err(|e| self.keep(e)).ok()?),
                None => None,
            },
            None => return None,
        };
        let attributes = attributes.unwrap_or_default();
        Some(ZarrGroup { store: Rc::clone(self), path: path.to_owned(), attributes })
    }

    fn name(&self) -> String {
        self.folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn keep(&self, error: Error) {
        self.trouble.borrow_mut().get_or_insert(error);
    }

    /// The folder at a path that stays in the store.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        let stays = path.is_empty() || path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        stays.then(|| self.folder.join(path))
    }

    /// An object of a file; `None` where there is no file.
    fn json(&self, path: &Path) -> Option<Result<Map<String, Value>>> {
        let length = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        let read = || {
            self.of.budget.check(length)?;
            let bytes = fs::read(path).map_err(Error::io(crate::names::shown(path)))?;
            serde_json::from_slice(&bytes).map_err(|e| {
                let place = path.strip_prefix(&self.folder).unwrap_or(path).display();
                self.of.bad(format!("`{place}` is no JSON object ({e}); {AGAIN}"))
            })
        };
        Some(read())
    }

    fn unopened(&self, name: &str, error: ArrayCreateError) -> Error {
        use ArrayCreateError::{CodecsCreateError, DataTypeCreateError, UnsupportedZarrV2Array};
        let file = self.of.file;
        match error {
            CodecsCreateError(_) | UnsupportedZarrV2Array(_) => {
                let what = format!("array `{name}` is packed in a way that is not read ({error})");
                Error::unsupported(file, what, "write it again with Blosc, gzip or zstd and no filters")
            }
            DataTypeCreateError(_) => {
                let what = format!("array `{name}` holds what is not read ({error})");
                Error::unsupported(file, what, "write it again as real numbers, truth values or text")
            }
            _ => self.of.bad(format!("array `{name}` cannot be opened ({error}); {AGAIN}")),
        }
    }
}

/// What to do about a store that is damaged.
pub(super) const AGAIN: &str = "copy or write the store again";

/// A group.
pub(super) struct ZarrGroup<'a> {
    pub(super) store: Rc<Store<'a>>,
    /// Where it is in the store; empty for the store itself.
    path: String,
    attributes: Map<String, Value>,
}

impl ZarrGroup<'_> {
    pub(super) fn inner(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }
}

impl<'a> Group<'a> for ZarrGroup<'a> {
    fn group(&self, name: &str) -> Option<Box<dyn Group<'a> + 'a>> {
        Some(Box::new(self.store.group(&self.inner(name))?))
    }

    fn array(&self, name: &str) -> Option<Box<dyn Array + 'a>> {
        Some(Box::new(self.store.array(&self.inner(name))?))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.store.folder.join(&self.path)).into_iter().flatten().flatten();
        let nodes = entries.filter(|entry| is_one(&entry.path()));
        let mut names: Vec<String> = nodes.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    fn text(&self, attribute: &str) -> Option<String> {
        self.attributes.get(attribute)?.as_str().map(str::to_owned)
    }

    fn sizes(&self, attribute: &str) -> Option<Vec<u64>> {
        self.attributes.get(attribute)?.as_array()?.iter().map(Value::as_u64).collect()
    }
}
