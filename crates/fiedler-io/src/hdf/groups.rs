//! Groups and data sets of an HDF5 file as [groups and arrays](crate::archive).

use std::ops::Range;

use hdf5_pure::{DType, Dataset};

use super::array::{Reader, is_numeric, is_single, shape};
use crate::Result;
use crate::archive::{Array, Group, Kind};
use crate::matrix::Numbers;

/// A group.
pub(super) struct HdfGroup<'a> {
    pub(super) group: hdf5_pure::Group,
    /// Where it is in the file, for messages: empty or ending with a slash.
    pub(super) path: String,
    pub(super) reader: Reader<'a>,
}

impl<'a> HdfGroup<'a> {
    pub(super) fn root(group: hdf5_pure::Group, reader: &Reader<'a>) -> Self {
        HdfGroup { group, path: String::new(), reader: *reader }
    }
}

impl<'a> Group<'a> for HdfGroup<'a> {
    fn group(&self, name: &str) -> Option<Box<dyn Group<'a> + 'a>> {
        let group = self.group.group(name).ok()?;
        Some(Box::new(HdfGroup { group, path: format!("{}{name}/", self.path), reader: self.reader }))
    }

    fn array(&self, name: &str) -> Option<Box<dyn Array + 'a>> {
        let dataset = self.group.dataset(name).ok()?;
        Some(HdfArray::new(dataset, &format!("{}{name}", self.path), &self.reader).boxed())
    }

    fn names(&self) -> Vec<String> {
        let mut names = self.group.groups().unwrap_or_default();
        names.extend(self.group.datasets().unwrap_or_default());
        names.sort_unstable();
        names
    }

    fn text(&self, attribute: &str) -> Option<String> {
        self.group.attrs().ok()?.get(attribute)?.as_str().map(str::to_owned)
    }

    fn sizes(&self, attribute: &str) -> Option<Vec<u64>> {
        self.group.attrs().ok()?.get(attribute)?.to_u64s()
    }
}

/// A data set.
pub(super) struct HdfArray<'a> {
    dataset: Dataset,
    name: String,
    reader: Reader<'a>,
}

impl<'a> HdfArray<'a> {
    pub(super) fn new(dataset: Dataset, name: &str, reader: &Reader<'a>) -> Self {
        HdfArray { dataset, name: name.to_owned(), reader: *reader }
    }

    pub(super) fn boxed(self) -> Box<dyn Array + 'a> {
        Box::new(self)
    }
}

impl Array for HdfArray<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn shape(&self) -> Vec<usize> {
        shape(&self.dataset)
    }

    fn kind(&self) -> Kind {
        match self.dataset.dtype() {
            Ok(DType::Enum(_)) => Kind::Truth,
            Ok(DType::Compound(_)) => Kind::Records,
            _ if is_numeric(&self.dataset) => Kind::Number { single: is_single(&self.dataset) },
            _ => Kind::Text,
        }
    }

    fn count(&self) -> Result<usize> {
        self.reader.check_size(&self.dataset, &self.name)
    }

    fn numbers(&self) -> Result<Numbers> {
        self.reader.numbers(&self.dataset, &self.name)
    }

    fn numbers_at(&self, rows: Range<usize>) -> Result<Numbers> {
        self.reader.numbers_at(&self.dataset, &self.name, rows)
    }

    fn integers(&self) -> Result<Vec<i64>> {
        self.reader.integers(&self.dataset, &self.name)
    }

    fn indices(&self) -> Result<Vec<u32>> {
        self.reader.indices(&self.dataset, &self.name)
    }

    fn indices_at(&self, rows: Range<usize>) -> Result<Vec<u32>> {
        self.reader.indices_at(&self.dataset, &self.name, rows)
    }

    fn texts(&self) -> Result<Vec<Option<String>>> {
        Ok(self.reader.texts(&self.dataset, &self.name)?.into_iter().map(Some).collect())
    }
}
