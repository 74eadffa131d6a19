//! Columns as Arrow has them: one a feature, with sample names before them and labels where they were.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema};

use super::Selection;
use crate::matrix::Numbers;
use crate::options::Orientation;

/// A column with its name.
pub(super) type Named = (String, ArrayRef);

/// What stands beside the features.
pub(super) struct Beside {
    pub(super) before: Vec<Named>,
    pub(super) after: Vec<Named>,
}

impl Beside {
    pub(super) fn new(s: &Selection<'_>) -> Self {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        if let Some(names) = s.sample_names {
            let in_columns = s.layout.features == Orientation::Columns;
            let corner = s.layout.corner.as_deref().filter(|c| !c.is_empty() && in_columns);
            let names: ArrayRef = Arc::new(StringArray::from_iter_values(names));
            before.push((corner.unwrap_or("sample").to_owned(), names));
        }
        let label = match s.target_column() {
            Some((column, numbers)) => Some((column, number_array(numbers))),
            None => s.label_column().map(|(column, texts)| (column, label_array(texts))),
        };
        if let Some((column, labels)) = label {
            let place = if column.first { &mut before } else { &mut after };
            place.push((column.name.clone(), labels));
        }
        Beside { before, after }
    }

    /// The description of all columns, features of that type among them.
    pub(super) fn schema(&self, features: &[impl AsRef<str>], kind: &DataType) -> Schema {
        let beside = |(name, array): &Named| field(name, array.data_type());
        let mut fields: Vec<Field> = self.before.iter().map(beside).collect();
        fields.extend(features.iter().map(|name| field(name.as_ref(), kind)));
        fields.extend(self.after.iter().map(beside));
        Schema::new(fields)
    }
}

/// Numbers are never missing; names and classes may be.
fn field(name: &str, kind: &DataType) -> Field {
    Field::new(name, kind.clone(), !matches!(kind, DataType::Float64 | DataType::Float32))
}

/// What the user is told where features were rows.
pub(super) fn turned(s: &Selection<'_>) -> Option<String> {
    let in_rows = s.layout.features == Orientation::Rows;
    in_rows.then(|| "features are columns in the file that was written".to_owned())
}

pub(super) fn number_array(numbers: &Numbers) -> ArrayRef {
    match numbers {
        Numbers::F32(v) => Arc::new(Float32Array::from(v.clone())),
        Numbers::F64(v) => Arc::new(Float64Array::from(v.clone())),
    }
}

/// Classes that are whole numbers are written as such, others as text.
fn label_array(texts: &[Option<&str>]) -> ArrayRef {
    let numbers: Option<Vec<Option<i64>>> =
        texts.iter().map(|t| t.map_or(Some(None), |t| t.parse().ok().map(Some))).collect();
    match numbers {
        Some(numbers) => Arc::new(Int64Array::from(numbers)),
        None => Arc::new(StringArray::from(texts.to_vec())),
    }
}
