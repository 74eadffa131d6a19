//! NumPy archives: a sparse matrix as SciPy saves it (CSR, CSC or COO), or arrays by name.
//!
//! Of several arrays, `X` holds the data and `y` the classes, unless the caller names others; one
//! array of two dimensions needs no name. Names of features and samples are read from arrays called
//! `feature_names` and `sample_names`, which [`write`](crate::write()) puts there and SciPy leaves alone.

use fiedler::limits::Bytes;
use fiedler::{Limits, Monitor};

use crate::error::ARRAY;
use crate::input::{Input, check_expansion};
use crate::matrix::{Matrix, Numbers};
use crate::memory::{Budget, PER_LINE};
use crate::options::{MatVariables, Orientation, ReadOptions};
use crate::sparse::{Compressed, LARGEST, Major, from_entries};
use crate::table::{LabelColumn, Raw, RawLabel, number_label};
use crate::zip::{self, Member};
use crate::{Error, Result, npy};

const FORMAT: &str = "NPZ";
/// What the arrays of names are called.
pub(crate) const FEATURE_NAMES: &str = "feature_names";
/// Likewise.
pub(crate) const SAMPLE_NAMES: &str = "sample_names";

/// Reads an archive.
pub(crate) fn read(
    bytes: &[u8],
    (file, budget): (&str, &Budget),
    options: &ReadOptions,
    monitor: &dyn Monitor,
) -> Result<Raw> {
    let members = zip::members(bytes).map_err(|e| Error::malformed(file, FORMAT, e))?;
    let archive = Archive { file, budget, members, monitor };
    if archive.members.iter().any(|m| crate::zarr::is_description(&m.name)) {
        let what = "a Zarr store in a zip archive";
        return Err(Error::unsupported(file, what, "unpack it into a folder (unzip -d), and name that"));
    }
    if !archive.members.iter().any(|m| m.name.ends_with(".npy")) {
        let what = "a zip archive without arrays (an Excel workbook is one)";
        return Err(Error::unsupported(file, what, "save the table as CSV, or the array with np.savez"));
    }
    let matrix = match archive.find("format") {
        Some(format) => archive.sparse(format)?,
        None => archive.dense(options)?,
    };
    let mut raw = Raw::bare(matrix);
    archive.name(&mut raw, options.features)?;
    archive.label(&mut raw, options)?;
    Ok(raw)
}

struct Archive<'a> {
    file: &'a str,
    budget: &'a Budget,
    members: Vec<Member<'a>>,
    monitor: &'a dyn Monitor,
}

