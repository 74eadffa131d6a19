//! What would help against an error, for front ends to word.

use std::borrow::Cow;

use super::{ARRAY, BadColumn, DATA_SET, Error, Holds, VARIABLE};
use crate::survey::MOST_CATEGORIES;

/// What the caller could tell the reader to do otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// [`ReadOptions::label`](crate::ReadOptions::label).
    Label,
    /// [`ReadOptions::target`](crate::ReadOptions::target).
    Target,
    /// [`ReadOptions::labels_file`](crate::ReadOptions::labels_file).
    LabelsFile,
    /// [`ReadOptions::exclude`](crate::ReadOptions::exclude).
    Exclude,
    /// [`ReadOptions::variables`](crate::ReadOptions::variables).
    Variable,
    /// [`ReadOptions::layer`](crate::ReadOptions::layer).
    Layer,
    /// A graph in a file of its own, for [`read_similarity`](crate::read_similarity()).
    GraphFile,
    /// [`ReadOptions::features`](crate::ReadOptions::features).
    Features,
    /// [`ReadOptions::missing`](crate::ReadOptions::missing).
    Missing,
    /// [`Missing::DropRows`](crate::Missing::DropRows).
    DropRows,
    /// [`ReadOptions::categories`](crate::ReadOptions::categories).
    Categories,
    /// [`Categories::Drop`](crate::Categories::Drop), where there are too many values for features.
    DropText,
    /// [`ReadOptions::dates`](crate::ReadOptions::dates).
    Dates,
    /// [`ReadOptions::numeric_only`](crate::ReadOptions::numeric_only).
    NumericOnly,
    /// [`TextOptions::header`](crate::TextOptions::header).
    Header,
    /// The limits of the monitor ([`fiedler::Limits`]).
    Memory,
    /// A table of text as an array of numbers, written a line at a time.
    Array,
    /// A build of this crate with the feature `zarr`.
    Zarr,
    /// Which way the scores of a ranking are better, for [`read_ranking`](crate::read_ranking).
    Goal,
}

impl Error {
    /// What would help, in the order in which the message speaks of it; empty where only the file can be
    /// changed.
    pub fn remedies(&self) -> Cow<'_, [Remedy]> {
        Cow::Borrowed(match self {
            Error::Missing { .. } => &[Remedy::Missing, Remedy::Exclude],
            Error::NotFinite { .. } => &[Remedy::Exclude],
            Error::Data { source, .. } => match **source {
                fiedler::Error::NotFinite { value, .. } if value.is_nan() => {
                    &[Remedy::Missing, Remedy::Exclude]
                }
                fiedler::Error::NotFinite { .. } => &[Remedy::Exclude],
                _ => &[],
            },
            Error::NotANumber { .. } | Error::RepeatedName { .. } => &[Remedy::Label, Remedy::Exclude],
            Error::Columns { columns, .. } => return Cow::Owned(remedies_for(columns)),
            Error::LabelInRows { .. } => &[Remedy::LabelsFile],
            Error::LabelVariable { .. } => &[Remedy::Label],
            Error::LabelsTurned { .. } => &[Remedy::Features],
            Error::Unknown { what: VARIABLE | ARRAY | DATA_SET, .. } => &[Remedy::Variable],
            Error::Choice { remedy, .. } => std::slice::from_ref(remedy),
            Error::Target { remedy, .. } => remedy.as_slice(),
            Error::Header { .. } => &[Remedy::Header],
            Error::Memory { .. } | Error::WholeMemory { .. } | Error::ColumnsMemory { .. } => {
                &[Remedy::Memory]
            }
            Error::TextMemory { .. } => &[Remedy::Array, Remedy::Memory],
            _ => &[],
        })
    }
}

/// What would help with these columns.
fn remedies_for(columns: &[BadColumn]) -> Vec<Remedy> {
    use Remedy::{Categories, Dates, DropText, Exclude, Label, Missing, NumericOnly};
    let has = |wanted: fn(Holds) -> bool| columns.iter().any(|c| wanted(c.holds));
    let few = has(|h| matches!(h, Holds::Text { different } if different <= MOST_CATEGORIES));
    let many = has(|h| matches!(h, Holds::Text { different } if different > MOST_CATEGORIES));
    let helps = [
        (has(|h| h == Holds::Gaps), Missing),
        (few, Categories),
        (many && !few, DropText),
        (has(|h| h == Holds::Dates), Dates),
        (has(|h| !matches!(h, Holds::Gaps | Holds::Infinite)), NumericOnly),
        (few || many, Label),
        (true, Exclude),
    ];
    helps.into_iter().filter(|(helps, _)| *helps).map(|(_, remedy)| remedy).collect()
}
