//! What a method tells beyond scores, as tables that describe themselves.
//!
//! A [`Detail`] has a key for programs, a title and a sentence for people, and named columns. Every
//! output renders it in its own way from that alone: a new detail is written where it is computed and
//! nowhere else.

/// A table that a method tells beyond scores: a path of solutions, the choice of a width.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Detail {
    /// The key in JSON.
    pub key: String,
    /// The title.
    pub title: String,
    /// What the table says and how to read it, in a sentence.
    pub sentence: String,
    /// Who is shown it unasked.
    pub audience: Audience,
    /// The columns, all of one length.
    pub columns: Vec<DetailColumn>,
}

/// Who is shown a detail unasked. Programs get every detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Audience {
    /// Everybody.
    People,
    /// Those who ask for more.
    Verbose,
    /// Programs alone.
    Programs,
}

/// A column of a [`Detail`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DetailColumn {
    /// The key in JSON.
    pub key: String,
    /// The heading for people: a symbol or a word, with the unit where there is one.
    pub heading: String,
    /// The values.
    pub values: Cells,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", tag = "kind", content = "cells")
)]
#[non_exhaustive]
pub enum Cells {
    /// Numbers; none where a cell is empty.
    Numbers(Vec<Option<f64>>),
    /// Numbers that are worth a bar beside them.
    Bars(Vec<f64>),
    /// Counts.
    Counts(Vec<usize>),
    /// Words.
    Words(Vec<String>),
    /// Whether the line is the one that was chosen.
    Marks(Vec<bool>),
    /// A feature, by index.
    Features(Vec<usize>),
    /// Several features, by index.
    FeatureLists(Vec<Vec<usize>>),
    /// Several numbers.
    NumberLists(Vec<Vec<f64>>),
}

impl Cells {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Cells::Numbers(v) => v.len(),
            Cells::Bars(v) => v.len(),
            Cells::Counts(v) => v.len(),
            Cells::Words(v) => v.len(),
            Cells::Marks(v) => v.len(),
            Cells::Features(v) => v.len(),
            Cells::FeatureLists(v) => v.len(),
            Cells::NumberLists(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Detail {
    /// A table without columns yet, for everybody.
    pub fn new(key: &str, title: &str, sentence: &str) -> Self {
        Detail {
            key: key.to_owned(),
            title: title.to_owned(),
            sentence: sentence.to_owned(),
            audience: Audience::People,
            columns: Vec::new(),
        }
    }

    /// The same for others.
    #[must_use]
    pub fn for_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// The same with one more column.
    #[must_use]
    pub fn column(mut self, key: &str, heading: &str, values: Cells) -> Self {
        debug_assert!(self.columns.iter().all(|c| c.values.len() == values.len()));
        self.columns.push(DetailColumn { key: key.to_owned(), heading: heading.to_owned(), values });
        self
    }

    /// The same with one more column of numbers.
    #[must_use]
    pub fn numbers(self, key: &str, heading: &str, values: impl IntoIterator<Item = f64>) -> Self {
        self.column(key, heading, Cells::Numbers(values.into_iter().map(Some).collect()))
    }

    /// Number of lines.
    pub fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    /// The column of that key.
    pub fn values(&self, key: &str) -> Option<&Cells> {
        self.columns.iter().find(|c| c.key == key).map(|c| &c.values)
    }

    /// The numbers of the column of that key, NaN where a cell is empty; none where there is no such column.
    pub fn series(&self, key: &str) -> Vec<f64> {
        match self.values(key) {
            Some(Cells::Numbers(v)) => v.iter().map(|v| v.unwrap_or(f64::NAN)).collect(),
            Some(Cells::Bars(v)) => v.clone(),
            Some(Cells::Counts(v)) => v.iter().map(|&v| v as f64).collect(),
            _ => Vec::new(),
        }
    }

    /// The value of a criterion for the first 1, 2, … features together.
    pub(crate) fn curve(title: &str, sentence: &str, values: Vec<f64>) -> Self {
        let counts = (1..=values.len()).collect();
        Detail::new("curve", title, sentence)
            .for_audience(Audience::Verbose)
            .column("count", "features", Cells::Counts(counts))
            .numbers("value", "value", values)
    }
}
