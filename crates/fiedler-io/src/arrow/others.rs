//! The columns of a typed table that are not numbers, once they have been read: what becomes of them, and what is
//! refused, by the rule for text files.

use rayon::prelude::*;

use super::plan::Plan;
use crate::body::Body;
use crate::csv::Content;
use crate::error::{BadColumn, ColumnName, Holds, Location};
use crate::matrix::{Matrix, Numbers, Storage};
use crate::messy::Missing;
use crate::options::ReadOptions;
use crate::survey::{Column, Refused, Treated, Treatment, refusal, truth};
use crate::table::Raw;
use crate::{Error, Result, dates};

/// A column of the file and its texts.
pub(super) type Other = (usize, Vec<Option<String>>);

/// Adds what becomes of these columns to the numbers of `raw`, in the order of the file.
///
/// # Errors
/// All columns that the options do not allow.
pub(super) fn settle(
    mut body: Body,
    raw: &mut Raw,
    plan: &Plan,
    others: &[Other],
    (file, options): (&str, &ReadOptions),
) -> Result<Body> {
    // A file on disk is turned by now.
    let rows = match &body {
        Body::Disk(disk) if options.features_in_rows() => disk.n_columns(),
        body => body.rows(),
    };
    // What is missing in a file on disk is seen when it is looked at.
    let holes = if let Body::Memory(matrix) = &body { holes(matrix, options) } else { Vec::new() };
    let mut refused: Vec<(usize, Refused)> = holes
        .into_iter()
        .map(|(at, refused)| (plan.numbers[at], refused))
        .chain(
            plan.typed
                .iter()
                .map(|(c, kind)| (*c, Refused::new(Holds::Typed, rows, Some((0, kind.clone()))))),
        )
        .collect();
    let mut told = Treated::default();
    plan.dropped.iter().for_each(|&c| told.add(plan.names[c].clone(), &Treatment::Drop));
    let mut places = plan.numbers.clone();
    let surveys: Vec<Column> = others.par_iter().map(|(_, texts)| survey(texts)).collect();
    for ((position, texts), column) in others.iter().zip(surveys) {
        let (treatment, bad) = column.treat(options);
        refused.extend(bad.into_iter().map(|bad| (*position, bad)));
        told.add(plan.names[*position].clone(), &treatment);
        let before = body.columns();
        let names = raw.column_names.get_or_insert_default();
        match &mut body {
            Body::Memory(matrix) => add((matrix, names), &plan.names[*position], texts, &treatment, options),
            Body::Disk(_) if matches!(treatment, Treatment::Number | Treatment::Drop) => {}
            Body::Disk(_) => return Err(not_beside(file, &plan.column_name(*position))),
        }
        places.extend(std::iter::repeat_n(*position, body.columns() - before));
    }
    if !refused.is_empty() {
        refused.sort_by_key(|(position, _)| *position);
        let bad = |(position, refused): (usize, Refused)| -> BadColumn {
            let place = Location::Row(refused.record + 1);
            refused.told(plan.column_name(position), place)
        };
        return Err(refusal(file, rows, refused.into_iter().map(bad).collect()));
    }
    raw.notes.extend(told.notes());
    Ok(in_order(body, raw, &places))
}

/// A column that would become features of its own cannot be put beside numbers that stay in their file.
fn not_beside(file: &str, column: &ColumnName) -> Error {
    let what = format!("it is larger than the memory it may take, and {column} holds no numbers");
    Error::unsupported(file, what, "leave that column out, or allow more memory")
}

/// What stands in a column of texts.
fn survey(texts: &[Option<String>]) -> Column {
    let mut column = Column::default();
    for (row, text) in texts.iter().enumerate() {
        match text {
            Some(text) => column.add(row, Content::Text, || text.clone()),
            None => column.add(row, Content::Missing, || "null".to_owned()),
        }
    }
    column
}

/// What is missing or not finite among the numbers, where that is refused.
fn holes(matrix: &Matrix, options: &ReadOptions) -> Vec<(usize, Refused)> {
    let Storage::Dense { values, .. } = &matrix.storage else { return Vec::new() };
    let finite = match values {
        Numbers::F32(v) => v.par_iter().all(|x| x.is_finite()),
        Numbers::F64(v) => v.par_iter().all(|x| x.is_finite()),
    };
    let of = |j: usize| {
        let column = matrix.column(j);
        let told = |holds, found: &dyn Fn(f64) -> bool, word: &str| {
            let first = column.iter().position(|&v| found(v))?;
            let count = column.iter().filter(|&&v| found(v)).count();
            Some((j, Refused::new(holds, count, Some((first, word.to_owned())))))
        };
        let gaps = told(Holds::Gaps, &f64::is_nan, "null").filter(|_| options.missing == Missing::Error);
        [told(Holds::Infinite, &f64::is_infinite, "inf"), gaps]
    };
    let columns = 0..if finite { 0 } else { matrix.columns };
    columns.into_par_iter().flat_map_iter(of).flatten().collect()
}

/// Adds a column as its treatment says.
fn add(
    (matrix, names): (&mut Matrix, &mut Vec<String>),
    name: &str,
    texts: &[Option<String>],
    treatment: &Treatment,
    options: &ReadOptions,
) {
    let mut push = |name: String, value: &dyn Fn(&str) -> Option<f64>, missing: f64| {
        matrix.push_column(
            texts.iter().map(|t| t.as_deref().map_or(missing, |t| value(t).unwrap_or(f64::NAN))),
        );
        names.push(name);
    };
    let is = |is: bool| f64::from(u8::from(is));
    match treatment {
        Treatment::Number | Treatment::Drop => {}
        Treatment::Truth => push(name.to_owned(), &|t| truth(t).map(is), f64::NAN),
        Treatment::Days(order) => push(name.to_owned(), &|t| dates::number(t, *order), f64::NAN),
        Treatment::OneHot(values) => {
            // A gap has none of the values; where samples or features with gaps are left out, it says so.
            let drops = matches!(options.missing, Missing::DropRows | Missing::DropColumns);
            let missing = if drops { f64::NAN } else { 0.0 };
            for value in values {
                push(format!("{name}={value}"), &|t| Some(is(t == value)), missing);
            }
        }
    }
}

/// Brings features into the order of the columns that they come from.
fn in_order(body: Body, raw: &mut Raw, places: &[usize]) -> Body {
    if places.is_sorted() {
        return body;
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&j| places[j]);
    if let Some(names) = &mut raw.column_names {
        *names = order.iter().map(|&j| std::mem::take(&mut names[j])).collect();
    }
    body.keep_columns(&order)
}