impl Archive<'_> {
    fn find(&self, name: &str) -> Option<&Member<'_>> {
        self.members.iter().find(|m| m.name.strip_suffix(".npy") == Some(name))
    }

    fn bad(&self, found: impl Into<String>) -> Error {
        Error::malformed(self.file, FORMAT, found)
    }

    fn content(&self, member: &Member<'_>) -> Result<Vec<u8>> {
        check_expansion(self.file, member.packed() as u64, member.size as u64)?;
        self.budget.take_items(member.size, 1)?;
        member.content().map_err(|e| self.bad(e))
    }

    /// A sparse matrix of SciPy's; `format` tells its form.
    fn sparse(&self, format: &Member<'_>) -> Result<Matrix> {
        let form = self.content(format)?;
        // Letters of one byte, or of four in archives of old.
        let letters: Vec<u8> = form.iter().rev().filter(|b| **b != 0).take(3).copied().collect();
        let shape = self.numbers("shape")?;
        let size =
            |i: usize| shape.get(i).copied().filter(|s| *s >= 0.0 && *s < LARGEST as f64).map(|s| s as usize);
        let (Some(rows), Some(columns), 2) = (size(0), size(1), shape.len()) else {
            return Err(self.bad(format!("its shape {shape:?} is not samples × features")));
        };
        self.budget.take_items(rows.saturating_add(columns), PER_LINE)?;
        let values = self.values("data")?;
        let matrix = match letters.as_slice() {
            b"rsc" => self.compressed(Major::Rows, rows, columns, values)?.into_matrix(),
            b"csc" => self.compressed(Major::Columns, rows, columns, values)?.into_matrix(),
            b"ooc" => {
                let places: Vec<(u32, u32)> =
                    self.indices("row")?.into_iter().zip(self.indices("col")?).collect();
                if places.len() != values.len() {
                    return Err(self.bad(format!("{} places for {} values", places.len(), values.len())));
                }
                from_entries(rows, columns, &places, values)
            }
            other => {
                let form: String = other.iter().rev().map(|&b| char::from(b)).collect();
                let what = format!("a sparse matrix in the form `{form}`");
                return Err(Error::unsupported(self.file, what, "save X.tocsr() with scipy.sparse.save_npz"));
            }
        };
        matrix.map_err(|e| self.bad(e))
    }

    fn compressed(&self, major: Major, rows: usize, columns: usize, values: Numbers) -> Result<Compressed> {
        let offsets = self.numbers("indptr")?;
        let offsets = offsets.into_iter().map(|o| if o >= 0.0 { o as usize } else { usize::MAX }).collect();
        Ok(Compressed { major, rows, columns, offsets, indices: self.indices("indices")?, values })
    }

    fn member(&self, name: &str) -> Result<&Member<'_>> {
        self.find(name)
            .ok_or_else(|| self.bad(format!("a sparse matrix has an array `{name}`, and this has none")))
    }

    /// A one-dimensional array.
    fn numbers(&self, name: &str) -> Result<Vec<f64>> {
        let values = self.values(name)?;
        Ok((0..values.len()).map(|i| values.at(i)).collect())
    }

    fn indices(&self, name: &str) -> Result<Vec<u32>> {
        let index = |v: f64| if (0.0..f64::from(u32::MAX)).contains(&v) { v as u32 } else { u32::MAX };
        Ok(self.numbers(name)?.into_iter().map(index).collect())
    }

    fn values(&self, name: &str) -> Result<Numbers> {
        let content = self.content(self.member(name)?)?;
        npy::read_flat(&mut self.input(name, content)?, self.monitor)
    }

    /// An array with its own count of memory, of what is left.
    fn input(&self, name: &str, content: Vec<u8>) -> Result<Input<'static>> {
        let limits = Limits::of(Bytes(self.budget.left()));
        Input::from_bytes(content, &format!("{}, array `{name}`", self.file), limits)
    }

    /// The array of the data: the one named, `X`, or the only one of two dimensions.
    fn dense(&self, options: &ReadOptions) -> Result<Matrix> {
        let wanted = &options.variables.x;
        if let Some(member) = self.find(wanted) {
            return npy::read_matrix(self.input(wanted, self.content(member)?)?, self.monitor);
        }
        let mut shapes = Vec::new();
        for member in &self.members {
            let Some(name) = member.name.strip_suffix(".npy") else { continue };
            let content = self.content(member)?;
            shapes.push((name, member, npy::shape_of(&content).unwrap_or_default()));
            self.budget.give_back_items(content.len(), 1);
        }
        let flat: Vec<_> = shapes.iter().filter(|s| s.2.len() == 2).collect();
        match flat.as_slice() {
            [(name, member, _)] if options.variables == MatVariables::default() => {
                npy::read_matrix(self.input(name, self.content(member)?)?, self.monitor)
            }
            _ => Err(self.unknown(wanted, &shapes)),
        }
    }

    fn unknown(&self, wanted: &str, shapes: &[(&str, &Member<'_>, Vec<usize>)]) -> Error {
        let shown = |(name, _, shape): &(&str, &Member<'_>, Vec<usize>)| {
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("`{name}` ({})", shape.join(" × "))
        };
        let all = shapes.iter().map(shown).collect::<Vec<_>>().join(", ");
        let known = format!("the arrays are {all}; say which holds the data");
        Error::Unknown { file: self.file.to_owned(), what: ARRAY, name: wanted.to_owned(), known }
    }

    /// Names, where there are as many as rows or columns.
    fn name(&self, raw: &mut Raw, features: Orientation) -> Result<()> {
        let (mut of_columns, mut of_rows) = (FEATURE_NAMES, SAMPLE_NAMES);
        if features == Orientation::Rows {
            std::mem::swap(&mut of_columns, &mut of_rows);
        }
        raw.column_names = self.texts(of_columns)?.filter(|names| names.len() == raw.body.columns());
        raw.row_names = self.texts(of_rows)?.filter(|names| names.len() == raw.body.rows());
        if let Some(names) = raw.column_names.as_mut().filter(|_| features == Orientation::Columns) {
            raw.repeated = crate::names::make_unique(names, "feature", &mut raw.notes);
        }
        Ok(())
    }

    /// The classes: the array that is named, or `y`.
    fn label(&self, raw: &mut Raw, options: &ReadOptions) -> Result<()> {
        let named = options.outcome().map(|l| l.as_str());
        let name = match named {
            Some(name) if self.find(name).is_some() => name,
            // A column of the data, by name or position.
            Some(_) => return Ok(()),
            None => match ["y", "Y"].into_iter().find(|n| self.find(n).is_some()) {
                Some(name) => name,
                None => return Ok(()),
            },
        };
        let texts = match self.texts(name)? {
            Some(texts) => texts.into_iter().map(Some).collect(),
            None => self.numbers(name)?.into_iter().map(number_label).collect::<Vec<_>>(),
        };
        let samples =
            if options.features == Orientation::Rows { raw.body.columns() } else { raw.body.rows() };
        if texts.len() == samples {
            let column = LabelColumn { name: name.to_owned(), first: false };
            raw.label = Some(RawLabel { column, texts });
        } else if named.is_some() {
            let what = format!("array `{name}` has {} labels for {samples} samples", texts.len());
            return Err(Error::LabelVariable { file: self.file.to_owned(), what });
        }
        Ok(())
    }

    /// An array of texts; `None` where there is none of that name, or one of numbers.
    fn texts(&self, name: &str) -> Result<Option<Vec<String>>> {
        let Some(member) = self.find(name) else { return Ok(None) };
        Ok(npy::texts_of(&self.content(member)?))
    }
}
