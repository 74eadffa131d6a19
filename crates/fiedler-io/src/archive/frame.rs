//! `obs` and `var` of AnnData: names, and columns as texts.

use super::anndata::NAME;
use super::{Archive, Group, Kind};
use crate::options::ColumnRef;
use crate::table::number_label;
use crate::{Error, Result};

/// `obs` or `var`.
pub(super) struct Frame<'a> {
    name: &'static str,
    group: Box<dyn Group<'a> + 'a>,
    of: Archive<'a>,
}

impl<'a> Frame<'a> {
    pub(super) fn open(parent: &dyn Group<'a>, name: &'static str, of: &Archive<'a>) -> Result<Self> {
        if parent.array(name).is_some() {
            let what = format!("an AnnData file of old, with `{name}` as one array");
            let advice = "read and write it once with anndata 0.8 or later";
            return Err(Error::unsupported(of.file, what, advice));
        }
        let missing = || Error::malformed(of.file, NAME, format!("`{name}` cannot be opened"));
        Ok(Frame { name, group: parent.group(name).ok_or_else(missing)?, of: *of })
    }

    /// The names of the rows.
    pub(super) fn index(&self) -> Result<Vec<String>> {
        let index = self.group.text("_index").unwrap_or_else(|| "_index".to_owned());
        Ok(self.texts(&index)?.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// A column by name, `obs:` before it or not.
    pub(super) fn column(&self, column: &ColumnRef) -> Result<(String, Vec<Option<String>>)> {
        let name = column.as_str().strip_prefix("obs:").unwrap_or(column.as_str());
        let mut known = self.group.names();
        known.retain(|n| !n.starts_with("__") && n != "_index");
        if known.iter().any(|n| n == name) {
            return Ok((name.to_owned(), self.texts(name)?));
        }
        let known = if known.is_empty() {
            format!("`{}` has no columns; give the labels in a file of their own", self.name)
        } else {
            let names: Vec<String> = known.iter().map(|n| format!("`{n}`")).collect();
            format!("`{}` has {}", self.name, names.join(", "))
        };
        Err(Error::Unknown {
            file: self.of.file.to_owned(),
            what: "column of `obs`",
            name: name.to_owned(),
            known,
        })
    }

    /// A column as texts: plain, categorical, or with a mask of what is missing.
    fn texts(&self, name: &str) -> Result<Vec<Option<String>>> {
        if let Some(group) = self.group.group(name) {
            return self.encoded(&*group, name);
        }
        let found = self.plain(&*self.group, name)?;
        // Before anndata 0.8 the categories of all columns stood in a group of their own.
        match self.group.group("__categories").filter(|c| c.array(name).is_some()) {
            Some(categories) => self.decode(&found, &self.plain(&*categories, name)?, name),
            None => Ok(found),
        }
    }

    fn encoded(&self, group: &dyn Group<'a>, name: &str) -> Result<Vec<Option<String>>> {
        if group.array("codes").is_some() {
            let categories = match group.group("categories") {
                Some(inner) => self.encoded(&*inner, "categories")?,
                None => self.plain(group, "categories")?,
            };
            return self.decode(&self.plain(group, "codes")?, &categories, name);
        }
        let mut values = self.plain(group, "values")?;
        if let Some(mask) = group.array("mask") {
            let mask = mask.integers()?;
            values.iter_mut().zip(mask).filter(|(_, missing)| *missing != 0).for_each(|(v, _)| *v = None);
        }
        Ok(values)
    }

    /// The category of every code; a code of -1 is a missing value.
    fn decode(
        &self,
        codes: &[Option<String>],
        categories: &[Option<String>],
        name: &str,
    ) -> Result<Vec<Option<String>>> {
        let category = |code: &Option<String>| match code.as_deref().map_or(Ok(-1), str::parse::<i64>) {
            Ok(-1) => Ok(None),
            Ok(code) => usize::try_from(code).ok().and_then(|c| categories.get(c)).cloned().ok_or(()),
            Err(_) => Err(()),
        };
        codes.iter().map(category).collect::<std::result::Result<_, ()>>().map_err(|()| {
            let found = format!("column `{name}` has a code beyond its {} categories", categories.len());
            Error::malformed(self.of.file, NAME, found)
        })
    }

    fn plain(&self, group: &dyn Group<'a>, name: &str) -> Result<Vec<Option<String>>> {
        let missing =
            || Error::malformed(self.of.file, NAME, format!("`{}/{name}` cannot be opened", self.name));
        let array = group.array(name).ok_or_else(missing)?;
        match array.kind() {
            Kind::Truth => {
                let truth = |v: i64| Some(if v != 0 { "True" } else { "False" }.to_owned());
                Ok(array.integers()?.into_iter().map(truth).collect())
            }
            Kind::Number { .. } => {
                let values = array.numbers()?;
                Ok((0..values.len()).map(|i| number_label(values.at(i))).collect())
            }
            Kind::Records => {
                let what = format!("column `{name}` of `{}` holds records of several values", self.name);
                let advice = "classes and names are read from text and numbers; name another column";
                Err(Error::unsupported(self.of.file, what, advice))
            }
            Kind::Text => array.texts(),
        }
    }
}
